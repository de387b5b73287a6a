"""Check says what Send would say, for every kind of line, on the page and by the API; and nothing remains of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from lxml import html

from pbem.campaign.command import COMMANDS
from pbem.campaign.submissions import Answer, Submission
from pbem.render.language import find_language, languages
from pbem.web.security import limiter
from tests.web.conftest import Site, lines_form, page

TOLD = ("line", "state", "order", "reason", "code", "values", "section", "hints", "text", "reasons")
"""What the API tells of a line, but for what came of it."""


def stored(site: Site) -> list[str]:
    """All that the store holds."""
    connection = site.service.store.engine.raw_connection()
    try:
        return list(connection.driver_connection.iterdump())
    finally:
        connection.close()


def shown(tree: html.HtmlElement, section: str) -> list[str]:
    """The note of a page's answer, if there is one, and what it tells of each line."""
    card = tree.get_element_by_id(section)
    notes = [" ".join(note.text_content().split()) for note in card.xpath("./p[contains(@class, 'notice')]")]
    lines = card.xpath("./div[starts-with(@class, 'answer-line')]")
    return [*notes, *(" ".join(line.text_content().split()) for line in lines)]


def check_and_send(site: Site, seat: str, lines: list[str]) -> tuple[list[dict[str, Any]], Answer]:
    """Check lines by both ways, then send them; what was checked by the API, and the answer. Of lines that are judged
    when their turn comes nothing else may be told; of all others what the answer tells."""
    limiter.reset()
    text, browser = "\n".join(lines), site.client(seat)
    fields = lines_form(page(browser, site.url("/seat")))
    authorized = {"Authorization": f"Bearer {site.tokens[seat]}"}
    address = f"/api/campaigns/{site.id}/seat"
    before, event = stored(site), site.service.status(site.id).event
    checked_page = browser.post(site.url("/orders"), data={**fields, "lines": text, "do": "check"})
    checked = browser.post(f"{address}/orders/check", json={"lines": lines}, headers=authorized)
    assert (checked_page.status_code, checked.status_code) == (200, 200), (lines, checked.text)
    assert stored(site) == before and site.service.status(site.id).event == event, f"{lines}: something remains"
    sent = browser.post(site.url("/orders"), data={**fields, "lines": text, "do": "send"})
    number = int(sent.headers["Location"].partition("answer=")[2].partition("#")[0])
    answered = browser.get(f"{address}/answers/{number}", headers=authorized).get_json()
    told, came = checked.get_json(), answered
    assert (told["note"], len(told["lines"])) == (came["note"], len(came["lines"])), (lines, told, came)
    on_check = shown(html.fromstring(checked_page.data), "check")
    on_answer = shown(page(browser, sent.headers["Location"]), "answer")
    assert len(on_check) == len(on_answer), (on_check, on_answer)
    notes = len(on_check) - len(told["lines"])
    assert on_check[:notes] == on_answer[:notes]
    for place, line in enumerate(told["lines"]):
        assert not line["results"] and not line["events"]
        if line["later"]:
            assert not line["reason"] and not line["text"] and "judged when its turn comes" in on_check[notes + place]
            continue
        assert {n: line[n] for n in TOLD} == {n: came["lines"][place][n] for n in TOLD}, lines
        facts = came["lines"][place]["results"]
        assert (on_answer[notes + place] + " ").startswith(on_check[notes + place] + " "), lines
        assert facts or on_check[notes + place] == on_answer[notes + place], lines
    answer = site.service.answer(site.id, number)
    assert answer is not None
    return told["lines"], answer


def hand(site: Site, seat: str) -> list[str]:
    return site.service.view_at(site.id, seat).hand_of(site.service.status(site.id).seats[seat]["powers"])


def submit(site: Site, seat: str, *lines: str) -> Answer:
    return site.service.submit(Submission(site.id, list(lines), site.clock.now(), seat=seat))


def states(lines: Sequence[Any]) -> str:
    """A letter for what becomes of each line, a capital where it is only known once it is sent."""
    return "".join(line["state"][0].upper() if line["later"] else line["state"][0] for line in lines)


