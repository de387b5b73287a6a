"""The mandatory events (6.1) that bring rulers, leaders and evaluations: 5, 14, 16 to 22; and Dragut's end: 50."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.cards import Outcome
from pbem.games.reformation.fleets import ships, sink
from pbem.games.reformation.forces import LEADER, Force, add_units, put_leader
from pbem.games.reformation.ground import space_of
from pbem.games.virgin_queen.cards import BOOK, event, playable
from pbem.games.virgin_queen.cards.common import names, number, resolver
from pbem.games.virgin_queen.cards.conversions import choose_region, why_no_region
from pbem.games.virgin_queen.cards.troops import REGULAR, may_build
from pbem.games.virgin_queen.court import patronage, queens, royals
from pbem.games.virgin_queen.places import OFF
from pbem.games.virgin_queen.powers import majors, minors
from pbem.games.virgin_queen.powers.majors import EMPIRE, ENGLAND, FRANCE, OTTOMAN, PROTESTANT
from pbem.games.virgin_queen.religion.conversion import CATHOLIC, catholic_attempts
from pbem.games.virgin_queen.sequence import leaders
from pbem.table.asking import Moment, choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

PAPACY, SCOTLAND, PORTUGAL = "papacy", "scotland", "portugal"
SELIM, CHARLES, HENRI, RUDOLF, LEICESTER = "selim_ii", "charles_ix", "henri_iii", "rudolf_ii", "leicester"
ESSEX, DRAGUT, ULUCH_ALI = "essex", "dragut", "uluch_ali"


def ally_of(table: Table, minor: str) -> str | None:
    """The power that a minor power is allied to, or None."""
    ally: str | None = table.board.state["minor_ally"].get(minor)
    return ally


def comes_to_power(table: Table, power: str, ruler: str) -> None:
    """3.3, 23: a ruler comes to power; a power without a seat has no ruler (3.1)."""
    if power not in table.board.seated():
        return
    majors.new_ruler(table, power, ruler, why="card", section="3.3")


# --- 5 ---

EXCOMMUNICATE, PREACH, HOLY_LEAGUE = "excommunicate", "counter_reformation", "holy_league"
KINDS = ("artist", "scientist")


def _bull_regions(table: Table) -> list[str]:
    return names(table, 5, "regions")


def _may_excommunicate(table: Table, power: str) -> bool:
    return not table.board.state.get("excommunicated") and queens.elizabeth_lives(table)


def _may_fetch_league(table: Table, power: str) -> bool:
    return BOOK.card_id(table, HOLY_LEAGUE) in hands.fetchable(table, power)


def _may_sponsor(kind: str) -> Callable[[Table, str], bool]:
    return lambda table, power: patronage.why_not_sponsor(table, power, kind, italians=True) is None


BULL: Mapping[str, Callable[[Table, str], bool]] = {
    EXCOMMUNICATE: _may_excommunicate,
    PREACH: lambda table, power: why_no_region(table, _bull_regions(table), CATHOLIC) is None,
    HOLY_LEAGUE: _may_fetch_league,
    **{kind: _may_sponsor(kind) for kind in KINDS},
}
"""What the ally of the Papacy may choose, and when."""


@event("papal_bull")
def papal_bull(table: Table, power: str, moment: Moment) -> Procedure:
    """5: the Papacy is evaluated, once a turn (24.6); if it has an ally then, that power chooses what the bull does."""
    if minors.was_evaluated(table, PAPACY):
        return
    yield from minors.evaluate(table, PAPACY, [])
    ally = ally_of(table, PAPACY)
    if ally is None:
        return

    def ways(table: Table) -> list[str]:
        return [way for way, open_to in BULL.items() if open_to(table, ally)]

    way = yield from choose(table, ally, "option", ways, section="6.1", number=5)
    if way == EXCOMMUNICATE:
        table.set("excommunicated", True, why="card", section="9.5")
    elif way == PREACH:
        region = yield from choose_region(table, ally, _bull_regions(table), CATHOLIC, 5)
        if region is not None:
            yield from catholic_attempts(table, ally, region, number(table, 5, "attempts"))
    elif way == HOLY_LEAGUE:
        table.card(BOOK.card_id(table, HOLY_LEAGUE), hands.DISCARD, hands.hand(ally), why="fetched", section="6.2")
    elif way is not None:
        yield from patronage.sponsor(table, ally, way, number(table, 5, "slot"), italians=True)


# --- 14, 17, 18, 20: rulers and an earl ---


@event("selim_ii")
def selim_ii(table: Table, power: str, moment: Moment) -> None:
    """14: Selim II rules the Ottoman; from the next spring on one of two home cards is put away as by others (3.3)."""
    comes_to_power(table, OTTOMAN, SELIM)


@event("henri_iii")
def henri_iii(table: Table, power: str, moment: Moment) -> None:
    """17: Charles IX is dead, Henri III rules France (3.3, 23.4); an unmarried Charles leaves, a betrothal is over."""
    if royals.is_eligible(table, CHARLES):
        royals.leaves(table, CHARLES, "ruler_dies", "23.4")
    comes_to_power(table, FRANCE, HENRI)


@event("rudolf_ii")
def rudolf_ii(table: Table, power: str, moment: Moment) -> None:
    """18: Rudolf II rules the Empire; its capital is Prague for good, a centre of culture if he is unmarried (22)."""
    comes_to_power(table, EMPIRE, RUDOLF)
    capital = table.kit.constants["empire_capital_later"]
    table.tell("empire_capital", power=EMPIRE, space=capital, section="23.5")
    table.set(f"capital:{EMPIRE}", [capital], why="card", section="23.5")
    if EMPIRE in table.board.seated() and not table.board.state.get("rudolf_married"):
        table.set("prague_centre", True, why="card", section="22")


@event("earl_of_essex")
def earl_of_essex(table: Table, power: str, moment: Moment) -> None:
    """20: Leicester is dead, Royal and leader; Essex comes in the next Card Draw phase (8.1); troops in London."""
    royals.leaves(table, LEICESTER, "dies", "21.4")
    leader = royals.row(table, LEICESTER)["army_leader"]
    leaders.leaves_the_game(table, leader, "dies", "21.4", default=False)
    _comes_next_turn(table, ESSEX)
    (space,) = names(table, 20, "space")
    if may_build(table, ENGLAND, ENGLAND, REGULAR, space):
        add_units(table, ENGLAND, REGULAR, space, number(table, 20, "regulars"), why="card", section="17")


def _comes_next_turn(table: Table, leader: str) -> None:
    """8.1: a leader comes to his power's card in the next Card Draw phase."""
    if table.board.pieces[LEADER + leader]["at"] == OFF:
        put_leader(table, leader, f"turn_track:{table.board.state['turn'] + 1}", why="card", section="8.1")


