"""What of the religious struggle no single impulse shows: entry and return of people, markers, silence."""

import pytest

from pbem.games.here_i_stand import GAME
from pbem.games.here_i_stand.cards import BOOK
from pbem.games.here_i_stand.powers import excommunication, league
from pbem.games.here_i_stand.religion import attempts, conversion, debates
from pbem.games.here_i_stand.sequence import entry
from pbem.games.here_i_stand.sequence.draw import hand_size
from pbem.games.reformation.choices import ChooseDebater
from pbem.games.reformation.ground import set_religion
from pbem.table.asking import Pass
from pbem.table.board import SUPPLY, Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table


@pytest.fixture(scope="module")
def kit():
    return load_kit("here_i_stand")


def fresh(kit, turn=1, scenario="1517", **options):
    table = Table(Board(GAME.id, GAME.powers(kit, scenario)), kit, options, game=GAME)
    GAME.set_up(table, scenario)
    table.set("turn", turn)
    return table


def run(procedure):
    """Run a procedure that asks nobody; a question is a fault."""
    for question in procedure:
        raise AssertionError(f"{question.power} is asked: {question.kind}")


def enter(table):
    run(entry.enter_reformers(table))
    run(entry.enter_debaters(table))


def where(table, piece):
    return table.board.pieces[piece]["at"]


# --- 8.2 ---


def test_reformers_and_debaters_come_in_their_turns(kit):
    table = fresh(kit)
    enter(table)
    assert where(table, "reformer:luther") == "off"  # in the phase of the 95 Theses
    table.set("turn", 2)
    enter(table)
    assert where(table, "reformer:zwingli") == "zurich"
    assert conversion.religion(table, "zurich") == "protestant"
    assert where(table, "debater:zwingli") == "german" and where(table, "debater:tyndale") == "english"
    assert where(table, "debater:contarini") == "any" and where(table, "debater:calvin") == "off"
    table.set("turn", 4)
    enter(table)
    assert where(table, "reformer:calvin") == "geneva" and where(table, "debater:calvin") == "french"


def test_cranmer_comes_after_the_boleyn_marriage_with_his_debaters(kit):
    table = fresh(kit, turn=3)
    box = kit.tables["wives"]["anne_boleyn"]["box"]
    table.count("marital_box", "england", box - 1 - table.board.value("marital_box", "england"))
    enter(table)
    assert where(table, "reformer:cranmer") == "off" and where(table, "debater:latimer") == "off"
    table.count("marital_box", "england", 1)
    enter(table)
    assert where(table, "reformer:cranmer") == "london"
    assert conversion.religion(table, "london") == "protestant"
    assert {where(table, f"debater:{one}") for one in ("cranmer", "coverdale", "latimer")} == {"english"}


def test_one_who_was_away_comes_back_and_converts_nothing(kit):
    table = fresh(kit)
    run(entry.enter_reformer(table, "luther"))
    conversion.reformer_leaves(table, "luther", for_good=False)
    assert where(table, "debater:luther") == "off" and table.board.pieces["debater:luther"]["committed"]
    set_religion(table, "wittenberg", "catholic")
    table.set("turn", 2)
    enter(table)
    assert where(table, "reformer:luther") == "wittenberg"
    assert table.board.pieces["debater:luther"] == {"at": "german", "committed": False}
    assert conversion.religion(table, "wittenberg") == "catholic"


def test_one_who_left_for_good_stays_away(kit):
    table = fresh(kit)
    enter(table)
    table.set("turn", 2)
    enter(table)
    conversion.reformer_leaves(table, "zwingli", for_good=True)
    conversion.reformer_leaves(table, "zwingli", for_good=False)
    table.set("turn", 3)
    enter(table)
    assert where(table, "reformer:zwingli") == "removed" and where(table, "debater:zwingli") == "removed"


@pytest.mark.parametrize(("option", "place"), [("wait", "off"), ("never", "removed")])
def test_maurice_without_an_electorate(kit, option, place):
    table = fresh(kit, turn=6, maurice_without_electorate=option)
    run(entry.enter_leaders(table))
    assert where(table, "leader:maurice_of_saxony") == place


def test_maurice_waits_for_an_electorate_and_joins_the_largest_stack_in_silence(kit):
    table = fresh(kit, turn=6)
    for space, number in (("wittenberg", 1), ("mainz", 2)):
        table.set(f"control:{space}", "protestant")
        table.move("protestant", "regular", number, SUPPLY, space)
    procedure = entry.enter_leaders(table)
    question = next(procedure)
    assert (question.power, question.kind) == ("protestant", "place_leader")
    assert {order.space for order in question.legal(table)} == {"wittenberg", "mainz"}
    with pytest.raises(StopIteration):
        procedure.send(question.default_answer(table))
    assert where(table, "leader:maurice_of_saxony") == "mainz"


