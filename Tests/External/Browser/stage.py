"""Stories of the stage: a person takes over a run, breaks something, and reads the messages."""

import re
import shutil
import signal
import subprocess
from urllib.parse import urlsplit

from playwright.sync_api import expect

from demo import Server, story
from story import ROOT


@story
def accept(demo):
    """The person accepts: the site knows Kelly, as the scenario expects."""
    demo.take_over()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified: it is Kelly")
    demo.expect_site("Kelly", "Welcome aboard")
    demo.see("#now", "You play")
    demo.expect_all_met()
    demo.see("#wire", "POST /presentments/response")
    demo.find("#leave").click()
    # The run of the scenario is shown where it was left.
    demo.expect_step(1)


@story
def decline(demo):
    """The person declines in another app: the difference from the scenario is shown."""
    demo.take_over()
    demo.tap("Local Driving Authority")
    demo.tap("Decline")
    demo.expect_verdict("said no")
    demo.expect_site("NotAllowedError", "picture")
    # What the scenario expects at this place is something else, and that is said.
    expect(demo.find(".mark.failed")).not_to_have_count(0)
    expect(demo.find(".differences li")).not_to_have_count(0)


@story
def choosing(demo):
    """The person chooses another document in the sheet: the sheet shows it, and the site gets it."""
    demo.open_stage("scenario=documents/two-licenses-in-one-app&step=1")
    demo.tap("Verify Identity")
    demo.tap("Wallet")
    demo.see("#scene .card-art", "Spaceport DMV")
    demo.see("#scene .group.absent", "Photo")
    demo.tap("Driver's License")
    demo.see("#scene .card-art", "Moonbase DMV")
    demo.see("#scene .other-documents", "Spaceport DMV")
    demo.tap("Authorize")
    demo.expect_site("M-12")


@story
def cancel(demo):
    """The person closes the selector."""
    demo.take_over()
    demo.tap("Cancel")
    demo.expect_site("NotAllowedError", "picture")


@story
def nobody(demo):
    """No app may answer an unsigned request, and the site cannot tell that from a refusal."""
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
# The run ends while the selector is open: no party has noticed the fault yet.
ENDINGS = {"another-authority": ["The run ended otherwise than without the fault"]}
FAULTS_IN_ADDRESS = "() => new URLSearchParams(location.search).getAll('fault')"


@story
def faults(demo):
    """One fault at a time: each replaces the one before, unless faults are combined."""
    known = {fault["id"]: fault["label"] for fault in demo.api("/api/catalogue")["faults"]}
    assert set(known) == set(FAULTS), set(known) ^ set(FAULTS)
    demo.open_stage("scenario=headline&seed=7")

    def chosen():
        return demo.page.evaluate(FAULTS_IN_ADDRESS)

    def choose(name):
        if demo.find("#break").get_attribute("open") is None:
            demo.find("#break summary").click()
        with demo.another_run():
            demo.find(f"[data-fault='{name}']").click()

    for name, said in FAULTS.items():
        choose(name)
        assert chosen() == [name], chosen()
        demo.see("#broken", known[name])
        expect(demo.find("#repair-all")).to_be_visible()
        demo.press("End")
        demo.see("#now, #verdict", said, ignores_case=True)
        demo.expect_verdict(*ENDINGS.get(name, ["The fault was noticed"]))
        expect(demo.find("#verdict", "Case failed")).to_have_count(0)
        demo.shoot(f"-{name}")
    demo.find("#break summary").click()
    demo.find("#combine").click()
    with demo.another_run():
        demo.find("[data-fault='issuer.expired']").click()
    assert len(chosen()) == 2, chosen()
    with demo.another_run():
        demo.find("#repair-all").click()
    assert chosen() == [], chosen()
    expect(demo.find("#broken")).to_be_hidden()


