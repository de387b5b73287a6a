"""The cards of conversion attempts (18.5): 12, 39, 40, 42, 48, 52, 55; and of unrest in spaces that they name: 41."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.cards import Predicate
from pbem.games.reformation.ground import in_unrest, set_unrest
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import (
    in_unrest_among,
    names,
    number,
    remove_unrest,
    resolver,
    ruler_alive,
    spaces_in,
    why_no_attempts,
)
from pbem.games.virgin_queen.powers.majors import ENGLAND, FRANCE, PROTESTANT, SPAIN
from pbem.games.virgin_queen.religion.conversion import CATHOLIC, attempt, catholic_attempts, protestant_attempts
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

PAPACY = "papacy"


def _open(table: Table, regions: Sequence[str], side: str) -> list[str]:
    """The regions in which attempts of a side can turn anything."""
    return [region for region in regions if why_no_attempts(table, region, side) is None]


def choose_region(table: Table, power: str, regions: Sequence[str], side: str, card: int) -> Procedure:
    """A power chooses one of some regions for attempts of a side, before the dice. Value: the region, or None."""
    return (
        yield from choose(
            table, power, "option", lambda t: _open(t, regions, side), section="18.5", number=card, side=side
        )
    )


def why_no_region(table: Table, regions: Sequence[str], side: str) -> Refused | None:
    """Why there is none of some regions in which attempts can turn anything."""
    return None if _open(table, regions, side) else why_no_attempts(table, regions[0], side)


def some_region(card: int, name: str, side: str) -> Predicate:
    """The condition of a card of attempts: there is a region of those that it names in which they can turn anything."""
    return lambda table, power, moment: why_no_region(table, names(table, card, name), side)


def one_batch(
    table: Table,
    player: str,
    card: int,
    whose: str,
    side: str,
    *,
    first_six: bool = False,
    raised: Mapping[int, int] | None = None,
    unrest_a_one: bool = False,
) -> Procedure:
    """18.5: the attempts of a card in the one region that it names, by a power, or by `player` where it has no seat."""
    yield from attempt(
        table,
        resolver(table, whose, player),
        side,
        names(table, card, "region"),
        number(table, card, "attempts"),
        first_six=first_six,
        raised=raised,
        unrest_a_one=unrest_a_one,
    )


def batches_in_different_regions(table: Table, who: str, card: int, side: str) -> Procedure:
    """18.5: so many batches of attempts, each in another region of those of the card, last stand by itself (18.1)."""
    left = names(table, card, "regions")
    for _ in range(number(table, card, "regions")):
        region = yield from choose_region(table, who, left, side, card)
        if region is None:
            return
        left = [one for one in left if one != region]
        yield from attempt(table, who, side, [region], number(table, card, "attempts"))


# --- 12 ---


@event("academy_of_geneva")
def academy_of_geneva(table: Table, power: str, moment: Moment) -> Procedure:
    """12: two batches of Protestant attempts, in two different regions of three."""
    yield from batches_in_different_regions(table, power, 12, PROTESTANT)


playable("academy_of_geneva")(some_region(12, "regions", PROTESTANT))


# --- 39, 42: Protestant attempts, the first die a 6 ---


@event("belgic_confession")
def belgic_confession(table: Table, power: str, moment: Moment) -> Procedure:
    """39: Protestant attempts in the Netherlands; the first die is a 6, every 3 counts as a 4 (18.5)."""
    raised = {number(table, 39, "result"): number(table, 39, "counts_as")}
    yield from one_batch(table, power, 39, PROTESTANT, PROTESTANT, first_six=True, raised=raised)


playable("belgic_confession")(some_region(39, "region", PROTESTANT))


@event("calvinist_zeal")
def calvinist_zeal(table: Table, power: str, moment: Moment) -> Procedure:
    """42: Protestant attempts in a region that the Protestant chooses before the dice; the first die is a 6 (18.5)."""
    who = resolver(table, PROTESTANT, power)
    region = yield from choose_region(table, who, names(table, 42, "regions"), PROTESTANT, 42)
    if region is not None:
        yield from protestant_attempts(table, who, region, number(table, 42, "attempts"), first_six=True)


playable("calvinist_zeal")(some_region(42, "regions", PROTESTANT))


# --- 40 ---


@event("book_of_martyrs")
def book_of_martyrs(table: Table, power: str, moment: Moment) -> Procedure:
    """40: Protestant attempts in England; then England takes unrest from one space there, be it of this very batch."""
    (region,) = names(table, 40, "region")
    who = resolver(table, ENGLAND, power)
    if why_no_attempts(table, region, PROTESTANT) is None:
        yield from protestant_attempts(table, who, region, number(table, 40, "attempts"))
    calmed = number(table, 40, "calmed")
    yield from remove_unrest(table, who, calmed, spaces_in(table, region), 40, "12.4", optional=False)


@playable("book_of_martyrs")
def _book_of_martyrs(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 40, "region")
    if in_unrest_among(table, spaces_in(table, region)):
        return None
    return why_no_attempts(table, region, PROTESTANT)


# --- 41 ---


def _reivers_spaces(table: Table) -> list[str]:
    """41: the calm ones of the spaces on the border, of a country that has none in unrest by this card yet."""
    return [space for space in names(table, 41, "spaces") if not in_unrest(table, space)]


@event("border_reivers")
def border_reivers(table: Table, power: str, moment: Moment) -> Procedure:
    """41: unrest on up to two spaces on both sides of the border, occupied or not, at most one in each country."""
    region_of = {space: row["region"] for space, row in atlas(table).spaces.items()}
    done: list[str] = []
    for turn in range(number(table, 41, "unrest")):
        space = yield from choose(
            table,
            power,
            "space",
            lambda t: [s for s in _reivers_spaces(t) if region_of[s] not in done],
            optional=turn > 0,
            section="12.4",
            number=41,
        )
        if space is None:
            return
        done.append(region_of[space])
        set_unrest(table, space, True, why="card", section="12.4")


@playable("border_reivers")
def _border_reivers(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if _reivers_spaces(table) else Refused("all_in_unrest", "12.4", spaces=names(table, 41, "spaces"))


# --- 48, 52, 55: Catholic attempts ---


@event("council_of_trent")
def council_of_trent(table: Table, power: str, moment: Moment) -> Procedure:
    """48: a batch of Catholic attempts in each of two regions, by the ally of the Papacy or else by the player."""
    who = table.board.state["minor_ally"].get(PAPACY) or power
    for region in names(table, 48, "regions"):
        if why_no_attempts(table, region, CATHOLIC) is None:
            yield from catholic_attempts(table, who, region, number(table, 48, "attempts"))


playable("council_of_trent")(some_region(48, "regions", CATHOLIC))


@event("english_recusants")
def english_recusants(table: Table, power: str, moment: Moment) -> Procedure:
    """52: Catholic attempts in England by Spain; the first die is a 6 (18.5)."""
    yield from one_batch(table, power, 52, SPAIN, CATHOLIC, first_six=True)


playable("english_recusants")(some_region(52, "region", CATHOLIC))


@event("grand_tour")
def grand_tour(table: Table, power: str, moment: Moment) -> Procedure:
    """55: France takes unrest from up to three spaces in France, then makes Catholic attempts there."""
    (region,) = names(table, 55, "region")
    who = resolver(table, FRANCE, power)
    yield from remove_unrest(table, who, number(table, 55, "calmed"), spaces_in(table, region), 55, "12.4")
    if why_no_attempts(table, region, CATHOLIC) is None:
        yield from catholic_attempts(table, who, region, number(table, 55, "attempts"))


@playable("grand_tour")
def _grand_tour(table: Table, power: str, moment: Moment) -> Refused | None:
    """55: a ruler of France has to be in office; something has to be there to change."""
    (region,) = names(table, 55, "region")
    if not ruler_alive(table, FRANCE):
        return Refused("no_ruler_in_office", "23.4", power=FRANCE)
    if in_unrest_among(table, spaces_in(table, region)):
        return None
    return why_no_attempts(table, region, CATHOLIC)
