"""Cards of the treasure fleet and the Armada: 4, 15, 107."""

from __future__ import annotations

from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import number
from pbem.games.virgin_queen.new_world import fleet
from pbem.games.virgin_queen.powers.majors import SPAIN
from pbem.games.virgin_queen.war import armada
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

# --- 4 ---


@event("spanish_armada")
def spanish_armada(table: Table, power: str, moment: Moment) -> Procedure:
    """4: Spain builds the Armada, unless it sails already, and has CP for it, for galleons and naval moves."""
    if armada.why_not_built(table) is None:
        port = yield from choose(table, SPAIN, "space", armada.ports, section="23.2", number=4)
        armada.build(table, port)
    yield from armada.spend_on_armada(table, number(table, 4, "cp"), "sail", "sail_overseas", galleons=True)


@playable("spanish_armada")
def _spanish_armada(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if armada.place(table) else armada.why_not_built(table)


# --- 15 ---


@event("treasure_fleet")
def treasure_fleet(table: Table, power: str, moment: Moment) -> Procedure:
    """15 (mandatory): the Spanish treasure fleet sails (23.2)."""
    yield from fleet.treasure_fleet(table)


# --- 107 ---


@event("armada_indulgence")
def armada_indulgence(table: Table, power: str, moment: Moment) -> Procedure:
    """107: Spain has CP for levels of the Armada and Spanish land units on it."""
    yield from armada.spend_on_armada(table, number(table, 107, "cp"))


@playable("armada_indulgence")
def _armada_indulgence(table: Table, power: str, moment: Moment) -> Refused | None:
    if power != SPAIN:
        return Refused("armada_for_spain", "23.2")
    return None if armada.place(table) else Refused("no_armada", "23.2")
