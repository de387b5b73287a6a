"""The board of Here I Stand as picture and as text."""

import re
import struct
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import pytest

from pbem.drawing.font import text_width
from pbem.games.here_i_stand.picture import picture
from pbem.games.here_i_stand.picture.land_and_sea import AREA, HEIGHT, SCALE, WIDTH, layout, on_map
from pbem.games.here_i_stand.picture.position import Position
from pbem.render.board_svg import board_svg
from pbem.render.board_text import board_text
from pbem.render.narrative import Teller
from pbem.render.picture import board_png
from pbem.table.kit import load_kit
from tests.games.here_i_stand.views import crowded_view, set_up_view

SVG = "{http://www.w3.org/2000/svg}"
LANGUAGES = ["en", "fr", "ru"]


@pytest.fixture(scope="module")
def kit():
    return load_kit("here_i_stand")


def draw(view, kit, language="en", highlight=(), title=None):
    drawn = picture(view, Teller(kit, language), highlight=frozenset(highlight), title=title)
    return {**drawn["map"], **drawn}


def with_id(svg: str, id: str) -> list[ElementTree.Element]:
    return [element for element in ElementTree.fromstring(svg).iter() if element.get("id") == id]


# --- the map ---


def test_every_space_is_there_once_at_its_printed_position(kit):
    svg = board_svg(set_up_view(kit), kit)
    spaces = [e for e in ElementTree.fromstring(svg).iter() if (e.get("id") or "").startswith("space-")]
    assert Counter(e.get("id")[6:] for e in spaces) == Counter(list(kit.tables["spaces"]))
    assert len(spaces) == 134
    drawn = {space["id"]: (space["x"], space["y"]) for space in draw(set_up_view(kit), kit)["spaces"]}
    for (a, row), (b, other) in combinations(kit.tables["spaces"].items(), 2):
        for axis, name in enumerate("xy"):
            printed = (row[name] - other[name]) * SCALE
            assert drawn[a][axis] - drawn[b][axis] == pytest.approx(printed, abs=0.3), f"{a}, {b}: one scale for all"
    symbols = {e.get("id")[6:]: [p.get("d") for p in e if p.tag == f"{SVG}path"][-1] for e in spaces}
    for space, d in symbols.items():
        xs = [float(n) for n in re.findall(r"M(-?[\d.]+)", d)]
        assert abs(xs[0] - drawn[space][0]) < 12, f"{space} is drawn where it says"
    assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in drawn.values())


def test_all_connections_are_drawn_passes_apart(kit):
    lines = draw(set_up_view(kit), kit)["lines"]
    assert lines["open"].count("M") == 204 and lines["pass"].count("M") == 16
    x, y = on_map(kit.tables["spaces"]["barcelona"])
    assert f"{x} {y}" in lines["pass"]
    svg = board_svg(set_up_view(kit), kit)
    dashed = [e for e in ElementTree.fromstring(svg).iter(f"{SVG}path") if e.get("class") == "pass"]
    assert dashed[0].get("stroke-dasharray")


def test_ports_have_an_anchor_for_each_sea_zone(kit):
    spaces = {space["id"]: space for space in draw(set_up_view(kit), kit)["spaces"]}
    assert sum(len(space["anchors"]) for space in spaces.values()) == 75
    assert len(spaces["gibraltar"]["anchors"]) == 2
    west, east = sorted(spaces["gibraltar"]["anchors"], key=lambda a: a["x"])
    assert west["x"] < spaces["gibraltar"]["x"] < east["x"], "the Atlantic to the west, the Barbary Coast to the east"


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_do_not_overlap_each_other_nor_symbols(kit, language):
    plan = layout(kit, language)
    assert set(plan.labels) == {*kit.tables["spaces"], *kit.tables["sea_zones"]}
    for (a, box), (b, other) in combinations(plan.labels.items(), 2):
        assert box.overlap(other) == 0, f"{a} and {b}"
    symbols = plan.obstacles[: len(kit.tables["spaces"])]
    for space, symbol in zip(kit.tables["spaces"], symbols, strict=True):
        for name, box in plan.labels.items():
            if name in kit.tables["spaces"]:
                assert box.overlap(symbol) < 12, f"the name {name} lies on {space}"
    assert all(box.outside(AREA) == 0 for box in plan.labels.values())


def test_names_stand_beside_their_space(kit):
    plan = layout(kit, "en")
    for space in kit.tables["spaces"]:
        (x, y), box = plan.points[space], plan.labels[space]
        gap = max(box.x - x, x - box.u, 0) + max(box.y - y, y - box.v, 0)
        assert gap < 26, space


