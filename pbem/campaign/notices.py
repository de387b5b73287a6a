"""What moderators are told, and who they are: the address of the settings, and the accounts that run a campaign.

A message to moderators is a row of the outbox for each of them. Its seat is `MODERATOR` for the address of the
settings, ``moderator.<name>`` for an account. What comes of an event (``held, set_aside, declined``) is written by the
read models. What lies beside the stream is told by `tell`, the same thing once a day at most:

``fault``     the program cannot go on with a campaign
``bounced``   a mail of a campaign came back, or a program answers its mails, or sends without end
``way_down``  a way in has been down so long that deadlines wait for it

Who loses a seat, or an invitation to one, is told so (``farewell``): his message, to the seat `former` names, holds
itself where it goes, since the seat is another's by then. So do the messages of a change of address
(`pbem.campaign.new_address`): ``address_asked`` to the old one, then ``new_address`` to the new, ``address_left`` to
the old.

Beside these an account gets the link to log in with that was asked for (``desk_link``, see `pbem.campaign.links`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, insert, select

from pbem.campaign.clock import stamp
from pbem.campaign.store import Store

MODERATOR = "moderator"
HOUSE = "postmaster"
"""Stands for the campaign in a message that concerns several, or none."""

FORMER = "former"
FAREWELL = "farewell"
ADDRESS_ASKED, NEW_ADDRESS, ADDRESS_LEFT = "address_asked", "new_address", "address_left"
APART = (FAREWELL, ADDRESS_ASKED, NEW_ADDRESS, ADDRESS_LEFT)
"""The messages that hold themselves where they go."""
FAULT, BOUNCED, WAY_DOWN, DESK_LINK = "fault", "bounced", "way_down", "desk_link"


def is_moderator(seat: str) -> bool:
    """Whether a message is for a moderator."""
    return seat == MODERATOR or seat.startswith(f"{MODERATOR}.")


def is_former(seat: str) -> bool:
    """Whether a message is for somebody who has lost his seat."""
    return seat.startswith(f"{FORMER}.")


def farewell(
    domain: str, now: datetime, campaign: str, seat: str, generation: int, player: Mapping[str, Any], reason: str, *,
    vacated: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """The row of the outbox that tells a player (as `Service.player` has him) that his seat is no longer his.

    `generation` is that of his token, so that he is told once.
    """
    said = {key: player[key] for key in ("name", "address", "language", "timezone")}
    said |= {"reason": reason, "vacated": vacated}
    to = f"{FORMER}.{seat}.{generation}"
    return {
        "campaign": campaign, "seat": to, "kind": FAREWELL, "first_event": 0, "last_event": 0, "inbox": None,
        "press": None, "data": json.dumps(said), "message_id": f"<{FAREWELL}.{campaign}.{to}@{domain}>",
        "state": "pending", "created_at": stamp(now), "not_before": None, "attempts": 0,
    }  # fmt: skip


def lapse(
    domain: str, now: datetime, campaign: str, event: int, seat: str, said: Mapping[str, Any]
) -> dict[str, Any]:
    """The row of the outbox that tells a moderator who missed a deadline; `event` is the last before it was dealt with.
    """
    deadline = str(said["deadline"]).replace(":", "").replace("+", "-")
    message_id = f"<{campaign}.{event}.{deadline}.missed.{seat}@{domain}>"
    return {
        "campaign": campaign, "seat": seat, "kind": "missed", "first_event": event, "last_event": event, "inbox": None,
        "press": None, "data": json.dumps(said), "message_id": message_id,
        "state": "pending", "created_at": stamp(now), "not_before": None, "attempts": 0,
    }  # fmt: skip


def flood(
    domain: str, now: datetime, campaign: str, seat: str, day: str, to: str, said: Mapping[str, Any]
) -> dict[str, Any]:
    """The row of the outbox that tells a moderator that no more refused orders of a seat are put on record in a day."""
    return {
        "campaign": campaign, "seat": to, "kind": BOUNCED, "first_event": 0, "last_event": 0, "inbox": None,
        "press": None, "data": json.dumps(said), "message_id": f"<{campaign}.flood.{seat}.{day}.{to}@{domain}>",
        "state": "pending", "created_at": stamp(now), "not_before": None, "attempts": 0,
    }  # fmt: skip


def account_of(seat: str) -> str | None:
    """The name of the account that a message to a moderator is for; None for the address of the settings."""
    return seat.partition(".")[2] or None


def moderators_of(store: Store, connection: Connection, campaign: str) -> list[str]:
    """The seats of all moderators of a campaign: nobody twice, and those alone who can be written to."""
    accounts, running = store.tables.moderators, store.tables.moderated
    rows = connection.execute(
        select(accounts.c.name, accounts.c.address)
        .join(running, running.c.moderator == accounts.c.name)
        .where(running.c.campaign == campaign, accounts.c.address != "")
        .order_by(accounts.c.name)
    )
    by_address = {row.address.strip().lower(): row.name for row in rows}
    return [MODERATOR, *(f"{MODERATOR}.{name}" for name in sorted(by_address.values()))]


def address_of(store: Store, seat: str, own: str) -> str:
    """Where a moderator is written to; "" for nowhere. `own`, the address of the settings, gets its own copy."""
    name = account_of(seat)
    if name is None:
        return own
    accounts = store.tables.moderators
    with store.read() as connection:
        address = connection.execute(select(accounts.c.address).where(accounts.c.name == name)).scalar() or ""
    return "" if address.strip().lower() == own.strip().lower() else address


def tell(
    store: Store, domain: str, now: datetime, kind: str, campaign: str, data: Mapping[str, Mapping[str, Any]]
) -> int:
    """Put a message to moderators into the outbox; returns to how many. The same kind of the same campaign goes out
    once a day.

    `data`: seat -> what its message says.
    """
    box, told = store.tables.outbox, 0
    for seat, said in data.items():
        message_id = f"<{kind.replace('_', '-')}.{campaign}.{now:%Y-%m-%d}.{seat}@{domain}>"
        with store.read() as connection:
            if connection.execute(select(box.c.number).where(box.c.message_id == message_id)).scalar() is not None:
                continue
        row = {
            "campaign": campaign, "seat": seat, "kind": kind, "first_event": 0, "last_event": 0, "inbox": None,
            "press": None, "data": json.dumps(said), "message_id": message_id, "state": "pending",
            "created_at": stamp(now), "not_before": None, "attempts": 0,
        }  # fmt: skip
        try:
            with store.write() as connection:
                connection.execute(insert(box).values(row))
        except sqlalchemy.exc.IntegrityError:
            continue  # another process has told it
        told += 1
    return told


def tell_of_campaign(
    store: Store, domain: str, now: datetime, kind: str, campaign: str, data: Mapping[str, Any]
) -> int:
    """`tell` all moderators of a campaign the same."""
    with store.read() as connection:
        seats = moderators_of(store, connection, campaign)
    return tell(store, domain, now, kind, campaign, dict.fromkeys(seats, data))


def tell_of_ways(
    store: Store, domain: str, now: datetime, ways: Mapping[str, str], waiting: Mapping[str, str]
) -> int:
    """Tell every moderator which of his campaigns wait for a way in that is down.

    `ways`: way -> when it was last open; `waiting`: campaign -> its deadline.
    """
    accounts, running = store.tables.moderators, store.tables.moderated
    mine: dict[str, list[str]] = {MODERATOR: sorted(waiting)}
    with store.read() as connection:
        rows = connection.execute(
            select(running.c.moderator, running.c.campaign)
            .join(accounts, accounts.c.name == running.c.moderator)
            .where(running.c.campaign.in_(list(waiting)), accounts.c.address != "")
            .order_by(running.c.moderator, running.c.campaign)
        )
        for row in rows:
            mine.setdefault(f"{MODERATOR}.{row.moderator}", []).append(row.campaign)
    data = {
        seat: {"ways": dict(ways), "campaigns": ids[:50], "number": len(ids),
               "since": min(waiting[one] for one in ids)}
        for seat, ids in mine.items()
    }  # fmt: skip
    return tell(store, domain, now, WAY_DOWN, HOUSE, data)


__all__ = [
    "DESK_LINK", "HOUSE", "MODERATOR", "is_moderator", "moderators_of", "tell", "tell_of_campaign",
]  # fmt: skip
