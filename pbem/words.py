"""Checking the words of games: that every refusal which rules can raise has its sentence, that the options of a kit and
what it gives players to read are told in all languages, and what is not translated.

The code is read, not run: a refusal that no test provokes is found too. A game's code is its room and the packages of
`pbem.games` that this imports; what the table and the campaigns refuse can be refused in every game.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from pathlib import Path

from pbem.games import find_game
from pbem.render.explained import domains_of, fields_of
from pbem.render.language import SOURCE, field_label, find_language, languages
from pbem.render.narrative import family, own_phrases
from pbem.resources import kits
from pbem.table.kit import Kit, load_kit

ROOT = Path(__file__).parent
COMMON = ("table", "campaign", "web")
"""The packages whose refusals every game has; their phrases are those of the table."""

ALWAYS = {"tables"}
"""What every phrase of a refusal may use besides the refusal's own values."""

ELSEWHERE = "elsewhere"
"""The class attribute by which an order names the refusal that it meets where something else is asked, with its values
(`pbem.table.asking.Ask`)."""
ELSEWHERE_VALUES = frozenset({"verb", "question"})

PROSE = "text"
"""The column of a kit's tables that always is for players to read."""

REFUSALS = {"Refused", "Unreadable", "UnknownVerb"}
"""The classes that are made with a code and its values."""

OPTIONS = ("option", "option_group", "choice_set")
"""The sections about options of kits, which every language must have."""

NOT_RAISED = {"table/refusals.py"}
"""Where refusals are only put together again."""


@dataclass(frozen=True)
class Raised:
    """A refusal as the code makes it. `code` is None where it is known only when the code runs; `values` are the names
    of its values, None where these are not told one by one."""

    code: str | None
    values: frozenset[str] | None
    place: str


@dataclass
class Checked:
    """What is wrong with the words of a game, and how many phrases each language lacks (language -> section -> number).
    """

    problems: list[str] = field(default_factory=list)
    missing: dict[str, dict[str, int]] = field(default_factory=dict)


@dataclass
class _Code:
    """What the sources of some packages hold: the refusals, and every text that stands in them."""

    raised: list[Raised] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)
    patterns: list[re.Pattern[str]] = field(default_factory=list)
    """Those of codes that are put together when the code runs."""
    modules: list[str] = field(default_factory=list)
    """Those that names are imported from."""


def check(game: str | None) -> Checked:
    """Check the words of a game, or of a family of games; None: those of the table and the campaigns.

    Raises `PhraseError`.
    """
    code = _read_code([ROOT / name for name in COMMON] if game is None else _rooms(game))
    english = own_phrases(game, SOURCE)
    above = [own_phrases(name, SOURCE) for name in ([] if game is None else [None, *family(game)])]
    shared = {at: asked for phrases in above for at, asked in phrases.items()}
    known = {key: asked for (section, key), asked in {**shared, **english}.items() if section == "refused"}
    own = [key for section, key in english if section == "refused"]
    checked = Checked()
    given: dict[str, set[str] | None] = {}
    for one in code.raised:
        if one.code is None:
            continue
        if " " in one.code:
            checked.problems.append(f"{one.place}: a sentence stands in the code, not in phrases: {one.code}")
        elif one.code not in known:
            checked.problems.append(f"{one.place}: {one.code} has no English phrase")
        else:
            before = given.get(one.code, set())
            given[one.code] = None if one.values is None or before is None else before | one.values
            if one.values is not None and (lacks := known[one.code] - one.values - ALWAYS):
                checked.problems.append(f"{one.place}: the phrase of {one.code} asks for {_listed(lacks)}, not given")
    unused = [key for key in sorted(own) if key not in code.texts and not any(p.fullmatch(key) for p in code.patterns)]
    checked.problems += [f"{key}: no code refuses by this phrase" for key in unused]
    if game is not None:
        checked.problems += _standing_problems(game, english, {at for phrases in above for at in phrases})
        checked.problems += _option_problems(game)
    if game in kits():
        checked.problems += _prose_problems(load_kit(game))
        checked.problems += _order_problems(game)
    for language in languages():
        if language != SOURCE:
            _check_language(checked, game, language, english, given)
    return checked


def _order_problems(game: str) -> Iterator[str]:
    """What the orders of a game say of themselves (what they do, their fields) that a language lacks."""
    told: dict[str, str] = {}
    for kind in find_game(game).orders:
        told.setdefault(kind.help(), kind.id())
        for name, definition in fields_of(kind):
            told.setdefault(field_label(name), f"{kind.id()} {name}")
            told.setdefault(definition.help, f"{kind.id()} {name}")
            told.setdefault(definition.form, f"{kind.id()} {name}")
            for domain in (*domains_of(definition), *re.findall(r"<(\w+)>", definition.help)):
                told.setdefault(field_label(domain), f"{kind.id()} {name}")
    for language in map(find_language, languages()):
        for text, place in told.items():
            if text and not language.has(text):
                yield f"{language.code}: “{text}” ({place}) is not in the catalogue"


