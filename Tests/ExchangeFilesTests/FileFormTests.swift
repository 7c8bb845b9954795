import CBOR
import CommandSupport
import CrossCheckTrait
import Crypto
import DigitalCredentials
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import TestSupport
import Testing
import WebPresentment

@testable import ExchangeFiles

@Suite("Files of other programs", .crossChecked)
struct FileFormTests {
  private let parties: Parties

  init() throws { parties = try Parties() }

  /// The curve parameters that `openssl ecparam -name prime256v1 -genkey` writes before a key.
  private static let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"

  @Test("A PEM file may have other blocks, but only one key")
  func keys() throws {
    let key = try fixedKey(7)
    let pem = key.pemRepresentation + "\n"
    let certificate = try CertificateFile.pem([parties.root])
    let texts = [
      pem, Self.parameters + pem, certificate + pem + certificate,
      "a word before\r\n" + pem.replacing("\n", with: "\r\n"),
      "\u{feff}" + pem,
    ]
    for text in texts {
      let read = try PrivateKeyFile.signingKey(Array(text.utf8), name: "key.pem")
      #expect(read.rawRepresentation == key.rawRepresentation)
    }
    let bad = [
      pem + pem, Self.parameters, certificate, pem.replacing("-----END", with: "-----FIN"),
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", String(repeating: " ", count: 2 << 20),
    ]
    for text in bad {
      let problem = fault { _ = try PrivateKeyFile.signingKey(Array(text.utf8), name: "key.pem") }
      #expect(problem?.member == "key.pem" && [.key, .tooLarge].contains(problem?.code), "\(text.prefix(40))")
    }
  }

  @Test("A byte order mark is ignored")
  func byteOrderMark() throws {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let made = try parties.request(for: ["given_name"])
    #expect(try ExchangeFile(mark + made.exchange.bytes).origin() == Parties.origin)
    #expect(try RequestedElements.like(mark + made.page, name: "page.json").documents.count == 1)
  }

