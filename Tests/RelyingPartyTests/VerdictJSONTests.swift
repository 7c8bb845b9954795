import Checks
import DocumentFixtures
import Foundation
import MobileDocument
import Primitives
import RelyingParty
import StatusLists
import Testing
import WebPresentment

@Suite("The JSON of a verdict")
struct VerdictJSONTests {
  private let site: Site

  init() throws { site = try Site() }

  private func verdict(on answer: SubmittedAnswer) async throws -> VerificationVerdict {
    await site.context.verdict(
      on: answer, to: site.session, now: { site.now }, markUsed: { _ in true }, fetch: { _ in .unreachable("no route") }
    )
  }

  @Test("A verified answer has its documents in both forms, and its checks in one")
  func verified() async throws {
    let verdict = try await verdict(on: site.answer(hasStatus: false))
    let documents =
      #""documents":[{"docType":"org.iso.18013.5.1.mDL","issuer":"Spaceport","elements":{"org.iso.18013.5.1":"#
      + #"{"family_name":"Garcia","age_over_21":true,"portrait":"_9j_4A"}}}]}"#
    #expect(
      verdict.json.hasPrefix(
        #"{"verdict":"verified","failure":null,"checks":[{"check":"session.known","status":"passed","reason":null,"#
          + #""message":"the session is known","subject":null,"evidence":[]},"#))
    #expect(verdict.json.hasSuffix(documents))
    #expect(
      verdict.pageJSON == #"{"verdict":"verified","failure":null,"message":"the response is genuine","# + documents)
  }

  @Test("A refused answer lists every check, and gives the page neither checks nor evidence")
  func refused() async throws {
    let expired = site.session.expires
    let answer = try site.answer()
    let verdict = await site.context.verdict(
      on: answer, to: site.session, now: { expired }, markUsed: { _ in true }, fetch: { _ in .unreachable("no route") })
    #expect(
      verdict.pageJSON
        == #"{"verdict":"refused","failure":{"check":"session.current","reason":"expired"},"message":"#
        + #""the session expired on \#(expired)","documents":[]}"#)
    for check in ExchangeCheck.definitions + ResponseCheck.definitions {
      #expect(verdict.json.components(separatedBy: #"{"check":"\#(check.id)","status""#).count == 2)
    }
    #expect(verdict.json.hasSuffix(#""documents":[]}"#))
    #expect(verdict.json.contains(#""field":"answered","expected":"before \#(expired)","found":"\#(expired)""#))
  }

  @Test("The JSON that the page about servers shows is that of a second answer")
  func shown() async throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/relying-party.md").standardizedFileURL
    let text = try String(contentsOf: page, encoding: .utf8)
    let examples = text.components(separatedBy: "```\n{").dropFirst().map {
      "{" + $0.components(separatedBy: "```")[0].split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
    }
    let verdict = await site.context.verdict(
      on: try site.answer(), to: site.session, now: { site.now }, markUsed: { _ in false },
      fetch: { _ in .unreachable("no route") })
    #expect(examples == [verdict.pageJSON])
  }

  @Test("A verdict with a failed check never has documents")
  func failedCheck() async throws {
    let good = try await verdict(on: site.answer(hasStatus: false))
    let failed = ExchangeCheck.sessionKnown.failure()
    for verdict in [
      VerificationVerdict(exchange: [failed], response: good.response, verified: good.verified),
      VerificationVerdict(exchange: good.exchange, response: good.response + [failed], verified: good.verified),
      VerificationVerdict(),
    ] {
      #expect(!verdict.isVerified && verdict.documents.isEmpty && verdict.outcome == "refused")
      #expect(verdict.pageJSON.hasPrefix(#"{"verdict":"refused","#) && verdict.pageJSON.hasSuffix(#""documents":[]}"#))
    }
  }
}
