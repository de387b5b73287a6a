"""9.1, 9.2: the nine clauses of a deal that changes the game, each with its line, its legality and its effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.here_i_stand.diplomacy.peace import homes_lost, note_cession
from pbem.games.here_i_stand.diplomacy.wars import HAPSBURG
from pbem.games.here_i_stand.powers import england, excommunication
from pbem.games.here_i_stand.religion.conversion import ENGLAND, PAPACY, PROTESTANT
from pbem.games.reformation import clauses, marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.clauses import (
    ALLIANCES,
    SECTION,
    Alliance,
    EndWar,
    GiveCards,
    GiveMercenaries,
    Loan,
    LoanCorsairs,
    ReturnLeader,
    has_room,
    two_parties,
)
from pbem.games.reformation.ground import controller, home_of, kind_of, religion
from pbem.games.reformation.minor_powers import is_active
from pbem.games.reformation.relations import allied
from pbem.games.reformation.treaties import Clause, Package
from pbem.table.orders import Name, Refused
from pbem.table.procedure import Procedure, Table

# --- the clauses of this game, in the order in which they take effect ---


class Cede(clauses.Cede):
    """A power gives up the control of spaces to another; units there leave."""

    def why_kept(self, table: Table, space: str) -> Refused | None:
        """9.1: no capitals, as the option has it, and no keys of active minor powers."""
        capital_of = next((p for p, spaces in atlas(table).capitals.items() if space in spaces), None)
        if capital_of and (capital_of == self.giver or not table.options["ceding_captured_capital"]):
            return Refused("capital_not_ceded", space=space, power=capital_of)
        home = home_of(table, space)
        if kind_of(table, space) == "key" and home in atlas(table).minors and is_active(table, home):
            return Refused("key_of_active_minor", space=space, minor=home)
        return None

    def note(self, table: Table) -> None:
        note_cession(table, self.giver, self.taker, self.spaces)

    @classmethod
    def worth_an_idea(cls, table: Table, giver: str, taker: str) -> list[str]:
        lost = homes_lost(table, taker, giver)
        return lost or [space for space in atlas(table).spaces if controller(table, space) == giver][:4]


def mercenary_places(table: Table, power: str, number: int = 1) -> list[str]:
    """9.1: where mercenaries given to a power may come: a capital that it controls; the Protestant's electorates.

    In a besieged one they come within the walls, as far as there is room.
    """
    if power == PROTESTANT:
        league = table.board.state.get("league")
        among = [
            space
            for space, row in atlas(table).spaces.items()
            if row["kind"] == "electorate"
            and (controller(table, space) == power or (not league and religion(table, space) == PROTESTANT))
        ]
    else:
        among = [capital for capital in atlas(table).capitals[power] if controller(table, capital) == power]
    return [space for space in among if has_room(table, space, power, number)]


class GrantDivorce(Clause):
    """The Papacy grants Henry VIII the divorce; he marries Anne Boleyn."""

    line = "GRANT DIVORCE"
    rank = 8

    def parties(self, table: Table) -> list[str]:
        return [ENGLAND, PAPACY]

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        box = table.kit.tables["wives"][table.kit.constants["divorce_box"]]["box"]
        if table.board.value("marital_box", ENGLAND) != box or table.board.state["ruler"][ENGLAND] != "henry_viii":
            raise Refused("no_divorce_asked", SECTION)
        if allied(table.board, PAPACY, HAPSBURG):
            raise Refused("no_divorce_by_ally", ALLIANCES)

    def effect(self, table: Table, package: Package) -> Procedure:
        table.tell("divorce", power=PAPACY, target=ENGLAND, section=SECTION)
        marks.set_mark(table, "turn", "divorce", True, section=SECTION)
        yield from england.grant_divorce(table)

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        yield cls()


def why_not_allied(table: Table, clause: Any, package: Package) -> Refused | None:
    """9.2: the Papacy is not allied to the Hapsburgs in a turn in which it grants the divorce."""
    if clause.binds(PAPACY, HAPSBURG) and (divorce_granted(table) or package.of_kind(GrantDivorce)):
        return Refused("no_alliance_with_divorce", power=clause.party, other=clause.other)
    return None


def why_no_mercenaries(table: Table, taker: str) -> Refused | None:
    """9.1, 21.6: before the League the Protestant gets none but by option."""
    open_before = table.options["mercenaries_to_protestant_before_league"]
    if taker == PROTESTANT and not table.board.state.get("league") and not open_before:
        return Refused("no_mercenaries_before_league")
    return None


def divorce_granted(table: Table) -> bool:
    """Whether the Papacy granted the divorce in this turn: it cannot be allied to the Hapsburgs then (9.2)."""
    return bool(marks.mark(table, "turn", "divorce"))


class LiftExcommunication(Clause):
    """The Papacy pardons an excommunicated ruler."""

    line = "LIFT EXCOMMUNICATION OF {pardoned}"
    rank = 9
    pardoned = Name("power")

    def parties(self, table: Table) -> list[str]:
        return two_parties(table, self.pardoned, PAPACY)

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        if not table.board.state.get(f"excommunication:{self.pardoned}"):
            raise Refused("not_excommunicated", SECTION, power=self.pardoned)

    def effect(self, table: Table, package: Package) -> Procedure:
        excommunication.lift(table, self.pardoned, "pardon", SECTION)
        return
        yield

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        for other in (power, *partners):
            yield cls(pardoned=other)


CLAUSES: tuple[type[Clause], ...] = (
    EndWar,
    Alliance,
    Loan,
    LoanCorsairs,
    ReturnLeader,
    Cede,
    GiveCards,
    GiveMercenaries,
    GrantDivorce,
    LiftExcommunication,
)

