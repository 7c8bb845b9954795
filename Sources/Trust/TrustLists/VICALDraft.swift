import CBOR
import COSE
import Certificates
import Primitives

/// A list of issuing authorities that is about to be signed (ISO/IEC 18013-5, C.1.7.1).
public struct VICALDraft: Sendable {
  /// `version`.
  public var version = "1.0"
  /// `vicalProvider`.
  public var provider: String
  /// `date`.
  public var date: DateTime
  /// `vicalIssueID`; nil to leave it out.
  public var issueID: UInt64?
  /// `nextUpdate`; nil to leave it out.
  public var nextUpdate: DateTime?
  /// `certificateInfos`.
  public var entries: [VICAL.Entry]

  /// Creates a list.
  public init(provider: String, date: DateTime, issueID: UInt64?, nextUpdate: DateTime?, entries: [VICAL.Entry]) {
    self.provider = provider
    self.date = date
    self.issueID = issueID
    self.nextUpdate = nextUpdate
    self.entries = entries
  }

  /// Signs the list.
  /// - Parameter chain: The certificates of the signer in DER, leaf first.
  /// - Returns: An untagged COSE_Sign1 with the chain in the unprotected header.
  /// - Throws: The signer's error.
  public func signed(by signer: some ES256Signer, chain: [[UInt8]]) throws -> [UInt8] {
    try COSESign1.sign(payload: value.encoded, detached: false, x5chain: chain, with: signer)
  }

  private var value: CBORValue {
    var members: [(String, CBORValue)] = [
      ("version", .text(version)), ("vicalProvider", .text(provider)), ("date", Self.date(date)),
    ]
    if let issueID { members.append(("vicalIssueID", .unsigned(issueID))) }
    if let nextUpdate { members.append(("nextUpdate", Self.date(nextUpdate))) }
    members.append(("certificateInfos", .array(entries.map(\.value))))
    return .textMap(members)
  }

  private static func date(_ moment: DateTime) -> CBORValue { .tagged(0, .text("\(moment)")) }
}

extension VICAL.Entry {
  /// Creates the entry of an authority's certificate.
  /// - Throws: An error if the certificate is malformed.
  public init(
    of certificate: [UInt8], documentTypes: [String], issuingAuthority: String? = nil, issuingCountry: String? = nil,
    stateOrProvince: String? = nil
  ) throws {
    let fields = try CertificateFields(derEncoded: certificate)
    self.init(
      certificate: certificate, serialNumber: Array(fields.serialNumber.drop { $0 == 0 }),
      subjectKeyIdentifier: fields.subjectKeyIdentifier ?? [], documentTypes: documentTypes,
      issuingAuthority: issuingAuthority, issuingCountry: issuingCountry, stateOrProvince: stateOrProvince)
  }

  /// The entry with other contents, as a faulty list has it.
  package func with(
    certificate: [UInt8]? = nil, serialNumber: [UInt8]? = nil, documentTypes: [String]? = nil
  ) -> VICAL.Entry {
    VICAL.Entry(
      certificate: certificate ?? self.certificate, serialNumber: serialNumber ?? self.serialNumber,
      subjectKeyIdentifier: subjectKeyIdentifier, documentTypes: documentTypes ?? self.documentTypes,
      issuingAuthority: issuingAuthority, issuingCountry: issuingCountry, stateOrProvince: stateOrProvince)
  }

  fileprivate var value: CBORValue {
    let optional: [(String, String?)] = [
      ("issuingAuthority", issuingAuthority), ("issuingCountry", issuingCountry),
      ("stateOrProvinceName", stateOrProvince),
    ]
    return .textMap(
      [
        ("certificate", .bytes(certificate)), ("serialNumber", .tagged(2, .bytes(serialNumber))),
        ("ski", .bytes(subjectKeyIdentifier)), ("docType", .array(documentTypes.map(CBORValue.text))),
      ] + optional.compactMap { name, text in text.map { (name, .text($0)) } })
  }
}
