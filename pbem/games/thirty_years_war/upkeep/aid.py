"""8.5, 14: foreign aid. What a card's aid lines bring, which sources give, and the points that a side has this turn.

The counters ``aid:<side>:<source>`` hold what each source has given this turn, ``aid_spent:<side>`` what of it is gone.
Whether a source gives follows from its marker (state ``source:<source>``: ``on``, or ``ended`` for good) and from the
events of the cards in the kit's table ``aid_effects``: a pause, or more or fewer points on every card, for good or for
so many turns (``card_numbers``). Such a card has to do nothing for it beyond that its event has happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.games.thirty_years_war.map import SIDES, number
from pbem.games.thirty_years_war.turn import deck
from pbem.games.thirty_years_war.turn.activation import CardUse
from pbem.table.orders import Order, Question, Refused
from pbem.table.procedure import Procedure, Table

SECTION = "8.5"
SOURCE, ON, ENDED = "source:", "on", "ended"
PAUSE, LINE = "pause", "line"
EVENT = "event:"
AID, SPENT = "aid:", "aid_spent:"
PASSES, OPEN, SHUT = "passes", "open", "closed"
DUTCH_EFFECT = "dutch_war_effect"


# --- sources ---


def sources(table: Table, side: str) -> list[str]:
    """14.3, 14.4: the sources of aid of a side, in the order of the kit."""
    return [id for id, row in table.kit.tables["aid_sources"].items() if row["side"] == side]


def is_active(table: Table, source: str) -> bool:
    """14.2: whether a source gives now: it is on, and no event has made it pause."""
    if table.board.state.get(SOURCE + source) != ON:
        return False
    return not any(row["effect"] == PAUSE for row in _effects(table, source))


def turn_on(table: Table, source: str, *, why: str, section: str) -> None:
    """14.3, 14.4: a source gives from the next card on; one that has ended for good stays so."""
    if table.board.state.get(SOURCE + source) not in (ON, ENDED):
        table.set(SOURCE + source, ON, why=why, section=section)
        table.tell("aid_source", aid=source, on=True, why=why, section=section)


def turn_off(table: Table, source: str, *, why: str, section: str, for_good: bool = False) -> None:
    """14.2: a source gives no more from the next card on; points already received stay (C 8.6)."""
    before = table.board.state.get(SOURCE + source)
    if before == ON or (for_good and before != ENDED):
        table.set(SOURCE + source, ENDED if for_good else None, why=why, section=section)
        table.tell("aid_source", aid=source, on=False, for_good=for_good, why=why, section=section)


def set_passes(table: Table, *, are_open: bool, why: str, section: str = "14.4") -> None:
    """14.4: the Val Telline passes are opened or closed, as often as may be; the aid through them follows."""
    table.set(PASSES, OPEN if are_open else SHUT, why=why, section=section)
    source = table.kit.constants["aid"]["through_passes"]
    (turn_on if are_open else turn_off)(table, source, why=why, section=section)


def _effects(table: Table, source: str) -> Iterator[Mapping[str, Any]]:
    """The rows of ``aid_effects`` for a source that are in force: their event has happened, its turns are not over, and
    no other event has ended them."""
    state = table.board.state
    for row in table.kit.tables["aid_effects"].values():
        begun = state.get(EVENT + row["card"])
        if row["aid"] != source or begun is None:
            continue
        turns = _amount(table, row["card"], "turns")
        if turns is not None and not begun <= state["turn"] < begun + turns:
            continue
        ended = state.get(EVENT + row["until"]) if row["until"] else None
        if ended is None or ended < begun:
            yield row


def paused_until(table: Table, card: str) -> list[str]:
    """The sources that pause now and that the event of a card lets give again."""
    rows = table.kit.tables["aid_effects"].values()
    ended = {row["aid"] for row in rows if row["until"] == card}
    return [source for source in ended if table.board.state.get(SOURCE + source) == ON and not is_active(table, source)]


def tell_effects(table: Table, card: str, paused: Iterable[str]) -> None:
    """14.2: what the event of a card, which has happened, does to the sources, in words: nothing on the board shows it.

    `paused`: the sources that paused before it (`paused_until`).
    """
    for row in table.kit.tables["aid_effects"].values():
        if row["card"] == card:
            table.tell("aid_effect", aid=row["aid"], effect=row["effect"], points=_amount(table, card, LINE),
                       turns=_amount(table, card, "turns"), why=card, section="14.2")  # fmt: skip
    for source in paused:
        if is_active(table, source):
            table.tell("aid_source", aid=source, on=True, why=card, section="14.2")


def _amount(table: Table, card: str, name: str) -> int | None:
    row = table.kit.tables["card_numbers"].get(f"{card}:{name}")
    return row["value"] if row else None


# --- an AID card ---


def lines(table: Table, card: str) -> dict[str, int]:
    """14.2: what a card brings, by source: its printed lines whose source gives now, as tracks and events change them.

    A line never falls below nought (INT-22, option aid_floor).
    """
    row = table.kit.tables["cards"][card]
    by_source: dict[str, int] = {}
    for source in sources(table, row["side"]):
        printed = row[table.kit.tables["aid_sources"][source]["column"]]
        if printed and is_active(table, source):
            points = printed + change(table, source)
            by_source[source] = max(number(table, "aid_line_floor"), points) if table.options["aid_floor"] else points
    return by_source


def change(table: Table, source: str) -> int:
    """14.3, 14.4, 16.13: by how much the line of a source is changed on every card: events, and the Dutch War."""
    points = sum(_amount(table, row["card"], LINE) or 0 for row in _effects(table, source) if row["effect"] == LINE)
    if source == table.kit.constants["aid"]["of_the_dutch"]:
        points += dutch_change(table)
    return points


def dutch_change(table: Table) -> int:
    """16.131, INT-50: the effect of the box occupied last acts until another one is reached (option up_aid_effect).

    By ``thresholds`` it is the box where the marker stands that decides.
    """
    rows = [row for row in table.kit.tables["dutch_war"].values() if row["up_aid"]]
    if table.options["up_aid_effect"] == "thresholds":
        at = table.board.counter("dutch_war")
        rows = [row for row in rows if 0 < row["box"] <= at or at <= row["box"] < 0]
        return max(rows, key=lambda row: abs(row["box"]))["up_aid"] if rows else 0
    box = table.board.state.get(DUTCH_EFFECT)
    return next((row["up_aid"] for row in rows if row["box"] == box), 0)


class CollectAid(CardUse):
    """Use a card for foreign aid: its lines whose source gives are added to your points."""

    line = "AID {card}"
    use = "aid"

    def check_card_use(self, table: Table, side: str) -> None:
        """8.5: one AID card a turn."""
        shown = table.board.piles.get(deck.shown(side))
        if shown:
            raise Refused("second_aid_card", SECTION, card=shown[0])

    def procedure(self, table: Table, side: str) -> Procedure:
        yield from foreign_aid(table, side, self.card)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in cls.cards(table, question):
            yield cls(card=card)


def foreign_aid(table: Table, side: str, card: str) -> Procedure:
    """8.5: a card is used for aid: its lines are added to the side's points; it lies open until the end of the turn.

    The activation has spent the card; it lies shown (`deck.shown`).
    """
    brought = lines(table, card)
    table.tell("aid", power=side, card=card, lines=brought, points=sum(brought.values()), section=SECTION)
    for source, points in brought.items():
        receive(table, side, points, source=source, why="aid", section=SECTION)
    yield from ()


# --- points ---


def received(table: Table, side: str, source: str | None = None) -> int:
    """14.1: what a side has been given this turn, by one source or in all."""
    if source is not None:
        return table.board.counter(f"{AID}{side}:{source}")
    begin = f"{AID}{side}:"
    return sum(value or 0 for name, value in table.board.counters.items() if name.startswith(begin))


def points(table: Table, side: str) -> int:
    """14.1: the aid points that a side has left this turn."""
    return received(table, side) - table.board.counter(SPENT + side)


def receive(
    table: Table, side: str, given: int, *, source: str = "event", why: str, section: str
) -> None:
    """14.1: a side is given points, by a source or by an event."""
    table.counter(f"{AID}{side}:{source}", given, why=why, section=section)


def spend(table: Table, side: str, spent: int, *, why: str, section: str) -> None:
    """A side spends points, or loses them. It must have them."""
    if spent:
        table.counter(SPENT + side, spent, why=why, section=section)


def reset(table: Table) -> None:
    """14.1: at the end of a turn what is left is lost, and the AID cards go to what was played (INT-43)."""
    for name, value in list(table.board.counters.items()):
        if name.startswith((AID, SPENT)) and value:
            table.counter(name, -value, why="turn_over", section="14.1")
    for side in SIDES:
        for card in list(table.board.piles.get(deck.shown(side), ())):
            table.card(card, deck.shown(side), deck.played(side), why="turn_over", section="14.1")


USES = (CollectAid,)
ORDERS: tuple[type[Order], ...] = ()
