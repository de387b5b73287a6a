"""Rulings built from lists: what lies on a board, by the names that people read, and the facts that change one of it.

A moderator chooses a thing, such as “Canada: 3 armies, France” or “Gold: France”, and says what it is to be; so he
meets neither ids nor JSON. What he sees is the board as everybody does: of what is hidden he can state what it is to
be, not read what it is.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from pbem.campaign import rulings
from pbem.games import find_game
from pbem.render.narrative import RULING, Teller, narrate
from pbem.table.board import HIDDEN_CARD, SUPPLY, Board
from pbem.table.facts import BadFact, Fact, apply
from pbem.table.kit import normalise

CONTROL = "control"
"""The values of the state that say who has a place: ``control:metz``."""
MOST_HINTS = 3
SEPARATOR = "|"
MOST_OF_A_MENU = 12
"""More than that are no menu to choose from, but a field that proposes them as one writes."""
FIELDS = ("number", "to", "value", "of", "entry", "out", "in", "with")


@dataclass(frozen=True)
class Thing:
    """Something that a ruling can change: `label` is its name in the list, `now` what it is, in words."""

    kind: str
    ids: tuple[str, ...]
    label: str
    now: str

    @property
    def key(self) -> str:
        """How a form names it."""
        return SEPARATOR.join((self.kind, *self.ids))


@dataclass(frozen=True)
class Input:
    """A field of the form that changes a thing. `choices` are names to choose from; `lines`: several, one a line."""

    name: str
    label: str
    value: str = ""
    hint: str = ""
    choices: Sequence[str] = ()
    is_number: bool = False
    lines: int = 0


@dataclass
class Things:
    """Everything on a board that a ruling can change."""

    board: Board
    teller: Teller
    by_label: dict[str, Thing] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        _ = self.say = self.teller.language.text
        self.colon = self.teller.language.colon
        self.nowhere, self.nobody, self.yes, self.no = _("out of the game"), _("nothing"), _("yes"), _("no")
        self.nobody_plays = _("nobody")
        for thing in (
            *self._units(), *self._pieces(), *self._counts(), *self._players(), *self._values(), *self._cards()
        ):  # fmt: skip
            self.by_label.setdefault(thing.label, thing)  # equal pieces at one place are one thing
        self.by_key = {thing.key: thing for thing in self.by_label.values()}

    # what there is

    def _units(self) -> Iterable[Thing]:
        kinds: dict[tuple[str, str], None] = {}
        for place, power, kind, number in self.board.units_everywhere():
            kinds[power, kind] = None
            if place != SUPPLY:
                label = f"{self._name(place)}{self.colon} {self.teller.noun(number, kind)}, {self.teller.power(power)}"
                yield Thing("units", (place, power, kind), label, str(number))
        for power, kind in sorted(kinds):
            number = self.board.count(SUPPLY, power, kind)
            label = f"{self._name(SUPPLY)}{self.colon} {self.teller.name(kind)}, {self.teller.power(power)}"
            yield Thing("units", (SUPPLY, power, kind), label, str(number))

    def _pieces(self) -> Iterable[Thing]:
        for piece, at in self.board.pieces.items():
            where = self._name(str(at["at"])) if at else self.nowhere
            yield Thing("piece", (piece,), f"{self._name(piece)} ({where})", where)

    def _counts(self) -> Iterable[Thing]:
        for track, of in self.board.tracks.items():
            for power, value in of.items():
                label = f"{_capital(self.teller.name(track))}{self.colon} {self.teller.power(power)}"
                yield Thing("count", (track, power), label, _number(value))
        for name, value in self.board.counters.items():
            yield Thing("counter", (name,), _capital(self.teller.name(name)), _number(value))

    def _players(self) -> Iterable[Thing]:
        """Who plays each power that no seat holds, where the game lends them."""
        game = find_game(self.board.game)
        if not game.lends:
            return
        seated = self.board.seated()
        for power in game.powers(self.teller.kit, str(self.board.state.get("scenario"))):
            if power not in seated:
                label = self.say("Who plays: %(power)s", power=self.teller.power(power))
                yield Thing("players", (power,), label, self._player_of(power))

    def _player_of(self, power: str) -> str:
        by = self.board.played_by.get(power)
        return self.teller.power(by) if by else self.nobody_plays

    def _values(self) -> Iterable[Thing]:
        for name, value in self.board.state.items():
            called = self.teller.told_value(name)
            if called and self._form_of(name) is not None:
                yield Thing("state", (name,), _capital(called), self._told(value))
            elif called and _is_table(value):
                for row, numbers in value.items():
                    label = f"{_capital(called)}{self.colon} {self._name(row)}"
                    yield Thing("row", (name, row), label, self._told(numbers))
        for kind, words in self.teller.words("value").items():
            for id in self._without(kind) if "%s" in words else ():
                yield Thing("state", (f"{kind}:{id}",), _capital(self.teller.told_value(f"{kind}:{id}")), self.nobody)

    def _without(self, kind: str) -> list[str]:
        """What has no value of a kind yet, as a space without a marker: the others of the vocabulary of those that have
        one, where these are of simple form."""
        have = [name.partition(":")[2] for name in self.board.state if name.partition(":")[0] == kind]
        if not have or self._form_of(f"{kind}:{have[0]}") not in ("yes_no", "number", "one"):
            return []
        like = [ids for ids in self.teller.kit.labels.values() if set(have) <= ids.keys()]
        return [id for id in min(like, key=len, default={}) if id not in have]

    def _cards(self) -> Iterable[Thing]:
        for card in self._card_names:
            yield Thing("card", (card,), self._card_names[card], "")

    @cached_property
    def _card_names(self) -> dict[str, str]:
        """The cards of the game: id -> “Card 31: Foul Weather”."""
        seen = {card for pile in self.board.piles.values() for card in pile if card != HIDDEN_CARD}
        of_cards: Mapping[str, Any] = next((ids for ids in self.teller.kit.labels.values() if seen & ids.keys()), {})
        return {
            card: self.say("Card %(number)s: %(name)s", number=card.replace("_", " "), name=self.teller.name(card))
            for card in (*of_cards, *sorted(seen))
        }

    @cached_property
    def piles(self) -> dict[str, str]:
        """Names of the piles -> their ids."""
        return self._by_name(sorted(self.board.piles))

    @cached_property
    def places(self) -> dict[str, str]:
        """Names of the places -> their ids: those in use, and those of the kit that are like them; the supply first."""
        used = (set(self.board.units) | {str(at["at"]) for at in self.board.pieces.values() if at}) - {SUPPLY}
        for ids in self.teller.kit.labels.values():
            if used & ids.keys():
                used |= ids.keys()
        return self._by_name([SUPPLY, *sorted(used)])

    def _by_name(self, ids: Iterable[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for id in ids:
            name = self._name(id)
            called = (name, f"{name} ({self._sort(id)})", f"{name} ({id.replace('_', ' ')})")
            found.setdefault(next((one for one in called if one not in found), called[-1]), id)
        return found

    def _sort(self, id: str) -> str:
        """What kind of thing an id names, as far as the kit tells."""
        domain = next((domain for domain, ids in self.teller.kit.labels.items() if id in ids), "")
        return self.teller.kind(domain) or id.replace("_", " ")

    # finding one

    def find(self, text: str) -> Thing:
        """The thing of a name, or of a part of one that no other has. Raises `ValueError` that names those near."""
        if not text.strip():
            raise ValueError(self.say("Say what the ruling is to change."))
        none = self.say("Nothing called “%(text)s” is on the board", text=text.strip()[:80])
        return self.by_label[self._one(text, list(self.by_label), none)]

    # changing it

    def inputs(self, thing: Thing) -> list[Input]:
        """The fields that say what a thing is to be."""
        _ = self.say
        now = _("now: %(value)s", value=thing.now)
        if thing.kind == "units":
            most = "" if thing.ids[0] == SUPPLY else _("%(number)s are there", number=thing.now)
            return [
                Input("number", _("How many go"), "1", most, is_number=True),
                Input("to", _("To where"), choices=[*self.places, self.nowhere]),
            ]
        if thing.kind == "piece":
            return [Input("to", _("To where"), choices=[*self.places, self.nowhere], hint=now)]
        if thing.kind == "card":
            return [Input("to", _("To where"), choices=[*self.piles, self.nowhere], hint=self._lies(thing.ids[0]))]
        if thing.kind in ("count", "counter"):
            return [Input("value", _("It is to be"), "" if thing.now == "?" else thing.now, now, is_number=True)]
        if thing.kind == "players":
            seated = [self.teller.power(power) for power in self.board.seated()]
            return [Input("value", _("It is to be"), thing.now, now, [*seated, self.nobody_plays])]
        if thing.kind == "row":
            entries = self._by_name(self.board.state[thing.ids[0]][thing.ids[1]])
            return [Input("of", _("Of whom or what"), choices=list(entries)),
                    Input("entry", _("It is to be"), hint=now, is_number=True)]  # fmt: skip
        return self._inputs_of_value(thing, now)

    def only_what_can_be(
        self, thing: Thing, fields: list[Input], fit: Callable[[list[Fact]], list[bool]]
    ) -> list[Input]:
        """The fields that say what a thing is to be, with those choices alone that the game lets be (`fit` tells of
        which facts that is so); where that leaves none, all of them: trying one will tell why."""
        if thing.kind not in ("piece", "state") or len(fields) != 1 or not fields[0].choices:
            return fields
        (field,) = fields
        facts = [self.fact(thing, {field.name: choice}) for choice in field.choices]
        left = [choice for choice, fits in zip(field.choices, fit(facts), strict=True) if fits]
        return [replace(field, choices=left or field.choices)]

    def _lies(self, card: str) -> str:
        """Where a card lies, as far as everybody sees."""
        where = next((name for name, pile in self.piles.items() if card in self.board.piles[pile]), None)
        if where is None:
            return self.say("It goes from wherever it lies, which is hidden.")
        return self.say("now: %(value)s", value=where)

    def not_offered(self) -> list[str]:
        """The values of the state that no list offers: notes by which the rules know where they are, mostly."""
        offered = {thing.ids[0] for thing in self.by_label.values() if thing.kind in ("state", "row")}
        return sorted(set(self.board.state) - offered)

    def _inputs_of_value(self, thing: Thing, now: str) -> list[Input]:
        _, name = self.say, thing.ids[0]
        value, form = self.board.state.get(name), self._form_of(name)
        if form == "number":
            return [Input("value", _("It is to be"), "" if value is None else str(value), now, is_number=True)]
        if form in ("yes_no", "one"):
            names = [self.yes, self.no] if form == "yes_no" else list(self._by_name(self._alike(name)))
            return [Input("value", _("It is to be"), thing.now, now, [*names, self.nobody])]
        lines = self._lines(value)
        if form == "by_name":
            whose = Input("of", _("Of whom or what"), choices=list(self._entries(name)))
            has = list(self.board.state[name].values())
            if any(isinstance(one, int) for one in has):
                return [whose, Input("entry", _("It is to be"), hint=now, is_number=True)]
            entries = self._by_name(self._known_for(has))
            return [whose, Input("entry", _("It is to be"), hint=now, choices=[*entries, self.nobody])]
        members = list(self._members(name))
        few = len(members) < MOST_OF_A_MENU
        changes = [
            Input("out", _("Take out"), self.nobody, choices=[self.nobody, *lines]),
            Input("in", _("Put in"), self.nobody if few else "", choices=[self.nobody, *members]),
        ]
        if self._is_of_pairs(name):
            changes.append(
                Input("with", _("Together with"), self.nobody if few else "", choices=[self.nobody, *members])
            )
        order = _("one a line; a pair with a comma between")
        return [*changes, Input("value", _("Or all of it anew"), "", order, lines=2)]

    def _owners(self) -> list[str]:
        """Who has something to be at war about: the powers, and all who have units."""
        owners = {power for _, power, _, _ in self.board.units_everywhere()} - set(self.board.powers)
        return [*self.board.powers, *sorted(owners)]

    def _entries(self, name: str) -> dict[str, str]:
        """What a value by name may have entries for: the names, and their ids."""
        return self._by_name(dict.fromkeys([*self.board.state[name], *self._owners()]))

    def _members(self, name: str) -> dict[str, str]:
        """What may stand in a list: the names, and their ids. What stands there tells of what kind it is."""
        return self._by_name(self._known_for(_ids_in(self.board.state.get(name))))

    def _known_for(self, ids: Iterable[str]) -> list[str]:
        """What may stand where these ids stand: who has units, where they are such, else all of their vocabulary."""
        known, owners = list(dict.fromkeys(ids)), self._owners()
        if set(known) <= set(owners):
            return owners
        like = [ids for ids in self.teller.kit.labels.values() if set(known) <= ids.keys()]
        return list(dict.fromkeys([*known, *min(like, key=len, default={})]))

    def _is_of_pairs(self, name: str) -> bool:
        value = self.board.state.get(name)
        return name in find_game(self.board.game).pairs or any(map(_is_pair, value or ()))

    def fact(self, thing: Thing, form: Mapping[str, str]) -> Fact:
        """The fact that changes a thing as a form says. Raises `ValueError` in words."""
        said = {name: str(form.get(name, "")).strip() for name in FIELDS}
        if thing.kind == "units":
            place, power, kind = thing.ids
            to, number = self._place(said["to"]), self._whole(said["number"], self.say("Say how many go."))
            if number < 1:
                raise ValueError(self.say("At least one goes."))
            if place != SUPPLY and number > int(thing.now):
                raise ValueError(self.say("%(thing)s: %(n)s cannot go from there.", thing=thing.label, n=number))
            # A power without units in the supply has no end of them there.
            origin = None if place == SUPPLY and self.board.count(SUPPLY, power, kind) < number else place
            if to == place:
                raise ValueError(self.say("They are there already."))
            return _ruled("units", kind=kind, power=power, number=number, origin=origin, place=to)
        if thing.kind == "piece":
            to, before = self._place(said["to"]), self.board.pieces[thing.ids[0]]
            return _ruled("piece", piece=thing.ids[0], after=None if to is None else {**(before or {}), "at": to})
        if thing.kind == "card":
            goes = self._pile(said["to"], self.say("Say where it goes."))
            return _ruled("card", card=thing.ids[0], place=goes)
        if thing.kind in ("count", "counter"):
            of = {"track": thing.ids[0], "power": thing.ids[1]} if thing.kind == "count" else {"name": thing.ids[0]}
            return _ruled(thing.kind, **of, after=self._whole(said["value"], self.say("Say what it is to be.")))
        if thing.kind == "players":
            return self._played(thing.ids[0], said["value"])
        if thing.kind == "row":
            name, row = thing.ids
            table = self.board.state[name]
            whose = self._id(said["of"], self._by_name(table[row]))
            changed = {**table[row], whose: self._whole(said["entry"], self.say("Say what it is to be."))}
            return _ruled("state", name=name, after={**table, row: changed})
        by_lists = not said["value"] and ("out" in form or "of" in form)
        after = self._changed(thing.ids[0], said) if by_lists else self._value_of(thing.ids[0], said["value"])
        return _ruled("state", name=thing.ids[0], after=after)

    def _played(self, power: str, text: str) -> Fact:
        """The fact that says who plays a power from now on."""
        seated = self._by_name(self.board.seated())
        none = self.say("Nothing called “%(text)s” is an answer to this", text=text[:80])
        name = self._one(text, [*seated, self.nobody_plays], none)
        played_by = {one: by for one, by in self.board.played_by.items() if one != power}
        if name != self.nobody_plays:
            played_by[power] = seated[name]
        order = find_game(self.board.game).play_order(
            self.teller.kit, str(self.board.state.get("scenario")), [[*self.board.seated(), *played_by]]
        )
        return _ruled("players", after={"powers": order, "played_by": dict(sorted(played_by.items()))})

    def _changed(self, name: str, said: Mapping[str, str]) -> Any:
        """A list or a value by name with one of its entries changed as a form says. Raises `ValueError` in words."""
        before = self.board.state[name]
        if self._form_of(name) == "by_name":
            return self._with_entry(name, before, said["of"], said["entry"])
        if all(said[field] in ("", self.nobody) for field in ("out", "in", "with")):
            raise ValueError(self.say("Say what it is to be."))
        left = list(before)
        if said["out"] not in ("", self.nobody):
            none = self.say("“%(text)s” is not known here", text=said["out"][:80])
            lines = self._lines(before)
            left.pop(lines.index(self._one(said["out"], lines, none)))
        members = self._members(name)
        new = [self._id(said[field], members) for field in ("in", "with") if said[field] not in ("", self.nobody)]
        if self._is_of_pairs(name):
            if len(new) == 1 or len(set(new)) < len(new):
                raise ValueError(self.say("Say which two: they are two different ones."))
            pairs = [sorted(new)] if new else []
            return sorted([*left, *(one for one in pairs if one not in left)])
        return [*left, *(one for one in new if one not in left)]

    def _with_entry(self, name: str, before: Mapping[str, Any], whose: str, text: str) -> dict[str, Any]:
        id = self._id(whose, self._entries(name))
        if any(isinstance(one, int) for one in before.values()):
            return {**before, id: self._whole(text, self.say("Say what it is to be."))}
        if not text:
            raise ValueError(self.say("Say what it is to be."))
        left = {one: value for one, value in before.items() if one != id}
        if text == self.nobody:
            return left
        return dict(sorted({**left, id: self._id(text, self._by_name(self._known_for(before.values())))}.items()))

    def _place(self, text: str) -> str | None:
        if not text:
            raise ValueError(self.say("Say where to."))
        elsewhere = self._of_kit(text)  # a place where nothing like this has been yet
        if normalise(text) not in map(normalise, self.places) and len(elsewhere) == 1:
            return elsewhere[0]
        none = self.say("Nothing called “%(text)s” is a place", text=text[:80])
        name = self._one(text, [*self.places, self.nowhere], none)
        return None if name == self.nowhere else self.places[name]

    def _of_kit(self, text: str) -> list[str]:
        """What the kit has of a name, in all its vocabularies."""
        found = (self.teller.kit.find(domain, text) for domain in self.teller.kit.names)
        return list(dict.fromkeys(id for id in found if id is not None))

    def _pile(self, text: str, missing: str) -> str | None:
        """The pile of a name; `missing` is what is told where there is none."""
        if not text:
            raise ValueError(missing)
        none = self.say("Nothing called “%(text)s” is a pile of cards", text=text[:80])
        name = self._one(text, [*self.piles, self.nowhere], none)
        return None if name == self.nowhere else self.piles[name]

    # values of the state of the game

    def _form_of(self, name: str) -> str | None:
        """How a value is written: as a number, yes or no, one name, a list of names or of pairs, or by name; None where
        it has no simple form."""
        value = self.board.state.get(name)
        if value is None and ":" in name:  # a marker that is not there yet is like those that are
            kind = name.partition(":")[0]
            value = next((one for other, one in self.board.state.items() if other.partition(":")[0] == kind), None)
        if isinstance(value, bool):
            return "yes_no"
        if isinstance(value, int):
            return "number"
        if value is None or isinstance(value, str):
            return "one"
        if isinstance(value, list | tuple):
            return "list" if all(isinstance(one, str) or _is_pair(one) for one in value) else None
        simple = isinstance(value, dict) and all(isinstance(one, str | int) for one in value.values())
        return "by_name" if simple else None

    def _alike(self, name: str) -> list[str]:
        """The ids that a value may have, as far as the board tells: what its like have, and the powers."""
        kind = name.partition(":")[0]
        alike = {value for other, value in self.board.state.items()
                 if other.partition(":")[0] == kind and isinstance(value, str)}  # fmt: skip
        powers = self.board.powers if not alike or alike & set(self.board.powers) else []
        return [*powers, *sorted(alike - set(powers))]

    def _lines(self, value: Any) -> list[str]:
        if isinstance(value, dict):
            return [f"{self._name(id)}{self.colon} {self._told(one)}" for id, one in value.items()]
        return [one if isinstance(one, str) else ", ".join(map(self._name, one))
                for one in ([self._name(v) if isinstance(v, str) else v for v in value or ()])]  # fmt: skip

    def _value_of(self, name: str, text: str) -> Any:
        form, before = self._form_of(name), self.board.state.get(name)
        if form == "number":
            return self._whole(text, self.say("Say what it is to be."))
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        named = self._by_name(_ids_in(before))
        if form == "yes_no":
            answers = {self.yes: True, self.no: False, self.nobody: None}
            none = self.say("Nothing called “%(text)s” is an answer to this", text=text[:80])
            return answers[self._one(text, list(answers), none)]
        if form == "one":
            if not text:
                raise ValueError(self.say("Say what it is to be."))
            known = self._by_name(self._alike(name))
            return None if text == self.nobody else self._id(text, known)
        if form == "list":
            found = [[self._id(one, named) for one in line.split(",")] for line in lines]
            if wrong := [line for line, one in zip(lines, found, strict=True) if len(one) > 2]:
                raise ValueError(
                    self.say("“%(line)s”: write one name a line, or two with a comma between.", line=wrong[0])
                )
            single = [one[0] for one in found if len(one) == 1]
            return single if len(single) == len(found) else sorted(sorted(one) for one in found)
        parted = [line.rpartition(":") for line in lines]
        if wrong := [line for line, (id, colon, _) in zip(lines, parted, strict=True) if not colon or not id.strip()]:
            raise ValueError(
                self.say("“%(line)s”: write a name, a colon, and what it is to have.", line=wrong[0])
            )
        numbers = any(isinstance(one, int) for one in before.values()) if before else False
        missing = self.say("Say a number for each.")
        return {self._id(id, named): self._whole(one.strip(), missing) if numbers else self._id(one, named)
                for id, _, one in parted}  # fmt: skip

    def _id(self, text: str, known: Mapping[str, str]) -> str:
        """The id of a thing by its name: among those known here, else a power, else the one thing of that name that the
        kit has."""
        text = text.strip()
        powers = self._by_name(self.board.powers)
        for names in (known, powers):
            for name, id in names.items():
                if normalise(text) in (normalise(name), normalise(id)):
                    return id
        found = self._of_kit(text)
        if len(found) == 1:
            return found[0]
        raise ValueError(
            self._with_nearest(self.say("“%(text)s” is not known here", text=text[:80]), text, [*known, *powers])
        )

    def _one(self, text: str, names: Sequence[str], none: str) -> str:
        """The name that a text is, or is the only one to hold. Raises `ValueError`: `none` where it is none."""
        text = text.strip()
        if text in names:
            return text
        wanted = normalise(text)
        same = [name for name in names if normalise(name) == wanted]
        holding = same or [name for name in names if wanted and wanted in normalise(name)]
        if len(holding) == 1:
            return holding[0]
        if holding:
            shown = [self.say("“%(name)s”", name=name) for name in holding[:MOST_HINTS]]
            more = " …" if len(holding) > MOST_HINTS else ""
            names = ", ".join(shown) + more
            raise ValueError(self.say("“%(text)s” may be several things: %(names)s", text=text[:80], names=names))
        raise ValueError(self._with_nearest(none, text, names))

    def _with_nearest(self, said: str, text: str, names: Sequence[str]) -> str:
        """What is said of a text that is no name here, with the name that was meant, if one is near."""
        by_word = {normalise(name): name for name in names}
        near = difflib.get_close_matches(normalise(text), by_word, n=1)
        if not near:
            return f"{said}."
        return self.say("%(said)s; did you mean “%(name)s”?", said=said, name=by_word[near[0]])

    def _whole(self, text: str, missing: str) -> int:
        """The whole number that a text is; `missing` is what is told where there is no text. Raises `ValueError`."""
        if not text:
            raise ValueError(missing)
        if not (text.lstrip("-").isdecimal() and text.isascii() and len(text) < 12):
            raise ValueError(self.say("Say it as a whole number: “%(text)s” is none.", text=text[:80]))
        return int(text)

    # words

    def _name(self, id: str) -> str:
        return _capital(self.teller.name(id))

    def _told(self, value: Any) -> str:
        if value is None:
            return self.nobody
        if isinstance(value, bool):
            return self.yes if value else self.no
        if isinstance(value, str):
            return self._name(value)
        return str(value) if isinstance(value, int) else self.teller.language.parted(self._lines(value)) or self.nobody


def sentences(facts: Iterable[Fact], board: Board, teller: Teller, *, silent: bool = True) -> list[str]:
    """Each fact of a ruling as a report will tell it, after those before it; what reports say nothing of is told too,
    unless it is not to be (`silent`)."""
    board, told = board.copy(), []
    for fact in facts:
        try:
            (whole,) = rulings.completed(board, [fact])
            apply(board, whole)
            if not silent and "why" not in fact:
                del whole["why"]
        except (BadFact, KeyError, TypeError):  # it does not fit the board, which trying it will tell
            whole = {"before": None, "why": RULING, **fact}
        said = " ".join(paragraph.text for paragraph in narrate([whole], teller.kit, teller.code))
        told.append(said or (teller.last_resort({**whole, "why": None})[0] if silent else ""))
    return [said for said in told if said]


def left_behind(facts: Iterable[Fact], board: Board, teller: Teller) -> list[str]:
    """What a ruling on who has a place leaves there of others, after all its facts: units do not leave by it."""
    board, owned = board.copy(), dict[str, str]()
    for fact in facts:
        try:
            (whole,) = rulings.completed(board, [fact])
            apply(board, whole)
        except (BadFact, KeyError, TypeError):  # it does not fit the board, which trying it will tell
            continue
        kind, _, place = str(fact.get("name")).partition(":")
        if fact["fact"] == "state" and kind == CONTROL and isinstance(fact["after"], str):
            owned[place] = fact["after"]
    told = []
    for place, owner in owned.items():
        others = [f"{teller.noun(number, kind)}, {teller.power(power)}"
                  for where, power, kind, number in board.units_everywhere()
                  if where.partition("/")[0] == place and power != owner]  # fmt: skip
        if others:
            told.append(teller.language.text(
                "Units of others stay in %(place)s: %(units)s. Their place changes only if the ruling says so.",
                place=teller.name(place), units=teller.language.parted(others),
            ))  # fmt: skip
    return told


def in_words(error: BadFact, teller: Teller) -> str:
    """Why a fact does not fit the board, with the names of things."""
    say = teller.language.text
    nothing = say("nothing")
    told = error.told(lambda value: teller.plain(value) if value is not None else nothing, say(error.sentence))
    return _capital(told) + "."


def _ids_in(value: Any) -> list[str]:
    """All texts in a value."""
    if isinstance(value, dict):
        return _ids_in([*value, *value.values()])
    if isinstance(value, list | tuple):
        return list(dict.fromkeys(id for one in value for id in _ids_in(one)))
    return [value] if isinstance(value, str) else []


def _is_table(value: Any) -> bool:
    """Whether a value holds numbers by two names, as influence does."""
    rows = list(value.values()) if isinstance(value, dict) else []
    return bool(rows) and all(isinstance(row, dict) and all(type(one) is int for one in row.values()) for row in rows)


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(isinstance(one, str) for one in value)


def _ruled(fact: str, **values: Any) -> Fact:
    return {"fact": fact, **values, "why": RULING}


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
