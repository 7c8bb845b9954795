"""The checks of a response to a request of ISO/IEC 18013-7, annex C, on cbor2 and cryptography.

docs/the-bytes.md describes the bytes. `open_response` decrypts a response, `verify_response` makes every check and
returns the documents. A check that fails raises `Refused`. Bytes that are malformed raise other exceptions, too: a
server refuses on any.
"""

import base64
import hashlib
import io
import re
from collections import namedtuple
from datetime import date, datetime

import cbor2
from cbor2 import CBORTag
from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, hpke
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SUITE = hpke.Suite(hpke.KEM.P256, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_128_GCM)
DIGESTS = {"SHA-256": hashlib.sha256, "SHA-384": hashlib.sha384, "SHA-512": hashlib.sha512}
# Each curve with its number and its algorithms in COSE, its hash, and the bytes of a coordinate.
Curve = namedtuple("Curve", "curve number algorithms hash size")
CURVES = {
    "secp256r1": Curve(ec.SECP256R1(), 1, (-7, -9), hashes.SHA256(), 32),
    "secp384r1": Curve(ec.SECP384R1(), 2, (-35, -51), hashes.SHA384(), 48),
    "secp521r1": Curve(ec.SECP521R1(), 3, (-36, -52), hashes.SHA512(), 66),
}
ED25519 = (-8, -19)
# The second coordinates of the points of small order on Ed25519: anyone can sign for such a key.
FIELD = 2**255 - 19
ORDER_8 = int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little")
SMALL_ORDER = {0, 1, FIELD - 1, FIELD, FIELD + 1, ORDER_8, FIELD - ORDER_8}
DOCUMENT_SIGNER = x509.ObjectIdentifier("1.0.18013.5.1.2")
ALGORITHM, CRITICAL, CHAIN, THUMBPRINT = 1, 2, 33, 34
EMBEDDED, FULL_DATE = 24, 1004
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
AGE = re.compile(r"age_over_(\d\d)")
DEEPEST, MOST_ELEMENTS = 32, 500
# A verified document: its type, its elements by name space, where its status is published, and the root of its issuer.
Document = namedtuple("Document", "type elements status root")
OTHER_KINDS = {"encryptedDocuments": {"enc", "cipherText", "docRequestID"}, "zkDocuments": {"documentData", "proof"}}


class Refused(Exception):
    """A check failed; its name is the reason."""


def require(condition, check):
    if not condition:
        raise Refused(check)


def decode(text):
    """The bytes of a base64url text without padding."""
    require(re.fullmatch("[A-Za-z0-9_-]*", text), "base64url")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


# CBOR


class AsTags(dict):
    """Leaves every tag as it is. cbor2 would make numbers, dates and lists that contain themselves of some."""

    def __missing__(self, tag):
        return lambda value, _: CBORTag(tag, value)


def read(data):
    """The one item in some bytes."""
    require(isinstance(data, bytes), "cbor")
    stream = io.BytesIO(data)
    decoder = cbor2.CBORDecoder(
        stream, semantic_decoders=AsTags(), max_depth=DEEPEST, allow_duplicate_keys=False)
    value = decoder.decode()
    require(stream.tell() == len(data), "cbor")
    return value


def embedded(value):
    """The item whose bytes are in tag 24."""
    require(isinstance(value, CBORTag) and value.tag == EMBEDDED, "cbor.embedded")
    return read(value.value)


# Signatures (RFC 9052)

Signed = namedtuple("Signed", "protected headers unprotected payload signature")


def read_signed(value):
    """A COSE_Sign1."""
    protected, unprotected, payload, signature = value
    headers = read(protected)
    require(isinstance(headers, dict) and isinstance(unprotected, dict), "signature.form")
    labels = [*headers, *unprotected]
    require(len(labels) == len(set(labels)) and all(isinstance(one, (int, str)) for one in labels), "signature.form")
    require(CRITICAL not in labels, "signature.form")
    return Signed(protected, headers, unprotected, payload, signature)


def require_usable(key, check):
    """A key is on an allowed curve, and is not one that anyone can sign for."""
    if isinstance(key, ed25519.Ed25519PublicKey):
        encoded = int.from_bytes(key.public_bytes(Encoding.Raw, PublicFormat.Raw), "little")
        require(encoded % 2**255 not in SMALL_ORDER, check)
    else:
        require(isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name in CURVES, check)


def verify_signature(signed, key, payload, check):
    """The signature is that of the key in the algorithm of its curve."""
    content = cbor2.dumps(["Signature1", signed.protected, b"", payload])
    is_edwards = isinstance(key, ed25519.Ed25519PublicKey)
    algorithms = ED25519 if is_edwards else CURVES[key.curve.name].algorithms
    require(signed.headers.get(ALGORITHM) in algorithms, f"{check}.algorithm")
    try:
        if is_edwards:
            return key.verify(signed.signature, content)
        size = CURVES[key.curve.name].size
        require(len(signed.signature) == 2 * size, check)
        r, s = (int.from_bytes(half, "big") for half in (signed.signature[:size], signed.signature[size:]))
        key.verify(encode_dss_signature(r, s), content, ec.ECDSA(CURVES[key.curve.name].hash))
    except InvalidSignature:
        raise Refused(check) from None


