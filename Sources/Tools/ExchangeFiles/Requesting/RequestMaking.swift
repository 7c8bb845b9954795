import Crypto
import DigitalCredentials
import MobileDocument
import Primitives
import WebPresentment

/// What a website's server asks, to be signed and written as an exchange file.
public struct RequestMaking: Sendable {
  /// The website's origin.
  public var origin: Origin
  /// What is asked for.
  public var documents: [ItemsRequest]
  /// Use cases; none for one that needs every document.
  public var useCases: [DeviceRequestInfo.UseCase]
  /// In whose names the request is signed.
  public var readers: [DeviceRequestDraft.Reader]
  /// PEM texts with the roots of issuing authorities that answers may come from.
  public var trustedIssuers: [String]

  /// Length of a nonce in bytes: twice what the standard asks for at least.
  public static let nonceLength = 32

  /// What to ask.
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

  /// What was made.
  public struct Made: Sendable {
    /// Everything that verifies the answer later, with the private key: a secret.
    public let exchange: ExchangeFile
    /// What the page passes to `navigator.credentials.get`: no secret.
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
  ///   - recipientKey: a fresh key, for this exchange alone.
  ///   - nonce: fresh random bytes, ``nonceLength`` of them.
  /// - Throws: what a signer throws.
  public func make(recipientKey: P256.KeyAgreement.PrivateKey, nonce: [UInt8]) throws -> Made {
    let information = EncryptionInfo(nonce: nonce, recipientPublicKey: recipientKey.publicKey)
    let draft = DeviceRequestDraft(documents: documents, useCases: useCases)
    let request = try draft.encoded(
      signedFor: readers, over: information.sessionTranscript(origin: origin.serialized))
    let texts = RequestTexts(deviceRequest: Base64URL.encode(request), encryptionInfo: information.text)
    let file = ExchangeFile(
      json: .object([
        .init(name: "origin", value: .string(origin.serialized)), .init(name: "request", value: texts.data),
        .init(name: "recipientPrivateKey", value: PrivateKeyFile.jwk(recipientKey)),
        .init(name: "trustedIssuers", value: .array(trustedIssuers.map { .string($0) })),
      ]))
    return Made(exchange: file, page: texts.page.indented)
  }
}
