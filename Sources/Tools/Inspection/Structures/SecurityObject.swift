import CBOR
import MobileDocument
import Primitives

/// The mobile security object (ISO/IEC 18013-5, 9.1.2.4).
extension Outline {
  mutating func securityObject(_ node: Node) {
    if let version = node.member("version") { field("version", version) }
    if let type = node.member("docType") { documentType(type) }
    if let algorithm = node.member("digestAlgorithm") { field("digestAlgorithm", algorithm) }
    if let validity = node.member("validityInfo") {
      line("validityInfo", at: validity.offset)
      nested { inside in
        for name in ["signed", "validFrom", "validUntil", "expectedUpdate"] {
          if let date = validity.member(name) { inside.date(name, date) }
        }
        inside.otherMembers(of: validity, except: ["signed", "validFrom", "validUntil", "expectedUpdate"])
      }
    }
    if let information = node.member("deviceKeyInfo") {
      line("deviceKeyInfo", at: information.offset)
      nested { inside in
        if let key = information.member("deviceKey") {
          inside.line("deviceKey: \(Artifact.key.rawValue)", at: key.offset)
          inside.nested { $0.key(key) }
        }
        inside.otherMembers(of: information, except: ["deviceKey"])
      }
    }
    if let digests = node.member("valueDigests") { valueDigests(digests) }
    if let status = node.member("status") { self.status(status) }
    otherMembers(
      of: node,
      except: ["version", "docType", "digestAlgorithm", "validityInfo", "deviceKeyInfo", "valueDigests", "status"])
  }

  /// Writes a `tdate` with what it departs from.
  private mutating func date(_ name: String, _ node: Node) {
    guard let text = node.beside(node.item.withoutTag(0)).text else { return field(name, node) }
    var notes: [String] = []
    if node.item.tag == nil { notes.append("has no tag 0") }
    if let parsed = DateTime.parse(text) {
      notes += parsed.deviations.map { deviation in
        switch deviation {
        case .fraction: "has fractional seconds"
        case .offset: "is not in UTC"
        case .lowerCase: "has a T or Z in lower case"
        }
      }
    } else {
      notes.append("is no date and time")
    }
    let suffix = notes.isEmpty ? "" : " deviates: \(notes.joined(separator: ", "))"
    line("\(name): \(Printed.onOneLine(text))\(suffix)", at: node.offset)
  }

  private mutating func valueDigests(_ node: Node) {
    line("valueDigests", at: node.offset)
    nested { inside in
      for space in node.entries {
        let digests = space.value.entries
        guard let name = space.key.text.map({ Printed.quoted($0, full: inside.isFull) }) else {
          inside.entry(space)
          continue
        }
        let lengths = Set(digests.map { $0.value.bytes?.count ?? 0 }).sorted().map(String.init)
        inside.line(
          "\(name): \(Printed.count(digests.count, "digest")) of \(lengths.joined(separator: ", ")) bytes",
          at: space.key.offset)
        if inside.isFull { inside.nested { $0.otherMembers(of: space.value) } }
      }
    }
  }
}
