"""A client of the WebDriver BiDi endpoint of `presentment serve --bidi`. It needs the package websocket-client."""

import itertools
import json
import os
import time

import websocket

# In seconds. A busy machine needs more.
PATIENCE = float(os.environ.get("PATIENCE", 20))
SET = "digitalCredentials.setVirtualWalletBehavior"


class BiDi:
    """A session with the endpoint. Leaving it clears every behavior that it set, or ends the worlds of its test."""

    def __init__(self, url, test=None):
        self.socket = websocket.create_connection(url, timeout=PATIENCE, suppress_origin=True)
        self.numbers = itertools.count(1)
        self.capabilities = {"alwaysMatch": {"presentment:test": test}} if test else {}

    def __enter__(self):
        self.command("session.new", {"capabilities": self.capabilities})
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
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            contexts = self.command("browsingContext.getTree", {"maxDepth": 0})["contexts"]
            found = [one["context"] for one in contexts if one["url"] == url]
            if found:
                return found[-1]
            time.sleep(0.05)
        raise AssertionError(f"no page at {url} has loaded presentment.js")
