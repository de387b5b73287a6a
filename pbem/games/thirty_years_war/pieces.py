"""3.0: units and leaders: who stands where, their strength, step losses, and how orders name them.

A piece is ``leader:<counter>`` or ``unit:<kind>:<number>``; see the package's text for its marks and places. Whose a
piece is follows from its nation (`side_of`). What an order names is so many units of a kind, not single counters: of
those alike any will do (`chosen`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from marshmallow import ValidationError, fields

from pbem.games.thirty_years_war.map import atlas, number
from pbem.table.board import SUPPLY
from pbem.table.grammar import counted_groups, is_count, means_all
from pbem.table.kit import Kit
from pbem.table.orders import Field, Refused, Unreadable, find_in, find_name
from pbem.table.procedure import Table, while_unchanged

LEADER, UNIT = "leader:", "unit:"
REMOVED, OFF, DEAD, DISMISSED = "removed", "off", "dead", "dismissed"
KILLED = "killed"
SAXON = "saxon"
VETERAN, MERCENARY, MILITIA = "veteran", "mercenary", "militia"
FULL, REDUCED, ANY = "full", "reduced", "any"
_ROWS, _ORDER = "rows of units", "order of pieces"
"""What is worked out once for a kit."""


# --- what a piece is ---


def is_leader(piece: str) -> bool:
    """3.2: whether a piece is a leader; a leader is never a unit."""
    return piece.startswith(LEADER)


def is_unit(piece: str) -> bool:
    """Whether a piece is a unit."""
    return piece.startswith(UNIT)


def kind_of(piece: str) -> str:
    """The kind of a unit, an id of the kit's table ``units``."""
    return piece.split(":")[1]


def unit_row(table: Table, piece: str) -> Mapping[str, Any]:
    """What the kit says of a unit's counter."""
    return _unit_rows(table.kit)[piece]


def _unit_rows(kit: Kit) -> dict[str, Mapping[str, Any]]:
    """Every unit that may be used -> its row, worked out once."""
    if _ROWS not in kit.worked_out:
        rows = kit.tables["units"]
        kit.worked_out[_ROWS] = {piece: rows[kind_of(piece)] for piece in all_pieces(kit) if is_unit(piece)}
    return kit.worked_out[_ROWS]


def unit_type(table: Table, piece: str) -> str:
    """``veteran``, ``mercenary`` or ``militia``."""
    return unit_row(table, piece)["type"]


def face_of(table: Table, piece: str) -> str:
    """Which leader a leader's counter shows: its front, or the replacement on its back (12.42)."""
    return table.board.pieces[piece].get("face") or piece.removeprefix(LEADER)


def leader_row(table: Table, piece: str) -> Mapping[str, Any]:
    """What the kit says of the face that a leader's counter shows."""
    return table.kit.tables["leaders"][face_of(table, piece)]


def leader_piece(table: Table, face: str) -> str:
    """The counter that shows this leader, one on the map before others; else the one whose face he is."""
    showing = [piece for piece in table.board.pieces if is_leader(piece) and face_of(table, piece) == face]
    on_map = [piece for piece in showing if where(table, piece) in atlas(table).spaces]
    counter = LEADER + table.kit.tables["leaders"][face]["counter"]
    return (on_map or showing or [counter])[0]


def nation_of(table: Table, piece: str) -> str:
    """The nation of a unit or leader."""
    return (leader_row if is_leader(piece) else unit_row)(table, piece)["nation"]


def side_of(table: Table, piece: str) -> str:
    """Whose a piece is now: the Saxons change sides (C17, P35), nobody else does."""
    row = leader_row(table, piece) if is_leader(piece) else unit_row(table, piece)
    return table.board.state["saxony"] if row["nation"] == SAXON else row["side"]


def is_dynamic(table: Table, piece: str) -> bool:
    """10.14: whether a leader has a star; by option (C 7.0) Wallenstein has two."""
    return stars(table, piece) > 0


def stars(table: Table, piece: str) -> int:
    """10.14: the stars of a leader."""
    row = leader_row(table, piece)
    if table.options.get("wallenstein_dynamic") and row["id"] == "wallenstein":
        return number(table, "wallenstein_stars")
    return row["stars"] or 0


