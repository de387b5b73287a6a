"""9.1, 9.2: the clauses of deals that both games have, each with its line, its legality and its effect.

What only one game forbids or wants comes in by hooks of `house.HouseRules`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from pbem.games.reformation import captives, fleets, hands, marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.displacement import hand_over
from pbem.games.reformation.forces import Force, can_add, count_land, land_owners
from pbem.games.reformation.ground import controller, inside, siege_of
from pbem.games.reformation.house import house
from pbem.games.reformation.relations import allied, at_war, make_alliance, own
from pbem.games.reformation.treaties import Choices, Clause, NumberOrAll, Package
from pbem.table.asking import choose, choose_number
from pbem.table.board import SUPPLY
from pbem.table.orders import Many, Name, Number, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "9.1"
ALLIANCES = "9.2"
MERCENARY = "mercenary"


def two_parties(table: Table, a: str, b: str) -> list[str]:
    """The two parties of a clause. Raises `Refused` when they are one, or nobody plays one of them."""
    if a == b:
        raise Refused("deal_with_itself", SECTION, power=a)
    for power in (a, b):
        if power not in table.board.powers:
            raise Refused("power_without_seat", SECTION, power=power)
    return [a, b]


# --- one way between two powers in a turn ---


def given(table: Table, what: str, giver: str, taker: str) -> int:
    """How much of a kind of gift (``cards, mercenaries, squadrons``) one power gave another in this turn."""
    return marks.mark(table, "turn", f"given:{what}:{giver}:{taker}", 0)


def note_given(table: Table, what: str, giver: str, taker: str, number: int) -> None:
    """Remember a gift of this turn."""
    marks.set_mark(table, "turn", f"given:{what}:{giver}:{taker}", given(table, what, giver, taker) + number)


class Gift(Clause):
    """What cards, mercenaries and loans share: one way between two powers in a turn, up to a limit."""

    what = ""
    limit = ""
    """The constant of the kit that limits it in a turn; empty: none."""

    def pair(self) -> tuple[str, str]:
        """Giver and taker."""
        values = self.values()
        return values["giver"], values["taker"]

    def parties(self, table: Table) -> list[str]:
        return two_parties(table, *self.pair())

    def check_one_way(self, table: Table, package: Package, section: str) -> None:
        """Raise `Refused` where gifts would go both ways, or be too many."""
        giver, taker = self.pair()
        same: list[Any] = [one for one in package.clauses if isinstance(one, Gift) and one.what == self.what]
        if given(table, self.what, taker, giver) or any(one.pair() == (taker, giver) for one in same):
            raise Refused("one_way_only", section, what=self.what, giver=giver, taker=taker)
        if self.limit:
            most = table.kit.constants[self.limit]
            total = given(table, self.what, giver, taker) + sum(one.number for one in same if one.pair() == self.pair())
            if total > most:
                raise Refused("gift_too_large", section, what=self.what, most=most, total=total)


class EndWar(Clause):
    """Two powers end their war; no War Winner marker is given."""

    line = "END WAR [OF {party}] WITH {other}"
    rank = 1
    own_by_default = ("party",)
    party = Name("power", optional=True)
    other = Name("power")

    def parties(self, table: Table) -> list[str]:
        return two_parties(table, self.party, self.other)

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        two = {"power": self.party, "other": self.other}
        if house(table).never_peace(table, self.party, self.other):
            raise Refused("war_never_ends", SECTION, **two)
        if not at_war(table.board, self.party, self.other):
            raise Refused("not_at_war", SECTION, **two)

    def effect(self, table: Table, package: Package) -> Procedure:
        house(table).make_peace(table, self.party, self.other, SECTION)
        return
        yield

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        for other in partners:
            if at_war(table.board, power, other):
                yield cls(other=other)


class Alliance(Clause):
    """Two powers are allied for this turn."""

    line = "ALLIANCE [OF {party}] WITH {other}"
    rank = 2
    own_by_default = ("party",)
    party = Name("power", optional=True)
    other = Name("power")

    def parties(self, table: Table) -> list[str]:
        return two_parties(table, self.party, self.other)

    def binds(self, a: str, b: str) -> bool:
        """Whether it is the alliance of these two."""
        return {a, b} == {self.party, self.other}

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        two = {"power": self.party, "other": self.other}
        if any(self.binds(*pair) for pair in table.kit.constants["alliance_never"]):
            raise Refused("never_allied", ALLIANCES, **two)
        if allied(table.board, self.party, self.other):
            raise Refused("two_allied_already", ALLIANCES, **two)
        reason = house(table).why_not_allied(table, self, package)
        if reason:
            raise reason.under(ALLIANCES)
        peace = any({end.party, end.other} == {self.party, self.other} for end in package.of_kind(EndWar))
        if final and not peace and at_war(table.board, self.party, self.other):
            raise Refused("at_war", ALLIANCES, **two)

    def effect(self, table: Table, package: Package) -> Procedure:
        table.tell("alliance", power=self.party, target=self.other, section=ALLIANCES)
        make_alliance(table, self.party, self.other, section=ALLIANCES)
        return
        yield

    def needs(self, table: Table, announcer: str) -> list[Clause]:
        is_war = at_war(table.board, self.party or announcer, self.other)
        return [EndWar(other=self.other)] if is_war else []

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        for other in partners:
            yield cls(other=other)


class Loan(Gift):
    """Squadrons are lent to an ally for this turn, and go to its nearest port."""

    line = "LOAN {number} SQUADRONS [OF {minor}] [AT {space}] [FROM {giver}] TO {taker} [WITH {leader}]"
    rank = 3
    own_by_default = ("giver",)
    stands_alone = False
    what = "squadrons"
    number = NumberOrAll()
    minor = Name("minor", optional=True)
    space = Name("space", optional=True)
    giver = Name("power", optional=True)
    taker = Name("power")
    leader = Name("leader", optional=True)

    @property
    def ships(self) -> str:
        """The kind of ships that are lent."""
        return fleets.SQUADRON

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        giver, taker = self.pair()
        if taker in table.kit.constants["no_loans_to"]:
            raise Refused("never_lent_to", ALLIANCES, power=taker)
        if not any(one.binds(giver, taker) for one in package.of_kind(Alliance)):
            raise Refused("lent_with_alliance", ALLIANCES)
        self.check_one_way(table, package, ALLIANCES)
        if self.number and self.space is None:
            verb = f"LOAN {self.number} {self.ships.upper()} AT <space>"
            raise Refused("squadrons_where", ALLIANCES, hint=verb)
        if self.minor and not own(table.board, giver, self.minor):
            raise Refused("minor_no_ally", ALLIANCES, minor=self.minor, power=giver)
        lent = self.forces(table)
        if not lent:
            raise Refused("no_squadrons_to_lend", ALLIANCES, space=self.space, power=taker)
        self._check_number(table, package)
        if self.leader:
            self._check_leader(table)

    def _check_number(self, table: Table, package: Package) -> None:
        owner = self.minor or self.giver
        same = [
            one
            for one in package.of_kind(Loan)
            if one.space == self.space and (one.minor or one.giver) == owner and one.number and one.ships == self.ships
        ]
        wanted = sum(one.number for one in same)
        if self.number and wanted > self._there(table, self.space, owner):
            there = self._there(table, self.space, owner)
            raise Refused("so_many_to_lend", ALLIANCES, number=there, space=self.space)

    def _check_leader(self, table: Table) -> None:
        if self.space is None:
            raise Refused("leader_where", ALLIANCES, leader=self.leader)
        if self.leader not in fleets.naval_leaders(table, self.space, self.giver):
            raise Refused("no_naval_leader_there", ALLIANCES, leader=self.leader, space=self.space)

    def _there(self, table: Table, place: str, owner: str) -> int:
        return fleets.ships(table, place, self.giver).get(owner, {}).get(self.ships, 0)

    def forces(self, table: Table) -> dict[str, dict[str, int]]:
        """Port -> owner -> number of the squadrons that are lent and have a way to a port of the borrower."""
        giver, taker = self.pair()
        lent: dict[str, dict[str, int]] = {}
        for place in fleets.fleets_at(table, giver):
            if place not in atlas(table).spaces or self.space not in (None, place):
                continue
            for owner in fleets.ships(table, place, giver):
                if self.minor not in (None, owner) or (self.number and owner != (self.minor or giver)):
                    continue
                number = min(self.number or 99, self._there(table, place, owner))
                if number and fleets.loan_ports(table, place, taker, owner):
                    lent.setdefault(place, {})[owner] = number
        return lent

    def effect(self, table: Table, package: Package) -> Procedure:
        giver, taker = self.pair()
        for place, owners in self.forces(table).items():
            for owner, number in owners.items():
                force = Force({owner: {self.ships: number}}, [])
                yield from self._lend(table, place, owner, force)
        if self.leader and self.space and self.leader in fleets.naval_leaders(table, self.space, giver):
            yield from self._lend(table, self.space, giver, Force({}, [self.leader]))

    def _lend(self, table: Table, place: str, owner: str, force: Force) -> Procedure:
        """The squadrons, with the leader who is named, go to the borrower's nearest port (Q-10: the owner's choice)."""
        giver, taker = self.pair()
        if self.leader and self.leader in fleets.naval_leaders(table, place, giver):
            force.leaders = [self.leader]
        ports = fleets.loan_ports(table, place, taker, owner)
        if len(ports) > 1 and table.options["nearest_ties"] == "lot":
            port = table.pick("nearest_port", ports, section=ALLIANCES)
        else:
            port = yield from choose(
                table,
                giver,
                "space",
                lambda t: fleets.loan_ports(t, place, taker, owner),
                kind="retreat",
                section=ALLIANCES,
                origin=place,
                borrower=taker,
            )
        if port is None:
            return
        table.tell(
            "loan", power=giver, target=taker, origin=place, space=port, force=force.to_json(), section=ALLIANCES
        )
        note_given(table, self.what, giver, taker, force.size())
        fleets.lend(table, taker, place, port, force)

    @classmethod
    def choices(cls, table: Table, power: str, partners: Sequence[str]) -> Choices | None:
        """With it as many as lie together somewhere, or all (0)."""
        offered = super().choices(table, power, partners)
        if offered is None:
            return None
        fleets_there = [fleets.ships(table, place, power) for place in fleets.fleets_at(table, power)]
        most = max((n for owners in fleets_there for kinds in owners.values() for n in kinds.values()), default=0)
        return {**offered, "number": {"": list(range(most + 1))}}

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        for taker in partners:
            yield cls(number=0, taker=taker)
            for place in fleets.fleets_at(table, power):
                if place in atlas(table).spaces:
                    for owner in fleets.ships(table, place, power):
                        yield cls(number=1, minor=None if owner == power else owner, space=place, taker=taker)


class LoanCorsairs(Clause):
    """Corsairs are never lent."""

    line = "LOAN {number} CORSAIRS [AT {space}] [FROM {giver}] TO {taker}"
    offered = False
    own_by_default = ("giver",)
    number = NumberOrAll()
    space = Name("space", optional=True)
    giver = Name("power", optional=True)
    taker = Name("power")

    def parties(self, table: Table) -> list[str]:
        return two_parties(table, self.giver, self.taker)

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        raise Refused("corsairs_never_lent", ALLIANCES)


class Cede(Clause):
    """A power gives up the control of spaces to another; units there leave."""

    line = "CEDE {spaces} [FROM {giver}] TO {taker}"
    rank = 5
    gives_land = True
    own_by_default = ("giver",)
    spaces = Many(Name("space"), most=30)
    giver = Name("power", optional=True)
    taker = Name("power")

    def parties(self, table: Table) -> list[str]:
        return two_parties(table, self.giver, self.taker)

    def why_kept(self, table: Table, space: str) -> Refused | None:
        """Why a space that the giver controls may not be ceded to the taker, as the game says."""
        return None

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        every = [space for clause in package.of_kind(type(self)) for space in clause.spaces]
        for space in self.spaces:
            if every.count(space) > 1:
                raise Refused("ceded_twice", SECTION, space=space)
            if controller(table, space) != self.giver:
                raise Refused("giver_controls_not", SECTION, power=self.giver, space=space)
            reason = self.why_kept(table, space)
            if reason:
                raise reason.under(SECTION)

    def effect(self, table: Table, package: Package) -> Procedure:
        table.tell("ceded", power=self.giver, target=self.taker, spaces=list(self.spaces), section=SECTION)
        self.note(table)
        yield from hand_over(table, self.spaces, self.taker, why="ceded", section=SECTION)

    def note(self, table: Table) -> None:
        """What is remembered of a cession."""

    @classmethod
    def choices(cls, table: Table, power: str, partners: Sequence[str]) -> Choices | None:
        """Of all the powers the spaces that may be given up to one of the others."""
        powers = [power, *partners]
        spaces: dict[str, list[str]] = {giver: [] for giver in powers}
        for space in atlas(table).spaces:
            giver = controller(table, space)
            if giver is None or giver not in spaces:
                continue
            takers = [other for other in powers if other != giver]
            if any(cls(spaces=[space], giver=giver, taker=other).why_kept(table, space) is None for other in takers):
                spaces[giver].append(space)
        if not any(spaces.values()):
            return None
        return {"spaces": spaces, "giver": {"": powers}, "taker": {"": [*partners, power]}}

    @classmethod
    def worth_an_idea(cls, table: Table, giver: str, taker: str) -> list[str]:
        """The spaces of a giver that could well go to a taker."""
        raise NotImplementedError

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        for taker in partners:
            for giver, other in ((power, taker), (taker, power)):
                for space in cls.worth_an_idea(table, giver, other):
                    yield cls(spaces=[space], giver=giver, taker=other)


class ReturnLeader(Clause):
    """A captured army leader returns to his capital, else to a friendly home key."""

    line = "RETURN {leader}"
    rank = 4
    leader = Name("leader")

    def parties(self, table: Table) -> list[str]:
        captor = captives.captor_of(table, self.leader)
        owner = captives.owner_of(table, self.leader)
        if captor is None or captor == owner:
            raise Refused("nobodys_captive", SECTION, leader=self.leader)
        return [captor, owner]

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        if not captives.may_return(table, self.leader):
            raise Refused("no_home_to_return_to", SECTION, leader=self.leader)

    def effect(self, table: Table, package: Package) -> Procedure:
        yield from captives.come_home(table, self.leader, SECTION)

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        for other in partners:
            for leader in (*captives.captives(table, other, power), *captives.captives(table, power, other)):
                yield cls(leader=leader)


class RandomGift(Gift):
    """Base of the gifts that the taker draws by chance from the giver's hand."""

    rank = 6
    own_by_default = ("giver",)
    number = Number(1, 99)
    giver = Name("power", optional=True)
    taker = Name("power")
    worth_asking: ClassVar[int] = 1
    """How many are asked of another power where clauses are tried."""

    def drawable(self, table: Table) -> int:
        """How many the giver holds that can be drawn."""
        raise NotImplementedError

    def too_few(self, **values: Any) -> Refused:
        """The refusal where the giver holds fewer than are to be given."""
        raise NotImplementedError

    def tell(self, table: Table, **values: Any) -> None:
        """Say what is given, before it is drawn."""
        raise NotImplementedError

    def draw(self, table: Table) -> None:
        """One of them goes to the taker."""
        raise NotImplementedError

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        self.check_one_way(table, package, SECTION)
        wanted = sum(one.number for one in package.of_kind(type(self)) if one.giver == self.giver)
        there = self.drawable(table)
        if there < wanted:
            raise self.too_few(power=self.giver, number=there, wanted=wanted)

    def effect(self, table: Table, package: Package) -> Procedure:
        self.tell(table, power=self.giver, target=self.taker, number=self.number, section=SECTION)
        note_given(table, self.what, self.giver, self.taker, self.number)
        for _ in range(self.number):
            self.draw(table)
        return
        yield

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        for other in partners:
            yield cls(number=1, taker=other)
            yield cls(number=cls.worth_asking, giver=other, taker=power)


