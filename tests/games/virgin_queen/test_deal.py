"""6.2, 6.3, 8, 20: what is dealt and filled, and what winter takes: nobody is asked, so no case holds it."""

import pytest

from pbem.games import find_game
from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.powers import majors
from pbem.games.virgin_queen.sequence import draw, winter
from pbem.games.virgin_queen.victory import score
from pbem.table.board import Board
from pbem.table.dice import Thrown
from pbem.table.kit import load_kit
from pbem.table.procedure import Procedure, Table

GAME = find_game("virgin_queen")


class FirstOfAll:
    """Dice that always show one: a draw takes the first of what is left."""

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        return Thrown(None, [1] * number)


def table_of(turn: int = 1, scenario: str = "1559") -> Table:
    kit = load_kit("virgin_queen")
    table = Table(Board(GAME.id, GAME.powers(kit, scenario)), kit, kit.settings({}), game=GAME)
    GAME.set_up(table, scenario)
    table.set("turn", turn)
    table.facts = []
    table.throws = FirstOfAll()
    return table


def run(procedure: Procedure) -> None:
    """A procedure that asks nobody."""
    assert list(procedure) == []


def hold(table: Table, power: str, spaces: list[str]) -> None:
    """The keys that a power controls are these and no others; the rest are France's (England's where it is France)."""
    other = "england" if power == "france" else "france"
    for key in atlas(table).keys:
        if key in spaces or table.board.state.get(f"control:{key}") == power:
            table.set(f"control:{key}", power if key in spaces else other)


# --- 6.2: how many cards ---


def test_unrest_covers_a_box_and_all_boxes_covered_leave_one_card() -> None:
    """Subtleties 7, 89: France with five keys has 3 cards and 7 VP; an unquiet key covers a box of both."""
    table = table_of()
    hold(table, "france", ["paris", "rouen", "bordeaux", "lyon", "marseille"])
    assert (score.base_cards(table, "france"), score.base(table, "france")) == (3, 7)
    table.set("unrest:lyon", True)
    assert (score.base_cards(table, "france"), score.base(table, "france")) == (3, 5)
    for key in ("paris", "rouen", "bordeaux", "marseille"):
        table.set(f"unrest:{key}", True)
    assert (score.base_cards(table, "france"), score.base(table, "france")) == (1, 0)


@pytest.mark.parametrize(
    ("keys", "unrest", "cards", "vp"),
    [
        (["amsterdam", "antwerp", "lyon"], [], 5, 8),
        (["amsterdam", "antwerp", "lyon"], ["lyon"], 4, 6),
        (["amsterdam", "edinburgh"], [], 5, 5),  # FAQ
        ([], [], 4, 0),
        (["amsterdam", "antwerp", "brussels", "lyon", "rouen", "calais"], [], 7, 15),
    ],
)
def test_cards_and_points_of_the_protestant_by_the_two_rows(
    keys: list[str], unrest: list[str], cards: int, vp: int
) -> None:
    """EX-25, 23.6."""
    table = table_of()
    hold(table, "protestant", keys)
    for key in unrest:
        table.set(f"unrest:{key}", True)
    assert (score.base_cards(table, "protestant"), score.base(table, "protestant")) == (cards, vp)


def test_markers_change_one_deal_and_go_but_those_that_last() -> None:
    """Subtlety 8: the marker of an unfinished foreign war stays."""
    table = table_of(3)
    before = draw.hand_size(table, "empire")
    table.set("plus_cards", {"empire": 1})
    table.set("minus_cards_lasting", {"ottoman": 1})
    ottoman = draw.hand_size(table, "ottoman")
    assert draw.hand_size(table, "empire") == before + 1
    run(draw.deal(table))
    assert draw.hand_size(table, "empire") == before
    assert draw.hand_size(table, "ottoman") == ottoman and table.board.state["minus_cards_lasting"] == {"ottoman": 1}


def test_the_deck_of_a_turn_is_the_discards_what_was_not_dealt_and_who_enters() -> None:
    """Subtlety 12."""
    table = table_of(2)
    for card in ("40", "41"):
        table.card(card, hands.DECK, hands.DISCARD)
    entering = [card for card in table.board.piles[hands.BOX] if draw.enters(table, card, 2)]
    dealt = sum(draw.hand_size(table, power) for power in table.board.powers)
    wanted = set(table.board.piles[hands.DECK]) | {"40", "41"}
    wanted |= {card for card in entering if hands.kind_of(table, card) != "home"}
    run(draw.additions(table))
    run(draw.deal(table))
    in_hands = {card for power in table.board.powers for card in hands.drawable(table, power)}
    assert set(table.board.piles[hands.DECK]) | in_hands == wanted
    assert len(in_hands) == dealt + 1 and not table.board.piles[hands.DISCARD]  # one more: Selim II (3.3)


