"""Lines beside the orders of a mail: what may be meant for an order is asked back, what is none is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.mail.written import Written, written_lines
from pbem.table.kit import load_kit
from tests.lines.test_mails import Post as Room
from tests.lines.test_mails import situations, told
from tests.mail.conftest import POWERS, Game, Post, text_of
from tests.spent import seconds

ASKED_BACK = {
    "here_i_stand": [
        "PLAY 31 FOR CP\nleipzig please",
        "try Breslau\nPASS",
        "PASS\nCharles takes 3 regulars from Valladolid to Barcelona",
        "PASS\nand Metz too",
        "PASS\nInto Metz with it",
        "I take everything to Vienna\nPASS",
        "PASS\nsend everything to the front",
        "PASS\nleipzig",
        "thanks for your offer, I think we should attack Vienna.\nPASS",
        "Карлу: привет, я занят\nPASS",
        "PASS\nFrance: shall we ally?",
        "Отправляю Карла в Вену\nПАС",
        "PASS\nа потом Лион",
        "MOVE ALL FROM istanbul TO edirne\nIbrahim stays",
        "MOVE ALL FROM istanbul TO edirne\nИбрагим остаётся",
        "Charles-Quint vers Vienne\nPASS",
        "PASS\net Metz aussi",
        "Charles:\nPASS",
        "Vienna:\nPASS",
        "Карл:\nPASS",
        "BUILD regular IN istanbul\nEdirne",
        "PASS\n(Charles' idea)",
        "PASS\nЭто идея Карла",
        "PASS\nThat's what Charles wants",
    ],
    "struggle_of_empires": [
        "PASS\nindia please",
        "PASS\nune flotte en Inde aussi",
        "лучше Индия\nPASS",
        "PASS\nsorry wrong game, ignore this",
        "PASS\nhm wait",
        "PASS\n... unless Austria bids more",
        "PASS\nsauf si la Prusse attaque",
        "PASS\nenfin non, attendez…",
        "PASS\nхотя нет, подождите до завтра",
        "PASS\nthanks but no",
        "PASS\nOr should I?",
        "PASS\nOr better not.",
        "PASS\nNot!",
        "PASS\nPas avant que Dora ait répondu",
        "PASS\nassuming nobody else is there",
        "PASS\nsorry, Africa",
        "PASS\nОй, Индия",
        "Otto told me:\nPASS",
        "My wife says\nPASS",
        "Отто пишет:\nPASS",
        "Dora me propose :\nPASS",
        "Example:\nPASS",
        "e.g.\nPASS",
        "Next turn:\nPASS",
        "au prochain tour :\nPASS",
        "In case Otto attacks,\nPASS",
        "В случае войны\nPASS",
        "Would this be legal?\nPASS",
        "Can I do this?\nPASS",
        "Можно так?\nPASS",
        "I'd never do something as foolish as\nPASS",
        "Which of these is better:\nPASS\nBID 3",
        "PASS\nWith the other two points build a regular",
        "PASS\nis a bad idea",
        "PASS\nserait idiot",
        "PASS\nnah",
        "PASS\nThoughts?",
        "PASS\nв общем, нет",
        "PASS\nje déconne",
        "Last turn I wrote\nPASS",
        "Once Britain is done:\nPASS",
        "Quand la Prusse passera\nPASS",
        "После Пруссии\nPASS",
        "Tell Austria:\nPASS",
        "PASS\nCancelled",
        "PASS\nOn reflection India is better",
        "BUY army_training\nI hope not\nPASS",
        "PASS\n... as soon as Otto has moved",
        "PASS\nCan I still do that after the others have all had their say?",
        "PASS\nOr three gold for the first place",
        "PASS\nNo armies this time",
        "PASS\nNothing of the kind",
        "PASS\nНу вообще говоря всё-таки нет",
        "PASS\nOver my dead body.",
        "PASS\nYou wish!",
        "PASS\nHad you there!",
        "PASS\nYou'd like that!",
        "PASS\nMade you look",
        "PASS\nTBC",
        "PASS\nTo be confirmed",
        "PASS\nJust testing.",
        "PASS\nsays Otto",
        "PASS\nThat's what Otto says",
        "PASS\nGood idea?",
        "PASS\nIs that wise?",
        "PASS\nDoes anyone object to that?",
        "PASS\nWhat do you all think about this plan?",
        "PASS\nQu'en pensez-vous ?",
        "PASS\nAlors, mes chers amis, qu'en pensez-vous donc ?",
        "PASS\nTu crois ?",
        "PASS\nL'autre me semble préférable",
        "PASS\nBy the way, is this legal now?",
        "PASS\nÇa vous va ?",
        "PASS\nDans tes rêves !",
        "PASS\nVous y avez cru !",
        "PASS\ndit Otto",
        "PASS\nТолько через мой труп",
        "PASS\nКупились!",
        "PASS\nВерите?",
        "PASS\nКак вам?",
        "PASS\nсказал Отто",
        "What do you think?\nPASS",
        "I wish I could\nPASS",
        "If only...\nPASS",
        "J'aimerais pouvoir\nPASS",
        "Вот бы\nPASS",
    ],
    "virgin_queen": ["PASS\nantwerp please", "Alva goes to Brussels\nPASS", "PASS\nпотом Антверпен"],
    "thirty_years_war": [
        "PASS\nsame for Prague",
        "Tilly vers Prague\nPASS",
        "PASS\nTilly first",
        "PASS\nТилли в Прагу",
    ],
}
LEFT_OUT = {
    "here_i_stand": [
        "PASS\nCharles",
        "PASS\nHenry\nParis",
        "PASS\nParis, France",
        "PASS\n\nParis",
        "PASS\nFrance",
        "PASS\nBest, France",
        "PASS\n\nCharles V (Hapsburgs)",
        "Dear Suleiman,\nPASS",
        "Here are my orders for Paris:\nPASS",
        "My orders for Paris:\nPASS",
        "My orders for France this turn\nPASS",
        "I fear Hungary is lost anyway.\nPASS",
        "Sorry, was in Paris last week\nPASS",
        "PASS\nGood luck France!",
        "PASS\nLong live the Emperor!",
        "We're going to Nice on holiday\nPASS",
        "PASS\nС уважением, Карл",
        "PASS\nУдачи, Франция",
        "Боюсь, Вена потеряна\nPASS",
        "PASS\nBonne chance à la France",
        "31 for cp\n\nParis",
        "BUILD regular IN istanbul\nHenry\nParis",
        "Je crains que Vienne soit perdue\nPASS",
    ],
    "virgin_queen": ["PASS\nPhilip", "Antwerp was a nice city\nPASS", "PASS\nElizabeth\nLondon"],
    "thirty_years_war": ["PASS\nGustav", "Prague has seen better days.\nPASS"],
    "struggle_of_empires": [
        "PASS\nBritain",
        "India is far away\nPASS",
        "PASS\nno rush",
        "PASS\nSee you on Sunday at the club",
        "Sorry but I'm late as usual.\nPASS",
        "PASS\n\nWalter Finch\nDorchester",
        "As I said:\nPASS",
        "Otto told me to hurry.\nPASS",
        "How are you?\nPASS",
        "After much thought:\nPASS",
        "Après réflexion :\nPASS",
        "PASS\nwhen is the next one due?",
        "Sorry, was in India last week\nPASS",
        "PASS\nGood luck to you all!",
        "PASS\nHappy Easter to you all!",
        "PASS\nSee you next week!",
        "PASS\nOver to you",
        "PASS\nFingers crossed!",
        "PASS\nHope that works",
        "PASS\nThat's my move",
        "PASS\nHow was your holiday?",
        "PASS\nHow are you?",
        "PASS\nDid you watch the match?",
        "PASS\nMy brother met you at the club in spring",
        "PASS\nDo you think it will rain on Sunday at the club of Otto's brother?",
        "PASS\nÀ vous de jouer !",
        "PASS\nComment va la famille ?",
        "PASS\nУдачи всем!",
        "PASS\nВаш ход!",
        "PASS\nКак семья?",
        "After much thought...\nPASS",
        "Here we go:\nPASS",
        "Ok, no problem,\nPASS",
    ],
}


def impulse(folder: Path) -> Room:
    """The impulse of the Ottoman, who holds card 31."""
    return Room(next(situations("here_i_stand")), "here_i_stand", folder)


def pairs(of: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(game, text) for game, texts in of.items() for text in texts]


@pytest.mark.parametrize(("game", "text"), pairs(ASKED_BACK))
def test_a_line_beside_orders_that_may_be_meant_for_one_is_asked_back(game: str, text: str) -> None:
    written = written_lines(text, game=game)
    assert written.lines == text.splitlines()
    assert not written.left_out


def test_a_place_apart_in_small_letters_is_no_signature() -> None:
    assert written_lines("PASS\n\nparis", game="here_i_stand").lines == ["PASS", "paris"]


@pytest.mark.parametrize("below", ["Edirne", "edirne", "Эдирне"])
def test_a_place_apart_below_an_order_that_names_one_is_asked_back(below: str) -> None:
    text = f"BUILD regular IN istanbul\n\n{below}"
    assert written_lines(text, game="here_i_stand").lines == ["BUILD regular IN istanbul", below]


def test_a_sentence_of_talk_on_the_line_of_an_order_is_asked_back_as_one_below_it() -> None:
    written = written_lines("31 for cp. Had you there!", game="here_i_stand")
    assert written.lines == ["31 for cp.", "Had you there!"]
    assert written_lines("31 for cp. Cheers!", game="here_i_stand").lines == ["31 for cp"]


@pytest.mark.parametrize(("game", "text"), pairs(LEFT_OUT))
def test_a_greeting_a_name_and_chat_are_left_out(game: str, text: str) -> None:
    written = written_lines(text, game=game)
    (order,) = written.lines
    assert order in ("PASS", "31 for cp", "BUILD regular IN istanbul")
    assert written.left_out == [line for line in text.splitlines() if line not in ("", order)]


@pytest.mark.parametrize(
    ("text", "lines", "left_out"),
    [
        ("Don't worry. Pass.", ["Pass."], ["Don't worry."]),
        ("Hallo, I bid 3. Gruß, Jürgen", ["I bid 3"], []),
        ("And build a navy in India", ["build a navy in India"], []),
        ("Attack Hanover? No way. Pass.", ["Attack Hanover? No way. Pass."], []),
        ("SALT oh. my. god\nPASS", ["SALT oh. my. god", "PASS"], []),
        ("PRESS TO france: Hi. How are you? PASS. ok", ["PRESS TO france: Hi. How are you? PASS. ok"], []),
        ("1a. BUY army_training\n1b. PASS", ["BUY army_training", "PASS"], []),
    ],
)
def test_sentences_of_a_line_are_read_by_themselves_where_it_is_none_as_a_whole(
    text: str, lines: list[str], left_out: list[str]
) -> None:
    written = written_lines(text, game="struggle_of_empires")
    assert written.lines == lines
    assert written.left_out == left_out


@pytest.mark.parametrize(
    "text",
    [
        "Should I attack Hanover or will Austria come? What do you think?",
        "Je crains que l'Inde soit perdue.",
        "Что думаешь об Индии?",
    ],
)
def test_talk_is_told_from_a_fault(game: Game, post: Post, text: str) -> None:
    seat = game.asked_seat()
    post.write(game.address(seat), text, sender=f"{seat}@example.org")
    (answer,) = post.answers(f"{seat}@example.org")
    told = " ".join(text_of(answer).split())
    assert "Not accepted" not in answer["Subject"]
    assert "this reads as talk or a question" in told and "PRESS TO writes to other players" in told
    assert "there is no order that begins with" not in told


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("DONE\n\nHans", ["DONE"]),
        ("PASS\nHans", ["PASS"]),
        ("PASS\n- HM", ["PASS"]),
        ("TERMINÉ POUR TOUS\n\nVictor", ["TERMINÉ POUR TOUS"]),
        ("теперь Лейпциг\nОлег", ["теперь Лейпциг"]),
        ("pass, cheers. Tom", ["pass"]),
        ("PASS\nsorry, better not: END IMPULSE", ["PASS", "sorry, better not: END IMPULSE"]),
        ("END IMPULSE\nSorry, I did not mean to end the impulse", None),
        ("CONFIRM 1\nsorry, better not: REFUSE", None),
        ("PRESS TO france: peace?\nEND\nFOR england announce alliance with france", None),
        (
            "pour la France: annonce 1 alliance avec l'Angleterre, s'il vous plaît\n"
            "pour l'Espagne annonce 2 fin de guerre avec l'Ottoman",
            None,
        ),
    ],
)
def test_names_below_and_second_thoughts_are_told_apart(text: str, lines: list[str] | None) -> None:
    written = written_lines(text, game="here_i_stand")
    assert written.lines == (text.splitlines() if lines is None else lines)


def test_a_mail_that_costs_too_much_to_read_is_not_read() -> None:
    """Each line is another, so that none is known from before."""
    names = sorted(load_kit("here_i_stand").labels["space"])
    sentences = [
        f"{origin} goes to {to} with {number % 9 + 1}r & {number % 5 + 1}c."
        for number, (origin, to) in enumerate(zip(names, names[7:] + names[:7], strict=True))
    ]
    text = "\n".join(" ".join(sentences[at : at + 6]) for at in range(0, 360, 6))
    read: list[Written] = []
    assert seconds(lambda: read.append(written_lines(f"PASS\n{text}", game="here_i_stand")), tries=1) < 8
    assert not read[0].lines
    assert "too long to be read" in read[0].problems[0]


def test_a_thing_of_another_game_is_none_of_this_one() -> None:
    assert written_lines("PASS\nleipzig please", game="struggle_of_empires").lines == ["PASS"]
    assert len(written_lines("PASS\nleipzig please").lines) == 2


@pytest.mark.parametrize("line", ["india please", "the king wants india too"])
def test_nothing_of_a_mail_is_carried_out_beside_a_line_that_is_asked_back(game: Game, post: Post, line: str) -> None:
    seat, order = game.asked_seat(), "PLACE army AT india"
    post.write(game.address(seat), f"{order}\n{line}", sender=f"{seat}@example.org")
    (answer,) = post.answers(f"{seat}@example.org")
    told = text_of(answer)
    assert "Not accepted" in answer["Subject"]
    assert line in told and "another line could not be read" in " ".join(told.split())
    assert game.asked_seat() == seat


def test_a_message_without_its_first_words_is_asked_back_with_them(game: Game, post: Post) -> None:
    seat = game.asked_seat()
    other = next(one for one in game.tokens if one != seat)
    power = POWERS[other].title()
    post.write(game.address(seat), f"{power}: shall we ally?\nPLACE army AT india", sender=f"{seat}@example.org")
    (answer,) = post.answers(f"{seat}@example.org")
    assert f"PRESS TO {POWERS[other]}: shall we ally?" in text_of(answer)
    assert game.asked_seat() == seat


@pytest.mark.parametrize("line", ["nope", "no", "Non.", "нет", "yes", "sure", "stop", "Стоп!"])
def test_a_bare_word_below_an_order_is_asked_back_before_anything_is_done(tmp_path: Path, line: str) -> None:
    post = impulse(tmp_path)
    answer = post.write(f"31 for cp\n{line}")
    assert [one.state for one in answer.lines] == ["told", "unreadable"], told(answer)
    assert answer.lines[1].code == "word_below_orders" and not answer.ok
    assert [one.state for one in post.write("31 for cp\nEND IMPULSE\nstop").lines] == ["accepted", "accepted", "told"]
    post.close()


def test_a_question_to_others_beside_an_order_is_told_as_talk_and_the_order_as_not_done(tmp_path: Path) -> None:
    post = impulse(tmp_path)
    answer = post.write("31 for cp\nWhat do you think?")
    assert [one.state for one in answer.lines] == ["told", "unreadable"]
    assert [one.code for one in answer.lines] == ["other_line_unreadable", "talk"]
    assert not answer.ok and "Nothing was carried out" in (answer.note or "")
    post.close()


@pytest.mark.parametrize(
    ("heading", "is_own"),
    [
        ("Ottoman:", True), ("For the Ottoman:", True), ("Pour l'Ottoman :", True), ("Османы:", True),
        ("Charles:", False), ("Hapsburgs:", False), ("For France:", False), ("Pour la France :", False),
    ],
)  # fmt: skip
def test_the_name_of_ones_own_power_above_an_order_is_a_heading_and_another_is_asked_back(
    tmp_path: Path, heading: str, is_own: bool
) -> None:
    post = impulse(tmp_path)
    answer = post.write(f"Hello,\n\n{heading}\n31 for cp\n\nCheers")
    done = [one.order for one in answer.lines if one.state == "accepted"]
    assert done == (["PLAY 31 FOR CP"] if is_own else []), told(answer)
    post.close()


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("virgin_queen", "Hi Anna, forget what I queued.\nBUILD mercenary IN madrid"),
        ("virgin_queen", "Bonsoir Anna, oubliez mon message de tout à l'heure.\nPLAY 83 FOR CP"),
        ("struggle_of_empires", "Привет, моё прошлое письмо не считать!\nПокупаю Банк"),
        ("struggle_of_empires", "BUILD army AT india\nСпасибо, Банк не надо"),
        ("struggle_of_empires", "PLACE army AT africa\nBisous, et annule mon ordre d'avant"),
        ("struggle_of_empires", "PLACE navy AT india\nУдачи, и передвинь мою армию из Средиземноморья в Индию"),
        ("struggle_of_empires", "BUILD navy AT india\nСпасибо, а вместо флота лучше армию"),
        ("struggle_of_empires", "BID 1 A russia B france\nBisous, sinon je passe"),
        ("struggle_of_empires", "BID 0 A united_provinces\nС уважением, но если Россия повысит, я пасую"),
        ("struggle_of_empires", "Attack hanover\nThanks, no help from allies needed"),
        ("struggle_of_empires", "PLACE navy AT africa\nCordialement, et dis à Ivan que l'Inde est à lui"),
        ("struggle_of_empires", "PLACE navy AT africa\nУдачи всем, а Клэр передайте: Африка моя"),
        ("virgin_queen", "ГОТОВО\nУдачи, и Испании скажи что я за"),
        ("struggle_of_empires", "Bonjour Anna, il me faudrait deux jours de plus pour la suite.\nBUILD army AT india"),
        ("virgin_queen", "Здравствуйте, дайте мне ещё два дня, пожалуйста.\nPLAY 62 FOR CP"),
    ],
)
def test_what_stands_behind_a_greeting_or_closing_on_its_line_is_not_left_out_with_it(game, text):
    assert written_lines(text, game=game).lines == text.split("\n")


@pytest.mark.parametrize(
    "line",
    [
        "Thanks, my dear friends", "Cheers, well played Bob", "Merci, bonne soirée à tous", "Cheers, talk soon",
        "Hi Anna, hope you are well", "Удачи, и до встречи", "Thanks, Otto von Bismarck", "Cheers, erik", ",", "Hi,",
        "Hello all, sorry for the late orders", "Thanks, see you on Friday",
    ],
)  # fmt: skip
def test_a_mere_greeting_or_closing_is_left_out_whatever_stands_behind_its_comma(line):
    for text in (f"BUILD army AT india\n\n{line}", f"{line}\n\nBUILD army AT india"):
        assert written_lines(text, game="struggle_of_empires").lines == ["BUILD army AT india"]
