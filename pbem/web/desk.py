"""The moderator's desk: campaigns, whom they wait for, what came in and went out, and everything that can be done.

A moderator sees the campaigns he runs, an admin all; what is not there and what is somebody else's get the same answer.
The pages show the public part of a campaign only. What is hidden is shown once, for a reason that goes into the ledger
first.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from flask import Blueprint, Response, current_app, flash, g, redirect, render_template, request, session, url_for
from werkzeug.datastructures import MultiDict

from pbem.campaign import desk as lookup
from pbem.campaign import ledger, outbox, policy, rulings
from pbem.campaign.choices import KeptChoices
from pbem.campaign.corrections import RulingRefused
from pbem.campaign.links import send_desk_link
from pbem.campaign.moderators import BadAccount, Moderator, Moderators
from pbem.campaign.new_address import AddressTaken
from pbem.campaign.page import tell
from pbem.campaign.service import NoCampaign, Service, Status
from pbem.campaign.vault import without_tokens
from pbem.games import UnknownGame, find_game, game_ids
from pbem.render.narrative import Teller
from pbem.table.board import Board
from pbem.table.facts import apply_all
from pbem.table.kit import Kit, KitError, load_kit
from pbem.table.sight import secrets_of
from pbem.web import actions, boards, compare, founding, raw, ruled
from pbem.web.actions import ACTIONS, Action, Problem, mail_address
from pbem.web.context import language, now, service
from pbem.web.proxies import client
from pbem.web.security import BUNDLE_LIMIT, costly, in_background, limiter, nothing_here
from pbem.web.undoing import undoing

blueprint = Blueprint("desk", __name__, url_prefix="/desk")

_T = TypeVar("_T")

SESSION_HOURS = 7 * 24
LOGIN_LIMIT = "5 per minute; 30 per hour"
NAME_LIMIT = "10 per hour"
EVENTS_ON_A_PAGE = 50
LINK_LIMIT = "3 per minute; 10 per hour"
OPEN_ENDPOINTS = ("desk.login", "desk.log_in", "desk.send_link", "desk.enter", "desk.log_in_by_link")


def moderators(of: Service) -> Moderators:
    """The accounts of a service's store."""
    if "pbem_moderators" not in current_app.extensions:
        current_app.extensions["pbem_moderators"] = Moderators(of.store)
    return current_app.extensions["pbem_moderators"]


# --- who is here ------------------------------------------------------------------------------------------------------


def signed_in() -> Moderator | None:
    """The moderator of this browser's session, if his account is still what it was when he logged in."""
    kept = session.get("moderator")
    if not isinstance(kept, dict):
        return None
    moderator = moderators(service()).find(str(kept.get("name")))
    fresh = now().timestamp() - kept.get("at", 0) < SESSION_HOURS * 3600
    return moderator if moderator is not None and fresh and moderator.generation == kept.get("generation") else None


@blueprint.before_request
def _only_moderators() -> Any:
    g.moderator = signed_in()
    if g.moderator is None and request.endpoint not in OPEN_ENDPOINTS:
        if request.method != "GET":
            nothing_here()
        return redirect(url_for("desk.login", back=request.full_path.rstrip("?")))
    return None


@blueprint.context_processor
def _words() -> dict[str, Any]:
    return {"moderator": g.get("moderator"), "ago": _ago, "actions": ACTIONS}


def _ago(when: Any) -> str:
    return language().span(now() - when)


def _name_and_client() -> str:
    """Guesses at one name count for each client by himself: those of a stranger keep nobody out of his own account."""
    name = request.form.get("name", "").strip().casefold()
    return f"desk login {client()} {hashlib.sha256(name.encode()).hexdigest()}"


def _failed(response: Response) -> bool:
    return response.status_code == 401


@blueprint.get("/login")
def login() -> str:
    """The form."""
    return _login_page(request.args.get("back", ""))


def _login_page(back: str, *, failed: bool = False, sent: bool = False) -> str:
    return render_template("web/desk/login.html.j2", back=back, failed=failed, sent=sent)


@blueprint.post("/login")
@limiter.limit(LOGIN_LIMIT, key_func=lambda: "desk login " + client())
@limiter.limit(NAME_LIMIT, key_func=_name_and_client, deduct_when=_failed)
def log_in() -> Any:
    """Log in by name and password; a wrong name and a wrong password get the same answer in the same time."""
    moderator = moderators(service()).log_in(request.form.get("name", "").strip(), request.form.get("password", ""))
    back = request.form.get("back", "")
    if moderator is None:
        return _login_page(back, failed=True), 401
    _begin_session(moderator)
    local = back.startswith("/desk") and back.isprintable() and not back.startswith("/desk/login") and "\\" not in back
    return redirect(back if local else url_for("desk.campaigns"), 303)


