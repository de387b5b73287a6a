"""How a campaign is founded: the form, what it begins with, and the choices that are kept for the next time."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from flask import flash, g, redirect, render_template, request, url_for
from marshmallow import ValidationError
from werkzeug.datastructures import MultiDict

from pbem.campaign import lookup, policy
from pbem.campaign.administration import IdTaken
from pbem.campaign.choices import KeptChoices
from pbem.games import UnknownGame, game_ids
from pbem.render.narrative import Teller
from pbem.table.kit import Kit, KitError
from pbem.table.said import said_by
from pbem.web import actions, founding
from pbem.web.actions import Problem
from pbem.web.context import language, service
from pbem.web.desk.frame import attempt, blueprint, kind_titles, kit_at_start, moderators, pace_words, told
from pbem.web.security import nothing_here

_T = TypeVar("_T")


@blueprint.get("/new")
def new() -> Any:
    """The form for a new campaign: which game, then its own choices."""
    game = request.args.get("game")
    if game is None:
        kits = [(id, kit) for id in game_ids() if (kit := kit_at_start(id)) is not None]
        return render_template("web/desk/games.html.j2", kits=kits, problem=None)
    return _filled_form(game, MultiDict(), request.args.get("like", ""))


def _filled_form(game: str, typed: MultiDict, like: str) -> Any:
    """The form, filled in by what was chosen to begin with; where that is not there, as it was typed."""
    try:
        chosen = _begun_with(actions.configured_kit(game), like)
    except (UnknownGame, KitError):
        return _new_form(game, typed, None)  # which tells of it
    if chosen is None:
        _ = language().text
        detail = _("What the form was to begin with is not there, or not yours: choose from the list.")
        return _new_form(game, typed, Problem(422, "bad-value", _("These choices are not there"), detail))
    return _new_form(game, founding.filled(typed, chosen), None, like)


def _begun_with(kit: Kit, like: str) -> MultiDict | None:
    """What the form is filled in with: a set that the kit names, one that this moderator has kept, or the choices of an
    earlier campaign of his; nothing for the usual ones, None for what there is not."""
    how, _, which = like.partition(":")
    if not like:
        return MultiDict()
    if how == "set" and which in kit.choice_sets:
        return founding.as_named(kit, which)
    if how == "kept" and which in (kept := _kept(kit.game)):
        return founding.as_before(kit, kept[which])
    if how == "campaign" and which in dict(_before(kit.game)):
        return founding.as_before(kit, _choices_of(which))
    return None


def _choices_of(campaign: str) -> dict[str, Any]:
    """What a campaign was founded with, as it is kept for the next."""
    status = service().status(campaign)
    return {"options": status.options, "policy": status.policy, "seats": len(status.seats),
            "scenario": status.scenario}  # fmt: skip


def _kept(game: str) -> dict[str, dict[str, Any]]:
    """The sets of choices that this moderator has kept for a game."""
    return KeptChoices(service().store).of(g.moderator.name, game)


def _before(game: str) -> list[tuple[str, str]]:
    """The campaigns of a game that this moderator runs, whose choices a new one can begin with: ids and titles."""
    page = lookup.campaign_list(service().store, moderators(service()), g.moderator)
    return [(row.campaign, row.title) for row in page.rows if row.game == game]


def _new_form(game: str, sent: MultiDict, problem: Problem | None, like: str = "") -> Any:
    try:
        kit = actions.configured_kit(game)
    except UnknownGame:
        nothing_here()
    except KitError as error:
        problem = actions.problem_of(error)
        return render_template("web/desk/games.html.j2", kits=[], problem=problem), 422
    teller = Teller(kit, language().code)
    inputs = policy.inputs()
    at_pace = {pace: founding.hours(kit, pace) for pace in founding.PACES}
    pace = sent.get("pace", founding.USUAL_PACE)
    shown = told(problem, _field_of, _labels(kit, teller))
    scenarios = [(id, kit.scenario(id, language().code)) for id in kit.scenarios]
    spectators = next(input for group in inputs.values() for input in group if input.name == "spectators")
    page = render_template(
        "web/desk/new.html.j2", kit=kit, teller=teller, game=game, sent=sent, like=like, policy=inputs,
        usual=founding.usual_seats(kit), rebuilt=len(kit.rebuilt()), before=_before(game),
        kept=list(_kept(game)), differing=founding.differing(kit, sent),
        paces=[(pace, words) for pace, words in pace_words().items() if pace in at_pace], pace=pace,
        hours={kind: {pace: at_pace[pace][kind] for pace in at_pace} for kind in kit.times},
        by_hours=founding.by_hours(kit.times), titles=kind_titles(teller, kit.times),
        spectators=spectators, spectators_choices=_translated(spectators.choices), translated=_translated,
        scenarios=scenarios, wrong_parts=_parts(shown["errors"]),
        scenario_texts=[(name, text) for id, name in scenarios if (text := kit.scenario_text(id, language().code))],
        seat_numbers=[(n, n) for n in range(kit.seats["minimum"], kit.seats["maximum"] + 1)],
        **shown,
    )  # fmt: skip
    return page, problem.status if problem else 200


def _translated(choices: list[tuple[str, str]] | None) -> list[tuple[str, str]]:
    """The choices of an input of the policy, in the reader's language."""
    return [(value, language().text(words)) for value, words in choices or ()]


