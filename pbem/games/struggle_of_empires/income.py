"""Income, then upkeep, then growth."""

from __future__ import annotations

from pbem.games.struggle_of_empires import orders
from pbem.games.struggle_of_empires.map import CONTROL, UNIT_KINDS, from_power, home, map_of
from pbem.games.struggle_of_empires.money import add_population, pay
from pbem.games.struggle_of_empires.tiles import owned, row_of
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question

SECTION = "5"


def income_phase(table: Table) -> Procedure:
    """All take their income, then all pay upkeep, then all grow; in the last war as well."""
    chosen = yield from choose_regions(table)
    powers = from_power(table.board, table.board.state["turn_order"][0])
    for power in powers:
        take_income(table, power, chosen.get(power, {}))
    for power in powers:
        pay_upkeep(table, power)
    for power in powers:
        growth = table.kit.constants["population_growth"]
        add_population(table, power, growth, why="growth", section=SECTION)
    table.set("phase", "scoring")


def companies(table: Table, power: str) -> list[str]:
    """The company tiles of a power, piece by piece."""
    tiles = table.kit.tables["tiles"]
    return [piece for tile, row in tiles.items() if row["kind"] == "company" for piece in owned(table, power, tile)]


def better_region(table: Table, power: str, piece: str) -> str:
    """The region of a company tile in which its owner has most control markers; the first of equals."""
    regions = row_of(table, piece.split(":")[1])["regions"]
    return max(regions, key=lambda region: table.board.count(region, power, CONTROL))


def choose_regions(table: Table) -> Procedure:
    """A company tile of two regions pays for one, its owner's choice.

    As a rule the service takes the one that pays more (option company_region: asked). Returns power -> piece -> region.
    """
    chosen: dict[str, dict[str, str]] = {}
    questions = []
    for power in from_power(table.board, table.board.state["turn_order"][0]):
        for piece in companies(table, power):
            regions = list(row_of(table, piece.split(":")[1])["regions"])
            chosen.setdefault(power, {})[piece] = better_region(table, power, piece)
            counts = [table.board.count(region, power, CONTROL) for region in regions]
            if table.options["company_region"] == "asked" and min(counts) < max(counts):
                questions.append(
                    Question(
                        power,
                        "company_income",
                        [orders.Collect],
                        default=orders.Collect(region=chosen[power][piece]),
                        context={"tile": piece, "regions": regions},
                        section=SECTION,
                        key=piece,
                    )
                )
    if questions:
        answers = yield AllOf(questions)
        for question in questions:
            chosen[question.power][question.key] = answers[question.key].region
    return chosen


def take_income(table: Table, power: str, chosen: dict[str, str]) -> None:
    """1 gold per point of population, 1 per control marker on the map, and what the company tiles bring."""
    constants, count = table.kit.constants, table.board.count
    markers = sum(count(region, power, CONTROL) for region in map_of(table.kit).regions)
    population = table.board.value("population", power)
    brought = []
    for piece in companies(table, power):
        region = chosen.get(piece) or better_region(table, power, piece)
        gold = count(region, power, CONTROL) * constants["income_a_company_marker"]
        brought.append({"tile": piece, "region": region, "gold": gold})
    parts = {
        "population": population * constants["income_a_population"],
        "markers": markers * constants["income_a_marker"],
        "companies": sum(part["gold"] for part in brought),
    }
    total = sum(parts.values())
    table.tell("income", power=power, **parts, tiles=brought, gold=total, section=SECTION)
    table.count("gold", power, total, why="income", section=SECTION)


def pay_upkeep(table: Table, power: str) -> None:
    """1 gold for every unit on the map, homes included; it cannot be refused."""
    rows, count = table.kit.tables["units"], table.board.count
    places = (*map_of(table.kit).regions, home(power))
    units = {kind: sum(count(place, power, kind) for place in places) for kind in UNIT_KINDS}
    gold = sum(number * (rows[kind]["upkeep_gold"] or 0) for kind, number in units.items())
    table.tell("upkeep", power=power, units=units, gold=gold, section=SECTION)
    pay(table, power, gold, why="upkeep", section=SECTION)
