"""The JSON API: all that the pages do, described by OpenAPI at ``/api/openapi.json`` and on the page ``/api/``.

Three groups of routes: for everybody, for a seat, for moderators. A seat's token or a moderator's token goes into the
header ``Authorization: Bearer …``, never into an address; cookies are not looked at, so that no other site can act
through a browser. What changes with a new event only has an ETag, and is asked for again by it
(`pbem.web.unchanged`). What goes wrong is told as a problem of RFC 9457, which says what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Flask, Response, current_app, jsonify, render_template, request
from flask_smorest import Api

from pbem.web.api.desk import desk
from pbem.web.api.everybody import everybody
from pbem.web.api.problems import PROBLEM_JSON, ProblemSchema, answer_to, http_problem
from pbem.web.api.seats import ONLY_WITH_EVENTS, seats
from pbem.web.api.shared import converter
from pbem.web.security import csrf, limiter

WRONG_TOKENS = "30 per minute"
ROUTES = (everybody, seats, desk)

pages = Blueprint("api", __name__, url_prefix="/api")


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


def _is_wrong_token(response: Response) -> bool:
    return response.status_code == 401


for _routes in ROUTES:
    csrf.exempt(_routes)
    _routes.register_error_handler(Exception, answer_to)
    limiter.limit(WRONG_TOKENS, deduct_when=_is_wrong_token, override_defaults=False)(_routes)


def description() -> dict[str, Any]:
    """The OpenAPI description, with security and problems on every operation."""
    described: dict[str, Any] = current_app.extensions["pbem_api"].spec.to_dict()
    described.setdefault("components", {}).setdefault("schemas", {}).setdefault("Problem", _problem_schema())
    needs: dict[str, list[dict[str, list[str]]]] = {
        "api-seat": [{"seat": []}],
        "api-moderator": [{"moderator": []}],
        "api-everybody": [],
    }
    unchanged = _only_with_events()
    for address, path in described["paths"].items():
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
            if method == "get" and address in unchanged:
                operation["responses"]["304"] = {
                    "description": "Nothing has happened since the answer whose ETag was sent as If-None-Match."
                }
    return described


def _only_with_events() -> set[str]:
    """The addresses, as the description has them, whose answers change with a new event only."""
    return {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for rule in current_app.url_map.iter_rules()
        if rule.endpoint in ONLY_WITH_EVENTS
        or (rule.endpoint.startswith(f"{everybody.name}.") and "campaign" in rule.arguments)
    }


_WORDS = {
    "401": "The token is missing, wrong, or of something else.", "404": "There is nothing here for you.",
    "409": "Not as things stand.", "422": "Something sent is not right.", "429": "Too many requests.",
}  # fmt: skip


def _problem_schema() -> dict[str, Any]:
    return converter().schema2jsonschema(ProblemSchema())


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
    groups = {tag["name"]: {"about": tag["description"], "operations": []} for tag in spec["tags"]}
    for path, methods in spec["paths"].items():
        for method, operation in methods.items():
            if method == "parameters":
                continue
            parameters = [p for p in [*methods.get("parameters", ()), *operation.get("parameters", ())] if "name" in p]
            body = next(iter(operation.get("requestBody", {}).get("content", {}).values()), None)
            groups[operation["tags"][0]]["operations"].append({
                "method": method.upper(), "path": path, "summary": operation.get("summary", ""),
                "text": operation.get("description", ""), "parameters": parameters,
                "fields": _fields(spec, body["schema"]) if body else [],
            })  # fmt: skip
    return list(groups.values())


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


def _routing_problem() -> Response | None:
    """An address that is none, below /api/: told as a problem too."""
    error = request.routing_exception
    if error is None or not request.path.startswith("/api/") or (error.code or 0) < 400:
        return None
    return http_problem(error)


__all__ = ["description", "register"]
