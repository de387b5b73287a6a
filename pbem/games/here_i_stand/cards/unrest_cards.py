"""The cards of unrest (12.4) and of revolt: 64, 71, 72, 80, 82."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number, occupied, unrest_on
from pbem.games.here_i_stand.religion.conversion import zone_of
from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.card_help import others_first
from pbem.games.reformation.city_rebels import city_rebels
from pbem.games.reformation.forces import (
    add_units,
    has_enemy_land,
)
from pbem.games.reformation.ground import (
    INDEPENDENT,
    controller,
    home_of,
    home_spaces,
    in_unrest,
    is_friendly,
    kind_of,
    siege_of,
)
from pbem.games.reformation.relations import allied, enemies_of, major_of
from pbem.games.reformation.rules import rules
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN, HAPSBURG, ENGLAND, FRANCE = "ottoman", "hapsburg", "england", "france"


# --- 64, 80, 82: unrest in the home spaces of a power ---


def _calm_spaces(table: Table, owner: str) -> list[str]:
    return [s for s in home_spaces(table, owner) if not in_unrest(table, s) and not occupied(table, s)]


def _why_no_unrest(table: Table, owner: str) -> Refused | None:
    if _calm_spaces(table, owner):
        return None
    return Refused("no_calm_home_space", power=owner)


@event("pilgrimage_of_grace")
def pilgrimage_of_grace(table: Table, power: str, moment: Moment) -> Procedure:
    """64: unrest on up to 5 English home spaces (12.4)."""
    yield from unrest_on(table, power, number(table, 64, "unrest"), home_spaces(table, ENGLAND), up_to=True, card=64)


@playable("pilgrimage_of_grace")
def _pilgrimage_of_grace(table: Table, power: str, moment: Moment) -> Refused | None:
    return _why_no_unrest(table, ENGLAND)


@event("gabelle_revolt")
def gabelle_revolt(table: Table, power: str, moment: Moment) -> Procedure:
    """80: unrest on up to 2 French home spaces (12.4)."""
    yield from unrest_on(table, power, number(table, 80, "unrest"), home_spaces(table, FRANCE), up_to=True, card=80)


@playable("gabelle_revolt")
def _gabelle_revolt(table: Table, power: str, moment: Moment) -> Refused | None:
    return _why_no_unrest(table, FRANCE)


@event("janissaries_rebel")
def janissaries_rebel(table: Table, power: str, moment: Moment) -> Procedure:
    """82: unrest on up to 2 Ottoman home spaces, on 4 if the Ottoman is at war with no major power (12.4)."""
    at_peace = not any(enemy in table.board.powers for enemy in enemies_of(table.board, OTTOMAN))
    many = number(table, 82, "unrest_at_peace" if at_peace else "unrest")
    yield from unrest_on(table, power, many, home_spaces(table, OTTOMAN), up_to=True, card=82)


@playable("janissaries_rebel")
def _janissaries_rebel(table: Table, power: str, moment: Moment) -> Refused | None:
    return _why_no_unrest(table, OTTOMAN)


# --- 72: Cloth Prices Fluctuate ---


def _trade_flourishes(table: Table) -> bool:
    """72: England controls Calais, the Hapsburg Antwerp."""
    return all(controller(table, space) == power for power, space in table.kit.constants["cloth_trade"].items())


def _halves_of_cloth(table: Table) -> list[str]:
    return ["trade", "slump"] if _trade_flourishes(table) else ["slump"]


@event("cloth_prices_fluctuate")
def cloth_prices_fluctuate(table: Table, power: str, moment: Moment) -> Procedure:
    """72: cards for England and the Hapsburg, troops for the player; or a card lost by Antwerp's holder, and unrest."""
    half = yield from choose(table, power, "option", _halves_of_cloth, section="12.4", number=72)
    if half == "trade":
        yield from _trade(table, power)
    else:
        yield from _slump(table, power)


def _trade(table: Table, power: str) -> Procedure:
    for drawer in [one for one in table.board.powers if one in table.kit.constants["cloth_trade"]]:
        hands.draw_cards(table, drawer, number(table, 72, "cards"), "event_draw")

    def spaces(table: Table) -> list[str]:
        return [
            space
            for space in home_spaces(table, power)
            if is_friendly(table, space, power)
            and not siege_of(table, space)
            and not in_unrest(table, space)
            and not has_enemy_land(table, space, power)
        ]

    if rules(table).may_fight(table, power):
        return
    space = yield from choose(table, power, "space", spaces, section="17", number=72)
    if space is not None:
        kind, many = ("cavalry", "cavalry") if power == OTTOMAN else ("mercenary", "mercenaries")
        add_units(table, power, kind, space, number(table, 72, many), why="cloth_prices", section="5.2")


def _slump(table: Table, power: str) -> Procedure:
    constants = table.kit.constants
    holder = controller(table, constants["cloth_trade"][HAPSBURG])
    if holder in table.board.powers:
        hands.random_card(table, holder, None, "cloth_prices", section="6.1")
    homes = [s for s in home_spaces(table, HAPSBURG) if zone_of(table, s) in constants["cloth_unrest_languages"]]
    among = dict.fromkeys([*constants["cloth_unrest_spaces"], *homes])
    yield from unrest_on(table, power, number(table, 72, "unrest"), among, card=72)


# --- 71: City State Rebels ---


def rebel_cities(table: Table) -> list[str]:
    """71, 22.6: keys that a major power holds, not besieged: independent ones, or those of a power not allied to it."""
    return [key for key in atlas(table).keys if _may_rebel(table, key)]


def _may_rebel(table: Table, key: str) -> bool:
    holder, home = controller(table, key), home_of(table, key)
    if holder not in table.board.powers or siege_of(table, key) or kind_of(table, key) != "key":
        return False
    master = major_of(table.board, home) or home
    return home == INDEPENDENT or (master != holder and not allied(table.board, master, holder))


@event("city_state_rebels")
def city_state_rebels(table: Table, power: str, moment: Moment) -> Procedure:
    """71: 5 dice; for each hit the holder of a captured key loses a unit there; with none left it is lost (22.6)."""
    key = yield from choose(
        table, power, "space", lambda t: others_first(t, power, rebel_cities(t)), section="22.6", number=71
    )
    yield from city_rebels(
        table, power, key, controller(table, key) or "", number(table, 71, "dice"), number(table, 71, "regulars"), 71
    )


@playable("city_state_rebels")
def _city_state_rebels(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if rebel_cities(table) else Refused("no_city_to_rebel")
