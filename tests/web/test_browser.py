"""The pages in headless Chromium, at the widths of a phone and of a desk: what only a real browser can show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from pbem.campaign.moderators import Moderators
from tests.web.browsing import DESK, PHONE, Browser, chromium, served
from tests.web.conftest import Site


@pytest.fixture(scope="module", params=[PHONE, DESK], ids=["phone", "desk"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Struggle of Empires, some way into the game, behind a real server and before a real browser."""
    site = Site(tmp_path_factory.mktemp("browser"), "struggle_of_empires", 5, title="The Long War").start()
    site.play(5, 120, site.at_an_action)
    with served(site) as base, chromium(*request.param) as driver:
        yield Browser(driver, site, base)
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


def seen(browser: Browser) -> list[float]:
    """The part of the map that is seen: left, top, width, height."""
    return [float(number) for number in browser.find(".map svg").get_dom_attribute("viewBox").split()]


def test_the_map_is_moved_by_keys_and_buttons(browser):
    browser.sign_in(browser.site.asked_seat())
    browser.find("[data-zoom=whole]").click()
    whole = seen(browser)
    browser.find("[data-zoom=in]").click()
    near = seen(browser)
    assert near[2] < whole[2]
    browser.find(".map .board-frame").send_keys(Keys.ARROW_LEFT)
    assert seen(browser)[0] < near[0]
    browser.find("[data-zoom=whole]").click()
    assert seen(browser) == whole
    area = browser.find(".map svg .area")
    browser.driver.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", area)
    assert browser.find(".map-tip").text == area.get_dom_attribute("aria-label")


def test_on_a_phone_a_button_leads_to_the_tables_below_the_map(browser):
    browser.sign_in(browser.site.asked_seat())
    browser.find("[data-zoom=whole]").click()
    whole, button = seen(browser), browser.find("[data-tables]")
    assert button.is_displayed() == (browser.driver.execute_script("return window.innerWidth") < 500)
    if button.is_displayed():
        button.click()
        near = seen(browser)
        places = browser.driver.execute_script(
            "return document.querySelector('.map #spaces, .map #areas').getBBox().height"
        )
        assert near[2] < whole[2] / 1.5 and near[1] + near[3] > places


def test_places_are_reached_by_keys_and_by_name(browser):
    browser.sign_in(browser.site.asked_seat())
    browser.find(".map .board-frame").send_keys(Keys.TAB)
    place = browser.driver.switch_to.active_element
    assert place.get_dom_attribute("aria-label") == browser.find(".map-tip").text
    place.send_keys(Keys.ARROW_RIGHT)
    neighbour = browser.driver.switch_to.active_element
    assert neighbour.get_dom_attribute("id") != place.get_dom_attribute("id")
    assert neighbour.get_dom_attribute("aria-label") == browser.find(".map-tip").text
    browser.find("[data-find]").send_keys("Baltic 5")
    assert browser.find(".map-tip").text.startswith("Baltic 5")


def test_on_a_phone_the_map_opens_where_something_is(browser):
    browser.sign_in(browser.site.asked_seat())
    first = seen(browser)
    browser.find("[data-zoom=whole]").click()
    is_phone = browser.driver.execute_script("return window.innerWidth") < 500
    assert (first[2] < seen(browser)[2] / 1.5) == is_phone


def test_the_map_takes_the_whole_width_when_wanted(browser):
    browser.sign_in(browser.site.asked_seat())
    wide = browser.find("[data-wide]")
    if not wide.is_displayed():  # a phone, where it has the width anyhow
        assert browser.find(".map").size["width"] > 0.9 * browser.driver.execute_script("return window.innerWidth")
        return
    before = browser.find(".map").size["width"]
    assert before > 800
    wide.click()
    assert browser.find(".map").size["width"] > 1200
    browser.driver.refresh()
    assert browser.find(".map").size["width"] > 1200
    browser.find("[data-wide]").click()
    assert browser.find(".map").size["width"] == before


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
    browser.click_through(browser.find("form:has(input[name=kind][value=pass]) button"))
    button = browser.find("#sure button.main")
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
    assert "DECLINE" in browser.find("section[aria-labelledby=list-title] dl").text

    # from lists alone: the answers are those of the kind of question, a condition has the fields that it needs
    Select(browser.find("#kind")).select_by_value("sea_fight")
    answers = Select(browser.find("#chosen"))
    assert [option.get_attribute("value") for option in answers.options] == ["", "DEFAULT", "DECLINE"]
    answers.select_by_value("DECLINE")
    condition = Select(browser.find("#name-0"))
    condition.select_by_value("side defender")
    assert not browser.find("#sign-0").is_displayed() and not browser.find("#value-0").is_displayed()
    assert browser.find(".preview-line").text == "STANDING sea_fight IF side defender: DECLINE"
    condition.select_by_value("strength")
    assert browser.find("#value-0").is_displayed()
    Select(browser.find("#sign-0")).select_by_value(">=")
    browser.find("#value-0").send_keys("3")
    browser.click_through(browser.find("section[aria-labelledby=add-title] button.main"))
    assert "≥ 3" in browser.find("section[aria-labelledby=list-title]").text
    browser.open(site.url("/messages"))
    browser.find("input[name=to][value=ALL]").send_keys(Keys.SPACE)
    browser.find("#text").send_keys("Peace?")
    browser.click_through(browser.find("button.main"))
    assert "Your message is on its way" in browser.find("[role=status]").text
    assert "Peace?" in browser.find("#messages").text
    assert browser.complaints() == []