@story
def any_fault(demo):
    """A fault of the catalogue beyond those of the menu is chosen by its name."""
    demo.open_stage("scenario=headline&seed=7")
    demo.find("#break summary").click()
    expect(demo.find("#all-faults option")).not_to_have_count(0)
    names = demo.page.evaluate("[...document.querySelectorAll('#all-faults option')].map(({ value }) => value)")
    name = next(one for one in names if one.startswith("wallet.") and one not in FAULTS)
    with demo.another_run():
        demo.find("#any-fault").fill(name)
        demo.find("#any-fault").press("Enter")
    assert demo.page.evaluate(FAULTS_IN_ADDRESS) == [name]
    expect(demo.find("#broken")).to_be_visible()
    expect(demo.find("#repair-all")).to_be_visible()
    demo.press("End")
    demo.expect_verdict("This was broken:")


@story
def scenarios(demo):
    """The menu has every scenario and case, and a search; the choice is in the address."""
    demo.open_stage("")
    demo.find("#open-menu").click()
    expect(demo.find("#menu .menu-group h3").first).to_have_text("Start here")
    groups = demo.find("#menu .menu-group h3").count()
    assert groups > 5, groups
    demo.find("#menu input").press_sequentially("padded base64url")
    expect(demo.visible("#menu a")).to_contain_text("padded base64url", use_inner_text=True)
    with demo.another_run():
        demo.press("Enter")
    assert "padded" in demo.address(), demo.address()
    expect(demo.find("#case-title")).to_have_text("padded base64url")
    expect(demo.page).to_have_title(re.compile("padded"))
    demo.press("End")
    demo.expect_verdict("response.data/malformed", "Case passed")
    demo.find("#open-menu").click()
    expect(demo.visible("#menu .menu-group h3")).to_be_visible()
    cut = demo.page.evaluate("""() =>
        [...document.querySelectorAll("#menu a, #menu p, #open-menu span:not(.visually-hidden)")].filter((one) =>
          one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline")
          .map((one) => one.textContent)""")
    assert not cut, f"names are cut off: {cut[:3]}"
    # A short name finds the scene with it first, then scenarios, and cases after them.
    demo.find("#menu input").fill("qr")
    with demo.another_run():
        demo.press("Enter")
    assert "scenario=cross-device/qr-code-on-a-laptop" in demo.address(), demo.address()
    demo.find("#open-menu").click()
    expect(demo.find("#menu")).to_be_visible()
    demo.press("Escape")
    expect(demo.find("#menu")).to_be_hidden()


@story
def keyboard(demo):
    """A presenter's walk with the keyboard only: choose, step, take over, authorize, return."""
    demo.open_stage("scenario=attacks/cloned-document")
    demo.press("/")
    expect(demo.find("#menu")).to_be_visible()
    with demo.another_run():
        demo.type("rent a spaceship with an id in wallet")
        demo.press("ArrowDown", "Enter")
    assert "scenario=headline" in demo.address(), demo.address()

    def reach(label):
        """Moves the focus forward to a button of a device."""
        demo.reach(f"one.dataset.act && one.innerText.trim().startsWith('{label}')")

    demo.press("ArrowRight")
    demo.expect_step(1)
    reach("Verify Identity")
    demo.press("Enter")
    expect(demo.find("#scene .offer")).not_to_have_count(0)
    reach("Wallet")
    demo.press("Enter")
    expect(demo.find("#scene .gesture")).not_to_have_count(0)
    demo.find(".read-through > [role=group]").first.focus()
    demo.press("End")
    # The list was read.
    expect(demo.find("#scene .gesture.unread")).to_have_count(0)
    reach("Authorize")
    demo.press("Space")
    demo.expect_verdict("Verified")
    demo.page.evaluate("document.activeElement.blur()")
    demo.press("ArrowLeft")
    # Only the authorization is undone: Wallet asks again.
    expect(demo.find("#scene .gesture")).not_to_have_count(0)
    demo.expect_step(5)
    demo.press("End")
    demo.expect_verdict("Case passed")
    # What was played by hand can be taken up again.
    demo.find("#resume").focus()
    demo.press("Enter")
    expect(demo.find("#scene .gesture")).not_to_have_count(0)
    demo.expect_step(5)


