"""Asking: choices from a function, and the windows of a moment in which cards may be played, for any game.

A `Choose` is an order whose legal values a function works out from the table when it is asked for them; a game has one
for each kind of thing that its rules let choose. `response` opens the window of a moment to those who may answer it
with a card, `cards_of_side` asks one side. Which cards these are, and what they do, the rules of the game say
(`CardRules`, its `Game.rules`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from marshmallow import fields, validate

from pbem.table import orders
from pbem.table.kit import Kit
from pbem.table.orders import Field, Name, Number, Order, Question, Refused
from pbem.table.questions import AnyOf, Procedure
from pbem.table.table import Table

EVERYONE = "everyone"


class CardRules(Protocol):
    """What the rules of a game say of cards that are played at a moment."""

    card_section: str | None
    """The section of the book that says when cards may be played, for refusals."""

    def playable(self, table: Table, power: str, moment: Moment) -> Sequence[str]:
        """The cards of a power's hand that may be played at a moment."""

    def answerable(self, table: Table, moment: Moment) -> bool:
        """Whether any card of the game can be played at such a moment at all, whoever holds it."""

    def play_card(self, table: Table, power: str, card: str, moment: Moment) -> Procedure:
        """The card takes effect as a response or combat card; its value tells the procedure that waits."""

    def of_moment(self, table: Table, moment: Moment) -> dict[str, Any]:
        """What all may know of a moment besides its name and power, JSON values, for standing orders and pages."""


def card_rules(table: Table) -> CardRules:
    """The rules for cards of the game on the table."""
    return table.game.rules


def asks_everyone(table: Table, moment: Moment) -> bool:
    """Whether everyone is asked alike, able or not, so that a window tells nothing (option `response_windows`).

    Nobody is where no card of the game answers such a moment: that tells nothing either.
    """
    return table.options["response_windows"] == EVERYONE and card_rules(table).answerable(table, moment)


class Card(Name):
    """A card, by its name in any language or by its number."""

    def __init__(self, **more: Any):
        super().__init__("card", **more)


@dataclass
class Moment:
    """A moment at which cards may be played: its name and what they need to know of it.

    `name` is one of the names in the contract of the game (a battle is announced, dice were thrown); `power` is whose
    action it is; `data` holds names and the objects that a card may change (a battle).
    """

    name: str
    power: str
    data: dict[str, Any] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        return self.data[key]


@dataclass
class Ask(Question):
    """A question with what its orders need beyond the board and the JSON context.

    `among(table)` gives the ids that a CHOOSE may name; `moment` is what a card would be played at.
    """

    among: Callable[[Table], Sequence[str]] | None = None
    moment: Moment | None = None
    may_pass: Callable[[Table], None] | None = None
    """Raises `Refused` where a pass is not allowed."""
    least: int = 0
    most: int = 0
    whole: Callable[[Table, Question], list[str]] | None = None
    """Gives the lines of `whole_mail`."""
    possible: Callable[[Table, Question], list[str]] | None = None
    """Gives the ids of `possible_now`."""

    def whole_mail(self, table: Table) -> list[str]:
        """See `Question`."""
        return self.whole(table, self) if self.whole is not None else []

    def possible_now(self, table: Table) -> list[str]:
        """See `Question`."""
        return self.possible(table, self) if self.possible is not None else []

    def check(self, table: Table, order: Order) -> None:
        """Refuse an order that belongs elsewhere with the words where it does (its class attribute ``elsewhere``)."""
        elsewhere = getattr(order, "elsewhere", None)
        if type(order) not in self.orders and elsewhere:
            verbs = list(dict.fromkeys(kind.usage() for kind in self.orders))
            raise Refused(elsewhere, hints=verbs, verb=order.pattern.verb, question=self.kind)
        super().check(table, order)


class Pass(orders.Pass):
    """Do nothing here."""

    line = "PASS"

    def check(self, table: Table, question: Question) -> None:
        if isinstance(question, Ask) and question.may_pass is not None:
            question.may_pass(table)


# --- choices ---


