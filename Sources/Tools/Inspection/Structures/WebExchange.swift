import CBOR
import MobileDocument
import Primitives
import WebPresentment

/// The structures of ISO/IEC 18013-7 annex C.
extension Outline {
  mutating func encryptionInfo(_ node: Node) {
    let parameters = node.elements[1]
    line("\"dcapi\"", at: node.elements[0].offset)
    members(
      of: parameters,
      KnownMember("nonce") { outline, nonce in
        outline.field("nonce", nonce)
        guard let count = nonce.bytes?.count else { return }
        let least = EncryptionInfo.minimumNonceLength
        outline.nested {
          $0.line("\(count.counted("byte")), \(count < least ? "fewer than" : "at least") the \(least) required")
        }
      }, .key("recipientPublicKey"))
    do {
      _ = try EncryptionInfo(text: Base64URL.encode(node.item.encoded))
      line("well-formed: a response can be encrypted to this key")
    } catch {
      line("would be refused: \(Printed.onOneLine(error.description))")
    }
  }

  mutating func encryptedResponse(_ node: Node) {
    let parameters = node.elements[1]
    line("\"dcapi\"", at: node.elements[0].offset)
    members(
      of: parameters, .opaque("enc", "the sender's ephemeral key"),
      .opaque("cipherText", "the encrypted device response and its tag of 16 bytes"))
    do {
      let response = try EncryptedResponse(encoded: [UInt8](node.item.encoded))
      guard let recipientKey, let transcript else {
        return line("well-formed: decryption needs the verifier's private key and the session transcript")
      }
      let content = try response.open(with: recipientKey, transcript: transcript)
      decrypted(content) { (inside) throws(InspectionFailure) in try inside.cbor(content, accepting: .anyItem) }
    } catch {
      line("would be refused: \(Printed.onOneLine(error.description))")
    }
  }

  /// Writes the content of an encrypted answer: by `body`, or as bytes if it throws.
  mutating func decrypted(_ content: [UInt8], _ body: (inout Outline) throws(InspectionFailure) -> Void) {
    line("decrypted with the recipient's key: \(content.count.counted("byte"))")
    if canNest { nested { $0.opened(content, body) } }
  }

  /// Writes the content of bytes that the artifact has only as text, or sealed: by `body`, or as bytes if it throws.
  mutating func opened(_ bytes: [UInt8], name: String = "", _ body: (inout Outline) throws(InspectionFailure) -> Void) {
    withoutOffsets(of: bytes) { inside in
      do throws(InspectionFailure) { try body(&inside) } catch {
        inside.line(name + Printed.bytes(bytes, full: inside.isFull))
      }
    }
  }

  /// Writes CBOR that the artifact has only as text, or sealed; as bytes after a name if it cannot be read.
  mutating func opened(cbor bytes: [UInt8], name: String = "") {
    opened(bytes, name: name) { (inside) throws(InspectionFailure) in try inside.cbor(bytes, accepting: .anyItem) }
  }

  /// Writes an opaque byte string.
  mutating func opaque(_ name: String, _ node: Node, _ meaning: String) {
    guard let bytes = node.bytes else { return field(name, node) }
    under("\(name): \(Printed.bytes(bytes, full: isFull))", at: node.offset) { $0.line(meaning) }
  }

  mutating func sessionTranscript(_ node: Node) {
    let elements = node.elements
    field("DeviceEngagementBytes", elements[0])
    field("EReaderKeyBytes", elements[1])
    let handover = elements[2]
    guard let name = handover.elements.first?.text else {
      if elements[0].item.isNull, handover.elements.count == 3, handover.elements[2].text != nil {
        return under("Handover: OpenID4VP of a draft (ISO/IEC 18013-7, annex B)", at: handover.offset) { inside in
          inside.field("SHA-256 of [client, mdoc generated nonce]", handover.elements[0])
          inside.field("SHA-256 of [response URI, mdoc generated nonce]", handover.elements[1])
          inside.field("nonce", handover.elements[2])
        }
      }
      let kind = elements[0].item.isNull ? "" : handover.item.isNull ? " (QR handover)" : " (NFC handover)"
      return notation(handover, prefix: "Handover\(kind): ")
    }
    let kind = HandoverKind.meaning(of: name).map { ": \($0)" } ?? " (\(Printed.quoted(name, full: isFull)))"
    under("Handover\(kind)", at: handover.offset) { inside in
      let names = HandoverKind.parts(of: name, count: handover.elements.count)
      for (position, element) in handover.elements.enumerated() {
        let part = position < names.count ? names[position] : "[\(position)]"
        guard part == HandoverKind.originInformation, let information = try? element.readContent() else {
          inside.field(part, element)
          continue
        }
        // The category and the type of the information, and the origin as its base URL.
        inside.under(part, at: element.offset) { $0.otherMembers(of: information, except: []) }
      }
    }
  }
}

/// The handovers of online presentments, by their names.
enum HandoverKind {
  /// The name of the part that holds the origin in CBOR.
  static let originInformation = "OriginInfoBytes"

  private static let known: [(name: String, meaning: String, parts: [String])] = [
    (
      "dcapi", "dcapi handover of the Digital Credentials API (ISO/IEC 18013-7, annex C)",
      ["name", "SHA-256 of [encryption information, origin]"]
    ),
    (
      "OpenID4VPDCAPIHandover", "OpenID4VP over the Digital Credentials API",
      ["name", "SHA-256 of [origin, nonce, key thumbprint or null], in drafts of [origin, client, nonce]"]
    ),
    (
      "OpenID4VPHandover", "OpenID4VP by redirect",
      ["name", "SHA-256 of [client, nonce, key thumbprint or null, response URI]"]
    ),
    (
      "AppleIdentityPresentment_1.0", "Apple's presentment in apps",
      ["name", "nonce", "merchant identifier", "team identifier", "SHA-256 of the recipient's public key"]
    ),
    (
      "AndroidHandoverv1", "a superseded handover of Android apps",
      ["name", "nonce", "package name", "SHA-256 of the recipient's public key"]
    ),
    (
      "BrowserHandoverv1", "a superseded handover of browsers",
      ["name", "nonce", Self.originInformation, "SHA-256 of the recipient's public key"]
    ),
    ("GoogleWalletHandoverv1", "a superseded handover of Google Wallet", ["name"]),
  ]

  /// Returns the meaning of a handover; nil if its name is unknown.
  static func meaning(of name: String) -> String? { known.first { $0.name == name }?.meaning }

  /// Returns the names of a handover's parts, if it has the expected number.
  static func parts(of name: String, count: Int) -> [String] {
    guard let parts = known.first(where: { $0.name == name })?.parts, parts.count == count else { return ["name"] }
    return parts
  }
}