@story
def another_way(demo):
    """Who fails an attempt may try again: nothing is judged before the end of the presentment."""
    demo.take_over()
    demo.tap("Wallet")
    demo.tap("Let another person look")
    demo.see("#now", "You went another way", "judged at the end")
    expect(demo.find(".mark.failed")).to_have_count(0)
    expect(demo.find("#scene .sheet [data-act='authorizes-with:face-id:fails']")).to_have_count(0)
    demo.see("#verdict", "No verdict yet")
    assert "The result is" not in demo.text("#now"), demo.text("#now")
    demo.tap("Authorize")
    demo.expect_verdict("Verified: it is Kelly")
    demo.expect_all_met()
    demo.see("#now", "The result is what the scenario expects")
    # In another app the scenario's expectations are not those of the screen, and the result is judged.
    demo.take_over()
    demo.tap("Local Driving Authority")
    demo.see("#now", "You went another way")
    expect(demo.find("#now", "As the scenario expects")).to_have_count(0)
    expect(demo.find(".mark.failed")).to_have_count(0)
    demo.tap("Decline")
    demo.expect_verdict("said no")
    expect(demo.find(".mark.failed")).to_have_count(1)
    # The person tries again after the last step: the result is that of the new presentment.
    for label in ["Verify Identity", "Wallet", "Authorize"]:
        demo.tap(label)
    demo.expect_verdict("Verified: it is Kelly")
    demo.see("#now", "The result is what the scenario expects")
    for selector in [".mark.failed", ".differences"]:
        expect(demo.find(selector)).to_have_count(0)


@story
def begun(demo):
    """A world begins with the run's next act done. Any other act comes after the beginning; each is undone alike."""
    asked = []
    demo.page.on("request", lambda request: request.method == "POST" and asked.append(urlsplit(request.url).path))
    for step, label, is_next, shown in [(1, "Verify Identity", True, ".offer"), (2, "Wallet", False, ".gesture")]:
        demo.open_stage(f"{HEADLINE}{step}")
        asked.clear()
        demo.tap(label)
        expect(demo.find(f"#scene {shown}")).not_to_have_count(0)
        demo.see("#now", "You play")
        assert asked[0] == "/api/worlds" and any(path.endswith("/steps") for path in asked) != is_next, asked
        demo.press("ArrowLeft")
        expect(demo.find(f"#scene {shown}")).to_have_count(0)
        # No act is left: the run is shown again.
        demo.press("ArrowLeft")
        demo.expect_step(step)
    # The button of an upload does not name the file: only the run's own is its next act.
    for file, is_next in [("empty-file", True), ("scan", False)]:
        demo.open_stage("scenario=checkout/fallback-form%23an%20empty%20file&step=3")
        asked.clear()
        demo.find("#scene .page-form select").select_option(file)
        demo.find("#scene .page-form button").click()
        demo.see("#now", "You play")
        demo.wait_until("the act is sent", lambda: is_next or any(path.endswith("/steps") for path in asked))
        assert any(path.endswith("/steps") for path in asked) != is_next, (file, asked)


@story
def busy(demo):
    """While a world begins, another press waits for it, and so does the way back: one world, and nothing is lost."""
    asked = []
    demo.page.on("request", lambda request: request.method == "POST" and asked.append(urlsplit(request.url).path))
    demo.open_stage(f"{HEADLINE}1")
    held = []
    demo.page.route("**/api/worlds", lambda route: held.append(route))
    button = demo.find("#scene .site-page [data-act]").first
    button.click()
    button.click()
    expect(demo.find("#scene .offer")).to_have_count(0)
    demo.wait_until("a world is asked for", lambda: held)
    for route in held:
        route.continue_()
    expect(demo.find("#scene .offer")).not_to_have_count(0)
    demo.see("#now", "You play")
    assert len([path for path in asked if path == "/api/worlds"]) == 1, asked


