"""Routes for moderators: what the desk shows, and everything that it can do."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import g, request
from marshmallow import Schema, fields

from pbem.campaign import lookup, outbox
from pbem.campaign.moderators import Moderator
from pbem.campaign.service import NoCampaign, NotNow
from pbem.render.narrative import Teller
from pbem.web import actions, compare
from pbem.web.actions import ACTIONS, Action, Problem
from pbem.web.api.problems import BAD_TOKEN, Routes, Trouble, bearer
from pbem.web.api.schemas import (
    ChangeSchema,
    CreatedSchema,
    DeskCampaignSchema,
    DeskListSchema,
    DeskPageSchema,
    DoneSchema,
    InboxListSchema,
    InboxPageSchema,
    KitSchema,
    OutboxListSchema,
    OutboxPageSchema,
    RetriedSchema,
    RunnersSchema,
)
from pbem.web.api.shared import shown_status
from pbem.web.context import now, service
from pbem.web.desk import moderators
from pbem.web.security import SEND_LIMIT, limiter

desk = Routes(
    "api-moderator", __name__, url_prefix="/api/desk",
    description="For moderators: with a token made on the page of the account.",
)  # fmt: skip


@desk.before_request
def _know_moderator() -> None:
    moderator = moderators(service()).of_token(bearer())
    if moderator is None:
        raise Trouble(BAD_TOKEN)
    g.moderator = moderator
    campaign = (request.view_args or {}).get("campaign")
    if campaign is not None and not moderators(service()).runs(moderator, campaign):
        raise NoCampaign(campaign)


@desk.get("/campaigns")
@desk.arguments(DeskListSchema, location="query")
@desk.response(200, DeskPageSchema)
def desk_campaigns(wanted: dict[str, Any]) -> dict[str, Any]:
    """The campaigns that you run; all of them for an admin"""
    page = lookup.campaign_list(
        service().store, moderators(service()), g.moderator, search=wanted["search"], sort=wanted["sort"],
        state="" if wanted["state"] == "all" else wanted["state"], page=wanted["page"], size=wanted["size"],
        late_at=now() if wanted.get("only") == "late" else None, trouble=wanted.get("only") == "trouble",
    )  # fmt: skip
    return {"campaigns": page.rows, "page": page.number, "pages": page.pages, "total": page.total}


@desk.post("/campaigns")
@desk.arguments(actions.CreateSchema)
@desk.response(201, CreatedSchema)
@limiter.limit(SEND_LIMIT)
def create(sent: dict[str, Any]) -> dict[str, Any]:
    """Make a campaign, which you then run"""
    moderator: Moderator = g.moderator
    return {"campaign": actions.create(service(), moderators(service()), moderator, sent)}


@desk.get("/campaigns/<campaign>")
@desk.response(200, DeskCampaignSchema)
def desk_campaign(campaign: str) -> dict[str, Any]:
    """A campaign: how it stands, who sits where"""
    store = service().store
    return {
        "status": shown_status(service().status(campaign)), "players": lookup.players(store, campaign),
        "moderators": moderators(service()).of_campaign(campaign),
        "failed": lookup.outbox(store, campaign, state="failed", size=1).total,
        "set_aside": lookup.inbox(store, campaign, state="set_aside", size=1).total,
    }  # fmt: skip


def _add_action(action: Action) -> None:
    """A route for an action."""

    @desk.arguments(action.schema)
    @desk.response(200, DoneSchema)
    @limiter.limit(SEND_LIMIT)
    def do(sent: dict[str, Any], campaign: str) -> dict[str, Any]:
        return actions.act(service(), action, campaign, sent)

    do.__doc__ = f"{action.title}\n\n{action.text}"
    do.__name__ = f"do_{action.name.replace('-', '_')}"
    desk.route(f"/campaigns/<campaign>/{action.name}", methods=["POST"], endpoint=do.__name__)(do)


for _action in ACTIONS.values():
    _add_action(_action)


@desk.post("/campaigns/<campaign>/try-rule")
@desk.arguments(actions.RulingSchema)
@desk.response(200, ChangeSchema(many=True))
@limiter.limit(SEND_LIMIT)
def try_rule(sent: dict[str, Any], campaign: str) -> Any:
    """Try a ruling on a copy, and see what everybody would see change

    Where it touches what is hidden, the try is put on record, since it may tell something.
    """
    before = service().view_at(campaign)
    try:
        tried = service().try_ruling(campaign, **sent)
    finally:
        service().project()
    return compare.changes(before, tried.board, Teller(service().kit_of(campaign)))


@desk.get("/campaigns/<campaign>/try-rewind/<int:event>")
@desk.response(200, ChangeSchema(many=True))
def try_rewind(campaign: str, event: int) -> Any:
    """What everybody would see change if the game went back to an event"""
    now_seen, then = service().view_at(campaign), service().view_at(campaign, None, event)
    return compare.changes(now_seen, then, Teller(service().kit_of(campaign)))


@desk.post("/campaigns/<campaign>/disclose")
@desk.arguments(actions.DiscloseSchema)
@desk.response(200, Schema.from_dict({"hidden": fields.Raw()}, name="Disclosed"))
@limiter.limit(SEND_LIMIT)
def disclose(sent: dict[str, Any], campaign: str) -> dict[str, Any]:
    """Read something hidden; that you do, and why, is an event that all players see"""
    disclosed = service().disclose(campaign, **sent)
    service().project()
    if sent["submission"] is not None:
        # The mail itself is on the page only, where the seat's secret address is left out of it.
        disclosed = {"lines": disclosed["lines"], "answer": disclosed["answer"]}
    return {"hidden": disclosed}


@desk.get("/campaigns/<campaign>/inbox")
@desk.arguments(InboxListSchema, location="query")
@desk.response(200, InboxPageSchema)
def inbox(wanted: dict[str, Any], campaign: str) -> dict[str, Any]:
    """What came in, and what came of it"""
    page = lookup.inbox(service().store, campaign, **wanted)
    rows = [{**asdict(row), "received_at": row.received_at.isoformat()} for row in page.rows]
    return {"submissions": rows, "page": page.number, "pages": page.pages, "total": page.total}


@desk.get("/campaigns/<campaign>/outbox")
@desk.arguments(OutboxListSchema, location="query")
@desk.response(200, OutboxPageSchema)
def outbox_list(wanted: dict[str, Any], campaign: str) -> dict[str, Any]:
    """What goes out, and its fate"""
    page = lookup.outbox(service().store, campaign, **wanted)
    return {"messages": page.rows, "page": page.number, "pages": page.pages, "total": page.total}


@desk.post("/campaigns/<campaign>/outbox/<int:number>/retry")
@desk.response(200, RetriedSchema)
@limiter.limit(SEND_LIMIT)
def retry(campaign: str, number: int) -> dict[str, bool]:
    """Try a message again that was given up"""
    if number >= 2**31 or lookup.campaign_of_message(service().store, number) != campaign:
        raise Trouble(Problem(404, "nothing-here", "There is nothing here for you", "There is no such message."))
    if not outbox.retry(service().store, number):
        raise NotNow("the message was not given up, so there is nothing to try again")
    return {"retried": True}


@desk.get("/campaigns/<campaign>/kit")
@desk.response(200, KitSchema)
def kit(campaign: str) -> dict[str, Any]:
    """The values that are not the published ones, and what the configured files would change"""
    own = service().kit_of(campaign)
    names = ("table", "row", "column", "value")
    differences = lookup.kit_differences(own, actions.configured_kit(own.game))
    rebuilt = [dict(zip(names, value, strict=True)) for value in lookup.rebuilt(own)]
    return {"hash": own.hash, "version": own.version, "rebuilt": rebuilt, "differences": differences}


@desk.put("/campaigns/<campaign>/moderators/<name>")
@desk.response(200, RunnersSchema)
def hand_over(campaign: str, name: str) -> dict[str, Any]:
    """Let another moderator run a campaign too"""
    actions.hand_over(moderators(service()), campaign, name)
    return {"moderators": moderators(service()).of_campaign(campaign)}


@desk.delete("/campaigns/<campaign>/moderators/<name>")
@desk.response(200, RunnersSchema)
def take_away(campaign: str, name: str) -> dict[str, Any]:
    """Take a campaign from a moderator"""
    moderators(service()).leave(campaign, name)
    return {"moderators": moderators(service()).of_campaign(campaign)}


