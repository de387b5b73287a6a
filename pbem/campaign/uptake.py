"""The way of an order: from the door to its number in the inbox, and from there through one act to its answer.

A page waits for its answer (`submit`), a mail does not (`receive`, and `take_up` later); both go the same way, one
submission with all that follows from it in one act. Only where its number is given differs: what a page sends while
nothing waits before it enters the inbox with what comes of it, since its sender is told nothing before it is stored.
"""

from __future__ import annotations

import logging

from pbem.campaign import expiry, faults, taking
from pbem.campaign.acts import ATTEMPTS, Act, Acts
from pbem.campaign.clock import Clock, stamp
from pbem.campaign.inbox import ROWS_AT_ONCE, Inbox
from pbem.campaign.memory import NoCampaign
from pbem.campaign.settings import Settings
from pbem.campaign.store import is_conflict, is_store_fault
from pbem.campaign.submissions import Answer, LineResult, Received, Submission, UnknownSender
from pbem.campaign.timekeeping import Timekeeper, comes_too_early
from pbem.table.orders import Refused

log = logging.getLogger("pbem.campaign")

AT_ONCE = 1
"""How often a submission that is not in the inbox yet is tried while the store is away: then it is put there first."""


class Uptake:
    """Takes up what players send."""

    def __init__(self, acts: Acts, inbox: Inbox, timekeeper: Timekeeper, clock: Clock, settings: Settings):
        self.acts, self.inbox, self.timekeeper = acts, inbox, timekeeper
        self.memory, self.people = acts.memory, acts.archive.people
        self.clock, self.settings = clock, settings

    # the door

    def receive(self, submission: Submission) -> int:
        """Store a submission durably; returns its number in the campaign's inbox, the old one for a repeated mail.

        Raises `UnknownSender` for an unknown campaign, token or seat; nothing is stored then.
        """
        return self.inbox.receive(submission, *self._sender(submission))

    def submit(self, submission: Submission) -> Answer:
        """Receive and take up at once, for pages and the API. Raises `UnknownSender`."""
        seat, generation = self._sender(submission)
        with self.memory.lock(submission.campaign):
            entry = self.inbox.entry(submission, seat, generation)
            known = self.memory.get(submission.campaign).campaign
            answer = self._take_entry(entry) if entry is not None and not comes_too_early(known, entry) else None
        if answer is not None:
            return answer
        number = self.inbox.receive(submission, seat, generation)
        try:
            for answer in self._take_up(submission.campaign):
                if answer.number == number:
                    return answer
            stored = self.inbox.answer(submission.campaign, number)
            if stored is not None:
                return stored
            note = "This was received after the deadline, which is being dealt with first; it will be taken up then."
        except Exception as error:
            if not is_store_fault(error):
                raise
            log.error("campaign %s: submission %s waits: %s", submission.campaign, number, faults.told(error))
            note = "This was received. It could not be taken up at once; it will be as soon as possible."
        received_at = stamp(submission.received_at)
        return Answer(submission.campaign, number, seat, [], False, note, received_at=received_at)

    def _sender(self, submission: Submission) -> tuple[str, int]:
        """The seat that sends, and its generation."""
        unknown = UnknownSender("there is no such campaign or seat")
        if submission.token is not None:
            speaks = self.people.speaks_for(submission.campaign, submission.token)
            if speaks is None:
                raise unknown
            return speaks
        if submission.seat is None:
            raise unknown
        try:
            with self.memory.reading(submission.campaign) as live:
                return submission.seat, live.campaign.seats[submission.seat]["generation"]
        except (NoCampaign, KeyError):
            raise unknown from None

    # from the inbox

    def take_up(self, campaign: str, most: int | None = None) -> int:
        """Work the inbox of a campaign off, each submission in one transaction; returns how many were taken up.

        What a seat sent after its own deadline, or the last one, waits until that has been dealt with.
        """
        return len(self._take_up(campaign, most))

    def _take_up(self, campaign: str, most: int | None = None) -> list[Answer]:
        answers: list[Answer] = []
        with self.memory.lock(campaign):
            while most is None or len(answers) < most:
                rows = self.inbox.waiting(campaign)
                before, put_off = len(answers), False
                for row in rows[: None if most is None else most - before]:
                    taken = self._take_in_time(row)
                    answers += taken or []
                    put_off = put_off or taken is None
                if len(answers) == before or (len(rows) < ROWS_AT_ONCE and not put_off):
                    break
        return answers

    def _take_in_time(self, received: Received) -> list[Answer] | None:
        """Take a submission up once every deadline before it has been dealt with; None where one could not be yet."""
        for _ in range(ATTEMPTS):
            live = self.memory.get(received.campaign)
            if comes_too_early(live.campaign, received) and not self.timekeeper.deal_with_deadlines(received):
                return None
            try:
                answer = self._take(received)
            except _TooEarly:
                continue
            return [] if answer is None else [answer]
        return None

    # through one act

    def _take(self, received: Received, away_at_most: int | None = None) -> Answer | None:
        """Take a submission up; None where another process was faster. One on which the program fails is set aside."""
        again = False

        def work(act: Act) -> Answer | None:
            nonlocal again
            if again and not self.inbox.is_open(received):
                return None
            again = True
            if comes_too_early(act.campaign, received):  # what the memory of this process did not know
                raise _TooEarly
            expiry.hold_if_differs(act)
            answer = taking.take(act, received, self.settings)
            act.beside += self.inbox.finish(received, answer, "done", stamp(act.now))
            return answer

        id, now = received.campaign, self.clock.now()
        try:
            answer = self.acts.perform(id, now, work, submission=received.number, away_at_most=away_at_most)
        except Exception as error:
            if is_conflict(error) or is_store_fault(error) or isinstance(error, _TooEarly):
                raise  # what lies in the inbox stays new, and is taken up once the store is there again
            log.exception("campaign %s: submission %s is set aside", id, received.number)
            name = type(error).__name__
            answer = self.acts.perform(
                id, self.clock.now(), lambda act: self._set_aside(act, received, name), submission=received.number
            )
        if answer is not None:
            self.inbox.finished(received)
        return answer

    def _take_entry(self, entry: Received) -> Answer | None:
        """Take up what is not in the inbox yet; None where it has to be put there first."""
        try:
            return self._take(entry, AT_ONCE)
        except _TooEarly:
            return None
        except Exception as error:
            if not is_conflict(error) and not is_store_fault(error):
                raise
            self.inbox.forget(entry.campaign)
            return self.inbox.answer_to(entry)

    def _set_aside(self, act: Act, received: Received, error: str) -> Answer | None:
        if not self.inbox.is_open(received):
            return None
        act.write("set_aside", referee={"submission": received.number, "error": error}, change={"seat": received.seat})
        results = [LineResult.refused(line, None, Refused("set_aside"), act.live.kit) for line in received.lines]
        note = "The program failed on this message, and it was set aside without effect. The moderator has been told."
        answer = Answer(
            received.campaign,
            received.number,
            received.seat,
            results,
            False,
            note,
            event=act.campaign.version,
            head=act.campaign.head,
            received_at=received.received_at,
        )
        act.beside += self.inbox.finish(received, answer, "set_aside", stamp(act.now))
        return answer


class _TooEarly(RuntimeError):
    """A submission was received after a deadline that is still to be dealt with."""
