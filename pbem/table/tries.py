"""How long it may take to find out what lines mean: so many tries for a line, and for all lines of a mail together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

MOST_TRIES = 400
MOST_TRIES_OF_A_MAIL = 30_000
"""About a second and a half."""

_pool: ContextVar[list[int] | None] = ContextVar("pool", default=None)


@contextmanager
def bounded(tries: int) -> Iterator[None]:
    """Within this, all lines together cost no more than so many tries; those that come when they are spent make no
    sense. Whoever reads what strangers send uses it: a few hundred lines could cost minutes."""
    pool = _pool.get()
    token = _pool.set([tries] if pool is None else pool)
    try:
        yield
    finally:
        _pool.reset(token)


def are_spent() -> bool:
    """Whether the tries of all lines together are."""
    pool = _pool.get()
    return pool is not None and pool[0] <= 0


class Tries:
    """The tries that are left to read a line."""

    def __init__(self) -> None:
        self._left, self._pool = MOST_TRIES, _pool.get()

    @property
    def are_spent(self) -> bool:
        return self._left <= 0 or are_spent()

    def spend(self) -> None:
        """Use one."""
        self._left -= 1
        if self._pool is not None:
            self._pool[0] -= 1
