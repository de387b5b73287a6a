"""A seat that holds two powers: a line may say for which of them it is."""

from __future__ import annotations

import functools
import json

import pytest

from pbem import games
from pbem.campaign.commands import Addressed, Step, read_line
from pbem.mail.contents import _examples
from pbem.table.kit import Kit
from pbem.table.orders import Unreadable
from tests import toy
from tests.campaign.conftest import Desk


class Pairs(toy.Toy):
    """The toy for two seats with two powers each."""

    id = "pairs"

    def seats(self, kit, scenario, number, options):
        return [["red", "blue"], ["green", "black"]]


games.register(Pairs())


@functools.cache
def kit() -> Kit:
    record = json.loads(toy.kit().to_json())
    record["game"] = "pairs"
    return Kit.from_json(json.dumps(record))


@pytest.fixture
def table(service, clock) -> Desk:
    return Desk(service, clock, 2, game="pairs", kit=kit(), powers=("red", "green")).start()


def hand(table: Desk, seat: str, power: str) -> list[str]:
    return table.service.view_at(table.id, seat).piles[f"hand:{power}"]


def open_powers(table: Desk, seat: str) -> list[str]:
    return [asked.power for asked in table.service.asked(table.id, seat) if not asked.answered]


def test_what_is_asked_of_two_powers_says_for_which(table):
    asked = table.service.asked(table.id, "seat1")
    assert [(a.power, a.template) for a in asked] == [("red", "FOR red: DONE"), ("blue", "FOR blue: DONE")]
    assert asked[1].usages == ["FOR blue: DONE"] and asked[1].examples == ["FOR blue: DONE"]
    answer = table.send("seat1", "STATUS")
    assert [a.template for a in answer.asked] == ["FOR red: DONE", "FOR blue: DONE"]


@pytest.mark.parametrize("line", ["DONE", "done", "Fini", "готово", "that's all"])
def test_who_names_no_power_is_asked_back_where_two_could_be_meant(table, line):
    answer = table.send("seat1", line)
    assert answer.lines[0].state == "refused" and answer.lines[0].hints == [
        "FOR red: DONE", "FOR blue: DONE", "DONE ALL",
    ]  # fmt: skip
    assert open_powers(table, "seat1") == ["red", "blue"]
    table.good("seat1", answer.lines[0].hints[0])
    assert table.good("seat1", "DONE").lines[0].order == "DONE"  # one power alone was still asked


def test_a_line_answers_for_the_power_that_it_names(table):
    answer = table.good("seat1", "for Blue: done")
    assert answer.lines[0].order == "FOR blue: DONE" and open_powers(table, "seat1") == ["red"]
    table.good("seat1", "DONE")  # one power alone is still asked
    table.good("seat2", "FOR black: DONE", "FOR green: DONE")
    assert table.service.status(table.id).kind == "show"
    card = hand(table, "seat1", "blue")[1]
    assert f"FOR blue: SHOW {card}" in table.service.asked(table.id, "seat1")[1].examples
    table.good("seat1", f"FOR blue: SHOW {card}")
    with table.service.memory.reading(table.id) as found:
        assert {key: order.card for key, order in found.play.sealed.items()} == {"blue": card}
    other = hand(table, "seat1", "blue")[0]
    table.good("seat1", "SALT words of mine", f"FOR blue: SHOW {other}")  # in place of the first
    with table.service.memory.reading(table.id) as found:
        assert found.play.sealed["blue"].card == other


@pytest.mark.parametrize("line", ["done for blue", "Terminé pour blue", "Fini pour le blue", "готово для blue"])
def test_who_says_whose_part_is_over_is_understood(table, line):
    assert table.good("seat1", line).lines[0].state == "accepted" and open_powers(table, "seat1") == ["red"]


def test_who_says_so_of_a_power_of_somebody_else_is_refused(table):
    assert table.send("seat1", "Terminé pour green").lines[0].state == "refused"
    assert open_powers(table, "seat1") == ["red", "blue"]


def test_a_line_without_a_name_answers_for_the_power_that_is_waited_for(table):
    for seat, first, second in (("seat1", "red", "blue"), ("seat2", "green", "black")):
        table.good(seat, f"FOR {first}: DONE", f"FOR {second}: DONE")
    for seat, powers in (("seat1", ("red", "blue")), ("seat2", ("green", "black"))):
        for power in powers:
            table.good(seat, f"FOR {power}: SHOW {hand(table, seat, power)[0]}")
    marching = table.service.status(table.id).waiting_for[0]
    mine, other = ("seat1", "seat2") if marching in ("red", "blue") else ("seat2", "seat1")
    table.good(mine, f"FOR {marching}: MARCH 1 TO hill")
    first, second = table.service.status(table.id).seats[other]["powers"]
    table.good(other, f"FOR {first}: AMBUSH")
    assert set(open_powers(table, other)) == {second}
    answer = table.good(other, "AMBUSH")
    assert answer.lines[0].state == "accepted" and open_powers(table, other) == []