def families() -> list[str]:
    """The packages of rules that games share and that have phrases of their own."""
    return sorted({name for game in kits() for name in family(game)})


def _standing_problems(
    game: str, english: Mapping[tuple[str, str], set[str]], shared: set[tuple[str, str]]
) -> list[str]:
    """Conditions and ready-made orders of a kit that no phrase tells, and phrases of such as there are not: of a family
    those that no kit of it has."""
    kits_of = [name for name in kits() if name == game or game in family(name)]
    standing = [load_kit(name).files.get("standing", {}) for name in kits_of]
    problems = []
    for section, table in (("condition", "conditions"), ("preset", "presets")):
        named = {name for one in standing for name in one.get(table, ())}
        own = {key for part, key in english if part == section}
        told = own | {key for part, key in shared if part == section}
        if game in kits_of:
            problems += [f"standing.json: the {section} {name} has no English phrase" for name in sorted(named - told)]
        problems += [f"[{section}] {name}: standing.json has none of that name" for name in sorted(own - named)]
    return problems


def _option_problems(game: str) -> list[str]:
    """Options of a kit, values, groups and sets of them that a language does not tell, and phrases of such as there are
    not: of a family those that no kit of it has."""
    kits_of = [load_kit(name) for name in kits() if name == game or game in family(name)]
    groups = {("option_group", group) for kit in kits_of for group in kit.option_groups}
    sets = {("choice_set", name) for kit in kits_of for name in kit.choice_sets}
    options = [option for kit in kits_of for option in kit.options.values()]
    asked = groups | sets | {
        ("option", f"{option.id} {key}") for option in options for key in ("subject", *map(option.word, option.choices))
    }
    abouts = {("option", f"{option.id} about") for option in options}
    problems = []
    told_of = {language: _options_told(game, language) for language in languages()}
    for language, (own, all_told) in told_of.items():
        wanted = asked | (abouts & told_of[SOURCE][1]) if any(kit.game == game for kit in kits_of) else set()
        problems += [f"{language}: [{section}] {key} has no phrase" for section, key in sorted(wanted - all_told)]
        problems += [f"{language}: [{part}] {key}: no kit has that" for part, key in sorted(own - asked - abouts)]
    return problems


def _options_told(game: str, language: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """What the phrases of a language tell of options and their groups: those of the game alone, and with its family."""
    told = [
        {at for at in own_phrases(name, language) if at[0] in OPTIONS}
        for name in (game, *family(game))
    ]
    return told[0], set().union(*told)


def _prose_problems(kit: Kit) -> list[str]:
    """What a kit gives players to read, and not the same in every language: a column ``text``, or one that has a
    sibling such as ``effect_fr``, has one for each language, with the same figures in every row."""
    problems = []
    others = [language for language in languages() if language != SOURCE]
    for table, rows in kit.tables.items():
        columns = set(next(iter(rows.values()), {}))
        siblings = {column for column in columns if any(f"{column}_{language}" in columns for language in others)}
        # names may stand in names.csv as well
        for column, language in product(sorted((siblings | columns & {PROSE}) - {"name"}), others):
            told = f"{column}_{language}"
            for id, row in rows.items():
                if row[column] and not row.get(told):
                    problems.append(f"{table} {id}: {told} is missing")
                elif row[column] and _figures(row[column]) != _figures(row[told]):
                    problems.append(f"{table} {id}: {told} has not the figures of {column}")
    for (id, scenario), language in product(kit.scenarios.items(), others):
        told = f"{PROSE}_{language}"
        if not scenario.get(told):
            problems.append(f"scenario {id}: {told} is missing")
        elif _figures(scenario[PROSE]) != _figures(scenario[told]):
            problems.append(f"scenario {id}: {told} has not the figures of {PROSE}")
    return problems


def _figures(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", text))


def _check_language(
    checked: Checked,
    game: str | None,
    language: str,
    english: Mapping[tuple[str, str], set[str]],
    given: Mapping[str, set[str] | None],
) -> None:
    """Whether the refusals of a language use values that these have; and what it lacks that English has."""
    own = own_phrases(game, language)
    for (section, key), asked in own.items():
        if section != "refused":
            continue
        if (section, key) not in english:
            checked.problems.append(f"{language}: {key} is no refusal that has an English phrase")
        elif (values := given.get(key)) is not None and (strange := asked - values - ALWAYS):
            asks = f"the phrase of {key} asks for {_listed(strange)}"
            checked.problems.append(f"{language}: {asks}, which it is not given")
    lacking = [section for section, key in english if (section, key) not in own]
    checked.missing[language] = {section: lacking.count(section) for section in dict.fromkeys(lacking)}


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names))


