"""Pages and help in French and Russian hold no words of English but those of the grammar."""

from __future__ import annotations

import re

import pytest

from pbem.games import game_ids
from pbem.render.narrative import Teller
from pbem.table.kit import load_kit
from tests.web.conftest import page

ENGLISH = {"fr": r"<(first|last|about|hour|words|preset|force|language|power or minor|space or sea|url|card)>",
           "ru": r"<[a-z][a-z ]+>"}  # fmt: skip


@pytest.mark.parametrize("language", ["fr", "ru"])
@pytest.mark.parametrize("game", ["here_i_stand", "struggle_of_empires", "thirty_years_war", "virgin_queen"])
def test_what_is_to_be_filled_in_is_named_in_the_readers_language(sites, game, language):
    assert game in game_ids()
    client = sites().app.test_client()
    with client.session_transaction() as session:
        session["language"] = language
    forms = page(client, f"/games/{game}/orders").xpath("//code/text()")
    assert len(forms) > 30
    assert [form for form in forms if re.search(ENGLISH[language], form)] == []


@pytest.mark.parametrize("game", ["here_i_stand", "thirty_years_war", "virgin_queen"])
def test_operations_points_have_one_word_in_each_language(game):
    kit = load_kit(game)
    assert [Teller(kit, language).name("cp") for language in ("en", "fr", "ru")] == ["CP", "PC", "СР"]
