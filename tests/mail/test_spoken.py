"""Lines of the service in the words of its players, and what ends their orders. Over real SMTP, in and out."""

from __future__ import annotations

from datetime import date

import pytest

from pbem.campaign.commands import read_line, read_lines
from pbem.campaign.days import read_day
from pbem.campaign.zones import zones_called
from pbem.games import find_game
from pbem.table import brief
from pbem.table.kit import load_kit
from pbem.table.orders import Unreadable
from tests.mail.conftest import Post, text_of

SAID = {
    "aide": "HELP",
    "Aide-moi, svp": "HELP",
    "aide construire": "HELP BUILD",
    "помощь": "HELP",
    "carte 31": "CARD 31",
    "покажи карту 31": None,
    "карту 31": "CARD 31",
    "карта 31?": "CARD 31",
    "my hand": "HAND",
    "What cards do I have?": "HAND",
    "Show me my cards please": "HAND",
    "ma main, svp": "HAND",
    "mes cartes": "HAND",
    "Quelles cartes ai-je ?": "HAND",
    "рука": "HAND",
    "мои карты": "HAND",
    "Какие у меня карты?": "HAND",
    "my hand is full": None,
    "ma main tremble": None,
    "мои карты хороши": None,
    "what cards do you have?": None,
    "CANCEL QUEUE?": None,
    "statut": "STATUS",
    "статус": "STATUS",
    "statut pv": "STATUS VP",
    "plateau": "STATUS BOARD",
    "plateau complet": "SET BOARD FULL",
    "je suis absent du 1er décembre au 10 décembre": "AWAY FROM 1er décembre TO 10 décembre",
    "отсутствую с 1 декабря по 10 декабря": "AWAY FROM 1 декабря TO 10 декабря",
    "Меня не будет с 5 по 12 декабря": "AWAY FROM 5 декабря TO 12 декабря",
    "je serai absent du 5 au 12 décembre": "AWAY FROM 5 décembre TO 12 décembre",
    "away dec 5 to 12": "AWAY FROM dec 5 TO 12 dec",
    "away 1 dec to 10 dec": "AWAY FROM 1 dec TO 10 dec",
    "de retour": "AWAY OFF",
    "SET LANGUAGE français": "SET LANGUAGE FR",
    "langue : anglais": "SET LANGUAGE EN",
    "язык русский": "SET LANGUAGE RU",
    "fuseau paris": "SET TIMEZONE paris",
    "часовой пояс Москва": "SET TIMEZONE Москва",
    "отчёты ежедневно в 18": "SET REPORTS DAILY AT 18",
    "message à l'Angleterre : salut": "PRESS TO l'Angleterre: salut",
    "ПИСЬМО Франции и Англии: привет": "PRESS TO Франции и Англии: привет",
    "ordres permanents": "STANDING LIST",
    "отмени постоянный приказ 2": "CANCEL STANDING 2",
    "очередь": "QUEUE",
    "vide la file": "CANCEL QUEUE",
    "annule ma file": "CANCEL QUEUE",
    "clear my queue": "CANCEL QUEUE",
    "Please clear my queue, I changed my mind": "CANCEL QUEUE",
    "annule ma file, j'ai changé d'avis": "CANCEL QUEUE",
    "убери очередь, передумал": "CANCEL QUEUE",
    "Отмени, пожалуйста, очередь.": "CANCEL QUEUE",
    "clear my queue?": None,
    "clear my queue if Charles attacks": None,
    "передумал, не отменяй очередь": None,
    "I changed my mind": None,
    "encore une fois": "AGAIN",
    "соль моя соль": "SALT моя соль",
    "situation difficile pour moi": None,
    "carte de France jointe": None,
    "message: bonjour": None,
    "письмо пришло: спасибо": None,
    "plateau de fruits": None,
}


@pytest.mark.parametrize("line", SAID)
def test_a_line_of_the_service_is_understood_in_its_players_words(line: str) -> None:
    kinds, kit = list(find_game("here_i_stand").orders), load_kit("here_i_stand")
    if (expected := SAID[line]) is not None:
        assert read_line(kinds, line, kit).text() == expected
    else:
        with pytest.raises(Unreadable):
            read_line(kinds, line, kit)


@pytest.mark.parametrize(
    ("said", "zones"),
    [
        ("paris", ["Europe/Paris"]), ("Москва", ["Europe/Moscow"]), ("new york", ["America/New_York"]),
        ("france", ["Europe/Paris"]), ("Londres", ["Europe/London"]), ("europe/berlin", ["Europe/Berlin"]),
        ("nowhere", []),
    ],
)  # fmt: skip
def test_a_city_or_a_country_is_a_time_zone(said: str, zones: list[str]) -> None:
    assert zones_called(said) == zones


