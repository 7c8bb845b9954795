"""Tests `presentment serve` in a headless Chromium. usage: browser.py PRESENTMENT STORY SCREENSHOTS

Each story writes a screenshot, and fails on an unexpected error in the page's console."""

import base64
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import urllib.parse
import urllib.request

from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException,
    WebDriverException)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

import chromium
import page_api

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "docs" / "your-site"))


class Demo:
    """The server, a browser and a person's actions in it."""

    def __init__(self, presentment, screenshots, name, size=(1400, 1000)):
        self.presentment = presentment
        self.screenshots, self.name = pathlib.Path(screenshots), name
        self.process = subprocess.Popen(
            [presentment, "serve", "--port", "0", "--bidi", "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise SystemExit("the server does not start")
        self.port = self.url.rstrip("/").rsplit(":", 1)[1]
        self.bidi = self.process.stdout.readline().strip()
        self.driver = chromium.start(size)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            self.shoot("" if kind is None else "-failed")
            errors = [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        finally:
            self.driver.quit()
            self.process.terminate()
            code = self.process.wait(30)
        if kind is None:
            assert not errors, errors
            assert code == 0, f"the server ends with {code}"

    def shoot(self, suffix=""):
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(self.screenshots / f"{self.name}{suffix}.png"))

    def wait(self, condition, what):
        try:
            # The page can redraw an element meanwhile; then the condition is evaluated again.
            waiting = WebDriverWait(self.driver, chromium.PATIENCE, ignored_exceptions=[StaleElementReferenceException])
            return waiting.until(lambda driver: condition(driver))
        except Exception as error:
            raise AssertionError(f"never: {what}; the stage says {self.story()!r}") from error

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def run_shown(self):
        """The query of the run on the stage; None while one is fetched."""
        return next((one.get_attribute("data-run") for one in self.all("#bar")), None)

    def open_stage(self, query):
        self.driver.get(f"{self.url}?{query}")
        self.wait(lambda _: self.run_shown(), "a run is shown")

    @contextlib.contextmanager
    def another_run(self):
        """A step to another run."""
        before = self.run_shown()
        yield
        self.wait(lambda _: self.run_shown() not in (None, before), "another run is shown")

    def take_over(self, query=""):
        """The page of the headline scenario is open, and the person takes over by asking."""
        self.open_stage(f"scenario=headline&seed=7&step=1{query}")
        self.tap("Verify Identity")

    def key(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def buttons(self):
        return [b for b in self.all("#scene [data-act], #phone [data-act]") if b.is_displayed()]

    def tap(self, label):
        """Taps a button of a device by the beginning of its label. A list above it is read to its end first."""
        def find(_):
            return next((b for b in self.buttons() if b.text.strip().startswith(label)), None)

        def is_ready(_):
            self.driver.execute_script(
                "for (const one of document.querySelectorAll('.read-through > [role=group]')) one.scrollTop = 1e6")
            button = find(None)
            return button if button and button.get_attribute("aria-disabled") != "true" else None
        button = self.wait(is_ready, f"a device has a button {label}")
        try:
            button.click()
        except WebDriverException:
            find(None).click()

    def text_of(self, name):
        return "\n".join(one.text for one in self.all(f"#{name}"))

    def story(self):
        """The current step and the verdict."""
        return f"{self.text_of('now')}\n{self.text_of('verdict')}"

    def expect_verdict(self, *texts):
        self.wait(lambda _: all(text in self.text_of("verdict") for text in texts), f"the verdict is {texts}")

    def expect_site(self, *texts):
        def pages():
            return "\n".join(one.text for one in self.all("#scene .page-view"))
        self.wait(lambda _: all(text in pages() for text in texts), f"the site says {texts}")

    def count(self):
        """The number of steps before the position, and of all."""
        return tuple(int(one) for one in self.one(".step-count").text.split(" / "))

    def world(self):
        """The name of the taken-over world."""
        return self.one("#recording").get_attribute("href").split("/worlds/")[1].split("/")[0]

    def api(self, path, body=None, origin=None):
        """Asks the server, as a page of an origin or as a program."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **({"Origin": origin} if origin else {})}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, headers)
        with urllib.request.urlopen(request) as response:
            text = response.read()
            return json.loads(text) if text else None


def accept(demo):
    demo.take_over()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified: it is Kelly")
    demo.expect_site("Kelly", "Welcome aboard")
    assert "You play" in demo.text_of("now"), demo.story()
    assert not demo.all(".mark.failed"), "an expectation of the scenario is not met"
    assert len(demo.all(".mark.expectation.done")) == len(demo.all(".mark.expectation")), "not every one is judged"
    demo.wait(lambda _: "POST /presentments/response" in demo.one("#wire").text, "the response is on the wire")
    demo.one("#leave").click()
    demo.wait(lambda _: demo.count()[0] == 1, "the run of the scenario is shown where it was left")


def decline(demo):
    demo.take_over()
    demo.tap("Local Driving Authority")
    demo.tap("Decline")
    demo.expect_verdict("said no")
    demo.expect_site("NotAllowedError", "picture")
    # What the scenario expects at this place is something else, and that is said.
    demo.wait(lambda _: demo.all(".mark.failed"), "the differences from the scenario are shown")
    assert demo.all(".differences li"), demo.story()


def cancel(demo):
    demo.take_over()
    demo.tap("Cancel")
    demo.expect_site("NotAllowedError", "picture")


def nobody(demo):
    demo.open_stage("scenario=headline&seed=7&step=1&fault=unsigned")
    demo.tap("Verify Identity")
    demo.expect_verdict("The operating system noticed.", "cannot tell this from a refusal")
    demo.expect_site("picture")


# The conclusion for each fault that acts on the headline scenario. With another authority's signature the selector has
# other apps, and the run ends while it is open.
FAULTS = {
    "unsigned": "The operating system noticed.",
    "another-authority": "the selector",
    "network.reader-signature-altered": "sandbox.reader-signature",
    "browser.origin-replaced": "sandbox.reader-signature",
    "browser.raw-request-replaced": "provider.",
    "network.response-altered": "response.decryption/unexplained",
    "wallet.value-changed": "element.digest",
    "issuer.expired": "mso.validity/expired",
    "issuer.signer-of-another-root": "issuer.trust",
    "issuer.not-signed": "issuer.certificate",
    "wallet.another-device-key": "device.signature/invalid",
    "wallet.another-nonce": "response.decryption/unexplained",
    "wallet.transcript.origin.trailing-slash": "response.decryption/transcript",
}


def faults(demo):
    """One fault at a time: each replaces the one before, unless faults are combined."""
    known = {fault["id"]: fault["label"] for fault in demo.api("/api/catalogue")["faults"]}
    assert set(known) == set(FAULTS), set(known) ^ set(FAULTS)
    demo.open_stage("scenario=headline&seed=7")

    def choose(name):
        if demo.one("#break").get_attribute("open") is None:
            demo.one("#break summary").click()
        with demo.another_run():
            demo.one(f"[data-fault='{name}']").click()

    for name, said in FAULTS.items():
        choose(name)
        query = urllib.parse.parse_qs(urllib.parse.urlparse(demo.driver.current_url).query)
        assert query["fault"] == [name], query
        assert known[name] in demo.one("#broken").text and demo.one("#repair-all").is_displayed()
        demo.key(Keys.END)
        demo.wait(lambda _: said.lower() in demo.story().lower(), f"the stage says {said}")
        demo.expect_verdict("Case failed")
        demo.shoot(f"-{name}")
    demo.one("#break summary").click()
    demo.one("#combine").click()
    with demo.another_run():
        demo.one("[data-fault='issuer.expired']").click()
    assert demo.driver.current_url.count("fault=") == 2, demo.driver.current_url
    with demo.another_run():
        demo.one("#repair-all").click()
    assert "fault" not in demo.driver.current_url and not demo.one("#broken").is_displayed()


# The phone over a page is next to the body, which is then inert.
COVERED = "return document.body.inert && document.querySelector('html > div') !== null"


def alone(demo):
    """The site without the stage: the phone appears over the page."""
    world = demo.api("/api/worlds", {"world": "spaceport", "seed": 7})
    demo.driver.get(world["websites"][0]["url"])
    button = demo.wait(lambda driver: next(
        (b for b in driver.find_elements(By.ID, "verify-button") if b.is_enabled()), None), "a button")
    assert not demo.driver.execute_script(COVERED), "nothing is over the page before the call"
    button.click()
    demo.wait(lambda driver: driver.execute_script(COVERED), "the phone is over the page")
    demo.shoot("-overlay")
    # A driver cannot reach the phone over the page, but it can reach the phone in a tab of its own.
    site = demo.driver.current_window_handle
    demo.driver.switch_to.new_window("tab")
    demo.driver.get(f"{demo.url}phone?world={world['id']}")
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.wait(lambda driver: "Sent" in driver.find_element(By.ID, "phone").text, "the phone has sent it")
    demo.driver.close()
    demo.driver.switch_to.window(site)
    demo.wait(lambda driver: "Kelly" in driver.find_element(By.TAG_NAME, "main").text, "the site knows Kelly")
    demo.wait(lambda driver: not driver.execute_script(COVERED), "the phone has gone")


def leaving(demo):
    """A page that is reloaded or aborts its call while the phone asks: the phone closes its sheet."""
    world = demo.api("/api/worlds", {"world": "spaceport", "seed": 7})
    address = world["websites"][0]["url"]

    def asks(last):
        with urllib.request.urlopen(f"http://127.0.0.1:{demo.port}/api/worlds/{world['id']}/events") as events:
            for line in events:
                if line.startswith(b"data: ") and b'"device"' in line:
                    return ("selector" in json.loads(line[6:])) == last
        return False

    def call():
        button = demo.wait(lambda driver: next(
            (b for b in driver.find_elements(By.ID, "verify-button") if b.is_enabled()), None), "a button")
        button.click()
        demo.wait(lambda _: asks(True), "the phone asks")

    demo.driver.get(address)
    call()
    demo.shoot("-asking")
    # The other site's page does not contact the first world: only the closed connection shows that the page is gone.
    demo.driver.get("about:blank")
    demo.wait(lambda _: asks(False), "the phone stops asking when the page is left")
    demo.driver.get(address)
    call()
    demo.driver.switch_to.new_window("tab")
    tabs = demo.driver.window_handles
    demo.driver.switch_to.window(tabs[0])
    demo.driver.close()
    demo.driver.switch_to.window(tabs[1])
    demo.wait(lambda _: asks(False), "the phone stops asking when the tab is closed")
    demo.driver.get(address)
    demo.wait(lambda driver: next(
        (b for b in driver.find_elements(By.ID, "verify-button") if b.is_enabled()), None), "a button")
    demo.driver.execute_script("""
        const get = navigator.credentials.get.bind(navigator.credentials);
        navigator.credentials.get = (options) => {
          window.lastOptions = options;
          window.stop = new AbortController();
          return get({ ...options, signal: window.stop.signal });
        };
        // Each call needs a gesture of its own.
        window.again = () => presentment.simulateActivation().then(() => {
          navigator.credentials.get(window.lastOptions).catch(({ name }) => { window.ended = name; });
        });""")
    call()
    demo.driver.execute_script("window.stop.abort()")
    demo.wait(lambda _: asks(False), "the phone stops asking when the script gives up")
    demo.wait(lambda driver: "AbortError" in driver.find_element(By.TAG_NAME, "main").text, "the page's own reason")
    demo.driver.execute_script("return window.again()")
    demo.wait(lambda _: asks(True), "the phone asks again")
    demo.driver.execute_script("window.stop.abort()")
    demo.wait(lambda driver: driver.execute_script("return window.ended") == "AbortError", "that call ends too")
    demo.driver.execute_script("return window.again()")
    demo.wait(lambda _: asks(True), "the phone asks a third time")
    demo.wait(lambda driver: driver.execute_script(COVERED), "the phone covers the page")


# Scenarios of every sort: with their own site, two devices, Settings, restarts, waits, and ends of every kind.
PLAYED = [
    "headline", "attacks/phishing-site", "attacks/response-replayed", "browser/no-user-gesture",
    "consent/declined-in-wallet", "cross-device/qr-code-on-a-laptop", "cross-device/nearby-iphone", "in-app/accepted",
    "browser/a-site-in-a-frame",
    "provider/settings", "provider/reboot", "provider/install-update-remove", "revocation/revoked", "session/expired",
    "session/server-restarted", "session/two-devices", "language/not-run-or-failing",
]


def plays(demo):
    """Every case of these scenarios plays to the outcome that the runner reports."""
    report = demo.screenshots / "plays.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    for name in PLAYED:
        subprocess.run(
            [demo.presentment, "run", f"scenarios/{name}", "--report", f"json={report}", "--sandbox", "in-process",
             "--quiet"], cwd=ROOT, capture_output=True)
        outcomes = sorted(case["verdict"].replace("-", " ") for case in json.loads(report.read_text())["cases"])
        entry = next(one for group in demo.api("/api/catalogue")["groups"] for one in group["scenarios"]
                     if one["name"] == name)
        shown = []
        for case in [one["name"] for one in entry["cases"]] or [name]:
            demo.open_stage(f"scenario={urllib.parse.quote(case)}")
            demo.key(Keys.END)
            demo.wait(lambda _: demo.all(".verdict-case strong"), f"{case} ends")
            shown.append(demo.one(".verdict-case strong").text.removeprefix("Case "))
        assert sorted(shown) == outcomes, (name, shown, outcomes)
        demo.shoot(f"-{name.replace('/', '-')}")


FRAMED = "scenario=browser/a-site-in-a-frame%23the%20person%20continues%20after%20the%20warning"
FRAMED_ON_A_LAPTOP = "scenario=browser/a-site-in-a-frame%23in%20the%20browser%20of%20a%20laptop"


def framed(demo):
    """A site in a frame of another site's page: a tap in the frame, the browser's warning, the verdict in the frame."""
    demo.open_stage(f"{FRAMED}&step=1")
    frame = demo.wait(lambda _: demo.all("#scene [data-frame='market']"), "the frame")[0].text
    assert "Orbital Market" in frame and "orbital-market.example" in frame, frame
    assert "in the frame market" in demo.one("#wire .lane-heads").text, "the frame's script has no column"
    demo.one("#scene [data-act='taps/market:Verify Identity']").click()
    demo.wait(lambda _: "orbital-market.example" in demo.one("#scene .sheet.warning").text, "the warning")
    demo.wait(lambda driver: driver.execute_script(
        "return document.activeElement.closest('.warning') !== null"), "the warning has the focus")
    demo.shoot("-warning")
    demo.tap("Continue")
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified: it is Kelly")
    demo.wait(lambda _: all(text in demo.one("#scene [data-frame='market']").text for text in ["Verified", "Kelly"]),
              "the verdict in the frame")
    around = demo.driver.execute_script("""
        const page = document.querySelector("#scene .page-view").cloneNode(true);
        page.querySelector("[data-frame]").remove();
        return page.textContent;""")
    assert "Kelly" not in around, around
    demo.wait(lambda _: len(demo.all(".mark.expectation.done")) == len(demo.all(".mark.expectation")), "all is judged")
    assert not demo.all(".mark.failed"), "an expectation of the scenario is not met"
    with urllib.request.urlopen(f"http://127.0.0.1:{demo.port}/api/worlds/{demo.world()}/recording") as response:
        recorded = response.read().decode()
    assert "frame: market" in recorded and "answers-warning: continue" in recorded, recorded
    # Escape cancels at the warning, and the keyboard reaches the frame's button again.
    demo.one("#leave").click()
    demo.wait(lambda _: demo.count()[0] == 1, "the run of the scenario")
    demo.one("#scene [data-act='taps/market:Verify Identity']").send_keys(Keys.ENTER)
    demo.wait(lambda _: demo.all("#scene .sheet.warning"), "the warning once more")
    demo.key(Keys.ESCAPE)
    demo.wait(lambda _: "NetworkError" in demo.one("#scene [data-frame='market']").text, "the call has ended")
    demo.expect_verdict("said no")
    # The warning of a desktop's browser comes before its QR code.
    demo.open_stage(f"{FRAMED_ON_A_LAPTOP}&step=1")
    demo.one("#scene [data-act='taps/market:Verify Identity']").click()
    demo.wait(lambda _: demo.all("#scene .desktop .warning"), "the warning in the window")
    demo.shoot("-desktop")
    demo.wait(lambda driver: driver.execute_script(
        "return document.activeElement.closest('.desktop .warning') !== null"), "its buttons have the focus")
    demo.tap("Continue")
    demo.wait(lambda _: demo.all("#scene .desktop .code-image"), "the QR code")
    # A play shows the touches in the frame and of the warning.
    demo.open_stage(FRAMED)
    demo.one("#go-play").click()
    for name in ["taps/market:Verify Identity", "answers-warning:continue"]:
        demo.wait(lambda _: demo.all(f"#scene .pressed[data-act='{name}']"), f"{name} is pressed")


def playing(demo):
    """Playing goes through all steps by itself, shows each touch, and can be paused."""
    demo.open_stage("scenario=headline&seed=7")
    Select(demo.one("#speed")).select_by_value("4")
    demo.one("#go-play").click()
    demo.wait(lambda _: demo.all("#scene .pressed"), "a button is pressed")
    demo.wait(lambda _: demo.count()[0] >= 2, "two steps are done")
    demo.one("#go-play").click()
    position = demo.count()
    assert demo.one("#go-play").get_attribute("aria-label") == "Play"
    assert f"step={position[0]}" in demo.driver.current_url, demo.driver.current_url
    demo.one("#go-play").click()
    demo.expect_verdict("Verified: it is Kelly", "Case passed")
    assert demo.count() == (7, 7), demo.count()
    demo.expect_site("Kelly")


def keys(demo):
    """The keys of a clicker; each position is in the address, and its link shows it again."""
    demo.open_stage("scenario=headline&seed=7")
    for key, position in [(Keys.ARROW_RIGHT, 1), (Keys.SPACE, 2), (Keys.PAGE_DOWN, 3), (Keys.ARROW_LEFT, 2),
                          (Keys.PAGE_UP, 1), (Keys.END, 7), (Keys.HOME, 0), (Keys.ARROW_LEFT, 0)]:
        demo.key(key)
        demo.wait(lambda _: demo.count()[0] == position, f"{key!r} leads to {position}")
    demo.key(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    demo.wait(lambda _: demo.all("#scene .selector"), "the selector is open")
    address = demo.driver.current_url
    assert "step=2" in address, address
    demo.driver.get("about:blank")
    demo.driver.get(address)
    demo.wait(lambda _: demo.run_shown() and demo.count()[0] == 2 and demo.all("#scene .selector"), "the link's moment")
    demo.one("#seed").send_keys(Keys.ARROW_LEFT)
    assert demo.count()[0] == 2, "a key of a field moves the run"


def scenarios(demo):
    """The menu has every scenario and case, and a search; the choice is in the address."""
    demo.open_stage("")
    demo.one("#open-menu").click()
    groups = demo.wait(lambda _: demo.all("#menu .menu-group h3"), "the menu")
    assert groups[0].text == "Start here" and len(groups) > 5, [one.text for one in groups]
    search = demo.one("#menu input")
    search.send_keys("padded base64url")
    found = demo.wait(lambda _: [one for one in demo.all("#menu a") if one.is_displayed()], "something is found")
    assert "padded base64url" in found[0].text, found[0].text
    with demo.another_run():
        search.send_keys(Keys.ENTER)
    assert "padded" in demo.driver.current_url, demo.driver.current_url
    assert demo.one("#case-title").text == "padded base64url" and "padded" in demo.driver.title
    demo.key(Keys.END)
    demo.expect_verdict("response.data/malformed", "Case passed")
    cut = demo.driver.execute_script("""
        document.getElementById("open-menu").click();
        return [...document.querySelectorAll("#menu a, #menu p, #open-menu span:not(.visually-hidden)")].filter((one) =>
          one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
          .map((one) => one.textContent);""")
    assert not cut, f"names are cut off: {cut[:3]}"
    demo.key(Keys.ESCAPE)
    assert not demo.one("#menu").is_displayed()


def keyboard(demo):
    """A presenter's walk with the keyboard only: choose, step, take over, authorize, return."""
    demo.open_stage("scenario=attacks/cloned-document")
    demo.key("/")
    demo.wait(lambda _: demo.one("#menu").is_displayed(), "the menu is open")
    with demo.another_run():
        demo.key(*"rent a spaceship with an id in wallet", Keys.ARROW_DOWN, Keys.ENTER)
    assert "scenario=headline" in demo.driver.current_url, demo.driver.current_url

    def reach(label):
        """Moves the focus forward to a button of a device."""
        for _ in range(80):
            demo.key(Keys.TAB)
            active = demo.driver.switch_to.active_element
            if active.get_attribute("data-act") and active.text.startswith(label):
                return
        raise AssertionError(f"the focus does not reach {label}")

    demo.key(Keys.ARROW_RIGHT)
    demo.wait(lambda _: demo.count()[0] == 1, "the page is open")
    reach("Verify Identity")
    demo.key(Keys.ENTER)
    demo.wait(lambda _: demo.all("#scene .offer"), "the selector")
    reach("Wallet")
    demo.key(Keys.ENTER)
    demo.wait(lambda _: demo.all("#scene .gesture"), "the sheet")
    demo.driver.execute_script("document.querySelector('.read-through > [role=group]').focus()")
    demo.key(Keys.END)
    demo.wait(lambda _: not demo.all("#scene .gesture.unread"), "the list was read")
    reach("Authorize")
    demo.key(Keys.SPACE)
    demo.expect_verdict("Verified")
    demo.driver.execute_script("document.activeElement.blur()")
    demo.key(Keys.ARROW_LEFT)
    demo.wait(lambda _: demo.count() == (1, 7), "back to the run")
    demo.key(Keys.END)
    demo.expect_verdict("Case passed")


SIZES = [(1024, 768), (1280, 720), (640, 360), (390, 844), (1440, 900), (2560, 1440)]
STATES = [
    ("home", "scenario=consent/declined-in-wallet"), ("checkout", "scenario=headline&step=1"),
    ("selector", "scenario=headline&step=2"), ("consent", "scenario=headline&step=4"),
    ("verified", "scenario=headline&step=99"),
    ("refused", "scenario=headline&fault=wallet.value-changed&step=99"),
    ("own-app", "scenario=consent/declined-in-local-driving-authority&step=3"),
    ("two-documents", "scenario=documents/two-documents-together&step=4"),
    ("two-devices", "scenario=session/two-devices&step=3"),
    ("code", "scenario=cross-device/qr-code-on-a-laptop&step=2"),
    ("mac", "scenario=cross-device/nearby-iphone&step=5"),
]
# What is wrong with the picture: bar and verdict out of sight, words that are broken or cut off, texts over each other.
WRONG = r"""
    const wrong = [];
    const inside = (id) => {
      const { left, top, right, bottom, width, height } = document.getElementById(id).getBoundingClientRect();
      return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && width > 40 && height > 10;
    };
    for (const id of ["bar", "verdict", "go-play"]) if (!inside(id)) wrong.push(`${id} is out of sight`);
    if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
    for (const scroller of document.querySelectorAll(".read-through > [role=group]")) scroller.scrollTop = 1e6;
    const range = document.createRange();
    const areas = [".top", "#bar", "#broken", ".lane-heads", "#scene .sheet", "#scene .custom-view",
      "#scene .phone-home", "#scene .prompt", "#scene .notification", "#scene .code-dialog", "#scene .page-view",
      "#scene .window-bar"];
    for (const area of areas.flatMap((selector) => [...document.querySelectorAll(selector)])) {
      const lines = [];
      const frame = area.getBoundingClientRect();
      const walker = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const holder = node.parentElement;
        if (!node.data.trim() || holder.closest("code, select, .visually-hidden, .more-below, [inert]")) continue;
        if (!holder.checkVisibility({ visibilityProperty: true })) continue;
        if (getComputedStyle(holder).clipPath !== "none") continue;
        const isTurned = getComputedStyle(holder).writingMode !== "horizontal-tb";
        for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
          if (!isTurned && new Set(parts.map(({ top }) => Math.round(top))).size > 1) wrong.push(`broken: ${word}`);
          const isScrolled = holder.closest(".sheet-body, .page-scroll, .track, .bar, .scene") !== null;
          const isShortened = getComputedStyle(holder).textOverflow === "ellipsis"
            || getComputedStyle(holder).webkitLineClamp !== "none";
          if (!isShortened && parts.some(({ left, right }) => left < frame.left - 1 || right > frame.right + 1)) {
            wrong.push(`beyond its box: ${word}`);
          }
          if (!isScrolled && !isShortened && parts.some(({ top, bottom }) => bottom > frame.bottom + 2
            || top < frame.top - 2)) wrong.push(`cut off: ${word}`);
        }
        range.selectNodeContents(node);
        // Lines beyond the end of a shortened text are not seen.
        const { bottom: end } = holder.getBoundingClientRect();
        for (const rect of range.getClientRects()) {
          if (rect.width > 1 && rect.top < end - 3) lines.push([node.data.trim(), rect, holder]);
        }
      }
      for (const [index, [text, one, holder]] of lines.entries()) {
        for (const [other, two, its] of lines.slice(index + 1)) {
          // The boxes of adjacent lines may touch, their letters do not.
          const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
          const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
          // What is scrolled away in one list may lie where another text is.
          const [list, itsList] = [holder, its].map((element) => element.closest(".sheet-body, .page-scroll, .track"));
          if (wide > 2 && high > 6 && list === itsList && text !== other) wrong.push(`"${text}" over "${other}"`);
        }
      }
    }
    for (const button of document.querySelectorAll("#scene :is(.gesture, .own-yes, .offer, .prompt-actions button)")) {
      if (button.closest("[inert]")) continue;
      button.scrollIntoView({ block: "nearest", inline: "nearest" });
      const { left, right, top, bottom } = button.getBoundingClientRect();
      const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (!button.contains(found)) wrong.push(`covered: ${button.textContent}`);
    }
    return [...new Set(wrong)];"""


def sizes(demo):
    """Every state is whole in every window, light and dark, with bar and verdict; 640 x 360 is 1280 x 720 at 200 %."""
    found = {}
    for dark in [False, True]:
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
                    {"name": "prefers-reduced-motion", "value": "reduce"}]
        demo.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        for width, height in SIZES:
            demo.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
            for name, query in STATES:
                # The colors of a state change, its places do not.
                if dark and name in ("home", "two-devices", "mac"):
                    continue
                demo.open_stage(query)
                demo.shoot(f"-{width}-{'dark' if dark else 'light'}-{name}")
                wrong = demo.driver.execute_script(WRONG)
                if wrong:
                    found[f"{width} x {height} {name}"] = wrong
    demo.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    demo.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert not found, json.dumps(found, indent=1)


def reading(demo):
    """Authorizing waits until everything that is asked for was in sight."""
    demo.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": False})
    demo.open_stage("scenario=headline&step=4")
    gesture = demo.wait(lambda _: demo.one("#scene .gesture"), "the sheet")
    cue = demo.wait(lambda _: next((one for one in demo.all(".more-below") if one.is_displayed()), None), "the cue")
    assert "more below" in cue.text and gesture.get_attribute("aria-disabled") == "true", cue.text
    before = demo.driver.current_url
    gesture.click()
    assert demo.driver.current_url == before and "You play" not in demo.story(), "an unread request is authorized"

    def is_read(_):
        # The cue goes with the frame that shows the end; until then it can still be found, but not pressed.
        if cue.is_displayed():
            with contextlib.suppress(ElementNotInteractableException, ElementClickInterceptedException):
                cue.click()
        return gesture.get_attribute("aria-disabled") == "false"
    demo.wait(is_read, "the list was read")
    gesture.click()
    demo.expect_verdict("Verified")
    demo.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def gone(demo):
    """A run that is shown needs no server any more: it can be played, with all of its pictures."""
    demo.open_stage("scenario=headline&seed=7")
    demo.process.send_signal(signal.SIGSTOP)
    try:
        for _ in range(7):
            demo.key(Keys.ARROW_RIGHT)
        demo.expect_verdict("Case passed")
        broken = demo.driver.execute_script("""
            return [...document.images].filter((one) => one.checkVisibility() && !one.naturalWidth)
              .map((one) => one.src);""")
        assert not broken, broken
    finally:
        demo.process.send_signal(signal.SIGCONT)


def weight(demo):
    """The files of the page, and with the data of the run."""
    demo.open_stage("scenario=headline&seed=7")
    files, data = (demo.driver.execute_script("""
        return performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
          .filter(({ name }) => new URL(name).pathname.startsWith("/api/") === arguments[0])
          .reduce((sum, one) => sum + one.decodedBodySize, 0);""", is_data) for is_data in (False, True))
    assert 0 < files <= 260_000 and 0 < data and files + data <= 350_000, (files, data)


def accessible(demo):
    """axe-core finds no violation in any state of the stage, light and dark."""
    import axe_playwright_python

    script = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()

    def check(state):
        demo.driver.execute_script(script)
        found = demo.driver.execute_async_script("""
            const done = arguments[0];
            axe.run(document).then(({ violations }) => done(violations.map(
              ({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((one) => one.html).join(" ")}`)));""")
        assert not found, (state, found)

    for scheme in ["light", "dark"]:
        demo.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme},
                                                        {"name": "prefers-reduced-motion", "value": "reduce"}]})
        for query in ["scenario=headline", "scenario=headline&step=2", "scenario=headline&step=4",
                      "scenario=headline&step=7", "scenario=headline&fault=wallet.value-changed&step=99",
                      "scenario=cross-device/qr-code-on-a-laptop&step=2", "scenario=session/two-devices&step=3",
                      "scenario=provider/first-registration-asks&step=1", "scenario=in-app/accepted&step=2",
                      "scenario=consent/declined-in-local-driving-authority&step=3", "world=spaceport",
                      "world=any-site", f"{FRAMED}&step=1", f"{FRAMED}&step=2", f"{FRAMED}&step=8",
                      f"{FRAMED_ON_A_LAPTOP}&step=2"]:
            demo.open_stage(query)
            check(query)
        for query in ["scenario=headline&with-fault=wallet.value-changed", "scenario=headline&with-seed=8",
                      "scenario=cross-device/qr-code-on-a-laptop&with-scenario=headline&step=3"]:
            demo.driver.get(f"{demo.url}beside?{query}")
            demo.wait(lambda _: demo.run_shown(), "both runs")
            check(f"beside {query}")
        demo.driver.get(f"{demo.url}beside?scenario=headline&with-fault=network.response-altered")
        demo.wait(lambda _: demo.all(".difference.first .message-line"), "the first difference")[0].click()
        demo.wait(lambda _: len(demo.all("#message .field-line.marked")) == 2, "both messages")
        check("beside message")
        demo.api("/api/worlds/any-site/pages", {"faults": ["issuer.expired"]}, origin="http://localhost:3000")
        demo.open_stage("world=any-site")
        demo.wait(lambda _: "localhost:3000" in demo.text_of("external-pages"), "a page joined")
        check("an external page")
        demo.shoot(f"-external-page-{scheme}")
        demo.open_stage("scenario=headline&step=7")
        demo.all(".row-button")[-1].click()
        demo.wait(lambda _: demo.all("#message .field-line"), "the message's structure")
        check("message")
        demo.key(Keys.ESCAPE)
        next(one for one in demo.all(".row-button") if "DigitalCredential" in one.get_attribute("textContent")).click()
        demo.wait(lambda _: demo.all("#message .seen-party"), "the views of the answer")[-1].click()
        demo.wait(lambda _: demo.all("#message .disclosure"), "the opened answer")
        check("opened answer")
        demo.key(Keys.ESCAPE)
        demo.one("#break summary").click()
        check("faults")
        demo.one("#break summary").click()
        demo.one("#share summary").click()
        check("share")
        demo.one("#share summary").click()
        demo.one("#view summary").click()
        check("view")
        demo.one("#view summary").click()
        demo.one(".lane-heads .explained").click()
        demo.wait(lambda _: demo.one(".help").is_displayed(), "the explanation is shown")
        check("explanation")
        demo.key(Keys.ESCAPE)
        for step in [0, 2, 7]:
            demo.open_stage(f"scenario=headline&step={step}&present")
            demo.wait(lambda _: demo.all(".presenter-tools"), "the presentation")
            demo.key("n")
            check(f"presenting {step}")
        for page in ["notes?stage=x", "reference"]:
            demo.driver.get(f"{demo.url}{page}")
            check(page)
        demo.open_stage("scenario=headline&step=7")
        demo.one("#open-menu").click()
        demo.wait(lambda _: demo.all("#menu .menu-group"), "the menu")
        check("menu")


