"""Invariants, checked after every fact in play-outs: so each is looked at only when the last fact could break it.

At rest (the last fact changed ``segment`` or ``phase``): cards and treasures are whole, sieges have besiegers, spaces
one owner and one religion, influence within its track, a captain, Royal, artist and scientist each in one place,
informants, Jesuits and betrothals in order, the Empire's preference in nobody's view, VP as computed; who is activated
is allied to its controller, and who is inactive has neither hand nor allies.
"""

from __future__ import annotations

from typing import Any

from pbem.games.reformation import marks
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.faults import counter_faults, loan_faults, point_faults, siege_faults
from pbem.games.reformation.relations import allied, allies_of, at_war
from pbem.games.virgin_queen.new_world import awards, captains, fleet, piracy, treasures
from pbem.games.virgin_queen.powers import activated
from pbem.games.virgin_queen.powers.majors import SPAIN, unseated
from pbem.games.virgin_queen.victory import score
from pbem.games.virgin_queen.victory.conditions import PREFERENCE
from pbem.games.virgin_queen.war import armada
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table

AT_REST = ("segment", "phase")


def faults(table: Table) -> list[str]:
    """What is wrong with the board, in words."""
    fact: dict[str, Any] = table.facts[-1] if table.facts else {"fact": "state", "name": "phase"}
    if fact["fact"] != "state":
        return []
    if fact["name"] in AT_REST:
        return at_rest(table)
    if fact["name"] == "impulse":
        return piles_whole(table) + siege_faults(table)
    if fact["name"].startswith("control:") and fact["after"] not in atlas(table).owners:
        return [f"{fact['name']} is {fact['after']}, which is nobody"]
    return []


def piles_whole(table: Table) -> list[str]:
    """All cards and all treasures are in their piles."""
    constants = table.kit.constants
    cards = treasure = 0
    for name, pile in table.board.piles.items():
        if treasures.is_pile(name):
            treasure += len(pile)
        elif not name.startswith("preference"):
            cards += len(pile)
    broken = []
    if cards != constants["cards_in_deck"]:
        broken.append(f"there are {cards} cards, not {constants['cards_in_deck']}")
    if treasure != constants["treasures"]:
        broken.append(f"there are {treasure} treasures, not {constants['treasures']}")
    return broken


def influence_faults(table: Table) -> list[str]:
    """24.5: boxes from 0 to the end of the track, and none of who lost its marker."""
    most = table.kit.constants["influence_most"]
    gone = table.board.state.get("influence_gone", {})
    return [
        f"{power} has {boxes} influence on {minor}"
        for minor, row in table.board.state.get("influence", {}).items()
        for power, boxes in row.items()
        if not 0 <= boxes <= most or power in gone.get(minor, ())
    ]


def people_faults(table: Table) -> list[str]:
    """Each captain, Royal, artist and scientist of the kit is somewhere, and so once."""
    kit = table.kit.tables
    wanted = [f"captain:{one}" for one in kit["sea_captains"]]
    wanted += [f"royal:{one}" for one in kit["royals"]]
    wanted += [f"artist:{one}" for one in kit["artists"]] + [f"scientist:{one}" for one in kit["scientists"]]
    return [f"{piece} is nowhere" for piece in wanted if piece not in table.board.pieces]


def sea_faults(table: Table) -> list[str]:
    """10, 16, 23.2: loot within what a captain carries, and of captains abroad alone; colonies one a village; escorts,
    piracy markers, the Armada and what is aboard within their limits."""
    board, constants, broken = table.board, table.kit.constants, []
    for pile, held in board.piles.items():
        if not pile.startswith("loot_") or not held:
            continue
        captain = pile.removeprefix("loot_").partition(":")[0]
        if captain not in captains.abroad(table):
            broken.append(f"{captain} has loot and is not abroad")
        elif len(held) > captains.capacity(table, captain):
            broken.append(f"{captain} carries {len(held)} treasures")
    for village in table.kit.tables["villages"]:
        holders = len(captains.colonies_at(table, village)) + (1 if f"village:{village}" in board.state else 0)
        if holders > 1:
            broken.append(f"{village} has {holders} holders")
    if fleet.escorting(table) > constants["fleet_escorts"]:
        broken.append(f"{fleet.escorting(table)} galleons escort the fleet")
    if board.piles.get(awards.FLEET_TREASURES):
        broken.append("treasures are left at stake")
    markers = [marker.split(":") for marker in marks.mark(table, "turn", piracy.MARKERS, ())]
    for place, limit in ((0, "piracy_powers_a_zone"), (1, "piracy_actions_a_power")):
        for one in dict.fromkeys(marker[place] for marker in markers):
            if sum(1 for marker in markers if marker[place] == one) > constants[limit]:
                broken.append(f"too many piracy markers: {one}")
    every = board.units_everywhere()
    where = [place for place, power, kind, number in every if (power, kind) == (SPAIN, armada.ARMADA) and number]
    on_map = [place for place in where if place != SUPPLY and not place.startswith("turn_track:")]
    if len(on_map) > 1 or armada.strength(table) not in (0, *constants["armada_strengths"]):
        broken.append(f"the Armada is at {on_map}, {armada.strength(table)} strong")
    if armada.aboard(table) > armada.strength(table):
        broken.append(f"{armada.aboard(table)} units are aboard the Armada")
    return broken


