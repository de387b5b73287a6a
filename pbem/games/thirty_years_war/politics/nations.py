"""17: the nations: where their pieces may be, who may stand together, entry into the war, and how some leave it.

What is due after every step is in `TRIGGERS`, what is due when an activation ends in `activation_ends`, what is due at
the end of a turn in `infant_deadline`.

State values: ``entered:<nation>`` the turn in which Danes, Swedes or French came in; ``swedish_base`` their port, with
the mark ``turn:base_moved``; ``rebellion`` while Hungary rebels; ``infant_deadline`` the turn at whose end the Cardinal
Infant's army must be in the Spanish zone, whose pieces bear the mark ``infant`` until they are; ``conflict`` while C54
is in force: ``grace`` until the next Protestant activation is over, then ``strict``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.thirty_years_war import control, pieces
from pbem.games.thirty_years_war.control import REGION, REVOLT, Trigger
from pbem.games.thirty_years_war.map import CATHOLIC, PROTESTANT, atlas, other
from pbem.table import marks
from pbem.table.asking import choose
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

IMPERIAL, BAVARIAN, SPANISH, SAXON = "imperial", "bavarian", "spanish", "saxon"
GERMAN, HUNGARIAN, SWEDISH, DANISH, FRENCH, ENGLISH = (
    "german_protestant",
    "hungarian",
    "swedish",
    "danish",
    "french",
    "english",
)
GRACE, STRICT = "grace", "strict"
INFANT = "infant"


# --- what has happened ---


def event_turn(table: Table, card: str) -> int | None:
    """8.6: the turn in which a card was an event, 0 for one before the scenario; None when it never was."""
    return table.board.state.get(f"event:{card}")


def happened(table: Table, card: str) -> bool:
    """8.6: whether a card has been an event."""
    return event_turn(table, card) is not None


def in_war(table: Table, nation: str) -> bool:
    """9.1: whether Danes, Swedes or French have entered the war."""
    return table.board.state.get(f"entered:{nation}") is not None


def enter_war(table: Table, nation: str) -> None:
    """9.1: a nation enters the war now."""
    table.set(f"entered:{nation}", table.board.state["turn"], section="9.1")


def entered_this_turn(table: Table) -> str | None:
    """9.12: the nation that has entered in this turn, of which there may be one; None where there is none yet."""
    turn = table.board.state["turn"]
    return next((n for n in (DANISH, SWEDISH, FRENCH) if table.board.state.get(f"entered:{n}") == turn), None)


def _place(table: Table, name: str) -> str:
    return table.kit.constants["places"][name]


def _leader(table: Table, name: str) -> str:
    return table.kit.constants["leaders"][name]


def counter_of(leader: str) -> str:
    """The counter whose front is a leader."""
    return pieces.LEADER + leader


# --- where pieces may be ---


def in_spanish_zone(table: Table, space: str) -> bool:
    """17.Sp.2: whether a space is in the Spanish zone, independent cities in it included."""
    return bool(atlas(table).spaces[space]["spanish_zone"])


def is_bound_to_zone(table: Table, piece: str) -> bool:
    """17.Sp.2, INT-71: whether a Spanish piece may not leave the zone; the Infant's army may be out until it is in.

    Leaders are bound too (option ``spanish_leaders_in_zone``).
    """
    if pieces.is_leader(piece) and not table.options["spanish_leaders_in_zone"]:
        return False
    return pieces.nation_of(table, piece) == SPANISH and not table.board.pieces[piece].get(INFANT)


def hungarian_regions(table: Table) -> list[str]:
    """17.H.4: the regions that Hungarians may be in: that of the Empire's home and all that touch it."""
    regions = atlas(table).regions
    return [
        id
        for id, row in regions.items()
        if row["home_nation"] == IMPERIAL or any(regions[near]["home_nation"] == IMPERIAL for near in row["adjacent"])
    ]


def closed(table: Table, piece: str, space: str) -> Refused | None:
    """11.3, 17: why a piece may not be in a space, for the nation that it is of; None when it may.

    The boxes of the United Provinces have rules of their own (16.2).
    """
    named = pieces.face_of(table, piece) if pieces.is_leader(piece) else pieces.kind_of(piece)
    return closed_to(table, named, pieces.side_of(table, piece), space, bound=is_bound_to_zone(table, piece))


