import CBOR
import COSE
import JSON
import OpenID4VPVectors
import Primitives
import TestSupport
import TestTraits
import Testing

@testable import OpenID4VP
@testable import SDJWT

@Suite("DCQL")
struct QueryTests {
  private static let file = "dcql.json"

  /// Makes a credential of an entry of the vectors.
  private func credential(_ name: String) throws -> DCQLCredential {
    let known = try KnownItem.file(Self.file).item("credentials").item(name)
    let keys = try known.optional("aki")?.list().map { try $0.json.base64URL() } ?? []
    guard try known.text("format") == "mso_mdoc" else {
      let isBound: Bool? = try known.json.optionalMember("holder_binding")
      return DCQLCredential(
        .sdJWT(type: try known.text("vct"), claims: ClaimNode(try known.item("claims").value)),
        isHolderBound: isBound ?? true, issuerKeyIdentifiers: keys)
    }
    var elements: [DCQLCredential.Element] = []
    for (space, item) in try known.item("namespaces").json.members() {
      for (identifier, value) in try item.members() {
        elements.append(.init(nameSpace: space, identifier: identifier, value: try cbor(JSONValue(value))))
      }
    }
    return DCQLCredential(
      .mdoc(type: try known.text("doctype"), elements: elements), isHolderBound: true, issuerKeyIdentifiers: keys)
  }

  private func cbor(_ value: JSONValue) throws -> CBORValue {
    switch value {
    case .string(let text): .text(text)
    case .boolean(let value): .boolean(value)
    case .number(let digits): .integer(try #require(Int(digits)))
    default: throw MissingMember(description: "no element has \(value.kind)")
    }
  }

  @Test(
    "every table of matches is computed", .requiresOpenID4VPVectors, arguments: KnownItem.entries(of: file, "matching"))
  func matching(entry: KnownItem) throws {
    let query = try DCQLQuery(json: entry.item("query").json)
    // Members that are unknown or have their default are left out.
    let written = try DCQLQuery(json: JSONReader.item(query.json.bytes))
    #expect(written.json == query.json && written.findings == query.findings)
    let names = try entry.list("credentials").map { try $0.json.text() }
    let credentials = try names.map(credential)
    let expected = try entry.item("expected")
    var answered: [String] = []
    for credentialQuery in query.credentials {
      var found: [JSONValue] = []
      for (name, credential) in zip(names, credentials) {
        guard let match = try? credentialQuery.match(credential) else { continue }
        found.append(
          JSONValue(members: [("credential", .string(name)), ("paths", .array(match.claims.map(\.path.json)))]))
      }
      #expect(.array(found) == (try expected.item("matches").item(credentialQuery.id).value))
      if !found.isEmpty { answered.append(credentialQuery.id) }
    }
    #expect(query.isAnswered(by: answered) == (try expected.json.member("satisfiable")))
    let options = query.answeredOptions(by: answered).map { sets in
      JSONValue.array(sets.map { .array($0.map { .array($0.map { .string($0) }) }) })
    }
    #expect(options == (try expected.optional("satisfied_options")?.value))
  }

  @Test(
    "every path selects what the table says", .requiresOpenID4VPVectors,
    arguments: KnownItem.entries(of: file, "path_pointers", "cases"))
  func paths(entry: KnownItem) throws {
    let root = ClaimNode(try KnownItem.file(Self.file).item("path_pointers").item("root").value)
    guard let known = try entry.optional("selected") else {
      let reason = try entry.text("error")
      let path = try entry.item("path").json
      #expect("\(reason)") { try root.select(ClaimsPath(json: path)) } throws: {
        $0 is JSONError || ($0 as? SDJWTError)?.code == .path
      }
      return
    }
    let found = try root.select(ClaimsPath(json: entry.item("path").json))
    let shown = JSONValue.array(
      found.map { claim in
        JSONValue(members: [
          ("at", ClaimsPath(claim.place)?.json ?? .null), ("value", claim.node.value),
        ])
      })
    #expect(isEqual(shown, known.value))
  }

