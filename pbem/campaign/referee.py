"""What a moderator does as a referee: rulings and rewinds, and looks at what is hidden, which are events themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from pbem.campaign import corrections, guard, ledger, rulings
from pbem.campaign.acts import Act, Acts, NotNow
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock import Clock
from pbem.campaign.inbox import Inbox
from pbem.campaign.live import Live
from pbem.campaign.queries import check_seat
from pbem.campaign.reading import Reading
from pbem.campaign.rulings import INSISTED, RulingRefused
from pbem.campaign.vault import without_tokens
from pbem.render.tellings import Sentence
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.facts import BadFact, Fact, apply_all
from pbem.table.procedure import ReplayDiffers
from pbem.table.said import Said

_T = TypeVar("_T")

RULED = ("running", "paused", "held")
"""The states in which there is something to rule on."""


@contextmanager
def _going_back(event: int) -> Iterator[None]:
    """Says what to do where the rules no longer give what the record of an event's step holds."""
    try:
        yield
    except ReplayDiffers as error:
        raise ValueError(Said(
            "the rules have changed since the step of event %(event)s; choose the last event before that step",
            event=event,
        )) from error  # fmt: skip


def no_such_event(event: int, last: int) -> Said:
    """Why the game cannot go back to an event: only those before the last one can be gone back to."""
    if event == last:
        return Said("event %(event)s is the last: the game stands there now", event=event)
    return Said("there is no event %(event)s to go back to; there are 1 to %(most)s", event=event, most=last - 1)


@dataclass(frozen=True)
class Tried:
    """What would come of a ruling: the board as everybody would see it, and what is broken by it, as sentences that are
    kept (`pbem.render.tellings`), as far as all are told."""

    board: Board
    broken: list[Sentence]


