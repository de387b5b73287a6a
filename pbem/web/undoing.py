"""What going back to an event undoes, and what stays as it is: told before a moderator does so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.campaign.page import tell
from pbem.render.narrative import Teller

ANSWERS = ("order", "queued", "standing", "round")
"""Kinds of events by which players' orders change the board, or wait sealed to do so."""
MESSAGES = "press"
PRIVATE = ("settings", "refused", "unreadable", "told")
"""Kinds of events that are a player's own affair: of these only how many there are is told."""
STAYS = (
    "invited", "joined", "declined", "replaced", "vacated", "erased", "extended", "paused", "resumed", "dice", "kit",
    "set_aside", "asked_referee",
)  # fmt: skip
"""Kinds of events that are about seats, time, dice, kit and record: the board goes back, these do not."""
SILENT = ("reminded", "held", "opened")


@dataclass
class Undoing:
    """The events after the one that is gone back to, in words."""

    rulings: list[str] = field(default_factory=list)
    """Rulings that are undone: their events, what they changed, and why."""
    orders: str = ""
    """How many orders and answers are undone, by power."""
    more: list[str] = field(default_factory=list)
    """What else is undone: deadlines that passed, and earlier returns."""
    stays: list[str] = field(default_factory=list)
    messages: int = 0
    own_affairs: int = 0


def undoing(events: Sequence[dict[str, Any]], teller: Teller) -> Undoing:
    """What becomes of events, as everybody may read them, when the game goes back before the first of them."""
    found = Undoing()
    orders: Counter[str] = Counter()
    for event in events:
        kind, told = event["kind"], tell(event, teller, None)
        title = f"{event['number']} {told.title}"
        if kind in ANSWERS:
            if kind != "round":  # its answers are counted one by one
                power = event["public"].get("power")
                orders[teller.power(power) if power else teller.language.text("sealed answers")] += 1
        elif kind == "ruling":
            said = " ".join(paragraph.text for paragraph in told.paragraphs)
            ruled = f"{teller.language.colon} ".join(filter(None, [title, said]))
            quoted = teller.language.text("“%(name)s”", name=told.reason) if told.reason else ""
            found.rulings.append(f"{ruled} {quoted}".rstrip())
        elif kind == MESSAGES:
            found.messages += 1
        elif kind in PRIVATE:
            found.own_affairs += 1
        elif kind in STAYS:
            found.stays.append(title)
        elif kind not in SILENT:
            found.more.append(title)
    found.orders = teller.language.listed([f"{of} {number}" for of, number in orders.most_common()])
    return found
