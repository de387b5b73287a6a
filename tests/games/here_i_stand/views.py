"""Views of Here I Stand boards for the tests of the pictures: the set-up of a scenario, and one as full as can be."""

from pbem.table.kit import Kit


def rows(kit: Kit, table: str, **wanted) -> list[dict]:
    return [row for row in kit.tables[table].values() if all(row[c] == v for c, v in wanted.items())]


def set_up_view(kit: Kit, scenario: str = "1517") -> dict:
    """The board as a scenario opens it, out of the kit's tables alone."""
    view = {
        "game": kit.game,
        "powers": list(kit.tables["powers"]),
        "state": {"turn": kit.scenarios[scenario]["first_turn"], "phase": "draw", "active": "ottoman"},
        "tracks": {},
        "units": {},
        "pieces": {},
        "piles": {"deck": [], "discard": [], "removed": []},
        "sight": {},
    }
    state = view["state"]
    for row in rows(kit, "setup_spaces", scenario=scenario):
        if row["control"]:
            state[f"control:{row['space']}"] = row["control"]
        if row["religion"]:
            state[f"religion:{row['space']}"] = row["religion"]
    for unit in rows(kit, "setup_units", scenario=scenario):
        if unit["variant"] != "papal_florence":
            place = view["units"].setdefault(unit["place"], {}).setdefault(unit["power"], {})
            place[unit["unit"]] = unit["count"]
    for row in rows(kit, "setup_electorates", scenario=scenario):
        view["units"][f"electorate:{row['space']}"] = {"protestant": {"regular": row["regulars"]}}
    for row in rows(kit, "setup_pieces", scenario=scenario):
        view["pieces"][f"{row['kind']}:{row['piece']}"] = {"at": row["at"], "committed": False}
    for row in rows(kit, "setup_tracks", scenario=scenario):
        view["tracks"].setdefault(row["track"], {})[row["power"]] = row["value"]
    for row in rows(kit, "setup_checks", scenario=scenario):
        view["tracks"].setdefault("vp", {})[row["power"]] = row["vp"]
        view["piles"][f"hand:{row['power']}"] = ["?"] * row["cards"]
    for row in kit.tables["powers"].values():
        view["piles"][f"home:{row['id']}"] = list(row["home_cards"])
    relations = rows(kit, "setup_relations", scenario=scenario)
    state["at_war"] = [[row["a"], row["b"]] for row in relations if row["relation"] == "war"]
    state["allied"] = []
    state["minor_ally"] = {row["b"]: row["a"] for row in relations if row["relation"] == "minor_ally"}
    state["ruler"] = {row["power"]: row["ruler"] for row in rows(kit, "setup_rulers", scenario=scenario)}
    for row in rows(kit, "setup_new_world", scenario=scenario):
        if row["at"] == "crossing":
            kind = row["kind"].removesuffix("_underway")
            view["pieces"][f"voyage:{kind}:{row['power']}"] = {"at": f"crossing:{row['power']}"}
        elif row["kind"] == "discovery":
            view["pieces"][f"discovery:{row['id']}"] = {"at": row["power"]}
    return view


def crowded_view(kit: Kit) -> dict:
    """A late board: more units than any real one, wars, sieges, unrest, all reformers and universities."""
    view = set_up_view(kit, "1532")
    state, units = view["state"], view["units"]
    state |= {"turn": 7, "phase": "action", "active": "hapsburg", "heirs": ["edward"], "minus_cards": {"france": 1}}
    state["at_war"] += [["hapsburg", "france"], ["england", "scotland"], ["ottoman", "venice"]]
    state["allied"] += [["france", "ottoman"]]
    spaces = list(kit.tables["spaces"])
    for number, space in enumerate(spaces):
        if number % 7 == 0:
            state[f"unrest:{space}"] = True
        if number % 11 == 0:
            state[f"university:{space}"] = True
        if number % 3 == 0 and kit.tables["spaces"][space]["language"]:
            state[f"religion:{space}"] = "protestant"
        if number % 4 == 1 and space not in units:
            units[space] = {"hapsburg": {"regular": 2, "mercenary": 3}}
    units["vienna"] = {"ottoman": {"regular": 9, "cavalry": 4}}
    units["vienna/inside"] = {"hapsburg": {"regular": 3, "mercenary": 1}}
    units["metz"] = {"france": {"regular": 4, "mercenary": 6}, "protestant": {"mercenary": 2}}
    units["metz/inside"] = {"independent": {"regular": 2}}
    for zone in kit.tables["sea_zones"]:
        units[zone] = {"ottoman": {"squadron": 2, "corsair": 3}, "hapsburg": {"squadron": 1}}
    units["foreign_war:92"] = {"ottoman": {"regular": 3}}
    units["turn_track:8"] = {"france": {"squadron": 2}}
    view["pieces"] |= {
        "leader:suleiman": {"at": "vienna"},
        "leader:ibrahim": {"at": "vienna"},
        "leader:ferdinand": {"at": "vienna/inside"},
        "leader:montmorency": {"at": "captured:hapsburg"},
        "leader:barbarossa": {"at": "turn_track:8"},
        "debater:eck": {"at": "zone", "committed": True},
    }
    for reformer in kit.tables["reformers"].values():
        view["pieces"][f"reformer:{reformer['id']}"] = {"at": reformer["space"]}
    return view
