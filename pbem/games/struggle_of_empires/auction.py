"""Alliances and turn order by auction."""

from __future__ import annotations

from pbem.games.struggle_of_empires import orders
from pbem.games.struggle_of_empires.map import from_power, left_of, unallied
from pbem.games.struggle_of_empires.money import pay
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question, Window

SECTION = "2, auction"


def negotiation(table: Table) -> Procedure:
    """The talk before each war's auction: open to all until the clock closes it or all are done."""
    table.tell("negotiation", war=table.board.state["war"], section=SECTION)
    yield Window(
        (
            Question(power, "negotiation", [orders.Done], context={"war": table.board.state["war"]}, section=SECTION)
            for power in from_power(table.board, table.board.state["opener"])
        ),
        "negotiation",
    )
    table.set("phase", "auction")


def auction(table: Table) -> Procedure:
    """One auction: in turn each raises or passes, until all others have passed in succession after a bid.

    A pass shuts nobody out. If all pass without a bid, the opener must name one and wins with it; or, by option
    auction_all_pass, he may not pass before there is a bid.
    """
    opener = table.board.state["opener"]
    seats = from_power(table.board, opener)
    table.tell("auction", opener=opener, unallied=unallied(table.board), section=SECTION)
    passes, turn = 0, 0
    must_open = table.options["auction_all_pass"] == "opener_must_bid"
    while True:
        bid = table.board.state.get("proposal")
        if bid and passes == len(seats) - 1:
            break
        nobody_bid = bid is None and passes == len(seats)
        power = opener if nobody_bid else seats[turn % len(seats)]
        may_pass = not nobody_bid and not (must_open and bid is None)
        answer = yield Question(
            power,
            "auction",
            [orders.Bid, orders.Pass] if may_pass else [orders.Bid],
            default=orders.Pass() if may_pass else first_bid,
            context={"may_pass": may_pass, "unallied": unallied(table.board), "proposal": bid},
            section=SECTION,
        )
        turn += 1
        if isinstance(answer, orders.Bid):
            passes = 0
            table.set("proposal", {"a": answer.a, "b": answer.b, "bid": answer.bid, "bidder": power}, section=SECTION)
            if nobody_bid:
                break
        else:
            passes += 1
            table.tell("passed", power=power, section=SECTION)
    win(table)


def first_bid(table: Table, question: Question) -> orders.Bid:
    """What silence means where a bid must be made: the least bid, with the empires left as they sit."""
    free = unallied(table.board)
    least = table.kit.constants["minimum_bid"]
    return orders.Bid(bid=least, a=free[0], b=free[1] if len(free) > 1 else None)


def win(table: Table) -> None:
    """The last bidder pays the bank; A goes to the first free top box, B to the first free bottom box."""
    state = table.board.state
    proposal = state["proposal"]
    bidder, gold = proposal["bidder"], proposal["bid"]
    table.tell("auction_won", power=bidder, bid=gold, a=proposal["a"], b=proposal["b"], section=SECTION)
    pay(table, bidder, gold, why="auction", section=SECTION)
    for row, empire in (("alliance_top", proposal["a"]), ("alliance_bottom", proposal["b"])):
        if empire:
            table.set(row, [*state.get(row, []), empire], section=SECTION)
    table.set("proposal", None)
    if unallied(table.board):
        table.set("opener", left_of(table.board, state["opener"]), section=SECTION)
    else:
        begin_rounds(table)


def begin_rounds(table: Table) -> None:
    """All are allied: the boxes give the turn order, top and bottom by turns; an empty box is passed over."""
    top, bottom = table.board.state.get("alliance_top", []), table.board.state.get("alliance_bottom", [])
    order = []
    for box in range(max(len(top), len(bottom))):
        order += [*top[box : box + 1], *bottom[box : box + 1]]
    table.set("turn_order", order, section=SECTION)
    table.tell("alliances", top=top, bottom=bottom, order=order, section=SECTION)
    table.set("round", 1)
    table.set("phase", "actions")
    from pbem.games.struggle_of_empires.actions import begin_turn

    begin_turn(table, order[0])
