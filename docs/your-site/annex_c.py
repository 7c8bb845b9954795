"""The server's part of ISO/IEC 18013-7, annex C, from the bytes alone, as docs/the-bytes.md describes them.

usage: pip install cbor2 cryptography; annex_c.py EXCHANGE.json

It opens the response of an exchange file, prints the values on the way, and makes the checks of the bytes: the issuer's
signature, each element's digest, and the device's signature. It does not look at certificates and dates.
"""

import base64
import hashlib
import hmac
import json
import sys

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEM, SUITE = b"KEM\x00\x10", b"HPKE\x00\x10\x00\x01\x00\x01"


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def response_text(response):
    """The base64url of an exchange file's response: the text itself, the data with it, or the whole credential."""
    while not isinstance(response, str):
        response = response["data"] if "data" in response else response["response"]
    return response


def show(name, value):
    print(f"{name}: {value.hex() if isinstance(value, bytes) else value}")


# HPKE in base mode (RFC 9180), one message. Each output of Expand is at most one block of HMAC-SHA256.
def extract(suite, salt, label, material):
    return hmac.digest(salt, b"HPKE-v1" + suite + label + material, "sha256")


def expand(suite, key, label, info, length):
    labeled = length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info
    return hmac.digest(key, labeled + b"\x01", "sha256")[:length]


def open_sealed(enc, sealed, private_key, info):
    sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), enc)
    numbers = private_key.public_key().public_numbers()
    recipient = b"\x04" + numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
    prk = extract(KEM, b"", b"eae_prk", private_key.exchange(ec.ECDH(), sender))
    shared = expand(KEM, prk, b"shared_secret", enc + recipient, 32)
    context = b"\x00" + extract(SUITE, b"", b"psk_id_hash", b"") + extract(SUITE, b"", b"info_hash", info)
    secret = extract(SUITE, shared, b"secret", b"")
    key, nonce = expand(SUITE, secret, b"key", context, 16), expand(SUITE, secret, b"base_nonce", context, 12)
    show("shared_secret", shared)
    show("key", key)
    show("base_nonce", nonce)
    return AESGCM(key).decrypt(nonce, sealed, b"")


# COSE_Sign1 (RFC 9052, 4.4) with ES256.
def verify_signature(sign1, key, payload):
    protected, _, _, signature = sign1
    structure = cbor2.dumps(["Signature1", protected, b"", payload])
    numbers = [int.from_bytes(half, "big") for half in (signature[:32], signature[32:])]
    key.verify(encode_dss_signature(*numbers), structure, ec.ECDSA(hashes.SHA256()))


def device_key(cose):
    x, y = (int.from_bytes(cose[label], "big") for label in (-2, -3))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def verify(exchange):
    encryption_info = exchange["request"]["encryptionInfo"]
    show("EncryptionInfo", decode(encryption_info))
    handover = hashlib.sha256(cbor2.dumps([encryption_info, exchange["origin"]])).digest()
    transcript = [None, None, ["dcapi", handover]]
    show("SessionTranscript", cbor2.dumps(transcript))

    [marker, sealed] = cbor2.loads(decode(response_text(exchange["response"])))
    assert marker == "dcapi"
    show("enc", sealed["enc"])
    number = int.from_bytes(decode(exchange["recipientPrivateKey"]["d"]), "big")
    private_key = ec.derive_private_key(number, ec.SECP256R1())
    opened = open_sealed(sealed["enc"], sealed["cipherText"], private_key, cbor2.dumps(transcript))
    show("SHA-256 of DeviceResponse", hashlib.sha256(opened).digest())
    response = cbor2.loads(opened)
    assert response["status"] == 0

    for document in response["documents"]:
        # The issuer's signature is over MobileSecurityObjectBytes, the payload as it is.
        auth = document["issuerSigned"]["issuerAuth"]
        chain = auth[1][33]
        certificate = x509.load_der_x509_certificate(chain if isinstance(chain, bytes) else chain[0])
        verify_signature(auth, certificate.public_key(), auth[2])
        security = cbor2.loads(cbor2.loads(auth[2]).value)
        assert security["docType"] == document["docType"] and security["digestAlgorithm"] == "SHA-256"
        for name_space, items in document["issuerSigned"]["nameSpaces"].items():
            for item in items:
                # The digest is over IssuerSignedItemBytes, the tag 24 included. Your reader must keep the bytes: an
                # item that is encoded again may have others.
                content = cbor2.loads(item.value)
                digest = hashlib.sha256(cbor2.dumps(item)).digest()
                assert security["valueDigests"][name_space][content["digestID"]] == digest
                show(f"digest of {content['elementIdentifier']}", digest)
        # The device's signature is over DeviceAuthenticationBytes, which are not sent.
        signed = document["deviceSigned"]
        authentication = ["DeviceAuthentication", transcript, document["docType"], signed["nameSpaces"]]
        authenticated = cbor2.dumps(cbor2.CBORTag(24, cbor2.dumps(authentication)))
        show("DeviceAuthenticationBytes", authenticated)
        key = device_key(security["deviceKeyInfo"]["deviceKey"])
        verify_signature(signed["deviceAuth"]["deviceSignature"], key, authenticated)
    print("verified: the signatures of issuer and device, and the digests")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        verify(json.load(file))
