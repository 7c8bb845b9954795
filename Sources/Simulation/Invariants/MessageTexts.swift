import CBOR
import JSON
import Primitives

/// The texts in a message that are words and not encoded bytes: those of JSON and CBOR, also of JSON and CBOR in base64
/// and in byte strings. Ciphertext has none.
struct MessageTexts {
  /// The texts.
  private(set) var values: [[UInt8]] = []
  /// The names of members of JSON objects and the texts that are keys of CBOR maps.
  private(set) var names: [[UInt8]] = []

  /// The number of levels that are read: as many as ``Base64Layers`` has.
  private static let maximumDepth = 4
  /// 12 bytes, the shortest random value here, which is the identifier of a session, have this length in base64. A text of
  /// fewer characters is not random, even if it is base64.
  private static let minimumRandom = 16

  /// Reads the texts of a message.
  init(_ bytes: [UInt8]) { add(bytes, depth: 0) }

  private mutating func add(_ bytes: [UInt8], depth: Int) {
    guard depth <= Self.maximumDepth, !addJSON(bytes, depth: depth) else { return }
    if let cbor = try? CBORReader.read(bytes, leniency: .received), [.array, .map].contains(cbor.kind) {
      add(cbor, depth: depth)
    }
  }

  /// Adds the texts of JSON. Returns false for other bytes.
  private mutating func addJSON(_ bytes: [UInt8], depth: Int) -> Bool {
    guard depth <= Self.maximumDepth, let json = try? JSONReader.item(bytes, repeatedNames: .lastCounts) else {
      return false
    }
    add(json, depth: depth)
    return true
  }

  private mutating func add(_ item: JSONItem, depth: Int) {
    switch item.kind {
    case .string: if let text = try? item.text() { add(text: Array(text.utf8), depth: depth) }
    case .array: if let elements = try? item.elements() { for element in elements { add(element, depth: depth) } }
    case .object:
      guard let members = try? item.members() else { return }
      for (name, member) in members {
        names.append(Array(name.utf8))
        add(member, depth: depth)
      }
    case .null, .boolean, .number: break
    }
  }

  private mutating func add(_ item: CBORItem, depth: Int) {
    switch item.kind {
    case .text: if let text = try? item.text() { add(text: Array(text.utf8), depth: depth) }
    case .bytes: if let bytes = try? item.bytes() { add(bytes, depth: depth + 1) }
    case .array: if let array = try? item.array() { for element in array { add(element, depth: depth) } }
    case .map:
      guard let map = try? item.map() else { return }
      for (key, value) in map {
        if let name = try? key.text() { names.append(Array(name.utf8)) }
        add(value, depth: depth)
      }
    case .tagged: if let tagged = try? item.tagged() { add(tagged.item, depth: depth) }
    default: break
    }
  }

  private mutating func add(text: [UInt8], depth: Int) {
    let characters = text.prefix { $0 != UInt8(ascii: "=") }
    let isEncoded =
      !characters.isEmpty && characters.allSatisfy(Base64Layers.isCharacter)
      && text[characters.count...].allSatisfy { $0 == UInt8(ascii: "=") }
    guard isEncoded else {
      if !addJSON(text, depth: depth + 1) { values.append(text) }
      return
    }
    let decoded = Base64Layers.decoded(Array(characters).span)
    if characters.count < Self.minimumRandom {
      values += [text, decoded]
    } else {
      add(decoded, depth: depth + 1)
    }
  }
}
