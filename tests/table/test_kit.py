"""The kit loader, and what must hold of the kit of Struggle of Empires."""

import copy
import csv
import hashlib
import json
import pickle
import shutil
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from pbem import resources
from pbem.table.kit import Kit, KitError, load_kit, normalise

GAME = "struggle_of_empires"


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit(GAME)


# --- the loader ---


def test_kits_lists_the_games_that_have_a_kit():
    assert GAME in resources.kits()


def test_values_are_typed_and_in_the_order_of_the_file(kit):
    with (resources.path(f"config/games/{GAME}") / "regions.csv").open(encoding="utf-8", newline="") as file:
        assert list(kit.tables["regions"]) == [row["id"] for row in csv.DictReader(file)]
    region = kit.tables["regions"]["caribbean"]
    assert (region["sea"], region["vp1"], region["vp3"], region["notes"][:4]) == (True, 5, None, "kind")
    assert kit.tables["tiles"]["portugal"]["regions"] == ("india", "south_america", "east_indies")
    assert kit.tables["tiles"]["banking"]["regions"] == ()
    assert kit.tables["region_connections"]["baltic:central_europe"]["kind"] == "land"


def test_round_trip_keeps_everything_and_the_hash(kit):
    again = Kit.from_json(kit.to_json())
    assert again == kit
    assert again.hash == kit.hash and len(kit.hash) == 64
    for part in ("tables", "constants", "options", "rulings", "scenarios", "questions", "names", "labels", "files"):
        mine, theirs = getattr(kit, part), getattr(again, part)
        assert mine == theirs
        assert list(mine) == list(theirs), f"{part} comes back in another order"
    assert list(kit.tables["counters"]) == list(again.tables["counters"])


def test_hash_does_not_depend_on_the_process(kit):
    code = f"from pbem.table.kit import load_kit; print(load_kit({GAME!r}).hash)"
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == kit.hash


def test_a_stored_kit_of_another_form_is_refused(kit):
    record = json.loads(kit.to_json()) | {"form": 99}
    with pytest.raises(KitError, match="form"):
        Kit.from_json(json.dumps(record))


def test_nobody_changes_a_kit(kit):
    with pytest.raises(TypeError):
        kit.tables["regions"]["india"]["vp1"] = 50
    with pytest.raises(TypeError):
        kit.constants.update(wars=1)
    with pytest.raises(AttributeError):
        kit.game = "chess"
    assert copy.deepcopy(kit.constants) is kit.constants
    assert pickle.loads(pickle.dumps(kit.tables["regions"])) == kit.tables["regions"]


def test_names_are_found_whatever_their_case_accents_and_language(kit):
    assert normalise("  Mines  d'OR ") == "mines_d_or"
    for text in ("united_provinces", "United Provinces", "DUTCH", "holland", "Provinces-Unies", "provinces"):
        assert kit.find("empire", text) == "united_provinces"
    for text in ("GB", "uk", "great britain", "Grande Bretagne", "britain"):
        assert kit.find("empire", text) == "britain"
    assert kit.find("unit", "Armées") == "army"
    assert kit.find("unit", "control_marker") == "control"
    assert kit.find("region", "etats allemands") == "german_states"
    assert kit.find("counter", "republique de genes") == "genoa"
    assert kit.find("empire", "голландия") == "united_provinces"
    assert kit.find("region", "atlantis") is None


def test_every_row_of_a_vocabulary_has_a_name_and_finds_itself(kit):
    tables = {"region": "regions", "empire": "empires", "tile": "tiles", "unit": "units", "counter": "counters"}
    for domain, table in tables.items():
        for id in kit.tables[table]:
            assert kit.find(domain, id) == id
            assert set(kit.labels[domain][id]) >= {"en", "fr", "ru"}
            for language in ("en", "fr", "ru"):
                assert kit.find(domain, kit.display(domain, id, language)) == id


