"""The room: what there is of this game, part by part, and what it answers the table (`pbem.table.game.Game`).

Every part of the game stands in a list here; nothing is found by its name or by being imported somewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from pbem.games.reformation import (
    action,
    battle,
    deployment,
    hands,
    house,
    movement,
    siege,
    taken_units,
)
from pbem.games.reformation.family import FamilyGame, Parts, listed
from pbem.games.reformation.house import HouseRules
from pbem.games.reformation.order_watch import OrderWatch
from pbem.games.virgin_queen import cards, choices, faults, picture, places, positions
from pbem.games.virgin_queen.cards import (
    affairs,
    camps_and_walls,
    combat,
    conversions,
    eastern_wars,
    home_cards,
    plots,
    preachers,
    responses,
    risings,
    rulers_and_tribute,
    seas,
    ships_and_islands,
    succession,
    troops,
    uprisings,
)
from pbem.games.virgin_queen.court import espionage, patronage, queens, weddings
from pbem.games.virgin_queen.diplomacy import negotiation, packages, segments, wars
from pbem.games.virgin_queen.new_world import colonies, fleet, ocean, piracy, treasures
from pbem.games.virgin_queen.powers import activated, foreign_war, league, majors, minors, ottoman
from pbem.games.virgin_queen.religion import conversion, rebellion
from pbem.games.virgin_queen.sequence import draw, impulse, leaders, setup, spring, winter
from pbem.games.virgin_queen.victory import conditions, score
from pbem.games.virgin_queen.war import armada, entry, land, naval
from pbem.table.kit import Kit
from pbem.table.procedure import Table

ID = "virgin_queen"

PHASES: dict[str, Any] = {
    "draw": draw,
    "diplomacy": segments,
    "spring": spring,
    "action": action,
    "winter": winter,
    "weddings": weddings,
    "patronage": patronage,
    "victory": conditions,
}
"""The phases in the book's order (7): `reformation.sequence` reads their ``SEGMENTS`` and ``happens``."""

CARDS: tuple[ModuleType, ...] = (
    combat,
    responses,
    conversions,
    troops,
    succession,
    home_cards,
    affairs,
    preachers,
    uprisings,
    camps_and_walls,
    rulers_and_tribute,
    seas,
    ships_and_islands,
    risings,
    plots,
    eastern_wars,
)
"""Where the cards are written, each a function (`cards.event`)."""

CHAPTERS: tuple[ModuleType, ...] = (
    choices,
    taken_units,
    home_cards,
    battle,
    movement,
    siege,
    deployment,
    land,
    action,
    impulse,
    segments,
    spring,
    leaders,
    naval,
    piracy,
    ocean,
    colonies,
    fleet,
    armada,
    conversion,
    rebellion,
    league,
    espionage,
    queens,
    weddings,
    patronage,
    minors,
    foreign_war,
    ottoman,
    eastern_wars,
    winter,
    conditions,
)
"""Where orders and actions are defined, in ``ORDERS`` and ``ACTIONS``, and how they come in help."""


ACTIONS = listed(CHAPTERS, "ACTIONS")
"""The kinds of action that CP may be spent on (11.1)."""


def _take_ransom(table: Table, power: str, captor: str) -> None:
    treasures.random_from_hand(table, power, captor, "ransom", section="9.3")


def _ransom_means(table: Table, power: str) -> int:
    return len(hands.drawable(table, power)) + len(treasures.of(table, power))


def _spaces_changed(table: Table) -> None:
    rebellion.capitals_captured(table)
    conditions.look(table)


RULES = HouseRules(
    cavalry_power=majors.OTTOMAN,
    allies_intercept=True,
    control_needs_no_foreigners=True,
    siege_retreat_only_to_own=True,
    barred=land.barred,
    builds_in=land.builds_in,
    never_there=entry.never_there,
    shelters=entry.shelters,
    entered=entry.entered,
    line_needs_no_ships=True,
    refuge_in_siege=True,
    no_interception_to_other_enemies=True,
    assault_barred=entry.assault_barred,
    blockade_asked=entry.blockade_asked,
    blockade_ship=2,
    assault_defence=entry.assault_defence,
    outsiders=combat.outsiders,
    assault_taken=responses.assault_taken,
    ships_leave=naval.ships_leave,
    naval_dice=naval.naval_dice,
    hits_ignored_at_sea=naval.hits_ignored,
    lost_ships_go=naval.lost_ships_go,
    reaction_bonus=naval.reaction_bonus,
    naval_reaction_bonus=naval.naval_reaction_bonus,
    blockade_weight=naval.blockade_weight,
    capitals=majors.capitals,
    why_not_war=wars.why_not,
    war_begins=wars.begin_war,
    attacks_at_new_war=wars.attacks_at_new_war,
    new_war_tie_beats_both=False,
    spaces_changed=_spaces_changed,
    playable=cards.BOOK.playable_at,
    answerable=cards.BOOK.answerable,
    play_card=cards.BOOK.play_card,
    of_moment=house.of_moment,
    book=cards.BOOK,
    after_step=treasures.take_up,
    after_ships_lost=armada.passengers_lost,
    settle=score.settle,
    points=score.points,
    give_by_ruling=score.give_by_ruling,
    victory_section="25",
    admin_rating=majors.admin_rating,
    why_not_action=impulse.why_not_action,
    event_noted=impulse.event_noted,
    paid=impulse.paid,
    extends=impulse.extends,
    extend=impulse.extend,
    never_peace=packages.never_peace,
    make_peace=packages.make_peace,
    why_not_allied=packages.why_not_allied,
    why_no_mercenaries=packages.why_no_mercenaries,
    mercenary_places=packages.mercenary_places,
    splits_gifts=True,
    mercenary_owner=packages.owner_in,
    why_no_deal=packages.why_no_deal,
    one_seat_agrees=True,
    capital_serves=majors.capital_serves,
    stranded_leader=lambda table, power: places.arrived(power),
    ransom_means=_ransom_means,
    take_ransom=_take_ransom,
    winters_by_distance=majors.winters_by_distance,
    leader_may_be=league.leader_may_be,
    ransom_section="9.3",
    draw_section="8.1",
    former_ally_chooses=lambda table: table.options["minor_homes"] == "former_ally",
    never_winters=(ottoman.MORISCOS, entry.KNIGHTS),
    winter_section="20.4",
    phases=PHASES,
    actions=ACTIONS,
)


class VirginQueen(FamilyGame):
    """*Virgin Queen*; see the package's text."""

    id = ID
    rules = RULES
    lends = True
    picture = picture
    orders = tuple(dict.fromkeys((*listed(CHAPTERS, "ORDERS"), *ACTIONS)))
    parts = Parts(
        set_up=setup.set_up,
        faults=faults.faults,
        press_allowed=negotiation.press_allowed,
        results=conditions.results,
        seat_results=conditions.seat_results,
        reasons=score.reasons,
        positions=positions.POSITIONS,
    )

    def follow(self, table: Table) -> None:
        """Who is activated is the ally of its controller, and who is inactive has no allies (3.2); VP are counted anew.
        """
        activated.put_right(table)
        super().follow(table)

    def lay_down(self, table: Table, power: str) -> None:
        """3.2: who loses control leaves nothing to the next one, and is its ally no more."""
        activated.lay_hand_down(table, power)
        activated.part_from_controller(table, power)

    def order_watch(self, kit: Kit, seats: Sequence[Sequence[str]]) -> OrderWatch:
        """What follows the order of play from outside; see the module."""
        return OrderWatch(kit, (power for powers in seats for power in powers))


GAME = VirginQueen()