def beside(demo):
    """An honest and a broken run side by side: from the stage to the first difference, on to its bytes, and back."""
    demo.open_stage("scenario=headline&seed=7&fault=network.response-altered")
    demo.one("#compare-honest").click()
    demo.wait(lambda _: demo.run_shown() and "/beside" in demo.driver.current_url, "both runs are shown")
    # The page opens at the moment of the first difference, which is in view and in words.
    first = demo.one(".difference.first")
    box, place = demo.one("#list").rect, first.rect
    assert box["y"] <= place["y"] and place["y"] < box["y"] + box["height"] - 40, (box, place)
    assert "cipherText" in first.text and "cipherText" in demo.text_of("bar"), first.text
    assert demo.driver.current_url.endswith(f"step={demo.count()[0]}"), demo.driver.current_url
    assert demo.count()[0] not in (0, demo.count()[1]), demo.count()
    address = demo.driver.current_url

    def verdicts():
        return [one.text for one in demo.all(".side .verdict")]

    demo.key(Keys.END)
    demo.wait(lambda _: "Case passed" in verdicts()[0] and "Case failed" in verdicts()[1], "both verdicts")
    assert "Verified: it is Kelly" in verdicts()[0], verdicts()
    pages = [one.text for one in demo.all(".side .page-view")]
    assert "Welcome aboard" in pages[0] and "Welcome aboard" not in pages[1], pages
    # One key moves both runs; the fault is a step of the right one only.
    demo.key(Keys.HOME, Keys.ARROW_RIGHT)
    demo.wait(lambda _: demo.count() == (1, 8), "the fault")
    assert "no step of its own" in demo.text_of("now"), demo.text_of("now")
    demo.key(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    demo.wait(lambda _: len(demo.all(".side .selector")) == 2, "both selectors")
    # The keys of the differences.
    demo.key("N")
    before = demo.driver.switch_to.active_element.get_attribute("data-row")
    assert before is not None, "no difference has the focus"
    demo.key("n")
    demo.wait(lambda driver: driver.switch_to.active_element.get_attribute("data-row") not in (None, before),
              "the next difference has the focus")
    demo.one(".difference.first .message-line").click()
    demo.wait(lambda _: len(demo.all("#message .field-line.marked")) == 2, "both messages, each with its marked field")
    chosen = [one.text for one in demo.all("#message .field-line.on")]
    assert len(chosen) == 2 and all("cipherText" in one for one in chosen), chosen
    demo.shoot("-message")
    demo.key(Keys.ESCAPE)
    demo.wait(lambda _: not demo.one("#message").is_displayed(), "the messages are closed")
    assert demo.driver.switch_to.active_element.get_attribute("data-message"), "the focus returns to the message"
    # What is the same is folded.
    fold = next(one for one in demo.all(".both-same") if one.is_displayed())
    demo.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", fold)
    fold.find_element(By.TAG_NAME, "summary").click()
    demo.wait(lambda _: fold.find_elements(By.CLASS_NAME, "line"), "the lines that are the same")
    # The link shows the same moment.
    demo.driver.get("about:blank")
    demo.driver.get(address)
    demo.wait(lambda _: demo.run_shown(), "both runs again")
    assert demo.driver.current_url == address, (demo.driver.current_url, address)
    # Each side has a choice of its own.
    demo.one("#right .side-more summary").click()
    with demo.another_run():
        Select(demo.one("#right select")).select_by_value("")
    assert "No difference" in demo.text_of("bar"), demo.text_of("bar")
    with demo.another_run():
        demo.one("#right input").send_keys("8", Keys.ENTER)
    demo.wait(lambda _: "No difference" in demo.text_of("bar") and "random values" in demo.text_of("note"), "two seeds")
    with demo.another_run():
        demo.driver.back()
    demo.open_stage("scenario=headline&seed=7&step=2")
    demo.one("#share summary").click()
    assert "with-seed=8" in demo.one("#compare-seed").get_attribute("href")
    demo.key("/")
    # Until the whole menu is there, another field waits in its place.
    demo.wait(lambda _: any(group.is_displayed() for group in demo.all("#menu .menu-group")), "the menu")
    demo.one("#menu input").send_keys("one failure")
    demo.wait(lambda _: next(
        (one for one in demo.all(".menu-compare") if one.is_displayed()), None), "two cases").click()
    demo.wait(lambda _: "/beside" in demo.driver.current_url and demo.run_shown(), "two browsers")
    assert "NotAllowedError" in demo.text_of("bar") and "AbortError" in demo.text_of("bar"), demo.text_of("bar")
    for width, height in SIZES:
        demo.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        demo.driver.get(address)
        demo.wait(lambda _: demo.run_shown(), "both runs")
        demo.shoot(f"-{width}")
        wrong = demo.driver.execute_script("""
            const inside = (id) => {
              const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
              return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
            };
            return ["bar", "go-play"].filter((id) => !inside(id))
              .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : []);""")
        assert not wrong, (width, height, wrong)
    demo.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def resized(demo, width, height):
    demo.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def reach(demo, selector):
    """Moves the focus forward to an element."""
    for _ in range(120):
        demo.key(Keys.TAB)
        if demo.driver.switch_to.active_element in demo.all(selector):
            return
    raise AssertionError(f"the focus does not reach {selector}")


# The size on the screen of text that a room has to read, and the height of the phone.
PRESENTED = """
    const sizeOf = (one) => parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom;
    const text = [".phrase", ".offer-text", ".now-words"].flatMap((selector) =>
      [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).map(sizeOf));
    return { text: Math.min(...text), phone: document.querySelector("#scene .phone").getBoundingClientRect().height,
      wide: document.documentElement.scrollWidth - innerWidth };"""


def presenting(demo):
    """A presenter's walk with the keyboard only: choose, present, step by clicker, black screen, notes, leave."""
    resized(demo, 1280, 720)
    demo.open_stage("scenario=attacks/cloned-document")
    with demo.another_run():
        demo.key("/", *"rent a spaceship with an id in wallet", Keys.ARROW_DOWN, Keys.ENTER)
    demo.key("f")
    demo.wait(lambda _: not demo.one("#break").is_displayed(), "the menus are hidden")
    assert demo.driver.current_url.endswith("&present"), demo.driver.current_url
    demo.key(Keys.PAGE_DOWN, Keys.PAGE_DOWN)
    demo.wait(lambda _: demo.count()[0] == 2 and demo.all("#scene .offer"), "the selector is open")
    for size in [(1280, 720), (1920, 1080), (2560, 1440)]:
        resized(demo, *size)
        demo.wait(lambda _: demo.driver.execute_script(PRESENTED)["text"] >= size[1] / 45, f"the text fits {size}")
        places = demo.driver.execute_script(PRESENTED)
        assert places["phone"] > size[1] * .9 and places["wide"] <= 0, (size, places)
        demo.shoot(f"-{size[0]}")
    resized(demo, 1280, 720)
    demo.key("n")
    demo.wait(lambda _: "Other Wallet is hidden" in demo.text_of("notes"), "the notes")
    demo.key(".")
    demo.wait(lambda _: demo.one(".blank").is_displayed(), "the screen is black")
    demo.key(Keys.PAGE_DOWN)
    demo.wait(lambda _: not demo.one(".blank").is_displayed(), "the screen is not black")
    assert demo.count()[0] == 2, "the key that ends the blackness also moves"

    stage = demo.driver.current_window_handle
    reach(demo, ".presenter-tools [aria-label='Notes in a window']")
    demo.key(Keys.ENTER)
    demo.wait(lambda driver: len(driver.window_handles) == 2, "the window of notes is open")
    notes = next(one for one in demo.driver.window_handles if one != stage)

    def shown(text):
        demo.driver.switch_to.window(notes)
        demo.wait(lambda _: demo.text_of("notes-count") == text, f"the notes are at {text}")

    shown("2 of 7")
    assert "The selector offers" in demo.one(".notes-next").text and demo.one("#notes-time").text.startswith("0:")
    demo.key(Keys.PAGE_DOWN)
    shown("3 of 7")
    demo.key("b")
    demo.wait(lambda _: demo.one("#notes-black").is_displayed(), "the notes say that the screen is black")
    demo.shoot("-notes")
    demo.key("b")
    demo.wait(lambda _: not demo.one("#notes-black").is_displayed(), "the screen is not black")
    demo.driver.switch_to.window(stage)
    demo.wait(lambda _: demo.count()[0] == 3, "the stage follows the notes")
    demo.driver.execute_script("document.activeElement.blur()")
    demo.key(Keys.END)
    demo.wait(lambda _: "Verified: it is Kelly" in demo.one("#bar .notes").text, "the notes have the conclusion")
    demo.key("n")
    demo.expect_verdict("Verified: it is Kelly", "Case passed")
    shown("7 of 7")
    assert "Conclusion" in demo.text_of("notes") and "Case passed" in demo.text_of("notes")
    demo.driver.switch_to.window(stage)
    demo.key(Keys.ESCAPE)
    demo.wait(lambda _: demo.one("#break").is_displayed(), "the menus are back")
    assert "present" not in urllib.parse.urlparse(demo.driver.current_url).query, demo.driver.current_url
    demo.driver.get(f"{demo.url}?scenario=headline&step=4&present")
    demo.wait(lambda _: demo.run_shown() and not demo.one("#break").is_displayed(), "the link presents")


def themes(demo):
    """The choice of colors comes before the system's, on every page and after a reload."""
    def ground():
        return demo.driver.execute_script("""
            const probe = document.createElement("i");
            probe.style.color = "var(--ground)";
            document.body.append(probe);
            const color = getComputedStyle(probe).color;
            probe.remove();
            return color;""")

    def colors_of(page):
        demo.driver.get(f"{demo.url}{page}")
        return ground()

    pages = ["?scenario=headline", "notes?stage=x", "reference", "phone?world=default"]
    demo.api("/api/worlds/default", {})
    demo.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "light"}]})
    light = colors_of(pages[0])
    for choice in ["dark", "light", "system"]:
        for scheme in ["light", "dark"]:
            demo.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            demo.open_stage("scenario=headline")
            demo.one("#view summary").click()
            demo.one(f"[name=theme][value={choice}]").click()
            expected = scheme if choice == "system" else choice
            for page in pages:
                assert (colors_of(page) == light) == (expected == "light"), (choice, scheme, page)
            demo.shoot(f"-{choice}-{scheme}")


