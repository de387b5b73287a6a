"""12.5: the loser of a battle goes back: the attacker to where he came from, the defender to a space of his choice.

The loser's answer is a ranking of spaces: the first that is open to him when the time comes counts. The space of the
battle itself, where it holds a fortress of his, stands for the fortress (12.52).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.combat import combat_cards, leader_losses
from pbem.games.thirty_years_war.combat.combat_cards import BattleQuestion
from pbem.games.thirty_years_war.combat.engagement import ATTACKER, DEFENDER, RELIEF, SORTIE, Battle, Force
from pbem.games.thirty_years_war.map import atlas, other
from pbem.games.thirty_years_war.politics import bans, nations
from pbem.table.orders import AnyName, Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SPANISH_ZONE = "17.Sp.2"
"""The section by which Spaniards perish who have to leave their zone."""

OWN, NEUTRAL, ENEMY = 1, 2, 3
"""INT-47: the classes of spaces to retreat to: one's own first; then neutral ones and empty ones of the enemy."""


# --- where to ---


def goes_inside(table: Table, fought: Battle, force: Force) -> bool:
    """12.52: whether the beaten side has a fortress in the space where it fought that can take it in.

    A relief army goes inside only where it makes no more than a full stack with the garrison (INT-68).
    """
    if not atlas(table).is_fortress(fought.space) or control.holder(table, fought.space) != force.side:
        return False
    if fought.kind == RELIEF and table.options["relief_lost"] == "back":
        return False
    return len(pieces.units(table, fought.space, force.side)) <= table.kit.constants["stacking"]


def why_not(table: Table, fought: Battle, force: Force, space: str) -> Refused | None:
    """12.54: why a beaten defender may not go to a space next to the battle, classes apart; None where he may."""
    enemy = other(force.side)
    if space not in atlas(table).neighbours[fought.space]:
        return Refused("not_next_to_the_battle", "12.52", space=space, battle=fought.space)
    if space == fought.came_from:
        return Refused("the_attacker_came_from_there", "12.54", space=space)
    if pieces.units(table, space, enemy):
        return Refused("enemy_units_there", "12.54", space=space)
    if atlas(table).is_fortress(space) and control.holder(table, space) == enemy:
        return Refused("enemy_fortress_there", "12.54", space=space)
    banned = bans.entry_refusal(table, space)
    if banned is not None:
        return banned
    stack = pieces.stack(table, fought.space, force.side, inside=False)
    together = [*stack, *pieces.leaders(table, space, force.side)]
    rivals = [piece for piece in together if is_wallenstein_or_tilly(table, piece)]
    if len(rivals) > 1 and not all(leader in stack for leader in rivals):
        return Refused("wallenstein_with_tilly", "7.24", space=space)
    shut_out = [refusal for refusal in closed_to(table, space, stack).values() if refusal.section != SPANISH_ZONE]
    return shut_out[0] if stack and len(shut_out) == len(stack) else None


def closed_to(table: Table, space: str, stack: Sequence[str]) -> dict[str, Refused]:
    """11.3, 17: the pieces of a stack that may not be in a space, and why: Catholics in France, Spaniards outside their
    zone, Hungarians beyond their limits."""
    closed = {piece: nations.closed(table, piece, space) for piece in stack}
    return {piece: refusal for piece, refusal in closed.items() if refusal is not None}


def is_wallenstein_or_tilly(table: Table, piece: str) -> bool:
    """7.24: whether a piece is one of the two leaders who never stand together."""
    names = table.kit.constants["leaders"]
    return pieces.is_leader(piece) and pieces.face_of(table, piece) in (names["wallenstein"], names["tilly"])


def class_of(table: Table, side: str, space: str) -> int:
    """INT-47: the class of a space for the one who goes back; by option neutral ones come before the enemy's."""
    holder = control.holder(table, space)
    if holder == side:
        return OWN
    return ENEMY if holder and table.options["retreat_classes"] == "own_neutral_enemy" else NEUTRAL


def ways_back(table: Table, fought: Battle, role: str) -> list[str]:
    """12.5: where the loser may go, by name; the fortress on the spot (12.52) last, for whoever is in it is shut in.

    Spaces that are open to every nation of a defender's stack come first; elsewhere those perish to whom it is closed.
    """
    force = fought.force(role)
    if fought.kind == SORTIE and role == ATTACKER:
        return [fought.space]
    inside = [fought.space] if goes_inside(table, fought, force) else []
    if role == ATTACKER:
        return ([fought.came_from] if fought.came_from else []) + inside
    near = atlas(table).neighbours[fought.space]
    able = [space for space in sorted(near) if why_not(table, fought, force, space) is None]
    stack = pieces.stack(table, fought.space, force.side, inside=False)
    able = [space for space in able if not closed_to(table, space, stack)] or able
    best = min((class_of(table, force.side, space) for space in able), default=OWN)
    return [space for space in able if class_of(table, force.side, space) == best] + inside


