#!/usr/bin/env python3
"""Both ends of an exchange file, written from the standards alone, to test presentment against.

    exchange.py verify FILE                        as a website's server: exit 0 verified, 1 refused
    exchange.py request --origin ORIGIN --out FILE make a signed request
    exchange.py respond FILE --out FILE            as a wallet, with an issuer of its own
    exchange.py tamper FILE --with FAULT --out FILE
"""

import argparse
import base64
import json
import os
import pathlib
import sys
from datetime import date, datetime, timezone

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

import certificates
import cose
import mdoc
from hpke import point


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def read(path):
    return json.loads(pathlib.Path(path).read_text())


def write(path, exchange):
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(exchange, file, indent=2)


def private_key(jwk):
    return ec.derive_private_key(int.from_bytes(decode(jwk["d"]), "big"), ec.SECP256R1())


def anchors(exchange, path):
    found = []
    for text in exchange["trustedIssuers"]:
        if "-----BEGIN" not in text:
            text = (pathlib.Path(path).parent / text).read_text()
        found += x509.load_pem_x509_certificates(text.encode())
    return found


def session(exchange):
    return mdoc.transcript(exchange["request"]["encryptionInfo"], exchange["origin"])


def requests(exchange):
    request = cbor2.loads(decode(exchange["request"]["deviceRequest"]))
    return request, [cbor2.loads(one["itemsRequest"].value) for one in request["docRequests"]]


def plain(value):
    """A value as presentment's JSON has it."""
    if isinstance(value, bytes):
        return encode(value)
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if hasattr(value, "items"):
        return {key: plain(one) for key, one in value.items()}
    return value


def verify(arguments):
    exchange = read(arguments.file)
    now = datetime.now(timezone.utc)
    response = exchange["response"]
    if isinstance(response, dict):
        response = response["data"]["response"]
    try:
        opened = mdoc.open_response(decode(response), private_key(exchange["recipientPrivateKey"]), session(exchange))
        documents = mdoc.verify_response(
            opened, session(exchange), requests(exchange)[1], anchors(exchange, arguments.file), now)
    except Exception as problem:  # Any error in untrusted input refuses it.
        print(f"refused: {type(problem).__name__}: {problem}")
        return 1
    print(json.dumps({"documents": [
        {"docType": kind, "issuer": issuer, "elements": plain(values)} for kind, issuer, values in documents]}))
    return 0


def request(arguments):
    key = ec.generate_private_key(ec.SECP256R1())
    reader = ec.generate_private_key(ec.SECP256R1())
    authority = certificates.Authority("Utopia Reader Root", datetime.now(timezone.utc))
    leaf = authority.leaf("verifier", reader.public_key(), certificates.READER)
    information = encode(
        cbor2.dumps(["dcapi", {"nonce": os.urandom(16), "recipientPublicKey": cose.encode_key(key.public_key())}]))
    items = {
        "docType": mdoc.DRIVING_LICENCE,
        "nameSpaces": {mdoc.NAME_SPACE: {"family_name": True, "birth_date": False, "portrait": False,
                                         "age_over_21": False, "driving_privileges": False}},
    }
    asked = {
        "version": "1.1", "docRequests": [{"itemsRequest": mdoc.embedded(items)}],
        "deviceRequestInfo": mdoc.embedded({"useCases": [{"mandatory": True, "documentSets": [[0]]}]}),
    }
    signed = mdoc.reader_authentication(asked, mdoc.transcript(information, arguments.origin))
    chain = [leaf.public_bytes(certificates.Encoding.DER)]
    asked["readerAuthAll"] = [cose.sign(signed, reader, chain, attached=False)]
    encoded = point(key.public_key())
    jwk = {"kty": "EC", "crv": "P-256", "x": encode(encoded[1:33]), "y": encode(encoded[33:]),
           "d": encode(key.private_numbers().private_value.to_bytes(32, "big"))}
    write(arguments.out, {
        "origin": arguments.origin,
        "request": {"deviceRequest": encode(cbor2.dumps(asked)), "encryptionInfo": information},
        "recipientPrivateKey": jwk, "trustedIssuers": arguments.issuer_root or [],
    })
    if arguments.reader_root:
        pathlib.Path(arguments.reader_root).write_text(authority.pem)
    return 0


ELEMENTS = {
    mdoc.NAME_SPACE: {
        "family_name": "Müstermann", "given_name": "Erika", "birth_date": cbor2.CBORTag(1004, "1971-09-01"),
        "issuing_country": "UT", "portrait": bytes.fromhex("ffd8ffe0") + bytes(900), "age_over_21": True,
        "driving_privileges": [{"vehicle_category_code": "B", "issue_date": cbor2.CBORTag(1004, "1990-01-31")}],
    }
}


