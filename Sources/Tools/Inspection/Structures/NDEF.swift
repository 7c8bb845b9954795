import MobileDocument

/// Messages of near field communication (NFC Forum, NDEF 1.0), with which a presentment face to face is handed over.
extension Outline {
  private struct Record {
    let type: [UInt8]
    let payload: [UInt8]
    let offset: Int
    let isFirst: Bool
    let isLast: Bool
  }

  /// Writes the records of a message.
  /// - Throws: ``Misfit`` when the bytes are none; nothing has been written then.
  mutating func nearFieldMessage(_ bytes: [UInt8]) throws(Misfit) {
    var records: [Record] = []
    var rest = bytes[...]
    while let record = Self.record(&rest) {
      records.append(record)
      if record.isLast { break }
    }
    guard let first = records.first, first.isFirst, records.last?.isLast == true, rest.isEmpty else {
      throw Misfit("no message of records from first to last")
    }
    line("NDEF message: \(Printed.count(records.count, "record"))")
    nested { inside in
      for record in records {
        let type = Printed.quoted(String(decoding: record.type, as: UTF8.self), full: true)
        inside.line("\(type): \(Printed.bytes(record.payload, full: inside.isFull))", at: record.offset)
      }
    }
  }

  private static func record(_ rest: inout ArraySlice<UInt8>) -> Record? {
    let start = rest.startIndex
    func next() -> Int? { rest.popFirst().map(Int.init) }
    guard let flags = next(), flags & 0x20 == 0, let typeLength = next() else { return nil }
    var length = 0
    for _ in 0..<(flags & 0x10 == 0 ? 4 : 1) {
      guard let byte = next() else { return nil }
      length = length << 8 | byte
    }
    var identifierLength = 0
    if flags & 0x08 != 0 {
      guard let byte = next() else { return nil }
      identifierLength = byte
    }
    guard rest.count >= typeLength + identifierLength + length, typeLength > 0 else { return nil }
    let type = Array(rest.prefix(typeLength))
    rest = rest.dropFirst(typeLength + identifierLength)
    let payload = Array(rest.prefix(length))
    rest = rest.dropFirst(length)
    return Record(
      type: type, payload: payload, offset: start, isFirst: flags & 0x80 != 0, isLast: flags & 0x40 != 0)
  }
}
