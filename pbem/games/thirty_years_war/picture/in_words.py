"""The board of Thirty Years War in words."""

from pbem.drawing.words import Words
from pbem.drawing.wrapping import wrapped
from pbem.games.thirty_years_war.map import SIDES
from pbem.games.thirty_years_war.picture.lands import in_words
from pbem.games.thirty_years_war.picture.position import Position


def text(view: dict, words: Words) -> str:
    """The board in lines of at most 78 columns: victory, sides with armies, regions, cities, sieges, loot, a legend."""
    position = Position(view, words)
    word = position.words
    lines = [*wrapped(position.situation().upper()), ""]
    lines += wrapped(f"{word['vp']} {position.vp}. {word['dutch_war']} {view['counters'].get('dutch_war') or 0:+d}.")
    electors = position.electors()
    for side in SIDES:
        held = [position.place_name(elector) for elector, holder in electors.items() if holder == side]
        lines += wrapped(
            position.pair(f"{word['electors']}, {position.name('side', side)} ({len(held)})", _listed(held, word))
        )
    for side in SIDES:
        aid = position.aid(side)
        on = [position.name("aid", source) for source, paying, _ in aid if paying]
        lines += ["", position.name("side", side).upper(), *wrapped(position.cards(side))]
        lines += wrapped(
            f"{word['activations']} {position.number('activations', side)}/{position.kit.constants['activations']}. "
            f"{word['aid']} {position.aid_left(side)} ({_listed(on, word)}). "
            f"{word['pay']} {position.pay(side)}."
        )
        for space, of, stack in position.stacks:
            if of == side:
                lines += wrapped(position.pair(position.name("space", space), in_words(position, stack)))
    lines += ["", word["situation"].upper()]
    for what, how in position.notes():
        lines += wrapped(position.pair(what, how))
    lines += ["", word["regions"].upper(), *_regions(position)]
    lines += ["", word["cities"].upper()]
    for holder in (*SIDES, None):
        held = [position.name("space", city) for city in position.atlas.cities if position.holders[city] == holder]
        lines += wrapped(position.pair(position.name("side", holder) if holder else word["none"], _listed(held, word)))
    lines += _marked(position)
    lines += [*([""] if lines[-1] else []), *wrapped(word["legend_in_words"])]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _listed(names: list[str], word: dict[str, str]) -> str:
    return ", ".join(names) or word["none"]


def _regions(position: Position) -> list[str]:
    """A line for each region that can be held: whose it is, and who holds how many of the spaces that it takes."""
    lines, word = [], position.words
    for region, row in position.atlas.regions.items():
        if row["control_level"] is None:
            continue
        state = position.region_state(region)
        whose = position.name("side", state) if state in SIDES else word["region_neutral"] if state else word["none"]
        counts = ", ".join(f"{word[f'letter_{side}']} {position.held(region, side)}" for side in SIDES)
        told = f"{whose}; {counts} / {row['control_level']}; {row['vp']} {word['vp']}"
        lines += wrapped(position.pair(position.name("region", region), told))
        odd = [
            f"{position.name('space', space)} ({word[f'letter_{position.holders[space]}']})"
            for space in position.atlas.spaces_of[region]
            if position.holders[space] not in (None, state)
        ]
        if odd:
            lines += wrapped(f"    {', '.join(odd)}")
    return lines


def _marked(position: Position) -> list[str]:
    """Sieges, revolts and loot, where there are any."""
    word, name = position.words, position.name
    spaces = position.atlas.spaces
    sieges = [
        f"{name('space', id)} (+{siege['value']}, {word['siege_level']} {position.siege_level(id)}, "
        f"{name('side', siege['by'])})"
        for id in spaces
        if (siege := position.siege(id))
    ]
    parts = [(word["sieges"], sieges), (word["revolts"], [name("space", id) for id in spaces if position.revolts(id)])]
    parts += [
        (f"{word['loot']} {level}", [name("space", id) for id in spaces if position.loot(id) == level])
        for level in (1, 2)
    ]
    return ["", *(line for what, held in parts if held for line in wrapped(position.pair(what, ", ".join(held))))]
