"""5.3: offers of peace: when they may be made and must be accepted, and what comes of them.

A withdrawal (CW, PW, BW): the other side demands a region or two independent cities, and all pieces of the withdrawing
side there go to the nearest space of their side, counted from a base of their nation (INT-77). Where several are as
near, the owner may say which he prefers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.combat.siege import SIEGE
from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, SIDES, atlas, distances, number, other, roll
from pbem.games.thirty_years_war.politics import nations
from pbem.games.thirty_years_war.turn.activation import TRUCE, TURN, Use, is_first
from pbem.games.thirty_years_war.upkeep import recovery, supply
from pbem.table import marks
from pbem.table.orders import AnyName, Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "5.3"
OFFERED = "peace_offered"
"""Mark of the turn: the sides that have offered peace (INT-61)."""
PROTESTANT_VICTORY, CATHOLIC_VICTORY, CATHOLIC_LEAVES, PROTESTANT_LEAVES, BOTH_LEAVE, TRUCE_RESULT = (
    "pmv",
    "cmv",
    "cw",
    "pw",
    "bw",
    "truce",
)
LEAVES = {CATHOLIC_LEAVES: (CATHOLIC,), PROTESTANT_LEAVES: (PROTESTANT,), BOTH_LEAVE: SIDES}
CITIES_FOR_A_REGION = 2


# --- 5.31: when ---


def offer_refusal(table: Table, side: str) -> Refused | None:
    """5.31, 8.323: why a side may not offer peace now; None when it may."""
    scenario = table.kit.scenarios[table.board.state["scenario"]]
    if side in scenario["no_peace_offers"]:
        return Refused("no_peace_in_scenario", "18.13" if side == PROTESTANT else "18.25", side=side)
    if not is_first(table, side) or (table.options["peace_first_action"] == "of_turn" and side != SIDES[0]):
        return Refused("peace_first_activation_only", "5.3")
    low, high = number(table, f"peace_{side}_low"), number(table, f"peace_{side}_high")
    points = score.total(table)
    if low < points < high:
        return Refused("no_peace_at_these_points", "5.31", points=points, low=low, high=high)
    return None


def must_accept(table: Table, responder: str) -> bool:
    """5.31: whether the side that is offered peace has to accept it as the VP stand."""
    points = score.total(table)
    if responder == PROTESTANT:
        return points >= number(table, "peace_catholic_must_accept")
    return points <= number(table, "peace_protestant_must_accept")


class OfferPeace(Use):
    """Offer peace, as your first activation of the turn; it spends no card."""

    line = "OFFER PEACE"

    def check_use(self, table: Table, side: str) -> None:
        refusal = offer_refusal(table, side)
        if refusal is not None:
            raise refusal

    def procedure(self, table: Table, side: str) -> Procedure:
        yield from offer(table, side)


# --- the answer ---


class Accept(Order):
    """Accept the peace that is offered: a die decides what comes of it."""

    line = "ACCEPT PEACE"
    says = True


class Refuse(Order):
    """Refuse the peace that is offered: the activation is spent, and play goes on."""

    line = "REFUSE PEACE"
    says = False

    def check(self, table: Table, question: Question) -> None:
        if must_accept(table, question.power):
            raise Refused("peace_must_be_accepted", "5.31", points=score.total(table), hint=Accept.line)


def offer(table: Table, side: str) -> Procedure:
    """5.3: a side offers peace; the other accepts, or must, or refuses; a die with its modifiers gives the result."""
    marks.note(table, TURN, OFFERED, side)
    responder = other(side)
    forced = must_accept(table, responder)
    table.tell("peace_offered", power=side, to=responder, vp=score.total(table), must=forced, section=SECTION)
    if not forced:
        answer = yield Question(
            responder,
            "peace",
            [Accept, Refuse],
            default=Refuse(),
            context={"side": side, "vp": score.total(table)},
            section="5.31",
        )
        if isinstance(answer, Refuse):
            table.tell("peace_refused", power=responder, section="5.31")
            return
    table.tell("peace_accepted", power=responder, must=forced, section="5.31")
    yield from negotiate(table, side)


def modifiers(table: Table) -> dict[str, int]:
    """5.31: the modifiers of the peace roll: a side that has all electors, not just most of them."""
    everyone = number(table, "electors")
    rows = table.kit.tables["modifiers"]
    return {
        f"{side}_all_electors": rows[f"peace:{side}_all_electors"]["drm"]
        for side in SIDES
        if control.elector_count(table, side) == everyone
    }


def result_of(table: Table, modified: int) -> str:
    """5.31: the result of a modified roll; the lowest and the highest row stand for all beyond."""
    rows = {row["roll"]: row["result"] for row in table.kit.tables["peace"].values()}
    return rows[max(min(rows), min(max(rows), modified))]


def negotiate(table: Table, side: str) -> Procedure:
    """5.31, 5.32: the roll, and what comes of it. Raises `GameEnds` for a minor victory."""
    changes = modifiers(table)
    face = roll(table, "peace", side, section="5.31")
    modified = face + sum(changes.values())
    result = result_of(table, modified)
    table.tell(
        "peace_result", power=side, roll=face, modifiers=changes, modified=modified, result=result, section="5.3"
    )
    if result in (PROTESTANT_VICTORY, CATHOLIC_VICTORY):
        winner = PROTESTANT if result == PROTESTANT_VICTORY else CATHOLIC
        raise score.GameEnds(winner, "minor", "peace", "5.32")
    if result == TRUCE_RESULT:
        truce(table)
        return
    for leaver in who_leaves(table, result):
        yield from withdraw(table, leaver)
        yield from control.triggers(table)


def truce(table: Table) -> None:
    """5.32, T-051: the turn ends at once: siege markers go, and next turn's recovery is not halved.

    What of phases E to G is still played the option truce_phases says (INT-17).
    """
    for name in sorted(name for name in table.board.state if name.startswith(SIEGE)):
        table.set(name, None, why="truce", section="5.32")
    marks.set_mark(table, TURN, TRUCE, True, section="5.32")
    table.set(recovery.TRUCE, table.board.state["turn"])
    table.tell("truce", section="5.32")


# --- 5.32: withdrawals ---


def who_leaves(table: Table, result: str) -> list[str]:
    """5.32, INT-45: who withdraws, in order; of both a die says who is first (option both_withdraw_first)."""
    leavers = list(LEAVES[result])
    if len(leavers) < 2:
        return leavers
    said = table.options["both_withdraw_first"]
    if said == "die":
        face = roll(table, "who withdraws first", None, section="5.32")
        said = PROTESTANT if face <= number(table, "both_withdraw_protestant") else CATHOLIC
        table.tell("withdraws_first", power=said, roll=face, section="5.32")
    return [said, other(said)]


def place_refusal(table: Table, leaver: str, place: str) -> Refused | None:
    """5.32: why a region or city may not be demanded of a side; None when it may."""
    chart = atlas(table)
    if place not in chart.cities and not (place in chart.regions and chart.has_control_level(place)):
        return Refused("no_place_for_peace", "5.32", place=place)
    if table.board.state["at_start"].get(place) == leaver:
        return Refused("place_held_at_start", "5.32", place=place, side=leaver)
    base = table.board.state.get(supply.SWEDISH_BASE)
    if leaver == PROTESTANT and base and nations.in_war(table, nations.SWEDISH) and chart.region(base) == place:
        return Refused("region_of_swedish_base", "5.32", place=place, space=base)
    return None


class Demand(Order):
    """Demand that the other side leaves a region, or two independent cities: DEMAND bohemia; DEMAND ulm, nurnberg."""

    line = "DEMAND {places}"
    places = Many(AnyName("region", "space"), most=CITIES_FOR_A_REGION)

    def check(self, table: Table, question: Question) -> None:
        leaver = other(question.power)
        for place in self.places:
            refusal = place_refusal(table, leaver, place)
            if refusal is not None:
                raise refusal
        cities = [place for place in self.places if place in atlas(table).cities]
        if len(set(self.places)) < len(self.places):
            raise Refused("place_named_twice", "5.32", place=self.places[0])
        if cities and len(cities) != min(CITIES_FOR_A_REGION, len(_cities(table, leaver))):
            raise Refused("region_or_two_cities", "5.32")
        if not cities and len(self.places) != 1:
            raise Refused("region_or_two_cities", "5.32")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        leaver = other(question.power)
        for region in atlas(table).regions:
            yield cls(places=[region])
        cities = _cities(table, leaver)
        for place, city in enumerate(cities):
            for second in cities[place + 1 :]:
                yield cls(places=[city, second])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        legal = list(cls.legal(table, question))
        return chance.choice(legal) if legal else None


def _cities(table: Table, leaver: str) -> list[str]:
    return [city for city in atlas(table).cities if place_refusal(table, leaver, city) is None]


def spaces_of(table: Table, places: Sequence[str]) -> list[str]:
    """The spaces of a region, or the cities themselves."""
    chart = atlas(table)
    return [space for place in places for space in chart.spaces_of.get(place, (place,))]


class Withdraw(Order):
    """Of the spaces that are equally near you want these first: WITHDRAW TO vienna, linz."""

    line = "WITHDRAW TO {spaces}"
    spaces = Many(Name("space"), most=20)

    def check(self, table: Table, question: Question) -> None:
        nearest = {space for spaces in question.context["choices"].values() for space in spaces}
        for space in self.spaces:
            if space not in nearest:
                raise Refused("farther_than_need_be", "5.32", space=space, spaces=sorted(nearest))

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for space in sorted({space for spaces in question.context["choices"].values() for space in spaces}):
            yield cls(spaces=[space])


class WithdrawByName(Order):
    """Withdraw to the nearest spaces; of those equally near to the first by name."""

    line = "WITHDRAW BY NAME"


def withdraw(table: Table, leaver: str) -> Procedure:
    """5.32: the other side demands a place, and all pieces of a side leave it, besiegers and besieged too.

    The place need not hold a piece; control does not change.
    """
    demander = other(leaver)
    answer = yield Question(
        demander, "peace_demand", [Demand], default=None, context={"side": leaver}, section="5.32"
    )
    places = list(answer.places)
    table.tell("peace_demand", power=demander, side=leaver, places=places, section="5.32")
    leaving = [piece for space in spaces_of(table, places) for piece in pieces.stack(table, space, leaver)]
    if not leaving:
        return
    choices = tied(table, leaver, leaving, places)
    wished: Sequence[str] = ()
    if choices:
        order = yield Question(
            leaver,
            "withdrawal",
            [Withdraw, WithdrawByName],
            default=WithdrawByName(),
            context={"places": places, "choices": choices},
            section="5.32",
        )
        wished = order.spaces if isinstance(order, Withdraw) else ()
    for space in spaces_of(table, places):
        for piece in sorted(pieces.stack(table, space, leaver), key=_leaders_last):
            take_back(table, leaver, piece, places, wished)


def _leaders_last(piece: str) -> bool:
    return pieces.is_leader(piece)


def nearest(table: Table, side: str, piece: str, places: Sequence[str]) -> list[str]:
    """5.32, INT-77: the spaces of its side with room that are nearest to a base of a piece's nation, by name."""
    away = set(spaces_of(table, places))
    ways = _ways(table, pieces.nation_of(table, piece))
    spaces: list[str] = []
    best: int | None = None
    for space in sorted(atlas(table).spaces, key=lambda space: (ways.get(space, len(atlas(table).spaces)), space)):
        way = ways.get(space)
        if best is not None and way != best:
            break
        if space in away or way is None or not _may_end_at(table, side, piece, space):
            continue
        best = way
        spaces.append(space)
    return spaces


