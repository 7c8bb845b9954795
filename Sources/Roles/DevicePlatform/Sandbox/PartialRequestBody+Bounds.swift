import FoundationEssentials
import IdentityDocumentServices
import MobileDocument
import Primitives
import WebPresentment

/// The limits of a partial request from a sandbox. A compromised sandbox can send any bytes.
extension PartialRequestBody {
  /// The most findings for each signature: more than a signature has deviations.
  private static let maximumFindingsOfSignature = 8

  /// Indicates whether the parser can produce the body: it is within every limit of a request, and its certificates and key
  /// identifiers are readable. The counts are checked first, so that reading the rest costs no more than for a real body.
  var isReadable: Bool { isWithinBounds && request != nil }

  private var isWithinBounds: Bool {
    let sets = useCases.flatMap(\.sets)
    guard !useCases.isEmpty, useCases.count <= RequestLimit.useCases.maximum,
      useCases.allSatisfy({ (1...RequestLimit.documentSets.maximum).contains($0.sets.count) }),
      sets.allSatisfy({ !$0.isEmpty }),
      sets.reduce(0, { $0 + $1.count }) <= RequestLimit.documentSetMembers.maximum,
      chains.count <= RequestLimit.readerSignatures.maximum,
      findings.count <= RequestLimit.readerSignatures.maximum * Self.maximumFindingsOfSignature
    else { return false }
    return sets.joined().allSatisfy(\.isWithinBounds) && chains.allSatisfy(Self.isChainWithinBounds)
  }

  private static func isChainWithinBounds(_ chain: [String]) -> Bool {
    (1...RequestLimit.chainLength.maximum).contains(chain.count)
      && chain.allSatisfy { Base64URL.decode($0).map { $0.count <= RequestLimit.certificate.maximum } ?? false }
  }

  /// An upper bound of the encoded length in bytes, known before anything is written.
  static func length(of request: ISO18013MobileDocumentRequest) -> Int {
    // Quotation marks, separators and the names of members around each part.
    let overhead = 64
    func length(_ text: String) -> Int {
      // A control character takes six bytes, and what is escaped with a backslash two.
      text.utf8.reduce(overhead) { $0 + ($1 < 0x20 ? 6 : $1 == 0x22 || $1 == 0x5c || $1 == 0x7f ? 6 : 1) }
    }
    var total = overhead
    for set in request.presentmentRequests.flatMap(\.documentRequestSets) {
      for document in set.requests {
        total += length(document.documentType)
        total += document.issuerKeyIdentifiers.reduce(0) { $0 + $1.count * 4 / 3 + overhead }
        for (nameSpace, elements) in document.namespaces {
          total += elements.keys.reduce(length(nameSpace)) { $0 + length($1) }
        }
      }
    }
    return total
  }
}

extension PartialRequestBody.Document {
  fileprivate var isWithinBounds: Bool {
    func isName(_ text: String) -> Bool { text.utf8.count <= RequestLimit.name.maximum }
    return isName(documentType) && (1...RequestLimit.nameSpaces.maximum).contains(nameSpaces.count)
      && nameSpaces.allSatisfy { nameSpace, elements in
        isName(nameSpace) && (1...RequestLimit.elements.maximum).contains(elements.count)
          && elements.keys.allSatisfy(isName)
      }
      && issuers.count <= RequestLimit.issuers.maximum
      && issuers.allSatisfy { Base64URL.decode($0).map { $0.count <= RequestLimit.issuer.maximum } ?? false }
  }
}
