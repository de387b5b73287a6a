"""The kit of Here I Stand against the counts, tables and worked examples of the rules (T-, E- and S- of the digest)."""

import re
from collections import Counter

import pytest

from pbem import resources
from pbem.table.kit import load_kit, normalise

POWERS = ["ottoman", "hapsburg", "england", "france", "papacy", "protestant"]


@pytest.fixture(scope="module")
def kit():
    return load_kit("here_i_stand")


def rows(kit, table, **wanted):
    """The rows of a table whose columns have these values."""
    return [row for row in kit.tables[table].values() if all(row[c] == v for c, v in wanted.items())]


def edges(kit, *kinds):
    """Neighbours by land: space → set of spaces, over connections of these kinds."""
    found = {space: set() for space in kit.tables["spaces"]}
    for row in kit.tables["connections"].values():
        if row["kind"] in kinds:
            found[row["a"]].add(row["b"])
            found[row["b"]].add(row["a"])
    return found


def steps(kit, start, goal):
    """How many steps of land, passes too, lead from a space to another."""
    neighbours, ring, seen, count = edges(kit, "open", "pass"), {start}, {start}, 0
    while goal not in ring:
        ring = {n for space in ring for n in neighbours[space]} - seen
        assert ring, f"{goal} cannot be reached from {start}"
        seen |= ring
        count += 1
    return count


def seas(kit):
    found = {zone: set() for zone in kit.tables["sea_zones"]}
    for row in kit.tables["sea_connections"].values():
        found[row["a"]].add(row["b"])
        found[row["b"]].add(row["a"])
    return found


# --- map ---


def test_134_spaces_of_four_kinds(kit):
    kinds = Counter(space["kind"] for space in kit.tables["spaces"].values())
    assert kinds == {"unfortified": 87, "key": 33, "fortress": 8, "electorate": 6}
    assert sum(kinds.values()) == 134
    capitals = {id: row["capital_of"] for id, row in kit.tables["spaces"].items() if row["capital_of"]}
    assert capitals == {
        "istanbul": "ottoman", "valladolid": "hapsburg", "vienna": "hapsburg", "london": "england",
        "paris": "france", "rome": "papacy",
    }  # fmt: skip
    assert all(kit.tables["spaces"][space]["kind"] == "key" for space in capitals)
    for power, row in kit.tables["powers"].items():
        assert sorted(row["capitals"]) == sorted(s for s, of in capitals.items() if of == power)


def test_home_spaces_and_language_zones(kit):
    homes = Counter(space["home"] for space in kit.tables["spaces"].values())
    assert homes["hapsburg"] == 32 and homes["protestant"] == 21 and homes["france"] == 17
    assert homes["ottoman"] == 14 and homes["england"] == 12 and homes["hungary"] == 9 and homes["papacy"] == 3
    assert homes["independent"] + 1 == 18, "16 and Rhodes; Algiers is not Ottoman before card 9"
    assert (homes["venice"], homes["scotland"], homes["genoa"]) == (4, 3, 2)
    zones = Counter(space["language"] for space in kit.tables["spaces"].values())
    assert zones == {"german": 27, "french": 24, "italian": 18, "english": 14, "spanish": 14, "": 37}
    calais = kit.tables["spaces"]["calais"]
    assert calais["language"] == "french" and calais["home"] == "england"


