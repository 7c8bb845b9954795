import Certificates
import Crypto
import DigitalCredentials
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import WebPresentment

/// Answers a request as a wallet: checks the reader signatures over a transcript of its own making, presents what is asked
/// for and held, signs with the device key and seals for the website's server. It asks nobody for consent.
public struct ExchangeAnswering: Sendable {
  /// The documents that can be presented.
  public var documents: [HeldWithKey]
  /// What the holder shows of them.
  public var limits: ElementLimits
  /// Certificates of the reader authorities that the wallet answers; nil to answer anybody.
  public var trustedReaders: TrustedCertificates?

  /// A wallet.
  public init(
    documents: [HeldWithKey], limits: ElementLimits = ElementLimits(), trustedReaders: TrustedCertificates? = nil
  ) {
    self.documents = documents
    self.limits = limits
    self.trustedReaders = trustedReaders
  }

  /// What was answered.
  public struct Answered: Sendable {
    /// The request's file with the answer in it.
    public let exchange: ExchangeFile
    /// What happened, a line each, for a person to read.
    public let story: [String]
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - file: an exchange file, or what a page passes to `navigator.credentials.get`.
  ///   - origin: the website's origin; nil to take the file's.
  ///   - moment: the time for which certificates must be valid.
  ///   - ephemeralKey: a fresh key; never used for anything else.
  /// - Throws: ``ExchangeFileError``; or `ProviderRefusal` when the wallet will not answer.
  public func answer(
    _ file: ExchangeFile, origin: String?, at moment: DateTime, ephemeralKey: P256.KeyAgreement.PrivateKey
  ) async throws -> Answered {
    let texts = try RequestTexts(anywhereIn: file)
    let place = origin == nil ? "origin" : "--origin"
    guard let origin = try origin ?? file.root["origin"]?.shortText() else {
      throw ExchangeFileError(.memberMissing, place, "it is missing; what a page passes on has none, so say --origin")
    }
    try OriginText.requireSpelling(of: origin, at: place)
    guard let url = URL(string: origin), url.serializedOrigin == origin else {
      throw ExchangeFileError(.origin, place, "it is no URL")
    }
    let raw = IdentityDocumentWebPresentmentRawRequest(
      requestType: .iso18013MobileDocument,
      requestData: Data(RequestData(deviceRequest: texts.deviceRequest, encryptionInfo: texts.encryptionInfo).json))
    let responder = MobileDocumentResponder(
      trustedReaders: trustedReaders ?? TrustedCertificates([], for: .reader), answersAnybody: trustedReaders == nil)
    let validated = try await responder.validateRawRequest(raw, origin: url, at: moment.date)
    let presentable = documents.map { $0.limited(to: limits) }
    let sealed = try responder.buildAndEncryptResponse(to: validated, with: presentable, ephemeralKey: ephemeralKey)
    var answered = file
    if file.root["request"] == nil {
      answered = ExchangeFile(json: .object([])).setting("request", to: texts.data)
    }
    // What somebody answered before, sealed or not, is not kept beside this answer.
    answered = answered.without("deviceResponse").without("sessionTranscript")
      .setting("origin", to: .string(origin))
      .setting("response", to: .string(Base64URL.encode([UInt8](sealed))))
    return Answered(exchange: answered, story: story(of: validated.request, origin: origin))
  }

  private func story(of request: AuthenticatedDeviceRequest, origin: String) -> [String] {
    var lines = ["\(Printable.text(origin)) asks"]
    for signature in request.readerAuthentications {
      lines.append("  \(signature.name) verifies, signed by \(Printable.text(signature.leaf.subject.description))")
    }
    if request.readerAuthentications.isEmpty { lines.append("  nobody signed the request") }
    for finding in request.findings {
      let subject = finding.subject.map { "\($0) " } ?? ""
      lines.append("  \(finding.status.rawValue): \(subject)\(Printable.text(finding.message)) [\(finding.name)]")
    }
    for items in request.documentRequests.map(\.value) {
      lines.append("  document \(Printable.text(items.documentType))")
      guard let document = documents.first(where: { $0.held.documentType == items.documentType }) else {
        lines.append("    not held")
        continue
      }
      let answer = document.held.keeping(limits.allows).answer(to: items)
      for space in answer.nameSpaces {
        for item in space.items {
          lines.append("    shown     \(Printable.text("\(space.name) \(item.value.elementIdentifier)"))")
        }
      }
      for element in answer.missing {
        lines.append("    not shown \(Printable.text("\(element.nameSpace) \(element.identifier)"))")
      }
    }
    return lines
  }
}
