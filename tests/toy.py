"""A very small game with everything that the table offers: hidden hands, sealed answers, a response window, dice.

Two to four powers hold three hidden cards each. A round: all talk (a window); all choose a card, sealed; the cards are
shown; whoever played the highest may march one unit to the hill, where others may in turn ambush it (dice).
After three rounds the most units on the hill win.
"""

from __future__ import annotations

import functools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import resources
from pbem.table import orders
from pbem.table.kit import Kit, load_kit
from pbem.table.orders import Decline, Name, Number, Order, Refused
from pbem.table.procedure import Game, Procedure, Table
from pbem.table.questions import AllOf, InOrder, Question, Window

CARDS = [f"card_{n:02}" for n in range(1, 25)]

KIT = {
    "kit.toml": """
id = "toy"
name = "Toy"
version = "1"
files = ["standing.json"]
[seats]
minimum = 2
maximum = 4
table = "powers"
[tables.powers]
file = "powers.csv"
key = "id"
[tables.powers.columns]
id = "text"
name = "text"
source = "text"
[tables.cards]
file = "cards.csv"
key = "id"
[tables.cards.columns]
id = "text"
name = "text"
source = "text"
[tables.places]
file = "places.csv"
key = "id"
[tables.places.columns]
id = "text"
name = "text"
source = "text"
[domains.power]
table = "powers"
columns = { en = "name" }
[domains.card]
table = "cards"
columns = { en = "name" }
[domains.place]
table = "places"
columns = { en = "name" }
[scenarios.standard]
name = "Standard"
text = "Three rounds."
[questions]
default = { hours = 72 }
negotiation = { hours = 48, own_turn = true }
show = { hours = 72, own_turn = true }
march = { hours = 72, own_turn = true }
ambush = { hours = 72 }
discard = { hours = 72 }
round = { hours = 72 }
[constants]
rounds = 3
""",
    "standing.json": """{
"conditions": {
  "ambushed": {"value": "yes", "text": "Somebody ambushed your last march."},
  "sent_back": {"value": "yes", "text": "A unit of your last march was sent back."},
  "at": {"value": "place", "text": "You have units there."},
  "home": {"value": "number", "text": "Your units at home."}
},
"presets": {
  "never_ambush": {
    "text": "Let every march pass.", "orders": [{"kind": "ambush", "order": "DECLINE"}], "sensible": true},
  "quiet": {"text": "Say nothing and stay at home.", "orders": [
    {"kind": "negotiation", "order": "DONE"}, {"kind": "march", "if": "home <= 3", "order": "DEFAULT"}]}
}}""",
    "powers.csv": "id,name,source\n" + "".join(f"{p},{p.title()},rules\n" for p in ("red", "blue", "green", "black")),
    "cards.csv": "id,name,source\n" + "".join(f"{c},{c.replace('_', ' ')},rules\n" for c in CARDS),
    "places.csv": "id,name,source\nhill,Green Hill,rules\nhollow,Green Hollow,rules\ncafe,Café,rules\n",
}


class Show(Order):
    """Choose a card of your hand."""

    line = "SHOW {card}"
    card = Name("card")

    def check(self, table: Table, question: Question) -> None:
        if self.card not in table.board.piles[f"hand:{question.power}"]:
            raise Refused("that card is not in your hand", "2")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for card in table.board.piles[f"hand:{question.power}"]:
            yield cls(card=card)


class March(Order):
    """March units to a place."""

    line = "MARCH {number} TO {place} [FROM {origin}]"
    number = Number(1, 5)
    place = Name("place")
    origin = Name("place", optional=True)

    def check(self, table: Table, question: Question) -> None:
        if self.place != "hill":
            raise Refused("only the hill can be reached", "3", ["MARCH 1 TO hill"])
        if table.board.count("home", question.power, "unit") < self.number:
            raise Refused("you have not so many units at home", "3")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for number in range(1, 6):
            yield cls(number=number, place="hill")


class Ambush(Order):
    """Throw a die against the march; 5 and 6 send a unit back."""

    line = "AMBUSH"


class Done(orders.Done):
    """Nothing more to say in this window."""

    line = "DONE"
    gives_turn_away = False  # who has talked enough still chooses a card


