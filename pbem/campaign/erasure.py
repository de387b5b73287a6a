"""Forgetting a person: everything beside the stream that names a player, or that he wrote. The chain still verifies.

The stream holds no names; of press it holds commitments. What other players got by mail lies in their own mailboxes;
the copies here go too, since they may name him or quote his press. What has not gone out is written anew, without him.
"""

from __future__ import annotations

from sqlalchemy import Connection, case, delete, or_, select, update

from pbem.campaign.notices import FORMER
from pbem.campaign.store import Store
from pbem.campaign.tables import NEW
from pbem.campaign.vault import SecretLost

_DONE = ("sent", "void", "failed")


def erase_player(store: Store, campaign: str, seat: str) -> None:
    """Forget who plays a seat: name, address, webhook, his press, his mails as they came in, our mails to him, and
    mails of his, or about him, that belong to no seat.

    What waits in the inbox to be taken up keeps its lines till then.
    """
    t = store.tables
    sits = (t.sittings.c.campaign == campaign, t.sittings.c.seat == seat, t.sittings.c.until.is_(None))
    with store.write() as connection:
        person = connection.execute(select(t.sittings.c.person).where(*sits)).scalar()
        him = t.persons.c.person == person
        address = connection.execute(select(t.persons.c.address).where(him)).scalar() or ""
        connection.execute(update(t.persons).where(him).values(address="", known_as=None))
        connection.execute(update(t.sittings).where(*sits).values(name="", webhook=None))
        connection.execute(
            update(t.press)
            .where(t.press.c.campaign == campaign, t.press.c.sender == seat)
            .values(text=None, salt=None)
        )
        raws = select(t.inbox.c.raw).where(t.inbox.c.campaign == campaign, t.inbox.c.seat == seat)
        connection.execute(update(t.raws).where(t.raws.c.number.in_(raws)).values(content=b""))
        connection.execute(
            update(t.inbox)
            .where(t.inbox.c.campaign == campaign, t.inbox.c.seat == seat, t.inbox.c.state != NEW)
            .values(lines="[]", answer=None, remote=None, message_id=None)
        )
        _erase_mails(store, connection, campaign, seat)
        if address.strip():
            _erase_strays(store, connection, campaign, address.strip().lower())


def _erase_mails(store: Store, connection: Connection, campaign: str, seat: str) -> None:
    box = store.tables.outbox
    mine = (box.c.campaign == campaign, box.c.seat == seat)
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
    found = connection.execute(
        select(strays.c.number, strays.c.sender, strays.c.content).where(
            or_(strays.c.sender == address, strays.c.campaign == campaign)
        )
    )
    for number, sender, content in found.all():
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


__all__ = ["erase_player"]