class Referee:
    """The referee of all campaigns."""

    def __init__(self, acts: Acts, inbox: Inbox, reading: Reading, clock: Clock):
        self.acts, self.inbox, self.reading, self.clock = acts, inbox, reading, clock
        self.memory, self.store = acts.memory, acts.store

    def rule(
        self, campaign: str, facts: Sequence[Fact], reason: str, *, ends_step: bool = False, insists: str | None = None
    ) -> int:
        """Change the board by facts; returns the number of the last event. Raises `RulingRefused`, `ValueError`.

        The facts may leave out what `pbem.campaign.rulings` reads off the board; what the rules make of them by
        themselves goes along. They are first tried on a copy: the game must be able to go on from there and its
        invariants must hold (`RulingBreaks`). `insists`, why it is to be so though some are broken, makes it so where
        the game can go on; all are told, with what is broken. `ends_step` gives the open step up: the board after the
        facts is a point of rest (the way out for a held campaign).
        """

        def work(act: Act) -> int:
            act.need(*RULED)
            whole = _ruling(act.live, facts, ends_step)
            guard.check(self.store, insists or "", campaign)
            (corrections.end_step if ends_step else corrections.rule)(act, whole, reason, insists)
            return act.campaign.version

        return self.acts.perform(campaign, self.clock.now(), work)

    def try_ruling(
        self, campaign: str, facts: Sequence[Fact], reason: str, *, ends_step: bool = False, insists: str | None = None
    ) -> Tried:
        """Try a ruling on a copy; returns what would come of it. Raises as `rule` does.

        Where the facts touch what is hidden, the try may tell something of it, so it is put on record as `disclose` is.
        """
        guard.check(self.store, insists or "", campaign)
        with self.memory.reading(campaign) as live:
            if live.campaign.status not in RULED:
                raise NotNow(Said(
                    "the campaign is now: %(state)s; this needs: %(states)s",
                    state=live.campaign.status, states=list(RULED),
                ))  # fmt: skip
            rulings.check_facts(facts)
            hidden = rulings.touches_hidden(live.campaign.board_now(), facts)
        if hidden:
            self._look(campaign, {"ruling": len(facts)}, reason)
        with self.memory.reading(campaign) as live:
            whole = _ruling(live, facts, ends_step)
            tried = (corrections.try_ending if ends_step else corrections.try_ruling)(live, whole, insists)
            after = sight.view(apply_all(live.campaign.board_now(), tried), sight.PUBLIC)
            return Tried(after, [one for fact in tried if fact.get("what") == INSISTED for one in fact["broken"]])

    def goes_with(self, campaign: str, facts: Sequence[Fact]) -> list[Fact]:
        """What the rules make by themselves of a ruling with these facts, and what therefore goes with it; nothing
        where it touches what is hidden, or where the facts do not fit the board: trying it will tell."""
        with self.memory.reading(campaign) as live:
            before = live.campaign.board_now()
            try:
                whole = rulings.completed(before, rulings.check_facts(facts))
                more = [fact for fact in corrections.what_goes_with(live, whole) if fact not in whole]
            except (ValueError, LookupError, TypeError, AttributeError):
                return []
            return [] if rulings.touches_hidden(before, [*whole, *more]) else more

    def can_be(self, campaign: str, facts: Sequence[Fact], first: Sequence[Fact] = ()) -> list[bool]:
        """Of each fact, taken for itself after others (`first`), whether it could be ruled now. Where any touches what
        is hidden nothing is told: all can be, and trying them will tell."""
        with self.memory.reading(campaign) as live:
            board = live.campaign.board_now()
            if rulings.touches_hidden(board, [*first, *facts]):
                return [True for _ in facts]
            game, table = live.game, live.table(board.copy())
        try:  # outside the lock
            return corrections.can_be(game, table, facts, first)
        except BadFact:
            return [True for _ in facts]

    def rewind(self, campaign: str, event: int | None, reason: str) -> int:
        """Go back to the board and question after an event (None: the start of the open step). Nothing is erased.

        Dice go on where they are, queued orders are dropped, no standing order answers the reopened question, which
        gets a new deadline; all are told. Returns the event's number. Raises `ValueError` for an event that cannot be
        gone back to.
        """

        def work(act: Act) -> int:
            act.need(*RULED)
            if event is None:
                return corrections.rewind_step(act, reason)
            with _going_back(event):
                return corrections.rewind(act, self._stood(act.live, event), reason)

        return self.acts.perform(campaign, self.clock.now(), work)

    def check_rewind(self, campaign: str, event: int) -> None:
        """Raises `ValueError` as `rewind` does, for an event that cannot be gone back to."""
        with self.memory.reading(campaign) as live, _going_back(event):
            corrections.play_at(live, self._stood(live, event))

    def _stood(self, live: Live, event: int) -> Campaign:
        """What a campaign was at an event before its last."""
        if not 1 <= event < live.campaign.version:
            raise ValueError(no_such_event(event, live.campaign.version))
        old = self.store.load(live.campaign.id, event)
        assert old is not None
        return old

    def ask_referee(self, campaign: str, event: int, reason: str) -> dict[str, Any]:
        """Let the moderator read what is hidden in an event; that he did is an event itself, which all can see."""
        return self.disclose(campaign, reason, event=event)

    def disclose(
        self, campaign: str, reason: str, *, event: int | None = None, submission: int | None = None
    ) -> dict[str, Any]:
        """Let the moderator read what is hidden; that he did, and why, is an event, written before he gets anything.

        With `event`: that event as the referee has it (`pbem.campaign.queries.read_event`). With `submission`, a number
        in the inbox: ``{lines, raw, answer}``; lines and answer without tokens, the mail whole. With neither: the whole
        board, as JSON. Raises `ValueError` for what is not there.
        """
        if submission is not None:
            return self._submission(campaign, reason, submission)
        self._look(campaign, {"board": True} if event is None else {"event": event}, reason)
        if event is not None:
            return self.reading.events(campaign, ledger.REFEREE, event, event)[0]
        with self.memory.reading(campaign) as live:
            return live.campaign.board_now().to_json()

    def _submission(self, campaign: str, reason: str, number: int) -> dict[str, Any]:
        lines = self.inbox.lines(campaign, number)
        if lines is None:
            raise ValueError(Said("there is no submission %(number)s", number=number))
        self._look(campaign, {"submission": number}, reason)
        answer = self.inbox.answer(campaign, number)
        return {
            "lines": without_tokens(lines),
            "raw": self.inbox.raw_mail(campaign, number),
            "answer": without_tokens(answer.to_json()) if answer else None,
        }

    def _look(self, campaign: str, what: dict[str, Any], reason: str) -> None:
        """Put on record that the moderator looks at something, if it is there."""

        def work(act: Act) -> None:
            event = what.get("event")
            if event is not None and not 1 <= event <= act.campaign.version:
                raise ValueError(Said(
                    "there is no event %(event)s; the last is %(last)s", event=event, last=act.campaign.version
                ))  # fmt: skip
            if "board" in what and act.campaign.board is None:
                raise NotNow(Said("the game has not begun"))
            act.write("asked_referee", public={**what, "reason": reason})

        self.acts.perform(campaign, self.clock.now(), work)

    def check_upgrade(self) -> Iterator[tuple[str, str | None]]:
        """Try the rules of this program on every open step: (campaign, None or where they differ from the record).

        For the console of the operator alone: where they differ may quote hidden facts.
        """
        for row in self.reading.campaigns():
            if row["state"] in RULED:
                with self.memory.lock(row["campaign"]):
                    yield row["campaign"], self.memory.load(row["campaign"]).differs

    def table_of(self, campaign: str, seat: str, look: Callable[[Any, list[Any]], _T]) -> _T:
        """Call ``look(table, questions)`` with the whole table and the questions open to a seat, under the lock.

        For rehearsals: what is hidden from the seat lies on the table. `look` must change nothing, and must let nothing
        out that sight hides.
        """
        with self.memory.reading(campaign) as live:
            check_seat(live.campaign, seat)
            powers = live.campaign.powers_of(seat)
            questions = [q for q in live.play.questions() if q.power in powers] if live.play else []
            return look(live.play.table if live.play else None, questions)

    def out_of_order(self, campaign: str) -> bool:
        """Whether a campaign still goes round in the order of its seats, as an earlier program began it, and not in the
        game's order of play. It is put right by itself where no round is under way, and all are told."""
        with self.memory.reading(campaign) as live:
            return live.campaign.status in RULED and live.out_of_order()


def _ruling(live: Live, facts: Sequence[Fact], ends_step: bool) -> list[Fact]:
    if live.play is None and not ends_step:
        raise NotNow(Said("the campaign is held; rewind, or end the step by the ruling"))
    try:
        return rulings.completed(live.campaign.board_now(), rulings.check_facts(facts))
    except BadFact as error:
        raise RulingRefused(Said("this does not fit the board: %(reason)s", reason=str(error))) from error
