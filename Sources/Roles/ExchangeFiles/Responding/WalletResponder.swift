import Certificates
import Checks
import Crypto
import DigitalCredentials
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import SDJWT
import WebPresentment

/// Answers a request as a wallet. It computes the session transcript, verifies the reader signatures, presents the
/// requested elements that it holds, signs with the device key and encrypts for the website's server. It does not ask for
/// consent.
public struct WalletResponder: Sendable {
  /// The presentable documents, in either format.
  public var documents: [PresentableDocument]
  /// The SD-JWT credentials without holder binding.
  public var unbound: [HeldSDJWT] = []
  /// The elements that the holder shows.
  public var limits: ElementLimits
  /// The trusted certificates of reader authorities; nil to answer every reader.
  public var trustedReaders: TrustedCertificates?

  /// Creates a wallet.
  public init(
    documents: [PresentableDocument], limits: ElementLimits = ElementLimits(),
    trustedReaders: TrustedCertificates? = nil
  ) {
    self.documents = documents
    self.limits = limits
    self.trustedReaders = trustedReaders
  }

  /// An answered request.
  public struct Answered: Sendable {
    /// The request's file with the answer.
    public let exchange: ExchangeFile
    /// A human-readable account, one line for each event.
    public let story: [String]
    /// False for an answer in the clear.
    public var isSealed = true
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - file: An exchange file, or the options of `navigator.credentials.get`.
  ///   - origin: The website's origin; nil to use the file's.
  ///   - moment: The time at which certificates must be valid.
  ///   - ephemeralKey: A fresh key for this answer alone.
  /// - Throws: ``ExchangeFileError``, or `ProviderRefusal` if the wallet refuses to answer.
  public func answer(
    _ file: ExchangeFile, origin: String?, at moment: DateTime, ephemeralKey: P256.KeyAgreement.PrivateKey
  ) async throws -> Answered {
    let texts = try RequestTexts(anywhereIn: file)
    let (origin, url) = try Self.origin(origin, in: file)
    let raw = IdentityDocumentWebPresentmentRawRequest(
      requestType: .iso18013MobileDocument,
      requestData: Data(RequestData(deviceRequest: texts.deviceRequest, encryptionInfo: texts.encryptionInfo).json))
    let responder = MobileDocumentResponder(
      trustedReaders: trustedReaders ?? TrustedCertificates([], for: .reader),
      answersUntrustedReaders: trustedReaders == nil)
    let validated = try await responder.validateRawRequest(raw, origin: url, at: moment.date)
    let presentable = documents.map { $0.keeping(limits.allows) }
    let sealed = try responder.buildAndEncryptResponse(to: validated, with: presentable, ephemeralKey: ephemeralKey)
    var answered = file
    if file.root["request"] == nil { answered = ExchangeFile(json: .object([])).setting("request", to: texts.data) }
    // An earlier answer, encrypted or not, is removed.
    answered = answered.without("deviceResponse").without("sessionTranscript")
      .setting("origin", to: .string(origin))
      .setting("response", to: .string(Base64URL.encode([UInt8](sealed))))
    return Answered(exchange: answered, story: await story(of: validated.request, origin: origin, at: moment))
  }

  static func origin(_ origin: String?, in file: ExchangeFile) throws -> (text: String, url: URL) {
    let place = origin == nil ? "origin" : "--origin"
    guard let origin = try origin ?? file.root["origin"]?.shortText() else {
      throw ExchangeFileError(.memberMissing, place, "missing; a page's request has no origin, so pass --origin")
    }
    try OriginSpelling.requireSpelling(of: origin, at: place)
    guard let url = URL(string: origin), url.serializedOrigin == origin else {
      throw ExchangeFileError(.origin, place, "not a URL")
    }
    return (origin, url)
  }

