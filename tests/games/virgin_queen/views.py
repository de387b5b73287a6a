"""Views of boards of Virgin Queen for the tests of its pictures: a set-up, and one as full as can be."""

from collections.abc import Sequence
from typing import Any

from pbem.games.virgin_queen.room import GAME
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.kit import Kit
from pbem.table.procedure import Table


def set_up_view(kit: Kit, scenario: str = "1559", powers: Sequence[str] = ()) -> dict[str, Any]:
    """The board as a scenario opens it for everybody to see."""
    table = Table(Board(GAME.id, list(powers or GAME.powers(kit, scenario))), kit, game=GAME)
    GAME.set_up(table, scenario)
    return sight.view(table.board, sight.PUBLIC).to_json()


def crowded_view(kit: Kit) -> dict[str, Any]:
    """A late board: more units than any real one, wars, sieges, unrest, captains and colonies all over the oceans."""
    view = set_up_view(kit, "tournament")
    state, units, pieces = view["state"], view["units"], view["pieces"]
    state |= {"turn": 5, "phase": "action", "active": "spain", "league": 4, "mary": "captured", "excommunicated": True,
              "minus_cards": {"france": 1}, "plus_cards": {"empire": 2}, "suez_failures": 2, "preference": "catholic",
              "science": {"telescope": "england", "ravelin": "spain"}, "dead_rulers": ["philip_ii"]}  # fmt: skip
    state["at_war"] += [["spain", "england"], ["france", "protestant"], ["ottoman", "venice"]]
    state["allied"] += [["france", "ottoman"]]
    state["vp_markers"] = {"england": {"piracy": 4, "virgin_queen": 3, "circumnavigation": 2, "patronage": 1},
                           "spain": {"patronage": 3, "assassination": 1}}  # fmt: skip
    for number, space in enumerate(kit.tables["spaces"]):
        if number % 9 == 0:
            state[f"unrest:{space}"] = True
        if number % 5 == 1 and space not in units:
            units[space] = {"spain": {"regular": 2, "mercenary": 3}}
    units["metz"] = {"france": {"regular": 4, "mercenary": 6}, "huguenot": {"mercenary": 2}}
    units["metz/inside"] = {"empire": {"regular": 2, "mercenary": 1}}
    state["siege:metz"] = True
    for zone in kit.tables["sea_zones"]:
        units[zone] = {"ottoman": {"galley": 2, "corsair": 3}, "spain": {"galleon": 1}}
    units["english_channel"] = {"spain": {"armada": 6}, "england": {"race_built": 3, "galleon": 2}}
    for zone in kit.tables["ocean_zones"]:
        units.setdefault(zone, {})["spain"] = {"patrol": 1}
    units["turn_track:6"] = {"france": {"galleon": 2}}
    units["escorts"] = {"spain": {"galleon": 2}}
    captains = list(kit.tables["sea_captains"])
    for captain, zone in zip(captains, kit.tables["ocean_zones"], strict=False):
        pieces[f"captain:{captain}"] = {"at": zone, "power": kit.tables["sea_captains"][captain]["powers"][0]}
    pieces[f"captain:{captains[0]}"] |= {"damaged": True}
    pieces["colony:england:1"] = {"at": "roanoke"}
    pieces["jesuit:1"] = {"at": "london"}
    pieces["jesuit:2"] = {"at": "card"}
    pieces["informant:spain:1"] = {"at": "spying:england"}
    pieces["leader:alva"] = {"at": "metz"}
    pieces["leader:zrinyi"] = {"at": "captured:ottoman"}
    pieces["artist:el_greco"] = {"at": "sponsored:spain", "cp": 3}
    pieces["royal:henri_iii"] = {"at": "eligible", "box": 4, "betrothed": "elizabeth_i"}
    pieces["royal:elizabeth_i"] = {"at": "eligible", "box": 3, "betrothed": "henri_iii"}
    view["piles"]["treasures:england"] = ["?", "?", "?"]
    view["piles"]["loot_hawkins:england"] = ["?"]
    return view
