"""How moderators log in and out, and change what opens their accounts: password, links, token of the API."""

from __future__ import annotations

import hashlib
from typing import Any

from flask import Response, flash, g, redirect, render_template, request, session, url_for

from pbem.campaign.links import send_desk_link
from pbem.campaign.moderators import BadAccount, Moderator
from pbem.table.said import Said, said_by
from pbem.web import actions
from pbem.web.context import language, now, service
from pbem.web.desk.frame import blueprint, moderators
from pbem.web.proxies import client
from pbem.web.security import in_background, limiter

LOGIN_LIMIT = "5 per minute; 30 per hour"
NAME_LIMIT = "10 per hour"
LINK_LIMIT = "3 per minute; 10 per hour"


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
            raise BadAccount(Said("The old password is not this one."))
        changed = accounts.add(who.name, request.form.get("new", ""), now(), address=who.address, admin=who.admin)
    except BadAccount as error:
        return render_template("web/desk/account.html.j2", problem=actions.in_words(said_by(error)), token=None), 422
    session["moderator"] = {**session["moderator"], "generation": changed.generation}
    flash(language().text(
        "Your password is changed. All other sessions of yours have ended, and the token of the API is void."
    ), "good")  # fmt: skip
    return redirect(url_for("desk.account"), 303)


@blueprint.post("/account/token")
def new_token() -> Any:
    """A new token for the API, shown this once; or none any more."""
    accounts = moderators(service())
    if request.form.get("do") == "drop":
        accounts.drop_token(g.moderator.name)
        flash(language().text("The token is void."), "good")
        return redirect(url_for("desk.account"), 303)
    return render_template("web/desk/account.html.j2", problem=None, token=accounts.new_token(g.moderator.name))
