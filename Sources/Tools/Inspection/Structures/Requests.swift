import CBOR
import COSE
import Certificates
import MobileDocument

/// Requests (ISO/IEC 18013-5, 8.3.2.1.2.1 and second edition draft, 10.2).
extension Outline {
  mutating func deviceRequest(_ node: Node) {
    if let version = node.member("version") { field("version", version) }
    if let requests = node.member("docRequests") {
      line("docRequests: \(requests.elements.count)", at: requests.offset)
      nested { inside in
        for (position, request) in requests.elements.enumerated() {
          inside.line("docRequests[\(position)]", at: request.offset)
          inside.nested { $0.documentRequest(request) }
        }
      }
    }
    if let information = node.member("deviceRequestInfo") {
      embedded("deviceRequestInfo", information) { $0.deviceRequestInfo($1) }
    }
    if let all = node.member("readerAuthAll") {
      if all.kind == .array {
        line("readerAuthAll: \(Printed.count(all.elements.count, "signature"))", at: all.offset)
        nested { inside in
          for (position, signature) in all.elements.enumerated() {
            inside.readerSignature("readerAuthAll[\(position)]", signature)
          }
        }
      } else {
        field("readerAuthAll", all)
      }
    }
    otherMembers(of: node, except: ["version", "docRequests", "deviceRequestInfo", "readerAuthAll"])
    if node.base == 0, node.item.offset == 0 { verdict(onRequest: node) }
  }

  /// Writes whether a wallet built with this package would read the request.
  private mutating func verdict(onRequest node: Node) {
    do {
      let request = try UnverifiedDeviceRequest([UInt8](node.item.encoded))
      _ = try request.unverifiedContents()
      line(request.isSigned ? "well-formed, signed by a reader" : "well-formed, not signed")
    } catch {
      line("would be refused: \(Printed.onOneLine(error.description))")
    }
  }

  mutating func documentRequest(_ node: Node) {
    if let items = node.member("itemsRequest") { embedded("itemsRequest", items) { $0.itemsRequest($1) } }
    if let signature = node.member("readerAuth") { readerSignature("readerAuth", signature) }
    otherMembers(of: node, except: ["itemsRequest", "readerAuth"])
  }

  private mutating func readerSignature(_ name: String, _ node: Node) {
    guard Artifact.recognize(node) == .signature else { return field(name, node) }
    line("\(name): \(Artifact.signature.rawValue)", at: node.offset)
    nested { $0.signature(node, by: .reader) }
  }

  mutating func itemsRequest(_ node: Node) {
    if let type = node.member("docType") { documentType(type) }
    if let spaces = node.member("nameSpaces") {
      line("nameSpaces: \(spaces.entries.count)", at: spaces.offset)
      nested { inside in
        for space in spaces.entries { inside.requestedElements(space) }
      }
    }
    if let information = node.member("requestInfo") { field("requestInfo", information) }
    otherMembers(of: node, except: ["docType", "nameSpaces", "requestInfo"])
  }

  private mutating func requestedElements(_ space: (key: Node, value: Node)) {
    guard let name = space.key.text, space.value.kind == .map else {
      return entry(space)
    }
    line(
      "\(Printed.quoted(name, full: isFull)): \(Printed.count(space.value.entries.count, "element"))",
      at: space.key.offset)
    nested { inside in
      for element in space.value.entries {
        guard let identifier = element.key.text, let retains = element.value.boolean else {
          inside.entry(element)
          continue
        }
        let labelled = inside.elementName(identifier, in: name, type: nil)
        inside.line("\(labelled): \(retains ? "retained" : "not retained")", at: element.key.offset)
      }
    }
  }

  /// Writes `docType` with its display name.
  mutating func documentType(_ node: Node) {
    guard let type = node.text else { return field("docType", node) }
    let label = DataElementCatalogue.label(documentType: type)
    let suffix = label == type ? "" : " (\(label))"
    line("docType: \(Printed.quoted(type, full: isFull))\(suffix)", at: node.offset)
  }

  mutating func deviceRequestInfo(_ node: Node) {
    if let useCases = node.member("useCases"), useCases.kind == .array {
      line("useCases: \(useCases.elements.count)", at: useCases.offset)
      nested { inside in
        for (position, useCase) in useCases.elements.enumerated() { inside.useCase(useCase, at: position) }
      }
      otherMembers(of: node, except: ["useCases"])
    } else {
      otherMembers(of: node)
    }
  }

  private mutating func useCase(_ node: Node, at position: Int) {
    let duty = node.member("mandatory")?.boolean.map { $0 ? "mandatory" : "optional" }
    let sets = node.member("documentSets")?.elements.map { set in
      "{" + set.elements.map { $0.item.kind == .unsigned ? $0.item.diagnostic : "?" }.joined(separator: ", ") + "}"
    }
    guard let duty, let sets else { return field("useCases[\(position)]", node) }
    line("useCases[\(position)]: \(duty), docRequests \(sets.joined(separator: " or "))", at: node.offset)
    nested { $0.otherMembers(of: node, except: ["mandatory", "documentSets"]) }
  }

  /// Writes a member with a structure in tag 24.
  mutating func embedded(_ name: String, _ node: Node, _ body: (inout Outline, Node) -> Void) {
    guard node.item.tag == 24, let inside = try? node.opened() else { return field(name, node) }
    guard canNest else { return line("\(name): nested too deep to print", at: node.offset) }
    line("\(name): 24(<< \(Printed.count(inside.item.encoded.count, "byte")) >>)", at: node.offset)
    nested { body(&$0, inside) }
  }
}
