"""Lines as people write them on the page of orders: Check says what a mail of the same words would be taken as."""

from __future__ import annotations

import pytest
from lxml import html

from pbem.campaign.submissions import Submission
from tests.web.conftest import Site, page, send


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("I place an army in India, please", "PLACE army AT india"),
        ("je place une armée en Inde", "PLACE army AT india"),
        ("ставлю армию в Индию", "PLACE army AT india"),
        ("place army", None),
        ("don't place an army in India", None),
        ("place army in India or Africa", None),
        ("PLACE army AT india", "PLACE army AT india"),
    ],
)
def test_a_checked_line_is_what_a_mail_of_it_is_taken_as(tmp_path, line, order):
    site = Site(tmp_path, "struggle_of_empires", 3).start()
    seat = site.asked_seat()
    before = site.service.status(site.id).event
    client = site.client(seat)
    tree = page(client, site.url("/seat"))
    answer = send(client, tree, site.url("/orders"), having="lines", lines=line, do="check")
    shown = " ".join(html.fromstring(answer.data).get_element_by_id("check").text_content().split())
    assert site.service.status(site.id).event == before, "a check changes nothing"
    mailed = site.service.submit(Submission(site.id, [line], site.clock.now(), channel="mail", token=site.tokens[seat]))
    (result,) = mailed.lines
    assert (result.order if result.state == "accepted" else None) == order
    assert ("Accepted" in shown and order in shown) if order else "Accepted" not in shown
