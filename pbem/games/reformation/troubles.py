"""What cards of both games do to stacks, fortresses and sieges: their procedures, without the cards' numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.reformation import siege
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.card_help import others_first
from pbem.games.reformation.forces import (
    add_units,
    count_land,
    enemy_owners,
    formations,
    has_enemy_land,
    land_owners,
    make_change,
    own_owners,
)
from pbem.games.reformation.ground import controller, in_unrest, inside, is_home, siege_of
from pbem.games.reformation.relations import is_independent, major_of
from pbem.games.reformation.rules import rules
from pbem.table.asking import choose, choose_number
from pbem.table.procedure import Procedure, Table

# --- stacks: what a power has in a space, without the walls or within ---


def stacks(table: Table, counts: Callable[[Table, str, str], int]) -> list[tuple[str, str, str]]:
    """(space, power, place) of all stacks of major powers of which a function counts any unit, in the kit's order."""
    return [
        (space, power, place)
        for space in atlas(table).spaces
        for place in (space, inside(space))
        if place in table.board.units
        for power in table.board.powers
        if counts(table, place, power)
    ]


def choose_stack(
    table: Table, chooser: str, counts: Callable[[Table, str, str], int], card: int
) -> Procedure:
    """Choose a space, then (where several powers have such a stack there) whose stack. Value: (power, place).

    The chooser's own stacks are offered last.
    """

    def others_before(table: Table) -> list[tuple[str, str, str]]:
        return sorted(stacks(table, counts), key=lambda stack: stack[1] == chooser)

    def spaces(table: Table) -> list[str]:
        return list(dict.fromkeys(space for space, _, _ in others_before(table)))

    space = yield from choose(
        table, chooser, "space", spaces, number=card
    )
    whose = yield from choose(
        table,
        chooser,
        "power",
        lambda t: list(dict.fromkeys(power for s, power, _ in others_before(t) if s == space)),
        number=card,
        space=space,
    )
    place = next(place for s, power, place in stacks(table, counts) if (s, power) == (space, whose))
    return whose, place


def mercenaries(table: Table, place: str, power: str) -> int:
    """How many mercenaries a power has at a place; only major powers have any (17)."""
    return table.board.count(place, power, rules(table).mercenary_kind)


def all_land(table: Table, place: str, power: str) -> int:
    """How many land units a power has at a place, those of its active minor powers too."""
    return count_land(table, place, own_owners(table, place, power))


def remove_shared(
    table: Table,
    chooser: str,
    place: str,
    groups: Sequence[tuple[str, str]],
    loss: int,
    why: str,
    card: int,
) -> Procedure:
    """Remove units at a place, the chooser saying how many of each group (owner, kind) where there is a choice."""
    left = min(loss, sum(table.board.count(place, *group) for group in groups))
    for at, (owner, kind) in enumerate(groups):
        there = table.board.count(place, owner, kind)
        others = sum(table.board.count(place, *group) for group in groups[at + 1 :])
        gone = yield from choose_number(
            table,
            chooser,
            max(0, left - others),
            min(there, left),
            place=place,
            owner=owner,
            unit=kind,
            number=card,
            step="lost",
        )
        table.remove(owner, kind, place, min(gone, table.board.count(place, owner, kind)), why=why)
        left -= gone


def unpaid_mercenaries(table: Table, power: str, card: int) -> Procedure:
    """All mercenaries of one power in one space leave."""
    whose, place = yield from choose_stack(table, power, mercenaries, card)
    kind = rules(table).mercenary_kind
    table.remove(whose, kind, place, mercenaries(table, place, whose), why="unpaid_mercenaries")


def unsanitary_camp(table: Table, power: str, fraction: int, card: int) -> Procedure:
    """A stack loses one in so many of its land units, rounded up; its owner chooses, at least half of them regulars."""
    whose, place = yield from choose_stack(table, power, all_land, card)
    loss = -(-all_land(table, place, whose) // fraction)
    owners = own_owners(table, place, whose)
    regular = rules(table).regular_kind
    regulars = [(owner, regular) for owner in owners if table.board.count(place, owner, regular)]
    others = [
        (owner, kind)
        for owner in owners
        for kind in atlas(table).land_kinds
        if kind != regular and table.board.count(place, owner, kind)
    ]
    many = sum(table.board.count(place, *group) for group in regulars)
    rest = sum(table.board.count(place, *group) for group in others)
    half = min(many, -(-loss // 2))
    chosen = yield from choose_number(
        table,
        whose,
        max(half, loss - rest),
        min(many, loss),
        number=card,
        place=place,
        unit=regular,
        loss=loss,
    )
    yield from remove_shared(table, whose, place, regulars, chosen, "unsanitary_camp", card)
    yield from remove_shared(table, whose, place, others, loss - chosen, "unsanitary_camp", card)
    make_change(table, place)


# --- sieges ---


def besieged_spaces(table: Table) -> list[str]:
    return [space for space in atlas(table).spaces if besiegers(table, space)]


def besiegers(table: Table, space: str) -> list[str]:
    by = (siege_of(table, space) or {"by": {}})["by"]
    return [power for power in table.board.powers if power in by and own_owners(table, space, power)]


def treachery(table: Table, power: str, card: int) -> Procedure:
    """A besieged space is assaulted at once; if the besiegers still outnumber the garrison, it falls anyhow.

    The power of the card chooses the space and who assaults. The assault costs nothing and needs neither a line of
    communication nor a blockade (15.1).
    """
    space = yield from choose(
        table, power, "space", lambda t: others_first(t, power, besieged_spaces(t)), number=card
    )
    besieger = yield from choose(table, power, "power", lambda t: besiegers(t, space), number=card, space=space)
    force = formations(table, besieger, space)[0]
    yield from siege.assault(table, besieger, space, force, announced=False)
    there = besiegers(table, space)
    owners = [owner for one in there for owner in own_owners(table, space, one)]
    if besieger not in there or count_land(table, space, owners) <= siege.besieged_number(table, space):
        return
    within = inside(space)
    table.tell("treachery", power=besieger, space=space)
    for owner in land_owners(table, within):
        for kind in atlas(table).land_kinds:
            table.remove(owner, kind, within, table.board.count(within, owner, kind), why="treachery")
    yield from siege.fortress_falls(table, besieger, space)
    yield from rules(table).after_battle(table, space, "assault", besieger)


# --- fortresses ---


def add_fortress(table: Table, space: str, **more: str) -> None:
    """Put a fortress marker on a space: it is fortified from now on (2.1)."""
    table.set(f"fortress:{space}", True, **more)


def fortify(table: Table, space: str, owner: str, regulars: int, *, home_only: bool = False) -> None:
    """An unfortified space becomes a fortress; regulars of the owner named come there.

    None come where there is unrest, nor in an independent space; `home_only`: nor where it is no home space of who
    controls it. A reading: enemies of the holder who stand in the space besiege it from now on (15), and no regular
    comes to them (17.1).
    """
    add_fortress(table, space, why="trace_italienne", section="2.1")
    table.tell("fortress_built", space=space, section="2.1")
    holder = controller(table, space) or ""
    side = major_of(table.board, holder) or holder
    if not has_enemy_land(table, space, side):
        at_home = not home_only or is_home(table, space, holder) or is_home(table, space, owner)
        if at_home and not in_unrest(table, space) and not is_independent(table, holder):
            add_units(table, owner, "regular", space, regulars, why="trace_italienne")
        return
    for besieger in table.board.powers:
        if any(major_of(table.board, one) == besieger for one in enemy_owners(table, space, side)):
            siege.begin_siege(table, besieger, space)
