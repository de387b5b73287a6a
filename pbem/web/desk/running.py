"""A campaign that runs: its page, the people at its seats, its clock, and who else may run it."""

from __future__ import annotations

from typing import Any

from flask import flash, g, redirect, request, url_for
from werkzeug.datastructures import MultiDict

from pbem.campaign import lookup, policy
from pbem.campaign.page import tell
from pbem.campaign.service import Status
from pbem.games import find_game
from pbem.web import actions, boards, founding
from pbem.web.actions import ACTIONS, Action, Problem
from pbem.web.context import language, now, service
from pbem.web.desk.frame import attempt, blueprint, kind_titles, mine, moderators, perform, render
from pbem.web.security import nothing_here
from pbem.web.undoing import PRIVATE

LATEST = 6
"""Events that the page of a campaign shows."""
LOOKED_BACK = 40
"""Among so many it looks for them: of players' own affairs there is nothing to tell."""


@blueprint.get("/c/<campaign>/")
def campaign(campaign: str) -> Any:
    """Everything about one campaign, and the forms of all actions."""
    return _campaign_page(mine(campaign))


def _campaign_page(
    status: Status, failed: str = "", sent: MultiDict | None = None, problem: Problem | None = None
) -> Any:
    store, seen = service().store, service().page(status.campaign, None, language().code)
    status = seen.status
    names = {powers[0]: ", ".join(g.teller.power(power) for power in powers) for powers in _holdings(status)}
    last = [event for event in seen.events(max(1, status.event - LOOKED_BACK), status.event)
            if event["kind"] not in PRIVATE][-LATEST:]  # fmt: skip
    page = render(
        "campaign", status, **boards.shown(seen.picture(()), seen.board, g.teller), names=names,
        rebuilt=lookup.rebuilt(g.kit), failed=failed, sent=sent or MultiDict(), problem=problem,
        latest=[tell(event, g.teller, None) for event in reversed(last)],
        outbox_failed=lookup.outbox(store, status.campaign, state="failed", size=1).total,
        set_aside=lookup.inbox(store, status.campaign, state="set_aside", size=1).total,
        runners=moderators(service()).of_campaign(status.campaign), zones=actions.time_zones(),
        rules=policy.described(status.policy, language().text), hours=_hours(status), asks=_asks(status),
        asked_seats=_asked_seats(status), hours_left=_hours_left(status),
        seat_names=[("", language().text("– choose –")), *_seat_names(status, list(status.seats))],
        open_seats=_seat_names(status, sorted((s for s, seating in status.seats.items() if not seating["accepted"]),
                                              key=lambda seat: service().player(status.campaign, seat) is not None)),
    )  # fmt: skip
    return page, problem.status if problem else 200


def _asked_seats(status: Status) -> list[tuple[str, str]]:
    """The seats whose deadline can be moved alone: a window closes for all at once."""
    alone = [] if service().reading.glance(status.campaign).window else list(status.deadlines)
    return _seat_names(status, alone)


def _holdings(status: Status) -> list[list[str]]:
    """What can be given to a seat: powers that go together, or each by itself."""
    game = find_game(status.game)
    fixed = game.seats(g.kit, status.scenario, len(status.seats), status.options)
    return fixed or [[power] for power in game.powers(g.kit, status.scenario)]


def _seat_names(status: Status, seats: list[str]) -> list[tuple[str, str]]:
    """Seats with who plays them and their powers, for a choice."""
    players = lookup.players(service().store, status.campaign)
    names = []
    for seat in seats:
        powers = ", ".join(g.teller.power(power) for power in status.seats[seat]["powers"])
        known = [one for one in (players.get(seat, {}).get("name"), powers) if one]
        called = f"{language().colon} ".join(known)
        names.append((seat, f"{language().seat(seat)} ({called})" if known else language().seat(seat)))
    return names


def _hours(status: Status) -> list[tuple[int, str]]:
    """How long each kind of question stays open in a campaign: hours, and the kinds that have them."""
    titles = kind_titles(g.teller, g.kit.times)
    groups = founding.by_hours(founding.effective(g.kit, status.policy["times"]))
    return [(number, language().parted(dict.fromkeys(titles[kind] for kind in kinds))) for number, kinds in groups]


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
    status = mine(campaign)
    action = ACTIONS.get(name)
    if action is None or name in ("rule", "rewind"):
        nothing_here()
    _, problem = attempt(lambda: perform(action, campaign, _fields(action, status, request.form)))
    if problem is not None:
        return _campaign_page(mine(campaign), name, request.form, problem)
    _ = language().text
    flash(_("%(action)s: done, and in the ledger.", action=_(action.title)), "good")
    return redirect(url_for(".campaign", campaign=campaign), 303)


def _fields(action: Action, status: Status, form: MultiDict) -> dict[str, Any]:
    """The fields of an action as a form has them, in the types of its schema; empty ones are left out."""
    if action.name == "assign":
        chosen = {seat: form[f"power.{seat}"] for seat in status.seats if form.get(f"power.{seat}")}
        return {"chosen": chosen} if chosen else {}
    values: dict[str, Any] = {}
    for name in action.schema().fields:
        text = form.get(name, "").strip() if name != "reason" else form.get(name, "").replace("\r\n", "\n").strip()
        if text:
            values[name] = founding.whole(text) if name == "hours" else text
    return values


@blueprint.post("/c/<campaign>/moderators")
def hand_over(campaign: str) -> Any:
    """Let another moderator run this campaign too, or no longer."""
    status = mine(campaign)
    name = request.form.get("moderator", "").strip()
    if request.form.get("do") == "leave":
        moderators(service()).leave(campaign, name)
        flash(language().text("%(name)s no longer runs this campaign.", name=name), "good")
        back = url_for(".campaign", campaign=campaign)
        return redirect(back if moderators(service()).runs(g.moderator, campaign) else url_for(".campaigns"), 303)
    _, problem = attempt(lambda: actions.hand_over(moderators(service()), campaign, name))
    if problem is not None:
        return _campaign_page(status, "moderators", request.form, problem)
    flash(language().text("%(name)s runs this campaign too.", name=name), "good")
    return redirect(url_for(".campaign", campaign=campaign), 303)
