import CBOR

/// Limits of presentation in person.
public enum ProximityLimits {
  /// The longest text of a QR code: the capacity of the largest symbol in byte mode (ISO/IEC 18004, version 40-L).
  public static let uriCharacters = 2953
  /// The largest device engagement: what fits that symbol or, by NFC, is far more than a key and capabilities take.
  static let engagement = CBORLimits(bytes: 2953, depth: 12, items: 256)
  /// The most retrieval methods of an engagement. The standard has four types.
  public static let retrievalMethods = 16
  /// The largest session message. Responses of 80 kB are seen in the wild, and the reader of responses accepts 4 MiB.
  public static let messageBytes = 4 << 20
  /// The limits of the map around a session message, whose members are a key, ciphertext and what later editions add.
  static let message = CBORLimits(bytes: messageBytes, depth: 12, items: 256)
  /// The largest NDEF message: its length has two bytes.
  public static let ndefBytes = 0xffff
  /// The most records of an NDEF message, chunks included. Handover messages have fewer than ten.
  public static let ndefRecords = 64
  /// The most alternative carriers of a handover message.
  public static let carriers = 16
  /// The most commands of one tap: a message of 64 KiB each way in pieces of 255 bytes, polls, and the rest.
  public static let tagCommands = 1000
  /// The most commands of one message by NFC: the largest message in short commands of 255 bytes.
  public static let commands = messageBytes / 255 + 2
  /// The most ephemeral keys of earlier sessions that an end remembers.
  public static let rememberedKeys = 256
  /// The most bytes that wait to be sent over Bluetooth.
  public static let queuedBytes = 2 * messageBytes
}

/// A timer of a machine.
public enum ProximityTimer: String, Sendable, CaseIterable {
  /// The mdoc waits for the session establishment message after its engagement.
  case establishment
  /// An end waits for the next session message.
  case idle

  /// The time after which the timer fires.
  public var duration: Duration {
    switch self {
    // ISO/IEC 18013-5 second edition draft, 9.4: no less than 30 s.
    case .establishment: .seconds(30)
    // The same, 12.2.4: no less than 300 s.
    case .idle: .seconds(300)
    }
  }
}