@story
def scenes(demo):
    """What a scene says is so in it: its columns, its keys, and what only developers get."""
    columns = "[...document.querySelectorAll('.lane-heads li')].map((one) => [one.innerText.trim(), one.title])"
    keys = "[...document.querySelectorAll('.lane-heads li:has([href$=\"#key\"])')].map((one) => one.title)"
    for query in ["cross-device/qr-code-on-a-laptop", "in-app/accepted", "cross-device/nearby-iphone"]:
        demo.open_stage(f"scenario={query}&step=99")
        found = demo.page.evaluate(columns)
        assert found and all(re.search(r"\w", text) for text, _ in found), found
        assert all(re.fullmatch(r"[a-z-]+:.+", title) for _, title in found), found
        opening = demo.page.evaluate(keys)
        assert len(opening) == 1 and opening[0].startswith("server:"), opening
    # The device that scans is drawn, and the conclusion is the decisive event.
    demo.open_stage("scenario=cross-device/phishing-relays-the-code&step=99")
    expect(demo.find("#scene .device")).to_have_count(2)
    demo.expect_verdict("The client platform noticed.", "No advert was heard.")
    demo.open_stage("scenario=session/two-devices&step=99")
    expect(demo.find("#scene .phone.tablet")).to_have_count(1)
    # What led to a question before the first step is unfolded.
    demo.open_stage("scenario=provider/first-registration-asks")
    demo.see("#scene .prompt", "Allow")
    expect(demo.find("#wire .setup[open]")).to_have_count(1)
    # Each app sealed an answer of its own.
    demo.open_stage("scenario=session/verified-twice&step=99")
    for app in ["Wallet", "Local Driving Authority"]:
        expect(demo.find(".lane-heads li", app).locator(".lane-part")).to_have_attribute("title", "sealed the answer")
    # The list of hidden apps is presentment's help, and not on the page.
    demo.open_stage("scenario=selector/no-app-can-answer&step=99")
    demo.expect_verdict("cannot tell this from a refusal")
    for app in ["Wallet", "Authority"]:
        expect(demo.find("#scene .page-view", app)).to_have_count(0)
    demo.see("#scene .developer-help", "outside of the page")
    demo.find("#scene .developer-help summary").click()
    demo.see("#scene .developer-help", "Wallet")
    demo.see("#wire .chip.loud", "the person has not allowed the app", "a real page gets no text")
    message = demo.find("#wire .row-button", "with presentment’s help")
    expect(message).to_have_attribute("aria-label", re.compile("a real page gets no text"))
    message.click()
    demo.see("#message .panel-readers", "a real page gets no text")
    demo.press("Escape")
    wide = demo.page.evaluate("""[...document.querySelectorAll('#scene .phone *')].filter((one) =>
        one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible'
        && one.clientWidth > 1).map((one) => one.className)""")
    assert not wide, wide


@story
def menus(demo):
    """One menu of the page is open at a time; a press elsewhere and Escape close each."""
    demo.open_stage("scenario=headline")
    menus = ["#break", "#share", "#view"]
    for menu in menus:
        demo.find(f"{menu} summary").click()
        for other in menus:
            expect(demo.find(f"{other}[open]")).to_have_count(int(other == menu))
    for menu in menus:
        if demo.find(menu).get_attribute("open") is None:
            demo.find(f"{menu} summary").click()
        demo.press("Escape")
        expect(demo.find(f"{menu}[open]")).to_have_count(0)
        demo.find(f"{menu} summary").click()
        demo.find("#wire-title").click()
        expect(demo.find(f"{menu}[open]")).to_have_count(0)
    # The focus has left the menu.
    demo.find("#share summary").click()
    demo.reach("one.closest('#share') === null")
    demo.press("Escape")
    expect(demo.find("#share[open]")).to_have_count(0)
    assert demo.focused("one.closest('#share') !== null"), "the focus is not on the menu"


