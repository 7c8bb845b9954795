/// `#6.24(bstr .cbor Value)`: a decoded value together with the bytes that carried it. What is digested or signed is
/// the bytes, never a re-encoding (ISO/IEC 18013-5, 9.1.2.5).
public struct EncodedCBOR<Value: Sendable>: Sendable {
  /// What the bytes mean.
  public let value: Value
  /// The whole tagged item as received, tag and byte-string head included.
  public let bytes: [UInt8]

  /// Reads the value inside a received tag-24 item and keeps the item.
  /// - Throws: what `read` throws, and ``CBORError/Code/wrongType`` when the item is not tag 24.
  public init(_ item: CBORItem, read: (CBORItem) throws(CBORError) -> Value) throws(CBORError) {
    value = try read(try item.embedded())
    bytes = [UInt8](item.encoded)
  }

  /// Wraps a value that was made here, with its own encoding.
  public init(_ value: Value, encodedAs content: [UInt8]) {
    self.value = value
    bytes = CBORWriter.encode(capacity: content.count + 8) { $0.embedded(content) }
  }
}
