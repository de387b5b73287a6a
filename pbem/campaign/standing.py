"""Standing orders of a campaign: an answer given in advance to a kind of question, under conditions.

``STANDING retreat IF space metz, strength >= 3: RETREAT TO paris``. What a condition may say, and how it is looked up,
is in `pbem.table.conditions`; a name that is not there makes it false.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.campaign.acts import Act
from pbem.campaign.clock import stamp
from pbem.campaign.live import Live
from pbem.render.tellings import Sentence, say
from pbem.table import sight
from pbem.table.conditions import Sight, for_a_time, offered, preset_lines, preset_usage, presets, read_conditions
from pbem.table.kit import Kit
from pbem.table.orders import Refused, Unreadable, nearest

MOST = 50
"""Standing orders of one seat."""

MOST_A_DAY = 200
"""Standing orders of one seat that are laid down or cancelled in a day, and times that it changes its queue: as many as
refused orders are put on record."""


def counted(act: Act, seat: str) -> dict[str, Any]:
    """What the campaign remembers once a seat has laid down or cancelled one more standing order today. Raises
    `Refused` where these are too many."""
    return counted_today(act, f"standing of {seat}", "too_many_standing_a_day")


def counted_today(act: Act, what: str, code: str) -> dict[str, Any]:
    """What the campaign remembers once a thing of a seat was done one more time today. Raises `Refused` with a code
    where it was done as often as may be."""
    campaign, day = act.campaign, stamp(act.at)[:10]
    before, number = campaign.refusals.get(what, (day, 0))
    number = number + 1 if before == day else 1
    if number > MOST_A_DAY:
        raise Refused(code, most=MOST_A_DAY)
    return {"refusals": {**campaign.refusals, what: [day, number]}}


def known_names(live: Live, seat: str) -> list[str]:
    """The names that a condition of a seat may use besides the game's vocabulary: what its questions and view hold."""
    names = list(offered(live.kit).get("context", ()))
    if live.play is not None:
        powers = live.campaign.powers_of(seat)
        seen = sight.view(live.play.board, powers)
        names += [*seen.state, *seen.counters, *seen.tracks]
        names += [name for q in live.play.questions() if q.power in powers for name in q.context]
    return list(dict.fromkeys(names))


def check_kind(live: Live, kind: str) -> None:
    """Raise `Refused` for a kind of question that this game never asks: such an order would wait in vain."""
    known = {*live.kit.times, *(ask["kind"] for ask in live.campaign.asks)} - {"default"}
    if kind not in known:
        near = nearest(kind, sorted(known))
        raise Refused("no_kind_of_question", hints=near or [", ".join(sorted(known))], kind=kind)


def read_for(live: Live, seat: str, conditions: str | None) -> list[list[str]]:
    """The conditions of a seat's standing order. Raises `Unreadable`, also for a name that can never be there."""
    also = known_names(live, seat) if conditions and live.play is not None else None
    return read_conditions(conditions, live.kit, also=also)


def seen_by(live: Live, seat: str) -> Sight | None:
    """How things stand for a seat; None before the game begins."""
    board = live.play.table.board if live.play is not None else live.campaign.board
    powers = live.campaign.powers_of(seat)
    return Sight(live.game, live.table(board), powers) if board is not None and powers else None


def ready_made(kit: Kit, preset: str, seen: Sight | None) -> list[str]:
    """The lines of a ready-made standing order as they stand when it is taken over now. Raises `Unreadable`, also for
    one that holds for a time where nothing runs yet."""
    lines = preset_lines(kit, preset, seen)
    if any(map(for_a_time, lines)):
        raise Unreadable("preset_not_now", preset=preset)
    return lines


def still_valid(kit: Kit, orders: Sequence[Mapping[str, Any]], seen: Sight | None) -> list[Any]:
    """The standing orders without those of a time that is over: what the ready-made one that they are of would be now
    is not what they are."""
    return [one for one in orders if "preset" not in one or one["text"] in _as_of_now(kit, one["preset"], seen)]


def _as_of_now(kit: Kit, preset: str, seen: Sight | None) -> list[str]:
    try:
        return ready_made(kit, preset, seen)
    except Unreadable:
        return []


def presets_told(live: Live) -> list[Sentence]:
    """The ready-made standing orders of the game, a paragraph each, for an answer."""
    known: Any = presets(live.kit)
    told = [{"form": "%(usage)s\n  %(preset)s", "usage": preset_usage(live.kit, id), "preset": id} for id in known]
    return told or [say("This game has no ready-made standing orders.")]
