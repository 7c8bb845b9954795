"""Tests the page of a trace in a headless Chromium. usage: trace.py PRESENTMENT STORY SCREENSHOTS

The run is of a scenario that fails: another device presents the document, and the scenario expects that it verifies.
Each story writes screenshots, and fails on an error in the page's console."""

import base64
import json
import pathlib
import sys
import tempfile

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

import chromium
import frames
import long_trace

SIZE = (1280, 720)
# Rows in the window and around it, and elements of the page, whatever the number of messages.
MOST_ROWS = 60
MOST_ELEMENTS = 3_000


class Page:
    """A page in a browser."""

    def __init__(self, path, screenshots, name, dark=False):
        self.path, self.screenshots, self.name = path, pathlib.Path(screenshots), name
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
        waiting = WebDriverWait(self.driver, chromium.PATIENCE)
        return waiting.until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector))

    def text(self, selector):
        return self.one(selector).text

    def wait(self, condition, what):
        try:
            WebDriverWait(self.driver, chromium.PATIENCE).until(lambda _: condition())
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


IS_IN_WINDOW = """
const [row, list, heads] = [arguments[0], document.getElementById("timeline"), document.querySelector(".lane-heads")]
  .map((one) => one.getBoundingClientRect());
return row.top >= heads.bottom && row.bottom <= list.bottom;
"""


def failure(page):
    """The failing check is selected on open, with the failure's text as the command prints it."""
    assert page.text("#run-facts").startswith("failed"), page.text("#run-facts")
    assert "device.signature/invalid" in page.text("#failure"), page.text("#failure")
    assert "device.signature/invalid" in page.text(".row.open"), page.text(".row.open")
    assert "device.signature/invalid" in page.text("#detail .panel-facts")
    assert "It read message" in page.text("#detail"), page.text("#detail")
    assert page.driver.execute_script(IS_IN_WINDOW, page.one(".row.open")), "the failing check is not in the window"
    page.one("#failure summary").click()
    page.wait(lambda: "again: presentment run fails.yaml" in page.text("#failure pre"), "the whole failure is shown")
    assert "fails.yaml:" in page.text("#failure pre")


def marked(page):
    """The marked bytes as text, in their order."""
    return "".join(one.text for one in sorted(
        page.all(".character.on"), key=lambda one: int(one.get_attribute("data-byte"))))


def click_byte(page, place):
    """Clicks a byte in the window by its place on the screen."""
    run = next(one for one in page.all(".byte")
               if 0 <= place - int(one.get_attribute("data-byte")) < int(one.get_attribute("data-count")))
    width = run.size["width"] / int(run.get_attribute("data-count"))
    across = (place - int(run.get_attribute("data-byte")) + .5) * width - run.size["width"] / 2
    ActionChains(page.driver).move_to_element_with_offset(run, round(across), 0).click().perform()