def closed_to(table: Table, named: str, side: str, space: str, *, bound: bool = True) -> Refused | None:
    """As `closed`, for a leader (face) or a kind of unit of a side; `bound`: Spaniards are bound to their zone."""
    region = atlas(table).region(space)
    nation = nation_named(table, named)
    if control.is_closed(table, region):
        return Refused("region_is_closed", "11.31", space=space, region=region)
    if atlas(table).is_off_map(space) and side == CATHOLIC:
        return Refused("france_is_not_for_catholics", "11.32", space=space)
    if nation == SPANISH and bound and not in_spanish_zone(table, space):
        return Refused("outside_the_spanish_zone", "17.Sp.2", space=space, piece=named)
    around = atlas(table).spaces[space]["lies_in"] if table.options["hungarians_in_cities"] else region
    if nation == HUNGARIAN and around not in hungarian_regions(table):
        return Refused("no_hungarians_there", "17.H.4", space=space, regions=hungarian_regions(table))
    return None


def nation_named(table: Table, named: str) -> str:
    """The nation of a leader (face) or of a kind of unit."""
    units = table.kit.tables["units"]
    return (units[named] if named in units else table.kit.tables["leaders"][named])["nation"]


# --- who may stand together ---


@dataclass(frozen=True)
class Conflict:
    """Two that may not stand in one space, nations or leaders, and the section that says so.

    `code` is that of the refusal.
    """

    code: str
    first: str
    second: str
    section: str

    def refusal(self, space: str) -> Refused:
        """Why they may not stand in a space together."""
        return Refused(self.code, self.section, space=space, first=self.first, second=self.second)


def conflict(table: Table, there: Sequence[str], coming: Sequence[str] = ()) -> Conflict | None:
    """7.24, 17.A.2, E 17.F.4: two that may not end in one space together; None where all may.

    `there` are pieces, `coming` leaders (faces) and kinds of unit that would join them.
    """
    units = {pieces.nation_of(table, piece) for piece in there if pieces.is_unit(piece)}
    faces = {pieces.face_of(table, piece) for piece in there if pieces.is_leader(piece)}
    leaders = {pieces.nation_of(table, piece) for piece in there if pieces.is_leader(piece)}
    for name in coming:
        if name in table.kit.tables["units"]:
            units.add(table.kit.tables["units"][name]["nation"])
        else:
            faces.add(name)
            leaders.add(table.kit.tables["leaders"][name]["nation"])
    if not _may_mix(table) and {IMPERIAL, BAVARIAN} <= units | leaders:
        return Conflict("nations_apart", IMPERIAL, BAVARIAN, "17.A.2")
    wallenstein, tilly = _leader(table, "wallenstein"), _leader(table, "tilly")
    if {wallenstein, tilly} <= faces:
        return Conflict("leaders_apart", wallenstein, tilly, "7.24")
    if table.board.state.get("conflict") and {SWEDISH, FRENCH} <= units:
        return Conflict("nations_apart", SWEDISH, FRENCH, "17.F.4")
    return None


def _may_mix(table: Table) -> bool:
    """17.A.2: whether Imperial and Bavarian pieces may stand together, by C19; in scenario 3 it is past (INT-38, option
    ``apocalypse_stacking``)."""
    turn = event_turn(table, table.kit.constants["cards"]["imperial_bavarian_stacking"])
    return turn is not None and (turn > 0 or table.options["apocalypse_stacking"])


# --- the Swedish base ---



def swedish_ports(table: Table) -> list[str]:
    """17.Sw.1: the ports with a Swedish arrow that are neutral or Protestant-controlled."""
    return [
        space
        for space, row in atlas(table).spaces.items()
        if row["port"] and row["swedish_arrow"] and control.holder(table, space) != CATHOLIC
    ]


def swedish_base(table: Table) -> str | None:
    """17.Sw.1, INT-48: the port that is the Swedish base and can be used now; None where there is none."""
    base = table.board.state.get("swedish_base")
    return base if base in swedish_ports(table) else None


def base_refusal(table: Table, port: str) -> Refused | None:
    """17.Sw.1: why the Swedish base may not be moved to a port now; None when it may."""
    entered = table.board.state.get(f"entered:{SWEDISH}")
    if entered is None:
        return Refused("sweden_is_not_in_the_war", "17.Sw.1")
    if entered == table.board.state["turn"]:
        return Refused("sweden_came_this_turn", "17.Sw.1")
    if marks.mark(table, "turn", "base_moved"):
        return Refused("base_was_moved_this_turn", "17.Sw.1")
    others = [space for space in swedish_ports(table) if space != table.board.state.get("swedish_base")]
    if port not in others:
        return Refused("no_port_for_the_base", "17.Sw.1", space=port, ports=others)
    return None


