"""Choices of a campaign that a moderator keeps under a name, so that the next one of his club begins with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, insert, select

from pbem.campaign.store import Store
from pbem.table.said import Said

LONGEST_NAME = 60
MOST_KEPT = 50
"""Sets of one moderator for one game."""


class KeptChoices:
    """The sets of choices that moderators have kept, by game and name."""

    def __init__(self, store: Store):
        self.store, self.table = store, store.tables.choice_sets

    def of(self, moderator: str, game: str) -> dict[str, dict[str, Any]]:
        """The sets of a moderator for a game, in alphabetical order: name -> ``{options, policy, seats, scenario}``;
        the last two are missing in a set that an earlier program kept."""
        c = self.table.c
        with self.store.read() as connection:
            row = connection.execute(
                select(c.name, c.choices).where(c.moderator == moderator, c.game == game).order_by(c.name)
            )
            return {name: json.loads(choices) for name, choices in row}

    def check(self, moderator: str, game: str, name: str) -> None:
        """Raises `ValueError` for a name under which nothing can be kept, and for too many sets."""
        if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
            raise ValueError(
                Said("choices are kept under a name of at most %(most)s characters, in one line", most=LONGEST_NAME)
            )
        kept = self.of(moderator, game)
        if name not in kept and len(kept) >= MOST_KEPT:
            raise ValueError(Said(
                "%(most)s sets of choices are kept for this game already; forget one of them first", most=MOST_KEPT
            ))  # fmt: skip

    def keep(self, moderator: str, game: str, name: str, choices: Mapping[str, Any]) -> None:
        """Keep choices, as `of` gives them, under a name, in place of what was kept under it. Raises as `check` does.
        """
        self.check(moderator, game, name)
        kept = json.dumps(dict(choices), ensure_ascii=False)
        with self.store.write() as connection:
            connection.execute(self._drop(moderator, game, name))
            values = {"moderator": moderator, "game": game, "name": name, "choices": kept}
            connection.execute(insert(self.table).values(values))

    def let_go(self, moderator: str, game: str, name: str) -> None:
        """Forget a set, if there is one of that name."""
        with self.store.write() as connection:
            connection.execute(self._drop(moderator, game, name))

    def _drop(self, moderator: str, game: str, name: str) -> Any:
        c = self.table.c
        return delete(self.table).where(c.moderator == moderator, c.game == game, c.name == name)
