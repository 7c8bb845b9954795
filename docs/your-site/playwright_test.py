"""Your own site in a real Chromium with Playwright, answered by a simulated phone.

Uses Playwright's Chromium (`playwright install chromium`), or the one at the path in the variable CHROMIUM.

usage: playwright_test.py PRESENTMENT_URL SITE_URL [SCREENSHOT.png]
"""

import json
import os
import sys
import urllib.request

from playwright.sync_api import sync_playwright

# In milliseconds. A busy machine needs more.
PATIENCE = 1_000 * float(os.environ.get("PATIENCE", 30))
HOLD = """
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = async (options) => {
    if (!options?.digital) return get(options);
    await window.answerHeld(JSON.stringify({ origin: location.origin, request: { digital: options.digital } }));
    return get(options);
  };
"""


def verify(presentment, site, screenshot=None):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM"))
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        session = page.context.new_cdp_session(page)

        def answer_held(held):
            body = json.dumps({**json.loads(held), "world": "any-site", "format": "cdp"}).encode()
            request = urllib.request.Request(
                presentment.rstrip("/") + "/api/answer", body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request) as response:
                command = json.load(response)
            session.send(command["method"], command["params"])

        page.expose_function("answerHeld", answer_held)
        page.add_init_script(HOLD)
        page.goto(site)
        page.click("#verify")
        page.wait_for_selector("#result:not(:empty)")
        shown = page.inner_text("#result")
        if screenshot:
            page.screenshot(path=screenshot)
        browser.close()
        return shown


if __name__ == "__main__":
    shown = verify(*sys.argv[1:])
    print(shown)
    assert shown == "Hello, Kelly", shown
