"""18.1 to 18.3, 18.5: religious actions, conversion attempts of both sides, last stand.

A side is ``protestant`` or ``catholic``. All attempts of an action or event are resolved together. At the moment
``conversion`` the dice are thrown and nothing is used yet; its data: ``dice`` (a list that cards may change), ``side``,
``regions``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.choices import ChooseSpace
from pbem.games.reformation.ground import in_unrest, inside, religion, set_religion, set_unrest
from pbem.games.virgin_queen.powers.majors import PROTESTANT
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import Ask, Moment, Stop, choose, choose_number, response
from pbem.table.orders import Many, Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

CATHOLIC = "catholic"
SECTION = "18.5"


def other_side(side: str) -> str:
    """The other one of the two sides."""
    return CATHOLIC if side == PROTESTANT else PROTESTANT


def region(table: Table, space: str) -> str | None:
    """2.3: the religious region of a space, or None where religion never turns."""
    return score.region_of(table, space)


# --- what may be turned ---


def left_to_turn(table: Table, region: str, side: str) -> int:
    """18.1: how many spaces of a region are of the religion that is not this side's; those in unrest count."""
    spaces = atlas(table).spaces
    return sum(1 for s, row in spaces.items() if row["region"] == region and religion(table, s) == other_side(side))


def last_stand(table: Table, region: str, side: str) -> bool:
    """18.1: whether a region has no more than one space left to turn to a side."""
    return left_to_turn(table, region, side) <= 1


def has_unit(table: Table, space: str, side: str) -> bool:
    """18.5: whether a unit that belongs to a side is in a space, within walls or without; mercenaries to neither."""
    constants = table.kit.constants
    owners = constants["units_of_side"][side]
    units = table.board.units
    return any(
        number and kind not in constants["kinds_of_no_side"]
        for place in (space, inside(space))
        for owner in owners
        for kind, number in units.get(place, {}).get(owner, {}).items()
    )


def has_jesuit(table: Table, space: str) -> bool:
    """19.2: whether a Jesuit is in a space."""
    return any(name.startswith("jesuit:") and piece["at"] == space for name, piece in table.board.pieces.items())


def is_held(table: Table, space: str, side: str) -> bool:
    """18.5 c: whether units of the other side, or for Protestant attempts a Jesuit, hold a space."""
    return has_unit(table, space, other_side(side)) or (side == PROTESTANT and has_jesuit(table, space))


def supporters(table: Table, side: str) -> list[str]:
    """18.5 b: the spaces that support attempts of a side now: of its religion, not in unrest."""
    return [s for s in atlas(table).spaces if religion(table, s) == side and not in_unrest(table, s)]


def targets(table: Table, side: str, regions: Sequence[str], base: Sequence[str], *, held: bool = False) -> list[str]:
    """18.5: the spaces that may be turned to a side, in the order of the kit.

    `base` are the supporters as the step began; `held` is true for majors that were kept: they ignore units and
    Jesuits. The last space of the other side in a region is none (18.1).
    """
    chart = atlas(table)
    near = {other for space in base for other in chart.neighbours[space]}
    near |= {port for space in base for zone in chart.ports[space] for port in chart.ports_on[zone]}
    open_regions = [one for one in regions if not last_stand(table, one, side)]
    return [
        space
        for space, row in chart.spaces.items()
        if row["region"] in open_regions
        and religion(table, space) == other_side(side)
        and space in near
        and (held or not is_held(table, space, side))
    ]


# --- attempts ---


def attempt(
    table: Table,
    power: str,
    side: str,
    regions: Sequence[str],
    attempts: int,
    *,
    first_six: bool = False,
    raised: Mapping[int, int] | None = None,
    unrest_a_one: bool = False,
) -> Procedure:
    """18.5: the procedure of conversion attempts of a side in regions. Value: the spaces that were turned, in order.

    `first_six`: one die is a 6 without a throw; `raised`: results that an event changes ({3: 4}); `unrest_a_one`: an
    unrest marker for each 1 instead of one for all.
    """
    constants = table.kit.constants
    dice = [constants["conversion_major"]] if first_six else []
    dice += table.roll("conversion", power, attempts - len(dice), side=side, regions=list(regions), section=SECTION)
    ones = dice.count(constants["conversion_unrest"])
    dice = [(raised or {}).get(die, die) for die in dice]
    moment = Moment("conversion", power, {"dice": dice, "side": side, "regions": list(regions)})
    yield from response(table, moment, section=SECTION)
    unrest = ones if unrest_a_one else min(ones, 1)
    majors = dice.count(constants["conversion_major"])
    minors = sum(1 for die in dice if die in constants["conversion_minor"])
    most = 1 if table.options["unrest_cancelled"] == "one_in_all" else unrest
    lowered = yield from choose_number(
        table,
        power,
        0,
        min(unrest, majors, most),
        kind="conversion",
        section=SECTION,
        step="cancel_unrest",
        side=side,
        majors=majors,
        minors=minors,
        unrest=unrest,
    )
    unrest, majors, minors = unrest - lowered, majors - lowered, minors + lowered
    base = supporters(table, side)
    of_step = _Step(power, side, tuple(regions), minors)
    turned = yield from _turn(table, of_step, base, "early_major", majors, optional=True)
    kept = majors - len(turned)
    may = bool(table.options["results_forgone"] == "may")
    base = supporters(table, side)
    # Kept majors come first: what they may turn includes all that minors may, and last stand may stop either.
    for step, number in (("kept_major", kept), ("minor", minors)):
        turned += yield from _turn(table, of_step, base, step, number, optional=may)
    yield from _place_unrest(table, power, turned, unrest)
    return turned


