import CBOR
import X509

/// Which request each document answers: one request for one document, as wallets answer them (ISO/IEC 18013-5, 8.3.2.1).
struct RequestMatching {
  /// The request of each document, by position; nil for one that answers none.
  private(set) var requests: [Int?]

  /// What a document must be known by to find its request.
  struct Candidate {
    let document: UnverifiedDocument
    /// The path to its issuer, when there is one.
    let path: ValidatedCertificatePath?
  }

  /// Finds as many documents a request that they fit as can be: the right issuer, nothing but what was asked for. A
  /// document that fits none gets one of its type that is left, so that a report can say what does not fit.
  init(_ candidates: [Candidate], _ requests: [ItemsRequest]) {
    self.requests = candidates.map { _ in nil }
    let fitting = candidates.map { candidate in requests.indices.filter { requests[$0].fits(candidate) } }
    var documents: [Int?] = requests.map { _ in nil }
    // A chain of documents that each make room for the one before (Kuhn's algorithm).
    func place(_ document: Int, tried: inout Set<Int>) -> Bool {
      for request in fitting[document] where tried.insert(request).inserted {
        if documents[request].map({ place($0, tried: &tried) }) ?? true {
          documents[request] = document
          return true
        }
      }
      return false
    }
    for document in candidates.indices {
      var tried: Set<Int> = []
      _ = place(document, tried: &tried)
    }
    for (request, document) in documents.enumerated() {
      if let document { self.requests[document] = request }
    }
    for (position, candidate) in candidates.enumerated() where self.requests[position] == nil {
      guard
        let left = requests.indices.first(where: {
          documents[$0] == nil && requests[$0].documentType == candidate.document.documentType
        })
      else { continue }
      documents[left] = position
      self.requests[position] = left
    }
  }
}

extension ItemsRequest {
  /// Every element that is asked for, as name space and identifier.
  var elementNames: [(String, String)] {
    nameSpaces.flatMap { space in space.elements.map { (space.name, $0.identifier) } }
  }

  /// Whether the request names the issuer that a path leads to.
  func names(issuerOf path: ValidatedCertificatePath) -> Bool {
    path.certificates.compactMap(\.authorityKeyIdentifier).contains(where: issuerIdentifiers.contains)
  }

  fileprivate func fits(_ candidate: RequestMatching.Candidate) -> Bool {
    guard documentType == candidate.document.documentType else { return false }
    if !issuerIdentifiers.isEmpty {
      guard let path = candidate.path, names(issuerOf: path) else { return false }
    }
    let requested = elementNames
    return candidate.document.elements.allSatisfy { element in requested.contains { element.isAsked(by: $0) } }
  }
}

extension VerifiedDocument.Element {
  /// Whether the element was asked for: itself, or an age where an age was asked for.
  func isAsked(by request: (String, String)) -> Bool {
    guard nameSpace == request.0 else { return false }
    return identifier == request.1 || AgeOver.age(in: identifier) != nil && AgeOver.age(in: request.1) != nil
  }

  /// Whether the element answers a request: the same one, or an attestation of another age that says something about the
  /// one that was asked for (ISO/IEC 18013-5, 7.2.5).
  func answers(_ request: (String, String)) -> Bool {
    guard nameSpace == request.0 else { return false }
    if identifier == request.1 { return true }
    guard let held = AgeOver.age(in: identifier), let asked = AgeOver.age(in: request.1),
      case .boolean(let value) = value
    else { return false }
    return AgeOver.conclusion(about: asked, from: (held, value)) != nil
  }
}