def printing(demo):
    """Paper has the moment, the devices and the messages so far, and nothing to press."""
    demo.open_stage("scenario=headline&seed=7&step=7")
    messages = len([one for one in demo.all("#wire .row.message") if one.is_displayed()])
    demo.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    demo.driver.execute_script("dispatchEvent(new Event('beforeprint'))")
    paper = demo.one("body").text
    for text in ["Rent a spaceship", "Step 7 of 7", "Verified: it is Kelly", "Case passed", "Welcome aboard",
                 "navigator.credentials.get", "Sealed for Server of Spaceship Rentals"]:
        assert text in paper, (text, paper)
    rows = demo.driver.execute_script(
        "return document.querySelectorAll('.printed tbody tr:not(.decided):has(td)').length")
    assert rows == messages > 20, (rows, messages)
    shown = [one for one in ["#bar", ".top", "#wire", "#break"] if demo.one(one).is_displayed()]
    assert not shown, shown
    demo.shoot("-paper")
    demo.driver.execute_script("dispatchEvent(new Event('afterprint'))")
    demo.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    file = base64.b64decode(demo.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", file))
    assert file.startswith(b"%PDF") and pages >= 2, pages
    assert not demo.all(".printed") and demo.one("#bar").is_displayed()


def explaining(demo):
    """Parties, checks and faults explain themselves, and the reference has more."""
    demo.open_stage("scenario=headline&fault=wallet.value-changed&step=99")
    position = demo.count()

    def press(button):
        button.click()
        demo.wait(lambda _: demo.one(".help").is_displayed(), "the explanation is shown")
        text = demo.one(".help").text
        demo.key(Keys.ESCAPE)
        demo.wait(lambda _: not demo.one(".help").is_displayed(), "the explanation is closed")
        assert demo.count() == position, "a key of the explanation moves the run"
        return text

    heads = demo.all(".lane-heads .explained")
    assert len(heads) >= 6, len(heads)
    for head in heads:
        text = press(head)
        assert "Can read" in text and "Holds" in text, (head.text, text)
    assert "digest" in press(demo.one(".verdict-title .explained"))
    assert "Noticed by" in press(demo.one("#broken .explained"))
    codes = {entry["code"] for query in ["headline", "attacks/phishing-site", "browser/no-user-gesture"]
             for entry in demo.api(f"/api/play?scenario={query}")["entries"] if "code" in entry}
    assert len(codes) > 30, codes
    for code in codes:
        assert demo.api(f"/api/reference?name={urllib.parse.quote(code)}")["text"], code
    demo.one(".verdict-title .explained").click()
    address = demo.wait(lambda _: demo.one(".help a").get_attribute("href"), "a link")
    demo.driver.get(address)
    demo.wait(lambda _: "element.digest" in demo.one(":target").text, "the entry of the reference")


def code(demo):
    """A browser on a laptop asks the phone with a QR code, which is read from the screenshot."""
    def shown(driver):
        return next((one for one in driver.find_elements(By.CLASS_NAME, "code-image") if one.is_displayed()), None)

    def read():
        demo.wait(shown, "the browser shows a QR code")
        demo.shoot("-shown")
        picture = str(demo.screenshots / f"{demo.name}-shown.png")
        done = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True)
        return done.stdout.strip()

    demo.open_stage("scenario=cross-device/qr-code-on-a-laptop&step=1")
    demo.tap("Verify Identity")
    first = read()
    inspected = subprocess.run([demo.presentment, "inspect", first], capture_output=True, text=True)
    assert 'hint: "dcp"' in inspected.stdout, (first, inspected.stdout, inspected.stderr)
    demo.tap("Cancel")
    demo.expect_site("NetworkError")
    demo.wait(lambda driver: not shown(driver), "the QR code is gone")
    demo.tap("Verify Identity")
    second = read()
    assert second.startswith("FIDO:/") and second != first, (first, second)
    demo.tap("Scan the QR code")
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified")
    demo.expect_site("Kelly")
    assert not shown(demo.driver), "the QR code is still shown"


