"""Programs: the lines of a mail as one plan, run until the rules have to wait for somebody else or a condition ends it.

What is left waits in the seat's queue. A step with a condition (`pbem.campaign.commands.Step`) is judged when its turn
comes, by what its player sees then: the board, and what he was told since his program began. ``IF`` and ``UNLESS`` hold
a line back or let it through, ``THEN`` lets it through if the line above was carried out, ``STOP`` ends the program,
and its player is told what is left.

A game may name the kinds of question of one's own turn (`pbem.table.conditions.program_kinds`). A line that cannot
answer one of these falls, and the rest with it; a question of another kind (combat cards in the middle of one's own
move) only makes the program wait, until the player or a standing order has answered it.

A program may be sent before its turn has come: what stands after ``NEXT`` waits until the seat is asked what begins a
turn of its own that the first order below it can answer (`next_begins`), and then goes on as if it had been sent at
that moment. A game names its kinds of turn (`pbem.table.conditions.turns`): an action, but a placement or a deployment
as well. What no turn can begin with is refused at once, and what none of the turns of a whole round began with falls
(`let_pass`), so that nothing waits for ever. A new ``NEXT`` takes the place of one that waits; several in one mail are
so many turns.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pbem.campaign import deadlines, kept
from pbem.campaign.acts import Act
from pbem.campaign.campaign import Campaign
from pbem.campaign.commands import CARD, ForAll, Next, Step, addressee
from pbem.campaign.live import Live
from pbem.campaign.queries import facts_for
from pbem.campaign.store import Store
from pbem.render.tellings import Sentence, say
from pbem.table.conditions import Sight, begins_turn, conditions_text, holds, program_kinds, read_conditions, turns
from pbem.table.facts import Fact
from pbem.table.grammar import Name
from pbem.table.orders import Order, Refused
from pbem.table.questions import Question

Verdict = Literal["run", "skip", "stop"]


@dataclass
class Progress:
    """How far a program has come: the number of its first event, and whether the line above was carried out.

    `turn` is the number of the question that its lines are for, as long as none of them was carried out; `kind` the
    kind of question that was asked of the seat when it began; `phase` the kind of turn that anybody had then; `passed`
    the kinds of turn that the seat had while what stands below ``NEXT`` waited for another.
    """

    since: int
    done: bool = True
    turn: int | None = None
    kind: str | None = None
    phase: str | None = None
    passed: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """As the campaign remembers it."""
        kept: dict[str, Any] = {"since": self.since, "done": self.done, "turn": self.turn, "kind": self.kind}
        kept |= {"phase": self.phase, "passed": self.passed or None}
        return {name: value for name, value in kept.items() if value is not None}


def begun(live: Live, seat: str) -> Progress:
    """The progress of a program of a seat that begins now."""
    kind = next((question.kind for question in _open_questions(live, seat)), None)
    phase = live.campaign.kind if live.campaign.kind in turns(live.kit) else None
    return Progress(live.campaign.version + 1, turn=live.campaign.question, kind=kind, phase=phase)


def progress_of(live: Live, seat: str) -> Progress:
    """The progress of the program that waits in a seat's queue; a new one where none does."""
    stored = live.campaign.programs.get(seat)
    if stored is None or not live.campaign.queue.get(seat):
        return Progress(live.campaign.version + 1)
    return kept.read(Progress, stored, since=live.campaign.version + 1)


def must_wait(live: Live, seat: str, order: Order) -> bool:
    """Whether a line of a program cannot be judged yet, since somebody else is asked, or the seat something else."""
    campaign, play = live.campaign, live.play
    power, order = addressee(order)
    asks = [ask for ask in deadlines.waited_for(campaign.asks, campaign.clocks) if ask["seat"] == seat]
    kinds = {ask["kind"] for ask in asks if power in (None, ask["power"])}
    if not kinds or play is None:
        return True
    own_turn = program_kinds(live.kit)
    if not own_turn or any(kind in own_turn for kind in kinds):
        return False
    last = order.last if isinstance(order, Step) else order
    questions = [question for question in _open_questions(live, seat) if power in (None, question.power)]
    return not any(type(last) in question.orders for question in questions)


