import CBOR
import COSE
import Certificates
import Crypto
import MobileDocument

/// Faults of the issuer's signature and its headers.
extension DocumentFault {
  package static let notSigned = DocumentFault(
    "not-signed", "The issuer's signature is zeros and its certificate chain empty", .fails("issuer.certificate"))
  package static let signatureAltered = DocumentFault(
    "signature-altered", "A bit of the issuer's signature is flipped", .fails("issuer.signature/invalid"))
  package static let signatureMalformed = DocumentFault(
    "signature-malformed", "The issuer's signature has three parts instead of four", .fails("issuer.form/malformed"))
  package static let signatureLength = DocumentFault(
    "signature-length", "The issuer's signature is a byte short", .fails("issuer.signature/malformed"))
  package static let signatureRange = DocumentFault(
    "signature-range", "The first half of the issuer's signature is zero", .fails("issuer.signature/malformed"))
  package static let headerTwice = DocumentFault(
    "header-twice", "The protected header of the issuer's signature names the algorithm twice",
    .fails("issuer.form/duplicate-header"))
  package static let headerInBothBuckets = DocumentFault(
    "header-in-both-buckets", "The issuer's signature names the algorithm in both headers",
    .fails("issuer.form/duplicate-header"))
  package static let headerLabel = DocumentFault(
    "header-label", "The unprotected header of the issuer's signature has a label of bytes",
    .fails("issuer.form/malformed"))
  package static let criticalUnprotected = DocumentFault(
    "critical-unprotected", "The unprotected header of the issuer's signature has a crit parameter",
    .fails("issuer.form/malformed"))
  package static let headerEncoding = DocumentFault(
    "header-encoding", "The protected header of the issuer's signature is not in its shortest encoding",
    .deviates("issuer.form/header-encoding"))
  package static let thumbprintOfAnother = DocumentFault(
    "thumbprint-of-another", "The issuer's signature has the thumbprint of another certificate",
    .fails("issuer.certificate.thumbprint"))
  package static let algorithmUnprotected = DocumentFault(
    "algorithm-unprotected", "The issuer names the signature algorithm in the unprotected header only",
    .fails("issuer.algorithm"))
  package static let algorithmUnknown = DocumentFault(
    "algorithm-unknown", "The issuer signs in an algorithm that is not allowed", .fails("issuer.algorithm"))
  package static let algorithmOfAnotherCurve = DocumentFault(
    "algorithm-of-another-curve", "The issuer names the signature algorithm of another curve than its key's",
    .fails("issuer.algorithm"))
  package static let algorithmFullySpecified = DocumentFault(
    "algorithm-fully-specified", "The issuer names the signature algorithm by a fully specified identifier",
    .deviates("issuer.form/fully-specified-algorithm"))
  package static let signatureTagged = DocumentFault(
    "signature-tagged", "The issuer's signature is in a CBOR tag", .deviates("issuer.form/tagged"))
  package static let chainProtected = DocumentFault(
    "chain-protected", "The certificate chain is in the protected header", .deviates("issuer.form/chain-protected"))
  package static let chainOfOneAsArray = DocumentFault(
    "chain-of-one-as-array", "The certificate chain of one is an array", .deviates("issuer.form/chain-of-one-as-array"))
  package static let securityObjectEncoding = DocumentFault(
    "security-object-encoding", "The mobile security object is not in its shortest encoding",
    .deviates("mso.structure/encoding"))

  static let ofSignature: [DocumentFault] = [
    .notSigned, .signatureAltered, .signatureMalformed, .signatureLength, .signatureRange, .headerTwice,
    .headerInBothBuckets, .headerLabel, .criticalUnprotected, .headerEncoding, .thumbprintOfAnother,
    .algorithmUnprotected, .algorithmUnknown, .algorithmOfAnotherCurve, .algorithmFullySpecified, .signatureTagged,
    .chainProtected, .chainOfOneAsArray, .securityObjectEncoding,
  ]
}

/// Changes to the issuer's signature.
extension FaultyIssuer {
  private typealias Entry = CBORValue.Entry

  /// `crit` (RFC 9052, 3.1).
  private static let labelOfCritical = 2
  /// ES256K, on a curve that ISO/IEC 18013-5 does not use (RFC 8812, 3.2).
  private static let identifierOfES256K = -47

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
      let root = Array(SHA256.hash(data: authority.encodedRoot))
      protect(
        algorithm(),
        Entry(.integer(COSEHeaderLabel.x5t), .array([.integer(COSECertificateThumbprint.sha256), .bytes(root)])))
    case .algorithmUnknown: protect(algorithm(Self.identifierOfES256K))
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
