"""Taking a submission up: what its lines do to a campaign, and what follows by itself.

The lines run one after the other, until the rules have to wait for somebody else (what remains is queued), a condition
stops them (`pbem.campaign.programs`), or an order is refused (what remains depended on it, and falls). After each order
the other seats' queued and standing orders answer what is asked of them; the seat's own wait until its mail is done.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.campaign import course, deadlines, expiry, guard, life, programs, repeats, standing
from pbem.campaign.acts import Act
from pbem.campaign.clock import moment
from pbem.campaign.commands import (
    COMMANDS,
    STEPS,
    AcceptInvitation,
    Again,
    Away,
    AwayOff,
    CancelQueue,
    CancelStanding,
    Command,
    DeclineInvitation,
    Help,
    Line,
    Next,
    Press,
    Queue,
    SetLanguage,
    SetReports,
    SetTimezone,
    SetWebhook,
    Standing,
    StandingList,
    StandingPreset,
    StandingPresets,
    Status,
    StatusOfPoints,
    Step,
    addressed_line,
    addressee,
    read_line,
    read_lines,
    usage,
)
from pbem.campaign.live import Live
from pbem.campaign.programs import Progress
from pbem.campaign.queries import waiting_as_known
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer, Asked, LineResult, LineState, Received
from pbem.render.narrative import Teller
from pbem.table import sight
from pbem.table.conditions import Sight, program_kinds, standing_answer, usages, vocabulary
from pbem.table.facts import Fact
from pbem.table.orders import Order, Refused, UnknownVerb, Unreadable
from pbem.table.questions import Question

MOST_TOLD = 10
"""Messages and settings of one submission that are carried out."""

EXAMPLES = 4
"""Legal lines of each kind of order that an answer shows."""

_OUTCOME = ("state", "reason", "code", "values", "section", "hints", "results", "text", "events")
"""What of a line's result says what came of it."""

_ASKS = (Status, StatusOfPoints, Help, Queue, StandingList, StandingPresets)
"""Lines that only ask."""

_INVITED = (AcceptInvitation, DeclineInvitation)
"""What who was invited may say first."""

_FALLEN: dict[str, tuple[LineState, str]] = {
    "refused": ("refused", "refused_before"), "stopped": ("told", "stopped_before")
}  # fmt: skip
"""What becomes of the lines below one: their state, and the refusal that says why."""


def take(act: Act, received: Received, settings: Settings) -> Answer:
    """Do what a submission says; writes the events of an act and returns the answer."""
    return _Taking(act, received, settings).run()


