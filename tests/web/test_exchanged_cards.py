"""What a seat may not see has no effect on anything that the seat gets.

Behind the service's back something hidden is exchanged: a card with another hidden one (of another hand, the deck, a
third hand), the hidden numbers of two powers, the sealed answer of another seat with another legal one. No page of a
seat, no answer of the API, no mail, no check of a line may change, and nothing that spectators read. Where a card of a
seat's own is exchanged, and the seat is asked something, they have to change, or the test is blind.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from pbem.campaign import outbox
from pbem.campaign.submissions import Submission
from pbem.games import find_game
from pbem.mail.compose import render
from pbem.mail.contents import Nothing, gather
from pbem.table import sight
from pbem.table.board import Board
from pbem.table.procedure import Play
from pbem.table.questions import Window
from pbem.web.security import limiter
from tests.web.conftest import Site

pytestmark = pytest.mark.long

STRETCHES, AT_MOST, ANSWERS = 7, 25, 15
"""How often it is looked, how often until every sort was seen, and how many answers lie between two looks."""
SEATS = {"here_i_stand": 6, "virgin_queen": 6, "thirty_years_war": 2, "struggle_of_empires": 5}
SORTS = {
    "here_i_stand": {"card", "answer"}, "virgin_queen": {"card", "preference", "treasure", "answer"},
    "thirty_years_war": {"card of protestant", "card of catholic", "answer"},
    "struggle_of_empires": {"unrest", "answer"},
}  # fmt: skip
"""What is hidden in each game, and has to be exchanged once at least."""
PAGES = ("seat", "standing", "messages")
PARTS = ("", "questions", "standing", "board")
OPEN_PAGES = ("", "/points", "/ledger")
VERBS = ("PLAY {}", "PLAY {} FOR CP", "PLAY {} FOR EVENT", "CHOOSE CARD {}", "PAY {}", "COMMIT {}", "SHOW {}",
         "PUT AWAY {}", "TREASURE {}", "CHOOSE TREASURE {}", "PREFER {}", "DISCARD {}")  # fmt: skip
HELD = ("hand:", "treasures:", "aside:", "put_away:", "preference:", "discarded:")
"""Piles of one power."""
MAILED = ("report", "your_move", "window_opening")

Lying = tuple[str, str]  # pile and card


@pytest.fixture(params=list(SEATS))
def site(tmp_path, request: pytest.FixtureRequest) -> Iterator[Site]:
    site = Site(tmp_path, request.param, SEATS[request.param], secret=bytes(32))
    site.app.config["WTF_CSRF_ENABLED"], limiter.enabled = False, False
    yield site.start()
    limiter.enabled = True
    site.service.close()


def leave_negotiation(site: Site) -> None:
    """Nobody says that he is done by chance."""
    for seat in list(site.service.status(site.id).waiting_seats):
        if site.service.status(site.id).kind == "negotiation":
            site.service.submit(Submission(site.id, ["DONE"], site.clock.now(), seat=seat))


def sort_of(card: str, pile: str, cards: Mapping[str, Mapping[str, Any]]) -> str:
    """What a card can be exchanged with: a home card is known to be its power's, and a side's deck its own; a treasure
    is no card."""
    if card in cards and "side" in cards[card]:
        return f"card of {cards[card]['side']}"
    if card in cards:
        return f"home {pile.partition(':')[2]}" if cards[card]["kind"] == "home" else "card"
    return "preference" if card.startswith("preference") else "treasure"


def named(card: str) -> str:
    """As orders name it: treasures by their kind."""
    kind, _, number = card.partition(":")
    return number if kind == "preference" else kind


@contextmanager
def exchanged(board: Board, one: Lying, other: Lying) -> Iterator[None]:
    """The board with two cards exchanged: ``(pile, card)`` each."""
    kept = {pile: list(cards) for pile, cards in board.piles.items()}
    (pile, card), (pile_of_other, card_of_other) = one, other
    i, j = board.piles[pile].index(card), board.piles[pile_of_other].index(card_of_other)
    board.piles[pile][i], board.piles[pile_of_other][j] = card_of_other, card
    board.changes += 1
    try:
        yield
    finally:
        board.piles.clear()
        board.piles.update(kept)
        board.changes += 1


@contextmanager
def counted_otherwise(board: Board, track: str, power: str, value: int) -> Iterator[None]:
    """The board with another hidden number of a power."""
    before = board.tracks[track][power]
    board.tracks[track][power] = value
    board.changes += 1
    try:
        yield
    finally:
        board.tracks[track][power] = before
        board.changes += 1


@contextmanager
def answered_otherwise(play: Play, key: str, answer: Any) -> Iterator[None]:
    """The play with another sealed answer."""
    assert play.wait is not None
    before = play.sealed
    as_stored = {**play.wait.answers_to_json(before), key: answer}
    play.sealed = play.wait.answers_from_json(as_stored)
    play.board.changes += 1
    try:
        yield
    finally:
        play.sealed = play.wait.answers_from_json(play.wait.answers_to_json(before))
        play.board.changes += 1


def other_answers(play: Play, powers: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Sealed answers of other powers, each with another legal one in its place, as they are stored."""
    sealed = play.wait.answers_to_json(play.sealed) if play.wait is not None and play.wait.is_sealed else {}
    for question in play.questions():
        if question.power in powers or question.key not in sealed:
            continue
        legal = (order.to_json() for order in itertools.islice(question.legal(play.table), 20))
        given = sealed[question.key]
        if isinstance(play.wait, Window):
            yield question.key, [] if given else list(itertools.islice(legal, 1))
        else:
            yield from ((question.key, order) for order in itertools.islice((o for o in legal if o != given), 1))


