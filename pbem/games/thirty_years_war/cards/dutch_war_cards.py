"""The cards of the Dutch War: C3, C4, C11, C18, P24 to P27 and P43 (9.3, 16).

By how many boxes a card moves the marker stands in the kit's ``dutch_war_moves``.
"""

from __future__ import annotations

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import nations_of, number, row
from pbem.games.thirty_years_war.cards.orders import RecallAsk, SendArmy
from pbem.games.thirty_years_war.politics import dutch_war, peace
from pbem.games.thirty_years_war.turn import activation, deck
from pbem.table import marks
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def war_goes_on(table: Table, side: str, card: str) -> Refused | None:
    """9.31: events of the Dutch War need it to go on."""
    return Refused("dutch_war_is_over", "9.31", card=card) if dutch_war.is_over(table) else None


def move_marker(table: Table, card: str) -> None:
    """16.12: the marker moves by what the kit says of the card, up for a Catholic one, down for a Protestant one."""
    dutch_war.move(table, table.kit.tables["dutch_war_moves"][card]["boxes"], why=card)


# --- Spinola (9.32, 16.24, 16.25) ---


def first_card_and_spinola(table: Table, side: str, card: str) -> Refused | None:
    """9.32, 16.25: the first card that the side spends in the turn, without a peace offer before it (INT-61), and
    Spinola or another Spanish leader with his army in the United Provinces."""
    # When its event is carried out the card itself is spent already.
    spent = activation.cards_spent(table, side) > (card not in deck.held(table, side))
    if table.options["first_card"] == "any_use":
        spent = spent or marks.noted(table, activation.TURN, activation.COMBAT_CARD_PLAYED, side)
    if spent:
        return Refused("not_the_first_card", "9.32", card=card)
    if marks.noted(table, activation.TURN, peace.OFFERED, side):
        return Refused("peace_was_offered", "16.25", card=card)
    return war_goes_on(table, side, card) or dutch_war.siege_refusal(table)


@event("spinola_besieges_bergen", when=first_card_and_spinola)
def spinola_besieges_bergen(table: Table, side: str, card: str) -> Procedure:
    """C3: the marker goes up, and once more at the end of the turn unless a Protestant army answers (16.25)."""
    yield from dutch_war.begin_siege(table, card)


@event("spinola_besieges_breda", when=first_card_and_spinola)
def spinola_besieges_breda(table: Table, side: str, card: str) -> Procedure:
    """C4: as C3; both cannot be the first card of a turn."""
    yield from dutch_war.begin_siege(table, card)


def spaniards_to_recall(table: Table, side: str, card: str) -> Refused | None:
    """16.21, 16.24: no other Catholic army is in the United Provinces, and enough Spanish units are on the map."""
    if dutch_war.is_over(table):
        return Refused("dutch_war_is_over", "9.31", card=card)
    if dutch_war.army(table, side):
        return Refused("army_there_already", "16.24", card=card)
    there = pieces.on_map(table, nation=nations_of(table, card)[0])
    units = [piece for piece in there if pieces.is_unit(piece)]
    least = number(table, card, "units_least")
    if len(units) == len(there) and not table.options["spinola_recalled_without_leader"]:
        return Refused("no_spanish_leader", "16.22", card=card)
    if len(units) < least:
        return Refused("too_few_spanish_units", "16.21", card=card, there=len(units), least=least)
    return None


@event("spinola_recalled_to_the_netherlands", when=spaniards_to_recall)
def spinola_recalled_to_the_netherlands(table: Table, side: str, card: str) -> Procedure:
    """C11: Spinola goes to the United Provinces with Spanish units from any spaces, and stays there (16.21, 16.24).

    Is he dead, another Spanish leader takes his place; is there none, the units go alone (C 5.15, INT-30).
    """
    question = RecallAsk(
        side,
        "event_recall",
        [SendArmy],
        lambda table, question: next(SendArmy.legal(table, question)),
        context={"card": card},
        section="16.21",
        least=number(table, card, "units_least"),
        most=number(table, card, "units_most"),
        nation=nations_of(table, card)[0],
        leader=row(table, card)["leaders"][0],
    )
    answer = yield question
    called = [unit for part in answer.units for unit in question.taken(table, part)]
    if answer.leader is not None:
        called.insert(0, pieces.leader_piece(table, answer.leader))
    pieces.move(table, called, dutch_war.box_of(table, side), why=card, section="16.21")


# --- cards that only move the marker ---


@event("spanish_capture_amersfoort", when=war_goes_on)
def spanish_capture_amersfoort(table: Table, side: str, card: str) -> None:
    """C18: the marker goes up; no army is needed in the United Provinces (C 16.24)."""
    move_marker(table, card)


@event("dutch_capture_spanish_treasure_fleet", when=war_goes_on)
def dutch_capture_spanish_treasure_fleet(table: Table, side: str, card: str) -> None:
    """P24: the marker goes down, and Spanish aid pauses for the rest of the turn (`aid`)."""
    move_marker(table, card)


@event("dutch_capture_hertogenbosch_and_wesel", when=war_goes_on)
def dutch_capture_hertogenbosch_and_wesel(table: Table, side: str, card: str) -> None:
    """P25: the marker goes down."""
    move_marker(table, card)


@event("dutch_capture_venlo_roermond_and_maastricht", when=war_goes_on)
def dutch_capture_venlo_roermond_and_maastricht(table: Table, side: str, card: str) -> None:
    """P26: the marker goes down by more."""
    move_marker(table, card)


@event("dutch_recapture_breda", when=war_goes_on)
def dutch_recapture_breda(table: Table, side: str, card: str) -> None:
    """P27: the marker goes down."""
    move_marker(table, card)


@event("battle_of_the_downs", when=war_goes_on)
def battle_of_the_downs(table: Table, side: str, card: str) -> None:
    """P43: the marker goes down, and from now on Spanish lines pay less (`aid`)."""
    move_marker(table, card)
