"""The board of Virgin Queen in words."""

from pbem.drawing.words import Words
from pbem.drawing.wrapping import wrapped
from pbem.games.reformation.picture.displays import hand
from pbem.games.virgin_queen.picture.displays import special
from pbem.games.virgin_queen.picture.position import REGIONS, Position


def text(view: dict, words: Words) -> str:
    """The board in lines of at most 78 columns: powers, wars, influence, units by place, the oceans, what differs from
    home, religion."""
    position = Position(view, words)
    lines = [*wrapped(position.situation().upper()), ""]
    lines += [*_powers(position), "", *_status(position), "", *_units(position), "", *_overseas(position), ""]
    lines += [*_control(position), "", *_religion(position), "", *_royals(position)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _powers(position: Position) -> list[str]:
    word = position.words
    lines = [word["powers"]]
    for power in position.played:
        keys = position.protestant_keys() if power == "protestant" else (len(position.keys(power)),)
        parts = [] if power in position.played_by else [f"{position.number('vp', power)} {word['vp']}"]
        parts.append(f"{word['keys']} {'+'.join(map(str, keys))}")
        parts += [hand(position, power), f"{word['treasures']} {position.treasures(f'treasures:{power}')}"]
        parts += [ruler] if (ruler := position.ruler(power)) else []
        who = f"{position.owner(power)['letter']} {position.owner_name(power)}: "
        lines += wrapped(who + ", ".join([*parts, *special(position, power)]))
    return lines


def _status(position: Position) -> list[str]:
    word = position.words
    lines = [word["status"]]
    for meaning in ("war", "allied"):
        pairs = [
            f"{position.owner_name(a)} - {position.owner_name(b)}"
            for number, a in enumerate(position.powers)
            for b in [*position.powers[number + 1 :], *position.minors]
            if position.relation(a, b) == meaning
        ]
        lines += wrapped(f"{word[meaning + '_long']}: {', '.join(pairs) or word['none']}")
    for minor, boxes in (position.state.get("influence") or {}).items():
        held = [f"{position.owner_name(power)} {number}" for power, number in boxes.items() if number]
        held = [word["evaluated"]] if minor in (position.state.get("turn:evaluated") or ()) else held
        lines += wrapped(f"{word['influence']}, {position.owner_name(minor)}: {', '.join(held) or word['none']}")
    return lines


def _units(position: Position) -> list[str]:
    word, kit, view = position.words, position.kit, position.view
    lines = [word["units"]]
    places = [id for table in ("spaces", "sea_zones") for id in kit.tables[table]]
    places += [f"turn_track:{turn}" for turn in kit.tables["turns"]]
    places += [place for place in sorted(view["units"]) if place.startswith("foreign_war:")]
    for place in places:
        if told := position.standing(place):
            lines += wrapped(f"{position.place_name(place)}: {told}")
    return lines


def _overseas(position: Position) -> list[str]:
    word, kit = position.words, position.kit
    lines = [word["overseas"]]
    for place in [*kit.tables["ocean_zones"], "escorts"]:
        patrols = [f"{position.owner_name(owner)} {number} {word['patrol']}" for owner, kinds in position.units(place)
                   if (number := kinds.get("patrol"))]  # fmt: skip
        patrols += [units] if place == "escorts" and (units := position.units_in_words(place)) else []
        told = [*patrols, *position.people(place)]
        if told:
            lines += wrapped(f"{position.place_name(place)}: {', '.join(told)}")
    held: dict[str, list[str]] = {}
    for village in kit.tables["villages"]:
        holder = position.at("village", village)
        fort = f" ({word['fortress']})" if position.at("fortress", village) else ""
        if holder:
            held.setdefault(holder, []).append(position.name("village", village) + fort)
        for kind, id, _ in position.here.get(village, []):
            if kind == "colony":
                name = f"{position.name('village', village)} ({word['colony']})"
                held.setdefault(id.partition(":")[0], []).append(name)
    for holder, villages in held.items():
        lines += wrapped(f"{position.owner_name(holder)}: {', '.join(villages)}")
    for row, pile in (("row_spain", "treasure_row:spain"), ("row_portugal", "treasure_row:portugal")):
        lines += wrapped(f"{word[row]}: {position.treasures(pile)}")
    return lines


def _control(position: Position) -> list[str]:
    lines = [position.words["control"]]
    held: dict[str, list[str]] = {}
    for space in position.kit.tables["spaces"]:
        holder = position.control(space)
        if holder is not None and holder != position.home(space):
            held.setdefault(holder, []).append(position.name("space", space))
    for holder, spaces in held.items():
        lines += wrapped(f"{position.owner_name(holder)}: {', '.join(spaces)}")
    return lines


def _religion(position: Position) -> list[str]:
    word, spaces = position.words, position.kit.tables["spaces"]
    lines = [f"{word['religion']}: {word['spaces']} {position.protestant_spaces()}"]
    for region in REGIONS:
        turned = [position.name("space", s) for s, row in spaces.items()
                  if row["region"] == region and position.at("religion", s) == "protestant"]  # fmt: skip
        name = position.teller.name(f"region:{region}")
        lines += wrapped(f"{name} ({position.religion_in(region)['protestant']}): {', '.join(turned) or word['none']}")
    marks = (("unrest", lambda s: position.at("unrest", s)), ("university", position.has_jesuits))
    for mark, has in marks:
        marked = [position.name("space", s) for s in spaces if has(s)]
        if marked:
            lines += wrapped(f"{word[mark]}: {', '.join(marked)}")
    return lines


def _royals(position: Position) -> list[str]:
    word, tables = position.words, position.kit.tables["royals"]
    lines = [word["royals"]]
    for power in position.powers:
        told = []
        for kind, id, piece in position.here.get("eligible", []):
            if kind == "royal" and tables[id]["power"] == power:
                other = piece.get("betrothed")
                more = f", {word['betrothed']} {position.name('royal', other)}" if other else ""
                told.append(f"{position.name('royal', id)} ({piece.get('box', '')}{more})")
        if told:
            lines += wrapped(f"{position.owner_name(power)}: {', '.join(told)}")
    return lines