@blueprint.post("/login/link")
@limiter.limit(LINK_LIMIT, key_func=lambda: "desk link " + client())
def send_link() -> str:
    """Mail a link to log in with; the answer is the same whether there is such a moderator or not."""
    in_background(send_desk_link, service(), request.form.get("who", "")[:254])
    return _login_page("", sent=True)


@blueprint.get("/enter/<token>")
def enter(token: str) -> str:
    """A button: what reads a mail before its reader does must not use the link up."""
    return render_template("web/desk/enter.html.j2", token=token, failed=False)


@blueprint.post("/enter/<token>")
@limiter.limit(LOGIN_LIMIT, key_func=lambda: "desk login " + client())
def log_in_by_link(token: str) -> Any:
    """Log in by a link from a mail, which is then used up."""
    moderator = moderators(service()).log_in_by_link(token, now())
    if moderator is None:
        return render_template("web/desk/enter.html.j2", token="", failed=True), 401
    _begin_session(moderator)
    return redirect(url_for("desk.campaigns"), 303)


def _begin_session(moderator: Moderator) -> None:
    session.pop("csrf_token", None)
    session["moderator"] = {"name": moderator.name, "generation": moderator.generation, "at": int(now().timestamp())}
    session.permanent = True


@blueprint.post("/logout")
def log_out() -> Any:
    """End every session of the moderator, and his token: a copy of the cookie opens nothing any more."""
    if g.moderator is not None:
        moderators(service()).end_sessions(g.moderator.name)
    session.pop("moderator", None)
    return redirect(url_for("desk.login"), 303)


@blueprint.get("/account")
def account() -> str:
    """Password and token of the API."""
    return render_template("web/desk/account.html.j2", problem=None, token=None)


@blueprint.post("/account/password")
@limiter.limit(LOGIN_LIMIT, key_func=lambda: "desk login " + client())
def change_password() -> Any:
    """A new password; other sessions of the account end."""
    who = g.moderator
    accounts = moderators(service())
    try:
        if accounts.log_in(who.name, request.form.get("old", "")) is None:
            raise BadAccount("the old password is not this one")
        changed = accounts.add(who.name, request.form.get("new", ""), now(), address=who.address, admin=who.admin)
    except BadAccount as error:
        return render_template("web/desk/account.html.j2", problem=str(error), token=None), 422
    session["moderator"] = {**session["moderator"], "generation": changed.generation}
    flash("Your password is changed. All other sessions of yours have ended, and the token of the API is void.", "good")
    return redirect(url_for("desk.account"), 303)


@blueprint.post("/account/token")
def new_token() -> Any:
    """A new token for the API, shown this once; or none any more."""
    accounts = moderators(service())
    if request.form.get("do") == "drop":
        accounts.drop_token(g.moderator.name)
        flash("The token is void.", "good")
        return redirect(url_for("desk.account"), 303)
    return render_template("web/desk/account.html.j2", problem=None, token=accounts.new_token(g.moderator.name))


def _attempt(do: Callable[[], _T]) -> tuple[_T | None, Problem | None]:
    """What came of an act, or the problem that stood against it; a fault of the program goes on as an exception."""
    try:
        return do(), None
    except Exception as error:
        problem = actions.problem_of(error)
        if problem is None:
            raise
        return None, problem


# --- all campaigns ----------------------------------------------------------------------------------------------------


@blueprint.get("/")
def campaigns() -> str:
    """The list, filtered and sorted."""
    wanted = {
        "search": request.args.get("search", "").strip()[:100],
        "state": _choice("state", ("open", *lookup.STATES), "open") if request.args.get("state") != "all" else "",
        "sort": _choice("sort", lookup.SORTS, "deadline"),
        "only": _choice("only", ("late", "trouble"), ""),
    }
    page = lookup.campaign_list(
        service().store, moderators(service()), g.moderator, search=wanted["search"], state=wanted["state"],
        sort=wanted["sort"], late_at=now() if wanted["only"] == "late" else None, trouble=wanted["only"] == "trouble",
        page=_page(),
    )  # fmt: skip
    kits = {row.game: kit_at_start(row.game) for row in page.rows}
    tellers = {game: Teller(kit, language().code) for game, kit in kits.items() if kit is not None}
    return render_template(
        "web/desk/campaigns.html.j2", page=page, closed=service().closed_way(), wanted=wanted, tellers=tellers,
        soon=now() + timedelta(hours=24),
        state_choices=[("open", "not over"), ("all", "all"), *((state, state) for state in lookup.STATES)],
    )  # fmt: skip


@blueprint.get("/strays")
def strays() -> str:
    """Mails that belong to no seat: who sent them, and why they were not taken."""
    page = lookup.strays(service().store, moderators(service()), g.moderator, page=_page())
    return render_template("web/desk/strays.html.j2", page=page)


@blueprint.get("/people")
def people() -> str:
    """Who plays and played in the moderator's campaigns."""
    search = request.args.get("search", "").strip()[:100]
    page = lookup.persons(service().store, moderators(service()), g.moderator, search=search, page=_page())
    return render_template("web/desk/people.html.j2", page=page, search=search)


