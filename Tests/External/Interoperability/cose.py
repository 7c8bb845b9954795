"""COSE_Sign1 with ES256 and COSE_Key of P-256 (RFC 9052, 9053, 9360)."""

import hmac

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

from hpke import point

ES256 = -7
HMAC_256 = 5
X5CHAIN = 33


def strict_loads(data):
    """Decodes one item in the encoding that this library writes: no trailing bytes, no duplicate keys, shortest heads.

    Digests and signatures are over the received bytes. This checker encodes each item again and refuses it if the bytes
    differ.
    """
    value = cbor2.loads(data)
    if cbor2.dumps(value) != data:
        raise ValueError("the encoding is not the one preferred, or bytes follow it or in it twice")
    return value


def signed_bytes(protected, payload):
    return cbor2.dumps(["Signature1", protected, b"", payload])


def sign(payload, key, chain=(), attached=True):
    """An untagged COSE_Sign1 as a list."""
    protected = cbor2.dumps({1: ES256})
    r, s = utils.decode_dss_signature(key.sign(signed_bytes(protected, payload), ec.ECDSA(hashes.SHA256())))
    unprotected = {}
    if chain:
        unprotected[X5CHAIN] = chain[0] if len(chain) == 1 else list(chain)
    signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
    return [protected, unprotected, payload if attached else None, signature]


def verify(message, public_key, detached=None):
    """Raises if the signature does not cover the payload."""
    protected, _, payload, signature = message
    if cbor2.loads(protected).get(1) != ES256 or len(signature) != 64:
        raise ValueError("the algorithm is not ES256")
    if detached is not None:
        if payload not in (None, detached):
            raise ValueError("the attached payload differs from the one that should be signed")
        payload = detached
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    public_key.verify(
        utils.encode_dss_signature(r, s), signed_bytes(protected, payload), ec.ECDSA(hashes.SHA256())
    )


def authenticate(payload, key):
    """An untagged, detached COSE_Mac0 with HMAC 256/256 as a list."""
    protected = cbor2.dumps({1: HMAC_256})
    return [protected, {}, None, hmac.digest(key, cbor2.dumps(["MAC0", protected, b"", payload]), "sha256")]


def check_code(message, payload, key):
    """Raises if the authentication code is not that of the detached payload."""
    if message[2] is not None or not hmac.compare_digest(message[3], authenticate(payload, key)[3]):
        raise ValueError("the message authentication code does not match")


def chain(message):
    """The DER certificates of a signature, leaf first."""
    found = message[1].get(X5CHAIN, [])
    return [found] if isinstance(found, bytes) else list(found)


def encode_key(public_key):
    encoded = point(public_key)
    return {1: 2, -1: 1, -2: encoded[1:33], -3: encoded[33:]}


def decode_key(key):
    if key[1] != 2 or key[-1] != 1:
        raise ValueError("the key is not one of P-256")
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\x04" + key[-2] + key[-3])
