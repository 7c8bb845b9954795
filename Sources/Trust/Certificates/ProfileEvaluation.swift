import Checks
import SwiftASN1
import X509

/// Evaluates the rules of a profile for one certificate.
struct ProfileEvaluation {
  let profile: CertificateProfile
  let certificate: CertificateFields
  let issuer: CertificateFields?
  let anchor: CertificateFields?
  let purposes: CertificatePurposes?
  let policy: VerificationPolicy

  /// Returns the result of a rule, or nil if the profile does not have it.
  func result(of rule: CertificateRule) -> RuleResult? {
    switch rule {
    case .readable, .size, .rootInChain, .trustedItself: nil
    case .version: .require(certificate.version == 3, expected: "3", found: String(certificate.version))
    case .serialNumber: serialNumber
    case .signatureAlgorithm: signatureAlgorithm
    case .validityPeriod: validityPeriod
    case .key, .keyKind, .keyEncoding, .keySupport: key(rule)
    case .country: country
    case .countryCode: countryCode
    case .countryEncoding: countryEncoding
    case .nameEncoding: nameEncoding
    case .commonName: .require(certificate.subject.firstValue(of: .RDNAttributeType.commonName) != nil, found: nil)
    case .issuerName: issuerName
    case .issuerCountry: issuerCountry
    case .issuerState: issuerState
    case .basicConstraints: basicConstraints
    case .keyUsage: keyUsage
    case .extendedKeyUsage: extendedKeyUsage
    case .subjectKeyIdentifier: subjectKeyIdentifier
    case .authorityKeyIdentifier: authorityKeyIdentifier
    case .issuerAlternativeName: issuerAlternativeName
    case .crlDistributionPoints: crlDistributionPoints
    case .forbiddenExtension: forbiddenExtension
    case .criticalExtension: criticalExtension
    }
  }

  private var serialNumber: RuleResult {
    if certificate.hasNegativeSerialNumber { return .breaks("the serial number is negative", found: "less than 0") }
    if certificate.hasLongSerialNumber { return .breaks("the serial number is not in its shortest form") }
    let octets = certificate.serialNumber
    let magnitude = octets.drop { $0 == 0 }
    let bits = magnitude.count * 8 - (magnitude.first?.leadingZeroBitCount ?? 0)
    return .require(
      bits >= 63 && octets.count <= 20, expected: "63 bits to 20 octets",
      found: "\(bits) bits in \(octets.count) octets")
  }

  private var signatureAlgorithm: RuleResult {
    let found = certificate.signatureAlgorithm
    let allowed = CertificateSignatureAlgorithms.ecdsa
    guard allowed.contains(found) else { return .breaks(expected: allowed.joined(separator: " or "), found: found) }
    // RFC 5280, 4.1.1.2. No certificate in use is known to differ.
    return certificate.signatureAlgorithmsAgree
      ? .holds : .breaks("the signed part names another algorithm than the signature", expected: found)
  }

  private var validityPeriod: RuleResult? {
    // The standard sets no limit for signers of lists of authorities.
    if profile == .listSigner { return nil }
    let validity = certificate.validity
    let seconds = validity.until.secondsSince1970 - validity.from.secondsSince1970
    // An OCSP responder certificate without a CRL distribution point must be short-lived.
    let days =
      profile == .responder && certificate.extensions[oid: CertificateOID.crlDistributionPoints] == nil
      ? 90 : profile.maximumDays
    return .require(
      seconds <= Int64(days) * 86_400, expected: "\(days) days at most", found: "\(seconds / 86_400) days")
  }

  private func key(_ rule: CertificateRule) -> RuleResult? {
    let key = certificate.key
    switch (rule, key) {
    case (.keyKind, .rsa), (.keyEncoding, .misencoded), (.keySupport, .unsupported): return .breaks(found: key.name)
    case (.key, .rsa), (.key, .misencoded): return nil
    case (.key, .unknown): return .breaks(found: key.name)
    case (.key, _):
      return .require(
        !key.isEdwards || !profile.isAuthority, "the key is an EdDSA key, which authorities must not have",
        found: key.name)
    default: return nil
    }
  }
}

