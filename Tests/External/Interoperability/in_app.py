#!/usr/bin/env python3
"""The answer to an app's request (Verifying Wallet identity requests), written from the document alone.

    in_app.py make --out FILE   a request and its answer, with an issuer of its own, and every part in hexadecimal:
                                Tests/WebPresentmentTests/Vectors/in-app.json
    in_app.py open FILE         as the app's server: exit 0 verified, 1 refused
"""

import argparse
import base64
import json
import pathlib
import sys
from datetime import datetime, timezone
from hashlib import sha256

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

import certificates
import cose
import hpke
import mdoc

VERSION = "AppleIdentityPresentment_1.0"
ALGORITHM = "APPLE-HPKE-v1"
MERCHANT, TEAM = "merchant.example.harbour", "HARBOUR123"
NONCE = bytes(range(32))
ISSUED = datetime(2026, 1, 1, tzinfo=timezone.utc)


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def fixed_key(number):
    return ec.derive_private_key(int.from_bytes(bytes([number] * 32), "big"), ec.SECP256R1())


def jwk(key):
    x963 = hpke.point(key.public_key())
    number = key.private_numbers().private_value.to_bytes(32, "big")
    return {"kty": "EC", "crv": "P-256", "x": encode(x963[1:33]), "y": encode(x963[33:]), "d": encode(number)}


def transcript(nonce, merchant, team, recipient):
    """[nil, nil, AppleHandover]"""
    return [None, None, [VERSION, nonce, merchant, team, sha256(hpke.point(recipient)).digest()]]


def make(arguments):
    recipient, ephemeral, device = fixed_key(1), fixed_key(2), fixed_key(3)
    session = transcript(NONCE, MERCHANT, TEAM, recipient.public_key())
    info = cbor2.dumps(session)
    authority = certificates.Authority("Utopia Root", ISSUED)
    items = {
        "docType": mdoc.DRIVING_LICENCE, "nameSpaces": {mdoc.NAME_SPACE: {"given_name": False, "age_over_21": True}}}
    issued = mdoc.issue(
        {mdoc.NAME_SPACE: {"given_name": "Erika", "family_name": "Müstermann", "age_over_21": True}},
        device.public_key(), authority, ISSUED)
    response = mdoc.present(issued, items, device, session)
    topics = b"\xa1" + cbor2.dumps("identity") + response
    enc, data = hpke.seal(topics, recipient.public_key(), info, ephemeral)
    envelope = cbor2.dumps({
        "algorithm": ALGORITHM,
        "params": {"mode": 0, "pkEm": enc, "pkRHash": session[2][4], "infoHash": sha256(info).digest()},
        "data": data,
    })
    known = {
        "source": "Tests/External/Interoperability/in_app.py make",
        "merchantIdentifier": MERCHANT, "teamIdentifier": TEAM, "nonce": NONCE.hex(),
        "recipientPrivateKey": recipient.private_numbers().private_value.to_bytes(32, "big").hex(),
        "ephemeralPrivateKey": ephemeral.private_numbers().private_value.to_bytes(32, "big").hex(),
        "pkRHash": session[2][4].hex(), "sessionTranscript": info.hex(), "infoHash": sha256(info).hexdigest(),
        "pkEm": enc.hex(), "deviceResponse": response.hex(), "topics": topics.hex(), "data": data.hex(),
        "envelope": envelope.hex(),
        "exchange": {
            "kind": "in-app",
            "request": {
                "nonce": encode(NONCE), "merchantIdentifier": MERCHANT, "teamIdentifier": TEAM, "documents": [items]},
            "recipientPrivateKey": jwk(recipient), "trustedIssuers": [authority.pem], "response": encode(envelope),
        },
    }
    pathlib.Path(arguments.out).write_text(json.dumps(known, indent=2) + "\n")
    return 0


def _require(condition, sentence):
    if not condition:
        raise ValueError(sentence)


def opened(exchange, folder):
    """The verified documents of an exchange; raises if a part is not as the document has it."""
    request = exchange["request"]
    key = exchange["recipientPrivateKey"]
    key = ec.derive_private_key(int.from_bytes(decode(key["d"]), "big"), ec.SECP256R1())
    session = transcript(
        decode(request["nonce"]), request["merchantIdentifier"], request["teamIdentifier"], key.public_key())
    envelope = cose.strict_loads(decode(exchange["response"]))
    _require(envelope["algorithm"] == ALGORITHM and set(envelope) == {"algorithm", "params", "data"}, "the algorithm")
    parameters = envelope["params"]
    _require(set(parameters) == {"mode", "pkEm", "pkRHash", "infoHash"} and parameters["mode"] == 0, "the parameters")
    _require(parameters["pkRHash"] == session[2][4], "pkRHash is not of the server's key")
    info = cbor2.dumps(session)
    _require(parameters["infoHash"] == sha256(info).digest(), "infoHash is not of the session transcript")
    plain = hpke.open_sealed(parameters["pkEm"], envelope["data"], key, info)
    _require(plain.startswith(b"\xa1" + cbor2.dumps("identity")), "the topics")
    response = plain[1 + len(cbor2.dumps("identity")):]
    read = cbor2.loads(response)
    _require(read["version"] == "1.0" and read["status"] == 0 and len(read["documents"]) == 1, "the device response")
    anchors = []
    for text in exchange["trustedIssuers"]:
        if "-----BEGIN" not in text:
            text = (folder / text).read_text()
        anchors += x509.load_pem_x509_certificates(text.encode())
    return mdoc.verify_response(response, session, request["documents"], anchors, exchange.get("at", ISSUED))


def open_file(arguments):
    path = pathlib.Path(arguments.file)
    exchange = json.loads(path.read_text())
    # The known answer is of a fixed time, an answer of the command of now.
    exchange = exchange.get("exchange", {**exchange, "at": datetime.now(timezone.utc)})
    try:
        documents = opened(exchange, path.parent)
    except Exception as problem:  # Any error in untrusted input refuses it.
        print(f"refused: {type(problem).__name__}: {problem}")
        return 1
    print(json.dumps({"elements": [sorted(space) for _, _, spaces in documents for space in spaces.values()]}))
    return 0


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("make")
    command.add_argument("--out", required=True)
    command.set_defaults(run=make)
    command = commands.add_parser("open")
    command.add_argument("file")
    command.set_defaults(run=open_file)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
