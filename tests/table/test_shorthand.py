"""Shorthand of wargamers, several orders on one line, and questions that a line of the service answers: as mails."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer
from pbem.games import find_game
from pbem.mail.envelope import make_address
from pbem.mail.room import MailRoom
from pbem.table.kit import load_kit
from pbem.table.shorthand import in_full
from tests.lines.test_lines import Campaign, arranged

DOMAIN = "pbem.example"
OTTOMAN: dict[str, Any] = {
    "who": "ottoman", "seats": 6, "scenario": "1517",
    "arrange": [
        {"turn": 2}, {"war": ["ottoman", "hapsburg"]}, {"hand": {"power": "ottoman", "cards": [1, 42, 31, 66]}},
        {"impulse": "ottoman"},
    ],
}  # fmt: skip
PROTESTANT: dict[str, Any] = {
    "who": "protestant", "seats": 6, "scenario": "1517",
    "arrange": [
        {"turn": 2}, {"religion": {"space": "wittenberg", "side": "protestant"}},
        {"reformer": {"reformer": "luther", "at": "wittenberg"}},
        {"hand": {"power": "protestant", "cards": [7, 85, 103, 90]}}, {"impulse": "protestant"},
    ],
}  # fmt: skip
SPAIN: dict[str, Any] = {
    "who": "spain", "seats": ["britain", "france", "prussia", "austria", "spain"],
    "arrange": [
        {"units": {"place": "german_states", "power": "spain", "army": 2, "control": 1}},
        {"units": {"place": "german_states", "power": "britain", "army": 1, "control": 1}},
        {"units": {"place": "africa", "power": "spain", "navy": 1}},
        {"counter": {"mainz": "german_states"}},
        {"action": {"active": "spain", "top": ["britain", "austria"], "bottom": ["spain", "france", "prussia"]}},
    ],
}  # fmt: skip
PRUSSIA: dict[str, Any] = {
    "who": "prussia", "seats": ["britain", "france", "prussia", "austria", "spain"],
    "arrange": [{"negotiation": {"war": 2, "opener": "britain"}}],
    "play": [
        {"britain": "DONE"}, {"france": "DONE"}, {"prussia": "DONE"}, {"austria": "DONE"}, {"spain": "DONE"},
        {"britain": "BID 2 A britain B prussia"}, {"france": "PASS"},
    ],
}  # fmt: skip
SITUATIONS = {
    "ottoman": ("here_i_stand", OTTOMAN),
    "protestant": ("here_i_stand", PROTESTANT),
    "spain": ("struggle_of_empires", SPAIN),
    "prussia": ("struggle_of_empires", PRUSSIA),
}


class Seat:
    """The seat of a situation that is asked, and the address that its player writes to."""

    def __init__(self, who: str, folder: Path):
        game, situation = SITUATIONS[who]
        clock = ManualClock()
        self.service = Service(Settings(var=folder, domain=DOMAIN, listen_port=0, clock_outage_minutes=10**6), clock)
        played = find_game(game)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(played, "set_up", arranged(played, situation), raising=False)
            self.campaign = Campaign(self.service, clock, situation, game)
        self.seat = self.campaign.seat(who)
        self.room = MailRoom(self.service, clerk=False)
        self.clock, self.numbers, self.begun = clock, count(1), self.campaign.event()

    def write(self, text: str) -> Answer:
        """Send a mail, and take back what came of it."""
        self.clock.advance(minutes=1)
        address = make_address(self.campaign.id, self.campaign.tokens[self.seat], DOMAIN)
        message = EmailMessage(policy=SMTP)
        message["From"], message["To"], message["Subject"] = f"{self.seat}@example.net", address, "Re: your move"
        message["Message-ID"] = f"<{next(self.numbers)}@example.net>"
        message.set_content(text)
        self.room.accept(message.as_bytes(), address, f"{self.seat}@example.net", self.clock.now())
        (row,) = self.service.inbox(self.campaign.id, 1)
        self.room.take_up()
        self.service.take_up(self.campaign.id)
        answer = self.service.answer(self.campaign.id, row["number"])
        assert answer is not None
        if self.campaign.event() > self.begun:
            self.service.rewind(self.campaign.id, self.begun, "to send another mail")
            self.begun = self.campaign.event()
        return answer


@pytest.fixture(scope="module")
def seats(tmp_path_factory: pytest.TempPathFactory) -> Any:
    made: dict[str, Seat] = {}

    def seat(who: str) -> Seat:
        if who not in made:
            made[who] = Seat(who, tmp_path_factory.mktemp(who))
        return made[who]

    yield seat
    for one in made.values():
        one.service.close()


def done(answer: Answer) -> list[str | None]:
    return [one.order for one in answer.lines if one.state in ("accepted", "queued")]


@pytest.mark.parametrize(
    ("who", "mail", "orders"),
    [
        ("ottoman", "#31 CP\nall Istanbul->Edirne\n1 cav Edirne\n",
         ["PLAY 31 FOR CP", "MOVE ALL FROM istanbul TO edirne", "BUILD cavalry IN edirne"]),
        ("ottoman", "31 cp: all Istanbul->Edirne; 1c Edirne\n",
         ["PLAY 31 FOR CP", "MOVE ALL FROM istanbul TO edirne", "BUILD cavalry IN edirne"]),
        ("ottoman", "31 cp, then 1 cav Edirne, and move all istanbul to edirne\n",
         ["PLAY 31 FOR CP", "BUILD cavalry IN edirne", "MOVE ALL FROM istanbul TO edirne"]),
        ("protestant", "85 ops: debate, german zone\n", ["PLAY 85 FOR CP", "CALL DEBATE IN german"]),
        ("spain", "k ill attack mainz w everything lol\n", ["ATTACK mainz IN german_states"]),
        ("spain", "ATT Mainz\n", ["ATTACK mainz IN german_states"]),
        ("spain", "atk Mainz, of course\n", ["ATTACK mainz IN german_states"]),
        ("spain", "j'attaque Mayence avec toutes mes forces, bien sûr\n", ["ATTACK mainz IN german_states"]),
        ("spain", "нападаю на майнц всем что есть\n", ["ATTACK mainz IN german_states"]),
        ("spain", "navy africa -> caribbean\n", ["MOVE navy FROM africa TO caribbean"]),
    ],
)  # fmt: skip
def test_shorthand_is_carried_out_as_full_lines(seats: Any, who: str, mail: str, orders: list[str]) -> None:
    answer = seats(who).write(mail)
    assert done(answer) == orders, [(one.line, one.state, one.reason, one.hints) for one in answer.lines]


@pytest.mark.parametrize(
    ("who", "mail"),
    [
        ("ottoman", "31 cp, or 42 for the event\n"),
        ("ottoman", "31 cp; 42 ev?\n"),
        ("ottoman", "not 31 cp: all Istanbul->Edirne\n"),
        ("ottoman", "#31 CP unless France is at war\n"),
        ("ottoman", "31 for cp\nhm no. give me until sunday\n"),
        ("ottoman", "31 cp\nхм, нет\n"),
        ("ottoman", "all Istanbul->Edirne\n"),
        ("spain", "attack mainz, or buy bavaria\n"),
        ("spain", "pass, attack mainz\n"),
        ("spain", "should I attack mainz; buy bavaria\n"),
        ("spain", "att mainz w/o the armies\n"),
        ("spain", "att mainz w everything but the kitchen sink\n"),
        ("spain", "build navy in the mediterranean w everything\n"),
        ("spain", "attack mainz, if that is all right with everyone\n"),
    ],
)
def test_what_leaves_something_open_is_not_carried_out(seats: Any, who: str, mail: str) -> None:
    assert done(seats(who).write(mail)) == []


@pytest.mark.parametrize(
    ("mail", "told"),
    [
        ("What does Roxelana say?\n", "CARD 42"),
        ("Let me see what Roxelana says before I decide.\n", "CARD 42"),
        ("Dear friends, what does Foul Weather do again?\n", "CARD 31"),
        ("а что делает карта 42?\n", "CARD 42"),
        ("que dit la carte 31 ?\n", "CARD 31"),
        ("whose turn is it?\n", "STATUS"),
        ("what can I do?\n", "STATUS"),
        ("à qui le tour ?\n", "STATUS"),
        ("чей ход?\n", "STATUS"),
        ("am I at war with the Hapsburgs?\n", "STATUS BOARD"),
    ],
)
def test_questions_are_answered_by_lines_that_only_tell(seats: Any, mail: str, told: str) -> None:
    (line,) = seats("ottoman").write(mail).lines
    assert (line.state, line.order) == ("told", told)


@pytest.mark.parametrize(
    "mail",
    [
        "what does Roxelana say if I play it for CP?\n", "what does Roxelana cost France?\n", "what do you think?\n",
        "what does the Sultan say?\n", "is my hand safe from the habsburgs?\n", "am I at war with the weather?\n",
        "whose turn is it to bring the beer?\n", "STATUS please, and what does Roxelana do?\n",
        "what does 42 do and 31?\n",
    ],
)  # fmt: skip
def test_other_questions_are_not_taken_for_these(seats: Any, mail: str) -> None:
    lines = seats("ottoman").write(mail).lines
    assert lines and not any(one.order or one.state in ("accepted", "queued") for one in lines)


@pytest.mark.parametrize(
    ("who", "mail", "line"),
    [
        ("prussia", "Three gold, and otherwise exactly as Britain proposes.\n", "BID 3 A britain B prussia"),
        ("prussia", "I raise by one but with the two of us swapped.\n", "BID 3 A prussia B britain"),
        ("prussia", "Je monte de 2, sinon comme la Grande-Bretagne propose.\n", "BID 4 A britain B prussia"),
        ("prussia", "повышаю на 2\n", "BID 4 A britain B prussia"),
    ],
)
def test_what_refers_to_the_position_is_asked_back_as_a_full_line(seats: Any, who: str, mail: str, line: str) -> None:
    answer = seats(who).write(mail)
    assert done(answer) == []
    assert line in [hint for one in answer.lines for hint in one.hints]


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("4r w/ Suleiman", ["4 regular with Suleiman"]),
        ("2c Algiers", ["2 cavalry Algiers", "2 corsair Algiers"]),
        ("4r w/o Suleiman", ["4 regular without Suleiman"]),
        ("#31 & 2nd", ["31 and 2nd"]),
        ("C3 3d 12th", ["C3 3d 12th"]),
        ("31 for cp", ["31 for cp"]),
        ("translate for 2cp", ["translate for 2 cp"]),
    ],
)
def test_letters_of_several_units_are_all_of_them(line: str, lines: list[str]) -> None:
    assert in_full(line, load_kit("here_i_stand")) == lines
