"""25: victory. Automatic in the Actions phase; phase 8: Paris, Central Europe, the Empire's preference, the rest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pbem.games.reformation.forces import LEADER
from pbem.games.reformation.ground import controller, in_unrest, inside, religion
from pbem.games.reformation.house import house
from pbem.games.reformation.ranking import (
    DOMINATION,
    HISTORY,
    GameEnds,
    outcome,
    ranked,
    results,
    seat_order,
    seat_results,
    seat_score,
    stops_domination,
    total,
    win,
)
from pbem.games.reformation.relations import seat_of
from pbem.games.reformation.sequence import OVER
from pbem.games.virgin_queen.powers import activated
from pbem.games.virgin_queen.powers.majors import EMPIRE, FRANCE, PROTESTANT, SPAIN
from pbem.games.virgin_queen.victory import score
from pbem.table.asking import Ask, Pass
from pbem.table.board import Board
from pbem.table.game import SHARED_SEATS
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

PREFERENCE = "preference:empire"
"""The pile that holds the Empire's secret preference (10, 23.5)."""


def happens(table: Table) -> bool:
    """Every turn has a Victory Determination phase."""
    return True


def look(table: Table) -> None:
    """25.1: raise `GameEnds` on a military or religious victory, in the Actions phase only; by option
    `automatic_victory_check` in every phase (GB-79).

    Called where control, religion or unrest of a space changes, and as a step ends.
    """
    phase = table.board.state["phase"]
    if phase == OVER or (phase != "action" and table.options["automatic_victory_check"] == "action_start"):
        return
    constants = table.kit.constants
    for power in table.board.seated():
        if score.uncovers_victory(table, power):
            raise GameEnds(power, "military")
    number = score.protestant_spaces(table)
    if number >= constants["religious_victory_protestant"]:
        raise GameEnds(PROTESTANT, "religious")
    if number <= constants["religious_victory_catholic"]:
        here = score.regional(table, "france", PROTESTANT) + score.regional(table, "scotland", PROTESTANT)
        french = here <= constants["religious_victory_france_most"] and FRANCE in table.board.powers
        raise GameEnds(FRANCE if french else SPAIN, "catholic")


# --- 25.3 ---


def paris_and_central_europe(table: Table) -> Procedure:
    """25.3: VP for Paris, and for the Master of Central Europe; 3.2: what activated powers have won."""
    activated.bonus(table)
    _paris(table)
    _central_europe(table)
    return
    yield


def _paris(table: Table) -> None:
    """25.3: who controls Paris, in no unrest, has VP; in the late turns twice as many with who is named in the book.

    By option `paris_points` Paris has to be of the power's religion too (23.4, GB-14).
    """
    constants = table.kit.constants
    paris = constants["paris_space"]
    holder = controller(table, paris)
    if holder not in constants["paris_powers"] or holder not in table.board.powers or in_unrest(table, paris):
        return
    by_faith = table.options["paris_points"] == "control_and_religion"
    if by_faith and religion(table, paris) != constants["conversion_side"][holder]:
        return
    late = table.board.state["turn"] in constants["paris_late_turns"] and _worthy(table, holder, paris)
    vp = constants["paris_vp_late"] if late else constants["paris_vp"]
    score.award(table, holder, "paris", vp, section="25.3")


def _worthy(table: Table, holder: str, paris: str) -> bool:
    """25.3: France has its king, alive; another power the leader of the book in Paris itself."""
    constants = table.kit.constants
    leader = constants["paris_late_leaders"].get(holder)
    if leader is None:
        king = table.board.state["ruler"].get(holder)
        return king in constants["paris_late_rulers"] and king not in table.board.state.get("dead_rulers", ())
    return table.board.pieces[LEADER + leader]["at"] in (paris, inside(paris))


def _central_europe(table: Table) -> None:
    """25.3: the Empire has a VP for each turn in which it holds all three spaces, none in unrest."""
    constants = table.kit.constants
    spaces = constants["central_europe"]
    held = all(controller(table, space) == EMPIRE and not in_unrest(table, space) for space in spaces)
    if EMPIRE in table.board.seated() and held:
        score.award(table, EMPIRE, "central_europe", constants["central_europe_vp"], section="25.3")


