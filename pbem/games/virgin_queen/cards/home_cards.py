"""The home cards (6.1) but for those of troops (2, 13), preaching (12) and the Armada (4): 1, 3, 6 to 11."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.games.reformation import hands, siege
from pbem.games.reformation.cards import Outcome
from pbem.games.reformation.forces import (
    Force,
    ForceField,
    add_units,
    check_change,
    check_formation,
    force_value,
    formations,
    has_enemy_land,
    mark_force,
    move_force,
    named_force,
)
from pbem.games.reformation.ground import controller, in_unrest, siege_of
from pbem.games.reformation.marks import mark, set_mark
from pbem.games.reformation.movement import check_may_leave
from pbem.games.reformation.new_wars import part_stacks
from pbem.games.reformation.relations import at_war
from pbem.games.reformation.rules import rules
from pbem.games.virgin_queen.cards import BOOK, event, playable
from pbem.games.virgin_queen.cards.common import names, number, spaces_in
from pbem.games.virgin_queen.court import espionage, patronage, weddings
from pbem.games.virgin_queen.diplomacy import packages, wars
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.powers import majors, ottoman
from pbem.games.virgin_queen.powers.majors import EMPIRE, ENGLAND, FRANCE, PROTESTANT, SPAIN
from pbem.games.virgin_queen.religion.rebellion import DICE
from pbem.table.asking import Ask, Moment, No, Yes, choose
from pbem.table.orders import Name, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf, Question

Way = Callable[[Table, str], bool]


def open_ways(ways: Mapping[str, Way], power: str) -> Callable[[Table], list[str]]:
    """What of a card's ways is open to a power now, as `choose` wants it."""
    return lambda table: [way for way, is_open in ways.items() if is_open(table, power)]


def open_minors(table: Table, power: str, only: Sequence[str] | None = None) -> list[str]:
    """24.5: the minor powers on which a power may add influence now, of some or of all."""
    return [minor for minor in weddings.open_minors(table, power) if only is None or minor in only]


def place_influence(table: Table, power: str, boxes: int, card: int, most_minors: int | None = None) -> Procedure:
    """24.5: so many boxes of influence for nothing, one by one where a power chooses, on some minor powers at most."""
    on: list[str] = []
    for left in range(boxes, 0, -1):

        def among(table: Table) -> list[str]:
            return open_minors(table, power, on if most_minors is not None and len(on) >= most_minors else None)

        minor = yield from choose(table, power, "minor", among, section="24.5", number=card, left=left)
        if minor is None:
            return
        if minor not in on:
            on.append(minor)
        weddings.add_influence(table, power, minor, 1, "24.5")


# --- 1 ---

CANAL, DIVAN = "canal", "divan"
VIZIER: Mapping[str, Way] = {
    CANAL: lambda table, power: ottoman.why_no_suez(table) is None,
    DIVAN: lambda table, power: True,
}


@event("grand_vizier")
def grand_vizier(table: Table, power: str, moment: Moment) -> Procedure:
    """1: a try for the Suez canal (23.1), then 2 CP; or influence on minor powers and a card from the deck."""
    way = yield from choose(table, power, "option", open_ways(VIZIER, power), section="23.1", number=1)
    if way == CANAL:
        ottoman.try_suez(table)
        return number(table, 1, "cp")
    yield from place_influence(table, power, number(table, 1, "influence"), 1)
    hands.draw_cards(table, power, number(table, 1, "cards"), "event_draw")
    return None


# --- 3 ---


def _road(table: Table) -> list[str]:
    """3: the ends that the Spanish Road may have: Spanish, calm and not besieged."""
    (region,) = names(table, 3, "region")
    return [
        space
        for space in (*names(table, 3, "road"), *spaces_in(table, region))
        if controller(table, space) == SPAIN and not in_unrest(table, space) and siege_of(table, space) is None
    ]