# The screens in the order of a busy machine: the icons are drawn again before the page comes, and the page comes again.
REDRAWN = """
async () => {
  const [{ Phone }, { Scene }, { el }] = await Promise.all(
    ["/phone.js", "/scene.js", "/dom.js"].map((path) => import(path)));
  const act = () => document.activeElement.dataset.act ?? document.activeElement.className;
  const page = el("div", {}, el("div", { class: "page-scroll", tabindex: "0" }));
  const phone = new Phone("Phone", {
    act: async () => {}, drawPage: (screen) => (screen.isVisited ? page : null),
    places: [{ title: "Site", icon: "website.svg", verb: "visits", value: "site" }],
  });
  document.body.append(phone.element);
  phone.show({ now: "2026-01-01T00:00:00Z" });
  phone.home.querySelector("button").focus();
  phone.show({ now: "2026-01-01T00:01:00Z" });
  const found = [act()];
  phone.show({ now: "2026-01-01T00:01:00Z", isVisited: true });
  found.push(act());
  phone.element.remove();

  const play = await (await fetch("/api/play?scenario=headline&seed=7")).json();
  const box = document.body.appendChild(el("div"));
  const scene = new Scene(box, { act: async () => {} });
  scene.begin(play);
  scene.setFocusTaking(false);
  const pages = play.screens.filter(({ devices }) =>
    Object.values(devices).every(({ page, selector, authorization }) => page && !selector && !authorization));
  scene.show(pages[0]);
  box.querySelector(".page-scroll").focus();
  scene.show(pages.at(-1));
  await Promise.resolve();
  found.push(act(), pages[0].devices !== pages.at(-1).devices && box.querySelector(".page-scroll").isConnected);
  box.remove();
  return found;
}
"""


@story
def focus(demo):
    """What lies below has the focus after an icon was pressed and after a sheet has closed: page, window, icons."""
    has_focus = "(place) => document.activeElement.closest(place) !== null"

    def enter(act, place):
        demo.wait(f"the button {act} is there",
                  "(act) => document.querySelector(`#scene [data-act='${act}']:not([inert] *)`) !== null", act)
        demo.reach(f"one.dataset.act === '{act}'")
        demo.press("Enter")
        demo.wait(f"{place} has the focus", has_focus, place)

    demo.open_stage("scenario=headline")
    found = demo.page.evaluate(REDRAWN)
    assert found == ["visits:site", "page-scroll", "page-scroll", True], found
    enter("visits:spaceship-rentals", ".site-page")
    enter("taps:Verify Identity", ".selector")
    demo.press("Escape")
    demo.expect_verdict("said no")
    demo.wait("the page has the focus", has_focus, "#scene .site-page")
    enter("taps:Verify Identity", ".selector")
    enter("picks:Wallet", ".sheet.wallet")
    demo.find(".read-through > [role=group]").first.focus()
    demo.press("End")
    expect(demo.find("#scene .gesture.unread")).to_have_count(0)
    enter("authorizes-with:face-id", ".site-page")
    demo.expect_site("Kelly")
    demo.wait("the page has the focus", has_focus, "#scene .site-page")
    # Nothing that is over is said to a screen reader any more.
    expect(demo.find("#scene .phone-glass > p.visually-hidden")).to_have_text("")


# The cue is hidden by the scroll event, which comes with the next frame.
IS_SCROLLED = """
() => {
  const list = document.querySelector("#scene .read-through > [role=group]");
  const isAtEnd = list.scrollHeight - list.clientHeight - list.scrollTop <= 3;
  return !isAtEnd || !document.querySelector("#scene .gesture[data-unread]");
}
"""


# Notes for each hint to press the side button whether it is in front of everything, and above the sheet.
NOTE_HINTS = """
() => {
  window.hints = [];
  new MutationObserver((changes) => {
    for (const hint of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!hint.classList?.contains("side-hint")) continue;
      const { left, right, top, bottom } = hint.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const sheet = document.querySelector("#scene .sheet");
      window.hints.push(document.elementFromPoint(x, y) === hint && bottom <= sheet.getBoundingClientRect().top);
    }
  }).observe(document.getElementById("scene"), { subtree: true, childList: true });
}
"""


@story
def reading(demo):
    """Authorizing waits until everything that is asked for was in sight."""
    demo.resize(1280, 720)
    demo.open_stage("scenario=headline&step=4")
    gesture = demo.find("#scene .gesture")
    cue = demo.visible(".more-below")
    expect(cue).to_contain_text("more below", use_inner_text=True)
    expect(gesture).to_have_attribute("aria-disabled", "true")
    before = demo.address()
    # Forced: Playwright waits until a disabled button is enabled.
    gesture.click(force=True)
    assert demo.address() == before and "You play" not in demo.text("#now"), "an unread request is authorized"
    while gesture.get_attribute("aria-disabled") == "true":
        cue.click()
        demo.wait("the list is scrolled", IS_SCROLLED)
    demo.page.evaluate(NOTE_HINTS)
    gesture.click()
    demo.expect_verdict("Verified")
    # The hint to press the side button was in sight.
    assert demo.page.evaluate("window.hints") == [True], demo.page.evaluate("window.hints")