class Reveal(Order):
    """Reveal the secret religious preference of the Empire."""

    line = "REVEAL PREFERENCE"

    def check(self, table: Table, question: Question) -> None:
        if not matters(table):
            raise Refused("preference_not_needed", "23.5")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        yield cls()


def matters(table: Table) -> bool:
    """23.5: whether the VP of the secret preference make the Empire win, or stop a victory of another by domination."""
    held = table.board.piles.get(PREFERENCE, ())
    if not held:
        return False
    return _would_matter(table, held[0].partition(":")[2])


def _would_matter(table: Table, preference: str) -> bool:
    more = score.religious_vp(table, EMPIRE, preference)
    shown = outcome(table, {EMPIRE: more})
    wins = shown is not None and shown[0] == EMPIRE and shown != outcome(table)
    return wins or stops_domination(table, EMPIRE, more)


def reveal_preference(table: Table) -> Procedure:
    """25.3, 23.5: the Empire may reveal its preference, to win or to stop a victory.

    It is asked where some preference would do so: asked only where its own does, it would tell the others by that.
    """
    held = table.board.piles.get(PREFERENCE, ())
    if EMPIRE not in table.board.seated() or not held:
        return
    if not any(_would_matter(table, preference) for preference in table.kit.constants["preferences"]):
        return
    order = yield Ask(EMPIRE, "reveal", [Reveal, Pass], Pass(), section="25.3")
    if isinstance(order, Reveal):
        chosen = held[0]
        table.card(chosen, PREFERENCE, "preference_shown", section="25.3")
        table.set("preference", chosen.partition(":")[2], section="25.3")
        table.tell("preference_revealed", power=EMPIRE, preference=chosen.partition(":")[2], section="25.3")
        score.settle(table)


def determine(table: Table) -> Procedure:
    """25.3: standard victory, domination, the end of the last turn; else the totals are recorded."""
    board = table.board
    score.settle(table)
    ending = outcome_of_seats(table) if SHARED_SEATS in board.state else outcome(table)
    if ending is not None:
        return win(table, *ending)
    for power in board.seated():
        table.count(f"{HISTORY}{board.state['turn']}", power, board.value("vp", power))
    return None
    yield


def outcome_of_seats(table: Table) -> tuple[str, str] | None:
    """25.3 with 2 and 3 players (rebuilt): a standard victory needs VP of the seat's other power too; domination and
    the last turn compare seats, as option `two_power_score` says. Value: the power that wins, for its seat, and how."""
    board, constants = table.board, table.kit.constants
    order, vp = ranked(table), {power: total(table, power) for power in board.seated()}
    seats = sorted(dict.fromkeys(_seat(board, power) for power in board.seated()), key=partial(seat_order, table))
    for power in order:
        enough = all(vp[one] >= constants["shared_seat_other_vp"] for one in _seat(board, power) if one != power)
        if enough and vp[power] >= house(table).standard_vp(table):
            return power, "standard"
    first, second = (seat_score(table, powers, vp)[0] for powers in seats[:2])
    best = next(power for power in order if power in seats[0])
    if board.state["turn"] >= constants["domination_first_turn"] and first - second >= constants["domination_lead"]:
        return best, DOMINATION
    if board.state["turn"] >= table.kit.scenarios[board.state["scenario"]]["last_turn"]:
        return best, "time"
    return None


def _seat(board: Board, power: str) -> tuple[str, ...]:
    """The powers of a power's seat that score."""
    return tuple(one for one in seat_of(board, power) if one not in board.played_by)


SEGMENTS = (
    ("paris", paris_and_central_europe),
    ("preference", reveal_preference),
    ("determine", determine),
)
ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (Reveal,)

__all__ = [
    "ACTIONS",
    "DOMINATION",
    "ORDERS",
    "SEGMENTS",
    "GameEnds",
    "determine",
    "happens",
    "look",
    "outcome",
    "results",
    "seat_results",
    "stops_domination",
    "win",
]
