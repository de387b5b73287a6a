"""The page of a kit: tables, columns and things by their names, in the reader's language."""

from __future__ import annotations

import re

import pytest
from lxml import html

from pbem.render.narrative import Teller
from pbem.table.kit import load_kit
from tests.lines.test_lines import GAMES


@pytest.mark.parametrize("code", ["en", "fr", "ru"])
@pytest.mark.parametrize("game", GAMES)
def test_tables_of_a_kit_are_named(sites, game, code):
    kit = load_kit(game)
    tables = {table for table, *_ in kit.rebuilt()}
    assert tables <= Teller(kit, code).words("table").keys()
    client = sites().client()
    with client.session_transaction() as session:
        session["language"] = code
    tree = html.fromstring(client.get(f"/games/{game}/kit").data)
    titles = [one.text_content() for one in tree.xpath("//*[@id='rebuilt-rows']//summary")]
    assert len(titles) == len(tables) and not any("_" in title for title in titles)
    assert not any("_" in one.text_content() for one in tree.xpath("//*[@id='rebuilt-rows']//span/small"))


@pytest.mark.parametrize("game", GAMES)
def test_no_cell_of_a_kit_stays_english_for_who_reads_russian(sites, game):
    """Names in other languages apart, which stand in columns that say so, no word is in Latin letters."""
    client = sites().client()
    with client.session_transaction() as session:
        session["language"] = "ru"
    tree = html.fromstring(client.get(f"/games/{game}/kit").data)
    column = Teller(load_kit(game), "ru").words("column")
    foreign = {column[name] for name in ("name", "name_fr", "short", "short_fr")}
    told = [one.text_content() for one in tree.xpath("//*[@id='rebuilt-rows']//li/strong")]
    for value in tree.xpath("//*[@id='rebuilt-rows']//span[@class='value']"):
        if value.xpath("string(small)") not in foreign:
            told.append(value.text_content())
    assert told and not (english := [one for one in told if re.search("[a-z]{3}", one)]), english
