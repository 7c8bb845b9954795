import JSON
import Messaging
import Primitives

extension PageCall {
  /// Calls of pages as an HTTP Archive (HAR 1.2), for tools that read one. Each entry has the call's options as the body of a
  /// request, and what the page got as that of the response. No HTTP takes place between a page and its browser.
  ///
  /// - Parameter calls: The calls, each with the origin of its page.
  package static func archive(_ calls: [(origin: String, call: PageCall)]) -> JSONValue {
    let log = JSONValue(members: [
      ("version", .string("1.2")),
      ("creator", JSONValue(members: [("name", .string("presentment")), ("version", .string("1"))])),
      ("entries", .array(calls.map { $0.call.archived($0.origin) })),
    ])
    return JSONValue(members: [("log", log)])
  }

  private func archived(_ origin: String) -> JSONValue {
    let milliseconds = ended.map { ($0.nanosecondsSince1970 - begun.nanosecondsSince1970) / 1_000_000 } ?? -1
    let (name, status, body) = outcome.parts
    func number(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
    func common(_ bytes: [UInt8]) -> [(String, JSONValue)] {
      [
        ("httpVersion", .string("HTTP/1.1")), ("cookies", .array([])), ("headers", .array([])),
        ("headersSize", number(-1)), ("bodySize", number(bytes.count)),
      ]
    }
    func text(_ bytes: [UInt8]) -> JSONValue { .string(String(decoding: bytes, as: UTF8.self)) }
    let request: [(String, JSONValue)] =
      [("method", .string("POST")), ("url", .string("\(origin)/navigator.credentials.get"))] + common(options) + [
        ("queryString", .array([])),
        ("postData", JSONValue(members: [("mimeType", .string(MediaType.json)), ("text", text(options))])),
      ]
    let content: [(String, JSONValue)] = [
      ("size", number(body.count)), ("mimeType", .string(MediaType.json)), ("text", text(body)),
    ]
    let response: [(String, JSONValue)] =
      [("status", number(status)), ("statusText", .string(name))] + common(body) + [
        ("redirectURL", .string("")), ("content", JSONValue(members: content)),
      ]
    let timings: [(String, JSONValue)] = [
      ("send", number(0)), ("wait", number(milliseconds)), ("receive", number(0)),
    ]
    return JSONValue(members: [
      ("startedDateTime", .string(DateTime(secondsSince1970: begun.nanosecondsSince1970 / 1_000_000_000).description)),
      ("time", number(max(0, milliseconds))),
      ("request", JSONValue(members: request)),
      ("response", JSONValue(members: response)),
      ("cache", JSONValue(members: [])),
      ("timings", JSONValue(members: timings)),
    ])
  }
}
