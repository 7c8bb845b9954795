import CBOR
import COSE
import Crypto
import DocumentFixtures
import TestSupport
import TestTraits
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

/// Documents and tokens of other implementations. The tokens of the synthetic set are signed with the document signer's
/// key, which is refused with its own code; otherwise they are readable.
@Suite("Known status tokens")
struct StatusVectorTests {
  private static let file = "synthetic_annex_c.json"

  private func entry(_ identifier: String) throws -> Vector { try Vectors.entry(identifier, of: Self.file) }

  private func report(of identifier: String) async throws -> (report: VerificationReport, now: DateTime) {
    let now = try moment(#require(try Vectors.file(Self.file)["verification_time"]?.text))
    let transcript = SessionTranscript(encoded: try entry("encryption-info").bytes("session_transcript_hex"))
    let report = await DeviceResponseVerifier(trustedIssuers: [try certificate(entry("cert-iaca").bytes("hex"))])
      .verify(try entry(identifier).bytes("plaintext_hex"), over: transcript, requests: nil, at: now)
    #expect(report.verified != nil)
    return (report, now)
  }

  static let cases: [(document: String, token: String, listed: String)] = [
    ("neg-status-revoked", "status-list-token", "status list"),
    ("neg-identifier-revoked", "identifier-list-token", "identifier list"),
  ]

  @Test(
    "a listed document is revoked, and a list of the document signer is refused",
    .requiresVectors("synthetic_annex_c"), arguments: cases)
  func revoked(document: String, token: String, listed: String) async throws {
    let (report, now) = try await report(of: document)
    let reference = try #require(report.statusQueries.first?.status.references.first)
    #expect(report.statusQueries.count == 1 && reference.kind.words == listed)
    let bytes = try entry(token).bytes("hex")
    let answers = [reference.uri: StatusListAnswer.token(bytes, fetched: now)]
    let outcome = await report.checkingStatus(answers, under: .standard, at: now)
    // A document signer's certificate is not a status signer's certificate.
    #expect(outcome.failed == ["status.list.signer", "status.list.certificate/invalid", "status.revocation/revoked"])
    #expect(outcome.deviating == [] && outcome.report.verified == nil)
    // Revocation alone refuses too.
    let tolerant = await report.checkingStatus(answers, under: RevocationPolicy(refuses: [.revoked]), at: now)
    #expect(
      tolerant.failed == ["status.revocation/revoked"]
        && Set(tolerant.deviating) == ["status.list.signer", "status.list.certificate/invalid"])
  }

  @Test(
    "the same list under a certificate of its own is accepted and revokes the document",
    .requiresVectors("synthetic_annex_c"), arguments: cases)
  func resigned(document: String, token: String, listed: String) async throws {
    let (report, now) = try await report(of: document)
    let reference = try #require(report.statusQueries.first?.status.references.first)
    let published = try UnverifiedStatusToken(entry(token).bytes("hex"))
    let claims = try published.verified().claims(reference.kind)
    // The root's key is part of the set, so that a signer can be certified under it.
    let root = try certificate(entry("cert-iaca").bytes("hex"))
    let rootKey = try P256.Signing.PrivateKey(rawRepresentation: entry("key-iaca").bytes("d_hex"))
    let key = try fixedKey(40)
    let signer = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
      notValidBefore: now.adding(days: -1).date, notValidAfter: now.adding(days: 1).date, issuer: root.subject,
      subject: DistinguishedName {
        CountryName("US")
        CommonName("List Signer")
      }, signatureAlgorithm: .ecdsaWithSHA256,
      extensions: Certificate.Extensions {
        Critical(KeyUsage(digitalSignature: true))
        AuthorityKeyIdentifier(keyIdentifier: ArraySlice(root.subjectKeyIdentifier ?? []))
        SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
      }, issuerPrivateKey: Certificate.PrivateKey(rootKey))
    func outcome(_ claims: StatusTokenClaims) async throws -> StatusOutcome {
      let signed = try StatusTokenDraft(claims).signed(by: key, chain: [signer.derEncoded()])
      return await report.checkingStatus(
        [reference.uri: .token(signed, fetched: now)], under: .standard, at: now)
    }
    #expect(try await outcome(claims).failed == ["status.revocation/revoked"])
    var cleared = claims
    switch claims.content {
    case .statusList(var list):
      list.set(7, to: StatusValue.valid)
      cleared.content = .statusList(list)
    case .identifierList(var identifiers):
      identifiers.remove([0xab, 0xcd])
      cleared.content = .identifierList(identifiers)
    }
    #expect(cleared != claims)
    let valid = try await outcome(cleared)
    #expect(valid.failed == [] && valid.report.verified != nil)
  }

  @Test("the draft's token is read and verifies with the published key", .requiresVectors("status_lists"))
  func draftToken() throws {
    let vector = try Vectors.entry("status_list_cwt", of: "status_lists.json")
    let token = try UnverifiedStatusToken(vector.bytes("hex"))
    #expect(token.chain.isEmpty && token.type == "application/statuslist+cwt")
    let signature = try COSESign1(CBORReader.read(vector.bytes("hex")))
    let claims = try StatusTokenClaims(#require(signature.unverifiedPayload), kind: .statusList)
    let printed = try #require(vector["claims"]?.object)
    #expect(claims.subject == printed["2"]?.text && claims.timeToLive.map { Double($0) } == printed["65534"]?.number)
    #expect(Double(claims.issuedAt.secondsSince1970) == printed["6"]?.number)
    #expect(Double(claims.expires.secondsSince1970) == printed["4"]?.number)
    #expect(claims.content == .statusList(StatusList(entrySize: .one, bytes: [0xb9, 0xa3])))
  }

  @Test("a token that refers to a list has the entry of its claim", .requiresVectors("status_lists"))
  func referencedToken() throws {
    let vector = try Vectors.entry("referenced_token_cwt", of: "status_lists.json")
    let signature = try COSESign1(CBORReader.read(vector.bytes("hex")))
    let claims = try CBORReader.read(#require(signature.unverifiedPayload)).map()
    let status = DocumentStatus(reading: try claims.required(65_535))
    let printed = try #require(vector["claims"]?["65535"]?["status_list"])
    #expect(status.references == [StatusReference(.index(0), uri: try #require(printed["uri"]?.text))])
  }

  @Test("the spellings of the standard's example are accepted", .requiresVectors("status_lists"))
  func example() throws {
    let vector = try Vectors.entry("draft-d6-shapes", of: "status_lists.json")
    for (kind, name) in [(StatusListKind.statusList, "status_list_cwt"), (.identifierList, "identifier_list_cwt")] {
      let type = try #require(vector[name]?["protected"]?["16"]?.text)
      #expect(type.hasPrefix(kind.typeInExample + " "))
    }
  }

  @Test("every entry of the file is used", .requiresVectors("status_lists"))
  func count() {
    let entries = Vectors.entries(of: "status_lists.json")
    let others = ["status_list_cwt", "referenced_token_cwt", "mdoc-issuer-auth-with-status-list", "draft-d6-shapes"]
    #expect(entries.count == StatusListTests.lists.count + others.count)
    #expect(others.allSatisfy { name in entries.contains { $0.identifier == name } })
  }
}
