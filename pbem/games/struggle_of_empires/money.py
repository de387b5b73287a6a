"""Gold, unrest and population: "a player is never short"."""

from __future__ import annotations

from pbem.games.struggle_of_empires.tiles import owned
from pbem.table.orders import Refused
from pbem.table.procedure import Table

SECTION = "2, money"


def loan_gold(table: Table, power: str) -> int:
    """Gold that one loan brings a power: 2, or 3 with Banking (option banking_stacks)."""
    constants = table.kit.constants
    plain, with_banking = constants["loan_gold"], constants["loan_gold_banking"]
    banks = len(owned(table, power, "banking"))
    if not banks:
        return plain
    return plain + (with_banking - plain) * (banks if table.options["banking_stacks"] else 1)


def pay(table: Table, power: str, gold: int, *, why: str, section: str = SECTION) -> None:
    """Gold: own gold goes first; what is missing comes from the bank, one unrest a loan, as few loans as are needed.

    What a loan brings beyond the payment stays the payer's.
    """
    if gold <= 0:
        return
    missing = gold - table.board.value("gold", power)
    if missing > 0:
        brings = loan_gold(table, power)
        loans = -(-missing // brings)
        unrest = loans * table.kit.constants["loan_unrest"]
        table.tell("loan", power=power, loans=loans, gold=loans * brings, unrest=unrest, why=why, section=SECTION)
        table.count("gold", power, loans * brings, why="loan", section=SECTION)
        take_unrest(table, power, unrest, why="loan", section=SECTION)
    table.count("gold", power, -gold, why=why, section=section)


def take_unrest(table: Table, power: str, points: int, *, why: str, section: str) -> None:
    """Take unrest (option unrest_counters: with the sixty of the box there is no more than that for all)."""
    if table.options["unrest_counters"] == "sixty":
        held = sum(table.board.value("unrest", other) for other in table.board.powers)
        points = max(0, min(points, table.kit.constants["unrest_counters_in_box"] - held))
    table.count("unrest", power, points, why=why, section=section)


def check_population(table: Table, power: str, points: int, *, section: str) -> None:
    """Raise `Refused` when a power has less population than something costs: population cannot be borrowed."""
    has = table.board.value("population", power)
    if has < points:
        raise Refused("too_little_population", section, cost=points, has=has)


def add_population(table: Table, power: str, points: int, *, why: str, section: str) -> None:
    """Population grows to 9 at most."""
    most = table.kit.constants["population_maximum"]
    grown = min(points, most - table.board.value("population", power))
    table.count("population", power, max(0, grown), why=why, section=section)
