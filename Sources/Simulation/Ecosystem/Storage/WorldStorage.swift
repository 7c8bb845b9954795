import Foundation
import MobileDocument
import Primitives

/// Where a world keeps what lasts: databases below one folder, or all of it in memory.
///
/// ```
/// FOLDER/world.json                              seed, when the world began, how often it was started
/// FOLDER/devices/kellys-iphone.sqlite            registrations
/// FOLDER/apps/kellys-iphone%2FWallet.sqlite      an app's documents and keys
/// FOLDER/servers/spaceship-rentals.sqlite        a website's sessions
/// FOLDER/issuers/spaceport-dmv.sqlite            what an authority revoked, where it publishes that
/// ```
struct WorldStorage: Sendable {
  /// The folder; nil for memory.
  let folder: String?
  /// When the world began for the first time. What authorities made then, they make again after a restart.
  let founded: DateTime
  /// How often the world was started, this time included.
  let starts: Int
  private let seed: String

  /// Whose database it is.
  enum Owner: String {
    case device = "devices"
    case app = "apps"
    case server = "servers"
    case issuer = "issuers"
  }

  /// The file that says which world a folder belongs to.
  private struct Record: Codable {
    var format: Int
    var seed: String
    var founded: Int64
    var starts: Int
  }

  /// The only format so far.
  private static let format = 1
  /// Most starts that a record may tell of: more than anybody makes.
  private static let maximumStarts = 1_000_000_000
  /// When a world can have begun, in seconds since 1970: in the years 1 to 9999.
  private static let foundingRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
  /// Longest `world.json` that is read, in bytes; it has about a hundred.
  private static let maximumRecordLength = 4_096

  /// Says that there is nothing to go on from.
  static let nothingKept = StorageError(
    .unreadable, at: nil, "a world in memory keeps nothing to begin again from")

  /// Storage in memory.
  init(start: DateTime) {
    folder = nil
    founded = start
    starts = 1
    seed = ""
  }

  /// Storage in a folder: of a new world when it holds none, else of the one that left its files there.
  /// - Throws: ``StorageError`` when the folder cannot be used, or belongs to a world of another seed.
  init(folder: String, seed: UInt64, start: DateTime) throws(StorageError) {
    self.folder = folder
    let file = URL(fileURLWithPath: folder).appendingPathComponent("world.json")
    var record = Record(format: Self.format, seed: String(seed), founded: start.secondsSince1970, starts: 0)
    if FileManager.default.fileExists(atPath: file.path) {
      guard let data = try? Data(contentsOf: file), data.count <= Self.maximumRecordLength,
        let found = try? JSONDecoder().decode(Record.self, from: data),
        (1...Self.maximumStarts).contains(found.starts), Self.foundingRange.contains(found.founded)
      else { throw StorageError(.corrupt, at: file.path, "this says of no world when it began") }
      guard found.format == Self.format else {
        throw StorageError(.newerSchema, at: file.path, "the world was kept by a newer version")
      }
      guard found.seed == record.seed else {
        throw StorageError(
          .foreign, at: file.path, "the files belong to a world of seed \(found.seed), and this one has \(seed)")
      }
      record = found
    }
    self.seed = record.seed
    founded = DateTime(secondsSince1970: record.founded)
    starts = record.starts + 1
    do {
      for owner in [Owner.device, .app, .server] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(owner.rawValue)", withIntermediateDirectories: true)
      }
    } catch {
      throw Self.unwritable(folder, error)
    }
  }

  /// Makes room for what authorities keep; most worlds have none that keeps anything.
  /// - Throws: ``StorageError`` when the folder cannot be written.
  func prepareForIssuers() throws(StorageError) {
    guard let folder else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(Owner.issuer.rawValue)", withIntermediateDirectories: true)
    } catch {
      throw Self.unwritable(folder, error)
    }
  }

  /// Writes down that the world was started once more: what is drawn from now on is drawn in this life only. A start that
  /// is refused before leaves nothing.
  /// - Throws: ``StorageError`` when the folder cannot be written.
  func keepRecord() throws(StorageError) {
    guard let folder else { return }
    let record = Record(format: Self.format, seed: seed, founded: founded.secondsSince1970, starts: starts)
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      try encoder.encode(record).write(
        to: URL(fileURLWithPath: folder).appendingPathComponent("world.json"), options: .atomic)
    } catch {
      throw Self.unwritable(folder, error)
    }
  }

  private static func unwritable(_ folder: String, _ error: any Error) -> StorageError {
    StorageError(.unreadable, at: folder, "the folder cannot be written: \(error.localizedDescription)")
  }

  /// The database file of an owner; nil in memory.
  func path(_ owner: Owner, _ name: String) -> String? {
    guard let folder else { return nil }
    let name = FileName.escaped(name, with: "%", plain: "-")
    return "\(folder)/\(owner.rawValue)/\(name).sqlite"
  }
}
