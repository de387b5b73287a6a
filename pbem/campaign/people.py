"""People, as they lie beside the stream: who they are, where they sit, the tokens they speak by, what they wrote.

A person is known by his address, and sits at seats of any number of campaigns, each from a time to a time. Language,
time zone and absence are the person's; his name and how he wants reports can be another at each seat.

What an act changes here is saved with its events: such methods return the statements. The rest is done at once.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Table, delete, func, insert, literal, or_, select, update

from pbem.campaign import guard, ledger, notices
from pbem.campaign.clock import stamp
from pbem.campaign.store import Store
from pbem.campaign.vault import Vault, token_hash


class People:
    """The players of all campaigns. `domain` is that of the service's mails."""

    def __init__(self, store: Store, vault: Vault, domain: str):
        self.store, self.vault, self.domain = store, vault, domain

    # who they are

    def player(self, campaign: str, seat: str) -> dict[str, Any] | None:
        """Who sits at a seat now: ``{person, name, address, language, language_chosen, timezone, board, reports, hour,
        webhook, told, seen, away_from, away_until}``; None for nobody."""
        t = self.store.tables.sittings.c
        rows = seated(self.store, t.campaign == campaign, t.seat == seat)
        return {name: value for name, value in rows[0].items() if name not in _NOT_HIS} if rows else None

    def seats_of(self, campaign: str, address: str) -> list[str]:
        """The seats of a campaign at which the person of an address sits, or to which he is invited."""
        t = self.store.tables
        rows = seated(self.store, t.sittings.c.campaign == campaign, t.persons.c.known_as == known_as(address))
        return [row["seat"] for row in rows]

    def seated(
        self, campaign: str, seat: str, generation: int, now: datetime, *, name: str, address: str, language: str,
        timezone: str, reason: str = "", begun: bool = False,
    ) -> tuple[str, Sequence[Any]]:  # fmt: skip
        """A new token for a person who is given a seat, and the statements that seat him in another's place.

        `language` and `timezone` are of a person who is not known yet: who is has chosen his own. Who loses the seat
        is told so, with the reason. Raises `pbem.campaign.guard.HoldsSecret` for a name with a live token in it, and
        for the address that a seat of any campaign writes to: the service would write to itself, as that seat.
        """
        guard.check(self.store, name, campaign)
        guard.check(self.store, address)
        t, token = self.store.tables, new_token()
        before = self.player(campaign, seat)
        person, made = self._person(address, language, timezone, now)
        is_another = before is not None and before["address"].casefold() != address.strip().casefold()
        told = self.farewell(campaign, seat, generation - 1, now, reason) if is_another else []
        sitting = {
            "campaign": campaign, "seat": seat, "person": person, "name": name, "since": stamp(now),
            "reports": "every", "hour": 18,
        }  # fmt: skip
        known = {
            "hash": token_hash(token), "campaign": campaign, "seat": seat, "generation": generation,
            "sealed": self.vault.seal(token.encode()), "created_at": stamp(now), "active": 1,
        }  # fmt: skip
        left = self.left(campaign, seat, now, "replaced" if begun else "withdrawn")
        return token, [*told, *made, *left, insert(t.sittings).values(sitting), insert(t.tokens).values(known)]

    def _person(self, address: str, language: str, timezone: str, now: datetime) -> tuple[str, Sequence[Any]]:
        """The person of an address, and the statement that makes him where he is new."""
        t = self.store.tables.persons
        with self.store.read() as connection:
            person = connection.execute(select(t.c.person).where(t.c.known_as == known_as(address))).scalar()
        if person is not None:
            return person, []
        made = {
            "person": os.urandom(8).hex(), "known_as": known_as(address), "address": address, "language": language,
            "timezone": timezone, "since": stamp(now),
        }  # fmt: skip
        return made["person"], [insert(t).values(made)]

    def farewell(
        self, campaign: str, seat: str, generation: int, now: datetime, reason: str, *, vacated: bool = False
    ) -> Sequence[Any]:
        """The statement that tells whoever sits at a seat, by a token of this generation, that he loses it: to another,
        or, `vacated`, to nobody."""
        before = self.player(campaign, seat)
        if before is None or not before["address"]:
            return []
        row = notices.farewell(self.domain, now, campaign, seat, generation, before, reason, vacated=vacated)
        return [insert(self.store.tables.outbox).values(row)]

    def left(self, campaign: str, seat: str, now: datetime, why: str) -> Sequence[Any]:
        """The statements after which nobody sits at a seat, and no token speaks for it. `why`: ``replaced``,
        ``withdrawn`` (an invitation), ``declined``, ``vacated`` or ``erased``."""
        sittings, tokens = self.store.tables.sittings, self.store.tables.tokens
        return [
            self.wants_no_address(campaign, seat),
            update(sittings).where(*_sits(sittings, campaign, seat)).values(until=stamp(now), why=why),
            update(tokens).where(tokens.c.campaign == campaign, tokens.c.seat == seat).values(active=0),
        ]

    def wants_no_address(self, campaign: str, seat: str) -> Any:
        """The statement by which whoever sits at a seat no longer wants his mails elsewhere: who asked for it may have
        had no more than the link of this seat."""
        asked, sittings = self.store.tables.new_addresses, self.store.tables.sittings
        him = select(sittings.c.person).where(*_sits(sittings, campaign, seat)).scalar_subquery()
        return delete(asked).where(asked.c.person == him)

    def prefers(self, campaign: str, seat: str, values: Mapping[str, Any]) -> Sequence[Any]:
        """The statements by which a person wants his mails otherwise: at this seat, or at all of his."""
        persons, sittings = self.store.tables.persons, self.store.tables.sittings
        of_person = {name: value for name, value in values.items() if name in persons.c}
        of_seat = {name: value for name, value in values.items() if name not in persons.c}
        mine = _sits(sittings, campaign, seat)
        if "language" in of_person:
            of_person["language_chosen"] = 1
        statements: list[Any] = []
        if of_person:
            him = select(sittings.c.person).where(*mine).scalar_subquery()
            statements.append(update(persons).where(persons.c.person == him).values(**of_person))
        if of_seat:
            statements.append(update(sittings).where(*mine).values(**of_seat))
        return statements

    # absences

    def away(self, campaign: str, seat: str, away: Sequence[str]) -> Any:
        """The statement by which whoever sits at a seat is away from a moment until another (stamps), in all campaigns.
        """
        persons, sittings = self.store.tables.persons, self.store.tables.sittings
        him = select(sittings.c.person).where(*_sits(sittings, campaign, seat)).scalar_subquery()
        return update(persons).where(persons.c.person == him).values(away_from=away[0], away_until=away[1])

    def told_of_absence(self, campaign: str, seat: str, away: Sequence[str] | None) -> Any:
        """The statement that notes that a campaign knows of an absence."""
        sittings = self.store.tables.sittings
        told = None if away is None else " ".join(away)
        return update(sittings).where(*_sits(sittings, campaign, seat)).values(away=told)

    def untold_absences(self, now: datetime) -> list[tuple[str, str, list[str]]]:
        """The absences that campaigns under way do not know of yet: (campaign, seat, [from, until])."""
        p, s, c = self.store.tables.persons.c, self.store.tables.sittings.c, self.store.tables.campaigns.c
        known = func.coalesce(s.away, "")
        wanted = (
            select(s.campaign, s.seat, p.away_from, p.away_until)
            .join(self.store.tables.persons, p.person == s.person)
            .join(self.store.tables.campaigns, c.campaign == s.campaign)
            .where(p.away_until.is_not(None), s.until.is_(None), c.state.in_(["inviting", "running", "paused"]))
            .where(or_(p.away_until > stamp(now), known != ""), known != p.away_from + " " + p.away_until)
            .order_by(s.campaign, s.seat)
        )
        with self.store.read() as connection:
            return [(row.campaign, row.seat, [row.away_from, row.away_until]) for row in connection.execute(wanted)]

    def tell_moderators(self, campaign: str, event: int, said: Mapping[str, Any], now: datetime) -> Sequence[Any]:
        """The statements that tell all moderators of a campaign who missed a deadline."""
        with self.store.read() as connection:
            seats = notices.moderators_of(self.store, connection, campaign)
        rows = [notices.lapse(self.domain, now, campaign, event, seat, said) for seat in seats]
        return [insert(self.store.tables.outbox).values(row) for row in rows]

    def tell_of_flood(
        self, campaign: str, seat: str, day: str, said: Mapping[str, Any], now: datetime
    ) -> Sequence[Any]:
        """The statements that tell all moderators of a campaign that a seat sends without end what is refused."""
        with self.store.read() as connection:
            seats = notices.moderators_of(self.store, connection, campaign)
        rows = [notices.flood(self.domain, now, campaign, seat, day, one, said) for one in seats]
        return [insert(self.store.tables.outbox).values(row) for row in rows]

    # how they keep their deadlines

    def lapsed(self, campaign: str, seat: str, event: int, kind: str | None, at: datetime) -> Any:
        """The statement that notes a missed deadline of whoever sits at a seat."""
        lapses, sittings = self.store.tables.lapses, self.store.tables.sittings
        row = select(
            literal(campaign), literal(event), literal(seat), sittings.c.person, literal(kind or ""), literal(stamp(at))
        ).where(*_sits(sittings, campaign, seat))
        return insert(lapses).from_select(["campaign", "event", "seat", "person", "kind", "at"], row)

    # what they wrote

    def wrote(
        self, campaign: str, event: int, sender: str, whom: Mapping[str, Any], text: str, committed: Mapping[str, Any],
        at: datetime,
    ) -> Any:  # fmt: skip
        """The statement that keeps a message, whose commitment stands in an event. `whom`: ``{seats, powers, from}``,
        and ``shown`` where it shows something"""
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
            encrypted = connection.execute(
                select(t.c.sealed).where(t.c.campaign == campaign, t.c.seat == seat, t.c.active == 1)
            ).scalar()
        return None if encrypted is None else self.vault.open(encrypted).decode()

    def has_seen(self, campaign: str, seat: str, event: int) -> None:
        """Whoever sits at a seat was shown the messages to him up to an event."""
        sittings = self.store.tables.sittings
        later = sittings.c.seen < event
        with self.store.write() as connection:
            connection.execute(update(sittings).where(*_sits(sittings, campaign, seat), later).values(seen=event))

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


