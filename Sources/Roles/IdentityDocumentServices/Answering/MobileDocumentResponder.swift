import Certificates
import Crypto
import FoundationEssentials
import MobileDocument
import Primitives
import WebPresentment
import X509

/// The steps that an app owes its holder between consent and answer. Apple's framework leaves them to the app. They are
/// called inside `sendResponse`, in this order:
///
/// ```
/// raw request --validateConsistency-----> asks what the person agreed to, with the same certificates
///             --validateRawRequest------> every signature verifies over a transcript of the app's own making, and one
///                                         leads to a reader authority that the app trusts
///             --buildAndEncryptResponse-> documents of one set of every mandatory use case, each signed with its
///                                         device key, sealed for the website's server
/// ```
///
/// It knows no clock, no storage and no randomness: the time, the documents and the ephemeral key come in as values.
public struct MobileDocumentResponder: Sendable {
  /// Roots of the reader authorities that the app trusts.
  public let trustedReaders: TrustedCertificates
  /// Whether the app answers requests that nobody signed, or that an authority it does not trust vouches for.
  public let answersAnybody: Bool

  /// Why a certificate cannot serve as the root of a reader authority.
  public struct UnusableRoot: Error, LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// Position among the roots that were given, from 0.
    public let position: Int
    /// What is wrong, for a person to read.
    public let description: String

