import Primitives

/// Writes a JSON text (RFC 8259) in UTF-8.
///
/// A type that is written names the members of its objects in alphabetical order, so that equal values have equal bytes.
package struct JSONWriter {
  /// The text so far.
  package private(set) var bytes: [UInt8] = []
  /// The level of indentation, or nil for compact JSON.
  private var indent: Int?

  /// The length in bytes that most messages of a world do not exceed.
  package static let usualCapacity = 512

  /// Creates an empty writer of compact JSON.
  init(capacity: Int = usualCapacity) { bytes.reserveCapacity(capacity) }

  /// Returns a value with every value in it on a line of its own, two spaces for each level, and a line feed at the end.
  package static func indented(_ writeValue: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    json.indent = 0
    writeValue(&json)
    json.endLine()
    return json.bytes
  }

  /// Writes an object.
  /// - Parameter writeMembers: Writes the members in alphabetical order.
  package mutating func object(_ writeMembers: (inout JSONWriter) -> Void) {
    enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), writeMembers)
  }

  /// Writes an array.
  package mutating func array(_ elements: [some JSONWritable]) {
    enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { json in
      // Elements of any type are counted faster by numbers than by their indices.
      for place in 0..<elements.count {
        json.beginPart()
        elements[place].write(to: &json)
      }
    }
  }

  /// Writes a member.
  package mutating func member(_ name: String, _ value: some JSONWritable) {
    beginMember(name)
    value.write(to: &self)
  }

  /// Writes a member, unless its value is nil.
  package mutating func member(_ name: String, _ value: (some JSONWritable)?) { if let value { member(name, value) } }

  // Most members are texts, which are written without the cost of a generic call.

  /// Writes a member.
  package mutating func member(_ name: String, _ text: String) {
    beginMember(name)
    string(text)
  }

  /// Writes a member, unless its value is nil.
  package mutating func member(_ name: String, _ text: String?) { if let text { member(name, text) } }

  /// Writes bytes as a member in base64url.
  package mutating func member(_ name: String, base64URL bytes: [UInt8]) {
    beginMember(name)
    base64URL(bytes)
  }

  /// Writes bytes as a member in base64 with padding.
  package mutating func member(_ name: String, base64 bytes: [UInt8]) {
    beginMember(name)
    plain(Base64.characters(of: bytes))
  }

  /// Writes a member.
  package mutating func member(_ name: String, _ writeValue: (inout JSONWriter) -> Void) {
    beginMember(name)
    writeValue(&self)
  }

  /// Writes an array of objects as a member.
  /// - Parameter writeMembers: Writes the members of an object in alphabetical order.
  package mutating func member<Value>(
    _ name: String, objects values: [Value], _ writeMembers: (Value, inout JSONWriter) -> Void
  ) {
    beginMember(name)
    enclose(UInt8(ascii: "["), UInt8(ascii: "]")) { json in
      for value in values {
        json.beginPart()
        json.object { writeMembers(value, &$0) }
      }
    }
  }

  private mutating func beginMember(_ name: String) {
    beginPart()
    string(name)
    bytes.append(UInt8(ascii: ":"))
    if indent != nil { bytes.append(UInt8(ascii: " ")) }
  }

  /// Writes a string.
  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let characters = text.utf8Span.span
    var place = JSONEscape.plainCount(characters, from: 0)
    if place == characters.count {
      bytes += text.utf8
    } else {
      let text = Array(text.utf8)
      bytes += text[..<place]
      while place < text.count {
        JSONEscape.write(text[place], to: &bytes)
        let plain = place + 1
        place = plain + JSONEscape.plainCount(characters, from: plain)
        bytes += text[plain..<place]
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes bytes as a string in base64url, which has nothing to escape.
  package mutating func base64URL(_ content: [UInt8]) { plain(Base64URL.characters(of: content)) }

  /// Writes a string of characters of which none has to be escaped.
  private mutating func plain(_ characters: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes += characters
    bytes.append(UInt8(ascii: "\""))
  }

  /// Ends a line of a text with a value on each.
  mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

  /// Writes null.
  package mutating func null() { spelled("null") }

  /// Writes a number, a literal or another JSON text as it is spelled.
  package mutating func spelled(_ text: String) { bytes += text.utf8 }

  private mutating func enclose(_ opening: UInt8, _ closing: UInt8, _ write: (inout JSONWriter) -> Void) {
    bytes.append(opening)
    indent = indent.map { $0 + 1 }
    write(&self)
    indent = indent.map { $0 - 1 }
    if bytes.last != opening { beginLine() }
    bytes.append(closing)
  }

  /// Begins a member or an element. No value ends with an opening brace or bracket, so one of these is the container's own.
  private mutating func beginPart() {
    if bytes.last != UInt8(ascii: "{"), bytes.last != UInt8(ascii: "[") { bytes.append(UInt8(ascii: ",")) }
    beginLine()
  }

  private mutating func beginLine() {
    guard let indent else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes += repeatElement(UInt8(ascii: " "), count: 2 * indent)
  }
}
