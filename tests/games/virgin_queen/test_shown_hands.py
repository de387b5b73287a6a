"""9.1: the form of a hand that is shown during the talks offers what is held, to those who play, and nothing else."""

from __future__ import annotations

from pbem.campaign.forms import order_forms, read_form
from pbem.games.reformation import hands
from pbem.games.virgin_queen.room import GAME
from pbem.rehearse import arrange as lay_out
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.kit import load_kit
from pbem.table.procedure import Play, Table


def test_several_cards_can_be_shown_to_several_powers_by_the_form():
    kit = load_kit("virgin_queen")
    order = GAME.play_order(kit, "1559", GAME.seats(kit, "1559", 6, {}))
    table = Table(Board(GAME.id, order), kit, kit.settings({}), game=GAME)
    GAME.set_up(table, "1559")
    lay_out(GAME, table, "hand", {"power": "france", "cards": [40, 57]})
    lay_out(GAME, table, "treasures", {"power": "france", "kinds": ["cp2", "cp2"]})
    lay_out(GAME, table, "phase", "diplomacy")
    play = Play(GAME, table)
    play.start(RandomThrows(1))
    question = play.question_for("france")
    assert question is not None
    (form,) = (form for form in order_forms(table, question) if form.kind == "show_items")
    offered = {
        one.name: [[option.value for option in row.columns[0].options] for row in one.rows] for one in form.inputs
    }
    assert offered["cards"] == [hands.cards_of(table, "france")] * 2
    assert [row[0] for row in offered["treasures"]] == ["cp2", "cp2"]
    assert len(offered["to"]) == 5 and "france" not in offered["to"][0]
    kinds = {kind.id(): kind for kind in question.orders}
    sent = {"cards.item": ["40", "57"], "treasures.item": ["cp2"], "to.item": ["spain", "england"]}
    filled = read_form(kinds["show_items"], sent, kit)
    question.check(table, filled)
    assert filled.text() == "SHOW CARDS 40, 57 TREASURES cp2 TO spain, england"
