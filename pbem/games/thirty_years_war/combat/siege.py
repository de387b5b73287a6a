"""13: sieges: marker, assault, siege phase, masks, sorties.

A siege is the state value ``siege:<space>``: ``{"by": side, "value": n, "since": number of the activation}``; value is
what the marker shows (13.26), since says when it was laid (13.12). Who is inside bears the mark ``inside`` (INT-55).
Units at an enemy or neutral fortress without a marker mask it (13.15).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat import leader_losses, losses
from pbem.games.thirty_years_war.control import Trigger
from pbem.games.thirty_years_war.map import SIDES, atlas, number, other, roll
from pbem.games.thirty_years_war.marching.march import march
from pbem.games.thirty_years_war.politics import wallenstein
from pbem.table.orders import Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SIEGE = "siege:"
UNIT = "unit"
"""In place of a leader, where a unit on a free move does without one (INT-52)."""


# --- 13.1: what stands ---


def siege_at(table: Table, space: str) -> Mapping[str, Any] | None:
    """The siege of a fortress, or None where no marker lies."""
    return table.board.state.get(SIEGE + space)


def besieger(table: Table, space: str) -> str | None:
    """The side whose siege marker lies on a fortress."""
    laid = siege_at(table, space)
    return laid["by"] if laid else None


def is_besieged(table: Table, piece: str) -> bool:
    """INT-24: whether a piece is inside a fortress under a siege marker."""
    return pieces.is_inside(table, piece) and siege_at(table, pieces.where(table, piece)) is not None


def besieging(table: Table, space: str, side: str) -> list[str]:
    """13.14: the units of a side that count for a siege: all in the space that are not inside, active or not."""
    return pieces.units(table, space, side, inside=False)


def siege_level(table: Table, space: str) -> int:
    """13.13: the combat factors that a siege needs: the fortress's strength and the units inside."""
    inside = [unit for side in SIDES for unit in pieces.units(table, space, side, inside=True)]
    return atlas(table).spaces[space]["fort_strength"] + pieces.combat_factors(table, inside)


def check_level(table: Table, space: str) -> None:
    """13.14: the marker goes as soon as the besiegers are fewer than the level."""
    laid = siege_at(table, space)
    if laid is None:
        return
    strength = pieces.combat_factors(table, besieging(table, space, laid["by"]))
    gone = control.holder(table, space) == laid["by"]
    if gone or strength < siege_level(table, space):
        lift(table, space, because="taken" if gone else "too_weak", strength=strength)


def lift(table: Table, space: str, *, because: str, section: str = "13.14", **more: Any) -> None:
    """13.14: a siege is over; another one begins at nothing (13.26)."""
    laid = siege_at(table, space)
    if laid is None:
        return
    table.tell("siege_lifted", space=space, side=laid["by"], because=because, section=section, **more)
    table.set(SIEGE + space, None, why="siege", section=section)


def maintained(table: Table) -> Procedure:
    """2.15: sieges that are too weak are lifted after every step."""
    for name in [name for name in table.board.state if name.startswith(SIEGE)]:
        check_level(table, name.removeprefix(SIEGE))
    yield from ()


# --- 13.12: at the end of an activation ---


class _AtTheEnd(Order):
    """Base of what an activated army may do with a fortress at the end of its activation."""

    when = "what an activated army does with a fortress at the end of its activation"

    def check(self, table: Table, question: Question) -> None:
        self.check_siege(table, question.power, question.context)

    def check_siege(self, table: Table, side: str, asked: Mapping[str, Any]) -> None:
        """Raise `Refused` when the army may not do it. `asked` is the context of the question."""

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls()


class LaySiege(_AtTheEnd):
    """Lay a siege marker on the fortress where the army stands."""

    line = "SIEGE"

    def check_siege(self, table: Table, side: str, asked: Mapping[str, Any]) -> None:
        check_marker(table, asked["space"], side, leader=asked["leader"])


class Assault(_AtTheEnd):
    """Assault the fortress that the army besieges since an earlier activation."""

    line = "ASSAULT"

    def check_siege(self, table: Table, side: str, asked: Mapping[str, Any]) -> None:
        check_assault(table, asked["space"], side, leader=asked["leader"], fought=asked["fought"])


class Mask(_AtTheEnd):
    """Leave the fortress alone: the units there mask it."""

    line = "MASK"


