"""The same orders twice, since the answer was late: they act once, and their writer is told how to do them again."""

from __future__ import annotations

import pytest

from pbem.campaign.service import Service
from tests.mail.conftest import Game, Post, text_of

LINE = "PLACE army AT india"
NOT_AGAIN = "nothing was carried out again"


class Player:
    """Who is to place first, at his mail program; `question` is the mail that asked him."""

    def __init__(self, game: Game, post: Post):  # noqa: F811
        self.game, self.post = game, post
        self.seat = game.asked_seat()
        self.address = f"{self.seat}@example.org"
        self.question = self._newest_mail()

    def _newest_mail(self) -> str:
        with self.game.service.store.read() as connection:
            t = self.game.service.store.tables.outbox
            rows = connection.execute(t.select().where(t.c.seat == self.seat).order_by(t.c.number)).all()
        return rows[-1].message_id

    def write(self, body: str, replies_to: str | None = None, **headers: str) -> str:
        if replies_to:
            headers["In_Reply_To"] = replies_to
        self.post.write(self.game.address(self.seat), body, sender=self.address, **headers)
        return " ".join(text_of(self.post.answers(self.address)[-1]).split())

    def armies(self) -> int:
        seen = self.game.service.view_at(self.game.campaign, None)
        power = self.game.service.status(self.game.campaign).seats[self.seat]["powers"][0]
        return seen.count("india", power, "army")

    def turn_comes(self) -> None:
        """The others place, and the player's next question leaves for him."""
        while self.game.asked_seat() != self.seat:
            other = self.game.asked_seat()
            self.game.send(other, self.game.legal_line(other))
        self.post.courier.send_due()


@pytest.fixture
def player(game: Game, post: Post) -> Player:  # noqa: F811
    return Player(game, post)


def test_a_mail_written_again_acts_once_and_says_how_to_do_it_once_more(player: Player) -> None:
    assert NOT_AGAIN not in player.write(LINE, player.question)
    player.turn_comes()
    said = player.write(f"  place ARMY at  india\n\n> {LINE}", player.question)
    assert NOT_AGAIN in said and "send it with a line AGAIN above it" in said and player.armies() == 1
    assert "(it came on " in said and "+00:00" not in said and "your message" not in said
    assert player.game.asked_seat() == player.seat


def test_a_reply_to_the_newer_mail_is_an_order_of_its_own(player: Player) -> None:
    player.write(LINE, player.question)
    player.turn_comes()
    player.write(LINE, player._newest_mail())
    assert player.armies() == 2


def test_again_has_it_done_once_more_and_that_mail_again_acts_once(player: Player) -> None:
    player.write(LINE, player.question)
    player.turn_comes()
    player.write(f"AGAIN\n{LINE}", player.question)
    assert player.armies() == 2
    player.turn_comes()
    assert NOT_AGAIN in player.write(f"AGAIN\n{LINE}", player.question).replace("\n", " ")
    assert player.armies() == 2


def test_what_was_refused_may_be_sent_again(player: Player) -> None:
    player.write("PLACE navy AT central_europe", player.question)
    player.game.send(player.seat, player.game.legal_line(player.seat))
    player.turn_comes()
    assert NOT_AGAIN not in player.write("PLACE navy AT central_europe", player.question).replace("\n", " ")


def test_other_lines_and_what_only_asks_are_no_repeat(player: Player) -> None:
    player.write(LINE, player.question)
    player.turn_comes()
    for _ in range(2):
        assert NOT_AGAIN not in player.write("STATUS", player.question).replace("\n", " ")
    player.write("PLACE army AT north_america", player.question)
    assert player.game.asked_seat() != player.seat


def test_it_is_known_after_a_restart(player: Player) -> None:
    player.write(LINE, player.question)
    player.turn_comes()
    again = Service(player.game.service.settings, player.game.clock)
    letter = f"In-Reply-To: {player.question}\r\nMessage-ID: <again@x>\r\n\r\n{LINE}\r\n".encode()
    from pbem.campaign.submissions import Submission

    answer = again.submit(Submission(
        player.game.campaign, [LINE], player.game.clock.now(), "mail", token=player.game.tokens[player.seat],
        message_id="<again@x>", raw=letter,
    ))  # fmt: skip
    again.close()
    assert answer.note is not None and NOT_AGAIN in answer.note and player.armies() == 1


def test_references_serve_where_the_mail_replied_to_is_not_ours(player: Player) -> None:
    player.write(LINE, player.question)
    player.turn_comes()
    said = player.write(LINE, "<my-own-mail@example.org>", References=f"<older@x> {player.question} <mine@example.org>")
    assert NOT_AGAIN in said.replace("\n", " ")


def test_a_mail_that_replies_to_nothing_is_a_repeat_while_no_answer_has_left(player: Player) -> None:
    office, game, seat = player.post, player.game, player.seat
    for _ in range(2):
        office.write(game.address(seat), LINE, sender=player.address)
        while game.service.with_mail():
            pass
        game.service.take_up(game.campaign)
        while game.asked_seat() != seat:
            other = game.asked_seat()
            game.send(other, game.legal_line(other))
    assert player.armies() == 1, "no answer to the first had left when the second came"
    office.courier.send_due()
    player.write(LINE)
    assert player.armies() == 2, "he had read what came of it"
