"""8.4, 17.4: colonies: what they bring in the Card Draw phase. Building them is in `ocean`."""

from __future__ import annotations

from pbem.games.virgin_queen.court.results import result
from pbem.games.virgin_queen.new_world import captains, treasures
from pbem.games.virgin_queen.new_world.captains import CAPTAIN
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import choose
from pbem.table.board import SUPPLY
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def colonies_of(table: Table, power: str) -> list[str]:
    """The villages with a colony of a power, in the order of the kit."""
    return [
        village
        for village in table.kit.tables["villages"]
        if any(colony.split(":")[1] == power for colony in captains.colonies_at(table, village))
    ]


def roll(table: Table) -> Procedure:
    """8.4: two dice for each colony, power by power in impulse order."""
    for power in table.board.powers:
        for village in colonies_of(table, power):
            yield from _roll_for(table, power, village)


def roll_modifier(table: Table, power: str, village: str) -> int:
    """8.4: the bonus Plantation; a captain who winters here or brought the colony may have one too."""
    modifier: int = 0
    if table.board.state.get("science", {}).get("plantation") == power:
        modifier += table.kit.constants["colony_plantation"]
    colony = captains.colonies_at(table, village)[0]
    helpers = dict.fromkeys([*captains.abroad(table, power, village)])
    brought_by = table.board.pieces[colony].get("brought_by")
    if brought_by:
        helpers[brought_by] = None
    return modifier + sum(captains.bonus(table, captain, "colony_roll", 0) for captain in helpers)


def _roll_for(table: Table, power: str, village: str) -> Procedure:
    colony = captains.colonies_at(table, village)[0]
    if table.board.pieces[colony].get("rests") == table.board.state["turn"]:
        return
    column = table.kit.tables["villages"][village]["colony_column"]
    modifier = roll_modifier(table, power, village)
    number = table.kit.constants["colony_dice"]
    thrown = table.roll("colony", power, number, village=village, modifier=modifier, section="8.4")
    total = sum(thrown) + modifier
    outcome = result(table, "colony", total, column)
    table.tell("colony", power=power, village=village, total=total, result=list(outcome), section="8.4")
    if "eliminated" in outcome:
        table.put(colony, SUPPLY, why="colony", section="8.4")
        for captain in captains.abroad(table, place=village):
            yield from put_to_sea(table, captain, village)
    if "treasure" in outcome:
        treasures.draw(table, power, 1, why="colony", section="8.4")
    if "virginia_dare" in outcome:
        vp = table.kit.constants["virginia_dare_vp"]
        score.award(table, power, "virginia_dare", vp, section="8.4")


def put_to_sea(table: Table, captain: str, village: str) -> Procedure:
    """8.4: a captain whose colony is gone lies in a zone that touches the village; his power chooses among several."""
    power = captains.power_of(table, captain) or ""
    zone = yield from choose(
        table,
        power,
        "ocean",
        lambda table: captains.zones_of(table, village),
        kind="voyage",
        section="8.4",
        captain=captain,
        step="put_to_sea",
    )
    table.shift(CAPTAIN + captain, zone, why="colony", section="8.4")


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = ()