def test_home_keys(kit):
    keys = {power: set() for power in (*POWERS, "genoa", "hungary", "scotland", "venice", "independent")}
    for id, space in kit.tables["spaces"].items():
        if space["kind"] == "key":
            keys[space["home"]].add(id)
    assert keys == {
        "ottoman": {"istanbul", "edirne", "salonika", "athens"},
        "hapsburg": {"valladolid", "seville", "navarre", "barcelona", "naples", "antwerp", "vienna"},
        "england": {"london", "bristol", "york", "calais"},
        "france": {"paris", "rouen", "bordeaux", "lyon", "marseille"},
        "papacy": {"rome", "ravenna"},
        "protestant": set(),
        "genoa": {"genoa"},
        "hungary": {"buda", "belgrade", "prague"},
        "scotland": {"edinburgh"},
        "venice": {"venice"},
        "independent": {"metz", "milan", "florence", "tunis", "algiers"},
    }
    electorates = {id for id, space in kit.tables["spaces"].items() if space["kind"] == "electorate"}
    assert electorates == {"wittenberg", "brandenburg", "mainz", "cologne", "trier", "augsburg"}
    troops = {id: kit.tables["spaces"][id]["electorate_troops"] for id in electorates}
    assert troops == {"wittenberg": 2, "augsburg": 2, "mainz": 1, "cologne": 1, "trier": 1, "brandenburg": 1}
    assert all(kit.tables["spaces"][id]["home"] == "protestant" for id in electorates)


def test_220_connections_of_which_16_passes(kit):
    connections = list(kit.tables["connections"].values())
    assert Counter(row["kind"] for row in connections) == {"open": 204, "pass": 16}
    assert Counter(row["range"] for row in connections) == {"": 204, "pyrenees": 3, "alps": 6, "balkans": 7}
    pairs = [frozenset((row["a"], row["b"])) for row in connections]
    assert all(len(pair) == 2 for pair in pairs), "none joins a space to itself"
    assert len(set(pairs)) == len(pairs), "none is there in both directions"


def test_only_islands_and_african_ports_have_no_connection_by_land(kit):
    alone = {space for space, near in edges(kit, "open", "pass").items() if not near}
    assert alone == {
        "algiers", "bastia", "cagliari", "candia", "corfu", "malta", "oran", "palma", "rhodes", "tripoli", "tunis",
    }  # fmt: skip
    assert all(kit.tables["spaces"][space]["ports"] for space in alone)


def test_sea_zones_and_ports(kit):
    near = seas(kit)
    assert len(near) == 14 and len(kit.tables["sea_connections"]) == 16
    assert sum(len(space["ports"]) for space in kit.tables["spaces"].values()) == 75
    assert all(len(space["ports"]) <= 2 for space in kit.tables["spaces"].values())
    for a, b, port in [
        ("ionian_sea", "tyrrhenian_sea", "messina"),
        ("barbary_coast", "atlantic_ocean", "gibraltar"),
        ("black_sea", "aegean_sea", "istanbul"),
    ]:
        assert b not in near[a], "2.5: not adjacent"
        assert set(kit.tables["spaces"][port]["ports"]) == {a, b}
    assert {"irish_sea", "baltic_sea"} <= near["north_sea"], "2.5: adjacent though far apart"
    assert near["black_sea"] == set()


def test_every_place_lies_inside_the_map_and_apart_from_others(kit):
    places = [(row["x"], row["y"], id) for t in ("spaces", "sea_zones") for id, row in kit.tables[t].items()]
    assert all(0 < x < 1000 and 0 < y < 647 for x, y, _ in places)
    for i, (x, y, id) in enumerate(places):
        for u, v, other in places[i + 1 :]:
            assert (x - u) ** 2 + (y - v) ** 2 > 12**2, f"{id} and {other} lie on each other"


# --- worked examples ---


def test_example_spring_deployment(kit):
    """E-06: Paris → Marseille → Gulf of Lyon → Genoa → Pavia → Milan, no pass on the way."""
    spaces, near = kit.tables["spaces"], edges(kit, "open")
    for a, b in [("paris", "dijon"), ("dijon", "lyon"), ("lyon", "avignon"), ("avignon", "marseille")]:
        assert b in near[a]
    assert "gulf_of_lyon" in spaces["marseille"]["ports"] and "gulf_of_lyon" in spaces["genoa"]["ports"]
    assert "pavia" in near["genoa"] and "milan" in near["pavia"]


