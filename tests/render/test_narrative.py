"""Facts told as sentences: of the toy, of Struggle of Empires in both languages, and of facts that nobody foresaw."""

from __future__ import annotations

import inspect
import logging
import random
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lxml.html
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import resources
from pbem.games import find_game
from pbem.render import happenings
from pbem.render.language import languages
from pbem.render.narrative import Paragraph, PhraseError, Teller, check_phrases, narrate, phrases
from pbem.table.board import Board
from pbem.table.facts import FACT_TYPES, Fact, difference
from pbem.table.kit import Kit, load_kit
from pbem.table.procedure import Play, Table
from tests import toy

LANGUAGES = ("en", "fr", "ru")


@pytest.fixture(scope="module")
def kit() -> Kit:
    return load_kit("struggle_of_empires")


def told(facts: list[Fact], kit: Kit, language: str = "en") -> str:
    return "\n".join(paragraph.text for paragraph in narrate(facts, kit, language))


FIGHT: list[Fact] = [
    {"fact": "roll", "what": "land fight, attacker", "power": "spain", "dice": [2, 5], "sides": 6, "index": 31,
     "section": "3", "side": "spain"},
    {"fact": "roll", "what": "land fight, defender", "power": "britain", "dice": [1, 6], "sides": 6, "index": 32,
     "section": "3", "side": "britain"},
    {"fact": "happened", "what": "fight", "where": "land", "region": "north_america", "winner": "attacker",
     "section": "3", "sides": [
         {"side": "attacker", "name": "spain", "helpers": [], "strength": 5, "dice": [2, 5], "difference": 3,
          "total": 8, "modifiers": [
              {"what": "army", "of": "spain", "number": 2, "value": 2},
              {"what": "army_training", "of": "spain", "number": 2, "against": 1, "value": 1},
              {"what": "alliance_tile", "of": "spain", "tile": "native_americans", "value": 1},
              {"what": "naval_support", "of": "spain", "value": 1}]},
         {"side": "defender", "name": "britain", "helpers": ["austria"], "strength": 2, "dice": [1, 6], "difference": 5,
          "total": 7, "modifiers": [
              {"what": "army", "of": "britain", "number": 1, "value": 1},
              {"what": "army", "of": "austria", "number": 1, "value": 1}]}]},
    {"fact": "happened", "what": "natural_seven", "power": "britain", "by_ally": True, "section": "3"},
    {"fact": "happened", "what": "loss", "power": "britain", "kind": "army", "place": "north_america", "why": "defeat",
     "section": "3"},
    {"fact": "units", "kind": "army", "power": "britain", "number": 1, "origin": "north_america", "place": "supply",
     "why": "lost in a fight", "section": "3"},
    {"fact": "count", "track": "unrest", "power": "britain", "before": 2, "after": 3, "change": 1,
     "why": "lost in a fight", "section": "3"},
]  # fmt: skip
"""The fight of the rulebook's example, as the game tells it."""


def test_a_fight_is_told_as_the_rules_do(kit: Kit) -> None:
    assert told(FIGHT, kit) == (
        "Land fight in North America\n"
        "Spain (attacker): 2 armies +2, Army Training (2 against 1) +1, Native Americans +1, naval support +1"
        " = strength 5; dice 2 5 ⚁⚄ (throw 31), difference 3; total 8.\n"
        "Great Britain (defender): 1 army +1, 1 army of Austria +1 = strength 2; dice 1 6 ⚀⚅ (throw 32),"
        " difference 5; total 7.\n"
        "Spain wins, 8 to 7.\n"
        "A natural 7 costs Great Britain one more unit, which an ally loses. Great Britain loses an army in North"
        " America (lost the fight). Great Britain: unrest 2 → 3."
    )


