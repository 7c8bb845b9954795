extension String {
  /// Whether another text has the same characters in the same encoding. To `==` an Angstrom sign and an A with a ring are
  /// the same text; document types, name spaces and identifiers are compared exactly.
  package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// A text that equals no other encoding of the same characters, for sets and dictionaries.
package struct ExactText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    // No text holds this byte, so that texts one after another keep apart.
    hasher.combine(0xff as UInt8)
  }
}
