"""The course of the game: its beginning, answers, silence, and its end, each written as events of an act."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from pbem.campaign import deadlines, ledger
from pbem.campaign.acts import Act
from pbem.campaign.campaign import Campaign, Event
from pbem.campaign.clock import stamp
from pbem.campaign.live import Live
from pbem.campaign.policy import longest_absence
from pbem.campaign.split import Split
from pbem.table.board import Board
from pbem.table.dice import CommittedThrows
from pbem.table.facts import Fact, difference
from pbem.table.game import lay_out
from pbem.table.kit import Kit
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Game, Outcome, Play, Procedure, Table, ranking
from pbem.table.questions import NoDefault, Question, Window

SILENT = "silent"
"""A seat without a player for whom silence answers at once."""

VACANT = "vacant"
"""A seat without a player, whom another is to follow: its questions have their time, and then silence answers."""

OPENED_AT_ONCE = 200
"""How many parts one event opens when a campaign ends."""

PUT_RIGHT = "an earlier program took the order of the seats for the order of play; from now on it is: %s"
"""The reason of the event that puts the order of play of a running campaign right."""


# --- the game goes on


def missing_seats(campaign: Campaign) -> list[str]:
    """The ids of the seats that nobody has taken and that are not to stay silent; while there is one, the game cannot
    begin."""
    return [id for id, seating in campaign.seats.items() if not seating["accepted"] and seating.get("empty") != SILENT]


def start(act: Act) -> None:
    """Set the board up and come to the first question."""
    live, campaign = act.live, act.campaign
    powers = live.play_order()
    table = live.table(Board(campaign.game, powers))
    split = split_of(live)
    table.watch = split.hear
    lay_out(live.game, table, campaign.scenario, [seating["powers"] for seating in campaign.seats.values()])
    laid_out = split.number
    throws = act.throws("the game begins")
    live.play = Play(live.game, table)
    outcome = live.play.start(throws)
    table.watch = None
    change = {"powers": powers, "status": "running", "rest": laid_out + (outcome.rest_at or 0)}
    _moved(act, "started", split, throws, change, public={"powers": powers, "order": "the game begins"})


def answer(
    act: Act,
    seat: str,
    power: str,
    order: Order,
    text: str,
    *,
    kind: str = "order",
    cause: str = "",
    change: Mapping[str, Any] | None = None,
) -> tuple[list[int], list[Fact]]:
    """Take an order up as the answer to the open question of a power.

    `text` is the order as sent; `cause` is added to what fixes the throws (for a standing order: the C of what set
    it off); `change` goes with it. Returns the numbers of the events, and the facts as the seat sees them.
    Raises `Refused`, and then nothing has changed. A sealed answer by a standing order has the shape of one
    sent by hand: nobody is to see that one has been laid down; its seat alone is told.
    """
    live, campaign = act.live, act.campaign
    play = live.playing()
    question = play.check(power, order)
    wait = play.wait
    assert wait is not None
    changed = dict(change or {})
    if campaign.seats[seat].get("newcomer"):  # he plays, so the seat is his
        changed["seats"] = {**campaign.seats, seat: {**campaign.seats[seat], "newcomer": False}}
    split = split_of(live)
    if not wait.is_sealed:
        fixed = f"{text}\n{cause}" if cause else text
        throws = act.throws(fixed)
        outcome = hearing(live, split, lambda: play.answer(power, order, throws))
        changed |= _fed(outcome)
        number = _moved(act, kind, split, throws, changed, public={"power": power}, order=(seat, fixed))
        return [number], split.facts_for(seat)
    earlier = campaign.texts.get(question.key)
    said = [*(earlier or []), text] if isinstance(wait, Window) else text
    texts = {**campaign.texts, question.key: said}
    round_text = _round_text(wait.questions, texts)
    throws = act.throws(round_text)
    outcome = hearing(live, split, lambda: play.answer(power, order, throws))
    sealed = wait.answers_to_json(play.sealed) if not outcome.closed else (outcome.fed or {}).get("answers", {})
    changed |= {"sealed": sealed, "texts": texts}
    own = {}
    if kind == "standing":
        kind, own = "order", {seat: {"given_by": kind}}
    if not outcome.closed:
        changed["asks"] = asks_of(live)
        changed["clocks"] = campaign.clocks
        return [act.write(kind, own=own, order=(seat, text), change=changed, played=True)], []
    number = act.write(kind, own=own, order=(seat, text), change=changed, played=True)
    closing = _moved(act, "round", split, throws, _fed(outcome), order=(None, round_text))
    return [number, closing], split.facts_for(seat)


def take_back(act: Act, seat: str, text: str) -> list[str]:
    """A seat's sealed answers to what is open are as if they had not been sent; of a window all that it has said in it.

    `text` is the line as sent. To others it is one more sealed answer. Returns the lines that stand no more. Nothing
    that the seat has laid by answers this question any more: who takes an answer back wants to think. Raises `Refused`
    where no answer of the seat is sealed, or its time is over.
    """
    live, campaign = act.live, act.campaign
    play = live.playing()
    wait = play.wait
    mine = [ask["key"] for ask in campaign.asks if ask["seat"] == seat and ask["key"] in campaign.texts]
    if wait is None or not wait.is_sealed or not wait.replaceable or not mine:
        raise Refused("no_sealed_answer")
    if any((deadline := campaign.clocks[key]["deadline"]) is not None and deadline <= stamp(act.now) for key in mine):
        raise Refused("too_late_to_take_back")
    kept = {key: answers for key, answers in wait.answers_to_json(play.sealed).items() if key not in mine}
    play.sealed = wait.answers_from_json(kept)
    change = {
        "sealed": kept, "texts": {key: said for key, said in campaign.texts.items() if key not in mine},
        "asks": asks_of(live), "clocks": campaign.clocks, "withdrawn": {**campaign.withdrawn, seat: campaign.question},
    }  # fmt: skip
    said = [campaign.texts[key] for key in mine]
    act.write("order", order=(seat, text), change=change, played=True)
    return [line for one in said for line in ([one] if isinstance(one, str) else one)]


def expire(act: Act) -> int:
    """Silence answers what is still open. Raises `NoDefault`, and then the play is to be dropped if sealed."""
    live, campaign = act.live, act.campaign
    play = live.playing()
    wait = play.wait
    assert wait is not None
    missed = play.waiting_for()
    place = f"the deadline of question {campaign.question} ({campaign.kind})"
    text = f"{place}\n{_round_text(wait.questions, campaign.texts)}" if campaign.texts else place
    throws = act.throws(text)
    split = split_of(live)
    said = _said_by_silence(act, play)
    outcome = hearing(live, split, lambda: play.expire(throws))
    seats = {seat: dict(seating) for seat, seating in campaign.seats.items()}
    late = {ask["seat"]: campaign.clocks[ask["key"]]["deadline"] for ask in campaign.asks if not ask["answered"]}
    passed = max((deadline for deadline in late.values() if deadline), default=campaign.deadline)
    for seat, deadline in late.items():
        what = {"kind": campaign.kind, "deadline": deadline or passed, "question": campaign.question}
        seats[seat] = {**seats[seat], "missed": what}
    # A window closes by its clock: nobody has missed anything, and who had not said that he was done is his affair.
    empty = [seating for seating in campaign.seats.values() if seating.get("empty") == SILENT]
    silent = {power for seating in empty for power in seating["powers"]}
    told = [] if campaign.window else [power for power in missed if power not in silent]
    public: dict[str, Any] = {"missed": told, "question": campaign.question}
    own: dict[str, dict[str, Any]] = {}
    for ask, answer in said if told else ():
        own.setdefault(ask["seat"], {"silence": {}})["silence"][ask["power"]] = answer.text()
        # An answer without fields holds nothing that somebody may not see; a sealed one may not have been reached.
        if not wait.is_sealed and not answer.values() and ask["power"] in told:
            public.setdefault("silence", {})[ask["power"]] = answer.text()
    if not campaign.texts:
        public["order"] = text
    order = (None, text) if campaign.texts else None
    change = {**_fed(outcome), "seats": seats}
    return _moved(act, "expired", split, throws, change, public=public, own=own, order=order, asked_at=act.now)


def _said_by_silence(act: Act, play: Play) -> list[tuple[dict[str, Any], Order]]:
    """What silence answers to each question that is open: the question, as it stands in the campaign, and the order.

    Raises `NoDefault`.
    """
    open_ones = {ask["key"]: ask for ask in act.campaign.asks if not ask["answered"]}
    if act.campaign.window:
        return []
    return [
        (open_ones[question.key], question.default_answer(play.table))
        for question in play.questions() if question.key in open_ones
    ]  # fmt: skip


def restart_step(act: Act, reason: str, *, quiet: bool = False) -> None:
    """Begin the step anew that the board at the last point of rest calls for.

    Its dice are fixed by its place in the game: the number of the question that it takes the place of, which no
    act of administration moves. `quiet`: no standing order answers its first question.
    """
    live, campaign = act.live, act.campaign
    assert campaign.board is not None
    text = f"the step begins again at question {campaign.question}"
    throws = act.throws(text)
    play = live.play = Play(live.game, live.table(campaign.board.copy()))
    live.differs = None
    split = split_of(live)
    outcome = hearing(live, split, lambda: play.start(throws))
    change: dict[str, Any] = {"rest": outcome.rest_at or 0}
    if quiet:
        change["quiet"] = campaign.question + 1
    _moved(act, "restarted", split, throws, change, public={"order": text, "reason": reason})


def hearing(live: Live, split: Split, move: Callable[[], Outcome]) -> Outcome:
    """Let the running play go on; its facts are split as they fall."""
    play = live.playing()
    if live.campaign.pending_kit or live.out_of_order():
        play.game = _AtRest(live.game, lambda table: _waits_for_rest(live, table))  # type: ignore[assignment]
    play.table.watch = split.hear
    try:
        return move()
    finally:
        play.table.watch = None


def split_of(live: Live) -> Split:
    """A split for the seats of a campaign, still empty."""
    return Split({seat: seating["powers"] for seat, seating in live.campaign.seats.items()})


def _fed(outcome: Outcome) -> dict[str, Any]:
    if outcome.rest_at is not None:
        return {"rest": outcome.rest_at, "sealed": {}, "texts": {}}
    return {"fed": outcome.fed, "sealed": {}, "texts": {}}


def _talking(asks: list[Any]) -> dict[str, list[str]]:
    """seat -> the powers for which it takes part in the window that is open."""
    talking: dict[str, list[str]] = {}
    for ask in asks:
        talking.setdefault(ask["seat"], []).append(ask["power"])
    return talking


def _moved(
    act: Act,
    kind: str,
    split: Split,
    throws: CommittedThrows,
    change: dict[str, Any],
    *,
    public: Mapping[str, Any] | None = None,
    own: Mapping[str, Mapping[str, Any]] | None = None,
    order: tuple[str | None, str] | None = None,
    asked_at: datetime | None = None,
) -> int:
    """Write an event after which the game has gone on: with the question that is open now, or its end."""
    live = act.live
    play = live.playing()
    asked = asked_from(act, asked_at or act.at)
    if act.campaign.window:
        change["closed_window"] = act.campaign.kind
        change["talked"] = _talking(act.campaign.asks)
    number = act.write(
        kind,
        public={**(public or {}), **told_of(asked)},
        own=own,
        order=order,
        split=split,
        throws=throws,
        change={**change, **asked},
        played=True,
    )
    if isinstance(play.game, _AtRest) and play.game.stopped:
        _at_rest(act)
    elif play.over:
        finish(act)
    return number


# --- what is asked


def asks_of(live: Live) -> list[dict[str, Any]]:
    """Who is asked what by the running play, and whether he has answered."""
    play, campaign = live.playing(), live.campaign
    waiting = {q.key for q in play.questions() if not play.answered(q)}
    return [
        {
            "power": q.power,
            "seat": campaign.seat_of_power(play.board.played_by.get(q.power, q.power)),
            "kind": q.kind,
            "key": q.key,
            "answered": q.key not in waiting,
        }
        for q in play.questions()
    ]


def without_answers(asks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Who is asked what, without saying who has answered."""
    return [{name: value for name, value in ask.items() if name != "answered"} for ask in asks]