def turn_begins(live: Live, seat: str, power: str | None, progress: Progress) -> bool:
    """Whether a seat is asked what begins a turn of its own, and not the one that the program so far was for: for this
    power, or for any of its powers.

    That is the first of the game's kinds of program, as the kit's ``begins`` says where a turn has several of these; in
    a game that names none, whatever is asked.
    """
    first = program_kinds(live.kit)[:1]
    return any(not first or question.kind in first for question in _turns_now(live, seat, power, progress))


def foreseen(orders: Iterable[Order]) -> tuple[str | None, Order | None]:
    """What stands below ``NEXT``: the power that its first line names, and its first order (None: it only stops)."""
    power: str | None = None
    for place, one in enumerate(orders):
        if isinstance(one, Next):
            break
        named, order = addressee(one)
        power = named if place == 0 else power
        last = order.last if isinstance(order, Step) else order
        if last is not None:
            return power, last
    return power, None


def awaited(live: Live, seat: str, order: Order | None, progress: Progress) -> list[str]:
    """The kinds of turn that what begins with this order waits for; none where the game names no kinds of turn.

    An order that ends a turn is for one kind only: that which was on when it was sent, else the game's main one. Raises
    `Refused` for what no turn begins with, or only one that comes no more.
    """
    known, main = turns(live.kit), program_kinds(live.kit)[:1]
    if not known or order is None:
        return list(main)
    verb = order.pattern.verb if order.fields else order.text()
    kinds = [kind for kind, entry in known.items() if order.id() in entry["opens"]]
    if not kinds:
        forms = {kind.id(): kind.usage() for kind in live.kinds}
        begin = [forms[id] for one in main for id in known[one]["opens"] if id in forms]
        raise Refused("begins_no_turn", hints=begin, verb=verb)
    if live.play is not None:
        seen = Sight(live.game, live.play.table, live.campaign.powers_of(seat))
        coming = [kind for kind in kinds if holds(read_conditions(known[kind].get("comes"), live.kit), seen)]
        if not coming:
            raise Refused("comes_no_more", verb=verb, kinds=kinds)
        kinds = coming
    if not order.gives_turn_away:
        return kinds
    return [next(kind for kind in (progress.phase, *main, kinds[0]) if kind in kinds)]


def powers_meant(live: Live, seat: str, order: Order) -> list[str]:
    """The powers of a seat whose next turn an order sent ahead can be for, where it names none: those that hold the
    card which it names, if any does; all of them in a game that has turns of powers, none in others."""
    powers = live.campaign.powers_of(seat)
    if not (turns(live.kit) and program_kinds(live.kit)):
        return []
    last = order.last if isinstance(order, Step) else order
    if last is None or live.play is None:
        return powers
    named = [getattr(last, name) for name, field in last.fields.items() if _is_card(field)]
    return [power for power in powers if set(named) & set(live.play.table.board.hand_of([power]))] or powers


def _is_card(field: Any) -> bool:
    return isinstance(field, Name) and field.domain == CARD


def next_begins(live: Live, seat: str, orders: Iterable[Order], progress: Progress) -> bool:
    """Whether what stands below ``NEXT`` can go on now: its seat has a turn that its first order answers, and not the
    one that the lines above ``NEXT`` were for. Raises `Refused` for what never can (`awaited`, or where another seat
    plays by now the power that it is for)."""
    power, order = foreseen(orders)
    powers = live.campaign.powers_of(seat)
    if power is not None and power not in powers:
        raise Refused("power_not_yours", power=power, powers=list(powers))
    kinds = awaited(live, seat, order, progress)
    known, main = turns(live.kit), program_kinds(live.kit)[:1]
    now = _turns_now(live, seat, power, progress)
    if order is None or (main and not known):
        return any(not main or question.kind in main for question in now)
    return any((not known or question.kind in kinds) and type(order) in question.orders for question in now)


