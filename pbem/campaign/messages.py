"""The catalogue of messages: everything that is ever mailed to anybody, kind by kind.

A new kind is an entry here and its two templates, ``templates/mail/<name>.txt.j2`` and ``.html.j2``. The read models
ask it what follows from an event, the outbox is filled with its names, and the mail room reads in it what to put into a
mail. The order of the entries is that of the parts of one mail, the most urgent first.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class MessageKind:
    """One kind of message.

    `subject` is its rank where a mail of several parts takes its subject from one: the lowest matters most to a reader.
    `follows` are the kinds of events after which every seat gets it; `and_moderators` adds those who run the campaign,
    `but_concerned` leaves out the seat that the event is about (its player gets a message of his own). Where nothing
    follows by itself, `pbem.campaign.readmodels` or `notices` say when it goes out.

    `asks`: it only asks, so it is overtaken when nothing is asked any more. `with_question`: the open question stands
    beside it; other kinds only say that there is one. `with_board`: the board stands beside it. `tells`: it tells its
    own event, so a report beside it need not. `house`: it can be written without the campaign, which may be what is
    broken. `personal`: it is for who sat at the seat when it was made, and for nobody who gets the seat after him.
    """

    name: str
    subject: int
    follows: tuple[str, ...] = ()
    and_moderators: bool = False
    but_concerned: bool = False
    asks: bool = False
    with_question: bool = False
    with_board: bool = False
    tells: bool = False
    house: bool = False
    personal: bool = False


KINDS: dict[str, MessageKind] = {kind.name: kind for kind in (
    MessageKind("final", 1, ("finished",), with_board=True, tells=True),
    MessageKind("answer", 2, with_question=True, with_board=True, personal=True),  # to a mail: what came of its lines
    MessageKind("dropped", 11, personal=True),  # queued orders fell, see the event
    MessageKind("stopped", 12, personal=True),  # a condition ended a program
    MessageKind("set_aside", 10),  # to moderators: a submission needs one of them
    MessageKind("held", 9, ("held",), and_moderators=True),
    MessageKind("rewind", 7, ("rewound",), with_question=True, with_board=True),
    MessageKind("ruling", 8, ("ruling", "kit", "reordered"), with_question=True, with_board=True, tells=True),
    MessageKind("opening", 6, ("started",), with_question=True, with_board=True, tells=True),
    MessageKind("invitation", 3, with_question=True, personal=True),
    # The invitation to a seat of a running campaign.
    MessageKind("takeover", 4, with_question=True, with_board=True, personal=True),
    # After an event "expired" only where somebody has missed something.
    MessageKind("missed", 19, ("expired", "missed"), with_question=True, with_board=True, tells=True),
    MessageKind("reminder", 15, asks=True, with_question=True),
    MessageKind("your_move", 14, asks=True, with_question=True, with_board=True),
    MessageKind("window_closing", 18, asks=True, with_question=True),
    MessageKind("window_closed", 25),
    MessageKind("window_opening", 17, asks=True, with_question=True),
    MessageKind("pause", 20, ("paused",)),
    MessageKind("resume", 21, ("resumed",), with_question=True),
    MessageKind("extension", 22, ("extended",), with_question=True),
    MessageKind("replacement", 23, ("replaced", "vacated"), but_concerned=True),
    MessageKind("asked_referee", 29, ("asked_referee",)),  # a moderator looked at what is hidden
    MessageKind("declined", 13),  # to moderators
    MessageKind("link", 27, personal=True),
    MessageKind("webhook_off", 28, personal=True),  # it failed too often
    MessageKind("press", 16),
    MessageKind("report", 26, with_board=True),  # what happened; events that follow join it until it goes out
    MessageKind("scores", 24, with_board=True),  # a ranking that the game tells at a point of its story
    MessageKind("farewell", 5),  # to somebody whose seat is another's now
    MessageKind("address_asked", 0),  # to the old address: a link by which its player says that he wants another
    MessageKind("new_address", 0),  # to the address that somebody wants his mails at: a link by which it is shown his
    MessageKind("moved", 27, personal=True),  # a seat's mails come to another address from now on: its new link
    MessageKind("address_left", 5),  # to the address where no more mails go
    MessageKind("fault", 30, house=True),  # to moderators: the program cannot go on with a campaign
    MessageKind("bounced", 32, house=True),  # to moderators: a mail came back
    MessageKind("way_down", 31, house=True),  # to moderators: a way in is down, and deadlines wait for it
    MessageKind("desk_link", 0, house=True),  # to an account: the link to log in with that was asked for
)}  # fmt: skip


def asking() -> list[str]:
    """The kinds that only ask."""
    return [name for name, kind in KINDS.items() if kind.asks]


def personal() -> list[str]:
    """The kinds that are for who sat at the seat when they were made."""
    return [name for name, kind in KINDS.items() if kind.personal]


def following(event: str) -> list[MessageKind]:
    """What every seat gets after an event of a kind."""
    return [kind for kind in KINDS.values() if event in kind.follows]


def place_of(name: str) -> int:
    """The place of a kind in a mail of several parts; a kind that is unknown comes last."""
    return list(KINDS).index(name) if name in KINDS else len(KINDS)