@blueprint.get("/people/<id>")
def person(id: str) -> str:
    """One person: where he sits and sat, and how he keeps his deadlines."""
    profile = lookup.person(service().store, moderators(service()), g.moderator, id)
    if profile is None:
        nothing_here()
    return render_template("web/desk/person.html.j2", profile=profile)


@blueprint.post("/people/<id>/address")
def change_address(id: str) -> Any:
    """Write to a person at another address from now on; for who runs all the campaigns where he sits or sat."""
    profile = lookup.person(service().store, moderators(service()), g.moderator, id)
    if profile is None or not profile.row.address or not (g.moderator.admin or not profile.elsewhere):
        nothing_here()
    address = mail_address(request.form.get("address", ""))
    if address is None:
        flash("Nothing has changed: this is no mail address.", "bad")
        return redirect(url_for(".person", id=id), 303)
    if address == profile.row.address:
        flash("Nothing has changed: his mails go to this address already.", "bad")
        return redirect(url_for(".person", id=id), 303)
    try:
        service().new_addresses.change(id, address)
    except AddressTaken:
        flash("Nothing has changed: somebody else is known by this address. Invite him there instead.", "bad")
    else:
        flash("His mails go there from now on. He gets a new link for each of his seats.", "good")
    return redirect(url_for(".person", id=id), 303)


@blueprint.post("/people/<id>/erase")
def erase(id: str) -> Any:
    """Forget a person in all campaigns; for admins, who write his address out."""
    profile = lookup.person(service().store, moderators(service()), g.moderator, id)
    if profile is None or not g.moderator.admin:
        nothing_here()
    if request.form.get("address", "").strip().lower() != profile.row.address.lower() or not profile.row.address:
        flash("Nobody was forgotten: write the address out as it stands here.", "bad")
        return redirect(url_for(".person", id=id), 303)
    service().erase_person(id)
    service().project()
    flash("The person is forgotten, in all campaigns.", "good")
    return redirect(url_for(".people"), 303)


def _choice(name: str, choices: tuple[str, ...], default: str) -> str:
    value = request.args.get(name, default)
    return value if value in choices else default


def _page() -> int:
    return min(max(1, request.args.get("page", 1, type=int)), 1_000_000)


def kit_at_start(game: str) -> Kit | None:
    """The kit of the configured files as this process first met it, for names; None where it is gone or broken."""
    kept: dict[str, Kit | None] = current_app.extensions.setdefault("pbem_desk_kits", {})
    if game not in kept:
        try:
            kept[game] = load_kit(game)
        except KitError:
            kept[game] = None
    return kept[game]


@blueprint.get("/new")
def new() -> Any:
    """The form for a new campaign: which game, then its own choices."""
    game = request.args.get("game")
    if game is None:
        kits = [(id, kit) for id in game_ids() if (kit := kit_at_start(id)) is not None]
        return render_template("web/desk/games.html.j2", kits=kits)
    sent = _begun_with(game, request.args.get("like", ""))
    return _new_form(game, sent, None)


def _begun_with(game: str, like: str) -> MultiDict:
    """The form as it is filled in by what was chosen to begin with: a set that the kit names, one that this moderator
    has kept, or the choices of an earlier campaign of his; else as usual."""
    how, _, which = like.partition(":")
    if how == "set" and which in (kit := actions.configured_kit(game)).choice_sets:
        return MultiDict({"missed": "grace", **founding.as_named(kit, which)})
    if how == "kept" and which in (kept := _kept(game)):
        return founding.as_before(actions.configured_kit(game), kept[which]["options"], kept[which]["policy"])
    if how == "campaign" and which in dict(_before(game)):
        before = service().status(which)
        return founding.as_before(actions.configured_kit(game), before.options, before.policy)
    return MultiDict({"missed": "grace"})


def _kept(game: str) -> dict[str, dict[str, Any]]:
    """The sets of choices that this moderator has kept for a game."""
    return KeptChoices(service().store).of(g.moderator.name, game)


def _before(game: str) -> list[tuple[str, str]]:
    """The campaigns of a game that this moderator runs, whose choices a new one can begin with: ids and titles."""
    page = lookup.campaign_list(service().store, moderators(service()), g.moderator)
    return [(row.campaign, row.title) for row in page.rows if row.game == game]


