import Crypto
import HybridTransport
import TestSupport

/// The known answers of other implementations, and of an independent program, for the hybrid transport.
enum Known {
  /// The entries of a list in a file.
  static func entries(_ list: String, of name: String) throws -> [Vector] { try file(name).entries(list) }

  /// A whole file.
  static func file(_ name: String) throws -> Vector { Vector(try Vectors.hybridFile(name), at: name) }
}

extension Vector {
  func privateKey(_ member: String) throws -> P256.KeyAgreement.PrivateKey {
    try P256.KeyAgreement.PrivateKey(rawRepresentation: try bytes(member))
  }

  func publicKey(_ member: String) throws -> P256.KeyAgreement.PublicKey {
    try P256.KeyAgreement.PublicKey(x963Representation: try bytes(member))
  }
}

/// Returns the code with which a reader refuses its input, or nil if it accepts it.
func refusal(_ body: () throws -> Void) -> HybridError.Code? { refusal(HybridError.self, body) }
