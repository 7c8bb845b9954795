import DigitalCredentials
import Testing

/// A test of the user agent as a drawing: one line for each event, `event => effects`. Documents, tabs and calls are numbers.
///
///     open 1 page                    => nothing         tab 1 with document 1
///     frame 2 in 1 other allow       => nothing         a frame; `other` is another origin, `allow` grants the feature
///     tap 2                          => nothing
///     activated                      => 1 2             the documents with transient activation
///     get 1 in 2 signal 7            => consume 1, present 1
///     remove 2                       => dismiss 1, reject 1 AbortError
struct PageDrawing: Sendable, CustomTestStringConvertible {
  let id: String
  let profile: BrowserProfile
  let lines: String

  init(_ id: String, _ lines: String) {
    self.init(id, .spec2026, lines)
  }

  init(_ id: String, _ profile: BrowserProfile, _ lines: String) {
    self.id = id
    self.profile = profile
    self.lines = lines
  }

  var testDescription: String { profile.name == "spec-2026-08" ? id : "\(id) \(profile.name)" }

  func run(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var agent = UserAgent(profile: profile)
    var now = Duration.zero
    for line in lines.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
      let sides = line.split(separator: "=>")
      try #require(sides.count == 2, "\(line)", sourceLocation: sourceLocation)
      let words = sides[0].split(separator: " ").map(String.init)
      let expected = sides[1].split(separator: ",").map { $0.split(separator: " ").map(String.init) }
        .filter { $0 != ["nothing"] }
      var drawn: [[String]] = []
      if words[0] == "wait" {
        now += .milliseconds(try #require(Int(words[1])))
      } else if let state = state(words[0], of: agent, at: now) {
        drawn = state.isEmpty ? [] : [state]
      } else {
        drawn = agent.receive(try Self.event(words), at: now).compactMap(Drawing.words)
      }
      let isDrawn = drawn.count == expected.count && zip(drawn, expected).allSatisfy { $0.starts(with: $1) }
      #expect(isDrawn, "\(id): \(line) came as \(drawn)", sourceLocation: sourceLocation)
    }
  }

  /// The documents for which a property holds.
  private func state(_ name: String, of agent: UserAgent, at now: Duration) -> [String]? {
    let all = (1..<20).map { DocumentID(rawValue: $0) }.filter { agent.window.document($0) != nil }
    let chosen: [DocumentID]
    switch name {
    case "activated": chosen = all.filter { agent.window.hasTransientActivation($0, at: now) }
    case "touched": chosen = all.filter { agent.window.document($0)?.activation.isSticky == true }
    case "focused": chosen = all.filter { agent.window.hasFocus($0) }
    case "visible": chosen = all.filter { agent.window.isVisible($0) }
    case "attended":
      chosen = all.filter { agent.window.context(of: $0, at: now)?.hasUserAttention == true }
    case "active": chosen = all.filter { agent.window.document($0)?.isFullyActive == true }
    case "front": chosen = [agent.window.frontPage].compactMap(\.self)
    case "states": return all.compactMap { agent.window.document($0)?.state.rawValue }
    default: return nil
    }
    return chosen.map { "\($0.rawValue)" }
  }

  private static func event(_ words: [String]) throws -> UserAgent.Event {
    func number(after word: String? = nil) throws -> Int {
      let index = try word.map { try #require(words.firstIndex(of: $0)) } ?? 0
      return try #require(words.indices.contains(index + 1) ? Int(words[index + 1]) : nil, "\(words)")
    }
    func document(after word: String? = nil) throws -> DocumentID { DocumentID(rawValue: try number(after: word)) }
    switch words[0] {
    case "open":
      return .page(.opensTab(TabID(rawValue: try number()), try document(after: "page"), source(words)))
    case "show": return .page(.showsTab(TabID(rawValue: try number())))
    case "close": return .page(.closesTab(TabID(rawValue: try number())))
    case "window": return .page(.window(try #require(PageWindow.WindowChange(rawValue: words[1]))))
    case "frame":
      let attributes = FrameAttributes(
        allow: words.contains("allow") ? "digital-credentials-get *" : nil,
        sandbox: words.contains("sandbox") ? SandboxTokens() : words.contains("mute") ? SandboxTokens("") : nil)
      return .page(.addsFrame(try document(), source(words), attributes, in: try document(after: "in")))
    case "remove": return .page(.removesFrame(try document()))
    case "navigate":
      return .page(
        .navigates(try document(), to: try document(after: "to"), source(words), isKept: words.contains("kept")))
    case "back": return .page(.travels(TabID(rawValue: try number()), by: -1, fresh: try document(after: "fresh")))
    case "forward": return .page(.travels(TabID(rawValue: try number()), by: 1, fresh: try document(after: "fresh")))
    case "focus": return .page(.focuses(try document()))
    case "tap": return .page(.interacts(try document()))
    case "consume": return .page(.consumesActivation(try document()))
    case "stop": return .page(.stops(try document()))
    case "get", "create", "issue":
      let operation = try #require(CredentialOperation(rawValue: words[0]))
      let options =
        operation == .issue
        ? "{\"requests\":[{\"protocol\":\"openid4vci-v1\",\"data\":{}}]}" : Fixtures.options("$mdoc")
      return .called(
        CallID(rawValue: try number()), operation,
        CredentialRequestOptions.reading(Fixtures.json(options), for: operation), by: try document(after: "in"),
        signal: words.contains("signal") ? SignalID(rawValue: try number(after: "signal")) : nil)
    case "abort":
      return .aborts(
        SignalID(rawValue: try number()),
        words.count > 2 ? AbortReason(name: words[2], message: "the page's own") : .unspecified)
    case "answer":
      return .mediator(
        .platformAnswered(CallID(rawValue: try number()), protocol: "org-iso-mdoc", response: Array("{}".utf8)))
    case "fail": return .mediator(.platformFailed(CallID(rawValue: try number()), .cancelledByUser))
    default: throw Drawing.UnknownWord(word: words[0])
    }
  }

  private static func source(_ words: [String]) -> DocumentSource {
    let kind: DocumentSource.Kind =
      if words.contains("srcdoc") { .srcdoc } else if words.contains("blob") { .blob } else if words.contains("data") {
        .data
      } else { .url(words.contains("other") ? Fixtures.frame : Fixtures.page) }
    return DocumentSource(kind, contentSecuritySandbox: words.contains("csp") ? SandboxTokens() : nil)
  }
}
