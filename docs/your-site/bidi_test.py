"""Your site with presentment.js in a real browser: a test accepts, declines and cancels through WebDriver BiDi.

Nothing is done by hand on the simulated phone.

usage: bidi_test.py BIDI_URL PAGE_URL

BIDI_URL is the second line that `presentment serve --bidi 0` prints. The page includes presentment.js with
data-overlay="none".
"""

import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import element_to_be_clickable
from selenium.webdriver.support.ui import WebDriverWait

from bidi import SET, BiDi
from selenium_test import PATIENCE, chromium


def shown(driver, then=lambda: None):
    """Presses the button, does something else, and returns the page's message."""
    wait = WebDriverWait(driver, PATIENCE)
    wait.until(element_to_be_clickable((By.ID, "verify"))).click()
    then()
    return wait.until(lambda page: page.find_element(By.ID, "result").text)


def check(bidi_url, page):
    """The page's messages for an acceptance, a refusal and a call that the person takes back."""
    driver = chromium()
    try:
        with BiDi(bidi_url) as bidi:
            driver.get(page)
            context = bidi.context(page)
            # The wallet of the simulated phone answers the page's own request.
            bidi.command(SET, {"context": context, "action": "respond", "presentment:app": "Wallet"})
            accepted = shown(driver)
            bidi.command(SET, {"context": context, "action": "decline"})
            declined = shown(driver)
            bidi.command(SET, {"context": context, "action": "wait"})
            cancelled = shown(driver, then=driver.find_element(By.ID, "cancel").click)
            return accepted, declined, cancelled
    finally:
        driver.quit()


if __name__ == "__main__":
    messages = check(*sys.argv[1:])
    print("\n".join(messages))
    assert messages == ("Hello, Kelly", "Your browser did not hand over an ID.", "You stopped waiting."), messages