def test_example_interception(kit):
    """E-08: Pressburg to Vienna, interception from Graz, Vienna may avoid to Brünn, Linz or Graz."""
    assert edges(kit, "open")["vienna"] == {"pressburg", "graz", "brunn", "linz"}
    suleiman, charles = kit.tables["leaders"]["suleiman"], kit.tables["leaders"]["charles_v"]
    assert (suleiman["battle"], suleiman["command"], charles["battle"]) == (2, 12, 2)
    assert kit.tables["leaders"]["ibrahim"]["command"] == 6


def test_example_siege(kit):
    """E-09: Calais lies beside Brussels and Boulogne, on the North Sea."""
    assert {"brussels", "boulogne"} <= edges(kit, "open")["calais"]
    assert "north_sea" in kit.tables["spaces"]["calais"]["ports"]
    assert kit.tables["leaders"]["brandon"]["battle"] == kit.tables["leaders"]["francis_i"]["battle"] == 1


def test_example_naval_move_and_piracy(kit):
    """E-10, E-11."""
    spaces, near = kit.tables["spaces"], seas(kit)
    assert "barbary_coast" in spaces["tunis"]["ports"]
    assert {"tyrrhenian_sea", "ionian_sea"} <= near["barbary_coast"] and "aegean_sea" in near["ionian_sea"]
    assert all("ionian_sea" in spaces[port]["ports"] for port in ("messina", "malta", "corfu"))
    assert spaces["malta"]["kind"] == spaces["corfu"]["kind"] == "fortress" and spaces["messina"]["kind"] != "fortress"
    assert kit.tables["leaders"]["andrea_doria"]["battle"] == 2
    assert (kit.tables["leaders"]["barbarossa"]["battle"], kit.tables["leaders"]["barbarossa"]["piracy"]) == (2, 1)
    assert kit.tables["leaders"]["dragut"]["piracy"] == 2


@pytest.mark.parametrize(
    ("target", "protestant", "papal", "tie"),
    [
        ("lubeck", 3, 3, "protestant"),
        ("stettin", 3, 1, "protestant"),
        ("breslau", 6, 1, "papacy"),
        ("prague", 4, 5, "papacy"),
        ("leipzig", 4, 4, "protestant"),
        ("magdeburg", 6, 3, "protestant"),
    ],
)
def test_example_reformation_dice(kit, target, protestant, papal, tie):
    """E-14: Wittenberg (Luther, troops) and Brandenburg (troops) are Protestant, Hungarians stand in Prague."""
    near, c = edges(kit, "open")[target], kit.constants
    converted, catholic_stacks = {"wittenberg", "brandenburg"}, {"prague"}
    side = len(near & converted) * (c["reformation_space_dice"] + c["reformation_stack_dice"])
    side += c["reformation_reformer_dice"] * ("wittenberg" in near)
    other = len(near - converted) * c["reformation_space_dice"]
    other += len(near & catholic_stacks) * c["reformation_stack_dice"]
    other += c["reformation_stack_in_space_dice"] * (target in catholic_stacks)
    theses = kit.tables["attempts"]["ninety_five_theses"]
    assert (side + theses["bonus_dice"], other) == (protestant, papal)
    inside = kit.tables["spaces"][target]["language"] == theses["zone"]
    assert ("protestant" if inside else "papacy") == tie


def test_example_debate(kit):
    """E-15: Eck 7 dice, Luther 6, Aleander 5, Melanchthon 5, Carlstadt committed 2."""
    debaters, c = kit.tables["debaters"], kit.constants
    assert debaters["eck"]["value"] + c["debate_attack_dice"] + debaters["eck"]["bonus_number"] == 7
    assert debaters["luther"]["value"] + c["debate_defence_uncommitted"] == 6
    assert debaters["aleander"]["value"] + c["debate_attack_dice"] == 5
    assert debaters["melanchthon"]["value"] + c["debate_defence_uncommitted"] == 5
    assert debaters["carlstadt"]["value"] + c["debate_defence_committed"] == 2