def asked_from(act: Act, at: datetime) -> dict[str, Any]:
    """What the campaign remembers of the question that is opened at a moment; in a pause its clocks stand."""
    live, campaign = act.live, act.campaign
    play = live.playing()
    if play.over or play.wait is None:
        return {"asks": [], "kind": None, "window": False, "clocks": {}, "asked_at": None}
    kind, asks = play.wait.kind, asks_of(live)
    clocks = {ask["key"]: _clock(act, ask, at, at + timedelta(hours=live.hours(kind))) for ask in asks}
    return {
        "question": campaign.question + 1,
        "kind": kind,
        "window": isinstance(play.wait, Window),
        "asks": asks,
        "asked_at": stamp(at),
        "clocks": deadlines.stopped(clocks, at) if campaign.status == "paused" else clocks,
    }


def _clock(act: Act, ask: Mapping[str, Any], at: datetime, until: datetime) -> deadlines.Clock:
    """The clock of a question that is asked now: moved by its player's absence, and over where silence is to answer at
    once. A window closes for all at one time."""
    campaign, play = act.campaign, act.live.playing()
    seating, reminders = campaign.seats[ask["seat"]], campaign.policy["reminders"]
    if seating.get("empty") == SILENT:
        return silenced(play, ask, deadlines.running(reminders, at, at))
    clock = deadlines.running(reminders, at, until)
    if isinstance(play.wait, Window):
        return clock
    away, longest = seating.get("away"), longest_absence(campaign.policy)
    return deadlines.with_absence(clock, stamp(at), away, reminders, at, longest)


