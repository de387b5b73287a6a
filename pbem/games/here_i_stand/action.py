"""11: the Action Phase. Impulses in impulse order; in one, each action is a step of its own, so a point of rest.

State while an impulse runs: ``active`` the power, ``card`` the number of the card that it played, ``cp_left`` the CP
not spent (absent before a card is played), ``impulse`` the number of the impulse in the game, ``passes`` how many
powers passed in a row; the mark ``turn:skipped`` lists those that lost an impulse meanwhile and have still to pass.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, ClassVar

from pbem.games.here_i_stand import cards, england, hands, registry
from pbem.games.here_i_stand.sequence import AGAIN
from pbem.games.reformation import marks, siege
from pbem.games.reformation.asking import Ask, Card, Moment, Pass, Respond, free_responses, response
from pbem.games.reformation.forces import make_change
from pbem.games.reformation.ground import siege_of
from pbem.games.reformation.rules import rules
from pbem.table.orders import Choice, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SKIPPED = "skipped"


def happens(table: Table) -> bool:
    """Every turn has an Action Phase."""
    return True


class PlayCard(Order):
    """Play a card of your hand for its CP, or as an event."""

    when = "for the start of your own impulse in the Action Phase"
    line = "PLAY {card} FOR {use}"
    card = Card()
    use = Choice("cp", "event")

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        if self.card not in hands.cards_of(table, power):
            raise Refused(f"you do not hold {table.kit.display('card', self.card)}", "6.1")
        if self.use == "cp":
            mandatory = hands.kind_of(table, self.card) == "mandatory"
            if mandatory and cards.why_not(table, power, self.card) is None:
                raise Refused("a mandatory event cannot be played for CP", "6.1", ["PLAY <card> FOR EVENT"])
        else:
            reason = cards.why_not(table, power, self.card)
            if reason:
                raise Refused(reason, "6.1")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in hands.cards_of(table, question.power):
            for use in ("cp", "event"):
                yield cls(card=card, use=use)


class End(Order):
    """End your impulse; CP not spent are lost."""

    line = "END IMPULSE"
    gives_turn_away = True


def start(table: Table) -> Procedure:
    """11: the phase begins with the first power in impulse order."""
    table.set("passes", 0)
    table.set("active", table.board.powers[0])
    return
    yield


def impulses(table: Table) -> Procedure:
    """11: one step of the phase: a card, or one action, or a pass; until six powers in a row have passed."""
    state = table.board.state
    if state["passes"] >= table.kit.constants["passes_that_end_actions"]:
        return None
    power = state["active"]
    if "cp_left" not in state:
        yield from begin_impulse(table, power)
    else:
        yield from one_action(table, power)
    return AGAIN


def end(table: Table) -> Procedure:
    """The phase is over."""
    marks.clear(table, "impulse")
    table.set("active", None)
    table.set("passes", None)
    return
    yield


# --- the impulse ---


def begin_impulse(table: Table, power: str) -> Procedure:
    """11: the power plays a card or passes. Under Mary I the Papacy may act instead (21.3)."""
    marks.clear(table, "impulse")
    hands.take_up(table)
    table.set("impulse", table.board.state["impulse"] + 1)
    others = [other for other in table.board.powers if other != power]
    yield from response(table, Moment("any_time", power), others, section="6.1")
    if marks.noted(table, "turn", "skips_impulse", power):
        return _skip(table, power)
    if england.papal_interference_due(table, power) and hands.cards_of(table, power):
        return (yield from england.marian_impulse(table))
    return (yield from choose_card(table, power))


def choose_card(table: Table, power: str) -> Procedure:
    """11: a card or a pass; response cards of the power's own may come before it, besides the card (6.1)."""
    order: Order = Pass()
    while hands.cards_of(table, power):
        order = yield Ask(
            power,
            "impulse",
            [PlayCard, Respond, Pass],
            _silent_impulse,
            context={"power": power, "turn": table.board.state["turn"]},
            section="11",
            moment=Moment("any_time", power),
            may_pass=lambda t: check_pass(t, power),
        )
        if not isinstance(order, Respond):
            break
        yield from respond(table, power, order)
        order = Pass()
    if not isinstance(order, PlayCard):
        return (yield from passes(table, power))
    no_pass(table)
    if order.use == "cp":
        return play_for_cp(table, power, order.card)
    return (yield from play_as_event(table, power, order.card))


def respond(table: Table, power: str, order: Respond) -> Procedure:
    """6.1: a response card of the active power itself interrupts its impulse and is not its card."""
    yield from rules(table).play_card(table, power, order.card, Moment("any_time", power))