def move_base(table: Table, port: str) -> None:
    """17.Sw.1: the Swedish base is moved to another port, a whole activation."""
    table.tell("base_moved", origin=table.board.state.get("swedish_base"), space=port, section="17.Sw.1")
    table.set("swedish_base", port, section="17.Sw.1")
    marks.set_mark(table, "turn", "base_moved", True)


def base_is_lost(table: Table) -> Procedure:
    """INT-48: a Swedish base that the Catholics hold is of no use until it is moved or retaken.

    By option ``swedish_base_lost`` the Protestant names another port at once.
    """
    lost = table.board.state.get("swedish_base") is not None and swedish_base(table) is None
    if lost and table.options["swedish_base_lost"] == "at_once" and swedish_ports(table):
        port = yield from choose(table, PROTESTANT, "space", swedish_ports, kind="swedish_base", section="17.Sw.1")
        table.tell("base_moved", origin=table.board.state["swedish_base"], space=port, section="17.Sw.1")
        table.set("swedish_base", port, section="17.Sw.1")


# --- regions that join a side by an event ---


def joins(table: Table, region: str, side: str, *, section: str = "C 9.2") -> None:
    """C 9.2, INT-74: a region comes in on a side: all its spaces without enemy units are that side's.

    Revolts go on (C 3.13). The neutral marker goes without the price of a violation (C 5.12). The region itself changes
    hands only if the side then holds its level, else it stays whose it was (option ``entry_region``).
    """
    table.tell("region_joins", region=region, side=side, section=section)
    if control.is_neutral(table, region):
        table.set(REGION + region, None, why="joins", section="C 5.12")
    for space in spaces_to_join(table, region, side):
        if not table.board.state.get(REVOLT + space):
            control.gain(table, space, side, "event")
    if table.options["entry_region"] == "always" and control.region_holder(table, region) != side:
        control.flip(table, region, side, why="joins")


def spaces_to_join(table: Table, region: str, side: str) -> list[str]:
    """C 9.2: the spaces of a region that hold no unit of the other side."""
    enemy = other(side)
    return [space for space in atlas(table).spaces_of[region] if not pieces.units(table, space, enemy)]


# --- Hungary (17.H) ---


def rebellion_ends(table: Table) -> Procedure:
    """17.H.5, INT-70: the rebellion is over when Bethlen Gabor is lost (option ``rebellion_ends``), or all Hungarian
    spaces are Catholic.

    All Hungarian pieces leave the game, and every space of Hungary is Catholic at once, but for revolts (C 3.13).
    """
    if not table.board.state.get("rebellion"):
        return
    region = _place(table, "rebellion")
    lost = _is_lost(table, counter_of(_leader(table, "bethlen_gabor")))
    held = len(control.held_spaces(table, region, CATHOLIC)) == len(atlas(table).spaces_of[region])
    if not lost and not held:
        return
    table.tell("rebellion_over", region=region, because="leader" if lost else "spaces", section="17.H.5")
    table.set("rebellion", None, section="17.H.5")
    leave_the_game(table, HUNGARIAN, why="rebellion_over", section="17.H.5")
    for space in atlas(table).spaces_of[region]:
        if not table.board.state.get(REVOLT + space):
            control.gain(table, space, CATHOLIC, "event")
    yield from ()


def _is_lost(table: Table, leader: str) -> bool:
    """Whether a leader is off the map; by option ``rebellion_ends`` only if he was killed in battle."""
    if table.options["rebellion_ends"] == "killed":
        return bool(table.board.pieces[leader].get("killed"))
    return pieces.where(table, leader) not in atlas(table).spaces


def leave_the_game(table: Table, nation: str, *, why: str, section: str) -> None:
    """All pieces of a nation go for good, those that could still be recruited too."""
    for piece in list(table.board.pieces):
        if pieces.nation_of(table, piece) == nation and pieces.where(table, piece) != pieces.REMOVED:
            if pieces.is_leader(piece) and pieces.where(table, piece) == pieces.DEAD:
                continue
            table.put(piece, pieces.REMOVED, why=why, section=section)


# --- Denmark (17.D) ---


def danes_leave(table: Table) -> Procedure:
    """17.D.3: when King Christian is killed every Danish unit goes."""
    king = counter_of(_leader(table, "king_christian"))
    if pieces.where(table, king) == pieces.DEAD and any(
        pieces.where(table, piece) != pieces.REMOVED for piece in _units_of(table, DANISH)
    ):
        table.tell("danes_leave", section="17.D.3")
        leave_the_game(table, DANISH, why="king_killed", section="17.D.3")
    yield from ()


