import CBOR
import CrossCheckTrait
import DocumentFixtures
import TestSupport
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Limits and structure of device requests", .crossChecked)
struct RequestLimitTests {
  private static let items = Spaceport.request(["family_name"])

  private static func wrapped(_ value: CBORValue) -> CBORValue { .tagged(24, .bytes(value.encoded)) }

  private static func document(_ items: CBORValue) -> CBORValue { .textMap([("itemsRequest", wrapped(items))]) }

  private static var good: CBORValue {
    .textMap([("docType", .text("a")), ("nameSpaces", .textMap([("s", .textMap([("e", .boolean(true))]))]))])
  }

  private static func request(
    version: CBORValue? = .text("1.1"), documents: CBORValue? = .array([document(good)]),
    more: [(String, CBORValue)] = []
  ) -> CBORValue {
    .textMap([version.map { ("version", $0) }, documents.map { ("docRequests", $0) }].compactMap { $0 } + more)
  }

  private static func items(_ members: [(String, CBORValue)]) -> CBORValue {
    request(documents: .array([document(.textMap(members))]))
  }

  private static func spaces(_ count: Int, elements: Int = 1) -> CBORValue {
    .textMap(
      (0..<count).map { space in
        ("s\(space)", .textMap((0..<elements).map { ("e\($0)", .boolean(false)) }))
      })
  }

  private static func info(_ value: CBORValue) -> CBORValue { request(more: [("deviceRequestInfo", wrapped(value))]) }

  private static func useCase(_ sets: CBORValue, mandatory: CBORValue = .boolean(true)) -> CBORValue {
    info(.textMap([("useCases", .array([.textMap([("mandatory", mandatory), ("documentSets", sets)])]))]))
  }

  /// A request for five documents with one use case, with a number of sets and members.
  private static func useCases(sets: Int, each: Int) -> CBORValue {
    let set = CBORValue.array((0..<each).map { .integer($0) })
    let useCase = CBORValue.textMap([
      ("mandatory", .boolean(true)), ("documentSets", .array([CBORValue](repeating: set, count: sets))),
    ])
    return request(
      documents: .array([CBORValue](repeating: document(good), count: 5)),
      more: [("deviceRequestInfo", wrapped(.textMap([("useCases", .array([useCase]))])))])
  }

  struct Row: Sendable, CustomStringConvertible {
    let description: String
    let value: CBORValue
    var code: DeviceRequestError.Code? = .malformed
    /// The exceeded limit, with its code.
    var bound: RequestLimit?
  }