def test_display_falls_back_to_english_then_to_the_id(kit):
    assert kit.display("tile", "pressgangs", "fr") == "Enrôlement Naval Forcé"
    assert kit.display("tile", "pressgangs", "fr_CA") == "Enrôlement Naval Forcé"
    assert kit.display("tile", "pressgangs", "de") == "Pressgangs"
    assert kit.display("place", "home_guard") == "Home guard"


def test_options_take_only_their_choices(kit):
    settings = kit.settings({"reserve_rerolls": "own_dice"})
    assert settings["reserve_rerolls"] == "own_dice"
    assert settings["unrest_sums"] == "owner"
    assert set(settings) == set(kit.options)
    with pytest.raises(ValueError, match="all_dice"):
        kit.settings({"reserve_rerolls": "some"})
    with pytest.raises(ValueError, match="true"):
        kit.settings({"banking_stacks": 1})
    with pytest.raises(ValueError, match="did you mean 'banking_stacks'"):
        kit.settings({"banking_stack": True})


def test_hours_of_an_unnamed_kind_are_the_default(kit):
    assert [kit.hours(kind) for kind in ("negotiation", "auction", "reroll", "new kind")] == [48, 72, 24, 72]


def test_rebuilt_lists_every_invented_value_and_no_other(kit):
    rebuilt = kit.rebuilt()
    assert len({(table, id, column) for table, id, column, _ in rebuilt}) == len(rebuilt)
    found = {(table, id, column): value for table, id, column, value in rebuilt}
    assert found["tiles", "army_training", "cost_gold"] == 5
    assert found["tiles", "reserve", "timing"] == "once_a_war"
    assert found["tiles", "naples", "army_bonus"] == 1
    assert found["tiles", "industry", "cost_gold"] == 2
    assert found["counters", "venice", "gold"] == 2
    assert found["map_layout", "", "provenance"] == "rebuilt"
    for known in (
        ("tiles", "industry", "cost_unrest"),
        ("tiles", "bavaria", "cost_gold"),
        ("tiles", "militia", "timing"),
        ("tiles", "sweden", "army_bonus"),
        ("tiles", "banking", "count"),
        ("regions", "india", "vp1"),
    ):
        assert known not in found
    assert {table for table, *_ in rebuilt} == {"tiles", "counters", "map_layout"}


def test_config_may_lie_elsewhere(tmp_path, monkeypatch, kit):
    _copy(tmp_path)
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path))
    _change(tmp_path, "regions.csv", "india,India,Inde,colonial,yes,5", "india,India,Inde,colonial,yes,6")
    assert load_kit(GAME).tables["regions"]["india"]["vp1"] == 6
    assert load_kit(GAME).hash != kit.hash
    assert resources.path("templates").is_dir()
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "empty"))
    assert load_kit(GAME).hash == kit.hash, "what the folder does not hold comes from the package"


@pytest.mark.parametrize("name", ["secrets", "config/../pbem", "/etc/passwd", ""])
def test_resources_do_not_leave_their_folders(name):
    with pytest.raises(ValueError):
        resources.path(name)


def test_an_unknown_game_is_answered_with_those_there_are():
    with pytest.raises(KitError, match=GAME):
        load_kit("struggle_of_empire")


# --- mistakes in a kit: each must be named with file and line ---


def _copy(tmp_path: Path) -> Path:
    folder = tmp_path / "games" / GAME
    shutil.copytree(resources.path(f"config/games/{GAME}"), folder)
    return folder


def _change(tmp_path: Path, file: str, old: str, new: str) -> None:
    path = tmp_path / "games" / GAME / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {file}"
    path.write_text(text.replace(old, new), encoding="utf-8")


