"""20.10: when the Catholic League does not form. Cases cannot hold these: nobody is asked, and the turn would go on."""

import pytest

from pbem.games import find_game
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.ground import controller
from pbem.games.virgin_queen.powers import league
from pbem.games.virgin_queen.sequence import winter
from pbem.games.virgin_queen.victory import conditions
from pbem.games.virgin_queen.victory.conditions import GameEnds
from pbem.table.board import Board
from pbem.table.dice import ScriptedThrows
from pbem.table.kit import load_kit
from pbem.table.procedure import Table

GAME = find_game("virgin_queen")


def winter_of(held: list[str], turn: int, dice: list[int]) -> Table:
    """A table in the winter of a turn: of the region of France the Protestant controls these spaces and no others."""
    kit = load_kit("virgin_queen")
    table = Table(Board(GAME.id, GAME.powers(kit, "tournament")), kit, kit.settings({}), game=GAME)
    GAME.set_up(table, "tournament")
    table.set("turn", turn)
    table.set("phase", "winter")
    for space in atlas(table).spaces:
        if controller(table, space) == "protestant":
            table.set(f"control:{space}", "france")
    for space in held:
        table.set(f"control:{space}", "protestant")
    table.facts = []
    table.throws = ScriptedThrows(dice)
    return table


def told(table: Table) -> list[str]:
    return [fact["what"] for fact in table.facts if fact["fact"] == "happened"]


OTHERS = ["la_rochelle", "montauban", "nimes", "angouleme", "pau"]


def test_two_keys_and_five_other_home_spaces_need_a_five() -> None:
    """EX-24: 7 and a 4 are eleven."""
    table = winter_of(["rouen", "bordeaux", *OTHERS], 3, [4])
    assert list(winter.catholic_league(table)) == []
    assert told(table) == ["league_test"] and table.board.state.get("league") is None


@pytest.mark.parametrize(
    "held",
    [
        ["rouen", "bordeaux", *OTHERS[:3]],  # EX-24: five in all, no roll
        ["rouen", "bordeaux", "metz", *OTHERS[:3]],  # subtleties 265, 266: Metz is no key in France, no French home
        OTHERS,
    ],
)
def test_no_die_is_thrown_with_five_home_spaces_or_fewer(held: list[str]) -> None:
    table = winter_of(held, 4, [])
    assert list(winter.catholic_league(table)) == []
    assert told(table) == ["league_test"] and not [fact for fact in table.facts if fact["fact"] == "roll"]


def test_a_shared_home_space_and_a_key_count_among_the_home_spaces() -> None:
    """Subtlety 185: keys among them; the twelve that the Huguenots share are French home spaces too."""
    table = winter_of(["rouen", "la_rochelle", "nantes"], 4, [])
    assert league.homes_held(table) == ["rouen", "nantes", "la_rochelle"] and league.keys_held(table) == ["rouen"]


@pytest.mark.parametrize(("turn", "formed"), [(2, None), (7, None), (5, 4)])
def test_it_is_looked_for_in_the_winters_of_turns_three_to_six_until_it_has_formed(turn: int, formed: int) -> None:
    table = winter_of(["rouen", "bordeaux", "lyon"], turn, [])
    table.set("league", formed)
    assert list(winter.catholic_league(table)) == [] and told(table) == []


@pytest.mark.parametrize(("die", "forms"), [(5, False), (6, True)])
def test_six_home_spaces_need_a_six(die: int, forms: bool) -> None:
    """Subtlety 186: no die makes fewer than six spaces enough."""
    table = winter_of(["rouen", *OTHERS], 6, [die])
    procedure = winter.catholic_league(table)
    if forms:
        assert next(procedure).power == "spain" and table.board.state["league"] == 6
    else:
        assert list(procedure) == [] and table.board.state.get("league") is None


def test_the_league_turns_spaces_in_winter_without_ending_the_game() -> None:
    """Subtlety 261: victories at once are looked for in the Actions phase alone."""
    table = winter_of(["rouen", "bordeaux", "lyon"], 4, [])
    for space, row in atlas(table).spaces.items():
        if row["region"] in ("netherlands", "england", "scotland") and space not in ("leiden", "london", "stirling"):
            table.set(f"religion:{space}", "catholic")
    for space, row in atlas(table).spaces.items():
        if row["region"] == "france" and space not in ("caen", "saumur", "tours", "nantes", "rennes", "reims", "dijon"):
            table.set(f"religion:{space}", "catholic")
    table.set("religion:reims", "protestant")
    procedure = winter.catholic_league(table)
    question = next(procedure)
    with pytest.raises(StopIteration):
        while True:
            question = procedure.send(question.default_answer(table))
    assert controller(table, "reims") == "spain" and table.board.state.get("winner") is None
    table.set("phase", "action")
    with pytest.raises(GameEnds):
        conditions.look(table)
