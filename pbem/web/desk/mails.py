"""What came in and went out: submissions, which are read for a reason only, messages, events and the bundle."""

from __future__ import annotations

import re
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

from flask import Response, flash, g, redirect, request, url_for

from pbem.campaign import lookup, outbox
from pbem.campaign.clock import stamp
from pbem.campaign.notices import account_of, is_former, is_moderator
from pbem.campaign.page import tell
from pbem.campaign.service import Status
from pbem.campaign.vault import without_tokens
from pbem.web import raw
from pbem.web.context import language, service
from pbem.web.desk.frame import attempt, blueprint, choice, disclose, mine, page_number, render
from pbem.web.security import BUNDLE_LIMIT, costly, limiter, nothing_here
from pbem.web.undoing import PRIVATE

EVENTS_ON_A_PAGE = 50


@blueprint.get("/c/<campaign>/inbox")
def inbox(campaign: str) -> str:
    """All submissions: from whom, when, and what came of them."""
    status = mine(campaign)
    state = choice("state", ("new", "done", "set_aside"), "")
    page = lookup.inbox(service().store, campaign, state=state, page=page_number())
    _ = language().text
    choices = [("", _("all")), ("new", _("not yet taken up")), ("set_aside", _("set aside")), ("done", _("done"))]
    return render("inbox", status, page=page, state=state, state_choices=choices, **_of_submissions(campaign))


@blueprint.get("/c/<campaign>/inbox/<int:number>")
def submission(campaign: str, number: int) -> Any:
    """One submission; what it says is shown for a reason only."""
    return _submission_page(mine(campaign), number)


def _submission_page(status: Status, number: int, **values: Any) -> str:
    row = lookup.inbox_entry(service().store, status.campaign, number) if number < 2**31 else None
    if row is None:
        nothing_here()
    return render("submission", status, row=row, **_of_submissions(status.campaign), **values)


def _of_submissions(campaign: str) -> dict[str, Any]:
    """The words for submissions, and who sent one: who sat at its seat when it was received."""
    _ = language().text
    sittings = lookup.Sittings(service().store, campaign)
    return {
        "sender": lambda row: sittings.at(row.seat, stamp(row.received_at)),
        "channels": {"mail": _("by mail"), "form": _("by the page"), "api": _("by the API")},
        "outcomes": {"accepted": _("accepted"), "refused": _("refused"), "unreadable": _("unreadable"),
                     "queued": _("queued"), "told": _("answered")},
    }  # fmt: skip


@blueprint.post("/c/<campaign>/inbox/<int:number>")
def read_submission(campaign: str, number: int) -> Any:
    """Show what a submission says, this once, or give it as a file; that it was read is an event."""
    status = mine(campaign)
    row = lookup.inbox_entry(service().store, campaign, number) if number < 2**31 else None
    if row is None:
        nothing_here()
    disclosed, problem = attempt(lambda: disclose(campaign, {"submission": number}))
    if disclosed is None:
        return _submission_page(status, number, problem=problem), 422
    mail = disclosed["raw"]
    if mail is not None:
        mail = raw.without_secrets(mail)  # a player may have sent on what he got in another campaign, or another one
    if request.form.get("do") == "download" and mail is not None:
        name = f"{campaign}-inbox-{number}.eml"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
        return Response(mail, mimetype="application/octet-stream", headers=headers)
    text, whole = raw.readable(mail) if mail is not None else (None, True)
    text = without_tokens(text)
    lines = [raw.visible(line) for line in disclosed["lines"]]
    return _submission_page(mine(campaign), number, shown=disclosed, lines=lines, text=text, whole=whole)


@blueprint.get("/c/<campaign>/outbox")
def outbox_page(campaign: str) -> str:
    """All messages, and their fate."""
    status = mine(campaign)
    state = choice("state", lookup.OUTBOX_STATES, "")
    page = lookup.outbox(service().store, campaign, state=state, page=page_number())
    _ = language().text
    words = {"pending": _("waits"), "claimed": _("being written"), "rendered": _("being sent"), "sent": _("sent"),
             "void": _("overtaken"), "failed": _("given up")}  # fmt: skip
    choices = [("", _("all")), *((state, words[state]) for state in lookup.OUTBOX_STATES)]
    sittings = lookup.Sittings(service().store, campaign)
    return render("outbox", status, page=page, state=state, state_choices=choices, states_told=words,
                  kinds=_kinds(), receiver=lambda row: _receiver(status, sittings, row), noted=_noted)  # fmt: skip


_TOLD_WITH = re.compile(r"told with message (\d+), or overtaken")


