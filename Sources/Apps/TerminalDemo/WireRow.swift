import Ecosystem
import SimulationKernel

/// A line of the wire: a message as it passed, with who can read it, or what somebody concluded that is worth a line.
struct WireRow: Sendable, Equatable {
  enum Kind: Sendable {
    case message, sealed, step, failed, noted
  }

  /// Number of the message; nil for a conclusion.
  let message: Int?
  let kind: Kind
  let text: String
  /// Who can read it.
  let readers: String

  /// The rows for lines of a journal: every message, and of the conclusions those that are not of every day. A step that
  /// nothing came of, such as a wait, has none.
  static func rows(_ entries: ArraySlice<Journal.Entry>) -> [WireRow] {
    entries.compactMap(WireRow.init).reduce(into: []) { rows, row in
      if row.kind == .step, rows.last?.kind == .step { rows.removeLast() }
      rows.append(row)
    }
  }

  private init?(_ entry: Journal.Entry) {
    switch entry.event {
    case .message(let sent):
      let readership = Readership(of: sent)
      message = sent.number
      kind = readership.sealedFor == nil ? .message : .sealed
      text = "\(Self.short(sent.sender)) → \(Self.short(sent.recipient))  \(sent.subject)"
      readers =
        readership.sealedFor == nil
        ? "read by \(Self.short(sent.sender)) and \(Self.short(sent.recipient))" : "sealed, for the server only"
    case .decision(let made):
      message = nil
      switch made.kind {
      case .step: (kind, text) = (.step, made.message)
      case .fault: (kind, text) = (.failed, made.message)
      case .check where made.outcome == "failed", .exception:
        (kind, text) = (.failed, "\(Self.short(made.party)): \(made.message) [\(made.code)]")
      case .verdict: (kind, text) = (.noted, "\(Self.short(made.party)): \(made.outcome)")
      case .selector where ["offered", "hidden"].contains(made.outcome):
        let app = made.details.first { $0.name == "app" }?.value ?? ""
        (kind, text) = (.noted, made.outcome == "offered" ? "\(app) is offered" : "\(app) is hidden: \(made.code)")
      default: return nil
      }
      readers = ""
    }
  }

  /// A party in a word or two.
  static func short(_ party: Party) -> String {
    switch party.role {
    case .person: "person"
    case .page: "page"
    case .server: "server"
    case .browser: "browser"
    case .operatingSystem: "system"
    case .sandbox: "sandbox"
    case .app: party.name.split(separator: "/").last.map(String.init) ?? party.name
    case .issuer, .readerAuthority: party.name
    }
  }
}
