"""Positions of case files: the entries that `arrange` and `expect` know besides those of the table and of
`reformation.positions`.

===============  ======================================================================================================
``league``       true: the Schmalkaldic League has formed
``debater``      ``{debater: .., at: .., committed: ..}``
``voyage``       ``{kind: exploration, power: .., bonus: 2}`` under way; kind ``cabot`` with his explorer
``no_voyages``   true: nothing is under way to the New World
``riches``       ``{discovery: .., power: ..}``: a conquest that lies at the riches table
``colony``       ``{power: .., id: .., crossing: true}``
``marker``       ``{marker: galleons, power: ..}``: also plantations, raiders
``married``      ``{wife: .., results: {elizabeth: anne_boleyn}}``: Henry's wife and what the pregnancy chart holds
``last_winter``  true: the last turn, its mandatory events over, nothing under way: play ends after the winter
``in_box``       (expect) card numbers that wait beside the deck; ``entered`` those that are in the game (6.2)
``dice``         (expect) ``{space: .., protestant: n, catholic: n}``: base dice of the sides on a space (18.3, 18.4)
``target``       (expect) ``{space: .., side: ..}``: the space may be the target of an attempt to turn it to the side
``no_target``    (expect) the opposite
===============  ======================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.games.here_i_stand.new_world import holdings
from pbem.games.here_i_stand.religion import conversion
from pbem.games.reformation import hands, sequence
from pbem.games.reformation import positions as shared
from pbem.games.reformation.positions import as_list
from pbem.table.procedure import Table

# --- arrange ---


def _debater(table: Table, value: Mapping[str, Any]) -> None:
    piece = table.board.pieces[f"debater:{value['debater']}"]
    at = value.get("at", piece["at"])
    table.put(f"debater:{value['debater']}", at, committed=value.get("committed", piece["committed"]))


def _voyage(table: Table, value: Mapping[str, Any]) -> None:
    kind, power = value["kind"], value["power"]
    more = {"bonus": value.get("bonus", 0)}
    if kind == holdings.CABOT:
        more["agent"] = f"cabot_{power}"
        table.put(f"explorer:cabot_{power}", holdings.crossing(power))
        table.set("cabot", sorted([*table.board.state.get("cabot", []), power]))
    table.put(f"voyage:{kind}:{power}", holdings.crossing(power), **more)


def _no_voyages(table: Table, value: bool) -> None:
    for piece in [piece for piece in table.board.pieces if piece.startswith("voyage:")]:
        table.put(piece, None)


def _riches(table: Table, value: Mapping[str, Any]) -> None:
    table.put(f"discovery:{value['discovery']}", value["power"], riches=True)


def _colony(table: Table, value: Mapping[str, Any]) -> None:
    power = value["power"]
    crossing = value.get("crossing", False)
    table.put(f"colony:{power}:{value['id']}", holdings.crossing(power) if crossing else power)
    if value["id"] == "potosi":
        table.set("potosi", power)


def _married(table: Table, value: Mapping[str, Any]) -> None:
    box = table.kit.tables["wives"][value["wife"]]["box"]
    table.count("marital_box", "england", box - table.board.value("marital_box", "england"))
    results = value.get("results", {})
    table.set("pregnancy", results)
    heirs = {row["heir"] for row in table.kit.tables["pregnancy"].values() if row["result"] in results and row["heir"]}
    table.set("heirs", sorted(heirs))


def _last_winter(table: Table, value: bool) -> None:
    """The last turn, so that a case of the winter ends with the game."""
    table.set("turn", table.kit.scenarios[table.board.state["scenario"]]["last_turn"])
    for card, row in table.kit.tables["cards"].items():
        if row["forced_in_winter"] is not None:
            origin = next(name for name, held in table.board.piles.items() if card in held)
            if origin != hands.REMOVED:
                table.card(card, origin, hands.REMOVED)
    _no_voyages(table, True)
    sequence.begin(table, "winter")


def _reformer(table: Table, value: Mapping[str, Any]) -> None:
    table.put(f"reformer:{value['reformer']}", value["at"], entered=True)


_ARRANGE: dict[str, Callable[[Table, Any], None]] = {
    **shared.ARRANGE,
    "league": lambda table, value: table.set("league", value),
    "debater": _debater,
    "reformer": _reformer,
    "voyage": _voyage,
    "no_voyages": _no_voyages,
    "riches": _riches,
    "colony": _colony,
    "marker": lambda table, value: holdings.give_marker(table, value["marker"], value["power"]),
    "married": _married,
    "last_winter": _last_winter,
}


# --- expect ---


_MATCHES: dict[str, Callable[[Table, Any], Any]] = {
    **shared.MATCHES,
    "in_box": lambda table, value: [c for c in as_list(value) if str(c) in table.board.piles.get(hands.BOX, ())],
    "entered": lambda table, value: [
        card
        for card in as_list(value)
        if not any(str(card) in table.board.piles.get(pile, ()) for pile in (hands.BOX, hands.REMOVED))
    ],
    "debater": lambda table, value: {
        "debater": value["debater"],
        **{key: table.board.pieces[f"debater:{value['debater']}"].get(key) for key in value if key != "debater"},
    },
    # religion
    "dice": lambda table, value: {
        "space": value["space"],
        **{
            side: sum(conversion.base_dice(table, value["space"], side).values())
            for side in ("protestant", "catholic")
            if side in value
        },
    },
    "target": lambda table, value: value if conversion.eligible(table, value["space"], value["side"]) else "no target",
    "no_target": lambda table, value: (
        value if not conversion.eligible(table, value["space"], value["side"]) else "a target"
    ),
}


POSITIONS = shared.Positions(_ARRANGE, _MATCHES)
arrange, matches = POSITIONS.arrange, POSITIONS.matches
