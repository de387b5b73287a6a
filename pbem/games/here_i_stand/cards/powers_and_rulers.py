"""The cards that chapter 21 describes: 2, 3, 4, 9, 95, and those that bring new rulers: 10, 14, 16, 18-23."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import event, playable
from pbem.games.here_i_stand.diplomacy import wars
from pbem.games.here_i_stand.powers import england, majors, rulers
from pbem.games.here_i_stand.powers.sack_of_rome import sack_rome, sacking_stacks
from pbem.games.here_i_stand.religion.conversion import ENGLAND, PAPACY
from pbem.games.reformation.cards import Outcome
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def number(table: Table, card: int, name: str) -> int:
    """A number of a card, from the kit."""
    return table.kit.tables["card_numbers"][f"{card}:{name}"]["value"]


# --- 2: Holy Roman Emperor ---


@event("holy_roman_emperor")
def holy_roman_emperor(table: Table, power: str, moment: Moment) -> Procedure:
    """2: Charles goes to another home space (21.2), then 5 CP."""
    yield from majors.charles_travels(table)
    return number(table, 2, "cp")


@playable("holy_roman_emperor")
def _holy_roman_emperor(table: Table, power: str, moment: Moment) -> Refused | None:
    if not majors.charles_is_free(table):
        return Refused("charles_not_free")
    return None if majors.journeys(table) else Refused("no_journey_for_charles")


# --- 3: Six Wives of Henry VIII ---

WAR_TARGETS = ("france", "hapsburg", "scotland")


def war_targets(table: Table) -> list[str]:
    """3: on whom England may declare war now."""
    return [target for target in WAR_TARGETS if wars.why_not(table, ENGLAND, target) is None]


def _ways(table: Table) -> list[str]:
    first = table.board.state["turn"] >= table.kit.constants["marriage_first_turn"]
    marriage = ["marriage"] if first and england.why_not_advance(table) is None else []
    return marriage + [f"war_on_{target}" for target in war_targets(table)]


@event("six_wives_of_henry_viii")
def six_wives_of_henry_viii(table: Table, power: str, moment: Moment) -> Procedure:
    """3: the marital marker goes on (21.3); or war on France, the Hapsburg or Scotland, then 5 CP."""
    way = yield from choose(table, ENGLAND, "option", _ways, section="21.3", number=3)
    if way == "marriage":
        yield from england.advance(table, "six_wives")
        return None
    yield from wars.war_by_event(table, ENGLAND, way.removeprefix("war_on_"), section="21.3")
    return number(table, 3, "cp")


@playable("six_wives_of_henry_viii")
def _six_wives_of_henry_viii(table: Table, power: str, moment: Moment) -> Refused | None:
    if _ways(table):
        return None
    if table.board.state["turn"] < table.kit.constants["marriage_first_turn"]:
        return Refused("henry_too_early")
    no_wife = england.why_not_advance(table)
    assert no_wife is not None
    return Refused("henry_neither_marries_nor_fights", no_wife=no_wife.to_json())


# --- 4: Patron of the Arts ---


@event("patron_of_the_arts")
def patron_of_the_arts(table: Table, power: str, moment: Moment) -> None:
    """4: a chateau (21.4)."""
    majors.chateaux(table)


# --- 9, 18: pirates ---


@event("barbary_pirates")
def barbary_pirates(table: Table, power: str, moment: Moment) -> None:
    """9: Algiers enters play with 2 regulars, 2 corsairs and Barbarossa (21.1)."""
    majors.barbary_pirates(table, number(table, 9, "regulars"), number(table, 9, "corsairs"))


@event("dragut")
def dragut(table: Table, power: str, moment: Moment) -> None:
    """18: Dragut takes Barbarossa's place; Barbarossa leaves the game."""
    majors.dragut(table)


# --- 10, 14, 22: popes ---


@event("clement_vii")
def clement_vii(table: Table, power: str, moment: Moment) -> None:
    """10: Clement VII is pope."""
    rulers.new_ruler(table, PAPACY, "clement_vii")


@event("paul_iii")
def paul_iii(table: Table, power: str, moment: Moment) -> None:
    """14: Paul III is pope, who wins ties in Counter-Reformation attempts (18.4)."""
    rulers.new_ruler(table, PAPACY, "paul_iii")


@event("julius_iii")
def julius_iii(table: Table, power: str, moment: Moment) -> None:
    """22: Julius III is pope, as good as Paul III in 18.4."""
    rulers.new_ruler(table, PAPACY, "julius_iii")


# --- 16, 20: Calvin, Henry II ---


@event("calvin")
def calvin(table: Table, power: str, moment: Moment) -> None:
    """16: Luther dies, Calvin rules the Protestant."""
    rulers.calvin_rules(table)


@event("henry_ii")
def henry_ii(table: Table, power: str, moment: Moment) -> Procedure:
    """20: Francis I dies, Henry II rules France."""
    yield from rulers.henry_ii(table)


# --- 19, 21, 23: the heirs of Henry VIII ---


@event("edward_vi")
def edward_vi(table: Table, power: str, moment: Moment) -> Procedure:
    """19: Henry VIII dies, Edward VI rules England (21.3)."""
    yield from england.edward(table)


@event("mary_i")
def mary_i(table: Table, power: str, moment: Moment) -> Procedure:
    """21: Mary I rules England; a late Edward takes the throne by this card (21.3)."""
    fate = yield from england.mary(table)
    return Outcome(fate=fate)


@event("elizabeth_i")
def elizabeth_i(table: Table, power: str, moment: Moment) -> Procedure:
    """23: Mary dies, Elizabeth I rules England."""
    yield from england.elizabeth(table)


# --- 95: Sack of Rome ---


@event("sack_of_rome")
def sack_of_rome(table: Table, power: str, moment: Moment) -> Procedure:
    """95: unpaid mercenaries sack Rome (21.5); the card leaves the game only if the Papacy loses."""
    sacked = yield from sack_rome(table, power)
    return Outcome(fate="removed" if sacked else "discard")


@playable("sack_of_rome")
def _sack_of_rome(table: Table, power: str, moment: Moment) -> Refused | None:
    if sacking_stacks(table):
        return None
    return Refused("no_sack_of_rome")
