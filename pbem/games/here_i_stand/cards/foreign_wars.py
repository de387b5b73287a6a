"""The cards of foreign wars (21.7): 92, 93, 110. They lie on the table until the war is over."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event
from pbem.games.here_i_stand.powers import foreign_war
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.cards import Outcome
from pbem.games.reformation.forces import all_of, land_units
from pbem.games.reformation.ground import siege_of
from pbem.table.asking import Moment, choose
from pbem.table.procedure import Procedure, Table

REINFORCERS = ("france", "hapsburg")
"""Who may send a unit of its own to the Irish (93)."""


def _number(table: Table, card: str, name: str) -> int:
    return table.kit.tables["card_numbers"][f"{card}:{name}"]["value"]


def _war(table: Table, card: str, enemies: int) -> Procedure:
    yield from foreign_war.begin(table, card, enemies)
    if table.options["foreign_war_extras"]:
        foreign_war.change_markers(table, table.kit.tables["foreign_wars"][card]["power"], 1)
    return Outcome(fate="table")


@event("revolt_in_egypt")
def revolt_in_egypt(table: Table, power: str, moment: Moment) -> Procedure:
    """92: the Ottoman sends 3 units against 3 Egyptians."""
    return (yield from _war(table, "92", _number(table, "92", "enemy_units")))


@event("war_in_persia")
def war_in_persia(table: Table, power: str, moment: Moment) -> Procedure:
    """110: the Ottoman sends 5 units against 4 Persians."""
    return (yield from _war(table, "110", _number(table, "110", "enemy_units")))


@event("revolt_in_ireland")
def revolt_in_ireland(table: Table, power: str, moment: Moment) -> Procedure:
    """93: England sends 4 units against 3 Irish; 4, if France or the Hapsburg plays it and gives a unit up."""
    enemies = _number(table, "93", "enemy_units")
    if power in REINFORCERS:
        gave = yield from _give_unit_up(table, power)
        if gave:
            enemies = _number(table, "93", "enemy_units_reinforced")
    return (yield from _war(table, "93", enemies))


def _give_unit_up(table: Table, power: str) -> Procedure:
    """93: one own land unit leaves the map, if the player wishes. Value: whether one did."""

    def spaces(table: Table) -> list[str]:
        return [s for s in atlas(table).spaces if land_units(table, s, power) and not siege_of(table, s)]

    space = yield from choose(table, power, "space", spaces, optional=True, section="21.7", number=93)
    if space is None:
        return False
    kind = yield from choose(
        table,
        power,
        "unit",
        lambda t: list(all_of(t, space, power).units.get(power, {})),
        section="21.7",
        number=93,
        space=space,
    )
    table.remove(power, kind, space, 1, why="revolt_in_ireland", section="21.7")
    return True
