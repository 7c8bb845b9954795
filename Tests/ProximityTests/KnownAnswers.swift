import Crypto
import TestSupport

@testable import Proximity

/// The known answers of other implementations, and of an independent program, for presentation in person.
enum Known {
  /// The entries of a list in a file.
  static func entries(_ list: String = "vectors", of name: String) throws -> [Vector] { try file(name).entries(list) }

  /// The entry of a file with an identifier.
  static func entry(_ identifier: String, of name: String) throws -> Vector {
    guard let entry = try entries(of: name).first(where: { $0.identifier == identifier }) else {
      throw MissingMember(description: "\(name) has no entry \(identifier)")
    }
    return entry
  }

  /// A whole file.
  static func file(_ name: String) throws -> Vector { Vector(try Vectors.proximityFile(name), at: name) }

  /// The bytes of an entry of Annex D.
  static func annexD(_ identifier: String) throws -> [UInt8] {
    try Vectors.entry(identifier, of: "iso18013_5_annex_d.json").bytes("hex")
  }
}

extension Vector {
  func privateKey(_ member: String) throws -> EphemeralPrivateKey {
    .p256(try P256.KeyAgreement.PrivateKey(rawRepresentation: try bytes(member)))
  }
}

/// Returns the code with which a reader refuses its input, or nil if it accepts it.
func refusal(_ body: () throws -> Void) -> ProximityError.Code? { refusal(ProximityError.self, body) }

extension SessionKeys {
  /// Returns whether these keys are some bytes.
  func isEqual(reader: [UInt8], device: [UInt8]) -> Bool {
    self.reader == SymmetricKey(data: reader) && self.device == SymmetricKey(data: device)
  }
}
