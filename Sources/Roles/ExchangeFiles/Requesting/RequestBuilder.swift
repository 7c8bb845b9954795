import CBOR
import Crypto
import DigitalCredentials
import JSON
import MobileDocument
import OpenID4VP
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
  public static let nonceLength = AnnexCSession.nonceLength

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

  /// The form of a request with OpenID4VP.
  public struct OpenID4VPForm: Sendable {
    /// The protocol.
    public var kind: OpenID4VPProtocol
    /// True to ask for an encrypted answer.
    public var isEncrypted: Bool
    /// The prefix of the client identifiers: `x509_hash` or `x509_san_dns`.
    public var prefix: ClientIdentifier.Prefix
    /// Files with the transactions that the holder agrees to: each a JSON object with `type` and the members of the type.
    /// Without `credential_ids`, each SD-JWT credential may answer.
    public var transactions: [(name: String, bytes: [UInt8])] = []

    /// Creates a form.
    public init(_ kind: OpenID4VPProtocol, isEncrypted: Bool = true, prefix: ClientIdentifier.Prefix = .hash) {
      self.kind = kind
      self.isEncrypted = isEncrypted
      self.prefix = prefix
    }
  }

  /// Signs a request with OpenID4VP and writes it.
  /// - Parameters:
  ///   - recipientKey: A fresh key for this exchange alone.
  ///   - nonce: `OpenID4VPSession.nonceLength` fresh random bytes.
  /// - Throws: ``ExchangeFileError`` for documents that no query can ask for, or for a certificate without a domain name; the
  ///   error of a signer.
  public func make(
    _ form: OpenID4VPForm, recipientKey: P256.KeyAgreement.PrivateKey, nonce: [UInt8], at moment: DateTime
  ) throws -> Made {
    var signers: [PresentationRequestDraft.Signer] = []
    for reader in form.kind == .unsigned ? [] : readers {
      guard let signer = PresentationRequestDraft.Signer(reader, identifiedBy: form.prefix) else {
        throw ExchangeFileError(
          .certificate, "--reader-certificates", "the certificate has no domain name for \(form.prefix.rawValue)")
      }
      signers.append(signer)
    }
    guard form.kind == .unsigned || !signers.isEmpty else {
      throw ExchangeFileError(.memberMissing, "--reader-certificates", "missing; \(form.kind.rawValue) needs a signer")
    }
    let query: DCQLQuery
    do { query = try DCQLQuery(asking: documents, useCases: useCases) } catch {
      throw ExchangeFileError(.element, "--element", error.message)
    }
    let request = OpenID4VPSession(
      form.kind, asking: query, nonce: nonce, recipientKey: form.isEncrypted ? recipientKey : nil, signedBy: signers,
      transactions: try form.transactions.map { try Self.transaction($0, of: query) }, at: moment)
    let data = try request.data(origin: origin.serialized, signedBy: signers)
    let text = PresentationRequestText(form.kind, data: data)
    let file = ExchangeFile(
      [("origin", .string(origin.serialized)), ("protocol", .string(form.kind.rawValue))],
      request: try JSONReader.read(data), recipientKey: form.isEncrypted ? recipientKey : nil,
      trustedIssuers: trustedIssuers)
    return Made(exchange: file, page: try JSONReader.read(text.options()).indented)
  }

  /// Returns the entry of `transaction_data` of a file.
  private static func transaction(
    _ file: (name: String, bytes: [UInt8]), of query: DCQLQuery
  ) throws(ExchangeFileError) -> TransactionData {
    var entry: ExchangeFile
    do { entry = try ExchangeFile(file.bytes) } catch { throw error.inFile(file.name) }
    if entry.root["credential_ids"] == nil {
      let names = query.credentials.filter { $0.format == .sdJWT }.map { JSONValue.string($0.id) }
      guard !names.isEmpty else {
        throw ExchangeFileError(
          .content, nil, "the request asks for no SD-JWT credential, whose holder can sign it", file: file.name)
      }
      entry = entry.setting("credential_ids", to: .array(names))
    }
    do { return try TransactionData(Base64URL.encode(entry.json.bytes), query: query, types: nil) } catch {
      throw ExchangeFileError(.content, nil, "not a transaction: \(error.message) [\(error.name)]", file: file.name)
    }
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
    let request = AnnexCSession(asking: draft, recipientKey: recipientKey, nonce: nonce)
    let data = try request.data(asking: draft, signedBy: readers, origin: origin.serialized)
    let texts = RequestTexts(deviceRequest: data.deviceRequest, encryptionInfo: data.encryptionInfo)
    let file = ExchangeFile(
      [("origin", .string(origin.serialized))], request: texts.data, recipientKey: recipientKey,
      trustedIssuers: trustedIssuers)
    return Made(exchange: file, page: texts.page.indented)
  }
}

