import CBOR

/// Diagnostic notation (RFC 8949, 8) with one item on a line and all contents opened.
extension Outline {
  /// Writes an item. Artifacts in it are named and described; byte strings with recognized content are opened.
  /// - Parameters:
  ///   - prefix: The text before the item on its line, such as a key; must be safe to print.
  ///   - suffix: The text after the item, such as a comma.
  mutating func notation(_ node: Node, prefix: String = "", suffix: String = "") {
    guard canNest else { return line("\(prefix)/ nested too deep to print /\(suffix)", at: node.offset) }
    switch node.kind {
    case .bytes: byteString(node, prefix: prefix, suffix: suffix)
    case .text: line("\(prefix)\(Printed.quoted(node.text ?? "", full: isFull))\(suffix)", at: node.offset)
    case .array, .map: container(node, prefix: prefix, suffix: suffix)
    case .tagged: tagged(node, prefix: prefix, suffix: suffix)
    default: line("\(prefix)\(node.item.diagnostic)\(suffix)", at: node.offset)
    }
  }

  /// Writes a member of a map with its name.
  mutating func field(_ name: String, _ node: Node) { notation(node, prefix: "\(Printed.onOneLine(name)): ") }

  /// Writes all members of a map except those named, each with its key in diagnostic notation.
  mutating func otherMembers(of node: Node, except known: Set<String> = [], exceptLabels labels: Set<Int> = []) {
    for entry in node.entries {
      if let name = entry.key.text {
        if known.contains(name) { continue }
        field(name, entry.value)
      } else if let label = entry.key.integer, labels.contains(label) {
        continue
      } else {
        self.entry(entry)
      }
    }
  }

  private mutating func container(_ node: Node, prefix: String, suffix: String) {
    if let artifact = Artifact.recognize(node) {
      return under("\(prefix)/ \(artifact.rawValue) /", at: node.offset) { $0.describe(artifact, node) }
    }
    let isMap = node.kind == .map
    let open = (isMap ? "{" : "[") + (node.isIndefinite ? "_" : "")
    let close = isMap ? "}" : "]"
    guard node.isStructure else { return line("\(prefix)\(open)\(close)\(suffix)", at: node.offset) }
    under("\(prefix)\(open)", at: node.offset) { inside in
      if isMap {
        let entries = node.entries
        for (position, entry) in entries.enumerated() {
          inside.entry(entry, suffix: position + 1 < entries.count ? "," : "")
        }
      } else {
        let elements = node.elements
        for (position, element) in elements.enumerated() {
          inside.notation(element, suffix: position + 1 < elements.count ? "," : "")
        }
      }
    }
    line("\(close)\(suffix)")
  }

  /// Writes an entry of a map with its key in diagnostic notation.
  mutating func entry(_ entry: Node.Entry, suffix: String = "") {
    switch entry.key.kind {
    case .array, .map, .tagged:
      notation(entry.key)
      notation(entry.value, prefix: ": ", suffix: suffix)
    case .bytes:
      let key = Printed.bytes(entry.key.bytes ?? [], full: isFull)
      notation(entry.value, prefix: "\(key): ", suffix: suffix)
    case .text:
      let key = Printed.quoted(entry.key.text ?? "", full: isFull)
      notation(entry.value, prefix: "\(key): ", suffix: suffix)
    default: notation(entry.value, prefix: "\(entry.key.item.diagnostic): ", suffix: suffix)
    }
  }

  private mutating func tagged(_ node: Node, prefix: String, suffix: String) {
    guard let (tag, content) = node.tagged else { return }
    if let artifact = Artifact.recognize(node) {
      under("\(prefix)\(tag)( / \(artifact.rawValue) /", at: node.offset) { $0.describe(artifact, node) }
      return line(")\(suffix)")
    }
    if tag == 24 {
      do {
        let inside = try node.opened()
        if let artifact = Artifact.recognize(inside) {
          under("\(prefix)24(<< / \(artifact.rawValue) /", at: node.offset) { $0.describe(artifact, inside) }
        } else {
          under("\(prefix)24(<<", at: node.offset) { $0.notation(inside) }
        }
        line(">>)\(suffix)")
      } catch {
        let reason = Printed.onOneLine(error.description)
        under("\(prefix)24( / cannot be opened: \(reason) /", at: node.offset) { $0.notation(content) }
        line(")\(suffix)")
      }
      return
    }
    let comment = Self.tags[tag].map { " / \($0) /" } ?? ""
    switch content.kind {
    case .array, .map, .tagged, .bytes:
      if tag == 2 || tag == 3, content.kind == .bytes {
        return line("\(prefix)\(bignum(node, content))\(suffix)\(comment)", at: node.offset)
      }
      under("\(prefix)\(tag)(\(comment)", at: node.offset) { $0.notation(content) }
      line(")\(suffix)")
    case .text:
      let text = Printed.quoted(content.text ?? "", full: isFull)
      line("\(prefix)\(tag)(\(text))\(suffix)\(comment)", at: node.offset)
    default: line("\(prefix)\(tag)(\(content.item.diagnostic))\(suffix)\(comment)", at: node.offset)
    }
  }

  private func bignum(_ node: Node, _ content: Node) -> String {
    let bytes = content.bytes ?? []
    return bytes.count <= Printed.wholeBytes
      ? node.item.diagnostic : "\(node.item.tag ?? 2)(\(Printed.bytes(bytes, full: isFull)))"
  }

  /// The meanings of tags.
  private static let tags: [UInt64: String] = [
    0: "date and time", 1: "seconds since 1970", 2: "big number", 3: "big number", 16: "COSE_Encrypt0",
    61: "CBOR web token", 96: "COSE_Encrypt", 98: "COSE_Sign", 1004: "full-date", 55799: "self-described CBOR",
  ]

  private mutating func byteString(_ node: Node, prefix: String, suffix: String) {
    let bytes = node.bytes ?? []
    let start = prefix + (node.isIndefinite ? "/ in chunks / " : "")
    let summary = Printed.bytes(bytes, full: isFull)
    if bytes.first == 0x30 {
      do throws(InspectionFailure) {
        return try under("\(start)\(summary)\(suffix)", at: node.offset) {
          (inside) throws(InspectionFailure) in
          do throws(InspectionFailure) { try inside.certificate(der: bytes) } catch {
            try inside.certificateRequest(der: bytes)
          }
        }
      } catch {
        return line("\(start)\(summary)\(suffix)", at: node.offset)
      }
    }
    if bytes.count > 1, let inside = try? node.readContent(), inside.isStructure {
      under("\(start)<<", at: node.offset) { $0.notation(inside) }
      return line(">>\(suffix)")
    }
    line("\(start)\(summary)\(suffix)", at: node.offset)
  }
}