class _Taking:
    def __init__(self, act: Act, received: Received, settings: Settings):
        self.act, self.live, self.received, self.settings = act, act.live, received, settings
        self.seat = received.seat
        self.budget = settings.play_automatic_limit
        self.results: list[LineResult] = []
        self.told = 0

    def run(self) -> Answer:
        campaign = self.live.campaign
        if self.received.generation != campaign.seats[self.seat]["generation"]:
            return self._answer("This seat has a new player since; nothing was done.")
        if campaign.status in ("finished", "archived"):
            return self._answer("The campaign is over; nothing was done.")
        if len(self.received.lines) > self.settings.play_lines_limit * 20:
            return self._answer("There are far too many lines in this; nothing was done.")
        if guard.is_cut(self.received.lines):
            return self._holds_secret()
        lines = read_lines(
            self.live.kinds, self.received.lines, self.live.kit, self.settings.play_lines_limit
        )
        if not lines:
            return self._answer("No order was found in this.")
        if len(lines) > self.settings.play_lines_limit:
            limit = self.settings.play_lines_limit
            return self._answer("At most %(limit)s lines are taken at once; nothing was done.", limit=limit)
        if any(line.problem for line in lines):
            return self._unreadable(lines)
        if (before := self._sent_before(lines)) is not None:
            return self._answer(
                "You sent the same before (your message %(before)s), and the answer to it had not reached you: nothing "
                "was carried out again. To have it done once more, add a line AGAIN, or reply to the newer mail.",
                before=before,
            )
        self._run_lines(lines)
        missed = self._missed_before()
        if missed is None:
            return self._answer(None)
        return self._answer(
            "This came after the deadline of %(deadline)s for your answer (%(kind)s); the game has gone on without it.",
            deadline=missed["deadline"], kind=missed["kind"],
        )  # fmt: skip

    def _sent_before(self, lines: Sequence[Line]) -> int | None:
        """The number of the mail that this one repeats, since its answer was late; what only asks may be repeated."""
        if self.received.channel != "mail" or all(isinstance(line.order, _ASKS) for line in lines):
            return None
        before = repeats.earlier_mail(self.act.archive.store, self.received.campaign, self.received.number)
        if before is not None:
            for line in lines:
                assert line.order is not None
                again = Refused("sent_before")
                self.results.append(LineResult.refused(line.text, line.order.text(), again, self.live.kit))
        return before

    def _holds_secret(self) -> Answer:
        for line in self.received.lines:
            if guard.CUT in line:
                self.results.append(LineResult.refused(line, None, guard.HoldsSecret(), self.live.kit))
            else:
                other = Refused("other_line_unreadable")
                self.results.append(LineResult.refused(line, line, other, self.live.kit, "told"))
        return self._answer("Nothing was carried out: not every line could be read.")

    def _unreadable(self, lines: Sequence[Line]) -> Answer:
        for line in lines:
            if line.problem is None:
                assert line.order is not None
                other = Refused("other_line_unreadable")
                self.results.append(LineResult.refused(line.text, line.order.text(), other, self.live.kit, "told"))
            else:
                hints = self._hints(line.text, line.problem)
                hints = list(dict.fromkeys(hints))
                self.results.append(LineResult(line.text, "unreadable", None, line.problem.reason, None, hints))
        return self._answer("Nothing was carried out: not every line could be read.")

    def _asked_forms(self) -> list[str]:
        """What would answer what is asked of the seat now: ready lines where these are few, else the forms."""
        found: list[str] = []
        for asked in asked_of(self.live, self.seat):
            if not asked.answered:
                found += asked.examples if len(asked.usages) < EXAMPLES else asked.usages
        return found[: 2 * EXAMPLES]

    def _hints(self, text: str, problem: Unreadable) -> list[str]:
        """What would be right in place of a line. Who has not yet taken his seat is told how: no order is his now."""
        commands = {kind.pattern.verb for kind in COMMANDS if kind not in _INVITED}
        if self._is_invited() and text.split(None, 1)[0].upper() not in commands:
            return [kind.usage() for kind in _INVITED]
        hints = self._asked_forms() if isinstance(problem, UnknownVerb) else []
        return hints + [hint for hint in problem.hints if not (hints and "," in hint)]

    def _is_invited(self) -> bool:
        campaign = self.live.campaign
        return campaign.status == "inviting" and not campaign.seats[self.seat]["accepted"]

    def _run_lines(self, lines: Sequence[Line]) -> None:
        orders = [line for line in lines if not isinstance(line.order, Command)]
        accepted, fallen = 0, ""
        queued: list[tuple[str, LineResult]] = []
        progress = programs.begun(self.live, self.seat)
        if orders and isinstance(orders[0].order, Next):
            progress.turn = None
        for place, line in enumerate(lines):
            order = line.order
            assert order is not None
            if isinstance(order, Command):
                self.results.append(self._command(order, line))
                continue
            if fallen:
                state, code = _FALLEN[fallen]
                result = LineResult.refused(line.text, order.text(), Refused(code), self.live.kit, state)
            elif error := self._of_another(order, lines[place + 1 :]):
                result, fallen = self._refused(order, line, error), "refused"
            elif isinstance(order, Next) and not queued:
                result = self._next(line, lines[place + 1 :], progress)
                if result.state == "queued":
                    queued.append((Next.line, result))
                elif result.state == "refused":
                    fallen = "refused"
                else:
                    progress = programs.begun(self.live, self.seat)
            elif queued or (accepted and programs.must_wait(self.live, self.seat, order)):
                result = LineResult(line.text, "queued", order.text())
                queued.append((Next.line if isinstance(order, Next) else line.sent, result))
            else:
                result, verdict = self._program_line(order, line, progress, is_last=line is orders[-1])
                accepted += result.state == "accepted"
                fallen = "refused" if result.state == "refused" else "stopped" if verdict == "stop" else ""
                if verdict == "stop":
                    self._stop(line, lines[place + 1 :])
            self.results.append(result)
        if queued:
            before = self.live.campaign.queue.get(self.seat, [])
            if before and before[0] != Next.line:
                progress.since = min(progress.since, programs.progress_of(self.live, self.seat).since)
            lines_left = programs.joined([sent for sent, _ in queued], before)
            try:
                life.set_queue(self.act, self.seat, lines_left, progress)
            except Refused as error:
                for _, result in queued:
                    refused = LineResult.refused(result.line, result.order, error, self.live.kit)
                    for name in _OUTCOME:
                        setattr(result, name, getattr(refused, name))
                queued = []
        if accepted or queued:
            self._settle(None)
        self._tell_queued(queued)

    def _next(self, line: Line, after: Sequence[Line], progress: Progress) -> LineResult:
        """NEXT: what follows goes on now if the seat's turn begins, and waits for it if not.

        A turn that the lines above were for is not the next one, though none of them was carried out.
        """
        below = [one.order for one in after if one.order is not None and not isinstance(one.order, Command)]
        try:
            begins = programs.next_begins(self.live, self.seat, below, progress)
            waits = programs.awaited(self.live, self.seat, programs.foreseen(below)[1], progress)
        except Refused as error:
            return self._refused(Next(), line, error)
        if begins:
            return LineResult(line.text, "accepted", Next.line, text="your turn has come; what follows is taken up now")
        kinds = f" ({programs.in_words(waits)})" if waits else ""
        return LineResult(line.text, "queued", Next.line, text=f"what follows waits for your next turn{kinds}")

    def _of_another(self, order: Order, after: Sequence[Line]) -> Refused | None:
        """What is wrong with a line for a power that the seat does not hold: nobody would ever ask what it waits for.

        NEXT falls with the line below it, which says whose turn is meant.
        """
        powers = self.live.campaign.powers_of(self.seat)
        power, _ = addressee(_following(after) if isinstance(order, Next) else order)
        return _not_held(power, powers) if powers and power is not None and power not in powers else None

    def _program_line(
        self, order: Order, line: Line, progress: Progress, *, is_last: bool
    ) -> tuple[LineResult, programs.Verdict]:
        """One line whose turn has come: its condition judged first, if it has one."""
        verdict: programs.Verdict = "run"
        whole = order.text()
        power, order = addressee(order)
        if isinstance(order, Step):
            # A step that nothing can come of now is refused like any order, with the reason why it cannot be.
            if self._is_asked() or (order.last is None and self.live.play is not None):
                verdict, why = programs.judge(self.act, self.seat, order, progress)
                if why is not None:
                    progress.done = progress.done if order.last is None else False
                    return LineResult.refused(line.text, whole, why, self.live.kit, "told"), verdict
            order = order.last or order
        result = self._order(order, line, power, is_last=is_last)
        result.order = whole
        progress.done = result.state == "accepted"
        progress.turn = None
        return result, verdict

    def _stop(self, line: Line, after: Sequence[Line]) -> None:
        left = [one.sent for one in after if not isinstance(one.order, Command)]
        left += self.live.campaign.queue.get(self.seat, [])
        programs.stop(self.act, self.seat, line.sent, [], left)

    def _tell_queued(self, queued: Sequence[tuple[str, LineResult]]) -> None:
        """Queued lines whose turn came at once, since nobody had to be waited for, were taken up after all."""
        worked = list(self.act.worked)
        for sent, result in queued:
            found = next((w for w in worked if w[0] == self.seat and w[1] == sent), None)
            if found is None:
                return
            worked.remove(found)
            for name in _OUTCOME:
                setattr(result, name, getattr(found[2], name))

    def _is_asked(self) -> bool:
        campaign = self.live.campaign
        return any(ask["seat"] == self.seat for ask in deadlines.waited_for(campaign.asks, campaign.clocks))

    def _order(self, order: Order, line: Line, power: str | None, *, is_last: bool) -> LineResult:
        try:
            events, facts = attempt(self.act, self.seat, order, line.sent, power=power)
        except Refused as error:
            text = None
            if program_kinds(self.live.kit) and not self._is_asked():
                text = f"To have it wait for your next turn, send it below a line {Next.line}."
            return self._refused(order, line, error, text)
        self._settle(None if is_last else self.seat)
        return LineResult(line.text, "accepted", order.text(), results=facts, events=events)

    def _refused(self, order: Order, line: Line, error: Refused, text: str | None = None) -> LineResult:
        number = refuse(self.act, self.seat, line.sent, error)
        return LineResult.refused(line.text, order.text(), error, self.live.kit, text=text, events=[number])

    def _settle(self, busy: str | None) -> None:
        self.budget = settle(self.act, self.budget, busy)

    # commands

    def _command(self, command: Command, line: Line) -> LineResult:
        before = self.live.campaign.version
        try:
            if isinstance(command, Press | SetTimezone | SetReports | SetLanguage | SetWebhook | Away | AwayOff):
                self.told += 1
                if self.told > MOST_TOLD:
                    raise Refused("too_many_told", most=MOST_TOLD)
            text = self._do(command, line)
        except Refused as error:
            return LineResult.refused(line.text, command.text(), error, self.live.kit)
        except Unreadable as error:
            return LineResult(line.text, "refused", command.text(), error.reason, None, list(error.hints))
        events = list(range(before + 1, self.live.campaign.version + 1))
        told = isinstance(command, _ASKS)
        result = LineResult(line.text, "told" if told else "accepted", command.text(), text=text, events=events)
        if isinstance(command, StatusOfPoints):
            result.reasons = self._reasons()
            result.text = None if result.reasons else "This game tells nothing more of its points."
        return result

    def _reasons(self) -> list[dict[str, Any]]:
        """Why the points stand as they do, as the seat sees the board."""
        live = self.live
        board = live.campaign.board if live.play is None else live.play.board
        if board is None:
            return []
        return live.game.reasons(live.table(sight.view(board, live.campaign.powers_of(self.seat))))

    def _do(self, command: Command, line: Line) -> str | None:
        act, live, seat = self.act, self.live, self.seat
        campaign = live.campaign
        match command:
            case Status():
                return "\n".join([status_text(live), *_queue_waits(live, seat)])
            case StatusOfPoints():
                return None
            case Help():
                asked = [f"{x.kind}: {'; '.join(x.usages)}" for x in asked_of(live, seat)]
                if self._is_invited():
                    asked = [kind.usage() for kind in _INVITED]
                forms = [entry["usage"] for entry in usage(live.kinds)]
                forms += ["", "Other lines:", *(entry["usage"] for entry in usage(COMMANDS))]
                lines = ["Asked of you now:", *(asked or ["nothing"]), "", "Orders of the game:", *forms]
                return "\n".join(lines + _program_help(live))
            case Queue():
                return "\n".join([*campaign.queue.get(seat, []), *_queue_waits(live, seat)]) or "no orders are queued"
            case Again():
                return None
            case CancelQueue():
                life.set_queue(act, seat, [])
            case StandingList():
                mine = campaign.standing.get(seat, [])
                return "\n".join(f"{s['number']}. {s['text']}" for s in mine) or "there are no standing orders"
            case StandingPresets():
                return standing.presets_text(live)
            case StandingPreset():
                text = life.add_preset(act, seat, command.preset)
                self._settle(None)
                return text
            case Standing():
                life.add_standing(act, seat, command, line.text)
                self._settle(None)
            case CancelStanding():
                life.cancel_standing(act, seat, command.number)
            case Press():
                life.send_press(act, seat, command.to, command.message, self.settings.play_press_limit)
            case AcceptInvitation():
                life.join(act, seat)
            case DeclineInvitation():
                life.decline(act, seat)
            case Away():
                life.go_away(act, seat, command.first, command.last)
            case AwayOff():
                life.come_back(act, seat)
            case SetTimezone() | SetReports() | SetLanguage() | SetWebhook():
                life.set_preference(act, seat, command, self.settings.webhook_private)
            case _:
                raise Unreadable(f"{type(command).__name__} stands alone here")
        return None

    # the answer

    def _missed_before(self) -> dict[str, Any] | None:
        """The deadline that the seat missed, if what came after it was refused."""
        missed = self.live.campaign.seats[self.seat]["missed"]
        refused = any(result.state == "refused" for result in self.results)
        if not missed or not refused or moment(self.received.received_at) <= moment(missed["deadline"]):
            return None
        if missed["question"] < self.live.campaign.question - 3:
            return None
        return missed

    def _answer(self, note: str | None, **values: Any) -> Answer:
        """The answer with a note, a sentence of the mails' catalogue, and what is to be put into it."""
        live = self.live
        campaign = live.campaign
        bad = ("refused", "unreadable")
        return Answer(
            campaign=campaign.id,
            number=self.received.number,
            seat=self.seat,
            lines=self.results,
            ok=bool(self.results) and not any(result.state in bad for result in self.results),
            note=note % values if note and values else note,
            note_form=note if values else None,
            note_values=values,
            asked=asked_of(live, self.seat) if self.received.channel == "mail" else [],
            waiting_for=waiting_as_known(campaign, self.seat, _is_sealed(live)),
            queued=list(campaign.queue.get(self.seat, [])),
            event=campaign.version,
            head=campaign.head,
            received_at=self.received.received_at,
        )


