"""Pictures of outgoing mails, kept once however many mails hold them, and the rest of each mail packed.

All seats get the same picture of a board, and it is nearly all of a mail's bytes. A rendered mail is therefore kept in
two: what is its own, compressed, in the outbox's ``rendered``; and its large blocks of base64, as the bytes they stand
for, in table ``enclosures`` under their SHA-256. Table ``enclosed`` says which block stands where in which message.
`whole` puts together what `keep` took apart, byte for byte, so that every attempt sends the same.

Once a mail is sent its pictures are a courtesy to whoever looks into the store: `forget` drops those that for some time
no new mail held, unless one that holds them may still go out. Such a mail then reads whole but for its pictures, whose
SHA-256 stays.

Both are sealed with the service's key, since a mail holds the token of its seat. Mails that were kept before this was
so are read as they are.
"""

from __future__ import annotations

import base64
import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, exists, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from pbem.campaign.clock import stamp
from pbem.campaign.store import Store
from pbem.campaign.tables import MAY_GO_OUT
from pbem.campaign.vault import SecretLost

KEPT = timedelta(days=7)
FRESH = timedelta(days=1)
"""So long the time of an enclosure's last use is left as it is, to spare the writing; much less than `KEPT`."""

_PACKED = b"\0packed\n"  # no mail and no JSON begins so
_BLOCK = re.compile(rb"""
    (?:[A-Za-z0-9+/]{76}\r\n){50,}
    (?:(?:(?:[A-Za-z0-9+/]{4}){1,18}|(?:[A-Za-z0-9+/]{4}){0,18}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=))\r\n)?
""", re.VERBOSE)  # fmt: skip


def keep(store: Store, connection: Connection, number: int, raw: bytes, now: datetime) -> bytes:
    """What to write into ``rendered`` for a message; its enclosures are kept in the transaction that is open."""
    t, dialect = store.tables, postgresql if store.postgres else sqlite
    rest, blocks = _apart(raw)
    connection.execute(delete(t.enclosed).where(t.enclosed.c.number == number))
    for place, content in blocks:
        hash = hashlib.sha256(content).hexdigest()
        # In this order no other process can `forget` it meanwhile: what is old is locked by being made fresh first.
        connection.execute(
            update(t.enclosures)
            .where(t.enclosures.c.hash == hash, t.enclosures.c.used_at < stamp(now - FRESH))
            .values(used_at=stamp(now))
        )
        connection.execute(
            dialect.insert(t.enclosures)
            .values(hash=hash, used_at=stamp(now), content=store.vault.lay_by(content))
            .on_conflict_do_nothing()
        )
        connection.execute(insert(t.enclosed).values(number=number, place=place, hash=hash))
    return store.vault.lay_by(_PACKED + zlib.compress(rest))


def whole(store: Store, connection: Connection, rows: Iterable[Any]) -> dict[int, bytes]:
    """The whole messages of those of these rows of the outbox that are rendered, by number; those that the service's
    key does not open are left out."""
    t = store.tables
    kept: dict[int, bytes] = {}
    for row in rows:
        if row.rendered is not None:
            with suppress(SecretLost):
                kept[row.number] = store.vault.take_out(row.rendered)
    packed = [number for number, rendered in kept.items() if rendered.startswith(_PACKED)]
    if not packed:
        return kept
    blocks: dict[int, list[tuple[int, bytes]]] = {number: [] for number in packed}
    pieces = connection.execute(
        select(t.enclosed.c.number, t.enclosed.c.place, t.enclosed.c.hash)
        .where(t.enclosed.c.number.in_(packed))
        .order_by(t.enclosed.c.number, t.enclosed.c.place)
    ).all()
    contents: dict[str, bytes] = {}
    if pieces:
        wanted = t.enclosures.c.hash.in_({row.hash for row in pieces})
        rows_found = connection.execute(select(t.enclosures.c.hash, t.enclosures.c.content).where(wanted))
        contents = {hash: store.vault.take_out(content) for hash, content in rows_found}
    for row in pieces:
        blocks[row.number].append((row.place, contents.get(row.hash, b"")))
    return kept | {
        number: _together(zlib.decompress(kept[number][len(_PACKED) :]), blocks[number]) for number in packed
    }


def forget(store: Store, now: datetime) -> int:
    """Drop the enclosures that no mail has been written with for `KEPT`, and that no mail needs which may still go
    out; returns how many."""
    t = store.tables
    still_needed = exists().where(
        t.enclosed.c.hash == t.enclosures.c.hash,
        t.outbox.c.number == t.enclosed.c.number,
        t.outbox.c.state.in_(MAY_GO_OUT),
    )
    with store.write() as connection:
        return connection.execute(
            delete(t.enclosures).where(t.enclosures.c.used_at < stamp(now - KEPT), ~still_needed)
        ).rowcount


def _apart(raw: bytes) -> tuple[bytes, list[tuple[int, bytes]]]:
    """A message without its large blocks of base64, and these: where in the rest each stood, and what it encodes."""
    rest, blocks, end, length = [], [], 0, 0
    for block in _BLOCK.finditer(raw):
        content = base64.b64decode(block[0])
        if _encoded(content) != block[0]:
            continue  # it would not come back as it was
        piece = raw[end : block.start()]
        rest.append(piece)
        length += len(piece)
        blocks.append((length, content))
        end = block.end()
    return b"".join([*rest, raw[end:]]), blocks


def _together(rest: bytes, blocks: Iterable[tuple[int, bytes]]) -> bytes:
    def pieces() -> Iterator[bytes]:
        end = 0
        for place, content in blocks:
            yield rest[end:place]
            yield _encoded(content)
            end = place
        yield rest[end:]

    return b"".join(pieces())


def _encoded(content: bytes) -> bytes:
    return base64.encodebytes(content).replace(b"\n", b"\r\n")


__all__ = ["forget", "keep", "whole"]