def is_reduced(table: Table, piece: str) -> bool:
    """Whether a unit lies on its reduced side."""
    return bool(table.board.pieces[piece].get("reduced"))


def is_inside(table: Table, piece: str) -> bool:
    """INT-55: whether a piece is inside the walls of the fortress where it stands."""
    return bool(table.board.pieces[piece].get("inside"))


def combat_factor(table: Table, piece: str) -> int:
    """The combat factor of a unit on the side that it lies on; 0 for a leader."""
    if is_leader(piece):
        return 0
    return unit_row(table, piece)["cf_reduced" if is_reduced(table, piece) else "cf_full"]


def combat_factors(table: Table, pieces: Iterable[str]) -> int:
    """The sum of the combat factors of these pieces."""
    return sum(combat_factor(table, piece) for piece in pieces)


def movement_allowance(table: Table, piece: str) -> int:
    """11.1: how many movement points a piece has in an activation."""
    if is_leader(piece):
        return leader_row(table, piece)["ma"]
    return unit_row(table, piece)["ma_reduced" if is_reduced(table, piece) else "ma_full"]


def command(table: Table, pieces: Iterable[str]) -> int:
    """10.12: how many units the leaders among these pieces command together, at most a full stack."""
    ratings = sum(leader_row(table, piece)["command"] for piece in pieces if is_leader(piece))
    return min(table.kit.constants["stacking"], ratings)


# --- who stands where ---


def where(table: Table, piece: str) -> str:
    """The place of a piece."""
    return table.board.pieces[piece]["at"]


@while_unchanged
def _by_place(table: Table) -> dict[str, list[str]]:
    """Place -> its pieces: leaders before units, each in the order of the kit; shared, nobody may change it."""
    places: dict[str, list[str]] = {}
    for piece, marks in table.board.pieces.items():
        places.setdefault(marks["at"], []).append(piece)
    order = _order(table.kit)
    for pieces in places.values():
        pieces.sort(key=order.__getitem__)
    return places


def _order(kit: Kit) -> dict[str, int]:
    if _ORDER not in kit.worked_out:
        kit.worked_out[_ORDER] = {piece: n for n, piece in enumerate(all_pieces(kit))}
    return kit.worked_out[_ORDER]


def all_pieces(kit: Kit) -> list[str]:
    """Every counter of the game, leaders first: the leaders' fronts, and the units that may be used."""
    leaders = [LEADER + id for id, row in kit.tables["leaders"].items() if row["counter"] == id]
    units = [
        f"{UNIT}{kind}:{n}" for kind, row in kit.tables["units"].items() for n in range(1, row["usable"] + 1)
    ]
    return leaders + units


def pieces_at(table: Table, place: str) -> Sequence[str]:
    """All pieces of both sides at a place; nobody may change the list."""
    return _by_place(table).get(place, ())


@while_unchanged
def _by_side(table: Table, place: str) -> dict[str, list[str]]:
    """Side -> its pieces at a place, in the same order; shared, nobody may change it."""
    sides: dict[str, list[str]] = {}
    for piece in _by_place(table).get(place, ()):
        sides.setdefault(side_of(table, piece), []).append(piece)
    return sides


def stack(table: Table, space: str, side: str, *, inside: bool | None = None) -> list[str]:
    """The pieces of a side in a space, leaders first; only those inside the walls, or only those outside."""
    there = _by_side(table, space).get(side, ())
    return [piece for piece in there if inside is None or is_inside(table, piece) == inside]


def units(table: Table, space: str, side: str, *, inside: bool | None = None) -> list[str]:
    """The units of a side in a space."""
    return [piece for piece in stack(table, space, side, inside=inside) if is_unit(piece)]


def leaders(table: Table, space: str, side: str, *, inside: bool | None = None) -> list[str]:
    """The leaders of a side in a space."""
    return [piece for piece in stack(table, space, side, inside=inside) if is_leader(piece)]


def on_map(table: Table, side: str | None = None, nation: str | None = None) -> list[str]:
    """All pieces in spaces and boxes, of a side and of a nation, in the order of the kit."""
    return list(_on_map(table, side, nation))


