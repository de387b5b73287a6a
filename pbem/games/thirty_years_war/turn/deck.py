"""8.1: the decks of the two sides, their hands and what was played; phase C.

The played pile of the book lies in two piles, since what was played is open and what was discarded at the end of a
turn is not (6.0 G): ``played:<side>`` and ``discarded:<side>``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.thirty_years_war import pieces, score
from pbem.games.thirty_years_war.map import SIDES, number
from pbem.table.procedure import Procedure, Table

INTERVENTION, APOCALYPSE = "intervention", "apocalypse"
"""Groups of cards that come in during play, and when they do."""
USES = ("act", "recruit", "aid", "event", "combat")
"""8.2, 9.5: what a card is spent on."""
REACHED = "intervention_reached"
"""Named value: whether the VP for the Intervention cards were once reached (option ``intervention_check``)."""


def deck(side: str) -> str:
    """The draw pile of a side."""
    return f"deck:{side}"


def hand(side: str) -> str:
    """The hand of a side."""
    return f"hand:{side}"


def played(side: str) -> str:
    """What a side has played, face up."""
    return f"played:{side}"


def discarded(side: str) -> str:
    """What a side has discarded at the end of a turn, face down."""
    return f"discarded:{side}"


def shown(side: str) -> str:
    """The AID card of this turn, face up until its end (14.1)."""
    return f"aid:{side}"


def removed(side: str) -> str:
    """The cards of a side that are out of the game."""
    return f"removed:{side}"


def box(group: str, side: str) -> str:
    """The cards of a group that are not in the draw piles yet."""
    return f"box:{group}:{side}"


def held(table: Table, side: str) -> Sequence[str]:
    """The cards in a side's hand."""
    return table.board.piles.get(hand(side), ())


def owner_of(table: Table, card: str) -> str:
    """Whose deck a card belongs to."""
    return table.kit.tables["cards"][card]["side"]


def numbered(table: Table, card: str) -> list[Any]:
    """A card as ``[side, number]``, for what everybody can read when the card itself may be a secret again."""
    side = owner_of(table, card)
    return [side, [id for id, row in table.kit.tables["cards"].items() if row["side"] == side].index(card) + 1]


def of_number(table: Table, named: Sequence[Any]) -> str:
    """The inverse of `numbered`."""
    side, number_in_deck = named
    return [id for id, row in table.kit.tables["cards"].items() if row["side"] == side][number_in_deck - 1]


def value(table: Table, card: str) -> int:
    """The number in the corner of a card."""
    return table.kit.tables["cards"][card]["ops"]


def card_phase(table: Table) -> Procedure:
    """8.1, phase C: groups of cards that come in now, then both draw until they hold seven."""
    introduce(table)
    for side in SIDES:
        draw_up(table, side)
    yield from ()


def introduce(table: Table) -> None:
    """8.11, 8.12: the Intervention and Apocalypse cards are shuffled into the draw piles when their time has come."""
    turn = table.board.state["turn"]
    for group, enters in groups(table).items():
        if not any(table.board.piles.get(box(group, side)) for side in SIDES):
            continue
        if enters == INTERVENTION:
            reached = score.total(table) >= number(table, "intervention_vp")
            if table.options["intervention_check"] == "once_reached":
                reached = bool(table.board.state.get(REACHED))
            due = reached or turn >= number(table, "intervention_turn")
        elif enters == APOCALYPSE:
            entered = table.board.state.get("entered:french")
            due = entered is not None and entered < turn
        else:
            due = False
        if due:
            add_group(table, group)


def groups(table: Table) -> dict[str, str]:
    """Group of cards -> when it comes in, in the scenario that is played."""
    scenario = table.board.state["scenario"]
    rows = table.kit.tables["setup_decks"].values()
    return {row["group"]: row["enters"] for row in rows if row["scenario"] == scenario}


def add_group(table: Table, group: str) -> None:
    """8.1: a group is shuffled into both draw piles, not into what was played (T-003); the price of Spinola (5.15)."""
    table.tell("cards_added", group=group, section="8.1")
    for side in SIDES:
        for card in list(table.board.piles.get(box(group, side), ())):
            table.card(card, box(group, side), deck(side))
        table.do({"fact": "shuffle", "pile": deck(side)})
    if group == INTERVENTION:
        spinola_penalty(table)


def spinola_penalty(table: Table) -> None:
    """5.15, C 5.15: VP are lost once if Spinola was never recalled and is not in the United Provinces."""
    names = table.kit.constants
    recalled = table.board.state.get(f"event:{names['cards']['spinola_recalled']}") is not None
    counter = pieces.LEADER + names["leaders"]["spinola"]
    there = pieces.where(table, counter) == names["places"]["up_catholic"]
    if not recalled and not there:
        score.vp(table, number(table, "vp_spinola"), "spinola_not_recalled", "5.15")


def draw_up(table: Table, side: str) -> None:
    """6.0 C, T-004: draw up to a full hand; an empty draw pile is made anew of what was played."""
    while len(held(table, side)) < table.kit.constants["hand"]:
        if not table.board.piles.get(deck(side)) and not reshuffle(table, side):
            return
        table.draw("card", deck(side), hand(side), sight=[side], power=side, section="8.1")


def reshuffle(table: Table, side: str) -> bool:
    """6.0 C: what was played and discarded becomes the draw pile; False where there is nothing of it."""
    cards = [(card, pile) for pile in (played(side), discarded(side)) for card in table.board.piles.get(pile, ())]
    if not cards:
        return False
    table.tell("reshuffled", power=side, section="8.1")
    for card, pile in cards:
        table.card(card, pile, deck(side))
    table.do({"fact": "shuffle", "pile": deck(side)})
    return True


def spend(table: Table, side: str, card: str, use: str) -> None:
    """8.2: a card leaves the hand for what was played; `use` is ``act, recruit, aid, event`` or ``combat``."""
    table.card(card, hand(side), shown(side) if use == "aid" else played(side), why=use, section="8.2")


def discard(table: Table, side: str, card: str) -> None:
    """6.0 G: a card is discarded unseen."""
    table.card(card, hand(side), discarded(side), why="discard", section="6.0")


def remember_vp(table: Table) -> Procedure:
    """INT-39, option ``intervention_check``: VP that bring the Intervention cards in are remembered."""
    remembers = table.options["intervention_check"] == "once_reached" and not table.board.state.get(REACHED)
    if remembers and score.total(table) >= number(table, "intervention_vp"):
        table.set(REACHED, True, section="8.11")
    yield from ()


TRIGGERS = (remember_vp,)
