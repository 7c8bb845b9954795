"""Stories of runs that are played: by themselves, by steps, and in the address."""

import json
import subprocess
import urllib.parse

from playwright.sync_api import expect

from demo import story
from story import ROOT

# Scenarios of every sort: with their own site, two devices, Settings, restarts, waits, and ends of every kind.
PLAYED = [
    "headline", "attacks/phishing-site", "attacks/response-replayed", "browser/no-user-gesture",
    "consent/declined-in-wallet", "cross-device/qr-code-on-a-laptop", "cross-device/nearby-iphone", "in-app/accepted",
    "browser/a-site-in-a-frame", "in-person/rent-and-pick-up",
    "provider/settings", "provider/reboot", "provider/install-update-remove", "revocation/revoked", "session/expired",
    "in-person/nfc", "in-person/no-answer", "in-person/the-person-at-the-counter", "in-person/the-session",
    "session/server-restarted", "session/two-devices", "language/not-run-or-failing",
]


@story(is_long=True)
def plays(demo):
    """Every case of these scenarios plays to the outcome that the runner reports."""
    report = demo.setting.folder() / "plays.json"
    groups = demo.api("/api/catalogue")["groups"]
    demo.open_stage("scenario=consent/declined-in-wallet")
    subprocess.run(
        [demo.presentment, "run", *[f"scenarios/{name}" for name in PLAYED], "--report", f"json={report}",
         "--sandbox", "in-process", "--quiet"], cwd=ROOT, capture_output=True)
    cases = json.loads(report.read_text())["cases"]
    for name in PLAYED:
        outcomes = sorted(case["verdict"].replace("-", " ") for case in cases
                          if case["place"]["path"] == f"scenarios/{name}.yaml")
        assert outcomes, name
        entry = next(one for group in groups for one in group["scenarios"] if one["name"] == name)
        shown = []
        for case in [one["name"] for one in entry["cases"]] or [name]:
            demo.go_to(f"scenario={urllib.parse.quote(case)}")
            demo.press("End")
            shown.append(demo.find(".verdict-case strong").inner_text().removeprefix("Case "))
        assert sorted(shown) == outcomes, (name, shown, outcomes)
        demo.shoot(f"-{name.replace('/', '-')}")


FRAMED = "scenario=browser/a-site-in-a-frame%23the%20person%20continues%20after%20the%20warning"
FRAMED_ON_A_LAPTOP = "scenario=browser/a-site-in-a-frame%23in%20the%20browser%20of%20a%20laptop"
VERIFY_IN_FRAME = "taps/market:Verify Identity"


@story
def framed(demo):
    """A site in a frame of another site's page: a tap in the frame, the browser's warning, the verdict in the frame."""
    frame, warning = demo.find("#scene [data-frame='market']"), demo.find("#scene .sheet.warning")
    button = demo.find(f"#scene [data-act='{VERIFY_IN_FRAME}']")
    demo.open_stage(f"{FRAMED}&step=1")
    demo.see("#scene [data-frame='market']", "Orbital Market", "orbital-market.example")
    # The frame's script has a column.
    demo.see("#wire .lane-heads", "in the frame market")
    button.click()
    expect(warning).to_contain_text("orbital-market.example", use_inner_text=True)
    demo.wait("the warning has the focus", "() => document.activeElement.closest('.warning') !== null")
    demo.shoot("-warning")
    demo.tap("Continue")
    demo.tap("Wallet")
    demo.tap("Authorize")
    demo.expect_verdict("Verified: it is Kelly")
    demo.see("#scene [data-frame='market']", "Verified", "Kelly")
    around = demo.page.evaluate("""() => {
        const page = document.querySelector("#scene .page-view").cloneNode(true);
        page.querySelector("[data-frame]").remove();
        return page.textContent;
    }""")
    assert "Kelly" not in around, around
    demo.expect_all_met()
    recorded = demo.get(f"/api/worlds/{demo.world()}/recording").decode()
    assert "frame: market" in recorded and "answers-warning: continue" in recorded, recorded
    # Escape cancels at the warning, and the keyboard reaches the frame's button again.
    demo.find("#leave").click()
    demo.expect_step(1)
    button.press("Enter")
    expect(warning).to_be_visible()
    demo.wait("the warning has the focus", "() => document.activeElement.closest('.warning') !== null")
    demo.press("Escape")
    expect(frame).to_contain_text("NetworkError", use_inner_text=True)
    demo.expect_verdict("said no")
    # The warning of a desktop's browser comes before its QR code.
    demo.open_stage(f"{FRAMED_ON_A_LAPTOP}&step=1")
    button.click()
    expect(demo.find("#scene .desktop .warning")).to_be_visible()
    demo.shoot("-desktop")
    demo.wait("its buttons have the focus", "() => document.activeElement.closest('.desktop .warning') !== null")
    demo.tap("Continue")
    expect(demo.find("#scene .desktop .code-image")).to_be_attached()
    # A play shows the touches in the frame and of the warning.
    demo.open_stage(FRAMED)
    demo.note_presses()
    demo.find("#go-play").click()
    for name in [VERIFY_IN_FRAME, "answers-warning:continue"]:
        demo.expect_press(name)