@while_unchanged
def _on_map(table: Table, side: str | None, nation: str | None) -> Sequence[str]:
    if side is not None:
        return [piece for piece in _on_map(table, None, nation) if side_of(table, piece) == side]
    if nation is not None:
        return [piece for piece in _on_map(table, None, None) if nation_of(table, piece) == nation]
    spaces, lying = atlas(table).spaces, table.board.pieces
    return [piece for piece in _order(table.kit) if piece in lying and lying[piece]["at"] in spaces]


def spaces_with(table: Table, side: str, *, units_only: bool = False) -> list[str]:
    """The spaces where a side has pieces, in the order of the kit."""
    return list(_spaces_with(table, side, units_only))


@while_unchanged
def _spaces_with(table: Table, side: str, units_only: bool) -> Sequence[str]:
    held = {where(table, piece) for piece in _on_map(table, side, None) if not units_only or is_unit(piece)}
    return [space for space in atlas(table).spaces if space in held]


def available(table: Table, kind: str) -> list[str]:
    """8.412: the counters of a kind that lie in the supply."""
    return [piece for piece in pieces_at(table, SUPPLY) if is_unit(piece) and kind_of(piece) == kind]


# --- changes ---


def place(
    table: Table,
    kind: str,
    space: str,
    *,
    reduced: bool = False,
    inside: bool = False,
    why: str,
    section: str | None = None,
    **marks: Any,
) -> str | None:
    """Put a unit of a kind down from the supply; returns its piece, None where no counter is left (8.412)."""
    left = available(table, kind)
    if not left:
        return None
    marks |= {name: True for name, wanted in (("reduced", reduced), ("inside", inside)) if wanted}
    table.put(left[0], space, why=why, section=section, **marks)
    return left[0]


def move(
    table: Table, pieces: Iterable[str], space: str, *, inside: bool = False, why: str, section: str | None = None
) -> None:
    """Move pieces to a space, outside the walls unless said; their other marks stay."""
    for piece in pieces:
        table.shift(piece, space, why=why, section=section, inside=True if inside else None)


def step_loss(
    table: Table, piece: str, *, why: str, section: str | None = None, for_good: bool = False
) -> None:
    """12.33: a unit loses a step: a full one is reduced, a reduced one eliminated (`for_good`: 15.224)."""
    if is_reduced(table, piece):
        eliminate(table, piece, why=why, section=section, for_good=for_good)
    else:
        table.mark(piece, why=why, section=section, reduced=True)


def eliminate(
    table: Table, piece: str, *, why: str, section: str | None = None, for_good: bool = False
) -> None:
    """Take a piece off the map: a unit goes back into the supply (12.33) or out of the game, a leader dies (INT-25).

    A leader killed in battle (`why` is `KILLED`) bears the mark ``killed``.
    """
    if is_leader(piece):
        face = table.board.pieces[piece].get("face")
        marks: dict[str, Any] = {"face": face} if face else {}
        if why == KILLED:
            marks["killed"] = True
        table.put(piece, DEAD, why=why, section=section, **marks)
    else:
        table.put(piece, REMOVED if for_good else SUPPLY, why=why, section=section)


# --- how orders and facts name pieces ---


def described(table: Table, pieces: Iterable[str]) -> dict[str, Any]:
    """Pieces as orders, contexts and facts name them: ``{"units": {kind: {"full": n, "reduced": n}}, "leaders": []}``.

    Leaders are the faces that their counters show.
    """
    of_units: dict[str, dict[str, int]] = {}
    of_leaders: list[str] = []
    for piece in pieces:
        if is_leader(piece):
            of_leaders.append(face_of(table, piece))
        else:
            sides = of_units.setdefault(kind_of(piece), {})
            lies = REDUCED if is_reduced(table, piece) else FULL
            sides[lies] = sides.get(lies, 0) + 1
    return {"units": of_units, "leaders": of_leaders}


