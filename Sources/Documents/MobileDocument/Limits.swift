import CBOR
import COSE
import Certificates
import Checks
import Primitives

/// The limits of a request, each with its reason. Requests are untrusted input: every byte, item, signature and element
/// costs work before the person has agreed to anything, or a line on the consent sheet afterwards.
///
/// The raw value is the stable part of a code, for example of `sandbox.limits/too-many-documents`.
public enum RequestLimit: String, Sendable, CaseIterable {
  /// Bytes of the JSON around a request: the longest device request in base64url, with room for the rest.
  case data = "too-large"
  /// Characters of the base64url text `encryptionInfo`. Real ones have fewer than 300; a larger key or nonce fits.
  case encryptionInfo = "encryption-info-too-large"
  /// Bytes of the device request. Real ones are below 10 kB; chains of large certificates fit.
  case deviceRequest = "device-request-too-large"
  /// Levels of nesting, counted separately inside each embedded item. A request has at most eight, and recursion does
  /// not exhaust the stack. The CBOR reader enforces this limit.
  case depth = "too-deep"
  /// Items of one encoding, each of which takes a row of the reader's index. The other limits allow far fewer. The CBOR
  /// reader enforces this limit.
  case items = "too-many-items"
  /// Entries of `docRequests`: no one consents to more than a handful of documents at once.
  case documents = "too-many-documents"
  /// Signatures of `readerAuthAll` and `readerAuth` together: each costs a signature verification before the person has
  /// agreed to anything.
  case readerSignatures = "too-many-reader-signatures"
  /// Certificates of a chain. Real chains have one to three, and every order of those after the leaf may be tried.
  case chainLength = "chain-too-long"
  /// Bytes of a certificate. Real ones are below 2 kB; brand data and long names fit.
  case certificate = "certificate-too-large"
  /// Name spaces of a document request: a document type has one to four.
  case nameSpaces = "too-many-name-spaces"
  /// Elements of a name space: the largest name space of a standard has fewer than fifty.
  case elements = "too-many-elements"
  /// Bytes of a document type, name space or element identifier: the longest of a standard has fewer than fifty.
  case name = "name-too-long"
  /// Issuer key identifiers of a document request: the same number as in a provider registration.
  case issuers = "too-many-issuers"
  /// Bytes of an issuer key identifier: SHA-512 is the longest digest in use, and most are SHA-1.
  case issuer = "issuer-too-long"
  /// Use cases of a request: each is a choice that the person has to understand.
  case useCases = "too-many-use-cases"
  /// Document sets of a use case: each is tried for every app.
  case documentSets = "too-many-document-sets"
  /// Members of all document sets together: each is a copy of a document request for the authorization view.
  case documentSetMembers = "too-many-document-set-members"

  /// The highest accepted number.
  public var maximum: Int { declaration.maximum }

  /// The counted unit and where it is counted.
  public var unit: String { declaration.unit }

  private var declaration: (maximum: Int, unit: String) {
    switch self {
    case .data: (Self.deviceRequest.maximum * 4 / 3 + (32 << 10), "bytes in the request")
    case .encryptionInfo: (16 << 10, "characters in the encryption information")
    case .deviceRequest: (256 << 10, "bytes in the device request")
    case .depth: (CBORLimits.standard.depth, "levels in an item")
    case .items: (CBORLimits.standard.items, "items in one encoding")
    case .documents: (16, "document requests in the device request")
    case .readerSignatures: (16, "reader signatures in the device request")
    case .chainLength: (COSEHeaders.maximumChainLength, "certificates in a chain")
    case .certificate: (CertificateLimits.bytes, "bytes in a certificate")
    case .nameSpaces: (16, "name spaces in a document request")
    case .elements: (128, "elements in a name space")
    case .name: (256, "bytes in a name")
    case .issuers: (1_000, "issuers in a document request")
    case .issuer: (64, "bytes in an issuer's key identifier")
    case .useCases: (16, "use cases in the device request")
    case .documentSets: (16, "document sets in a use case")
    case .documentSetMembers: (64, "members in all document sets")
    }
  }

