"""The board of Virgin Queen as picture and as text."""

from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import pytest

from pbem.drawing.font import text_width
from pbem.games.virgin_queen.picture import picture, world
from pbem.games.virgin_queen.picture.displays import CARD, CARD_WIDTH, _card_height, _lines
from pbem.games.virgin_queen.picture.land_and_sea import AREA, HEIGHT, SCALE, WIDTH, layout, on_map
from pbem.games.virgin_queen.picture.position import Position
from pbem.render.board_svg import board_svg
from pbem.render.board_text import board_text
from pbem.render.narrative import Teller
from pbem.table.kit import Kit, load_kit
from tests.games.virgin_queen.views import crowded_view, set_up_view

SVG = "{http://www.w3.org/2000/svg}"
LANGUAGES = ["en", "fr", "ru"]


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit("virgin_queen")


def draw(view, kit, language="en", highlight=(), title=None):
    drawn = picture(view, Teller(kit, language), highlight=frozenset(highlight), title=title)
    return {**drawn["map"], **drawn}


def texts(view, kit, language="en"):
    return [text["text"] for text in draw(view, kit, language)["displays"]["texts"]]


def with_id(svg: str, id: str) -> list[ElementTree.Element]:
    return [element for element in ElementTree.fromstring(svg).iter() if element.get("id") == id]


# --- the map of Europe ---


def test_every_space_is_there_once_at_its_place(kit):
    svg = board_svg(set_up_view(kit), kit)
    ids = [e.get("id") or "" for e in ElementTree.fromstring(svg).iter()]
    for of, table in (("space", "spaces"), ("sea", "sea_zones"), ("ocean", "ocean_zones"), ("village", "villages")):
        found = Counter(id.removeprefix(f"{of}-") for id in ids if id.startswith(f"{of}-") and id != "sea-connections")
        assert found == Counter(list(kit.tables[table])), of
    drawn = {space["id"]: (space["x"], space["y"]) for space in draw(set_up_view(kit), kit)["spaces"]}
    for (a, row), (b, other) in combinations(kit.tables["spaces"].items(), 2):
        assert drawn[a][0] - drawn[b][0] == pytest.approx((row["x"] - other["x"]) * SCALE, abs=0.3), (a, b)
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in drawn.values())


