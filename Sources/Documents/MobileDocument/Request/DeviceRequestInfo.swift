import CBOR

/// `DeviceRequestInfo`: the combinations of documents that satisfy a request (ISO/IEC 18013-5 second edition draft,
/// 10.2.5).
public struct DeviceRequestInfo: Sendable, Equatable {
  /// `UseCase`: any one of its document sets satisfies it.
  public struct UseCase: Sendable, Equatable {
    /// A Boolean value that indicates whether the response must satisfy this use case.
    public let isMandatory: Bool
    /// Sets of indexes of document requests, from 0.
    public let documentSets: [[Int]]

    /// Creates a use case.
    public init(isMandatory: Bool, documentSets: [[Int]]) {
      self.isMandatory = isMandatory
      self.documentSets = documentSets
    }
  }

  /// `useCases`, or empty if the member is missing.
  public let useCases: [UseCase]

  /// Creates information with use cases.
  public init(useCases: [UseCase]) { self.useCases = useCases }

  /// Returns one mandatory use case for all documents. Every 1.1 request carries at least this one, because some
  /// wallets require use cases.
  public static func all(documents count: Int) -> DeviceRequestInfo {
    DeviceRequestInfo(useCases: [UseCase(isMandatory: true, documentSets: [Array(0..<count)])])
  }

  /// Reads received information.
  /// - Parameters:
  ///   - item: The received map.
  ///   - documentCount: The number of document requests, which limits the indexes.
  /// - Throws: ``DeviceRequestError``.
  public init(_ item: CBORItem, documentCount: Int) throws(DeviceRequestError) {
    self = try DeviceRequestError.reading("deviceRequestInfo") { try Self(reading: item, documentCount: documentCount) }
  }

  init(reading item: CBORItem, documentCount: Int) throws {
    var useCases: [UseCase] = []
    if let array = try item.map()["useCases"]?.array() {
      try RequestLimit.useCases.check(array.count)
      guard !array.isEmpty else { throw CBORError(.badValue, at: array.offset, "useCases is empty") }
      var members = 0
      for element in array {
        let map = try element.map()
        let isMandatory = try map.required("mandatory").boolean()
        let sets = try map.required("documentSets").array()
        try RequestLimit.documentSets.check(sets.count)
        guard !sets.isEmpty else { throw CBORError(.badValue, at: sets.offset, "documentSets of a use case is empty") }
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
    guard !members.isEmpty else { throw CBORError(.badValue, at: members.offset, "a document set is empty") }
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

  /// The encoded information, without its tag 24.
  public var encoded: [UInt8] {
    CBORWriter.encode { writer in
      writer.map(1)
      writer.member("useCases", each: useCases) { writer, useCase in
        writer.map(2)
        writer.member("mandatory") { $0.boolean(useCase.isMandatory) }
        writer.member("documentSets", each: useCase.documentSets) { writer, set in
          writer.array(set.count)
          for index in set { writer.integer(index) }
        }
      }
    }
  }
}
