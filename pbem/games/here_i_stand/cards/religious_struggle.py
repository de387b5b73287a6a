"""The cards whose effect the chapter on religion describes (18, 21.5, 21.6): 5, 6, 7, 13, 15, 17."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.games.here_i_stand.cards import BOOK, event, playable
from pbem.games.here_i_stand.places import REMOVED
from pbem.games.here_i_stand.powers import excommunication, league
from pbem.games.here_i_stand.religion import church, debates
from pbem.games.here_i_stand.religion.conversion import PAPACY, PROTESTANT
from pbem.games.reformation import hands
from pbem.games.reformation.cards import Outcome
from pbem.table.asking import Ask, Moment, choose, response
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

# --- 5: Papal Bull ---


@event("papal_bull")
def papal_bull(table: Table, power: str, moment: Moment) -> Procedure:
    """5: a reformer or a ruler is excommunicated (21.5)."""
    yield from excommunication.papal_bull(table)


@playable("papal_bull")
def _papal_bull(table: Table, power: str, moment: Moment) -> Refused | None:
    return excommunication.why_nobody(table)


# --- 6: Leipzig Debate ---


class NameDebater(Order):
    """Name your own attacking debater."""

    line = "NAME {debater}"
    debater = Name("debater")

    def check(self, table: Table, question: Question) -> None:
        zone = question.context["zone"]
        if self.debater not in debates.pool(table, PAPACY, zone, committed=False):
            raise Refused("no_uncommitted_debater", "18.5", debater=self.debater)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for debater in debates.pool(table, PAPACY, question.context["zone"], committed=False):
            yield cls(debater=debater)


class Exclude(Order):
    """Name a Protestant debater who may not take part in either round."""

    line = "EXCLUDE {debater}"
    debater = Name("debater")

    def check(self, table: Table, question: Question) -> None:
        zone = question.context["zone"]
        if self.debater not in debates.in_play(table, PROTESTANT, zone):
            raise Refused("no_debater_of_zone", "18.5", debater=self.debater, zone=zone)
        reason = debates.why_not(table, PAPACY, zone, excluded=self.debater)
        if reason:
            raise reason.under("18.5")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for debater in debates.in_play(table, PROTESTANT, question.context["zone"]):
            yield cls(debater=debater)


@event("leipzig_debate")
def leipzig_debate(table: Table, power: str, moment: Moment) -> Procedure:
    """6: a debate; the Papacy names its own attacker, or a Protestant debater who is barred from it (18.5)."""
    zone = yield from choose(
        table, power, "language", lambda t: debates.zones_for(t, power), kind="debate", section="18.5", number=6
    )
    order = yield Ask(
        power, "debate", [NameDebater, Exclude], _first, context={"zone": zone, "number": 6}, section="18.5"
    )
    named = isinstance(order, NameDebater)
    table.tell("leipzig_debate", power=power, debater=order.debater, excluded=not named, section="18.5")
    yield from debates.debate(
        table,
        power,
        zone,
        attacker=order.debater if named else None,
        excluded=None if named else order.debater,
    )


def _first(table: Table, question: Question) -> Order:
    return next(question.legal(table))


@playable("leipzig_debate")
def _leipzig_debate(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if debates.zones_for(table, power) else Refused("no_debate_anywhere")


# --- 7: Here I Stand ---


@event("here_i_stand", moments=("impulse", "debate"))
def here_i_stand(table: Table, power: str, moment: Moment) -> Procedure:
    """7: in a debate of the German zone Luther steps in, and a card is drawn; else a discard is fetched (6.2)."""
    if moment.name == "debate":
        debates.replace_by_luther(table, moment["debate"])
        hands.draw_cards(table, power, table.kit.tables["card_numbers"]["7:cards"]["value"], "event_draw")
        return None
    card = yield from choose(
        table, power, "card", lambda t: hands.fetchable(t, power), kind="event_choice", section="6.2", number=7
    )
    table.card(card, hands.DISCARD, hands.hand(power), why="fetched", section="6.2")
    return (yield from _play_or_keep(table, power, card))


@playable("here_i_stand")
def _here_i_stand(table: Table, power: str, moment: Moment) -> Refused | None:
    if table.board.pieces["debater:luther"]["at"] == REMOVED:
        return Refused("luther_dead")
    if moment.name == "debate":
        return None if debates.luther_can_enter(table, moment["debate"]) else Refused("luther_not_in_debate")
    return None if hands.fetchable(table, power) else Refused("no_card_to_take")


def _play_or_keep(table: Table, power: str, card: str) -> Procedure:
    """6.2: a fetched card is kept, or played at once for CP or as an event."""

    def ways(table: Table) -> list[str]:
        as_event = BOOK.why_not(table, power, card) is None
        return ["keep", "play_for_cp"] + (["play_as_event"] if as_event else [])

    way = yield from choose(
        table, power, "option", ways, kind="event_choice", section="6.2", number=7, card=int(card)
    )
    if way == "keep":
        return None
    if way == "play_for_cp":
        cp = hands.cp_of(table, card)
        table.tell("card_for_cp", power=power, card=card, cp=cp, section="11")
        hands.put_away(table, card, hands.hand(power), "discard")
        return cp
    table.card(card, hands.hand(power), hands.IN_PLAY, section="11")
    table.tell("card_as_event", power=power, card=card, section="11")
    answers = yield from response(
        table, Moment("event_declared", power, {"card": card}), section="6.1", number=int(card)
    )
    if "cancel" in answers:
        hands.put_away(table, card, hands.IN_PLAY, "discard")
        return None
    hands.note_play(table, power, card)
    outcome = yield from BOOK.resolve(table, power, card, Moment("impulse", power))
    if card in table.board.piles.get(hands.IN_PLAY, ()):
        hands.put_away(table, card, hands.IN_PLAY, outcome.fate)
    return outcome.cp


# --- 13: Schmalkaldic League ---


@event("schmalkaldic_league")
def schmalkaldic_league(table: Table, power: str, moment: Moment) -> Procedure:
    """13: the league forms (21.6) if it can; else the card is discarded. In winter it forms in any case (19.8)."""
    reason = league.why_not_yet(table) if moment.name == "impulse" else None
    if reason:
        table.tell("no_league", power=power, section="21.6")
        return Outcome(fate="discard")
    yield from league.form(table)
    return Outcome(fate="removed")


# --- 15: Society of Jesus ---


@event("society_of_jesus")
def society_of_jesus(table: Table, power: str, moment: Moment) -> Procedure:
    """15: two universities; from now on the Papacy may found more (21.5)."""
    yield from church.society_of_jesus(table)


# --- 17: Council of Trent ---


@event("council_of_trent")
def council_of_trent(table: Table, power: str, moment: Moment) -> Procedure:
    """17: debaters of both sides meet (18.2); the card stays in the game (6.1)."""
    yield from debates.council_of_trent(table)


ORDERS: tuple[type[Order], ...] = (NameDebater, Exclude)
ACTIONS: tuple[Any, ...] = ()
