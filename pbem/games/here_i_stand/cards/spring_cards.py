"""The cards of the Spring Deployment phase (10): 102, 109."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import number
from pbem.games.reformation import hands, marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.deployment import WAIVED
from pbem.games.reformation.forces import Force, add_units, has_enemy_land, mark_force
from pbem.games.reformation.ground import controller, in_unrest
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def _capitals(table: Table, power: str) -> list[str]:
    return [space for space in atlas(table).capitals[power] if controller(table, space) == power]


@event("spring_preparations", moments=("spring_deployment",))
def spring_preparations(table: Table, power: str, moment: Moment) -> None:
    """102: a regular to the capital (the Hapsburg: to each), and the limits of 10 that bear a star are ignored.

    The new regular was not there as the phase began, so it does not deploy (10). None comes to a capital in unrest or
    with enemies (17.1).
    """
    marks.note(table, "turn", WAIVED, power, section="10")
    for capital in _capitals(table, power):
        if not in_unrest(table, capital) and not has_enemy_land(table, capital, power):
            new = number(table, 102, "regulars")
            placed = add_units(table, power, "regular", capital, new, why="spring_preparations", section="10")
            if placed:
                mark_force(table, "arrived", capital, Force({power: {"regular": placed}}))


@playable("spring_preparations")
def _spring_preparations(table: Table, power: str, moment: Moment) -> Refused | None:
    if moment.power != power:
        return Refused("in_own_deployment")
    if not table.kit.tables["powers"][power]["spring_deployment"]:
        return Refused("no_spring_deployment")
    return None if _capitals(table, power) else Refused("capital_not_controlled")


@event("venetian_informant", moments=("spring_start",))
def venetian_informant(table: Table, power: str, moment: Moment) -> Procedure:
    """109: before anybody deploys, the player or a power that he names sees the hand of a power in secret."""
    viewer = yield from choose(
        table, power, "power", lambda t: sorted(t.board.powers, key=lambda one: one != power), number=109
    )
    target = yield from choose(
        table, power, "power", lambda t: _others_first(t, power, viewer), number=109, viewer=viewer
    )
    table.tell("hand_seen", power=target, by=viewer, section="6.1")
    hands.show_hand(table, target, viewer, why="venetian_informant", section="6.1")


def _others_first(table: Table, power: str, viewer: str) -> list[str]:
    """109: whose hand a power may see; that of the player of the card stands last, so that silence never shows it."""
    return sorted((one for one in table.board.powers if one != viewer), key=lambda one: one == power)
