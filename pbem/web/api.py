"""The JSON API: everything that the pages do, described by OpenAPI at ``/api/openapi.json`` and on the page ``/api/``.

Three groups of routes: for everybody, for a seat, for moderators. A seat's token or a moderator's token goes into the
header ``Authorization: Bearer …``, never into an address; cookies are not looked at, so that no other site can act through
a browser. What goes wrong is told as a problem of RFC 9457, which says what would be right.
"""

from __future__ import annotations

import itertools
import logging
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, current_app, g, jsonify, render_template, request
from flask_smorest import Api
from flask_smorest import Blueprint as ApiBlueprint
from marshmallow import Schema, fields, validate
from werkzeug.exceptions import HTTPException

from pbem.campaign import desk as lookup
from pbem.campaign import outbox
from pbem.campaign.commands import Press, Standing, read_lines
from pbem.campaign.moderators import Moderator
from pbem.campaign.service import NoCampaign, NotNow, Status
from pbem.campaign.submissions import Answer, Submission
from pbem.games import find_game, game_ids
from pbem.render.narrative import Teller
from pbem.table.kit import KitError
from pbem.table.orders import Field, Many, Order, Unreadable, order_from_json
from pbem.table.procedure import Table
from pbem.table.questions import Question
from pbem.web import actions, compare
from pbem.web.actions import ACTIONS, Action, Problem, Strict, one_line, prose
from pbem.web.context import now, service, settings
from pbem.web.desk import moderators
from pbem.web.forms import order_forms
from pbem.web.security import BUNDLE_LIMIT, SEND_LIMIT, csrf, limiter

log = logging.getLogger(__name__)

MOST_LINES = 1_000
MOST_EVENTS = 200
EXAMPLES = 5
WRONG_TOKENS = "30 per minute"
PROBLEM_JSON = "application/problem+json"
JSON_LINES = "application/jsonl"

pages = Blueprint("api", __name__, url_prefix="/api")
everybody = ApiBlueprint("api-everybody", __name__, url_prefix="/api", description="What everybody may know.")
seats = ApiBlueprint(
    "api-seat", __name__, url_prefix="/api/campaigns/<campaign>/seat",
    description="For a player: with the token of the seat, which is the secret part of the seat's mail address and link.",
)  # fmt: skip
desk = ApiBlueprint(
    "api-moderator", __name__, url_prefix="/api/desk",
    description="For moderators: with a token made on the page of the account.",
)  # fmt: skip
ROUTES = (everybody, seats, desk)


class Trouble(Exception):
    """A problem to be told."""

    def __init__(self, problem: Problem, **more: Any):
        super().__init__(problem.detail)
        self.problem, self.more = problem, more


# --- making the API ---------------------------------------------------------------------------------------------------


class ProblemSchema(Schema):
    """What went wrong, and what would be right (RFC 9457)."""

    type = fields.String(metadata={"description": "Names the kind of problem: `urn:pbem:not-now`, for instance."})
    title = fields.String()
    status = fields.Integer()
    detail = fields.String(metadata={"description": "What is wrong in this case."})
    hints = fields.List(fields.String(), metadata={"description": "What would be right."})
    errors = fields.Dict(
        keys=fields.String(), values=fields.String(), metadata={"description": "Field → what is wrong with it."}
    )
    answer = fields.Raw(metadata={"description": "Where orders were refused: the whole answer, line by line."})


class _Api(Api):
    """flask-smorest without its own answers to errors and without pages that load scripts from elsewhere."""

    ERROR_SCHEMA = ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None  # the responses are described below, with their own media type

    def _register_error_handlers(self) -> None:
        """The routes' own handlers tell problems; the pages keep theirs."""


def register(app: Flask) -> None:
    """Add the API and its description to an application."""
    app.config.update(API_TITLE="pbem", API_VERSION="1", OPENAPI_VERSION="3.1.0")
    site = app.extensions["pbem_settings"].site.rstrip("/")
    api = _Api(app, spec_kwargs={
        "info": {"description": "Campaign games played by mail and page: everything that the pages do, for programs."},
        "servers": [{"url": site}],
    })  # fmt: skip
    for name, what in (("seat", "The token of a seat."), ("moderator", "The token of a moderator.")):
        api.spec.components.security_scheme(name, {"type": "http", "scheme": "bearer", "description": what})
    for routes in ROUTES:
        api.register_blueprint(routes)
    app.register_blueprint(pages)
    app.extensions["pbem_api"] = api
    app.before_request(_routing_problem)


for _routes in ROUTES:
    csrf.exempt(_routes)
    limiter.limit(WRONG_TOKENS, deduct_when=lambda response: response.status_code == 401, override_defaults=False)(_routes)


def description() -> dict[str, Any]:
    """The OpenAPI description, with security and problems on every operation."""
    found: dict[str, Any] = current_app.extensions["pbem_api"].spec.to_dict()
    found.setdefault("components", {}).setdefault("schemas", {}).setdefault("Problem", _problem_schema())
    needs = {"api-seat": [{"seat": []}], "api-moderator": [{"moderator": []}], "api-everybody": []}
    for path in found["paths"].values():
        for method, operation in path.items():
            if method == "parameters":
                continue
            tag = operation["tags"][0]
            operation["security"] = needs[tag]
            codes = ["404", "422", "429"] if tag == "api-everybody" else ["401", "404", "409", "422", "429"]
            for code in codes:
                operation["responses"][code] = {
                    "description": _WORDS[code],
                    "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
                }
            operation["responses"].pop("default", None)
    return found


