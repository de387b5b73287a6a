"""What a line that the grammar does not take means at this point of a game: the one legal order that it can stand for.

`pbem.table.loose` finds what the words may mean; here is known what is asked, who plays, and what is legal. A line is
taken only where one meaning is left; the order goes on record beside it, and its sender is shown it as a whole line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile

from pbem.campaign import following
from pbem.campaign.commands import Addressed, Line, addressed_line
from pbem.campaign.live import Live
from pbem.table import brief, filling, loose, notation, talk, wording
from pbem.table.board import OUT_OF_PLAY, SUPPLY
from pbem.table.conditions import program_kinds, turns
from pbem.table.grammar import begun_names
from pbem.table.inflected import means, named_plainly
from pbem.table.kit import Frozen, Kit, normalise
from pbem.table.orders import Done, Order, Pass, Unreadable, read_order
from pbem.table.questions import Question
from pbem.table.refusals import Refused


def meant_by(live: Live, seat: str, line: Line, names: Mapping[str, str]) -> Order | None:
    """The order that a loose line (`commands.read_lines`) can stand for now, for the power that it names if it names
    one. Raises `Refused` as `meant` does."""
    if line.power is None:
        return meant(live, seat, line.said or line.text, None, names)
    powers = live.campaign.powers_of(seat)
    if line.power not in powers:
        raise following.not_held(line.power, powers)
    try:
        order = meant(live, seat, line.said, line.power, names)
    except Refused as error:
        raise _addressed(error, line.power) from error
    return None if order is None else Addressed(line.power, order)


def meant_later(live: Live, kinds: Iterable[type[Order]], line: Line, names: Mapping[str, str]) -> Order | None:
    """The order that a loose line stands for whatever comes before its turn: the one whole reading among some kinds of
    order, else among all; None where it makes no sense. Raises `Refused`, with the lines, where it leaves something
    open: nobody can be asked what it means when its turn comes."""
    kit = spoken(live, names)
    asked = list(kinds)
    readings = loose.read(asked, line.said, kit) or loose.read(live.kinds, line.said, kit)
    readings = readings or notation.readings(asked, line.said, kit)
    if not readings:
        return None
    order = loose.only(readings)
    if order is None:
        whole = [loose.whole(one).text() for one in readings if not one.missing and not one.dropped]
        forms = [reading.form() for reading in readings]
        error = Refused("whole_to_wait", hints=list(dict.fromkeys(whole or forms))[: loose.MOST_READINGS])
        raise error if line.power is None else _addressed(error, line.power)
    return order if line.power is None else Addressed(line.power, order)


def put_plainly(live: Live, seat: str, text: str) -> str:
    """A line with names that are clear only by what is in play in full, and clauses as their giver would say them; one
    that says of its own power what that does (LA FRANCE PASSE, PASS (FRANCE)) as the power's own, or for it; and one of
    names that answer one after the other (LEIPZIG, THEN MAGDEBURG) as the full lines, with semicolons between."""
    if in_turn := _answers_in_turn(live, seat, text):
        return "; ".join(order.text() for order in in_turn)
    power, said = _of_own_power(live, seat, text)
    said = with_names_in_play(live, _given_clauses(live, seat, said))
    return addressed_line(power, said) if power is not None and len(live.campaign.powers_of(seat)) > 1 else said


def _answers_in_turn(live: Live, seat: str, text: str) -> list[Order]:
    """The answers that names stand for which a line puts one after the other; none where one of them is not just one
    answer that is legal now."""
    orders: list[Order] = []
    for part in notation.answers_in_turn(kinds_asked(live, seat), text, live.kit):
        found: list[Order] = []
        for question in _asked(live, seat, None):
            is_legal, legal = _legality(live, seat, question)
            found += filling.complete(_without_verb(question, part, live.kit, legal), live.kit, is_legal, legal)
        if len(found) != 1:
            return []
        orders += found
    return orders


def _of_own_power(live: Live, seat: str, text: str) -> tuple[str | None, str]:
    """The power of a seat that a line says does it, and what it says of that power; the line itself of any other."""
    kit, powers = live.kit, live.campaign.powers_of(seat)
    head, colon, behind_colon = text.partition(":")
    if colon and kit.domain_of_powers is not None:
        power = talk.heading(f"{head.strip()}:", kit).get(kit.domain_of_powers)
        return (power, behind_colon.strip()) if power in powers and says_order(live, behind_colon) else (None, text)
    if behind := _IN_BRACKETS.search(text):
        power = _power_called([behind[1].strip()], kit)
        return (power, text[: behind.start()]) if power in powers else (None, text)
    words = list(dropwhile(lambda word: loose.says_nothing(word, kit), loose.words_of(text, loose.MOST_SAID)))
    power, rest = _power_called(words[:1], kit), list(dropwhile(lambda word: word == ",", words[1:]))
    if power not in powers or not rest or "?" in text:
        return None, text
    said, bare = " ".join(rest), [kind for kind in kinds_asked(live, seat) if not kind.fields]
    answers = loose.only(loose.read(bare, said, kit)) is not None or brief.says(said, kit) is not None
    return (power, said) if answers else (None, text)  # FRANCE PLACES AN ARMY may tell what she did


def says_order(live: Live, said: str) -> bool:
    """Whether some words can be an order of the game: one of its kinds, a yes or no, or that no more come."""
    if "?" in said or not said.strip():
        return False
    kit, kinds = live.kit, live.kinds
    if loose.read(kinds, said, kit) or brief.says(said, kit) is not None or brief.finishes(said, kit):
        return True
    try:
        read_order(kinds, said.strip(), kit)
    except Unreadable:
        return False
    return True


_IN_BRACKETS = re.compile(r"\(([^()]{2,40})\)[\s.!]*$")


def _given_clauses(live: Live, seat: str, text: str) -> str:
    """A line whose clauses say who gives what to whom in sentences (FRANCE GIVES ME 1 CARD, I GIVE FRANCE 1 CARD), with
    these as clauses (GIVE 1 CARD FROM france TO england)."""
    kit, powers = live.kit, live.campaign.powers_of(seat)
    clauses = re.split(r"(\s*[,;]\s*|\s+(?:and|et|и)\s+)", text)
    return "".join(_given_clause(clause, powers, kit) for clause in clauses)


def _given_clause(clause: str, powers: Sequence[str], kit: Kit) -> str:
    words = [word for word in loose.words_of(clause, loose.MOST_SAID) if not loose.says_nothing(word, kit)]
    gives = next((at for at, word in enumerate(words) if means(word, "giving", kit)), None)
    if gives is None or len(powers) != 1:
        return clause
    before, behind = words[:gives], words[gives + 1 :]
    is_mine = any(means(word, "receiver", kit) for word in (*before[-1:], *behind[:1]))
    others = [word for word in before if not means(word, "receiver", kit)]
    while others and means(others[-1], "chatter", kit):
        others.pop()
    giver, taker = _power_called(others[-1:], kit), _power_called(behind[:1], kit)
    if is_mine and giver is not None:
        behind = [word for word in behind if not means(word, "receiver", kit)]
        return " ".join([*others[:-1], "give", *behind, "from", giver, "to", powers[0]])
    if taker is not None and len(behind) > 1:
        return " ".join([*others, "give", *behind[1:], "to", taker])
    return clause


def _power_called(words: Sequence[str], kit: Kit) -> str | None:
    domain = kit.domain_of_powers
    if domain is None or not words:
        return None
    return kit.find(domain, words[0]) or kit.find(domain, named_plainly(words, [domain], kit)[0])


SHORTEST_NAME = 4
"""So many letters has a word at least that may stand for the one piece in play whose name begins so."""


def with_names_in_play(live: Live, text: str) -> str:
    """A line with each word that begins the names of several pieces, of which just one is in play, as its id."""
    if live.play is None:
        return text
    kit, pieces = live.kit, live.play.board.pieces
    domains = [domain for domain in dict.fromkeys(key.partition(":")[0] for key in pieces) if domain in kit.names]

    def said(word: re.Match[str]) -> str:
        wanted, following = normalise(word[0]), text[word.end() :].split(maxsplit=1)[:1]
        is_name = any(kit.find(domain, word[0]) for domain in kit.names)
        if is_name or len(wanted) < SHORTEST_NAME or wording.is_chatter(word[0], kit):
            return word[0]
        begun = [(domain, id) for domain in domains for id in begun_names(kit, domain, wanted)]
        playing = [one for one in begun if pieces.get(":".join(one), {"at": SUPPLY})["at"] not in OUT_OF_PLAY]
        if len(begun) < 2 or len(playing) != 1:
            return word[0]
        longer = normalise(" ".join([word[0], *following]))
        is_longer = any(begun_names(kit, domain, longer) for domain in domains) and longer != wanted
        return word[0] if is_longer else playing[0][1]

    return _WORD.sub(said, text)


_WORD = re.compile(r"[^\W\d_]+")


def kinds_asked(live: Live, seat: str) -> list[type[Order]]:
    """The kinds of order that may answer what is asked of a seat now."""
    return list(dict.fromkeys(kind for question in _asked(live, seat, None) for kind in question.orders))


def _addressed(error: Refused, power: str) -> Refused:
    """A refusal whose lines say for which power they are."""
    hints = [addressed_line(power, hint) for hint in error.hints]
    return Refused(error.sentence or error.code or "", error.section, hints, **error.values)


def meant(
    live: Live, seat: str, line: str, power: str | None = None, names: Mapping[str, str] | None = None
) -> Order | None:
    """The order of a seat that a line can stand for now, for the power named or for any of the seat's; None where it
    makes no sense. `names`: seat -> the name of its player.

    Raises `Refused`, with the lines, where it may be several.
    """
    if live.play is None or live.campaign.status != "running":
        return None
    questions = _asked(live, seat, power)
    if not questions:
        _refuse_unasked(live, seat, line, power, names or {})
    legal: list[Order] = []
    forms: list[str] = []
    faults: list[Refused] = []
    whole: list[Order] = []
    for question in questions:
        orders, readings = _answers(live, seat, line, question, names or {})
        legal += [order for order in orders if order not in legal]
        forms += [reading.kind.usage() for reading in readings if reading.missing]
        for order in (loose.whole(one) for one in readings if not one.missing):
            if (fault := _fault(live, seat, order, question)) is not None:
                whole, faults = [*whole, order], [*faults, fault]
    if not legal and brief.finishes(line, live.kit):
        return _ends(live, seat, questions)
    if len(legal) > 1:
        raise filling.several(legal)
    if not legal and faults:
        first = faults[0]
        raise Refused(first.code or "", first.section, _more(live, seat, whole, power) or first.hints, **first.values)
    if not legal and forms:
        raise Refused("nothing_legal_so", hints=list(dict.fromkeys(forms)))
    if not legal:
        for other in loose.read(live.kinds, line, spoken(live, names or {})):
            assert issubclass(other.kind, Order)
            for question in questions if other.values else ():  # of a verb alone is told what is missing
                question.check_kind(other.kind)  # it makes sense, for another moment
    return legal[0] if legal else None


def _refuse_unasked(live: Live, seat: str, line: str, power: str | None, names: Mapping[str, str]) -> None:
    """Raises `Refused`, with its full line, for what makes sense as an order while nothing is asked of its seat."""
    assert live.play is not None
    kit = spoken(live, names)
    if not (readings := loose.read(live.kinds, line, kit)) or brief.finishes(line, kit):
        return
    for one in [power] if power is not None else live.campaign.powers_of(seat)[:1]:
        try:
            live.play.check(one, Pass())
        except Refused as error:
            lines = list(dict.fromkeys(reading.form() for reading in readings))
            raise Refused(error.code or "", error.section, lines[: loose.MOST_READINGS], **error.values) from error


def _ends(live: Live, seat: str, questions: Iterable[Question]) -> Order | None:
    """What ends the sender's part where he says that he has no more orders: DONE, where it can be said. Raises
    `Refused`, with the lines, where only other orders would, which may give more away than he means."""
    ending: list[Order] = []
    for question in questions:
        is_legal, _ = _legality(live, seat, question)
        ends = [kind for kind in question.orders if kind.gives_turn_away or issubclass(kind, Done)]
        bare = [kind() for kind in ends if not kind.fields]
        ending += [order for order in bare if order not in ending and is_legal(order)]
    if len(ending) == 1 and isinstance(ending[0], Done):
        return ending[0]
    if ending:
        raise Refused("ends_what", hints=[order.text() for order in ending])
    return None


def instead(
    live: Live, seat: str, order: Order, line: str, power: str | None, names: Mapping[str, str], error: Refused
) -> Order | None:
    """What an order that is refused must mean, if anything: another that begins so and is an answer now.

    Raises `Refused`, with the lines, where it may be several, or the order with a clause that it leaves out.
    """
    if error.code == "no_answer":
        try:
            return meant(live, seat, line, power, names) or (
                _declines(live, seat, power) if isinstance(order, Pass) else None
            )
        except Refused as several:
            if several.code == "no_answer":
                return None
            raise several if power is None else _addressed(several, power) from error
    near = alike(live, seat, order, power)
    if len(near) == 1:
        return near[0]
    # What is left out of a whole order may change what it does: it is shown, and never put in.
    if lines := [one.text() for one in near or completed(live, seat, order, power)]:
        shown = Refused(error.code or "", error.section, lines[: loose.MOST_READINGS], **error.values)
        raise shown if power is None else _addressed(shown, power)
    return None


def _declines(live: Live, seat: str, power: str | None) -> Order | None:
    """What says no to what is asked, where just one order does: that is what who passes means there."""
    noes: list[Order] = []
    for question in _asked(live, seat, power):
        is_legal, _ = _legality(live, seat, question)
        noes += [order for order in _in_a_word(live, question, False) if is_legal(order)]
    return noes[0] if len(noes) == 1 else None


def completed(live: Live, seat: str, order: Order, power: str | None) -> list[Order]:
    """The legal answers that say what a refused order says, and a clause besides that it leaves out."""
    orders: list[Order] = []
    for question in _asked(live, seat, power):
        if type(order) in question.orders:
            orders += filling.completed(order, live.kit, *_legality(live, seat, question))
    return list(dict.fromkeys(orders))


def alike(live: Live, seat: str, order: Order, power: str | None) -> list[Order]:
    """The legal answers of other kinds with the verb of a refused order that its words can be (PLAY 31 FOR CP)."""
    orders: list[Order] = []
    for question in _asked(live, seat, power):
        others = [k for k in question.orders if k.pattern.key == order.pattern.key and k is not type(order)]
        readings = [one for one in loose.read(others, order.text(), live.kit) if not one.stretched]
        orders += filling.complete(readings, live.kit, *_legality(live, seat, question))
    return list(dict.fromkeys(orders))


def _asked(live: Live, seat: str, power: str | None) -> list[Question]:
    """What is asked of a power, or of all those of a seat."""
    if live.play is None:
        return []
    powers = [power] if power is not None else live.campaign.powers_of(seat)
    return [question for one in powers if (question := live.play.question_for(one)) is not None]


def _legality(live: Live, seat: str, question: Question) -> tuple[Callable[[Order], bool], filling.Listing]:
    """What `filling.complete` wants to know of a question."""
    assert live.play is not None
    table = live.play.table

    def is_legal(order: Order) -> bool:
        try:
            return following.power_asked(live, seat, order, question.power) == question.power
        except Refused:
            return False

    def legal(kind: type[Order]) -> Iterable[Order]:
        return kind.legal(table, question)

    return is_legal, legal


def _answers(
    live: Live, seat: str, line: str, question: Question, names: Mapping[str, str]
) -> tuple[list[Order], list[loose.Reading]]:
    """The legal answers to a question that a line may stand for, and all that its words may mean."""
    kit = spoken(live, names)
    is_legal, legal = _legality(live, seat, question)
    readings = loose.read(question.orders, line, kit)
    orders = filling.complete(readings, kit, is_legal, legal)
    word = None if orders else brief.says(line, kit)
    if word is not None:
        orders = [order for order in _in_a_word(live, question, word) if is_legal(order)]
    elif not readings and not brief.finishes(line, kit):
        bare = _without_verb(question, line, kit, legal) or notation.readings(question.orders, line, kit)
        orders = filling.complete(bare, kit, is_legal, legal)
        readings = bare if len(bare) == 1 else readings  # what it says whole is refused for its own reason
    return orders, readings


MOST_VERBS_LEFT_OUT = 2
"""Where more verbs than these take values now, a line has to name its own."""


def _without_verb(question: Question, line: str, kit: Kit, legal: filling.Listing) -> list[loose.Reading]:
    """What a line without a verb may mean as an answer: nothing where it could be so with several verbs, or the
    question is a choice among many kinds of act, and does not make clear what is answered."""
    if not (readings := loose.read_bare(question.orders, line, kit)):
        return []
    now = [kind for kind in question.orders if kind.fields and next(iter(legal(kind)), None) is not None]
    readings = [reading for reading in readings if reading.kind in now]
    few = len({kind.pattern.key for kind in now}) <= MOST_VERBS_LEFT_OUT
    return readings if few and len({reading.kind.pattern.key for reading in readings}) == 1 else []


def _more(live: Live, seat: str, orders: Iterable[Order], power: str | None) -> list[str]:
    """The lines of the legal answers that say more than orders which are refused do."""
    lines = [one.text() for order in orders for one in completed(live, seat, order, power)]
    return list(dict.fromkeys(lines))[: loose.MOST_READINGS]


def _fault(live: Live, seat: str, order: Order, question: Question) -> Refused | None:
    """Why what a line says whole is no legal answer."""
    try:
        following.power_asked(live, seat, order, question.power)
    except Refused as error:
        return error
    return None


def _in_a_word(live: Live, question: Question, yes: bool) -> Iterator[Order]:
    """The answers that a mere yes or no can mean: those that say so, else the only one beside a no."""
    bare = [kind for kind in question.orders if all(field.optional for field in kind.fields.values())]
    own_turn = question.kind in {*program_kinds(live.kit), *turns(live.kit)}
    refusing = [kind for kind in bare if kind.says is False or (kind.line == Pass.line and not own_turn)]
    if not yes:
        yield from (kind() for kind in refusing)
        return
    agreeing = [kind for kind in bare if kind.says]
    if not agreeing and refusing and len(question.orders) == 2:
        agreeing = [kind for kind in bare if kind not in refusing]
    yield from (kind() for kind in agreeing)


def spoken(live: Live, players: Mapping[str, str]) -> Kit:
    """The kit with the names that the players of a campaign use: of powers those in play alone, and for them the names
    of those who play them (`players`: seat -> name)."""
    kit, campaign = live.kit, live.campaign
    table = kit.tables.get(kit.seats.get("table", ""), {})
    domain = next((name for name, ids in kit.labels.items() if table and set(table) <= set(ids)), None)
    if domain is None:
        return kit
    playing = {power for seating in campaign.seats.values() for power in seating["powers"]}
    names = {name: id for name, id in kit.names[domain].items() if id in playing or id not in table}
    lent = live.play.board.played_by if live.play is not None else ()
    for seat, seating in campaign.seats.items():
        name = normalise(players.get(seat, ""))
        own = [power for power in seating["powers"] if power not in lent]
        if name and len(own) == 1 and not any(name in known for known in kit.names.values()):
            names[name] = own[0]
    return _with_names(kit, domain, tuple(names.items()))


@lru_cache(maxsize=200)
def _with_names(kit: Kit, domain: str, names: tuple[tuple[str, str], ...]) -> Kit:
    """What is worked out for the lines of a campaign is so once, not for each of them."""
    return kit.with_names(Frozen({**kit.names, domain: Frozen(names)}))
