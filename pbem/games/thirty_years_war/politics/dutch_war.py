"""16: the Dutch War: its track, Spinola's sieges and the armies in the United Provinces.

The counter ``dutch_war`` is the marker; the state values ``dutch_war_effect`` (the box with an effect for aid occupied
last), ``dutch_award:<box>`` (its VP are given), ``dutch_war_over`` (the side that lost it) tell what it has done. An
open siege of Spinola's is the mark ``turn:dutch_siege``: the card whose event it is; ``turn:dutch_answered``: it was
answered.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.combat import losses
from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, SIDES, atlas, number
from pbem.games.thirty_years_war.politics import nations
from pbem.table import marks
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

TRACK = "dutch_war"
EFFECT, AWARD, OVER = "dutch_war_effect", "dutch_award:", "dutch_war_over"
SIEGE, ANSWERED = "dutch_siege", "dutch_answered"
MUST_LEAVE = "dutch_must_leave"
"""State value: true while a Protestant army may stay in the United Provinces until its next activation (16.13, -3)."""
SPAIN_GIVES_UP = "spain_gives_up"


# --- the track (16.1) ---


def is_over(table: Table) -> bool:
    """9.31, 16.132: whether the war is over: no event of it can be played, and no army enters the United Provinces."""
    return table.board.state.get(OVER) is not None


def row(table: Table, box: int) -> dict:
    """What the kit says of a box of the track."""
    return next(row for row in table.kit.tables["dutch_war"].values() if row["box"] == box)


def move(table: Table, boxes: int, *, why: str, section: str = "16.12") -> None:
    """16.12, 16.13: the marker moves, box by box; what each box brings comes at once. At an end box the war is over.

    `why` is the card, or a name of the phrases. Nothing moves once the war is over.
    """
    step = 1 if boxes > 0 else -1
    for _ in range(abs(boxes)):
        if is_over(table):
            return
        table.counter(TRACK, step, why=why, section=section)
        reach(table, table.board.counter(TRACK))


def reach(table: Table, box: int) -> None:
    """16.13, 16.131: the marker has come to a box: its VP once in the game, its effect on aid from now on, its end."""
    entry = row(table, box)
    table.tell("dutch_war", box=box, section="16.13")
    if entry["vp"] and not table.board.state.get(f"{AWARD}{box}"):
        table.set(f"{AWARD}{box}", True, section="16.131")
        score.vp(table, entry["vp"], "dutch_war", "16.13", f"{box:+d}")
    if entry["up_aid"] is not None:
        table.set(EFFECT, box, section="16.13")
    if entry["ends"]:
        end(table, CATHOLIC if entry["ends"] == SPAIN_GIVES_UP else PROTESTANT)


def end(table: Table, loser: str) -> None:
    """16.13: the war is over. At +5 all armies in the United Provinces are lost and their aid ends; at -3 the Catholic
    army is lost, and the Protestant one may stay until its next activation. Leaders die with their armies (T-333)."""
    table.set(OVER, loser, section="16.13")
    table.tell("dutch_war_over", power=loser, section="16.13")
    for side in SIDES if loser == PROTESTANT else (CATHOLIC,):
        for piece in pieces.stack(table, box_of(table, side), side):
            pieces.eliminate(table, piece, why="dutch_war_over", section="16.13")
    if loser == PROTESTANT:
        source = table.kit.constants["aid"]["of_the_dutch"]
        table.set(f"source:{source}", "ended", why="dutch_war_over", section="16.13")
    elif army(table, PROTESTANT):
        table.set(MUST_LEAVE, True, section="16.13")


# --- the armies (16.2) ---


def box_of(table: Table, side: str) -> str:
    """The box of a side's army in the United Provinces."""
    return table.kit.constants["places"][f"up_{side}"]


def army(table: Table, side: str) -> list[str]:
    """16.22: the pieces of a side in the United Provinces."""
    return pieces.stack(table, box_of(table, side), side)


def entry_refusal(table: Table, side: str, group: Sequence[str], origin: str) -> Refused | None:
    """16.21, 16.22, 16.132: why a group may not enter the United Provinces from a space; None when it may."""
    if is_over(table):
        return Refused("dutch_war_is_over", "16.132")
    if not atlas(table).spaces[origin]["to_up"]:
        spaces = [space for space, values in atlas(table).spaces.items() if values["to_up"]]
        return Refused("no_way_to_the_united_provinces", "16.21", space=origin, spaces=spaces)
    if army(table, side):
        return Refused("army_there_already", "16.22")
    if not any(map(pieces.is_leader, group)) or not any(map(pieces.is_unit, group)):
        return Refused("only_armies_enter", "16.21")
    return None


def leave_refusal(table: Table, side: str, group: Sequence[str], space: str) -> Refused | None:
    """16.22 to 16.24: why a group may not leave the United Provinces overland to a space; None when it may."""
    if not atlas(table).spaces[space]["to_up"]:
        return Refused("no_way_to_the_united_provinces", "16.23", space=space)
    holder = control.holder(table, space)
    if holder not in (None, side):
        return Refused("space_of_the_enemy", "16.23", space=space)
    return _stays_refusal(table, side, group)


