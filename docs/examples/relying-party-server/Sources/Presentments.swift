import Crypto
import Foundation
import Logging
import Metrics
import MobileDocument
import OpenID4VP
import Primitives
import RelyingParty
import StatusLists
import Synchronization
import WebPresentment

/// Begins presentments and verifies their answers: everything that the server does with `RelyingParty`.
final class Presentments: Sendable {
  private let configuration: Configuration
  private let trust: Trust
  private let store: SessionStore
  private let lists: StatusListFetcher
  private let copies = Mutex(StatusListCopies())

  init(_ configuration: Configuration, trust: Trust, store: SessionStore) {
    self.configuration = configuration
    self.trust = trust
    self.store = store
    lists = StatusListFetcher(proxy: configuration.statusListProxy)
  }

  struct Begun: Sendable {
    let session: String
    /// The options of `navigator.credentials.get`, UTF-8 JSON.
    let options: [UInt8]
  }

  /// Begins a session of a page that asks in both protocols. The key that signs is of this request alone.
  func begin(origin: String, logger: Logger) async throws -> Begun {
    let (now, draft) = (DateTime(Date()), configuration.draft)
    let entry = trust.current.readers.signing(at: now)
    let readers = entry.map { [$0.reader] } ?? []
    let signers = readers.compactMap { PresentationRequestDraft.Signer($0) }
    let annexC = AnnexCSession(
      asking: draft, recipientKey: P256.KeyAgreement.PrivateKey(), nonce: random(AnnexCSession.nonceLength))
    let openID4VP = OpenID4VPSession(
      signers.isEmpty ? .unsigned : .signed, asking: try DCQLQuery(asking: draft.documents),
      nonce: random(OpenID4VPSession.nonceLength), recipientKey: P256.KeyAgreement.PrivateKey(), signedBy: signers,
      at: now)
    let session = VerifierSession(
      identifier: Base64URL.encode(random(16)), origin: origin, requests: [.annexC(annexC), .openID4VP(openID4VP)],
      expires: now.adding(seconds: configuration.sessions.seconds))
    let options = try PageRequest.options([
      PageRequest(annexC.data(asking: draft, signedBy: readers, origin: origin)),
      PageRequest(openID4VP.kind, openID4VP.data(origin: origin, signedBy: signers)),
    ])
    try await store.insert(session)
    Counter(label: "presentments_begun", dimensions: [("reader", entry?.name ?? "none")]).increment()
    logger.info("begun", metadata: ["session": "\(session.identifier)", "reader": "\(entry?.name ?? "none")"])
    return Begun(session: session.identifier, options: options)
  }

  /// Verifies an answer. The log has the checks that failed, and no element.
  func verdict(on answer: SubmittedAnswer, session identifier: String, logger: Logger) async throws
    -> VerificationVerdict
  {
    let start = ContinuousClock.now
    let verdict = try await trust.current.context.verdict(
      on: answer, to: try await store.find(identifier), copies: copies.withLock { $0 }, now: { DateTime(Date()) },
      markUsed: { try await self.store.markUsed($0) }, fetch: { await self.lists.fetch($0) },
      keep: { copy, list in self.copies.withLock { $0.keep(copy, of: list) } })
    let check = verdict.failure?.name ?? "none"
    Counter(label: "presentments_answered", dimensions: [("verdict", verdict.outcome), ("failed", check)]).increment()
    Metrics.Timer(label: "verification_seconds").record(duration: ContinuousClock.now - start)
    logger.info(
      "answered", metadata: ["session": "\(identifier)", "verdict": "\(verdict.outcome)", "failed": "\(check)"])
    return verdict
  }

  private func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255) } }
}
