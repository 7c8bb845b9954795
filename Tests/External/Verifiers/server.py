#!/usr/bin/env python3
"""The server of a website that verifies documents, with one of several verifiers.

    server.py NAME --roots FOLDER|FILE.pem [--port 0] [--reader FILE.pem] [--without CHECK]...
    server.py --list-checks

Prints its origin on its first line. It answers two calls:

    POST /request                                 {"session", "options"}, the options of navigator.credentials.get
    POST /response {"session", "protocol", "data"} {"verdict": "verified" or "refused", "reason", "documents"}

A refusal has status 200, or 404 if the session is unknown; a call that is malformed has 400.
"""

import argparse
import importlib
import json
import pathlib
import sys
from collections import namedtuple
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Interoperability"))

from cbor2 import CBORTag  # noqa: E402
from cryptography import x509  # noqa: E402

import careful  # noqa: E402, F401 (declares its checks)
import checks  # noqa: E402
from checks import Checking, Refusal, declare  # noqa: E402
from exchange import plain  # noqa: E402
from sessions import ASKED, Reader, Sessions, UnknownSession  # noqa: E402

# Each verifier with its module and its class.
VERIFIERS = {
    "accept-all": ("extremes", "AcceptAll"),
    "refuse-all": ("extremes", "RefuseAll"),
    "pymdoccbor": ("with_pymdoccbor", "WithPymdoccbor"),
    "isomdoc": ("with_isomdoc", "WithIsomdoc"),
    "presentment": ("with_presentment", "WithPresentment"),
    "careful": ("careful", "Careful"),
}
LONGEST_BODY = 1 << 20
TIME_LIMIT = 30

declare("body-limit", "A body of more than 1 MiB is refused.")
declare("clean-errors", "Malformed data never ends in an error of the server, status 500.")
# The checks that every server has; the others are the careful server's own.
OF_EVERY_SERVER = {
    "session-known", "session-once", "session-at-once", "session-expires", "fresh-nonce", "fresh-key", "nonce-length",
    "body-limit", "clean-errors"}

Answer = namedtuple("Answer", "session protocol data others claimed_origin now")


class MalformedCall(Exception):
    """The body of a call cannot be used."""


class Site(BaseHTTPRequestHandler):
    timeout = TIME_LIMIT

    def do_POST(self):
        try:
            body = self.body()
            if self.path == "/request":
                self.reply(200, self.server.begin())
            elif self.path == "/response":
                self.reply(*self.server.respond(self.parsed(body), self.headers.get("Origin")))
            else:
                self.reply(404, {"error": "there is no such call"})
        except MalformedCall as problem:
            self.reply(*problem.args)

    def body(self):
        text = self.headers.get("Content-Length", "0")
        if not (text.isascii() and text.isdigit()) or len(text) > 18:
            raise MalformedCall(400, {"error": "the length of the body is not a number"})
        if int(text) > LONGEST_BODY and self.server.makes("body-limit"):
            raise MalformedCall(413, {"error": "the body is too long"})
        return self.rfile.read(int(text))

    def parsed(self, body):
        try:
            call = json.loads(body)
            if not all(isinstance(call[name], str) for name in ("session", "protocol")):
                raise ValueError("session and protocol are texts")
            if not isinstance(call["data"], dict):
                raise ValueError("data is an object")
            return call
        except (ValueError, KeyError, TypeError, RecursionError) as problem:
            status = 400 if self.server.makes("clean-errors") else 500
            raise MalformedCall(status, {"error": f"malformed: {type(problem).__name__}"}) from None

    def refuse_method(self):
        self.reply(405, {"error": "the calls are POST"})

    do_GET = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = refuse_method

    def send_error(self, code, *texts):
        super().send_error(405 if code == 501 else code, *texts)  # A method that is unknown is no error of the server.

    def reply(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            pass  # The other end has left.


class Server(ThreadingHTTPServer, Checking):
    """Begins sessions, and lets a verifier judge the answer to each."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, verifier, sessions, port=0, without=frozenset()):
        ThreadingHTTPServer.__init__(self, ("127.0.0.1", port), Site)
        Checking.__init__(self, without)
        self.verifier, self.sessions = verifier, sessions
        self.origin = f"http://localhost:{self.server_port}"

    def begin(self):
        session = self.sessions.begin(self.origin)
        return {"session": session.identifier, "options": session.options}

    def respond(self, call, claimed_origin):
        """The status and the verdict."""
        try:
            session = self.sessions.take(call["session"])
            answer = Answer(
                session, call["protocol"], call["data"], self.sessions.others(session), claimed_origin,
                datetime.now(timezone.utc))
            try:
                return 200, verdict("verified", None, self.verifier.verify(answer))
            finally:
                self.sessions.end(session)
        except Refusal as refusal:
            status = 404 if isinstance(refusal, UnknownSession) else 200
            return status, verdict("refused", refusal.reason, refusal.documents)
        except Exception as problem:  # Any error in untrusted input refuses it.
            return 200 if self.makes("clean-errors") else 500, verdict("refused", type(problem).__name__)


def verdict(word, reason, documents=()):
    shown = [{"docType": one["docType"], "elements": readable(one["elements"])} for one in documents]
    return {"verdict": word, "reason": reason, "documents": shown}


def readable(value):
    """A value in JSON: of a tagged value its content, of bytes their base64url."""
    if isinstance(value, CBORTag):
        return readable(value.value)
    if isinstance(value, list):
        return [readable(one) for one in value]
    if isinstance(value, dict):
        return {str(key): readable(one) for key, one in value.items()}
    return plain(value)


def roots_in(path):
    """The certificates of a file in PEM, or of every one in a folder."""
    files = sorted(path.glob("*.pem")) if path.is_dir() else [path]
    return [one for file in files for one in x509.load_pem_x509_certificates(file.read_bytes())]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=VERIFIERS, nargs="?")
    parser.add_argument("--roots", type=pathlib.Path)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--reader", type=pathlib.Path, help="key and certificates in PEM, to sign requests with")
    parser.add_argument("--asks", type=json.loads, default=ASKED, help='{"TYPE": {"NAME SPACE": ["ELEMENT"]}}')
    parser.add_argument("--lifetime", type=float, default=600, help="seconds until a session ends")
    parser.add_argument("--presentment", help="the program of the verifier presentment")
    parser.add_argument("--without", action="append", default=[], choices=checks.PHRASES, metavar="CHECK")
    parser.add_argument("--list-checks", action="store_true")
    arguments = parser.parse_args()
    if arguments.list_checks:
        for name, phrase in checks.PHRASES.items():
            print(f"{name:28} {phrase}")
        return 0
    if not arguments.name or not arguments.roots:
        parser.error("a name and --roots are needed")
    without = set(arguments.without)
    if arguments.name != "careful" and without - OF_EVERY_SERVER:
        parser.error(f"{arguments.name} has no check {', '.join(sorted(without - OF_EVERY_SERVER))}")
    module, kind = VERIFIERS[arguments.name]
    options = {"without": without} if arguments.name == "careful" else {}
    if arguments.name == "presentment" and arguments.presentment:
        options["program"] = arguments.presentment
    verifier = getattr(importlib.import_module(module), kind)(roots_in(arguments.roots), **options)
    reader = Reader(arguments.reader.read_bytes()) if arguments.reader else None
    sessions = Sessions(without, arguments.asks, reader, arguments.lifetime)
    server = Server(verifier, sessions, arguments.port, without)
    print(server.origin, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
