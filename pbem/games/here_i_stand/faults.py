"""Invariants, checked after every fact in play-outs: so each is looked at only when the last fact could break it.

After units moved: the counters of their owner suffice for the number. At rest (the last fact changed ``cp_left``,
``active``, ``segment`` or ``phase``): all stacks can be shown by counters, no more than the garrison limit is inside
walls, sieges have besiegers, spaces one owner and one religion, 110 cards, VP as computed.
"""

from __future__ import annotations

from typing import Any

from pbem.games.here_i_stand.war import naval
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.faults import counter_faults, loan_faults, point_faults, siege_faults
from pbem.games.reformation.ground import space_of
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table
from pbem.table.said import Said

AT_REST = ("segment", "phase")


def faults(table: Table) -> list[Said]:
    """What is wrong with the board, in words."""
    fact: dict[str, Any] = table.facts[-1] if table.facts else {"fact": "state", "name": "phase"}
    kind = fact["fact"]
    if kind == "units":
        return _numbers(table, fact["power"], fact["kind"])
    if kind == "piece":
        return _piece(table, fact)
    if kind == "state":
        if fact["name"] in AT_REST:
            return at_rest(table)
        if fact["name"] == "impulse":
            return cards_whole(table) + siege_faults(table)
        if fact["name"].startswith("control:") and fact["after"] is not None:
            known = fact["after"] in atlas(table).owners
            return (
                []
                if known
                else [Said("%(value_name)s: %(thing)s is nobody", value_name=fact["name"], thing=fact["after"])]
            )
    return []


def _numbers(table: Table, owner: str, kind: str) -> list[Said]:
    """5.2: the units of kinds that share counters are no more than the counters can stand for."""
    counters = atlas(table).counters_for[owner, kind]
    most = sum(number * max(denomination, back or 0) for _, _, denomination, back, number in counters)
    kinds = {c[0] for c in counters} | {c[1] for c in counters}
    total = sum(
        number
        for place, owners in table.board.units.items()
        if place != SUPPLY and owner in owners
        for one, number in owners[owner].items()
        if one in kinds
    )
    return (
        []
        if total <= most
        else [Said("%(owner)s has %(total)s units on counters for %(most)s", owner=owner, total=total, most=most)]
    )


def _piece(table: Table, fact: dict[str, Any]) -> list[Said]:
    piece = fact["piece"]
    if piece.startswith("leader:") and fact["after"]:
        at = fact["after"]["at"]
        chart = atlas(table)
        known = space_of(at) in chart.spaces or at in chart.sea or at in ("off", "removed")
        if not known and ":" not in at:
            return [Said("%(piece)s is at %(place)s, which is nowhere", piece=piece, place=at)]
    return []


def cards_whole(table: Table) -> list[Said]:
    """All 110 cards are in the piles."""
    number = sum(len(pile) for pile in table.board.piles.values())
    most = table.kit.constants["cards_in_deck"]
    return [] if number == most else [Said("there are %(number)s cards, not %(most)s", number=number, most=most)]


def at_rest(table: Table) -> list[Said]:
    """What must hold between segments."""
    broken = cards_whole(table) + siege_faults(table) + naval.faults_at_sea(table)
    board, chart = table.board, atlas(table)
    for space in chart.spaces:
        owner, side = board.state.get(f"control:{space}"), board.state.get(f"religion:{space}")
        if owner is not None and owner not in chart.owners:
            broken.append(Said("%(value_name)s: %(thing)s is nobody", value_name=f"control:{space}", thing=owner))
        if side not in (None, "catholic", "protestant", "none"):
            broken.append(Said("%(value_name)s: there is no %(thing)s", value_name=f"religion:{space}", thing=side))
    return broken + loan_faults(table) + point_faults(table) + counter_faults(table)
