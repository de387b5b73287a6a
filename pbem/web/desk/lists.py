"""All campaigns of a moderator, the people in them, and the mails that belong to none."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from flask import flash, g, redirect, render_template, request, url_for

from pbem.campaign import lookup
from pbem.campaign.guard import HoldsSecret
from pbem.campaign.new_address import AddressTaken
from pbem.render.narrative import Teller
from pbem.web.actions import mail_address
from pbem.web.context import language, now, service, state_words
from pbem.web.desk.frame import blueprint, choice, kit_at_start, moderators, page_number
from pbem.web.security import nothing_here


@blueprint.get("/")
def campaigns() -> str:
    """The list, filtered and sorted."""
    wanted = {
        "search": request.args.get("search", "").strip()[:100],
        "state": choice("state", ("open", *lookup.STATES), "open") if request.args.get("state") != "all" else "",
        "sort": choice("sort", lookup.SORTS, "needs"),
        "only": choice("only", ("late", "trouble"), ""),
    }
    page = lookup.campaign_list(
        service().store, moderators(service()), g.moderator, search=wanted["search"], state=wanted["state"],
        sort=wanted["sort"], late_at=now() if wanted["only"] == "late" else None, trouble=wanted["only"] == "trouble",
        page=page_number(),
    )  # fmt: skip
    _ = language().text
    kits = {row.game: kit_at_start(row.game) for row in page.rows}
    tellers = {game: Teller(kit, language().code) for game, kit in kits.items() if kit is not None}
    return render_template(
        "web/desk/campaigns.html.j2", page=page, closed=service().closed_way(), wanted=wanted, tellers=tellers,
        soon=now() + timedelta(hours=24),
        state_choices=[("open", _("not over")), ("all", _("all")),
                       *((state, state_words()[state]) for state in lookup.STATES)],
    )  # fmt: skip


@blueprint.get("/strays")
def strays() -> str:
    """Mails that belong to no seat: who sent them, and why they were not taken."""
    page = lookup.strays(service().store, moderators(service()), g.moderator, page=page_number())
    return render_template("web/desk/strays.html.j2", page=page)


@blueprint.get("/people")
def people() -> str:
    """Who plays and played in the moderator's campaigns."""
    search = request.args.get("search", "").strip()[:100]
    page = lookup.persons(service().store, moderators(service()), g.moderator, search=search, page=page_number())
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
        flash(language().text("Nothing has changed: this is no mail address."), "bad")
        return redirect(url_for(".person", id=id), 303)
    if address == profile.row.address:
        flash(language().text("Nothing has changed: his mails go to this address already."), "bad")
        return redirect(url_for(".person", id=id), 303)
    try:
        service().new_addresses.change(id, address)
    except HoldsSecret:
        flash(language().text("Nothing has changed: this is no mail address."), "bad")
    except AddressTaken:
        flash(language().text(
            "Nothing has changed: somebody else is known by this address. Invite him there instead."
        ), "bad")  # fmt: skip
    else:
        flash(language().text("His mails go there from now on. He gets a new link for each of his seats."), "good")
    return redirect(url_for(".person", id=id), 303)


@blueprint.post("/people/<id>/erase")
def erase(id: str) -> Any:
    """Forget a person in all campaigns; for admins, who write his address out."""
    profile = lookup.person(service().store, moderators(service()), g.moderator, id)
    if profile is None or not g.moderator.admin:
        nothing_here()
    if request.form.get("address", "").strip().lower() != profile.row.address.lower() or not profile.row.address:
        flash(language().text("Nobody was forgotten: write the address out as it stands here."), "bad")
        return redirect(url_for(".person", id=id), 303)
    service().erase_person(id)
    service().project()
    flash(language().text("The person is forgotten, in all campaigns."), "good")
    return redirect(url_for(".people"), 303)
