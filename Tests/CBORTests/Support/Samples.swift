import CBOR

/// Inputs that lenient reading accepts, to be cut and changed.
enum Samples {
  /// Each fewer than 40 bytes long.
  static let short = [
    "a2 6161 82 01 20 6162 d818 47 a1 6163 d818 4101",
    "bf 6161 9f 01 5f 4101 4102 ff ff 6162 7f 6163 6164 ff ff",
    "86 f93c00 fa47c350 01 fb3ff199999999999a f6 f8ff f97e00",
    "84 1818 190100 1a00010000 1b0000000100000000",
    "84 62c3bc 63e6b0b4 64f0908591 6161",
    "82 c0 74 323031332d30332d32315432303a30343a30305a d903ec 6a 323032302d31302d3031",
    "a5 01 00 20 01 4101 02 8101 03 f4 04",
    "82 c249010000000000000000 c34101",
    "b90002 780161 1801 590001 01 9800",
    "d818 4d 9f d818 48 bf 01 d818 42 1801 ff ff",
    "a2 a1 01 a0 00 82 f93c00 9f f5 ff c1 00",
  ]

  /// Several hundred bytes in the shape of a signed document: embedded items in arrays in maps.
  static let document = CBORWriter.encode { writer in
    writer.map(3)
    writer.text("docType")
    writer.text("org.example.document")
    writer.text("nameSpaces")
    writer.map(1)
    writer.text("org.example.namespace")
    writer.array(4)
    for number in 0..<4 {
      writer.embedded(
        CBORWriter.encode { item in
          item.map(4)
          item.text("digestID")
          item.integer(number * 100)
          item.text("random")
          item.byteString([UInt8](repeating: UInt8(number), count: 16))
          item.text("elementIdentifier")
          item.text("element \(number)")
          item.text("elementValue")
          item.value(.array([.tagged(1004, .text("2030-01-0\(number)")), .float(Double(number) / 3), .boolean(true)]))
        })
    }
    writer.text("signature")
    writer.array(3)
    writer.map(1)
    writer.integer(1)
    writer.integer(-7)
    writer.null()
    writer.byteString([UInt8](repeating: 0xa5, count: 64))
  }
}