def siege_option(
    table: Table, space: str, side: str, leader: str, active: Sequence[str], *, fought: bool, moved: bool
) -> Procedure:
    """13.12: at the end of an activation: a siege marker, an assault, or nothing. Nobody is asked who can do neither.

    `leader` leads the active pieces, `fought` says whether they were in a battle in this activation: then they may lay
    a marker but not assault (C 13.12).
    """
    if fought and march(table).get("space") != space:  # beaten, and gone back
        return
    alive = leader in pieces.leaders(table, space, side, inside=False)
    if not alive or not any(pieces.is_unit(p) for p in active if pieces.where(table, p) == space):
        return
    face = pieces.face_of(table, leader)
    context = {"space": space, "leader": face, "fought": fought, "moved": moved, "siege": siege_at(table, space)}
    asked = Question(side, "siege", [LaySiege, Assault, Mask], Mask(), context=context, section="13.1")
    if not any(asked.is_legal(table, order) for order in (LaySiege(), Assault())):
        return
    answer = yield asked
    if isinstance(answer, LaySiege):
        lay_marker(table, space, side)
    elif isinstance(answer, Assault):
        yield from siege_roll(table, space, side, leader=leader, phase="assault")
    else:
        table.tell("masked", space=space, side=side, section="13.15")


def unit_sets_off_assault(table: Table, space: str, side: str) -> Procedure:
    """INT-52: by option a unit that ends its free move at a siege of its side sets an assault off."""
    if not table.options["free_unit_assault"] or siege_at(table, space) is None:
        return
    asked = Question(
        side,
        "siege",
        [Assault, Mask],
        Mask(),
        context={"space": space, "leader": UNIT, "fought": False, "moved": True, "siege": siege_at(table, space)},
        section="13.21",
    )
    if asked.is_legal(table, Assault()) and isinstance((yield asked), Assault):
        yield from siege_roll(table, space, side, leader=None, phase="assault")


def check_fortress(table: Table, space: str, side: str) -> None:
    """13.0, 3.12: raise `Refused` unless there is a fortress there that the side could take by siege."""
    if not atlas(table).is_fortress(space):
        raise Refused("no_fortress", "13.0", space=space)
    if control.holder(table, space) == side:
        raise Refused("own_fortress", "13.0", space=space)


def check_marker(table: Table, space: str, side: str, *, leader: str | None) -> None:
    """13.13, C 13.12: raise `Refused` unless a side may lay a siege marker. `leader` is the active one's face."""
    check_fortress(table, space, side)
    if leader is None:
        raise Refused("no_active_leader", "C 13.12", space=space)
    if siege_at(table, space) is not None:
        raise Refused("siege_marker_there", "13.13", space=space)
    if pieces.units(table, space, other(side), inside=False):
        raise Refused("enemy_outside_the_walls", "13.11", space=space)
    strength, level = pieces.combat_factors(table, besieging(table, space, side)), siege_level(table, space)
    if strength < level:
        raise Refused("below_siege_level", "13.13", space=space, strength=strength, level=level)


def check_assault(table: Table, space: str, side: str, *, leader: str | None, fought: bool) -> None:
    """13.12, 13.21: raise `Refused` unless a side may assault a fortress in this activation."""
    check_fortress(table, space, side)
    laid = siege_at(table, space)
    if laid is None or laid["by"] != side:
        raise Refused("no_siege_of_yours", "13.21", space=space)
    if laid["since"] >= table.board.state["activation"]:
        raise Refused("siege_marker_is_new", "13.12", space=space)
    if fought:
        raise Refused("fought_already", "13.12", space=space)
    if leader is None:
        raise Refused("no_active_leader", "C 13.12", space=space)


def lay_marker(table: Table, space: str, side: str) -> None:
    """13.13: a siege begins."""
    strength, level = pieces.combat_factors(table, besieging(table, space, side)), siege_level(table, space)
    table.tell("siege_laid", space=space, side=side, strength=strength, level=level, section="13.13")
    value = number(table, "siege_marker_start")
    laid = {"by": side, "value": value, "since": table.board.state["activation"]}
    table.set(SIEGE + space, laid, why="siege", section="13.13")


# --- 13.2: the roll ---


def siege_modifiers(table: Table, space: str, side: str, leader: str | None) -> list[dict[str, Any]]:
    """13.23: what is added to a siege roll: the siege table's, the marker's value, less the fortress's modifier.

    The table's are a superiority in numbers and the siege rating of one leader: the active one's, in phase F1 that of
    the best one there (option ``siege_leader_rating``).
    """
    entries: list[dict[str, Any]] = []
    row, laid = atlas(table).spaces[space], siege_at(table, space)
    if laid is not None and laid["value"]:
        entries.append({"source": "marker", "value": laid["value"]})
    if row["siege_mod"]:
        entries.append({"source": "fortress", "value": -row["siege_mod"]})
    strength, level = pieces.combat_factors(table, besieging(table, space, side)), siege_level(table, space)
    if strength >= number(table, "siege_numbers_ratio") * level:
        entries.append({"source": "numbers", "value": table.kit.tables["modifiers"]["siege:numbers"]["drm"]})
    if leader is not None and table.options["siege_leader_rating"]:
        rating = pieces.leader_row(table, leader)["siege"] or 0
        if rating:
            entries.append({"source": "leader", "leader": pieces.face_of(table, leader), "value": rating})
    return entries


