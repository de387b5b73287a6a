"""Orders: one definition, read from a line, from JSON, and written again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.table.orders import (
    Choice,
    Many,
    Name,
    Number,
    Order,
    Refused,
    Text,
    Unreadable,
    YesNo,
    order_from_json,
    read_order,
)
from tests import toy
from tests.told import told


class Leg(Order):
    line = "{kind} FROM {origin} TO {to}"
    kind = Choice("army", "navy")
    origin = Name("place")
    to = Name("place")


class Move(Order):
    """Move some."""

    line = "MOVE {legs}"
    legs = Many(Leg, most=3)


class Bid(Order):
    line = "BID {amount} [A {a}] [B {b}]"
    amount = Number(0)
    a = Name("power", optional=True)
    b = Name("power", optional=True)


class Help(Order):
    line = "SUPPORT NAVIES {navies} ARMIES {armies} [FOR {gold} GOLD]"
    navies = YesNo()
    armies = YesNo()
    gold = Number(1, 20, optional=True)


class Say(Order):
    line = "SAY TO {to} : {text}"
    to = Many(Name("power"))
    text = Text()


KINDS = [Move, Bid, Help, Say, *toy.GAME.orders]


def read(line: str) -> Order:
    return read_order(KINDS, line, toy.kit())


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("bid 3 a red b blue", {"amount": 3, "a": "red", "b": "blue"}),
        ("BID 3 B BLUE.", {"amount": 3, "b": "blue"}),
        (
            "Move army from hill to green hollow, navy FROM cafe TO HILL",
            {
                "legs": [
                    {"kind": "army", "origin": "hill", "to": "hollow"},
                    {"kind": "navy", "origin": "cafe", "to": "hill"},
                ]
            },
        ),
        (
            "MOVE army FROM Green Hill TO Café AND navy FROM caf TO hol",
            {
                "legs": [
                    {"kind": "army", "origin": "hill", "to": "cafe"},
                    {"kind": "navy", "origin": "cafe", "to": "hollow"},
                ]
            },
        ),
        ("SUPPORT NAVIES no ARMIES yes FOR 2 GOLD", {"navies": False, "armies": True, "gold": 2}),
        ("SUPPORT NAVIES no ARMIES yes", {"navies": False, "armies": True}),
        ("SAY TO red, blue : to be, or not", {"to": ["red", "blue"], "text": "to be , or not"}),
        ("show card 07", {"card": "card_07"}),
        ("BID 3 B blue A red", {"amount": 3, "a": "red", "b": "blue"}),
    ],
)
def test_a_line_is_read(line, values):
    assert read(line).values() == values


@pytest.mark.parametrize(
    ("line", "reason", "hint"),
    [
        ("FLY hill", "no order that begins with “FLY”", "SHOW"),
        ("SHO card_07", "no order that begins with", "SHOW"),
        ("MARCH 1 TO hil l", "FROM should stand where “l” stands", "MARCH <number> TO <where>"),
        ("MARCH 1 TO hlil", "there is no place “hlil”; did you mean", "Green Hill"),
        ("MARCH 1 TO green", "Green Hill or Green Hollow", "Green Hill"),
        ("MARCH 99 TO hill", "“99” should be a whole number from 1 to 5", "MARCH <number> TO <where>"),
        ("MARCH -1 TO hill", "“-1” should be a whole number", "MARCH"),
        ("MARCH 1e9 TO hill", "should be a whole number", "MARCH"),
        ("MARCH 1 TO hill hill", "where “hill” stands", "MARCH <number> TO <where>"),
        ("MARCH 1", "TO should stand at the end", "MARCH"),
        ("MARCH", "missing at the end: number 1–5", "MARCH"),
        ("AMBUSH now", "“now” is one word too many", "AMBUSH"),
        ("SUPPORT NAVIES maybe ARMIES yes", "“maybe” should be YES or NO", "YES"),
        ("SUPPORT NAVIES", "missing at the end: YES or NO", "SUPPORT NAVIES YES|NO"),
        ("MOVE", "missing at the end: ARMY", "MOVE"),
        ("MOVE army FROM hill TO hollow, navy", "FROM should stand at the end", "ARMY|NAVY FROM <origin>"),
        (
            "MOVE army FROM hill TO cafe navy FROM hill TO hill",
            "a comma should stand before “navy FROM",
            "MOVE ARMY|NAVY FROM <origin> TO",
        ),
        ("MOVE army FROM hill TO cafe, navy FROM hlil TO cafe", "there is no place “hlil”; did you mean", "Green Hill"),
        ("MOVE " + "army FROM hill TO cafe, " * 4, "4 are named where there should be 1 to 3", "MOVE"),
        ("BID 3 red", "A or B should stand where “red” stands", "BID <amount> [A <into alliance A>]"),
        ("BID 3 A red A blue", "B should stand where “A” stands", "BID"),
        ("BID 3 A london", "there is no power “london”", "Red"),
        ("", "the line is empty", None),
        ("BID 1 " + "A red " * 1000, "an order has at most", None),
    ],
)
def test_what_cannot_be_read_says_what_would_be_right(line, reason, hint):
    with pytest.raises(Unreadable) as caught:
        read(line)
    why, hints = told(caught.value, toy.kit())
    assert reason in why
    if hint:
        assert any(hint in text for text in hints)


ORDERS = st.one_of(
    st.builds(Bid, amount=st.integers(0, 10**5), a=st.sampled_from([None, "red"]), b=st.sampled_from([None, "blue"])),
    st.builds(Help, navies=st.booleans(), armies=st.booleans(), gold=st.one_of(st.none(), st.integers(1, 20))),
    st.builds(
        Move,
        legs=st.lists(
            st.builds(
                Leg,
                kind=st.sampled_from(["army", "navy"]),
                origin=st.sampled_from(["hill", "cafe"]),
                to=st.sampled_from(["hollow"]),
            ),
            min_size=1,
            max_size=3,
        ),
    ),
)


@given(ORDERS)
def test_line_and_json_give_the_order_back(order):
    assert read(order.text()) == order
    assert order_from_json(KINDS, order.to_json()) == order


@given(st.text(max_size=60))
def test_no_line_brings_anything_but_an_order_or_unreadable(line):
    for text in (line, "MOVE " + line, "BID 3 A " + line, "SAY TO red : " + line):
        try:
            order = read(text)
        except Unreadable as error:
            assert told(error, toy.kit())[0]
        else:
            assert isinstance(order, Order)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"order": "fly"},
        {"order": "bid"},
        {"order": "bid", "amount": -1},
        {"order": "bid", "amount": "x"},
        {"order": "bid", "amount": 1, "z": 1},
        {"order": "move", "legs": ["x"]},
        {"order": "move", "legs": [{"kind": "x"}]},
    ],
)
def test_bad_json_is_unreadable(data):
    with pytest.raises(Unreadable):
        order_from_json(KINDS, data)


def test_refused_tells_why():
    error = Refused("because", "12", ["try this"])
    assert (str(error), error.section, error.hints) == ("because", "12", ["try this"])


class Use(Order):
    line = "USE {tile} [HILL {place}]"
    tile = Name("place")
    place = Name("place", optional=True)


def test_a_name_may_hold_a_word_of_the_grammar():
    assert read_order([Use], "USE green hill", toy.kit()).values() == {"tile": "hill"}
    assert read_order([Use], "USE green hill HILL cafe", toy.kit()).values() == {"tile": "hill", "place": "cafe"}


@pytest.mark.parametrize(
    ("kind", "usage"),
    [
        (Move, "MOVE ARMY|NAVY FROM <origin> TO <to>, ..."),
        (Help, "SUPPORT NAVIES YES|NO ARMIES YES|NO [FOR <gold> GOLD]"),
        (Say, "SAY TO <power>, ... : <text>"),
    ],
)
def test_the_form_shows_what_is_inside_a_list_and_the_words_to_choose_from(kind, usage):
    assert kind.usage() == usage


class Count(Name):
    """Reads names and counts how often."""

    reads = 0

    def read(self, words, names):
        Count.reads += 1
        return super().read(words, names)


class Step(Order):
    line = "{kind} FROM {origin} TO {to}"
    kind = Choice("army", "navy")
    origin = Count("place")
    to = Count("place")


class Walk(Order):
    line = "WALK {steps} [MORE {more}]"
    steps = Many(Step)
    more = YesNo(optional=True)


@pytest.mark.parametrize("step", ["army FROM x TO y", "army, FROM hill TO cafe", "a", "army FROM hill TO cafe, x"])
def test_the_longest_line_is_told_wrong_without_being_read_over_and_over(step):
    Count.reads = 0
    with pytest.raises(Unreadable):
        read_order([Walk], ("WALK " + ", ".join([step] * 1000))[:2000], toy.kit())
    assert Count.reads < 3000


class Parting(Order):
    line = "{kind} TO {to} [WITHOUT {lost}]"
    kind = Choice("army", "navy")
    to = Name("place")
    lost = Many(Name("place"), optional=True)


class March(Order):
    line = "MARCH {partings}"
    partings = Many(Parting)


def test_the_last_field_of_a_group_may_hold_commas_too():
    """What no group begins with belongs to the one before it; what an order says of itself can be read again."""
    line = "MARCH army TO hill WITHOUT hill, cafe, navy TO cafe, army TO cafe WITHOUT hill and cafe"
    march = read_order([March], line, toy.kit())
    assert [parting.lost for parting in march.partings] == [["hill", "cafe"], None, ["hill", "cafe"]]
    assert read_order([March], march.text(), toy.kit()) == march
    with pytest.raises(Unreadable) as caught:
        read_order([March], "MARCH army TO hill WITHOUT hill, nowhere", toy.kit())
    assert "“nowhere”" in told(caught.value, toy.kit())[0]


def test_what_is_wrong_in_the_json_of_an_order_is_told_in_words():
    from pbem.games import find_game

    bid = {"order": "bid", "bid": 10**30, "a": "britain", "b": "france"}
    with pytest.raises(Unreadable) as caught:
        order_from_json(find_game("struggle_of_empires").orders, bid)
    why, _hints = told(caught.value, toy.kit())
    assert why == "Bid should be a whole number from 0 to 999999"
