import GRDB
import Synchronization

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
  private let template: DatabaseTemplate

  /// A kind from its parts.
  /// - Parameter letters: four of ASCII.
  init(name: String, letters: StaticString, migrations: [Migration]) {
    self.name = name
    applicationIdentifier = letters.description.utf8.prefix(4).reduce(0) { $0 << 8 | Int32($1) }
    self.migrations = migrations
    template = DatabaseTemplate(statements: migrations.map(\.statements).joined(separator: "\n"))
  }

  /// An empty database in memory. Nobody opens it a second time, so it has no history of migrations.
  func inMemory() throws -> DatabaseQueue { try template.copied() }

  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for migration in migrations {
      migrator.registerMigration(migration.identifier) { try $0.execute(sql: migration.statements) }
    }
    return migrator
  }
}

/// An empty database, of which copies are made: that takes a fifth of the time that the statements take, and every world
/// opens several.
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
