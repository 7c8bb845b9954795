import CBOR
import Crypto
import MobileDocument

/// Other envelopes than that of ISO/IEC 18013-7 annex C: Apple's for apps and related ones, and single encrypted documents.
extension Outline {
  /// `HPKEEnvelope` of "Verify with Wallet", or a historical one of Android.
  mutating func envelope(_ node: Node) {
    if let algorithm = node.member("algorithm") { field("algorithm", algorithm) }
    if let parameters = node.member("params"), parameters.kind == .map {
      line("params", at: parameters.offset)
      nested { inside in
        for entry in parameters.entries {
          guard let name = entry.key.text else {
            inside.entry(entry)
            continue
          }
          inside.field(name, entry.value)
          if let meaning = Self.meaning(ofParameter: name) { inside.nested { $0.line(meaning) } }
        }
      }
    }
    for name in ["data", "cipherText"] {
      if let sealed = node.member(name) {
        opaque(name, sealed, "the encrypted device response and its tag of 16 bytes")
      }
    }
    otherMembers(of: node, except: ["algorithm", "params", "data", "cipherText"])
  }

  private static func meaning(ofParameter name: String) -> String? {
    switch name {
    case "mode": "0 is base mode"
    case "pkEm": "the sender's ephemeral key"
    case "pkRHash": "SHA-256 of the recipient's public key"
    case "infoHash": "SHA-256 of the session transcript"
    default: nil
    }
  }

  /// The content of Apple's envelope.
  mutating func topics(_ node: Node) {
    for entry in node.entries {
      guard entry.key.text == "identity" else {
        self.entry(entry)
        continue
      }
      line("identity: \(Artifact.deviceResponse.rawValue)", at: entry.value.offset)
      nested { $0.deviceResponse(entry.value) }
    }
  }

  /// `EncryptedDocuments` (ISO/IEC 18013-5 second edition draft, 10.3.5).
  mutating func encryptedDocuments(_ node: Node) {
    if let position = node.member("docRequestID") { field("docRequestID", position) }
    if let key = node.member("enc") { opaque("enc", key, "the sender's ephemeral key") }
    if let sealed = node.member("cipherText") { opaque("cipherText", sealed, "the encrypted documents") }
    otherMembers(of: node, except: ["docRequestID", "enc", "cipherText"])
  }

  /// `EncryptionParameters` (ISO/IEC 18013-5 second edition draft, 10.2.4).
  mutating func encryptionParameters(_ node: Node) {
    if let key = node.member("recipientPublicKey") {
      line("recipientPublicKey: \(Artifact.key.rawValue)", at: key.offset)
      nested { $0.key(key) }
    }
    if let chain = node.member("recipientCertificate")?.elements {
      certificateChain(chain.compactMap(\.bytes), for: .unknown, at: chain.map(\.offset))
    }
    otherMembers(of: node, except: ["recipientPublicKey", "recipientCertificate"])
  }

  /// `ZkDocument` (ISO/IEC 18013-5 second edition draft, 10.3.4). Only the proof's own system can verify it.
  mutating func zkDocument(_ node: Node) {
    if let data = node.member("documentData") { embedded("documentData", data) { $0.zkDocumentData($1) } }
    if let proof = node.member("proof") { opaque("proof", proof, "the proof, which is not checked") }
    otherMembers(of: node, except: ["documentData", "proof"])
  }

  mutating func zkDocumentData(_ node: Node) {
    if let type = node.member("docType") { documentType(type) }
    for name in ["zkSystemId", "timestamp"] {
      if let member = node.member(name) { field(name, member) }
    }
    for name in ["issuerSigned", "deviceSigned"] {
      guard let spaces = node.member(name), spaces.kind == .map else { continue }
      line("\(name): \(Printed.count(spaces.entries.count, "name space"))", at: spaces.offset)
      nested { inside in
        for space in spaces.entries { inside.provenElements(space) }
      }
    }
    if let chain = node.member("msoX5chain") {
      let all = chain.kind == .array ? chain.elements : [chain]
      certificateChain(all.compactMap(\.bytes), for: .issuer, at: all.map(\.offset))
    }
    otherMembers(
      of: node, except: ["docType", "zkSystemId", "timestamp", "issuerSigned", "deviceSigned", "msoX5chain"])
  }

  private mutating func provenElements(_ space: (key: Node, value: Node)) {
    guard let name = space.key.text, space.value.kind == .array else { return entry(space) }
    line(
      "\(Printed.quoted(name, full: isFull)): \(Printed.count(space.value.elements.count, "element"))",
      at: space.key.offset)
    nested { inside in
      for item in space.value.elements {
        guard let identifier = item.member("elementIdentifier")?.text, let value = item.member("elementValue") else {
          inside.notation(item)
          continue
        }
        inside.element(identifier, in: name, value: value)
      }
    }
  }
}
