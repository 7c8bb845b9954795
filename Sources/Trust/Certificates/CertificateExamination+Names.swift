import SwiftASN1
import X509

/// The rules about names and places (ISO/IEC 18013-5, B.1.1 and B.1.2).
extension CertificateExamination {
  private var countryText: String? { certificate.subject.firstValue(of: .RDNAttributeType.countryName) }

  var country: CertificateOutcome? {
    // A reader needs none; one that it has must be well-formed.
    if profile.isReaders, countryText == nil { return nil }
    return .require(
      countryText.map(Self.isTwoCapitals) ?? false, expected: "two upper-case letters", found: countryText)
  }

  private static func isTwoCapitals(_ text: String) -> Bool {
    text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5a).contains($0) }
  }

  var countryCode: CertificateOutcome? {
    guard let text = countryText, Self.isTwoCapitals(text) else { return nil }
    return .require(CountryCodes.contains(text), expected: "a code of ISO 3166-1", found: text)
  }

  var countryEncoding: CertificateOutcome? {
    let values = certificate.subject.values { $0 == .RDNAttributeType.countryName }
    if values.isEmpty { return nil }
    return .require(
      values.allSatisfy(\.isPrintable), expected: "PrintableString", found: "another type of string")
  }

  var nameEncoding: CertificateOutcome {
    let others = certificate.subject.values { type in !Self.typesOfTheirOwn.contains(type) }
    return .require(
      others.allSatisfy { $0.isPrintable || $0.isUTF8 }, expected: "PrintableString or UTF8String",
      found: "another type of string")
  }

  /// Attributes that are no directory strings: country, e-mail address, domain component.
  private static let typesOfTheirOwn: Set<ASN1ObjectIdentifier> = [
    .RDNAttributeType.countryName, .RDNAttributeType.emailAddress, .RDNAttributeType.domainComponent,
  ]

  var issuerName: CertificateOutcome? {
    if profile.isRoot {
      // What is trusted need not be a root, and its own signature is of no account.
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

  var issuerCountry: CertificateOutcome? {
    guard profile.isIssuedByIssuingAuthority, let anchor else { return nil }
    let wanted = anchor.subject.firstValue(of: .RDNAttributeType.countryName)
    return .require(countryText == wanted, expected: wanted ?? "none", found: countryText)
  }

  var issuerState: CertificateOutcome? {
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
  /// The values of the attributes whose type is one of some.
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