_NOT_HIS = ("campaign", "seat", "since")


def known_as(address: str) -> str:
    """What a person is known by: his address in small letters."""
    return address.strip().lower()


def seated(store: Store, *where: Any) -> list[dict[str, Any]]:
    """Who sits at seats now, with what the person has chosen, by campaign and seat."""
    p, s = store.tables.persons.c, store.tables.sittings.c
    wanted = select(
        s.campaign, s.seat, s.since, s.person, s.name, p.address, p.language, p.language_chosen, p.timezone, p.board,
        s.reports, s.hour, s.webhook, s.told, s.seen, p.away_from, p.away_until,
    ).join(store.tables.persons, p.person == s.person)  # fmt: skip
    with store.read() as connection:
        rows = connection.execute(wanted.where(s.until.is_(None), *where).order_by(s.campaign, s.seat)).all()
    return [dict(row._mapping) for row in rows]


def names_of(store: Store, campaign: str) -> dict[str, str]:
    """seat -> the name of who sits there."""
    return dict(store.fetch("names_of", store.names_of, {"of": campaign}))


def has_sat(store: Store, campaign: str, seat: str) -> Callable[[str], bool]:
    """Whether whoever sits at a seat now sat there at a moment (a stamp), that of his coming included. Of a seat
    without a player: nobody did."""
    t = store.tables.sittings
    with store.read() as connection:
        rows = connection.execute(
            select(t.c.person, t.c.since, t.c.until).where(t.c.campaign == campaign, t.c.seat == seat)
        ).all()
    sitting = {row.person for row in rows if row.until is None}
    his = [row for row in rows if row.person in sitting]
    return lambda at: any(row.since <= at and (row.until is None or at < row.until) for row in his)


def _sits(sittings: Table, campaign: str, seat: str) -> tuple[Any, ...]:
    return sittings.c.campaign == campaign, sittings.c.seat == seat, sittings.c.until.is_(None)


def new_token() -> str:
    """160 random bits in small letters and digits, which survive mail programs that fold case."""
    return base64.b32encode(os.urandom(20)).decode("ascii").lower()