# --- reading the code ---


def _rooms(game: str) -> list[Path]:
    """The packages that hold a game's rules: its own, and those of `pbem.games` which it imports."""
    rooms, todo = [], [game]
    while todo:
        name = todo.pop()
        folder = ROOT / "games" / name
        if folder in rooms or not folder.is_dir():
            continue
        rooms.append(folder)
        todo += [module.split(".")[2] for one in _code_of([folder]) for module in one.modules
                 if module.startswith("pbem.games.")]  # fmt: skip
    return rooms


def _code_of(folders: Sequence[Path]) -> list[_Code]:
    """What each file of some packages holds."""
    files = [file for folder in folders for file in sorted(folder.rglob("*.py"))]
    return [_read_file(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")) for file in files]


def _read_code(folders: Sequence[Path]) -> _Code:
    code = _Code()
    for one in _code_of(folders):
        code.texts |= one.texts
        code.patterns += one.patterns
        code.raised += one.raised
    return code


@lru_cache(maxsize=2_000)
def _read_file(name: str, source: str) -> _Code:
    """What a file holds, by its name below the package; games of a family share many."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    first = [node.args[0] for node in nodes if isinstance(node, ast.Call) and node.args and _refuses(node)]
    return _Code(
        raised=[] if name in NOT_RAISED else list(_raised(tree, name)),
        texts={node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)},
        patterns=[_pattern(one) for one in first if isinstance(one, ast.JoinedStr) and not _is_sentence(one)],
        modules=[node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module],
    )


def _raised(tree: ast.Module, name: str) -> Iterator[Raised]:
    within = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for value in (_assigned(statement, ELSEWHERE) for statement in node.body):
                for one in _codes(value):
                    yield Raised(one, ELSEWHERE_VALUES, f"{name}:{node.lineno}")
        if not (isinstance(node, ast.Call) and node.args and _refuses(node)):
            continue
        first: ast.expr = node.args[0]
        if isinstance(first, ast.Name):
            first = _value_of(first, within) or first
        values = [keyword.arg for keyword in node.keywords]
        told = None if None in values else frozenset(str(one) for one in values) - {"section", "hints", "hint", "at"}
        codes: list[str | None] = [*_codes(first)]
        for code in codes or [None]:
            yield Raised(code, told, f"{name}:{node.lineno}")


def _refuses(call: ast.Call) -> bool:
    """Whether what is called is one of `REFUSALS`, by itself or as a name of a module."""
    function = call.func
    return (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")) in REFUSALS


def _assigned(statement: ast.AST, name: str) -> ast.expr | None:
    """What a statement gives to a name; None where it gives nothing."""
    if isinstance(statement, ast.Assign):
        targets: list[ast.expr] = statement.targets
    else:
        targets = [statement.target] if isinstance(statement, ast.AnnAssign) else []
    fits = any(isinstance(target, ast.Name) and target.id == name for target in targets)
    return getattr(statement, "value", None) if fits else None


def _value_of(name: ast.Name, within: Mapping[ast.AST, ast.AST]) -> ast.expr | None:
    """What a name holds that is given a value in the same function; None where that is not told."""
    function: ast.AST | None = name
    while function is not None and not isinstance(function, ast.FunctionDef):
        function = within.get(function)
    statements = ast.walk(function) if function is not None else ()
    return next((value for value in (_assigned(one, name.id) for one in statements) if value is not None), None)


def _codes(value: ast.expr | None) -> list[str]:
    """The codes that an expression can be; none where only running it would tell."""
    if isinstance(value, ast.IfExp):
        return [*_codes(value.body), *_codes(value.orelse)]
    if isinstance(value, ast.JoinedStr) and _is_sentence(value):  # told as such, with its blanks
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in value.values)]
    return [value.value] if isinstance(value, ast.Constant) and isinstance(value.value, str) else []


def _is_sentence(text: ast.JoinedStr) -> bool:
    return any(isinstance(part, ast.Constant) and " " in str(part.value) for part in text.values)


def _pattern(text: ast.JoinedStr) -> re.Pattern[str]:
    """What a code that is put together can be."""
    pieces = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+" for part in text.values]
    return re.compile("".join(pieces))