# Pauses a play after a number of steps. The page does it itself: a click from outside may come after the play's end.
PAUSE_AFTER = """
(steps) => {
  const count = document.querySelector(".step-count");
  const observer = new MutationObserver(() => {
    if (window.isPaused || parseInt(count.textContent) < steps) return;
    window.isPaused = true;
    document.getElementById("go-play").click();
  });
  observer.observe(count, { childList: true, characterData: true, subtree: true });
}
"""


# Notes the moments of a play: the position, whether a sheet is there, and whether the wire says that one closes.
NOTE_SHEETS = """
() => {
  window.moments = [];
  const note = () => window.moments.push([
    document.querySelector(".step-count").textContent,
    document.querySelector("#scene .phone-layer:not(.leaving) > .sheet") !== null,
    [...document.querySelectorAll("#wire .rows > .row:not([hidden])")]
      .some((row) => row.textContent.includes("sheet closes")),
  ]);
  const options = { subtree: true, childList: true, attributes: true };
  for (const id of ["scene", "wire", "bar"]) new MutationObserver(note).observe(document.getElementById(id), options);
}
"""


@story
def playing(demo):
    """Playing goes through all steps by itself, shows each touch, and can be paused."""
    demo.open_stage("scenario=headline&seed=7")
    demo.find("#speed").select_option("4")
    demo.note_presses()
    demo.page.evaluate(PAUSE_AFTER, 2)
    demo.find("#go-play").click()
    demo.expect_press()
    demo.wait("two steps are done", "() => window.isPaused")
    position = demo.count()
    assert position[0] == 2, position
    expect(demo.find("#go-play")).to_have_attribute("aria-label", "Play")
    assert f"step={position[0]}" in demo.address(), demo.address()
    demo.page.evaluate(NOTE_SHEETS)
    demo.find("#go-play").click()
    demo.expect_verdict("Verified: it is Kelly", "Case passed")
    assert demo.count() == (7, 7), demo.count()
    # The sheet closes while the step is shown, together with its message.
    moments = demo.page.evaluate("window.moments")
    assert any(count == "6 / 7" and has_sheet for count, has_sheet, _ in moments), moments
    assert any(says for *_, says in moments) and not any(has and says for _, has, says in moments), moments
    demo.expect_site("Kelly")


@story
def keys(demo):
    """The keys of a clicker; each position is in the address, and its link shows it again."""
    demo.open_stage("scenario=headline&seed=7")
    for key, position in [("ArrowRight", 1), ("Space", 2), ("PageDown", 3), ("ArrowLeft", 2),
                          ("PageUp", 1), ("End", 7), ("Home", 0), ("ArrowLeft", 0)]:
        demo.press(key)
        demo.expect_step(position)
    demo.press("ArrowRight", "ArrowRight")
    expect(demo.find("#scene .selector")).to_be_attached()
    address = demo.address()
    assert "step=2" in address, address
    demo.page.goto("about:blank")
    demo.page.goto(address)
    demo.wait_for_run()
    demo.expect_step(2)
    expect(demo.find("#scene .selector")).to_be_attached()
    demo.find("#seed").press("ArrowLeft")
    assert demo.count()[0] == 2, "a key of a field moves the run"
    # The phone keeps its size from step to step.
    demo.page.emulate_media(reduced_motion="reduce")
    demo.find("#seed").blur()
    heights = set()
    for step in range(8):
        demo.press("ArrowRight" if step else "Home")
        demo.expect_step(step)
        heights.add(demo.page.evaluate("document.querySelector('#scene .phone').offsetHeight"))
    assert len(heights) == 1, heights


@story
def back(demo):
    """Each choice is an entry of the browser's history, and works after going back; a step is not."""
    demo.open_stage("scenario=headline&seed=7")
    demo.press("ArrowRight", "ArrowRight")
    with demo.another_run():
        demo.press("/")
        demo.type("cloned-document")
        demo.press("Enter")
    assert "cloned-document" in demo.address(), demo.address()
    with demo.another_run():
        demo.page.go_back()
    # The step is that of the address.
    demo.expect_step(2)
    demo.press("End")
    demo.expect_verdict("Verified: it is Kelly")
    with demo.another_run():
        demo.page.go_forward()
    demo.press("End")
    demo.expect_verdict("device.")
