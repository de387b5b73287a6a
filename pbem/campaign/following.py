"""An order taken up, and what follows of it by itself: queued orders go on, standing orders and silence answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.campaign import course, deadlines, expiry, life, programs
from pbem.campaign.acts import Act
from pbem.campaign.clock import stamp
from pbem.campaign.command import AcceptInvitation
from pbem.campaign.commands import Next, Step, addressee, read_line
from pbem.campaign.live import Live
from pbem.campaign.submissions import LineResult
from pbem.render.tellings import say
from pbem.table.conditions import Sight, program_kinds, standing_answer
from pbem.table.facts import Fact
from pbem.table.orders import Order, Refused, Showing, Unreadable


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
    power = power_in_time(act.live, seat, order, power)
    if isinstance(order, Showing):
        return [life.show(act, seat, power, order, sent, change)], []
    return course.answer(act, seat, power, order, sent, kind=kind, cause=cause, change=change)


def power_in_time(live: Live, seat: str, order: Order, named: str | None = None) -> str:
    """The power for which an order would be taken up now (see `power_asked`). Raises `Refused`, also for an answer
    whose time is over."""
    power = power_asked(live, seat, order, named)
    question = live.playing().question_for(power, order)
    if question is not None and live.campaign.clocks[question.key]["over"]:
        raise Refused("only_the_late" if live.playing().answered(question) else "time_is_over")
    return power


def not_held(power: str, powers: Sequence[str]) -> Refused:
    """What is wrong with an order for a power that the seat does not hold."""
    return Refused("power_not_yours", power=power, powers=list(powers))


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
            raise not_held(named, powers)
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


MOST_REFUSED = 200
"""Refused orders of one seat that are put on record in a day: a program that sends the same for ever fills no chain."""


def refuse(act: Act, seat: str, sent: str, error: Refused) -> int | None:
    """Put a refused order on record, readable for its sender; returns the event's number.

    None where the seat had more of them than a day keeps: then the order stands in the inbox alone, with its answer.
    The moderators are told at the first of these.
    """
    campaign, day = act.campaign, stamp(act.at)[:10]
    before, number = campaign.refusals.get(seat, (day, 0))
    number = number + 1 if before == day else 1
    if number > MOST_REFUSED:
        return None
    if number == MOST_REFUSED:
        said = {"flood": number, "place": list(campaign.seats).index(seat) + 1}
        act.beside += act.archive.people.tell_of_flood(campaign.id, seat, day, said, act.now)
    change = {"refusals": {**campaign.refusals, seat: [day, number]}}
    return act.write("refused", own={seat: {"refused": error.to_json()}}, order=(seat, sent), change=change)


def _refuse_rest(act: Act, seat: str, sent: str, error: Refused) -> int:
    """Put a refused line of a queue on record; it takes the rest of the queue with it."""
    own = {seat: {"refused": error.to_json(), "program": {"left": list(act.campaign.queue.get(seat, []))}}}
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
    """By what its seat has laid by. Who took an answer back wants to give another one himself."""
    seat, campaign = ask["seat"], act.campaign
    if campaign.withdrawn.get(seat) == campaign.question:
        return False
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
    if program_kinds(live.kit) and programs.running(live, seat) == fallen:
        _ended_already(act, seat, fallen, left)
        return True
    reason = Refused("turn_is_over")
    for line in fallen:
        act.worked.append((seat, line, LineResult.refused(line.rpartition("\n")[2], None, reason, live.kit, "told")))
    act.write(
        "refused", order=(seat, first),
        own={seat: {"refused": reason.to_json(), "program": {"left": more}}},
        change={**programs.with_queue(live, seat, left, programs.progress_of(live, seat)), "dropped": seat},
    )  # fmt: skip
    return True


def _ended_already(act: Act, seat: str, lines: Sequence[str], left: Sequence[str]) -> None:
    """All that a program still held was to end a turn that has ended by itself: nothing is lost, and nobody told of a
    loss."""
    live = act.live
    ended = say("The turn had ended by itself: this line was not needed any more.")
    for line in lines:
        result = LineResult(line.rpartition("\n")[2], "told").telling([ended], live.kit)
        act.worked.append((seat, line, result))
    own = {seat: {"program": {"needless": list(lines)}, "queue": list(left)}}
    progress = programs.progress_of(live, seat)
    act.write("settings", own=own, change=programs.with_queue(live, seat, left, progress))


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
            _refuse_queued(act, seat, first, error.refusal())
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


def _refuse_queued(act: Act, seat: str, line: str, error: Refused) -> None:
    number = _refuse_rest(act, seat, line, error)
    act.worked.append((seat, line, LineResult.refused(line, None, error, act.live.kit, events=[number])))


def has_standing_answer(live: Live, seat: str) -> bool:
    """Whether a standing order answers what is asked of a seat now."""
    campaign = live.campaign
    if live.play is None or campaign.status != "running" or campaign.withdrawn.get(seat) == campaign.question:
        return False
    asks = [ask for ask in deadlines.waited_for(campaign.asks, campaign.clocks) if ask["seat"] == seat]
    mine = campaign.standing.get(seat, [])
    return campaign.quiet != campaign.question and any(
        _standing_answer(live, seat, ask, order) is not None for ask in asks for order in mine
    )


def _standing_answer(live: Live, seat: str, ask: Mapping[str, Any], order: Mapping[str, Any]) -> Order | None:
    """What a standing order answers to a question now; None where it is not meant for it, or not legal here: then the
    player is asked as if it were not there."""
    play, campaign = live.play, live.campaign
    question = next((q for q in play.questions() if q.key == ask["key"]), None) if play is not None else None
    if play is None or question is None:
        return None
    answer = standing_answer(
        order["kind"], order["conditions"], order["line"],
        Sight(live.game, play.table, campaign.powers_of(seat), question),
        lambda line: _read_for(live, line, ask["power"]), round=campaign.kind or "",
    )  # fmt: skip
    if answer is None or isinstance(answer, Showing):
        return None
    try:
        play.check(ask["power"], answer)
    except Refused:
        return None
    return answer


def _answer_by_standing(act: Act, seat: str, ask: Mapping[str, Any], order: dict[str, Any]) -> bool:
    answer = _standing_answer(act.live, seat, ask, order)
    if answer is None:
        return False
    try:
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
