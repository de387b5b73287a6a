"""The order of play is the game's, never that of the seats; a campaign that was begun otherwise is put right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from pbem import games
from pbem.campaign import verify
from pbem.campaign.clock import ManualClock
from pbem.campaign.live import Live
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission
from pbem.cli import main
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.facts import BadFact, apply, apply_all, difference
from pbem.table.kit import Kit
from pbem.table.procedure import Table
from tests import toy

IMPULSE_ORDER = ["ottoman", "hapsburg", "england", "france", "papacy", "protestant"]
"""Here I Stand, 7: as the rulebook prints it."""

RIGHT = ["black", "green", "blue", "red"]


class Turned(toy.Toy):
    """The toy, played in the order of its own, which is not that of the seats."""

    id = "turned"

    def play_order(self, kit: Kit, scenario: str, seats: Any) -> list[str]:
        held = {power for powers in seats for power in powers}
        return [power for power in RIGHT if power in held]

    def may_reorder(self, table: Table) -> bool:
        return table.board.state["round"] != 1


games.register(Turned())


@pytest.fixture
def turned() -> Kit:
    return Kit.from_json(toy.kit().to_json().replace('"game":"toy"', '"game":"turned"'))


def founded(service: Service, game: str, seats: int, **more: Any) -> tuple[str, dict[str, str]]:
    campaign = service.create(game, seats, **more)
    tokens = {}
    for seat in service.status(campaign).seats:
        tokens[seat] = service.invite(campaign, seat, seat, f"{seat}@example.net")
        service.accept(campaign, seat)
    return campaign, tokens


def whole_board(service: Service, campaign: str) -> Board:
    return service.table_of(campaign, "seat1", lambda table, _: table.board.copy())


class OldTurned:
    """A campaign of the turned toy that an older program began, in the order of its seats."""

    def __init__(self, service: Service, kit: Kit, clock: ManualClock, monkeypatch: pytest.MonkeyPatch):
        self.service, self.clock = service, clock
        self.id, self.tokens = founded(service, "turned", 3, kit=kit)
        service.assign(self.id, {"seat1": "red", "seat2": "blue", "seat3": "green"})
        with monkeypatch.context() as old:
            old.setattr(
                Live, "play_order", lambda live: [p for h in live.campaign.seats.values() for p in h["powers"]]
            )
            service.start(self.id)

    def send(self, seat: str, *lines: str) -> None:
        sent = Submission(self.id, list(lines), self.clock.now(), "mail", token=self.tokens[seat])
        answer = self.service.submit(sent)
        assert answer.ok, answer

    def round(self) -> None:
        for seat in self.tokens:
            self.send(seat, "DONE")
        for seat, power in zip(self.tokens, ("red", "blue", "green"), strict=True):
            self.send(seat, f"SHOW {self.service.view_at(self.id, seat).piles[f'hand:{power}'][0]}")
        self.send(self.service.status(self.id).waiting_seats[0], "DECLINE")

    def kinds(self) -> list[str]:
        return [event["kind"] for event in self.service.events(self.id, None)]


@pytest.fixture
def old(service: Service, turned: Kit, clock: ManualClock, monkeypatch: pytest.MonkeyPatch) -> OldTurned:
    return OldTurned(service, turned, clock, monkeypatch)


@pytest.mark.parametrize("drawn", [True, False])
def test_a_campaign_is_played_in_the_order_that_the_game_says(service: Service, turned: Kit, drawn: bool):
    campaign, _ = founded(service, "turned", 3, kit=turned)
    if not drawn:
        service.assign(campaign, {"seat1": "red", "seat2": "black", "seat3": "blue"})
    service.start(campaign)
    powers = whole_board(service, campaign).powers
    assert powers == [power for power in RIGHT if power in powers] and len(powers) == 3
    assert service.view_at(campaign, None).powers == powers == service.view_at(campaign, "seat2").powers


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_here_i_stand_is_played_in_impulse_order_whoever_holds_what(tmp_path: Path, seats: int):
    service = Service(Settings(var=tmp_path, domain="example.org"), ManualClock())
    campaign, _ = founded(service, "here_i_stand", seats)
    held = service.assign(campaign)
    service.start(campaign)
    assert whole_board(service, campaign).powers == IMPULSE_ORDER
    assert sorted(power for powers in held.values() for power in powers) == sorted(IMPULSE_ORDER)
    service.close()


@pytest.mark.parametrize("seats", [2, 5, 7])
def test_struggle_of_empires_goes_round_as_the_players_sit(tmp_path: Path, seats: int):
    """2: the players are asked clockwise; so the seats count, whatever empires they drew."""
    service = Service(Settings(var=tmp_path, domain="example.org"), ManualClock())
    campaign, _ = founded(service, "struggle_of_empires", seats)
    held = service.assign(campaign)
    service.start(campaign)
    assert whole_board(service, campaign).powers == [held[f"seat{n + 1}"][0] for n in range(seats)]
    service.close()


def test_a_campaign_begun_in_the_order_of_its_seats_is_put_right_where_no_round_is_under_way(old: OldTurned):
    assert old.service.out_of_order(old.id)
    old.round()  # ends at round 1, where the game does not let the order change
    assert "reordered" not in old.kinds() and old.service.view_at(old.id, None).powers == ["red", "blue", "green"]
    old.round()
    assert old.kinds().count("reordered") == 1
    right = ["green", "blue", "red"]
    assert not old.service.out_of_order(old.id)
    assert whole_board(old.service, old.id).powers == right
    event = next(e for e in old.service.events(old.id, None) if e["kind"] == "reordered")
    assert event["facts"] == [{"fact": "reorder", "before": ["red", "blue", "green"], "after": right}]
    assert event["public"]["reason"].endswith("green, blue, red")
    assert old.service.status(old.id).kind == "negotiation", "the game goes on"
    old.round()
    assert old.service.status(old.id).state == "finished" and old.kinds().count("reordered") == 1


def test_the_operator_is_told_before_an_upgrade(old: OldTurned, monkeypatch: pytest.MonkeyPatch):
    if old.service.settings.store != "sqlite":
        pytest.skip("one store is enough for what is printed")
    old.service.project()
    monkeypatch.setenv("PBEM_VAR", str(old.service.settings.var))
    done = CliRunner().invoke(main, ["check-upgrade"])
    assert done.exit_code == 0 and f"ok      {old.id}" in done.output, done.output
    assert "it goes round in the order of its seats" in done.output


def test_all_are_told_that_the_order_was_put_right(old: OldTurned):
    old.round()
    old.round()
    old.service.project()
    outbox = old.service.store.tables.outbox
    with old.service.store.read() as connection:
        rows = connection.execute(select(outbox.c.seat, outbox.c.data).where(outbox.c.kind == "ruling")).all()
    assert {row.seat for row in rows} == {"seat1", "seat2", "seat3"}
    assert all("green, blue, red" in row.data for row in rows)


def test_what_everybody_reads_of_a_corrected_campaign_is_its_board_and_is_verified(old: OldTurned, tmp_path: Path):
    old.round()
    old.round()
    board = whole_board(old.service, old.id)
    for seat, powers in ((None, ()), ("seat1", ("red",)), ("seat3", ("green",))):
        seen = old.service.view_at(old.id, seat)
        assert seen.powers == board.powers and seen.tracks == sight.view(board, powers).tracks
    again = Service(old.service.settings, old.clock)
    assert whole_board(again, old.id) == board
    again.close()
    old.service.export(old.id, "seat1", tmp_path / "bundle.jsonl")
    assert verify.verify((tmp_path / "bundle.jsonl").read_bytes().splitlines(keepends=True)).throws


def test_a_rewind_before_the_correction_brings_the_old_order_back_until_it_is_put_right_again(old: OldTurned):
    asked_last = len(old.kinds())
    old.round()
    old.round()
    old.service.rewind(old.id, asked_last, "we want to play it again")
    assert whole_board(old.service, old.id).powers == ["red", "blue", "green"]
    old.round()
    old.round()
    assert whole_board(old.service, old.id).powers == ["green", "blue", "red"]
    assert old.kinds().count("reordered") == 2


def test_the_fact_names_every_power_once_and_the_difference_of_boards_holds_it():
    board = Board("toy", ["red", "blue"])
    with pytest.raises(BadFact, match="each of blue, red once"):
        apply(board, {"fact": "reorder", "before": ["red", "blue"], "after": ["red", "red"]})
    with pytest.raises(BadFact, match="is red, blue"):
        apply(board, {"fact": "reorder", "before": ["blue", "red"], "after": ["red", "blue"]})
    other = Board("toy", ["blue", "red"])
    assert apply_all(board.copy(), difference(board, other)) == other
