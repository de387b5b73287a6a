"""What an answer shows to a line that is no order: first the whole lines that it may have meant."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import Any

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.games import find_game
from tests.lines.test_lines import Campaign, arranged, situations

FIRST: list[tuple[str, int, str, list[str]]] = [
    # a slip in the verb, where all other words are names
    ("here_i_stand", 1, "MOOVE 3 regulars from istanbul to edirne", ["MOVE 3 regular FROM istanbul TO edirne"]),
    ("here_i_stand", 1, "двигою всех из Стамбула в Эдирне", ["MOVE ALL FROM istanbul TO edirne"]),
    ("here_i_stand", 1, "je deplase tout d'istanbul a edirne", ["MOVE ALL FROM istanbul TO edirne"]),
    ("here_i_stand", 9, "DEPLOI 2 regulars from vienna to linz", ["DEPLOY 2 regular FROM vienna TO linz"]),
    ("here_i_stand", 5, "DECLAIR war on venice", ["DECLARE WAR ON venice"]),
    ("virgin_queen", 1, "MOOVE 1 regular from brussels to arras", ["MOVE 1 regular FROM brussels TO arras"]),
    ("virgin_queen", 1, "je déplasse 1 régulier de Bruxelles à Arras", ["MOVE 1 regular FROM brussels TO arras"]),
    ("virgin_queen", 7, "обявляю войну Ирландии", ["DECLARE WAR ON ireland"]),
    ("thirty_years_war", 0, "ACTT C3 with tilly", ["ACT C3 WITH tilly"]),
    ("thirty_years_war", 0, "активрую Тилли картой C3", ["ACT C3 WITH tilly"]),
    ("struggle_of_empires", 3, "ATACK britain in india", ["ATTACK britain IN india"]),
    ("struggle_of_empires", 3, "j'ataque la Grande-Bretagne en Inde", ["ATTACK britain IN india"]),
    ("struggle_of_empires", 3, "BILD navy at india", ["BUILD navy AT india"]),
    ("struggle_of_empires", 0, "расмещаю армию в Индии", ["PLACE army AT india"]),
    # what is done without its verb: it may be a heading
    ("here_i_stand", 5, "guerre à Venise", ["DECLARE WAR ON venice"]),
    ("here_i_stand", 5, "war with Venice", ["DECLARE WAR ON venice"]),
    ("here_i_stand", 8, "союз с Францией", ["ANNOUNCE 1 ALLIANCE WITH france"]),
    ("virgin_queen", 7, "война с Ирландией", ["DECLARE WAR ON ireland"]),
    # a no in a sentence
    ("here_i_stand", 5, "No thanks, I don't declare any war", ["PASS"]),
    ("here_i_stand", 5, "pas de guerre", ["PASS"]),
    ("struggle_of_empires", 1, "Спасибо, ничего не ставлю", ["PASS"]),
    # the words of what ends a turn among others
    ("here_i_stand", 1, "wait, better not. END IMPULSE instead please", ["END IMPULSE"]),
    ("here_i_stand", 1, "mon tour est fini", ["END IMPULSE"]),
    ("here_i_stand", 1, "all done here", ["END IMPULSE"]),
    ("here_i_stand", 5, "PASS?", ["PASS"]),
    ("here_i_stand", 5, "pass for england and protestants", ["PASS"]),
    ("thirty_years_war", 0, "all done", ["PASS"]),
    ("here_i_stand", 1, "standing preset no respons", ["STANDING PRESET no_responses"]),
    ("struggle_of_empires", 4, "no thanks, I don't support anybody", ["DECLINE"]),
    # an answer for every time
    ("here_i_stand", 9, "passe toujours", ["PASS", "STANDING spring_deployment: PASS"]),
    ("here_i_stand", 5, "always pass", ["PASS", "STANDING war: PASS"]),
    # talk
    ("here_i_stand", 8, "talk to France first", ["PRESS TO france: <message>"]),
    ("here_i_stand", 8, "Сначала поговорю с Францией", ["PRESS TO france: <message>"]),
    ("here_i_stand", 8, "je vais d'abord parler à la France", ["PRESS TO france: <message>"]),
    # what is named comes first
    ("here_i_stand", 1, "in Nezh", ["BUILD regular IN nezh"]),
    ("here_i_stand", 0, "My card: Foul Weather (31)", ["PLAY 31 FOR CP"]),
    ("struggle_of_empires", 3, "ship in India", ["BUILD navy AT india"]),
    ("struggle_of_empires", 0, "Let's do India", ["PLACE army AT india"]),
    ("thirty_years_war", 0, "Tilly with C3", ["ACT C3 WITH tilly"]),
    ("virgin_queen", 1, "Brussels to Antverp", ["MOVE 1 regular FROM brussels TO antwerp"]),
    # a standing order in one's own words
    ("here_i_stand", 1, "standing pass if hapsburg moves",
     ["STANDING response IF active hapsburg: PASS", "STANDING avoid_battle IF active hapsburg: PASS"]),
    ("here_i_stand", 1, "standing: never intercept", ["STANDING interception: PASS"]),
]


@pytest.fixture
def told(tmp_path, monkeypatch):
    """game, situation -> what tells of a line what would be right."""
    known: dict[tuple[str, int], Any] = {}
    services = []

    def hints(campaign: Campaign, who: str, line: str) -> list[str]:
        (result,) = campaign.service.check(campaign.id, campaign.seat(who), [line]).lines
        assert result.state in ("unreadable", "refused", "told"), (line, result.order)
        return result.hints

    def begin(game: str, number: int) -> Any:
        if (game, number) not in known:
            situation = list(situations(game))[number]
            clock = ManualClock()
            services.append(Service(Settings(var=tmp_path / f"{game}{number}", domain="example.org"), clock))
            monkeypatch.setattr(find_game(game), "set_up", arranged(find_game(game), situation))
            campaign = Campaign(services[-1], clock, situation, game)
            monkeypatch.undo()
            known[game, number] = partial(hints, campaign, situation["who"])
        return known[game, number]

    yield begin
    for service in services:
        service.close()


@pytest.mark.parametrize("game", sorted({entry[0] for entry in FIRST}))
def test_the_line_that_was_meant_comes_first_and_whole(game, told):
    wrong = []
    for number, entries in groupby(sorted(one for one in FIRST if one[0] == game), key=lambda one: one[1]):
        for _, _, line, expected in entries:
            if (shown := told(game, number)(line))[: len(expected)] != expected:
                wrong.append(f"{line!r} should be shown {expected}; it is {shown}")
    assert not wrong, "\n".join(wrong)


def test_no_hint_is_a_bare_name_and_no_example_gives_land_away(told):
    assert "nuremberg" not in told("here_i_stand", 2)("reform nuremburg")
    assert not any("CEDE" in hint for hint in told("here_i_stand", 8)("alliance xyz"))
    fragments = told("thirty_years_war", 0)("act c3 with tilly taking 5 merc")
    assert fragments[0].startswith("ACT C3 WITH tilly") and "mercenaries" not in fragments
    assert any(hint.startswith("ANNOUNCE 1 CEDE calais") for hint in told("here_i_stand", 8)("cede calais"))


def begun(tmp_path, monkeypatch, situation: dict[str, Any], game: str) -> tuple[Service, Any]:
    """A service, and what checks a line of somebody in the position of a situation."""
    clock = ManualClock()
    service = Service(Settings(var=tmp_path, domain="example.org"), clock)
    monkeypatch.setattr(find_game(game), "set_up", arranged(find_game(game), situation))
    campaign = Campaign(service, clock, situation, game)
    monkeypatch.undo()

    def check(line: str, who: str = situation["who"]) -> Any:
        return service.check(campaign.id, campaign.seat(who), [line]).lines[0]

    return service, check


def test_what_gives_much_away_is_shown_to_nobody_who_has_not_said_its_verb(tmp_path, monkeypatch):
    service, check = begun(tmp_path, monkeypatch, {"who": "spain", "seats": 2}, "virgin_queen")
    for line in (
        "espagne annonce 1 fin de guerre avec l'ottoman",
        "FOR spain: ANNOUNCE 1 END WAR WITH ottoman",
        "Ottoman, peace?",
        "alliance with england",
    ):
        assert not [hint for hint in check(line).hints if "SHOW HAND TO" in hint and "<" not in hint], line
    assert "FOR spain: SHOW HAND TO england" in check("FOR spain: SHOW HAND TO spain").hints
    assert check("presse à l'angleterre et à l'ottoman: la paix est signée !").state == "accepted"
    for_one = check("for england: press to france: do you want alliance?", "england")
    assert for_one.hints == ["PRESS TO france: do you want alliance?"]
    assert check("Done for all of mine, I think", "england").hints[:4] == [
        "FOR ottoman: DONE", "FOR england: DONE", "FOR protestant: DONE", "DONE ALL",
    ]  # fmt: skip
    hints = check("England announce alliance with france", "england").hints
    assert "FOR england: ANNOUNCE 1 END WAR WITH france, ALLIANCE WITH france" in hints
    assert not [hint for hint in hints if hint.startswith(("FOR ottoman", "FOR england: ANNOUNCE 1 ALLIANCE"))]
    service.close()


def test_who_may_not_announce_is_shown_no_announcement(tmp_path, monkeypatch):
    first_turn = {"who": "france", "seats": 6, "arrange": [{"phase": "diplomacy"}]}
    situation = {**first_turn, "play": [{"england": "CHOOSE POWER france"}]}
    service, check = begun(tmp_path, monkeypatch, situation, "here_i_stand")
    assert check("Announce 1 alliance with England").hints == ["DONE"]
    service.close()


def test_where_nobody_may_be_written_to_alone_the_answer_that_is_named_comes_first(tmp_path, monkeypatch):
    first_turn = {"who": "england", "seats": 6, "arrange": [{"phase": "diplomacy"}], "play": []}
    service, check = begun(tmp_path, monkeypatch, first_turn, "here_i_stand")
    hints = check("I'd like to talk to France first please.").hints
    assert hints[0] == "CHOOSE POWER france" and "PRESS TO ALL: <message>" in hints
    assert not [hint for hint in hints if hint.startswith("PRESS TO <")]
    private = check("France: shall we ally?")
    assert private.code == "private_press_in_negotiation" and not private.hints, private
    service.close()


WRONG = ("hello there", "france and spain", "pass?", "xyzzy 3 to vienna", "announce 1 alliance with england", "war")


@pytest.mark.parametrize("game", sorted({entry[0] for entry in FIRST}))
def test_each_whole_line_that_is_shown_is_legal_and_none_is_the_refused_one(game, tmp_path, monkeypatch):
    wrong = []
    for number, situation in enumerate(situations(game)):
        service, check = begun(tmp_path / str(number), monkeypatch, situation, game)
        for line in WRONG:
            result = check(line)
            for hint in result.hints if result.state in ("refused", "unreadable") else ():
                is_whole = hint != "NEXT" and hint.split()[0].isupper() and not {"<", "[", "|"} & set(hint)
                if is_whole and (hint == result.order or check(hint).state in ("refused", "unreadable")):
                    wrong.append((number, line, hint))
        service.close()
    assert not wrong, wrong
