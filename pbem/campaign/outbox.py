"""The outbox: what is to be sent to whom. The campaign writes intents; the mail room renders each once and sends it.

Table ``outbox``, one row for each message to one seat (or to a moderator, whose seats `pbem.campaign.notices` tells):

``number``
    primary key.
``campaign, seat, kind``
    kinds: see `pbem.campaign.messages`.
``first_event, last_event``
    the range of events it tells of. While a ``report`` is ``pending``, later events join it: one mail instead of many.
``inbox``
    for ``answer``: the number in the campaign's inbox; `Service.answer` gives the answer (a refusal is one too).
``press``
    for ``press``: the commitment, which is the key of its row in table ``press`` (`press_of`).
``data``
    JSON: the small things of the event's public part (reason, deadline, until, missed, hours, ...).
``message_id``
    stable: made from campaign, kind, seat and event, so the same message never gets another one.
``state``
    ``pending`` -> ``claimed`` -> ``rendered`` -> ``sent``; or ``void`` (overtaken: the question was answered before it
    went out), ``failed`` (given up after `MOST_ATTEMPTS`; the moderator's desk shows it and can `retry`).
``not_before, attempts, next_attempt, claimed_until, error, sent_at, created_at``
    the rhythm: `not_before` is set for daily digests and reports that gather (`GATHERING`); a claim runs out by itself
    when its process dies.
``rendered``
    the whole message, stored before the first attempt, so that every attempt sends the same (one that is refused for
    its size is stored anew without its picture). Its pictures lie apart,
    each once for all messages that hold it (`pbem.campaign.enclosures`); a `Message` has the whole again.

Use (`pbem.mail.outbound`): claim with `claim_due`; put the messages of one seat that fall together into one mail and
keep it with `store_rendered`, which lays the others aside in the same transaction, so that nobody is told twice
whatever happens; send; `mark_sent`, `mark_failed`, or `postpone` when nothing can go out. Two kinds come from the mail
room itself, already rendered: ``webhook`` (the JSON of a "your move") and ``stray`` (an answer to a mail of no seat;
its seat is "").
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Select, case, func, insert, or_, select, tuple_, update

from pbem.campaign import enclosures
from pbem.campaign.clock import stamp
from pbem.campaign.store import Store
from pbem.campaign.tables import OPEN, PENDING
from pbem.campaign.vault import SecretLost

CLAIM_SECONDS = 120
"""As long is a message kept from others by a process that died; a living one goes on renewing its claims."""
MOST_ATTEMPTS = 18  # over four days, see RFC 5321 section 4.5.4.1
LONGEST_WAIT = timedelta(hours=12)
WEBHOOK, WEBHOOK_OFF = "webhook", "webhook_off"
GATHERING = '{"gathering": true}'
"""The data of a report that waits for what follows (`not_before`), but goes with any other mail to its reader."""
WEBHOOK_FAILURES = 5
"""After as many in a row a webhook is switched off, and its player told by mail."""


@dataclass(frozen=True)
class Message:
    """A row of the outbox; see the module's text."""

    number: int
    campaign: str
    seat: str
    kind: str
    first_event: int
    last_event: int
    inbox: int | None
    press: str | None
    data: dict[str, Any]
    message_id: str
    state: str
    created_at: str
    attempts: int
    rendered: bytes | None
    error: str | None = None
    sent_at: str | None = None