def lasting(page: str) -> str:
    """A page without times and the keys of its forms."""
    return re.sub(r'data-now="[^"]*"|value="[A-Za-z0-9_.\-]{16,}"', "", page)


def read(site: Site, seat: str, lines: Sequence[str]) -> dict[str, str]:
    """Everything that a seat can read or is sent, and what a check tells of lines, without what changes by
    itself."""
    site.service.reading._copies[site.id].menus = {}  # these are made once after each event, and here is none
    site.service.page.__self__._kept.clear()
    browser, told = site.app.test_client(), {}
    token = site.tokens[seat]
    browser.get(f"/c/{site.id}/enter/{token}")
    for page in PAGES:
        text = browser.get(f"/c/{site.id}/{page}").get_data(as_text=True)
        told[page] = lasting(text)
    for part in PARTS:
        answer = browser.get(f"/api/campaigns/{site.id}/seat/{part}", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
        told[f"api {part}"] = answer.get_data(as_text=True)
    told["mail"] = mail(site, seat)
    told["asks"] = repr(site.service.check(site.id, seat, asking(site)).lines)
    return told | {f"check {line}": repr(site.service.check_line(site.id, seat, line)) for line in lines}


def mail(site: Site, seat: str) -> str:
    """The newest mails of a seat as if they were due together, and a reminder of what it is asked: their subject and
    texts, and all they are made of (a webhook tells some of that)."""
    rows = [row for row in outbox.messages(site.service.store) if row.seat == seat and row.kind in MAILED]
    newest = {row.kind: replace(row, first_event=row.last_event) for row in reversed(rows)}
    mails = [*newest.values(), *(replace(row, kind="reminder") for row in list(newest.values())[-1:])]
    try:
        made = gather(site.service, mails, site.clock.now(), pictures=False).mail
    except Nothing:
        return ""
    return repr((render(made), made))


def asking(site: Site) -> list[str]:
    """Every line that only asks, with help about each verb."""
    kinds = find_game(site.service.status(site.id).game).orders
    about = [f"HELP {verb}" for verb in dict.fromkeys(kind.pattern.verb for kind in kinds)]
    return ["STATUS", "STATUS VP", "STATUS BOARD", "HELP", "QUEUE", "STANDING LIST", *about[:40]]


def read_openly(site: Site) -> dict[str, str]:
    """What spectators read."""
    told, browser = {}, site.app.test_client()
    for page in OPEN_PAGES:
        told[f"open {page}"] = lasting(browser.get(f"/c/{site.id}{page}").get_data(as_text=True))
    event = site.service.status(site.id).event
    told["open map"] = browser.get(f"/c/{site.id}/board/{event}.svg").get_data(as_text=True)
    told["open api"] = browser.get(f"/api/campaigns/{site.id}").get_data(as_text=True)
    return told


def test_what_is_hidden_changes_nothing_for_those_who_may_not_see_it(site: Site):
    chance = random.Random(11)
    own_seen = 0
    compared: Counter[str] = Counter()
    game = site.service.status(site.id).game
    kinds = find_game(game).orders
    verbs = [form for form in VERBS if any(form.startswith(kind.pattern.verb) for kind in kinds)]
    for stretch in range(AT_MOST):
        if stretch >= STRETCHES and compared.keys() >= SORTS[game]:
            break
        leave_negotiation(site)
        site.play(chance.randrange(1000), ANSWERS)
        status = site.service.status(site.id)
        if status.state != "running":
            break
        with site.service.reading._procedure(site.id) as live:
            play, board, cards = live.play, live.play.table.board, live.kit.tables.get("cards", {})
        openly = read_openly(site)
        for seat, state in status.seats.items():
            powers = state["powers"]
            lying = [(pile, card) for pile, held in board.piles.items() for card in held]
            hidden = [(p, c) for p, c in lying if not sight.may_see(board, p, powers)]
            pairs: dict[str, tuple[list[Lying], list[Lying]]] = {}
            for pile, card in hidden:
                pairs.setdefault(sort_of(card, pile, cards), ([], []))[not pile.startswith(HELD)].append((pile, card))
            otherwise: list[tuple[str, Any, list[str]]] = []
            for sort, (hands, rest) in pairs.items():
                others = [h for h in hands if len({p for p, _ in hands}) > 1]
                if not hands or not (rest or others):
                    continue
                one = chance.choice(hands)
                elsewhere = [h for h in others if h[0] != one[0]]
                other = chance.choice(rest if rest and (chance.random() < 0.6 or not elsewhere) else elsewhere)
                lines = [verb.format(named(card)) for _, card in (one, other) for verb in verbs]
                otherwise.append((sort, exchanged(board, one, other), lines))
            for track, rule in board.sight.items():
                theirs = [power for power in board.powers if power not in powers]
                if rule == "owner" and track in board.tracks:
                    power = chance.choice(theirs)
                    value = board.tracks[track][power] + chance.choice((1, 5))
                    otherwise.append((track, counted_otherwise(board, track, power, value), []))
            for key, answer in list(other_answers(play, powers))[:1]:
                otherwise.append(("answer", answered_otherwise(play, key, answer), []))
            mine = [(p, c) for p, c in lying if p in {f"hand:{power}" for power in powers} and c in cards]
            mine = [(p, c) for p, c in mine if cards[c]["kind"] != "home"]
            own_card = chance.choice(mine) if mine and seat in status.waiting_seats else None
            deck = pairs.get(sort_of(own_card[1], own_card[0], cards), ([], []))[1] if own_card else []
            all_lines = [*(line for _, _, lines in otherwise for line in lines), "PASS", "DONE"]
            all_lines += [verb.format(own_card[1]) for verb in verbs] if own_card and deck else []
            before = read(site, seat, all_lines)
            for sort, is_so, lines in otherwise:
                with is_so:
                    after = read(site, seat, [*lines, "PASS", "DONE"])
                    open_after = read_openly(site) if not compared[sort] % 5 else openly
                different = [name for name in after if before[name] != after[name]]
                assert not different, f"{seat} is told by {different} that {sort} {is_so} is another"
                assert open_after == openly, sort
                compared[sort] += 1
            if own_card and deck:
                with exchanged(board, own_card, chance.choice(deck)):
                    after = read(site, seat, [verb.format(own_card[1]) for verb in verbs])
                own_seen += any(before[name] != after[name] for name in after)
    assert compared.keys() >= SORTS[game], compared
    assert game not in ("here_i_stand", "virgin_queen") or compared["card"] > STRETCHES * 3
    assert own_seen or game == "struggle_of_empires", "nothing was compared, or the test is blind"
