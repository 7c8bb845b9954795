import Foundation
import TestSupport
import Testing

/// The commands' use of file and time arguments.
@Suite("File arguments", .serialized) struct FilePlaceTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private static let worlds = Programs.package.appendingPathComponent("scenarios/worlds")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: folder.path(of: name)), encoding: .utf8)
  }

  /// A copy of a world in the folder.
  private func copy(_ world: String) throws -> String {
    let text = try String(contentsOf: Self.worlds.appendingPathComponent(world), encoding: .utf8)
    try folder.write(text, to: world)
    return text
  }

  /// A request in `ours.json`, and its page's options in `page.json`.
  private func request() async throws {
    let run = try await folder.presentment(
      "request", "--origin", "https://site.example", "--document-type", "org.iso.18013.5.1.mDL", "--element",
      "org.iso.18013.5.1:given_name", "--out", "ours.json", "--page", "page.json")
    try #require(run.code == 0, "\(run)")
  }

  @Test(
    "the roots of an answer do not overwrite the request or the world, by any path", arguments: [false, true])
  func answer(_ isByLink: Bool) async throws {
    try await request()
    let world = try copy("any-site.yaml")
    let page = try text("page.json")
    for name in ["page.json", "any-site.yaml"] {
      if isByLink {
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: "link-\(name)"), withDestinationPath: name)
      }
      let read = ["page.json", "any-site.yaml"].map { isByLink && $0 == name ? "link-\($0)" : $0 }
      let run = try await folder.presentment(
        "answer", "--request", read[0], "--origin", "https://site.example", "--world", read[1], "--issuer-roots", name)
      #expect(run.code == 2 && run.errors.contains("would be overwritten"), "\(run)")
    }
    #expect(try text("page.json") == page)
    #expect(try text("any-site.yaml") == world)
  }

  @Test("a recording does not overwrite its scenario", arguments: ["any-site.yaml", "./any-site"])
  func recording(_ name: String) async throws {
    let world = try copy("any-site.yaml")
    let run = try await folder.presentment("demo", name, "--record", "any-site.yaml")
    #expect(run.code == 2 && run.errors.contains("would be overwritten"), "\(run)")
    #expect(try text("any-site.yaml") == world)
  }

  @Test("a response may overwrite its request, and an issuer's root may not")
  func response() async throws {
    try await request()
    let before = try text("ours.json")
    let arguments = [
      "--world", Self.worlds.appendingPathComponent("spaceport.yaml").path, "--device", "kellys-iphone", "--app",
      "Wallet", "--issuer-root",
    ]
    func respond(_ root: String, out: String) async throws -> Programs.Run {
      let url = URL(fileURLWithPath: folder.path(of: "."))
      let more = arguments + [root, "--out", out]
      return try await Programs.run(Programs.presentment, ["respond", "ours.json"] + more, in: url)
    }
    let refused = try await respond("ours.json", out: "answered.json")
    #expect(refused.code == 2 && refused.errors.contains("would be overwritten"), "\(refused)")
    #expect(try text("ours.json") == before)
    let taken = try await respond("root.pem", out: "ours.json")
    #expect(taken.code == 0, "\(taken)")
    #expect(try text("ours.json") != before)
  }

  @Test(
    "every command accepts the same times for a world",
    arguments: [("1949-12-31T23:59:59Z", 2), ("1960-01-01T00:00:00Z", 0), ("2150-01-01T00:00:01Z", 2)])
  func moments(_ moment: String, _ code: Int32) async throws {
    try await request()
    let respond = try await folder.presentment(
      "respond", "ours.json", "--world", Self.worlds.appendingPathComponent("spaceport.yaml").path, "--device",
      "kellys-iphone", "--app", "Wallet", "--at", moment, "--out", "answered.json")
    let answer = try await folder.presentment(
      "answer", "--request", "page.json", "--origin", "https://site.example", "--world",
      Self.worlds.appendingPathComponent("any-site.yaml").path, "--at", moment)
    for run in [respond, answer] {
      #expect(run.code == code, "\(run)")
      #expect(run.errors.contains("the time of a world is between 1950-01-01") == (code == 2), "\(run)")
    }
  }

  @Test("an answer without the sandbox's program is not a refusal by the phone")
  func withoutSandbox() async throws {
    try await request()
    let alone = folder.path(of: "presentment")
    try FileManager.default.linkItem(atPath: Programs.presentment, toPath: alone)
    let run = try await Programs.run(
      alone,
      [
        "answer", "--request", folder.path(of: "page.json"), "--origin", "https://site.example", "--world",
        Self.worlds.appendingPathComponent("any-site.yaml").path,
      ])
    #expect(run.code == 2 && run.errors.contains("build the program with"), "\(run)")
  }

  @Test(
    "the shipped scenarios are found beside an installed program, whatever the working folder is",
    arguments: [("archive/bin", "archive"), ("usr/lib/presentment", "usr/share/presentment")])
  func shippedScenarios(_ place: String, _ shipped: String) async throws {
    let (programs, work) = (folder.path(of: place), folder.path(of: "work"))
    for path in [programs, folder.path(of: shipped), work] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try FileManager.default.linkItem(atPath: Programs.presentment, toPath: programs + "/presentment")
    let scenarios = Self.worlds.deletingLastPathComponent().path
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: shipped + "/scenarios"), withDestinationPath: scenarios)
    let explored = try await Programs.run(
      programs + "/presentment", ["explore", "--runs", "1"], in: URL(fileURLWithPath: work))
    #expect(explored.code == 0, "\(explored)")
    let shown = try await Programs.run(
      programs + "/presentment", ["demo", "--sandbox", "in-process"], in: URL(fileURLWithPath: work))
    #expect(shown.code == 0 && shown.output.contains("Spaceship Rentals"), "\(shown)")
    for path in ["scenarios/attacks/phishing-site", "scenarios/attacks/phishing-site.yaml"] {
      let named = try await Programs.run(
        programs + "/presentment", ["demo", path, "--sandbox", "in-process"], in: URL(fileURLWithPath: work))
      #expect(named.code == 0, "\(named)")
    }
    try await answers(programs + "/presentment", in: work)
    // Beside the program are other files, too.
    for path in ["", "presentment"] {
      let other = try await Programs.run(
        programs + "/presentment", ["run", path, "--list"], in: URL(fileURLWithPath: work))
      #expect(other.output.isEmpty && !other.errors.contains("\(place)/"), "'\(path)': \(other)")
    }
    let missing = try await Programs.run(
      programs + "/presentment", ["demo", "nowhere.yaml"], in: URL(fileURLWithPath: work))
    #expect(missing.code == 2 && missing.errors.hasPrefix("nowhere.yaml "), "\(missing)")
    // A folder of one's own comes first.
    try FileManager.default.createDirectory(atPath: work + "/scenarios", withIntermediateDirectories: false)
    let own = try await Programs.run(
      programs + "/presentment", ["explore", "--runs", "1"], in: URL(fileURLWithPath: work))
    #expect(own.code == 2, "\(own)")
    for path in ["scenarios/headline", "", "presentment"] {
      let shadowed = try await Programs.run(programs + "/presentment", ["run", path], in: URL(fileURLWithPath: work))
      #expect(shadowed.code == 2 && shadowed.errors.contains("no such file"), "'\(path)': \(shadowed)")
    }
  }

  /// Runs the commands that take a scenario or a world with the names of shipped ones.
  private func answers(_ program: String, in work: String) async throws {
    try await request()
    for file in ["ours.json", "page.json"] {
      try FileManager.default.copyItem(atPath: folder.path(of: file), toPath: work + "/" + file)
    }
    try folder.write("type: org.iso.18013.5.1.mDL\nelements: { given_name: Kelly }\n", to: "work/license.yaml")
    let world = "scenarios/worlds/any-site.yaml"
    for arguments in [
      ["run", "scenarios/headline", "--sandbox", "in-process"],
      ["run", "scenarios/headline.yaml", "--sandbox", "in-process"],
      ["run", "scenarios/attacks", "--filter", "phishing", "--sandbox", "in-process"],
      ["explore", "scenarios/headline", "--runs", "1"],
      [
        "answer", "--request", "page.json", "--origin", "https://site.example", "--world", world, "--sandbox",
        "in-process",
      ],
      ["respond", "ours.json", "--world", world, "--app", "Wallet", "--document", "mDL", "--out", "answered.json"],
      [
        "issue", "license.yaml", "--world", world, "--issuer", "spaceport-dmv", "--write-device-key", "key.pem",
        "--out", "license.cbor",
      ],
    ] {
      let run = try await Programs.run(program, arguments, in: URL(fileURLWithPath: work))
      #expect(run.code == 0, "\(arguments): \(run)")
    }
    // An update writes files of one's own only.
    let update = try await Programs.run(
      program, ["run", "scenarios/headline", "--update", "--yes"], in: URL(fileURLWithPath: work))
    #expect(update.code == 2 && update.errors.contains("no such file"), "\(update)")
  }

  @Test("a file in a folder that does not exist is not written, and the error says so")
  func missingFolder() async throws {
    for arguments in [["new", "nowhere/deep/own"], ["new", "nowhere/own.yaml"]] {
      let run = try await folder.presentment(arguments)
      #expect(run.code == 2 && run.errors.contains("its folder does not exist"), "\(run)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "nowhere")))
  }

  @Test("an inspection reports why a file cannot be read")
  func inspection() async throws {
    let missing = try await folder.presentment("inspect", "nowhere.cbor")
    #expect(missing.code == 2 && missing.errors.hasPrefix("nowhere.cbor: the file does not exist"), "\(missing)")
    let inside = try await folder.presentment("inspect", ".")
    #expect(inside.code == 2 && inside.errors.hasPrefix(".: the folder has no file"), "\(inside)")
    try folder.write("83010203", to: "three.hex")
    let read = try await folder.presentment("inspect", "-", input: "three.hex")
    #expect(read.code == 0 && read.output.contains("3"), "\(read)")
  }
}
