import CBOR

/// A departure from what ISO/IEC 18013-5 asks of a COSE structure, seen in the wild and let pass with this finding.
public enum COSEDeviation: String, Sendable, CaseIterable {
  /// The message stands in its CBOR tag, which mdoc structures leave out.
  case tagged = "cose.tagged"
  /// The certificate chain stands in the protected header.
  case chainInProtectedHeader = "cose.chain-in-protected-header"
  /// A chain of one certificate came as an array (RFC 9360 wants the bare byte string).
  case chainOfOneAsArray = "cose.chain-of-one-as-array"
  /// The chain is an empty array, as a developer's mock answer has it.
  case emptyChain = "cose.empty-chain"
  /// The payload is attached where it should be detached.
  case attachedPayload = "cose.attached-payload"
  /// The protected header is not in the required encoding.
  case headerEncoding = "cose.header-encoding"
  /// The algorithm is given by an identifier that names its curve too (RFC 9864), which ISO/IEC 18013-5 does not use.
  case fullySpecifiedAlgorithm = "cose.fully-specified-algorithm"
}

extension COSEDeviation {
  /// What departs, for a person to read.
  public var sentence: String {
    switch self {
    case .tagged: "the message stands in its tag"
    case .chainInProtectedHeader: "the certificate chain stands in the protected header"
    case .chainOfOneAsArray: "a chain of one certificate came as an array"
    case .emptyChain: "the certificate chain is empty"
    case .attachedPayload: "the payload is attached"
    case .headerEncoding: "the protected header is not in the required encoding"
    case .fullySpecifiedAlgorithm: "the algorithm's identifier names its curve too"
    }
  }
}

/// Both header buckets of a message as received (RFC 9052, 3).
public struct COSEHeaders: Sendable {
  /// Content of the protected byte string, exactly as received.
  public let protectedBytes: [UInt8]
  /// Algorithm identifier in the protected header; nil when absent. May be one that is not known here.
  public let algorithm: Algorithm?
  /// Algorithm identifier in the unprotected header, where ISO/IEC 18013-5 does not allow it.
  public let unprotectedAlgorithm: Algorithm?
  /// DER certificates of `x5chain`, leaf first (RFC 9360, 2); nil when there is no such header.
  public let x5chain: [[UInt8]]?
  /// `x5t`: which certificate is the signer's (RFC 9360, 2); nil when there is no such header.
  public let x5t: COSECertificateThumbprint?
  /// What was let pass.
  public let deviations: [COSEDeviation]

  /// An algorithm identifier as received: an integer or a text.
  public enum Algorithm: Sendable, Equatable {
    /// An integer that is known here.
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

  /// Longest certificate chain that is read: real ones have one to three. A path may be sought over every order of those
  /// behind the leaf, so three of them cost at most fifteen signature checks where seven would cost thousands.
  public static let maximumChainLength = 4

  init(protectedItem: CBORItem, unprotectedItem: CBORItem) throws(COSEError) {
    let unprotected: CBORMap
    do {
      protectedBytes = try protectedItem.bytes()
      unprotected = try unprotectedItem.map()
    } catch {
      throw COSEError(.structure, "the headers are malformed: \(error.sentence)")
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
          "the protected header is malformed: \(error.sentence)", encoding: error.code)
      }
    }
    if protected?[COSEHeaderLabel.critical] != nil {
      throw COSEError(.criticalHeader, "the message demands understanding of headers that are not known here")
    }
    // Only the protected header may demand it (RFC 9052, 3.1): what is not signed, anybody may have taken away.
    if unprotected[COSEHeaderLabel.critical] != nil {
      throw COSEError(.criticalHeader, "the unprotected header demands understanding of headers, which it may not")
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
    if let chain = protected?[COSEHeaderLabel.x5chain] {
      found.append(.chainInProtectedHeader)
      x5chain = try Self.chain(chain, deviations: &found)
    } else if let chain = unprotected[COSEHeaderLabel.x5chain] {
      x5chain = try Self.chain(chain, deviations: &found)
    } else {
      x5chain = nil
    }
    deviations = found
  }