def try_all(site: Site, seat: str, cases: Sequence[tuple[list[str], str | None]]) -> None:
    """Check and send one after the other; beside each what the check has to tell (see `states`), where
    that does not hang on the position."""
    for lines, expected in cases:
        checked, _ = check_and_send(site, seat, lines)
        assert expected is None or states(checked) == expected, (lines, checked)


def talking(site: Site) -> str:
    return "seat1"


def choosing(site: Site) -> str:
    """Each chooses a card, sealed; another one has."""
    for seat in site.seats:
        submit(site, seat, "DONE")
    submit(site, "seat2", f"SHOW {hand(site, 'seat2')[0]}")
    return "seat1"


def marching(site: Site) -> str:
    """One is to march, and then the others may ambush him."""
    choosing(site)
    for seat in ("seat1", "seat3"):
        submit(site, seat, f"SHOW {hand(site, seat)[0]}")
    return site.asked_seat()


def idle(site: Site) -> str:
    marching(site)
    return next(seat for seat in site.seats if seat != site.asked_seat())


def paused(site: Site) -> str:
    site.service.pause(site.id, "a holiday")
    return "seat1"


def over(site: Site) -> str:
    site.service.finish(site.id, "no time")
    return "seat1"


@pytest.fixture
def toy_site(sites: Callable[..., Site]) -> Site:
    return sites().start()


IN_TALKS: list[tuple[list[str], str]] = [
    (["STATUS"], "t"),
    (["STATUS BOARD"], "t"),
    (["STATUS VP"], "t"),
    (["HAND"], "t"),
    (["HELP"], "t"),
    (["HELP SHOW"], "t"),
    (["HELP PRESS"], "t"),
    (["HELP nothing"], "u"),
    (["CARD 5"], "r"),
    (["CARD nonsense"], "r"),
    (["QUEUE"], "t"),
    (["PRESS TO blue: Shall we?"], "a"),
    (["PRESS TO red: To myself"], "r"),
    (["PRESS TO black: Nobody plays it"], "r"),
    (["PRESS TO nobody: Hello"], "r"),
    (["PRESS TO blue:"], "r"),
    (["PRESS TO blue: " + "x" * 20_001], "r"),
    ([f"PRESS TO blue: number {n}" for n in range(12)], "aaaaaaaaaarr"),
    (["SET LANGUAGE fr", "SET LANGUAGE xx"], "tu"),
    (["SET LANGUAGE fr", "SET LANGUAGE en"], "aa"),
    (["SET TIMEZONE Europe/Rome"], "a"),
    (["SET TIMEZONE Atlantis"], "r"),
    (["SET TIMEZONE CST"], "r"),
    (["SET REPORTS daily AT 18"], "a"),
    (["SET REPORTS daily AT 25"], "u"),
    (["SET BOARD full"], "a"),
    (["SET BOARD some"], "u"),
    (["SET WEBHOOK https://chat.example.org/x"], "a"),
    (["SET WEBHOOK http://127.0.0.1/"], "r"),
    (["SET WEBHOOK off"], "a"),
    (["AWAY FROM 2030-08-01 TO 2030-08-14"], "a"),
    (["AWAY OFF"], "a"),
    (["AWAY FROM 2030-08-14 TO 2030-08-01"], "r"),
    (["AWAY FROM yesterday TO never"], "r"),
    (["AWAY FROM 2020-08-01 TO 2020-08-02"], "r"),
    (["AWAY FROM 2030-01-01 TO 2030-12-31"], "r"),
    (["STANDING march IF home >= 3: MARCH 2 TO hill"], "a"),
    (["STANDING LIST"], "t"),
    (["STANDING nothing: DECLINE"], "r"),
    (["STANDING march IF moon full: DECLINE"], "r"),
    (["STANDING march: FLY"], "u"),
    (["STANDING PRESETS"], "t"),
    (["STANDING PRESET never_ambush"], "a"),
    (["STANDING PRESET never_ambush", "STANDING LIST"], "at"),
    (["STANDING PRESET none"], "r"),
    (["STANDING ambush: AMBUSH", "STANDING LIST", "CANCEL STANDING 3", "STANDING LIST"], "atat"),
    (["CANCEL STANDING 1"], "a"),
    (["CANCEL STANDING 77"], "r"),
    (["CANCEL ANSWER"], "r"),
    (["CANCEL QUEUE"], "a"),
    (["ACCEPT INVITATION"], "r"),
    (["DECLINE INVITATION"], "r"),
    (["AGAIN", "STATUS"], "at"),
    (["AGAIN"], "a"),
    (["SALT for luck"], "u"),
    (["SALT for luck", "STATUS"], "tu"),
    (["FLY TO hill"], "u"),
    (["STATUS", "FLY TO hill", "PRESS TO blue: unsent"], "tut"),
    (["MARCH 1 TO hill"], "r"),
    (["MARCH 1 TO hill", "SHOW card 01", "STATUS"], "rrT"),
    (["SHOW"], "u"),
    (["show card"], "u"),
    (["MARCH 1 TO hollow", "PRESS TO blue: sent all the same"], "ra"),
    (["FOR blue: DONE"], "r"),
    (["FOR red: FOR blue: DONE"], "u"),
    (["NEXT", "MARCH 1 TO hill"], "ar"),
    (["NEXT", "FOR blue: MARCH 1 TO hill"], "rr"),
    (["NEXT"], "u"),
    (["QUEUE"], "t"),
    (["IF home >= 9", "DONE"], "ut"),
    (["IF home >= 9 STOP", "QUEUE"], "tt"),
    (["IF home >= 9 DONE", "UNLESS home >= 9 STOP", "MARCH 1 TO hill"], "ttt"),
    (["IF moon full STOP"], "u"),
    (["STATUS"] * 51, ""),
    (["Dear all,", "best wishes", "Ann"], "uuu"),
    (["x" * 2_001], "u"),
    (["PASS", "END"], "u"),
    (["THEN DONE"], "a"),
]


