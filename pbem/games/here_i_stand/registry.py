"""Which orders and actions there are: every module of the room lists its own in ``ORDERS`` and ``ACTIONS``."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import cache

from pbem.table.orders import Order

MODULES = (
    "reformation.asking",
    "reformation.battle",
    "reformation.movement",
    "reformation.siege",
    "reformation.deployment",
    "here_i_stand.land",
    "here_i_stand.action",
    "here_i_stand.theses",
    "here_i_stand.draw",
    "here_i_stand.diplomacy",
    "here_i_stand.diet",
    "here_i_stand.spring",
    "here_i_stand.naval",
    "here_i_stand.religion",
    "here_i_stand.debates",
    "here_i_stand.excommunication",
    "here_i_stand.cards.religious_struggle",
    "here_i_stand.cards.troops_cards",
    "here_i_stand.cards.victory_points_cards",
    "here_i_stand.england",
    "here_i_stand.foreign_war",
    "here_i_stand.winter",
    "here_i_stand.new_world",
    "here_i_stand.victory",
)
"""Where orders are defined, below `pbem.games`."""


def _gather(name: str) -> tuple[type[Order], ...]:
    found: list[type[Order]] = []
    for module in MODULES:
        for kind in getattr(importlib.import_module(f"pbem.games.{module}"), name, ()):
            if kind not in found:
                found.append(kind)
    return tuple(found)


@cache
def orders() -> tuple[type[Order], ...]:
    """Every kind of order of the game, actions included."""
    return tuple(dict.fromkeys((*_gather("ORDERS"), *_gather("ACTIONS"))))


@cache
def _actions() -> tuple[type[Order], ...]:
    return _gather("ACTIONS")


def actions(kinds: Iterable[str] | None = None) -> list[type[Order]]:
    """The kinds of action that CP may be spent on; only those of the ids given, if any are."""
    if kinds is None:
        return list(_actions())
    wanted = list(kinds)
    return [kind for kind in _actions() if kind.id() in wanted]
