"""9.1: deals that change the game: clauses, packages of clauses, their announcement and confirmation.

A clause is written like an order, without a verb of its own that asks anything: ``ALLIANCE WITH france``. A package is
a number of its announcer's and clauses; it stands or falls as a whole. Announcements are sealed until the window
closes (`Talks`); each party later in impulse order then confirms or refuses whole packages. The clauses themselves are
each game's own: subclasses of `Clause`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

from marshmallow import ValidationError, fields

from pbem.games.reformation.house import house
from pbem.games.reformation.relations import seat_of
from pbem.table import loose
from pbem.table.grammar import Line, Wanted, means_all
from pbem.table.inflected import means
from pbem.table.kit import Kit
from pbem.table.orders import (
    LONGEST_NAME,
    MAX_LINE_LENGTH,
    Field,
    Many,
    Name,
    Number,
    Order,
    Phrases,
    Refused,
    Unreadable,
    find_in,
    shortened,
)
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import InOrder, Question, Window

SECTION = "9.1"
MOST_PACKAGES = 20


Choices = dict[str, dict[str, list[Any]]]
"""What a form offers for the fields of a clause: the field → whose they are ("" for nobody's) → values."""


class Clause(Order):
    """One clause of a package. A subclass gives its line, who are its parties, when it is legal, and what it does."""

    rank: ClassVar[int] = 0
    """In which order the clauses of a package take effect: the book's."""
    offered: ClassVar[bool] = True
    """False for a clause that is known only to be refused with its reason."""
    own_by_default: ClassVar[tuple[str, ...]] = ()
    """The fields that name the announcer where they are left out."""
    gives_land: ClassVar[bool] = False
    """Whether it gives spaces away: nobody's first thought."""
    stands_alone: ClassVar[bool] = True
    """False for a clause that is allowed only beside another one."""

    def filled(self, announcer: str) -> Clause:
        """The clause with the announcer written in where it was left out."""
        values = self.values()
        for name in self.own_by_default:
            values.setdefault(name, announcer)
        return type(self)(**values)

    def parties(self, table: Table) -> list[str]:
        """The major powers that the clause binds. Raises `Refused` where the board gives none."""
        raise NotImplementedError

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        """Raise `Refused` where the rules do not allow the clause in this package.

        `final`: it is to take effect now; before that, what another announcement may yet bring about is let pass.
        """

    def effect(self, table: Table, package: Package) -> Procedure:
        """The change of the game."""
        raise NotImplementedError

    def needs(self, table: Table, announcer: str) -> list[Clause]:
        """The clauses without which this one comes to nothing, as an example shows them before it."""
        return []

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        """Clauses worth a check, for random play and forms: with one of the partners."""
        return iter(())

    @classmethod
    def choices(cls, table: Table, power: str, partners: Sequence[str]) -> Choices | None:
        """What a form offers for the names of the clause; None where the clause can do nothing now.

        As a rule it is what stands in the ideas that are allowed; of who gives and who gets something it is all the
        powers, the likely one first. An announcer makes deals of his own: whose the others are is for words.
        """
        ideas = list(cls.ideas(table, power, partners))
        if cls.stands_alone:
            ideas = [one for one in ideas if one.is_allowed(table, power)]
        if not ideas:
            return None
        offered: Choices = {}
        for name, definition in cls.fields.items():
            values = [value for one in ideas if (value := getattr(one, name)) is not None]
            if name == "party":
                continue
            if definition.wanted().get("kinds") == ["power"] and (definition.optional or name == "taker"):
                values = [power, *partners] if name in cls.own_by_default else [*partners, power]
            if values and isinstance(values[0], str):
                offered[name] = {"": list(dict.fromkeys(values))}
        return offered

    def is_allowed(self, table: Table, announcer: str) -> bool:
        """Whether a package of the clause alone may be announced."""
        whole = self.filled(announcer)
        try:
            whole.check_clause(table, Package(1, announcer, [whole]), final=False)
        except Refused:
            return False
        return True

    def to_clause(self) -> dict[str, Any]:
        """The clause as JSON."""
        return {"clause": self.id(), **self.values()}


@dataclass
class Package:
    """Clauses that stand or fall together."""

    number: int
    power: str
    """Who announces it."""
    clauses: list[Clause]
    places: dict[str, str] = field(default_factory=dict)
    """Party -> the space that it named when it confirmed."""

    def parties(self, table: Table) -> list[str]:
        """All powers that the package binds, in impulse order. Raises `Refused`."""
        powers = {power for clause in self.clauses for power in clause.parties(table)}
        return [power for power in table.board.powers if power in powers]

    def of_kind(self, kind: type[Clause]) -> list[Any]:
        """The clauses of one kind."""
        return [clause for clause in self.clauses if isinstance(clause, kind)]

    def lines(self) -> list[str]:
        """The clauses as they would be written."""
        return [clause.text() for clause in self.clauses]


# --- how clauses are written ---


class Clauses(Phrases):
    """Clauses separated by commas or AND; held as a list of JSON objects."""

    def __init__(self, kinds: Sequence[type[Clause]], **more: Any):
        super().__init__(most=MAX_LINE_LENGTH, **more)
        self.kinds = {kind.id(): kind for kind in kinds}
        self.verbs = {kind.pattern.verb.casefold() for kind in kinds}
        self.help = self.help or "; ".join(self.usages())

    def read(self, words: Sequence[str], names: Kit) -> list[dict[str, Any]]:  # type: ignore[override]
        return [self._read_one(chunk, names).to_clause() for chunk in self._split(words, names)]

    def _split(self, words: Sequence[str], names: Kit) -> list[list[str]]:
        """A clause begins at one of the verbs, at the start or after a comma or AND; lists within it keep theirs."""
        chunks: list[list[str]] = []
        joining = {",", *names.words("and")}
        after = True
        for word in words:
            joins = word.casefold() in joining
            if after and self._is_verb(word, names):
                chunks.append([word])
            elif chunks:
                chunks[-1].append(word)
            elif not joins:
                raise Unreadable("no_clause_begins_so", self.usages(), said=shortened(word))
            after = joins
        for chunk in chunks:
            while chunk[-1].casefold() in joining:
                chunk.pop()
        if not chunks:
            raise Unreadable("no_clause", self.usages())
        return chunks

    def _is_verb(self, word: str, names: Kit) -> bool:
        """Whether a clause begins with a word, in whatever language."""
        return word.casefold() in self.verbs or any(means(word, f"like {verb}", names) for verb in self.verbs)

    def _read_one(self, words: Sequence[str], names: Kit) -> Clause:
        """A clause in the words of its line; one in other words (``alliance avec la France``) where they mean but
        one. Raises `Unreadable`."""
        problems: list[Unreadable] = []
        for kind in self.kinds.values():
            if kind.pattern.verb.casefold() != words[0].casefold():
                continue
            try:
                return kind.pattern.read(kind_words(words, kind.line), names)  # type: ignore[return-value]
            except Unreadable as error:
                problems.append(error)
        meant = [one for one in loose.read(self.kinds.values(), " ".join(words), names) if not one.missing]
        if len(meant) == 1:
            return loose.whole(meant[0])  # type: ignore[return-value]
        if not problems:
            raise Unreadable("no_clause_begins_so", self.usages(), said=shortened(" ".join(words)))
        if len(problems) == 1:
            raise problems[0]
        first, *others = problems
        raise first.with_hints([hint for problem in others for hint in problem.hints], first.at)

    def usages(self) -> list[str]:
        """The forms of all clauses, for help."""
        return [kind.usage() for kind in self.kinds.values() if kind.offered]

    def builds(self, table: Table, question: Question) -> list[tuple[type[Line], Choices]]:
        """The clauses that can be announced now, each with what its fields can name."""
        power, partners = question.power, partners_of(table, question)
        kinds = [kind for kind in self.kinds.values() if kind.offered]
        return [(kind, found) for kind in kinds if (found := kind.choices(table, power, partners)) is not None]

    def made(self, value: Sequence[Mapping[str, Any]]) -> list[Clause]:
        """The clauses of a value. Raises `ValidationError` for one that cannot be."""
        return [self._make(item) for item in value]

    def _make(self, item: Any) -> Clause:
        kind = self.kinds.get(str(item.get("clause"))) if isinstance(item, Mapping) else None
        if kind is None:
            raise ValidationError(f"a clause is one of {', '.join(self.kinds)}")
        return kind(**kind.schema().load({key: value for key, value in item.items() if key != "clause"}))

    def phrases(self, value: Sequence[Mapping[str, Any]]) -> list[str]:
        return [clause.text() for clause in self.made(value)]

    def write(self, value: Sequence[Mapping[str, Any]]) -> str:
        return ", ".join(self.phrases(value))

    def schema_field(self) -> fields.Field:
        return _ClausesSchema(self, **self._common())


class _ClausesSchema(fields.Field):
    def __init__(self, owner: Clauses, **more: Any):
        super().__init__(**more)
        self.owner = owner

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> list[dict[str, Any]]:
        if not isinstance(value, list) or not value:
            raise ValidationError("should be a list of clauses")
        return [clause.to_clause() for clause in self.owner.made(value)]


_PLURALS = {"card": "CARDS", "mercenary": "MERCENARIES", "squadron": "SQUADRONS", "corsair": "CORSAIRS", "in": "AT"}


def kind_words(words: Sequence[str], line: str) -> list[str]:
    """The plural for the singular, AT for IN, where the line of a clause has them; so that ``GIVE 1 CARD`` can be
    written too."""
    plurals = {word: plural for word, plural in _PLURALS.items() if plural in line.split() or f"[{plural}" in line}
    return [plurals.get(word.casefold(), word) for word in words]


class NumberOrAll(Field[Any]):
    """A whole number from 1, or ALL (held as 0)."""

    def read(self, words: Sequence[str], names: Kit) -> int:
        if means_all(words, names):
            return 0
        return Number(1, 99).read(words, names)

    def write(self, value: int) -> str:
        return str(value) if value else "ALL"

    def schema_field(self) -> fields.Field:
        return fields.Integer(strict=True, validate=lambda n: 0 <= n <= 99, **self._common())


class PackageNumber(Number):
    """The number of a package; a colon or full stop after it does not matter."""

    is_label = True

    def read(self, words: Sequence[str], names: Kit) -> int:
        if not words[0][:1].isdigit():
            raise Unreadable("package_number_first", least=self.least, most=self.most, said=shortened(words[0]))
        return super().read([word.rstrip(":.") for word in words], names)


class AnyPower(Field[str]):
    """A power, major or minor, by its name in any language."""

    widget = "choice"

    def wanted(self) -> Wanted:
        return {"kinds": ["power", "minor"]}

    def read(self, words: Sequence[str], names: Kit) -> str:
        text = " ".join(words)
        try:
            return find_in(names, ("power", "minor"), text)
        except Unreadable:
            space = names.find("space", text[:LONGEST_NAME])
            if space is None or names.tables["spaces"][space]["home"] != "independent":
                raise
        raise Unreadable("space_is_independent", space=space)

    def schema_field(self) -> fields.Field:
        return fields.String(validate=lambda text: 0 < len(text) <= 100, **self._common())


# --- the window ---


@dataclass
class TalkQuestion(Question):
    """A power's part in the negotiation window.

    `earlier`: its sealed announcements so far; `partners`: with whom alone it may deal (None: with all); `announcer`:
    who alone announces here, whatever the order of impulses (7; "": whoever comes first in it); `clauses`: the kinds
    there are.
    """

    earlier: list[Order] = field(default_factory=list)
    partners: list[str] | None = None
    announcer: str = ""
    clauses: Any = None

    def check_kind(self, kind: type[Order]) -> None:
        """7: where another power alone announces, this one only talks."""
        if self.announcer not in ("", self.power) and issubclass(kind, Announcement | Addition | Withdraw):
            raise Refused("announces_alone", self.section or SECTION, ["DONE"], power=self.announcer)
        super().check_kind(kind)


class Talks(Window):
    """The negotiation window: announcements, sealed until it closes, may be replaced, added to and withdrawn."""

    def add(self, answers: dict[str, Any], key: str, order: Order) -> None:
        super().add(answers, key, order)
        self._note(answers)

    def answers_from_json(self, data: Mapping[str, Any]) -> dict[str, Any]:
        answers = super().answers_from_json(data)
        self._note(answers)
        return answers

    def _note(self, answers: Mapping[str, Any]) -> None:
        for question in self.questions:
            if isinstance(question, TalkQuestion):
                question.earlier = list(answers.get(question.key, ()))


def announced(question: Question, number: int) -> Announcement | None:
    """A power's own announcement of a number, while it is sealed."""
    earlier = question.earlier if isinstance(question, TalkQuestion) else []
    return next((one for one in earlier if isinstance(one, Announcement) and one.package == number), None)


class Announcement(Order):
    """Base of the orders that announce a package; a game gives line and clauses."""

    is_open = True

    package: int
    clauses: Any

    @property
    def is_likely(self) -> bool:
        """Not where it gives land away, and nothing else comes of it."""
        return not all(clause.gives_land for clause in self._made())

    def giving(self) -> list[type[Order]]:
        return [type(clause) for clause in self._made() if clause.gives_land]

    @classmethod
    def may_come(cls, table: Table, question: Question) -> bool:
        """Not where its power comes last in impulse order: deals with others are announced by these."""
        return super().may_come(table, question) and bool(partners_of(table, question))

    def _made(self) -> list[Clause]:
        return cast(Clauses, self.fields["clauses"]).made(self.clauses)

    def check(self, table: Table, question: Question) -> None:
        package = package_of(self, question)
        check_package(table, package, question)

    def replace(self, earlier: list[Order]) -> list[Order]:
        """A package of the same number takes the place of the earlier one."""
        return [*(one for one in earlier if getattr(one, "package", None) != self.package), self]

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """A clause each in a package of the next free number; then those announced, which may be replaced."""
        assert isinstance(question, TalkQuestion)
        earlier = {one.package: one for one in question.earlier if isinstance(one, Announcement)}
        free = next((number for number in range(1, MOST_PACKAGES + 1) if number not in earlier), None)
        if free is not None:
            for clause in _usual_first(table, question):
                whole = [*clause.needs(table, question.power), clause]
                yield cls(package=free, clauses=[one.to_clause() for one in whole])
        yield from earlier.values()

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        """A package of one to three clauses by chance, or None where the few tried are not legal."""
        ideas = list(_ideas(table, question))
        chance.shuffle(ideas)
        kept: list[Clause] = []
        number = chance.randrange(1, 4)
        order = None
        for clause in ideas[:_TRIED]:
            tried = cls(package=number, clauses=[one.to_clause() for one in (*kept, clause)])
            if question.is_legal(table, tried):
                kept.append(clause)
                order = tried
            if len(kept) >= number:
                break
        return order


_TRIED = 12


def _usual_first(table: Table, question: Question) -> Iterator[Clause]:
    """The ideas of `_ideas`, one of each kind after the other, and at the end those that give land away for nothing."""
    assert isinstance(question, TalkQuestion) and question.clauses is not None
    kinds, partners = question.clauses.kinds.values(), partners_of(table, question)
    for gives_land in (False, True):
        ideas = [kind.ideas(table, question.power, partners) for kind in kinds if kind.gives_land == gives_land]
        yield from (clause for turn in itertools.zip_longest(*ideas) for clause in turn if clause is not None)


def _ideas(table: Table, question: Question) -> Iterator[Clause]:
    assert isinstance(question, TalkQuestion) and question.clauses is not None
    for kind in question.clauses.kinds.values():
        yield from kind.ideas(table, question.power, partners_of(table, question))


def partners_of(table: Table, question: Question) -> Sequence[str]:
    """The powers that a power may announce deals with in its talks: those after it in impulse order, unless it is the
    one announcer."""
    assert isinstance(question, TalkQuestion)
    powers = table.board.powers
    if not question.announcer:
        powers = powers[powers.index(question.power) + 1 :]
    return [power for power in question.partners or powers if power in powers and power != question.power]


class Addition(Order):
    """Base of the order that adds clauses to an announced package, so that one may be sent in several lines."""

    package: int
    clauses: Any

    def check(self, table: Table, question: Question) -> None:
        before = announced(question, self.package)
        if before is None:
            raise Refused("no_such_package", SECTION, hint="ANNOUNCE <package> <clauses>", number=self.package)
        self._joined(before).check(table, question)

    def _joined(self, before: Announcement) -> Announcement:
        return type(before)(package=self.package, clauses=[*before.clauses, *self.clauses])

    def replace(self, earlier: list[Order]) -> list[Order]:
        """The package with the clauses added takes the place of the earlier one."""
        return [
            self._joined(one) if isinstance(one, Announcement) and one.package == self.package else one
            for one in earlier
        ]

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        assert isinstance(question, TalkQuestion)
        numbers = [one.package for one in question.earlier if isinstance(one, Announcement)]
        if numbers:
            for clause in _ideas(table, question):
                yield cls(package=numbers[0], clauses=[clause.to_clause()])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        additions = list(cls.candidates(table, question))
        chance.shuffle(additions)
        return next((order for order in additions[:_TRIED] if question.is_legal(table, order)), None)


class Withdraw(Order):
    """Withdraw an announcement before the window closes."""

    line = "WITHDRAW {package}"
    package = PackageNumber(1, MOST_PACKAGES)

    def check(self, table: Table, question: Question) -> None:
        if announced(question, self.package) is None:
            raise Refused("no_such_package", SECTION, number=self.package)

    def replace(self, earlier: list[Order]) -> list[Order]:
        """The announcement of this number is gone."""
        return [one for one in earlier if getattr(one, "package", None) != self.package]

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        assert isinstance(question, TalkQuestion)
        for one in question.earlier:
            if isinstance(one, Announcement):
                yield cls(package=one.package)


def package_of(order: Announcement, question: Question) -> Package:
    """The package that an announcement stands for, with the announcer filled in."""
    assert isinstance(question, TalkQuestion) and question.clauses is not None
    clauses = question.clauses.made(order.clauses)
    return Package(order.package, question.power, [clause.filled(question.power) for clause in clauses])


def check_package(table: Table, package: Package, question: Question) -> None:
    """9.1: raise `Refused` where a package is beyond the rules, whoever would confirm it."""
    assert isinstance(question, TalkQuestion)
    if len({clause.text() for clause in package.clauses}) < len(package.clauses):
        raise Refused("clause_twice", SECTION)
    parties = package.parties(table)
    if package.power not in parties:
        raise Refused("no_party_to_package", SECTION)
    if question.partners is not None:
        others = [power for power in parties if power not in (package.power, *question.partners)]
        if others:
            raise Refused("deals_with_these_alone", question.section or SECTION, powers=list(question.partners))
    _check_pairs(table, package)
    for clause in package.clauses:
        clause.check_clause(table, package, False)
    if not question.announcer and parties[0] != package.power:
        raise Refused("announced_by_first", SECTION, power=parties[0])


def _check_pairs(table: Table, package: Package) -> None:
    """Raise `Refused` where two parties of a clause may make no deal at all."""
    for clause in package.clauses:
        for a, b in itertools.combinations(clause.parties(table), 2):
            reason = house(table).why_no_deal(table, a, b)
            if reason:
                raise reason.under(SECTION)


# --- confirmation ---


class Confirm(Order):
    """Confirm these announced packages as wholes, refuse the others; AT names where your new units come."""

    line = "CONFIRM {packages} [AT {space}]"
    packages = Many(PackageNumber(1, 999))
    space = Name("space", optional=True)

    def check(self, table: Table, question: Question) -> None:
        known = [entry["number"] for entry in question.context["packages"]]
        for number in self.packages:
            if number not in known:
                raise Refused("package_not_for_you", SECTION, number=number, known=known)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        numbers = [entry["number"] for entry in question.context["packages"]]
        for number in numbers:
            yield cls(packages=[number])
        if len(numbers) > 1:
            yield cls(packages=numbers)


class ConfirmAll(Order):
    """Confirm all announced packages that wait for you."""

    line = "CONFIRM ALL [AT {space}]"
    space = Name("space", optional=True)


class Refuse(Order):
    """Refuse all announced packages that wait for you."""

    line = "REFUSE [ALL]"
    says = False


CONFIRMATIONS: tuple[type[Order], ...] = (Confirm, ConfirmAll, Refuse)


def confirmed(order: Order, packages: Sequence[Package]) -> list[int]:
    """The numbers of the packages that an answer confirms."""
    if isinstance(order, Confirm):
        return list(order.packages)
    return [package.number for package in packages] if isinstance(order, ConfirmAll) else []


def announce(table: Table, packages: Sequence[Package]) -> None:
    """9.1: the announcements are read to all, in impulse order."""
    for package in packages:
        table.tell(
            "announced",
            power=package.power,
            number=package.number,
            clauses=package.lines(),
            parties=package.parties(table),
            section=SECTION,
        )


def confirmation(
    table: Table,
    packages: Sequence[Package],
    *,
    together: bool,
    take_effect: Callable[[Table, Package], Procedure] | None = None,
) -> Procedure:
    """9.1: the parties that come later in impulse order confirm or refuse whole packages, each at its turn.

    One refusal ends a package. What its last party has confirmed takes effect at once, before the next power's turn;
    what binds its announcer alone, in that power's own turn.
    `together`: all are asked at once, sealed, their answers taken up in order; what a refusal made idle is not told.
    """
    effect = take_effect or apply_package
    others = {package.number: _others(table, package) for package in packages}
    waiting = {
        power: [package for package in packages if power in others[package.number]] for power in table.board.powers
    }
    answers: dict[str, Order] = {}
    if together and any(waiting.values()):
        answers = dict((yield InOrder([_question(power, own) for power, own in waiting.items() if own])))
    fallen: list[int] = []
    for power in table.board.powers:
        mine = [package for package in waiting[power] if package.number not in fallen]
        alone = [package for package in packages if package.power == power and not others[package.number]]
        if mine and not together:
            answers[power] = yield _question(power, mine)
        said = confirmed(answers[power], mine) if mine else []
        for package in mine:
            if package.number not in said:
                fallen.append(package.number)
                table.tell("package_refused", power=power, number=package.number, by=package.power, section=SECTION)
                continue
            table.tell("package_confirmed", power=power, number=package.number, by=package.power, section=SECTION)
            place = getattr(answers[power], "space", None)
            if place:
                package.places[power] = place
            if power == others[package.number][-1]:
                yield from effect(table, package)
        for package in alone:
            yield from effect(table, package)


def _others(table: Table, package: Package) -> list[str]:
    agreed = seat_of(table.board, package.power) if house(table).one_seat_agrees else [package.power]
    return [power for power in package.parties(table) if power not in agreed]


def _question(power: str, packages: Sequence[Package]) -> Question:
    context = [
        {"number": package.number, "power": package.power, "clauses": package.lines()} for package in packages
    ]
    return Question(
        power, "confirmation", list(CONFIRMATIONS), Refuse(), context={"packages": context}, section=SECTION
    )


def apply_package(table: Table, package: Package) -> Procedure:
    """9.1: a package that all confirmed takes effect, clause by clause; it falls as a whole where one is impossible."""
    try:
        package.parties(table)
        for clause in package.clauses:
            clause.check_clause(table, package, True)
    except Refused as error:
        table.tell(
            "package_falls",
            power=package.power,
            number=package.number,
            refused=error.to_json(),
            section=error.section or SECTION,
        )
        return
    table.tell("package_agreed", power=package.power, number=package.number, section=SECTION)
    for clause in sorted(package.clauses, key=lambda clause: clause.rank):
        yield from clause.effect(table, package)
