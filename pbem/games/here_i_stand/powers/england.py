"""21.3: England. The marital track, the heirs, the succession. Impulses under Mary I: `mary`.

State: ``pregnancy`` {result: wife}: what the pregnancy chart holds, by the names of results in the kit; ``heirs``; the
mark ``turn:extra_advance`` while an advance waits for England's first pass. The track ``marital_box`` is the box of
Henry's marker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.here_i_stand import cards
from pbem.games.here_i_stand.places import REMOVED
from pbem.games.reformation import hands, marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, put_leader
from pbem.games.reformation.ground import controller, home_spaces, siege_of, space_of
from pbem.games.reformation.relations import allied
from pbem.table.asking import choose, confirm
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

ENGLAND, PAPACY, PROTESTANT = "england", "papacy", "protestant"
HENRY, MARY, EDWARD_VI, ELIZABETH_I = "henry_viii", "mary_i", "edward_vi", "elizabeth_i"
EDWARD, ELIZABETH = "edward", "elizabeth"
HEALTHY, EXECUTED = "edward_healthy", "executed"
"""Results of the pregnancy chart that the rules ask for."""
ENGLISH = "english"


# --- the marital track ---


def ruler(table: Table) -> str:
    """Who rules England."""
    return table.board.state["ruler"][ENGLAND]


def box_of(table: Table, wife: str) -> int:
    """The box of a wife on the marital track."""
    return table.kit.tables["wives"][wife]["box"]


def results(table: Table) -> dict[str, str]:
    """What the pregnancy chart holds: result -> the wife whose it was."""
    return dict(table.board.state.get("pregnancy", {}))


def edward_is_healthy(table: Table) -> bool:
    """21.3: whether the best result so far is a healthy Edward."""
    return HEALTHY in results(table)


def why_not_advance(table: Table, *, by_divorce: bool = False) -> Refused | None:
    """21.3: why the marital marker may not advance now; None when it may.

    The Pope's divorce (9.1) asks only whether both heirs are born, and its own conditions.
    """
    heirs = table.board.state["heirs"]
    if EDWARD in heirs and ELIZABETH in heirs:
        return Refused("heirs_born")
    if table.board.value("marital_box", ENGLAND) >= max(row["box"] for row in table.kit.tables["wives"].values()):
        return Refused("last_marriage")
    if by_divorce:
        return None
    if ruler(table) != HENRY:
        return Refused("henry_not_ruler")
    at = table.board.pieces[LEADER + HENRY]["at"]
    if at.startswith("captured:"):
        return Refused("henry_captured")
    if siege_of(table, space_of(at)) and at != space_of(at):
        return Refused("henry_besieged")
    return None


def advance(table: Table, why: str, *, by_divorce: bool = False) -> Procedure:
    """21.3: the marker goes on by one box; where it reaches a wife Henry has married her."""
    if why_not_advance(table, by_divorce=by_divorce):
        return
    table.count("marital_box", ENGLAND, 1, why=why, section="21.3")
    box = table.board.value("marital_box", ENGLAND)
    for wife, row in table.kit.tables["wives"].items():
        if row["box"] == box and row["wife"]:
            yield from marriage(table, wife)


def marriage(table: Table, wife: str) -> Procedure:
    """21.3: a roll on the pregnancy chart, then what the wife brings."""
    row = table.kit.tables["wives"][wife]
    table.tell("marriage", power=ENGLAND, wife=wife, section="21.3")
    was_allied = allied(table.board, ENGLAND, PROTESTANT)
    if row["pregnancy_roll"]:
        _pregnancy(table, wife, row["roll_bonus"])
    if wife == "anne_of_cleves" and was_allied:
        for power in (ENGLAND, PROTESTANT):
            hands.draw_cards(table, power, 1, "event_draw", section="21.3")
    if wife == "kathryn_howard":
        hands.draw_cards(table, ENGLAND, 1, "event_draw", section="21.3")
    return
    yield


def _pregnancy(table: Table, wife: str, bonus: int) -> None:
    """21.3: a die on the chart; a result that was taken goes on to another one (Q-04)."""
    chart = table.kit.tables["pregnancy"]
    die = table.roll("pregnancy", ENGLAND, 1, wife=wife, modifier=bonus, section="21.3")[0]
    rolled = min(die + bonus, max(row["roll"] for row in chart.values()))
    row = free_result(table, rolled)
    told = row["result"] if row else None
    table.tell("pregnancy", power=ENGLAND, wife=wife, rolled=die + bonus, result=told, section="21.3")
    if row is None:
        return
    result = row["result"]
    table.set("pregnancy", dict(sorted({**results(table), result: wife}.items())), section="21.3")
    heir = row["heir"]
    if heir and heir not in table.board.state["heirs"]:
        table.set("heirs", sorted([*table.board.state["heirs"], heir]), why="birth", section="21.3")
    if result == EXECUTED:
        marks.set_mark(table, "turn", "extra_advance", True, section="21.3")


def free_result(table: Table, rolled: int) -> Mapping[str, Any] | None:
    """21.3, Q-04: the row rolled if it is free, else the next higher one, else by option the next lower one."""
    rows = sorted(table.kit.tables["pregnancy"].values(), key=lambda row: row["roll"])
    free = [row for row in rows if row["result"] not in results(table)]
    higher = [row for row in free if row["roll"] >= rolled]
    if higher:
        return higher[0]
    if table.options["pregnancy_shift"] == "higher" and free:
        return free[-1]
    return None


def before_pass(table: Table, power: str) -> Procedure:
    """21.3: the advance that an executed wife brings, at England's first pass of the turn; it may decline (Q-26)."""
    if power != ENGLAND or not marks.mark(table, "turn", "extra_advance"):
        return
    marks.set_mark(table, "turn", "extra_advance", None, section="21.3")
    if why_not_advance(table):
        return
    if table.options["extra_advance"] == "optional":
        kind, what = "event_choice", "extra_advance"
        wanted = yield from confirm(table, ENGLAND, kind, default=True, section="21.3", choose=what)
        if not wanted:
            return
    yield from advance(table, "executed")


