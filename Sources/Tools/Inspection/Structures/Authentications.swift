import CBOR
import MobileDocument
import Primitives
import WebPresentment

/// The structures that readers and devices sign.
extension Outline {
  /// `ReaderAuthentication` (ISO/IEC 18013-5, 9.1.4.4).
  mutating func readerAuthentication(_ node: Node) {
    let elements = node.elements
    line("\"ReaderAuthentication\"", at: elements[0].offset)
    transcript(elements[1])
    embedded("ItemsRequestBytes", elements[2]) { $0.itemsRequest($1) }
  }

  /// `ReaderAuthenticationAll` (ISO/IEC 18013-5 second edition draft, 12.5.4).
  mutating func readerAuthenticationAll(_ node: Node) {
    let elements = node.elements
    line("\"ReaderAuthenticationAll\"", at: elements[0].offset)
    transcript(elements[1])
    under("ItemsRequestBytes: \(elements[2].elements.count)", at: elements[2].offset) { inside in
      for (position, item) in elements[2].elements.enumerated() {
        inside.embedded("[\(position)]", item) { $0.itemsRequest($1) }
      }
    }
    guard elements.count == 4 else { return line("deviates: a superseded form, without DeviceRequestInfoBytes") }
    embedded("DeviceRequestInfoBytes", elements[3]) { $0.deviceRequestInfo($1) }
  }

  /// `DeviceAuthentication` (ISO/IEC 18013-5, 9.1.3.4).
  mutating func deviceAuthentication(_ node: Node) {
    let elements = node.elements
    line("\"DeviceAuthentication\"", at: elements[0].offset)
    transcript(elements[1])
    documentType(elements[2])
    embedded("DeviceNameSpacesBytes", elements[3]) { $0.deviceNameSpaces($1) }
  }

  private mutating func transcript(_ node: Node) {
    guard Artifact.recognize(node) == .sessionTranscript else { return field("SessionTranscript", node) }
    under("SessionTranscript", at: node.offset) { $0.sessionTranscript(node) }
  }

  /// `Sig_structure` and `MAC_structure` (RFC 9052, 4.4 and 6.3).
  mutating func signedStructure(_ node: Node) {
    let elements = node.elements
    line("context: \(Printed.quoted(elements[0].text ?? "", full: true))", at: elements[0].offset)
    for (name, element) in zip(["body_protected", "external_aad", "payload"], elements.dropFirst()) {
      field(name, element)
    }
  }

  /// The input of the digest in the transcript of the Digital Credentials API (ISO/IEC 18013-7, annex C).
  mutating func dcapiInfo(_ node: Node) {
    let elements = node.elements
    line("Base64EncryptionInfo: \(Printed.quoted(elements[0].text ?? "", full: isFull))", at: elements[0].offset)
    if let text = elements[0].text, let bytes = Base64URL.decode(text), let info = try? Node.read(bytes) {
      nested { inside in
        inside.under(Artifact.encryptionInfo.rawValue) { $0.withoutOffsets(of: bytes) { $0.encryptionInfo(info) } }
      }
    }
    line("SerializedOrigin: \(Printed.quoted(elements[1].text ?? "", full: true))", at: elements[1].offset)
    if elements[1].text?.hasSuffix("/") == true { nested { $0.line("deviates: an origin does not end in a slash") } }
  }
}
