import Authorities
import CBOR
import Ecosystem
import Primitives
import StatusLists
import Synchronization

/// A fault in the references to status lists that an issuing authority writes into its documents.
public enum StatusEntryFault: String, Sendable, CaseIterable {
  case textIdentifiers = "text-identifiers"
  case withoutTLS = "without-tls"
  case withoutURI = "without-uri"

  /// The title and what the verifier finds.
  public var declaration: FaultDeclaration {
    switch self {
    case .textIdentifiers:
      FaultDeclaration("The identifiers of documents are text", .deviates("mso.structure/status-text-identifier"))
    case .withoutTLS:
      FaultDeclaration("The addresses of the lists are without TLS", .deviates("status.list.location"))
    case .withoutURI: FaultDeclaration("The addresses of the lists are missing", .fails("status.structure"))
    }
  }

  /// Changes every reference in a document that is otherwise issued correctly.
  func change(_ parts: inout DocumentParts) throws {
    try parts.change("status") { status in
      var references = try status.entries
      for position in references.indices {
        references[position] = CBORValue.Entry(references[position].key, try changed(references[position].value))
      }
      return .map(references)
    }
  }

  private func changed(_ reference: CBORValue) throws -> CBORValue {
    switch self {
    case .textIdentifiers:
      try reference.changing([.member(.text("id"))]) { .text(hexadecimal(try $0.content)) }
    case .withoutTLS:
      try reference.changing([.member(.text("uri"))]) { .text("http\(try $0.text.dropFirst("https".count))") }
    case .withoutURI: try reference.removing(.text("uri"))
    }
  }

  /// The list that such an issuer means: text stands for its UTF-8 bytes.
  func changed(_ list: StatusListIssuance) -> StatusListIssuance {
    guard self == .textIdentifiers, case .identifierList(let identifiers) = list.token.claims.content else {
      return list
    }
    var list = list
    list.token.claims.content = .identifierList(Set(identifiers.map { Array(hexadecimal($0).utf8) }))
    return list
  }
}

/// The faults of references that act, by issuer: documents and lists are issued with the same one.
final class StatusEntryFaults: Sendable {
  private let acting = Mutex<[String: StatusEntryFault]>([:])

  /// A Boolean value that indicates whether a fault acts on any issuer.
  var areActing: Bool { acting.withLock { !$0.isEmpty } }

  /// The fault that acts on an issuer.
  subscript(issuer: String) -> StatusEntryFault? { acting.withLock { $0[issuer] } }

  /// Begins a fault of an issuer's documents, or ends the one that acts.
  func set(_ fault: StatusEntryFault?, for issuer: String) { acting.withLock { $0[issuer] = fault } }
}
