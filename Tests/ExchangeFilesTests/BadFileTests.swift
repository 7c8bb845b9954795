import CBOR
import CrossCheckTrait
import Crypto
import DigitalCredentials
import Foundation
import JSON
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment
import X509

@testable import ExchangeFiles

@Suite("Unusable files", .crossChecked)
struct BadFileTests {
  private let parties: Parties
  private let good: Draft

  init() async throws {
    parties = try Parties()
    good = try Draft(try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange)
  }

  /// The file with a nested member changed or removed.
  private func changed(_ path: String, to value: JSONValue?) -> Draft {
    func change(_ members: inout [String: JSONValue], _ path: ArraySlice<String>) {
      guard let name = path.first else { return }
      if path.count == 1 {
        members[name] = value
      } else if case .object(let inner)? = members[name] {
        var inner = Dictionary(uniqueKeysWithValues: inner.map { ($0.name, $0.value) })
        change(&inner, path.dropFirst())
        members[name] = .objectOf(inner)
      }
    }
    var draft = good
    change(&draft.members, path.split(separator: ".").map(String.init)[...])
    return draft
  }

  @Test(
    "an error names the missing member",
    arguments: [
      "origin", "request", "request.deviceRequest", "request.encryptionInfo", "response", "recipientPrivateKey",
      "recipientPrivateKey.kty", "recipientPrivateKey.crv", "recipientPrivateKey.d", "trustedIssuers",
    ])
  func missing(path: String) {
    #expect(good.problem == nil)
    let problem = changed(path, to: nil).problem
    #expect(problem?.code == .memberMissing && problem?.member == path, "\(problem.map(\.description) ?? "none")")
  }

  @Test(
    "an error names the member of the wrong type",
    arguments: [
      "origin", "request", "request.deviceRequest", "request.encryptionInfo", "response", "recipientPrivateKey",
      "recipientPrivateKey.kty", "recipientPrivateKey.d", "trustedIssuers", "statusLists", "policy",
    ])
  func kind(path: String) {
    for value in [JSONValue.number("7"), .null, .boolean(true)] {
      let problem = changed(path, to: value).problem
      #expect(problem?.code == .memberKind && problem?.member == path, "\(problem.map(\.description) ?? "none")")
    }
  }

  @Test(
    "an error names the member that is not base64url",
    arguments: ["request.deviceRequest", "request.encryptionInfo"])
  func base64URL(path: String) {
    for text in ["", "a", "ab+/", "YQ==", "Y Q", "YR"] {
      let problem = changed(path, to: .string(text)).problem
      #expect(problem?.code == .base64URL && problem?.member == path, "\(text)")
    }
  }

  @Test("an error names the member that is not base64", arguments: ["response", "recipientPrivateKey.d"])
  func base64(path: String) {
    for text in ["", "a", "ab+_", "YQ=", "Y%Q", "YR"] {
      let problem = changed(path, to: .string(text)).problem
      #expect(problem?.code == .base64URL && problem?.member == path, "\(text)")
    }
  }

  @Test("The error names the member with an invalid key, request, origin or policy")
  func contents() {
    func expect(_ path: String, _ value: JSONValue, _ code: ExchangeFileError.Code, _ member: String? = nil) {
      let problem = changed(path, to: value).problem
      #expect(problem?.code == code && problem?.member == member ?? path, "\(problem.map(\.description) ?? "none")")
    }
    expect("recipientPrivateKey.kty", .string("RSA"), .key, "recipientPrivateKey")
    expect("recipientPrivateKey.crv", .string("P-384"), .key, "recipientPrivateKey")
    expect("recipientPrivateKey.d", .string("AAAA"), .key)
    expect("recipientPrivateKey.d", .base64URL([UInt8](repeating: 0, count: 32)), .key)
    expect("recipientPrivateKey.x", .base64URL([UInt8](repeating: 1, count: 32)), .key)
    expect("request.deviceRequest", .base64URL([0xa0]), .content)
    expect("request.deviceRequest", .base64URL([0xff]), .content)
    expect("origin", .string(""), .content)
    for text in ["null", "javascript:1", "ftp://a.example", "https://a.example/path", "https://u:p@a.example"] {
      expect("origin", .string(text), .origin)
    }
    expect("origin", .string(String(repeating: "a", count: 2000)), .tooLarge)
    expect("policy", .string("relaxed"), .content)
    expect("statusLists", .objectOf(["https://a.example": .string("=")]), .base64URL, "statusLists.https://a.example")
    expect("deviceResponse", .base64URL([0xa0]), .memberKind)
    expect("response", .objectOf([:]), .memberMissing, "response.protocol")
    expect("response", .objectOf(["protocol": .string("org-iso-mdoc")]), .memberMissing, "response.data")
  }

