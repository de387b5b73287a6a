"""The same orders twice, since the answer was late: a mail that was written again acts once.

A mail equal in its lines to an accepted one of the same seat is a repeat where its writer could not know what came of
that one: it replies to a mail of ours that is older than what the first caused. A mail that replies to none of ours
counts as a reply to whatever had left for its seat when it came, for an `HOUR`. All of it is read from the store: the
inbox, the raw mail's own headers, and the outbox. Whoever means the orders once more adds a line AGAIN, or replies to
the newer mail.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import timedelta
from email.parser import BytesHeaderParser

from sqlalchemy import select

from pbem.campaign.clock import moment
from pbem.campaign.store import Store
from pbem.campaign.vault import SecretLost

HOUR = timedelta(hours=1)
"""How long after an accepted mail an equal one that replies to nothing may be a repeat of it."""

LOOKED_AT = 20
"""The mails of a seat, newest first, among which an equal one is looked for."""

_ID = re.compile(r"<[^<>\s]{1,300}>")
_TAKEN = ("accepted", "queued")


def earlier_mail(store: Store, campaign: str, number: int) -> str | None:
    """When the accepted mail came that the one of this number in the inbox repeats unawares; None for none."""
    t = store.tables.inbox
    with store.read() as connection:
        mail = connection.execute(
            select(t.c.seat, t.c.generation, t.c.received_at, t.c.lines, store.tables.raws.c.content)
            .join(store.tables.raws, t.c.raw == store.tables.raws.c.number)
            .where(t.c.campaign == campaign, t.c.number == number)
        ).one_or_none()
        if mail is None:
            return None
        same_seat = [t.c.campaign == campaign, t.c.seat == mail.seat, t.c.generation == mail.generation]
        before = connection.execute(
            select(t.c.number, t.c.received_at, t.c.lines, t.c.answer)
            .where(*same_seat, t.c.number < number, t.c.channel == "mail", t.c.answer.is_not(None))
            .order_by(t.c.number.desc())
            .limit(LOOKED_AT)
        ).all()
    said = _said(json.loads(mail.lines))
    for one in before:
        answer = json.loads(one.answer)
        if _said(json.loads(one.lines)) != said or not any(line["state"] in _TAKEN for line in answer["lines"]):
            continue
        known = _known_event(store, campaign, mail.seat, _replied_to(store, mail.content))
        if known is None:
            if moment(mail.received_at) - moment(one.received_at) > HOUR:
                return None
            known = _left_before(store, campaign, mail.seat, mail.received_at)
        return one.received_at if known < answer["event"] else None
    return None


def _said(lines: Sequence[str]) -> list[str]:
    """Lines as they are compared: neither case nor blanks count."""
    return [" ".join(line.split()).casefold() for line in lines if line.strip()]


def _replied_to(store: Store, content: bytes) -> list[str]:
    """The Message-IDs that a raw mail replies to, what it answers itself first."""
    try:
        headers = BytesHeaderParser().parsebytes(store.vault.take_out(content))
    except SecretLost:
        return []
    ids = _ID.findall(str(headers.get("In-Reply-To", "")))[:1]
    return ids + _ID.findall(str(headers.get("References", "")))[-5:][::-1]


def _known_event(store: Store, campaign: str, seat: str, replied: Sequence[str]) -> int | None:
    """The last event that the mail of ours tells of which was replied to; None where it is none of this seat's."""
    t = store.tables.outbox
    with store.read() as connection:
        for id in replied:
            ours = [t.c.message_id == id, t.c.campaign == campaign, t.c.seat == seat]
            event = connection.execute(select(t.c.last_event).where(*ours)).scalar()
            if event is not None:
                return event
    return None


def _left_before(store: Store, campaign: str, seat: str, received_at: str) -> int:
    """The last event of which a mail to a seat had left when another was received from it; 0 for none."""
    t = store.tables.outbox
    ours = [t.c.campaign == campaign, t.c.seat == seat, t.c.sent_at.is_not(None), t.c.sent_at < received_at]
    with store.read() as connection:
        event = connection.execute(
            select(t.c.last_event).where(*ours).order_by(t.c.last_event.desc()).limit(1)
        ).scalar()
    return event or 0