# --- orders ---


def attempt(
    act: Act,
    seat: str,
    order: Order,
    sent: str,
    *,
    kind: str = "order",
    cause: str = "",
    change: dict[str, Any] | None = None,
    power: str | None = None,
) -> tuple[list[int], list[Fact]]:
    """Take an order of a seat up for the power named, or for whichever of its powers is asked. Raises `Refused`."""
    campaign = act.campaign
    power = power_asked(act.live, seat, order, power)
    question = act.live.playing().question_for(power, order)
    if question is not None and campaign.clocks[question.key]["over"]:
        raise Refused("only_the_late" if act.live.playing().answered(question) else "time_is_over")
    return course.answer(act, seat, power, order, sent, kind=kind, cause=cause, change=change)


def _not_held(power: str, powers: Sequence[str]) -> Refused:
    return Refused("power_not_yours", power=power, powers=list(powers))


def _following(after: Sequence[Line]) -> Order:
    """The order below NEXT; `pbem.campaign.commands.read_lines` sees to it that there is one."""
    following = next(one.order for one in after if not isinstance(one.order, Command))
    assert following is not None
    return following


def power_asked(live: Live, seat: str, order: Order, named: str | None = None) -> str:
    """The power of a seat whose open question the order answers: the one named, if any is. Raises `Refused`."""
    campaign = live.campaign
    if campaign.status == "inviting":
        raise Refused("not_begun", hint=AcceptInvitation.usage())
    if campaign.status == "paused":
        raise Refused("paused", why=campaign.reason)
    if campaign.status == "held" or live.play is None:
        raise Refused("held")
    powers = campaign.powers_of(seat)
    if named is not None:
        if named not in powers:
            raise _not_held(named, powers)
        powers = [named]
    asked = [power for power in powers if live.play.question_for(power) is not None]
    waiting = [ask["power"] for ask in deadlines.waited_for(campaign.asks, campaign.clocks)]
    asked.sort(key=lambda power: power not in waiting)
    refusal: Refused | None = None
    for power in asked or powers[:1]:
        try:
            live.play.check(power, order)
            return power
        except Refused as error:
            refusal = refusal or error
    raise refusal or Refused("no_power")


