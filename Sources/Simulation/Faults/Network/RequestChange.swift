import CBOR
import COSE
import MobileDocument
import Primitives
import SimulationKernel
import WebPresentment

/// Changes to requests under way.
enum RequestChange {
  /// Changes the JSON of request data.
  static func change(json text: inout String, _ change: (inout RequestData) throws -> Void) throws {
    text = String(decoding: try changed(Array(text.utf8), change), as: UTF8.self)
  }

  /// Changes the JSON of a raw request.
  static func change(raw json: inout [UInt8], _ change: (inout RequestData) throws -> Void) throws {
    json = try changed(json, change)
  }

  private static func changed(_ json: [UInt8], _ change: (inout RequestData) throws -> Void) throws -> [UInt8] {
    var data = try RequestData(json: json)
    try change(&data)
    return data.json
  }

  private static func decoded(_ text: String) throws -> [UInt8] {
    guard let bytes = Base64URL.decode(text) else {
      throw SimulationError.notApplicable("the request is not base64url")
    }
    return bytes
  }

  /// Changes a device request in base64url.
  static func change(_ text: inout String, _ change: (CBORValue) throws -> CBORValue) throws {
    let item = try CBORReader.read(try decoded(text), readingEmbedded: false)
    text = Base64URL.encode(try change(CBORValue(item)).encoded)
  }

  /// Flips a bit of the first reader signature.
  /// - Throws: `SimulationError` for a request without one.
  static func flipReaderSignature(_ text: inout String) throws {
    try change(&text) { request in
      try changingFirstReader(of: request, [.element(3)]) { value in
        guard case .bytes(let bytes) = value else {
          throw SimulationError.notApplicable("the signature is not a byte string")
        }
        return .bytes(bytes.flippingLastBit)
      }
    }
  }

  /// Removes every reader signature.
  /// - Throws: `SimulationError` for a request without one.
  static func dropReaders(_ text: inout String) throws {
    try change(&text) { request in
      if let without = try? request.removing(.text("readerAuthAll")) { return without }
      return try request.changing([.member(.text("docRequests"))]) { documents in
        guard case .array(let requests) = documents else {
          throw SimulationError.notApplicable("the request has no documents")
        }
        return .array(try requests.map { try $0.removing(.text("readerAuth")) })
      }
    }
  }

  /// Changes whether the first element is retained.
  static func flipRetention(_ text: inout String) throws {
    try change(&text) { request in
      try request.changing(firstItemsRequest + [.member(.text("nameSpaces"))]) { value in
        guard case .map(var spaces) = value, case .map(var elements)? = spaces.first?.value,
          case .boolean(let flag)? = elements.first?.value
        else { throw SimulationError.notApplicable("the request asks for no element") }
        elements[0] = CBORValue.Entry(elements[0].key, .boolean(!flag))
        spaces[0] = CBORValue.Entry(spaces[0].key, .map(elements))
        return .map(spaces)
      }
    }
  }

  private static let firstItemsRequest: [CBORPlace] = [
    .member(.text("docRequests")), .element(0), .member(.text("itemsRequest")), .embedded,
  ]

  /// Changes a part of the first entry of `readerAuthAll`, or of the first document's `readerAuth`.
  private static func changingFirstReader(
    of request: CBORValue, _ path: [CBORPlace], _ change: (CBORValue) throws -> CBORValue
  ) throws -> CBORValue {
    let ofAll: [CBORPlace] = [.member(.text("readerAuthAll")), .element(0)]
    let ofFirst: [CBORPlace] = [.member(.text("docRequests")), .element(0), .member(.text("readerAuth"))]
    do {
      return try request.changing(ofAll + path, change)
    } catch let error as SimulationError where error.code == .faultNotApplicable {
      return try request.changing(ofFirst + path, change)
    }
  }

  /// Changes the certificate chain of the first reader.
  static func changingFirstChain(of request: CBORValue, _ change: ([CBORValue]) -> [CBORValue]) throws -> CBORValue {
    try changingFirstReader(of: request, [.element(1), .member(.integer(COSEHeaderLabel.x5chain))]) { value in
      var certificates = [value]
      if case .array(let several) = value { certificates = several }
      certificates = change(certificates)
      return certificates.count == 1 ? certificates[0] : .array(certificates)
    }
  }

  typealias Enlargement = @Sendable (inout RequestData, _ limit: Int) throws -> Void

  private static func enlarging(
    _ change: @escaping @Sendable (CBORValue, _ limit: Int) throws -> CBORValue
  ) -> Enlargement {
    { members, limit in try RequestChange.change(&members.deviceRequest) { try change($0, limit) } }
  }

  private static func padding(_ value: @escaping @Sendable (_ limit: Int) -> CBORValue) -> Enlargement {
    enlarging { try $0.adding("padding", value($1)) }
  }

  private static func naming(_ issuers: @escaping @Sendable (_ limit: Int) -> [CBORValue]) -> Enlargement {
    enlarging { request, limit in
      try request.changing(firstItemsRequest) {
        try $0.adding("requestInfo", .textMap([("issuerIdentifiers", .array(issuers(limit)))]))
      }
    }
  }

  private static func zeros(_ count: Int) -> CBORValue { .bytes([UInt8](repeating: 0, count: count)) }

  /// The limits that a request can exceed, and how. Signatures cover what they covered before, except the issuers.
  static let oversized: [(limit: RequestLimit, title: String, enlarge: Enlargement)] = [
    (.data, "The request data is too long", padding(zeros)),
    (
      .encryptionInfo, "The encryption information is too long",
      { members, limit in members.encryptionInfo += String(repeating: "A", count: limit) }
    ),
    (.deviceRequest, "The device request is too long", padding(zeros)),
    (
      .depth, "The device request is nested too deeply",
      padding { limit in (1..<limit).reduce(.array([])) { inner, _ in .array([inner]) } }
    ),
    (
      .items, "The device request has too many items",
      padding { .array([CBORValue](repeating: .unsigned(0), count: $0)) }
    ),
    (
      .chainLength, "A reader's certificate chain is too long",
      enlarging { request, limit in
        try changingFirstChain(of: request) { chain in
          let last = [CBORValue](repeating: chain.last ?? .bytes([]), count: limit)
          return Array((chain + last).prefix(limit + 1))
        }
      }
    ),
    (
      .certificate, "A reader certificate is too long",
      enlarging { request, limit in
        try changingFirstChain(of: request) { chain in
          guard case .bytes(let leaf)? = chain.first else { return chain }
          return [.bytes(leaf + [UInt8](repeating: 0, count: max(0, limit + 1 - leaf.count)))] + chain.dropFirst()
        }
      }
    ),
    (
      .issuers, "A document request names too many issuers",
      naming { [CBORValue](repeating: .bytes([0]), count: $0 + 1) }
    ),
    (.issuer, "A document request has an issuer identifier that is too long", naming { [zeros($0 + 1)] }),
  ]
}