def test_example_winter_and_negotiation(kit):
    """E-16: Ravenna and Florence are two steps from Trent; E-05: Antwerp and Brussels three from Besançon."""
    assert steps(kit, "trent", "ravenna") == steps(kit, "trent", "florence") == 2
    assert steps(kit, "besancon", "antwerp") == steps(kit, "besancon", "brussels") == 3
    assert "geneva" in edges(kit, "pass")["turin"] and "besancon" in edges(kit, "open")["geneva"]


def test_example_exploration(kit):
    """E-17: Orellana 6 + 3 finds the Mississippi; order by value, ties by power."""
    values = {id: kit.tables["explorers"][id]["value"] for id in ("orellana", "verrazano", "rut", "cabot_hapsburg")}
    assert values == {"orellana": 3, "verrazano": 2, "rut": 1, "cabot_hapsburg": 1}
    assert kit.tables["discoveries"]["mississippi"]["roll"] == 6 + 3
    assert kit.constants["explore_lost_to"] == 3 + 1 and kit.constants["circumnavigation_from"] == 8 + 1 + 1


@pytest.mark.parametrize(
    ("power", "open_keys", "bonus_of", "cards"), [("france", 8, "francis_i", 5), ("ottoman", 7 - 2, "suleiman", 4)]
)
def test_example_cards_dealt(kit, power, open_keys, bonus_of, cards):
    """E-04: keys in unrest cover a box more."""
    base = kit.tables["key_tracks"][f"{power}:{open_keys}"]["cards"]
    assert base + kit.tables["rulers"][bonus_of]["card_bonus"] == cards


# --- cards ---


def test_110_cards_of_which_37_enter_later(kit):
    cards = kit.tables["cards"]
    assert [int(id) for id in cards] == list(range(1, 111)) and kit.constants["cards_in_deck"] == 110
    entry = Counter(card["entry"] for card in cards.values())
    assert entry == {"start": 73, "turn": 31, "turn_condition": 2, "variable": 4}
    later = {card["number"] for card in cards.values() if card["entry"] != "start"}
    assert later == {*range(14, 24), *range(38, 65)}
    assert all((card["turn"] is not None) == card["entry"].startswith("turn") for card in cards.values())
    assert {card["number"] for card in cards.values() if card["condition"]} == {19, 21, 23, 62, 63, 64}
    turns = Counter(card["turn"] for card in cards.values() if card["entry"] == "turn")
    assert turns == {3: 7, 4: 11, 5: 5, 6: 6, 7: 2}


def test_kinds_and_command_points(kit):
    cards = kit.tables["cards"].values()
    kinds = Counter(card["kind"] for card in cards)
    assert kinds == {"home": 7, "mandatory": 16, "combat": 7, "response": 8, "event": 72}
    assert sum(card["cp"] for card in cards) == 311
    assert sum(card["cp"] for card in cards if card["kind"] != "home") == 279
    assert all(card["cp"] == kit.constants["mandatory_cp"] for card in cards if card["kind"] == "mandatory" and
               card["number"] not in kit.constants["mandatory_cp_none"])  # fmt: skip
    owners = Counter(card["owner"] for card in cards if card["kind"] == "home")
    assert owners == {power: 2 if power == "papacy" else 1 for power in POWERS}
    for power in POWERS:
        home = [str(c["number"]) for c in cards if c["kind"] == "home" and c["owner"] == power]
        assert list(kit.tables["powers"][power]["home_cards"]) == home
    assert {c["number"] for c in cards if c["marker"]} == {37, 39, 90}, "6.1: three last to the end of the turn"
    forced = {c["number"]: c["forced_in_winter"] for c in cards if c["forced_in_winter"]}
    assert forced == {10: 2, 9: 3, 13: 4, 14: 4, 15: 6}, "19.8"
    assert [c["number"] for c in cards if c["removed"] == "no" and c["kind"] == "mandatory"] == [12, 17], "6.1"


