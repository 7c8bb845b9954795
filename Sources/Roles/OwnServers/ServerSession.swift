import JSON
import Primitives

/// A session at a server of one's own: the calls of a page, and what their answers say. It makes no call itself.
package struct ServerSession: Sendable {
  /// The server.
  package let target: VerifierTarget
  /// The values of the session.
  package private(set) var values = SessionValues()
  /// The argument of `navigator.credentials.get`, after the session began.
  package private(set) var options = JSONValue.null
  /// The answer that began the session.
  package private(set) var beginning: HTTPAnswer?
  /// True if the answer that began the session has the data of a request in place of options.
  package private(set) var beganWithData = false
  /// The origin in the header `Origin` of its calls; nil for the target's.
  package var claimedOrigin: String?

  /// A visit of a person whom the server does not know.
  package init(_ target: VerifierTarget) { self.target = target }

  /// The call that begins a session.
  package var beginCall: HTTPCall { call(target.begin, body: target.begin.body.map { $0.filled(with: values) }) }

  /// Takes the answer that begins a session, and finds the request.
  /// - Throws: ``HTTPFailure`` for an answer that is not as the target says.
  package mutating func begin(with answer: HTTPAnswer) throws(HTTPFailure) {
    beginning = answer
    guard (200...299).contains(answer.status) else {
      throw HTTPFailure(.unexpected, "the server begins no session", evidence: answer.excerpt)
    }
    guard let json = answer.json else {
      throw HTTPFailure(.unexpected, "the answer that begins a session is not JSON", evidence: answer.excerpt)
    }
    guard let (options, isData) = found(in: json) else {
      let place = target.options.map { "at '\($0)'" } ?? "with an org-iso-mdoc request"
      throw HTTPFailure(
        .unexpected, "the answer that begins a session has no options \(place)", evidence: answer.excerpt)
    }
    self.options = options
    beganWithData = isData
    values = SessionValues()
    for (name, value) in try captures(json, besides: options) { values[name] = value }
    try requireNames()
  }

  /// Finds the options, at the target's place or anywhere: those of `navigator.credentials.get`, or the data of a request.
  private func found(in json: JSONValue) -> (options: JSONValue, isData: Bool)? {
    guard let place = target.options else {
      if let options = Self.options(in: json, depth: 0) { return (options, false) }
      return Self.data(in: json, depth: 0).map { (Self.options(with: $0), true) }
    }
    guard let found = place.value(in: json) else { return nil }
    return Self.isData(found) ? (Self.options(with: found), true) : (found, false)
  }

  /// Requires that each name in the texts of later calls has a value.
  private func requireNames() throws(HTTPFailure) {
    for found in target.names {
      let known = found.use.known(besides: values.members.map(\.name))
      guard !known.contains(found.name) else { continue }
      let names = known.map { "$\($0)" }.joined(separator: ", ")
      throw HTTPFailure(
        .unexpected, "\(found.place): nothing captures '$\(found.name)'",
        evidence: "known here: \(names.isEmpty ? "nothing" : names)")
    }
  }

  private func captures(_ json: JSONValue, besides options: JSONValue) throws(HTTPFailure) -> [(String, JSONValue)] {
    if let captures = target.captures {
      var found: [(String, JSONValue)] = []
      for capture in captures {
        guard let value = capture.value.value(in: json) else {
          throw HTTPFailure(
            .unexpected, "the answer that begins a session has nothing at '\(capture.value)'", evidence: capture.name)
        }
        found.append((capture.name, value))
      }
      return found
    }
    guard case .object(let members) = json, json != options else { return [] }
    return members.filter { !beganWithData || !Self.membersOfData.contains($0.name) }.compactMap { member in
      switch member.value {
      case .string, .number: (member.name, member.value)
      default: nil
      }
    }
  }

  private static let deepest = 8

  /// Looks for the options of `navigator.credentials.get`: an object with `digital`, or with `requests` of a protocol.
  private static func options(in json: JSONValue, depth: Int) -> JSONValue? {
    guard depth < deepest else { return nil }
    if json.member("digital")?.member("requests") != nil { return json }
    if case .array(let requests)? = json.member("requests"), requests.contains(where: { $0.member("protocol") != nil })
    {
      return JSONValue(members: [("digital", json)])
    }
    switch json {
    case .object(let members): return members.lazy.compactMap { options(in: $0.value, depth: depth + 1) }.first
    case .array(let elements): return elements.lazy.compactMap { options(in: $0, depth: depth + 1) }.first
    default: return nil
    }
  }

  /// The members of an `org-iso-mdoc` request's data.
  private static let membersOfData = ["deviceRequest", "encryptionInfo"]

  private static func isData(_ json: JSONValue) -> Bool { membersOfData.allSatisfy { json.member($0)?.text != nil } }

  /// Looks for the data of an `org-iso-mdoc` request.
  private static func data(in json: JSONValue, depth: Int) -> JSONValue? {
    guard depth < deepest else { return nil }
    if isData(json) { return json }
    switch json {
    case .object(let members): return members.lazy.compactMap { data(in: $0.value, depth: depth + 1) }.first
    case .array(let elements): return elements.lazy.compactMap { data(in: $0, depth: depth + 1) }.first
    default: return nil
    }
  }

  /// The options that a page makes of the data of a request.
  private static func options(with data: JSONValue) -> JSONValue {
    let members = membersOfData.compactMap { name in data.member(name).map { (name, $0) } }
    let request = JSONValue(members: [("protocol", .string("org-iso-mdoc")), ("data", JSONValue(members: members))])
    return JSONValue(members: [("digital", JSONValue(members: [("requests", .array([request]))]))])
  }

  /// The call that hands in a credential, the result of `navigator.credentials.get`.
  package func submitCall(_ credential: JSONValue) -> HTTPCall { call(target.submit, body: body(credential)) }

  /// The call that hands in other bytes in place of a credential with its values.
  package func submitCall(bytes: [UInt8]) -> HTTPCall {
    var call = call(target.submit, body: nil)
    call.body = bytes
    call.headers.append(("Content-Type", "application/json"))
    return call
  }

  /// The call that asks for the person's view of the session; nil if the target does not say how.
  package var shownCall: HTTPCall? {
    target.shown.map { shown in call(shown.call, body: shown.call.body.map { $0.filled(with: values) }) }
  }

  /// The body with a credential: the target's, or every captured value with the members of the credential, or of its data
  /// if the session began with the data of a request.
  package func body(_ credential: JSONValue) -> JSONValue {
    var values = values
    values["credential"] = credential
    for name in ["protocol", "data"] { values[name] = credential.member(name) ?? .null }
    values["response"] = credential.member("data")?.member("response") ?? .null
    if let template = target.submit.body { return template.filled(with: values) }
    var members = self.values.members
    if case .object(let parts)? = beganWithData ? credential.member("data") : credential { members += parts }
    return .object(members)
  }

  /// The session with the values of another one, and its own cookies.
  package func with(valuesOf other: ServerSession) -> ServerSession {
    var session = self
    session.values = other.values
    return session
  }

  /// The session with values that the server has not given: each text has other letters and digits at its end.
  package var withUnknownValues: ServerSession {
    var session = self
    for member in values.members {
      guard let text = member.value.text else { continue }
      let end = text.suffix(8).map { character -> Character in
        switch character {
        case "0"..."8", "a"..."y", "A"..."Y":
          character.unicodeScalars.first.flatMap { Unicode.Scalar($0.value + 1) }.map(Character.init) ?? "a"
        case "9": "0"
        case "z": "a"
        case "Z": "A"
        default: character
        }
      }
      session.values[member.name] = .string(text.dropLast(8) + String(end))
    }
    return session
  }

  private func call(_ call: VerifierTarget.Call, body: JSONValue?) -> HTTPCall {
    var made = HTTPCall(method: call.method, address: values.fillingAddress(call.address))
    made.headers = [("Origin", claimedOrigin ?? target.origin.serialized), ("Accept", "application/json")]
    made.headers += call.headers.map { ($0.name, values.filling($0.value)) }
    if let body {
      made.body = body.bytes
      made.headers.append(("Content-Type", "application/json"))
    }
    return made
  }
}
