import Ecosystem
import Foundation
import InteractiveWorlds
import JSON
import LocatedYAML
import ScenarioFiles
import ScenarioLanguage
import ScenarioRunner
import StageViews
import Synchronization
import Vocabulary

/// The worlds and scenarios of a folder, by names for use in addresses. A name cannot reach any other file.
final class Catalogue: Sendable {
  struct World: Sendable, JSONObjectWritable {
    var name: String
    var message: String
    /// True for a world without websites: external pages ask its devices.
    var isForExternalPages: Bool

    func writeMembers(to json: inout JSONWriter) {
      json.member("isForExternalPages", isForExternalPages)
      json.member("message", message)
      json.member("name", name)
    }
  }

  /// The scenarios of one folder.
  struct Group: Sendable, JSONObjectWritable {
    var title: String
    var scenarios: [Entry]

    func writeMembers(to json: inout JSONWriter) {
      json.member("scenarios", scenarios)
      json.member("title", title)
    }
  }

  struct Entry: Sendable, JSONObjectWritable {
    var name: String
    var title: String
    var because: String?
    var world: String?
    var cases: [Case]
    /// The report of a file that cannot be read; nil for others.
    var problem: String?

    func writeMembers(to json: inout JSONWriter) {
      json.member("because", because)
      json.member("cases", cases)
      json.member("name", name)
      json.member("problem", problem)
      json.member("title", title)
      json.member("world", world)
    }
  }

  struct Case: Sendable, JSONObjectWritable {
    var name: String
    var title: String
    var because: String?

    func writeMembers(to json: inout JSONWriter) {
      json.member("because", because)
      json.member("name", name)
      json.member("title", title)
    }
  }

  struct Contents: Sendable, JSONObjectWritable {
    /// The scenes of the groups that are worth showing first.
    var scenes: [ShownScene]
    var worlds: [World]
    var groups: [Group]
    let faults = DemoFault.all
    /// The other faults of the catalogue; empty in a part of the menu.
    var furtherFaults: [DemoFault] = []

    func writeMembers(to json: inout JSONWriter) {
      json.member("faults", faults)
      json.member("furtherFaults", furtherFaults)
      json.member("groups", groups)
      json.member("scenes", scenes)
      json.member("worlds", worlds)
    }
  }

  private let worlds: [(name: String, path: String)]
  private let scenarios: [(name: String, path: String)]
  /// Files that several scenarios use.
  private let shared: [String]
  private let sandbox: WorldDescription.SandboxPlace?
  private let read = Mutex<(files: [Date], contents: Contents)?>(nil)

  /// The additional name of the world that is shown by default.
  static let defaultWorld = "default"

  /// Finds the files of a folder and the file of a world, without reading them.
  ///
  /// - Parameters:
  ///   - folder: A folder with scenarios, and worlds in a folder `worlds` below it.
  ///   - world: Path of the world that is shown by default.
  ///   - sandbox: The place where the sandbox of every device parses requests; nil for each device's own.
  init(folder: String, world: String, sandbox: WorldDescription.SandboxPlace? = nil) {
    let root = URL(fileURLWithPath: folder).standardizedFileURL.path + "/"
    let files = ScenarioFinder.files(at: [folder], ProblemCollector())
    // The path stays as it was given: messages, commands and recordings have it.
    scenarios = files.compactMap { file in
      let path = URL(fileURLWithPath: file).standardizedFileURL.path
      guard path.hasPrefix(root), path.hasSuffix(".yaml") else { return nil }
      return (String(path.dropFirst(root.count).dropLast(".yaml".count)), file)
    }
    let known = Set(files)
    shared = ScenarioFinder.allFiles(at: [folder], ProblemCollector()).filter { !known.contains($0) }
    self.sandbox = sandbox
    let found: [(name: String, path: String)] =
      ((try? FileManager.default.contentsOfDirectory(atPath: root + "worlds"))?.sorted() ?? [])
      .filter { $0.hasSuffix(".yaml") && $0 != Self.defaultWorld + ".yaml" }
      .map { (String($0.dropLast(".yaml".count)), root + "worlds/" + $0) }
    // A world of the folder keeps its own name, so that an address has the same meaning on other servers.
    let shown = URL(fileURLWithPath: world).standardizedFileURL.path
    let isShown = { (path: String) in URL(fileURLWithPath: path).standardizedFileURL.path == shown }
    let first = found.first { isShown($0.path) } ?? (name: Self.defaultWorld, path: world)
    worlds = [first] + found.filter { !isShown($0.path) }
  }

  /// The menu of the stage. The files are read at the first use, and again after one of them has changed.
  var contents: Contents {
    let files = Self.modificationDates(of: scenarios.map(\.path) + shared)
    return read.withLock { known in
      if let known, known.files == files { return known.contents }
      var contents = contents(of: groups)
      contents.furtherFaults = DemoFault.further
      known = (files, contents)
      return contents
    }
  }

