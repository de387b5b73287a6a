"""25.2: victory points, computed from the board. The track ``vp`` holds them; `settle` brings it up to date."""

from __future__ import annotations

from typing import Any

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.ground import controller, in_unrest
from pbem.games.virgin_queen.powers.majors import EMPIRE, OTTOMAN, PROTESTANT
from pbem.table.facts import RULING
from pbem.table.procedure import Table, while_unchanged

REGIONS = ("netherlands", "france", "england", "scotland")


def keys_of(table: Table, power: str) -> list[str]:
    """The keys that a power controls, those in unrest included."""
    state = table.board.state
    return [key for key, control in atlas(table).key_controls if state.get(control) == power]


def calm_keys(table: Table, power: str) -> list[str]:
    """The keys that a power controls and that are not in unrest: only these leave boxes free (12.4)."""
    return [key for key in keys_of(table, power) if not in_unrest(table, key)]


def protestant_rows(table: Table, *, calm: bool = True) -> tuple[int, int]:
    """23.6: how many keys the Protestant has from the row of the Netherlands, and how many from the other row."""
    keys = calm_keys(table, PROTESTANT) if calm else keys_of(table, PROTESTANT)
    netherlands = [key for key in keys if region_of(table, key) == "netherlands"]
    return len(netherlands), len(keys) - len(netherlands)


def track_row(table: Table, power: str) -> dict[str, Any]:
    """2.4, 6.2, 12.4: cards and VP of the last free box of a power's key track."""
    rows = table.kit.tables["key_tracks"]
    number = len(calm_keys(table, power))
    while number and f"{power}:{number}" not in rows:
        number -= 1
    return rows[f"{power}:{number}"]


def base_cards(table: Table, power: str) -> int:
    """6.2, 23.6: the cards of the deal by keys, at least the minimum."""
    constants = table.kit.constants
    if power == PROTESTANT:
        by_row = constants["pro_cards_by_row"]
        return by_row[min(min(protestant_rows(table)), len(by_row) - 1)]
    return max(constants["minimum_base_cards"], track_row(table, power)["cards"] or 0)


def base(table: Table, power: str) -> int:
    """25.2, 23.6: VP by keys."""
    if power != PROTESTANT:
        return track_row(table, power)["vp"] or 0
    netherlands, others = protestant_rows(table)
    constants = table.kit.constants
    return netherlands * constants["pro_vp_netherlands_key"] + others * constants["pro_vp_other_key"]


# --- religion ---


def region_of(table: Table, space: str) -> str | None:
    """2.3: the religious region of a space; None where religion never turns."""
    region = atlas(table).spaces[space]["region"]
    return region if region in REGIONS else None


@while_unchanged
def protestant_in(table: Table) -> dict[str, int]:
    """Region -> how many of its spaces are Protestant and not in unrest (2.3, 12.4)."""
    state = table.board.state
    numbers = dict.fromkeys(REGIONS, 0)
    for space, row in atlas(table).spaces.items():
        if row["region"] in numbers and state.get(f"religion:{space}") == PROTESTANT and not in_unrest(table, space):
            numbers[row["region"]] += 1
    return numbers


def protestant_spaces(table: Table) -> int:
    """25.1, 25.2: the number on the Protestant Spaces track."""
    return sum(protestant_in(table).values())


def regional(table: Table, region: str, side: str) -> int:
    """How many spaces of a region are of a religion; Protestant ones in unrest do not count."""
    if side == PROTESTANT:
        return protestant_in(table)[region]
    state = table.board.state
    return sum(
        1
        for space, row in atlas(table).spaces.items()
        if row["region"] == region and state.get(f"religion:{space}") == side
    )


def religious_vp(table: Table, power: str, preference: str | None = None) -> int:
    """25.2: VP of the Protestant Spaces card; the Empire's by its preference, once revealed or as given."""
    column: str = power
    if power == EMPIRE:
        preference = preference or table.board.state.get("preference")
        column = f"{EMPIRE}_{preference}"
    number = protestant_spaces(table)
    rows = list(table.kit.tables["protestant_track"].values())
    if column not in rows[0]:
        return 0
    fitting = [row for row in rows if row["low"] <= number]
    return (fitting[-1] if fitting else rows[0])[column] or 0


# --- markers ---


def markers(table: Table, power: str) -> dict[str, int]:
    """The VP markers of a power by name."""
    return table.board.state.get("vp_markers", {}).get(power, {})


def award(table: Table, power: str, name: str, vp: int, **more: Any) -> None:
    """A power gets VP markers of a name, or loses them (a negative number); none without a seat of its own (3.2)."""
    if power not in table.board.seated():
        return
    _hold(table, power, name, vp, **more)
    table.tell("vp_markers", power=power, name=name, number=vp, **more)


def _hold(table: Table, power: str, name: str, vp: int, **more: Any) -> None:
    held = dict(table.board.state.get("vp_markers", {}))
    mine = dict(held.get(power, {}))
    mine[name] = mine.get(name, 0) + vp
    held[power] = {one: number for one, number in sorted(mine.items()) if number}
    table.set("vp_markers", dict(sorted(held.items())), **more)


def give_by_ruling(table: Table, power: str, number: int) -> None:
    """A moderator gives a power VP: a marker of its own, which stays with it. The ruling itself tells of them."""
    if number and power in table.board.seated():
        _hold(table, power, RULING, number)


def special(table: Table, power: str) -> dict[str, int]:
    """Special VP by what they are for."""
    points_of = {"protestant_spaces": religious_vp(table, power)}
    constants = table.kit.constants
    if power == OTTOMAN and controller(table, constants["cyprus_space"]) == OTTOMAN:
        points_of["cyprus"] = constants["cyprus_vp"]
    return points_of


def points(table: Table, power: str) -> int:
    """The VP of a power as the board stands; those of a power without a seat never count (3.2)."""
    return base(table, power) + sum(special(table, power).values()) + sum(markers(table, power).values())


def reasons(table: Table) -> list[dict[str, Any]]:
    """Why the VP of each power stand as they do (`pbem.table.game.Game.reasons`)."""
    entries = []
    for power in table.board.seated():
        of_all = {"keys": base(table, power), **special(table, power), **markers(table, power)}
        why = [{"reason": name, "what": "", "points": number} for name, number in of_all.items() if number]
        entries.append({"power": power, "points": points(table, power), "reasons": why})
    return entries


def settle(table: Table) -> None:
    """Bring the VP track up to date."""
    for power in table.board.seated():
        change = points(table, power) - table.board.value("vp", power)
        table.count("vp", power, change, why="vp", section="25.2")


def uncovers_victory(table: Table, power: str) -> bool:
    """25.1, 23.6: whether a power uncovered its automatic victory by keys, none of them in unrest."""
    keys = keys_of(table, power)
    if not keys or any(in_unrest(table, key) for key in keys):
        return False
    if power == PROTESTANT:
        return protestant_rows(table)[1] >= table.kit.constants["pro_keys_to_win"]
    row = table.kit.tables["key_tracks"].get(f"{power}:{len(keys)}")
    return len(keys) >= table.kit.tables["powers"][power]["square_markers"] or bool(row and row["auto_win"])
