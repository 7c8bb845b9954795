"""Stories of the page of a trace.

The run is of a scenario that fails: another device presents the document, and the scenario expects that it verifies."""

import base64
import json
import re

from playwright.sync_api import expect

import long_trace
from looks import axe_core
from story import register
from window import Window, playwright_context

SIZE = {"width": 1280, "height": 720}
# Rows in the window and around it, and elements of the page, whatever the number of messages.
MOST_ROWS = 60
MOST_ELEMENTS = 3_000

IS_IN_WINDOW = """
() => {
  const [row, list, heads] = [".row.open", "#timeline", ".lane-heads"]
    .map((selector) => document.querySelector(selector).getBoundingClientRect());
  return row.top >= heads.bottom && row.bottom <= list.bottom;
}
"""


class Page(Window):
    """The page of a trace."""

    def __init__(self, setting, name, context, path):
        super().__init__(setting, name, context)
        self.path = path
        self.page.goto(path.as_uri())

    def state(self):
        return f"the panel says {self.text('#detail')[:300]!r}"

    def search(self, kind, words):
        """Searches, goes to the first result and returns the count."""
        self.find("#find-kind").select_option(kind)
        box = self.find("#find-text")
        box.fill(words)
        box.press("Enter")
        return self.text("#find-count")

    def open(self, operation):
        """Selects the last message of a kind."""
        count = self.search("all", operation)
        assert " of " in count, f"{operation}: {count}"
        # From the last result backwards.
        for _ in range(int(count.split(" of ")[1])):
            self.find("#find-text").press("Shift+Enter")
            if self.text("#detail .panel-facts").startswith("Message") \
                    and self.text("#detail .panel-facts .code") == operation:
                return
        raise AssertionError(f"no message {operation}")

    def field(self, start):
        """A line of the structure; the list draws only those in its window."""
        found = self.find(".field-line", re.compile(f"^{re.escape(start)}")).first
        self.find(".field-list").press("Home")
        for _ in range(200):
            if found.is_visible():
                return found
            self.find(".field-list").press("PageDown")
        raise AssertionError(f"no field {start}")

    def expect_in_window(self, what):
        """Waits until the selected row is in the window."""
        self.wait(what, IS_IN_WINDOW)

    def expect_facts(self, text):
        """Waits until the panel is about a message or a line."""
        self.see("#detail .panel-facts", text)


def story(function=None, *, needs=(), is_dark_too=False, make=long_trace.make_failing_page, is_long=False):
    """Declares a story of the trace page by its function. It gets a trace and a window of its own."""
    def declare(function):
        name = f"trace-{function.__name__}"

        def run(setting):
            path = make(setting.presentment, setting.folder())
            for scheme in ["light", "dark"] if is_dark_too else ["light"]:
                suffix = "-dark" if scheme == "dark" else ""
                with playwright_context(setting, SIZE, color_scheme=scheme) as context:
                    with Page(setting, name + suffix, context, path) as page:
                        function(page)
        register(name, function, run, needs, is_long)
        return function
    return declare if function is None else declare(function)


@story(is_dark_too=True)
def failure(page):
    """The failing check is selected on open, with the failure's text as the command prints it."""
    page.see("#run-facts", "failed")
    assert page.text("#run-facts").startswith("failed"), page.text("#run-facts")
    for selector in ["#failure", ".row.open", "#detail .panel-facts"]:
        page.see(selector, "device.signature/invalid")
    page.see("#detail", "It read message")
    page.expect_in_window("the failing check is in the window")
    page.find("#failure summary").click()
    page.see("#failure pre", "again: presentment run fails.yaml", "fails.yaml:")


def marked(page):
    """The marked bytes as text, in their order."""
    return page.page.evaluate("""() => [...document.querySelectorAll(".character.on")]
        .sort((one, other) => one.dataset.byte - other.dataset.byte).map((one) => one.innerText).join("")""")


def click_byte(page, place):
    """Clicks a byte in the window by its place on the screen."""
    start, count = page.page.evaluate("""(place) => [...document.querySelectorAll(".byte")]
        .map(({ dataset }) => [Number(dataset.byte), Number(dataset.count)])
        .find(([start, count]) => place >= start && place < start + count)""", place)
    # By its name: the page brings its elements into order a moment after it has drawn them.
    run = page.find(f".byte[data-byte='{start}']")
    box = run.bounding_box()
    run.click(position={"x": (place - start + .5) * box["width"] / count, "y": box["height"] / 2})