def refuse(act: Act, seat: str, sent: str, error: Refused, *, queue: bool = False) -> int:
    """Put a refused order on record, readable for its sender; a queued one takes the rest of the queue with it."""
    own: dict[str, dict[str, Any]] = {}
    own[seat] = {"refused": error.to_json()}
    change: dict[str, Any] = {}
    if queue:
        own[seat]["program"] = {"left": list(act.campaign.queue.get(seat, []))}
        change = {**programs.without(act.live, seat), "dropped": seat}
    return act.write("refused", own=own, order=(seat, sent), change=change)


def settle(act: Act, budget: int, busy: str | None = None) -> int:
    """Let queued and standing orders answer what is asked of their seats, and silence for those whose time is over
    where the game waits for nobody else; returns what is left of the budget.

    `busy` is a seat whose own mail is still being worked off.
    """
    live = act.live
    while budget > 0 and live.play is not None and live.campaign.status == "running":
        waited = deadlines.waited_for(live.campaign.asks, live.campaign.clocks)
        if not any(_let_fall(act, seat) for seat in live.campaign.queue if seat != busy) and not any(
            _answer_by_itself(act, ask) for ask in waited if ask["seat"] != busy
        ) and not expiry.close(act):  # fmt: skip
            break
        budget -= 1
    if budget <= 0:
        expiry.close(act)
    return budget


