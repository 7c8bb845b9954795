import DocumentFixtures
import Foundation
import MobileDocument
import Primitives
import RelyingParty
import Testing
import WebPresentment

@Suite("The server of docs/relying-party.md")
struct ExampleServerTests {
  private let site: Site
  private let server: ExampleServer

  init() throws {
    let site = try Site()
    self.site = site
    let fetched = try site.fetched()
    server = ExampleServer(
      context: site.context, draft: site.draft, readers: [], signers: [try PresentationSite.signer(.shared, .hash)],
      sessions: SessionTable(), now: { site.now },
      fetch: { _ in fetched })
  }

  @Test("Verifies an answer once")
  func verifiesOnce() async throws {
    let (identifier, options) = try await server.begin()
    let session = try #require(await server.sessions.find(identifier))
    let text = String(decoding: options, as: UTF8.self)
    #expect(text.contains(try #require(session.annexC).encryptionInfoText))
    #expect(text.contains(#""protocol":"openid4vp-v1-signed""#))
    let answer = try site.answer(to: session)
    #expect(
      await server.verify(answer, session: identifier)
        == #"{"verdict":"verified","failure":null,"message":"the response is genuine","documents":"#
        + #"[{"docType":"org.iso.18013.5.1.mDL","issuer":"Spaceport","elements":{"org.iso.18013.5.1":"#
        + #"{"family_name":"Garcia","age_over_21":true,"portrait":"_9j_4A"}}}]}"#)
    #expect(
      await server.verify(answer, session: identifier)
        == #"{"verdict":"refused","failure":{"check":"session.unused","reason":null},"message":"#
        + #""the session already has an answer: each session accepts one response","documents":[]}"#)
    #expect(
      await server.verify(answer, session: "other").hasPrefix(
        #"{"verdict":"refused","failure":{"check":"session.known","#))
  }

  @Test("Of two answers at the same time one is verified")
  func concurrentAnswers() async throws {
    let (identifier, _) = try await server.begin()
    let session = try #require(await server.sessions.find(identifier))
    let answer = try site.answer(to: session)
    async let first = server.verify(answer, session: identifier)
    async let second = server.verify(answer, session: identifier)
    let verdicts = await [first, second]
    #expect(verdicts.filter { $0.hasPrefix(#"{"verdict":"verified""#) }.count == 1)
    #expect(verdicts.filter { $0.contains("session.unused") }.count == 1)
  }

  @Test("Every Swift example of the page and of the library's article is an excerpt of the example server")
  func excerpts() throws {
    func lines(_ text: String) -> String {
      text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty && !$0.hasPrefix("///") }.joined(separator: "\n")
    }
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let root = tests.deletingLastPathComponent().deletingLastPathComponent()
    let source = lines(
      try String(contentsOf: tests.appendingPathComponent("ExampleServer.swift"), encoding: .utf8))
    let article = "Sources/Roles/RelyingParty/RelyingParty.docc/RelyingParty.md"
    for (file, count) in [("docs/relying-party.md", 4), (article, 2)] {
      let page = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
      let examples = page.components(separatedBy: "```swift\n").dropFirst().map {
        lines($0.components(separatedBy: "```")[0])
      }
      #expect(examples.count == count)
      for example in examples { #expect(source.contains(example), "\(example)") }
    }
  }
}