/// The result of one rule.
enum RuleResult {
  /// The rule holds.
  case holds
  /// The rule holds, and a recommendation of the profile is not followed.
  case notes(() -> String)
  /// The rule is broken. An essential rule then fails, and any other deviates.
  case breaks(String? = nil, expected: String? = nil, found: String? = nil)
  /// The rule is broken in a way that is accepted as a deviation, even if the rule is essential.
  case deviates(String? = nil, expected: String? = nil, found: String? = nil)

  /// Returns that a rule holds if a condition is true, else that it is broken, with what was found.
  static func require(
    _ condition: Bool, _ message: @autoclosure () -> String? = nil, expected: @autoclosure () -> String? = nil,
    found: @autoclosure () -> String?
  ) -> RuleResult {
    condition ? .holds : .breaks(message(), expected: expected(), found: found() ?? "none")
  }

  func result(_ rule: CertificateRule, of certificate: CertificateFields, profile: CertificateProfile) -> CheckResult {
    func broken(
      _ outcome: CheckResult.Status, _ message: String?, _ expected: String?, _ found: String?
    ) -> CheckResult {
      let field = CheckResult.Evidence(rule.field, expected: expected, found: found)
      let whose = CheckResult.Evidence("certificate", found: certificate.subject.description)
      return profile.result(
        of: rule, outcome, message, evidence: expected == nil && found == nil ? [whose] : [field, whose])
    }
    switch self {
    case .holds: return profile.result(of: rule, .passed)
    case .notes(let message): return profile.result(of: rule, .passed, message())
    case .breaks(let message, let expected, let found):
      return broken(rule.isEssential ? .failed : .deviates, message, expected, found)
    case .deviates(let message, let expected, let found): return broken(.deviates, message, expected, found)
    }
  }
}

extension CertificateRule {
  /// The field that evidence names: the rule, with spaces.
  fileprivate var field: String { rawValue.split(separator: "-").joined(separator: " ") }
}

/// The rules about names and places (ISO/IEC 18013-5, B.1.1 and B.1.2).
extension ProfileEvaluation {
  private var countryText: String? { certificate.subject.firstValue(of: .RDNAttributeType.countryName) }

  var country: RuleResult? {
    // Optional in reader certificates, and well-formed if present.
    if profile.isReaders, countryText == nil { return nil }
    return .require(
      countryText.map(Self.isTwoCapitals) ?? false, expected: "two upper-case letters", found: countryText)
  }

