"""A wallet with issuers of its own, for genuine answers and for forgeries that need an issuer's or a device's key."""

import hashlib
import os
from datetime import timedelta

import cbor2
from cbor2 import CBORTag
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import NameOID

import certificates
import cose
import mdoc
import signatures
from exchange import decode, encode

PHOTO_ID, PHOTO_ID_NAME_SPACE = "org.iso.23220.photoid.1", "org.iso.23220.1"
AAMVA = "org.iso.18013.5.1.aamva"
VALUES = {"family_name": "Müstermann", "given_name": "Erika", "age_over_18": True, "age_over_21": True,
          "document_number": "U-0001", "birth_date": CBORTag(1004, "1971-09-01"),
          "issue_date": CBORTag(1004, "2024-01-31"), "DHS_compliance": "F"}
# A point of edwards25519 for which this signature verifies with any message: the neutral element, twice, and 0.
SMALL_ORDER = bytes([1]) + bytes(31)
FORGED = SMALL_ORDER + bytes(32)


class Request:
    """The request of a page, for an origin."""

    def __init__(self, options, origin):
        data = options["digital"]["requests"][0]["data"]
        request = cbor2.loads(decode(data["deviceRequest"]))
        self.items = [cbor2.loads(one["itemsRequest"].value) for one in request["docRequests"]]
        self.transcript = mdoc.transcript(data["encryptionInfo"], origin)
        self.recipient = cose.decode_key(cbor2.loads(decode(data["encryptionInfo"]))[1]["recipientPublicKey"])


def certificate(subject, key, issuer, issuer_key, start, *extensions, days=400):
    """A certificate with the extensions that all have, and the given ones, each with whether it is critical."""
    place = x509.UniformResourceIdentifier("https://authority.example/crl")
    builder = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key)
        .serial_number(x509.random_serial_number()).not_valid_before(start)
        .not_valid_after(start + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), False)
        .add_extension(x509.IssuerAlternativeName([place]), False)
        .add_extension(x509.CRLDistributionPoints([x509.DistributionPoint([place], None, None, None)]), False))
    for extension, is_critical in extensions:
        builder = builder.add_extension(extension, is_critical)
    return builder.sign(issuer_key, hashes.SHA256())


def usage(**wanted):
    names = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
             "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{name: wanted.get(name, False) for name in names}), True


PURPOSE = x509.ExtendedKeyUsage([certificates.DOCUMENT_SIGNER]), True
SIGNER = (usage(digital_signature=True), PURPOSE)


def authority_of(path_length):
    return (x509.BasicConstraints(ca=True, path_length=path_length), True), usage(key_cert_sign=True, crl_sign=True)


