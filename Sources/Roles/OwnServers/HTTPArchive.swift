import Checks
import JSON
import Primitives

/// The calls of worlds and the answers of servers, in the HTTP Archive format (HAR 1.2). What is needed to repeat a world is
/// in members whose names begin with `_`, as the format allows.
public struct HTTPArchive: Sendable {
  /// A call and its answer.
  package struct Entry: Sendable {
    /// The name of the case that made the call.
    package let scenario: String
    /// The seed of its world.
    package let seed: UInt64
    /// The time at which its world started.
    package let worldStart: DateTime
    /// The website whose server was called.
    package let server: String
    /// The browser that called.
    package let visitor: String
    /// The call.
    package let call: HTTPCall
    /// The answer.
    package let answer: HTTPAnswer
    /// The milliseconds of the world from its start to the call.
    package let instant: Int64
    /// The milliseconds of the world until the answer arrived.
    package let wait: Int64

    /// Creates an entry.
    package init(
      scenario: String, seed: UInt64, worldStart: DateTime, server: String, visitor: String, call: HTTPCall,
      answer: HTTPAnswer, instant: Int64, wait: Int64
    ) {
      self.scenario = scenario
      self.seed = seed
      self.worldStart = worldStart
      self.server = server
      self.visitor = visitor
      self.call = call
      self.answer = answer
      self.instant = instant
      self.wait = wait
    }
  }

  /// The entries, those of a case in their order.
  package var entries: [Entry]

  /// Creates an archive.
  package init(_ entries: [Entry] = []) { self.entries = entries }

  /// True without a call.
  public var isEmpty: Bool { entries.isEmpty }

  /// The longest archive in bytes: some thousand calls with the portraits of documents.
  public static let maximumLength = 64 << 20
  private static let limits = JSONLimits(bytes: maximumLength, depth: JSONReader.maximumDepth, values: 4 << 20)

  /// The entries of a case.
  package func entries(of scenario: String, seed: UInt64) -> [Entry] {
    entries.filter { $0.scenario == scenario && $0.seed == seed }
  }
}

/// An error of an archive, with the member at fault.
public typealias HTTPArchiveError = CodedFailure<HTTPArchiveErrorCode>

/// The kinds of errors of archives.
public enum HTTPArchiveErrorCode: String, Sendable, CaseIterable {
  /// The text is not JSON, or a member is missing or of another type.
  case malformed = "recording.malformed"
}

extension HTTPArchive {
  /// The archive as JSON.
  /// - Parameter version: the version of presentment.
  public func json(version: String) -> [UInt8] {
    let log = JSONValue(members: [
      ("version", .string("1.2")),
      ("creator", JSONValue(members: [("name", .string("presentment")), ("version", .string(version))])),
      ("entries", .array(entries.map(\.json))),
    ])
    return JSONValue(members: [("log", log)]).bytes + [10]
  }

  /// Reads an archive that ``json(version:)`` wrote.
  public init(json bytes: [UInt8]) throws(HTTPArchiveError) {
    guard bytes.count <= Self.maximumLength else {
      throw HTTPArchiveError(
        .malformed, "the recording's \(bytes.count) bytes exceed the limit of \(Self.maximumLength)")
    }
    guard let root = (try? JSONReader.item(bytes, limits: Self.limits)).map(JSONValue.init) else {
      throw HTTPArchiveError(.malformed, "the recording is not JSON")
    }
    guard case .array(let values)? = root.member("log")?.member("entries") else {
      throw HTTPArchiveError(.malformed, "the recording has no member log.entries")
    }
    entries = []
    for (number, value) in values.enumerated() {
      guard let entry = Entry(value) else {
        throw HTTPArchiveError(.malformed, "log.entries[\(number)] is not a call that presentment recorded")
      }
      entries.append(entry)
    }
  }
}

