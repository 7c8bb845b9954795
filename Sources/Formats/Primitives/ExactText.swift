extension String {
  /// Returns whether another text has the same encoding. `==` treats an Angstrom sign and an A with a ring as equal;
  /// document types, name spaces and identifiers are compared byte by byte.
  package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// A text that is compared byte by byte, for sets and dictionaries.
package struct ExactText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isExactly(right.text) }

  package func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    // This byte never occurs in UTF-8, so it separates texts that are hashed one after another.
    hasher.combine(0xff as UInt8)
  }
}
