import CBOR
import MobileDocument
import Primitives

/// Labels of status claims (Token Status List, 4 and 5; ISO/IEC 18013-5 second edition draft, 12.3.6).
enum StatusClaim {
  static let timeToLive = 65534
  static let status = 65535
  static let statusList = 65533
  static let identifierList = 65530

  /// Returns the name of a claim (RFC 8392, 4).
  static func name(of label: Int) -> String? {
    switch label {
    case 1: "iss"
    case 2: "sub"
    case 3: "aud"
    case 4: "exp"
    case 5: "nbf"
    case 6: "iat"
    case 7: "cti"
    case timeToLive: "ttl"
    case status: "status"
    case statusList: "status_list"
    case identifierList: "identifier_list"
    default: nil
    }
  }
}

/// Revocation: the entry in a mobile security object, and the lists that it points to.
extension Outline {
  /// Writes the `status` of a mobile security object or token.
  mutating func status(_ node: Node) {
    if node.item.isNull {
      field("status", node)
      return nested { $0.line("deviates: no status is written by leaving it out") }
    }
    guard node.kind == .map else { return field("status", node) }
    line("status", at: node.offset)
    nested { inside in
      for entry in node.entries {
        switch (entry.key.text, entry.value.kind) {
        case ("status_list"?, .map), ("identifier_list"?, .map):
          inside.line("\(entry.key.text ?? ""): revocation is looked up in a list", at: entry.value.offset)
          inside.nested { $0.reference(entry.value) }
        default: inside.entry(entry)
        }
      }
    }
  }

  private mutating func reference(_ node: Node) {
    for entry in node.entries {
      guard let name = entry.key.text else {
        self.entry(entry)
        continue
      }
      field(name, entry.value)
      if name == "id", entry.value.kind == .text { nested { $0.line("deviates: an identifier is a byte string") } }
    }
  }

  /// Writes the claims of a CWT (RFC 8392).
  mutating func claims(_ node: Node) {
    for entry in node.entries {
      guard let label = entry.key.integer, let name = StatusClaim.name(of: label) else {
        self.entry(entry)
        continue
      }
      switch label {
      case 4, 5, 6:
        guard let seconds = entry.value.integer else { return field("\(name) (\(label))", entry.value) }
        let moment = DateTime(secondsSince1970: Int64(seconds))
        line("\(name) (\(label)): \(seconds), \(moment)", at: entry.value.offset)
      case StatusClaim.statusList where entry.value.kind == .map:
        line("\(name) (\(label)): \(Artifact.statusList.rawValue)", at: entry.value.offset)
        nested { $0.statusList(entry.value) }
      case StatusClaim.identifierList where entry.value.kind == .map:
        line("\(name) (\(label))", at: entry.value.offset)
        nested { $0.identifierList(entry.value) }
      case StatusClaim.status: status(entry.value)
      default: field("\(name) (\(label))", entry.value)
      }
    }
    if node.member(StatusClaim.statusList) != nil || node.member(StatusClaim.identifierList) != nil,
      node.member(4) == nil
    {
      line("deviates: without exp the list does not expire")
    }
  }

  mutating func statusList(_ node: Node) {
    if let bits = node.member("bits") {
      field("bits", bits)
      if ![1, 2, 4, 8].contains(bits.integer ?? 0) { nested { $0.line("deviates: no width of a status") } }
    }
    if let list = node.member("lst") {
      field("lst", list)
      if let bytes = list.bytes { nested { $0.line(Self.compression(of: bytes)) } }
    }
    otherMembers(of: node, except: ["bits", "lst"])
  }

  /// Returns true if a list begins like a zlib stream (RFC 1950, 2.2).
  private static func compression(of bytes: [UInt8]) -> String {
    let count = Printed.count(bytes.count, "byte")
    guard bytes.count > 6, bytes[0] & 15 == 8, (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31) else {
      return "\(count), which are not compressed with zlib"
    }
    return "\(count), compressed with zlib"
  }

  private mutating func identifierList(_ node: Node) {
    if let identifiers = node.member("identifiers"), identifiers.kind == .map {
      line("identifiers: \(Printed.count(identifiers.entries.count, "document")) revoked", at: identifiers.offset)
      nested { inside in
        for entry in identifiers.entries {
          inside.entry(entry)
          if entry.key.kind == .text { inside.line("deviates: an identifier is a byte string") }
        }
      }
      otherMembers(of: node, except: ["identifiers"])
    } else {
      otherMembers(of: node)
    }
  }
}
