"""COSE_Sign1 and COSE_Key with the algorithms of ISO/IEC 18013-5 (RFC 9052, 9053)."""

from collections import namedtuple

import cose
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from checks import Refusal, require

ALGORITHM, CRITICAL, X5CHAIN, X5T = 1, 2, 33, 34
EDDSA = -8
# Each curve with its label in a COSE_Key, its algorithm and its hash.
CURVES = {
    "secp256r1": (ec.SECP256R1, 1, -7, hashes.SHA256),
    "secp384r1": (ec.SECP384R1, 2, -35, hashes.SHA384),
    "secp521r1": (ec.SECP521R1, 3, -36, hashes.SHA512),
    "brainpoolP256r1": (ec.BrainpoolP256R1, 256, -7, hashes.SHA256),
    "brainpoolP384r1": (ec.BrainpoolP384R1, 258, -35, hashes.SHA384),
    "brainpoolP512r1": (ec.BrainpoolP512R1, 259, -36, hashes.SHA512),
}
EDWARDS = {6: (ed25519.Ed25519PublicKey, 32), 7: (ed448.Ed448PublicKey, 57)}
# The second coordinates of the points of small order; two of them have a second encoding.
_FIELD, _FIELD_448 = 2**255 - 19, 2**448 - 2**224 - 1
_ORDER_8 = int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little")
SMALL_ORDER = {0, 1, _FIELD - 1, _FIELD, _FIELD + 1, _ORDER_8, _FIELD - _ORDER_8}
SMALL_ORDER_448 = {0, 1, _FIELD_448 - 1, _FIELD_448, _FIELD_448 + 1}

Message = namedtuple("Message", "protected headers unprotected payload signature")


def read_message(value, reader):
    """An untagged COSE_Sign1."""
    require(isinstance(value, list) and len(value) == 4, "a signature does not have four parts")
    protected, unprotected, payload, signature = value
    require(isinstance(protected, bytes) and isinstance(signature, bytes), "a part of a signature is not bytes")
    headers = reader.read(protected) if protected else {}
    protected = protected if headers else b""  # RFC 9052, 4.4: an empty map counts as no bytes.
    require(isinstance(headers, dict) and isinstance(unprotected, dict), "a header of a signature is not a map")
    labels = [*headers, *unprotected]
    require(all(isinstance(label, (int, str)) for label in labels), "a label of a header is a byte string")
    return Message(protected, headers, unprotected, payload, signature)


def read_key(key):
    """The public key in a COSE_Key."""
    require(isinstance(key, dict), "a key is not a map")
    x = key.get(-2)
    require(isinstance(x, bytes), "a key has no coordinate")
    if key.get(1) == 1:
        kind, length = EDWARDS.get(key.get(-1), (None, 0))
        require(kind and len(x) == length, "a key is on an unknown curve or has another length")
        return kind.from_public_bytes(x)
    curve = next((one[0]() for one in CURVES.values() if one[1] == key.get(-1)), None)
    require(key.get(1) == 2 and curve, "a key is on an unknown curve")
    length, y = (curve.key_size + 7) // 8, key.get(-3)
    require(len(x) == length, "a coordinate has another length")
    if isinstance(y, bool):
        return ec.EllipticCurvePublicKey.from_encoded_point(curve, bytes([3 if y else 2]) + x)
    require(isinstance(y, bytes) and len(y) == length, "a coordinate has another length")
    return ec.EllipticCurvePublicKey.from_encoded_point(curve, b"\x04" + x + y)


def is_on_allowed_curve(key):
    """True unless anyone can sign for the key, or no standard has its curve."""
    if isinstance(key, ed25519.Ed25519PublicKey):
        encoded = int.from_bytes(key.public_bytes(Encoding.Raw, PublicFormat.Raw), "little")
        return encoded % 2**255 not in SMALL_ORDER
    if isinstance(key, ed448.Ed448PublicKey):
        encoded = int.from_bytes(key.public_bytes(Encoding.Raw, PublicFormat.Raw), "little")
        return encoded % 2**448 not in SMALL_ORDER_448
    return isinstance(key, ec.EllipticCurvePublicKey) and key.curve.name in CURVES


def algorithm_of(key):
    """The algorithm that goes with a key."""
    return CURVES[key.curve.name][2] if isinstance(key, ec.EllipticCurvePublicKey) else EDDSA


def is_valid(message, key, payload):
    """True if the signature over the payload is the key's, with the algorithm of its curve."""
    return is_signature(message.signature, key, cose.signed_bytes(message.protected, payload))


def is_signature(signature, key, data):
    try:
        if not isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, data)
            return True
        if key.curve.name not in CURVES:
            raise Refusal("malformed: a key is on an unknown curve")
        length = (key.curve.key_size + 7) // 8
        if len(signature) != 2 * length:
            return False
        r, s = int.from_bytes(signature[:length], "big"), int.from_bytes(signature[length:], "big")
        key.verify(utils.encode_dss_signature(r, s), data, ec.ECDSA(CURVES[key.curve.name][3]()))
        return True
    except InvalidSignature:
        return False
