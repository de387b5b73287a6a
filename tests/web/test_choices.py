"""Forms of orders in headless Chromium: each can be sent as it is labelled; its line shows what is still missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

from pbem.games.thirty_years_war.map import atlas_of
from tests.web.browsing import DESK, PHONE, Browser, chromium, served
from tests.web.conftest import Site, page


@pytest.fixture
def browser(tmp_path: Any) -> Iterator[Browser]:
    site = Site(tmp_path, "struggle_of_empires", 4, secret=b"3" * 32).start()
    with served(site) as base, chromium(*DESK) as driver:
        yield Browser(driver, site, base)
    site.service.close()


def play_until(site: Site, kind: str) -> str:
    """Answer by chance until somebody may send a kind of order; returns his seat."""

    def offered(table: Any, questions: list[Any]) -> bool:
        return any(k.id() == kind and any(k.legal(table, q)) for q in questions for k in q.orders)

    site.play(5, 0, lambda status: site.service.table_of(site.id, status.waiting_seats[0], offered))
    return site.asked_seat()


def sign_in(browser: Browser, seat: str) -> None:
    """Sign in as another seat: a browser that has one already would be asked first."""
    browser.driver.delete_all_cookies()
    browser.sign_in(seat)


def line_of(form: Any) -> str:
    return form.find_element(By.CSS_SELECTOR, ".preview-line").text


def test_forms_are_sent_as_they_are_labelled(browser):
    site = browser.site

    # what is needed to complete the line shows in it
    sign_in(browser, play_until(site, "bid"))
    form = browser.form("bid")
    assert line_of(form).startswith("BID ") and line_of(form).endswith(" A … B …")
    for name in ("a", "b"):
        choice = Select(form.find_element(By.NAME, f"f.{name}"))
        choice.select_by_value(next(o.get_attribute("value") for o in choice.options if o.get_attribute("value")))
    assert "…" not in line_of(form)

    # where nothing can be chosen, no list stands
    sign_in(browser, play_until(site, "buy"))
    form = browser.form("buy")
    tile = Select(form.find_element(By.NAME, "f.tile"))
    simple = next(o.get_attribute("value") for o in tile.options if o.get_attribute("value") not in ("", "pirates"))
    tile.select_by_value(simple)
    assert line_of(form) == f"BUY {simple}"
    lists = [form.find_element(By.NAME, "f.tile"), *form.find_elements(By.NAME, "f.victim")]
    assert [one.is_displayed() for one in lists] == [True, False][: len(lists)]

    # a list that must be chosen from is not called optional
    seat = play_until(site, "support")
    sign_in(browser, seat)
    form = browser.form("support")
    for name in ("navies", "armies"):
        for one in form.find_elements(By.NAME, f"f.{name}"):
            label = form.find_element(By.CSS_SELECTOR, f"label[for='{one.get_attribute('id')}']").text
            assert ("optional" in label) == (one.get_attribute("required") is None), label
            if one.is_enabled() and not one.get_attribute("value"):
                Select(one).select_by_value("YES" if "YES" in one.get_attribute("innerHTML") else "NO")
    line = line_of(form)
    assert "YES" in line and site.service.check_line(site.id, seat, line).state == "accepted"
    browser.click_through(form.find_element(By.CSS_SELECTOR, "button[value=send]"))
    assert "Accepted" in browser.find("#answer").text
    assert browser.complaints() == []


def test_a_package_is_built_choice_by_choice(tmp_path):
    """No line of the grammar has to be read: the clause, then what it needs; whose a space is, is known with it."""
    site = Site(tmp_path, "here_i_stand", 6, secret=b"7" * 32).start()
    site.play(5, 0, lambda status: status.kind == "negotiation")
    status = site.service.status(site.id)
    seat = next(one for one in status.waiting_seats if "england" in status.seats[one]["powers"])
    for other in {*status.waiting_seats} - {seat}:  # on turn 1 England alone announces (7)
        talk = page(site.client(other), site.url("/seat"))
        assert not talk.xpath("//form[input[@value='announce']]") and "Only England announces" in talk.text_content()
    with served(site) as base, chromium(*PHONE) as driver:
        browser = Browser(driver, site, base)
        browser.sign_in(seat)
        form = browser.form("announce")

        def choose(label: str, text: str) -> None:
            path = f".//label[normalize-space(text()[last()])='{label}'][following-sibling::select[not(@data-column)]]"
            label_of = next(one for one in form.find_elements(By.XPATH, path) if one.is_displayed())
            Select(label_of.find_element(By.XPATH, "following-sibling::select")).select_by_visible_text(text)

        choose("Clauses", "Cede spaces")
        assert not form.find_element(By.NAME, "f.clauses.words").is_displayed()
        choose("Who gets it", "Hapsburgs")
        choose("Spaces", "Cologne")
        choose("Who gets it", "England")
        assert line_of(form) == "ANNOUNCE 1 CEDE cologne FROM hapsburg TO england"
        form.find_element(By.CSS_SELECTOR, "[data-more]").click()
        second = form.find_elements(By.CSS_SELECTOR, ".row")[1]
        Select(second.find_element(By.CSS_SELECTOR, "select:not([data-column])")).select_by_visible_text("Alliance")
        Select(second.find_element(By.CSS_SELECTOR, "[data-of=other]")).select_by_visible_text("Hapsburgs")
        line = "ANNOUNCE 1 CEDE cologne FROM hapsburg TO england, ALLIANCE WITH hapsburg"
        assert line_of(form) == line and browser.sticks_out() <= 0
        second.find_element(By.CSS_SELECTOR, "[data-drop]").click()
        assert line_of(form) == line.partition(",")[0]
        browser.click_through(form.find_element(By.CSS_SELECTOR, "button[value=send]"))
        assert browser.find("ul.given").text == line.partition(",")[0]
        assert browser.complaints() == []
    site.service.close()


def test_a_march_is_chosen_space_by_space(tmp_path):
    """Each space of a way is next to the one before; what is taken on the way lies on it."""
    site = Site(tmp_path, "thirty_years_war", 2, secret=b"7" * 32).start()
    site.play(5, 0, lambda status: status.kind == "activation")

    def values(select: Any) -> set[str]:
        return {option.get_attribute("value") for option in Select(select).options} - {""}

    with served(site) as base, chromium(*PHONE) as driver:
        browser = Browser(driver, site, base)
        browser.sign_in(site.asked_seat())
        form = browser.form("move_freely")
        way, taken = (form.find_elements(By.NAME, f"f.{name}.item") for name in ("way", "controlling"))
        assert values(way[0]) == set()
        origin = next(iter(values(form.find_element(By.NAME, "f.origin"))))
        Select(form.find_element(By.NAME, "f.origin")).select_by_value(origin)
        chart = atlas_of(site.service.kit_of(site.id))
        assert values(way[0]) == {*chart.neighbours[origin], *chart.entries[origin]}
        first = chart.neighbours[origin][0]
        Select(way[0]).select_by_value(first)
        form.find_element(By.CSS_SELECTOR, "[data-rows=way] [data-more]").click()
        assert values(way[1]) == {*chart.neighbours[first], *chart.entries[first]}
        assert values(taken[0]) == {origin, first}

        form = browser.form("act")
        leader = Select(form.find_element(By.NAME, "f.leader"))
        leader.select_by_index(1)
        way = form.find_elements(By.NAME, "f.way.item")
        assert 0 < len(values(way[0])) < 12
    site.service.close()


@pytest.mark.parametrize("kind", ["impulse", "action"])
def test_an_impulse_says_which_of_its_actions_are_possible_now(sites, kind):
    """Not only which its CP pay for: what a form is offered for, or would be once a card is played, no more."""
    site = sites("here_i_stand", 6, secret=b"7" * 32).start()
    site.play(5, 0, lambda status: status.kind == kind)
    seat = site.asked_seat()
    tree = page(site.client(seat), site.url("/seat"))
    told = tree.xpath("string(//section[contains(@class, 'call')])").replace("\xa0", " ")
    possible, closed = told.partition("Not possible now: ")[::2]
    possible = possible.partition("possible now, each with its CP: ")[2] or possible.partition("Possible now")[2]
    assert "Assault" in closed and "Assault" not in possible, "nothing is besieged so early"
    assert "Moving a formation 1" in possible
    if kind == "action":
        offered = {form.get("value") for form in tree.xpath("//form/input[@name='kind']")}
        assert "move" in offered and "assault" not in offered
        assert ("Raising a regular" in possible or "Buying a mercenary" in possible) == ("build" in offered)
