"""77 Fountain of Youth: a voyage of exploration that comes to nothing (20.2)."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number
from pbem.games.here_i_stand.new_world import holdings
from pbem.games.here_i_stand.places import REMOVED
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def exploring(table: Table) -> list[str]:
    """The powers with an exploration under way, in impulse order."""
    return [power for power in table.board.powers if f"voyage:{holdings.EXPLORATION}:{power}" in table.board.pieces]


@event("fountain_of_youth")
def fountain_of_youth(table: Table, power: str, moment: Moment) -> Procedure:
    """77: an exploration is cancelled, its marker back next turn; on a 4 to 6 one explorer, by chance, is lost."""
    target = yield from choose(table, power, "power", exploring, section="20.2", number=77)
    table.put(f"voyage:{holdings.EXPLORATION}:{target}", None, why="fountain_of_youth", section="20.2")
    die = table.roll("fountain_of_youth", power, 1, section="20.2")[0]
    among = holdings.pool_of(table, holdings.EXPLORATION, target)
    if die < number(table, 77, "lost_from") or not among:
        return
    explorer = among[0] if len(among) == 1 else table.pick("explorer", among, power=target, section="20.2")
    table.put(f"explorer:{explorer}", REMOVED, why="lost", section="20.2")
    table.tell("explorer_lost", power=target, agent=explorer, section="20.2")


@playable("fountain_of_youth")
def _fountain_of_youth(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if exploring(table) else Refused("no_exploration")
