"""Going back: what it would undo, told before it is done."""

from __future__ import annotations

from typing import Any

from flask import flash, g, redirect, request, url_for

from pbem.campaign.changes import Kind
from pbem.campaign.page import tell
from pbem.campaign.referee import RULED
from pbem.campaign.service import Status
from pbem.web import compare, founding
from pbem.web.actions import ACTIONS, Problem
from pbem.web.context import language, service
from pbem.web.desk.frame import attempt, blueprint, mine, perform, render
from pbem.web.undoing import PRIVATE, undoing


@blueprint.get("/c/<campaign>/rewind")
def rewind(campaign: str) -> Any:
    """What going back to an event would change."""
    status = mine(campaign)
    text = request.args.get("event", "").strip()
    if not text or status.state not in RULED:
        return _rewind_page(status, None)
    event = founding.whole(text)
    if not _is_number(event):
        return _rewind_page(status, None, problem=_no_number(status, text), written=text), 422
    _, problem = attempt(lambda: service().check_rewind(campaign, event))
    if problem is not None:
        return _rewind_page(status, None, problem=problem, written=text), 422
    return _rewind_page(status, event)


def _is_number(event: Any) -> bool:
    return isinstance(event, int) and event > 0


def _no_number(status: Status, text: str) -> Problem:
    _ = language().text
    wrong = _("“%(text)s” is no event: write a number from 1 to %(most)s.", text=text[:40], most=status.event - 1)
    return Problem(422, "bad-value", _("A value cannot be"), wrong, errors={"event": wrong})


@blueprint.post("/c/<campaign>/rewind")
def go_back(campaign: str) -> Any:
    """Go back."""
    status = mine(campaign)
    event = founding.whole(request.form.get("event", ""))
    if event != "" and not _is_number(event):
        return _rewind_page(status, None, problem=_no_number(status, str(event)), written=event), 422
    values = {"event": None if event == "" else event, "reason": request.form.get("reason", "").strip()}
    _, problem = attempt(lambda: perform(ACTIONS["rewind"], campaign, values))
    if problem is not None:
        known = event if isinstance(event, int) and "reason" in problem.errors else None
        return _rewind_page(mine(campaign), known, problem=problem, written=event), problem.status
    flash(language().text("The game has gone back; all are told. Nothing is erased."), "good")
    return redirect(url_for(".campaign", campaign=campaign), 303)


def _rewind_page(status: Status, event: int | None, **values: Any) -> str:
    changes = told = asks = undone = None
    campaign = status.campaign
    if event is not None and 1 <= event < status.event:
        now_seen, then = service().view_at(campaign), service().view_at(campaign, None, event)
        changes = compare.changes(now_seen, then, g.teller)
        told = tell(service().events(campaign, None, event, event)[0], g.teller, None)
        asks = _asked_after(status, event)
        undone = undoing(service().events(campaign, None, event + 1, status.event), g.teller)
    rest = service().reading.glance(campaign).rest_event
    of_step = undoing(service().events(campaign, None, rest + 1, status.event), g.teller)
    recent = service().events(campaign, None, max(1, status.event - 30), status.event - 1)
    begun = next((place for place, one in enumerate(recent) if one["kind"] == Kind.STARTED), 0)
    return render(
        "rewind", status, event=event, changes=changes, told=told, asks=asks, sent=request.form, undone=undone,
        of_step=of_step, rest=rest,
        recent=[tell(one, g.teller, None) for one in reversed(recent[begun:]) if one["kind"] not in PRIVATE],
        **{"problem": None, "written": event, **values},
    )  # fmt: skip


def _asked_after(status: Status, event: int) -> list[str]:
    """What was asked after an event, as everybody could know it."""
    for start in range(event, 0, -100):
        for one in reversed(service().events(status.campaign, None, max(1, start - 99), start)):
            if "asks" in one["public"]:
                asks = one["public"]["asks"]
                told = [(g.teller.power(ask["power"]), g.teller.question_title(ask["kind"])) for ask in asks]
                return [f"{power}{language().colon} {title}" for power, title in told]
    return []