def test_the_same_fight_in_french(kit: Kit) -> None:
    assert told(FIGHT, kit, "fr") == (
        "Combat terrestre en Amérique du Nord\n"
        "L'Espagne (attaquant) : 2 armées +2, Formation Militaire (2 contre 1) +1, Indigènes Américains +1,"
        " support naval +1 = puissance 5 ; dés 2 5 ⚁⚄ (lancer 31), différence 3 ; total 8.\n"
        "La Grande-Bretagne (défenseur) : 1 armée +1, 1 armée de l'Autriche +1 = puissance 2 ; dés 1 6 ⚀⚅ (lancer 32),"
        " différence 5 ; total 7.\n"
        "L'Espagne l'emporte, 8 à 7.\n"
        "Un 7 naturel coûte une unité de plus à la Grande-Bretagne, perdue par un allié. La Grande-Bretagne perd une"
        " armée en Amérique du Nord (combat perdu). Grande-Bretagne : mécontentement 2 → 3."
    )


def test_dice_whose_fight_is_told_later_are_told_by_themselves(kit: Kit) -> None:
    first, second = narrate(FIGHT[:2], kit), narrate(FIGHT[2:3], kit)
    assert [p.text for p in first] == ["Spain throws 2 5 ⚁⚄ (throw 31). Great Britain throws 1 6 ⚀⚅ (throw 32)."]
    assert "dice 2 5 ⚁⚄, difference 3" in second[0].text
    whole = narrate(FIGHT, kit)
    assert whole[0].facts == [0, 1, 2] and whole[0].sections == ["3"]


def test_dice_of_many_sides_have_no_faces(kit: Kit) -> None:
    fact = {"fact": "roll", "what": "x", "power": "spain", "dice": [8], "sides": 10, "index": None}
    assert told([fact], kit) == "Spain throws 8 for x."
    assert told([fact | {"dice": [2, 5]}], kit) == "Spain throws 2 5 for x.", "not the faces of a die of six sides"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Drawn for seat 2 (throw 1)"),
        ("fr", "Tirage pour la place 2 (lancer 1)"),
        ("ru", "Жребий (место 2; бросок 1)"),
    ],
)
def test_a_draw_of_powers_names_the_seat_in_the_language(kit: Kit, language: str, said: str) -> None:
    fact = {"fact": "draw", "what": "powers of seat2", "k": 0, "m": 1, "index": 1, "card": "spain"}
    assert narrate([fact], kit, language)[0].text.startswith(said)


def test_the_kit_says_what_stands_on_its_dice(own_phrases: Any) -> None:
    own_phrases(
        '[dice]\nusual = 10\n10 = {faces = "1234567890"}\n3 = {faces = ["miss", "hit", "rout"], signs = "○●★"}\n'
        '[roll]\nany = "Die {{ dice|dice }}."\n[happened]\nsum = "Dice {{ dice|dice }}, {{ dice|dice(6) }}."\n'
    )

    def of(**fact: Any) -> str:
        return narrate([fact], toy.kit())[0].text

    assert of(fact="roll", what="x", power="red", dice=[10, 1], sides=10, index=1) == "Die 0 1."
    assert of(fact="roll", what="x", power="red", dice=[3, 2], sides=3, index=1) == "Die rout hit ★●."
    assert of(fact="roll", what="x", power="red", dice=[6], sides=6, index=1) == "Die 6 ⚅."
    assert of(fact="roll", what="x", power="red", dice=[6], sides=20, index=1) == "Die 6."
    assert of(fact="happened", what="sum", dice=[5, 10]) == "Dice 5 0, 5 10."
    assert of(fact="happened", what="sum", dice=4, sides=["of a battle"]) == "Dice 4, 4 ⚃."


def test_a_name_with_an_exclamation_mark_ends_its_sentence(own_phrases: Any) -> None:
    own_phrases('[happened]\nany = "{{ how|strong }}. {{ how }}. {{ plain }}."\n')
    (told,) = narrate([{"fact": "happened", "what": "x", "how": "Sack!", "plain": "Sack"}], toy.kit())
    assert told.text == "Sack! Sack! Sack."
    assert told.html == "<strong>Sack!</strong> Sack! Sack."


def test_equal_sentences_in_a_row_are_counted(own_phrases: Any) -> None:
    own_phrases('[happened]\nany = "{{ what }}."\ncomes = "&{{ who }} comes to {{ place }}."\n')

    def of(*comers: str) -> list[Paragraph]:
        facts = [{"fact": "happened", "what": "comes", "who": who, "place": "x"} for who in comers]
        return narrate([{"fact": "happened", "what": "muster"}, *facts], toy.kit())

    (told,) = of("<a>", "<a>", "b", "<a>")
    assert told.text == "muster. <a> comes to x ×2. b comes to x. <a> comes to x."
    assert told.html == told.text.replace("<a>", "&lt;a&gt;") and told.facts == [0, 1, 2, 3, 4]
    assert of("a", "a", "a")[0].text == "muster. a comes to x ×3."