def _answer_by_itself(act: Act, ask: Mapping[str, Any]) -> bool:
    seat, campaign = ask["seat"], act.campaign
    if campaign.queue.get(seat) and _go_on(act, seat):
        return True
    if campaign.quiet == campaign.question:
        return False
    return any(_answer_by_standing(act, seat, ask, order) for order in campaign.standing.get(seat, []))


def _let_fall(act: Act, seat: str) -> bool:
    """Drop queued lines that would give away a turn which they were not sent for, and tell their player."""
    live = act.live
    fallen = programs.given_away(live, seat, lambda line: _gives_turn_away(live, line))
    if not fallen:
        return False
    first, *more = fallen
    left = list(live.campaign.queue[seat])
    for line in fallen:
        left.remove(line)
    reason = Refused("turn_is_over")
    for line in fallen:
        act.worked.append((seat, line, LineResult.refused(line.rpartition("\n")[2], None, reason, live.kit, "told")))
    act.write(
        "refused", order=(seat, first),
        own={seat: {"refused": reason.to_json(), "program": {"left": more}}},
        change={**programs.with_queue(live, seat, left, programs.progress_of(live, seat)), "dropped": seat},
    )  # fmt: skip
    return True


def _gives_turn_away(live: Live, line: str) -> bool:
    try:
        _, order = addressee(read_line(live.kinds, line.rpartition("\n")[2], live.kit))
    except Unreadable:
        return False
    last = order.last if isinstance(order, Step) else order
    return last is not None and last.gives_turn_away