  @Test(
    "every invalid query is refused at its place", .requiresOpenID4VPVectors,
    arguments: KnownItem.entries(of: file, "invalid_queries", "cases"))
  func invalid(entry: KnownItem) throws {
    let error = #expect(throws: DCQLError.self) { try DCQLQuery(json: entry.item("query").json) }
    let wanted = try #require(Self.refusals[entry.identifier], "no place is declared for \(entry)")
    #expect(error?.code == wanted.0 && error?.location == wanted.1, "\(String(describing: error))")
  }

  /// The rule and the place of each refusal.
  private static let refusals: [String: (DCQLErrorCode, String)] = [
    "not-object": (.structure, "dcql_query"), "no-credentials": (.structure, "dcql_query"),
    "empty-credentials": (.structure, "credentials"), "id-missing": (.structure, "credentials[0]"),
    "id-empty": (.identifier, "credentials[0].id"), "id-dot": (.identifier, "credentials[0].id"),
    "id-unicode": (.identifier, "credentials[0].id"), "id-newline": (.identifier, "credentials[0].id"),
    "id-twice": (.identifier, "credentials[1]"), "meta-missing": (.structure, "credentials[0]"),
    "doctype-missing": (.type, "credentials[0].meta"), "vct-values-string": (.type, "credentials[0].meta.vct_values"),
    "vct-values-empty": (.type, "credentials[0].meta.vct_values"),
    "multiple-string": (.structure, "credentials[0].multiple"),
    "binding-null": (.structure, "credentials[0].require_cryptographic_holder_binding"),
    "claims-empty": (.structure, "credentials[0].claims"), "path-empty": (.path, "credentials[0].claims[0].path"),
    "path-negative": (.path, "credentials[0].claims[0].path"), "path-object": (.path, "credentials[0].claims[0].path"),
    "path-bool": (.path, "credentials[0].claims[0].path"), "path-fraction": (.path, "credentials[0].claims[0].path"),
    "mdoc-path-one": (.path, "credentials[0].claims[0].path"),
    "mdoc-path-three": (.path, "credentials[0].claims[0].path"),
    "mdoc-path-null": (.path, "credentials[0].claims[0].path"),
    "values-empty": (.values, "credentials[0].claims[0].values"),
    "values-null": (.values, "credentials[0].claims[0].values[0]"),
    "values-object": (.values, "credentials[0].claims[0].values[0]"),
    "values-fraction": (.values, "credentials[0].claims[0].values[0]"),
    "retain-string": (.structure, "credentials[0].claims[0].intent_to_retain"),
    "claim-sets-without-claims": (.sets, "credentials[0].claim_sets"),
    "claim-sets-without-ids": (.identifier, "credentials[0].claims[0]"),
    "claim-id-twice": (.identifier, "credentials[0].claims[1]"),
    "claim-sets-empty": (.sets, "credentials[0].claim_sets"),
    "claim-set-unknown-id": (.sets, "credentials[0].claim_sets[0][0]"),
    "sets-empty": (.sets, "credential_sets"), "options-missing": (.structure, "credential_sets[0]"),
    "options-empty": (.sets, "credential_sets[0].options"), "option-empty": (.sets, "credential_sets[0].options[0]"),
    "option-unknown-id": (.sets, "credential_sets[0].options[0][0]"),
    "option-string": (.sets, "credential_sets[0].options[0]"),
    "required-string": (.structure, "credential_sets[0].required"),
    "authorities-empty": (.structure, "credentials[0].trusted_authorities"),
    "authority-values-empty": (.structure, "credentials[0].trusted_authorities[0].values"),
    "authority-no-type": (.structure, "credentials[0].trusted_authorities[0]"),
  ]

