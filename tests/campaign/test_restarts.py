"""What is stored hangs on the stream and on what was sent, never on what a process remembers.

The same campaign is played twice, with the same secret of the dice and the same orders: by one process, and by one that
is taken over by another before every act. All events are the same, but for their salts.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission
from pbem.table.conditions import presets
from pbem.table.kit import Kit, load_kit
from tests import toy
from tests.campaign import counting

SECRET = b"the same secret of the dice both"
ID = "twice"
SILENCE = {"missed": "default"}
"""Silence is heard at once."""


class House:
    """A service that may be taken over by another process before every act."""

    def __init__(self, settings: Settings, taken_over: bool):
        self.settings, self.taken_over = settings, taken_over
        self.clock = ManualClock()
        self.service = self._open()
        self.tokens: dict[str, str] = {}

    def _open(self) -> Service:
        return Service(self.settings, self.clock, new_secret=lambda: SECRET)

    def act(self, do: Callable[[Service], Any]) -> Any:
        if self.taken_over:
            self.service.close()
            self.service = self._open()
        return do(self.service)

    def begin(self, game: str, seats: int, kit: Kit) -> House:
        self.act(lambda s: s.create(game, seats, campaign=ID, kit=kit, policy=SILENCE))
        for n in range(1, seats + 1):
            seat = f"seat{n}"
            self.tokens[seat] = self.act(lambda s, seat=seat: s.invite(ID, seat, seat, f"{seat}@example.net"))
            self.send(seat, "ACCEPT INVITATION")
        self.act(lambda s: s.start(ID))
        return self

    def send(self, seat: str, *lines: str, by_mail: bool = False) -> None:
        self.clock.advance(minutes=7)
        sent = Submission(ID, list(lines), self.clock.now(), "mail" if by_mail else "web", token=self.tokens[seat])
        if not by_mail:
            self.act(lambda s: s.submit(sent))
            return
        self.act(lambda s: s.receive(sent))
        self.act(lambda s: s.tick())

    def expire(self) -> None:
        deadline = self.service.status(ID).deadline
        assert deadline is not None
        self.clock.set(deadline)
        self.clock.advance(minutes=1)
        self.act(lambda s: s.tick())

    def events(self) -> list[Any]:
        """All that was stored, hidden parts too, without what is drawn anew for each event: salts, and hashes."""
        found = []
        for event in self.service.store.stored(ID):
            header = {k: v for k, v in event.sealed["header"].items() if k not in ("previous", "parts")}
            if header["kind"] == "opened":
                continue  # the salts themselves
            parts = {name: part["content"] for name, part in event.sealed["parts"].items()}
            found.append((header, parts, event.change, event.notes, event.submission))
        return found


def compare(tmp_path: Path, play: Callable[[House], None]) -> list[Any]:
    """Play it twice; returns the events of the first."""
    stored = []
    for taken_over in (False, True):
        folder = tmp_path / str(taken_over)
        folder.mkdir()
        house = House(Settings(var=folder, domain="example.org", play_snapshot_every=5), taken_over)
        play(house)
        stored.append(house.events())
        house.service.close()
    for one, other in zip(*stored, strict=True):
        assert one == other
    return stored[0]


def test_the_dice_of_a_standing_order_that_a_deadline_sets_off_are_the_same_after_a_restart(tmp_path):
    """A throw of an earlier act must not be what fixes them."""

    def play(house: House) -> None:
        house.begin("counting", 2, counting.kit())
        house.send("seat1", "SAY 3")
        house.send("seat2", "SAY 5")  # throws, in an act of its own
        house.send("seat2", "STANDING say: SAY 2")
        house.expire()  # throws nothing, and sets the standing order off

    events = compare(tmp_path, play)
    kinds = [header["kind"] for header, *_ in events]
    at = next(n for n in range(1, len(kinds)) if kinds[n] == "standing" and kinds[n - 1] == "expired")
    assert '"throws"' not in events[at - 1][1]["public"] and '"throws"' in events[at][1]["public"]


def test_what_the_moderator_does_sets_the_same_off_after_a_restart(tmp_path):
    def play(house: House) -> None:
        house.begin("toy", 3, toy.kit())
        powers = {seat: house.service.status(ID).seats[seat]["powers"][0] for seat in house.tokens}
        house.send("seat3", "STANDING ambush: AMBUSH")
        for n in range(2):
            house.act(lambda s: s.rule(ID, [{"fact": "count", "track": "luck", "power": "red", "after": 2}], "a slip"))
            house.act(lambda s: s.pause(ID, "a holiday"))
            house.act(lambda s: s.resume(ID))
            house.expire()
            for seat, power in powers.items():
                house.send(seat, f"SHOW {house.service.view_at(ID, seat).piles[f'hand:{power}'][0]}", by_mail=n == 1)
            marches = house.service.status(ID).event
            house.send(house.service.status(ID).waiting_seats[0], "MARCH 2 TO hill")
            house.act(lambda s, marches=marches: s.rewind(ID, marches, "once more"))
            house.act(lambda s: s.renew_dice(ID, "lost"))
            house.send(house.service.status(ID).waiting_seats[0], "MARCH 1 TO hill")
            if house.service.status(ID).kind == "ambush":
                house.expire()
            house.act(lambda s: s.correct_kit(ID, toy.kit(), "as it was"))
        house.act(lambda s: s.replace(ID, "seat2", "Another", "another@example.net"))
        house.act(lambda s: s.rewind(ID, None, "from the start of the step"))
        house.act(lambda s: s.finish(ID, "enough"))

    events = compare(tmp_path, play)
    assert any("given_by" in str(parts) for _, parts, *_ in events)
    kinds = {header["kind"] for header, *_ in events}
    assert kinds >= {"ruling", "rewound", "dice", "restarted", "finished"}


def random_answers(house: House, answers: int) -> None:
    """A random game of so many answers: the same orders each time, since they are chosen by what is asked alone."""
    chance = random.Random(3)
    for _ in range(answers):
        status = house.service.status(ID)
        if status.state != "running":
            return
        if chance.random() < 0.1:
            house.expire()
            continue
        seats = [(seat, [a for a in house.service.asked(ID, seat) if not a.answered]) for seat in house.tokens]
        seat, asked = chance.choice([(seat, asked) for seat, asked in seats if asked])
        one = chance.choice(asked)
        number = chance.random()

        def pick(table: Any, questions: Any, one: Any = one, number: float = number) -> str:
            question = next(q for q in questions if (q.power, q.key) == (one.power, one.key))
            return question.sample(table, random.Random(number)).text()

        line = house.service.table_of(ID, seat, pick)
        several = len({a.power for a in asked}) > 1
        house.send(seat, f"FOR {one.power}: {line}" if several else line, by_mail=chance.random() < 0.5)


@pytest.mark.parametrize(
    ("game", "seats", "answers", "preset"),
    [("toy", 3, 40, "never_ambush"), ("struggle_of_empires", 3, 25, None), ("here_i_stand", 4, 30, None)],
)
def test_a_random_game_is_the_same_with_a_restart_before_every_act(tmp_path, game, seats, answers, preset):
    kit = toy.kit() if game == "toy" else load_kit(game)
    chosen = preset or next(iter(presets(kit)), None)

    def play(house: House) -> None:
        house.begin(game, seats, kit)
        for seat in ("seat1", "seat3") if chosen else ():
            house.send(seat, f"STANDING PRESET {chosen}")
        random_answers(house, answers)

    assert len(compare(tmp_path, play)) > answers / 2