def message(demo):
    """A message of the wire has its structure beside its bytes, each linked to the other."""
    demo.open_stage("scenario=headline&seed=7&step=2")

    def first(selector, words):
        found = demo.driver.find_elements(By.CSS_SELECTOR, selector)
        return next((one for one in found if words in one.get_attribute("textContent")), None)

    demo.wait(lambda _: first(".row-button", "announce presentment"), "the announcement is on the wire").click()
    demo.wait(lambda _: first("#message .field-line", "origin: "), "the message has an origin").click()
    shown = "".join(one.text for one in demo.driver.find_elements(By.CSS_SELECTOR, "#message .character.on"))
    assert shown.startswith('"origin":"'), shown
    demo.wait(lambda _: first("#message .field-line", "protocol: "), "the message has a protocol").click()
    first("#message .byte.on", "").click()
    assert first("#message .field-line.on", "protocol: "), "the byte does not select its field"
    assert "Bytes" in demo.driver.find_element(By.CSS_SELECTOR, "#message .bytes-status").text
    places = [demo.driver.find_element(By.CSS_SELECTOR, one).rect for one in ["#message", "#message .bytes-foot"]]
    panel, foot = (place["y"] + place["height"] for place in places)
    # The places of elements are rounded.
    assert foot <= panel + 1, places


