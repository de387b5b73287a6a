"""The pages of a seat: what a player sees and sends."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for

from pbem.web.context import service
from pbem.web.security import ENTER_LIMIT, limiter, nothing_here, sign_in, signed_in_seat

blueprint = Blueprint("seats", __name__, url_prefix="/c/<campaign>")


@blueprint.get("/enter/<token>")
@limiter.limit(ENTER_LIMIT)
def enter(campaign: str, token: str):
    """A secret link: sign in and go on to an address without the token."""
    sign_in(campaign, token)
    return redirect(url_for(".page", campaign=campaign), 303)


@blueprint.get("/seat")
def page(campaign: str) -> str:
    """The seat's own page."""
    seat = signed_in_seat(campaign)
    if seat is None:
        nothing_here()
    return render_template("web/seat.html.j2", status=service().status(campaign), seat=seat)
