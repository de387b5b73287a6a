"""Rulings of every kind, and going back over them: whatever was accepted can be undone, exactly, for every reader."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem import games
from pbem.campaign import rulings
from pbem.campaign.clock import ManualClock
from pbem.campaign.rulings import RulingRefused
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission
from pbem.table.facts import BadFact
from tests import toy

games.register(toy.GAME)
GAMES = ("toy", "struggle_of_empires", "here_i_stand")


class Table:
    """A running campaign of a game, a few orders into it."""

    def __init__(self, folder: Path, game: str):
        self.service = Service(Settings(var=folder / game, domain="example.org", play_snapshot_every=20), ManualClock())
        self.id = self.service.create(game, 3, kit=toy.kit() if game == "toy" else None)
        self.seats = ["seat1", "seat2", "seat3"]
        for seat in self.seats:
            self.service.invite(self.id, seat, seat, f"{seat}@example.net")
            self.service.accept(self.id, seat)
        self.service.start(self.id)
        self.opened = self.service.status(self.id).event
        self.answer(6)
        self.words = self.board()

    def answer(self, number: int) -> None:
        chance = random.Random(number)
        for _ in range(number):
            seat = chance.choice(self.service.status(self.id).waiting_seats)
            line = self.service.table_of(
                self.id, seat, lambda table, questions: chance.choice(questions).sample(table, chance).text()
            )
            self.service.submit(Submission(self.id, [line], self.service.clock.now(), seat=seat))

    def board(self) -> Any:
        with self.service.memory.reading(self.id) as found:
            return found.campaign.board_now()

    def plain(self) -> Any:
        board = self.board()
        plain = board.to_json()
        return {**plain, **{part: {k: v for k, v in plain[part].items() if v} for part in ("piles", "tracks")}}

    def read_all(self, event: int | None = None) -> None:
        """What every reader sees is folded from what he was told; it must fold."""
        for seat in (None, *self.seats):
            self.service.view_at(self.id, seat, event)
            self.service.events(self.id, seat, max(1, self.service.status(self.id).event - 5))


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Table]]:
    folder = tmp_path_factory.mktemp("rulings")
    made = {game: Table(folder, game) for game in GAMES}
    yield made
    for table in made.values():
        table.service.close()


_odd = st.sampled_from(["gold", "new", "hand:red", "x:y", "é", "?", "all", "owner"])
_value = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 999_999) | _odd,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_odd, inner, max_size=3), max_leaves=4,
)  # fmt: skip


@st.composite
def _facts(draw: Any, board: Any) -> dict[str, Any]:
    """A fact of any kind, of names that the board has and of others."""

    def one(names: Any) -> str:
        known = sorted(names)
        return draw(st.sampled_from(known) | _odd) if known else draw(_odd)

    def or_none(names: Any) -> str | None:
        return draw(st.none() | st.just(one(names)))

    cards = sorted({card for pile in board.piles.values() for card in pile})
    kinds = {kind for _, _, kind, _ in board.units_everywhere()}
    names = [*board.piles, *board.tracks]
    kind = draw(st.sampled_from(sorted(rulings.FORMS)))
    powers = st.lists(st.sampled_from(board.powers), max_size=2)
    fact: dict[str, Any] = {"fact": kind}
    if kind == "state":
        fact |= {"name": one(board.state), "after": draw(_value)}
    elif kind == "count":
        fact |= {"track": one(board.tracks), "power": one(board.powers), "after": draw(st.integers(-999_999, 999_999))}
    elif kind == "units":
        fact |= {"kind": one(kinds), "power": one(board.powers), "number": draw(st.integers(1, 3)),
                 "origin": or_none(board.units), "place": or_none(board.units)}  # fmt: skip
    elif kind == "piece":
        after = draw(st.none() | st.fixed_dictionaries({"at": _odd}, optional={"loyal": _value}))
        fact |= {"piece": one(board.pieces), "after": after}
    elif kind == "card":
        fact |= {"card": one(cards), "origin": or_none(board.piles), "place": or_none(board.piles)}
        if draw(st.booleans()):
            fact["to"] = draw(powers)
    elif kind == "show":
        fact |= {"cards": [one(cards)], "pile": one(board.piles), "to": draw(powers)}
    elif kind == "sight":
        fact |= {"name": one(names), "after": draw(st.sampled_from([None, "all", "owner", "referee", "odd"]))}
    elif kind == "open":
        fact |= {"name": one(names), "content": draw(st.none() | _value)}
    elif kind == "shuffle":
        fact |= {"pile": one(board.piles)}
    else:
        fact |= {"what": one(["battle"]), "free": draw(_value)}
    for extra in draw(st.lists(st.sampled_from(["why", "section", "before", "change", "to"]), max_size=1)):
        fact.setdefault(extra, draw(_value))
    return fact


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(data=st.data())
def test_over_any_ruling_that_is_accepted_any_rewind_goes(tables: dict[str, Table], game: str, data: Any) -> None:
    table, service = tables[game], tables[game].service
    before, event = table.plain(), service.status(table.id).event
    facts = [data.draw(_facts(table.words)) for _ in range(data.draw(st.integers(1, 3)))]
    ends = data.draw(st.booleans())
    try:
        service.rule(table.id, facts, "a try", ends_step=ends)
    except (ValueError, RulingRefused):
        assert table.plain() == before and service.status(table.id).event == event
        return
    table.read_all()
    if data.draw(st.booleans()):
        service.rewind(table.id, None, "to the start of the step")
        table.read_all()
    service.rewind(table.id, event, "undone")
    assert table.plain() == before
    table.read_all()


@pytest.mark.parametrize("fact", [
    {"fact": "count", "track": "gold", "power": "france", "after": 7},
    {"fact": "count", "track": "cards_held", "power": "nobody", "after": -3},
    {"fact": "state", "name": "weather", "after": {"wind": [1, 2]}},
    {"fact": "piece", "piece": "marker:new", "after": {"at": "paris", "age": 3}},
    {"fact": "sight", "name": "discard", "after": "referee"},
    {"fact": "sight", "name": "no_such_pile", "after": "owner"},
    {"fact": "happened", "what": "battle", "power": 7},
])  # fmt: skip
def test_a_name_that_there_was_not_is_taken_away_again(tables: dict[str, Table], fact: dict[str, Any]) -> None:
    table, service = tables["here_i_stand"], tables["here_i_stand"].service
    before, event = table.plain(), service.status(table.id).event
    service.rule(table.id, [fact], "a slip")
    ruled = service.status(table.id).event
    if fact["fact"] != "happened":
        assert table.plain() != before
    service.rewind(table.id, event, "undone")
    assert table.plain() == before
    table.read_all()
    table.read_all(ruled)
    service.rewind(table.id, ruled, "back again")
    table.read_all()
    service.rewind(table.id, table.opened, "to the beginning")
    table.read_all()
    service.rewind(table.id, event, "where it was")
    assert table.plain() == before


def test_a_hidden_number_that_a_ruling_made_goes_again_for_those_who_never_saw_it(tables: dict[str, Table]) -> None:
    table, service = tables["here_i_stand"], tables["here_i_stand"].service
    event, power = service.status(table.id).event, table.board().powers[0]
    facts = [{"fact": "sight", "name": "gold", "after": "owner"},
             {"fact": "count", "track": "gold", "power": power, "after": 7}]  # fmt: skip
    service.rule(table.id, facts, "a secret number")
    assert service.view_at(table.id).tracks["gold"] == {power: None}
    service.rewind(table.id, event, "undone")
    assert "gold" not in service.view_at(table.id).tracks
    table.read_all()


def test_a_pile_that_a_rewind_opens_shows_what_it_held_then_and_not_what_it_holds_now() -> None:
    from pbem.table import sight
    from pbem.table.board import Board
    from pbem.table.facts import apply_all, difference

    then = Board("toy", ["red"], piles={"deck": ["a", "b"]}, tracks={"gold": {"red": 1}})
    now = Board("toy", ["red"], piles={"deck": ["b", "c"]}, tracks={"gold": {"red": 9}},
                sight={"deck": "referee", "gold": "referee"})  # fmt: skip
    whole, seen = now.copy(), sight.view(now, ())
    for fact in difference(now, then):
        form = sight.seen_by(whole, fact, ())
        assert form is not None and "'c'" not in str(form) and form.get("before") != 9
        apply_all(whole, [fact])
        apply_all(seen, [form])
    assert whole == then and seen == then


@pytest.mark.parametrize("fact", [
    {"fact": "show", "cards": ["x"], "pile": "none", "to": []},
    {"fact": "open", "name": "none", "content": None},
    {"fact": "open", "name": "deck", "content": 5},
    {"fact": "count", "track": "vp", "power": "red", "after": 1, "before": 99},
])  # fmt: skip
def test_what_does_not_fit_the_board_is_refused_in_words(tables: dict[str, Table], fact: dict[str, Any]) -> None:
    table = tables["toy"]
    with pytest.raises(RulingRefused, match="does not fit the board"):
        table.service.try_ruling(table.id, [fact], "a try")
    with pytest.raises(BadFact):
        rulings.completed(table.board(), [fact])


@pytest.mark.parametrize("fact", [
    {"fact": "card", "card": "?", "origin": None, "place": "deck"},
    {"fact": "state", "name": "round", "after": 1, "to": ["red"]},
    {"fact": "units", "kind": "unit", "power": "red", "number": 1, "origin": None, "place": "hill", "to": ["red"]},
    {"fact": "happened", "what": "x", "why": ["y"]},
    {"fact": "happened", "what": "x", "section": {"a": 1}},
    {"fact": "shuffle", "pile": "deck", "forget": True},
    {"fact": "count", "track": "a", "power": "red", "after": 1, "gone": True},
])  # fmt: skip
def test_facts_of_a_wrong_form_are_refused(fact: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="fact 1"):
        rulings.check_facts([fact])


def test_a_state_that_no_picture_can_show_is_refused(tables: dict[str, Table]) -> None:
    table = tables["here_i_stand"]
    for name, value in sorted(table.board().state.items()):
        wrong = [[]] if not isinstance(value, list) else 7
        try:
            table.service.rule(table.id, [{"fact": "state", "name": name, "after": wrong}], "a slip")
        except RulingRefused:
            continue
        rulings.draw(table.board(), table.service.kit_of(table.id))
        table.service.rewind(table.id, table.service.status(table.id).event - 1, "undone")
