"""The pages of a seat: what a player sees, and what he sends through the same door as his mails."""

from __future__ import annotations

import secrets
import zoneinfo
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from pbem.campaign.commands import CARD, addressed_line
from pbem.campaign.forms import read_form
from pbem.campaign.guard import HoldsSecret
from pbem.campaign.page import Page
from pbem.campaign.policy import described
from pbem.campaign.service import NotNow
from pbem.campaign.standing import ready_made
from pbem.campaign.submissions import Answer, Asked, CheckedLine, LineResult, Submission, say_hints_once
from pbem.render.happenings import certificate
from pbem.render.narrative import Paragraph, Teller, narrate
from pbem.table.board import Board
from pbem.table.conditions import ABLE, DEFAULT, Sight, preset_usage, presets, vocabulary
from pbem.table.kit import Kit
from pbem.table.orders import Refused, Unreadable
from pbem.web import boards
from pbem.web.actions import mail_address
from pbem.web.campaign_pages import CampaignPage, open_campaign
from pbem.web.context import language, now, service
from pbem.web.security import (
    ENTER_LIMIT,
    SEND_LIMIT,
    limiter,
    seat_of_link,
    sign_in,
    sign_out,
    signed_in_seat,
)
from pbem.web.unchanged import unless_known

blueprint = Blueprint("seats", __name__, url_prefix="/c/<campaign>")

LONGEST_TEXT = 40_000
MOST_NUMBERS = 2**31
MOST_TALK = 3
"""Unread messages that stand in the card of a question while one negotiates."""
SIGNS = {"!=": "≠", ">=": "≥", "<=": "≤"}
"""How the signs of conditions are shown."""
NO_VALUE = "yes"
"""What the value of a condition is of that asks no more than whether something is so."""
SEARCHED_FOR_SAME = 100
"""Newest submissions among which a form that was sent twice is looked for."""


@dataclass
class ShownLine(CheckedLine):
    """What came of a line, with its facts told as sentences."""

    paragraphs: list[Paragraph] = field(default_factory=list)


# --- coming and going -------------------------------------------------------------------------------------------------


@blueprint.get("/enter/<token>")
@limiter.limit(ENTER_LIMIT)
def enter(campaign: str, token: str) -> Any:
    """A secret link: sign in and go on to an address without the token. Where this browser has another seat of the
    campaign, a button: a link that somebody else has sent must not put his seat in its place."""
    seat = seat_of_link(campaign, token)
    mine = signed_in_seat(campaign)
    if mine not in (None, seat):
        return render_template("web/enter.html.j2", campaign=campaign, token=token)
    sign_in(campaign, token)
    return redirect(url_for(".page", campaign=campaign), 303)


@blueprint.post("/enter/<token>")
@limiter.limit(ENTER_LIMIT)
def change_seat(campaign: str, token: str) -> Response:
    """The button: this browser has the other seat now."""
    sign_in(campaign, token)
    return redirect(url_for(".page", campaign=campaign), 303)


@blueprint.post("/leave")
def leave(campaign: str) -> Response:
    """Forget the seat in this browser."""
    sign_out(campaign)
    flash(language().text("You are signed out of this campaign in this browser."), "good")
    return redirect(url_for("public.front"), 303)


# --- the seat's page --------------------------------------------------------------------------------------------------


@blueprint.get("/seat")
def page(campaign: str) -> str:
    """Map, question, what only this seat sees."""
    campaign_page = open_campaign(campaign, for_player=True)
    number = request.args.get("answer", type=int)
    answer = service().answer(campaign, number) if number is not None and 0 < number < MOST_NUMBERS else None
    if answer is not None and answer.seat != campaign_page.seat:
        answer = None
    unless_known(campaign_page.status, campaign_page.seat, page=True)
    return _seat_page(campaign_page, answer=answer)


