"""What stands in the subjects of all mails, in every language: each kind alone, and those that fall together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.campaign.messages import KINDS
from pbem.mail.compose import Answered, Line, Part, render
from tests.mail.test_compose import ask, mail, part

LANGUAGES = ("en", "fr", "ru")

ALONE = {
    "final": ("The game is over", "La partie est finie", "Игра окончена"),
    "dropped": ("Your queued orders were dropped", "Vos ordres en attente sont abandonnés",
                "Ваши приказы из очереди сняты"),
    "stopped": ("Your program has stopped", "Votre programme s’est arrêté", "Ваша программа остановилась"),
    "set_aside": ("A mail was set aside", "Un message a été mis de côté", "Письмо отложено"),
    "held": ("The campaign is held", "La campagne est suspendue", "Кампания приостановлена"),
    "rewind": ("The game was set back", "La partie est revenue en arrière", "Игра возвращена назад"),
    "ruling": ("The moderator has ruled", "Le modérateur a tranché", "Решение ведущего"),
    "opening": ("The campaign begins", "La campagne commence", "Кампания начинается"),
    "invitation": ("Invitation to a campaign", "Invitation à une campagne", "Приглашение в кампанию"),
    "takeover": ("You take over a seat", "Vous reprenez une place", "Вы занимаете место в идущей партии"),
    "missed": ("A deadline was missed by Spain", "Délai dépassé par Spain", "Срок пропущен: Spain"),
    "reminder": ("Reminder: you are waited for", "Rappel : on vous attend", "Напоминание: вас ждут"),
    "your_move": ("Your move", "À vous", "Ваш ход"),
    "window_closing": ("Negotiation closes soon", "Les pourparlers ferment bientôt", "Переговоры скоро закроются"),
    "window_closed": ("Negotiation is closed", "Les pourparlers sont clos", "Переговоры закрыты"),
    "window_opening": ("Negotiation is open", "Les pourparlers sont ouverts", "Переговоры открыты"),
    "pause": ("The game is paused", "La partie est en pause", "Игра на паузе"),
    "resume": ("The game goes on", "La partie reprend", "Игра продолжается"),
    "extension": ("There is more time", "Il y a plus de temps", "Времени стало больше"),
    "replacement": ("A seat has a new player", "Une place a un nouveau joueur", "На одном из мест новый игрок"),
    "asked_referee": ("The moderator has looked at hidden things", "Le modérateur a regardé des choses cachées",
                      "Ведущий посмотрел на скрытое"),
    "declined": ("An invitation was declined", "Une invitation a été déclinée", "Приглашение отклонено"),
    "link": ("The link to your page", "Le lien vers votre page", "Ссылка на вашу страницу"),
    "webhook_off": ("Your webhook is switched off", "Votre webhook est désactivé", "Ваш вебхук отключён"),
    "press": ("A message from Spain", "Un message : Spain", "Сообщение от: Spain"),
    "report": ("France builds an army", "France builds an army", "France builds an army"),
    "scores": ("The scores", "Les scores", "Счёт"),
    "farewell": ("Your seat has gone to another player", "Votre place est passée à un autre joueur",
                 "Ваше место перешло к другому игроку"),
    "address_asked": ("Do you want your mails elsewhere?", "Voulez-vous vos messages ailleurs ?",
                      "Хотите получать письма на другой адрес?"),
    "new_address": ("Is this your address?", "Est-ce bien votre adresse ?", "Это ваш адрес?"),
    "moved": ("Your mails come here from now on", "Vos messages arrivent désormais ici",
              "Теперь письма приходят сюда"),
    "address_left": ("Your mails go to another address", "Vos messages vont à une autre adresse",
                     "Ваши письма уходят на другой адрес"),
    "fault": ("The program cannot go on", "Le programme ne peut pas continuer", "Программа не может продолжать"),
    "bounced": ("A mail came back", "Un message est revenu", "Письмо вернулось"),
    "way_down": ("Deadlines wait: a way in is down", "Des échéances attendent : une voie d’entrée est en panne",
                 "Сроки ждут: один из входов не работает"),
    "desk_link": ("Your link to the moderator's desk",) * 3,  # moderators are written to in English
}  # fmt: skip
"""The subject of each kind of message that asks nothing; `ANSWERS` has those of the kind that is not here."""

BY = (", by 28 Nov, 15:30", ", avant le 28 nov., 15:30", ", до 28 нояб., 15:30")
MOVE = ("Your move: Your action", "À vous : Your action", "Ваш ход: Your action")
NOW = ("; now: Your action", " ; maintenant : Your action", "; теперь: Your action")
ACCEPTED = ("Your orders are accepted", "Vos ordres sont acceptés", "Ваши приказы приняты")
REFUSED = ("Not accepted: please look at it again", "Pas accepté : à revoir", "Не принято: посмотрите ещё раз")
PARTLY = ("Partly accepted: 2 of 3", "Accepté en partie : 2 sur 3", "Принято частично: 2 из 3")
WAITS = ("Your answer is in; it waits for the others", "Votre réponse est là ; elle attend celles des autres",
         "Ваш ответ принят и ждёт остальных")  # fmt: skip
LATE = ("You missed a deadline", "Vous avez dépassé un délai", "Вы пропустили срок")
QUEUED = ("Your orders wait for their turn", "Vos ordres attendent leur tour", "Ваши приказы ждут очереди")


def answer(*states: str) -> Part:
    lines = [Line("PASS", state, "", "PASS") for state in states]
    return Part("answer", answer=Answered(not {"refused", "unreadable"} & set(states), lines))


def joined(*texts: tuple[str, ...], sign: str = "") -> tuple[str, ...]:
    return tuple(sign.join(said) for said in zip(*texts, strict=True))


def mine() -> Part:
    return replace(part("missed"), is_mine=True)


ANSWERS = [
    ([answer("accepted")], {}, ACCEPTED),
    ([answer("accepted")], {"is_in": True}, WAITS),
    ([answer("accepted", "queued")], {}, ACCEPTED),
    ([answer("queued")], {}, QUEUED),
    ([answer("refused")], {}, REFUSED),
    ([answer("unreadable", "unreadable")], {"is_in": True}, REFUSED),
    ([answer("accepted", "accepted", "refused")], {}, PARTLY),
    ([answer("accepted", "accepted", "unreadable")], {"is_in": True}, PARTLY),
    ([answer("accepted", "accepted", "refused")], {"asks": [ask()]}, PARTLY),
    ([answer("accepted")], {"asks": [ask()]}, joined(ACCEPTED, NOW)),
    ([answer("refused")], {"asks": [ask()]}, REFUSED),
    ([answer("refused"), part("your_move")], {"asks": [ask()]}, joined(REFUSED, NOW)),
]
"""Subjects of answers: the parts of a mail, what else it holds, its subject."""

TOGETHER = [
    (["your_move"], [ask()], joined(MOVE, BY)),
    (["your_move"], [ask(deadline=None)], MOVE),
    (["reminder"], [ask()], joined(ALONE["reminder"], BY)),
    (["window_opening"], [ask()], joined(ALONE["window_opening"], BY)),
    (["window_closed", "window_opening"], [ask()], joined(ALONE["window_opening"], BY)),
    *((["your_move", kind], [ask()], joined(MOVE, ALONE[kind], sign=" – ")) for kind in (
        "dropped", "stopped", "missed", "report", "press", "window_closed", "opening", "ruling", "rewind", "resume",
    )),
    (["your_move", mine()], [ask()], joined(MOVE, LATE, sign=" – ")),
    ([mine()], [ask()], LATE),
    (["your_move", "report", "dropped"], [ask()], joined(MOVE, ALONE["dropped"], sign=" – ")),
    (["your_move", "dropped", "missed"], [ask()], joined(MOVE, ALONE["dropped"], sign=" – ")),
    (["dropped", "report"], [ask()], joined(MOVE, ALONE["dropped"], sign=" – ")),
    (["dropped", "report"], [], ALONE["dropped"]),
    ([answer("accepted"), "dropped"], [], joined(ACCEPTED, ALONE["dropped"], sign=" – ")),
    ([answer("accepted"), "stopped", "report"], [], joined(ACCEPTED, ALONE["stopped"], sign=" – ")),
    ([answer("accepted"), "dropped", "your_move"], [ask()],
     joined(joined(ACCEPTED, NOW), ALONE["dropped"], sign=" – ")),
    (["report", "final"], [], ALONE["final"]),
]  # fmt: skip


def subjects(parts: list, **more) -> tuple[str, ...]:
    made = [part(one) if isinstance(one, str) else one for one in parts]
    made = [replace(one, press="Hello", sender="Spain") if one.kind == "press" else one for one in made]
    return tuple(render(mail(parts=made, language=code, **more))[0] for code in LANGUAGES)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_mail_has_its_subject(kind: str) -> None:
    if kind != "answer":
        assert subjects([kind]) == ALONE[kind]
    assert set(ALONE) == set(KINDS) - {"answer"}


@pytest.mark.parametrize(("parts", "more", "expected"), ANSWERS)
def test_an_answer_says_in_its_subject_what_came_of_the_lines(parts: list, more: dict, expected: tuple) -> None:
    assert subjects(parts, **more) == expected


@pytest.mark.parametrize(("parts", "asks", "expected"), TOGETHER)
def test_what_falls_together_never_hides_that_its_reader_is_asked(parts: list, asks: list, expected: tuple) -> None:
    assert subjects(parts, asks=asks) == expected
