import Checks
import GRDB
import MobileDocument

/// Why a database of the ecosystem cannot be used.
package enum StorageCheck: String, CheckCode {
  case corrupt = "storage.corrupt"
  case foreign = "storage.foreign"
  case newerSchema = "storage.newer-schema"
  case unreadable = "storage.unreadable"
  case full = "storage.full"

  /// What it means when this fails, for a person to read.
  package var message: String {
    switch self {
    case .corrupt: "the file is no database, or a damaged one"
    case .foreign: "the file is a database of something else"
    case .newerSchema: "the file was written by a newer version of this program"
    case .unreadable: "the file cannot be opened, read or written"
    case .full: "there is no room to write"
    }
  }
}

/// A database that cannot be opened, or a reading or writing of one that failed. A file that is refused stays as it was.
package struct StorageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong.
  package let check: StorageCheck
  /// Where the file is; nil for a database in memory.
  package let path: String?
  /// What was found, for a person to read.
  package let detail: String

  init(_ check: StorageCheck, at path: String?, _ detail: String) {
    self.check = check
    self.path = path
    self.detail = detail
  }

  /// What SQLite says, as the family it belongs to.
  init(_ error: DatabaseError, at path: String?) {
    let check: StorageCheck =
      switch error.resultCode.primaryResultCode {
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
      case .SQLITE_FULL: .full
      default: .unreadable
      }
    self.init(check, at: path, error.message ?? error.resultCode.description)
  }

  /// The file, what is wrong and what was found.
  package var description: String { "\(path ?? "a database in memory"): \(check.message): \(detail)" }
}

/// The error for the journal, without the file's path, which differs in each run.
func journalMessage(of error: any Error) -> String {
  guard let error = error as? StorageError else { return "\(error)" }
  return "\(error.check.message): \(error.detail)"
}
