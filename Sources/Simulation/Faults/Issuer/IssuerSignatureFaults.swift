import CBOR
import COSE
import Crypto

extension Fault {
  /// Faults of the issuer's signature and its headers.
  static let ofIssuerSignatures: [Fault] = [
    document(
      "not-signed", "The issuer's signature is zeros and its certificate chain empty", .fails(.issuerCertificate)
    ) { parts in
      parts.unprotected = .map([.x5chain(.array([]))])
      parts.changeSignature { [UInt8](repeating: 0, count: $0.count) }
    },
    document(
      "signature-altered", "A bit of the issuer's signature is flipped", .fails(.issuerSignature, .invalid)
    ) { $0.changeSignature(\.flippingLastBit) },
    document(
      "signature-malformed", "The issuer's signature has three parts instead of four", .fails(.issuerForm, .malformed)
    ) { $0.issuerAuth = { .array($0.dropLast()) } },
    document(
      "signature-length", "The issuer's signature is a byte short", .fails(.issuerSignature, .malformed)
    ) { $0.changeSignature { $0.dropLast() } },
    document(
      "signature-range", "The first half of the issuer's signature is zero", .fails(.issuerSignature, .malformed)
    ) { parts in
      parts.changeSignature { signature in
        let half = signature.count / 2
        return [UInt8](repeating: 0, count: half) + signature.suffix(half)
      }
    },
    document(
      "header-twice", "The protected header of the issuer's signature names the algorithm twice",
      .fails(.issuerForm, .duplicateHeader)
    ) { $0.protect(.algorithm(), .algorithm()) },
    document(
      "header-in-both-buckets", "The issuer's signature names the algorithm in both headers",
      .fails(.issuerForm, .duplicateHeader)
    ) { $0.unprotected = .map([.algorithm(), $0.x5chain]) },
    document(
      "header-label", "The unprotected header of the issuer's signature has a label of bytes",
      .fails(.issuerForm, .malformed)
    ) { $0.unprotected = .map([$0.x5chain, CBORValue.Entry(.bytes([1]), .integer(1))]) },
    document(
      "critical-unprotected", "The unprotected header of the issuer's signature has a crit parameter",
      .fails(.issuerForm, .malformed)
    ) { $0.unprotected = .map([$0.x5chain, .critical]) },
    document(
      "header-encoding", "The protected header of the issuer's signature is not in its shortest encoding",
      .deviates(.issuerForm, .headerEncoding)
    ) { $0.protected = try withLongerHead($0.protected) },
    document(
      "thumbprint-of-another", "The issuer's signature has the thumbprint of another certificate",
      .fails(.issuerThumbprint)
    ) { parts in
      let root = Array(SHA256.hash(data: parts.issuer.authority.encodedRoot))
      let thumbprint = CBORValue.array([.integer(COSECertificateThumbprint.sha256), .bytes(root)])
      parts.protect(.algorithm(), CBORValue.Entry(.integer(COSEHeaderLabel.x5t), thumbprint))
    },
    document(
      "algorithm-unprotected", "The issuer names the signature algorithm in the unprotected header only",
      .fails(.issuerAlgorithm)
    ) { parts in
      parts.protect()
      parts.unprotected = .map([.algorithm(), parts.x5chain])
    },
    document(
      "algorithm-unknown", "The issuer signs in an algorithm that is not allowed", .fails(.issuerAlgorithm)
    ) { $0.protect(.algorithm(identifierOfES256K)) },
    document(
      "algorithm-of-another-curve", "The issuer names the signature algorithm of another curve than its key's",
      .fails(.issuerAlgorithm)
    ) { $0.protect(.algorithm(COSEAlgorithm.es384.rawValue)) },
    document(
      "algorithm-fully-specified", "The issuer names the signature algorithm by a fully specified identifier",
      .deviates(.issuerForm, .fullySpecifiedAlgorithm)
    ) { $0.protect(.algorithm(COSEAlgorithm.fullySpecifiedES256)) },
    document(
      "signature-tagged", "The issuer's signature is in a CBOR tag", .deviates(.issuerForm, .tagged)
    ) { $0.issuerAuth = { .tagged(COSESign1.tag, .array($0)) } },
    document(
      "chain-protected", "The certificate chain is in the protected header", .deviates(.issuerForm, .chainProtected)
    ) { parts in
      parts.protect(.algorithm(), parts.x5chain)
      parts.unprotected = .map([])
    },
    document(
      "chain-of-one-as-array", "The certificate chain of one is an array",
      .deviates(.issuerForm, .chainOfOneAsArray)
    ) { $0.unprotected = .map([.x5chain(.array([$0.x5chain.value]))]) },
    document(
      "security-object-encoding", "The mobile security object is not in its shortest encoding",
      .deviates(.securityObjectStructure, .encoding)
    ) { $0.securityObjectEncoding = { try withLongerHead($0.encoded) } },
    document(
      "header-critical", "The issuer's signature has a critical header that nobody knows",
      .fails(.issuerForm, .malformed)
    ) { $0.protect(.algorithm(), .critical, .unknown) },
  ]

  /// Faults of the form of the issuer's signature.
  static let ofIssuerSignatureForms: [Fault] = SignatureForm.allCases.map { form in
    document(form.rawValue, form.title(of: "the issuer's signature"), .fails(.issuerSignature, .malformed)) {
      $0.changeSignature(form.changed)
    }
  }

  /// ES256K, on a curve that ISO/IEC 18013-5 does not use (RFC 8812, 3.2).
  private static let identifierOfES256K = -47
}
