import Crypto
import Foundation
import JSON
import Primitives
import TestSupport
import Testing

@testable import ExchangeFiles

/// `presentment issue`, and worlds whose documents come from files.
@Suite("Documents for other software and from it", .serialized)
struct IssueTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      "{ type: org.iso.18013.5.1.mDL, elements: { given_name: Kelly, age_over_21: true }, valid-for: 90 days }\n",
      to: "license.yaml")
  }

  private static let spaceport = Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path

  /// Writes a scenario in which Wallet presents documents from files.
  private func writeScenario(documents: String, issuer: String = "somewhere: { root: root.pem }") throws {
    let clock = Date().addingTimeInterval(60).ISO8601Format()
    try folder.write(
      """
      scenario: A document from a file
      clock: \(clock)
      world:
        authorities:
          issuers: { \(issuer) }
          readers: [harbor-authority]
        websites:
          harbor:
            origin: https://harbor.example
            brand: { name: Harbor, icon: harbor.svg }
            signs-for: [harbor-authority]
            accepts-issuers: [somewhere]
            asks: { org.iso.18013.5.1.mDL: { org.iso.18013.5.1: { given_name: show, age_over_21: show } } }
        devices:
          kellys-iphone: { apps: { Wallet: { documents: \(documents) } } }
      steps:
        - person: { visits: harbor, on: kellys-iphone }
        - person: { taps: Verify Identity }
        - person: { picks: Wallet }
        - person: { authorizes-with: face-id }
        - website: { verified: { age_over_21: true } }
      """, to: "scenario.yaml")
  }

  private func expectPassed() async throws {
    let run = try await folder.presentment("run", "scenario.yaml")
    #expect(run.code == 0, "\(run)")
  }

  @Test("a new authority issues a document, which a world's app presents")
  func newAuthority() async throws {
    let issued = try await folder.presentment(
      "issue", "license.yaml", "--write-device-key", "key.pem", "--issuer-root", "root.pem", "--out", "license.cbor")
    #expect(issued.code == 0, "\(issued)")
    #expect(try folder.permissions(of: "key.pem") == 0o600)
    #expect(try folder.permissions(of: "license.cbor") == 0o600)
    let verified = try await folder.presentment("verify", "license.cbor", "--issuer-root", "root.pem")
    #expect(verified.code == 3 && verified.output.hasSuffix("issuer-verified\n"), "\(verified)")
    try writeScenario(documents: "[{ file: license.cbor, device-key: key.pem }]")
    try await expectPassed()
  }

  @Test("one authority issues the documents of a folder, each with a device key of its own")
  func several() async throws {
    try FileManager.default.createDirectory(atPath: folder.path(of: "all"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: folder.path(of: "license.yaml"), toPath: folder.path(of: "all/a.yaml"))
    try folder.write("type: dc+sd-jwt urn:eudi:pid:1\nelements: { given_name: Kelly }\n", to: "all/b.yaml")
    try folder.write("This folder has documents.", to: "all/notes.txt")
    let issued = try await folder.presentment(
      "issue", "all", "--write-device-key", "keys", "--issuer-root", "root.pem", "--out", "issued")
    #expect(issued.code == 0 && issued.output.components(separatedBy: "the root of the issuer").count == 2, "\(issued)")
    #expect(try folder.names(in: "issued") == ["a.cbor", "b.sd-jwt"])
    #expect(try folder.names(in: "keys") == ["a.pem", "b.pem"])
    #expect(try folder.permissions(of: "keys/a.pem") == 0o600)
    let keys = try ["a", "b"].map { try String(contentsOfFile: folder.path(of: "keys/\($0).pem"), encoding: .utf8) }
    #expect(keys[0] != keys[1])
    let verified = try await folder.presentment("verify", "issued", "--issuer-root", "root.pem")
    #expect(verified.code == 3, "\(verified)")

    try folder.write("type: 3\n", to: "all/0.yaml")
    let partly = try await folder.presentment(
      "issue", "all", "--device-key", "keys/a.pem", "--issuer-root", "other.pem", "--out", "again")
    #expect(partly.code == 2 && partly.errors.hasPrefix("all/0.yaml: it is not a document to issue"), "\(partly)")
    #expect(try folder.names(in: "again") == ["a.cbor", "b.sd-jwt"])
    let replacing = try await folder.presentment(
      "issue", "all/a.yaml", "all/b.yaml", "--device-key", "keys/a.pem", "--issuer-root", "all/a.yaml", "--out", "new")
    #expect(replacing.code == 2 && replacing.errors.hasPrefix("all/a.yaml: it is an input"), "\(replacing)")
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "new")))
  }

  @Test("names that look the same are two documents, and a failed call leaves no folder")
  func namesThatLookTheSame() async throws {
    try FileManager.default.createDirectory(atPath: folder.path(of: "all"), withIntermediateDirectories: true)
    for (name, given) in [("\u{e9}", "One"), ("e\u{301}", "Two")] {
      try folder.write("type: org.iso.18013.5.1.mDL\nelements: { given_name: \(given) }\n", to: "all/\(name).yaml")
    }
    let arguments = ["issue", "all", "--write-device-key", "keys", "--out", "issued", "--issuer-root"]
    let failed = try await folder.presentment(arguments + ["nowhere/root.pem"])
    #expect(failed.code == 2, "\(failed)")
    #expect(try !folder.names().contains { ["issued", "keys"].contains($0) })
    let issued = try await folder.presentment(arguments + ["root.pem"])
    #expect(issued.code == 0, "\(issued)")
    let documents = try folder.names(in: "issued")
    #expect(documents.count == 2)
    var found: Set<String> = []
    for name in documents {
      let shown = try await folder.presentment("inspect", "issued/\(name)")
      found.formUnion(["One", "Two"].filter(shown.output.contains))
    }
    #expect(found == ["One", "Two"])
    // An error of the signer names its file, and a folder without a name is not the root folder.
    let endless = ["issue", "all", "--out", "again", "--issuer-root", "again.pem", "--write-device-key", "more"]
    for name in ["\u{e9}", "e\u{301}"] {
      try folder.write(
        "type: org.iso.18013.5.1.mDL\nvalid-for: 457 days\nelements: { given_name: One }\n", to: "all/\(name).yaml")
    }
    let refused = try await folder.presentment(endless)
    #expect(refused.code == 2 && refused.errors.contains(".yaml: valid-for: the document would be"), "\(refused)")
    let nowhere = try await folder.presentment(
      "issue", "all", "--issuer-root", "again.pem", "--write-device-key", "more", "--out", "")
    #expect(nowhere.code == 2 && nowhere.errors.contains("the folder has no name"), "\(nowhere)")
  }

  @Test("an authority issues an SD-JWT credential, which a holder and a world's phone present")
  func credential() async throws {
    try folder.write(
      """
      type: dc+sd-jwt urn:eudi:pid:1
      elements: { given_name: Kelly, nationalities: [US, FR], age_equal_or_over: { "18": true } }
      """, to: "pid.yaml")
    let issued = try await folder.presentment(
      "issue", "pid.yaml", "--write-device-key", "key.pem", "--issuer-root", "root.pem", "--out", "pid.sd-jwt")
    #expect(issued.code == 0 && issued.output.contains("dc+sd-jwt urn:eudi:pid:1 as SD-JWT"), "\(issued)")
    let verified = try await folder.presentment("verify", "pid.sd-jwt", "--issuer-root", "root.pem", "--cross-check")
    #expect(verified.code == 3 && verified.output.contains("nationalities      US, FR"), "\(verified)")
    #expect(verified.output.contains("  passed       cross-check.signature"), "\(verified)")
    let untrusted = try await folder.presentment("verify", "pid.sd-jwt")
    #expect(untrusted.code == 1 && untrusted.errors.contains("name a root with --issuer-root"), "\(untrusted)")
    #expect(!verified.errors.contains("--issuer-root"))
    let asked = try await folder.presentment(
      "request", "--origin", "https://harbor.example", "--protocol", "openid4vp-v1-unsigned", "--document-type",
      "dc+sd-jwt urn:eudi:pid:1", "--element", "claims:given_name", "--element", "claims:nationalities[]", "--out",
      "request.json", "--page", "page.json")
    #expect(asked.code == 0, "\(asked)")
    let answered = try await folder.presentment(
      "respond", "request.json", "--document", "pid.sd-jwt", "--device-key", "key.pem", "--out", "answered.json")
    #expect(answered.code == 0 && answered.output.contains("shown credential urn:eudi:pid:1"), "\(answered)")
    let opened = try await folder.presentment("verify", "answered.json", "--issuer-root", "root.pem", "--cross-check")
    #expect(opened.code == 0 && opened.output.hasSuffix("verified\n"), "\(opened)")
    #expect(opened.output.contains("  passed       cross-check.signature"), "\(opened)")
    #expect(opened.output.contains("  passed       cross-check.chain"), "\(opened)")
    try folder.write(
      """
      authorities: { issuers: { somewhere: { root: root.pem } } }
      devices:
        phone:
          apps:
            Wallet:
              answers-in: [openid4vp-v1-unsigned]
              documents: [{ file: pid.sd-jwt, device-key: key.pem }]
      """, to: "world.yaml")
    let request = try ExchangeFile(
      [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path(of: "request.json")))))
    for file in ["page.json", "request.json"] {
      let phone = try await folder.presentment(
        "answer", "--request", file, "--origin", "https://harbor.example", "--world", "world.yaml", "--at",
        Date().addingTimeInterval(60).ISO8601Format())
      #expect(phone.code == 0, "\(phone)")
      let answer = try ExchangeFile(Array(phone.output.utf8)).root.value
      let both = request.setting("response", to: answer).json
      try folder.write(String(decoding: both.bytes, as: UTF8.self), to: "both.json")
      let opened = try await folder.presentment("verify", "both.json", "--issuer-root", "root.pem")
      #expect(opened.code == 0 && opened.output.contains("given_name        Kelly"), "\(opened)")
    }
  }

  @Test("a world's authority issues the same for the same seed, and a world with the seed trusts it")
  func worldsAuthority() async throws {
    _ = try await folder.presentment(
      "issue", "license.yaml", "--write-device-key", "key.pem", "--issuer-root", "other.pem", "--out", "other.cbor")
    let time = Date().ISO8601Format()
    for name in ["first", "second"] {
      let issued = try await folder.presentment(
        "issue", "license.yaml", "--device-key", "key.pem", "--world", Self.spaceport, "--issuer", "spaceport-dmv",
        "--seed", "9", "--at", time, "--issuer-root", "\(name).pem", "--out", "\(name).cbor")
      #expect(issued.code == 0, "\(issued)")
    }
    func data(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.path(of: name))) }
    #expect(try data("first.cbor") == data("second.cbor"))
    #expect(try data("first.pem") == data("second.pem"))
    #expect(try data("first.cbor") != data("other.cbor"))
    let verified = try await folder.presentment("verify", "first.cbor", "--issuer-root", "first.pem")
    #expect(verified.code == 3, "\(verified)")
    try writeScenario(
      documents: "[{ file: first.cbor, device-key: key.pem }]", issuer: "somewhere: { root: first.pem }")
    try await expectPassed()
  }

  @Test("a signer from files issues a document")
  func signerFromFiles() async throws {
    _ = try await folder.presentment(
      "issue", "license.yaml", "--write-device-key", "key.pem", "--issuer-root", "root.pem", "--out", "first.cbor")
    let foreign = try await folder.presentment(
      "issue", "license.yaml", "--device-key", "key.pem", "--signer-key", "key.pem", "--signer-certificates",
      "root.pem",
      "--out", "second.cbor")
    #expect(foreign.code == 2 && foreign.errors.contains("not the key of the first certificate"), "\(foreign)")
    #expect(try !folder.names().contains("second.cbor"))
  }

  @Test("a world's app presents a document of the independent implementation")
  func independent() async throws {
    #expect(try await folder.script("request", "--origin", "https://harbor.example", "--out", "theirs.json").code == 0)
    let issued = try await folder.script(
      "respond", "theirs.json", "--out", "first.json", "--write-document", "license.cbor", "--write-device-key",
      "key.json")
    #expect(issued.code == 0, "\(issued)")
    let exchange = try ExchangeFile([UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path(of: "first.json")))))
    let root = try exchange.root.required("trustedIssuers").elements().first?.text() ?? ""
    try folder.write(root, to: "root.pem")
    try writeScenario(documents: "[{ file: license.cbor, device-key: key.json }]")
    try await expectPassed()
  }

  @Test("unusable files are named with what is wrong, and where the world names them")
  func unusable() async throws {
    _ = try await folder.presentment(
      "issue", "license.yaml", "--write-device-key", "key.pem", "--issuer-root", "root.pem", "--out", "license.cbor")
    _ = try await folder.presentment(
      "issue", "license.yaml", "--write-device-key", "other.pem", "--issuer-root", "other-root.pem", "--out",
      "other.cbor")
    try folder.write("{ type: dc+sd-jwt urn:eudi:pid:1, elements: { given_name: Kelly } }\n", to: "pid.yaml")
    _ = try await folder.presentment(
      "issue", "pid.yaml", "--write-device-key", "pid.pem", "--issuer-root", "pid-root.pem", "--out", "pid.sd-jwt")
    let issued = try Data(contentsOf: URL(fileURLWithPath: folder.path(of: "license.cbor")))
    let own = P256.KeyAgreement.PrivateKey()
    let withKey = JSONValue(members: [
      ("issuerSigned", .string(Base64URL.encode([UInt8](issued)))), ("deviceKey", PrivateKeyFile.jwk(own)),
    ])
    try folder.write(String(decoding: withKey.indented, as: UTF8.self), to: "with-key.json")
    let key = try String(contentsOfFile: folder.path(of: "root.pem"), encoding: .utf8)
    try folder.write(key + key, to: "roots.pem")
    // One byte above the limit of files that a world names.
    try folder.write(String(repeating: "a", count: (1 << 20) + 1), to: "large.cbor")
    let outside = "somewhere: { root: root.pem }"
    let cases: [(documents: String, issuer: String, message: String)] = [
      ("[{ file: none.cbor, device-key: key.pem }]", outside, "'none.cbor': no such file"),
      ("[{ file: large.cbor, device-key: key.pem }]", outside, "larger than 1048576 bytes"),
      ("[{ file: license.cbor, device-key: . }]", outside, "this is a folder, not a file"),
      ("[{ file: license.cbor }]", outside, "the file has no device key"),
      (
        "[{ file: license.cbor, device-key: other.pem }]", outside,
        "the device key does not belong to the document: the issuer of 'license.cbor' signed another one"
      ),
      (
        "[{ file: pid.sd-jwt, device-key: other.pem }]", outside,
        "the device key does not belong to the document: the issuer of 'pid.sd-jwt' signed another one"
      ),
      (
        "[{ file: with-key.json }]", outside,
        "the device key does not belong to the document: the issuer signed another one than 'with-key.json' has"
      ),
      ("[{ file: root.pem, device-key: key.pem }]", outside, "expected CBOR, base64 or JSON"),
      ("[{ file: license.cbor, device-key: root.pem }]", outside, "expected a P-256 private key"),
      ("[{ file: license.cbor, device-key: key.pem, elements: {} }]", outside, "unknown key 'elements'"),
      ("[{ file: license.cbor, device-key: key.pem, issuer: nobody }]", outside, "unknown issuing authority 'nobody'"),
      (
        "[{ type: org.iso.18013.5.1.mDL, issuer: somewhere, elements: {} }]", outside,
        "somewhere issues outside the world"
      ),
      ("[{ file: license.cbor, device-key: key.pem }]", "somewhere: {}", "the key 'issuer' is missing"),
      (
        "[{ file: license.cbor, device-key: key.pem }]", "\(outside), elsewhere: { root: root.pem }",
        "the key 'issuer' is missing"
      ),
      ("[]", "somewhere: { root: roots.pem }", "'roots.pem' has 2 certificates, and an authority one root"),
      ("[]", "somewhere: { root: key.pem }", "the certificates cannot be read"),
      ("[]", "somewhere: { root: root.pem, country: US }", "an authority with a 'root' has no 'country'"),
    ]
    for one in cases {
      try writeScenario(documents: one.documents, issuer: one.issuer)
      let run = try await folder.presentment("lint", "scenario.yaml")
      #expect(run.code == 2 && (run.output + run.errors).contains(one.message), "\(one): \(run)")
    }
    // A wrong key is marked where it is named.
    try writeScenario(documents: "[{ file: license.cbor, device-key: other.pem }]")
    let wrong = try await folder.presentment("run", "scenario.yaml")
    #expect(wrong.code == 2 && wrong.errors.contains("device-key: other.pem"), "\(wrong)")
    let lines = wrong.errors.split(separator: "\n").map(String.init)
    let marked = try #require(lines.firstIndex { $0.contains("device-key: other.pem") })
    let place = try #require(lines[marked].firstRange(of: "other.pem")).lowerBound
    let column = lines[marked].distance(from: lines[marked].startIndex, to: place)
    #expect(lines[marked + 1].firstIndex(of: "^").map { $0.utf16Offset(in: lines[marked + 1]) } == column)
  }

  @Test("what cannot be issued is refused with the reason, and nothing is written")
  func refused() async throws {
    try folder.write("{ type: org.iso.18013.5.1.mDL, elements: { given_name: 7 } }\n", to: "wrong.yaml")
    try folder.write("not a key", to: "wrong.pem")
    let key = ["--write-device-key", "key.pem", "--issuer-root", "root.pem", "--out", "license.cbor"]
    let cases: [(arguments: [String], message: String)] = [
      (["wrong.yaml"] + key, "expected text"),
      (["none.yaml"] + key, "no such file"),
      (["license.yaml", "--issuer-root", "root.pem", "--out", "license.cbor"], "Missing device key"),
      (["license.yaml", "--write-device-key", "key.pem", "--out", "license.cbor"], "Missing issuer"),
      (["license.yaml", "--world", Self.spaceport] + key, "choose one of"),
      (["license.yaml", "--world", Self.spaceport, "--issuer", "nobody"] + key, "has no nobody"),
      (["license.yaml", "--seed", "1"] + key, "require --world"),
      (
        ["license.yaml", "--device-key", "wrong.pem", "--issuer-root", "root.pem", "--out", "license.cbor"],
        "expected a P-256 private key"
      ),
      (
        ["license.yaml", "--write-device-key", "a.pem", "--issuer-root", "a.pem", "--out", "license.cbor"],
        "two outputs have this path"
      ),
      (["license.yaml", "--at", "yesterday"] + key, "invalid time"),
    ]
    for one in cases {
      let run = try await Programs.run(
        Programs.presentment, ["issue"] + one.arguments, in: URL(fileURLWithPath: folder.path(of: ".")))
      #expect((run.code == 2 || run.code == 64) && run.errors.contains(one.message), "\(one): \(run)")
      #expect(try folder.names() == ["license.yaml", "wrong.pem", "wrong.yaml"], "\(one)")
    }
  }
}
