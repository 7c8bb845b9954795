"""Stories of websites: those of a world without the stage, and external ones with servers of their own."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import threading

from playwright.sync_api import expect

import page_api
from demo import story
from patience import PATIENCE
from story import ROOT, chromium, drivers_node

SAMPLES = ROOT / "docs" / "your-site"

# The phone over a page is next to the body, which is then inert.
IS_COVERED = "() => document.body.inert && document.querySelector('html > div') !== null"
IS_FREE = f"() => !({IS_COVERED})()"


@story
def alone(demo):
    """The site without the stage: the phone appears over the page."""
    world = demo.api("/api/worlds", {"world": "spaceport", "seed": 7})
    demo.page.goto(world["websites"][0]["url"])
    button = demo.find("#verify-button")
    expect(button).to_be_enabled()
    assert demo.page.evaluate(IS_FREE), "something is over the page before the call"
    button.click()
    demo.wait("the phone is over the page", IS_COVERED)
    demo.shoot("-overlay")
    # The phone in a tab of its own is the same one.
    with demo.in_page(demo.context.new_page()) as phone:
        phone.goto(f"{demo.url}phone?world={world['id']}")
        demo.tap("Wallet")
        demo.tap("Authorize")
        demo.see("#phone", "Sent")
        phone.close()
    demo.see("main", "Kelly")
    demo.wait("the phone has gone", IS_FREE)


# Keeps the page's options and a controller for its calls. Each call needs a gesture of its own.
CONTROLLED = """
() => {
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = (options) => {
    window.lastOptions = options;
    window.stop = new AbortController();
    return get({ ...options, signal: window.stop.signal });
  };
  window.again = () => presentment.simulateActivation().then(() => {
    navigator.credentials.get(window.lastOptions).catch(({ name }) => { window.endedWith = name; });
  });
}
"""


@story
def leaving(demo):
    """A page that is reloaded or aborts its call while the phone asks: the phone closes its sheet."""
    world = demo.api("/api/worlds", {"world": "spaceport", "seed": 7})
    address = world["websites"][0]["url"]

    def expect_selector(is_open):
        demo.expect_selector(world["id"], is_open)

    def call():
        demo.find("#verify-button").click()
        expect_selector(True)

    demo.page.goto(address)
    call()
    demo.shoot("-asking")
    # The other site's page does not contact the first world: only the closed connection shows that the page is gone.
    demo.page.goto("about:blank")
    expect_selector(False)
    demo.page.goto(address)
    call()
    demo.page.close()
    expect_selector(False)
    demo.page = demo.context.new_page()
    demo.page.goto(address)
    expect(demo.find("#verify-button")).to_be_enabled()
    demo.page.evaluate(CONTROLLED)
    call()
    demo.page.evaluate("window.stop.abort()")
    expect_selector(False)
    # The page's own reason.
    demo.see("main", "AbortError")
    demo.run("await window.again();")
    expect_selector(True)
    demo.page.evaluate("window.stop.abort()")
    demo.wait("that call ends too", "() => window.endedWith === 'AbortError'")
    demo.run("await window.again();")
    expect_selector(True)
    demo.wait("the phone covers the page", IS_COVERED)


@contextlib.contextmanager
def your_site(demo, attributes=None):
    """An external site with a server of its own; with attributes, its page includes the script of this demo."""
    import server

    folder = demo.setting.folder()
    roots = folder / "issuer-roots.pem"
    roots.write_bytes(demo.get("/api/issuer-roots?world=any-site"))
    pages = dict(server.PAGES)
    if attributes is not None:
        page = folder / "with-presentment-js.html"
        text = server.PAGES["/with-presentment-js.html"].read_text(encoding="utf-8")
        script = f'demo.localhost:{demo.port}/presentment.js" {attributes}'
        page.write_text(text.replace('demo.localhost:8080/presentment.js"', script), encoding="utf-8")
        server.PAGES["/with-presentment-js.html"] = page
    site = server.start(demo.presentment, str(roots))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    try:
        yield site
        # A page that has shown its result prepares the next request. Without its server, that fails.
        for page in demo.context.pages:
            if page.url.startswith(site.origin):
                expect(page.locator("#verify")).to_be_enabled()
    finally:
        site.shutdown()
        site.server_close()
        server.PAGES.update(pages)


def environment():
    """The variables that the samples read."""
    return {"CHROMIUM": chromium(), **os.environ, "PATIENCE": str(PATIENCE)}


def run_sample(name, *arguments):
    """Runs a sample by its own command, and returns the lines that it prints."""
    done = subprocess.run(
        [sys.executable, "-B", str(SAMPLES / name), *arguments], env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def phone_over(page):
    """The address of the phone over a page."""
    while True:
        found = next((frame.url for frame in page.frames if "/phone?world=" in frame.url), None)
        if found:
            return found
        page.wait_for_event("framenavigated")


@story
def included(demo):
    """The external site's page with presentment.js: the phone appears over the page, and the site's server verifies."""
    with your_site(demo, 'data-world="any-site"') as site:
        for choice, said in [("Cancel", "Your browser did not hand over an ID."), ("Wallet", "Hello, Kelly")]:
            demo.page.goto(f"{site.origin}/with-presentment-js.html")
            demo.find("#verify").click()
            address = phone_over(demo.page)
            with demo.in_page(demo.context.new_page()) as phone:
                phone.goto(address)
                demo.tap(choice)
                if choice != "Cancel":
                    demo.tap("Authorize")
                    demo.see("#phone", "Sent")
                phone.close()
            expect(demo.find("#result")).to_have_text(said)


@story(has_real_tabs=True)
def external_page(demo):
    """The stage shows the calls of a page of another origin. A fault that is chosen there makes the next call fail."""
    with your_site(demo, 'data-world="any-site"') as site:
        demo.open_stage("world=any-site")
        demo.see(".own-site", "No page has joined yet")
        demo.shoot("-none")
        page = demo.context.new_page()
        button, result = page.locator("#verify"), page.locator("#result")

        def ask(number):
            """The page asks; the person answers on the stage, which shows the call."""
            with demo.in_page(page):
                expect(button).to_be_enabled()
                demo.wait("the page may ask", IS_FREE)
                button.click()
            demo.see("#external-pages", site.origin, f"{number} call" + ("" if number == 1 else "s"))
            demo.tap("Wallet")
            demo.tap("Authorize")

        def expect_result(text):
            with demo.in_page(page):
                expect(result).to_have_text(text)

        with demo.in_page(page):
            page.goto(f"{site.origin}/with-presentment-js.html")
        ask(1)
        demo.expect_verdict("Your page got an answer.", "your server, which verifies it now")
        demo.see("#wire", "announce presentment", "Server of localhost")
        demo.shoot("-answered")
        expect_result("Hello, Kelly")

        demo.find("#break summary").click()
        # A fault of simulated websites is not offered.
        expect(demo.find("[data-fault='unsigned']")).to_be_hidden()
        demo.find("[data-fault='wallet.value-changed']").click()
        demo.see("#broken", "A value is changed")
        ask(2)
        demo.expect_verdict("your server should refuse", "A value is changed")
        expect_result("Refused: element.digest")

        # Each reload keeps the world and the fault, until it is repaired.
        with demo.in_page(page):
            page.reload()
        ask(3)
        expect_result("Refused: element.digest")
        demo.find("#repair-all").click()
        expect(demo.find("#broken")).to_be_hidden()
        ask(4)
        expect_result("Hello, Kelly")

        # A backend without a browser gets the same.
        begun = site.begin()
        question = {"origin": site.origin, "request": begun["options"], "world": "any-site"}
        answer = demo.api("/api/answer", {**question, "faults": ["issuer.expired"]})
        report = site.verify(begun["session"], answer["protocol"], answer["data"])
        assert report["failure"]["check"] == "mso.validity", report
        page.close()


@story(has_real_tabs=True)
def tabs(demo):
    """More live worlds at once than a browser has connections to one server: the first continues where it was."""
    demo.take_over()
    first = demo.page
    for _ in range(8):
        demo.page = demo.context.new_page()
        demo.take_over()
        expect(demo.find("#scene .offer")).not_to_have_count(0)
    demo.page = first
    first.bring_to_front()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified: it is Kelly")


@story(needs=["selenium"])
def native(demo):
    """The sample for Selenium, run by its own command: the browser's own API and its virtual wallet."""
    with your_site(demo) as site:
        shown = run_sample("selenium_test.py", demo.server.address, site.origin,
                           str(demo.screenshots / "native-your-site.png"))
    assert shown == ["Hello, Kelly"], shown
    demo.page.goto(demo.url)


