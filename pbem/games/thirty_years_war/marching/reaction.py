"""11.23: the other side's pieces go inside a fortress of theirs, all or none, when enemy units enter its space."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.control import Trigger
from pbem.games.thirty_years_war.map import SIDES, atlas, other
from pbem.table.orders import Order
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

FORT_REACTION = "fort_reaction"


class GoInside(Order):
    """Take the whole stack inside the fortress; it can be attacked by a siege only."""

    line = "GO INSIDE"


class StayOutside(Order):
    """Keep the stack before the walls: it is overrun or gives battle."""

    line = "STAY OUTSIDE"


def may_react(table: Table, space: str, side: str) -> bool:
    """11.23, INT-34: whether a side may go inside the fortress of a space: one of its own (option: a neutral one)."""
    if not atlas(table).is_fortress(space):
        return False
    holder = control.holder(table, space)
    return holder == side or (holder is None and table.options["fort_reaction"] == "friendly_or_neutral")


def fort_reaction(table: Table, space: str, mover: str) -> Procedure:
    """11.23, C 11.d: ask the opponent of `mover` whether its pieces outside go in. Value: whether they did."""
    side = other(mover)
    outside = pieces.stack(table, space, side, inside=False)
    if not outside or not may_react(table, space, side):
        return False
    coming = pieces.stack(table, space, mover, inside=False)
    own, theirs = pieces.combat_factors(table, outside), pieces.combat_factors(table, coming)
    answer = yield Question(
        side,
        FORT_REACTION,
        [GoInside, StayOutside],
        StayOutside(),
        context={
            "space": space,
            "own": own,
            "enemy": theirs,
            "ratio": theirs // own if own else theirs,
            "stack": pieces.described(table, outside),
            "against": pieces.described(table, coming),
            "fortress": atlas(table).spaces[space]["fort_strength"],
        },
        section="11.23",
    )
    went = isinstance(answer, GoInside)
    outside = pieces.stack(table, space, side, inside=False)
    table.tell(
        "fort_reaction", power=side, space=space, inside=went, pieces=pieces.described(table, outside), section="11.23"
    )
    if went:
        pieces.move(table, outside, space, inside=True, why="fort_reaction", section="11.23")
    return went


def come_out(table: Table) -> Procedure:
    """INT-55: pieces inside a fortress are outside again as soon as no enemy unit is left in the space."""
    for side in SIDES:
        for space in pieces.spaces_with(table, side):
            within = pieces.stack(table, space, side, inside=True)
            if within and not pieces.units(table, space, other(side)):
                pieces.move(table, within, space, why="come_out", section="11.23")
    yield from ()


TRIGGERS: Sequence[Trigger] = (come_out,)
ORDERS: tuple[type[Order], ...] = (GoInside, StayOutside)
