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
from pbem.table.said import Said

AT_REST = ("segment", "phase")


def faults(table: Table) -> list[Said]:
    """What is wrong with the board, in words."""
    fact: dict[str, Any] = table.facts[-1] if table.facts else {"fact": "state", "name": "phase"}
    if fact["fact"] != "state":
        return []
    if fact["name"] in AT_REST:
        return at_rest(table)
    if fact["name"] == "impulse":
        return piles_whole(table) + siege_faults(table)
    if fact["name"].startswith("control:") and fact["after"] not in atlas(table).owners:
        return [Said("%(value_name)s: %(thing)s is nobody", value_name=fact["name"], thing=str(fact["after"]))]
    return []


def piles_whole(table: Table) -> list[Said]:
    """All cards and all treasures are in their piles."""
    constants = table.kit.constants
    cards = treasure = 0
    for name, pile in table.board.piles.items():
        if treasures.is_pile(name):
            treasure += len(pile)
        elif not name.startswith("preference"):
            cards += len(pile)
    broken: list[Said] = []
    if cards != constants["cards_in_deck"]:
        broken.append(Said("there are %(number)s cards, not %(most)s", number=cards, most=constants["cards_in_deck"]))
    if treasure != constants["treasures"]:
        broken.append(
            Said("there are %(number)s treasures, not %(most)s", number=treasure, most=constants["treasures"])
        )
    return broken


def influence_faults(table: Table) -> list[Said]:
    """24.5: boxes from 0 to the end of the track, and none of who lost its marker."""
    most = table.kit.constants["influence_most"]
    gone = table.board.state.get("influence_gone", {})
    return [
        Said("%(owner)s cannot have %(number)s boxes of influence on %(place)s", owner=power, number=boxes, place=minor)
        for minor, row in table.board.state.get("influence", {}).items()
        for power, boxes in row.items()
        if not 0 <= boxes <= most or power in gone.get(minor, ())
    ]


def people_faults(table: Table) -> list[Said]:
    """Each captain, Royal, artist and scientist of the kit is somewhere, and so once."""
    kit = table.kit.tables
    wanted = [f"captain:{one}" for one in kit["sea_captains"]]
    wanted += [f"royal:{one}" for one in kit["royals"]]
    wanted += [f"artist:{one}" for one in kit["artists"]] + [f"scientist:{one}" for one in kit["scientists"]]
    return [Said("%(piece)s is missing", piece=piece) for piece in wanted if piece not in table.board.pieces]


def sea_faults(table: Table) -> list[Said]:
    """10, 16, 23.2: loot within what a captain carries, and of captains abroad alone; colonies one a village; escorts,
    piracy markers, the Armada and what is aboard within their limits."""
    board, constants, broken = table.board, table.kit.constants, list[Said]()
    for pile, held in board.piles.items():
        if not pile.startswith("loot_") or not held:
            continue
        captain = pile.removeprefix("loot_").partition(":")[0]
        if captain not in captains.abroad(table):
            broken.append(Said("%(thing)s has loot and is not abroad", thing=captain))
        elif len(held) > captains.capacity(table, captain):
            broken.append(Said("%(thing)s carries %(number)s treasures", thing=captain, number=len(held)))
    for village in table.kit.tables["villages"]:
        holders = len(captains.colonies_at(table, village)) + (1 if f"village:{village}" in board.state else 0)
        if holders > 1:
            broken.append(Said("%(place)s has %(number)s holders", place=village, number=holders))
    if fleet.escorting(table) > constants["fleet_escorts"]:
        broken.append(Said("%(number)s galleons escort the fleet", number=fleet.escorting(table)))
    if board.piles.get(awards.FLEET_TREASURES):
        broken.append(Said("treasures are left at stake"))
    markers = [marker.split(":") for marker in marks.mark(table, "turn", piracy.MARKERS, ())]
    for place, limit in ((0, "piracy_powers_a_zone"), (1, "piracy_actions_a_power")):
        for one in dict.fromkeys(marker[place] for marker in markers):
            if sum(1 for marker in markers if marker[place] == one) > constants[limit]:
                broken.append(Said("too many piracy markers: %(thing)s", thing=one))
    every = board.units_everywhere()
    where = [place for place, power, kind, number in every if (power, kind) == (SPAIN, armada.ARMADA) and number]
    on_map = [place for place in where if place != SUPPLY and not place.startswith("turn_track:")]
    if len(on_map) > 1 or armada.strength(table) not in (0, *constants["armada_strengths"]):
        broken.append(
            Said("the Armada is at %(things)s, %(number)s strong", things=on_map, number=armada.strength(table))
        )
    if armada.aboard(table) > armada.strength(table):
        broken.append(Said("%(number)s units are aboard the Armada, more than it carries", number=armada.aboard(table)))
    return broken