def claim_due(
    store: Store, now: datetime, limit: int = 100, seconds: int = CLAIM_SECONDS, *, webhooks: bool | None = None
) -> list[Message]:
    """Take messages that are due for this process alone; they come by campaign and seat, oldest first.

    A claim ends by `mark_sent` or `mark_failed`, or by itself after some seconds unless it is renewed (`renew`).
    `webhooks`: only these, only all others, or (None) both. Claims and attempts so far in the future that none of ours
    reaches there are not believed: the clock was ahead when they were written.
    """
    box = store.tables.outbox
    moment, no_claim, no_attempt = stamp(now), stamp(now + LONGEST_WAIT), stamp(now + 2 * LONGEST_WAIT)
    due = [
        box.c.state.in_(OPEN),
        or_(box.c.not_before.is_(None), box.c.not_before <= moment),
        or_(box.c.next_attempt.is_(None), box.c.next_attempt <= moment, box.c.next_attempt > no_attempt),
        or_(box.c.claimed_until.is_(None), box.c.claimed_until <= moment, box.c.claimed_until > no_claim),
    ]
    if webhooks is not None:
        due.append(box.c.kind == WEBHOOK if webhooks else box.c.kind != WEBHOOK)
    with store.write() as connection:
        numbers = _locked(store, connection, select(box.c.number).where(*due).order_by(box.c.number).limit(limit))
        if not numbers:
            return []
        if webhooks is not True:
            numbers += _gathered_for(store, connection, numbers)
        until = stamp(now + timedelta(seconds=seconds))
        connection.execute(
            update(box).where(box.c.number.in_(numbers), box.c.state == "pending").values(state="claimed")
        )
        connection.execute(update(box).where(box.c.number.in_(numbers)).values(claimed_until=until))
        rows = connection.execute(
            select(box).where(box.c.number.in_(numbers)).order_by(box.c.campaign, box.c.seat, box.c.number)
        ).all()
        return _messages(store, connection, rows)


def _locked(store: Store, connection: Connection, numbers: Select[Any]) -> list[int]:
    """The numbers of messages that no other process is about to claim."""
    wanted = numbers.with_for_update(skip_locked=True) if store.postgres else numbers
    return list(connection.execute(wanted).scalars())


def _gathered_for(store: Store, connection: Connection, numbers: Sequence[int]) -> list[int]:
    """The reports that wait for more and are for readers to whom these messages go: they need wait no longer."""
    box = store.tables.outbox
    readers = select(box.c.campaign, box.c.seat).where(box.c.number.in_(numbers), box.c.kind != WEBHOOK)
    waiting = select(box.c.number).where(
        box.c.state == PENDING, box.c.data == GATHERING, box.c.number.not_in(numbers),
        tuple_(box.c.campaign, box.c.seat).in_(readers),
    )  # fmt: skip
    return _locked(store, connection, waiting)


def renew(store: Store, numbers: Sequence[int], claimed: datetime, until: datetime) -> set[int]:
    """Keep claims that run to `claimed` until a later time; returns those still ours, for some may have run out
    and been taken by another process."""
    box = store.tables.outbox
    mine = [box.c.number.in_(numbers), box.c.claimed_until == stamp(claimed)]
    with store.write() as connection:
        changed = update(box).where(*mine).values(claimed_until=stamp(until)).returning(box.c.number)
        return set(connection.execute(changed).scalars())


def store_rendered(
    store: Store, message: Message, rendered: bytes, now: datetime, *, aside: Sequence[int] = (),
    webhook: bytes | None = None, told: int | None = None,
) -> bool:
    """Keep the whole message before the first attempt to send it; False when somebody else has kept one already.

    `aside` are messages that it tells as well, or that are overtaken: they become ``void`` with it. `webhook` is what
    the player's webhook is to be sent; it becomes a message of its own. `told` is the event after which it tells
    its player of the board.
    """
    box, sittings = store.tables.outbox, store.tables.sittings
    with store.write() as connection:
        kept = connection.execute(
            update(box).where(box.c.number == message.number, box.c.state == "claimed").values(state="rendered")
        )
        if kept.rowcount != 1:
            return False
        packed = enclosures.keep(store, connection, message.number, rendered, now)
        connection.execute(update(box).where(box.c.number == message.number).values(rendered=packed))
        if aside:
            connection.execute(
                update(box).where(box.c.number.in_(aside)).values(
                    state="void", claimed_until=None, error=f"told with message {message.number}, or overtaken"
                )
            )
        if told is not None:
            here = (sittings.c.campaign == message.campaign, sittings.c.seat == message.seat)
            connection.execute(update(sittings).where(*here, sittings.c.until.is_(None)).values(told=told))
        if webhook is not None:
            id = message.message_id.replace("<", "<webhook.", 1)
            connection.execute(insert(box).values(_rendered_row(
                store, message.campaign, message.seat, WEBHOOK, id, webhook, message.created_at, message.first_event,
                message.last_event,
            )))
    return True