def _new_form(game: str, sent: MultiDict, problem: Problem | None) -> Any:
    try:
        kit = actions.configured_kit(game)
    except UnknownGame:
        nothing_here()
    except KitError as error:
        problem = actions.problem_of(error)
        return render_template("web/desk/games.html.j2", kits=[], problem=problem), 422
    teller = Teller(kit, language().code)
    page = render_template(
        "web/desk/new.html.j2", kit=kit, teller=teller, game=game, sent=sent, problem=problem, policy=policy.inputs(),
        usual=founding.usual_seats(kit), rebuilt=len(kit.rebuilt()), before=_before(game),
        kept=list(_kept(game)), differing=founding.differing(kit, sent),
        paces=[(pace, f"{pace} ({founding.hours(kit, pace)['default']} h)") for pace in founding.PACES],
        titles={kind: teller.question_title(kind) for kind in kit.times},
        spectators=next(input for group in policy.inputs().values() for input in group if input.name == "spectators"),
        seat_numbers=[(n, n) for n in range(kit.seats["minimum"], kit.seats["maximum"] + 1)],
    )  # fmt: skip
    return page, problem.status if problem else 200


@blueprint.post("/new")
def create() -> Any:
    """Make the campaign."""
    form = request.form
    game = form.get("game", "")
    if game not in game_ids():
        nothing_here()

    kept = KeptChoices(service().store)

    def make() -> str:
        values = actions.CreateSchema().load(founding.creation(form, actions.configured_kit(game)))
        guests = founding.guests(form.get("players", ""), values["seats"])
        name = form.get("keep_as", "").strip()
        if name:
            kept.check(g.moderator.name, game, name)
        made = actions.create(service(), moderators(service()), g.moderator, values)
        if name:
            status = service().status(made)
            kept.keep(g.moderator.name, game, name, status.options, status.policy)
        for seat, guest in zip(service().status(made).seats, guests, strict=False):
            actions.invite(service(), made, seat, guest.name, guest.address, form.get("language", "en"))
        return made

    campaign, problem = _attempt(make)
    if problem is not None:
        return _new_form(game, form, problem)
    flash("The campaign is created. Its first event commits to the dice; the invitations quote it.", "good")
    return redirect(url_for(".campaign", campaign=campaign), 303)


@blueprint.post("/new/forget")
def forget_choices() -> Any:
    """Let a kept set of choices go."""
    game, name = request.form.get("game", ""), request.form.get("name", "")
    KeptChoices(service().store).let_go(g.moderator.name, game, name)
    flash(f"The choices “{name}” are forgotten.", "good")
    return redirect(url_for(".new", game=game), 303)


# --- one campaign -----------------------------------------------------------------------------------------------------


def _mine(campaign: str) -> Status:
    """A campaign that this moderator runs; ends with `nothing_here` for any other."""
    if not moderators(service()).runs(g.moderator, campaign):
        nothing_here()
    try:
        status = service().status(campaign)
    except NoCampaign:
        nothing_here()
    g.kit = service().kit_of(campaign)
    g.teller = Teller(g.kit, language().code)
    return status


def _render(template: str, status: Status, **values: Any) -> str:
    """A page in the frame of a campaign."""
    return render_template(
        f"web/desk/{template}.html.j2", status=status, kit=g.kit, teller=g.teller,
        players=lookup.players(service().store, status.campaign), **values,
    )  # fmt: skip


@blueprint.get("/c/<campaign>/")
def campaign(campaign: str) -> Any:
    """Everything about one campaign, and the forms of all actions."""
    return _campaign_page(_mine(campaign))


def _campaign_page(status: Status, failed: str = "", sent: MultiDict | None = None, problem: Problem | None = None
                   ) -> Any:
    store, seen = service().store, service().page(status.campaign, None, language().code)
    status = seen.status
    names = {powers[0]: ", ".join(g.teller.power(power) for power in powers) for powers in _holdings(status)}
    last = seen.events(max(1, status.event - 5), status.event)
    page = _render(
        "campaign", status, **boards.shown(seen.picture(()), seen.board, g.teller), names=names,
        rebuilt=lookup.rebuilt(g.kit), failed=failed, sent=sent or MultiDict(), problem=problem,
        latest=[tell(event, g.teller, None) for event in reversed(last)],
        outbox_failed=lookup.outbox(store, status.campaign, state="failed", size=1).total,
        set_aside=lookup.inbox(store, status.campaign, state="set_aside", size=1).total,
        runners=moderators(service()).of_campaign(status.campaign), zones=actions.time_zones(),
        rules=policy.described(status.policy, language().text), asks=_asks(status),
        asked_seats=_seat_names(status, list(status.deadlines)), hours_left=_hours_left(status),
        seat_names=_seat_names(status, list(status.seats)),
        open_seats=_seat_names(status, sorted((s for s, seating in status.seats.items() if not seating["accepted"]),
                                              key=lambda seat: service().player(status.campaign, seat) is not None)),
    )  # fmt: skip
    return page, problem.status if problem else 200


def _holdings(status: Status) -> list[list[str]]:
    """What can be given to a seat: powers that go together, or each by itself."""
    game = find_game(status.game)
    fixed = game.seats(g.kit, status.scenario, len(status.seats), status.options)
    return fixed or [[power] for power in game.powers(g.kit, status.scenario)]


