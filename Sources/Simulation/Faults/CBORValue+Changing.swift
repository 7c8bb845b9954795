import CBOR
import COSE
import SimulationKernel

/// One step into a value.
package enum CBORPlace {
  /// The value of an entry of a map.
  case member(CBORValue)
  /// An item of an array, counted from 0.
  case element(Int)
  /// The item inside tag 24.
  case embedded

  /// The place in words.
  fileprivate var words: String {
    switch self {
    case .member(.text(let name)): "a member \(name)"
    case .member: "a member of that label"
    case .element(let position): "an item \(position)"
    case .embedded: "tag 24 around an item"
    }
  }
}

extension CBORValue {
  /// The same value with another one at the end of a path.
  /// - Throws: `SimulationError` where the path leads nowhere, and what `change` throws.
  package func changing(_ path: [CBORPlace], _ change: (CBORValue) throws -> CBORValue) throws -> CBORValue {
    guard let first = path.first else { return try change(self) }
    let rest = Array(path.dropFirst())
    switch (first, self) {
    case (.member(let key), .map(let entries)) where entries.contains { $0.key == key }:
      return .map(try entries.map { $0.key == key ? Entry(key, try $0.value.changing(rest, change)) : $0 })
    case (.element(let position), .array(let items)) where items.indices.contains(position):
      return .array(try items.enumerated().map { $0 == position ? try $1.changing(rest, change) : $1 })
    case (.embedded, .tagged(24, .bytes(let bytes))):
      let item = try CBORReader.read(bytes, readingEmbedded: false)
      return .tagged(24, .bytes(try CBORValue(item).changing(rest, change).encoded))
    default: throw SimulationError.notApplicable("\(first.words) is missing")
    }
  }

  /// The same map with one more entry, which takes the place of one with the same key.
  /// - Throws: `SimulationError` when it is not a map.
  package func adding(_ key: String, _ value: CBORValue) throws -> CBORValue {
    let entries = try self.entries
    return .map(entries.filter { $0.key != .text(key) } + [Entry(.text(key), value)])
  }

  /// The same map without an entry.
  /// - Throws: `SimulationError` when it is not a map, or lacks the entry.
  package func removing(_ key: CBORValue) throws -> CBORValue {
    let entries = try self.entries
    guard entries.contains(where: { $0.key == key }) else {
      throw SimulationError.notApplicable("\(CBORPlace.member(key).words) is missing")
    }
    return .map(entries.filter { $0.key != key })
  }

  /// The entries of a map.
  /// - Throws: `SimulationError` when it is of another type.
  var entries: [Entry] {
    get throws {
      guard case .map(let entries) = self else { throw SimulationError.notApplicable("a map is missing") }
      return entries
    }
  }

  /// The items of an array.
  /// - Throws: `SimulationError` when it is of another type.
  var items: [CBORValue] {
    get throws {
      guard case .array(let items) = self else { throw SimulationError.notApplicable("an array is missing") }
      return items
    }
  }

  /// A text's characters.
  /// - Throws: `SimulationError` when it is of another type.
  var text: String {
    get throws {
      guard case .text(let text) = self else { throw SimulationError.notApplicable("a text is missing") }
      return text
    }
  }

  /// The bytes of a byte string.
  /// - Throws: `SimulationError` when it is of another type.
  var content: [UInt8] {
    get throws {
      guard case .bytes(let bytes) = self else { throw SimulationError.notApplicable("a byte string is missing") }
      return bytes
    }
  }
}

extension CBORValue {
  /// A tag without a registered meaning.
  static let undefinedTag: UInt64 = 400
}

extension CBORValue.Entry {
  /// The header that names the algorithm of a signature.
  static func algorithm(_ identifier: Int = COSEAlgorithm.es256.rawValue) -> CBORValue.Entry {
    CBORValue.Entry(.integer(COSEHeaderLabel.algorithm), .integer(identifier))
  }

  /// `crit` (RFC 9052, 3.1), with the label of ``unknown``.
  static let critical = CBORValue.Entry(.integer(2), .array([.integer(labelOfUnknown)]))

  /// A header that nobody knows.
  static let unknown = CBORValue.Entry(.integer(labelOfUnknown), .integer(1))

  private static let labelOfUnknown = 99

  /// The header with a certificate chain.
  static func x5chain(_ chain: CBORValue) -> CBORValue.Entry {
    CBORValue.Entry(.integer(COSEHeaderLabel.x5chain), chain)
  }
}

/// The encoding of a map whose head has one byte more than it needs.
/// - Parameter encoded: A map of fewer than 24 entries.
func withLongerHead(_ encoded: [UInt8]) throws -> [UInt8] {
  guard let head = encoded.first, (0xa0..<0xb8).contains(head) else {
    throw SimulationError.notApplicable("a map of fewer than 24 entries is missing")
  }
  return [0xb8, head & 0x1f] + encoded.dropFirst()
}
