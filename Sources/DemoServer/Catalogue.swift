import Foundation
import Live
import Scenarios

/// What the stage can show: the worlds and scenarios of a folder, by names that stand in addresses. Nothing else on the
/// disk can be named.
struct Catalogue: Sendable {
  struct World: Encodable, Sendable {
    var name: String
    var sentence: String
  }

  struct Entry: Encodable, Sendable {
    var name: String
    var title: String
    var because: String?
    var world: String?
  }

  struct Fault: Encodable, Sendable {
    var id: String
    var label: String
    var group: String
  }

  struct Contents: Encodable, Sendable {
    var worlds: [World]
    var scenarios: [Entry]
    var faults: [Fault]
  }

  let contents: Contents
  private let paths: [String: String]

  /// Reads a folder, and the file of a world besides. What cannot be read is left out.
  ///
  /// - Parameters:
  ///   - folder: a folder with scenarios, and worlds in a folder `worlds` below it.
  ///   - world: path of a world, called `default`, that is shown when nobody names one.
  init(folder: String, world: String) {
    var paths = ["world/default": world]
    var worlds: [World] = [World(name: "default", sentence: Self.sentence(of: world))]
    var scenarios: [Entry] = []
    let root = URL(fileURLWithPath: folder).standardizedFileURL.path + "/"
    for file in ScenarioFinder.files(at: [folder], ProblemCollector()) {
      let path = URL(fileURLWithPath: file).standardizedFileURL.path
      guard path.hasPrefix(root), path.hasSuffix(".yaml") else { continue }
      let name = String(path.dropFirst(root.count).dropLast(".yaml".count))
      guard let cases = ScenarioReader.readLive(path, ProblemCollector()), let first = cases.first else { continue }
      for scenario in cases {
        let full = scenario.caseName.map { "\(name)#\($0)" } ?? name
        paths["scenario/\(full)"] = path
        scenarios.append(Entry(name: full, title: scenario.name, because: first.because, world: nil))
      }
    }
    for file in (try? FileManager.default.contentsOfDirectory(atPath: root + "worlds"))?.sorted() ?? []
    where file.hasSuffix(".yaml") {
      let name = String(file.dropLast(".yaml".count))
      guard paths["world/\(name)"] == nil else { continue }
      paths["world/\(name)"] = root + "worlds/" + file
      worlds.append(World(name: name, sentence: Self.sentence(of: root + "worlds/" + file)))
    }
    self.paths = paths
    contents = Contents(
      worlds: worlds, scenarios: scenarios,
      faults: DemoFault.all.map { Fault(id: $0.name, label: $0.label, group: $0.place.rawValue) })
  }

  /// The file of a world; nil when there is none of the name.
  func world(_ name: String) -> String? { paths["world/\(name)"] }

  /// The file and the case of a scenario; nil when there is none of the name.
  func scenario(_ name: String) -> (path: String, caseName: String?)? {
    paths["scenario/\(name)"].map { path in
      let parts = name.split(separator: "#", maxSplits: 1)
      return (path, parts.count == 2 ? String(parts[1]) : nil)
    }
  }

  /// What the comment at the top of a file says.
  private static func sentence(of path: String) -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return "" }
    let comment = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("#") }
    return comment.map { $0.dropFirst().trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
  }
}
