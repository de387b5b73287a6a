"""Moderators: who may run campaigns, and which. Kept beside the stream, since accounts are people and can be erased.

An account has a password (hashed by werkzeug) for the pages and, when asked for, a token for the API (of 160 random
bits; its SHA-256 is kept). A link by mail (`pbem.campaign.links`) logs in once, for a short time. Its `generation` is
part of a browser's session: a new password or the end of the account closes every session at once. A campaign
belongs to the moderators that run it; an admin runs all.
"""

from __future__ import annotations

import base64
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import delete, insert, select, update
from werkzeug.security import check_password_hash, generate_password_hash

from pbem.campaign.clock import stamp
from pbem.campaign.store import Store
from pbem.campaign.vault import token_hash
from pbem.table.said import Said

SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 200
LINK_LIFE = timedelta(minutes=30)
"""So long a link that was mailed can be used: time for a mail server that makes strangers wait."""
TOKEN_PREFIX = "pbem-moderator-"
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?")


class BadAccount(ValueError):
    """An account that cannot be so; says what would be right."""


@dataclass(frozen=True)
class Moderator:
    """An account, without its secrets."""

    name: str
    address: str
    admin: bool
    generation: int
    has_token: bool


class Moderators:
    """The accounts of a store."""

    def __init__(self, store: Store):
        self.store = store
        self.accounts, self.running = store.tables.moderators, store.tables.moderated

    # accounts

    def add(self, name: str, password: str, now: datetime, *, address: str = "", admin: bool = False) -> Moderator:
        """Make an account, or give the one there a new password (and address, and rank); its sessions and token end.

        Raises `BadAccount` for a name or a password that will not do.
        """
        if not _NAME.fullmatch(name):
            raise BadAccount("a moderator's name has 1 to 40 small letters, digits, dots, hyphens or underscores")
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise BadAccount(Said(
                "a password has %(least)s to %(most)s characters", least=SHORTEST_PASSWORD, most=LONGEST_PASSWORD
            ))
        values = {"password": generate_password_hash(password), "admin": int(admin), "address": address}
        accounts = self.accounts
        with self.store.write() as connection:
            changed = connection.execute(
                update(accounts).where(accounts.c.name == name)
                .values(**values, generation=accounts.c.generation + 1, token=None)
            )
            if not changed.rowcount:
                # Above any generation that a removed account of the same name may have had.
                generation = int(now.timestamp())
                connection.execute(insert(accounts).values(
                    name=name, generation=generation, created_at=stamp(now), **values
                ))
        added = self.find(name)
        assert added is not None
        return added

    def end_sessions(self, name: str) -> None:
        """Close every session of an account, links that were mailed to it and its token."""
        accounts = self.accounts
        with self.store.write() as connection:
            connection.execute(
                update(accounts).where(accounts.c.name == name)
                .values(generation=accounts.c.generation + 1, token=None)
            )

    def remove(self, name: str) -> bool:
        """End an account; what it ran is left to the admins. False when there is none."""
        with self.store.write() as connection:
            connection.execute(delete(self.running).where(self.running.c.moderator == name))
            kept = self.store.tables.choice_sets
            connection.execute(delete(kept).where(kept.c.moderator == name))
            return connection.execute(delete(self.accounts).where(self.accounts.c.name == name)).rowcount == 1

    def find(self, name: str) -> Moderator | None:
        """The account of a name, or None."""
        return self._one(self.accounts.c.name == name) if _NAME.fullmatch(name) else None

    def named(self, text: str) -> Moderator:
        """The account of this name, or of this address if it is that of one account alone. Raises `BadAccount`."""
        wanted = text.strip()
        moderator = self.find(wanted)
        if moderator is not None:
            return moderator
        same = [one for one in self.all() if wanted and one.address.strip().lower() == wanted.lower()]
        if len(same) == 1:
            return same[0]
        if same:
            raise BadAccount(f"several accounts have this address: {', '.join(one.name for one in same)}; name one")
        known = ", ".join(one.name for one in self.all())
        raise BadAccount(
            f"there is no moderator {wanted}; "
            + (f"there are {known}" if known else "pbem moderator add NAME makes an account")
        )

    def all(self) -> list[Moderator]:
        """All accounts, by name."""
        with self.store.read() as connection:
            return [_moderator(row) for row in connection.execute(select(self.accounts).order_by(self.accounts.c.name))]

    def log_in(self, name: str, password: str) -> Moderator | None:
        """The account, if the password is its own. An unknown name costs the same time as a wrong password."""
        stored, row = _nobody(), None
        if _NAME.fullmatch(name):  # what can be no name may hold characters that the store does not take
            with self.store.read() as connection:
                row = connection.execute(select(self.accounts).where(self.accounts.c.name == name)).one_or_none()
        good = check_password_hash(row.password if row else stored, password[:LONGEST_PASSWORD])
        return _moderator(row) if row is not None and good else None

    def reached_by(self, text: str) -> list[Moderator]:
        """The accounts of this name or address that can be written to."""
        wanted = text.strip()
        return [
            one for one in self.all()
            if one.address.strip() and (one.name == wanted or one.address.strip().lower() == wanted.lower())
        ]  # fmt: skip

    def log_in_by_link(self, token: str, now: datetime) -> Moderator | None:
        """The account that a link was mailed to, if it is not too old, nor the account changed since; never again.

        Looked up by the token's hash, so the time tells nothing about it.
        """
        links = self.store.tables.desk_links
        with self.store.write() as connection:
            row = connection.execute(
                delete(links).where(links.c.hash == token_hash(token)).returning(*links.c)
            ).one_or_none()
        if row is None or row.expires_at <= stamp(now):
            return None
        moderator = self.find(row.moderator)
        return moderator if moderator is not None and moderator.generation == row.generation else None

    # tokens of the API

    def new_token(self, name: str) -> str:
        """A new token for the API; the one before is void. It is told this once. Raises `LookupError`."""
        token = TOKEN_PREFIX + base64.b32encode(secrets.token_bytes(20)).decode().lower()
        with self.store.write() as connection:
            changed = connection.execute(
                update(self.accounts).where(self.accounts.c.name == name).values(token=token_hash(token))
            )
        if not changed.rowcount:
            raise LookupError(f"there is no moderator {name}")
        return token

    def drop_token(self, name: str) -> None:
        """Void the token of an account."""
        with self.store.write() as connection:
            connection.execute(update(self.accounts).where(self.accounts.c.name == name).values(token=None))

    def of_token(self, token: str) -> Moderator | None:
        """The account of a token, or None. Looked up by its hash, so the time tells nothing about it."""
        return self._one(self.accounts.c.token == token_hash(token)) if token.startswith(TOKEN_PREFIX) else None

    # campaigns

    def take(self, campaign: str, name: str) -> None:
        """Let a moderator run a campaign. Safe to do twice."""
        with self.store.write() as connection:
            there = self.running.c.campaign == campaign, self.running.c.moderator == name
            if connection.execute(select(self.running).where(*there)).first() is None:
                connection.execute(insert(self.running).values(campaign=campaign, moderator=name))

    def leave(self, campaign: str, name: str) -> None:
        """Take a campaign away from a moderator."""
        if not _NAME.fullmatch(name):
            return
        with self.store.write() as connection:
            connection.execute(
                delete(self.running).where(self.running.c.campaign == campaign, self.running.c.moderator == name)
            )

    def runs(self, moderator: Moderator, campaign: str) -> bool:
        """Whether a moderator may see to a campaign. Whether there is such a campaign is not looked at."""
        return moderator.admin or moderator.name in self.of_campaign(campaign)

    def of_campaign(self, campaign: str) -> list[str]:
        """The names of those who run a campaign."""
        statement = select(self.running.c.moderator).where(self.running.c.campaign == campaign)
        with self.store.read() as connection:
            return sorted(connection.execute(statement).scalars())

    def _one(self, condition: Any) -> Moderator | None:
        with self.store.read() as connection:
            row = connection.execute(select(self.accounts).where(condition)).one_or_none()
        return None if row is None else _moderator(row)


def _moderator(row: Any) -> Moderator:
    return Moderator(row.name, row.address, bool(row.admin), row.generation, row.token is not None)


@cache
def _nobody() -> str:
    """The hash of a password that nobody has."""
    return generate_password_hash(secrets.token_hex(20))


__all__ = ["BadAccount", "Moderator", "Moderators"]
