import Primitives

/// The name space and identifier of an element, compared byte by byte.
struct ElementName: Hashable {
  let nameSpace: ExactText
  let identifier: ExactText

  init(_ nameSpace: String, _ identifier: String) {
    self.nameSpace = ExactText(nameSpace)
    self.identifier = ExactText(identifier)
  }

  /// Compares the identifiers first: elements of one name space differ in them.
  static func == (left: ElementName, right: ElementName) -> Bool {
    left.identifier == right.identifier && left.nameSpace == right.nameSpace
  }
}

extension VerifiedDocument.Element {
  /// The name of the element.
  var name: ElementName { ElementName(nameSpace, identifier) }
}
