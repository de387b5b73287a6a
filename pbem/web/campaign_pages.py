"""What the pages of one campaign share: who reads, in which language, and the frame around the page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import g, render_template

from pbem.campaign.page import Page
from pbem.campaign.service import NoCampaign, Status
from pbem.render.language import SOURCE
from pbem.render.narrative import Teller
from pbem.table.kit import Kit
from pbem.web.context import asked_for, language, read_as, service, state_words, zone
from pbem.web.security import nothing_here, signed_in_seat


@dataclass
class CampaignPage:
    """A campaign as the reader of a page meets it; `seat` is None for a spectator."""

    campaign: str
    status: Status
    seat: str | None
    kit: Kit
    seen: int = 0
    """Up to this event the reader was shown the messages to him."""

    @cached_property
    def teller(self) -> Teller:
        """Tells names and facts in the reader's language, and moments by his clock."""
        return Teller(self.kit, language().code, zone=zone())

    @property
    def powers(self) -> list[str]:
        """The powers of the reader's seat."""
        return list(self.status.seats[self.seat]["powers"]) if self.seat else []

    def gather(self, *, forms: bool = False) -> Page:
        """All that the reader meets of the campaign; `status` is then of the same moment."""
        page = service().page(self.campaign, self.seat, language().code, forms=forms)
        self.status = page.status
        return page

    def unread(self) -> list[dict[str, Any]]:
        """The messages that came since the reader last looked at his messages, in whatever browser."""
        return service().press(self.campaign, self.seat, self.seen) if self.seat else []

    def has_seen(self) -> None:
        """The reader is shown all messages to him now."""
        if self.seat is not None and (unread := self.unread()):
            self.seen = unread[-1]["event"]
            service().has_seen(self.campaign, self.seat, self.seen)

    def render(self, template: str, title: str, **values: Any) -> str:
        """A page in the campaign's frame."""
        g.teller = self.teller
        common = {
            "status": self.status, "seat": self.seat, "powers": self.powers, "kit": self.kit, "page_title": title,
            "game_title": self.kit.title(language().code), "states": state_words(), "tabs": self._tabs(), "tab": "",
            "unread": sum(message["sender"] != self.seat for message in self.unread()),
        }  # fmt: skip
        return render_template(f"web/{template}.html.j2", **{**common, **values})

    def _tabs(self) -> list[tuple[str, str]]:
        _ = language().text
        public = [("public.spectate", _("As all see it")), ("story.ledger", _("Ledger")), ("story.points", _("Points"))]
        if self.seat is None:
            return public
        return [
            ("seats.page", _("Play")), ("seats.press", _("Messages")), ("seats.standing", _("Standing orders")),
            *public[1:], ("seats.settings", _("Settings")), public[0],
        ]  # fmt: skip


def _language_of(player: dict[str, Any], status: Status, seat: str) -> str:
    """The language of a player's pages. Who has only been invited, in the language that an invitation has if nobody
    says another, reads in the one that his browser asks for."""
    is_invited = status.state == "inviting" and not status.seats[seat]["accepted"]
    if is_invited and not player["language_chosen"] and player["language"] == SOURCE:
        return asked_for(player["language"])
    return str(player["language"])


def open_campaign(campaign: str, *, for_player: bool = False) -> CampaignPage:
    """The page of a campaign for whoever reads it.

    Ends with the same `nothing_here` for a campaign that is not there, one that spectators may not see, and (where
    `for_player`) a reader who has no seat in it.
    """
    seat = signed_in_seat(campaign)
    if seat is None and for_player:
        nothing_here()
    try:
        status = service().status(campaign, seat)
        kit = service().kit_of(campaign)
    except NoCampaign:
        nothing_here()
    if seat is None and status.policy.get("spectators") == "no":
        nothing_here()
    if seat is not None:
        player = service().player(campaign, seat)
        if player is not None:
            read_as(_language_of(player, status, seat), player["timezone"])
            g.seen = player["seen"]  # what a page shows hangs on it (`pbem.web.unchanged`)
    return CampaignPage(campaign, status, seat, kit, g.get("seen", 0))
