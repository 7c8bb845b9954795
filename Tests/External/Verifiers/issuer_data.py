"""What the issuer signed: the mobile security object and the digests of the elements (ISO/IEC 18013-5, 9.1.2)."""

import hashlib
import re
from datetime import date, datetime, timezone

import cbor2
from cbor2 import CBORTag

import signatures
from checks import Checking, Refusal, check, declare, require
from encoding import EMBEDDED
from paths import PathValidator

DIGESTS = {"SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512"}
SHORTEST_SALT = 16
HIGHEST_DIGEST_ID = 2**31 - 1
FULL_DATE = 1004
AGE = re.compile(r"age_over_(\d\d)")
UTC_DATE = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")

declare("coverage", "The issuer signed a digest for every element.")
declare("digests", "Every element has the digest that the issuer signed.")
declare("second-digest", "The digests are compared of every element, not of the first one alone.")
declare("second-name-space", "The digests are compared in every name space, not in the first one alone.")
declare("element-tag", "An element is in tag 24.")
declare("security-object-tag", "The mobile security object is in tag 24.")
declare("date-form", "Dates exist and are in UTC.")


class IssuerData(Checking):
    """Reads the part of a document that the issuer signed, and checks it."""

    def __init__(self, without, reader, roots):
        super().__init__(without)
        self.reader, self.roots, self.paths = reader, roots, PathValidator(without)

    def verify(self, document, now):
        """The mobile security object and the elements by name space."""
        message = signatures.read_message(document["issuerSigned"]["issuerAuth"], self.reader)
        signer = self.signer(message, now)
        security = self.security_object(message.payload)
        self.check_security_object(security, document, signer, now)
        return security, self.elements(document["issuerSigned"].get("nameSpaces", {}), security)

    # The signature

    def signer(self, message, now):
        """The certificate that verifies the signature."""
        self.labels_are_unique(message)
        self.nothing_is_critical(message)
        chain = message.unprotected.get(signatures.X5CHAIN)
        chain = [chain] if isinstance(chain, bytes) else chain
        signer = self.paths.signer(chain, self.roots, now)
        key = signer.public_key()
        self.key_is_allowed(key)
        self.algorithm_is_the_keys(message, key)
        self.thumbprint_is_the_signers(message, chain[0])
        self.is_signed(message, key)
        return signer

    @check("header-once", "No header is both protected and unprotected.")
    def labels_are_unique(self, message):
        return not message.headers.keys() & message.unprotected.keys()

    @check("critical-headers", "No header that must be understood is unknown.")
    def nothing_is_critical(self, message):
        return signatures.CRITICAL not in {*message.headers, *message.unprotected}

    @check("signer-key", "The signer's key is on a curve of the standard and not one that anyone can sign for.")
    def key_is_allowed(self, key):
        return signatures.is_on_allowed_curve(key)

    @check("issuer-algorithm", "The protected header names the algorithm of the signer's key.")
    def algorithm_is_the_keys(self, message, key):
        return message.headers.get(signatures.ALGORITHM) == signatures.algorithm_of(key)

    @check("thumbprint", "A thumbprint is that of the signer's certificate.")
    def thumbprint_is_the_signers(self, message, certificate):
        thumbprint = message.headers.get(signatures.X5T)
        return thumbprint in (None, [-16, hashlib.sha256(certificate).digest()])

    @check("issuer-signature", "The issuer's signature verifies.")
    def is_signed(self, message, key):
        return signatures.is_valid(message, key, message.payload)

    # The mobile security object

    def security_object(self, payload):
        value = self.reader.read(payload)
        while not self.makes("security-object-tag") and isinstance(value, CBORTag) and value.tag != EMBEDDED:
            value = value.value
        if isinstance(value, CBORTag) and value.tag == EMBEDDED:
            value = self.reader.embedded(value)
        elif self.makes("security-object-tag"):
            raise Refusal("security-object-tag")
        require(isinstance(value, dict), "the mobile security object is not a map")
        return value

    def check_security_object(self, security, document, signer, now):
        self.version_is_known(security)
        self.type_is_signed(security, document)
        signed, start, end = (self.date(security["validityInfo"][one]) for one in ("signed", "validFrom", "validUntil"))
        self.dates_are_in_order(signed, start, end)
        self.was_signed_by_then(signed, signer)
        self.has_begun(start, now)
        self.has_not_ended(end, now)
        self.digest_algorithm_is_allowed(security)
        digests = security["valueDigests"]
        require(isinstance(digests, dict) and all(isinstance(one, dict) for one in digests.values()),
                "the digests are not in maps")
        self.digests_are_there(digests)
        self.digests_have_their_length(security, digests)
        self.digest_identifiers_are_in_range(digests)
        self.key_info_is_well_formed(security)

    @check("security-object-version", "The mobile security object has version 1.")
    def version_is_known(self, security):
        return security["version"].startswith("1.")

    @check("doc-type", "The document has the type that the issuer signed.")
    def type_is_signed(self, security, document):
        return security["docType"] == document["docType"]

    def date(self, value):
        is_date = isinstance(value, CBORTag) and value.tag == 0 and isinstance(value.value, str)
        require(is_date, "a date is not in tag 0")
        if self.makes("date-form"):
            try:
                if not UTC_DATE.fullmatch(value.value):
                    raise ValueError
                return datetime.fromisoformat(value.value.replace("Z", "+00:00"))
            except ValueError:
                raise Refusal("date-form") from None
        # Days beyond the end of a month and offsets are overlooked.
        fields = [int(one) for one in re.findall(r"\d+", value.value)[:6]]
        return datetime(fields[0], fields[1], min(fields[2], 28), *fields[3:], tzinfo=timezone.utc)

    @check("date-order", "A document is not valid before it was signed, and ends after it begins.")
    def dates_are_in_order(self, signed, start, end):
        return signed <= start <= end

    @check("signing-date", "The document was signed while the signer's certificate was valid.")
    def was_signed_by_then(self, signed, signer):
        return signer.not_valid_before_utc <= signed <= signer.not_valid_after_utc

    @check("validity-not-yet", "The document's validity has begun.")
    def has_begun(self, start, now):
        return start <= now

    @check("validity", "The document has not expired.")
    def has_not_ended(self, end, now):
        return now <= end

    @check("digest-algorithm", "The digest algorithm is one of the standard.")
    def digest_algorithm_is_allowed(self, security):
        return security["digestAlgorithm"] in DIGESTS

    @check("value-digests", "There are digests in every name space.")
    def digests_are_there(self, digests):
        return bool(digests) and all(digests.values())

    @check("digest-length", "Every digest has the length of its algorithm.")
    def digests_have_their_length(self, security, digests):
        length = hashlib.new(self.digest_name(security)).digest_size
        return all(len(one) == length for those in digests.values() for one in those.values())

    @check("digest-id", "Every digestID is a number below 2^31.")
    def digest_identifiers_are_in_range(self, digests):
        return all(
            isinstance(one, int) and 0 <= one <= HIGHEST_DIGEST_ID for those in digests.values() for one in those)

    @check("key-info", "The keyInfo of the device key has numbers as labels.")
    def key_info_is_well_formed(self, security):
        return all(isinstance(label, int) for label in security["deviceKeyInfo"].get("keyInfo", {}))

    def digest_name(self, security):
        return DIGESTS.get(security["digestAlgorithm"], "sha256")

    # The elements

    def elements(self, name_spaces, security):
        require(isinstance(name_spaces, dict), "the name spaces are not a map")
        found, salts = {}, set()
        for number, (name, items) in enumerate(name_spaces.items()):
            require(isinstance(items, list), "the elements of a name space are not an array")
            elements = found.setdefault(name, {})
            for place, item in enumerate(items):
                item, content = self.item(item)
                if (number == 0 or self.makes("second-name-space")) and (place == 0 or self.makes("second-digest")):
                    self.check_digest(item, content, security, name)
                self.salt_is_long(content)
                self.salt_is_new(content, salts)
                salts.add(content["random"])
                self.element_is_new(content, elements)
                self.element_dates_exist(content["elementValue"])
                elements[content["elementIdentifier"]] = content["elementValue"]
            self.ages_agree(elements)
        return found

    def item(self, item):
        """An element in its tag, and its content."""
        if self.makes("element-tag"):
            if not isinstance(item, CBORTag) or item.tag != EMBEDDED:
                raise Refusal("element-tag")
        else:
            while isinstance(item, CBORTag) and item.tag != EMBEDDED:
                item = item.value
            item = item if isinstance(item, CBORTag) else CBORTag(EMBEDDED, self.bytes_of(item))
        content = self.reader.embedded(item)
        require(isinstance(content, dict), "an element is not a map")
        require(isinstance(content["random"], bytes), "a salt is not a byte string")
        require(isinstance(content["elementIdentifier"], str), "the identifier of an element is not a text")
        return item, content

    def bytes_of(self, item):
        return item if isinstance(item, bytes) else cbor2.dumps(item)

    def check_digest(self, item, content, security, name):
        expected = security["valueDigests"].get(name, {}).get(content["digestID"])
        if expected is None:
            if self.makes("coverage"):
                raise Refusal("coverage")
            return
        found = hashlib.new(self.digest_name(security), cbor2.dumps(item)).digest()
        if found != expected and self.makes("digests"):
            raise Refusal("digests")

    @check("salt-length", "Every salt has 16 bytes or more.")
    def salt_is_long(self, content):
        return len(content["random"]) >= SHORTEST_SALT

    @check("salt-once", "Every element has a salt of its own.")
    def salt_is_new(self, content, salts):
        return content["random"] not in salts

    @check("element-once", "No element is there twice.")
    def element_is_new(self, content, elements):
        return content["elementIdentifier"] not in elements

    @check("element-dates", "The dates among the elements exist, and times are in UTC.")
    def element_dates_exist(self, value):
        if isinstance(value, dict):
            return all(self.element_dates_exist(one) for one in value.values())
        if isinstance(value, list):
            return all(self.element_dates_exist(one) for one in value)
        if not isinstance(value, CBORTag) or value.tag not in (0, FULL_DATE):
            return True
        try:
            if value.tag == FULL_DATE:
                date.fromisoformat(value.value)
            elif not UTC_DATE.fullmatch(value.value):
                return False
            else:
                datetime.fromisoformat(value.value.replace("Z", "+00:00"))
        except (TypeError, ValueError):
            return False
        return True

    @check("ages", "The statements about ages agree.")
    def ages_agree(self, elements):
        """A person who is over an age is over every lower one."""
        ages = sorted((AGE.fullmatch(one)[1], value) for one, value in elements.items() if AGE.fullmatch(one))
        return all(
            lower is True or higher is not True for (_, lower), (_, higher) in zip(ages, ages[1:]))
