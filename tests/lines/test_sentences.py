"""Right orders with a polite word too many, in other words, or several in one sentence: mails.

A position is that of ``mails/<game>.yaml`` in which the line beside its name is what some mail means.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.table.kit import load_kit
from pbem.table.reworded import with_own_titles
from tests.lines.test_mails import CARRIED_OUT, Post, situations, told

POSITIONS = {
    "impulse": ("here_i_stand", "END IMPULSE"),
    "assault": ("here_i_stand", "ASSAULT calais WITH 4 regular, francis_i"),
    "intercept": ("here_i_stand", "INTERCEPT WITH 4 regular, charles_v FROM graz"),
    "talks": ("here_i_stand", "ANNOUNCE 1 ALLIANCE WITH france"),
    "treaties": ("here_i_stand", "CONFIRM 2"),
    "reform": ("here_i_stand", "REFORM breslau"),
    "deploy": ("here_i_stand", "DEPLOY 4 regular, francis_i FROM paris TO bordeaux"),
    "response": ("here_i_stand", "PLAY 25"),
    "bids": ("struggle_of_empires", "BID 3 A britain B prussia"),
    "actions": ("struggle_of_empires", "ATTACK mainz IN german_states"),
    "allies": ("struggle_of_empires", "ACCEPT SUPPORT FROM austria"),
    "peace": ("thirty_years_war", "ACCEPT PEACE"),
    "cards": ("thirty_years_war", "EVENT P3"),
    "defence": ("thirty_years_war", "DEFEND UNDER pappenheim"),
    "marching": ("thirty_years_war", "GO krems, linz"),
    "recovery": ("thirty_years_war", "RECOVER magdeburg"),
    "spain": ("virgin_queen", "MOVE ALL FROM brussels TO reims"),
    "wedding": ("virgin_queen", "CONFIRM 1"),
    "spring": ("virgin_queen", "DEPLOY ALL FROM paris TO calais"),
    "two powers": ("virgin_queen", "DONE ALL"),
}


@pytest.fixture(scope="module")
def posts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Post]]:
    made: dict[str, Post] = {}

    class Made(dict[str, Post]):
        def __missing__(self, name: str) -> Post:
            game, line = POSITIONS[name]
            of_line = (one for one in situations(game) if any(line in mail.get("does", ()) for mail in one["mails"]))
            made[name] = self[name] = Post(next(of_line), game, tmp_path_factory.mktemp("post"))
            return made[name]

    yield Made()
    for post in made.values():
        post.close()


def done(post: Post, mail: str) -> tuple[list[str | None], str]:
    """The orders of a mail that were carried out or queued, and what was answered."""
    answer = post.write(mail)
    post.take_back()
    return [one.order for one in answer.lines if one.state in CARRIED_OUT], told(answer)


REFORMED = ["REFORM leipzig", "REFORM magdeburg"]
TO_VIENNA = "MOVE ALL FROM pressburg TO vienna"


@pytest.mark.parametrize(
    ("position", "mail", "orders"),
    [
        # a polite word too many
        ("two powers", "Done for all of mine, thanks", ["DONE ALL"]),
        ("two powers", "Done, with all three of them.", ["DONE ALL"]),
        ("two powers", "terminé pour toutes les miennes, merci", ["DONE ALL"]),
        ("intercept", "pass and good night", ["PASS"]),
        ("intercept", "je passe, bonne nuit", ["PASS"]),
        ("intercept", "Je passe, et bonne soirée à tous !", ["PASS"]),
        ("intercept", "пас, и спокойной ночи", ["PASS"]),
        ("intercept", "Пасую, всем удачи!", ["PASS"]),
        ("bids", "PASS, waiting for Austria", ["PASS"]),
        ("bids", "Je passe, j'attends l'Autriche", ["PASS"]),
        ("bids", "Пас, жду Австрию", ["PASS"]),
        ("spring", "pass, see you tomorrow", ["PASS"]),
        ("allies", "Accept, looking forward to it", ["ACCEPT SUPPORT FROM austria"]),
        ("peace", "Accept, looking forward to it", ["ACCEPT PEACE"]),
        ("peace", "J'accepte, bonne chance à tous", ["ACCEPT PEACE"]),
        ("peace", "Принимаю, до встречи", ["ACCEPT PEACE"]),
        ("defence", "Обороняемся под командой Паппенгейма, карт не играю.", ["DEFEND UNDER pappenheim"]),
        ("defence", "Defend under Pappenheim, playing no card", ["DEFEND UNDER pappenheim"]),
        ("defence", "Je défends sous Pappenheim, sans carte", ["DEFEND UNDER pappenheim"]),
        # a yes before the order
        ("treaties", "d'accord, je confirme tout", ["CONFIRM ALL"]),
        ("treaties", "Ja, confirm everything!", ["CONFIRM ALL"]),
        ("treaties", "Yep, confirm all", ["CONFIRM ALL"]),
        ("treaties", "Ага, подтверждаю всё", ["CONFIRM ALL"]),
        ("wedding", "d'accord je confirme tout", ["CONFIRM ALL"]),
        # what is said of oneself
        ("deploy", "la France passe", ["PASS"]),
        ("deploy", "Франция пасует", ["PASS"]),
        ("deploy", "pass (France)", ["PASS"]),
        ("spring", "La France passe.", ["PASS"]),
        ("spring", "France passes, thanks", ["PASS"]),
        ("response", "pass (Hapsburg)", ["PASS"]),
        # the end of a turn, and no card
        ("impulse", "ok end my turn then", ["END IMPULSE"]),
        ("impulse", "je termine mon tour", ["END IMPULSE"]),
        ("impulse", "заканчиваю ход", ["END IMPULSE"]),
        ("spain", "ok, end my turn then", ["END IMPULSE"]),
        ("spain", "заканчиваем ход", ["END IMPULSE"]),
        ("response", "не играю карту", ["PASS"]),
        ("response", "Карт не играю.", ["PASS"]),
        ("response", "Je ne joue pas de carte, merci", ["PASS"]),
        ("response", "I don't play a card", ["PASS"]),
        # a place alone, names of other times and languages, forms of verbs
        ("reform", "Лейпциг!", ["REFORM leipzig"]),
        ("reform", "Leipsic", ["REFORM leipzig"]),
        ("reform", "Wrocław!", ["REFORM breslau"]),
        ("reform", "реформируем Вроцлав", ["REFORM breslau"]),
        ("reform", "Nous réformons Leipzig", ["REFORM leipzig"]),
        ("recovery", "Magdeburg!", ["RECOVER magdeburg"]),
        ("impulse", "Everyone from Presburg to Wien", [TO_VIENNA]),
        ("impulse", "Marchez de Presbourg à Vienne avec tout le monde", [TO_VIENNA]),
        ("impulse", "всех из Братиславы в Вену", [TO_VIENNA]),
        ("talks", "presse à la France: bonjour", ["PRESS TO la France: bonjour"]),
        # titles that several cards have, a card's use said last
        ("defence", "Defend under Tilly playing Unreliable Troops", ["DEFEND UNDER tilly PLAYING C49"]),
        ("defence", "Обороняюсь под командой Тилли, играя Ненадёжные войска", ["DEFEND UNDER tilly PLAYING C49"]),
        ("cards", "Je joue le Traité d'Ulm en événement.", ["EVENT P11"]),
        ("cards", "play the Treaty of Ulm as an event", ["EVENT P11"]),
        ("cards", "Traité d'Ulm, pour l'événement", ["EVENT P11"]),
        # several in one sentence
        ("reform", "Лейпциг, потом Магдебург", REFORMED),
        ("reform", "Leipzig first and then Magdeburg", REFORMED),
        ("reform", "D'abord Leipzig, ensuite Magdebourg", REFORMED),
        ("impulse", "Move all from Pressburg to Vienna and then build a regular in Istanbul",
         [TO_VIENNA, "BUILD regular IN istanbul"]),
        ("impulse", "Move all from Pressburg to Vienna and build a regular in Istanbul",
         [TO_VIENNA, "BUILD regular IN istanbul"]),
        ("impulse", "Déplace tout de Presbourg à Vienne puis lève un régulier à Istanbul",
         [TO_VIENNA, "BUILD regular IN istanbul"]),
        ("impulse", "4 regs + Suleiman Pressburg to Vienna, then end my turn",
         ["MOVE 4 regular, suleiman FROM pressburg TO vienna", "END IMPULSE"]),
        ("actions", "Attack Mainz, then buy Bavaria", ["ATTACK mainz IN german_states", "BUY bavaria"]),
        ("actions", "j'attaque Mayence puis j'achète Bavaria", ["ATTACK mainz IN german_states", "BUY bavaria"]),
        # as often as is said
        ("impulse", "build regular in Istanbul x2", ["BUILD 2 regular IN istanbul"]),
        ("impulse", "build a regular in Istanbul twice", ["BUILD 2 regular IN istanbul"]),
        ("impulse", "lève un régulier à Istanbul deux fois", ["BUILD 2 regular IN istanbul"]),
    ],
)  # fmt: skip
def test_an_order_is_carried_out_whatever_is_said_beside_it(posts, position, mail, orders):
    carried, answer = done(posts[position], mail)
    assert carried == orders, answer


@pytest.mark.parametrize(
    ("position", "mail"),
    [
        ("two powers", "Not done for all of mine"),
        ("two powers", "Done for all of mine?"),
        ("two powers", "Done for all of mine but England"),
        ("intercept", "pass? good night"),
        ("intercept", "pass or good night"),
        ("intercept", "no pass, good night"),
        ("intercept", "je ne passe pas, bonne nuit"),
        ("intercept", "не пас, спокойной ночи"),
        ("bids", "PASS if Austria does, waiting for Austria"),
        ("bids", "Waiting for Austria"),
        ("bids", "Austria says pass, waiting for Austria"),
        ("allies", "Accept? Looking forward to it"),
        ("peace", "I cannot accept, looking forward to it"),
        ("peace", "Sweden would accept, looking forward to it"),
        ("defence", "Defend under Pappenheim unless Tilly lives, playing no card"),
        ("treaties", "d'accord mais je ne confirme pas tout"),
        ("treaties", "Ja, but not everything!"),
        ("treaties", "Ja? Confirm everything?"),
        ("deploy", "la France ne passe pas"),
        ("deploy", "La France passe si l'Angleterre passe"),
        ("deploy", "l'Angleterre passe"),
        ("deploy", "Англия пасует"),
        ("deploy", "pass (England)"),
        ("deploy", "pass (if nobody minds)"),
        ("deploy", "does France pass?"),
        ("deploy", "France should pass"),
        ("impulse", "do not end my turn then"),
        ("impulse", "end my turn then?"),
        ("impulse", "France says: end my turn then"),
        ("response", "не играю карту 24"),
        ("response", "I don't play Field Artillery"),
        ("response", "не играю карту, если он не играет"),
        ("response", "Shouldn't I play a card?"),
        ("reform", "Leipzig?!"),
        ("reform", "Hurrah for Leipzig!"),
        ("reform", "not Leipzig!"),
        ("reform", "Leipzig then?"),
        ("reform", "not Leipzig, then Magdeburg"),
        ("reform", "Leipzig or then Magdeburg"),
        ("reform", "Leipzig, then not Magdeburg"),
        ("reform", "Leipzig, then Madrid"),
        ("reform", "Leipzig, then we shall see"),
        ("impulse", "move all from Pressburg to Vienna and not Buda"),
        ("impulse", "move all from Pressburg to Vienna, then maybe build a regular in Istanbul"),
        ("impulse", "move all from Pressburg to Vienna, then stop if intercepted"),
        ("impulse", "move all from Pressburg to Vienna or build a regular in Istanbul"),
        ("impulse", "don't build a regular in Istanbul twice"),
        ("impulse", "build a regular in Istanbul twice?"),
        ("impulse", "build 2 regular in Istanbul x2"),
        ("cards", "do not play the Treaty of Ulm as an event"),
        ("cards", "play the Treaty of Ulm as an event?"),
        ("cards", "Anna plays the Treaty of Ulm as an event"),
        ("actions", "Britain attacks Mainz, then buys Bavaria"),
        ("actions", "pass twice"),
    ],
)
def test_what_denies_asks_or_tells_of_others_is_not_carried_out(posts, position, mail):
    carried, answer = done(posts[position], mail)
    assert carried == [], answer


@pytest.mark.parametrize(
    ("position", "mail", "lines"),
    [
        ("impulse", "a regular in Istanbul and another in Edirne",
         ["BUILD regular IN istanbul", "BUILD regular IN edirne"]),
        ("impulse", "2 regulars in Istanbul, a cavalry in the same city",
         ["BUILD 2 regular IN istanbul", "BUILD cavalry IN istanbul"]),
        ("impulse", "un régulier à Istanbul et un autre à Andrinople",
         ["BUILD regular IN istanbul", "BUILD regular IN edirne"]),
        ("assault", "Штурмуем Кале, а на остаток два наёмника в Париж.",
         ["ASSAULT calais", "BUILD 2 mercenary IN paris"]),
        ("assault", "Assault Calais, with the rest two mercenaries in Paris.",
         ["ASSAULT calais", "BUILD 2 mercenary IN paris"]),
        ("impulse", "4 regs + Suleiman Pressburg to Vienna, then a cavalry in Istanbul",
         ["MOVE 4 regular, suleiman FROM pressburg TO vienna", "BUILD cavalry IN istanbul"]),
    ],
)  # fmt: skip
def test_what_each_clause_says_is_shown_first(posts, position, mail, lines):
    answer = posts[position].write(mail)
    posts[position].take_back()
    (line,) = answer.lines
    assert line.state == "unreadable" and line.hints[: len(lines)] == lines, told(answer)


@pytest.mark.parametrize(
    "mail", ["no regular in Istanbul, but a cavalry there", "a regular in Istanbul, a cavalry there if you can"]
)
def test_no_clause_that_denies_or_depends_is_shown_as_one_of_several(posts, mail):
    answer = posts["impulse"].write(mail)
    posts["impulse"].take_back()
    (line,) = answer.lines
    assert line.state == "unreadable"
    assert line.hints[:2] != ["BUILD regular IN istanbul", "BUILD cavalry IN istanbul"], told(answer)


def test_only_a_title_that_several_cards_have_is_that_of_ones_own_card():
    kit = load_kit("thirty_years_war")
    assert with_own_titles("defend with Unreliable Troops", ["C49", "C3"], kit) == "defend with C49"
    assert with_own_titles("с ненадёжными войсками", ["P48"], kit) == "с P48"
    assert with_own_titles("defend with Unreliable Troops", ["C49", "P48"], kit) == "defend with Unreliable Troops"
    assert with_own_titles("defend with Unreliable Troops", ["C3"], kit) == "defend with Unreliable Troops"
    other = load_kit("here_i_stand")
    for card, labels in other.labels["card"].items():
        assert with_own_titles(labels["ru"], [card], other) == labels["ru"]
