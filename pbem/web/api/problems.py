"""Problems of RFC 9457, and the tokens without which most routes answer with one."""

from __future__ import annotations

import logging
import math
from typing import Any

from flask import Request, Response, jsonify, request
from flask_smorest import Blueprint
from marshmallow import Schema, fields
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import HTTPException

from pbem.web import actions
from pbem.web.actions import Problem
from pbem.web.unchanged import Unchanged, unchanged

log = logging.getLogger(__name__)

PROBLEM_JSON = "application/problem+json"


class Trouble(Exception):
    """A problem to be told."""

    def __init__(self, problem: Problem, **more: Any):
        super().__init__(problem.detail)
        self.problem, self.more = problem, more


class _Parser(FlaskParser):
    """Reads what was sent; what no store takes is no fault of the program."""

    def load_json(self, req: Request, schema: Schema) -> Any:
        try:
            sent = super().load_json(req, schema)
            _check_storable(sent)
        except RecursionError as error:
            raise _unreadable("The JSON of the body is nested too deeply.") from error
        except ValueError as error:  # of Python's reader, for numbers of thousands of digits
            raise _unreadable("The JSON of the body holds a number that is too long.") from error
        return sent

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        _check_storable(req.args.to_dict(flat=False))
        return super().load_querystring(req, schema)


def _unreadable(detail: str, status: int = 400) -> Trouble:
    return Trouble(Problem(status, "unreadable", "This could not be read", detail))


def _check_storable(value: Any) -> None:
    """Raises `Trouble` where a JSON value holds what is no JSON, or no text of Unicode, or NUL."""
    if isinstance(value, str):
        if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
            raise _unreadable("A text holds NUL or half a character, which no store takes.", 422)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise _unreadable("A number is not finite.", 422)
    elif isinstance(value, dict):
        for name, held in value.items():
            _check_storable(name)
            _check_storable(held)
    elif isinstance(value, list):
        for held in value:
            _check_storable(held)


class Routes(Blueprint):
    """A group of routes."""

    ARGUMENTS_PARSER = _Parser()


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
    code = fields.String(metadata={"description": "Of a refusal by the rules: which, as a code."})
    values = fields.Dict(metadata={"description": "What the refusal is about: ids, numbers, lists of these."})
    answer = fields.Raw(metadata={"description": "Where orders were refused: the whole answer, line by line."})


def told(problem: Problem, **more: Any) -> Response:
    body: dict[str, Any] = {"type": f"urn:pbem:{problem.kind}", "title": problem.title, "status": problem.status,
                            "detail": problem.detail}  # fmt: skip
    if problem.hints:
        body["hints"] = list(problem.hints)
    if problem.errors:
        body["errors"] = dict(problem.errors)
    if problem.refused is not None and problem.refused.code:
        body |= {"code": problem.refused.code, "values": problem.refused.values}
    response = jsonify(body | more)
    response.status_code = problem.status
    response.content_type = PROBLEM_JSON
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="pbem"'
    return response


def answer_to(error: Exception) -> Response:
    """The answer to anything that goes wrong on a route of the API."""
    if isinstance(error, Unchanged):
        return unchanged()
    if isinstance(error, Trouble):
        return told(error.problem, **error.more)
    if isinstance(error, HTTPException):
        return http_problem(error)
    known = actions.problem_of(error)
    if known is None or known.status >= 500:
        log.error("a route of the API failed", exc_info=error)
    if known is None:
        detail = "What was sent has not been carried out. The operator finds the fault in the log."
        known = Problem(500, "fault", "The service has made a mistake", detail)
    return told(known)


def http_problem(error: HTTPException) -> Response:
    code = error.code or 500
    data = getattr(error, "data", None) or {}
    if "messages" in data:
        messages = data["messages"]
        # webargs puts the place of the fields around them
        inner = next(iter(messages.values())) if isinstance(messages, dict) and len(messages) == 1 else messages
        errors = actions.flat(inner)
        detail = "; ".join(f"{name}: {text}" if name else text for name, text in errors.items())
        return told(Problem(code, "invalid", "Some fields are not right", detail, errors=errors))
    known = {
        400: ("unreadable", "This could not be read", "The body is JSON in UTF-8, Content-Type: application/json."),
        404: ("nothing-here", "There is nothing here for you", "There is no such thing, or it is not yours to see."),
        405: ("method", "Not in this way", "This address takes other methods; see /api/."),
        413: ("too-long", "That is too long", "Send it in parts, or by mail."),
        415: ("media-type", "This is not read", "The body is JSON, with Content-Type: application/json."),
        429: ("too-many", "Too many requests", "Wait as long as the header Retry-After says, then try again."),
    }
    kind, title, detail = known.get(code, ("http", error.name, error.description or error.name))
    response = told(Problem(code, kind, title, detail))
    for name, value in error.get_headers():
        if name in ("Allow", "Retry-After"):
            response.headers[name] = value
    return response


def bearer() -> str:
    """The token of the request. Raises `Trouble` when there is none, or when one stands in the address."""
    for name in request.args:
        if "token" in name.lower() or name.lower() in ("key", "authorization"):
            detail = "Addresses end up in logs: have this token replaced, and send the new one in a header."
            raise Trouble(Problem(400, "token-in-address", "No token in an address", detail))
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.casefold() != "bearer" or not token.strip():
        raise Trouble(NO_TOKEN)
    return token.strip()


NO_TOKEN = Problem(401, "token", "A token is needed", "The header is Authorization: Bearer, and the token after it.")
BAD_TOKEN = Problem(401, "token", "This token opens nothing here", "It is none, an old one, or of something else.")


