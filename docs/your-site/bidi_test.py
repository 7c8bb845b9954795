"""Your site with presentment.js in a real browser: a test accepts, declines and cancels through WebDriver BiDi.

Nothing is done by hand on the simulated phone.

usage: bidi_test.py BIDI_URL PAGE_URL

BIDI_URL is the second line that `presentment serve --bidi 0` prints. The page includes presentment.js with
data-overlay="none".
"""

import itertools
import json
import sys
import time

import websocket
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import element_to_be_clickable
from selenium.webdriver.support.ui import WebDriverWait

from selenium_test import chromium

SET = "digitalCredentials.setVirtualWalletBehavior"


class BiDi:
    """A session with the endpoint. Leaving it clears every behavior that it set."""

    def __init__(self, url):
        self.socket = websocket.create_connection(url, timeout=20, suppress_origin=True)
        self.numbers = itertools.count(1)

    def __enter__(self):
        self.command("session.new", {"capabilities": {}})
        return self

    def __exit__(self, *_):
        self.command("session.end", {})
        self.socket.close()

    def command(self, method, params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        answer = json.loads(self.socket.recv())
        assert answer["type"] == "success", answer
        return answer["result"]

    def context(self, url):
        """The context of the page with an address. It is there when the page has joined its world."""
        for _ in range(200):
            contexts = self.command("browsingContext.getTree", {"maxDepth": 0})["contexts"]
            found = [one["context"] for one in contexts if one["url"] == url]
            if found:
                return found[-1]
            time.sleep(0.05)
        raise AssertionError(f"no page at {url} has loaded presentment.js")


def shown(driver, then=lambda: None):
    """Presses the button, does something else, and returns the page's message."""
    wait = WebDriverWait(driver, 20)
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
