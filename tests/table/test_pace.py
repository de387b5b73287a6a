"""Random games under simulated reply times: the same seed gives the same times; standing orders and programs save."""

from __future__ import annotations

import random
from statistics import median

import pytest
from click.testing import CliRunner

from pbem import cli, games
from pbem.table.conditions import program_kinds
from pbem.table.kit import load_kit
from pbem.table.pace import Pace, Replies, Simulation, Turn, medians, sensible, shares, simulate
from pbem.table.questions import NoDefault, Question
from tests import toy

PROMPT = Replies(median_hours=10.0, spread=0.0, slow=0.0)
"""Everybody answers after ten hours sharp."""


def run(standing: bool, replies: Replies = PROMPT, seed: int = 5, game: object = toy.GAME, **more: float) -> Pace:
    seats = [["red"], ["blue"], ["green"]]
    made = Simulation(
        game, toy.kit(), seats, seed, scenario="standard", replies=replies, standing=standing, **more  # type: ignore[arg-type]
    )  # fmt: skip
    return made.run()


def test_every_wait_is_counted_with_its_hours() -> None:
    found = run(standing=False)
    assert found.failure is None and [turn.number for turn in found.turns][:3] == [0, 1, 2]
    for turn in found.turns[:3]:
        waits = turn.kinds
        assert waits["negotiation"] == waits["show"] == 1 and waits["march"] <= 1, "a march may be of a program"
        # talks last 48 hours; who is asked together thinks together, in ten hours; the march is another ten
        assert turn.hours == 48 + 10 * (turn.trips - 1)
        assert turn.trips == sum(waits.values()) and turn.hours == sum(turn.hours_of.values())


def test_standing_orders_answer_at_once() -> None:
    without, with_them = run(standing=False), run(standing=True)
    assert any(turn.kinds["ambush"] for turn in without.turns)
    assert not any(turn.kinds["ambush"] for turn in with_them.turns)
    assert sum(turn.saved for turn in with_them.turns) > 0


def test_a_program_answers_its_own_turn_but_not_its_beginning() -> None:
    made = Simulation(toy.GAME, toy.kit(), [["red"], ["blue"], ["green"]], 5, scenario="standard")
    question = Question("red", "march", [toy.March, toy.Decline])
    assert made._by_program(question) is None, "no program runs"
    made.game.set_up(made.table, "standard")
    made.program = made.seat_of("red")
    assert made._by_program(question) is not None
    assert made._by_program(Question("blue", "march", [toy.Decline])) is None
    assert made._by_program(Question("red", "negotiation", [toy.Done])) is None, "the first kind begins a turn"
    assert made._by_program(Question("red", "ambush", [toy.Decline])) is None


def test_a_program_sent_ahead_costs_what_the_others_did_not_take() -> None:
    made = Simulation(toy.GAME, toy.kit(), [["red"]], 5, scenario="standard", replies=PROMPT, foreseen=1.0)
    made.hours, made.ended = 30.0, {"seat1": 24.0}
    assert made._reply("seat1", is_ahead=True) == 4, "six of its ten hours of thought passed while others played"
    assert made._reply("seat1", is_ahead=False) == 10, "only what begins a turn is sent ahead"
    made.ended = {"seat1": 19.0}
    assert made._reply("seat1", is_ahead=True) == 0
    made.foreseen = 0.0
    assert made._reply("seat1", is_ahead=True) == 10


@pytest.mark.parametrize(("game", "seats"), [("struggle_of_empires", 3), ("thirty_years_war", 2)])
def test_a_turn_of_several_actions_begins_as_the_game_says_and_one_mail_goes_on(game: str, seats: int) -> None:
    """Of a turn of two actions in Struggle of Empires only the first can be sent ahead, and one mail can hold both."""
    kit, room = load_kit(game), games.find_game(game)
    scenario = next(iter(kit.scenarios))
    held = room.seats(kit, scenario, seats, {}) or [[power] for power in room.powers(kit, scenario)[:seats]]
    made = Simulation(room, kit, held, 5, scenario=scenario, replies=PROMPT, options=kit.settings({}))
    first = program_kinds(kit)[0]
    began, went_on = 0, 0
    answer = made._by_program

    def counted(question: Question) -> object:
        nonlocal began, went_on
        found = answer(question)
        if question.kind == first:
            began += made._begins(question)
            went_on += found is not None
            assert not (made._begins(question) and found is not None)
        return found

    made._by_program = counted  # type: ignore[method-assign,assignment]
    made.run()
    assert began > 0 and (went_on > 0) == (game == "struggle_of_empires")


