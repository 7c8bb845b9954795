import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite("Databases in memory that are used again")
struct MemoryDatabasesTests {
  /// Databases of a kind of their own: other tests cannot take them.
  private static func databases() -> MemoryDatabases {
    MemoryDatabases(
      pageSize: 1_024, schema: RegistrationSchema.kind.migrations.map(\.statements).joined(separator: "\n"))
  }

  /// A kind with one table.
  private static func kind() -> DatabaseKind {
    DatabaseKind(
      name: "notes", letters: "Test",
      migrations: [
        DatabaseKind.Migration(
          identifier: "notes", statements: "CREATE TABLE note (text TEXT NOT NULL UNIQUE, bytes BLOB);")
      ])
  }

  private static func bytes(_ queue: DatabaseQueue) throws -> Data {
    let folder = try TemporaryFolder()
    let file = try DatabaseQueue(path: folder.file("copy"))
    try queue.backup(to: file)
    try file.close()
    return try #require(FileManager.default.contents(atPath: folder.file("copy")))
  }

  /// The settings and the contents of a database, by the name of the pragma or table.
  private static func observations(_ queue: DatabaseQueue) throws -> [String: String] {
    try queue.inDatabase { database in
      var found: [String: String] = [:]
      for name in [
        "application_id", "auto_vacuum", "cache_size", "data_version", "encoding", "foreign_keys", "freelist_count",
        "ignore_check_constraints", "journal_mode", "max_page_count", "page_count", "page_size", "query_only",
        "recursive_triggers", "schema_version", "secure_delete", "synchronous", "temp_store", "user_version",
        "defer_foreign_keys", "integrity_check", "foreign_key_check", "foreign_key_list(registration)",
      ] {
        found[name] = try Row.fetchAll(database, sql: "PRAGMA \(name)").description
      }
      let schema = try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master")
      found["schema"] = schema.description
      for row in schema where row["type"] == "table" {
        let name: String = row["name"]
        found[name] = try Row.fetchAll(database, sql: "SELECT * FROM \(name)").description
      }
      return found
    }
  }

  /// Fills every table, and frees pages.
  private static func fill(_ queue: DatabaseQueue) throws {
    try queue.inDatabase { database in
      try database.execute(
        sql: """
          PRAGMA user_version = 7;
          PRAGMA application_id = 7;
          INSERT INTO app (name, status, asked) VALUES ('Wallet', 'authorized', 1), ('Other', 'denied', NULL);
          INSERT INTO documentType (name) VALUES ('a'), ('b');
          INSERT INTO keyIdentifier (bytes) SELECT randomblob(3000) FROM json_each('[1,2,3,4,5,6,7,8]');
          INSERT INTO authorityCertificate (bytes) SELECT randomblob(3000) FROM json_each('[1,2,3,4,5,6,7,8]');
          INSERT INTO entitlement (app, type) VALUES (1, 1), (2, 2);
          INSERT INTO registration (app, type, documentIdentifier, invalidation, isEntitled, acceptsAnyReader)
            SELECT 1, 1, value, 9e999, 1, 0 FROM json_each('[1,2,3,4,5,6,7,8]');
          INSERT INTO registrationAuthority SELECT id, 0, id, 1 FROM registration;
          INSERT INTO registrationIssuer SELECT id, 0, id FROM registration;
          INSERT INTO registrationCertificate SELECT id, 0, id FROM registration;
          DELETE FROM registration WHERE id > 4;
          """)
    }
  }

  @Test("a database that is used again equals a new one, byte by byte")
  func sameBytes() throws {
    let databases = Self.databases()
    let first = try databases.open()
    let new = try Self.bytes(first)
    let observed = try Self.observations(first)
    #expect(new.count > 10_000 && observed["registration"] == "[]" && observed["page_size"] == "[[page_size:1024]]")
    for _ in 0..<3 {
      try Self.fill(first)
      #expect(try Self.observations(first)["registration"] != "[]")
      try databases.close(first)
      let second = try databases.open()
      #expect(second === first)
      #expect(try Self.bytes(second) == new)
      #expect(try Self.observations(second) == observed)
    }
    #expect(try Self.bytes(try Self.databases().open()) == new, "another new one has other bytes")
  }

