import CBOR

/// The phone's first message after the handshake: the features of the session, in a CBOR map without a type byte.
public struct PostHandshake: Sendable, Equatable {
  /// A feature of a session.
  public enum Feature: String, Sendable, CaseIterable {
    /// Passkeys, with the commands of CTAP2.
    case ctap
    /// Digital credentials, with JSON messages.
    case digitalCredentials = "dc"
  }

  /// The features. A map without features offers `ctap` alone.
  public let features: [Feature]
  /// The CBOR of the authenticator's description (`getInfo`) without a status byte: present exactly if the features have
  /// `ctap`.
  public let description: [UInt8]?
  /// Indicates whether the map has linking information, which is ignored here.
  public let hasLinkingInformation: Bool

  /// The offer of a phone that has digital credentials only.
  public static let digitalCredentials = PostHandshake(features: [.digitalCredentials])

  /// Creates an offer.
  /// - Parameters:
  ///   - features: The features of the session.
  ///   - description: The CBOR of `getInfo`, with `ctap`.
  public init(features: [Feature], description: [UInt8]? = nil) {
    self.features = features
    self.description = description
    hasLinkingInformation = false
  }

  /// The map in canonical CBOR.
  public var cbor: [UInt8] {
    let names = features == [.ctap] ? nil : CBORValue.array(features.map { .text($0.rawValue) })
    return CBORValue.map(present: [(1, description.map { .bytes($0) }), (3, names)]).encoded
  }

  /// Reads the map. Unknown keys and unknown features are ignored.
  /// - Throws: ``HybridError`` with a code of `features`.
  public init(cbor bytes: [UInt8]) throws(HybridError) {
    let map: CBORMap
    do { map = try CanonicalCBOR.map(bytes) } catch {
      throw Self.isRevision0(bytes)
        ? HybridError(.featuresRevision, "the phone speaks revision 0 of the transport, which has no JSON messages")
        : HybridError(.featuresCBOR, error)
    }
    do {
      // Key 0 is padding.
      _ = try map[0]?.bytes()
      description = try map[1]?.bytes()
      hasLinkingInformation = try map[2]?.map() != nil
      if let list = try map[3]?.array() {
        features = list.compactMap { (try? $0.text()).flatMap(Feature.init(rawValue:)) }
      } else {
        features = [.ctap]
      }
    } catch {
      throw HybridError(.featuresWrongType, error)
    }
    guard features.contains(.ctap) == (description != nil) else {
      throw HybridError(
        .featuresDescription,
        description == nil
          ? "the features have 'ctap', but the authenticator's description is missing"
          : "the map has an authenticator's description, but the features do not have 'ctap'", at: "key 1")
    }
  }

  /// Returns whether bytes are a map in the padding of revision 0: two bytes at the end have the length of the padding.
  private static func isRevision0(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 2 else { return false }
    let padding = Int(bytes[bytes.count - 2]) | Int(bytes[bytes.count - 1]) << 8
    guard padding + 2 <= bytes.count else { return false }
    return (try? CanonicalCBOR.map(Array(bytes.dropLast(padding + 2)))) != nil
  }
}
