import COSE
import CommandSupport
import Crypto
import IdentityDocumentServices
import JSON
import MobileDocument
import OpenID4VP
import Primitives
import RelyingParty
import Testing

@testable import ExchangeFiles

@Suite("Transactions in requests with OpenID4VP")
struct TransactionFileTests {
  private static let type = "dc+sd-jwt urn:eudi:pid:1"
  private let moment = DateTime(secondsSince1970: 1_800_000_000)
  private let holder: PresentableDocument
  private let rootPEM: String
  /// The authority of mobile documents.
  private let mobileRootPEM: String

  init() throws {
    let key = try fixedKey(71)
    let draft = DocumentDraft(
      documentType: Self.type, nameSpaces: [.init("claims", [.init("given_name", .text("Kelly"))])],
      deviceKey: COSEKey(key.publicKey),
      validity: MobileSecurityObject.Validity(
        signed: moment, validFrom: moment, validUntil: moment.adding(days: 30)))
    let signer = try DocumentSigner(madeAt: moment, from: AuthorityIngredients())
    var randomness = SystemIssuanceRandomness()
    let issued = try signer.issue(draft, randomness: &randomness)
    rootPEM = signer.rootPEM ?? ""
    mobileRootPEM = try CertificateFile.pem([Parties(at: moment).root])
    holder = try DocumentFile.document(
      ("credential", issued), deviceKey: ("key", Array(key.pemRepresentation.utf8)))
  }

  private static func payment(_ payload: String, _ more: String = "") -> String {
    #"{"type":"urn:eudi:sca:payment:1",\#(more)"payload":{\#(payload)}}"#
  }

  private static let paid =
    #""transaction_id":"t-1","payee":{"name":"Harbour","id":"UT-1"},"currency":"EUR","amount":120.50"#
  private static let action =
    #"{"type":"urn:eudi:sca:login_risk_transaction:1","payload":{"transaction_id":"t-2","action":"Log in"}}"#

  private func asked(
    _ transactions: [String], documents: [String] = [type], isEncrypted: Bool = true
  ) throws -> ExchangeFile {
    let asked = try documents.map { type in
      try RequestedElements.items(
        documentType: type, elements: [type == Self.type ? "claims:given_name" : "org.iso.18013.5.1:given_name"])
    }
    let builder = RequestBuilder(
      origin: try RequestBuilder.origin(Parties.origin), documents: asked, readers: [],
      trustedIssuers: [rootPEM, mobileRootPEM])
    var form = RequestBuilder.OpenID4VPForm(.unsigned, isEncrypted: isEncrypted)
    form.transactions = transactions.map { ("transaction.json", Array($0.utf8)) }
    return try builder.make(
      form, recipientKey: fixedAgreementKey(72), nonce: [UInt8](repeating: 5, count: OpenID4VPSession.nonceLength),
      at: moment
    ).exchange
  }

  private func answered(
    _ file: ExchangeFile, by documents: [PresentableDocument]? = nil
  ) async throws -> WalletResponder.Answered {
    let text = try #require(try PresentationRequestText(anywhereIn: file))
    let seal = PresentationSeal(
      ephemeralKey: try fixedAgreementKey(73), initializationVector: [UInt8](repeating: 3, count: 12))
    return try await WalletResponder(documents: documents ?? [holder]).answer(
      file, with: text, origin: nil, at: moment, seal: seal)
  }

  private func failures(_ file: ExchangeFile) async throws -> [String] {
    let exchange = try VerifiableExchange(file, reading: { _ in [] })
    let report = await ExchangeVerifier().verify(exchange, at: moment)
    #expect(report.isVerified == report.checks.allSatisfy { $0.status != .failed })
    return report.checks.filter { $0.status == .failed }.map(\.name)
  }