def _seat_page(campaign_page: CampaignPage, *, answer: Answer | None = None, **more: Any) -> str:
    page = campaign_page.gather(forms=True)
    status, seat = page.status, page.seat
    assert seat is not None
    shown, unsent = None, ""
    if answer is not None:
        unsent = "\n".join(line.line for line in answer.lines if line.state in ("refused", "unreadable", "told"))
        shown = _told(campaign_page, answer)
    player = service().player(status.campaign, seat) or {}
    open_keys = {question.asked.key for question in page.questions}
    sealed = [line for key, lines in page.given.items() if key not in open_keys for line in lines]
    values = {
        "asks": page.questions if status.state == "running" else [], "answer": shown, "news": page.news,
        "checked": None, "problem": None, "hints": [],
        "lines": "" if answer is None or answer.ok else unsent,
        "filled": None, "once": secrets.token_urlsafe(12), "stamp": _stamp(campaign_page), "sure": None,
        "talks": page.talks and status.state == "running", "whom": page.may_write_to,
        "messages": _messages(campaign_page, campaign_page.unread()[-MOST_TALK:]) if page.talks else [],
        "board_text": page.words, "private": page.own, "sealed": sealed, "queued": page.queued,
        "scenario": campaign_page.kit.scenario(status.scenario, language().code),
        "about": {name: campaign_page.teller.of_kit("about", name, status.game) for name in ("what", "length")},
        "rules": described(status.policy, language().text), "tab": "seats.page", "given": page.given,
        "invited": status.state == "inviting" and not status.seats[seat]["accepted"],
        "mails_as_read": not player.get("language_chosen"),
        **boards.shown(page.picture(), page.board, page.teller, page.places()),
    }  # fmt: skip
    return campaign_page.render("seat", language().text("Play"), **{**values, **more})


def _stamp(campaign_page: CampaignPage) -> str:
    """Which question a form was made for: one that was made for an earlier question must not answer a later one."""
    status = campaign_page.status
    asked = status.asked_at.isoformat() if status.asked_at else ""
    return "|".join([asked, status.kind or "", *(ask["key"] for ask in status.asks)])


def _told(campaign_page: CampaignPage, answer: Answer) -> dict[str, Any]:
    """An answer as a page shows it."""
    lines = [_shown(campaign_page, line) for line in answer.lines]
    say_hints_once(lines)
    return {"note": answer.said(language().text, campaign_page.teller.question_title), "event": answer.event,
            "head": answer.head, "lines": lines}  # fmt: skip


def _shown(campaign_page: CampaignPage, line: LineResult) -> ShownLine:
    told = {
        **vars(line), "reason": line.said(campaign_page.teller), "hints": campaign_page.teller.hints(line.hints),
        "text": line.told(campaign_page.teller),
    }  # fmt: skip
    return ShownLine(**told, paragraphs=narrate(line.results, campaign_page.kit, language().code))


# --- orders -----------------------------------------------------------------------------------------------------------


@blueprint.post("/orders")
@limiter.limit(SEND_LIMIT)
def orders(campaign: str) -> Any:
    """Orders by form, or as lines: checked, put into the box of lines, or sent."""
    campaign_page = open_campaign(campaign, for_player=True)
    if request.form.get("reply") in ("accept", "decline"):
        return _reply(campaign_page, request.form["reply"])
    filled = None
    if "kind" in request.form:
        filled = (request.form.get("question", ""), request.form["kind"])
        try:
            lines = [_line_of_form(campaign_page, *filled)]
        except Unreadable as error:
            why, hints = campaign_page.teller.refusal(error.refusal()), campaign_page.teller.hints(error.hints)
            return _seat_page(campaign_page, problem=why[:1].upper() + why[1:], hints=hints, filled=filled), 422
    else:
        sent = request.form.get("lines", "")
        if len(sent) > LONGEST_TEXT:
            problem = language().text(
                "This is too long, and nothing of it was taken: at most %(most)s characters are at once.",
                most=LONGEST_TEXT,
            )
            return _seat_page(campaign_page, problem=problem, lines=sent), 422
        lines = sent.splitlines()
    text = "\n".join(lines)
    if not text.strip():
        problem = language().text("There is no order in this: write one on each line.")
        return _seat_page(campaign_page, problem=problem), 422
    do = request.form.get("do")
    if do == "write":
        return _seat_page(campaign_page, lines=text, filled=filled)
    if do == "check":
        checked = _check(campaign_page, lines)
        return _seat_page(campaign_page, checked=checked, lines="" if filled else text, filled=filled)
    if filled and _already_sent(campaign_page) is None and _stands_already(campaign_page, filled[0], lines[0]):
        flash(language().text("This is your answer already; it stands."), "good")
        return redirect(url_for(".page", campaign=campaign), 303)
    if filled and "sure" not in request.form:
        lost = _forfeited(campaign_page, *filled)
        if lost:
            return _seat_page(campaign_page, sure={"lost": lost, "line": text})
    return _send(campaign_page, lines, filled)


