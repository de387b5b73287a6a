"""A city throws its foreign master out: what the card of both games does, without its numbers."""

from __future__ import annotations

from pbem.games.reformation import fleets
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.battle import capture
from pbem.games.reformation.card_help import has_units
from pbem.games.reformation.displacement import displace
from pbem.games.reformation.forces import LEADER, Force, add_units, land_units, leader_power, leaders_at, own_owners
from pbem.games.reformation.ground import controller, home_of, set_control
from pbem.games.reformation.relations import major_of
from pbem.games.reformation.rules import rules
from pbem.games.reformation.taken_units import choose_unit
from pbem.table.procedure import Procedure, Table

SECTION = "22.6"
WHY = "city_state_rebels"


def garrison(table: Table, space: str) -> list[str]:
    """The units that the holder of a space could lose there, ``owner:kind:space``, least worth first.

    Mercenaries and cavalry, then ships, first those that blockade nobody, then regulars.
    """
    holder, names = controller(table, space) or "", rules(table)
    units = [(owner, kind) for owner in own_owners(table, space, holder) for kind in land_units(table, space, owner)]
    units += [(owner, kind) for owner, kinds in fleets.ships(table, space, holder).items() for kind in kinds]
    ships = sorted(atlas(table).naval_kinds, key=lambda kind: names.blockade_weight(table, kind))
    worth = [names.mercenary_kind, names.cavalry_kind, *ships, names.regular_kind]
    return [f"{owner}:{kind}:{space}" for owner, kind in sorted(units, key=lambda one: (worth.index(one[1]), one[0]))]


def city_rebels(
    table: Table, power: str, space: str, loser: str, dice: int, regulars: int, card: int, section: str = SECTION
) -> Procedure:
    """Dice are thrown; for each hit the holder of a space loses a unit there, as `loser` chooses; with none left the
    space is lost, and held by so many `regulars`."""
    holder, hit_on = controller(table, space) or "", table.kit.constants["hit_on"]
    thrown = table.roll(WHY, power, dice, hit_on=hit_on, space=space, section=section) if dice else []
    for _ in range(sum(1 for die in thrown if die >= hit_on)):
        unit = yield from choose_unit(table, loser, lambda t: garrison(t, space), section=section, card=card)
        if unit is None:
            break
        owner, kind, _place = unit
        if kind in atlas(table).naval_kinds:
            fleets.sink(table, holder, space, Force({owner: {kind: 1}}), "17.2")
        else:
            table.remove(owner, kind, space, why=WHY, section=section)
    if not has_units(table, space):
        yield from _falls(table, power, space, regulars, section)


def _falls(table: Table, power: str, space: str, regulars: int, section: str) -> Procedure:
    """Leaders are captured, the space goes back to its home power or that one's ally, with some regulars."""
    before, home = controller(table, space) or "", home_of(table, space)
    table.tell("city_rebels", power=power, space=space, section=section)
    for leader in leaders_at(table, space):
        whose = leader_power(table, leader)
        major = major_of(table.board, whose) or whose
        if major == power:
            yield from displace(table, power, space, Force(leaders=[leader]), section=section)
        else:
            capture(table, leader, power, section)
    for leader in leaders_at(table, space, kind="naval"):
        table.put(LEADER + leader, fleets.next_box(table), why="loss", section="16.2")
    after = major_of(table.board, home) or home
    set_control(table, space, after, why=WHY, section=section)
    yield from rules(table).after_capture(table, space, before, after)
    add_units(table, home, rules(table).regular_kind, space, regulars, why=WHY, section=section)