@pytest.mark.parametrize("view_of", [set_up_view, crowded_view])
def test_counters_cover_no_name_and_no_other_counters(kit, view_of):
    view = view_of(kit)
    stacks = draw(view, kit)["stacks"]
    plan = layout(kit, "en")
    assert {s["place"] for s in stacks} >= {place for place in view["units"] if place in plan.points}
    for a, b in combinations(stacks, 2):
        assert a["box"].overlap(b["box"]) < 1, f"{a['place']} and {b['place']}"
    covered = [(s["place"], n) for s in stacks for n, box in plan.labels.items() if s["box"].overlap(box) > 3]
    assert covered == []
    assert all(s["box"].outside(AREA) == 0 for s in stacks)


# --- marks ---


def test_control_religion_and_units_are_shown(kit):
    view = set_up_view(kit)
    view["state"]["religion:wittenberg"] = "protestant"
    view["state"]["unrest:prague"] = True
    spaces = {space["id"]: space for space in draw(view, kit)["spaces"]}
    assert spaces["wittenberg"]["protestant"] and not spaces["leipzig"]["protestant"]
    assert spaces["wittenberg"]["letter"] == "H" and spaces["wittenberg"]["foreign"]
    assert spaces["prague"]["unrest"] and spaces["prague"]["letter"] == "M"
    assert spaces["algiers"]["letter"] == "", "out of play"
    kinds = {space["id"]: space["kind"] for space in spaces.values()}
    assert (kinds["paris"], kinds["trier"], kinds["malta"], kinds["nice"]) == (
        "key", "electorate", "fortress", "unfortified",
    )  # fmt: skip
    svg = board_svg(view, kit)
    marked = with_id(svg, "space-wittenberg")[0]
    assert [e for e in marked.iter() if e.get("class") == "protestant"]
    assert "Hapsburgs" in marked.get("aria-label") and "Protestant" in marked.get("aria-label")
    istanbul = next(s for s in draw(view, kit)["stacks"] if s["place"] == "istanbul")
    assert {chip["text"] for chip in istanbul["chips"]} == {"7 1c", "1", "Suleiman", "Ibrahim"}


def test_siege_universities_and_a_fortress_by_card(kit):
    view = crowded_view(kit)
    view["state"]["fortress:nice"] = True
    spaces = {space["id"]: space for space in draw(view, kit)["spaces"]}
    assert spaces["vienna"]["siege"] and spaces["metz"]["siege"] and not spaces["paris"]["siege"]
    assert spaces["nice"]["kind"] == "fortress"
    vienna = next(s for s in draw(view, kit)["stacks"] if s["place"] == "vienna")
    assert {(c["what"], c["text"]) for c in vienna["chips"]} == {
        ("land", "9 4c"), ("inside", "3 1m"), ("leader", "Suleiman"), ("leader", "Ibrahim"), ("leader", "Ferdinand"),
    }  # fmt: skip
    assert any(space["university"] for space in spaces.values())


def test_what_changed_stands_out(kit):
    svg = board_svg(set_up_view(kit), kit, highlight=["vienna", "black_sea", "hand:france", "nowhere"])
    assert "changed" in with_id(svg, "space-vienna")[0].get("class")
    assert "changed" not in with_id(svg, "space-linz")[0].get("class")
    assert len(draw(set_up_view(kit), kit, highlight=["vienna", "black_sea", "nowhere"])["changes"]) == 2


# --- displays ---


def texts(view, kit, language="en"):
    return [text["text"] for text in draw(view, kit, language)["displays"]["texts"]]


def test_power_cards_tell_keys_cards_and_victory_points(kit):
    view = set_up_view(kit)
    shown = " | ".join(texts(view, kit))
    cards = "Hand 5, home cards 1"
    for told in ("Keys 8  (cards / VP)", "19 VP", cards, "Leo X 0/+0", "Piracy: 0/10", "Electorates 0"):
        assert told in shown
    position = Position(view, Teller(kit))
    expected = {row["power"]: row["keys"] for row in kit.tables["setup_checks"].values() if row["scenario"] == "1517"}
    assert {power: len(position.keys(power)) for power in view["powers"]} == expected
    view["state"]["unrest:paris"] = True
    assert len(Position(view, Teller(kit)).keys("france")) == expected["france"] - 1


