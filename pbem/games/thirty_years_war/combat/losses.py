"""12.3: losses. A result is a number of loss factors; each step of a unit has its own, and the sum is to be met.

What is chosen is always `Steps`: piece of a unit -> how many of its steps go. Whoever has to lose answers with a list
(`Lose`) or with a ranking (`LoseInOrder`) out of which the best choice is worked out; silence loses what fights least.
Losses in battle are weighed by their factors, those of sieges, foraging and looting are counted in steps.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.thirty_years_war import pieces
from pbem.table.orders import AnyName, Choice, Line, Many, Name, Number, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

Steps = dict[str, int]
"""Piece of a unit -> how many of its steps are lost."""
FACTORS, STEPS = "factors", "steps"
Cost = Callable[[str, int], tuple[int, ...]]
"""What losing so many steps of a unit costs its owner; sums of these are compared from the left."""


# --- what a step counts ---


def loss_factors(table: Table, unit: str) -> list[int]:
    """12.32: the loss factors of the steps that a unit has left, the next one first."""
    row = pieces.unit_row(table, unit)
    factors = [row["lf_step1"], row["lf_step2"]]
    return factors[1:] if pieces.is_reduced(table, unit) else factors


def factor_of(table: Table, unit: str, steps: int) -> int:
    """12.32: what so many steps of a unit count together."""
    return sum(loss_factors(table, unit)[:steps])


def counted(table: Table, lost: Mapping[str, int]) -> int:
    """The loss factors of a choice."""
    return sum(factor_of(table, unit, steps) for unit, steps in lost.items())


def strength_lost(table: Table, unit: str, steps: int) -> int:
    """The combat factors that a unit loses with so many steps."""
    if not steps:
        return 0
    left = 0 if steps >= len(loss_factors(table, unit)) else pieces.unit_row(table, unit)["cf_reduced"]
    return pieces.combat_factor(table, unit) - left


# --- the best choice ---


@dataclass(frozen=True)
class _Choice:
    cost: tuple[int, ...]
    steps: tuple[tuple[str, int], ...]


def best(table: Table, units: Sequence[str], due: int, cost: Cost, *, by_factor: bool = True) -> Steps:
    """12.31: the cheapest choice among those that come nearest to what is due without going beyond it.

    By loss factors, or by steps where `by_factor` is false. Of choices at the same cost the first by name of the piece.
    """
    reached: dict[int, _Choice] = {0: _Choice((), ())}
    for unit in sorted(units):
        factors = loss_factors(table, unit) if by_factor else [1] * len(loss_factors(table, unit))
        after: dict[int, _Choice] = {}
        for total, choice in sorted(reached.items()):
            for steps in range(len(factors) + 1):
                factors_lost = total + sum(factors[:steps])
                if factors_lost > due:
                    break
                more = cost(unit, steps)
                old = choice.cost or (0,) * len(more)
                new = _Choice(
                    tuple(a + b for a, b in zip(old, more, strict=True)),
                    (*choice.steps, (unit, steps)) if steps else choice.steps,
                )
                if factors_lost not in after or new.cost < after[factors_lost].cost:
                    after[factors_lost] = new
        reached = after
    return dict(reached[max(reached)].steps)


def reachable(table: Table, units: Sequence[str], due: int) -> int:
    """12.31: the loss factors that have to be taken of a result: the most that do not exceed it (INT-11)."""
    return counted(table, best(table, units, due, lambda unit, steps: (0,)))


def by_strength(table: Table) -> Cost:
    """Silence: as few combat factors as can be, then no veterans, then no mercenaries, who are dearer than militia."""
    order = (pieces.VETERAN, pieces.MERCENARY)

    def cost(unit: str, steps: int) -> tuple[int, ...]:
        kind = pieces.unit_row(table, unit)["type"]
        return (strength_lost(table, unit, steps), *(steps if kind == one else 0 for one in order))

    return cost


def by_ranking(table: Table, ranking: Sequence[str]) -> Cost:
    """As much as can be of what is named first (a kind of unit, a type, a nation), then of the second, and so on."""
    cheapest = by_strength(table)

    def cost(unit: str, steps: int) -> tuple[int, ...]:
        row = pieces.unit_row(table, unit)
        names = (pieces.kind_of(unit), row["type"], row["nation"])
        place = next((n for n, named in enumerate(ranking) if named in names), len(ranking))
        taken = factor_of(table, unit, steps)
        return (*(-taken if n == place else 0 for n in range(len(ranking))), *cheapest(unit, steps))

    return cost


# --- orders ---


class _Part(Line):
    """Units of a kind that are lost, wholly or by one step."""

    line = "{how} {number} [{state}] {unit}"
    how = Choice("eliminate", "reduce")
    number = Number(1, 8)
    state = Choice("full", "reduced", optional=True)
    unit = Name("unit")


class Lose(Order):
    """Say which of your units are reduced or eliminated: LOSE ELIMINATE 1 reduced bavarian mercenary, REDUCE 2 ..."""

    line = "LOSE {losses}"
    losses = Many(_Part)

    def check(self, table: Table, question: Question) -> None:
        check_losses(table, question, chosen(table, question, self))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        units, due = asked_units(question), asked_number(question)
        yield written(table, best(table, units, due, by_strength(table), **_by(question)))

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        prices = {unit: chance.randrange(100) for unit in sorted(asked_units(question))}
        lost = best(
            table,
            asked_units(question),
            asked_number(question),
            lambda unit, steps: (prices[unit] * steps,),
            **_by(question),
        )
        return written(table, lost)


class LoseInOrder(Order):
    """Lose your units in this order, as far as the sum allows: LOSE IN ORDER militia, mercenary, veteran."""

    line = "LOSE IN ORDER {kinds}"
    kinds = Many(AnyName("unit", "unit_type", "nation"), most=20)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls(kinds=[pieces.MILITIA, pieces.MERCENARY, pieces.VETERAN])


LOSSES = (Lose, LoseInOrder)
"""The orders that answer a question about losses."""


def asked_units(question: Question) -> list[str]:
    """The units that a question about losses may take."""
    return list(question.context["units"])


def asked_number(question: Question) -> int:
    """How much a question about losses asks for."""
    return int(question.context["due"])


def _by(question: Question) -> dict[str, bool]:
    return {"by_factor": question.context["by"] == FACTORS}


def losses_question(
    power: str,
    units: Sequence[str],
    due: int,
    *,
    space: str | None,
    why: str,
    section: str,
    by_factor: bool = True,
    key: str = "",
    **context: Any,
) -> Question:
    """The question which of `units` are lost: so many loss factors of a result (``battle_losses``), or so many steps
    (``step_losses``). `why` says what it comes of, for the story and for conditions."""
    known = {"space": space, "units": list(units), "due": due, "by": FACTORS if by_factor else STEPS, "why": why}
    kind = "battle_losses" if by_factor else "step_losses"
    return Question(power, kind, LOSSES, silent, context=known | context, section=section, key=key)


def what_steps_count(table: Table, units: Sequence[str]) -> list[dict[str, Any]]:
    """12.32: the loss factors of the units that a question is about, in the question's own words: ``{"unit", "reduced",
    "number", "factors"}`` for each kind, its steps in the order in which they go."""
    counts: dict[tuple[str, bool], dict[str, Any]] = {}
    for unit in sorted(units):
        kind, reduced = pieces.kind_of(unit), pieces.is_reduced(table, unit)
        blank = {"unit": kind, "reduced": reduced, "number": 0, "factors": loss_factors(table, unit)}
        counts.setdefault((kind, reduced), blank)["number"] += 1
    return list(counts.values())


def silent(table: Table, question: Question) -> Order:
    """What silence loses."""
    return next(Lose.candidates(table, question))


def needs_answer(table: Table, units: Sequence[str], due: int, *, by_factor: bool = True) -> bool:
    """Whether the owner has a choice: more than one way to meet the sum that differs in what is seen of the units."""
    kinds: dict[tuple[str, bool], list[str]] = {}
    for unit in sorted(units):
        kinds.setdefault((pieces.kind_of(unit), pieces.is_reduced(table, unit)), []).append(unit)
    ways = {0: 1}
    for alike in kinds.values():
        factors = loss_factors(table, alike[0]) if by_factor else [1] * len(loss_factors(table, alike[0]))
        after: dict[int, int] = {}
        for total, number in sorted(ways.items()):
            for gone in range(len(alike) + 1):
                for hurt in range(len(alike) - gone + 1 if len(factors) > 1 else 1):
                    factors_lost = total + gone * sum(factors) + hurt * factors[0]
                    if factors_lost <= due:
                        after[factors_lost] = after.get(factors_lost, 0) + number
        ways = after
    if by_factor and max(ways) < due and table.options["inexact_losses"] == "owner":
        return len(units) > 1 and max(ways) > 0
    return ways[max(ways)] > 1


def chosen(table: Table, question: Question, order: Order) -> Steps:
    """The steps that an order takes. Raises `Refused` for units that are not there."""
    units, due = asked_units(question), asked_number(question)
    if isinstance(order, LoseInOrder):
        return best(table, units, due, by_ranking(table, order.kinds), **_by(question))
    assert isinstance(order, Lose)
    lost: Steps = {}
    for part in order.losses:
        of_kind = [u for u in sorted(units) if u not in lost and pieces.kind_of(u) == part.unit]
        full = [u for u in of_kind if not pieces.is_reduced(table, u)]
        reduced = [u for u in of_kind if pieces.is_reduced(table, u)]
        if part.how == "reduce" or part.state == "full":
            named = full if part.state != "reduced" else []
        elif part.state == "reduced" or not full:
            named = reduced
        elif reduced:
            hint = f"LOSE ELIMINATE {part.number} REDUCED {part.unit}"
            raise Refused("full_or_reduced", "12.32", hint=hint, unit=part.unit)
        else:
            named = full
        if len(named) < part.number:
            raise Refused(
                "not_so_many_units", "12.14", unit=part.unit, number=part.number, there=len(named), how=part.how
            )
        for unit in named[: part.number]:
            lost[unit] = len(loss_factors(table, unit)) if part.how == "eliminate" else 1
    return lost


def check_losses(table: Table, question: Question, lost: Mapping[str, int]) -> None:
    """12.31: neither more than the result, nor less than can be taken of it. Raises `Refused`.

    By option a sum that cannot be met exactly leaves the owner any choice to which no step can be added (INT-11).
    """
    units, due = asked_units(question), asked_number(question)
    if question.context["by"] == STEPS:
        taken = sum(lost.values())
        most = min(due, sum(len(loss_factors(table, unit)) for unit in units))
    else:
        taken, most = counted(table, lost), reachable(table, units, due)
    hint = silent(table, question).text()
    if taken > due:
        raise Refused("more_than_lost", question.section, hint=hint, taken=taken, due=due, by=question.context["by"])
    if most < due and question.context["by"] == FACTORS and table.options["inexact_losses"] == "owner":
        if room_for_more(table, units, lost, due - taken):
            raise Refused("room_for_more_losses", question.section, hint=hint, taken=taken, due=due)
        return
    if taken < most:
        raise Refused(
            "less_than_lost", question.section, hint=hint, taken=taken, due=due, least=most, by=question.context["by"]
        )


def room_for_more(table: Table, units: Sequence[str], lost: Mapping[str, int], left: int) -> bool:
    """INT-11, option ``owner``: whether one more step could be taken without going beyond the result."""
    following = [factors[lost.get(unit, 0) :] for unit in units if (factors := loss_factors(table, unit))]
    return any(factors and factors[0] <= left for factors in following)


def written(table: Table, lost: Mapping[str, int]) -> Lose:
    """A choice as the order that a player would send."""
    groups: dict[tuple[str, str, str | None], int] = {}
    for unit, steps in sorted(lost.items()):
        kind, reduced = pieces.kind_of(unit), pieces.is_reduced(table, unit)
        how = "eliminate" if steps == len(loss_factors(table, unit)) else "reduce"
        state = ("reduced" if reduced else "full") if how == "eliminate" else None
        groups[how, kind, state] = groups.get((how, kind, state), 0) + 1
    parts = sorted(groups.items(), key=str)
    return Lose(losses=[_Part(how=how, number=n, state=state, unit=kind) for (how, kind, state), n in parts])


# --- taking them ---


def silent_choice(table: Table, units: Sequence[str], due: int, *, by_factor: bool = True) -> Steps:
    """What goes where nobody chooses."""
    return best(table, units, due, by_strength(table), by_factor=by_factor)


def described(table: Table, lost: Mapping[str, int]) -> list[dict[str, Any]]:
    """A choice as facts tell it: ``{"how": "eliminate"|"reduce", "number", "state", "unit"}`` each."""
    return written(table, lost).values()["losses"] if lost else []


def take(table: Table, lost: Mapping[str, int], why: str, section: str, *, for_good: bool = False) -> None:
    """12.33: the steps go; a unit without steps can be recruited again, or is out of the game (`for_good`, 15.224)."""
    for unit, steps in sorted(lost.items()):
        for _ in range(steps):
            pieces.step_loss(table, unit, why=why, section=section, for_good=for_good)


def lose_steps(
    table: Table,
    power: str,
    units: Sequence[str],
    number: int,
    *,
    space: str | None = None,
    why: str,
    section: str,
    for_good: bool = False,
    ranking: Sequence[str] | None = None,
) -> Procedure:
    """So many steps of some units of a side go, its choice. Value: the steps that went.

    `ranking` is what the owner has said before (as in `LoseInOrder`): then nobody is asked.
    """
    if ranking is not None:
        lost = best(table, units, number, by_ranking(table, ranking), by_factor=False)
    elif needs_answer(table, units, number, by_factor=False):
        question = losses_question(power, units, number, space=space, why=why, section=section, by_factor=False)
        answer = yield question
        lost = chosen(table, question, answer)
    else:
        lost = silent_choice(table, units, number, by_factor=False)
    if lost:
        table.tell(
            "steps_lost", side=power, space=space, why=why, due=number, lost=described(table, lost), section=section
        )
    take(table, lost, why, section, for_good=for_good)
    return lost
