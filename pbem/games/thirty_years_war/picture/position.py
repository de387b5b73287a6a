"""What picture and text of Thirty Years War need of a view."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pbem.drawing import position as drawing
from pbem.drawing.colours import LIGHT
from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.map import SIDES, Atlas, atlas_of
from pbem.games.thirty_years_war.politics import bans
from pbem.games.thirty_years_war.turn import deck
from pbem.games.thirty_years_war.upkeep import aid, pay
from pbem.table.board import Board
from pbem.table.procedure import Table

NOBODY = LIGHT
NATIONS = (("danish", "denmark"), ("swedish", "sweden"), ("french", "france"), ("english", "england"))
"""What may enter the war, and by what word it is called."""


@dataclass
class Position(drawing.Position):
    """What picture and text need of a board of this game."""

    @cached_property
    def table(self) -> Table:
        """The view as a table, so that who holds what is worked out where the rules do."""
        return Table(Board(**self.view), self.kit)

    @cached_property
    def atlas(self) -> Atlas:
        return atlas_of(self.kit)

    # who

    @property
    def sides(self) -> tuple[str, ...]:
        return SIDES

    def colour(self, side: str | None) -> str:
        """The colour of a side; white for nobody's."""
        return self.kit.tables["sides"][side]["hex"] if side in SIDES else NOBODY

    def nation_colour(self, piece: str) -> str:
        return self.kit.tables["nations"][pieces.nation_of(self.table, piece)]["hex"]

    # spaces and regions

    @cached_property
    def holders(self) -> dict[str, str | None]:
        """Space -> the side that controls it, or None."""
        return {space: control.holder(self.table, space) for space in self.atlas.spaces}

    def held(self, region: str, side: str) -> int:
        """How many spaces of a region a side controls."""
        return sum(self.holders[space] == side for space in self.atlas.spaces_of[region])

    def region_state(self, region: str) -> str | None:
        """A side, ``neutral`` or ``closed``; None for a region that is nobody's."""
        return self.state.get(control.REGION + region)

    def loot(self, space: str) -> int:
        return self.state.get(control.LOOT + space, 0)

    def revolts(self, space: str) -> bool:
        return bool(self.state.get(control.REVOLT + space))

    def siege(self, space: str) -> dict[str, Any] | None:
        """The siege marker of a space: whose it is, and its value."""
        return self.state.get(f"siege:{space}")

    def siege_level(self, space: str) -> int:
        """13.13: the strength of the fortress and of what is inside."""
        inside = [piece for piece in pieces.pieces_at(self.table, space) if pieces.is_inside(self.table, piece)]
        return (self.atlas.spaces[space]["fort_strength"] or 0) + pieces.combat_factors(self.table, inside)

    # stacks

    @cached_property
    def stacks(self) -> list[tuple[str, str, list[str]]]:
        """Every stack: its space, its side, its pieces, leaders first; in the order of the kit."""
        there = []
        for space in self.atlas.spaces:
            for side in SIDES:
                stack = pieces.stack(self.table, space, side)
                if stack:
                    there.append((space, side, stack))
        return there

    def armies(self, side: str) -> tuple[list[tuple[str, list[str]]], list[tuple[str, list[str]]]]:
        """The stacks of a side with leaders, and those without, as space and pieces; the strongest first."""
        own = [(space, stack) for space, of, stack in self.stacks if of == side]
        own.sort(key=lambda entry: -self.strength(entry[1]))
        led = [entry for entry in own if pieces.is_leader(entry[1][0])]
        return led, [entry for entry in own if entry not in led]

    def units_in_brief(self, stack: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Units by nation and type, ``4M 3m``: so many full ones in a capital letter, reduced ones in a small one; and
        a piece of them."""
        groups: dict[tuple[str, str], list[str]] = {}
        for piece in stack:
            if pieces.is_unit(piece):
                key = (pieces.nation_of(self.table, piece), pieces.unit_type(self.table, piece))
                groups.setdefault(key, []).append(piece)
        for (_, kind), alike in groups.items():
            reduced = sum(pieces.is_reduced(self.table, piece) for piece in alike)
            letter = self.words[f"letter_{kind}"]
            parts = [f"{len(alike) - reduced}{letter.upper()}"] if len(alike) > reduced else []
            parts += [f"{reduced}{letter.lower()}"] if reduced else []
            yield " ".join(parts), alike[0]

    def units_in_words(self, stack: Iterable[str]) -> str:
        """Units as a list of words: full ones, and how many of them are reduced."""
        told = []
        groups: dict[str, list[str]] = {}
        for piece in stack:
            if pieces.is_unit(piece):
                groups.setdefault(pieces.kind_of(piece), []).append(piece)
        for kind, alike in groups.items():
            reduced = sum(pieces.is_reduced(self.table, piece) for piece in alike)
            less = f" ({reduced} {self.words['reduced']})" if reduced else ""
            told.append(self.teller.noun(len(alike), kind) + less)
        return ", ".join(told)

    def pair(self, what: str, how: str) -> str:
        """What is told of something, behind the colon of the language."""
        return f"{what}{self.words['colon']}{how}"

    def leader_name(self, piece: str, *, short: bool = False) -> str:
        """A leader's name; the short one fits on the map."""
        row = pieces.leader_row(self.table, piece)
        if short:
            column = {"en": "short", "fr": "short_fr", "ru": "short_ru"}.get(self.language, "short")
            if row[column]:
                return row[column]
        return self.name("leader", row["id"])

    def stars(self, piece: str) -> str:
        """A dynamic leader's stars."""
        return "*" * pieces.stars(self.table, piece)

    def ratings(self, piece: str) -> str:
        """A leader's ratings: activation, command, battle, loss; his siege rating if he has one."""
        row = pieces.leader_row(self.table, piece)
        told = f"{row['activation']}/{row['command']}/{row['battle']:+d}/{row['loss']}"
        return told + (f" {self.words['siege_short']}{row['siege']:+d}" if row["siege"] else "")

    def strength(self, stack: Iterable[str]) -> int:
        return pieces.combat_factors(self.table, stack)

    # money, cards and tracks

    def aid(self, side: str) -> list[tuple[str, bool, str]]:
        """The sources of aid of a side: whether it pays now, what it gave this turn and changes a card by."""
        lines = []
        for source in aid.sources(self.table, side):
            given, change = aid.received(self.table, side, source), aid.change(self.table, source)
            told = [str(given)] if given else []
            if change:
                told.append(f"{change:+d}".replace("-", "−") + f" {self.words['each_card']}")
            lines.append((source, aid.is_active(self.table, source), ", ".join(told)))
        return lines

    def aid_left(self, side: str) -> int:
        """14.1: the points that a side has this turn, less what was spent."""
        return aid.points(self.table, side)

    def pay(self, side: str) -> int:
        """15.12, 15.13: what it would cost to pay every unit of a side that is not paid where it stands and can be."""
        return sum(pay.rate(self.table, unit) for unit in pay.payable(self.table, side))

    def pile(self, name: str) -> int:
        return len(self.view["piles"].get(name, ()))

    def cards(self, side: str) -> str:
        """Hand and piles of a side, in numbers."""
        word = self.words
        parts = [
            (word["hand"], deck.hand(side)), (word["deck"], deck.deck(side)), (word["played"], deck.played(side)),
            (word["discarded"], deck.discarded(side)), (word["out"], deck.removed(side)),
        ]  # fmt: skip
        return " · ".join(f"{name} {self.pile(pile)}" for name, pile in parts)

    @property
    def vp(self) -> int:
        return self.view["counters"].get(score.VP) or 0

    def electors(self) -> dict[str, str | None]:
        """Elector -> the side that has him; {} before the game is laid out."""
        return control.electors(self.table) if self.state.get("palatine_elector") else {}

    def place_name(self, place: str) -> str:
        """The name of a space, region or card."""
        domain = next((d for d in ("space", "region", "card") if place in self.kit.labels[d]), "space")
        return self.name(domain, place)

    def situation(self) -> str:
        parts = [self.kit.title(self.language)]
        if self.state.get("turn"):
            years = self.kit.tables["turns"].get(str(self.state["turn"]), {}).get("years")
            parts.append(f"{self.words['turn']} {self.state['turn']}" + (f" ({years})" if years else ""))
        parts += [self.phase()] if self.phase() else []
        if self.state.get("round"):
            parts.append(f"{self.words['round']} {self.state['round']}")
        if self.state.get("active") in SIDES:
            parts.append(self.pair(self.words["active"], self.name("side", self.state["active"])))
        return ", ".join(parts)

    # what else is so

    def notes(self) -> list[tuple[str, str]]:
        """The national tracks and what else holds, as pairs of what and how."""
        word, state = self.words, self.state
        told = [(word["pope"], word.get(f"pope_{state.get('pope')}", "–"))]
        told.append((word["passes"], word.get(f"passes_{state.get('passes')}", "–")))
        influence = self.view["counters"].get("influence") or 0
        limit = self.kit.tables["numbers"]["wallenstein_limit"]["value"]
        status = word.get(f"wallenstein_{state.get('wallenstein')}", "–")
        told.append((self.name("leader", "wallenstein"), f"{status}, {word['influence']} {influence}/{limit}"))
        if state.get("saxony") in SIDES:
            told.append((self.name("region", "saxony"), self.name("side", state["saxony"])))
        told.append((self.name("region", "hungary"), word["rebellion"] if state.get("rebellion") else word["quiet"]))
        for nation, title in NATIONS:
            entered = state.get(f"entered:{nation}")
            at_war = word["out_of_war"] if entered is None else word["in_war"]
            told.append((word[title], f"{at_war} ({word['turn']} {entered})" if entered else at_war))
        if state.get("swedish_base"):
            told.append((word["swedish_base"], self.name("space", state["swedish_base"])))
        if state.get("palatine_elector"):
            told.append((word["palatine_elector"], self.name("region", state["palatine_elector"])))
        if state.get("conflict"):
            told.append((word["conflict"], word["kept_apart"]))
        if state.get("infant_deadline"):
            told.append((word["infant"], f"{word['turn']} {state['infant_deadline']}"))
        told += [(word["this_turn"], self.name("card", card)) for card in bans.of_this_turn(self.table)]
        return told
