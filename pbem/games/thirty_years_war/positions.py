"""Positions for cases: what ``arrange`` and ``expect`` may say beyond the table's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.combat.siege import SIEGE
from pbem.games.thirty_years_war.control import CONTROL, LOOT, REGION, REVOLT
from pbem.games.thirty_years_war.map import NEUTRAL, SIDES, atlas
from pbem.games.thirty_years_war.turn import deck, sequence
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table


def arrange(table: Table, name: str, value: Any) -> None:
    """Entries of a case's ``arrange`` beyond the table's own:

    ``empty``       true, or a list of spaces: all pieces there leave the map (units to the supply, leaders off)
    ``stack``       {space, units: {kind: n, or {full: n, reduced: n}}, leaders: [faces], inside, unpaid, infant}: they
                    are put there, units from the supply, leaders from wherever they are
    ``supply_left`` {kind: n}: only so many counters of a kind are left in the supply, the others are out of the game
    ``region``      {region: side, neutral or none}
    ``control``     {space: side or none}: the space's own marker
    ``loot``        {space: 0, 1 or 2};  ``revolt`` a space or a list of them
    ``siege``       {space, by, value, since}: `since` is the number of the activation in which the marker was placed
    ``hand``        {side, cards}: these and no others;  ``deck`` likewise;  ``played`` likewise
    ``event``       {card: turn}: its event has taken place
    ``aid``         {side: {source: points}}
    ``vp``          the total, by a reason of the case's own
    ``counter``     {name: value}: numbers that belong to nobody, such as ``influence`` and ``dutch_war``
    ``activation``  {side, round}: it is that side's activation (first of the turn when round is 1)
    ``phase``       a phase, or {phase, segment}
    """
    if name not in _ARRANGE:
        raise ValueError(f"there is no entry {name}; there are {', '.join(sorted(_ARRANGE))}")
    _ARRANGE[name](table, value)


def matches(table: Table, name: str, value: Any) -> Any:
    """Entries of a case's ``expect`` beyond the table's own:

    ``stack``    {space, side, units, leaders, inside}: exactly these pieces of the side stand there (inside, or
                 outside, where it says; a case that leaves `side` out means all)
    ``at``       {face or piece: place}: where leaders are
    ``control``  {space: side or none};  ``region`` {region: side, neutral or none}
    ``loot``, ``revolt`` {space: true or false}, ``siege`` {space: {by, value} or none}
    ``hand``     {side: [cards]};  ``vp`` the total;  ``reasons`` {reason or reason:what: sum of its changes}
    ``counter``  {name: value};  ``aid`` {side: {source: points}};  ``winner`` {side, level, how}
    ``told``     {what, and fields}: a happening of the last order that holds these fields
    ``elector``  {elector: side or none}
    """
    if name not in _EXPECT:
        raise ValueError(f"there is no entry {name}; there are {', '.join(sorted(_EXPECT))}")
    return _EXPECT[name](table, value)


def words(phases: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """The words of cases."""
    return {"arrange": list(_ARRANGE), "expect": list(_EXPECT), "phases": list(phases)}


# --- arrange ---


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _check_space(table: Table, space: str) -> None:
    if space not in atlas(table).spaces:
        raise ValueError(f"there is no space {space}")


def _check_side(side: str) -> None:
    if side not in SIDES:
        raise ValueError(f"there is no side {side}; there are {', '.join(SIDES)}")


def _empty(table: Table, value: Any) -> None:
    spaces = list(atlas(table).spaces) if value is True else _listed(value)
    for space in spaces:
        _check_space(table, space)
        for piece in list(pieces.pieces_at(table, space)):
            table.put(piece, pieces.OFF if pieces.is_leader(piece) else SUPPLY)


def _of_units(table: Table, value: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Each unit of an entry's ``units``: its kind, and whether it is reduced."""
    for kind, number in value.get("units", {}).items():
        if kind not in table.kit.tables["units"]:
            raise ValueError(f"there is no unit {kind}; there are {', '.join(table.kit.tables['units'])}")
        sides = number if isinstance(number, dict) else {pieces.FULL: number}
        for lies, count in sides.items():
            for _ in range(count):
                yield kind, lies == pieces.REDUCED