def links(page):
    """A field marks its bytes, a byte its field, and a signature the bytes that it covers."""
    page.open("document")
    page.field("docType:").click()
    assert "docType" in marked(page) and "org.iso" in marked(page), marked(page)
    page.one(".byte.on").click()
    assert page.text(".field-line.on").startswith("docType:"), page.text(".field-line.on")
    assert "Bytes" in page.text(".bytes-status"), page.text(".bytes-status")
    # Where bytes with the same marks are one element, a click chooses the byte under the pointer.
    page.one(".field-list").send_keys(Keys.HOME)
    click_byte(page, 0)
    assert "byte 0 is 0x" in page.text(".bytes-status"), page.text(".bytes-status")
    click_byte(page, 11)
    byte = next(line for line in page.text(".bytes-status").split(" · ") if line.startswith("byte"))
    shown = page.one(".byte.cursor")
    assert byte == f"byte 11 is 0x{shown.text.strip()}" and shown.get_attribute("data-byte") == "11", byte
    page.field("docType:").click()
    copies = dict(zip(["hex", "base64"], page.all(".copies button")))
    pasted = {}
    for form, button in copies.items():
        button.click()
        page.wait(lambda form=form: f"copied as {form}" in page.text(".bytes-status"), f"{form} is copied")
        page.one("#find-text").clear()
        page.one("#find-text").send_keys(Keys.CONTROL, "v")
        pasted[form] = page.one("#find-text").get_attribute("value")
        page.one("#find-text").clear()
    assert bytes.fromhex(pasted["hex"]) == base64.b64decode(pasted["base64"]), pasted
    assert b"docType" in bytes.fromhex(pasted["hex"]), pasted
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
    # Only the results, and all lines again with the same one selected.
    count = int(page.search("check", "device.signature").split(" of ")[1])
    page.one("#find-alone").click()
    rows = page.all(".row")
    assert rows and len(rows) <= count, (len(rows), count)
    assert all("device.signature" in row.text or "check" in row.text for row in rows), [row.text for row in rows]
    chosen = page.text("#detail")
    page.one("#find-text").send_keys(Keys.ESCAPE)
    page.wait(lambda: len(page.all(".row")) > len(rows), "all lines are shown again")
    assert page.text("#detail") == chosen
    assert page.driver.execute_script(IS_IN_WINDOW, page.one(".row.open"))
    page.press(Keys.ESCAPE)
    assert page.driver.switch_to.active_element.get_attribute("role") == "listbox"


def address(page):
    """The address names a message or a line, and follows the selection."""
    path = page.driver.current_url.split("#")[0]
    page.driver.get("about:blank")
    page.driver.get(f"{path}#message-44")
    page.wait(lambda: "Message 44 ·" in page.text("#detail .panel-facts"), "message 44 is selected")
    assert page.driver.execute_script(IS_IN_WINDOW, page.one(".row.open"))
    page.press("j")
    page.wait(lambda: not page.driver.current_url.endswith("#message-44"), "the address follows")
    chosen = page.text("#detail .panel-facts")
    page.driver.refresh()
    page.wait(lambda: page.text("#detail .panel-facts") == chosen, "the same line after a reload")
    page.driver.execute_script("location.hash = '#line-3'")
    page.wait(lambda: page.text("#detail .panel-facts").endswith("line 3"), "a line before the first step is shown")
    page.driver.get("about:blank")
    page.driver.get(f"{path}#message-100000")
    page.wait(lambda: "device.signature/invalid" in page.text("#detail .panel-facts"), "the failure is shown instead")


def seen(page):
    """A check shows the answer as its server opened it; the message shows it sealed first. Passed checks are folded."""
    page.wait(lambda: page.all(".disclosure"), "the failed check read the opened answer")
    page.open("POST /presentments/response")
    assert not page.all(".disclosure"), "the sealed answer is disclosed"
    page.field("cipherText")
    page.all(".seen-party")[-1].click()
    page.wait(lambda: page.all(".disclosure"), "the opened answer")
    disclosed, withheld = len(page.all(".disclosed > div")), len(page.all(".withheld > div"))
    assert disclosed == 5 and f"{disclosed} of {disclosed + withheld} elements" in page.text(".disclosure h3")
    page.field("version")
    page.one(".checks-read > summary").click()
    states = {one.text.split(":")[0]: one.find_element(By.XPATH, "..").get_attribute("open") for one in
              page.all(".family > summary")}
    assert states["device"] and not states["issuer"], states


def narrow(page):
    """On a phone: one column, nothing cut off, and Enter shows the message."""
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page.driver.refresh()
    page.wait(lambda: "device.signature/invalid" in page.text(".row.open"), "the failure is selected")
    assert page.driver.execute_script(IS_IN_WINDOW, page.one(".row.open"))
    assert page.driver.execute_script("return document.documentElement.scrollWidth") <= 390
    widths = page.driver.execute_script("return [...document.querySelectorAll('.message .row-area')].map("
                                        "(one) => one.getBoundingClientRect().width)")
    assert widths and min(widths) > 300, widths
    page.open("document")
    page.one(".row.open").click()
    page.press(Keys.ENTER)
    page.field("docType:").click()
    assert "docType" in marked(page), marked(page)
    assert page.driver.execute_script("return document.documentElement.scrollWidth") <= 390


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
    page.press("k", "j")
    assert page.text("#detail h2") == start
    page.press(Keys.ENTER)
    assert page.driver.switch_to.active_element.get_attribute("class") == "field-list"
    page.press(Keys.ESCAPE)
    assert page.driver.switch_to.active_element.get_attribute("class") == "rows"
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


