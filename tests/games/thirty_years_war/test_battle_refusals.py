"""3.11 of the digest: what is refused of overruns, sieges and sorties where play does not even ask for it, each with
its code, its section and a sentence in every language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.games.thirty_years_war import GAME, pieces, positions
from pbem.games.thirty_years_war.combat import siege, sortie
from pbem.games.thirty_years_war.marching import overrun
from pbem.render.narrative import Teller
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.orders import Refused
from pbem.table.table import Table

KIT = load_kit("thirty_years_war")
P, C = "protestant", "catholic"

GARRISON = ("stack", {"space": "munich", "units": {"bavarian_mercenary": 1}, "leaders": ["tilly"], "inside": True})
OUTSIDE = ("stack", {"space": "munich", "units": {"bavarian_militia": 1}})
VETERANS = ("stack", {"space": "munich", "units": {"swedish_veteran": 2}, "leaders": ["horn"]})
ONE = ("stack", {"space": "munich", "units": {"swedish_veteran": 1}, "leaders": ["horn"]})
MARKER = ("siege", {"space": "munich", "by": P, "value": 0, "since": 0})

Check = Callable[[Table], None]


def marker(space: str = "munich", side: str = P, leader: str | None = "horn") -> Check:
    return lambda table: siege.check_marker(table, space, side, leader=leader)


def assault(side: str = P, leader: str | None = "horn", fought: bool = False) -> Check:
    return lambda table: siege.check_assault(table, "munich", side, leader=leader, fought=fought)


def overruns(points: int) -> Check:
    return lambda table: overrun.check_overrun(table, "munich", P, pieces.units(table, "munich", P), points)


def falls_out(side: str = C) -> Check:
    return lambda table: sortie.check_sortie(table, "munich", side, pieces.stack(table, "munich", side))


CASES: list[tuple[list[Any], Check, str, str]] = [
    ([VETERANS], marker("landshut"), "no_fortress", "13.0"),
    ([VETERANS], marker(side=C), "own_fortress", "13.0"),
    ([VETERANS], marker(leader=None), "no_active_leader", "C 13.12"),
    ([VETERANS, MARKER], marker(), "siege_marker_there", "13.13"),
    ([VETERANS, OUTSIDE], marker(), "enemy_outside_the_walls", "13.11"),
    ([ONE, GARRISON], marker(), "below_siege_level", "13.13"),
    ([VETERANS], assault(), "no_siege_of_yours", "13.21"),
    ([VETERANS, ("siege", {**MARKER[1], "since": 9})], assault(), "siege_marker_is_new", "13.12"),
    ([VETERANS, MARKER], assault(fought=True), "fought_already", "13.12"),
    ([VETERANS, MARKER], assault(leader=None), "no_active_leader", "C 13.12"),
    ([VETERANS], overruns(1), "nobody_to_overrun", "12.63"),
    ([VETERANS, GARRISON], overruns(1), "overrun_inside_walls", "12.63"),
    ([ONE, OUTSIDE], overruns(1), "overrun_too_weak", "12.61"),
    ([VETERANS, OUTSIDE, OUTSIDE], overruns(1), "overrun_odds", "12.61"),
    ([VETERANS, OUTSIDE], overruns(0), "overrun_no_points", "12.61"),
    ([VETERANS, OUTSIDE], falls_out(), "nobody_inside", "13.16"),
    ([VETERANS, GARRISON, MARKER], falls_out(), "sortie_under_siege", "13.16"),
    ([GARRISON], falls_out(), "nobody_masks", "13.16"),
]


def table_with(position: list[Any]) -> Table:
    """A table in its third activation, with nothing on the map but this."""
    table = Table(Board(GAME.id, [P, C]), KIT, game=GAME)
    GAME.set_up(table, "campaign")
    table.set("activation", 3)
    positions.arrange(table, "empty", True)
    for name, value in position:
        positions.arrange(table, name, value)
    return table


@pytest.mark.parametrize(("position", "check", "code", "section"), CASES, ids=[case[2] for case in CASES])
def test_it_is_refused(position: list[Any], check: Check, code: str, section: str) -> None:
    table = table_with(position)
    with pytest.raises(Refused) as refused:
        check(table)
    assert (refused.value.code, refused.value.section) == (code, section)
    told = [Teller(KIT, language).refusal(refused.value) for language in ("en", "fr", "ru")]
    assert len(set(told)) == 3 and not any(said.startswith(code.replace("_", " ")) for said in told)


def test_eight_against_two_is_an_overrun() -> None:
    overruns(1)(table_with([VETERANS, OUTSIDE]))
