import CBOR
import MobileDocument
import WebPresentment

/// The structures of ISO/IEC 18013-7 annex C.
extension Outline {
  mutating func encryptionInfo(_ node: Node) {
    let parameters = node.elements[1]
    line("\"dcapi\"", at: node.elements[0].offset)
    if let nonce = parameters.member("nonce") {
      notation(nonce, prefix: "nonce: ")
      if let count = nonce.bytes?.count {
        let least = EncryptionInfo.minimumNonceLength
        nested {
          $0.line("\(Printed.count(count, "byte")), \(count < least ? "fewer than" : "at least") the \(least) required")
        }
      }
    }
    if let key = parameters.member("recipientPublicKey") {
      line("recipientPublicKey: \(Artifact.key.rawValue)", at: key.offset)
      nested { $0.key(key) }
    }
    otherMembers(of: parameters, except: ["nonce", "recipientPublicKey"])
    do {
      _ = try EncryptionInfo(text: Base64URL.encode(node.item.encoded))
      line("well-formed: a response can be sealed to this key")
    } catch {
      line("would be refused: \(Printed.onOneLine(error.description))")
    }
  }

  mutating func encryptedResponse(_ node: Node) {
    let parameters = node.elements[1]
    line("\"dcapi\"", at: node.elements[0].offset)
    if let key = parameters.member("enc") { opaque("enc", key, "the sender's ephemeral key") }
    if let sealed = parameters.member("cipherText") {
      opaque("cipherText", sealed, "the sealed device response and its tag of 16 bytes")
    }
    otherMembers(of: parameters, except: ["enc", "cipherText"])
    do {
      _ = try EncryptedResponse(encoded: [UInt8](node.item.encoded))
      line("well-formed: opens with the verifier's private key and the session transcript")
    } catch {
      line("would be refused: \(Printed.onOneLine(error.description))")
    }
  }

  /// Writes a byte string that holds nothing to open.
  private mutating func opaque(_ name: String, _ node: Node, _ meaning: String) {
    guard let bytes = node.bytes else { return field(name, node) }
    line("\(name): \(Printed.bytes(bytes, full: isFull))", at: node.offset)
    nested { $0.line(meaning) }
  }

  mutating func sessionTranscript(_ node: Node) {
    let elements = node.elements
    field("DeviceEngagementBytes", elements[0])
    field("EReaderKeyBytes", elements[1])
    let handover = elements[2]
    guard let name = handover.elements.first?.text else {
      // Without device engagement it is neither, but one that an online protocol defines and does not name.
      let kind = elements[0].item.isNull ? "" : handover.item.isNull ? " (QR handover)" : " (NFC handover)"
      return notation(handover, prefix: "Handover\(kind): ")
    }
    guard name == "dcapi", handover.elements.count == 2, let digest = handover.elements[1].bytes, digest.count == 32
    else {
      return notation(handover, prefix: "Handover (\(Printed.quoted(name, full: isFull))): ")
    }
    line("Handover: dcapi handover of the Digital Credentials API", at: handover.offset)
    nested {
      $0.line(
        "SHA-256 of [encryption information, origin]: \(Printed.bytes(digest, full: true))",
        at: handover.elements[1].offset)
    }
  }
}
