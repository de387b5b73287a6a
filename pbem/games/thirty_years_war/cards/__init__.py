"""8.6, 9.0: the cards, one function a card."""

from __future__ import annotations

from pbem.table.procedure import Procedure, Table


def play_event(table: Table, side: str, card: str) -> Procedure:
    """8.6: the event of a card takes place, its conditions having been looked at; asterisk and dagger are heeded."""
    raise NotImplementedError("events: T4")
    yield


def event_refusal(table: Table, side: str, card: str) -> None:
    """8.6: raise `Refused` where a card cannot be an event now."""
    raise NotImplementedError("events: T4")


USES: tuple[type, ...] = ()
ORDERS: tuple[type, ...] = ()
