"""9.4, 14: the forms of what is paid and lost offer all that is legal, not only what costs least."""

from __future__ import annotations

from typing import Any

from pbem.campaign.forms import Input, order_forms
from pbem.games.reformation.battle import Lose
from pbem.games.virgin_queen.diplomacy.wars import PayWar
from pbem.games.virgin_queen.room import GAME
from pbem.rehearse import arrange as lay_out
from pbem.table.asking import Ask
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table


def _table(**arranged: Any) -> Table:
    kit = load_kit("virgin_queen")
    order = GAME.play_order(kit, "1559", GAME.seats(kit, "1559", 6, {}))
    table = Table(Board(GAME.id, order), kit, kit.settings({}), game=GAME)
    GAME.set_up(table, "1559")
    for step, value in arranged.items():
        lay_out(GAME, table, step, value)
    return table


def _inputs(table: Table, question: Ask) -> dict[str, Input]:
    (form,) = order_forms(table, question)
    return {made.name: made for made in form.inputs}


def _payment(table: Table, cost: int) -> dict[str, Input]:
    return _inputs(table, Ask("spain", "war_payment", [PayWar], context={"cp": cost}, section="9.4"))


def test_every_card_that_pays_for_a_war_is_offered_first():
    table = _table(hand={"power": "spain", "cards": [62, 63, 79]}, treasures={"power": "spain", "kinds": []})
    rows = _payment(table, 1)["cards"].rows
    assert {option.value for option in rows[0].columns[0].options} == {"62", "63", "79"}
    assert len(rows) == 3, "who wants to may pay too much"


def test_cards_without_which_nothing_is_paid_are_not_called_optional():
    table = _table(hand={"power": "spain", "cards": [62]}, treasures={"power": "spain", "kinds": []})
    made = _payment(table, 1)
    assert list(made) == ["cards"] and not made["cards"].optional
    assert [option.value for option in made["cards"].rows[0].columns[0].options] == ["62"]


def test_cards_and_treasures_that_pay_alone_are_both_optional():
    table = _table(hand={"power": "spain", "cards": [62]}, treasures={"power": "spain", "kinds": ["cp2"]})
    made = _payment(table, 1)
    assert made["cards"].optional and made["treasures"].optional


def test_all_that_can_be_lost_is_offered_the_default_first():
    table = _table()
    table.board.units["szigetvar"] = {"ottoman": {"regular": 2, "cavalry": 1}}
    question = Ask("ottoman", "losses", [Lose], context={"place": "szigetvar", "number": 2}, section="14")
    force = _inputs(table, question)["force"]
    assert [option.value for option in force.options] == ["1 cavalry, 1 regular", "2 regular"]
