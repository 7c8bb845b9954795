import Checks
import Primitives

/// A rule of a certificate profile (ISO/IEC 18013-5, annex B), or of reading a certificate and the chain it came in.
public enum CertificateRule: String, CaseIterable, Sendable {
  case readable = "malformed"
  case size = "too-large"
  case version
  case serialNumber = "serial-number"
  case signatureAlgorithm = "signature-algorithm"
  case validityPeriod = "validity-period"
  case key
  case keyKind = "key-rsa"
  case keyEncoding = "key-encoding"
  case keySupport = "key-unsupported"
  case country
  case countryCode = "country-code"
  case countryEncoding = "country-encoding"
  case nameEncoding = "name-encoding"
  case commonName = "common-name"
  case issuerName = "issuer-name"
  case issuerCountry = "issuer-country"
  case issuerState = "issuer-state"
  case basicConstraints = "basic-constraints"
  case keyUsage = "key-usage"
  case extendedKeyUsage = "extended-key-usage"
  case subjectKeyIdentifier = "subject-key-identifier"
  case authorityKeyIdentifier = "authority-key-identifier"
  case issuerAlternativeName = "issuer-alternative-name"
  case crlDistributionPoints = "crl-distribution-points"
  case forbiddenExtension = "forbidden-extension"
  case criticalExtension = "critical-extension"
  case rootInChain = "root-in-chain"
  case trustedItself = "trusted-itself"

  /// The property that holds if the rule is followed.
  public var title: String { declaration.title }

  /// A description of a broken rule.
  public var message: String { declaration.message }