def store_smaller(store: Store, number: int, rendered: bytes, now: datetime) -> None:
    """Keep another form of a message of which no server took the first: from now on this one is sent."""
    box = store.tables.outbox
    with store.write() as connection:
        packed = enclosures.keep(store, connection, number, rendered, now)
        connection.execute(update(box).where(box.c.number == number).values(rendered=packed))


def add_rendered(
    connection: Any, store: Store, campaign: str, kind: str, message_id: str, rendered: bytes, now: datetime
) -> None:
    """Put a message of the mail room's own into the outbox, in a transaction that is open."""
    row = _rendered_row(store, campaign, "", kind, message_id, rendered, stamp(now))
    connection.execute(insert(store.tables.outbox).values(row))


def _rendered_row(store: Store, campaign: str, seat: str, kind: str, message_id: str, rendered: bytes, created_at: str,
                  first_event: int = 0, last_event: int = 0) -> dict[str, Any]:
    return {
        "campaign": campaign, "seat": seat, "kind": kind, "first_event": first_event, "last_event": last_event,
        "inbox": None, "press": None, "data": "{}", "message_id": message_id, "state": "rendered",
        "created_at": created_at, "not_before": None, "attempts": 0, "rendered": store.vault.lay_by(rendered),
    }  # fmt: skip


def postpone(store: Store, numbers: Sequence[int], until: datetime, error: str | None = None) -> None:
    """Give claims back without an attempt: the way out is closed for all messages, or the process ends."""
    box = store.tables.outbox
    values: dict[str, Any] = {"claimed_until": None, "next_attempt": stamp(until)}
    if error is not None:
        values["error"] = error[:500]
    with store.write() as connection:
        connection.execute(update(box).where(box.c.number.in_(numbers)).values(**values))


def render_again(store: Store, number: int) -> None:
    """Forget how a message was rendered: the seat has another player since."""
    box = store.tables.outbox
    with store.write() as connection:
        connection.execute(update(box).where(box.c.number == number).values(rendered=None, state="claimed"))


def mark_sent(store: Store, numbers: Sequence[int], now: datetime) -> None:
    """The messages were accepted by the next mail server (or went out with another one)."""
    box = store.tables.outbox
    with store.write() as connection:
        connection.execute(
            update(box).where(box.c.number.in_(numbers)).values(
                state="sent", sent_at=stamp(now), claimed_until=None, next_attempt=None, error=None
            )
        )


def mark_failed(store: Store, number: int, error: str, now: datetime, *, for_good: bool = False) -> None:
    """An attempt failed: the next one comes after a minute, then twice as long each time, at last every 12 hours.

    After `MOST_ATTEMPTS`, or `for_good` (the address is refused), it is given up and shown to the moderator.
    """
    box = store.tables.outbox
    with store.write() as connection:
        attempts = connection.execute(
            update(box).where(box.c.number == number).values(attempts=box.c.attempts + 1).returning(box.c.attempts)
        ).scalar_one()
        wait = min(timedelta(minutes=2 ** (attempts - 1)), LONGEST_WAIT)
        values: dict[str, Any] = {"claimed_until": None, "error": error[:500], "next_attempt": stamp(now + wait)}
        if for_good or attempts >= MOST_ATTEMPTS:
            values |= {"state": "failed", "next_attempt": None}
        connection.execute(update(box).where(box.c.number == number).values(**values))


def retry(store: Store, number: int) -> bool:
    """Let a message that was given up be tried again; False when it was not given up."""
    box = store.tables.outbox
    with store.write() as connection:
        changed = connection.execute(
            update(box).where(box.c.number == number, box.c.state == "failed").values(
                state=case((box.c.rendered.is_(None), "pending"), else_="rendered"), attempts=0, next_attempt=None,
                claimed_until=None,
            )
        )
    return changed.rowcount == 1