def _stands_already(campaign_page: CampaignPage, key: str, line: str) -> bool:
    """Whether a question is answered, and its answer ends with this line: it has been pressed again."""
    page = campaign_page.gather()
    answered = any(question.asked.key == key and question.asked.answered for question in page.questions)
    return answered and page.given.get(key, [])[-1:] == [line]


def _forfeited(campaign_page: CampaignPage, key: str, kind: str) -> str:
    """What an answer gives up, in a sentence; "" where it gives up nothing."""
    assert campaign_page.seat is not None
    asked = next((one for one in service().asked(campaign_page.campaign, campaign_page.seat) if one.key == key), None)
    return campaign_page.teller.forfeited(asked.kind, kind, asked.context) if asked is not None else ""


def _line_of_form(campaign_page: CampaignPage, key: str, kind: str) -> str:
    """The line that a form stands for. Raises `Unreadable`."""
    assert campaign_page.seat is not None
    kinds = service().reading.answers(campaign_page.campaign, campaign_page.seat).get(key, {})
    if kind not in kinds:
        raise Unreadable("not_asked_any_more")
    sent = {name[2:]: request.form.getlist(name) for name in request.form if name.startswith("f.")}
    line = read_form(kinds[kind], sent, campaign_page.kit).text()
    asked = service().asked(campaign_page.campaign, campaign_page.seat)
    power = next((one.power for one in asked if one.key == key), None)
    several = len({one.power for one in asked}) > 1
    return addressed_line(power, line) if power is not None and several else line


def _check(campaign_page: CampaignPage, lines: Sequence[str]) -> dict[str, Any]:
    """What would be answered if lines were sent; nothing is."""
    assert campaign_page.seat is not None
    return _told(campaign_page, service().check(campaign_page.campaign, campaign_page.seat, lines))


def _send(campaign_page: CampaignPage, lines: list[str], filled: tuple[str, str] | None) -> Any:
    """Send lines, or the one of a form (`filled`), which stays filled in where it was not accepted."""
    if filled and request.form.get("stamp") != _stamp(campaign_page):
        number = _already_sent(campaign_page)
        if number is None:
            problem = language().text(
                "The game has gone on since this page was made. Your order was not sent; look at what is asked now."
            )
            return _seat_page(campaign_page, problem=problem), 409
        return redirect(url_for(".page", campaign=campaign_page.campaign, answer=number, _anchor="answer"), 303)
    answer = _submit(campaign_page, lines)
    if filled and not answer.ok:
        after = open_campaign(campaign_page.campaign, for_player=True)
        return _seat_page(after, answer=answer, lines="", filled=filled), 422
    return redirect(url_for(".page", campaign=campaign_page.campaign, answer=answer.number, _anchor="answer"), 303)


def _submit(campaign_page: CampaignPage, lines: list[str]) -> Answer:
    return service().submit(
        Submission(campaign=campaign_page.campaign, seat=campaign_page.seat, lines=lines, received_at=now(),
                   channel="form", message_id=_message_id(), remote=request.remote_addr)
    )  # fmt: skip


