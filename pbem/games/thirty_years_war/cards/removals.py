"""The cards that take pieces off the map or lay land waste: C2, C13 and P8."""

from __future__ import annotations

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import more_loot, nations_of, number, place, row
from pbem.games.thirty_years_war.cards.orders import choose_spaces
from pbem.games.thirty_years_war.combat import losses
from pbem.games.thirty_years_war.map import atlas, other
from pbem.games.thirty_years_war.politics import nations
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

SECTION = "8.6"


def english_on_the_map(table: Table, side: str, card: str) -> Refused | None:
    """C2: a unit of the nation of the card is on the map."""
    there = [piece for nation in nations_of(table, card) for piece in pieces.on_map(table, nation=nation)]
    return None if there else Refused("no_unit_of_the_nation", "17.E.3", card=card, nations=nations_of(table, card))


@event("england_withdraws_troops", when=english_on_the_map)
def england_withdraws_troops(table: Table, side: str, card: str) -> None:
    """C2: the English units leave the game; English aid goes on (17.E.3)."""
    for nation in nations_of(table, card):
        nations.leave_the_game(table, nation, why=card, section="17.E.3")


def anhalt_may_desert(table: Table, side: str, card: str) -> Refused | None:
    """C13: the leader of the card is on the map, and the Catholic holds a space of its region."""
    leader, region = row(table, card)["leaders"][0], place(table, card)
    if pieces.where(table, pieces.leader_piece(table, leader)) not in atlas(table).spaces:
        return Refused("leader_not_on_the_map", SECTION, card=card, leader=leader)
    if not control.held_spaces(table, region, side):
        return Refused("no_space_of_the_region", SECTION, card=card, region=region)
    return None


@event("discretion_over_valor", when=anhalt_may_desert)
def discretion_over_valor(table: Table, side: str, card: str) -> None:
    """C13: Anhalt deserts; nobody takes his place."""
    leader = pieces.leader_piece(table, row(table, card)["leaders"][0])
    pieces.eliminate(table, leader, why=card, section=SECTION)


@event("ottoman_turks_raid_imperial_borders")
def ottoman_turks_raid_imperial_borders(table: Table, side: str, card: str) -> Procedure:
    """P8: different spaces of Austria and Hungary go up in loot, and Imperial units there lose a step each."""
    borders = [space for region in row(table, card)["places"] for space in atlas(table).spaces_of[region]]
    most = number(table, card, "spaces")
    spaces = yield from choose_spaces(
        table, side, lambda table: borders, kind="event_raid", least=most, most=most, section=SECTION, card=card
    )
    enemy = other(side)
    for space in spaces:
        more_loot(table, space, number(table, card, "loot"), why=card)
        hit = [u for u in pieces.units(table, space, enemy) if pieces.nation_of(table, u) in nations_of(table, card)]
        if hit:
            yield from losses.lose_steps(
                table, enemy, hit, number(table, card, "steps"), space=space, why="raid", section=SECTION
            )
