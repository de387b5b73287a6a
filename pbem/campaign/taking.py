"""Taking a submission up: its lines are read, and run one after the other.

That goes on until the rules have to wait for somebody else (what remains is queued), a condition stops them
(`pbem.campaign.programs`), or an order is refused (what remains depended on it, and falls). After each order what
follows of it is done (`pbem.campaign.following`); the own queued and standing orders of the seat wait until its mail is
done. Lines that are no orders are the affair of `pbem.campaign.commanding`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pbem.campaign import (
    ahead,
    asked,
    bare,
    commanding,
    deadlines,
    following,
    guard,
    joining,
    life,
    meaning,
    people,
    press,
    programs,
    repeats,
)
from pbem.campaign.acts import Act
from pbem.campaign.clock import moment
from pbem.campaign.command import (
    ASKS,
    AcceptInvitation,
    Away,
    AwayOff,
    Card,
    Command,
    Hand,
    Help,
    Press,
    SetBoard,
    SetLanguage,
    SetReports,
    SetTimezone,
    SetWebhook,
    Standing,
    StandingPreset,
    StatusOfPoints,
)
from pbem.campaign.commands import (
    FOR_ALL,
    Addressed,
    ForAll,
    Line,
    Next,
    Step,
    addressed_line,
    addressee,
    cards_named,
    read_lines,
    said_for,
)
from pbem.campaign.live import Live
from pbem.campaign.programs import Progress
from pbem.campaign.settings import Settings
from pbem.campaign.status import Known, waiting_as_known
from pbem.campaign.submissions import Answer, LineResult, LineState, Received
from pbem.render.tellings import Sentence, say
from pbem.table import filling, loose, talk, tries
from pbem.table.conditions import program_kinds
from pbem.table.facts import Fact
from pbem.table.orders import Done, Order, Pass, Refused, Showing, Unreadable

MOST_FOR_TALK = 3
"""Lines that a mail is shown which only talks."""

MOST_TOLD = 10
"""Messages and settings of one submission that are carried out."""

_OUTCOME = ("state", "reason", "code", "values", "section", "hints", "results", "text", "sentences", "events")
"""What of a line's result says what came of it."""

_WRITES = (Press, SetTimezone, SetReports, SetBoard, SetLanguage, SetWebhook, Away, AwayOff)
"""Lines of which one mail holds only so many."""

NOTHING_LEFT = say("There is nothing left that this line would end: it was not needed, and is not kept.")
"""What is told of a line that ends a turn which a line above it has ended, or which there is not."""

_FALLEN: dict[str, tuple[LineState, str]] = {
    "refused": ("refused", "refused_before"), "stopped": ("told", "stopped_before")
}  # fmt: skip
"""What becomes of the lines below one: their state, and the refusal that says why."""


def take(act: Act, received: Received, settings: Settings) -> Answer:
    """Do what a submission says; writes the events of an act and returns the answer."""
    with tries.bounded(tries.MOST_TRIES_OF_A_MAIL):
        return Taking(act, received, settings).run()


