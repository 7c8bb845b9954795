import COSE
import JOSE
import JSON
import OpenID4VPVectors
import Primitives
import TestSupport
import Testing

@testable import SDJWT

@Suite("Disclosed claims")
struct ClaimsTests {
  private func text(_ parts: String) -> String { Base64URL.encode(Array(parts.utf8)) }

  private func digest(_ parts: String) -> String { SDJWTHash.sha256.digest(of: text(parts)) }

  private func code(_ payload: String, _ disclosures: String...) throws -> SDJWTErrorCode? {
    let payload = try json(payload)
    return refusal(SDJWTError.self) {
      let read = try disclosures.enumerated().map { try Disclosure(text($1), at: $0) }
      _ = try DisclosedClaims(payload, disclosures: read)
    }
  }

  @Test("A malformed disclosure is refused")
  func malformed() throws {
    for parts in [
      "", "{}", "[]", "[1]", #"["s"]"#, #"["s","n",1,2]"#, "[1,2]", #"["s",1,2]"#, #"[null,"n",1]"#,
      #"["s","n",{"a":1,"a":2}]"#,
    ] { #expect(try code("{}", parts) == .disclosure, "\(parts)") }
    for text in ["", "W10=", "W1 0", "W10\n"] {
      #expect(refusal(SDJWTError.self) { _ = try Disclosure(text, at: 0) } == .disclosure)
    }
  }

  @Test("Every rule about digests refuses")
  func rules() throws {
    let member = #"["s","n",1]"#
    let element = #"["s",1]"#
    func sd(_ parts: String...) -> String { "\"_sd\":[\(parts.map { "\"\(digest($0))\"" }.joined(separator: ","))]" }
    #expect(try code("{\(sd(member))}", member) == nil)
    #expect(try code("{}", member) == .unreferenced)
    #expect(try code("{\(sd(member))}", member, member) == .digestTwice)
    #expect(try code("{\(sd(member, member))}", member) == .digestTwice)
    #expect(try code("{\(sd(member, member))}") == .digestTwice)
    #expect(try code("{\(sd(member)),\"a\":{\(sd(member))}}", member) == .digestTwice)
    #expect(try code("{\(sd(member)),\"n\":2}", member) == .claimName)
    #expect(try code("{\"n\":2,\(sd(member))}", member) == .claimName)
    let other = #"["t","n",2]"#
    #expect(try code("{\(sd(member, other))}", member, other) == .claimName)
    // The same letter in two forms is two names.
    let composed = "[\"s\",\"\u{e9}\",1]"
    let decomposed = "[\"s\",\"e\u{301}\",1]"
    #expect(try code("{\(sd(composed, decomposed))}", composed, decomposed) == nil)
    #expect(try code("{\(sd(element))}", element) == .place)
    #expect(try code("{\"a\":[{\"...\":\"\(digest(member))\"}]}", member) == .place)
    for name in ["_sd", "..."] {
      let reserved = "[\"s\",\"\(name)\",1]"
      #expect(try code("{\(sd(reserved))}", reserved) == .claimName)
    }
    #expect(try code(#"{"_sd":"a"}"#) == .digestForm)
    #expect(try code(#"{"_sd":[1]}"#) == .digestForm)
    #expect(try code(#"{"_sd":null}"#) == .digestForm)
    #expect(try code(#"{"...":"a"}"#) == .digestForm)
    #expect(try code(#"{"a":[{"...":1}]}"#) == .digestForm)
    #expect(try code(#"{"a":[{"...":"a","b":1}]}"#) == .digestForm)
    #expect(try code(#"{"a":{"_sd_alg":"sha-256"}}"#) == .hashAlgorithm)
    #expect(try code(#"{"_sd_alg":"SHA-256"}"#) == .hashAlgorithm)
    #expect(try code(#"{"_sd_alg":null}"#) == .hashAlgorithm)
    #expect(try code(#"{"_sd_alg":"md5"}"#) == .hashAlgorithm)
    let nested = #"["s","n",{"_sd_alg":"sha-256"}]"#
    #expect(try code("{\(sd(nested))}", nested) == .hashAlgorithm)
  }

  @Test("Claims nested too deeply, by disclosures in disclosures, are refused")
  func depth() throws {
    var disclosures: [String] = []
    var inner = "1"
    for _ in 0..<40 {
      let parts = "[\"s\",\"n\",\(inner)]"
      disclosures.append(parts)
      inner = "{\"_sd\":[\"\(digest(parts))\"]}"
    }
    let payload = try json(inner)
    let read = try disclosures.enumerated().map { try Disclosure(text($1), at: $0) }
    #expect(refusal(SDJWTError.self) { _ = try DisclosedClaims(payload, disclosures: read) } == .tooLarge)
  }

  @Test("Too many digests and disclosures are refused")
  func counts() throws {
    let digests = (0...SDJWTLimits.digests).map { "\"\($0)\"" }.joined(separator: ",")
    #expect(try code("{\"_sd\":[\(digests)]}") == .tooLarge)
    let many = "a" + String(repeating: "~a", count: SDJWTLimits.disclosures + 1) + "~"
    #expect(refusal(SDJWTError.self) { _ = try UnverifiedSDJWT(compact: many) } == .tooLarge)
    let long = String(repeating: "a", count: SDJWTLimits.bytes + 1)
    #expect(refusal(SDJWTError.self) { _ = try UnverifiedSDJWT(compact: long) } == .tooLarge)
  }

  @Test("Placeholders that are not disclosed leave the array, and an emptied object stays")
  func removal() throws {
    let claims = try DisclosedClaims(
      json(#"{"a":[{"...":"x"},1,{"...":"y"}],"b":{"_sd":["z"]},"c":[{"d":1}]}"#), disclosures: [])
    #expect(claims.root.value == JSONValue(try json(#"{"a":[1],"b":{},"c":[{"d":1}]}"#)))
  }

  @Test("An index means any element where the holder left out others, and the exact one elsewhere")
  func indices() throws {
    let claims = try DisclosedClaims(json(#"{"a":[{"...":"x"},"U"],"b":["V","W"]}"#), disclosures: []).root
    #expect(try claims.select(path("a", 1), .asPresented).map(\.node.value) == [.string("U")])
    #expect(throws: SDJWTError.self) { try claims.select(path("a", 1)) }
    #expect(try claims.select(path("b", 1), .asPresented).map(\.node.value) == [.string("W")])
    #expect(throws: SDJWTError.self) { try claims.select(path("b", 2), .asPresented) }
  }

  @Test("Several nulls in a path do not multiply without bound")
  func product() throws {
    var value = "1"
    for _ in 0..<4 { value = "[\(Array(repeating: value, count: 16).joined(separator: ","))]" }
    let node = ClaimNode(JSONValue(try json("{\"a\":\(value)}")))
    #expect(try node.select(path("a", "*", "*", "*")).count == 4096)
    #expect(throws: SDJWTError.self) { try node.select(path("a", "*", "*", "*", "*")) }
  }

  @Test(
    "A part of another kind is refused in a path",
    arguments: ["[]", "{}", "[-1]", "[1.0]", "[1e0]", "[-0]", "[true]", "[{}]", "[[]]", "[99999999999999999999]"])
  func paths(text: String) throws { #expect(throws: JSONError.self) { try ClaimsPath(json: json(text)) } }
}
