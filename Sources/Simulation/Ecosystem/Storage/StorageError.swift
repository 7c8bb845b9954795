import Checks
import GRDB
import MobileDocument

/// The checks of a database of the ecosystem before it is used.
package enum StorageCheck: CheckFamily {
  case access, space, integrity, kind, schema

  /// The declaration of the check.
  package var definition: CheckDefinition {
    switch self {
    case .access:
      CheckDefinition(
        "storage.access", "the file can be opened, read and written", "the file cannot be opened, read or written",
        clause: "own rule")
    case .space:
      CheckDefinition("storage.space", "the file has space to grow", "no space is left to write", clause: "own rule")
    case .integrity:
      CheckDefinition(
        "storage.integrity", "the file is an undamaged database", "the file is not a database, or is damaged",
        clause: "own rule")
    case .kind:
      CheckDefinition(
        "storage.kind", "the database is of the expected kind", "the file is a database of another kind",
        clause: "own rule")
    case .schema:
      CheckDefinition(
        "storage.schema", "the version of the database is known",
        "the file was written by a newer version of this program", clause: "own rule")
    }
  }
}

/// A database that cannot be opened, or a reading or writing of one that failed. A file that is refused stays as it was.
package struct StorageError: Error, Equatable, CustomStringConvertible {
  /// The check that failed.
  package let check: StorageCheck
  /// The path of the file; nil for a database in memory.
  package let path: String?
  /// A human-readable description of the finding.
  package let detail: String

  init(_ check: StorageCheck, at path: String?, _ detail: String) {
    self.check = check
    self.path = path
    self.detail = detail
  }

  /// An error of SQLite, as the check that it fails.
  init(_ error: DatabaseError, at path: String?) {
    let check: StorageCheck =
      switch error.resultCode.primaryResultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .integrity
      case .SQLITE_FULL: .space
      default: .access
      }
    self.init(check, at: path, error.message ?? error.resultCode.description)
  }

  /// The file, what is wrong and what was found.
  package var description: String { "\(path ?? "a database in memory"): \(CheckFinding(check).message): \(detail)" }
}

/// The error for the journal, without the file's path, which differs in each run.
func journalMessage(of error: any Error) -> String {
  guard let error = error as? StorageError else { return "\(error)" }
  return "\(CheckFinding(error.check).message): \(error.detail)"
}
