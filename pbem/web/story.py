"""The ledger for people: what happened, event by event, the board at any of them, and the audit of every roll.

Readers are the seat that this browser is signed in to, or everybody. All content comes from the service, which gives a
reader what he may read and nothing more.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, request, send_file, url_for

from pbem.campaign import verify
from pbem.campaign.page import picture, tell, words
from pbem.render import happenings
from pbem.render.narrative import narrate
from pbem.table.board import Board
from pbem.web import boards
from pbem.web.campaign_pages import open_campaign
from pbem.web.context import language, service
from pbem.web.security import AUDIT_LIMIT, BUNDLE_LIMIT, costly, limiter, nothing_here
from pbem.web.unchanged import unless_known

blueprint = Blueprint("story", __name__)
EVENTS_ON_A_PAGE = 25
BUNDLES_IN_MEMORY = 8 * 1024 * 1024


# --- pages ------------------------------------------------------------------------------------------------------------


@blueprint.get("/c/<campaign>/ledger")
def ledger(campaign: str) -> str:
    """The list of events, newest first."""
    page = open_campaign(campaign)
    unless_known(page.status, page.seat, page=True)
    last = page.status.event
    pages = max(1, -(-last // EVENTS_ON_A_PAGE))
    number = request.args.get("page", 1, type=int)
    if not 1 <= number <= pages:
        abort(404)
    stop = last - (number - 1) * EVENTS_ON_A_PAGE
    events = service().events(campaign, page.seat, max(1, stop - EVENTS_ON_A_PAGE + 1), stop)
    told = [tell(event, page.teller, page.seat) for event in reversed(events)]
    return page.render("ledger", _title_of_ledger(), events=told, number=number, pages=pages)


def _title_of_ledger() -> str:
    return language().text("Ledger")


@blueprint.get("/c/<campaign>/points")
def points(campaign: str) -> str:
    """Why the points stand as they do."""
    page = open_campaign(campaign)
    unless_known(page.status, page.seat, page=True)
    return page.render("points", language().text("Points"), reasons=page.gather().reasons)


@blueprint.get("/c/<campaign>/head")
def head(campaign: str) -> Response:
    """The last event, for those who follow a campaign: ``{"event": 12, "head": "…"}``."""
    status = open_campaign(campaign).status
    unless_known(status)
    return jsonify(event=status.event, head=status.head)


@blueprint.get("/c/<campaign>/ledger/go")
def go(campaign: str) -> Any:
    """The event whose number was typed."""
    number = request.args.get("number", type=int)
    if number is None:
        abort(400)
    return redirect(url_for(".event", campaign=campaign, number=number))


@blueprint.get("/c/<campaign>/ledger/<int:number>")
def event(campaign: str, number: int) -> str:
    """One event, and the board after it."""
    page = open_campaign(campaign)
    unless_known(page.status, page.seat, page=True)
    if not 1 <= number <= page.status.event:
        nothing_here()
    told = tell(service().events(campaign, page.seat, number, number)[0], page.teller, page.seat)
    view = service().view_at(campaign, page.seat, number)
    changed = happenings.changed_places(told.facts)
    svg = picture(view, page.teller, changed)
    return page.render(
        "event", f"{_title_of_ledger()} {number}", told=told, tab="story.ledger",
        board_text=words(view, page.teller), **boards.shown(svg, view, page.teller, changed),
    )  # fmt: skip


@blueprint.get("/c/<campaign>/board/<int:event>.svg")
def board(campaign: str, event: int) -> Response:
    """The board after an event, as a picture alone."""
    page = open_campaign(campaign)
    unless_known(page.status, page.seat, page=True)
    if not 0 <= event <= page.status.event:
        nothing_here()
    places = request.args.get("changed", "", type=str).split(",") if request.args.get("changed") else ()
    svg = picture(service().view_at(campaign, page.seat, event), page.teller, places)
    if svg is None:
        nothing_here()
    return Response(svg, mimetype="image/svg+xml")


@blueprint.get("/c/<campaign>/rolls/<int:tree>/<int:index>")
@limiter.limit(AUDIT_LIMIT)
@costly
def roll(campaign: str, tree: int, index: int) -> str:
    """All about one roll or draw."""
    page = open_campaign(campaign)
    unless_known(page.status, page.seat, page=True)
    try:
        audit = service().audit(campaign, index, tree, page.seat)
    except LookupError:
        nothing_here()
    facts = [*audit["before"], audit["fact"], *audit["after"]]
    places = sorted(happenings.changed_places(facts))
    told = tell(service().events(campaign, page.seat, audit["event"], audit["event"])[0], page.teller, page.seat)
    fact = audit["fact"]
    number, sides = (len(fact["dice"]), fact["sides"]) if fact["fact"] == "roll" else (1, fact["m"])
    around = [f for f in audit["before"] if f["fact"] not in ("roll", "draw")]
    order = audit["cause"]
    return page.render(
        "audit", language().text("Audit of roll %(index)s", index=index), tab="story.ledger", audit=audit, told=told,
        fact=fact, number=number, sides=sides, details=happenings.thrown_with(fact, page.teller),
        changed=",".join(places),
        what=happenings.thrown_for(fact["what"], page.teller), result=narrate([fact], page.kit, language().code),
        before=narrate(around, page.kit, language().code), after=narrate(audit["after"], page.kit, language().code),
        order=order, has_picture=picture(Board.from_json(audit["board_after"]), page.teller) is not None,
        first=min(index for _, index in told.throws), code=recompute(audit["proof"], order, number, sides),
    )  # fmt: skip


def recompute(proof: dict[str, Any], order: dict[str, Any] | None, number: int, sides: int) -> str:
    """Lines of Python that throw the dice again from the proof; they need nothing but Python itself."""
    lines = [
        "import hashlib, hmac",
        f'die_key = bytes.fromhex("{proof["die_key"]}")',
        f'c = bytes.fromhex("{proof["commitment"]}")',
    ]
    if order and order.get("blind_key"):
        lines += [
            f'blind_key = bytes.fromhex("{order["blind_key"]}")',
            f'assert hmac.digest(blind_key, {ascii(order["text"])}.encode(), "sha256") == c',
        ]
    lines += [
        'seed = hmac.digest(die_key, c, "sha256")',
        f"number, sides, dice, block = {number}, {sides}, [], 0",
        "width = max(1, ((sides - 1).bit_length() + 7) // 8)",
        "while len(dice) < number:",
        '    found = hmac.digest(seed, block.to_bytes(4, "big"), "sha256")',
        "    words = [int.from_bytes(found[i:i + width], 'big') for i in range(0, 33 - width, width)]",
        "    dice += [w % sides + 1 for w in words if w < 256**width // sides * sides]",
        "    block += 1",
        "print(dice[:number])",
    ]
    return "\n".join(lines)


# --- downloads --------------------------------------------------------------------------------------------------------


@blueprint.get("/c/<campaign>/bundle")
@limiter.limit(BUNDLE_LIMIT)
@costly
def bundle(campaign: str) -> Response:
    """The whole ledger as this reader may see it, to be checked by `verify.py`."""
    page = open_campaign(campaign)
    unless_known(page.status, page.seat, page=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle"
        service().export(campaign, page.seat, file)
        content = tempfile.SpooledTemporaryFile(max_size=BUNDLES_IN_MEMORY)  # noqa: SIM115 (the response closes it)
        content.write(file.read_bytes())
    content.seek(0)
    name = f"{campaign}-{page.seat or 'public'}-{page.status.event}.jsonl"
    return send_file(content, mimetype="application/jsonl", as_attachment=True, download_name=name)


@blueprint.get("/verify.py")
def verifier() -> Response:
    """The program that checks a bundle: one file, for Python's standard library alone."""
    return send_file(verify.__file__, mimetype="text/x-python", as_attachment=True, download_name="verify.py")


@blueprint.get("/c/<campaign>/check")
def check(campaign: str) -> str:
    """How to check the ledger: bundle, program, head."""
    page = open_campaign(campaign)
    return page.render("check", language().text("Check it yourself"), tab="story.ledger")
