"""The board in tables, for games without a picture."""

import pytest

from pbem.render.language import find_language
from pbem.render.narrative import Teller
from pbem.table.board import SUPPLY, Board
from pbem.web import boards
from tests import toy


@pytest.mark.parametrize("code", ["en", "fr", "ru"])
def test_what_belongs_to_nobody_stands_under_no_power(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(boards, "language", lambda: find_language(code))
    view = Board(
        "toy", ["red", "blue"], tracks={"luck": {"red": 2, "blue": None}}, counters={"hours_left": 3, "reserves": None},
        piles={"deck": ["?", "?"], "hand:red": ["?"]}, sight={"hand:red": "owner"},
        units={"hill": {"red": {"unit": 4}}, SUPPLY: {"red": {"unit": 9}}},
        pieces={
            "captain:card_07": {"at": "hill", "power": "blue", "weary": True, "worn": False, "strength": 2},
            "banner:card_08": {"at": "hollow"}, "banner:card_09": {"at": SUPPLY},
        },
    )  # fmt: skip
    numbers, common, pieces = boards.tables(view, Teller(toy.kit(), code))
    assert numbers["heads"] == ["", "Red", "Blue"] and numbers["rows"] == [["luck", "2", "?"]]
    assert common["rows"] == [["hours left", "3"], ["reserves", "?"], ["deck", "2"]]
    assert [row[:2] for row in pieces["rows"]] == [["Green Hill", "Red"], ["Green Hill", "Blue"], ["Green Hollow", ""]]
    colon = "\N{NO-BREAK SPACE}:" if code == "fr" else ":"
    assert [row[2] for row in pieces["rows"][1:]] == [f"card 07 (weary, strength{colon} 2)", "card 08"]
    assert all(len(row) == len(table["heads"]) for table in (numbers, common, pieces) for row in table["rows"])


def test_an_empty_board_has_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "language", lambda: find_language("en"))
    assert boards.tables(Board("toy", ["red"]), Teller(toy.kit())) == []
    assert boards.tables(Board("toy", []), Teller(toy.kit())) == []