def siege_roll(
    table: Table, space: str, side: str, *, leader: str | None, phase: str, ranking: Sequence[str] | None = None
) -> Procedure:
    """13.22 to 13.26: a roll against a fortress: it falls, or the marker rises; a natural 0 costs a step.

    `phase` is ``assault`` or ``siege``; `ranking` what the besieger has said before that he loses first.
    """
    modified = siege_modifiers(table, space, side, leader)
    modifier = sum(entry["value"] for entry in modified)
    die = roll(table, "siege", side, space=space, section="13.24")
    natural = {number(table, "siege_natural_success"): True, number(table, "siege_natural_failure"): False}
    success = natural.get(die, die + modifier >= number(table, "siege_success"))
    table.tell(
        "siege_rolled",
        space=space,
        side=side,
        phase=phase,
        die=die,
        modifiers=modified,
        modifier=modifier,
        modified=die + modifier,
        needed=number(table, "siege_success"),
        natural=die in natural,
        success=success,
        section="13.25" if die in natural else "13.24",
    )
    if success:
        yield from capture(table, space, side, leader if phase == "assault" else leading(table, space, side, leader))
        return
    if die == number(table, "siege_natural_failure"):
        yield from losses.lose_steps(
            table,
            side,
            besieging(table, space, side),
            number(table, "siege_failure_steps"),
            space=space,
            why="siege",
            section="13.25",
            ranking=ranking,
        )
        check_level(table, space)
    laid = siege_at(table, space)
    if laid is not None:
        raised = {**laid, "value": laid["value"] + number(table, "siege_marker_step")}
        table.set(SIEGE + space, raised, why="siege_goes_on", section="13.26")


def leading(table: Table, space: str, side: str, leader: str | None) -> str | None:
    """INT-58: who leads a siege in phase F1: Wallenstein where he is in the besieging stack."""
    there = pieces.leaders(table, space, side, inside=False)
    return next((one for one in there if wallenstein.shows_him(table, one)), leader)


def capture(table: Table, space: str, side: str, leader: str | None) -> Procedure:
    """13.24: the fortress falls: who is inside is gone, leaders too (INT-15); it changes hands at once."""
    inside = pieces.stack(table, space, other(side), inside=True)
    table.tell(
        "fortress_taken",
        space=space,
        side=side,
        pieces=pieces.described(table, inside) if inside else None,
        section="13.24",
    )
    table.set(SIEGE + space, None, why="fortress_taken", section="13.24")
    for piece in inside:
        if pieces.is_unit(piece):
            pieces.eliminate(table, piece, why="fortress_taken", section="13.24")
    trapped = [piece for piece in inside if pieces.is_leader(piece)]
    leader_losses.lose_trapped(table, space, trapped, why="fortress_taken", section="13.24")
    control.gain(table, space, side, "siege")
    wallenstein.took_space(table, leader, pieces.stack(table, space, side, inside=False), space)
    yield from control.triggers(table)


# --- 13.21: phase F1 ---


def sieges_of(table: Table, side: str) -> list[str]:
    """The fortresses that a side besieges, by name."""
    return sorted(
        name.removeprefix(SIEGE)
        for name, laid in table.board.state.items()
        if name.startswith(SIEGE) and laid and laid["by"] == side
    )


def siege_phase(table: Table, answers: Mapping[str, Any] | None = None) -> Procedure:
    """13.21, phase F1: every siege goes on for which its besieger does not say no; the Protestant's first (C 6.0).

    `answers` is what each side has said for it: ``{side: {"not": [spaces], "losing": [kinds] or None}}``.
    """
    for side in SIDES:
        said = (answers or {}).get(side) or {}
        for space in sieges_of(table, side):
            if besieger(table, space) != side:  # lifted by what an earlier one brought
                continue
            if space in said.get("not", ()):
                table.tell("siege_waits", space=space, side=side, section="13.21")
                continue
            leader = best_leader(table, space, side)
            yield from siege_roll(
                table, space, side, leader=leader, phase="siege", ranking=said.get("losing")
            )
            yield from control.triggers(table)


def best_leader(table: Table, space: str, side: str) -> str | None:
    """13.23: the besieging leader with the best siege rating; in F1 none is needed."""
    there = pieces.leaders(table, space, side, inside=False)
    return max(there, key=lambda leader: pieces.leader_row(table, leader)["siege"] or 0, default=None)


TRIGGERS: Sequence[Trigger] = (maintained,)
ORDERS: tuple[type[Order], ...] = (LaySiege, Assault, Mask)
USES: tuple[type, ...] = ()
