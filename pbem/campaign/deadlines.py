"""Deadlines: the clock of each question that is asked.

A campaign keeps the clocks of what is open under the keys of the questions, each with

``deadline``   until when an answer is in time; None while it stands (paused, or held until somebody acts)
``reminders``  the hours before it at which a reminder is still to come
``grace``      whether this is the time of grace after a missed deadline
``over``       whether the time is over: an answer that was given stands, and silence answers in the place of others
``remaining``  the seconds that are left, while the campaign is paused
``away``       the end of the seat's absence for which the deadline has been moved

So one seat's absence, grace or extension moves its own clock alone, and a round of several ends when all have answered
or each one's own time is over. A window closes for all at once, and its clocks are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pbem.campaign.clock import moment, stamp

Clock = dict[str, Any]
Clocks = dict[str, Clock]

_BLANK: Clock = {"deadline": None, "reminders": [], "grace": False, "over": False, "remaining": None, "away": None}
_FOR_ALL = ("deadline", "reminders", "remaining")


def running(reminders: Sequence[int], at: datetime, deadline: datetime, **more: Any) -> Clock:
    """A clock set at a moment to run until a deadline; of the reminders (hours) those that are still to come."""
    left = [hours for hours in reminders if deadline - timedelta(hours=hours) > at]
    return {**_BLANK, "deadline": stamp(deadline), "reminders": left, **more}


def standing(clock: Clock) -> Clock:
    """A clock that stands until somebody acts."""
    return {**clock, "deadline": None, "reminders": [], "remaining": None, "over": False}


def with_absence(
    clock: Clock, asked_at: str, away: Sequence[str] | None, reminders: Sequence[int], now: datetime, most: timedelta
) -> Clock:
    """The clock of a seat whose player is `away` from a moment until another (stamps): it stands while he is, as if he
    were back at the latest `most` after the question was asked. What an absence has moved once it does not move again.
    """
    if away is None or not _runs(clock) or away[0] >= clock["deadline"]:
        return clock
    start = max(asked_at, away[0], clock["away"] or "")
    until = min(away[1], stamp(moment(asked_at) + most))
    if until <= start:
        return clock
    later = moment(clock["deadline"]) + (moment(until) - moment(start))
    return running(reminders, now, later, grace=clock["grace"], away=until)


def stopped(clocks: Clocks, at: datetime) -> Clocks:
    """The clocks as they stand in a pause, with the time that each has left. One that is over stays so."""
    stopped_clocks = {}
    for key, clock in clocks.items():
        left = seconds_between(at, clock["deadline"]) if clock["deadline"] else clock["remaining"]
        stopped_clocks[key] = clock if clock["over"] else {**clock, "deadline": None, "remaining": left}
    return stopped_clocks


def going_on(clocks: Clocks, reminders: Sequence[int], at: datetime, seconds: float) -> Clocks:
    """The clocks after a pause, each with the time that it had left; where there is none, `seconds`."""
    return {
        key: clock if clock["over"] else running(
            reminders, at, at + timedelta(seconds=clock["remaining"] or seconds), grace=clock["grace"],
            away=clock["away"],
        )
        for key, clock in clocks.items()
    }  # fmt: skip


def of_all(clocks: Clocks, asks: Iterable[Mapping[str, Any]], told: Mapping[str, Any]) -> Clocks:
    """The clocks after an event of an earlier form, which told of one clock for all that is asked."""
    by_key = {}
    for ask in asks:
        clock = {**_BLANK, **clocks.get(ask["key"], {}), **{name: told[name] for name in _FOR_ALL if name in told}}
        if "grace" in told:  # the seats that were late, and might still send
            late = told["grace"]
            clock |= {"grace": late is not None and ask["seat"] in late}
            clock |= {"over": late is not None and ask["seat"] not in late}
        by_key[ask["key"]] = clock
    return by_key


# --- what the clocks say


def closes(clocks: Clocks) -> str | None:
    """When the open question closes at the latest; None where nobody can tell: a clock stands, or nothing is asked."""
    times = [clock["deadline"] for clock in clocks.values()]
    return None if None in times else max(times, default=None)


def next_deadline(clocks: Clocks) -> str | None:
    """The first deadline that is still to be dealt with."""
    return min((clock["deadline"] for clock in clocks.values() if _runs(clock)), default=None)


def next_wake(clocks: Clocks) -> str | None:
    """When there is something to do: a reminder, a deadline, or the end of a question of which every time is over."""
    if clocks and all(clock["over"] for clock in clocks.values()):
        return closes(clocks)
    return min((_wakes(clock) for clock in clocks.values() if _runs(clock)), default=None)


def due_reminders(clock: Clock, now: datetime) -> list[int]:
    """The reminders of a clock that are due, as hours before its deadline."""
    if not _runs(clock) or now >= moment(clock["deadline"]):
        return []
    return [hours for hours in clock["reminders"] if moment(clock["deadline"]) - timedelta(hours=hours) <= now]


def own_deadline(clocks: Clocks, asks: Iterable[Mapping[str, Any]], seat: str | None) -> str | None:
    """The deadline that concerns a seat: of what is asked of it, else the last of all."""
    mine = [clocks[ask["key"]] for ask in asks if ask["seat"] == seat and ask["key"] in clocks]
    times = [clock["deadline"] for clock in mine if not clock["over"]]
    return (None if None in times else min(times)) if times else closes(clocks)


def waited_for(asks: Iterable[Mapping[str, Any]], clocks: Clocks) -> list[Mapping[str, Any]]:
    """Of what is asked, that of which an answer can still come and has not."""
    return [ask for ask in in_time(asks, clocks) if not ask["answered"]]


def in_time(asks: Iterable[Mapping[str, Any]], clocks: Clocks) -> list[Mapping[str, Any]]:
    """Of what is asked, that of which the time is not over, whether an answer has come or not."""
    return [ask for ask in asks if not clocks.get(ask["key"], _BLANK)["over"]]


def comes_too_early(asks: Sequence[Mapping[str, Any]], clocks: Clocks, seat: str, received_at: str) -> bool:
    """Whether what a seat sent has to wait until a deadline before it is dealt with: its own, or the last of those whom
    the game waits for."""
    passed = {key for key, clock in clocks.items() if _runs(clock) and clock["deadline"] < received_at}
    if any(ask["key"] in passed for ask in asks if ask["seat"] == seat):
        return True
    return bool(passed) and all(ask["key"] in passed for ask in waited_for(asks, clocks))


def seconds_between(start: datetime, deadline: str) -> int:
    """The whole seconds left, never less than nought."""
    return max(0, int((moment(deadline) - start).total_seconds()))


def _runs(clock: Clock) -> bool:
    return clock["deadline"] is not None and not clock["over"]


def _wakes(clock: Clock) -> str:
    return stamp(moment(clock["deadline"]) - timedelta(hours=max(clock["reminders"], default=0)))