  @Test("the holder signs the transactions that the request has, and the wallet shows them")
  func signed() async throws {
    let one = try asked([Self.payment(Self.paid)])
    let first = try await answered(one)
    #expect(first.story.last == "  document-1: agrees to a payment of 120.50 EUR to “Harbour”, account “UT-1”")
    let later = try await answered(asked([Self.payment(Self.paid + #","execution_date":"2027-02-01""#)]))
    #expect(later.story.last?.contains(" 120.50 EUR on 2027-02-01 to “Harbour”") == true)
    #expect(try await failures(first.exchange) == [])
    let both = try asked([
      Self.payment(Self.paid, #""transaction_data_hashes_alg":["sha-384","sha-256"],"#), Self.action,
    ])
    let second = try await answered(both)
    #expect(second.story.suffix(1) == ["  document-1: agrees to “Log in”"])
    #expect(try await failures(second.exchange) == [])
    // The same answer to another amount, to another payee, to fewer transactions, and to none.
    let others = [
      [Self.payment(Self.paid.replacing("120.50", with: "1.50")), Self.action],
      [Self.payment(Self.paid.replacing("Harbour", with: "Quay")), Self.action], [Self.action],
    ]
    for other in others {
      let request = try #require(try asked(other).root["request"]?.value)
      #expect(
        try await failures(second.exchange.setting("request", to: request)) == ["sd-jwt.key-binding.transaction-data"])
    }
    let none = try #require(try asked([]).root["request"]?.value)
    #expect(try await failures(second.exchange.setting("request", to: none)) == [])
  }

  @Test("an answer without the holder's agreement to a transaction is refused, whichever credentials it has")
  func unsigned() async throws {
    let documents = [Parties.documentType, Self.type]
    let holders = [try Parties(at: moment).document(), holder]
    let answer = try await answered(asked([], documents: documents), by: holders).exchange
    #expect(try await failures(answer) == [])
    for (credentials, check) in [
      (#"["document-1"]"#, "openid4vp.response.transactions"),
      (#"["document-2"]"#, "sd-jwt.key-binding.transaction-data"),
      (#"["document-1","document-2"]"#, "openid4vp.response.transactions"),
    ] {
      // The answer of a wallet to the same request without the transaction, which does not bind it.
      let request = try asked([Self.payment(Self.paid, #""credential_ids":\#(credentials),"#)], documents: documents)
      let other = try #require(request.root["request"]?.value)
      #expect(try await failures(answer.setting("request", to: other)) == [check], "\(credentials)")
    }
  }

  @Test("any credential that a transaction names can have the holder's agreement")
  func signedWithAnother() async throws {
    let credentials = #""credential_ids":["document-1","document-2"],"#
    let request = try asked(
      [Self.payment(Self.paid, credentials)], documents: [Self.type, Self.type], isEncrypted: false)
    let answer = try await answered(request).exchange
    #expect(try await failures(answer) == [])
    // Both are presentations of one credential, so each answers either query.
    let text = String(decoding: try #require(answer.root["response"]?.value).bytes, as: UTF8.self)
    let swapped = text.replacing("document-1", with: "document-0").replacing("document-2", with: "document-1")
      .replacing("document-0", with: "document-2")
    #expect(swapped != text)
    #expect(try await failures(answer.setting("response", to: JSONReader.read(Array(swapped.utf8)))) == [])
  }

  @Test("claims that the person withholds are not disclosed, and one that is always visible is not answered with")
  func withheld() async throws {
    let request = try asked([])
    let text = try #require(try PresentationRequestText(anywhereIn: request))
    let seal = PresentationSeal(
      ephemeralKey: try fixedAgreementKey(73), initializationVector: [UInt8](repeating: 3, count: 12))
    for limits in [ElementLimits(withheld: ["claims:given_name"]), ElementLimits(shown: ["family_name"])] {
      await #expect(throws: ProviderRefusal.self) {
        try await WalletResponder(documents: [holder], limits: limits).answer(
          request, with: text, origin: nil, at: moment, seal: seal)
      }
    }
    _ = try await WalletResponder(documents: [holder], limits: ElementLimits(shown: ["given_name"])).answer(
      request, with: text, origin: nil, at: moment, seal: seal)
  }

  @Test(
    "a wallet refuses a transaction that it cannot show in full",
    arguments: [
      (payment(paid.replacing("EUR", with: "eur")), "not a code of ISO 4217"),
      (payment(paid.replacing("120.50", with: #""120.50""#)), "expected a decimal number"),
      (payment(paid.replacing("120.50", with: "1E4")), "expected a decimal number"),
      (payment(paid.replacing("120.50", with: "-5")), "expected a decimal number"),
      (payment(paid.replacing("120.50", with: "0.000001e9")), "expected a decimal number"),
      (payment(paid + #","execution_date":"soon""#), "'execution_date' is not a date"),
      (payment(paid.replacing("Harbour", with: "Harbour”, account “X")), "without quotation marks"),
      (payment(paid.replacing("Harbour", with: String(repeating: "H", count: 257))), "1 to 256 characters"),
      (payment(paid + #","recurrence":{"frequency":"MNTH"}"#), "'recurrence' is not supported"),
      (payment(paid.replacing(#""id":"UT-1""#, with: #""iban":"UT-1""#)), "'iban' is not supported"),
      (payment(paid.replacing(#""transaction_id":"t-1","#, with: "")), "transaction_id"),
      (#"{"type":"urn:eudi:sca:payment:1"}"#, "payload"),
      (#"{"type":"urn:example:other","payload":{}}"#, "the type is not supported"),
      (payment(paid, #""fee":1,"#), "the type has no such member"),
      (payment(paid, #""transaction_data_hashes_alg":["md5"],"#), "no hash algorithm is supported"),
    ])
  func refused(_ transaction: String, _ reason: String) async throws {
    let refusal: String
    do {
      _ = try await answered(asked([transaction]))
      Issue.record("answered")
      return
    } catch let error as ProviderRefusal { refusal = error.lines.joined(separator: " ") } catch { refusal = "\(error)" }
    #expect(refusal.contains(reason), "\(refusal)")
  }

  @Test("transactions of one credential need a hash algorithm in common, and a mobile document signs none")
  func unsignable() async throws {
    let apart = try asked([
      Self.payment(Self.paid, #""transaction_data_hashes_alg":["sha-512"],"#), Self.action,
    ])
    await #expect(throws: ProviderRefusal.self) { try await answered(apart) }
    let mobile = try Parties(at: moment).document()
    let either = try asked(
      [Self.payment(Self.paid, #""credential_ids":["document-1","document-2"],"#)],
      documents: [Parties.documentType, Self.type])
    await #expect(throws: ProviderRefusal.self) { try await answered(either, by: [mobile, holder]) }
    #expect(throws: ExchangeFileError.self) {
      try asked([Self.payment(Self.paid)], documents: [Parties.documentType])
    }
  }
}
