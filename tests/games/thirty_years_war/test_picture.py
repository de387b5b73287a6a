"""The board of Thirty Years War as picture and as text."""

import struct
from collections import Counter
from itertools import combinations
from xml.etree import ElementTree

import pytest

from pbem.drawing.font import text_width
from pbem.drawing.wrapping import COLUMNS
from pbem.games.thirty_years_war.picture import picture
from pbem.games.thirty_years_war.picture.lands import AREA, LANDS, WIDTH, layout
from pbem.render.board_svg import board_svg
from pbem.render.board_text import board_text
from pbem.render.narrative import Teller
from pbem.render.picture import MAIL_WIDTH, board_png
from pbem.table.kit import load_kit
from tests.games.thirty_years_war.views import crowded_view, set_up_view

LANGUAGES = ["en", "fr", "ru"]
SCENARIOS = ["campaign", "early_war", "intervention", "apocalypse"]


@pytest.fixture(scope="module")
def kit():
    return load_kit("thirty_years_war")


def draw(view, kit, language="en", highlight=(), title=None):
    return picture(view, Teller(kit, language), highlight=frozenset(highlight), title=title)


def spaces_of(view, kit):
    return {space["id"]: space for space in draw(view, kit)["spaces"]}


def chips(view, kit, place):
    return [(c["what"], c["text"]) for stack in draw(view, kit)["stacks"] if stack["place"] == place
            for c in stack["chips"]]  # fmt: skip


# --- the map ---


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_space_and_region_is_there_once(kit, scenario):
    ids = Counter(e.get("id") for e in ElementTree.fromstring(board_svg(set_up_view(kit, scenario), kit)).iter())
    for space in kit.tables["spaces"]:
        assert ids[f"space-{space}"] == 1
    for region in kit.tables["regions"]:
        assert ids[f"region-{region}"] == ids[f"land-{region}"] == 1


def test_the_picture_says_what_it_is(kit):
    root = ElementTree.fromstring(board_svg(set_up_view(kit), kit))
    assert root.get("aria-label") == root.find("{http://www.w3.org/2000/svg}title").text
    assert root.get("aria-label").startswith(kit.name)


def test_all_roads_are_drawn_by_their_kinds(kit):
    lines = draw(set_up_view(kit), kit)["lines"]
    kinds = Counter(row["kind"] for row in kit.tables["connections"].values())
    assert {kind: d.count("M") for kind, d in lines.items()} == kinds


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_do_not_overlap(kit, language):
    plan = layout(kit, language)
    boxes = [(name["text"], name["box"]) for name in plan.names] + list(plan.labels.items())
    assert len(boxes) == 134 + 25
    for (a, box), (b, other) in combinations(boxes, 2):
        assert box.overlap(other) < 8, f"{a} and {b}"
    assert all(box.outside(AREA) == 0 for _, box in boxes)


def test_land_has_the_colour_of_its_holder_and_spaces_their_own(kit):
    view = set_up_view(kit)
    view["state"]["control:pilsen"] = "catholic"
    lands = {land["id"]: land["fill"] for land in draw(view, kit)["lands"]}
    assert (lands["bohemia"], lands["austria"], lands["baden"], lands["france"]) == (
        LANDS["protestant"], LANDS["catholic"], LANDS["neutral"], LANDS["closed"],
    )  # fmt: skip
    spaces = spaces_of(view, kit)
    assert spaces["pilsen"]["fill"] == spaces["vienna"]["fill"] != spaces["prague"]["fill"]
    assert spaces["pilsen"]["odd"] and not spaces["prague"]["odd"] and spaces["ulm"]["fill"] == "#ffffff"
    label = next(label for label in draw(view, kit)["labels"] if label["id"] == "bohemia")
    assert label["told"] == "P4 C1 / 3 · 3 VP"


def test_a_fortress_shows_its_strength_and_its_siege_modifier_in_dots(kit):
    spaces = spaces_of(set_up_view(kit), kit)
    assert (spaces["munich"]["text"], len(spaces["munich"]["pips"])) == ("5", 1)
    assert (spaces["wurzburg"]["text"], len(spaces["wurzburg"]["pips"])) == ("3", 0)
    assert spaces["budweis"]["text"] == "" and spaces["koln"]["elector"] and not spaces["ulm"]["elector"]


# --- stacks and marks ---


