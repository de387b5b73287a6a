"""What the clock does to what is asked: reminders, a missed deadline, holding, and clocks stopped, moved and set going.

Each question has its own clock (`pbem.campaign.deadlines`); what a missed deadline means is a list of steps, made of
the campaign's policy (`pbem.campaign.policy`): each takes those who are late that it is for, and leaves the others to
the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from pbem.campaign import course, deadlines
from pbem.campaign.acts import Act
from pbem.campaign.clock import moment, stamp
from pbem.campaign.deadlines import Clocks
from pbem.campaign.live import HELD
from pbem.campaign.policy import longest_absence, setting
from pbem.table.questions import NoDefault

Ask = Mapping[str, Any]

NOT_ANSWERED = "the deadline passed, and silence does not answer this question"
WAITS = "the deadline passed, and this campaign waits until somebody acts"
MISSED = "a deadline was missed; the seat is to be replaced, or the game resumed"


# --- reminders


def remind(act: Act) -> int | None:
    """Send the reminders that are due before the first deadline that has any; returns the event's number, or None.

    The event stands there whether they have answered or not, so that it tells nothing.
    """
    campaign = act.campaign
    if campaign.status != "running":
        return None
    clocks = campaign.clocks
    due = {key: hours for key, clock in clocks.items() if (hours := deadlines.due_reminders(clock, act.now))}
    if not due:
        return None
    first = min(clocks[key]["deadline"] for key in due)
    due = {key: hours for key, hours in due.items() if clocks[key]["deadline"] == first}
    late = [ask for ask in campaign.asks if ask["key"] in due and not ask["answered"]]
    left = {key: [h for h in clocks[key]["reminders"] if h not in hours] for key, hours in due.items()}
    return act.write(
        "reminded",
        public={"hours": min(map(min, due.values())), "deadline": first, "question": campaign.question},
        referee={"powers": _powers(late)},
        change={
            "clocks": {**clocks, **{key: {**clocks[key], "reminders": hours} for key, hours in left.items()}},
            "reminding": _seats(late),
            "in_window": campaign.window,
        },
    )


# --- a missed deadline


class Step(Protocol):
    """One thing that a missed deadline may mean."""

    def take(self, act: Act, late: Sequence[Ask], clocks: Clocks) -> Sequence[Ask]:
        """Do it to those whom it is for, of what was asked and not answered in time; returns the others.

        `clocks` are those that this changes, with the time over for whoever has answered.
        """
        ...


@dataclass(frozen=True)
class Grace:
    """Who is late may still answer for some hours, once for each question."""

    hours: int

    def take(self, act: Act, late: Sequence[Ask], clocks: Clocks) -> Sequence[Ask]:
        """Give grace to those who have had none."""
        mine = [ask for ask in late if not clocks[ask["key"]]["grace"] and _has_player(act, ask)]
        if mine:
            until = max(act.at, act.now) + timedelta(hours=self.hours)
            change = {"clocks": {**clocks, **_set(act, mine, until, grace=True)}}
            keys = {ask["key"] for ask in mine}
            others = any(not clock["over"] for key, clock in clocks.items() if key not in keys)
            public = {**_told(act, mine), "until": stamp(until), "others": others}
            act.write("missed", public=public, change=change)
        return _others(late, mine)


@dataclass(frozen=True)
class Extension:
    """A seat has its own deadline extended by itself, so many times in the campaign."""

    number: int
    hours: int

    def take(self, act: Act, late: Sequence[Ask], clocks: Clocks) -> Sequence[Ask]:
        """Extend the time of the seats that have an extension left."""
        campaign = act.campaign
        left = {seat for seat, seating in campaign.seats.items() if seating["extensions"] < self.number}
        mine = [ask for ask in late if ask["seat"] in left and _has_player(act, ask)]
        if mine:
            until = max(act.at, act.now) + timedelta(hours=self.hours)
            of = _seats(mine)
            seats = {s: {**h, "extensions": h["extensions"] + (s in of)} for s, h in campaign.seats.items()}
            change = {"clocks": {**clocks, **_set(act, mine, until)}, "seats": seats, "concerned": list(of)}
            act.write("extended", public={**_told(act, mine), "until": stamp(until), "automatic": True}, change=change)
        return _others(late, mine)


@dataclass(frozen=True)
class Hold:
    """The game waits for who is late until somebody acts."""

    reason: str = WAITS

    def take(self, act: Act, late: Sequence[Ask], clocks: Clocks) -> Sequence[Ask]:
        """Stop the clocks of all who are late; their answers are still taken."""
        stopped = {ask["key"]: deadlines.standing(clocks[ask["key"]]) for ask in late}
        public = {**_told(act, late), "reason": self.reason, "held": True}
        act.write("missed", public=public, change={"clocks": {**clocks, **stopped}})
        return []


@dataclass(frozen=True)
class Pause:
    """The campaign is paused, until the seat is replaced or the moderator resumes."""

    def take(self, act: Act, late: Sequence[Ask], clocks: Clocks) -> Sequence[Ask]:
        """Stop all clocks."""
        pause(act, MISSED, _told(act, late))
        return []


@dataclass(frozen=True)
class Silence:
    """Silence answers; where it answers nothing (`NoDefault`), the question is held."""

    def take(self, act: Act, late: Sequence[Ask], clocks: Clocks) -> Sequence[Ask]:
        """Hold what silence cannot answer; for the rest the time is over (see `miss`)."""
        play = act.live.playing()
        questions = {question.key: question for question in play.questions()}
        unanswerable = []
        for ask in late:
            try:
                questions[ask["key"]].default_answer(play.table)
            except NoDefault:
                unanswerable.append(ask)
        if unanswerable:
            Hold(NOT_ANSWERED).take(act, unanswerable, clocks)
        return []


@dataclass(frozen=True)
class Tell:
    """The moderators are told."""

    def take(self, act: Act, late: Sequence[Ask], clocks: Clocks) -> Sequence[Ask]:
        """Write to each of them; whoever is late stays so."""
        campaign = act.campaign
        act.beside += act.archive.people.tell_moderators(campaign.id, campaign.version, _told(act, late), act.at)
        return late


Policy = Mapping[str, Any]

FIRST: dict[str, Callable[[Policy], list[Step]]] = {
    "default": lambda policy: [Silence()],
    "grace": lambda policy: [Grace(policy["grace_hours"]), *LAST[policy["then"]]],
    "extend": lambda policy: [Extension(policy["extensions"], policy["extension_hours"]), *LAST[policy["then"]]],
    "hold": lambda policy: [Hold()],
}
"""What a policy's ``missed`` means."""