def _message_id() -> str | None:
    """A form counts once, however often its button is pressed."""
    once = request.form.get("once", "")
    return f"form:{once[:80]}" if once else None


def _already_sent(campaign_page: CampaignPage) -> int | None:
    """The number of what this very form has sent before."""
    wanted = _message_id()
    for row in service().inbox(campaign_page.campaign, SEARCHED_FOR_SAME):
        if wanted is not None and row["message_id"] == wanted and row["seat"] == campaign_page.seat:
            return row["number"]
    return None


def _reply(campaign_page: CampaignPage, reply: str) -> Response:
    """The answer to an invitation."""
    assert campaign_page.seat is not None
    _ = language().text
    try:
        if reply == "accept":
            service().accept(campaign_page.campaign, campaign_page.seat, language().code)
            flash(_("The seat is yours. You will get a mail when the campaign begins."), "good")
        else:
            service().decline(campaign_page.campaign, campaign_page.seat)
            flash(_("You have declined. Thank you for telling."), "good")
    except NotNow as error:
        flash(str(error), "bad")
    except Refused as error:
        flash(campaign_page.teller.refusal(error), "bad")
    return redirect(url_for(".page", campaign=campaign_page.campaign), 303)


# --- press ------------------------------------------------------------------------------------------------------------


@blueprint.route("/messages", methods=["GET", "POST"])
@limiter.limit(SEND_LIMIT, methods=["POST"])
def press(campaign: str) -> Any:
    """What players have written to this seat, and a form to write to them."""
    campaign_page = open_campaign(campaign, for_player=True)
    assert campaign_page.seat is not None
    to, text, results = request.form.getlist("to"), request.form.get("text", ""), []
    if request.method == "POST":
        results = _do(campaign_page, [_press_line(campaign_page, to, text)] if to and text.strip() else [])
        if not to:
            results = [LineResult("PRESS", "unreadable", reason=language().text("Choose to whom you write."))]
        elif results and all(line.state == "accepted" for line in results):
            flash(language().text("Your message is on its way."), "good")
            back = ".page" if request.form.get("back") == "seat" else ".press"
            return redirect(url_for(back, campaign=campaign), 303)
    campaign_page.has_seen()
    whom = service().may_write_to(campaign, campaign_page.seat)
    messages = _messages(campaign_page, service().press(campaign, campaign_page.seat))
    return campaign_page.render(
        "press", language().text("Messages"), messages=messages, to=to, text=text, results=results, whom=whom,
        closed=None if whom else _press_closed(campaign_page), once=secrets.token_urlsafe(12),
    )  # fmt: skip


