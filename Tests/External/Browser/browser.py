"""Tests `presentment serve` in a headless Chromium. usage: browser.py PRESENTMENT STORY SCREENSHOTS

Each story writes a screenshot, and fails on an unexpected error in the page's console."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import threading
import urllib.request

from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

import chromium

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "docs" / "your-site"))


class Demo:
    """The server, a browser and a person's actions in it."""

    def __init__(self, presentment, screenshots, name, size=(1400, 1000)):
        self.presentment = presentment
        self.screenshots, self.name = pathlib.Path(screenshots), name
        self.process = subprocess.Popen(
            [presentment, "serve", "--port", "0"], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise SystemExit("the server does not start")
        self.port = self.url.rstrip("/").rsplit(":", 1)[1]
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
            waiting = WebDriverWait(self.driver, 20, ignored_exceptions=[StaleElementReferenceException])
            return waiting.until(lambda driver: condition(driver))
        except Exception as error:
            raise AssertionError(f"never: {what}; the stage says {self.story()!r}") from error

    def open_stage(self, query):
        self.driver.get(f"{self.url}?world=spaceport&seed=7{query}")
        self.wait(lambda driver: driver.find_element(By.ID, "site-frame").get_attribute("src"), "the site is framed")

    @contextlib.contextmanager
    def another_world(self):
        """A step in the new world: the site of the former world must not be used any more."""
        def framed():
            return self.driver.find_element(By.ID, "site-frame").get_attribute("src")
        before = framed()
        yield
        self.wait(lambda _: framed() != before, "another world begins")

    def in_site(self, action):
        """Acts in the site's frame."""
        try:
            self.driver.switch_to.frame("site-frame")
            return action()
        finally:
            self.driver.switch_to.default_content()

    def tap_verify(self):
        def tap():
            button = next((b for b in self.driver.find_elements(By.ID, "verify-button") if b.is_enabled()), None)
            if button:
                button.click()
            return button is not None

        def try_tapping(_):
            # The frame can load another world's page meanwhile.
            try:
                return self.in_site(tap)
            except WebDriverException:
                return False
        self.wait(try_tapping, "the site has a button to tap")

    def buttons(self):
        return [b for b in self.driver.find_elements(By.CSS_SELECTOR, "#phone button") if b.is_displayed()]

    def tap(self, label):
        """Taps a button of the phone by the beginning of its label."""
        def find(_):
            return next((b for b in self.buttons() if b.text.strip().startswith(label)), None)
        button = self.wait(find, f"the phone has a button {label}")
        try:
            button.click()
        except Exception:
            find(None).click()

    def story(self):
        found = self.driver.find_elements(By.ID, "story")
        return found[0].text if found else ""

    def site_text(self):
        return self.in_site(lambda: self.driver.find_element(By.TAG_NAME, "main").text)

    def expect_story(self, *texts):
        self.wait(lambda _: all(text in self.story() for text in texts), f"the stage says {texts}")

    def expect_site(self, *texts):
        self.wait(lambda _: all(text in self.site_text() for text in texts), f"the site says {texts}")

    def world(self):
        """The name of the world on the stage."""
        return self.driver.find_element(By.ID, "recording").get_attribute("href").split("/worlds/")[1].split("/")[0]

    def api(self, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            text = response.read()
            return json.loads(text) if text else None


def accept(demo):
    demo.open_stage("")
    demo.tap_verify()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_story("Verified")
    demo.expect_site("Kelly")
    picture = "const image = document.querySelector('img.portrait'); return image?.complete && image.naturalWidth"
    demo.wait(lambda driver: demo.in_site(lambda: driver.execute_script(picture)), "the site shows the portrait")
    demo.wait(lambda driver: "POST /presentments/response" in driver.find_element(By.ID, "wire").text,
              "the wire shows it")


def decline(demo):
    demo.open_stage("")
    demo.tap_verify()
    demo.tap("Local Driving Authority")
    demo.tap("Decline")
    demo.expect_story("said no")
    demo.expect_site("You did not share your ID", "picture")


def cancel(demo):
    demo.open_stage("")
    demo.tap_verify()
    demo.tap("Cancel")
    demo.expect_site("You did not share your ID", "picture")


def nobody(demo):
    demo.open_stage("&fault=unsigned")
    demo.tap_verify()
    demo.expect_story("os.no-app")
    demo.expect_site("picture")


# The stage's report for each fault after the person completes the presentment, and whether the person is asked.
FAULTS = {
    "unsigned": ("os.no-app", False),
    "another-authority": ("No party noticed", True),
    "network.reader-signature-altered": ("sandbox.reader-signature", False),
    "browser.origin-replaced": ("sandbox.reader-signature", False),
    "browser.raw-request-replaced": ("provider.", True),
    "network.response-altered": ("response.decryption/unexplained", True),
    "wallet.value-changed": ("element.digest", True),
    "issuer.expired": ("mso.validity/expired", True),
    "issuer.signer-of-another-root": ("issuer.trust", True),
    "issuer.not-signed": ("issuer.certificate", True),
    "wallet.another-device-key": ("device.signature/invalid", True),
    "wallet.another-nonce": ("response.decryption/unexplained", True),
    "wallet.transcript.origin.trailing-slash": ("response.decryption/transcript", True),
}


def faults(demo):
    known = {fault["id"]: fault["label"] for fault in demo.api("/api/catalogue")["faults"]}
    assert set(known) == set(FAULTS), set(known) ^ set(FAULTS)
    demo.driver.set_window_size(1400, 1300)
    demo.open_stage("")
    for name, (said, is_asked) in FAULTS.items():
        demo.driver.refresh()
        demo.open_stage("")
        button = demo.wait(
            lambda driver: next((b for b in driver.find_elements(By.CSS_SELECTOR, "#faults button, #faults label")
                                 if known[name] in b.text), None), f"a button for {name}")
        if not button.is_displayed():
            demo.driver.find_element(By.CSS_SELECTOR, "#break summary").click()
        with demo.another_world():
            button.click()
        assert f"fault={name}" in demo.driver.current_url, demo.driver.current_url
        demo.tap_verify()
        if is_asked:
            demo.wait(lambda _: any(b.text.strip() != "Cancel" for b in demo.buttons()), "the selector")
            wanted = "Other Wallet" if name == "another-authority" else "Wallet"
            demo.tap(wanted)
            demo.tap("Accept" if wanted == "Other Wallet" else "Authorize")
        demo.expect_story(said)
        demo.shoot(f"-{name}")
        assert "Verified" not in demo.story() or name == "another-authority", demo.story()


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
        // The connection of a call that was given up ends after it: here only when another call has begun.
        const abort = AbortController.prototype.abort;
        AbortController.prototype.abort = function (reason) {
          if (this === window.stop) return abort.call(this, reason);
          if (window.begins) navigator.credentials.get(window.lastOptions).catch(() => {});
          setTimeout(() => { abort.call(this, reason); window.hasEnded = window.begins; });
        };""")
    call()
    demo.driver.execute_script("window.stop.abort()")
    demo.wait(lambda _: asks(False), "the phone stops asking when the script gives up")
    demo.wait(lambda driver: "AbortError" in driver.find_element(By.TAG_NAME, "main").text, "the page's own reason")
    demo.driver.execute_script("navigator.credentials.get(window.lastOptions).catch(() => {})")
    demo.wait(lambda _: asks(True), "the phone asks again")
    demo.driver.execute_script("window.begins = true; window.stop.abort()")
    demo.wait(lambda driver: driver.execute_script("return window.hasEnded"), "the first connection ends")
    demo.wait(lambda _: asks(True), "the phone asks for that one")
    assert demo.driver.execute_script(COVERED), "the page can be used under the phone"


def scenarios(demo):
    """The menu of the stage, and the settings in its address."""
    demo.open_stage("")
    groups = demo.driver.find_elements(By.CSS_SELECTOR, "#scenario optgroup")
    assert groups[0].get_attribute("label") == "Start here", groups[0].get_attribute("label")
    assert len(groups) > 5 and not demo.driver.find_element(By.ID, "case").is_displayed()
    with demo.another_world():
        Select(demo.driver.find_element(By.ID, "scenario")).select_by_value("attacks/cloned-document")
    assert "scenario=attacks/cloned-document" in demo.driver.current_url, demo.driver.current_url
    demo.tap_verify()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_story("device.")
    with demo.another_world():
        Select(demo.driver.find_element(By.ID, "scenario")).select_by_value("faults/browser/credential")
    with demo.another_world():
        Select(demo.driver.find_element(By.ID, "case")).select_by_visible_text("padded base64url")
    assert "padded" in demo.driver.current_url, demo.driver.current_url
    address = demo.driver.current_url
    demo.driver.get("about:blank")
    demo.driver.get(address)
    demo.wait(
        lambda driver: Select(driver.find_element(By.ID, "case")).first_selected_option.text == "padded base64url",
        "the address opens the case again")
    demo.tap_verify()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_story("response.data/malformed")


def keyboard(demo):
    """A whole presentment with the keyboard only."""
    demo.open_stage("")
    demo.in_site(lambda: WebDriverWait(demo.driver, 20).until(
        lambda driver: driver.find_element(By.ID, "verify-button").is_enabled()))
    demo.driver.switch_to.frame("site-frame")
    demo.driver.find_element(By.ID, "verify-button").send_keys(Keys.ENTER)
    demo.driver.switch_to.default_content()
    demo.wait(lambda _: any(b.text.startswith("Wallet") for b in demo.buttons()), "the selector")
    next(b for b in demo.buttons() if b.text.startswith("Wallet")).send_keys(Keys.ENTER)
    demo.wait(lambda _: any(b.text.startswith("Authorize") for b in demo.buttons()), "the sheet")
    next(b for b in demo.buttons() if b.text.startswith("Authorize")).send_keys(Keys.SPACE)
    demo.expect_story("Verified")


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

    demo.open_stage("&scenario=cross-device/qr-code-on-a-laptop")
    demo.tap_verify()
    first = read()
    inspected = subprocess.run([demo.presentment, "inspect", first], capture_output=True, text=True)
    assert 'hint: "dcp"' in inspected.stdout, (first, inspected.stdout, inspected.stderr)
    next(b for b in demo.driver.find_elements(By.CSS_SELECTOR, "#code button") if b.text == "Cancel").click()
    demo.expect_site("the person closed the QR code")
    demo.wait(lambda driver: not shown(driver), "the QR code is gone")
    demo.in_site(lambda: next(
        b for b in demo.driver.find_elements(By.TAG_NAME, "button") if b.text == "Try again").click())
    demo.tap_verify()
    second = read()
    assert second.startswith("FIDO:/") and second != first, (first, second)
    demo.tap("Scan the QR code")
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_story("Verified")
    demo.expect_site("Kelly")
    assert not shown(demo.driver), "the QR code is still shown"


def message(demo):
    """A message of the wire has its structure beside its bytes, each linked to the other."""
    demo.open_stage("")
    demo.tap_verify()

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


def unfolded(demo):
    """Unfolded parts of the phone stay unfolded while the world's time passes."""
    demo.open_stage("")
    demo.tap_verify()
    hidden = demo.wait(lambda driver: driver.find_element(By.CSS_SELECTOR, "#phone .hidden-apps"), "the hidden apps")
    hidden.find_element(By.TAG_NAME, "summary").click()
    clock = demo.driver.find_element(By.CSS_SELECTOR, "#phone .phone-time")
    before = clock.text
    demo.api(f"/api/worlds/{demo.world()}/steps", {"person": {"waits": "1 min"}})
    demo.wait(lambda _: clock.text != before, "the phone's time passes")
    assert hidden.get_attribute("open"), "the hidden apps are folded again"
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_story("Verified")


def narrow(demo):
    demo.driver.set_window_size(390, 844)
    for query in ["", "&scenario=faults/browser/credential%23padded%20base64url&fault=unsigned"]:
        demo.open_stage(query)
        overflow = demo.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert overflow <= 0, f"{overflow} pixels too wide"
        demo.shoot("-with-a-case" if query else "-free")
    places = [field.rect for field in demo.driver.find_elements(By.CSS_SELECTOR, "#controls .field")]
    assert len(places) == 4
    for one in places:
        for other in places:
            is_apart = one is other or any(
                first[place] + first[size] <= second[place] for place, size in [("x", "width"), ("y", "height")]
                for first, second in [(one, other), (other, one)])
            assert is_apart, f"{one} covers {other}"


def recording(demo):
    """The runner repeats a recording of the stage."""
    accept(demo)
    with urllib.request.urlopen(f"http://127.0.0.1:{demo.port}/api/worlds/{demo.world()}/recording") as response:
        file = demo.screenshots / "recorded.yaml"
        file.write_bytes(response.read())
    done = subprocess.run([demo.presentment, "run", str(file)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


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


def included(demo):
    """The external site's page with presentment.js: the phone appears over the page, and the site's server verifies."""
    import server

    site = your_site(demo)
    text = server.PAGES["/with-presentment-js.html"].read_text()
    page = demo.screenshots / "with-presentment-js.html"
    world = demo.api("/api/worlds", {"world": "any-site"})["id"]
    script = f"demo.localhost:{demo.port}/presentment.js\" data-world=\"{world}"
    page.write_text(text.replace("demo.localhost:8080/presentment.js", script))
    server.PAGES["/with-presentment-js.html"] = page

    def phone(driver):
        targets = driver.execute_cdp_cmd("Target.getTargets", {})["targetInfos"]
        return next((target["url"] for target in targets if "/phone?world=" in target["url"]), None)

    for choice, said in [("Cancel", "You did not share your ID."), ("Wallet", "Hello, Kelly")]:
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


def back(demo):
    """Each setting is an entry of the browser's history, and works after going back."""
    demo.open_stage("")
    with demo.another_world():
        Select(demo.driver.find_element(By.ID, "scenario")).select_by_value("attacks/cloned-document")
    with demo.another_world():
        demo.driver.back()
    assert "scenario" not in demo.driver.current_url, demo.driver.current_url
    demo.tap_verify()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_story("Verified: it is Kelly")
    with demo.another_world():
        demo.driver.forward()
    demo.tap_verify()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_story("device.")


def tabs(demo):
    """More stages at once than a browser has connections to one server: the first continues where it was."""
    demo.open_stage("")
    first = demo.driver.current_window_handle
    for _ in range(8):
        demo.driver.switch_to.new_window("tab")
        demo.open_stage("")
    demo.driver.switch_to.window(first)
    demo.tap_verify()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_story("Verified: it is Kelly")


def endings(demo):
    """The results besides a verified response and a refusal by the person."""
    def go_through(query, *texts, last="Authorize"):
        # A new fragment alone would be the same page to the browser, which keeps its content.
        demo.driver.get("about:blank")
        demo.open_stage(query)
        demo.tap_verify()
        if last:
            demo.tap("Wallet")
            demo.tap(last)
        demo.expect_story(*texts)
    go_through("&scenario=faults/issuer/deviations", "noticed, and accepted it", "issuer.form/")
    go_through("&scenario=browser/unknown-protocol", "ended the call", "browser.", last=None)
    go_through("&scenario=headline", "Verified: it is Kelly")
    demo.driver.get("about:blank")
    demo.open_stage("")
    demo.tap_verify()
    demo.wait(lambda _: demo.buttons(), "the phone asks")
    demo.in_site(lambda: demo.driver.execute_script("location.reload()"))
    demo.expect_story("aborted the call", "browser.fully-active/gone")
    # A world for external sites is described as such, and a seed that a script cannot represent is rejected.
    demo.driver.get(f"{demo.url}?world=any-site&seed=18446744073709551615")
    demo.wait(lambda driver: "presentment.js" in driver.find_element(By.ID, "site-frame").text, "the line to include")
    demo.wait(lambda driver: "18446744073709551615" in driver.find_element(By.ID, "problem").text, "the seed")


WALLET = "DigitalCredentials.setVirtualWalletBehavior"


def native_decline(demo):
    """The person declines: the site reports that, and does not report a failure."""
    import selenium_test

    site = your_site(demo)
    selenium_test.tap(demo.driver, site.origin)
    selenium_test.let_go(demo.driver, {"method": WALLET, "params": {"action": "decline"}})
    shown = selenium_test.shown(demo.driver)
    assert shown == "You did not share your ID.", shown
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


STORIES = {story.__name__: story for story in
           (accept, decline, cancel, nobody, faults, alone, leaving, scenarios, keyboard, message, unfolded, narrow,
            recording, back, tabs, endings, included, native, native_decline, native_wait, native_failure, playwright,
            code)}

if __name__ == "__main__":
    program, name, folder = sys.argv[1:4]
    with Demo(program, folder, name) as stage:
        STORIES[name](stage)