  /// Returns the findings about the reader signatures of a request that the wallet does not answer; empty if the request
  /// cannot be read that far.
  public func findings(about file: ExchangeFile, origin: String?, at moment: DateTime) async -> [String] {
    guard let texts = try? RequestTexts(anywhereIn: file), let origin = try? Self.origin(origin, in: file).text,
      let bytes = try? RequestData(deviceRequest: texts.deviceRequest, encryptionInfo: texts.encryptionInfo)
        .deviceRequestBytes(), let request = try? UnverifiedDeviceRequest(bytes),
      let encryption = try? EncryptionInfo(text: texts.encryptionInfo)
    else { return [] }
    do {
      let authenticated = try request.authenticate(over: encryption.sessionTranscript(origin: origin))
      return ["\(TerminalSafe.text(origin)) asks"] + (await signatureStory(of: authenticated, at: moment))
    } catch {
      return ["\(TerminalSafe.text(origin)) asks", "  reader signatures: \(TerminalSafe.text(error.message))"]
    }
  }

  private func story(of request: AuthenticatedDeviceRequest, origin: String, at moment: DateTime) async -> [String] {
    var lines = ["\(TerminalSafe.text(origin)) asks"]
    lines += await signatureStory(of: request, at: moment)
    for items in request.documentRequests.map(\.value) { lines += documentStory(of: items) }
    return lines
  }

  /// The account of the reader signatures. A name is the reader's only if a trusted root certifies it.
  private func signatureStory(of request: AuthenticatedDeviceRequest, at moment: DateTime) async -> [String] {
    var lines: [String] = []
    for signature in request.readerAuthentications {
      let name = TerminalSafe.text(signature.leaf.subject.description)
      switch await trustedReaders?.validate(signature.chain, at: moment) {
      case .success(let path)?:
        let root = TerminalSafe.text(path.anchor.subject.description)
        lines.append("  \(signature.name) verifies, signed by \(name), certified under \(root)")
      case .failure(let error)?:
        lines.append("  \(signature.name) verifies; the signer is not certified: \(TerminalSafe.text(error.message))")
        lines.append("    its certificate claims the name \(name)")
      case nil:
        lines.append("  \(signature.name) verifies; no --trusted-readers, so the signer is unknown")
        lines.append("    its certificate claims the name \(name)")
      }
    }
    if request.readerAuthentications.isEmpty { lines.append("  the request is not signed") }
    for finding in request.findings {
      let subject = finding.subject.map { "\($0) " } ?? ""
      lines.append("  \(finding.status.rawValue): \(subject)\(TerminalSafe.text(finding.message)) [\(finding.name)]")
    }
    return lines
  }

  /// The account of one requested document: the elements that are shown and those that are not.
  func documentStory(of items: ItemsRequest) -> [String] {
    var lines = ["  document \(TerminalSafe.text(items.documentType))"]
    guard let held = documents.lazy.compactMap(\.held).first(where: { $0.documentType == items.documentType }) else {
      return lines + ["    not held"]
    }
    let answer = held.keeping(limits.allows).answer(to: items)
    for space in answer.nameSpaces {
      for item in space.items {
        lines.append("    shown     \(TerminalSafe.text("\(space.name) \(item.value.elementIdentifier)"))")
      }
    }
    for element in answer.missing {
      lines.append("    not shown \(TerminalSafe.text("\(element.nameSpace) \(element.identifier)"))")
    }
    return lines
  }
}

extension CheckFailure<ProviderCheck> {
  /// The refusal in lines that are safe to print, because certificates and requests come from outside.
  public var lines: [String] {
    ["not answered: \(TerminalSafe.text(description)) [\(name)]"]
      + evidence.map { evidence in
        let parts = [
          evidence.expected.map { "expected \(TerminalSafe.text($0))" },
          evidence.found.map { "found \(TerminalSafe.text($0))" },
        ]
        return "  \(TerminalSafe.text(evidence.field)): \(parts.compactMap(\.self).joined(separator: ", "))"
      }
  }
}
