"""10: Spring Deployment, power by power in impulse order; before it Venetian Informant may be played (6.1)."""

from __future__ import annotations

from pbem.games.reformation import deployment, marks
from pbem.games.reformation.sequence import next_in_order
from pbem.table.asking import Moment, response
from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Every turn has a Spring Deployment phase."""
    return True


def informant(table: Table) -> Procedure:
    """6.1: cards of this phase that are played before anybody deploys."""
    yield from response(table, Moment("spring_start", table.board.powers[0]), section="6.1")
    marks.clear(table, "impulse")
    table.set("active", table.board.powers[0])


def deployments(table: Table) -> Procedure:
    """10: one power's deployment; Spring Preparations is played in one's own."""
    power = table.board.state["active"]
    if table.kit.tables["powers"][power]["spring_deployment"]:
        yield from response(table, Moment("spring_deployment", power), [power], section="10")
        yield from deployment.spring_deployment(table, power)
    return next_in_order(table)


SEGMENTS = (("informant", informant), ("deployments", deployments))
ORDERS = ()
