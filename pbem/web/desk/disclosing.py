"""The kit of a campaign, and looks at what is hidden, each for a reason that everybody reads."""

from __future__ import annotations

import json
from typing import Any

from flask import flash, g, redirect, request, url_for
from werkzeug.datastructures import MultiDict

from pbem.campaign import lookup
from pbem.campaign.page import tell
from pbem.campaign.service import Status
from pbem.table.board import Board
from pbem.table.kit import KitError
from pbem.table.sight import secrets_of
from pbem.web import actions, founding, rebuilt_values
from pbem.web.actions import ACTIONS, Problem
from pbem.web.context import language
from pbem.web.desk.frame import attempt, blueprint, disclose, mine, perform, render


@blueprint.get("/c/<campaign>/kit")
def kit(campaign: str) -> Any:
    """The values that are not the published ones, and what the configured files would change."""
    return _kit_page(mine(campaign))


@blueprint.post("/c/<campaign>/kit")
def correct_kit(campaign: str) -> Any:
    """Go on with the kit of the configured files."""
    mine(campaign)
    reason = request.form.get("reason", "").strip()
    outcome, problem = attempt(lambda: perform(ACTIONS["correct-kit"], campaign, {"reason": reason}))
    if outcome is None:
        return _kit_page(mine(campaign), problem=problem), problem.status if problem else 422
    _ = language().text
    flash(_("The corrected kit is in force.") if outcome["at_once"]
          else _("The corrected kit takes effect when the open step is done."), "good")  # fmt: skip
    return redirect(url_for(".kit", campaign=campaign), 303)


def _kit_page(status: Status, **values: Any) -> str:
    configured, faults = None, []
    try:
        configured = actions.configured_kit(status.game)
    except KitError as error:
        faults = [str(problem) for problem in error.problems]
    differs = lookup.kit_differences(g.kit, configured) if configured is not None and configured != g.kit else []
    return render(
        "kit", status, rebuilt=lookup.rebuilt(g.kit), tables=rebuilt_values.rebuilt(g.teller), differs=differs,
        configured=configured, faults=faults, sent=request.form, **{"problem": None, **values},
    )  # fmt: skip


@blueprint.get("/c/<campaign>/hidden")
def hidden(campaign: str) -> str:
    """The form that asks for a reason."""
    return render("hidden", mine(campaign), event=request.args.get("event", type=int), sent=MultiDict(),
                   problem=None, shown=None)  # fmt: skip


@blueprint.post("/c/<campaign>/hidden")
def show_hidden(campaign: str) -> Any:
    """Show the whole board or a whole event, this once; that it was shown is an event."""
    status = mine(campaign)
    event = founding.whole(request.form.get("event", ""))
    asked = request.form.get("what", "")
    what = {"event": event} if asked == "event" else {}
    if asked not in ("board", "event") or what == {"event": ""}:
        # A slip must not open more than was meant: what was shown cannot be taken back.
        _ = language().text
        wanted = _("Write the number of the event.") if asked == "event" else _("Choose the whole board or one event.")
        unclear = Problem(422, "bad-value", _("It is not clear what is to be shown"), wanted)
        page = render("hidden", status, event=event, sent=request.form, problem=unclear, shown=None)
        return page, 422
    disclosed, problem = attempt(lambda: disclose(campaign, what))
    if disclosed is None:
        page = render("hidden", status, event=event, sent=request.form, problem=problem, shown=None)
        return page, 422
    status = mine(campaign)
    if what:
        told = tell(disclosed, g.teller, None)
        return render("hidden", status, event=event, sent=MultiDict(), problem=None, shown=disclosed, told=told,
                       text=json.dumps(disclosed, ensure_ascii=False, indent=1))  # fmt: skip
    board = Board.from_json(disclosed)
    secrets = {name: _secret(value) for name, value in secrets_of(board, ()).items()}
    return render("hidden", status, event=None, sent=MultiDict(), problem=None, shown=disclosed, secrets=secrets,
                   text=json.dumps(disclosed, ensure_ascii=False, indent=1))  # fmt: skip


def _secret(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{g.teller.power(power)}{language().colon} {number}" for power, number in value.items())
    return ", ".join(g.teller.name(card) for card in value)