class NativeCall:
    """A call of an external site's page to the browser's own API. It is held until the virtual wallet is set."""

    def __init__(self, demo, site):
        import selenium_test

        self.demo, self.sample = demo, selenium_test
        demo.context.add_init_script(selenium_test.HOLD)
        demo.page.goto(site.origin)
        demo.find("#verify").click()
        self.held = self.next_held(None)

    def next_held(self, before):
        """The next request that the page makes."""
        held = self.demo.wait(
            "the page calls", "(before) => window.heldRequest !== before && window.heldRequest", before)
        return held.json_value()

    def let_go(self, command):
        """Configures the virtual wallet, and continues the page's call with the browser's own API."""
        self.demo.command(command["method"], command["params"])
        self.demo.page.evaluate("window.resume()")

    def let_go_with(self, **behavior):
        self.let_go({"method": "DigitalCredentials.setVirtualWalletBehavior", "params": behavior})

    def answer(self, held):
        """The phone's answer, as a command for the virtual wallet."""
        return self.sample.answer(self.demo.server.address, held)


@story(needs=["selenium"])
def native_decline(demo):
    """The person declines: the site reports that, and does not report a failure."""
    with your_site(demo) as site:
        NativeCall(demo, site).let_go_with(action="decline")
        expect(demo.find("#result")).to_have_text("Your browser did not hand over an ID.")


