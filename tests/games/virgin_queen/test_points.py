"""20.9, 25: influence in winter, points and the end of a turn, where nobody is asked."""

import pytest

from pbem.games import find_game
from pbem.games.reformation.marks import note
from pbem.games.virgin_queen.powers import minors
from pbem.games.virgin_queen.powers.minors import default_influence
from pbem.games.virgin_queen.victory import conditions, score
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table

GAME = find_game("virgin_queen")


def table_of(turn: int = 4, scenario: str = "1559", players: int = 6) -> Table:
    kit = load_kit("virgin_queen")
    seats = GAME.play_order(kit, scenario, GAME.seats(kit, scenario, players, {}))
    table = Table(Board(GAME.id, seats), kit, kit.settings({}), game=GAME)
    GAME.set_up(table, scenario)
    table.set("turn", turn)
    table.facts = []
    return table


def totals(table: Table, **wanted: int) -> None:
    """Give VP markers until each power has so many points."""
    for power, number in wanted.items():
        score.award(table, power, "piracy", number - score.points(table, power))
    score.settle(table)


def test_influence_falls_back_only_where_the_status_was_evaluated() -> None:
    """Subtleties 183, 246: to the default boxes, and not of who attacked it."""
    table = table_of()
    for minor in ("venice", "papacy"):
        minors.set_influence(table, minor, "spain", 7)
        minors.set_influence(table, minor, "empire", 3)
    note(table, "turn", "evaluated", "venice")
    table.set("influence_gone", {"venice": ["ottoman"]})
    assert list(minors.reset_influence(table)) == []
    held, boxes = table.board.state["influence"], default_influence(table, "venice")
    assert held["venice"] == {power: number for power, number in boxes.items() if power != "ottoman"}
    assert boxes["spain"] == 1 and boxes["empire"] == 0
    assert (held["papacy"]["spain"], held["papacy"]["empire"]) == (7, 3)


def test_domination_is_five_ahead_of_all_from_turn_four() -> None:
    """EX-28: 21 against 16; a preference of the Empire worth two stops it."""
    spread = {"ottoman": 21, "empire": 16, "spain": 15, "england": 12, "france": 10, "protestant": 9}
    table = table_of(4)
    totals(table, **spread)
    assert conditions.outcome(table) == ("ottoman", "domination")
    assert conditions.stops_domination(table, "empire", 2)
    table.set("turn", 3)
    assert conditions.outcome(table) is None


def test_the_preference_brings_points_only_when_it_is_shown() -> None:
    """Subtlety 199."""
    table = table_of(4, "tournament")
    hidden = score.points(table, "empire")
    column = {name: score.religious_vp(table, "empire", name) for name in table.kit.constants["preferences"]}
    assert any(column.values())
    for name, vp in column.items():
        table.set("preference", name)
        assert score.points(table, "empire") == hidden + vp


def test_paris_and_central_europe_are_counted_before_the_totals() -> None:
    """Subtlety 200."""
    names = [name for name, _ in conditions.SEGMENTS]
    assert names.index("paris") < names.index("preference") < names.index("determine")
    table = table_of(4)
    totals(table, france=24)
    assert conditions.outcome(table) != ("france", "standard")
    assert list(dict(conditions.SEGMENTS)["paris"](table)) == []
    score.settle(table)
    assert conditions.outcome(table) == ("france", "standard")


@pytest.mark.parametrize("players", [5, 4, 3, 2])
def test_a_major_power_without_a_seat_has_no_home_cards(players: int) -> None:
    """Subtlety 61."""
    table = table_of(1, "1559", players)
    without = [power for power in ("ottoman", "empire") if power not in table.board.powers]
    assert without
    removed = table.board.piles["removed"]
    for power in without:
        assert {card for card, row in table.kit.tables["cards"].items() if row["owner"] == power} <= set(removed)


def test_powers_act_in_impulse_order_where_the_book_names_none() -> None:
    """Subtlety 263."""
    assert table_of().board.powers == list(load_kit("virgin_queen").constants["impulse_order"])