def test_each_kind_of_line_is_checked_as_it_is_sent(toy_site):
    verbs = {line.partition(" ")[0] for lines, _ in IN_TALKS for line in lines}
    assert {kind.pattern.verb for kind in COMMANDS} <= verbs
    try_all(toy_site, talking(toy_site), IN_TALKS)


@pytest.mark.parametrize(
    ("come_to", "cases"),
    [
        (
            choosing,
            [
                (["SHOW card 77"], "u"),
                (["SHOW {other}"], "r"),
                (["CANCEL ANSWER"], "r"),
                (["DONE"], "r"),
                # What comes after an answer that may close the question hangs on what the others have answered.
                (["SHOW {first}", "SHOW {second}", "STATUS"], "aQT"),
                (["SHOW {second}"], "a"),
                (["CANCEL ANSWER"], "a"),
                (["CANCEL ANSWER"], "r"),
                (["SHOW {first}", "CANCEL ANSWER"], "aT"),
                (["SHOW {first}", "NEXT", "MARCH 1 TO hill"], "aQQ"),
            ],
        ),
        (
            marching,
            [
                (["MARCH 1 TO hollow"], "r"),
                (["MARCH 5 TO nowhere"], "u"),
                (["march to the hill"], "r"),
                (["IF home >= 9 MARCH 5 TO hill", "THEN MARCH 4 TO hill", "QUEUE"], "ttt"),
                (["MARCH 9 TO hill"], "u"),
                (["UNLESS home >= 9 STOP", "MARCH 1 TO hill"], "tt"),
                (["MARCH 1 TO hollow", "MARCH 1 TO hill"], "rr"),
                (
                    [
                        "MARCH 1 TO hill",
                        "IF ambushed STOP",
                        "DONE",
                        "NEXT",
                        "FOR {foreign}: DONE",
                        "PRESS TO ALL: I march",
                    ],
                    "aQQrra",
                ),
            ],
        ),
        (
            idle,
            [
                (["MARCH 1 TO hill"], "r"),
                (["NEXT", "MARCH 1 TO hill"], "qq"),
                (["QUEUE"], "t"),
                (["NEXT", "SHOW {first}"], "qq"),
                (["CANCEL QUEUE", "QUEUE"], "at"),
                (["IF home >= 3 MARCH 1 TO hill"], "r"),
                (["DONE"], "r"),
                (["NEXT", "MARCH 1 TO hill"] * 25, "q" * 50),
                (["NEXT", "FOR {foreign}: DONE"], "rr"),
            ],
        ),
        (
            paused,
            [
                (["DONE"], "r"),
                (["NEXT", "MARCH 1 TO hill"], None),
                (["PRESS TO ALL: see you"], "a"),
                (["STATUS"], "t"),
                (["HELP"], "t"),
                (["STANDING march: DECLINE"], "a"),
            ],
        ),
    ],
)
def test_where_the_game_stands_a_check_tells_what_is_answered(toy_site, come_to, cases):
    site, seat = toy_site, come_to(toy_site)
    mine = hand(site, seat)
    other = next(s for s in site.seats if s != seat)
    named = {
        "first": mine[0],
        "second": mine[1],
        "other": hand(site, other)[0],
        "foreign": site.service.status(site.id).seats[other]["powers"][0],
    }
    try_all(site, seat, [([line.format(**named) for line in lines], expected) for lines, expected in cases])


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("STATUS", "told"), ("DONE", "refused"), ("PRESS TO blue: Hello", "refused"),
        ("ACCEPT INVITATION", "accepted"), ("DECLINE INVITATION", "accepted"),
    ],
)  # fmt: skip
def test_an_invited_player_is_told_what_taking_his_seat_brings(sites, line, state):
    site = sites()  # his page has no box for lines yet
    before = stored(site)
    checked = site.service.check(site.id, "seat1", [line])
    assert stored(site) == before
    answer = submit(site, "seat1", line)
    for one in answer.lines:
        one.events = []
    assert (checked.note, checked.lines) == (answer.note, answer.lines) and checked.lines[0].state == state


