"""The frame of the desk: who is here, which campaigns are his, and what all its rooms need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

from flask import Blueprint, current_app, g, redirect, render_template, request, session, url_for

from pbem.campaign import lookup
from pbem.campaign.moderators import Moderator, Moderators
from pbem.campaign.service import NoCampaign, Service, Status
from pbem.render.narrative import Teller
from pbem.table.kit import Kit, KitError, load_kit
from pbem.web import actions
from pbem.web.actions import ACTIONS, Action, Problem
from pbem.web.context import language, now, service, state_words
from pbem.web.security import nothing_here

blueprint = Blueprint("desk", __name__, url_prefix="/desk")

_T = TypeVar("_T")
EMPTY: Mapping[str, str] = {}

SESSION_HOURS = 7 * 24
OPEN_ENDPOINTS = ("desk.login", "desk.log_in", "desk.send_link", "desk.enter", "desk.log_in_by_link")


def moderators(of: Service) -> Moderators:
    """The accounts of a service's store."""
    if "pbem_moderators" not in current_app.extensions:
        current_app.extensions["pbem_moderators"] = Moderators(of.store)
    return current_app.extensions["pbem_moderators"]


def signed_in() -> Moderator | None:
    """The moderator of this browser's session, if his account is still what it was when he logged in."""
    kept = session.get("moderator")
    if not isinstance(kept, dict):
        return None
    moderator = moderators(service()).find(str(kept.get("name")))
    fresh = now().timestamp() - kept.get("at", 0) < SESSION_HOURS * 3600
    return moderator if moderator is not None and fresh and moderator.generation == kept.get("generation") else None


@blueprint.before_request
def _only_moderators() -> Any:
    g.moderator = signed_in()
    if g.moderator is None and request.endpoint not in OPEN_ENDPOINTS:
        if request.method != "GET":
            nothing_here()
        return redirect(url_for("desk.login", back=request.full_path.rstrip("?")))
    return None


@blueprint.context_processor
def _words() -> dict[str, Any]:
    return {"moderator": g.get("moderator"), "ago": _ago, "actions": ACTIONS, "states": state_words()}


def _ago(when: Any) -> str:
    passed = now() - when
    return language().span(passed) if passed >= timedelta(minutes=1) else language().text("less than a minute")


def attempt(do: Callable[[], _T]) -> tuple[_T | None, Problem | None]:
    """What came of an act, or the problem that stood against it; a fault of the program goes on as an exception."""
    try:
        return do(), None
    except Exception as error:
        problem = actions.problem_of(error)
        if problem is None:
            raise
        return None, problem


def choice(name: str, choices: tuple[str, ...], default: str) -> str:
    """What the address chooses among `choices`, else the default."""
    value = request.args.get(name, default)
    return value if value in choices else default


def page_number() -> int:
    """The page of a list that the address asks for."""
    return min(max(1, request.args.get("page", 1, type=int)), 1_000_000)


def kit_at_start(game: str) -> Kit | None:
    """The kit of the configured files as this process first met it, for names; None where it is gone or broken."""
    kept: dict[str, Kit | None] = current_app.extensions.setdefault("pbem_desk_kits", {})
    if game not in kept:
        try:
            kept[game] = load_kit(game)
        except KitError:
            kept[game] = None
    return kept[game]


def mine(campaign: str) -> Status:
    """A campaign that this moderator runs; ends with `nothing_here` for any other."""
    if not moderators(service()).runs(g.moderator, campaign):
        nothing_here()
    try:
        status = service().status(campaign)
    except NoCampaign:
        nothing_here()
    g.kit = service().kit_of(campaign)
    g.teller = Teller(g.kit, language().code)
    return status


def render(template: str, status: Status, **values: Any) -> str:
    """A page in the frame of a campaign; a `problem` among the values is told beside its fields too."""
    values = {**told(values.get("problem")), **values}
    return render_template(
        f"web/desk/{template}.html.j2", status=status, kit=g.kit, teller=g.teller,
        players=lookup.players(service().store, status.campaign), **values,
    )  # fmt: skip


def perform(action: Action, campaign: str, values: dict[str, Any]) -> dict[str, Any]:
    """Do an action with what a form holds. Raises what the schema and the service raise."""
    return actions.act(service(), action, campaign, action.schema().load(values))


def disclose(campaign: str, what: dict[str, Any]) -> dict[str, Any]:
    """What is hidden, for the reason in the form."""
    values = actions.DiscloseSchema().load({"reason": request.form.get("reason", "").strip(), **what})
    disclosed = service().disclose(campaign, **values)
    service().project()
    return disclosed


def told(
    problem: Problem | None, field_of: Callable[[str], str] = str, labels: Mapping[str, str] = EMPTY
) -> dict[str, Any]:
    """What a form shows of a problem: beside each field what is wrong with it (``errors``, by the names of the form's
    fields, which `field_of` makes of the places that a schema names), and what the fields are called (``labels``)."""
    errors: dict[str, str] = {}
    for place, text in (problem.errors if problem else {}).items():
        field = field_of(place)
        errors[field] = f"{errors[field]} {text}" if field in errors else text
    return {"problem": problem, "errors": errors, "labels": {**_labels(), **labels}}


def _labels() -> dict[str, str]:
    """What the fields of the forms of actions are called."""
    _ = language().text
    return {
        "seat": _("Seat"), "name": _("Name"), "address": _("Mail address"), "language": _("Language"),
        "timezone": _("Time zone"), "hours": _("Hours"), "reason": _("Reason"), "event": _("Event"),
        "moderator": _("Name of an account"), "facts": _("The ruling"), "chosen": _("Powers"),
    }  # fmt: skip


def pace_words() -> dict[str, str]:
    """What the paces are called."""
    _ = language().text
    return {"leisurely": _("leisurely"), "normal": _("normal"), "quick": _("quick")}


def kind_titles(teller: Teller, kinds: Iterable[str]) -> dict[str, str]:
    """What the kinds of questions of a game are called, where their hours are told; those that are alike once each."""
    others = language().text("All others")
    return {kind: others if kind == "default" else teller.question_title(kind) for kind in kinds}
