"""Finished campaigns played again: the answers and dice of a bundle in which all is open, fed to the rules of today."""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pbem import games
from pbem.campaign import ledger
from pbem.campaign.campaign import merge
from pbem.campaign.commands import addressee, read_line
from pbem.table.board import Board
from pbem.table.dice import RecordedThrows, ReplayMismatch
from pbem.table.facts import Fact, held_after
from pbem.table.game import lay_out
from pbem.table.kit import Kit
from pbem.table.orders import Refused, Unreadable
from pbem.table.procedure import Play, Table, thrown_record, without_asides


@dataclass(frozen=True)
class Difference:
    """An event of a bundle of which today's rules make something else, and the first fact that is not the same."""

    event: int
    order: str
    stored: str
    today: str


@dataclass(frozen=True)
class _Event:
    number: int
    kind: str
    public: dict[str, Any]
    order: dict[str, Any]
    facts: list[Fact]


def read(bundle: Path) -> list[_Event]:
    """The events of a bundle with all their facts, hidden ones included."""
    lines = gzip.decompress(bundle.read_bytes()).splitlines()
    events = [json.loads(line) for line in lines[1:-1]]
    opened = {}
    for event in events:
        for part in json.loads(event["parts"]["public"]["content"]).get("opened", ()):
            opened[part["number"], part["part"]] = json.loads(part["content"])
    found = []
    for event in events:
        number, public = event["header"]["number"], json.loads(event["parts"]["public"]["content"])
        hidden = opened.get((number, ledger.REFEREE), {}).get("facts", [])
        facts = merge(public.get("facts", []), hidden)
        found.append(_Event(number, event["header"]["kind"], public, opened.get((number, "order"), {}), facts))
    return found


def play_again(bundle: Path, kit: Kit, unasked: Collection[int] = ()) -> tuple[int, list[Difference]]:
    """How many events of a bundle today's rules play again, and those of which they make something else.

    Silence at a deadline is an answer too. It goes on after a difference as long as the rules take the next answer with
    its dice, or no longer ask for one of which nothing came; the last difference is then the answer that they no longer
    take. `unasked` are events that answer what today's rules do not ask: what came of each comes of the one before it.
    """
    events = read(bundle)
    created = events[0].public
    game, seats = games.find_game(created["game"]), dict[str, list[str]]()
    differences: list[Difference] = []
    count, play = 0, None
    for event, dice, gone_by in _moves(events, unasked):
        differences += [Difference(one.number, one.order["text"], "asked", "not asked") for one in gone_by]
        made: list[Fact] = []
        if event.kind == "assigned":
            seats = event.public["powers"]
            continue
        throws = RecordedThrows([thrown_record(fact) for fact in dice if fact["fact"] in ("roll", "draw")])
        try:
            if play is None:
                table = Table(Board(created["game"], event.public["powers"]), kit, created["options"], game=game)
                table.watch = lambda _, fact, made=made: made.append(fact)
                lay_out(game, table, created["scenario"], list(seats.values()))
                play = Play(game, table)
                play.start(throws)
            else:
                play.table.watch = lambda _, fact, made=made: made.append(fact)
                if event.kind == "expired":
                    play.expire(throws)
                else:
                    named, order = addressee(read_line(list(game.orders), event.order["text"], kit))
                    asked = [power for power in seats[event.order["seat"]] if play.question_for(power)]
                    if not asked:
                        differences.append(Difference(event.number, event.order["text"], "asked", "not asked"))
                        if dice:
                            return count, differences
                        continue  # it was asked for nothing, and nothing came of the answer
                    play.answer(named or asked[0], order, throws)
        except (Refused, Unreadable, ReplayMismatch, LookupError, ValueError) as error:
            return count, [*differences, Difference(event.number, event.order.get("text", ""), "accepted", str(error))]
        for fact in dice:
            seats = held_after(seats, fact) if fact["fact"] == "players" else seats
        count += 1
        both = _pairs(without_asides(dice), without_asides(made))
        pairs = ((_text(stored), _text(today)) for stored, today in both if stored != today)
        if first := next(pairs, None):
            differences.append(Difference(event.number, event.order.get("text", ""), *first))
    assert play is not None
    if not play.over:
        differences.append(Difference(events[-1].number, "", "the game is over", "it is not"))
    return count, differences


def _moves(events: Sequence[_Event], unasked: Collection[int]) -> Iterator[tuple[_Event, list[Fact], list[_Event]]]:
    """Events that go into the game, each with the facts that came of it: those of a round came of its last answer; and
    with the answers after it that nobody asks for any more, whose facts come of it as well."""
    moves: list[tuple[_Event, list[Fact], list[_Event]]] = []
    for event, after in zip(events, [*events[1:], None], strict=True):
        if event.kind not in ("assigned", "started", "order", "expired"):
            continue
        is_last = event.kind == "order" and after is not None and after.kind == "round"
        facts = event.facts + (after.facts if is_last and after is not None else [])
        if event.number in unasked:
            last, before, gone_by = moves[-1]
            moves[-1] = last, before + facts, [*gone_by, event]
        else:
            moves.append((event, facts, []))
    yield from moves


def _pairs(stored: list[Fact], today: list[Fact]) -> Iterator[tuple[Fact | None, Fact | None]]:
    longest = max(len(stored), len(today))
    filled = [facts + [None] * (longest - len(facts)) for facts in (stored, json.loads(json.dumps(today)))]
    yield from zip(*filled, strict=True)  # type: ignore[arg-type]


def _text(fact: Fact | None) -> str:
    return "no fact" if fact is None else json.dumps(fact, sort_keys=True)