def _seat_names(status: Status, seats: list[str]) -> list[tuple[str, str]]:
    """Seats with their powers, for a choice."""
    powers = {seat: ", ".join(g.teller.power(p) for p in status.seats[seat]["powers"]) for seat in seats}
    named = {seat: language().seat(seat) for seat in seats}
    return [(seat, f"{named[seat]} ({powers[seat]})" if powers[seat] else named[seat]) for seat in seats]


def _with_names(text: str, status: Status, holdings: list[list[str]]) -> str:
    """What the service says, which names seats and powers by their ids, as people read it."""
    named = {seat: language().seat(seat) for seat in status.seats}
    named |= {power: g.teller.power(power) for powers in holdings for power in powers}
    return re.sub(r"\b[a-z]\w*\b", lambda word: named.get(word[0], word[0]), text)


def _asks(status: Status) -> list[dict[str, Any]]:
    return [
        {**ask, "title": g.teller.question_title(ask["kind"]), "deadline": status.deadlines.get(ask["seat"])}
        for ask in status.asks
    ]


def _hours_left(status: Status) -> float | None:
    return None if status.deadline is None else (status.deadline - now()).total_seconds() / 3600


@blueprint.post("/c/<campaign>/do/<name>")
def do(campaign: str, name: str) -> Any:
    """Do one of the simple actions."""
    status = _mine(campaign)
    action = ACTIONS.get(name)
    if action is None or name in ("rule", "rewind"):
        nothing_here()
    _, problem = _attempt(lambda: _do(action, campaign, _fields(action, status, request.form)))
    if problem is not None:
        holdings = _holdings(status) if name == "assign" else []
        problem = replace(problem, detail=_with_names(problem.detail, status, holdings))
        return _campaign_page(_mine(campaign), name, request.form, problem)
    flash(f"{action.title}: done, and in the ledger.", "good")
    return redirect(url_for(".campaign", campaign=campaign), 303)


def _do(action: Action, campaign: str, values: dict[str, Any]) -> dict[str, Any]:
    return actions.act(service(), action, campaign, action.schema().load(values))


def _fields(action: Action, status: Status, form: MultiDict) -> dict[str, Any]:
    """The fields of an action as a form has them, in the types of its schema; empty ones are left out."""
    if action.name == "assign":
        chosen = {seat: form[f"power.{seat}"] for seat in status.seats if form.get(f"power.{seat}")}
        return {"chosen": chosen} if form.get("how") == "chosen" else {}
    values: dict[str, Any] = {}
    for name in action.schema().fields:
        text = form.get(name, "").strip() if name != "reason" else form.get(name, "").replace("\r\n", "\n").strip()
        if text:
            values[name] = founding.whole(text) if name == "hours" else text
    return values


@blueprint.post("/c/<campaign>/moderators")
def hand_over(campaign: str) -> Any:
    """Let another moderator run this campaign too, or no longer."""
    status = _mine(campaign)
    name = request.form.get("moderator", "").strip()
    if request.form.get("do") == "leave":
        moderators(service()).leave(campaign, name)
        flash(f"{name} no longer runs this campaign.", "good")
        back = url_for(".campaign", campaign=campaign)
        return redirect(back if moderators(service()).runs(g.moderator, campaign) else url_for(".campaigns"), 303)
    _, problem = _attempt(lambda: actions.hand_over(service(), moderators(service()), campaign, name))
    if problem is not None:
        return _campaign_page(status, "moderators", request.form, problem)
    flash(f"{name} runs this campaign too.", "good")
    return redirect(url_for(".campaign", campaign=campaign), 303)


# --- what came in and went out ----------------------------------------------------------------------------------------


@blueprint.get("/c/<campaign>/inbox")
def inbox(campaign: str) -> str:
    """All submissions: from whom, when, and what came of them."""
    status = _mine(campaign)
    state = _choice("state", ("new", "done", "set_aside"), "")
    page = lookup.inbox(service().store, campaign, state=state, page=_page())
    return _render("inbox", status, page=page, state=state)


@blueprint.get("/c/<campaign>/inbox/<int:number>")
def submission(campaign: str, number: int) -> Any:
    """One submission; what it says is shown for a reason only."""
    return _submission_page(_mine(campaign), number)


def _submission_page(status: Status, number: int, **values: Any) -> str:
    row = lookup.inbox_entry(service().store, status.campaign, number) if number < 2**31 else None
    if row is None:
        nothing_here()
    return _render("submission", status, row=row, **values)


@blueprint.post("/c/<campaign>/inbox/<int:number>")
def read_submission(campaign: str, number: int) -> Any:
    """Show what a submission says, this once, or give it as a file; that it was read is an event."""
    status = _mine(campaign)
    row = lookup.inbox_entry(service().store, campaign, number) if number < 2**31 else None
    if row is None:
        nothing_here()
    disclosed, problem = _attempt(lambda: _disclosed(campaign, {"submission": number}))
    if disclosed is None:
        return _submission_page(status, number, problem=problem), 422
    mail = disclosed["raw"]
    if mail is not None:
        for seat in status.seats:  # a player may have sent on what another one wrote
            mail = raw.without_token(mail, service().token_of(campaign, seat))
    if request.form.get("do") == "download" and mail is not None:
        name = f"{campaign}-inbox-{number}.eml"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
        return Response(mail, mimetype="application/octet-stream", headers=headers)
    text, whole = raw.readable(mail) if mail is not None else (None, True)
    text = without_tokens(text)
    lines = [raw.visible(line) for line in disclosed["lines"]]
    return _submission_page(_mine(campaign), number, shown=disclosed, lines=lines, text=text, whole=whole)


