"""What an event has one choose: every question of a card says what is chosen, and no two of one card say the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.rehearse import run_case
from pbem.render.language import languages
from pbem.render.narrative import Teller
from pbem.table.kit import load_kit

GAMES = ("here_i_stand", "virgin_queen")
GIVEN: dict[str, Any] = {
    "space": "london", "place": "london", "origin": "london", "unit": "regular", "owner": "england", "left": 2,
    "viewer": "france", "way": "skip", "loss": 3, "side": "catholic",
}  # fmt: skip
"""Values of the fields that questions have, where the call of the rules does not say them itself."""
STEPS = {"stays", "illness", "draw", "next", "lost", "remove_unrest"}
"""Steps that the phrase of the kind tells apart."""
TOLD_OTHERWISE = {"place_leader", "debate", "impulse", "losses", "rebellion"}
"""Kinds of questions whose own phrase says what is chosen, by a card or without one."""


def questions(game: str) -> Iterator[tuple[str, str, dict[str, Any], str]]:
    """Every question of a card of a game: the procedure that asks, its kind, and what it says of itself and offers."""
    for file in sorted((Path(games.__file__).parent / game / "cards").glob("*.py")):
        for procedure in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(procedure, ast.FunctionDef):
                for call in ast.walk(procedure):
                    if isinstance(call, ast.Call) and ast.unparse(call.func) in ("choose", "choose_number"):
                        given = {one.arg: one.value for one in call.keywords if one.arg}
                        if not isinstance(given.get("number"), ast.Constant):
                            continue
                        kind = ast.literal_eval(given.pop("kind", ast.Constant("event_choice")))
                        context = {
                            name: value.value if isinstance(value, ast.Constant) else GIVEN.get(name, "")
                            for name, value in given.items()
                            if name not in ("section", "optional", "hidden")
                        }
                        if ast.unparse(call.func) == "choose":
                            context["choose"] = ast.literal_eval(call.args[2])
                        yield procedure.name, kind, context, ast.unparse(call.args[3])


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_question_of_a_card_says_what_is_chosen(game: str, language: str) -> None:
    teller = Teller(load_kit(game), language)
    said: dict[tuple[str, int], set[tuple[str, str]]] = {}
    for procedure, kind, context, among in questions(game):
        if kind in TOLD_OTHERWISE or context.get("step") in STEPS:
            continue
        legal = [f"CHOOSE OPTION {word}" for word in ("MORE", "ATTACKER") if word in among.upper()]
        title, text = teller.question(kind, context, "england", legal)
        assert title != teller.question_title(kind), (procedure, context, text)
        told = said.setdefault((procedure, context["number"]), set())
        assert (title, text) not in told, (procedure, context, text)
        told.add((title, text))
    assert len(said) > 30


@pytest.mark.parametrize("language", languages())
def test_who_looks_and_whose_hand_are_two_questions(language: str) -> None:
    """Card 109: who looks, then whose hand; whether that is the player himself or another power."""
    teller = Teller(load_kit("here_i_stand"), language)
    asked = {"choose": "power", "number": 109}
    contexts = (asked, {**asked, "viewer": "ottoman"}, {**asked, "viewer": "france"})
    told = [teller.question("event_choice", context, "ottoman") for context in contexts]
    assert len({title for title, _ in told}) == len({text for _, text in told}) == 3
    assert teller.power("france") in told[2][1]


@pytest.mark.parametrize("language", languages())
def test_cards_of_the_thirty_years_war_say_for_what_a_space_or_a_leader_is(language: str) -> None:
    teller = Teller(load_kit("thirty_years_war"), language)
    spaces = {
        teller.question("event_space", {"card": card})[1].split(".", 1)[1] for card in ("C14", "C20", "C24", "P18")
    }
    leaders = {teller.question("event_leader", {"card": card})[1].split(".", 1)[1] for card in ("P23", "P49")}
    assert len(spaces) == 4 and len(leaders) == 2


def test_silence_shows_no_hand_of_the_player_of_the_card() -> None:
    """Card 109: where another power looks, and nothing is said of whose hand, it is not that of the player."""
    case = {
        "title": "silence", "game": "here_i_stand", "scenario": "1517", "seats": 6,
        "arrange": [
            {"hand": {"power": "ottoman", "cards": [1, 26, 109]}},
            {"phase": {"phase": "spring", "segment": "informant"}},
        ],
        "play": [{"ottoman": "PLAY 109\nCHOOSE POWER France"}, {"expire": True}],
    }  # fmt: skip
    verdict = run_case(case, games.find_game, load_kit)
    assert verdict.passed, verdict.text()
    (seen,) = [line for line in verdict.story if "what=hand_seen" in line]
    assert "by=france" in seen and "power=ottoman" not in seen