def test_every_card_has_its_effect_and_every_half_one(kit):
    halves = {}
    for effect in kit.tables["card_effects"].values():
        halves.setdefault(str(effect["card"]), []).append(effect["half"])
    assert list(halves) == list(kit.tables["cards"])
    for id, card in kit.tables["cards"].items():
        assert list(card["halves"]) == (halves[id] if len(halves[id]) > 1 else []), id
    assert not [e for e in kit.tables["card_effects"].values() if "[" in e["text"] or "Fate" in e["text"]]


def test_numbers_of_cards_agree_with_the_tables_of_attempts(kit):
    attempts = kit.tables["attempts"]
    assert {k: v["attempts"] for k, v in attempts.items() if v["kind"] == "reformation"} == {
        "ninety_five_theses": 5, "treatise": 2, "treatise_carlstadt": 3, "treatise_calvin": 3, "treatise_england": 2,
        "new_testament": 6, "bible": 6, "a_mighty_fortress": 6, "affair_of_the_placards": 3, "calvins_institutes": 5,
        "book_of_common_prayer": 4, "dissolution_of_the_monasteries": 3, "marburg_colloquy": None, "erasmus": 4,
        "katherina_bora": 5, "printing_press": 3,
    }  # fmt: skip
    for row in attempts.values():
        if row["card"] and row["debater"]:
            assert kit.tables["cards"][row["card"]]["uses_debater"] == row["debater"]
    assert kit.options["placards_attempts"].default == attempts["affair_of_the_placards"]["attempts"]
    for id, debater in (("treatise_carlstadt", "carlstadt"), ("burn_books_caraffa", "caraffa")):
        assert attempts[id]["attempts"] == kit.tables["debaters"][debater]["bonus_number"]


# --- people ---


def test_29_debaters(kit):
    debaters = kit.tables["debaters"].values()
    assert Counter(d["power"] for d in debaters) == {"protestant": 17, "papacy": 12}
    assert all(bool(d["language"]) == (d["power"] == "protestant") for d in debaters)
    assert {d["id"] for d in debaters if d["entry_reformer"]} == {"cranmer", "coverdale", "latimer"}
    start = {d["id"] for d in debaters if d["entry_turn"] == 1}
    assert start == {
        "luther", "melanchthon", "bucer", "carlstadt", "eck", "campeggio", "aleander", "tetzel", "cajetan",
    }  # fmt: skip
    per_turn = Counter(d["entry_turn"] for d in debaters if d["entry_turn"])
    assert per_turn == {1: 9, 2: 4, 3: 1, 4: 4, 5: 2, 6: 5, 7: 1}
    assert {r["id"]: r["space"] for r in kit.tables["reformers"].values()} == {
        "luther": "wittenberg", "zwingli": "zurich", "calvin": "geneva", "cranmer": "london",
    }  # fmt: skip


def test_rulers(kit):
    ratings = {r["id"]: (r["admin_rating"], r["card_bonus"]) for r in kit.tables["rulers"].values()}
    assert len(ratings) == 14
    assert ratings["luther"] == (2, 0), "example of 11.1: passes with two cards"
    entered = {r["entry_card"] for r in kit.tables["rulers"].values() if r["entry_card"]}
    assert entered == {"10", "14", "16", "19", "20", "21", "22", "23"}


# --- tables ---


def test_key_tracks_end_where_all_square_markers_are_on_the_map(kit):
    for power in POWERS[:5]:
        track = rows(kit, "key_tracks", power=power)
        assert [box["keys"] for box in track] == list(range(len(track)))
        assert [box["auto_win"] for box in track] == [False] * (len(track) - 1) + [True]
        assert track[-1]["keys"] == kit.tables["powers"][power]["square_markers"]
        assert track[0]["cards"] == kit.constants["minimum_base_cards"] and track[0]["vp"] == 0
        values = [(box["cards"], box["vp"]) for box in track[:-1]]
        assert values == sorted(values)
    assert not rows(kit, "key_tracks", power="protestant")


