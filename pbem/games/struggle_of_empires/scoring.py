"""Victory points: the regions at the end of each war, and unrest at the end of the game."""

from __future__ import annotations

from typing import Any

from pbem.games.struggle_of_empires.map import CONTROL, clockwise, map_of
from pbem.games.struggle_of_empires.tiles import pieces_by_tile, row_of
from pbem.table.board import SUPPLY
from pbem.table.procedure import Procedure, Table

SECTION = "5"
REASON = "vp:"
"""``vp:<war>:<region>``, a track: what the region brought in that war."""


def scoring(table: Table) -> Procedure:
    """Every region is scored."""
    for region in map_of(table.kit).regions:
        score_region(table, region)
    table.set("phase", "end" if table.board.state["war"] == table.kit.constants["wars"] else "war_end")
    return
    yield  # asks nobody, but is a procedure


def score_region(table: Table, region: str) -> None:
    """Most control markers take the first value, the next number the second and so on; equal numbers the same value."""
    row = table.kit.tables["regions"][region]
    values = [row[column] for column in ("vp1", "vp2", "vp3") if row[column] is not None]
    markers = {power: table.board.count(region, power, CONTROL) for power in clockwise(table.board)}
    numbers = sorted({number for number in markers.values() if number}, reverse=True)
    ranks: list[dict[str, Any]] = [
        {"vp": vp, "markers": number, "powers": [power for power, held in markers.items() if held == number]}
        for vp, number in zip(values, numbers, strict=False)
    ]
    if not ranks:
        return
    table.tell("scored", region=region, ranks=ranks, section=SECTION)
    for rank in ranks:
        for power in rank["powers"]:
            table.count("vp", power, rank["vp"], why=region, section=SECTION)
            _remember(table, power, region, rank["vp"])


def end_of_war(table: Table) -> Procedure:
    """The war marker goes on; used tiles turn back; alliance tiles and a Blockade in a colony return to the supply.

    Pirates and Slave Revolt stay. Who was last in turn order is remembered: he opens the next war's first auction.
    """
    state = table.board.state
    table.tell("war_over", war=state["war"], results=results(table), report="scores", section="2")
    for tile, pieces in pieces_by_tile(table.kit).items():
        returns = row_of(table, tile)["returns"] == "war_end"
        for piece in pieces:
            where = table.board.pieces[piece]
            on_map = tile == "blockade" and where["at"] in map_of(table.kit).is_sea
            if (returns and where["at"] != SUPPLY) or on_map:
                table.put(piece, SUPPLY, why="end of the war", section="2")
            elif where.get("used"):
                table.mark(piece, used=None, why="end of the war", section="2")
    table.set("last_in_order", state["turn_order"][-1], section="2, auction")
    table.set("turn_order", None)
    table.set("alliance_top", [])
    table.set("alliance_bottom", [])
    table.set("war", state["war"] + 1)
    table.set("round", 1)
    table.set("phase", "war")
    return
    yield  # asks nobody, but is a procedure


def end_of_game(table: Table) -> Procedure:
    """Unrest is shown. 20 or more: the score is 0. Of the others the highest loses 7, the next lower one 4.

    All who tie lose the same. No score falls below 0 (option vp_below_zero).
    """
    constants = table.kit.constants
    for track in ("unrest", "gold"):
        if table.board.sight.get(track):
            content = {power: table.board.value(track, power) for power in table.board.powers}
            table.do({"fact": "open", "name": track, "content": content, "section": SECTION})
    unrest = {power: table.board.value("unrest", power) for power in clockwise(table.board)}
    revolts = [power for power, points in unrest.items() if points >= constants["revolt_unrest"]]
    table.tell("unrest_shown", unrest=unrest, revolts=revolts, section=SECTION)
    for power in revolts:
        table.tell("revolt", power=power, unrest=unrest[power], section=SECTION)
        change = -table.board.value("vp", power)
        table.count("vp", power, change, why="revolt", section=SECTION)
        _remember(table, power, "revolt", change)
    levels = sorted({points for power, points in unrest.items() if power not in revolts}, reverse=True)
    for loss, level in zip(constants["unrest_vp"], levels, strict=False):
        for power in unrest:
            if unrest[power] == level:
                change = loss
                if not table.options["vp_below_zero"]:
                    change = -min(-loss, table.board.value("vp", power))
                table.tell("unrest_loss", power=power, unrest=level, vp=change, section=SECTION)
                table.count("vp", power, change, why="unrest", section=SECTION)
                _remember(table, power, "unrest", change)
    table.set("revolts", revolts)
    table.set("phase", "over")
    table.tell("game_over", results=results(table), section=SECTION)
    return
    yield  # asks nobody, but is a procedure


def _remember(table: Table, power: str, reason: str, change: int) -> None:
    """Keep what VP came from, for `reasons`: a track of each war and region, or of unrest and revolt at the end."""
    table.count(f"{REASON}{table.board.state['war']}:{reason}", power, change, why="reason", section=SECTION)


def reasons(table: Table) -> list[dict[str, Any]]:
    """Why the VP of each power stand as they do; what came before reasons were kept is one of them."""
    board = table.board
    entries = []
    for power in clockwise(board):
        kept: list[dict[str, Any]] = [
            {"reason": name if name in ("revolt", "unrest") else "region", "region": name, "war": int(war), "points": n}
            for track, values in board.tracks.items()
            if track.startswith(REASON) and (n := values.get(power) or 0)
            for war, _, name in [track.removeprefix(REASON).partition(":")]
        ]
        total = board.value("vp", power)
        earlier = total - sum(reason["points"] for reason in kept)
        before = [{"reason": "earlier", "points": earlier}] if earlier else []
        entries.append({"power": power, "points": total, "reasons": [*before, *kept]})
    return entries


def results(table: Table) -> list[dict[str, Any]]:
    """The ranking: most VP first; who is equal shares the place (option equal_vp: least unrest goes first)."""
    board = table.board
    over = board.state.get("phase") == "over"
    tie_break = over and table.options["equal_vp"] == "least_unrest"

    def rank(power: str) -> tuple[int, int]:
        return -board.value("vp", power), board.value("unrest", power) if tie_break else 0

    ranked: list[dict[str, Any]] = []
    for number, power in enumerate(sorted(clockwise(board), key=rank), 1):
        place = number
        if ranked and rank(ranked[-1]["power"]) == rank(power):
            place = ranked[-1]["place"]
        notes = ["revolt"] if power in board.state.get("revolts", ()) else []
        if over:
            notes.append(f"unrest {board.value('unrest', power)}")
        ranked.append({"power": power, "points": board.value("vp", power), "place": place, "notes": notes})
    return ranked
