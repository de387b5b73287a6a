"""The picture of a mail, in every game and language: small, soon drawn, and the first of a process hardly later."""

import time
from itertools import count
from pathlib import Path

import pytest

from pbem.campaign.settings import Settings
from pbem.games.reformation.picture import land_and_sea
from pbem.games.thirty_years_war.picture import lands
from pbem.games.virgin_queen.picture import world
from pbem.render.board_svg import _drawn, board_svg
from pbem.render.language import languages
from pbem.render.picture import board_png, mail_width
from pbem.render.warming import warm_up
from pbem.running import Running
from pbem.table.kit import load_kit
from tests import toy
from tests.games.here_i_stand import views as here_i_stand
from tests.games.struggle_of_empires import views as struggle_of_empires
from tests.games.thirty_years_war import views as thirty_years_war
from tests.games.virgin_queen import views as virgin_queen
from tests.spent import seconds

LARGEST = 250_000  # bytes
LONGEST = 0.3  # seconds
BOARDS = {
    "here_i_stand": here_i_stand.set_up_view, "here_i_stand crowded": here_i_stand.crowded_view,
    "struggle_of_empires": lambda kit: struggle_of_empires.played_view(kit, 7),
    "thirty_years_war": thirty_years_war.set_up_view, "thirty_years_war crowded": thirty_years_war.crowded_view,
    "virgin_queen": virgin_queen.set_up_view, "virgin_queen crowded": virgin_queen.crowded_view,
}  # fmt: skip
"""The crowded boards are fuller than any real one."""
LAYOUTS = {
    "here_i_stand": [land_and_sea.layout],
    "thirty_years_war": [lands.layout],
    "virgin_queen": [land_and_sea.layout, world.layout],
}


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("board", BOARDS)
def test_a_mail_holds_a_small_picture_that_is_soon_painted(board: str, language: str) -> None:
    kit = load_kit(board.split()[0])
    view = BOARDS[board](kit)
    board_svg(view, kit, language=language)
    numbers, sizes = count(), []

    def picture() -> None:
        svg = board_svg(view, kit, language=language, title=f"Campaign {next(numbers)}")  # no two are the same
        sizes.append(len(board_png(svg, mail_width(svg))))

    assert seconds(picture, tries=8, enough=LONGEST) < LONGEST
    assert max(sizes) < LARGEST


def laid_out(game: str) -> int:
    """How often the names of a game's maps were given their places."""
    return sum(layout.cache_info().misses for layout in LAYOUTS[game])


def forget(game: str) -> None:
    for layout in LAYOUTS[game]:
        layout.cache_clear()
    _drawn.cache_clear()


@pytest.mark.parametrize("game", LAYOUTS)
def test_after_a_warm_up_no_picture_waits_for_the_layout_of_a_map(game: str) -> None:
    kit = load_kit(game)
    forget(game)
    warm_up([kit, toy.kit()])
    before = laid_out(game)
    assert before == len(LAYOUTS[game]) * len(languages())
    for language in languages():
        board_svg(BOARDS[game](kit), kit, language=language)
    assert laid_out(game) == before


def test_a_service_gets_ready_to_draw_the_games_that_are_played(tmp_path: Path) -> None:
    with Running(Settings(var=tmp_path, web_port=0, domain="example.org")) as running:
        running.service.create("virgin_queen", 6)
        running.service.project()
        forget("virgin_queen")
        running.web()
        until = time.monotonic() + 60
        while laid_out("virgin_queen") < 2 * len(languages()) and time.monotonic() < until:
            time.sleep(0.05)
        assert laid_out("virgin_queen") == 2 * len(languages())