# --- 21.5 ---


def test_marker_of_excommunication_costs_a_card_until_it_is_lifted(kit):
    table = fresh(kit)
    before = hand_size(table, "france")
    table.set("excommunicated", ["francis_i"])
    table.set("excommunication:france", True)
    table.set("minus_cards", {"england": 1, "france": 2})  # one of them of another kind
    table.set("ruler", {**table.board.state["ruler"], "france": "francis_i"})
    assert hand_size(table, "france") == before - 2
    excommunication.lift(table, "france", "peace", "9.3")
    assert hand_size(table, "france") == before - 1
    excommunication.lift(table, "france", "peace", "9.3")
    assert table.board.state["minus_cards"] == {"england": 1, "france": 1}
    assert excommunication.excommunicated(table) == ["francis_i"]


def test_marker_stays_under_the_next_ruler(kit):
    table = fresh(kit)
    table.set("ruler", {**table.board.state["ruler"], "france": "henry_ii"})
    before = hand_size(table, "france")
    table.set("excommunication:france", True)
    table.set("minus_cards", {"france": 1})
    assert hand_size(table, "france") == before - 1


def test_nobody_to_excommunicate_makes_papal_bull_unplayable(kit):
    table = fresh(kit)
    assert excommunication.why_nobody(table) is None  # France is at war with the Papacy from the start
    table.set("at_war", [])
    assert excommunication.why_nobody(table).code == "nobody_to_excommunicate"


# --- 21.6 ---


def test_equally_near_stacks_are_the_protestants_choice(kit):
    table = fresh(kit, turn=3)
    for space in ("brandenburg", "magdeburg"):
        table.move("protestant", "regular", 1, SUPPLY, space)
    procedure = league.form(table)
    question = next(procedure)
    assert (question.power, question.context["leader"]) == ("protestant", "john_frederick")
    assert {order.space for order in question.legal(table)} == {"brandenburg", "magdeburg"}


def test_troops_of_an_electorate_come_once(kit):
    table = fresh(kit)
    for side in ("protestant", "catholic", "protestant"):
        conversion.convert(table, "augsburg", side)
    assert table.board.count("augsburg", "protestant", "regular") == 2
    assert table.board.count("electorate:augsburg", "protestant", "regular") == 0


# --- 21.3 ---


@pytest.mark.parametrize(
    ("debater", "source", "zone", "number"),
    [(None, "burn_books", "english", 2), ("cajetan", "burn_books_cajetan", "english", 3),
     ("caraffa", "burn_books_caraffa", "all", 3)],
)  # fmt: skip
def test_books_burnt_without_an_action_may_have_a_debaters_bonus(kit, debater, source, zone, number):
    table = fresh(kit, turn=5)
    enter(table)
    set_religion(table, "norwich", "protestant")
    procedure = attempts.forced_burning(table, "english")
    question = next(procedure)
    assert (question.power, question.kind) == ("papacy", "debater_bonus")
    offered = {order.debater for order in question.legal(table) if isinstance(order, ChooseDebater)}
    assert offered == {"tetzel", "cajetan", "caraffa"}
    question = procedure.send(ChooseDebater(debater=debater) if debater else Pass())
    assert question.kind == "reformation_target"
    assert [question.context[key] for key in ("source", "zone", "left")] == [source, zone, number]
    assert attempts.bonus_used(table, "papacy") == bool(debater)


# --- the kit and the code agree ---


def test_every_source_of_attempts_has_its_card_or_action(kit):
    for source, row in kit.tables["attempts"].items():
        if row["card"] and source != "ninety_five_theses":
            assert BOOK.find(kit, row["card"]) is not None, source


def test_all_bonuses_of_the_kit_are_known_to_the_rules(kit):
    table = fresh(kit)
    for debater, row in kit.tables["debaters"].items():
        if row["bonus"] in ("reformation", "counter_reformation"):
            for piece in ("charles_v",):
                table.put(f"leader:{piece}", "vienna")
            reached = [space for space in kit.tables["spaces"] if attempts.bonus_reaches(table, debater, space)]
            assert reached and len(reached) < 40, debater
        if row["bonus"] == "debate" and row["bonus_number"]:
            constants = kit.constants
            assert debater in constants["debate_attack_bonus"] or debater in constants["debate_more_flips"]


def test_debates_are_held_in_three_zones(kit):
    assert sorted(debates.zones(fresh(kit))) == ["english", "french", "german"]


def test_cards_of_religion_are_written(kit):
    table = fresh(kit)
    for name in ("papal_bull", "leipzig_debate", "here_i_stand", "schmalkaldic_league", "council_of_trent"):
        assert BOOK.find(kit, BOOK.card_id(table, name)) is not None
