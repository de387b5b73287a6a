"""The board of Struggle of Empires in words."""

from collections.abc import Iterable

from pbem.drawing.words import Words
from pbem.drawing.wrapping import table, table_in_parts, wrapped
from pbem.games.struggle_of_empires.picture.position import KINDS, TRACKS, Position

NARROWEST = 7  # columns: "0/0/0/0"


def text(view: dict, words: Words) -> str:
    """The board in lines of at most 78 columns: the situation, the pieces region by region, counters, the empires."""
    position = Position(view, words)
    word, state = position.words, position.state
    lines = [position.situation().upper(), ""]
    if state.get("active"):
        lines.append(f"{word['active']}: {_named(position, [state['active']])}")
    for row in ("top", "bottom"):
        members = state.get(f"alliance_{row}") or []
        if members:
            lines.append(f"{word['alliance']} ({word[row]}): {_named(position, members)}")
    if state.get("turn_order"):
        lines += wrapped(f"{word['order']}: {_named(position, state['turn_order'])}")
    proposal = state.get("proposal") or {}
    if proposal:
        sides = [f"{side.upper()} {_named(position, [proposal[side]])}" for side in "ab" if proposal.get(side)]
        bid = [f"{word['bid']} {proposal['bid']}"] if proposal.get("bid") is not None else []
        bidder = [_named(position, [proposal["bidder"]])] if proposal.get("bidder") else []
        lines += wrapped(f"{word['proposal']}: {', '.join([*sides, *bid, *bidder])}")
    lines += ["", word["empires"], *_empire_table(position)]
    lines += ["", word["pieces"], *_piece_table(position)]
    lines += ["", word["counters"]]
    for region in position.counters:
        if notes := position.notes(region):
            lines += wrapped(f"{position.name('region', region)}: {', '.join(notes)}")
    lines += ["", word["tiles"]]
    for power in position.powers:
        lines += wrapped(f"{position.name('empire', power)}: {_tile_list(position, power) or word['none']}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _named(position: Position, powers: Iterable[str]) -> str:
    return ", ".join(position.name("empire", power) for power in powers)


def _tile_list(position: Position, holder: str) -> str:
    """The tiles of an empire, equal ones together, used ones marked."""
    groups: dict[tuple[str, bool], int] = {}
    for tile, piece in position.tiles[holder]:
        key = (position.name("tile", tile), bool(piece.get("used")))
        groups[key] = groups.get(key, 0) + 1
    used_mark = f" ({position.words['used']})"
    return ", ".join(
        name + (f" x{number}" if number > 1 else "") + (used_mark if used else "")
        for (name, used), number in groups.items()
    )


def _empire_table(position: Position) -> list[str]:
    words = position.words
    order = position.state.get("turn_order") or []
    heads = ["", words["turn"], words["alliance"], words["vp"], words["gold"], words["population"], words["unrest"]]
    rows = [
        [
            f"{position.letter(power)} {position.name('empire', power)}",
            str(order.index(power) + 1) if power in order else "-",
            words.get(position.side(power) or "", "-"),
            *(position.number(track, power) for track in TRACKS),
        ]
        for power in position.powers
    ]
    return table([heads, *rows])


def _piece_table(position: Position) -> list[str]:
    """Rows of regions, columns of empires; a cell holds control markers/armies/navies/forts. In parts if too wide."""
    words, regions = position.words, position.kit.tables["regions"]

    def cell(place: str, power: str) -> str:
        counts = [position.count(place, power, kind) for kind in KINDS]
        return "/".join(map(str, counts)) if any(counts) else "."

    labels = ["", *(f"{position.name('region', id)} {position.vp_text(id)}" for id in regions), words["home"]]
    columns = [
        [position.letter(power), *(cell(id, power) for id in regions), cell(f"home:{power}", power)]
        for power in position.powers
    ]
    key = f"({words['key']}: {'/'.join(words[kind] for kind in KINDS)})"
    return [key, *table_in_parts(labels, columns, NARROWEST)]
