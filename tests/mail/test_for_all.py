"""One line for all powers of a player, over real SMTP: the mail that asks several powers offers it, the answer says for
which it was."""

from __future__ import annotations

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.mail.room import MailRoom
from tests.mail.conftest import Game, Post, SmartHost, html_of, text_of


def two_players(service: Service, clock: ManualClock, language: str) -> Game:
    """Virgin Queen for two, who hold several powers each, in the talks of its first turn."""
    campaign = service.create("virgin_queen", 2, campaign="winter", title="Winter")
    tokens = {}
    for seat in ("seat1", "seat2"):
        tokens[seat] = service.invite(campaign, seat, seat, f"{seat}@example.org", language=language)
        service.accept(campaign, seat)
    service.start(campaign)
    service.project()
    return Game(service, clock, campaign, tokens)


@pytest.mark.parametrize(
    ("language", "line", "offered", "told"),
    [
        ("en", "Done for all.", "One line for all your powers: DONE ALL", "DONE is said for"),
        ("fr", "terminé pour tous", "Une ligne pour toutes vos puissances : DONE ALL", "DONE est dit pour"),
        ("ru", "готово за всех", "Одна строка за все ваши державы: DONE ALL", "Сказано DONE; державы:"),
    ],
)
def test_one_line_of_a_mail_is_done_for_all_powers_of_a_player(
    service: Service, clock: ManualClock, room: MailRoom, host: SmartHost, language, line, offered, told
) -> None:
    game, courier, seat = two_players(service, clock, language), room.courier, "seat1"
    assert courier is not None
    courier.send_due()
    (opening, *_) = host.to(f"{seat}@example.org")
    assert offered in " ".join(text_of(opening).split()) and offered in " ".join(html_of(opening).split())
    post = Post(game, room, courier, host)
    post.write(game.address(seat), f"{line}\n", sender=f"{seat}@example.org")
    (answer, *_) = post.answers(f"{seat}@example.org")
    text = " ".join(text_of(answer).split())
    assert told in text and "DONE ALL" in text
    assert all(one.answered for one in service.asked(game.campaign, seat))