def _disclosed(campaign: str, what: dict[str, Any]) -> dict[str, Any]:
    """What is hidden, for the reason in the form."""
    values = actions.DiscloseSchema().load({"reason": request.form.get("reason", "").strip(), **what})
    disclosed = service().disclose(campaign, **values)
    service().project()
    return disclosed


@blueprint.get("/c/<campaign>/outbox")
def outbox_page(campaign: str) -> str:
    """All messages, and their fate."""
    status = _mine(campaign)
    state = _choice("state", lookup.OUTBOX_STATES, "")
    page = lookup.outbox(service().store, campaign, state=state, page=_page())
    words = {"": "all", "pending": "waiting", "claimed": "being written", "rendered": "being sent", "void": "overtaken",
             "failed": "given up"}  # fmt: skip
    choices = [(state, words.get(state, state)) for state in ("", *lookup.OUTBOX_STATES)]
    return _render("outbox", status, page=page, state=state, state_choices=choices)


@blueprint.post("/c/<campaign>/outbox/<int:number>/retry")
def retry(campaign: str, number: int) -> Any:
    """Let a message that was given up be tried again."""
    _mine(campaign)
    if number >= 2**31 or lookup.campaign_of_message(service().store, number) != campaign:
        nothing_here()
    if outbox.retry(service().store, number):
        flash("The message will be tried again.", "good")
    else:
        flash("This message was not given up, so there is nothing to try again.", "bad")
    return redirect(url_for(".outbox_page", campaign=campaign, state="failed"), 303)


