import Checks
import GRDB
import Primitives
import SimulationKernel

/// The checks of a database of the ecosystem before it is used.
package enum StorageCheck: String, CheckFamily {
  case access = "storage.access"
  case space = "storage.space"
  case integrity = "storage.integrity"
  case kind = "storage.kind"
  case schema = "storage.schema"

  /// The declaration of the check.
  package var definition: CheckDefinition {
    func rule(_ title: String, _ failure: String) -> CheckDefinition {
      CheckDefinition(rawValue, title, failure, clause: "own rule")
    }
    return switch self {
    case .access: rule("the file can be opened, read and written", "the file cannot be opened, read or written")
    case .space: rule("the file has space to grow", "no space is left to write")
    case .integrity: rule("the file is an undamaged database", "the file is not a database, or is damaged")
    case .kind: rule("the database is of the expected kind", "the file is a database of another kind")
    case .schema:
      rule("the version of the database is known", "the file was written by a newer version of this program")
    }
  }
}

/// A database that cannot be opened, or a reading or writing of one that failed. A file that is refused stays as it was.
package struct StorageError: CodedError, Equatable {
  /// The check that failed.
  package let code: StorageCheck
  /// The finding.
  package let evidence: String?
  /// The path of the file; nil for a database in memory.
  package let location: String?

  package init(_ check: StorageCheck, at path: String?, _ finding: String) {
    code = check
    evidence = finding
    location = path
  }

  /// An error of SQLite, as the check that it fails.
  package init(_ error: DatabaseError, at path: String?) {
    let check: StorageCheck =
      switch error.resultCode.primaryResultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .integrity
      case .SQLITE_FULL: .space
      default: .access
      }
    self.init(check, at: path, error.message ?? error.resultCode.description)
  }

  /// The declared message of the check.
  package var message: String { CheckFinding(code).message }

  /// The file, the check and the finding.
  package var description: String { "\(location ?? "a database in memory"): \(journalMessage(of: self))" }
}

/// The error for the journal, without the file's path, which differs in each run.
package func journalMessage(of error: any Error) -> String {
  switch error {
  case let error as StorageError: error.sentence
  case let error as SimulationError: error.message
  default: "\(error)"
  }
}