  @Test("row identifiers start at 1 again, and the statements stay compiled")
  func sequence() throws {
    let kind = Self.kind()
    for _ in 0..<3 {
      let store = try DatabaseStore(kind, at: nil)
      for row in 1...3 {
        let identifier = try store.write { database in
          try database.cachedStatement(sql: "INSERT INTO note (text) VALUES (?)").execute(arguments: ["note \(row)"])
          return database.lastInsertedRowID
        }
        #expect(identifier == Int64(row))
      }
      try store.close()
    }
    let queue = try kind.inMemory.open()
    try queue.inDatabase { database in
      let before = try database.cachedStatement(sql: "INSERT INTO note (text) VALUES (?)")
      #expect(before.arguments == ["note 3"], "the statement was compiled again")
    }
  }

  @Test("a closed store fails, also when another one uses its database")
  func closed() throws {
    let kind = Self.kind()
    let first = try DatabaseStore(kind, at: nil)
    let holder = first
    try first.write("INSERT INTO note (text) VALUES (?)", ["mine"])
    try first.close()
    let second = try DatabaseStore(kind, at: nil)
    let third = try DatabaseStore(kind, at: nil)
    #expect(try Self.usesSeveralTimes(second))
    try second.write("INSERT INTO note (text) VALUES (?)", ["yours"])
    for use in [
      { try holder.write("DELETE FROM note", []) }, { try holder.write { try $0.execute(sql: "DELETE FROM note") } },
      { _ = try Self.notes(in: holder) }, { try holder.checkIntegrity() }, { try holder.setFull(true) },
      { try holder.setFull(false) },
    ] as [() throws -> Void] {
      let error = #expect(throws: StorageError.self) { try use() }
      #expect(error == StorageError(.access, at: nil, "it is closed"))
    }
    try first.close()
    #expect(try Self.notes(in: second) == ["yours"])
    #expect(try Self.notes(in: third) == [])
  }

