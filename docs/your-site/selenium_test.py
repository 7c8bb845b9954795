"""Your own site in a real Chromium: a real click, the page's live request, and the answer of a simulated phone, which
the browser's virtual wallet returns.

usage: selenium_test.py PRESENTMENT_URL SITE_URL [SCREENSHOT.png]
"""

import json
import os
import sys
import urllib.request

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import element_to_be_clickable
from selenium.webdriver.support.ui import WebDriverWait

# In seconds. A busy machine needs more.
PATIENCE = float(os.environ.get("PATIENCE", 20))
# Delays the page's call until its answer is ready, then continues with the browser's own API.
HOLD = """
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = async (options) => {
    if (!options?.digital) return get(options);
    window.heldRequest = JSON.stringify({ origin: location.origin, request: { digital: options.digital } });
    await new Promise((resume) => { window.resume = resume; });
    return get(options);
  };
"""


def chromium():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in ["--headless=new", "--disable-dev-shm-usage", "--window-size=900,600"]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    return webdriver.Chrome(options=options, service=service)


def answer(presentment, held):
    """The phone's answer, as a command for the browser's virtual wallet."""
    body = json.dumps({**json.loads(held), "world": "any-site", "format": "cdp"}).encode()
    request = urllib.request.Request(
        presentment.rstrip("/") + "/api/answer", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def tap(driver, site):
    """Opens the site, clicks, and returns the delayed call."""
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": HOLD})
    driver.get(site)
    WebDriverWait(driver, PATIENCE).until(element_to_be_clickable((By.ID, "verify"))).click()
    return WebDriverWait(driver, PATIENCE).until(lambda page: page.execute_script("return window.heldRequest"))


def let_go(driver, command):
    """Configures the virtual wallet, and continues the page's call with the browser's own API."""
    driver.execute_cdp_cmd(command["method"], command["params"])
    driver.execute_script("window.resume()")


def shown(driver):
    return WebDriverWait(driver, PATIENCE).until(lambda page: page.find_element(By.ID, "result").text)


def verify(presentment, site, screenshot=None):
    """What the page shows when the phone has answered."""
    driver = chromium()
    try:
        held = tap(driver, site)
        let_go(driver, answer(presentment, held))
        text = shown(driver)
        if screenshot:
            driver.save_screenshot(screenshot)
        errors = [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
        assert not errors, errors
        return text
    finally:
        driver.quit()


if __name__ == "__main__":
    said = verify(*sys.argv[1:])
    print(said)
    assert said == "Hello, Kelly", said