def name(common_name):
    return x509.Name([
        x509.NameAttribute(NameOID.COUNTRY_NAME, "UT"), x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


class Root:
    """A root and its key."""

    def __init__(self, common_name, start, days=3000, path_length=0):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.root = certificate(
            name(common_name), self.key.public_key(), name(common_name), self.key, start, *authority_of(path_length),
            days=days)


class Wallet:
    """Issues a document for each request, and answers with it."""

    def __init__(self, now):
        self.now = now.replace(microsecond=0)
        start = self.now - timedelta(days=1)
        self.authority, self.lookalike = Root("Utopia Root", start), Root("Utopia Root", start)
        self.of_many = Root("Utopia Root of Many", start, path_length=None)
        self.unknown = Root("Elsewhere Root", start)
        self.expired = Root("Utopia Root of Old", start - timedelta(days=3000), days=2999)

    @property
    def trusted(self):
        """The roots that a server must trust, in PEM; one of them has expired."""
        roots = (self.authority, self.of_many, self.expired)
        return "".join(one.root.public_bytes(Encoding.PEM).decode() for one in roots)

    def answer(self, request, response=None):
        """The credential with a response: a document for each request, documents, or bytes."""
        if response is None:
            response = [self.document(request, number) for number in range(len(request.items))]
        if isinstance(response, list):
            response = cbor2.dumps({"version": "1.0", "documents": response, "status": 0})
        sealed = mdoc.seal(response, request.recipient, request.transcript)
        return {"protocol": "org-iso-mdoc", "data": {"response": encode(sealed)}}

    def signer(self, authority=None, key=None, public=None, extensions=SIGNER):
        """The certificate of a document signer and its key; `public` is certified in place of the key."""
        authority, key = authority or self.authority, key or ec.generate_private_key(ec.SECP256R1())
        made = certificate(
            name("Utopia Document Signer"), public or key.public_key(), authority.root.subject, authority.key,
            self.now - timedelta(hours=1), *extensions)
        return made, key

    def document(
        self, request, number=0, signer=None, chain=(), device=None, device_key=None, digests="sha256", values=VALUES,
        besides=(), mso=None, altering=None, forged=(), device_header=()
    ):
        """A document for one of the items that were requested.

        `device` is the key that signs, and `device_key` the one that the issuer signed, if it is another. `besides` has
        further elements by name space. `mso` gets the mobile security object before it is signed, `altering` the name
        spaces afterwards. `forged` names what is signed for a key of small order.
        """
        items = request.items[number]
        leaf, key = signer or self.signer()
        device = device or ec.generate_private_key(ec.SECP256R1())
        spaces = {
            space: [
                {"digestID": place, "random": os.urandom(20), "elementIdentifier": one, "elementValue": value}
                for place, (one, value) in enumerate([
                    *((one, values[one]) for one in elements), *dict(besides).get(space, [])])]
            for space, elements in items["nameSpaces"].items()}
        security = self.security_object(items["docType"], spaces, device_key or cose_key(device.public_key()), digests)
        if mso:
            mso(security)
        if altering:
            altering(spaces)
        ders = [one.public_bytes(Encoding.DER) for one in (leaf, *chain)]
        payload = cbor2.dumps(mdoc.embedded(security))
        protected, signature = signed(payload, key, "issuer" in forged)
        own = mdoc.embedded({})
        authenticated = mdoc.device_authentication(request.transcript, items["docType"], own)
        return {
            "docType": items["docType"],
            "issuerSigned": {
                "nameSpaces": {space: [mdoc.embedded(one) for one in those] for space, those in spaces.items()},
                "issuerAuth": [protected, {33: ders if chain else ders[0]}, payload, signature]},
            "deviceSigned": {"nameSpaces": own, "deviceAuth": {"deviceSignature": self.device_signature(
                authenticated, device, "device" in forged, device_header)}},
        }

    def device_signature(self, payload, key, is_forged, header):
        protected, signature = signed(payload, key, is_forged, header)
        return [protected, {}, None, signature]

    def security_object(self, kind, spaces, device_key, digests):
        def date(days):
            return CBORTag(0, (self.now + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ"))

        return {
            "version": "1.0", "digestAlgorithm": digests.replace("sha", "SHA-"), "docType": kind,
            "valueDigests": {
                space: {
                    one["digestID"]: hashlib.new(digests, cbor2.dumps(mdoc.embedded(one))).digest() for one in those}
                for space, those in spaces.items()},
            "deviceKeyInfo": {"deviceKey": device_key},
            "validityInfo": {"signed": date(0), "validFrom": date(0), "validUntil": date(200)},
        }


def signed(payload, key, is_forged=False, header=()):
    """The protected header and the signature over it and a payload."""
    if is_forged:
        return cbor2.dumps({1: signatures.EDDSA}), FORGED
    protected = cbor2.dumps({1: signatures.algorithm_of(key.public_key()), **dict(header)})
    data = cose.signed_bytes(protected, payload)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        return protected, key.sign(data)
    length, kind = (key.curve.key_size + 7) // 8, signatures.CURVES[key.curve.name][3]
    numbers = utils.decode_dss_signature(key.sign(data, ec.ECDSA(kind())))
    return protected, b"".join(one.to_bytes(length, "big") for one in numbers)


def cose_key(public):
    if isinstance(public, ed25519.Ed25519PublicKey):
        return {1: 1, -1: 6, -2: public.public_bytes(Encoding.Raw, PublicFormat.Raw)}
    encoded = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    half = len(encoded) // 2
    return {1: 2, -1: signatures.CURVES[public.curve.name][1], -2: encoded[1:1 + half], -3: encoded[1 + half:]}


def changed(place, space=0):
    """Changes the value of an element after its digest was signed."""
    def change(spaces):
        list(spaces.values())[space][place]["elementValue"] = "Somebody Else"
    return change


# Answers to a request by their names.

def every_document(wallet, request):
    """Genuine."""
    return wallet.answer(request)


def signer_on_p384(wallet, request):
    return wallet.answer(request, [wallet.document(request, signer=wallet.signer(key=generated(ec.SECP384R1)))])


def signer_on_p521(wallet, request):
    return wallet.answer(request, [wallet.document(request, signer=wallet.signer(key=generated(ec.SECP521R1)))])


def signer_on_brainpool(wallet, request):
    return wallet.answer(request, [wallet.document(request, signer=wallet.signer(key=generated(ec.BrainpoolP256R1)))])


def signer_on_edwards25519(wallet, request):
    signer = wallet.signer(key=ed25519.Ed25519PrivateKey.generate())
    return wallet.answer(request, [wallet.document(request, signer=signer)])


def device_on_p384(wallet, request):
    return wallet.answer(request, [wallet.document(request, device=generated(ec.SECP384R1))])


def device_on_p521(wallet, request):
    return wallet.answer(request, [wallet.document(request, device=generated(ec.SECP521R1))])


def device_on_brainpool(wallet, request):
    return wallet.answer(request, [wallet.document(request, device=generated(ec.BrainpoolP384R1))])


def device_on_edwards25519(wallet, request):
    return wallet.answer(request, [wallet.document(request, device=ed25519.Ed25519PrivateKey.generate())])


def digests_of_sha384(wallet, request):
    return wallet.answer(request, [wallet.document(request, digests="sha384")])


def digests_of_sha512(wallet, request):
    return wallet.answer(request, [wallet.document(request, digests="sha512")])


def intermediate_authority(wallet, request):
    """Genuine: an authority below a root that allows it."""
    return wallet.answer(request, [below(wallet, request, wallet.signer(wallet.of_many, extensions=authority_of(0)))])


def generated(curve):
    return ec.generate_private_key(curve())


def second_value(wallet, request):
    return wallet.answer(request, [wallet.document(request, altering=changed(1))])


def last_value(wallet, request):
    return wallet.answer(request, [wallet.document(request, altering=changed(-1))])


def second_name_space(wallet, request):
    return wallet.answer(request, [wallet.document(request, altering=changed(0, space=1))])


def second_document(wallet, request):
    return wallet.answer(request, [wallet.document(request), wallet.document(request, 1, altering=changed(0))])


def element_with_two_values(wallet, request):
    """The issuer signed two values of one element."""
    first, *_ = request.items[0]["nameSpaces"][mdoc.NAME_SPACE]
    return wallet.answer(request, [wallet.document(request, besides={mdoc.NAME_SPACE: [(first, "Somebody Else")]})])


def contradicting_ages(wallet, request):
    return wallet.answer(request, [wallet.document(request, values={**VALUES, "age_over_18": False})])


def empty_digests(wallet, request):
    """The mobile security object names a name space without digests."""
    def add(security):
        security["valueDigests"]["org.example"] = {}
    return wallet.answer(request, [wallet.document(request, mso=add)])


def text_not_utf8(wallet, request):
    """A text in a member that is not read is not UTF-8."""
    response = {"version": "1.0", "documents": [wallet.document(request)], "status": 0, "note": "an unread text"}
    return wallet.answer(request, cbor2.dumps(response).replace(b"unread", b"\xff\xfe\xff\xfe\xff\xfe"))


def unknown_root(wallet, request):
    return wallet.answer(request, [wallet.document(request, signer=wallet.signer(wallet.unknown))])


def lookalike_root(wallet, request):
    """The root's name with another key."""
    return wallet.answer(request, [wallet.document(request, signer=wallet.signer(wallet.lookalike))])


def expired_root(wallet, request):
    return wallet.answer(request, [wallet.document(request, signer=wallet.signer(wallet.expired))])


def signer_certifies_another(wallet, request):
    """A document signer in the place of an authority."""
    return wallet.answer(request, [below(wallet, request, wallet.signer(wallet.of_many))])


def authority_too_deep(wallet, request):
    """An authority below a root that allows none."""
    return wallet.answer(request, [below(wallet, request, wallet.signer(extensions=authority_of(0)))])


def below(wallet, request, middle):
    """A document of a signer that a certificate between it and the root certifies."""
    (issuer, issuer_key), key = middle, ec.generate_private_key(ec.SECP256R1())
    leaf = certificate(
        name("Utopia Signer below"), key.public_key(), issuer.subject, issuer_key, wallet.now, *SIGNER, days=300)
    return wallet.document(request, signer=(leaf, key), chain=[issuer])


def unknown_critical_extension(wallet, request):
    unknown = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.3.6.1.4.1.32473.1"), b"\x05\x00")
    signer = wallet.signer(extensions=(*SIGNER, (unknown, True)))
    return wallet.answer(request, [wallet.document(request, signer=signer)])


def signer_for_key_agreement(wallet, request):
    signer = wallet.signer(extensions=(usage(key_agreement=True), PURPOSE))
    return wallet.answer(request, [wallet.document(request, signer=signer)])


def signer_of_small_order(wallet, request):
    signer = wallet.signer(public=ed25519.Ed25519PublicKey.from_public_bytes(SMALL_ORDER))
    return wallet.answer(request, [wallet.document(request, signer=signer, forged=["issuer"])])


def device_key_of_small_order(wallet, request):
    key = {1: 1, -1: 6, -2: SMALL_ORDER}
    return wallet.answer(request, [wallet.document(request, device_key=key, forged=["device"])])


def device_critical_header(wallet, request):
    header = {2: [99], 99: 1}
    return wallet.answer(request, [wallet.document(request, device_header=header)])


GENUINE = (
    every_document, signer_on_p384, signer_on_p521, signer_on_brainpool, signer_on_edwards25519, device_on_p384,
    device_on_p521, device_on_brainpool, device_on_edwards25519, digests_of_sha384, digests_of_sha512,
    intermediate_authority)
