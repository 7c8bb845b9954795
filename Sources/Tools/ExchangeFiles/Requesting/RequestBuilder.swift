import Crypto
import DigitalCredentials
import MobileDocument
import Primitives
import RelyingParty

/// Builds and signs the request of a website's server, and writes it as an exchange file.
public struct RequestBuilder: Sendable {
  /// The website's origin.
  public var origin: Origin
  /// The requested documents.
  public var documents: [ItemsRequest]
  /// The use cases; an empty array requires every document.
  public var useCases: [DeviceRequestInfo.UseCase]
  /// The readers that sign the request.
  public var readers: [DeviceRequestDraft.Reader]
  /// PEM texts with the roots of the accepted issuing authorities.
  public var trustedIssuers: [String]

  /// The length of a nonce in bytes.
  public static let nonceLength = VerifierSession.nonceLength

  /// Creates a builder.
  public init(
    origin: Origin, documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase] = [],
    readers: [DeviceRequestDraft.Reader], trustedIssuers: [String] = []
  ) {
    self.origin = origin
    self.documents = documents
    self.useCases = useCases
    self.readers = readers
    self.trustedIssuers = trustedIssuers
  }

  /// A built request.
  public struct Made: Sendable {
    /// Everything needed to verify the answer later, including the private key: a secret.
    public let exchange: ExchangeFile
    /// The options of `navigator.credentials.get`: not a secret.
    public let page: [UInt8]
  }

  /// Reads an origin from its serialized form.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.origin`.
  public static func origin(_ text: String) throws(ExchangeFileError) -> Origin {
    do {
      return try Origin(serialized: text)
    } catch {
      throw ExchangeFileError(.origin, "--origin", "\(error)")
    }
  }

  /// Signs the request and writes it.
  /// - Parameters:
  ///   - recipientKey: A fresh key for this exchange alone.
  ///   - nonce: ``nonceLength`` fresh random bytes.
  /// - Throws: The error of a signer.
  public func make(recipientKey: P256.KeyAgreement.PrivateKey, nonce: [UInt8]) throws -> Made {
    let draft = DeviceRequestDraft(documents: documents, useCases: useCases)
    // An exchange file has no session state, so its session neither has a name nor expires.
    let session = VerifierSession(
      asking: draft, identifier: "exchange", origin: origin.serialized, recipientKey: recipientKey, nonce: nonce,
      expires: DateTime(secondsSince1970: .max))
    let data = try session.requestData(asking: draft, signedBy: readers)
    let texts = RequestTexts(deviceRequest: data.deviceRequest, encryptionInfo: data.encryptionInfo)
    let file = ExchangeFile(
      json: .object([
        .init(name: "origin", value: .string(origin.serialized)), .init(name: "request", value: texts.data),
        .init(name: "recipientPrivateKey", value: PrivateKeyFile.jwk(recipientKey)),
        .init(name: "trustedIssuers", value: .array(trustedIssuers.map { .string($0) })),
      ]))
    return Made(exchange: file, page: texts.page.indented)
  }
}
