"""Cases as a moderator writes them: `pbem rehearse` on files, right ones and wrong ones."""

import copy
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from pbem.cli import main
from pbem.games.here_i_stand import GAME
from pbem.games.reformation import sequence
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.table.procedure import Table

END_OF_AN_IMPULSE = """
title: The impulse passes on
game: here_i_stand
scenario: "1517"
seats: 6
arrange:
  - turn: 2
  - impulse: {power: england, cp: 1}
  - hand: {power: england, cards: []}
play:
  - england: END IMPULSE
expect:
  - active: france
"""


@pytest.fixture
def rehearse(tmp_path):
    """Run a case that is text or data; the status and what was printed, without the file's name."""

    def run(case, *arguments):
        path = tmp_path / "case.yaml"
        path.write_text(case if isinstance(case, str) else yaml.safe_dump(case), encoding="utf-8")
        result = CliRunner().invoke(main, ["rehearse", *arguments, str(path)])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
        return result.exit_code, result.output

    return run


def case(**changes):
    found = {**yaml.safe_load(END_OF_AN_IMPULSE), **changes}
    return {key: value for key, value in found.items() if value is not None}


ALL = ["ottoman", "hapsburg", "england", "france", "papacy", "protestant"]
OF_PLAYERS = {"ann": ["ottoman", "france"], "bob": ["england", "protestant"], "eva": ["papacy", "hapsburg"]}


@pytest.mark.parametrize(
    "seats",
    [
        3,
        4,
        5,
        6,
        ALL,
        ALL[::-1],
        [["ottoman", "france"], ["england", "protestant"], ["papacy", "hapsburg"]],
        OF_PLAYERS,
    ],
    ids=str,
)
def test_however_the_players_are_seated_all_six_powers_are_in_play_in_impulse_order(rehearse, seats):
    state, output = rehearse(case(seats=seats))
    assert (state, output) == (0, "ok   case.yaml: The impulse passes on\n1 passed, 0 failed\n")


def test_a_player_of_two_powers_answers_for_the_one_that_is_asked(rehearse):
    play = [
        {"bob": "END IMPULSE"},
        {"expect": [{"asks": {"seat": "bob", "question": "impulse"}}]},
        {"bob": "PLAY 7 FOR CP"},
    ]
    hand = {"hand": {"power": "protestant", "cards": [7]}}
    found = case(seats=OF_PLAYERS, play=play, expect=[{"active": "protestant"}])
    found["arrange"].append(hand)
    assert rehearse(found)[0] == 0


@pytest.mark.parametrize(
    ("seats", "because"),
    [
        (2, "the game is not for 2"),
        (["england"], "nobody holds ottoman, hapsburg, france, papacy, protestant"),
        (["england", "venice"], "there is no power venice; there are ottoman"),
        ([*ALL, "england"], "england stands there twice"),
        ("six", "seats is a number of players"),
        (True, "seats is a number of players"),
    ],
)
def test_seats_that_cannot_be_are_told(rehearse, seats, because):
    state, output = rehearse(case(seats=seats))
    assert state == 1
    assert because in output


def test_where_each_player_takes_a_power_they_sit_as_the_case_says(rehearse):
    # The order of placement is drawn from the seats: the second of those listed is the first player.
    found = {
        "title": "seats", "game": "struggle_of_empires", "seats": ["spain", "britain", "france"],
        "play": [], "stop": False, "expect": [{"over": False}],
    }  # fmt: skip
    found["seats"] = 9
    assert "9 seats: the game is for 2 to 7" in rehearse(found)[1]


def test_nothing_goes_by_after_the_last_order_of_a_case_that_stops(rehearse):
    # France and the Papacy hold no cards, so they pass by themselves; the Protestant holds one.
    assert rehearse(case(stop=True))[0] == 0
    state, output = rehearse(case(stop=False))
    assert state == 1
    assert "expected active: france, got protestant" in output
    assert rehearse(case(stop=False, expect=[{"active": "protestant"}, {"facts": ["pass", "pass"]}]))[0] == 0
    assert rehearse(case(stop=True, expect=[{"active": "protestant"}]))[0] == 1


def test_what_a_case_expects_has_to_hold_together(rehearse):
    """Without `stop` it may hold at either end, but never a part here and a part there."""
    assert rehearse(case())[0] == rehearse(case(expect=[{"active": "protestant"}]))[0] == 0
    state, _ = rehearse(case(expect=[{"active": "france"}, {"facts": ["pass"]}]))
    assert state == 1


