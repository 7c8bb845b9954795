"""What the device signed: its elements and the session (ISO/IEC 18013-5, 9.1.3)."""

from hashlib import sha256

import cbor2
from cbor2 import CBORTag

import signatures
from checks import Checking, Refusal, check, declare, require

declare("device-authentication", "The device authenticated the document.")
declare("device-mac", "A message authentication code, which annex C has no key for, is refused.")
declare("device-payload", "A payload that is attached to the device's signature is the one that it signs.")
declare("device-signature", "The device key signed the document and the session transcript.")
declare("device-authentication-form", "DeviceAuthentication has the structure of the standard.")


class DeviceAuthentication(Checking):
    """Reads the part of a document that the device signed, and checks it."""

    def __init__(self, without, reader):
        super().__init__(without)
        self.reader = reader

    def verify(self, document, security, transcripts):
        """The elements of the device by name space."""
        self.authorizations_are_well_formed(security["deviceKeyInfo"])
        if "deviceSigned" not in document:
            if self.makes("device-authentication"):
                raise Refusal("device-authentication")
            return {}
        signed = document["deviceSigned"]
        name_spaces = self.reader.embedded(signed["nameSpaces"])
        require(isinstance(name_spaces, dict), "the device's name spaces are not a map")
        self.elements_are_authorized(name_spaces, security["deviceKeyInfo"])
        payloads = [
            payload for one in transcripts
            for payload in self.payloads(one.value, document["docType"], signed["nameSpaces"])]
        self.check_authentication(signed["deviceAuth"], payloads, security)
        return name_spaces

    @check("key-authorizations", "The issuer's authorizations of the device name something, and nothing twice.")
    def authorizations_are_well_formed(self, info):
        if "keyAuthorizations" not in info:
            return True
        whole, parts = self.authorizations(info)
        return bool(whole or parts) and not set(whole) & set(parts)

    @check("device-elements", "The issuer authorized the device to sign each of its elements.")
    def elements_are_authorized(self, name_spaces, info):
        whole, parts = self.authorizations(info)
        return all(
            name in whole or all(one in parts.get(name, []) for one in elements)
            for name, elements in name_spaces.items())

    def authorizations(self, info):
        found = info.get("keyAuthorizations", {})
        return found.get("nameSpaces", []), found.get("dataElements", {})

    def check_authentication(self, authentication, payloads, security):
        require(isinstance(authentication, dict), "the device's authentication is not a map")
        self.is_one(authentication)
        if "deviceSignature" not in authentication:
            if "deviceMac" in authentication and not self.makes("device-mac"):
                return
            if self.makes("device-authentication"):
                raise Refusal("device-mac" if "deviceMac" in authentication else "device-authentication")
            return
        message = signatures.read_message(authentication["deviceSignature"], self.reader)
        self.nothing_is_critical(message)
        key = self.key(security)
        self.key_is_allowed(key)
        self.algorithm_is_the_keys(message, key)
        if self.makes("device-payload") and message.payload not in (None, *payloads):
            raise Refusal("device-payload")
        if self.makes("device-signature") and not any(self.is_signed(message, key, one) for one in payloads):
            raise Refusal("device-signature")

    @check("device-authentication-once", "The device gives either a signature or a message authentication code.")
    def is_one(self, authentication):
        return not ("deviceSignature" in authentication and "deviceMac" in authentication)

    @check("device-critical-headers", "No header that must be understood is unknown.")
    def nothing_is_critical(self, message):
        return signatures.CRITICAL not in {*message.headers, *message.unprotected}

    def key(self, security):
        return signatures.read_key(security["deviceKeyInfo"]["deviceKey"])

    @check("device-key", "The device key is not one that anyone can sign for.")
    def key_is_allowed(self, key):
        return signatures.is_on_allowed_curve(key)

    @check("device-algorithm", "The protected header names the algorithm of the device key.")
    def algorithm_is_the_keys(self, message, key):
        return message.headers.get(signatures.ALGORITHM) == signatures.algorithm_of(key)

    def is_signed(self, message, key, payload):
        if signatures.is_valid(message, key, payload):
            return True
        return not self.makes("device-authentication-form") and signatures.is_signature(message.signature, key, payload)

    def payloads(self, transcript, document_type, name_spaces):
        """The bytes to sign; without the check of their form also others that are taken for them."""
        array = ["DeviceAuthentication", transcript, document_type, name_spaces]
        right = embedded(array)
        yield right
        if self.makes("device-authentication-form"):
            return
        yield from (cbor2.dumps(array), cbor2.dumps(cbor2.dumps(array)), sha256(right).digest(), embedded(array[:3]))
        for value in (cbor2.loads(name_spaces.value), name_spaces.value):
            yield embedded([*array[:3], value])
        for name in ("DeviceAuthenticationBytes", "DeviceAuth", "ReaderAuthentication"):
            yield embedded([name, *array[1:]])
        for other in ("org.iso.18013.5.1", "org.iso.23220.photoid.1", "eu.europa.ec.eudi.pid.1"):
            yield embedded([*array[:2], other, name_spaces])


def embedded(value):
    return cbor2.dumps(CBORTag(24, cbor2.dumps(value)))
