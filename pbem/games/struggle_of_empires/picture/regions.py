"""Regions, homes and seas of the map, and the pieces, counters and tiles that lie on them."""

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.drawing import outlines
from pbem.drawing.colours import DARK
from pbem.drawing.packing import pack
from pbem.games.struggle_of_empires.picture.pieces import short_name, token
from pbem.games.struggle_of_empires.picture.position import UNIT_KINDS, Position


def seas(layout: Mapping) -> list[dict]:
    """The seas of the regions."""
    return [{"id": sea["id"], "d": outlines.areas(sea["polygons"])} for sea in layout["seas"]]


def areas(position: Position, highlight: frozenset[str]) -> Iterator[dict]:
    layout = position.kit.files["map_layout"]
    seas = {sea["region"]: sea for sea in layout["seas"]}
    for land in layout["neutral_lands"]:
        name = land.get(f"name_{position.language}") or land["name"]
        yield {"id": f"land-{land['id']}", "d": outlines.areas(land["polygons"]), "fill": land["fill"],
               "changed": False, "about": name, "label": None, "outline": None}  # fmt: skip
    for region in layout["regions"]:
        id = region["id"]
        about = f"{position.name('region', id)} {position.vp_text(id)}. {position.pieces_in_words(id)}"
        changed = id in highlight
        # a colony is land and sea: the frame around it holds both
        sea = seas[id]["polygons"] if changed and id in seas else []
        yield {
            "id": f"region-{id}", "d": outlines.areas(region["polygons"]), "fill": region["fill"], "changed": changed,
            "about": ". ".join([about.strip(), *position.notes(id)]),
            "outline": outlines.areas([*sea, *region["polygons"]]),
            "label": {**region["label"], "name": position.name("region", id), "vp": position.vp_text(id),
                      "size": 16, "fill": DARK, "halo": True},
        }  # fmt: skip
    for home in layout["homes"]:
        id = home["id"]
        playing = id in position.powers
        beside = id == "united_provinces"
        yield {
            "id": f"home-{id}", "d": outlines.areas(home["polygons"]), "fill": home["fill"],
            "changed": f"home:{id}" in highlight,
            "about": f"{position.name('empire', id)}. {position.pieces_in_words(f'home:{id}')}".strip(),
            "outline": outlines.areas(home["polygons"]),
            "label": {**home["label"], "vp": "", "size": 14, "halo": beside,
                      "name": short_name(position, id), "fill": DARK if beside else home["text"],
                      "faint": not playing},
        }  # fmt: skip


def tokens(position: Position) -> Iterator[dict]:
    """Control markers and units on the map: letter of the empire and number, the shape tells the kind."""
    layout = position.kit.files["map_layout"]
    boxes: list[tuple[str, Any, tuple[str, ...]]] = [
        (region["id"], region[box], kinds)
        for region in layout["regions"]
        for box, kinds in (("markers", ("control",)), ("units", ("army", "fort")), ("navies", ("navy",)))
        if box in region
    ]
    boxes += [(f"home:{home['id']}", home["units"], UNIT_KINDS) for home in layout["homes"]]
    for place, box, kinds in boxes:
        lying = [
            (power, kind, position.count(place, power, kind))
            for power in position.powers
            for kind in kinds
            if position.count(place, power, kind)
        ]
        if not lying:
            continue
        for (power, kind, number), spot in zip(lying, pack(box, len(lying), 1.45, 22), strict=True):
            yield token(position, power, kind, f"{position.letter(power)}{number}", *spot)


def counters(position: Position) -> Iterator[dict]:
    """Country counters, and the tiles that lie on the map."""
    for region in position.kit.files["map_layout"]["regions"]:
        lying: list[tuple[str, str, dict[str, Any]]] = [("counter", id, {}) for id in position.counters[region["id"]]]
        lying += [("tile", tile, piece) for tile, piece in position.laid[region["id"]]]
        if not lying:
            continue
        spots = pack(region["counters"], len(lying), 1.2, 23)
        for (what, id, piece), (x, y, w, h) in zip(lying, spots, strict=True):
            counter = {"x": x, "y": y, "w": w, "h": h, "middle": round(x + w / 2, 1), "what": what, "gold": 0, "vp": 0}
            if what == "counter":
                row = position.kit.tables["counters"][id]
                strong = row["kind"] == "strength"
                text = str(row["strength"]) if strong else position.words[row["kind"]][:4]
                size = h * 0.78 if strong else min(h * 0.6, w / (0.6 * len(text)))
                counter |= {"gold": row["gold"], "vp": row["vp"], "kind": row["kind"]}
            else:
                whose = position.whose(id, piece)
                text = position.name("tile", id)[:2] + "".join(f" {position.letter(power)}" for power in whose[:1])
                size = min(h * 0.6, w / (0.62 * len(text)))
                counter |= {"kind": id}
            # room for the sign of gold or VP in the right part
            shift = -w * 0.18 if counter["gold"] or counter["vp"] else 0
            yield counter | {
                "text": text, "size": round(size, 1), "tx": round(x + w / 2 + shift, 1),
                "ty": round(y + h / 2 + size * 0.36, 1), "r": round(h * 0.3, 1),
                "sx": round(x + w * 0.75, 1), "sy": round(y + h * 0.5, 1), "ssize": round(h * 0.48, 1),
            }  # fmt: skip
