"""Cards of courts, money and raids: 38, 44, 46, 49, 51, 54."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import hand_over
from pbem.games.reformation.ground import controller, is_fortified, is_home, religion
from pbem.games.reformation.relations import at_war
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.combat import MEDITERRANEAN, waters
from pbem.games.virgin_queen.cards.common import names, number, resolver
from pbem.games.virgin_queen.cards.free_actions import free_action
from pbem.games.virgin_queen.cards.home_cards import both_agree, end_war, open_minors, place_influence
from pbem.games.virgin_queen.cards.troops import barracks, place_new
from pbem.games.virgin_queen.court import patronage
from pbem.games.virgin_queen.new_world import captains, piracy, treasures
from pbem.games.virgin_queen.powers.majors import FRANCE, HUGUENOT, OTTOMAN, PROTESTANT, SPAIN, all_powers
from pbem.games.virgin_queen.religion.conversion import CATHOLIC, has_unit
from pbem.table.asking import Moment, choose
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table

CORSAIR = "corsair"

# --- 38 ---


def _corsair_ports(table: Table) -> list[str]:
    """38: Ottoman home ports, Algiers and Djerba among them, where a corsair could be built."""
    return barracks(table, OTTOMAN, OTTOMAN, CORSAIR)


def _corsairs_in(table: Table, zone: str) -> Refused | None:
    """38: why a zone is not one of the Mediterranean with corsairs, or None."""
    if MEDITERRANEAN in waters(table, zone) and table.board.count(zone, OTTOMAN, CORSAIR):
        return None
    return Refused("raiders_with_corsairs", sea=zone)


def _raids(table: Table) -> Iterator[Order]:
    for zone in atlas(table).zones:
        if _corsairs_in(table, zone) is None:
            for target in all_powers(table):
                try:
                    piracy.check_piracy(table, OTTOMAN, zone, target)
                except Refused:
                    continue
                yield piracy.Piracy(sea=zone, power=target)


@event("barbary_raiders")
def barbary_raiders(table: Table, power: str, moment: Moment) -> Procedure:
    """38: two corsairs come to Ottoman home ports; then an act of piracy in the Mediterranean for nothing (16.4)."""
    who = resolver(table, OTTOMAN, power)
    yield from place_new(table, who, OTTOMAN, CORSAIR, number(table, 38, "corsairs"), _corsair_ports, 38)
    if OTTOMAN in table.board.powers and next(_raids(table), None) is not None:
        yield from free_action(
            table,
            OTTOMAN,
            [piracy.Piracy],
            ["piracy_europe"],
            card=38,
            section="16.4",
            fault=lambda t, order: _corsairs_in(t, order.sea) if isinstance(order, piracy.Piracy) else None,
        )


@playable("barbary_raiders")
def _barbary_raiders(table: Table, power: str, moment: Moment) -> Refused | None:
    if _corsair_ports(table) or (OTTOMAN in table.board.powers and next(_raids(table), None) is not None):
        return None
    return Refused("no_home_for_units", "17")


# --- 44 ---


def _raiders(table: Table, power: str) -> list[str]:
    """44: the captains of a power in the zones of the card that may plunder Spain there now."""
    return [captain for captain in captains.at_sea(table, power) if _why_no_raid(table, power, captain) is None]


def _why_no_raid(table: Table, power: str, captain: str) -> Refused | None:
    if captains.place_of(table, captain) not in names(table, 44, "oceans"):
        return Refused("no_captain_in_zones", oceans=names(table, 44, "oceans"))
    try:
        piracy.check_raid(table, power, captain, SPAIN)
    except Refused as reason:
        return reason
    return None


@event("cimarrons")
def cimarrons(table: Table, power: str, moment: Moment) -> Procedure:
    """44: a captain in the west plunders Spain for nothing, which throws a die less (16.5)."""
    captain = yield from choose(table, power, "captain", lambda t: _raiders(t, power), section="16.5", number=44)
    yield from piracy.raid(table, power, captain, SPAIN, fewer_dice=number(table, 44, "dice_fewer"))


@playable("cimarrons")
def _cimarrons(table: Table, power: str, moment: Moment) -> Refused | None:
    if _raiders(table, power):
        return None
    reasons = [_why_no_raid(table, power, captain) for captain in captains.at_sea(table, power)]
    near = [reason for reason in reasons if reason is not None and reason.code != "no_captain_in_zones"]
    return near[0] if near else Refused("no_captain_in_zones", oceans=names(table, 44, "oceans"))


# --- 46 ---


def _commissions(table: Table, power: str) -> list[str]:
    """46: the kinds that a power has sponsored nobody of in this turn, with an Italian to be had."""
    return [
        kind
        for kind in patronage.KINDS
        if patronage.why_not_sponsor(table, power, kind, italians=True, own=False) is None
    ]


@event("commissioned_from_italy")
def commissioned_from_italy(table: Table, power: str, moment: Moment) -> Procedure:
    """46: a power sponsors an Italian artist or scientist by chance (22)."""
    kind = yield from choose(table, power, "option", lambda t: _commissions(t, power), section="22", number=46)
    yield from patronage.sponsor(table, power, kind, number(table, 46, "slot"), italians=True, own=False)


@playable("commissioned_from_italy")
def _commissioned_from_italy(table: Table, power: str, moment: Moment) -> Refused | None:
    if _commissions(table, power):
        return None
    return patronage.why_not_sponsor(table, power, patronage.KINDS[0], italians=True, own=False)


# --- 49 ---


@event("diplomatic_mission")
def diplomatic_mission(table: Table, power: str, moment: Moment) -> Procedure:
    """49: influence on at most two minor powers (24.5)."""
    yield from place_influence(table, power, number(table, 49, "influence"), 49, number(table, 49, "minors"))


@playable("diplomatic_mission")
def _diplomatic_mission(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if open_minors(table, power) else Refused("no_minor_to_influence", "24.5")


# --- 51 ---


def tolerated(table: Table) -> list[str]:
    """51: the Protestant, French, unfortified Huguenot home spaces without Catholic units."""
    return [
        space
        for space in atlas(table).spaces
        if is_home(table, space, HUGUENOT)
        and religion(table, space) == PROTESTANT
        and controller(table, space) == FRANCE
        and not is_fortified(table, space)
        and not has_unit(table, space, CATHOLIC)
    ]


@event("edict_of_toleration")
def edict_of_toleration(table: Table, power: str, moment: Moment) -> Procedure:
    """51: if France and the Protestant both agree their war ends, and the Protestant gets a Huguenot space."""
    agreed = yield from both_agree(table, [FRANCE, PROTESTANT], 51, "9.1")
    if not agreed:
        table.tell("edict_refused", section="9.1")
        return
    if at_war(table.board, FRANCE, PROTESTANT):
        yield from end_war(table, FRANCE, PROTESTANT, "9.1")
    space = yield from choose(table, PROTESTANT, "space", tolerated, section="12.5", number=51)
    if space is not None:
        yield from hand_over(table, [space], PROTESTANT, why="card", section="12.5")


@playable("edict_of_toleration")
def _edict_of_toleration(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if at_war(table.board, FRANCE, PROTESTANT) or tolerated(table) else Refused("nothing_to_tolerate")


# --- 54 ---


def _row(table: Table) -> list[str]:
    """54: the kinds of treasures in the Spanish row."""
    return treasures.kinds_in(table, treasures.SPAIN)


@event("genoese_bankers")
def genoese_bankers(table: Table, power: str, moment: Moment) -> Procedure:
    """54: Spain takes a treasure of its choice from its row, whose box is filled again, and draws a card (6.3)."""
    for _ in range(number(table, 54, "treasures")):
        kind = yield from choose(table, power, "treasure", _row, section="6.3", number=54)
        if kind is None:
            break
        treasure = treasures.of_kind(table, treasures.SPAIN, kind)
        table.card(
            treasure, treasures.SPAIN, treasures.hand(power), to=[power], why="genoese_bankers", section="6.3"
        )
        treasures.fill_box(table, section="6.3")
    hands.draw_cards(table, power, number(table, 54, "cards"), "event_draw")


@playable("genoese_bankers")
def _genoese_bankers(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if power == SPAIN else Refused("for_spain_only")
