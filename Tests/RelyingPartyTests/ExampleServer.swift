import Crypto
import Foundation
import MobileDocument
import OpenID4VP
import Primitives
import RelyingParty
import StatusLists
import WebPresentment

// The example of docs/relying-party.md. It uses public declarations only; a test compares the page with this file.

/// A website's server.
struct ExampleServer {
  let context: VerificationContext
  let draft: DeviceRequestDraft
  let readers: [DeviceRequestDraft.Reader]
  let signers: [PresentationRequestDraft.Signer]
  let sessions: SessionTable
  let now: @Sendable () -> DateTime
  let fetch: @Sendable (StatusListLocation) async -> StatusListAnswer

  /// Answers the page's `POST /presentments`.
  func begin() async throws -> (session: String, options: [UInt8]) {
    let annexC = AnnexCSession(
      asking: draft, recipientKey: P256.KeyAgreement.PrivateKey(), nonce: random(AnnexCSession.nonceLength))
    let openID4VP = OpenID4VPSession(
      .signed, asking: try DCQLQuery(asking: draft.documents),
      nonce: random(OpenID4VPSession.nonceLength), recipientKey: P256.KeyAgreement.PrivateKey(), signedBy: signers,
      at: now())
    let session = VerifierSession(
      identifier: UUID().uuidString, origin: "https://spaceport.example",
      requests: [.annexC(annexC), .openID4VP(openID4VP)], expires: now().adding(seconds: 600))
    await sessions.insert(session)
    let options = try PageRequest.options([
      PageRequest(annexC.data(asking: draft, signedBy: readers, origin: session.origin)),
      PageRequest(openID4VP.kind, openID4VP.data(origin: session.origin, signedBy: signers)),
    ])
    return (session.identifier, options)
  }

  /// Answers the page's `POST /presentments/response`.
  func verify(_ answer: SubmittedAnswer, session identifier: String) async -> String {
    let verdict = await context.verdict(
      on: answer, to: await sessions.find(identifier), now: now,
      markUsed: { await sessions.markUsed($0) }, fetch: { await fetch($0) })
    for check in verdict.checks where check.status == .failed { print(check.name, check.message) }
    for document in verdict.documents { print(document.documentType, document.elements.count) }
    for presentation in verdict.presentations { print("answers", presentation.id) }
    return verdict.pageJSON
  }

  private func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }

  /// Answers the app's `POST /identity-requests/response`.
  func verify(envelope: [UInt8], session: InAppSession?) async -> String {
    let verdict = await context.verdict(
      onEnvelope: envelope, to: session, now: now,
      markUsed: { await sessions.markUsed($0) }, fetch: { await fetch($0) })
    return verdict.pageJSON
  }
}

/// The sessions, in memory. A server keeps them in its database.
actor SessionTable {
  private var sessions: [String: VerifierSession] = [:]
  private var used: Set<String> = []

  func insert(_ session: VerifierSession) { sessions[session.identifier] = session }

  func find(_ identifier: String) -> VerifierSession? { sessions[identifier] }

  /// Marks a session as used in one step: of two answers at the same time, only one gets true.
  func markUsed(_ identifier: String) -> Bool { used.insert(identifier).inserted }
}
