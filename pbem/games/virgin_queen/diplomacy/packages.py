"""9.1, 9.2: the clauses of deals that change the game; those of both games are in `reformation.clauses`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.reformation import clauses, fleets
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.clauses import (
    ALLIANCES,
    SECTION,
    Alliance,
    EndWar,
    Gift,
    GiveCards,
    GiveMercenaries,
    Loan,
    RandomGift,
    ReturnLeader,
    check_gift_fits,
    has_room,
    note_given,
    receive_mercenaries,
)
from pbem.games.reformation.ground import controller, home_owners, in_unrest
from pbem.games.reformation.marks import note, noted
from pbem.games.reformation.relations import allied, end_war, major_of, pair, seat_of
from pbem.games.reformation.treaties import Clause, NumberOrAll, Package
from pbem.games.virgin_queen.court import weddings
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.powers import majors
from pbem.games.virgin_queen.powers.majors import EMPIRE, FRANCE, HUGUENOT, PROTESTANT, SPAIN
from pbem.table.orders import Name, Number, Refused
from pbem.table.procedure import Procedure, Table

# --- peace and alliances ---


def _pair(a: str, b: str) -> str:
    return "+".join(pair(a, b))


def made_peace(table: Table, a: str, b: str) -> bool:
    """Whether two powers made peace or an alliance in this turn's Diplomacy phase (9.4)."""
    return noted(table, "turn", "peace", _pair(a, b))


def make_peace(table: Table, a: str, b: str, section: str) -> None:
    """9.1: the war of two powers is over."""
    end_war(table, a, b, why="peace", section=section)
    table.tell("peace", power=a, target=b, section=section)
    note(table, "turn", "peace", _pair(a, b))


def never_peace(table: Table, a: str, b: str) -> bool:
    """9.5: England and Spain never make peace."""
    return any({a, b} == set(never) for never in table.kit.constants["peace_never"])


def why_no_deal(table: Table, a: str, b: str) -> Refused | None:
    """20.10: in the Diplomacy phase after the League formed Spain announces nothing with either of its enemies."""
    formed = table.board.state.get("league")
    if formed is None or table.board.state["turn"] != formed + 1 or {a, b} not in _ENEMIES_OF_LEAGUE:
        return None
    return Refused("no_deal_after_league", "20.10", power=a, other=b)


_ENEMIES_OF_LEAGUE = ({SPAIN, FRANCE}, {SPAIN, PROTESTANT})


def why_not_allied(table: Table, clause: Any, package: Package) -> Refused | None:
    """9.2: France is allied to one of Spain and the Protestant only."""
    one_of = table.kit.constants["france_allies_one_of"]
    for france, other in ((clause.party, clause.other), (clause.other, clause.party)):
        if france == FRANCE and other in one_of:
            rest = [power for power in one_of if power != other]
            same = any(one.binds(FRANCE, power) for one in package.of_kind(Alliance) for power in rest)
            if same or any(allied(table.board, FRANCE, power) for power in rest):
                return Refused("allied_to_one_of", power=FRANCE, other=other)
    return None


# --- spaces ---


class Cede(clauses.Cede):
    """A power gives up the control of spaces to another; units there leave."""

    def why_kept(self, table: Table, space: str) -> Refused | None:
        """9.1: in three cases alone; with 2 players not to a power that would win by it (rebuilt)."""
        never = table.kit.constants["cede_never_with_two"]
        if is_for_two(table) and (self.giver in never["from"] or self.taker in never["to"]):
            return Refused("not_ceded_with_two", power=self.giver, other=self.taker)
        if may_be_ceded(table, space, self.giver, self.taker):
            return None
        return Refused("ceded_in_three_cases", space=space, power=self.taker)

    @classmethod
    def worth_an_idea(cls, table: Table, giver: str, taker: str) -> list[str]:
        held = [space for space in atlas(table).spaces if controller(table, space) == giver]
        return [space for space in held if may_be_ceded(table, space, giver, taker)][:4]


def is_for_two(table: Table) -> bool:
    """3.1: whether two players have all powers."""
    board = table.board
    return len({tuple(seat_of(board, power)) for power in board.seated()}) == 2


def may_be_ceded(table: Table, space: str, giver: str, taker: str) -> bool:
    """9.1: a space goes to its home power (to the ally of a minor home power); one in France between France and the
    Protestant; one in the Netherlands between Spain and the Protestant."""
    owners = home_owners(table, space)
    if table.options.get("shared_home_ceded") == "to_the_lower":  # 2.2: the lower colour's (GB-75)
        owners = owners[:1]
    if any(major_of(table.board, owner) == taker for owner in owners):
        return True
    region = atlas(table).spaces[space]["region"]
    return (region, {giver, taker}) in (
        ("france", {FRANCE, PROTESTANT}),
        ("netherlands", {SPAIN, PROTESTANT}),
    )


# --- gifts ---


class GiveTreasures(RandomGift):
    """A power lets another draw random treasures of its hand."""

    line = "GIVE {number} TREASURES [FROM {giver}] TO {taker}"
    what = "treasures"
    limit = "deal_treasures"

    def drawable(self, table: Table) -> int:
        return len(treasures.of(table, self.giver))

    def too_few(self, **values: Any) -> Refused:
        return Refused("giver_has_too_few_treasures", SECTION, **values)

    def tell(self, table: Table, **values: Any) -> None:
        table.tell("treasures_given", **values)

    def draw(self, table: Table) -> None:
        treasures.random_treasure(table, self.giver, self.taker, "negotiation", section=SECTION)


