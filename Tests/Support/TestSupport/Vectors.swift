import Foundation
import Synchronization

/// Known answers of other implementations. They stay outside the project, so tests of them are skipped wherever they are
/// not; a test of its own then fails, unless somebody said to go without them.
public enum Vectors {
  /// Whether the vectors are here. Says so once when they are not.
  public static let areHere: Bool = {
    let isFolder = FileManager.default.fileExists(atPath: folder.appendingPathComponent("cose.json").path)
    if !isFolder {
      let line =
        "vectors are not here; tests of other implementations' known answers are skipped: set PRESENTMENT_VECTORS\n"
      FileHandle.standardError.write(Data(line.utf8))
    }
    return isFolder
  }()

  /// Whether tests are meant to run without the vectors: `PRESENTMENT_WITHOUT_VECTORS` is `1`.
  public static var areDispensedWith: Bool {
    ProcessInfo.processInfo.environment["PRESENTMENT_WITHOUT_VECTORS"] == "1"
  }

  /// Where the vectors are looked for: the environment's word, else beside the package.
  public static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["PRESENTMENT_VECTORS"] { return URL(fileURLWithPath: path) }
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return root.appendingPathComponent("../shared/vectors").standardizedFileURL
  }()

  private static let read = Mutex<[String: JSON]>([:])

  /// A whole file, read once.
  /// - Throws: when it is not there or no JSON.
  public static func file(_ name: String) throws -> JSON {
    try read.withLock { read in
      if let known = read[name] { return known }
      let file = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
      read[name] = file
      return file
    }
  }

  /// The entries of a file, to be the arguments of a test; none when the vectors are not here.
  public static func entries(of name: String) -> [Vector] {
    guard areHere, let file = try? file(name), let entries = file["vectors"]?.array else { return [] }
    return entries.map(Vector.init)
  }

  /// The entry of a file with an identifier.
  /// - Throws: ``MissingMember`` when there is none.
  public static func entry(_ identifier: String, of name: String) throws -> Vector {
    guard let entry = entries(of: name).first(where: { $0.identifier == identifier }) else {
      throw MissingMember(description: "\(name) has no entry \(identifier)")
    }
    return entry
  }
}

/// One entry of a file of vectors, shown by its identifier.
public struct Vector: Sendable, CustomStringConvertible {
  /// Everything in the entry.
  public let json: JSON
  /// Its `id`.
  public let identifier: String

  init(_ json: JSON) {
    self.json = json
    identifier = json["id"]?.text ?? "(no id)"
  }

  /// The identifier.
  public var description: String { identifier }

  /// A member.
  public subscript(name: String) -> JSON? { json[name] }

  /// A text member.
  /// - Throws: ``MissingMember``.
  public func text(_ name: String) throws -> String {
    guard let text = json[name]?.text else { throw MissingMember(description: "\(identifier) has no text \(name)") }
    return text
  }

  /// The bytes of a hexadecimal member.
  /// - Throws: ``MissingMember``.
  public func bytes(_ name: String) throws -> [UInt8] {
    guard let bytes = Hex.decode(try text(name)) else {
      throw MissingMember(description: "\(name) of \(identifier) is not hexadecimal")
    }
    return bytes
  }
}

/// Something that a test expects in a vector and that is not there.
public struct MissingMember: Error, CustomStringConvertible {
  /// What is not where.
  public let description: String
}
