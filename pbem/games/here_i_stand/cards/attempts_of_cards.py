"""The cards that give Reformation or Counter-Reformation attempts, or bear on them (T-16, T-17, 18.3, 18.4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.cards.common import commit, uncommitted, unrest_on
from pbem.games.here_i_stand.places import OFF, REMOVED
from pbem.games.here_i_stand.religion import church
from pbem.games.here_i_stand.religion.attempts import counter_reformation_attempts, reformation_attempts
from pbem.games.here_i_stand.religion.conversion import CATHOLIC, ENGLAND, PAPACY, PROTESTANT, reformer_leaves
from pbem.games.reformation import hands, marks
from pbem.games.reformation.cards import Predicate
from pbem.games.reformation.ground import home_spaces, religion
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def number(table: Table, card: int, name: str) -> int:
    """A number of a card, from the kit."""
    return table.kit.tables["card_numbers"][f"{card}:{name}"]["value"]


def uses(card: str, debater: str) -> None:
    """18.3: the card can be played only while a debater is in play and uncommitted, whoever plays it."""

    def why_not(table: Table, power: str, moment: Moment) -> Refused | None:
        return None if uncommitted(table, debater) else Refused("debater_committed", debater=debater)

    predicate: Predicate = why_not
    playable(card)(predicate)


def use(table: Table, debater: str) -> None:
    """18.2, 18.3: the debater whom a card needs is committed; that is no use of his bonus."""
    commit(table, debater, why="card", section="18.3")


# --- Reformation ---


@event("a_mighty_fortress")
def a_mighty_fortress(table: Table, power: str, moment: Moment) -> Procedure:
    """65: uses Luther; 6 attempts, German zone."""
    use(table, "luther")
    yield from reformation_attempts(table, "a_mighty_fortress")


uses("a_mighty_fortress", "luther")


@event("affair_of_the_placards")
def affair_of_the_placards(table: Table, power: str, moment: Moment) -> Procedure:
    """44: uses Cop; 3 attempts (option `placards_attempts`), French zone."""
    use(table, "cop")
    yield from reformation_attempts(table, "affair_of_the_placards")


uses("affair_of_the_placards", "cop")


@event("calvins_institutes")
def calvins_institutes(table: Table, power: str, moment: Moment) -> Procedure:
    """46: uses Calvin; 5 attempts, French zone, +1 to the Protestant dice there."""
    use(table, "calvin")
    yield from reformation_attempts(table, "calvins_institutes")


uses("calvins_institutes", "calvin")


@event("book_of_common_prayer")
def book_of_common_prayer(table: Table, power: str, moment: Moment) -> Procedure:
    """62: uses Cranmer; 4 attempts on English home spaces; then a die for unrest in Catholic ones, occupied or not."""
    use(table, "cranmer")
    yield from reformation_attempts(table, "book_of_common_prayer")
    die = table.roll("book_of_common_prayer", power, 1, section="12.4")[0]
    catholic = [space for space in home_spaces(table, ENGLAND) if religion(table, space) == CATHOLIC]
    if die >= number(table, 62, "unrest_all_from"):
        many = len(catholic)
    elif die >= number(table, 62, "unrest_two_from"):
        many = 2
    else:
        many = 1 if die >= number(table, 62, "unrest_one_from") else 0
    yield from unrest_on(table, power, many, catholic, even_occupied=True, card=62)


uses("book_of_common_prayer", "cranmer")


@event("dissolution_of_the_monasteries")
def dissolution_of_the_monasteries(table: Table, power: str, moment: Moment) -> Procedure:
    """63: England draws 2 cards; then 3 attempts, English zone."""
    hands.draw_cards(table, ENGLAND, number(table, 63, "cards"), "event_draw")
    yield from reformation_attempts(table, "dissolution_of_the_monasteries")


@event("katherina_bora")
def katherina_bora(table: Table, power: str, moment: Moment) -> Procedure:
    """85: uses Luther; 5 attempts, all zones."""
    use(table, "luther")
    yield from reformation_attempts(table, "katherina_bora")


uses("katherina_bora", "luther")


@event("printing_press")
def printing_press(table: Table, power: str, moment: Moment) -> Procedure:
    """90: one more die in Reformation attempts for the rest of the turn; at once 3 attempts, all zones."""
    marks.set_mark(table, "turn", "printing_press", True, section="18.3")
    yield from reformation_attempts(table, "printing_press")


@event("marburg_colloquy")
def marburg_colloquy(table: Table, power: str, moment: Moment) -> Procedure:
    """41: one of each pair is committed; as many attempts as their values together, all zones."""
    total = 0
    for pair in MARBURG:
        debater = yield from choose(
            table,
            PROTESTANT,
            "debater",
            partial(_uncommitted_of, pair=pair),
            section="18.3",
            number=41,
        )
        use(table, debater)
        total += table.kit.tables["debaters"][debater]["value"]
    yield from reformation_attempts(table, "marburg_colloquy", number=total)


MARBURG = (("luther", "melanchthon"), ("zwingli", "oekolampadius"))


@playable("marburg_colloquy")
def _marburg_colloquy(table: Table, power: str, moment: Moment) -> Refused | None:
    if all(any(uncommitted(table, one) for one in pair) for pair in MARBURG):
        return None
    return Refused("marburg_needs_debaters")


@event("erasmus")
def erasmus(table: Table, power: str, moment: Moment) -> Procedure:
    """75: on turns 1 and 2 the Protestant makes 4 attempts, later the Papacy; all zones."""
    if table.board.state["turn"] <= number(table, 75, "last_protestant_turn"):
        yield from reformation_attempts(table, "erasmus")
    else:
        yield from counter_reformation_attempts(table, "erasmus_papal")


# --- Counter-Reformation ---


@event("defender_of_the_faith")
def defender_of_the_faith(table: Table, power: str, moment: Moment) -> Procedure:
    """11: 3 attempts of the Papacy, all zones; England draws a card if it played it."""
    yield from counter_reformation_attempts(table, "defender_of_the_faith")
    if power == ENGLAND:
        hands.draw_cards(table, ENGLAND, number(table, 11, "cards"), "event_draw")


@event("mary_defies_council")
def mary_defies_council(table: Table, power: str, moment: Moment) -> Procedure:
    """61: 3 attempts of the Papacy, English zone."""
    yield from counter_reformation_attempts(table, "mary_defies_council")


@event("augsburg_confession")
def augsburg_confession(table: Table, power: str, moment: Moment) -> None:
    """39: uses Melanchthon; to the end of the turn -1 on the Papacy's dice of attempts, a die less as it debates."""
    use(table, "melanchthon")
    marks.set_mark(table, "turn", "augsburg_confession", True, section="18.4")