def let_pass(live: Live, seat: str, orders: Iterable[Order], progress: Progress) -> bool:
    """Note the turn that a seat has now and that what stands below ``NEXT`` is not for; whether there is one to note.

    Raises `Refused` once its turns have come round without one that it fits, and for what ends a turn of the kind that
    was on when it was sent, as soon as a turn of another kind has come.
    """
    power, order = foreseen(orders)
    now = _turns_now(live, seat, power, progress)
    if not now or order is None or now[0].kind in progress.passed[-1:]:
        return False
    kind, verb = now[0].kind, order.pattern.verb
    kinds = awaited(live, seat, order, progress)
    if order.gives_turn_away and turns(live.kit) and kind not in kinds and progress.phase in (None, *kinds):
        raise Refused("sent_for_another_turn", verb=verb, kinds=list(kinds), kind=kind)
    if kind in progress.passed:
        raise Refused("waited_a_round", verb=verb)
    progress.passed = [*progress.passed, kind]
    return True


def waits_for(live: Live, seat: str, orders: Sequence[Order]) -> Sentence | None:
    """What the turns to come in a seat's queue wait for, for its player; None where no turn has to come."""
    if not orders or not isinstance(orders[0], Next):
        return None
    power, order = foreseen(orders[1:])
    try:
        kinds = awaited(live, seat, order, progress_of(live, seat))
    except Refused as error:
        reason = {"code": error.sentence or error.code, "values": error.values}
        return say("What stands below NEXT falls when your turn comes: %(refusal)s.", refusal=reason)
    kinds = list(kinds)
    if power and kinds:
        return say("What stands below NEXT waits for the next turn: %(power)s (%(kinds)s).", power=power, kinds=kinds)
    if power:
        return say("What stands below NEXT waits for the next turn: %(power)s.", power=power)
    if kinds:
        return say("What stands below NEXT waits for your next turn (%(kinds)s).", kinds=kinds)
    return say("What stands below NEXT waits for your next turn.")


def _turns_now(live: Live, seat: str, power: str | None, progress: Progress) -> list[Question]:
    """The open questions of a seat, for this power or any of its own, that begin a turn of its own; none for the turn
    that the program so far was for."""
    if live.play is None or progress.turn == live.campaign.question:
        return []
    table, powers = live.play.table, live.campaign.powers_of(seat)
    names_turns = program_kinds(live.kit) or turns(live.kit)
    return [
        question
        for question in _open_questions(live, seat)
        if power in (None, question.power)
        and (not names_turns or begins_turn(question, Sight(live.game, table, powers, question)))
    ]


def given_away(live: Live, seat: str, gives_away: Callable[[str], bool]) -> list[str]:
    """The lines of the running program of a seat that would end a turn which they were not sent for.

    `gives_away` tells whether a line ends a turn. The turn that they were sent for is over when the seat is asked what
    begins another, or another seat is; a question of another kind than the program began with, and not of one's own
    turn, is none that they were meant for.
    """
    progress = progress_of(live, seat)
    now = running(live, seat)
    ending = [line for line in now if gives_away(line)]
    if not ending or live.play is None or live.play.wait is None:
        return []
    asked = {question.kind for question in _open_questions(live, seat)}
    if asked and turn_begins(live, seat, None, progress):
        return ending
    if not asked:
        others = [one for one in live.campaign.seats if one != seat]
        is_over = not live.play.wait.is_sealed and progress.turn is None and program_kinds(live.kit)
        return ending if is_over and any(turn_begins(live, one, None, Progress(0)) for one in others) else []
    own_turn = set(program_kinds(live.kit))
    meant = progress.kind is None or progress.kind in asked or (progress.kind in own_turn and asked & own_turn)
    return [] if meant or now[0] not in ending else now[:1]


def ends_turn(order: Order) -> bool:
    """Whether an order ends a turn whatever else is so: one without conditions, for one power or for all."""
    if isinstance(order, ForAll):
        return order.order.gives_turn_away
    _, order = addressee(order)
    return order.gives_turn_away