class Retreat(Order):
    """Retreat to the first of these spaces that is open; the space of the battle is the fortress there. LOSING says
    what goes first where the stack is too large afterwards."""

    line = "RETREAT TO {spaces} [LOSING {kinds}]"
    spaces = Many(Name("space"), most=20)
    kinds = Many(AnyName("unit", "unit_type", "nation"), most=20, optional=True)

    def check(self, table: Table, question: Question) -> None:
        fought, role = _asked(question)
        able = ways_back(table, fought, role)
        if any(space in able for space in self.spaces):
            return
        raise refusal(table, fought, role, self.spaces[0])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in ways_back(table, *_asked(question)):
            yield cls(spaces=[space])


class RetreatInside(Order):
    """Retreat into the fortress on the spot; else to the first of these spaces that is open."""

    line = "RETREAT INSIDE [OR TO {spaces}] [LOSING {kinds}]"
    spaces = Many(Name("space"), most=20, optional=True)
    kinds = Many(AnyName("unit", "unit_type", "nation"), most=20, optional=True)

    def check(self, table: Table, question: Question) -> None:
        fought, role = _asked(question)
        able = ways_back(table, fought, role)
        if not any(space in able for space in (fought.space, *(self.spaces or ()))):
            raise refusal(table, fought, role, fought.space)


def refusal(table: Table, fought: Battle, role: str, space: str) -> Refused:
    """Why the loser may not go to a space, with those where he may as hints."""
    force, able = fought.force(role), ways_back(table, fought, role)
    if space == fought.space:
        return Refused("no_fortress_of_yours", "12.52", able, space=space)
    if role == ATTACKER:
        return Refused("back_where_you_came_from", "12.53", able, space=space)
    why = why_not(table, fought, force, space)
    if why is not None:
        return Refused(why.code or "", why.section, able, **why.values)
    shut_out = closed_to(table, space, pieces.stack(table, fought.space, force.side, inside=False))
    for refused in shut_out.values():
        return Refused(refused.code or "", refused.section, able, **refused.values)
    return Refused("better_space_to_retreat", "12.54", able, space=space)


def _asked(question: Question) -> tuple[Battle, str]:
    assert isinstance(question, BattleQuestion) and question.fought is not None
    return question.fought, question.context["role"]


def silent(table: Table, question: Question) -> Order:
    """INT-47: the first space that is open, by name."""
    return next(Retreat.candidates(table, question))


def question(table: Table, fought: Battle) -> Question | None:
    """The question where the loser goes, asked with the losses; None where he has no choice or nobody left."""
    role = loser(fought)
    force = fought.force(role)
    ways = ways_back(table, fought, role)
    if len(ways) < 2 or fought.won_by == "destroyed":
        return None
    context = combat_cards.known(table, fought) | {"role": role, "spaces": ways}
    return BattleQuestion(
        force.side,
        "retreat",
        [Retreat, RetreatInside],
        silent,
        context=context,
        section="12.5",
        key=f"retreat:{force.side}",
        fought=fought,
    )


def loser(fought: Battle) -> str:
    """The role that has lost."""
    return DEFENDER if fought.winner == ATTACKER else ATTACKER


# --- going ---


def loser_retreats(table: Table, fought: Battle) -> Procedure:
    """12.51 to 12.54: what the loser has left outside goes, those that took no part too (12.14).

    Who came out of the walls goes back in, wherever the relief army goes (INT-68).
    """
    role = loser(fought)
    side = fought.force(role).side
    outside = pieces.stack(table, fought.space, side, inside=False)
    back_in = [piece for piece in fought.force(role).joined if piece in outside]
    go(table, fought, back_in, fought.space, side)
    stack = [piece for piece in outside if piece not in back_in]
    if not stack:
        return
    ways = ways_back(table, fought, role)
    if not ways:
        no_way_back(table, fought, stack, side)
        return
    if fought.way_back is None and len(ways) > 1:
        asked = question(table, fought)
        fought.way_back = (yield asked) if asked else None
    space = first_open(fought, ways)
    if role == DEFENDER and space != fought.space:
        stack = without_shut_out(table, fought, stack, space, side)
    go(table, fought, stack, space, side)
    settle_stack(table, space, side, ranking(fought))


def without_shut_out(table: Table, fought: Battle, stack: Sequence[str], space: str, side: str) -> list[str]:
    """12.54: who of a stack cannot go where the others go is eliminated; Spaniards perish on arrival (17.Sp.2)."""
    shut_out = closed_to(table, space, stack)
    lost = [piece for piece, refusal in shut_out.items() if refusal.section != SPANISH_ZONE]
    if lost:
        no_way_back(table, fought, lost, side)
    return [piece for piece in stack if piece not in lost]