    /// The error for a person to read.
    public var errorDescription: String? { description }
  }

  /// A responder that trusts some roots.
  public init(trustedReaders: TrustedCertificates, answersAnybody: Bool = false) {
    self.trustedReaders = trustedReaders
    self.answersAnybody = answersAnybody
  }

  /// A responder that trusts some roots, from their bytes.
  ///
  /// - Parameter roots: DER of each root certificate. One whose key has no implementation here keeps nobody from
  ///   trusting the others.
  /// - Throws: ``UnusableRoot`` for one that cannot be read, or that has no subject key identifier: no registration
  ///   could name it.
  public init(trustedReaderRoots roots: [Data], answersAnybody: Bool = false) throws(UnusableRoot) {
    var trusted = TrustedCertificates([], for: .reader)
    for (position, root) in roots.enumerated() {
      let read: TrustedCertificates
      do {
        read = try TrustedCertificates(reading: [[UInt8](root)], for: .reader)
      } catch {
        throw UnusableRoot(position: position, description: "root \(position) cannot be read: \(error.description)")
      }
      guard (read.anchors.map(CertificateFields.init) + read.unusable).allSatisfy({ $0.subjectKeyIdentifier != nil })
      else { throw UnusableRoot(position: position, description: "root \(position) has no subject key identifier") }
      trusted = trusted.adding(read)
    }
    self.init(trustedReaders: trusted, answersAnybody: answersAnybody)
  }

  /// What registrations name as `supportedAuthorityKeyIdentifiers`: the subject key identifier of each trusted root.
  public var authorityKeyIdentifiers: [Data] {
    trustedReaders.anchors.compactMap { root in root.subjectKeyIdentifier.map { Data($0) } }
  }

  /// Who asks, as far as the trusted authorities vouch for it: for the authorization view.
  /// - Parameter moment: the time for which certificates must be valid.
  public func requester(of context: ISO18013MobileDocumentRequestContext, at moment: Date) async -> RequesterIdentity {
    await RequesterIdentity(of: context, trustedReaders: trustedReaders, at: DateTime(moment))
  }

  /// Step 1: the raw request asks exactly what the person saw, with the same certificates.
  ///
  /// - Parameters:
  ///   - request: what the authorization view showed, ``ISO18013MobileDocumentRequestContext/request``.
  ///   - rawRequest: what the system released.
  /// - Throws: ``ProviderRefusal`` with `provider.raw-request-unreadable` or `provider.raw-request-differs`.
  public func validateConsistency(
    request: ISO18013MobileDocumentRequest, rawRequest: IdentityDocumentWebPresentmentRawRequest
  ) throws(ProviderRefusal) {
    let (deviceRequest, _) = try Self.parts(of: rawRequest)
    let contents: UnverifiedRequestContents
    do {
      contents = try deviceRequest.unverifiedContents()
    } catch {
      throw ProviderRefusal(.rawRequestUnreadable, "\(error)", evidence: error.evidence)
    }
    guard request.agrees(with: contents) else { throw ProviderRefusal(.rawRequestDiffers) }
  }

  /// Step 2: every signature verifies over the app's own transcript, and one that covers the whole request leads to an
  /// authority that the app trusts. The system has checked the signatures too, but not whom to trust, and what it
  /// says is no proof to the app.
  ///
  /// - Parameters:
  ///   - origin: ``ISO18013MobileDocumentRequestContext/requestingWebsiteOrigin``; a path of `/` is not part of it.
  ///   - moment: the time for which certificates must be valid.
  /// - Returns: the request, now fit to be answered.
  /// - Throws: ``ProviderRefusal`` with `provider.no-origin`, `provider.raw-request-unreadable`,
  ///   `provider.reader-signature`, `provider.reader-unsigned` or `provider.reader-not-trusted`.
  public func validateRawRequest(
    _ rawRequest: IdentityDocumentWebPresentmentRawRequest, origin: URL?, at moment: Date
  ) async throws(ProviderRefusal) -> ValidatedMobileDocumentRequest {
    guard let origin = origin?.serializedOrigin, !origin.isEmpty else { throw ProviderRefusal(.noOrigin) }
    let (deviceRequest, encryptionInfo) = try Self.parts(of: rawRequest)
    let transcript = encryptionInfo.sessionTranscript(origin: origin)
    let request: AuthenticatedDeviceRequest
    do {
      request = try deviceRequest.authenticate(
        over: transcript,
        explainer: TranscriptExplainer(TranscriptInputs(encryptionInfoText: encryptionInfo.text, origin: origin)))
    } catch {
      // What cannot be read says nothing about signatures, and need not have any.
      let check: ProviderCheck =
        switch error.code {
        case .malformed, .version, .limit: .rawRequestUnreadable
        case .readerCertificate, .readerSignature: .readerSignature
        }
      throw ProviderRefusal(check, error.sentence, evidence: error.evidence)
    }
    if !answersAnybody { try await requireTrustedReader(of: request, at: DateTime(moment)) }
    return ValidatedMobileDocumentRequest(
      request: request, recipientPublicKey: encryptionInfo.recipientPublicKey, transcript: transcript,
      moment: DateTime(moment))
  }

  private func requireTrustedReader(
    of request: AuthenticatedDeviceRequest, at moment: DateTime
  ) async throws(ProviderRefusal) {
    guard !request.readerAuthentications.isEmpty else { throw ProviderRefusal(.readerUnsigned) }
    var reasons: [String] = []
    for authentication in request.readersOfAll {
      switch await trustedReaders.validate(authentication.chain, at: moment) {
      case .success: return
      case .failure(let error): reasons.append(error.sentence)
      }
    }
    if reasons.isEmpty { reasons = ["no signer stands behind the whole request"] }
    throw ProviderRefusal(.readerNotTrusted, reasons.uniqued().joined(separator: "; "))
  }

  private static func parts(
    of rawRequest: IdentityDocumentWebPresentmentRawRequest
  ) throws(ProviderRefusal) -> (deviceRequest: UnverifiedDeviceRequest, encryptionInfo: EncryptionInfo) {
    do {
      let data = try RequestData(json: [UInt8](rawRequest.requestData))
      let encryptionInfo = try EncryptionInfo(text: data.encryptionInfo)
      return (try UnverifiedDeviceRequest(try data.deviceRequestBytes()), encryptionInfo)
    } catch {
      throw ProviderRefusal(.rawRequestUnreadable, "\(error)")
    }
  }
}

/// A raw request whose signatures verified and whose requester may be answered. Only
/// ``MobileDocumentResponder/validateRawRequest(_:origin:at:)`` makes one, and nothing else can be answered.
public struct ValidatedMobileDocumentRequest: Sendable {
  /// What is asked for and who signed.
  public let request: AuthenticatedDeviceRequest
  package let recipientPublicKey: P256.KeyAgreement.PublicKey
  let transcript: SessionTranscript
  /// When it was validated.
  package let moment: DateTime
}
