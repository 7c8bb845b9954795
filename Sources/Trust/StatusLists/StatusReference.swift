import CBOR
import Certificates

/// `Status` of a mobile security object: references to the lists with the document's revocation status (ISO/IEC 18013-5
/// second edition draft, 12.3.6). An unreadable reference is a finding, and reading continues.
public struct DocumentStatus: Sendable, Equatable {
  /// The readable references: at most one of each kind.
  public let references: [StatusReference]
  /// Human-readable descriptions of the unreadable references.
  public let problems: [String]
  /// Accepted deviations from the standard.
  public let deviations: [StatusDeviation]

  /// Creates a status from its references.
  public init(_ references: [StatusReference]) {
    self.references = references
    problems = []
    deviations = []
  }

  /// Reads the member `status`. Unknown members are ignored, and null is read as an empty status.
  package init(reading item: CBORItem) {
    var references: [StatusReference] = []
    var problems: [String] = []
    var deviations: [StatusDeviation] = []
    if item.isNull {
      deviations.append(.null)
    } else {
      do throws(CBORError) {
        let map = try item.map()
        for kind in StatusListKind.allCases {
          guard let entry = map[kind.rawValue] else { continue }
          do throws(CBORError) {
            references.append(try StatusReference(kind, entry, deviations: &deviations))
          } catch {
            problems.append("\(kind.rawValue) cannot be read: \(error.message)")
          }
        }
      } catch {
        problems.append("status cannot be read: \(error.message)")
      }
    }
    self.references = references
    self.problems = problems
    self.deviations = deviations
  }

  /// Writes the status as the value of `status`.
  package func write(to writer: inout CBORWriter) {
    writer.map(references.count)
    for reference in references { reference.write(to: &writer) }
  }
}

/// The two kinds of list (ISO/IEC 18013-5 second edition draft, 12.3.6.3 and 12.3.6.4).
public enum StatusListKind: String, Sendable, CaseIterable {
  /// A list with a value for each index.
  case statusList = "status_list"
  /// A list with the identifiers of revoked documents.
  case identifierList = "identifier_list"

  /// The media type of a token with such a list, named in its header `type`.
  public var mediaType: String {
    switch self {
    case .statusList: "application/statuslist+cwt"
    case .identifierList: "application/identifierlist+cwt"
    }
  }

  /// The type as the example of the draft (annex D.6) spells it.
  public var typeInExample: String {
    switch self {
    case .statusList: "statuslist+cwt"
    case .identifierList: "identfierlist+cwt"
    }
  }

  /// The display name of the kind.
  package var words: String { self == .statusList ? "status list" : "identifier list" }
}

/// A reference to the document's entry in a list.
public struct StatusReference: Sendable, Equatable {
  /// The document's key in a list.
  public enum Entry: Sendable, Equatable {
    /// `idx` in a status list.
    case index(UInt64)
    /// `id` in an identifier list.
    case identifier([UInt8])
  }

  /// The document's key in the list.
  public let entry: Entry
  /// `uri` of the list.
  public let uri: String
  /// `certificate`: the DER of the certificate that signs the top certificate of the list's chain, or nil if it is the
  /// issuing authority's root.
  public let certificate: [UInt8]?

  /// Creates a reference.
  public init(_ entry: Entry, uri: String, certificate: [UInt8]? = nil) {
    self.entry = entry
    self.uri = uri
    self.certificate = certificate
  }

  /// The kind of list.
  public var kind: StatusListKind {
    switch entry {
    case .index: .statusList
    case .identifier: .identifierList
    }
  }

  init(_ kind: StatusListKind, _ item: CBORItem, deviations: inout [StatusDeviation]) throws(CBORError) {
    let map = try item.map()
    switch kind {
    case .statusList: entry = .index(try map.required("idx").unsigned())
    case .identifierList:
      let identifier = try map.required("id")
      let bytes: [UInt8]
      if identifier.kind == .text {
        deviations.append(.identifierText)
        bytes = Array(try identifier.text().utf8)
      } else {
        bytes = try identifier.bytes()
      }
      try StatusLimits.check(
        bytes.count, atMost: StatusLimits.identifierLength, "bytes of an identifier", at: identifier.offset)
      entry = .identifier(bytes)
    }
    let uri = try map.required("uri")
    self.uri = try uri.text()
    try StatusLimits.check(self.uri.utf8.count, atMost: StatusLimits.uriLength, "bytes of a URI", at: uri.offset)
    if let certificate = map["certificate"] {
      let bytes = try certificate.bytes()
      try StatusLimits.check(
        bytes.count, atMost: CertificateLimits.bytes, "bytes of a certificate", at: certificate.offset)
      self.certificate = bytes
    } else {
      certificate = nil
    }
  }

  fileprivate func write(to writer: inout CBORWriter) {
    writer.text(kind.rawValue)
    writer.map(certificate == nil ? 2 : 3)
    switch entry {
    case .index(let index): writer.member("idx") { $0.unsigned(index) }
    case .identifier(let identifier): writer.member("id") { $0.byteString(identifier) }
    }
    writer.member("uri") { $0.text(uri) }
    if let certificate { writer.member("certificate") { $0.byteString(certificate) } }
  }
}

/// Departures from the standard in a status or a status list that real issuers produce: each is accepted with a finding.
public enum StatusDeviation: Sendable, Equatable {
  /// The member `status` is null.
  case null
  /// An identifier list or a reference to one has text identifiers.
  case identifierText

  /// A human-readable description of the deviation.
  public var message: String {
    switch self {
    case .null: "the status is null"
    case .identifierText: "an identifier of an identifier list is text"
    }
  }
}
