import Certificates
import Checks
import CrossCheckTrait
import DevicePlatform
import DocumentFixtures
import IdentityDocumentServices
import JSON
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment
import X509

@Suite("Answers of a sandbox process", .crossChecked)
struct SandboxAnswerTests {
  private static let origin = "https://rentals.example"

  private static func call(_ requestData: String = "e30") -> [UInt8] {
    JSONCoding.encode(["origin": origin, "requestData": requestData])
  }

  private static func partial(signedBy chain: [Certificate]? = nil) throws -> SandboxAnswer {
    let chain = try chain ?? Readers.shared.ofFirst
    return SandboxAnswer(
      PartialRequest(
        request: Request(
          presentmentRequests: [
            Request.PresentmentRequest(
              documentRequestSets: [
                Request.DocumentRequestSet(requests: [
                  Request.DocumentRequest(
                    documentType: DocumentType.licence,
                    namespaces: ["org.iso.18013.5.1": ["given_name": Request.ElementInfo(isRetaining: true)]],
                    issuerKeyIdentifiers: [[1, 2].withUnsafeBytes { .init($0) }])
                ])
              ], isMandatory: true)
          ],
          requestAuthentications: [
            Request.RequestAuthentication(authenticationCertificateChain: chain)
          ]),
        chains: [try chain.map { try $0.derEncoded() }], findings: []))
  }

  private static func refusal(_ finding: SandboxFinding) -> SandboxAnswer {
    SandboxAnswer(
      SandboxRefusal(finding, evidence: [CheckResult.Evidence("origin", expected: "one", found: "another")]))
  }

  @Test("An answer that is read and written again has the same bytes")
  func roundTrip() throws {
    for answer in [try Self.partial(), Self.refusal(SandboxFinding(.readerSignature))] {
      let read = try #require(SandboxAnswer(answer.bytes))
      #expect(read.bytes == answer.bytes)
      #expect(read.body == answer.body && Array(answer.bytes.dropFirst()) == answer.body)
    }
  }

  @Test("Reads a reader certificate with a negative serial number as the parser does")
  func negativeSerialNumber() throws {
    let der = try Rewritten.certificate(try Readers.shared.ofFirst[0], [1: [0x02, 0x02, 0x80, 0x01]])
    let answer = try Self.partial(signedBy: CertificateChain.read([der]))
    let read = try #require(SandboxAnswer(answer.bytes))
    guard case .partialRequest(let body) = read.content else {
      Issue.record("a refusal")
      return
    }
    var memory = CertificateMemory()
    let chain = try #require(body.request(&memory)?.requestAuthentications.first?.authenticationCertificateChain)
    #expect(try chain.map { try $0.derEncoded() } == [der])
  }

  @Test("Reads only refusals that the parser can produce", arguments: SandboxFinding.all)
  func codes(finding: SandboxFinding) {
    #expect((SandboxAnswer(Self.refusal(finding).bytes) == nil) == (finding.check == .worker))
  }

