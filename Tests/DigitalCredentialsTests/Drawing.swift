import DigitalCredentials
import JSON
import Testing

/// A test of the mediator as a drawing: one line for each event, `event => effects`.
///
///     get 1                     => consume 1, present 1
///     get 2 no-act < {}         => reject 2 NotSupportedError
///     abort 1 MyError           => dismiss 1, reject 1 MyError
///     answer 1 org-iso-mdoc < 5 => reject 1 TypeError
///     fail 1 cancelledByUser    => nothing
///     gone frame                => nothing
///     stop page                 => nothing
///     create 3 < {}             => reject 3 NotSupportedError
///     continue 4                => present 4
///
/// `get`, `create` and `issue` call with the canonical request, or with the JSON after `<`, where markers replace values
/// outside JSON. An effect is written with its first words. The
/// checks that passed are not drawn; `PassedCheckTests` has them.
struct Drawing: Sendable, CustomTestStringConvertible {
  let id: String
  let profile: BrowserProfile
  let interstitial: Interstitial.Setting
  let lines: String

  init(_ id: String, _ lines: String) {
    self.init(id, .spec2026, lines)
  }

  init(_ id: String, _ profile: BrowserProfile, interstitial: Interstitial.Setting = .none, _ lines: String) {
    self.id = id
    self.profile = profile
    self.interstitial = interstitial
    self.lines = lines
  }

  var testDescription: String { profile.name == "spec-2026-08" ? id : "\(id) \(profile.name)" }

  func run(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var mediator = CredentialMediator(profile: profile, interstitial: interstitial)
    for line in lines.split(separator: "\n") where !line.allSatisfy(\.isWhitespace) {
      let sides = line.split(separator: "=>")
      try #require(sides.count == 2, "\(line)", sourceLocation: sourceLocation)
      let drawn = mediator.receive(try Self.event(sides[0])).compactMap(Self.words)
      let expected = sides[1].split(separator: ",").map { $0.split(separator: " ").map(String.init) }
        .filter { $0 != ["nothing"] }
      let isDrawn = drawn.count == expected.count && zip(drawn, expected).allSatisfy { $0.starts(with: $1) }
      #expect(isDrawn, "\(id): \(line) came as \(drawn)", sourceLocation: sourceLocation)
    }
  }

  static func words(_ effect: CredentialMediator.Effect) -> [String]? {
    switch effect {
    case .consumeActivation(let call): ["consume", "\(call.rawValue)"]
    case .present(let call, let context):
      ["present", "\(call.rawValue)", "\(context.requests.count)", context.origin.serialized]
    case .warnPerson(let call, let page): ["interstitial", "\(call.rawValue)", page.rawValue]
    case .dismiss(let call): ["dismiss", "\(call.rawValue)"]
    case .resolve(let call, let credential):
      ["resolve", "\(call.rawValue)", credential.map { $0.protocol.rawValue } ?? "null"]
    case .reject(let call, let exception, let delivery):
      [
        "reject", "\(call.rawValue)", exception.name.text, exception.code.name,
        delivery == .queuedTask ? "queued" : "at-once", exception.message,
      ]
    case .warn(let call, let message): ["warn", "\(call.rawValue)", message]
    case .passed: nil
    }
  }

  private static func event(_ text: Substring) throws -> CredentialMediator.Event {
    let start = text.firstIndex(of: "<") ?? text.endIndex
    let words = text[..<start].split(separator: " ").map(String.init)
    let json = start == text.endIndex ? nil : Fixtures.json(text[start...].dropFirst())
    try #require(words.count >= 2, "\(text)")
    let call = CallID(rawValue: Int(words[1]) ?? 0)
    switch words[0] {
    case "get", "create", "issue":
      let operation = try #require(CredentialOperation(rawValue: words[0]))
      let options = json ?? Fixtures.json(Fixtures.options("$mdoc"))
      // Text that is not JSON tests the reader.
      let marked = (try? JSONReader.read(options)).map { PageValue(marked: $0) }
      let reading =
        marked.map { CredentialRequestOptions.reading($0, for: operation) }
        ?? CredentialRequestOptions.reading(options, for: operation)
      return .called(call, operation, reading, try context(words.dropFirst(2)))
    case "abort":
      let reason = words.count > 2 ? AbortReason(name: words[2], message: "the page's own") : .unspecified
      return .signalAborted(call, reason)
    case "stop": return .loadingStopped(try #require(documents[words[1]]))
    case "continue": return .interstitialAnswered(call, continues: true)
    case "cancel": return .interstitialAnswered(call, continues: false)
    case "gone": return .documentInactive(try #require(documents[words[1]]))
    case "answer":
      try #require(words.count == 3)
      return .platformAnswered(call, protocol: words[2], response: json ?? [])
    case "fail": return .platformFailed(call, try #require(words.last.flatMap(PlatformFailure.init(rawValue:))))
    default: throw UnknownWord(word: words[0])
    }
  }

  private static let documents: [String: DocumentID] = ["page": .page, "frame": 1, "inner": 2]

  private static func context(_ words: ArraySlice<String>) throws -> CallingContext {
    var context = CallingContext(origin: Fixtures.page)
    for word in words {
      switch word {
      case "frame":
        context.document = 1
        context.origin = Fixtures.frame
      case "inner": context.document = 2
      case "opaque": context.origin = .opaque()
      case "opaque-top": context.topLevelOrigin = .opaque()
      case "no-act": context.hasTransientActivation = false
      case "unfocused":
        context.hasUserAttention = false
        context.hasFocus = false
      case "focus-elsewhere": context.hasFocus = false
      case "hidden":
        context.hasUserAttention = false
        context.hasFocus = false
        context.isVisible = false
      case "inactive": context.isFullyActive = false
      case "insecure": context.isSecureContext = false
      case "no-policy": context.isAllowedByPolicy = false
      case "no-chooser": context.canPresent = false
      case "aborted": context.signalAborted = .unspecified
      default: throw UnknownWord(word: word)
      }
    }
    return context
  }

  struct UnknownWord: Error { let word: String }
}
