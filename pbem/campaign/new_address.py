"""A person's address changes, in all his campaigns at once: by himself, who shows by two links that the old address and
the new one are his, or by a moderator.

Whoever has the link of a seat may ask for it, and a link is soon sent on by mistake. So nothing changes, and nothing
goes to the new address, before somebody who reads the old one has said yes. Who can no longer read it is the
moderator's case. What somebody wanted ends with any seat of his that he loses (`pbem.campaign.people.People.left`).

With the address his tokens change, so that whoever still reads the old mailbox has no way in: links, reply addresses
and sessions of before end, each of his seats gets a mail with its new link, and the old address is told, without a way
in. Nothing of this stands in a stream.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from pbem.campaign import guard, notices
from pbem.campaign.clock import Clock, stamp
from pbem.campaign.people import known_as, new_token
from pbem.campaign.store import Store
from pbem.campaign.vault import Vault, token_hash

LINK_LIFE = timedelta(days=1)
PAUSE = timedelta(minutes=5)
"""Within this time nobody has a second link sent, so that he cannot fill another's mailbox."""
MOVED = "moved"


class AddressTaken(ValueError):
    """The address is that of another person."""


@dataclass(frozen=True)
class Wanted:
    """An address that a person wants his mails at. `is_allowed`: he has said yes at the old one."""

    address: str
    is_allowed: bool


