"""18.1, 21.5: what the Papacy builds: Saint Peter's and Jesuit universities."""

from __future__ import annotations

from pbem.games.here_i_stand.religion.conversion import CATHOLIC, PAPACY, has_university
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.ground import in_play, religion
from pbem.table.asking import choose
from pbem.table.procedure import Procedure, Table

CP, VP = "st_peters_cp", "st_peters_vp"


def boxes_left(table: Table) -> int:
    """18.1: how many CP Saint Peter's can still take."""
    constants = table.kit.constants
    vp_left = constants["st_peters_vp_limit"] - table.board.value(VP, PAPACY)
    return max(0, vp_left * constants["st_peters_cp_a_vp"] - table.board.value(CP, PAPACY))


def st_peters(table: Table, cp: int, **more: object) -> None:
    """18.1: CP for Saint Peter's, one box each; the last box gives 1 VP and sets the marker back. No more than 5 VP.

    Cards that give CP (81, 86, 9.5) call this too; what comes after the last VP is lost.
    """
    each = table.kit.constants["st_peters_cp_a_vp"]
    told = {"why": "st_peters", "section": "18.1"} | more
    total = table.board.value(CP, PAPACY) + min(cp, boxes_left(table))
    table.count(CP, PAPACY, total % each - table.board.value(CP, PAPACY), **told)
    table.count(VP, PAPACY, total // each, **told)


def st_peters_loses(table: Table, cp: int, **more: object) -> None:
    """21.5: the Sack of Rome takes CP away, never below nought, never VP."""
    table.count(CP, PAPACY, -min(cp, table.board.value(CP, PAPACY)), **{"why": "st_peters", "section": "21.5"} | more)


# --- universities ---


def may_have_university(table: Table, space: str) -> bool:
    """18.1: a Catholic space without a university."""
    return in_play(table, space) and religion(table, space) == CATHOLIC and not has_university(table, space)


def university_spaces(table: Table) -> list[str]:
    """The spaces where a university may be founded."""
    return [space for space in atlas(table).spaces if may_have_university(table, space)]


def found_university(table: Table, space: str) -> None:
    """18.1: a marker is put on the space."""
    table.set(f"university:{space}", True, why="university", section="18.1")


def place_universities(table: Table, many: int, card: int, section: str = "18.2") -> Procedure:
    """18.2: the Papacy puts so many universities on Catholic spaces without one, by a card (15 or 55)."""
    for _ in range(many):
        space = yield from choose(table, PAPACY, "space", university_spaces, section=section, number=card)
        if space is None:
            return
        found_university(table, space)


def jesuits_are_there(table: Table) -> bool:
    """21.5: whether Society of Jesus has been played."""
    return bool(table.board.state.get("society_of_jesus"))


def society_of_jesus(table: Table) -> Procedure:
    """21.5, card 15: the order is founded: two universities at once, and more may be founded from now on."""
    table.set("society_of_jesus", True, section="21.5")
    yield from place_universities(table, table.kit.constants["jesuit_universities"], 15)
