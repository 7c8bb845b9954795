/// The data of the reference's template.
struct ReferencePage {
  struct Section {
    var id: String
    var title: String
    var groups: [Group]
  }

  // No name of an optional member is in another type: a template looks for it in the types around.
  struct Group {
    var heading: String?
    var entries: [Entry]
  }

  struct Entry {
    var id: String
    var term: String?
    var name: String
    var html: String
    var facts: [Fact]
    var isFinding: Bool
  }

  struct Fact {
    var name: String
    var html: String
  }

  var sections: [Section]

  init(_ reference: Reference) {
    sections = reference.sections.map { section in
      Section(
        id: section.title.lowercased(), title: section.title,
        groups: section.groups.filter { !$0.entries.isEmpty }.map { group in
          Group(heading: group.title, entries: group.entries.map(Entry.init))
        })
    }
  }
}

extension ReferencePage.Entry {
  fileprivate init(_ entry: Reference.Entry) {
    (id, term, name, isFinding) = (entry.name, entry.title, entry.name, entry.isFinding)
    html = InlineText(entry.text).html
    facts = entry.facts.map { fact in
      ReferencePage.Fact(name: InlineText(fact.name).html, html: InlineText(fact.text).html)
    }
  }
}
