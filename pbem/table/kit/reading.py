"""Reading the files of a kit: every problem that they have is told with file and line."""

import csv
import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from marshmallow import RAISE, Schema, ValidationError

from pbem import resources
from pbem.table.kit.form import KitFile, column_field
from pbem.table.kit.kit import FORM, Kit, KitError, Option, Problem, canonical, nearest_name, normalise, row_id

NAMES_FILE = "names.csv"
_SUFFIXES = (".toml", ".csv", ".json")
"""Of the files of a kit."""
NAMES_COLUMNS = {"domain": "text", "id": "text", "language": "text", "name": "text"}


def load_kit(game: str) -> Kit:
    """Reads and checks the kit of a game.

    Raises KitError with every problem found: unknown or missing columns, values of a wrong type, ids or names used
    twice, references that lead nowhere, options whose default is none of their choices. Files that are as they were
    give the kit that they gave before.
    """
    if game not in resources.kits():
        near = nearest_name(game, resources.kits())
        raise KitError(game, [Problem("kit.toml", 0, f"there is no kit {game!r}{near}")])
    folder = resources.path(f"config/games/{game}")
    return _kit_in(game, folder, _fingerprint(folder))


def _fingerprint(folder: Path) -> str:
    """What changes with every change of the files of a kit: a hash of their names and contents."""
    files = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        if file.suffix in _SUFFIXES:
            content = file.read_bytes() if file.is_file() else b""
            files.update(f"{file.name}\0{len(content)}\0".encode() + content)
    return files.hexdigest()


@lru_cache(maxsize=16)
def _kit_in(game: str, folder: Path, fingerprint: str) -> Kit:
    """The kit in a folder whose files have this fingerprint. Raises `KitError`."""
    reader = _Reader(game, folder)
    record = reader.read()
    if reader.problems or record is None:
        raise KitError(game, reader.problems)
    return Kit.from_json(canonical(record))  # so in every order just what the store will give back


