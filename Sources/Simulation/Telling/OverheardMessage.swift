import Messaging
import Proximity

/// A message of a session in person, as a listener between both ends has it.
public struct OverheardMessage: Sendable, Equatable {
  /// True for a message of the terminal, false for one of the phone.
  public let isOfTerminal: Bool
  /// The message in a few words.
  public let title: String
  /// The part that a listener reads, in words; nil if the whole message is sealed.
  public let clear: String?
  /// The number of sealed bytes; nil without a seal.
  public let sealed: Int?
  /// The number of all bytes.
  public let size: Int
  /// The number of the message in the world that completes it.
  public let message: Int
  /// True for the commands and responses of a tap.
  let isTap: Bool

  /// The message in a sentence.
  public var words: String {
    let parts = [
      sealed.map { "\(OverheardMessage.size($0)) sealed" }, clear.map { "in the clear: \($0)" },
    ].compactMap(\.self)
    return "\(sender), \(title): \(parts.joined(separator: "; "))"
  }

  /// The end that sends it.
  public var sender: String { isOfTerminal ? "Terminal" : "Phone" }

  private init(
    _ title: String, of message: Message, byTerminal isOfTerminal: Bool, clear: String?, sealed: Int? = nil,
    size: Int? = nil, isTap: Bool = false
  ) {
    (self.isOfTerminal, self.title, self.clear, self.sealed) = (isOfTerminal, title, clear, sealed)
    (self.size, self.message, self.isTap) = (size ?? message.bytes.count, message.number, isTap)
  }

  /// The code on a phone's screen.
  static func code(_ message: Message) -> OverheardMessage {
    OverheardMessage(
      "the code", of: message, byTerminal: false, clear: "the phone\u{2019}s key, and the service to connect to")
  }

  /// The advert of the service that the engagement names.
  static func advert(_ message: Message, byTerminal isOfTerminal: Bool) -> OverheardMessage {
    OverheardMessage("an advert", of: message, byTerminal: isOfTerminal, clear: "a random service of this session")
  }

  /// The first command or response of a tap.
  static func tap(_ message: Message) -> OverheardMessage {
    OverheardMessage(
      "the tag", of: message, byTerminal: false, clear: "the phone\u{2019}s key, and the ways that both ends offer",
      isTap: true)
  }

  /// A tap with one more command or response.
  func adding(_ message: Message) -> OverheardMessage {
    OverheardMessage(
      title, of: message, byTerminal: isOfTerminal, clear: clear, size: size + message.bytes.count, isTap: true)
  }

  /// A value of a characteristic beside the parts of messages.
  static func value(_ attribute: BluetoothAttribute, in message: Message, byTerminal isOfTerminal: Bool)
    -> OverheardMessage?
  {
    switch attribute.characteristic {
    case .ident:
      OverheardMessage(
        "Ident", of: message, byTerminal: isOfTerminal, clear: "that both ends know the same key of the phone",
        size: attribute.value.count)
    case .state:
      attribute.value.first.flatMap(BluetoothState.init(rawValue:)).map { state in
        OverheardMessage(
          "State", of: message, byTerminal: isOfTerminal, clear: state == .start ? "start" : "end",
          size: attribute.value.count)
      }
    case .clientToServer, .serverToClient, .channel: nil
    }
  }

  /// A whole session message.
  /// - Parameter isFirst: True if no request was sent before.
  static func session(
    _ bytes: [UInt8], in message: Message, byTerminal isOfTerminal: Bool, isFirst: Bool
  ) -> OverheardMessage {
    if isOfTerminal, isFirst, let first = try? SessionEstablishment(bytes) {
      return OverheardMessage(
        "the request", of: message, byTerminal: true, clear: "the terminal\u{2019}s key", sealed: first.data.count,
        size: bytes.count)
    }
    guard let data = try? SessionData(bytes) else {
      return OverheardMessage(
        "a message", of: message, byTerminal: isOfTerminal, clear: "bytes that are no session message",
        size: bytes.count)
    }
    return OverheardMessage(
      data.data == nil ? "the status" : isOfTerminal ? "another request" : "the answer", of: message,
      byTerminal: isOfTerminal, clear: data.status.map { "status \($0)" }, sealed: data.data?.count,
      size: bytes.count)
  }

  /// A number of bytes for people.
  private static func size(_ bytes: Int) -> String {
    guard bytes >= 1_000 else { return "\(bytes) B" }
    return "\(bytes / 1_000).\(bytes % 1_000 / 100) KB"
  }
}

/// Joins the parts of session messages.
struct SessionJoiner {
  /// The parts over Bluetooth, of the terminal and of the phone.
  private var parts = [true: MessageParts(), false: MessageParts()]
  /// The data objects by NFC.
  private var objects: [Bool: [UInt8]] = [:]

  /// Takes a part. Returns the message that it completes, or what it says by itself; nil for other parts.
  mutating func take(_ message: Message, byTerminal isOfTerminal: Bool, isFirst: Bool) -> OverheardMessage? {
    let whole: [UInt8]?
    if message.mediaType == MediaType.attribute {
      let attribute = BluetoothMode.allCases.lazy.compactMap { BluetoothAttribute(message.bytes, in: $0) }.first
      guard let attribute else { return nil }
      if let value = OverheardMessage.value(attribute, in: message, byTerminal: isOfTerminal) { return value }
      whole = try? parts[isOfTerminal]?.append(attribute.value)
    } else {
      whole = objectCompleted(by: message, byTerminal: isOfTerminal)
    }
    return whole.map { .session($0, in: message, byTerminal: isOfTerminal, isFirst: isFirst) }
  }

  private mutating func objectCompleted(by message: Message, byTerminal isOfTerminal: Bool) -> [UInt8]? {
    let data: [UInt8]
    let isLast: Bool
    if isOfTerminal {
      guard let command = try? CommandAPDU(message.bytes), command.instruction == CommandAPDU.Instruction.envelope
      else { return nil }
      (data, isLast) = (command.data, command.class & CommandAPDU.chained == 0)
    } else {
      guard let response = try? ResponseAPDU(message.bytes), !response.data.isEmpty else { return nil }
      (data, isLast) = (response.data, response.status & 0xff00 != ResponseAPDU.Status.moreData)
    }
    objects[isOfTerminal, default: []] += data
    guard isLast, let object = objects.removeValue(forKey: isOfTerminal) else { return nil }
    return try? DataObject.decode(object)
  }
}
