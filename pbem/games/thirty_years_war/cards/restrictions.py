"""The cards that forbid something for a time: C21, C43, C54, P11 and P49; what they forbid is in `bans`."""

from __future__ import annotations

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import nations_of, number
from pbem.games.thirty_years_war.cards.orders import choose_leader
from pbem.games.thirty_years_war.map import other
from pbem.games.thirty_years_war.politics import bans, nations
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def sweden_is_in(table: Table, side: str, card: str) -> Refused | None:
    """Sweden is in the war."""
    return None if nations.in_war(table, nations.SWEDISH) else Refused("sweden_is_not_in_the_war", "8.6", card=card)


@event("swedish_danish_conflict", when=sweden_is_in)
def swedish_danish_conflict(table: Table, side: str, card: str) -> None:
    """C21: for the rest of the turn Swedish leaders need a card of a higher value."""
    bans.raise_value(table, nations_of(table, card), number(table, card, "value_needed"), card)


@event("king_louis_xiii_dies")
def king_louis_xiii_dies(table: Table, side: str, card: str) -> None:
    """C43: for the rest of the turn French leaders need a card of a higher value; takes effect always (C 8.6)."""
    bans.raise_value(table, nations_of(table, card), number(table, card, "value_needed"), card)


def allies_and_no_conflict(table: Table, side: str, card: str) -> Refused | None:
    """Swedes and French are in the war, and the ban is not in force already."""
    for nation in (nations.SWEDISH, nations.FRENCH):
        if not nations.in_war(table, nation):
            return Refused("nation_is_not_in_the_war", "17.F.4", card=card, nation=nation)
    return Refused("conflict_goes_on", "17.F.4", card=card) if table.board.state.get("conflict") else None


@event("conflict_of_interest", when=allies_and_no_conflict)
def conflict_of_interest(table: Table, side: str, card: str) -> None:
    """C54: Swedish and French units may not stand together; those that do part by the end of the Protestant's next
    activation, in the next turn if it is none of this one (E 17.F.4)."""
    nations.begin_conflict(table)


@event("treaty_of_ulm")
def treaty_of_ulm(table: Table, side: str, card: str) -> None:
    """P11: for the rest of the turn nobody enters a neutral region or an independent city, by no way."""
    bans.close_neutral_ground(table, card)


def plain_leader(table: Table, side: str, card: str) -> Refused | None:
    """An enemy leader without a star is on the map."""
    return None if _plain(table, side) else Refused("no_plain_leader", "8.6", card=card)


@event("hesitation", when=plain_leader)
def hesitation(table: Table, side: str, card: str) -> Procedure:
    """P49: an enemy leader without a star is not activated by a card for the rest of the turn."""
    leader = yield from choose_leader(
        table, side, lambda table: _plain(table, side), kind="event_leader", section="8.6", card=card
    )
    bans.hesitate(table, pieces.leader_piece(table, leader), card)


def _plain(table: Table, side: str) -> list[str]:
    return [
        pieces.face_of(table, piece)
        for piece in pieces.on_map(table, other(side))
        if pieces.is_leader(piece) and not pieces.is_dynamic(table, piece) and not bans.hesitates(table, piece)
    ]
