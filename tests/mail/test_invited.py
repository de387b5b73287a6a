"""Mails of who was invited to a seat: a yes in his own words takes it, and nothing else does."""

from __future__ import annotations

import pytest

from pbem.campaign.service import Service
from tests.mail.conftest import DOMAIN, Game, Post, text_of


def test_who_was_invited_is_told_how_to_take_his_seat(game: Game, post: Post, service: Service) -> None:
    id = service.create("struggle_of_empires", 2, campaign="autumn", title="Autumn")
    token = service.invite(id, "seat1", "Dora", "dora@example.org")
    address = f"{id}+{token}@{DOMAIN}"
    for number, line in enumerate(("Sure, but only if Bob plays", "Shall I accept?", "HELP"), 1):
        post.write(address, line, sender="dora@example.org")
        answer = text_of([m for m in post.answers("dora@example.org") if m["In-Reply-To"]][number - 1])
        assert "ACCEPT INVITATION" in answer and "DECLINE INVITATION" in answer
        assert line == "HELP" or "ATTACK" not in answer
    post.write(address, "SET LANGUAGE greek", sender="dora@example.org")
    assert "SET LANGUAGE EN|FR|RU" in text_of([m for m in post.answers("dora@example.org") if m["In-Reply-To"]][3])
    post.write(address, "ACCEPT INVITATION", sender="dora@example.org")
    answer = text_of([m for m in post.answers("dora@example.org") if m["In-Reply-To"]][4])
    assert "The seat is yours. Seats taken now: 1 of 2; not yet: 2." in " ".join(answer.split())


@pytest.mark.parametrize(
    ("language", "body", "taken"),
    [
        ("en", "Accept", "The seat is yours"),
        ("en", "Hi,\n\nSure, I'm in!\nCan't wait to start.\n\nCheers,\nDora\n", "The seat is yours"),
        ("en", "I accept the invitation, thanks\n", "The seat is yours"),
        ("fr", "Bonjour,\nok je suis partant\n\nCordialement,\nDora\n", "La place est à vous"),
        ("fr", "accepte l'invitation", "La place est à vous"),
        ("fr", "D'accord, j'accepte !\n\nDora\n", "La place est à vous"),
        ("ru", "Да, согласна!\n\nDora\n", "Место ваше"),
        ("ru", "Принимаю приглашение", "Место ваше"),
        ("en", "oops typo - i accept the invitation\nset reports questions", "The seat is yours"),
        ("en", "Sorry for the delay, I accept the invitation!\n\nDora\n", "The seat is yours"),
        ("en", "accept invitaton", "The seat is yours"),
        ("fr", "Pardon pour le retard, j'accepte l'invitation", "La place est à vous"),
        ("ru", "Извините за задержку, принимаю приглашение", "Место ваше"),
        ("ru", "Привет, Анна! Спасибо за приглашение, принимаю.\nЯзык русский, пожалуйста.", "Место ваше"),
        ("en", "Accepted, thanks for having me.\n\nPaul", "The seat is yours"),
        ("en", "Thanks for inviting me, I'd love to join", "The seat is yours"),
        ("fr", "Bonsoir, merci pour l'invitation, j'accepte avec plaisir.", "La place est à vous"),
        ("fr", "Merci de m'avoir invité, je participe", "La place est à vous"),
        ("ru", "Спасибо, что позвали, я участвую", "Место ваше"),
    ],
)
def test_who_says_yes_to_an_invitation_in_his_own_words_has_the_seat(
    game: Game, post: Post, service: Service, language: str, body: str, taken: str
) -> None:
    id = service.create("struggle_of_empires", 2, campaign="autumn", title="Autumn")
    token = service.invite(id, "seat1", "Dora", "dora@example.org")
    address = f"{id}+{token}@{DOMAIN}"
    for text in (f"SET LANGUAGE {language}", body):
        post.write(address, text, sender="dora@example.org")
    answer = text_of([mail for mail in post.answers("dora@example.org") if mail["In-Reply-To"]][-1])
    assert taken in " ".join(answer.split()) and "ACCEPT INVITATION" in answer


