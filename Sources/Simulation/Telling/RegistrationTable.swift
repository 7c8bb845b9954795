import Foundation
import IdentityDocumentServices
import JSON
import Messaging
import MobileDocument
import Primitives
import Vocabulary

/// The registrations that an operating system holds at a moment, and whether it offered each for the last request: a
/// function of the journal.
public struct RegistrationTable: Sendable, Equatable {
  /// A registration.
  public struct Row: Sendable, Equatable {
    /// The result of the last selection for a registration.
    public enum Choice: Sendable, Equatable {
      /// No request came since.
      case notAsked
      case offered
      /// The reason, with its code.
      case hidden(reason: String, code: String)
    }

    /// The app.
    public let app: String
    /// The app's identifier of the document.
    public let document: String
    /// `DocType`.
    public let documentType: String
    /// Key identifiers of the issuer in hexadecimal; empty for any issuer.
    public let issuerKeys: [String]
    /// The reader authorities that the app demands, by their names if the last request shows them, otherwise by key identifiers
    /// in hexadecimal; empty if it answers unsigned requests.
    public let readers: [String]
    /// The date from which the document is not offered; nil for none.
    public let end: String?
    /// The result of the last selection.
    public fileprivate(set) var choice = Choice.notAsked

    /// The registration as named values, in the order in which every view shows them.
    public var facts: [(name: String, value: String)] {
      [
        ("document", "\(document), \(documentType)"),
        ("issuer keys", issuerKeys.isEmpty ? "any" : issuerKeys.joined(separator: ", ")),
        ("readers", readers.isEmpty ? "any, also unsigned requests" : readers.joined(separator: ", ")),
        ("until", end ?? "no end"), ("last request", choice.words),
      ]
    }
  }

  /// The registrations, in the order in which they were added.
  public private(set) var rows: [Row] = []

  /// Reads the registrations of a device from the beginning of a journal.
  /// - Parameter system: The operating system of the device.
  public init(of entries: some Sequence<JournalEntry>, on system: Party) {
    var added: [[String]: MobileDocumentRegistration] = [:]
    var held: [(app: String, registration: MobileDocumentRegistration)] = []
    var choices: [[String]: Row.Choice] = [:]
    var hidden: [String: Row.Choice] = [:]
    var authorities: [String: String] = [:]
    for entry in entries {
      switch entry.event {
      case .message(let message)
      where message.recipient == system && message.kind == .addRegistration && message.sender.role == .app:
        guard let registration = message.body(MobileDocumentRegistration.self) else { continue }
        added[[Self.app(message.sender), registration.documentIdentifier]] = registration
      case .note(let note) where entry.party == system:
        let facts = Dictionary(note.facts.map { ($0.name, $0.value) }) { first, _ in first }
        let (app, identifier) = (facts["app"] ?? "", facts["registration"] ?? "")
        switch note.code {
        case .osRegistrationAdded, .osRegistrationReplaced:
          guard let registration = added[[app, identifier]] else { continue }
          held.removeAll { $0.app == app && $0.registration.documentIdentifier == identifier }
          held.append((app, registration))
        case .osRegistrationRemoved:
          held.removeAll { $0.app == app && $0.registration.documentIdentifier == identifier }
        case .osAppRemoved: held.removeAll { note.message.hasPrefix("\($0.app) is removed") }
        default: continue
        }
      case .selection(let event) where entry.party == system:
        switch event {
        case .asked(let request):
          (choices, hidden) = ([:], [:])
          for authority in request.signers.flatMap(\.authorities) {
            if let key = authority.keyIdentifier { authorities[key] = authority.name }
          }
        case .offered(let app, let registrations):
          for registration in registrations { choices[[app, registration.identifier]] = .offered }
          hidden[app] = .hidden(reason: "it does not match the request", code: "")
        case .hidden(let app, let finding, _): hidden[app] = .hidden(reason: finding.message, code: finding.name)
        }
      default: continue
      }
    }
    rows = held.map { app, registration in
      var row = Row(app, registration, authorities)
      row.choice = choices[[app, row.document]] ?? hidden[app] ?? .notAsked
      return row
    }
  }

  private static func app(_ party: Party) -> String {
    party.name.split(separator: "/", maxSplits: 1).last.map(String.init) ?? party.name
  }
}

extension RegistrationTable.Row {
  fileprivate init(_ app: String, _ registration: MobileDocumentRegistration, _ names: [String: String]) {
    self.app = app
    document = registration.documentIdentifier
    documentType = registration.mobileDocumentType
    issuerKeys = registration.supportedIssuerKeyIdentifiers.map { hexadecimal($0) }
    readers = registration.supportedAuthorityKeyIdentifiers.map { key in
      let text = hexadecimal(key)
      return names[text].map { "\($0) (\(text))" } ?? text
    }
    end = registration.invalidationDate.map { DateTime($0).description }
  }
}

extension RegistrationTable.Row.Choice {
  /// The result in words.
  public var words: String {
    switch self {
    case .notAsked: "none yet"
    case .offered: "offered"
    case .hidden(let reason, let code): "not offered: \(reason)" + (code.isEmpty ? "" : " [\(code)]")
    }
  }
}

extension RegistrationTable: JSONWritable {
  package func write(to json: inout JSONWriter) { json.object { $0.member("rows", rows) } }
}

extension RegistrationTable.Row: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("app", app)
    json.member("facts", facts.map { Note.Fact($0.name, $0.value) })
    json.member("isOffered", choice == .offered)
  }
}
