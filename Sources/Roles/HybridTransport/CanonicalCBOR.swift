import CBOR

/// Canonical CBOR as CTAP2 has it: definite lengths, minimal heads, and map keys in ascending order, shorter ones first.
enum CanonicalCBOR {
  /// The limits of the maps of this transport, which have fewer than ten entries.
  private static let limits = CBORLimits(bytes: HybridLimits.messageBytes, depth: 16, items: 4096)

  /// Reads one map.
  static func map(_ bytes: [UInt8]) throws(CBORError) -> CBORMap {
    let item = try CBORReader.read(bytes, limits: limits, readingEmbedded: false)
    let map = try item.map()
    try requireOrder(item)
    return map
  }

  private static func requireOrder(_ item: CBORItem) throws(CBORError) {
    switch item.kind {
    case .array: for element in try item.array() { try requireOrder(element) }
    case .map:
      var last: ArraySlice<UInt8>?
      for (key, value) in try item.map() {
        let encoded = key.encoded
        if let last,
          last.count > encoded.count || last.count == encoded.count && !last.lexicographicallyPrecedes(encoded)
        {
          throw CBORError(.badValue, at: key.offset, "the keys of the map are not in canonical order")
        }
        last = encoded
        try requireOrder(key)
        try requireOrder(value)
      }
    case .tagged: try requireOrder(try item.tagged().item)
    default: break
    }
  }
}
