import CBOR
import Crypto
import MobileDocument
import Primitives

/// Other envelopes than that of ISO/IEC 18013-7 annex C: Apple's for apps and related ones, and single encrypted documents.
extension Outline {
  /// `HPKEEnvelope` of "Verify with Wallet", or a historical one of Android.
  mutating func envelope(_ node: Node) {
    if let algorithm = node.member("algorithm") { field("algorithm", algorithm) }
    if let parameters = node.member("params"), parameters.kind == .map {
      under("params", at: parameters.offset) { inside in
        inside.entries(of: parameters, known: \.key.text) { inside, name, entry in
          inside.field(name, entry.value)
          if let meaning = Self.parameters[name] { inside.nested { $0.line(meaning) } }
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

  /// The meanings of parameters.
  private static let parameters = [
    "mode": "0 is base mode", "pkEm": "the sender's ephemeral key",
    "pkRHash": "SHA-256 of the recipient's public key", "infoHash": "SHA-256 of the session transcript",
  ]

  /// The content of Apple's envelope.
  mutating func topics(_ node: Node) {
    for entry in node.entries {
      guard entry.key.text == "identity" else {
        self.entry(entry)
        continue
      }
      under("identity: \(Artifact.deviceResponse.rawValue)", at: entry.value.offset) { $0.deviceResponse(entry.value) }
    }
  }

  /// `EncryptedDocuments` (ISO/IEC 18013-5 second edition draft, 10.3.5).
  mutating func encryptedDocuments(_ node: Node) {
    members(
      of: node, .plain("docRequestID"), .opaque("enc", "the sender's ephemeral key"),
      .opaque("cipherText", "the encrypted documents"))
  }

  /// `EncryptionParameters` (ISO/IEC 18013-5 second edition draft, 10.2.4).
  mutating func encryptionParameters(_ node: Node) {
    members(
      of: node, .key("recipientPublicKey"),
      KnownMember("recipientCertificate") { $0.certificateChain($1.elements, for: .unknown) })
  }

  /// `ZkDocument` (ISO/IEC 18013-5 second edition draft, 10.3.4). Only the proof's own system can verify it.
  mutating func zkDocument(_ node: Node) {
    members(
      of: node, .embedded("documentData") { $0.zkDocumentData($1) },
      .opaque("proof", "the proof, which is not checked"))
  }

  mutating func zkDocumentData(_ node: Node) {
    if let type = node.member("docType") { documentType(type) }
    for name in ["zkSystemId", "timestamp"] {
      if let member = node.member(name) { field(name, member) }
    }
    for name in ["issuerSigned", "deviceSigned"] {
      guard let spaces = node.member(name), spaces.kind == .map else { continue }
      under("\(name): \(spaces.entries.count.counted("name space"))", at: spaces.offset) { inside in
        for space in spaces.entries { inside.provenElements(space) }
      }
    }
    if let chain = node.member("msoX5chain") {
      certificateChain(chain.kind == .array ? chain.elements : [chain], for: .issuer)
    }
    otherMembers(
      of: node, except: ["docType", "zkSystemId", "timestamp", "issuerSigned", "deviceSigned", "msoX5chain"])
  }

  private mutating func provenElements(_ space: Node.Entry) {
    nameSpace(space, of: .array) { inside, name in
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