def read_key(cose):
    """The public key in a COSE_Key."""
    if cose[1] == 1 and cose[-1] == 6:
        return ed25519.Ed25519PublicKey.from_public_bytes(cose[-2])
    [curve] = [one for one in CURVES.values() if cose[1] == 2 and one.number == cose[-1]]
    x, y = cose[-2], cose[-3]
    point = bytes([2 + y]) + x if isinstance(y, bool) else b"\x04" + x + y
    return ec.EllipticCurvePublicKey.from_encoded_point(curve.curve, point)


# The envelope (ISO/IEC 18013-7, C.3 and C.5)


def session_transcript(encryption_info, origin):
    """`encryption_info` is the base64url text as it was sent; `origin` is that of the server's own configuration."""
    handover = hashlib.sha256(cbor2.dumps([encryption_info, origin])).digest()
    return [None, None, ["dcapi", handover]]


def open_response(text, private_key, transcript):
    """The bytes of the device response."""
    [marker, sealed] = read(decode(text))
    require(marker == "dcapi" and len(sealed["enc"]) == 65, "response.envelope")
    return SUITE.decrypt(sealed["enc"] + sealed["cipherText"], private_key, cbor2.dumps(transcript))


# The response and its documents (ISO/IEC 18013-5, 8.3.2 and 9.1)


def verify_response(opened, transcript, asked, roots, now):
    """The documents. `asked` has the elements by document type and name space, `roots` the trusted certificates."""
    response = read(opened)
    require(response["version"].startswith("1."), "response.version")
    require(response["status"] == 0, "response.status")
    documents = response.get("documents")
    require(documents and isinstance(documents, list), "response.documents")
    require(len({one["docType"] for one in documents}) == len(documents), "document.requested")
    for error in response.get("documentErrors", []):
        require(len(error) == 1 and all(isinstance(code, int) for code in error.values()), "response.structure")
    for kind, members in OTHER_KINDS.items():
        require(all(members <= one.keys() for one in response.get(kind, [])), "response.structure")
    for one in documents:
        # The device signs these bytes as they are. cbor2 writes them in the shortest form; another form is refused.
        require(cbor2.dumps(one["deviceSigned"]["nameSpaces"]) in opened, "response.encoding")
    return [verify_document(one, transcript, asked, roots, now) for one in documents]


def verify_document(document, transcript, asked, roots, now):
    kind = document["docType"]
    require(kind in asked, "document.requested")
    issuer_signed = document["issuerSigned"]
    signed = read_signed(issuer_signed["issuerAuth"])
    signer, root = verify_signer(signed, roots, now)
    verify_signature(signed, signer.public_key(), signed.payload, "issuer.signature")
    security = embedded(read(signed.payload))
    require(security["version"].startswith("1.") and security["docType"] == kind, "security.type")
    verify_dates(security["validityInfo"], signer, now)
    elements = verify_elements(issuer_signed["nameSpaces"], security)
    verify_requested(elements, asked[kind])
    for name, errors in document.get("errors", {}).items():
        require(errors and not errors.keys() & elements.get(name, {}).keys(), "element.errors")
        require(all(isinstance(code, int) for code in errors.values()), "element.errors")
    verify_device(document["deviceSigned"], kind, security["deviceKeyInfo"], transcript)
    return Document(kind, elements, security.get("status"), root)


def verify_signer(signed, roots, now):
    """The certificate of the issuer's document signer, and the root that has certified it."""
    certificate, root = certified(signed.unprotected[CHAIN], roots, now, "issuer.trust")
    thumbprint = signed.headers.get(THUMBPRINT, signed.unprotected.get(THUMBPRINT))
    require(thumbprint in (None, [-16, certificate.fingerprint(hashes.SHA256())]), "issuer.certificate.thumbprint")
    for kind in (x509.NameOID.COUNTRY_NAME, x509.NameOID.STATE_OR_PROVINCE_NAME):
        of_root, of_signer = (
            [one.value for one in name.get_attributes_for_oid(kind)] for name in (root.subject, certificate.subject))
        require(not of_root or of_root == of_signer, "issuer.certificate.place")
    verify_profile(certificate.extensions)
    require_usable(certificate.public_key(), "issuer.certificate.key")
    return certificate, root


def certified(chain, roots, now, check):
    """The first certificate of a chain, and the root that has certified it.

    An issuing authority certifies its signers itself (ISO/IEC 18013-5, B.1): there is nothing in between.
    """
    certificate = x509.load_der_x509_certificate(chain if isinstance(chain, bytes) else chain[0])
    require(is_valid_at(now, certificate), f"{check}.validity")
    root = next((one for one in roots if is_valid_at(now, one) and has_issued(one, certificate)), None)
    require(root is not None, check)
    return certificate, root


def is_valid_at(now, certificate):
    return certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc


