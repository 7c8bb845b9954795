"""A browser context of a story. It fails the story on an error in the console of any of its pages."""

import base64
import contextlib
import os
import subprocess
import threading

from playwright.sync_api import Error, TimeoutError, expect

from patience import PATIENCE
from story import chromium

expect.set_options(timeout=PATIENCE * 1000)

# In milliseconds. Frames would be more often, and they stop while Chromium's graphics process is busy.
POLLING = 50

# The text that a person sees in the elements, each on lines of its own.
TEXT = """
(selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
  .map((one) => one.innerText).join("\\n")
"""
SEES = f"""
([selector, texts, ignoresCase]) => {{
  const fold = (text) => (ignoresCase ? text.toLowerCase() : text);
  const shown = fold(({TEXT})(selector));
  return texts.every((text) => shown.includes(fold(text)));
}}
"""


@contextlib.contextmanager
def playwright_context(setting, size, **options):
    """A new context in the Chromium that the stories share."""
    context = setting.browser.new_context(viewport=size, **options)
    try:
        yield context
    finally:
        context.close()


@contextlib.contextmanager
def real_tabs(setting, size):
    """The context of a Chromium of its own, in which only the tab in front is visible, as for a person.

    Playwright makes all pages of its own contexts visible. The first tab is empty: that of a new window replaces
    itself, and a connection that is made meanwhile may wait for ever."""
    arguments = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={setting.folder()}",
                 f"--window-size={size['width']},{size['height']}", "--no-first-run", "--disable-dev-shm-usage"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")
    process = subprocess.Popen([chromium(), *arguments, "about:blank"], stderr=subprocess.PIPE, text=True)
    try:
        address = next(line.split(" on ")[1].strip() for line in process.stderr if "DevTools listening on" in line)
        threading.Thread(target=process.stderr.read, daemon=True).start()
        browser = setting.playwright.chromium.connect_over_cdp(address, no_defaults=True, timeout=PATIENCE * 1000)
        yield browser.contexts[0]
        browser.close()
    finally:
        process.terminate()
        process.wait(PATIENCE)

# Encoding the pictures takes a fifth of the time of all stories.
TAKES_PICTURES = os.environ.get("PRESENTMENT_SCREENSHOTS") == "1"


class Window:
    """A context with one page, in which `find` and the waits below look."""

    def __init__(self, setting, name, context):
        self.setting, self.name = setting, name
        self.presentment, self.screenshots = setting.presentment, setting.screenshots
        self.screenshots.mkdir(parents=True, exist_ok=True)
        self.errors = []
        self.sessions = {}
        self.context = context
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.on("console", self.note_message)
        self.context.on("weberror", lambda problem: self.errors.append(str(problem.error)))
        self.page = context.pages[0] if context.pages else context.new_page()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            with contextlib.suppress(Error):
                self.shoot("-failed")
            return
        self.shoot()
        # A page's messages come in their order: those before this answer have been noted.
        for page in self.context.pages:
            page.evaluate("0")
        assert not self.errors, self.errors

    def note_message(self, message):
        if message.type in ("error", "assert"):
            self.errors.append(f"{message.location['url']}: {message.text}")

    def shoot(self, suffix=""):
        """Takes a picture for people to look at, if they want it or the story failed."""
        if TAKES_PICTURES or suffix == "-failed":
            self.picture(suffix)

    def picture(self, suffix):
        """Takes a picture of the page. Returns its file."""
        file = self.screenshots / f"{self.name}{suffix}.png"
        # Much faster than Playwright's, whose files are a little smaller.
        picture = self.command("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})["data"]
        file.write_bytes(base64.b64decode(picture))
        return str(file)

    @contextlib.contextmanager
    def in_page(self, page):
        """Acts and looks in another page, which comes to the front."""
        before, self.page = self.page, page
        page.bring_to_front()
        yield page
        self.page = before
        before.bring_to_front()

    def find(self, selector, text=None):
        """The elements, of those that contain a text. They are looked up again for each use."""
        return self.page.locator(selector, has_text=text)

    def visible(self, selector):
        """The first of the elements that a person sees."""
        return self.find(selector).filter(visible=True).first

    def text(self, selector):
        """The text that a person sees in the elements."""
        return self.page.evaluate(TEXT, selector)

    def wait(self, what, condition, argument=None):
        """Waits until a script returns true in the page."""
        try:
            return self.page.wait_for_function(condition, arg=argument, polling=POLLING)
        except TimeoutError as error:
            raise AssertionError(f"never: {what}; {self.state()}") from error

    def see(self, selector, *texts, ignores_case=False):
        """Waits until a person sees all texts at once in the elements."""
        self.wait(f"{selector} says {texts}", SEES, [selector, texts, ignores_case])

    def run(self, script):
        """Runs the body of an asynchronous function in the page, waits for its end and returns its value.

        It has no gesture of the person; a script in Playwright's `evaluate` has one."""
        late = f"new Promise((_, fail) => {{ setTimeout(fail, {PATIENCE * 1000}, 'never: the script ends'); }})"
        ended = self.command("Runtime.evaluate", {
            "expression": f"Promise.race([(async () => {{ {script} }})(), {late}])",
            "awaitPromise": True, "returnByValue": True})
        assert "exceptionDetails" not in ended, ended["exceptionDetails"]
        return ended["result"].get("value")

    def command(self, method, parameters):
        """A command of the Chrome DevTools Protocol to the page."""
        if self.page not in self.sessions:
            self.sessions[self.page] = self.context.new_cdp_session(self.page)
        return self.sessions[self.page].send(method, parameters)

    def press(self, *keys):
        """Presses keys, one after the other, in what has the focus."""
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text):
        self.page.keyboard.type(text)

    def focused(self, expression):
        """A fact about the element with the focus, as an expression of `one`."""
        return self.page.evaluate(f"() => {{ const one = document.activeElement; return {expression}; }}")

    def resize(self, width, height):
        self.page.set_viewport_size({"width": width, "height": height})

    def state(self):
        """What the page shows, for the message of a failure."""
        return f"the page is {self.page.url}"
