"""What would have been right: of the legal answers to what is asked, those most like a line that is none of them."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile, starmap
from typing import Any

from pbem.campaign import deadlines, press, references
from pbem.campaign.command import Press
from pbem.campaign.commands import FOR_ALL, addressed_line, for_all_line, said_for, without_addressee
from pbem.campaign.live import Live
from pbem.table import brief, filling, loose, notation, wording
from pbem.table.conditions import for_a_time, presets, vocabulary
from pbem.table.grammar import AnyName, Name, nearest, shortened
from pbem.table.guesses import guesses
from pbem.table.inflected import LONGEST_NAME, means, named_plainly
from pbem.table.kit import Kit, normalise
from pbem.table.orders import Done, Order, Pass, Unreadable, read_order
from pbem.table.questions import Question
from pbem.table.shorthand import clauses_of

LOOKED_THROUGH = 200
"""So many legal answers of a kind are compared with a line."""

LOOKED_THROUGH_FOR_NAMES = 2_000
"""So many, where it names something."""

SHOWN = 3
"""So many of them are shown."""

SOME = 20
"""So many of a kind, where no verb is said."""

WORDS_OF_AN_END = 4
"""So many words at most say an order without anything to fill in."""

WORDS_BEFORE_VERB = 4
"""So many words of a line as people write it may stand before its verb, or be it."""


def with_legal_lines(
    live: Live, seat: str, said: str, hints: Sequence[str], power: str | None = None, *, readings: bool = False
) -> list[str]:
    """What would be right in place of a line: before what is known of that (`hints`) the legal answers that it may mean
    (`guessed`), else those most like it, unless one is among the hints already. `power` is whom the line is for, if it
    says so; with `readings` the hints are what the line may mean, and all of them stay."""
    if message := whole_message(live, seat, without_addressee(said)):
        return [message]
    questions = _open(live, seat, power)
    begins = named_in(live.kit, " ".join(said.split()[:2])) if power is None else frozenset[str]()
    questions = [question for question in questions if question.power in begins] or questions
    if not questions:
        return list(hints)
    several = power is not None or len({question.power for question in _open(live, seat, None)}) > 1
    meant = _meant(live, said, questions, several=several)
    kept = {*meant, *(hints if readings else ())}
    shown: dict[str, None] = {}
    for line in _legal_lines(live, seat, said, hints, meant, questions, several=several):
        fitting = line if line in kept else _fitting(live, said, power, line, questions)
        if fitting is not None and (fitting == line or line in hints):
            shown[fitting] = None
    whole = [line for line in shown if not _is_name(live, line)]
    if any(_can_be_sent(live, line, questions) for line in whole):
        return whole
    others = [_line(question, order, several) for question in questions for order in _some_of_each(live, question)]
    others = [line for line in others if _fitting(live, said, power, line, questions) == line]
    return list(dict.fromkeys([*others[:SHOWN], *shown]))


def _fitting(live: Live, said: str, power: str | None, hint: str, questions: Sequence[Question]) -> str | None:
    """A hint as it may stand below a line: None for the line itself and for an answer that is not legal, and of an
    answer that gives much away its form alone, unless its verb is said."""
    to, line = said_for(hint, live.kit)
    if line == without_addressee(said) and to in (None, power):
        return None
    if to is not None and all(question.power != to for question in questions):  # the line is another's
        return None
    orders = _read(live, line, [question for question in questions if to in (None, question.power)])
    legal = [order for question, order in orders if _is_answer(live, question, order)]
    if orders and not legal:
        return None
    if not legal or legal[0].is_likely or _is_said(live, legal[0], said):
        return hint
    return addressed_line(to, legal[0].usage()) if to else legal[0].usage()


def _read(live: Live, line: str, questions: Sequence[Question]) -> list[tuple[Question, Order]]:
    """What a line is as an answer to each of some questions that it can be read for."""
    orders = []
    for question in questions:
        try:
            orders.append((question, read_order(question.orders, line, live.kit)))
        except Unreadable:
            continue
    return orders


def _is_answer(live: Live, question: Question, order: Order) -> bool:
    assert live.play is not None
    return question.is_legal(live.play.table, order)


def _can_be_sent(live: Live, hint: str, questions: Sequence[Question]) -> bool:
    return any(_is_answer(live, *one) for one in _read(live, without_addressee(hint), questions))


def _is_said(live: Live, order: Order, said: str) -> bool:
    """Whether the verb of an order, in whatever language, stands in a line, or of what in it gives much away."""
    words = loose.words_of(said, loose.MOST_SAID)
    return any(loose.kind_of_verb(order.giving(), word, live.kit) for word in words)


def _line(question: Question, order: Order, several: bool) -> str:
    """An answer as it is written, of several powers for that which is asked."""
    return addressed_line(question.power, order.text()) if several else order.text()


def _meant(live: Live, said: str, questions: Sequence[Question], *, several: bool) -> list[str]:
    """The legal answers that a line may mean which is none; of one that says several things, first what each of them
    says (`_each_said`)."""
    line = without_addressee(said)
    if each := _each_said(live, line, questions, several=several):
        return each
    likely = [
        _line(question, order, several)
        for question in questions
        for order in (*references.meant(live, line, question), *_guessed(live, line, question))
    ]
    return [other for other in dict.fromkeys(likely) if other != said][:SHOWN]


MOST_CLAUSES, LONGEST_SAID = 8, 400
"""So many clauses, of so many characters together, are looked through for what each of them says."""


def _each_said(live: Live, said: str, questions: Sequence[Question], *, several: bool) -> list[str]:
    """What the clauses of a line say, where the first that says anything is a legal answer, and another says something
    else; none of what a clause denies, makes depend on something or asks."""
    clauses = clauses_of(said, live.kit) if len(said) <= LONGEST_SAID else []
    orders: dict[Order, str] = {}
    for together in clauses if len(clauses) <= MOST_CLAUSES else ():
        for clause in dict.fromkeys([" and ".join(together), *together]):
            spelt_out = _as_before(clause, list(orders)[-1], live.kit) if orders else clause
            found = _said_in(live, spelt_out, questions, is_first=not orders, several=several)
            if found is not None:
                orders[found[0]] = found[1]
            if found is not None and clause not in together:
                break  # said as a whole
    return list(dict.fromkeys(orders.values())) if len(orders) > 1 else []


def _as_before(clause: str, before: Order, kit: Kit) -> str:
    """A clause with what it takes from the order before it by its name: the unit (ANOTHER), the place (THERE)."""
    named = [(field, getattr(before, name)) for name, field in before.fields.items() if isinstance(field, Name)]
    units = [value for field, value in named if field.domain == "unit"]
    places = [value for field, value in named if field.domain in kit.words("domains of places")]
    words = loose.words_of(clause, loose.MOST_SAID)
    if any(kit.find("unit", loose.singular(word)) for word in words if "unit" in kit.names):
        units = []  # ANOTHER CAVALRY
    if any(means(word, "remainder", kit) for word in words[:WORDS_BEFORE_VERB]):  # WITH THE REST TWO REGULARS IN PARIS
        words = list(dropwhile(lambda word: wording.is_chatter(word, kit) or means(word, "remainder", kit), words))
    words = _replaced(words, "another", units[-1:], kit)
    return " ".join(_replaced(words, "same place", ["in", *places[-1:]] if places else [], kit))


def _replaced(words: Sequence[str], kind: str, by: Sequence[str], kit: Kit) -> list[str]:
    """Words with other ones in place of the phrase of a kind that they hold, if there are any."""
    for at in range(len(words)):
        for end in range(len(words), at, -1):
            if not loose.without_phrases(words[at:end], kind, kit):
                return [*words[:at], *by, *words[end:]]
    return list(words)


def _said_in(
    live: Live, clause: str, questions: Sequence[Question], *, is_first: bool, several: bool
) -> tuple[Order, str] | None:
    """The one order that a clause says, and its line: as an answer now or, behind another one, as it may be then."""
    kit, words = live.kit, loose.words_of(clause, loose.MOST_SAID)
    opening = ("denying", "hedging", "conditional", "alternative")
    leaves_open = any(means(word, kind, kit) for word in words for kind in opening)
    if leaves_open or "?" in clause:
        return None
    answers = ((question, order) for question in questions for order in _orders(live, clause, question))
    found = {_line(*answer, several): answer[1] for answer in answers}
    if len(found) == 1:
        line, only = next(iter(found.items()))
        return only, line
    if found or is_first:
        return None
    bare = (one for one in _without_verb(live.kinds, clause, kit) if len(one.values) > 1)
    order = loose.only(loose.read(live.kinds, clause, kit) or list(bare))
    return (order, order.text()) if order is not None and order.fields and order.is_likely else None


def _without_verb(kinds: Iterable[type[Order]], said: str, kit: Kit) -> list[loose.Reading]:
    """What a clause that names units and a place (TWO CAVALRY IN EDIRNE) may mean with the verb of each kind of order
    that takes both."""
    words = loose.words_of(said, loose.MOST_SAID) if "unit" in kit.names else []
    forms = [*words, *map(loose.singular, words), *named_plainly(words, ["unit"], kit)]
    if not any(kit.find("unit", form) for form in forms):
        return []
    taking = [kind for kind in kinds if any(isinstance(f, Name) and f.domain == "unit" for f in kind.fields.values())]
    read = (one for kind in taking for one in loose.read([kind], f"{kind.pattern.verb} {said}", kit))
    return [notation.plain(one) for one in read if not one.missing and not one.dropped]


def _orders(live: Live, said: str, question: Question) -> list[Order]:
    """The legal answers to a question that a clause may mean."""
    assert live.play is not None
    table, kit = live.play.table, live.kit

    def is_legal(order: Order) -> bool:
        return question.is_legal(table, order)

    ways = (loose.read, notation.readings, _without_verb)
    for readings in (way(question.orders, said, kit) for way in ways):
        if orders := filling.complete(readings, kit, is_legal, lambda kind: kind.legal(table, question)):
            return orders
    return [order for order in _guessed(live, said, question) if order.fields]


def _legal_lines(
    live: Live, seat: str, said: str, hints: Sequence[str], meant: list[str], questions: Sequence[Question],
    *, several: bool,
) -> list[str]:  # fmt: skip
    """The lines of `with_legal_lines`, whatever they give away."""
    line = without_addressee(said)

    def shown(question: Question, order: Order) -> str:
        return _line(question, order, several)

    named = named_in(live.kit, line)
    named = named.difference(live.campaign.powers_of(seat)) or named  # that it is his own tells nothing
    naming = _naming(live, line, questions, named) if named else []
    in_it = list(_standing_in(live, line, questions))
    own = [one for one in in_it if one[0].power in named_in(live.kit, _POSSESSIVE.sub("", line))]
    ends = [shown(question, order) for question, order in own or in_it]
    if len(ends) > 1 and not own and in_it[0][1].line in FOR_ALL:
        ends = [*ends[:SHOWN], for_all_line(in_it[0][1].text())]
    is_more = any(kind.fields for question in questions for kind in _of_verb(question.orders, line, live.kit))
    meant = [*meant, *ends] if is_more else [*ends, *meant]
    message = _message(live, seat, line, list(starmap(shown, naming)))
    meant = [*message, *meant, *_standing(live, line, questions)]
    if any(is_legal := [_is_legal(live, hint, questions) for hint in hints]):
        ranked = [hint for _, hint in sorted(zip(is_legal, hints, strict=True), key=lambda one: not one[0])]
        lines = [] if is_legal[hints.index(ranked[0])] and len(hints) < SHOWN else starmap(shown, naming)
        return list(dict.fromkeys([*meant, *lines, *ranked]))
    found = _nearest(live, line, questions, naming)
    lines = [shown(question, order) for question, order in found]
    whole = [hint for hint in hints if not _is_name(live, hint)]
    says_little = all(order.gives_turn_away or isinstance(order, Done) for _, order in found)  # hardly what was meant
    others = [*whole, *lines] if says_little else [*lines, *whole]
    return list(dict.fromkeys([*meant, *others])) or list(hints)


def _is_name(live: Live, hint: str) -> bool:
    """Whether a hint is but a name: beside whole lines it says nothing."""
    return any(live.kit.find(domain, hint) is not None for domain in live.kit.names)


def _standing_in(live: Live, said: str, questions: Sequence[Question]) -> Iterator[tuple[Question, Order]]:
    """The legal answers without anything to fill in (PASS, END IMPULSE) whose words stand in a line of others; one that
    ends a turn stands for that which ends what is asked."""
    kit, words = live.kit, loose.words_of(_MARKS.sub(" ", said), loose.MOST_SAID)
    bare = [kind for kind in live.kinds if not kind.fields and loose.declines(kind)]
    in_it: set[type[Order]] = set()
    for at, word in enumerate(words):
        for kind in bare:
            if kind not in in_it and loose.kind_of_verb([kind], word, kit):
                spans = [words[at:end] for end in range(at + 1, min(len(words), at + WORDS_OF_AN_END) + 1)]
                if kind.line == kind.pattern.verb or any(_says(kind, span, kit) for span in spans):
                    in_it.add(kind)
    is_end = any(kind.gives_turn_away for kind in in_it) or brief.finishes(said, kit)
    for question in questions:
        own = [kind for kind in question.orders if kind in in_it]
        ends = [kind for kind in question.orders if is_end and kind in bare and kind.gives_turn_away]
        for order in (kind() for kind in own or ends):
            if _is_answer(live, question, order):
                yield question, order


def _says(kind: type[Order], words: Sequence[str], kit: Kit) -> bool:
    """Whether words say an order and nothing else."""
    return loose.only(loose.read([kind], " ".join(words), kit)) is not None


_MARKS = re.compile(r"[?!.,;:…]")
_ELIDED = re.compile(r"\b\w['’]", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s\b")


def whole_message(live: Live, seat: str, said: str) -> str | None:
    """The line that sends what somebody says behind a colon, if he begins as a message does in whatever language
    (``presse à la France: bonjour``)."""
    head, colon, message = said.partition(":")
    first = next(iter(head.split()), "")
    is_message = first.upper().startswith(Press.pattern.verb) or means(first, "line press to", live.kit)
    if not (colon and message.strip() and is_message):
        return None
    whom = press.may_write_to(live, seat)
    head = _ELIDED.sub(" ", head)
    named = named_in(live.kit, head).union(*(named_in(live.kit, word) for word in head.split()))
    return press.line_to(whom, named, message.strip()) if whom else None


def _message(live: Live, seat: str, said: str, naming: Sequence[str]) -> list[str]:
    """The line of a message, where somebody says that he talks to others (TALK TO FRANCE FIRST), behind the answers
    that name the same (`naming`) if he may write to none of those."""
    if not any(means(word, "talking", live.kit) for word in loose.words_of(said, loose.MOST_SAID)):
        return []
    if not (whom := press.may_write_to(live, seat)):
        return []
    named = named_in(live.kit, said)
    return [*([] if named.intersection(whom.powers) else naming), press.line_to(whom, named)]


def _standing(live: Live, said: str, questions: Sequence[Question]) -> list[str]:
    """The answer that a line gives for every time (ALWAYS PASS), now alone and in advance."""
    kit, words = live.kit, loose.words_of(said, loose.MOST_SAID)
    now = [word for word in words if not means(word, "always", kit)]
    if len(now) == len(words):
        return []
    lines: list[str] = []
    for question in questions:
        for order in filter(None, [loose.only(loose.read(question.orders, " ".join(now), kit))]):
            lines += [order.text(), f"STANDING {question.kind}: {order.text()}"]
    return lines


def standing_lines(live: Live, seat: str, text: str) -> list[str]:
    """Whole lines of standing orders like one that cannot be read: about a power that it names, with the answer that it
    gives, if it is one of every game, to a kind of question that is asked so."""
    kit, words = live.kit, loose.words_of(text, loose.MOST_SAID)
    known: Any = presets(kit)
    said = {word.casefold() for word in words if not loose.kind_of_verb([Pass], word, kit)}
    likest = sorted(known.items(), key=lambda entry: -len(said.intersection(entry[0].split("_"))))
    ready = [order for _, preset in likest for order in preset["orders"] if not for_a_time(order.get("if", ""))]
    passes = any(loose.kind_of_verb([Pass], word, kit) for word in words)
    answers = [order for order in ready if passes and order["order"] == Pass.line]
    powers = [power for other, held in live.campaign.seats.items() if other != seat for power in held["powers"]]
    named = named_in(kit, text)
    others = [power for power in powers if power in named]
    lines = []
    for order in answers or ready:
        conditions = [f"active {power}" for power in others] if "active" in vocabulary(kit) else []
        given = conditions or ([order["if"]] if order.get("if") else [])
        lines.append(f"STANDING {order['kind']}{' IF ' if given else ''}{', '.join(given)}: {order['order']}")
    return list(dict.fromkeys(lines))[:SHOWN]


def _guessed(live: Live, said: str, question: Question) -> list[Order]:
    """The legal answers that a line may mean which is none: its verb has a slip in it, or is left out; it says no in a
    sentence. They are shown, and never taken up."""
    assert live.play is not None
    table, kit = live.play.table, live.kit

    def is_legal(order: Order) -> bool:
        return question.is_legal(table, order)

    orders: list[Order] = []
    for readings in guesses(question.orders, said, kit):
        orders += filling.complete(readings, kit, is_legal, lambda kind: kind.legal(table, question))
    declining = [kind for kind in question.orders if loose.declines(kind) and not kind.fields]
    words = loose.words_of(said, loose.MOST_SAID)
    if brief.refuses(said, kit) or any(loose.kind_of_verb(declining, word, kit) for word in words):
        bare = [kind() for kind in declining]
        orders += [order for order in bare if is_legal(order)]
    return list(dict.fromkeys(orders))[:SHOWN]


def _open(live: Live, seat: str, power: str | None) -> list[Question]:
    """The questions that a seat, or one of its powers, can answer now, or answer anew."""
    campaign, play = live.campaign, live.play
    if play is None or campaign.status != "running":
        return []
    anew = play.wait is not None and play.wait.replaceable
    asks = [ask for ask in deadlines.in_time(campaign.asks, campaign.clocks) if ask["seat"] == seat]
    keys = {ask["key"] for ask in asks if anew or not ask["answered"]}
    return [one for one in play.questions() if one.key in keys and power in (None, one.power)]


def _is_legal(live: Live, hint: str, questions: Sequence[Question]) -> bool:
    """Whether a hint is a line that can be sent as it stands, and is more than a verb (END IMPULSE)."""
    assert live.play is not None
    line = without_addressee(hint)
    if not line.split(maxsplit=1)[:1] or not line.split(maxsplit=1)[0].isupper():
        return False
    for question in questions:
        try:
            order = read_order(question.orders, line, live.kit)
        except Unreadable:
            continue
        if question.is_legal(live.play.table, order):
            return bool(order.fields) and not order.gives_turn_away
    return False


def _nearest(
    live: Live, said: str, questions: Sequence[Question], naming: Sequence[tuple[Question, Order]]
) -> list[tuple[Question, Order]]:
    """The legal answers most like what was said: those that name what it names (`naming`), before others of its verb,
    else some of other kinds; what ends the sender's turn only where nothing else is legal."""
    found, words = list(naming), _words(said)
    if len(found) < SHOWN:
        others = [one for one in _of_same_verb(live, said, questions) if one not in found]
        others = others or [(question, order) for question in questions for order in _some_of_each(live, question)]
        others = [one for one in others if not one[1].gives_turn_away] or ([] if found else others)
        others = [one for one in others if one[1].is_likely] or others
        if not found or any(_of_verb(question.orders, said, live.kit) for question in questions):
            found += sorted(others, key=lambda one: -_likeness(words, _words(one[1].text())))
    return found[:SHOWN]