def seen(demo):
    """The answer can be seen as it is carried and as the server opened it, and a request as the app has it at first."""
    demo.open_stage("scenario=headline&seed=7&step=7")

    def open_message(operation):
        row = next(one for one in demo.all(".row-button") if operation in one.get_attribute("textContent"))
        demo.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", row)
        row.click()
        demo.wait(lambda _: demo.all("#message .seen-party"), f"{operation} has views")

    def choose(words):
        party = next(one for one in demo.all("#message .seen-party") if words in one.text)
        party.click()
        return demo.one("#message .seen-content")

    def fields():
        return "\n".join(one.get_attribute("textContent") for one in demo.all("#message .field-line"))

    open_message("DigitalCredential")
    demo.wait(lambda _: "cipherText" in fields(), "the sealed answer")
    assert not demo.all("#message .disclosure"), "a sealed answer is disclosed"
    choose("opened")
    lists = demo.wait(lambda _: demo.one("#message .disclosure"), "the disclosed elements").text
    assert "5 of" in lists and "Kelly" in lists and "Withheld" in lists and "digest" in lists, lists
    assert len(demo.all("#message .disclosed > div")) == 5, lists
    assert "Birth" not in demo.one("#message .disclosed").text, lists
    assert "Date of Birth" in demo.one("#message .withheld").text, lists
    demo.wait(lambda _: "status: 0" in fields() and "cipherText" not in fields(), "the opened answer")
    demo.shoot("-opened")
    # The radio buttons of the choice have the keys of radio buttons.
    demo.key(Keys.ARROW_LEFT)
    demo.wait(lambda _: "cipherText" in fields(), "the arrow key chooses the other party")
    demo.key(Keys.ESCAPE)
    open_message("navigator.credentials.get")
    partial = choose("before the agreement")
    demo.wait(lambda _: "partialRequest" in fields() and "deviceRequest" not in fields(), "the partial request")
    assert "Before the person agrees" in partial.text, partial.text
    partial.find_elements(By.CSS_SELECTOR, ".seen-note .text-button")[-1].click()
    demo.wait(lambda _: "The full request" in demo.text_of("message"), "the message that releases the request")

    # The checks that passed are folded by family.
    demo.key(Keys.ESCAPE)
    chip = next(one for one in demo.all("#wire details.chip") if "checks passed" in one.text)
    demo.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", chip)
    chip.find_element(By.TAG_NAME, "summary").click()
    family = demo.wait(lambda _: chip.find_elements(By.CSS_SELECTOR, ".family > summary"), "families")[0]
    assert not chip.find_elements(By.CSS_SELECTOR, ".family[open]"), chip.text
    family.click()
    assert chip.find_elements(By.CSS_SELECTOR, ".family[open] li"), chip.text


