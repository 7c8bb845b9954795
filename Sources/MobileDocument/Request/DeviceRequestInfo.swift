import CBOR

/// `DeviceRequestInfo`: which combinations of documents satisfy a request (ISO/IEC 18013-5 second edition draft, 10.2.5).
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
  /// - Throws: ``CBORError``.
  public init(_ item: CBORItem, documentCount: Int) throws(CBORError) {
    let map = try item.map()
    var useCases: [UseCase] = []
    if let array = try map["useCases"]?.array() {
      guard (1...RequestLimits.useCases).contains(array.count) else {
        throw CBORError(.badValue, at: array.offset, "a request has 1 to \(RequestLimits.useCases) use cases")
      }
      for element in array { useCases.append(try Self.useCase(element, documentCount: documentCount)) }
      let members = useCases.reduce(0) { $0 + $1.documentSets.reduce(0) { $0 + $1.count } }
      guard members <= RequestLimits.documentSetMembers else {
        throw CBORError(
          .badValue, at: array.offset,
          "the document sets have \(members) members, more than \(RequestLimits.documentSetMembers)")
      }
    }
    self.useCases = useCases
  }

  private static func useCase(_ item: CBORItem, documentCount: Int) throws(CBORError) -> UseCase {
    let map = try item.map()
    let isMandatory = try map.required("mandatory").boolean()
    let sets = try map.required("documentSets").array()
    guard (1...RequestLimits.useCases).contains(sets.count) else {
      throw CBORError(.badValue, at: sets.offset, "a use case has 1 to \(RequestLimits.useCases) document sets")
    }
    var documentSets: [[Int]] = []
    for set in sets {
      let members = try set.array()
      guard (1...RequestLimits.documents).contains(members.count) else {
        throw CBORError(.badValue, at: members.offset, "a document set has 1 to \(RequestLimits.documents) members")
      }
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
      documentSets.append(indexes)
    }
    return UseCase(isMandatory: isMandatory, documentSets: documentSets)
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