def test_connections_passes_and_waterways_are_drawn(kit):
    lines = draw(set_up_view(kit), kit)["lines"]
    assert {kind: d.count("M") for kind, d in lines.items()} == Counter(
        row["kind"] for row in kit.tables["connections"].values()
    )
    assert lines["waterway"].count("M") == 2 and lines["pass"].count("M") == 17
    svg = board_svg(set_up_view(kit), kit)
    assert [e for e in ElementTree.fromstring(svg).iter(f"{SVG}path") if e.get("class") == "waterway"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_do_not_overlap_each_other_nor_symbols(kit, language):
    for plan in (layout(kit, language), world.layout(kit, language)):
        for (a, box), (b, other) in combinations(plan.labels.items(), 2):
            assert box.overlap(other) < 25, f"{a} and {b}"
    plan = layout(kit, language)
    symbols = plan.obstacles[: len(kit.tables["spaces"])]
    for space, symbol in zip(kit.tables["spaces"], symbols, strict=True):
        for name, box in plan.labels.items():
            if name in kit.tables["spaces"]:
                assert box.overlap(symbol) < 60, f"the name {name} lies on {space}"
    assert all(box.outside(AREA) == 0 for box in plan.labels.values())


@pytest.mark.parametrize("view_of", [set_up_view, crowded_view])
def test_counters_cover_no_other_counters(kit, view_of):
    drawn = draw(view_of(kit), kit)
    for stacks in (drawn["stacks"], drawn["displays"]["world"]["stacks"]):
        for a, b in combinations(stacks, 2):
            assert a["box"].overlap(b["box"]) < 1, f"{a['place']} and {b['place']}"
    assert {s["place"] for s in drawn["stacks"]} >= {
        place for place, owners in view_of(kit)["units"].items() if place in layout(kit, "en").points and owners
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_counters_hardly_cover_a_space_even_on_the_fullest_board(kit, language):
    symbols = layout(kit, language).obstacles[: len(kit.tables["spaces"])]
    for stack in draw(crowded_view(kit), kit, language)["stacks"]:
        for space, symbol in zip(kit.tables["spaces"], symbols, strict=True):
            assert stack["box"].overlap(symbol) < 50, f"the counters of {stack['place']} lie on {space}"


# --- marks ---


def test_control_religion_capitals_jesuits_and_sieges_are_shown(kit):
    view = crowded_view(kit)
    spaces = {space["id"]: space for space in draw(view, kit)["spaces"]}
    assert spaces["metz"]["siege"] and not spaces["paris"]["siege"]
    assert spaces["london"]["university"] and not spaces["york"]["university"]
    assert spaces["london"]["outer"] and spaces["la_rochelle"]["outer"], "the capital of the Huguenots by set-up"
    assert not spaces["bordeaux"]["outer"]
    metz = next(s for s in draw(view, kit)["stacks"] if s["place"] == "metz")
    assert {(c["what"], c["text"]) for c in metz["chips"]} == {
        ("land", "4 6m"), ("land", "2m"), ("inside", "2 1m"), ("leader", "Duke of Alva"),
    }  # fmt: skip
    channel = next(s for s in draw(view, kit)["stacks"] if s["place"] == "english_channel")
    assert {c["text"] for c in channel["chips"]} == {"6A", "2G 3R"}


def test_the_world_shows_captains_patrols_colonies_and_the_way_of_the_fleet(kit):
    drawn = draw(crowded_view(kit), kit)["displays"]["world"]
    way = list(dict.fromkeys(kit.constants["fleet_zone_by_die"]))
    assert drawn["lines"]["fleet"].count("M") == len(way) - 1
    for kind in ("border", "dangerous"):
        rows = [row for row in kit.tables["ocean_connections"].values() if row["kind"] == kind]
        around = sum({row["a"], row["b"]} == {"indian_ocean", "south_pacific"} for row in rows)
        assert drawn["lines"][kind].count("M") == len(rows) + around, "the edge of the map cuts a line in two"
    chips = {stack["place"]: [chip["text"] for chip in stack["chips"]] for stack in drawn["stacks"]}
    assert chips["north_atlantic"] == ["1 patrol", "Hawkins*"], "a damaged captain has a star"
    assert chips["roanoke"] == ["colony"]
    havana = next(v for v in drawn["villages"] if v["id"] == "havana")
    assert havana["letter"] == "S" and "fortress" in havana["about"]


def test_what_changed_stands_out_on_both_maps(kit):
    changed = ["vienna", "black_sea", "antilles", "hand:france"]
    drawn = draw(set_up_view(kit), kit, highlight=changed)
    assert len(drawn["changes"]) == 1 and len(drawn["displays"]["world"]["changes"]) == 1
    svg = board_svg(set_up_view(kit), kit, highlight=changed)
    assert "changed" in with_id(svg, "space-vienna")[0].get("class")


# --- displays ---


def test_power_cards_tell_cards_treasures_keys_and_markers(kit):
    shown = " | ".join(texts(crowded_view(kit), kit))
    for told in ("Treasures 3", "piracy 4", "Captured: Zrinyi", "Philip II (dead)", "Sponsored: El Greco",
                 "Informants here: Spain", "Mercenaries for hire 4", "Jesuits ready 1", "Science: Telescope",
                 "Loot aboard: Hawkins 1", "Escorts of the treasure fleet: Spain 2 galleons"):  # fmt: skip
        assert told in shown, told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_full_power_card_is_told_to_its_end_and_within_its_box(kit, language):
    view = crowded_view(kit)
    for number, power in enumerate(("spain", "england", "france", "empire", "ottoman")):
        view["pieces"][f"informant:{power}:{number}"] = {"at": "spying:protestant"}
    for leader in ("coligny", "louis_nassau", "maurice", "william_army"):
        view["pieces"][f"leader:{leader}"] = {"at": "arrived:protestant"}
    position = Position(view, Teller(kit, language))
    drawn = draw(view, kit, language)["displays"]
    height, words = _card_height(position), [text["text"] for text in drawn["texts"]]
    assert height > CARD
    for power in position.played:
        for line in _lines(position, power, CARD_WIDTH):
            assert line in words, f"{power}: {line}"
    cards = [box for box in drawn["boxes"] if box["h"] == height]
    last = [text for text in drawn["texts"] if text["text"] in _lines(position, "protestant", CARD_WIDTH)]
    assert len(cards) == 6 and all(text["y"] < cards[0]["y"] + height for text in last)


def test_a_foreign_war_shows_both_armies(kit):
    view = set_up_view(kit)
    view["units"]["foreign_war:105"] = {"ottoman": {"regular": 3, "cavalry": 1}}
    view["units"]["foreign_war:105:enemy"] = {"independent": {"regular": 5}}
    told = "War in Persia: Ottoman 3 regulars, 1 cavalry – Independent 5 regulars"
    assert told in " ".join(texts(view, kit)) and told in " ".join(board_text(view, kit).split())


def test_influence_on_a_power_evaluated_this_turn_is_none(kit):
    view = set_up_view(kit)
    view["state"]["influence"] = {"venice": {"spain": 7}, "papacy": {"spain": 8}}
    view["state"]["turn:evaluated"] = ["venice"]
    assert "evaluated this turn" in texts(view, kit) and "8" in texts(view, kit)
    told = board_text(view, kit)
    assert "Venice: evaluated this turn" in told and "Papacy: Spain 8" in told


def test_keys_count_as_the_rules_count_them(kit):
    """12.4: a key in unrest leaves no box free; 23.6: the Protestant's in two rows."""
    view = set_up_view(kit)
    before = len(Position(view, Teller(kit)).keys("france"))
    view["state"]["unrest:paris"] = True
    assert len(Position(view, Teller(kit)).keys("france")) == before - 1
    keys = [s for s, row in kit.tables["spaces"].items() if row["kind"] == "key"]
    for key in keys:
        view["state"][f"control:{key}"] = "protestant"
    here = [key for key in keys if kit.tables["spaces"][key]["second_home"] == "dutch"]
    calm = len(keys) - 1
    assert Position(view, Teller(kit)).protestant_keys() == (len(here), calm - len(here))


def test_religion_is_told_by_region(kit):
    view = set_up_view(kit)
    found = Position(view, Teller(kit)).religion_in("scotland")
    rows = [row for row in kit.tables["spaces"].values() if row["region"] == "scotland"]
    assert found["protestant"] + found["catholic"] == len(rows) and found["unrest"] == 0
    space = next(row["id"] for row in rows if row["religion"] == "protestant")
    view["state"][f"unrest:{space}"] = True
    assert Position(view, Teller(kit)).religion_in("scotland") == {
        "protestant": found["protestant"] - 1, "catholic": found["catholic"], "unrest": 1,
    }  # fmt: skip


def test_only_the_powers_that_are_played_have_cards_and_a_place_on_the_track(kit):
    view = set_up_view(kit, "1559", ["spain", "england", "france", "protestant"])
    position = Position(view, Teller(kit))
    assert position.played == ["ottoman", "spain", "england", "france", "protestant"]
    shown = " | ".join(texts(view, kit))
    assert "H  Empire" not in shown and "S  Spain" in shown
    assert "Played by: England" in shown and "O  Ottoman" in shown, "3.2: activated, with a card, without VP"
    assert [line for line in board_text(view, kit).splitlines() if line.startswith("O Ottoman: Keys")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_displays_stay_within_the_picture(kit, language):
    context = draw(crowded_view(kit), kit, language, title="x")
    for text in context["displays"]["texts"]:
        width = text_width(text["text"], text["size"], text["bold"])
        left = text["x"] - {"start": 0, "middle": width / 2, "end": width}[text["anchor"]]
        assert left >= 0 and left + width <= WIDTH + 1, text
    for box in context["displays"]["boxes"]:
        assert box["x"] + box["w"] <= WIDTH and box["y"] + box["h"] <= context["height"]


def test_text_of_any_kind_is_escaped(kit):
    view = set_up_view(kit)
    view["state"]["phase"] = '<script>alert("x")</script>'
    assert "<script" not in board_svg(view, kit, title="a & b <c>")


def test_a_bare_view_is_drawn(kit):
    bare = {"game": kit.game, "powers": list(kit.tables["powers"]), "state": {}, "tracks": {}, "units": {},
            "pieces": {}, "piles": {}}  # fmt: skip
    assert len(draw(bare, kit)["spaces"]) == len(kit.tables["spaces"])
    assert board_text(bare, kit)


# --- what nobody may see ---


def test_hidden_cards_and_treasures_are_a_number(kit):
    view = set_up_view(kit)
    view["piles"]["hand:france"] = ["?", "?"]
    view["piles"]["treasures:france"] = ["?", "cp3:2"]
    position = Position(view, Teller(kit))
    assert position.treasures("treasures:france") == "2 (3 CP)"
    assert "Hand 2" in " | ".join(texts(view, kit))
    assert position.treasures("treasures") == "30", "of the pool nobody knows what it holds"


# --- text ---


def test_paris_lies_where_the_kit_has_it(kit):
    assert on_map(kit.tables["spaces"]["paris"]) == layout(kit, "en").points["paris"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("view_of", [set_up_view, crowded_view])
def test_text_fits_a_mail_and_tells_the_board(kit, language, view_of):
    text = board_text(view_of(kit), kit, language)
    assert max(map(len, text.splitlines())) <= 78
    assert kit.display("space", "vienna", language) in text and kit.display("village", "havana", language) in text
    if language == "en" and view_of is set_up_view:
        assert "war: Ottoman - Spain, England - France" in text
        assert "allied: France - Scotland" in text
        assert "Djerba/Tripoli: Ottoman 1 regular" in text
