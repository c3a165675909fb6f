"""Drives the local table's page in headless Chromium, as a person would.

    with chromium(width=412) as driver:
        page = TablePage(driver, table.address)
        page.act_as("Kim")
        page.slash("boots move", unit="Alpha", to="G7")
        page.press("Fire")
        page.choose("Insurgent 1")
        page.fill({"Cell": "G7"})
        page.wait_for("Kim fires at G7")

Selenium talks to the browser in this thread: in async tests call it through
``await asyncio.to_thread(...)``, or run the table in a process of its own. Needs Debian's
``chromium`` and ``chromium-driver``; ``CHROMIUM`` and ``CHROMEDRIVER`` name others.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from selenium import webdriver
from selenium.common.exceptions import (
    NoSuchElementException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

__all__ = ["TablePage", "chromium", "chromium_missing"]

PHONE = (412, 915)
DESKTOP = (1280, 900)
PATIENCE = 10.0

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)

T = TypeVar("T")


def _programs() -> tuple[str | None, str | None]:
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium")
    driver = os.environ.get("CHROMEDRIVER") or shutil.which("chromedriver")
    return browser, driver


def chromium_missing() -> str | None:
    """Why browser tests cannot run here, for ``pytest.skip``; ``None`` if they can."""
    if all(_programs()):
        return None
    return "Chromium and its driver are not installed (Debian: chromium, chromium-driver)."


@contextmanager
def chromium(width: int = PHONE[0], height: int = PHONE[1]) -> Generator[WebDriver]:
    """A headless Chromium with a profile of its own and a page of exactly that size."""
    browser, driver_path = _programs()
    if browser is None or driver_path is None:
        raise FileNotFoundError(chromium_missing())
    profile = tempfile.mkdtemp(prefix="fieldpost-chromium-")
    options = Options()
    options.binary_location = browser
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    driver: WebDriver | None = None
    try:
        driver = webdriver.Chrome(options=options, service=Service(driver_path))
        # A headless window may not be narrower than 500: set the page's size itself.
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        cast("Any", driver).execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        yield driver
    finally:
        if driver is not None:
            driver.quit()
        shutil.rmtree(profile, ignore_errors=True)


class TablePage:
    """The local table's page in one browser tab."""

    def __init__(
        self, driver: WebDriver, address: str, *, person: str = "", patience: float = PATIENCE
    ) -> None:
        self.driver = driver
        self.address = address
        self.patience = patience
        driver.get(f"{address}/#as={person}" if person else address)
        self._wait(lambda: self._first("body[data-ready='1']"), "the page to be ready")

    # ------------------------------------------------------------- who, where

    def act_as(self, person: str) -> None:
        """Become that person."""
        self._click(f'[data-person="{person}"]')
        self._wait(
            lambda: self._first(f'[data-person="{person}"][aria-pressed="true"]'),
            f"{person} to be chosen",
        )

    def open_channel(self, name: str) -> None:
        """Open a channel or thread by its name."""
        self._click(f'[data-channel="{name}"]')
        self._wait(
            lambda: self._first(f'[data-channel="{name}"][aria-current]'),
            f"#{name} to open",
        )

    # ------------------------------------------------------------- commands

    def slash(self, command: str, **options: str) -> None:
        """Run a command through its form, taking a suggestion where options are completed."""
        self.open_command(command)
        for name, value in options.items():
            self.set_option(name, value)
        if self._first("#run") is not None:
            self._click("#run")
        self._wait(
            lambda: not self._displayed("#command") or self._displayed("#notice"),
            f"/{command} to run",
        )

    def type_line(self, text: str) -> None:
        """Type a whole line, such as ``/boots move unit:Alpha to:G7``, and press Enter."""
        box = self._wait(lambda: self._first("#say"), "the message box")
        box.clear()
        box.send_keys(text, Keys.ENTER)

    def open_command(self, command: str) -> None:
        """Pick a command from the list; one without options runs at once."""
        box = self._wait(lambda: self._first("#say"), "the message box")
        box.clear()
        box.send_keys("/" + command)
        self._click(f'#picker [data-command="{command}"]')

    def set_option(self, name: str, value: str) -> None:
        """Fill one option; with suggestions, take the first that begins with the text."""
        if self._first(f'[data-add="{name}"]') is not None:
            self._click(f'[data-add="{name}"]')
        field = self._wait(lambda: self._first(f'[data-option="{name}"]'), f"option {name}")
        if field.tag_name == "select":
            self._pick(field, value)
            return
        field.send_keys(value)
        if field.get_attribute("type") == "file" or not self._completes(name):
            return

        def take() -> bool:
            for row in self._all(f'.field:has([data-option="{name}"]) .option'):
                if row.text.startswith(value):
                    row.click()
                    return True
            return False

        self._wait(take, f"a suggestion “{value}” for {name}")

    def suggestions(self, name: str) -> list[str]:
        """What is suggested for an option just now."""
        rows = self._all(f'.field:has([data-option="{name}"]) .option')
        return [row.text for row in rows if row.is_displayed()]

    # ---------------------------------------------------------- components

    def press(self, label: str) -> None:
        """Press the newest button with that label."""
        self._wait(lambda: self._newest(".button", label), f"a button “{label}”").click()

    def choose(self, *labels: str) -> None:
        """Choose these options in the newest select that offers them."""
        self._wait(lambda: self._open_select(labels[0]), f"a select with “{labels[0]}”")
        for label in labels:
            rows = self._all(".chooser .options:not([hidden]) .option")
            self._click_element(next(row for row in rows if _line(row) == label))
        if (done := self._first(".chooser .options:not([hidden]) .done")) is not None:
            self._click_element(done)

    def fill(self, fields: Mapping[str, str], *, submit: bool = True) -> None:
        """Fill the open form by its labels, and submit it."""
        self._wait(lambda: self._first("dialog#modal[open]"), "a form to open")
        for label, value in fields.items():
            found = self._wait(
                lambda label=label: next(
                    (
                        row
                        for row in self._all("dialog#modal .field")
                        if _line(row.find_element(By.TAG_NAME, "label")) == label
                    ),
                    None,
                ),
                f"a field “{label}”",
            )
            control = found.find_element(By.CSS_SELECTOR, "[data-field]")
            if control.tag_name == "div":  # radio buttons or boxes
                for choice in control.find_elements(By.TAG_NAME, "label"):
                    if _line(choice) == value:
                        choice.click()
            else:
                if control.get_attribute("type") != "file":
                    control.clear()
                control.send_keys(value)
        if submit:
            self._click("#submit")
            self._wait(lambda: not self._displayed("dialog#modal"), "the form to close")

    # -------------------------------------------------------------- looking

    def texts(self) -> list[str]:
        """The visible text of each message, oldest first."""
        return [element.text for element in self._all("article.message")]

    def private_texts(self) -> list[str]:
        """The same for the messages that only this person sees."""
        return [element.text for element in self._all("article.message[data-private]")]

    def pictures(self) -> list[tuple[str, int]]:
        """Alt text and natural width of each picture; a broken one has width 0."""
        return [
            (image.get_attribute("alt") or "", int(str(image.get_property("naturalWidth"))))
            for image in self._all("article.message .picture img")
        ]

    def notice(self) -> str:
        """The sentence about what went wrong, or nothing."""
        element = self._first("#notice")
        return element.text if element is not None else ""

    def wait_for(self, text: str) -> str:
        """Wait until a message shows the text; return that message's text."""
        return self._wait(
            lambda: next((found for found in reversed(self.texts()) if text in found), None),
            f"“{text}” in a message",
        )

    def wait_for_notice(self, text: str) -> None:
        """Wait until the notice shows the text."""
        self._wait(lambda: text in self.notice(), f"the notice “{text}”")

    def fits(self) -> bool:
        """Whether nothing sticks out to the right of the page."""
        script = "return document.documentElement.scrollWidth <= window.innerWidth"
        return bool(cast("Any", self.driver).execute_script(script))

    def shot(self, path: Path) -> None:
        """Save what the browser shows as PNG."""
        self.driver.save_screenshot(str(path))

    def troubles(self) -> list[str]:
        """What the page's script or its loading complained of."""
        rows = cast("list[dict[str, Any]]", cast("Any", self.driver).get_log("browser"))
        return [str(row["message"]) for row in rows if row["level"] == "SEVERE"]

    # ------------------------------------------------------------- plumbing

    def _wait(self, look: Callable[[], T | None], what: str) -> T:
        ignored = (StaleElementReferenceException, NoSuchElementException)
        wait = WebDriverWait(self.driver, self.patience, 0.05, ignored_exceptions=ignored)
        try:
            return cast("T", wait.until(lambda _driver: look()))
        except TimeoutException:
            shown = "\n---\n".join(self.texts()[-3:])
            notice = self.notice()
            raise AssertionError(
                f"Waited {self.patience:g} s for {what}.\nNotice: {notice}\nNewest:\n{shown}"
            ) from None

    def _all(self, css: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def _first(self, css: str) -> WebElement | None:
        return next(iter(self._all(css)), None)

    def _displayed(self, css: str) -> bool:
        element = self._first(css)
        return element is not None and element.is_displayed()

    def _click(self, css: str) -> None:
        def click() -> bool:
            element = self._first(css)
            if element is None or not element.is_displayed():
                return False
            self._click_element(element)
            return True

        self._wait(click, f"{css} to be clickable")

    def _click_element(self, element: WebElement) -> None:
        cast("Any", self.driver).execute_script(
            "arguments[0].scrollIntoView({block: 'nearest', inline: 'nearest'})", element
        )
        element.click()

    def _newest(self, css: str, label: str) -> WebElement | None:
        found = [one for one in self._all(f"#messages {css}") if one.text.strip() == label]
        usable = [one for one in found if one.is_displayed() and one.is_enabled()]
        if not usable:
            return None
        cast("Any", self.driver).execute_script(
            "arguments[0].scrollIntoView({block: 'center'})", usable[-1]
        )
        return usable[-1]

    def _open_select(self, label: str) -> WebElement | None:
        for box in reversed(self._all("#messages .chooser")):
            head = box.find_element(By.CSS_SELECTOR, ".select")
            if not head.is_enabled():
                continue
            if head.get_attribute("aria-expanded") != "true":
                self._click_element(head)
            if any(_line(row) == label for row in box.find_elements(By.CSS_SELECTOR, ".option")):
                return box
            self._click_element(head)
        return None

    def _completes(self, name: str) -> bool:
        return self._first(f'.field:has([data-option="{name}"]) .options') is not None

    @staticmethod
    def _pick(field: WebElement, label: str) -> None:
        for option in field.find_elements(By.TAG_NAME, "option"):
            if option.text == label:
                option.click()
                return
        raise AssertionError(f"There is no choice “{label}”.")


def _line(element: WebElement) -> str:
    """The first line of what an element shows."""
    return element.text.strip().split("\n", maxsplit=1)[0]
