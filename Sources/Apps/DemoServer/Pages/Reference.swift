import Checks
import Faults
import JSON
import Messaging
import ScenarioLanguage
import Telling

/// The meaning of every name that the stage shows: parties, checks with their findings, events and faults. It is made
/// from the declarations that the pages in `docs` are generated from.
struct Reference: Sendable {
  /// A fact about an entry.
  struct Fact: Sendable {
    var name: String
    /// Markdown.
    var text: String
  }

  struct Entry: Sendable {
    /// The name, and the place on the page.
    var name: String
    /// The title of a party; nil for names that are codes.
    var title: String?
    /// The meaning, in Markdown.
    var text: String
    var facts: [Fact]
    /// True for a finding, which belongs to the check before it.
    var isFinding = false
  }

  struct Section: Sendable {
    var title: String
    /// The groups of entries; a section with one group has no title for it.
    var groups: [Group]
  }

  struct Group: Sendable {
    var title: String?
    var entries: [Entry]
  }

  /// The sections of the page.
  let sections: [Section]
  private let byName: [String: Entry]

  static let shared = Reference()

  private init() {
    sections = [
      Section(title: "Parties", groups: [Group(title: nil, entries: PartyDefinition.all.map(Entry.init))]),
      Section(title: "Checks", groups: CheckTable.all.map(Group.init)),
      Section(title: "Events", groups: [Group(title: nil, entries: JournalEvent.definitions.map(Entry.init))]),
      Section(title: "Faults", groups: Fault.Party.allCases.map(Group.init)),
    ]
    let entries = sections.flatMap(\.groups).flatMap(\.entries)
    byName = Dictionary(entries.map { ($0.name, $0) }) { first, _ in first }
  }

  /// Returns the entry of a name: a code, or `party-` and a role.
  func entry(_ name: String) -> Entry? { byName[name] }
}

extension Reference.Entry {
  init(_ party: PartyDefinition) {
    name = "party-\(party.role.rawValue)"
    title = party.term.prefix(1).uppercased() + party.term.dropFirst()
    text = party.meaning
    facts = party.views.flatMap { view in
      let prefix = party.views.count > 1 ? "\(view.title.prefix(1).uppercased())\(view.title.dropFirst()): " : ""
      var facts = [Reference.Fact(name: "Can read", text: prefix + view.readable)]
      if !view.unreadable.isEmpty { facts.append(Reference.Fact(name: "Cannot read", text: prefix + view.unreadable)) }
      return facts
    }
    facts.append(Reference.Fact(name: "Holds", text: party.holdings))
  }

  init(_ check: CheckDefinition) {
    name = check.id
    text = check.title
    facts = check.clause.isEmpty ? [] : [Reference.Fact(name: "Clause", text: check.clause)]
    if let plain = check.reason(nil) {
      facts.append(Reference.Fact(name: "Otherwise", text: "\(plain.message); \(plain.severity.meaning)"))
    }
  }

  /// A finding with a name of its own.
  init(_ reason: CheckDefinition.Reason, _ name: String, of check: CheckDefinition) {
    self.name = name
    text = reason.message
    facts = [
      Reference.Fact(name: "Check", text: check.title),
      Reference.Fact(name: "Effect", text: reason.severity.meaning),
    ]
    if let source = reason.source { facts.append(Reference.Fact(name: "Seen in", text: source)) }
    isFinding = true
  }

  init(_ event: EventDefinition) {
    name = event.code
    text = event.meaning
    let recorders = event.roles.compactMap(PartyDefinition.definition).map { "the \($0.views.first?.title ?? $0.term)" }
    facts = recorders.isEmpty ? [] : [Reference.Fact(name: "Recorded by", text: recorders.joined(separator: ", "))]
  }

  init(_ fault: Fault) {
    name = fault.id
    text = fault.title
    let checks =
      fault.findings.failed.map { "`\($0)` fails" }
      + fault.findings.deviating.map { "`\($0)` is accepted with a deviation" }
    facts = [
      Reference.Fact(name: "Acts on", text: fault.place),
      Reference.Fact(
        name: "Noticed by",
        text: fault.findings.party + (checks.isEmpty ? "" : ": " + checks.joined(separator: ", "))),
    ]
    facts += fault.parameters.map { Reference.Fact(name: "Parameter `\($0.name)`", text: $0.title) }
  }
}

extension Reference.Group {
  init(_ table: CheckTable) {
    title = table.name.prefix(1).uppercased() + table.name.dropFirst().replacing("-", with: " ")
    entries = table.definitions.flatMap { check in
      [Reference.Entry(check)]
        + zip(check.findings, check.reasons).compactMap { name, reason in
          reason.id == nil ? nil : Reference.Entry(reason, name, of: check)
        }
    }
  }

  init(_ party: Fault.Party) {
    title = party.title
    entries = FaultCatalogue.all.filter { $0.party == party }.map(Reference.Entry.init)
  }
}

extension CheckDefinition.Severity {
  /// The effect of a finding, in words.
  fileprivate var meaning: String {
    switch self {
    case .failure: "refused"
    case .tolerance: "refused, and accepted with a deviation under `lenient`"
    case .deviation: "accepted with a deviation, and refused under `strict`"
    case .notice: "accepted with a deviation under every policy"
    }
  }
}

/// The entry as the stage shows it. Links are left out, code keeps its backticks.
extension Reference.Entry: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("facts", facts)
    json.member("name", name)
    json.member("text", InlineText(text).withoutLinks)
    json.member("title", title)
  }
}

extension Reference.Fact: JSONObjectWritable {
  func writeMembers(to json: inout JSONWriter) {
    json.member("name", name)
    json.member("text", InlineText(text).withoutLinks)
  }
}
