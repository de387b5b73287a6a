"""Every kind of page under axe-core, at the widths of a phone and of a desk, with all that is folded unfolded.

Of the map only the way to its places is looked at: axe takes long over the colours of a thousand little texts, which
`pbem.drawing` chooses to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_core_python.selenium import Axe
from selenium import webdriver

from pbem.campaign.moderators import Moderators
from tests.web.browsing import DESK, PHONE, Browser, chromium, served
from tests.web.conftest import Site

GAMES = {"struggle_of_empires": 5, "here_i_stand": 6, "thirty_years_war": 2, "virgin_queen": 6}
ONE = "struggle_of_empires"
"""The game on which pages are looked at that are the same for all."""
GRAVE = ("serious", "critical")
LEAST_TARGET = 24
"""Pixels that a thing to press is wide and high at least (WCAG 2.5.8); links in a sentence may be less."""
PASSWORD = "correct horse battery"

UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.name = ''; one.open = true; });"
SMALL_TARGETS = """
const within = "p, dd, td, th, small, li:not(nav li, .chips li), h3, .event-head, .muted";
return [...document.querySelectorAll("a, button, input, select, textarea, summary")]
  .filter((element) => element.checkVisibility() && !(element.matches("a, summary") && element.closest(within)))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([element, box]) => box.width > 1 && (box.width < arguments[0] || box.height < arguments[0]))
  .map(([element, box]) => `${element.outerHTML.slice(0, 100)} ${Math.round(box.width)}x${Math.round(box.height)}`);
"""


@pytest.fixture(scope="module", params=[PHONE, DESK], ids=["phone", "desk"])
def window(request: pytest.FixtureRequest) -> Iterator[webdriver.Chrome]:
    """A browser for all games, for it takes long to begin."""
    with chromium(*request.param) as driver:
        driver.set_script_timeout(120)
        yield driver


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, str]]:
    """A game some way on, at a question to one seat, with dice thrown; and its address."""
    folder = tmp_path_factory.mktemp(request.param)
    site = Site(folder, request.param, GAMES[request.param], title="A long war", secret=b"7" * 32).start()
    accounts = Moderators(site.service.store)
    accounts.add("anna", PASSWORD, site.clock.now(), admin=True)
    accounts.take(site.id, "anna")
    site.play(5, 40, lambda status: len(status.waiting_seats) == 1 and site.thrown())
    with served(site) as base:
        yield site, base
    site.service.close()


@pytest.fixture
def browser(window: webdriver.Chrome, played: tuple[Site, str]) -> Browser:
    """The browser at a game, signed in nowhere."""
    found = Browser(window, *played)
    found.open("/")
    window.delete_all_cookies()
    return found


def examine(browser: Browser, *paths: str) -> None:
    """Look at pages. Fails with all that is grave, and with all that is too small to press."""
    found: list[Any] = []
    for path in paths:
        browser.open(path)
        assert browser.driver.title.strip(" ·"), path
        browser.driver.execute_script(UNFOLD)
        result = Axe().run(browser.driver, {"exclude": [[".map svg"]]}, {"resultTypes": ["violations"]})
        assert result["passes"], path
        violations = result["violations"]
        if browser.all(".map svg"):
            without_colours = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": 0}}}
            violations += Axe().run(browser.driver, ".map svg", without_colours)["violations"]
        found += [
            (path, wrong["impact"], wrong["id"], node["html"][:150])
            for wrong in violations if wrong["impact"] in GRAVE for node in wrong["nodes"][:3]
        ]  # fmt: skip
        found += [(path, small) for small in browser.driver.execute_script(SMALL_TARGETS, LEAST_TARGET)]
        found += [(path, "wider than its window")] if browser.sticks_out() > 0 else []
    assert found == []


def test_what_everybody_reads(browser):
    site = browser.site
    game = site.service.status(site.id).game
    number, roll = site.thrown()[-1]
    examine(
        browser, f"/games/{game}/orders", f"/games/{game}/kit",
        *map(site.url, ("", f"/ledger/{number}", f"/rolls/0/{roll['index']}")),
    )  # fmt: skip
    if game == ONE:
        examine(
            browser, "/", "/games", "/link", "/nothing", "/desk/login", *map(site.url, ("/ledger", "/points", "/check"))
        )


def test_what_a_player_reads(browser):
    site = browser.site
    asked = site.asked_seat()
    browser.sign_in(asked)
    examine(browser, *map(site.url, ("/seat", "/standing")))
    if site.service.status(site.id).game == ONE:
        examine(browser, "/", *map(site.url, ("/messages", "/settings")))
    other = next(seat for seat in site.seats if seat != asked)
    browser.driver.delete_all_cookies()
    browser.sign_in(other)
    examine(browser, site.url("/seat"))


def test_what_a_moderator_reads(browser):
    site = browser.site
    game = site.service.status(site.id).game
    browser.open("/desk/login")
    browser.find("#name").send_keys("anna")
    browser.find("#password").send_keys(PASSWORD)
    browser.click_through(browser.find("#content button.main"))
    examine(browser, f"/desk/new?game={game}", f"/desk/c/{site.id}/ruling")
    if game == ONE:
        pages = ("", "inbox", "inbox/1", "outbox", "events", "rewind", "kit")
        examine(
            browser, "/desk/", "/desk/account", "/desk/people", "/desk/strays", "/desk/new",
            *(f"/desk/c/{site.id}/{page}" for page in pages),
        )  # fmt: skip