  @Test("The error names the unreadable certificate")
  func certificates() throws {
    func problem(_ values: JSONValue...) -> ExchangeFileError? { changed("trustedIssuers", to: .array(values)).problem }
    let pem = try CertificateFile.pem([parties.root])
    #expect(problem(.string(pem), .string(pem + pem)) == nil)
    #expect(problem(.string(pem), .number("1"))?.member == "trustedIssuers[1]")
    let broken = problem(.string(pem.replacingOccurrences(of: "M", with: "N")))
    #expect(broken?.code == .certificate && broken?.member == "trustedIssuers[0]")
    let key = problem(.string(pem), .string(parties.deviceKey.pemRepresentation))
    #expect(key?.code == .certificate && key?.member == "trustedIssuers[1]")
    #expect(problem(.string("no-such.pem"))?.code == .unreadable)
    let draft = changed("trustedIssuers", to: .array([.string("roots.pem")]))
    #expect(try draft.exchange(files: ["roots.pem": pem + pem]).trustedIssuers.certificates.count == 2)
    let many = problem(.string(String(repeating: pem, count: 60)), .string(String(repeating: pem, count: 60)))
    #expect(many == nil)
    let inOneFile = changed("trustedIssuers", to: .array([.string("roots.pem")]))
    let most = String(repeating: pem, count: ExchangeLimits.trustedCertificates)
    #expect(try inOneFile.exchange(files: ["roots.pem": most]).trustedIssuers.certificates.count > 0)
    #expect(fault { _ = try inOneFile.exchange(files: ["roots.pem": most + pem]) }?.code == .tooLarge)
    let tooMany = changed(
      "trustedIssuers", to: .array((0...ExchangeLimits.trustedCertificates).map { _ in .string(pem) }))
    #expect(tooMany.problem?.code == .tooLarge)
  }