  private static func isTwoCapitals(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5a).contains($0) }
  }

  var countryCode: RuleResult? {
    guard let text = countryText, Self.isTwoCapitals(text) else { return nil }
    return .require(CountryCodes.contains(text), expected: "a code of ISO 3166-1", found: text)
  }

  var countryEncoding: RuleResult? {
    let values = certificate.subject.values { $0 == .RDNAttributeType.countryName }
    if values.isEmpty { return nil }
    return .require(values.allSatisfy(\.isPrintable), expected: "PrintableString", found: "another type of string")
  }

  var nameEncoding: RuleResult {
    let others = certificate.subject.values { type in !Self.typesOfTheirOwn.contains(type) }
    return .require(
      others.allSatisfy { $0.isPrintable || $0.isUTF8 }, expected: "PrintableString or UTF8String",
      found: "another type of string")
  }

  /// Attributes with a string type of their own in place of a directory string: country, e-mail address, domain
  /// component.
  private static let typesOfTheirOwn: Set<ASN1ObjectIdentifier> = [
    .RDNAttributeType.countryName, .RDNAttributeType.emailAddress, .RDNAttributeType.domainComponent,
  ]

  var issuerName: RuleResult? {
    if profile.isRoot {
      // A trusted certificate need not be a root, and its own signature is not checked.
      return certificate.issuer == certificate.subject
        ? .holds
        : .deviates(
          "the certificate is not its own issuer", expected: certificate.subject.description,
          found: certificate.issuer.description)
    }
    guard let issuer else { return nil }
    return .require(
      certificate.issuer == issuer.subject, expected: issuer.subject.description, found: certificate.issuer.description)
  }

  var issuerCountry: RuleResult? {
    guard profile.isIssuedByIssuingAuthority, let anchor else { return nil }
    let wanted = anchor.subject.firstValue(of: .RDNAttributeType.countryName)
    return .require(countryText == wanted, expected: wanted ?? "none", found: countryText)
  }

  var issuerState: RuleResult? {
    guard profile.isIssuedByIssuingAuthority, let anchor else { return nil }
    let wanted = anchor.subject.firstValue(of: .RDNAttributeType.stateOrProvinceName)
    let found = certificate.subject.firstValue(of: .RDNAttributeType.stateOrProvinceName)
    switch (wanted, found) {
    case (let wanted?, nil): return .deviates("the subject does not name its issuer's state", expected: wanted)
    case (let wanted?, let found?): return .require(found == wanted, expected: wanted, found: found)
    case (nil, _): return .holds
    }
  }
}

extension DistinguishedName {
  /// Returns the values of the attributes with a matching type.
  fileprivate func values(
    where isWanted: (ASN1ObjectIdentifier) -> Bool
  ) -> [RelativeDistinguishedName.Attribute.Value] {
    flatMap { name in name.filter { isWanted($0.type) }.map(\.value) }
  }
}

extension RelativeDistinguishedName.Attribute.Value {
  fileprivate var isPrintable: Bool {
    guard let text = String(self), let printable = try? Self(printableString: text) else { return false }
    return self == printable
  }

  fileprivate var isUTF8: Bool { String(self).map { self == Self(utf8String: $0) } ?? false }
}

/// The two-letter codes of ISO 3166-1.
package enum CountryCodes {
  /// Returns whether a code is assigned to a country, user-assigned (AA, QM to QZ, XA to XZ, ZZ) or reserved for the
  /// European Union, which issues documents of its own.
  package static func contains(_ code: String) -> Bool {
    if code == "AA" || code == "ZZ" || code == "EU" || code.first == "X" { return true }
    if code.first == "Q", let second = code.utf8.last, second >= UInt8(ascii: "M") { return true }
    return assigned.contains(code)
  }

  /// The second letters, by first letter.
  private static let table: [(first: Character, second: String)] = [
    ("A", "DEFGILMOQRSTUWXZ"), ("B", "ABDEFGHIJLMNOQRSTVWYZ"), ("C", "ACDFGHIKLMNORUVWXYZ"), ("D", "EJKMOZ"),
    ("E", "CEGHRST"), ("F", "IJKMOR"), ("G", "ABDEFGHILMNPQRSTUWY"), ("H", "KMNRTU"), ("I", "DELMNOQRST"),
    ("J", "EMOP"), ("K", "EGHIMNPRWYZ"), ("L", "ABCIKRSTUVY"), ("M", "ACDEFGHKLMNOPQRSTUVWXYZ"), ("N", "ACEFGILOPRUZ"),
    ("O", "M"), ("P", "AEFGHKLMNRSTWY"), ("Q", "A"), ("R", "EOSUW"), ("S", "ABCDEGHIJKLMNORSTVXYZ"),
    ("T", "CDFGHJKLMNORTVWZ"), ("U", "AGMSYZ"), ("V", "ACEGINU"), ("W", "FS"), ("Y", "ET"), ("Z", "AMW"),
  ]

  private static let assigned = Set(table.flatMap { row in row.second.map { "\(row.first)\($0)" } })
}
