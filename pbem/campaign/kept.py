"""Reading what an earlier or later program has stored: answers in the inbox, progress of programs of orders, kits."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any, TypeVar

from pbem.table.kit import Frozen, Kit, KitError, load_kit

log = logging.getLogger(__name__)

_T = TypeVar("_T")


def read(kind: type[_T], stored: Mapping[str, Any], /, **blank: Any) -> _T:
    """An object of a dataclass from its stored fields.

    Fields that the class does not have (any more) are left out. Those that it has got since have their defaults; for
    fields without one, `blank` says what to read in their place.
    """
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{**blank, **{name: value for name, value in stored.items() if name in known}})


def read_kit(stored: str) -> Kit:
    """The kit of a campaign, as it was stored and under its own hash.

    Options that the game has got since have the defaults that today's kit gives them, since today's rules ask for them.
    Raises `KitError` for another form of kits.
    """
    kit = Kit.from_json(stored)
    since = {name: option for name, option in _options_of_today(kit.game).items() if name not in kit.options}
    return replace(kit, options=Frozen({**kit.options, **since})) if since else kit


@cache
def _options_of_today(game: str) -> Mapping[str, Any]:
    try:
        return load_kit(game).options
    except KitError as error:  # none, or one that is being worked on: campaigns go on with what they have
        log.warning("what %s has got since is not known: %s", game, error)
        return {}
