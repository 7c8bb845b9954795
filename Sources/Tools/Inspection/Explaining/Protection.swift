import CBOR
import JOSE
import MobileDocument
import Primitives
import StatusLists

/// A signature, an authentication code, a digest or a seal in a message, and the bytes that it covers.
public struct Protection: Sendable, Equatable {
  /// The kinds of protection.
  public enum Kind: String, Sendable {
    /// A digital signature (RFC 9052, 4.2).
    case signature
    /// A message authentication code (RFC 9052, 6.2).
    case authenticationCode = "MAC"
    /// A digest that a signed structure contains.
    case digest
    /// Encryption that only one key opens.
    case seal
  }

  /// The kind.
  public let kind: Kind
  /// The name of the structure's member.
  public let name: String
  /// The party that makes it, and its purpose, in words.
  public let meaning: String
  /// Index of the bytes among the sources of the explanation.
  public let source: Int
  /// The bytes of the signature, code or digest itself; of a seal those of the sender's key.
  public let mark: Range<Int>
  /// The covered bytes of the same source.
  public let covered: [Range<Int>]
  /// The covered content outside these bytes; nil if all of it is in them.
  public let elsewhere: String?
}

/// Finds the protections in CBOR.
struct ProtectionFinder {
  private(set) var protections: [Protection] = []
  private(set) var elements: [String] = []
  private var source = 0
  private var known: Set<String> = []
  /// The starts of signatures whose structure says what they cover.
  private var placed: Set<Int> = []

  /// The content of every reader's and device's signature that no message contains.
  private static let transcript = "the session transcript"

  /// Searches bytes: CBOR, or a text with encrypted objects. Other bytes have no protections.
  mutating func search(_ bytes: [UInt8], source: Int) {
    self.source = source
    placed = []
    guard let node = try? Node.read(bytes) else { return searchText(bytes) }
    visit(node, level: 0)
  }

  private static func isBase64URL(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || "-_".utf8.contains(byte) }