@story
def links(page):
    """A field marks its bytes, a byte its field, and a signature the bytes that it covers."""
    page.open("document")
    page.field("docType:").click()
    assert "docType" in marked(page) and "org.iso" in marked(page), marked(page)
    page.find(".byte.on").first.click()
    expect(page.find(".field-line.on").first).to_have_text(re.compile(r"^docType:"))
    page.see(".bytes-status", "Bytes")
    # Where bytes with the same marks are one element, a click chooses the byte under the pointer.
    page.find(".field-list").press("Home")
    click_byte(page, 0)
    page.see(".bytes-status", "byte 0 is 0x")
    click_byte(page, 11)
    page.see(".bytes-status", "byte 11 is 0x")
    byte = next(line for line in page.text(".bytes-status").split(" · ") if line.startswith("byte"))
    shown = page.find(".byte.cursor").first
    assert byte == f"byte 11 is 0x{shown.inner_text().strip()}", byte
    expect(shown).to_have_attribute("data-byte", "11")
    page.field("docType:").click()
    pasted = {}
    box = page.find("#find-text")
    for form in ["hex", "base64"]:
        page.find(".copies button", f"Copy {form}").click()
        page.see(".bytes-status", f"copied as {form}")
        box.fill("")
        box.press("Control+v")
        expect(box).not_to_have_value("")
        pasted[form] = box.input_value()
        box.fill("")
    assert bytes.fromhex(pasted["hex"]) == base64.b64decode(pasted["base64"]), pasted
    assert b"docType" in bytes.fromhex(pasted["hex"]), pasted
    guard = page.find(".guard", "issuerAuth").first
    guard.click()
    expect(guard).to_have_attribute("aria-pressed", "true")
    expect(page.find(".byte.covered")).not_to_have_count(0)
    page.see(".bytes-status", "the issuer signs")
    page.open("POST /presentments/response")
    expect(page.find(".badge.opens").first).to_contain_text("can open it")
    expect(page.find(".guard", "cipherText")).not_to_have_count(0)
    page.field("cipherText:").click()
    page.see(".bytes-place", "base64url")
    page.find(".bytes-place .text-button").first.click()
    # The containing bytes are shown.
    expect(page.find(".bytes-place")).to_have_text(re.compile(r"^Message ·"))


@story
def search(page):
    """By check, by party and by element."""
    assert " of " in page.search("check", "device.signature")
    page.see("#detail", "device.signature")
    assert " of " in page.search("party", "sandbox")
    expect(page.find(".row.hit, .row.open")).not_to_have_count(0)
    found = page.search("element", "family_name")
    assert " of " in found, found
    page.find("#find-next").click()
    expect(page.find("#find-count")).not_to_have_text(found)
    assert page.search("element", "no such element") == "0 found"
    page.find("#find-text").press("Escape")
    expect(page.find("#find-count")).to_have_text("")
    # Only the results, and all lines again with the same one selected.
    count = int(page.search("check", "device.signature").split(" of ")[1])
    page.find("#find-alone").click()
    rows = page.find(".row").all_inner_texts()
    assert rows and len(rows) <= count, (len(rows), count)
    assert all("device.signature" in row or "check" in row for row in rows), rows
    chosen = page.text("#detail")
    page.find("#find-text").press("Escape")
    page.wait("all lines are shown again", "(few) => document.querySelectorAll('.row').length > few", len(rows))
    assert page.text("#detail") == chosen
    page.expect_in_window("the selected line is in the window")
    page.press("Escape")
    assert page.focused("one.getAttribute('role')") == "listbox"


@story
def address(page):
    """The address names a message or a line, and follows the selection."""
    path = page.path.as_uri()
    page.page.goto("about:blank")
    page.page.goto(f"{path}#message-44")
    page.expect_facts("Message 44 ·")
    page.expect_in_window("message 44 is in the window")
    page.press("j")
    page.wait("the address follows", "() => location.hash !== '#message-44'")
    chosen = page.text("#detail .panel-facts")
    page.page.reload()
    page.wait("the same line after a reload",
              "(text) => document.querySelector('#detail .panel-facts')?.innerText === text", chosen)
    page.page.evaluate("location.hash = '#line-3'")
    # A line before the first step is shown.
    expect(page.find("#detail .panel-facts")).to_have_text(re.compile(r"line 3$"))
    page.page.goto("about:blank")
    page.page.goto(f"{path}#message-100000")
    # The failure is shown instead.
    page.expect_facts("device.signature/invalid")


@story
def seen(page):
    """A check shows the answer as its server opened it; the message shows it sealed first. Passed checks are folded."""
    disclosure = page.find(".disclosure")
    # The failed check read the opened answer.
    expect(disclosure).not_to_have_count(0)
    page.open("POST /presentments/response")
    expect(disclosure, "the sealed answer is disclosed").to_have_count(0)
    page.field("cipherText")
    page.find(".seen-party").last.click()
    # The opened answer.
    expect(disclosure).not_to_have_count(0)
    disclosed, withheld = page.find(".disclosed > div").count(), page.find(".withheld > div").count()
    assert disclosed == 5, disclosed
    page.see(".disclosure h3", f"{disclosed} of {disclosed + withheld} elements")
    page.field("version")
    page.find(".checks-read > summary").click()
    states = page.page.evaluate("""() => Object.fromEntries([...document.querySelectorAll(".family > summary")]
        .map((one) => [one.innerText.trim().split(":")[0], one.parentElement.open]))""")
    assert states["device"] and not states["issuer"], states


