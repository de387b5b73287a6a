"""Spaces on the board: who controls them, what they are, whether they are friendly (2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.games.reformation.atlas import FORTIFIED, atlas
from pbem.games.reformation.relations import allied, at_war, major_of
from pbem.games.reformation.rules import rules
from pbem.table.procedure import Table, while_unchanged

INDEPENDENT = "independent"


def controller(table: Table, space: str) -> str | None:
    """Who controls a space: a power, ``independent``, or None for a space that is not in play."""
    return table.board.state.get(f"control:{space}")


def set_control(table: Table, space: str, power: str, **more: Any) -> None:
    """Put a power's marker (or independence) on a space; religion stays (12.2)."""
    table.set(f"control:{space}", power, **more)
    rules(table).spaces_changed(table)


def religion(table: Table, space: str) -> str | None:
    """``catholic``, ``protestant``, or None where religion cannot change (2.3)."""
    return table.board.state.get(f"religion:{space}")


def set_religion(table: Table, space: str, side: str, **more: Any) -> None:
    """Turn the religion of a space."""
    table.set(f"religion:{space}", side, **more)
    rules(table).spaces_changed(table)


def in_unrest(table: Table, space: str) -> bool:
    """Whether there is an unrest marker (12.4)."""
    return table.board.state.get(f"unrest:{space}", False)


def set_unrest(table: Table, space: str, unrest: bool, **more: Any) -> None:
    """Put an unrest marker on a space, or take it away."""
    table.set(f"unrest:{space}", True if unrest else None, **more)
    rules(table).spaces_changed(table)


def home_of(table: Table, space: str) -> str:
    """The home power of a space (2.1), which only a few events change: ``home:<space>`` in the state."""
    return table.board.state.get(f"home:{space}") or atlas(table).spaces[space]["home"]


def home_owners(table: Table, space: str) -> list[str]:
    """The owners whose home space a space is: one, or the two home powers of some."""
    row = atlas(table).spaces[space]
    changed = table.board.state.get(f"home:{space}")
    return [changed] if changed else list(dict.fromkeys([row["home"], row.get("second_home") or row["home"]]))


def is_home(table: Table, space: str, owner: str) -> bool:
    """Whether a space is a home space of an owner; some have two home powers (2.1)."""
    changed = table.board.state.get(f"home:{space}")
    return changed == owner if changed else space in atlas(table).homes.get(owner, ())


def capitals(table: Table, owner: str) -> Sequence[str]:
    """The capitals of a power, or of a faction, as they are now."""
    return rules(table).capitals(table, owner)


@while_unchanged
def _homes_changed(table: Table) -> Mapping[str, str]:
    return {name[5:]: home for name, home in table.board.state.items() if name.startswith("home:")}


def home_spaces(table: Table, owner: str) -> list[str]:
    """The home spaces of an owner that are in play."""
    changed = _homes_changed(table)
    spaces = [space for space in atlas(table).homes.get(owner, ()) if changed.get(space, owner) == owner]
    spaces += sorted(space for space, home in changed.items() if home == owner and space not in spaces)
    return [space for space in spaces if controller(table, space)]


def in_play(table: Table, space: str) -> bool:
    """Whether a space exists yet."""
    return controller(table, space) is not None


def kind_of(table: Table, space: str) -> str:
    """``key``, ``electorate``, ``fortress`` or ``unfortified``; a marker may have made a fortress (2.1)."""
    kind = atlas(table).spaces[space]["kind"]
    if kind == "unfortified" and table.board.state.get(f"fortress:{space}"):
        return "fortress"
    return kind


def is_fortified(table: Table, space: str) -> bool:
    """Whether a space has to be besieged (2.1)."""
    return kind_of(table, space) in FORTIFIED


def is_friendly(table: Table, space: str, power: str) -> bool:
    """Whether a power or one of its allies controls a space (2.2)."""
    holder = controller(table, space)
    if holder is None:
        return False
    major = major_of(table.board, holder)
    return major is not None and (major == power or allied(table.board, power, major))


