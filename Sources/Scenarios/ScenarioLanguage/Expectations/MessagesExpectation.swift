import LocatedYAML
import Messaging
import Primitives
import Telling

/// The number of messages that must have been sent so far.
public struct MessagesExpectation: Sendable, Equatable {
  /// The number.
  public var count = 0
  /// The kind of the messages; nil for any.
  public var kind: MessageKind?
  /// The role of the senders; nil for any.
  public var sender: String?
  /// The role of the recipients; nil for any.
  public var recipient: String?
  /// The device of the sender or of the recipient; nil for any.
  public var device: String?

  /// Creates an expectation of no message.
  public init() {}
}

extension Form where Value == MessagesExpectation {
  static let messages = Form.mapping(
    "messages", { MessagesExpectation() },
    [
      Key("count", required: \.count, .count, "the number of messages: `never`, `once`, or a whole number"),
      Key("kind", \.kind, .oneOf(MessageKind.self, "kind of message"), usual: "any", "the kind of the messages"),
      Key("from", \.sender, .role, usual: "any", "the role of the sender"),
      Key("to", \.recipient, .role, usual: "any", "the role of the recipient"),
      Key("on", \.device, .name(.device), usual: "any", "the device of the sender or of the recipient"),
    ])
}

extension Form where Value == String {
  fileprivate static let role = Form.words(Party.Role.allCases.map(\.rawValue), "role")
}

extension Form where Value == Int {
  /// A number of events: `never`, `once`, or a whole number.
  static var count: Form {
    // More than a world records.
    let numbers = 0...1_000_000
    let words = ["never": 0, "once": 1]
    return Form(
      type: .either([.words(["never", "once"]), .integer(numbers)]),
      read: { node, _ in
        if let text = node.scalar?.text, let number = words[text] { return number }
        if case .text? = node.scalar?.value { return words[try node.oneOf(["never", "once"], "count")] }
        return try node.integer(in: numbers)
      }, write: { $0 == 0 ? .text("never") : $0 == 1 ? .text("once") : .number($0) })
  }
}

extension MessagesExpectation: ExpectedContent {
  /// The expectation in one sentence.
  func words(_ names: WorldNames) -> String {
    let ends = [sender.map { "from \($0)" }, recipient.map { "to \($0)" }, device.map { "on \(names.device($0))" }]
    let what = [kind.map { "of the kind \($0.rawValue)" }] + ends
    let rest = what.compactMap(\.self).map { " \($0)" }.joined()
    return "\(count.counted("message"))\(rest) \(count == 1 ? "has" : "have") been sent so far"
  }
}