# (file, text, the same text with a mistake, what must be told of the line in which it is)
MISTAKES = [
    ("regions.csv", ",european,no,8,", ",european,perhaps,8,", "column sea: 'perhaps' is not yes or no"),
    ("regions.csv", ",european,no,8,", ",european,no,eight,", "column vp1: 'eight' is not a whole number"),
    ("regions.csv", ",european,no,8,", ",european,no,,", "column vp1: it is empty and must not be"),
    ("regions.csv", ",european,no,8,", ",european,no, 8,", "column vp1: ' 8' has blanks around it"),
    ("regions.csv", "india,India,Inde,colonial", "india,India,Inde,colony", "'colony' is not one of european, col"),
    ("regions.csv", "id,name,name_fr,kind,sea", "id,name,name_fr,kind,see", "'see' is not declared in kit.toml; did"),
    ("regions.csv", "id,name,name_fr,kind,sea,", "id,name,name_fr,kind,", "column 'sea' is missing"),
    ("regions.csv", "africa,Africa,", "india,Africa,", "id 'india' is there already, in line 9"),
    ("regions.csv", "africa,Africa,Afrique,", "africa,Africa,Afrique,,", "has 11 cells, must have 10: id, name"),
    ("regions.csv", "africa,Africa,Afrique,", 'africa,"Africa,Afrique,', "is not CSV"),
    ("counters.csv", "mysore,india,", "mysore,indai,", "column region: 'indai' is not in regions.csv; did you mean"),
    ("empires.csv", "german_states;mediterranean,board", "german_states;mars,board", "'mars' is not in regions.csv"),
    ("empires.csv", "german_states;mediterranean,board", "german_states; baltic,board", "joined by ';' alone"),
    ("tiles.csv", "pressgangs,Pressgangs,", "pressgangs,Mercenaries,", "tile name 'Mercenaries' means 'mercenaries'"),
    ("names.csv", "empire,britain,en,UK\n", "empire,brittain,en,UK\n", "'brittain' is no empire; did you mean 'brit"),
    ("names.csv", "empire,britain,en,UK\n", "empires,britain,en,UK\n", "there is no domain 'empires'; did you mean"),
    ("names.csv", "empire,united_provinces,en,UP\n", "empire,united_provinces,en,UK\n", "'UK' means 'britain' already"),
    ("names.csv", "empire,britain,en,UK\n", "empire,britain,English,UK\n", "language 'English' is not like en"),
    ("kit.toml", 'default = "all_dice"', 'default = "dice"', "options.reserve_rerolls.default: option reserve_r"),
    ("kit.toml", "[options.reserve_rerolls]", '[options.reserve_rerolls]\ntext = "Which dice."', "text: Unknown field"),
    ("kit.toml", "options.home_errata = false", "options.home_errat = 0", "there is no option 'home_errat'"),
    ("kit.toml", "options.home_errata = false", "options.home_errata = 3", "option home_errata is one of"),
    ("kit.toml", 'count = "int"', 'count = "integer"', "tables.tiles.columns.count: is not one of text, int"),
    ("kit.toml", 'adjacent = "regions"', 'adjacent = "region"', "there is no table 'region'; did"),
    ("kit.toml", "negotiation = { hours = 48", 'negotiation = { hours = "48"',
     "questions.negotiation.hours: Not a valid integer."),
    ("kit.toml", "start_gold = 10", "start_gold = 10.5", "constants.start_gold: 10.5 is not a whole number"),
    ("kit.toml", "minimum = 2\n", "minimum = 2\nlowest = 1\n", "seats.lowest: Unknown field."),
    ("kit.toml", "start_gold = 10", "start_gold = ", "Invalid value"),
    ("kit.toml", 'id = "struggle_of_empires"', 'id = "struggle"', "id: 'struggle' is not the name of the folder"),
    ("map_layout.json", '"w": 1000,\n', '"w": 1000;\n', "Expecting ',' delimiter"),
]


@pytest.mark.parametrize(("file", "old", "new", "message"), MISTAKES, ids=[m[2][:40] for m in MISTAKES])
def test_a_mistake_is_named_with_file_and_line(tmp_path, monkeypatch, file, old, new, message):
    folder = _copy(tmp_path)
    right = (folder / file).read_text(encoding="utf-8").splitlines()
    _change(tmp_path, file, old, new)
    wrong = (folder / file).read_text(encoding="utf-8").splitlines()
    line = next(n for n, (a, b) in enumerate(zip(right, wrong, strict=False), start=1) if a != b)
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path))
    with pytest.raises(KitError) as caught:
        load_kit(GAME)
    matching = [p for p in caught.value.problems if message in p.message and p.file == file]
    assert matching, str(caught.value)
    assert matching[0].line == line, str(matching[0])
    assert f"{file} line {line}: " in str(caught.value)


