"""12: a battle as procedures and cards see it: who fights, under whom, and what cards change of it.

A `Battle` holds names of pieces and what cards say, never counts: strengths are worked out when they are needed.
The function of a combat card gets the battle and the role of the side that plays it, and calls `Battle.affect`::

    fought.affect(card, role, DIE, 1)              # +1 on the die of the side that plays it
    fought.affect(card, other_role(role), COLUMN, -1)
    fought.affect(card, other_role(role), RATING)  # the enemy commander's rating counts 0
    fought.affect(card, other_role(role), NO_CARDS)
    fought.cancel("C50")

Its condition reads ``fought.force(role)`` and ``fought.enemy(role)`` (`Force`), and `units_of`, `leaders_of`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.map import atlas
from pbem.table.procedure import Table

ATTACKER, DEFENDER = "attacker", "defender"
ROLES = (ATTACKER, DEFENDER)

WON, LOST = "won", "lost"

FIELD, RELIEF, SORTIE = "field", "relief", "sortie"

DIE, COLUMN, RATING, NO_CARDS = "die", "column", "rating", "no_cards"


@dataclass
class Force:
    """One side of a battle: names of pieces."""

    role: str
    side: str
    units: list[str]
    """Those that fight; the attacker's are those that he commits (12.13)."""
    commander: str | None
    joined: list[str] = field(default_factory=list)
    """C 13.26: pieces that came out of the walls to fight beside a relief army."""
    cards: list[str] = field(default_factory=list)
    commanded_by: str | None = None
    """Who commands, by face; his battle rating and whether he has a star, as they were before he was tested."""
    rating: int = 0
    dynamic: bool = False
    due: int = 0
    """12.27: the loss factors that the other's die inflicts."""
    taken: int = 0
    """12.31: the loss factors that it takes of them."""
    whole: int = 0
    """12.32: the loss factors of all steps of its units before the losses."""


@dataclass
class Effect:
    """What a card does: to the die, the column or the commander's rating of a role, or that the role plays no cards."""

    source: str
    role: str
    what: str
    value: int = 0


@dataclass
class Battle:
    """A battle under way; cards change it by `affect` and `cancel`."""

    kind: str
    space: str
    attacker: Force
    defender: Force
    came_from: str | None
    """12.53: where the attacker entered from; None for a sortie, and where nobody came from anywhere (17.D.3)."""
    effects: list[Effect] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    killed: list[str] = field(default_factory=list)
    """Leaders killed by their test, by the face that they showed."""
    winner: str | None = None
    """The role that wins, known when the dice are."""
    won_by: str | None = None
    starved: bool = False
    """11.162: the attacker won and then lost his last unit for want of forage."""
    way_back: Any = None
    """12.5: what the loser answered, an order of `retreat`; None where he was not asked."""

    def force(self, role: str) -> Force:
        """The attacker's or the defender's."""
        return self.attacker if role == ATTACKER else self.defender

    def enemy(self, role: str) -> Force:
        """The other's."""
        return self.defender if role == ATTACKER else self.attacker

    def affect(self, source: str, role: str, what: str, value: int = 0) -> None:
        """A card takes effect: `source` is its id, `role` the one whose die, column, rating or cards it is about."""
        self.effects.append(Effect(source, role, what, value))

    def cancel(self, card: str) -> None:
        """A card has no effect in this battle, whether it was played already or is played later."""
        self.cancelled.append(card)

    def in_force(self, role: str, what: str) -> list[Effect]:
        """The effects of one sort on a role that no card cancels."""
        return [e for e in self.effects if (e.role, e.what) == (role, what) and e.source not in self.cancelled]


def other_role(role: str) -> str:
    """The enemy's role."""
    return DEFENDER if role == ATTACKER else ATTACKER


def described(table: Table, fought: Battle, role: str) -> dict[str, Any]:
    """A force as facts and contexts tell it: side, units, leaders, who commands, its combat factors."""
    force = fought.force(role)
    there = leaders_of(table, fought, role)
    return {
        "side": force.side,
        **pieces.described(table, [*there, *present(table, force.units)]),
        "commander": pieces.face_of(table, force.commander) if force.commander else None,
        "strength": strength(table, fought, role),
    }


def units_of(table: Table, fought: Battle, role: str) -> list[str]:
    """The units that fight on a side, those that joined a relief army with them."""
    return present(table, fought.force(role).units)


def present(table: Table, units: Sequence[str]) -> list[str]:
    """Those of some units that are still on the map: cards and rulings may take some away."""
    return [unit for unit in units if pieces.where(table, unit) in atlas(table).spaces]


def leaders_of(table: Table, fought: Battle, role: str) -> list[str]:
    """12.4: the leaders of the stack that fights, the commander first; of the garrison only those that came out."""
    force = fought.force(role)
    outside = pieces.leaders(table, fought.space, force.side, inside=False)
    return sorted(outside, key=lambda leader: leader != force.commander)


def strength(table: Table, fought: Battle, role: str) -> int:
    """12.22: the combat factors of the units that fight."""
    return pieces.combat_factors(table, present(table, fought.force(role).units))
