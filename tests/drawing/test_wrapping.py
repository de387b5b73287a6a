"""Lines and tables."""

from pbem.drawing.font import text_width
from pbem.drawing.wrapping import COLUMNS, drawn_lines, table, table_in_parts, wrapped


def test_lines_of_plain_text_keep_to_the_columns_and_later_ones_are_indented():
    lines = wrapped("Hapsburgs: " + ", ".join(["Santiago-de-Compostela"] * 9))
    assert max(map(len, lines)) <= COLUMNS and len(lines) > 2
    assert all(line.startswith("    ") for line in lines[1:])
    assert wrapped("") == [""]


def test_drawn_lines_are_as_wide_as_they_are_drawn():
    text = "Venice 3\u00a0(2 gold) · " * 12
    lines = drawn_lines(text, 300, 18)
    assert all(text_width(line, 18) <= 300 for line in lines) and len(lines) > 2
    assert " ".join(lines).split() == text.split()
    assert not any(line.startswith("(") for line in lines), "a no-break space holds words together"
    assert all(text_width(f"{a} {b.split(' ')[0]}", 18) > 300 for a, b in zip(lines, lines[1:], strict=False))
    assert drawn_lines("", 10, 10) == [] and drawn_lines("Circumnavigation", 10, 10) == ["Circumnavigation"]


def test_a_table_has_its_first_column_flush_left_and_the_others_flush_right():
    assert table([["", "VP"], ["Spain", "7"], ["F", "107"]]) == ["        VP", "Spain    7", "F      107"]


def test_a_table_too_wide_goes_on_below_with_its_labels():
    labels = ["", "Baltic", "Home"]
    lines = table_in_parts(labels, [[f"P{n}", "23/14/7/2", "."] for n in range(9)], narrowest=7)
    assert max(map(len, lines)) <= COLUMNS and len(lines) == 6
    assert lines[1].startswith("Baltic") and lines[4].startswith("Baltic")
    assert sum(line.count("23/14/7/2") for line in lines) == 9
    assert table_in_parts(["x"], [["1"]], narrowest=3) == ["x   1"]
