import Certificates
import Checks
import CrossCheckTrait
import Crypto
import DigitalCredentials
import IdentityDocumentServices
import JSON
import MobileDocument
import TestSupport
import Testing
import X509

@testable import ExchangeFiles

@Suite("A request, its answer and the verification", .crossChecked)
struct RoundTripTests {
  private let parties: Parties

  init() throws { parties = try Parties() }

  private func report(of file: ExchangeFile) async throws -> ExchangeReport {
    try await Draft(file).verified(at: parties.now)
  }

  @Test("A request, its answer and the verification fit together")
  func roundTrip() async throws {
    let reader = try parties.reader()
    let made = try parties.request(
      for: ["family_name_national_character", "birth_date", "portrait:retain"], by: [reader.reader])
    let answered = try await parties.answer(made.exchange)
    #expect(answered.story.contains { $0.contains("its certificate claims the name CN=harbour.example") })
    #expect(!answered.story.contains { $0.contains("signed by") })
    let root = try CertificateFile.certificates(Array(reader.rootPEM.utf8), name: nil)
    let certified = try await parties.answer(made.exchange, trustedReaders: root)
    #expect(
      certified.story.contains { $0.contains("readerAuthAll[0] verifies, signed by CN=harbour.example") })
    #expect(certified.story.contains { $0.contains("certified under CN=Harbour") })
    let wallet = WalletResponder(
      documents: [], trustedReaders: TrustedCertificates([parties.root], for: .reader))
    let findings = await wallet.findings(about: made.exchange, origin: nil, at: parties.now)
    #expect(findings.contains { $0.contains("readerAuthAll[0] verifies; the signer is not certified") })
    let elsewhere = await wallet.findings(about: made.exchange, origin: "https://other.example", at: parties.now)
    #expect(elsewhere.contains { $0.contains("reader signatures: readerAuthAll[0] does not verify") })
    let report = try await report(of: answered.exchange)
    #expect(report.isVerified, "\(report.text)")
    #expect(
      report.groups.map(\.title) == [
        "exchange", "response", "document org.iso.18013.5.1.mDL", "all documents",
        "document org.iso.18013.5.1.mDL",
      ])
    #expect(
      report.json.hasPrefix(
        #"{"verdict":"verified","failure":null,"checks":[{"check":"response.protocol","status":"passed","#))
    #expect(report.json.contains(#""birth_date":"1990-07-14","portrait":"_9j_AQI""#))
    #expect(report.text.contains(#"family_name_national_character  Rover\u{202e}\u{1b}[31m"#))
    #expect(report.text.hasSuffix("\n\nverified"))
  }

  @Test("A wallet can answer the page's request alone")
  func page() async throws {
    let made = try parties.request(for: ["given_name"])
    let answered = try await parties.answer(try ExchangeFile(made.page), origin: Parties.origin)
    #expect(answered.exchange.root["recipientPrivateKey"] == nil)
    var file = try Draft(made.exchange)
    file.members["response"] = answered.exchange.root["response"]?.value
    #expect(try await file.verified(at: parties.now).isVerified)
    let credential = JSONValue.objectOf([
      "protocol": .string("org.iso.mdoc"), "data": .objectOf(["Response": file.members["response"] ?? .null]),
    ])
    file.members["response"] = credential
    #expect(try await file.verified(at: parties.now).isVerified)
    let text = String(
      decoding: JSONValue.objectOf(["response": answered.exchange.root["response"]?.value ?? .null]).bytes,
      as: UTF8.self)
    file.members["response"] = .objectOf(["protocol": .string("org-iso-mdoc"), "data": .string(text)])
    #expect(try await file.verified(at: parties.now).isVerified)
    file.members["response"] = credential
    file.members["policy"] = .string("strict")
    #expect(try await file.verified(at: parties.now).failure?.name == "response.protocol/older-draft")
  }

  @Test("Unknown members are kept")
  func unknownMembers() async throws {
    let made = try parties.request(for: ["given_name"])
    let file = made.exchange.setting("note", to: .string("mine")).setting("deviceResponse", to: .string("gQ"))
    let answered = try await parties.answer(file).exchange
    #expect(answered.root["note"]?.value == .string("mine"))
    #expect(answered.root["deviceResponse"] == nil)
    #expect(try await report(of: answered).isVerified)
  }

  @Test("A failed further check refuses")
  func furtherChecks() async throws {
    let file = try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange
    let exchange = try Draft(file).exchange()
    for outcome in [CheckResult.Status.passed, .failed] {
      let verification = ExchangeVerifier { opened in
        let isWhole = (opened.deviceResponse?.count ?? 0) > 500 && opened.exchange.request != nil
        return [
          CheckResult("issuer.signature", subject: "again", isWhole ? outcome : .notReached, message: "checked again")
        ]
      }
      let report = await verification.verify(exchange, at: parties.now)
      #expect(report.isVerified == (outcome == .passed))
      #expect(report.json.contains("Kelly") == (outcome == .passed))
      #expect(report.groups.last?.title == "document again" && report.checks.last?.status == outcome)
    }
  }

  @Test("The answer shows only the elements that the holder allows")
  func limits() async throws {
    let made = try parties.request(for: ["given_name", "family_name", "portrait"])
    let limits = ElementLimits(
      shown: ["given_name", "org.iso.18013.5.1:portrait"], withheld: ["org.iso.18013.5.1:portrait"])
    let answered = try await parties.answer(made.exchange, limits: limits)
    #expect(answered.story.filter { $0.contains("not shown") }.count == 2)
    let report = try await report(of: answered.exchange)
    #expect(report.isVerified)
    #expect(report.json.contains(#""elements":{"org.iso.18013.5.1":{"given_name":"Kelly"}}"#))
    #expect(report.checks.filter { $0.name == "element.returned" }.count == 2)
  }

  @Test("Another key, origin or time is refused")
  func refusals() async throws {
    let answered = try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange
    var other = try Draft(answered)
    other.members["recipientPrivateKey"] = try .jwk([UInt8](repeating: 9, count: 32))
    #expect(other.problem?.code == .key && other.problem?.member == "recipientPrivateKey")
    other = try Draft(answered)
    other.members["origin"] = .string("https://harbor.example")
    #expect(try await other.verified(at: parties.now).failure?.name == "response.decryption/unexplained")
    other = try Draft(answered)
    #expect(
      try await other.verified(at: parties.now.adding(days: 301)).failure?.name == "mso.validity/expired")
    other.members["trustedIssuers"] = .array([])
    #expect(try await other.verified(at: parties.now).failure?.name == "issuer.trust")
    let more = try VerifiableExchange(
      ExchangeFile(other.bytes), trusting: TrustedIssuers(TrustedCertificates([parties.root], for: .documentSigner))
    ) { _ in throw NoSuchFile() }
    #expect(await ExchangeVerifier().verify(more, at: parties.now).isVerified)
  }

  @Test("A wallet refuses a signature for another origin or of an untrusted reader")
  func wallets() async throws {
    let reader = try parties.reader()
    let root = try CertificateFile.certificates(Array(reader.rootPEM.utf8), name: nil)
    let made = try parties.request(for: ["given_name"], by: [reader.reader])
    _ = try await parties.answer(made.exchange, trustedReaders: root)
    await #expect(throws: ProviderRefusal(.readerSignature)) {
      try await parties.answer(made.exchange, origin: "https://elsewhere.example")
    }
    await #expect(throws: ProviderRefusal(.reader, .untrusted)) {
      try await parties.answer(made.exchange, trustedReaders: [parties.root])
    }
    let unsigned = try parties.request(for: ["given_name"]).exchange
    await #expect(throws: ProviderRefusal(.reader, .unsigned)) {
      try await parties.answer(unsigned, trustedReaders: root)
    }
    let other = RequestBuilder(
      origin: try RequestBuilder.origin(Parties.origin),
      documents: [try RequestedElements.items(documentType: "org.example.pass", elements: ["a:b"])], readers: [])
    let asking = try other.make(recipientKey: try fixedAgreementKey(4), nonce: [UInt8](repeating: 5, count: 32))
    await #expect(throws: ProviderRefusal(.document)) { try await parties.answer(asking.exchange) }
  }

  @Test("A request can copy another request in each of its forms")
  func like() throws {
    let made = try parties.request(for: ["given_name:retain", "portrait"])
    let texts = try made.exchange.request()
    let request = try texts.contents()
    #expect(request.documents.map(\.documentType) == [Parties.documentType] && request.useCases.count == 1)
    let bytes = try made.exchange.root.required("request").required("deviceRequest").base64URL()
    for form in [made.exchange.bytes, made.page, bytes, Array("\(texts.deviceRequest)\n".utf8)] {
      let like = try RequestedElements.like(form, name: "file")
      #expect(like.documents == request.documents && like.useCases == request.useCases)
    }
  }
}
