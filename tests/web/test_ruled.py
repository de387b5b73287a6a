"""Rulings built from lists, on boards of every game: each thing there is can be changed, and is told in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from pbem.campaign import rulings
from pbem.render.narrative import Teller
from pbem.resources import kits
from pbem.table.board import Board
from pbem.table.kit import load_kit
from pbem.web import ruled
from tests.web.conftest import Site

GAMES = {"struggle_of_empires": 5, "here_i_stand": 6, "thirty_years_war": 2, "virgin_queen": 6}


@pytest.fixture(scope="module", params=GAMES)
def board(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Board, Teller]]:
    """A board some way into a game as everybody sees it, and who tells of it."""
    site = Site(tmp_path_factory.mktemp("ruled"), request.param, GAMES[request.param], secret=b"r" * 32)
    site.start().play(3, 60)
    yield site.service.view_at(site.id), Teller(site.service.kit_of(site.id))
    site.service.close()


TELLER = Teller(load_kit("here_i_stand"))


@pytest.fixture
def kit_board() -> Board:
    """A board of Here I Stand with values of each form."""
    board = Board("here_i_stand", ["ottoman", "hapsburg", "england", "france", "papacy", "protestant"])
    board.state.update({
        "at_war": [["france", "hapsburg"]], "minor_ally": {"genoa": "france"}, "excommunicated": ["luther"],
        "control:agram": "hungary", "control:rome": "papacy", "turn": 2, "unrest:erfurt": True,
    })  # fmt: skip
    return board


def test_every_game_is_tried() -> None:
    assert GAMES.keys() == set(kits())


def test_things_are_called_by_names_that_differ(board: tuple[Board, Teller]) -> None:
    things = ruled.Things(*board)
    kinds = {thing.kind for thing in things.by_label.values()}
    assert {"piece", "card", "state"} - kinds <= {"card"} and len(things.by_label) > 50
    for label, thing in things.by_label.items():
        assert things.find(label) is thing and things.by_key[thing.key] is thing
        assert not re.search(r"\w_\w|\w:\w|%s", label), label


def test_each_thing_can_be_changed_and_is_told_in_a_sentence(board: tuple[Board, Teller]) -> None:
    view, teller = board
    things = ruled.Things(view, teller)
    for thing in things.by_label.values():
        form = {}
        for field in things.inputs(thing):
            others = [one for one in field.choices if one not in (field.value, thing.now)]
            value = field.value or (others[-1] if others else "" if field.lines else "1")
            form[field.name] = others[0] if others and field.name in ("to", "value", "of", "entry") else value
            if field.name in ("in", "with") and others:
                form[field.name] = [one for one in others if one != "nothing"][0 if field.name == "in" else -1]
        if thing.kind == "units":
            place = things._name(thing.ids[0])
            form["to"] = next(name for name in things.places if name != place)
        fact = things.fact(thing, form)
        if fact["fact"] == "card" or thing.now == "0":
            continue  # where a card is, or whether there are units left, only trying it tells
        (whole,) = rulings.completed(view, rulings.check_facts([fact]))
        (said,) = ruled.sentences([fact], view, teller)
        assert whole["why"] == "ruling" and said, (thing, fact)
        if fact.get("after", 0) != whole.get("before", 1):
            assert said.endswith((".", "!")) and "_" not in said, said


@pytest.mark.parametrize("text", ["", "nothing of the kind", "a|b|c", "\x00", "%s" * 50])
def test_what_is_not_there_is_said_to_be_so(board: tuple[Board, Teller], text: str) -> None:
    with pytest.raises(ValueError, match=r"^(Say what|Nothing called “)"):
        ruled.Things(*board).find(text)


def test_the_form_asks_and_refuses_in_the_moderators_language(kit_board: Board) -> None:
    things = ruled.Things(kit_board, Teller(load_kit("here_i_stand"), "fr"))
    for thing in things.by_label.values():
        for field in things.inputs(thing):
            assert field.label in (
                "Combien partent", "Vers où", "Cela doit être", "De qui ou de quoi", "Retirer", "Ajouter",
                "Avec", "Ou tout de nouveau",
            ), field  # fmt: skip
            assert not field.hint.startswith("now"), field
    with pytest.raises(ValueError, match="Dites ce que la décision doit changer."):
        things.find("")
    (turn,) = (thing for thing in things.by_label.values() if thing.ids == ("turn",))
    with pytest.raises(ValueError, match="nombre entier"):
        things.fact(turn, {"value": "beaucoup"})


@pytest.mark.parametrize(("name", "text", "value"), [
    ("at_war", "England, France\nhapsburgs, ottoman", [["england", "france"], ["hapsburg", "ottoman"]]),
    ("at_war", "", []),
    ("minor_ally", "Genoa: France\nVenice: Papacy", {"genoa": "france", "venice": "papacy"}),
    ("excommunicated", "Luther\nzwingli", ["luther", "zwingli"]),
    ("control:agram", "Ottoman", "ottoman"), ("control:agram", "nothing", None), ("turn", "3", 3),
    ("unrest:erfurt", "no", False),
])  # fmt: skip
def test_values_are_written_by_names(kit_board: Board, name: str, text: str, value: object) -> None:
    things = ruled.Things(kit_board, TELLER)
    thing = next(thing for thing in things.by_label.values() if thing.ids == (name,))
    assert things.fact(thing, {"value": text}) == {"fact": "state", "name": name, "after": value, "why": "ruling"}


@pytest.mark.parametrize(("name", "text", "words"), [
    ("at_war", "England, Frence", "“Frence” is not known here; did you mean “France”?"),
    ("at_war", "England, France, Papacy", "write one name a line, or two with a comma between"),
    ("minor_ally", "Genoa France", "write a name, a colon, and what it is to have"),
    ("turn", "three", "Say it as a whole number"), ("control:agram", "", "Say what it is to be."),
    ("unrest:erfurt", "perhaps", "Nothing called “perhaps” is an answer to this"),
])  # fmt: skip
def test_wrong_values_are_said_in_words(kit_board: Board, name: str, text: str, words: str) -> None:
    things = ruled.Things(kit_board, TELLER)
    thing = next(thing for thing in things.by_label.values() if thing.ids == (name,))
    with pytest.raises(ValueError, match=re.escape(words)):
        things.fact(thing, {"value": text})


def test_a_marker_that_is_not_there_yet_is_laid_from_the_list(kit_board: Board) -> None:
    things = ruled.Things(kit_board, TELLER)
    unrest, control = things.find("Unrest in Wittenberg"), things.find("Control of Metz")
    assert (unrest.now, control.now) == ("nothing", "nothing")
    assert things.fact(unrest, {"value": "yes"}) == {
        "fact": "state", "name": "unrest:wittenberg", "after": True, "why": "ruling",
    }  # fmt: skip
    fact = things.fact(control, {"value": "France"})
    assert fact["after"] == "france"
    assert ruled.sentences([fact], kit_board, TELLER) == ["Control of Metz: – → France."]
    assert not [thing for thing in things.by_label.values() if thing.label.startswith("Haven")]
