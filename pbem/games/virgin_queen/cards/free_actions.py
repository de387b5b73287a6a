"""Actions that an event lets a power carry out without CP: the cost alone is waived, all else holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.games.reformation import marks, siege
from pbem.games.reformation.action import Action, End
from pbem.games.reformation.marks import noted
from pbem.games.virgin_queen.powers.majors import PROTESTANT
from pbem.games.virgin_queen.religion import rebellion
from pbem.games.virgin_queen.religion.rebellion import REBELLIONS
from pbem.table.asking import Ask, choose
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table


@dataclass
class FreeQuestion(Ask):
    """A free action: `fault` says what is wrong with an order besides its own rules, or None."""

    fault: Callable[[Table, Order], Refused | None] = lambda table, order: None

    def check(self, table: Table, order: Order) -> None:
        """Refuse an action that the event does not give."""
        super().check(table, order)
        reason = self.fault(table, order)
        if reason:
            raise reason.under(self.section)


def free_action(
    table: Table,
    power: str,
    kinds: Sequence[type[Action]],
    rows: Sequence[str],
    *,
    card: int,
    section: str,
    fault: Callable[[Table, Order], Refused | None] = lambda table, order: None,
) -> Procedure:
    """A power may carry out one action of some kinds for nothing. Value: the order, or None where it does not.

    `rows` are their rows in the kit's ``actions``: the dearest says how many CP it may cost; none are spent. The CP of
    the impulse are set aside meanwhile.
    """
    actions = table.kit.tables["actions"]
    before = table.board.state.get("cp_left")
    table.set("cp_left", max(actions[row][power] or 0 for row in rows))
    order = yield FreeQuestion(
        power,
        "action",
        [*kinds, End],
        End(),
        context={"power": power, "cp_left": table.board.state["cp_left"], "number": card, "free": list(rows)},
        section=section,
        fault=fault,
    )
    if not isinstance(order, End):
        # As `action.carry_out`, but for the cost.
        marks.clear(table, "action")
        yield from order.procedure(table, power)
        yield from siege.check_sieges(table)
        marks.clear(table, "action")
    table.set("cp_left", before)
    return None if isinstance(order, End) else order


def open_rebellions(table: Table, region: str) -> list[str]:
    """18.4: where the Protestant may rise in a region in this impulse."""
    return [] if noted(table, "impulse", REBELLIONS, region) else rebellion.targets(table, region)


def free_rebellion(table: Table, region: str, cp: int, card: int) -> Procedure:
    """18.5: the Protestant may rise in a region as if so many CP were spent. Value: whether it succeeded."""
    space = yield from choose(
        table,
        PROTESTANT,
        "space",
        lambda t: open_rebellions(t, region),
        optional=True,
        kind="rebellion",
        section="18.5",
        number=card,
        step="target",
    )
    if space is None:
        return False
    return (yield from rebellion.rebellion(table, space, cp))
