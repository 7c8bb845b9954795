import MobileDocument
import OpenID4VP

/// The elements that a request asks for with the intent to retain them. The person sees which they are before they agree,
/// and the verifier keeps nothing else of a response (ISO/IEC 18013-5, 8.3.2.1.2.1).
public struct RetentionPromise: Sendable {
  private typealias Name = ComparedElementName

  private let retained: Set<Name>

  /// Creates the promise of a request. An element that one part of the request retains and another only shows is not
  /// retained.
  public init(_ requests: [ItemsRequest]) {
    var retained: Set<Name> = []
    var shown: Set<Name> = []
    for request in requests {
      for space in request.nameSpaces {
        for element in space.elements {
          let name = Name(documentType: request.documentType, nameSpace: space.name, identifier: element.identifier)
          if element.intentToRetain { retained.insert(name) } else { shown.insert(name) }
        }
      }
    }
    self.retained = retained.subtracting(shown)
  }

  /// Returns whether an element may be kept. An element that answers in place of a requested one, as the nearest age does,
  /// may not.
  public func covers(documentType: String, nameSpace: String, identifier: String) -> Bool {
    retained.contains(Name(documentType: documentType, nameSpace: nameSpace, identifier: identifier))
  }
}
