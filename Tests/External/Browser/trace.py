"""Tests the page of a trace in a headless Chromium. usage: trace.py PRESENTMENT STORY SCREENSHOTS

The run is of a scenario that fails: another device presents the document, and the scenario expects that it verifies.
Each story writes screenshots, and fails on an error in the page's console."""

import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import chromium

ROOT = pathlib.Path(__file__).resolve().parents[3]
SIZE = (1280, 720)


def make_page(presentment, folder):
    """The page and the trace of the failing run."""
    shutil.copytree(ROOT / "scenarios" / "worlds", folder / "worlds")
    text = (ROOT / "scenarios/attacks/cloned-document.yaml").read_text(encoding="utf-8")
    start, last = text.rsplit("  - website:", 1)
    assert "refused: device.signature/invalid" in last, last
    text = f"{start}  - website: {{ verified: {{ given_name: Kelly }} }}\n"
    (folder / "fails.yaml").write_text(text, encoding="utf-8")
    run = subprocess.run(
        [presentment, "run", "fails.yaml", "--trace", "traces"], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 1, run
    return folder / "traces" / "fails.html", folder / "traces" / "fails.trace.jsonl"


class Page:
    """A page in a browser."""

    def __init__(self, path, screenshots, name, dark=False):
        self.screenshots, self.name = pathlib.Path(screenshots), name
        self.driver = chromium.start(SIZE)
        metrics = {"width": SIZE[0], "height": SIZE[1], "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        self.driver.get(f"file://{path}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            self.shoot("" if kind is None else "-failed")
            errors = [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        finally:
            self.driver.quit()
        if kind is None:
            assert not errors, errors

    def shoot(self, suffix=""):
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(self.screenshots / f"trace-{self.name}{suffix}.png"))

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return WebDriverWait(self.driver, 10).until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector))

    def text(self, selector):
        return self.one(selector).text

    def wait(self, condition, what):
        try:
            WebDriverWait(self.driver, 10).until(lambda _: condition())
        except Exception as error:
            raise AssertionError(f"never: {what}; the panel says {self.text('#detail')[:300]!r}") from error

    def press(self, *keys):
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def search(self, kind, words):
        """Searches, goes to the first result and returns the count."""
        self.one(f"#find-kind option[value={kind}]").click()
        box = self.one("#find-text")
        box.clear()
        box.send_keys(words, Keys.ENTER)
        return self.text("#find-count")

    def open(self, operation):
        """Selects the last message of a kind."""
        count = self.search("all", operation)
        assert " of " in count, f"{operation}: {count}"
        # From the last result backwards.
        for _ in range(int(count.split(" of ")[1])):
            self.one("#find-text").send_keys(Keys.SHIFT, Keys.ENTER)
            facts = self.text("#detail .panel-facts")
            if facts.startswith("Message") and self.text("#detail .panel-facts .code") == operation:
                return
        raise AssertionError(f"no message {operation}")

    def field(self, start):
        """A line of the structure; the list draws only those in its window."""
        self.one(".field-list").send_keys(Keys.HOME)
        for _ in range(200):
            found = next((one for one in self.all(".field-line") if one.text.startswith(start)), None)
            if found:
                return found
            self.one(".field-list").send_keys(Keys.PAGE_DOWN)
        raise AssertionError(f"no field {start}")


def failure(page):
    """The failing check is selected on open, with the failure's text as the command prints it."""
    assert page.text("#run-facts").startswith("failed"), page.text("#run-facts")
    assert "device.signature/invalid" in page.text("#failure"), page.text("#failure")
    assert "device.signature/invalid" in page.text(".row.open"), page.text(".row.open")
    assert "device.signature/invalid" in page.text("#detail .panel-facts")
    assert "It read message" in page.text("#detail"), page.text("#detail")
    page.one("#failure summary").click()
    page.wait(lambda: "again: presentment run fails.yaml" in page.text("#failure pre"), "the whole failure is shown")
    assert "fails.yaml:" in page.text("#failure pre")