  @Test("Drops members that do not belong to an answer")
  func surplus() throws {
    let honest = Self.refusal(SandboxFinding(.version))
    let text = String(decoding: honest.body, as: UTF8.self)
    let padded = [honest.bytes[0]] + Array((#"{"hidden":"more","# + text.dropFirst()).utf8)
    #expect(try #require(SandboxAnswer(padded)).bytes == honest.bytes)
  }

  @Test("Refuses an answer without its kind or its end, or with unreadable certificates or key identifiers")
  func unreadable() throws {
    let honest = try Self.partial()
    let text = String(decoding: honest.body, as: UTF8.self)
    let issuer = text.replacing(#""issuers":["AQAAAA"#, with: #""issuers":["!QAAAA"#)
    let chain = text.replacing(#""chains":[["M"#, with: #""chains":[["N"#)
    #expect(issuer != text && chain != text)
    for wrong in [issuer, chain] { #expect(SandboxAnswer([honest.bytes[0]] + Array(wrong.utf8)) == nil) }
    for end in [0, 1, 2, honest.bytes.count - 1] { #expect(SandboxAnswer(Array(honest.bytes.prefix(end))) == nil) }
    for kind: UInt8 in [0, 2, 3, 255] { #expect(SandboxAnswer([kind] + honest.body) == nil) }
    let space = [UInt8](repeating: UInt8(ascii: " "), count: SandboxFrame.maximumAnswerLength)
    #expect(SandboxAnswer(honest.bytes + space.dropLast(honest.bytes.count)) != nil)
    #expect(SandboxAnswer(honest.bytes + space) == nil)
  }

  @Test("Refuses evidence beyond the limits and unknown explanations")
  func refusals() {
    func isRead(_ evidence: [CheckResult.Evidence]) -> Bool {
      SandboxAnswer(SandboxAnswer(SandboxRefusal(.readerSignature, evidence: evidence)).bytes) != nil
    }
    func evidence(_ found: String, _ field: String = "origin") -> CheckResult.Evidence {
      CheckResult.Evidence(field, found: found)
    }
    #expect(isRead([]) && isRead([CheckResult.Evidence](repeating: evidence("a"), count: 16)))
    #expect(!isRead([CheckResult.Evidence](repeating: evidence("a"), count: 17)))
    let longest = String(repeating: "a", count: 256 << 10)
    #expect(isRead([evidence(longest)]) && !isRead([evidence(longest + "a")]))
    #expect(isRead([evidence("transcript.tagged", Explanation.field)]))
    #expect(!isRead([evidence("transcript.tug", Explanation.field)]))
    #expect(!isRead([CheckResult.Evidence(Explanation.field, expected: "transcript.tagged")]))
  }

  @Test("Survives damaged bytes, and can write each answer that it reads")
  func damaged() throws {
    var survivors = 0
    for bytes in Damage.sample(of: try Self.partial().bytes, seed: 3) {
      guard let answer = SandboxAnswer(bytes) else { continue }
      survivors += 1
      #expect(SandboxAnswer(answer.bytes)?.bytes == answer.bytes)
    }
    #expect(survivors > 0)
  }

  @Test("Answers a too long or unreadable call with a refusal")
  func calls() {
    func check(_ call: [UInt8]) -> String? {
      guard case .refusal(let refusal) = RequestSandbox.answer(to: call).content else { return nil }
      return refusal.name
    }
    #expect(check([]) == "sandbox.request-data")
    #expect(check(Array("{}".utf8)) == "sandbox.request-data")
    #expect(check(Self.call("!")) == "sandbox.request-data")
    #expect(check(Self.call()) == "sandbox.request-data")
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: SandboxFrame.maximumCallLength)
    #expect(check(padding) == "sandbox.request-data")
    #expect(check(padding + [0x20]) == "sandbox.limits/too-large")
  }

  @Test("Lists a check as passed only if no part of it was left when the sandbox stopped")
  func listedChecks() {
    for isOpenID4VP in [false, true] {
      let plan = SandboxCheck.made(ofOpenID4VP: isOpenID4VP)
      #expect(CheckRun(ofSandbox: nil, isOpenID4VP: isOpenID4VP).results == plan.map(\.passed))
    }
    #expect(SandboxCheck.made(ofOpenID4VP: true) == [.limits, .origin, .presentationRequest])
    for finding in SandboxFinding.all {
      let isOpenID4VP = finding.check == .presentationRequest
      let ofRequest = SandboxCheck.made(ofOpenID4VP: isOpenID4VP)
      let results = CheckRun(ofSandbox: SandboxRefusal(finding), isOpenID4VP: isOpenID4VP).results
      #expect(results.map(\.check) == (ofRequest + (finding.check == .worker ? [.worker] : [])).map(\.id))
      #expect(results.filter { $0.status == .failed }.map(\.name) == [finding.name])
      let passed = results.filter { $0.status == .passed }.map(\.check)
      // Content is read after the signatures, and the encryption information at the end.
      let isAtTheEnd = finding.check == .encryptionInfo
      #expect(passed.contains(SandboxCheck.limits.id) == isAtTheEnd, "\(finding.name)")
      #expect(passed.contains(SandboxCheck.deviceRequest.id) == isAtTheEnd, "\(finding.name)")
      #expect(passed.contains(SandboxCheck.readerSignature.id) == isAtTheEnd, "\(finding.name)")
      if [.origin, .worker].contains(finding.check) { #expect(passed.isEmpty) }
    }
  }

  @Test("The longest answer fits its frame, and the longest request fits a call")
  func frame() {
    for count in [0, 1, 255, 256, 65_537, SandboxFrame.maximumAnswerLength] {
      let header = SandboxFrame.header(for: [UInt8](repeating: 0, count: count))
      #expect(header.count == SandboxFrame.headerLength && SandboxFrame.length(header) == count)
    }
    let longest = Base64URL.encode([UInt8](repeating: 0, count: RequestLimit.data.maximum))
    #expect(Self.call(longest).count <= SandboxFrame.maximumCallLength)
  }
}
