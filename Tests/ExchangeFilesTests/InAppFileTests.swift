import Checks
import CrossCheckTrait
import Crypto
import IdentityDocumentServices
import JSON
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment

@testable import ExchangeFiles

@Suite("An app's request in files", .crossChecked)
struct InAppFileTests {
  private let parties: Parties

  init() throws { parties = try Parties() }

  private func request(_ elements: [String] = ["given_name", "portrait:retain"]) throws -> ExchangeFile {
    let key = try fixedAgreementKey(9)
    let request = InAppRequest(
      nonce: [UInt8](repeating: 5, count: InAppRequest.nonceLength), merchantIdentifier: "merchant.example.harbour",
      teamIdentifier: "HARBOUR123", recipientPublicKey: key.publicKey,
      documents: [
        try RequestedElements.items(
          documentType: Parties.documentType, elements: elements.map { "\(Parties.nameSpace):\($0)" })
      ])
    return request.exchange(
      recipientKey: key, trustedIssuers: [try CertificateFile.pem([parties.root])])
  }

  private func wallet() throws -> WalletResponder { WalletResponder(documents: [try parties.document()]) }

  private func answered(_ file: ExchangeFile) throws -> ExchangeFile {
    try wallet().answerInApp(file, ephemeralKey: try fixedAgreementKey(10)).exchange
  }

  @Test("A request, its answer and the verification fit together")
  func roundTrip() async throws {
    let answered = try answered(try request())
    #expect(try ExchangeFile(answered.bytes).isInApp())
    let report = try await Draft(answered).verified(at: parties.now)
    #expect(report.isVerified, "\(report.text)")
    #expect(report.checks.first?.check == "in-app.envelope")
    #expect(report.json.contains(#""portrait":"_9j_AQI""#))
  }

  @Test("The phone answers the request without the private key")
  func phone() async throws {
    let whole = try request()
    let phone = try answered(try InAppRequest(whole).forPhone)
    #expect(phone.root["recipientPrivateKey"] == nil)
    var file = try Draft(whole)
    file.members["response"] = phone.root["response"]?.value
    #expect(try await file.verified(at: parties.now).isVerified)
  }

  @Test("The response is compared with the request if the file has it")
  func comparison() async throws {
    var file = try Draft(try answered(try request()))
    guard case .object(var members)? = file.members["request"] else { throw NoSuchFile() }
    let other = try request(["given_name"]).root["request"]?["documents"]?.value
    members[members.firstIndex { $0.name == "documents" } ?? 0].value = try #require(other)
    file.members["request"] = .object(members)
    #expect(try await file.verified(at: parties.now).failure?.check == "element.requested")
    file.members["request"] = .object(members.filter { $0.name != "documents" })
    #expect(try await file.verified(at: parties.now).isVerified)
  }

  @Test("A response for another team, merchant or nonce is refused")
  func otherRequests() async throws {
    let file = try Draft(try answered(try request()))
    for (member, value) in [
      ("teamIdentifier", "OTHER12345"), ("merchantIdentifier", "merchant.other"), ("nonce", "AAAA"),
    ] {
      var changed = file
      guard case .object(var members)? = file.members["request"] else { throw NoSuchFile() }
      members[members.firstIndex { $0.name == member } ?? 0].value = .string(value)
      changed.members["request"] = .object(members)
      #expect(try await changed.verified(at: parties.now).failure?.check == "in-app.info", "\(member)")
    }
  }

  @Test("Unusable members are named")
  func problems() throws {
    let file = try Draft(try answered(try request()))
    func problem(_ name: String, _ value: JSONValue?) -> String? {
      var changed = file
      changed.members[name] = value
      return changed.problem.map { "\($0.member ?? "") \($0.code.rawValue)" }
    }
    #expect(problem("kind", .string("app")) == "kind exchange-file.content")
    #expect(problem("request", nil) == "request exchange-file.member-missing")
    #expect(problem("response", nil) == "response exchange-file.member-missing")
    #expect(problem("response", .string("a=")) == "response exchange-file.base64url")
    #expect(
      problem("recipientPrivateKey", try? .jwk([UInt8](repeating: 3, count: 32)))
        == "recipientPrivateKey exchange-file.key")
    let long = Base64URL.encode([UInt8](repeating: 1, count: AppleHandover.maximumNonceLength + 1))
    #expect(
      problem("request", .objectOf(["nonce": .string(long)])) == "request.nonce exchange-file.content")
  }

  @Test("Wallet refuses a document that it does not hold")
  func notHeld() throws {
    let request = try request()
    var wallet = try wallet()
    wallet.documents = []
    #expect(throws: ProviderRefusal.self) {
      try wallet.answerInApp(request, ephemeralKey: try fixedAgreementKey(10))
    }
  }
}
