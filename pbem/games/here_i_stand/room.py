"""The room: what there is of this game, part by part, and what it answers the table (`pbem.table.game.Game`).

Every part of the game stands in a list here; nothing is found by its name or by being imported somewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from pbem.games.here_i_stand import (
    cards,
    conversion,
    diet,
    diplomacy,
    draw,
    england,
    excommunication,
    faults,
    foreign_war,
    land,
    mary,
    naval,
    negotiation,
    new_world,
    packages,
    peace,
    picture,
    positions,
    religion,
    rulers,
    score,
    setup,
    spring,
    theses,
    victory,
    wars,
    winter,
)
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
from pbem.games.reformation import (
    action,
    battle,
    captives,
    choices,
    conditions,
    deployment,
    house,
    movement,
    sequence,
    siege,
    taken_units,
)
from pbem.games.reformation.house import HouseRules
from pbem.games.reformation.order_watch import OrderWatch
from pbem.table.facts import Fact
from pbem.table.kit import Kit
from pbem.table.orders import Order, Refused
from pbem.table.procedure import Game, Procedure, Table
from pbem.table.questions import Question

ID = "here_i_stand"

PHASES = {
    "theses": theses,
    "draw": draw,
    "diplomacy": diplomacy,
    "diet": diet,
    "spring": spring,
    "action": action,
    "winter": winter,
    "new_world": new_world,
    "victory": victory,
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
    diplomacy,
    diet,
    naval,
    religion,
    excommunication,
    religious_struggle,
    taken_units,
    mary,
    foreign_war,
    winter,
    new_world,
)
"""Where orders and actions are defined, in ``ORDERS`` and ``ACTIONS``, and how they come in help."""


def _listed(name: str) -> tuple[type[Order], ...]:
    found = [kind for chapter in CHAPTERS for kind in getattr(chapter, name, ())]
    return tuple(dict.fromkeys(found))


ACTIONS = _listed("ACTIONS")
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
    spaces_changed=victory.look,
    playable=cards.BOOK.playable_at,
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
    standard_vp=victory.standard_vp,
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


class HereIStand(Game):
    """*Here I Stand*, the edition with 110 cards; see the package's text."""

    id = ID
    rules = RULES
    picture = picture
    orders = tuple(dict.fromkeys((*_listed("ORDERS"), *ACTIONS)))

    def powers(self, kit: Kit, scenario: str) -> list[str]:
        """The six major powers in impulse order; all always play (3)."""
        return list(kit.constants["impulse_order"])

    def seats(self, kit: Kit, scenario: str, number: int, options: Mapping[str, Any]) -> list[list[str]] | None:
        """Who plays which powers with so many players (3.1)."""
        rows = [row for row in kit.tables["seatings"].values() if row["players"] == number]
        return [list(row["powers"]) for row in sorted(rows, key=lambda row: row["seat"])]

    def play_order(self, kit: Kit, scenario: str, seats: Sequence[Sequence[str]]) -> list[str]:
        """Impulse order (7), whoever sits where and holds what."""
        held = {power for powers in seats for power in powers}
        return [power for power in self.powers(kit, scenario) if power in held]

    def may_reorder(self, table: Table) -> bool:
        """Whether no round by impulse order is under way: deployments, or passes in a row."""
        return sequence.may_reorder(table)

    def order_watch(self, kit: Kit, seats: Sequence[Sequence[str]]) -> OrderWatch:
        """What follows the order of play from outside; see the module (9.3, 9.5)."""
        held = (power for powers in seats for power in powers)
        return OrderWatch(kit, held, asked=("peace", "excommunication"), told=("church_gift",))

    def set_up(self, table: Table, scenario: str) -> None:
        """Lay a scenario out."""
        setup.set_up(table, scenario)

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        """The step that comes next."""
        return sequence.next_step(table)

    def faults(self, table: Table) -> list[str]:
        """Invariants that the board breaks."""
        return faults.faults(table)

    def press_allowed(self, table: Table, sender: str, receivers: Sequence[str]) -> Refused | None:
        """Why a message may not be relayed now, or None when it may (9.1)."""
        return negotiation.press_allowed(table, sender, receivers)

    def conditions(
        self, table: Table, power: str, question: Question | None, facts: Sequence[Fact]
    ) -> dict[str, Any]:
        """What conditions of standing orders and programs may ask, as the power sees it."""
        return conditions.conditions(table, power, question, facts)

    def results(self, table: Table) -> list[dict[str, Any]]:
        """The ranking."""
        return victory.results(table)

    def seat_results(self, table: Table, seats: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
        """The ranking of players with one or several powers (3.1)."""
        return victory.seat_results(table, seats)

    def reasons(self, table: Table) -> list[dict[str, Any]]:
        """Why the VP stand as they do (23.2)."""
        return score.reasons(table)

    def arrange(self, table: Table, name: str, value: Any) -> None:
        """One entry of ``arrange`` of a case."""
        positions.arrange(table, name, value)

    def matches(self, table: Table, name: str, value: Any) -> Any:
        """One entry of ``expect`` of a case."""
        return positions.matches(table, name, value)

    def case_words(self) -> Mapping[str, Sequence[str]]:
        """The words of cases."""
        return positions.words(list(PHASES))


GAME = HereIStand()