class MarchRoad(Order):
    """March a formation along the Spanish Road."""

    line = "MARCH {force} FROM {origin} TO {space}"
    force = ForceField()
    origin = Name("space")
    space = Name("space")

    def check(self, table: Table, question: Question) -> None:
        road = _road(table)
        for space in (self.origin, self.space):
            if space not in road:
                raise Refused("not_on_the_road", "13.1", list(road), space=space)
        check_march(table, question.power, self.origin, self.space, self.named(table, question.power))

    def named(self, table: Table, power: str) -> Force:
        """The formation."""
        return named_force(table, power, self.origin, self.force)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        road, power = _road(table), question.power
        for origin in road:
            for force in formations(table, power, origin):
                for space in road:
                    yield cls(force=force_value(force, power), origin=origin, space=space)


def check_march(table: Table, power: str, origin: str, space: str, force: Force) -> None:
    """3, 5.1: raise `Refused` unless a formation may march from one end of the road to another."""
    if space == origin:
        raise Refused("already_there", "13.1", space=space)
    if has_enemy_land(table, space, power):
        raise Refused("enemy_units_there", "13.1", space=space)
    check_formation(table, power, origin, force)
    check_may_leave(table, power, origin, force)
    check_change(table, force, origin, space)


def _march_question(power: str) -> Ask:
    return Ask(
        power, "march", [MarchRoad], lambda table, question: next(MarchRoad.legal(table, question)), section="13.1"
    )


@event("spanish_road")
def spanish_road(table: Table, power: str, moment: Moment) -> Procedure:
    """3: a formation goes between two Spanish ends of the road; nobody answers it or intercepts. Then 2 CP."""
    order = yield _march_question(power)
    force = order.named(table, power)
    table.tell("spanish_road", power=power, origin=order.origin, space=order.space, section="13.1")
    moved = move_force(table, force, order.origin, order.space, why="move", section="13.1")
    mark_force(table, "moved", order.space, moved)
    return number(table, 3, "cp")


@playable("spanish_road")
def _spanish_road(table: Table, power: str, moment: Moment) -> Refused | None:
    if next(iter(MarchRoad.legal(table, _march_question(power))), None) is not None:
        return None
    return Refused("nobody_for_the_road")


# --- 6 ---

FETCH, JILT = "fetch", "jilt"
ELIZABETH: Mapping[str, Way] = {
    FETCH: lambda table, power: bool(hands.fetchable(table, power)),
    JILT: lambda table, power: weddings.why_not_jilt(table) is None,
}


@event("the_virgin_queen")
def the_virgin_queen(table: Table, power: str, moment: Moment) -> Procedure:
    """6: a card comes from the discards to the hand (6.2); or Elizabeth jilts whom she is betrothed to (23.3)."""
    way = yield from choose(table, power, "option", open_ways(ELIZABETH, power), section="6.2", number=6)
    if way == JILT:
        yield from weddings.jilt(table)
    elif way == FETCH:
        card = yield from choose(table, power, "card", lambda t: hands.fetchable(t, power), section="6.2", number=6)
        table.card(card, hands.DISCARD, hands.hand(power), why="fetched", section="6.2")


