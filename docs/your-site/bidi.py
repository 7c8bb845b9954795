"""A client of the WebDriver BiDi endpoint of `presentment serve --bidi`. It needs the package websocket-client."""

import itertools
import json
import time

import websocket

SET = "digitalCredentials.setVirtualWalletBehavior"


class BiDi:
    """A session with the endpoint. Leaving it clears every behavior that it set, or ends the worlds of its test."""

    def __init__(self, url, test=None):
        self.socket = websocket.create_connection(url, timeout=20, suppress_origin=True)
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
        for _ in range(200):
            contexts = self.command("browsingContext.getTree", {"maxDepth": 0})["contexts"]
            found = [one["context"] for one in contexts if one["url"] == url]
            if found:
                return found[-1]
            time.sleep(0.05)
        raise AssertionError(f"no page at {url} has loaded presentment.js")