def test_protestant_spaces_track(kit):
    track = list(kit.tables["protestant_track"].values())
    assert [box["spaces"] for box in track] == list(range(kit.constants["religious_victory_spaces"] + 1))
    assert all(box["papal_vp"] + box["protestant_vp"] == 15 for box in track[:-1])
    assert track[-1]["auto_win"] and not any(box["auto_win"] for box in track[:-1])


def test_actions_differ_by_power_only_where_the_rules_say(kit):
    costs = {a["id"]: {p: a[p] for p in POWERS if a[p] is not None} for a in kit.tables["actions"].values()}
    assert len(costs) == 21
    assert {a for a, c in costs.items() if len(set(c.values())) > 1} == {"colonize", "publish_treatise"}
    assert set(costs["initiate_piracy"]) == set(costs["raise_cavalry"]) == set(costs["build_corsair"]) == {"ottoman"}
    assert "protestant" not in costs["naval_move"] and "ottoman" not in costs["buy_mercenary"]
    once = [a["id"] for a in kit.tables["actions"].values() if a["once_a_turn"]]
    assert once == ["explore", "colonize", "conquer"]


def test_war_costs_are_there_for_every_pair(kit):
    pairs = {frozenset((r["power"], r["target"])): r["cp"] for r in rows(kit, "war_costs", kind="major")}
    assert len(pairs) == 15
    never = {pair for pair, cp in pairs.items() if cp is None}
    assert never == {frozenset(pair) for pair in kit.constants["peace_never"]}
    for minor in ("genoa", "hungary", "scotland", "venice"):
        barred = set(kit.tables["minors"][minor]["no_declaration_by"])
        for row in rows(kit, "war_costs", target=minor):
            expected = None if row["power"] in barred else kit.constants["minor_declaration_cp"]
            assert row["cp"] == expected, f"9.6: {row['power']} on {minor}"


def test_riches_cover_all_rolls(kit):
    assert [int(roll) for roll in kit.tables["riches"]] == list(range(2, 13))
    assert [int(roll) for roll in kit.tables["raiders"]] == list(range(1, 7))
    assert [row["box"] for row in kit.tables["wives"].values()] == list(range(7))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_seatings_share_out_all_powers(kit, players):
    seats = rows(kit, "seatings", players=players)
    assert len(seats) == players
    assert sorted(power for seat in seats for power in seat["powers"]) == sorted(POWERS)
    assert kit.seats["minimum"] <= players <= kit.seats["maximum"]


# --- set-ups ---


def units_of(kit, scenario, variant):
    return [u for u in rows(kit, "setup_units", scenario=scenario) if u["variant"] in ("", variant)]


@pytest.mark.parametrize("scenario", ["1517", "1532"])
@pytest.mark.parametrize("variant", ["papal_florence", "independent_florence"])
def test_set_up_stays_within_the_counters(kit, scenario, variant):
    counters = list(kit.tables["counters"].values())
    used = Counter()
    for unit in units_of(kit, scenario, variant):
        used[unit["power"], unit["unit"]] += unit["count"]
    for row in rows(kit, "setup_electorates", scenario=scenario):
        used["protestant", "regular"] += row["regulars"]
    for (power, unit), number in used.items():
        there = sum(
            c["counters"] * max(c["denomination"], c["back_denomination"] or 0 if c["back_unit"] == unit else 0)
            for c in counters
            if c["power"] == power and unit in (c["unit"], c["back_unit"])
        )
        assert number <= there, f"{power} {unit}"
    for power in POWERS:
        ships = used[power, "squadron"] + used[power, "corsair"]
        assert ships <= sum(c["counters"] for c in counters if c["power"] == power and c["unit"] == "squadron")


