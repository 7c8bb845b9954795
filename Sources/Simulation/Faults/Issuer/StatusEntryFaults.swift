import Authorities
import CBOR
import Primitives
import StatusLists
import Synchronization

/// The effect of a fault in the references to status lists that an issuing authority writes into its documents.
package struct StatusEntryChange: Sendable {
  /// Changes a reference.
  fileprivate let reference: @Sendable (CBORValue) throws -> CBORValue
  /// Changes the list to the one that such an issuer means.
  fileprivate var list: @Sendable (inout StatusListIssuance) -> Void = { _ in }

  /// Changes every reference in a document that is otherwise issued correctly.
  func apply(to parts: inout DocumentParts) throws {
    try parts.change("status") { status in
      .map(try status.entries.map { CBORValue.Entry($0.key, try reference($0.value)) })
    }
  }

  /// The list that such an issuer means.
  func changed(_ list: StatusListIssuance) -> StatusListIssuance {
    var changed = list
    self.list(&changed)
    return changed
  }
}

extension Fault {
  /// Faults of references to status lists.
  static let ofStatusEntries: [Fault] = [
    statusEntry(
      "text-identifiers", "The identifiers of documents are text",
      .deviates(.securityObjectStructure, .statusTextIdentifier),
      StatusEntryChange {
        try $0.changing([.member(.text("id"))]) { .text(hexadecimal(try $0.content)) }
      } list: { list in
        // A text has its UTF-8 bytes here.
        guard case .identifierList(let identifiers) = list.token.claims.content else { return }
        list.token.claims.content = .identifierList(Set(identifiers.map { Array(hexadecimal($0).utf8) }))
      }),
    statusEntry(
      "without-tls", "The addresses of the lists are without TLS", .deviates(StatusCheck.location),
      StatusEntryChange {
        try $0.changing([.member(.text("uri"))]) { .text("http\(try $0.text.dropFirst("https".count))") }
      }),
    statusEntry(
      "without-uri", "The addresses of the lists are missing", .fails(StatusCheck.structure),
      StatusEntryChange { try $0.removing(.text("uri")) }),
  ]

  private static func statusEntry(
    _ name: String, _ title: String, _ findings: FaultFindings, _ change: StatusEntryChange
  ) -> Fault {
    Fault(
      .issuer, "status-entry.\(name)", title, findings, at: "document", parameters: [publisher], .statusEntry(change))
  }
}

/// The faults of references that act, by issuer: documents and lists are issued with the same one.
final class StatusEntryFaults: Sendable {
  private let acting = Mutex<[String: Acting<StatusEntryChange>]>([:])

  /// A Boolean value that indicates whether a fault acts on any issuer.
  var areActing: Bool { acting.withLock { !$0.isEmpty } }

  /// The fault that acts on an issuer.
  subscript(issuer: String) -> Acting<StatusEntryChange>? { acting.withLock { $0[issuer] } }

  /// Begins a fault of an issuer's documents, or ends the one that acts.
  func set(_ fault: Acting<StatusEntryChange>?, for issuer: String) { acting.withLock { $0[issuer] = fault } }
}
