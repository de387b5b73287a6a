"""21: the Royals: who is on the table of the eligible, in what box, betrothed to whom; how they leave it.

A Royal is the piece ``royal:<id>``; the mark of the turn ``betrothals`` lists the couples in the order in which they
were betrothed, ``man+woman``. On the piece: ``box``, ``betrothed``, ``festivities`` (true: the marker lies with it).
"""

from __future__ import annotations

from typing import Any

from pbem.games.reformation.marks import mark, note
from pbem.games.virgin_queen.places import ELIGIBLE, REMOVED
from pbem.table.procedure import Table

BETROTHALS = "betrothals"
MARRIED = "france"
"""Where a Valois lies who has married: on France's power card."""


def piece_of(royal: str) -> str:
    """The piece of a Royal."""
    return f"royal:{royal}"


def row(table: Table, royal: str) -> Any:
    """What the kit says of a Royal."""
    return table.kit.tables["royals"][royal]


def of_power(table: Table, royal: str) -> str:
    """The power whose Royal one is."""
    return str(row(table, royal)["power"])


def is_eligible(table: Table, royal: str) -> bool:
    """21: whether a Royal is on the table of the eligible."""
    return bool(table.board.pieces[piece_of(royal)]["at"] == ELIGIBLE)


def eligible(table: Table) -> list[str]:
    """The Royals on the table of the eligible, in the order of the kit."""
    return [royal for royal in table.kit.tables["royals"] if is_eligible(table, royal)]


def box(table: Table, royal: str) -> int:
    """21.1: the eligibility of a Royal now."""
    return int(table.board.pieces[piece_of(royal)]["box"])


def betrothed(table: Table, royal: str) -> str | None:
    """To whom a Royal is betrothed, or None."""
    other: str | None = table.board.pieces[piece_of(royal)].get("betrothed")
    return other


def couples(table: Table) -> list[tuple[str, str]]:
    """The couples that are betrothed, (man, woman), in the order in which they were."""
    pairs = []
    for couple in mark(table, "turn", BETROTHALS, []):
        man, _, woman = couple.partition("+")
        if betrothed(table, man) == woman:
            pairs.append((man, woman))
    return pairs


def is_valois(table: Table, royal: str) -> bool:
    """25.2: whether a Royal is a Valois."""
    return bool(row(table, royal)["family"] == table.kit.constants["valois_family"])


def betroth(table: Table, man: str, woman: str, section: str) -> None:
    """9.1: two Royals are betrothed."""
    table.mark(piece_of(man), why="betrothed", section=section, betrothed=woman)
    table.mark(piece_of(woman), why="betrothed", section=section, betrothed=man)
    note(table, "turn", BETROTHALS, f"{man}+{woman}")


def end_betrothal(table: Table, royal: str, why: str = "betrothal_ends", section: str = "21.4") -> None:
    """21.4: a betrothal is over as if it had never been; both stay where they are."""
    other = betrothed(table, royal)
    for one in (royal, other):
        if one is not None and is_eligible(table, one):
            table.mark(piece_of(one), why=why, section=section, betrothed=None, festivities=None)


def leaves(table: Table, royal: str, why: str, section: str) -> None:
    """A Royal leaves the game; a betrothal is over (21.4). A Valois who has married stays on France's card."""
    if table.board.pieces[piece_of(royal)]["at"] in (REMOVED, MARRIED):
        return
    end_betrothal(table, royal, section=section)
    table.put(piece_of(royal), REMOVED, why=why, section=section)