@story
def gone(demo):
    """A run that is shown needs no server any more: it can be played, with all of its pictures."""
    demo.open_stage("scenario=headline&seed=7")
    demo.server.process.send_signal(signal.SIGSTOP)
    try:
        demo.press(*["ArrowRight"] * 7)
        demo.expect_verdict("Case passed")
        broken = demo.page.evaluate(
            "[...document.images].filter((one) => one.checkVisibility() && !one.naturalWidth).map((one) => one.src)")
        assert not broken, broken
    finally:
        demo.server.process.send_signal(signal.SIGCONT)


HEADLINE = "scenario=headline&seed=7&step="
# What one does on the stage after the server has ended, each with the address before.
AFTER_THE_END = {
    "a tap": (HEADLINE + "1", lambda demo: demo.tap("Verify Identity")),
    "an app of the home screen": (HEADLINE + "0", lambda demo: demo.open_place("Settings")),
    "a list beside a phone": ("world=several-devices", lambda demo: open_list(demo, "hand")),
    "a list beside a desktop": ("world=several-devices", lambda demo: open_list(demo, "desk")),
    "the menu": (HEADLINE + "1", lambda demo: demo.press("/")),
    "a fault": (HEADLINE + "1", lambda demo: demo.find("#break summary").click()),
    "an explanation": (HEADLINE + "1", lambda demo: demo.find(".lane-heads .explained").first.click()),
    "a message": (HEADLINE + "1", lambda demo: demo.find("#wire .row-button").last.click()),
    "another seed": (HEADLINE + "1", lambda demo: (demo.find("#seed").fill("9"), demo.find("#seed").press("Enter"))),
    "the presentation": (HEADLINE + "1", lambda demo: demo.press("f")),
    "another address": (HEADLINE + "1", lambda demo: demo.page.evaluate(
        """history.pushState(null, "", "?scenario=session/expired");
           dispatchEvent(new PopStateEvent("popstate"))""")),
}
# The text is in sight: nothing lies over it.
SAYS_THE_END = """
() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (!texts.currentNode.data.includes("Is presentment serve still running?")) continue;
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    const { x, y, width, height } = range.getBoundingClientRect();
    const found = width > 0 && document.elementFromPoint(x + width / 2, y + height / 2);
    if (found && found.contains(texts.currentNode)) return true;
  }
  return false;
}
"""


def open_list(demo, kind):
    """Opens the list of what else a hand can do at the first device of a kind."""
    demo.find(f"#scene .device.{kind} .hand-more summary").first.click()


@story
def ended(demo):
    """Whatever one does after the server has ended, the page says so, where one looks."""
    for width in (1280, 390):
        demo.page.set_viewport_size({"width": width, "height": 800})
        for name, (query, do) in AFTER_THE_END.items():
            demo.open_stage(query)
            demo.page.route("**/*", lambda route: route.abort())
            do(demo)
            demo.wait(f"{name}, {width} px: the page says that the server has ended", SAYS_THE_END)
            demo.page.unroute("**/*")
    # No script fails besides.
    assert all(one.endswith("net::ERR_FAILED") for one in demo.errors), demo.errors
    demo.errors.clear()


@story
def unusable(demo):
    """A script that the server answers with and that cannot run is no end of the server. Its error is told."""
    broken = "**/any-fault.js"
    demo.page.route(broken, lambda route: route.fulfill(
        content_type="text/javascript", body="throw new Error('planted')"))
    demo.open_stage(HEADLINE + "1")
    demo.find("#break summary").click()
    demo.see("#problem", "/any-fault.js cannot be used: planted. Reload the page.")
    expect(demo.find("#break[open]")).to_have_count(0)
    demo.page.unroute(broken)
    demo.errors.clear()