def _go_on(act: Act, seat: str) -> bool:
    """Take the program up that waits in a seat's queue, as far as its next order; False where it has to wait."""
    live = act.live
    lines = list(live.campaign.queue[seat])
    progress = programs.progress_of(live, seat)
    passed: list[str] = []
    while lines:
        first = lines[0]
        text = first.rpartition("\n")[2]
        try:
            order = read_line(live.kinds, text, live.kit)
            below = [read_line(live.kinds, line.rpartition("\n")[2], live.kit) for line in lines[1:]]
        except Unreadable as error:
            _refuse_queued(act, seat, first, Refused("unreadable_now", hints=error.hints, problem=error.reason))
            return True
        if isinstance(order, Next):
            try:
                begins = programs.next_begins(live, seat, below, progress)
                if not begins and programs.let_pass(live, seat, below, progress):
                    life.set_queue(act, seat, lines, progress)
                    return True
            except Refused as error:
                _refuse_queued(act, seat, first, error)
                return True
            if not begins:
                break
            act.worked.append((seat, first, LineResult(text, "accepted", text="your turn has come")))
            progress = programs.begun(live, seat)
            lines.pop(0)
            continue
        if programs.must_wait(live, seat, order):
            break
        power, order = addressee(order)
        if isinstance(order, Step):
            verdict, why = programs.judge(act, seat, order, progress)
            if why is not None:
                act.worked.append((seat, first, LineResult.refused(text, None, why, live.kit, "told")))
            if verdict == "stop":
                programs.stop(act, seat, first, passed, lines[1:])
                return True
            if verdict == "skip":
                progress.done = progress.done if order.last is None else False
                passed.append(lines.pop(0))
                continue
            assert order.last is not None
            order = order.last
        if passed:
            programs.skip(act, seat, passed, lines, progress)
        progress.done, progress.turn = True, None
        change = programs.with_queue(live, seat, lines[1:], progress)
        try:
            events, facts = attempt(act, seat, order, first, kind="queued", change=change, power=power)
            act.worked.append((seat, first, LineResult(text, "accepted", results=facts, events=events)))
        except Refused as error:
            _refuse_queued(act, seat, first, error)
        return True
    if passed:
        programs.skip(act, seat, passed, lines, progress)
    return bool(passed)


def _queue_waits(live: Live, seat: str) -> list[str]:
    """What a seat's turns to come wait for, in a line; none where none is queued."""
    texts = [line.rpartition("\n")[2] for line in live.campaign.queue.get(seat, [])]
    try:
        orders = [read_line(live.kinds, text, live.kit) for text in texts]
    except Unreadable:
        return []  # a corrected kit has other names; the line is refused, with the reason, when its turn comes
    told = programs.waits_for(live, seat, orders)
    return [told] if told else []


