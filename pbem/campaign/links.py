"""Links on demand: a player who has none at hand gets those of his seats by mail, at the address he plays from; a
moderator gets one that logs him in, once."""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Connection, delete, insert, select

from pbem.campaign.clock import stamp
from pbem.campaign.moderators import LINK_LIFE, Moderators
from pbem.campaign.notices import DESK_LINK, HOUSE, MODERATOR
from pbem.campaign.people import known_as
from pbem.campaign.vault import token_hash

if TYPE_CHECKING:
    from pbem.campaign.service import Service

KIND = "link"
PAUSE = timedelta(minutes=5)
"""A seat, or a moderator, gets no second link within this time, so that nobody can fill another's mailbox."""


def seat_link(site: str, campaign: str, token: str) -> str:
    """The secret address of a seat's page, which signs the browser in that opens it."""
    return f"{site.rstrip('/')}/c/{campaign}/enter/{token}"


def address_link(site: str, token: str) -> str:
    """The secret address of the page by which somebody shows that an address is his, the old one or the new."""
    return f"{site.rstrip('/')}/address/enter/{token}"


def send_links(service: Service, address: str) -> int:
    """Put a mail with its link into the outbox for each seat that is played from an address; returns how many.

    Tell nobody the number: it says whether the address is known.
    """
    t, now = service.store.tables, service.clock.now()
    wanted = known_as(address)
    if not wanted or not wanted.isprintable():
        return 0
    with service.store.write() as connection:
        seats = connection.execute(
            select(t.sittings.c.campaign, t.sittings.c.seat)
            .join(t.persons, t.persons.c.person == t.sittings.c.person)
            .join(t.campaigns, t.campaigns.c.campaign == t.sittings.c.campaign)
            .where(t.persons.c.known_as == wanted, t.sittings.c.until.is_(None), t.campaigns.c.state != "archived")
        ).all()
        sent = 0
        for campaign, seat in seats:
            if _is_recent(service, connection, campaign, seat, KIND):
                continue
            event = service.store.last_event(campaign)
            connection.execute(insert(t.outbox).values(
                campaign=campaign, seat=seat, kind=KIND, first_event=event, last_event=event, inbox=None, press=None,
                data="{}", state="pending", created_at=stamp(now), not_before=None, attempts=0,
                message_id=f"<{campaign}.{KIND}.{seat}.{secrets.token_hex(8)}@{service.settings.domain}>",
            ))  # fmt: skip
            sent += 1
    return sent


def send_desk_link(service: Service, text: str) -> int:
    """Put a mail with a link to log in with into the outbox for each moderator of this name or address; returns how
    many. Tell nobody the number."""
    t, now = service.store.tables, service.clock.now()
    reached = Moderators(service.store).reached_by(text)
    with service.store.write() as connection:
        connection.execute(delete(t.desk_links).where(t.desk_links.c.expires_at <= stamp(now)))
        sent = 0
        for one in reached:
            seat = f"{MODERATOR}.{one.name}"
            if _is_recent(service, connection, HOUSE, seat, DESK_LINK):
                continue
            token = secrets.token_hex(20)
            connection.execute(insert(t.desk_links).values(
                hash=token_hash(token), moderator=one.name, generation=one.generation,
                expires_at=stamp(now + LINK_LIFE),
            ))  # fmt: skip
            encrypted = service.vault.seal(token.encode()).decode()
            said = {"name": one.name, "sealed": encrypted, "asked_at": stamp(now), "minutes": LINK_LIFE.seconds // 60}
            connection.execute(insert(t.outbox).values(
                campaign=HOUSE, seat=seat, kind=DESK_LINK, first_event=0, last_event=0, inbox=None, press=None,
                data=json.dumps(said), state="pending", created_at=stamp(now), not_before=None,
                attempts=0, message_id=f"<desk-link.{secrets.token_hex(8)}@{service.settings.domain}>",
            ))  # fmt: skip
            sent += 1
    return sent


def _is_recent(service: Service, connection: Connection, campaign: str, seat: str, kind: str) -> bool:
    """Whether such a link was asked for a moment ago."""
    box = service.store.tables.outbox
    recent = select(box.c.number).where(
        box.c.campaign == campaign, box.c.seat == seat, box.c.kind == kind,
        box.c.created_at > stamp(service.clock.now() - PAUSE),
    ).limit(1)  # fmt: skip
    return connection.execute(recent).scalar() is not None
