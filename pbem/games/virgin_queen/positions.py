"""Positions of case files: the entries of `arrange` and `expect` besides those of the table and of
`reformation.positions`.

===============  ======================================================================================================
``activated``    ``{major power: who plays it, or none}``
``influence``    ``{minor: .., power: .., boxes: n}``
``treasures``    ``{power: .., kinds: [cp4, vp1]}``: exactly these in its hand, or in the ``pile`` named
``escorts``      galleons that are with the treasure fleet
``village``      ``{village: .., power: .. or none}``
``vp_markers``   ``{power: .., name: .., vp: n}``; (expect) what the power has of that name
``at``           (expect) ``{piece: place, ...}``
``has_state``    (expect) ``{name: value, ...}``
``protestant_spaces``  (expect) the number on the track
``card_at``      (expect) ``{card: pile, ...}``
===============  ======================================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.reformation import positions as shared
from pbem.games.reformation.relations import end_alliance
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.places import ESCORTS
from pbem.games.virgin_queen.powers import activated
from pbem.games.virgin_queen.powers.majors import SPAIN
from pbem.games.virgin_queen.victory import score
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table


def _influence(table: Table, value: Mapping[str, Any]) -> None:
    held = dict(table.board.state["influence"])
    held[value["minor"]] = {**held.get(value["minor"], {}), value["power"]: value["boxes"]}
    table.set("influence", held)


def _activated(table: Table, value: Mapping[str, Any]) -> None:
    for major, power in value.items():
        former = activated.controller_of(table, major)
        if former is not None:
            activated.leave(table, major)
            end_alliance(table, major, former)
        if power != "none":
            activated.play_from(table, major, power)


def _pile(value: Mapping[str, Any]) -> str:
    return str(value["pile"]) if "pile" in value else treasures.hand(value["power"])


def _treasures(table: Table, value: Mapping[str, Any]) -> None:
    place = _pile(value)
    if place not in table.board.sight:
        table.do({"fact": "sight", "name": place, "before": None, "after": "owner"})
    for treasure in treasures.held(table, place):
        table.card(treasure, place, treasures.POOL, to=[])
    for kind in value["kinds"]:
        one = next((t for t in treasures.held(table, treasures.POOL) if t.partition(":")[0] == kind), None)
        if one is None:
            raise ValueError(f"there is no treasure {kind} in the pool")
        table.card(one, treasures.POOL, place, to=[value["power"]] if "power" in value else [])


def _village(table: Table, value: Mapping[str, Any]) -> None:
    power = value["power"]
    table.set(f"village:{value['village']}", None if power in (None, "none") else power)


_ARRANGE: shared.Arrange = {
    **shared.ARRANGE,
    "activated": _activated,
    "influence": _influence,
    "treasures": _treasures,
    "village": _village,
    "escorts": lambda table, value: table.move(SPAIN, "galleon", value, SUPPLY, ESCORTS),
    "vp_markers": lambda table, value: score.award(table, value["power"], value["name"], value["vp"]),
}


def _found_treasures(table: Table, value: Mapping[str, Any]) -> Any:
    kinds = [one.partition(":")[0] for one in treasures.held(table, _pile(value))]
    return value if sorted(kinds) == sorted(value["kinds"]) else {**value, "kinds": kinds}


def _pile_of(table: Table, card: str) -> str | None:
    return next((pile for pile, held in table.board.piles.items() if card in held), None)


_MATCHES: shared.Matches = {
    **shared.MATCHES,
    "activated": lambda table, value: {major: activated.controller_of(table, major) or "none" for major in value},
    "influence": lambda table, value: {
        **value,
        "boxes": table.board.state["influence"].get(value["minor"], {}).get(value["power"]),
    },
    "treasures": _found_treasures,
    "village": lambda table, value: {**value, "power": table.board.state.get(f"village:{value['village']}") or "none"},
    "vp_markers": lambda table, value: {**value, "vp": score.markers(table, value["power"]).get(value["name"], 0)},
    "at": lambda table, value: {piece: table.board.pieces.get(piece, {}).get("at") for piece in value},
    "escorts": lambda table, value: table.board.count(ESCORTS, "spain", "galleon"),
    "has_state": lambda table, value: {name: table.board.state.get(name) for name in value},
    "card_at": lambda table, value: {card: _pile_of(table, str(card)) for card in value},
    "protestant_spaces": lambda table, value: score.protestant_spaces(table),
}


POSITIONS = shared.Positions(_ARRANGE, _MATCHES)
arrange, matches = POSITIONS.arrange, POSITIONS.matches