@story(needs=["selenium"])
def native_wait(demo):
    """No app responds: the page waits until the person cancels, and can ask again."""
    with your_site(demo) as site:
        call = NativeCall(demo, site)
        call.let_go_with(action="wait")
        demo.shoot("-waiting")
        result, button = demo.find("#result"), demo.find("#verify")
        expect(result).to_have_text("")
        expect(button).to_be_disabled()
        demo.find("#cancel").click()
        # The page then reports that the person stopped it.
        expect(result).to_have_text("You stopped waiting.")
        # The same page can ask again.
        button.click()
        call.let_go(call.answer(call.next_held(call.held)))
        expect(result).to_have_text("Hello, Kelly")


@story(needs=["selenium"])
def native_failure(demo):
    """A malformed response: the site's server reports why, differently from a person who declines."""
    with your_site(demo) as site:
        NativeCall(demo, site).let_go_with(
            action="respond", protocol="org-iso-mdoc", response={"response": "AAAA"})
        expect(demo.find("#result")).not_to_have_text("")
        shown = demo.text("#result")
        assert shown.startswith("Refused: response."), shown


@story
def playwright(demo):
    """The sample for Playwright, run by its own command."""
    with your_site(demo) as site:
        shown = run_sample("playwright_test.py", demo.server.address, site.origin,
                           str(demo.screenshots / "playwright-your-site.png"))
    assert shown == ["Hello, Kelly"], shown
    demo.page.goto(demo.url)


@story(needs=["selenium"])
def bidi(demo):
    """The sample that accepts, declines and cancels through WebDriver BiDi, run by its own command."""
    world = demo.api("/api/worlds", {"world": "any-site"})["id"]
    with your_site(demo, f'data-overlay="none" data-world="{world}"') as site:
        shown = run_sample("bidi_test.py", demo.server.bidi, f"{site.origin}/with-presentment-js.html")
    assert shown == ["Hello, Kelly", "Your browser did not hand over an ID.", "You stopped waiting."], shown


FAILING = """
from test_with_pytest import page, verify

def test_fails(phone, verify):
    phone.accept()
    verify("Hello, Kelly")
    assert False
"""


def run_pytest(demo, site, file, *more):
    """Starts pytest with the plug-in of the samples, in a folder of its own."""
    folder = demo.setting.folder()
    variables = {
        **environment(), "PYTHONPATH": str(SAMPLES), "PYTHONDONTWRITEBYTECODE": "1",
        "SITE": f"{site.origin}/with-presentment-js.html"}
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "presentment_pytest", "-p", "no:cacheprovider",
         f"--rootdir={folder}", "--presentment-bidi", demo.server.bidi, *more, str(file)],
        cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def expect_artifacts(demo, site, trace, archive):
    """Looks at the trace of a page with one call, and at the HTTP Archive with the call."""
    demo.page.goto(trace.as_uri())
    demo.see("body", "Calls of", site.origin)
    [entry] = json.loads(archive.read_text(encoding="utf-8"))["log"]["entries"]
    assert entry["response"]["status"] == 200 and "org-iso-mdoc" in entry["request"]["postData"]["text"], entry


