import Foundation
import JSON
import MobileDocument
import Primitives

/// The place of a world's persistent state: databases in a folder, or in memory.
///
/// ```
/// FOLDER/world.json                              seed, start time, number of starts
/// FOLDER/devices/kellys-iphone.sqlite            registrations
/// FOLDER/apps/kellys-iphone%2FWallet.sqlite      an app's documents and keys
/// FOLDER/servers/spaceship-rentals.sqlite        a website's sessions
/// FOLDER/issuers/spaceport-dmv.sqlite            an authority's revocations, if it publishes lists
/// ```
package struct WorldStorage: Sendable {
  /// The folder, or nil for memory.
  package let folder: String?
  /// The time of the world's first start. Authorities create the same certificates again after a restart.
  package let founded: DateTime
  /// The number of starts, including this one.
  package let starts: Int
  private let seed: String

  /// The owner of a database.
  package enum Owner: String {
    case device = "devices"
    case app = "apps"
    case server = "servers"
    case issuer = "issuers"
  }

  /// The file that identifies the world of a folder.
  fileprivate struct Record: JSONObject {
    var format: Int
    var seed: String
    var founded: Int64
    var starts: Int

    static let json = JSONForm<Self>(
      Self.init, Member("format", \.format), Member("seed", \.seed), Member("founded", \.founded),
      Member("starts", \.starts))
  }

  /// The only format so far.
  private static let format = 1
  /// The maximum number of starts in a record.
  private static let maximumStarts = 1_000_000_000
  /// The range of start times, in seconds since 1970: the years 1 to 9999.
  private static let foundingRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
  /// The maximum size of `world.json` in bytes; usually about a hundred.
  private static let maximumRecordLength = 4_096

  /// The error of restarting a world in memory.
  package static let nothingKept = StorageError(.access, at: nil, "a world in memory keeps nothing to begin again from")

  /// Storage in memory.
  package init(start: DateTime) {
    folder = nil
    founded = start
    starts = 1
    seed = ""
  }

  /// Creates storage in a folder: for a new world if it is empty, otherwise for the world that wrote its files.
  /// - Throws: ``StorageError`` if the folder cannot be used, or belongs to a world of another seed.
  package init(folder: String, seed: UInt64, start: DateTime) throws(StorageError) {
    self.folder = folder
    let file = URL(fileURLWithPath: folder).appendingPathComponent("world.json")
    var record = Record(format: Self.format, seed: String(seed), founded: start.secondsSince1970, starts: 0)
    if FileManager.default.fileExists(atPath: file.path) {
      guard let data = try? Data(contentsOf: file), data.count <= Self.maximumRecordLength,
        let found = try? JSONCoding.decode(Record.self, from: [UInt8](data)),
        (1...Self.maximumStarts).contains(found.starts), Self.foundingRange.contains(found.founded)
      else { throw StorageError(.integrity, at: file.path, "this says of no world when it began") }
      guard found.format == Self.format else {
        throw StorageError(.schema, at: file.path, "the world was kept by a newer version")
      }
      guard found.seed == record.seed else {
        throw StorageError(
          .kind, at: file.path, "the files belong to a world of seed \(found.seed), and this one has \(seed)")
      }
      record = found
    }
    self.seed = record.seed
    founded = DateTime(secondsSince1970: record.founded)
    starts = record.starts + 1
    try prepare(for: .device, .app, .server)
  }

  /// Creates the folders of owners. Few worlds need that for issuing authorities.
  /// - Throws: ``StorageError`` if the folder cannot be written.
  package func prepare(for owners: Owner...) throws(StorageError) {
    guard let folder else { return }
    do {
      for owner in owners {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(owner.rawValue)", withIntermediateDirectories: true)
      }
    } catch {
      throw Self.unwritable(folder, error)
    }
  }

  /// Records another start of the world, which gives it new randomness. A start that was refused is not recorded.
  /// - Throws: ``StorageError`` if the folder cannot be written.
  package func keepRecord() throws(StorageError) {
    guard let folder else { return }
    let record = Record(format: Self.format, seed: seed, founded: founded.secondsSince1970, starts: starts)
    do {
      try Data(JSONCoding.encode(record)).write(
        to: URL(fileURLWithPath: folder).appendingPathComponent("world.json"), options: .atomic)
    } catch {
      throw Self.unwritable(folder, error)
    }
  }

  private static func unwritable(_ folder: String, _ error: any Error) -> StorageError {
    StorageError(.access, at: folder, "the folder cannot be written: \(error.localizedDescription)")
  }

  /// The path of an owner's database file, or nil in memory.
  package func path(_ owner: Owner, _ name: String) -> String? {
    guard let folder else { return nil }
    let name = FileName.escaped(name, with: "%", plain: "-")
    return "\(folder)/\(owner.rawValue)/\(name).sqlite"
  }
}

/// File names for any text: plain characters stay, and every other byte becomes two hexadecimal digits.
public enum FileName {
  /// Returns the name for a text. Different texts have different names.
  ///
  /// - Parameters:
  ///   - escape: The character before the two digits; not plain itself.
  ///   - plain: ASCII characters that stay, besides letters and digits.
  public static func escaped(_ text: String, with escape: Character, plain: String) -> String {
    text.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber || plain.contains(character))
      return isPlain ? String(character) : String(escape) + hexadecimal([byte])
    }.joined()
  }
}
