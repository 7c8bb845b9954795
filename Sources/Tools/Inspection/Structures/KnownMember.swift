import CBOR

/// A known member of a map, and the way in which it is written.
struct KnownMember {
  typealias Body = (inout Outline, Node) -> Void

  let name: String
  /// The kind of value that is written in this way; others are written as unknown members are. Nil for any.
  let kind: CBORItem.Kind?
  let write: Body

  init(_ name: String, of kind: CBORItem.Kind? = nil, _ write: @escaping Body) {
    (self.name, self.kind, self.write) = (name, kind, write)
  }

  /// A member in diagnostic notation.
  static func plain(_ name: String) -> Self { Self(name) { $0.field(name, $1) } }

  /// A date and time.
  static func date(_ name: String) -> Self { Self(name) { $0.date(name, $1) } }

  /// A byte string with a meaning.
  static func opaque(_ name: String, _ meaning: String) -> Self { Self(name) { $0.opaque(name, $1, meaning) } }

  /// A document type.
  static var documentType: Self { Self("docType") { $0.documentType($1) } }

  /// A key.
  static func key(_ name: String) -> Self {
    Self(name) { outline, key in outline.under("\(name): \(Artifact.key.rawValue)", at: key.offset) { $0.key(key) } }
  }

  /// A signed message.
  static func signature(_ name: String, by signatory: Signatory) -> Self {
    Self(name) { $0.signature(name, $1, by: signatory) }
  }

  /// A structure.
  static func structure(_ name: String, _ body: @escaping Body) -> Self {
    Self(name) { outline, node in outline.under(name, at: node.offset) { body(&$0, node) } }
  }

  /// A structure in tag 24.
  static func embedded(_ name: String, _ body: @escaping Body) -> Self { Self(name) { $0.embedded(name, $1, body) } }

  /// An array of structures, each with its number.
  static func list(_ name: String, of kind: CBORItem.Kind? = nil, _ body: @escaping Body) -> Self {
    Self(name, of: kind) { outline, list in
      outline.under("\(name): \(list.elements.count)", at: list.offset) { inside in
        for (position, element) in list.elements.enumerated() {
          inside.under("\(name)[\(position)]", at: element.offset) { body(&$0, element) }
        }
      }
    }
  }

  /// A map of name spaces.
  static func nameSpaces(_ body: @escaping (inout Outline, Node.Entry) -> Void) -> Self {
    Self("nameSpaces") { outline, spaces in
      outline.under("nameSpaces: \(spaces.entries.count)", at: spaces.offset) { inside in
        for space in spaces.entries { body(&inside, space) }
      }
    }
  }
}

extension Outline {
  /// Writes the known members of a map, each in its own way, and then all others.
  mutating func members(of node: Node, _ known: KnownMember...) {
    let found = known.compactMap { member in
      node.member(member.name).flatMap { member.kind == nil || member.kind == $0.kind ? (member, $0) : nil }
    }
    for (member, value) in found { member.write(&self, value) }
    otherMembers(of: node, except: Set(found.map { $0.0.name }))
  }

  /// Writes the entries of a map: those with a known key by `body`, and the others in diagnostic notation.
  mutating func entries<Key>(
    of node: Node, known: (Node.Entry) -> Key?, _ body: (inout Outline, Key, Node.Entry) -> Void
  ) {
    for entry in node.entries {
      if let key = known(entry) { body(&self, key, entry) } else { self.entry(entry) }
    }
  }

  /// Writes the entries of a map: those whose integer key has a name by `body`, and the others in diagnostic notation.
  mutating func entries(of node: Node, named names: [Int: String], _ body: (inout Outline, Int, String, Node) -> Void) {
    entries(of: node, known: { entry in entry.key.integer.flatMap { key in names[key].map { (key, $0) } } }) {
      body(&$0, $1.0, $1.1, $2.value)
    }
  }

  /// Writes a name space with the number of its elements, and them by `body`; in diagnostic notation if it has no name or is
  /// of another kind.
  mutating func nameSpace(_ space: Node.Entry, of kind: CBORItem.Kind, _ body: (inout Outline, String) -> Void) {
    guard let name = space.key.text, space.value.kind == kind else { return entry(space) }
    let count = kind == .map ? space.value.entries.count : space.value.elements.count
    under("\(Printed.quoted(name, full: isFull)): \(count.counted("element"))", at: space.key.offset) {
      body(&$0, name)
    }
  }
}
