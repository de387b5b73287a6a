"""Positions of case files: the entries of `arrange` and `expect` that both games know besides those of the table.

===============  ======================================================================================================
``control``      ``{space: .., power: ..}``, also a list of spaces
``religion``     ``{space: .., side: protestant}``
``unrest``       a space or a list of spaces; with ``calm`` the opposite
``fortress``     a space that gets a fortress marker
``war``          two powers; ``no_war`` the opposite
``alliance``     two major powers; ``no_alliance`` the opposite
``minor``        ``{minor: .., ally: power or none}``; in expect too
``leaders``      ``{place: .., leaders: [..]}``
``clear``        a place or a list: all units back into the supply, leaders off the map
``siege``        ``{space: .., by: power, fresh: false}``; units of the controller there go inside
``hand``         ``{power: .., cards: [numbers]}``: exactly these cards
``discards``     card numbers that lie in the discard pile
``turn``         the turn
``phase``        a phase: at its start; ``{phase: .., segment: ..}``: at the start of a segment of it
``impulse``      a power: at the start of its impulse; ``{power: .., cp: n}``: inside the play of a card; ``passes``
``ruler``        ``{power: .., ruler: ..}``
``vp``           (expect) ``{power: points}``; ``hand_size`` likewise
``cp_left``      CP left in the impulse; (expect) null when none runs, 0 when none are left, so after it too
``active``       (expect) whose impulse it is
``winner``       (expect) who has won
``no_piece``     (expect) a piece that is not on the board at all
===============  ======================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.games.reformation import hands, relations, sequence
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, land_owners, put_leader
from pbem.games.reformation.ground import controller, in_unrest, inside, religion, siege_of
from pbem.games.reformation.house import house
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table

Arrange = Mapping[str, Callable[[Table, Any], None]]
Matches = Mapping[str, Callable[[Table, Any], Any]]


def arrange(table: Table, entries: Arrange, name: str, value: Any) -> None:
    """Set a part of a position up by one of a game's entries. Raises `ValueError` for one that is not known."""
    if name not in entries:
        raise ValueError(f"there is no entry {name}; there are {', '.join(sorted(entries))}")
    entries[name](table, value)
    house(table).settle(table)


def matches(table: Table, entries: Matches, name: str, value: Any) -> Any:
    """Compare an entry with the position: None when it holds, else what stands there. Raises `ValueError`."""
    if name not in entries:
        raise ValueError(f"there is no entry {name}; there are {', '.join(sorted(entries))}")
    there = entries[name](table, value)
    if there == value:
        return None
    # None means that the entry holds, so what is not there needs a word of its own.
    return "nothing" if there is None else there


@dataclass(frozen=True)
class Positions:
    """The entries of cases of one game."""

    arranged: Arrange
    matched: Matches

    def arrange(self, table: Table, name: str, value: Any) -> None:
        """Set a part of a position up. Raises `ValueError` for an entry that is not known."""
        arrange(table, self.arranged, name, value)

    def matches(self, table: Table, name: str, value: Any) -> Any:
        """Compare an entry with the position: None when it holds, else what stands there. Raises `ValueError`."""
        return matches(table, self.matched, name, value)

    def words(self, phases: list[str]) -> dict[str, list[str]]:
        """The words of cases: what `arrange` and `matches` know, and the phases."""
        return {"arrange": list(self.arranged), "expect": list(self.matched), "phases": phases}


def as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _control(table: Table, value: Mapping[str, Any]) -> None:
    for space in as_list(value["space"]):
        table.set(f"control:{space}", value["power"])


def _religion(table: Table, value: Mapping[str, Any]) -> None:
    for space in as_list(value["space"]):
        table.set(f"religion:{space}", value["side"])


def _unrest(table: Table, value: Any) -> None:
    for space in as_list(value):
        table.set(f"unrest:{space}", True)


def _calm(table: Table, value: Any) -> None:
    for space in as_list(value):
        table.set(f"unrest:{space}", None)


def _fortress(table: Table, value: Any) -> None:
    for space in as_list(value):
        table.set(f"fortress:{space}", True)