class GiveCards(RandomGift):
    """A power lets another draw random cards of its hand; home cards do not count."""

    line = "GIVE {number} CARDS [FROM {giver}] TO {taker}"
    what = "cards"
    limit = "deal_cards"
    worth_asking = 2

    def drawable(self, table: Table) -> int:
        return len(hands.drawable(table, self.giver))

    def too_few(self, **values: Any) -> Refused:
        return Refused("giver_has_too_few_cards", SECTION, **values)

    def tell(self, table: Table, **values: Any) -> None:
        table.tell("cards_given", **values)

    def draw(self, table: Table) -> None:
        captives.take_card(table, self.giver, self.taker, "negotiation", SECTION)


class GiveMercenaries(Gift):
    """A power gives mercenaries to another, which places as many of its own."""

    line = "GIVE {number} MERCENARIES AT {space} [FROM {giver}] TO {taker}"
    rank = 7
    own_by_default = ("giver",)
    what = "mercenaries"
    limit = "deal_mercenaries"
    number = Number(1, 99)
    space = Name("space")
    giver = Name("power", optional=True)
    taker = Name("power")

    def check_clause(self, table: Table, package: Package, final: bool) -> None:
        giver, taker = self.pair()
        for power in (giver, taker):
            if power in table.kit.constants["no_mercenaries_for"]:
                raise Refused("no_mercenaries_for", SECTION, power=power)
        self.check_one_way(table, package, SECTION)
        same = [one for one in package.of_kind(GiveMercenaries) if (one.giver, one.space) == (giver, self.space)]
        wanted, there = sum(one.number for one in same), self.there(table)
        if there < wanted:
            raise Refused(
                "giver_has_too_few_mercenaries", SECTION, power=giver, number=there, wanted=wanted, space=self.space
            )
        reason = house(table).why_no_mercenaries(table, taker)
        if reason:
            raise reason.under(SECTION)
        named = package.places.get(taker)
        if named is not None and named not in house(table).mercenary_places(table, taker, 1):
            open_places = house(table).mercenary_places(table, taker, 1)
            raise Refused("no_mercenaries_there", SECTION, open_places, space=named)
        check_gift_fits(table, package, taker)

    def owners(self, table: Table) -> list[str]:
        """Whose counters the giver's mercenaries have: its own, those of its factions."""
        return [self.giver, *(one for one, whose in atlas(table).faction_of.items() if whose == self.giver)]

    def there(self, table: Table) -> int:
        """The mercenaries of the giver in the space, within walls or without."""
        places = (self.space, inside(self.space))
        return sum(
            table.board.count(place, owner, MERCENARY) for place in places for owner in self.owners(table)
        )

    def effect(self, table: Table, package: Package) -> Procedure:
        giver, taker = self.pair()
        number = min(self.number, self.there(table))
        left = number
        for place in (self.space, inside(self.space)):
            for owner in self.owners(table):
                take = min(left, table.board.count(place, owner, MERCENARY))
                table.move(owner, MERCENARY, take, place, SUPPLY, why="negotiation", section=SECTION)
                left -= take
        note_given(table, self.what, giver, taker, number)
        yield from receive_mercenaries(table, package, giver, taker, number)

    @classmethod
    def ideas(cls, table: Table, power: str, partners: Sequence[str]) -> Iterator[Clause]:
        for other in partners:
            for giver, taker in ((power, other), (other, power)):
                one = cls(number=1, space="", giver=giver, taker=taker)
                places = [place for owner in one.owners(table) for place in table.board.places_of(owner, MERCENARY)]
                for space in dict.fromkeys(places):
                    if space in atlas(table).spaces:
                        yield cls(number=1, space=space, giver=giver, taker=taker)


