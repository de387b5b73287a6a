"""Sentences beside orders that ask the service, or whoever runs the game, for something: nothing is done before they
are asked back, with the line that does it; others are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign import requested
from pbem.mail.written import written_lines
from pbem.table.kit import load_kit
from tests.lines.test_mails import Post as Room
from tests.lines.test_mails import situations, told

GAME = "struggle_of_empires"
ASKED_FOR = {
    "Could you let Paul know I'm away next week?": "PRESS: I'm away next week",
    "Could you note that I'm away from 5 to 12 December?": "AWAY FROM 5 December TO 12 December",
    "and could you put my reports on daily?": "SET REPORTS DAILY",
    "Can you tell Marc that I'd like to talk?": "PRESS: I'd like to talk",
    "Could you set my timezone to London please?": "SET TIMEZONE London",
    "Please tell France that I'll pay.": "PRESS: I'll pay.",
    "Tell everyone I'm sorry for the delay": "PRESS: I'm sorry for the delay",
    "Can you ask Otto whether he wants peace?": "PRESS: whether he wants peace",
    "Could I get the reports only once a day?": "SET REPORTS DAILY",
    "Can I see the whole board please?": "STATUS BOARD",
    "How many cards does Spain have?": "STATUS BOARD",
    "And who is winning?": "STATUS VP",
    "When is the deadline?": "STATUS",
    "Please cancel my queue": "CANCEL QUEUE",
    "Could you switch my mails to French... I mean the language": "SET LANGUAGE FR",
    "Please set my language to English": "SET LANGUAGE EN",
    "I'd like my reports daily": "SET REPORTS DAILY",
    "I'll be away from 3 December to 9 December": "AWAY FROM 3 December TO 9 December",
    "Would you mind warning Kate that I come?": "PRESS: I come",
    "Could you drop my queued orders?": "CANCEL QUEUE",
    "Can you mark me as away until Monday?": "AWAY FROM <first day> TO <last day>",
    "Please note I'm on holiday from Dec 5 to Dec 12": "AWAY FROM Dec 5 TO Dec 12",
    "How many points does France have?": "STATUS VP",
    "Could you inform the others that I agree?": "PRESS: I agree",
    "Please send me only questions in the reports": "SET REPORTS QUESTIONS",
    "whose turn is it after me?": "STATUS",
    "Would you be so kind as to show me card 31?": "CARD 31",
    "Pouvez-vous dire à Marc que je veux parler ?": "PRESS: je veux parler",
    "Et vous pouvez me passer en rapport quotidien ?": "SET REPORTS DAILY",
    "Pourriez-vous noter que je suis absent du 5 au 12 décembre ?": "AWAY FROM 5 décembre TO 12 décembre",
    "Peux-tu mettre mon fuseau horaire sur Paris ?": "SET TIMEZONE Paris",
    "Dis à Ivan que j'accepte": "PRESS: j'accepte",
    "Prévenez Kate que j'arrive": "PRESS: j'arrive",
    "Combien de cartes a la France ?": "STATUS BOARD",
    "Qui gagne ?": "STATUS VP",
    "C'est à qui de jouer ?": "STATUS",
    "Je voudrais les rapports une fois par jour": "SET REPORTS DAILY",
    "Merci de passer mes rapports en quotidien": "SET REPORTS DAILY",
    "Puis-je voir le plateau entier ?": "STATUS BOARD",
    "Pouvez-vous annuler ma file d'attente ?": "CANCEL QUEUE",
    "Peux-tu écrire à l'Angleterre que je suis d'accord ?": "PRESS: je suis d'accord",
    "Mes rapports en quotidien, s'il vous plaît": "SET REPORTS DAILY",
    "Je serai absent du 3 décembre au 9 décembre": "AWAY FROM 3 décembre TO 9 décembre",
    "Pouvez-vous me passer en français ?": "SET LANGUAGE FR",
    "Informez tout le monde que je suis en retard": "PRESS: je suis en retard",
    "Pourriez-vous prévenir les autres joueurs ?": "PRESS: <message>",
    "Combien de points a l'Espagne ?": "STATUS VP",
    "Peut-on annuler ma réponse ?": "CANCEL ANSWER",
    "Quelle est l'échéance ?": "STATUS",
    "и можно мне отчёты раз в день?": "SET REPORTS DAILY",
    "Скажите Марку, что я хочу поговорить": "PRESS: я хочу поговорить",
    "Передай всем, что я согласен": "PRESS: я согласен",
    "Можете отметить, что меня не будет с 5 по 12 декабря?": "AWAY FROM 5 декабря TO 12 декабря",
    "Можно поставить часовой пояс Москва?": "SET TIMEZONE Москва",
    "Сколько у Испании карт?": "STATUS BOARD",
    "Кто выигрывает?": "STATUS VP",
    "Какой срок?": "STATUS",
    "Поставьте, пожалуйста, отчёты раз в день": "SET REPORTS DAILY",
    "Сообщите Франции, что я плачу": "PRESS: я плачу",
    "Можно посмотреть всё поле?": "STATUS BOARD",
    "Переключите меня на русский, пожалуйста": "SET LANGUAGE RU",
    "Напишите Ивану, что я опоздаю": "PRESS: я опоздаю",
    "Уберите, пожалуйста, мои приказы из очереди": "CANCEL QUEUE",
    "Сколько очков у Франции?": "STATUS VP",
    "Предупредите остальных, что я уезжаю": "PRESS: я уезжаю",
    "Меня не будет с 3 по 9 декабря": "AWAY FROM 3 декабря TO 9 декабря",
    "Не могли бы вы присылать отчёты ежедневно?": "SET REPORTS DAILY",
    "Спроси Кейт, хочет ли она мира": "PRESS: хочет ли она мира",
    "Кого ждём?": "STATUS",
    "Можно отменить мой ответ?": "CANCEL ANSWER",
}
"""What is shown first; of a message what stands behind those whom it is for."""
LEFT_OUT = [
    "Could you believe that roll?",
    "Can you all play a bit faster please?",
    "See you on Friday",
    "Can you believe it?",
    "Could you all be a bit nicer to me?",
    "Thanks for the report!",
    "Please be gentle",
    "Sorry, I was away last week",
    "We're going to Nice on holiday",
    "How was your holiday?",
    "I'd like to thank you all",
    "Otto told me to hurry.",
    "when is the next one due?",
    "Please enjoy the game",
    "Good luck to everyone",
    "I need a coffee",
    "Let's hope it works",
    "Nice map by the way",
    "I want to win this time",
    "What a lovely board",
    "How many beers did you have?",
    "Will you come to the club?",
    "Hope you had a nice vacation",
    "Tell me more at the club",
    "That was a good answer",
    "Vous pouvez croire à ce jet ?",
    "On peut jouer un peu plus vite, s'il vous plaît ?",
    "À vendredi",
    "Merci pour le rapport !",
    "J'étais absent la semaine dernière, désolé",
    "Comment étaient tes vacances ?",
    "Tu peux le croire ?",
    "Beau plateau, vraiment",
    "Bonnes vacances à tous",
    "Soyez gentils, s'il vous plaît",
    "Combien de bières as-tu bues ?",
    "Tu viens dimanche au club ?",
    "Il fait beau aujourd'hui",
    "Je veux gagner cette fois",
    "On se voit au club",
    "Dis donc, quel jet",
    "Passez une bonne soirée",
    "Merci de votre patience",
    "Можете поверить в такой бросок?",
    "До пятницы",
    "Спасибо за отчёт!",
    "Извините, был в отъезде на прошлой неделе",
    "Как отпуск?",
    "Хочу сказать всем спасибо",
    "Сколько пива вы выпили?",
    "Красивое поле",
    "Хорошего отпуска всем",
    "Будьте добрее, пожалуйста",
    "Придёшь в воскресенье в клуб?",
    "Сегодня хорошая погода",
    "Жена передаёт привет",
    "Хочу выиграть в этот раз",
    "Увидимся в клубе",
    "Дай бог удачи",
    "Хороших выходных",
    "Скажи спасибо кубикам",
]


@pytest.mark.parametrize("line", ASKED_FOR)
@pytest.mark.parametrize("text", ["PASS\n{}", "{}\nPASS", "PASS\n\nCheers\n{}"])
def test_a_sentence_that_asks_for_something_beside_an_order_is_no_chat(text: str, line: str) -> None:
    written = written_lines(text.format(line), game=GAME)
    assert line in written.lines and line not in written.left_out


@pytest.mark.parametrize("line", LEFT_OUT)
def test_a_sentence_that_asks_the_service_for_nothing_is_left_out(line: str) -> None:
    for text in (f"PASS\n{line}", f"{line}\nPASS"):
        written = written_lines(text, game=GAME)
        assert (written.lines, written.left_out) == (["PASS"], [line])


def test_both_parts_are_done_or_none_before_what_is_asked_for_has_its_line(tmp_path: Path) -> None:
    room = Room(next(situations(GAME)), GAME, tmp_path)
    order = next(iter(room.service.asked(room.campaign.id, room.seat))).examples[0]
    done = []
    for line, wanted in ASKED_FOR.items():
        begun = room.campaign.event()
        answer = room.write(f"{order}\n{line}")
        shown = next(one for one in answer.lines if one.line == line)
        if shown.order is not None:  # a line of the service as it stands
            assert shown.order.split()[0] == wanted.split()[0], told(answer)
            assert all(one.state in ("accepted", "told") for one in answer.lines), told(answer)
            done.append(line)
            room.take_back()
            continue
        to, colon, said = shown.hints[0].partition(": ")
        assert (f"PRESS: {said}" if colon and to.startswith("PRESS TO ") else shown.hints[0]) == wanted, told(answer)
        assert room.campaign.event() == begun and all(one.state != "accepted" for one in answer.lines), told(answer)
        room.deliver()
    assert len(done) < 10, done
    room.close()


def test_a_message_that_is_asked_for_is_shown_with_whom_it_is_for(tmp_path: Path) -> None:
    room = Room(next(situations(GAME)), GAME, tmp_path)
    powers = [power for seat, held in room.service.status(room.campaign.id).seats.items() if seat != room.seat
              for power in held["powers"]]  # fmt: skip
    name = load_kit(GAME).display("power", powers[0])
    (line,) = room.write(f"Can you tell {name} that I'd like to talk?").lines
    assert line.hints[0] == f"PRESS TO {powers[0]}: I'd like to talk"
    room.close()


@pytest.mark.parametrize("head", ["message to {}", "Message à {}", "сообщение для {}", "MESSAGE TO {}", "PRESS TO {}"])
def test_a_message_is_sent_also_where_it_asks_something(tmp_path: Path, head: str) -> None:
    room = Room(next(situations(GAME)), GAME, tmp_path)
    order = next(iter(room.service.asked(room.campaign.id, room.seat))).examples[0]
    status = room.service.status(room.campaign.id)
    other = next(seat for seat in status.seats if seat != room.seat)
    player = room.service.player(room.campaign.id, other)
    assert player is not None
    for name in (player["name"], status.seats[other]["powers"][0]):
        answer = room.write(f"{head.format(name)}: pass, will you?\n{order}")
        assert [one.state for one in answer.lines] == ["accepted", "accepted"], told(answer)
        room.take_back()
    room.close()


@pytest.mark.parametrize(
    "line",
    ["Let Charles go to Vienna", "Tell me what Charles does", "Otto told Anna to hurry", "I tell Otto everything",
     "Tell everyone thanks", "Скажи мне, что делает Карл", "Je dis à Anna que je passe"],
)  # fmt: skip
def test_what_lets_somebody_go_or_is_told_to_its_writer_is_no_message(line: str) -> None:
    assert requested.message(line, load_kit("here_i_stand")) is None


@pytest.mark.parametrize("head", ["message to Xaver", "Message à Xavier", "сообщение для Ксавера"])
def test_a_message_to_nobody_who_plays_is_asked_back_before_anything_is_done(tmp_path: Path, head: str) -> None:
    room = Room(next(situations(GAME)), GAME, tmp_path)
    order = next(iter(room.service.asked(room.campaign.id, room.seat))).examples[0]
    message, other = room.write(f"{head}: pass, will you?\n{order}").lines
    assert (message.state, other.state) == ("unreadable", "told")
    assert message.hints == ["PRESS TO <powers>: pass, will you?"]
    room.close()


@pytest.mark.parametrize(
    ("line", "setting"),
    [
        ("Could you set my timezone to London please?", "SET TIMEZONE London"),
        ("Et vous pouvez me passer en rapport quotidien ?", "SET REPORTS DAILY"),
        ("Можно мне письма на русском?", "SET LANGUAGE RU"),
        ("Could you set my timezone?", None),
        ("Could you put my reports on daily and set my timezone to London?", None),
        ("Could you note that I'm away from 5 to 12 December?", None),
    ],
)
def test_one_clear_setting_is_one_line(line: str, setting: str | None) -> None:
    found = requested.command(line, load_kit(GAME))
    assert (found.text() if found else None) == setting
