import Foundation
import TestSupport
import TestTraits
import Testing

@testable import ExchangeFiles

/// The command and an independent implementation in Python, tested against each other through files.
@Suite("An independent implementation", .requiresPython, .serialized)
struct InteroperabilityTests {
  private static let faults = [
    "ciphertext", "value", "issuer-signature", "device-signature", "origin", "trailing-byte",
  ]

  /// The check that finds each of the script's faults.
  private static let codes = [
    "ciphertext": "response.decryption/unexplained", "value": "element.digest",
    "issuer-signature": "issuer.signature/invalid",
    "device-signature": "device.signature/invalid", "origin": "response.decryption/transcript",
    "trailing-byte": "response.cbor/trailing-bytes",
  ]

  /// The program that a page of the documentation shows prints the values of the page's worked example.
  @Test func theSampleOfTheBytesFindsTheValuesOfThePage() async throws {
    let docs = Programs.package.appendingPathComponent("docs")
    let page = try String(contentsOf: docs.appendingPathComponent("the-bytes.md"), encoding: .utf8)
    let block = try #require(page.components(separatedBy: "<!-- values: the-bytes.json -->").last)
      .components(separatedBy: "```")[1]
    var shown: [String] = []
    for line in block.split(separator: "\n") {
      if line.hasPrefix("  ") { shown[shown.count - 1] += line.dropFirst(2) } else { shown.append("\(line): ") }
    }
    func run(_ file: String) async throws -> Programs.Run {
      try await Programs.run(
        Programs.python, ["-B", docs.appendingPathComponent("your-site/annex_c.py").path, file], in: docs)
    }
    let example = docs.appendingPathComponent("examples/the-bytes.json").path
    let verified = try await run(example)
    #expect(verified.code == 0, "\(verified)")
    #expect(verified.output.split(separator: "\n").map(String.init).dropLast() == shown[...])
    // The sample does check: another origin is another transcript.
    let text = try String(contentsOfFile: example, encoding: .utf8)
    try folder.write(text.replacing("https://shop.example", with: "https://shop.example/"), to: "other.json")
    #expect(try await run(folder.path(of: "other.json")).code != 0)
    // The response may be the data of a credential, or the whole credential.
    var exchange = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let data = ["response": try #require(exchange["response"])]
    for response in [data, ["protocol": "org-iso-mdoc", "data": data]] {
      exchange["response"] = response
      let json = try JSONSerialization.data(withJSONObject: exchange)
      try folder.write(String(decoding: json, as: UTF8.self), to: "other.json")
      #expect(try await run(folder.path(of: "other.json")).output == verified.output)
    }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  @Test("the independent implementation answers our request and verifies our response")
  func mixed() async throws {
    let request = try await folder.presentment(
      "request", "--origin", "https://harbour.example", "--document-type", "org.iso.18013.5.1.mDL",
      "--element", "org.iso.18013.5.1:family_name:retain", "--element", "org.iso.18013.5.1:birth_date",
      "--element", "org.iso.18013.5.1:portrait", "--element", "org.iso.18013.5.1:driving_privileges",
      "--throwaway-reader", "Harbour", "--out", "ours.json")
    #expect(request.code == 0, "\(request)")
    let respond = try await folder.script("respond", "ours.json", "--out", "answered.json")
    #expect(respond.code == 0, "\(respond)")
    try await folder.bothVerify("answered.json")
  }

  @Test(
    "the independent implementation verifies a world's response and refuses altered ones", arguments: faults)
  func world(fault: String) async throws {
    #expect(try await folder.script("request", "--origin", "http://localhost:5173", "--out", "theirs.json").code == 0)
    let world = Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path
    let respond = try await folder.presentment(
      "respond", "theirs.json", "--world", world, "--device", "kellys-iphone", "--app", "Wallet",
      "--issuer-root", "root.pem", "--out", "answered.json")
    #expect(respond.code == 0 && respond.output.contains("readerAuthAll[0] verifies"), "\(respond)")
    try folder.trust("root.pem", in: "answered.json")
    try await folder.bothVerify("answered.json")
    try await folder.bothRefuse("answered.json", with: fault, code: Self.codes[fault])
  }

  @Test("the command verifies the independent implementation's exchange and refuses altered ones", arguments: faults)
  func theirs(fault: String) async throws {
    #expect(try await folder.script("request", "--origin", "https://utopia.example", "--out", "theirs.json").code == 0)
    #expect(try await folder.script("respond", "theirs.json", "--out", "answered.json").code == 0)
    try await folder.bothVerify("answered.json")
    try await folder.bothRefuse("answered.json", with: fault, code: Self.codes[fault])
  }

  @Test("the command answers with a document of the independent implementation")
  func document() async throws {
    #expect(
      try await folder.script(
        "request", "--origin", "https://utopia.example", "--out", "theirs.json", "--reader-root", "r.pem"
      )
      .code == 0)
    let issued = try await folder.script(
      "respond", "theirs.json", "--out", "first.json", "--write-document", "issued.cbor", "--write-device-key",
      "key.json")
    #expect(issued.code == 0, "\(issued)")
    let respond = try await folder.presentment(
      "respond", "first.json", "--document", "issued.cbor", "--device-key", "key.json", "--trusted-readers", "r.pem",
      "--withhold", "portrait", "--out", "second.json")
    #expect(respond.code == 0, "\(respond)")
    try await folder.bothVerify("second.json")
    let elsewhere = try await folder.presentment(
      "respond", "first.json", "--document", "issued.cbor", "--device-key", "key.json",
      "--origin", "https://utopia.example:444", "--out", "third.json")
    #expect(elsewhere.code == 1 && elsewhere.errors.contains("[provider.reader-signature]"), "\(elsewhere)")
  }

  @Test("the independent implementation opens an answer to an app's request, and its own known answer")
  func inApp() async throws {
    let request = try await folder.presentment(
      "request", "--merchant-identifier", "merchant.example.harbour", "--team-identifier", "HARBOUR123",
      "--document-type", "org.iso.18013.5.1.mDL", "--element", "org.iso.18013.5.1:given_name", "--element",
      "org.iso.18013.5.1:age_over_21", "--out", "ours.json")
    #expect(request.code == 0, "\(request)")
    let world = Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path
    let respond = try await folder.presentment(
      "respond", "ours.json", "--world", world, "--device", "kellys-iphone", "--app", "Wallet", "--issuer-root",
      "root.pem", "--out", "answered.json")
    #expect(respond.code == 0, "\(respond)")
    try folder.trust("root.pem", in: "answered.json")
    let known = Programs.package.appendingPathComponent("Tests/WebPresentmentTests/Vectors/in-app.json").path
    for file in ["answered.json", known] {
      let opened = try await folder.script("open", file, name: "in_app.py")
      #expect(opened.code == 0 && opened.output.contains(#"[["age_over_21", "given_name"]]"#), "\(file): \(opened)")
    }
    // Another team's handover.
    let text = try String(contentsOfFile: folder.path(of: "answered.json"), encoding: .utf8)
    try folder.write(text.replacing("HARBOUR123", with: "HARBOUR124"), to: "other.json")
    #expect(try await folder.script("open", "other.json", name: "in_app.py").code == 1)
  }

  @Test("exchange files with private keys are for their owner only")
  func permissions() async throws {
    let request = try await folder.presentment(
      "request", "--origin", "https://harbour.example", "--document-type", "d", "--element", "n:e", "--out",
      "ours.json",
      "--page", "page.json")
    #expect(request.code == 0, "\(request)")
    #expect(try folder.permissions(of: "ours.json") == 0o600)
    #expect(try folder.permissions(of: "page.json") == 0o644)
  }

  @Test("unusable files give exit code 2, and an error as text or JSON")
  func unusable() async throws {
    let missing = try await folder.presentment("verify", "nowhere.json", "--json")
    #expect(
      missing.code == 2 && missing.output.hasPrefix(#"{"error":{"code":"exchange-file.unreadable""#), "\(missing)")
    try folder.write("[]", to: "list.json")
    let list = try await folder.presentment("verify", "list.json")
    #expect(list.code == 2 && list.output.isEmpty && list.errors.contains("exchange-file.json"), "\(list)")
    #expect(try await folder.presentment("verify", "list.json", "--at", "yesterday").errors.contains("--at"))
    #expect(try await folder.presentment("respond", "list.json", "--out", "x.json").code == 2)
    #expect(try await folder.presentment("request", "--origin", "https://a.example", "--out", "x.json").code == 2)
  }
}
