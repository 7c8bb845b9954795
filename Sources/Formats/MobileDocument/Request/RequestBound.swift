import CBOR
import COSE
import Certificates
import Checks

/// What is bounded in a request, with the reason for each number. Whoever sends a request is a stranger: each byte, item,
/// signature and element costs work before anybody has agreed to anything, or a line on the consent sheet afterwards.
///
/// The raw value is the part of a code that does not change, as in `sandbox.too-many-documents`.
public enum RequestBound: String, Sendable, CaseIterable {
  /// Bytes of the JSON around a request: the longest device request in base64url, and room for the rest.
  case data = "too-large"
  /// Characters of the base64url text `encryptionInfo`: real ones have fewer than 300, and a larger key or nonce fits.
  case encryptionInfo = "encryption-info-too-large"
  /// Bytes of the device request: real ones are below 10 kB, and chains of large certificates fit.
  case deviceRequest = "device-request-too-large"
  /// Levels of nesting, counted anew inside each embedded item: a request has at most eight, and recursion stays far
  /// from the stack's end. What the reader of all CBOR here holds to.
  case depth = "too-deep"
  /// Items of one reading, each of which takes a row of a table: the other bounds leave a request far fewer. What the
  /// reader of all CBOR here holds to.
  case items = "too-many-items"
  /// Entries of `docRequests`: nobody consents to more than a handful of documents at once.
  case documents = "too-many-documents"
  /// Signatures of `readerAuthAll` and `readerAuth` together: each costs a signature check before anybody has agreed to
  /// anything.
  case readerSignatures = "too-many-reader-signatures"
  /// Certificates of a chain: real chains have one to three, and each order of those behind the leaf may be tried.
  case chainLength = "chain-too-long"
  /// Bytes of a certificate: real ones are below 2 kB, and brand data or long chains of names fit.
  case certificate = "certificate-too-large"
  /// Name spaces of a document request: a document type has one to four.
  case nameSpaces = "too-many-name-spaces"
  /// Elements of a name space: the largest name space of a standard has fewer than fifty.
  case elements = "too-many-elements"
  /// Bytes of a document type, name space or element identifier: the longest of a standard has fewer than fifty.
  case name = "name-too-long"
  /// Issuer key identifiers of a document request: the number that provider registrations may hold.
  case issuers = "too-many-issuers"
  /// Bytes of an issuer key identifier: the longest digest of a key that is in use, SHA-512, where most are SHA-1.
  case issuer = "issuer-too-long"
  /// Use cases of a request: each is a choice that somebody has to understand.
  case useCases = "too-many-use-cases"
  /// Document sets of a use case: each is a way to answer that is tried for every app.
  case documentSets = "too-many-document-sets"
  /// Members of all document sets together: each is a copy of a document request in what a view is made from.
  case documentSetMembers = "too-many-document-set-members"

  /// The highest number that is accepted.
  public var limit: Int {
    switch self {
    case .data: Self.deviceRequest.limit * 4 / 3 + (32 << 10)
    case .encryptionInfo: 16 << 10
    case .deviceRequest: 256 << 10
    case .depth: CBORLimits.standard.depth
    case .items: CBORLimits.standard.items
    case .documents: 16
    case .readerSignatures: 16
    case .chainLength: COSEHeaders.maximumChainLength
    case .certificate: CertificateLimits.bytes
    case .nameSpaces: 16
    case .elements: 128
    case .name: 256
    case .issuers: 1_000
    case .issuer: 64
    case .useCases: 16
    case .documentSets: 16
    case .documentSetMembers: 64
    }
  }

  /// What is counted, and in what.
  public var unit: String {
    switch self {
    case .data: "bytes in the request"
    case .encryptionInfo: "characters in the encryption information"
    case .deviceRequest: "bytes in the device request"
    case .depth: "levels in an item"
    case .items: "items in one encoding"
    case .documents: "document requests in the device request"
    case .readerSignatures: "reader signatures in the device request"
    case .chainLength: "certificates in a chain"
    case .certificate: "bytes in a certificate"
    case .nameSpaces: "name spaces in a document request"
    case .elements: "elements in a name space"
    case .name: "bytes in a name"
    case .issuers: "issuers in a document request"
    case .issuer: "bytes in an issuer's key identifier"
    case .useCases: "use cases in the device request"
    case .documentSets: "document sets in a use case"
    case .documentSetMembers: "members in all document sets"
    }
  }

  /// What it means when the bound is exceeded, for a person to read.
  public var sentence: String { "more than \(limit) \(unit)" }

  /// Refuses a number above the bound.
  package func hold(_ found: Int) throws(RequestExcess) {
    guard found <= limit else { throw RequestExcess(self, found: found) }
  }
}

/// A number in a request that is above its bound.
public struct RequestExcess: Error, Sendable, Equatable {
  /// The bound that was exceeded.
  public let bound: RequestBound
  /// The number that was found; nil when the reading stopped at the bound, so that only a higher one is known.
  public let found: Int?
  /// Where in the request, such as `docRequests[0].itemsRequest`; nil for the request as a whole.
  public let part: String?

  init(_ bound: RequestBound, found: Int?, in part: String? = nil) {
    self.bound = bound
    self.found = found
    self.part = part
  }

  /// What a reading of CBOR stopped at; nil when it failed for another reason than a bound.
  package init?(_ code: CBORError.Code) {
    switch code {
    case .tooDeep: self.init(.depth, found: nil)
    case .tooManyItems: self.init(.items, found: nil)
    default: return nil
    }
  }

  /// The same in a part of the request, unless a part was named before.
  func within(_ part: String) -> RequestExcess { RequestExcess(bound, found: found, in: self.part ?? part) }

  private var number: String { found.map(String.init) ?? "\(bound.limit + 1) or more" }

  /// What is wrong, for a person to read.
  public var sentence: String {
    "\(part.map { $0 + ": " } ?? "")\(number) \(bound.unit); at most \(bound.limit) are accepted"
  }

  /// The number found and the number allowed.
  public var evidence: [CheckResult.Evidence] {
    [CheckResult.Evidence(bound.unit, expected: "at most \(bound.limit)", found: number)]
  }
}