def test_silence_answers_at_the_deadline() -> None:
    late = Replies(median_hours=1000.0, spread=0.0, slow=0.0)
    found = run(standing=False, replies=late)
    for turn in found.turns[:3]:
        assert turn.hours_of["show"] == turn.hours_of["march"] == 72, "the kit's time, not the player's"
        assert turn.kinds["ambush"] == 0, "silence marches nowhere"


def test_what_silence_does_not_answer_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def held(self: Question, table: object) -> object:
        raise NoDefault(self.kind)

    monkeypatch.setattr(Question, "default_answer", held)
    found = run(standing=False, replies=Replies(median_hours=1000.0, spread=0.0, slow=0.0))
    assert found.failure is None and found.turns[0].hours_of["show"] == 1000


def test_the_same_seed_gives_the_same_times_and_another_does_not() -> None:
    first, same, other = (run(False, Replies(), seed) for seed in (1, 1, 2))
    assert first == same and first.turns != other.turns


def test_reply_times_have_their_median_and_some_players_are_slow() -> None:
    replies, chance = Replies(), random.Random(7)
    times = [replies.draw(10.0, chance) for _ in range(4001)]
    assert 9.3 < median(times) < 10.7 and min(times) > 0 and max(times) > 60
    paces = replies.paces([f"seat{n}" for n in range(1, 7)], random.Random(3))
    assert sorted(paces.values()) == [10, 10, 10, 10, 25, 25]


def test_a_defect_of_the_rules_ends_a_game_and_keeps_its_turns() -> None:
    class Broken(toy.Toy):
        def next_step(self, table):  # type: ignore[no-untyped-def]
            if table.board.state["round"] == 2:
                raise KeyError("a defect")
            return super().next_step(table)

    found = run(standing=False, game=Broken())
    assert [turn.number for turn in found.turns] == [0], "the turn that broke off is not counted"
    assert found.failure == "KeyError: 'a defect'"


def test_medians_and_shares() -> None:
    def turn(number: int, hours: float, **kinds: int) -> Turn:
        made = Turn(number, hours, sum(kinds.values()))
        made.kinds.update(kinds)
        made.hours_of.update(dict.fromkeys(kinds, 24))
        return made

    paces = [Pace(1, [turn(1, 48.0, a=2), turn(2, 24.0, b=1)]), Pace(2, [turn(1, 96.0, a=4)])]
    assert [(t.number, t.games, t.trips, t.days) for t in medians(paces)] == [(1, 2, 3.0, 3.0), (2, 1, 1.0, 1.0)]
    assert shares(paces) == [("a", 2.0, 2 / 3), ("b", 1 / 3, 1 / 3)]
    assert shares([]) == [] and medians([]) == []


def test_the_sensible_ready_made_orders_of_here_i_stand_can_all_be_read() -> None:
    kit = load_kit("here_i_stand")
    found = sensible(kit)
    assert {"interception", "withdrawal", "losses"} <= {entry.kind for entry in found}
    assert {entry.kind for entry in found} <= set(kit.times)


def test_the_command_prints_its_tables() -> None:
    arguments = ["playout", "struggle_of_empires", "--seats", "3", "--games", "1", "--pace"]
    first = CliRunner().invoke(cli.main, arguments)
    assert first.exit_code == 0, first.output
    assert all(title in first.output for title in cli._PACES)
    assert "auction" in first.output and "broke off" not in first.output
    assert CliRunner().invoke(cli.main, arguments).output.splitlines()[-3:] == first.output.splitlines()[-3:]
    wrong = CliRunner().invoke(cli.main, [*arguments, "--option", "no_such=1"])
    assert wrong.exit_code == 2 and "there is no option" in wrong.output


def test_a_series_draws_who_sits_where() -> None:
    found = [simulate(toy.GAME, toy.kit(), number, 3, 1) for number in range(2)]
    assert found[0].seed != found[1].seed and all(one.failure is None for one in found)
    assert all([turn.number for turn in one.turns] == [0, 1, 2, 3] for one in found), "the game counts its turns"