def grant_divorce(table: Table) -> Procedure:
    """9.1: the Pope grants the divorce: the marker goes on to Anne Boleyn, with a roll at once."""
    yield from advance(table, "divorce", by_divorce=True)


# --- the succession ---


def card_is_due(table: Table, condition: str) -> bool:
    """6.2, 21.3: whether the condition of a card that waits beside the deck holds in this Card Draw phase.

    ``boleyn_married_last_turn, edward_born, sickly_edward_rules_or_no_edward``, or
    ``elizabeth_born_and_mary_ruled_last_turn``:
    whoever rules or is born now did so in the turn before at the latest.
    """
    heirs = table.board.state["heirs"]
    if condition == "boleyn_married_last_turn":
        return table.board.value("marital_box", ENGLAND) >= box_of(table, "anne_boleyn")
    if condition == "edward_born":
        # 21.3: born after Mary's card came into the deck he succeeds by that card.
        return EDWARD in heirs and not _mary_is_out(table)
    if condition == "sickly_edward_rules_or_no_edward":
        return EDWARD not in heirs or (ruler(table) == EDWARD_VI and not edward_is_healthy(table))
    if condition == "elizabeth_born_and_mary_ruled_last_turn":
        return ELIZABETH in heirs and ruler(table) == MARY
    raise ValueError(f"there is no condition {condition}")


def _mary_is_out(table: Table) -> bool:
    """Whether Mary's card has left the box before Edward's."""
    return cards.BOOK.card_id(table, MARY) not in table.board.piles.get(hands.BOX, ())


def succeed(table: Table, heir: str, *, dudley: bool) -> Procedure:
    """21.3: an heir rules from now on. As Henry dies Dudley comes to London or to Henry's space; then Henry leaves."""
    before = ruler(table)
    table.set("ruler", {**table.board.state["ruler"], ENGLAND: heir}, section="21.3")
    table.tell("succession", power=ENGLAND, ruler=heir, before=before, section="21.3")
    marks.set_mark(table, "turn", "succession", heir, section="21.3")
    if dudley and before == HENRY:
        yield from leader_follows(table, ENGLAND, HENRY, "dudley", "21.3")


def leader_follows(table: Table, power: str, dead: str, leader: str, section: str) -> Procedure:
    """21.3, card 20: a leader comes to the capital or to the space of a dead ruler; that one leaves the game."""
    at = table.board.pieces[LEADER + dead]["at"]

    def among(table: Table) -> list[str]:
        own = [capital for capital in atlas(table).capitals[power] if controller(table, capital) == power]
        his = [space_of(at)] if space_of(at) in atlas(table).spaces else []
        held = [space for space in home_spaces(table, power) if controller(table, space) == power]
        return list(dict.fromkeys([*own, *his])) or held[:1]

    space = yield from choose(
        table, power, "space", among, kind="place_leader", section=section, leader=leader, space=space_of(at)
    )
    if space is not None:
        put_leader(table, leader, at if space == space_of(at) else space, why="succession", section=section)
    table.put(LEADER + dead, REMOVED, why="death", section=section)


def edward(table: Table) -> Procedure:
    """19: Henry dies, Edward VI rules."""
    yield from succeed(table, EDWARD_VI, dudley=True)


def mary(table: Table) -> Procedure:
    """21: Mary rules; but a late Edward takes the throne by this card. Value: where the card goes.

    21.3: enthroning a sickly Edward it goes to the discards, to come again; otherwise it leaves the game.
    """
    if ruler(table) == HENRY and EDWARD in table.board.state["heirs"]:
        yield from succeed(table, EDWARD_VI, dudley=True)
        return "removed" if edward_is_healthy(table) else "discard"
    yield from succeed(table, MARY, dudley=True)
    return "removed"


def elizabeth(table: Table) -> Procedure:
    """23: Mary dies, Elizabeth I rules."""
    yield from succeed(table, ELIZABETH_I, dudley=True)


def may_respond(table: Table, power: str) -> bool:
    """21.3: under Mary I England plays no combat and response cards."""
    return not (power == ENGLAND and ruler(table) == MARY)