def test_phrases_share_macros(own_phrases: Any) -> None:
    own_phrases(
        '[macros]\nbold = "{% macro bold(x) %}{{ x|strong }}{% endmacro %}"\n'
        'all = "{% macro all(them) %}{% for one in them %}{{ bold(one) }}{{ \\", \\" if not loop.last }}{% endfor %}'
        '{% endmacro %}"\n[happened]\nany = "/{{ all(names) }}!"\n'
    )
    (told,) = narrate([{"fact": "happened", "what": "x", "names": ["<a>", "b"]}], toy.kit())
    assert (told.text, told.html) == ("<a>, b!", "<strong>&lt;a&gt;</strong>, <strong>b</strong>!")
    assert check_phrases("toy", "en").count("happened any") == 1


def test_words_of_pictures_are_plain_and_fall_back_to_english(own_phrases: Any) -> None:
    own_phrases('[picture]\nvp = "VP"\nset = "{1} {{ x }}"\n[phase]\nwar = "the war"\n')
    teller = Teller(toy.kit(), "fr")
    assert dict(teller.words("picture")) == {"vp": "VP", "set": "{1} {{ x }}"}
    assert dict(teller.words("phase")) == {"war": "the war"} and not teller.words("nothing")
    assert "picture vp" not in check_phrases("toy", "en")


@pytest.mark.parametrize("game", [game for game in resources.kits() if find_game(game).picture is not None])
def test_the_words_of_a_picture_are_there_in_every_language(game: str) -> None:
    tellers = {language: Teller(load_kit(game), language) for language in languages()}
    files = {language: resources.path(f"config/games/{game}/phrases.{language}.toml") for language in languages()}
    for section in ("picture", "phase"):
        own = {language: tomllib.loads(file.read_text("utf-8"))[section] for language, file in files.items()}
        for language, words in own.items():
            assert words.keys() == own["en"].keys() and all(words.values()), f"[{section}] {language}"
            assert dict(tellers[language].words(section)).items() >= words.items()  # those of its family besides


def test_names_with_their_articles(kit: Kit) -> None:
    french = Teller(kit, "fr")
    assert [french.form(p, "of") for p in ("france", "austria", "united_provinces")] == [
        "de la France", "de l'Autriche", "des Provinces-Unies",
    ]  # fmt: skip
    assert french.form("home:prussia", "name") == "métropole (Prusse)"
    assert french.form("tile:militia:2", "name") == "Milice" and french.form("india", "in") == "en Inde"
    fact = {"fact": "happened", "what": "passed", "power": "united_provinces"}
    assert told([fact], kit, "fr") == "Les Provinces-Unies passent."
    assert told([fact], kit) == "The United Provinces passes."
    named = narrate([fact], kit, "en", {"united_provinces": "Willem <b>"})
    assert named[0].html == "<strong>Willem &lt;b&gt;</strong> passes."


def test_what_players_and_moderators_write_is_escaped(kit: Kit) -> None:
    evil = "<script>alert(1)</script>{{ 7*7 }}"
    facts = [
        {"fact": "state", "name": evil, "before": None, "after": evil, "why": "restore"},
        {"fact": "happened", "what": "captured", "power": evil, "loser": evil, "region": evil},
    ]
    for paragraph in narrate(facts, kit):
        assert "<script>" not in paragraph.html and "49" not in paragraph.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["struggle_of_empires", "here_i_stand", "virgin_queen", "thirty_years_war"])