_WORDS = {
    "401": "The token is missing, wrong, or of something else.", "404": "There is nothing here for you.",
    "409": "Not as things stand.", "422": "Something sent is not right.", "429": "Too many requests.",
}  # fmt: skip


def _converter() -> Any:
    return current_app.extensions["pbem_api"].ma_plugin.converter


def _problem_schema() -> dict[str, Any]:
    return _converter().schema2jsonschema(ProblemSchema())


@pages.get("/openapi.json")
def openapi() -> Response:
    """The description for programs."""
    return jsonify(description())


@pages.get("/")
def readable() -> str:
    """The description for people."""
    return render_template("web/desk/api.html.j2", groups=_groups(description()))


def _groups(spec: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The operations of the description by group, with the fields of what is sent."""
    found = {tag["name"]: {"about": tag["description"], "operations": []} for tag in spec["tags"]}
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            if method == "parameters":
                continue
            parameters = [p for p in [*methods.get("parameters", ()), *operation.get("parameters", ())] if "name" in p]
            body = next(iter(operation.get("requestBody", {}).get("content", {}).values()), None)
            found[operation["tags"][0]]["operations"].append({
                "method": method.upper(), "path": path, "summary": operation.get("summary", ""),
                "text": operation.get("description", ""), "parameters": parameters,
                "fields": _fields(spec, body["schema"]) if body else [],
            })  # fmt: skip
    return list(found.values())


def _fields(spec: Mapping[str, Any], schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    if "$ref" in schema:
        schema = spec["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    required = schema.get("required", ())
    return [{"name": n, "required": n in required, **_kind(spec, f)} for n, f in schema.get("properties", {}).items()]


def _kind(spec: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    kind = schema.get("type", "")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    if "enum" in schema:
        kind = " | ".join(str(value) for value in schema["enum"] if value is not None)
    inner = [schema, *schema.get("allOf", ()), schema.get("items", {})]
    more = next((_fields(spec, part) for part in inner if "$ref" in part), [])
    return {"kind": kind or "any", "text": schema.get("description", ""), "more": more}


# --- problems and tokens ----------------------------------------------------------------------------------------------


def _told(problem: Problem, **more: Any) -> Response:
    body: dict[str, Any] = {"type": f"urn:pbem:{problem.kind}", "title": problem.title, "status": problem.status,
                            "detail": problem.detail}  # fmt: skip
    if problem.hints:
        body["hints"] = list(problem.hints)
    if problem.errors:
        body["errors"] = dict(problem.errors)
    response = jsonify(body | more)
    response.status_code = problem.status
    response.content_type = PROBLEM_JSON
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="pbem"'
    return response


def _problem(error: Exception) -> Response:
    """The answer to anything that goes wrong on a route of the API."""
    if isinstance(error, Trouble):
        return _told(error.problem, **error.more)
    if isinstance(error, HTTPException):
        return _http_problem(error)
    known = actions.problem_of(error)
    if known is None:
        log.error("a route of the API failed", exc_info=error)
        detail = "What was sent has not been carried out. The operator finds the fault in the log."
        known = Problem(500, "fault", "The service has made a mistake", detail)
    return _told(known)


def _http_problem(error: HTTPException) -> Response:
    code = error.code or 500
    data = getattr(error, "data", None) or {}
    if "messages" in data:
        messages = data["messages"]
        # webargs puts the place of the fields around them
        inner = next(iter(messages.values())) if isinstance(messages, dict) and len(messages) == 1 else messages
        errors = actions.flat(inner)
        detail = "; ".join(f"{name}: {text}" if name else text for name, text in errors.items())
        return _told(Problem(422 if code < 500 else code, "invalid", "Some fields are not right", detail, errors=errors))
    known = {
        400: ("unreadable", "This could not be read", "The body is JSON, in UTF-8, with Content-Type: application/json."),
        404: ("nothing-here", "There is nothing here for you", "There is no such thing, or it is not yours to see."),
        405: ("method", "Not in this way", "This address takes other methods; see /api/."),
        413: ("too-long", "That is too long", "Send it in parts, or by mail."),
        415: ("media-type", "This is not read", "The body is JSON, with Content-Type: application/json."),
        429: ("too-many", "Too many requests", "Wait as long as the header Retry-After says, then try again."),
    }
    kind, title, detail = known.get(code, ("http", error.name, error.description or error.name))
    response = _told(Problem(code, kind, title, detail))
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def _routing_problem() -> Response | None:
    """An address that is none, below /api/: told as a problem too."""
    error = request.routing_exception
    if error is None or not request.path.startswith("/api/") or (error.code or 0) < 400:
        return None
    return _http_problem(error)


for _routes in ROUTES:
    _routes.register_error_handler(Exception, _problem)


def _bearer() -> str:
    """The token of the request. Raises `Trouble` when there is none, or when one stands in the address."""
    for name in request.args:
        if "token" in name.lower() or name.lower() in ("key", "authorization"):
            detail = "A token in an address ends up in logs. Replace it, and send the new one in the header Authorization."
            raise Trouble(Problem(400, "token-in-address", "No token in an address", detail))
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.casefold() != "bearer" or not token.strip():
        raise Trouble(_NO_TOKEN)
    return token.strip()


_NO_TOKEN = Problem(401, "token", "A token is needed", "The header is Authorization: Bearer, and the token after it.")
_BAD_TOKEN = Problem(401, "token", "This token opens nothing here", "It is none, an old one, or of something else.")


@seats.before_request
def _know_seat() -> None:
    campaign = (request.view_args or {}).get("campaign", "")
    token = _bearer()
    try:
        seat = service().seat_of(campaign, token)
    except NoCampaign:
        seat = None
    if seat is None:
        raise Trouble(_BAD_TOKEN)
    g.campaign, g.seat, g.token = campaign.casefold(), seat, token


@desk.before_request
def _know_moderator() -> None:
    found = moderators(service()).of_token(_bearer())
    if found is None:
        raise Trouble(_BAD_TOKEN)
    g.moderator = found
    campaign = (request.view_args or {}).get("campaign")
    if campaign is not None and not moderators(service()).runs(found, campaign):
        raise NoCampaign(campaign)


# --- schemas of answers -----------------------------------------------------------------------------------------------


class AskSchema(Schema):
    """A question that is open."""

    power = fields.String()
    seat = fields.String()
    kind = fields.String()
    key = fields.String()


class StatusSchema(Schema):
    """How a campaign stands, as everybody may know it."""

    campaign = fields.String()
    title = fields.String()
    game = fields.String()
    scenario = fields.String()
    options = fields.Dict()
    policy = fields.Dict()
    state = fields.String(metadata={"enum": list(lookup.STATES)})
    reason = fields.String(allow_none=True)
    seats = fields.Dict(metadata={"description": "seat → `{powers, accepted}`"})
    waiting_for = fields.List(fields.String(), metadata={"description": "Powers; in a sealed round all who are asked."})
    asks = fields.List(fields.Nested(AskSchema))
    asked_at = fields.AwareDateTime(allow_none=True)
    deadline = fields.AwareDateTime(allow_none=True)
    event = fields.Integer(metadata={"description": "Number of the last event."})
    head = fields.String(metadata={"description": "Its hash: the head of the chain."})
    dice = fields.List(fields.Dict(), metadata={"description": "The commitments to the dice."})


class CampaignPageSchema(Schema):
    """Some campaigns of many."""

    campaigns = fields.List(fields.Nested(StatusSchema))
    page = fields.Integer()
    pages = fields.Integer()
    total = fields.Integer()


class BoardSchema(Schema):
    """A board as its reader may see it: what is hidden is null, a hidden card is `?`."""

    game = fields.String()
    powers = fields.List(fields.String())
    state = fields.Dict()
    tracks = fields.Dict()
    units = fields.Dict()
    pieces = fields.Dict()
    piles = fields.Dict()
    sight = fields.Dict()


class EventSchema(Schema):
    """An event of the ledger as its reader may have it."""

    number = fields.Integer()
    kind = fields.String()
    at = fields.String()
    hash = fields.String()
    facts = fields.List(fields.Dict())
    public = fields.Dict()
    own = fields.Dict()
    order = fields.Dict(allow_none=True)
    throws = fields.List(fields.Dict())


class AuditSchema(Schema):
    """All about one random event: order as received, what was thrown and why, proof, board before and after."""

    event = fields.Integer()
    kind = fields.String()
    at = fields.String()
    tree = fields.Integer()
    index = fields.Integer()
    cause = fields.Dict(allow_none=True)
    fact = fields.Dict()
    before = fields.List(fields.Dict())
    after = fields.List(fields.Dict())
    proof = fields.Dict()
    root = fields.Dict()
    hash = fields.String()
    board_before = fields.Nested(BoardSchema)
    board_after = fields.Nested(BoardSchema)


class LineResultSchema(Schema):
    """What came of one line."""

    line = fields.String()
    state = fields.String(metadata={"enum": ["accepted", "refused", "unreadable", "queued", "told"]})
    order = fields.String(allow_none=True, metadata={"description": "The line as it was understood."})
    reason = fields.String(allow_none=True)
    section = fields.String(allow_none=True, metadata={"description": "Of the rulebook."})
    hints = fields.List(fields.String(), metadata={"description": "What would be right."})
    results = fields.List(fields.Dict(), metadata={"description": "Facts, as the sender may see them."})
    text = fields.String(allow_none=True)
    events = fields.List(fields.Integer())


class AskedSchema(Schema):
    """What is asked of a seat."""

    kind = fields.String()
    power = fields.String()
    key = fields.String()
    title = fields.String()
    text = fields.String()
    context = fields.Dict()
    section = fields.String(allow_none=True)
    usages = fields.List(fields.String())
    examples = fields.List(fields.String(), metadata={"description": "Some legal lines."})
    template = fields.String()
    deadline = fields.String(allow_none=True)
    answered = fields.Boolean(metadata={"description": "A sealed answer lies there, and may still be replaced."})
    orders = fields.List(
        fields.Dict(),
        metadata={"description": "The kinds of order that may answer: `order` (the id in JSON), `verb`, `help`, `usage`, "
                                 "`schema` (JSON Schema of its fields), `form` (the legal choices, as the page offers "
                                 "them) and `examples` (legal ones, as line and as JSON)."},
    )  # fmt: skip


class AnswerSchema(Schema):
    """What came of a submission."""

    campaign = fields.String()
    number = fields.Integer(metadata={"description": "In the campaign's inbox."})
    seat = fields.String()
    ok = fields.Boolean(metadata={"description": "Every line was accepted or queued."})
    note = fields.String(allow_none=True)
    lines = fields.List(fields.Nested(LineResultSchema))
    queued = fields.List(fields.String())
    waiting_for = fields.List(fields.String())
    event = fields.Integer()
    head = fields.String()
    received_at = fields.String()


class AtEventSchema(Schema):
    """At which event."""

    event = fields.Integer(validate=validate.Range(0), metadata={"description": "Left out: now."})


class RangeSchema(Schema):
    """Which events, both included."""

    start = fields.Integer(load_default=1, validate=validate.Range(1))
    stop = fields.Integer(validate=validate.Range(1), metadata={"description": f"At most {MOST_EVENTS} events at once."})


class PagingSchema(Schema):
    """Which page."""

    page = fields.Integer(load_default=1, validate=validate.Range(1, 1_000_000))
    size = fields.Integer(load_default=20, validate=validate.Range(1, 100))


class ListSchema(PagingSchema):
    """Which campaigns."""

    state = fields.String(load_default="open", validate=validate.OneOf(["open", "all", *lookup.STATES]))


# --- for everybody ----------------------------------------------------------------------------------------------------


def _public_status(campaign: str) -> Status:
    status = service().status(campaign)
    if not status.policy.get("spectators", True):
        raise NoCampaign(campaign)
    return status


def _shown_status(status: Status) -> dict[str, Any]:
    """A status to be told; why a campaign is held may speak of hidden things."""
    reason = "the rules differ from the record of the open step" if status.state == "held" else status.reason
    return {**asdict(status), "asked_at": status.asked_at, "deadline": status.deadline, "reason": reason}


def _events(campaign: str, reader: str | None, wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
    start = wanted["start"]
    stop = min(wanted.get("stop", start + MOST_EVENTS - 1), start + MOST_EVENTS - 1)
    return service().events(campaign, reader, start, stop)


def _audit(campaign: str, reader: str | None, tree: int, index: int) -> dict[str, Any]:
    try:
        return service().audit(campaign, index, tree, reader)
    except NoCampaign:
        raise
    except LookupError as error:
        raise Trouble(Problem(404, "nothing-here", "There is nothing here for you", str(error))) from error


def _bundle(campaign: str, reader: str | None) -> Response:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle"
        digest = service().export(campaign, reader, file)
        content = file.read_bytes()
    name = f"{campaign}-{reader or 'public'}.jsonl"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Bundle-Digest": digest}
    return Response(content, mimetype=JSON_LINES, headers=headers)


@everybody.get("/games")
@everybody.response(200, Schema.from_dict({"games": fields.List(fields.Dict())}, name="Games"))
def games() -> dict[str, Any]:
    """The games, with scenarios, options and their defaults, kinds of question and of order"""
    found = []
    for id in game_ids():
        try:
            kit = actions.configured_kit(id)
        except KitError:
            continue
        found.append({
            "game": id, "name": kit.name, "status": kit.status, "seats": dict(kit.seats),
            "scenarios": [{"scenario": s, "name": v["name"]} for s, v in kit.scenarios.items()],
            "options": [
                {"option": o.id, "type": o.type, "default": o.default, "choices": list(o.choices), "text": o.text,
                 "minimum": o.minimum, "maximum": o.maximum, "section": o.section} for o in kit.options.values()
            ],
            "hours": dict(kit.times), "orders": [_order_kind(kind) for kind in find_game(id).orders],
        })  # fmt: skip
    return {"games": found}


@everybody.get("/campaigns")
@everybody.arguments(ListSchema, location="query")
@everybody.response(200, CampaignPageSchema)
def campaigns(wanted: dict[str, Any]) -> dict[str, Any]:
    """The campaigns, last news first"""
    state = "" if wanted["state"] == "all" else wanted["state"]
    page = lookup.campaign_ids(service().store, state=state, page=wanted["page"], size=wanted["size"])
    rows = [_shown_status(s) for id in page.rows if (s := service().status(id)).policy.get("spectators", True)]
    return {"campaigns": rows, "page": page.number, "pages": page.pages, "total": page.total}


@everybody.get("/campaigns/<campaign>")
@everybody.response(200, StatusSchema)
def status(campaign: str) -> dict[str, Any]:
    """How a campaign stands"""
    return _shown_status(_public_status(campaign))


@everybody.get("/campaigns/<campaign>/board")
@everybody.arguments(AtEventSchema, location="query")
@everybody.response(200, BoardSchema)
def board(wanted: dict[str, Any], campaign: str) -> dict[str, Any]:
    """The board as everybody sees it, now or after an event"""
    return service().view_at(_public_status(campaign).campaign, None, wanted.get("event")).to_json()


@everybody.get("/campaigns/<campaign>/events")
@everybody.arguments(RangeSchema, location="query")
@everybody.response(200, EventSchema(many=True))
def events(wanted: dict[str, Any], campaign: str) -> list[dict[str, Any]]:
    """The events as everybody may read them"""
    return _events(_public_status(campaign).campaign, None, wanted)


@everybody.get("/campaigns/<campaign>/rolls/<int:tree>/<int:index>")
@everybody.response(200, AuditSchema)
def audit(campaign: str, tree: int, index: int) -> dict[str, Any]:
    """All about one roll or draw"""
    return _audit(_public_status(campaign).campaign, None, tree, index)


@everybody.get("/campaigns/<campaign>/bundle")
@everybody.response(200, content_type=JSON_LINES, schema=fields.String(), description="The bundle.")
@limiter.limit(BUNDLE_LIMIT)
def bundle(campaign: str) -> Response:
    """The ledger as everybody may see it, for `verify.py`"""
    return _bundle(_public_status(campaign).campaign, None)


# --- for a seat -------------------------------------------------------------------------------------------------------


class SeatSchema(Schema):
    """A seat as its player sees it."""

    seat = fields.String()
    powers = fields.List(fields.String())
    accepted = fields.Boolean()
    asked = fields.Boolean(metadata={"description": "Whether something is asked of it."})
    queued = fields.List(fields.String())
    campaign = fields.Nested(StatusSchema)


class OrdersSchema(Strict):
    """What a seat says: either lines, as a mail would hold them, or orders as JSON."""

    lines = fields.List(
        fields.String(validate=validate.Length(max=40_000)), validate=validate.Length(1, MOST_LINES),
        metadata={"description": "Orders and commands, one each.", "example": ["BUILD navy AT baltic", "PASS"]},
    )  # fmt: skip
    orders = fields.List(
        fields.Dict(), validate=validate.Length(1, 50),
        metadata={"description": "Orders: `order` and its fields, see the schemas of the question.",
                  "example": [{"order": "build", "unit": "navy", "region": "baltic"}]},
    )  # fmt: skip


class CheckSchema(Strict):
    """One line, or one order."""

    line = fields.String(validate=validate.Length(1, 40_000))
    order = fields.Dict()


class KeySchema(Schema):
    """How to send the same thing twice without harm."""

    key = fields.String(
        data_key="Idempotency-Key", validate=validate.Length(1, 200),
        metadata={"description": "What is sent again under the same key is not done again; it gets the same answer."},
    )  # fmt: skip


class StandingSchema(Strict):
    """An answer given in advance."""

    kind = one_line(100, required=True)
    conditions = one_line(500, load_default=None, allow_none=True)
    order = one_line(1_000, required=True)


class StandingOrderSchema(Schema):
    """A standing order."""

    number = fields.Integer()
    kind = fields.String()
    conditions = fields.Raw()
    line = fields.String()
    text = fields.String()


class PressSchema(Strict):
    """A message to other powers."""

    to = fields.List(one_line(100), required=True, validate=validate.Length(1, 20), metadata={"example": ["france"]})
    text = prose(20_000, required=True)


class PressMessageSchema(Schema):
    """A message that was sent or received; `from` and `to` are powers."""

    sender = fields.String()
    from_ = fields.List(fields.String(), data_key="from", attribute="from")
    to = fields.List(fields.String())
    text = fields.String(allow_none=True)
    sent_at = fields.String()
    event = fields.Integer()


class SettingsSchema(Strict):
    """How a player wants his mail."""

    language = fields.String(validate=validate.OneOf(["en", "fr", "ru"]))
    timezone = one_line(60)
    reports = fields.String(validate=validate.OneOf(["every", "daily", "questions"]))
    hour = fields.Integer(strict=True, validate=validate.Range(0, 23))
    webhook = fields.Url(schemes={"https", "http"}, allow_none=True, validate=validate.Length(max=500))


class InvitationSchema(Strict):
    """The answer to an invitation."""

    accept = fields.Boolean(required=True)


@seats.get("/")
@seats.response(200, SeatSchema)
def seat(campaign: str) -> dict[str, Any]:
    """Who you are here, and how the campaign stands"""
    found = service().status(g.campaign)
    held = found.seats[g.seat]
    return {
        "seat": g.seat, "powers": held["powers"], "accepted": held["accepted"], "campaign": _shown_status(found),
        "asked": any(ask["seat"] == g.seat for ask in found.asks), "queued": service().queued(g.campaign, g.seat),
    }  # fmt: skip


@seats.put("/invitation")
@seats.arguments(InvitationSchema)
@seats.response(200, AnswerSchema)
@limiter.limit(SEND_LIMIT)
def invitation(sent: dict[str, Any], campaign: str) -> Any:
    """Take the seat that you were invited to, or leave it"""
    return _submitted(["ACCEPT INVITATION" if sent["accept"] else "DECLINE INVITATION"])


@seats.get("/board")
@seats.arguments(AtEventSchema, location="query")
@seats.response(200, BoardSchema)
def seat_board(wanted: dict[str, Any], campaign: str) -> dict[str, Any]:
    """The board as your seat sees it, now or after an event"""
    return service().view_at(g.campaign, g.seat, wanted.get("event")).to_json()


@seats.get("/questions")
@seats.response(200, AskedSchema(many=True))
def questions(campaign: str) -> list[dict[str, Any]]:
    """What is asked of you now, with the legal answers"""
    asked = {one.key: one for one in service().asked(g.campaign, g.seat)}
    if not asked:
        return []
    teller = Teller(service().kit_of(g.campaign))

    def describe(table: Table, found: Sequence[Question]) -> list[dict[str, Any]]:
        return [_question(table, q, asked[q.key], teller) for q in found if q.key in asked]

    return service().table_of(g.campaign, g.seat, describe)


def _question(table: Table, question: Question, asked: Any, teller: Teller) -> dict[str, Any]:
    title, text = teller.question(question.kind, question.context, question.power)
    forms = {form.kind: form for form in order_forms(table, question)}
    orders = []
    for kind in question.orders:
        if kind.id() not in forms:
            continue
        legal = itertools.islice(kind.legal(table, question), EXAMPLES)
        examples = [{"line": order.text(), "json": order.to_json()} for order in legal]
        orders.append({**_order_kind(kind), "form": asdict(forms[kind.id()]), "examples": examples})
    return {**asdict(asked), "title": title, "text": text, "orders": orders}


def _order_kind(kind: type[Order]) -> dict[str, Any]:
    return {"order": kind.id(), "verb": kind.pattern.verb, "help": kind.help(), "usage": kind.usage(),
            "schema": _order_schema(kind.fields, kind.id())}  # fmt: skip


def _order_schema(of: Mapping[str, Field], id: str | None = None) -> dict[str, Any]:
    """The JSON Schema of an order's fields, or of those of a group in it."""
    properties: dict[str, Any] = {"order": {"const": id}} if id else {}
    for name, field in of.items():
        properties[name] = _converter().field2property(field.schema_field())
        if isinstance(field, Many) and not isinstance(field.of, Field):
            properties[name]["items"] = _order_schema(field.of.fields)
        if field.help:
            properties[name]["description"] = field.help
    required = [*(["order"] if id else []), *(name for name, field in of.items() if not field.optional)]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


@seats.post("/check")
@seats.arguments(CheckSchema)
@seats.response(200, LineResultSchema)
@limiter.limit(SEND_LIMIT)
def check(sent: dict[str, Any], campaign: str) -> Any:
    """Whether a line would be taken now; nothing is changed and nothing thrown"""
    if len(sent) != 1:
        raise Trouble(Problem(422, "invalid", "Some fields are not right", "Send either line or order."))
    line = sent["line"] if "line" in sent else _lines_of([sent["order"]])[0]
    return service().check_line(g.campaign, g.seat, line)


@seats.post("/orders")
@seats.arguments(KeySchema, location="headers")
@seats.arguments(OrdersSchema)
@seats.response(200, AnswerSchema)
@limiter.limit(SEND_LIMIT)
def orders(headers: dict[str, Any], sent: dict[str, Any], campaign: str) -> Any:
    """Send orders and commands, as a mail would

    The answer is that of a mail, line by line. Where nothing was accepted, it comes as a problem: 422 where a line could
    not be read (then nothing of it is carried out), 409 where the rules do not allow it now.
    """
    if len(sent) != 1:
        raise Trouble(Problem(422, "invalid", "Some fields are not right", "Send either lines or orders."))
    lines = [part for line in sent["lines"] for part in line.splitlines() or [""]] if "lines" in sent else None
    return _submitted(lines if lines is not None else _lines_of(sent["orders"]), headers.get("key"))


def _lines_of(orders: Sequence[Any]) -> list[str]:
    """The lines that orders in JSON stand for."""
    kinds = find_game(service().status(g.campaign).game).orders
    try:
        return [order_from_json(kinds, order).text() for order in orders]
    except Unreadable as error:
        raise Trouble(Problem(422, "unreadable", "An order could not be read", error.reason, tuple(error.hints))) from error


def _submitted(lines: Sequence[str], key: str | None = None) -> Any:
    if key is not None:
        before = lookup.lines_of_key(service().store, g.campaign, g.seat, key)
        if before is not None and before != list(lines):
            detail = "This key was used before for other lines; a new order needs a new key."
            raise Trouble(Problem(422, "key-used", "The key was used before", detail))
    answer = service().submit(Submission(
        g.campaign, list(lines), now(), "api", token=g.token, message_id=key, remote=request.remote_addr
    ))  # fmt: skip
    service().project()
    _raise_for(answer)
    return answer


def _raise_for(answer: Answer) -> None:
    """Tell an answer in which nothing was done as a problem."""
    states = {line.state for line in answer.lines}
    if answer.ok or states & {"accepted", "queued"}:
        return
    told = next((line for line in answer.lines if line.state in ("unreadable", "refused")), None)
    if told is None:
        if answer.lines or service().answer(answer.campaign, answer.number) is None:
            return  # questions that were answered (STATUS, HELP), or orders that wait for a deadline to be dealt with
        raise Trouble(Problem(409, "nothing-done", "Nothing was done", answer.note or "Nothing was found to do."),
                      answer=AnswerSchema().dump(answer))  # fmt: skip
    bad = "unreadable" in states
    title = "A line could not be read; nothing was carried out" if bad else "The rules do not allow this now"
    section = f" ({told.section})" if told.section else ""
    problem = Problem(422 if bad else 409, "unreadable" if bad else "refused", title,
                      f"{told.line}: {told.reason}{section}", tuple(told.hints))  # fmt: skip
    raise Trouble(problem, answer=AnswerSchema().dump(answer))


@seats.get("/answers/<int:number>")
@seats.response(200, AnswerSchema)
def answer(campaign: str, number: int) -> Any:
    """The answer to one of your submissions, by mail or otherwise"""
    found = service().answer(g.campaign, number) if number < 2**31 else None
    if found is None or found.seat != g.seat:
        raise Trouble(Problem(404, "nothing-here", "There is nothing here for you", "You have no such answer (yet)."))
    return found


@seats.get("/events")
@seats.arguments(RangeSchema, location="query")
@seats.response(200, EventSchema(many=True))
def seat_events(wanted: dict[str, Any], campaign: str) -> list[dict[str, Any]]:
    """The events as you may read them"""
    return _events(g.campaign, g.seat, wanted)


@seats.get("/rolls/<int:tree>/<int:index>")
@seats.response(200, AuditSchema)
def seat_audit(campaign: str, tree: int, index: int) -> dict[str, Any]:
    """All about one roll or draw, as you may know it"""
    return _audit(g.campaign, g.seat, tree, index)


@seats.get("/bundle")
@seats.response(200, content_type=JSON_LINES, schema=fields.String(), description="The bundle.")
@limiter.limit(BUNDLE_LIMIT)
def seat_bundle(campaign: str) -> Response:
    """The ledger as you may see it, for `verify.py`"""
    return _bundle(g.campaign, g.seat)


@seats.get("/standing")
@seats.response(200, StandingOrderSchema(many=True))
def standing(campaign: str) -> list[dict[str, Any]]:
    """Your standing orders"""
    return service().standing(g.campaign, g.seat)


@seats.post("/standing")
@seats.arguments(StandingSchema)
@seats.response(200, AnswerSchema)
@limiter.limit(SEND_LIMIT)
def new_standing(sent: dict[str, Any], campaign: str) -> Any:
    """Answer a kind of question in advance"""
    condition = f" IF {sent['conditions']}" if sent["conditions"] else ""
    line = f"STANDING {sent['kind']}{condition}: {sent['order']}"
    read = _read([line])
    if isinstance(read, Standing) and (read.conditions or None) != (sent["conditions"] or None):
        detail = "Kind and conditions hold no colon; conditions are like: space metz, strength >= 3"
        raise Trouble(Problem(422, "bad-value", "A value cannot be", detail))
    return _submitted([line])


@seats.delete("/standing/<int:number>")
@seats.response(200, AnswerSchema)
@limiter.limit(SEND_LIMIT)
def cancel_standing(campaign: str, number: int) -> Any:
    """Cancel a standing order"""
    return _submitted([f"CANCEL STANDING {number}"])


@seats.delete("/queue")
@seats.response(200, AnswerSchema)
@limiter.limit(SEND_LIMIT)
def cancel_queue(campaign: str) -> Any:
    """Drop your queued orders"""
    return _submitted(["CANCEL QUEUE"])


@seats.get("/press")
@seats.response(200, PressMessageSchema(many=True))
def press(campaign: str) -> list[dict[str, Any]]:
    """The press that you sent or got"""
    return service().press(g.campaign, g.seat)


@seats.post("/press")
@seats.arguments(PressSchema)
@seats.response(200, AnswerSchema)
@limiter.limit(SEND_LIMIT)
def send_press(sent: dict[str, Any], campaign: str) -> Any:
    """Send a message to other powers; `ALL` means all"""
    first, *rest = sent["text"].splitlines() or [""]
    to = ", ".join(sent["to"])
    lines = [f"PRESS TO {to}: {first}", *rest, "END"]
    read = _read(lines)
    if not isinstance(read, Press) or read.to != to:
        detail = "A line of the message, or a name, reads as an order or as the end of a message: put it in other words."
        raise Trouble(Problem(422, "bad-value", "A value cannot be", detail))
    return _submitted(lines)


def _read(lines: Sequence[str]) -> Order | None:
    """The one order that some lines stand for; None where they are several, or none."""
    found = read_lines(find_game(service().status(g.campaign).game).orders, lines, service().kit_of(g.campaign))
    return found[0].order if len(found) == 1 else None


@seats.get("/settings")
@seats.response(200, SettingsSchema)
def preferences(campaign: str) -> Any:
    """How you want your mail"""
    return service().player(g.campaign, g.seat)


@seats.patch("/settings")
@seats.arguments(SettingsSchema)
@seats.response(200, AnswerSchema)
@limiter.limit(SEND_LIMIT)
def set_preferences(sent: dict[str, Any], campaign: str) -> Any:
    """Change how you want your mail; what is left out stays"""
    lines = []
    if "language" in sent:
        lines.append(f"SET LANGUAGE {sent['language']}")
    if "timezone" in sent:
        lines.append(f"SET TIMEZONE {sent['timezone']}")
    if "reports" in sent or "hour" in sent:
        mode = sent.get("reports") or (service().player(g.campaign, g.seat) or {}).get("reports", "every")
        lines.append(f"SET REPORTS {mode}" + (f" AT {sent['hour']}" if "hour" in sent else ""))
    if "webhook" in sent:
        lines.append(f"SET WEBHOOK {sent['webhook'] or 'OFF'}")
    if not lines:
        raise Trouble(Problem(422, "invalid", "Some fields are not right", "Nothing is to be changed by this."))
    return _submitted(lines)


# --- for moderators ---------------------------------------------------------------------------------------------------


class DeskListSchema(ListSchema):
    """Which campaigns, in which order."""

    search = fields.String(load_default="", validate=validate.Length(max=100))
    only = fields.String(validate=validate.OneOf(["late", "trouble"]))
    sort = fields.String(load_default="deadline", validate=validate.OneOf(lookup.SORTS))


class DeskRowSchema(Schema):
    """A campaign in a moderator's list."""

    campaign = fields.String()
    title = fields.String()
    game = fields.String()
    scenario = fields.String()
    state = fields.String()
    waiting_for = fields.List(fields.String())
    waited_since = fields.AwareDateTime(allow_none=True)
    question = fields.String(allow_none=True)
    deadline = fields.AwareDateTime(allow_none=True)
    event = fields.Integer()
    changed_at = fields.AwareDateTime()
    failed = fields.Integer(metadata={"description": "Messages given up."})
    set_aside = fields.Integer(metadata={"description": "Submissions on which the program failed."})
    moderators = fields.List(fields.String())


class DeskPageSchema(Schema):
    """Some campaigns of many."""

    campaigns = fields.List(fields.Nested(DeskRowSchema))
    page = fields.Integer()
    pages = fields.Integer()
    total = fields.Integer()


class DeskCampaignSchema(Schema):
    """A campaign as its moderator sees it: the public part, and who sits where."""

    status = fields.Nested(StatusSchema)
    players = fields.Dict(metadata={"description": "seat → `{name, address, language, timezone, reports}`"})
    moderators = fields.List(fields.String())
    failed = fields.Integer()
    set_aside = fields.Integer()


class CreatedSchema(Schema):
    """A new campaign."""

    campaign = fields.String()


class DoneSchema(Schema):
    """How a campaign stands after an action."""

    campaign = fields.String()
    state = fields.String()
    event = fields.Integer()
    head = fields.String()
    powers = fields.Dict(metadata={"description": "After `assign`."})
    deadline = fields.String(metadata={"description": "After `extend`."})
    at_once = fields.Boolean(metadata={"description": "After `correct-kit`: in force now, or when the step is done."})


class ChangeSchema(Schema):
    """One thing that would differ."""

    what = fields.String()
    before = fields.String()
    after = fields.String()


class InboxPageSchema(Schema):
    """Some submissions of many, without what they say."""

    submissions = fields.List(fields.Dict())
    page = fields.Integer()
    pages = fields.Integer()
    total = fields.Integer()


class OutboxPageSchema(Schema):
    """Some messages of many, without what they say."""

    messages = fields.List(fields.Dict())
    page = fields.Integer()
    pages = fields.Integer()
    total = fields.Integer()


class InboxListSchema(PagingSchema):
    """Which submissions."""

    state = fields.String(load_default="", validate=validate.OneOf(["", "new", "done", "set_aside"]))


class OutboxListSchema(PagingSchema):
    """Which messages."""

    state = fields.String(load_default="", validate=validate.OneOf(["", *lookup.OUTBOX_STATES]))


class KitSchema(Schema):
    """The kit of a campaign."""

    hash = fields.String()
    version = fields.String()
    rebuilt = fields.List(fields.Dict(), metadata={"description": "Values that are not the published ones."})
    differences = fields.List(fields.Dict(), metadata={"description": "What the configured files would change."})


class RetriedSchema(Schema):
    """Whether a message will be tried again."""

    retried = fields.Boolean()


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
        "status": _shown_status(service().status(campaign)), "players": lookup.players(store, campaign),
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
        after = service().try_ruling(campaign, sent["facts"], sent["reason"], ends_step=sent["ends_step"])
    finally:
        service().project()
    return compare.changes(before, after, Teller(service().kit_of(campaign)))


@desk.get("/campaigns/<campaign>/try-rewind/<int:event>")
@desk.response(200, ChangeSchema(many=True))
def try_rewind(campaign: str, event: int) -> Any:
    """What everybody would see change if the game went back to an event"""
    found = service()
    return compare.changes(found.view_at(campaign), found.view_at(campaign, None, event), Teller(found.kit_of(campaign)))


@desk.post("/campaigns/<campaign>/disclose")
@desk.arguments(actions.DiscloseSchema)
@desk.response(200, Schema.from_dict({"hidden": fields.Raw()}, name="Disclosed"))
@limiter.limit(SEND_LIMIT)
def disclose(sent: dict[str, Any], campaign: str) -> dict[str, Any]:
    """Read something hidden; that you do, and why, is an event that all players see"""
    found = service().disclose(campaign, **sent)
    service().project()
    if sent["submission"] is not None:
        # The mail itself is on the page only, where the seat's secret address is left out of it.
        found = {"lines": found["lines"], "answer": found["answer"]}
    return {"hidden": found}


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
@desk.response(200, DeskCampaignSchema(only=("moderators",)))
def hand_over(campaign: str, name: str) -> dict[str, Any]:
    """Let another moderator run a campaign too"""
    actions.hand_over(service(), moderators(service()), campaign, name)
    return {"moderators": moderators(service()).of_campaign(campaign)}


@desk.delete("/campaigns/<campaign>/moderators/<name>")
@desk.response(200, DeskCampaignSchema(only=("moderators",)))
def take_away(campaign: str, name: str) -> dict[str, Any]:
    """Take a campaign from a moderator"""
    moderators(service()).leave(campaign, name)
    return {"moderators": moderators(service()).of_campaign(campaign)}


__all__ = ["description", "register", "settings"]