# --- where mercenaries that are given come ---


def _most_at(table: Table, taker: str, space: str, most: int) -> int:
    """How many mercenaries given to a power a space takes, up to a number."""
    return next((n for n in range(most, 0, -1) if space in house(table).mercenary_places(table, taker, n)), 0)


def check_gift_fits(table: Table, package: Package, taker: str) -> None:
    """9.1: raise `Refused` where what a package brings to a power has no place: one, or several if the game lets it be
    split."""
    gifts: list[Any] = [one for one in package.clauses if isinstance(one, Gift) and one.what == GiveMercenaries.what]
    total = sum(one.number for one in gifts if one.taker == taker)
    if house(table).mercenary_places(table, taker, total):
        return
    room = 0
    if house(table).splits_gifts:
        room = sum(_most_at(table, taker, space, total) for space in house(table).mercenary_places(table, taker, 1))
    if room < total:
        raise Refused("no_room_for_mercenaries", SECTION, power=taker, number=total)


def receive_mercenaries(table: Table, package: Package, giver: str, taker: str, number: int) -> Procedure:
    """9.1: a power places mercenaries that it was given; where the game lets it, in several places.

    The space named with the confirmation takes as many as it can. Else all that a package brings goes to one place.
    """
    left = number
    while left:
        least = 1 if house(table).splits_gifts else left
        where = package.places.get(taker)
        if where is None or not _most_at(table, taker, where, left):
            where = yield from choose(
                table,
                taker,
                "space",
                lambda t, n=least: house(t).mercenary_places(t, taker, n),  # type: ignore[misc]
                kind="confirmation",
                section=SECTION,
                number=left,
            )
        if where is None:
            return
        part = _most_at(table, taker, where, left)
        if house(table).splits_gifts:
            elsewhere = sum(
                _most_at(table, taker, space, left)
                for space in house(table).mercenary_places(table, taker, 1)
                if space != where
            )
            if taker not in package.places and elsewhere:
                part = yield from choose_number(
                    table, taker, max(1, left - elsewhere), part, kind="confirmation", section=SECTION, space=where
                )
        else:
            package.places[taker] = where
        table.tell("mercenaries_given", power=giver, target=taker, number=part, space=where, section=SECTION)
        place = inside(where) if siege_of(table, where) else where
        owner = house(table).mercenary_owner(table, taker, where)
        table.place(owner, MERCENARY, place, part, why="negotiation", section=SECTION)
        left -= part


def has_room(table: Table, space: str, power: str, number: int) -> bool:
    """Whether so many mercenaries given to a power may come to a space: within walls only as many as have room."""
    place = space
    if siege_of(table, space):
        place = inside(space)
        there = count_land(table, place, land_owners(table, place))
        if there + number > table.kit.constants["garrison_limit"]:
            return False
    return can_add(table, power, MERCENARY, place, number)