def test_all_mistakes_are_told_at_once(tmp_path, monkeypatch):
    _copy(tmp_path)
    _change(tmp_path, "regions.csv", ",european,no,8,", ",european,no,x,")
    _change(tmp_path, "units.csv", "fort,Fort,Fort,unit,2,", "fort,Fort,Fort,unit,two,")
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path))
    with pytest.raises(KitError) as caught:
        load_kit(GAME)
    assert {problem.file for problem in caught.value.problems} >= {"regions.csv", "units.csv"}


def test_missing_stray_and_badly_encoded_files_are_named(tmp_path, monkeypatch):
    folder = _copy(tmp_path)
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path))
    (folder / "units.csv").rename(folder / "unit.csv")
    (folder / "regions.csv").write_bytes((folder / "regions.csv").read_text(encoding="utf-8").encode("latin-1"))
    with pytest.raises(KitError) as caught:
        load_kit(GAME)
    told = {(problem.file, problem.line): problem.message for problem in caught.value.problems}
    assert "missing" in told["units.csv", 0]
    assert "did you mean 'units.csv'" in told["unit.csv", 0]
    assert "0xe9 is not UTF-8" in told["regions.csv", 3]


# --- Struggle of Empires: what was checked when the facts were gathered ---


def test_counters(kit):
    counters = kit.tables["counters"].values()
    assert Counter(c["region"] for c in counters) == {
        "german_states": 7, "mediterranean": 6, "central_europe": 6, "baltic": 6, "caribbean": 6, "south_america": 6,
        "north_america": 6, "india": 6, "east_indies": 6, "ottoman_empire": 5, "africa": 5,
    }  # fmt: skip
    assert len(counters) == 65
    assert Counter(c["strength"] for c in counters if c["kind"] == "strength") == {1: 13, 2: 22, 3: 15, 4: 1}
    assert Counter(c["kind"] for c in counters) == {"strength": 51, "pop": 7, "slaves": 7}
    assert all((c["strength"] is None) == (c["kind"] != "strength") for c in counters)
    american = {"north_america", "caribbean", "south_america"}
    assert {c["region"] for c in counters if c["kind"] == "slaves"} <= american
    with_gold = [c["gold"] for c in counters if c["gold"]]
    assert (len(with_gold), sum(with_gold)) == (14, 32)
    assert [c["vp"] for c in counters if c["vp"]] == [1] * 6
    assert not [c for c in counters if c["gold"] and c["vp"]]


def test_seven_players_use_up_the_counters(kit):
    numbers = kit.constants
    drawn = 7 * numbers["start_counters_drawn"] + numbers["counters_at_start"]
    drawn += (numbers["wars"] - 1) * numbers["counters_each_war"]
    assert drawn == len(kit.tables["counters"])
    assert {int(seats): rounds for seats, rounds in numbers["rounds"].items()} == {2: 6, 3: 6, 4: 6, 5: 5, 6: 5, 7: 5}


def test_tile_counts_are_those_of_the_descriptions(kit):
    tiles = kit.tables["tiles"]
    assert {id: row["count"] for id, row in tiles.items() if row["count"] != 1} == {
        "army_training": 6, "naval_training": 3, "reserve": 4, "mercenaries": 2, "militia": 4, "logistics": 4,
        "banking": 2, "navigation": 2, "improved_agriculture": 6, "government_reform": 10, "industry": 3,
        "east_indies_company": 2, "levant_company": 2,
    }  # fmt: skip
    kinds = Counter()
    for row in tiles.values():
        kinds[row["kind"]] += row["count"]
    assert kinds == {"development": 55, "company": 9, "alliance": 11}
    assert len(tiles) == 38
    for row in tiles.values():
        assert bool(row["army_bonus"] or row["navy_bonus"]) == (
            row["kind"] == "alliance" or row["id"] in ("army_training", "naval_training")
        )
        assert (row["returns"] == "war_end") == (row["kind"] == "alliance")
    assert {id for id, row in tiles.items() if row["cost_unrest"]} == {"industry"}


