import Checks

/// A rule of a certificate profile (ISO/IEC 18013-5, annex B), or of reading a certificate and the chain it came in.
public enum CertificateRule: String, CheckCode {
  case readable = "certificate.malformed"
  case size = "certificate.too-large"
  case version = "certificate.version"
  case serialNumber = "certificate.serial-number"
  case signatureAlgorithm = "certificate.signature-algorithm"
  case validityPeriod = "certificate.validity-period"
  case key = "certificate.key"
  case keyKind = "certificate.key-rsa"
  case keyEncoding = "certificate.key-encoding"
  case keySupport = "certificate.key-unsupported"
  case country = "certificate.country"
  case countryCode = "certificate.country-code"
  case countryEncoding = "certificate.country-encoding"
  case nameEncoding = "certificate.name-encoding"
  case commonName = "certificate.common-name"
  case issuerName = "certificate.issuer-name"
  case issuerCountry = "certificate.issuer-country"
  case issuerState = "certificate.issuer-state"
  case basicConstraints = "certificate.basic-constraints"
  case keyUsage = "certificate.key-usage"
  case extendedKeyUsage = "certificate.extended-key-usage"
  case subjectKeyIdentifier = "certificate.subject-key-identifier"
  case authorityKeyIdentifier = "certificate.authority-key-identifier"
  case issuerAlternativeName = "certificate.issuer-alternative-name"
  case crlDistributionPoints = "certificate.crl-distribution-points"
  case forbiddenExtension = "certificate.forbidden-extension"
  case criticalExtension = "certificate.critical-extension"
  case rootInChain = "certificate.root-in-chain"
  case trustedItself = "certificate.trusted-itself"

  /// What it means when this fails, for a person to read.
  public var message: String {
    switch self {
    case .readable: "the certificate is malformed"
    case .size: "the certificate is too large"
    case .version: "the certificate is not X.509 version 3"
    case .serialNumber: "the serial number is shorter than 63 bits or longer than 20 octets"
    case .signatureAlgorithm: "the certificate is signed with an algorithm that the profile does not allow"
    case .validityPeriod: "the certificate is valid for longer than its profile allows"
    case .key: "the key is on no curve that the profile allows"
    case .keyKind: "the key is one of RSA, which the standard does not allow"
    case .keyEncoding: "the key is not an uncompressed point of a curve that its object identifier names"
    case .keySupport: "the key is on a curve that has no implementation here"
    case .country: "the subject names no country of two upper-case letters"
    case .countryCode: "the subject's country is none of ISO 3166-1"
    case .countryEncoding: "the country is not a PrintableString"
    case .nameEncoding: "a part of a name is neither a PrintableString nor a UTF8String"
    case .commonName: "the subject has no common name"
    case .issuerName: "the issuer's name is not the subject of the certificate that issued it"
    case .issuerCountry: "the subject's country is not the issuer's"
    case .issuerState: "the subject's state is not the issuer's"
    case .basicConstraints: "the basic constraints are not those of the profile"
    case .keyUsage: "the key usage is not exactly that of the profile"
    case .extendedKeyUsage: "the extended key usage of the profile is missing"
    case .subjectKeyIdentifier: "the subject key identifier is missing or is not the SHA-1 of the key"
    case .authorityKeyIdentifier: "the authority key identifier is missing or is not the issuer's"
    case .issuerAlternativeName: "the issuer alternative name is missing or has neither e-mail address nor URI"
    case .crlDistributionPoints: "the CRL distribution point is missing or is not one URI alone"
    case .forbiddenExtension: "the certificate has an extension that the standard forbids"
    case .criticalExtension: "an extension outside the profile is critical"
    case .rootInChain: "a root came with the chain; it is ignored, and never trusted for being sent"
    case .trustedItself: "the certificate is trusted itself and leads to no root"
    }
  }

  /// Whether breaking the rule makes a certificate unusable for its purpose. The rest are departures that certificates in
  /// use show, and that are accepted with a finding:
  ///
  /// - serial number: of few bits in signers of the EU's verifier and of Longfellow's tests, negative in the root of
  ///   multipaz's wallet
  /// - validity period: root and signer of Apple's PassKit test, signers of CMWallet
  /// - country missing: Apple's PassKit test, signers of the EU's verifier
  /// - country code of no country (UT, UK, ZE): signers of the EU's verifier and of the DVLA, ten roots
  /// - country in UTF-8: root and signer of multipaz
  /// - common name missing: signers and a root of GOV.UK
  /// - subject key identifier missing: signers of the EU's verifier
  /// - issuer alternative name missing: old root of Colorado, Apple, signers of CMWallet
  /// - CRL distribution point missing: Apple's PassKit test, CMWallet; not one URI: annex D of the standard, Apple's
  ///   intermediate
  /// - root sent along: readers of Apple's iOS 26, with three certificates
  /// - trusted itself: signers of test suites that come without a root
  package var isEssential: Bool {
    switch self {
    case .readable, .size, .version, .signatureAlgorithm, .key, .keyKind, .keyEncoding, .keySupport, .nameEncoding,
      .issuerName, .issuerCountry, .issuerState, .basicConstraints, .keyUsage, .extendedKeyUsage,
      .authorityKeyIdentifier, .forbiddenExtension, .criticalExtension:
      true
    case .serialNumber, .validityPeriod, .country, .countryCode, .countryEncoding, .commonName, .subjectKeyIdentifier,
      .issuerAlternativeName, .crlDistributionPoints, .rootInChain, .trustedItself:
      false
    }
  }
}
