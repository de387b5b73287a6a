"""The room of Struggle of Empires: the sequence of play as a state machine on the board, invariants, ranking, cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.games.struggle_of_empires import actions, auction, conditions, income, orders, picture, scoring, setup
from pbem.games.struggle_of_empires.map import CONTROL, RAIDERS, UNIT_KINDS, home, map_of
from pbem.games.struggle_of_empires.order_watch import OrderWatch
from pbem.games.struggle_of_empires.targets import counter_piece
from pbem.games.struggle_of_empires.tiles import REMOVED, pieces_by_tile, tile_of
from pbem.table.board import SUPPLY
from pbem.table.facts import Fact
from pbem.table.kit import Kit
from pbem.table.orders import Order
from pbem.table.procedure import Game, Procedure, Table
from pbem.table.questions import Question
from pbem.table.said import Said

STEPS = {
    "opening": ("opening", setup.opening),
    "placement": ("placement", setup.placement),
    "war": ("beginning of a war", setup.begin_war),
    "negotiation": ("negotiation", auction.negotiation),
    "auction": ("auction", auction.auction),
    "actions": ("action", actions.action),
    "income": ("income", income.income_phase),
    "scoring": ("scoring", scoring.scoring),
    "war_end": ("end of a war", scoring.end_of_war),
    "end": ("end of the game", scoring.end_of_game),
}
"""phase -> the name of the step, and its procedure"""


class StruggleOfEmpires(Game):
    """See `pbem.table.game.Game`."""

    id = "struggle_of_empires"
    orders: tuple[type[Order], ...] = orders.ALL
    picture = picture

    def powers(self, kit: Kit, scenario: str) -> list[str]:
        return list(kit.tables["empires"])

    def seats(self, kit: Kit, scenario: str, number: int, options: Mapping[str, Any]) -> None:
        """Each seat takes one empire, any of the seven."""
        least, most = kit.seats["minimum"], kit.seats["maximum"]
        if not least <= number <= most:
            raise ValueError(f"{number} seats: the game is for {least} to {most}")

    def play_order(self, kit: Kit, scenario: str, seats: Sequence[Sequence[str]]) -> list[str]:
        """As the players sit: what goes round clockwise (placing, bidding) goes by the seats (2); what goes by the
        alliances reads ``turn_order``. Option seat_order may draw the seats anew, as ``seating``."""
        return [power for powers in seats for power in powers]

    def order_watch(self, kit: Kit, seats: Sequence[Sequence[str]]) -> OrderWatch:
        return OrderWatch(seats)

    def set_up(self, table: Table, scenario: str) -> None:
        setup.lay_out(table)

    def turn(self, table: Table) -> int:
        """The book counts wars, three of them."""
        return table.board.state.get("war", 0)

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        phase = table.board.state["phase"]
        if phase == "over":
            return None
        name, procedure = STEPS[phase]
        return name, procedure(table)

    def conditions(
        self, table: Table, power: str, question: Question | None, facts: Sequence[Fact]
    ) -> dict[str, Any]:
        return conditions.conditions(table, power, question, facts)

    def results(self, table: Table) -> list[dict[str, Any]]:
        return scoring.results(table)

    def reasons(self, table: Table) -> list[dict[str, Any]]:
        return scoring.reasons(table)

    # --- invariants ---

    def faults(self, table: Table) -> list[str]:
        """What the last fact could have broken; everything, when the phase changed or there is no fact.

        Each fact changes only what it names, so that a check of that after every fact is a check of all.
        """
        if "phase" not in table.board.state:
            return []
        fact = table.facts[-1] if table.facts else {"fact": "state"}
        kind = fact["fact"]
        if kind == "units":
            return self._unit_faults(table, fact["power"], fact["kind"])
        if kind == "count":
            return self._track_faults(table, fact["track"], fact["power"])
        if kind == "piece":
            return self._piece_faults(table, fact["piece"])
        if kind == "state":
            name = fact.get("name", "phase")
            if name == "phase":
                return self._all_faults(table)
            if name in ("active", "alliance_top", "alliance_bottom"):
                return self._alliance_faults(table)
        return []

    def bounds(self, table: Table) -> dict[str, tuple[int, int | None]]:
        """The wars of the game, the rounds of a war (3), and the tracks."""
        constants = table.kit.constants
        found: dict[str, tuple[int, int | None]] = {
            "war": (1, constants["wars"]), "round": (1, constants["rounds"][str(len(table.board.powers))]),
            "population": (0, constants["population_maximum"]), "gold": (0, constants["gold_in_box"]),
        }  # fmt: skip
        return found if table.options["vp_below_zero"] else {**found, "vp": (0, None)}

    def _all_faults(self, table: Table) -> list[str]:
        faults: list[str] = []
        board = table.board
        for power in board.powers:
            for kind in (*UNIT_KINDS, CONTROL):
                faults += self._unit_faults(table, power, kind)
            for track in setup.TRACKS:
                faults += self._track_faults(table, track, power)
        for piece in board.pieces:
            faults += self._piece_faults(table, piece)
        faults += self._alliance_faults(table)
        for tile in RAIDERS:
            held = sum(board.count(tile, power, CONTROL) for power in board.powers)
            lying = sum(board.pieces[p]["at"] in map_of(table.kit).is_sea for p in pieces_by_tile(table.kit)[tile])
            if held != lying and board.state["phase"] in ("income", "scoring", "war_end"):
                faults.append(Said(
                    "%(thing)s holds %(held)s markers, and %(lying)s of its tiles lie on the map",
                    thing=tile, held=held, lying=lying,
                ))
        return faults

    def _alliance_faults(self, table: Table) -> list[str]:
        state = table.board.state
        top, bottom = state.get("alliance_top", []), state.get("alliance_bottom", [])
        members = [*top, *bottom]
        if len(set(members)) < len(members) or any(power not in table.board.powers for power in members):
            return [Said("the alliances are %(things)s and %(other_things)s", things=top, other_things=bottom)]
        return []

    def _unit_faults(self, table: Table, power: str, kind: str) -> list[str]:
        board, world = table.board, map_of(table.kit)
        total, faults = 0, list[str]()
        for place, owners in board.units.items():
            number = owners.get(power, {}).get(kind, 0)
            if not number:
                continue
            total += number
            if place == SUPPLY:
                continue
            if kind == CONTROL:
                allowed = place in world.is_sea or place in RAIDERS
            elif place in world.is_sea:
                allowed = kind != "navy" or world.is_sea[place]
            else:
                allowed = place == home(power)
            if not allowed:
                faults.append(Said("%(owner)s has %(number)s × %(unit)s at %(place)s",
                                   owner=power, number=number, unit=kind, place=place))
        most = table.kit.tables["units"][kind]["per_empire"]
        if total != most:
            faults.append(Said("%(owner)s has %(total)s × %(unit)s in all, not %(most)s",
                               owner=power, total=total, unit=kind, most=most))
        return faults

    def _track_faults(self, table: Table, track: str, power: str) -> list[str]:
        value = table.board.value(track, power)
        if track.startswith(scoring.REASON) or (track == "vp" and table.options["vp_below_zero"]):
            return []
        if value < 0:
            return [Said("%(track)s of %(owner)s is %(number)s", track=track, owner=power, number=value)]
        if track == "population" and value > table.kit.constants["population_maximum"]:
            return [Said("%(track)s of %(owner)s is %(number)s", track=track, owner=power, number=value)]
        return []

    def _piece_faults(self, table: Table, piece: str) -> list[str]:
        place = table.board.pieces[piece]["at"]
        if piece.startswith("counter:"):
            region = table.kit.tables["counters"][piece.removeprefix("counter:")]["region"]
            allowed = place in (setup.BAG, REMOVED, region)
        elif place in (SUPPLY, REMOVED) or place in table.board.powers:
            allowed = True
        else:
            allowed = tile_of(piece) in ("blockade", *RAIDERS) and place in map_of(table.kit).is_colony
        return [] if allowed else [Said("%(piece)s is at %(place)s, where it may not be", piece=piece, place=place)]

    # --- cases ---

    def arrange(self, table: Table, name: str, value: Any) -> None:
        """Entries of a case's ``arrange`` beyond the table's own:

        ``action``      {war, round, active, top, bottom, actions_left}: an action of a player
        ``auction``     {war, opener, top, bottom}: an auction
        ``negotiation`` {war, opener}: the talk before the auction
        ``end_of_war``  {war, top, bottom}: income and all that follows
        ``war``         {war, last}: the beginning of a war after the first
        ``placement``   {active, to_place}: a unit is to be placed
        ``tile``        {power, tile, number, used}: tiles that a power has
        ``sold_out``    {tile, left}: only so many of a tile are left in the supply
        ``counter``     a counter or a list of them: they lie in their regions
        ``raiders``     {tile, region, power}: Pirates or Slave Revolt hold a marker of a power there
        ``blockade``    {region, power}: Blockade laid
        """
        if name not in _ARRANGE:
            raise ValueError(f"there is no entry {name}; there are {', '.join(sorted(_ARRANGE))}")
        _check_empires(table, value)
        _ARRANGE[name](table, value)

    def matches(self, table: Table, name: str, value: Any) -> Any:
        """Entries of a case's ``expect`` beyond the table's own:

        ``tile``      {tile, at}: how many copies of a tile lie at a place ("at": {place: number})
        ``counter``   {counter: place}
        ``results``   [[power, points, place], ...] best first
        ``fight``     {where, attacker, defender, winner}: totals with dice, in the last fight told by the last order
        ``told``      {what, and fields}: a happening of the last order that holds these fields
        """
        if name == "tile":
            pieces = [table.board.pieces[piece]["at"] for piece in pieces_by_tile(table.kit)[value["tile"]]]
            there: Any = {place: pieces.count(place) for place in value["at"]}
            return None if there == value["at"] else there
        if name == "counter":
            there = {counter: table.board.pieces[counter_piece(counter)]["at"] for counter in value}
            return None if there == value else there
        if name == "results":
            there = [[row["power"], row["points"], row["place"]] for row in scoring.results(table)]
            return None if there == value else there
        if name == "fight":
            fights = [_brief_fight(fact) for fact in table.facts if fact.get("what") == "fight"]
            fights = [fight for fight in fights if fight["where"] == value["where"]]
            there = {key: fights[-1][key] for key in value} if fights else "no such fight"
            return None if there == value else there
        if name == "told":
            told = [fact for fact in table.facts if fact.get("what") == value["what"]]
            holds = any(all(fact.get(key) == wanted for key, wanted in value.items()) for fact in told)
            return None if holds else told or "nothing of that kind"
        raise ValueError(f"there is no entry {name}; there are {', '.join(_EXPECT)}")

    def case_words(self) -> Mapping[str, Sequence[str]]:
        """The words of cases."""
        return {"arrange": list(_ARRANGE), "expect": list(_EXPECT), "phases": list(STEPS)}


def _check_empires(table: Table, value: Any) -> None:
    """Raise `ValueError` for an empire in an entry of `arrange` that has no seat."""
    for key in ("active", "opener", "first", "last", "power", "top", "bottom"):
        named = value.get(key) if isinstance(value, Mapping) else None
        for empire in named if isinstance(named, list) else [named]:
            if empire is not None and empire not in table.board.powers:
                raise ValueError(f"{key}: {empire} has no seat; seats are {', '.join(table.board.powers)}")


_EXPECT = ("tile", "counter", "results", "fight", "told")


def _brief_fight(fact: Mapping[str, Any]) -> dict[str, Any]:
    totals = {side["side"]: side["total"] for side in fact["sides"]}
    return {"where": fact["where"], "winner": fact["winner"], **totals}


def _alliances(table: Table, value: Mapping[str, Any]) -> None:
    table.set("war", value.get("war", 1))
    table.set("alliance_top", list(value.get("top", [])))
    table.set("alliance_bottom", list(value.get("bottom", [])))


def _arrange_action(table: Table, value: Mapping[str, Any]) -> None:
    _alliances(table, value)
    auction.begin_rounds(table)
    table.set("round", value.get("round", 1))
    actions.begin_turn(table, value["active"])
    table.set("actions_left", value.get("actions_left", table.board.state["actions_left"]))


def _arrange_auction(table: Table, value: Mapping[str, Any]) -> None:
    _alliances(table, value)
    table.set("opener", value["opener"])
    table.set("phase", "auction")


def _arrange_negotiation(table: Table, value: Mapping[str, Any]) -> None:
    _arrange_auction(table, value)
    table.set("phase", "negotiation")


def _arrange_end_of_war(table: Table, value: Mapping[str, Any]) -> None:
    _alliances(table, value)
    auction.begin_rounds(table)
    table.set("active", None)
    table.set("actions_left", None)
    table.set("round", actions.rounds_of(table))
    table.set("phase", "income")


def _arrange_war(table: Table, value: Mapping[str, Any]) -> None:
    table.set("war", value["war"])
    table.set("last_in_order", value.get("last"))
    table.set("first_player", value.get("first"))
    table.set("phase", "war")


def _arrange_placement(table: Table, value: Mapping[str, Any]) -> None:
    table.set("first_player", value["active"])
    table.set("active", value["active"])
    table.set("to_place", value["to_place"])
    table.set("phase", "placement")


def _arrange_tile(table: Table, value: Mapping[str, Any]) -> None:
    left = [p for p in pieces_by_tile(table.kit)[value["tile"]] if table.board.pieces[p]["at"] == SUPPLY]
    marks: dict[str, Any] = {"used": True} if value.get("used") else {}
    for piece in left[: value.get("number", 1)]:
        table.put(piece, value["power"], **marks)


def _arrange_sold_out(table: Table, value: Mapping[str, Any]) -> None:
    for piece in pieces_by_tile(table.kit)[value["tile"]][value.get("left", 0) :]:
        table.put(piece, REMOVED)


def _arrange_counter(table: Table, value: Any) -> None:
    for counter in [value] if isinstance(value, str) else value:
        table.put(counter_piece(counter), table.kit.tables["counters"][counter]["region"])


def _arrange_raiders(table: Table, value: Mapping[str, Any]) -> None:
    table.put(pieces_by_tile(table.kit)[value["tile"]][0], value["region"])
    table.place(value["power"], CONTROL, value["tile"])


def _arrange_blockade(table: Table, value: Mapping[str, Any]) -> None:
    table.put(pieces_by_tile(table.kit)["blockade"][0], value["region"], power=value["power"])


_ARRANGE: dict[str, Callable[[Table, Any], None]] = {
    "action": _arrange_action,
    "auction": _arrange_auction,
    "negotiation": _arrange_negotiation,
    "end_of_war": _arrange_end_of_war,
    "war": _arrange_war,
    "placement": _arrange_placement,
    "tile": _arrange_tile,
    "sold_out": _arrange_sold_out,
    "counter": _arrange_counter,
    "raiders": _arrange_raiders,
    "blockade": _arrange_blockade,
}


GAME = StruggleOfEmpires()