def test_a_moderator_finds_an_option_and_builds_a_ruling(browser):
    site = browser.site
    accounts = Moderators(site.service.store)
    accounts.add("ruler", "correct horse battery", site.clock.now())
    accounts.take(site.id, "ruler")
    browser.open("/desk/login")
    browser.find("#name, input[name=name]").send_keys("ruler")
    browser.find("input[name=password]").send_keys("correct horse battery" + Keys.ENTER)
    WebDriverWait(browser.driver, 10).until(lambda d: d.current_url.endswith("/desk/"))

    # the list: a campaign takes two lines on a phone, and what it is sorted and filtered by is folded
    wide = browser.driver.execute_script("return window.innerWidth") > 500
    assert all(row.rect["height"] < (90 if wide else 75) for row in browser.all(".dense tbody tr"))
    assert (browser.find(".filters").get_dom_attribute("open") is not None) == wide and browser.sticks_out() <= 0

    # the overview: on a phone what is not asked for is folded, and every other page of the campaign is in sight
    browser.open(f"/desk/c/{site.id}/")
    parts = browser.all("details.part")
    assert len(parts) == 4 and all((part.get_dom_attribute("open") is not None) == wide for part in parts)
    height = browser.driver.execute_script("return document.documentElement.scrollHeight")
    assert wide or height < 2200, height
    ends = [tab.rect["x"] + tab.rect["width"] for tab in browser.all(".tabs a")]
    assert max(ends) <= browser.driver.execute_script("return document.documentElement.clientWidth")
    parts[1].find_element(By.TAG_NAME, "summary").click()
    assert browser.find(".map svg").is_displayed() != wide and browser.sticks_out() <= 0

    # an option is found by a word of one of its values, and said in words
    browser.open("/desk/new?game=struggle_of_empires")
    assert not any(one.is_displayed() for one in browser.all("[data-option]"))
    browser.find("#find-option").send_keys("Mediterranean")
    shown = [one for one in browser.all("[data-option]") if one.is_displayed()]
    assert [one.find_element(By.TAG_NAME, "legend").text.split(" [")[0] for one in shown] == ["The home of Spain"]
    assert browser.sticks_out() <= 0
    # and so is any other choice, such as the hours of a kind of question
    browser.find("#find-option").clear()
    browser.find("#find-option").send_keys("auction")
    assert browser.find("#hours-auction").is_displayed() and not browser.find("#hours-support").is_displayed()

    # a ruling: a thing by a part of its name, what it is to be, and the sentence that reports will tell
    browser.open(f"/desk/c/{site.id}/ruling")
    thing = browser.find("datalist option[value^='Gold: ']").get_attribute("value")
    power = thing.removeprefix("Gold: ")
    browser.find("#what").send_keys(thing.lower() + Keys.TAB)
    browser.click_through(browser.find("button[value=choose]"))
    assert browser.find("fieldset.change legend").text == thing
    now = int(browser.find("#change-value").get_attribute("value"))
    browser.find("#change-value").clear()
    browser.find("#change-value").send_keys(str(now + 3))
    browser.click_through(browser.find("button[value=add]"))
    assert f"{power}: gold {now} → {now + 3}." in browser.find("ol.ruled li").text
    assert not browser.find("#facts").is_displayed(), "its JSON is folded away"
    browser.find("#reason").send_keys("a slip")
    browser.click_through(browser.find("button[value=try]"))
    assert f"{power}: gold {now} → {now + 3}." in browser.find("section.call").text
    assert browser.sticks_out() <= 0