@story(needs=["pytest"])
def pytest_plugin(demo):
    """Two runs of pytest at once on one server pass; a test that fails leaves the trace of its page and its calls."""
    with your_site(demo, 'data-overlay="none" data-world="any-site"') as site:
        runs = [run_pytest(demo, site, SAMPLES / "test_with_pytest.py") for _ in range(2)]
        for run in runs:
            said = run.communicate(timeout=PATIENCE)[0]
            assert run.returncode == 0 and "4 passed" in said, said
        folder = demo.setting.folder()
        (folder / "test_failing.py").write_text(FAILING, encoding="utf-8")
        run = run_pytest(demo, site, folder / "test_failing.py", "--presentment-artifacts", str(folder / "left"))
        said = run.communicate(timeout=PATIENCE)[0]
        assert run.returncode == 1 and "1 failed" in said, said
        [trace], [archive] = (folder / "left").glob("test_fails-*.html"), (folder / "left").glob("test_fails-*.har")
        expect_artifacts(demo, site, trace, archive)
        assert not demo.api("/api/pages")["pages"], "the worlds of tests end with them"


@story(needs=["drivers-node"])
def playwright_fixture(demo):
    """The fixture for Playwright Test, called as its runner does: a test that fails gets the trace and the calls."""
    with your_site(demo, 'data-overlay="none" data-world="any-site"') as site:
        folder = demo.setting.folder()
        done = subprocess.run(
            [str(drivers_node()), str(pathlib.Path(__file__).with_name("playwright_fixture.mjs")),
             str(SAMPLES / "presentment-playwright.ts"), f"{site.origin}/with-presentment-js.html", demo.server.bidi,
             str(folder)],
            env=environment(), capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr
        expect_artifacts(demo, site, folder / "trace-1.html", folder / "calls.har")
        assert not demo.api("/api/pages")["pages"], "the worlds of tests end with them"


@story
def apart(demo):
    """Two tests at once on one server: neither is in the way of the other, or has the behavior of its wallet."""
    with your_site(demo, 'data-overlay="none" data-world="any-site" data-test') as site:
        address = f"{site.origin}/with-presentment-js.html"
        button, result = demo.find("#verify"), demo.find("#result")

        def open_page(query=""):
            demo.page.goto(address + query)
            return demo.run("await presentment.ready; return presentment.test;")

        def behave(behavior):
            demo.run(f"await presentment.setVirtualWalletBehavior({behavior});")

        first = open_page()
        behave("{ action: 'wait' }")
        button.click()
        demo.wait("the page asks", "() => !document.querySelector('#cancel').hidden")
        with demo.in_page(demo.context.new_page()) as page:
            second = open_page()
            assert first and second and first != second, (first, second)
            behave("{ action: 'respond', 'presentment:app': 'Wallet' }")
            page.locator("#verify").click()
            expect(page.locator("#result")).to_have_text("Hello, Kelly")
            # The test is the tab's, until the address names another one.
            assert open_page() == second
            assert open_page("?presentment-test=named") == "named"
            assert open_page() == "named"
            behave("{ action: 'decline' }")
            demo.run("await presentment.reset();")
            unknown = demo.run("""
                return presentment.setVirtualWalletBehavior({ action: "respond", "presentment:app": "Walet" })
                  .catch(({ name, message }) => [name, message.includes("did you mean 'Wallet'?")]);""")
            assert unknown == ["invalid argument", True], unknown
            behave("{ action: 'respond', 'presentment:app': 'Wallet' }")
            page.locator("#verify").click()
            expect(page.locator("#result")).to_have_text("Hello, Kelly")
            expect(page.locator("#verify")).to_be_enabled()
            page.close()
        demo.find("#cancel").click()
        expect(result).to_have_text("You stopped waiting.")
    # The refusal that the page expects.
    assert all("/virtual-wallet" in one for one in demo.errors), demo.errors
    demo.errors.clear()


@story
def api(demo):
    """presentment.js in pages and frames, with the virtual wallet."""
    page_api.check(demo)
    # The browser reports the refusal that the page expects.
    assert all("/virtual-wallet" in one for one in demo.errors), demo.errors
    demo.errors.clear()
    demo.page.goto(demo.url)