@pytest.mark.parametrize(("line", "state", "words"), [
    ("FOR green: DONE", "refused", "Green is not yours; you hold Red and Blue"),
    ("FOR pink: DONE", "unreadable", "pink"),
    ("FOR all: SHOW card 01", "unreadable", "one power"),
    ("FOR red: STATUS", "unreadable", "an order of the game should stand"),
    ("FOR red: FOR blue: DONE", "unreadable", "an order of the game should stand"),
    ("FOR red: SHOW card 01", "refused", ""),
])  # fmt: skip
def test_a_line_for_a_power_that_cannot_be_is_refused(table, line, state, words):
    before = open_powers(table, "seat1")
    result = table.send("seat1", line).lines[0]
    assert result.state == state and words in result.reason
    assert open_powers(table, "seat1") == before
    assert table.service.check_line(table.id, "seat1", line).state == state


def test_queued_and_standing_orders_may_name_their_power(table):
    table.good("seat1", f"STANDING show: FOR blue: SHOW {hand(table, 'seat1', 'blue')[2]}")
    table.good("seat1", "FOR blue: DONE", "FOR red: DONE", f"FOR red: SHOW {hand(table, 'seat1', 'red')[1]}")
    assert table.service.queued(table.id, "seat1")
    table.good("seat2", "FOR green: DONE", "FOR black: DONE")
    with table.service.memory.reading(table.id) as found:
        sealed = {key: order.card for key, order in found.play.sealed.items()}
    assert sealed == {"red": hand(table, "seat1", "red")[1], "blue": hand(table, "seat1", "blue")[2]}
    assert table.service.queued(table.id, "seat1") == []


def test_steps_of_a_program_may_name_their_power(table):
    read = read_line(Pairs.orders, "FOR blue: IF ambushed STOP", kit())
    assert isinstance(read, Addressed) and isinstance(read.order, Step)
    assert read_line(Pairs.orders, read.text(), kit()).text() == read.text()
    with pytest.raises(Unreadable):
        read_line(Pairs.orders, "STANDING show: FOR pink: SHOW card 01", kit())


def test_examples_in_mails_are_chosen_by_the_verb_behind_the_power():
    lines = [f"FOR red: {verb} {n}" for verb in ("MOVE", "BUY", "BID") for n in range(5)]
    assert {line.split()[2] for line in _examples(lines)} == {"MOVE", "BUY", "BID"}


@pytest.mark.parametrize("lines", [["NEXT", "FOR green: DONE"], ["NEXT", "DONE", "FOR green: SHOW card 01"]])
def test_no_plan_waits_for_the_turn_of_a_power_of_somebody_else(table, lines):
    table.good("seat1", "FOR red: DONE", "FOR blue: DONE")
    answer = table.send("seat1", *lines)
    assert "refused" in [line.state for line in answer.lines]
    assert next(line for line in answer.lines if line.state == "refused").reason.startswith("Green is not yours")
    assert not any("green" in line for line in table.service.queued(table.id, "seat1"))


@pytest.mark.parametrize(
    "line",
    [
        "DONE ALL", "done all", "FOR ALL: DONE", "done for all", "Done for all my powers.", "I'm done for everyone",
        "terminé pour tous", "J'ai fini pour toutes mes puissances", "готово за всех", "Готово для всех моих держав",
    ],
)  # fmt: skip
def test_one_line_is_done_for_all_powers_of_a_seat(table, line):
    checked = table.service.check_line(table.id, "seat1", line)
    assert (checked.state, checked.order) == ("accepted", "DONE ALL")
    answer = table.good("seat1", line)
    assert answer.lines[0].order == "DONE ALL" and open_powers(table, "seat1") == []
    assert "DONE is said for Red and Blue." in (answer.lines[0].text or "")
    assert open_powers(table, "seat2") == ["green", "black"], "the powers of others are asked as before"


def test_of_which_power_nothing_was_asked_is_told(table):
    table.good("seat1", "FOR blue: DONE")
    answer = table.good("seat1", "DONE ALL")
    assert answer.lines[0].text == "DONE is said for Red.\nNothing is asked now of Blue."
    assert open_powers(table, "seat1") == []


@pytest.mark.parametrize("line", ["PASS ALL", "not done for all", "done for all but blue", "is it done for all?"])
def test_what_is_not_done_for_all_does_nothing(table, line):
    answer = table.send("seat1", line)
    assert answer.lines[0].state in ("refused", "unreadable", "told") and open_powers(table, "seat1") == ["red", "blue"]


@pytest.mark.parametrize("lines", [
    ["DONE ALL"], ["FOR red: DONE", "FOR red: DONE"], ["FOR red: DONE", "CANCEL ANSWER", "FOR blue: DONE"],
    ["DONE", "HELP DONE"], ["FOR green: DONE", "FOR red: DONE"],
])  # fmt: skip
def test_lines_for_several_powers_are_checked_as_they_are_answered(table, lines):
    """What one power says closes nothing as long as the other has not said it, so what is below is told as well."""
    checked = table.service.check(table.id, "seat1", lines)
    answer = table.send("seat1", *lines)
    told = [(line.state, line.order, line.reason, line.hints, line.text) for line in answer.lines]
    assert [(line.state, line.order, line.reason, line.hints, line.text) for line in checked.lines] == told
    assert not any(getattr(line, "later", False) for line in checked.lines)