def _stack(table: Table, value: Mapping[str, Any]) -> None:
    space = value["space"]
    _check_space(table, space)
    marks: dict[str, Any] = {mark: True for mark in ("inside", "unpaid", "infant") if value.get(mark)}
    for kind, reduced in _of_units(table, value):
        more = {**marks, "reduced": True} if reduced else marks
        left = pieces.available(table, kind)
        if not left:
            raise ValueError(f"no {kind} is left in the supply")
        table.put(left[0], space, **more)
    inside: dict[str, Any] = {"inside": True} if value.get("inside") else {}
    for face in value.get("leaders", ()):
        if face not in table.kit.tables["leaders"]:
            raise ValueError(f"there is no leader {face}")
        counter = table.kit.tables["leaders"][face]["counter"]
        table.put(pieces.LEADER + counter, space, **({"face": face} if face != counter else {}), **inside)


def _supply_left(table: Table, value: Mapping[str, int]) -> None:
    for kind, number in value.items():
        for piece in pieces.available(table, kind)[number:]:
            table.put(piece, pieces.REMOVED)


def _region(table: Table, value: Mapping[str, Any]) -> None:
    for region, held in value.items():
        if region not in atlas(table).regions:
            raise ValueError(f"there is no region {region}")
        if held not in (None, "none", NEUTRAL):
            _check_side(held)
        table.set(REGION + region, None if held == "none" else held)
        for space in atlas(table).spaces_of[region]:
            table.set(CONTROL + space, None)


def _control(table: Table, value: Mapping[str, Any]) -> None:
    for space, held in value.items():
        _check_space(table, space)
        if held not in (None, "none"):
            _check_side(held)
        table.set(CONTROL + space, None if held == "none" else held)


def _loot(table: Table, value: Mapping[str, int]) -> None:
    for space, level in value.items():
        _check_space(table, space)
        table.set(LOOT + space, level or None)


def _revolt(table: Table, value: Any) -> None:
    for space in _listed(value):
        _check_space(table, space)
        table.set(CONTROL + space, None)
        table.set(REVOLT + space, True)


def _siege(table: Table, value: Mapping[str, Any]) -> None:
    _check_space(table, value["space"])
    _check_side(value["by"])
    since = value.get("since", table.board.state["activation"])
    table.set(SIEGE + value["space"], {"by": value["by"], "value": value.get("value", 0), "since": since})


def _pile(name: str) -> Callable[[Table, Mapping[str, Any]], None]:
    def arrange_pile(table: Table, value: Mapping[str, Any]) -> None:
        side = value["side"]
        _check_side(side)
        pile = f"{name}:{side}"
        for card in list(table.board.piles.get(pile, ())):
            table.card(card, pile, deck.deck(side) if name != "deck" else deck.played(side))
        for card in value["cards"]:
            there = [p for p, cards in table.board.piles.items() if card in cards]
            if not there:
                raise ValueError(f"there is no card {card}")
            # A hand is its owner's secret, also where its cards come out of a box that all can see.
            table.card(card, there[0], pile, **({"to": [side]} if name == "hand" else {}))

    return arrange_pile


def _event(table: Table, value: Mapping[str, int]) -> None:
    for card, turn in value.items():
        if card not in table.kit.tables["cards"]:
            raise ValueError(f"there is no card {card}")
        table.set(f"event:{card}", turn)


def _aid(table: Table, value: Mapping[str, Mapping[str, int]]) -> None:
    for side, sources in value.items():
        _check_side(side)
        for source, points in sources.items():
            name = f"aid:{side}:{source}"
            table.counter(name, points - table.board.counter(name))


def _vp(table: Table, value: int) -> None:
    score.vp(table, value - score.total(table), "case", "5.1")


def _counter(table: Table, value: Mapping[str, int]) -> None:
    for name, number in value.items():
        if name not in table.board.counters:
            raise ValueError(f"there is no counter {name}; there are {', '.join(table.board.counters)}")
        table.counter(name, number - table.board.counter(name))


def _activation(table: Table, value: Any) -> None:
    value = {"side": value} if isinstance(value, str) else value
    side, number = value["side"], value.get("round", 1)
    _check_side(side)
    sequence.enter(table, "actions", "activations")
    table.set("round", number)
    table.set("active", side)
    for one in SIDES:
        done = number - 1 + (SIDES.index(one) < SIDES.index(side))
        table.count("activations", one, done - table.board.value("activations", one))


def _phase(table: Table, value: Any) -> None:
    value = {"phase": value} if isinstance(value, str) else value
    sequence.enter(table, value["phase"], value.get("segment"))


