import COSE
import Certificates
import Crypto
import MobileDocument
import Primitives
import X509

/// A reader, the signer of requests, from files.
public enum ReaderFiles {
  /// Reads a reader's certificate chain in PEM, leaf first, and its key in PEM or as a JSON Web Key. A root at the end of
  /// the chain is omitted, because wallets do not trust a root that a reader sends (ISO/IEC 18013-5, 9.1.4.5).
  /// - Throws: ``ExchangeFileError``.
  public static func reader(
    certificates: (name: String, bytes: [UInt8]), key: (name: String, bytes: [UInt8])
  ) throws(ExchangeFileError) -> DeviceRequestDraft.Reader {
    let (signer, chain) = try CertificateFile.signer(certificates: certificates, key: key)
    do {
      return DeviceRequestDraft.Reader(signer: signer, chain: try chain.map { try $0.derEncoded() })
    } catch {
      throw ExchangeFileError(.certificate, certificates.name, "\(error)")
    }
  }
}

/// A temporary reader authority: a root and one certificate for a website.
public struct ThrowawayReader: Sendable {
  /// The signer of requests.
  public let reader: DeviceRequestDraft.Reader
  /// The root in PEM, for a wallet to trust.
  public let rootPEM: String

  /// The longest name in characters: a common name has at most 64 (RFC 5280, A.1, ub-common-name), and the root's has a
  /// suffix.
  static let maximumName = 64 - rootWords.count
  private static let rootWords = " Throwaway Reader Root"

  /// The validity in days, short so that no one relies on the authority.
  static let days = 30

  /// Creates an authority and its certificate for a website.
  /// - Parameter domain: The website's host.
  /// - Throws: ``ExchangeFileError`` for a name that certificates cannot have, or an error of certificate encoding.
  public init(named name: String, domain: String, at moment: DateTime, from ingredients: AuthorityIngredients) throws {
    guard !name.allSatisfy(\.isWhitespace) else {
      throw ExchangeFileError(.content, "--throwaway-reader", "the name is empty")
    }
    guard name.unicodeScalars.count <= Self.maximumName else {
      throw ExchangeFileError(
        .tooLarge, "--throwaway-reader",
        "the name has \(name.unicodeScalars.count) characters; the limit is \(Self.maximumName)")
    }
    guard TerminalSafe.text(name) == name else {
      throw ExchangeFileError(
        .content, "--throwaway-reader", "the name \(TerminalSafe.text(name)) has invisible characters")
    }
    let from = moment.adding(days: -1)
    func terms(_ serialNumber: [UInt8]) -> CertificateAuthority.Terms {
      CertificateAuthority.Terms(from: from, until: moment.adding(days: Self.days), serialNumber: serialNumber)
    }
    let authority = try CertificateAuthority(
      name: CertificateName(commonName: name + Self.rootWords),
      contact: "https://\(domain)", terms: terms(ingredients.serialNumbers.root), signer: ingredients.rootKey)
    let leaf = try authority.reader(
      name: CertificateName(organization: name, commonName: domain), domain: domain, brand: nil,
      publicKey: Certificate.PublicKey(ingredients.leafKey.publicKey), terms: terms(ingredients.serialNumbers.leaf))
    reader = DeviceRequestDraft.Reader(signer: ingredients.leafKey, chain: [try leaf.derEncoded()])
    rootPEM = try CertificateFile.pem([authority.root])
  }
}