def test_a_full_stack_stays_readable(kit):
    view = crowded_view(kit)
    assert chips(view, kit, "leipzig-protestant") == [
        ("strength", "25"), ("siege", "S+1"), ("units", "3M 2m"), ("units", "3V"),
        ("leader", "Gustavus**"), ("leader", "Baner*"), ("leader", "Horn"),
    ]  # fmt: skip
    assert ("inside", "2M") in chips(view, kit, "leipzig-catholic")
    spaces = spaces_of(view, kit)
    assert spaces["leipzig"]["ring"] and not spaces["dresden"]["ring"]
    about = spaces["leipzig"]["about"]
    for told in ("siege +1, siege level 9", "Gustavus Adolphus** 1/6/+3/8", "5 Protestant mercenaries (2 reduced)"):
        assert told in about, told
    assert spaces["passau"]["revolt"] and spaces["graz"]["loot"] == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_stacks_do_not_cover_each_other(kit, language):
    stacks = draw(crowded_view(kit), kit, language)["stacks"]
    for a, b in combinations(stacks, 2):
        assert a["box"].overlap(b["box"]) < 1, f"{a['place']} and {b['place']}"
    assert all(stack["box"].outside(AREA) == 0 for stack in stacks)


def test_what_changed_stands_out(kit):
    context = draw(set_up_view(kit), kit, highlight=["vienna", "bohemia", "nowhere"])
    assert len(context["changes"]) == 1
    assert [label["id"] for label in context["labels"] if label["changed"]] == ["bohemia"]
    assert [space["id"] for space in context["spaces"] if space["changed"]] == ["vienna"]


# --- displays ---


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_displays_stay_within_the_picture(kit, language, scenario):
    context = draw(set_up_view(kit, scenario), kit, language, title="x")
    for text in context["displays"]["texts"]:
        width = text_width(text["text"], text["size"], text["bold"])
        left = text["x"] - {"start": 0, "middle": width / 2, "end": width}[text["anchor"]]
        assert left >= 0 and left + width <= WIDTH + 1, text
        assert not text["text"].endswith("…"), text
    for box in context["displays"]["boxes"]:
        assert box["x"] + box["w"] <= WIDTH and box["y"] + box["h"] <= context["height"]


def test_displays_tell_cards_aid_electors_and_politics(kit):
    view = set_up_view(kit, "intervention")
    view["piles"]["hand:catholic"] = ["?"] * 7
    view["counters"] |= {"aid:protestant:france": 5, "aid_spent:protestant": 2}
    view["state"] |= {"conflict": "grace", "infant_deadline": 9, "event:C42": 4}
    view["state"] |= {"turn:value_needed": {"swedish": [3, ["catholic", 43]]}}
    view["state"] |= {"turn:neutral_ground": ["protestant", 11]}
    shown = " | ".join(text["text"] for text in draw(view, kit)["displays"]["texts"])
    for told in ("hand 7 · draw pile", "Aid 3 · pay of all who can be paid", "France: pays, 5",
                 "the Pope: pays nothing",
                 "dismissed, influence 8/20", "Urban VIII", "Bavaria", "Stettin: Gustavus Adolphus** 1/6/+3/8",
                 "Without leaders: ", " a card", "must keep apart",
                 "Cardinal Infant awaited by | turn 9", "This turn | " + Teller(kit).name("C43", "card"),
                 "This turn | " + Teller(kit).name("P11", "card")):  # fmt: skip
        assert told in shown, told


def test_pay_leaves_out_who_is_paid_at_home(kit):
    view = set_up_view(kit)
    shown = [text["text"] for text in draw(view, kit)["displays"]["texts"]]
    assert "Aid 0 · pay of all who can be paid 4" in shown, "the Saxons alone: all other Catholics stand at home"
    assert "Aid 0 · pay of all who can be paid 14" in shown, "5 mercenaries and 4 militia; the Hungarians are at home"


# --- all of it ---


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_board_in_words(kit, language, scenario):
    told = board_text(set_up_view(kit, scenario), kit, language)
    assert all(len(line) <= COLUMNS for line in told.splitlines())
    teller = Teller(kit, language)
    assert teller.name("tilly") in told or scenario == "apocalypse"
    assert teller.name("vienna") in told and "_" not in told and "None" not in told
    legend = " ".join(told.split())
    assert teller.words("picture")["legend_in_words"] in legend, "what ratings of leaders and counts of regions are"


def test_a_picture_of_a_mail_is_small(kit):
    for view in (set_up_view(kit), crowded_view(kit)):
        png = board_png(board_svg(view, kit), MAIL_WIDTH)
        assert struct.unpack(">I", png[16:20])[0] == MAIL_WIDTH
        assert len(png) < 250_000


def test_the_french_board_has_its_colons_and_long_names_are_brief_on_the_map(kit):
    french = board_svg(set_up_view(kit), kit, language="fr")
    assert "Angleterre : paie" in french and "Angleterre: paie" not in french
    assert ">Francfort/Main<" in french and ">PROV.-UNIES<" in french
    assert "Francfort-sur-le-Main" in french, "whole in what is read aloud"
