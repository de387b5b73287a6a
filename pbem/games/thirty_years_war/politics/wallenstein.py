"""7.0: Wallenstein. His influence, and what the Catholic does with him in phase A: dismissed, recalled, murdered.

State value ``wallenstein``: ``not_in_play``, ``in_play``, ``dismissed``, ``recalled``, ``assassinated``; that he is
dead follows from where his counter lies and what it shows. Counter ``influence``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, atlas, number
from pbem.games.thirty_years_war.politics import nations
from pbem.table.orders import Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "7.2"
INFLUENCE = "influence"
STATUS = "wallenstein"
NOT_IN_PLAY, IN_PLAY, DISMISSED, RECALLED, ASSASSINATED = (
    "not_in_play",
    "in_play",
    "dismissed",
    "recalled",
    "assassinated",
)


# --- where he is ---


def counter(table: Table) -> str:
    """His counter."""
    return pieces.LEADER + table.kit.constants["leaders"]["wallenstein"]


def status(table: Table) -> str:
    """How he stands with the Emperor."""
    return table.board.state.get(STATUS) or NOT_IN_PLAY


def enter(table: Table) -> None:
    """7.0: he comes into play, by C7; the card's function sets his counter down."""
    table.set(STATUS, IN_PLAY, section="7.0")


def shows_him(table: Table, piece: str) -> bool:
    """Whether a leader's counter shows Wallenstein himself, and not his reverse side (12.42)."""
    return pieces.is_leader(piece) and pieces.face_of(table, piece) == table.kit.constants["leaders"]["wallenstein"]


def is_on_map(table: Table) -> bool:
    """Whether he himself is on the map."""
    return pieces.where(table, counter(table)) in atlas(table).spaces and shows_him(table, counter(table))


def is_gone(table: Table) -> bool:
    """18.26: whether he is dismissed or assassinated, or killed (INT-72, option wallenstein_killed_counts)."""
    if status(table) in (DISMISSED, ASSASSINATED):
        return True
    killed = status(table) in (IN_PLAY, RECALLED) and not is_on_map(table)
    return killed and bool(table.options["wallenstein_killed_counts"])


def leads(table: Table, leader: str | None, army: Sequence[str]) -> bool:
    """7.1, INT-58: whether an army is led by him: he is the active leader, or in the besieging stack in phase F1.

    By option ``wallenstein_leads`` it is enough that he is with it.
    """
    is_siege_phase = table.board.state["phase"] == "turn_end"
    if table.options["wallenstein_leads"] == "present" or leader is None or is_siege_phase:
        return any(shows_him(table, piece) for piece in army)
    return shows_him(table, leader)


# --- influence ---


def recruited(table: Table, leader: str, units: int) -> None:
    """7.1, T-064: units that he has recruited, full or reduced; nothing for another leader."""
    if shows_him(table, leader):
        gain(table, units * number(table, "wallenstein_recruit"), "recruited")


def took_space(table: Table, leader: str | None, army: Sequence[str], space: str) -> None:
    """7.1, T-284: a space taken by an army that he leads: by MP, overrun or siege; none that flips with its region.

    `leader` is the active leader's piece, in phase F1 that of a besieging leader; None where there is none.
    """
    if leads(table, leader, army):
        gain(table, number(table, "wallenstein_space"), "took_space", space=space)


def won_as_attacker(table: Table, leader: str | None, army: Sequence[str], space: str) -> None:
    """7.1, T-065: a battle that his army has won as the attacker, the space that it brought included.

    Told after the leaders are tested: a Wallenstein who was killed in it shows another face then, so that it does not
    count (T-068).
    """
    if leads(table, leader, army):
        gain(table, number(table, "wallenstein_battle"), "won_battle", space=space)


def gain(table: Table, points: int, why: str, space: str | None = None) -> None:
    """7.1: his influence grows. At the limit it is a major Protestant victory at once (5.21): raises `GameEnds`."""
    if not points:
        return
    table.counter(INFLUENCE, points, why=why, section="7.1", **({"space": space} if space else {}))
    if table.board.counter(INFLUENCE) >= number(table, "wallenstein_limit"):
        raise score.GameEnds(PROTESTANT, "major", "wallenstein", "7.1")


# --- phase A ---


class _InPhaseA(Order):
    """Base of what the Catholic may do in phase A."""

    needs: tuple[str, ...] = ()
    refused = ""

    def check(self, table: Table, question: Question) -> None:
        if status(table) not in self.needs or (self.refused != "recall" and not is_on_map(table)):
            raise Refused(f"wallenstein_no_{self.refused}", SECTION, status=status(table))


class Dismiss(_InPhaseA):
    """Dismiss Wallenstein, once in the game: his counter is set aside, his influence halved, rounded up."""

    line = "DISMISS WALLENSTEIN"
    needs = (IN_PLAY,)
    refused = "dismissal"


