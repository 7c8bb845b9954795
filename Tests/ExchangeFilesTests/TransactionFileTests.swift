import COSE
import CommandSupport
import Crypto
import IdentityDocumentServices
import JSON
import MobileDocument
import OpenID4VP
import Primitives
import RelyingParty
import TestSupport
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

  /// The presented disclosures of an answer in the clear: names or array elements, decoded.
  private func disclosed(_ answer: ExchangeFile) throws -> [String: [String]] {
    let token = try #require(answer.root["response"]?["data"]?["vp_token"]?.value)
    guard case .object(let members) = token else { return [:] }
    return try Dictionary(
      uniqueKeysWithValues: members.map { member in
        guard case .array(let texts) = member.value, case .string(let text)? = texts.first else {
          return (member.name, [])
        }
        let parts = try text.split(separator: "~").dropFirst().dropLast()
          .map { try #require(Base64URL.decode(String($0))).dropFirst() }
        return (member.name, parts.map { String(decoding: $0, as: UTF8.self) })
      })
  }

  @Test("a withheld element or member is never disclosed, and its neighbours stay where they are")
  func withheldInside() async throws {
    let key = try fixedKey(71)
    let draft = DocumentDraft(
      documentType: Self.type,
      nameSpaces: [
        .init(
          "claims",
          [
            .init("nationalities", .array([.text("US"), .text("FR")])),
            .init(
              "address", .map([.init(.text("street"), .text("1 Main")), .init(.text("locality"), .text("Harbour"))])),
          ])
      ], deviceKey: COSEKey(key.publicKey),
      validity: MobileSecurityObject.Validity(signed: moment, validFrom: moment, validUntil: moment.adding(days: 30)))
    var randomness = SystemIssuanceRandomness()
    let issued = try DocumentSigner(madeAt: moment, from: AuthorityIngredients()).issue(draft, randomness: &randomness)
    let holder = try DocumentFile.document(
      ("credential", issued), deviceKey: ("key", Array(key.pemRepresentation.utf8)))
    let seal = PresentationSeal(
      ephemeralKey: try fixedAgreementKey(73), initializationVector: [UInt8](repeating: 3, count: 12))
    for (path, limits, sent) in [
      ("nationalities[0]", ElementLimits(withheld: ["nationalities[0]"]), nil),
      ("nationalities[1]", ElementLimits(withheld: ["nationalities[0]"]), ["FR"]),
      ("nationalities[]", ElementLimits(withheld: ["claims:nationalities[0]"]), ["FR"]),
      ("address", ElementLimits(withheld: ["address.street"]), ["Harbour"]),
      ("address", ElementLimits(withheld: ["address"]), nil),
      ("address", ElementLimits(shown: ["address"]), ["1 Main", "Harbour"]),
      ("address", ElementLimits(shown: ["claims:address.street"]), ["1 Main"]),
      ("address.locality", ElementLimits(shown: ["address.street"]), nil),
    ] {
      let builder = RequestBuilder(
        origin: try RequestBuilder.origin(Parties.origin),
        documents: [try RequestedElements.items(documentType: Self.type, elements: ["claims:\(path)"])], readers: [],
        trustedIssuers: [rootPEM])
      let request = try builder.make(
        RequestBuilder.OpenID4VPForm(.unsigned, isEncrypted: false), recipientKey: fixedAgreementKey(72),
        nonce: [UInt8](repeating: 5, count: OpenID4VPSession.nonceLength), at: moment
      ).exchange
      let text = try #require(try PresentationRequestText(anywhereIn: request))
      let answer = try? await WalletResponder(documents: [holder], limits: limits).answer(
        request, with: text, origin: nil, at: moment, seal: seal)
      guard let sent, let answer else {
        #expect((answer == nil) == (sent == nil), "\(path)")
        continue
      }
      let texts = try disclosed(answer.exchange)["document-1", default: []]
      for value in ["US", "FR", "1 Main", "Harbour"] {
        #expect(texts.contains { $0.contains("\"\(value)\"") } == sent.contains(value), "\(path): \(value)")
      }
    }
  }

  /// A request in the clear with other members of `request.data`.
  private func asked(changing change: (inout [JSONValue.Member]) throws -> Void) throws -> ExchangeFile {
    let file = try asked([], documents: [Self.type, Self.type, Self.type], isEncrypted: false)
    let path = "request"
    guard case .object(var members)? = file.root[path]?.value else { throw MissingRequest() }
    try change(&members)
    return file.setting(path, to: .object(members))
  }

  private struct MissingRequest: Error {}

  @Test(
    "a wallet answers one option of each set of credentials, and nothing in a format that the website does not read")
  func options() async throws {
    let sets = try JSONReader.read(
      Array(
        #"[{"options":[["document-1"],["document-2"]]},{"options":[["document-3","document-4"]],"required":false}]"#
          .utf8)
    )
    let request = try asked { members in
      members = members.map { member in
        guard member.name == "dcql_query", case .object(var query) = member.value,
          case .array(let credentials)? = query.first(where: { $0.name == "credentials" })?.value,
          case .object(let third)? = credentials.last
        else { return member }
        let fourth = third.map { $0.name == "id" ? .init(name: "id", value: .string("document-4")) : $0 }
          .map {
            $0.name == "meta"
              ? .init(name: "meta", value: .object([.init(name: "vct_values", value: .array([.string("x")]))])) : $0
          }
        query = [
          .init(name: "credentials", value: .array(credentials + [.object(fourth)])),
          .init(name: "credential_sets", value: sets),
        ]
        return .init(name: member.name, value: .object(query))
      }
    }
    let answer = try await answered(request)
    #expect(try disclosed(answer.exchange).keys.sorted() == ["document-1"])
    #expect(answer.story.contains { $0.hasPrefix("  document-2: not needed") })
    #expect(try await failures(answer.exchange) == [])
    for (formats, isAnswered) in [
      (#"{"dc+sd-jwt":{}}"#, true), (#"{"dc+sd-jwt":{"kb-jwt_alg_values":["EdDSA"]}}"#, false),
      (#"{"mso_mdoc":{}}"#, false),
    ] {
      let metadata = try JSONReader.read(Array(#"{"vp_formats_supported":\#(formats)}"#.utf8))
      let other = try asked { members in
        members.removeAll { $0.name == "client_metadata" }
        members.append(.init(name: "client_metadata", value: metadata))
      }
      if isAnswered {
        _ = try await answered(other)
      } else {
        await #expect(throws: ProviderRefusal.self, "\(formats)") { try await answered(other) }
      }
    }
  }

  @Test("an answer is verified for an origin that a browser writes, and that the request expects")
  func origins() async throws {
    let answer = try await answered(asked([])).exchange
    for origin in [Parties.origin + "/", Parties.origin.uppercased(), Parties.origin + ":443"] {
      let error = #expect(throws: ExchangeFileError.self) {
        try VerifiableExchange(answer.setting("origin", to: .string(origin)), reading: { _ in [] })
      }
      #expect(error?.code == .origin)
    }
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
