import COSE
import Certificates
import Checks
import CrossCheckTrait
import Crypto
import DevicePlatform
import Foundation
import JOSE
import JSON
import MobileDocument
import OpenID4VPVectors
import Primitives
import SDJWT
import TestSupport
import TestTraits
import Testing
import X509

@testable import IdentityDocumentServices
@testable import OpenID4VP

/// A request in OpenID4VP of the website in ``Exchange``.
private struct Asking {
  static let nameSpace = Exchange.nameSpace
  private let draft: PresentationRequestDraft
  let kind: OpenID4VPProtocol
  let data: [UInt8]

  init(
    _ kind: OpenID4VPProtocol = .signed, query: String = query(), isEncrypted: Bool = true,
    signedBy chains: [[Certificate]]? = nil, expecting origin: String = Exchange.origin
  ) throws {
    let recipient = try Exchange.shared.recipientKey
    let key = JWK(COSEKey(recipient.publicKey), keyID: "k", use: "enc", algorithm: JWE.algorithm)
    draft = PresentationRequestDraft(
      try DCQLQuery(json: JSONReader.item(Array(query.utf8))), nonce: "n-0123456789", expectedOrigins: [origin],
      encryptionKey: isEncrypted ? key : nil)
    self.kind = kind
    let readers = try Readers.shared
    let signers = try (chains ?? [readers.ofFirst]).map { chain in
      PresentationRequestDraft.Signer(
        clientID: ClientIdentifier(.sanDNS, "rentals.example"), chain: try chain.map { try $0.derEncoded() },
        key: readers.key)
    }
    data =
      switch kind {
      case .unsigned: draft.unsigned
      case .signed: try draft.signed(by: signers[0])
      case .multisigned: try draft.signed(byEach: signers)
      }
  }

