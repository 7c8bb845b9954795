import ArgumentParser
import CommandSupport
import ExchangeFiles
import Foundation
import Primitives

/// The files that the arguments of a command name: one, or several and those of folders, one after the other.
struct ChosenFiles {
  /// The files, in the order of the arguments; those of a folder in the order of their names.
  let files: [String]
  /// True if there are several arguments, or a folder: a folder has one file today and two tomorrow.
  let areSeveral: Bool
  /// What is wrong with arguments that name no file.
  private let problems: [ExchangeFileError]

  /// The files of arguments.
  /// - Parameters:
  ///   - endings: The endings of the files that are taken of a folder; none for every file.
  ///   - isText: True for an argument that is the text of a file.
  init(_ arguments: [String], endings: [String] = [], except isText: (String) -> Bool = { _ in false }) {
    var files: [String] = []
    var problems: [ExchangeFileError] = []
    for argument in arguments {
      do throws(ExchangeFileError) {
        files += try isText(argument) ? [argument] : Files.expanded(argument, endings: endings)
      } catch {
        problems.append(error)
      }
    }
    areSeveral = arguments.count > 1 || arguments.contains(where: Files.isFolder)
    (self.files, self.problems) = (files, problems)
  }

  /// Exit codes, from the one that counts least to the one that counts most: verified, possession not shown, refused,
  /// unusable.
  private static let ranking: [Int32] = [0, 3, 1, 2]

  /// Does the same to each file, whatever became of the others.
  ///
  /// - Parameters:
  ///   - failed: Called with an error about a file, which is written to standard error, too.
  ///   - body: Gets a file, and the heading above its result: its name, if there are several. Returns its exit code.
  /// - Throws: The worst exit code, if it is not 0.
  func each(
    failed: (ExchangeFileError) throws -> Void = { _ in },
    _ body: (_ file: String, _ heading: String) throws -> Int32
  ) throws {
    var codes: Set<Int32> = []
    func report(_ error: ExchangeFileError) throws {
      try failed(error)
      codes.insert(ExitCode.failing("\(error)").rawValue)
    }
    for problem in problems { try report(problem) }
    let hasHeadings = areSeveral && files.count + problems.count > 1
    for file in files {
      do {
        codes.insert(try body(file, hasHeadings ? "\(TerminalSafe.text(file)):\n" : ""))
      } catch let error as ExchangeFileError {
        try report(error)
      }
    }
    if let worst = Self.ranking.last(where: codes.contains), worst != 0 { throw ExitCode(worst) }
  }

  /// The places of what a command makes of files.
  struct Places {
    /// The folder of several files; nil for one.
    let folder: String?
    /// The paths of all outputs, in the order of the files.
    let all: [String]
    /// By the bytes of files' names: as texts, two names that look the same are equal.
    private let paths: [[UInt8]: String]

    fileprivate init(folder: String?, of files: [String], _ paths: [[UInt8]: String]) {
      self.folder = folder
      self.paths = paths
      all = files.map { Array($0.utf8) }.uniqued().compactMap { paths[$0] }
    }

    /// The path of an output.
    subscript(file: String) -> String { paths[Array(file.utf8)] ?? "" }
  }

  /// Returns the places of what a command makes of each file: the path of an option, or for several files a name in the
  /// folder of this path, that of the file with another ending.
  /// - Parameters:
  ///   - endings: Endings of files' names that are left out; the default is from the last period on.
  ///   - ending: The ending for the file at a position.
  /// - Throws: ``ExchangeFileError`` if two files have one place.
  func places(
    at path: String, without endings: [String] = [], ending: (Int) -> String
  ) throws(ExchangeFileError) -> Places {
    guard areSeveral else {
      let paths = files.map { (Array($0.utf8), path) }
      return Places(folder: nil, of: files, Dictionary(paths, uniquingKeysWith: { one, _ in one }))
    }
    guard !path.isEmpty else { throw ExchangeFileError(.unwritable, nil, "the folder has no name", file: path) }
    var paths: [[UInt8]: String] = [:]
    var taken: [[UInt8]: String] = [:]
    for (position, file) in files.enumerated() {
      let stem = Self.stem(of: file, without: endings)
      let place = "\(path.hasSuffix("/") ? path : path + "/")\(stem)\(ending(position))"
      if let other = taken.updateValue(file, forKey: Array(place.utf8)), !other.utf8.elementsEqual(file.utf8) {
        throw ExchangeFileError(
          .unwritable, nil, "\(TerminalSafe.text(other)) and \(TerminalSafe.text(file)) have this path", file: place)
      }
      paths[Array(file.utf8)] = place
    }
    return Places(folder: path, of: files, paths)
  }

  /// The name of a file without its folder and its ending.
  private static func stem(of file: String, without endings: [String]) -> String {
    if file == Files.standardInput { return "standard-input" }
    let name = URL(fileURLWithPath: file).lastPathComponent
    let ending = endings.first { name.hasSuffix($0) && name != $0 }
    return ending.map { String(name.dropLast($0.count)) } ?? (name as NSString).deletingPathExtension
  }
}