@pytest.mark.parametrize(
    ("body", "zone", "left_out"),
    [
        ("accept invitation, and my timezone is Europe/Berlin", "Europe/Berlin", None),
        ("I accept the invitation. My time zone is Europe/Berlin.", "Europe/Berlin", None),
        ("J'accepte l'invitation, mon fuseau horaire est Europe/Paris", "Europe/Paris", None),
        ("Принимаю приглашение, мой часовой пояс Europe/Moscow", "Europe/Moscow", None),
        ("I accept the invitation, I live in Berlin", "UTC", "I live in Berlin"),
        ("I accept the invitation - give me France", "UTC", "give me France"),
    ],
)
def test_what_stands_beside_a_yes_to_an_invitation_is_done_or_told(
    game: Game, post: Post, service: Service, body: str, zone: str, left_out: str | None
) -> None:
    id = service.create("struggle_of_empires", 2, campaign="autumn", title="Autumn")
    token = service.invite(id, "seat1", "Dora", "dora@example.org", language="en")
    for text in ("SET LANGUAGE en", body):
        post.write(f"{id}+{token}@{DOMAIN}", text, sender="dora@example.org")
    answer = " ".join(text_of([m for m in post.answers("dora@example.org") if m["In-Reply-To"]][-1]).split())
    player = service.player(id, "seat1")
    assert service.status(id).seats["seat1"]["accepted"], answer
    assert player is not None and player["timezone"] == zone
    assert ("Left out" in answer) == (left_out is not None) and (left_out or "") in answer


@pytest.mark.parametrize(
    ("body", "language", "taken"),
    [
        ("Bonjour,\nok je suis partant\n\nCordialement,\nDora\n", "fr", "La place est à vous"),
        ("accepte l'invitation", "fr", "La place est à vous"),
        ("D’accord, j’accepte !\n\nDora\n", "fr", "La place est à vous"),
        ("Да, согласна!\n\nDora\n", "ru", "Место ваше"),
        ("Принимаю приглашение", "ru", "Место ваше"),
        ("Sure, I'm in!", "en", "The seat is yours"),
        ("ACCEPT INVITATION", "en", "The seat is yours"),
        ("SET LANGUAGE en\nПринимаю приглашение", "en", "The seat is yours"),
    ],
)
def test_the_language_of_a_yes_to_an_invitation_is_that_of_the_mails(
    game: Game, post: Post, service: Service, body: str, language: str, taken: str
) -> None:
    id = service.create("struggle_of_empires", 2, campaign="autumn", title="Autumn")
    token = service.invite(id, "seat1", "Dora", "dora@example.org")
    post.write(f"{id}+{token}@{DOMAIN}", body, sender="dora@example.org")
    answer = text_of([mail for mail in post.answers("dora@example.org") if mail["In-Reply-To"]][-1])
    assert taken in " ".join(answer.split())
    player = service.player(id, "seat1")
    assert player is not None and player["language"] == language


@pytest.mark.parametrize(
    "body",
    [
        "Sure!\nBut only if Bob plays.\n\nDora\n",
        "Yes, if it begins in May",
        "I'm not in",
        "no thanks",
        "Je suis partant\n\nMerci\nSauf si Jean joue\n",
        "je ne suis pas partant",
        "partant ?",
        "Да, но только с мая",
        "я не участвую",
        "ok",
        "I do not accept the invitation",
        "sorry - I accept the invitation if Bob plays",
        "I accept the invitation, when Bob has his answer",
        "I think - I accept the invitation",
        "Bob says, I accept the invitation",
        "I accept the invitation\nset reports questions\nBut only if Bob plays.",
        "No, I accept the invitation of others",
        "pardon, je n'accepte pas l'invitation",
        "Боб пишет, принимаю приглашение",
        "set reports questions",
        "SET LANGUAGE greek",
        "Hello, what is this?",
    ],
)
def test_no_a_question_or_a_condition_takes_no_seat(game: Game, post: Post, service: Service, body: str) -> None:
    id = service.create("struggle_of_empires", 2, campaign="autumn", title="Autumn")
    token = service.invite(id, "seat1", "Dora", "dora@example.org")
    post.write(f"{id}+{token}@{DOMAIN}", body, sender="dora@example.org")
    answer = text_of([mail for mail in post.answers("dora@example.org") if mail["In-Reply-To"]][-1])
    assert "The seat is yours" not in answer and "DECLINE INVITATION" in answer
    assert "Your seat is still open" in " ".join(answer.split())
