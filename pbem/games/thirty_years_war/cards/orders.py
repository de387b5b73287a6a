"""3.7: what the owner of a card says of its event besides the card: spaces, a leader, where pieces are put.

Each event asks once for all of it, so that it is one line of the mail that plays the card.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.pieces import FULL, REDUCED, PiecesField
from pbem.games.thirty_years_war.politics import nations
from pbem.table.asking import Ask, Choose, choose
from pbem.table.orders import Line, Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

Places = Callable[[Table, str], Sequence[str]]
"""The spaces where a leader or a unit of a kind may be put."""


class ChooseSpace(Choose):
    """Choose the space that a card is about."""

    line = "CHOOSE SPACE {space}"
    what = "space"
    space = Name("space")


class ChooseLeader(Choose):
    """Choose the leader that a card is about."""

    line = "CHOOSE LEADER {leader}"
    what = "leader"
    leader = Name("leader")


# --- several spaces ---


@dataclass
class SpacesAsk(Ask):
    """`least` to `most` spaces out of `among`; one may be named more than once, as often as `times` says."""

    times: Callable[[Table, str], int] = lambda table, space: 1

    def room(self, table: Table) -> list[str]:
        """What may be named, each as often as it may be named."""
        assert self.among is not None
        return [space for space in self.among(table) for _ in range(self.times(table, space))]


class ChooseSpaces(Order):
    """Choose spaces that a card is about; one that counts twice is named twice."""

    line = "CHOOSE SPACES {spaces}"
    spaces = Many(Name("space"), most=20)

    def check(self, table: Table, question: Question) -> None:
        assert isinstance(question, SpacesAsk)
        left = Counter(question.room(table))
        most = min(question.most, left.total())
        least = min(question.least, most)
        named = len(self.spaces)
        if not least <= named <= most:
            raise Refused("spaces_named", question.section, named=named, least=least, most=most)
        for space, often in Counter(self.spaces).items():
            if space not in left:
                raise Refused("space_not_offered", question.section, space=space, offered=sorted(left)[:8])
            if often > left[space]:
                raise Refused("space_named_too_often", question.section, space=space, named=often, most=left[space])

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        assert isinstance(question, SpacesAsk)
        yield cls(spaces=question.room(table)[: question.most])
        for space in dict.fromkeys(question.room(table)):
            yield cls(spaces=[space])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        assert isinstance(question, SpacesAsk)
        room = question.room(table)
        most = min(question.most, len(room))
        if not most:
            return None
        return cls(spaces=sorted(chance.sample(room, chance.randint(min(question.least, most), most))))


def choose_space(
    table: Table, side: str, among: Callable[[Table], Sequence[str]], *, kind: str, section: str, card: str
) -> Procedure:
    """One space that a card is about; nobody is asked where only one will do. Value: the space."""
    return (yield from choose(table, side, "space", among, kind=kind, section=section, card=card))


def choose_leader(
    table: Table, side: str, among: Callable[[Table], Sequence[str]], *, kind: str, section: str, card: str
) -> Procedure:
    """One leader that a card is about; nobody is asked where only one will do. Value: his face, or None."""
    return (yield from choose(table, side, "leader", among, kind=kind, section=section, card=card))


def choose_spaces(
    table: Table,
    side: str,
    among: Callable[[Table], Sequence[str]],
    *,
    kind: str,
    least: int,
    most: int,
    section: str,
    card: str,
    times: Callable[[Table, str], int] = lambda table, space: 1,
) -> Procedure:
    """Several spaces that a card is about, in one order; silence takes the first. Value: the list."""
    answer = yield SpacesAsk(
        side,
        kind,
        [ChooseSpaces],
        lambda table, question: next(ChooseSpaces.legal(table, question)),
        context={"card": card, "least": least, "most": most},
        section=section,
        among=among,
        least=least,
        most=most,
        times=times,
    )
    return list(answer.spaces)


# --- pieces that are put down ---


class _At(Line):
    """Pieces that are put into one space."""

    line = "{pieces} AT {space}"
    pieces = PiecesField()
    space = Name("space")


class PlacePieces(Order):
    """Put pieces of a card into spaces, together or apart: PLACE Wallenstein AT Vienna, Piccolomini AT Linz."""

    line = "PLACE {placements}"
    placements = Many(_At, most=20)

    def check(self, table: Table, question: Question) -> None:
        assert isinstance(question, PlacingAsk)
        question.check_placing(table, self.placements)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        assert isinstance(question, PlacingAsk)
        yield from question.ways(table)

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        assert isinstance(question, PlacingAsk)
        legal = [order for order in question.ways(table, chance) if question.is_legal(table, order)]
        return chance.choice(legal) if legal else None


@dataclass
class PlacingAsk(Ask):
    """Which pieces are put where: `leaders` (faces), `units` (kind -> how many at most, and all that there is room for
    unless `fewer`), each into one of the spaces that `places` says, into `most_spaces` different ones at most."""

    leaders: list[str] = field(default_factory=list)
    units: dict[str, int] = field(default_factory=dict)
    fewer: bool = False
    most_spaces: int | None = None
    places: Places = lambda table, piece: ()

    def check_placing(self, table: Table, placements: Sequence[_At]) -> None:
        """Raise `Refused` for a piece that the card does not bring, a space that is not for it, or one too full."""
        put: Counter[str] = Counter()
        named: list[str] = []
        into: dict[str, list[str]] = {}
        for part in placements:
            if part.pieces.get("all"):
                raise Refused("say_which_pieces", self.section, hint=self._example(table))
            here = into.setdefault(part.space, [])
            for leader in part.pieces["leaders"]:
                self._check_leader(table, leader, part.space, named)
                named.append(leader)
                here.append(leader)
            for kind, lies in part.pieces["units"].items():
                self._check_units(table, kind, lies, part.space)
                put[kind] += sum(lies.values())
                here += [kind] * sum(lies.values())
        if self.most_spaces is not None and len(into) > self.most_spaces:
            raise Refused("too_many_spaces", self.section, number=len(into), most=self.most_spaces)
        for leader in self.leaders:
            if leader not in named and self.places(table, leader):
                raise Refused("leader_to_be_placed", self.section, hint=self._example(table), leader=leader)
        for kind, most in self.units.items():
            if put[kind] > most:
                raise Refused("more_than_the_card_brings", self.section, unit=kind, number=put[kind], most=most)
        for space, here in into.items():
            check_room(table, self.power, space, here)
        due = min(sum(self.units.values()), self._room(table))
        if not self.fewer and put.total() < due:
            hint = self._example(table)
            raise Refused("fewer_than_the_card_brings", self.section, hint=hint, number=put.total(), due=due)

    def _check_leader(self, table: Table, leader: str, space: str, named: Sequence[str]) -> None:
        if leader not in self.leaders or leader in named:
            raise Refused("leader_does_not_come", self.section, leader=leader, coming=self.leaders)
        if space not in self.places(table, leader):
            offered = list(self.places(table, leader))[:8]
            raise Refused("piece_not_there", self.section, piece=leader, space=space, offered=offered)

    def _check_units(self, table: Table, kind: str, lies: Mapping[str, int], space: str) -> None:
        if kind not in self.units:
            raise Refused("units_do_not_come", self.section, unit=kind, coming=list(self.units))
        if lies.get(REDUCED):
            raise Refused("new_units_are_full", self.section, unit=kind)
        if space not in self.places(table, kind):
            offered = list(self.places(table, kind))[:8]
            raise Refused("piece_not_there", self.section, piece=kind, space=space, offered=offered)

    def _room(self, table: Table) -> int:
        spaces = dict.fromkeys(space for kind in self.units for space in self.places(table, kind))
        rooms = sorted((room_for_units(table, self.power, space) for space in spaces), reverse=True)
        return sum(rooms[: self.most_spaces])

    def _example(self, table: Table) -> str | None:
        return next((order.text() for order in self.ways(table)), None)

    def ways(self, table: Table, chance: random.Random | None = None) -> Iterator[PlacePieces]:
        """Some ways to place all of it: as much as fits into each space as the first one, the rest into the next. Where
        only so many spaces may be named, those with room for most of it go first."""
        spaces = list(
            dict.fromkeys(s for piece in (*self.leaders, *self.units) for s in self.places(table, piece))
        )
        if chance is not None:
            chance.shuffle(spaces)
        if self.most_spaces is not None:
            coming = sum(self.units.values())
            spaces.sort(key=lambda space: -min(coming, room_for_units(table, self.power, space)))
        for turned in range(min(len(spaces), 6)):
            way = self._way(table, spaces[turned:] + spaces[:turned])
            if way is not None:
                yield way

    def _way(self, table: Table, spaces: Sequence[str]) -> PlacePieces | None:
        into: dict[str, list[str]] = {}
        for piece in (*self.leaders, *(kind for kind, most in self.units.items() for _ in range(most))):
            full = self.most_spaces is not None and len(into) >= self.most_spaces
            for space in into if full else spaces:
                here = into.get(space, [])
                if space in self.places(table, piece) and fits(table, self.power, space, [*here, piece]):
                    into[space] = [*here, piece]
                    break
        if not into:
            return None
        return PlacePieces(placements=[_At(pieces=self._named(here), space=space) for space, here in into.items()])

    def _named(self, here: Sequence[str]) -> dict[str, Any]:
        count = Counter(piece for piece in here if piece in self.units)
        return {
            "units": {kind: {FULL: n} for kind, n in count.items()},
            "leaders": [piece for piece in here if piece in self.leaders],
        }


def room_for_units(table: Table, side: str, space: str) -> int:
    """10.2: how many more units of a side a space takes."""
    return max(0, table.kit.constants["stacking"] - len(pieces.units(table, space, side)))


def check_room(table: Table, side: str, space: str, coming: Sequence[str]) -> None:
    """10.2, 17: raise `Refused` where a space would hold too many units, or pieces that may not stand together.

    `coming` are leaders (faces) and kinds of unit, each as often as it comes.
    """
    units = [kind for kind in coming if kind in table.kit.tables["units"]]
    if len(units) > room_for_units(table, side, space):
        raise Refused("space_too_full", "10.21", space=space, room=room_for_units(table, side, space))
    problem = nations.conflict(table, pieces.stack(table, space, side), coming)
    if problem is not None:
        raise problem.refusal(space)


def fits(table: Table, side: str, space: str, coming: Sequence[str]) -> bool:
    """Whether `check_room` lets them come."""
    try:
        check_room(table, side, space, coming)
    except Refused:
        return False
    return True


def place_pieces(
    table: Table,
    side: str,
    card: str,
    *,
    leaders: Sequence[str],
    units: Mapping[str, int],
    places: Places,
    fewer: bool = False,
    most_spaces: int | None = None,
    section: str,
    **marks: Any,
) -> Procedure:
    """Put the pieces of a card into spaces, in one order of its owner. Value: the pieces that came.

    Units in a region that is neutral still violate it, as the Swedish army does (C 5.12).
    """
    there = {kind: min(most, len(pieces.available(table, kind))) for kind, most in units.items()}
    there = {kind: most for kind, most in there.items() if most}
    if not any(places(table, piece) for piece in (*leaders, *there)):
        return []
    answer = yield PlacingAsk(
        side,
        "event_placement",
        [PlacePieces],
        lambda table, question: next(PlacePieces.legal(table, question)),
        context={"card": card, "leaders": list(leaders), "units": dict(there)},
        section=section,
        leaders=list(leaders),
        units=there,
        fewer=fewer,
        most_spaces=most_spaces,
        places=places,
    )
    came: list[str] = []
    for part in answer.placements:
        for leader in part.pieces["leaders"]:
            piece = pieces.leader_piece(table, leader)
            table.put(piece, part.space, why="event", section=section, **marks)
            came.append(piece)
        for kind, lies in part.pieces["units"].items():
            control.violate(table, part.space, side)
            for _ in range(sum(lies.values())):
                unit = pieces.place(table, kind, part.space, why="event", section=section, **marks)
                assert unit is not None
                came.append(unit)
    return came


# --- pieces that are moved elsewhere ---


@dataclass
class RelocatingAsk(PlacingAsk):
    """Which pieces on the map go to which spaces; all of them, as far as there is room.

    `moving` are pieces; ``leaders`` and ``units`` say the same as orders name them.
    """

    moving: list[str] = field(default_factory=list)
    among_spaces: Callable[[Table], Sequence[str]] = lambda table: ()

    def check_placing(self, table: Table, placements: Sequence[_At]) -> None:
        into = self.taken(table, placements)
        for space, there in into.items():
            if space not in self.among_spaces(table):
                offered = list(self.among_spaces(table))[:8]
                raise Refused("space_not_offered", self.section, space=space, offered=offered)
            named = [_named(table, piece) for piece in there]
            check_room(table, self.power, space, named)
        moved = [piece for there in into.values() for piece in there]
        for piece in self.moving:
            if pieces.is_leader(piece) and piece not in moved:
                face = pieces.face_of(table, piece)
                raise Refused("leader_to_be_placed", self.section, hint=self._example(table), leader=face)
        number = sum(map(pieces.is_unit, moved))
        due = min(sum(map(pieces.is_unit, self.moving)), self._room(table))
        if number < due:
            hint = self._example(table)
            raise Refused("fewer_than_there_is_room_for", self.section, hint=hint, number=number, due=due)

    def taken(self, table: Table, placements: Sequence[_At]) -> dict[str, list[str]]:
        """Space -> the pieces that go there. Raises `Refused` for what is not among those that move."""
        left = list(self.moving)
        into: dict[str, list[str]] = {}
        for part in placements:
            there = pieces.chosen(table, part.pieces, left, self.section)
            left = [piece for piece in left if piece not in there]
            into.setdefault(part.space, []).extend(there)
        return into

    def _room(self, table: Table) -> int:
        return sum(room_for_units(table, self.power, space) for space in self.among_spaces(table))

    def ways(self, table: Table, chance: random.Random | None = None) -> Iterator[PlacePieces]:
        """Ways to move all of them: as many as fit into the first space, the rest into the next."""
        spaces = list(self.among_spaces(table))
        if chance is not None:
            chance.shuffle(spaces)
        for turned in range(min(len(spaces), 6)):
            left = sorted(self.moving, key=lambda piece: (pieces.is_unit(piece), pieces.is_reduced(table, piece)))
            placements = []
            for space in spaces[turned:] + spaces[:turned]:
                here: list[str] = []
                for piece in left:
                    if fits(table, self.power, space, [_named(table, p) for p in [*here, piece]]):
                        here.append(piece)
                left = [piece for piece in left if piece not in here]
                if here:
                    placements.append(_At(pieces=pieces.described(table, here), space=space))
            if placements:
                yield PlacePieces(placements=placements)


def _named(table: Table, piece: str) -> str:
    return pieces.face_of(table, piece) if pieces.is_leader(piece) else pieces.kind_of(piece)


def relocate_pieces(
    table: Table,
    side: str,
    card: str,
    moving: Sequence[str],
    spaces: Callable[[Table], Sequence[str]],
    section: str,
) -> Procedure:
    """Pieces on the map go to some of these spaces, in one order of their side; units without room are eliminated."""
    question = RelocatingAsk(
        side,
        "event_relocation",
        [PlacePieces],
        lambda table, question: next(PlacePieces.legal(table, question)),
        context={"card": card, "pieces": pieces.described(table, moving)},
        section=section,
        moving=list(moving),
        among_spaces=spaces,
    )
    answer = yield question
    into = question.taken(table, answer.placements)
    for space, there in into.items():
        pieces.move(table, there, space, why=card, section=section)
    for piece in moving:
        if not any(piece in there for there in into.values()):
            pieces.eliminate(table, piece, why="no_room", section=section)


# --- an army that is called to the United Provinces ---


class _From(Line):
    """Units that are taken from one space."""

    line = "{pieces} FROM {space}"
    pieces = PiecesField()
    space = Name("space")


class SendArmy(Order):
    """Call a Spanish leader and units from any spaces to the United Provinces: SEND Spinola WITH 3 spanish veteran
    FROM Brussels."""

    line = "SEND [{leader}] WITH {units}"
    leader = Name("leader", optional=True)
    units = Many(_From, most=8)

    def check(self, table: Table, question: Question) -> None:
        assert isinstance(question, RecallAsk)
        question.check_recall(table, self)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        assert isinstance(question, RecallAsk)
        leaders: list[str | None] = [*question.leaders(table)]
        for leader in leaders or [None]:
            for number in (question.most, question.least):
                yield question.written(table, leader, question.units(table)[:number])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        assert isinstance(question, RecallAsk)
        units = question.units(table)
        most = min(question.most, len(units))
        if most < question.least:
            return None
        taken = chance.sample(units, chance.randint(question.least, most))
        return question.written(table, chance.choice(question.leaders(table) or [None]), taken)


@dataclass
class RecallAsk(Ask):
    """`least` to `most` units of a nation, with one of `leaders` if there is any."""

    nation: str = ""
    leader: str = ""

    def leaders(self, table: Table) -> list[str]:
        """16.21: the leader of the card if he is on the map, else any other of his nation (faces)."""
        there = [
            pieces.face_of(table, piece)
            for piece in pieces.on_map(table, nation=self.nation)
            if pieces.is_leader(piece)
        ]
        return [self.leader] if self.leader in there else there

    def units(self, table: Table) -> list[str]:
        """The units of the nation on the map, full ones first."""
        there = [piece for piece in pieces.on_map(table, nation=self.nation) if pieces.is_unit(piece)]
        return sorted(there, key=lambda piece: pieces.is_reduced(table, piece))

    def check_recall(self, table: Table, order: SendArmy) -> None:
        may = self.leaders(table)
        if may and order.leader not in may:
            raise Refused("recall_with_a_leader", "16.21", leader=order.leader, leaders=may)
        if not may and order.leader is not None:
            raise Refused("no_leader_to_recall", "C 5.15", leader=order.leader)
        named = [unit for part in order.units for unit in self.taken(table, part)]
        if len(set(named)) < len(named):
            raise Refused("unit_named_twice", "16.21")
        if not self.least <= len(named) <= self.most:
            raise Refused("units_to_recall", "16.21", number=len(named), least=self.least, most=self.most)

    def taken(self, table: Table, part: _From) -> list[str]:
        """The units that one part of the order takes. Raises `Refused` for what is not there."""
        among = [unit for unit in self.units(table) if pieces.where(table, unit) == part.space]
        if part.pieces.get("leaders"):
            hint = "SEND Spinola WITH 3 spanish veteran FROM Brussels"
            raise Refused("leaders_stand_before_with", "16.21", hint=hint)
        return pieces.chosen(table, part.pieces, among, "16.21")

    def written(self, table: Table, leader: str | None, units: Sequence[str]) -> SendArmy:
        """The order that calls these units."""
        spaces = dict.fromkeys(pieces.where(table, unit) for unit in units)
        parts = [
            _From(
                pieces=pieces.described(table, [unit for unit in units if pieces.where(table, unit) == space]),
                space=space,
            )
            for space in spaces
        ]
        return SendArmy(leader=leader, units=parts)


ORDERS: tuple[type[Order], ...] = (ChooseSpace, ChooseLeader, ChooseSpaces, PlacePieces, SendArmy)