HEADS = """
    return [...document.querySelectorAll(".lane-heads li")].filter((head) => {
      const name = head.querySelector(".lane-name");
      const { width, height } = name.getBoundingClientRect();
      const isCut = name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1;
      return isCut || width > head.clientWidth + 1 || height > 160;
    }).map((head) => head.textContent);"""


def heads(demo):
    """The names above the columns fit in them, whole."""
    for width, height in [(1024, 768), (1280, 720), (1440, 900), (390, 844)]:
        demo.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        for scenario in ["headline", "in-app/accepted", "cross-device/nearby-iphone"]:
            demo.open_stage(f"scenario={scenario}&step=99")
            assert not demo.driver.execute_script(HEADS), (width, scenario, demo.driver.execute_script(HEADS))
            before = len(demo.all(".lane-heads li"))
            demo.driver.execute_script("document.querySelector('.setup').open = true")
            demo.wait(lambda _: len(demo.all(".lane-heads li")) > before, "the columns of the set-up")
            assert not demo.driver.execute_script(HEADS), (width, scenario, demo.driver.execute_script(HEADS))
            demo.shoot(f"-{width}-{scenario.replace('/', '-')}")
    demo.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def unfolded(demo):
    """Unfolded parts of the phone stay unfolded while the world's time passes."""
    demo.take_over()
    hidden = demo.wait(lambda _: demo.one("#scene .hidden-apps"), "the hidden apps")
    hidden.find_element(By.TAG_NAME, "summary").click()
    clock = demo.one("#scene .phone-time")
    before = clock.text
    demo.api(f"/api/worlds/{demo.world()}/steps", {"person": {"waits": "1 min"}})
    demo.wait(lambda _: clock.text != before, "the phone's time passes")
    assert hidden.get_attribute("open"), "the hidden apps are folded again"
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified")


