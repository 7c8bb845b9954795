#!/usr/bin/env python3
"""Both ends of a presentation in person (ISO/IEC 18013-5, device retrieval), written from the standard alone, to test
presentment against. Each command reads and writes files of the current folder; STATE is the file of an end.

    in_person.py engage  STATE qr|static|negotiated --out FILE [--offer NDEF] [--curve X25519]
                                                                                the mdoc's engagement, and a document
    in_person.py answer  STATE MESSAGE --by signature|mac --out FILE [--last]   the mdoc's answer to a request
    in_person.py offer   NDEF                                                   the reader's handover request
    in_person.py ask     STATE ENGAGEMENT --out FILE [--offer NDEF]             the reader's first request
    in_person.py take    STATE MESSAGE [--root PEM]                             exit 0 verified, 1 refused
    in_person.py further STATE --out FILE                                       the reader's next request
"""

import argparse
import base64
import json
import pathlib
import sys
from datetime import datetime, timezone

import cbor2
from cbor2 import CBORTag
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import certificates
import cose
import hpke
import mdoc
from exchange import ELEMENTS, plain

ENGAGEMENT = b"iso.org:18013:deviceengagement"
READER_ENGAGEMENT = b"iso.org:18013:readerengagement"
BLUETOOTH = b"application/vnd.bluetooth.le.oob"
SERVICE = bytes(range(8)) + b"\x88" + bytes(range(9, 16))
ITEMS = {"docType": mdoc.DRIVING_LICENCE, "nameSpaces": {mdoc.NAME_SPACE: {"family_name": True, "portrait": False}}}
MODES = {"reader": bytes(8), "mdoc": bytes(7) + b"\x01"}


X25519 = 4  # RFC 9053, table 18


def number(key):
    if isinstance(key, x25519.X25519PrivateKey):
        return key.private_bytes_raw().hex()
    return key.private_numbers().private_value.to_bytes(32, "big").hex()


def private(text):
    return ec.derive_private_key(int(text, 16), ec.SECP256R1())


def ephemeral(curve):
    """A fresh key pair of an end, and its COSE_Key."""
    if curve != X25519:
        key = ec.generate_private_key(ec.SECP256R1())
        return key, cbor2.dumps(cose.encode_key(key.public_key()))
    key = x25519.X25519PrivateKey.generate()
    return key, cbor2.dumps({1: 1, -1: X25519, -2: key.public_key().public_bytes_raw()})


def secret(own, other):
    """The shared secret of an end's private number and the other end's COSE_Key."""
    if other[-1] == X25519:
        assert other[1] == 1 and -3 not in other
        own = x25519.X25519PrivateKey.from_private_bytes(bytes.fromhex(own))
        return own.exchange(x25519.X25519PublicKey.from_public_bytes(other[-2]))
    return private(own).exchange(ec.ECDH(), cose.decode_key(other))


def record(kind, name, identifier, payload, first=False, last=False):
    """A short record of an NDEF message."""
    head = kind | 0x10 | (0x80 if first else 0) | (0x40 if last else 0) | (0x08 if identifier else 0)
    lengths = bytes([len(name), len(payload)]) + (bytes([len(identifier)]) if identifier else b"")
    return bytes([head]) + lengths + name + identifier + payload


def records(message):
    """The type, identifier and payload of each record."""
    found, place = [], 0
    while place < len(message):
        head, length = message[place], message[place + 1]
        place += 2
        size = 1 if head & 0x10 else 4
        payload = int.from_bytes(message[place:place + size], "big")
        place += size
        identifier = 0
        if head & 0x08:
            identifier, place = message[place], place + 1
        ends = [place + length, place + length + identifier, place + length + identifier + payload]
        found.append((message[place:ends[0]], message[ends[0]:ends[1]], message[ends[1]:ends[2]]))
        place = ends[2]
    return found


