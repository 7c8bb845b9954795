import Crypto
import Foundation
import IdentityDocumentServices
import MobileDocument
import WebPresentment

/// The four steps that an app owes its holder between consent and answer: compare the raw request with what was shown,
/// verify its signatures, check whom they vouch for, then build and encrypt the response.
struct ResponsePreparation: Sendable {
  let context: ISO18013MobileDocumentRequestContext
  let trustedReaders: TrustedCertificates
  /// Whether the app answers requests that nobody signed.
  let answersUnsignedRequests: Bool
  let now: DateTime

  private func origin() throws(ProviderRefusal) -> String {
    guard let origin = context.requestingWebsiteOrigin?.serializedOrigin, !origin.isEmpty else {
      throw ProviderRefusal(.noOrigin)
    }
    return origin
  }

  private struct RawParts {
    let request: UnverifiedDeviceRequest
    let encryptionInfo: EncryptionInfo
    let transcript: SessionTranscript
  }

  private func parts(of rawRequest: IdentityDocumentWebPresentmentRawRequest) throws(ProviderRefusal) -> RawParts {
    let origin = try origin()
    do {
      let data = try RequestData(json: [UInt8](rawRequest.requestData))
      let encryptionInfo = try EncryptionInfo(text: data.encryptionInfo)
      return RawParts(
        request: try UnverifiedDeviceRequest(try data.deviceRequestBytes()), encryptionInfo: encryptionInfo,
        transcript: encryptionInfo.sessionTranscript(origin: origin))
    } catch {
      throw ProviderRefusal(.rawRequestUnreadable, "\(error)")
    }
  }

  /// Step 1: the raw request asks exactly what the person saw, signed by the same certificates.
  func validateConsistency(rawRequest: IdentityDocumentWebPresentmentRawRequest) throws(ProviderRefusal) {
    let parts = try parts(of: rawRequest)
    do {
      guard context.request.agrees(with: try parts.request.unverifiedContents()) else {
        throw ProviderRefusal(.rawRequestDiffers)
      }
    } catch let refusal as ProviderRefusal {
      throw refusal
    } catch {
      throw ProviderRefusal(.rawRequestUnreadable, "\(error)")
    }
  }

  /// Steps 2 and 3: every signature verifies over this app's own transcript, and one leads to an authority that the
  /// app trusts.
  /// - Returns: the request, now authenticated.
  func validate(
    rawRequest: IdentityDocumentWebPresentmentRawRequest
  ) async throws(ProviderRefusal) -> AuthenticatedDeviceRequest {
    let parts = try parts(of: rawRequest)
    let request: AuthenticatedDeviceRequest
    do {
      request = try parts.request.authenticate(over: parts.transcript)
    } catch {
      throw ProviderRefusal(.readerSignature, error.sentence)
    }
    if answersUnsignedRequests { return request }
    guard !request.readerAuthentications.isEmpty else { throw ProviderRefusal(.readerUnsigned) }
    var reasons: [String] = []
    for authentication in request.readersOfAll {
      switch await trustedReaders.validate(authentication.chain, at: now) {
      case .success: return request
      case .failure(let error): reasons.append(error.sentence)
      }
    }
    throw ProviderRefusal(.readerNotTrusted, reasons.uniqued().joined(separator: "; "))
  }

  /// Step 4: the documents of one set of every mandatory use case, each signed with its device key, sealed for the
  /// website's server.
  ///
  /// - Parameter documents: what the app holds, in the order in which it prefers them.
  /// - Returns: CBOR of `EncryptedResponse`.
  func response(
    to request: AuthenticatedDeviceRequest, rawRequest: IdentityDocumentWebPresentmentRawRequest,
    documents: [StoredDocument], ephemeralKey: P256.KeyAgreement.PrivateKey
  ) throws(ProviderRefusal) -> [UInt8] {
    let parts = try parts(of: rawRequest)
    let chosen = try choose(from: documents, for: request)
    do {
      var presented: [[UInt8]] = []
      for (items, stored) in chosen {
        let answer = stored.document.answer(to: items)
        presented.append(
          try stored.document.presented(answer.nameSpaces, over: parts.transcript, signedWith: stored.deviceKey))
      }
      let response = DeviceResponseWriter.encoded(documents: presented)
      return try EncryptedResponse(
        sealing: response, to: parts.encryptionInfo.recipientPublicKey, transcript: parts.transcript,
        ephemeralKey: ephemeralKey
      ).encoded
    } catch {
      throw ProviderRefusal(.responseNotMade, "\(error)")
    }
  }

  private func choose(
    from documents: [StoredDocument], for request: AuthenticatedDeviceRequest
  ) throws(ProviderRefusal) -> [(ItemsRequest, StoredDocument)] {
    let all = request.documentRequests.map(\.value)
    var useCases = request.deviceRequestInfo?.useCases ?? []
    if useCases.isEmpty { useCases = DeviceRequestInfo.all(documents: all.count).useCases }
    func holder(of index: Int) -> StoredDocument? {
      documents.first { stored in
        let items = all[index]
        return stored.document.documentType == items.documentType
          && (items.issuerIdentifiers.isEmpty
            || items.issuerIdentifiers.contains { stored.document.issuerKeyIdentifiers.contains($0) })
      }
    }
    var indexes: [Int] = []
    for useCase in useCases {
      if let set = useCase.documentSets.first(where: { $0.allSatisfy { holder(of: $0) != nil } }) {
        indexes += set
      } else if useCase.isMandatory {
        throw ProviderRefusal(.documentNotHeld)
      }
    }
    let chosen = indexes.uniqued().sorted().compactMap { index in holder(of: index).map { (all[index], $0) } }
    guard !chosen.isEmpty else { throw ProviderRefusal(.documentNotHeld) }
    return chosen
  }
}

/// Who asks, as an app may show it.
struct RequesterIdentity: Sendable {
  let name: String
  let icon: String?
  let isCertified: Bool

  /// The requester of a parsed request: the brand in the first certificate that leads to a trusted authority, else
  /// the website's host, which the browser vouches for.
  init(of context: ISO18013MobileDocumentRequestContext, trustedReaders: TrustedCertificates, at moment: DateTime) async
  {
    for authentication in context.request.requestAuthentications {
      guard
        case .success(let path) = await trustedReaders.validate(
          authentication.authenticationCertificateChain, at: moment)
      else { continue }
      let brand = BrandIdentity(in: path.leaf)
      name = brand?.name ?? path.leaf.commonName ?? ""
      icon = brand.flatMap { $0.icon.isEmpty ? nil : $0.icon }
      isCertified = true
      return
    }
    name = context.requestingWebsiteOrigin?.host() ?? "Unknown"
    icon = nil
    isCertified = false
  }
}