  @Test("Relative names lead to the same files from another folder")
  func moved() throws {
    let pem = try CertificateFile.pem([parties.root])
    let names = ["issuer.pem", "../roots/a.pem", "sub/b.pem", "/etc/c.pem", pem]
    let file = ExchangeFile(
      json: .objectOf(["trustedIssuers": .array(names.map { .string($0) } + [.number("1")])]))
    func moved(to folder: String) -> [String?]? {
      let there = file.moved(from: URL(fileURLWithPath: "/work/here"), to: URL(fileURLWithPath: folder))
      guard case .array(let elements)? = there.root["trustedIssuers"]?.value else { return nil }
      return elements.map(\.text)
    }
    #expect(
      moved(to: "/work/here/sub")
        == ["../issuer.pem", "../../roots/a.pem", "b.pem", "/etc/c.pem", pem, nil])
    #expect(
      moved(to: "/other")
        == ["../work/here/issuer.pem", "../work/roots/a.pem", "../work/here/sub/b.pem", "/etc/c.pem", pem, nil])
    #expect(moved(to: "/work/there/../here") == names + [nil])
  }

  @Test("Errors name the file and the member, and escape text from outside")
  func errors() throws {
    let error = ExchangeFileError(.content, "statusLists.\u{1b}]0;x\u{7}\n", "one\nt\u{202e}wo")
    #expect(
      error.inFile("a\u{1b}.json").description
        == #"a\u{1b}.json: statusLists.\u{1b}]0;x\u{7}\u{a}: one"# + "\n" + #"t\u{202e}wo (exchange-file.content)"#)
    #expect(error.inFile("a.json").inFile("b.json").file == "a.json")
    #expect(ExchangeFileError(.content, "--at", "no").inFile("a.json").file == nil)
    let whole = ExchangeFileError(.certificate, "a.pem", "no").inFile("a.pem")
    #expect(whole.file == "a.pem" && whole.member == nil && "\(whole)" == "a.pem: no (exchange-file.certificate)")
    #expect(error.inFile("a.json").json.contains(#""file":"a.json","member":"statusLists"#))
    let refusal = ProviderRefusal(
      .reader, .untrusted, "O=a\nb\u{1b}[31mred", evidence: [.init("issuer\n", expected: "\u{7}", found: "\u{202e}")])
    #expect(refusal.lines.count == 2)
    for line in refusal.lines { #expect(TerminalSafe.text(line) == line) }
    for (member, name) in [("kty", "\u{1b}[2J"), ("crv", "\u{1b}[2J")] {
      let jwk = #"{"kty":"EC","crv":"P-256","d":"AA"}"#
        .replacing(#""\#(member)":"\#(member == "kty" ? "EC" : "P-256")""#, with: #""\#(member)":"\u001b[2J""#)
      let problem = fault { _ = try PrivateKeyFile.signingKey(Array(jwk.utf8), name: "key") }
      #expect(problem?.message.contains(#"\u{1b}"#) == true && problem?.message.contains(name) == false)
    }
  }

  @Test("Errors of a document name its file and member")
  func documentMembers() throws {
    let page = try parties.request(for: ["given_name"]).page
    let problem = fault { _ = try DocumentFile.document(("page.json", page), deviceKey: nil) }
    #expect(problem?.file == "page.json" && problem?.member == "issuerSigned")
    let like = fault { _ = try RequestedElements.like(Array("{}".utf8), name: "like.json") }
    #expect(like?.file == "like.json" && like?.member == "request")
  }

  @Test(
    "Names that are too long or have invisible characters are refused",
    arguments: ["", " \n", String(repeating: "n", count: 43), "a\u{1b}[31m", "a\nb", "\u{202e}a"])
  func throwawayNames(name: String) throws {
    func made(_ name: String) throws -> ThrowawayReader {
      try ThrowawayReader(
        named: name, domain: "harbour.example", at: parties.now, from: AuthorityIngredients())
    }
    #expect(fault { _ = try made(name) }?.member == "--throwaway-reader")
    let longest = try made(String(repeating: "é", count: 42))
    #expect(try CertificateFile.certificates(Array(longest.rootPEM.utf8), name: nil).count == 1)
  }

  @Test(
    "A request that no wallet can answer is an error of the file, not of the answer", arguments: ["oA", "gA"])
  func encryptionInfo(text: String) async throws {
    var draft = try Draft(try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange)
    draft.members["request"] = .objectOf([
      "deviceRequest": draft.members["request"]?.member("deviceRequest") ?? .null, "encryptionInfo": .string(text),
    ])
    #expect(draft.problem?.code == .content && draft.problem?.member == "request.encryptionInfo")
  }

  @Test("An origin that is not serialized is reported if decryption fails")
  func origins() async throws {
    let answered = try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange
    for origin in ["https://harbour.example:443", "https://harbour.example/", "https://HARBOUR.example"] {
      var draft = try Draft(answered)
      draft.members["origin"] = .string(origin)
      let report = try await draft.verified(at: parties.now)
      #expect(report.failure?.evidence.contains { $0.field == "origin" && $0.found == origin } == true, "\(origin)")
    }
    var other = try Draft(answered)
    other.members["origin"] = .string("https://harbor.example")
    #expect(try await other.verified(at: parties.now).failure?.evidence.contains { $0.field == "origin" } == false)
  }

  @Test("An origin with a trailing slash is reported with the serialized origin")
  func slash() async throws {
    var draft = try Draft(try await parties.answer(try parties.request(for: ["given_name"]).exchange).exchange)
    draft.members["origin"] = .string(Parties.origin + "/")
    let failure = try await draft.verified(at: parties.now).failure
    #expect(failure?.name == "response.decryption/transcript")
    #expect(
      failure?.evidence.contains { $0.found == "transcript.origin.slash-missing" } == true, "\(failure?.evidence ?? [])"
    )
  }

  @Test(
    "a response sealed for an invalid origin is refused, although it opens",
    arguments: [Parties.origin + "/", Parties.origin + ":443", "HTTPS://harbour.example"])
  func sameMistake(origin: String) async throws {
    let file = try parties.request(for: ["given_name"]).exchange
    var draft = try Draft(file)
    let text = try #require(file.root["request"]?["encryptionInfo"]?.value.text)
    let information = try EncryptionInfo(text: text)
    let transcript = information.sessionTranscript(origin: origin)
    let held = try #require(try parties.document().held)
    let shown = try held.presented(
      held.answer(
        to: ItemsRequest(
          documentType: Parties.documentType,
          nameSpaces: [ItemsRequest.NameSpace(Parties.nameSpace, [.init("given_name", intentToRetain: false)])])
      ).nameSpaces, over: transcript, signedWith: parties.deviceKey)
    let sealed = try ResponseEncryption.seal(
      DeviceResponseWriter.encoded(documents: [shown]), to: information.recipientPublicKey, info: transcript.encoded,
      ephemeralKey: try fixedAgreementKey(6))
    draft.members["response"] = .base64URL(
      CBORValue.array([
        .text("dcapi"),
        .textMap([("enc", .bytes(sealed.encapsulatedKey)), ("cipherText", .bytes(sealed.cipherText))]),
      ]).encoded)
    draft.members["origin"] = .string(origin)
    let report = try await draft.verified(at: parties.now)
    #expect(report.failure?.name == "response.decryption/transcript" && !report.isVerified)
    #expect(report.failure?.evidence.contains { $0.expected == Parties.origin && $0.found == origin } == true)
    #expect(!report.json.contains("Kelly"))
  }

  @Test("An unencrypted response verifies only for the transcript of its origin and request")
  func bareTranscript() throws {
    let file = try parties.request(for: ["given_name"]).exchange
    var draft = try Draft(file)
    draft.members["deviceResponse"] = .base64URL([0xa0])
    #expect(draft.problem == nil)
    let text = try #require(file.root["request"]?["encryptionInfo"]?.value.text)
    let right = EncryptionInfo.sessionTranscript(encryptionInfoText: text, origin: Parties.origin).encoded
    draft.members["sessionTranscript"] = .base64URL(right)
    #expect(draft.problem == nil)
    let other = EncryptionInfo.sessionTranscript(encryptionInfoText: text, origin: "https://evil.example").encoded
    for wrong in [other, [0xd8, 0x18, 0x58] + [UInt8(right.count)] + right, right + [0], [0xff], [0x80]] {
      draft.members["sessionTranscript"] = .base64URL(wrong)
      #expect(draft.problem?.code == .content && draft.problem?.member == "sessionTranscript")
    }
    draft.members["sessionTranscript"] = nil
    draft.members["origin"] = .string(Parties.origin + "/")
    #expect(draft.problem?.code == .origin)
  }

  @Test("A missing or invalid origin is reported with its place")
  func walletOrigins() async throws {
    let page = try ExchangeFile(try parties.request(for: ["given_name"]).page)
    let missing = await #expect(throws: ExchangeFileError.self) { try await parties.answer(page) }
    #expect(missing?.member == "origin" && missing?.message.contains("--origin") == true)
    let wrong = await #expect(throws: ExchangeFileError.self) { try await parties.answer(page, origin: "https://a/") }
    #expect(wrong?.member == "--origin" && wrong?.code == .origin)
  }
}
