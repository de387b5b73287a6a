"""Pages that everybody may read."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from pbem.campaign.command import COMMANDS, SetLanguage
from pbem.campaign.submissions import Submission
from pbem.games import UnknownGame, find_game, game_ids
from pbem.render.explained import field_help, fields_of
from pbem.render.language import find_language, languages, lower_first
from pbem.render.narrative import Teller
from pbem.table import conditions
from pbem.table.kit import Kit, KitError, load_kit
from pbem.table.orders import Order
from pbem.web import boards, rebuilt_values
from pbem.web.actions import MOST_NUMBER
from pbem.web.campaign_pages import open_campaign
from pbem.web.context import language, now, service, state_words
from pbem.web.examples import examples
from pbem.web.security import SEND_LIMIT, limiter, my_campaigns, signed_in_seat
from pbem.web.unchanged import unless_known

blueprint = Blueprint("public", __name__)

CAMPAIGNS_ON_A_PAGE = 50
NAMES_OF_A_DOMAIN = 400


@blueprint.get("/")
def front() -> str:
    """The list of campaigns, the reader's own first."""
    mine = dict(my_campaigns())
    reading = service().reading
    number = request.args.get("page", 1, type=int)
    if not 1 <= number <= MOST_NUMBER:
        abort(404)
    rows, total = reading.visible(mine, number, CAMPAIGNS_ON_A_PAGE)
    pages = max(1, -(-total // CAMPAIGNS_ON_A_PAGE))
    if number > pages:
        abort(404)
    shown = [_row(row) for row in rows]
    # Only his own player may know whether a seat has answered: in a sealed round the read model knows it of all.
    own = [
        {**_row(row), "asked": mine[row["campaign"]] in row["waiting_seats"]}
        for row in reading.campaigns(mine)
    ]  # fmt: skip
    return render_template(
        "web/front.html.j2", rows=shown, mine=own, states=state_words(), number=number, pages=pages
    )


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """What a list of campaigns may tell of one."""
    told = {name: row[name] for name in ("campaign", "title", "state", "deadline")}
    return {**told, "game_title": _game_title(row["game"], language().code)}


@lru_cache
def _game_title(game: str, code: str) -> str:
    try:
        return load_kit(game).title(code)
    except (KitError, FileNotFoundError):
        return game  # a campaign keeps its kit, also when its game is not installed any more


@blueprint.get("/c/<campaign>")
def spectate(campaign: str) -> str:
    """A campaign as everybody may see it."""
    campaign_page = open_campaign(campaign)
    unless_known(campaign_page.status, campaign_page.seat, page=True)
    page = service().page(campaign, None, language().code)
    campaign_page.status = page.status
    titles = {ask["kind"]: campaign_page.teller.question_title(ask["kind"]) for ask in page.status.asks}
    return campaign_page.render(
        "spectate", language().text("As all see it"), news=page.news, question=", ".join(titles.values()),
        board_text=page.words, now=now(), **boards.shown(page.picture(), page.board, page.teller, page.places()),
    )  # fmt: skip


@blueprint.get("/games")
def games() -> str:
    """The games that are installed."""
    rooms = []
    for game in game_ids():
        try:
            rooms.append(_about(load_kit(game)))
        except (KitError, FileNotFoundError):
            continue  # a room without a kit cannot be played
    return render_template("web/games.html.j2", games=rooms)


def _about(kit: Kit) -> dict[str, Any]:
    """What a game is, for who does not know it; the sentences are the phrases ``[about]`` of its kit."""
    code, teller = language().code, Teller(kit, language().code)
    told = {name: teller.of_kit("about", name, kit.game) for name in ("what", "period", "length")}
    scenarios = [kit.scenario(id, code) for id in kit.scenarios]
    return {"id": kit.game, "title": kit.title(code), "seats": kit.seats, "scenarios": scenarios, **told}


@blueprint.get("/games/<game>/orders")
def orders_help(game: str) -> str:
    """How to write orders, out of the orders themselves: first those that the reader may send now in the campaign that
    he comes from, if he has a seat there."""
    kit = _kit(game)
    try:
        kinds = find_game(game).orders
    except UnknownGame:
        abort(404)
    possible = _possible_now(game, request.args.get("campaign", ""))
    now_first, others = ([kind for kind in kinds if (kind in possible) == is_now] for is_now in (True, False))
    code = language().code
    teller = Teller(kit, code)
    vocabulary = [
        (teller.kind(domain), [(id, kit.display(domain, id, code)) for id in list(ids)[:NAMES_OF_A_DOMAIN]])
        for domain, ids in kit.labels.items()
    ]
    commands = [{"usage": language().usage(kind.usage()), "help": kind.help(), "costs": ()} for kind in COMMANDS]
    return render_template(
        "web/orders_help.html.j2", kit=kit, commands=commands, vocabulary=vocabulary,
        possible=[_order_help(kind, kit) for kind in now_first], orders=[_order_help(kind, kit) for kind in others],
        conditions=_condition_help(teller),
    )  # fmt: skip


def _condition_help(teller: Teller) -> list[dict[str, Any]]:
    """The conditions of a game: how each is written, what it asks, and the words that its value may be, each told."""
    words, told = conditions.vocabulary(teller.kit), teller.words("condition_value")
    return [
        {"usage": teller.language.usage(usage), "text": teller.condition(name),
         "values": [(key.partition(" ")[2], text) for key, text in told.items() if key.partition(" ")[0] == name]}
        for name, usage in zip(words, conditions.usages(words), strict=True)
    ]  # fmt: skip


def _possible_now(game: str, campaign: str) -> set[type[Order]]:
    """The kinds of order that may answer what is asked of the reader's seat in a campaign of the game."""
    seat = signed_in_seat(campaign)
    if seat is None or service().status(campaign, seat).game != game:
        return set()
    return {kind for kinds in service().reading.answers(campaign, seat).values() for kind in kinds.values()}


@blueprint.get("/games/<game>/kit")
def kit_page(game: str) -> str:
    """What of a game's data is known, and what was rebuilt."""
    kit = _kit(game)
    teller = Teller(kit, language().code)
    return render_template(
        "web/kit.html.j2", kit=kit, rebuilt=rebuilt_values.rebuilt(teller), groups=kit.grouped_options(), teller=teller
    )


def _kit(game: str) -> Kit:
    if game not in game_ids():
        abort(404)
    try:
        return load_kit(game)
    except (KitError, FileNotFoundError):
        abort(404)


def _order_help(kind: type[Order], kit: Kit) -> dict[str, Any]:
    fields = [(name, field_help(definition, kit, language())) for name, definition in fields_of(kind)]
    return {
        "id": kind.id(), "usage": language().usage(kind.usage()), "help": kind.help(),
        "examples": examples(kit).get(kind.id(), []),
        "costs": Teller(kit, language().code).of_kit("help", kind.id(), kind.id()).split("\n"),
        "fields": [{"name": lower_first(language().field(name)), "text": text} for name, text in fields],
    }  # fmt: skip


@blueprint.post("/language")
@limiter.limit(SEND_LIMIT)
def choose_language() -> Response:
    """Keep a language for this browser; chosen on a page of a seat, it is the player's own for his mails too."""
    code = request.form.get("language", "")
    if code not in languages():
        abort(400)
    session["language"] = code
    campaign = request.form.get("campaign", "")
    seat = signed_in_seat(campaign)
    player = service().player(campaign, seat) if seat is not None else None
    if player is not None and not (player["language_chosen"] and player["language"] == code):
        line = SetLanguage(language=code).text()
        if service().submit(Submission(campaign, [line], now(), "form", seat=seat, remote=request.remote_addr)).ok:
            flash(find_language(code).text("Your mails come in this language too from now on."), "good")
    return redirect(_local(request.form.get("back", "")), 303)


def _local(address: str) -> str:
    """An address of our own pages; the front page in place of any other."""
    plain = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if plain else url_for("public.front")
