"""The cards: each has a function of its name, and the nations' limits, where a case would need a long way to them."""

import re
from pathlib import Path

import pytest

from pbem.games.thirty_years_war import cards, pieces
from pbem.games.thirty_years_war.map import SIDES
from pbem.games.thirty_years_war.politics import bans, nations
from pbem.games.thirty_years_war.room import GAME
from pbem.games.thirty_years_war.upkeep import aid
from pbem.rehearse import load_case
from pbem.render.narrative import Teller, narrate
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table

CASES = Path(__file__).parents[2] / "cases" / "thirty_years_war"


@pytest.fixture
def table() -> Table:
    laid = Table(Board(GAME.id, list(SIDES)), load_kit("thirty_years_war"), game=GAME)
    GAME.set_up(laid, "campaign")
    return laid


def test_no_function_is_of_a_card_that_there_is_not(table):
    assert cards.unknown(table.kit) == []


def test_cards_that_share_a_title_have_a_function_each(table):
    assert cards.function_name(table.kit, "C6") == "edict_of_restitution"
    assert cards.function_name(table.kit, "C24") == "famines_plagues_c24"
    assert len({cards.function_name(table.kit, card) for card in table.kit.tables["cards"]}) == 110


def test_hungarians_are_bound_to_what_touches_austria_and_to_no_city(table):
    """17.H.4, T-250, INT-69."""
    hungarian = next(piece for piece in pieces.on_map(table, nation=nations.HUNGARIAN) if pieces.is_unit(piece))
    assert sorted(nations.hungarian_regions(table)) == ["austria", "bavaria", "bohemia", "hungary", "moravia", "tyrol"]
    assert nations.closed(table, hungarian, "vienna") is None
    for space in ("breslau", "regensburg"):
        assert nations.closed(table, hungarian, space).section == "17.H.4"


def test_spanish_pieces_are_bound_to_their_zone_but_for_the_infants_army(table):
    """17.Sp.2, INT-71, T-341."""
    spinola = nations.counter_of("spinola")
    assert nations.closed(table, spinola, "strasbourg") is None
    assert nations.closed(table, spinola, "wurzburg").section == "17.Sp.2"
    table.mark(spinola, infant=True)
    assert nations.closed(table, spinola, "wurzburg") is None


def test_imperial_and_bavarian_pieces_stand_apart_until_c19(table):
    """17.A.2, T-245; T-339 for Wallenstein and Tilly."""
    there = pieces.stack(table, "munich", "catholic")
    assert nations.conflict(table, there, ["imperial_militia"]).code == "nations_apart"
    assert nations.conflict(table, there, ["gallas"]).code == "nations_apart"
    table.set("event:C19", 1)
    assert nations.conflict(table, there, ["imperial_militia", "gallas"]) is None
    assert nations.conflict(table, there, ["wallenstein"]).section == "7.24"


def test_every_card_is_written_and_played_by_a_case_that_names_it(table):
    tried = set()
    for case in map(load_case, CASES.glob("*.yaml")):
        said = [str(entry[side]) for entry in case.get("play", ()) for side in SIDES if side in entry]
        played = {card for lines in said for card in re.findall(r"\b[CP][0-9]+\b", lines)}
        tried |= played & set(re.findall(r"\b[CP][0-9]+\b", case["title"]))
    assert cards.missing(table.kit) == []
    assert set(table.kit.tables["cards"]) - tried == set()


@pytest.mark.parametrize(("language", "said"), [
    ("en", ("enters a neutral region", "value 4 or more")),
    ("fr", ("région neutre", "valeur 4 ou plus")),
    ("ru", ("нейтральные области", "не ниже 4")),
])  # fmt: skip
def test_what_an_event_forbids_for_a_turn_is_told(table, language, said):
    facts = []
    table.watch = lambda _, fact: facts.append(fact)
    bans.close_neutral_ground(table, "P11")
    bans.raise_value(table, ["swedish"], 4, "C21")
    bans.hesitate(table, "leader:gallas", "P49")
    told = " ".join(paragraph.text for paragraph in narrate(facts, table.kit, language))
    assert all(words in told for words in said) and "{" not in told
    assert Teller(table.kit, language).name("leader:gallas") in told


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
def test_an_event_that_only_changes_aid_tells_what_it_does(table, language):
    """14.2: each row of the kit's ``aid_effects``, and the peace that ends one of them."""
    kit = table.kit

    def told(side, card):
        heard = []
        table.watch = lambda _, fact: heard.append(fact)
        for _ in cards.play_event(table, side, card):
            pass
        return " ".join(paragraph.text for paragraph in narrate(heard, kit, language))

    for source in kit.tables["aid_sources"]:
        table.set(f"{aid.SOURCE}{source}", aid.ON)
    teller = Teller(kit, language)
    spaniards = teller.name("spain", "aid")
    assert f"{spaniards}: +" in told("catholic", "C16").replace(" :", ":").replace("\u202f:", ":")
    for side, card in (("catholic", "C5"), ("protestant", "P20")):
        said = told(side, card)
        assert teller.name("england", "aid") in said, said
    assert {"en": "3 turns", "fr": "3 tours", "ru": "ходов: 3"}[language] in told("catholic", "C5")
