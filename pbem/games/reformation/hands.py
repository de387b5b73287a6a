"""6: cards. The deck, the hands, what is drawn by chance, where a card goes after its play.

Piles: ``deck`` (seen by the referee alone; drawn from lazily, so it has no order), ``box`` (not in the deck yet),
``hand:<power>`` (seen by its owner), ``discard``, ``removed``, ``in_play`` (an event being resolved), ``table``
(foreign wars under way), ``home:<power>`` (home cards on the power card), ``aside:<power>`` (taken by piracy in this
impulse; seen by its owner), ``looked_at:<power>`` (while it looks at the top of the deck; seen by it),
``deck_top:<power>`` (laid on top of the deck by it, the uppermost first; seen by it). All cards are in one of them.
Card ids are those of the kit, its numbers as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.reformation import marks
from pbem.table.kit import Kit
from pbem.table.procedure import Table

ASIDE = "aside"
LOOKED_AT, DECK_TOP = "looked_at", "deck_top"
DECK, BOX, DISCARD, REMOVED, IN_PLAY, ON_TABLE = "deck", "box", "discard", "removed", "in_play", "table"


def hand(power: str) -> str:
    """The pile of a power's hand."""
    return f"hand:{power}"


def home(power: str) -> str:
    """The pile of home cards that lie on a power's card (6.1)."""
    return f"home:{power}"


def cards_of(table: Table, power: str) -> list[str]:
    """The cards in a power's hand."""
    return list(table.board.piles.get(hand(power), ()))


def row(table: Table, card: str) -> Any:
    """What the kit says of a card."""
    return table.kit.tables["cards"][card]


def kind_of(table: Table, card: str) -> str:
    """``home``, ``mandatory``, ``combat``, ``response`` or ``event``."""
    return row(table, card)["kind"]


def cp_of(table: Table, card: str) -> int:
    """The CP printed on a card."""
    return row(table, card)["cp"]


def home_cards(kit: Kit, power: str) -> list[str]:
    """The home cards of a power, in the order of the kit."""
    return [id for id, card in kit.tables["cards"].items() if card["kind"] == "home" and card["owner"] == power]


def drawable(table: Table, power: str) -> list[str]:
    """6.1: the cards of a hand that a random draw may take: all but home cards."""
    return [card for card in cards_of(table, power) if kind_of(table, card) != "home"]


def reshuffle(table: Table, piles: Sequence[str] = (DISCARD,)) -> None:
    """Put open piles into the deck and shuffle it; nobody can follow a card from there."""
    for pile in _tops(table):
        for card in list(table.board.piles[pile]):
            table.card(card, pile, DECK, to=[], why="reshuffle", section="6.2")
    for pile in piles:
        for card in list(table.board.piles.get(pile, ())):
            # Masked, although the pile was open: from here on the card is a secret of the deck.
            table.card(card, pile, DECK, to=[], why="reshuffle", section="6.2")
    table.do({"fact": "shuffle", "pile": DECK, "why": "reshuffle", "section": "6.2"})


def draw_card(table: Table, power: str, why: str = "draw", **more: Any) -> str | None:
    """Draw one card from the deck into a hand; None when there is none left (option `deck_runs_out`)."""
    return _draw_to(table, hand(power), power, why, **more)


def _draw_to(table: Table, place: str, power: str, why: str, **more: Any) -> str | None:
    """Draw one card, the uppermost if the top of the deck has been laid, into a pile that a power sees."""
    for pile in _tops(table):
        card = table.board.piles[pile][0]
        table.card(card, pile, place, to=list({power: None, pile.partition(":")[2]: None}), why=why, **more)
        return card
    if not table.board.piles.get(DECK):
        if table.options["deck_runs_out"] == "no_card" or not table.board.piles.get(DISCARD):
            return None
        reshuffle(table)
    return table.draw(why, DECK, place, sight=[power], **more)


def _tops(table: Table) -> list[str]:
    """The piles of cards that lie on top of the deck in an order that somebody knows."""
    names = [f"{DECK_TOP}:{power}" for power in table.board.powers]
    return [name for name in names if table.board.piles.get(name)]


def deck_has_cards(table: Table) -> bool:
    """Whether a card can be drawn from the deck as it lies."""
    return bool(table.board.piles.get(DECK) or _tops(table))


def look_at_top(table: Table, power: str, number: int, **more: Any) -> str:
    """A power looks at so many cards from the top of the deck, fewer if there are no more. Value: the pile of them.

    `order_top` puts back those that are left in it.
    """
    pile = f"{LOOKED_AT}:{power}"
    for name in (pile, f"{DECK_TOP}:{power}"):
        if name not in table.board.sight:
            table.do({"fact": "sight", "name": name, "before": None, "after": "owner"})
    for _ in range(number):
        if deck_has_cards(table):
            _draw_to(table, pile, power, "look", **more)
    return pile


