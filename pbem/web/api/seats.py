"""Routes for a seat: the same door as for mails and forms, and everything that its player may read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from flask import Response, g, request

from pbem.campaign import lookup
from pbem.campaign.command import Press, Standing
from pbem.campaign.commands import order_of_object, read_lines
from pbem.campaign.page import Page, Question
from pbem.campaign.service import NoCampaign
from pbem.campaign.submissions import Answer, Submission
from pbem.campaign.vault import without_tokens
from pbem.games import find_game
from pbem.render.narrative import Teller
from pbem.table.conditions import examples
from pbem.table.orders import Order, Refused, Unreadable
from pbem.web.actions import Problem
from pbem.web.api.problems import BAD_TOKEN, Routes, Trouble, bearer
from pbem.web.api.schemas import (
    AnswerSchema,
    AskedSchema,
    AtEventSchema,
    AuditSchema,
    BoardSchema,
    CheckedAnswerSchema,
    CheckedLineSchema,
    CheckSchema,
    EventSchema,
    InvitationSchema,
    KeySchema,
    OrdersSchema,
    PressMessageSchema,
    PressSchema,
    RangeSchema,
    SeatSchema,
    SettingsSchema,
    StandingOrderSchema,
    StandingSchema,
)
from pbem.web.api.shared import JSON_LINES, bundle_of, order_kind, roll, shown_status, some_events
from pbem.web.context import now, service
from pbem.web.security import AUDIT_LIMIT, BUNDLE_LIMIT, SEND_LIMIT, costly, limiter
from pbem.web.unchanged import unless_known

seats = Routes(
    "api-seat", __name__, url_prefix="/api/campaigns/<campaign>/seat",
    description="For a player: with the token of the seat, the secret part of its mail address and of its link.",
)  # fmt: skip

ONLY_WITH_EVENTS = [
    f"{seats.name}.{name}"
    for name in ("seat", "seat_board", "questions", "seat_events", "seat_audit", "seat_bundle", "standing")
]
"""Routes whose answers change with a new event only."""


@seats.before_request
def _know_seat() -> None:
    campaign = (request.view_args or {}).get("campaign", "")
    token = bearer()
    try:
        seat = service().seat_of(campaign, token)
    except NoCampaign:
        seat = None
    if seat is None:
        raise Trouble(BAD_TOKEN)
    g.campaign, g.seat, g.token = campaign.casefold(), seat, token
    if request.endpoint in ONLY_WITH_EVENTS:
        unless_known(service().reading.glance(g.campaign), seat)


@seats.get("/")
@seats.response(200, SeatSchema)
def seat(campaign: str) -> dict[str, Any]:
    """Who you are here, and how the campaign stands"""
    page = _page()
    status = page.status
    return {
        "seat": g.seat, "powers": page.powers, "accepted": status.seats[g.seat]["accepted"],
        "asked": any(ask["seat"] == g.seat for ask in status.asks), "queued": page.queued,
        "campaign": shown_status(status),
    }  # fmt: skip


def _page(*, forms: bool = False) -> Page:
    """The page of the seat, as pages for people and mails have it."""
    return service().page(g.campaign, g.seat, "en", forms=forms)


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
    event = wanted.get("event")
    return (_page().board if event is None else service().view_at(g.campaign, g.seat, event)).to_json()


@seats.get("/questions")
@seats.response(200, AskedSchema(many=True))
def questions(campaign: str) -> list[dict[str, Any]]:
    """What is asked of you now, with the legal answers"""
    return [_question(question) for question in _page(forms=True).questions]


def _question(question: Question) -> dict[str, Any]:
    forms = {form.kind: form for form in question.forms}
    orders = []
    for kind, legal in question.legal.items():
        examples = [{"line": order.text(), "json": order.to_json()} for order in legal]
        orders.append({**order_kind(kind), "form": asdict(forms[kind.id()]), "examples": examples})
    return {**asdict(question.asked), "title": question.title, "text": question.text, "orders": orders}


@seats.post("/check")
@seats.arguments(CheckSchema)
@seats.response(200, CheckedLineSchema)
@limiter.limit(SEND_LIMIT)
def check(sent: dict[str, Any], campaign: str) -> Any:
    """What would come of a line if it were sent now; nothing is changed and nothing thrown"""
    if len(sent) != 1:
        raise Trouble(Problem(422, "invalid", "Some fields are not right", "Send either line or order."))
    line = sent["line"] if "line" in sent else _lines_of([sent["order"]])[0]
    return service().check_line(g.campaign, g.seat, line)


@seats.post("/orders/check")
@seats.arguments(OrdersSchema)
@seats.response(200, CheckedAnswerSchema)
@limiter.limit(SEND_LIMIT)
def check_orders(sent: dict[str, Any], campaign: str) -> Any:
    """What would be answered to orders and commands if they were sent now; nothing is changed and nothing thrown

    What becomes of orders below one that lets the game go on is known only once they are sent: these are `later`.
    """
    return service().check(g.campaign, g.seat, _lines_sent(sent), "api")


@seats.post("/orders")
@seats.arguments(KeySchema, location="headers")
@seats.arguments(OrdersSchema)
@seats.response(200, AnswerSchema)
@limiter.limit(SEND_LIMIT)
def orders(headers: dict[str, Any], sent: dict[str, Any], campaign: str) -> Any:
    """Send orders and commands, as a mail would

    The answer is that of a mail, line by line. Where nothing was accepted, it comes as a problem: 422 where a line
    could not be read (then nothing of it is carried out), 409 where the rules do not allow it now.
    """
    return _submitted(_lines_sent(sent), headers.get("key"))


def _lines_sent(sent: dict[str, Any]) -> list[str]:
    """The lines of a request that holds either lines or orders."""
    if len(sent) != 1:
        raise Trouble(Problem(422, "invalid", "Some fields are not right", "Send either lines or orders."))
    if "orders" in sent:
        return _lines_of(sent["orders"])
    return [part for line in sent["lines"] for part in line.splitlines() or [""]]


def _lines_of(orders: Sequence[Any]) -> list[str]:
    """Orders in JSON as the door takes them: objects whose fields have been checked; no grammar reads them again."""
    kinds, kit = find_game(service().status(g.campaign).game).orders, service().kit_of(g.campaign)
    try:
        for order in orders:
            order_of_object(kinds, order, kit)
    except Unreadable as error:
        refusal, teller = error.refusal(), Teller(kit)
        detail, hints = teller.refusal(refusal), tuple(teller.hints(refusal.hints))
        problem = Problem(422, "unreadable", "An order could not be read", detail, hints, refused=refusal)
        raise Trouble(problem) from error
    return [json.dumps(order, ensure_ascii=False, separators=(",", ":"), sort_keys=True) for order in orders]


def _submitted(lines: Sequence[str], key: str | None = None) -> Any:
    lines = [line.replace("\0", " ").encode("utf-8", "replace").decode() for line in lines]  # as the store keeps them
    answer = service().submit(Submission(
        g.campaign, lines, now(), "api", token=g.token, message_id=key, content_key=key and "idempotency key",
        remote=request.remote_addr,
    ))  # fmt: skip
    if key is not None and lookup.lines_of(service().store, g.campaign, answer.number) != without_tokens(lines):
        detail = "This key was used before for other lines, and these were not taken; a new order needs a new key."
        raise Trouble(Problem(422, "key-used", "The key was used before", detail))
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
                      f"{told.line}: {told.reason}{section}", tuple(told.hints),
                      refused=Refused(told.code, told.section, **told.values) if told.code else None)  # fmt: skip
    raise Trouble(problem, answer=AnswerSchema().dump(answer))


@seats.get("/answers/<int:number>")
@seats.response(200, AnswerSchema)
def answer(campaign: str, number: int) -> Any:
    """The answer to one of your submissions, by mail or otherwise"""
    answer = service().answer(g.campaign, number) if number < 2**31 else None
    if answer is None or answer.seat != g.seat:
        raise Trouble(Problem(404, "nothing-here", "There is nothing here for you", "You have no such answer (yet)."))
    return answer


@seats.get("/events")
@seats.arguments(RangeSchema, location="query")
@seats.response(200, EventSchema(many=True))
def seat_events(wanted: dict[str, Any], campaign: str) -> list[dict[str, Any]]:
    """The events as you may read them"""
    return some_events(g.campaign, g.seat, wanted)


@seats.get("/rolls/<int:tree>/<int:index>")
@seats.response(200, AuditSchema)
@limiter.limit(AUDIT_LIMIT)
@costly
def seat_audit(campaign: str, tree: int, index: int) -> dict[str, Any]:
    """All about one roll or draw, as you may know it"""
    return roll(g.campaign, g.seat, tree, index)


@seats.get("/bundle")
@seats.response(200, content_type=JSON_LINES, schema={"type": "string"}, description="The bundle.")
@limiter.limit(BUNDLE_LIMIT)
@costly
def seat_bundle(campaign: str) -> Response:
    """The ledger as you may see it, for verify.py"""
    return bundle_of(g.campaign, g.seat)


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
        like = ", ".join(examples(service().kit_of(campaign)))
        detail = f"Kind and conditions hold no colon; conditions are like: {like}"
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
    """Send a message to other powers; ALL means all"""
    first, *rest = sent["text"].splitlines() or [""]
    to = ", ".join(sent["to"])
    lines = [f"PRESS TO {to}: {first}", *rest, "END"]
    read = _read(lines)
    if not isinstance(read, Press) or read.to != to:
        detail = "A line of the message, or a name, reads as an order or as the message's end: put it in other words."
        raise Trouble(Problem(422, "bad-value", "A value cannot be", detail))
    return _submitted(lines)


def _read(lines: Sequence[str]) -> Order | None:
    """The one order that some lines stand for; None where they are several, or none."""
    lines_read = read_lines(find_game(service().status(g.campaign).game).orders, lines, service().kit_of(g.campaign))
    return lines_read[0].order if len(lines_read) == 1 else None


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
    if "board" in sent:
        lines.append(f"SET BOARD {sent['board']}")
    if "webhook" in sent:
        lines.append(f"SET WEBHOOK {sent['webhook'] or 'OFF'}")
    if not lines:
        raise Trouble(Problem(422, "invalid", "Some fields are not right", "Nothing is to be changed by this."))
    return _submitted(lines)