# --- 16, 19, 21, 22: evaluations ---


@event("scottish_lords_rebel")
def scottish_lords_rebel(table: Table, power: str, moment: Moment) -> Procedure:
    """16: Scotland is evaluated, once a turn (24.6); if England or the Protestant wins, Mary is captured (23.3)."""
    if not minors.was_evaluated(table, SCOTLAND):
        yield from minors.evaluate(table, SCOTLAND, [])
        if ally_of(table, SCOTLAND) in (ENGLAND, PROTESTANT):
            queens.capture_mary(table)
    gone = queens.mary_state(table) in (queens.CAPTURED, queens.DEAD)
    return Outcome(fate=hands.REMOVED if gone else None)


@event("death_of_king_sebastian")
def death_of_king_sebastian(table: Table, power: str, moment: Moment) -> Procedure:
    """19: Portugal enters the game: war may be declared on it (9.4); its status is evaluated (24.6)."""
    table.tell("sebastian_dead", minor=PORTUGAL, section="9.4")
    table.set("sebastian", True, why="card", section="9.4")
    yield from minors.evaluate(table, PORTUGAL, [])


@event("german_intervention")
def german_intervention(table: Table, power: str, moment: Moment) -> Procedure:
    """21: without a seat the Empire is evaluated like a minor power (3.2, 24.6)."""
    yield from minors.evaluate(table, EMPIRE, [])


@event("the_sublime_porte")
def the_sublime_porte(table: Table, power: str, moment: Moment) -> Procedure:
    """22: without a seat the Ottoman is evaluated like a minor power (3.2, 24.6)."""
    yield from minors.evaluate(table, OTTOMAN, [])


# --- 50 ---


@event("dragut_falls")
def dragut_falls(table: Table, power: str, moment: Moment) -> Procedure:
    """50: Dragut leaves the game, Uluch Ali comes next turn (8.1); one Ottoman ship that was with him is lost."""
    at = space_of(table.board.pieces[LEADER + DRAGUT]["at"])
    leaders.leaves_the_game(table, DRAGUT, "card", "8.1", default=False)
    _comes_next_turn(table, ULUCH_ALI)
    kind = yield from choose(
        table, resolver(table, OTTOMAN, power), "unit", lambda t: _ships(t, at), section="16.2", number=50, place=at
    )
    if kind is not None:
        sink(table, OTTOMAN, at, Force({OTTOMAN: {kind: 1}}), "16.2")


def _ships(table: Table, at: str) -> list[str]:
    """The kinds of Ottoman ships at a place."""
    return list(ships(table, at, OTTOMAN).get(OTTOMAN, {}))


@playable("dragut_falls")
def _dragut_falls(table: Table, power: str, moment: Moment) -> Refused | None:
    """50: Dragut has to be on the map."""
    at = table.board.pieces[LEADER + DRAGUT]["at"]
    on_map = space_of(at) in atlas(table).spaces or at in atlas(table).sea
    return None if on_map else Refused("leader_not_on_map", leader=DRAGUT)
