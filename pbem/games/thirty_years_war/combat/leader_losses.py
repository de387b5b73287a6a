"""12.4: leaders are tested after a battle, killed, replaced, or lost with their army."""

from __future__ import annotations

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.combat.engagement import ROLES, Battle, leaders_of
from pbem.games.thirty_years_war.map import roll
from pbem.table.procedure import Table


def test_leaders(table: Table, fought: Battle) -> None:
    """12.4: every leader in the stacks that fought is tested, used or not; a lost army's leaders die with it (12.43).

    Who is tested is settled first, man by man: a replacement that the battle brings is not tested (INT-78).
    """
    tested = {role: leaders_of(table, fought, role) for role in ROLES}
    for role in ROLES:
        if not pieces.units(table, fought.space, fought.force(role).side):
            lose_leaders(table, fought.space, tested[role], why="army_lost", section="12.43")
            continue
        for face in [pieces.face_of(table, leader) for leader in tested[role]]:
            test_leader(table, fought, fought.force(role).side, face)


def test_leader(table: Table, fought: Battle, side: str, face: str) -> None:
    """12.41: a roll at or above the loss rating kills."""
    leader = next(
        one for one in pieces.leaders(table, fought.space, side) if pieces.face_of(table, one) == face
    )
    rating = pieces.leader_row(table, leader)["loss"]
    die = roll(table, "leader loss", side, leader=face, space=fought.space, section="12.41")
    killed = die >= rating
    table.tell(
        "leader_tested",
        leader=face,
        side=side,
        space=fought.space,
        die=die,
        rating=rating,
        killed=killed,
        section="12.41",
    )
    if killed:
        fought.killed.append(face)
        kill(table, leader)


def kill(table: Table, leader: str, *, section: str = "12.42") -> None:
    """12.42: a killed leader's counter is turned over: whoever is on its back replaces him in the same space.

    Is that a leader with a counter of his own, this counter is turned over too, wherever he stands; one that lies dead
    or turned already does not hinder it (INT-78, option ``reverse_in_use``). A leader whose back is blank, or who was
    a replacement, is gone.
    """
    face, space = pieces.face_of(table, leader), pieces.where(table, leader)
    back = reverse_of(table, leader)
    if back is None:
        table.tell("leader_killed", leader=face, space=space, replaced_by=None, section=section)
        pieces.eliminate(table, leader, why="killed", section="12.41")
        return
    own_counter = pieces.LEADER + back
    if table.options["reverse_in_use"] == "gone" and is_used_up(table, own_counter, back):
        table.tell("leader_killed", leader=face, space=space, replaced_by=None, section=section)
        pieces.eliminate(table, leader, why="killed", section="12.41")
        return
    table.tell("leader_killed", leader=face, space=space, replaced_by=back, section=section)
    if own_counter in table.board.pieces and pieces.face_of(table, own_counter) == back:
        turn_over_elsewhere(table, own_counter)
    table.mark(leader, why="replaced", section=section, face=back)


def is_used_up(table: Table, counter: str, face: str) -> bool:
    """INT-78: whether a leader who could come as a reverse has a counter of his own that is dead or turned over."""
    if counter not in table.board.pieces:
        return False
    return pieces.where(table, counter) == pieces.DEAD or pieces.face_of(table, counter) != face


def reverse_of(table: Table, leader: str) -> str | None:
    """12.42: the face on the back of a leader's counter; None where there is none, or where it shows already."""
    counter = leader.removeprefix(pieces.LEADER)
    if pieces.face_of(table, leader) != counter:
        return None
    return table.kit.tables["leaders"][counter]["reverse"] or None


def turn_over_elsewhere(table: Table, counter: str) -> None:
    """12.42: a leader who takes another's place leaves his own counter to the one on its back."""
    back = reverse_of(table, counter)
    if pieces.where(table, counter) not in table.kit.tables["spaces"]:
        return
    if back is None:
        pieces.eliminate(table, counter, why="takes_another_place", section="12.42")
        return
    table.mark(counter, why="replaced", section="12.42", face=back)


def lose_leaders(table: Table, space: str, leaders: list[str], *, why: str, section: str) -> None:
    """12.43, INT-15, INT-82: leaders lost with their units are out, and nobody replaces them."""
    for leader in leaders:
        table.tell("leader_lost", leader=pieces.face_of(table, leader), space=space, because=why, section=section)
        pieces.eliminate(table, leader, why=why, section=section)


def lose_trapped(table: Table, space: str, leaders: list[str], *, why: str, section: str) -> None:
    """INT-15: leaders of an overrun stack or in a captured fortress are out; by option as if killed in battle."""
    if table.options["trapped_leaders"] == "replaced":
        for leader in leaders:
            kill(table, leader, section="12.43")
        return
    lose_leaders(table, space, leaders, why=why, section=section)
