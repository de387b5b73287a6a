"""What cards of both games do with mercenaries that come to stacks, and with those that are dismissed (17)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import add_units, can_add, land_owners, own_owners
from pbem.games.reformation.ground import in_unrest, inside
from pbem.games.reformation.rules import rules
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

Spaces = Callable[[Table, str], Sequence[str]]
OwnerAt = Callable[[Table, str, str], str]


def _itself(table: Table, power: str, space: str) -> str:
    return power


ANY_STACK = ("impulse", "any_time", "field_battle", "assault")
"""Also in another power's impulse, and as the last thing before a field battle or an own assault."""


def stacks(table: Table, power: str) -> list[str]:
    """17: the spaces with own land units that are not besieged, calm, where one more mercenary can be shown.

    A foreign war that wants units takes new land units first.
    """
    kind = rules(table).mercenary_kind
    first = rules(table).build_elsewhere(table, power)
    if first:
        return [first] if can_add(table, power, kind, first) else []
    return [
        space
        for space in atlas(table).spaces
        if own_owners(table, space, power) and not in_unrest(table, space) and can_add(table, power, kind, space)
    ]


def hire(
    table: Table, power: str, many: int, card: int, spaces: Spaces = stacks, owner_at: OwnerAt = _itself
) -> Procedure:
    """New mercenaries join a power's stacks, one by one where it chooses; `owner_at`: whose counters they are there."""
    for _ in range(many):
        space = yield from choose(
            table, power, "space", lambda t: spaces(t, power), kind="event_choice", section="17", number=card
        )
        if space is None:
            return
        owner = owner_at(table, power, space)
        add_units(table, owner, rules(table).mercenary_kind, space, 1, why="hired", section="17")


def why_no_hire(table: Table, power: str, spaces: Spaces = stacks) -> Refused | None:
    """Why a power can hire nobody: it has no land actions, or no stack that may take a mercenary."""
    reason = rules(table).may_fight(table, power)
    if reason:
        return reason
    return None if spaces(table, power) else Refused("no_stack_for_mercenaries")


def not_at_assault(power: str, moment: Moment) -> Refused | None:
    """15.1 step 2: at an assault these cards are for the active power."""
    if moment.name == "assault" and power != moment.power:
        return Refused("at_assault_for_assaulting")
    return None


def dismiss(table: Table, power: str, many: int, card: int) -> Procedure:
    """Mercenaries of anybody, besieged ones too, are removed from the map, one by one where a power chooses."""
    for _ in range(many):
        space = yield from choose(
            table, power, "space", mercenary_spaces, kind="event_choice", section="17", number=card
        )
        if space is None:
            return

        def whose(table: Table, space: str = space) -> list[str]:
            return [one for one in atlas(table).powers if _mercenaries_at(table, space, one)]

        whom = yield from choose(table, power, "power", whose, kind="event_choice", section="17", space=space)
        place, owner = _mercenaries_at(table, space, whom)[0]
        table.remove(owner, rules(table).mercenary_kind, place, why="dismissed")


def why_no_dismissal(table: Table) -> Refused | None:
    """Why no mercenaries can be dismissed: there are none on the map."""
    return None if mercenary_spaces(table) else Refused("no_mercenaries_on_map")


def mercenary_spaces(table: Table) -> list[str]:
    """The spaces with mercenaries of anybody, outside their walls or within."""
    kind = rules(table).mercenary_kind
    return [
        space
        for space in atlas(table).spaces
        if any(
            table.board.count(place, owner, kind)
            for place in (space, inside(space))
            for owner in land_owners(table, place)
        )
    ]


def _mercenaries_at(table: Table, space: str, power: str) -> list[tuple[str, str]]:
    """(place, owner) of the mercenaries of a major power and its factions in a space, without the walls and within."""
    kind, faction_of = rules(table).mercenary_kind, atlas(table).faction_of
    return [
        (place, owner)
        for place in (space, inside(space))
        for owner in land_owners(table, place)
        if (owner == power or faction_of.get(owner) == power) and table.board.count(place, owner, kind)
    ]
