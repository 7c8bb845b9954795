import CBOR
import Crypto
import Primitives

/// A departure from ISO/IEC 18013-5's rules for COSE structures that is seen in the wild and accepted with this finding.
public enum COSEDeviation: String, Sendable, CaseIterable {
  /// The message has its CBOR tag, which mdoc structures omit.
  case tagged = "cose.tagged"
  /// The certificate chain is in the protected header.
  case chainInProtectedHeader = "cose.chain-in-protected-header"
  /// A chain of one certificate is an array (RFC 9360 requires the bare byte string).
  case chainOfOneAsArray = "cose.chain-of-one-as-array"
  /// The chain is an empty array, as in some mock responses.
  case emptyChain = "cose.empty-chain"
  /// The payload is attached instead of detached.
  case attachedPayload = "cose.attached-payload"
  /// The protected header is not in the required encoding.
  case headerEncoding = "cose.header-encoding"
  /// The algorithm identifier also names the curve (RFC 9864), which ISO/IEC 18013-5 does not use.
  case fullySpecifiedAlgorithm = "cose.fully-specified-algorithm"
}

extension COSEDeviation {
  /// A human-readable description of the deviation.
  public var message: String {
    switch self {
    case .tagged: "the message has a CBOR tag"
    case .chainInProtectedHeader: "the certificate chain is in the protected header"
    case .chainOfOneAsArray: "a chain of one certificate is an array"
    case .emptyChain: "the certificate chain is empty"
    case .attachedPayload: "the payload is attached"
    case .headerEncoding: "the protected header is not in the required encoding"
    case .fullySpecifiedAlgorithm: "the algorithm identifier also names the curve"
    }
  }
}

/// Both header buckets of a message as received (RFC 9052, 3).
public struct COSEHeaders: Sendable {
  /// The content of the protected byte string, exactly as received.
  public let protectedBytes: [UInt8]
  /// The algorithm identifier in the protected header, which may be unknown; nil if absent.
  public let algorithm: Algorithm?
  /// The algorithm identifier in the unprotected header, where ISO/IEC 18013-5 does not allow it.
  public let unprotectedAlgorithm: Algorithm?
  /// The DER certificates of `x5chain`, leaf first (RFC 9360, 2); nil without that header.
  public let x5chain: [[UInt8]]?
  /// `x5t`: the thumbprint of the signer's certificate (RFC 9360, 2); nil without that header.
  public let x5t: COSECertificateThumbprint?
  /// The accepted departures from the standard.
  public let deviations: [COSEDeviation]

  /// An algorithm identifier as received: an integer or a text.
  public enum Algorithm: Sendable, Equatable {
    /// A known integer.
    case known(COSEAlgorithm)
    /// Any other identifier, in diagnostic notation.
    case unknown(String)

    init(_ item: CBORItem) {
      if let number = try? item.integer(),
        let algorithm = COSEAlgorithm(rawValue: number) ?? COSEAlgorithm(fullySpecified: number)
      {
        self = .known(algorithm)
      } else {
        self = .unknown(item.diagnostic)
      }
    }
  }

  /// The longest certificate chain that is read: real chains have one to three certificates. The path search may try every
  /// order of the certificates after the leaf, so three cost at most fifteen signature checks; seven would cost thousands.
  public static let maximumChainLength = 4

