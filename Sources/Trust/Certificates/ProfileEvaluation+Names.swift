import SwiftASN1
import X509

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
    return .require(
      values.allSatisfy(\.isPrintable), expected: "PrintableString", found: "another type of string")
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
enum CountryCodes {
  /// Returns whether a code is assigned to a country, user-assigned (AA, QM to QZ, XA to XZ, ZZ) or reserved for the
  /// European Union, which issues documents of its own.
  static func contains(_ code: String) -> Bool {
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
