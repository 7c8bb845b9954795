"""A server that makes every check itself, on cbor2 and cryptography."""

import base64
import binascii
import re

from cryptography.exceptions import InvalidTag

import hpke
from checks import Checking, Refusal, check, declare, require
from device_authentication import DeviceAuthentication
from encoding import Reader
from issuer_data import AGE, IssuerData
from sessions import PROTOCOL
from transcripts import Transcripts

OTHER_KINDS = {"encryptedDocuments": {"enc", "cipherText", "docRequestID"}, "zkDocuments": {"documentData", "proof"}}
BASE64URL = re.compile(r"[A-Za-z0-9_-]*")

declare("base64url", "The answer is in base64url without padding.")
declare("documents", "There is a document.")
declare("second-document", "Every document is verified, not the first one alone.")
declare("refusal-empty", "A refusal shows no values.")


class Careful(Checking):
    """Opens an answer, verifies its documents, and compares them with what was asked."""

    def __init__(self, roots, without=frozenset()):
        super().__init__(without)
        self.reader, self.transcripts = Reader(without), Transcripts(without)
        self.issuer, self.device = IssuerData(without, self.reader, roots), DeviceAuthentication(without, self.reader)

    def verify(self, answer):
        """The documents; raises a refusal."""
        response = None
        try:
            self.protocol_is_the_requests(answer)
            response = self.open(self.envelope(answer.data), answer)
            return self.documents(response, answer)
        except Refusal as refusal:
            if response and not self.makes("refusal-empty"):
                refusal.documents = self.unverified(response)
            raise

    @check("protocol", "The answer is in the protocol of the request.")
    def protocol_is_the_requests(self, answer):
        return answer.protocol == PROTOCOL

    # The envelope

    def envelope(self, data):
        require(isinstance(data.get("response"), str), "the answer has no text response")
        value = self.reader.read(self.decoded(data["response"]))
        require(isinstance(value, list) and len(value) == 2, "the envelope is not an array of two")
        self.marker_is_right(value)
        require(isinstance(value[1], dict), "the envelope has no map")
        return value[1]

    def decoded(self, text):
        if self.makes("base64url"):
            if not BASE64URL.fullmatch(text):
                raise Refusal("base64url")
        else:
            text = text.rstrip("=")
        try:
            return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except binascii.Error:
            raise Refusal("base64url") from None

    @check("envelope-marker", "The envelope begins with dcapi.")
    def marker_is_right(self, value):
        return value[0] == "dcapi"

    def open(self, envelope, answer):
        """The device response as a map."""
        key, sealed = envelope["enc"], envelope["cipherText"]
        require(isinstance(key, bytes) and isinstance(sealed, bytes), "a part of the envelope is not bytes")
        self.key_is_a_point(key)
        for one in self.accepted_transcripts(answer):
            try:
                opened = hpke.open_sealed(self.point(key), sealed, one.session.key, one.info)
            except InvalidTag:
                continue
            response = self.reader.read(opened)
            require(isinstance(response, dict), "the device response is not a map")
            return response
        raise Refusal("not opened")

    @check("encapsulated-key", "The encapsulated key is an uncompressed point in 65 bytes.")
    def key_is_a_point(self, key):
        return len(key) == 65 and key[0] == 4

    def point(self, key):
        return key if len(key) == 65 else b"\x04" + key

    def accepted_transcripts(self, answer):
        return list(self.transcripts.accepted(answer.session, answer.others, answer.claimed_origin))

    # The device response

    def documents(self, response, answer):
        self.version_is_known(response)
        self.status_is_success(response)
        documents = response.get("documents", [])
        require(isinstance(documents, list), "the documents are not an array")
        self.nothing_is_empty(response)
        if not documents and self.makes("documents"):
            raise Refusal("documents")
        self.errors_are_well_formed(response)
        self.other_kinds_are_well_formed(response)
        verified, types = [], []
        for place, document in enumerate(documents):
            if place > 0 and not self.makes("second-document"):
                verified += self.unverified({"documents": [document]})
                continue
            verified.append(self.document(document, answer))
            self.is_first_of_its_type(document, types)
            types.append(document["docType"])
        return verified

    @check("version", "The device response has version 1.")
    def version_is_known(self, response):
        return response["version"].startswith("1.")

    @check("status", "The device reports success.")
    def status_is_success(self, response):
        return response["status"] == 0

    @check("empty", "No array and no map that must have entries is empty.")
    def nothing_is_empty(self, response):
        signed = [one["issuerSigned"] for one in response.get("documents", [])]
        spaces = [one["nameSpaces"] for one in signed if "nameSpaces" in one]
        return response.get("documents") != [] and all(spaces) and all(all(one.values()) for one in spaces)

    @check("document-errors", "Errors of documents that were not returned have one type and one number each.")
    def errors_are_well_formed(self, response):
        errors = response.get("documentErrors", [])
        return isinstance(errors, list) and all(
            isinstance(one, dict) and len(one) == 1 and all(isinstance(code, int) for code in one.values())
            for one in errors)

    @check("other-kinds", "Documents of other kinds, which are not read, have their members.")
    def other_kinds_are_well_formed(self, response):
        return all(
            isinstance(one, dict) and members <= one.keys()
            for kind, members in OTHER_KINDS.items() for one in response.get(kind, []))

    def document(self, document, answer):
        require(isinstance(document, dict) and isinstance(document["docType"], str), "a document has no type")
        self.type_is_requested(document, answer.session)
        security, elements = self.issuer.verify(document, answer.now)
        own = self.device.verify(document, security, self.accepted_transcripts(answer))
        self.elements_are_requested(elements, self.asked(document, answer.session))
        self.errors_are_of_others(document, elements)
        shown = {name: dict(values) for name, values in elements.items()}
        for name, values in own.items():
            shown.setdefault(name, {}).update(values)
        return {"docType": document["docType"], "elements": shown}

    def asked(self, document, session):
        """The requested elements by name space; for a type that was not requested, those of every request."""
        if document["docType"] in session.asked:
            return session.asked[document["docType"]]
        return {name: elements for one in session.asked.values() for name, elements in one.items()}

    @check("document-requested", "A document is of a type that was requested.")
    def type_is_requested(self, document, session):
        return document["docType"] in session.asked

    @check("document-once", "A request is answered by one document.")
    def is_first_of_its_type(self, document, types):
        return document["docType"] not in types

    @check("surplus", "Every element was requested.")
    def elements_are_requested(self, elements, asked):
        return all(
            identifier in asked.get(name, []) or answers_an_age(identifier, value, asked.get(name, []), values)
            for name, values in elements.items() for identifier, value in values.items())

    @check("errors", "Errors are given only for elements that were not returned.")
    def errors_are_of_others(self, document, elements):
        errors = document.get("errors", {})
        return isinstance(errors, dict) and all(
            isinstance(codes, dict) and not codes.keys() & elements.get(name, {}).keys()
            for name, codes in errors.items())

    def unverified(self, response):
        """The elements as a server shows them that has not verified them."""
        found = []
        for document in response.get("documents", []):
            elements = {}
            for name, items in document["issuerSigned"].get("nameSpaces", {}).items():
                contents = [self.reader.embedded(one) for one in items]
                elements[name] = {one["elementIdentifier"]: one["elementValue"] for one in contents}
            found.append({"docType": document["docType"], "elements": elements})
        return found


def answers_an_age(identifier, value, asked, returned):
    """True for an age that implies the requested one, which was not returned itself."""
    age = AGE.fullmatch(identifier)
    wanted = [AGE.fullmatch(one) for one in asked if one not in returned]
    return age is not None and any(
        one and (age[1] >= one[1] if value is True else age[1] <= one[1]) for one in wanted)