def chosen(
    table: Table, value: Mapping[str, Any] | None, among: Sequence[str], section: str | None = None
) -> list[str]:
    """The pieces out of `among` that an order names, in the order of `among`; ALL and nothing stand for all of them.

    Of units of which it is not said whether full or reduced, the full ones are taken first. Raises `Refused` for what
    is not there.
    """
    if value is None or value.get("all"):
        return list(among)
    picked: set[str] = set()
    for face in value.get("leaders", ()):
        showing = [piece for piece in among if is_leader(piece) and face_of(table, piece) == face]
        if not showing or showing[0] in picked:
            raise Refused("leader_not_there", section, leader=face)
        picked.add(showing[0])
    for named, sides in value.get("units", {}).items():
        for lies in (REDUCED, FULL, ANY):
            wanted = sides.get(lies, 0)
            there = [
                piece
                for piece in among
                if is_unit(piece)
                and named in (kind_of(piece), unit_type(table, piece))
                and piece not in picked
                and (lies == ANY or is_reduced(table, piece) == (lies == REDUCED))
            ]
            if len(there) < wanted:
                raise Refused("units_not_there", section, unit=named, wanted=wanted, there=len(there), lies=lies)
            there.sort(key=lambda piece: is_reduced(table, piece))
            picked.update(there[:wanted])
    return [piece for piece in among if piece in picked]


class PiecesField(Field):
    """``ALL``, or ``4 bavarian mercenary, 1 reduced saxon militia, Tilly``; a type of unit stands for any nation's.

    Held as JSON: ``{"all": true}``, or ``{"units": {kind or type: {"any"|"full"|"reduced": n}}, "leaders": [face]}``.
    """

    widget = "pieces"
    most_words = None

    def read(self, words: Sequence[str], names: Kit) -> dict[str, Any]:
        if means_all(words, names):
            return {"all": True}
        of_units: dict[str, dict[str, int]] = {}
        of_leaders: list[str] = []
        for chunk in counted_groups(words, names):
            if is_count(chunk[0]):
                _read_units(chunk, names, of_units)
            else:
                of_leaders.append(find_name(names, "leader", " ".join(chunk)))
        if not of_units and not of_leaders:
            raise Unreadable("pieces_empty")
        return {"units": of_units, "leaders": of_leaders}

    def write(self, value: Mapping[str, Any]) -> str:
        if value.get("all"):
            return "ALL"
        parts = [
            f"{wanted} {kind}" if lies == ANY else f"{wanted} {lies} {kind}"
            for kind, sides in value.get("units", {}).items()
            for lies, wanted in sides.items()
        ]
        return ", ".join(parts + list(value.get("leaders", ())))

    def schema_field(self) -> fields.Field:
        return _PiecesSchema(**self._common())


def _read_units(chunk: Sequence[str], names: Kit, of_units: dict[str, dict[str, int]]) -> None:
    wanted, rest = int(chunk[0]), list(chunk[1:])
    lies = ANY
    if rest and rest[0].casefold() in names.words(REDUCED):
        lies, rest = REDUCED, rest[1:]
    elif rest and rest[0].casefold() in names.words(FULL):
        lies, rest = FULL, rest[1:]
    if not rest:
        raise Unreadable("number_of_what", number=wanted)
    kind = find_in(names, ("unit", "unit_type"), " ".join(rest))
    if wanted:
        sides = of_units.setdefault(kind, {})
        sides[lies] = sides.get(lies, 0) + wanted


class _PiecesSchema(fields.Field):
    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> dict[str, Any]:
        if value == {"all": True}:
            return value
        if not isinstance(value, dict) or value.keys() - {"units", "leaders"}:
            raise ValidationError("should hold units and leaders, or be all")
        of_units, of_leaders = value.get("units", {}), value.get("leaders", [])
        if not isinstance(of_units, dict) or not isinstance(of_leaders, list):
            raise ValidationError("units is an object, leaders a list")
        for sides in of_units.values():
            known = isinstance(sides, dict) and not sides.keys() - {FULL, REDUCED, ANY}
            if not known or not all(type(n) is int and 0 < n < 1000 for n in sides.values()):
                raise ValidationError("units: kind, then full, reduced or any, then a whole number from 1")
        if not all(isinstance(leader, str) for leader in of_leaders):
            raise ValidationError("leaders are names")
        return {"units": of_units, "leaders": of_leaders}
