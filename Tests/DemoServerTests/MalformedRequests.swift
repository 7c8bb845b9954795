import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Requests to `POST /api/answer`, each with one fault.
struct MalformedRequests {
  /// A request.
  struct Request: CustomStringConvertible {
    var method = HTTPRequest.Method.post
    var path = "/api/answer"
    var type: String? = "application/json"
    var body: [UInt8]

    var headers: HTTPFields {
      var fields: HTTPFields = [:]
      fields[.contentType] = type
      return fields
    }

    var description: String {
      "\(method) \(path) \(type ?? "no type") \(body.count): \(String(decoding: body.prefix(400), as: UTF8.self))"
    }
  }

  /// One in so many requests has a fault that only the phone can find. It needs a world of its own, which takes long.
  static let shareOfThePhone = 50

  private static let methods: [HTTPRequest.Method] = [.get, .put, .delete, .patch, .head, .options, .trace]
  private static let types = ["text/plain", "application/cbor", "", "json", "application/jsonp", "multipart/form-data"]
  private static let paths = [
    "/api/answer2", "/api/answer/more", "/api", "/api/", "/%00", "/api/answer%2f..", "/api/worlds/x/steps", "/..",
  ]
  private static let values = [
    "null", "7", "true", "[]", "{}", "\"\"", "\"a\"", "-1e999", "[[[[[[[[]]]]]]]]", "\"\\ud800\"",
  ]

  private let honest: [UInt8]
  private let deviceRequest: String

  /// - Parameter honest: a valid body.
  init(honest: String) throws {
    self.honest = Array(honest.utf8)
    let member = try #require(try /"deviceRequest"\s*:\s*"([A-Za-z0-9_-]+)"/.firstMatch(in: honest))
    deviceRequest = String(member.1)
  }

  /// Draws a request.
  func draw(_ generator: inout SeededGenerator, reachesThePhone: Bool) -> Request {
    if reachesThePhone { return Request(body: forThePhone(&generator)) }
    switch Int.random(in: 0..<9, using: &generator) {
    case 0: return Request(body: Array(honest.prefix(Int.random(in: 0..<honest.count, using: &generator))))
    case 1: return Request(body: Array("{".utf8) + generator.bytes(Int.random(in: 0..<300, using: &generator)))
    case 2: return Request(body: wrongText(&generator))
    case 3: return Request(body: wrongMembers(&generator))
    case 4: return Request(body: Array(String(repeating: "[", count: .random(in: 1..<20_000, using: &generator)).utf8))
    case 5: return Request(method: Self.methods.randomElement(using: &generator) ?? .get, body: honest)
    case 6: return Request(type: Bool.random(using: &generator) ? nil : drawType(&generator), body: honest)
    case 7: return Request(path: Self.paths.randomElement(using: &generator) ?? "/", body: honest)
    default:
      // Large bodies are rare: each has more than a megabyte.
      guard Int.random(in: 0..<40, using: &generator) == 0 else { return Request(body: []) }
      let spaces = Int.random(in: (1 << 20)..<(5 << 20), using: &generator)
      return Request(body: honest + Array(repeating: UInt8(ascii: " "), count: spaces))
    }
  }

  private func drawType(_ generator: inout SeededGenerator) -> String? { Self.types.randomElement(using: &generator) }

  /// Well-formed JSON with well-formed base64url of bytes that are not a request.
  private func forThePhone(_ generator: inout SeededGenerator) -> [UInt8] {
    let kept = deviceRequest.prefix(Int.random(in: 0..<deviceRequest.count / 4, using: &generator) * 4)
    return body(deviceRequest: String(kept))
  }

  /// Text that is not base64url.
  private func wrongText(_ generator: inout SeededGenerator) -> [UInt8] {
    var text = Array(deviceRequest)
    let wrong: [Character] = ["+", "/", " ", "=", "é", "*", ".", ","]
    text.insert(wrong.randomElement(using: &generator) ?? "+", at: Int.random(in: 0..<text.count, using: &generator))
    return body(deviceRequest: String(text))
  }

  private func body(deviceRequest: String) -> [UInt8] {
    let text = String(decoding: honest, as: UTF8.self)
    return Array(text.replacingOccurrences(of: self.deviceRequest, with: deviceRequest).utf8)
  }

  /// JSON with missing members, or members of another type.
  private func wrongMembers(_ generator: inout SeededGenerator) -> [UInt8] {
    func value() -> String { Self.values.randomElement(using: &generator) ?? "null" }
    let bodies = [
      value(), "{\"origin\":\(value())}", "{\"request\":\(value())}", "{\"origin\":7,\"request\":\(value())}",
      "{\"origin\":\"https://a.example\",\"request\":\(value())}",
      "{\"origin\":\"https://a.example\",\"request\":{\"deviceRequest\":\(value()),\"encryptionInfo\":\(value())}}",
      "{\"origin\":\"https://a.example\",\"world\":\"nowhere\",\"request\":{\"deviceRequest\":\"AA\",\"encryptionInfo\":\"AA\"}}",
      "{\"origin\":\"https://a.example\",\"format\":\(value()),\"request\":{}}",
    ]
    return Array((bodies.randomElement(using: &generator) ?? "").utf8)
  }
}
