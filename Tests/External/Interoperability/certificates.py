"""Certificates of annex B of ISO/IEC 18013-5: making them, and the path from a leaf to a trusted root."""

from datetime import timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID, ObjectIdentifier

DOCUMENT_SIGNER = ObjectIdentifier("1.0.18013.5.1.2")
READER = ObjectIdentifier("1.0.18013.5.1.6")


def _usage(**wanted):
    names = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
             "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")
    return x509.KeyUsage(**{name: wanted.get(name, False) for name in names})


def _name(common_name):
    return x509.Name([
        x509.NameAttribute(NameOID.COUNTRY_NAME, "UT"), x509.NameAttribute(NameOID.COMMON_NAME, common_name)
    ])


def common_name(name):
    """The common name in a distinguished name."""
    return name.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value


class Authority:
    """A root and its key."""

    def __init__(self, common_name, now):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.now = now
        name = _name(common_name)
        self.root = self._sign(
            name, name, self.key.public_key(), 3000,
            (x509.BasicConstraints(ca=True, path_length=0), True),
            (_usage(key_cert_sign=True, crl_sign=True), True),
            (x509.IssuerAlternativeName([x509.UniformResourceIdentifier("https://authority.example")]), False),
        )

    def _sign(self, subject, issuer, public_key, days, *extensions):
        builder = (
            x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(public_key)
            .serial_number(x509.random_serial_number()).not_valid_before(self.now - timedelta(days=1))
            .not_valid_after(self.now + timedelta(days=days))
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), False)
        )
        for extension, critical in extensions:
            builder = builder.add_extension(extension, critical)
        return builder.sign(self.key, hashes.SHA256())

    def leaf(self, common_name, public_key, purpose, domain=None):
        crl = x509.DistributionPoint(
            [x509.UniformResourceIdentifier("https://authority.example/crl")], None, None, None)
        return self._sign(
            _name(common_name), self.root.subject, public_key, 400,
            (x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), False),
            (_usage(digital_signature=True), True),
            (x509.ExtendedKeyUsage([purpose]), True),
            (x509.IssuerAlternativeName([x509.UniformResourceIdentifier("https://authority.example")]), False),
            (x509.CRLDistributionPoints([crl]), False),
            *([(x509.SubjectAlternativeName([x509.DNSName(domain)]), False)] if domain else []),
        )

    @property
    def pem(self):
        return self.root.public_bytes(Encoding.PEM).decode()


def check_path(der_chain, anchors, purpose, now):
    """The leaf, if it leads to an anchor and is valid for the purpose now; raises otherwise."""
    path = [x509.load_der_x509_certificate(der) for der in der_chain]
    if not path:
        raise ValueError("there is no certificate")
    anchor = next((one for one in anchors if one.subject == path[-1].issuer), None)
    if anchor is None:
        raise ValueError("no path leads to a trusted certificate")
    path.append(anchor)
    for certificate, issuer in zip(path, path[1:]):
        certificate.verify_directly_issued_by(issuer)
        if not issuer.extensions.get_extension_for_class(x509.BasicConstraints).value.ca:
            raise ValueError("a certificate on the path is no authority's")
    for certificate in path:
        if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
            raise ValueError("a certificate on the path is not valid at this time")
    leaf = path[0]
    if purpose not in leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value:
        raise ValueError("the leaf is not for this purpose")
    if not leaf.extensions.get_extension_for_class(x509.KeyUsage).value.digital_signature:
        raise ValueError("the leaf may not sign")
    return leaf