  @Test(
    "every shape of a token is accepted or refused", .requiresOpenID4VPVectors,
    arguments: KnownItem.entries(of: file, "vp_token_shapes", "cases"))
  func shapes(entry: KnownItem) throws {
    let shapes = try KnownItem.file(Self.file).item("vp_token_shapes")
    let query = try DCQLQuery(json: shapes.item("query").json)
    let data = JSONValue(members: [("vp_token", try entry.item("vp_token").value)]).bytes
    let isGood: Bool = try entry.json.member("ok")
    let result = Result { try PresentationResponse(data: data, expecting: ExpectedPresentations(query: query)) }
    #expect(((try? result.get()) != nil) == isGood, "\(result)")
    if case .failure(let error) = result { #expect(error is PresentationResponseFailure) }
  }

  @Test("the file has the entries that it had when this was written", .requiresOpenID4VPVectors)
  func counts() {
    #expect(KnownItem.entries(of: Self.file, "matching").count == 45)
    #expect(KnownItem.entries(of: Self.file, "path_pointers", "cases").count == 32)
    #expect(KnownItem.entries(of: Self.file, "invalid_queries", "cases").count == Self.refusals.count)
    #expect(KnownItem.entries(of: Self.file, "vp_token_shapes", "cases").count == 13)
  }

  private func query(_ member: String, format: String = "dc+sd-jwt", meta: String = "{}") throws -> DCQLQuery {
    try DCQLQuery(json: json(#"{"credentials":[{"id":"a","format":"\#(format)","meta":\#(meta)\#(member)}]}"#))
  }

  @Test("a query that is made is that of its JSON, and a malformed one is not made")
  func made() throws {
    let path = try #require(ClaimsPath([.member("s"), .member("e")]))
    let claim = ClaimsQuery(path, id: "x", values: [.integer("1")], intentToRetain: false)
    let credential = CredentialQuery(
      id: "a", format: .mdoc, types: ["t"], claims: [claim], claimSets: [["x"]],
      trustedAuthorities: [TrustedAuthority(keyIdentifiers: [[1, 2, 3]])], allowsMultiple: true)
    let query = try DCQLQuery([credential], credentialSets: [.init(options: [["a"]], isRequired: false)])
    let known =
      #"{"credentials":[{"id":"a","format":"mso_mdoc","meta":{"doctype_value":"t"},"multiple":true,"trusted_authorities":[{"type":"aki","values":["AQID"]}],"claims":[{"id":"x","path":["s","e"],"values":[1],"intent_to_retain":false}],"claim_sets":[["x"]]}],"credential_sets":[{"options":[["a"]],"required":false}]}"#
    #expect(String(decoding: query.json.bytes, as: UTF8.self) == known)
    #expect(throws: DCQLError.self) { try DCQLQuery([credential, credential]) }
    #expect(throws: DCQLError.self) { try DCQLQuery([credential], credentialSets: [.init(options: [["b"]])]) }
  }

  @Test("departures that are accepted are reported")
  func findings() throws {
    #expect(try query("").findings == [.emptyMeta(id: "a")])
    #expect(try query("", format: "x").findings == [.unknownFormat(id: "a", format: "x")])
    let twice = try query(#","claims":[{"path":["n"]},{"path":["n"],"values":["x"]}]"#)
    #expect(twice.findings == [.emptyMeta(id: "a"), .repeatedClaim(id: "a", path: #"["n"]"#)])
    #expect(twice.credentials[0].claims?.count == 1)
    #expect(throws: DCQLError.self) {
      try query(#","claims":[{"namespace":"n","claim_name":"x"}]"#, format: "mso_mdoc")
    }
  }

  @Test("the reason for which a credential does not answer is the first in the order of the query")
  func reasons() throws {
    let credential = DCQLCredential(
      .sdJWT(type: "t", claims: ClaimNode(JSONValue(try json(#"{"n":"x","i":1}"#)))), isHolderBound: false,
      issuerKeyIdentifiers: [[1, 2, 3]])
    func reason(_ query: DCQLQuery) throws -> DCQLMismatch? {
      let found = Result { () throws(DCQLMismatch) in try query.credentials[0].match(credential) }
      guard case .failure(let error) = found else { return nil }
      return error
    }
    let unbound = #","require_cryptographic_holder_binding":false"#
    #expect(try reason(query("", format: "mso_mdoc")) == .format)
    #expect(try reason(query("", meta: #"{"vct_values":["u"]}"#)) == .type)
    #expect(try reason(query("")) == .holderBinding)
    #expect(try reason(query(unbound + #","trusted_authorities":[{"type":"aki","values":["AQI"]}]"#)) == .authority)
    #expect(try reason(query(unbound + #","trusted_authorities":[{"type":"aki","values":["AQID"]}]"#)) == nil)
    #expect(try reason(query(unbound + #","trusted_authorities":[{"type":"aki","values":["AQID="]}]"#)) == .authority)
    #expect(try reason(query(unbound + #","claims":[{"path":["m"]}]"#)) == .claim(#"["m"]"#))
    for (values, isAccepted) in [
      (#""x""#, true), ("1", false), (#""1""#, false), ("true", false), (#""y","x""#, true),
    ] {
      #expect((try reason(query(unbound + #","claims":[{"path":["n"],"values":[\#(values)]}]"#)) == nil) == isAccepted)
    }
    #expect(try reason(query(unbound + #","claims":[{"path":["i"],"values":[1]}]"#)) == nil)
    #expect(try reason(query(unbound + #","claims":[{"path":["i"],"values":["1",true,2]}]"#)) != nil)
  }

  @Test("a claim that two paths select is selected once")
  func overlapping() throws {
    let credential = DCQLCredential(
      .sdJWT(type: "t", claims: ClaimNode(JSONValue(try json(#"{"n":["x","y"]}"#)))), isHolderBound: true,
      issuerKeyIdentifiers: [])
    for paths in [#"{"path":["n",null]},{"path":["n",0]}"#, #"{"path":["n",1]},{"path":["n",null]}"#] {
      let match = try query(#","claims":[\#(paths)]"#).credentials[0].match(credential)
      #expect(match.claims.count == 2 && match.selected.count == 2)
    }
  }

  /// A credential with claims.
  private func holding(_ claims: ClaimNode) -> DCQLCredential {
    DCQLCredential(.sdJWT(type: "t", claims: claims), isHolderBound: true, issuerKeyIdentifiers: [])
  }

  @Test("claims beside one set of claims, and beside the accepted values, are surplus")
  func surplus() throws {
    let sets = try query(
      #","claims":[{"id":"1","path":["a"]},{"id":"2","path":["b"]},{"id":"3","path":["c"]}],"claim_sets":[["1","2"],["3"]]"#
    ).credentials[0]
    for (sent, surplus) in [("ab", ""), ("c", ""), ("abc", "c"), ("cd", "d"), ("abcd", "cd")] {
      let claims = sent.enumerated().map { place, name in
        ClaimNode.Child(step: .member(String(name)), node: .value(.string("x")), disclosure: place)
      }
      #expect(sets.surplus(in: holding(.object(claims))).joined() == surplus, "\(sent)")
    }
    let countries = ["US", "FR"].enumerated().map { place, name in
      ClaimNode.Child(step: .index(place), node: .value(.string(name)), disclosure: place)
    }
    let credential = holding(
      .object([.init(step: .member("n"), node: .array(countries, isComplete: true), disclosure: nil)]))
    for (values, surplus) in [(#""US""#, ["n[1]"]), (#""US","FR""#, [])] {
      let asked = try query(#","claims":[{"path":["n",null],"values":[\#(values)]}]"#).credentials[0]
      #expect(asked.surplus(in: credential) == surplus)
    }
  }

  @Test("an index of a presented array selects what may have had it, and others of another kind do not matter")
  func mixedArray() throws {
    let children = [
      ClaimNode.Child(step: .index(0), node: .value(.string("plain")), disclosure: nil),
      ClaimNode.Child(step: .index(1), node: ClaimNode(JSONValue(try json(#"{"type":"x"}"#))), disclosure: 0),
    ]
    let asked = try query(#","claims":[{"path":["n",1,"type"]}]"#).credentials[0]
    for (isComplete, indexing, isAnswered) in [
      (false, ClaimNode.Indexing.asPresented, true), (true, .exact, true), (true, .asPresented, true),
    ] {
      let credential = holding(
        .object([.init(step: .member("n"), node: .array(children, isComplete: isComplete), disclosure: nil)]))
      #expect((try? asked.match(credential, indexing))?.selected.count == (isAnswered ? 1 : nil))
      #expect(asked.surplus(in: credential) == [])
    }
    // The holder's index stays, whatever is withheld before it.
    let held = holding(
      .object([.init(step: .member("n"), node: .array([children[1]], isComplete: false), disclosure: nil)]))
    #expect(try asked.match(held).selected.count == 1)
  }

  @Test("a wallet answers one option of each set, and what no choice of options has is surplus")
  func options() throws {
    let ids = "abcd".map { #"{"id":"\#($0)","format":"dc+sd-jwt","meta":{}}"# }.joined(separator: ",")
    let sets = #"{"options":[["a","b"],["a"],["c"]]},{"options":[["c","d"]],"required":false}"#
    let query = try DCQLQuery(json: json(#"{"credentials":[\#(ids)],"credential_sets":[\#(sets)]}"#))
    for (held, answered) in [
      ("abcd", "abcd"), ("abd", "ab"), ("acd", "acd"), ("cd", "cd"), ("c", "c"), ("bd", nil), ("", nil),
    ] {
      #expect(query.answeredIDs { held.contains($0.id) }?.joined() == answered, "\(held)")
      if let answered { #expect(query.surplus(in: answered.map(String.init)) == []) }
    }
    for (sent, surplus) in [("a", ""), ("ab", ""), ("abd", "d"), ("abc", "abc"), ("ac", "ac"), ("abcd", "")] {
      #expect(query.surplus(in: sent.map(String.init)).joined() == surplus, "\(sent)")
    }
    let all = try DCQLQuery(json: json(#"{"credentials":[\#(ids)]}"#))
    #expect(all.answeredIDs { $0.id != "d" } == nil && all.answeredIDs { _ in true }?.joined() == "abcd")
    #expect(all.surplus(in: ["a"]) == [])
  }

  @Test("a wallet answers no query for no element of an mdoc, and a verifier accepts the answer")
  func noElements() throws {
    let query = try query("", format: "mso_mdoc", meta: #"{"doctype_value":"t"}"#)
    let credential = DCQLCredential(.mdoc(type: "t", elements: []), isHolderBound: true, issuerKeyIdentifiers: [])
    #expect(throws: DCQLMismatch.noElements) { try query.credentials[0].match(credential) }
    #expect(throws: Never.self) { try query.credentials[0].match(credential, acceptsNoElements: true) }
  }

  @Test("a date of an mdoc is compared as text")
  func dates() throws {
    let query = try query(#","claims":[{"path":["s","d"],"values":["2000-01-01"]}]"#, format: "mso_mdoc")
    let date = CBORValue.tagged(1004, .text("2000-01-01"))
    let credential = DCQLCredential(
      .mdoc(type: "t", elements: [.init(nameSpace: "s", identifier: "d", value: date)]), isHolderBound: true,
      issuerKeyIdentifiers: [])
    #expect(try query.credentials[0].match(credential).elements.count == 1)
  }

  @Test("a query beyond the limits is refused")
  func bounds() throws {
    func many(_ count: Int, _ text: (Int) -> String) -> String { (0..<count).map(text).joined(separator: ",") }
    let queries = [
      #"{"credentials":[\#(many(17) { #"{"id":"\#($0)","format":"x","meta":{}}"# })]}"#,
      #"{"credentials":[{"id":"a","format":"x","meta":{},"claims":[\#(many(65) { #"{"path":["\#($0)"]}"# })]}]}"#,
      #"{"credentials":[{"id":"a","format":"x","meta":{},"claims":[{"path":["a"],"values":[\#(many(65) { "\($0)" })]}]}]}"#,
      #"{"credentials":[{"id":"\#(String(repeating: "a", count: 257))","format":"x","meta":{}}]}"#,
      #"{"credentials":[{"id":"a","format":"x","meta":{}}],"credential_sets":[\#(many(17) { _ in #"{"options":[["a"]]}"# })]}"#,
      #"{"credentials":[{"id":"a","format":"x","meta":{}}],"credential_sets":[{"options":[\#(many(33) { _ in #"["a"]"# })]}]}"#,
    ]
    for text in queries { #expect(refusal(DCQLError.self) { _ = try DCQLQuery(json: json(text)) } == .tooLarge) }
  }

  @Test("a drawn change of a query gives a value or a coded error")
  func damaged() throws {
    let text =
      #"{"credentials":[{"id":"a","format":"dc+sd-jwt","meta":{"vct_values":["t"]},"multiple":true,"claims":[{"id":"x","path":["a",null,1],"values":["v",1,true]}],"claim_sets":[["x"]],"trusted_authorities":[{"type":"aki","values":["AQ"]}]}],"credential_sets":[{"options":[["a"]],"required":false}]}"#
    for changed in Damage.sample(of: Array(text.utf8), seed: 5) {
      do { _ = try DCQLQuery(json: JSONReader.item(changed)) } catch is JSONError {} catch is DCQLError {}
    }
  }
}
