import Foundation
import JSON
import Primitives

/// The error of a folder of cases and verdicts.
public typealias SuiteFolderError = CodedFailure<SuiteFolderErrorCode>

/// The kinds of errors.
public enum SuiteFolderErrorCode: String, Sendable {
  /// A file cannot be read.
  case unreadable = "suite-folder.unreadable"
  /// The folder is not one that the suite wrote, or a file in it is not one of its form.
  case content = "suite-folder.content"
  /// The cases cannot be made.
  case made = "suite-folder.cases"
}

/// A file of a folder of cases.
public struct SuiteFile: Sendable {
  /// The path in the folder.
  public let path: String
  /// The content.
  public let bytes: [UInt8]
  /// True if a private key is in it.
  public let isSecret: Bool

  /// Creates a file.
  package init(path: String, _ value: JSONValue, isSecret: Bool = false) {
    self.path = path
    bytes = value.indented
    self.isSecret = isSecret
  }

  /// The largest file that is read: an answer with a large portrait in base64url.
  private static let mostBytes = 8 << 20

  /// Requires that a folder exists.
  /// - Throws: ``SuiteFolderError``.
  package static func requireFolder(_ path: String) throws(SuiteFolderError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      throw SuiteFolderError(.unreadable, "no such folder", at: path)
    }
  }

  /// Reads a file as JSON; nil if it does not exist.
  /// - Throws: ``SuiteFolderError``.
  package static func read(_ path: String) throws(SuiteFolderError) -> JSONValue? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    // Reading a pipe would block.
    let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    guard kind == .typeRegular, let handle = FileHandle(forReadingAtPath: path),
      // At the end of a file, as at the start of an empty one, there is nil.
      let data = try? handle.read(upToCount: mostBytes + 1) ?? Data()
    else { throw SuiteFolderError(.unreadable, "the file cannot be read", at: path) }
    guard data.count <= mostBytes else {
      throw SuiteFolderError(.content, "the file is longer than \(mostBytes) bytes", at: path)
    }
    do { return try JSONReader.read([UInt8](data)) } catch { throw SuiteFolderError(.content, error, at: path) }
  }
}
