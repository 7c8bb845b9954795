import CBOR
import Certificates

/// `Status` of a mobile security object: where its issuer publishes whether the document was revoked (ISO/IEC 18013-5
/// second edition draft, 12.3.6). What cannot be read of it is a finding, and stops nothing else.
public struct DocumentStatus: Sendable, Equatable {
  /// The entries that can be read: at most one of each kind.
  public let references: [StatusReference]
  /// What is wrong with the others, in words.
  public let problems: [String]
  /// Departures that were let pass in reading.
  public let deviations: [StatusDeviation]
  /// What is written in place of the references by an issuer that makes mistakes.
  private let mistake: CBORValue?

  /// A status that an issuer writes.
  public init(_ references: [StatusReference]) {
    self.init(references, mistake: nil)
  }

  /// A status that an issuer writes wrongly, for worlds in which it does.
  package init(mistaken value: CBORValue) {
    self.init([], mistake: value)
  }

  private init(_ references: [StatusReference], mistake: CBORValue?) {
    self.references = references
    self.mistake = mistake
    problems = []
    deviations = []
  }

  /// Reads the member `status`. Unknown members are ignored, and a null counts as none.
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
            problems.append("\(kind.rawValue) cannot be read: \(error.sentence)")
          }
        }
      } catch {
        problems.append("status cannot be read: \(error.sentence)")
      }
    }
    self.references = references
    self.problems = problems
    self.deviations = deviations
    mistake = nil
  }

  /// Writes the status as the value of `status`.
  package func write(to writer: inout CBORWriter) {
    if let mistake { return writer.value(mistake) }
    writer.map(references.count)
    for reference in references { reference.write(to: &writer) }
  }
}

/// The two kinds of list (ISO/IEC 18013-5 second edition draft, 12.3.6.3 and 12.3.6.4).
public enum StatusListKind: String, Sendable, CaseIterable {
  /// A value for each index.
  case statusList = "status_list"
  /// The identifiers of what is revoked.
  case identifierList = "identifier_list"

  /// Media type of a token with such a list, which its header `type` names.
  public var mediaType: String {
    switch self {
    case .statusList: "application/statuslist+cwt"
    case .identifierList: "application/identifierlist+cwt"
    }
  }

  /// How the example of the draft (annex D.6) spells the type.
  public var typeInExample: String {
    switch self {
    case .statusList: "statuslist+cwt"
    case .identifierList: "identfierlist+cwt"
    }
  }

  /// The kind in words.
  var words: String { self == .statusList ? "status list" : "identifier list" }
}

/// One entry of ``DocumentStatus``: which list, and what stands for the document in it.
public struct StatusReference: Sendable, Equatable {
  /// What stands for the document in the list.
  public enum Entry: Sendable, Equatable {
    /// `idx` in a status list.
    case index(UInt64)
    /// `id` in an identifier list.
    case identifier([UInt8])
  }

  /// What stands for the document in the list.
  public let entry: Entry
  /// `uri` of the list.
  public let uri: String
  /// `certificate`: DER of the certificate that signs the top certificate of the list's chain; nil when it is the
  /// issuing authority's root.
  public let certificate: [UInt8]?

  /// An entry from its parts.
  public init(_ entry: Entry, uri: String, certificate: [UInt8]? = nil) {
    self.entry = entry
    self.uri = uri
    self.certificate = certificate
  }

  /// Which kind of list it is.
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
    case .index(let index):
      writer.text("idx")
      writer.unsigned(index)
    case .identifier(let identifier):
      writer.text("id")
      writer.byteString(identifier)
    }
    writer.text("uri")
    writer.text(uri)
    if let certificate {
      writer.text("certificate")
      writer.byteString(certificate)
    }
  }
}
