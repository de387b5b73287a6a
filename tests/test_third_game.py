"""A third game is a room of data and rules: `tests/ridge` holds all of it, and nothing else was written for it."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem import games
from pbem.cli import main
from pbem.render.narrative import narrate
from pbem.service_playout import play_through
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.dice import RandomThrows, ScriptedThrows
from pbem.table.facts import BadFact, apply, apply_all, difference
from pbem.table.kit import Kit, KitError, load_kit
from pbem.table.playout import play_out
from pbem.table.procedure import Play, Table
from tests.ridge import room

SIDES = ["south", "north"]


@pytest.fixture(autouse=True)
def kit(monkeypatch: pytest.MonkeyPatch) -> Kit:
    monkeypatch.setitem(games._registered, room.GAME.id, room.GAME)  # for these tests only
    monkeypatch.setenv("PBEM_CONFIG", str(Path(room.__file__).parent / "kit"))
    return load_kit("ridge")


def table_of(kit: Kit, *dice: int) -> Table:
    table = Table(Board("ridge", list(SIDES)), kit, throws=ScriptedThrows(dice), game=room.GAME)
    room.GAME.set_up(table, "dawn")
    return table


def test_it_is_played_by_chance_with_every_promise_of_the_table_checked(kit: Kit):
    records = [play_out(room.GAME, kit, number, 2, 1) for number in range(40)]
    assert [record.failure for record in records if record.failure] == []
    assert {"climb", "rest", "fire", "stance", "pass"} <= set().union(*(record.orders for record in records))


def test_whole_campaigns_of_it_go_through_the_service(kit: Kit):
    for number in range(3):
        record = play_through("ridge", kit, number, 2, 5, restarts=0.06)
        assert record.failure is None, "\n".join([record.failure or "", *record.acts[-5:]])
        assert record.over and len(record.results) == 2


@pytest.mark.parametrize("more", [(), ("--service",), ("--pace",)])
def test_the_command_plays_it_too(more: tuple[str, ...]):
    done = CliRunner().invoke(main, ["playout", "ridge", "--seats", "2", "--games", "2", *more])
    assert done.exit_code == 0, done.output


def test_no_shared_file_names_it_or_anything_of_it():
    house = Path(games.__file__).parents[1]
    own = {room.GAME.id, "regiment", "lancers", "weary", "flipped", room.RESERVES, room.HOURS}
    for path in house.rglob("*.py"):
        texts = {n.value for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Constant)}
        assert not own & {text for text in texts if isinstance(text, str)}, path


def test_a_counter_belongs_to_nobody_and_can_be_hidden(kit: Kit):
    table = table_of(kit)
    table.counter(room.RESERVES, -1, why="rest")
    fact = table.facts[-1]
    assert fact == {"fact": "counter", "name": "reserves", "before": 3, "after": 2, "change": -1, "why": "rest"}
    masked = sight.seen_by(table.board, fact, ["north"])
    assert masked == {**fact, "before": None, "after": None}, "how it changed may be seen, not to what"
    view = sight.view(table.board, ["north"])
    assert view.counters == {"hours_left": 8, "reserves": None, "nerve:south": None, "nerve:north": 4}
    assert sight.secrets_of(table.board, ["north"]) == {"reserves": 2, "nerve:south": 4}
    apply(view, masked)
    assert view.counters["reserves"] is None and table.board.counter("reserves") == 2
    with pytest.raises(BadFact, match="reserves is 2, not 3"):
        apply(table.board, fact)


def test_a_counter_is_opened_and_comes_back_with_a_rewind(kit: Kit):
    table = table_of(kit)
    start, view = table.board.copy(), sight.view(table.board, [])
    table.counter("reserves", -2)
    table.counter("late", 1)
    table.do({"fact": "open", "name": "reserves", "content": 1})
    apply(view, table.facts[-1])
    assert view.counters["reserves"] == 1 and "reserves" not in table.board.sight
    end = table.board.copy()
    assert apply_all(end.copy(), difference(end, start)) == start
    assert apply_all(start.copy(), difference(start, end)) == end


def test_a_board_that_was_stored_before_there_were_counters_is_read():
    old = {name: part for name, part in Board("ridge", SIDES).to_json().items() if name != "counters"}
    assert Board.from_json(old).counters == {}


def test_a_piece_that_moves_keeps_its_marks(kit: Kit):
    table = table_of(kit)
    piece = "regiment:guards"
    table.mark(piece, flipped=True)
    table.shift(piece, "ridge", why="climb", weary=True)
    assert table.board.pieces[piece] == {"at": "ridge", "power": "north", "flipped": True, "weary": True}
    table.mark(piece, weary=None)
    assert table.board.pieces[piece] == {"at": "ridge", "power": "north", "flipped": True}
    facts = len(table.facts)
    table.mark(piece, flipped=True)
    assert len(table.facts) == facts, "nothing changed, and nothing is told"


def test_dice_have_the_sides_and_faces_that_the_kit_says(kit: Kit):
    table = table_of(kit, 4, 10)
    assert table.throw("weather", None, 1, "weather") == ["fog"] and table.roll("fire", "north", 1, 10) == [10]
    weather, fire = table.facts[-2:]
    assert weather["faces"] == ["fog"] and weather["die"] == "weather" and weather["sides"] == 6
    assert "fog" in narrate([weather], kit)[0].text.lower() and "⚃" not in narrate([weather], kit)[0].text
    assert "10" in narrate([fire], kit)[0].text
    assert "⚃" not in narrate([{**fire, "dice": [4]}], kit)[0].text, "a ten-sided die shows no pips of a six-sided one"


def test_what_it_leaves_out_has_a_default(kit: Kit):
    table, game = table_of(kit), room.GAME
    assert game.press_allowed(table, "north", ["south"]) is None and game.may_reorder(table)
    assert game.seat_results(table, [["north"], ["south"]]) is None and game.order_watch(kit, [SIDES]) is None


def test_a_game_that_forgets_what_it_must_have_cannot_be_made():
    class Forgetful(room.Game):
        id = "forgetful"

    with pytest.raises(TypeError, match="abstract"):
        Forgetful()  # type: ignore[abstract]


def test_the_order_of_play_is_its_own(kit: Kit):
    play = Play(room.GAME, Table(Board("ridge", room.GAME.play_order(kit, "dawn", [["north"], ["south"]])), kit))
    room.GAME.set_up(play.table, "dawn")
    play.start(RandomThrows(1))
    assert play.waiting_for() == SIDES


def test_words_of_lines_come_from_the_kit_besides_those_of_every_game(kit: Kit):
    assert kit.words("everybody") == {"all", "tutti"} and {"yes", "oui", "да"} <= kit.words("yes")
    assert Kit.from_json(kit.to_json()).words("everybody") == kit.words("everybody")
    assert kit.words("nothing") == frozenset()


def test_a_die_of_numbers_needs_no_faces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(Path(room.__file__).parent / "kit", tmp_path / "kit")
    file = tmp_path / "kit" / "games" / "ridge" / "kit.toml"
    file.write_text(file.read_text("utf-8").replace('"calm"', '"6"'), encoding="utf-8")
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "kit"))
    with pytest.raises(KitError, match="needs no faces"):
        load_kit("ridge")
