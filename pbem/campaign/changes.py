"""What events are and what they change: the kinds of events, what a campaign remembers, what the read models are told.

Beside its sealed parts an event holds two plain JSON objects: ``change``, which sets what the campaign remembers
(`State`) and orders the fold (`Folding`), and ``notes``, which only the read models read (`Notes`). Their names are
checked where an event is written (`parted`); the form of events is `FORM`, and those of an earlier form are lifted
where the store reads them (`lift_notes`, `lift_clock`). `pbem kinds` prints it all.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

FORM = 3
"""The form of events that are written today. Form 1 held the notes among the changes; forms 1 and 2 had one clock for
all that is asked."""


class UnknownName(TypeError):
    """Code wrote an event of a kind, or with a change, that there is not."""


class Kind(StrEnum):
    """The kinds of events, each with what it says."""

    def __new__(cls, value: str, text: str) -> Kind:
        made = str.__new__(cls, value)
        made._value_ = value
        made.text = text
        return made

    text: str

    CREATED = "created", "the campaign is founded, and commits to its dice"
    INVITED = "invited", "a seat is offered to a player"
    JOINED = "joined", "an invited player takes his seat"
    DECLINED = "declined", "an invited player does not take it"
    ASSIGNED = "assigned", "the powers are given or drawn"
    STARTED = "started", "the board is set up, and the game comes to its first question"
    ORDER = "order", "a player's answer; of a sealed question it is kept, and the round follows"
    ROUND = "round", "a sealed question closes, and its answers are carried out"
    QUEUED = "queued", "an answer that a player had sent ahead"
    STANDING = "standing", "an answer that a player's standing order gives"
    TIME_OVER = "time_over", "the time of some of those who are asked is over: silence will answer where nothing came"
    EXPIRED = "expired", "silence answers at a deadline"
    MISSED = "missed", "a deadline passes, and silence answers nothing"
    EXTENDED = "extended", "a deadline moves"
    REMINDED = "reminded", "those who are waited for are reminded"
    HELD = "held", "the rules differ from the record of the open step: the clock stops"
    RULING = "ruling", "a moderator changes the board"
    REWOUND = "rewound", "the game goes back to an earlier event, or to the start of the open step"
    RESTARTED = "restarted", "the open step begins anew"
    REORDERED = "reordered", "the order of play is put right"
    KIT = "kit", "a corrected kit takes effect"
    DICE = "dice", "the campaign commits to more dice"
    PAUSED = "paused", "the clock stops with its remaining time"
    RESUMED = "resumed", "the clock runs on"
    REPLACED = "replaced", "a seat gets another player"
    VACATED = "vacated", "a seat has no player: silence answers for it, at once or at its deadlines"
    ERASED = "erased", "a person is forgotten: who sat there, and where he sat his seats have no player"
    PRESS = "press", "a player writes to others"
    SETTINGS = "settings", "a queue, standing orders, preferences or the campaign's own settings change"
    REFUSED = "refused", "an order that was readable and could not be carried out"
    SET_ASIDE = "set_aside", "a submission on which the program itself failed"
    ASKED_REFEREE = "asked_referee", "the referee's parts are read by a moderator"
    FINISHED = "finished", "the game is over: results, and the secret of the dice"
    OPENED = "opened", "what was hidden is opened, after the end"
    ARCHIVED = "archived", "the campaign is put away"


@dataclass
class State:
    """What a campaign remembers: the attributes of `pbem.campaign.campaign.Campaign`, with those of one that is new."""

    # what it is
    title: str = ""
    game: str = ""
    scenario: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    policy: dict[str, Any] = field(default_factory=dict)
    kit: str = ""
    pending_kit: str | None = None
    # inviting, running, paused, held, finished, archived; and why, for paused and held
    status: str = "inviting"
    reason: str | None = None
    # seat -> {powers, accepted, generation (of the token), extensions (used), missed, newcomer (has not played yet),
    # empty (vacant or silent: nobody sits there), away ([from, until] of its player's absence)}
    seats: dict[str, Any] = field(default_factory=dict)
    # the game: the board at the last point of rest, facts and fed answers since, sealed answers of the open question
    board: Any = None
    facts: list[Any] = field(default_factory=list)
    entries: list[Any] = field(default_factory=list)
    sealed: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, Any] = field(default_factory=dict)
    # the event in which the game came to that point of rest; [first, last, by] of the events that a rewind undid
    rest_event: int = 0
    undone: list[Any] = field(default_factory=list)
    # the open question: its number in the game, who is asked, since when, and the clock of each (see `deadlines`)
    question: int = 0
    kind: str | None = None
    window: bool = False
    asks: list[Any] = field(default_factory=list)
    asked_at: str | None = None
    clocks: dict[str, Any] = field(default_factory=dict)
    quiet: int | None = None  # the number of a question that no standing order answers
    withdrawn: dict[str, Any] = field(default_factory=dict)  # seat -> the question of which it took its answer back
    outages: list[str] = field(default_factory=list)
    # seat -> lines; seat -> {since, done} of the program they belong to; seat -> [{number, kind, conditions, line}]
    queue: dict[str, Any] = field(default_factory=dict)
    programs: dict[str, Any] = field(default_factory=dict)
    standing: dict[str, Any] = field(default_factory=dict)
    standing_next: int = 1
    # seat -> [day (UTC), number] of its orders that were refused and are on record, of the last day that had any; and
    # "standing of " or "queue of " with a seat -> the same of what it did to its standing orders, or to its queue
    refusals: dict[str, Any] = field(default_factory=dict)
    # trees of the dice committed to, the tree in use and its next leaf
    trees: list[Any] = field(default_factory=list)
    tree: int = 0
    leaf: int = 0


@dataclass(frozen=True)
class Folding:
    """What a change says besides of how facts and answers are folded."""

    powers: list[str]
    """A new board with these powers."""
    rest: int | None
    """The game came to a point of rest after so many of the event's facts."""
    fed: dict[str, Any]
    """What the procedure was fed: answers, or the facts of a ruling."""
    back: dict[str, Any]
    """The game goes back: facts from the board after the event's facts to the point of rest before it, and what stands
    since."""
    clock: dict[str, Any]
    """One clock for all that is asked, as events of forms 1 and 2 have it: what it is set to. None is written today."""


