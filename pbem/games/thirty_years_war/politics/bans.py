"""What cards forbid for a turn: C21 and C43 (activations), C39 (recruiting), P11 (entering), P49 (a leader).

Each ban is a mark of the turn, so that it ends with it: ``turn:value_needed`` is ``{nation: [value, card]}``,
``turn:hesitates`` ``{leader's piece: card}``, ``turn:neutral_ground`` the card that closes it; a card stands there as
``[side, number]``, since a new draw pile may make its id a secret again. French leaders are barred from recruiting
while C39 is an event of this turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.map import atlas
from pbem.games.thirty_years_war.turn import deck
from pbem.table import marks
from pbem.table.orders import Refused
from pbem.table.procedure import Table

TURN = "turn"
VALUE_NEEDED, HESITATES, NEUTRAL_GROUND = "value_needed", "hesitates", "neutral_ground"


# --- activations ---


def raise_value(table: Table, of_nations: Sequence[str], value: int, card: str) -> None:
    """C21, C43: leaders of a nation are activated by cards of this value and above only, for the rest of the turn."""
    added = {nation: [value, deck.numbered(table, card)] for nation in of_nations}
    needed = {**marks.mark(table, TURN, VALUE_NEEDED, {}), **added}
    marks.set_mark(table, TURN, VALUE_NEEDED, needed, why=card, section="8.6")


def hesitate(table: Table, leader: str, card: str) -> None:
    """P49: a leader (piece) is not activated by cards for the rest of the turn."""
    hesitating = {**marks.mark(table, TURN, HESITATES, {}), leader: deck.numbered(table, card)}
    marks.set_mark(table, TURN, HESITATES, hesitating, why=card, section="8.6")


def hesitates(table: Table, leader: str) -> bool:
    """P49: whether a leader (piece) hesitates."""
    return leader in marks.mark(table, TURN, HESITATES, {})


def activation_refusal(table: Table, leader: str, value: int) -> Refused | None:
    """8.3: why a card of this value does not activate a leader (piece), whatever his number; None when it may."""
    face = pieces.face_of(table, leader)
    banned = marks.mark(table, TURN, HESITATES, {}).get(leader)
    if banned:
        return Refused("leader_hesitates", "8.6", leader=face, card=deck.of_number(table, banned))
    needed, card = marks.mark(table, TURN, VALUE_NEEDED, {}).get(pieces.nation_of(table, leader), (0, None))
    if value < needed:
        card = deck.of_number(table, card)
        return Refused("card_bans_activation", "8.6", leader=face, value=value, needed=needed, card=card)
    return None


def of_this_turn(table: Table) -> list[str]:
    """The cards whose bans hold until the end of the turn, each once."""
    numbered = [card for _, card in marks.mark(table, TURN, VALUE_NEEDED, {}).values()]
    numbered += marks.mark(table, TURN, HESITATES, {}).values()
    cards = [deck.of_number(table, card) for card in numbered]
    ground = marks.mark(table, TURN, NEUTRAL_GROUND)
    return list(dict.fromkeys([*cards, *([deck.of_number(table, ground)] if ground else [])]))


# --- recruiting ---


def recruiting_refusal(table: Table, leader: str) -> Refused | None:
    """C39: why a leader (piece) may not recruit in this turn; None when no card forbids it."""
    card = table.kit.constants["cards"]["peasant_revolt_in_france"]
    nation = pieces.nation_of(table, leader)
    this_turn = table.board.state.get(f"event:{card}") == table.board.state["turn"]
    if this_turn and nation in table.kit.tables["cards"][card]["nation"]:
        return Refused("card_bans_recruiting", "8.6", leader=pieces.face_of(table, leader), card=card)
    return None


# --- entering ---


def close_neutral_ground(table: Table, card: str) -> None:
    """P11: neutral regions and independent cities are closed for the rest of the turn."""
    marks.set_mark(table, TURN, NEUTRAL_GROUND, deck.numbered(table, card), why=card, section="8.6")


def entry_refusal(table: Table, space: str) -> Refused | None:
    """P11: why nobody may enter a space in this turn, marching, moving freely or retreating; None when one may.

    Who stands there already may stay, fight, besiege and leave.
    """
    closing = marks.mark(table, TURN, NEUTRAL_GROUND)
    if closing is None or space in atlas(table).boxes:
        return None
    region = atlas(table).region(space)
    if region is None or control.is_neutral(table, region):
        card = deck.of_number(table, closing)
        return Refused("card_bans_entering", "8.6", space=space, region=region, card=card)
    return None