class Recall(_InPhaseA):
    """Recall Wallenstein to a space with an Imperial unit, and without Tilly."""

    line = "RECALL WALLENSTEIN TO {space}"
    space = Name("space")
    needs = (DISMISSED,)
    refused = "recall"

    def check(self, table: Table, question: Question) -> None:
        super().check(table, question)
        check_recall(table, self.space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in recall_spaces(table):
            yield cls(space=space)


class Assassinate(_InPhaseA):
    """Have Wallenstein murdered, after he was dismissed and recalled: he leaves the game."""

    line = "ASSASSINATE WALLENSTEIN"
    needs = (RECALLED,)
    refused = "assassination"


class LeaveWallenstein(Order):
    """Leave Wallenstein as he is."""

    line = "LEAVE WALLENSTEIN"


ORDERS: tuple[type[Order], ...] = (LeaveWallenstein, Dismiss, Recall, Assassinate)


def check_recall(table: Table, space: str) -> None:
    """7.22, 7.24, INT-59: raise `Refused` where he may not be recalled to a space (option recall_to)."""
    there = pieces.stack(table, space, CATHOLIC)
    if not any(pieces.is_unit(piece) and pieces.nation_of(table, piece) == nations.IMPERIAL for piece in there):
        raise Refused("no_imperial_unit_there", "7.22", space=space)
    if table.options["recall_to"] == "army" and not pieces.leaders(table, space, CATHOLIC):
        raise Refused("no_army_there", "7.22", space=space)
    clash = nations.conflict(table, there, [table.kit.constants["leaders"]["wallenstein"]])
    if clash is not None:
        raise Refused("wallenstein_not_with_them", clash.section, space=space, first=clash.first, second=clash.second)


def recall_spaces(table: Table) -> list[str]:
    """7.22: the spaces to which he may be recalled."""
    spaces = []
    for space in pieces.spaces_with(table, CATHOLIC, units_only=True):
        try:
            check_recall(table, space)
        except Refused:
            continue
        spaces.append(space)
    return spaces


def options_now(table: Table) -> list[type[Order]]:
    """7.2: what the Catholic may do with him now, besides nothing."""
    now = status(table)
    if now == DISMISSED and recall_spaces(table):
        return [Recall]
    if now == IN_PLAY and is_on_map(table):
        return [Dismiss]
    if now == RECALLED and is_on_map(table):
        return [Assassinate]
    return []


def phase(table: Table) -> Procedure:
    """7.2, phase A: the Catholic does one thing with him, or nothing (INT-60); nobody is asked where he can do nothing.

    By option ``wallenstein_actions`` he may be dismissed and recalled in the same phase.
    """
    able = options_now(table)
    while able:
        answer = yield Question(
            CATHOLIC,
            "wallenstein",
            ORDERS,
            default=LeaveWallenstein(),
            context={"influence": table.board.counter(INFLUENCE), "status": status(table)},
            section=SECTION,
        )
        carry_out(table, answer)
        yield from control.triggers(table)
        is_dismissal = isinstance(answer, Dismiss)
        able = options_now(table) if is_dismissal and table.options["wallenstein_actions"] == "both" else []


def carry_out(table: Table, order: Order) -> None:
    """7.21 to 7.23: what was decided."""
    piece = counter(table)
    if isinstance(order, Dismiss):
        table.tell("wallenstein_dismissed", space=pieces.where(table, piece), section="7.21")
        table.put(piece, pieces.DISMISSED, why="dismissed", section="7.21")
        table.set(STATUS, DISMISSED, section="7.21")
        before = table.board.counter(INFLUENCE)
        table.counter(INFLUENCE, -(before // 2), why="dismissed", section="7.21")
    elif isinstance(order, Recall):
        table.tell("wallenstein_recalled", space=order.space, section="7.22")
        table.put(piece, order.space, why="recalled", section="7.22", **_inside(table, order.space))
        table.set(STATUS, RECALLED, section="7.22")
    elif isinstance(order, Assassinate):
        table.tell("wallenstein_assassinated", space=pieces.where(table, piece), section="7.23")
        table.set(STATUS, ASSASSINATED, section="7.23")
        if table.options["assassinated_wallenstein"] == "piccolomini":
            reverse = pieces.leader_row(table, piece)["reverse"]
            table.mark(piece, why="assassinated", section="12.42", face=reverse)
        else:
            table.put(piece, pieces.REMOVED, why="assassinated", section="7.23")


def _inside(table: Table, space: str) -> dict[str, bool]:
    """He joins the stack where it is: inside the walls where its units are inside."""
    outside = pieces.units(table, space, CATHOLIC, inside=False)
    return {} if outside else {"inside": True}