  init(protectedItem: CBORItem, unprotectedItem: CBORItem) throws(COSEError) {
    let unprotected: CBORMap
    do {
      protectedBytes = try protectedItem.bytes()
      unprotected = try unprotectedItem.map()
    } catch {
      throw COSEError(.structure, "the headers are malformed: \(error.message)")
    }
    var protected: CBORMap?
    var found: [COSEDeviation] = []
    if !protectedBytes.isEmpty {
      do {
        let item = try CBORReader.read(protectedBytes, leniency: .received)
        if !item.deviations.isEmpty { found.append(.headerEncoding) }
        protected = try item.map()
      } catch {
        throw COSEError(
          error.code == .duplicateKey ? .headerTwice : .structure,
          "the protected header is malformed: \(error.message)", encoding: error.code)
      }
    }
    if protected?[COSEHeaderLabel.critical] != nil {
      throw COSEError(.criticalHeader, "the message has a critical header that is not supported")
    }
    // Only the protected header may contain it (RFC 9052, 3.1): an attacker can remove unsigned headers.
    if unprotected[COSEHeaderLabel.critical] != nil {
      throw COSEError(.criticalHeader, "critical headers are not allowed in the unprotected header")
    }
    try Self.requireLabels(protected)
    try Self.requireLabels(unprotected)
    try Self.requireDistinct(protected, unprotected)
    let algorithmItem = protected?[COSEHeaderLabel.algorithm]
    algorithm = algorithmItem.map(Algorithm.init)
    if let number = try? algorithmItem?.integer(), COSEAlgorithm(fullySpecified: number) != nil {
      found.append(.fullySpecifiedAlgorithm)
    }
    unprotectedAlgorithm = unprotected[COSEHeaderLabel.algorithm].map(Algorithm.init)
    x5t = try (protected?[COSEHeaderLabel.x5t] ?? unprotected[COSEHeaderLabel.x5t]).map {
      (item) throws(COSEError) in try COSECertificateThumbprint(item)
    }
    let protectedChain = protected?[COSEHeaderLabel.x5chain]
    if protectedChain != nil { found.append(.chainInProtectedHeader) }
    x5chain = try (protectedChain ?? unprotected[COSEHeaderLabel.x5chain]).map { (chain) throws(COSEError) in
      try Self.chain(chain, deviations: &found)
    }
    deviations = found
  }

  /// Refuses a label that is neither an integer nor a text (RFC 9052, 1.5).
  private static func requireLabels(_ headers: CBORMap?) throws(COSEError) {
    guard let headers else { return }
    for header in headers {
      switch header.key.kind {
      case .unsigned, .negative, .text: continue
      default: throw COSEError(.structure, "the headers are malformed: a header label is neither an integer nor a text")
      }
    }
  }

  /// Refuses a label in both buckets, which makes a message malformed (RFC 9052, 3).
  private static func requireDistinct(_ protected: CBORMap?, _ unprotected: CBORMap) throws(COSEError) {
    guard let protected, !unprotected.isEmpty else { return }
    let labels = HandfulSet(unprotected.lazy.map { Label($0.key) })
    if let twice = protected.first(where: { labels.contains(Label($0.key)) }) {
      throw COSEError(.headerTwice, "header \(twice.key.diagnostic) is both protected and unprotected")
    }
  }

  /// A header label, which is an integer or a text, in any encoding.
  private enum Label: Hashable {
    case integer(CBORItem.Kind, UInt64)
    case text([UInt8])

    init(_ item: CBORItem) {
      // Without the first condition, each integer would make the text of an error.
      if item.kind == .text, let text = try? item.text() {
        self = .text(Array(text.utf8))
      } else {
        self = .integer(item.kind, item.argument)
      }
    }
  }

  private static func chain(_ item: CBORItem, deviations: inout [COSEDeviation]) throws(COSEError) -> [[UInt8]] {
    if item.kind == .array, let array = try? item.array(), array.count > maximumChainLength {
      throw COSEError(
        .chainTooLong, "the certificate chain has more than \(maximumChainLength) certificates", count: array.count)
    }
    do throws(CBORError) {
      if item.kind == .bytes { return [try item.bytes()] }
      let array = try item.array()
      if array.isEmpty { deviations.append(.emptyChain) }
      if array.count == 1 { deviations.append(.chainOfOneAsArray) }
      return try array.map { (certificate) throws(CBORError) in try certificate.bytes() }
    } catch {
      throw COSEError(.structure, "the certificate chain is malformed: \(error.message)")
    }
  }