def test_home_cards_come_back_with_the_deal_the_one_put_away_too() -> None:
    """Subtlety 1, 6.1."""
    table = table_of(4)
    run(draw.additions(table))
    table.card("3", hands.home("spain"), "put_away:spain")
    run(draw.deal(table))
    assert {"3", "4"} <= set(hands.cards_of(table, "spain"))


# --- 3.3 ---


@pytest.mark.parametrize(
    ("turn", "ruler", "pile", "got"),
    [
        (2, "suleiman", hands.DECK, True),
        (2, "suleiman", hands.REMOVED, False),
        (2, "selim_ii", hands.DECK, False),
        (3, "suleiman", hands.DECK, False),
    ],
)
def test_the_heir_of_suleiman_comes_to_hand_in_turn_two_if_the_deck_has_him(
    turn: int, ruler: str, pile: str, got: bool
) -> None:
    """Subtlety 14."""
    table = table_of(turn)
    table.set("ruler", {**table.board.state["ruler"], "ottoman": ruler})
    if pile != hands.DECK:
        table.card("14", hands.DECK, pile)
    run(draw.additions(table))
    assert ("14" in hands.cards_of(table, "ottoman")) is got


@pytest.mark.parametrize(("dead", "admin"), [("philip_ii", 1), ("elizabeth_i", 1), ("charles_ix", 0)])
def test_the_values_of_a_dead_ruler(dead: str, admin: int) -> None:
    """Subtlety 195."""
    table = table_of()
    power = table.kit.tables["rulers"][dead]["power"]
    majors.ruler_dies(table, power, "murdered")
    assert majors.ruler(table, power) == {"id": dead, "admin": admin, "bonus": 0}


# --- treasures ---


def test_rows_are_filled_spains_fifth_box_with_the_philippines_only() -> None:
    """Subtleties 15, 16: nobody may look at Portugal's."""
    table = table_of()
    run(draw.rows(table))
    assert len(treasures.held(table, treasures.SPAIN)) == 4 and len(treasures.held(table, treasures.PORTUGAL)) == 3
    assert table.board.sight[treasures.PORTUGAL] == "referee" and table.board.sight[treasures.SPAIN] == "owner"
    table.set("village:philippines", "spain")
    run(draw.rows(table))
    assert len(treasures.held(table, treasures.SPAIN)) == 5 and len(treasures.held(table, treasures.PORTUGAL)) == 3


def test_spent_treasures_lie_open_until_the_rows_are_filled() -> None:
    """Subtleties 18, 204."""
    table = table_of()
    (treasure,) = treasures.draw(table, "spain")
    treasures.spend(table, "spain", treasure)
    assert treasures.held(table, treasures.SPENT) == [treasure]
    run(draw.deal(table))
    assert treasures.held(table, treasures.SPENT) == [treasure]
    run(draw.rows(table))
    assert not treasures.held(table, treasures.SPENT)


def test_winter_takes_unspent_treasures_before_those_of_the_row_come_home() -> None:
    """Subtleties 23, 182: of Portugal's row one comes to who holds Lisbon, once Portugal is in the game."""
    table = table_of(4)
    run(draw.rows(table))
    (unspent,) = treasures.draw(table, "spain")
    row = set(treasures.held(table, treasures.SPAIN))
    steps = dict(winter.SEGMENTS)
    run(steps["treasures"](table))
    run(steps["piracy"](table))
    assert set(treasures.of(table, "spain")) == row and unspent in treasures.held(table, treasures.SPENT)
    table.set("control:lisbon", "england")
    run(steps["piracy"](table))
    assert not treasures.of(table, "england")
    table.set("sebastian", True)
    run(steps["piracy"](table))
    assert len(treasures.of(table, "england")) == 1 and len(treasures.held(table, treasures.PORTUGAL)) == 2


# --- the steps of winter ---


def test_the_steps_of_winter_come_in_the_order_of_the_book() -> None:
    """Subtlety 171."""
    assert [name for name, _ in winter.SEGMENTS] == [
        "morisco", "treasures", "loans", "ships", "land", "captains", "alliances", "replacements", "piracy", "spies",
        "influence", "league",
    ]  # fmt: skip


def test_alliances_of_major_powers_end_those_with_minor_ones_stay() -> None:
    """Subtlety 180."""
    table = table_of()
    table.set("allied", [["england", "ottoman"]])
    minors = dict(table.board.state["minor_ally"])
    run(winter.alliances(table))
    assert table.board.state["allied"] == [] and table.board.state["minor_ally"] == minors and "scotland" in minors