uses("augsburg_confession", "melanchthon")


# --- reformers and what the Papacy builds ---


@event("calvin_expelled")
def calvin_expelled(table: Table, power: str, moment: Moment) -> None:
    """45: Calvin, reformer and debater, leaves the map for the turn, the debater committed (8.2)."""
    reformer_leaves(table, "calvin", for_good=False, why="calvin_expelled", section="8.2")


@playable("calvin_expelled")
def _calvin_expelled(table: Table, power: str, moment: Moment) -> Refused | None:
    at = table.board.pieces["reformer:calvin"]["at"]
    return Refused("calvin_not_on_map") if at in (OFF, REMOVED) else None


@event("michelangelo")
def michelangelo(table: Table, power: str, moment: Moment) -> None:
    """52: the Papacy throws 2 dice; their sum goes to Saint Peter's as CP."""
    rolled = table.roll("michelangelo", PAPACY, number(table, 52, "dice"), section="18.1")
    church.st_peters(table, sum(rolled), why="michelangelo")


@event("jesuit_education")
def jesuit_education(table: Table, power: str, moment: Moment) -> Procedure:
    """55: the Papacy puts universities on 2 Catholic spaces without one."""
    yield from church.place_universities(table, number(table, 55, "universities"), 55)


@playable("jesuit_education")
def _jesuit_education(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if church.jesuits_are_there(table) else Refused("no_society_of_jesus")


def _uncommitted_of(table: Table, pair: Sequence[str]) -> list[str]:
    """Those of two debaters who are not committed."""
    return [one for one in pair if uncommitted(table, one)]
