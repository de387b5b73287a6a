"""19: the Winter phase, in the strict order of its steps."""

from __future__ import annotations

from pbem.games.here_i_stand import naval
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import add_units
from pbem.games.reformation.ground import controller, in_unrest
from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Every turn has a Winter phase."""
    return True


def alliances(table: Table) -> Procedure:
    """19.4: alliances of major powers end."""
    table.set("allied", [], section="19.4")
    return
    yield


def replacements(table: Table) -> Procedure:
    """19.5: a regular for each capital under own control."""
    for power in table.board.powers:
        for capital in atlas(table).capitals[power]:
            calm = not in_unrest(table, capital) or table.options["replacement_in_unrest"]
            if controller(table, capital) == power and calm:
                add_units(table, power, "regular", capital, 1, why="winter", section="19.5")
    return
    yield


def debaters(table: Table) -> Procedure:
    """19.7: all debaters are uncommitted again."""
    for debater in table.kit.tables["debaters"]:
        piece = table.board.pieces[f"debater:{debater}"]
        if piece["committed"]:
            marks = {key: value for key, value in piece.items() if key not in ("at", "committed")}
            table.put(f"debater:{debater}", piece["at"], section="19.7", committed=False, **marks)
    return
    yield


SEGMENTS = (
    ("loans", naval.end_loans),
    ("ships", naval.ships_return),
    ("alliances", alliances),
    ("replacements", replacements),
    ("piracy_markers", naval.remove_piracy_markers),
    ("debaters", debaters),
)
ORDERS = ()
