import CBOR
import Primitives

/// The claims of a status token. They are trustworthy only if they are read from a payload with a verified signature.
public struct StatusTokenClaims: Sendable, Equatable {
  /// `sub`: the URI of the list.
  public var subject: String
  /// `iat`: the time of the signature.
  public var issuedAt: DateTime
  /// `exp`: the end of validity, which ISO/IEC 18013-5 requires.
  public var expires: DateTime
  /// `ttl`: the number of seconds for which a copy may be reused, or nil if it is missing.
  public var timeToLive: UInt64?
  /// The list.
  public var content: Content
  /// Human-readable descriptions of accepted deviations.
  public let deviations: [String]

  /// A list of either kind.
  public enum Content: Sendable, Equatable {
    /// A list with a value for each index.
    case statusList(StatusList)
    /// The identifiers of revoked documents.
    case identifierList(Set<[UInt8]>)

    /// The kind of the list.
    public var kind: StatusListKind {
      switch self {
      case .statusList: .statusList
      case .identifierList: .identifierList
      }
    }
  }

  /// Creates claims.
  public init(subject: String, issuedAt: DateTime, expires: DateTime, timeToLive: UInt64? = nil, content: Content) {
    self.subject = subject
    self.issuedAt = issuedAt
    self.expires = expires
    self.timeToLive = timeToLive
    self.content = content
    deviations = []
  }

  /// Reads the payload of a token. Unknown claims are ignored.
  ///
  /// - Parameter kind: The expected kind of list.
  /// - Throws: `CBORError`, or ``InflateError`` if the list cannot be inflated.
  init(_ payload: [UInt8], kind: StatusListKind) throws {
    let item = try CBORReader.read(payload, limits: StatusLimits.claims, leniency: .received)
    var deviations = Set(item.deviations.map(\.code.rawValue)).sorted()
    let claims = try item.map()
    subject = try claims.required(StatusTokenLabel.subject).text()
    issuedAt = try Self.date(claims.required(StatusTokenLabel.issuedAt), "iat", deviations: &deviations)
    expires = try Self.date(claims.required(StatusTokenLabel.expires), "exp", deviations: &deviations)
    timeToLive = try claims[StatusTokenLabel.timeToLive]?.unsigned()
    content =
      switch kind {
      case .statusList: try .statusList(Self.statusList(claims.required(StatusTokenLabel.statusList)))
      case .identifierList:
        try .identifierList(Self.identifiers(claims.required(StatusTokenLabel.identifierList), deviations: &deviations))
      }
    self.deviations = deviations
  }

  /// Reads a NumericDate (RFC 8392, 2) in whole seconds. A fraction is a deviation and is truncated.
  private static func date(_ item: CBORItem, _ name: String, deviations: inout [String]) throws(CBORError) -> DateTime {
    let writable = DateTime.writable
    if item.kind == .float {
      let seconds = try item.float().rounded(.down)
      deviations.append("\(name) has fractional seconds")
      if (Double(writable.lowerBound)...Double(writable.upperBound)).contains(seconds) {
        return DateTime(secondsSince1970: Int64(seconds))
      }
    } else {
      let seconds = Int64(try item.integer())
      if writable.contains(seconds) { return DateTime(secondsSince1970: seconds) }
    }
    throw CBORError(.badValue, at: item.offset, "\(name) is outside the years 0 to 9999")
  }

  private static func statusList(_ item: CBORItem) throws -> StatusList {
    let map = try item.map()
    let bits = try map.required("bits")
    guard let entrySize = StatusList.EntrySize(rawValue: try bits.integer()) else {
      throw CBORError(.badValue, at: bits.offset, "bits is not 1, 2, 4 or 8")
    }
    let bytes = try Inflate.zlib(try map.required("lst").bytes(), limit: StatusLimits.listLength)
    return StatusList(entrySize: entrySize, bytes: bytes)
  }

  private static func identifiers(_ item: CBORItem, deviations: inout [String]) throws(CBORError) -> Set<[UInt8]> {
    var identifiers: Set<[UInt8]> = []
    var hasText = false
    for entry in try item.map().required("identifiers").map() {
      // Text is read as its UTF-8 bytes: some issuers write text in lists and documents.
      let isText = entry.key.kind == .text
      let identifier = isText ? ArraySlice(try entry.key.text().utf8) : try entry.key.byteSlice()
      hasText = hasText || isText
      try StatusLimits.check(
        identifier.count, atMost: StatusLimits.identifierLength, "bytes of an identifier", at: entry.key.offset)
      _ = try entry.value.map()
      identifiers.insert([UInt8](identifier))
    }
    if hasText { deviations.append(StatusDeviation.identifierText.message) }
    return identifiers
  }

  /// Returns the claims as the payload of a token, with the list in stored blocks.
  func encoded() -> [UInt8] {
    CBORWriter.encode(capacity: 256) { writer in
      writer.map(timeToLive == nil ? 4 : 5)
      writer.member(StatusTokenLabel.subject) { $0.text(subject) }
      writer.member(StatusTokenLabel.issuedAt) { $0.integer(Int(issuedAt.secondsSince1970)) }
      writer.member(StatusTokenLabel.expires) { $0.integer(Int(expires.secondsSince1970)) }
      if let timeToLive { writer.member(StatusTokenLabel.timeToLive) { $0.unsigned(timeToLive) } }
      let list = content.kind == .statusList ? StatusTokenLabel.statusList : StatusTokenLabel.identifierList
      writer.member(list) { write(content, to: &$0) }
    }
  }

  private func write(_ content: Content, to writer: inout CBORWriter) {
    switch content {
    case .statusList(let list):
      writer.map(2)
      writer.member("bits") { $0.integer(list.entrySize.rawValue) }
      writer.member("lst") { $0.byteString(Inflate.stored(list.bytes)) }
    case .identifierList(let identifiers):
      writer.map(1)
      writer.text("identifiers")
      writer.map(identifiers.count)
      for identifier in identifiers.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        writer.byteString(identifier)
        writer.map(0)
      }
    }
  }
}
