import JSON
import Primitives

/// What servers and wallets outside worlds answered, in the HTTP Archive format (HAR 1.2). What is needed to repeat a world
/// is in members whose names begin with `_`, as the format allows; so are the messages to wallets, which are no HTTP.
public struct Recording: Sendable {
  /// The calls of servers, those of a case in their order.
  package var calls: [Call]
  /// The messages to wallets, those of a case in their order.
  package var messages: [WalletExchange]

  /// Creates a recording.
  package init(calls: [Call] = [], messages: [WalletExchange] = []) {
    self.calls = calls
    self.messages = messages
  }

  /// Returns a recording with the answers of both.
  public func adding(_ other: Recording) -> Recording {
    Recording(calls: calls + other.calls, messages: messages + other.messages)
  }

  /// True without a call and without a message.
  public var isEmpty: Bool { calls.isEmpty && messages.isEmpty }

  /// The longest recording in bytes: some thousand calls with the portraits of documents.
  public static let maximumLength = 64 << 20
  private static let limits = JSONLimits(bytes: maximumLength, depth: JSONReader.maximumDepth, values: 4 << 20)
}

/// An error of a recording, with the member at fault.
public typealias RecordingError = CodedFailure<RecordingErrorCode>

/// The kinds of errors of recordings.
public enum RecordingErrorCode: String, Sendable, CaseIterable {
  /// The text is not JSON, or a member is missing or of another type.
  case malformed = "recording.malformed"
}

extension Recording {
  /// The recording as JSON.
  /// - Parameter version: The version of presentment.
  public func json(version: String) -> [UInt8] {
    let log = JSONValue(
      members: [
        ("version", .string("1.2")),
        ("creator", JSONValue(members: [("name", .string("presentment")), ("version", .string(version))])),
        ("entries", .array(calls.map(\.json))),
      ] + (messages.isEmpty ? [] : [("_wallets", .array(messages.map(\.json)))]))
    return JSONValue(members: [("log", log)]).bytes + [10]
  }

  /// Reads a recording that ``json(version:)`` wrote.
  public init(json bytes: [UInt8]) throws(RecordingError) {
    guard bytes.count <= Self.maximumLength else {
      throw RecordingError(
        .malformed, "the recording's \(bytes.count) bytes exceed the limit of \(Self.maximumLength)")
    }
    guard let root = (try? JSONReader.item(bytes, limits: Self.limits)).map({ JSONValue($0) }) else {
      throw RecordingError(.malformed, "the recording is not JSON")
    }
    guard let log = root.member("log"), case .array(let values)? = log.member("entries") else {
      throw RecordingError(.malformed, "the recording has no member log.entries")
    }
    calls = try Self.entries(values, "log.entries", "a call", Call.init)
    messages = []
    guard let wallets = log.member("_wallets") else { return }
    guard case .array(let values) = wallets else {
      throw RecordingError(.malformed, "log._wallets is not a list of messages")
    }
    messages = try Self.entries(values, "log._wallets", "a message", WalletExchange.init)
  }

  private static func entries<Entry>(
    _ values: [JSONValue], _ place: String, _ kind: String, _ read: (JSONValue) -> Entry?
  ) throws(RecordingError) -> [Entry] {
    try values.enumerated().map { (number, value) throws(RecordingError) in
      guard let entry = read(value) else {
        throw RecordingError(.malformed, "\(place)[\(number)] is not \(kind) that presentment recorded")
      }
      return entry
    }
  }
}
