"""How wide texts are, by the font itself."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pbem
from pbem.drawing import font
from pbem.drawing.font import OTHER_FONTS, font_file, glyph, text_width

LETTERS = [chr(number) for first, last in [(0x21, 0x17F), (0x400, 0x45F)] for number in range(first, last)]


@pytest.mark.parametrize("text", ["Württemberg", "Santiago de Compostela", "Побережье Северной Африки", "7 2m 1c", ""])
@pytest.mark.parametrize("bold", [False, True])
def test_a_text_is_as_wide_as_its_letters_move_on(text, bold):
    drawn = sum(glyph(letter, bold, 14)[1] for letter in text)
    assert text_width(text, 14, bold) == pytest.approx(drawn * OTHER_FONTS)
    assert text_width(text, 28, bold) == pytest.approx(2 * text_width(text, 14, bold))


def test_letters_differ_and_bold_is_wider():
    assert text_width("iiii", 10) < text_width("mmmm", 10) / 3
    assert text_width("Istanbul", 10, True) > text_width("Istanbul", 10)


def test_a_letter_that_the_font_lacks_takes_room_too():
    assert text_width("\ue000", 10) > 0


@pytest.mark.parametrize("style", ["Regular", "Bold"])
def test_the_font_comes_with_the_package_and_its_licence(style):
    assert Path(pbem.__file__).parent in Path(font_file(style)).parents
    assert "Apache License" in Path(font_file(style)).with_name("LICENSE").read_text()


def test_threads_that_draw_the_same_letters_at_once_read_them_alike():
    alone = [glyph(letter, False, 14) for letter in LETTERS]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            font._font.cache_clear()
            with ThreadPoolExecutor(8) as threads:
                drawn = [threads.submit(glyph.__wrapped__, letter, False, 14) for letter in LETTERS for _ in range(8)]
            assert [each.result() for each in drawn] == [each for each in alone for _ in range(8)]
    finally:
        sys.setswitchinterval(interval)
