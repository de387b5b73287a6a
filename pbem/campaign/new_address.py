"""A person's address changes, in all his campaigns at once: by himself, who shows by a link that the new one is his, or
by a moderator.

With the address his tokens change, so that whoever still reads the old mailbox has no way in: links, reply addresses
and sessions of before end, each of his seats gets a mail with its new link, and the old address is told, without a way
in. Nothing of this stands in a stream.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from pbem.campaign import notices
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


class NewAddresses:
    """How addresses change. `domain` is that of the service's mails."""

    def __init__(self, store: Store, vault: Vault, clock: Clock, domain: str):
        self.store, self.vault, self.clock, self.domain = store, vault, clock, domain

    def ask(self, campaign: str, seat: str, address: str) -> bool:
        """Whoever sits at a seat wants his mails at another address: a link goes there, which changes it. Returns
        whether it does; not where another was sent a moment ago. The last one counts.

        Raises `ValueError` where nobody sits there.
        """
        t, now = self.store.tables, self.clock.now()
        asked = t.new_addresses
        token = new_token()
        with self.store.write() as connection:
            him = self._who_sits(connection, campaign, seat)
            mine = asked.c.person == him["person"]
            before = connection.execute(select(asked.c.asked_at).where(mine)).scalar()
            if before is not None and before > stamp(now - PAUSE):
                return False
            connection.execute(delete(asked).where(mine | (asked.c.expires_at <= stamp(now))))
            connection.execute(insert(asked).values(
                person=him["person"], hash=token_hash(token), address=address.strip(), asked_at=stamp(now),
                expires_at=stamp(now + LINK_LIFE),
            ))  # fmt: skip
            said = {**him, "address": address.strip(), "sealed": self.vault.seal(token.encode()).decode()}
            self._tell(connection, now, campaign, seat, notices.NEW_ADDRESS, said)
        return True

    def wanted(self, token: str) -> str | None:
        """The address that a link is to change to; None for a link that is used up, too old, or none."""
        asked = self._asked(token)
        return None if asked is None else asked.address

    def confirm(self, token: str) -> bool:
        """Change the address by the link that was sent there; False for a link as in `wanted`.

        Raises `AddressTaken`; then nothing has changed.
        """
        asked = self._asked(token)
        if asked is None:
            return False
        self.change(asked.person, asked.address)
        return True

    def change(self, person: str, address: str) -> None:
        """Write to a person at another address from now on.

        Raises `AddressTaken`, and `ValueError` for a person that there is not; then nothing has changed.
        """
        t, now, address = self.store.tables, self.clock.now(), address.strip()
        persons, sittings = t.persons, t.sittings
        him = persons.c.person == person
        with self.store.write() as connection:
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

    def _asked(self, token: str) -> Any:
        asked = self.store.tables.new_addresses
        known = select(asked).where(asked.c.hash == token_hash(token), asked.c.expires_at > stamp(self.clock.now()))
        with self.store.read() as connection:
            return connection.execute(known).one_or_none()

    def _who_sits(self, connection: Connection, campaign: str, seat: str) -> dict[str, Any]:
        p, s = self.store.tables.persons, self.store.tables.sittings
        row = connection.execute(
            select(p.c.person, s.c.name, p.c.language, p.c.timezone)
            .select_from(s.join(p, p.c.person == s.c.person))
            .where(s.c.campaign == campaign, s.c.seat == seat, s.c.until.is_(None))
        ).one_or_none()
        if row is None:
            raise ValueError("nobody sits there")
        return dict(row._mapping)

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
        data = json.dumps({name: value for name, value in said.items() if name != "person"})
        connection.execute(insert(self.store.tables.outbox).values(
            campaign=campaign, seat=f"{notices.FORMER}.{seat}.{mark}", kind=kind, first_event=0, last_event=0,
            inbox=None, press=None, data=data, state="pending", created_at=stamp(now), not_before=None, attempts=0,
            message_id=f"<{campaign}.{kind.replace('_', '-')}.{mark}@{self.domain}>",
        ))  # fmt: skip
