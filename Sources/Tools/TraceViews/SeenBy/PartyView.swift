import Inspection
import Messaging

/// A message as one or several parties see it.
package struct PartyView: Sendable {
  /// The way in which the parties see the message.
  package enum Way: String, Sendable {
    /// In full.
    case reads
    /// As sealed bytes. Without parties, anyone on the way sees it so.
    case carries
    /// As its content, which they have sealed.
    case seals
    /// As the content of sealed bytes, with a key that only they have.
    case opens
    /// Not at all: they have the key, and did not open it.
    case unopened
    /// As the part of it that they have at that time.
    case partly
  }

  /// The content that the parties see.
  package enum Content: Sendable {
    /// The bytes of the message.
    case bytes
    /// Another content: that of sealed bytes, or of another message.
    case other(Message)
    /// None.
    case nothing
  }

  /// The parties in the form of the journal.
  package let parties: [String]
  /// The way in which they see the message.
  package let way: Way
  /// The content that they see.
  package let content: Content
  /// The number of the message with the content; nil for the message itself.
  package var message: Int?
  /// The number of the message that releases the rest to them; nil without one.
  package var release: Int?
  /// The disclosed and the withheld elements of each document.
  package var disclosures: [DisclosedDocument] = []

  init(_ parties: [String], _ way: Way, _ content: Content) {
    (self.parties, self.way, self.content) = (parties, way, content)
  }

  /// The view of a party that sees another message.
  init(_ party: Party, _ way: Way, _ other: Message, release: Int? = nil) {
    self.init([party.description], way, .other(other))
    (message, self.release) = (other.number, release)
  }
}