extension HTTPArchive.Entry {
  fileprivate var json: JSONValue {
    func list(_ headers: [(name: String, value: String)]) -> JSONValue {
      .array(headers.map { JSONValue(members: [("name", .string($0.name)), ("value", .string($0.value))]) })
    }
    func type(_ headers: [(name: String, value: String)]) -> JSONValue {
      .string(headers.first { $0.name.lowercased() == "content-type" }?.value ?? "")
    }
    func number(_ value: Int64) -> JSONValue { .number("\(value)") }
    var request: [(String, JSONValue)] = [
      ("method", .string(call.method)), ("url", .string(call.address)), ("httpVersion", .string("HTTP/1.1")),
      ("cookies", .array([])), ("headers", list(call.headers)), ("queryString", .array([])),
      ("headersSize", .number("-1")), ("bodySize", number(Int64(call.body?.count ?? 0))),
    ]
    if let body = call.body {
      let (text, encoding) = Self.text(of: body)
      request.append(
        ("postData", JSONValue(members: [("mimeType", type(call.headers)), ("text", text)] + encoding)))
    }
    let (text, encoding) = Self.text(of: answer.body)
    let content = JSONValue(
      members: [("size", number(Int64(answer.body.count))), ("mimeType", type(answer.headers)), ("text", text)]
        + encoding)
    let response = JSONValue(members: [
      ("status", number(Int64(answer.status))), ("statusText", .string("")), ("httpVersion", .string("HTTP/1.1")),
      ("cookies", .array([])), ("headers", list(answer.headers)), ("content", content), ("redirectURL", .string("")),
      ("headersSize", .number("-1")), ("bodySize", number(Int64(answer.body.count))),
    ])
    return JSONValue(members: [
      ("startedDateTime", .string("\(worldStart.adding(seconds: instant / 1000))")), ("time", number(wait)),
      ("request", JSONValue(members: request)), ("response", response), ("cache", JSONValue(members: [])),
      ("timings", JSONValue(members: [("send", .number("0")), ("wait", number(wait)), ("receive", .number("0"))])),
      ("_case", .string(scenario)), ("_seed", .number("\(seed)")), ("_worldStart", .string("\(worldStart)")),
      ("_server", .string(server)), ("_visitor", .string(visitor)), ("_instant", number(instant)),
    ])
  }

  /// A body as text, or in base64url if its bytes are not UTF-8.
  private static func text(of body: [UInt8]) -> (JSONValue, [(String, JSONValue)]) {
    if let text = String(validating: body, as: UTF8.self) { return (.string(text), []) }
    return (.string(Base64URL.encode(body)), [("_encoding", .string("base64url"))])
  }

  private static func body(_ content: JSONValue?) -> [UInt8]? {
    guard let text = content?.member("text")?.text else { return nil }
    return content?.member("_encoding") == nil ? Array(text.utf8) : Base64URL.decode(text)
  }

  fileprivate init?(_ json: JSONValue) {
    func integer(_ value: JSONValue?) -> Int64? {
      if case .number(let spelling)? = value { Int64(spelling) } else { nil }
    }
    func headers(_ value: JSONValue?) -> [(name: String, value: String)]? {
      guard case .array(let items)? = value else { return nil }
      let pairs = items.compactMap { item -> (name: String, value: String)? in
        guard let name = item.member("name")?.text, let value = item.member("value")?.text else { return nil }
        return (name, value)
      }
      return pairs.count == items.count ? pairs : nil
    }
    guard let request = json.member("request"), let method = request.member("method")?.text,
      let address = request.member("url")?.text, let sent = headers(request.member("headers")),
      let response = json.member("response"), let status = integer(response.member("status")),
      (100...599).contains(status), let received = headers(response.member("headers")),
      let body = Self.body(response.member("content")), let scenario = json.member("_case")?.text,
      case .number(let seedText)? = json.member("_seed"), let seed = UInt64(seedText),
      let started = json.member("_worldStart")?.text, let (worldStart, _) = DateTime.parse(started),
      let server = json.member("_server")?.text, let visitor = json.member("_visitor")?.text,
      let instant = integer(json.member("_instant")),
      let wait = integer(json.member("time")), instant >= 0, wait >= 0
    else { return nil }
    var call = HTTPCall(method: method, address: address)
    call.headers = sent
    if let data = request.member("postData") {
      guard let body = Self.body(data) else { return nil }
      call.body = body
    }
    self.init(
      scenario: scenario, seed: seed, worldStart: worldStart, server: server, visitor: visitor, call: call,
      answer: HTTPAnswer(status: Int(status), headers: received, body: body, time: .zero), instant: instant, wait: wait)
  }
}
