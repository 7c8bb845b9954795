"""Mobile documents over the Digital Credentials API (ISO/IEC 18013-5, ISO/IEC 18013-7 annex C)."""

import os
from datetime import datetime, timedelta, timezone
from hashlib import sha256

import cbor2
from cbor2 import CBORTag

import certificates
import cose
import hpke

DRIVING_LICENCE = "org.iso.18013.5.1.mDL"
NAME_SPACE = "org.iso.18013.5.1"
DIGESTS = {"SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512"}


def embedded(value):
    """#6.24(bstr .cbor value)"""
    return CBORTag(24, cbor2.dumps(value))


def transcript(encryption_info, origin):
    """The session transcript; it binds the text of the encryption information as it was sent."""
    return [None, None, ["dcapi", sha256(cbor2.dumps([encryption_info, origin])).digest()]]


def seal(response, recipient, session):
    enc, ciphertext = hpke.seal(response, recipient, cbor2.dumps(session))
    return cbor2.dumps(["dcapi", {"enc": enc, "cipherText": ciphertext}])


def open_response(sealed, private_key, session):
    marker, parts = cose.strict_loads(sealed)
    if marker != "dcapi":
        raise ValueError("the encrypted response does not begin with dcapi")
    return hpke.open_sealed(parts["enc"], parts["cipherText"], private_key, cbor2.dumps(session))


def device_authentication(session, document_type, name_spaces):
    return cbor2.dumps(embedded(["DeviceAuthentication", session, document_type, name_spaces]))


def reader_authentication(request, session):
    items = [one["itemsRequest"] for one in request["docRequests"]]
    return cbor2.dumps(embedded(["ReaderAuthenticationAll", session, items, request.get("deviceRequestInfo")]))


def _require(condition, sentence):
    if not condition:
        raise ValueError(sentence)


def _date(value):
    _require(isinstance(value, datetime), "a date of the mobile security object is none")
    return value


def verify_document(document, session, requests, anchors, now, mac_key=None):
    """The issuer's name and the elements by name space of a document; raises if one is not authentic.

    With a function that derives the key of a message authentication code from a device key, the device may use one.
    """
    auth = document["issuerSigned"]["issuerAuth"]
    signer = certificates.check_path(cose.chain(auth), anchors, certificates.DOCUMENT_SIGNER, now)
    cose.verify(auth, signer.public_key())
    security = cbor2.loads(cose.strict_loads(auth[2]).value)
    _require(security["version"].startswith("1."), "the mobile security object is of an unknown version")
    _require(security["docType"] == document["docType"], "the document is of another type than was signed")
    validity = security["validityInfo"]
    _require(
        signer.not_valid_before_utc <= _date(validity["signed"]) <= signer.not_valid_after_utc,
        "the document was signed outside the validity of its signer")
    _require(_date(validity["validFrom"]) <= now <= _date(validity["validUntil"]), "the document is not valid now")

    asked = [one for one in requests if one["docType"] == document["docType"]]
    _require(asked, "the document was not asked for")
    elements = {}
    for name, items in document["issuerSigned"].get("nameSpaces", {}).items():
        for item in items:
            _require(item.tag == 24, "an element is not in tag 24")
            content = cose.strict_loads(item.value)
            digest = getattr(__import__("hashlib"), DIGESTS[security["digestAlgorithm"]])(cbor2.dumps(item)).digest()
            _require(
                security["valueDigests"][name][content["digestID"]] == digest,
                f"the digest of {content['elementIdentifier']} does not match")
            _require(len(content["random"]) >= 16, "a salt is too short")
            identifier = content["elementIdentifier"]
            _require(identifier not in elements.get(name, {}), "an element is there twice")
            _require(
                any(identifier in one["nameSpaces"].get(name, {}) for one in asked)
                or identifier.startswith("age_over_"),
                f"{identifier} was not asked for")
            elements.setdefault(name, {})[identifier] = content["elementValue"]
    signed = document["deviceSigned"]
    _require(cose.strict_loads(signed["nameSpaces"].value) == {}, "the device signed elements of its own")
    authenticated = device_authentication(session, document["docType"], signed["nameSpaces"])
    device_key = cose.decode_key(security["deviceKeyInfo"]["deviceKey"])
    if mac_key and "deviceMac" in signed["deviceAuth"]:
        cose.check_code(signed["deviceAuth"]["deviceMac"], authenticated, mac_key(device_key))
    else:
        cose.verify(signed["deviceAuth"]["deviceSignature"], device_key, detached=authenticated)
    return certificates.common_name(signer.issuer), elements


def verify_response(response, session, requests, anchors, now, mac_key=None):
    """The documents: type, issuer's name and elements; raises if one is not authentic."""
    response = cose.strict_loads(response)
    _require(response["version"].startswith("1.") and response["status"] == 0, "the device reports an error")
    documents = response.get("documents", [])
    _require(documents, "there is no document")
    return [
        (one["docType"], *verify_document(one, session, requests, anchors, now, mac_key)) for one in documents
    ]


def issue(elements, device_key, authority, now):
    """IssuerSigned for elements by name space, signed under a new document signer."""
    key = certificates.ec.generate_private_key(certificates.ec.SECP256R1())
    signer = authority.leaf("Utopia Document Signer", key.public_key(), certificates.DOCUMENT_SIGNER)
    name_spaces, digests = {}, {}
    for name, values in elements.items():
        items = [
            embedded({"digestID": number, "random": os.urandom(24), "elementIdentifier": identifier,
                      "elementValue": value})
            for number, (identifier, value) in enumerate(values.items())
        ]
        name_spaces[name] = items
        digests[name] = {number: sha256(cbor2.dumps(item)).digest() for number, item in enumerate(items)}

    def date(moment):
        return CBORTag(0, moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))

    security = {
        "version": "1.0", "digestAlgorithm": "SHA-256", "valueDigests": digests,
        "deviceKeyInfo": {"deviceKey": cose.encode_key(device_key)}, "docType": DRIVING_LICENCE,
        "validityInfo": {"signed": date(now), "validFrom": date(now), "validUntil": date(now + timedelta(days=200))},
    }
    chain = [signer.public_bytes(certificates.Encoding.DER)]
    return {"nameSpaces": name_spaces, "issuerAuth": cose.sign(cbor2.dumps(embedded(security)), key, chain)}


def present(issued, items, device_key, session, mac_key=None):
    """DeviceResponse with the requested ones of the elements, by a signature or a message authentication code."""
    shown = {}
    for name, asked in items["nameSpaces"].items():
        held = issued["nameSpaces"].get(name, [])
        found = [one for one in held if cbor2.loads(one.value)["elementIdentifier"] in asked]
        if found:
            shown[name] = found
    name_spaces = embedded({})
    authenticated = device_authentication(session, items["docType"], name_spaces)
    if mac_key:
        auth = {"deviceMac": cose.authenticate(authenticated, mac_key)}
    else:
        auth = {"deviceSignature": cose.sign(authenticated, device_key, attached=False)}
    document = {
        "docType": items["docType"],
        "issuerSigned": {"nameSpaces": shown, "issuerAuth": issued["issuerAuth"]},
        "deviceSigned": {"nameSpaces": name_spaces, "deviceAuth": auth},
    }
    return cbor2.dumps({"version": "1.0", "documents": [document], "status": 0})