class Taking:
    """One submission on its way through an act. What a check does otherwise (`pbem.campaign.checking`) stands in
    methods of their own."""

    def __init__(self, act: Act, received: Received, settings: Settings):
        self.act, self.live, self.received, self.settings = act, act.live, received, settings
        self.seat = received.seat
        self.budget = settings.play_automatic_limit
        self.results: list[LineResult] = []
        self.told = 0
        self.beside_yes: list[str] = []
        """What stands beside a yes to an invitation, on its line, and is not carried out."""
        self.moved = False
        """Whether the game would have gone on by now, and was not let: never so but in a check."""

    @cached_property
    def names(self) -> dict[str, str]:
        """The players' names, for lines in which they may stand for powers."""
        return people.names_of(self.act.archive.store, self.live.campaign.id)

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
            self.live.kinds, self.received.lines, self.live.kit, self.settings.play_lines_limit,
            hand=asked.hand_of(self.live, self.seat), spoken=lambda: meaning.spoken(self.live, self.names),
            in_play=lambda text: meaning.put_plainly(self.live, self.seat, text),
        )  # fmt: skip
        if not asked.is_invited(self.live, self.seat):
            lines = bare.without_headings(lines, self.live, self.seat, meaning.spoken(self.live, self.names))
            bare.ask_back(lines, self.live.kinds, self.live.kit)
            press.ask_back(self.live, self.seat, lines, self.names)
        if not lines:
            return self._answer("No order was found in this.")
        if len(lines) > self.settings.play_lines_limit:
            limit = self.settings.play_lines_limit
            return self._answer("At most %(limit)s lines are taken at once; nothing was done.", limit=limit)
        if asked.is_invited(self.live, self.seat):
            lines, self.beside_yes = joining.with_yes(lines, self.live.kit)
        self._look_at_first(lines)
        kinds = ahead.read(self.live, self.seat, lines, self.names)
        if any(line.unclear or (line.problem and not line.loose) for line in lines):
            return self._unreadable(lines)
        if (before := self._sent_before(lines)) is not None:
            return self._answer(
                "You sent the same before (it came on %(before)s), and the answer to it had not reached you: nothing "
                "was carried out again. To have it done once more, send it with a line AGAIN above it, or reply to the "
                "newer mail.",
                before=before,
            )
        self._run_lines(lines, kinds)
        missed = self._missed_before()
        if missed is None and self._has_joined():
            return self._has_taken_the_seat()
        if missed is None:
            return self._answer(None)
        return self._answer(
            "This came after the deadline of %(deadline)s for your answer (%(kind)s); the game has gone on without it.",
            deadline=missed["deadline"], kind=missed["kind"],
        )  # fmt: skip

    def _has_taken_the_seat(self) -> Answer:
        """The answer to who has taken his seat."""
        note, values = joining.note(self.live.campaign)
        return self._answer(note, **values)

    def _has_joined(self) -> bool:
        """Whether this mail took a seat of a game that has not begun."""
        joined = any(one.state == "accepted" and one.order == AcceptInvitation.line for one in self.results)
        return joined and self.live.campaign.status == "inviting"

    def _look_at_first(self, lines: Sequence[Line]) -> None:
        """Whether the first order makes sense, where its words alone do not tell: nothing comes before it, so that it
        is known now, and with it the whole mail is unreadable."""
        first = next((line for line in lines if not isinstance(line.order, Command)), None)
        if first is None:
            return
        if first.order is None and first.said and not first.loose:
            first.loose = bool(loose.read_bare(self.live.kinds, first.said, self.live.kit))
        if not first.loose:
            return
        try:
            first.loose = first.ends or self._means(first) is not None
        except Refused:
            return  # it may mean several things, and is asked back when its turn comes

    def _sent_before(self, lines: Sequence[Line]) -> str | None:
        """When the mail came that this one repeats, since its answer was late; what only asks may be repeated."""
        if self.received.channel != "mail" or all(isinstance(line.order, ASKS) for line in lines):
            return None
        before = repeats.earlier_mail(self.act.archive.store, self.received.campaign, self.received.number)
        if before is not None:
            for line in lines:
                again, text = Refused("sent_before"), line.order.text() if line.order else line.text
                self.results.append(LineResult.refused(line.text, text, again, self.live.kit))
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
        """Nothing is carried out of a mail with a line that cannot be read; what only asks is answered all the same. A
        mail that holds nothing but talk is told so, and how to reach people."""
        others = [line for line in lines if not isinstance(line.order, ASKS)]
        talks = all(line.is_prose and not line.loose for line in others) and self._is_talk(others)
        for line, then in zip(lines, ahead.reached(self.live, self.seat, lines, self.names), strict=True):
            if isinstance(line.order, ASKS):
                self.results.append(self.command(line.order, line))
            elif line.unclear is not None:
                self.results.append(LineResult.refused(line.text, None, line.unclear, self.live.kit, "unreadable"))
            elif line.problem is None or line.loose:
                other, text = Refused("other_line_unreadable"), line.order.text() if line.order else line.text
                self.results.append(LineResult.refused(line.text, text, other, self.live.kit, "told"))
            else:
                result = self._unread(line, then)
                is_barred = result.code not in (None, line.problem.refusal().code)  # and why tells more
                if not is_barred and (talks or (line.is_prose and self._is_talk([line]))):
                    hints = [*result.hints[:MOST_FOR_TALK], *asked.dropping_the_queue(self.live, self.seat)]
                    told = Refused("talk", hints=list(dict.fromkeys(hints)))
                    state: LineState = "told" if talks else "unreadable"
                    result = LineResult.refused(line.text, None, told, self.live.kit, state)
                self.results.append(result)
        if talks:
            return self._answer(
                "No order is read in this: a program reads these mails. PRESS TO writes to other players, HELP and "
                "STATUS tell what it knows."
            )
        return self._answer("Nothing was carried out: not every line could be read.")

    def _is_talk(self, lines: Sequence[Line]) -> bool:
        return talk.is_talk("\n".join(line.text for line in lines), self.live.kinds, self.live.kit)

    def _unread(self, line: Line, then: Live | None = None) -> LineResult:
        """What is told of a line that cannot be read; `then` is how things stand at its turn, where they do otherwise
        than now."""
        assert line.problem is not None
        return asked.unread(then or self.live, self.seat, line.text, line.problem, self.names)

    def _run_lines(self, lines: Sequence[Line], kinds: Sequence[type[Order]]) -> None:
        """Carry lines out; `kinds` are the kinds of order that they were written for."""
        orders = [line for line in lines if not isinstance(line.order, Command)]
        accepted, fallen, unsaid = 0, "", False
        queued: list[tuple[str, LineResult]] = []
        progress = programs.begun(self.live, self.seat)
        if orders and isinstance(orders[0].order, Next):
            progress.turn = None
        ended = set[str | None]()
        for place, line in enumerate(lines):
            order = line.order
            if order is None and self.moved and not fallen:
                self.results.append(self.unknown_yet(line))
                continue
            if order is None:  # its words make sense, and only now can be told which
                order, result = self._meant(line, fallen, kinds, waits=bool(queued), begun=accepted > 0)
                if order is None:
                    self.results.append(result)
                    fallen = fallen or ("" if line.ends else "refused")
                    continue
            if isinstance(order, Command):
                self.results.append(self.command(order, line))
                unsaid = unsaid or (isinstance(order, Press) and self.results[-1].state == "refused")
                continue
            if unsaid and _is_end(order):  # nobody is done who meant to say something first
                fallen = fallen or "refused"
            ended = set() if isinstance(order, Next) else ended
            if fallen:
                state, code = _FALLEN[fallen]
                result = LineResult.refused(line.text, order.text(), Refused(code), self.live.kit, state)
            elif error := self._of_another(order, lines[place + 1 :]) or self._of_several(order, line, queued):
                result, fallen = self._refused(order, line, error), "refused"
            elif self.moved:
                result = self.unknown_yet(line)
            elif isinstance(order, Next) and not queued:
                result = self._next(line, lines[place + 1 :], progress)
                if result.state == "queued":
                    queued.append((Next.line, result))
                elif result.state == "refused":
                    fallen = "refused"
                else:
                    progress = programs.begun(self.live, self.seat)
            elif isinstance(order, ForAll) and queued:
                result, fallen = self._refused(order, line, Refused("for_all_now")), "refused"
            elif not isinstance(order, ForAll) and (
                queued or (accepted and programs.must_wait(self.live, self.seat, order))
            ):
                order = line.order or order
                if self._is_needless(order, kinds, progress, ended, queued):
                    result = LineResult(line.text, "told", order.text()).telling([NOTHING_LEFT], self.live.kit)
                else:
                    result = LineResult(line.text, "queued", order.text())
                    queued.append((Next.line if isinstance(order, Next) else line.kept, result))
                    if programs.ends_turn(order):
                        ended.add(addressee(order)[0])
                        result.telling(self._may_fall(progress, queued), self.live.kit)
            else:
                result, verdict = self._program_line(order, line, progress, is_last=line is orders[-1])
                accepted += result.state == "accepted"
                if result.state == "accepted" and programs.ends_turn(order):
                    ended.add(addressee(order)[0])
                fallen = "refused" if result.state == "refused" else "stopped" if verdict == "stop" else ""
                if verdict == "stop":
                    self._stop(line, lines[place + 1 :])
            self.results.append(result)
        if queued and queued[-1][0] == Next.line:  # what stood below it fell, and it would wait for nothing
            _, alone = queued.pop()
            _become(alone, LineResult.refused(alone.line, alone.order, Refused("nothing_after_next"), self.live.kit))
        if queued:
            before = self.live.campaign.queue.get(self.seat, [])
            if before and before[0] != Next.line:
                progress.since = min(progress.since, programs.progress_of(self.live, self.seat).since)
            lines_left = programs.joined([sent for sent, _ in queued], before)
            try:
                life.set_queue(self.act, self.seat, lines_left, progress, by_its_player=True)
            except Refused as error:
                for _, result in queued:
                    _become(result, LineResult.refused(result.line, result.order, error, self.live.kit))
                queued = []
        if accepted or queued:
            self.settle(None)
        self._tell_queued(queued)

    def _is_needless(
        self, order: Order, kinds: Sequence[type[Order]], progress: Progress, ended: set[str | None],
        queued: Sequence[tuple[str, LineResult]],
    ) -> bool:
        """Whether a line that would have to wait ends what lines above it have ended (`ended`: for these powers), or
        what is not there to be ended. Below NEXT it is for that turn."""
        if not programs.ends_turn(order):
            return False
        if addressee(order)[0] in ended:
            return True
        below_next = any(sent == Next.line for sent, _ in queued)
        return not below_next and programs.has_nothing_to_end(self.live, order, kinds, progress)

    def _may_fall(self, progress: Progress, queued: Sequence[tuple[str, LineResult]]) -> list[Sentence]:
        """What is told of a line that waits to end the sender's own turn."""
        own_turn = progress.kind in program_kinds(self.live.kit) and all(sent != Next.line for sent, _ in queued)
        return [say("It falls if your turn ends by itself before.")] if own_turn else []

    def _meant(
        self, line: Line, fallen: str, kinds: Sequence[type[Order]], *, waits: bool, begun: bool
    ) -> tuple[Order | None, LineResult]:
        """The order that a line stands for which the grammar does not take; else what its sender is told.

        What has to wait, since somebody else is asked in the middle of the mail, is understood by the kinds of order
        that it was written for, and kept as its full line: what it would mean then nobody can show him now.
        """
        assert line.problem is not None
        try:
            order = None if fallen else self._means_later(line, kinds, waits=waits, begun=begun)
            if order is None and not fallen and not waits:
                order = self._means(line)
        except Refused as error:
            error = asked.in_its_moment(self.live, self.seat, error, line.said, line.power)
            state: LineState = "told" if line.ends else "refused"
            refused = LineResult.refused(line.text, None, error, self.live.kit, state)
            return None, refused if waits else self._with_advice(refused)
        if order is None and fallen:
            state, code = _FALLEN[fallen]
            return None, LineResult.refused(line.text, line.text, Refused(code), self.live.kit, state)
        if order is None and line.ends:
            ended = say("There is nothing for you to end now.")
            return None, LineResult(line.text, "told").telling([ended], self.live.kit)
        return order, self._unread(line)

    def _means(self, line: Line) -> Order | None:
        """The one order that a line can stand for as things are. Raises `Refused` where it may be several."""
        return meaning.meant_by(self.live, self.seat, line, self.names)

    def _means_later(self, line: Line, kinds: Sequence[type[Order]], *, waits: bool, begun: bool) -> Order | None:
        """The order for which a line has to wait, since lines above it wait (`waits`), or have been taken up (`begun`)
        and somebody else is asked since; None where it need not, or makes no sense. Raises `Refused`."""
        if not waits and (not begun or self._is_asked_one_of(kinds)):
            return None
        order = line.ahead or meaning.meant_later(self.live, kinds, line, self.names)
        if order is not None and (waits or programs.must_wait(self.live, self.seat, order)):
            line.said_otherwise, line.order = True, order  # it is kept as the full line
            return order
        return None

    def _is_asked_one_of(self, kinds: Sequence[type[Order]]) -> bool:
        """Whether the seat is asked still, or again, what lines of some kinds answer."""
        return self._is_asked() and not set(kinds).isdisjoint(meaning.kinds_asked(self.live, self.seat))

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
            begun = say("Your turn has come; what follows is taken up now.")
            return LineResult(line.text, "accepted", Next.line).telling([begun], self.live.kit)
        told = say("What follows waits for your next turn.")
        if waits:
            told = say("What follows waits for your next turn (%(kinds)s).", kinds=list(waits))
        return LineResult(line.text, "queued", Next.line).telling([told], self.live.kit)

    def _of_another(self, order: Order, after: Sequence[Line]) -> Refused | None:
        """What is wrong with a line for a power that the seat does not hold: nobody would ever ask what it waits for.

        NEXT falls with the line below it, which says whose turn is meant.
        """
        powers = self.live.campaign.powers_of(self.seat)
        meant = _following_order(after) if isinstance(order, Next) else order
        if meant is None:
            return None
        power, _ = addressee(meant)
        return following.not_held(power, powers) if powers and power is not None and power not in powers else None

    def _of_several(self, order: Order, line: Line, queued: Sequence[tuple[str, LineResult]]) -> Refused | None:
        """What is asked back where the first line of a turn to come does not say for which of the seat's powers it is:
        its lines for all that it can be for. The one for a single power is put in its place."""
        power, _ = addressee(order)
        begins_turn = bool(queued) and queued[-1][0] == Next.line
        if not begins_turn or power is not None or len(self.live.campaign.powers_of(self.seat)) < 2:
            return None
        lines = [Addressed(one, order) for one in programs.powers_meant(self.live, self.seat, order)]
        if len(lines) > 1:
            return filling.several(lines)
        if lines:
            line.order, line.said_otherwise = lines[0], True
        return None

    def _program_line(
        self, order: Order, line: Line, progress: Progress, *, is_last: bool
    ) -> tuple[LineResult, programs.Verdict]:
        """One line whose turn has come: its condition judged first, if it has one."""
        verdict: programs.Verdict = "run"
        if isinstance(order, ForAll):
            result = self._for_all(order, line, is_last=is_last)
            progress.done, progress.turn = result.state == "accepted", None
            return result, verdict
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
        if result.order == order.text():
            result.order = whole
        progress.done = result.state == "accepted"
        progress.turn = None
        return result, verdict

    def _stop(self, line: Line, after: Sequence[Line]) -> None:
        left = [one.kept for one in after if not isinstance(one.order, Command)]
        left += self.live.campaign.queue.get(self.seat, [])
        programs.stop(self.act, self.seat, line.sent, [], left)

    def _tell_queued(self, queued: Sequence[tuple[str, LineResult]]) -> None:
        """Queued lines whose turn came at once, since nobody had to be waited for, were taken up after all."""
        worked = list(self.act.worked)
        for sent, result in queued:
            mine = next((w for w in worked if w[0] == self.seat and w[1] == sent), None)
            if mine is None:
                return
            worked.remove(mine)
            _become(result, mine[2])

    def _is_asked(self) -> bool:
        campaign = self.live.campaign
        return any(ask["seat"] == self.seat for ask in deadlines.waited_for(campaign.asks, campaign.clocks))

    def _order(self, order: Order, line: Line, power: str | None, *, is_last: bool) -> LineResult:
        try:
            if isinstance(order, Showing):
                self._count_told()
            if power is None and (several := self._for_several(order)) is not None:
                return self._refused(order, line, several, power)
            taken, warnings = self._taken_for(order, power), self._warnings(order, power)
            events, facts = self.attempt(order, line.sent, power)
        except Refused as error:
            try:
                said = said_for(line.text, self.live.kit)[1]
                other = meaning.instead(self.live, self.seat, order, said, power, self.names, error)
            except Refused as several:
                return self._refused(order, line, several, power)
            if other is not None and other != order:
                return self._order(other, line, power, is_last=is_last)
            return self._with_advice(self._refused(order, line, error, power))
        self.settle(None if is_last else self.seat)
        return LineResult(line.text, "accepted", taken, results=facts, events=events).telling(warnings, self.live.kit)

    def _warnings(self, order: Order, power: str | None) -> list[Sentence]:
        """What an order that is legal may cost its sender, where he may not have seen it."""
        if type(order).warning is Order.warning:
            return []
        named = following.power_in_time(self.live, self.seat, order, power)
        warned = order.warning(self.live.playing().table, named)
        return [] if warned is None else [say("Note: %(refusal)s.", refusal=warned.to_json())]

    def _with_advice(self, refused: LineResult) -> LineResult:
        """What was refused, with how it could wait for the sender's turn, while nothing is asked of him."""
        if advice := asked.advice_for_later(self.live, self.seat):
            refused.telling(advice, self.live.kit)
        return refused

    def _for_all(self, for_all: ForAll, line: Line, *, is_last: bool) -> LineResult:
        """An order for each power of the seat that is asked now and may say it; the others are named in the answer."""
        campaign, order = self.live.campaign, for_all.order
        asks = [a for a in deadlines.waited_for(campaign.asks, campaign.clocks) if a["seat"] == self.seat]
        number, able = campaign.question, [ask for ask in asks if self._answers(order, ask["power"])]
        if not able:
            return self._order(order, line, None, is_last=is_last)
        said, events, facts = list[str](), list[int](), list[dict[str, Any]]()
        for ask in able:
            if campaign.question != number or not self._answers(order, ask["power"]):
                break  # the game has gone on, and asks something else
            more, come = self.attempt(order, line.sent, ask["power"])
            said, events, facts = [*said, ask["power"]], [*events, *more], [*facts, *come]
        told = [say("%(line)s is said for %(powers)s.", line=order.text(), powers=said)]
        for ask in asks:
            if ask["power"] not in said:
                kept = say("Not for %(powers)s, who is asked this: %(kind)s.", powers=[ask["power"]], kind=ask["kind"])
                told.append(kept)
        silent = [power for power in campaign.powers_of(self.seat) if power not in {ask["power"] for ask in asks}]
        if silent:
            told.append(say("Nothing is asked now of %(powers)s.", powers=silent))
        self.settle(None if is_last else self.seat)
        return LineResult(line.text, "accepted", for_all.text(), results=facts, events=events).telling(
            told, self.live.kit
        )

    def _taken_for(self, order: Order, power: str | None) -> str:
        """An order as it is understood: who is asked for several powers at once, and names none, is told for which it
        is. Raises `Refused` where it is for none."""
        campaign = self.live.campaign
        waiting = deadlines.waited_for(campaign.asks, campaign.clocks)
        if power is not None or len({ask["power"] for ask in waiting if ask["seat"] == self.seat}) < 2:
            return order.text()
        return addressed_line(following.power_asked(self.live, self.seat, order), order.text())

    def _for_several(self, order: Order) -> Refused | None:
        """What is asked back where an order without FOR answers what is asked of several powers of the seat: the lines
        of all. None where it can be for one alone."""
        campaign, play = self.live.campaign, self.live.play
        if play is None or campaign.status != "running":
            return None
        waiting = deadlines.waited_for(campaign.asks, campaign.clocks)
        powers = list(dict.fromkeys(ask["power"] for ask in waiting if ask["seat"] == self.seat))
        meant = [power for power in powers if len(powers) > 1 and self._answers(order, power)]
        if len(meant) < 2:
            return None
        lines = [Addressed(power, order) for power in meant]
        return filling.several([*lines, ForAll(order)] if order.line in FOR_ALL else lines)

    def _answers(self, order: Order, power: str) -> bool:
        """Whether an order is an answer to what is asked of a power of the seat."""
        try:
            following.power_asked(self.live, self.seat, order, power)
        except Refused:
            return False
        return True

    def _count_told(self) -> None:
        """One line more that others are told of. Raises `Refused` where one submission has too many."""
        self.told += 1
        if self.told > MOST_TOLD:
            raise Refused("too_many_told", most=MOST_TOLD)

    def _refused(self, order: Order, line: Line, error: Refused, power: str | None = None) -> LineResult:
        if not isinstance(order, Next):
            error = asked.in_its_moment(self.live, self.seat, error, order.text(), power)
        number = following.refuse(self.act, self.seat, line.sent, error)
        events = [] if number is None else [number]
        return LineResult.refused(line.text, order.text(), error, self.live.kit, events=events)

    # what a check does otherwise

    def attempt(self, order: Order, sent: str, power: str | None) -> tuple[list[int], list[Fact]]:
        """Take an order of the game up: the numbers of its events, and its facts. Raises `Refused`."""
        return following.attempt(self.act, self.seat, order, sent, power=power)

    def settle(self, busy: str | None) -> None:
        """Let everything go on that goes on by itself; `busy` is a seat whose mail is still being worked off."""
        self.budget = following.settle(self.act, self.budget, busy)

    def unknown_yet(self, line: Line) -> LineResult:
        """A line of which only a submission can tell what becomes of it."""
        raise NotImplementedError

    # commands

    def command(self, command: Command, line: Line) -> LineResult:
        before = self.live.campaign.version
        try:
            if isinstance(command, _WRITES):
                self._count_told()
            if isinstance(command, Press):
                to = press.with_powers(self.live, self.seat, command.to, self.names)
                command = Press(to=to, message=command.message)
            sentences = commanding.carry_out(self.act, self.seat, command, line.text, self.settings)
            if isinstance(command, Standing | StandingPreset):
                self.settle(None)
        except Refused as error:
            return LineResult.refused(line.text, command.text(), error, self.live.kit)
        except Unreadable as error:
            return LineResult.refused(line.text, command.text(), error.refusal(), self.live.kit)
        events = list(range(before + 1, self.live.campaign.version + 1))
        told = isinstance(command, ASKS)
        result = LineResult(line.text, "told" if told else "accepted", command.text(), events=events)
        if isinstance(command, AcceptInvitation) and self.beside_yes:
            left_out = " / ".join(self.beside_yes)
            sentences = [*sentences, say("Left out, since it can be no order: %(lines)s", lines=left_out)]
        result.telling(sentences, self.live.kit)
        if isinstance(command, Help) and command.about not in (None, Help.ALL, Help.DICE):
            result.explains = asked.explained(self.live, self.seat, command.about)
            if not result.explains:
                result.telling(asked.command_help(self.live, command.about), self.live.kit)
        if isinstance(command, Card):
            result.cards = cards_named(command.card, self.live.kit)
        if isinstance(command, Hand):
            result.hands = asked.hands_of(self.live, self.seat)
        if isinstance(command, StatusOfPoints):
            result.reasons = commanding.reasons(self.live, self.seat)
            if not result.reasons:
                result.telling([say("This game tells nothing more of its points.")], self.live.kit)
        return result

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
            seat_open=asked.is_invited(live, self.seat),
            asked=asked.asked_of(live, self.seat) if self.received.channel == "mail" else [],
            waiting_for=waiting_as_known(Known.of(campaign), self.seat),
            queued=list(campaign.queue.get(self.seat, [])),
            event=campaign.version,
            head=campaign.head,
            received_at=self.received.received_at,
        )


def _is_end(order: Order) -> bool:
    """Whether a line ends something, be it under a condition: a turn, a talk, an answer."""
    _, order = addressee(order)
    last = order.last if isinstance(order, Step) else order
    return last is not None and (last.gives_turn_away or isinstance(last, Pass | Done))


def _become(result: LineResult, other: LineResult) -> None:
    """Let what came of one result be what came of another."""
    for name in _OUTCOME:
        setattr(result, name, getattr(other, name))


def _following_order(after: Sequence[Line]) -> Order | None:
    """The order below NEXT; None while it cannot be told yet which it is, or where there is none."""
    return next((one.order for one in after if not isinstance(one.order, Command)), None)
