import Crypto
import Foundation
import Synchronization

/// The recipient keys of the newest sessions of a verifier server, beside the rows of its database. Making a key from its
/// row multiplies the base point again, and most answers are for one of these sessions.
final class RecipientKeyMemory: Sendable {
  /// The most keys that are kept: more sessions than a website has open on the devices of a world.
  static let maximumCount = 16

  private struct Entry {
    let rawRepresentation: Data
    let key: P256.KeyAgreement.PrivateKey
  }

  private let entries = Mutex<[Entry]>([])

  /// Keeps the key of a new session.
  /// - Returns: The key as its row has it: 32 bytes.
  func keep(_ key: P256.KeyAgreement.PrivateKey) -> Data {
    let entry = Entry(rawRepresentation: key.rawRepresentation, key: key)
    entries.withLock { entries in
      if entries.count >= Self.maximumCount { entries.removeFirst() }
      entries.append(entry)
    }
    return entry.rawRepresentation
  }

  /// The key of a row.
  /// - Parameter rawRepresentation: 32 bytes.
  /// - Throws: `CryptoKitError` if the bytes are not a private key.
  func key(_ rawRepresentation: Data) throws -> P256.KeyAgreement.PrivateKey {
    let known = entries.withLock { entries in entries.last { $0.rawRepresentation == rawRepresentation } }
    return try known?.key ?? P256.KeyAgreement.PrivateKey(rawRepresentation: rawRepresentation)
  }
}
