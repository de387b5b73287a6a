"""Set-up, the placing of the first units, and the counters that come with each war."""

from __future__ import annotations

from pbem.games.struggle_of_empires import orders
from pbem.games.struggle_of_empires.map import CONTROL, UNIT_KINDS, clockwise, from_power, left_of
from pbem.games.struggle_of_empires.targets import counter_piece
from pbem.games.struggle_of_empires.tiles import REMOVED, pieces_by_tile
from pbem.table.board import SUPPLY
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SECTION = "2, set-up"
BAG = "bag"
TRACKS = {"gold": "start_gold", "population": "start_population", "vp": "start_vp", "unrest": "start_unrest"}


def lay_out(table: Table) -> None:
    """Everything out of the box: counters in the bag, tiles and pieces in the supply, tracks at their start."""
    constants, units = table.kit.constants, table.kit.tables["units"]
    for track in ("unrest", "gold"):
        if table.options[f"{track}_sums"] == "owner":
            table.do({"fact": "sight", "name": track, "before": None, "after": "owner"})
    for counter in table.kit.tables["counters"]:
        table.put(counter_piece(counter), BAG)
    for pieces in pieces_by_tile(table.kit).values():
        for piece in pieces:
            table.put(piece, SUPPLY)
    for power in table.board.powers:
        for kind in (*UNIT_KINDS, CONTROL):
            table.move(power, kind, units[kind]["per_empire"], None, SUPPLY)
        for track, start in TRACKS.items():
            table.count(track, power, constants[start], section=SECTION)
    table.set("war", 1)
    table.set("round", 1)
    table.set("phase", "opening")


def opening(table: Table) -> Procedure:
    """Counters on the map, the first player, and each seat's first control markers."""
    if table.options["seat_order"] == "drawn":
        draw_seats(table)
    draw_counters(table, table.kit.constants["counters_at_start"])
    first = first_player(table)
    table.set("first_player", first, section=SECTION)
    for power in from_power(table.board, first):
        draw_control_markers(table, power)
    table.set("active", first)
    table.set("to_place", table.kit.constants["start_units"] * len(table.board.powers))
    table.set("phase", "placement")
    return
    yield  # asks nobody, but is a procedure


def draw_seats(table: Table) -> None:
    """Option seat_order: the order in which the players sit is drawn."""
    left, seats = list(table.board.powers), []
    while left:
        seats.append(table.pick("seat", left, section=SECTION))
        left.remove(seats[-1])
    table.set("seating", seats, section=SECTION)


def bag(table: Table) -> list[str]:
    """The counters still in the bag, in the order of the kit."""
    pieces = table.board.pieces
    return [counter for counter in table.kit.tables["counters"] if pieces[counter_piece(counter)]["at"] == BAG]


def draw_counters(table: Table, number: int) -> None:
    """Draw counters and lay them open in their regions."""
    for _ in range(number):
        counter = table.pick("counter", bag(table), section=SECTION)
        region = table.kit.tables["counters"][counter]["region"]
        table.tell("counter_drawn", counter=counter, region=region, section=SECTION)
        table.put(counter_piece(counter), region)


def first_player(table: Table) -> str:
    """A die names the first player: seats numbered from 1, thrown again above their number (option first_player)."""
    seats, sides = clockwise(table.board), table.kit.constants["die_sides"]
    if table.options["first_player"] == "draw" or len(seats) > sides:
        return table.pick("first player", seats, section=SECTION)
    while True:
        number = table.roll("first player", None, 1, sides, section=SECTION)[0]
        if number <= len(seats):
            return seats[number - 1]


def draw_control_markers(table: Table, power: str) -> None:
    """Five counters by lot: a control marker in the region of each; the counters leave the game, signs ignored."""
    for _ in range(table.kit.constants["start_counters_drawn"]):
        counter = table.pick("control marker", bag(table), power=power, section=SECTION)
        region = table.kit.tables["counters"][counter]["region"]
        table.tell("marker_drawn", power=power, counter=counter, region=region, section=SECTION)
        table.put(counter_piece(counter), REMOVED)
        table.place(power, CONTROL, region, why="set-up", section=SECTION)


def placement(table: Table) -> Procedure:
    """One unit is placed; then it is the next player's turn clockwise, until each has placed five."""
    power = table.board.state["active"]
    answer = yield Question(
        power,
        "placement",
        [orders.Place],
        default=lambda table, question: next(orders.Place.legal(table, question)),
        context={"left": -(-table.board.state["to_place"] // len(table.board.powers))},
        section=SECTION,
    )
    table.tell("placed", power=power, kind=answer.unit, region=answer.region, section=SECTION)
    table.place(power, answer.unit, answer.region, why="set-up", section=SECTION)
    table.set("to_place", table.board.state["to_place"] - 1)
    table.set("active", left_of(table.board, power))
    if not table.board.state["to_place"]:
        table.set("active", None)
        table.set("to_place", None)
        table.set("phase", "war")


def begin_war(table: Table) -> Procedure:
    """A war begins: in wars 2 and 3 with ten more counters; then who opens the first auction.

    In war 1 that is the first player, later whoever was last in turn order in the war before.
    """
    state = table.board.state
    table.tell("war", war=state["war"], section="2")
    if state["war"] > 1:
        draw_counters(table, min(table.kit.constants["counters_each_war"], len(bag(table))))
        table.set("opener", state["last_in_order"], section="2, auction")
    else:
        table.set("opener", state["first_player"], section="2, auction")
    table.set("alliance_top", [])
    table.set("alliance_bottom", [])
    table.set("phase", "negotiation")
    return
    yield  # asks nobody, but is a procedure

