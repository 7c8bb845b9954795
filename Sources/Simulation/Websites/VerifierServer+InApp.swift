import Certificates
import Crypto
import JSON
import Messaging
import Primitives
import RelyingParty
import SimulationKernel
import Storage
import TranscriptDiagnosis
import Vocabulary

/// The server of a requesting app: certifies its encryption key, draws the nonces, and verifies the envelopes.
///
/// ```
/// server --certificate request--> portal                   once, before the first request
/// app    --POST /identity-requests--> server               a new nonce
/// app    --POST .../response--> server                     session, envelope, every check of the device response
/// app    <--verification result-- server
/// ```
extension VerifierServer {
  /// The developer account of an app, with the key of its encryption certificate. The key does not leave the server.
  struct Merchant: Sendable {
    let app: WorldDescription.RequestingApp
    let key: P256.KeyAgreement.PrivateKey
  }

  /// Gets the encryption certificate of each app of the server.
  func prepareMerchants() async {
    for app in apps {
      do {
        let signer = try merchantKeys.signingKey()
        let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: signer.rawRepresentation)
        let request = try MerchantCertificateRequest.make(merchantIdentifier: app.merchantIdentifier, signer: signer)
        merchants.append(Merchant(app: app, key: key))
        let answer = try await station.endpoint.request(
          .certifyMerchant, request, as: MediaType.certificateRequest, to: Party.developerPortal)
        guard answer.kind == .merchantCertificate, let certificate = MerchantCertificate(answer.bytes),
          certificate.encryptionKey.rawRepresentation == key.publicKey.rawRepresentation
        else {
          station.note(.websiteNoMerchantCertificate, "the portal refuses \(app.merchantIdentifier)")
          continue
        }
      } catch {
        station.note(.websiteNoMerchantCertificate, "for \(app.merchantIdentifier): \(error)")
      }
    }
  }

  /// Begins a session of an app's request.
  func beginIdentityRequest(_ message: Message) {
    let body = message.body(MerchantBody.self)
    guard let merchant = merchants.first(where: { $0.app.merchantIdentifier == body?.merchantIdentifier }) else {
      return station.refuse(message, noting: .websiteBadRequest, "the server does not know the merchant identifier")
    }
    let session = InAppSession(
      identifier: Base64URL.encode(identifiers.bytes(12)), nonce: nonces.bytes(merchant.app.nonceLength),
      merchantIdentifier: merchant.app.merchantIdentifier, teamIdentifier: merchant.app.teamIdentifier,
      recipientKey: merchant.key, requests: [merchant.app.description.itemsRequest],
      expires: station.now.adding(seconds: website.sessionSeconds))
    do {
      try sessions.insert(session)
    } catch {
      return station.refuse(
        message, noting: .websiteCannotBegin, "the session cannot be stored: \(journalMessage(of: error))")
    }
    station.answer(
      message, .identityRequestBegun,
      BegunIdentityRequest(
        session: session.identifier, nonce: Base64URL.encode(session.nonce),
        merchantIdentifier: session.merchantIdentifier))
  }

  /// Verifies the envelope that an app submits.
  func verifyEnvelope(_ message: Message) async {
    guard let submitted = message.body(SubmittedEnvelope.self),
      let envelope = Base64URL.decode(submitted.encryptedData)
    else { return station.refuse(message, noting: .websiteBadRequest, "the app sent something unreadable") }
    do {
      let session = try sessions.inAppSession(submitted.session)
      try await verify(
        message, .inApp(session), event: .submittedEnvelope(envelope),
        explaining: ExchangeContext(otherInAppSessions: { [sessions] in
          guard let session else { return [] }
          let count = TranscriptExplainer.maximumOtherSessions
          return (try? sessions.newestInApp(count, besides: session.identifier)) ?? []
        }))
    } catch {
      station.refuse(message, noting: .websiteStorage, "the session cannot be read: \(journalMessage(of: error))")
    }
  }
}
