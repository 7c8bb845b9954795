import CBOR
import MobileDocument

/// Structures of proximity presentment (ISO/IEC 18013-5, 8.2 and 9.1.1), which occur in files with others.
extension Outline {
  mutating func deviceEngagement(_ node: Node) {
    if let version = node.member(0) { field("version (0)", version) }
    if let security = node.member(1)?.elements, security.count == 2 {
      field("cipher suite", security[0])
      embedded("EDeviceKeyBytes", security[1]) { inside, key in
        if Artifact.recognize(key) == .key { inside.key(key) } else { inside.notation(key) }
      }
    }
    if let methods = node.member(2) { field("device retrieval methods (2)", methods) }
    otherMembers(of: node, exceptLabels: [0, 1, 2])
  }

  /// `SessionEstablishment` and `SessionData`.
  mutating func sessionMessage(_ node: Node) {
    if let key = node.member("eReaderKey") {
      embedded("eReaderKey", key) { inside, key in
        if Artifact.recognize(key) == .key { inside.key(key) } else { inside.notation(key) }
      }
    }
    if let data = node.member("data") { opaque("data", data, "a message encrypted with the session's keys") }
    if let status = node.member("status") {
      let meaning = status.integer.flatMap(Self.meaning(ofSessionStatus:)).map { " (\($0))" } ?? ""
      notation(status, prefix: "status: ", suffix: meaning)
    }
    otherMembers(of: node, except: ["eReaderKey", "data", "status"])
  }

  private static func meaning(ofSessionStatus status: Int) -> String? {
    switch status {
    case 10: "session encryption error"
    case 11: "CBOR decoding error"
    case 20: "session termination"
    default: nil
    }
  }
}

/// NFC messages (NFC Forum, NDEF 1.0), which hand over a proximity presentment.
extension Outline {
  private struct Record {
    let type: [UInt8]
    let payload: [UInt8]
    let offset: Int
    let isFirst: Bool
    let isLast: Bool
  }

  /// Writes the records of a message.
  /// - Throws: ``InspectionFailure`` if the bytes are not an NDEF message. Nothing is written then.
  mutating func nearFieldMessage(_ bytes: [UInt8]) throws(InspectionFailure) {
    var records: [Record] = []
    var rest = bytes[...]
    while let record = Self.record(&rest) {
      records.append(record)
      if record.isLast { break }
    }
    guard let first = records.first, first.isFirst, records.last?.isLast == true, rest.isEmpty else {
      throw InspectionFailure("not a message of records from first to last")
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