def _refuse_queued(act: Act, seat: str, line: str, error: Refused) -> None:
    number = refuse(act, seat, line, error, queue=True)
    act.worked.append((seat, line, LineResult.refused(line, None, error, act.live.kit, events=[number])))


def _answer_by_standing(act: Act, seat: str, ask: Mapping[str, Any], order: dict[str, Any]) -> bool:
    live = act.live
    play, campaign = live.play, live.campaign
    if play is None:
        return False
    question = next((q for q in play.questions() if q.key == ask["key"]), None)
    if question is None:
        return False
    answer = standing_answer(
        order["kind"], order["conditions"], order["line"],
        Sight(live.game, play.table, campaign.powers_of(seat), question),
        lambda line: _read_for(live, line, ask["power"]), round=campaign.kind or "",
    )  # fmt: skip
    if answer is None:
        return False  # not meant for this, or not legal here: the player is asked as if it were not there
    try:
        play.check(ask["power"], answer)
        course.answer(act, seat, ask["power"], answer, order["line"], kind="standing", cause=act.cast)
    except Refused:
        return False
    return True


def _read_for(live: Live, line: str, power: str) -> Order:
    """The order of a line that answers for a power. Raises `Refused` where it is for another one, `Unreadable`."""
    named, order = addressee(read_line(live.kinds, line, live.kit))
    if named not in (None, power):
        raise Refused("for_another", power=named)
    return order


# --- what is asked ---


def asked_of(live: Live, seat: str) -> list[Asked]:
    """The questions now open to a seat, with legal lines and a template."""
    campaign, play = live.campaign, live.play
    if play is None or seat not in campaign.seats or campaign.status not in ("running", "paused"):
        return []
    powers = campaign.powers_of(seat)
    states = {ask["key"]: ask["answered"] for ask in campaign.asks}
    found = []
    for question in play.questions():
        answered = states.get(question.key, False)
        if question.power not in powers or (answered and not (play.wait and play.wait.replaceable)):
            continue
        clock = campaign.clocks[question.key]
        if clock["over"]:
            continue
        by_kind = _examples(live, question)
        examples = list(itertools.chain.from_iterable(by_kind.values()))
        # What nothing could be said with now is left out; HELP tells of every order.
        usages = list(dict.fromkeys(kind.usage() for kind in question.orders if by_kind[kind] or not examples))
        template = examples[0] if len(examples) == 1 else usages[0] if usages else ""
        found.append(
            Asked(
                question.kind,
                question.power,
                question.key,
                dict(question.context),
                question.section,
                usages,
                examples,
                template,
                clock["deadline"],
                answered,
            )
        )
    if len({asked.power for asked in found}) > 1:
        for asked in found:  # each line says for which power of the seat it is
            asked.usages = [addressed_line(asked.power, line) for line in asked.usages]
            asked.examples = [addressed_line(asked.power, line) for line in asked.examples]
            asked.template = addressed_line(asked.power, asked.template) if asked.template else ""
    return found


def _program_help(live: Live) -> list[str]:
    """How lines of a program take conditions, where the game has any."""
    words = vocabulary(live.kit)
    if not words:
        return []
    teller = Teller(live.kit)
    shown = [f"{usage}: {teller.condition(name)}" for usage, name in zip(usages(words), words, strict=True)]
    return ["", "Before an order of several:", *STEPS, "", "Conditions, there and in standing orders:", *shown]


def _examples(live: Live, question: Question) -> dict[type[Order], list[str]]:
    """Some legal lines of each kind of order that may answer a question."""
    assert live.play is not None
    table = live.play.table
    return {
        kind: [order.text() for order in itertools.islice(kind.legal(table, question), EXAMPLES)]
        for kind in question.orders
    }


def _is_sealed(live: Live) -> bool:
    return bool(live.play and live.play.wait and live.play.wait.is_sealed)


def status_text(live: Live) -> str:
    """How the campaign stands, in a few lines."""
    campaign = live.campaign
    lines = [f"{campaign.title or campaign.id}: {campaign.status}"]
    if campaign.reason:
        lines.append(campaign.reason)
    waiting = waiting_as_known(campaign, None, _is_sealed(live))
    if waiting:
        lines.append(f"Waiting for {', '.join(waiting)} ({campaign.kind}), until {campaign.deadline or 'no set time'}.")
    lines.append(f"Event {campaign.version}, head {campaign.head}")
    return "\n".join(lines)
