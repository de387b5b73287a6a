"""What the pages say would be right in place of a line that cannot be read."""

from __future__ import annotations

from flask.testing import FlaskClient
from lxml import html

from tests.web.conftest import Site, lines_form, page


def told(client: FlaskClient, site: Site, lines: str, do: str, place: str) -> list[list[str]]:
    """The hints below each line, after a button of the seat's page."""
    fields = lines_form(page(client, site.url("/seat")))
    answer = client.post(site.url("/orders"), data={**fields, "lines": lines, "do": do}, follow_redirects=True)
    below = html.fromstring(answer.data).xpath(f"//*[@id='{place}']//*[contains(@class, 'answer-line')]")
    return [[hint.text_content() for hint in line.xpath(".//li")] for line in below]


def test_a_check_says_what_fits_now_as_sending_does_and_once_for_several_lines(sites):
    site = sites("struggle_of_empires", 2).start()
    client = site.client(site.asked_seat())
    checked = told(client, site, "frobnicate\nfrobnicate again", "check", "check")
    assert checked == told(client, site, "frobnicate\nfrobnicate again", "send", "answer")
    first, second = checked
    assert 0 < len(first) <= 12 and second == []
    legal = [line for ask in site.service.asked(site.id, site.asked_seat()) for line in (*ask.examples, *ask.usages)]
    assert set(first) & set(legal)
