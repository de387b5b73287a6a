"""What the chapters ask of the room without knowing it: `room` puts it together, the table brings it to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pbem.games.reformation.cards import Book
from pbem.games.reformation.rules import Rules, no_steps
from pbem.table.asking import Moment
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Procedure, Table


class Phase(Protocol):
    """The module of a phase."""

    SEGMENTS: Sequence[tuple[str, Callable[[Table], Procedure]]]
    """Its segments by name, in the book's order."""

    def happens(self, table: Table) -> bool:
        """Whether the phase takes place in this turn."""


@dataclass(frozen=True)
class HouseRules(Rules):
    """The rules of this game, and where its parts are.

    ``phases``        the phases by name, in the book's order (7)
    ``actions``       the kinds of action that CP may be spent on (11.1)
    ``after_piracy``  what follows the dice of piracy: functions of table, zone and hits (16.4)
    ``book``          the cards (`pbem.games.reformation.cards`)
    ``settle(table)``
        bring the VP track up to date.
    ``points(table, power)``
        the VP of a power as the board stands.
    ``give_by_ruling(table, power, number)``
        give a power VP, or take them from it with a negative number, because a moderator rules so.
    ``standard_vp(table)``
        how many VP win at the end of a turn.
    ``victory_section``
        the section of the book on victory.
    ``after_step(table)``
        what is put right on the board after each step, before the VP are.
    ``admin_rating(table, power)``
        how many cards a power may keep when it passes (11).
    ``other_impulse(table, power)``
        the procedure that takes the place of a power's impulse (another acts for it), or None.
    ``before_pass(table, power)``
        procedure before a pass counts.
    ``acts_without_cp(table, power)``
        whether a power has an action left that costs nothing.
    ``why_not_action(table, power, action)``
        why a row of the table of actions may not be used now, whatever its own conditions say, or None.
    ``event_noted(table, power, card)``
        what is remembered of a card that a power plays as the event of its impulse.
    ``paid(table, power, action)``
        what is remembered of an action that was paid for.
    ``extends(table, power)``
        whether a power whose CP are spent may go on by other means (treasures).
    ``extend(table, power)``
        procedure: it goes on, by setting ``cp_left``, or not.
    ``never_peace(table, a, b)``, ``make_peace(table, a, b, section)``
        whether a war never ends by a deal; what ends it.
    ``why_not_allied(table, clause, package)``, ``why_no_mercenaries(table, taker)``
        why a deal may not hold this alliance, this gift, or None.
    ``mercenary_places(table, power, number)``, ``splits_gifts``, ``mercenary_owner(table, power, space)``
        where mercenaries that are given to a power may come; whether it may place some here, some there; whose counters
        they are.
    ``one_seat_agrees``
        whether a package needs no confirmation by powers that its announcer's player has besides.
    ``why_no_deal(table, a, b)``
        why two powers may announce no deal at all, whatever its clauses, or None.
    """

    phases: Mapping[str, Phase] = field(default_factory=dict)
    actions: tuple[type[Order], ...] = ()
    after_piracy: tuple[Callable[[Table, str, int], None], ...] = ()
    book: Book = field(default_factory=Book)
    settle: Callable[[Table], None] = lambda table: None
    points: Callable[[Table, str], int] = lambda table, power: 0
    give_by_ruling: Callable[[Table, str, int], None] = lambda table, power, number: None
    standard_vp: Callable[[Table], int] = lambda table: table.kit.scenarios[table.board.state["scenario"]]["victory_vp"]
    victory_section: str = "23"
    after_step: Callable[[Table], None] = lambda table: None
    admin_rating: Callable[[Table, str], int] = lambda table, power: 0
    other_impulse: Callable[[Table, str], Callable[[Table], Procedure] | None] = lambda table, power: None
    before_pass: Callable[..., Procedure] = no_steps
    acts_without_cp: Callable[[Table, str], bool] = lambda table, power: False
    why_not_action: Callable[[Table, str, str], Refused | None] = lambda table, power, action: None
    event_noted: Callable[[Table, str, str], None] = lambda table, power, card: None
    paid: Callable[[Table, str, str], None] = lambda table, power, action: None
    never_peace: Callable[[Table, str, str], bool] = lambda table, a, b: False
    make_peace: Callable[[Table, str, str, str], None] = lambda table, a, b, section: None
    why_not_allied: Callable[..., Refused | None] = lambda table, clause, package: None
    why_no_mercenaries: Callable[[Table, str], Refused | None] = lambda table, taker: None
    mercenary_places: Callable[[Table, str, int], list[str]] = lambda table, power, number: []
    splits_gifts: bool = False
    mercenary_owner: Callable[[Table, str, str], str] = lambda table, power, space: power
    one_seat_agrees: bool = False
    why_no_deal: Callable[[Table, str, str], Refused | None] = lambda table, a, b: None
    extends: Callable[[Table, str], bool] = lambda table, power: False
    extend: Callable[..., Procedure] = no_steps


def house(table: Table) -> HouseRules:
    """The rules of the game on the table."""
    return table.game.rules


ACTION_AT = {
    "any_time": "impulse",
    "event_declared": "event",
    "land_move": "move",
    "charles_moves": "move",
    "field_battle": "battle",
    "field_battle_cards": "battle",
    "field_battle_rolled": "battle",
    "assault": "assault",
    "assault_cards": "assault",
    "assault_rolled": "assault",
    "naval_move": "naval_move",
    "naval_roll": "naval_move",
    "naval_combat_cards": "naval_combat",
    "naval_combat_rolled": "naval_combat",
}
"""moment -> the kind of action that it belongs to, where that is not its own name"""


def of_moment(table: Table, moment: Moment) -> dict[str, Any]:
    """What a window says of its moment besides: the kind of action, and the CP left."""
    left = table.board.state.get("cp_left")
    return {"action": ACTION_AT.get(moment.name, moment.name), **({} if left is None else {"cp_left": left})}
