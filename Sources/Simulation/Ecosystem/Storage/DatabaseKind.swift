import GRDB

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
  /// The databases of this kind in memory.
  let inMemory: MemoryDatabases

  /// Creates a kind.
  /// - Parameter letters: four ASCII letters.
  init(name: String, letters: StaticString, migrations: [Migration]) {
    self.name = name
    applicationIdentifier = letters.description.utf8.prefix(4).reduce(0) { $0 << 8 | Int32($1) }
    self.migrations = migrations
    inMemory = MemoryDatabases(schema: migrations.map(\.statements).joined(separator: "\n"))
  }

  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.identifier) { try $0.execute(sql: migration.statements) }
    }
    return migrator
  }
}
