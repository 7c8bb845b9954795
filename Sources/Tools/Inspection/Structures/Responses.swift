import CBOR
import MobileDocument
import Primitives

/// Responses (ISO/IEC 18013-5, 8.3.2.1.2.2).
extension Outline {
  mutating func deviceResponse(_ node: Node) {
    // Proofs and encrypted documents are recognized by their own shape.
    members(
      of: node, .plain("version"),
      KnownMember("status") { outline, status in
        let meaning = status.integer.flatMap { Self.statuses[$0] }.map { " (\($0))" } ?? ""
        outline.notation(status, prefix: "status: ", suffix: meaning)
      },
      .list("documents", of: .array) { $0.document($1) })
    if node.base == 0, node.item.offset == 0 {
      do {
        _ = try UnverifiedDeviceResponse([UInt8](node.item.encoded))
        line("well-formed; verification needs the session and the trusted roots")
      } catch {
        line("would be refused: \(Printed.onOneLine(error.description))")
      }
    }
  }

  private static let statuses = [
    0: "OK", 10: "general error", 11: "CBOR decoding error", 12: "CBOR validation error",
  ]

  mutating func document(_ node: Node) {
    members(
      of: node, .documentType, .structure("issuerSigned") { $0.issuerSigned($1) },
      .structure("deviceSigned") { $0.deviceSigned($1) })
  }

  mutating func issuerSigned(_ node: Node) {
    let digests = node.member("issuerAuth").flatMap { PrintedDigests(issuerAuth: $0) }
    members(of: node, .nameSpaces { $0.issuerItems($1, digests: digests) }, .signature("issuerAuth", by: .issuer))
  }

  private mutating func issuerItems(_ space: Node.Entry, digests: PrintedDigests?) {
    nameSpace(space, of: .array) { inside, name in
      for item in space.value.elements {
        guard item.item.tag == 24, let opened = try? item.opened(),
          Artifact.recognize(opened) == .issuerSignedItem
        else {
          inside.notation(item)
          continue
        }
        let digest = digests.map { $0.comparison(nameSpace: name, item: item, opened: opened) }
        inside.issuerSignedItem(
          opened, in: name, digest: digest ?? "digest not checked: the mobile security object cannot be read")
      }
    }
  }

  /// Writes an element of a name space.
  /// - Parameter digest: The result of comparing its digest; nil without a digest to compare with.
  mutating func issuerSignedItem(_ node: Node, in nameSpace: String = "", digest: String? = nil) {
    guard let identifier = node.member("elementIdentifier")?.text, let value = node.member("elementValue") else {
      return otherMembers(of: node)
    }
    element(identifier, in: nameSpace, value: value)
    nested { inside in
      let number = node.member("digestID").flatMap { try? $0.item.unsigned() }.map(String.init) ?? "missing"
      let salt = node.member("random")?.bytes
      var notes = ["digestID \(number)", salt.map { "salt of \($0.count.counted("byte"))" } ?? "no salt"]
      if let salt, salt.count < IssuerSignedItem.minimumRandomLength {
        notes.append("shorter than the required \(IssuerSignedItem.minimumRandomLength)")
      }
      if let digest { notes.append(digest) }
      inside.line(notes.joined(separator: ", "), at: node.offset)
      inside.otherMembers(of: node, except: ["digestID", "random", "elementIdentifier", "elementValue"])
    }
  }

  mutating func deviceSigned(_ node: Node) {
    members(
      of: node, .embedded("nameSpaces") { $0.deviceNameSpaces($1) }, .structure("deviceAuth") { $0.deviceAuth($1) })
  }

  /// The elements that the device signs.
  mutating func deviceNameSpaces(_ map: Node) {
    if map.kind == .map, map.entries.isEmpty { line("no elements signed by the device", at: map.offset) }
    for space in map.entries { deviceElements(space) }
  }

  mutating func deviceAuth(_ node: Node) {
    for entry in node.entries {
      switch (entry.key.text, Artifact.recognize(entry.value)) {
      case ("deviceSignature", .signature): signature("deviceSignature", entry.value, by: .device)
      case ("deviceMac", .authenticationCode?), ("deviceMac", .signature?):
        under("deviceMac: \(Artifact.authenticationCode.rawValue)", at: entry.value.offset) {
          $0.authenticationCode(entry.value)
          $0.line("cannot be checked over the Digital Credentials API, where the reader has no ephemeral key")
        }
      default: self.entry(entry)
      }
    }
  }

  private mutating func deviceElements(_ space: Node.Entry) {
    nameSpace(space, of: .map) { inside, name in
      inside.entries(of: space.value, known: \.key.text) { $0.element($1, in: name, value: $2.value) }
    }
  }
}

extension Outline {
  /// Returns the identifier of an element with its display name and type, if they are known.
  func elementName(_ identifier: String, in nameSpace: String, type: DataElementType?) -> String {
    let label = DataElementCatalogue.label(nameSpace: nameSpace, identifier: identifier)
    let notes = [label == identifier ? nil : Printed.onOneLine(label), type?.name].compactMap { $0 }
    let shown = Printed.onOneLine(identifier)
    return notes.isEmpty ? shown : "\(shown) (\(notes.joined(separator: ", ")))"
  }

  /// Writes an element with its value, and a note if the value does not match the type of the name space.
  mutating func element(_ identifier: String, in nameSpace: String, value: Node) {
    let type = DataElementCatalogue.definition(nameSpace: nameSpace, identifier: identifier)?.type
    notation(value, prefix: elementName(identifier, in: nameSpace, type: type) + ": ")
    if let problem = type?.problem(with: CBORValue(value.item)) { nested { $0.line("deviates: the value \(problem)") } }
    if case .picture? = type, let bytes = value.bytes { nested { $0.line(Self.picture(bytes)) } }
    if let age = AgeOver.age(in: identifier), let isOver = value.boolean {
      nested { $0.line("the holder is \(isOver ? "at least" : "younger than") \(age) years old") }
    }
  }

  /// Returns the format and size of a picture, recognized by its first bytes.
  private static func picture(_ bytes: [UInt8]) -> String {
    let kind = PictureFormat(of: bytes)?.rawValue ?? "neither JPEG nor JPEG 2000"
    return "\(kind) of \(bytes.count.counted("byte"))"
  }
}

extension DataElementType {
  /// The name of the type in an annotation.
  var name: String {
    switch self {
    case .latinText: "Latin-1 text"
    case .text: "text"
    case .fullDate: "full-date"
    case .date: "tdate or full-date"
    case .dateTime: "tdate"
    case .unsigned: "unsigned integer"
    case .boolean: "true or false"
    case .picture: "JPEG or JPEG 2000"
    case .bytes: "bytes"
    case .countryCode: "ISO 3166-1 code"
    case .subdivisionCode: "ISO 3166-2 code"
    case .oneOf: "one of a list"
    case .drivingPrivileges: "driving privileges"
    case .array: "array"
    case .structure: "structure"
    }
  }
}