def test_what_is_set_back_is_told_whatever_phrases_leave_out_in_play(
    name: str, language: str, caplog: pytest.LogCaptureFixture
) -> None:
    kit, game = load_kit(name), find_game(name)
    scenario = next(iter(kit.scenarios))
    table = Table(Board(name, game.powers(kit, scenario)), kit, game=game)
    game.set_up(table, scenario)
    then, now = table.board, table.board.copy()
    for values in now.tracks.values():
        values.update({power: (number or 0) + 3 for power, number in values.items()})
    now.counters.update({one: (number or 0) + 2 for one, number in now.counters.items()})
    teller, supply = Teller(kit, language), {"at": "supply"}
    facts = difference(now, then)
    facts += [
        {"fact": "piece", "piece": piece, "before": supply, "after": where, "why": "restore"}
        for piece, where in then.pieces.items() if where["at"] != "supply"
    ]  # fmt: skip
    silent = [fact for fact in facts if not narrate([fact], kit, language)]
    assert facts and not silent
    note = {"fact": "state", "name": "note_of_rules", "before": 1, "after": 2, "why": "restore"}
    assert not teller.told_value("note_of_rules") and not narrate([note], kit, language)
    assert not caplog.records


# --- whole games -----------------------------------------------------------------------------------------------------


class _Throws:
    def __init__(self, chance: random.Random):
        self.chance, self.index = chance, 0

    def throw(self, number: int, sides: int, what: str) -> Any:
        self.index += 1
        return SimpleNamespace(index=self.index, dice=[self.chance.randint(1, sides) for _ in range(number)])


def played(kit: Kit, powers: list[str], seed: int) -> Any:
    """(questions, facts) of a random game, step by step."""
    chance, game = random.Random(seed), find_game(kit.game)
    throws, table = _Throws(chance), Table(Board(game.id, powers), kit, game=game)
    game.set_up(table, next(iter(kit.scenarios)))
    play = Play(game, table)
    yield None, play.start(throws).facts
    while not play.over:
        question = play.question_for(play.waiting_for()[0])
        assert question is not None
        facts = play.answer(question.power, question.sample(table, chance), throws).facts
        yield question, facts


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_is_told_by_phrases_that_fit(kit: Kit, language: str, caplog: pytest.LogCaptureFixture) -> None:
    happened: set[str] = set()
    thrown = mentioned = 0
    powers = ["france", "britain", "united_provinces", "austria", "spain"]
    for seed in (1, 2):
        for question, facts in played(kit, powers, seed):
            if question is not None:
                title, text = Teller(kit, language).question(question.kind, question.context, question.power)
                assert title and text and "_" not in title + text, question
            happened |= {fact["what"] for fact in facts if fact["fact"] == "happened"}
            paragraphs = narrate(facts, kit, language)
            thrown += sum(fact["fact"] in ("roll", "draw") for fact in facts)
            mentioned += sum(facts[place]["fact"] in ("roll", "draw") for p in paragraphs for place in p.facts)
            for paragraph in paragraphs:
                assert paragraph.text and "_" not in paragraph.text and "None" not in paragraph.text
                assert lxml.html.fromstring(f"<p>{paragraph.html}</p>").text_content().split()
    assert not caplog.records  # a phrase that does not fit is logged
    assert thrown == mentioned > 100  # every die and draw is told
    assert len(happened) > 30


def test_the_languages_say_the_same(kit: Kit) -> None:
    own = {code: set(check_phrases("struggle_of_empires", code)) for code in LANGUAGES}
    assert own["en"] == own["fr"] == own["ru"]


def test_everything_that_the_game_tells_has_a_phrase(kit: Kit) -> None:
    room = Path(inspect.getfile(type(find_game(kit.game)))).parent
    source = "".join(file.read_text(encoding="utf-8") for file in room.glob("*.py"))
    marks = set(re.findall(r"""\.tell\(\s*"(\w+)""", source))
    phrases = set(check_phrases("struggle_of_empires", "en"))
    assert len(marks) > 30
    assert {f"happened {mark}" for mark in marks} <= phrases


# --- what nobody foresaw ---------------------------------------------------------------------------------------------