def _noted(error: str) -> str:
    """What is noted of a message, in the moderator's language; what a mail server answered stands as it came."""
    _ = language().text
    if told := _TOLD_WITH.fullmatch(error):
        return _("told with message %(number)s, or overtaken", number=told[1])
    notes = {
        "it is overtaken": _("it is overtaken"),
        "nobody can be written to there": _("nobody can be written to there"),
        "it is forgotten where this was to go": _("it is forgotten where this was to go"),
        "the player has no webhook": _("the player has no webhook"),
        "the player was erased": _("the player was erased"),
        "the webhook is switched off": _("the webhook is switched off"),
        "the seat is another's": _("the seat is another's"),
    }
    return notes.get(error, error)


def _receiver(status: Status, sittings: lookup.Sittings, row: dict[str, Any]) -> tuple[str, lookup.Sitter | None]:
    """Whom a message goes to: what his seat is called, and who sat there when the message was made."""
    _, to = language().text, row["seat"]
    if is_former(to):
        seat = to.split(".")[1]
        return _("who had %(seat)s", seat=language().seat(seat)), sittings.at(seat, row["created_at"], leaving=True)
    if is_moderator(to):
        name = account_of(to)
        return _("the moderator %(name)s", name=name) if name else _("the moderators"), None
    return (language().seat(to) if to in status.seats else _("nobody's seat")), sittings.at(to, row["created_at"])


def _kinds() -> dict[str, str]:
    """What the kinds of messages are called."""
    _ = language().text
    return {
        "final": _("end of the game"), "answer": _("answer to a mail"), "dropped": _("queued orders fell"),
        "stopped": _("a program stopped"), "set_aside": _("a submission was set aside"), "held": _("the game is held"),
        "rewind": _("the game goes back"), "ruling": _("ruling or correction"), "opening": _("the game begins"),
        "invitation": _("invitation"), "takeover": _("invitation to a running game"),
        "missed": _("missed deadline"), "reminder": _("reminder"), "your_move": _("your move"),
        "window_closing": _("a window closes soon"), "window_closed": _("a window is closed"),
        "window_opening": _("a window opens"), "pause": _("pause"), "resume": _("the game goes on"),
        "extension": _("deadline moved"), "replacement": _("a seat changes hands"),
        "asked_referee": _("a look at hidden things"), "declined": _("an invitation is declined"),
        "link": _("link of the seat"), "webhook_off": _("a webhook is switched off"), "press": _("press"),
        "report": _("report"), "scores": _("scores"), "farewell": _("farewell"),
        "address_asked": _("a change of address is to be allowed"),
        "new_address": _("a new address is to be shown"), "moved": _("link for a new address"),
        "address_left": _("word to the old address"), "fault": _("fault of the program"),
        "bounced": _("a mail came back"), "way_down": _("a way in is down"), "desk_link": _("link to the desk"),
    }  # fmt: skip


@blueprint.post("/c/<campaign>/outbox/<int:number>/retry")
def retry(campaign: str, number: int) -> Any:
    """Let a message that was given up be tried again."""
    mine(campaign)
    if number >= 2**31 or lookup.campaign_of_message(service().store, number) != campaign:
        nothing_here()
    if outbox.retry(service().store, number):
        flash(language().text("The message will be tried again."), "good")
    else:
        flash(language().text("This message was not given up, so there is nothing to try again."), "bad")
    return redirect(url_for(".outbox_page", campaign=campaign, state="failed"), 303)


@blueprint.get("/c/<campaign>/events")
def events(campaign: str) -> str:
    """The events as everybody may read them, newest first."""
    status = mine(campaign)
    pages = max(1, -(-status.event // EVENTS_ON_A_PAGE))
    number = min(page_number(), pages)
    stop = status.event - (number - 1) * EVENTS_ON_A_PAGE
    shown = service().events(campaign, None, max(1, stop - EVENTS_ON_A_PAGE + 1), stop)
    told = [tell(event, g.teller, None) for event in reversed(shown)]
    page = lookup.Page(told, number, status.event, EVENTS_ON_A_PAGE)
    groups = [(own, list(rows)) for own, rows in groupby(told, lambda one: one.kind in PRIVATE)]
    return render("events", status, page=page, groups=groups)


@blueprint.get("/c/<campaign>/bundle")
@limiter.limit(BUNDLE_LIMIT)
@costly
def bundle(campaign: str) -> Response:
    """The ledger as everybody may see it."""
    status = mine(campaign)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle"
        service().export(campaign, None, file)
        content = file.read_bytes()
    name = f"{campaign}-public-{status.event}.jsonl"
    return Response(content, mimetype="application/jsonl",
                    headers={"Content-Disposition": f'attachment; filename="{name}"'})  # fmt: skip