def test_messages_outside_the_windows_are_refused_in_a_check_as_well(sites):
    site = sites(policy={"press": "windows"}).start()
    try_all(site, "seat1", [(["PRESS TO ALL: Good day", "STATUS"], "aT")])
    try_all(site, choosing(site), [(["PRESS TO ALL: Good day"], "r")])


def test_a_standing_order_that_answers_at_once_lets_the_game_go_on(toy_site):
    seat = marching(toy_site)
    try_all(toy_site, seat, [(["STANDING march: DECLINE", "MARCH 1 TO hill"], "aQ")])


def test_a_secret_in_a_line_is_refused_in_a_check_as_well(toy_site):
    token = toy_site.tokens["seat2"]
    try_all(toy_site, "seat1", [([f"PRESS TO blue: my link is {token}", "STATUS"], "rt")])


def test_a_check_after_the_deadline_says_that_the_deadline_comes_first(toy_site):
    toy_site.clock.advance(hours=49)
    before = stored(toy_site)
    told = toy_site.service.check(toy_site.id, "seat1", ["DONE"])
    assert stored(toy_site) == before and not told.lines and "the deadline is dealt with first" in told.note
    assert all(find_language(code).has(told.note) for code in languages())


def test_when_the_game_is_over_a_check_says_so_and_nothing_else(toy_site):
    over(toy_site)
    checked = toy_site.service.check(toy_site.id, "seat1", ["DONE", "STATUS"])
    answer = submit(toy_site, "seat1", "DONE", "STATUS")
    assert (checked.note, checked.lines) == (answer.note, answer.lines) and "is over" in checked.note


@pytest.mark.parametrize("do", ["check", "send"])
def test_a_text_that_is_too_long_is_neither_cut_nor_lost(toy_site, do):
    browser, before = toy_site.client("seat1"), stored(toy_site)
    fields = lines_form(page(browser, toy_site.url("/seat")))
    text = "PRESS TO blue: " + "word " * 8_000
    answer = browser.post(toy_site.url("/orders"), data={**fields, "lines": text, "do": do})
    tree = html.fromstring(answer.data)
    assert answer.status_code == 422 and "at most 40000 characters" in tree.get_element_by_id("problem").text_content()
    assert tree.xpath("//textarea[@name='lines']")[0].value.strip() == text.strip() and stored(toy_site) == before


