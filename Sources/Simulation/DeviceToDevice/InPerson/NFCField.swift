import Messaging
import Vocabulary

/// Near-field communication of a world: a device that is held to a terminal is in its field, and answers its commands.
///
/// ```
/// field --enter--> terminal, mdoc          the person holds the device to the terminal
/// terminal --command--> field --command--> mdoc
/// terminal <--response-- field <--response-- mdoc
/// field --leave--> terminal, mdoc          the person takes it away, or holds it there again
/// ```
package actor NFCField: StationedActor {
  /// A device in the field of a terminal.
  private struct Contact {
    let mdoc: Party
    let terminal: Party
  }

  package nonisolated let station: Station
  private var contacts: [Contact] = []
  /// The number of the long parts of answers that leave a device before it leaves the field; nil if it stays.
  private var partsBeforeLeaving: Int?

  package init(station: Station) {
    self.station = station
  }

  /// Holds a device to a terminal. A device that is in a field leaves it first, and so does one in this field.
  package func hold(_ device: String, to terminal: String) {
    let contact = Contact(mdoc: Party(.mdoc, device), terminal: Party(.terminal, terminal))
    leave { $0.mdoc == contact.mdoc || $0.terminal == contact.terminal }
    contacts.append(contact)
    // The device is a tag before the terminal looks for one.
    for party in [contact.mdoc, contact.terminal] { station.send(.fieldEntered, [String](), to: party) }
  }

  /// Takes a device away.
  package func takeAway(_ device: String) { leave { $0.mdoc.name == device } }

  /// Lets devices leave the field in the middle of an answer, or stay.
  package func interrupt(_ isInterrupting: Bool) { partsBeforeLeaving = isInterrupting ? 1 : nil }

  /// True if devices leave the field in the middle of an answer.
  package var isInterrupted: Bool { partsBeforeLeaving != nil }

  /// The least bytes of a part of an answer that is not the last one.
  private static let longPart = 128

  /// Returns true if a device leaves the field instead of sending a part of its answer.
  private func leavesField(_ message: Message) -> Bool {
    guard let rest = partsBeforeLeaving, message.kind == .commandResponse, message.mediaType == MediaType.sealedAPDU,
      message.bytes.count > Self.longPart
    else { return false }
    partsBeforeLeaving = rest == 0 ? 1 : rest - 1
    return rest == 0
  }

  private func leave(_ isLeaving: (Contact) -> Bool) {
    for contact in contacts where isLeaving(contact) {
      for party in [contact.mdoc, contact.terminal] { station.send(.fieldLeft, [String](), to: party) }
    }
    contacts.removeAll(where: isLeaving)
  }

  package func receive(_ message: Message) {
    let contact = contacts.first { message.sender == $0.mdoc || message.sender == $0.terminal }
    switch (message.kind, message.sender.role) {
    case (.command, .terminal), (.commandResponse, .mdoc):
      // A party notices by itself that the other one has left.
      guard let contact else { return }
      guard !leavesField(message) else { return takeAway(contact.mdoc.name) }
      let peer = message.sender == contact.mdoc ? contact.terminal : contact.mdoc
      station.send(message.kind, bytes: message.bytes, as: message.mediaType, to: peer)
    default: station.ignore(message)
    }
  }
}
