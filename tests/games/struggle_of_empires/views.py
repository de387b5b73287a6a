"""Views of Struggle of Empires boards for the tests of the pictures: quiet, usual and as full as a board can be."""

import random
from collections import Counter

from pbem.table.kit import Kit


def empty_view(kit: Kit, powers: list[str]) -> dict:
    """A board before anything lies on it: all pieces in the supply or the bag."""
    units = kit.tables["units"]
    tiles = [f"tile:{id}:{n}" for id, row in kit.tables["tiles"].items() for n in range(1, row["count"] + 1)]
    return {
        "game": kit.game,
        "powers": powers,
        "state": {},
        "tracks": {
            "gold": dict.fromkeys(powers, 10),
            "population": dict.fromkeys(powers, 5),
            "vp": dict.fromkeys(powers, 0),
            "unrest": dict.fromkeys(powers, 0),
        },
        "units": {"supply": {power: {kind: row["per_empire"] for kind, row in units.items()} for power in powers}},
        "pieces": {
            **{f"counter:{id}": {"at": "bag"} for id in kit.tables["counters"]},
            **{tile: {"at": "supply", "used": False} for tile in tiles},
        },
        "piles": {},
    }


def played_view(kit: Kit, seats: int, *, fullness: float = 0.6, counters: int = 16, seed: int = 1) -> dict:
    """A board in the middle of a war; `fullness` is the share of an empire's pieces that are on the map."""
    dice = random.Random(seed)
    powers = list(kit.tables["empires"])[:seats]
    view = empty_view(kit, powers)
    regions = kit.tables["regions"]
    for power in powers:
        for kind, row in kit.tables["units"].items():
            places = [id for id, region in regions.items() if row["where"] == "any" or region["sea"]]
            if kind != "control":
                places.append(f"home:{power}")
            number = round(row["per_empire"] * fullness)
            for place, count in Counter(dice.choices(places, k=number)).items():
                view["units"].setdefault(place, {}).setdefault(power, {})[kind] = count
            view["units"]["supply"][power][kind] = row["per_empire"] - number
        view["tracks"]["vp"][power] = dice.randrange(0, 70)
        view["tracks"]["gold"][power] = dice.randrange(0, 25)
        view["tracks"]["population"][power] = dice.randrange(2, 10)
        view["tracks"]["unrest"][power] = None if power != powers[1] else dice.randrange(3, 15)
    for id in dice.sample(list(kit.tables["counters"]), counters):
        view["pieces"][f"counter:{id}"] = {"at": kit.tables["counters"][id]["region"]}
    owned = [id for id in view["pieces"] if id.startswith("tile:")]
    for id in dice.sample(owned, 4 * seats):
        if id.split(":")[1] not in ("pirates", "slave_revolt", "blockade"):
            view["pieces"][id] = {"at": dice.choice(powers), "used": dice.random() < 0.3}
    view["pieces"]["tile:pirates:1"] = {"at": "india", "used": True}
    view["units"]["pirates"] = {powers[0]: {"control": 1}}
    view["units"]["supply"][powers[0]]["control"] -= 1
    view["pieces"]["tile:blockade:1"] = {"at": "caribbean", "used": True, "power": powers[1]}
    order = dice.sample(powers, seats)
    view["state"] = {
        "war": 2,
        "round": 3,
        "phase": "actions",
        "alliance_top": order[0::2],
        "alliance_bottom": order[1::2],
        "turn_order": order,
        "active": order[1],
        "proposal": None,
    }
    return view