def respond(arguments):
    exchange = read(arguments.file)
    asked, items = requests(exchange)
    signed = mdoc.reader_authentication(asked, session(exchange))
    for signature in asked.get("readerAuthAll", []):
        leaf = x509.load_der_x509_certificate(cose.chain(signature)[0])
        cose.verify(signature, leaf.public_key(), detached=signed)
    now = datetime.now(timezone.utc).replace(microsecond=0)
    authority = certificates.Authority("Utopia Root", now)
    device = ec.generate_private_key(ec.SECP256R1())
    issued = mdoc.issue(ELEMENTS, device.public_key(), authority, now)
    response = mdoc.present(issued, items[0], device, session(exchange))
    recipient = cose.decode_key(cbor2.loads(decode(exchange["request"]["encryptionInfo"]))[1]["recipientPublicKey"])
    exchange["response"] = encode(mdoc.seal(response, recipient, session(exchange)))
    exchange["trustedIssuers"] = [authority.pem]
    write(arguments.out, exchange)
    if arguments.write_document:
        pathlib.Path(arguments.write_document).write_bytes(cbor2.dumps(issued))
        number = encode(device.private_numbers().private_value.to_bytes(32, "big"))
        pathlib.Path(arguments.write_device_key).write_text(json.dumps({"kty": "EC", "crv": "P-256", "d": number}))
    return 0


def flipped(data, place):
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1:]


def listed(value):
    """The value with tuples as lists, so that it can be changed."""
    if isinstance(value, (list, tuple)):
        return [listed(one) for one in value]
    if hasattr(value, "items"):
        return {key: listed(one) for key, one in value.items()}
    return value


FAULTS = ("ciphertext", "value", "issuer-signature", "device-signature", "origin", "trailing-byte")


def tamper(arguments):
    exchange = read(arguments.file)
    key, agreed, fault = private_key(exchange["recipientPrivateKey"]), session(exchange), getattr(arguments, "with")
    sealed = decode(exchange["response"])
    if fault == "ciphertext":
        exchange["response"] = encode(flipped(sealed, len(sealed) - 1))
        return write(arguments.out, exchange)
    response = listed(cbor2.loads(mdoc.open_response(sealed, key, agreed)))
    document = response["documents"][0]
    if fault == "value":
        space = next(iter(document["issuerSigned"]["nameSpaces"].values()))
        item = dict(cbor2.loads(space[0].value))
        item["elementValue"] = "Somebody Else"
        space[0] = mdoc.embedded(item)
    elif fault == "issuer-signature":
        document["issuerSigned"]["issuerAuth"][3] = flipped(document["issuerSigned"]["issuerAuth"][3], 40)
    elif fault == "device-signature":
        signature = document["deviceSigned"]["deviceAuth"]["deviceSignature"]
        signature[3] = flipped(signature[3], 40)
    elif fault == "origin":
        agreed = mdoc.transcript(exchange["request"]["encryptionInfo"], exchange["origin"] + "/")
    encoded = cbor2.dumps(response) + (b"\x00" if fault == "trailing-byte" else b"")
    exchange["response"] = encode(mdoc.seal(encoded, key.public_key(), agreed))
    return write(arguments.out, exchange)


def run_command(verify, request, respond, tamper, faults, add_to_request, add_to_respond=lambda _: None):
    """Runs the command of a program for one protocol. The last two add the arguments that only this protocol has."""
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("verify")
    command.add_argument("file")
    command.set_defaults(run=verify)
    command = commands.add_parser("request")
    command.add_argument("--origin", required=True)
    command.add_argument("--out", required=True)
    command.add_argument("--reader-root")
    add_to_request(command)
    command.set_defaults(run=request)
    command = commands.add_parser("respond")
    command.add_argument("file")
    command.add_argument("--out", required=True)
    command.add_argument("--write-document")
    command.add_argument("--write-device-key")
    add_to_respond(command)
    command.set_defaults(run=respond)
    command = commands.add_parser("tamper")
    command.add_argument("file")
    command.add_argument("--with", choices=faults, required=True)
    command.add_argument("--out", required=True)
    command.set_defaults(run=tamper)
    arguments = parser.parse_args()
    return arguments.run(arguments) or 0


def main():
    return run_command(
        verify, request, respond, tamper, FAULTS,
        lambda command: command.add_argument("--issuer-root", action="append"))


if __name__ == "__main__":
    sys.exit(main())
