"""The server of a story with a window of its own, and a person's actions in it."""

import contextlib
import json
import re
import subprocess
import time
import urllib.request

from playwright.sync_api import expect

from patience import PATIENCE
from story import ROOT, register
from window import Window, playwright_context, real_tabs

# In CSS pixels. As large as the page in a window of 1400 x 1000 pixels.
SIZE = {"width": 1400, "height": 857}

# The query of the run on the stage; undefined while one is fetched.
RUN_SHOWN = "document.getElementById('bar')?.dataset.run"

# The first visible button of a device whose label begins with a text, after the lists above it were read to their ends.
# The icons of the home screen have the names of apps, as the selector has, which may come a moment later.
PLACE = ".home-place[data-act^='hand:']"
BUTTONS = f"#scene [data-act]:not([inert] *, {PLACE}), #phone [data-act]:not([inert] *, {PLACE})"
IS_READY = f"""
(label) => {{
  for (const one of document.querySelectorAll(".read-through > [role=group]")) one.scrollTop = 1e6;
  const button = [...document.querySelectorAll("{BUTTONS}")].find((one) =>
    one.checkVisibility({{ visibilityProperty: true }}) && one.innerText.trim().startsWith(label));
  return button !== undefined && button.getAttribute("aria-disabled") !== "true";
}}
"""

GO_TO = """
(query) => {
  history.pushState(null, "", query);
  dispatchEvent(new PopStateEvent("popstate"));
}
"""

# The names of the buttons that a play has pressed. A press is short, and may be over before a look at the page.
NOTE_PRESSES = """
() => {
  window.presses = [];
  new MutationObserver((changes) => changes.forEach(({ target }) => {
    if (target.classList.contains("pressed")) window.presses.push(target.dataset.act);
  })).observe(document.getElementById("scene"), { subtree: true, attributeFilter: ["class"] });
}
"""


class Server:
    """`presentment serve` on free ports."""

    def __init__(self, setting, *options):
        self.errors = setting.folder() / "errors"
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                [setting.presentment, "serve", "--port", "0", "--bidi", "0", *options], cwd=ROOT,
                stdout=subprocess.PIPE, stderr=errors, text=True)
        self.url = self.process.stdout.readline().strip()
        self.bidi = self.process.stdout.readline().strip()
        assert self.url and self.bidi, f"the server does not start: {self.errors.read_text()}"
        self.port = self.url.rstrip("/").rsplit(":", 1)[1]
        # Names below localhost are known to browsers, not to every resolver.
        self.address = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.terminate()
        code = self.process.wait(PATIENCE)
        self.process.stdout.close()
        if kind is None:
            assert code == 0, f"the server ends with {code}: {self.errors.read_text()}"


