"""Talk of players who hold two powers each: they write as the power that may, and to those who may be written to. Over
real SMTP, in a whole campaign of Here I Stand for three."""

from __future__ import annotations

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.mail.room import MailRoom
from tests.mail.conftest import Game, Post, SmartHost, text_of

ENGLAND, HAPSBURG, FRANCE = "seat2", "seat1", "seat3"
NAMES = {"seat1": "Dan", "seat2": "Emma", "seat3": "Fabrice"}


def address(seat: str) -> str:
    return f"{NAMES[seat].lower()}@example.org"


@pytest.fixture
def post(service: Service, clock: ManualClock, room: MailRoom, host: SmartHost) -> Post:
    """Three players of two powers each, before England chooses with whom it talks first."""
    campaign = service.create("here_i_stand", 3, campaign="theses", title="Theses", scenario="1517")
    tokens = {}
    for seat, name in NAMES.items():
        tokens[seat] = service.invite(campaign, seat, name, address(seat))
        service.accept(campaign, seat)
    service.assign(campaign, {HAPSBURG: "hapsburg", ENGLAND: "england", FRANCE: "france"})
    service.start(campaign)
    game = Game(service, clock, campaign, tokens)
    while service.status(campaign).kind != "negotiation_order":
        seat = game.asked_seat()
        assert game.send(seat, game.legal_line(seat)).ok
    assert room.courier is not None
    service.project()
    room.courier.send_due()
    return Post(game, room, room.courier, host)


def mails_to(post: Post, seat: str) -> list[str]:
    return [" ".join(text_of(mail).split()) for mail in post.host.to(address(seat))]


def write(post: Post, seat: str, text: str) -> str:
    """What the service answers to a mail of a seat."""
    post.host.mails.clear()
    post.write(post.game.address(seat), text, sender=address(seat))
    return " ".join(text_of(post.answers(address(seat))[-1]).split())


def test_a_second_power_of_a_player_bars_no_talk(post: Post) -> None:
    write(post, ENGLAND, "CHOOSE POWER france\n")
    opening = next(mail for mail in mails_to(post, FRANCE) if "You may talk now" in mail)
    assert "You may talk now with England, by a line PRESS TO england: and your words" in opening
    write(post, ENGLAND, "PRESS TO france: shall we ally?\n")
    (message,) = [mail for mail in mails_to(post, FRANCE) if "shall we ally?" in mail]
    assert "PRESS TO england:" in message  # the answer, to the power that may be written to
    write(post, FRANCE, "PRESS TO england: gladly\n")
    (message,) = [mail for mail in mails_to(post, ENGLAND) if "gladly" in mail]
    assert "PRESS TO france:" in message
    for seat, to in ((HAPSBURG, "england"), (ENGLAND, "hapsburg"), (FRANCE, "papacy"), (ENGLAND, "ottoman")):
        assert "on turn 1 only England talks in private" in write(post, seat, f"PRESS TO {to}: psst\n")
    assert post.game.service.press(post.game.campaign, HAPSBURG) == []


def test_a_player_is_written_to_by_his_name(post: Post) -> None:
    write(post, ENGLAND, "CHOOSE POWER france\n")
    answer = write(post, ENGLAND, "Press to Fabrice: shall we ally?\n")
    assert "Understood as: PRESS TO france" in answer  # he holds the Ottoman too, who may not be written to now
    (message,) = post.game.service.press(post.game.campaign, FRANCE)
    assert (message["from"], message["to"], message["text"]) == (["england"], ["france"], "shall we ally?")
    assert "there is no power “Bertha”" in write(post, ENGLAND, "Press to Bertha: hello\n")


@pytest.mark.parametrize("end", ["DONE", "FOR england: DONE", "I'm done."])
def test_nobody_is_done_below_a_message_that_was_refused(post: Post, end: str) -> None:
    write(post, ENGLAND, "CHOOSE POWER france\n")
    answer = write(post, ENGLAND, f"Press to Bertha: one word first\nEND\n{end}\n")
    assert "there is no power “Bertha”" in answer and "the order before it was refused" in answer
    assert [one.answered for one in post.game.service.asked(post.game.campaign, ENGLAND)] == [False]
    assert "the order before it" not in write(post, ENGLAND, f"PRESS TO france: one word\nEND\n{end}\n")
    assert [one.answered for one in post.game.service.asked(post.game.campaign, ENGLAND)] == [True]


def test_all_are_written_to_whoever_holds_them(post: Post) -> None:
    write(post, ENGLAND, "CHOOSE POWER france\n")
    write(post, HAPSBURG, "PRESS TO all: good luck\n")
    assert [len(post.game.service.press(post.game.campaign, seat)) for seat in (ENGLAND, FRANCE)] == [1, 1]


def test_an_own_power_before_a_colon_says_for_whom_an_order_is(post: Post) -> None:
    write(post, ENGLAND, "CHOOSE POWER france\n")
    assert "PRESS TO france: done" not in write(post, ENGLAND, "France: done\n")  # a word of his own, not a message
    assert "PRESS TO france: shall we ally?" in write(post, ENGLAND, "France: shall we ally?\n")
    assert "Understood as: FOR england: DONE" in write(post, ENGLAND, "England: I'm done.\n")
    write(post, FRANCE, "DONE\n")
    write(post, ENGLAND, "DONE\n")
    write(post, HAPSBURG, "DONE\n")
    asked = {one.power: one.examples[0] for one in post.game.service.asked(post.game.campaign, HAPSBURG)}
    assert asked["hapsburg"].startswith("FOR hapsburg: COMMIT ")
    card = asked["hapsburg"].rpartition(" ")[2]
    answer = write(post, HAPSBURG, f"Charles: commit {card}\n")  # a leader may be spoken to
    assert "Not carried out" not in answer and f": commit {card}" not in answer.partition("Not understood")[2]
    answer = write(post, HAPSBURG, f"Hapsburgs: commit {card}\n")
    assert f"Understood as: {asked['hapsburg']}" in answer
    answered = {one.power: one.answered for one in post.game.service.asked(post.game.campaign, HAPSBURG)}
    assert answered == {"hapsburg": True, "papacy": False}
