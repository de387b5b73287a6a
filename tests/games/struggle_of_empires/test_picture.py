"""The board of Struggle of Empires as picture and text."""

import re
from xml.etree import ElementTree

import pytest

from pbem.render.board_svg import board_svg
from pbem.render.board_text import board_text
from pbem.table.kit import load_kit
from tests.games.struggle_of_empires.views import empty_view, played_view

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def kit():
    return load_kit("struggle_of_empires")


def _parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def _texts(root: ElementTree.Element, id: str) -> list[str]:
    group = root.find(f".//*[@id='{id}']")
    return ["".join(text.itertext()).strip() for text in group.iter(f"{SVG}text")]


def _about(root: ElementTree.Element, id: str) -> str:
    area = root.find(f".//*[@id='{id}']")
    assert area.find(f"{SVG}title").text == area.get("aria-label")
    return area.get("aria-label")


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
@pytest.mark.parametrize("seats", range(2, 8))
def test_every_board_can_be_drawn_with_unique_ids(kit, seats, language):
    root = _parsed(board_svg(played_view(kit, seats, seed=seats), kit, language=language))
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {f"region-{region}" for region in kit.tables["regions"]} <= set(ids)
    assert {f"home-{empire}" for empire in kit.tables["empires"]} <= set(ids)


def test_a_board_before_anything_lies_on_it(kit):
    powers = ["austria", "russia"]
    root = _parsed(board_svg(empty_view(kit, powers), kit))
    assert _texts(root, "counters") == []
    assert _texts(root, "pieces") == ["A", "A", "R", "R"], "only those on the VP and population tracks"
    assert "War" not in root.find(f"{SVG}desc").text
    assert "A Austria" in board_text(empty_view(kit, powers), kit)


def test_pieces_are_on_the_map_and_in_the_words_of_their_region(kit):
    view = empty_view(kit, ["britain", "united_provinces"])
    view["units"]["india"] = {"united_provinces": {"control": 3, "army": 12, "fort": 1}, "britain": {"navy": 2}}
    view["units"]["home:britain"] = {"britain": {"army": 5}}
    view["pieces"]["counter:bengal"] = {"at": "india"}
    view["pieces"]["counter:jamaica"] = {"at": "caribbean"}
    view["pieces"]["counter:venice"] = {"at": "removed"}
    root = _parsed(board_svg(view, kit))
    assert {"U3", "U12", "U1", "B2", "B5"} <= set(_texts(root, "pieces"))
    assert _about(root, "region-india") == (
        "India 5/3. Great Britain 2 navies; United Provinces 3 control markers, 12 armies, 1 fort. Bengal 3 (4 gold)"
    )
    assert _about(root, "region-caribbean").endswith("Jamaica Slaves")
    assert "5 armies" in _about(root, "home-britain")
    assert sorted(_texts(root, "counters")) == ["3", "4", "Slav"]
    assert "Venice" not in board_svg(view, kit)


def test_tracks_show_where_the_campaign_stands(kit):
    view = played_view(kit, 5)
    view["state"] |= {"proposal": {"a": "spain", "b": "russia", "bid": 7, "bidder": "france"}}
    view["tracks"]["vp"] = {"britain": 0, "france": 100, "spain": 107, "russia": -4, "austria": 31}
    root = _parsed(board_svg(view, kit))
    assert root.find(f".//{SVG}text[@id='bid']").text == "Bid 7 F"
    assert root.find(f"{SVG}desc").text == "Struggle of Empires, War 2, Round 3, actions"
    table = _texts(root, "table")
    for value in ("0", "100", "107", "-4", "31"):
        assert value in table


def test_a_hidden_value_is_a_question_mark_and_a_known_one_a_number(kit):
    view = played_view(kit, 3)
    assert view["tracks"]["unrest"]["britain"] is None
    known = view["tracks"]["unrest"]["france"]
    row = next(line for line in board_text(view, kit).splitlines() if line.startswith("B Great Britain"))
    assert row.endswith(" ?")
    row = next(line for line in board_text(view, kit).splitlines() if line.startswith("F France"))
    assert row.endswith(f" {known}")
    assert _texts(_parsed(board_svg(view, kit)), "table").count("?") == 2