def has_issued(root, certificate):
    try:
        certificate.verify_directly_issued_by(root)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def verify_profile(extensions):
    """The certificate is for signing documents, and for nothing else."""
    found = {type(one.value): one.value for one in extensions}
    is_unknown = any(one.critical and isinstance(one.value, x509.UnrecognizedExtension) for one in extensions)
    constraints = found.get(x509.BasicConstraints)
    require(not is_unknown and not (constraints and constraints.ca), "issuer.certificate.profile")
    require(found[x509.KeyUsage].digital_signature, "issuer.certificate.profile")
    require(DOCUMENT_SIGNER in found.get(x509.ExtendedKeyUsage, []), "issuer.certificate.purpose")


def read_date(value, check):
    """The time in a tdate: in UTC, without fractions."""
    require(isinstance(value, CBORTag) and value.tag == 0 and UTC.fullmatch(value.value), check)
    return datetime.fromisoformat(value.value.replace("Z", "+00:00"))


def verify_dates(validity, signer, now):
    signed, begins, ends = (
        read_date(validity[name], "security.dates") for name in ("signed", "validFrom", "validUntil"))
    require(signed <= begins <= ends, "security.dates")
    require(signer.not_valid_before_utc <= signed <= signer.not_valid_after_utc, "security.signed")
    require(begins <= now <= ends, "security.validity")


def verify_elements(name_spaces, security):
    """The elements by name space: each has the digest that the issuer signed."""
    digest = DIGESTS[security["digestAlgorithm"]]
    digests = security["valueDigests"]
    require(digests and all(digests.values()), "security.digests")
    for those in digests.values():
        for number, value in those.items():
            require(isinstance(number, int) and 0 <= number < 2**31, "security.digests")
            require(len(value) == digest().digest_size, "security.digests")
    require(name_spaces and all(name_spaces.values()), "response.structure")
    require(sum(map(len, name_spaces.values())) <= MOST_ELEMENTS, "response.limits")
    elements, salts = {}, set()
    for name, items in name_spaces.items():
        found = elements.setdefault(name, {})
        for item in items:
            content = embedded(item)
            identifier, value, salt = (content[one] for one in ("elementIdentifier", "elementValue", "random"))
            require(identifier not in found, "element.unique")
            # `item` has the bytes as they were received, and its head in the shortest form.
            expected = digests[name][content["digestID"]]
            require(digest(cbor2.dumps(item)).digest() == expected, "element.digest")
            require(len(salt) >= 16 and salt not in salts, "element.salt")
            salts.add(salt)
            verify_dates_within(value)
            found[identifier] = value
        verify_ages(found)
    return elements


def verify_dates_within(value):
    """The dates of an element exist."""
    if isinstance(value, (list, dict)):
        for one in value.values() if isinstance(value, dict) else value:
            verify_dates_within(one)
    elif isinstance(value, CBORTag) and value.tag == FULL_DATE:
        date.fromisoformat(value.value)
    elif isinstance(value, CBORTag) and value.tag == 0:
        read_date(value, "element.dates")


def verify_ages(elements):
    """A person who is over an age is over every lower one."""
    ages = sorted((AGE.fullmatch(name)[1], value) for name, value in elements.items() if AGE.fullmatch(name))
    for (_, lower), (_, higher) in zip(ages, ages[1:]):
        require(lower is True or higher is not True, "element.ages")


def verify_requested(elements, asked):
    """Every element was requested, or is an age that implies the requested one."""
    for name, values in elements.items():
        wanted = asked.get(name, [])
        for identifier, value in values.items():
            implied = [one for one in wanted if one not in values and implies(identifier, value, one)]
            require(identifier in wanted or implied, "element.requested")


def implies(identifier, value, wanted):
    """Over 21 implies over 18; not over 18 implies not over 21."""
    age, wanted = AGE.fullmatch(identifier), AGE.fullmatch(wanted)
    return age and wanted and (age[1] >= wanted[1] if value is True else age[1] <= wanted[1])


def verify_device(device_signed, kind, key_info, transcript):
    """The key that the issuer certified for the device signed the session transcript."""
    require(all(isinstance(label, int) for label in key_info.get("keyInfo", {})), "security.key-info")
    if "keyAuthorizations" in key_info:
        whole, parts = (key_info["keyAuthorizations"].get(one, []) for one in ("nameSpaces", "dataElements"))
        require((whole or parts) and not set(whole) & set(parts), "security.key-authorizations")
    name_spaces = device_signed["nameSpaces"]
    require(embedded(name_spaces) == {}, "device.elements")  # The server asks for no element of the device's own.
    authentication = device_signed["deviceAuth"]
    require(authentication.keys() == {"deviceSignature"}, "device.authentication")
    signed = read_signed(authentication["deviceSignature"])
    key = read_key(key_info["deviceKey"])
    require_usable(key, "security.device-key")
    content = cbor2.dumps(
        CBORTag(EMBEDDED, cbor2.dumps(["DeviceAuthentication", transcript, kind, name_spaces])))
    require(signed.payload in (None, content), "device.signature")
    verify_signature(signed, key, content, "device.signature")
