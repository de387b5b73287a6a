"""Pages and help in French and Russian hold no words of English but those of the grammar."""

from __future__ import annotations

import re

import pytest

from pbem.games import game_ids
from pbem.render.narrative import Teller
from pbem.table.kit import load_kit
from pbem.web.ruled import Things
from tests.web.conftest import page

SEAT_PAGES = ("/seat", "/standing", "/messages", "/points", "/ledger")
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


def raw_words(tree):
    """The words of a page, outside lines of orders, that are ids: those with an underscore."""
    lines = "self::script or self::style or self::code or self::pre or contains(@class, 'preview')"
    said = tree.xpath("//@aria-label | //@title | //@data-effects")
    texts = [*tree.xpath(f"//text()[not(ancestor::*[{lines}])]"), *said]
    return sorted({word for text in texts for word in re.findall(r"\w*[a-z]_[a-z]\w*", text)})


@pytest.mark.parametrize("game", ["here_i_stand", "struggle_of_empires", "thirty_years_war", "virgin_queen"])
def test_no_page_shows_an_id(sites, game):
    """The pages that everybody reads and those of a seat; that no language lacks a phrase, `pbem words check` tells."""
    site = sites(game, {"thirty_years_war": 2}.get(game, 4), secret=b"7" * 32).start().play(5, 8)
    client = site.client(site.asked_seat())
    with client.session_transaction() as session:
        session["language"] = "ru"
    for path in (f"/games/{game}/orders?campaign={site.id}", f"/games/{game}/kit", *map(site.url, SEAT_PAGES)):
        assert (path, raw_words(page(client, path))) == (path, [])


@pytest.mark.parametrize("game", ["here_i_stand", "struggle_of_empires", "thirty_years_war", "virgin_queen"])
def test_whatever_can_be_ruled_has_a_russian_name(sites, game):
    """Things, what they are, and what they may be: none is left in Latin letters, numerals apart."""
    site = sites(game, {"thirty_years_war": 2}.get(game, 4), secret=b"7" * 32).start().play(5, 60)
    things = Things(site.service.view_at(site.id), Teller(site.service.kit_of(site.id), "ru"))
    said = [*things.by_label, *things.piles, *things.places]
    for thing in things.by_label.values():
        fields = things.inputs(thing)
        said += [thing.now, *(word for one in fields for word in (one.label, one.hint, *one.choices))]
    assert len(things.by_label) > 100
    assert sorted({text for text in said if re.search("[A-Za-z]{3}", re.sub(r"\b[IVX]+\b", "", text))}) == []


def test_markers_of_victory_points_are_told_apart(sites):
    site = sites("virgin_queen", 4, secret=b"7" * 32).start().play(5, 8)
    things = Things(site.service.view_at(site.id), Teller(site.service.kit_of(site.id), "fr"))
    told = [label for label in things.by_label if label.startswith("PV pour")]
    assert {"PV pour les arts (peintre, 3) (Le tableau)", "PV pour les sciences (tous, 1) (Le tableau)"} <= {*told}
    assert len(told) > 5


@pytest.mark.parametrize("game", ["here_i_stand", "struggle_of_empires", "thirty_years_war", "virgin_queen"])
def test_every_column_of_a_rebuilt_value_has_its_word(game):
    kit = load_kit(game)
    for code in ("en", "fr", "ru"):
        teller = Teller(kit, code)
        assert {column for _, _, column, _ in kit.rebuilt()} - teller.words("column").keys() == set()
        assert {table for table, *_ in kit.rebuilt()} - teller.words("table").keys() == set()
    told = [teller.kind(domain) for domain in kit.labels]
    assert [word for word in told if re.search("[a-z]", word)] == []


@pytest.mark.parametrize("game", ["here_i_stand", "thirty_years_war", "virgin_queen"])
def test_operations_points_have_one_word_in_each_language(game):
    kit = load_kit(game)
    assert [Teller(kit, language).name("cp") for language in ("en", "fr", "ru")] == ["CP", "PC", "СР"]