def links(page):
    """A field marks its bytes, a byte its field, and a signature the bytes that it covers."""
    page.open("document")
    page.field("docType:").click()
    marked = "".join(one.text for one in page.all(".character.on"))
    assert "docType" in marked and "org.iso" in marked, marked
    page.one(".byte.on").click()
    assert page.text(".field-line.on").startswith("docType:"), page.text(".field-line.on")
    assert "Bytes" in page.text(".bytes-status"), page.text(".bytes-status")
    guard = next(one for one in page.all(".guard") if "issuerAuth" in one.text)
    guard.click()
    assert guard.get_attribute("aria-pressed") == "true" and page.all(".byte.covered")
    assert "the issuer signs" in page.text(".bytes-status"), page.text(".bytes-status")
    page.open("POST /presentments/response")
    assert "can open it" in page.one(".badge.opens").get_attribute("textContent")
    assert any("cipherText" in one.text for one in page.all(".guard")), [one.text for one in page.all(".guard")]
    page.field("cipherText:").click()
    assert "base64url" in page.text(".bytes-place"), page.text(".bytes-place")
    page.one(".bytes-place .text-button").click()
    page.wait(lambda: page.text(".bytes-place").startswith("Message ·"), "the containing bytes are shown")


def search(page):
    """By check, by party and by element."""
    assert " of " in page.search("check", "device.signature")
    assert "device.signature" in page.text("#detail")
    assert " of " in page.search("party", "sandbox")
    assert page.all(".row.hit, .row.open")
    assert " of " in page.search("element", "family_name")
    found = page.text("#find-count")
    page.one("#find-next").click()
    assert page.text("#find-count") != found
    assert page.search("element", "no such element") == "0 found"
    page.one("#find-text").send_keys(Keys.ESCAPE)
    assert page.text("#find-count") == ""


def keyboard(page):
    """Everything by keys: rows, the failure, the search, fields and bytes."""
    start = page.text("#detail h2")
    page.press(Keys.ARROW_UP)
    page.wait(lambda: page.text("#detail .panel-facts") and page.text(".row.open"), "the row above is open")
    page.press(Keys.HOME)
    assert "Before the first step" in page.text("#detail h2")
    before = len(page.driver.execute_script("return document.querySelector('.rows').style.height"))
    page.press(Keys.ENTER)
    assert "unfolded" in page.one(".setup-row").get_attribute("aria-label"), before
    page.press("f")
    page.wait(lambda: page.text("#detail h2") == start, "f returns to the failure")
    page.press("/")
    assert page.driver.switch_to.active_element.get_attribute("id") == "find-text"
    page.press("document response", Keys.ENTER)
    for _ in range(40):
        if page.driver.switch_to.active_element.get_attribute("class") == "field-list":
            break
        page.press(Keys.TAB)
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    chosen = page.text(".field-line.on")
    assert chosen, "no field is chosen"
    for _ in range(6):
        if page.driver.switch_to.active_element.get_attribute("class") == "hex":
            break
        page.press(Keys.TAB)
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert page.all(".byte.cursor"), "no byte is chosen"
    assert "is 0x" in page.text(".bytes-status")


def screens(page):
    """The selector and the sheet as the person saw them, and the selector's table."""
    page.open("show selector")
    assert "Choose an app" in page.text(".screen"), page.text(".screen")
    page.open("show view")
    assert "Authorize with Face ID" in page.text(".screen"), page.text(".screen")
    page.shoot("-view")
    page.search("check", "selector.reader")
    assert "hidden" in page.text(".selection") and "It would appear" in page.text(".selection")


