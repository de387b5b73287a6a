"""Every kind of page under axe-core, at the widths of a phone and of a desk, with all that is folded unfolded.

Of the map only the way to its places is looked at: axe takes long over the colours of a thousand little texts, which
`pbem.drawing` chooses to be read. A page is fetched once, and looked at in both widths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from axe_core_python.selenium import Axe
from selenium import webdriver

from pbem.campaign.moderators import Moderators
from tests.web.browsing import DESK, PHONE, Browser, chromium, served, size
from tests.web.conftest import Site
from tests.web.test_desk_languages import said_in_english

pytestmark = pytest.mark.long

GAMES = {"struggle_of_empires": 5, "here_i_stand": 6, "thirty_years_war": 2, "virgin_queen": 6}
LANGUAGES = {"struggle_of_empires": "ru", "here_i_stand": "fr", "thirty_years_war": "en", "virgin_queen": "fr"}
"""In which language the pages of each game are looked at: all in all would take three times as long."""
ONE = "struggle_of_empires"
"""The game on which pages are looked at that are the same for all."""
GRAVE = ("serious", "critical")
LEAST_TARGET = 24
"""Pixels that a thing to press is wide and high at least (WCAG 2.5.8); links in a sentence may be less."""
AXE = Axe()
PASSWORD = "correct horse battery"

NEVER_GRAVE = (
    "aria-allowed-role", "duplicate-id", "empty-heading", "empty-table-header", "heading-order", "image-redundant-alt",
    "landmark-banner-is-top-level", "landmark-complementary-is-top-level", "landmark-contentinfo-is-top-level",
    "landmark-main-is-top-level", "landmark-no-duplicate-banner", "landmark-no-duplicate-contentinfo",
    "landmark-no-duplicate-main", "landmark-one-main", "landmark-unique", "meta-viewport-large", "page-has-heading-one",
    "presentation-role-conflict", "region", "skip-link",
)  # fmt: skip
"""Rules of axe whose findings are never grave: they are not run."""
LOOK = """
const [left_out, done] = arguments;
axe.configure({rules: [{id: "color-contrast", selector: "body *:not(.map svg *)"}]});
const rules = Object.fromEntries(left_out.map((id) => [id, {enabled: false}]));
axe.run(document, {resultTypes: ["violations"], rules: rules}).then((result) => {
  done({passes: result.passes.length, violations: result.violations});
});
"""
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.name = ''; one.open = true; });"
SMALL_TARGETS = """
const within = "p, dd, td, th, small, li:not(nav li, .chips li), h3, .event-head, .muted";
return [...document.querySelectorAll("a, button, input, select, textarea, summary")]
  .filter((element) => element.checkVisibility() && !(element.matches("a, summary") && element.closest(within)))
  .map((element) => [element, element.getBoundingClientRect()])
  .filter(([element, box]) => box.width > 1 && (box.width < arguments[0] || box.height < arguments[0]))
  .map(([element, box]) => `${element.outerHTML.slice(0, 100)} ${Math.round(box.width)}x${Math.round(box.height)}`);
"""


@pytest.fixture(scope="module")
def window() -> Iterator[webdriver.Chrome]:
    """A browser for all games, for it takes long to begin."""
    with chromium(*DESK) as driver:
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
    leave(found)
    return found


def language_of(browser: Browser) -> str:
    """The language in which the pages of a game are looked at."""
    return LANGUAGES[browser.site.service.status(browser.site.id).game]


def leave(browser: Browser) -> None:
    """Sign out of all, and read on in the language of the game."""
    browser.open("/")
    browser.driver.delete_all_cookies()
    browser.open("/")
    browser.click_through(browser.find(f"footer button[value={language_of(browser)}]"))


def look(driver: webdriver.Chrome) -> list[tuple[str, str]]:
    """What is grave on the page that lies open: which rule of axe, and where."""
    driver.execute_script(AXE.axe_script)
    result = driver.execute_async_script(LOOK, NEVER_GRAVE)
    assert result["passes"]
    return [
        (wrong["id"], node["html"][:150])
        for wrong in result["violations"] if wrong["impact"] in GRAVE for node in wrong["nodes"][:3]
    ]  # fmt: skip


def examine(browser: Browser, *paths: str) -> None:
    """Look at pages. Fails with all that is grave, that is too small to press, and that is said in another language."""
    found: list[Any] = []
    driver, code = browser.driver, language_of(browser)
    for path in paths:
        browser.open(path)
        assert driver.title.strip(" ·"), path
        assert browser.find("html").get_dom_attribute("lang") == code, path
        found += [(path, "in English", said) for said in said_in_english(driver.page_source, code)]
        driver.execute_script(UNFOLD)
        for width, height in (PHONE, DESK):
            size(driver, width, height)
            assert driver.execute_script("return innerWidth") == width
            found += [(path, width, *wrong) for wrong in look(driver)]
            found += [(path, width, small) for small in driver.execute_script(SMALL_TARGETS, LEAST_TARGET)]
            found += [(path, width, "wider than its window")] if browser.sticks_out() > 0 else []
    assert found == []


def test_the_look_finds_what_is_grave_and_of_the_map_all_but_pale_texts(window):
    """And none of the rules that are not run is unknown to axe, which would refuse it."""
    pale = '<text y="9" fill="#eee">pale</text>'
    place = '<g role="button" tabindex="0"><text y="9">a</text></g><image role="img" href="data:,"/>'
    content = f'<main><h1>x</h1><p style="color:#eee">pale</p><div class="map"><svg>{pale}{place}</svg></div></main>'
    window.get("data:text/html," + quote(f'<html lang="en"><title>x</title><body>{content}</body></html>'))
    assert sorted({rule for rule, _ in look(window)}) == ["color-contrast", "svg-img-alt"]
    assert [html for rule, html in look(window) if rule == "color-contrast"] == ['<p style="color:#eee">pale</p>']


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
    leave(browser)
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
