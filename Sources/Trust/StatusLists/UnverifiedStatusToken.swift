import CBOR
import COSE
import Certificates
import X509

/// The labels of a status token: headers of COSE and claims of CWT (RFC 9596, RFC 8392, Token Status List draft, 5.2).
enum StatusTokenLabel {
  static let algorithm = 1
  static let type = 16
  static let x5chain = 33
  static let subject = 2
  static let expires = 4
  static let issuedAt = 6
  static let timeToLive = 65_534
  static let statusList = 65_533
  static let identifierList = 65_530
}

/// A token with a status list or an identifier list as received: a CWT in COSE_Sign1. Nothing in it may be believed,
/// and its claims are not read before its signature was checked.
public struct UnverifiedStatusToken: Sendable {
  /// Certificates of who signed it, leaf first; none when it names nobody.
  let chain: [Certificate]
  /// Header `type`; nil when there is none, or a number.
  let type: String?
  /// Departures from the form that the standard asks for, in words.
  let deviations: [String]
  private let signature: COSESign1

  /// Why a token cannot be read.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    /// What is wrong, for a person to read.
    public let description: String
  }

  /// Reads a token, bounded by ``StatusLimits``.
  /// - Throws: ``Problem``.
  public init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.count <= StatusLimits.tokenLength else {
      throw Problem(description: "the token has \(bytes.count) bytes, more than \(StatusLimits.tokenLength)")
    }
    do {
      let item = try CBORReader.read(bytes, leniency: .received)
      signature = try COSESign1(item)
      chain = try CertificateChain.read(signature.headers.x5chain ?? [])
      let header = signature.headers.protectedBytes
      let type = header.isEmpty ? nil : try CBORReader.read(header, leniency: .received).map()[StatusTokenLabel.type]
      self.type = type?.kind == .text ? try type?.text() : nil
      deviations = Self.deviations(of: signature, item)
    } catch {
      throw Problem(description: "\(error)")
    }
  }

  /// In a status token tag and protected chain are as they should be, and their absence is not.
  private static func deviations(of signature: COSESign1, _ item: CBORItem) -> [String] {
    var found: [String] = []
    if !signature.deviations.contains(.tagged) { found.append("the token is not in tag \(COSESign1.tag)") }
    if signature.headers.x5chain != nil, !signature.deviations.contains(.chainInProtectedHeader) {
      found.append("the certificate chain is not in the protected header")
    }
    found += signature.deviations.filter { $0 != .tagged && $0 != .chainInProtectedHeader }.map(\.rawValue)
    return found + Set(item.deviations.map(\.code.rawValue)).sorted()
  }

  /// The token, when its signature is by the key of the first certificate.
  /// - Throws: ``COSEError``; `cose.key` when there is no certificate.
  func verified() throws(COSEError) -> VerifiedStatusToken {
    guard let leaf = chain.first else { throw COSEError(.key, "the token has no certificate") }
    return VerifiedStatusToken(payload: try signature.verify(with: try leaf.verificationKey()))
  }
}

/// A token whose signature was checked; whether its signer may be believed is another question. Only
/// ``UnverifiedStatusToken`` makes one.
struct VerifiedStatusToken: Sendable {
  private let payload: [UInt8]

  fileprivate init(payload: [UInt8]) { self.payload = payload }

  /// What the token says.
  /// - Parameter kind: which kind of list it should hold.
  /// - Throws: ``StatusTokenClaims/Problem``.
  func claims(_ kind: StatusListKind) throws(StatusTokenClaims.Problem) -> StatusTokenClaims {
    try StatusTokenClaims(payload, kind: kind)
  }
}