def _parts(errors: Mapping[str, str]) -> set[str]:
    """The folded parts of the form in which something is wrong."""
    of_policy = {input.name: group for group, inputs in policy.inputs().items() for input in inputs}
    parts = {"hours": "times", "option": "options", "keep_as": "keep", "campaign": "policy"}
    return {parts.get(name.partition(".")[0], "times" if of_policy.get(name) == policy.TIMES else "policy")
            for name in errors if name.partition(".")[0] in {*parts, *of_policy}}  # fmt: skip


def _field_of(place: str) -> str:
    """The field of the form that a place in what was created stands for: ``hours.impulse`` for its hours."""
    if found := re.fullmatch(r"policy\.times\.(.+?)(\.(value|key))?", place):
        return f"hours.{found[1]}"
    if found := re.fullmatch(r"policy\.(\w+)(\..*)?", place):
        return found[1]
    return f"option.{place.removeprefix('options.')}" if place.startswith("options.") else place


def _labels(kit: Kit, teller: Teller) -> dict[str, str]:
    """What the fields of the form are called."""
    _ = language().text
    return {
        "title": _("Title"), "seats": _("Seats"), "scenario": _("Scenario"), "pace": _("Pace"),
        "players": _("Players"), "campaign": _("Id of the campaign"), "keep_as": _("Under the name"),
        "language": _("Language of the invitations"),
        **{input.name: _(input.title) for group in policy.inputs().values() for input in group},
        **{f"option.{id}": teller.option(option) for id, option in kit.options.items()},
        **{f"hours.{kind}": title for kind, title in kind_titles(teller, kit.times).items()},
    }  # fmt: skip


@blueprint.post("/new")
def create() -> Any:
    """Make the campaign, or fill the form in."""
    form = request.form
    game = form.get("game", "")
    if game not in game_ids():
        nothing_here()
    if form.get("do") == "fill":
        return _filled_form(game, form, form.get("like", ""))

    kept = KeptChoices(service().store)

    def make() -> str:
        values = _loaded(form, actions.configured_kit(game))
        guests = founding.guests(form.get("players", ""), values["seats"])
        name = form.get("keep_as", "").strip()
        if name:
            _at("keep_as", lambda: kept.check(g.moderator.name, game, name))
        made = _at("campaign", lambda: actions.create(service(), moderators(service()), g.moderator, values), IdTaken)
        if name:
            kept.keep(g.moderator.name, game, name, _choices_of(made))
        for seat, guest in zip(service().status(made).seats, guests, strict=False):
            actions.invite(service(), made, seat, guest.name, guest.address, form.get("language", "en"))
        return made

    campaign, problem = attempt(make)
    if problem is not None:
        return _new_form(game, form, problem)
    flash(language().text(
        "The campaign is created. Its first event commits to the dice; the invitations quote it."
    ), "good")  # fmt: skip
    return redirect(url_for(".campaign", campaign=campaign), 303)


def _loaded(form: MultiDict, kit: Kit) -> dict[str, Any]:
    """What the form creates. Raises `ValidationError` with all that is wrong in it at once."""
    values, wrong = founding.creation(form, kit)
    try:
        values = actions.CreateSchema().load({"seats": kit.seats["maximum"], **values})
    except ValidationError as error:
        wrong = {**error.normalized_messages(), **wrong}
    try:
        founding.guests(form.get("players", ""), kit.seats["maximum"])
    except ValidationError as error:
        wrong |= error.normalized_messages()
    if wrong:
        raise ValidationError(wrong)
    return values


def _at(field: str, do: Callable[[], _T], kind: type[ValueError] = ValueError) -> _T:
    """Do something; what stands against it is told beside a field."""
    try:
        return do()
    except kind as error:
        raise ValidationError({field: [said_by(error)]}) from error


@blueprint.post("/new/forget")
def forget_choices() -> Any:
    """Let a kept set of choices go."""
    game, name = request.form.get("game", ""), request.form.get("name", "")
    KeptChoices(service().store).let_go(g.moderator.name, game, name)
    flash(language().text("The choices “%(name)s” are forgotten.", name=name), "good")
    return redirect(url_for(".new", game=game), 303)