def test_victory_points_and_seas(kit):
    regions = kit.tables["regions"]
    total = Counter()
    for row in regions.values():
        total[row["kind"]] += row["vp1"] + row["vp2"] + (row["vp3"] or 0)
        assert (row["vp3"] is None) == (row["kind"] == "colonial")
        assert row["vp1"] > row["vp2"] > (row["vp3"] or 0)
    assert total == {"european": 57, "colonial": 41}
    assert {id for id, row in regions.items() if not row["sea"]} == {
        "german_states", "central_europe", "ottoman_empire",
    }  # fmt: skip
    assert sum(row["sea"] for row in regions.values()) == 8


def test_ids_are_unique_over_all_tables(kit):
    ids = Counter(id for table in kit.tables.values() for id in table)
    assert [id for id, times in ids.items() if times > 1] == []


def test_pieces_of_an_empire(kit):
    assert {id: row["per_empire"] for id, row in kit.tables["units"].items()} == {
        "army": 14, "navy": 7, "fort": 2, "control": 23,
    }  # fmt: skip


def _edges(area: dict) -> set[frozenset]:
    return {
        frozenset((tuple(a), tuple(b)))
        for polygon in area["polygons"]
        for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True)
    }


def test_the_drawing_has_the_borders_of_the_tables(kit):
    layout = kit.files["map_layout"]
    areas = {area["id"]: _edges(area) for area in (*layout["regions"], *layout["homes"])}
    drawn = {frozenset(pair) for pair in combinations(areas, 2) if areas[pair[0]] & areas[pair[1]]}
    homes = set(kit.tables["empires"])
    european = {region for region, row in kit.tables["regions"].items() if row["kind"] == "european"}
    between_regions = {pair for pair in drawn if pair <= european}
    connections = kit.tables["region_connections"].values()
    assert between_regions == {frozenset((c["a"], c["b"])) for c in connections if c["kind"] == "land"}
    with_homes = {pair for pair in drawn if len(pair & homes) == 1}
    assert with_homes == {
        frozenset((id, region))
        for id, row in kit.tables["empires"].items()
        for region in row["adjacent"]
        if id != "britain"  # next to the German States by rule, over the sea
    }
    assert kit.tables["empires"]["britain"]["adjacent"] == ("german_states",)


def _inside(x: float, y: float, polygon: list) -> bool:
    inside = False
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def test_the_drawing_stays_in_its_frame(kit):
    layout = kit.files["map_layout"]
    width, height = layout["box"]["w"], layout["box"]["h"]
    panels = {panel["id"]: panel for panel in layout["panels"]}
    assert {area["id"] for area in layout["regions"]} == set(kit.tables["regions"])
    assert {area["id"] for area in layout["homes"]} == set(kit.tables["empires"])
    assert {sea["region"] for sea in layout["seas"]} == {r for r, row in kit.tables["regions"].items() if row["sea"]}
    for area in (*layout["regions"], *layout["homes"], *layout["neutral_lands"], *layout["seas"]):
        assert all(0 <= x <= width and 0 <= y <= height for polygon in area["polygons"] for x, y in polygon)
        if area["id"] != "united_provinces":  # its label stands beside it
            sea = [polygon for s in layout["seas"] if s.get("region") == area["id"] for polygon in s["polygons"]]
            label, polygons = area["label"], [*area["polygons"], *sea]
            assert any(_inside(label["x"], label["y"], polygon) for polygon in polygons), area["id"]
    for region in layout["regions"]:
        panel = panels[region["panel"]]
        assert ("navies" in region) == kit.tables["regions"][region["id"]]["sea"]
        for name in ("markers", "units", "navies", "counters"):
            if name in region:
                box = region[name]
                assert panel["x"] <= box["x"] and box["x"] + box["w"] <= panel["x"] + panel["w"], (region["id"], name)
                assert panel["y"] <= box["y"] and box["y"] + box["h"] <= panel["y"] + panel["h"], (region["id"], name)
    tracks = {name: len(track["cells"]) for name, track in layout["tracks"].items()}
    assert tracks == {"vp": 101, "population": 10, "round": 6, "war": 3, "proposal": 2, "alliance": 8}