def test_a_case_checks_in_the_middle_of_play(rehearse):
    play = [
        {"expect": {"cp_left": 1}},
        {"england": "END IMPULSE"},
        {"expect": [{"active": "protestant"}, {"asks": {"seat": "protestant", "question": "impulse"}}]},
        {"protestant": "PLAY 8 FOR CP"},
    ]
    assert rehearse(case(play=play, expect=[{"active": "protestant"}]))[0] == 0
    play[2]["expect"][0] = {"active": "ottoman"}
    state, output = rehearse(case(play=play, expect=[{"active": "protestant"}]))
    assert state == 1
    assert "play 3 (line " in output
    assert "expected active: ottoman, got protestant" in output


def test_a_case_that_checks_in_the_middle_alone_is_one(rehearse):
    assert rehearse(case(play=[{"expect": {"active": "england"}}], expect=None))[0] == 0
    assert "cannot fail" in rehearse(case(expect=None))[1]


def test_no_cp_left_is_nought_also_after_the_impulse(rehearse):
    assert rehearse(case(expect=[{"cp_left": 0}]))[0] == 0
    assert rehearse(case(expect=[{"cp_left": None}]))[0] == 0
    assert rehearse(case(play=[], expect=[{"cp_left": 0}]))[0] == 1
    found = case(play=[{"england": "END IMPULSE"}])
    found["arrange"].append({"cp_left": 0})
    assert rehearse(found)[0] == 0


def test_a_failure_says_what_was_asked(rehearse):
    state, output = rehearse(case(play=[{"france": "PASS"}]))
    assert state == 1
    assert "refused: france: PASS: nothing is asked of you now; the game waits for England" in output
    assert "  asked then:\n    england: action (MOVE <force> FROM <origin> TO <space>, " in output
    assert "nobody" in rehearse(case(stop=True, expect=[{"active": "papacy"}]))[1]


def test_verbose_prints_every_order_with_its_facts_and_the_next_question(rehearse):
    state, output = rehearse(case(stop=True), "-v")
    assert state == 0
    assert "> england: END IMPULSE\n    state: name=cp_left, before=1\n" in output
    assert "> " not in rehearse(case(stop=True))[1]


def test_yes_and_no_without_quotation_marks_are_words(rehearse):
    found = case(play=[{"refused": {"england": True, "because": "YES is no answer"}}], expect=[{"active": "england"}])
    assert rehearse(found)[0] == 0


@pytest.mark.parametrize("game", ["here_i_stand", "struggle_of_empires"])
def test_the_index_of_words_holds_all_that_cases_use(game):
    result = CliRunner().invoke(main, ["rehearse", "--words", game])
    assert result.exit_code == 0
    sections = {part.split("\n")[0]: part for part in result.output.split("\n\n")}
    for path in sorted((Path(__file__).parents[0] / "cases" / game).glob("*.yaml")):
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        for section in ("arrange", "expect"):
            for entry in found.get(section) or []:
                assert all(name in sections[section] for name in entry), path.name
    assert {"happenings", "types of fact", "phases", "questions", "orders"} <= sections.keys()


