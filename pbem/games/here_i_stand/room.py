"""The room: what there is of this game, part by part, and what it answers the table (`pbem.table.game.Game`).

Every part of the game stands in a list here; nothing is found by its name or by being imported somewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from pbem.games.here_i_stand import cards, faults, picture, positions
from pbem.games.here_i_stand.cards import (
    affairs,
    attempts_of_cards,
    combat,
    conversions_of_cards,
    foreign_wars,
    fountain_of_youth,
    hands_cards,
    inquisitions,
    minors_cards,
    new_world_cards,
    ottoman_cards,
    ports_and_ships,
    powers_and_rulers,
    religious_struggle,
    responses,
    revolts_and_raids,
    spring_cards,
    troops_cards,
    troubles_of_troops,
    unrest_cards,
    victory_points_cards,
)
from pbem.games.here_i_stand.diplomacy import negotiation, packages, peace, segments, wars
from pbem.games.here_i_stand.new_world import voyages
from pbem.games.here_i_stand.powers import england, excommunication, foreign_war, mary, rulers
from pbem.games.here_i_stand.religion import actions, conversion, diet, theses
from pbem.games.here_i_stand.sequence import draw, setup, spring, winter
from pbem.games.here_i_stand.victory import conditions, score
from pbem.games.here_i_stand.war import land, naval
from pbem.games.reformation import (
    action,
    battle,
    captives,
    choices,
    deployment,
    house,
    movement,
    siege,
    taken_units,
)
from pbem.games.reformation.family import FamilyGame, Parts, listed
from pbem.games.reformation.house import HouseRules
from pbem.games.reformation.order_watch import OrderWatch
from pbem.table.kit import Kit

ID = "here_i_stand"

PHASES = {
    "theses": theses,
    "draw": draw,
    "diplomacy": segments,
    "diet": diet,
    "spring": spring,
    "action": action,
    "winter": winter,
    "new_world": voyages,
    "victory": conditions,
}
"""The phases in the book's order (7): `sequence` reads their ``SEGMENTS`` and ``happens``."""

CARDS: tuple[ModuleType, ...] = (
    affairs,
    attempts_of_cards,
    combat,
    conversions_of_cards,
    foreign_wars,
    fountain_of_youth,
    hands_cards,
    inquisitions,
    minors_cards,
    new_world_cards,
    ottoman_cards,
    ports_and_ships,
    powers_and_rulers,
    religious_struggle,
    responses,
    revolts_and_raids,
    spring_cards,
    troops_cards,
    troubles_of_troops,
    unrest_cards,
    victory_points_cards,
)
"""Where the cards are written, each a function (`cards.event`)."""

CHAPTERS: tuple[ModuleType, ...] = (
    choices,
    battle,
    movement,
    siege,
    deployment,
    land,
    action,
    segments,
    diet,
    naval,
    actions,
    excommunication,
    religious_struggle,
    taken_units,
    mary,
    foreign_war,
    winter,
    voyages,
)
"""Where orders and actions are defined, in ``ORDERS`` and ``ACTIONS``, and how they come in help."""


ACTIONS = listed(CHAPTERS, "ACTIONS")
"""The kinds of action that CP may be spent on (11.1)."""

RULES = HouseRules(
    cavalry_power="ottoman",
    allies_intercept=True,
    control_needs_no_foreigners=True,
    siege_retreat_only_to_own=False,
    space_open=land.space_open,
    may_fight=land.may_fight,
    barred=land.barred,
    builds_in=land.builds_in,
    may_respond=england.may_respond,
    fresh_siege_assault=land.assault_at_once,
    after_battle=land.after_battle,
    after_capture=land.after_capture,
    ships_leave=naval.ships_leave,
    why_not_war=wars.why_not,
    war_begins=wars.begin_war,
    build_elsewhere=foreign_war.takes_new_units,
    spaces_changed=conditions.look,
    playable=cards.BOOK.playable_at,
    answerable=cards.BOOK.answerable,
    play_card=cards.BOOK.play_card,
    book=cards.BOOK,
    never_peace=peace.never_peace,
    make_peace=wars.make_peace,
    why_not_allied=packages.why_not_allied,
    why_no_mercenaries=packages.why_no_mercenaries,
    mercenary_places=packages.mercenary_places,
    winters_by_distance=lambda table, power, owner: power == score.PROTESTANT,
    take_ransom=captives.ransom_card,
    settle=score.settle,
    points=score.points,
    give_by_ruling=score.give_by_ruling,
    standard_vp=conditions.standard_vp,
    after_step=conversion.settle_electorates,
    admin_rating=rulers.admin_rating,
    other_impulse=mary.instead_of_england,
    before_pass=england.before_pass,
    acts_without_cp=land.free_assault_left,
    of_moment=house.of_moment,
    phases=PHASES,
    actions=ACTIONS,
    after_piracy=(victory_points_cards.julia_is_taken,),
)


class HereIStand(FamilyGame):
    """*Here I Stand*, the edition with 110 cards; see the package's text."""

    id = ID
    rules = RULES
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

    def order_watch(self, kit: Kit, seats: Sequence[Sequence[str]]) -> OrderWatch:
        """What follows the order of play from outside; see the module (9.3, 9.5)."""
        held = (power for powers in seats for power in powers)
        return OrderWatch(kit, held, asked=("peace", "excommunication"), told=("church_gift",))


GAME = HereIStand()
