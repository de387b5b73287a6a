"""More cards of conversion attempts (18.5): 57, 58, 61, 66, 88, 100 Protestant; 63, 65, 87, 92 Catholic."""

from __future__ import annotations

from pbem.games.reformation.card_help import number, occupied, unrest_on
from pbem.games.reformation.forces import add_units
from pbem.games.reformation.ground import in_unrest
from pbem.games.virgin_queen.cards import event, playable
from pbem.games.virgin_queen.cards.common import names, resolver, spaces_in, why_no_attempts
from pbem.games.virgin_queen.cards.conversions import (
    batches_in_different_regions,
    choose_region,
    one_batch,
    some_region,
    why_no_region,
)
from pbem.games.virgin_queen.cards.troops import walloon_spaces
from pbem.games.virgin_queen.powers.majors import ENGLAND, FRANCE, PROTESTANT, SPAIN
from pbem.games.virgin_queen.religion.conversion import CATHOLIC, catholic_attempts, protestant_attempts
from pbem.games.virgin_queen.war.land import WALLOONS
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

# --- Protestant ---


@event("hedge_preachers")
def hedge_preachers(table: Table, power: str, moment: Moment) -> Procedure:
    """57: Protestant attempts in the Netherlands; no action, so that no type of action is used up by them (11)."""
    yield from one_batch(table, power, 57, PROTESTANT, PROTESTANT)


playable("hedge_preachers")(some_region(57, "region", PROTESTANT))


@event("heidelberg_catechism")
def heidelberg_catechism(table: Table, power: str, moment: Moment) -> Procedure:
    """58: Protestant attempts in the Netherlands, then fewer in France, each a batch of its own (18.5)."""
    who = resolver(table, PROTESTANT, power)
    for region in names(table, 58, "regions"):
        if why_no_attempts(table, region, PROTESTANT) is None:
            yield from protestant_attempts(table, who, region, number(table, 58, f"attempts_{region}"))


playable("heidelberg_catechism")(some_region(58, "regions", PROTESTANT))


@event("huguenot_lent")
def huguenot_lent(table: Table, power: str, moment: Moment) -> Procedure:
    """61: eight Protestant attempts in France; the first die is a 6 (18.5)."""
    yield from one_batch(table, power, 61, PROTESTANT, PROTESTANT, first_six=True)


playable("huguenot_lent")(some_region(61, "region", PROTESTANT))


@event("john_knox")
def john_knox(table: Table, power: str, moment: Moment) -> Procedure:
    """66: Protestant attempts in Scotland, made by England where it plays the card, else by the Protestant."""
    yield from one_batch(table, power, 66, ENGLAND if power == ENGLAND else PROTESTANT, PROTESTANT)


playable("john_knox")(some_region(66, "region", PROTESTANT))


@event("iconoclastic_fury")
def iconoclastic_fury(table: Table, power: str, moment: Moment) -> Procedure:
    """88: Protestant attempts in the Netherlands: every 5 counts as a 6, and each 1 brings an unrest marker (18.5)."""
    major = table.kit.constants["conversion_major"]
    yield from one_batch(table, power, 88, PROTESTANT, PROTESTANT, raised={major - 1: major}, unrest_a_one=True)


playable("iconoclastic_fury")(some_region(88, "region", PROTESTANT))


@event("puritans")
def puritans(table: Table, power: str, moment: Moment) -> Procedure:
    """100: Protestant attempts of England in England; then the player's unrest in up to 2 unoccupied spaces there."""
    (region,) = names(table, 100, "region")
    if why_no_attempts(table, region, PROTESTANT) is None:
        who = resolver(table, ENGLAND, power)
        yield from protestant_attempts(table, who, region, number(table, 100, "attempts"))
    yield from unrest_on(table, power, number(table, 100, "unrest"), spaces_in(table, region), up_to=True, card=100)


@playable("puritans")
def _puritans(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 100, "region")
    if any(not in_unrest(table, space) and not occupied(table, space) for space in spaces_in(table, region)):
        return None
    return why_no_region(table, [region], PROTESTANT)


# --- Catholic ---


@event("index_of_prohibited_books")
def index_of_prohibited_books(table: Table, power: str, moment: Moment) -> Procedure:
    """63: Catholic attempts of Spain in one of three regions, which it names before the dice; the first is a 6."""
    who = resolver(table, SPAIN, power)
    region = yield from choose_region(table, who, names(table, 63, "regions"), CATHOLIC, 63)
    yield from catholic_attempts(table, who, region, number(table, 63, "attempts"), first_six=True)


playable("index_of_prohibited_books")(some_region(63, "regions", CATHOLIC))


@event("jesuit_colleges")
def jesuit_colleges(table: Table, power: str, moment: Moment) -> Procedure:
    """65: two batches of Catholic attempts of Spain in two different regions; none that last stand bars (18.1)."""
    yield from batches_in_different_regions(table, resolver(table, SPAIN, power), 65, CATHOLIC)


playable("jesuit_colleges")(some_region(65, "regions", CATHOLIC))


@event("council_of_troubles")
def council_of_troubles(table: Table, power: str, moment: Moment) -> Procedure:
    """87: Catholic attempts in the Netherlands, the first die a 6; Spain may place a Walloon there, who holds it."""
    (region,) = names(table, 87, "region")
    who = resolver(table, SPAIN, power)
    if why_no_attempts(table, region, CATHOLIC) is None:
        yield from catholic_attempts(table, who, region, number(table, 87, "attempts"), first_six=True)
    for _ in range(number(table, 87, "walloons")):
        space = yield from choose(
            table, who, "space", lambda t: walloon_spaces(t, region), optional=True, section="17.2", number=87
        )
        if space is None:
            return
        add_units(table, WALLOONS, "regular", space, 1, why="card", section="17.2")


@playable("council_of_troubles")
def _council_of_troubles(table: Table, power: str, moment: Moment) -> Refused | None:
    (region,) = names(table, 87, "region")
    return None if walloon_spaces(table, region) else why_no_region(table, [region], CATHOLIC)


@event("tridentine_catechism")
def tridentine_catechism(table: Table, power: str, moment: Moment) -> Procedure:
    """92: Catholic attempts in a region that the player names; the first die is a 6.

    France makes those in France and Scotland, Spain the others.
    """
    region = yield from choose_region(table, power, names(table, 92, "regions"), CATHOLIC, 92)
    who = FRANCE if region in names(table, 92, "french_regions") else SPAIN
    yield from catholic_attempts(
        table, resolver(table, who, power), region, number(table, 92, "attempts"), first_six=True
    )


playable("tridentine_catechism")(some_region(92, "regions", CATHOLIC))