def _units_of(table: Table, nation: str) -> list[str]:
    return [
        piece for piece in table.board.pieces if pieces.is_unit(piece) and pieces.nation_of(table, piece) == nation
    ]


# --- Spain (17.Sp) ---


def spaniards_outside(table: Table) -> Procedure:
    """17.Sp.2: a Spanish piece that had to leave the zone is eliminated at once."""
    for piece in pieces.on_map(table, nation=SPANISH):
        if is_bound_to_zone(table, piece) and not in_spanish_zone(table, pieces.where(table, piece)):
            table.tell("outside_the_zone", space=pieces.where(table, piece), section="17.Sp.2")
            pieces.eliminate(table, piece, why="outside_the_zone", section="17.Sp.2")
    yield from ()


def infant_reaches_zone(table: Table) -> Procedure:
    """17.Sp.3.2: what has come into the zone is bound to it and pays like all Spaniards."""
    for piece in pieces.on_map(table, nation=SPANISH):
        if table.board.pieces[piece].get(INFANT) and in_spanish_zone(table, pieces.where(table, piece)):
            table.mark(piece, why="in_the_zone", section="17.Sp.3.2", infant=None)
    if table.board.state.get("infant_deadline") and not infants_army(table):
        table.set("infant_deadline", None, section="17.Sp.3.2")
    yield from ()


def infants_army(table: Table) -> list[str]:
    """17.Sp.3: the pieces of the Cardinal Infant's army that are still on their way."""
    return [piece for piece in pieces.on_map(table, nation=SPANISH) if table.board.pieces[piece].get(INFANT)]


def infant_stragglers(table: Table) -> None:
    """17.Sp.3.1: at the end of an activation units of the army outside the zone without its leader are eliminated."""
    army = infants_army(table)
    led = {pieces.where(table, piece) for piece in army if pieces.is_leader(piece)}
    for piece in army:
        if pieces.is_unit(piece) and pieces.where(table, piece) not in led:
            table.tell("infant_left_behind", space=pieces.where(table, piece), section="17.Sp.3.1")
            pieces.eliminate(table, piece, why="left_behind", section="17.Sp.3.1")


def infant_deadline(table: Table) -> None:
    """17.Sp.3: at the end of the turn after that of its entry the army is eliminated where it is not in the zone."""
    deadline = table.board.state.get("infant_deadline")
    if deadline is None or table.board.state["turn"] < deadline:
        return
    army = infants_army(table)
    if army:
        table.tell("infant_too_late", section="17.Sp.3")
    for piece in army:
        pieces.eliminate(table, piece, why="too_late", section="17.Sp.3")
    table.set("infant_deadline", None, section="17.Sp.3")


# --- Swedes and French (17.F.4) ---


def begin_conflict(table: Table) -> None:
    """E 17.F.4: Swedish and French units may not stand together from now on; those that do have a time of grace."""
    table.set("conflict", GRACE, section="17.F.4")


def end_conflict(table: Table) -> None:
    """E 17.F.4: the ban is lifted."""
    table.set("conflict", None, section="17.F.4")


def part_allies(table: Table) -> Procedure:
    """E 17.F.4, 10.22: after the time of grace the smaller of the two goes where both stand in one space.

    As few units as can be; of as many, those with fewer combat factors, then the French.
    """
    if table.board.state.get("conflict") != STRICT:
        return
    for space in pieces.spaces_with(table, PROTESTANT, units_only=True):
        there = {
            nation: [u for u in pieces.units(table, space, PROTESTANT) if pieces.nation_of(table, u) == nation]
            for nation in (FRENCH, SWEDISH)
        }
        if all(there.values()):
            weaker = min(there.values(), key=lambda units: (len(units), pieces.combat_factors(table, units)))
            table.tell("allies_parted", space=space, nation=pieces.nation_of(table, weaker[0]), section="17.F.4")
            for unit in weaker:
                pieces.eliminate(table, unit, why="conflict", section="10.22")
    yield from ()


# --- when things are due ---


def activation_ends(table: Table, side: str) -> None:
    """What is due at the end of an activation of a side: 17.Sp.3.1 and the grace of E 17.F.4."""
    infant_stragglers(table)
    if side == PROTESTANT and table.board.state.get("conflict") == GRACE:
        table.set("conflict", STRICT, section="17.F.4")


TRIGGERS: Sequence[Trigger] = (
    rebellion_ends,
    danes_leave,
    infant_reaches_zone,
    spaniards_outside,
    part_allies,
    base_is_lost,
)
"""2.15."""
