"""11: what a power does with its impulse: it plays a card for CP or as an event, or passes.

The state while an impulse runs is told in `action`.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.reformation import hands, marks, siege
from pbem.games.reformation.choices import free_responses
from pbem.games.reformation.house import house
from pbem.games.reformation.rules import rules
from pbem.table.asking import Ask, Card, Moment, Pass, Respond, response
from pbem.table.orders import Choice, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SKIPPED = "skipped"
EXTENDING = "extending"
"""State: true while a power whose CP are spent is asked whether it goes on."""


class PlayCard(Order):
    """Play a card of your hand for its CP, or as an event."""

    elsewhere = "for_own_impulse"
    line = "PLAY {card} FOR {use}"
    card = Card()
    use = Choice("cp", "event")

    def check(self, table: Table, question: Question) -> None:
        power = question.power
        if self.card not in hands.cards_of(table, power):
            raise Refused("card_not_held", "6.1", card=self.card)
        if self.use == "cp":
            mandatory = hands.kind_of(table, self.card) == "mandatory"
            if mandatory and house(table).book.why_not(table, power, self.card) is None:
                raise Refused("mandatory_not_for_cp", "6.1", hint=f"PLAY {self.card} FOR EVENT", card=self.card)
        else:
            reason = house(table).book.why_not(table, power, self.card)
            if reason:
                raise reason.under("6.1")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in hands.cards_of(table, question.power):
            for use in ("cp", "event"):
                yield cls(card=card, use=use)


class End(Order):
    """End your impulse; CP not spent are lost."""

    line = "END IMPULSE"
    gives_turn_away = True


def whole_impulse(table: Table, question: Question) -> list[str]:
    """A whole impulse as the lines of one mail: the least card for its CP, an action that these pay for, and the end.

    The card is played at a table of its own, which asks nobody, throws nothing and is put away: so nothing is told that
    the power does not see before it.
    """
    power = question.power
    for_cp = (order for order in PlayCard.legal(table, question) if isinstance(order, PlayCard) and order.use == "cp")
    card = min(for_cp, key=lambda order: hands.cp_of(table, order.card), default=None)
    if card is None:
        return []
    trial = Table(table.board.copy(), table.kit, table.options, game=table.game)
    play_for_cp(trial, power, card.card)
    left = trial.board.state.get("cp_left")
    if not left:
        return [card.text()]
    actions = house(trial).actions
    asked = Ask(power, "action", [*actions, End], context={"power": power, "cp_left": left}, section="11.1")
    first = next((order for kind in actions for order in kind.legal(trial, asked)), None)
    lines = [card.text()] if first is None else [card.text(), first.text()]
    spent = getattr(first, "cost", lambda *_: 0)(trial, power)
    return lines if spent == left else [*lines, End().text()]


def possible_actions(table: Table, question: Question) -> list[str]:
    """The rows of the table of actions that the CP left pay for and of which there is a legal order now."""
    found = {""}
    for kind in question.orders:
        if kind not in house(table).actions:
            continue
        for order in kind.candidates(table, question):
            row = order.row(table)  # type: ignore[attr-defined]  # all of these are actions
            if row not in found and question.is_legal(table, order):
                found.add(row)
    return [row for row in table.kit.tables["actions"] if row in found]


def possible_in_impulse(table: Table, question: Question) -> list[str]:
    """The same in an impulse that has not begun, with the card of most CP, played as for `whole_impulse`."""
    power = question.power
    for_cp = (order for order in PlayCard.legal(table, question) if isinstance(order, PlayCard) and order.use == "cp")
    card = max(for_cp, key=lambda order: hands.cp_of(table, order.card), default=None)
    if card is None:
        return []
    trial = Table(table.board.copy(), table.kit, table.options, game=table.game)
    play_for_cp(trial, power, card.card)
    if not (left := trial.board.state.get("cp_left")):
        return []
    asked = Ask(power, "action", [*house(trial).actions], context={"power": power, "cp_left": left}, section="11.1")
    return possible_actions(trial, asked)


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
            whole=whole_impulse,
            possible=possible_in_impulse,
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
        raise Refused("no_pass_with_home_card", "11")
    if any(hands.kind_of(table, card) == "mandatory" for card in held):
        raise Refused("no_pass_with_mandatory", "11")
    rating = house(table).admin_rating(table, power)
    if len(held) > rating:
        raise Refused("no_pass_with_so_many", "11", cards=len(held), rating=rating)


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
    yield from house(table).before_pass(table, power)
    drawn = any(hands.kind_of(table, card) == "mandatory" for card in hands.cards_of(table, power))
    if drawn and table.options["mandatory_drawn_at_pass"] == "play":
        return (yield from choose_card(table, power))
    table.tell("pass", power=power, section="11")
    _count_pass(table, power)
    return next_power(table)


def passes_that_end(table: Table) -> int:
    """11: how many passes in a row end the phase: one of each power that has impulses."""
    return min(table.kit.constants["passes_that_end_actions"], len(table.board.powers))


def _count_pass(table: Table, power: str) -> None:
    """11: one more power has passed in a row. Who passes again, while others have still to pass, is counted already."""
    number, skipped = table.board.state["passes"], marks.mark(table, "turn", SKIPPED, [])
    if power not in skipped and number + len(skipped) >= passes_that_end(table):
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


def end_impulse(table: Table) -> None:
    """The impulse is over; CP not spent are lost (11.1). A power that may extend it is asked in the next step."""
    if house(table).extends(table, table.board.state["active"]):
        table.set("cp_left", None)
        table.set(EXTENDING, True)
        return
    leave_impulse(table)


def leave_impulse(table: Table) -> None:
    """The impulse is over, and nothing extends it."""
    marks.clear(table, "impulse")
    next_power(table)


def play_for_cp(table: Table, power: str, card: str) -> None:
    """11: the CP printed on the card, to be spent action by action."""
    mandatory = hands.kind_of(table, card) == "mandatory"
    if mandatory and house(table).book.find(table.kit, card) is None:
        # Only while nobody has written the event: the play-out must be able to go on.
        table.tell("event_missing", power=power, number=int(card), section="6.1")
    cp = table.kit.constants["mandatory_cp"] if mandatory else hands.cp_of(table, card)
    hands.put_away(table, card, hands.hand(power), "discard")
    table.tell("card_for_cp", power=power, card=card, cp=cp, section="11")
    give_cp(table, card, cp)


def give_cp(table: Table, card: str, cp: int) -> None:
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
    house(table).event_noted(table, power, card)
    outcome = yield from house(table).book.resolve(table, power, card, Moment("impulse", power))
    if card in table.board.piles.get(hands.IN_PLAY, ()):
        hands.put_away(table, card, hands.IN_PLAY, outcome.fate)
    yield from siege.check_sieges(table)
    if table.board.state["active"] != power or table.board.state["phase"] != "action":
        return None
    give_cp(table, card, outcome.cp)
    if outcome.cp > 0:
        yield from free_responses(table, power)
    return None
