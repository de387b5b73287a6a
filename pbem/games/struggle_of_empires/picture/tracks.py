"""The tracks beside the map, the markers on them, and what the shapes of pieces mean."""

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.drawing.outlines import rectangles
from pbem.drawing.packing import pack
from pbem.games.struggle_of_empires.picture.pieces import outline, token
from pbem.games.struggle_of_empires.picture.position import KINDS, Position

TITLES = {"round": "round", "war": "war", "proposal": "proposal", "alliance": "alliances", "population": "population"}
"""track -> the word above it"""


def tracks(position: Position) -> dict[str, Any]:
    """The tracks themselves, with what is written in and above them."""
    layout, state = position.kit.files["map_layout"]["tracks"], position.state
    cells, taken = layout["vp"]["cells"], _on_ring(position)
    rounds = position.kit.constants["rounds"].get(str(len(position.powers)), len(layout["round"]["cells"]))
    return {
        "vp": [cell for cell in cells if cell["value"] % 5 == 0 and cell["value"] not in taken],
        "vp_cells": rectangles(cell for cell in cells if cell["value"] % 5),
        "vp_fives": rectangles(cell for cell in cells if cell["value"] % 5 == 0),
        "round": [{**cell, "on": cell["value"] == state.get("round"), "out": cell["value"] > rounds}
                  for cell in layout["round"]["cells"]],
        "war": [{**cell, "on": cell["value"] == state.get("war")} for cell in layout["war"]["cells"]],
        "boxes": [*layout["proposal"]["cells"], *layout["alliance"]["cells"]],
        "population": list(layout["population"]["cells"]),
        "titles": [{**layout[name]["title"], "text": position.words[word]} for name, word in TITLES.items()],
        "bid": {"x": layout["proposal"]["title"]["x"], "y": 492, "text": _bid(position)},
    }  # fmt: skip


def _bid(position: Position) -> str:
    proposal = position.state.get("proposal") or {}
    if proposal.get("bid") is None:
        return ""
    bidder = position.letter(proposal["bidder"]) if proposal.get("bidder") else ""
    return f"{position.words['bid']} {proposal['bid']} {bidder}".strip()


def tokens(position: Position) -> Iterator[dict]:
    """The markers on the tracks."""
    for cell, tallest, powers in _marked(position):
        box = {"x": cell["x"] + 1, "y": cell["y"] + 1, "w": cell["w"] - 2, "h": cell["h"] - 2}
        for power, spot in zip(powers, pack(box, len(powers), 1.1, tallest), strict=True):
            yield token(position, power, "control", position.letter(power), *spot)


def _marked(position: Position) -> Iterator[tuple[Mapping[str, Any], float, list[str]]]:
    """The cells that have markers: where these lie, how high they are at most, and whose they are."""
    layout, state = position.kit.files["map_layout"]["tracks"], position.state
    ring = {cell["value"]: cell for cell in layout["vp"]["cells"]}
    for value, powers in _on_ring(position).items():
        yield ring[value], 26, powers
    for cell in layout["population"]["cells"]:
        if powers := [power for power in position.powers if position.track("population", power) == cell["value"]]:
            yield {**cell, "y": cell["y"] + 15, "h": cell["h"] - 16}, 22, powers
    for row in ("top", "bottom"):
        boxes = [cell for cell in layout["alliance"]["cells"] if cell["row"] == row]
        for cell, power in zip(boxes, state.get(f"alliance_{row}") or [], strict=False):
            yield {**cell, "y": cell["y"] + 13, "h": cell["h"] - 13}, 26, [power]
    proposal = state.get("proposal") or {}
    for cell in layout["proposal"]["cells"]:
        if proposal.get(cell["value"]):
            yield {**cell, "y": cell["y"] + 11, "h": cell["h"] - 11}, 22, [proposal[cell["value"]]]


def _on_ring(position: Position) -> dict[int, list[str]]:
    """Who stands in which cell of the victory track: beyond its end once more round, below 0 the table alone tells."""
    last = max(cell["value"] for cell in position.kit.files["map_layout"]["tracks"]["vp"]["cells"])
    on_ring: dict[int, list[str]] = {}
    for power in position.powers:
        vp = position.track("vp", power)
        if vp is not None:
            on_ring.setdefault(max(vp, 0) if vp <= last else vp % last, []).append(power)
    return on_ring


def key(position: Position) -> list[dict]:
    """What the shapes mean, below the alliance boxes."""
    return [
        {"d": outline(kind, 52 + 216 * (number % 2), 669 + 23 * (number // 2), 22, 14), "x": 82 + 216 * (number % 2),
         "y": 681 + 23 * (number // 2), "text": position.words[kind]}
        for number, kind in enumerate(KINDS)
    ]  # fmt: skip