_ARRANGE: dict[str, Callable[[Table, Any], None]] = {
    "empty": _empty,
    "stack": _stack,
    "supply_left": _supply_left,
    "region": _region,
    "control": _control,
    "loot": _loot,
    "revolt": _revolt,
    "siege": _siege,
    "hand": _pile("hand"),
    "deck": _pile("deck"),
    "played": _pile("played"),
    "event": _event,
    "aid": _aid,
    "vp": _vp,
    "counter": _counter,
    "activation": _activation,
    "phase": _phase,
}


# --- expect ---


def _expect_stack(table: Table, value: Mapping[str, Any]) -> Any:
    _check_space(table, value["space"])
    there = [
        piece
        for piece in pieces.pieces_at(table, value["space"])
        if value.get("side") in (None, pieces.side_of(table, piece))
        and value.get("inside") in (None, pieces.is_inside(table, piece))
    ]
    stack = pieces.described(table, there)
    wanted: dict[str, dict[str, int]] = {}
    for kind, reduced in _of_units(table, value):
        sides = wanted.setdefault(kind, {})
        lies = pieces.REDUCED if reduced else pieces.FULL
        sides[lies] = sides.get(lies, 0) + 1
    same = stack["units"] == wanted and sorted(stack["leaders"]) == sorted(value.get("leaders", ()))
    return None if same else stack


def _expect_at(table: Table, value: Mapping[str, str]) -> Any:
    places = {}
    for named in value:
        piece = named if ":" in named else pieces.leader_piece(table, named)
        places[named] = pieces.where(table, piece)
    return None if places == value else places


def _none(value: Any) -> Any:
    return None if value == "none" else value


def _each(look: Callable[[Table, str], Any]) -> Callable[[Table, Mapping[str, Any]], Any]:
    def compare(table: Table, value: Mapping[str, Any]) -> Any:
        there = {name: look(table, name) for name in value}
        return None if there == {name: _none(wanted) for name, wanted in value.items()} else there

    return compare


def _expect_siege(table: Table, value: Mapping[str, Any]) -> Any:
    there: dict[str, Any] = {}
    for space, wanted in value.items():
        siege = table.board.state.get(SIEGE + space)
        there[space] = siege and {key: siege.get(key) for key in wanted} if isinstance(wanted, dict) else siege
    return None if there == {space: _none(wanted) for space, wanted in value.items()} else there


def _expect_hand(table: Table, value: Mapping[str, Sequence[str]]) -> Any:
    hands = {side: sorted(deck.held(table, side)) for side in value}
    return None if hands == {side: sorted(cards) for side, cards in value.items()} else hands


def _expect_vp(table: Table, value: int) -> Any:
    return None if score.total(table) == value else score.total(table)


def _expect_reasons(table: Table, value: Mapping[str, int]) -> Any:
    points: dict[str, int] = {}
    for entry in score.reasons(table):
        for name in (entry["reason"], f"{entry['reason']}:{entry['what']}"):
            points[name] = points.get(name, 0) + entry["points"]
    got = {name: points.get(name, 0) for name in value}
    return None if got == value else got


def _expect_aid(table: Table, value: Mapping[str, Mapping[str, int]]) -> Any:
    received = {
        side: {source: table.board.counter(f"aid:{side}:{source}") for source in sources}
        for side, sources in value.items()
    }
    return None if received == value else received


def _expect_winner(table: Table, value: Mapping[str, Any]) -> Any:
    state = table.board.state
    ending = {"side": state.get("winner"), **(state.get("victory") or {})}
    got = {name: ending.get(name) for name in value}
    return None if got == {name: _none(wanted) for name, wanted in value.items()} else ending


def _expect_told(table: Table, value: Mapping[str, Any]) -> Any:
    told = [fact for fact in table.facts if fact.get("what") == value["what"]]
    holds = any(all(fact.get(key) == wanted for key, wanted in value.items()) for fact in told)
    return None if holds else told or "nothing of that kind"


_EXPECT: dict[str, Callable[[Table, Any], Any]] = {
    "stack": _expect_stack,
    "at": _expect_at,
    "control": _each(control.holder),
    "region": _each(lambda table, region: table.board.state.get(REGION + region)),
    "loot": _each(control.loot),
    "revolt": _each(lambda table, space: bool(table.board.state.get(REVOLT + space))),
    "siege": _expect_siege,
    "hand": _expect_hand,
    "vp": _expect_vp,
    "reasons": _expect_reasons,
    "counter": _each(lambda table, name: table.board.counter(name)),
    "aid": _expect_aid,
    "winner": _expect_winner,
    "told": _expect_told,
    "elector": _each(lambda table, elector: control.electors(table).get(elector)),
}
