"""20: the Winter phase, in the strict order of its steps (GB-…: those who decide in one step do so at once)."""

from __future__ import annotations

from pbem.games.reformation import homeward, winter_quarters
from pbem.games.reformation.forces import add_units
from pbem.games.reformation.ground import controller, in_unrest
from pbem.games.reformation.marks import set_mark
from pbem.games.reformation.relations import pair
from pbem.games.virgin_queen.court import espionage
from pbem.games.virgin_queen.new_world import ocean, treasures
from pbem.games.virgin_queen.powers import league, majors, minors, ottoman
from pbem.games.virgin_queen.powers.majors import EMPIRE, PROTESTANT, SPAIN
from pbem.games.virgin_queen.sequence import leaders
from pbem.table.asking import choose
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Every turn has a Winter phase."""
    return True


def morisco(table: Table) -> Procedure:
    """20.1."""
    yield from ottoman.morisco_winter(table)


def unused_treasures(table: Table) -> Procedure:
    """20.2: treasures in hand are discarded; those that come home later in this phase stay."""
    treasures.discard_hands(table)
    return
    yield


def ships(table: Table) -> Procedure:
    """20.4: Don John may go ashore; ships return to the nearest port of their own, naval leaders with them."""
    yield from leaders.don_john_ashore(table)
    yield from homeward.ships_return(table)


def land(table: Table) -> Procedure:
    """20.4: land units and army leaders go home; the Protestant may take leaders off the map."""
    yield from winter_quarters.land_units_return(table)
    yield from leaders.off_the_map(table)


def captains(table: Table) -> Procedure:
    """20.4: sea captains."""
    yield from ocean.captains_home(table)


def alliances(table: Table) -> Procedure:
    """20.5: alliances of major powers end; minor powers stay allied, activated ones to who controls them (3.2)."""
    stay = sorted(pair(major, power) for major, power in table.board.played_by.items())
    table.set("allied", stay, why="winter", section="20.5")
    return
    yield


REGULAR, MERCENARIES, FOR_HIRE = "regular", "mercenaries", "for_hire"


def replacements(table: Table) -> Procedure:
    """20.6: a regular in each capital held and calm; the Empire may take two mercenaries or hire some out."""
    for power in table.board.powers:
        if power == EMPIRE:
            yield from _imperial(table)
            continue
        owners = majors.factions(table, power) if power == PROTESTANT else [power]
        for owner in owners:
            for capital in majors.capitals(table, owner):
                if is_open(table, power, capital):
                    number = table.kit.constants["replacement_regulars"]
                    add_units(table, owner, "regular", capital, number, why="winter", section="20.6")


def is_open(table: Table, power: str, capital: str) -> bool:
    """20.6: whether a capital gets a replacement: its power controls it, without unrest (by option with it)."""
    calm = table.options["replacement_in_unrest"] or not in_unrest(table, capital)
    return controller(table, capital) == power and calm


def _imperial(table: Table) -> Procedure:
    """20.6: the Empire chooses; mercenaries for hire need no capital (GB-21: by option no regular is offered)."""
    constants = table.kit.constants
    capital = next((one for one in majors.capitals(table, EMPIRE) if is_open(table, EMPIRE, one)), None)
    among = []
    if capital is not None:
        among = [REGULAR, MERCENARIES] if table.options["empire_replacements"] == "three_ways" else [MERCENARIES]
    if table.board.state["for_hire"] == 0:
        among.append(FOR_HIRE)
    chosen = yield from choose(
        table, EMPIRE, "option", lambda t: among, kind="winter", section="20.6", space=capital, action="replacement"
    )
    if chosen == FOR_HIRE:
        table.set("for_hire", constants["hre_replacement_for_hire"], why="winter", section="20.6")
    elif chosen is not None and capital is not None:
        kind, number = "regular", constants["replacement_regulars"]
        if chosen == MERCENARIES:
            kind, number = "mercenary", constants["hre_replacement_mercenaries"]
        add_units(table, EMPIRE, kind, capital, number, why="winter", section="20.6")


def piracy_and_rows(table: Table) -> Procedure:
    """20.7: piracy markers are removed; Spain takes the treasures of its row, who holds Lisbon one of Portugal's."""
    set_mark(table, "turn", "piracy", None, why="winter", section="20.7")
    if SPAIN in table.board.powers:
        for treasure in treasures.held(table, treasures.SPAIN):
            place = treasures.hand(SPAIN)
            table.card(treasure, treasures.SPAIN, place, to=[SPAIN], why="treasure_row", section="20.7")
    holder = controller(table, table.kit.constants["portuguese_treasure_space"])
    if table.board.state.get("sebastian") and holder in table.board.powers:
        for _ in range(table.kit.constants["portuguese_winter_treasures"]):
            if table.board.piles.get(treasures.PORTUGAL):
                place = treasures.hand(holder)
                table.draw("treasure_row", treasures.PORTUGAL, place, sight=[holder], section="20.7")
    return
    yield


def spies(table: Table) -> Procedure:
    """20.8."""
    yield from espionage.winter(table)


def influence(table: Table) -> Procedure:
    """20.9."""
    yield from minors.reset_influence(table)


def catholic_league(table: Table) -> Procedure:
    """20.10: in the winters of some turns, until it has formed."""
    if table.board.state["turn"] in table.kit.constants["league_turns"] and not table.board.state.get("league"):
        yield from league.winter_test(table)


SEGMENTS = (
    ("morisco", morisco),
    ("treasures", unused_treasures),
    ("loans", homeward.end_loans),
    ("ships", ships),
    ("land", land),
    ("captains", captains),
    ("alliances", alliances),
    ("replacements", replacements),
    ("piracy", piracy_and_rows),
    ("spies", spies),
    ("influence", influence),
    ("league", catholic_league),
)
ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (*winter_quarters.ORDERS, *homeward.ORDERS)
