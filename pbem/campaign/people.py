"""The people at the seats, as they lie beside the stream: who they are, the tokens they speak by, what they wrote.

What an act changes here is saved with its events: such methods return the statements. The rest is done at once.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select, update

from pbem.campaign import erasure, guard, ledger, notices
from pbem.campaign.clock import stamp
from pbem.campaign.store import Store
from pbem.campaign.vault import Vault, token_hash


class People:
    """The players of all campaigns. `domain` is that of the service's mails."""

    def __init__(self, store: Store, vault: Vault, domain: str):
        self.store, self.vault, self.domain = store, vault, domain

    # who they are

    def player(self, campaign: str, seat: str) -> dict[str, Any] | None:
        """Who sits at a seat: ``{name, address, language, timezone, reports, hour, webhook}``."""
        t = self.store.tables.players
        with self.store.read() as connection:
            row = connection.execute(select(t).where(t.c.campaign == campaign, t.c.seat == seat)).one_or_none()
        if row is None:
            return None
        return {name: value for name, value in row._mapping.items() if name not in ("campaign", "seat")}

    def erase_player(self, campaign: str, seat: str) -> None:
        """Forget a person; see `pbem.campaign.erasure`. The chain still verifies."""
        erasure.erase_player(self.store, campaign, seat)

    def seated(
        self, campaign: str, seat: str, generation: int, now: datetime, *, name: str, address: str, language: str,
        timezone: str, reason: str = "",
    ) -> tuple[str, Sequence[Any]]:  # fmt: skip
        """A new token for a person who is given a seat, and the statements that seat him in another's place.

        Who loses the seat is told so, with the reason. Raises `pbem.campaign.guard.HoldsSecret` for a name with a live
        token in it.
        """
        guard.check(self.store, name, campaign)
        t, token = self.store.tables, _new_token()
        before = self.player(campaign, seat)
        told = []
        if before and before["address"] and before["address"].casefold() != address.strip().casefold():
            row = notices.farewell(self.domain, now, campaign, seat, generation - 1, before, reason)
            told.append(insert(t.outbox).values(row))
        person = {
            "campaign": campaign, "seat": seat, "name": name, "address": address, "language": language,
            "timezone": timezone, "reports": "every", "hour": 18, "webhook": None,
        }  # fmt: skip
        known = {
            "hash": token_hash(token), "campaign": campaign, "seat": seat, "generation": generation,
            "sealed": self.vault.seal(token.encode()), "created_at": stamp(now), "active": 1,
        }  # fmt: skip
        left = self.left(campaign, seat)
        return token, [*told, *left, insert(t.players).values(person), insert(t.tokens).values(known)]

    def left(self, campaign: str, seat: str) -> Sequence[Any]:
        """The statements after which nobody sits at a seat, and no token speaks for it."""
        players, tokens = self.store.tables.players, self.store.tables.tokens
        return [
            delete(players).where(players.c.campaign == campaign, players.c.seat == seat),
            update(tokens).where(tokens.c.campaign == campaign, tokens.c.seat == seat).values(active=0),
        ]

    def prefers(self, campaign: str, seat: str, values: Mapping[str, Any]) -> Any:
        """The statement by which a person wants his mails otherwise."""
        players = self.store.tables.players
        return update(players).where(players.c.campaign == campaign, players.c.seat == seat).values(**values)

    # what they wrote

    def wrote(
        self, campaign: str, event: int, sender: str, whom: Mapping[str, Any], text: str, committed: Mapping[str, Any],
        at: datetime,
    ) -> Any:  # fmt: skip
        """The statement that keeps a message, whose commitment stands in an event. `whom`: ``{seats, powers, from}``"""
        return insert(self.store.tables.press).values(
            campaign=campaign,
            commitment=committed["commitment"],
            event=event,
            sender=sender,
            recipients=ledger.canonical(whom).decode(),
            text=text,
            salt=committed["salt"],
            sent_at=stamp(at),
        )

    # tokens and sessions

    def seat_of(self, campaign: str, token: str) -> str | None:
        """The seat that a token speaks for, or None."""
        speaks = self.speaks_for(campaign, token)
        return None if speaks is None else speaks[0]

    def speaks_for(self, campaign: str, token: str) -> tuple[str, int] | None:
        """Seat and generation of a token. Always asked of the store: another process may have given the seat away."""
        t = self.store.tables.tokens
        with self.store.read() as connection:
            row = connection.execute(
                select(t.c.campaign, t.c.seat, t.c.generation).where(t.c.hash == token_hash(token), t.c.active == 1)
            ).one_or_none()
        return None if row is None or row.campaign != campaign.casefold() else (row.seat, row.generation)

    def token_of(self, campaign: str, seat: str) -> str | None:
        """The token of a seat, for Reply-To and links; None for a seat that nobody was invited to."""
        t = self.store.tables.tokens
        with self.store.read() as connection:
            sealed = connection.execute(
                select(t.c.sealed).where(t.c.campaign == campaign, t.c.seat == seat, t.c.active == 1)
            ).scalar()
        return None if sealed is None else self.vault.open(sealed).decode()

    def sign_outs(self, campaign: str, seat: str) -> int:
        """How often a seat was signed out of its pages; a session that began before the last time is over."""
        t = self.store.tables.sign_outs
        with self.store.read() as connection:
            number = connection.execute(
                select(t.c.number).where(t.c.campaign == campaign.casefold(), t.c.seat == seat)
            ).scalar()
        return number or 0

    def sign_out(self, campaign: str, seat: str) -> None:
        """End the sessions of a seat's pages. Its link and its token stay."""
        t = self.store.tables.sign_outs
        mine = (t.c.campaign == campaign.casefold(), t.c.seat == seat)
        with self.store.write() as connection:
            if not connection.execute(update(t).where(*mine).values(number=t.c.number + 1)).rowcount:
                connection.execute(insert(t).values(campaign=campaign.casefold(), seat=seat, number=1))


def _new_token() -> str:
    """160 random bits in small letters and digits, which survive mail programs that fold case."""
    return base64.b32encode(os.urandom(20)).decode("ascii").lower()
