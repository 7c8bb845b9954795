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

  /// The table with the identifiers of completed steps, with the name that GRDB gives it.
  private static let stepTable = "grdb_migrations"

  /// Creates a kind.
  /// - Parameters:
  ///   - letters: Four ASCII letters.
  ///   - pageSize: The size of a page in memory in bytes. Each table and index takes at least one, and most of a world have
  ///     a few rows.
  init(name: String, letters: StaticString, pageSize: Int = 512, migrations: [Migration]) {
    self.name = name
    applicationIdentifier = letters.description.utf8.prefix(4).reduce(0) { $0 << 8 | Int32($1) }
    self.migrations = migrations
    inMemory = MemoryDatabases(pageSize: pageSize, schema: migrations.map(\.statements).joined(separator: "\n"))
  }

  /// The identifiers of the steps that a file has completed.
  /// - Throws: `DatabaseError`.
  func completedSteps(in database: Database) throws -> Set<String> {
    guard try database.tableExists(Self.stepTable) else { return [] }
    return try String.fetchSet(database, sql: "SELECT identifier FROM \(Self.stepTable)")
  }

  /// Completes the steps that a file lacks, in one transaction. A new file has an identity then.
  /// - Throws: `DatabaseError`.
  func migrate(_ database: Database) throws {
    let completed = try completedSteps(in: database)
    let missing = migrations.filter { !completed.contains($0.identifier) }
    guard !missing.isEmpty else { return }
    try database.inTransaction {
      try database.execute(
        sql: """
          PRAGMA application_id = \(applicationIdentifier);
          CREATE TABLE IF NOT EXISTS \(Self.stepTable) (identifier TEXT NOT NULL PRIMARY KEY)
          """)
      for step in missing {
        try database.execute(sql: step.statements)
        try database.execute(sql: "INSERT INTO \(Self.stepTable) VALUES (?)", arguments: [step.identifier])
      }
      return .commit
    }
  }
}