def court_faults(table: Table) -> list[str]:
    """19.2, 21: one informant of a power a target, one Jesuit a space, in England only; who is betrothed is so to
    somebody who is betrothed to him; outside their turns nobody is betrothed or sponsored."""
    pieces, spaces = table.board.pieces, atlas(table).spaces
    broken, seen = [], set()
    for piece in sorted(pieces):
        kind, _, name = piece.partition(":")
        at = pieces[piece]["at"]
        if kind == "informant" and at.startswith("spying:"):
            pair = (name.partition(":")[0], at)
            if pair in seen or at == f"spying:{pair[0]}":
                broken.append(f"two informants, or one on the own card: {pair[0]}, {at}")
            seen.add(pair)
        if kind == "jesuit" and at in spaces:
            if at in seen or spaces[at]["region"] != "england":
                broken.append(f"a second Jesuit, or one outside England: {at}")
            seen.add(at)
        if kind == "royal" and "betrothed" in pieces[piece]:
            other = f"royal:{pieces[piece]['betrothed']}"
            if pieces[other].get("betrothed") != name:
                broken.append(f"{piece} is betrothed to {other}, who is not to him")
        over = table.board.state["phase"] == "draw" and (at.startswith("sponsored:") or "betrothed" in pieces[piece])
        if over and kind in ("royal", "artist", "scientist"):
            broken.append(f"{piece} is still {at} as the turn is over")
    return broken


def patronage_faults(table: Table) -> list[str]:
    """22: the VP of patronage of a power are those on the markers that it has taken."""
    broken = []
    for power in table.board.powers:
        taken = [piece for piece in table.board.pieces_at(power) if piece.startswith("award:")]
        worth = sum(int(piece.split(":")[3]) for piece in taken)
        counted = score.markers(table, power).get("patronage", 0)
        if worth != counted:
            broken.append(f"{power} has {counted} VP of patronage, and markers of {worth}")
    return broken


def seat_faults(table: Table) -> list[str]:
    """3.2: an activated power is played by one with a seat, its ally, and no enemy of it; its hand is its owner's to
    see. An inactive one has no hand, no allies and no VP."""
    board, broken = table.board, []
    for major in unseated(table):
        power = activated.controller_of(table, major)
        held = [pile for pile in board.piles if board.piles[pile] and pile.partition(":")[2] == major]
        closed = [pile for pile in held if pile.startswith(("hand:", "treasures:", "aside:"))]
        if power is None:
            broken += [f"{major} is inactive, and {pile} is not empty" for pile in closed]
            broken += [f"{major} is inactive, and allied to {ally}" for ally in allies_of(board, major)]
        elif power not in board.seated() or not allied(board, major, power) or at_war(board, major, power):
            broken.append(f"{major} is activated by {power}, which has no seat or is not its ally")
        broken += [f"{pile} lies open" for pile in closed if board.sight.get(pile) != "owner"]
        broken += [f"{major} has VP without a seat"] if major in board.state.get("vp_markers", ()) else []
    return broken


def at_rest(table: Table) -> list[str]:
    """What must hold between segments."""
    broken = (
        piles_whole(table)
        + siege_faults(table)
        + influence_faults(table)
        + people_faults(table)
        + sea_faults(table)
        + court_faults(table)
        + seat_faults(table)
        + patronage_faults(table)
    )
    board, chart = table.board, atlas(table)
    for space in chart.spaces:
        owner, side = board.state.get(f"control:{space}"), board.state.get(f"religion:{space}")
        if owner not in chart.owners or owner in chart.faction_of:
            broken.append(f"{space} belongs to {owner}")
        if side not in ("catholic", "protestant"):
            broken.append(f"{space} is {side}")
    if PREFERENCE in board.piles and board.piles[PREFERENCE] and board.sight.get(PREFERENCE) != "owner":
        broken.append("the preference of the Empire lies open")
    return broken + loan_faults(table) + point_faults(table) + counter_faults(table)