def _messages(campaign_page: CampaignPage, rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of `Service.press` as a page shows them, newest first."""
    return [
        {"event": row["event"], "sender": row["from"], "to": row["to"], "text": row["text"], "at": row["sent_at"],
         "shown": certificate(row["shown"], campaign_page.teller) if row["shown"] else ""}
        for row in reversed(rows)
    ]  # fmt: skip


def _press_line(campaign_page: CampaignPage, to: Sequence[str], text: str) -> str:
    known = {p for held in campaign_page.status.seats.values() for p in held["powers"]} | {"ALL"}
    names = [name for name in to if name in known]
    return f"PRESS TO {'ALL' if 'ALL' in names else ', '.join(names)}: {text.strip()}"


def _press_closed(campaign_page: CampaignPage) -> str:
    """Why nobody can be written to now."""
    _ = language().text
    rule = campaign_page.status.policy.get("press", "always")
    if not any(held["powers"] for held in campaign_page.status.seats.values()):
        return _("Messages are relayed once the powers are known.")
    if rule == "never":
        return _("In this campaign the service relays no messages.")
    if campaign_page.status.state in ("finished", "archived"):
        return _("The campaign is over.")
    if rule == "windows":
        return _("In this campaign messages are relayed during negotiations only.")
    return _("By the rules of the game nobody can be written to now.")


def _do(campaign_page: CampaignPage, lines: list[str]) -> list[LineResult]:
    """Send lines that only administer something; what came of them."""
    if not lines:
        return []
    answer = _submit(campaign_page, lines)
    if not answer.lines and answer.note:
        return [LineResult(lines[0], "refused", reason=answer.note)]
    return [_shown(campaign_page, line) for line in answer.lines]


# --- standing orders --------------------------------------------------------------------------------------------------


@blueprint.route("/standing", methods=["GET", "POST"])
@limiter.limit(SEND_LIMIT, methods=["POST"])
def standing(campaign: str) -> Any:
    """Answers in advance: the list, a form for a new one, and a way to cancel each."""
    campaign_page = open_campaign(campaign, for_player=True)
    assert campaign_page.seat is not None
    results: list[LineResult] = []
    if request.method == "POST":
        if "cancel" in request.form:
            number = request.form.get("cancel", type=int)
            results = _do(campaign_page, [f"CANCEL STANDING {number}"] if number is not None else [])
        elif "preset" in request.form:
            named = [*request.form["preset"].split(), *request.form.get("value", "").split()]
            results = _do(campaign_page, [f"STANDING PRESET {' '.join(named)}"])
        else:
            results = _do(campaign_page, [_standing_line()])
        if results and all(line.state == "accepted" for line in results):
            return redirect(url_for(".standing", campaign=campaign), 303)
    page, asked = campaign_page.gather(), service().asked(campaign, campaign_page.seat)
    told = [_told_standing(campaign_page, entry) for entry in page.standing]
    return campaign_page.render(
        "standing", language().text("Standing orders"), standing=told,
        presets=_presets(page), kinds=_question_kinds(campaign_page),
        names=_condition_names(campaign_page, page.board, asked), values=_condition_values(campaign_page),
        answers=_standing_answers(campaign_page, asked), results=results,
        sent=request.form, signs=SIGNS, once=secrets.token_urlsafe(12),
    )  # fmt: skip


def _told_standing(campaign_page: CampaignPage, entry: Mapping[str, Any]) -> dict[str, Any]:
    """A standing order in the reader's words: when it answers, under which conditions, and with what."""
    teller = campaign_page.teller
    return {
        "number": entry["number"], "text": entry["text"], "when": teller.question_title(entry["kind"]),
        "conditions": [_told_condition(teller, *condition) for condition in entry["conditions"]],
        "order": teller.named(entry["line"]) if entry["line"].upper() != DEFAULT else
        teller.language.text("what silence would answer"),
    }  # fmt: skip


def _told_condition(teller: Teller, name: str, sign: str, value: str) -> str:
    """A condition in words: what it asks, and the value that it wants."""
    if (said := teller.words("condition_value").get(f"{name} {value}")) is not None and sign in ("", "="):
        return said
    asks = (teller.condition(name) or teller.value_name(name)).rstrip(".")
    wanted = f"{'' if sign == '=' else SIGNS.get(sign, sign)} {teller.plain(_yes_or_no(value))}" if value else ""
    return teller.language.text("%(name)s: %(value)s", name=asks, value=wanted.strip()) if wanted else asks


def _yes_or_no(value: str) -> bool | str:
    return {"yes": True, "no": False}.get(value, value)


def _condition_names(campaign_page: CampaignPage, view: Board, asked: Sequence[Asked]) -> list[tuple[str, str, str]]:
    """What a condition may ask: its name, that in words, and what its value is of (``yes``: it has none).

    The game's own vocabulary comes first, where one of a few words is asked (the moment of a response) with each of
    them; then what the seat sees and the phrases have words for.
    """
    teller, own = campaign_page.teller, {ABLE: {"value": NO_VALUE}, **vocabulary(campaign_page.kit)}
    seen = {*view.state, *view.counters, *view.tracks, *(name for ask in asked for name in ask.context)}
    plain = [(name, teller.told_value(name), "") for name in sorted(seen - own.keys()) if name.isidentifier()]
    told = []
    for name, entry in own.items():
        values = [one for one in teller.words("condition_value").items() if one[0].partition(" ")[0] == name]
        asks = (teller.condition(name) or teller.value_name(name)).rstrip(".")
        told += [(key, text, NO_VALUE) for key, text in values] or [(name, asks, entry["value"])]
    return told + sorted((one for one in plain if one[1]), key=lambda one: one[1])


def _condition_values(campaign_page: CampaignPage) -> list[tuple[str, str]]:
    """The names of the things that the values of conditions are taken from, each with the domain that it is of; a
    condition knows things by their names."""
    kit = campaign_page.kit
    domains = [d for entry in vocabulary(kit).values() for d in entry["value"].split("|") if d in kit.labels]
    return [(d, kit.display(d, id, language().code)) for d in dict.fromkeys(domains) for id in kit.labels[d]]


def _standing_answers(campaign_page: CampaignPage, asked: Sequence[Asked]) -> list[tuple[str, str, str]]:
    """Orders that can be chosen as an answer in advance: the kind of question, the line, and it in words.

    They are those of the ready-made standing orders and the examples of what is asked now; what silence would answer
    fits every kind of question.
    """
    teller, made = campaign_page.teller, presets(campaign_page.kit).values()
    lines = [(order["kind"], order["order"]) for preset in made for order in preset["orders"]]
    lines += [(ask.kind, line) for ask in asked for line in ask.examples]
    told = [(kind, line, teller.named(line)) for kind, line in dict.fromkeys(lines) if line.upper() != DEFAULT]
    return [("", DEFAULT, language().text("what silence would answer")), *told]


def _presets(page: Page) -> list[dict[str, Any]]:
    """The ready-made standing orders of the game, with their lines as they would be taken over now: none where that
    cannot be. Of one that is for a thing of its own, ``choices`` are the things that this seat may choose."""
    kit, taken = page.kit, {text for entry in page.standing for text in (entry["text"], entry.get("preset"))}
    seen = Sight(page.game, page.table, page.powers) if page.board.powers else None
    shown = []
    for id, entry in presets(kit).items():
        told = {"id": id, "text": page.teller.preset(id), "wants": page.teller.kind(entry.get("value", ""))}
        things = _things_for(page, entry["value"]) if "value" in entry else [""]
        lines = {thing: _lines_now(kit, f"{id} {thing}".strip(), seen) for thing in things}
        left = [one for one in things if lines[one] and not taken.issuperset(lines[one])]
        choices = [(one, kit.display(entry["value"], one, language().code)) for one in left if one]
        usage = [language().usage(preset_usage(kit, id))] if "value" in entry else lines[""]
        shown.append({**told, "lines": usage, "choices": choices, "taken": not left and any(lines.values()),
                      "now": any(lines.values())})  # fmt: skip
    return shown


def _things_for(page: Page, domain: str) -> list[str]:
    """What a ready-made standing order can be taken over for: of cards those on the reader's hand."""
    things, hand = page.kit.labels.get(domain, {}), page.board.hand_of(page.powers)
    held = [card for card in hand if card in things]
    return held if held or domain == CARD else list(things)


def _lines_now(kit: Kit, preset: str, seen: Sight | None) -> list[str]:
    try:
        return ready_made(kit, preset, seen)
    except Unreadable:
        return []


def _question_kinds(campaign_page: CampaignPage) -> list[tuple[str, str]]:
    """The kinds of question of the game, with what they are called."""
    kinds = dict.fromkeys([*campaign_page.kit.times, *(ask["kind"] for ask in campaign_page.status.asks)])
    title = campaign_page.teller.question_title
    return [(kind, title(kind)) for kind in kinds if kind not in ("default", "negotiation")]


def _standing_line() -> str:
    def first(name: str) -> str:
        return " ".join(request.form.get(name, "").split())

    columns = (request.form.getlist(f"f.{name}") for name in ("name", "sign", "value"))
    rows = [[" ".join(cell.split()) for cell in row] for row in zip(*columns, strict=False)]
    filled = [row for row in rows if row[0] or row[2]]
    conditions = ", ".join(f"{name} {sign or '='} {value}" if value else name for name, sign, value in filled)
    order = first("f.order") or first("f.chosen")
    return f"STANDING {first('f.kind')}{f' IF {conditions}' if conditions else ''}: {order}"


# --- settings ---------------------------------------------------------------------------------------------------------


@blueprint.route("/settings", methods=["GET", "POST"], endpoint="settings")
@limiter.limit(SEND_LIMIT, methods=["POST"])
def seat_settings(campaign: str) -> Any:
    """How this player wants his mails: zone, language, which reports, a webhook."""
    campaign_page = open_campaign(campaign, for_player=True)
    assert campaign_page.seat is not None
    player = service().player(campaign, campaign_page.seat) or {}
    results: list[LineResult] = []
    if request.method == "POST":
        results = _do(campaign_page, _setting_lines(player))
        bad = [line for line in results if line.state != "accepted"]
        if not bad:
            flash(language().text("Saved."), "good")
            return redirect(url_for(".settings", campaign=campaign), 303)
        results = bad
        player = {**player, **{k: v for k, v in request.form.items() if k in player}}
    return campaign_page.render(
        "settings", language().text("Settings"), player=player, zones=sorted(zoneinfo.available_timezones()),
        results=results, once=secrets.token_urlsafe(12),
        is_away=bool(player.get("away_until")) and datetime.fromisoformat(player["away_until"]) > now(),
    )  # fmt: skip


@blueprint.post("/address")
@limiter.limit(SEND_LIMIT)
def new_address(campaign: str) -> Response:
    """This player wants his mails at another address: a link goes to the one of now."""
    campaign_page = open_campaign(campaign, for_player=True)
    assert campaign_page.seat is not None
    text, address = language().text, mail_address(request.form.get("address", ""))
    try:
        is_asked = address is not None and service().new_addresses.ask(
            campaign_page.campaign, campaign_page.seat, address
        )
    except HoldsSecret:
        address = None
    if address is None:
        flash(text("This is no mail address."), "bad")
    elif is_asked:
        flash(text("A link went to the address that your mails go to now. When you have followed it, within a day, "
                   "another goes to %(address)s.", address=address), "good")  # fmt: skip
    else:
        flash(text("A link was sent a moment ago: wait five minutes before you have another one sent."), "bad")
    return redirect(url_for(".settings", campaign=campaign), 303)


def _setting_lines(player: dict[str, Any]) -> list[str]:
    """The lines of what has changed."""

    def value(name: str) -> str:
        return " ".join(request.form.get(name, "").split())

    lines = []
    if value("timezone") != player.get("timezone"):
        lines.append(f"SET TIMEZONE {value('timezone')}")
    if value("language") != player.get("language"):
        lines.append(f"SET LANGUAGE {value('language')}")
    hour = value("hour")
    if value("reports") != player.get("reports") or (hour and hour != str(player.get("hour"))):
        lines.append(f"SET REPORTS {value('reports')}{f' AT {hour}' if hour else ''}")
    if value("board") and value("board") != player.get("board"):
        lines.append(f"SET BOARD {value('board')}")
    if value("away_first") or value("away_last"):
        lines.append(f"AWAY FROM {value('away_first')} TO {value('away_last')}")
    elif request.form.get("back"):
        lines.append("AWAY OFF")
    if value("webhook") != (player.get("webhook") or ""):
        lines.append(f"SET WEBHOOK {value('webhook') or 'OFF'}")
    return lines

