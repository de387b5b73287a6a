"""What a seat may not see has no effect on anything that the seat gets.

Behind the service's back a hidden card is exchanged with another hidden one: of another hand, the deck, a third hand.
No page of a seat, no answer of the API, no check of a line may change. Where a card of a seat's own is exchanged, and
the seat is asked something, they have to change, or the test is blind.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from pbem.campaign.submissions import Submission
from pbem.table import sight
from pbem.table.board import Board
from pbem.web.security import limiter
from tests.web.conftest import Site

STRETCHES, AT_MOST, ANSWERS = 7, 25, 15
"""How often it is looked, how often until every sort was seen, and how many answers lie between two looks."""
SORTS = {"here_i_stand": {"card"}, "virgin_queen": {"card", "preference", "treasure"}}
"""What lies hidden in each game, and has to be exchanged once at least."""
PAGES = ("seat", "standing", "messages")
PARTS = ("", "questions", "standing", "board")
VERBS = ("PLAY {}", "PLAY {} FOR CP", "PLAY {} FOR EVENT", "CHOOSE CARD {}", "PAY {}", "COMMIT {}", "SHOW {}",
         "PUT AWAY {}", "TREASURE {}", "CHOOSE TREASURE {}", "PREFER {}")  # fmt: skip
HELD = ("hand:", "treasures:", "aside:", "put_away:", "preference:")
"""Piles of one power."""

Lying = tuple[str, str]  # pile and card


@pytest.fixture(params=["here_i_stand", "virgin_queen"])
def site(tmp_path, request: pytest.FixtureRequest) -> Iterator[Site]:
    site = Site(tmp_path, request.param, 6, secret=bytes(32))
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
    """What a card can be exchanged with: a home card is known to be its power's, a treasure is no card."""
    if card in cards:
        return f"home {pile.partition(':')[2]}" if cards[card]["kind"] == "home" else "card"
    return "preference" if card.startswith("preference") else "treasure"


def named(card: str) -> str:
    """As orders name it: treasures by their kind."""
    kind, _, number = card.partition(":")
    return number if kind == "preference" else kind


@contextmanager
def exchanged(board: Board, one: tuple[str, str], other: tuple[str, str]) -> Iterator[None]:
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


def read(site: Site, seat: str) -> dict[str, str]:
    """Every page and answer that a seat can read, without what changes by itself (times, keys of forms)."""
    browser, told = site.app.test_client(), {}
    token = site.tokens[seat]
    browser.get(f"/c/{site.id}/enter/{token}")
    for page in PAGES:
        text = browser.get(f"/c/{site.id}/{page}").get_data(as_text=True)
        told[page] = re.sub(r'data-now="[^"]*"|value="[A-Za-z0-9_.\-]{16,}"', "", text)
    for part in PARTS:
        answer = browser.get(f"/api/campaigns/{site.id}/seat/{part}", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200
        told[f"api {part}"] = answer.get_data(as_text=True)
    return told


def checked(site: Site, seat: str, lines: list[str]) -> dict[str, str]:
    """What a seat is told of lines before it sends them."""
    return {
        f"check {line}": json.dumps(vars(site.service.check_line(site.id, seat, line)), default=str, sort_keys=True)
        for line in lines
    }


def test_a_hidden_card_changes_nothing_for_those_who_may_not_see_it(site: Site):
    chance = random.Random(11)
    own_seen = 0
    compared: Counter[str] = Counter()
    for stretch in range(AT_MOST):
        if stretch >= STRETCHES and compared.keys() >= SORTS[site.service.status(site.id).game]:
            break
        leave_negotiation(site)
        site.play(chance.randrange(1000), ANSWERS)
        with site.service.reading._procedure(site.id) as live:
            board, cards = live.play.table.board, live.kit.tables["cards"]
        status = site.service.status(site.id)
        waiting = status.waiting_seats
        for seat, state in status.seats.items():
            powers = state["powers"]
            lying = [(pile, card) for pile, held in board.piles.items() for card in held]
            hidden = [(p, c) for p, c in lying if not sight.may_see(board, p, powers)]
            pairs: dict[str, tuple[list[Lying], list[Lying]]] = {}
            for pile, card in hidden:
                pairs.setdefault(sort_of(card, pile, cards), ([], []))[not pile.startswith(HELD)].append((pile, card))
            unchanged = read(site, seat)
            for sort, (hands, rest) in pairs.items():
                others = [h for h in hands if len({p for p, _ in hands}) > 1]
                if not hands or not (rest or others):
                    continue
                one = chance.choice(hands)
                elsewhere = [h for h in others if h[0] != one[0]]
                other = chance.choice(rest if rest and (chance.random() < 0.6 or not elsewhere) else elsewhere)
                lines = [verb.format(named(card)) for _, card in (one, other) for verb in VERBS] + ["PASS", "DONE"]
                before = {**unchanged, **checked(site, seat, lines)}
                with exchanged(board, one, other):
                    after = {**read(site, seat), **checked(site, seat, lines)}
                different = [name for name in before if before[name] != after[name]]
                assert not different, f"{seat} is told by {different} that {one} and {other} are exchanged"
                compared[sort] += 1
            mine = [(p, c) for p, c in lying if p in {f"hand:{power}" for power in powers} and c in cards]
            mine = [(p, c) for p, c in mine if cards[c]["kind"] != "home"]
            deck = pairs.get("card", ([], []))[1]
            if mine and deck and seat in waiting:
                own_card = chance.choice(mine)
                lines = [verb.format(own_card[1]) for verb in VERBS]
                before = {**unchanged, **checked(site, seat, lines)}
                with exchanged(board, own_card, chance.choice(deck)):
                    own_seen += {**read(site, seat), **checked(site, seat, lines)} != before
    assert compared["card"] > STRETCHES * 3 and own_seen, "nothing was compared, or the test is blind"
    assert compared.keys() >= SORTS[status.game], compared