  private var declaration: (title: String, message: String) {
    switch self {
    case .readable: ("the certificate is well-formed", "the certificate is malformed")
    case .size: ("the certificate is within the size limit", "the certificate is too large")
    case .version: ("the certificate is X.509 version 3", "the certificate is not X.509 version 3")
    case .serialNumber:
      (
        "the serial number has 63 bits to 20 octets",
        "the serial number is shorter than 63 bits or longer than 20 octets"
      )
    case .signatureAlgorithm:
      ("the profile allows the signature algorithm", "the profile does not allow the signature algorithm")
    case .validityPeriod:
      (
        "the validity period is within the limit of the profile",
        "the certificate is valid for longer than its profile allows"
      )
    case .key: ("the profile allows the curve of the key", "the profile does not allow the curve of the key")
    case .keyKind: ("the key is not an RSA key", "the key is an RSA key, which the standard does not allow")
    case .keyEncoding:
      ("the key is an uncompressed point of a named curve", "the key is not an uncompressed point of a named curve")
    case .keySupport: ("the curve of the key is supported", "the curve of the key is not supported")
    case .country:
      (
        "the subject names a country with two upper-case letters",
        "the subject does not name a country with two upper-case letters"
      )
    case .countryCode:
      ("the subject's country is a code of ISO 3166-1", "the subject's country is not a code of ISO 3166-1")
    case .countryEncoding: ("the country is a PrintableString", "the country is not a PrintableString")
    case .nameEncoding:
      (
        "every part of the names is a PrintableString or a UTF8String",
        "a part of a name is neither a PrintableString nor a UTF8String"
      )
    case .commonName: ("the subject has a common name", "the subject does not have a common name")
    case .issuerName:
      (
        "the issuer's name is the subject of the issuing certificate",
        "the issuer's name is not the subject of the issuing certificate"
      )
    case .issuerCountry: ("the subject's country is the issuer's", "the subject's country is not the issuer's")
    case .issuerState: ("the subject's state is the issuer's", "the subject's state is not the issuer's")
    case .basicConstraints:
      ("the basic constraints are those of the profile", "the basic constraints are not those of the profile")
    case .keyUsage: ("the key usage is that of the profile", "the key usage is not that of the profile")
    case .extendedKeyUsage:
      ("the extended key usage is that of the profile", "the extended key usage of the profile is missing")
    case .subjectKeyIdentifier:
      (
        "the subject key identifier is the SHA-1 of the key",
        "the subject key identifier is missing or is not the SHA-1 of the key"
      )
    case .authorityKeyIdentifier:
      ("the authority key identifier is the issuer's", "the authority key identifier is missing or is not the issuer's")
    case .issuerAlternativeName:
      (
        "the issuer alternative name has an email address or a URI",
        "the issuer alternative name is missing, or has neither an email address nor a URI"
      )
    case .crlDistributionPoints:
      ("the CRL distribution point is one URI", "the CRL distribution point is missing or is not one URI alone")
    case .forbiddenExtension:
      (
        "the certificate has only extensions that the standard allows",
        "the certificate has an extension that the standard forbids"
      )
    case .criticalExtension:
      ("every critical extension is part of the profile", "an extension outside the profile is critical")
    case .rootInChain:
      (
        "the chain does not include a root",
        "the chain includes a root; it is ignored, and not trusted because it was sent"
      )
    case .trustedItself:
      ("the certificate leads to a trusted root", "the certificate is itself trusted and does not lead to a root")
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

/// An error of reading or issuing a certificate, a chain or a revocation list, with the rule that is broken.
///
/// A chain that can be read and is not accepted is a ``CertificatePathError``.
public struct CertificateRuleError: CodedError {
  /// The kinds of error.
  public enum Code: String, Sendable, CaseIterable {
    /// A certificate or a chain cannot be read; ``CertificateRuleError/rule`` says why.
    case unreadable = "certificate.unreadable"
    /// A revocation list cannot be read.
    case revocationListUnreadable = "certificate.revocation-list-unreadable"
    /// A path length constraint does not allow another authority (RFC 5280, 4.2.1.9).
    case pathLength = "certificate.path-length"
  }

  /// The kind of error.
  public let code: Code
  /// The broken rule.
  public let rule: CertificateRule
  /// A human-readable description of the error.
  public let message: String
  /// The certificate's fields, if only its key, serial number or signature algorithm is unsupported.
  public let certificate: CertificateFields?

  init(_ code: Code, _ rule: CertificateRule, _ message: String, certificate: CertificateFields? = nil) {
    self.code = code
    self.rule = rule
    self.message = message
    self.certificate = certificate
  }

  /// A Boolean value that indicates whether only the kind of key or signature is unsupported. The certificate is
  /// otherwise well-formed, and what it signed cannot be verified.
  public var isOfUnknownKind: Bool { rule == .keySupport || rule == .key || rule == .signatureAlgorithm }
}

/// The checks of a certificate by itself: its encoding, and the rules of its profile (ISO/IEC 18013-5, annex B).
///
/// A document signer that comes with a response has checks of its own, with the same reasons.
public enum CertificateCheck: CheckFamily {
  case encoding, profile, readerProfile

  /// The reasons are the broken rules.
  public typealias Reason = CertificateRule

  /// The declaration of the check.
  public var definition: CheckDefinition {
    switch self {
    case .encoding:
      CheckDefinition(
        "certificate.encoding", "the certificate is well-formed and within the size limit", clause: "RFC 5280, 4.1",
        Self.encodingReasons)
    case .profile:
      CheckDefinition(
        "certificate.profile", "the certificate has the profile of its role", clause: "ISO/IEC 18013-5, annex B",
        Self.profileReasons)
    case .readerProfile:
      CheckDefinition(
        "reader.certificate.profile", "the certificate has the profile of its role in reader authentication",
        clause: "ISO/IEC 18013-5, B.1.7", Self.readerReasons)
    }
  }

  private static let encodingRules: [CertificateRule] = [.readable, .size]
  private static let encodingReasons = encodingRules.map(\.declaredReason)
  private static let profileReasons = CertificateRule.allCases.filter { !encodingRules.contains($0) }
    .map(\.declaredReason)
  // Reader certificates need not be of their authority's country.
  private static let readerReasons = CertificateRule.allCases
    .filter { !encodingRules.contains($0) && $0 != .issuerCountry && $0 != .issuerState }.map(\.declaredReason)
}

extension CertificateRule {
  /// The name of the broken rule where the role of the certificate is unknown, such as `certificate.profile/key-usage`.
  package var name: String {
    switch self {
    case .readable, .size: CertificateCheck.encoding.name(self)
    default: CertificateCheck.profile.name(self)
    }
  }

  fileprivate var declaredReason: CheckDefinition.Reason {
    isEssential ? .failure(self, message) : .deviation(self, message)
  }
}

extension CertificateProfile {
  /// The check of the profile.
  public var check: CertificateCheck { isReaders ? .readerProfile : .profile }

  /// The result of one rule of the profile. Its reason names the rule, also if the rule holds.
  func result(
    of rule: CertificateRule, _ status: CheckResult.Status, _ message: String? = nil,
    evidence: [CheckResult.Evidence] = []
  ) -> CheckResult {
    CheckResult(
      check.id, reason: rule.rawValue, subject: rawValue, status,
      message: message ?? (status == .passed ? rule.title : rule.message), evidence: evidence)
  }
}