class Choose(Order):
    """Base of the orders that name one of the things a question offers."""

    what = ""

    def check(self, table: Table, question: Question) -> None:
        offered = _offered(table, question)
        value = getattr(self, self.what)
        if value not in offered:
            lines = [type(self)(**{self.what: id}).text() for id in offered[:8]]
            raise Refused("not_to_be_chosen", question.section, lines, what=self.what, value=value)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Self]:
        for id in _offered(table, question):
            yield cls(**{cls.what: id})

    @classmethod
    def legal(cls, table: Table, question: Question) -> Iterator[Self]:
        """What is offered is legal, and nothing else: it need not be worked out again for each."""
        return cls.candidates(table, question)


def _offered(table: Table, question: Question) -> Sequence[str]:
    return question.among(table) if isinstance(question, Ask) and question.among else ()


class Keyword(Field):
    """One word of those that a question offers."""

    form = "one of the words that you are offered"
    takes_any_words = True

    def read(self, words: Sequence[str], names: Kit) -> str:
        return "_".join(word.casefold() for word in words)

    def write(self, value: str) -> str:
        return value.replace("_", " ").upper()

    def schema_field(self) -> fields.Field:
        return fields.String(validate=validate.Length(min=1, max=60), **self._common())


class ChooseOption(Choose):
    """Choose one of the ways that are offered, by its word."""

    line = "CHOOSE OPTION {option}"
    what = "option"
    option = Keyword()


class ChooseNumber(Order):
    """Choose a number."""

    line = "CHOOSE NUMBER {number}"
    number = Number(0, 100)

    def check(self, table: Table, question: Question) -> None:
        least, most = (question.least, question.most) if isinstance(question, Ask) else (0, 0)
        if not least <= self.number <= most:
            raise Refused("number_out_of_range", question.section, least=least, most=most)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        if isinstance(question, Ask):
            for number in range(question.least, question.most + 1):
                yield cls(number=number)


class Yes(Order):
    """Say yes to what is asked."""

    line = "YES"
    says = True


class No(Order):
    """Say no to what is asked."""

    line = "NO"
    says = False


class Stop(Pass):
    """Make no more use of what is offered."""

    line = "STOP"


def _chooser(table: Table, what: str) -> type[Choose]:
    """The order of the game that names one thing of a kind. Raises `LookupError` where it has none."""
    for kind in table.game.orders:
        if issubclass(kind, Choose) and kind.what == what:
            return kind
    raise LookupError(f"no order of {table.game.id} chooses a {what}")


def choose(
    table: Table,
    power: str,
    what: str,
    among: Callable[[Table], Sequence[str]],
    *,
    kind: str = "event_choice",
    optional: bool = False,
    hidden: bool = False,
    section: str | None = None,
    **context: Any,
) -> Procedure:
    """Ask a power to choose one thing: ``space = yield from choose(table, power, "space", lambda t: [...])``.

    `what` is that of one of the game's orders of the kind `Choose` (``option``: any words). Nobody is asked when
    nothing can be chosen (value None), nor when just one thing can be and it is not optional. Silence takes the first,
    or stops when it is optional. Value: the id, or None.
    """
    offered = list(among(table))
    if not hidden and not offered:
        return None
    if not hidden and len(offered) == 1 and not optional:
        return offered[0]
    order_kind = _chooser(table, what)

    def default(table: Table, question: Question) -> Order:
        return Stop() if optional else next(order_kind.legal(table, question), Stop())

    def may_stop(table: Table) -> None:
        if not optional and among(table):
            raise Refused("choose_something", section, what=what)

    orders: list[type[Order]] = [order_kind, Stop] if optional or hidden else [order_kind]
    answer = yield Ask(
        power,
        kind,
        orders,
        default,
        context={"choose": what, **context},
        section=section,
        among=among,
        may_pass=may_stop,
    )
    return None if isinstance(answer, Stop) else getattr(answer, what)


def confirm(
    table: Table, power: str, kind: str, *, default: bool = False, section: str | None = None, **context: Any
) -> Procedure:
    """Ask a power yes or no; silence is `default`. Value: bool."""
    answer = yield Ask(power, kind, [Yes, No], Yes() if default else No(), context=dict(context), section=section)
    return isinstance(answer, Yes)