/// The requested elements, from command-line options or from another request.
public enum RequestedElements {
  /// Returns a request for one document from elements of the form `NAMESPACE:IDENTIFIER`, with the suffix `:retain` for
  /// elements that the requester intends to retain.
  /// - Throws: ``ExchangeFileError`` with `exchange-file.element`.
  public static func items(documentType: String, elements: [String]) throws(ExchangeFileError) -> ItemsRequest {
    guard !documentType.isEmpty else { throw ExchangeFileError(.element, "--document-type", "empty") }
    guard !elements.isEmpty else {
      throw ExchangeFileError(.element, "--element", "missing; request at least one element")
    }
    var spaces: [(name: String, elements: [ItemsRequest.Element])] = []
    for text in elements {
      let (nameSpace, element) = try parse(text)
      let place = spaces.firstIndex { $0.name == nameSpace } ?? spaces.endIndex
      if place == spaces.endIndex { spaces.append((nameSpace, [])) }
      guard !spaces[place].elements.contains(where: { $0.identifier == element.identifier }) else {
        throw ExchangeFileError(.element, "--element", "\(text) is requested twice")
      }
      spaces[place].elements.append(element)
    }
    return ItemsRequest(
      documentType: documentType, nameSpaces: spaces.map { ItemsRequest.NameSpace($0.name, $0.elements) })
  }

  private static func parse(_ text: String) throws(ExchangeFileError) -> (String, ItemsRequest.Element) {
    let mark = ":retain"
    // The name of an element may be "retain".
    let isRetained = text.hasSuffix(mark) && text.dropLast(mark.count).contains(":")
    let name = isRetained ? text.dropLast(mark.count) : Substring(text)
    guard let colon = name.lastIndex(of: ":"), colon > name.startIndex, name.index(after: colon) < name.endIndex else {
      throw ExchangeFileError(
        .element, "--element",
        "'\(text)' is not of the form NAMESPACE:IDENTIFIER or NAMESPACE:IDENTIFIER:retain")
    }
    let identifier = String(name[name.index(after: colon)...])
    return (String(name[..<colon]), ItemsRequest.Element(identifier, intentToRetain: isRetained))
  }

  /// Returns the elements of another request: an exchange file, a page's JSON, or a `DeviceRequest` in CBOR or base64url.
  /// - Parameter name: The file's name, for errors.
  /// - Throws: ``ExchangeFileError``.
  public static func like(
    _ bytes: [UInt8], name: String
  ) throws(ExchangeFileError) -> (documents: [ItemsRequest], useCases: [DeviceRequestInfo.UseCase]) {
    switch try DocumentFile.Form(of: bytes, name: name) {
    case .json(let file):
      do {
        return try RequestTexts(anywhereIn: file).contents()
      } catch {
        throw error.inFile(name)
      }
    case .sdJWT: throw ExchangeFileError(.content, name, "an SD-JWT credential is not a request")
    case .cbor(let encoded):
      do {
        let contents = try UnverifiedDeviceRequest(encoded).unverifiedContents()
        return (contents.documentRequests, contents.deviceRequestInfo?.useCases ?? [])
      } catch {
        throw ExchangeFileError(.content, name, "not a readable device request: \(error)")
      }
    }
  }
}
