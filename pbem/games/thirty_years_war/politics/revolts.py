"""9.44: peasant revolts spread in phase F2.

How they begin and are put down stands in `control` (`control.revolt`, `control.restore_order`).
Who rolls names in the sealed round at the end of the turn where he wants them: SPREAD TO, a ranking.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.control import REVOLT
from pbem.games.thirty_years_war.map import SIDES, atlas, number, other, roll
from pbem.games.thirty_years_war.upkeep import supply
from pbem.table.orders import Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "9.44"


def revolts(table: Table) -> list[str]:
    """The spaces with a revolt, in the order of the kit."""
    return [space for space in atlas(table).spaces if table.board.state.get(REVOLT + space)]


def roller(table: Table, space: str) -> str:
    """9.44, INT-18: who rolls for a revolt: the side that does not control the region; for one that nobody controls the
    option revolt_roller says."""
    region = atlas(table).region(space)
    held = control.region_holder(table, region) if region else None
    return other(held) if held else table.options["revolt_roller"]


def spread_refusal(table: Table, origin: str, space: str) -> Refused | None:
    """9.44: why a revolt may not spread from a space to another; None when it may."""
    chart = atlas(table)
    region = chart.region(origin)
    if chart.region(space) != region:
        return Refused("other_region", SECTION, space=space, region=region)
    if space not in chart.neighbours[origin]:
        return Refused("not_linked_to_revolt", SECTION, space=space, origin=origin)
    if table.board.state.get(REVOLT + space):
        return Refused("revolt_there_already", SECTION, space=space)
    if is_base(table, space):
        return Refused("base_does_not_revolt", SECTION, space=space)
    if any(pieces.is_unit(piece) for piece in pieces.pieces_at(table, space)):
        return Refused("units_there", SECTION, space=space)
    return None


def is_base(table: Table, space: str) -> bool:
    """9.44, INT-79: whether a space is a base, of any nation (option revolt_bases: of one of the region's holder)."""
    if table.options["revolt_bases"] == "any":
        return space in supply.all_bases(table)
    region = atlas(table).region(space)
    held = control.region_holder(table, region) if region else None
    nations = table.kit.tables["nations"]
    return any(space in supply.home_bases(table, id) for id, row in nations.items() if row["side"] == held)


def open_spaces(table: Table, origin: str) -> list[str]:
    """9.44: the spaces to which a revolt may spread, by name."""
    return sorted(
        space for space in atlas(table).neighbours[origin] if spread_refusal(table, origin, space) is None
    )


# --- the order ---


class Spread(Order):
    """Say where revolts spread for which you roll, the space you want most first: SPREAD TO amberg, cham."""

    line = "SPREAD TO {spaces}"
    spaces = Many(Name("space"), most=40)

    def check(self, table: Table, question: Question) -> None:
        origins = question.context["revolts"]
        for space in self.spaces:
            refusals = [spread_refusal(table, origin, space) for origin in origins]
            if all(refusal is not None for refusal in refusals):
                raise min(
                    (refusal for refusal in refusals if refusal is not None), key=lambda one: _RANK.index(one.code)
                )

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for origin in question.context["revolts"]:
            for space in open_spaces(table, origin):
                yield cls(spaces=[space])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        able = sorted({space for origin in question.context["revolts"] for space in open_spaces(table, origin)})
        return cls(spaces=chance.sample(able, len(able))) if able else None


_RANK = ("units_there", "base_does_not_revolt", "revolt_there_already", "not_linked_to_revolt", "other_region")
"""Of the reasons why no revolt can spread to a space the first of these is told."""


class SpreadByName(Order):
    """Let revolts spread to the first space by name."""

    line = "SPREAD BY NAME"


ORDERS: tuple[type[Order], ...] = (Spread, SpreadByName)


def question(table: Table, side: str) -> Question | None:
    """9.44: where a side wants revolts to spread; None where it rolls for none that has a choice."""
    origins = [space for space in revolts(table) if roller(table, space) == side]
    choices = {origin: spaces for origin in origins if len(spaces := open_spaces(table, origin)) > 1}
    if not choices:
        return None
    return Question(
        side,
        "revolts",
        ORDERS,
        default=SpreadByName(),
        context={"revolts": origins, "spaces": choices},
        section=SECTION,
        key=f"revolts:{side}",
    )


# --- the segment ---


def revolt_phase(table: Table, said: Mapping[str, Order | None]) -> Procedure:
    """9.44, F2: a roll for each revolt that lay there when the segment began, the Protestant's first (C 6.0).

    By option ``revolt_snapshot`` new markers roll too.
    """
    left = revolts(table)
    rolled: list[str] = []
    while left:
        for side in SIDES:
            for space in [space for space in left if roller(table, space) == side]:
                if space not in rolled:
                    rolled.append(space)
                    spread(table, space, side, _ranking(said.get(side)))
                    yield from control.triggers(table)
        left = [] if table.options["revolt_snapshot"] else [s for s in revolts(table) if s not in rolled]
        if not [s for s in left if s not in rolled]:
            return


def _ranking(order: Order | None) -> Sequence[str]:
    return order.spaces if isinstance(order, Spread) else ()


def spread(table: Table, origin: str, side: str, ranking: Sequence[str]) -> None:
    """9.44: one roll: on 0 or 1 a marker more lies in a linked space of the region, the roller's choice."""
    face = roll(table, "revolt", side, space=origin, section=SECTION)
    if face > number(table, "revolt_spread"):
        table.tell("revolt_stays", power=side, space=origin, roll=face, section=SECTION)
        return
    able = open_spaces(table, origin)
    ranked = [space for space in ranking if space in able] or able
    if not ranked:
        table.tell("revolt_finds_no_space", power=side, space=origin, roll=face, section=SECTION)
        return
    table.tell("revolt_spreads", power=side, space=origin, roll=face, to=ranked[0], section=SECTION)
    control.revolt(table, ranked[0], why="revolt_spreads", section=SECTION)
