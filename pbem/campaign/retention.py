"""How long the service keeps what people wrote to it: a sweep forgets mails and lines that are older than configured.

What was accepted stands in the streams, sealed for its sender, and stays; so do refused orders, which are events too.
What goes here are the mails as they came in and went out, and the lines of submissions with their answers.
"""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, or_, select, update

from pbem.campaign.clock import Clock, stamp
from pbem.campaign.notices import APART
from pbem.campaign.settings import Settings
from pbem.campaign.store import Store
from pbem.campaign.tables import NEW, SET_ASIDE

OVER = ("sent", "void", "failed")
"""The states of a message of the outbox that is kept as a copy alone."""


def sweep(store: Store, clock: Clock, settings: Settings) -> int:
    """Forget what is older than is configured; returns how many mails and submissions that were. Safe to run twice.

    What waits to be taken up or to be sent, and what was set aside for a moderator, is kept whatever its age.
    """
    done = 0
    if settings.keep_mails_days:
        done += _forget_mails(store, stamp(clock.now() - timedelta(days=settings.keep_mails_days)))
    if settings.keep_lines_days:
        done += _forget_lines(store, stamp(clock.now() - timedelta(days=settings.keep_lines_days)))
    return done


def _forget_mails(store: Store, before: str) -> int:
    t = store.tables
    needed = select(t.inbox.c.raw).where(t.inbox.c.raw.is_not(None), t.inbox.c.state.in_([NEW, SET_ASIDE]))
    with store.write() as connection:
        come_in = connection.execute(
            update(t.raws)
            .where(t.raws.c.received_at < before, t.raws.c.content != b"", t.raws.c.number.not_in(needed))
            .values(content=b"")
        )
        strays = connection.execute(delete(t.strays).where(t.strays.c.received_at < before))
        gone_out = connection.execute(
            update(t.outbox)
            .where(t.outbox.c.created_at < before, t.outbox.c.state.in_(OVER), t.outbox.c.rendered.is_not(None))
            .values(rendered=None)
        )
        connection.execute(
            update(t.outbox)
            .where(t.outbox.c.created_at < before, t.outbox.c.state.in_(OVER), t.outbox.c.kind.in_(APART))
            .values(data="{}")
        )
    return come_in.rowcount + strays.rowcount + gone_out.rowcount


def _forget_lines(store: Store, before: str) -> int:
    t = store.tables.inbox
    with store.write() as connection:
        return connection.execute(
            update(t)
            .where(t.c.received_at < before, t.c.state == "done", or_(t.c.lines != "[]", t.c.answer.is_not(None)))
            .values(lines="[]", answer=None, remote=None)
        ).rowcount