def _minor(table: Table, value: Mapping[str, Any]) -> None:
    ally = None if value.get("ally") == "none" else value.get("ally")
    minor = value["minor"]
    relations.set_minor_ally(table, minor, ally)
    for space in atlas(table).homes[minor]:
        if controller(table, space) == minor and ally:
            table.set(f"control:{space}", ally)
    if ally:
        for other in relations.enemies_of(table.board, minor):
            relations.end_war(table, minor, other)


def _leaders(table: Table, value: Mapping[str, Any]) -> None:
    for leader in as_list(value["leaders"]):
        put_leader(table, leader, value["place"])


def _clear(table: Table, value: Any) -> None:
    for place in as_list(value):
        for owner, kinds in list(table.board.units.get(place, {}).items()):
            for kind, number in list(kinds.items()):
                table.move(owner, kind, number, place, SUPPLY)
        for piece in table.board.pieces_at(place):
            if piece.startswith(LEADER):
                put_leader(table, piece.removeprefix(LEADER), "off")


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
        origin = pile_of(table, card)
        if origin != pile:
            table.card(card, origin, pile)


def pile_of(table: Table, card: str) -> str:
    origin = next((name for name, held in table.board.piles.items() if card in held), None)
    if origin is None:
        raise ValueError(f"there is no card {card} in this scenario")
    return origin


def _discards(table: Table, value: Any) -> None:
    for card in map(str, as_list(value)):
        table.card(card, pile_of(table, card), hands.DISCARD)


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


# --- expect ---


def _found_control(table: Table, value: Mapping[str, Any]) -> Any:
    owners = {controller(table, space) for space in as_list(value["space"])}
    power = next(iter(owners)) if len(owners) == 1 else sorted(map(str, owners))
    return {"space": value["space"], "power": power}


def _found_religion(table: Table, value: Mapping[str, Any]) -> Any:
    sides = sorted({religion(table, space) or "none" for space in as_list(value["space"])})
    return {"space": value["space"], "side": sides[0] if len(sides) == 1 else sides}


def _found_leaders(table: Table, value: Mapping[str, Any]) -> Any:
    there = [p.removeprefix(LEADER) for p in table.board.pieces_at(value["place"]) if p.startswith(LEADER)]
    wanted = as_list(value["leaders"])
    return value if sorted(there) == sorted(wanted) else {"place": value["place"], "leaders": there}


def _found_siege(table: Table, value: Mapping[str, Any]) -> Any:
    siege = siege_of(table, value["space"])
    by = sorted(siege["by"]) if siege else []
    return value if by == sorted(as_list(value["by"] or [])) else {"space": value["space"], "by": by}


def _found_hand(table: Table, value: Mapping[str, Any]) -> Any:
    held = sorted(int(card) for card in table.board.piles.get(hands.hand(value["power"]), ()))
    return value if held == sorted(value["cards"]) else {"power": value["power"], "cards": held}


def _found_pair(name: str, wanted: bool) -> Callable[[Table, Any], Any]:
    def find(table: Table, value: Any) -> Any:
        pairs = table.board.state.get(name, [])
        return value if (relations.pair(*value) in pairs) == wanted else pairs

    return find


ARRANGE: Arrange = {
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
    "cp_left": lambda table, value: table.set("cp_left", value),
}

MATCHES: Matches = {
    "control": _found_control,
    "religion": _found_religion,
    "unrest": lambda table, value: [s for s in as_list(value) if in_unrest(table, s)] if isinstance(value, list) else (
        value if in_unrest(table, value) else None
    ),
    "calm": lambda table, value: value if not any(in_unrest(table, s) for s in as_list(value)) else "unrest",
    "war": _found_pair("at_war", True),
    "no_war": _found_pair("at_war", False),
    "minor": lambda table, value: {**value, "ally": table.board.state["minor_ally"].get(value["minor"]) or "none"},
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
    "no_piece": lambda table, value: value if value not in table.board.pieces else "it is there",
    "winner": lambda table, value: table.board.state.get("winner"),
}
