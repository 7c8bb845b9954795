import CBOR
import MobileDocument
import Primitives
import StatusLists

/// Revocation: the entry in a mobile security object, and the lists that it points to.
extension Outline {
  /// The names of claims (RFC 8392, 4; Token Status List, 4 and 5; ISO/IEC 18013-5 second edition draft, 12.3.6).
  private static let claimNames = [
    1: "iss", 2: "sub", 3: "aud", 4: "exp", 5: "nbf", 6: "iat", 7: "cti", StatusTokenLabel.timeToLive: "ttl",
    StatusTokenLabel.status: "status", StatusTokenLabel.statusList: "status_list",
    StatusTokenLabel.identifierList: "identifier_list",
  ]

  /// Writes the `status` of a mobile security object or token.
  mutating func status(_ node: Node) {
    if node.item.isNull {
      field("status", node)
      return nested { $0.line("deviates: no status is written by leaving it out") }
    }
    guard node.kind == .map else { return field("status", node) }
    under("status", at: node.offset) { inside in
      for entry in node.entries {
        switch (entry.key.text, entry.value.kind) {
        case ("status_list"?, .map), ("identifier_list"?, .map):
          let title = "\(entry.key.text ?? ""): revocation is looked up in a list"
          inside.under(title, at: entry.value.offset) { $0.reference(entry.value) }
        default: inside.entry(entry)
        }
      }
    }
  }

  private mutating func reference(_ node: Node) {
    entries(of: node, known: \.key.text) { inside, name, entry in
      inside.field(name, entry.value)
      guard name == "id", entry.value.kind == .text else { return }
      inside.nested { $0.line("deviates: an identifier is a byte string") }
    }
  }

  /// Writes the claims of a CWT (RFC 8392).
  mutating func claims(_ node: Node) {
    for entry in node.entries {
      guard let label = entry.key.integer, let name = Self.claimNames[label] else {
        self.entry(entry)
        continue
      }
      switch label {
      case 4, 5, 6:
        guard let seconds = entry.value.integer else { return field("\(name) (\(label))", entry.value) }
        let moment = DateTime(secondsSince1970: Int64(seconds))
        line("\(name) (\(label)): \(seconds), \(moment)", at: entry.value.offset)
      case StatusTokenLabel.statusList where entry.value.kind == .map:
        let title = "\(name) (\(label)): \(Artifact.statusList.rawValue)"
        under(title, at: entry.value.offset) { $0.statusList(entry.value) }
      case StatusTokenLabel.identifierList where entry.value.kind == .map:
        under("\(name) (\(label))", at: entry.value.offset) { $0.identifierList(entry.value) }
      case StatusTokenLabel.status: status(entry.value)
      default: field("\(name) (\(label))", entry.value)
      }
    }
    if node.member(StatusTokenLabel.statusList) != nil || node.member(StatusTokenLabel.identifierList) != nil,
      node.member(4) == nil
    {
      line("deviates: without exp the list does not expire")
    }
  }

  mutating func statusList(_ node: Node) {
    members(
      of: node,
      KnownMember("bits") { outline, bits in
        outline.field("bits", bits)
        if ![1, 2, 4, 8].contains(bits.integer ?? 0) { outline.nested { $0.line("deviates: no width of a status") } }
      },
      KnownMember("lst") { outline, list in
        outline.field("lst", list)
        if let bytes = list.bytes { outline.nested { $0.line(Self.compression(of: bytes)) } }
      })
  }

  /// Returns true if a list begins like a zlib stream (RFC 1950, 2.2).
  private static func compression(of bytes: [UInt8]) -> String {
    let count = bytes.count.counted("byte")
    guard bytes.count > 6, bytes[0] & 15 == 8, (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31) else {
      return "\(count), which are not compressed with zlib"
    }
    return "\(count), compressed with zlib"
  }

  private mutating func identifierList(_ node: Node) {
    members(
      of: node,
      KnownMember("identifiers", of: .map) { outline, identifiers in
        let count = identifiers.entries.count.counted("document")
        outline.under("identifiers: \(count) revoked", at: identifiers.offset) { inside in
          for entry in identifiers.entries {
            inside.entry(entry)
            if entry.key.kind == .text { inside.line("deviates: an identifier is a byte string") }
          }
        }
      })
  }
}
