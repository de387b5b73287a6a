"""What a seat sees and others do not: its hands, what it was shown of others' hands, its hidden tracks and counters.

What a card is worth to its holder is said by the phrases of the game, ``[hand] card``, and what it does by ``[hand]
effects``, a line (``¶``) for each way to play it. Both have the card's ``id`` and the ``tables`` of the
kit; they alone know which of these tell of cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from pbem.render.narrative import Teller
from pbem.table.board import HIDDEN_CARD, Board


@dataclass
class OwnCard:
    """A card that the reader knows: its number or id, its name, what it is worth, what it does."""

    id: str
    name: str
    note: str = ""
    effects: list[str] = field(default_factory=list)
    is_new: bool = False
    """Whether its holder has not been told of it yet (see `marked`)."""

    @property
    def short(self) -> str:
        """Its number and name, and the first thing that its note says: what it is worth."""
        worth = re.split(r"[,;]", self.note)[0].strip()
        return f"{self.id} {self.name} ({worth})" if worth else f"{self.id} {self.name}"

    @property
    def text(self) -> str:
        """All that it does."""
        return " ".join(self.effects)


@dataclass
class OwnThing:
    """A pile or a value: its name, what it holds in words, and its cards where the kit says more of them."""

    name: str
    value: str
    cards: list[OwnCard] = field(default_factory=list)
    is_changed: bool = True
    """Whether it is other than its holder was last told (see `marked`)."""

    @property
    def new(self) -> list[OwnCard]:
        """The cards that its holder has not been told of yet."""
        return [card for card in self.cards if card.is_new]

    @property
    def known(self) -> list[str]:
        """The other cards, by number, name and worth."""
        return [card.short for card in self.cards if not card.is_new]


def own_things(view: Board, powers: Iterable[str], teller: Teller) -> list[OwnThing]:
    """What the holder of `powers` sees and others do not, from his view of the board."""
    powers = list(powers)
    things, shown = [], []
    for name, rule in view.sight.items():
        if rule != "owner":
            continue
        if name in view.piles:
            known = [card for card in view.piles[name] if card != HIDDEN_CARD]
            if view.owner_of(name) in powers:
                things.append(_pile(name, known, teller))
            elif known:
                shown.append(_pile(name, known, teller))
            continue
        if name in view.counters:
            owner, value = view.owner_of(name), view.counters[name]
            if owner in powers and value is not None:
                things.append(OwnThing(_counter(name, owner, powers, teller), str(value)))
            continue
        for power in powers:
            value = view.tracks.get(name, {}).get(power)
            if value is not None:
                whose = f" ({teller.power(power)})" if len(powers) > 1 else ""
                things.append(OwnThing(_track(name, teller) + whose, str(value)))
    return things + shown


def card_told(id: str, teller: Teller) -> str:
    """What is printed on a card, in a line or several: its number, name, worth, what it does, and what of that is
    rebuilt (``[hand] rebuilt``)."""
    card = _card(id, teller) or OwnCard(id, teller.name(id, "card"))
    head = f"{card.id} {card.name}" + (f" ({card.note})" if card.note else "")
    return "\n".join(filter(None, [head, *card.effects, teller.of_kit("hand", "rebuilt", id)]))


def hands_told(hands: Mapping[str, Iterable[str]], teller: Teller) -> str:
    """What is printed on the cards of some hands; whose each is where there are several."""
    told = []
    for power, cards in hands.items():
        head = [_capital(teller.name(f"hand:{power}"))] if len(hands) > 1 else []
        told += [*head, *(card_told(card, teller) for card in cards)]
    return "\n".join(told)


def marked(now: Iterable[OwnThing], before: Iterable[OwnThing]) -> list[OwnThing]:
    """Things with what is other in them than before: the cards that are new, and whether anything is."""
    before = list(before)
    known = {card.id for thing in before for card in thing.cards}
    values = {thing.name: thing.value for thing in before}
    return [
        replace(
            thing, cards=[replace(card, is_new=card.id not in known) for card in thing.cards],
            is_changed=values.get(thing.name) != thing.value,
        )
        for thing in now
    ]  # fmt: skip


def _pile(name: str, cards: list[str], teller: Teller) -> OwnThing:
    names = [teller.name(card, "card") for card in cards]
    value = teller.language.listed(names) or teller.language.text("empty")
    shown_cards = [shown for card in cards if (shown := _card(card, teller))]
    return OwnThing(_capital(teller.name(name)), value, shown_cards)


def _card(id: str, teller: Teller) -> OwnCard | None:
    """A card as the phrases of its game tell it; None where they do not."""
    note = teller.of_kit("hand", "card", id)
    if not note:
        return None
    effects = teller.of_kit("hand", "effects", id).split("\n")
    return OwnCard(id, teller.name(id, "card"), note, list(filter(None, effects)))


def _track(name: str, teller: Teller) -> str:
    """What a track is called: its own name, else the word for what is counted on it, where there is one."""
    phrases = teller.phrases
    counted = phrases.nouns[name][1] if name in phrases.nouns and name not in phrases.forms else teller.name(name)
    return _capital(counted)


def _counter(name: str, owner: str | None, powers: list[str], teller: Teller) -> str:
    """What a counter of a power (``nerve:north``) is called; whose it is where the reader holds several."""
    kind, _, _ = name.partition(":")
    if kind in teller.phrases.forms:
        return _capital(teller.name(name))
    return _track(kind, teller) + (f" ({teller.power(owner)})" if len(powers) > 1 else "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