def sea_refusal(table: Table, side: str, group: Sequence[str], port: str, *, spent: int) -> Refused | None:
    """16.23, T-242: why a group may not leave by sea for a port, with all its movement points; None when it may.

    `spent`: the movement points that it has used before.
    """
    if side == CATHOLIC:
        return Refused("no_catholics_by_sea", "16.23", space=port)
    if spent:
        return Refused("sea_takes_all_points", "16.23", space=port)
    if not atlas(table).spaces[port]["port"] or control.holder(table, port) != side:
        return Refused("no_port_of_yours", "16.23", space=port)
    if pieces.units(table, port, CATHOLIC, inside=False):
        return Refused("enemy_in_port", "16.23", space=port)
    return _stays_refusal(table, side, group)


def _stays_refusal(table: Table, side: str, group: Sequence[str]) -> Refused | None:
    """16.22, 16.24: units stay with a leader only, and Spinola's army never leaves."""
    if not any(map(pieces.is_leader, group)) or not any(map(pieces.is_unit, group)):
        return Refused("only_armies_leave", "16.23")
    rest = [piece for piece in army(table, side) if piece not in group]
    if any(map(pieces.is_unit, rest)) and not any(map(pieces.is_leader, rest)):
        return Refused("no_units_without_leader", "16.22")
    if side == CATHOLIC and spinola_is_there(table):
        return Refused("spinolas_army_stays", "16.24")
    return None


def spinola_is_there(table: Table) -> bool:
    """16.24, T-335: whether the army in the Catholic box is Spinola's: he is there, or C11 has brought it.

    A C11 that lies before the start of a scenario has brought none that is on the map.
    """
    card = table.kit.constants["cards"]["spinola_recalled"]
    there = army(table, CATHOLIC)
    return bool(there) and (bool(nations.event_turn(table, card)) or any(_is_spinola(table, piece) for piece in there))


def _is_spinola(table: Table, piece: str) -> bool:
    """Whether a piece is Spinola's counter, he or his replacement (C 5.15)."""
    return piece == pieces.LEADER + table.kit.constants["leaders"]["spinola"]


# --- Spinola's sieges (16.25) ---


def siege_refusal(table: Table) -> Refused | None:
    """16.25: why C3 or C4 cannot be an event for what stands in the United Provinces; None when it can.

    Whether it is the first card of the turn is the card's to check (9.32).
    """
    if is_over(table):
        return Refused("dutch_war_is_over", "9.31")
    there = army(table, CATHOLIC)
    spanish = [piece for piece in there if pieces.nation_of(table, piece) == nations.SPANISH]
    needed = number(table, "spinola_units")
    if not any(map(pieces.is_leader, spanish)) or sum(map(pieces.is_unit, spanish)) < needed:
        return Refused("spinola_not_there", "16.25", needed=needed, there=sum(map(pieces.is_unit, spanish)))
    return None


def begin_siege(table: Table, card: str) -> Procedure:
    """16.25: the event of C3 or C4: the track rises (INT-16, option spinola_siege_track), the answer is open until the
    end of the turn; an army that is there already answers at once."""
    marks.set_mark(table, "turn", SIEGE, card, section="16.25")
    table.tell("spinola_besieges", card=card, section="16.25")
    if table.options["spinola_siege_track"] == "two_steps":
        move(table, table.kit.tables["dutch_war_moves"][card]["boxes"], why=card, section="16.25")
    yield from answer(table)


def answer(table: Table) -> Procedure:
    """16.251, 16.252: the Protestant's army answers as soon as a leader with three units is there: it loses a step.

    A trigger (2.15): nothing where no siege is open. Its owner says which step (O-90).
    """
    siege = marks.mark(table, "turn", SIEGE)
    if siege is None or marks.mark(table, "turn", ANSWERED) or is_over(table):
        return
    there = army(table, PROTESTANT)
    units = [piece for piece in there if pieces.is_unit(piece)]
    if len(units) < number(table, "spinola_answer_units") or len(units) == len(there):
        return
    marks.set_mark(table, "turn", ANSWERED, True, section="16.251")
    table.tell("siege_answered", power=PROTESTANT, card=siege, section="16.252")
    yield from losses.lose_steps(
        table,
        PROTESTANT,
        units,
        number(table, "spinola_answer_steps"),
        space=box_of(table, PROTESTANT),
        why="siege_answered",
        section="16.252",
    )


def unanswered(table: Table) -> None:
    """16.253, phase G: a siege that nobody has answered moves the track up once more."""
    siege = marks.mark(table, "turn", SIEGE)
    if siege is None or marks.mark(table, "turn", ANSWERED) or is_over(table):
        return
    table.tell("siege_unanswered", card=siege, section="16.253")
    move(table, table.kit.tables["dutch_war_moves"][siege]["unanswered"], why=siege, section="16.253")


def army_must_leave(table: Table, side: str, moved: bool) -> None:
    """16.13, -3: after the Protestant's next activation of that army what is left of it in the box is lost."""
    if side == PROTESTANT and moved and table.board.state.get(MUST_LEAVE):
        for piece in army(table, PROTESTANT):
            pieces.eliminate(table, piece, why="dutch_war_over", section="16.13")
        table.set(MUST_LEAVE, None, section="16.13")


TRIGGERS = (answer,)
