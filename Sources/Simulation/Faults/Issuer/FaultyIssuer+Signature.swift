import CBOR
import COSE
import Certificates
import Crypto
import MobileDocument

/// Changes to the issuer's signature.
extension FaultyIssuer {
  private typealias Entry = CBORValue.Entry

  /// `crit` (RFC 9052, 3.1).
  private static let labelOfCritical = 2

  /// Faults of the headers.
  func changeHeaders(_ parts: inout DocumentParts, _ fault: DocumentFault, chain: [[UInt8]]) throws {
    let x5chain = Entry(.integer(COSEHeaderLabel.x5chain), .bytes(chain[0]))
    func algorithm(_ identifier: Int = COSEAlgorithm.es256.rawValue) -> Entry {
      Entry(.integer(COSEHeaderLabel.algorithm), .integer(identifier))
    }
    func protect(_ entries: Entry...) { parts.protected = CBORValue.map(entries).encoded }
    switch fault {
    case .notSigned: parts.unprotected = .map([Entry(.integer(COSEHeaderLabel.x5chain), .array([]))])
    case .algorithmUnprotected:
      protect()
      parts.unprotected = .map([algorithm(), x5chain])
    case .headerInBothBuckets: parts.unprotected = .map([algorithm(), x5chain])
    case .headerTwice: protect(algorithm(), algorithm())
    case .headerLabel: parts.unprotected = .map([x5chain, Entry(.bytes([1]), .integer(1))])
    case .criticalUnprotected:
      parts.unprotected = .map([x5chain, Entry(.integer(Self.labelOfCritical), .array([.integer(99)]))])
    case .headerEncoding: parts.protected = try withLongerHead(parts.protected)
    case .thumbprintOfAnother:
      let root = Array(SHA256.hash(data: try authority.root.derEncoded()))
      protect(
        algorithm(),
        Entry(.integer(COSEHeaderLabel.x5t), .array([.integer(COSECertificateThumbprint.sha256), .bytes(root)])))
    case .algorithmUnknown: protect(algorithm(COSEAlgorithm.identifierOfES256K))
    case .algorithmOfAnotherCurve: protect(algorithm(COSEAlgorithm.es384.rawValue))
    case .algorithmFullySpecified: protect(algorithm(COSEAlgorithm.fullySpecifiedES256))
    case .chainProtected:
      protect(algorithm(), x5chain)
      parts.unprotected = .map([])
    case .chainOfOneAsArray: parts.unprotected = .map([Entry(x5chain.key, .array([x5chain.value]))])
    default: break
    }
  }

  /// The signature, with its own faults.
  func issuerAuth(of parts: DocumentParts, _ fault: DocumentFault) throws -> CBORValue {
    let encoding = fault == .securityObjectEncoding ? try withLongerHead(parts.securityObject.encoded) : nil
    var items = try parts.issuerAuth(signedBy: signer, encodedSecurityObject: encoding)
    var signature = try items[3].content
    switch fault {
    case .notSigned: items[3] = .bytes([UInt8](repeating: 0, count: signature.count))
    case .signatureAltered:
      signature[signature.count - 1] ^= 1
      items[3] = .bytes(signature)
    case .signatureLength: items[3] = .bytes(signature.dropLast())
    case .signatureRange:
      let half = signature.count / 2
      items[3] = .bytes([UInt8](repeating: 0, count: half) + signature.suffix(half))
    case .signatureMalformed: items.removeLast()
    case .signatureTagged: return .tagged(COSESign1.tag, .array(items))
    default: break
    }
    return .array(items)
  }
}