@playable("the_virgin_queen")
def _the_virgin_queen(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if open_ways(ELIZABETH, power)(table) else Refused("nothing_to_fetch_or_jilt", "6.2")


# --- 7 ---


@event("walsingham")
def walsingham(table: Table, power: str, moment: Moment) -> Procedure:
    """7: Walsingham's marker goes to a box until winter (20.8): more dice for English plots, or against plots. 2 CP."""
    box = yield from choose(
        table, power, "option", lambda t: ["offensive", "defensive"], section="20.8", number=7
    )
    espionage.use_walsingham(table, box)
    return number(table, 7, "cp")


# --- 8 ---

GRAND_TOUR, FESTIVITIES = "grand_tour", "festivities"


def _couples(table: Table) -> list[str]:
    """8: the couples to which the marker may come, by the groom."""
    return [man for man, _ in weddings.french_couples(table)]


GOUVERNANTE: Mapping[str, Way] = {
    GRAND_TOUR: lambda table, power: BOOK.card_id(table, GRAND_TOUR) in hands.fetchable(table, power),
    FESTIVITIES: lambda table, power: bool(_couples(table)),
}


@event("gouvernante_de_france")
def gouvernante_de_france(table: Table, power: str, moment: Moment) -> Procedure:
    """8: to the end of the turn rebellions in France throw a die less; Grand Tour is fetched (6.2), or the festivities
    of a wedding are prepared (21.1). Then 2 CP."""
    (region,) = names(table, 8, "region")
    fewer = {**mark(table, "turn", DICE, {}), region: -number(table, 8, "rebellion_dice_fewer")}
    table.tell("gouvernante", power=power, section="6.1")
    set_mark(table, "turn", DICE, fewer, section="6.1")
    way = yield from choose(table, power, "option", open_ways(GOUVERNANTE, power), section="6.2", number=8)
    if way == GRAND_TOUR:
        table.card(BOOK.card_id(table, GRAND_TOUR), hands.DISCARD, hands.hand(power), why="fetched", section="6.2")
    elif way == FESTIVITIES:
        man = yield from choose(table, power, "royal", _couples, section="21.1", number=8)
        couple = next(pair for pair in weddings.french_couples(table) if pair[0] == man)
        weddings.add_festivities(table, couple)
    return number(table, 8, "cp")


# --- 9 ---

STEAL, INTRIGUE = "steal", "intrigue"


def _others(table: Table, power: str) -> list[str]:
    return [other for other in table.board.powers if other != power]


def _transferable(table: Table, power: str) -> list[str]:
    """9: the cards that may be handed over: neither home cards nor mandatory events."""
    return [c for c in hands.cards_of(table, power) if hands.kind_of(table, c) not in ("home", "mandatory")]


def _has_anything(table: Table, power: str) -> bool:
    """6.3: whether there is anything that a random draw from a mixed hand could take."""
    return bool(hands.drawable(table, power) or treasures.of(table, power))


@event("flying_squadron")
def flying_squadron(table: Table, power: str, moment: Moment) -> Procedure:
    """9: France sees a hand; then it takes something of it by chance (6.3) for a card of its choice, or has influence
    on minor powers."""
    target = yield from choose(table, power, "power", lambda t: _others(t, power), section="6.1", number=9)
    espionage.see_hand(table, power, target, "6.1")

    def ways(table: Table) -> list[str]:
        fits = bool(_transferable(table, power)) and _has_anything(table, target)
        return [way for way, is_open in ((STEAL, fits), (INTRIGUE, bool(open_minors(table, power)))) if is_open]

    way = yield from choose(table, power, "option", ways, section="6.1", number=9)
    if way == STEAL:
        drawn = treasures.random_from_hand(table, target, power, "flying_squadron", section="6.3")

        def own(table: Table) -> list[str]:
            among = [card for card in _transferable(table, power) if card != drawn]
            return sorted(among, key=lambda card: hands.cp_of(table, card))

        card = yield from choose(table, power, "card", own, section="6.1", number=9)
        two = [power, target]
        table.card(card, hands.hand(power), hands.hand(target), to=two, why="flying_squadron", section="6.1")
    elif way == INTRIGUE:
        yield from place_influence(table, power, number(table, 9, "influence"), 9)


# --- 10 ---


@event("patron_of_arts_and_sciences")
def patron_of_arts_and_sciences(table: Table, power: str, moment: Moment) -> Procedure:
    """10: the Empire sponsors an artist and a scientist, own or Italian, out of two drawn; of one once Rudolf married
    (22)."""
    married = table.board.state.get("rudolf_married")
    drawn = number(table, 10, "drawn_once_rudolf_married" if married else "drawn")
    for kind in patronage.KINDS:
        yield from patronage.sponsor(table, power, kind, number(table, 10, "slot"), italians=True, drawn=drawn)


@playable("patron_of_arts_and_sciences")
def _patron_of_arts_and_sciences(table: Table, power: str, moment: Moment) -> Refused | None:
    reasons = [patronage.why_not_sponsor(table, power, kind, italians=True) for kind in patronage.KINDS]
    return None if None in reasons else reasons[0]


# --- 11 ---

PROTECT, MEDIATE = "protect", "mediate"


def offenders(table: Table) -> list[str]:
    """11: on whom the Empire may fall: at war with Spain, England, France or the Protestant, with a cost of war."""
    board = table.board
    return [
        other
        for other in majors.all_powers(table)
        if wars.why_not(table, EMPIRE, other) is None
        and any(at_war(board, other, one) for one in (SPAIN, ENGLAND, FRANCE, PROTESTANT) if one != other)
    ]


def belligerents(table: Table, besides: str | None = None) -> list[str]:
    """11: the powers with a seat that are at war with another such power that can make peace, or with a given one."""
    return [
        one
        for one in table.board.powers
        if any(
            at_war(table.board, one, other) and not packages.never_peace(table, one, other)
            for other in ([besides] if besides else table.board.powers)
            if other != one
        )
    ]


INTERCESSION: Mapping[str, Way] = {
    PROTECT: lambda table, power: bool(offenders(table)),
    MEDIATE: lambda table, power: bool(belligerents(table)),
}


def both_agree(table: Table, two: Sequence[str], card: int, section: str) -> Procedure:
    """Two powers are asked at once, sealed, whether they agree; silence is a no. Value: whether both do."""
    answers = yield AllOf(
        [
            Ask(
                one,
                "peace_offered",
                [Yes, No],
                No(),
                context={"number": card, "other": two[1 - place]},
                section=section,
            )
            for place, one in enumerate(two)
        ]
    )
    return all(isinstance(answers[one], Yes) for one in two)


def end_war(table: Table, a: str, b: str, section: str) -> Procedure:
    """A war ends in the Actions phase: sieges of the two are over, their stacks part."""
    packages.make_peace(table, a, b, section)
    yield from siege.check_sieges(table)
    yield from part_stacks(table, a, b, section="12.5")


@event("holy_roman_intercession")
def holy_roman_intercession(table: Table, power: str, moment: Moment) -> Procedure:
    """11: the Empire falls on a power that is at war with one that it protects, with troops and 2 CP; or two powers
    make peace if both agree, and it draws a card."""
    way = yield from choose(table, power, "option", open_ways(INTERCESSION, power), section="9.4", number=11)
    if way == PROTECT:
        target = yield from choose(table, power, "power", offenders, section="9.4", number=11)
        yield from wars.begin_war(table, power, target, why="card", section="9.4")
        for space in majors.capitals(table, power):
            if controller(table, space) == power and not in_unrest(table, space) and siege_of(table, space) is None:
                many = number(table, 11, "mercenaries")
                add_units(table, power, rules(table).mercenary_kind, space, many, why="card", section="17")
        return Outcome(cp=number(table, 11, "cp"))
    one = yield from choose(table, power, "power", belligerents, section="9.4", number=11, step="first")
    other = yield from choose(
        table, power, "power", lambda t: belligerents(t, one), section="9.4", number=11, step="second"
    )
    agreed = yield from both_agree(table, [one, other], 11, "9.4")
    if agreed:
        yield from end_war(table, one, other, "9.4")
        hands.draw_cards(table, power, number(table, 11, "cards"), "event_draw")
    return None


@playable("holy_roman_intercession")
def _holy_roman_intercession(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if open_ways(INTERCESSION, power)(table) else Refused("nobody_to_protect_or_mediate", "9.4")


ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (MarchRoad,)
__all__ = ["ACTIONS", "ORDERS", "both_agree", "end_war", "open_minors", "place_influence"]
