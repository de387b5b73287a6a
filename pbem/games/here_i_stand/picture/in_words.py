"""The board of Here I Stand in words."""

from pbem.drawing.words import Words
from pbem.drawing.wrapping import wrapped
from pbem.games.here_i_stand.picture.displays import hand, special
from pbem.games.here_i_stand.picture.position import Position


def text(view: dict, words: Words) -> str:
    """The board in lines of at most 78 columns: powers, wars, units by place, what differs from home, religion."""
    position = Position(view, words)
    word, kit = position.words, position.kit
    lines = [*wrapped(position.situation().upper()), "", word["powers"]]
    for power in position.powers:
        ruler = (position.state.get("ruler") or {}).get(power)
        parts = [f"{position.number('vp', power)} {word['vp']}", f"{word['keys']} {len(position.keys(power))}"]
        parts += [hand(position, power)]
        parts += [f"{word['ruler']} {position.name('ruler', ruler)}"] if ruler else []
        lines += wrapped(
            f"{position.owner(power)['letter']} {position.owner_name(power)}: "
            + ", ".join([*parts, *special(position, power)])
        )
    lines += ["", word["status"]]
    for meaning in ("war", "allied"):
        pairs = [
            f"{position.owner_name(a)} - {position.owner_name(b)}"
            for number, a in enumerate(position.powers)
            for b in [*position.powers[number + 1 :], *position.minors]
            if position.relation(a, b) == meaning
        ]
        lines += wrapped(f"{word[meaning + '_long']}: {', '.join(pairs) or word['none']}")
    lines += ["", word["units"]]
    places = [id for table in ("spaces", "sea_zones") for id in kit.tables[table]]
    places += [f"turn_track:{turn}" for turn in kit.tables["turns"]]
    places += [f"electorate:{space}" for space in kit.tables["spaces"]]
    places += [f"foreign_war:{card}" for card in kit.tables["foreign_wars"]]
    for place in places:
        if told := position.standing(place):
            lines += wrapped(f"{position.place_name(place)}: {told}")
    lines += ["", word["control"]]
    held: dict[str, list[str]] = {}
    for space in kit.tables["spaces"]:
        holder = position.control(space)
        if holder is not None and holder != position.home(space):
            held.setdefault(holder, []).append(position.name("space", space))
    lines += [
        line
        for holder, spaces in held.items()
        for line in wrapped(f"{position.owner_name(holder)}: {', '.join(spaces)}")
    ]
    lines += ["", word["religion"]]
    converted = [position.name("space", s) for s in kit.tables["spaces"] if position.at("religion", s) == "protestant"]
    lines += wrapped(f"{word['spaces']} ({position.protestant_spaces()}): {', '.join(converted) or word['none']}")
    for mark in ("unrest", "university"):
        marked = [position.name("space", s) for s in kit.tables["spaces"] if position.at(mark, s)]
        if marked:
            lines += wrapped(f"{word[mark]}: {', '.join(marked)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"