class _Reader:
    """Reads the folder of one kit and collects what is wrong with it."""

    def __init__(self, game: str, folder: Path):
        self.game = game
        self.folder = folder
        self.problems: list[Problem] = []
        self.toml = ""
        self.rows: dict[str, dict[str, dict]] = {}
        self.lines: dict[str, dict[str, int]] = {}
        self.files: dict[str, str] = {}

    def wrong(self, file: str, line: int, message: str) -> None:
        self.problems.append(Problem(file, line, message))

    def wrong_toml(self, path: Iterable, message: str) -> None:
        path = [str(step) for step in path]
        self.wrong("kit.toml", _toml_line(self.toml, path), f"{'.'.join(path)}: {message}")

    def text_of(self, file: str) -> str | None:
        """The text of a file; a problem is noted if it is missing or not UTF-8."""
        try:
            return (self.folder / file).read_text(encoding="utf-8")
        except FileNotFoundError:
            self.wrong(file, 0, f"the file is missing in {self.folder}")
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            self.wrong(file, line, f"byte {error.object[error.start]:#04x} is not UTF-8; save the file as UTF-8")
        return None

    def read(self) -> dict | None:
        text = self.text_of("kit.toml")
        if text is None:
            return None
        self.toml = text
        try:
            content = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            place = re.search(r"\(at line (\d+)", str(error))
            self.wrong("kit.toml", int(place[1]) if place else 0, str(error))
            return None
        titles = {key[5:]: content.pop(key) for key in list(content) if key.startswith("name_")}
        content["titles"] = {"en": content.get("name", ""), **titles}
        try:
            kit = KitFile().load(content)
        except ValidationError as error:
            for path, message in _flat(error.normalized_messages()):
                self.wrong_toml(path, message)
            return None
        self.check_declarations(kit)
        if self.problems:
            return None
        self.files = {name: table["file"] for name, table in kit["tables"].items()}
        for name, table in kit["tables"].items():
            self.read_table(name, table)
        self.check_references(kit["tables"])
        names = self.read_names(kit["domains"])
        files = {Path(file).stem: self.read_json(file) for file in kit["files"]}
        for key in ("program", "turns", "ahead", "begins"):
            if isinstance(told := files.get("standing"), dict) and key in told:
                self.wrong("standing.json", 0, f"“{key}” stands in [questions] of kit.toml")
        self.check_strays(kit)
        return {
            "form": FORM,
            "game": kit["id"],
            "titles": kit["titles"],
            "version": kit["version"],
            "status": kit["status"],
            "seats": kit["seats"],
            "tables": [
                {
                    "name": name,
                    "key": table["key"],
                    "columns": [[column, kind] for column, kind in table["columns"].items()],
                    "sources": table["sources"],
                    "rows": [[row[column] for column in table["columns"]] for row in self.rows[name].values()],
                }
                for name, table in kit["tables"].items()
            ],
            "constants": kit["constants"],
            "options": [{"id": id, **option} for id, option in kit["options"].items()],
            "rulings": kit["rulings"],
            "scenarios": [{"id": id, **scenario} for id, scenario in kit["scenarios"].items()],
            "questions": [{"id": kind, **entry} for kind, entry in kit["questions"].items()],
            "names": names,
            "files": files,
            # A kit without these is the same, under the same hash, as before there were any.
            **{part: kit[part] for part in ("dice", "words", "spellings") if kit[part]},
            **{
                part: [{"id": id, **entry} for id, entry in kit[part].items()]
                for part in ("option_groups", "choice_sets")
                if kit[part]
            },
        }

    def check_declarations(self, kit: dict) -> None:
        """What kit.toml says of itself must fit together."""
        if kit["id"] != self.game:
            self.wrong_toml(["id"], f"{kit['id']!r} is not the name of the folder, {self.game!r}")
        if kit["seats"]["minimum"] > kit["seats"]["maximum"]:
            self.wrong_toml(["seats", "minimum"], "is more than the maximum")
        if kit["seats"]["table"] not in kit["tables"]:
            self.wrong_toml(["seats", "table"], f"there is no table {kit['seats']['table']!r}")
        if "default" not in kit["questions"]:
            self.wrong_toml(["questions"], "needs a 'default', for kinds of question that it does not name")
        for name, table in kit["tables"].items():
            at = ["tables", name]
            used = [("key", column) for column in table["key"]]
            used += [(part, column) for part in ("references", "choices", "sources") for column in table[part]]
            used += [("sources", column) for columns in table["sources"].values() for column in columns]
            for part, column in used:
                if column not in table["columns"]:
                    self.wrong_toml([*at, part], f"{column!r} is no column{nearest_name(column, table['columns'])}")
            for column, targets in table["references"].items():
                for target in targets:
                    if target not in kit["tables"]:
                        near = nearest_name(target, kit["tables"])
                        self.wrong_toml([*at, "references"], f"{column}: there is no table {target!r}{near}")
        for name, domain in kit["domains"].items():
            at = ["domains", name]
            if domain["table"] not in kit["tables"]:
                near = nearest_name(domain["table"], kit["tables"])
                self.wrong_toml([*at, "table"], f"there is no table {domain['table']!r}{near}")
                continue
            columns = kit["tables"][domain["table"]]["columns"]
            for column in domain["columns"].values():
                if column not in columns:
                    self.wrong_toml([*at, "columns"], f"{column!r} is no column{nearest_name(column, columns)}")
        for name, option in kit["options"].items():
            if option.get("group", "") not in ("", *kit["option_groups"]):
                near = nearest_name(option["group"], kit["option_groups"])
                self.wrong_toml(["options", name, "group"], f"there is no group {option['group']!r}{near}")
            if option["type"] == "bool":
                option["choices"] = [False, True]
            elif option["type"] == "choice" and len(option["choices"]) < 2:
                self.wrong_toml(["options", name], "a choice needs two choices or more")
            try:
                _option(name, option).check(option["default"])
            except ValueError as error:
                self.wrong_toml(["options", name, "default"], str(error))

        for name, chosen in kit["choice_sets"].items():
            for option, value in chosen["options"].items():
                try:
                    if option not in kit["options"]:
                        raise ValueError(f"there is no option {option!r}{nearest_name(option, kit['options'])}")
                    _option(option, kit["options"][option]).check(value)
                except ValueError as error:
                    self.wrong_toml(["choice_sets", name, "options", option], str(error))

    def cells_of(self, file: str, columns: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows of a CSV file with the line each starts in; columns must be the declared ones, in any order."""
        text = self.text_of(file)
        if text is None:
            return
        columns = list(columns)
        reader = csv.reader(text.removeprefix("\ufeff").splitlines(keepends=True), strict=True)
        try:
            header = next(reader, [])
            for column in header:
                if column not in columns:
                    near = nearest_name(column, columns)
                    self.wrong(file, 1, f"column {column!r} is not declared in kit.toml{near}")
                elif header.count(column) > 1:
                    self.wrong(file, 1, f"column {column!r} is there twice")
            for column in columns:
                if column not in header:
                    self.wrong(file, 1, f"column {column!r} is missing; kit.toml declares {', '.join(columns)}")
            if sorted(header) != sorted(columns):
                return
            line = reader.line_num + 1
            for cells in reader:
                if len(cells) != len(header):
                    self.wrong(file, line, f"has {len(cells)} cells, must have {len(header)}: {', '.join(header)}")
                else:
                    yield line, dict(zip(header, cells, strict=True))
                line = reader.line_num + 1
        except csv.Error as error:
            self.wrong(file, reader.line_num, f"is not CSV: {error}")

    def read_table(self, name: str, table: dict) -> None:
        """Reads one table into `rows` and `lines`."""
        file, columns = table["file"], table["columns"]
        schema = Schema.from_dict({column: column_field(kind) for column, kind in columns.items()})(unknown=RAISE)
        rows, lines = self.rows.setdefault(name, {}), self.lines.setdefault(name, {})
        for line, cells in self.cells_of(file, columns):
            try:
                row = schema.load(cells)
            except ValidationError as error:
                for path, message in _flat(error.normalized_messages()):
                    self.wrong(file, line, f"column {path[0]}: {message}")
                continue
            for column, allowed in table["choices"].items():
                for value in _values(row[column]):
                    if value not in allowed:
                        self.wrong(file, line, f"column {column}: {value!r} is not one of {', '.join(allowed)}")
            id = row_id(row, table["key"])
            if id in rows:
                self.wrong(file, line, f"{'+'.join(table['key'])} {id!r} is there already, in line {lines[id]}")
                continue
            rows[id], lines[id] = row, line

    def check_references(self, tables: dict) -> None:
        """Every value of a column that refers to other tables must be the id of a row there."""
        for name, table in tables.items():
            for column, targets in table["references"].items():
                known = [id for target in targets for id in self.rows[target]]
                where = " or ".join(tables[target]["file"] for target in targets)
                for id, row in self.rows[name].items():
                    for value in _values(row[column]):
                        if str(value) not in known:
                            message = f"column {column}: {value!r} is not in {where}{nearest_name(str(value), known)}"
                            self.wrong(table["file"], self.lines[name][id], message)

    def read_names(self, domains: dict) -> list[list[str]]:
        """The vocabularies: [domain, id, language, name], the name to show before the others."""
        names: list[list[str]] = []
        taken: dict[tuple[str, str], str] = {}

        def add(domain: str, id: str, language: str, name: str, file: str, line: int) -> None:
            word = normalise(name)
            other = taken.setdefault((domain, word), id)
            if not word:
                self.wrong(file, line, f"name {name!r} has neither letter nor figure")
            elif other != id and not domains[domain]["shared"]:
                self.wrong(file, line, f"{domain} name {name!r} means {other!r} already, it cannot mean {id!r}")
            else:
                names.append([domain, id, language, name])

        for domain, declared in domains.items():
            for id in self.rows[declared["table"]]:
                taken[domain, normalise(id)] = id
        for domain, declared in domains.items():
            table = declared["table"]
            for id, row in self.rows[table].items():
                for language, column in declared["columns"].items():
                    if row[column]:
                        add(domain, id, language, row[column], self.files[table], self.lines[table][id])
        if domains and (self.folder / NAMES_FILE).exists():
            for line, cells in self.cells_of(NAMES_FILE, NAMES_COLUMNS):
                domain, id = cells["domain"], cells["id"]
                empty = [column for column in NAMES_COLUMNS if not cells[column].strip()]
                if empty:
                    self.wrong(NAMES_FILE, line, f"column {empty[0]}: it is empty and must not be")
                elif domain not in domains:
                    self.wrong(NAMES_FILE, line, f"there is no domain {domain!r}{nearest_name(domain, domains)}")
                elif id not in (rows := self.rows[domains[domain]["table"]]):
                    self.wrong(NAMES_FILE, line, f"{id!r} is no {domain}{nearest_name(id, rows)}")
                elif not re.fullmatch(r"[a-z]{2}", cells["language"]):
                    self.wrong(NAMES_FILE, line, f"language {cells['language']!r} is not like en, fr or ru")
                else:
                    add(domain, id, cells["language"], cells["name"], NAMES_FILE, line)
        return names

    def read_json(self, file: str) -> Any:
        text = self.text_of(file)
        if text is None:
            return None
        try:
            return json.loads(text, parse_constant=self._no_constant)
        except json.JSONDecodeError as error:
            self.wrong(file, error.lineno, error.msg)
        except ValueError as error:
            self.wrong(file, 0, str(error))
        return None

    @staticmethod
    def _no_constant(name: str):
        raise ValueError(f"{name} is not JSON")

    def check_strays(self, kit: dict) -> None:
        """A data file that kit.toml does not name would be thought to count, and does not."""
        named = {table["file"] for table in kit["tables"].values()} | set(kit["files"])
        if kit["domains"]:
            named.add(NAMES_FILE)
        for stray in sorted(self.folder.iterdir()):
            if stray.suffix in (".csv", ".json") and stray.name not in named:
                self.wrong(stray.name, 0, f"kit.toml does not name this file{nearest_name(stray.name, named)}")


def _option(id: str, declared: dict) -> Option:
    return Option(id, **{**declared, "choices": tuple(declared["choices"])})


def _values(value: Any) -> list:
    """The values in a cell: none, one, or those of a list."""
    if value in ("", None):
        return []
    return value if isinstance(value, list) else [value]


def _flat(messages: Any, path: tuple = ()) -> Iterator[tuple[tuple, str]]:
    """Marshmallow's nested messages as (path, message); the steps 'value' and 'key' that it adds in dicts are cut."""
    if isinstance(messages, dict):
        for step, inner in messages.items():
            yield from _flat(inner, path if step in ("value", "key") and path else (*path, step))
    else:
        for message in messages if isinstance(messages, list) else [messages]:
            yield path or ("kit",), str(message)


def _toml_line(text: str, path: list[str]) -> int:
    """The line of a TOML file that says most about a path of keys: its own line, or that of the table it belongs to."""
    best, best_length, table = 0, 0, []
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[([^\[\]]+)\]\s*(#.*)?$", line):
            here = table = [step.strip().strip('"') for step in header[1].split(".")]
        elif key := re.match(r'\s*("[^"]*"|[\w.-]+)\s*=', line):
            here = table + key[1].strip('"').split(".")
        else:
            continue
        if len(here) > best_length and here == path[: len(here)]:
            best, best_length = number, len(here)
    return best
