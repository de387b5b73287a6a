"""9.4, 14: the forms of what is paid and lost offer all that is legal, not only what costs least."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.campaign.forms import Input, order_forms, read_form
from pbem.games.reformation.battle import Lose
from pbem.games.reformation.naval import Sink
from pbem.games.virgin_queen.diplomacy.wars import PayWar
from pbem.games.virgin_queen.room import GAME
from pbem.rehearse import arrange as lay_out
from pbem.render.narrative import Teller
from pbem.table.asking import Ask
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.orders import Unreadable
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


def test_many_units_are_picked_kind_by_kind_with_what_is_owed():
    table = _table()
    table.board.units["szigetvar"] = {"ottoman": {"regular": 5, "cavalry": 4, "mercenary": 4}}
    question = Ask("ottoman", "losses", [Lose], context={"place": "szigetvar", "number": 6}, section="14")
    force = _inputs(table, question)["force"]
    assert (force.widget, force.owed) == ("picks", 6)
    assert {pick.item: pick.most for pick in force.picks} == {"regular": 5, "cavalry": 4, "mercenary": 4}
    picked = {"force:regular": ["3"], "force:cavalry": ["3"], "force:mercenary": ["0"]}
    order = read_form(Lose, picked, table.kit)
    assert order.text() == "LOSE 3 regular, 3 cavalry" and question.is_legal(table, order)
    with pytest.raises(Unreadable):
        read_form(Lose, {"force:regular": ["0"]}, table.kit)


def test_every_way_to_lose_ships_can_be_built():
    table = _table()
    table.board.units["ionian_sea"] = {"spain": {"galley": 3, "galleon": 3}}
    context = {"place": "ionian_sea", "lost": {"ship": 2}}
    fleet = _inputs(table, Ask("spain", "losses", [Sink], context=context, section="16.2"))["fleet"]
    assert {option.value for option in fleet.options} == {"2 galley", "2 galleon", "1 galley with 1 galleon"}
    assert "1 galley, 1 galleon" in {option.label for option in fleet.options}


@pytest.mark.parametrize(
    "language, label", [("fr", "2 réguliers, 1 régulier de Venise"), ("ru", "2 регулярных отряда, 1 регулярный отряд")]
)
def test_units_of_a_force_are_counted_as_one_speaks(language, label):
    told = Teller(load_kit("virgin_queen"), language).named("2 regular, 1 venice regular")
    assert told.startswith(label)