def test_what_changed_is_outlined_and_marked_in_the_table(kit):
    view = played_view(kit, 4)
    plain = _parsed(board_svg(view, kit))
    assert plain.find(".//*[@id='changes']/*") is None
    root = _parsed(board_svg(view, kit, highlight=["baltic", "home:russia", "supply", "nowhere"]))
    changed = [e.get("id") for e in root.iter() if "changed" in (e.get("class") or "").split()]
    assert changed == ["region-baltic", "home-russia"]
    assert len(root.findall(".//*[@id='changes']/*")) == 4
    bars = [e for e in root.find(".//*[@id='table']").iter(f"{SVG}rect") if e.get("fill") == "#ffd3ec"]
    assert len(bars) == 2, "the row of the Baltic and the row of the homes"


def test_pirates_and_blockade_are_shown_with_whose_they_are(kit):
    view = played_view(kit, 4)
    root = _parsed(board_svg(view, kit))
    assert "Pirates (Great Britain)" in _about(root, "region-india")
    assert "Blockade (France)" in _about(root, "region-caribbean")
    assert {"Pi B", "Bl F"} <= set(_texts(root, "counters"))
    text = board_text(view, kit)
    assert "Pirates (Great Britain)" in text and "Blockade (France)" in text


@pytest.mark.parametrize(
    "title",
    ["</text><script>alert(1)</script>", "\"&<>'{{ 7*7 }}", "a\x00b\x0bc\ud800d\uffff", "x" * 3000, "Война «Émile»"],
)
def test_no_title_breaks_the_picture(kit, title):
    svg = board_svg(played_view(kit, 2), kit, title=title)
    root = _parsed(svg)
    assert root.find(".//{*}script") is None
    shown = root.find(f".//{SVG}text[@id='heading']").text
    assert shown == re.sub("[\x00\x0b\ud800\uffff]", "\ufffd", title)
    svg.encode("utf-8")


def test_other_languages(kit):
    view = played_view(kit, 7)
    root = _parsed(board_svg(view, kit, language="fr"))
    assert "jetons de contrôle" in _texts(root, "key")
    assert _about(root, "region-german_states").startswith("Etats Allemands 8/5/3. ")
    assert _about(root, "land-switzerland") == "Suisse"
    text = board_text(view, kit, "fr")
    assert "Marqueurs sur la carte" in text and "Provinces Unies" in text
    assert board_text(view, kit, "xx") == board_text(view, kit, "en")


@pytest.mark.parametrize("language", ["en", "fr", "ru"])
@pytest.mark.parametrize("seats", range(2, 8))
def test_text_keeps_to_78_columns_and_tells_all_pieces(kit, seats, language):
    view = played_view(kit, seats, fullness=1.0, counters=40, seed=seats)
    text = board_text(view, kit, language)
    assert max(map(len, text.splitlines())) <= 78
    numbers = [int(n) for cell in re.findall(r"\d+/\d+/\d+/\d+", text) for n in cell.split("/")]
    lying = sum(
        number
        for place, owners in view["units"].items()
        if place not in ("supply", "pirates")
        for kinds in owners.values()
        for number in kinds.values()
    )
    assert sum(numbers) == lying


def test_a_table_too_wide_is_cut_in_parts(kit):
    view = played_view(kit, 7)
    for power in view["powers"]:
        view["units"].setdefault("baltic", {})[power] = {"control": 23, "army": 14, "navy": 7, "fort": 2}
    text = board_text(view, kit)
    assert max(map(len, text.splitlines())) <= 78
    assert text.count("23/14/7/2") == 7


def test_used_tiles_are_marked_and_equal_ones_counted(kit):
    view = empty_view(kit, ["france", "spain"])
    view["pieces"]["tile:reserve:1"] = {"at": "france", "used": True}
    view["pieces"]["tile:reserve:2"] = {"at": "france", "used": False}
    view["pieces"]["tile:reserve:4"] = {"at": "france", "used": False}
    view["pieces"]["tile:bavaria:1"] = {"at": "france", "used": False}
    text = board_text(view, kit)
    assert "France: Reserve (used), Reserve x2, Bavaria" in text
    assert "Spain: none" in text


@pytest.mark.parametrize("game", ["chess", "picture", "../struggle_of_empires", "os"])
def test_a_game_without_picture_is_refused(kit, game):
    with pytest.raises(LookupError):
        board_svg({"game": game}, kit)
