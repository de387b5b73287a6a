"""Cards about hands and what rulers owe: 70, 71, 76."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.reformation import hands, marks
from pbem.games.reformation.card_help import number
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import resolver
from pbem.games.virgin_queen.diplomacy import wars
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.powers.majors import EMPIRE, OTTOMAN
from pbem.table.asking import Moment, choose, confirm
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

# --- 70 ---


@event("nostradamus_prophecies")
def nostradamus_prophecies(table: Table, power: str, moment: Moment) -> Procedure:
    """70: look at the top cards of the deck, draw one of them, put the others back on top in any order.

    The deck has no order until it is drawn from: its top is drawn now, and waits in a pile of its own (`hands`).
    """
    table.tell("looks_at_deck", power=power, number=number(table, 70, "cards"), section="6.2")
    pile = hands.look_at_top(table, power, number(table, 70, "cards"), section="6.2")

    def looked_at(table: Table) -> Sequence[str]:
        return list(table.board.piles.get(pile, ()))

    drawn = yield from choose(table, power, "card", looked_at, section="6.2", number=70, step="draw")
    if drawn is None:
        return
    table.card(drawn, pile, hands.hand(power), to=[power], why="event_draw", section="6.2")
    on_top: list[str] = []
    while len(on_top) < len(looked_at(table)):
        card = yield from choose(
            table,
            power,
            "card",
            lambda t: [one for one in looked_at(t) if one not in on_top],
            section="6.2",
            number=70,
            step="next",
            left=len(looked_at(table)) - len(on_top),
        )
        on_top.append(card)
    hands.order_top(table, power, on_top)


@playable("nostradamus_prophecies")
def _nostradamus_prophecies(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if hands.deck_has_cards(table) else Refused("deck_is_empty", "6.2")


# --- 71 ---


def tributaries(table: Table) -> list[str]:
    """71: the Empire, or a major power with Venice for its ally, on whom the Ottoman could declare war (9.4)."""
    friend = table.board.state["minor_ally"].get("venice")
    return [
        one
        for one in table.board.powers
        if one in (EMPIRE, friend) and one != OTTOMAN and wars.why_not(table, OTTOMAN, one) is None
    ]


@event("ottoman_tribute")
def ottoman_tribute(table: Table, power: str, moment: Moment) -> Procedure:
    """71: a power gives the Ottoman a random card, or a treasure if it has none; or they are at war at once (9.4)."""
    who = resolver(table, OTTOMAN, power)
    target = yield from choose(table, who, "power", tributaries, section="9.4", number=71)
    gives = yield from confirm(table, target, "event_choice", section="9.4", number=71, target=OTTOMAN, step="tribute")
    if not gives:
        yield from wars.begin_war(table, OTTOMAN, target, why="ottoman_tribute")
        return
    table.tell("tribute", power=target, target=OTTOMAN, section="9.4")
    if hands.drawable(table, target):
        hands.random_card(table, target, OTTOMAN, "tribute", section="6.3")
    else:
        treasures.random_treasure(table, target, OTTOMAN, "tribute", section="6.3")


@playable("ottoman_tribute")
def _ottoman_tribute(table: Table, power: str, moment: Moment) -> Refused | None:
    if OTTOMAN not in table.board.powers:
        return Refused("power_without_seat", "3.1", power=OTTOMAN)
    return None if tributaries(table) else Refused("nobody_pays_tribute", "9.4")


# --- 76 ---


def _has_something(table: Table, power: str) -> bool:
    """6.3: whether a random draw from a hand finds anything."""
    return bool(hands.drawable(table, power) or treasures.of(table, power))


def _may_fall_ill(table: Table, power: str) -> list[str]:
    """76: the other major powers that have something to lose, or an impulse to skip."""
    return [one for one in table.board.powers if one != power and _ways_of_illness(table, one)]


def _ways_of_illness(table: Table, power: str) -> list[str]:
    """76: what the power that is struck may choose; silence takes the first, which costs nothing of its hand."""
    ways = [] if marks.noted(table, "turn", "skips_impulse", power) else ["skip"]
    return [*ways, "discard"] if _has_something(table, power) else ways


@event("ruler_falls_ill")
def ruler_falls_ill(table: Table, power: str, moment: Moment) -> Procedure:
    """76: another power loses a random card or treasure, or skips its next impulse, which is no pass: it chooses.

    Without anything to discard it must skip.
    """
    target = yield from choose(table, power, "power", lambda t: _may_fall_ill(t, power), section="6.3", number=76)
    way = yield from choose(
        table, target, "option", lambda t: _ways_of_illness(t, target), section="11", number=76, step="illness"
    )
    if way == "discard":
        treasures.random_from_hand(table, target, None, "ruler_falls_ill", section="6.3")
    else:
        table.tell("will_skip", power=target, section="11")
        marks.note(table, "turn", "skips_impulse", target, section="11")


@playable("ruler_falls_ill")
def _ruler_falls_ill(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _may_fall_ill(table, power) else Refused("nobody_falls_ill", "11")


