"""8.3, 10.1: who may be activated, who has to lead, and how many units leaders command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.thirty_years_war import pieces
from pbem.games.thirty_years_war.combat import siege
from pbem.games.thirty_years_war.map import atlas
from pbem.games.thirty_years_war.politics import bans
from pbem.table.orders import Refused
from pbem.table.procedure import Table


def check_leader(table: Table, side: str, face: str, value: int) -> str:
    """8.3, 10.14: the piece of a leader whom a card of this value activates. Raises `Refused`."""
    leader = pieces.leader_piece(table, face)
    if pieces.where(table, leader) not in atlas(table).spaces or pieces.face_of(table, leader) != face:
        raise Refused("leader_not_on_map", "8.3", leader=face)
    if pieces.side_of(table, leader) != side:
        raise Refused("leader_of_the_enemy", "8.3", leader=face)
    if siege.is_besieged(table, leader) and not table.options["besieged_sortie"]:
        raise Refused("leader_besieged", "13.1", leader=face, space=pieces.where(table, leader))
    needed = pieces.leader_row(table, leader)["activation"]
    if value < needed:
        raise Refused("value_below_rating", "8.3", leader=face, value=value, needed=needed)
    must = leads_before(table, leader, companions(table, leader))
    if must:
        faces = [pieces.face_of(table, piece) for piece in must]
        raise Refused("dynamic_leader_must_lead", "10.14", leader=face, others=faces)
    banned = bans.activation_refusal(table, leader, value)
    if banned:
        raise banned
    return leader


def companions(table: Table, leader: str) -> list[str]:
    """The pieces of his side where a leader stands, on the same side of the walls."""
    side, space = pieces.side_of(table, leader), pieces.where(table, leader)
    return pieces.stack(table, space, side, inside=pieces.is_inside(table, leader))


def leads_before(table: Table, leader: str, others: Sequence[str]) -> list[str]:
    """10.14: the leaders among others who would have to be active in place of this one: dynamic ones before plain ones,
    those of two stars before all (Gustavus; by option Wallenstein, C 7.0)."""
    rank = min(2, pieces.stars(table, leader))
    superior = [piece for piece in others if pieces.is_leader(piece) and min(2, pieces.stars(table, piece)) > rank]
    return [piece for piece in superior if piece != leader]


def taken(table: Table, leader: str, value: dict[str, Any] | None) -> list[str]:
    """8.31, 10.12: the group that a leader takes along, himself included. Raises `Refused`.

    `value` names it; without it all who stand with him go, if he and the other leaders can command them.
    """
    there = companions(table, leader)
    named = pieces.chosen(table, value, there, "8.31")
    if leader not in named:
        named = [piece for piece in there if piece in named or piece == leader]
    most = pieces.command(table, there)
    units = [piece for piece in named if pieces.is_unit(piece)]
    if len(units) > most:
        raise Refused("beyond_command", "10.12", leader=pieces.face_of(table, leader), units=len(units), most=most)
    return named
