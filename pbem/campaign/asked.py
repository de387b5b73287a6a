"""What is asked of a seat now, and how a campaign stands, for answers to mails and for pages."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.campaign import deadlines, press, programs, requested
from pbem.campaign.command import (
    COMMANDS,
    AcceptInvitation,
    Away,
    CancelAnswer,
    CancelQueue,
    Card,
    DeclineInvitation,
    Hand,
    Help,
    Press,
    Queue,
    SetReports,
    Standing,
    StandingPresets,
    Status,
    StatusOfBoard,
)
from pbem.campaign.commands import (
    OBJECT,
    STEP_VERBS,
    Next,
    addressed_line,
    read_line,
    read_powers,
    said_for,
    said_to_the_service,
    usage,
)
from pbem.campaign.live import Live
from pbem.campaign.meaning import says_order
from pbem.campaign.nearest import standing_lines, whole_message, with_legal_lines
from pbem.campaign.status import Known, waiting_as_known
from pbem.campaign.submissions import Asked, LineResult
from pbem.campaign.wondered import daily_reports, takes_back, thing_asked, wishes_always
from pbem.render.tellings import Sentence, line, say
from pbem.table import wording
from pbem.table.conditions import program_kinds, usages, vocabulary
from pbem.table.grammar import letters_off
from pbem.table.inflected import means
from pbem.table.orders import Order, Refused, UnknownVerb, Unreadable
from pbem.table.questions import Question
from pbem.table.refusals import FORM
from pbem.table.talk import message_to_somebody

EMPTY = line(text="")

STEPS = (
    line(usage="IF <condition> <order>"), line(usage="UNLESS <condition> <order>"),
    line(usage="IF <condition> STOP"), line(usage="UNLESS <condition> STOP"),
    say("%(usage)s (only if the line above was carried out)", usage="THEN <order>"),
    say("%(usage)s (what follows waits for your next turn that its first order can begin)", usage=Next.line),
)  # fmt: skip
"""The forms of the steps of a program, for help."""

NAMED = 40
"""Legal lines of an order that are looked through for what its fields may name."""

EXAMPLES = 4
"""Legal lines of each kind of order that an answer shows."""

LONG_LINE = 4
"""So many words has a line at least that was hardly meant for a mere answer."""

INVITED = (AcceptInvitation, DeclineInvitation)
"""What who was invited may say first."""


def asked_of(live: Live, seat: str) -> list[Asked]:
    """The questions now open to a seat, with legal lines and a template."""
    campaign, play = live.campaign, live.play
    if play is None or seat not in campaign.seats or campaign.status not in ("running", "paused"):
        return []
    powers = campaign.powers_of(seat)
    states = {ask["key"]: ask["answered"] for ask in campaign.asks}
    asks = []
    for question in play.questions():
        answered = states.get(question.key, False)
        if question.power not in powers or (answered and not (play.wait and play.wait.replaceable)):
            continue
        clock = campaign.clocks[question.key]
        if clock["over"]:
            continue
        by_kind = _examples(live, question)
        examples = list(dict.fromkeys(itertools.chain.from_iterable(by_kind.values())))
        # What nothing could be said with now is left out; HELP tells of every order.
        usages = list(dict.fromkeys(
            kind.usage() for kind in question.orders
            if by_kind[kind] or not examples or kind.may_come(play.table, question)
        ))  # fmt: skip
        whole = question.whole_mail(play.table)
        template = examples[0] if len(examples) == 1 else usages[0] if usages else ""
        asks.append(
            Asked(
                question.kind,
                question.power,
                question.key,
                dict(question.context),
                question.section,
                usages,
                examples,
                "\n".join(whole) or template,
                clock["deadline"],
                answered,
            )
        )
    if len({asked.power for asked in asks}) > 1:
        for asked in asks:  # each line says for which power of the seat it is
            asked.usages = [addressed_line(asked.power, form) for form in asked.usages]
            asked.examples = [addressed_line(asked.power, example) for example in asked.examples]
            lines = asked.template.splitlines()
            asked.template = "\n".join(addressed_line(asked.power, line) for line in lines)
    return asks


def _examples(live: Live, question: Question) -> dict[type[Order], list[str]]:
    """Some legal lines of each kind of order that may answer a question."""
    assert live.play is not None
    table = live.play.table
    examples: dict[type[Order], list[str]] = {}
    for kind in question.orders:
        legal = (order for order in kind.examples(table, question) if question.is_legal(table, order))
        first = list(itertools.islice(legal, EXAMPLES))
        examples[kind] = [order.text() for order in first if order.is_likely] or [order.text() for order in first]
    return examples


STATES = {
    "inviting": say("%(title)s: players are being invited"),
    "running": say("%(title)s: the game is on"),
    "paused": say("%(title)s: the game is paused"),
    "held": say("%(title)s: the game is held until a fault is mended"),
    "finished": say("%(title)s: the game is over"),
    "archived": say("%(title)s: the game is over and filed away"),
}
"""How a campaign stands, by its status."""


def status_told(live: Live) -> list[Sentence]:
    """How the campaign stands, in a few lines."""
    campaign = live.campaign
    lines = [{**STATES[campaign.status], "title": campaign.title or campaign.id}]
    if campaign.reason:
        lines.append(line(text=campaign.reason))
    waiting = waiting_as_known(Known.of(campaign), None)
    if waiting and campaign.deadline:
        form = say("Waiting for %(powers)s (%(kind)s), until %(deadline)s.", deadline=campaign.deadline)
        lines.append({**form, "powers": waiting, "kind": campaign.kind})
    elif waiting:
        lines.append(say("Waiting for %(powers)s (%(kind)s), without a set time.", powers=waiting, kind=campaign.kind))
    lines.append(say("Event %(event)s, head %(head)s", event=campaign.version, head=campaign.head))
    return lines


def advice_for_later(live: Live, seat: str) -> list[Sentence]:
    """What is told besides of an order that is refused since nothing is asked of its seat."""
    waited = deadlines.waited_for(live.campaign.asks, live.campaign.clocks)
    if not program_kinds(live.kit) or any(ask["seat"] == seat for ask in waited):
        return []
    return [say("To have it wait for your next turn, send it below a line NEXT.")]


def asked_forms(live: Live, seat: str) -> list[str]:
    """What would answer what is asked of a seat now: ready lines where these are few, else the forms."""
    lines: list[str] = []
    for asked in asked_of(live, seat):
        if not asked.answered:
            lines += asked.examples if len(asked.usages) < EXAMPLES else asked.usages
    return lines[: 2 * EXAMPLES]


def besides(live: Live, seat: str) -> list[str]:
    """In brief the lines that a seat may send besides answers: a message, where it may send one, steps of a program,
    where the game has any, HELP."""
    lines = [press.line_to(whom)] if (whom := press.may_write_to(live, seat)) else []
    return [*lines, *(["IF <condition> <order>", Next.line] if program_kinds(live.kit) else []), Help.pattern.verb]


def dropping_the_queue(live: Live, seat: str) -> list[str]:
    """The line that drops what is queued of a seat; none where nothing is."""
    return [CancelQueue.line] if live.campaign.queue.get(seat) else []


def unread(
    live: Live, seat: str, text: str, problem: Unreadable, players: Mapping[str, str] | None = None
) -> LineResult:
    """A line of a seat that cannot be read, why, and what would be right as things stand: what it asks the service for
    comes first; `players`: seat -> name, by which messages are addressed. While something of the seat's is queued, what
    drops that as well, for it would run at its turn."""
    asks_nothing = is_invited(live, seat) or _is_in_message(problem)
    wanted = [] if asks_nothing else _requested(live, seat, text, players or {})
    result = LineResult.unreadable(text, problem, live.kit) if wanted else _unread(live, seat, text, problem)
    result.hints = wanted or result.hints
    result.hints = list(dict.fromkeys([*result.hints, *dropping_the_queue(live, seat)]))
    return result


def _requested(live: Live, seat: str, text: str, players: Mapping[str, str]) -> list[str]:
    """The lines that do what a sentence asks the service for; a message among them to whom it names."""
    wanted, wished = requested.lines(text, live.kit), _of_service(live, seat, text)
    told = requested.message(text, live.kit)
    whom = press.may_write_to(live, seat)
    messages: list[str] = []
    if told is not None and whom:
        try:
            named = press.powers_meant(live, seat, told.to, players)
        except Unreadable:
            named = []
        messages = [press.line_to(whom, named, told.message or None)]
    elif not wanted:
        return []
    wished_heads = [line.split()[:2] for line in wished]  # which may name more, such as an hour
    return [*messages, *wished, *(line for line in wanted if line.split()[:2] not in wished_heads)]


def _unread(live: Live, seat: str, text: str, problem: Unreadable) -> LineResult:
    result = LineResult.unreadable(text, problem, live.kit)
    hints = list(dict.fromkeys(_would_be_right(live, seat, text, problem)))
    power, said = said_for(text, live.kit)
    message = whole_message(live, seat, said) if said != text or isinstance(problem, UnknownVerb) else None
    if message is not None:  # it is no order of one power
        result.hints = [message]
        return result
    if isinstance(problem, UnknownVerb) and (told := _as_message(live, seat, text, result)) is not None:
        return told
    if isinstance(problem, UnknownVerb) and not is_invited(live, seat) and (wished := _of_service(live, seat, text)):
        result.hints = wished
        return result
    if len(text.split()) >= LONG_LINE and (advice := advice_for_later(live, seat)):
        result.telling(advice, live.kit)
    if _is_of_the_service(text, problem):
        result.hints = hints
    else:
        result.hints = with_legal_lines(live, seat, text, hints, power)
    return result


def _of_service(live: Live, seat: str, text: str) -> list[str]:
    """The lines of the service that a sentence may wish for: what takes back what is sealed or queued, an absence, one
    mail a day, answers in advance, what a thing of the game does."""
    campaign, kit = live.campaign, live.kit
    lines: list[str] = []
    if takes_back(text, kit):
        sealed = live.play is not None and live.play.wait is not None and live.play.wait.replaceable
        if sealed and any(ask["seat"] == seat and ask["key"] in campaign.texts for ask in campaign.asks):
            lines.append(CancelAnswer.line)
        if campaign.queue.get(seat):
            lines.append(CancelQueue.line)
    clauses = _CLAUSE.split(text) if len(text) <= LONGEST_WISH else []
    for clause in filter(str.strip, clauses):
        said = said_to_the_service(clause.strip(), kit, live.kinds)
        lines += [said.text()] if isinstance(said, Away | SetReports) else []
    if (daily := daily_reports(text, kit)) is not None:
        lines.append(daily.text())
    if wishes_always(text, kit):
        lines += [StandingPresets.line, f"{Help.pattern.verb} {Standing.pattern.verb}"]
    if (thing := thing_asked(text, kit)) is not None:
        naming = (kind for kind in live.kinds for one in kind.fields.values() if getattr(one, "domain", "") == thing[0])
        verbs = dict.fromkeys(f"HELP {kind.pattern.verb}" for kind in naming)
        lines += list(verbs)[:MOST_HELP]
    return list(dict.fromkeys(lines))


LONGEST_WISH = 400
"""So long is a sentence at most whose clauses are looked through for lines of the service."""

MOST_HELP = 3
"""So many verbs that take a thing are shown to who asks what it does."""

_CLAUSE = re.compile(r"[,;!()]|[.](?=\s|$)")


def _as_message(live: Live, seat: str, text: str, result: LineResult) -> LineResult | None:
    """The answer to what begins with a power's name and a colon (``France: shall we ally?``), or with a leader's: the
    line that sends it, to whom its sender fills in where a leader is named; why he may not be written to. None where a
    line begins otherwise, what is said may be an order (others are not to hear that), or nobody may be written to."""
    message = message_to_somebody(text, live.kit)
    if message is None or not (whom := press.may_write_to(live, seat)):
        return None
    name, said = message
    if says_order(live, said):
        return None
    try:
        to = read_powers(name, list(live.kit.labels[live.kit.domain_of_powers]), live.kit)
    except (Unreadable, KeyError):
        to = []
    own = live.campaign.powers_of(seat)
    to = [power for power in to if power not in own]
    barred = press.barred_by_the_game(live, own, to) if to else None
    if barred is not None:
        return LineResult.refused(text, None, barred, live.kit, "unreadable")
    result.hints = [press.line_to(whom, to, said)]
    return result


def _is_of_the_service(text: str, problem: Unreadable) -> bool:
    """Whether a line that cannot be read is no order of the game: one of the service, a step, an object, or a part of a
    message."""
    verb = next(iter(text.split(None, 1)), "").upper().rstrip(":")
    known = {*(kind.pattern.verb for kind in COMMANDS), *STEP_VERBS}
    return _is_in_message(problem) or verb in known or text.startswith(OBJECT)


def _is_in_message(problem: Unreadable) -> bool:
    """Whether a line that cannot be read stands below a message, and may be a part of it."""
    return problem.refusal().code in ("order_below_message", "word_alone")


def _would_be_right(live: Live, seat: str, text: str, problem: Unreadable) -> list[str]:
    """What would be right in place of a line. Who has not yet taken his seat is told how: no order is his now."""
    commands = {kind.pattern.verb for kind in COMMANDS if kind not in INVITED}
    verb = next(iter(text.split(None, 1)), "").upper()
    if is_invited(live, seat) and verb not in commands:
        return [kind.usage() for kind in INVITED]
    if verb.rstrip(":") == Standing.pattern.verb:  # what is asked now has no part in it
        form = [] if _is_in_message(problem) else [FORM + Standing.usage()]  # there the way out stands last
        return [*standing_lines(live, seat, text), *problem.hints, *form]
    if not isinstance(problem, UnknownVerb):
        return list(problem.hints)
    return [*_corrected(live, text, problem.hints), *asked_forms(live, seat), *besides(live, seat)]


def _corrected(live: Live, text: str, verbs: Sequence[str]) -> list[str]:
    """What a line may have meant whose first word is like one of some verbs: the line with that verb where it can be
    read so, else the forms that the verb has."""
    lines: list[str] = []
    verbs = [verb for verb in verbs if _is_slip(live, text.split(maxsplit=1)[0], verb)]
    for verb in verbs:
        try:
            lines.append(read_line(live.kinds, " ".join([verb, *text.split()[1:]]), live.kit).text())
        except Unreadable:
            continue
    kinds = [kind for kind in (*live.kinds, *COMMANDS) if kind.pattern.verb in verbs]
    return (lines or [kind.usage() for kind in kinds])[:EXAMPLES]


SHORTEST_SLIP, LONG_SLIP = 4, 6
"""So many letters has a word at least that may be a verb with a slip in it; so many one with two."""


def _is_slip(live: Live, word: str, verb: str) -> bool:
    """Whether a word is likely a slip of a verb: it begins so, is one or two letters off, and means nothing itself."""
    said, kit = word.strip("\"'“”«».,:;!?()[]*_-").casefold(), live.kit
    if len(said) < SHORTEST_SLIP or said[:1] != verb[:1].casefold():
        return False
    if wording.is_chatter(said, kit) or means(said, "prose", kit) or any(kit.find(one, said) for one in kit.names):
        return False
    return letters_off(said, verb) <= (2 if len(said) >= LONG_SLIP else 1)


def in_its_moment(live: Live, seat: str, error: Refused, said: str, power: str | None = None) -> Refused:
    """A refusal of what was said (for one of the seat's powers, if it names one), with a whole line that would be right
    now; of a verb that is for another moment with what may be sent now: the forms of orders of which none is legal
    would help nobody."""
    hints = list(error.hints)
    if {"verb", "question"} <= error.values.keys():
        hints = [*asked_forms(live, seat), *besides(live, seat)]
    readings = "several_readings" in (error.sentence, error.code)
    hints = with_legal_lines(live, seat, said, hints, power, readings=readings)
    hints = list(dict.fromkeys([*hints, *dropping_the_queue(live, seat)]))
    return Refused(error.sentence or error.code or "", error.section, hints, **error.values)


def is_invited(live: Live, seat: str) -> bool:
    """Whether whoever sits at a seat has still to take it."""
    return live.campaign.status == "inviting" and not live.campaign.seats[seat]["accepted"]


DICE = (
    say(
        "Before anything was thrown, the service drew the keys of a few thousand throws and committed itself to all of "
        "them by the seal in the mail that began the campaign. A throw comes from its key and from the order that "
        "caused it: so the service cannot choose a result once your order is sent, you cannot know one beforehand, and "
        "nobody can change one later. “pbem verify” checks every die of the campaign against the seal."
    ),
    EMPTY,
    say(
        "What the seal does not prove: somebody who knew the keys and sent orders himself could try many wordings. So "
        "whoever runs this service should take no seat. You may add a line SALT with any words of yours to an order, "
        "which makes its dice yours as well."
    ),
)
"""What the dice prove, and what they do not."""


def help_told(live: Live, seat: str, about: str | None = None) -> list[Sentence]:
    """What a seat may send now and how it asks for more, or what it asks about; nothing for a verb, which is explained
    elsewhere."""
    if about == Help.DICE:
        return list(DICE)
    if about not in (None, Help.ALL):
        return []
    asked = [told for one in asked_of(live, seat) for told in _asked_told(one)]
    if is_invited(live, seat):
        asked = [line(usage=kind.usage()) for kind in INVITED]
    now = [say("Asked of you now:"), *asked] if asked else [say("Nothing is asked of you now.")]
    return [*now, *(_whole_help(live) if about else _more_help(live, seat))]


def _asked_told(asked: Asked) -> list[Sentence]:
    return [say("%(kind)s:", kind=asked.kind), *(say("  %(usage)s", usage=form) for form in asked.usages)]


def _more_help(live: Live, seat: str) -> list[Sentence]:
    """What may be sent at any time, and how more is asked for."""
    kinds = [*([Press] if press.may_write_to(live, seat) else []), Status, StatusOfBoard, Hand, Card, Queue]
    return [
        *(EMPTY, say("At any time:"), *(line(usage=kind.usage()) for kind in kinds)),
        EMPTY,
        say("HELP and the first word of a line tells all about that line: HELP PRESS. HELP ALL tells every line there "
            "is, HELP STANDING how questions are answered in advance, HELP DICE how the dice are proved."),
    ]  # fmt: skip


def _whole_help(live: Live) -> list[Sentence]:
    """Every line there is."""
    return [
        *(EMPTY, say("Orders of the game:"), *(line(usage=entry["usage"]) for entry in usage(live.kinds))),
        *(EMPTY, say("Other lines:"), *(line(usage=entry["usage"]) for entry in usage(COMMANDS))),
        *_program_help(live),
    ]


def hand_of(live: Live, seat: str) -> list[str]:
    """The cards that a seat holds; none before the game has begun."""
    return [card for hand in hands_of(live, seat).values() for card in hand]


def hands_of(live: Live, seat: str) -> dict[str, list[str]]:
    """The cards that each power of a seat holds; none of any before the game has begun."""
    board = live.campaign.board if live.play is None else live.play.table.board
    return {} if board is None else {power: board.hand_of([power]) for power in live.campaign.powers_of(seat)}


def explained(live: Live, seat: str, verb: str) -> list[dict[str, Any]]:
    """All orders of the game that begin with a verb: ``{"order": id, "asked": whether it may answer what the seat is
    asked now, "legal": some lines that may, "named": field -> the ids that it may name now}`` each."""
    orders = []
    for kind in live.kinds:
        if kind.pattern.verb != verb:
            continue
        asked, legal, named = False, list[str](), dict[str, list[str]]()
        for question in _open_questions(live, seat):
            if kind in question.orders:
                asked = True
                legal += _examples(live, question)[kind]
                _name(named, live, question, kind)
        orders.append({"order": kind.id(), "asked": asked, "legal": legal, "named": named})
    return orders


def _name(named: dict[str, list[str]], live: Live, question: Question, kind: type[Order]) -> None:
    """Add what the fields of an order may name now, as some of its legal lines do, to what they are known to."""
    assert live.play is not None
    for order in itertools.islice(kind.legal(live.play.table, question), NAMED):
        for field in order.fields:
            value = getattr(order, field)
            if isinstance(value, str) and value not in named.setdefault(field, []):
                named[field].append(value)


def command_help(live: Live, verb: str) -> list[Sentence]:
    """What lines do that are no orders of the game and begin with a word: commands, and steps of a program."""
    kinds = [kind for kind in COMMANDS if kind.pattern.verb == verb]
    told = [say("%(usage)s: %(said)s", usage=kind.usage(), said=kind.help()) for kind in kinds]
    return told or _program_help(live)[1:]


def _open_questions(live: Live, seat: str) -> list[Question]:
    if live.play is None or seat not in live.campaign.seats or live.campaign.status not in ("running", "paused"):
        return []
    powers = live.campaign.powers_of(seat)
    return [question for question in live.play.questions() if question.power in powers]


def _program_help(live: Live) -> list[Sentence]:
    """How lines of a program take conditions, where the game has any."""
    words = vocabulary(live.kit)
    if not words:
        return []
    forms = zip(usages(words), words, strict=True)
    shown = [say("%(usage)s: %(condition)s", usage=usage, condition=name) for usage, name in forms]
    return [
        *(EMPTY, say("Before an order of several:"), *STEPS),
        *(EMPTY, say("Conditions, there and in standing orders:"), *shown),
    ]


def queue_waits(live: Live, seat: str) -> list[Sentence]:
    """What a seat's turns to come wait for, in a line; none where none is queued."""
    texts = [queued.rpartition("\n")[2] for queued in live.campaign.queue.get(seat, [])]
    try:
        orders = [read_line(live.kinds, text, live.kit) for text in texts]
    except Unreadable:
        return []  # a corrected kit has other names; the line is refused, with the reason, when its turn comes
    told = programs.waits_for(live, seat, orders)
    return [told] if told is not None else []