LAST: dict[str, list[Step]] = {"default": [Silence()], "pause": [Pause()]}
"""What its ``then`` means."""


def steps(policy: Policy) -> list[Step]:
    """What a missed deadline means by a policy, in order; the last step takes all who are left."""
    told: list[Step] = [Tell()] if setting(policy, "tell") == "yes" else []
    return [*told, *FIRST[policy["missed"]](policy)]


def miss(act: Act) -> None:
    """The first deadline has passed and everything sent in time is taken up: what the policy says happens.

    Writes events that carry the deadline's own time.
    """
    deadline = deadlines.next_deadline(act.campaign.clocks)
    assert deadline is not None
    with act.as_of(moment(deadline)):
        if act.campaign.window:  # it closes by its clock, and nobody is late
            _let_silence_answer(act)
            return
        campaign = act.campaign
        late, kind = _seats([ask for ask in _due(act, deadline) if not ask["answered"]]), campaign.kind
        _miss(act, deadline)
        people = act.archive.people
        act.beside += [people.lapsed(campaign.id, seat, campaign.version, kind, act.at) for seat in late]


def _miss(act: Act, deadline: str) -> None:
    late: Sequence[Ask] = [ask for ask in _due(act, deadline) if not ask["answered"]]
    answered = _over(act, [ask for ask in _due(act, deadline) if ask["answered"]])
    for step in steps(act.campaign.policy):
        if late:
            late = step.take(act, late, {**act.campaign.clocks, **answered})
    if act.campaign.status != "running":
        return
    campaign = act.campaign
    over = _over(act, _due(act, deadline))
    clocks = {**campaign.clocks, **over}
    if _is_closed(campaign.asks, clocks):
        _let_silence_answer(act)
    elif over:
        # The same whether they have answered or not, so that it tells nothing.
        silent = [ask for ask in campaign.asks if ask["key"] in over and not ask["answered"]]
        act.write(
            "time_over",
            public={"deadline": deadline, "question": campaign.question},
            referee={"powers": _powers(silent)},
            change={"clocks": clocks, "asks": campaign.asks},
        )