  /// The protected header in the signed structure: an empty map becomes an empty byte string (RFC 9052, 4.4).
  var protectedForSigning: [UInt8] { protectedBytes == [0xa0] ? [] : protectedBytes }

  /// Returns the algorithm to verify with.
  func algorithm(from source: AlgorithmSource) throws(COSEError) -> COSEAlgorithm {
    let found: Algorithm?
    switch source {
    case .protectedHeader: found = algorithm
    case .eitherHeader: found = algorithm ?? unprotectedAlgorithm
    }
    switch found {
    case .known(let algorithm): return algorithm
    case .unknown(let name): throw COSEError(.algorithmUnsupported, "algorithm \(name) is not supported")
    case nil:
      let elsewhere = unprotectedAlgorithm == nil ? "" : "; the one in the unprotected header does not count"
      throw COSEError(.algorithmMissing, "the protected header names no algorithm\(elsewhere)")
    }
  }
}

/// The headers that may name the algorithm.
public enum AlgorithmSource: Sendable {
  /// The protected header, as ISO/IEC 18013-5 requires.
  case protectedHeader
  /// Either header, as COSE in general allows.
  case eitherHeader
}

/// `COSE_CertHash`: the digest that identifies the signer's certificate (RFC 9360, 2).
public struct COSECertificateThumbprint: Sendable, Equatable {
  /// The identifier of the digest algorithm in the IANA registry "COSE Algorithms"; nil if it is a text.
  public let algorithm: Int?
  /// The digest as received.
  public let digest: [UInt8]

  /// The identifier of SHA-256 (RFC 9054, 2.1).
  package static let sha256 = -16

  init(_ item: CBORItem) throws(COSEError) {
    do {
      let parts = try item.array(count: 2)
      algorithm = try? parts.at(0).integer()
      digest = try parts.at(1).bytes()
    } catch {
      throw COSEError(.structure, "the certificate thumbprint is malformed: \(error.message)")
    }
  }

  /// Returns whether the thumbprint is that of a certificate, or nil if the digest algorithm is not supported.
  /// - Parameter certificate: The certificate's DER as received.
  public func isOf(_ certificate: [UInt8]) -> Bool? {
    switch algorithm {
    case Self.sha256: digest == SHA256.hash(data: certificate).bytes
    case -15: digest[...] == SHA256.hash(data: certificate).bytes.prefix(8)
    case -43: digest == SHA384.hash(data: certificate).bytes
    case -44: digest == SHA512.hash(data: certificate).bytes
    default: nil
    }
  }
}

/// The algorithm identifiers of the IANA registry "COSE Algorithms" that ISO/IEC 18013-5 uses.
public enum COSEAlgorithm: Int, Sendable {
  /// ECDSA with SHA-256.
  case es256 = -7
  /// ECDSA with SHA-384.
  case es384 = -35
  /// ECDSA with SHA-512.
  case es512 = -36
  /// EdDSA.
  case edDSA = -8
  /// HMAC with SHA-256, tag of 256 bits.
  case hmac256 = 5
}

/// The labels of the supported COSE headers (RFC 9052, 3.1 and RFC 9360, 2).
package enum COSEHeaderLabel {
  package static let algorithm = 1
  static let critical = 2
  package static let x5chain = 33
  package static let x5t = 34
}

extension COSEAlgorithm {
  /// ESP256: ES256 on P-256 (RFC 9864, 2.1).
  package static let fullySpecifiedES256 = -9

  /// Creates the algorithm of an identifier that also names its curve (RFC 9864); nil for every other identifier.
  init?(fullySpecified identifier: Int) {
    switch identifier {
    case Self.fullySpecifiedES256: self = .es256
    case -51: self = .es384
    case -52: self = .es512
    case -19: self = .edDSA
    default: return nil
    }
  }
}