  @Test("Files other than a JSON object are refused, wherever they end")
  func json() throws {
    let bytes = good.bytes
    for length in stride(from: 0, to: bytes.count, by: 7) {
      let error = #expect(throws: ExchangeFileError.self) { try ExchangeFile(Array(bytes[..<length])) }
      #expect(error?.code == .json && error?.member == nil)
    }
    for text in ["[]", "7", "\"a\"", "{} {}", "\u{feff}\u{feff}{}", #"{"a":1,"a":1}"#, #"{"b":{"\u0061":1,"a":2}}"#] {
      #expect(fault { _ = try ExchangeFile(Array(text.utf8)) }?.code == .json)
    }
    let large = #expect(throws: ExchangeFileError.self) {
      try ExchangeFile([UInt8](repeating: 0x20, count: ExchangeLimits.fileBytes + 1))
    }
    #expect(large?.code == .tooLarge)
  }

  @Test("The error as JSON is one object")
  func errorsAsJSON() throws {
    let problem = try #require(changed("request.deviceRequest", to: .string("=")).problem)
    #expect(
      problem.json
        == #"{"error":{"code":"exchange-file.base64url","member":"request.deviceRequest","message":"a member is not base64url without padding","evidence":"the text is padded; expected base64url without padding"}}"#
    )
  }

  @Test("Damaged files give a report or an error", arguments: ["response", "request.deviceRequest"])
  func damage(path: String) async throws {
    let members = path.split(separator: ".").map(String.init)
    var member = try JSONField(file: good.bytes)
    for name in members { member = try member.required(name) }
    let damaged = Damage.sample(of: try member.base64URL(), seed: 3)
    // Each is verified completely, so only some bytes are changed.
    for bytes in stride(from: 1, to: damaged.count, by: 53).map({ damaged[$0] }) {
      let draft = changed(path, to: .base64URL(bytes))
      guard let exchange = try? draft.exchange() else { continue }
      let report = await ExchangeVerifier().verify(exchange, at: parties.now)
      if path == "response" { #expect(!report.isVerified && report.failure != nil) }
    }
  }

  @Test("The forms of document files are distinguished")
  func documents() throws {
    let key = (name: "key", bytes: Array(parties.deviceKey.pemRepresentation.utf8))
    let text = Array(Base64URL.encode(parties.issued).utf8)
    let jwk = PrivateKeyFile.jwk(
      try P256.KeyAgreement.PrivateKey(rawRepresentation: parties.deviceKey.rawRepresentation))
    let whole = JSONValue.objectOf(["issuerSigned": .base64URL(parties.issued), "deviceKey": jwk]).bytes
    #expect(try DocumentFile.document(("a", parties.issued), deviceKey: key).held?.documentType == Parties.documentType)
    #expect(try DocumentFile.document(("a", text), deviceKey: ("key", jwk.bytes)).held?.nameSpaces.count == 1)
    #expect(try DocumentFile.document(("a", whole), deviceKey: nil).held?.nameSpaces.count == 1)
    func problem(_ bytes: [UInt8], _ key: (name: String, bytes: [UInt8])?) -> ExchangeFileError? {
      fault { _ = try DocumentFile.document(("document", bytes), deviceKey: key) }
    }
    #expect(problem(text, nil)?.member == "--device-key")
    #expect(problem([], key)?.member == "document")
    #expect(problem(Array("no base64url".utf8), key)?.code == .content)
    #expect(problem(Array(parties.issued.dropLast()), key)?.code == .content)
    #expect(problem(parties.issued, ("key", Array(try fixedKey(8).pemRepresentation.utf8)))?.code == .content)
    #expect(problem(parties.issued, ("key", Array("nothing".utf8)))?.code == .key)
    #expect(problem(parties.issued, ("key", Array(#"{"kty":"EC"}"#.utf8)))?.member == "key: crv")
  }

  @Test("A reader's certificate and key must match")
  func readers() throws {
    let reader = try parties.reader()
    let root = Array(reader.rootPEM.utf8)
    let other = (name: "key", bytes: Array(try fixedKey(8).pemRepresentation.utf8))
    #expect(fault { _ = try ReaderFiles.reader(certificates: ("chain", root), key: other) }?.code == .key)
    #expect(fault { _ = try ReaderFiles.reader(certificates: ("chain", [1, 2]), key: other) }?.code == .certificate)
  }

  @Test(
    "a malformed element argument is refused",
    arguments: ["", "a", ":a", "a:", "a:retain:", ":retain", "a::retain"])
  func elements(text: String) {
    #expect(fault { _ = try RequestedElements.items(documentType: "t", elements: [text]) }?.code == .element)
  }

  @Test("An element may be named retain")
  func retain() throws {
    let items = try RequestedElements.items(
      documentType: "t", elements: ["urn:x:retain", "a:retain", "urn:x:y:retain"])
    #expect(items.nameSpaces.map(\.name) == ["urn", "a", "urn:x"])
    #expect(items.nameSpaces.flatMap(\.elements).map(\.intentToRetain) == [true, false, true])
    #expect(throws: ExchangeFileError.self) {
      try RequestedElements.items(documentType: "t", elements: ["a:b", "a:b:retain"])
    }
  }
}