@pytest.mark.parametrize(
    "phase", ["diet_of_worms", "os", "game", "cards.common", "../theses", "__init__", "", 3, None, []]
)
def test_a_users_word_for_a_phase_is_never_imported(rehearse, phase):
    for entry in ({"phase": phase}, {"phase": {"phase": phase}}):
        state, output = rehearse(case(arrange=[entry], play=[], expect=[{"phase": "diet"}]))
        assert state == 1
        assert "arrange 1 (line" in output
        assert "there is no phase" in output
        assert "there are theses, draw, diplomacy" in output
    with pytest.raises(ValueError, match="there is no phase"):
        sequence.phase_of(Table(Board("here_i_stand", []), load_kit("here_i_stand"), game=GAME), str(phase))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"game": "nowhere"}, "there is no game “nowhere”; there are "),
        ({"game": "reformation"}, "there is no game “reformation”"),
        ({"game": ["here_i_stand"]}, "there is no game"),
        ({"scenario": "1518"}, "there is no scenario 1518; there are 1517, 1532, tournament"),
        ({"options": {"nothing": 1}}, "there is no option 'nothing'"),
        ({"options": "all"}, "options is a mapping"),
        ({"stop": "yes, please"}, "stop is true or false"),
        ({"dice": ["six"]}, "dice is a list of whole numbers"),
        ({"arrange": {"turn": 2}}, "arrange is a list of entries"),
        ({"arrange": ["turn"]}, "arrange 1 (line 2): an entry is - name: value, not 'turn'"),
        ({"arrange": [{"trun": 2}]}, "arrange 1 (line 2), trun: there is no entry trun"),
        ({"arrange": [{"phase": {"phase": "action", "segment": "no"}}]}, "there is no segment no of"),
        ({"arrange": [{"control": {"space": "vieana", "power": "ottoman"}}]}, "no space vieana; did you mean vienna"),
        ({"arrange": [{"control": {"space": "vienna", "power": "otoman"}}]}, "no power otoman; did you mean ottoman?"),
        ({"arrange": [{"units": {"place": "buda", "regular": 1}}]}, "arrange 1 (line 2), units: there is no power"),
        ({"arrange": [{"units": {"place": "buda", "power": "ottoman", "regulr": 1}}]}, "did you mean regular?"),
        ({"arrange": [{"units": {"place": "budda", "power": "ottoman", "regular": 1}}]}, "did you mean buda?"),
        ({"arrange": [{"units": {"place": "buda", "power": "ottoman", "regular": "nine"}}]}, "a number of units, not"),
        ({"arrange": [{"units": "buda"}]}, "arrange 1 (line 2), units: this form is not known"),
        ({"arrange": [{"hand": {"power": "england", "cards": [999]}}]}, "there is no card 999"),
        ({"arrange": [{"discards": 999}]}, "there is no card 999"),
        ({"arrange": [{"war": ["ottoman"]}]}, "arrange 1 (line 2), war"),
        ({"play": [{"venice": "PASS"}]}, "play 1 (line"),
        ({"play": ["PASS"]}, "an entry is - name: value"),
        ({"play": [{"refused": "PASS"}]}, "refused is {power: order"),
        ({"play": [{"refused": {"venice": "PASS"}}]}, "venice has no seat here"),
        ({"play": [{"expire": True, "england": "PASS"}]}, "expire stands in an entry of its own"),
        ({"play": [{"expect": {"actve": "france"}}]}, "play 1 (line"),
        ({"play": [{"england": "ENDE IMPULSE"}]}, "refused: england: ENDE IMPULSE"),
        ({"expect": [{"actve": "france"}]}, "expect 1 (line"),
        ({"expect": [{"control": "vienna"}]}, "expect 1 (line"),
        ({"expect": [{"control": {"space": "vieana", "power": "ottoman"}}]}, "did you mean vienna"),
        ({"expect": [{"debater": {"debater": "nobody"}}]}, "there is no debater nobody"),
        ({"expect": [{"units": {"place": "buda", "power": "ottoman", "regulr": 0}}]}, "did you mean regular?"),
        ({"expect": [{"asks": "france"}]}, "expect 1 (line"),
        ({"position": {"board": 1}}, "the position cannot be set up"),
        ({"wrong": 1}, "unknown keys wrong; there are arrange"),
    ],
    ids=lambda value: str(value)[:60],
)  # fmt: skip
def test_a_case_that_cannot_be_understood_says_where_and_what_would_be_right(rehearse, changes, told):
    state, output = rehearse(case(**changes))
    assert state == 1
    assert told in output
    assert "Traceback" not in output


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title: [", "line 1: expected the node content"),
        ("game: here_i_stand\nplay:\n  - england: PASS\n   - france: PASS\n", "line 4: "),
        ("game: here_i_stand\nseats: 6\nseats: 5\n", "line 3: seats stands twice here"),
        ("game: here_i_stand\nplay:\n  - england: PASS\n    england: PASS\nexpect: []", "line 4: england stands twice"),
        ("- 1\n- 2\n", "a case is a mapping"),
        ("", "a case is a mapping"),
        ("\x00", "this is no YAML"),
        ("game: !!python/object:os.system {}", "line 1: could not determine a constructor"),
    ],
)
def test_a_file_that_is_no_case_gets_one_line_with_its_place(rehearse, text, told):
    state, output = rehearse(text)
    assert state == 1
    assert told in output
    assert len(output.splitlines()) == 2


def test_no_value_anywhere_in_a_case_ends_in_a_traceback(rehearse):
    """Whatever stands in place of any value of a real case: it is told, or the case runs."""
    path = Path(__file__).parents[0] / "cases" / "struggle_of_empires" / "2-move-example.yaml"
    whole = yaml.safe_load(path.read_text(encoding="utf-8"))
    for place in _places(whole):
        for value in (None, ["nonsense"], -1, {"nonsense": 1}):
            changed = copy.deepcopy(whole)
            holder = changed
            for step in place[:-1]:
                holder = holder[step]
            holder[place[-1]] = value
            _, output = rehearse(changed)
            assert output.endswith("passed, 0 failed\n") or "FAIL case.yaml" in output, (place, value)


def _places(data, before=()):
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield (*before, key)
        if isinstance(value, dict | list):
            yield from _places(value, (*before, key))
