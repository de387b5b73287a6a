"""How a campaign is founded: the form, what it begins with, and the choices that are kept for the next time."""

from __future__ import annotations

from typing import Any

from flask import flash, g, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from pbem.campaign import desk as lookup
from pbem.campaign import policy
from pbem.campaign.choices import KeptChoices
from pbem.games import UnknownGame, game_ids
from pbem.render.narrative import Teller
from pbem.table.kit import KitError
from pbem.web import actions, founding
from pbem.web.actions import Problem
from pbem.web.context import language, service
from pbem.web.desk.frame import attempt, blueprint, kit_at_start, moderators
from pbem.web.security import nothing_here


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

    campaign, problem = attempt(make)
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
