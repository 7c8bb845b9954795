import Certificates
import Crypto
import MobileDocument
import Primitives
import X509

/// Reads a file named in another file.
/// - Parameter path: The path as written there.
public typealias FileReading = (_ path: String) throws -> [UInt8]

/// Certificates in files: PEM, one after the other, or DER.
public enum CertificateFile {
  /// Returns the certificates of a file, in order.
  /// - Parameter name: The member or file, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func certificates(_ bytes: [UInt8], name: String?) throws(ExchangeFileError) -> [Certificate] {
    do {
      return try CertificateChain.read(try CertificateChain.blocks(ofFile: bytes))
    } catch {
      throw ExchangeFileError(.certificate, name, "the certificates cannot be read: \(error.message)")
    }
  }

  /// Returns a signer's key, and its certificate chain without the root, which verifiers do not take from a signer.
  /// - Throws: ``ExchangeFileError``.
  static func signer(
    certificates: (name: String, bytes: [UInt8]), key: (name: String, bytes: [UInt8])
  ) throws(ExchangeFileError) -> (key: P256.Signing.PrivateKey, chain: [Certificate]) {
    var chain = try Self.certificates(certificates.bytes, name: certificates.name)
    let signer = try PrivateKeyFile.signingKey(key.bytes, name: key.name)
    guard let leaf = chain.first, leaf.publicKey == Certificate.PublicKey(signer.publicKey) else {
      throw ExchangeFileError(.key, key.name, "not the key of the first certificate in \(certificates.name)")
    }
    if chain.count > 1, chain[chain.count - 1].isSelfIssued { chain.removeLast() }
    return (signer, chain)
  }

  /// Returns the certificates of a file, trusted for a profile. Unsupported certificates, such as roots on brainpool
  /// curves, are skipped, because trust lists contain some.
  /// - Parameter name: The member or file, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func trusted(
    _ bytes: [UInt8], for profile: CertificateProfile, name: String?
  ) throws(ExchangeFileError) -> TrustedCertificates {
    guard !IssuerList.isList(bytes) || profile != .documentSigner else {
      throw ExchangeFileError(
        .certificate, name, "a signed list of issuing authorities (VICAL), which needs the certificate of its signer")
    }
    do {
      let blocks = try CertificateChain.blocks(ofFile: bytes, atMost: ExchangeLimits.trustedCertificates)
      return try TrustedCertificates(reading: blocks, for: profile)
    } catch {
      throw ExchangeFileError(.certificate, name, "the certificates cannot be read: \(error.message)")
    }
  }

  /// Returns certificates in PEM.
  public static func pem(_ certificates: [Certificate]) throws -> String {
    String(decoding: CertificateChain.pem(try certificates.map { try $0.derEncoded() }), as: UTF8.self)
  }

  /// Returns certificates as a member holds them: in text, or as the name of their file.
  static func bytes(_ element: JSONField, reading read: FileReading) throws(ExchangeFileError) -> [UInt8] {
    let text = try element.text()
    if text.contains("-----BEGIN") || PastedBase64.decode(text).map({ $0.first == 0x30 && $0.count > 128 }) ?? false {
      return Array(text.utf8)
    }
    do {
      return try read(try element.shortText())
    } catch let error as ExchangeFileError {
      throw ExchangeFileError(error.code, element.path, error.message)
    } catch {
      throw ExchangeFileError(
        .unreadable, element.path, "neither a PEM certificate ('-----BEGIN CERTIFICATE-----') nor a readable file")
    }
  }
}

/// The keys and serial numbers of an authority that is made for one signer.
public struct AuthorityIngredients: Sendable {
  let rootKey: P256.Signing.PrivateKey
  let leafKey: P256.Signing.PrivateKey
  let serialNumbers: (root: [UInt8], leaf: [UInt8])

  /// Takes keys and serial numbers.
  public init(
    rootKey: P256.Signing.PrivateKey, leafKey: P256.Signing.PrivateKey, serialNumbers: (root: [UInt8], leaf: [UInt8])
  ) {
    self.rootKey = rootKey
    self.leafKey = leafKey
    self.serialNumbers = serialNumbers
  }
}

/// The trusted issuing authorities of an exchange: certificates, and lists that are verified before they are trusted.
public struct TrustedIssuers: Sendable {
  /// The certificates that are trusted as they are.
  public var certificates: TrustedCertificates
  /// The lists.
  public var lists: [IssuerList]

  /// Creates a set of trusted issuing authorities.
  public init(
    _ certificates: TrustedCertificates = TrustedCertificates([], for: .documentSigner), lists: [IssuerList] = []
  ) {
    self.certificates = certificates
    self.lists = lists
  }

  /// A Boolean value that indicates whether nothing is trusted.
  public var isEmpty: Bool { certificates.count == 0 && lists.isEmpty }

  /// Returns the union with another set.
  public func adding(_ other: TrustedIssuers) -> TrustedIssuers {
    TrustedIssuers(certificates.adding(other.certificates), lists: lists + other.lists)
  }

  /// Reads the array of an exchange file: PEM texts, names of files with certificates, and lists with their signers.
  init(_ member: JSONField, reading read: FileReading) throws(ExchangeFileError) {
    var lists: [IssuerList] = []
    // Joined at once: a set that grows by one certificate at a time compares each with all before it.
    var (anchors, unusable): ([Certificate], [CertificateFields]) = ([], [])
    for element in try member.elements() {
      if case .object = element.value {
        lists.append(try IssuerList(element, reading: read))
        continue
      }
      let bytes = try CertificateFile.bytes(element, reading: read)
      let certificates = try CertificateFile.trusted(bytes, for: .documentSigner, name: element.path)
      anchors += certificates.anchors
      unusable += certificates.unusable
      guard anchors.count + unusable.count <= ExchangeLimits.trustedCertificates else {
        throw ExchangeFileError(
          .tooLarge, member.path, "more than \(ExchangeLimits.trustedCertificates) certificates")
      }
    }
    self.init(TrustedCertificates(anchors, unusable: unusable, for: .documentSigner), lists: lists)
  }
}