def choose_number(
    table: Table,
    power: str,
    least: int,
    most: int,
    *,
    kind: str = "event_choice",
    section: str | None = None,
    **context: Any,
) -> Procedure:
    """Ask a power for a number; nobody is asked when there is only one. Silence is the least. Value: int."""
    if least >= most:
        return least
    answer = yield Ask(
        power,
        kind,
        [ChooseNumber],
        ChooseNumber(number=least),
        context=dict(context),
        section=section,
        least=least,
        most=most,
    )
    return answer.number


# --- cards at a moment ---


class Respond(Order):
    """Play a response or combat card at this moment."""

    line = "PLAY {card}"
    card = Card()

    def check(self, table: Table, question: Question) -> None:
        moment = question.moment if isinstance(question, Ask) else None
        if moment is None or self.card not in table.board.piles.get(f"hand:{question.power}", ()):
            raise Refused("card_not_held", card_rules(table).card_section, card=self.card)
        if self.card not in card_rules(table).playable(table, question.power, moment):
            # The other order that begins like this one: the player may have left FOR out.
            same = [kind.usage() for kind in question.orders if kind.pattern.verb == self.pattern.verb]
            hints = [usage for usage in same if usage != self.usage()]
            raise Refused("card_not_now", card_rules(table).card_section, hints, card=self.card)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        if isinstance(question, Ask) and question.moment is not None:
            for card in card_rules(table).playable(table, question.power, question.moment):
                yield cls(card=card)


def moment_context(table: Table, moment: Moment, context: dict[str, Any]) -> dict[str, Any]:
    """What a window says of its moment to everybody: moment, power, what the rules tell of it, and what it is given."""
    return {"moment": moment.name, "power": moment.power, **card_rules(table).of_moment(table, moment), **context}


def able(table: Table, power: str, moment: Moment) -> bool:
    """Whether a power holds a card that it may play at a moment. Secret: never tell what comes of it."""
    return bool(card_rules(table).playable(table, power, moment))


def _asks_for_card(
    table: Table, power: str, moment: Moment, kind: str, section: str | None, context: dict[str, Any]
) -> Ask:
    """Ask a power for a card that it may play at a moment; silence plays none."""
    return Ask(
        power,
        kind,
        [Respond, Pass],
        Pass(),
        context=moment_context(table, moment, context),
        section=section,
        moment=moment,
    )


def response(
    table: Table,
    moment: Moment,
    powers: Sequence[str] | None = None,
    *,
    kind: str = "response",
    section: str | None = None,
    **context: Any,
) -> Procedure:
    """Open the response window of a moment until nobody plays a card any more.

    `powers`: who may answer (all, in the order of play). With option `response_windows` ``everyone`` all of them are
    asked, in the same form at the same time, whoever holds a card; with ``able`` only those who could play one, and
    nobody is asked where nobody could. The context holds what all may see, JSON values, and never a card.
    Value: the list of what the cards' functions returned that is not None; ``"stop"`` among them ends the window.
    """
    results: list[Any] = []
    everyone = asks_everyone(table, moment)
    while True:
        asked = [
            power
            for power in (table.board.powers if powers is None else powers)
            if everyone or able(table, power, moment)
        ]
        if not asked:
            return results
        answer = yield AnyOf([_asks_for_card(table, power, moment, kind, section, context) for power in asked])
        if answer is None:
            return results
        power, order = answer
        result = yield from card_rules(table).play_card(table, power, order.card, moment)
        if result is not None:
            results.append(result)
        if result == "stop":
            return results


def cards_of_side(
    table: Table, power: str, moment: Moment, *, kind: str, section: str | None = None, **context: Any
) -> Procedure:
    """Ask one side for cards at a moment, one after another, until it passes.

    Where everyone is asked alike, the side is asked whether it holds any or not.
    """
    while asks_everyone(table, moment) or able(table, power, moment):
        answer = yield _asks_for_card(table, power, moment, kind, section, context)
        if isinstance(answer, Pass):
            return
        yield from card_rules(table).play_card(table, power, answer.card, moment)


ORDERS: tuple[type[Order], ...] = (Pass, Respond, ChooseOption, ChooseNumber, Yes, No, Stop)
