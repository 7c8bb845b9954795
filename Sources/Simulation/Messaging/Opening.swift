/// The content of a sealed message, as the party has it that opened the message. The party hands out the content only:
/// its key stays with it.
public struct Opening: Sendable, Equatable {
  /// The number of the message.
  public let message: Int
  /// The party that opened it.
  public let party: Party
  /// The media type of the content.
  public let mediaType: String
  /// The content.
  public let bytes: [UInt8]

  /// Creates an opening.
  public init(message: Int, party: Party, mediaType: String, bytes: [UInt8]) {
    self.message = message
    self.party = party
    self.mediaType = mediaType
    self.bytes = bytes
  }
}

extension Message {
  /// The message with the content of an opening in place of its bytes.
  package func opened(_ opening: Opening) -> Message {
    Message(
      number: number, sender: sender, recipient: recipient, kind: kind, mediaType: opening.mediaType,
      bytes: opening.bytes, answers: answers)
  }
}
