"""Sessions of a verifier's server: a request with a key and a nonce of its own, and one answer."""

import os
import secrets
import threading
import time

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_pem_private_key

import certificates
import cose
import mdoc
from checks import Checking, Refusal, declare
from exchange import encode

PROTOCOL = "org-iso-mdoc"
NONCE_LENGTH = 16
MOST_SESSIONS = 10_000
TIME_OF_STORE = 0.02
ASKED = {mdoc.DRIVING_LICENCE: {mdoc.NAME_SPACE: ["family_name", "given_name", "age_over_21", "document_number"]}}

declare("session-known", "An answer without a session of the server is refused.")
declare("session-once", "A session takes one answer.")
declare("session-at-once", "A session is used up before its answer is verified: of two answers at once, it takes one.")
declare("session-expires", "An answer that comes too late is refused.")
declare("fresh-nonce", "Every session has a nonce of its own.")
declare("fresh-key", "Every session has a key of its own.")
declare("nonce-length", "A nonce has 16 bytes.")


class UnknownSession(Refusal):
    """The server has no such session."""


class Session:
    """A request that was sent, and what opens the answer."""

    def __init__(self, origin, key, nonce, asked, reader=None):
        self.identifier = secrets.token_hex(16)
        self.origin, self.key, self.asked = origin, key, asked
        self.began, self.is_used = time.monotonic(), False
        self.encryption_info_bytes = cbor2.dumps(
            ["dcapi", {"nonce": nonce, "recipientPublicKey": cose.encode_key(key.public_key())}])
        self.encryption_info = encode(self.encryption_info_bytes)
        self.device_request = encode(cbor2.dumps(self.request(reader)))

    def request(self, reader):
        items = [
            {"docType": kind, "nameSpaces": {
                name: {element: False for element in elements} for name, elements in name_spaces.items()}}
            for kind, name_spaces in self.asked.items()]
        case = {"mandatory": True, "documentSets": [list(range(len(items)))]}
        asked = {
            "version": "1.1", "docRequests": [{"itemsRequest": mdoc.embedded(one)} for one in items],
            "deviceRequestInfo": mdoc.embedded({"useCases": [case]}),
        }
        if reader:
            signed = mdoc.reader_authentication(asked, mdoc.transcript(self.encryption_info, self.origin))
            asked["readerAuthAll"] = [cose.sign(signed, reader.key, reader.chain, attached=False)]
        return asked

    @property
    def request_data(self):
        return {"deviceRequest": self.device_request, "encryptionInfo": self.encryption_info}

    @property
    def options(self):
        """The options of navigator.credentials.get."""
        return {
            "mediation": "required",
            "digital": {"requests": [{"protocol": PROTOCOL, "data": self.request_data}]},
        }


class Reader:
    """The key and the certificates of a relying party, from a file in PEM."""

    def __init__(self, pem):
        self.key = load_pem_private_key(pem, None)
        chain = x509.load_pem_x509_certificates(pem)
        self.chain = [one.public_bytes(certificates.Encoding.DER) for one in chain]


class Sessions(Checking):
    """The sessions of a server, the newest last."""

    def __init__(self, without, asked=ASKED, reader=None, lifetime=600):
        super().__init__(without)
        self.asked, self.reader, self.lifetime = asked, reader, lifetime
        self.lock, self.table = threading.Lock(), {}
        self.usual_nonce, self.usual_key = os.urandom(NONCE_LENGTH), ec.generate_private_key(ec.SECP256R1())

    def begin(self, origin):
        session = Session(origin, self.key(), self.nonce(), self.asked, self.reader)
        with self.lock:
            if len(self.table) >= MOST_SESSIONS:
                del self.table[next(iter(self.table))]
            self.table[session.identifier] = session
        return session

    def key(self):
        return ec.generate_private_key(ec.SECP256R1()) if self.makes("fresh-key") else self.usual_key

    def nonce(self):
        nonce = os.urandom(NONCE_LENGTH) if self.makes("fresh-nonce") else self.usual_nonce
        return nonce if self.makes("nonce-length") else nonce[:8]

    def take(self, identifier):
        """The session for an answer. It is used up at once, whatever the answer is."""
        with self.lock:
            session = self.table.get(identifier)
            if session is None and self.table and not self.makes("session-known"):
                session = next(reversed(self.table.values()))
            if session is None:
                raise UnknownSession("session-known")
            if session.is_used and self.makes("session-once"):
                raise Refusal("session-once")
            session.is_used = self.makes("session-at-once")
            if time.monotonic() - session.began >= self.lifetime and self.makes("session-expires"):
                raise Refusal("session-expires")
            return session

    def end(self, session):
        """The session's answer was judged. A server that notes it only now does so after the time of its store."""
        if not session.is_used:
            time.sleep(TIME_OF_STORE)
            session.is_used = True

    def others(self, session):
        with self.lock:
            return [one for one in self.table.values() if one is not session]
