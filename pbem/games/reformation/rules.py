"""The parameters by which the games of this family differ. A game makes one `Rules`: its `Game.rules`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.reformation import hands
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table


def _always(table: Table, power: str, space: str) -> bool:
    return True


def no_steps(table: Table, *_: Any) -> Procedure:
    """A procedure with nothing to do."""
    return
    yield  # a procedure that asks nothing


def _not_barred(table: Table, power: str, what: str) -> Refused | None:
    return None


def _printed_capitals(table: Table, owner: str) -> Sequence[str]:
    row = table.kit.tables["powers"].get(owner)
    return row["capitals"] if row else ()


def _printed_dice(table: Table, kind: str, place: str) -> int:
    return table.kit.tables["units"][kind]["naval_dice"]


def _the_active_attacks(table: Table, a: str, b: str) -> str:
    return b if table.board.state.get("active") == b else a


@dataclass(frozen=True)
class Rules:
    """Flags and hooks of one game; its numbers are constants of its kit (the names are the same in both kits).

    ``siege_retreat_only_to_own``
        whether besiegers whose siege is broken may go only where no units but own and allied ones are (15.3).
    ``space_open(table, power, space)``
        whether land units of a power may be in a space at all (electorates before the league, spaces not in play).
    ``may_fight(table, power)``
        why a power has no land actions at all (the Protestant before the league has none), or None.
    ``barred(table, power, what)``
        why an action (``move``, ``assault``, ``naval``, ``piracy``) is barred for the rest of the impulse, or None.
    ``builds_in(table, power, kind, space)``
        why a kind of unit may not be built there, as far as the game's special places go, or None.
    ``may_respond(table, power)``
        whether a power may play combat and response cards at all.
    ``fresh_siege_assault(table, power, space, force)``
        whether a siege of this very impulse may be assaulted by the force.
    ``after_battle(table, space, kind, attacker)``
        procedure at the end of a field battle or an assault, retreats and sieges settled (defeat of a minor power);
        `kind` is ``field``, ``foreign_war`` or ``assault``.
    ``outsiders(table, battle)``
        the powers without units in a fight that may play a combat card in it all the same, by what all can see.
    ``assault_taken(table, battle, before)``
        procedure right after an assault has taken a space from who controlled it before (cards that answer to it).
    ``after_capture(table, space, before, power)``
        procedure when a fortified space fell: control is changed already.
    ``capitals(table, owner)``
        the capitals of a power or faction; those of the kit where they never change.
    ``capital_serves(table, capital, owner)``
        whether a capital of a major power is one for units and leaders of this owner, itself or on its side.
    ``refuge_in_siege``
        whether units that are displaced may come within the walls of a besieged space, as far as these have room.
    ``stranded_leader(table, power)``
        where a leader of a power goes who has to leave and has nowhere to go (its card); None: as near as can be.
    ``ships_leave(table, space, power)``
        procedure for ships that must leave a port which came under the control of `power`.
    ``new_land_unit(table, power, kind, space)``
        procedure after a land unit was built (a foreign war takes it).
    ``why_not_war(table, power, target)``
        why a power may not declare war on another one whatever the phase (the lasting restrictions), or None.
    ``war_begins(table, power, target)``
        procedure: two powers are at war from now on, with what follows at once (alliance, loans, fleets that meet).
    ``build_elsewhere(table, power)``
        where new land units of the power must go first (a foreign war), or None.
    ``spaces_changed(table)``
        what is looked for at once when control, religion or unrest of a space has changed (automatic victory).
    ``playable(table, power, moment)``
        the cards of a power's hand that may be played at a moment.
    ``answerable(table, moment)``
        whether any card of the game can be played at such a moment at all.
    ``play_card(table, power, card, moment)``
        procedure: the card takes effect as a response or combat card; its value tells the procedure that waits.
    ``of_moment(table, moment)``
        what a window says of its moment besides its name and power.

    ``ransom_refusable(table)``
        whether a captor is asked before a leader is bought free.
    ``ransom_means(table, power)``, ``take_ransom(table, power, captor)``
        how many things a ransom could take from a hand; what is drawn by chance from it.
    ``reaction_bonus(table, power)``, ``naval_reaction_bonus(table, force, origin, place)``
        what the game adds to the dice of interceptions and avoided battles: of a power, of a fleet (13.2, 16.1).
    ``blockade_weight(table, kind)``
        what a ship of a kind weighs where assaults ask who holds the sea (15.1).
    ``hits_ignored_at_sea(table, battle, side)``
        how many hits on a side cost no ships, though they count for the victory (16.2 step 8).
    ``lost_ships_go(table, owner, kind, number, place)``
        where ships that are lost at a place go: [(number, place)], the Turn Track as a rule.
    ``after_ships_lost(table, place)``
        what follows when ships were lost at a place (the Armada's troops).
    ``naval_dice(table, kind, place)``
        the dice of a ship of a kind in a naval combat at a place (16.2).
    ``attacks_at_new_war(table, a, b)``, ``new_war_tie_beats_both``
        of two powers that came to war while their fleets share a zone: who attacks; whether equal hits beat both.
    ``never_there(table, who, place, by_move)``
        why units of an owner, or a leader, may never come to a place, or None; `by_move`: by a move, naval move or
        transport of their own, not by a reaction, a retreat or a deployment.
    ``shelters(table, owner, space)``
        whether a space takes units, ships and leaders of an owner in that are displaced or go home for the winter.
    ``entered(table, power, force, place)``
        procedure: what follows at once when a force of a power has come into a space.
    ``line_needs_no_ships``
        whether enemy ships and leaders in a space bar a line of communication as well (12.1).
    ``no_interception_to_other_enemies``
        whether nobody intercepts into a zone where ships of another enemy of his lie (16.1).
    ``assault_barred(table, power, space, played)``
        why a space may not be assaulted though it is besieged long enough, or None; `played` the cards that the
        assaulting power has played in the assault, None before it: it may hold what it needs.
    ``blockade_asked(table, space)``
        whether the conditions of a blockade are asked of an assault there (15.1).
    ``blockade_ship``
        what an ordinary ship weighs there.
    ``assault_defence(table, power)``
        the dice that a power has as defender in an assault besides (15.1).
    ``leader_may_be(table, leader, space)``
        whether a leader may be in a space at all (the Duke of Guise outside France).
    ``winters_by_distance(table, power, owner)``
        whether units of an owner that act for a power and are too many for a fortress go on to the nearest one with
        room, having no capital (19.3).
    ``former_ally_chooses(table)``
        whether the former ally of a minor power says where its units go among equally near homes (24.4).
    ``never_winters``
        owners whose units never go home in winter.
    ``ransom_section``, ``draw_section``, ``winter_section``
        the sections of the book on ransom, on what comes in the Card Draw phase, on the way home in winter.

    ``card_section``
        the section that says when cards may be played.

    The last five are the `pbem.table.asking.CardRules`.
    """

    cavalry_power: str | None
    allies_intercept: bool
    control_needs_no_foreigners: bool
    siege_retreat_only_to_own: bool
    cavalry_kind: str = "cavalry"
    mercenary_kind: str = "mercenary"
    regular_kind: str = "regular"
    space_open: Callable[[Table, str, str], bool] = _always
    may_fight: Callable[[Table, str], Refused | None] = lambda table, power: None
    barred: Callable[[Table, str, str], Refused | None] = _not_barred
    builds_in: Callable[[Table, str, str, str], Refused | None] = lambda table, power, kind, space: None
    may_respond: Callable[[Table, str], bool] = lambda table, power: True
    fresh_siege_assault: Callable[..., bool] = lambda table, power, space, force: False
    after_battle: Callable[..., Procedure] = no_steps
    outsiders: Callable[..., Sequence[str]] = lambda table, battle: ()
    assault_taken: Callable[..., Procedure] = no_steps
    after_capture: Callable[..., Procedure] = no_steps
    capitals: Callable[[Table, str], Sequence[str]] = _printed_capitals
    capital_serves: Callable[[Table, str, str], bool] = lambda table, capital, owner: True
    refuge_in_siege: bool = False
    stranded_leader: Callable[[Table, str], str | None] = lambda table, power: None
    ships_leave: Callable[..., Procedure] = no_steps
    why_not_war: Callable[[Table, str, str], Refused | None] = lambda table, power, target: None
    war_begins: Callable[..., Procedure] = no_steps
    build_elsewhere: Callable[[Table, str], str | None] = lambda table, power: None
    spaces_changed: Callable[[Table], None] = lambda table: None
    playable: Callable[..., list[str]] = lambda table, power, moment: []
    answerable: Callable[..., bool] = lambda table, moment: True
    play_card: Callable[..., Procedure] = no_steps
    ransom_refusable: Callable[[Table], bool] = lambda table: table.options["ransom_refusable"]
    ransom_means: Callable[[Table, str], int] = lambda table, power: len(hands.drawable(table, power))
    take_ransom: Callable[[Table, str, str], None] = lambda table, power, captor: None
    reaction_bonus: Callable[[Table, str], int] = lambda table, power: 0
    naval_reaction_bonus: Callable[..., int] = lambda table, force, origin, place: 0
    blockade_weight: Callable[[Table, str], int] = lambda table, kind: 1 if kind == "squadron" else 0
    naval_dice: Callable[[Table, str, str], int] = _printed_dice
    hits_ignored_at_sea: Callable[..., int] = lambda table, battle, side: 0
    lost_ships_go: Callable[..., Sequence[tuple[int, str]] | None] = lambda table, owner, kind, number, place: None
    after_ships_lost: Callable[[Table, str], None] = lambda table, place: None
    attacks_at_new_war: Callable[[Table, str, str], str] = _the_active_attacks
    new_war_tie_beats_both: bool = True
    shelters: Callable[[Table, str, str], bool] = _always
    never_there: Callable[..., Refused | None] = lambda table, who, place, by_move: None
    entered: Callable[..., Procedure] = no_steps
    line_needs_no_ships: bool = False
    no_interception_to_other_enemies: bool = False
    assault_barred: Callable[..., Refused | None] = lambda table, power, space, played: None
    blockade_asked: Callable[[Table, str], bool] = lambda table, space: True
    blockade_ship: int = 1
    assault_defence: Callable[[Table, str], int] = lambda table, power: table.kit.constants["defender_bonus_dice"]
    leader_may_be: Callable[[Table, str, str], bool] = lambda table, leader, space: True
    winters_by_distance: Callable[[Table, str, str], bool] = lambda table, power, owner: False
    former_ally_chooses: Callable[[Table], bool] = lambda table: False
    never_winters: tuple[str, ...] = ()
    winter_section: str = "19.3"
    ransom_section: str = "9.4"
    draw_section: str = "8.2"
    card_section: str = "6.1"
    of_moment: Callable[..., dict[str, Any]] = lambda table, moment: {}


def rules(table: Table) -> Rules:
    """The parameters of the game on the table."""
    return table.game.rules