def order_top(table: Table, power: str, cards: Sequence[str]) -> None:
    """The power puts the cards that it looked at on top of the deck, the first one uppermost."""
    for card in cards:
        table.card(card, f"{LOOKED_AT}:{power}", f"{DECK_TOP}:{power}", to=[power], why="look", section="6.2")


def draw_cards(table: Table, power: str, number: int, why: str = "draw", **more: Any) -> list[str]:
    """Draw several cards into a hand; returns them."""
    drawn = [draw_card(table, power, why, **more) for _ in range(number)]
    return [card for card in drawn if card is not None]


def random_card(table: Table, power: str, taker: str | None, why: str, **more: Any) -> str | None:
    """A card of a power's hand by chance: to the taker's hand, seen by the two, or open to the discards (None).

    6.1: never a home card. Value: the card, or None where there is none to take.
    """
    among = drawable(table, power)
    if not among:
        return None
    if taker is None:
        card = table.pick(why, among, sight=[power], pile=hand(power), **more)
        discard(table, power, card, why=why)
        return card
    card = table.pick(why, among, sight=[power, taker], pile=hand(power), place=hand(taker), **more)
    table.card(card, hand(power), hand(taker), to=[power, taker], why=why, **more)
    return card


def set_aside(table: Table, power: str, card: str, seen_by: str, **more: Any) -> None:
    """16.4: a card of a hand that may not be played in this impulse lies beside it, in the pile ``aside:<power>``.

    `seen_by` is the other power that knows it; the state ``aside:<power>`` lists these in the order of the pile.
    """
    pile = f"{ASIDE}:{power}"
    if pile not in table.board.sight:
        table.do({"fact": "sight", "name": pile, "before": None, "after": "owner"})
    table.card(card, hand(power), pile, to=[power, seen_by], **more)
    table.set(pile, [*table.board.state.get(pile, []), seen_by])


def take_up(table: Table) -> None:
    """16.4: as a new impulse begins, the cards that were set aside join the hands."""
    for power in table.board.powers:
        pile = f"{ASIDE}:{power}"
        cards = list(table.board.piles.get(pile, ()))
        for card, seen_by in zip(cards, table.board.state.get(pile, []), strict=True):
            table.card(card, pile, hand(power), to=[power, seen_by], why="take_up", section="16.4")
        table.set(pile, None)


def discard(table: Table, power: str, card: str, **more: Any) -> None:
    """A card of a hand to the discards; a home card to its power card (6.1)."""
    owner = row(table, card)["owner"]
    place = home(owner) if kind_of(table, card) == "home" else DISCARD
    table.card(card, hand(power), place, **more)


def show_hand(table: Table, power: str, viewer: str, **more: Any) -> None:
    """Let a power see the hand of another one in secret."""
    cards = cards_of(table, power)
    table.do({"fact": "show", "cards": cards, "pile": hand(power), "to": [viewer], **more})


def fetchable(table: Table, power: str) -> list[str]:
    """6.2: the discards that Here I Stand and Papal Inquisition may fetch."""
    own = marks.mark(table, "turn", f"played:{power}", [])
    barred = table.kit.constants["unfetchable_kinds"]
    return [
        card
        for card in table.board.piles.get(DISCARD, ())
        if kind_of(table, card) not in barred and int(card) not in own
    ]


def note_play(table: Table, power: str, card: str) -> None:
    """Remember that a power played a card as event, response or combat card (6.2, 11).

    By its number: its id would tell of a card that may be hidden again when the mark ends.
    """
    marks.note(table, "turn", f"played:{power}", int(card))
    marks.note(table, "turn", "events", int(card))


def played_as_event(table: Table, card: str) -> bool:
    """11: whether a card was played as an event this turn, by whomever."""
    return marks.noted(table, "turn", "events", int(card))


def change_minus_cards(table: Table, power: str, change: int, *, until_deal: bool = False, **more: Any) -> None:
    """6.2: -1 Card markers come to a power or leave it; those `until_deal` leave by themselves after the next deal."""
    for name in ("minus_cards", "minus_cards_until_deal") if until_deal else ("minus_cards",):
        markers = dict(table.board.state.get(name, {}))
        markers[power] = markers.get(power, 0) + change
        table.set(name, {one: number for one, number in sorted(markers.items()) if number}, **more)


def end_minus_cards(table: Table) -> None:
    """6.2: after the deal the -1 Card markers leave that were laid for it alone (card 79)."""
    for power, number in table.board.state.get("minus_cards_until_deal", {}).items():
        change_minus_cards(table, power, -number, until_deal=True, why="deal", section="6.2")


def put_away(table: Table, card: str, origin: str, fate: str) -> None:
    """6.1, 6.2: where a card goes after its play (``discard``, ``removed`` or ``table``); home cards go home."""
    if kind_of(table, card) == "home":
        place = home(row(table, card)["owner"])
    else:
        place = {"discard": DISCARD, "removed": REMOVED, "table": ON_TABLE}[fate]
    table.card(card, origin, place, section="6.2")


