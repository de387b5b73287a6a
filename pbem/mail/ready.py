"""Ready-made standing orders as a mail names them: the lines by which a question would be answered in advance."""

from __future__ import annotations

import re

from pbem.campaign.commands import CARD, FOR_ALL, without_addressee
from pbem.campaign.page import Page
from pbem.campaign.submissions import Asked
from pbem.table.conditions import (
    ABLE,
    ONLY,
    Sight,
    for_a_time,
    holds,
    preset_lines,
    presets,
    program_kinds,
    read_conditions,
    turns,
)
from pbem.table.kit import Kit
from pbem.table.orders import Question, Unreadable

LOOKED_BACK, MOST_PRESETS = 60, 4
"""How many events back it is looked whether somebody was asked the same, and how many ready-made standing orders a
question names."""


def ready_made(asked: Asked, page: Page) -> list[str]:
    """The lines of ready-made standing orders that answer a question now, which the reader has not laid down: those for
    a time each time, the others when he is asked it for the first time in long."""
    kit = page.kit
    if not program_kinds(kit) or page.seat is None or asked.kind in turns(kit) or _has_own_for(asked.kind, page):
        return []
    seen, cards = _seen_of(asked, page), _cards_in(asked)
    known = sorted(presets(kit), key=lambda id: (not _is_for_a_time(kit, id), "value" in presets(kit)[id]))
    fitting = []
    for id in known:
        if _is_for_a_time(kit, id) or not _was_asked(asked, page):
            for preset in [f"{id} {card}" for card in cards] if presets(kit)[id].get("value") else [id]:
                if _answers(kit, preset, asked, seen, page):
                    fitting.append(f"STANDING PRESET {preset}")
    return fitting[:MOST_PRESETS]


def _is_for_a_time(kit: Kit, id: str) -> bool:
    return any(for_a_time(line) for order in presets(kit)[id]["orders"] for line in order.values())


def _has_own_for(kind: str, page: Page) -> bool:
    """Whether the reader has a standing order of his own for a kind of question, besides ready-made ones."""
    ready = {line for id in presets(page.kit) for line in _lines_of(page.kit, id, None)}
    return any(
        one["text"].split()[1:2] == [kind] and "preset" not in one and one["text"] not in ready
        for one in page.standing
    )


def _lines_of(kit: Kit, preset: str, seen: Sight | None) -> list[str]:
    """The lines of a ready-made standing order as they would be taken over now; none where it cannot be."""
    try:
        return preset_lines(kit, preset, seen)
    except Unreadable:
        return []


def _cards_in(asked: Asked) -> list[str]:
    """The cards that may be played in answer to a question."""
    words = (re.fullmatch(r"PLAY (\d+)", without_addressee(line)) for line in asked.examples)
    return [word[1] for word in words if word is not None]


def _seen_of(asked: Asked, page: Page) -> Sight:
    """What conditions see at a question, of what its reader sees."""
    is_able = any(without_addressee(line) not in FOR_ALL for line in asked.examples)
    context = {**asked.context, ABLE: is_able, ONLY: _cards_in(asked)}
    return Sight(page.game, page.table, page.powers, Question(asked.power, asked.kind, [], context=context))


def _answers(kit: Kit, preset: str, asked: Asked, seen: Sight, page: Page) -> bool:
    """Whether a ready-made standing order would answer a question now; the reader holds the cards that it names."""
    hand = page.board.hand_of(page.powers)
    orders = presets(kit)[preset.split()[0]]["orders"]
    for order, line in zip(orders, _lines_of(kit, preset, seen), strict=False):
        conditions = line.partition(" IF ")[2].rpartition(": ")[0]
        cards = {word for word in order["order"].split() if word in kit.labels.get(CARD, {})}
        if order["kind"] == asked.kind and cards <= set(hand) and holds(read_conditions(conditions, kit), seen):
            return True
    return False


def _was_asked(asked: Asked, page: Page) -> bool:
    """Whether the reader was asked the same among the last events, before this time."""
    last = page.status.event
    events = page.events(max(1, last - LOOKED_BACK), last)
    asks = [(one["kind"], one["power"]) for event in events for one in event["public"].get("asks", [])]
    return asks.count((asked.kind, asked.power)) > 1
