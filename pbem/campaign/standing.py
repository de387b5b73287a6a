"""Standing orders: an answer given in advance to a kind of question, under conditions.

``STANDING retreat IF space metz, strength >= 3: RETREAT TO paris``. A condition compares a name with a value. Names are
looked up in the question's own context, then among the named values of the board, then on the tracks of the power, all
as the seat sees them: what the seat may not see is not there. A name that is not there makes the condition false.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from typing import Any

from pbem.table import sight
from pbem.table.kit import Kit
from pbem.table.orders import Unreadable, find_name
from pbem.table.procedure import Table
from pbem.table.questions import Question

MOST = 50
"""Standing orders of one seat."""

_CONDITION = re.compile(r"(?P<name>\w+)\s*(?P<sign>>=|<=|!=|=|>|<)?\s*(?P<value>[\w' -]+)")
_COMPARE = {
    "=": operator.eq, "!=": operator.ne, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt
}  # fmt: skip


def read_conditions(text: str | None) -> list[list[Any]]:
    """``[name, sign, value]`` each. Raises `Unreadable`."""
    found: list[list[Any]] = []
    for piece in re.split(r",|\band\b", text or "", flags=re.IGNORECASE):
        if not piece.strip():
            continue
        match = _CONDITION.fullmatch(piece.strip())
        if match is None:
            raise Unreadable(f"“{piece.strip()}” is no condition", ["space metz", "strength >= 3", "attacker != spain"])
        value = match["value"].strip()
        sign = match["sign"] or "="
        if sign not in ("=", "!=") and not re.fullmatch(r"-?[0-9]{1,9}", value):
            raise Unreadable(f"“{piece.strip()}”: {sign} compares with a whole number")
        found.append([match["name"].casefold(), sign, value])
    return found


def holds(conditions: Sequence[Sequence[Any]], table: Table, question: Question, powers: Sequence[str]) -> bool:
    """Whether all conditions hold for a question as the holder of `powers` sees the table."""
    if not conditions:
        return True
    seen = sight.view(table.board, powers)
    for name, sign, wanted in conditions:
        if name in question.context:
            value = question.context[name]
        elif name in seen.state:
            value = seen.state[name]
        else:
            value = seen.tracks.get(name, {}).get(question.power)
        if not _compare(value, sign, wanted, table.kit):
            return False
    return True


def _compare(value: Any, sign: str, wanted: str, kit: Kit) -> bool:
    if value is None:
        return False
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, int):
        return re.fullmatch(r"-?[0-9]{1,9}", wanted) is not None and _COMPARE[sign](value, int(wanted))
    values = [str(v) for v in value] if isinstance(value, list) else [str(value)]
    same = any(_same(one, wanted, kit) for one in values)
    return same if sign == "=" else sign == "!=" and not same


def _same(value: str, wanted: str, kit: Kit) -> bool:
    if value.casefold() == wanted.casefold():
        return True
    for domain, ids in kit.labels.items():
        if value in ids:
            try:
                return find_name(kit, domain, wanted) == value
            except Unreadable:
                continue
    return False