def court_faults(table: Table) -> list[Said]:
    """19.2, 21: one informant of a power a target, one Jesuit a space, in England only; who is betrothed is so to
    somebody who is betrothed to him; outside their turns nobody is betrothed or sponsored."""
    pieces, spaces = table.board.pieces, atlas(table).spaces
    broken, seen = list[Said](), set()
    for piece in sorted(pieces):
        kind, _, name = piece.partition(":")
        at = pieces[piece]["at"]
        if kind == "informant" and at.startswith("spying:"):
            pair = (name.partition(":")[0], at)
            if pair in seen or at == f"spying:{pair[0]}":
                broken.append(
                    Said("two informants, or one on the own card: %(owner)s, %(place)s", owner=pair[0], place=at)
                )
            seen.add(pair)
        if kind == "jesuit" and at in spaces:
            if at in seen or spaces[at]["region"] != "england":
                broken.append(Said("a second Jesuit, or one outside England: %(place)s", place=at))
            seen.add(at)
        if kind == "royal" and "betrothed" in pieces[piece]:
            other = f"royal:{pieces[piece]['betrothed']}"
            if pieces[other].get("betrothed") != name:
                broken.append(
                    Said(
                        "%(piece)s is betrothed to %(other_piece)s, and not the other way round",
                        piece=piece,
                        other_piece=other,
                    )
                )
        over = table.board.state["phase"] == "draw" and (at.startswith("sponsored:") or "betrothed" in pieces[piece])
        if over and kind in ("royal", "artist", "scientist"):
            broken.append(Said("%(piece)s is still there as the turn is over: %(place)s", piece=piece, place=at))
    return broken


def patronage_faults(table: Table) -> list[Said]:
    """22: the VP of patronage of a power are those on the markers that it has taken."""
    broken: list[Said] = []
    for power in table.board.powers:
        taken = [piece for piece in table.board.pieces_at(power) if piece.startswith("award:")]
        worth = sum(int(piece.split(":")[3]) for piece in taken)
        counted = score.markers(table, power).get("patronage", 0)
        if worth != counted:
            broken.append(
                Said(
                    "%(owner)s has %(number)s VP of patronage, and markers of %(computed)s",
                    owner=power,
                    number=counted,
                    computed=worth,
                )
            )
    return broken


def seat_faults(table: Table) -> list[Said]:
    """3.2: an activated power is played by one with a seat, its ally, and no enemy of it; its hand is its owner's to
    see. An inactive one has no hand, no allies and no VP."""
    board, broken = table.board, list[Said]()
    for major in unseated(table):
        power = activated.controller_of(table, major)
        held = [pile for pile in board.piles if board.piles[pile] and pile.partition(":")[2] == major]
        closed = [pile for pile in held if pile.startswith(("hand:", "treasures:", "aside:"))]
        if power is None:
            broken += [
                Said("%(owner)s is inactive, and this is not empty: %(pile)s", owner=major, pile=pile)
                for pile in closed
            ]
            broken += [
                Said("%(owner)s is inactive, and allied to %(power)s", owner=major, power=ally)
                for ally in allies_of(board, major)
            ]
        elif power not in board.seated() or not allied(board, major, power) or at_war(board, major, power):
            broken.append(
                Said("%(owner)s is played by %(power)s, which has no seat or is not its ally", owner=major, power=power)
            )
        broken += [Said("this lies open: %(pile)s", pile=pile) for pile in closed if board.sight.get(pile) != "owner"]
        broken += (
            [Said("%(owner)s has VP without a seat", owner=major)] if major in board.state.get("vp_markers", ()) else []
        )
    return broken


def at_rest(table: Table) -> list[Said]:
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
            broken.append(Said("%(value_name)s: %(thing)s is nobody", value_name=f"control:{space}", thing=str(owner)))
        if side not in ("catholic", "protestant"):
            broken.append(
                Said("%(value_name)s: there is no %(thing)s", value_name=f"religion:{space}", thing=str(side))
            )
    if PREFERENCE in board.piles and board.piles[PREFERENCE] and board.sight.get(PREFERENCE) != "owner":
        broken.append(Said("the preference of the Empire lies open"))
    return broken + loan_faults(table) + point_faults(table) + counter_faults(table)
