"""Administration: how campaigns are founded, filled, begun, paused and ended. Each method is one act."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from pbem import games
from pbem.campaign import course, expiry, following, guard, life
from pbem.campaign.acts import Act, Acts, NotNow
from pbem.campaign.clock import Clock, moment
from pbem.campaign.founding import found
from pbem.campaign.inbox import Inbox
from pbem.campaign.policy import check_policy, one_switch
from pbem.campaign.queries import check_seat
from pbem.campaign.store import is_conflict, is_store_fault
from pbem.table.kit import Kit, load_kit
from pbem.table.said import Said

_CAMPAIGN_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?")
_T = TypeVar("_T")


class IdTaken(ValueError):
    """Another campaign has the id that a new one was to have."""


class Administration:
    """What a moderator does to campaigns. `automatic`: how many answers run by themselves after one act."""

    def __init__(self, acts: Acts, inbox: Inbox, clock: Clock, automatic: int, new_secret: Callable[[], bytes]):
        self.acts, self.archive, self.inbox, self.clock = acts, acts.archive, inbox, clock
        self._automatic, self._new_secret = automatic, new_secret

    def create(
        self,
        game: str,
        seats: int,
        *,
        campaign: str | None = None,
        title: str | None = None,
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        policy: Mapping[str, Any] | None = None,
        kit: Kit | None = None,
    ) -> str:
        """A new campaign with seats ``seat1`` to ``seatN``; returns its id. Its first event commits to the dice.

        `scenario` is the kit's first by default; `options` are checked by the kit, `policy` by
        `pbem.campaign.policy.check_policy` and `one_switch`; the id, if given, is made of small letters, digits and
        hyphens.
        """
        room = games.find_game(game)
        kit = kit or load_kit(game)
        scenario = scenario or next(iter(kit.scenarios))
        if scenario not in kit.scenarios:
            raise ValueError(Said(
                "there is no scenario %(scenario)s; there are %(known)s", scenario=scenario, known=list(kit.scenarios),
            ))  # fmt: skip
        least, most = kit.seats["minimum"], kit.seats["maximum"]
        if not least <= seats <= most:
            raise ValueError(Said("This game is for %(least)s to %(most)s seats.", least=least, most=most))
        options, policy = one_switch(kit, options or {}, policy or {})
        chosen = kit.settings(options)
        room.seats(kit, scenario, seats, chosen)
        campaign = campaign or f"{game.replace('_', '-')[:20]}-{os.urandom(3).hex()}"
        if not _CAMPAIGN_ID.fullmatch(campaign):
            raise ValueError(Said("an id of a campaign is made of 1 to 30 small letters, digits and hyphens"))
        if not (title or "").isprintable():
            raise ValueError(Said("a title is one line of text"))
        guard.check(self.archive.store, title or "")
        act = found(
            self.archive,
            kit,
            self.clock.now(),
            campaign=campaign,
            title=title or kit.name,
            scenario=scenario,
            options=chosen,
            policy=check_policy(policy),
            seats=[f"seat{n + 1}" for n in range(seats)],
            secret=self._new_secret(),
        )
        act.beside.append(self.inbox.open(campaign))
        self.archive.kits.keep(kit)
        try:
            self.acts.begin(act)
        except Exception as error:
            if is_conflict(error) and not is_store_fault(error):
                raise IdTaken(Said("There is a campaign %(campaign)s already.", campaign=campaign)) from error
            raise
        return campaign

    def invite(
        self, campaign: str, seat: str, name: str, address: str, *, language: str = "en", timezone: str = "UTC",
        instead: bool = False,
    ) -> str:  # fmt: skip
        """Give a seat to a person, who is still to accept; returns the seat's token. The invitation goes to the outbox.

        While somebody else's invitation to the seat is open, `NotNow` is raised, unless `instead`: then it takes its
        place, and who lost it is told. The same address can be invited again, but to no second seat (`NotNow`). The
        token of the one before is void.
        """
        people = self.archive.people

        def work(act: Act) -> str:
            seating = act.campaign.seats[seat]
            if seating["accepted"]:
                raise NotNow(Said("%(seat)s is taken; replace its player instead", seat=seat))
            before = people.player(campaign, seat)
            is_open = before is not None and before["address"] and not seating.get("declined")
            if before and is_open and not instead and before["address"].casefold() != address.strip().casefold():
                raise NotNow(Said(
                    "%(seat)s is offered to %(name)s, who has not answered; invite instead of him",
                    seat=seat, name=before["name"],
                ))  # fmt: skip
            life.check_one_seat(act, seat, address)
            generation = life.invite(act, seat)
            token, beside = people.seated(
                campaign, seat, generation, act.now, name=name, address=address, language=language, timezone=timezone
            )
            act.beside += beside
            return token

        return self._do(campaign, work, "inviting", seat=seat)

    def accept(self, campaign: str, seat: str, language: str | None = None) -> None:
        """The invited player takes the seat (by link; by mail he sends ACCEPT INVITATION). `language`: the code of the
        one in which he read the page."""
        self._do(campaign, lambda act: life.join(act, seat, language), seat=seat)

    def decline(self, campaign: str, seat: str) -> None:
        """The invited player leaves the seat."""
        self._do(campaign, lambda act: life.decline(act, seat), "inviting", seat=seat)

    def assign(self, campaign: str, chosen: Mapping[str, str] | None = None) -> dict[str, list[str]]:
        """Give every seat its powers: as `chosen` (seat -> power), or drawn by a provable draw. Returns seat ->
        powers."""

        def work(act: Act) -> dict[str, list[str]]:
            life.assign(act, chosen)
            return {seat: seating["powers"] for seat, seating in act.campaign.seats.items()}

        return self._do(campaign, work, "inviting")

    def start(self, campaign: str) -> None:
        """Begin: all seats must have accepted; powers that were not assigned are drawn."""

        def work(act: Act) -> None:
            if missing := course.missing_seats(act.campaign):
                raise NotNow(Said("not all have accepted yet: %(seats)s", seats=missing))
            if not all(seating["powers"] for seating in act.campaign.seats.values()):
                life.assign(act, None)
            course.start(act)
            following.settle(act, self._automatic)

        self._do(campaign, work, "inviting")

    def pause(self, campaign: str, reason: str) -> None:
        """Stop the clock with its remaining time; no orders are taken till `resume`."""
        self._do(campaign, lambda act: expiry.pause(act, reason), "running")

    def resume(self, campaign: str, reason: str = "") -> None:
        """Let a paused campaign run on; one that was held too, if its rules now give what they gave before."""

        def work(act: Act) -> None:
            if act.live.differs:
                raise NotNow(Said(
                    "the rules of this program differ from the record of the open step still; rewind, or end the step "
                    "by a ruling"
                ))  # fmt: skip
            expiry.resume(act, reason)

        self._do(campaign, work, "paused", "held")

    def extend(self, campaign: str, hours: int, reason: str, seat: str | None = None) -> datetime:
        """Move the deadlines of what is asked by some hours (a question without one gets it anew, from now).

        With a seat only its own, also where its time was over and the round is still open. Returns the last of them.
        """

        def work(act: Act) -> datetime:
            clocks, of_seat = act.campaign.clocks, [a for a in act.campaign.asks if seat in (None, a["seat"])]
            if not of_seat:
                raise NotNow(
                    Said("nothing is asked now") if seat is None
                    else Said("nothing is asked of %(seat)s now", seat=seat)
                )  # fmt: skip
            if seat is not None and act.campaign.window:
                raise NotNow(Said("this window closes for all at once; move the deadline of all"))
            moving = [clocks[ask["key"]] | ask for ask in of_seat if seat or not clocks[ask["key"]]["over"]]
            from_now = {ask["key"]: moment(ask["deadline"]) if ask["deadline"] else act.now for ask in moving}
            until = {key: start + timedelta(hours=hours) for key, start in from_now.items()}
            if min(until.values()) <= act.now:
                raise ValueError(Said("that would be in the past"))
            powers = list(dict.fromkeys(ask["power"] for ask in moving)) if seat else ()
            expiry.extend(act, until, reason, of=powers)
            return max(until.values())

        return self._do(campaign, work, "running", seat=seat)

    def replace(
        self,
        campaign: str,
        seat: str,
        name: str,
        address: str,
        reason: str = "",
        *,
        language: str = "en",
        timezone: str = "UTC",
    ) -> str:
        """Give a seat to another person; returns the new token. The old one is void, standing and queued orders are
        gone.

        A campaign that was paused because this seat was late goes on. Both are told: who had the seat that it is no
        longer his, who has it now all that he needs to play on, or how to decline; before the campaign has begun he is
        invited, as everybody was.
        """

        def work(act: Act) -> str:
            late = {ask["seat"] for ask in act.campaign.asks if not ask["answered"]}
            life.check_one_seat(act, seat, address)
            generation = life.replace(act, seat, reason)
            token, beside = self.archive.people.seated(
                campaign, seat, generation, act.now, name=name, address=address, language=language, timezone=timezone,
                reason=reason, begun=act.campaign.status != "inviting",
            )  # fmt: skip
            act.beside += beside
            if act.campaign.status == "paused" and seat in late and act.live.play is not None:
                expiry.resume(act, f"{seat} has a new player")
            return token

        return self._do(campaign, work, "running", "paused", "held", "inviting", seat=seat)

    def vacate(self, campaign: str, seat: str, reason: str, *, silent: bool = False) -> None:
        """Leave a seat without a player: vacant, so that its questions keep their time until somebody is found
        (`replace`), or silent, so that silence answers at once. The token is void; who had the seat is told."""

        def work(act: Act) -> None:
            life.vacate(act, seat, reason, silent=silent)
            following.settle(act, self._automatic)

        self._do(campaign, work, "running", "paused", "held", "inviting", seat=seat)

    def correct_kit(self, campaign: str, kit: Kit, reason: str) -> bool:
        """Go on under a corrected kit: at once at a point of rest (True), else at the next one (False)."""
        self.archive.kits.keep(kit)

        def work(act: Act) -> bool:
            if kit.game != act.campaign.game:
                raise ValueError(Said("that is the kit of another game"))
            if act.live.play is not None and act.live.may_change_kit():
                course.change_kit(act, kit, reason)
                following.settle(act, self._automatic)
                return True
            act.write(
                "settings", public={"kit_to_come": kit.hash, "reason": reason}, change={"pending_kit": kit.hash}
            )
            return False

        return self._do(campaign, work, "running", "paused")

    def renew_dice(self, campaign: str, reason: str) -> None:
        """Go on with a new secret when the old one cannot be opened any more (`SecretLost`); all are shown that."""
        states = ("inviting", "running", "paused", "held")
        self._do(campaign, lambda act: act.renew_dice(self._new_secret(), reason), *states)

    def finish(self, campaign: str, reason: str) -> None:
        """End a campaign before its time: the dice secret and all that was hidden is opened."""
        self._do(campaign, lambda act: course.finish(act, reason), "inviting", "running", "paused", "held")

    def archive_campaign(self, campaign: str) -> None:
        """Put a finished campaign away."""
        self._do(campaign, lambda act: act.write("archived", change={"status": "archived"}), "finished")

    def _do(self, campaign: str, work: Callable[[Act], _T], *states: str, seat: str | None = None) -> _T:
        """Do an act of administration, where the campaign is in one of these states and has this seat."""

        def checked(act: Act) -> _T:
            if states:
                act.need(*states)
            check_seat(act.campaign, seat)
            return work(act)

        return self.acts.perform(campaign, self.clock.now(), checked)
