"""Invariants, checked after every fact in play-outs: each is looked at only when the last fact could break it.

After a piece moved: it is somewhere that there is. At rest (the phase or segment changes, or the side to act): VP are
the sum of their reasons, all cards are there, no stack is too large, sieges have besiegers, marks of spaces fit.
"""

from __future__ import annotations

from typing import Any

from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.combat import siege
from pbem.games.thirty_years_war.combat.siege import SIEGE
from pbem.games.thirty_years_war.control import CONTROL, KEPT, LOOT, REVOLT
from pbem.games.thirty_years_war.map import SIDES, atlas, other
from pbem.games.thirty_years_war.politics import dutch_war, nations
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table
from pbem.table.said import Said

AT_REST = ("phase", "segment", "active")
_PLACES = (SUPPLY, pieces.REMOVED, pieces.OFF, pieces.DEAD, pieces.DISMISSED)


def faults(table: Table) -> list[Said]:
    """What is wrong with the board, in words."""
    fact: dict[str, Any] = table.facts[-1] if table.facts else {"fact": "state", "name": "phase"}
    if fact["fact"] == "piece":
        return _piece(table, fact["piece"])
    if fact["fact"] == "state" and fact["name"] in AT_REST and "phase" in table.board.state:
        return at_rest(table)
    return []


def _piece(table: Table, piece: str) -> list[Said]:
    marks = table.board.pieces.get(piece)
    if marks is None:
        return [Said("%(piece)s is gone", piece=piece)]
    at = marks["at"]
    broken: list[Said] = []
    if at not in atlas(table).spaces and at not in _PLACES:
        broken.append(Said("%(piece)s is at %(place)s, which is nowhere", piece=piece, place=at))
    if at in (pieces.OFF, pieces.DEAD, pieces.DISMISSED) and pieces.is_unit(piece):
        broken.append(Said("%(piece)s is a unit and cannot be: %(place)s", piece=piece, place=at))
    if at == SUPPLY and (pieces.is_leader(piece) or len(marks) > 1):
        broken.append(Said("%(piece)s is in the supply and cannot be there, or not with its markers", piece=piece))
    if marks.get("inside") and not (at in atlas(table).spaces and atlas(table).is_fortress(at)):
        broken.append(Said("%(piece)s is inside the walls of %(place)s, which has none", piece=piece, place=at))
    return broken


def at_rest(table: Table) -> list[Said]:
    """What must hold whenever a segment or an activation begins."""
    return [
        *score_faults(table),
        *card_faults(table),
        *stack_faults(table),
        *nation_faults(table),
        *space_faults(table),
        *region_faults(table),
    ]


def score_faults(table: Table) -> list[Said]:
    """5.1: the VP are the sum of their reasons."""
    reasons = sum(entry["points"] for entry in score.reasons(table))
    return (
        []
        if reasons == score.total(table)
        else [Said("VP are %(number)s, their reasons make %(computed)s", number=score.total(table), computed=reasons)]
    )


def card_faults(table: Table) -> list[Said]:
    """8.0: every card lies in one pile of its own side."""
    lying = sorted(card for pile in table.board.piles.values() for card in pile)
    broken = (
        []
        if lying == sorted(table.kit.tables["cards"])
        else [Said("%(number)s cards lie in the piles, and not each once", number=len(lying))]
    )
    for pile, cards in table.board.piles.items():
        side = pile.rpartition(":")[2]
        broken += [
            Said("%(thing)s lies in %(pile)s", thing=card, pile=pile)
            for card in cards
            if table.kit.tables["cards"][card]["side"] != side
        ]
    return broken


def stack_faults(table: Table) -> list[Said]:
    """10.2: no more units of a side in a space than may stack there, inside and outside together (C 10.15)."""
    most = table.kit.constants["stacking"]
    broken: list[Said] = []
    for side in SIDES:
        for space in pieces.spaces_with(table, side, units_only=True):
            number = len(pieces.units(table, space, side))
            if number > most:
                broken.append(
                    Said("%(owner)s: %(number)s units are in %(place)s", owner=side, number=number, place=space)
                )
    for piece in pieces.all_pieces(table.kit):
        if piece not in table.board.pieces:
            broken.append(Said("%(piece)s is missing", piece=piece))
    return broken


