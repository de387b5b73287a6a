"""What lines would be answered with if they were sent now: a check runs them as `taking` does, beside the campaign.

It works on a copy of what the campaign remembers, of which nothing is saved: no event, no mail, no preference. No die
is thrown, and the game never goes on: a line that would let it go on, or might for all that its player can know, is
only told to be allowed. What becomes of the orders below such a line hangs on dice and on what others hold, so a check
that told it would be asked for just that; of them it is told that they can be read (`CheckedLine.later`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from pbem.campaign import expiry, following
from pbem.campaign.acts import Act, Archive
from pbem.campaign.clock import Clock, stamp
from pbem.campaign.command import ASKS, CancelAnswer, Command, Status
from pbem.campaign.commands import Line
from pbem.campaign.inbox import Inbox
from pbem.campaign.queries import check_seat
from pbem.campaign.reading import Reading
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer, Channel, CheckedLine, LineResult, Received
from pbem.campaign.taking import Taking
from pbem.campaign.timekeeping import comes_too_early
from pbem.table.dice import CommittedThrows
from pbem.table.facts import Fact
from pbem.table.orders import Order, Showing
from pbem.table.table import NoThrows

TOO_EARLY = (
    "The time for this is over, and the deadline is dealt with first; what becomes of these lines is known after that."
)


class Checking:
    """Checks lines for pages and the API. `check_line` is for one line alone."""

    def __init__(self, reading: Reading, archive: Archive, inbox: Inbox, clock: Clock, settings: Settings):
        self.reading, self.archive, self.inbox, self.clock, self.settings = reading, archive, inbox, clock, settings

    def check(self, campaign: str, seat: str, lines: Sequence[str], channel: Channel = "form") -> Answer:
        """The answer that lines of a seat would get now, as far as it can be known; it has neither a number nor events.

        Raises `NoCampaign`, and `ValueError` for a seat that there is not.
        """
        with self.reading.aside(campaign) as live:
            check_seat(live.campaign, seat)
            now, generation = self.clock.now(), live.campaign.seats[seat]["generation"]
            kept = self.inbox.as_kept(campaign, lines)
            received = Received(campaign, 0, seat, generation, channel, stamp(now), kept)
            if comes_too_early(live.campaign, received):
                return Answer(campaign, 0, seat, [], False, TOO_EARLY, received_at=received.received_at)
            act = _Aside(live, now, self.archive)
            expiry.hold_if_differs(act)
            return _Check(act, received, self.settings).run()

    def check_line(self, campaign: str, seat: str, line: str) -> LineResult:
        """What would come of one line; where it would only be answered with a note, that is its reason."""
        answer = self.check(campaign, seat, [line], "api")
        return answer.lines[0] if answer.lines else LineResult(line, "unreadable", reason=answer.note)


class _Aside(Act):
    """An act that is never saved."""

    def throws(self, text: str) -> CommittedThrows:
        """None: what would throw is not carried out here."""
        return cast(CommittedThrows, NoThrows())

    def write(self, kind: str, **more: Any) -> int:
        """Put an event on the copy of the campaign; none that moves the game, whose board is the campaign's own."""
        assert more.get("split") is None, "a check lets the game go on"
        return super().write(kind, **more)

    def commit_next_tree(self) -> None:
        """None: nothing was thrown."""


class _Check(Taking):
    """A submission that is only tried."""

    def run(self) -> Answer:
        """The answer, without the numbers of events that there are not."""
        answer = super().run()
        for line in answer.lines:
            line.events = []
        answer.event, answer.head = 0, ""
        return answer

    def attempt(self, order: Order, sent: str, power: str | None) -> tuple[list[int], list[Fact]]:
        """Take up what leaves the game where it is: what is shown to others, and an answer that stays sealed whatever
        the others have answered. Of anything else only whether it is allowed."""
        named = following.power_in_time(self.live, self.seat, order, power)
        own = self.live.campaign.powers_of(self.seat)
        if not isinstance(order, Showing) and self.live.playing().may_close(named, order, own):
            self.moved = True
            return [], []
        return super().attempt(order, sent, power)

    def settle(self, busy: str | None) -> None:
        """Nothing goes on by itself; a new standing order that would answer for its seat would let it."""
        self.moved = self.moved or (busy is None and following.has_standing_answer(self.live, self.seat))

    def command(self, command: Command, line: Line) -> LineResult:
        """Carried out on the copy, but for what hangs on the lines above."""
        hangs = self.moved and isinstance(command, (*ASKS, CancelAnswer))
        if hangs or (isinstance(command, Status) and self.live.campaign.pending_events):
            return CheckedLine(line.text, "told", command.text(), later=True)
        return super().command(command, line)

    def unknown_yet(self, line: Line) -> LineResult:
        """Only that it can be read."""
        return CheckedLine(line.text, "queued", line.order.text() if line.order is not None else None, later=True)