def _ways(table: Table, nation: str) -> Mapping[str, int]:
    """Space -> links to the nearest base of a nation, a lost base too."""
    return distances(table, supply.home_bases(table, nation))


def _may_end_at(table: Table, side: str, piece: str, space: str) -> bool:
    """INT-77: whether a piece may end a withdrawal in a space: its side's, with room, legal for nation and stack, and
    with no enemy units in the open."""
    if space in atlas(table).boxes or control.holder(table, space) != side:
        return False
    if pieces.units(table, space, other(side), inside=False) or nations.closed(table, piece, space) is not None:
        return False
    there = pieces.stack(table, space, side)
    if pieces.is_unit(piece) and sum(map(pieces.is_unit, there)) >= table.kit.constants["stacking"]:
        return False
    return nations.conflict(table, [*there, piece]) is None


def tied(table: Table, side: str, leaving: Sequence[str], places: Sequence[str]) -> dict[str, list[str]]:
    """Nation -> the spaces equally near of which its owner may choose, where there are several."""
    choices = {}
    for piece in leaving:
        spaces = nearest(table, side, piece, places)
        if len(spaces) > 1:
            choices[pieces.nation_of(table, piece)] = spaces
    return choices


def take_back(table: Table, side: str, piece: str, places: Sequence[str], wished: Sequence[str]) -> None:
    """5.32, INT-77: one piece goes to the nearest space; where there is none it is eliminated."""
    spaces = nearest(table, side, piece, places)
    if not spaces:
        pieces.eliminate(table, piece, why="withdrawal", section="5.32")
        return
    to = next((space for space in wished if space in spaces), spaces[0])
    pieces.move(table, [piece], to, why="withdrawal", section="5.32")


USES = (OfferPeace,)
ORDERS: tuple[type[Order], ...] = (Accept, Refuse, Demand, Withdraw, WithdrawByName)
