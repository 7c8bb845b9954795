"""Tests of your site with pytest, Playwright and the fixture `phone` of presentment_pytest.py.

usage: SITE=http://localhost:9000/with-presentment-js.html pytest test_with_pytest.py --presentment-bidi BIDI_URL
"""

import os

import pytest
from playwright.sync_api import expect, sync_playwright

# In milliseconds. A busy machine needs more.
PATIENCE = 1_000 * float(os.environ.get("PATIENCE", 30))
expect.set_options(timeout=PATIENCE)
SITE = os.environ.get("SITE", "http://localhost:9000/with-presentment-js.html")


# pytest-playwright brings a fixture of this name.
@pytest.fixture
def page():
    with sync_playwright() as playwright:
        program = os.environ.get("CHROMIUM")
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=os.geteuid() != 0)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        yield page
        browser.close()


@pytest.fixture
def verify(phone, page):
    """Opens the site as a page of the test, presses the button, and expects a message."""
    def act(message):
        page.goto(phone.address(SITE))
        page.locator("#verify").click()
        expect(page.locator("#result")).to_have_text(message)
    return act


def test_a_person_shares_what_the_site_asks_for(phone, verify):
    phone.accept()
    verify("Hello, Kelly")
    [call] = phone.calls()
    assert {one["identifier"] for one in call["elements"] if one["isReleased"]} == {"given_name", "age_over_21"}
    assert {one["identifier"] for one in call["elements"] if one["isRetained"]} == {"given_name"}


def test_a_person_declines(phone, verify):
    phone.decline()
    verify("Your browser did not hand over an ID.")


def test_a_changed_value_is_refused(phone, verify):
    phone.set_faults("wallet.value-changed")
    phone.accept()
    verify("Refused: element.digest")
    assert [one["fault"] for one in phone.calls()[0]["faults"]] == ["wallet.value-changed"]


def test_a_person_with_the_app_switched_off_cannot_answer(phone, verify):
    phone.accept()
    verify("Hello, Kelly")
    phone.perform({"person": {"switches-off": "Wallet"}})
    verify("Your browser did not hand over an ID.")
    assert phone.calls()[1]["offered"] == []
