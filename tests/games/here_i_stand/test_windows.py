"""Response windows: what they ask, of whom, and that they do not tell who holds a card (digest 3.20, design 6)."""

import pytest

from pbem.games.here_i_stand import GAME, cards, positions
from pbem.games.reformation.cards import Event
from pbem.table.asking import Moment, Pass, Respond, able, response
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.orders import Refused, read_order
from pbem.table.procedure import Table
from pbem.table.questions import AnyOf


@pytest.fixture(scope="module")
def kit():
    return load_kit("here_i_stand")


@pytest.fixture
def written(monkeypatch):
    """A card of the deck is written for a moment of this test: it tells who played it."""
    name = "foul_weather"
    held = Event(name, lambda table, power, moment: "stop", ("test_moment",))
    monkeypatch.setitem(cards.BOOK.events, name, held)
    monkeypatch.delitem(cards.BOOK.predicates, name, raising=False)
    monkeypatch.setattr(cards.BOOK, "_cards", {})
    return "31"


def table_with(kit, windows, holder):
    table = Table(Board(GAME.id, GAME.powers(kit, "1517")), kit, {"response_windows": windows}, game=GAME)
    GAME.set_up(table, "1517")
    positions.arrange(table, "hand", {"power": holder, "cards": [31]})
    return table


def window_of(table):
    moment = Moment("test_moment", "ottoman")
    running = response(table, moment, [p for p in table.board.powers if p != "ottoman"], space="vienna")
    return running, next(running, None)


def shape(wait):
    return [(q.power, q.kind, q.orders, q.context, q.section) for q in wait.questions]


def test_everyone_is_asked_alike_whoever_holds_the_card(kit, written):
    shapes = [shape(window_of(table_with(kit, "everyone", holder))[1]) for holder in ("france", "papacy")]
    assert shapes[0] == shapes[1]
    assert [entry[0] for entry in shapes[0]] == ["hapsburg", "england", "france", "papacy", "protestant"]


def test_able_asks_only_who_could_play_a_card(kit, written):
    table = table_with(kit, "able", "france")
    _, wait = window_of(table)
    assert [question.power for question in wait.questions] == ["france"]
    assert able(table, "france", Moment("test_moment", "ottoman"))
    assert window_of(table_with(kit, "able", "ottoman"))[1] is None, "the power whose move it is was not to be asked"


def test_who_does_not_hold_the_card_is_refused_without_telling_who_does(kit, written):
    _, wait = window_of(table_with(kit, "everyone", "france"))
    table = table_with(kit, "everyone", "france")
    question = next(q for q in wait.questions if q.power == "papacy")
    with pytest.raises(Refused) as refusal:
        question.check(table, Respond(card=written))
    assert (refusal.value.code, refusal.value.values) == ("card_not_held", {"card": written})


def test_the_answer_of_a_card_ends_the_window(kit, written):
    table = table_with(kit, "everyone", "france")
    running, wait = window_of(table)
    assert isinstance(wait, AnyOf)
    with pytest.raises(StopIteration) as ended:
        running.send(("france", Respond(card=written)))
    assert ended.value.value == ["stop"]
    assert written in table.board.piles["discard"]


def test_under_mary_england_is_asked_but_may_not_respond(kit, written):
    table = table_with(kit, "everyone", "england")
    positions.arrange(table, "ruler", {"power": "england", "ruler": "mary_i"})
    _, wait = window_of(table)
    question = next(q for q in wait.questions if q.power == "england")
    assert not question.is_legal(table, Respond(card=written)) and question.is_legal(table, Pass())


@pytest.mark.parametrize("line", ["PLAY 31", "play foul weather", "PLAY Temps Pourri", "PLAY Ужасная погода"])
def test_a_card_is_named_by_number_or_in_any_language(kit, line):
    assert read_order(GAME.orders, line, kit) == Respond(card="31")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("MOVE 4 regulars, 2 cav, Soliman FROM Buda TO Presbourg", "MOVE 4 regular, 2 cavalry, suleiman FROM buda TO"),
        ("MOVE ALL FROM Вена TO Грац", "MOVE ALL FROM vienna TO graz"),
        ("MOVE 2 venise regular AND 1 merc FROM venice TO trieste", "MOVE 2 venice regular, 1 mercenary FROM venice"),
        ("BUILD 2 mercenaires IN Londres", "BUILD 2 mercenary IN london"),
        ("RETREAT TO vienna INSIDE 3 regular, Ferdinand", "RETREAT TO vienna INSIDE 3 regular, ferdinand"),
    ],
)
def test_orders_take_english_french_and_russian_names(kit, line, text):
    order = read_order(GAME.orders, line, kit)
    assert order.text().startswith(text)
    assert read_order(GAME.orders, order.text(), kit) == order