  static var rows: [Row] {
    let type = ("docType", CBORValue.text("a"))
    let issuers = { (count: Int) in
      CBORValue.textMap([("issuerIdentifiers", .array([CBORValue](repeating: .bytes([1]), count: count)))])
    }
    return [
      Row(description: "as it should be", value: request(), code: nil),
      Row(description: "an unknown minor version", value: request(version: .text("1.9")), code: nil),
      Row(description: "unknown members", value: request(more: [("macKeys", .array([]))]), code: nil),
      Row(description: "version 2.0", value: request(version: .text("2.0")), code: .version),
      Row(description: "version 10", value: request(version: .text("10")), code: .version),
      Row(description: "version 1", value: request(version: .text("1")), code: .version),
      Row(description: "an empty version", value: request(version: .text("")), code: .version),
      Row(description: "a version in numbers", value: request(version: .integer(1))),
      Row(description: "no version", value: request(version: nil)),
      Row(description: "an array", value: .array([])),
      Row(description: "no document requests", value: request(documents: nil)),
      Row(description: "document requests that are a map", value: request(documents: .map([]))),
      Row(description: "zero document requests", value: request(documents: .array([]))),
      Row(
        description: "16 document requests",
        value: request(documents: .array([CBORValue](repeating: document(good), count: 16))), code: nil),
      Row(
        description: "17 document requests",
        value: request(documents: .array([CBORValue](repeating: document(good), count: 17))), code: .limit,
        bound: .documents),
      Row(description: "a document request that is null", value: request(documents: .array([.null]))),
      Row(description: "items outside tag 24", value: request(documents: .array([.textMap([("itemsRequest", good)])]))),
      Row(
        description: "items in tag 25",
        value: request(documents: .array([.textMap([("itemsRequest", .tagged(25, .bytes(good.encoded)))])]))),
      Row(
        description: "items that are not CBOR",
        value: request(documents: .array([.textMap([("itemsRequest", .tagged(24, .bytes([0xff])))])]))),
      Row(
        description: "items with bytes after them",
        value: request(documents: .array([.textMap([("itemsRequest", .tagged(24, .bytes(good.encoded + [0])))])]))),
      Row(
        description: "items of indefinite length",
        value: request(documents: .array([.textMap([("itemsRequest", .tagged(24, .bytes([0xbf, 0xff])))])]))),
      Row(
        description: "an element asked for twice",
        value: items([
          type, ("nameSpaces", .textMap([("s", .textMap([("e", .boolean(true)), ("e", .boolean(true))]))])),
        ])),
      Row(description: "no document type", value: items([("nameSpaces", spaces(1))])),
      Row(
        description: "a document type in bytes", value: items([("docType", .bytes([1])), ("nameSpaces", spaces(1))])),
      Row(description: "no name spaces", value: items([type])),
      Row(description: "zero name spaces", value: items([type, ("nameSpaces", spaces(0))])),
      Row(description: "16 name spaces", value: items([type, ("nameSpaces", spaces(16))]), code: nil),
      Row(
        description: "17 name spaces", value: items([type, ("nameSpaces", spaces(17))]), code: .limit,
        bound: .nameSpaces),
      Row(description: "zero elements", value: items([type, ("nameSpaces", spaces(1, elements: 0))])),
      Row(description: "128 elements", value: items([type, ("nameSpaces", spaces(1, elements: 128))]), code: nil),
      Row(
        description: "129 elements", value: items([type, ("nameSpaces", spaces(1, elements: 129))]), code: .limit,
        bound: .elements),
      Row(
        description: "an intent in words",
        value: items([type, ("nameSpaces", .textMap([("s", .textMap([("e", .text("true"))]))]))])),
      Row(
        description: "1000 issuers", value: items([type, ("nameSpaces", spaces(1)), ("requestInfo", issuers(1000))]),
        code: nil),
      Row(
        description: "1001 issuers", value: items([type, ("nameSpaces", spaces(1)), ("requestInfo", issuers(1001))]),
        code: .limit, bound: .issuers),
      Row(
        description: "an issuer of 65 bytes",
        value: items([
          type, ("nameSpaces", spaces(1)),
          (
            "requestInfo",
            .textMap([("issuerIdentifiers", .array([.bytes([UInt8](repeating: 1, count: 65))]))])
          ),
        ]), code: .limit, bound: .issuer),
      Row(
        description: "issuers in words",
        value: items([
          type, ("nameSpaces", spaces(1)), ("requestInfo", .textMap([("issuerIdentifiers", .array([.text("a")]))])),
        ])),
      Row(
        description: "a request info that is an array",
        value: items([type, ("nameSpaces", spaces(1)), ("requestInfo", .array([]))])),
      Row(description: "zero reader signatures", value: request(more: [("readerAuthAll", .array([]))])),
      Row(
        description: "17 reader signatures",
        value: request(more: [("readerAuthAll", .array([CBORValue](repeating: .null, count: 17)))]), code: .limit,
        bound: .readerSignatures),
      Row(description: "a reader signature that is null", value: request(more: [("readerAuthAll", .array([.null]))])),
      Row(description: "information outside tag 24", value: request(more: [("deviceRequestInfo", .map([]))])),
      Row(description: "information that is an array", value: info(.array([]))),
      Row(description: "zero issuers", value: items([type, ("nameSpaces", spaces(1)), ("requestInfo", issuers(0))])),
      Row(
        description: "an element of server retrieval",
        value: items([
          type, ("nameSpaces", .textMap([("org.iso.18013.5.1", .textMap([("oidc_info", .boolean(false))]))])),
        ])),
      Row(
        description: "that element in another name space",
        value: items([type, ("nameSpaces", .textMap([("s", .textMap([("oidc_info", .boolean(false))]))]))]), code: nil),
      Row(
        description: "an element in two spellings",
        value: items([
          type,
          ("nameSpaces", .textMap([("s", .textMap([("\u{e9}", .boolean(true)), ("e\u{301}", .boolean(false))]))])),
        ])),
      Row(
        description: "a document type of 256 bytes",
        value: items([("docType", .text(String(repeating: "a", count: 256))), ("nameSpaces", spaces(1))]), code: nil),
      Row(
        description: "a document type of 257 bytes",
        value: items([("docType", .text(String(repeating: "a", count: 257))), ("nameSpaces", spaces(1))]), code: .limit,
        bound: .name),
      Row(
        description: "a set that names a document twice", value: useCase(.array([.array([.integer(0), .integer(0)])]))),
      Row(description: "sets of 64 members together", value: useCases(sets: 16, each: 4), code: nil),
      Row(
        description: "sets of 65 members together", value: useCases(sets: 13, each: 5), code: .limit,
        bound: .documentSetMembers),
      Row(description: "information without use cases", value: info(.textMap([("purpose", .null)])), code: nil),
      Row(description: "zero use cases", value: info(.textMap([("useCases", .array([]))]))),
      Row(description: "a use case that is null", value: info(.textMap([("useCases", .array([.null]))]))),
      Row(description: "a use case", value: useCase(.array([.array([.integer(0)])])), code: nil),
      Row(description: "mandatory in words", value: useCase(.array([.array([.integer(0)])]), mandatory: .text("yes"))),
      Row(description: "zero document sets", value: useCase(.array([]))),
      Row(
        description: "17 use cases",
        value: info(
          .textMap([("useCases", .array([CBORValue](repeating: .null, count: 17)))])), code: .limit, bound: .useCases),
      Row(
        description: "17 document sets",
        value: useCase(.array([CBORValue](repeating: .array([.integer(0)]), count: 17))), code: .limit,
        bound: .documentSets),
      Row(description: "an empty document set", value: useCase(.array([.array([])]))),
      Row(
        description: "a set of 17 members",
        value: useCase(.array([.array([CBORValue](repeating: .integer(0), count: 17))]))),
      Row(description: "a set that names a document beyond the last", value: useCase(.array([.array([.integer(1)])]))),
      Row(description: "a set that names document -1", value: useCase(.array([.array([.integer(-1)])]))),
      Row(
        description: "a set that names a document past all numbers", value: useCase(.array([.array([.unsigned(.max)])]))
      ),
    ]
  }

