import GRDB
import Synchronization

/// The purpose of a database: how its file is recognized, and the history of its tables.
struct DatabaseKind: Sendable {
  /// A step from one schema to the next. A file contains the identifiers of its completed steps, so a released step
  /// must not change; add another one instead.
  struct Migration: Sendable {
    let identifier: String
    /// The SQL statements.
    let statements: String
  }

  /// A human-readable name of the contents.
  let name: String
  /// SQLite's `application_id` in a file of this kind: four letters.
  let applicationIdentifier: Int32
  /// The steps from an empty file to the current schema.
  let migrations: [Migration]
  private let template: DatabaseTemplate

  /// Creates a kind.
  /// - Parameter letters: four ASCII letters.
  init(name: String, letters: StaticString, migrations: [Migration]) {
    self.name = name
    applicationIdentifier = letters.description.utf8.prefix(4).reduce(0) { $0 << 8 | Int32($1) }
    self.migrations = migrations
    template = DatabaseTemplate(statements: migrations.map(\.statements).joined(separator: "\n"))
  }

  /// An empty database in memory. It is opened only once, so it has no record of migrations.
  func inMemory() throws -> DatabaseQueue { try template.copied() }

  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.identifier) { try $0.execute(sql: migration.statements) }
    }
    return migrator
  }
}

/// An empty database to copy: a copy takes a fifth of the statements' time, and every world opens several.
private final class DatabaseTemplate: Sendable {
  private let statements: String
  private let made = Mutex<DatabaseQueue?>(nil)

  init(statements: String) { self.statements = statements }

  func copied() throws -> DatabaseQueue {
    let copy = try DatabaseQueue()
    try made.withLock { made in
      let original = try made ?? DatabaseQueue()
      if made == nil {
        try original.write { try $0.execute(sql: statements) }
        made = original
      }
      try original.backup(to: copy)
    }
    return copy
  }
}
