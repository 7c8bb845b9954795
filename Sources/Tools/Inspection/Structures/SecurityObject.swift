import CBOR
import Crypto
import MobileDocument
import Primitives

/// The mobile security object (ISO/IEC 18013-5, 9.1.2.4).
extension Outline {
  mutating func securityObject(_ node: Node) {
    members(
      of: node, .plain("version"), .documentType, .plain("digestAlgorithm"),
      .structure("validityInfo") {
        $0.members(of: $1, .date("signed"), .date("validFrom"), .date("validUntil"), .date("expectedUpdate"))
      },
      .structure("deviceKeyInfo") { $0.members(of: $1, .key("deviceKey")) },
      .structure("valueDigests") { $0.valueDigests($1) }, KnownMember("status") { $0.status($1) })
  }

  /// Writes a `tdate` with its deviations.
  mutating func date(_ name: String, _ node: Node) {
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
      notes.append("is not a date and time")
    }
    let suffix = notes.isEmpty ? "" : " deviates: \(notes.joined(separator: ", "))"
    line("\(name): \(Printed.onOneLine(text))\(suffix)", at: node.offset)
  }

  private mutating func valueDigests(_ node: Node) {
    entries(of: node, known: \.key.text) { inside, name, space in
      let digests = space.value.entries
      let lengths = Set(digests.map { $0.value.bytes?.count ?? 0 }).sorted().map(String.init)
      inside.line(
        "\(Printed.quoted(name, full: inside.isFull)): \(digests.count.counted("digest")) "
          + "of \(lengths.joined(separator: ", ")) bytes", at: space.key.offset)
      if inside.isFull { inside.nested { $0.otherMembers(of: space.value) } }
    }
  }
}

/// The `valueDigests` of a mobile security object, read separately, so that an unsupported device key does not prevent the
/// comparison of digests.
struct PrintedDigests {
  private let algorithm: MobileSecurityObject.DigestAlgorithm?
  private let algorithmName: String
  private let digests: [String: [UInt64: [UInt8]]]

  /// Reads the digests in the payload of `issuerAuth`; nil without a mobile security object.
  init?(issuerAuth: Node) {
    let elements = issuerAuth.messageElements
    guard elements.count == 4, let object = try? elements[2].readContent().opened(),
      let spaces = object.member("valueDigests")
    else { return nil }
    algorithmName = object.member("digestAlgorithm")?.text ?? ""
    algorithm = MobileSecurityObject.DigestAlgorithm(rawValue: algorithmName)
    var digests: [String: [UInt64: [UInt8]]] = [:]
    for space in spaces.entries {
      guard let name = space.key.text else { continue }
      var byNumber: [UInt64: [UInt8]] = [:]
      for entry in space.value.entries {
        if let number = try? entry.key.item.unsigned(), let digest = entry.value.bytes { byNumber[number] = digest }
      }
      digests[name] = byNumber
    }
    self.digests = digests
  }

  /// Returns the result of comparing the digest of an item, as text.
  func comparison(nameSpace: String, item: Node, opened: Node) -> String {
    guard let algorithm else {
      return "digest not checked: \(Printed.quoted(algorithmName, full: false)) is not supported"
    }
    guard let number = try? opened.member("digestID")?.item.unsigned(), let wanted = digests[nameSpace]?[number] else {
      return "digest is not in the MSO"
    }
    return digest(item.item.encoded, with: algorithm) == wanted
      ? "digest matches the MSO" : "digest DIFFERS from the MSO"
  }

  private func digest(_ bytes: ArraySlice<UInt8>, with algorithm: MobileSecurityObject.DigestAlgorithm) -> [UInt8] {
    switch algorithm {
    case .sha256: Array(SHA256.hash(data: Array(bytes)))
    case .sha384: Array(SHA384.hash(data: Array(bytes)))
    case .sha512: Array(SHA512.hash(data: Array(bytes)))
    }
  }
}