  /// A query for a licence.
  static func query(
    _ elements: [String] = ["given_name"], type: String = DocumentType.licence, more: String = ""
  ) -> String {
    let claims = elements.map { #"{"id":"\#($0)","path":["\#(nameSpace)","\#($0)"]}"# }.joined(separator: ",")
    return
      #"{"credentials":[{"id":"a","format":"mso_mdoc","meta":{"doctype_value":"\#(type)"},"claims":[\#(claims)]\#(more)}]}"#
  }

  var rawRequest: IdentityDocumentWebPresentmentRawRequest {
    IdentityDocumentWebPresentmentRawRequest(requestType: .openID4VP(kind), requestData: Data(data))
  }

  func partial(origin: String = Exchange.origin) throws -> PartialRequest {
    try RequestSandbox.parse(data, origin: origin, protocol: kind)
  }

  func shown() throws -> OpenID4VPRequest { try #require(try partial().openID4VP) }
}

@Suite("Requests of OpenID4VP in the sandbox", .crossChecked)
struct OpenID4VPSandboxTests {
  @Test(
    "each kind of request is parsed, and its answer survives the way between processes",
    arguments: OpenID4VPProtocol.allCases)
  func kinds(kind: OpenID4VPProtocol) throws {
    let readers = try Readers.shared
    let chains = kind == .multisigned ? [readers.ofFirst, readers.ofSecond] : [readers.ofFirst]
    let partial = try Asking(kind, signedBy: chains).partial()
    #expect(partial.chains.count == (kind == .unsigned ? 0 : chains.count))
    #expect(
      partial.request.requestAuthentications.map(\.authenticationCertificateChain) == (kind == .unsigned ? [] : chains))
    let sets = partial.request.presentmentRequests.map(\.documentRequestSets)
    #expect(sets.map { $0.map { $0.requests.map(\.documentType) } } == [[[DocumentType.licence]]])
    let answer = SandboxAnswer(partial)
    let read = try #require(SandboxAnswer(answer.bytes))
    #expect(read.bytes == answer.bytes)
    guard case .partialRequest(let body) = read.content else {
      Issue.record("a refusal")
      return
    }
    var memory = CertificateMemory()
    let request = try #require(body.request(&memory))
    #expect(request == partial.request)
    #expect(body.openID4VPRequest(signedBy: request) == partial.openID4VP)
  }

  @Test("a body whose documents are not those of its query is not one of the parser")
  func otherDocuments() throws {
    let partial = try Asking().partial()
    let other = try Asking(query: Asking.query(type: DocumentType.photo)).partial()
    let mixed = PartialRequest(
      request: other.request, openID4VP: partial.openID4VP, chains: partial.chains, findings: [])
    #expect(SandboxAnswer(SandboxAnswer(partial).bytes) != nil)
    #expect(SandboxAnswer(SandboxAnswer(mixed).bytes) == nil)
  }

  @Test("a query is told as documents: sets, types, formats, authorities and claims")
  func documents() throws {
    let query = #"""
      {"credentials":[
        {"id":"a","format":"mso_mdoc","meta":{"doctype_value":"m"},
         "claims":[{"path":["s","x"],"intent_to_retain":true},{"path":["s","y"]}],
         "trusted_authorities":[{"type":"aki","values":["AQI"]},{"type":"etsi_tl","values":["z"]}]},
        {"id":"b","format":"dc+sd-jwt","meta":{"vct_values":["v","w"]},
         "claims":[{"path":["p","q"]},{"path":["n",null]},{"path":["n",1]}]},
        {"id":"c","format":"mso_mdoc","meta":{"doctype_value":"k"},
         "trusted_authorities":[{"type":"etsi_tl","values":["z"]}]}],
       "credential_sets":[{"options":[["a","b"],["c"]]},{"options":[["c"]],"required":false}]}
      """#
    let useCases = try Asking(.unsigned, query: query).partial().request.presentmentRequests
    #expect(useCases.map(\.isMandatory) == [true, false])
    #expect(
      useCases.map { $0.documentRequestSets.map { $0.requests.map(\.documentType) } } == [
        [["m", "dc+sd-jwt v"], ["m", "dc+sd-jwt w"], ["k"]], [["k"]],
      ])
    let first = useCases[0].documentRequestSets[0].requests
    #expect(first[0].namespaces["s"]?.mapValues(\.isRetaining) == ["x": true, "y": false])
    #expect(first[1].namespaces["claims"]?.keys.sorted() == ["n[1]", "n[]", "p.q"])
    #expect(first[0].issuerKeyIdentifiers == [Data([1, 2])] && first[1].issuerKeyIdentifiers.isEmpty)
    // No issuer has an empty key identifier, as none belongs to an authority of an unknown type.
    #expect(useCases[1].documentRequestSets[0].requests[0].issuerKeyIdentifiers == [Data()])
  }

  @Test("a query with more combinations than a request may have is refused")
  func combinations() throws {
    let types = (0..<60).map { "\"v\($0)\"" }.joined(separator: ",")
    let credentials = ["a", "b"].map { #"{"id":"\#($0)","format":"dc+sd-jwt","meta":{"vct_values":[\#(types)]}}"# }
    let asking = try Asking(.unsigned, query: #"{"credentials":[\#(credentials.joined(separator: ","))]}"#)
    #expect(throws: SandboxRefusal(.limits, .limit(.documentSetMembers))) { try asking.partial() }
    let name = String(repeating: "x", count: 300)
    let long = try Asking(
      .unsigned,
      query:
        #"{"credentials":[{"id":"a","format":"mso_mdoc","meta":{"doctype_value":"t"},"claims":[{"path":["s","\#(name)"]}]}]}"#
    )
    #expect(throws: SandboxRefusal(.limits, .limit(.name))) { try long.partial() }
  }

  @Test("another origin, another key and another protocol are refused by name")
  func refusals() throws {
    func name(_ body: () throws -> PartialRequest) -> String? {
      do {
        _ = try body()
        return nil
      } catch { return (error as? SandboxRefusal)?.name }
    }
    let asking = try Asking()
    #expect(name { try asking.partial() } == nil)
    #expect(
      name { try asking.partial(origin: Exchange.origin + "/") } == "sandbox.presentation-request/origin-not-expected")
    #expect(name { try asking.partial(origin: "null") } == "sandbox.origin")
    let altered = String(decoding: asking.data, as: UTF8.self).dropLast(6) + "AAAA\"}"
    #expect(
      name { try RequestSandbox.parse(Array(altered.utf8), origin: Exchange.origin, protocol: .signed) }
        == "sandbox.presentation-request/signature")
    #expect(
      name { try RequestSandbox.parse(asking.data, origin: Exchange.origin, protocol: .unsigned) }
        == "sandbox.presentation-request/response-type")
    #expect(
      name { try RequestSandbox.parse(asking.data, origin: Exchange.origin) } == "sandbox.request-data")
    let unknown = JSONCoding.encode(
      ParseBody(origin: Exchange.origin, openID4VP: "openid4vp", requestData: asking.data))
    guard case .refusal(let refusal) = RequestSandbox.answer(to: unknown).content else {
      Issue.record("a partial request")
      return
    }
    #expect(refusal.name == "sandbox.request-data")
  }
}

@Suite("Known requests of OpenID4VP in the sandbox", .requiresOpenID4VPVectors)
struct KnownOpenID4VPSandboxTests {
  private static let file = "synthetic_dcapi.json"

  private func refusal(_ entry: KnownItem) throws -> String? {
    guard let kind = OpenID4VPProtocol(identifier: try entry.text("protocol")) else { return "unknown protocol" }
    let origin = try entry.optional("origin")?.json.text() ?? KnownItem.file(Self.file).text("origin")
    do {
      _ = try RequestSandbox.parse(try entry.item("data").json.bytes, origin: origin, protocol: kind)
      return nil
    } catch let error as SandboxRefusal {
      return error.name
    }
  }

  @Test("every good request is parsed", arguments: KnownItem.entries(of: file, "requests_accepted"))
  func accepted(entry: KnownItem) throws { #expect(try refusal(entry) == nil) }

  @Test(
    "every bad request is refused, but one whose signer is not trusted: that is for the apps",
    arguments: KnownItem.entries(of: file, "requests_refused", "cases"))
  func refused(entry: KnownItem) throws {
    let found = try refusal(entry)
    #expect((found == nil) == (entry.identifier == "attacker-self-signed-certificate"), "\(found ?? "accepted")")
  }
}

@Suite("Answering requests of OpenID4VP", .crossChecked)
struct OpenID4VPAnsweringTests {
  private let url = URL(string: Exchange.origin)
  private static let seal = Result {
    PresentationSeal(
      ephemeralKey: try Exchange.ephemeralKey(), initializationVector: [UInt8](repeating: 4, count: 12))
  }

  /// The documents' types and holders' names in the response to a request, as its verifier reads it.
  private func opened(_ response: Data, to asking: Asking, isEncrypted: Bool = true) async throws -> [String] {
    let exchange = try Exchange.shared
    let parameters = try RequestAuthenticator.read(
      protocol: asking.kind.rawValue, data: asking.data, origin: Exchange.origin
    ).parameters
    var expected = ExpectedPresentations(query: parameters.query)
    var thumbprint: [UInt8]?
    if isEncrypted {
      let key = try #require(parameters.metadata?.encryptionKeys.first)
      thumbprint = key.thumbprint
      expected.encryption = .init(privateKey: exchange.recipientKey, key: key, encryptions: JWEEncryption.allCases)
    }
    guard case .token(let token) = try PresentationResponse(data: [UInt8](response), expecting: expected) else {
      return []
    }
    let transcript = OpenID4VPHandover.sessionTranscript(
      origin: Exchange.origin, nonce: parameters.nonce, thumbprint: thumbprint)
    var found: [String] = []
    for answer in token.answers {
      for text in answer.presentations {
        let report = await DeviceResponseVerifier(
          trustedIssuers: [try exchange.issuer.root, try exchange.otherIssuer.root]
        ).verify(try #require(Base64URL.decode(text)), over: transcript, requests: nil, useCases: [], at: Readers.now)
        for document in try #require(report.verified).documents {
          guard case .text(let name)? = document.elements.first?.value else { continue }
          found.append("\(answer.id) \(document.documentType) \(name)")
        }
      }
    }
    return found
  }

  private func answer(
    _ asking: Asking, with documents: [PresentableDocument], choosing choice: DocumentChoice? = nil,
    shownAs shown: OpenID4VPRequest? = nil, origin: URL? = URL(string: Exchange.origin)
  ) async throws -> ProviderAnswer {
    let responder = try Exchange.responder()
    let seal = try Self.seal.get()
    return await responder.answer(
      asking.rawRequest, shownAs: try shown ?? asking.shown(), origin: origin, at: Readers.now.date
    ) { validated in
      try responder.buildResponse(to: validated, with: documents, choosing: choice, seal: seal)
    }
  }

  private func failure(_ answer: ProviderAnswer) -> String? {
    guard case .failure(let error) = answer.response else { return nil }
    return (error as? ProviderRefusal)?.name ?? "\(error)"
  }

  @Test("an answer is the chosen document, encrypted as asked, with every check passed", arguments: [true, false])
  func answers(isEncrypted: Bool) async throws {
    let exchange = try Exchange.shared
    let documents = [
      try exchange.document(name: "Kelly", identifier: "0"), try exchange.document(name: "Alex", identifier: "1"),
    ]
    let asking = try Asking(isEncrypted: isEncrypted)
    let own = DocumentChoice(for: try asking.shown(), from: documents, at: Readers.now.date)
    #expect(own.elements.map(\.disclosure) == [.given] && own.options.map(\.isChosen) == [true, false])
    for (choice, name) in [(own, "Kelly"), (own.choosing("1"), "Alex")] {
      let answer = try await answer(asking, with: documents, choosing: choice)
      #expect(answer.checks.allSatisfy { $0.status == .passed })
      let found = try await opened(answer.response.get(), to: asking, isEncrypted: isEncrypted)
      #expect(found == ["a \(DocumentType.licence) \(name)"])
    }
  }

  @Test("of several sets of claims the first that the document has is given, and nothing else")
  func claimSets() async throws {
    let document = try Exchange.shared.document()
    let query = Asking.query(
      ["portrait", "given_name"], more: #","claim_sets":[["portrait","given_name"],["given_name"]]"#)
    let asking = try Asking(query: query)
    let choice = DocumentChoice(for: try asking.shown(), from: [document], at: Readers.now.date)
    #expect(choice.elements.map { "\($0.identifier) \($0.disclosure)" } == ["portrait notNeeded", "given_name given"])
    let without = try Asking(query: Asking.query(["portrait", "given_name"]))
    let none = DocumentChoice(for: try without.shown(), from: [document], at: Readers.now.date)
    #expect(none.options.isEmpty && none.elements.allSatisfy { $0.disclosure == .notNeeded })
    #expect(failure(try await answer(without, with: [document])) == "provider.document")
  }

  @Test("an SD-JWT credential answers a query of its format, and no request for mobile documents")
  func sdJWT() async throws {
    let exchange = try Exchange.shared
    let credential = try exchange.credential("urn:eudi:pid:1", identifier: "pid")
    let document = try exchange.document(identifier: "mDL")
    #expect(credential.mobileDocumentType == "dc+sd-jwt urn:eudi:pid:1" && credential.issuerName == document.issuerName)
    #expect(credential.expirationDate == Readers.now.adding(days: 30).date)
    let asking = try Asking(
      query: #"{"credentials":[{"id":"p","format":"dc+sd-jwt","meta":{"vct_values":["urn:eudi:pid:1"]},"#
        + #""claims":[{"path":["given_name"]}]}]}"#)
    let choice = DocumentChoice(for: try asking.shown(), from: [document, credential], at: Readers.now.date)
    #expect(choice.options.map(\.documentIdentifier) == ["pid"])
    #expect(choice.elements.map { "\($0.nameSpace) \($0.identifier) \($0.disclosure)" } == ["claims given_name given"])
    let answer = try await answer(asking, with: [document, credential], choosing: choice)
    #expect(failure(answer) == nil && answer.checks.allSatisfy { $0.status == .passed })
    let shown = ISO18013MobileDocumentRequest(
      presentmentRequests: [
        .init(
          documentRequestSets: [
            .init(requests: [.init(documentType: credential.mobileDocumentType, namespaces: [:])])
          ], isMandatory: true)
      ], requestAuthentications: [])
    #expect(DocumentChoice(for: shown, from: [credential], at: Readers.now.date).options.isEmpty)
    #expect(throws: ProviderRefusal.self) { try credential.mobileDocument() }
    let expired = try exchange.credential("urn:eudi:pid:1", identifier: "pid", until: -1)
    #expect(failure(try await self.answer(asking, with: [expired])) == "provider.document/expired")
  }

  @Test("a view shows every claim that a credential discloses, also those that the request does not name")
  func unrequested() throws {
    let claims = try JSONReader.read(
      Array(
        #"{"given_name":"Kelly","sex":2,"address":{"street":"1 Main","country":"US","geo":{"x":1}},"cards":["A","B"]}"#
          .utf8))
    let credential = try Exchange.shared.credential("urn:eudi:pid:1", identifier: "pid") { draft in
      draft.claims = claims
      draft.disclosable = [
        [.member("given_name")], [.member("address")], [.member("address"), .member("street")],
        [.member("cards"), .index(1)],
      ].compactMap { ClaimsPath($0) }
    }
    func shown(_ path: String) throws -> [String] {
      let asking = try Asking(
        query: #"{"credentials":[{"id":"p","format":"dc+sd-jwt","meta":{"vct_values":["urn:eudi:pid:1"]},"#
          + #""claims":[{"path":\#(path)}]}]}"#)
      let choice = DocumentChoice(for: try asking.shown(), from: [credential], at: Readers.now.date)
      #expect(choice.elements.allSatisfy { $0.disclosure == .given })
      return choice.elements.map(\.identifier)
    }
    #expect(try shown(#"["given_name"]"#) == ["given_name", "sex", "cards[0]"])
    #expect(
      try shown(#"["address","street"]"#) == ["address.street", "sex", "cards[0]", "address.country", "address.geo.x"])
    #expect(try shown(#"["address"]"#) == ["address", "sex", "cards[0]"])
    #expect(try shown(#"["cards",null]"#) == ["cards[]", "sex"])
  }

  @Test("what differs from the view, and a reader that is not trusted, is refused by name")
  func refusals() async throws {
    let exchange = try Exchange.shared
    let documents = [try exchange.document()]
    let readers = try Readers.shared
    let asking = try Asking()
    let other = try Asking(query: Asking.query(["family_name"])).shown()
    #expect(failure(try await answer(asking, with: documents, shownAs: other)) == "provider.raw-request/differs")
    let another = URL(string: "https://other.example")
    #expect(failure(try await answer(asking, with: documents, origin: another)) == "provider.reader-signature")
    #expect(failure(try await answer(asking, with: documents, origin: nil)) == "provider.origin")
    let unsigned = try Asking(.unsigned)
    #expect(failure(try await answer(unsigned, with: documents)) == "provider.reader/unsigned")
    for (chain, reason) in [
      (readers.ofSecond, "untrusted"), (readers.expired, "expired"), (readers.future, "not-yet-valid"),
    ] {
      let asking = try Asking(signedBy: [chain])
      #expect(failure(try await answer(asking, with: documents)) == "provider.reader/\(reason)")
    }
    // One of several signatures is enough.
    let several = try Asking(.multisigned, signedBy: [readers.ofSecond, readers.ofFirst])
    #expect(failure(try await answer(several, with: documents)) == nil)
    let old = [try exchange.document(until: 0)]
    #expect(failure(try await answer(asking, with: old)) == nil)
    #expect(
      failure(try await answer(asking, with: [try exchange.document(from: -9, until: -1)]))
        == "provider.document/expired")
  }
}