def accessible(page):
    """axe-core finds no violation in the selected kinds of lines."""
    import axe_playwright_python

    script = pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js"
    source = script.read_text(encoding="utf-8")
    # By the debugger: the page's own policy allows no other script.
    page.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source})
    run = "axe.run(document, {resultTypes: ['violations']}).then((found) => JSON.stringify({"
    run += "violations: found.violations.map(({id, nodes}) => [id, nodes.map(({html}) => html.slice(0, 200))]),"
    run += "passes: found.passes.length}))"
    for operation in [None, "document", "show selector", "show view", "POST /presentments/response", "selection"]:
        if operation == "selection":
            page.search("check", "selector.reader")
        elif operation:
            page.open(operation)
            for selector in [".guard", ".field-line:nth-child(3)"]:
                for one in page.all(selector)[:1]:
                    one.click()
        arguments = {"expression": run, "awaitPromise": True, "returnByValue": True}
        result = json.loads(page.driver.execute_cdp_cmd("Runtime.evaluate", arguments)["result"]["value"])
        assert result["violations"] == [] and result["passes"] > 10, (operation, result)


MESSAGES = 10_000
# Rows in the window and around it, whatever the number of messages.
MOST_ROWS = 120


def multiply(trace, folder):
    """A trace with the lines of another, again and again, later each time."""
    lines = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    count = sum("message" in line for line in lines)
    path = folder / "thousands.trace.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for turn in range(-(-MESSAGES // count)):
            for line in lines:
                line = {**line, "line": line["line"] + turn * len(lines), "time": line["time"] + turn * 10**10}
                if "message" in line:
                    message = {**line["message"], "number": line["message"]["number"] + turn * count}
                    if "answers" in message:
                        message["answers"] += turn * count
                    # Contents differ, as in one long run.
                    content = base64.b64decode(message["bytes"])
                    if message["type"].endswith("json"):
                        message["bytes"] = base64.b64encode(content + b" " * (turn + 1)).decode()
                    line["message"] = message
                file.write(json.dumps(line, separators=(",", ":"), sort_keys=True, ensure_ascii=False) + "\n")
    return path


SCROLL = """
const done = arguments[0];
const scroller = document.getElementById("timeline");
scroller.scrollTop = 0;
const start = performance.now();
let [frames, most, drawn] = [0, 0, 0];
function frame(now) {
  frames += 1;
  scroller.scrollTop += 240;
  const rows = document.querySelectorAll("#timeline .row").length;
  most = Math.max(most, rows);
  if (rows > 10) drawn += 1;
  if (now - start < 3000) requestAnimationFrame(frame);
  else done({ frames, most, drawn, rate: frames / (now - start) * 1000, height: scroller.scrollHeight });
}
requestAnimationFrame(frame);
"""


def thousands(page):
    """10,000 messages are all there, and few of them in the document."""
    result = page.driver.execute_async_script(SCROLL)
    print(f"{MESSAGES} messages: scrolled at {result['rate']:.0f} frames a second, "
          f"at most {result['most']} rows in the document")
    assert result["most"] < MOST_ROWS and result["drawn"] == result["frames"], result
    assert result["height"] > 30 * MESSAGES, result
    facts = page.text("#run-facts")
    assert int(facts.split(" messages")[0].split("· ")[-1].split()[-1]) >= MESSAGES, facts
    page.one(".rows").send_keys(Keys.END)
    page.wait(lambda: page.all(".row.open"), "the last row is selected")
    last = page.one(".row.open")
    assert last.get_attribute("aria-posinset") == last.get_attribute("aria-setsize")


STORIES = {story.__name__: story for story in (failure, links, search, keyboard, screens, accessible, thousands)}


def main():
    presentment, name, screenshots = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        path, trace = make_page(presentment, folder)
        if name == "thousands":
            path = folder / "thousands.html"
            long = multiply(trace, folder)
            subprocess.run([presentment, "trace", str(long), "--html", str(path)], check=True)
        for dark in [False, True] if name in ("accessible", "failure") else [False]:
            with Page(path, screenshots, name + ("-dark" if dark else ""), dark) as page:
                STORIES[name](page)


main()
