"""Conditional requests (RFC 9110, section 13): what changes only with a new event is not made and sent again.

A page or route names what its content hangs on, once it knows its reader, and ends there where he has it already: the
tag is worked out from the head of the campaign's chain, without board, forms or template. Pages of a seat are kept by
no browser all the same (``no-store``), for they hold hands of cards; who follows one asks for its head.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, g, request, session

from pbem import resources
from pbem.campaign.queries import Glance
from pbem.campaign.service import Status
from pbem.web.context import language, now, zone

KEPT = "private, no-cache"
"""May be kept by the reader, who asks each time whether it is still so."""


class Unchanged(Exception):
    """The reader has what he asks for."""


def unless_known(stands: Status | Glance, seat: str | None = None, *, page: bool = False) -> None:
    """End the request with 304 where its sender has what this address gives a seat (None: everybody) after the last
    event.

    `page`: what is given is a page for people, in the reader's language and time zone, with the time that is left.
    """
    version, head = (stands.event if isinstance(stands, Status) else stands.version), stands.head
    parts: list[Any] = [_program(), version, head, seat, request.full_path]
    if page:
        if "_flashes" in session:
            return  # a message that is shown once
        parts += [language().code, str(zone()), session.get("csrf_token"), g.get("seen")]
        parts += [now().strftime("%Y-%m-%d %H:%M") if stands.deadline else ""]
    g.tag = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
    g.kept = not (page and seat)
    if request.if_none_match.contains_weak(g.tag):
        raise Unchanged


def unchanged(error: Unchanged | None = None) -> Response:
    """The answer to who has what he asks for."""
    return Response(status=304)


def add_tag(response: Response) -> Response:
    """Put the tag on an answer that has one."""
    tag = g.get("tag")
    if tag is not None and response.status_code in (200, 304):
        response.set_etag(tag, weak=True)
        if g.kept:
            response.headers["Cache-Control"] = KEPT
    return response


@cache
def _program() -> int:
    """When the newest file that answers are made from was changed: another program may make others of the same."""
    roots = (resources.PACKAGE, resources.path("templates"), resources.path("config"))
    return max(file.stat().st_mtime_ns for root in roots for file in Path(root).rglob("*") if file.is_file())


__all__ = ["Unchanged", "add_tag", "unchanged", "unless_known"]
