import CBOR
import COSE
import Certificates
import Checks
import Crypto
import MobileDocument
import Primitives
import StatusLists
import TestSupport
import Testing
import X509

/// A document with a status, and lists that say something about it, for tests of revocation status.
package struct StatusPort: Sendable {
  package static let uri = "https://spaceport.example/status/1"
  package static let index: UInt64 = 7
  package static let identifier: [UInt8] = [0xab, 0xcd]

  package let port: Spaceport
  package let listKey: P256.Signing.PrivateKey
  package let listSigner: Certificate

  package init() throws {
    port = try Spaceport.shared
    listKey = try fixedKey(40)
    listSigner = try Self.signer(of: port.issuer, key: listKey, terms: Spaceport.terms(port.now, days: 200))
  }

  package var now: DateTime { port.now }

  private static func signer(
    of authority: CertificateAuthority, key: P256.Signing.PrivateKey, terms: CertificateAuthority.Terms
  ) throws -> Certificate {
    try authority.statusListSigner(
      name: CertificateName(country: "US", state: "US-CA", commonName: "List Signer"),
      publicKey: Certificate.PublicKey(key.publicKey), contact: "https://spaceport.example", terms: terms)
  }

  /// Another certificate of the list's signer.
  package func signer(
    of authority: CertificateAuthority? = nil, days: Int = 200, at time: DateTime? = nil
  ) throws -> Certificate {
    try Self.signer(
      of: authority ?? port.issuer, key: listKey, terms: Spaceport.terms(time ?? now, days: days))
  }

  /// A certificate for the list's signer, issued by any certificate, even one without CA rights.
  package func signer(by issuer: Certificate, key: P256.Signing.PrivateKey) throws -> Certificate {
    var blueprint = try CertificateBlueprint(.statusListSigner, issuer: port.issuer)
    blueprint.authorityKey = issuer.subjectKeyIdentifier
    blueprint.subjectPublicKey = Certificate.PublicKey(listKey.publicKey)
    return try blueprint.made(by: issuer, key: key)
  }

  /// A chain from a status signer to the document signer that certified it without CA rights.
  package func underSigner() throws -> [Certificate] {
    let other = try Spaceport.documentSigner(of: port.issuer, key: fixedKey(44), terms: Spaceport.terms(now, days: 100))
    return [try signer(by: other, key: fixedKey(44)), other]
  }

  package func claims(_ content: StatusTokenClaims.Content, timeToLive: UInt64? = 3600) -> StatusTokenClaims {
    StatusTokenClaims(
      subject: Self.uri, issuedAt: now.adding(seconds: -600), expires: now.adding(days: 7), timeToLive: timeToLive,
      content: content)
  }

  package func statusList(_ value: UInt8 = 0, entrySize: StatusList.EntrySize = .one) -> StatusTokenClaims {
    var list = StatusList(entrySize: entrySize, count: 16)
    list.set(Self.index, to: value)
    return claims(.statusList(list))
  }

  package func token(
    _ claims: StatusTokenClaims, chain: [Certificate]? = nil, signedBy key: P256.Signing.PrivateKey? = nil,
    change: (inout StatusTokenDraft) -> Void = { _ in }
  ) throws -> [UInt8] {
    var draft = StatusTokenDraft(claims)
    change(&draft)
    return try draft.signed(by: key ?? listKey, chain: (chain ?? [listSigner]).map { try $0.derEncoded() })
  }

  /// The report on a valid response with a document of this status.
  package func report(
    _ status: DocumentStatus? = DocumentStatus([StatusReference(.index(index), uri: uri)]), at time: DateTime? = nil
  ) async throws -> VerificationReport {
    var draft = try port.draft()
    draft.status = status
    let held = try port.held(draft)
    let request = Spaceport.request(["family_name"])
    let document = try held.presented(
      held.answer(to: request).nameSpaces, over: port.transcript, signedWith: port.deviceKey)
    return await port.verify(DeviceResponseWriter.encoded(documents: [document]), requests: [request], at: time)
  }

  /// The outcome of a status check with a fetched token, or of a failed fetch if it is nil.
  package func checked(
    _ token: [UInt8]?, reference: StatusReference? = nil, under policy: RevocationPolicy = .standard,
    fetched: DateTime? = nil, at time: DateTime? = nil
  ) async throws -> StatusOutcome {
    let report = try await report(DocumentStatus([reference ?? StatusReference(.index(Self.index), uri: Self.uri)]))
    #expect(report.verified != nil)
    let answer = token.map { StatusListAnswer.token($0, fetched: fetched ?? now) } ?? .unreachable("no answer")
    return await report.checkingStatus([Self.uri: answer], under: policy, at: time ?? now)
  }
}

extension StatusOutcome {
  /// The codes of failed status checks, in order.
  package var failed: [String] { report.failed }
  /// The codes of deviating status checks, in order.
  package var deviating: [String] { report.deviating }
  /// The codes of checks that were not reached, in order.
  package var notReached: [String] { report.checks.filter { $0.status == .notReached }.map(\.name) }
}