def check_pass(table: Table, power: str) -> None:
    """11: no pass with a home card or a mandatory event in hand, nor with more cards than the ruler may keep."""
    held = hands.cards_of(table, power)
    if any(hands.kind_of(table, card) == "home" for card in held):
        raise Refused("you may not pass while you hold a home card", "11")
    if any(hands.kind_of(table, card) == "mandatory" for card in held):
        raise Refused("you may not pass while you hold a mandatory event", "11")
    rating = ruler(table, power)["admin_rating"]
    if len(held) > rating:
        raise Refused(f"you hold {len(held)} cards; your ruler's administrative rating is {rating}", "11")


def ruler(table: Table, power: str) -> Any:
    """The ruler of a power, as the kit describes him (3.3)."""
    return table.kit.tables["rulers"][table.board.state["ruler"][power]]


def _silent_impulse(table: Table, question: Question) -> Order:
    """Silence: a pass where it is legal, else the card of least CP for CP, else a mandatory event."""
    try:
        check_pass(table, question.power)
    except Refused:
        legal = list(PlayCard.legal(table, question))
        return min(legal, key=lambda o: (o.use == "event", hands.cp_of(table, o.card), int(o.card)))
    return Pass()


def passes(table: Table, power: str) -> Procedure:
    """11: a pass; the sixth in a row ends the phase.

    What comes before it may draw a mandatory event, which has to be played in this turn: then the power does not pass
    (6.1; option `mandatory_drawn_at_pass`).
    """
    yield from england.before_pass(table, power)
    drawn = any(hands.kind_of(table, card) == "mandatory" for card in hands.cards_of(table, power))
    if drawn and table.options["mandatory_drawn_at_pass"] == "play":
        return (yield from choose_card(table, power))
    table.tell("pass", power=power, section="11")
    _count_pass(table, power)
    return next_power(table)


def _count_pass(table: Table, power: str) -> None:
    """11: one more power has passed in a row. Who passes again, while others have still to pass, is counted already."""
    number, skipped = table.board.state["passes"], marks.mark(table, "turn", SKIPPED, [])
    if power not in skipped and number + len(skipped) >= table.kit.constants["passes_that_end_actions"]:
        return
    marks.set_mark(table, "turn", SKIPPED, [one for one in skipped if one != power] or None)
    table.set("passes", number + 1)


def no_pass(table: Table) -> None:
    """11: a power plays a card: the passes in a row begin anew."""
    table.set("passes", 0)
    marks.set_mark(table, "turn", SKIPPED, None)


def next_power(table: Table) -> None:
    """The next power in impulse order is active."""
    powers = table.board.powers
    table.set("card", None)
    table.set("cp_left", None)
    table.set("active", powers[(powers.index(table.board.state["active"]) + 1) % len(powers)])


def _skip(table: Table, power: str) -> None:
    """Card 38: an impulse is lost. That is no pass: the power has still to pass before the phase ends (11)."""
    left = [one for one in marks.mark(table, "turn", "skips_impulse", []) if one != power]
    marks.set_mark(table, "turn", "skips_impulse", left or None)
    table.tell("impulse_skipped", power=power)
    marks.note(table, "turn", SKIPPED, power)
    next_power(table)


def end_impulse(table: Table) -> None:
    """The impulse is over; CP not spent are lost (11.1)."""
    marks.clear(table, "impulse")
    next_power(table)


def play_for_cp(table: Table, power: str, card: str) -> None:
    """11: the CP printed on the card, to be spent action by action."""
    mandatory = hands.kind_of(table, card) == "mandatory"
    if mandatory and cards.find(table.kit, card) is None:
        # Only while nobody has written the event: the play-out must be able to go on.
        table.tell("event_missing", power=power, number=int(card), section="6.1")
    cp = table.kit.constants["mandatory_cp"] if mandatory else hands.cp_of(table, card)
    hands.put_away(table, card, hands.hand(power), "discard")
    table.tell("card_for_cp", power=power, card=card, cp=cp, section="11")
    give_cp(table, power, card, cp)


def give_cp(table: Table, power: str, card: str, cp: int) -> None:
    """CP for actions, or the end of the impulse where there are none."""
    if cp <= 0:
        return end_impulse(table)
    table.set("card", int(card))
    return table.set("cp_left", cp)


def play_as_event(table: Table, power: str, card: str) -> Procedure:
    """11, 6.1: the event, then the CP that it gives (a mandatory event: 2)."""
    table.set("card", int(card))
    table.card(card, hands.hand(power), hands.IN_PLAY, section="11")
    table.tell("card_as_event", power=power, card=card, section="11")
    moment = Moment("event_declared", power, {"card": card})
    answers = yield from response(table, moment, section="6.1", number=int(card))
    if "cancel" in answers:
        # 6.1: The Wartburg; the card is spent and the impulse over.
        hands.put_away(table, card, hands.IN_PLAY, "discard")
        return end_impulse(table)
    hands.note_play(table, power, card)
    outcome = yield from cards.resolve(table, power, card, Moment("impulse", power))
    if card in table.board.piles.get(hands.IN_PLAY, ()):
        hands.put_away(table, card, hands.IN_PLAY, outcome.fate)
    yield from siege.check_sieges(table)
    if table.board.state["active"] != power or table.board.state["phase"] != "action":
        return None
    give_cp(table, power, card, outcome.cp)
    if outcome.cp > 0:
        yield from free_responses(table, power)
    return None