@story
def edited(demo):
    """A file that was edited in another window is played again when the person comes back, at the same step."""
    folder = demo.setting.folder() / "scenarios"
    shutil.copytree(ROOT / "scenarios", folder)
    file = folder / "headline.yaml"
    world = folder / "worlds" / "spaceport.yaml"
    with Server(demo.setting, "--scenarios", str(folder), "--world", str(world)) as server:
        demo.page.goto(f"{server.url}?scenario=headline&step=4")
        demo.wait_for_run()
        demo.see("#now", "Kelly picks Wallet")
        text = file.read_text()
        assert "picks: Wallet" in text, text
        file.write_text(text.replace("picks: Wallet", "picks: Local Driving Authority"))
        demo.page.evaluate("dispatchEvent(new Event('focus'))")
        demo.see("#now", "Kelly picks Local Driving Authority")
        demo.expect_step(4)
        demo.see("#scene .custom-view", "Local Driving Authority")


@story
def flight(demo):
    """A phone in flight mode has a plane in its status bar, in a play as by hand."""
    sign = "getComputedStyle(document.querySelector('#scene .phone-signal'), '::before').content"
    demo.open_stage("scenario=session/flight-mode%23a%20website%20cannot%20be%20opened")
    expect(demo.find("#scene .phone.in-flight")).to_have_count(0)
    demo.press("ArrowRight")
    demo.expect_step(1)
    expect(demo.find("#scene .phone.in-flight")).to_have_count(1)
    assert "\u2708" in demo.page.evaluate(sign), demo.page.evaluate(sign)
    demo.see("#scene .phone-glass > [role=status]", "Flight mode")
    demo.shoot("-play")
    demo.press("End")
    expect(demo.find("#scene .phone.in-flight")).to_have_count(0)


@story
def weight(demo):
    """The files of the page, and with the data of the run."""
    demo.open_stage("scenario=headline&seed=7")
    files, data = (demo.page.evaluate("""(isData) =>
        performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
          .filter(({ name }) => new URL(name).pathname.startsWith("/api/") === isData)
          .reduce((sum, one) => sum + one.decodedBodySize, 0)""", is_data) for is_data in (False, True))
    assert 0 < files <= 260_000 and 0 < data and files + data <= 350_000, (files, data)


IS_AT_REST = """
() => document.getAnimations().every(({ effect, playState }) =>
  playState !== "running" || !effect.target.querySelector(".code-image"))
"""


@story(needs=["zbarimg"])
def code(demo):
    """A browser on a laptop asks the phone with a QR code, which is read from the screenshot."""
    shown = demo.find(".code-image").filter(visible=True)

    def read():
        expect(shown).not_to_have_count(0)
        demo.wait("the picture of the code is at rest", IS_AT_REST)
        picture = demo.picture("-shown")
        done = subprocess.run(["zbarimg", "--quiet", "--raw", picture], capture_output=True, text=True)
        return done.stdout.strip()

    demo.open_stage("scenario=cross-device/qr-code-on-a-laptop&step=1")
    demo.tap("Verify Identity")
    first = read()
    inspected = subprocess.run([demo.presentment, "inspect", first], capture_output=True, text=True)
    assert 'hint: "dcp"' in inspected.stdout, (first, inspected.stdout, inspected.stderr)
    demo.tap("Cancel")
    demo.expect_site("NetworkError")
    expect(shown).to_have_count(0)
    demo.tap("Verify Identity")
    second = read()
    assert second.startswith("FIDO:/") and second != first, (first, second)
    demo.tap("Scan the QR code")
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified")
    demo.expect_site("Kelly")
    expect(shown).to_have_count(0)


@story
def message(demo):
    """A message of the wire has its structure beside its bytes, each linked to the other."""
    demo.open_stage("scenario=headline&seed=7&step=2")

    def field(words, selector=".field-line"):
        return demo.find(f"#message {selector}", re.compile(re.escape(words))).first

    demo.find(".row-button", "announce presentment").first.click()
    field("origin: ").click()
    shown = "".join(demo.find("#message .character.on").all_inner_texts())
    assert shown.startswith('"origin":"'), shown
    field("protocol: ").click()
    demo.find("#message .byte.on").first.click()
    # The byte selects its field.
    expect(field("protocol: ", ".field-line.on")).to_be_attached()
    demo.see("#message .bytes-status", "Bytes")
    places = [demo.find(one).bounding_box() for one in ["#message", "#message .bytes-foot"]]
    panel, foot = (place["y"] + place["height"] for place in places)
    # The places of elements are rounded.
    assert foot <= panel + 1, places