_words = st.sampled_from(["france", "india", "army", "?", "<i>", "", "{{x}}"])
_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 99) | _words,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["at", "a b", "france"]), inner, max_size=3)
    ),
    max_leaves=6,
)
_names = st.sampled_from([
    "what", "why", "power", "track", "before", "after", "change", "kind", "number", "origin", "place", "dice", "index",
    "card", "k", "m", "name", "content", "pile", "cards", "piece", "region", "sides", "side", "section", "winner",
    "tile", "gold", "target", "first", "second", "outcome", "units", "ranks", "item", "teller", "thrown",
])  # fmt: skip
_whats = ["fight", "built", "bought", "crossing", "support", "scored", "income", "upkeep", "unheard_of"]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.builds(
            lambda kind, what, more: {**more, "fact": kind, **({"what": what} if what else {})},
            st.sampled_from([*FACT_TYPES, "telepathy"]), st.sampled_from([*_whats, None]),
            st.dictionaries(_names, _values),
        ),
        max_size=4,
    ),
    st.sampled_from(LANGUAGES),
)  # fmt: skip
def test_no_fact_stops_the_telling(facts: list[Fact], language: str) -> None:
    logging.disable(logging.WARNING)
    try:
        for paragraph in narrate(facts, load_kit_once(), language):
            assert paragraph.text and "<i>" not in paragraph.html
    finally:
        logging.disable(logging.NOTSET)


_kits: list[Kit] = []


def load_kit_once() -> Kit:
    if not _kits:
        _kits.append(load_kit("struggle_of_empires"))
    return _kits[0]


def test_a_game_without_phrases_is_told_by_the_generic_ones() -> None:
    facts = [
        {"fact": "units", "kind": "unit", "power": "red", "number": 2, "origin": "supply", "place": "hill"},
        {"fact": "roll", "what": "ambush", "power": "blue", "dice": [5], "sides": 6, "index": 7},
        {"fact": "count", "track": "luck", "power": "red", "before": 1, "after": 2, "change": 1, "why": "best"},
        {"fact": "card", "card": "?", "origin": "deck", "place": "hand:red"},
        {"fact": "happened", "what": "best", "power": "red"},
    ]  # fmt: skip
    assert told(facts, toy.kit()) == (
        "Red: 2 units placed at Green Hill. Blue throws 5 ⚄ for ambush (throw 7). Red: luck 1 → 2."
        " A card goes from deck to Red."
    )
    assert "Blue lance 5 ⚄ pour ambush (lancer 7)." in told(facts, toy.kit(), "fr")


def test_a_fact_type_without_any_phrase_is_told_by_its_fields(kit: Kit) -> None:
    fact = {"fact": "telepathy", "power": "france", "strength": 3, "true": True, "nothing": None, "many": ["india", 2]}
    assert told([fact], kit) == "Telepathy (power: France, strength: 3, true: yes, nothing: –, many: India and 2)."


