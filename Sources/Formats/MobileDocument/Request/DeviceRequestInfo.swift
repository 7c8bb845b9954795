import CBOR

/// `DeviceRequestInfo`: which combinations of documents satisfy a request (ISO/IEC 18013-5 second edition draft,
/// 10.2.5).
public struct DeviceRequestInfo: Sendable, Equatable {
  /// `UseCase`: any one of its document sets satisfies it.
  public struct UseCase: Sendable, Equatable {
    /// Whether the request cannot be met without this use case.
    public let isMandatory: Bool
    /// Sets of indexes into the document requests, from 0.
    public let documentSets: [[Int]]

    /// A use case from its parts.
    public init(isMandatory: Bool, documentSets: [[Int]]) {
      self.isMandatory = isMandatory
      self.documentSets = documentSets
    }
  }

  /// `useCases`; empty when the request names none.
  public let useCases: [UseCase]

  /// Information from its use cases.
  public init(useCases: [UseCase]) { self.useCases = useCases }

  /// One mandatory use case that asks for all documents: what every 1.1 request carries at least, because some
  /// holders assume that use cases are there.
  public static func all(documents count: Int) -> DeviceRequestInfo {
    DeviceRequestInfo(useCases: [UseCase(isMandatory: true, documentSets: [Array(0..<count)])])
  }

  /// Reads information that was received.
  /// - Parameter documentCount: how many document requests there are to point at.
  /// - Throws: ``DeviceRequestError``.
  public init(_ item: CBORItem, documentCount: Int) throws(DeviceRequestError) {
    self = try DeviceRequestError.reading("deviceRequestInfo") {
      try Self(reading: item, documentCount: documentCount)
    }
  }

  init(reading item: CBORItem, documentCount: Int) throws {
    var useCases: [UseCase] = []
    if let array = try item.map()["useCases"]?.array() {
      try RequestLimit.useCases.check(array.count)
      guard !array.isEmpty else { throw CBORError(.badValue, at: array.offset, "there is no use case") }
      var members = 0
      for element in array {
        let map = try element.map()
        let isMandatory = try map.required("mandatory").boolean()
        let sets = try map.required("documentSets").array()
        try RequestLimit.documentSets.check(sets.count)
        guard !sets.isEmpty else { throw CBORError(.badValue, at: sets.offset, "a use case has no document set") }
        var documentSets: [[Int]] = []
        for set in sets {
          let set = try set.array()
          members += set.count
          try RequestLimit.documentSetMembers.check(members)
          documentSets.append(try Self.documentSet(set, documentCount: documentCount))
        }
        useCases.append(UseCase(isMandatory: isMandatory, documentSets: documentSets))
      }
    }
    self.useCases = useCases
  }

  private static func documentSet(_ members: CBORArray, documentCount: Int) throws(CBORError) -> [Int] {
    guard !members.isEmpty else { throw CBORError(.badValue, at: members.offset, "a document set has no member") }
    var indexes: [Int] = []
    for member in members {
      let index = try member.integer()
      guard (0..<documentCount).contains(index) else {
        throw CBORError(
          .badValue, at: member.offset, "document set names document request \(index) of \(documentCount)")
      }
      guard !indexes.contains(index) else {
        throw CBORError(.badValue, at: member.offset, "document set names document request \(index) twice")
      }
      indexes.append(index)
    }
    return indexes
  }

  /// The information as encoded CBOR, to go into tag 24.
  public var encoded: [UInt8] {
    CBORWriter.encode { writer in
      writer.map(1)
      writer.text("useCases")
      writer.array(useCases.count)
      for useCase in useCases {
        writer.map(2)
        writer.text("mandatory")
        writer.boolean(useCase.isMandatory)
        writer.text("documentSets")
        writer.array(useCase.documentSets.count)
        for set in useCase.documentSets {
          writer.array(set.count)
          for index in set { writer.integer(index) }
        }
      }
    }
  }
}
