import CBOR
import Certificates
import Primitives
import X509

/// The request that each document answers: one request for one document, as wallets answer them (ISO/IEC 18013-5,
/// 8.3.2.1).
struct RequestMatching {
  /// The request of each document, by position; nil for a document that answers none.
  private(set) var requests: [Int?]

  /// The values by which a document is matched with its request.
  struct Candidate {
    let document: UnverifiedDocument
    /// The path to its issuer, or nil.
    let path: ValidatedCertificatePath?
  }

  /// Assigns as many documents as possible to requests that they fit: of the accepted issuer, with requested elements
  /// only. A document that fits no request gets a remaining one of its type, so that a report can name the difference.
  init(_ candidates: [Candidate], _ requests: [ItemsRequest]) {
    self.requests = candidates.map { _ in nil }
    let asked = requests.map(RequestedElements.init)
    let fitting = candidates.map { candidate in
      requests.indices.filter {
        requests[$0].fits(candidate) && asked[$0].unasked(of: candidate.document.elements).isEmpty
      }
    }
    var documents: [Int?] = requests.map { _ in nil }
    // A chain of reassignments that frees a request for the document (Kuhn's algorithm).
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
          documents[$0] == nil && requests[$0].documentType.isExactly(candidate.document.documentType)
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

  /// Returns true if the request names the issuer of a path.
  func names(issuerOf path: ValidatedCertificatePath) -> Bool {
    path.certificates.compactMap(\.authorityKeyIdentifier).contains(where: issuerIdentifiers.contains)
  }

  /// Returns true if a document has the requested type and an accepted issuer.
  fileprivate func fits(_ candidate: RequestMatching.Candidate) -> Bool {
    guard documentType.isExactly(candidate.document.documentType) else { return false }
    guard !issuerIdentifiers.isEmpty else { return true }
    return candidate.path.map(names(issuerOf:)) ?? false
  }
}
