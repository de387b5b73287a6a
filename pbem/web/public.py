"""Pages that everybody may read."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, session, url_for

from pbem.render.language import languages
from pbem.web.context import service

blueprint = Blueprint("public", __name__)


@blueprint.get("/")
def front() -> str:
    """The list of campaigns."""
    return render_template("web/front.html.j2", campaigns=service().campaigns())


@blueprint.post("/language")
def choose_language():
    """Keep a language for this browser."""
    code = request.form.get("language", "")
    if code not in languages():
        abort(400)
    session["language"] = code
    return redirect(_local(request.form.get("back", "")), 303)


def _local(address: str) -> str:
    """An address of our own pages; the front page in place of any other."""
    plain = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if plain else url_for("public.front")