@pytest.mark.parametrize("scenario", ["1517", "1532"])
def test_set_up_names_every_space_once_and_stands_on_friendly_ground(kit, scenario):
    control = {row["space"]: row["control"] for row in rows(kit, "setup_spaces", scenario=scenario)}
    religion = {row["space"]: row["religion"] for row in rows(kit, "setup_spaces", scenario=scenario)}
    assert list(control) == list(kit.tables["spaces"])
    for space, row in kit.tables["spaces"].items():
        unchanging = row["home"] == "ottoman" or space == "algiers"
        assert (religion[space] == "") == unchanging, f"2.3: {space}"
    for unit in units_of(kit, scenario, "independent_florence"):
        holder = control[unit["place"]]
        allies = {"hungary": "hapsburg"} if scenario == "1532" else {}
        assert holder in (unit["power"], allies.get(unit["power"]), "independent"), unit
    protestants = sum(r == "protestant" for r in religion.values())
    assert protestants == {"1517": 0, "1532": 19}[scenario]


def test_set_up_1517(kit):
    units = Counter()
    for unit in units_of(kit, "1517", ""):
        units[unit["power"], unit["unit"]] += unit["count"]
    assert units["ottoman", "regular"] == 10 and units["ottoman", "squadron"] == 3
    assert units["hapsburg", "regular"] == 19 and units["hungary", "regular"] == 7
    control = {row["space"]: row["control"] for row in rows(kit, "setup_spaces", scenario="1517")}
    assert control["milan"] == "france" and control["tunis"] == "hapsburg", "22.6"
    assert control["metz"] == control["florence"] == "independent" and control["algiers"] == ""
    protestant_homes = [s for s, row in kit.tables["spaces"].items() if row["home"] == "protestant"]
    assert {control[space] for space in protestant_homes} == {"hapsburg"}
    wars = {(r["a"], r["b"]) for r in rows(kit, "setup_relations", scenario="1517", relation="war")}
    assert wars == {("hapsburg", "france"), ("france", "papacy"), ("ottoman", "hungary")}


@pytest.mark.parametrize("scenario", ["1517", "1532"])
def test_set_up_totals_follow_from_tracks(kit, scenario):
    """VP, keys and hands of `setup_checks`, computed anew; 1532 there with a Papal Florence."""
    control = {row["space"]: row["control"] for row in rows(kit, "setup_spaces", scenario=scenario)}
    religion = {row["space"]: row["religion"] for row in rows(kit, "setup_spaces", scenario=scenario)}
    if scenario == "1532":
        control |= {"florence": "papacy"}
    tracks = Counter()
    for row in rows(kit, "setup_tracks", scenario=scenario):
        if row["track"].endswith("_vp"):
            tracks[row["power"]] += row["value"]
    spaces, league = kit.tables["spaces"], scenario == "1532"
    track = kit.tables["protestant_track"][str(sum(r == "protestant" for r in religion.values()))]
    allied = {r["b"]: r["a"] for r in rows(kit, "setup_relations", scenario=scenario, relation="minor_ally")}
    for check in rows(kit, "setup_checks", scenario=scenario):
        power = check["power"]
        held = [s for s, by in control.items() if allied.get(by, by) == power]
        keys = sum(spaces[s]["kind"] == "key" for s in held)
        electorates = [s for s in held if spaces[s]["kind"] == "electorate"]
        ruler = next(r["ruler"] for r in rows(kit, "setup_rulers", scenario=scenario, power=power))
        vp = tracks[power]
        if power == "protestant":
            vp += track["protestant_vp"]
            vp += kit.constants["electorate_vp_protestant"] * sum(religion[s] == "protestant" for s in electorates)
            many = len(electorates) >= kit.constants["protestant_electorates_many"]
            cards = kit.constants["protestant_cards_many" if many else "protestant_cards"]
            keys = 0
        else:
            vp += kit.tables["key_tracks"][f"{power}:{keys}"]["vp"]
            cards = kit.tables["key_tracks"][f"{power}:{keys}"]["cards"]
        if power == "papacy":
            vp += track["papal_vp"]
        if power == "hapsburg" and league:
            vp += kit.constants["electorate_vp_hapsburg"] * len(electorates)
        for row in rows(kit, "setup_new_world", scenario=scenario, kind="discovery", power=power):
            vp += kit.tables["discoveries"][row["id"]]["vp"]
        cards += kit.tables["rulers"][ruler]["card_bonus"]
        assert (vp, keys, cards) == (check["vp"], check["keys"], check["cards"]), power


