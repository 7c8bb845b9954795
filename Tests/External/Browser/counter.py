"""Stories of a counter: a phone that is held to a terminal, and the clerk behind it."""

from playwright.sync_api import expect

from demo import story
from hand import run_recording
from looks import AXE, CONTRAST, WRONG, axe_core

PORTRAIT = "scenario=in-person/the-person-at-the-counter%23looks%20like%20the%20portrait"
SIZES = [(1440, 900), (1024, 768), (640, 360), (390, 844)]
TERMINAL = "#scene .terminal"
IS_ACT = "one.dataset.act === '{}' && one.getAttribute('aria-disabled') !== 'true'"


def enter(demo, act, key="Tab"):
    """Presses Enter on the button of an act, which a key reaches."""
    demo.wait(f"the button {act} is there",
              "(act) => [...document.querySelectorAll('#scene [data-act]')].some((one) => one.dataset.act === act"
              " && !one.closest('[inert]') && one.checkVisibility())", act)
    demo.reach(IS_ACT.format(act), key=key)
    demo.press("Enter")


@story
def counter(demo):
    """With the keyboard alone: the person shows a code and holds it to the terminal, and the clerk compares."""
    demo.open_stage("world=hangar")
    demo.see(TERMINAL, "Hangar Desk", "Ready")
    enter(demo, "shows:code")
    demo.see("#scene .code-dialog", "Show this code to the reader")
    demo.shoot("-code")
    # Escape closes the code, in words of the scenario language.
    demo.press("Escape")
    expect(demo.find("#scene .code-dialog")).to_have_count(0)
    enter(demo, "shows:code")
    enter(demo, "holds-to:hangar-desk")
    demo.see(TERMINAL, "Asking", "First Name")
    demo.see("#scene .between", "By QR code, then over Bluetooth", "the request", "sealed", "the terminal’s key")
    demo.see("#scene .sheet", "The reader asks for an identity document")
    demo.shoot("-asking")
    enter(demo, "picks:Wallet")
    expect(demo.find("#scene .gesture")).not_to_have_count(0)
    demo.find(".read-through > [role=group]").first.focus()
    demo.press("End")
    expect(demo.find("#scene .gesture.unread")).to_have_count(0)
    enter(demo, "authorizes-with:face-id")
    demo.see(TERMINAL, "Verified", "Kelly", "Keeps Document Number")
    demo.see("#scene .between", "the answer", "status 20")
    demo.expect_verdict("Verified: it is Kelly")
    # A message that a listener hears leads to the parties that can open it.
    demo.reach("one.matches('.overheard-one') && one.innerText.includes('the answer')")
    demo.press("Enter")
    demo.see("#message", "can open it", "Terminal of Hangar Desk", ignores_case=True)
    demo.press("Escape")
    # Away from the counter, a relayed tap leads to a phone out of Bluetooth's reach. Back at it, the session begins.
    demo.reach("one.closest('.hand-more') !== null", key="Shift+Tab")
    demo.press("Enter")
    enter(demo, "by-hand:{ person: { carries: kellys-iphone, to: dock } }")
    enter(demo, "holds-to:hangar-desk:nfc")
    demo.see(TERMINAL, "Connecting")
    demo.see("#scene .between", "By NFC tap", "the tag")
    # A press elsewhere has closed the list.
    demo.reach("one.closest('.hand-more') !== null", key="Shift+Tab")
    demo.press("Enter")
    enter(demo, "by-hand:{ person: { carries: kellys-iphone, to: hangar } }")
    demo.see(TERMINAL, "Asking")
    demo.see("#verdict", "No verdict yet")
    enter(demo, "cancels:selector", key="Shift+Tab")
    demo.see(TERMINAL, "No answer")
    demo.expect_verdict("Kelly said no")
    # Who holds the phone to the terminal looks at the phone next.
    enter(demo, "holds-to:hangar-desk:nfc")
    demo.wait("the sheet has the focus", "() => document.activeElement.closest('#scene .sheet') !== null")
    demo.press("Escape")
    demo.see(TERMINAL, "No answer")
    text = run_recording(demo)
    for step in ["shows: code", "closes: qr-code", "holds-to: hangar-desk", "by: nfc", "to: dock", "to: hangar"]:
        assert step in text, (step, text)


@story
def clerk(demo):
    """The terminal's question is answered with the keyboard, in a run that is taken over and in one that is played."""
    demo.open_stage(f"{PORTRAIT}&step=4")
    demo.see(TERMINAL, "Does the person look like the portrait?")
    expect(demo.find(f"{TERMINAL} .terminal-portrait")).to_be_visible()
    demo.shoot("-question")
    enter(demo, "sees:another-person")
    demo.see(TERMINAL, "Not verified", "proximity.portrait/differs")
    demo.expect_verdict("The terminal noticed")
    demo.see("#now", "another way", "sees another person than the portrait's")
    demo.find("#leave").click()
    enter(demo, "sees:holder")
    demo.see(TERMINAL, "Verified", "Keeps Document Number")
    demo.expect_all_met()
    run_recording(demo)
    # A code that is closed by hand is told in words.
    demo.open_stage(f"{PORTRAIT}&step=1")
    enter(demo, "closes:qr-code")
    demo.see("#now", "closes the QR code")
    assert "qr-code" not in demo.text("#now"), demo.text("#now")
    # A play presses what the person, the counter and the clerk have.
    demo.open_stage(PORTRAIT)
    demo.find("#speed").select_option("4")
    demo.note_presses()
    demo.find("#go-play").click()
    for name in ["shows:code", "holds-to:hangar-desk", "sees:holder"]:
        demo.expect_press(name)


@story(needs=["axe"], is_long=True)
def counter_looks(demo):
    """At the counter axe-core finds no violation, light and dark, and nothing is wider than a window of any size."""
    script = axe_core()
    demo.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = {}
    for width, height in SIZES:
        demo.resize(width, height)
        for step in [1, 2, 4, 6, 99]:
            demo.open_stage(f"{PORTRAIT}&step={step}")
            expect(demo.find(TERMINAL)).to_have_count(1)
            demo.shoot(f"-{width}-{step}")
            wrong = demo.page.evaluate(WRONG)
            if wrong:
                found[f"{width} x {height}, step {step}"] = wrong
            for scheme, rules in [("dark", f"runOnly: ['{CONTRAST}']"), ("light", "rules: {}")]:
                if not demo.page.evaluate("'axe' in window"):
                    demo.page.evaluate(script)
                demo.page.emulate_media(color_scheme=scheme)
                violations = demo.run(AXE % rules)
                if violations:
                    found[f"{width} x {height}, step {step}, {scheme}"] = violations
    assert not found, found
