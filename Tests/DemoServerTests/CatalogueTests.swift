import Foundation
import InteractiveWorlds
import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import TestSupport
import Testing

@testable import DemoServer
@testable import StageViews

/// The stage's catalogue of worlds and scenarios.
@Suite("The catalogue") struct CatalogueTests {
  private static let folder = Programs.package.appendingPathComponent("scenarios").path
  private static let catalogue = Catalogue(folder: folder, world: folder + "/worlds/spaceport.yaml")

  @Test func theHeadlineComesFirstAndFoldersFollow() throws {
    let groups = Self.catalogue.contents.groups
    #expect(groups.first?.title == "Scenarios")
    #expect(groups.first?.scenarios.map(\.name) == ["headline"])
    #expect(groups.first?.scenarios.first?.world == "spaceport")
    let titles = groups.map(\.title)
    #expect(titles.contains("Attacks") && titles.contains("Faults, issuer") && Set(titles).count == titles.count)
  }

  @Test(arguments: ["headline", "revocation/revoked", "revocation/revoked#in a status list"])
  func thePartAboutAScenarioIsThatOfTheWhole(_ name: String) throws {
    let part = Self.catalogue.contents(about: name)
    let group = try #require(part.groups.first)
    let entry = try #require(group.scenarios.first)
    #expect(part.groups.count == 1 && group.scenarios.count == 1 && name.hasPrefix(entry.name))
    let whole = try #require(Self.catalogue.contents.groups.first { $0.title == group.title })
    let same = try #require(whole.scenarios.first { $0.name == entry.name })
    #expect(same.cases.map(\.name) == entry.cases.map(\.name))
    #expect(part.faults.count == Self.catalogue.contents.faults.count && !part.worlds.isEmpty)
  }

  @Test(arguments: ["", "no/such-scenario"]) func withoutItsScenarioThePartIsAboutTheFirst(_ name: String) {
    #expect(Self.catalogue.contents(about: name).groups.flatMap(\.scenarios).map(\.name) == ["headline"])
  }

  @Test func everyCaseThatCanRunHereIsOffered() throws {
    var offered: Set<String> = []
    for entry in Self.catalogue.contents.groups.flatMap(\.scenarios) {
      #expect(Self.catalogue.scenario(entry.name)?.caseName == nil)
      for found in entry.cases { #expect(Self.catalogue.scenario(found.name)?.caseName == found.title) }
      offered.formUnion(entry.cases.isEmpty ? [entry.name] : entry.cases.map(\.name))
    }
    var runnable: Set<String> = []
    for path in ScenarioFinder.files(at: [Self.folder], ProblemCollector()) {
      let name = path.dropFirst(Self.folder.count + 1).dropLast(".yaml".count)
      for scenario in try #require(ScenarioReader.read(path, ProblemCollector()))
      where ScenarioRun.obstacle(to: scenario.parsing(.inProcess)) == nil {
        runnable.insert(name + (scenario.caseName.map { "#\($0)" } ?? ""))
      }
    }
    #expect(offered == runnable && runnable.count > 100)
  }

  @Test(arguments: ["own-server/a-signing-server-outside", "own-wallet/a-wallet-that-answers-too-much"])
  func aCaseWithAPartOutsideIsOfferedWithARecordingOnly(_ name: String) throws {
    let text = try String(contentsOfFile: "\(Self.folder)/\(name).yaml", encoding: .utf8)
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    let own = (name as NSString).deletingLastPathComponent
    try files.copyItem(atPath: "\(Self.folder)/\(own)/files", toPath: folder.path + "/files")
    try Data(text.utf8).write(to: folder.appendingPathComponent("recorded.yaml"))
    let live = text.split(separator: "\n").filter { !$0.contains("recording:") }.joined(separator: "\n")
    try Data(live.utf8).write(to: folder.appendingPathComponent("live.yaml"))
    let catalogue = Catalogue(folder: folder.path, world: Self.folder + "/worlds/spaceport.yaml")
    #expect(catalogue.contents.groups.flatMap(\.scenarios).map(\.name) == ["recorded"])
  }

  @Test(arguments: [
    "attacks/response-replayed", "revocation/revoked", "session/server-restarted", "provider/reboot",
    "browser/page-aborts",
  ])
  func aCaseThatNeedsMoreThanHandsIsOffered(_ name: String) {
    #expect(Self.catalogue.scenario(name) != nil)
    #expect(Self.catalogue.contents.groups.flatMap(\.scenarios).contains { $0.name == name })
  }

  @Test(arguments: ShownScene.all.map(\.name)) func aSceneEndsAsItsEntrySays(_ name: String) throws {
    let scene = try #require(Self.catalogue.contents.scenes.first { $0.name == name })
    let found = try #require(Self.catalogue.scenario(name))
    let play = try DemoConfiguration(path: found.path, caseName: found.caseName).play()
    #expect(play.conclusion?.title == scene.outcome && play.conclusion?.tone == scene.tone)
    #expect(PlayJSON(play, name: String(name.prefix { $0 != "#" }), faults: []).sentence == scene.sentence)
  }

  @Test func aFileWithATypoStaysInTheMenuWithItsReport() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("catalogue-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder + "/worlds", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let world = "/worlds/spaceport.yaml"
    try FileManager.default.copyItem(atPath: Self.folder + world, toPath: folder + world)
    let whole = try String(contentsOfFile: Self.folder + "/headline.yaml", encoding: .utf8)
    let file = folder + "/headline.yaml"
    try whole.replacing("person:", with: "persom:").write(toFile: file, atomically: true, encoding: .utf8)
    let catalogue = Catalogue(folder: folder, world: folder + world)
    let group = try #require(catalogue.contents.groups.last)
    #expect(group.title == "Cannot be read" && group.scenarios.map(\.name) == ["headline"])
    #expect(group.scenarios.first?.problem?.contains("persom") == true, "\(group)")
    #expect(catalogue.contents(about: "headline").groups.first?.scenarios.first?.problem != nil)
    // The menu is read again after a change.
    try whole.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: file)
    #expect(catalogue.contents.groups.map(\.title) == ["Scenarios"])
  }

  @Test(arguments: ["attacks", "faults/wallet"]) func outlinesAgreeWithTheReader(_ folder: String) throws {
    for path in ScenarioFinder.files(at: [Self.folder + "/" + folder], ProblemCollector()) {
      let outline = try #require(ScenarioOutline(readingFrom: path))
      let cases = try #require(ScenarioReader.read(path, ProblemCollector()))
      #expect(outline.cases.map(\.name) == cases.compactMap(\.caseName), "\(path)")
      #expect(cases.allSatisfy { $0.name.hasPrefix(outline.title) }, "\(path)")
    }
  }

  @Test(arguments: ["../spaceport", "worlds/spaceport", "/etc/hostname", "", "#", "headline.yaml"])
  func nothingElseIsNamed(_ name: String) {
    #expect(Self.catalogue.scenario(name) == nil)
  }

  @Test func aWorldIsNotAScenario() {
    #expect(ScenarioOutline(readingFrom: Self.folder + "/worlds/spaceport.yaml") == nil)
  }
}
