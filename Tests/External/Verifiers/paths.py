"""The path from a document signer to a trusted root (ISO/IEC 18013-5, annex B; RFC 5280, 6.1)."""

from cryptography import x509
from cryptography.x509.oid import NameOID

import certificates
from checks import Checking, check, require

LONGEST_CHAIN = 4


def extension(certificate, kind):
    """The value of an extension; None without it."""
    try:
        return certificate.extensions.get_extension_for_class(kind).value
    except x509.ExtensionNotFound:
        return None


def attribute(name, kind):
    found = name.get_attributes_for_oid(kind)
    return found[0].value if found else None


class PathValidator(Checking):
    """Finds the root of a chain and checks every certificate on the way."""

    def signer(self, chain, roots, now):
        """The certificate of the signer."""
        require(isinstance(chain, list) and 0 < len(chain) <= LONGEST_CHAIN, "there is no chain of certificates")
        require(all(isinstance(one, bytes) for one in chain), "a certificate is not a byte string")
        path = [x509.load_der_x509_certificate(one) for one in chain]
        while len(path) > 1 and path[-1] in roots:
            path.pop()  # A root that was sent is not trusted for that.
        root = self.root_of(path[-1], roots)
        self.root_is_trusted(root)
        whole = path if root is None else [*path, root]
        for place, (certificate, issuer) in enumerate(zip(whole, whole[1:])):
            self.is_signed(certificate, issuer)
            self.is_authority(issuer)
            self.is_within_length(issuer, place)
            self.is_of_same_place(certificate, issuer)
        for certificate in path:
            self.is_current(certificate, now)
            self.extensions_are_known(certificate)
        if root is not None:
            self.root_is_current(root, now)
        self.is_end_entity(path[0])
        self.is_for_signing(path[0])
        self.is_for_documents(path[0])
        return path[0]

    def root_of(self, certificate, roots):
        """The root that issued a certificate, or else one of the name of its issuer."""
        named = [one for one in roots if one.subject == certificate.issuer]
        for one in named:
            try:
                certificate.verify_directly_issued_by(one)
                return one
            except Exception:  # A root of the same name with another key, of whatever kind.
                continue
        return named[0] if named else None

    @check("root-trust", "The chain leads to one of the trusted roots.")
    def root_is_trusted(self, root):
        return root is not None

    @check("chain", "Each certificate is issued and signed by the next one.")
    def is_signed(self, certificate, issuer):
        try:
            certificate.verify_directly_issued_by(issuer)
        except Exception:  # Another key, another kind of key, or another name.
            return False
        return True

    @check("authorities", "Only certificates of authorities issue others.")
    def is_authority(self, issuer):
        constraints, usage = extension(issuer, x509.BasicConstraints), extension(issuer, x509.KeyUsage)
        return constraints is not None and constraints.ca and (usage is None or usage.key_cert_sign)

    @check("path-length", "No authority has more authorities below it than its certificate allows.")
    def is_within_length(self, issuer, authorities_below):
        constraints = extension(issuer, x509.BasicConstraints)
        return (
            constraints is None or constraints.path_length is None or authorities_below <= constraints.path_length)

    @check("authority-place", "The country and the state of a signer are those of its authority.")
    def is_of_same_place(self, certificate, issuer):
        return all(
            attribute(issuer.subject, kind) in (None, attribute(certificate.subject, kind))
            for kind in (NameOID.COUNTRY_NAME, NameOID.STATE_OR_PROVINCE_NAME))

    @check("issuer-dates", "The certificates of the chain are valid now.")
    def is_current(self, certificate, now):
        return certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc

    @check("root-dates", "The root is valid now.")
    def root_is_current(self, root, now):
        return root.not_valid_before_utc <= now <= root.not_valid_after_utc

    @check("critical-extensions", "No certificate has an unknown extension that is critical.")
    def extensions_are_known(self, certificate):
        return not any(
            one.critical and isinstance(one.value, x509.UnrecognizedExtension) for one in certificate.extensions)

    @check("end-entity", "The signer is not an authority.")
    def is_end_entity(self, certificate):
        constraints = extension(certificate, x509.BasicConstraints)
        return constraints is None or not constraints.ca

    @check("key-usage", "The signer's key is for signatures.")
    def is_for_signing(self, certificate):
        usage = extension(certificate, x509.KeyUsage)
        return usage is not None and usage.digital_signature

    @check("purpose", "The signer's certificate is for signing documents.")
    def is_for_documents(self, certificate):
        usage = extension(certificate, x509.ExtendedKeyUsage)
        return usage is not None and certificates.DOCUMENT_SIGNER in usage