  /// A human-readable description of an exceeded limit.
  public var message: String { "more than \(maximum) \(unit)" }

  /// Throws ``DeviceRequestError`` if a number is above the maximum.
  func check(_ found: Int) throws(DeviceRequestError) {
    if let excess = excess(found) { throw DeviceRequestError(excess) }
  }

  /// Returns the excess of a number that is above the maximum.
  package func excess(_ found: Int) -> Excess? { found > maximum ? Excess(self, found: found) : nil }

  /// A number in a request above its limit.
  public struct Excess: Error, Sendable, Equatable {
    /// The exceeded limit.
    public let limit: RequestLimit
    /// The number found, or nil if reading stopped at the limit.
    public let found: Int?
    /// The part of the request, for example `docRequests[0].itemsRequest`, or nil for the whole request.
    public let part: String?

    init(_ limit: RequestLimit, found: Int?, in part: String? = nil) {
      self.limit = limit
      self.found = found
      self.part = part
    }

    /// Creates the exceeded limit of a CBOR error, or returns nil if the error is not about a limit.
    package init?(_ code: CBORError.Code) {
      switch code {
      case .tooDeep: self.init(.depth, found: nil)
      case .tooManyItems: self.init(.items, found: nil)
      default: return nil
      }
    }

    /// Returns the excess with the name of a part, unless it names one already.
    func within(_ part: String) -> Excess { Excess(limit, found: found, in: self.part ?? part) }

    private var number: String { found.map(String.init) ?? "\(limit.maximum + 1) or more" }

    /// A human-readable description of the excess.
    public var message: String {
      "\(part.map { $0 + ": " } ?? "")\(number) \(limit.unit); at most \(limit.maximum) are accepted"
    }

    /// The number found and the maximum.
    public var evidence: [CheckResult.Evidence] {
      [CheckResult.Evidence(limit.unit, expected: "at most \(limit.maximum)", found: number)]
    }
  }
}

/// Limits for a response and its documents. Responses are untrusted input: every element costs a digest, and every
/// finding its evidence, before the response is authenticated.
public enum ResponseLimits {
  /// The largest number of name spaces of a document. A document type has one to four.
  public static let nameSpaces = 32
  /// The largest number of returned, digested or authorized elements of a name space. Real documents have up to 123.
  public static let elements = 512
  /// The longest document type, name space or identifier, in bytes. Those of standards have fewer than fifty.
  public static let nameLength = 256
  /// The longest digest in bytes: that of SHA-512.
  public static let digestLength = 64

  static func count(_ count: Int, atMost limit: Int, _ what: String, at offset: Int) throws(CBORError) {
    guard count <= limit else { throw CBORError(.outOfBounds, at: offset, "\(count) \(what), more than \(limit)") }
  }

  /// Rejects an empty array or map that must have entries if the member is present (`+` in ISO/IEC 18013-5, 8.3.2).
  static func some(_ count: Int, _ what: String, at offset: Int) throws(CBORError) {
    guard count > 0 else { throw CBORError(.badValue, at: offset, "an empty list of \(what)") }
  }

  static func name(_ item: CBORItem) throws(CBORError) -> String {
    let name = try item.text()
    guard name.utf8.count <= nameLength else {
      throw CBORError(.outOfBounds, at: item.offset, "a name of \(name.utf8.count) bytes, more than \(nameLength)")
    }
    return name
  }

  /// Rejects names that are equal as text and differ in their Unicode encoding only: one element could hide another.
  static func distinct(_ names: [String], at offset: Int) throws(CBORError) {
    var seen = HandfulSet<String>()
    for name in names where !seen.insert(name) {
      throw CBORError(.badValue, at: offset, "two names differ only in their encoding")
    }
  }
}
