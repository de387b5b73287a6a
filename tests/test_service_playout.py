"""Random play through the service: each game, with each number of players, for so many answers as there is time for."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from pbem import games
from pbem.campaign import course
from pbem.campaign.acts import Act
from pbem.campaign.live import Live
from pbem.cli import main
from pbem.games.reformation.order_watch import OrderWatch as ImpulseWatch
from pbem.games.struggle_of_empires.order_watch import OrderWatch as TableWatch
from pbem.service_playout import play_through
from pbem.table.kit import load_kit
from tests import toy

ANSWERS = {"here_i_stand": 90, "struggle_of_empires": 60, "virgin_queen": 90}
IMPULSE_ORDER = ["ottoman", "hapsburg", "england", "france", "papacy", "protestant"]
"""Here I Stand, 7: as the rulebook prints it."""

games.register(toy.GAME)


@pytest.mark.parametrize(
    ("game", "seats"),
    [("here_i_stand", n) for n in range(3, 7)]
    + [("struggle_of_empires", n) for n in range(2, 8)]
    + [("virgin_queen", n) for n in range(2, 7)],
)
def test_campaigns_go_on_through_deadlines_and_restarts_and_nobody_sees_too_much(game: str, seats: int):
    record = play_through(game, load_kit(game), 0, seats, 7, limit=ANSWERS[game], restarts=0.06)
    assert record.failure is None, "\n".join([record.failure or "", *record.acts[-5:]])
    assert record.answers == ANSWERS[game] and record.restarts and record.expiries
    assert record.turns_watched > 10, "the order of play was not seen"


@pytest.mark.parametrize("scenario", load_kit("thirty_years_war").scenarios)
def test_campaigns_of_each_scenario_of_thirty_years_war_go_on_as_well(scenario: str):
    record = play_through("thirty_years_war", load_kit("thirty_years_war"), 0, 2, 7, scenario=scenario, limit=60)
    assert record.failure is None, "\n".join([record.failure or "", *record.acts[-5:]])
    assert record.over or record.answers == 60
    assert record.turns_watched > 3, "the order of play was not seen"


def test_a_campaign_of_the_toy_is_played_to_its_end():
    record = play_through("toy", toy.kit(), 0, 3, 1)
    assert record.failure is None and record.over and len(record.results) == 3


def test_the_same_seed_plays_the_same_campaign_whenever_another_process_takes_over():
    first, other = (play_through("toy", toy.kit(), 4, 3, 1) for _ in range(2))
    assert first.acts == other.acts and first.results == other.results


@pytest.mark.parametrize("watched", [True, False])
def test_a_campaign_that_is_played_in_the_order_of_its_seats_is_found(monkeypatch: pytest.MonkeyPatch, watched: bool):
    by_seats = lambda live: [p for held in live.campaign.seats.values() for p in held["powers"]]  # noqa: E731
    if watched:  # played so, and nobody puts it right
        monkeypatch.setattr(Live, "play_order", by_seats)
    else:  # begun so, and put right
        start = course.start

        def old(act: Act) -> None:
            with monkeypatch.context() as then:
                then.setattr(Live, "play_order", by_seats)
                start(act)

        monkeypatch.setattr(course, "start", old)
    failures = [play_through("here_i_stand", load_kit("here_i_stand"), 0, 3, 7, limit=60).failure or ""]
    assert any("it is the turn of" in f or "in this order" in f or "a wrong order of play" in f for f in failures)


def test_what_watches_here_i_stand_knows_the_impulse_order_of_the_rulebook():
    watch = ImpulseWatch(load_kit("here_i_stand"), sorted(IMPULSE_ORDER))
    assert watch.order == IMPULSE_ORDER
    fewer = ImpulseWatch(load_kit("virgin_queen"), ["protestant", "france", "spain"])
    assert fewer.order == ["spain", "france", "protestant"], "3.1, 3.2: powers without a seat have no impulse"

    def active(*powers: str | None) -> str | None:
        return watch.see([{"fact": "state", "name": "active", "before": None, "after": p} for p in powers], [])

    phase = {"fact": "state", "name": "phase", "before": "spring", "after": "action"}
    assert watch.see([phase], []) is None and active(*IMPULSE_ORDER, *IMPULSE_ORDER[:2]) is None
    assert watch.see([], [("impulse", "hapsburg")]) is None and watch.see([], [("impulse", "papacy")])
    assert active("france") == "in action france is active after hapsburg; it is the turn of england"
    assert watch.see([phase], []) is None and active("hapsburg")
    assert watch.see([], [("war", "england"), ("war", "papacy")]) is None
    told = [{"fact": "happened", "what": "declaration", "power": power} for power in ("france", "england")]
    assert watch.see([told[0], told[0]], []) is None
    assert watch.see([told[1]], []) == "declaration of england comes after that of france"
    assert watch.see([told[0], {**phase, "name": "segment"}, told[1]], []) is None
    assert "in this order" in (watch.see([], [("war", "papacy"), ("war", "england")]) or "")


def test_what_watches_a_game_follows_powers_that_come_into_play_and_leave_it():
    watch = ImpulseWatch(load_kit("virgin_queen"), (power for power in ("spain", "england")))

    def active(power: str) -> str | None:
        return watch.see([{"fact": "state", "name": "active", "before": None, "after": power}], [])

    def players(*powers: str) -> str | None:
        return watch.see([{"fact": "players", "before": {}, "after": {"powers": list(powers), "played_by": {}}}], [])

    watch.see([{"fact": "state", "name": "phase", "before": "spring", "after": "action"}], [])
    assert active("spain") is None and players("ottoman", "spain", "england") is None
    assert active("england") is None and active("ottoman") is None
    assert players("spain", "england") is None and active("spain") is None
    assert active("spain") == "in action spain is active after spain; it is the turn of england"


def test_what_watches_struggle_of_empires_knows_the_seats_and_the_boxes():
    def state(name: str, after: object) -> dict[str, object]:
        return {"fact": "state", "name": name, "before": None, "after": after}

    def watch() -> TableWatch:
        return TableWatch([["spain"], ["russia"], ["britain"], ["austria"]])

    placed = {"fact": "happened", "what": "placed"}
    at_first = [state("first_player", "britain"), {**placed, "power": "britain"}]
    assert watch().see([*at_first, {**placed, "power": "austria"}, {**placed, "power": "spain"}], []) is None
    assert watch().see([*at_first, {**placed, "power": "russia"}], []) == "russia acts at the turn of austria"
    assert watch().see(at_first, [("placement", "spain")]) == "spain is asked (placement); it is the turn of austria"
    boxes = [state("alliance_top", ["spain", "austria"]), state("alliance_bottom", ["britain", "russia"])]
    order = ["spain", "britain", "austria", "russia"]
    assert watch().see([*boxes, state("turn_order", order)], []) is None
    assert "the alliances say spain, britain" in (watch().see([*boxes, state("turn_order", order[::-1])], []) or "")
    rounds = [*boxes, state("turn_order", order), state("phase", "actions"), state("active", "spain")]
    assert watch().see([*rounds, state("active", "britain")], []) is None
    out = watch().see([*rounds, state("active", "russia")], [])
    assert out == "russia has the turn after spain; it is that of britain"
    opener = {"fact": "happened", "what": "auction", "opener": "austria"}
    bid = state("proposal", {"bidder": "spain", "bid": 1})
    assert watch().see([opener, bid], []) == "spain acts at the turn of austria"


def test_the_command_plays_campaigns_and_tells_where_one_broke(tmp_path, monkeypatch: pytest.MonkeyPatch):
    arguments = ["playout", "struggle_of_empires", "--seats", "2", "--games", "1", "--service", "--limit", "12"]
    done = CliRunner().invoke(main, [*arguments, "--failures", str(tmp_path)])
    assert done.exit_code == 0 and "1 passed, 0 failed: 12 answers" in done.output, done.output
    room = type(games.find_game("struggle_of_empires"))
    monkeypatch.setattr(room, "faults", lambda self, table: ["a broken promise"])
    broken = CliRunner().invoke(main, [*arguments, "--failures", str(tmp_path)])
    assert broken.exit_code == 1 and "FAIL seed" in broken.output and "a broken promise" in broken.output
    (way,) = tmp_path.glob("*.txt")
    assert "ACCEPT INVITATION" in way.read_text() and "FAIL Broken: a broken promise" in way.read_text()
    assert CliRunner().invoke(main, [*arguments[:-3], "--limit", "3"]).exit_code == 2
    assert CliRunner().invoke(main, [*arguments, "--fast"]).exit_code == 2
