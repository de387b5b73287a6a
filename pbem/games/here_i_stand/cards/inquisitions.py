"""The two Inquisitions: 56 Papal Inquisition, 58 Spanish Inquisition."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event
from pbem.games.here_i_stand.cards.attempts_of_cards import use, uses
from pbem.games.here_i_stand.cards.common import number
from pbem.games.here_i_stand.religion import debates
from pbem.games.here_i_stand.religion.conversion import CATHOLIC, PAPACY, PROTESTANT, convert, zone_of
from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.captives import take_card
from pbem.games.reformation.ground import religion
from pbem.table.asking import Moment, choose
from pbem.table.procedure import Procedure, Table

HAPSBURG = "hapsburg"
PAPAL, SPANISH = 56, 58


def protestant_in_zone(table: Table, zone: str) -> list[str]:
    """The Protestant spaces of a language zone."""
    return [s for s in atlas(table).spaces if religion(table, s) == PROTESTANT and zone_of(table, s) == zone]


def _turn_catholic(table: Table, power: str, card: int, zone: str) -> Procedure:
    """Two Protestant spaces of a zone turn Catholic, as a power chooses; they need not be eligible."""
    for _ in range(number(table, card, "spaces")):
        space = yield from choose(
            table, power, "space", lambda t: protestant_in_zone(t, zone), section="18.4", number=card
        )
        if space is None:
            return
        convert(table, space, CATHOLIC, why="inquisition", section="18.4")


# --- 56 ---


@event("papal_inquisition")
def papal_inquisition(table: Table, power: str, moment: Moment) -> Procedure:
    """56: uses Caraffa; two Italian spaces; a hand is seen; then a card of it, a discard, or a debate (6.2, 18.5)."""
    use(table, "caraffa")
    yield from _turn_catholic(table, PAPACY, PAPAL, table.kit.constants["papal_inquisition_language"])
    target = yield from choose(
        table, PAPACY, "power", lambda t: t.kit.constants["inquisition_hands"], section="6.1", number=PAPAL
    )
    hands.show_hand(table, target, PAPACY, why="inquisition", section="6.1")
    way = yield from choose(
        table, PAPACY, "option", lambda t: _ways(t, target), section="18.5", number=PAPAL, target=target
    )
    if way == "take_card":
        take_card(table, target, PAPACY, "inquisition", "6.1")
    elif way == "fetch":
        card = yield from choose(
            table, PAPACY, "card", lambda t: hands.fetchable(t, PAPACY), section="6.2", number=PAPAL
        )
        table.card(card, hands.DISCARD, hands.hand(PAPACY), why="fetched", section="6.2")
    elif way == "debate":
        yield from debates.debate(table, PAPACY, extra_dice=number(table, PAPAL, "debate_dice"))


def _ways(table: Table, target: str) -> list[str]:
    possible = {
        "take_card": hands.drawable(table, target),
        "fetch": hands.fetchable(table, PAPACY),
        "debate": debates.zones_for(table, PAPACY),
    }
    return [way for way, among in possible.items() if among]


uses("papal_inquisition", "caraffa")


# --- 58 ---


@event("spanish_inquisition")
def spanish_inquisition(table: Table, power: str, moment: Moment) -> Procedure:
    """58: two Spanish spaces; the Hapsburg sees two hands, discards a card of one, draws; the Papacy debates."""
    yield from _turn_catholic(table, HAPSBURG, SPANISH, table.kit.constants["spanish_inquisition_language"])
    for target in table.kit.constants["inquisition_hands"]:
        hands.show_hand(table, target, HAPSBURG, why="inquisition", section="6.1")
    # How many cards are in the hands is no secret, but what they are is.
    several = sum(len(hands.drawable(table, target)) for target in table.kit.constants["inquisition_hands"]) > 1
    card = yield from choose(table, HAPSBURG, "card", _within_reach, hidden=several, section="6.1", number=SPANISH)
    if card is not None:
        owner = next(one for one in table.board.powers if card in hands.cards_of(table, one))
        hands.discard(table, owner, card, why="inquisition", section="6.1")
    hands.draw_cards(table, HAPSBURG, number(table, SPANISH, "cards"), "event_draw")
    yield from debates.debate(table, PAPACY)


def _within_reach(table: Table) -> list[str]:
    """58: the cards that the Hapsburg may have discarded: no home card, no mandatory event; the dearest first."""
    reachable = [
        card
        for target in table.kit.constants["inquisition_hands"]
        for card in hands.drawable(table, target)
        if hands.kind_of(table, card) != "mandatory"
    ]
    return sorted(reachable, key=lambda card: (-hands.cp_of(table, card), int(card)))
