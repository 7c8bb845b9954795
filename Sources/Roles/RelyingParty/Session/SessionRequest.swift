import JSON
import OpenID4VP
import Primitives
import WebPresentment

/// A request that a session awaits the answer to, by its protocol.
public enum SessionRequest: Sendable {
  /// ISO/IEC 18013-7 annex C.
  case annexC(AnnexCSession)
  /// OpenID4VP 1.0.
  case openID4VP(OpenID4VPSession)

  /// The identifier of the protocol.
  public var `protocol`: String {
    switch self {
    case .annexC: RequestData.protocolIdentifier
    case .openID4VP(let request): request.kind.rawValue
    }
  }

  /// Identifiers by which drafts of the protocol name it.
  var draftProtocols: [String] {
    switch self {
    case .annexC: [RequestData.olderProtocolIdentifier]
    case .openID4VP: OpenID4VPProtocol.draftIdentifiers
    }
  }
}

/// One entry of a page's call: a request in one protocol (W3C Digital Credentials API).
public struct PageRequest: Sendable {
  /// The identifier of the protocol.
  public let `protocol`: String
  /// The `data`, UTF-8 JSON.
  public let data: [UInt8]

  /// Creates an entry.
  public init(protocol: String, data: [UInt8]) {
    self.protocol = `protocol`
    self.data = data
  }

  /// Creates the entry of a request with annex C.
  public init(_ data: RequestData) { self.init(protocol: RequestData.protocolIdentifier, data: data.json) }

  /// Creates the entry of a request with OpenID4VP.
  public init(_ kind: OpenID4VPProtocol, _ data: [UInt8]) { self.init(protocol: kind.rawValue, data: data) }

  /// Returns the options of `navigator.credentials.get` with entries in their order, UTF-8 JSON.
  /// - Throws: An error for an entry whose data is not JSON; it says where.
  public static func options(_ entries: [PageRequest]) throws -> [UInt8] {
    let requests = try entries.map { entry in
      JSONValue(members: [
        ("protocol", .string(entry.protocol)), ("data", JSONValue(try JSONReader.item(entry.data, limits: .message))),
      ])
    }
    return JSONValue(members: [
      ("mediation", .string("required")), ("digital", JSONValue(members: [("requests", .array(requests))])),
    ]).bytes
  }
}
