"""Links on demand: a player who has none at hand gets those of his seats by mail, at the address he plays from."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select

from pbem.campaign.clock import stamp

if TYPE_CHECKING:
    from pbem.campaign.service import Service

KIND = "link"
PAUSE = timedelta(minutes=5)
"""A seat gets no second link within this time, so that nobody can fill another's mailbox."""


def seat_link(site: str, campaign: str, token: str) -> str:
    """The secret address of a seat's page, which signs the browser in that opens it."""
    return f"{site.rstrip('/')}/c/{campaign}/enter/{token}"


def send_links(service: Service, address: str) -> int:
    """Put a mail with its link into the outbox for each seat that is played from an address; returns how many.

    Tell nobody the number: it says whether the address is known.
    """
    t, now = service.store.tables, service.clock.now()
    wanted = address.strip().lower()
    if not wanted:
        return 0
    with service.store.write() as connection:
        seats = connection.execute(
            select(t.players.c.campaign, t.players.c.seat)
            .join(t.campaigns, t.campaigns.c.campaign == t.players.c.campaign)
            .where(func.lower(t.players.c.address) == wanted, t.campaigns.c.state != "archived")
        ).all()
        sent = 0
        for campaign, seat in seats:
            recent = select(t.outbox.c.number).where(
                t.outbox.c.campaign == campaign, t.outbox.c.seat == seat, t.outbox.c.kind == KIND,
                t.outbox.c.created_at > stamp(now - PAUSE),
            ).limit(1)  # fmt: skip
            if connection.execute(recent).scalar() is not None:
                continue
            event = service.store.last_event(campaign)
            connection.execute(insert(t.outbox).values(
                campaign=campaign, seat=seat, kind=KIND, first_event=event, last_event=event, inbox=None, press=None,
                data="{}", state="pending", created_at=stamp(now), not_before=None, attempts=0,
                message_id=f"<{campaign}.{KIND}.{seat}.{secrets.token_hex(8)}@{service.settings.domain}>",
            ))  # fmt: skip
            sent += 1
    return sent
