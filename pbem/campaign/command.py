"""Lines that do not move the game: press, standing orders, settings. They share the grammar of orders; see
`pbem.campaign.commands`, which reads them."""

from __future__ import annotations

from typing import ClassVar

from pbem.table.orders import Choice, Number, Order, Text


class Command(Order):
    """Base of the administrative lines."""

    is_free: ClassVar[bool] = False
    """Whether every word of what its sender fills in counts."""


class Press(Command):
    """Send a message to other powers; it may run over several lines, to END or the next order."""

    line = "PRESS TO {to}: {message}"
    to = Text(200, help="powers, separated by commas, or ALL")
    message = Text(20_000)

    def text(self) -> str:
        return f"PRESS TO {self.to}: {self.message}"


class Standing(Command):
    """Answer a kind of question in advance, always or under conditions."""

    line = "STANDING {question} [IF {conditions}]: {answer}"
    question = Text(100)
    conditions = Text(500, optional=True)
    answer = Text(1_000)

    def text(self) -> str:
        conditions = f" IF {self.conditions}" if self.conditions else ""
        return f"STANDING {self.question}{conditions}: {self.answer}"


class StandingList(Command):
    """List your standing orders."""

    line = "STANDING LIST"


class StandingPreset(Command):
    """Take a ready-made standing order over."""

    line = "STANDING PRESET {preset}"
    preset = Text(60)


class StandingPresets(Command):
    """List the ready-made standing orders."""

    line = "STANDING PRESETS"


class CancelStanding(Command):
    """Cancel one of your standing orders, by its number."""

    line = "CANCEL STANDING {number}"
    number = Number(1)


class Queue(Command):
    """List your queued orders."""

    line = "QUEUE"


class CancelQueue(Command):
    """Drop all your queued orders."""

    line = "CANCEL QUEUE"


class CancelAnswer(Command):
    """Take back what you have answered and nobody has read yet."""

    line = "CANCEL ANSWER"


class Status(Command):
    """Tell how the campaign stands and whom it waits for."""

    line = "STATUS"


class StatusOfPoints(Command):
    """Tell why the victory points stand as they do."""

    line = "STATUS VP"


class StatusOfBoard(Command):
    """Tell the whole board in words."""

    line = "STATUS BOARD"


class Card(Command):
    """Tell what a card does, by its number or name."""

    line = "CARD {card}"
    card = Text(80)


class Hand(Command):
    """Tell your own cards, each with what it does."""

    line = "HAND"


class Help(Command):
    """Tell what you may send now; HELP ALL tells every line there is, HELP DICE how the dice are proved, and with the
    first word of an order it tells all about that order: HELP PASS."""

    line = "HELP [{about}]"
    about = Text(40, optional=True)

    ALL: ClassVar[str] = "ALL"
    DICE: ClassVar[str] = "DICE"


class Again(Command):
    """Carry this mail out though you sent the same lines before and the answer had not reached you yet."""

    line = "AGAIN"


class AcceptInvitation(Command):
    """Take the seat that you were invited to."""

    line = "ACCEPT INVITATION"


class DeclineInvitation(Command):
    """Leave the seat that you were invited to."""

    line = "DECLINE INVITATION"


class SetTimezone(Command):
    """Have times told in your time zone, such as Europe/Paris."""

    line = "SET TIMEZONE {zone}"
    zone = Text(60)


class SetReports(Command):
    """Get every report, one a day at an hour of your time zone, or only what asks you something."""

    line = "SET REPORTS {mode} [AT {hour}]"
    mode = Choice("every", "daily", "questions")
    hour = Number(0, 23, optional=True)


class SetBoard(Command):
    """Have the whole board in words with every mail, only what has changed on it, or nothing of it but the story."""

    line = "SET BOARD {mode}"
    mode = Choice("full", "changes", "none")


class SetLanguage(Command):
    """Get mails in a language: en, fr, ru."""

    line = "SET LANGUAGE {language}"
    language = Choice("en", "fr", "ru")


class SetWebhook(Command):
    """Have "your move" sent to a web address too; OFF ends it."""

    line = "SET WEBHOOK {url}"
    url = Text(500)


class Away(Command):
    """Be away from one day to another, in all campaigns: what is asked of you has so much more time."""

    line = "AWAY FROM {first_day} TO {last_day}"
    first_day = Text(20)
    last_day = Text(20)


class AwayOff(Command):
    """Be back, or stay after all. Deadlines that have moved stay where they are."""

    line = "AWAY OFF"


class Salt(Command):
    """Mix a text of your own into the dice of the next order of this submission."""

    line = "SALT {words}"
    is_free = True
    words = Text(200)


COMMANDS: tuple[type[Command], ...] = (
    Press, Standing, StandingList, StandingPreset, StandingPresets, CancelStanding, Queue, CancelQueue, CancelAnswer,
    Status, StatusOfPoints, StatusOfBoard, Card, Hand, Help, Again, AcceptInvitation, DeclineInvitation,
    SetTimezone, SetReports, SetBoard, SetLanguage, SetWebhook, Away, AwayOff, Salt,
)  # fmt: skip

ASKS = (Status, StatusOfPoints, StatusOfBoard, Card, Hand, Help, Queue, StandingList, StandingPresets)
"""Lines that only ask."""

_ONLY_ASKING = {kind.pattern.verb for kind in ASKS} - {kind.pattern.verb for kind in COMMANDS if kind not in ASKS}


def asks(text: str) -> bool:
    """Whether a line, also one that cannot be read, begins with a verb that can only ask (``CARD 500``)."""
    return text.partition(" ")[0].upper() in _ONLY_ASKING