# --- actions ---


class Action(Order):
    """Base of all actions. A subclass names its line in the action table, checks, and carries itself out.

    `action` is the row of the kit's table ``actions``; `cost` may be overridden. `check_action` raises `Refused`;
    `procedure` is the action after its CP are spent.
    """

    action: ClassVar[str] = ""
    when: ClassVar[str] = "an action of your own impulse in the Action Phase, when you have CP to spend"

    def cost(self, table: Table, power: str) -> int | None:
        """The CP that the action costs a power (11.1); None where the power does not have it."""
        return table.kit.tables["actions"][self.action][power]

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        cost = self.cost(table, power)
        if cost is None:
            raise Refused(f"{table.kit.display('power', power)} does not have this action", "11.1")
        left = table.board.state.get("cp_left", 0)
        if cost > left:
            raise Refused(f"that costs {cost} CP; you have {left} left", "11.1")
        if isinstance(question, Ask) and question.among and self.id() not in question.among(table):
            raise Refused("this action is not among those allowed now", question.section)
        self.check_action(table, power)

    def check_action(self, table: Table, power: str) -> None:
        """Raise `Refused` when the rules do not allow the action now."""

    def procedure(self, table: Table, power: str) -> Procedure:
        """The action itself."""
        raise NotImplementedError

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        """One legal action: candidates in an order by chance, the first that is legal."""
        found = list(cls.candidates(table, question))
        chance.shuffle(found)
        return next((order for order in found if question.is_legal(table, order)), None)


def one_action(table: Table, power: str) -> Procedure:
    """11.1: the power names an action, pays for it, and it is resolved whole; or it ends its impulse."""
    order = yield Ask(
        power,
        "action",
        [*registry.actions(), Respond, End],
        End(),
        context={"power": power, "cp_left": table.board.state["cp_left"]},
        section="11.1",
        moment=Moment("any_time", power),
    )
    if isinstance(order, End):
        return end_impulse(table)
    if isinstance(order, Respond):
        return (yield from respond(table, power, order))
    yield from carry_out(table, power, order)
    if table.board.state["active"] != power:
        return None
    if not goes_on(table, power):
        # The window after this action is the one in which the next impulse begins.
        return end_impulse(table)
    make_change(table)
    yield from free_responses(table, power)
    return None


def goes_on(table: Table, power: str) -> bool:
    """Whether there are CP left, or the free assault of card 42 that a besieger could still make."""
    if table.board.state.get("cp_left"):
        return True
    leader = marks.mark(table, "impulse", "roxelana")
    at = table.board.pieces[f"leader:{leader}"]["at"] if leader else None
    return at is not None and power in (siege_of(table, at) or {"by": {}})["by"]


def carry_out(table: Table, power: str, order: Any) -> Procedure:
    """Pay for an action and resolve it, with what follows from it (broken sieges)."""
    marks.clear(table, "action")
    spend(table, order.cost(table, power), order.action)
    yield from order.procedure(table, power)
    yield from siege.check_sieges(table)
    marks.clear(table, "action")


def spend(table: Table, cp: int, why: str | None = None) -> None:
    """Spend CP of the impulse; responses may take some too (Foul Weather, Gout), never below nought."""
    table.set("cp_left", max(0, table.board.state.get("cp_left", 0) - cp), why=why)


def limited_actions(table: Table, power: str, cp: int, kinds: tuple[str, ...], section: str) -> Procedure:
    """CP that an event gives to a power for certain actions only (Foreign Recruits, Scots Raid), spent at once.

    `kinds` are ids of orders. The impulse's own ``cp_left`` is set aside meanwhile.
    """
    before = table.board.state.get("cp_left")
    table.set("cp_left", cp)
    while table.board.state.get("cp_left"):
        order = yield Ask(
            power,
            "action",
            [*registry.actions(kinds), End],
            End(),
            context={"power": power, "cp_left": table.board.state["cp_left"]},
            section=section,
        )
        if isinstance(order, End):
            break
        yield from carry_out(table, power, order)
        if table.board.state.get("cp_left"):
            yield from free_responses(table, power)
    table.set("cp_left", before)


SEGMENTS = (("start", start), ("impulses", impulses), ("end", end))
ORDERS: tuple[type[Order], ...] = (PlayCard, End)