def recording(demo):
    """The runner repeats a recording of the stage; the page and the file of a run can be downloaded."""
    accept(demo)
    demo.take_over()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified")
    with urllib.request.urlopen(f"http://127.0.0.1:{demo.port}/api/worlds/{demo.world()}/recording") as response:
        file = demo.screenshots / "recorded.yaml"
        file.write_bytes(response.read())
    done = subprocess.run([demo.presentment, "run", str(file)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    for link, beginning in [("share-page", b"<!doctype html>"), ("share-file", b"")]:
        address = urllib.parse.urlsplit(demo.one(f"#{link}").get_attribute("href"))
        # Names below localhost are known to browsers, not to every resolver.
        request = urllib.request.Request(
            address._replace(netloc=f"127.0.0.1:{demo.port}").geturl(), headers={"Host": address.netloc})
        with urllib.request.urlopen(request) as response:
            content = response.read()
        assert content.startswith(beginning) and len(content) > 200, (link, content[:100])


def your_site(demo):
    """An external site, with a server of its own."""
    import server

    roots = demo.screenshots / "issuer-roots.pem"
    roots.parent.mkdir(parents=True, exist_ok=True)
    with urllib.request.urlopen(f"http://127.0.0.1:{demo.port}/api/issuer-roots?world=any-site") as response:
        roots.write_bytes(response.read())
    site = server.start(demo.presentment, str(roots))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    return site


def native(demo):
    """The external site with the browser's own API and its virtual wallet."""
    import selenium_test

    site = your_site(demo)
    shown = selenium_test.verify(
        f"http://127.0.0.1:{demo.port}", site.origin, str(demo.screenshots / "native-your-site.png"))
    site.shutdown()
    assert shown == "Hello, Kelly", shown
    demo.driver.get(demo.url)


def page_with_script(demo):
    """Includes the script of this server in the external site's page."""
    import server

    text = server.PAGES["/with-presentment-js.html"].read_text()
    page = demo.screenshots / "with-presentment-js.html"
    script = f"demo.localhost:{demo.port}/presentment.js\" data-world=\"any-site"
    page.write_text(text.replace("demo.localhost:8080/presentment.js", script))
    server.PAGES["/with-presentment-js.html"] = page


def included(demo):
    """The external site's page with presentment.js: the phone appears over the page, and the site's server verifies."""
    site = your_site(demo)
    page_with_script(demo)

    def phone(driver):
        targets = driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
        return next((target["url"] for target in targets if "/phone?world=" in target["url"]), None)

    for choice, said in [("Cancel", "Your browser did not hand over an ID."), ("Wallet", "Hello, Kelly")]:
        demo.driver.get(f"{site.origin}/with-presentment-js.html")
        demo.wait(lambda driver: driver.find_element(By.ID, "verify").is_enabled(), "the page may ask")
        demo.driver.find_element(By.ID, "verify").click()
        address = demo.wait(phone, "the phone is over the page")
        tab = demo.driver.current_window_handle
        demo.driver.switch_to.new_window("tab")
        demo.driver.get(address)
        demo.tap(choice)
        if choice != "Cancel":
            demo.tap("Authorize")
            demo.wait(lambda driver: "Sent" in driver.find_element(By.ID, "phone").text, "the phone has sent it")
        demo.driver.close()
        demo.driver.switch_to.window(tab)
        demo.wait(lambda driver: driver.find_element(By.ID, "result").text == said, said)
    site.shutdown()


def external_page(demo):
    """The stage shows the calls of a page of another origin. A fault that is chosen there makes the next call fail."""
    site = your_site(demo)
    page_with_script(demo)
    driver = demo.driver
    stage = driver.current_window_handle
    demo.open_stage("world=any-site")
    demo.wait(lambda _: "No page has joined yet" in demo.one(".own-site").text, "the stage says how to join")
    demo.shoot("-none")
    driver.switch_to.new_window("tab")
    page = driver.current_window_handle

    def result(text=None):
        def is_there(_):
            shown = demo.one("#result").text
            return shown if shown and text in (None, shown) else None
        return demo.wait(is_there, f"the page says {text}")

    def ask(number):
        """The page asks; the person answers on the stage, which shows the call."""
        driver.switch_to.window(page)
        demo.wait(lambda _: demo.one("#verify").is_enabled() and not driver.execute_script(COVERED), "the page may ask")
        demo.one("#verify").click()
        driver.switch_to.window(stage)
        calls = f"{number} call" + ("" if number == 1 else "s")
        demo.wait(lambda _: all(text in demo.text_of("external-pages") for text in (site.origin, calls)), calls)
        demo.tap("Wallet")
        demo.tap("Authorize")

    driver.get(f"{site.origin}/with-presentment-js.html")
    ask(1)
    demo.expect_verdict("Your page got an answer.", "your server, which verifies it now")
    wire = demo.one("#wire").text
    assert "announce presentment" in wire and "Server of localhost" in wire, wire
    demo.shoot("-answered")
    driver.switch_to.window(page)
    result("Hello, Kelly")

    driver.switch_to.window(stage)
    demo.one("#break summary").click()
    assert not demo.one("[data-fault='unsigned']").is_displayed(), "a fault of simulated websites is offered"
    demo.one("[data-fault='wallet.value-changed']").click()
    demo.wait(lambda _: "A value is changed" in demo.text_of("broken"), "the fault acts")
    ask(2)
    demo.expect_verdict("your server should refuse", "A value is changed")
    driver.switch_to.window(page)
    result("Refused: element.digest")

    # Each reload keeps the world and the fault, until it is repaired.
    driver.refresh()
    ask(3)
    driver.switch_to.window(page)
    result("Refused: element.digest")
    driver.switch_to.window(stage)
    # The list of pages draws the button again.
    demo.wait(lambda _: demo.one("#repair-all").click() is None, "the button that repairs")
    demo.wait(lambda _: not demo.one("#broken").is_displayed(), "everything is repaired")
    ask(4)
    driver.switch_to.window(page)
    result("Hello, Kelly")

    # A backend without a browser gets the same.
    begun = site.begin()
    question = {"origin": site.origin, "request": begun["options"], "world": "any-site"}
    answer = demo.api("/api/answer", {**question, "faults": ["issuer.expired"]})
    report = site.verify({"session": begun["session"], **answer})
    assert report["failure"]["check"] == "mso.validity", report
    driver.close()
    driver.switch_to.window(stage)
    site.shutdown()


def back(demo):
    """Each choice is an entry of the browser's history, and works after going back; a step is none."""
    demo.open_stage("scenario=headline&seed=7")
    demo.key(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    with demo.another_run():
        demo.key("/", *"cloned-document", Keys.ENTER)
    assert "cloned-document" in demo.driver.current_url, demo.driver.current_url
    with demo.another_run():
        demo.driver.back()
    demo.wait(lambda _: demo.count()[0] == 2, "the step is that of the address")
    demo.key(Keys.END)
    demo.expect_verdict("Verified: it is Kelly")
    with demo.another_run():
        demo.driver.forward()
    demo.key(Keys.END)
    demo.expect_verdict("device.")


def tabs(demo):
    """More live worlds at once than a browser has connections to one server: the first continues where it was."""
    demo.take_over()
    first = demo.driver.current_window_handle
    for _ in range(8):
        demo.driver.switch_to.new_window("tab")
        demo.take_over()
        demo.wait(lambda _: demo.all("#scene .offer"), "the selector")
    demo.driver.switch_to.window(first)
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified: it is Kelly")


def endings(demo):
    """The ends of runs besides a verified response, and worlds without a scenario."""
    for query, texts in [("scenario=faults/issuer/deviations", ["noticed, and accepted it", "issuer.form/"]),
                         ("scenario=browser/unknown-protocol", ["browser."]),
                         ("scenario=consent/declined-in-wallet", ["said no"])]:
        demo.open_stage(f"{query}&step=99")
        demo.expect_verdict(*texts)
    demo.open_stage("world=spaceport")
    demo.tap("Spaceship Rentals")
    demo.tap("Verify Identity")
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified: it is Kelly")
    # A seed that a script cannot represent is rejected.
    demo.open_stage("world=any-site&seed=18446744073709551615")
    demo.wait(lambda _: "presentment.js" in demo.one(".own-site").text, "the line to include")
    demo.wait(lambda _: "18446744073709551615" in demo.one("#problem").text, "the seed")


WALLET = "DigitalCredentials.setVirtualWalletBehavior"


def native_decline(demo):
    """The person declines: the site reports that, and does not report a failure."""
    import selenium_test

    site = your_site(demo)
    selenium_test.tap(demo.driver, site.origin)
    selenium_test.let_go(demo.driver, {"method": WALLET, "params": {"action": "decline"}})
    shown = selenium_test.shown(demo.driver)
    assert shown == "Your browser did not hand over an ID.", shown
    site.shutdown()


def native_wait(demo):
    """No app responds: the page waits until the person cancels, and can ask again."""
    import selenium_test

    site = your_site(demo)
    held = selenium_test.tap(demo.driver, site.origin)
    selenium_test.let_go(demo.driver, {"method": WALLET, "params": {"action": "wait"}})
    demo.shoot("-waiting")
    result = demo.driver.find_element(By.ID, "result")
    assert result.text == "" and not demo.driver.find_element(By.ID, "verify").is_enabled(), result.text
    # The page then reports that the person stopped it.
    demo.driver.find_element(By.ID, "cancel").click()
    shown = selenium_test.shown(demo.driver)
    assert shown == "You stopped waiting.", shown
    # The same page can ask again.
    demo.wait(lambda driver: driver.find_element(By.ID, "verify").is_enabled(), "the page may ask again")
    demo.driver.find_element(By.ID, "verify").click()
    request = "return window.heldRequest"
    demo.wait(lambda driver: driver.execute_script(request) != held, "the page asks for something else")
    command = selenium_test.answer(f"http://127.0.0.1:{demo.port}", demo.driver.execute_script(request))
    selenium_test.let_go(demo.driver, command)
    shown = selenium_test.shown(demo.driver)
    assert shown == "Hello, Kelly", shown
    site.shutdown()


def native_failure(demo):
    """A malformed response: the site's server reports why, differently from a person who declines."""
    import selenium_test

    site = your_site(demo)
    selenium_test.tap(demo.driver, site.origin)
    selenium_test.let_go(demo.driver, {"method": WALLET, "params": {
        "action": "respond", "protocol": "org-iso-mdoc", "response": {"response": "AAAA"}}})
    shown = selenium_test.shown(demo.driver)
    assert shown.startswith("Refused: response."), shown
    site.shutdown()


def playwright(demo):
    """The sample for Playwright, run by its own command."""
    site = your_site(demo)
    sample = ROOT / "docs" / "your-site" / "playwright_test.py"
    environment = {"CHROMIUM": "/usr/bin/chromium", **os.environ}
    done = subprocess.run(
        [sys.executable, "-B", str(sample), f"http://127.0.0.1:{demo.port}", site.origin,
         str(demo.screenshots / "playwright-your-site.png")],
        env=environment, capture_output=True, text=True, timeout=120)
    site.shutdown()
    assert done.returncode == 0 and done.stdout.strip() == "Hello, Kelly", done.stdout + done.stderr
    demo.driver.get(demo.url)


def api(demo):
    """presentment.js in pages and frames, with the virtual wallet."""
    page_api.check(demo)
    # The browser reports the refusal that the page expects.
    errors = [one["message"] for one in demo.driver.get_log("browser") if one["level"] == "SEVERE"]
    assert all("/virtual-wallet" in one for one in errors), errors
    demo.driver.get(demo.url)


def bidi(demo):
    """The sample that accepts, declines and cancels through WebDriver BiDi, run by its own command."""
    import server

    site = your_site(demo)
    page = demo.screenshots / "bidi-with-presentment-js.html"
    text = server.PAGES["/with-presentment-js.html"].read_text()
    world = demo.api("/api/worlds", {"world": "any-site"})["id"]
    script = f'demo.localhost:{demo.port}/presentment.js" data-overlay="none" data-world="{world}'
    page.write_text(text.replace("demo.localhost:8080/presentment.js", script))
    server.PAGES["/with-presentment-js.html"] = page
    sample = ROOT / "docs" / "your-site" / "bidi_test.py"
    done = subprocess.run(
        [sys.executable, "-B", str(sample), demo.bidi, f"{site.origin}/with-presentment-js.html"],
        capture_output=True, text=True, timeout=240)
    site.shutdown()
    expected = ["Hello, Kelly", "Your browser did not hand over an ID.", "You stopped waiting."]
    assert done.returncode == 0 and done.stdout.splitlines() == expected, done.stdout + done.stderr


STORIES = {story.__name__: story for story in
           (accept, decline, cancel, nobody, faults, alone, leaving, plays, framed, playing, keys, scenarios,
            keyboard, sizes, reading, gone, weight, accessible, presenting, themes, printing, explaining, message,
            seen, heads, beside, unfolded, recording, back, tabs, endings, included, external_page, native,
            native_decline, native_wait, native_failure, api, bidi, playwright, code)}

if __name__ == "__main__":
    program, name, folder = sys.argv[1:4]
    with Demo(program, folder, name) as stage:
        STORIES[name](stage)
