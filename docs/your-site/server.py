"""A small site of your own: a page that asks for a name, and a server that verifies the answer with
`presentment verify`.

usage: server.py PRESENTMENT ISSUER_ROOTS.pem [PORT [STATUS_LISTS]] [--reader FOLDER]

STATUS_LISTS is the address at which `presentment test-verifier` serves status lists: https://HOST/PATH is fetched from
STATUS_LISTS/HOST/PATH. FOLDER has a reader, which signs the requests: key.pem and certificate.pem, as in the folder
`reader` of `presentment test-verifier --roots`.
"""

import argparse
import base64
import json
import pathlib
import secrets
import subprocess
import tempfile
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FOLDER = pathlib.Path(__file__).parent
PAGES = {"/": FOLDER / "page.html", "/with-presentment-js.html": FOLDER / "with-presentment-js.html"}
LONGEST_BODY = 1 << 20
LONGEST_LIST = 2 << 20
# Seconds until a list counts as missing.
TIME_FOR_A_LIST = 5


class Site(BaseHTTPRequestHandler):
    """GET / is the page, /with-presentment-js.html the same with one more line.

    POST /request starts a session, POST /response verifies."""

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path in PAGES:
            self.reply(200, "text/html; charset=utf-8", PAGES[path].read_bytes())
        else:
            self.reply(404, "text/plain", b"not found")

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        if length > LONGEST_BODY:
            return self.reply(413, "text/plain", b"too large")
        body = self.rfile.read(length)
        if self.path == "/request":
            return self.reply_json(self.server.begin())
        if self.path == "/response":
            try:
                answer = json.loads(body)
                session, protocol, data = (answer[name] for name in ("session", "protocol", "data"))
            except (ValueError, TypeError, KeyError, RecursionError):
                return self.reply(400, "text/plain", b"not a credential with its session")
            return self.reply_json(self.server.verify(session, protocol, data))
        self.reply(404, "text/plain", b"not found")

    def reply_json(self, value):
        self.reply(200, "application/json", json.dumps(value).encode())

    def reply(self, status, kind, body):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # The browser has left.


class Server(ThreadingHTTPServer):
    """Keeps an exchange file for each request it has sent; what the page gets of it is the request alone."""

    def __init__(self, presentment, roots, port, status_lists=None, reader=None):
        super().__init__(("127.0.0.1", port), Site)
        self.status_lists = status_lists
        self.signing = [
            "--reader-certificates", reader / "certificate.pem", "--reader-key", reader / "key.pem"] if reader else []
        self.presentment, self.roots = presentment, roots
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="your-site-"))
        self.exchanges = {}
        self.origin = f"http://localhost:{self.server_port}"

    def begin(self):
        session = secrets.token_hex(16)
        exchange = self.folder / f"{session}.json"
        page = self.folder / f"{session}.page.json"
        self.run("request", "--origin", self.origin, "--document-type", "org.iso.18013.5.1.mDL",
                 "--element", "org.iso.18013.5.1:given_name:retain", "--element", "org.iso.18013.5.1:age_over_21",
                 "--out", exchange, "--page", page, *self.signing)
        self.exchanges[session] = exchange
        return {"session": session, "options": json.loads(page.read_text())}

    def verify(self, session, protocol, data):
        exchange = self.exchanges.pop(str(session), None)  # A request takes one answer.
        if exchange is None:
            return {"verdict": "refused", "failure": {"check": "session.known", "reason": None}, "documents": []}
        contents = json.loads(exchange.read_text())
        contents["response"] = {"protocol": protocol, "data": data}
        report = self.report(exchange, contents)
        # Only documents that verified name lists to fetch. The second time the answer is judged with the lists.
        contents["statusLists"] = {uri: token for uri in missing_lists(report) if (token := self.fetch(uri))}
        if contents["statusLists"]:
            report = self.report(exchange, contents)
        exchange.unlink()
        # The page does not get the checks: their evidence is for the server's log.
        return {name: report[name] for name in ("verdict", "failure", "documents")}

    def report(self, exchange, contents):
        exchange.write_text(json.dumps(contents))
        return json.loads(self.run("verify", exchange, "--json", "--issuer-root", self.roots, accepted=(0, 1)))

    def fetch(self, uri):
        """A status list in base64url, or None. It has a signature of its own, which `presentment verify` checks."""
        if not uri.startswith("https://"):
            return None
        place = f"{self.status_lists}/{uri.removeprefix('https://')}" if self.status_lists else uri
        try:
            with urllib.request.urlopen(place, timeout=TIME_FOR_A_LIST) as answer:
                token = answer.read(LONGEST_LIST)
        except (OSError, ValueError):
            return None
        return base64.urlsafe_b64encode(token).rstrip(b"=").decode()

    def run(self, *arguments, accepted=(0,)):
        done = subprocess.run([self.presentment, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode not in accepted:
            raise RuntimeError(done.stderr)
        return done.stdout


def missing_lists(report):
    """The addresses of the lists that `verify` did not have."""
    return {place["found"] for one in report["checks"] if one["check"] == "status.list.fetched"
            for place in one["evidence"] if place["field"] == "list"}


def start(presentment, roots, port=0, status_lists=None, reader=None):
    """Returns a server that listens; the caller lets it serve."""
    return Server(presentment, roots, port, status_lists, reader)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("presentment")
    parser.add_argument("roots")
    parser.add_argument("port", nargs="?", type=int, default=0)
    parser.add_argument("status_lists", nargs="?")
    parser.add_argument("--reader", type=pathlib.Path)
    server = start(**vars(parser.parse_args()))
    print(server.origin, flush=True)
    server.serve_forever()