def _of_same_verb(live: Live, said: str, questions: Sequence[Question]) -> list[tuple[Question, Order]]:
    """Legal answers with the verb of what was said."""
    assert live.play is not None
    table = live.play.table
    return [
        (question, order)
        for question in questions
        for kind in _of_verb(question.orders, said, live.kit)
        for order in itertools.islice(kind.legal(table, question), LOOKED_THROUGH)
        if question.is_legal(table, order)
    ]


def _naming(
    live: Live, said: str, questions: Sequence[Question], named: frozenset[str]
) -> list[tuple[Question, Order]]:
    """Legal answers that name what was named, those that name most of it first, then those of the same verb; of other
    verbs one each."""
    assert live.play is not None
    table, words = live.play.table, _words(said)
    ranked: list[tuple[tuple[int, bool, bool, float], Question, Order]] = []
    for question in questions:
        same = _of_verb(question.orders, said, live.kit)
        for kind in question.orders:
            for order in itertools.islice(kind.candidates(table, question), LOOKED_THROUGH_FOR_NAMES):
                text = order.text()
                if number := len(named.intersection(_names_of(order, text))):
                    likeness = _likeness(words, _words(text))
                    ranked.append(((-number, kind not in same, not order.is_likely, -likeness), question, order))
    found: list[tuple[Question, Order]] = []
    verbs: set[str] = set()
    for (_, is_other, _, _), question, order in sorted(ranked, key=lambda one: one[0]):
        if is_other and order.pattern.key in verbs:
            continue
        if question.is_legal(table, order):
            verbs.add(order.pattern.key)
            found.append((question, order))
        if len(found) == SHOWN:
            break
    return found


