"""23.2: victory points, always computed from the board. The track ``vp`` holds them; `settle` brings it up to date."""

from __future__ import annotations

from typing import Any

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.ground import controller, in_unrest, religion
from pbem.table.facts import RULING
from pbem.table.procedure import Table, while_unchanged

BONUS_TRACKS = ("bonus_vp", "war_winner_vp")
"""Tracks of VP markers that stay with a power, 1 VP each."""

HAPSBURG, PROTESTANT, PAPACY, ENGLAND = "hapsburg", "protestant", "papacy", "england"


def keys_of(table: Table, power: str) -> list[str]:
    """The keys that a power controls, those in unrest included."""
    state = table.board.state
    return [key for key, control in atlas(table).key_controls if state.get(control) == power]


def track_row(table: Table, power: str) -> dict[str, int]:
    """2.4, 6.2, 12.4: cards and VP of the last free box; each key in unrest covers one more."""
    rows = table.kit.tables["key_tracks"]
    number = len([key for key in keys_of(table, power) if not in_unrest(table, key)])
    while number and (f"{power}:{number}" not in rows or rows[f"{power}:{number}"]["vp"] is None):
        number -= 1
    return rows[f"{power}:{number}"]


def electorates(table: Table) -> list[str]:
    """The six electorates."""
    return list(atlas(table).electorates)


def protestant_spaces(table: Table, *, in_unrest_too: bool = False) -> int:
    """How many spaces are Protestant; those in unrest do not count (12.4) but for the league (21.6)."""
    state = table.board.state
    spaces = _of_protestant_religion(table)
    return len(spaces if in_unrest_too else [space for space in spaces if f"unrest:{space}" not in state])


@while_unchanged
def _of_protestant_religion(table: Table) -> tuple[str, ...]:
    return tuple(
        name[9:] for name, side in table.board.state.items() if side == "protestant" and name.startswith("religion:")
    )


def english_home_protestant(table: Table) -> int:
    """How many English home spaces are Protestant and not in unrest."""
    return sum(
        1
        for space in atlas(table).homes[ENGLAND]
        if religion(table, space) == "protestant" and not in_unrest(table, space)
    )


def base(table: Table, power: str) -> int:
    """Base VP: the key track; for the Protestant, electorates Protestant in religion and control, without unrest."""
    if power != PROTESTANT:
        return track_row(table, power)["vp"] or 0
    each = table.kit.constants["electorate_vp_protestant"]
    return each * sum(
        1
        for space in electorates(table)
        if controller(table, space) == PROTESTANT
        and religion(table, space) == "protestant"
        and not in_unrest(table, space)
    )


def special(table: Table, power: str) -> dict[str, int]:
    """Special VP by what they are for: piracy, electorates, heirs and home spaces, chateaux, St. Peter's, and the
    Protestant Spaces track."""
    board, constants = table.board, table.kit.constants
    points = {track: board.value(track, power) for track in ("piracy_vp", "chateaux_vp", "st_peters_vp")}
    if power == HAPSBURG and board.state.get("league"):
        points["electorates"] = constants["electorate_vp_hapsburg"] * sum(
            1 for space in electorates(table) if controller(table, space) == HAPSBURG and not in_unrest(table, space)
        )
    if power in (PAPACY, PROTESTANT):
        track = table.kit.tables["protestant_track"]
        row = track[str(min(protestant_spaces(table), len(track) - 1))]
        points["protestant_spaces"] = row[f"{power_column(power)}_vp"] or 0
    if power == ENGLAND:
        spaces, each = english_home_protestant(table), constants["english_spaces_a_vp"]
        up = table.options["english_spaces_rounding"] == "up"
        points["english_spaces"] = (spaces + each - 1) // each if up else spaces // each
        if "edward" in board.state["heirs"]:
            points["edward"] = constants["edward_vp"]
        elif "elizabeth" in board.state["heirs"]:
            points["elizabeth"] = constants["elizabeth_vp"]
    return points


def power_column(power: str) -> str:
    """The column of the Protestant Spaces track for a power."""
    return {"papacy": "papal", "protestant": "protestant"}[power]


def bonus(table: Table, power: str) -> dict[str, int]:
    """Bonus VP by what they are for: markers held, discoveries and conquests (their piece is at the power)."""
    points = {track: table.board.value(track, power) for track in BONUS_TRACKS}
    for discovery, row in table.kit.tables["discoveries"].items():
        piece = table.board.pieces.get(f"discovery:{discovery}")
        if piece and piece["at"] == power:
            points[f"discovery:{discovery}"] = row["vp"]
    return points


def points(table: Table, power: str) -> int:
    """The VP of a power as the board stands."""
    return base(table, power) + sum(special(table, power).values()) + sum(bonus(table, power).values())


def reasons(table: Table) -> list[dict[str, Any]]:
    """Why the VP of each power stand as they do (`pbem.table.game.Game.reasons`)."""
    entries = []
    for power in table.board.powers:
        first = "electorates" if power == PROTESTANT else "keys"
        of_all = {first: base(table, power), **special(table, power), **bonus(table, power)}
        why = [
            {"reason": name.partition(":")[0], "what": name.partition(":")[2], "points": number}
            for name, number in of_all.items()
            if number
        ]
        entries.append({"power": power, "points": points(table, power), "reasons": why})
    return entries


def settle(table: Table) -> None:
    """Bring the VP track up to date."""
    for power in table.board.powers:
        change = points(table, power) - table.board.value("vp", power)
        table.count("vp", power, change, why="vp", section="23.2")


def give_by_ruling(table: Table, power: str, number: int) -> None:
    """A moderator gives a power VP: they are bonus VP, which stay with it."""
    table.count("bonus_vp", power, number, why=RULING)


def uncovers_victory(table: Table, power: str) -> bool:
    """23.1: whether a power uncovered its automatic victory, with no key in unrest."""
    number = len(keys_of(table, power))
    entry = table.kit.tables["key_tracks"].get(f"{power}:{number}")
    most = table.kit.tables["powers"][power]["square_markers"]
    if not number or (number < most and not (entry and entry["auto_win"])):
        return False
    return most > 0 and all(not in_unrest(table, key) for key in keys_of(table, power))