@pytest.fixture
def own_phrases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes phrase files of the toy that are found before the shipped ones."""
    toy.write_kit(tmp_path)
    monkeypatch.setenv("PBEM_CONFIG", str(tmp_path))
    phrases.phrases_of.cache_clear()

    def write(text: str, language: str = "en") -> None:
        (tmp_path / "games" / "toy" / f"phrases.{language}.toml").write_text(text, encoding="utf-8")
        phrases.phrases_of.cache_clear()

    yield write
    phrases.phrases_of.cache_clear()


def test_a_phrase_that_does_not_fit_gives_way_to_a_simpler_one(
    own_phrases: Any, caplog: pytest.LogCaptureFixture
) -> None:
    own_phrases('[count]\n"luck best" = "{{ no_such_field }}"\nluck = "{{ power|The }} is lucky."')
    fact = {"fact": "count", "track": "luck", "power": "red", "before": 1, "after": 2, "change": 1, "why": "best"}
    assert told([fact], toy.kit()) == "Red is lucky."
    assert "luck best" in caplog.text


@pytest.mark.parametrize(
    "phrase",
    ["{{ ''.__class__.__mro__ }}", "{{ teller.kit.__init__.__globals__ }}", "{{ [].append.__self__.__class__ }}",
     "{% for x in range(999999999) %}x{% endfor %}", "{{ 1/0 }}", "{{ power.x.y }}", "{{ cycler.__init__ }}"],
)  # fmt: skip
def test_phrases_run_in_a_sandbox(own_phrases: Any, phrase: str) -> None:
    own_phrases(f'[happened]\nbest = "{phrase}"')
    text = told([{"fact": "happened", "what": "best", "power": "red"}], toy.kit())
    assert "class" not in text and "globals" not in text and len(text) < 100


@pytest.mark.parametrize(
    "text",
    ["[happened]\nbest = '{{ if'", "[happened\n", "[happened]\nbest = 3", "[picture]\nvp = 3",
     "[dice]\nten = {}", "[dice]\n10 = {faces = '123'}", "[dice]\n6 = 3"],
)  # fmt: skip
def test_a_broken_phrase_file_is_named(own_phrases: Any, text: str) -> None:
    own_phrases(text)
    with pytest.raises(PhraseError, match="phrases.en"):
        check_phrases("toy", "en")


def test_marks_of_phrases(own_phrases: Any) -> None:
    own_phrases(
        '[happened]\nopens = "One."\njoins = "+Two."\nalone = "*Alone.¶In two lines."\n'
        'uses = "Used {{ thrown|length }}."\n'
        'silent = ""\nempty = "+{% if false %}x{% endif %}"\n[roll]\nany = "~Die {{ dice|dice }}."'
    )

    def happened(*whats: str) -> list[str]:
        facts = [
            {"fact": "roll", "what": "x", "power": "red", "dice": [3], "sides": 6, "index": 1}
            if what == "roll" else {"fact": "happened", "what": what} for what in whats
        ]  # fmt: skip
        return [paragraph.text for paragraph in narrate(facts, toy.kit())]

    assert happened("opens", "joins", "opens") == ["One. Two.", "One."]
    assert happened("opens", "alone", "joins") == ["One.", "Alone.\nIn two lines.", "Two."]
    assert happened("roll", "roll", "uses") == ["Used 2."]
    assert happened("roll", "joins") == ["Die 3 ⚂. Two."]
    assert happened("opens", "roll") == ["One. Die 3 ⚂."]
    assert happened("silent", "empty") == []


RULED: list[Fact] = [
    {"fact": "units", "kind": "army", "power": "france", "number": 2, "origin": "supply", "place": None},
    {"fact": "units", "kind": "army", "power": "france", "number": 1, "origin": None, "place": "supply"},
    {"fact": "piece", "piece": "tile:banking:1", "before": {"at": "france"}, "after": {"at": "supply"}},
    {"fact": "piece", "piece": "tile:banking:1", "before": {"at": "france"}, "after": {"at": "spain"}},
    {"fact": "state", "name": "active", "before": "france", "after": "spain"},
    {"fact": "count", "track": "unrest", "power": "france", "before": 3, "after": 5, "change": 2},
]


@pytest.mark.parametrize(("language", "said"), [
    ("en", ["France: 2 armies taken out of the game.", "", "Banking goes back to the supply.",
            "Banking: France → Spain.", "Whose turn it is: France → Spain.", "France: unrest 3 → 5."]),
    ("fr", ["La France : 2 armées hors du jeu.", "", "Banque retourne à la réserve.", "Banque : France → Espagne.",
            "À qui est le tour : France → Espagne.", "La France : mécontentement 3 → 5."]),
    ("ru", ["Франция: 2 армии — вне игры.", "", "Банковское дело возвращается в запас.",
            "Банковское дело: Франция → Испания.", "Чей ход: Франция → Испания.",
            "Франция: недовольство 3 → 5."]),
])  # fmt: skip
def test_a_ruling_is_told_whatever_the_rules_keep_silent_on(kit: Kit, language: str, said: list[str]) -> None:
    told = [narrate([{**fact, "why": "ruling"}], kit, language) for fact in RULED]
    assert ["".join(paragraph.text for paragraph in one) for one in told] == said
    silent = [narrate([fact], kit, language) for fact in RULED if fact["fact"] in ("piece", "state")]
    assert silent == [[]] * 3, "in play these are told by what happened"


@pytest.mark.parametrize(("language", "said"), [
    ("en", "Seat 1 is taken"), ("fr", "Place 1 : prise"), ("ru", "Место 1: занято"),
])  # fmt: skip
def test_a_seat_is_called_by_its_number(kit: Kit, language: str, said: str) -> None:
    event = {"kind": "joined", "public": {"seat": "seat1"}, "own": {}, "order": None, "facts": []}
    assert happenings.title(event, Teller(kit, language), None) == said