# The lines of a message's structure: all of the first words are there, and none of the others.
HAS_FIELDS = """
([has, lacks]) => {
  const text = [...document.querySelectorAll("#message .field-line")].map((one) => one.textContent).join("\\n");
  return has.every((words) => text.includes(words)) && !lacks.some((words) => text.includes(words));
}
"""


@story
def seen(demo):
    """The answer can be seen as it is carried and as the server opened it, and a request as the app has it at first."""
    demo.open_stage("scenario=headline&seed=7&step=7")

    def open_message(operation):
        demo.find(".row-button", operation).first.click()
        expect(demo.find("#message .seen-party")).not_to_have_count(0)

    def choose(words):
        demo.find("#message .seen-party", words).first.click()

    def expect_fields(what, *has, lacks=()):
        demo.wait(what, HAS_FIELDS, [has, lacks])

    open_message("DigitalCredential")
    expect_fields("the sealed answer", "cipherText")
    expect(demo.find("#message .disclosure"), "a sealed answer is disclosed").to_have_count(0)
    choose("opened")
    demo.see("#message .disclosure", "5 of", "Kelly", "Withheld", "digest")
    expect(demo.find("#message .disclosed > div")).to_have_count(5)
    disclosed, withheld = (demo.text(f"#message .{one}") for one in ["disclosed", "withheld"])
    assert "Birth" not in disclosed, disclosed
    assert "Date of Birth" in withheld, withheld
    expect_fields("the opened answer", "status: 0", lacks=["cipherText"])
    demo.shoot("-opened")
    # The radio buttons of the choice have the keys of radio buttons.
    demo.press("ArrowLeft")
    expect_fields("the arrow key chooses the other party", "cipherText")
    demo.press("Escape")
    open_message("navigator.credentials.get")
    choose("before the agreement")
    expect_fields("the partial request", "partialRequest", lacks=["deviceRequest"])
    demo.see("#message .seen-content", "Before the person agrees")
    demo.find("#message .seen-content .seen-note .text-button").last.click()
    # The message that releases the request.
    demo.see("#message", "The full request")

    # The checks that passed are folded by family.
    demo.press("Escape")
    chip = demo.find("#wire details.chip", "checks passed").filter(visible=True).first
    chip.locator("summary").first.click()
    family = chip.locator(".family > summary").first
    expect(family).to_be_visible()
    expect(chip.locator(".family[open]")).to_have_count(0)
    family.click()
    expect(chip.locator(".family[open] li")).not_to_have_count(0)


@story
def unfolded(demo):
    """Unfolded parts of the phone stay unfolded while the world's time passes."""
    demo.take_over()
    hidden = demo.find("#scene .hidden-apps")
    hidden.locator("summary").click()
    clock = demo.find("#scene .phone-time")
    before = clock.inner_text()
    demo.api(f"/api/worlds/{demo.world()}/steps", {"person": {"waits": "1 min"}})
    expect(clock).not_to_have_text(before)
    assert hidden.get_attribute("open") is not None, "the hidden apps are folded again"
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified")


@story
def recording(demo):
    """The runner repeats a recording of the stage; the page and the file of a run can be downloaded."""
    accept(demo)
    demo.take_over()
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified")
    file = demo.setting.folder() / "recorded.yaml"
    file.write_bytes(demo.get(f"/api/worlds/{demo.world()}/recording"))
    done = subprocess.run([demo.presentment, "run", str(file)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    for link, beginning in [("share-page", b"<!doctype html>"), ("share-file", b"")]:
        path, host = demo.find(f"#{link}").evaluate("(one) => [one.pathname + one.search, one.host]")
        content = demo.get(path, Host=host)
        assert content.startswith(beginning) and len(content) > 200, (link, content[:100])
        # The page opens where the run was shared.
        assert (b'"opening":' in content) == (link == "share-page"), link


@story
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
    demo.see(".own-site", "presentment.js")
    demo.see("#problem", "18446744073709551615")
