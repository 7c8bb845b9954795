"""HPKE in base mode, one message: DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-128-GCM (RFC 9180)."""

import hmac
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

KEM_SUITE = b"KEM" + bytes.fromhex("0010")
SUITE = b"HPKE" + bytes.fromhex("001000010001")


def _extract(salt, key_material):
    return hmac.new(salt, key_material, sha256).digest()


def _expand(key, info, length):
    output, block, counter = b"", b"", 1
    while len(output) < length:
        block = hmac.new(key, block + info + bytes([counter]), sha256).digest()
        output += block
        counter += 1
    return output[:length]


def _labeled_extract(suite, salt, label, key_material):
    return _extract(salt, b"HPKE-v1" + suite + label + key_material)


def _labeled_expand(suite, key, label, info, length):
    return _expand(key, length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info, length)


def point(public_key):
    """A public key as the 65 bytes of an uncompressed point."""
    return public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _cipher(private_key, other, enc, recipient, info):
    secret = private_key.exchange(ec.ECDH(), other)
    key = _labeled_extract(KEM_SUITE, b"", b"eae_prk", secret)
    shared = _labeled_expand(KEM_SUITE, key, b"shared_secret", enc + recipient, 32)
    context = (
        b"\x00"
        + _labeled_extract(SUITE, b"", b"psk_id_hash", b"")
        + _labeled_extract(SUITE, b"", b"info_hash", info)
    )
    secret = _labeled_extract(SUITE, shared, b"secret", b"")
    return (
        AESGCM(_labeled_expand(SUITE, secret, b"key", context, 16)),
        _labeled_expand(SUITE, secret, b"base_nonce", context, 12),
    )


def seal(plaintext, recipient, info, ephemeral=None):
    """The encapsulated key and the sealed message; a known answer has an ephemeral key of its own."""
    ephemeral = ephemeral or ec.generate_private_key(ec.SECP256R1())
    enc = point(ephemeral.public_key())
    cipher, nonce = _cipher(ephemeral, recipient, enc, point(recipient), info)
    return enc, cipher.encrypt(nonce, plaintext, b"")


def open_sealed(enc, ciphertext, private_key, info):
    """The message; raises if it was sealed for another key or info, or altered."""
    if len(enc) != 65:
        raise ValueError("the encapsulated key is no uncompressed point")
    sender = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), enc)
    cipher, nonce = _cipher(private_key, sender, enc, point(private_key.public_key()), info)
    return cipher.decrypt(nonce, ciphertext, b"")
