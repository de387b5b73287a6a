"""The way in for those who have no link at hand: they give their address, and get the links of their seats by mail. And
the links by which a player shows that his old address, and then a new one, are his."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request

from pbem.campaign.links import send_links
from pbem.campaign.new_address import AddressTaken
from pbem.web.context import language, service
from pbem.web.security import LOGIN_LIMIT, in_background, limiter

blueprint = Blueprint("login", __name__)


@blueprint.get("/link")
def page() -> str:
    """The form."""
    return render_template("web/login.html.j2", sent=False, problem=None)


@blueprint.post("/link")
@limiter.limit(LOGIN_LIMIT)
def send() -> tuple[str, int]:
    """Send the links; the answer is the same, and as fast, whether the address is known or not."""
    address = request.form.get("address", "").strip()
    if not 3 <= len(address) <= 254 or "@" not in address:
        problem = language().text("This is no mail address.")
        return render_template("web/login.html.j2", sent=False, problem=problem), 422
    in_background(send_links, service(), address)
    return render_template("web/login.html.j2", sent=True, problem=None), 200


@blueprint.get("/address/enter/<token>")
@limiter.limit(LOGIN_LIMIT)
def new_address(token: str) -> tuple[str, int]:
    """A button: what reads a mail before its reader does must not use the link up."""
    wanted = service().new_addresses.wanted(token)
    if wanted is None:
        return _address_page("gone")
    return _address_page("confirm" if wanted.is_allowed else "allow", address=wanted.address, token=token)


@blueprint.post("/address/enter/<token>")
@limiter.limit(LOGIN_LIMIT)
def confirm_address(token: str) -> tuple[str, int]:
    """A button: yes or no from the old address, then yes from the new one, where the player's mails go from now on."""
    addresses = service().new_addresses
    wanted = addresses.wanted(token)
    if wanted is None:
        return _address_page("gone")
    if not wanted.is_allowed:
        is_stopped = request.form.get("do") == "stop"
        is_done = addresses.stop(token) if is_stopped else addresses.allow(token)
        return _address_page(("stopped" if is_stopped else "allowed") if is_done else "gone", address=wanted.address)
    try:
        is_done = addresses.confirm(token)
    except AddressTaken:
        return _address_page("taken", address=wanted.address)
    return _address_page("done" if is_done else "gone", address=wanted.address)


def _address_page(what: str, **values: Any) -> tuple[str, int]:
    code = {"gone": 404, "taken": 409}.get(what, 200)
    return render_template("web/address.html.j2", what=what, **values), code
