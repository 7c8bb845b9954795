import CBOR
import Certificates
import Primitives

/// A Verified Issuer Certificate Authority List, whose signature and signer are verified (ISO/IEC 18013-5, annex C). Only
/// ``UnverifiedVICAL`` creates one.
public struct VICAL: Sendable {
  /// `version`.
  public let version: String
  /// `vicalProvider`.
  public let provider: String
  /// `date`: the time of issue.
  public let date: DateTime
  /// `vicalIssueID`: the number of the issue; nil if it has none.
  public let issueID: UInt64?
  /// `nextUpdate`: the time at which the next issue is due; nil if it is not given.
  public let nextUpdate: DateTime?
  /// `certificateInfos`.
  public let entries: [Entry]
  /// The names of encoding deviations, sorted.
  let deviations: [String]

  /// `CertificateInfo`: the certificate of an issuing authority.
  public struct Entry: Sendable, Equatable {
    /// `certificate` as DER.
    public let certificate: [UInt8]
    /// `serialNumber`: the bytes of the certificate's serial number without leading zeros.
    public let serialNumber: [UInt8]
    /// `ski`: the certificate's subject key identifier.
    public let subjectKeyIdentifier: [UInt8]
    /// `docType`: the types of documents that the authority may issue.
    public let documentTypes: [String]
    /// `issuingAuthority`; nil if it is not given.
    public let issuingAuthority: String?
    /// `issuingCountry`; nil if it is not given.
    public let issuingCountry: String?
    /// `stateOrProvinceName`; nil if it is not given.
    public let stateOrProvince: String?
  }

  /// The place of a list among the lists of its provider.
  public struct Issue: Sendable, Equatable, CustomStringConvertible {
    /// `vicalIssueID`; nil if the list has none.
    public let number: UInt64?
    /// `date`.
    public let date: DateTime

    /// Creates a place.
    public init(number: UInt64?, date: DateTime) {
      self.number = number
      self.date = date
    }

    /// Returns whether the list was issued before another one: by the numbers, or by the dates if a number is missing.
    public func isOlder(than other: Issue) -> Bool {
      guard let number, let last = other.number else { return date < other.date }
      return number < last
    }

    /// The number, or the date if there is none.
    public var description: String { number.map { "issue \($0)" } ?? "\(date)" }
  }

  /// The place among the lists of the provider.
  public var issue: Issue { Issue(number: issueID, date: date) }

  /// Limits for lists.
  public enum Limits {
    /// The longest encoded list in bytes: a certificate of 2 kB for each issuing authority of the world.
    public static let bytes = 4 << 20
    /// The most entries. Lists of 2026 have fewer than 100.
    public static let entries = 1024
    /// The most document types of an entry.
    public static let documentTypes = 64
    /// The longest text in bytes.
    public static let textBytes = 1024
    static let cbor = CBORLimits(bytes: bytes, depth: 8, items: 1 << 16)
  }

  /// Reads the payload of a list.
  init(payload: [UInt8]) throws(CBORError) {
    let item = try CBORReader.read(payload, limits: Limits.cbor, leniency: .received)
    deviations = Set(item.deviations.map(\.code.rawValue)).sorted()
    let list = try item.map()
    version = try Self.text(list.required("version"))
    provider = try Self.text(list.required("vicalProvider"))
    date = try Self.date(list.required("date"))
    issueID = try list["vicalIssueID"]?.unsigned()
    nextUpdate = try list["nextUpdate"].map { (item) throws(CBORError) in try Self.date(item) }
    let infos = try list.required("certificateInfos").array()
    guard infos.count <= Limits.entries else {
      throw CBORError(.badValue, at: infos.offset, "\(infos.count) certificates, more than \(Limits.entries)")
    }
    entries = try infos.map(Entry.init)
  }

  fileprivate static func text(_ item: CBORItem) throws(CBORError) -> String {
    let text = try item.text()
    guard text.utf8.count <= Limits.textBytes else {
      throw CBORError(.badValue, at: item.offset, "a text of \(text.utf8.count) bytes, more than \(Limits.textBytes)")
    }
    return text
  }

  /// Reads a `tdate`: text in tag 0.
  private static func date(_ item: CBORItem) throws(CBORError) -> DateTime {
    let (tag, content) = try item.tagged()
    guard tag == 0, let date = DateTime.parse(try text(content)) else {
      throw CBORError(.badValue, at: item.offset, "not a date and time in tag 0")
    }
    return date.moment
  }
}

extension VICAL.Entry {
  fileprivate init(_ item: CBORItem) throws(CBORError) {
    let map = try item.map()
    certificate = try map.required("certificate").bytes()
    subjectKeyIdentifier = try map.required("ski").bytes()
    serialNumber = try Self.biguint(map.required("serialNumber"))
    let types = try map.required("docType").array()
    guard types.count <= VICAL.Limits.documentTypes else {
      throw CBORError(.badValue, at: types.offset, "\(types.count) types, more than \(VICAL.Limits.documentTypes)")
    }
    documentTypes = try types.map(VICAL.text)
    func optional(_ name: String) throws(CBORError) -> String? {
      try map[name].map { (item) throws(CBORError) in try VICAL.text(item) }
    }
    issuingAuthority = try optional("issuingAuthority")
    issuingCountry = try optional("issuingCountry")
    stateOrProvince = try optional("stateOrProvinceName")
  }

  /// Reads a `biguint`: bytes in tag 2, or an unsigned integer if it is small.
  private static func biguint(_ item: CBORItem) throws(CBORError) -> [UInt8] {
    if item.kind == .unsigned {
      let number = try item.unsigned()
      return Array((0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }.drop { $0 == 0 })
    }
    let (tag, content) = try item.tagged()
    guard tag == 2 else { throw CBORError(.badValue, at: item.offset, "not an unsigned number") }
    return Array(try content.bytes().drop { $0 == 0 })
  }
}