@blueprint.get("/c/<campaign>/events")
def events(campaign: str) -> str:
    """The events as everybody may read them, newest first."""
    status = _mine(campaign)
    pages = max(1, -(-status.event // EVENTS_ON_A_PAGE))
    number = min(_page(), pages)
    stop = status.event - (number - 1) * EVENTS_ON_A_PAGE
    shown = service().events(campaign, None, max(1, stop - EVENTS_ON_A_PAGE + 1), stop)
    told = [tell(event, g.teller, None) for event in reversed(shown)]
    page = lookup.Page(told, number, status.event, EVENTS_ON_A_PAGE)
    return _render("events", status, page=page)


# --- ruling -----------------------------------------------------------------------------------------------------------


@blueprint.get("/c/<campaign>/ruling")
def ruling(campaign: str) -> Any:
    """The editor of a ruling."""
    return _ruling_page(_mine(campaign), "[]")


@blueprint.post("/c/<campaign>/ruling")
def rule(campaign: str) -> Any:
    """Choose what the ruling is to change, add the change, take one out, try it all on a copy, or let it be."""
    status = _mine(campaign)
    step = request.form.get("do", "")
    text = request.form.get("facts", "").strip() or "[]"
    if step in ("choose", "add") or step.startswith("drop-"):
        return _built_ruling(status, step, text)
    view = service().view_at(campaign)
    values, problem = _attempt(lambda: _ruling_of(text, request.form))
    if values is not None and step == "try":
        after, problem = _attempt(lambda: _fitting(lambda: _try(campaign, values)))
        status = _mine(campaign)
        if after is not None:
            found = compare.changes(view, after, g.teller)
            return _ruling_page(status, text, changes=found, tried=_mark(status, values))
    elif values is not None and request.form.get("tried") != _mark(status, values):
        detail = "Try it first: the campaign has gone on, or the ruling was changed since it was tried."
        problem = Problem(409, "not-now", "Not as things stand", detail)
    elif values is not None:
        _, problem = _attempt(lambda: _fitting(lambda: actions.act(service(), ACTIONS["rule"], campaign, values)))
    if problem is not None:
        return _ruling_page(_mine(campaign), text, problem=problem), problem.status
    flash("The ruling is in the ledger; all are told.", "good")
    return redirect(url_for(".campaign", campaign=campaign), 303)


def _built_ruling(status: Status, step: str, text: str) -> Any:
    """A step of building a ruling from lists."""

    def build() -> tuple[list[Any], ruled.Thing | None]:
        facts = _read_facts(text)
        things = ruled.Things(_after(service().view_at(status.campaign), facts), g.teller)
        if step == "choose":
            return facts, things.find(request.form.get("what", ""))
        if step.startswith("drop-"):
            number = founding.whole(step.removeprefix("drop-"))
            return [fact for place, fact in enumerate(facts) if place != number], None
        thing = things.by_key.get(request.form.get("thing", ""))
        if thing is None:
            raise ValueError("What the ruling was to change is not there any more: choose it again.")
        try:
            return [*facts, things.fact(thing, request.form)], None
        except ValueError:
            chosen.append(thing)
            raise

    chosen: list[ruled.Thing] = []
    built, problem = _attempt(build)
    facts, thing = built if built is not None else (None, chosen[0] if chosen else None)
    page = _ruling_page(status, text if facts is None else _pretty(facts), chosen=thing, problem=problem)
    return page, problem.status if problem else 200


def _fitting(do: Callable[[], _T]) -> _T:
    """What comes of a ruling; where it does not fit the board, that is told with the names of things."""
    try:
        return do()
    except RulingRefused as error:
        if isinstance(error.__cause__, rulings.BadFact):
            raise ValueError(ruled.in_words(error.__cause__, g.teller)) from error
        raise


def _after(view: Board, facts: list[Any]) -> Board:
    """A board after the facts of a ruling that fit it."""
    view = view.copy()
    for fact in facts:
        try:
            apply_all(view, rulings.completed(view, rulings.check_facts([fact])))
        except ValueError:
            continue  # trying the ruling will tell
    return view


def _ruling_of(text: str, form: MultiDict) -> dict[str, Any]:
    facts = rulings.check_facts(_read_facts(text))
    return actions.RulingSchema().load(
        {"facts": facts, "reason": form.get("reason", "").strip(), "ends_step": "ends_step" in form}
    )


def _read_facts(text: str) -> list[Any]:
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the facts are no JSON: {error}") from error
    _check_text(facts)
    if not isinstance(facts, list):
        raise ValueError("the facts are a list, in square brackets")
    return facts


def _check_text(value: Any) -> None:
    """Raises `ValueError` for JSON with half a character in it, or nested without end: no page can show it."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError) as error:
        raise ValueError("this holds half a character, or is nested too deeply") from error


def _try(campaign: str, values: dict[str, Any]) -> Board:
    try:
        return service().try_ruling(campaign, values["facts"], values["reason"], ends_step=values["ends_step"])
    finally:
        service().project()


def _mark(status: Status, values: dict[str, Any]) -> str:
    """Names what was tried on which state of the campaign, so that nothing else is then made so."""
    return hashlib.sha256(ledger.canonical([status.head, values["facts"], values["ends_step"]])).hexdigest()


def _ruling_page(status: Status, facts: str, **values: Any) -> str:
    values = {"problem": None, "changes": None, "chosen": None, **values}
    try:
        known = rulings.check_facts(_read_facts(facts))
    except ValueError:
        known = []  # none yet, or what is written is wrong, which trying it will tell
    view = service().view_at(status.campaign)
    said = ruled.sentences(known, view, g.teller)
    things = ruled.Things(_after(view, known), g.teller)
    thing = values["chosen"]
    inputs = things.inputs(things.by_key.get(thing.key, thing)) if thing else []
    return _render("ruling", status, facts=facts, sent=request.form, things=things, sentences=said, inputs=inputs,
                   forms=rulings.FORMS, **values)  # fmt: skip


def _pretty(facts: list[Any]) -> str:
    """Facts one a line."""
    return "[\n" + ",\n".join("  " + json.dumps(fact, ensure_ascii=False) for fact in facts) + "\n]"


# --- going back -------------------------------------------------------------------------------------------------------


@blueprint.get("/c/<campaign>/rewind")
def rewind(campaign: str) -> Any:
    """What going back to an event would change."""
    return _rewind_page(_mine(campaign), request.args.get("event", type=int))


@blueprint.post("/c/<campaign>/rewind")
def go_back(campaign: str) -> Any:
    """Go back."""
    _mine(campaign)
    event = founding.whole(request.form.get("event", ""))
    values = {"event": None if event == "" else event, "reason": request.form.get("reason", "").strip()}
    _, problem = _attempt(lambda: _do(ACTIONS["rewind"], campaign, values))
    if problem is not None:
        known = event if isinstance(event, int) else None
        return _rewind_page(_mine(campaign), known, problem=problem), problem.status
    flash("The game has gone back; all are told. Nothing is erased.", "good")
    return redirect(url_for(".campaign", campaign=campaign), 303)


def _rewind_page(status: Status, event: int | None, **values: Any) -> str:
    changes = told = asks = undone = None
    campaign = status.campaign
    if event is not None and 1 <= event < status.event:
        now_seen, then = service().view_at(campaign), service().view_at(campaign, None, event)
        changes = compare.changes(now_seen, then, g.teller)
        told = tell(service().events(campaign, None, event, event)[0], g.teller, None)
        asks = _asked_after(status, event)
        undone = undoing(service().events(campaign, None, event + 1, status.event), g.teller)
    rest = service().reading.glance(campaign).rest_event
    of_step = undoing(service().events(campaign, None, rest + 1, status.event), g.teller)
    recent = service().events(campaign, None, max(1, status.event - 30), status.event - 1)
    return _render(
        "rewind", status, event=event, changes=changes, told=told, asks=asks, sent=request.form, undone=undone,
        of_step=of_step, rest=rest, recent=[tell(one, g.teller, None) for one in reversed(recent)],
        **{"problem": None, **values},
    )  # fmt: skip


def _asked_after(status: Status, event: int) -> list[str]:
    """What was asked after an event, as everybody could know it."""
    for start in range(event, 0, -100):
        for one in reversed(service().events(status.campaign, None, max(1, start - 99), start)):
            if "asks" in one["public"]:
                asks = one["public"]["asks"]
                return [f"{g.teller.power(ask['power'])}: {g.teller.question_title(ask['kind'])}" for ask in asks]
    return []


# --- kit, hidden things -----------------------------------------------------------------------------------------------


@blueprint.get("/c/<campaign>/kit")
def kit(campaign: str) -> Any:
    """The values that are not the published ones, and what the configured files would change."""
    return _kit_page(_mine(campaign))


@blueprint.post("/c/<campaign>/kit")
def correct_kit(campaign: str) -> Any:
    """Go on with the kit of the configured files."""
    _mine(campaign)
    reason = request.form.get("reason", "").strip()
    outcome, problem = _attempt(lambda: _do(ACTIONS["correct-kit"], campaign, {"reason": reason}))
    if outcome is None:
        return _kit_page(_mine(campaign), problem=problem), problem.status if problem else 422
    when = "is in force" if outcome["at_once"] else "takes effect when the open step is done"
    flash(f"The corrected kit {when}.", "good")
    return redirect(url_for(".kit", campaign=campaign), 303)


def _kit_page(status: Status, **values: Any) -> str:
    configured, faults = None, []
    try:
        configured = actions.configured_kit(status.game)
    except KitError as error:
        faults = [str(problem) for problem in error.problems]
    differs = lookup.kit_differences(g.kit, configured) if configured is not None and configured != g.kit else []
    return _render("kit", status, rebuilt=lookup.rebuilt(g.kit), differs=differs, configured=configured, faults=faults,
                   sent=request.form, **{"problem": None, **values})  # fmt: skip


@blueprint.get("/c/<campaign>/hidden")
def hidden(campaign: str) -> str:
    """The form that asks for a reason."""
    return _render("hidden", _mine(campaign), event=request.args.get("event", type=int), sent=MultiDict(),
                   problem=None, shown=None)  # fmt: skip


@blueprint.post("/c/<campaign>/hidden")
def show_hidden(campaign: str) -> Any:
    """Show the whole board or a whole event, this once; that it was shown is an event."""
    status = _mine(campaign)
    event = founding.whole(request.form.get("event", ""))
    asked = request.form.get("what", "")
    what = {"event": event} if asked == "event" else {}
    if asked not in ("board", "event") or what == {"event": ""}:
        # A slip must not open more than was meant: what was shown cannot be taken back.
        wanted = "Choose the whole board or one event." if asked != "event" else "Write the number of the event."
        unclear = Problem(422, "bad-value", "It is not clear what is to be shown", wanted)
        page = _render("hidden", status, event=event, sent=request.form, problem=unclear, shown=None)
        return page, 422
    disclosed, problem = _attempt(lambda: _disclosed(campaign, what))
    if disclosed is None:
        page = _render("hidden", status, event=event, sent=request.form, problem=problem, shown=None)
        return page, 422
    status = _mine(campaign)
    if what:
        told = tell(disclosed, g.teller, None)
        return _render("hidden", status, event=event, sent=MultiDict(), problem=None, shown=disclosed, told=told,
                       text=json.dumps(disclosed, ensure_ascii=False, indent=1))  # fmt: skip
    board = Board.from_json(disclosed)
    secrets = {name: _secret(value) for name, value in secrets_of(board, ()).items()}
    return _render("hidden", status, event=None, sent=MultiDict(), problem=None, shown=disclosed, secrets=secrets,
                   text=json.dumps(disclosed, ensure_ascii=False, indent=1))  # fmt: skip


def _secret(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{g.teller.power(power)}: {number}" for power, number in value.items())
    return ", ".join(g.teller.name(card) for card in value)


@blueprint.get("/c/<campaign>/bundle")
@limiter.limit(BUNDLE_LIMIT)
@costly
def bundle(campaign: str) -> Response:
    """The ledger as everybody may see it."""
    status = _mine(campaign)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bundle"
        service().export(campaign, None, file)
        content = file.read_bytes()
    name = f"{campaign}-public-{status.event}.jsonl"
    return Response(content, mimetype="application/jsonl",
                    headers={"Content-Disposition": f'attachment; filename="{name}"'})  # fmt: skip


__all__ = ["blueprint", "kit_at_start", "moderators"]