def test_options_come_in_groups():
    kit = load_kit("thirty_years_war")
    groups = kit.grouped_options()
    assert sorted(option.id for group in groups for option in group.options) == sorted(kit.options)
    assert not groups[0].folded and all(group.folded and group.id for group in groups[1:])
    record = json.loads(kit.to_json())
    ungrouped = [{**entry, "group": ""} for entry in record["options"]]
    (only,) = Kit.from_json(json.dumps({**record, "options": ungrouped})).grouped_options()
    assert (only.folded, only.id, len(only.options)) == (True, "", len(kit.options))


def test_a_kit_stored_before_phrases_told_of_options_goes_on_under_its_hash():
    """Such a kit holds what its options and groups mean; where it lies its hash is that of what was stored."""
    now = json.loads(load_kit("thirty_years_war").to_json())
    words = {"text": "true: so; false: not so.", "text_fr": "true : si ; false : non.", "subject": "A choice"}
    options = [{**entry, **words} for entry in now["options"]]
    groups = [{**entry, "names": {"en": "Some"}} for entry in now["option_groups"]]
    record = {**now, "options": options, "option_groups": groups}
    stored = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    kit = Kit.from_json(stored)
    assert kit.hash == hashlib.sha256(stored.encode()).hexdigest() and kit.to_json() == stored
    assert kit.options == load_kit("thirty_years_war").options
    assert kit.grouped_options() == load_kit("thirty_years_war").grouped_options()


# --- provenance of columns apart, and names that several things share ---


def _small_kit(tmp_path: Path, monkeypatch, domain: str) -> Kit:
    folder = tmp_path / "config/games/small"
    folder.mkdir(parents=True)
    (folder / "kit.toml").write_text(
        'id = "small"\nname = "Small"\nversion = "1"\n[seats]\nminimum = 1\nmaximum = 2\ntable = "cards"\n'
        '[tables.cards]\nfile = "cards.csv"\nkey = "id"\n[tables.cards.columns]\nid = "text"\ntitle = "text"\n'
        f'ops = "int"\nsource = "text"\n[domains.card]\n{domain}\n[scenarios.one]\nname = "One"\ntext = "One."\n'
        "[questions]\ndefault = { hours = 1 }\n"
    )
    (folder / "cards.csv").write_text(
        "id,title,ops,source\nc1,Mutiny,1,title=rules §9; *=rebuilt\nc2,Mutiny,2,\"title,ops=rules §8 (a; b=c)\"\n"
        "c3,Fog,3,known as a sum\n"
    )
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path / "config"))
    return load_kit("small")


def test_a_source_may_speak_for_columns_apart(tmp_path, monkeypatch):
    kit = _small_kit(tmp_path, monkeypatch, 'table = "cards"')
    assert kit.rebuilt() == [("cards", "c1", "ops", 1)]


def test_a_shared_name_shows_things_and_means_none(tmp_path, monkeypatch):
    kit = _small_kit(tmp_path, monkeypatch, 'table = "cards"\ncolumns = { en = "title" }\nshared = true')
    assert [kit.display("card", card) for card in kit.tables["cards"]] == ["Mutiny", "Mutiny", "Fog"]
    assert [kit.find("card", name) for name in ("mutiny", "Fog", "C2")] == [None, "c3", "c2"]
    shutil.rmtree(tmp_path / "config")
    with pytest.raises(KitError, match="means 'c1' already"):
        _small_kit(tmp_path, monkeypatch, 'table = "cards"\ncolumns = { en = "title" }')
