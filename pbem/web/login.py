"""The way in for those who have no link at hand: they give their address, and get the links of their seats by mail."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from pbem.campaign.links import send_links
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
