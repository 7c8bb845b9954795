#!/usr/bin/env python3
"""A wallet for `presentment test-wallet`, and for worlds, with cbor2 and a cryptography that has HPKE (47 or later).

Each line of standard input is a message, each line of standard output its answer.
"""

import json
import sys
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime, timezone
from hashlib import sha256
from urllib.parse import urlsplit

import cbor2
from cbor2 import CBORTag
from cryptography import x509
from cryptography.hazmat.primitives import hashes, hpke, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

READER = x509.ObjectIdentifier("1.0.18013.5.1.6")
X5CHAIN, ES256 = 33, -7
keys, documents, identifiers, roots, revocations, views = {}, {}, {}, [], [], {}


def require(condition, sentence):
    if not condition:
        raise ValueError(sentence)


def encode(data):
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    require(encode(data) == text, "not base64url")
    return data


def transcript(encryption_info, origin):
    return [None, None, ["dcapi", sha256(cbor2.dumps([encryption_info, origin])).digest()]]


def embedded(value):
    return CBORTag(24, cbor2.dumps(value))


def to_sign(protected, payload):
    return cbor2.dumps(["Signature1", protected, b"", payload])


# Before the person agrees: the partial request, in which nothing is proved.

def check_signer(certificate, issuer):
    certificate.verify_directly_issued_by(issuer)


def check_purpose(leaf):
    require(READER in leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value, "not for readers")


def check_dates(certificate):
    now = datetime.now(timezone.utc)
    require(certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc, "not valid now")


def check_revoked(certificate, issuer):
    """The lists are the authorities' own: a list with the name of one and another signature counts for nothing."""
    for one in revocations:
        if one.issuer == issuer.subject and one.is_signature_valid(issuer.public_key()):
            revoked = one.get_revoked_certificate_by_serial_number(certificate.serial_number)
            require(revoked is None, "the reader certificate is revoked")


def check_host(leaf, origin):
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    require(urlsplit(origin).hostname in names.get_values_for_type(x509.DNSName), "for another website")


def check_reader(chain, origin):
    """A chain must lead to a trusted root, and be for readers, for this website and for now."""
    path = [x509.load_der_x509_certificate(one) for one in chain]
    root = next((one for one in roots if one.subject == path[-1].issuer), None)
    require(root, "no trusted authority has certified the reader")
    for certificate, issuer in zip(path, [*path[1:], root]):
        check_signer(certificate, issuer)
        check_dates(certificate)
        check_revoked(certificate, issuer)
        require(issuer.extensions.get_extension_for_class(x509.BasicConstraints).value.ca, "no authority")
    check_purpose(path[0])
    check_host(path[0], origin)


def check_readers(chains, origin):
    require(chains, "no reader has signed")
    problems = []
    for chain in chains:
        try:
            return check_reader([decode(one) for one in chain], origin)
        except Exception as problem:
            problems.append(str(problem) or type(problem).__name__)
    raise ValueError("; ".join(problems))


def held(partial):
    """The requested elements that the wallet holds, of one set of each use case, by document type and name space."""
    found = {}
    for use_case in partial["useCases"]:
        sets = ([partial["documents"][place] for place in places] for places in use_case["sets"])
        chosen = next((one for one in sets if all(d["documentType"] in documents for d in one)), None)
        require(chosen or not use_case["mandatory"], "the wallet does not hold the documents")
        for document in chosen or []:
            found[document["documentType"]] = {
                space: [
                    name for name in elements
                    if any(cbor2.loads(item.value)["elementIdentifier"] == name
                           for item in documents[document["documentType"]]["nameSpaces"].get(space, []))]
                for space, elements in document["elements"].items()}
    return found


def show(message):
    require("origin" in message, "no origin to which an answer could be bound")
    check_readers(message["partial"]["readers"], message["origin"])
    elements = held(message["partial"])
    views[message["id"]] = (message["partial"], message["origin"], elements)
    return {"shows": {"requester": message["origin"], "elements": elements, "warning": None}}


# After the person agreed: the raw request.

def parts(request):
    """What a raw request asks for, in the form of a partial one."""
    asked = [cbor2.loads(one["itemsRequest"].value) for one in request["docRequests"]]
    information = cbor2.loads(request["deviceRequestInfo"].value)
    return {
        "documents": [{"documentType": one["docType"], "elements": one["nameSpaces"]} for one in asked],
        "useCases": [
            {"mandatory": one["mandatory"], "sets": one["documentSets"]} for one in information["useCases"]],
        "readers": [[encode(one) for one in chain(signature)] for signature in request.get("readerAuthAll", [])]}


def chain(signature):
    certificates = signature[1][X5CHAIN]
    return [certificates] if isinstance(certificates, bytes) else certificates


def asked(request):
    """The documents of each set, in which a partial request has each only once, and the readers."""
    sets = [
        (one["mandatory"], [[request["documents"][place] for place in places] for places in one["sets"]])
        for one in request["useCases"]]
    return sets, request["readers"]


