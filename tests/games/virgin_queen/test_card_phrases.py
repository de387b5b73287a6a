"""What the cases of cards bring is told in every language to all and to each power, without ids; so are questions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from pbem.games import find_game
from pbem.rehearse import Rehearsal, load_case
from pbem.render.narrative import Teller, narrate
from pbem.table import sight
from pbem.table.facts import Fact
from pbem.table.kit import Kit, load_kit
from tests.games.telling import LANGUAGES, RAW, seen_by

CASES = Path(__file__).parents[2] / "cases" / "virgin_queen"
FILES = sorted(CASES.glob("C-*.yaml"), key=lambda file: file.stem)


@cache
def kit() -> Kit:
    return load_kit("virgin_queen")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_a_card_does_is_told(file: Path, fallbacks: list[Fact], caplog: pytest.LogCaptureFixture) -> None:
    rehearsal = Rehearsal(find_game("virgin_queen"), kit(), load_case(file))
    asked = []
    took = rehearsal._took

    def after(act: str, outcome: object) -> None:
        took(act, outcome)  # type: ignore[arg-type]
        asked.extend((q.power, q.kind, dict(q.context)) for q in rehearsal.play.questions())

    rehearsal._took = after  # type: ignore[method-assign]
    rehearsal.run()
    board = rehearsal.table.board
    for language in LANGUAGES:
        teller = Teller(kit(), language)
        for reader in (sight.PUBLIC, *((power,) for power in board.powers)):
            for paragraph in narrate(seen_by(board, rehearsal.facts, reader), kit(), language):
                assert not RAW.search(paragraph.text), (language, paragraph.text)
        for power, kind, context in asked:
            title, words = teller.question(kind, context, power)
            assert title and words and not RAW.search(words), (language, kind, words)
    assert fallbacks == []
    assert not caplog.records, caplog.records[0].getMessage()