  /// Searches a text for encrypted objects in compact serialization, `header.key.vector.ciphertext.tag` in base64url.
  private mutating func searchText(_ bytes: [UInt8]) {
    let dot = UInt8(ascii: ".")
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 != dot && !Self.isBase64URL($0) } ?? bytes.count
      let dots = bytes[start..<end].indices.filter { bytes[$0] == dot }
      if dots.count == 4, (try? JWE(compact: String(decoding: bytes[start..<end], as: UTF8.self))) != nil {
        protections.append(
          Protection(
            kind: .seal, name: "JWE", meaning: "the response, for the verifier's key only", source: source,
            mark: start..<dots[0], covered: [dots[2] + 1..<dots[3]], elsewhere: nil))
      }
      start = end + 1
    }
  }

  private mutating func visit(_ node: Node, level: Int) {
    guard level < Outline.maximumLevel else { return }
    switch Artifact.recognize(node) {
    case .deviceRequest: deviceRequest(node)
    case .documentRequest: documentRequest(node)
    case .itemsRequest: for space in node.member("nameSpaces")?.entries ?? [] { name(space.value) }
    case .document: document(node)
    case .issuerSigned: issuerSigned(node)
    case .issuerSignedItem: if let identifier = node.member("elementIdentifier")?.text { note(identifier) }
    case .encryptedResponse:
      let parameters = node.elements[1]
      seal(parameters, key: parameters.member("enc"), "the device response, for the verifier's key only")
    case .encryptedDocuments: seal(node, key: node.member("enc"), "documents, for one recipient's key only")
    case .envelope: seal(node, key: node.member("params"), "the device response, for the server's key only")
    case .signature, .statusListToken, .identifierListToken: attached(node, .signature)
    case .authenticationCode: attached(node, .authenticationCode)
    default: break
    }
    for child in node.children { visit(child, level: level + 1) }
  }

  private mutating func note(_ identifier: String) {
    if known.insert(identifier).inserted { elements.append(identifier) }
  }

  private mutating func name(_ elements: Node) {
    for element in elements.entries { if let identifier = element.key.text { note(identifier) } }
  }

  private mutating func add(
    _ kind: Protection.Kind, _ name: String, _ meaning: String, mark: Range<Int>, _ covered: [Range<Int>],
    elsewhere: String? = nil
  ) {
    protections.append(
      Protection(
        kind: kind, name: name, meaning: meaning, source: source, mark: mark, covered: covered, elsewhere: elsewhere))
  }

  private mutating func seal(_ node: Node, key: Node?, _ meaning: String) {
    guard let sealed = node.member("cipherText") ?? node.member("data") else { return }
    add(.seal, "cipherText", "seals \(meaning)", mark: key?.range ?? sealed.range, [sealed.range])
  }

  /// A message with its payload, wherever it is.
  private mutating func attached(_ node: Node, _ kind: Protection.Kind) {
    let parts = node.messageElements
    guard parts.count == 4, !placed.contains(parts[3].offset) else { return }
    let covered = parts[2].kind == .bytes ? [parts[0].range, parts[2].range] : [parts[0].range]
    add(
      kind, kind == .signature ? "signature" : "tag", "covers the protected header and the payload",
      mark: parts[3].range, covered, elsewhere: parts[2].kind == .bytes ? nil : "a payload that is sent apart")
  }

  /// A message whose payload is elsewhere in the structure, or detached.
  private mutating func detached(
    _ node: Node?, _ kind: Protection.Kind, _ name: String, _ meaning: String, _ covered: [Node?]
  ) {
    guard let node, let artifact = Artifact.recognize(node), [.signature, .authenticationCode].contains(artifact),
      let mark = node.messageElements.last
    else { return }
    placed.insert(mark.offset)
    add(
      kind, name, meaning, mark: mark.range, covered.compactMap { $0?.range }.sorted { $0.lowerBound < $1.lowerBound },
      elsewhere: Self.transcript)
  }

  private mutating func deviceRequest(_ node: Node) {
    let items = node.member("docRequests")?.elements.map { $0.member("itemsRequest") } ?? []
    for (position, signature) in (node.member("readerAuthAll")?.elements ?? []).enumerated() {
      detached(
        signature, .signature, "readerAuthAll[\(position)]", "the reader signs every items request",
        items + [node.member("deviceRequestInfo")])
    }
  }

  private mutating func documentRequest(_ node: Node) {
    detached(
      node.member("readerAuth"), .signature, "readerAuth", "the reader signs the items request",
      [node.member("itemsRequest")])
  }

  private mutating func document(_ node: Node) {
    let signed = node.member("deviceSigned")
    let authentication = signed?.member("deviceAuth")
    let covered = [node.member("docType"), signed?.member("nameSpaces")]
    detached(
      authentication?.member("deviceSignature"), .signature, "deviceSignature",
      "the device signs the presentment with its key", covered)
    detached(
      authentication?.member("deviceMac"), .authenticationCode, "deviceMac",
      "the device authenticates the presentment with its key", covered)
    if let inside = try? signed?.member("nameSpaces")?.opened() {
      for space in inside.entries { name(space.value) }
    }
  }

  private mutating func issuerSigned(_ node: Node) {
    guard let message = node.member("issuerAuth"), Artifact.recognize(message) == .signature else { return }
    let parts = message.messageElements
    placed.insert(parts[3].offset)
    add(
      .signature, "issuerAuth", "the issuer signs the mobile security object", mark: parts[3].range,
      [parts[0].range, parts[2].range])
    guard let object = (try? parts[2].readContent())?.openedIfTagged else { return }
    for space in node.member("nameSpaces")?.entries ?? [] {
      guard let name = space.key.text, let digests = object.member("valueDigests")?.member(name) else { continue }
      for item in space.value.elements {
        guard let opened = try? item.opened(), let number = opened.member("digestID")?.integer,
          let digest = digests.member(number)
        else { continue }
        let identifier = opened.member("elementIdentifier")?.text ?? "?"
        add(
          .digest, "digest \(number)", "the mobile security object has the digest of \(Printed.onOneLine(identifier))",
          mark: digest.range, [item.range])
      }
    }
  }
}

extension Node {
  /// The items directly in this one, opened if they are in tag 24 or in a byte string.
  fileprivate var children: [Node] {
    switch kind {
    case .array: return elements
    case .map: return entries.map(\.value)
    case .tagged:
      if item.tag == 24 { return (try? opened()).map { [$0] } ?? [] }
      return tagged.map { $0.content.kind == .array ? $0.content.elements : [$0.content] } ?? []
    case .bytes:
      guard let content = try? readContent(), content.isStructure else { return [] }
      return [content]
    default: return []
    }
  }
}