class Demo(Window):
    """A window of the demo. Its server runs until the window is closed."""

    def __init__(self, setting, name, context, server):
        super().__init__(setting, name, context)
        self.server = server
        self.url, self.port = server.url, server.port

    def state(self):
        return f"the stage says {self.text('#now, #verdict')!r}"

    def address(self):
        return self.page.evaluate("location.href")

    def run_shown(self):
        return self.page.evaluate(RUN_SHOWN)

    def wait_until(self, what, is_so):
        """Waits for what this program hears of, such as a request."""
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end, f"never: {what}"
            self.page.wait_for_timeout(20)

    def wait_for_run(self):
        self.wait("a run is shown", f"() => {RUN_SHOWN}")

    def open(self, path):
        """Opens a page of the demo that shows a run."""
        self.page.goto(f"{self.url}{path}")
        self.wait_for_run()

    def open_stage(self, query):
        self.open(f"?{query}")

    @contextlib.contextmanager
    def another_run(self):
        """A step to another run."""
        before = self.run_shown()
        yield
        self.wait("another run is shown", f"(before) => {RUN_SHOWN} && {RUN_SHOWN} !== before", before)

    def go_to(self, query):
        """Shows another run in the same page, as a step in the browser's history does."""
        with self.another_run():
            self.page.evaluate(GO_TO, f"?{query}")

    def take_over(self, query=""):
        """The page of the headline scenario is open, and the person takes over by asking."""
        self.open_stage(f"scenario=headline&seed=7&step=1{query}")
        self.tap("Verify Identity")

    def tap(self, label):
        """Taps a button of a device by the beginning of its label. A list above it is read to its end first."""
        self.wait(f"a device has a button {label}", IS_READY, label)
        # The page may draw the button again meanwhile.
        begins = re.compile(rf"^\s*{re.escape(label)}")
        self.find(BUTTONS, begins).filter(visible=True).first.click()

    def open_place(self, name):
        """Opens Settings, the app store or an app from the home screen of a device."""
        self.find(PLACE, name).filter(visible=True).first.click()

    def expect_verdict(self, *texts):
        self.see("#verdict", *texts)

    def expect_site(self, *texts):
        self.see("#scene .page-view", *texts)

    def expect_step(self, number):
        """Waits until this number of steps is before the position."""
        self.wait(f"step {number} is shown",
                  "(start) => document.querySelector('.step-count')?.textContent.startsWith(start)", f"{number} / ")

    def expect_all_met(self):
        """Waits until every expectation of the scenario is judged and met."""
        self.wait("every expectation is judged", """() => {
            const [all, done, failed] = ["", ".done", ".failed"]
              .map((state) => document.querySelectorAll(`.mark.expectation${state}`).length);
            return all > 0 && done + failed === all;
        }""")
        expect(self.find(".mark.failed"), "an expectation of the scenario is not met").to_have_count(0)

    def count(self):
        """The number of steps before the position, and of all."""
        return tuple(int(one) for one in self.text(".step-count").split(" / "))

    def reach(self, fact, presses=120, key="Tab"):
        """Moves the focus with a key, forward, to an element with a fact, an expression of `one`."""
        for _ in range(presses):
            self.press(key)
            if self.focused(fact):
                return
        raise AssertionError(f"the focus does not reach {fact}")

    def note_presses(self):
        self.page.evaluate(NOTE_PRESSES)

    def expect_press(self, name=None):
        """Waits until a play has pressed a button, of this name if there is one."""
        self.wait(f"{name or 'a button'} is pressed",
                  "(name) => (name ? window.presses.includes(name) : window.presses.length > 0)", name)

    def world(self):
        """The name of the taken-over world."""
        return self.find("#recording").get_attribute("href").split("/worlds/")[1].split("/")[0]

    def get(self, path, **headers):
        """The server's answer to a program."""
        request = urllib.request.Request(f"{self.server.address}{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return response.read()

    def api(self, path, body=None, origin=None):
        """Asks the server, as a page of an origin or as a program."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **({"Origin": origin} if origin else {})}
        request = urllib.request.Request(f"{self.server.address}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            text = response.read()
            return json.loads(text) if text else None

    def expect_selector(self, world, is_open):
        """Waits until the phone of a world shows the selector, or does not. The server sends each change."""
        end = time.monotonic() + PATIENCE
        address = f"{self.server.address}/api/worlds/{world}/events"
        with urllib.request.urlopen(address, timeout=PATIENCE) as events:
            is_screen = False
            for line in events:
                if line.startswith(b"event: "):
                    is_screen = line == b"event: screen\n"
                elif is_screen and line.startswith(b"data: "):
                    screen = json.loads(line[6:])
                    if (screen["devices"][screen["device"]]["selector"] is not None) == is_open:
                        return
                assert time.monotonic() < end, f"the phone {'never' if is_open else 'still'} shows the selector"


def story(function=None, *, needs=(), is_long=False, has_real_tabs=False):
    """Declares a story of the demo by its function. It gets a server and a window of its own."""
    def declare(function):
        context = real_tabs if has_real_tabs else playwright_context

        def run(setting):
            with Server(setting) as server, context(setting, SIZE) as made:
                with Demo(setting, function.__name__, made, server) as demo:
                    function(demo)
        register(function.__name__, function, run, needs, is_long)
        return function
    return declare if function is None else declare(function)