def has_nothing_to_end(live: Live, order: Order, kinds: Sequence[type[Order]], progress: Progress) -> bool:
    """Whether an order that ends a turn cannot be for the one that its program began with: that is answered once (a
    placement), and by other kinds of order; `kinds` are those that the program was written for."""
    if not ends_turn(order) or progress.kind not in turns(live.kit) or progress.kind in program_kinds(live.kit):
        return False
    _, order = addressee(order)
    return type(order) not in kinds


def running(live: Live, seat: str) -> list[str]:
    """The lines of a seat's program for the turn that it runs in: those before ``NEXT``."""
    return _split(live.campaign.queue.get(seat, []))[0]


def joined(new: Sequence[str], before: Sequence[str]) -> list[str]:
    """The queue that new lines and those that wait make: the program that runs, then the turns to come.

    The new lines go before those that wait; turns to come that they hold replace the ones that wait.
    """
    now, later = _split(new)
    now_before, later_before = _split(before)
    return [*now, *now_before, *(later or later_before)]


def _split(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines before the first ``NEXT``, and those from it on."""
    at = list(lines).index(Next.line) if Next.line in lines else len(lines)
    return list(lines[:at]), list(lines[at:])


def judge(act: Act, seat: str, step: Step, progress: Progress) -> tuple[Verdict, Refused | None]:
    """What becomes of a step now, and why it is not carried out, if it is not."""
    if step.word == "THEN":
        if not progress.done:
            return "skip", Refused("line_above_not_done")
    else:
        is_so = holds(step.conditions, _sight(act, seat, progress))
        if is_so != (step.word == "IF"):
            return "skip", Refused("holds" if is_so else "does_not_hold", conditions=conditions_text(step.conditions))
    if step.order is None:
        return "stop", Refused("program_stops", conditions=conditions_text(step.conditions))
    return judge(act, seat, step.order, progress) if isinstance(step.order, Step) else ("run", None)


def _open_questions(live: Live, seat: str) -> list[Question]:
    powers = live.campaign.powers_of(seat)
    answered = {ask["key"] for ask in live.campaign.asks if ask["answered"]}
    questions = live.play.questions() if live.play is not None else []
    return [question for question in questions if question.power in powers and question.key not in answered]


def _sight(act: Act, seat: str, progress: Progress) -> Sight:
    live = act.live
    assert live.play is not None
    asked = _open_questions(live, seat)
    return Sight(
        live.game, live.play.table, live.campaign.powers_of(seat), asked[0] if asked else None,
        lambda: told_since(act.archive.store, act.campaign, seat, progress.since),
    )  # fmt: skip


def told_since(store: Store, campaign: Campaign, seat: str, event: int) -> list[Fact]:
    """What a seat could read of everything since an event, that included; what is not saved yet as well."""
    events = itertools.chain(store.stored(campaign.id, event), campaign.pending_events)
    return [fact for one in events if one.originator_version >= event for fact in facts_for(one, seat)]


def stop(act: Act, seat: str, line: str, passed: Sequence[str], left: Sequence[str]) -> int:
    """A condition ends a program: nothing of it is queued any more, and its player is told what is left."""
    own = {seat: {"program": {"stopped": line, "skipped": list(passed), "left": list(left)}, "queue": []}}
    return act.write("settings", own=own, change={**without(act.live, seat), "stopped": seat})


def skip(act: Act, seat: str, passed: Sequence[str], left: Sequence[str], progress: Progress) -> int:
    """Lines whose condition did not let them through are done with."""
    own = {seat: {"program": {"skipped": list(passed)}, "queue": list(left)}}
    return act.write("settings", own=own, change=with_queue(act.live, seat, left, progress))


def without(live: Live, seat: str) -> dict[str, Any]:
    """What the campaign remembers once nothing of a seat is queued."""
    campaign = live.campaign
    return {
        "queue": {one: lines for one, lines in campaign.queue.items() if one != seat},
        "programs": {one: kept for one, kept in campaign.programs.items() if one != seat},
    }


def with_queue(live: Live, seat: str, lines: Sequence[str], progress: Progress) -> dict[str, Any]:
    """What the campaign remembers once these lines of a seat are queued."""
    change = without(live, seat)
    if lines:
        change["queue"][seat] = list(lines)
        change["programs"][seat] = progress.to_json()
    return change