  @Test("a database is not used again after an error or a limit, and keeps its contents")
  func spoiled() throws {
    struct Refusal: Error {}
    let ends: [(String, (DatabaseStore) throws -> Void)] = [
      ("constraint", { try $0.write("INSERT INTO note (text) VALUES (?)", ["kept"]) }),
      ("statement", { try $0.write("INSERT INTO nothing VALUES (?)", [1]) }),
      (
        "body",
        { store in
          try store.write { database in
            try database.execute(sql: "INSERT INTO note (text) VALUES ('undone')")
            throw Refusal()
          }
        }
      ),
      ("reading", { _ = try $0.read { _ in throw Refusal() } }),
      ("rollback", { try $0.write { try $0.execute(sql: "ROLLBACK TO write; DELETE FROM note; SELECT nothing") } }),
    ]
    for (name, end) in ends {
      let kind = Self.kind()
      let store = try DatabaseStore(kind, at: nil)
      try store.write("INSERT INTO note (text) VALUES (?)", ["kept"])
      #expect(throws: (any Error).self, "\(name)") { try end(store) }
      #expect(try Self.notes(in: store) == ["kept"], "\(name)")
      try store.write { try $0.execute(sql: "INSERT INTO note (text) VALUES ('later')") }
      #expect(try Self.notes(in: store) == ["kept", "later"], "\(name)")
      try store.close()
      #expect(try !Self.usesSeveralTimes(DatabaseStore(kind, at: nil)), "\(name)")
    }
    let kind = Self.kind()
    let store = try DatabaseStore(kind, at: nil)
    try store.write("INSERT INTO note (text) VALUES (?)", ["kept"])
    try store.setFull(true)
    let large = Data(repeating: 1, count: 100_000)
    let error = #expect(throws: StorageError.self) {
      try store.write("INSERT INTO note (text, bytes) VALUES (?, ?)", ["large", large])
    }
    #expect(error?.code == .space)
    #expect(try Self.notes(in: store) == ["kept"])
    try store.setFull(false)
    try store.write("INSERT INTO note (text, bytes) VALUES (?, ?)", ["large", large])
    try store.close()
    #expect(try !Self.usesSeveralTimes(DatabaseStore(kind, at: nil)))
  }

  @Test("few databases are kept")
  func bounded() throws {
    let databases = Self.databases()
    let first = try (0..<MemoryDatabases.maximumUnused + 5).map { _ in try databases.open() }
    for queue in first { try databases.close(queue) }
    let known = Set(first.map(ObjectIdentifier.init))
    let second = try first.indices.map { _ in try databases.open() }
    #expect(second.count { known.contains(ObjectIdentifier($0)) } == MemoryDatabases.maximumUnused)
    #expect(Set(second.map(ObjectIdentifier.init)).count == second.count, "a database was handed out twice")
  }

  @Test("stores find the same in used and in new databases", arguments: 0..<6)
  func drawn(seed: UInt64) throws {
    var draw = SeededGenerator(seed: seed)
    let kind = Self.kind()
    var stores: [(used: DatabaseStore, new: DatabaseStore)] = []
    var usedAgain = 0
    for step in 0..<250 {
      guard let chosen = stores.indices.randomElement(using: &draw), stores.count < 5, step % 7 != 0 else {
        if stores.count < 5 {
          stores.append((try DatabaseStore(kind, at: nil), try DatabaseStore(Self.kind(), at: nil)))
          if try Self.usesSeveralTimes(stores[stores.count - 1].used) { usedAgain += 1 }
        } else {
          let (used, new) = stores.remove(at: Int.random(in: 0..<stores.count, using: &draw))
          try used.close()
          try new.close()
        }
        continue
      }
      let text = "note \(Int.random(in: 0..<20, using: &draw))"
      let bytes = Data(draw.bytes(Int.random(in: 0..<1_500, using: &draw)))
      let action = Int.random(in: 0..<40, using: &draw)
      let results = [stores[chosen].used, stores[chosen].new].map { Self.result(of: action, text, bytes, in: $0) }
      #expect(results[0] == results[1], "seed \(seed), step \(step)")
    }
    #expect(usedAgain > 10, "the databases were not used again")
  }

  /// The result of one of several actions, and everything that the store then shows.
  private static func result(of action: Int, _ text: String, _ bytes: Data, in store: DatabaseStore) -> String {
    var result = ""
    do {
      switch action {
      case 0: try store.setFull(true)
      case 1: try store.setFull(false)
      case 2: try store.write("INSERT INTO nothing VALUES (?)", [text])
      case 3: try store.write { try $0.execute(sql: "PRAGMA user_version = 3") }
      case 4..<10: try store.write("DELETE FROM note WHERE text = ?", [text])
      case 10..<14:
        try store.write { database in
          for ending in ["", "+"] {
            try database.cachedStatement(sql: "INSERT INTO note (text, bytes) VALUES (?, ?)")
              .execute(arguments: [text + ending, bytes])
          }
        }
      default:
        try store.write(
          "INSERT INTO note (text, bytes) VALUES (?, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes",
          [text, bytes])
      }
    } catch {
      result = "\(error)"
    }
    do {
      return try store.read { database in
        for query in [
          "SELECT rowid, text, length(bytes), hex(bytes) FROM note", "PRAGMA user_version", "PRAGMA page_count",
          "PRAGMA freelist_count", "PRAGMA max_page_count",
        ] {
          result += try Row.fetchAll(database.cachedStatement(sql: query)).description
        }
        return result
      }
    } catch {
      return result + "\(error)"
    }
  }

  private final class SharedStores: Sendable {
    let stores = Mutex<[DatabaseStore]>([])
  }

  @Test("threads never share a database, also when one closes what another uses")
  func threads() async throws {
    let kind = Self.kind()
    let shared = SharedStores()
    try await withThrowingTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for round in 0..<100 {
            let store = try DatabaseStore(kind, at: nil)
            shared.stores.withLock { $0.append(store) }
            #expect(try Self.notes(in: store) == [])
            let mine = (0..<5).map { "thread \(thread), round \(round), note \($0)" }
            do {
              for note in mine { try store.write("INSERT INTO note (text) VALUES (?)", [note]) }
              #expect(try Self.notes(in: store) == mine)
            } catch let error as StorageError {
              #expect(error == StorageError(.access, at: nil, "it is closed"))
            }
            try store.close()
            if round % 10 == 0 { try shared.stores.withLock { $0.randomElement() }?.close() }
          }
        }
      }
      try await group.waitForAll()
    }
    for store in shared.stores.withLock({ $0 }) {
      #expect(throws: StorageError.self) { try Self.notes(in: store) }
    }
  }

  private static func notes(in store: DatabaseStore) throws -> [String] {
    try store.read { try String.fetchAll($0.cachedStatement(sql: "SELECT text FROM note ORDER BY rowid")) }
  }

  /// Returns true if the connection has changed rows, which SQLite counts over every use of it.
  private static func usesSeveralTimes(_ store: DatabaseStore) throws -> Bool {
    try store.read { try Int.fetchOne($0, sql: "SELECT total_changes()") ?? 0 } > 0
  }
}
