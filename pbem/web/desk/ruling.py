"""Rulings: built from lists or written as facts, tried on a copy, then made so."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, TypeVar

from flask import flash, g, redirect, request, url_for
from werkzeug.datastructures import MultiDict

from pbem.campaign import ledger, rulings
from pbem.campaign.referee import Tried
from pbem.campaign.rulings import RulingRefused
from pbem.campaign.service import Status
from pbem.render import tellings
from pbem.table.board import Board
from pbem.table.facts import apply_all
from pbem.table.said import Said
from pbem.web import actions, compare, founding, ruled
from pbem.web.actions import Problem
from pbem.web.context import language, service
from pbem.web.desk.frame import attempt, blueprint, mine, render

_T = TypeVar("_T")


@blueprint.get("/c/<campaign>/ruling")
def ruling(campaign: str) -> Any:
    """The editor of a ruling."""
    return _ruling_page(mine(campaign), "[]")


@blueprint.post("/c/<campaign>/ruling")
def rule(campaign: str) -> Any:
    """Choose what the ruling is to change, add the change, take one out, try it all on a copy, or let it be."""
    status = mine(campaign)
    step = request.form.get("do", "")
    text = request.form.get("facts", "").strip() or "[]"
    if step in ("choose", "add") or step.startswith("drop-"):
        return _built_ruling(status, step, text)
    if step == "try" and request.form.get("thing"):  # what is filled in, but not added, is meant too
        facts, thing, problem = _built(status, "add", text)
        if facts is None:
            return _ruling_page(status, text, chosen=thing, problem=problem), problem.status if problem else 200
        text = _pretty(facts)
    view = service().view_at(campaign)
    values, problem = attempt(lambda: _ruling_of(text, request.form))
    if values is not None and step == "try":
        tried, problem = attempt(lambda: _fitting(lambda: _try(campaign, values)))
        status = mine(campaign)
        if tried is not None:
            found = compare.changes(view, tried.board, g.teller)
            broken = [tellings.told([one], g.teller) for one in tried.broken]
            return _ruling_page(status, text, changes=found, broken=broken, tried=_mark(status, values))
    elif values is not None and request.form.get("tried") != _mark(status, values):
        _ = language().text
        detail = _("Try it first: the campaign has gone on, or the ruling was changed since it was tried.")
        problem = Problem(409, "not-now", _("Not as things stand"), detail)
    elif values is not None:
        _, problem = attempt(lambda: _fitting(lambda: actions.make_tried(service(), campaign, values)))
    if problem is not None:
        return _ruling_page(mine(campaign), text, problem=problem), problem.status
    flash(language().text("The ruling is in the ledger; all are told."), "good")
    return redirect(url_for(".campaign", campaign=campaign), 303)


def _built_ruling(status: Status, step: str, text: str) -> Any:
    """A step of building a ruling from lists."""
    facts, thing, problem = _built(status, step, text)
    page = _ruling_page(status, text if facts is None else _pretty(facts), chosen=thing, problem=problem)
    return page, problem.status if problem else 200


def _built(status: Status, step: str, text: str) -> tuple[list[Any] | None, ruled.Thing | None, Problem | None]:
    """What a step of building leads to: the facts, or None and the problem; and the thing that is to be changed."""

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
            gone = Said("What the ruling was to change is not there any more: choose it again.")
            raise ValueError(gone)
        try:
            return [*facts, things.fact(thing, request.form)], None
        except ValueError:
            chosen.append(thing)
            raise

    chosen: list[ruled.Thing] = []
    built, problem = attempt(build)
    if built is None:
        return None, chosen[0] if chosen else None, problem
    return *built, None


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
        {
            "facts": facts, "reason": form.get("reason", "").strip(), "ends_step": "ends_step" in form,
            "insists": form.get("insists", "").strip() or None,
        }
    )  # fmt: skip


def _read_facts(text: str) -> list[Any]:
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(Said("the facts are no JSON: %(error)s", error=str(error))) from error
    _check_text(facts)
    if not isinstance(facts, list):
        raise ValueError(Said("the facts are a list, in square brackets"))
    return facts


def _check_text(value: Any) -> None:
    """Raises `ValueError` for JSON with half a character in it, or nested without end: no page can show it."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError) as error:
        raise ValueError(Said("this holds half a character, or is nested too deeply")) from error


def _try(campaign: str, values: dict[str, Any]) -> Tried:
    try:
        return service().try_ruling(campaign, **values)
    finally:
        service().project()


def _mark(status: Status, values: dict[str, Any]) -> str:
    """Names what was tried on which state of the campaign, so that nothing else is then made so."""
    tried = [status.head, values["facts"], values["ends_step"], values["insists"]]
    return hashlib.sha256(ledger.canonical(tried)).hexdigest()


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
    inputs = _inputs(status, things, things.by_key.get(thing.key, thing), known) if thing else []
    more = ruled.sentences(service().goes_with(status.campaign, known), _after(view, known), g.teller, silent=False)
    return render("ruling", status, facts=facts, sent=request.form, things=things, sentences=said, inputs=inputs,
                   more=more, left_behind=ruled.left_behind(known, view, g.teller),
                   most_of_a_menu=ruled.MOST_OF_A_MENU, forms=rulings.FORMS, **values)  # fmt: skip


def _inputs(status: Status, things: ruled.Things, thing: ruled.Thing, known: list[Any]) -> list[ruled.Input]:
    """The fields that say what a thing is to be, with what it can be after the facts that are known already."""
    fields = things.inputs(thing)
    return things.only_what_can_be(thing, fields, lambda facts: service().can_be(status.campaign, facts, known))


def _pretty(facts: list[Any]) -> str:
    """Facts one a line."""
    return "[\n" + ",\n".join("  " + json.dumps(fact, ensure_ascii=False) for fact in facts) + "\n]"