def close(act: Act) -> bool:
    """Let silence answer for those whose time is over once the game waits for nobody else; whether it did."""
    campaign = act.campaign
    if campaign.status != "running" or act.live.play is None or not _is_closed(campaign.asks, campaign.clocks):
        return False
    _let_silence_answer(act)
    return True


def _is_closed(asks: Sequence[Ask], clocks: Clocks) -> bool:
    return bool(asks) and not deadlines.waited_for(asks, clocks)


def _let_silence_answer(act: Act) -> None:
    try:
        course.expire(act)
    except NoDefault:  # a ruling may have taken the default away since the time was over
        late = [ask for ask in act.campaign.asks if not ask["answered"]]
        Hold(NOT_ANSWERED).take(act, late, act.campaign.clocks)


def _due(act: Act, deadline: str) -> list[Ask]:
    """What is asked until a deadline and not over."""
    clocks = act.campaign.clocks
    asks = [(ask, clocks[ask["key"]]) for ask in act.campaign.asks]
    return [ask for ask, clock in asks if clock["deadline"] == deadline and not clock["over"]]


def _has_player(act: Act, ask: Ask) -> bool:
    return not act.campaign.seats[ask["seat"]].get("empty")


def _over(act: Act, asks: Sequence[Ask]) -> Clocks:
    return {ask["key"]: {**act.campaign.clocks[ask["key"]], "over": True} for ask in asks}


def _set(act: Act, asks: Sequence[Ask], until: datetime, **more: Any) -> Clocks:
    clocks, reminders = act.campaign.clocks, act.campaign.policy["reminders"]
    return {
        ask["key"]: deadlines.running(
            reminders, act.now, until, **{name: clocks[ask["key"]][name] for name in ("grace", "away")} | more
        )
        for ask in asks
    }


def _told(act: Act, late: Sequence[Ask]) -> dict[str, Any]:
    """What everybody is told of a missed deadline."""
    times = [act.campaign.clocks[ask["key"]]["deadline"] for ask in late]
    deadline = max((time for time in times if time), default=None)
    return {"missed": _powers(late), "deadline": deadline, "question": act.campaign.question}


def _others(asks: Sequence[Ask], taken: Sequence[Ask]) -> list[Ask]:
    keys = {ask["key"] for ask in taken}
    return [ask for ask in asks if ask["key"] not in keys]


def _powers(asks: Sequence[Ask]) -> list[str]:
    return list(dict.fromkeys(ask["power"] for ask in asks))


def _seats(asks: Sequence[Ask]) -> list[str]:
    return list(dict.fromkeys(ask["seat"] for ask in asks))


# --- absences, and seats without a player


def heed_absence(act: Act, seat: str, away: Sequence[str] | None) -> None:
    """Let a campaign know from when until when (stamps) the player of a seat is away: what is asked of him now, and
    will be, has so much more time. He is told of deadlines that move; the others read in their next mail until when."""
    campaign = act.campaign
    known = None if away is None else list(away)
    seats = {s: {**seating, "away": known} if s == seat else seating for s, seating in campaign.seats.items()}
    act.write("settings", own={seat: {"away": known}}, change={"seats": seats})
    act.beside.append(act.archive.people.told_of_absence(campaign.id, seat, known))
    if campaign.status != "running" or campaign.window or campaign.asked_at is None:
        return
    most, reminders = longest_absence(campaign.policy), campaign.policy["reminders"]
    moved = {}
    for ask in campaign.asks:
        clock = campaign.clocks[ask["key"]]
        later = deadlines.with_absence(clock, campaign.asked_at, away, reminders, act.now, most)
        if ask["seat"] == seat and later != clock:
            moved[ask["key"]] = later
    if moved:
        last = max(clock["deadline"] for clock in moved.values())
        powers = _powers([ask for ask in campaign.asks if ask["key"] in moved])
        public = {"powers": powers, "before": campaign.deadline, "until": last, "away": True}
        change = {"clocks": {**campaign.clocks, **moved}, "concerned": [seat]}
        act.write("extended", public=public, change=change)