PLACE = """
const [place, done] = arguments;
const scroller = document.getElementById("timeline");
scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * place;
// A jump draws what is in the window in the first frame, and the rows around it in the second.
requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done({
  rows: [...document.querySelectorAll("#timeline .row")].map((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return { top, bottom, index: Number(row.dataset.index), line: Number(row.dataset.line),
      name: row.getAttribute("aria-label"), kind: row.className };
  }),
  top: document.querySelector(".lane-heads").getBoundingClientRect().bottom,
  bottom: scroller.getBoundingClientRect().bottom, elements: document.getElementsByTagName("*").length,
}))));
"""


def thousands(page):
    """10,000 messages are all there, and few of them in the document, wherever the timeline is scrolled."""
    lines = {line["line"]: line for line in map(json.loads, long_trace.trace_of(page.path).open(encoding="utf-8"))}
    found, starts = [], []
    for step in range(41):
        # By small and large steps, forwards and backwards.
        place = step * 7 % 41 / 40
        state = page.driver.execute_async_script(PLACE, place)
        rows = sorted(state["rows"], key=lambda row: row["index"])
        assert len(rows) <= MOST_ROWS and state["elements"] < MOST_ELEMENTS, (place, len(rows), state["elements"])
        indexes = [row["index"] for row in rows]
        assert indexes == list(range(indexes[0], indexes[-1] + 1)), (place, indexes)
        assert rows[0]["top"] <= state["top"] and rows[-1]["bottom"] >= state["bottom"] - 1, (place, rows[0], rows[-1])
        for above, below in zip(rows, rows[1:]):
            assert abs(above["bottom"] - below["top"]) < 1 and above["line"] <= below["line"], (above, below)
        messages = [row for row in rows if "message" in row["kind"].split()]
        for row in messages:
            number = lines[row["line"]]["message"]["number"]
            assert row["name"].startswith(f"Message {number}, "), (row, number)
        found.append(len(messages))
        starts.append((place, rows[0]["line"]))
    assert sum(found) > 41, found
    ordered = [line for _, line in sorted(starts)]
    assert ordered == sorted(ordered) and len(set(ordered)) == len(ordered), ordered
    facts = page.text("#run-facts")
    count = sum("message" in line for line in lines.values())
    assert count >= long_trace.MESSAGES and f"{count} messages" in facts, facts
    # The last failing check is as easy to reach as the first.
    page.search("check", "device.signature/invalid")
    page.one("#find-text").send_keys(Keys.SHIFT, Keys.ENTER)
    page.wait(lambda: page.driver.execute_script(IS_IN_WINDOW, page.one(".row.open")), "the last failure is shown")
    assert "device.signature/invalid" in page.text(".row.open")
    page.one(".rows").send_keys(Keys.END)
    last = page.one(".row.open")
    assert last.get_attribute("aria-posinset") == last.get_attribute("aria-setsize")
    print_frames(page.path)


def print_frames(path):
    """The figures of docs/performance.md, for the reader: time decides no test."""
    try:
        print("\n".join(frames.measure(path)))
    except ImportError:
        print("frames are measured with Playwright, which is not installed")


STORIES = {story.__name__: story for story in
           (failure, links, search, address, seen, narrow, keyboard, screens, accessible, thousands)}


def main():
    presentment, name, screenshots = sys.argv[1:]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        if name == "thousands":
            path = long_trace.make_page(presentment, folder)
        else:
            path, _ = long_trace.make_failing_page(presentment, folder)
        for dark in [False, True] if name in ("accessible", "failure", "narrow") else [False]:
            with Page(path, screenshots, name + ("-dark" if dark else ""), dark) as page:
                STORIES[name](page)


main()
