"""8: the Card Draw phase. Nobody decides anything; what enters, enters in the order of the book."""

from __future__ import annotations

from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.virgin_queen.court import espionage, weddings
from pbem.games.virgin_queen.new_world import colonies, ocean, treasures
from pbem.games.virgin_queen.places import AVAILABLE, ELIGIBLE
from pbem.games.virgin_queen.powers import activated, majors
from pbem.games.virgin_queen.sequence import leaders
from pbem.games.virgin_queen.victory import score
from pbem.table.board import SUPPLY
from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Every turn has a Card Draw phase."""
    return True


def is_first(table: Table) -> bool:
    """Whether it is turn 1, in which nobody arrives and no card enters (8.1, 8.3)."""
    return table.board.state["turn"] < table.kit.constants["deck_additions_from_turn"]


def characters(table: Table) -> Procedure:
    """8.1: leaders, sea captains, Royals, artists and scientists of this turn, and ships from the Turn Track."""
    activated.take_up(table)
    activated.note_keys(table)
    box = f"turn_track:{table.board.state['turn']}"
    chart = atlas(table)
    if not is_first(table):
        yield from leaders.arrive(table)
        yield from ocean.arrive(table)
        turn = table.board.state["turn"]
        weddings.come_back(table)
        for royal, row in table.kit.tables["royals"].items():
            if row["entry_turn"] == turn and table.board.pieces[f"royal:{royal}"]["at"] == "off":
                table.put(f"royal:{royal}", ELIGIBLE, box=row["eligibility"], why="enters", section="8.1")
        for kind in ("artist", "scientist"):
            for one, row in table.kit.tables[f"{kind}s"].items():
                if row["entry_turn"] == turn and table.board.pieces[f"{kind}:{one}"]["at"] == "off":
                    table.put(f"{kind}:{one}", AVAILABLE, why="enters", section="8.1")
    for owner in chart.owners:
        for kind in chart.naval_kinds:
            table.move(owner, kind, table.board.count(box, owner, kind), box, SUPPLY, section="8.1")


def markers(table: Table) -> Procedure:
    """8.1, 8.2: markers of espionage in their turn; Spain's fortress and Jesuits."""
    if table.board.state["turn"] == table.kit.constants["espionage_from_turn"]:
        yield from espionage.hand_out(table)
    yield from ocean.refill_fortresses(table)
    yield from espionage.refill_jesuits(table)


def additions(table: Table) -> Procedure:
    """8.3, 6.2: cards whose turn has come, or whose League has formed, go into the deck; home cards to their owners."""
    turn = table.board.state["turn"]
    if is_first(table):
        return
    entering = [card for card in table.board.piles.get(hands.BOX, ()) if enters(table, card, turn)]
    for card in entering:
        row = hands.row(table, card)
        if row["kind"] == "home":
            table.card(card, hands.BOX, hands.home(row["owner"]), why="enters", section="6.2")
        else:
            table.card(card, hands.BOX, hands.DECK, to=[], why="enters", section="6.2")
    if entering:
        table.tell("cards_enter", numbers=[int(card) for card in entering], section="6.2")
    _hand_over_the_heir(table)
    return
    yield


def _hand_over_the_heir(table: Table) -> None:
    """3.3: in its turn the card that brings the next ruler goes from the deck to who still has the old one."""
    constants = table.kit.constants
    power, card = constants["heir_power"], str(constants["heir_card"])
    old = majors.ruler(table, power)["id"] if power in table.board.powers else None
    if table.board.state["turn"] != constants["heir_turn"] or old not in constants["keeps_home_cards"]:
        return
    for pile in list(table.board.piles):
        of_deck = pile in (hands.DECK, hands.DISCARD) or pile.startswith(hands.DECK_TOP)
        if of_deck and card in table.board.piles[pile]:
            table.card(card, pile, hands.hand(power), to=[power], why="heir", section="3.3")


def enters(table: Table, card: str, turn: int) -> bool:
    """6.2: whether a card of the box enters now."""
    row = hands.row(table, card)
    if row["entry"] == "league":
        formed = table.board.state.get("league")
        return formed is not None and formed < turn
    return row["turn"] is not None and row["turn"] <= turn


def deal(table: Table) -> Procedure:
    """8.3: everything is shuffled; each power is dealt its cards and gets its home cards back.

    Markers of an inactive power wait for its next deal (3.2).
    """
    hands.reshuffle(table)
    for power in table.board.powers:
        put_away = f"put_away:{power}"
        for card in list(table.board.piles.get(put_away, ())):
            table.card(card, put_away, hands.home(power), why="deal", section="6.1")
        for card in hands.home_cards(table.kit, power):
            if card in table.board.piles.get(hands.home(power), ()):
                table.card(card, hands.home(power), hands.hand(power), to=[power], why="deal", section="6.1")
        for _ in range(hand_size(table, power)):
            hands.draw_card(table, power, "deal", section="6.2")
    for name in ("plus_cards", "minus_cards"):
        kept = {one: many for one, many in table.board.state.get(name, {}).items() if one not in table.board.powers}
        table.set(name, kept or None, why="deal", section="8.3")
    return
    yield


def hand_size(table: Table, power: str) -> int:
    """6.2, 8.3: the cards dealt: by keys, the ruler's bonus, markers of this deal and those that last."""
    state = table.board.state
    size = score.base_cards(table, power) + majors.ruler(table, power)["bonus"]
    size += state.get("plus_cards", {}).get(power, 0)
    if power == majors.OTTOMAN and state.get("suez"):
        size += table.kit.constants["suez_cards"]
    size -= state.get("minus_cards", {}).get(power, 0) + state.get("minus_cards_lasting", {}).get(power, 0)
    return max(0, size)


def rows(table: Table) -> Procedure:
    """8.4: the treasure rows of Spain and Portugal are filled."""
    treasures.fill_rows(table)
    return
    yield


def colonies_rolled(table: Table) -> Procedure:
    """8.4: each power rolls for its colonies."""
    yield from colonies.roll(table)


SEGMENTS = (
    ("characters", characters),
    ("markers", markers),
    ("additions", additions),
    ("deal", deal),
    ("treasures", rows),
    ("colonies", colonies_rolled),
)
ACTIONS = ()
ORDERS = ()