def first_open(fought: Battle, ways: Sequence[str]) -> str:
    """The first space that the loser named and that is open now; else the first that is."""
    answer = fought.way_back
    named: list[str] = []
    if isinstance(answer, RetreatInside):
        named = [fought.space, *(answer.spaces or ())]
    elif isinstance(answer, Retreat):
        named = list(answer.spaces)
    return next((space for space in named if space in ways), ways[0])


def ranking(fought: Battle) -> list[str]:
    """What the loser named to be lost first where a stack is too large."""
    return list(getattr(fought.way_back, "kinds", None) or ())


def go(table: Table, fought: Battle, stack: Sequence[str], space: str, side: str) -> None:
    """12.52: the loser goes to a space, or inside the walls on the spot."""
    if not stack:
        return
    inside = space == fought.space
    table.tell(
        "retreat",
        side=side,
        space=fought.space,
        to=space,
        inside=inside,
        pieces=pieces.described(table, stack),
        section="12.53" if fought.force(ATTACKER).side == side else "12.54",
    )
    pieces.move(table, stack, space, inside=inside, why="retreat", section="12.52")
    if not inside:
        arrive(table, space, side, stack, takes=side == fought.defender.side)


def arrive(table: Table, space: str, side: str, stack: Sequence[str], *, takes: bool) -> None:
    """12.54, C 9.b: a neutral region is violated, a revolt ends; a defender takes the enemy's empty space (`takes`)."""
    if not any(pieces.is_unit(piece) for piece in stack):
        return
    leader_losses.lose_leaders(
        table, space, pieces.leaders(table, space, other(side), inside=False), why="overtaken", section="11.22"
    )
    control.violate(table, space, side)
    enemys = control.holder(table, space) == other(side)
    if table.board.state.get(control.REVOLT + space):
        control.restore_order(table, space, why="retreat", section="C 9.b")
    if takes and enemys:
        control.gain(table, space, side, "retreat")


def no_way_back(table: Table, fought: Battle, stack: Sequence[str], side: str) -> None:
    """12.54, INT-82: without a legal space the units are eliminated, and their leaders with them."""
    table.tell(
        "no_retreat", side=side, space=fought.space, pieces=pieces.described(table, stack), section="12.54"
    )
    for piece in stack:
        if pieces.is_unit(piece):
            pieces.eliminate(table, piece, why="no_retreat", section="12.54")
    leader_losses.lose_leaders(
        table, fought.space, [p for p in stack if pieces.is_leader(p)], why="no_retreat", section="12.43"
    )


# --- 10.22 ---


def settle_stack(table: Table, space: str, side: str, named: Sequence[str] = ()) -> None:
    """10.22, C 10.c: nations that may not stack, and units beyond the limit, are eliminated, the owner's choice.

    `named` is what he said before should go first: kinds of unit, types, nations; else what fights least goes.
    """
    while nations.conflict(table, pieces.stack(table, space, side)):
        there = pieces.stack(table, space, side)
        present = list(dict.fromkeys(pieces.nation_of(table, piece) for piece in there))
        goes = min(present, key=lambda nation: _price_of_nation(table, there, nation, named))
        gone = [piece for piece in there if pieces.nation_of(table, piece) == goes]
        _dissolve(table, space, side, gone, why="may_not_stack")
    units = pieces.units(table, space, side)
    surplus = len(units) - table.kit.constants["stacking"]
    if surplus > 0:
        units.sort(key=lambda unit: _price(table, unit, named))
        _dissolve(table, space, side, units[:surplus], why="over_stacked")


def _dissolve(table: Table, space: str, side: str, gone: Sequence[str], *, why: str) -> None:
    table.tell(
        "stack_cut", side=side, space=space, because=why, pieces=pieces.described(table, gone), section="10.22"
    )
    for piece in gone:
        pieces.eliminate(table, piece, why=why, section="10.22")


def _place_named(table: Table, piece: str, named: Sequence[str]) -> int:
    names = (pieces.kind_of(piece), pieces.unit_type(table, piece), pieces.nation_of(table, piece))
    return next((n for n, name in enumerate(named) if name in names), len(named))


def _price(table: Table, unit: str, named: Sequence[str]) -> tuple[int, ...]:
    dear = (pieces.MILITIA, pieces.MERCENARY, pieces.VETERAN).index(pieces.unit_type(table, unit))
    return (_place_named(table, unit, named), pieces.combat_factor(table, unit), dear)


def _price_of_nation(
    table: Table, there: Sequence[str], nation: str, named: Sequence[str]
) -> tuple[bool, int, int, int]:
    """What it costs to lose a nation's pieces: those that end the fault first, then those named, then by strength."""
    rest = [piece for piece in there if pieces.nation_of(table, piece) != nation]
    units = [piece for piece in there if piece not in rest and pieces.is_unit(piece)]
    place = named.index(nation) if nation in named else len(named)
    return (
        nations.conflict(table, rest) is not None,
        place,
        pieces.combat_factors(table, units),
        len(there) - len(rest),
    )


ORDERS: tuple[type[Order], ...] = (Retreat, RetreatInside)