def test_cards_out_of_1532_are_those_marked(kit):
    out = {r["card"] for r in rows(kit, "setup_cards", scenario="1532", pile="removed")}
    assert out == {id for id, card in kit.tables["cards"].items() if not card["in_1532"]}


# --- the whole ---


def test_every_open_question_is_an_option(kit):
    sections = [option.section for option in kit.options.values()] + [one["section"] for one in kit.rulings.values()]
    text = resources.path("config/games/here_i_stand/kit.toml").read_text(encoding="utf-8")
    told = re.findall(r'^section = "(.*)"  # (Q-.*)$', text, re.MULTILINE)  # beside what players are told
    assert {section for section, _ in told} <= set(sections) and "Q-" not in " ".join(sections)
    named = " ".join(questions for _, questions in told)
    assert not [f"Q-{i:02}" for i in range(1, 36) if f"Q-{i:02}" not in named]
    assert kit.hours("negotiation") == kit.hours("confirmation") == 48
    assert kit.hours("impulse") == 72 and kit.hours("interception") == 24


def test_names_in_three_languages_with_and_without_accents(kit):
    for domain in ("space", "sea", "power", "minor", "unit", "leader", "debater", "reformer", "ruler", "card", "wife"):
        for id, names in kit.labels[domain].items():
            assert set(names) >= {"en", "fr", "ru"}, f"{domain} {id}"
            for name in names.values():
                assert kit.find(domain, name) == kit.find(domain, normalise(name).upper()) == id
    assert kit.find("space", "Besancon") == kit.find("space", "Безансон") == "besancon"
    assert kit.find("space", "Wien") == kit.find("space", "vienne") == kit.find("space", "вена") == "vienna"
    assert kit.find("space", "кельн") == kit.find("space", "КЁЛЬН") == "cologne"
    assert kit.find("card", "Je Ne Cederai Pas") == kit.find("card", "на том стою") == kit.find("card", "7") == "7"


def test_every_value_says_where_it_comes_from(kit):
    marks = {
        "rules", "data_sets", "data_set", "single_source", "board_2017", "power_card_2017", "religious_card_2017",
        "counters_2017", "card_2017", "play_reports", "usual", "own", "rebuilt", "rules, strength rebuilt",
        "rules with a reading", "card_2017 with a reading",
    }  # fmt: skip
    for name, table in kit.tables.items():
        for id, row in table.items():
            assert row["source"] in marks, f"{name} {id}"
            assert all(row[c] in {*marks, ""} for c in row if c.endswith("_source")), f"{name} {id}"


def test_what_is_rebuilt_is_listed(kit):
    rebuilt = {(table, column) for table, _, column, _ in kit.rebuilt()}
    assert ("cards", "name_fr") in rebuilt and ("seatings", "powers") in rebuilt
    assert ("setup_new_world", "1532:conquistador:hapsburg:cortez", "at", "aztec") in kit.rebuilt()
    assert ("cards", "97", "cp", 2) in kit.rebuilt()
    assert kit.status == "complete"
    assert kit.scenarios["1532"]["drafted"] and not kit.scenarios["1517"]["drafted"]