def carriers(kind, auxiliary, records):
    """The first record of a handover: a reference to each carrier, and what belongs to it."""
    references = b""
    for index, (_, identifier) in enumerate(records):
        payload = bytes([1, len(identifier)]) + identifier + bytes([len(auxiliary)])
        payload += b"".join(bytes([len(one)]) + one for one in auxiliary)
        references += record(1, b"ac", b"", payload, first=index == 0, last=index == len(records) - 1)
    return record(1, kind, b"", b"\x15" + references, first=True)


def low_energy(role, service):
    """Advertising data: the role, and the service in reverse."""
    return bytes([2, 0x1c, role]) + (bytes([17, 0x07]) + service[::-1] if service else b"")


def handover_request():
    carrier = record(2, BLUETOOTH, b"0", low_energy(0, SERVICE), last=True)
    reader = record(4, READER_ENGAGEMENT, b"mdocreader", cbor2.dumps({0: "1.0"}))
    return carriers(b"Hr", [], [(BLUETOOTH, b"0")]) + reader + carrier


def handover_select(engagement, service):
    carrier = record(2, BLUETOOTH, b"0", low_energy(1, service))
    return (carriers(b"Hs", [b"mdoc"], [(BLUETOOTH, b"0")]) + carrier
            + record(4, ENGAGEMENT, b"mdoc", engagement, last=True))


class End:
    """An end of a session: its state, as a file."""

    def __init__(self, path, values=None):
        self.path = pathlib.Path(path)
        self.values = json.loads(self.path.read_text()) if values is None else values

    def save(self):
        self.path.write_text(json.dumps(self.values))

    def take(self, name):
        return bytes.fromhex(self.values[name]) if self.values.get(name) is not None else None

    def transcript(self):
        engagement, select, offer = self.take("engagement"), self.take("select"), self.take("offer")
        return [CBORTag(24, engagement), CBORTag(24, self.take("readerKey")),
                None if select is None else [select, offer]]

    def keyed(self, info, shared):
        """HKDF over a shared secret, salted with the transcript (9.1.1.5 and 9.1.3.5)."""
        salt = mdoc.sha256(cbor2.dumps(mdoc.embedded(self.transcript()))).digest()
        return hpke._expand(hpke._extract(salt, shared), info, 32)

    def cipher(self, sender):
        other = "readerKey" if self.values["end"] == "mdoc" else "deviceKey"
        other = cbor2.loads(self.take(other))
        info = b"SKReader" if sender == "reader" else b"SKDevice"
        counter = self.values[sender] = self.values.get(sender, 0) + 1
        key = AESGCM(self.keyed(info, secret(self.values["key"], other)))
        return key, MODES[sender] + counter.to_bytes(4, "big")

    def seal(self, plaintext):
        key, nonce = self.cipher(self.values["end"])
        return key.encrypt(nonce, plaintext, None)

    def open(self, data):
        key, nonce = self.cipher("reader" if self.values["end"] == "mdoc" else "mdoc")
        return key.decrypt(nonce, data, None)


def engage(arguments):
    key, encoded = ephemeral(X25519 if arguments.curve == "X25519" else None)
    device = ec.generate_private_key(ec.SECP256R1())
    engagement = {0: "1.0", 1: [1, CBORTag(24, encoded)]}
    if arguments.way == "qr":
        engagement[2] = [[2, 1, {0: False, 1: True, 11: SERVICE}]]
    engagement = cbor2.dumps(engagement)
    now = datetime.now(timezone.utc).replace(microsecond=0)
    authority = certificates.Authority("Utopia Root", now)
    issued = mdoc.issue(ELEMENTS, device.public_key(), authority, now)
    select = offer = None
    if arguments.way == "qr":
        out = b"mdoc:" + base64.urlsafe_b64encode(engagement).rstrip(b"=")
    else:
        if arguments.way == "negotiated":
            offer = pathlib.Path(arguments.offer).read_bytes()
            assert records(offer)[0][0] == b"Hr"
        out = select = handover_select(engagement, None if offer else SERVICE)
    pathlib.Path(arguments.out).write_bytes(out)
    End(arguments.state, {
        "end": "mdoc", "key": number(key), "device": number(device), "issued": cbor2.dumps(issued).hex(),
        "root": authority.pem, "engagement": engagement.hex(), "select": select and select.hex(),
        "offer": offer and offer.hex()}).save()
    print(authority.pem, end="")
    return 0


