"""Stories of what a person does by hand: Settings, the app store, documents, time, and the card of the system."""

import subprocess

from playwright.sync_api import expect

from demo import story
from story import ROOT


def run_recording(demo):
    """Runs the recording of the world, which must pass, and returns its text."""
    file = demo.setting.folder() / "by-hand.yaml"
    file.write_bytes(demo.get(f"/api/worlds/{demo.world()}/recording"))
    done = subprocess.run([demo.presentment, "run", str(file)], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr + file.read_text()
    return file.read_text()


# Reads the list of a sheet on a device.
READ = """
(device) => {
  const list = document.querySelector(`#scene ${device} .read-through > [role=group]`);
  if (list) list.scrollTop = 1e6;
  return list !== null && !document.querySelector(`#scene ${device} .gesture.unread`);
}
"""
# The icons that something lies over.
COVERED = """
() => [...document.querySelectorAll("#scene .home-apps button")].filter((icon) => {
  icon.scrollIntoView({ block: "nearest" });
  const { left, right, top, bottom } = icon.getBoundingClientRect();
  return !icon.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((icon) => icon.textContent)
"""


@story
def by_hand(demo):
    """Settings, the app store and the apps of the phone do what a scenario can; undo takes back the last act."""
    demo.open_stage("world=spaceport")
    demo.open_place("Settings")
    demo.tap("Switch Wallet off")
    demo.see(".phone-room", "Switch Wallet on in Settings")
    demo.shoot("-settings")
    demo.tap("Turn Face ID off")
    demo.see(".phone-room", "Turn Face ID on in Settings")
    demo.tap("Turn flight mode on")
    demo.see(".phone-room", "Turn flight mode off in Settings")
    expect(demo.find(".phone.in-flight")).to_have_count(1)
    demo.shoot("-flight")
    # The site is opened without a connection.
    demo.tap("Home")
    demo.tap("Spaceship Rentals")
    demo.see("#scene", "not available right now")
    demo.tap("Home screen")
    demo.open_place("Settings")
    demo.tap("Turn flight mode off")
    demo.see(".phone-room", "Turn flight mode on in Settings")
    expect(demo.find(".phone.in-flight")).to_have_count(0)
    demo.tap("Turn Face ID on")
    demo.see(".phone-room", "Turn Face ID off in Settings")
    demo.tap("Home")
    demo.open_place("App Store")
    demo.tap("Remove Other Wallet")
    demo.see(".phone-room", "Install Other Wallet")
    demo.shoot("-store")
    demo.tap("Home")
    expect(demo.find(".home-apps", "Other Wallet")).to_have_count(0)
    demo.open_place("Local Driving Authority")
    demo.tap("Delete")
    demo.see(".phone-room", "Holds no documents")
    demo.see(".phone-room", "gets")
    demo.shoot("-app")
    # One act back: the document is there again, and Wallet is still off.
    demo.find("#undo").click()
    demo.see(".phone-room", "Holds ", "Delete")
    demo.tap("Home")
    for width, height in [(1280, 720), (390, 844), (1400, 857)]:
        demo.resize(width, height)
        demo.find(".hand-more summary").click()
        demo.see(".hand-more", "Wait 1 min", "Restart")
        covered = demo.page.evaluate(COVERED)
        assert not covered, (width, covered)
        demo.shoot(f"-more-{width}")
        demo.press("Escape")
        expect(demo.find(".hand-more[open]")).to_have_count(0)
    demo.find(".hand-more summary").click()
    demo.find("#wire-title").click()
    expect(demo.find(".hand-more[open]")).to_have_count(0)
    demo.find(".hand-more summary").click()
    demo.tap("Wait 1 min")
    demo.tap("Restart")
    demo.tap("Spaceship Rentals")
    demo.tap("Verify Identity")
    demo.see("#wire", "Wallet is hidden")
    demo.tap("Local Driving Authority")
    demo.tap("Accept")
    demo.expect_verdict("Verified")
    # The home screen is there over a page too.
    demo.tap("Home screen")
    demo.open_place("Settings")
    demo.tap("Switch Wallet on")
    demo.see(".phone-room", "Switch Wallet off in Settings")
    demo.tap("Home")
    demo.tap("Back to the page")
    demo.expect_site("Kelly")
    text = run_recording(demo)
    for step in ["turns-off: face-id", "turns-on: flight-mode", "switches-off: Wallet",
                 'removes: "Other Wallet"', "waits:", "restarts:", "switches-on: Wallet"]:
        assert step in text.replace("'", '"'), (step, text)
    assert "deletes:" not in text, text


@story
def by_hand_in_a_scenario(demo):
    """A run is taken over when the person opens Settings; the way back leads to the run."""
    demo.open_stage("scenario=headline&seed=7")
    demo.open_place("Settings")
    demo.see("#now", "You play")
    demo.tap("Switch Wallet off")
    demo.see(".phone-room", "Switch Wallet on in Settings")
    demo.see("#now", "another way", "switches Wallet off in Settings")
    demo.tap("Home")
    demo.tap("Spaceship Rentals")
    demo.tap("Verify Identity")
    demo.see("#scene .hidden-apps", "hidden")
    demo.tap("Cancel")
    demo.expect_verdict("said no")
    run_recording(demo)
    demo.find("#leave").click()
    demo.expect_step(0)


@story
def registrations(demo):
    """The card of the operating system shows its registrations, and which the last request found."""
    demo.open_stage("scenario=headline&seed=7&step=2")
    demo.find(".lane-head", "Operating").first.click()
    demo.see(".help .registrations", "Issuer keys", "Readers", "Until", "Last request", "offered", "not offered")
    expect(demo.find(".help .registrations tbody tr")).to_have_count(3)
    demo.shoot("-card")
    demo.press("Escape")
    demo.take_over()
    demo.see("#scene .sheet", "Choose an app")
    demo.find(".lane-head", "Operating").first.click()
    expect(demo.find(".help .registrations tr.offered")).to_have_count(2)


@story
def several_devices(demo):
    """A laptop shows a code, and a friend's phone scans it and answers; a phone is carried away and back."""
    demo.open_stage("world=several-devices")
    expect(demo.find("#scene figure.device")).to_have_count(3)
    demo.shoot("-devices")
    laptop, friend = "[data-device=kellys-laptop]", "[data-device=sams-iphone]"
    demo.find(f"{laptop} [data-act='visits:spaceship-rentals']").click()
    demo.find(f"{laptop} button", "Verify Identity").click()
    demo.see(laptop, "Scan this QR code")
    demo.shoot("-code")
    demo.find(f"{friend} .hand-more summary").click()
    demo.find(f"{friend} .hand-more button", "Carry Sam’s iPhone to the lounge").click()
    # It is there now, and nothing else is offered that has no effect.
    demo.find(f"{friend} .hand-more button", "Carry Sam’s iPhone here").click()
    expect(demo.find(f"{friend} .hand-more button", "to the lounge")).to_have_count(1)
    expect(demo.find(f"{friend} .hand-more button", "iPhone here")).to_have_count(0)
    expect(demo.find(f"{friend} .hand-more button", "Unlock")).to_have_count(0)
    # A code that no device shows is entered as text.
    for digit in "12":
        demo.find(f"{friend} .hand-more input").fill(f"FIDO:/{digit}2345x789")
        demo.press("Enter")
        expect(demo.find(f"{friend} .hand-more input")).to_have_value("")
    # What is typed stays while something else is done.
    demo.find(f"{friend} .hand-more input").fill("half")
    demo.find(f"{friend} .hand-more button", "Carry Sam’s iPhone to the lounge").click()
    expect(demo.find(f"{friend} .hand-more button", "Carry Sam’s iPhone here")).to_have_count(1)
    expect(demo.find(f"{friend} .hand-more input")).to_have_value("half")
    demo.find(f"{friend} .hand-more button", "Carry Sam’s iPhone here").click()
    expect(demo.find(f"{friend} .hand-more button", "to the lounge")).to_have_count(1)
    demo.find(f"{friend} .hand-more summary").click()
    demo.find(f"{friend} [data-act='scans:kellys-laptop']").click()
    demo.see(f"{friend} .sheet", "Choose an app")
    demo.tap("Wallet")
    demo.see(f"{friend} .sheet", "Spaceship Rentals")
    demo.tap("Authorize with Face ID")
    demo.expect_verdict("Verified")
    text = run_recording(demo)
    for step in ["carries: sams-iphone", "scans: kellys-laptop, with: sams-iphone", "visits: spaceship-rentals",
                 'FIDO:/12345x789", with: sams-iphone']:
        assert step in text, (step, text)
    # A device that a play does not use can be used when the run is taken over.
    demo.open_stage("scenario=cross-device/adverts%23only%20phones%20of%20strangers&step=1")
    expect(demo.find("#scene figure.device")).to_have_count(1)
    expect(demo.find("#scene figcaption").filter(visible=True)).to_have_count(0)
    demo.tap("Verify Identity")
    expect(demo.find("#scene figure.device")).to_have_count(2)
    expect(demo.find("#scene figcaption").filter(visible=True)).to_have_count(2)
    demo.tap("Scan the QR code")
    demo.tap("Wallet")
    demo.tap("Authorize with Face ID")
    demo.expect_verdict("Verified")
    demo.find("#leave").click()
    expect(demo.find("#scene figure.device")).to_have_count(1)
    # So can an app that a play does not use on a device.
    app = "the%20iPhone,%20and%20the%20person%20uses%20an%20app%20that%20requests%20documents"
    demo.open_stage(f"scenario=cross-device/nearby-restarts%23{app}")
    demo.find("[data-device=kellys-mac] [data-act='opens:Rocket Rides']").click()
    demo.see("[data-device=kellys-mac] .window-address", "Rocket Rides")
    # The scenario opens it on the iPhone.
    demo.see("#now", "another way", "opens Rocket Rides on Kelly’s Mac")


@story
def by_keys(demo):
    """Free play with the keyboard alone: a switch in Settings, the site, its link; then a Mac and an iPad."""
    def enter(fact, key="Tab"):
        demo.reach(fact, key=key)
        demo.press("Enter")

    demo.open_stage("world=spaceport")
    enter("one.dataset.act === 'hand:Settings'")
    demo.see(".phone-room", "Switch Wallet off")
    enter("one.closest('.phone-room') !== null && one.innerText.startsWith('Switch Wallet off')")
    demo.see(".phone-room", "Switch Wallet on in Settings")
    enter("one.dataset.act === 'hand:home'", key="Shift+Tab")
    enter("one.dataset.act === 'visits:spaceship-rentals'")
    demo.expect_site("Verify Identity")
    enter("one.matches('#share summary')", key="Shift+Tab")
    demo.page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    enter("one.id === 'copy'")
    demo.wait("the link is copied", "() => window.copied === location.href")
    demo.open_stage("world=mac-and-ipad")
    mac, phone, tablet = (f"[data-device=kellys-{kind}]" for kind in ["mac", "iphone", "ipad"])
    # The phone answers for the page on the Mac, and for that on the tablet.
    for device in [mac, tablet]:
        demo.find(f"{device} [data-act='visits:spaceship-rentals']").click()
        demo.find(f"{device} .page-view button", "Verify Identity").click()
        demo.see(device, "Continue on Kelly’s iPhone")
        demo.find(f"{phone} .notification button", "Continue").click()
        demo.find(f"{phone} [data-act='picks:Wallet']").click()
        demo.wait("the list is read", READ, phone)
        demo.find(f"{phone} .gesture").first.click()
        demo.see(f"{device} .page-view", "Kelly")
        demo.expect_verdict("Verified")
    # Each column has the name of its party, and no line of the wire an identifier.
    heads = demo.page.evaluate("[...document.querySelectorAll('.lane-heads .lane-name')].map((one) => one.innerText)")
    assert "Browser, Kelly’s iPad" in heads and "Browser, Kelly’s Mac" in heads, heads
    told = heads + demo.page.evaluate(
        "[...document.querySelectorAll('#wire .row, figcaption')].map((one) => one.innerText)")
    assert not any("kellys-" in text.replace("\u2011", "-") for text in told), told
    demo.shoot("-mac-and-ipad")
