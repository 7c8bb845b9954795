import CBOR

/// One of `alternativeDataElements`: what may be returned instead of a requested element (ISO/IEC 18013-5 second
/// edition draft, 10.2.4).
public struct AlternativeElements: Sendable, Equatable {
  /// An element by its name space and identifier.
  public struct Name: Sendable, Equatable {
    /// `NameSpace`.
    public let nameSpace: String
    /// `DataElementIdentifier`.
    public let identifier: String

    /// A name from its parts.
    public init(_ nameSpace: String, _ identifier: String) {
      self.nameSpace = nameSpace
      self.identifier = identifier
    }

    fileprivate init(reading item: CBORItem) throws(CBORError) {
      let parts = try item.array(count: 2)
      nameSpace = try ResponseLimits.name(parts.at(0))
      identifier = try ResponseLimits.name(parts.at(1))
    }

    fileprivate func write(to writer: inout CBORWriter) {
      writer.array(2)
      writer.text(nameSpace)
      writer.text(identifier)
    }
  }

  /// `requestedElement`.
  public let requested: Name
  /// `alternativeElementSets`, the most wanted first: each of them whole stands for the requested element.
  public let sets: [[Name]]

  /// Alternatives from their parts.
  public init(to requested: Name, sets: [[Name]]) {
    self.requested = requested
    self.sets = sets
  }

  /// Most alternatives of a request: one for each element that a name space may have.
  static let maximumCount = RequestLimit.elements.maximum
  /// Most sets of an alternative, and most elements of a set: each is a way to answer that is tried for every document.
  static let maximumSets = 16

  init(reading item: CBORItem) throws(CBORError) {
    let map = try item.map()
    requested = try Name(reading: map.required("requestedElement"))
    let array = try map.required("alternativeElementSets").array()
    try ResponseLimits.some(array.count, "sets of alternatives", at: array.offset)
    try ResponseLimits.count(array.count, atMost: Self.maximumSets, "sets of alternatives", at: array.offset)
    var sets: [[Name]] = []
    for set in array {
      let names = try set.array()
      try ResponseLimits.some(names.count, "elements of a set", at: names.offset)
      try ResponseLimits.count(names.count, atMost: Self.maximumSets, "elements of a set", at: names.offset)
      var elements: [Name] = []
      for name in names { elements.append(try Name(reading: name)) }
      sets.append(elements)
    }
    self.sets = sets
  }

  /// Reads `alternativeDataElements`.
  static func read(_ item: CBORItem) throws(CBORError) -> [AlternativeElements] {
    let array = try item.array()
    try ResponseLimits.some(array.count, "alternatives", at: array.offset)
    try ResponseLimits.count(array.count, atMost: maximumCount, "alternatives", at: array.offset)
    var alternatives: [AlternativeElements] = []
    for item in array { alternatives.append(try AlternativeElements(reading: item)) }
    return alternatives
  }

  func write(to writer: inout CBORWriter) {
    writer.map(2)
    writer.text("requestedElement")
    requested.write(to: &writer)
    writer.text("alternativeElementSets")
    writer.array(sets.count)
    for set in sets {
      writer.array(set.count)
      for name in set { name.write(to: &writer) }
    }
  }
}
