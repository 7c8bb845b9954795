import CBOR
import Foundation
import TestSupport
import Testing

@testable import ExchangeFiles

/// `presentment request`, `respond` and `verify` as a user runs them.
@Suite("The commands on real files", .serialized)
struct CommandTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static let world = Programs.package.appendingPathComponent("scenarios/worlds/spaceport.yaml").path

  /// A request in `ours.json`.
  private func request() async throws {
    let run = try await folder.presentment(
      "request", "--origin", "https://harbour.example", "--document-type", "org.iso.18013.5.1.mDL", "--element",
      "org.iso.18013.5.1:given_name", "--out", "ours.json")
    #expect(run.code == 0, "\(run)")
  }

  private func respond(to file: String = "ours.json", out: String) async throws -> Programs.Run {
    try await folder.presentment(
      "respond", file, "--world", Self.world, "--device", "kellys-iphone", "--app", "Wallet", "--issuer-root",
      "root.pem", "--out", out)
  }

  @Test("Commands read standard input, and fail if the report cannot be written")
  func standardStreams() async throws {
    try await request()
    #expect(try await respond(out: "answered.json").code == 0)
    try folder.trust("root.pem", in: "answered.json")
    let verified = try await folder.presentment("verify", "-", input: "answered.json")
    #expect(verified.code == 0 && verified.output.hasSuffix("\n\nverified\n"), "\(verified)")
    for arguments in [["--json"], []] {
      let full = try await folder.presentment(
        "verify", "answered.json", arguments.first ?? "--issuer-root=root.pem", output: "/dev/full")
      #expect(full.code == 2 && full.errors.contains("standard output"), "\(full)")
    }
  }

  @Test("Several files are verified in their order, and the exit code is the worst")
  func severalFiles() async throws {
    try await request()
    try FileManager.default.createDirectory(atPath: folder.path(of: "all"), withIntermediateDirectories: true)
    #expect(try await respond(out: "all/b.json").code == 0)
    let root = "--issuer-root=root.pem"
    // The reports have the time of the verification.
    let soon = "--at=\(Date().addingTimeInterval(3_600).ISO8601Format())"
    let one = try await folder.presentment("verify", "all/b.json", root, soon)
    #expect(one.code == 0 && !one.output.contains("b.json:"), "\(one)")
    try folder.write("{}", to: "all/a.json")
    let whole = try await folder.presentment("verify", "all", "ours.json", "all/b.json", root, soon)
    #expect(whole.code == 2 && whole.output == "all/b.json:\n\(one.output)all/b.json:\n\(one.output)", "\(whole)")
    let named = whole.errors.split(separator: "\n").map { $0.prefix { $0 != ":" } }
    #expect(named == ["all/a.json", "ours.json"], "\(whole)")
    let refused = try await folder.presentment("verify", "all/b.json", "all/b.json", root, "--at=2040-01-01T00:00:00Z")
    #expect(refused.code == 1, "\(refused)")
    let none = try await folder.presentment("verify", "missing.json", "all/b.json", root, soon)
    #expect(none.code == 2 && none.output == "all/b.json:\n\(one.output)", "\(none)")
  }

  @Test(
    "An encrypted answer opens with the recipient's key in a file of its own or in the exchange file",
    arguments: ["org-iso-mdoc", "openid4vp-v1-signed"])
  func inspectedWithKey(protocol name: String) async throws {
    func run(_ arguments: String...) async throws -> String {
      let run = try await folder.presentment(arguments)
      #expect(run.code == 0, "\(run)")
      return run.output
    }
    _ = try await run(
      "request", "--origin", "https://harbour.example", "--protocol", name, "--document-type", "org.iso.18013.5.1.mDL",
      "--element", "org.iso.18013.5.1:family_name", "--throwaway-reader", "Harbour", "--out", "request.json")
    _ = try await run(
      "respond", "request.json", "--world", Self.world, "--device", "kellys-iphone", "--app", "Wallet", "--out",
      "a.json")
    let exchange = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: folder.path(of: "a.json"))))
        as? [String: Any])
    let key = try JSONSerialization.data(withJSONObject: try #require(exchange["recipientPrivateKey"]))
    try folder.write(String(decoding: key, as: UTF8.self), to: "key.json")
    for file in ["key.json", "request.json"] {
      let opened = try await run("inspect", "a.json", "--key", file)
      #expect(opened.contains("decrypted with the recipient's key") && opened.contains(#": "Rover""#))
    }
    try folder.write("no key", to: "text")
    for file in ["text", "missing"] {
      let refused = try await folder.presentment("inspect", "a.json", "--key", file)
      #expect(refused.code == 2 && refused.output.isEmpty, "\(refused)")
    }
  }

  @Test("A plain exchange has neither a private key nor a sealed response, and the commands say so")
  func plainExchange() async throws {
    let asked = try await folder.presentment(
      "request", "--origin", "https://harbour.example", "--document-type", "org.iso.18013.5.1.mDL", "--element",
      "org.iso.18013.5.1:given_name", "--protocol", "openid4vp-v1-unsigned", "--plain-answer", "--out", "plain.json")
    #expect(asked.code == 0 && asked.output.hasPrefix("plain.json: the request\n"), "\(asked)")
    let answered = try await respond(to: "plain.json", out: "answered.json")
    #expect(
      answered.code == 0 && answered.output.hasSuffix("\nanswered.json: the exchange with the response\n"),
      "\(answered)")
    let file = try String(contentsOfFile: folder.path(of: "answered.json"), encoding: .utf8)
    #expect(file.contains("vp_token") && !file.contains("recipientPrivateKey"))
  }

  @Test("An error code answers a request with OpenID4VP, and verify refuses it")
  func answeredWithError() async throws {
    let arguments = [
      "request", "--origin", "https://harbour.example", "--document-type", "org.iso.18013.5.1.mDL", "--element",
      "org.iso.18013.5.1:family_name", "--out",
    ]
    let inOpenID4VP = ["--protocol", "openid4vp-v1-unsigned"]
    for (file, more) in [("ours.json", inOpenID4VP), ("annex-c.json", [])] {
      #expect(try await folder.presentment(arguments + [file] + more).code == 0)
    }
    let answered = try await folder.presentment(
      "respond", "ours.json", "--error", "invalid_request", "--out", "answered.json")
    #expect(answered.code == 0 && answered.output.contains("answered with invalid_request"), "\(answered)")
    let verified = try await folder.presentment("verify", "answered.json", "--json")
    #expect(
      verified.code == 1
        && verified.output.contains(#""failure":{"check":"openid4vp.response.error","reason":"invalid-request"}"#),
      "\(verified)")
    let annexC = try await folder.presentment(
      "respond", "annex-c.json", "--error", "invalid_request", "--out", "x.json")
    #expect(annexC.code == 2 && annexC.errors.contains("--error"), "\(annexC)")
    let timeless = try await folder.presentment(
      "respond", "ours.json", "--error", "invalid_request", "--at", "yesterday", "--out", "x.json")
    #expect(timeless.code == 2 && timeless.errors.contains("yesterday"), "\(timeless)")
    #expect(try await folder.presentment("respond", "ours.json", "--error", "other", "--out", "x.json").code == 2)
  }

  @Test("Several files are inspected in their order, each below its name")
  func severalInspected() async throws {
    try await request()
    #expect(try await respond(out: "answered.json").code == 0)
    let one = try await folder.presentment("inspect", "root.pem")
    try folder.write("nothing", to: "other.txt")
    let several = try await folder.presentment("inspect", "other.txt", "root.pem", "root.pem")
    #expect(several.code == 2, "\(several)")
    #expect(several.output == "root.pem:\n\(one.output)root.pem:\n\(one.output)", "\(several)")
    #expect(several.errors.hasPrefix("other.txt: "), "\(several)")
  }

  @Test("Several requests are answered into a folder, whatever became of the others, and no file replaces an input")
  func severalAnswered() async throws {
    let wallet = ["--world", Self.world, "--device", "kellys-iphone", "--app", "Wallet"]
    try FileManager.default.createDirectory(atPath: folder.path(of: "all"), withIntermediateDirectories: true)
    let request = ["request", "--origin", "https://harbour.example", "--document-type"]
    for name in ["a", "b"] {
      let asked = try await folder.presentment(
        request + ["org.iso.18013.5.1.mDL", "--element", "org.iso.18013.5.1:given_name", "--out", "all/\(name).json"])
      #expect(asked.code == 0, "\(asked)")
    }
    let pass = try await folder.presentment(
      request + ["org.example.pass", "--element", "n:e", "--out", "pass.json"])
    #expect(pass.code == 0, "\(pass)")
    try folder.write("a key", to: "all/a.pem")
    let before = try folder.names()

    let replacing = try await folder.presentment(["respond", "all", "--out", "all"] + wallet)
    #expect(replacing.code == 2 && replacing.errors.hasPrefix("all/a.json: it is an input"), "\(replacing)")
    let sameName = try await folder.presentment(["respond", "all", "a.json", "--out", "answered"] + wallet)
    #expect(sameName.code == 2 && sameName.errors.hasPrefix("answered/a.json: all/a.json and a.json"), "\(sameName)")
    let refused = try await folder.presentment(
      ["respond", "pass.json", "pass.json", "--out", "answered", "--issuer-root", "root.pem"] + wallet)
    #expect(refused.code == 1 && refused.errors.contains("pass.json:\nhttps://harbour.example asks"), "\(refused)")
    #expect(try folder.names() == before)

    let all = try await folder.presentment(
      ["respond", "pass.json", "all", "missing.json", "--out", "answered", "--issuer-root", "root.pem"] + wallet)
    #expect(all.code == 2 && all.errors.contains("missing.json: the file does not exist"), "\(all)")
    #expect(all.output.hasPrefix("all/a.json:\n") && all.output.contains("\nall/b.json:\n"), "\(all)")
    #expect(try folder.names(in: "answered") == ["a.json", "b.json"])
    #expect(try folder.permissions(of: "answered/a.json") == 0o600)
    let verified = try await folder.presentment("verify", "answered", "--issuer-root", "root.pem")
    #expect(verified.code == 0, "\(verified)")
  }

  @Test("A folder with one file is answered into a folder, too: tomorrow it may have two")
  func folderOfOne() async throws {
    try await request()
    try FileManager.default.createDirectory(atPath: folder.path(of: "all"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: folder.path(of: "ours.json"), toPath: folder.path(of: "all/ours.json"))
    let run = try await respond(to: "all", out: "answered")
    #expect(run.code == 0 && run.output.hasPrefix("https://harbour.example asks\n"), "\(run)")
    #expect(try folder.names(in: "answered") == ["ours.json"])
  }

  @Test("--cross-check reports the signatures and chains of the response")
  func crossCheck() async throws {
    try await request()
    #expect(try await respond(out: "answered.json").code == 0)
    let twice = try await folder.presentment("verify", "answered.json", "--issuer-root", "root.pem", "--cross-check")
    #expect(twice.code == 0, "\(twice)")
    #expect(twice.output.contains("  passed       cross-check.signature"), "\(twice)")
    #expect(twice.output.contains("  passed       cross-check.chain"), "\(twice)")
  }

  @Test("A file answered into another folder finds its certificates")
  func anotherFolder() async throws {
    try await request()
    #expect(try await respond(out: "first.json").code == 0)
    try folder.trust("root.pem", in: "first.json")
    try FileManager.default.createDirectory(atPath: folder.path(of: "sub"), withIntermediateDirectories: true)
    #expect(try await respond(to: "first.json", out: "sub/second.json").code == 0)
    let verified = try await folder.presentment("verify", "sub/second.json")
    #expect(verified.code == 0, "\(verified)")
  }

  @Test("A refusal or a failed write leaves no files")
  func nothingHalf() async throws {
    let before = try folder.names()
    let unwritable = try await folder.presentment(
      "request", "--origin", "https://harbour.example", "--document-type", "d", "--element", "n:e",
      "--throwaway-reader", "Harbour", "--out", "ours.json", "--page", "nowhere/page.json")
    #expect(unwritable.code == 2 && unwritable.errors.contains("exchange-file.unwritable"), "\(unwritable)")
    #expect(try folder.names() == before)
    let other = try await folder.presentment(
      "request", "--origin", "https://harbour.example", "--document-type", "org.example.pass", "--element", "n:e",
      "--out", "ours.json")
    #expect(other.code == 0, "\(other)")
    let refused = try await folder.presentment(
      "respond", "ours.json", "--world", Self.world, "--device", "kellys-iphone", "--app", "Wallet", "--document",
      "mDL", "--issuer-root", "root.pem", "--write-device-key", "key.pem", "--write-document", "document.cbor", "--out",
      "answered.json")
    #expect(refused.code == 1 && refused.errors.contains("[provider.document]"), "\(refused)")
    #expect(try folder.names() == before + ["ours.json"])
  }

  @Test("A file may name only plain files, so that reading never blocks")
  func plainFiles() async throws {
    try await request()
    #expect(try await respond(out: "answered.json").code == 0)
    #expect(mkfifo(folder.path(of: "pipe.pem"), 0o600) == 0)
    for name in ["pipe.pem", "/dev/zero", "."] {
      try folder.trust(name, in: "answered.json")
      let run = try await folder.presentment("verify", "answered.json")
      #expect(run.code == 2 && run.errors.hasPrefix("answered.json: trustedIssuers[0]: it is "), "\(run)")
    }
  }

  @Test("An error names its file, an option's error does not")
  func places() async throws {
    try await request()
    #expect(try await respond(out: "answered.json").code == 0)
    let missing = try await folder.presentment("verify", "answered.json", "--issuer-root", "missing.pem")
    #expect(missing.code == 2 && missing.errors.hasPrefix("missing.pem: "), "\(missing)")
    let moment = try await folder.presentment("verify", "answered.json", "--at", "yesterday")
    #expect(moment.code == 2 && moment.errors.hasPrefix("--at: "), "\(moment)")
    try folder.write(#"{"response":"AA"}"#, to: "bare.json")
    let bare = try await folder.presentment("verify", "bare.json", "--json")
    #expect(bare.code == 2 && bare.errors.hasPrefix("bare.json: trustedIssuers: "), "\(bare)")
    #expect(bare.output.contains(#""file":"bare.json""#))
    try folder.write("{}", to: "page.json")
    let document = try await folder.presentment(
      "respond", "ours.json", "--document", "page.json", "--device-key", "page.json", "--out", "x.json")
    #expect(document.code == 2 && document.errors.hasPrefix("page.json: "), "\(document)")
  }

  @Test("Input files are not overwritten")
  func inputs() async throws {
    try await request()
    let respond = try await folder.presentment(
      "respond", "ours.json", "--document", "d.cbor", "--device-key", "k.pem", "--out", "./k.pem")
    #expect(respond.code == 2 && respond.errors.contains("would be overwritten"), "\(respond)")
    let request = try await folder.presentment(
      "request", "--origin", "https://harbour.example", "--like", "ours.json", "--out", "ours.json")
    #expect(request.code == 2 && request.errors.contains("would be overwritten"), "\(request)")
  }

  @Test("Each new reader signs the request, and has a root of its own")
  func severalReaders() async throws {
    func request(_ options: String...) async throws -> Programs.Run {
      try await Programs.run(
        Programs.presentment,
        [
          "request", "--origin", "https://harbour.example", "--document-type", "org.iso.18013.5.1.mDL", "--element",
          "org.iso.18013.5.1:given_name", "--throwaway-reader", "Harbour", "--throwaway-reader", "Lighthouse", "--out",
          "ours.json",
        ] + options, in: URL(fileURLWithPath: folder.path(of: ".")))
    }
    let made = try await request()
    #expect(made.code == 0, "\(made)")
    let defaults = ["ours.json.reader-root-2.pem", "ours.json.reader-root.pem"]
    #expect(try folder.names() == ["ours.json"] + defaults)
    let file = try ExchangeFile([UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path(of: "ours.json")))))
    let bytes = try file.root.required("request").required("deviceRequest").base64URL()
    let signatures = try CBORReader.read(bytes).map().required("readerAuthAll").array()
    #expect(signatures.count == 2)
    // A wallet that trusts one of the two answers, whichever it is.
    let issued = try await folder.presentment(
      "respond", "ours.json", "--world", Self.world, "--device", "kellys-iphone", "--app", "Wallet", "--issuer-root",
      "root.pem", "--write-document", "d.cbor", "--write-device-key", "k.pem", "--out", "first.json")
    #expect(issued.code == 0, "\(issued)")
    for root in defaults {
      let answered = try await folder.presentment(
        "respond", "ours.json", "--document", "d.cbor", "--device-key", "k.pem", "--trusted-readers", root, "--out",
        "answered.json")
      #expect(answered.code == 0, "\(root): \(answered)")
    }
    let named = try await request("--reader-root", "one.pem")
    #expect(named.code == 2 && named.errors.contains("Each --reader-root needs"), "\(named)")
    #expect(try await request("--reader-root", "one.pem", "--reader-root", "two.pem").code == 0)
    #expect(try folder.names().contains("two.pem"))
    #expect(try await request("--reader-root", "one.pem", "--reader-root", "one.pem").code == 2)
  }

  @Test("A reader's name must fit into a certificate")
  func throwaway() async throws {
    let run = try await folder.presentment(
      "request", "--origin", "https://harbour.example", "--document-type", "d", "--element", "n:e",
      "--throwaway-reader", "", "--out", "ours.json")
    #expect(run.code == 2 && run.errors.hasPrefix("--throwaway-reader: "), "\(run)")
    #expect(try folder.names() == [])
  }
}
