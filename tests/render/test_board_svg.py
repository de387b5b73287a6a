"""The picture of a game is found through its room, with its template beside it, and drawn with the tools of all."""

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from pbem.render import board_svg as module
from pbem.render.board_svg import board_svg, picture_of
from pbem.render.board_text import board_text
from pbem.render.picture import board_png
from tests import toy
from tests.render import hills

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def pictured(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict]:
    """A view of the toy, which has a picture as long as the test lasts."""
    monkeypatch.setattr("pbem.games._registered", {"toy": toy.GAME})
    monkeypatch.setattr(type(toy.GAME), "picture", hills, raising=False)
    module._drawn.cache_clear()
    yield {
        "game": "toy", "powers": ["red", "blue"], "state": {"phase": "a_march"}, "tracks": {}, "piles": {},
        "units": {"hill": {"red": {"unit": 3}, "blue": {"unit": 1}}},
        "pieces": {"captain:card_07": {"at": "hollow", "power": "blue"}},
    }  # fmt: skip
    module._drawn.cache_clear()


def test_a_game_brings_its_picture_with_it(pictured: dict) -> None:
    assert picture_of("toy") is hills
    root = ElementTree.fromstring(board_svg(pictured, toy.kit(), highlight=["hollow"], title="<The hills>"))
    shown = {"".join(text.itertext()) for text in root.iter(f"{SVG}text")}
    assert shown == {"<The hills>", "3", "1", "card 07", "a march"}
    assert root.find(f".//{SVG}path[@id='region-hollow']").get("stroke") == "#c2007a"
    assert root.find(f".//{SVG}path[@id='region-hill']").get("stroke") != "#c2007a"
    assert board_text(pictured, toy.kit()) == "hill: 3 red, hill: 1 blue, hollow: 0 red, hollow: 0 blue\n"
    assert board_png(board_svg(pictured, toy.kit()), 300).startswith(b"\x89PNG")


def test_a_game_without_picture_says_so(pictured: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(toy.GAME), "picture", None, raising=False)
    for draw in (board_svg, board_text):
        with pytest.raises(LookupError):
            draw({**pictured, "state": {}}, toy.kit())
