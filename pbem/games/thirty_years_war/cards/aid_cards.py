"""The cards of foreign aid and of the Popes (14.3, 14.4, 17.E, 17.P).

C1, C5, C16, C22, C36, C38 to C40, C42, C44, P1, P2, P5, P9, P10, P15, P19, P20, P38, P39 and P42.

How long a source pauses and by how much its lines change stands in the kit's ``aid_effects``, which `aid` reads from
the events that have happened: such a card does nothing beyond its event. Nothing is retroactive (C 8.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.thirty_years_war import control
from pbem.games.thirty_years_war.cards import event
from pbem.games.thirty_years_war.cards.common import events_it_hangs_on, number, row
from pbem.games.thirty_years_war.politics import nations
from pbem.games.thirty_years_war.upkeep import aid
from pbem.table.orders import Refused
from pbem.table.procedure import Table

SECTION = "14.2"

# --- the Val Telline passes (14.4) ---


def passes_are_closed(table: Table, side: str, card: str) -> Refused | None:
    """Open passes cannot be opened."""
    return None if table.board.state.get(aid.PASSES) == aid.SHUT else Refused("passes_are_open", "14.4", card=card)


def passes_are_open(table: Table, side: str, card: str) -> Refused | None:
    """Closed passes cannot be closed."""
    return None if table.board.state.get(aid.PASSES) == aid.OPEN else Refused("passes_are_closed", "14.4", card=card)


@event("val_telline_passes_open_c1", when=passes_are_closed)
def val_telline_passes_open_c1(table: Table, side: str, card: str) -> None:
    """C1: the passes are open: Spanish lines count again, from the next card on."""
    aid.set_passes(table, are_open=True, why=card)


@event("val_telline_passes_open_c38", when=passes_are_closed)
def val_telline_passes_open_c38(table: Table, side: str, card: str) -> None:
    """C38: as C1."""
    aid.set_passes(table, are_open=True, why=card)


@event("val_telline_passes_closed_p1", when=passes_are_open)
def val_telline_passes_closed_p1(table: Table, side: str, card: str) -> None:
    """P1: the passes are closed: Spanish lines pay nothing, from the next card on."""
    aid.set_passes(table, are_open=False, why=card)


@event("val_telline_passes_closed_p39", when=passes_are_open)
def val_telline_passes_closed_p39(table: Table, side: str, card: str) -> None:
    """P39: as P1."""
    aid.set_passes(table, are_open=False, why=card)


# --- England ---


def source_gives(table: Table, side: str, card: str) -> Refused | None:
    """The source that a card is about gives aid now."""
    source = row(table, card)["aid"]
    return None if aid.is_active(table, source) else Refused("source_is_off", SECTION, card=card, aid=source)


@event("spain_declares_war_with_england", when=source_gives)
def spain_declares_war_with_england(table: Table, side: str, card: str) -> None:
    """C5: English aid pauses for so many turns, this one included; P20 ends it early."""


def nothing_bars_it(table: Table, side: str, card: str) -> Refused | None:
    """The events that a card hangs on have happened, or have not, as its text asks (14.3, 17.E)."""
    return events_it_hangs_on(table, card)


@event("spain_makes_peace_with_england", when=nothing_bars_it)
def spain_makes_peace_with_england(table: Table, side: str, card: str) -> None:
    """P20: C5 is over, and England sends points at once."""
    receive(table, side, card)


@event("english_civil_war")
def english_civil_war(table: Table, side: str, card: str) -> None:
    """C40: English aid ends for good, and P6 can be no event any more (14.3, 17.E)."""
    aid.turn_off(table, row(table, card)["aid"], why=card, section="17.E.1", for_good=True)


def receive(table: Table, side: str, card: str) -> None:
    """A source gives points by an event, which is no AID card (T-190)."""
    source = row(table, card)["aid"]
    aid.receive(table, side, number(table, card, "aid"), source=source, why=card, section=SECTION)


# --- France ---


@event("richelieu_becomes_chief_minister_of_france")
def richelieu_becomes_chief_minister_of_france(table: Table, side: str, card: str) -> None:
    """P9: French lines count from the next card on (14.3)."""
    aid.turn_on(table, row(table, card)["aid"], why=card, section="14.3")


@event("three_musketeers", when=nothing_bars_it)
def three_musketeers(table: Table, side: str, card: str) -> None:
    """P2: France sends points, and the Huguenots' revolt (C36) is over."""
    receive(table, side, card)


@event("french_huguenots_revolt", when=source_gives)
def french_huguenots_revolt(table: Table, side: str, card: str) -> None:
    """C36: French aid pauses for so many turns, this one included; P2 ends it early."""