def nation_faults(table: Table) -> list[Said]:
    """17, 16.22: nobody stands where his nation may not, or with whom; in the United Provinces armies only."""
    chart = atlas(table)
    broken: list[Said] = []
    parting = table.board.state.get("conflict") == nations.GRACE  # C54: who stood together may part in time
    for side in SIDES:
        for space in pieces.spaces_with(table, side):
            there = pieces.stack(table, space, side)
            clash = nations.conflict(table, there)
            if clash and not (parting and {clash.first, clash.second} == {nations.SWEDISH, nations.FRENCH}):
                broken.append(
                    Said("%(things)s stand together in %(place)s", things=[clash.first, clash.second], place=space)
                )
            if space in chart.boxes:
                led = any(map(pieces.is_leader, there)) or table.options["spinola_recalled_without_leader"]
                if dutch_war.box_of(table, side) != space or not led:
                    broken.append(
                        Said(
                            "%(owner)s: units are in %(place)s, which is not theirs, or without a leader",
                            owner=side,
                            place=space,
                        )
                    )
                continue
            broken += [
                Said("%(piece)s is at %(place)s, where it may not be", piece=piece, place=space)
                for piece in there
                if nations.closed(table, piece, space) is not None
            ]
    return broken


def region_faults(table: Table) -> list[Said]:
    """3.13, 5.13: who holds the level of a region has it; nobody has units in one whose neutral marker lies there."""
    chart = atlas(table)
    broken: list[Said] = []
    for region, row in chart.regions.items():
        if control.is_neutral(table, region):
            broken += [
                Said("%(region)s is neutral, and there are units in %(place)s", region=region, place=space)
                for space in chart.spaces_of[region]
                if any(map(pieces.is_unit, pieces.pieces_at(table, space)))
            ]
        if not chart.has_control_level(region):
            continue
        for side in SIDES:
            held = len(control.held_spaces(table, region, side))
            if held >= row["control_level"] and control.region_holder(table, region) != side:
                broken.append(
                    Said(
                        "%(owner)s: %(held)s spaces of %(region)s are held, and not the region",
                        owner=side,
                        held=held,
                        region=region,
                    )
                )
    return broken


def space_faults(table: Table) -> list[Said]:
    """Markers of spaces stand where they may: control, revolts, loot, sieges."""
    chart = atlas(table)
    broken: list[Said] = []
    for name, value in table.board.state.items():
        kind, _, space = name.partition(":")
        kind += ":"
        if kind not in (CONTROL, KEPT, REVOLT, LOOT, SIEGE):
            continue
        if space not in chart.spaces:
            broken.append(Said("%(value_name)s: there is no such space", value_name=name))
        elif kind == CONTROL and value not in SIDES:
            broken.append(Said("%(value_name)s cannot be: %(thing)s", value_name=name, thing=str(value)))
        elif kind == KEPT and CONTROL + space not in table.board.state:
            broken.append(Said("%(value_name)s, without a marker of control", value_name=name))
        elif kind == REVOLT and (chart.region(space) is None or CONTROL + space in table.board.state):
            broken.append(Said("%(value_name)s, in an independent city or with a marker of control", value_name=name))
        elif kind == LOOT and not 1 <= value <= table.kit.constants["highest_loot"]:
            broken.append(Said("%(value_name)s cannot be: %(thing)s", value_name=name, thing=str(value)))
        elif kind == SIEGE:
            broken += _siege_faults(table, space, value["by"])
    for side in SIDES:
        for space in pieces.spaces_with(table, side):
            if pieces.stack(table, space, side, inside=True) and not pieces.units(table, space, other(side)):
                broken.append(
                    Said("%(owner)s: pieces are inside %(place)s, and nobody stands before it", owner=side, place=space)
                )
    return broken


def _siege_faults(table: Table, space: str, side: str) -> list[Said]:
    """13.13, 13.14: a siege has the strength that it needs, and is not of one's own fortress."""
    strength, level = pieces.combat_factors(table, siege.besieging(table, space, side)), siege.siege_level(table, space)
    broken = (
        [
            Said(
                "%(place)s is besieged by %(number)s where %(most)s are needed",
                place=space,
                number=strength,
                most=level,
            )
        ]
        if strength < level
        else []
    )
    return (
        [*broken, Said("%(owner)s: %(place)s is besieged by its own holder", owner=side, place=space)]
        if control.holder(table, space) == side
        else broken
    )
