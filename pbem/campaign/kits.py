"""The kits that campaigns are played with, kept in the store under their hashes."""

from __future__ import annotations

import sqlalchemy
from sqlalchemy import insert, select

from pbem.campaign import kept
from pbem.campaign.store import Store
from pbem.table.kit import Kit


class Kits:
    """All kits of the store; each is read once."""

    def __init__(self, store: Store):
        self.store = store
        self._read: dict[str, Kit] = {}

    def keep(self, kit: Kit) -> None:
        """Store a kit, unless it is there."""
        t = self.store.tables.kits
        self._read[kit.hash] = kit
        try:
            with self.store.write() as connection:
                if connection.execute(select(t.c.hash).where(t.c.hash == kit.hash)).scalar() is None:
                    connection.execute(insert(t).values(hash=kit.hash, content=kit.to_json()))
        except sqlalchemy.exc.IntegrityError:
            return  # another process has kept the same kit

    def of(self, hash: str) -> Kit:
        """The kit with a hash, which a campaign was given."""
        if hash not in self._read:
            t = self.store.tables.kits
            with self.store.read() as connection:
                text = connection.execute(select(t.c.content).where(t.c.hash == hash)).scalar_one()
            self._read[hash] = kept.read_kit(text)
        return self._read[hash]