  /// Refuses a label that is neither an integer nor a text (RFC 9052, 1.5).
  private static func requireLabels(_ headers: CBORMap?) throws(COSEError) {
    guard let headers else { return }
    for header in headers where ![.unsigned, .negative, .text].contains(header.key.kind) {
      throw COSEError(.structure, "the headers are malformed: the label of a header is neither an integer nor a text")
    }
  }

  /// Refuses a label that stands in both buckets, which makes a message malformed (RFC 9052, 3).
  private static func requireDistinct(_ protected: CBORMap?, _ unprotected: CBORMap) throws(COSEError) {
    guard let protected else { return }
    let labels = Set(unprotected.map { CBORValue($0.key).encoded })
    if let twice = protected.first(where: { labels.contains(CBORValue($0.key).encoded) }) {
      throw COSEError(.headerTwice, "header \(twice.key.diagnostic) is protected and unprotected")
    }
  }

  private static func chain(
    _ item: CBORItem, deviations: inout [COSEDeviation]
  ) throws(COSEError) -> [[UInt8]] {
    if let array = try? item.array(), array.count > maximumChainLength {
      throw COSEError(
        .chainTooLong, "the certificate chain has more than \(maximumChainLength) certificates", count: array.count)
    }
    do throws(CBORError) {
      if item.kind == .bytes { return [try item.bytes()] }
      let array = try item.array()
      if array.isEmpty { deviations.append(.emptyChain) }
      if array.count == 1 { deviations.append(.chainOfOneAsArray) }
      var chain: [[UInt8]] = []
      for certificate in array { chain.append(try certificate.bytes()) }
      return chain
    } catch {
      throw COSEError(.structure, "the certificate chain is malformed: \(error.sentence)")
    }
  }

  /// The protected header as it enters what is signed: an empty map counts as nothing (RFC 9052, 4.4).
  var protectedForSigning: [UInt8] { protectedBytes == [0xa0] ? [] : protectedBytes }

  /// The algorithm to verify with.
  func algorithm(from source: AlgorithmSource) throws(COSEError) -> COSEAlgorithm {
    let found: Algorithm?
    switch source {
    case .protectedHeader: found = algorithm
    case .eitherHeader: found = algorithm ?? unprotectedAlgorithm
    }
    switch found {
    case .known(let algorithm): return algorithm
    case .unknown(let name): throw COSEError(.algorithmUnsupported, "algorithm \(name) is not known here")
    case nil:
      let elsewhere = unprotectedAlgorithm == nil ? "" : "; one in the unprotected header does not count"
      throw COSEError(.algorithmMissing, "the protected header names no algorithm\(elsewhere)")
    }
  }
}

/// Which headers may name the algorithm.
public enum AlgorithmSource: Sendable {
  /// The protected one, as ISO/IEC 18013-5 demands.
  case protectedHeader
  /// Either, as COSE in general allows.
  case eitherHeader
}

/// The array that a signature or code is computed over (RFC 9052, 4.4 and 6.3).
package func authenticatedStructure(
  context: String, protected: [UInt8], externalAAD: [UInt8], payload: some Collection<UInt8>
) -> [UInt8] {
  CBORWriter.encode(capacity: payload.count + protected.count + externalAAD.count + 32) { writer in
    writer.array(4)
    writer.text(context)
    writer.byteString(protected)
    writer.byteString(externalAAD)
    writer.byteString(payload)
  }
}

/// The four parts of COSE_Sign1 or COSE_Mac0 as received.
struct COSEMessageParts {
  let headers: COSEHeaders
  let payload: [UInt8]?
  let authenticator: [UInt8]
  let isTagged: Bool

  init(_ item: CBORItem, name: String, tag: UInt64) throws(COSEError) {
    if let found = item.tag, found != tag {
      throw COSEError(.wrongTag, "tag \(found) stands before \(name), not \(tag)")
    }
    isTagged = item.tag != nil
    do {
      let array = try item.withoutTag(tag).array(count: 4)
      let payloadItem = try array.at(2)
      payload = payloadItem.isNull ? nil : try payloadItem.bytes()
      authenticator = try array.at(3).bytes()
      headers = try COSEHeaders(protectedItem: try array.at(0), unprotectedItem: try array.at(1))
    } catch let error as COSEError {
      throw error
    } catch {
      throw COSEError(.structure, "\(name) is malformed: \(error)")
    }
  }
}
