import Messaging
import SimulationKernel
import Vocabulary

/// Near-field communication of a world: a device that is held to a terminal is in its field, and answers its commands.
///
/// ```
/// field --enter--> terminal, mdoc          the person holds the device to the terminal
/// terminal --command--> field --command--> mdoc
/// terminal <--response-- field <--response-- mdoc
/// field --leave--> terminal, mdoc          the person takes it away, or holds it there again
/// ```
package actor NFCField {
  nonisolated let executor: ActorExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// A device in the field of a terminal.
  private struct Contact {
    let mdoc: Party
    let terminal: Party
  }

  private let station: Station
  private var contacts: [Contact] = []

  package init(station: Station) {
    executor = station.scheduler.makeExecutor()
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
      let peer = message.sender == contact.mdoc ? contact.terminal : contact.mdoc
      station.send(message.kind, bytes: message.bytes, as: message.mediaType, to: peer)
    default: station.ignore(message)
    }
  }
}
