import CBOR
import Certificates
import MobileDocument
import Primitives
import StatusLists
import TestSupport
import TestTraits
import Testing
import UntrustedParsers
import WebPresentment
import X509

/// Damaged responses and lists pass through the whole verification of a website's server.
@Suite("Damaged responses are verified to the end", .requiresVectors("synthetic_annex_c"))
struct WholeVerificationTests {
  /// The maximum number of damaged responses and lists, evenly spread over all vectors: each takes a whole
  /// verification.
  private static let mostChanges = 600
  private static let file = "synthetic_annex_c.json"
  private static let lists = [
    "https://issuer.example.com/status/1": "status-list-token",
    "https://issuer.example.com/idlist/1": "identifier-list-token",
  ]

  private let anchors: [Certificate]
  private let transcript: SessionTranscript
  private let moment: DateTime

  init() throws {
    anchors = [try Certificate(derEncoded: Vectors.entry("cert-iaca", of: Self.file).bytes("hex"))]
    transcript = SessionTranscript(
      encoded: try Vectors.entry("encryption-info", of: Self.file).bytes("session_transcript_hex"))
    moment = try #require(DateTime.parse("2026-06-01T00:00:00Z")).moment
  }

  private func report(of response: [UInt8]) async -> VerificationReport {
    await DeviceResponseVerifier(trustedIssuers: anchors).verify(response, over: transcript, requests: nil, at: moment)
  }

  private func elements(of report: VerificationReport) -> Set<String> {
    Set((report.verified?.documents ?? []).flatMap(\.elements).map { "\($0.nameSpace) \($0.identifier) \($0.value)" })
  }

  @Test("each gives elements signed by issuer and device, or a failed check")
  func responses() async throws {
    let seeds = try #require(UntrustedParser.named("device-response")).seeds()
    var known: Set<String> = []
    for seed in seeds { known.formUnion(elements(of: await report(of: seed))) }
    #expect(known.count >= 4)
    var changes: [[UInt8]] = []
    let tally = Damage.changes(of: seeds, .ordinarily(.spread(Self.mostChanges), of: "verification")) {
      changes.append($0)
    }
    print("verification: \(tally)")
    for changed in changes {
      let report = await report(of: changed)
      let failed = report.checks.contains { $0.status == .failed }
      #expect((report.verified == nil) == failed)
      #expect(elements(of: report).isSubset(of: known))
    }
  }

  @Test("no damaged list shows a revoked document as valid", arguments: lists.keys.sorted())
  func statusLists(uri: String) async throws {
    let token = try Vectors.entry(try #require(Self.lists[uri]), of: Self.file).bytes("hex")
    let identifier = uri.contains("idlist") ? "neg-identifier-revoked" : "neg-status-revoked"
    let report = await report(of: try Vectors.entry(identifier, of: Self.file).bytes("plaintext_hex"))
    #expect(report.verified != nil)
    var changes: [[UInt8]] = []
    _ = Damage.changes(of: [token], .everyByte(more: 0)) { changes.append($0) }
    for changed in changes + [token] + Damage.truncations(of: token) {
      let answers = [uri: StatusListAnswer.token(changed, fetched: moment)]
      let outcome = await report.checkingStatus(answers, under: .strict, at: moment)
      #expect(outcome.report.verified == nil && outcome.report.checks.contains { $0.status == .failed })
    }
  }
}