def void(store: Store, numbers: Sequence[int], why: str) -> None:
    """The messages need not go out any more (the mail room found them overtaken)."""
    box = store.tables.outbox
    with store.write() as connection:
        connection.execute(
            update(box).where(box.c.number.in_(numbers)).values(state="void", claimed_until=None, error=why[:500])
        )


def give_up_webhook(store: Store, campaign: str, seat: str, now: datetime, domain: str) -> bool:
    """Switch a seat's webhook off when it has failed so often since it was last reached; its player is told by mail.

    Returns whether it was switched off.
    """
    box, sittings = store.tables.outbox, store.tables.sittings
    mine = [box.c.campaign == campaign, box.c.seat == seat, box.c.kind == WEBHOOK]
    good = select(func.coalesce(func.max(box.c.number), 0)).where(*mine, box.c.state.in_(["sent", "void"]))
    event = store.last_event(campaign)
    with store.write() as connection:
        last = connection.execute(good).scalar_one()
        tried = [*mine, box.c.number > last]
        number, failures = connection.execute(
            select(func.max(box.c.number), func.coalesce(func.sum(box.c.attempts), 0)).where(*tried)
        ).one()
        if failures < WEBHOOK_FAILURES:
            return False
        whose = [sittings.c.campaign == campaign, sittings.c.seat == seat, sittings.c.until.is_(None)]
        connection.execute(update(sittings).where(*whose).values(webhook=None))
        connection.execute(
            update(box).where(*tried).values(state="void", claimed_until=None, error="the webhook is switched off")
        )
        connection.execute(insert(box).values({
            "campaign": campaign, "seat": seat, "kind": WEBHOOK_OFF, "first_event": event, "last_event": event,
            "inbox": None, "press": None, "data": json.dumps({"failures": failures}), "state": "pending",
            "message_id": f"<{campaign}.webhook-off-{number}.{seat}@{domain}>", "created_at": stamp(now),
            "not_before": None, "attempts": 0,
        }))  # fmt: skip
    return True


def messages(store: Store, campaign: str | None = None, state: str | None = None, limit: int = 200) -> list[Message]:
    """The newest messages as they are stored, newest first."""
    box = store.tables.outbox
    statement = select(box).order_by(box.c.number.desc()).limit(limit)
    if campaign is not None:
        statement = statement.where(box.c.campaign == campaign)
    if state is not None:
        statement = statement.where(box.c.state == state)
    with store.read() as connection:
        return _messages(store, connection, connection.execute(statement).all())


def press_of(store: Store, campaign: str, commitment: str) -> dict[str, Any] | None:
    """A press message: ``{sender, from, to, seats, text, sent_at, event, shown}``; the text is None when it was erased,
    ``shown`` where it shows nothing (`pbem.campaign.life.show`)."""
    press = store.tables.press
    with store.read() as connection:
        row = connection.execute(
            select(press).where(press.c.campaign == campaign, press.c.commitment == commitment)
        ).one_or_none()
    if row is None:
        return None
    whom = json.loads(row.recipients)
    return {"sender": row.sender, "from": whom["from"], "to": whom["powers"], "seats": whom["seats"], "text": row.text,
            "sent_at": row.sent_at, "event": row.event, "shown": whom.get("shown"), "commitment": commitment,
            "salt": row.salt}


def _data(store: Store, text: str) -> dict[str, Any]:
    """The small things of a message, with the token that was sealed in them."""
    data = json.loads(text)
    if "sealed" in data:
        with suppress(SecretLost):
            data["token"] = store.vault.open(data.pop("sealed").encode()).decode()
    return data


def _messages(store: Store, connection: Connection, rows: Sequence[Any]) -> list[Message]:
    rendered = enclosures.whole(store, connection, rows)
    return [
        Message(
            row.number, row.campaign, row.seat, row.kind, row.first_event, row.last_event, row.inbox, row.press,
            _data(store, row.data), row.message_id, row.state, row.created_at, row.attempts, rendered.get(row.number),
            row.error, row.sent_at,
        )
        for row in rows
    ]  # fmt: skip
