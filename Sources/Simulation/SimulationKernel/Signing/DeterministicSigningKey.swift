import COSE
import Crypto
import FoundationEssentials

/// A P-256 private key that signs by RFC 6979: ECDSA with SHA-256, with the same 64 bytes each time for the same message.
///
/// swift-crypto draws a random secret for every signature, independent of the seed; here key and message determine it. The
/// signatures are standard ECDSA and verify with ``publicKey``.
///
/// - Warning: The arithmetic is not constant time. For keys of simulated actors only.
public struct DeterministicSigningKey: Sendable {
  /// The public key, which verifies the signatures.
  public let publicKey: P256.Signing.PublicKey

  /// The private key as a number: 32 bytes, most significant first, as ``init(rawRepresentation:)`` reads it.
  public let rawRepresentation: [UInt8]

  private let scalar: ScalarModuloN

  /// The most draws from a source of seeds. A random seed is invalid once in 2^32 draws, so a source that fails this often
  /// is broken.
  public static let maximumSeedDraws = 8

  /// Creates a key from a private key of swift-crypto.
  public init(_ privateKey: P256.Signing.PrivateKey) {
    self.init(privateKey, rawRepresentation: Array(privateKey.rawRepresentation))
  }

  private init(_ privateKey: P256.Signing.PrivateKey, rawRepresentation: [UInt8]) {
    publicKey = privateKey.publicKey
    self.rawRepresentation = rawRepresentation
    scalar = ScalarModuloN(reducing: rawRepresentation)
  }

  /// Creates a key from a number.
  ///
  /// - Parameter rawRepresentation: 32 bytes, most significant first: a number from 1 to n - 1 (SEC 1, section 3.2.1).
  /// - Throws: ``SimulationError`` with code `signing.private-key` for any other bytes.
  public init(rawRepresentation: [UInt8]) throws(SimulationError) {
    let privateKey: P256.Signing.PrivateKey
    do {
      privateKey = try P256.Signing.PrivateKey(rawRepresentation: rawRepresentation)
    } catch {
      throw SimulationError(
        .privateKey, "a P-256 private key has 32 bytes with a value from 1 to below the order of the curve",
        evidence: Self.form(of: rawRepresentation))
    }
    self.init(privateKey, rawRepresentation: rawRepresentation)
  }

  /// The form of refused bytes, without key material.
  private static func form(of bytes: [UInt8]) -> String {
    bytes.count == ScalarModuloN.byteCount ? "a value out of range" : "\(bytes.count) bytes"
  }

  /// Creates a key from a source of seeds, and draws another seed if one is not a private key: key generation by rejection
  /// sampling (FIPS 186-5, appendix A.2.2) with the simulation's bytes in place of random ones.
  ///
  /// - Parameter drawSeed: Returns the next 32 bytes.
  /// - Throws: ``SimulationError`` with code `signing.seed` if ``maximumSeedDraws`` draws gave no private key.
  public init(seededBy drawSeed: () -> [UInt8]) throws(SimulationError) {
    var seed: [UInt8] = []
    for _ in 0..<Self.maximumSeedDraws {
      seed = drawSeed()
      if let privateKey = try? P256.Signing.PrivateKey(rawRepresentation: seed) {
        self.init(privateKey, rawRepresentation: seed)
        return
      }
    }
    throw SimulationError(
      .seed, "the source of seeds gave no P-256 private key in \(Self.maximumSeedDraws) draws",
      evidence: "\(Self.form(of: seed)) in the last draw")
  }
}

extension DeterministicSigningKey: ES256Signer {
  /// Signs a message: hashes it with SHA-256 and signs the digest.
  ///
  /// - Parameter message: The message, of any length.
  /// - Returns: R and s, 64 bytes, of RFC 6979, section 3.2.
  /// - Throws: An internal error of swift-crypto.
  public func signature(for message: [UInt8]) throws -> [UInt8] {
    let digest = ScalarModuloN(reducing: SHA256.hash(data: message).bytes)
    var candidates = DeterministicNonces(privateKey: rawRepresentation, reducedDigest: digest.octets)
    while true {
      let candidate = candidates.next()
      guard let k = ScalarModuloN(canonical: candidate), !k.isZero else { continue }
      let point = [UInt8](try P256.Signing.PrivateKey(rawRepresentation: candidate).publicKey.x963Representation)
      let r = ScalarModuloN(reducing: point[1...ScalarModuloN.byteCount])
      let s = k.inverse() * (digest + r * scalar)
      if r.isZero || s.isZero { continue }

      var signature: [UInt8] = []
      signature.reserveCapacity(2 * ScalarModuloN.byteCount)
      r.appendOctets(to: &signature)
      s.appendOctets(to: &signature)
      return signature
    }
  }
}

extension DeterministicSigningKey: Hashable {
  /// Compares the public keys.
  public static func == (left: DeterministicSigningKey, right: DeterministicSigningKey) -> Bool {
    left.publicKey.rawRepresentation == right.publicKey.rawRepresentation
  }

  /// Hashes the public key.
  public func hash(into hasher: inout Hasher) { hasher.combine(publicKey.rawRepresentation) }
}

extension DeterministicSigningKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name; the private key does not print.
  public var description: String { "DeterministicSigningKey" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror without children; the private key does not print.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