def silenced(play: Play, ask: Mapping[str, Any], clock: deadlines.Clock) -> deadlines.Clock:
    """The clock of a question that silence answers at once, or of one that it cannot answer: that stands."""
    question = next(question for question in play.questions() if question.key == ask["key"])
    try:
        if not isinstance(play.wait, Window):
            question.default_answer(play.table)
    except NoDefault:
        return deadlines.standing(clock)
    return {**clock, "over": True}


def told_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What everybody is told of what is asked now, and until when."""
    return {"asks": without_answers(asked["asks"]), "deadline": deadlines.closes(asked["clocks"])}


def _round_text(questions: Sequence[Question], texts: Mapping[str, Any]) -> str:
    """What fixes the dice of a sealed round: all its answers as sent, in the order of the questions."""
    return ledger.canonical([[q.key, texts[q.key]] for q in questions if q.key in texts]).decode()


# --- points of rest


class _AtRest:
    """A game that stops at the next point of rest, for what may only happen there."""

    def __init__(self, game: Game, stops: Callable[[Table], bool]):
        self._game, self._stops = game, stops
        self.stopped = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        step = self._game.next_step(table)
        self.stopped = step is not None and self._stops(table)
        return None if self.stopped else step


def _waits_for_rest(live: Live, table: Table) -> bool:
    """Whether something that may only happen at a point of rest is to happen at this one."""
    return live.campaign.pending_kit is not None or _may_be_put_in_order(live, table)


def _may_be_put_in_order(live: Live, table: Table) -> bool:
    return live.out_of_order() and live.game.may_reorder(table)


def _at_rest(act: Act) -> None:
    """Do what waited for this point of rest."""
    live = act.live
    reordered = _may_be_put_in_order(live, live.playing().table)
    if reordered:
        _put_in_order(act)
    if act.campaign.pending_kit is not None:
        change_kit(act, act.archive.kits.of(act.campaign.pending_kit), "the corrected kit takes effect")
    elif reordered:
        restart_step(act, "the order of play is put right")


def _put_in_order(act: Act) -> None:
    """Put the order of play right, at a point of rest that the game lets it change at; all are told."""
    live = act.live
    table = live.table(act.campaign.board_now())
    split = split_of(live)
    table.watch = split.hear
    before, after = list(table.board.powers), live.play_order()
    table.do({"fact": "reorder", "before": before, "after": after})
    reason = PUT_RIGHT % ", ".join(after)
    change = {"rest": split.number}
    act.write("reordered", public={"reason": reason, "powers": after}, split=split, change=change, played=True)


def change_kit(act: Act, kit: Kit, reason: str) -> None:
    """Go on under a corrected kit; only `Live.may_change_kit` says when."""
    live, campaign = act.live, act.campaign
    assert campaign.board is not None
    split = restore(live, campaign.board_now(), campaign.board)
    live.kit = kit
    change = {"back": to_rest(), "sealed": {}, "texts": {}, "kit": kit.hash, "pending_kit": None}
    act.write("kit", public={"kit": kit.hash, "reason": reason}, split=split, change=change, played=True)
    restart_step(act, reason)


def restore(live: Live, now: Board, then: Board) -> Split:
    """The facts that lead back from a board to an earlier one, split for their readers."""
    table = live.table(now)
    split = split_of(live)
    table.watch = split.hear
    for fact in difference(now.copy(), then):
        table.do(fact)
    if _without_empty(now) != _without_empty(then):
        raise RuntimeError("the facts of the rewind do not lead to the board of that event")
    return split


def to_rest() -> dict[str, Any]:
    """What an event goes back to after whose facts the board is at rest."""
    return {"to_rest": [], "facts": [], "entries": []}


def _without_empty(board: Board) -> dict[str, Any]:
    """A board as JSON without empty piles and tracks: to have been emptied, or never to have been, is the same."""
    plain = board.to_json()
    return {**plain, **{part: {k: v for k, v in plain[part].items() if v} for part in ("piles", "tracks")}}


# --- the end


def finish(act: Act, reason: str | None = None) -> None:
    """The campaign is over: the results, the secret of the dice, and everything that was hidden."""
    live, campaign = act.live, act.campaign
    public: dict[str, Any] = {"secret": act.archive.dice.secret(campaign.id).hex()}
    if campaign.board is not None:
        table = live.play.table if live.play else live.table(campaign.board_now())
        public["results"] = ranking(live.game, table, [seating["powers"] for seating in campaign.seats.values()])
    if reason:
        public["reason"] = reason
    change: dict[str, Any] = {
        "status": "finished",
        "reason": reason,
        "asks": [],
        "kind": None,
        "window": False,
        "clocks": {},
        "queue": {},
        "standing": {},
    }
    act.write("finished", public=public, change=change)
    openings: list[dict[str, Any]] = []
    last = campaign.version
    for event in _whole_stream(act):
        if event.originator_version > last:
            break
        link = event.link
        openings += [
            ledger.opening(link, part)
            for part in link.parts
            if part != ledger.PUBLIC and link.parts[part]["content"] != "{}"
        ]
        while len(openings) >= OPENED_AT_ONCE:
            act.write("opened", public={"opened": openings[:OPENED_AT_ONCE]})
            openings = openings[OPENED_AT_ONCE:]
    if openings:
        act.write("opened", public={"opened": openings})


def _whole_stream(act: Act) -> Iterable[Event]:
    pending = list(act.campaign.pending_events)
    if pending and pending[0].originator_version == 1:
        yield from pending  # type: ignore[misc]
        return
    yield from act.archive.store.stored(act.campaign.id)
    yield from pending  # type: ignore[misc]
