"""8.2: the entry of reformers, debaters and leaders in the Card Draw phase."""

from __future__ import annotations

from pbem.games.here_i_stand.places import OFF, REMOVED
from pbem.games.here_i_stand.religion.conversion import ENGLAND, PROTESTANT, convert
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, count_land, land_owners, leader_power, put_leader
from pbem.games.reformation.ground import controller, inside, siege_of
from pbem.table.asking import choose
from pbem.table.procedure import Procedure, Table


def enter_reformer(table: Table, reformer: str) -> Procedure:
    """8.2: a reformer enters his space, which becomes Protestant on his first entry only."""
    row = table.kit.tables["reformers"][reformer]
    first = not table.board.pieces[f"reformer:{reformer}"].get("entered")
    table.put(f"reformer:{reformer}", row["space"], why="enters", section="8.2", entered=True)
    if first:
        convert(table, row["space"], PROTESTANT, why="reformer", section="8.2")
    return
    yield


def enter_reformers(table: Table) -> Procedure:
    """8.2: reformers of this turn, those who were away for a turn, and Cranmer after the Boleyn marriage."""
    for reformer in table.kit.tables["reformers"]:
        piece = table.board.pieces[f"reformer:{reformer}"]
        if piece["at"] == OFF and (piece.get("entered") or _reformer_is_due(table, reformer)):
            yield from enter_reformer(table, reformer)


def _reformer_is_due(table: Table, reformer: str) -> bool:
    turn = table.kit.tables["reformers"][reformer]["entry_turn"]
    if turn is not None:
        # Luther comes in the phase of the 95 Theses.
        return 1 < turn <= table.board.state["turn"]
    box = table.kit.tables["wives"][table.kit.constants["reformation_in_england_box"]]["box"]
    return table.board.value("marital_box", ENGLAND) >= box


def enter_debaters(table: Table) -> Procedure:
    """8.2: debaters of this turn, those of a reformer in play, and those who were away for a turn; uncommitted."""
    for debater, row in table.kit.tables["debaters"].items():
        if table.board.pieces[f"debater:{debater}"]["at"] != OFF:
            continue
        if row["entry_turn"] is not None:
            due = row["entry_turn"] <= table.board.state["turn"]
        else:
            due = bool(table.board.pieces[f"reformer:{row['entry_reformer']}"].get("entered"))
        if due:
            table.put(f"debater:{debater}", row["language"] or "any", why="enters", section="8.2", committed=False)
    return
    yield


def enter_leaders(table: Table) -> Procedure:
    """8.2: army leaders of this turn (Maurice of Saxony); those of the sea are in `naval`."""
    turn = table.board.state["turn"]
    for leader, row in atlas(table).leaders.items():
        at = table.board.pieces[LEADER + leader]["at"]
        if row["kind"] == "army" and row["entry_turn"] is not None and row["entry_turn"] <= turn and at == OFF:
            yield from _enter_army_leader(table, leader)


def _enter_army_leader(table: Table, leader: str) -> Procedure:
    """8.2: into an electorate under the political control of his power, which chooses; without one he waits."""
    power = leader_power(table, leader)

    def own_electorates(table: Table) -> list[str]:
        own = [
            space
            for space, row in atlas(table).spaces.items()
            if row["kind"] == "electorate" and controller(table, space) == power
        ]
        return sorted(own, key=lambda space: -_stack(table, space, power))

    space = yield from choose(
        table, power, "space", own_electorates, kind="place_leader", section="8.2", leader=leader
    )
    if space is not None:
        where = inside(space) if siege_of(table, space) else space
        put_leader(table, leader, where, why="enters", section="8.2")
    elif table.options["maurice_without_electorate"] == "never":
        put_leader(table, leader, REMOVED, why="never_enters", section="8.2")


def _stack(table: Table, space: str, power: str) -> int:
    return sum(count_land(table, place, [power]) for place in (space, inside(space)) if land_owners(table, place))
