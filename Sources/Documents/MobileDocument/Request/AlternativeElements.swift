import CBOR

/// An entry of `alternativeDataElements`: elements that may be returned instead of a requested one (ISO/IEC 18013-5
/// second edition draft, 10.2.4).
public struct AlternativeElements: Sendable, Equatable {
  /// The name space and identifier of an element.
  public struct Name: Sendable, Equatable {
    /// `NameSpace`.
    public let nameSpace: String
    /// `DataElementIdentifier`.
    public let identifier: String

    /// Creates a name.
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
  /// `alternativeElementSets`, the preferred first. Every element of one set replaces the requested element.
  public let sets: [[Name]]

  /// Creates alternatives.
  public init(to requested: Name, sets: [[Name]]) {
    self.requested = requested
    self.sets = sets
  }

  /// The largest number of alternatives of a request: one for each element of a name space.
  static let maximumCount = RequestLimit.elements.maximum
  /// The largest number of sets of an alternative, and of elements of a set: each set is tried for every document.
  static let maximumSets = 16

  init(reading item: CBORItem) throws(CBORError) {
    let map = try item.map()
    requested = try Name(reading: map.required("requestedElement"))
    let array = try map.required("alternativeElementSets").array()
    try ResponseLimits.some(array.count, "sets of alternatives", at: array.offset)
    try ResponseLimits.count(array.count, atMost: Self.maximumSets, "sets of alternatives", at: array.offset)
    sets = try array.map { (set) throws(CBORError) in
      let names = try set.array()
      try ResponseLimits.some(names.count, "elements of a set", at: names.offset)
      try ResponseLimits.count(names.count, atMost: Self.maximumSets, "elements of a set", at: names.offset)
      return try names.map(Name.init(reading:))
    }
  }

  /// Reads `alternativeDataElements`.
  static func read(_ item: CBORItem) throws(CBORError) -> [AlternativeElements] {
    let array = try item.array()
    try ResponseLimits.some(array.count, "alternatives", at: array.offset)
    try ResponseLimits.count(array.count, atMost: maximumCount, "alternatives", at: array.offset)
    return try array.map(AlternativeElements.init(reading:))
  }

  func write(to writer: inout CBORWriter) {
    writer.map(2)
    writer.member("requestedElement") { requested.write(to: &$0) }
    writer.member("alternativeElementSets", each: sets) { writer, set in
      writer.array(set.count)
      for name in set { name.write(to: &writer) }
    }
  }
}
