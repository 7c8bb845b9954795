import Foundation
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

extension Request {
  /// The body as JSON of a type.
  ///
  /// - Parameter limit: The maximum body size in bytes.
  /// - Throws: ``HTTPProblem`` with a status of 4xx.
  func json<Value: JSONReadable>(_ type: Value.Type, upTo limit: Int) async throws(HTTPProblem) -> Value {
    try Self.json(type, from: try await content(upTo: limit))
  }

  /// Decodes a body as JSON of a type.
  /// - Throws: ``HTTPProblem`` with a status of 4xx.
  static func json<Value: JSONReadable>(_ type: Value.Type, from data: Data) throws(HTTPProblem) -> Value {
    let item: JSONItem
    do {
      item = try JSONReader.item(Array(data))
    } catch {
      throw HTTPProblem(notJSON: error)
    }
    do {
      return try Value(json: item)
    } catch {
      let path = item.path(to: error.offset)
      throw HTTPProblem(.badRequest, .member, "\(path.isEmpty ? "the body" : path): \(error.message)")
    }
  }

  /// A body as any JSON.
  /// - Throws: ``HTTPProblem`` with a status of 4xx.
  static func value(from data: Data) throws(HTTPProblem) -> JSONValue {
    do { return try JSONReader.read(Array(data)) } catch { throw HTTPProblem(notJSON: error) }
  }

  /// The body, for a request of which nothing else is read afterwards.
  func content(type: String = "application/json", upTo limit: Int) async throws(HTTPProblem) -> Data {
    var request = self
    return try await request.data(type: type, upTo: limit)
  }

  /// The body, which stays in the request.
  mutating func data(type: String, upTo limit: Int) async throws(HTTPProblem) -> Data {
    let given = headers[.contentType]?.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) }
    guard given?.lowercased() == type else {
      throw HTTPProblem(.unsupportedMediaType, .contentType, "the body must be \(type)")
    }
    if let text = headers[.contentLength], let length = Int(text), length > limit { throw Self.tooLarge(limit) }
    do {
      let buffer = try await collectBody(upTo: limit)
      return Data(buffer.readableBytesView)
    } catch is NIOTooManyBytesError {
      throw Self.tooLarge(limit)
    } catch {
      throw HTTPProblem(.badRequest, .body, "the body is shorter than its length, or its chunks are malformed")
    }
  }

  private static func tooLarge(_ limit: Int) -> HTTPProblem {
    HTTPProblem(.contentTooLarge, .tooLarge, "the body has more than \(limit) bytes")
  }

  /// A parameter of the query.
  func query(_ name: String) -> String? { uri.queryParameters[name[...]].map(String.init) }

  /// The origin of the page that sent the request, or nil if no page sent it.
  var origin: String? { headers[.origin] }
}

/// The limits of input from outside in messages and in the world.
enum HTTPLimits {
  /// The maximum number of characters of a name, an origin or a path in a message: enough to recognize it in one line.
  static let quoted = 128
  /// The maximum number of characters of a page's reason for aborting a call, which goes into the world and into the
  /// message of an exception.
  static let abortMessage = 256
}

extension StringProtocol {
  /// The beginning of text from outside, for a message.
  var quoted: String { String(prefix(HTTPLimits.quoted)) }
}