def test_diplomatic_status_is_symmetric(kit):
    position = Position(crowded_view(kit), Teller(kit))
    assert position.relation("france", "hapsburg") == position.relation("hapsburg", "france") == "war"
    assert position.relation("hapsburg", "hungary") == "allied" and position.relation("england", "france") == ""
    shown = texts(crowded_view(kit), kit)
    wars = len(crowded_view(kit)["state"]["at_war"])
    between_majors = sum(b in position.powers for _, b in crowded_view(kit)["state"]["at_war"])
    assert shown.count("W") == wars + between_majors


def test_other_displays(kit):
    shown = " | ".join(texts(crowded_view(kit), kit))
    for told in ("Eck 3 (committed)", "New Testament 6/6", "H Aztec 2", "Ask for Divorce", "Captured: Montmorency",
                 "France 2, Barbarossa", "1x -1 Card", "Heirs: Edward",
                 "Revolt in Egypt: Ottoman 3 regular"):  # fmt: skip
        assert told in shown, told
    assert "Augsburg 2, Brandenburg 1, Cologne 1" in " | ".join(texts(set_up_view(kit), kit))
    assert "crossing: conquest, exploration" in " | ".join(texts(set_up_view(kit), kit))


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
    svg = board_svg(view, kit, title="a & b <c>")
    assert "<script" not in svg
    assert with_id(svg, "heading")[0].text == "a & b <c>"


def test_a_bare_view_is_drawn(kit):
    bare = {"game": kit.game, "powers": list(kit.tables["powers"]), "state": {}, "tracks": {}, "units": {},
            "pieces": {}, "piles": {}}  # fmt: skip
    assert len(draw(bare, kit)["spaces"]) == 134
    assert board_text(bare, kit)


# --- PNG, text, time ---


def test_png_has_the_asked_width_and_is_the_same_twice(kit):
    svg = board_svg(set_up_view(kit), kit, title="Campaign")
    png = board_png(svg, 1400)
    width, height = struct.unpack(">II", png[16:24])
    assert png.startswith(b"\x89PNG") and width == 1400
    assert height == pytest.approx(draw(set_up_view(kit), kit, title="Campaign")["height"], abs=1)
    assert board_svg(set_up_view(kit), kit, title="Campaign") == svg


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("view_of", [set_up_view, crowded_view])
def test_text_fits_a_mail_and_tells_the_board(kit, language, view_of):
    text = board_text(view_of(kit), kit, language)
    assert max(map(len, text.splitlines())) <= 78
    assert kit.display("space", "vienna", language) in text
    if language == "en" and view_of is set_up_view:
        assert "Istanbul: Ottoman 7 regulars, 1 cavalry, 1 squadron; Ibrahim Pasha, Suleiman" in text
        assert "war: Ottoman - Hungary-Bohemia, Hapsburgs - France, France - Papacy" in text
        assert "France: Milan, Turin" in text
    if language == "ru" and view_of is set_up_view:
        assert "Стамбул: Османы 7 регулярных отрядов, 1 отряд кавалерии, 1 эскадра; Ибрагим-паша, Сулейман" in (
            " ".join(text.split())
        )


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
def test_colons_stand_in_the_picture_as_the_language_sets_them(kit, language):
    texts = re.findall(">([^<>{}]+:)(?= |<)", board_svg(set_up_view(kit), kit, language=language))
    assert len(texts) > 5
    assert all(text[-2].isspace() == (language == "fr") for text in texts), texts


@pytest.mark.parametrize(("language", "siege", "points"), [
    ("en", "Vienna: besieged. Besiegers: Ottoman 9 regulars, 4 cavalry; Ibrahim Pasha, Suleiman. Within the walls: "
           "Hapsburgs 3 regulars, 1 mercenary; Ferdinand", "0 VP, 3 CP"),
    ("fr", "Vienne : assiégé. Assiégeants", "0 PV, 3 PC"),
    ("ru", "Вена: осаждён. Осаждают", "0 ПО, 3 СР"),
])  # fmt: skip
def test_the_board_in_words_tells_who_besieges_whom_on_one_line_and_points_in_the_readers_language(
    kit, language, siege, points
):
    view = crowded_view(kit)
    view["tracks"].setdefault("st_peters_cp", {})["papacy"] = 3
    view["tracks"].setdefault("st_peters_vp", {})["papacy"] = 0
    told = " ".join(board_text(view, kit, language).split())
    vienna = kit.display("space", "vienna", language)
    assert siege.replace(" :", ":") in told.replace(" :", ":").replace("\u202f:", ":") and points in told
    assert f"{vienna} (" not in told and " CP" not in told.replace(points, "")
