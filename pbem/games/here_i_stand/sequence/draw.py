"""8.2, 6.2: the Card Draw phase. Leaders, reformers, debaters and cards enter; riches are rolled; cards are dealt."""

from __future__ import annotations

from pbem.games.here_i_stand.new_world.riches import roll_riches
from pbem.games.here_i_stand.powers import england
from pbem.games.here_i_stand.powers.rulers import ruler
from pbem.games.here_i_stand.sequence import entry
from pbem.games.here_i_stand.victory import score
from pbem.games.reformation import captives, hands, homeward
from pbem.games.reformation.atlas import atlas
from pbem.table.board import SUPPLY
from pbem.table.procedure import Procedure, Table


def happens(table: Table) -> bool:
    """Every turn has a Card Draw phase."""
    return True


def leaders(table: Table) -> Procedure:
    """8.2: leaders of this turn, and leaders and naval units from the Turn Track."""
    box = f"turn_track:{table.board.state['turn']}"
    chart = atlas(table)
    for owner in chart.owners:
        for kind in chart.naval_kinds:
            table.move(owner, kind, table.board.count(box, owner, kind), box, SUPPLY, section="8.2")
    yield from entry.enter_leaders(table)
    yield from homeward.leaders_return(table)
    yield from captives.leaders_return(table)


def reformers(table: Table) -> Procedure:
    """8.2: reformers and debaters of this turn."""
    yield from entry.enter_reformers(table)
    yield from entry.enter_debaters(table)


def additions(table: Table) -> Procedure:
    """6.2: cards whose turn or condition has come go from the box into the deck."""
    turn = table.board.state["turn"]
    if turn < table.kit.constants["deck_additions_from_turn"]:
        return
    entering = [card for card in table.board.piles.get(hands.BOX, ()) if enters(table, card, turn)]
    for card in entering:
        table.card(card, hands.BOX, hands.DECK, to=[], why="enters", section="6.2")
    if entering:
        table.tell("cards_enter", numbers=[int(card) for card in entering], section="6.2")
    return
    yield


def enters(table: Table, card: str, turn: int) -> bool:
    """6.2: whether a card of the box enters now; conditions are those of England (21.3)."""
    row = hands.row(table, card)
    if row["turn"] is not None and row["turn"] > turn:
        return False
    return row["entry"] == "turn" or england.card_is_due(table, row["condition"])


def riches(table: Table) -> Procedure:
    """20.4: riches of the New World; the cards come with the deal."""
    yield from roll_riches(table)


def deal(table: Table) -> Procedure:
    """6.2: everything is shuffled, then each power is dealt its cards and gets its home cards back."""
    hands.reshuffle(table)
    for power in table.board.powers:
        for card in hands.home_cards(table.kit, power):
            if card in table.board.piles.get(hands.home(power), ()):
                # Masked like all of a hand; that home cards come back is known from the rules.
                table.card(card, hands.home(power), hands.hand(power), to=[power], why="deal", section="6.1")
        for _ in range(hand_size(table, power)):
            hands.draw_card(table, power, "deal", section="6.2")
        table.set(f"cards_extra:{power}", None)
    hands.end_minus_cards(table)
    return
    yield


def hand_size(table: Table, power: str) -> int:
    """6.2: the cards dealt: by keys (the Protestant: by electorates), ruler's bonus, markers, riches."""
    constants = table.kit.constants
    if power == score.PROTESTANT:
        held = [
            space for space in score.electorates(table) if table.board.state.get(f"control:{space}") == power
        ]
        many = len(held) >= constants["protestant_electorates_many"]
        size = constants["protestant_cards_many"] if many else constants["protestant_cards"]
    else:
        size = max(constants["minimum_base_cards"], score.track_row(table, power)["cards"] or 0)
    size += ruler(table, power)["card_bonus"]
    size -= table.board.state.get("minus_cards", {}).get(power, 0)
    if table.options["markers_beyond_the_deal"] == "end_there":
        size = max(0, size)
    size += table.board.state.get(f"cards_extra:{power}", 0)
    return max(0, size)


SEGMENTS = (
    ("leaders", leaders),
    ("reformers", reformers),
    ("additions", additions),
    ("riches", riches),
    ("deal", deal),
)
ORDERS = ()
