import CBOR
import COSE
import Certificates
import MobileDocument
import Primitives

/// Requests (ISO/IEC 18013-5, 8.3.2.1.2.1 and second edition draft, 10.2).
extension Outline {
  mutating func deviceRequest(_ node: Node) {
    members(
      of: node, .plain("version"), .list("docRequests") { $0.documentRequest($1) },
      .embedded("deviceRequestInfo") { $0.deviceRequestInfo($1) },
      KnownMember("readerAuthAll") { $0.readerSignatures("readerAuthAll", $1) })
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
    members(of: node, .embedded("itemsRequest") { $0.itemsRequest($1) }, .signature("readerAuth", by: .reader))
  }

  private mutating func readerSignatures(_ name: String, _ node: Node) {
    guard node.kind == .array else { return field(name, node) }
    under("\(name): \(node.elements.count.counted("signature"))", at: node.offset) { inside in
      for (position, signature) in node.elements.enumerated() {
        inside.signature("\(name)[\(position)]", signature, by: .reader)
      }
    }
  }

  mutating func itemsRequest(_ node: Node) {
    members(of: node, .documentType, .nameSpaces { $0.requestedElements($1) }, .plain("requestInfo"))
  }

  private mutating func requestedElements(_ space: Node.Entry) {
    nameSpace(space, of: .map) { inside, name in
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
    members(
      of: node,
      KnownMember("useCases", of: .array) { outline, useCases in
        outline.under("useCases: \(useCases.elements.count)", at: useCases.offset) { inside in
          for (position, useCase) in useCases.elements.enumerated() { inside.useCase(useCase, at: position) }
        }
      })
  }

  private mutating func useCase(_ node: Node, at position: Int) {
    let duty = node.member("mandatory")?.boolean.map { $0 ? "mandatory" : "optional" }
    let sets = node.member("documentSets")?.elements.map { set in
      "{" + set.elements.map { $0.item.kind == .unsigned ? $0.item.diagnostic : "?" }.joined(separator: ", ") + "}"
    }
    guard let duty, let sets else { return field("useCases[\(position)]", node) }
    under("useCases[\(position)]: \(duty), docRequests \(sets.joined(separator: " or "))", at: node.offset) {
      $0.otherMembers(of: node, except: ["mandatory", "documentSets"])
    }
  }

  /// Writes a member with a structure in tag 24.
  mutating func embedded(_ name: String, _ node: Node, _ body: (inout Outline, Node) -> Void) {
    guard node.item.tag == 24, let inside = try? node.opened() else { return field(name, node) }
    guard canNest else { return line("\(name): nested too deep to print", at: node.offset) }
    under("\(name): 24(<< \(inside.item.encoded.count.counted("byte")) >>)", at: node.offset) { body(&$0, inside) }
  }
}
