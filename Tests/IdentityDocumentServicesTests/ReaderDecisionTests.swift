import Certificates
import Checks
import DevicePlatform
import DocumentFixtures
import Foundation
import IdentityDocumentServices
import TestSupport
import Testing
import X509

@Suite("The decision about a request's readers")
struct ReaderDecisionTests {
  private static let origins = [Exchange.origin, "https://phish.example"]

  /// Every choice of at most two of these chains, by number.
  private static let signers: [[Int]] = [[]] + (0..<5).flatMap { one in [[one]] + (one + 1..<5).map { [one, $0] } }

  private static func chain(_ number: Int) throws -> [Certificate] {
    let readers = try Readers.shared
    return [readers.ofFirst, readers.ofSecond, readers.expired, readers.future, readers.withIntermediate][number]
  }

  /// A list that revokes every certificate of the first authority: they have the same serial number.
  private static func lists(areRevoking: Bool) throws -> [CertificateRevocationList] {
    let readers = try Readers.shared
    let revocations = [
      CertificateAuthority.Revocation(serialNumber: readers.ofFirst[0].serialNumber, date: Readers.now)
    ]
    let der = try readers.first.revocationList(
      areRevoking ? revocations : [], number: 1, from: Readers.now, until: Readers.now.adding(days: 1))
    return [try CertificateRevocationList(derEncoded: der)]
  }

  /// The refusal of the sheet, and that of the answer.
  private static func refusals(
    _ responder: MobileDocumentResponder, to raw: IdentityDocumentWebPresentmentRawRequest, from origin: String
  ) async throws -> (sheet: ProviderFinding?, answer: ProviderFinding?) {
    let url = try #require(URL(string: origin))
    let shown = try IdentityDocumentWebPresentmentRawRequestValidator()
      .validateISO18013MobileDocumentRequest(raw.requestData, origin: url)
    let context = ISO18013MobileDocumentRequestContext(
      request: shown, requestingWebsiteOrigin: url, session: QuietSession())
    let sheet = await responder.requester(of: context, at: Readers.now.date).refusal
    let answer = await Exchange.refusal {
      _ = try await responder.validateRawRequest(raw, origin: url, at: Readers.now.date)
    }
    return (sheet?.finding, answer)
  }

  @Test("The person is asked exactly if the app would answer", arguments: origins, signers)
  func agreement(origin: String, signers: [Int]) async throws {
    let raw = try Exchange.shared.rawRequest(signedBy: signers.map(Self.chain), origin: origin)
    for choice in 0..<8 {
      var responder = try Exchange.responder(answersUntrustedReaders: choice & 1 != 0)
      responder.answersOtherDomains = choice & 2 != 0
      responder.revocationLists = try Self.lists(areRevoking: choice & 4 != 0)
      let found = try await Self.refusals(responder, to: raw, from: origin)
      #expect(found.sheet == found.answer, "choice \(choice)")
    }
  }

  @Test("An app in production refuses a trusted reader with the mark of a test programme, and no other")
  func testProgramme() async throws {
    let readers = try Readers.shared
    let root = try CertificateAuthority(
      name: CertificateName(country: TestMark.country, commonName: "test"),
      contact: "https://test.example", terms: Readers.terms(days: 2000), signer: fixedKey(9))
    let leaf = try root.reader(
      name: CertificateName(commonName: "rentals.example"), domain: "rentals.example", brand: nil,
      publicKey: Certificate.PublicKey(readers.key.publicKey), terms: Readers.terms(days: 90))
    var responder = MobileDocumentResponder(
      trustedReaders: TrustedCertificates([try root.root, try readers.first.root], for: .reader))
    let marked = try Exchange.shared.rawRequest(signedBy: [[leaf]])
    let both = try Exchange.shared.rawRequest(signedBy: [[leaf], readers.ofFirst])
    #expect(try await Self.refusals(responder, to: marked, from: Exchange.origin).answer == nil)
    responder.acceptsTestReaders = false
    let refused = try await Self.refusals(responder, to: marked, from: Exchange.origin)
    #expect(refused.answer == ProviderFinding(.production) && refused.sheet == refused.answer)
    #expect(try await Self.refusals(responder, to: both, from: Exchange.origin).answer == nil)
  }

  @Test("An app that answers untrusted readers refuses a trusted one that is revoked or of another website")
  func untrustedReaders() async throws {
    let readers = try Readers.shared
    var responder = try Exchange.responder(answersUntrustedReaders: true)
    let phishing = Self.origins[1]
    let differs = try await Self.refusals(
      responder, to: Exchange.shared.rawRequest(signedBy: [readers.ofFirst], origin: phishing), from: phishing)
    #expect(differs.answer == ProviderFinding(.domain, .differs) && differs.sheet == differs.answer)
    responder.revocationLists = try Self.lists(areRevoking: true)
    let revoked = try await Self.refusals(
      responder, to: Exchange.shared.rawRequest(signedBy: [readers.ofFirst]), from: Exchange.origin)
    #expect(revoked.answer == ProviderFinding(.reader, .revoked) && revoked.sheet == revoked.answer)
    let unsigned = try await Self.refusals(responder, to: Exchange.shared.rawRequest(), from: Exchange.origin)
    #expect(unsigned.answer == nil && unsigned.sheet == nil)
  }
}
