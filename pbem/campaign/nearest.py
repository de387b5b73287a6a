"""What would have been right: of the legal answers to what is asked, those most like a line that is none of them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.campaign import deadlines
from pbem.campaign.commands import addressed_line, without_addressee
from pbem.campaign.live import Live
from pbem.table import loose
from pbem.table.grammar import shortened
from pbem.table.kit import Kit, normalise
from pbem.table.orders import Done, Order, Unreadable, read_order
from pbem.table.questions import Question

LOOKED_THROUGH = 200
"""So many legal answers of a kind are compared with a line."""

SHOWN = 3
"""So many of them are shown."""

SOME = 20
"""So many of a kind, where no verb is said."""

WORDS_BEFORE_VERB = 4
"""So many words of a line as people write it may stand before its verb, or be it."""


def with_legal_lines(
    live: Live, seat: str, said: str, hints: Sequence[str], power: str | None = None
) -> list[str]:
    """What would be right in place of a line: before what is known of that (`hints`) the legal answers most like it,
    unless one is among the hints already. `power` is whom the line is for, if it says so."""
    questions = _open(live, seat, power)
    if not questions:
        return list(hints)
    if any(is_legal := [_is_legal(live, hint, questions) for hint in hints]):
        return [hint for _, hint in sorted(zip(is_legal, hints, strict=True), key=lambda one: not one[0])]
    several = len({question.power for question in _open(live, seat, None)}) > 1
    lines, found = [], _nearest(live, without_addressee(said), questions)
    for question, order in found:
        lines.append(addressed_line(question.power, order.text()) if several or power else order.text())
    says_little = all(order.gives_turn_away or isinstance(order, Done) for _, order in found)  # hardly what was meant
    return list(dict.fromkeys([*hints, *lines] if says_little else [*lines, *hints]))


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


def _nearest(live: Live, said: str, questions: Sequence[Question]) -> list[tuple[Question, Order]]:
    """The legal answers most like what was said: those of its verb, else some of other kinds; what ends the sender's
    turn only where nothing else is legal."""
    assert live.play is not None
    table = live.play.table
    found = [
        (question, order)
        for question in questions
        for kind in _of_verb(question.orders, said, live.kit)
        for order in itertools.islice(kind.legal(table, question), LOOKED_THROUGH)
        if question.is_legal(table, order)
    ]
    found = found or [(question, order) for question in questions for order in _some_of_each(live, question)]
    found = [one for one in found if not one[1].gives_turn_away] or found
    words = _words(said)
    return sorted(found, key=lambda one: -_likeness(words, _words(one[1].text())))[:SHOWN]


def _of_verb(kinds: Sequence[type[Order]], said: str, kit: Kit) -> list[type[Order]]:
    """The kinds of order with the verb of a line, in whatever language it is written."""
    for word in loose.words_of(shortened(said), loose.MOST_SAID)[:WORDS_BEFORE_VERB]:
        if meant := loose.kind_of_verb(kinds, word, kit):
            return [kind for kind in kinds if kind.pattern.key == meant.pattern.key]
    return []


def _some_of_each(live: Live, question: Question) -> Iterator[Order]:
    """Some legal answers of each kind."""
    assert live.play is not None
    for kind in question.orders:
        yield from itertools.islice(kind.legal(live.play.table, question), SOME)


def _words(line: str) -> Counter[str]:
    return Counter(normalise(word) or word.casefold() for word in loose.words_of(line)[: loose.MOST_WORDS])


def _likeness(said: Counter[str], line: Counter[str]) -> float:
    """How many of the words of two lines are in both, as a share."""
    return 2 * (said & line).total() / max(said.total() + line.total(), 1)
