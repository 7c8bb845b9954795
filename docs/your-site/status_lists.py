"""The revocation status of a verified document, on cbor2 and cryptography.

ISO/IEC 18013-5 second edition draft, 12.3.6, and the Token Status List draft. The document names a status list, which
has a number for each document, or an identifier list, which has the revoked ones.
"""

import zlib

from cryptography import x509

import document_checks
from document_checks import require

TOKEN = 18
TYPE, SUBJECT, EXPIRES, ISSUED = 16, 2, 4, 6
# Each member of a document's status with the claim of its list and the type of the token.
LISTS = {
    "status_list": (65533, "application/statuslist+cwt"),
    "identifier_list": (65530, "application/identifierlist+cwt"),
}
SIGNER = x509.ObjectIdentifier("1.3.6.1.5.5.7.3.30")
LONGEST_LIST = 2 << 20
CLOCK_SKEW = 60


def verify_status(document, fetch, now):
    """Refuses a document that is revoked or suspended.

    `fetch` returns the bytes at an address, or None if it cannot. Then the document is accepted: a reader need not look
    at the status at all. Only documents that verified name addresses to fetch.
    """
    for kind, (claim, token_type) in LISTS.items():
        entry = (document.status or {}).get(kind)
        if entry is None:
            continue
        token = fetch(entry["uri"])
        if token is not None:
            listed = verify_token(token, token_type, entry["uri"], document.root, now)[claim]
            is_valid = is_valid_at_index if kind == "status_list" else is_not_listed
            require(is_valid(entry, listed), "status.revocation")


def verify_token(token, token_type, uri, root, now):
    """The claims of a list that the issuing authority of the document has published at its address."""
    value = document_checks.read(token)
    require(value.tag == TOKEN, "status.list")
    signed = document_checks.read_signed(value.value)
    require(signed.headers.get(TYPE) == token_type, "status.list.type")
    certificate, _ = document_checks.certified(signed.headers[document_checks.CHAIN], [root], now, "status.list.trust")
    usages = [one.value for one in certificate.extensions if isinstance(one.value, x509.ExtendedKeyUsage)]
    require(all(SIGNER in one for one in usages), "status.list.certificate")
    document_checks.verify_signature(signed, certificate.public_key(), signed.payload, "status.list.signature")
    claims = document_checks.read(signed.payload)
    require(claims[SUBJECT] == uri, "status.list.subject")
    require(claims[ISSUED] <= now.timestamp() + CLOCK_SKEW, "status.list.validity")
    require(now.timestamp() < claims[EXPIRES], "status.list.validity")
    return claims


def is_valid_at_index(entry, status_list):
    """The number at the document's index is 0. The first number is in the lowest bits."""
    index, bits = entry["idx"], status_list["bits"]
    require(isinstance(index, int) and index >= 0 and bits in (1, 2, 4, 8), "status.list")
    inflater = zlib.decompressobj()
    numbers = inflater.decompress(status_list["lst"], LONGEST_LIST)
    require(not inflater.unconsumed_tail, "status.list")
    byte, place = divmod(index * bits, 8)
    return numbers[byte] >> place & ((1 << bits) - 1) == 0


def is_not_listed(entry, identifier_list):
    """The list does not have the document's identifier. Identifiers are bytes: a text equals none of them."""
    require(isinstance(entry["id"], bytes), "status.list")
    return entry["id"] not in identifier_list["identifiers"]