def silence(act: Act, seat: str) -> None:
    """Let silence answer at once what is asked of a seat now."""
    campaign = act.campaign
    mine = [ask for ask in campaign.asks if ask["seat"] == seat]
    if mine and act.live.play is not None:
        play = act.live.playing()
        over = {ask["key"]: course.silenced(play, ask, campaign.clocks[ask["key"]]) for ask in mine}
        act.write("time_over", change={"clocks": {**campaign.clocks, **over}, "asks": campaign.asks})


# --- clocks stopped, set going, and moved


def hold_if_differs(act: Act) -> None:
    """Hold a campaign whose rules differ from the record of the open step, with its clocks stopped."""
    differs, campaign = act.live.differs, act.campaign
    if differs and campaign.status in ("running", "paused"):
        act.write(
            "held",
            public={"reason": HELD},
            referee={"differs": differs},
            change={"status": "held", "reason": HELD, "clocks": deadlines.stopped(campaign.clocks, act.now)},
        )


def pause(act: Act, reason: str, told: Mapping[str, Any] | None = None) -> None:
    """Stop all clocks, each with its remaining time."""
    campaign = act.campaign
    closes = campaign.deadline
    act.write(
        "paused",
        public={
            **(told or {}), "reason": reason,
            "remaining": deadlines.seconds_between(act.at, closes) if closes else None,
        },
        change={"status": "paused", "reason": reason, "clocks": deadlines.stopped(campaign.clocks, act.at)},
    )  # fmt: skip


def resume(act: Act, reason: str) -> None:
    """Let the clocks run on from where they stopped (after a missed deadline: with the question's whole time)."""
    campaign = act.campaign
    change: dict[str, Any] = {"status": "running", "reason": None}
    if campaign.kind is not None:
        seconds, reminders = act.live.hours(campaign.kind) * 3600, campaign.policy["reminders"]
        clocks = deadlines.going_on(campaign.clocks, reminders, act.at, seconds)
        change["clocks"] = clocks if campaign.window else {**clocks, **_without_the_absent(act, clocks)}
    until = deadlines.closes(change.get("clocks", {}))
    act.write("resumed", public={"reason": reason, "deadline": until}, change=change)


def _without_the_absent(act: Act, clocks: Clocks) -> Clocks:
    """The clocks of those whose player is away when a pause ends, or will be: they stand for so long."""
    campaign = act.campaign
    most, reminders = longest_absence(campaign.policy), campaign.policy["reminders"]
    moved = {}
    for ask in campaign.asks:
        away = campaign.seats[ask["seat"]].get("away")
        moved[ask["key"]] = deadlines.with_absence(clocks[ask["key"]], stamp(act.at), away, reminders, act.at, most)
    return moved


def extend(
    act: Act, until: Mapping[str, datetime], reason: str, *, of: Sequence[str] = (), outage: str | None = None
) -> None:
    """Move the deadlines of some questions (key -> until when); all are told.

    `of`: the powers whose time alone moves, where it is not everybody's; then their seats alone are told.
    """
    campaign = act.campaign
    asks = [ask for ask in campaign.asks if ask["key"] in until]
    moved = {key: clock for ask in asks for key, clock in _set(act, [ask], until[ask["key"]]).items()}
    change: dict[str, Any] = {"clocks": {**campaign.clocks, **moved}}
    last = stamp(max(until.values()))
    public: dict[str, Any] = {"reason": reason, "before": campaign.deadline, "until": last}
    before = [(campaign.clocks[key]["deadline"], end) for key, end in until.items()]
    if all(deadline is not None and end < moment(deadline) for deadline, end in before):
        public["earlier"] = True
    if of:
        public["powers"] = list(of)
        change["concerned"] = _seats(asks)
    if outage is not None:
        public["outage"] = outage
        change["outages"] = [*campaign.outages, outage][-20:]
    act.write("extended", public=public, change=change)