@story(is_dark_too=True)
def narrow(page):
    """On a phone: one column, nothing cut off, and Enter shows the message."""
    width = "document.documentElement.scrollWidth"
    page.resize(390, 844)
    page.page.reload()
    page.see(".row.open", "device.signature/invalid")
    page.expect_in_window("the failure is in the window")
    assert page.page.evaluate(width) <= 390
    widths = page.page.evaluate("""[...document.querySelectorAll(".message .row-area")]
        .map((one) => one.getBoundingClientRect().width)""")
    assert widths and min(widths) > 300, widths
    page.open("document")
    page.find(".row.open").click()
    page.press("Enter")
    page.field("docType:").click()
    assert "docType" in marked(page), marked(page)
    assert page.page.evaluate(width) <= 390


@story
def keyboard(page):
    """Everything by keys: rows, the failure, the search, fields and bytes."""
    heading = page.find("#detail h2")
    start = heading.inner_text()
    page.press("ArrowUp")
    # The row above is open.
    expect(page.find("#detail .panel-facts")).not_to_have_text("")
    expect(page.find(".row.open")).not_to_have_text("")
    page.press("Home")
    expect(heading).to_contain_text("Before the first step", use_inner_text=True)
    page.press("Enter")
    expect(page.find(".setup-row")).to_have_attribute("aria-label", re.compile("unfolded"))
    page.press("f")
    # The key returns to the failure.
    expect(heading).to_have_text(start)
    page.press("k", "j")
    expect(heading).to_have_text(start)
    page.press("Enter")
    assert page.focused("one.className") == "field-list"
    page.press("Escape")
    assert page.focused("one.className") == "rows"
    page.press("/")
    assert page.focused("one.id") == "find-text"
    page.type("document response")
    page.press("Enter")
    reach(page, "field-list", 40)
    page.press("ArrowDown", "ArrowDown", "ArrowDown")
    expect(page.find(".field-line.on").first, "no field is chosen").not_to_have_text("")
    reach(page, "hex", 6)
    page.press("ArrowRight", "ArrowRight")
    expect(page.find(".byte.cursor"), "no byte is chosen").not_to_have_count(0)
    page.see(".bytes-status", "is 0x")


def reach(page, name, presses):
    """Moves the focus forward to an element of a class."""
    for _ in range(presses):
        if page.focused("one.className") == name:
            return
        page.press("Tab")
    assert page.focused("one.className") == name, f"the focus does not reach {name}"


@story
def screens(page):
    """The selector and the sheet as the person saw them, and the selector's table."""
    page.open("show selector")
    page.see(".screen", "Choose an app")
    page.open("show view")
    page.see(".screen", "Authorize with Face ID")
    page.shoot("-view")
    page.search("check", "selector.reader")
    page.see(".selection", "hidden", "It would appear")


AXE = """
const { violations, passes } = await axe.run(document, { resultTypes: ["violations"] });
return { passes: passes.length, violations: violations.map(({ id, nodes }) =>
  [id, nodes.map(({ html }) => html.slice(0, 200))]) };
"""


@story(needs=["axe"], is_dark_too=True, is_long=True)
def accessible(page):
    """axe-core finds no violation in the selected kinds of lines."""
    page.page.evaluate(axe_core())
    for operation in [None, "document", "show selector", "show view", "POST /presentments/response", "selection"]:
        if operation == "selection":
            page.search("check", "selector.reader")
        elif operation:
            page.open(operation)
            for selector in [".guard", ".field-line:nth-child(3)"]:
                for one in page.find(selector).all()[:1]:
                    one.click()
        result = page.run(AXE)
        assert result["violations"] == [] and result["passes"] > 10, (operation, result)


# A jump draws what is in the window in the first frame, and the rows around it in the second.
PLACE = """
(place) => new Promise((done) => {
  const scroller = document.getElementById("timeline");
  scroller.scrollTop = (scroller.scrollHeight - scroller.clientHeight) * place;
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => done({
    rows: [...document.querySelectorAll("#timeline .row")].map((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return { top, bottom, index: Number(row.dataset.index), line: Number(row.dataset.line),
        name: row.getAttribute("aria-label"), kind: row.className };
    }),
    top: document.querySelector(".lane-heads").getBoundingClientRect().bottom,
    bottom: scroller.getBoundingClientRect().bottom, elements: document.getElementsByTagName("*").length,
  }))));
})
"""


@story(make=long_trace.make_page, is_long=True)
def thousands(page):
    """10,000 messages are all there, and few of them in the document, wherever the timeline is scrolled."""
    lines = {line["line"]: line for line in map(json.loads, long_trace.trace_of(page.path).open(encoding="utf-8"))}
    found, starts = [], []
    for step in range(41):
        # By small and large steps, forwards and backwards.
        place = step * 7 % 41 / 40
        state = page.page.evaluate(PLACE, place)
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
    page.find("#find-text").press("Shift+Enter")
    page.expect_in_window("the last failure is shown")
    page.see(".row.open", "device.signature/invalid")
    page.find(".rows").press("End")
    last = page.find(".row.open")
    expect(last).to_have_attribute("aria-posinset", last.get_attribute("aria-setsize"))
