"""The cards about cards: 57, 59, 66, 74, 79, 81 take, give, draw and discard."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number
from pbem.games.here_i_stand.places import OFF, REMOVED
from pbem.games.here_i_stand.religion import church
from pbem.games.here_i_stand.religion.conversion import ENGLAND, PAPACY, PROTESTANT
from pbem.games.reformation import hands, marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.captives import take_card
from pbem.games.reformation.forces import LEADER, put_leader
from pbem.games.reformation.ground import controller, space_of
from pbem.games.reformation.relations import at_war
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

OTTOMAN, CAVALRY = "ottoman", "cavalry"
PHILIP = "philip_of_hesse"
JANE_GREY = "59"


# --- 57: Philip of Hesse's Bigamy ---


@event("philip_of_hesses_bigamy")
def philip_of_hesses_bigamy(table: Table, power: str, moment: Moment) -> Procedure:
    """57: the Protestant takes Philip of Hesse out of the game, or loses a card by chance."""
    way = yield from choose(table, PROTESTANT, "option", _price, section="6.1", number=57)
    if way == "remove_philip":
        put_leader(table, PHILIP, REMOVED, why="bigamy", section="8.2")
    elif way == "discard":
        hands.random_card(table, PROTESTANT, None, "bigamy", section="6.1")


def _price(table: Table) -> list[str]:
    ways = ["discard"] if hands.drawable(table, PROTESTANT) else []
    there = table.board.pieces[LEADER + PHILIP]["at"] not in (OFF, REMOVED)
    return [*ways, "remove_philip"] if there else ways


# --- 59: Lady Jane Grey ---


@event("lady_jane_grey")
def lady_jane_grey(table: Table, power: str, moment: Moment) -> Procedure:
    """59: a random English card and one from the deck; the player keeps one, the Protestant or the Papacy gets one."""
    taken: str | None
    if power == ENGLAND:
        among = hands.drawable(table, ENGLAND)
        taken = table.pick("lady_jane_grey", among, sight=[ENGLAND], pile=hands.hand(ENGLAND), section="6.1")
    else:
        taken = take_card(table, ENGLAND, power, "lady_jane_grey", "6.1")
    two = [card for card in (taken, hands.draw_card(table, power, "event_draw")) if card is not None]
    kept = yield from choose(table, power, "card", lambda t: two, section="6.1", number=59)
    for given in two:
        if given != kept:
            taker = yield from choose(
                table, power, "power", lambda t: _takers(t, power), section="6.1", number=59
            )
            table.card(
                given, hands.hand(power), hands.hand(taker), to=[power, taker], why="lady_jane_grey", section="6.1"
            )


def _takers(table: Table, power: str) -> list[str]:
    return [one for one in table.kit.constants["lady_jane_grey_takers"] if one != power]


@playable("lady_jane_grey")
def _lady_jane_grey(table: Table, power: str, moment: Moment) -> Refused | None:
    if not marks.mark(table, "turn", "succession"):
        return Refused("no_succession")
    others = [card for card in hands.drawable(table, ENGLAND) if card != JANE_GREY]  # played, it is in no hand
    return None if others else Refused("england_without_cards")


# --- 66: Akinji Raiders ---


def raided(table: Table, cavalry_at: str) -> list[str]:
    """66: the spaces within reach of cavalry in a space: two steps at most, the one between Ottoman-controlled."""
    chart, reach = atlas(table), number(table, 66, "distance")
    reached, edge = [cavalry_at], [cavalry_at]
    for step in range(reach):
        ways = [one for one in edge if step == 0 or controller(table, one) == OTTOMAN]
        edge = [near for one in ways for near in chart.neighbours[one] if near not in reached]
        reached += dict.fromkeys(edge)
    return reached


def akinji_targets(table: Table) -> list[str]:
    """66: the powers at war with the Ottoman that control a space within reach of its cavalry."""
    places = [space_of(p) for p in table.board.units if table.board.count(p, OTTOMAN, CAVALRY)]
    within = {controller(table, near) for at in places if at in atlas(table).spaces for near in raided(table, at)}
    return [power for power in table.board.powers if power in within and at_war(table.board, OTTOMAN, power)]


@event("akinji_raiders")
def akinji_raiders(table: Table, power: str, moment: Moment) -> Procedure:
    """66: the Ottoman takes a card, by chance, of an enemy within reach of its cavalry."""
    target = yield from choose(table, power, "power", akinji_targets, section="6.1", number=66)
    for _ in range(number(table, 66, "cards")):
        take_card(table, target, OTTOMAN, "akinji_raiders", "6.1")


@playable("akinji_raiders")
def _akinji_raiders(table: Table, power: str, moment: Moment) -> Refused | None:
    if akinji_targets(table):
        return None
    return Refused("no_space_to_raid")


# --- 74: Diplomatic Overture ---


@event("diplomatic_overture")
def diplomatic_overture(table: Table, power: str, moment: Moment) -> Procedure:
    """74: two cards are drawn; then one of the hand is given to another power."""
    hands.draw_cards(table, power, number(table, 74, "cards"), "event_draw")
    several = len(hands.drawable(table, power)) > 1  # how many cards are in a hand is no secret
    card = yield from choose(table, power, "card", lambda t: gifts(t, power), hidden=several, section="6.1", number=74)
    if card is None:
        return
    taker = yield from choose(
        table, power, "power", lambda t: [one for one in t.board.powers if one != power], section="6.1", number=74
    )
    table.card(
        card, hands.hand(power), hands.hand(taker), to=[power, taker], why="diplomatic_overture", section="6.1"
    )


def gifts(table: Table, power: str) -> list[str]:
    """74: no home card, a mandatory event only where there is nothing else; the cheapest first."""
    held = hands.drawable(table, power)
    free = [card for card in held if hands.kind_of(table, card) != "mandatory"]
    return sorted(free or held, key=lambda card: (hands.cp_of(table, card), int(card)))


# --- 79: Fuggers ---


@event("fuggers")
def fuggers(table: Table, power: str, moment: Moment) -> None:
    """79: two cards are drawn; a -1 Card marker lies on the power's card until the next deal."""
    hands.draw_cards(table, power, number(table, 79, "cards"), "event_draw")
    hands.change_minus_cards(table, power, number(table, 79, "cards_fewer"), until_deal=True, why="fuggers")


# --- 81: Indulgence Vendor ---


@event("indulgence_vendor")
def indulgence_vendor(table: Table, power: str, moment: Moment) -> None:
    """81: a card of the Protestant, by chance, is discarded; its CP go to Saint Peter's (18.1)."""
    card = hands.random_card(table, PROTESTANT, None, "indulgence_vendor", section="6.1")
    if card is not None:
        table.tell("indulgences", power=PAPACY, card=card, cp=hands.cp_of(table, card), section="18.1")
        church.st_peters(table, hands.cp_of(table, card), why="indulgence_vendor")