class LoanShips(Loan):
    """Ships of a kind are lent to an ally for this turn, and go to its nearest port."""

    line = "LOAN {number} {unit} [OF {minor}] [AT {space}] [FROM {giver}] TO {taker} [WITH {leader}]"
    number = NumberOrAll()
    unit = Name("unit")
    minor = Name("minor", optional=True)
    space = Name("space", optional=True)
    giver = Name("power", optional=True)
    taker = Name("power")
    leader = Name("leader", optional=True)

    @property
    def ships(self) -> str:
        return str(self.unit)

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        if self.unit not in fleets.lent_kinds(table):
            raise Refused("kind_never_lent", ALLIANCES, kind=self.unit)
        super().check_clause(table, package, final)

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        for taker in partners:
            for place in fleets.fleets_at(table, power):
                if place not in atlas(table).spaces:
                    continue
                for owner, kinds in fleets.ships(table, place, power).items():
                    for kind in kinds:
                        minor = None if owner == power else owner
                        yield cls(number=1, unit=kind, minor=minor, space=place, taker=taker)


class HireMercenaries(Gift):
    """The Empire gives mercenaries from those for hire; the other places as many of its own in a capital."""

    line = "HIRE OUT {number} MERCENARIES TO {taker}"
    rank = 7
    what = "mercenaries"
    limit = "deal_mercenaries"
    number = Number(1, 99)
    taker = Name("power")

    def pair(self) -> tuple[str, str]:
        return EMPIRE, self.taker

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        reason = why_no_mercenaries(table, self.taker)
        if reason:
            raise reason.under(SECTION)
        self.check_one_way(table, package, SECTION)
        wanted = sum(one.number for one in package.of_kind(HireMercenaries))
        if table.board.state["for_hire"] < wanted:
            raise Refused("too_few_for_hire", SECTION, number=table.board.state["for_hire"], wanted=wanted)
        check_gift_fits(table, package, self.taker)

    def effect(self, table: Table, package: Package) -> Procedure:
        number = min(self.number, table.board.state["for_hire"])
        table.set("for_hire", table.board.state["for_hire"] - number, why="negotiation", section=SECTION)
        note_given(table, self.what, EMPIRE, self.taker, number)
        yield from receive_mercenaries(table, package, EMPIRE, self.taker, number)

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        if power == EMPIRE and table.board.state["for_hire"]:
            for taker in partners:
                yield cls(number=1, taker=taker)


def why_no_mercenaries(table: Table, taker: str) -> Refused | None:
    """9.1: the Empire receives none (the Ottoman has no counters for them, neither way)."""
    if taker in table.kit.constants["never_given_mercenaries"]:
        return Refused("no_mercenaries_for", power=taker)
    return None


def owner_in(table: Table, power: str, space: str) -> str:
    """Whose counters a power's units in a space are: of the Protestant those of the faction whose capital it is, or
    that is at home there."""
    if power != PROTESTANT:
        return power
    capital = next((one for one in majors.factions(table, power) if space in majors.capitals(table, one)), None)
    return capital or majors.faction_of_space(table, space) or HUGUENOT


def mercenary_places(table: Table, power: str, number: int = 1) -> list[str]:
    """9.1: a capital on the map that the receiver controls, not in unrest, with counters for them."""
    return [
        capital
        for capital in majors.capitals(table, power)
        if controller(table, capital) == power
        and not in_unrest(table, capital)
        and has_room(table, capital, owner_in(table, power, capital), number)
    ]


# --- weddings ---


class Betroth(Clause):
    """Two Royals are betrothed; another power may pay with influence for one of a power without a player."""

    line = "BETROTH {man} TO {woman} [PAID BY {payer}]"
    rank = 8
    man = Name("royal")
    woman = Name("royal")
    payer = Name("power", optional=True)

    def parties(self, table: Table) -> list[str]:
        return weddings.parties(table, self.man, self.woman, self.payer)

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        for one in (self.man, self.woman):
            if sum(one in (clause.man, clause.woman) for clause in package.of_kind(Betroth)) > 1:
                raise Refused("royal_twice", SECTION, royal=one)
        two = self._powers(table)
        peace = not final or any({end.party, end.other} == two for end in package.of_kind(EndWar))
        couples = sum(clause._paid(table) == self._paid(table) for clause in package.of_kind(Betroth))
        weddings.check_betrothal(
            table, self.man, self.woman, peace=peace, couples=couples, payer=self.payer
        )

    def _paid(self, table: Table) -> tuple[str | None, set[str]]:
        """Who pays, and for whose Royal: what several betrothals of a deal add up for."""
        two = self._powers(table)
        return weddings.who_pays(table, sorted(two), self.payer), two - set(table.board.seated())

    def _powers(self, table: Table) -> set[str]:
        rows = table.kit.tables["royals"]
        return {rows[one]["power"] for one in (self.man, self.woman)}

    def effect(self, table: Table, package: Package) -> Procedure:
        yield from weddings.betroth(table, self.man, self.woman, self.payer)

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        royals = table.kit.tables["royals"]
        there = [one for one in royals if table.board.pieces[f"royal:{one}"]["at"] == "eligible"]
        for man in (one for one in there if royals[one]["sex"] == "m"):
            for woman in (one for one in there if royals[one]["sex"] == "f"):
                if power in (royals[man]["power"], royals[woman]["power"]):
                    yield cls(man=man, woman=woman)


CLAUSES: tuple[type[Clause], ...] = (
    EndWar,
    Alliance,
    LoanShips,
    ReturnLeader,
    Cede,
    GiveCards,
    GiveTreasures,
    GiveMercenaries,
    HireMercenaries,
    Betroth,
)

__all__ = [
    "ALLIANCES",
    "CLAUSES",
    "made_peace",
    "make_peace",
    "mercenary_places",
    "never_peace",
    "owner_in",
    "why_no_deal",
]
