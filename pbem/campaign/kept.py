"""Reading what an earlier or later program has stored of an object: an answer in the inbox, how far a program of orders
has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

_T = TypeVar("_T")


def read(kind: type[_T], stored: Mapping[str, Any], /, **blank: Any) -> _T:
    """An object of a dataclass from its stored fields.

    Fields that the class does not have (any more) are left out. Those that it has got since have their defaults; for
    fields without one, `blank` says what to read in their place.
    """
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    return kind(**{**blank, **{name: value for name, value in stored.items() if name in known}})
