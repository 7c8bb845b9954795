import Primitives
import SwiftASN1

/// PEM as files have it (RFC 7468): lines of any width, indented, with blank lines, with other text between the blocks.
public struct PEMText: Sendable {
  /// One block.
  public struct Block: Sendable {
    /// The label, for example `CERTIFICATE`.
    public let label: String
    /// The decoded content.
    public let bytes: [UInt8]
  }

  /// The blocks in their order.
  public let blocks: [Block]

  /// Reads every block of a text; nil if a block has no end, or content that is not base64.
  public init?(_ text: String) {
    var blocks: [Block] = []
    var rest = text[...]
    while let begin = rest.firstRange(of: Self.begin) {
      guard let labelEnd = rest[begin.upperBound...].firstRange(of: Self.dashes) else { return nil }
      let label = String(rest[begin.upperBound..<labelEnd.lowerBound])
      guard !label.contains(where: \.isNewline),
        let end = rest[labelEnd.upperBound...].firstRange(of: "-----END \(label)-----"),
        let content = Self.content(of: rest[labelEnd.upperBound..<end.lowerBound])
      else { return nil }
      blocks.append(Block(label: label, bytes: content))
      rest = rest[end.upperBound...]
    }
    self.blocks = blocks
  }

  private static let begin = "-----BEGIN "
  private static let dashes = "-----"

  /// Returns the decoded content, without the headers of old encrypted keys (RFC 1421).
  private static func content(of text: Substring) -> [UInt8]? {
    let lines = text.split(whereSeparator: \.isNewline)
    guard !lines.contains(where: { $0.contains(":") }) else { return nil }
    let decoded = PastedBase64.decode(lines.joined())
    return decoded?.isEmpty == false ? decoded : nil
  }
}

/// The kind of content of a file that is not in the expected form, for messages.
public enum FoundContent {
  /// Describes bytes in a few words: "a private key in PEM", "JSON". The content itself is never repeated.
  public static func description(of bytes: [UInt8]) -> String {
    guard let first = bytes.first(where: { $0 != 0x20 && !(0x09...0x0d).contains($0) }) else { return "an empty file" }
    if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) {
      if let begin = text.firstRange(of: "-----BEGIN ") {
        let label = text[begin.upperBound...].prefix { $0 != "-" && !$0.isNewline }.prefix(40)
        guard let pem = PEMText(text) else { return "a PEM block \(label) that is cut off or not base64" }
        return pem.blocks.count == 1 ? "PEM with the block \(label)" : "PEM with \(pem.blocks.count) blocks"
      }
      switch first {
      case UInt8(ascii: "{"), UInt8(ascii: "["): return "JSON"
      case UInt8(ascii: "<"): return "HTML or XML"
      default: break
      }
      if let decoded = PastedBase64.decode(text), decoded.count > 16 { return "base64 of \(binary(decoded))" }
      return "text"
    }
    return binary(bytes)
  }

  private static func binary(_ bytes: [UInt8]) -> String {
    if let root = try? DER.parse(bytes), root.identifier == .sequence, case .constructed(let nodes) = root.content {
      return der(Array(nodes))
    }
    switch bytes.first {
    case 0xd2: return "a signed message in CBOR (COSE_Sign1)"
    case 0x84: return "an array of four in CBOR, as signed messages are"
    case let head? where (0xa0...0xbb).contains(head): return "a map in CBOR"
    case let head? where (0x80...0x9b).contains(head): return "an array in CBOR"
    case 0x50 where bytes.starts(with: [0x50, 0x4b]): return "a ZIP archive"
    default: return "\(bytes.count) bytes of another form"
    }
  }

  private static func der(_ nodes: [ASN1Node]) -> String {
    guard let first = nodes.first else { return "an empty structure in DER" }
    if first.identifier == .integer {
      return nodes.count == 2 && nodes[1].identifier == .integer ? "a signature in DER" : "a private key in DER"
    }
    if first.identifier == .objectIdentifier { return "signed or encrypted data in DER (PKCS#7)" }
    guard first.identifier == .sequence, case .constructed(let inner) = first.content else { return "DER" }
    if nodes.count == 2, nodes[1].identifier == .bitString { return "a public key in DER" }
    if nodes.count == 2, nodes[1].identifier == .octetString { return "an encrypted private key in DER" }
    guard nodes.count == 3 else { return "DER" }
    let parts = Array(inner)
    if (try? CertificateFields(derEncoded: Array(first.encodedBytes))) != nil { return "a certificate" }
    switch parts.first?.identifier {
    case ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)?: return "a certificate in DER"
    case .integer?:
      return parts.dropFirst().first?.identifier == .sequence && parts.count >= 4 && parts.count < 6
        ? "a certificate request or revocation list in DER" : "a certificate in DER"
    case .sequence?: return "a revocation list in DER"
    default: return "DER"
    }
  }
}
