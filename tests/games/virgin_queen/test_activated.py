"""3.2: a power without a seat is played by who activated it: by mail, on the page, at deadlines; its hand is his."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pbem.campaign import verify
from pbem.games.virgin_queen.powers import activated, majors
from pbem.games.virgin_queen.room import GAME
from pbem.games.virgin_queen.sequence import draw, impulse, winter
from pbem.games.virgin_queen.victory import score
from pbem.rehearse import arrange
from pbem.table.board import Board
from pbem.table.dice import RandomThrows
from pbem.table.game import lay_out
from pbem.table.kit import load_kit
from pbem.table.procedure import Table
from pbem.web.app import create_app
from tests.games.virgin_queen.test_mail_play import Post, begin_with
from tests.mail.conftest import SmartHost, host

KIT = load_kit("virgin_queen")
FOUR = ["spain", "england", "france", "protestant"]
HUGUENOT_LENT, UPRISING = "61", "60"
AN_IMPULSE: list[tuple[str, Any]] = [
    ("hand", {"power": "ottoman", "cards": [int(HUGUENOT_LENT), int(UPRISING)]}),
    ("hand", {"power": "spain", "cards": [62]}),
    ("hand", {"power": "france", "cards": [63]}),
    ("impulse", {"power": "ottoman"}),
]
__all__ = ["host"]


class Four(Post):
    """A campaign of four, each with one power; all write English."""

    def found(self, **more: Any) -> None:
        self.id = self.service.create("virgin_queen", 4, **more)
        seats = list(self.service.status(self.id).seats)
        self.seats = dict(zip(FOUR, seats, strict=True))
        self.tokens = {
            power: self.service.invite(self.id, seat, power, f"{power}@example.org")
            for power, seat in self.seats.items()
        }
        for power in FOUR:
            self.write(power, "ACCEPT INVITATION")
        self.service.assign(self.id, {seat: power for power, seat in self.seats.items()})
        self.service.start(self.id)
        self.deliver()

    def asked(self, power: str) -> list[tuple[str, str]]:
        return [(ask.power, ask.kind) for ask in self.service.asked(self.id, self.seats[power]) if not ask.answered]

    def hand(self, power: str | None) -> list[str]:
        """The Ottoman hand, as a player or everybody sees it."""
        return self.service.view_at(self.id, power and self.seats[power]).piles["hand:ottoman"]


@pytest.fixture
def post(tmp_path, host: SmartHost, monkeypatch: pytest.MonkeyPatch) -> Iterator[Four]:
    begin_with(monkeypatch, AN_IMPULSE)
    made = Four(tmp_path, host)
    made.found()
    yield made
    made.close()


def name(card: str) -> str:
    return KIT.display("card", card)


def test_england_plays_the_ottoman_impulse_by_mail(post: Four) -> None:
    assert post.asked("england") == [("ottoman", "impulse")] and not post.asked("spain")
    begun = post.texts("england")[-1]
    assert "Ottoman" in begun and name(HUGUENOT_LENT) in begun
    (refused, *_) = post.write("spain", f"FOR ottoman: PLAY {UPRISING} FOR CP")
    assert "Ottoman" in refused and post.asked("england") == [("ottoman", "impulse")]
    (answer, *_) = post.write("england", f"FOR Ottoman: PLAY {UPRISING} FOR CP", "INFLUENCE ON venice")
    assert "no influence" in " ".join(answer.split()), "its controller does not spend its CP on influence"
    post.write("england", "FOR ottoman: BUILD regular IN istanbul")
    view = post.service.view_at(post.id)
    assert view.count("istanbul", "ottoman", "regular") == 6 and view.state["active"] == "spain"
    assert "Ottoman" in post.texts("spain")[-1]


def test_its_hand_is_read_by_its_controller_alone_in_mails_pages_and_bundles(post: Four, tmp_path) -> None:
    assert post.hand("england") == [HUGUENOT_LENT, UPRISING] and post.hand(None) == ["?", "?"]
    site = create_app(post.service, post.settings)
    for power in FOUR:
        mine = power == "england"
        assert (name(HUGUENOT_LENT) in " ".join(" ".join(post.texts(power)).split())) is mine, power
        assert (post.hand(power) == [HUGUENOT_LENT, UPRISING]) is mine, power
        pages = site.test_client()
        pages.get(f"/c/{post.id}/enter/{post.tokens[power]}")
        page = pages.get(f"/c/{post.id}/seat").get_data(as_text=True)
        assert (name(HUGUENOT_LENT) in page) is mine, power
        post.service.export(post.id, post.seats[power], tmp_path / power)
        verify.verify((tmp_path / power).open("rb"))


def test_silence_of_the_controller_answers_for_it_at_its_deadline(post: Four) -> None:
    deadline = post.service.status(post.id).deadlines[post.seats["england"]]
    post.clock.set(deadline)
    while post.asked("england") == [("ottoman", "impulse")]:
        post.clock.advance(hours=1)
        post.service.tick()
    expired = next(event for event in post.service.events(post.id) if event["kind"] == "expired")
    assert expired["public"]["missed"] == ["ottoman"]
    post.deliver()
    assert "Ottoman" in next(text for text in post.texts("england") if "in time" in text)


def test_its_orders_can_wait_in_a_program(post: Four) -> None:
    post.write("england", f"PLAY {UPRISING} FOR CP", "END IMPULSE",
               "NEXT", f"FOR ottoman: PLAY {HUGUENOT_LENT} FOR CP", "BUILD 2 regular IN istanbul")  # fmt: skip
    post.write("spain", "PLAY 62 FOR CP", "END IMPULSE")
    post.write("france", "PLAY 63 FOR CP", "END IMPULSE")
    view = post.service.view_at(post.id)
    assert view.count("istanbul", "ottoman", "regular") == 7, post.texts("england")[-1]
    assert not post.hand(None)


def test_a_standing_order_may_be_for_it_alone(post: Four) -> None:
    post.write("england", f"STANDING impulse: FOR ottoman: PLAY {HUGUENOT_LENT} FOR CP")
    post.write("england", f"PLAY {UPRISING} FOR CP", "END IMPULSE")
    post.write("spain", "PLAY 62 FOR CP", "END IMPULSE")
    post.write("france", "PLAY 63 FOR CP", "END IMPULSE")
    view = post.service.view_at(post.id)
    assert (view.state["active"], view.state["card"]) == ("ottoman", int(HUGUENOT_LENT)), "standing orders answered"


@pytest.fixture
def evaluated(tmp_path, host: SmartHost, monkeypatch: pytest.MonkeyPatch) -> Iterator[Four]:
    """France is about to play THE SUBLIME PORTE, and cannot but win the Ottoman from England."""
    begin_with(monkeypatch, [
        *AN_IMPULSE[:1], ("hand", {"power": "france", "cards": [22]}),
        ("state", {"influence": {"ottoman": {"france": 9}}}), ("impulse", {"power": "france"}),
    ])  # fmt: skip
    made = Four(tmp_path, host)
    made.found()
    yield made
    made.close()


def test_control_passes_with_all_that_is_asked_and_with_another_hand(evaluated: Four) -> None:
    post = evaluated
    post.write("england", "STANDING PRESET no_responses", f"STANDING impulse: FOR ottoman: PLAY {UPRISING} FOR CP")
    assert name(UPRISING) in " ".join(" ".join(post.texts("england")).split())
    before = len(post.texts("england"))
    post.write("france", "PLAY 22 FOR EVENT", "END IMPULSE")
    held = {power: post.service.status(post.id).seats[seat]["powers"] for power, seat in post.seats.items()}
    assert held == {"spain": ["spain"], "england": ["england"], "france": ["france", "ottoman"],
                    "protestant": ["protestant"]}  # fmt: skip
    assert len(post.hand("france")) == 2 and "?" not in post.hand("france")
    assert set(post.hand("england")) == {"?"} and not {HUGUENOT_LENT, UPRISING} & set(post.hand("france"))
    assert post.asked("england") == [], "its standing orders are for a power that it no longer plays"
    assert {power for power, _ in post.asked("france")} == {"ottoman"}
    told = " ".join(" ".join(post.texts("england")[before:]).split())
    assert "no longer plays the Ottoman" in told
    assert not any(name(card) in told for card in post.hand("france"))


def test_what_waits_for_a_power_that_another_plays_by_now_falls_and_is_told(evaluated: Four) -> None:
    post = evaluated
    post.write("england", "NEXT", f"FOR ottoman: PLAY {UPRISING} FOR CP", "END IMPULSE")
    post.write("france", "PLAY 22 FOR EVENT", "END IMPULSE")
    before = len(post.texts("england"))
    while not post.asked("england"):
        post.clock.advance(hours=24)
        post.service.tick()
    post.deliver()
    told = " ".join(" ".join(post.texts("england")[before:]).split())
    assert f"FOR ottoman: PLAY {UPRISING} FOR CP" in told and "Ottoman is not yours; you hold England" in told


# --- the rules, where no order is ---


def table_of(players: int = 4, **entries: Any) -> Table:
    """A table as the rules set it up, in a position, with dice by chance."""
    seats = GAME.seats(KIT, "1559", players, {})
    table = Table(Board(GAME.id, GAME.play_order(KIT, "1559", seats)), KIT, throws=RandomThrows(1), game=GAME)
    lay_out(GAME, table, "1559", seats)
    for word, value in entries.items():
        arrange(GAME, table, word, value)
    return table


def test_its_deal_goes_by_its_keys_without_a_rulers_bonus_and_it_keeps_no_cards() -> None:
    table = table_of()
    list(draw.deal(table))
    row = score.track_row(table, "ottoman")
    assert len(table.board.piles["hand:ottoman"]) == row["cards"] == draw.hand_size(table, "ottoman")
    assert majors.ruler(table, "ottoman") == {"id": None, "admin": 0, "bonus": 0}
    assert GAME.rules.admin_rating(table, "ottoman") == 0
    assert "hand:empire" not in table.board.piles, "an inactive power is dealt none"
    with_a_seat, without = table_of(6), table_of(activated={"empire": "france"})
    bonus = majors.ruler(with_a_seat, "empire")["bonus"]
    assert draw.hand_size(with_a_seat, "empire") == draw.hand_size(without, "empire") + bonus and bonus


def test_its_alliance_outlasts_the_winter_and_others_do_not() -> None:
    table = table_of(alliance=["france", "ottoman"])
    list(winter.alliances(table))
    assert table.board.state["allied"] == [["england", "ottoman"]]


def test_a_card_marker_of_a_wedding_waits_for_its_next_deal() -> None:
    table = table_of(5, state={"plus_cards": {"empire": 1, "france": 1}})
    list(draw.deal(table))
    assert table.board.state["plus_cards"] == {"empire": 1}
    base = draw.hand_size(table, "empire")
    arrange(GAME, table, "activated", {"empire": "spain"})
    list(draw.deal(table))
    assert len(table.board.piles["hand:empire"]) == base and "plus_cards" not in table.board.state


def test_its_vp_never_count() -> None:
    table = table_of()
    score.award(table, "ottoman", "piracy", 3)
    score.settle(table)
    assert "ottoman" not in table.board.state["vp_markers"] and "ottoman" not in table.board.tracks["vp"]
    assert [row["power"] for row in GAME.results(table)] == sorted(
        FOUR, key=lambda power: -table.board.value("vp", power)
    )
    assert not [row for row in GAME.reasons(table) if row["power"] == "ottoman"]


def test_a_power_that_an_earlier_program_activated_comes_into_play_with_the_next_draw() -> None:
    table = table_of(activated={"ottoman": "none"})
    table.set("minor_ally", {**table.board.state["minor_ally"], "ottoman": "france"})
    list(draw.characters(table))
    assert activated.controller_of(table, "ottoman") == "france"
    assert "ottoman" not in table.board.state["minor_ally"]


def test_types_of_action_that_it_lacks_are_those_of_the_kit() -> None:
    table = table_of(activated={"empire": "france"})
    barred = [action for action in KIT.tables["actions"] if impulse.why_not_action(table, "empire", action)]
    assert {KIT.tables["actions"][action]["type"] for action in barred} == set(KIT.constants["activated_never"])
    assert not any(impulse.why_not_action(table, "france", action) for action in barred)
