"""The pages in headless Chromium, at the widths of a phone and of a desk: what only a real browser can show."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait
from waitress.server import create_server

from tests.web.conftest import Site

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
CHROMEDRIVER = shutil.which("chromedriver") or "/usr/bin/chromedriver"
PHONE, DESK = (390, 844), (1200, 900)


class Browser:
    """A browser on the pages of a site."""

    def __init__(self, driver: webdriver.Chrome, site: Site, base: str):
        self.driver, self.site, self.base = driver, site, base

    def open(self, path: str) -> None:
        self.driver.get(self.base + path)

    def find(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click_through(self, element: Any) -> None:
        """Click, and wait for the page that comes."""
        before = self.find("html")
        element.click()
        WebDriverWait(self.driver, 10).until(lambda d: d.find_element(By.CSS_SELECTOR, "html").id != before.id)

    def sign_in(self, seat: str) -> None:
        self.open(self.site.url(f"/enter/{self.site.tokens[seat]}"))
        assert self.driver.current_url == self.base + self.site.url("/seat")

    def form(self, kind: str) -> Any:
        """The form of a kind of order, unfolded."""
        form = self.find(f"form:has(input[name=kind][value={kind}])")
        for details in self.driver.execute_script("return [arguments[0].closest('details')]", form):
            if details and details.get_attribute("open") is None:
                details.find_element(By.TAG_NAME, "summary").click()
        return form

    def complaints(self) -> list[str]:
        """What the browser held against the pages: broken scripts, blocked styles, missing files."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def sticks_out(self) -> int:
        """By how many pixels the page is wider than the window."""
        return self.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )


@pytest.fixture(scope="module", params=[PHONE, DESK], ids=["phone", "desk"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Struggle of Empires, some way into the game, behind a real server and before a real browser."""
    site = Site(tmp_path_factory.mktemp("browser"), "struggle_of_empires", 5, title="The Long War").start()
    site.play(5, 120, site.at_an_action)
    server = create_server(site.app, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    width, height = request.param
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Driver(CHROMEDRIVER))
    # A window of Chromium is never narrower than 500 pixels; the screen of a phone is.
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    try:
        yield Browser(driver, site, f"http://127.0.0.1:{server.effective_port}")
    finally:
        driver.quit()
        server.close()
        thread.join(5)
        site.service.close()


@pytest.fixture
def browser(opened: Browser) -> Browser:
    """The browser, signed in nowhere, at somebody's action."""
    opened.driver.delete_all_cookies()
    opened.site.play(7, 0, opened.site.at_an_action)
    assert opened.site.service.status(opened.site.id).kind == "action"
    opened.complaints()
    return opened


def test_a_seat_plays_reads_travels_and_audits(browser):
    site = browser.site
    seat = site.asked_seat()
    browser.sign_in(seat)
    assert "Your action" in browser.find(".call h2").text

    # an order by form: each choice leaves what fits it, and the line is there to read
    form = browser.form("build")
    unit = Select(form.find_element(By.NAME, "f.units.unit"))
    unit.select_by_value(next(o.get_attribute("value") for o in unit.options if o.get_attribute("value")))
    place = Select(form.find_element(By.NAME, "f.units.place"))
    choices = [o.get_attribute("value") for o in place.options if o.get_attribute("value")]
    chosen = unit.first_selected_option.get_attribute("value")
    for choice in choices:
        assert site.service.check_line(site.id, seat, f"BUILD {chosen} AT {choice}").state == "accepted"
    place.select_by_value(choices[-1])
    line = form.find_element(By.CSS_SELECTOR, ".preview-line").text
    assert line == f"BUILD {chosen} AT {choices[-1]}"
    browser.click_through(form.find_element(By.CSS_SELECTOR, "button[value=check]"))
    assert "Checked, not sent" in browser.find("#check").text and line in browser.find("#check").text
    form = browser.form("build")
    assert form.find_element(By.CSS_SELECTOR, ".preview-line").text == line  # still filled in
    browser.click_through(form.find_element(By.CSS_SELECTOR, "button[value=send]"))
    answer = browser.find("#answer").text
    assert line in answer and "Accepted" in answer

    # the ledger: back and forth in time
    browser.click_through(browser.find("nav.tabs a[href$='/ledger']"))
    newest = int(browser.find("#events a.number").text)
    assert newest == site.service.status(site.id).event
    browser.click_through(browser.find("#events a.number"))
    now = browser.find(".map svg").text
    browser.open(site.url(f"/ledger/{newest // 2}"))
    assert browser.find(".map svg").text != now
    browser.click_through(browser.find("a[rel=next]"))
    assert browser.driver.current_url.endswith(f"/ledger/{newest // 2 + 1}")

    # the audit of the last roll
    number, _ = site.thrown()[-1]
    browser.open(site.url(f"/ledger/{number}"))
    browser.click_through(browser.find(".chips a"))
    told = browser.find("main").text
    for words in ("The proof", "What is proved", "What is still trust", "Do it yourself"):
        assert words in told
    assert browser.complaints() == []


def test_pages_fit_their_window(browser):
    site = browser.site
    seat = site.asked_seat()
    browser.sign_in(seat)
    paths = ["/", "/games", "/link", "/games/struggle_of_empires/orders", "/games/struggle_of_empires/kit", "/nothing"]
    paths += [site.url(path) for path in ("", "/seat", "/messages", "/standing", "/settings", "/ledger", "/check",
                                          "/ledger/20", f"/rolls/0/{site.thrown()[-1][1]['index']}")]  # fmt: skip
    for path in paths:
        browser.open(path)
        assert browser.sticks_out() <= 0, path
    assert [entry for entry in browser.complaints() if "/nothing" not in entry] == []


def test_the_map_is_moved_by_keys_and_buttons(browser):
    browser.sign_in(browser.site.asked_seat())
    svg = browser.find(".map svg")
    whole = svg.get_dom_attribute("viewBox")
    browser.find("[data-zoom=in]").click()
    near = [float(number) for number in svg.get_dom_attribute("viewBox").split()]
    assert near[2] < float(whole.split()[2])
    browser.find(".map .board-frame").send_keys(Keys.ARROW_LEFT)
    assert float(svg.get_dom_attribute("viewBox").split()[0]) < near[0]
    browser.find("[data-zoom=whole]").click()
    assert [float(n) for n in svg.get_dom_attribute("viewBox").split()] == [float(n) for n in whole.split()]
    area = browser.find(".map svg .area")
    browser.driver.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", area)
    assert browser.find(".map-tip").text == area.get_dom_attribute("aria-label")


def test_rows_are_added_and_taken_away(browser):
    site = browser.site
    site.play(5, 0, lambda status: "move" in kinds_offered(site) and status.kind == "action")
    browser.sign_in(site.asked_seat())
    form = browser.form("move")
    rows = form.find_elements(By.CSS_SELECTOR, ".row")
    shown = [row for row in rows if row.is_displayed()]
    assert len(shown) == 1
    if len(rows) > 1:
        form.find_element(By.CSS_SELECTOR, "[data-more]").click()
        assert rows[1].is_displayed()
        rows[1].find_element(By.CSS_SELECTOR, "[data-drop]").click()
        assert not rows[1].is_displayed()
    for name in ("unit", "origin", "place"):
        choice = Select(rows[0].find_element(By.CSS_SELECTOR, f"[data-column={name}]"))
        choice.select_by_value(next(o.get_attribute("value") for o in choice.options if o.get_attribute("value")))
    line = form.find_element(By.CSS_SELECTOR, ".preview-line").text
    assert re.fullmatch(r"MOVE \w+ FROM \w+ TO \w+", line)
    assert site.service.check_line(site.id, site.asked_seat(), line).state == "accepted"


def kinds_offered(site: Site) -> set[str]:
    def offered(table: Any, questions: list[Any]) -> set[str]:
        return {k.id() for q in questions for k in q.orders if next(iter(k.legal(table, q)), None) is not None}

    return site.service.table_of(site.id, site.asked_seat(), offered)


def test_a_double_click_sends_once(browser):
    site = browser.site
    browser.sign_in(site.asked_seat())
    before = site.service.status(site.id).event
    button = browser.find("form:has(input[name=kind][value=pass]) button")
    browser.driver.execute_script("arguments[0].click(); arguments[0].click();", button)
    WebDriverWait(browser.driver, 10).until(lambda d: d.find_elements(By.ID, "answer"))
    assert "Accepted" in browser.find("#answer").text
    orders = [e for e in site.service.events(site.id, None, before + 1) if e["kind"] == "order"]
    assert len(orders) == 1


def test_standing_orders_and_messages_by_keyboard_alone(browser):
    site = browser.site
    seat = site.asked_seat()
    browser.sign_in(seat)
    browser.open(site.url("/standing"))
    Select(browser.find("#kind")).select_by_value("support")
    browser.find("#order").send_keys("DECLINE")
    assert browser.find(".preview-line").text == "STANDING support: DECLINE"
    before = browser.find("html").id
    browser.find("#order").send_keys(Keys.ENTER)
    WebDriverWait(browser.driver, 10).until(lambda d: d.find_element(By.CSS_SELECTOR, "html").id != before)
    assert "STANDING support: DECLINE" in browser.find("main").text
    browser.open(site.url("/messages"))
    browser.find("input[name=to][value=ALL]").send_keys(Keys.SPACE)
    browser.find("#text").send_keys("Peace?")
    browser.click_through(browser.find("button.main"))
    assert "Your message is on its way" in browser.find("[role=status]").text
    assert "Peace?" in browser.find("#messages").text
    assert browser.complaints() == []