  @Test("each structure is read or refused with its code", arguments: rows)
  func read(_ row: Row) {
    for read in [
      { _ = try $0.authenticate(over: SessionTranscript(encoded: [0x80])) }, { _ = try $0.unverifiedContents() },
    ] as [(UnverifiedDeviceRequest) throws -> Void] {
      do {
        try read(UnverifiedDeviceRequest(row.value.encoded))
        #expect(row.code == nil)
      } catch {
        let error = error as? DeviceRequestError
        #expect(error?.code == row.code && error?.excess?.limit == row.bound)
      }
    }
  }

  @Test("the longest request is read, a longer one refused")
  func length() throws {
    let empty = Self.request(more: [("x", .bytes([UInt8](repeating: 0, count: 1 << 16)))]).encoded.count - 1 << 16
    let rest = RequestLimit.deviceRequest.maximum - empty
    let longest = Self.request(more: [("x", .bytes([UInt8](repeating: 0, count: rest)))]).encoded
    try #require(longest.count == RequestLimit.deviceRequest.maximum)
    #expect(refusal { _ = try UnverifiedDeviceRequest(longest) } == nil)
    let longer = Self.request(more: [("x", .bytes([UInt8](repeating: 0, count: rest + 1)))]).encoded
    #expect(refusal { _ = try UnverifiedDeviceRequest(longer) } == .limit)
  }
}