class NewAddresses:
    """How addresses change. `domain` is that of the service's mails."""

    def __init__(self, store: Store, vault: Vault, clock: Clock, domain: str):
        self.store, self.vault, self.clock, self.domain = store, vault, clock, domain

    def ask(self, campaign: str, seat: str, address: str) -> bool:
        """Whoever sits at a seat wants his mails at another address: a link goes to the one that they go to now.
        Returns whether it does; not where one was sent a moment ago. The last wish counts.

        Raises `ValueError` where nobody sits there, `pbem.campaign.guard.HoldsSecret` for an address that a seat
        writes to.
        """
        guard.check(self.store, address)
        t, now = self.store.tables, self.clock.now()
        asked, token, address = t.new_addresses, new_token(), address.strip()
        with self.store.write() as connection:
            connection.execute(delete(asked).where(asked.c.expires_at <= stamp(now)))
            him = self._who_sits(connection, t.sittings.c.campaign == campaign, t.sittings.c.seat == seat)
            mine = asked.c.person == him["person"]
            before = connection.execute(select(asked.c.asked_at).where(mine)).scalar()
            if before is not None and before > stamp(now - PAUSE):
                return False
            connection.execute(delete(asked).where(mine))
            connection.execute(insert(asked).values(
                person=him["person"], hash=_hash_at_old(token), address=address, asked_at=stamp(now),
                expires_at=stamp(now + LINK_LIFE),
            ))  # fmt: skip
            self._send_link(connection, now, him, notices.ADDRESS_ASKED, token, wanted=address)
        return True

    def wanted(self, token: str) -> Wanted | None:
        """What a link is about; None for a link that is used up, too old, or none."""
        asked = self.store.tables.new_addresses
        known = select(asked.c.address, asked.c.hash).where(
            asked.c.hash.in_([_hash_at_old(token), _hash_at_new(token)]), asked.c.expires_at > stamp(self.clock.now())
        )
        with self.store.read() as connection:
            row = connection.execute(known).one_or_none()
        return None if row is None else Wanted(row.address, is_allowed=row.hash == _hash_at_new(token))

    def allow(self, token: str) -> bool:
        """Say yes by the link that went to the old address: another goes to the new one. False for a link as in
        `wanted`, or one that went elsewhere."""
        t, now = self.store.tables, self.clock.now()
        asked, link = t.new_addresses, new_token()
        with self.store.write() as connection:
            row = connection.execute(
                update(asked).where(asked.c.hash == _hash_at_old(token), asked.c.expires_at > stamp(now))
                .values(hash=_hash_at_new(link), expires_at=stamp(now + LINK_LIFE))
                .returning(asked.c.person, asked.c.address)
            ).one_or_none()  # fmt: skip
            if row is None:
                return False
            him = self._who_sits(connection, t.sittings.c.person == row.person)
            self._send_link(connection, now, {**him, "address": row.address}, notices.NEW_ADDRESS, link)
        return True

    def stop(self, token: str) -> bool:
        """Say no by the link that went to the old address: all stays as it is. False as in `allow`."""
        asked = self.store.tables.new_addresses
        with self.store.write() as connection:
            return connection.execute(delete(asked).where(asked.c.hash == _hash_at_old(token))).rowcount == 1

    def confirm(self, token: str) -> bool:
        """Change the address by the link that went to the new one; False for a link as in `wanted`, or one that went
        elsewhere.

        Raises `AddressTaken`; then nothing has changed.
        """
        asked = self.store.tables.new_addresses
        with self.store.write() as connection:
            row = connection.execute(
                delete(asked)
                .where(asked.c.hash == _hash_at_new(token), asked.c.expires_at > stamp(self.clock.now()))
                .returning(asked.c.person, asked.c.address)
            ).one_or_none()
            if row is None:
                return False
            self._change(connection, row.person, row.address)
        return True

    def change(self, person: str, address: str) -> None:
        """Write to a person at another address from now on.

        Raises `AddressTaken`, `ValueError` for a person that there is not, and `pbem.campaign.guard.HoldsSecret` for an
        address that a seat writes to; then nothing has changed.
        """
        guard.check(self.store, address)
        with self.store.write() as connection:
            self._change(connection, person, address)

    def _change(self, connection: Connection, person: str, address: str) -> None:
        t, now, address = self.store.tables, self.clock.now(), address.strip()
        persons, sittings = t.persons, t.sittings
        him = persons.c.person == person
        before = connection.execute(select(persons).where(him, persons.c.known_as.is_not(None))).one_or_none()
        if before is None:
            raise ValueError("there is no such person")
        others = select(persons.c.person).where(persons.c.known_as == known_as(address), persons.c.person != person)
        if connection.execute(others).first() is not None:
            raise AddressTaken("the address is that of another person")
        connection.execute(update(persons).where(him).values(known_as=known_as(address), address=address))
        connection.execute(delete(t.new_addresses).where(t.new_addresses.c.person == person))
        seats = connection.execute(
            select(sittings.c.campaign, sittings.c.seat, sittings.c.name)
            .where(sittings.c.person == person, sittings.c.until.is_(None))
            .order_by(sittings.c.number.desc())
        ).all()
        for campaign, seat, _ in seats:
            self._renew_token(connection, now, campaign, seat)
            self._tell_seat(connection, now, campaign, seat)
        if seats and before.address:
            campaign, seat, name = seats[0]
            said = {name: getattr(before, name) for name in ("address", "language", "timezone")} | {"name": name}
            self._tell(connection, now, campaign, seat, notices.ADDRESS_LEFT, said)

    def _who_sits(self, connection: Connection, *where: Any) -> dict[str, Any]:
        """Who sits at a seat, and the seat; of a person's seats that which he took last."""
        p, s = self.store.tables.persons, self.store.tables.sittings
        row = connection.execute(
            select(p.c.person, p.c.address, s.c.name, p.c.language, p.c.timezone, s.c.campaign, s.c.seat)
            .select_from(s.join(p, p.c.person == s.c.person))
            .where(*where, s.c.until.is_(None))
            .order_by(s.c.number.desc())
            .limit(1)
        ).one_or_none()
        if row is None:
            raise ValueError("nobody sits there")
        return dict(row._mapping)

    def _send_link(
        self, connection: Connection, now: datetime, him: Mapping[str, Any], kind: str, token: str, **more: Any
    ) -> None:
        """A link to a person (see `_who_sits`), at the address that is given with him."""
        said = {name: him[name] for name in ("address", "name", "language", "timezone")}
        said |= {"sealed": self.vault.seal(token.encode()).decode(), **more}
        self._tell(connection, now, him["campaign"], him["seat"], kind, said)

    def _renew_token(self, connection: Connection, now: datetime, campaign: str, seat: str) -> None:
        """Another token for who sits at a seat, of the same generation: he stays who he is for the campaign."""
        tokens = self.store.tables.tokens
        mine = (tokens.c.campaign == campaign, tokens.c.seat == seat, tokens.c.active == 1)
        generation = connection.execute(select(tokens.c.generation).where(*mine)).scalar()
        if generation is None:
            return
        token = new_token()
        connection.execute(update(tokens).where(*mine).values(active=0, sealed=b""))
        connection.execute(insert(tokens).values(
            hash=token_hash(token), campaign=campaign, seat=seat, generation=generation,
            sealed=self.vault.seal(token.encode()), created_at=stamp(now), active=1,
        ))  # fmt: skip

    def _tell_seat(self, connection: Connection, now: datetime, campaign: str, seat: str) -> None:
        t = self.store.tables
        state, event = connection.execute(
            select(t.campaigns.c.state, t.campaigns.c.event).where(t.campaigns.c.campaign == campaign)
        ).one_or_none() or (None, 0)
        if state == "archived":
            return
        connection.execute(insert(t.outbox).values(
            campaign=campaign, seat=seat, kind=MOVED, first_event=event, last_event=event, inbox=None, press=None,
            data="{}", state="pending", created_at=stamp(now), not_before=None, attempts=0,
            message_id=f"<{campaign}.{MOVED}.{seat}.{secrets.token_hex(8)}@{self.domain}>",
        ))  # fmt: skip

    def _tell(
        self, connection: Connection, now: datetime, campaign: str, seat: str, kind: str, said: Mapping[str, Any]
    ) -> None:
        """A message that holds itself where it goes."""
        mark = secrets.token_hex(8)
        connection.execute(insert(self.store.tables.outbox).values(
            campaign=campaign, seat=f"{notices.FORMER}.{seat}.{mark}", kind=kind, first_event=0, last_event=0,
            inbox=None, press=None, data=json.dumps(said), state="pending", created_at=stamp(now), not_before=None,
            attempts=0, message_id=f"<{campaign}.{kind.replace('_', '-')}.{mark}@{self.domain}>",
        ))  # fmt: skip


def _hash_at_old(token: str) -> str:
    """What is stored of the token in the link to the old address: no link is good for both steps."""
    return token_hash(f"old.{token.strip()}")


def _hash_at_new(token: str) -> str:
    return token_hash(f"new.{token.strip()}")