def checks(site: Site, seat: str, *submissions: list[str]) -> list[Any]:
    return [site.service.check(site.id, seat, lines).to_json() | {"campaign": ""} for lines in submissions]


def test_a_check_tells_nothing_of_dice_nor_of_what_others_have_answered(sites):
    """The last to answer, whose line throws a die: the check is the same whatever it will show, and the same as for
    one who is not the last."""
    told, thrown = [], set()
    for secret in range(6):
        site = sites(secret=bytes([secret]) * 32, policy={"missed": "default"})
        for seat in site.seats:
            site.service.accept(site.id, seat)
        site.service.assign(site.id, dict(zip(site.seats, ["red", "blue", "green"], strict=True)))
        site.service.start(site.id)
        marcher = marching(site)
        submit(site, marcher, "MARCH 2 TO hill")
        first, last = (seat for seat in site.seats if seat != marcher)
        lines = (["AMBUSH", "IF ambushed STOP", "DONE", "STATUS"], ["AMBUSH"], ["DECLINE", "DONE"])
        before = checks(site, last, *lines)
        submit(site, first, "DECLINE")
        assert [answer["lines"] for answer in checks(site, last, *lines)] == [answer["lines"] for answer in before]
        told.append([[{**line, "values": {}} for line in answer["lines"]] for answer in before])
        submit(site, last, "AMBUSH")
        thrown.add(site.thrown()[-1][1]["dice"][0])
    assert len(thrown) > 2 and all(one == told[0] for one in told), "the test is blind, or the check tells the die"


def test_turns_and_programs_of_a_published_game_are_checked_as_they_are_sent(tmp_path):
    site = Site(tmp_path, "here_i_stand", 6, secret=b"7" * 32).start()
    try:
        site.play(5, 0, lambda status: status.kind == "negotiation")
        status = site.service.status(site.id)
        seat_of = {power: seat for seat in status.waiting_seats for power in status.seats[seat]["powers"]}
        talks = seat_of.pop("england")  # on turn 1 it alone announces, and deals with one after the other
        (other,) = seat_of
        try_all(
            site,
            talks,
            [
                # Nothing closes by an announcement: the second is judged as it will be.
                ([f"ANNOUNCE 1 ALLIANCE WITH {other}", "WITHDRAW 1", "WITHDRAW 1"], "aar"),
                (["NEXT", "PASS", "NEXT", "MOVE ALL FROM vienna TO linz"], None),
                (["CANCEL ANSWER", "CANCEL ANSWER"], "ar"),
            ],
        )
        for seat in list(site.service.status(site.id).waiting_seats):
            submit(site, seat, "DONE")
        site.play(6, 0, lambda status: status.kind == "impulse")
        seat = site.asked_seat()
        waits = next(one for one in site.seats if one != seat)
        for one in (seat, waits):
            own = site.service.status(site.id).seats[one]["powers"]
            whom = next(p for s, e in site.service.status(site.id).seats.items() if s != one for p in e["powers"])
            card = hand(site, one)[0]
            try_all(
                site,
                one,
                [
                    ([f"PRESS TO {whom}: psst", "PRESS TO ALL: Good day"], None),
                    (["NEXT", f"PLAY {card}", "END IMPULSE"], None),
                    (["QUEUE"], "t"),
                    (["NEXT", "MOVE ALL FROM vienna TO linz"], None),
                    (["CARD 31"], "t"),
                    (["STATUS VP"], "t"),
                    (["HAND"], "t"),
                    (["IF besieged vienna PLAY 31 FOR CP", f"THEN PLAY {card}", "IF intercepted STOP"], None),
                    ([f"FOR {own[0]}: PLAY 999"], "u"),
                    (["DECLARE WAR ON nobody"], "u"),
                    (["HELP PLAY"], "t"),
                    (["CANCEL QUEUE"], "a"),
                ],
            )
    finally:
        site.service.close()