def is_enemy_space(table: Table, space: str, power: str) -> bool:
    """Whether a power at war with this one controls a space (2.2)."""
    holder = controller(table, space)
    return holder is not None and at_war(table.board, power, major_of(table.board, holder) or holder)


def siege_of(table: Table, space: str) -> dict[str, Any] | None:
    """The siege of a space: ``{"by": {power: number of the impulse since which it besieges}}``, or None."""
    return table.board.state.get(f"siege:{space}")


@while_unchanged
def besieged(table: Table) -> tuple[str, ...]:
    """The spaces under siege, in alphabetical order."""
    return tuple(sorted([name[6:] for name in table.board.state if name.startswith("siege:")]))


def inside(space: str) -> str:
    """The place of the land units within the walls of a besieged space."""
    return f"{space}/inside"


def space_of(place: str) -> str:
    """The space that a place belongs to."""
    return place.partition("/")[0]


def neighbours(table: Table, space: str, power: str, *, listed: bool = True) -> Sequence[str]:
    """The spaces next to one for a power: a waterway is open only to who controls its seaward end (2.5).

    `listed`: for a use of waterways that the book lists (move, interception, avoiding battle, line of communication,
    nearest space); whether others follow is the option `waterway_uses`.
    """
    return _with_waterways(table, space, power, atlas(table).neighbours[space], listed)


def clear_neighbours(table: Table, space: str, power: str, *, listed: bool = True) -> Sequence[str]:
    """The spaces next to one for a power that no pass lies between; `listed` as in `neighbours`."""
    return _with_waterways(table, space, power, atlas(table).open[space], listed)


def _with_waterways(table: Table, space: str, power: str, near: Sequence[str], listed: bool) -> Sequence[str]:
    chart = atlas(table)
    if space not in chart.waterways or not (listed or table.options.get("waterway_uses") == "as_movement"):
        return near
    spaces = chart.spaces
    use = [
        other
        for other in chart.waterways[space]
        if controller(table, spaces[space]["inland_port"] or spaces[other]["inland_port"]) == power
    ]
    return (*near, *use)


def sea_from(table: Table, space: str) -> Sequence[str]:
    """The zones that lines, crossings and ways over sea go to from a space; none from an inland port (16.7).

    Option `inland_port_uses`: ``as_port`` lets them begin and end there too.
    """
    chart = atlas(table)
    closed = space in chart.inland_ports and table.options.get("inland_port_uses") != "as_port"
    return () if closed else chart.ports[space]


def ports_from(table: Table, zone: str) -> Sequence[str]:
    """The ports that lines, crossings and ways over sea come to from a zone, likewise."""
    chart = atlas(table)
    if not chart.inland_ports or table.options.get("inland_port_uses") == "as_port":
        return chart.ports_on[zone]
    return [port for port in chart.ports_on[zone] if port not in chart.inland_ports]


def steps_from(
    table: Table,
    start: str,
    passable: Callable[[str], bool] | None = None,
    *,
    power: str | None = None,
    listed: bool = True,
) -> dict[str, int]:
    """The distance of every space and sea zone that can be reached from a place; a zone counts as a space (9.1).

    `passable` says which places may be gone through; without it all may. A port is next to its zones. Waterways are
    for the power that has them (`neighbours`).
    """
    reached = {start: 0}
    edge = [start]
    while edge:
        following = []
        for place in edge:
            for other in _next_to(table, place, power, listed):
                if other not in reached and (passable is None or passable(other)):
                    reached[other] = reached[place] + 1
                    following.append(other)
        edge = following
    return reached


def _next_to(table: Table, place: str, power: str | None, listed: bool) -> Sequence[str]:
    chart = atlas(table)
    if not chart.inland_ports:
        return chart.next_places[place]
    if place in chart.sea:
        return (*chart.sea[place], *ports_from(table, place))
    by_land = chart.neighbours[place] if power is None else neighbours(table, place, power, listed=listed)
    return (*by_land, *sea_from(table, place))
