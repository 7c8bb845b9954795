import Primitives

/// A value that is written as JSON.
package protocol JSONWritable: SendableMetatype {
  /// Writes the value, the members of an object in alphabetical order.
  func write(to json: inout JSONWriter)
}

/// A value that is written as an object.
package protocol JSONObjectWritable: JSONWritable {
  /// Writes the members, in alphabetical order.
  func writeMembers(to json: inout JSONWriter)
}

extension JSONObjectWritable {
  package func write(to json: inout JSONWriter) { json.object { writeMembers(to: &$0) } }
}

/// A value that is read from JSON.
package protocol JSONReadable: SendableMetatype {
  /// Reads the value. Members that it does not name are ignored.
  /// - Throws: ``JSONError``.
  init(json: JSONItem) throws(JSONError)
}

/// Swift values as JSON texts in UTF-8 (RFC 8259, 8.1).
package enum JSONCoding {
  /// Decodes a value.
  /// - Throws: ``JSONError`` if the bytes are not JSON within the limits, if an object repeats a name, or if the JSON is not
  ///   of that type.
  package static func decode<Value: JSONReadable>(
    _ type: Value.Type, from bytes: [UInt8], limits: JSONLimits = .message
  ) throws(JSONError) -> Value {
    try Value(json: JSONReader.item(bytes, limits: limits))
  }

  /// Encodes a value.
  package static func encode(_ value: some JSONWritable) -> [UInt8] {
    var json = JSONWriter()
    value.write(to: &json)
    // A copy of the right size: most messages are kept in a journal, and the writer's array has room for more.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.bytes.count)
    bytes += json.bytes
    return bytes
  }

  /// Encodes values, each on a line of its own.
  /// - Parameter capacity: The expected length in bytes.
  package static func lines(_ values: [some JSONWritable], capacity: Int = JSONWriter.usualCapacity) -> [UInt8] {
    var json = JSONWriter(capacity: capacity)
    for value in values {
      value.write(to: &json)
      json.endLine()
    }
    return json.bytes
  }

  /// Encodes a value as text, which is YAML too.
  package static func text(_ value: some JSONWritable) -> String { String(decoding: encode(value), as: UTF8.self) }
}

extension String: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) { json.string(self) }
  package init(json: JSONItem) throws(JSONError) { self = try json.text() }
}

/// Bytes that JSON has as a string in base64url.
package struct Base64URLBytes: Sendable, JSONWritable, JSONReadable {
  /// The bytes.
  package var bytes: [UInt8]

  /// Creates a value of bytes.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func write(to json: inout JSONWriter) { json.base64URL(bytes) }
  package init(json: JSONItem) throws(JSONError) { bytes = try json.base64URL() }
}

extension Bool: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) { json.spelled(self ? "true" : "false") }
  package init(json: JSONItem) throws(JSONError) { self = try json.boolean() }
}

extension Int: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) { json.spelled(String(self)) }
  package init(json: JSONItem) throws(JSONError) { self = try json.integer() }
}

extension Int64: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) { json.spelled(String(self)) }
  package init(json: JSONItem) throws(JSONError) { self = try json.integer() }
}

extension UInt64: JSONWritable, JSONReadable {
  package func write(to json: inout JSONWriter) { json.spelled(String(self)) }
  package init(json: JSONItem) throws(JSONError) { self = try json.integer() }
}

extension Double: JSONWritable, JSONReadable {
  /// Writes a whole number without a fraction, and a number that is not finite as a text.
  package func write(to json: inout JSONWriter) {
    guard isFinite else { return json.string(isNaN ? "NaN" : self < 0 ? "-Infinity" : "Infinity") }
    json.spelled(description.hasSuffix(".0") ? String(description.dropLast(2)) : description)
  }

  package init(json: JSONItem) throws(JSONError) {
    guard let number = Double(try json.spelling()) else { throw json.error("expected a number") }
    self = number
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  package func write(to json: inout JSONWriter) { json.array(self) }
}

extension Array: JSONReadable where Element: JSONReadable {
  package init(json: JSONItem) throws(JSONError) {
    let items = try json.elements()
    self = []
    // Growing an array of any type takes longer than counting.
    reserveCapacity(items.count)
    for item in items { append(try Element(json: item)) }
  }
}

/// An object whose members are named by values, in alphabetical order.
extension Dictionary: JSONWritable, JSONObjectWritable where Key == String, Value: JSONWritable {
  package func writeMembers(to json: inout JSONWriter) {
    for (name, value) in sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) { json.member(name, value) }
  }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
  package init(json: JSONItem) throws(JSONError) {
    self = [:]
    for (name, item) in try json.members() {
      guard updateValue(try Value(json: item), forKey: name) == nil else {
        throw item.error("the member has the name of another in other characters", .repeatedName)
      }
    }
  }
}

/// An enumeration of texts is written as its text.
extension JSONWritable where Self: RawRepresentable, RawValue == String {
  package func write(to json: inout JSONWriter) { json.string(rawValue) }
}

extension JSONReadable where Self: RawRepresentable, RawValue == String {
  package init(json: JSONItem) throws(JSONError) {
    guard let value = Self(rawValue: try json.text()) else { throw json.error("unknown value") }
    self = value
  }
}
