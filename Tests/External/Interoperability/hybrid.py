#!/usr/bin/env python3
"""A request for a digital credential over CTAP's hybrid transport, both ends, written from the specifications alone.

    hybrid.py make --out FILE   the session of Tests/HybridTransportTests/Vectors/hybrid.json
"""

import argparse
import hmac
import json
import pathlib
import sys
from hashlib import sha256

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import hpke

# The purposes of the keys that the secret of the QR code gives.
ADVERT_KEY, TUNNEL_ID, PRE_SHARED_KEY = 1, 2, 3
NOISE = b"Noise_KNpsk0_P256_AESGCM_SHA256"
# Digits for a rest of so many bytes.
DIGITS = {1: 3, 2: 5, 3: 8, 4: 10, 5: 13, 6: 15, 7: 17}


def hkdf(key_material, salt, info, length):
    return hpke._expand(hpke._extract(salt or bytes(32), key_material), info, length)


def derived(secret, salt, purpose, length):
    return hkdf(secret, salt, purpose.to_bytes(4, "little"), length)


def digits(data):
    parts = [data[place:place + 7] for place in range(0, len(data), 7)]
    return "".join(str(int.from_bytes(part, "little")).zfill(DIGITS[len(part)]) for part in parts)


def qr_code(identity, secret, time):
    compressed = identity.public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    return "FIDO:/" + digits(cbor2.dumps({0: compressed, 1: secret, 2: 2, 3: time, 4: False, 5: "dcp"}))


def advert(secret, plaintext):
    key = derived(secret, b"", ADVERT_KEY, 64)
    encryptor = Cipher(algorithms.AES(key[:32]), modes.ECB()).encryptor()
    sealed = encryptor.update(plaintext) + encryptor.finalize()
    return sealed + hmac.new(key[32:], sealed, sha256).digest()[:4]


class Noise:
    """The handshake as its two ends see it together: KNpsk0, with empty payloads."""

    def __init__(self, identity, pre_shared_key):
        self.hash = self.chain = NOISE.ljust(32, b"\0")
        self.mix_hash(b"\x01")
        self.mix_hash(hpke.point(identity))
        output = hkdf(pre_shared_key, self.chain, b"", 96)
        self.chain, self.key = output[:32], output[64:]
        self.mix_hash(output[32:64])

    def mix_hash(self, data):
        self.hash = sha256(self.hash + data).digest()

    def mix_key(self, data):
        output = hkdf(data, self.chain, b"", 64)
        self.chain, self.key = output[:32], output[32:]

    def ephemeral(self, key):
        encoded = hpke.point(key.public_key())
        self.mix_hash(encoded)
        self.mix_key(encoded)
        return encoded

    def tag(self):
        tag = AESGCM(self.key).encrypt(bytes(12), b"", self.hash)
        self.mix_hash(tag)
        return tag

    def run(self, identity, desktop, phone):
        first = self.ephemeral(desktop) + self.tag()
        second = self.ephemeral(phone)
        self.mix_key(phone.exchange(ec.ECDH(), desktop.public_key()))
        self.mix_key(phone.exchange(ec.ECDH(), identity.public_key()))
        return first, second + self.tag()

    def keys(self):
        output = hkdf(b"", self.chain, b"", 64)
        return output[:32], output[32:]


def padded(plaintext):
    zeros = -(len(plaintext) + 1) % 32
    return plaintext + bytes(zeros) + bytes([zeros])


def session(identity, secret, time, plaintext, desktop, phone, frames):
    """Every value of a session, in hexadecimal; frames are pairs of the direction and the plaintext."""
    pre_shared_key = derived(secret, plaintext, PRE_SHARED_KEY, 32)
    noise = Noise(identity.public_key(), pre_shared_key)
    first, second = noise.run(identity, desktop, phone)
    from_desktop, from_phone = noise.keys()
    counters = {"desktop": 0, "phone": 0}
    sealed = []
    for end, text in frames:
        nonce = counters[end].to_bytes(12, "big")
        counters[end] += 1
        sealed.append(AESGCM(from_desktop if end == "desktop" else from_phone).encrypt(nonce, padded(text), b""))
    return {
        "qr": qr_code(identity, secret, time), "tunnelID": derived(secret, b"", TUNNEL_ID, 16).hex(),
        "advertKey": derived(secret, b"", ADVERT_KEY, 64).hex(), "advert": advert(secret, plaintext).hex(),
        "psk": pre_shared_key.hex(), "message1": first.hex(), "message2": second.hex(),
        "handshakeHash": noise.hash.hex(), "desktopWriteKey": from_desktop.hex(), "desktopReadKey": from_phone.hex(),
        "frames": [frame.hex() for frame in sealed],
    }


def private_key(number):
    return ec.derive_private_key(int.from_bytes(number, "big"), ec.SECP256R1())


def make(arguments):
    secret, nonce, routing = bytes([1] * 16), bytes([1] * 10), bytes([1, 2, 3])
    identity, desktop, phone = bytes([1] * 32), bytes([2] * 32), bytes([3] * 32)
    time, service = 1_767_225_600, 0
    plaintext = b"\0" + nonce + routing + service.to_bytes(2, "little")
    asked = {"requests": [{"data": {"deviceRequest": "AA", "encryptionInfo": "AA"}, "protocol": "org-iso-mdoc"}]}
    frames = [
        ("phone", cbor2.dumps({3: ["dc"]})),
        ("desktop", b"\x03" + json.dumps(
            {"origin": "https://rp.example", "request": {"digital": asked}, "requestType": "credential.get"},
            separators=(",", ":")).encode()),
        ("phone", b"\x03" + json.dumps(
            {"response": {"digital": {"data": {"data": {"response": "AA"}, "protocol": "org-iso-mdoc"}}}},
            separators=(",", ":")).encode()),
        ("desktop", b"\x00"),
    ]
    made = session(
        private_key(identity), secret, time, plaintext, private_key(desktop), private_key(phone), frames)
    known = {
        "source": "Tests/External/Interoperability/hybrid.py make", "identityPrivate": identity.hex(),
        "secret": secret.hex(), "time": time, "eidPlaintext": plaintext.hex(), "ephemeralPrivate": desktop.hex(),
        "phoneEphemeralPrivate": phone.hex(), **made}
    pathlib.Path(arguments.out).write_text(json.dumps(known, indent=2) + "\n")
    return 0


def main():
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("make")
    command.add_argument("--out", required=True)
    command.set_defaults(run=make)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
