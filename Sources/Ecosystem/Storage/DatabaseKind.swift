import GRDB

/// What a database is for: how its file is told from others, and how its tables came to be what they are.
struct DatabaseKind: Sendable {
  /// One step from an older schema to the next. The identifiers of those done stand in the file, so a step that was
  /// released is never changed; another one follows it.
  struct Migration: Sendable {
    let identifier: String
    /// SQL.
    let statements: String
  }

  /// What is kept, for a person to read.
  let name: String
  /// What SQLite's `application_id` says in a file of this kind: four letters.
  let applicationIdentifier: Int32
  /// From an empty file to the present schema.
  let migrations: [Migration]

  /// A kind from its parts.
  /// - Parameter letters: four of ASCII.
  init(name: String, letters: StaticString, migrations: [Migration]) {
    self.name = name
    applicationIdentifier = letters.description.utf8.prefix(4).reduce(0) { $0 << 8 | Int32($1) }
    self.migrations = migrations
  }

  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.identifier) { try $0.execute(sql: migration.statements) }
    }
    return migrator
  }
}