class Toy(Game):
    """The game room; see the module's text."""

    id = "toy"
    orders = (Show, March, Ambush, Decline, Done)

    def powers(self, kit: Kit, scenario: str) -> list[str]:
        return list(kit.tables["powers"])

    def seats(self, kit: Kit, scenario: str, number: int, options: Any) -> None:
        return None

    def play_order(self, kit: Kit, scenario: str, seats: Any) -> list[str]:
        return [power for powers in seats for power in powers]

    def set_up(self, table: Table, scenario: str) -> None:
        for pile in ("deck", "discard"):
            for card in table.kit.tables["cards"] if pile == "deck" else ():
                table.card(card, None, pile)
        table.do({"fact": "sight", "name": "deck", "before": None, "after": "referee"})
        table.do({"fact": "sight", "name": "luck", "before": None, "after": "owner"})
        for power in table.board.powers:
            hand = f"hand:{power}"
            table.do({"fact": "sight", "name": hand, "before": None, "after": "owner"})
            table.move(power, "unit", 5, None, "home")
            table.count("luck", power, 0)
        table.set("round", 0)

    def turn(self, table: Table) -> int:
        return table.board.state["round"]

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        if table.board.state["round"] >= table.kit.constants["rounds"]:
            return None
        return "round", self.round(table)

    def round(self, table: Table) -> Procedure:
        powers = table.board.powers
        for power in powers:
            while len(table.board.piles.get(f"hand:{power}", [])) < 3:
                table.draw("deal", "deck", f"hand:{power}", sight=[power])
        yield Window([Question(p, "negotiation", [Done]) for p in powers])
        shown = yield AllOf(
            [Question(p, "show", [Show], default=lambda t, q: next(Show.candidates(t, q))) for p in powers]
        )
        for power, order in shown.items():
            table.card(order.card, f"hand:{power}", "discard")
        best = max(powers, key=lambda p: shown[p].card)
        table.tell("best", power=best, section="2")
        table.count("luck", best, 1)
        if table.board.count("home", best, "unit"):
            order = yield Question(best, "march", [March, Decline], default=Decline())
            if isinstance(order, March):
                yield from self.march(table, best, order)
        table.set("round", table.board.state["round"] + 1)

    def march(self, table: Table, power: str, order: March) -> Procedure:
        table.move(power, "unit", order.number, "home", "hill", why="march")
        others = [p for p in table.board.powers if p != power]
        answers = yield InOrder([Question(p, "ambush", [Ambush, Decline], default=Decline()) for p in others])
        for other, answer in answers:
            if isinstance(answer, Ambush):
                table.tell("ambush", power=other)
                if table.roll("ambush", other, 1)[0] >= 5:
                    table.move(power, "unit", 1, "hill", "home", why="ambush")
                    return

    def faults(self, table: Table) -> list[str]:
        cards = sum(len(pile) for pile in table.board.piles.values())
        return [] if cards == len(CARDS) else [f"{cards} cards"]

    def conditions(self, table: Table, power: str, question: Any, facts: Any) -> dict[str, Any]:
        marches = [place for place, fact in enumerate(facts) if fact.get("why") == "march" and fact["power"] == power]
        since = facts[marches[-1] :] if marches else []
        return {
            "ambushed": any(fact.get("what") == "ambush" and fact["fact"] == "happened" for fact in since),
            "sent_back": any(fact.get("why") == "ambush" for fact in since),
            "at": [place for place in ("hill", "home") if table.board.count(place, power, "unit")],
            "home": table.board.count("home", power, "unit"),
        }

    def results(self, table: Table) -> list[dict[str, Any]]:
        points = {p: table.board.count("hill", p, "unit") for p in table.board.powers}
        ranked = sorted(points, key=lambda p: -points[p])
        return [{"power": p, "points": points[p], "place": 1 + i, "notes": []} for i, p in enumerate(ranked)]

    def arrange(self, table: Table, name: str, value: Any) -> None:
        raise ValueError(f"there is no entry {name}")

    def matches(self, table: Table, name: str, value: Any) -> Any:
        raise ValueError(f"there is no entry {name}")

    def case_words(self) -> dict[str, list[str]]:
        return {"arrange": [], "expect": [], "phases": []}


GAME = Toy()


def write_kit(folder: Path) -> Path:
    """Write the toy's kit below a folder that PBEM_CONFIG may name; returns the folder."""
    home = folder / "games" / "toy"
    home.mkdir(parents=True, exist_ok=True)
    for name, text in KIT.items():
        (home / name).write_text(text, encoding="utf-8")
    return folder


def write_unfinished_kit(folder: Path, game: str) -> Path:
    """Write the kit of a published game as one in preparation, below a folder that PBEM_CONFIG may name; returns it."""
    home = folder / "games" / game
    shutil.copytree(resources.path(f"config/games/{game}"), home)
    text = (home / "kit.toml").read_text(encoding="utf-8")
    (home / "kit.toml").write_text(f'status = "in preparation"\n{text}', encoding="utf-8")
    return folder


@functools.cache
def kit() -> Kit:
    """The toy's kit."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_CONFIG", str(write_kit(Path(folder))))
        return load_kit("toy")


__all__ = ["GAME", "KIT", "Toy", "kit", "resources", "write_kit", "write_unfinished_kit"]
