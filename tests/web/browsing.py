"""A real browser on the pages: headless Chromium, before a real server on the loopback."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from waitress.server import create_server

from tests.web.conftest import Site

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
CHROMEDRIVER = shutil.which("chromedriver") or "/usr/bin/chromedriver"
PHONE, DESK = (390, 844), (1280, 900)


@contextmanager
def served(site: Site) -> Iterator[str]:
    """The address under which a site answers as long as it is wanted."""
    server = create_server(site.app, host="127.0.0.1", port=0, threads=4)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.effective_port}"
    finally:
        server.close()
        thread.join(5)


@contextmanager
def chromium(width: int, height: int) -> Iterator[webdriver.Chrome]:
    """A browser whose window has a size."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Driver(CHROMEDRIVER))
    size(driver, width, height)
    try:
        yield driver
    finally:
        driver.quit()


def size(driver: webdriver.Chrome, width: int, height: int) -> None:
    """Give the window a size. One of Chromium is never narrower than 500 pixels; the screen of a phone is."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )


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
        wait = WebDriverWait(self.driver, 20)
        wait.until(lambda d: d.find_element(By.CSS_SELECTOR, "html").id != before.id)
        wait.until(lambda d: d.execute_script("return document.readyState") == "complete")

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