@dataclass(frozen=True)
class Notes:
    """What the read models are told; no campaign remembers it."""

    seat: str
    """Whom an invitation, a replacement or a submission set aside is about."""
    takes_over: bool
    """The new player takes over a game under way."""
    reminding: list[str]
    """The seats that are reminded."""
    in_window: bool
    """They are reminded of a window."""
    closed_window: str
    """The kind of the window that closes with this event."""
    talked: dict[str, list[str]]
    """Who took part in it: seat -> powers. Older events do not say."""
    concerned: list[str]
    """The seats whose deadlines alone have moved; it is not there where everybody's have."""
    dropped: str
    """The seat of which queued lines fell."""
    stopped: str
    """The seat of which a program stopped."""
    preferences: str
    """The seat whose player wants his reports otherwise."""
    commitment: str
    """Which press it is."""
    sender: str
    recipients: list[str]


KINDS = frozenset(kind.value for kind in Kind)
STATE = frozenset(one.name for one in fields(State))
FOLDING = frozenset(one.name for one in fields(Folding))
NOTES = frozenset(one.name for one in fields(Notes))
NAMES_OF_STATE = zlib.crc32(" ".join(sorted(STATE)).encode())
"""Another number when anything is remembered besides, or no more."""


def blank() -> dict[str, Any]:
    """What a new campaign remembers."""
    return dict(vars(State()))


def parted(change: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Change and notes of an event. Raises `UnknownName`."""
    unknown = change.keys() - STATE - FOLDING - NOTES
    if unknown:
        raise UnknownName(f"no campaign remembers, and no read model is told: {', '.join(sorted(unknown))}")
    notes = {name: value for name, value in change.items() if name in NOTES}
    return {name: value for name, value in change.items() if name not in notes}, notes


def lift_notes(stored: dict[str, Any]) -> None:
    """Bring an event of form 1, as it was stored, to form 2."""
    change = stored["change"]
    stored["notes"] = {name: value for name, value in change.items() if name in NOTES}
    stored["change"] = {name: value for name, value in change.items() if name not in NOTES}


_ONE_CLOCK = ("deadline", "reminders", "remaining", "grace", "wake")


def lift_clock(stored: dict[str, Any]) -> None:
    """Bring an event of form 2, as it was stored, to form 3."""
    change = dict(stored["change"])
    clock = {name: change.pop(name) for name in _ONE_CLOCK if name in change}
    stored["change"] = {**change, "clock": clock} if clock else change


def described() -> list[tuple[str, list[tuple[str, str]]]]:
    """Kinds of events, and the names that changes and notes may have: titles with (name, text)."""
    return [
        ("kinds of events", [(kind.value, kind.text) for kind in Kind]),
        *(
            (title, [(one.name, str(one.type)) for one in fields(names)])
            for title, names in (("changes: the state", State), ("changes: the fold", Folding), ("notes", Notes))
        ),
    ]
