"""A server that asks for an identity document and verifies the answer, on Flask, cbor2 and cryptography.

usage: pip install flask cbor2 cryptography
       flask_server.py ISSUER_ROOTS.pem [--port 9000] [--origin ORIGIN] [--status-lists ADDRESS]

    GET  /                                          the page, if page.html is in the folder of this file
    POST /request[/KIND]                            {"session", "options"}: the options of navigator.credentials.get
    POST /response {"session", "protocol", "data"}  {"verdict", "failure", "documents"}

ADDRESS is where `presentment test-verifier` serves status lists: https://HOST/PATH is fetched from ADDRESS/HOST/PATH.
"""

import argparse
import base64
import pathlib
import secrets
import threading
import time
import urllib.request
from datetime import datetime, timezone

import cbor2
from cbor2 import CBORTag
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from flask import Flask, abort, jsonify, request, send_file

import document_checks
import status_lists
from document_checks import Refused, require

PROTOCOL = "org-iso-mdoc"
# Seconds until a list counts as missing.
TIME_FOR_A_LIST = 5
LICENSE, PHOTO_ID = "org.iso.18013.5.1.mDL", "org.iso.23220.photoid.1"
ELEMENTS = ["given_name", "family_name", "birth_date", "age_over_21"]
# What each kind of request asks for: elements by document type and name space.
ASKED = {
    "license": {LICENSE: {"org.iso.18013.5.1": ELEMENTS}},
    "license-and-photo-id": {
        LICENSE: {"org.iso.18013.5.1": ELEMENTS}, PHOTO_ID: {"org.iso.23220.1": ["family_name"]}},
}
LIFETIME, MOST_SESSIONS = 600, 10_000

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 1 << 20


class Session:
    """What the server keeps of a request until its answer comes."""

    def __init__(self, asked):
        self.asked, self.ends = asked, time.monotonic() + LIFETIME
        self.key = ec.generate_private_key(ec.SECP256R1())
        numbers = self.key.public_key().public_numbers()
        public = {1: 2, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        self.encryption_info = encode(["dcapi", {"nonce": secrets.token_bytes(16), "recipientPublicKey": public}])

    def options(self):
        """The options of navigator.credentials.get."""
        requests = [
            {"docType": kind, "nameSpaces": {
                name: {element: False for element in elements} for name, elements in name_spaces.items()}}
            for kind, name_spaces in self.asked.items()]
        device_request = encode({"version": "1.0", "docRequests": [
            {"itemsRequest": CBORTag(document_checks.EMBEDDED, cbor2.dumps(one))} for one in requests]})
        data = {"deviceRequest": device_request, "encryptionInfo": self.encryption_info}
        return {"mediation": "required", "digital": {"requests": [{"protocol": PROTOCOL, "data": data}]}}


class Sessions:
    """The sessions that wait for an answer, the oldest first. Several servers need a database in its place."""

    def __init__(self):
        self.lock, self.waiting = threading.Lock(), {}

    def begin(self, session):
        identifier = secrets.token_hex(16)
        with self.lock:
            if len(self.waiting) >= MOST_SESSIONS:
                del self.waiting[next(iter(self.waiting))]
            self.waiting[identifier] = session
        return identifier

    def take(self, identifier):
        """Removes the session: it takes one answer, even if two come at once."""
        with self.lock:
            session = self.waiting.pop(identifier, None)
        require(session is not None and time.monotonic() < session.ends, "session.known")
        return session


sessions = Sessions()


@app.get("/")
def page():
    return send_file(pathlib.Path(__file__).with_name("page.html"))


@app.post("/request")
@app.post("/request/<kind>")
def begin(kind="license"):
    session = Session(ASKED.get(kind) or abort(404))
    return {"session": sessions.begin(session), "options": session.options()}


@app.post("/response")
def verify():
    try:
        call = request.get_json()
        identifier, protocol, response = call["session"], call["protocol"], call["data"]["response"]
        if not all(isinstance(one, str) for one in (identifier, protocol, response)):
            abort(400)
    except (KeyError, TypeError, ValueError, RecursionError):
        abort(400)
    try:
        return outcome("verified", None, verified(sessions.take(identifier), protocol, response))
    except Refused as refused:
        check = str(refused)
    except Exception as problem:  # Bytes that cannot be read at all. The log says where it happened.
        app.logger.info("malformed", exc_info=problem)
        check = "malformed"
    return outcome("refused", {"check": check}, [])


def verified(session, protocol, response):
    """The documents in an answer to a session."""
    require(protocol == PROTOCOL, "response.protocol")
    transcript = document_checks.session_transcript(session.encryption_info, app.config["ORIGIN"])
    opened = document_checks.open_response(response, session.key, transcript)
    now = datetime.now(timezone.utc)
    documents = document_checks.verify_response(opened, transcript, session.asked, app.config["ROOTS"], now)
    for one in documents:
        status_lists.verify_status(one, fetch, now)
    return documents


def fetch(uri):
    """The status list at an address; None if it cannot be fetched."""
    if not uri.startswith("https://"):
        return None
    place = app.config["STATUS_LISTS"]
    try:
        address = f"{place}/{uri.removeprefix('https://')}" if place else uri
        with urllib.request.urlopen(address, timeout=TIME_FOR_A_LIST) as answer:
            return answer.read(status_lists.LONGEST_LIST)
    except (OSError, ValueError):
        return None


def outcome(verdict, failure, documents):
    shown = [{"docType": one.type, "elements": readable(one.elements)} for one in documents]
    return jsonify(verdict=verdict, failure=failure, documents=shown)


def readable(value):
    """A value in JSON: of a tag its content, of bytes their base64url."""
    if isinstance(value, dict):
        return {str(key): readable(one) for key, one in value.items()}
    if isinstance(value, list):
        return [readable(one) for one in value]
    if isinstance(value, CBORTag):
        return readable(value.value)
    return text_of(value) if isinstance(value, bytes) else value


def text_of(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def encode(item):
    return text_of(cbor2.dumps(item))


def configure(roots, origin, lists=None):
    """`roots` is a file in PEM with the issuing authorities that the server trusts."""
    app.config.update(ORIGIN=origin, STATUS_LISTS=lists)
    app.config["ROOTS"] = x509.load_pem_x509_certificates(pathlib.Path(roots).read_bytes())
    return app


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("roots")
    parser.add_argument("--port", type=int, default=9000)
    parser.add_argument("--origin", help="that of your page, if it is not http://localhost:PORT")
    parser.add_argument("--status-lists", metavar="ADDRESS")
    arguments = parser.parse_args()
    configure(arguments.roots, arguments.origin or f"http://localhost:{arguments.port}", arguments.status_lists)
    app.run(port=arguments.port)