def test_a_country_of_several_time_zones_is_asked_back() -> None:
    assert {"America/New_York", "America/Los_Angeles"} <= set(zones_called("USA"))


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2026-12-01", date(2026, 12, 1)), ("1er décembre", date(2026, 12, 1)), ("5 déc.", date(2026, 12, 5)),
        ("12 августа", date(2027, 8, 12)), ("Aug 1st", date(2027, 8, 1)), ("1.12.", date(2026, 12, 1)),
        ("3/4/2027", None), ("31 feb", None), ("tomorrow", None),
    ],
)  # fmt: skip
def test_days_are_read_as_people_write_them(said: str, day: date | None) -> None:
    assert read_day(said, date(2026, 11, 28)) == day


def answer(post: Post, seat: str, body: str) -> str:
    """What the answer to a mail of a seat says."""
    post.host.mails.clear()
    post.write(post.game.address(seat), body, sender=f"{seat}@example.org")
    (mail, *_) = post.answers(f"{seat}@example.org")
    return f"{mail['Subject']}\n" + " ".join(text_of(mail).split())


def test_a_french_and_a_russian_mail_ask_and_write_in_their_own_words(post: Post) -> None:
    assert "Understood as: STATUS" in answer(post, "seat1", "Bonjour,\nstatut\nmerci")
    assert "Understood as: HELP" in answer(post, "seat1", "помощь")
    assert "Accepted" in answer(post, "seat2", "message à Prusse : bonjour\n\ntu vas bien ?")
    (mail,) = [one for one in post.answers("seat3@example.org") if "message" in one["Subject"].lower()]
    assert "> bonjour\n>\n> tu vas bien ?\n" in text_of(mail).replace("\r", "")


def test_a_time_zone_that_may_be_several_is_asked_back_with_whole_lines(post: Post) -> None:
    told = answer(post, "seat1", "SET TIMEZONE usa")
    assert "several time zones" in told and "SET TIMEZONE America/New_York" in told


@pytest.mark.parametrize("said", ["that's all", "fin", "j'ai fini", "готово", "c'est tout, merci"])
def test_who_says_that_he_has_no_more_orders_is_asked_what_shall_end(post: Post, said: str) -> None:
    seat = post.game.asked_seat()
    told = answer(post, seat, f"{post.game.legal_line(seat)}\n{said}")
    assert "Not accepted" not in told and "Not understood" not in told
    assert f"> {said.removesuffix(', merci')}" in told  # never dropped without a word


def ends_orders(line: str) -> bool:
    """Whether a line says no more than that no further orders come."""
    return brief.finishes(line, load_kit("virgin_queen"))


@pytest.mark.parametrize(
    "line",
    [
        "Et voilà, terminé.", "That's it, done.", "Вот и всё, готово.", "Voilà, j'ai fini", "So, done then",
        "Right, that's me done", "Ну вот, готово", "Voilà, c'est tout pour moi",
    ],
)  # fmt: skip
def test_words_of_relief_beside_the_end_of_orders_say_nothing_else(line: str) -> None:
    assert ends_orders(line)


@pytest.mark.parametrize(
    "line",
    ["Et voilà.", "That's it?", "Well done!", "Voilà Paris, terminé", "That's not it, not done", "Вот ещё не готово"],
)
def test_praise_and_what_is_not_at_its_end_end_no_orders(line: str) -> None:
    assert not ends_orders(line)


def test_an_unknown_word_is_answered_with_what_is_asked_now_and_not_with_every_verb(post: Post) -> None:
    seat = post.game.asked_seat()
    other = next(one for one in post.game.tokens if one != seat)
    for who in (seat, other):
        told = answer(post, who, "wibble army AT india").split("What would be right:")[1].split("Place a unit")[0]
        assert "COLONISE" not in told and "PRESS TO" in told and "HELP" in told
        assert ("PLACE army" in told) == (who == seat)
    assert "- PLACE army AT india" in answer(post, other, "PLASE army AT india")


@pytest.mark.parametrize(
    ("message", "end"),
    [
        ("PRESS TO france: hello", "done"),
        ("Message à la France : bonjour", "Fin"),
        ("Message à la France : bonjour", "TERMINÉ"),
        ("Сообщение Франции: привет", "Конец"),
        ("Сообщение Франции: привет", "Готово"),
    ],
)
@pytest.mark.parametrize("game", ["here_i_stand", "struggle_of_empires"])
def test_below_a_message_a_word_for_its_end_is_asked_back_with_end_and_done(game, message, end):
    _, asked = read_lines(list(find_game(game).orders), [message, end], load_kit(game))
    assert asked.problem is not None
    assert asked.problem.hints == ["END", "order: DONE", f"message: : {end}"]


@pytest.mark.parametrize("talk", ["This is not the end of it", "Ce n'est pas fini", "Это ещё не конец", "Finland"])
def test_below_a_message_a_sentence_about_an_end_is_a_part_of_it(talk):
    kinds, kit = list(find_game("here_i_stand").orders), load_kit("here_i_stand")
    (message,) = read_lines(kinds, ["PRESS TO france: hello", talk], kit)
    assert message.order is not None and talk in message.order.text()
