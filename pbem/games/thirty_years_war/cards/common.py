"""What the texts of many cards need: their amounts and names, which the kit holds, and who may be named.

Amounts stand in the kit's ``card_numbers``, names in columns of ``cards``, the pieces that a card brings in
``card_forces``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.map import atlas, other
from pbem.games.thirty_years_war.politics import nations
from pbem.table.orders import Refused
from pbem.table.procedure import Table
from pbem.table.table import while_unchanged


def number(table: Table, card: str, name: str) -> int:
    """An amount of a card's text. Raises `KeyError`."""
    return table.kit.tables["card_numbers"][f"{card}:{name}"]["value"]


def row(table: Table, card: str) -> Mapping[str, Any]:
    """What the kit says of a card: its value and aid lines, and the places, leaders, nations and cards of its text."""
    return table.kit.tables["cards"][card]


def place(table: Table, card: str) -> str:
    """The one region or space that a card's text names."""
    return row(table, card)["places"][0]


def nations_of(table: Table, card: str) -> list[str]:
    """The nations that a card's text names."""
    return list(row(table, card)["nation"])


def forces(table: Table, card: str) -> tuple[list[str], dict[str, int]]:
    """What a card brings, in the order of its text: leaders, and kinds of unit with how many of each."""
    leaders: list[str] = []
    units: dict[str, int] = {}
    for brought in table.kit.tables["card_forces"].values():
        if brought["card"] == card and brought["piece"] in table.kit.tables["units"]:
            units[brought["piece"]] = brought["count"]
        elif brought["card"] == card:
            leaders.append(brought["piece"])
    return leaders, units


# --- conditions that several cards share ---


def events_it_hangs_on(table: Table, card: str) -> Refused | None:
    """8.6: an event that a card needs and that has not happened, or one that bars it and has; None where none is."""
    for needed in row(table, card)["needs"]:
        if not nations.happened(table, needed):
            return Refused("event_is_needed", "8.6", card=card, event=needed)
    for barring in row(table, card)["barred_by"]:
        if nations.happened(table, barring):
            return Refused("event_bars_it", "8.6", card=card, event=barring)
    return None


@while_unchanged
def free_of_enemies(table: Table, side: str) -> Sequence[str]:
    """The spaces where no enemy unit stands in the open, in the order of the kit."""
    return [
        space for space in atlas(table).spaces if not pieces.units(table, space, other(side), inside=False)
    ]


def without_units_of(table: Table, spaces: Sequence[str], side: str) -> list[str]:
    """Of some spaces those where a side has no unit, within walls or without."""
    return [space for space in spaces if not pieces.units(table, space, side)]


def more_loot(table: Table, space: str, levels: int, *, why: str) -> None:
    """15.221: a space goes up so many loot levels, to the highest at most."""
    highest = table.kit.constants["highest_loot"]
    control.set_loot(table, space, min(highest, control.loot(table, space) + levels), why=why, section="15.221")
