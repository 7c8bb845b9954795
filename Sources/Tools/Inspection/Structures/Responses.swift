import CBOR
import MobileDocument

/// Responses (ISO/IEC 18013-5, 8.3.2.1.2.2).
extension Outline {
  mutating func deviceResponse(_ node: Node) {
    if let version = node.member("version") { field("version", version) }
    if let status = node.member("status") {
      let meaning = status.integer.flatMap(Self.meaning(ofStatus:)).map { " (\($0))" } ?? ""
      notation(status, prefix: "status: ", suffix: meaning)
    }
    if let documents = node.member("documents"), documents.kind == .array {
      line("documents: \(documents.elements.count)", at: documents.offset)
      nested { inside in
        for (position, document) in documents.elements.enumerated() {
          inside.line("documents[\(position)]", at: document.offset)
          inside.nested { $0.document(document) }
        }
      }
      otherMembers(of: node, except: ["version", "status", "documents"])
    } else {
      // Proofs and encrypted documents are recognized by their own shape.
      otherMembers(of: node, except: ["version", "status"])
    }
    if node.base == 0, node.item.offset == 0 {
      do {
        _ = try UnverifiedDeviceResponse([UInt8](node.item.encoded))
        line("well-formed; verification needs the session and the trusted roots")
      } catch {
        line("would be refused: \(Printed.onOneLine(error.description))")
      }
    }
  }

  private static func meaning(ofStatus status: Int) -> String? {
    switch status {
    case 0: "OK"
    case 10: "general error"
    case 11: "CBOR decoding error"
    case 12: "CBOR validation error"
    default: nil
    }
  }

  mutating func document(_ node: Node) {
    if let type = node.member("docType") { documentType(type) }
    if let signed = node.member("issuerSigned") {
      line("issuerSigned", at: signed.offset)
      nested { $0.issuerSigned(signed) }
    }
    if let signed = node.member("deviceSigned") {
      line("deviceSigned", at: signed.offset)
      nested { $0.deviceSigned(signed) }
    }
    otherMembers(of: node, except: ["docType", "issuerSigned", "deviceSigned"])
  }

  mutating func issuerSigned(_ node: Node) {
    let digests = node.member("issuerAuth").flatMap { PrintedDigests(issuerAuth: $0) }
    if let spaces = node.member("nameSpaces") {
      line("nameSpaces: \(spaces.entries.count)", at: spaces.offset)
      nested { inside in
        for space in spaces.entries { inside.issuerItems(space, digests: digests) }
      }
    }
    if let signature = node.member("issuerAuth") {
      if Artifact.recognize(signature) == .signature {
        line("issuerAuth: \(Artifact.signature.rawValue)", at: signature.offset)
        nested { $0.signature(signature, by: .issuer) }
      } else {
        field("issuerAuth", signature)
      }
    }
    otherMembers(of: node, except: ["nameSpaces", "issuerAuth"])
  }

  private mutating func issuerItems(_ space: (key: Node, value: Node), digests: PrintedDigests?) {
    guard let name = space.key.text, space.value.kind == .array else {
      return entry(space)
    }
    let items = space.value.elements
    line("\(Printed.quoted(name, full: isFull)): \(Printed.count(items.count, "element"))", at: space.key.offset)
    nested { inside in
      for item in items {
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
      var notes = ["digestID \(number)", salt.map { "salt of \(Printed.count($0.count, "byte"))" } ?? "no salt"]
      if let salt, salt.count < IssuerSignedItem.minimumRandomLength {
        notes.append("shorter than the required \(IssuerSignedItem.minimumRandomLength)")
      }
      if let digest { notes.append(digest) }
      inside.line(notes.joined(separator: ", "), at: node.offset)
      inside.otherMembers(of: node, except: ["digestID", "random", "elementIdentifier", "elementValue"])
    }
  }

  mutating func deviceSigned(_ node: Node) {
    if let spaces = node.member("nameSpaces") {
      embedded("nameSpaces", spaces) { $0.deviceNameSpaces($1) }
    }
    if let authentication = node.member("deviceAuth") {
      line("deviceAuth", at: authentication.offset)
      nested { $0.deviceAuth(authentication) }
    }
    otherMembers(of: node, except: ["nameSpaces", "deviceAuth"])
  }

  /// The elements that the device signs.
  mutating func deviceNameSpaces(_ map: Node) {
    if map.kind == .map, map.entries.isEmpty { line("no elements signed by the device", at: map.offset) }
    for space in map.entries { deviceElements(space) }
  }

  mutating func deviceAuth(_ node: Node) {
    for entry in node.entries {
      switch (entry.key.text, Artifact.recognize(entry.value)) {
      case ("deviceSignature", .signature):
        line("deviceSignature: \(Artifact.signature.rawValue)", at: entry.value.offset)
        nested { $0.signature(entry.value, by: .device) }
      case ("deviceMac", .authenticationCode?), ("deviceMac", .signature?):
        line("deviceMac: \(Artifact.authenticationCode.rawValue)", at: entry.value.offset)
        nested {
          $0.authenticationCode(entry.value)
          $0.line("cannot be checked over the Digital Credentials API, where the reader has no ephemeral key")
        }
      default:
        self.entry(entry)
      }
    }
  }

  private mutating func deviceElements(_ space: (key: Node, value: Node)) {
    guard let name = space.key.text, space.value.kind == .map else {
      return entry(space)
    }
    line(
      "\(Printed.quoted(name, full: isFull)): \(Printed.count(space.value.entries.count, "element"))",
      at: space.key.offset)
    nested { inside in
      for element in space.value.entries {
        guard let identifier = element.key.text else {
          inside.entry(element)
          continue
        }
        inside.element(identifier, in: name, value: element.value)
      }
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
    return "\(kind) of \(Printed.count(bytes.count, "byte"))"
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
