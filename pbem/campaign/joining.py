"""Taking a seat that one is invited to: a yes in whatever words, what stands beside it, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.campaign import asked, course, requested
from pbem.campaign.campaign import Campaign
from pbem.campaign.command import AcceptInvitation, Command
from pbem.campaign.commands import Line, said_to_the_service
from pbem.table import brief
from pbem.table.inflected import means
from pbem.table.kit import Kit


def with_yes(lines: Sequence[Line], kit: Kit) -> tuple[list[Line], list[str]]:
    """The lines of who was only invited, with his yes, in whatever words, as the line that takes the seat: nothing else
    can he be asked yet; and the sentences beside the yes, on its line, that are no line of the service. Where he says
    anything else besides, it is not taken for a yes."""
    own = [line for line in lines if not isinstance(line.order, Command)]
    others = [line for line in own if not brief.joins(line.text, kit)]
    settings = [requested.command(line.text, kit) for line in others]
    if None not in settings and len(others) < len(own):  # … Could you set my time zone to London?
        for line, setting in zip(others, settings, strict=True):
            line.order, line.problem, line.loose = setting, None, False
    said = [line for line in lines if not isinstance(line.order, Command)]
    joins = all(brief.joins(line.text, kit) for line in said)
    if not said or not joins or any(isinstance(line.order, asked.INVITED) for line in lines):
        return list(lines), []
    more, left_out = _beside(said[0].text, kit)
    said[0].order, said[0].problem, said[0].loose = AcceptInvitation(), None, False
    commands = [line for line in lines if isinstance(line.order, Command)]
    at = commands.index(said[0]) + 1
    return [*commands[:at], *more, *commands[at:]], left_out


def note(campaign: Campaign) -> tuple[str, dict[str, Any]]:
    """What is told who has taken his seat, as a sentence of the mails' catalogue and its values: who is still missing,
    by the numbers of their seats (an answer is kept, and holds no names), and what comes next."""
    seats = list(campaign.seats)
    missing = [str(seats.index(seat) + 1) for seat in course.missing_seats(campaign)]
    if not missing:
        return (
            "The seat is yours, and all %(seats)s seats are taken: the moderator can begin, and a mail tells you "
            "what is asked of you.",
            {"seats": len(seats)},
        )
    return (
        "The seat is yours. Seats taken now: %(taken)s of %(seats)s; not yet: %(missing)s. When all are, the game "
        "can begin, and a mail tells you what is asked of you.",
        {"seats": len(seats), "taken": len(seats) - len(missing), "missing": ", ".join(missing)},
    )


def _beside(text: str, kit: Kit) -> tuple[list[Line], list[str]]:
    """(the lines of the service, what cannot be read) that stand beside a yes to an invitation on its line."""
    lines: list[Line] = []
    others: list[str] = []
    for part in brief.beside_the_seat(text, kit):
        words = [word for word in part.split() if not any(means(word, kind, kit) for kind in _BETWEEN)]
        said = (said_to_the_service(" ".join(words), kit) if words else None) or requested.command(part, kit)
        if said is None:
            others.append(part)
        else:
            lines.append(Line(part, said))
    return lines, others


_BETWEEN = ("telling", "joining lines", "noise")
"""The words of a sentence about a setting that the line of the service has not (``and my time zone is …``)."""
