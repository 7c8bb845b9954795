import LocatedYAML
import Primitives
import Telling

/// The number of events that must have happened so far.
public struct TallyExpectation: Sendable, Equatable {
  /// The kinds of events.
  public enum Subject: String, Sendable, CaseIterable {
    /// The system asks whether an app may provide documents.
    case prompts
    /// An app asks for consent.
    case asked
    /// An app gets the raw request.
    case released
    /// An app answers the request.
    case answered
    /// A verifier server verifies a response.
    case verified
  }

  /// The kind of the events.
  public var subject: Subject
  /// The number.
  public var count = 0
  /// The app; nil for any.
  public var app: String?
  /// The website; nil for any.
  public var website: String?
  /// The device; nil for any.
  public var device: String?

  /// Creates an expectation of no event.
  public init(_ subject: Subject) { self.subject = subject }
}

extension Form where Value == TallyExpectation {
  /// A number of events, or a mapping with the number and the events to count.
  static func tally(_ subject: TallyExpectation.Subject) -> Form {
    let count = Key(
      "count", required: \TallyExpectation.count, .count, "the number: `never`, `once`, or a whole number")
    let of =
      subject == .verified
      ? [Key("name", \TallyExpectation.website, .name(.website), usual: "any", "the website")]
      : [
        Key("app", \TallyExpectation.app, .name(.app), usual: "any", "the app"),
        Key("on", \TallyExpectation.device, .name(.device), usual: "any", "the device"),
      ]
    let mapping = Form.mapping(
      subject == .verified ? "verified" : "released", { TallyExpectation(subject) }, [count] + of)
    return Form(
      type: .either([Form<Int>.count.type, mapping.type]),
      read: { node, context in
        guard node.scalar != nil else { return try mapping.read(node, context) }
        return try Form<Int>.count.read(node, context).map { number in
          var expected = TallyExpectation(subject)
          expected.count = number
          return expected
        }
      },
      write: { expected in
        var rest = expected
        rest.count = 0
        return rest == TallyExpectation(subject) ? Form<Int>.count.write(expected.count) : mapping.write(expected)
      })
  }
}

extension TallyExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_ names: WorldNames) -> String {
    let event =
      switch subject {
      case .prompts: "the system has asked whether an app may provide documents"
      case .asked: "\(app ?? "an app") has asked for consent"
      case .released: "\(app ?? "an app") has got the raw request"
      case .answered: "\(app ?? "an app") has answered"
      case .verified: "\(website.map(names.website) ?? "a website") has verified a response"
      }
    return count == 0 ? "not yet: \(event)" : "\(event), \(count.counted("time")) so far"
  }
}
