import Messaging

extension Message {
  /// The meaning of the message, for people.
  public var phrase: String { phraseInPerson ?? kind.phrase(isAnswer: answers != nil) }

  /// The meaning of a kind that websites and terminals share, for a terminal; nil for other messages.
  private var phraseInPerson: String? {
    switch (kind, sender.role, recipient.role) {
    case (.certify, .terminal, _): "Please certify this terminal"
    case (.certificate, _, .terminal): "Certificate for the terminal"
    case (.showCode, .mdoc, _): "A QR code to show to a terminal"
    case (.scan, _, .terminal): "The terminal\u{2019}s camera reads the QR code"
    case (.announce, .mdoc, _): "A terminal asks for an ID"
    case (.dismiss, .mdoc, _): "The mdoc takes the request back"
    case (.response, _, _) where recipient.role == .mdoc || mediaType == MediaType.sealed:
      "The answer, sealed for the terminal"
    case (.attribute, _, _): attributePhrase
    case (.command, _, _) where mediaType == MediaType.sealedAPDU: "A command of the transfer by NFC"
    case (.commandResponse, _, _) where mediaType == MediaType.sealedAPDU && bytes.count > Self.statusBytes:
      "The response, with a part of a sealed message"
    default: nil
    }
  }

  /// The bytes of a response's status, which a response without data has alone.
  private static let statusBytes = 2

  private var attributePhrase: String {
    bytes.count > Readership.longestSign
      ? "A part of a sealed message, over Bluetooth" : "A sign in the clear, over Bluetooth"
  }
}
