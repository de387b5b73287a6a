"""What routes of several groups give: a status without hidden things, events, rolls, bundles, kinds of order."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from flask import Response, current_app

from pbem.campaign.service import NoCampaign, Status
from pbem.table.orders import Field, Many, Order
from pbem.web.actions import Problem
from pbem.web.api.problems import Trouble
from pbem.web.api.schemas import MOST_EVENTS
from pbem.web.context import service
from pbem.web.unchanged import unless_known

JSON_LINES = "application/jsonl"


def public_status(campaign: str) -> Status:
    """How a campaign stands that everybody may look at; what is given of it changes with a new event only. Raises
    `NoCampaign`."""
    status = service().status(campaign)
    if not is_public(status):
        raise NoCampaign(campaign)
    unless_known(status)
    return status


def is_public(status: Status) -> bool:
    """Whether those without a seat may look at a campaign."""
    return status.policy.get("spectators") != "no"


def shown_status(status: Status) -> dict[str, Any]:
    """A status to be told; why a campaign is held may speak of hidden things."""
    reason = "the rules differ from the record of the open step" if status.state == "held" else status.reason
    return {**asdict(status), "asked_at": status.asked_at, "deadline": status.deadline, "reason": reason}


def some_events(campaign: str, reader: str | None, wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
    start = wanted["start"]
    stop = min(wanted.get("stop", start + MOST_EVENTS - 1), start + MOST_EVENTS - 1)
    return service().events(campaign, reader, start, stop)


def roll(campaign: str, reader: str | None, tree: int, index: int) -> dict[str, Any]:
    try:
        return service().audit(campaign, index, tree, reader)
    except NoCampaign:
        raise
    except LookupError as error:
        raise Trouble(Problem(404, "nothing-here", "There is nothing here for you", str(error))) from error


def bundle_of(campaign: str, reader: str | None) -> Response:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle"
        digest = service().export(campaign, reader, file)
        content = file.read_bytes()
    name = f"{campaign}-{reader or 'public'}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Bundle-Digest": digest}
    return Response(content, mimetype=JSON_LINES, headers=headers)


def converter() -> Any:
    """Makes JSON Schema of marshmallow's fields."""
    return current_app.extensions["pbem_api"].ma_plugin.converter


def order_kind(kind: type[Order]) -> dict[str, Any]:
    return {"order": kind.id(), "verb": kind.pattern.verb, "help": kind.help(), "usage": kind.usage(),
            "schema": order_schema(kind.fields, kind.id())}  # fmt: skip


def order_schema(of: Mapping[str, Field], id: str | None = None) -> dict[str, Any]:
    """The JSON Schema of an order's fields, or of those of a group in it."""
    properties: dict[str, Any] = {"order": {"const": id}} if id else {}
    for name, field in of.items():
        properties[name] = converter().field2property(field.schema_field())
        if isinstance(field, Many) and not isinstance(field.of, Field):
            properties[name]["items"] = order_schema(field.of.fields)
        if field.help:
            properties[name]["description"] = field.help
    required = [*(["order"] if id else []), *(name for name, field in of.items() if not field.optional)]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


