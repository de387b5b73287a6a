"""Routes for everybody: the public part of campaigns."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import Schema, fields

from pbem.campaign import lookup
from pbem.games import find_game, game_ids
from pbem.render.narrative import Teller
from pbem.web.api.problems import Routes
from pbem.web.api.schemas import (
    AtEventSchema,
    AuditSchema,
    BoardSchema,
    CampaignPageSchema,
    EventSchema,
    ListSchema,
    RangeSchema,
    StatusSchema,
)
from pbem.web.api.shared import (
    JSON_LINES,
    bundle_of,
    order_kind,
    public_status,
    roll,
    shown_status,
    some_events,
)
from pbem.web.context import service
from pbem.web.desk import kit_at_start
from pbem.web.security import AUDIT_LIMIT, BUNDLE_LIMIT, costly, limiter

everybody = Routes("api-everybody", __name__, url_prefix="/api", description="What everybody may know.")


@everybody.get("/games")
@everybody.response(200, Schema.from_dict({"games": fields.List(fields.Dict())}, name="Games"))
def games() -> dict[str, Any]:
    """The games, with scenarios, options and their defaults, kinds of question and of order"""
    rooms = []
    for id in game_ids():
        kit = kit_at_start(id)
        if kit is None:
            continue
        teller = Teller(kit)
        rooms.append({
            "game": id, "name": kit.name, "status": kit.status, "seats": dict(kit.seats),
            "scenarios": [{"scenario": s, "name": v["name"]} for s, v in kit.scenarios.items()],
            "options": [
                {"option": o.id, "type": o.type, "default": o.default, "choices": list(o.choices),
                 "meanings": [teller.option_value(o, choice) for choice in o.choices],
                 "minimum": o.minimum, "maximum": o.maximum, "section": o.section, "subject": teller.option(o),
                 "text": teller.option_about(o), "group": o.group} for o in kit.options.values()
            ],
            "hours": dict(kit.times), "orders": [order_kind(kind) for kind in find_game(id).orders],
        })  # fmt: skip
    return {"games": rooms}


@everybody.get("/campaigns")
@everybody.arguments(ListSchema, location="query")
@everybody.response(200, CampaignPageSchema)
def campaigns(wanted: dict[str, Any]) -> dict[str, Any]:
    """The campaigns, last news first"""
    state = "" if wanted["state"] == "all" else wanted["state"]
    page = lookup.open_to_spectators(service().store, state=state, page=wanted["page"], size=wanted["size"])
    rows = [shown_status(status) for status in service().reading.statuses(page.rows)]
    return {"campaigns": rows, "page": page.number, "pages": page.pages, "total": page.total}


@everybody.get("/campaigns/<campaign>")
@everybody.response(200, StatusSchema)
def status(campaign: str) -> dict[str, Any]:
    """How a campaign stands"""
    return shown_status(public_status(campaign))


@everybody.get("/campaigns/<campaign>/board")
@everybody.arguments(AtEventSchema, location="query")
@everybody.response(200, BoardSchema)
def board(wanted: dict[str, Any], campaign: str) -> dict[str, Any]:
    """The board as everybody sees it, now or after an event"""
    event = wanted.get("event")
    id = public_status(campaign).campaign
    return (service().page(id, None, "en").board if event is None else service().view_at(id, None, event)).to_json()


@everybody.get("/campaigns/<campaign>/events")
@everybody.arguments(RangeSchema, location="query")
@everybody.response(200, EventSchema(many=True))
def events(wanted: dict[str, Any], campaign: str) -> list[dict[str, Any]]:
    """The events as everybody may read them"""
    return some_events(public_status(campaign).campaign, None, wanted)


@everybody.get("/campaigns/<campaign>/rolls/<int:tree>/<int:index>")
@everybody.response(200, AuditSchema)
@limiter.limit(AUDIT_LIMIT)
@costly
def audit(campaign: str, tree: int, index: int) -> dict[str, Any]:
    """All about one roll or draw"""
    return roll(public_status(campaign).campaign, None, tree, index)


@everybody.get("/campaigns/<campaign>/bundle")
@everybody.response(200, content_type=JSON_LINES, schema={"type": "string"}, description="The bundle.")
@limiter.limit(BUNDLE_LIMIT)
@costly
def bundle(campaign: str) -> Response:
    """The ledger as everybody may see it, for verify.py"""
    return bundle_of(public_status(campaign).campaign, None)


