"""Forgetting a person: everything beside the streams that names him, or that he wrote. The chains still verify.

The streams hold no names; of press they hold commitments. What other players got by mail lies in their own mailboxes;
the copies here go too, since they may name him or quote his press. What has not gone out is written anew, without him.
An account of the desk is another thing, and stays.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy import Column, Connection, case, delete, or_, select, update

from pbem.campaign import life
from pbem.campaign.acts import Act, Acts
from pbem.campaign.clock import Clock
from pbem.campaign.notices import FORMER
from pbem.campaign.people import known_as
from pbem.campaign.store import Store
from pbem.campaign.tables import NEW
from pbem.campaign.vault import SecretLost

_DONE = ("sent", "void", "failed")

REASON = "its player asked to be forgotten"
"""What all are told of a seat that becomes vacant by it."""


class Erasure:
    """Forgets people."""

    def __init__(self, acts: Acts, clock: Clock):
        self.acts, self.store, self.clock = acts, acts.store, clock

    def person_of(self, address: str) -> str | None:
        """The person of an address, or None."""
        t = self.store.tables.persons
        with self.store.read() as connection:
            return connection.execute(select(t.c.person).where(t.c.known_as == known_as(address))).scalar()

    def erase_person(self, person: str) -> int:
        """Forget a person: name, address, webhook, absence, press, mails of his as they came in, our mails to him, and
        mails of his, or about him, that belong to no seat. Returns in how many campaigns he sat.

        In each of them that is an event. His seats are vacant from now on, and his tokens are void, and with them the
        links and sessions of his pages. What waits in an inbox to be taken up keeps its lines till then. Safe to run
        again where it broke off. Raises `ValueError` for a person that there is not.
        """
        persons, sittings = self.store.tables.persons, self.store.tables.sittings
        with self.store.read() as connection:
            address = connection.execute(
                select(persons.c.address).where(persons.c.person == person, persons.c.known_as.is_not(None))
            ).scalar()
            his = connection.execute(
                select(sittings).where(sittings.c.person == person).order_by(sittings.c.number)
            ).all()
        if address is None:
            raise ValueError("there is no such person")
        on_record = set[str]()
        for sitting in his:
            if sitting.campaign not in on_record and sitting.why != "erased":
                seats = [one.seat for one in his if one.campaign == sitting.campaign and one.until is None]
                self.acts.perform(sitting.campaign, self.clock.now(), partial(self._put_on_record, seats=seats))
            on_record.add(sitting.campaign)
            with self.store.write() as connection:
                _erase_sitting(self.store, connection, sitting)
                _erase_strays(self.store, connection, sitting.campaign, known_as(address))
        with self.store.write() as connection:
            him = persons.c.person == person
            forgotten = {"known_as": None, "address": "", "away_from": None, "away_until": None}
            connection.execute(update(persons).where(him).values(forgotten))
            for table in (self.store.tables.lapses, self.store.tables.new_addresses):
                connection.execute(delete(table).where(table.c.person == person))
        return len(on_record)

    @staticmethod
    def _put_on_record(act: Act, seats: list[str]) -> None:
        people, campaign = act.archive.people, act.campaign.id
        for seat in seats:
            if act.campaign.status in ("finished", "archived"):
                act.beside += people.left(campaign, seat, act.now, "erased")
            else:
                life.vacate(act, seat, REASON, silent=False, why="erased")
        act.write("erased", public={"seats": seats})


def _erase_sitting(store: Store, connection: Connection, sitting: Any) -> None:
    """What a person wrote and got at a seat, from when until when he sat there."""
    t, campaign, seat = store.tables, sitting.campaign, sitting.seat

    def then(column: Column[str]) -> tuple[Any, ...]:
        return (column >= sitting.since, *([] if sitting.until is None else [column < sitting.until]))

    connection.execute(update(t.sittings).where(t.sittings.c.number == sitting.number).values(name="", webhook=None))
    void = (t.tokens.c.campaign == campaign, t.tokens.c.seat == seat, t.tokens.c.active == 0)
    connection.execute(update(t.tokens).where(*void).values(sealed=b""))
    connection.execute(
        update(t.press)
        .where(t.press.c.campaign == campaign, t.press.c.sender == seat, *then(t.press.c.sent_at))
        .values(text=None, salt=None)
    )
    sent = (t.inbox.c.campaign == campaign, t.inbox.c.seat == seat, *then(t.inbox.c.received_at))
    raws = select(t.inbox.c.raw).where(*sent)
    connection.execute(update(t.raws).where(t.raws.c.number.in_(raws)).values(content=b""))
    connection.execute(
        update(t.inbox).where(*sent, t.inbox.c.state != NEW)
        .values(lines="[]", answer=None, remote=None, message_id=None)
    )  # fmt: skip
    _erase_mails(store, connection, campaign, seat, then(t.outbox.c.created_at))


def _erase_mails(
    store: Store, connection: Connection, campaign: str, seat: str, then: tuple[Any, ...]
) -> None:
    box = store.tables.outbox
    mine = (box.c.campaign == campaign, box.c.seat == seat, *then)
    connection.execute(  # those who had the seat before are named in what told them that it is no longer theirs
        delete(box).where(box.c.campaign == campaign, box.c.seat.startswith(f"{FORMER}.{seat}.", autoescape=True))
    )
    connection.execute(
        update(box).where(*mine, box.c.state.not_in(_DONE)).values(
            state="void", claimed_until=None, error="the player was erased"
        )
    )
    connection.execute(update(box).where(*mine).values(rendered=None))
    others = (box.c.campaign == campaign, box.c.seat != seat, box.c.seat != "", box.c.kind != "webhook")
    connection.execute(update(box).where(*others, box.c.state.in_(_DONE)).values(rendered=None))
    connection.execute(
        update(box).where(*others, box.c.state == "rendered").values(
            rendered=None, state=case((box.c.claimed_until.is_(None), "pending"), else_="claimed")
        )
    )


def _erase_strays(store: Store, connection: Connection, campaign: str, address: str) -> None:
    """Mails that belong to no seat: those he sent, and those of this campaign that name him, such as bounces. The
    answers that they got go with them."""
    strays, box = store.tables.strays, store.tables.outbox
    cursor = connection.execute(
        select(strays.c.number, strays.c.sender, strays.c.content).where(
            or_(strays.c.sender == address, strays.c.campaign == campaign)
        )
    )
    for number, sender, content in cursor.all():
        if sender != address and address.encode() not in _readable(store, content).lower():
            continue
        connection.execute(delete(strays).where(strays.c.number == number))
        answer = box.c.message_id.like(f"<stray-{number}.%")
        connection.execute(update(box).where(answer, box.c.state.not_in(_DONE)).values(state="void"))
        connection.execute(update(box).where(answer).values(rendered=None))


def _readable(store: Store, content: bytes) -> bytes:
    try:
        return store.vault.take_out(content)
    except SecretLost:
        return b""  # what nobody can read names nobody


__all__ = ["Erasure"]
