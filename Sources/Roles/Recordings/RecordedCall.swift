import JSON
import OwnServers
import Primitives

extension Recording {
  /// A call and its answer.
  package struct Call: Sendable {
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
}

extension Recording.Call {
  var json: JSONValue {
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
      request.append(("postData", JSONValue(members: [("mimeType", type(call.headers)), ("text", text)] + encoding)))
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

  init?(_ json: JSONValue) {
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