  /// The part of the menu about one scenario, or about the first without that scenario. It reads few files.
  func contents(about name: String) -> Contents {
    let file = name.split(separator: "#", maxSplits: 1).first.map(String.init)
    let wanted = scenarios.filter { $0.name == file }
    var sources = WorldSources()
    var entry: Entry?
    for (name, path) in wanted + inOrder where entry == nil { entry = self.entry(name, path, &sources) }
    return contents(of: entry.map { [Group(title: Self.groupTitle(of: $0), scenarios: [$0])] } ?? [])
  }

  private func contents(of groups: [Group]) -> Contents {
    let names = Set(groups.flatMap(\.scenarios).flatMap { [$0.name] + $0.cases.map(\.name) })
    return Contents(
      scenes: ShownScene.all.filter { names.contains($0.name) },
      worlds: worlds.map { name, path in
        World(name: name, message: Self.message(of: path), isForExternalPages: Self.hasNoWebsites(path))
      }, groups: groups)
  }

  /// The scenarios by folder; those outside folders come first, and unreadable ones last.
  private var groups: [Group] {
    var groups: [Group] = []
    var sources = WorldSources()
    for (name, path) in inOrder {
      guard let entry = entry(name, path, &sources) else { continue }
      let title = Self.groupTitle(of: entry)
      if let known = groups.firstIndex(where: { $0.title == title }) {
        groups[known].scenarios.append(entry)
      } else {
        groups.append(Group(title: title, scenarios: [entry]))
      }
    }
    return groups.filter { $0.title != Self.unreadable } + groups.filter { $0.title == Self.unreadable }
  }

  /// The title of the group of files that cannot be read.
  private static let unreadable = "Cannot be read"

  private var inOrder: [(name: String, path: String)] {
    scenarios.filter { !$0.name.contains("/") } + scenarios.filter { $0.name.contains("/") }
  }

  private static func groupTitle(of entry: Entry) -> String {
    guard entry.problem == nil else { return unreadable }
    let folder = entry.name.split(separator: "/").dropLast().joined(separator: ", ")
    return folder.isEmpty ? "Scenarios" : folder.prefix(1).uppercased() + folder.dropFirst()
  }

  /// Reads a scenario, or returns nil without a case that can run here: a sandbox may need a process of its own, where
  /// no such process can start.
  private func entry(_ name: String, _ path: String, _ sources: inout WorldSources) -> Entry? {
    let problems = ProblemCollector()
    let outline = ScenarioOutline(readingFrom: path)
    guard let outline, let all = ScenarioReader.read(path, worlds: &sources, problems) else {
      return Entry(
        name: name, title: outline?.title ?? name, world: outline?.world, cases: [], problem: problems.rendered())
    }
    let cases = all.filter(canRun)
    guard !cases.isEmpty else { return nil }
    let names = Set(cases.compactMap(\.caseName))
    return Entry(
      name: name, title: outline.title, because: outline.because, world: outline.world,
      cases: outline.cases.filter { names.contains($0.name) }.map {
        Case(name: "\(name)#\($0.name)", title: $0.name, because: $0.because)
      })
  }

  private func canRun(_ scenario: Scenario) -> Bool {
    let place = sandbox ?? ScenarioRun.placeWithoutProcesses
    return ScenarioRun.obstacle(to: place.map(scenario.parsing) ?? scenario) == nil
      && !ScenarioRun.needsOutside(scenario)
  }

  /// The times at which a scenario's file, and the files that scenarios share, were modified last.
  func modificationDates(with path: String) -> [Date] { Self.modificationDates(of: [path] + shared) }

  private static func modificationDates(of files: [String]) -> [Date] {
    files.map { file in
      let attributes = try? FileManager.default.attributesOfItem(atPath: file)
      return attributes?[.modificationDate] as? Date ?? .distantPast
    }
  }

  /// Returns the file of a world, and its name without its additional name, or nil if the name is unknown.
  func world(_ name: String) -> (name: String, path: String)? {
    name == Self.defaultWorld ? worlds.first : worlds.first { $0.name == name }
  }

  /// Returns the file of a scenario and the named case, or nil if the name is unknown.
  func scenario(_ name: String) -> (path: String, caseName: String?)? {
    let parts = name.split(separator: "#", maxSplits: 1).map(String.init)
    guard let file = parts.first, let path = scenarios.first(where: { $0.name == file })?.path else { return nil }
    return (path, parts.count == 2 ? parts[1] : nil)
  }

  private static func hasNoWebsites(_ path: String) -> Bool {
    (try? DemoConfiguration(path: path).scenario())?.world.websites.isEmpty ?? false
  }

  /// The comment at the top of a file.
  private static func message(of path: String) -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return "" }
    let comment = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("#") }
    return comment.map { $0.dropFirst().trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
  }
}

extension DemoFault: JSONObjectWritable {
  package func writeMembers(to json: inout JSONWriter) {
    json.member("group", place)
    json.member("id", name)
    // It acts on external pages.
    json.member("isForExternalPages", actsOnExternalSites)
    json.member("label", label)
  }
}