def check_agreed(request, partial):
    require(request["version"] == "1.1", "an unknown version")
    require(asked(parts(request)) == asked(partial), "the raw request asks for something else than the view shows")


def check_signatures(request, session):
    """Every reader must have signed this request for this session."""
    items = [one["itemsRequest"] for one in request["docRequests"]]
    payload = cbor2.dumps(embedded(["ReaderAuthenticationAll", session, items, request["deviceRequestInfo"]]))
    for protected, unprotected, _, signature in request["readerAuthAll"]:
        require(cbor2.loads(protected)[1] == ES256 and len(signature) == 64, "an unknown algorithm")
        numbers = (int.from_bytes(part, "big") for part in (signature[:32], signature[32:]))
        leaf = x509.load_der_x509_certificate(chain([protected, unprotected])[0])
        leaf.public_key().verify(
            utils.encode_dss_signature(*numbers), to_sign(protected, payload), ec.ECDSA(hashes.SHA256()))


def recipient(encryption_info):
    marker, members = cbor2.loads(decode(encryption_info))
    require(marker == "dcapi" and len(members["nonce"]) >= 16, "unknown encryption information")
    key = members["recipientPublicKey"]
    require(key[1] == 2 and key[-1] == 1, "a key on another curve")
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + key[-2] + key[-3])


def signed(payload, key):
    protected = cbor2.dumps({1: ES256})
    numbers = utils.decode_dss_signature(key.sign(to_sign(protected, payload), ec.ECDSA(hashes.SHA256())))
    return [protected, {}, None, b"".join(number.to_bytes(32, "big") for number in numbers)]


def document(kind, elements, session):
    issued = documents[kind]
    spaces = {
        space: [item for item in issued["nameSpaces"][space] if cbor2.loads(item.value)["elementIdentifier"] in names]
        for space, names in elements.items() if names}
    payload = cbor2.dumps(embedded(["DeviceAuthentication", session, kind, embedded({})]))
    return {
        "docType": kind, "issuerSigned": {"nameSpaces": spaces, "issuerAuth": issued["issuerAuth"]},
        "deviceSigned": {
            "nameSpaces": embedded({}), "deviceAuth": {"deviceSignature": signed(payload, keys[kind])}}}


def seal(response, key, session):
    suite = hpke.Suite(hpke.KEM.P256, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_128_GCM)
    sealed = suite.encrypt(response, key, info=cbor2.dumps(session))
    return cbor2.dumps(["dcapi", {"enc": sealed[:65], "cipherText": sealed[65:]}])


def agree(message):
    partial, origin, elements = views.pop(message["to"])
    raw = json.loads(message["raw"])
    request, session = cbor2.loads(decode(raw["deviceRequest"])), transcript(raw["encryptionInfo"], origin)
    check_agreed(request, partial)
    check_signatures(request, session)
    key = recipient(raw["encryptionInfo"])
    response = cbor2.dumps({
        "version": "1.0", "documents": [document(kind, some, session) for kind, some in elements.items()],
        "status": 0})
    return {"answer": encode(seal(response, key, session))}


def provision(message):
    keys[message["documentType"]] = key = ec.generate_private_key(ec.SECP256R1())
    roots[:] = [x509.load_der_x509_certificate(decode(one)) for one in message["readerRoots"]]
    revocations[:] = [x509.load_der_x509_crl(decode(one)) for one in message.get("revocationLists", [])]
    numbers = key.public_key().public_numbers()
    coordinates = {name: encode(getattr(numbers, name).to_bytes(32, "big")) for name in "xy"}
    return {"deviceKey": {"kty": "EC", "crv": "P-256", **coordinates}}


def store(message):
    documents[message["documentType"]] = cbor2.loads(decode(message["document"]))
    identifiers[message["documentType"]] = message.get("documentIdentifier")
    return {"stored": True}


def delete(message):
    for held in (keys, documents, identifiers):
        held.pop(message["documentType"], None)
    return {"deleted": True}


def registrations(_):
    """What the system may offer: each document, to the readers of the trusted authorities."""
    readers = [encode(one.public_bytes(serialization.Encoding.DER)) for one in roots]
    return {"registrations": [
        {"documentType": kind, "documentIdentifier": identifier, "readerRoots": readers}
        for kind, identifier in identifiers.items()]}


def decline(message):
    views.pop(message["to"], None)
    return {"cancelled": True}


def answer(message):
    known = {
        "provision": provision, "store": store, "delete": delete, "registrations": registrations, "request": show,
        "agree": agree, "decline": decline}
    if message["do"] not in known:
        return {"unsupported": True}
    try:
        return known[message["do"]](message)
    except Exception as problem:
        return {"refused": str(problem) or type(problem).__name__}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        print(json.dumps({"id": message["id"], **answer(message)}), flush=True)


if __name__ == "__main__":
    main()
