"""Positions of case files: the entries that `arrange` and `expect` know besides those of the table.

===============  ======================================================================================================
``control``      ``{space: .., power: ..}``, also a list of spaces
``religion``     ``{space: .., side: protestant}``
``unrest``       a space or a list of spaces; with ``calm`` the opposite
``fortress``     a space that gets a fortress marker
``war``          two powers; ``no_war`` the opposite
``alliance``     two major powers; ``no_alliance`` the opposite
``minor``        ``{minor: .., ally: power or none}``
``leaders``      ``{place: .., leaders: [..]}``
``clear``        a place or a list: all units back into the supply, leaders off the map
``siege``        ``{space: .., by: power, fresh: false}``; units of the controller there go inside
``hand``         ``{power: .., cards: [numbers]}``: exactly these cards
``discards``     card numbers that lie in the discard pile
``turn``         the turn
``phase``        a phase: at its start; ``{phase: .., segment: ..}``: at the start of a segment of it
``impulse``      a power: at the start of its impulse; ``{power: .., cp: n}``: inside the play of a card; ``passes``
``ruler``        ``{power: .., ruler: ..}``
``league``       true: the Schmalkaldic League has formed
``debater``      ``{debater: .., at: .., committed: ..}``
``voyage``       ``{kind: exploration, power: .., bonus: 2}`` under way; kind ``cabot`` with his explorer
``no_voyages``   true: nothing is under way to the New World
``riches``       ``{discovery: .., power: ..}``: a conquest that lies at the riches table
``colony``       ``{power: .., id: .., crossing: true}``
``marker``       ``{marker: galleons, power: ..}``: also plantations, raiders
``married``      ``{wife: .., results: {elizabeth: anne_boleyn}}``: Henry's wife and what the pregnancy chart holds
``last_winter``  true: the last turn, its mandatory events over, nothing under way: play ends after the winter
``no_piece``     (expect) a piece that is not on the board at all
``in_box``       (expect) card numbers that wait beside the deck; ``entered`` those that are in the game (6.2)
``vp``           (expect) ``{power: points}``; ``hand_size`` likewise
``cp_left``      CP left in the impulse; (expect) null when none runs, 0 when none are left, so after it too
``active``       (expect) whose impulse it is
``dice``         (expect) ``{space: .., protestant: n, catholic: n}``: base dice of the sides on a space (18.3, 18.4)
``target``       (expect) ``{space: .., side: ..}``: the space may be the target of an attempt to turn it to the side
``no_target``    (expect) the opposite
===============  ======================================================================================================

`expect` knows the first ones too: control, religion, unrest, war, no_war, alliance, leaders, hand, turn, phase, siege.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.games.here_i_stand import conversion, new_world, score
from pbem.games.here_i_stand.places import OFF
from pbem.games.reformation import hands, relations, sequence
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, land_owners, put_leader
from pbem.games.reformation.ground import controller, in_unrest, inside, religion, siege_of
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def arrange(table: Table, name: str, value: Any) -> None:
    """Set a part of a position up. Raises `ValueError` for an entry that is not known."""
    try:
        change = _ARRANGE[name]
    except KeyError:
        raise ValueError(f"there is no entry {name}; there are {', '.join(sorted(_ARRANGE))}") from None
    change(table, value)
    score.settle(table)


def matches(table: Table, name: str, value: Any) -> Any:
    """Compare an entry with the position: None when it holds, else what stands there. Raises `ValueError`."""
    try:
        find = _MATCHES[name]
    except KeyError:
        raise ValueError(f"there is no entry {name}; there are {', '.join(sorted(_MATCHES))}") from None
    found = find(table, value)
    if found == value:
        return None
    # None means that the entry holds, so what is not there needs a word of its own.
    return "nothing" if found is None else found


def words(phases: list[str]) -> dict[str, list[str]]:
    """The words of cases: what `arrange` and `matches` know, and the phases."""
    return {"arrange": list(_ARRANGE), "expect": list(_MATCHES), "phases": phases}


# --- arrange ---


def _control(table: Table, value: Mapping[str, Any]) -> None:
    for space in _list(value["space"]):
        table.set(f"control:{space}", value["power"])


def _religion(table: Table, value: Mapping[str, Any]) -> None:
    for space in _list(value["space"]):
        table.set(f"religion:{space}", value["side"])


def _unrest(table: Table, value: Any) -> None:
    for space in _list(value):
        table.set(f"unrest:{space}", True)


def _calm(table: Table, value: Any) -> None:
    for space in _list(value):
        table.set(f"unrest:{space}", None)


def _fortress(table: Table, value: Any) -> None:
    for space in _list(value):
        table.set(f"fortress:{space}", True)


def _minor(table: Table, value: Mapping[str, Any]) -> None:
    ally = value.get("ally")
    minor = value["minor"]
    relations.set_minor_ally(table, minor, ally)
    for space in atlas(table).homes[minor]:
        if controller(table, space) == minor and ally:
            table.set(f"control:{space}", ally)
    if ally:
        for other in relations.enemies_of(table.board, minor):
            relations.end_war(table, minor, other)


def _leaders(table: Table, value: Mapping[str, Any]) -> None:
    for leader in _list(value["leaders"]):
        put_leader(table, leader, value["place"])


def _clear(table: Table, value: Any) -> None:
    for place in _list(value):
        for owner, kinds in list(table.board.units.get(place, {}).items()):
            for kind, number in list(kinds.items()):
                table.move(owner, kind, number, place, SUPPLY)
        for piece in table.board.pieces_at(place):
            if piece.startswith(LEADER):
                put_leader(table, piece.removeprefix(LEADER), OFF)


def _siege(table: Table, value: Mapping[str, Any]) -> None:
    space, power = value["space"], value["by"]
    by = dict((siege_of(table, space) or {"by": {}})["by"])
    by[power] = table.board.state["impulse"] + (1 if value.get("fresh") else 0)
    table.set(f"siege:{space}", {"by": by})
    for owner in land_owners(table, space):
        if not relations.own(table.board, power, owner) and owner not in by:
            for kind, number in list(table.board.units[space][owner].items()):
                if kind in atlas(table).land_kinds:
                    table.move(owner, kind, number, space, inside(space))
    for leader in atlas(table).leaders:
        piece = table.board.pieces[LEADER + leader]
        whose = piece.get("power") or atlas(table).leaders[leader]["power"]
        mine = relations.own(table.board, power, whose)
        if piece["at"] == space and not mine and atlas(table).leaders[leader]["kind"] == "army":
            put_leader(table, leader, inside(space))


def _hand(table: Table, value: Mapping[str, Any]) -> None:
    pile = hands.hand(value["power"])
    wanted = [str(card) for card in value["cards"]]
    for card in list(table.board.piles.get(pile, ())):
        if card not in wanted:
            home = hands.kind_of(table, card) == "home"
            table.card(card, pile, hands.home(value["power"]) if home else hands.DECK)
    for card in wanted:
        origin = _pile_of(table, card)
        if origin != pile:
            table.card(card, origin, pile)


def _pile_of(table: Table, card: str) -> str:
    origin = next((name for name, held in table.board.piles.items() if card in held), None)
    if origin is None:
        raise ValueError(f"there is no card {card} in this scenario")
    return origin


def _discards(table: Table, value: Any) -> None:
    for card in map(str, _list(value)):
        table.card(card, _pile_of(table, card), hands.DISCARD)


def _phase(table: Table, value: Any) -> None:
    entry = value if isinstance(value, Mapping) else {"phase": value}
    sequence.begin(table, entry["phase"], entry.get("segment"))


def _impulse(table: Table, value: Any) -> None:
    entry = value if isinstance(value, Mapping) else {"power": value}
    if entry["power"] not in table.board.powers:
        raise ValueError(f"there is no power {entry['power']}; there are {', '.join(table.board.powers)}")
    table.set("segment", "impulses")
    table.set("phase", "action")
    table.set("active", entry["power"])
    table.set("passes", entry.get("passes", 0))
    if "cp" in entry:
        table.set("impulse", table.board.state["impulse"] + 1)
        table.set("cp_left", entry["cp"])
        table.set("card", entry.get("card"))


def _debater(table: Table, value: Mapping[str, Any]) -> None:
    piece = table.board.pieces[f"debater:{value['debater']}"]
    at = value.get("at", piece["at"])
    table.put(f"debater:{value['debater']}", at, committed=value.get("committed", piece["committed"]))


def _voyage(table: Table, value: Mapping[str, Any]) -> None:
    kind, power = value["kind"], value["power"]
    more = {"bonus": value.get("bonus", 0)}
    if kind == new_world.CABOT:
        more["agent"] = f"cabot_{power}"
        table.put(f"explorer:cabot_{power}", new_world.crossing(power))
        table.set("cabot", sorted([*table.board.state.get("cabot", []), power]))
    table.put(f"voyage:{kind}:{power}", new_world.crossing(power), **more)


def _no_voyages(table: Table, value: bool) -> None:
    for piece in [piece for piece in table.board.pieces if piece.startswith("voyage:")]:
        table.put(piece, None)


def _riches(table: Table, value: Mapping[str, Any]) -> None:
    table.put(f"discovery:{value['discovery']}", value["power"], riches=True)


def _colony(table: Table, value: Mapping[str, Any]) -> None:
    power = value["power"]
    crossing = value.get("crossing", False)
    table.put(f"colony:{power}:{value['id']}", new_world.crossing(power) if crossing else power)
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
    "control": _control,
    "religion": _religion,
    "unrest": _unrest,
    "calm": _calm,
    "fortress": _fortress,
    "war": lambda table, value: relations.make_war(table, *value),
    "no_war": lambda table, value: relations.end_war(table, *value),
    "alliance": lambda table, value: relations.make_alliance(table, *value),
    "no_alliance": lambda table, value: relations.end_alliance(table, *value),
    "minor": _minor,
    "leaders": _leaders,
    "clear": _clear,
    "siege": _siege,
    "hand": _hand,
    "discards": _discards,
    "turn": lambda table, value: table.set("turn", value),
    "phase": _phase,
    "impulse": _impulse,
    "ruler": lambda table, value: table.set("ruler", {**table.board.state["ruler"], value["power"]: value["ruler"]}),
    "league": lambda table, value: table.set("league", value),
    "debater": _debater,
    "reformer": _reformer,
    "voyage": _voyage,
    "no_voyages": _no_voyages,
    "riches": _riches,
    "colony": _colony,
    "marker": lambda table, value: new_world.give_marker(table, value["marker"], value["power"]),
    "married": _married,
    "last_winter": _last_winter,
    "cp_left": lambda table, value: table.set("cp_left", value),
}


# --- expect ---


def _found_control(table: Table, value: Mapping[str, Any]) -> Any:
    owners = {controller(table, space) for space in _list(value["space"])}
    power = next(iter(owners)) if len(owners) == 1 else sorted(map(str, owners))
    return {"space": value["space"], "power": power}


def _found_religion(table: Table, value: Mapping[str, Any]) -> Any:
    sides = sorted({religion(table, space) or "none" for space in _list(value["space"])})
    return {"space": value["space"], "side": sides[0] if len(sides) == 1 else sides}


def _found_leaders(table: Table, value: Mapping[str, Any]) -> Any:
    there = [p.removeprefix(LEADER) for p in table.board.pieces_at(value["place"]) if p.startswith(LEADER)]
    wanted = _list(value["leaders"])
    return value if sorted(there) == sorted(wanted) else {"place": value["place"], "leaders": there}


def _found_siege(table: Table, value: Mapping[str, Any]) -> Any:
    siege = siege_of(table, value["space"])
    by = sorted(siege["by"]) if siege else []
    return value if by == sorted(_list(value["by"] or [])) else {"space": value["space"], "by": by}


def _found_hand(table: Table, value: Mapping[str, Any]) -> Any:
    held = sorted(int(card) for card in table.board.piles.get(hands.hand(value["power"]), ()))
    return value if held == sorted(value["cards"]) else {"power": value["power"], "cards": held}


def _found_pair(name: str, wanted: bool) -> Callable[[Table, Any], Any]:
    def find(table: Table, value: Any) -> Any:
        pairs = table.board.state.get(name, [])
        return value if (relations.pair(*value) in pairs) == wanted else pairs

    return find


_MATCHES: dict[str, Callable[[Table, Any], Any]] = {
    "control": _found_control,
    "religion": _found_religion,
    "unrest": lambda table, value: [s for s in _list(value) if in_unrest(table, s)] if isinstance(value, list) else (
        value if in_unrest(table, value) else None
    ),
    "calm": lambda table, value: value if not any(in_unrest(table, s) for s in _list(value)) else "unrest",
    "war": _found_pair("at_war", True),
    "no_war": _found_pair("at_war", False),
    "alliance": _found_pair("allied", True),
    "no_alliance": _found_pair("allied", False),
    "leaders": _found_leaders,
    "siege": _found_siege,
    "hand": _found_hand,
    "hand_size": lambda table, value: {p: len(table.board.piles.get(hands.hand(p), ())) for p in value},
    "turn": lambda table, value: table.board.state["turn"],
    "phase": lambda table, value: table.board.state["phase"],
    "active": lambda table, value: table.board.state.get("active"),
    # An impulse ends with its last CP: what is not there any more is nought.
    "cp_left": lambda table, value: table.board.state.get("cp_left", 0 if value == 0 else None),
    "vp": lambda table, value: {power: table.board.value("vp", power) for power in value},
    "in_box": lambda table, value: [c for c in _list(value) if str(c) in table.board.piles.get(hands.BOX, ())],
    "entered": lambda table, value: [
        card
        for card in _list(value)
        if not any(str(card) in table.board.piles.get(pile, ()) for pile in (hands.BOX, hands.REMOVED))
    ],
    "no_piece": lambda table, value: value if value not in table.board.pieces else "it is there",
    "winner": lambda table, value: table.board.state.get("winner"),
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
