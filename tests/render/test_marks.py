"""The marks of punctuation in French pictures."""

from __future__ import annotations

import pytest

from pbem.render.marks import french_marks


@pytest.mark.parametrize(("drawn", "spaced"), [
    ("<text>Tour: 3; Ligue</text>", "<text>Tour\u00a0: 3\u00a0; Ligue</text>"),
    ('<g aria-label="Espagne 1 armée; Russie">', '<g aria-label="Espagne 1 armée\u00a0; Russie">'),
    ('<g aria-label="Chef (2/4); Côte d&#39; Afrique">', '<g aria-label="Chef (2/4)\u00a0; Côte d&#39; Afrique">'),
    ("<style>.a { fill: red; stroke: none }</style>", "<style>.a { fill: red; stroke: none }</style>"),
    ('<path style="fill: red; stroke: none"/>', '<path style="fill: red; stroke: none"/>'),
])  # fmt: skip
def test_a_space_stands_before_colons_and_semicolons_of_what_is_told(drawn, spaced):
    assert french_marks(drawn) == spaced