@dataclass(frozen=True)
class _Step:
    """Who turns spaces to which side where, and how many minor results there are in all."""

    power: str
    side: str
    regions: tuple[str, ...]
    minors: int


class Turn(Order):
    """Turn several spaces with the results of this step at once, as many as you like to name now."""

    line = "TURN {spaces}"
    spaces = Many(Name("space"), most=20)

    def check(self, table: Table, question: Question) -> None:
        offered = question.among(table) if isinstance(question, Ask) and question.among else ()
        for space in self.spaces:
            if space not in offered or self.spaces.count(space) > 1:
                lines = [f"TURN {one}" for one in offered]
                raise Refused("not_to_be_chosen", SECTION, lines, what="space", value=space)
        if len(self.spaces) > question.context["left"]:
            raise Refused("so_many_results", SECTION, left=question.context["left"], named=len(self.spaces))
        for one in dict.fromkeys(region(table, space) for space in self.spaces):
            assert one is not None
            named = sum(1 for space in self.spaces if region(table, space) == one)
            if named >= left_to_turn(table, one, question.context["side"]):
                raise Refused("last_stand", "18.1", region=one)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        offered = list(question.among(table)) if isinstance(question, Ask) and question.among else []
        for at in range(len(offered)):
            yield cls(spaces=(offered[at:] + offered[:at])[: question.context["left"]])


def _turn(
    table: Table, of: _Step, base: Sequence[str], step: str, number: int, *, optional: bool
) -> Procedure:
    """18.5 steps 5 and 6: so many results of a kind turn spaces. Value: the spaces, in order.

    The power names one after another, or several at once (TURN); those of a step do not support each other.
    """
    turned: list[str] = []

    def among(table: Table) -> list[str]:
        return targets(table, of.side, of.regions, base, held=step == "kept_major")

    def may_stop(table: Table) -> None:
        if not optional and among(table):
            raise Refused("choose_something", SECTION, what="space")

    while len(turned) < number:
        offered = among(table)
        if not offered:
            break
        spaces = offered
        if optional or len(offered) > 1:
            answer = yield Ask(
                of.power,
                "conversion",
                [ChooseSpace, Turn, Stop] if optional else [ChooseSpace, Turn],
                Stop() if optional else lambda t, q: next(ChooseSpace.legal(t, q)),
                context={
                    "choose": "space",
                    "step": step,
                    "side": of.side,
                    "left": number - len(turned),
                    "minors": of.minors,
                },
                section=SECTION,
                among=among,
                may_pass=may_stop,
            )
            if isinstance(answer, Stop):
                break
            spaces = list(answer.spaces) if isinstance(answer, Turn) else [answer.space]
        for space in spaces:
            set_religion(table, space, of.side, why=step, section=SECTION)
            turned.append(space)
    return turned


def _place_unrest(table: Table, power: str, turned: Sequence[str], unrest: int) -> Procedure:
    """18.5, last step: the markers go to spaces just turned, one each; what is too many is ignored."""
    for done in range(unrest):
        space = yield from choose(
            table,
            power,
            "space",
            lambda table: [space for space in turned if not in_unrest(table, space)],
            kind="conversion",
            section=SECTION,
            step="unrest",
            left=unrest - done,
        )
        if space is None:
            return
        set_unrest(table, space, True, why="conversion", section=SECTION)


def protestant_attempts(
    table: Table,
    power: str,
    region: str,
    attempts: int,
    *,
    first_six: bool = False,
    raised: Mapping[int, int] | None = None,
    unrest_a_one: bool = False,
) -> Procedure:
    """18.5: so many dice to turn spaces of a region Protestant; more in `attempt`."""
    return (
        yield from attempt(
            table, power, PROTESTANT, [region], attempts, first_six=first_six, raised=raised, unrest_a_one=unrest_a_one
        )
    )


def catholic_attempts(
    table: Table, power: str, region: str, attempts: int, *, first_six: bool = False
) -> Procedure:
    """18.5: so many dice to turn spaces of a region Catholic; more in `attempt`."""
    return (yield from attempt(table, power, CATHOLIC, [region], attempts, first_six=first_six))


# --- actions ---


class _Attempts(Action):
    """What Preach Sermons and Suppress Heresy share: a region of the power's list, last stand, the attempts."""

    region = Name("region")

    @classmethod
    def _regions(cls, table: Table, power: str) -> list[str]:
        regions: list[str] = table.kit.constants[f"{cls.action}_regions"].get(power, [])
        return regions

    def check_action(self, table: Table, power: str) -> None:
        regions = self._regions(table, power)
        if self.region not in regions:
            raise Refused("not_in_that_region", "18", region=self.region, regions=regions)
        if last_stand(table, self.region, table.kit.constants["conversion_side"][power]):
            raise Refused("last_stand", "18.1", region=self.region)

    def procedure(self, table: Table, power: str) -> Procedure:
        """18.2, 18.3."""
        constants = table.kit.constants
        side = constants["conversion_side"][power]
        yield from attempt(table, power, side, [self.region], constants["conversion_attempts_action"])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for region in cls._regions(table, question.power):
            yield cls(region=region)


class Preach(_Attempts):
    """Preach sermons: five conversion attempts in one region."""

    action = "preach_sermons"
    line = "PREACH SERMONS IN {region}"
    region = Name("region")


class Suppress(_Attempts):
    """Suppress heresy: five conversion attempts in one region."""

    action = "suppress_heresy"
    line = "SUPPRESS HERESY IN {region}"
    region = Name("region")


ACTIONS: tuple[type[Order], ...] = (Preach, Suppress)
ORDERS: tuple[type[Order], ...] = (Turn,)