def _names_of(order: Order, text: str) -> set[str]:
    """What an order names, by id; of numbers those alone that are names (of cards)."""
    words = {word for word in _NAME.findall(text) if not word.isdecimal()}
    values = (getattr(order, name) for name, field in order.fields.items() if isinstance(field, Name | AnyName))
    return words.union(value for value in values if value is not None)


_NAME = re.compile(r"[\w']+")


def named_in(kit: Kit, line: str) -> frozenset[str]:
    """The ids of what is named in a line, in whatever form, or with a slip."""
    words = [word for word in loose.words_of(line, loose.MOST_SAID) if word != ","]
    ids: set[str] = set()
    at = 0
    while at < len(words):
        for end in range(min(len(words), at + LONGEST_NAME), at, -1):
            said = words[at:end]
            if any(wording.is_chatter(word, kit) for word in (said[0], said[-1])):
                continue
            if known := _called(" ".join(said), kit):
                ids |= known
                at = end - 1
                break
        at += 1
    return frozenset(ids)


def _called(said: str, kit: Kit) -> set[str]:
    """The ids that a name means in any vocabulary, else those of names that it is very like."""
    words = said.split()
    ids = {id for domain in kit.names if (id := kit.find(domain, said)) is not None}
    for domain, known in kit.labels.items():
        ids.update(word for word in named_plainly(words, [domain], kit) if word in known)
    if ids or len(said) < SHORTEST_SLIP or kit.words(f"like {said.casefold()}"):
        return ids
    wanted = normalise(said)
    return {
        domain_names[name]
        for domain_names in kit.names.values()
        for name in nearest(wanted, list(domain_names), 1, LIKE_NAME)
    }


SHORTEST_SLIP, LIKE_NAME = 5, 0.8
"""So long is a word at least in which a slip is looked for, and so like a name it is."""


def _of_verb(kinds: Sequence[type[Order]], said: str, kit: Kit) -> list[type[Order]]:
    """The kinds of order with the verb of a line, in whatever language it is written."""
    for word in loose.words_of(shortened(said), loose.MOST_SAID)[:WORDS_BEFORE_VERB]:
        if meant := loose.kind_of_verb(kinds, word, kit):
            return [kind for kind in kinds if kind.pattern.key == meant.pattern.key]
    return []


def _some_of_each(live: Live, question: Question) -> Iterator[Order]:
    """Some legal answers of each kind."""
    assert live.play is not None
    table = live.play.table
    for kind in question.orders:
        yield from (one for one in itertools.islice(kind.legal(table, question), SOME) if question.is_legal(table, one))


def _words(line: str) -> Counter[str]:
    return Counter(normalise(word) or word.casefold() for word in loose.words_of(line)[: loose.MOST_WORDS])


def _likeness(said: Counter[str], line: Counter[str]) -> float:
    """How many of the words of two lines are in both, as a share."""
    return 2 * (said & line).total() / max(said.total() + line.total(), 1)