def answer(arguments):
    end = End(arguments.state)
    message = cose.strict_loads(pathlib.Path(arguments.message).read_bytes())
    if "eReaderKey" in message:
        end.values["readerKey"] = message["eReaderKey"].value.hex()
    request = cose.strict_loads(end.open(message["data"]))
    device, session = private(end.values["device"]), end.transcript()
    items = cbor2.loads(request["docRequests"][0]["itemsRequest"].value)
    mac = None
    if arguments.by == "mac":
        mac = end.keyed(b"EMacKey", secret(end.values["device"], cbor2.loads(end.take("readerKey"))))
    response = mdoc.present(cbor2.loads(end.take("issued")), items, device, session, mac)
    answered = {"data": end.seal(response)}
    if arguments.last:
        answered["status"] = 20
    pathlib.Path(arguments.out).write_bytes(cbor2.dumps(answered))
    end.save()
    return 0


def offer(arguments):
    pathlib.Path(arguments.out).write_bytes(handover_request())
    return 0


def request():
    return cbor2.dumps({"version": "1.0", "docRequests": [{"itemsRequest": mdoc.embedded(ITEMS)}]})


def ask(arguments):
    received = pathlib.Path(arguments.engagement).read_bytes()
    select = None
    if received.startswith(b"mdoc:"):
        engagement = base64.urlsafe_b64decode(received[5:] + b"=" * (-len(received[5:]) % 4))
    else:
        select = received
        engagement = next(payload for kind, _, payload in records(received) if kind == ENGAGEMENT)
    key, encoded = ephemeral(cbor2.loads(cbor2.loads(engagement)[1][1].value)[-1])
    offered = pathlib.Path(arguments.offer).read_bytes().hex() if arguments.offer else None
    end = End(arguments.state, {
        "end": "reader", "key": number(key), "engagement": engagement.hex(), "select": select and select.hex(),
        "offer": offered, "deviceKey": cbor2.loads(engagement)[1][1].value.hex(), "readerKey": encoded.hex()})
    message = {"eReaderKey": CBORTag(24, encoded), "data": end.seal(request())}
    pathlib.Path(arguments.out).write_bytes(cbor2.dumps(message))
    end.save()
    return 0


def further(arguments):
    end = End(arguments.state)
    pathlib.Path(arguments.out).write_bytes(cbor2.dumps({"data": end.seal(request())}))
    end.save()
    return 0


def take(arguments):
    end = End(arguments.state)
    message = cose.strict_loads(pathlib.Path(arguments.message).read_bytes())
    anchors = x509.load_pem_x509_certificates(pathlib.Path(arguments.root).read_bytes())
    now = datetime.fromisoformat(arguments.at) if arguments.at else datetime.now(timezone.utc)
    try:
        response = end.open(message["data"])
        documents = mdoc.verify_response(
            response, end.transcript(), [ITEMS], anchors, now,
            lambda key: end.keyed(b"EMacKey", private(end.values["key"]).exchange(ec.ECDH(), key)))
    except Exception as problem:  # Any error in untrusted input refuses it.
        print(f"refused: {type(problem).__name__}: {problem}")
        return 1
    end.save()
    print(json.dumps({"status": message.get("status"), "documents": [
        {"docType": kind, "issuer": issuer, "elements": plain(values)} for kind, issuer, values in documents]}))
    return 0


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)

    def command(run, *positional, **options):
        one = commands.add_parser(run.__name__)
        for name in positional:
            one.add_argument(name)
        for name, settings in options.items():
            one.add_argument(f"--{name}", **settings)
        one.set_defaults(run=run)

    command(engage, "state", "way", out={"required": True}, offer={}, curve={})
    command(answer, "state", "message", by={"required": True}, out={"required": True}, last={"action": "store_true"})
    command(offer, "out")
    command(ask, "state", "engagement", out={"required": True}, offer={})
    command(take, "state", "message", root={"required": True}, at={})
    command(further, "state", out={"required": True})
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