def france_takes_part(table: Table, side: str, card: str) -> Refused | None:
    """French aid is active, or France is in the war."""
    source = row(table, card)["aid"]
    if aid.is_active(table, source) or nations.in_war(table, nations.FRENCH):
        return None
    return Refused("france_takes_no_part", SECTION, card=card)


@event("peasant_revolt_in_france", when=france_takes_part)
def peasant_revolt_in_france(table: Table, side: str, card: str) -> None:
    """C39: for the rest of the turn French aid pauses and French leaders do not recruit (`bans`)."""


@event("cardinal_richelieu_dies")
def cardinal_richelieu_dies(table: Table, side: str, card: str) -> None:
    """C42: for so many turns, this one included, French lines pay less; takes effect always (C 8.6)."""


def conflict_or_french_aid(table: Table, side: str, card: str) -> Refused | None:
    """C54 is in force, or French aid is active."""
    if table.board.state.get("conflict") or aid.is_active(table, row(table, card)["aid"]):
        return None
    return Refused("neither_conflict_nor_french_aid", "17.F.4", card=card)


@event("oxenstierna", when=conflict_or_french_aid)
def oxenstierna(table: Table, side: str, card: str) -> None:
    """P38: C54 is over (E 17.F.4); where it is not in force France sends points."""
    if table.board.state.get("conflict"):
        nations.end_conflict(table)
    else:
        receive(table, side, card)


# --- Spain ---


@event("marie_of_spain_marries_ferdinand_iii")
def marie_of_spain_marries_ferdinand_iii(table: Table, side: str, card: str) -> None:
    """C16: from now on Spanish lines pay more, whenever they pay (18.33)."""


@event("portugal_revolt_versus_spain")
def portugal_revolt_versus_spain(table: Table, side: str, card: str) -> None:
    """P42: from now on Spanish lines pay less."""


# --- Savoy and Sweden ---


@event("aid_from_duke_of_savoy")
def aid_from_duke_of_savoy(table: Table, side: str, card: str) -> None:
    """P19: Savoy sends points, and its lines count from now on (14.3, INT-46, option ``savoy_aid``)."""
    receive(table, side, card)
    if table.options["savoy_aid"] == "permanent":
        aid.turn_on(table, row(table, card)["aid"], why=card, section="14.3")


@event("swedish_aid", when=nothing_bars_it)
def swedish_aid(table: Table, side: str, card: str) -> None:
    """P10: Swedish lines count until Sweden enters the war (14.3, INT-37)."""
    aid.turn_on(table, row(table, card)["aid"], why=card, section="14.3")


# --- the Pope (17.P) ---


def pope_before(table: Table, side: str, card: str) -> Refused | None:
    """17.P.1: the popes follow one another; one whom the card's may follow is in office."""
    before = _pope_of(table, card)["follows"]
    pope = table.board.state.get("pope")
    return None if pope in before else Refused("another_pope", "17.P.1", card=card, pope=pope, before=before)


def becomes_pope(table: Table, card: str) -> None:
    """17.P.1: the marker of the Pope changes."""
    table.set("pope", _pope_of(table, card)["id"], why=card, section="17.P.1")


def _pope_of(table: Table, card: str) -> Mapping[str, Any]:
    return next(pope for pope in table.kit.tables["popes"].values() if pope["card"] == card)


@event("gregory_xv_becomes_pope", when=pope_before)
def gregory_xv_becomes_pope(table: Table, side: str, card: str) -> None:
    """P5: Gregory XV is Pope; papal aid pauses for the rest of the turn."""
    becomes_pope(table, card)


@event("urban_viii_becomes_pope", when=pope_before)
def urban_viii_becomes_pope(table: Table, side: str, card: str) -> None:
    """P15: Urban VIII is Pope; papal aid is over until C44 (17.P.2)."""
    becomes_pope(table, card)
    aid.turn_off(table, row(table, card)["aid"], why=card, section="17.P.2")


@event("innocent_x_becomes_pope", when=pope_before)
def innocent_x_becomes_pope(table: Table, side: str, card: str) -> None:
    """C44: Innocent X is Pope; papal lines count again (17.P.2)."""
    becomes_pope(table, card)
    aid.turn_on(table, row(table, card)["aid"], why=card, section="17.P.2")


# --- taxes ---


@event("electoral_meeting")
def electoral_meeting(table: Table, side: str, card: str) -> None:
    """C22: aid points for every elector of the side; no AID card (T-190)."""
    points = number(table, card, "aid_each") * control.elector_count(table, side)
    aid.receive(table, side, points, why=card, section=SECTION)

