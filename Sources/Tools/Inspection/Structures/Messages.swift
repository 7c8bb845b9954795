import CBOR
import COSE
import Certificates
import MobileDocument
import Primitives
import X509

/// The signer, which determines the data needed to verify the signature and the profile of its certificates.
enum Signatory {
  case reader
  case issuer
  case device
  case statusList
  case listOperator
  case unknown

  /// The purpose of the signer's certificates.
  var purpose: ChainPurpose {
    switch self {
    case .reader: .reader
    case .issuer: .issuer
    case .statusList: .statusList
    case .device, .listOperator, .unknown: .unknown
    }
  }
}

/// COSE messages and keys (RFC 9052, RFC 9053, RFC 9360).
extension Outline {
  mutating func signature(_ node: Node, by signatory: Signatory) {
    let signature: COSESign1
    do {
      signature = try COSESign1(node.item)
    } catch {
      line("cannot be read: \(Printed.onOneLine(error.description))")
      return messageParts(node)
    }
    // Status lists are tagged and sign their chain (ISO/IEC 18013-5 second edition draft, 12.3.6); lists of issuing
    // authorities are seen in both forms.
    let isList = signatory == .statusList || signatory == .listOperator
    let usual: [COSEDeviation] = isList ? [.tagged, .chainInProtectedHeader] : []
    headers(signature.headers, signature.deviations.filter { !usual.contains($0) }, of: node)
    line("signature: \(Printed.bytes(signature.signature, full: isFull))", at: node.messageElements[3].offset)
    line(verdict(on: signature, by: signatory))
    payload(of: node)
    if let chain = signature.headers.x5chain {
      certificateChain(
        chain, for: signatory.purpose, at: chainOffsets(of: node),
        documentType: signatory == .issuer ? signedDocumentType(node) : nil)
    } else if signatory != .device {
      line("x5chain: none")
    }
  }

  /// Writes a member with a signed message.
  mutating func signature(_ name: String, _ node: Node, by signatory: Signatory) {
    guard Artifact.recognize(node) == .signature else { return field(name, node) }
    under("\(name): \(Artifact.signature.rawValue)", at: node.offset) { $0.signature(node, by: signatory) }
  }

  /// Returns the offsets of the certificates' byte strings: those in the protected header, if it has any.
  private func chainOffsets(of node: Node) -> [Int] {
    let elements = node.messageElements
    let chain = (try? elements[0].readContent())?.member(33) ?? elements[1].member(33)
    guard let chain else { return [] }
    return chain.kind == .array ? chain.elements.map(\.offset) : [chain.offset]
  }

  /// Returns the document type in the signed mobile security object, which determines the signer's purpose.
  private func signedDocumentType(_ node: Node) -> String? {
    guard let content = try? node.messageElements[2].readContent() else { return nil }
    return (try? content.opened())?.member("docType")?.text
  }

  private func verdict(on signature: COSESign1, by signatory: Signatory) -> String {
    guard signature.unverifiedPayload != nil, signatory != .device, signatory != .reader else {
      switch signatory {
      case .reader, .device: return "signature not checked: needs the session transcript"
      case .issuer, .statusList, .listOperator, .unknown: return "signature not checked: the payload is detached"
      }
    }
    guard let leaf = signature.headers.x5chain?.first else {
      return "signature not checked: the certificate is missing"
    }
    guard leaf.count <= CertificateLimits.bytes, let certificate = try? CertificateChain.read([leaf]).first else {
      return "signature not checked: the certificate cannot be read"
    }
    do {
      try signature.verify(with: try certificate.verificationKey())
      return "signature verifies with the key of certificate 0; its trust is not checked"
    } catch {
      return "signature does NOT verify: \(Printed.onOneLine(error.description))"
    }
  }

  mutating func authenticationCode(_ node: Node) {
    do {
      let message = try COSEMac0(node.item)
      headers(message.headers, message.deviations, of: node)
      line("tag: \(Printed.bytes(message.code, full: isFull))", at: node.messageElements[3].offset)
      line("tag not checked: needs the shared key")
      payload(of: node)
    } catch {
      line("cannot be read: \(Printed.onOneLine(error.description))")
      messageParts(node)
    }
  }

  /// Writes the four parts of a message.
  private mutating func messageParts(_ node: Node) {
    let names = ["protected", "unprotected", "payload", "signature"]
    for (name, part) in zip(names, node.messageElements) { field(name, part) }
  }

  private mutating func headers(_ headers: COSEHeaders, _ deviations: [COSEDeviation], of node: Node) {
    let elements = node.messageElements
    switch headers.algorithm {
    case .known(let algorithm): line("algorithm: \(algorithm.name) (\(algorithm.rawValue))", at: elements[0].offset)
    case .unknown(let name): line("algorithm: \(Printed.onOneLine(name)), not known here", at: elements[0].offset)
    case nil: line("algorithm: none in the protected header", at: elements[0].offset)
    }
    if let protected = try? elements[0].readContent() {
      let others = protected.entries.count { $0.key.integer != 1 && $0.key.integer != 33 }
      if others > 0 {
        under("protected header", at: elements[0].offset) { $0.otherMembers(of: protected, exceptLabels: [1, 33]) }
      }
    }
    if elements[1].entries.contains(where: { $0.key.integer != 33 }) {
      under("unprotected header", at: elements[1].offset) { $0.otherMembers(of: elements[1], exceptLabels: [33]) }
    }
    for deviation in deviations { line("deviates: \(deviation.message) (\(deviation.rawValue))") }
  }

  private mutating func payload(of node: Node) {
    let payload = node.messageElements[2]
    guard payload.kind == .bytes else { return line("payload: detached", at: payload.offset) }
    guard canNest, let content = try? payload.readContent() else { return field("payload", payload) }
    let inside = content.openedIfTagged
    guard let artifact = Artifact.recognize(inside) else { return field("payload", payload) }
    let place = content.item.tag == 24 ? " in tag 24" : ""
    under("payload: \(artifact.rawValue)\(place)", at: payload.offset) { $0.describe(artifact, inside) }
  }

  mutating func key(_ node: Node) {
    let type = node.member(1)?.integer
    let curve = node.member(-1)?.integer
    func note(_ name: String?) -> String { name.map { " (\($0))" } ?? "" }
    entries(of: node, known: \.key.integer) { inside, label, entry in
      if Self.isPrivate(label: label, type: type) {
        let count = entry.value.bytes.map { " of \($0.count.counted("byte"))" } ?? ""
        return inside.line("\(label): the private part of the key\(count), not shown", at: entry.key.offset)
      }
      switch (label, type) {
      case (1, _): inside.notation(entry.value, prefix: "kty (1): ", suffix: note(type.flatMap { Self.keyTypes[$0] }))
      case (2, _): inside.field("kid (2)", entry.value)
      case (3, _): inside.field("alg (3)", entry.value)
      case (4, _): inside.field("key_ops (4)", entry.value)
      case (-1, 1?), (-1, 2?):
        inside.notation(entry.value, prefix: "crv (-1): ", suffix: note(curve.flatMap { Self.curves[$0] }))
      case (-2, 1?), (-2, 2?): inside.field("x (-2)", entry.value)
      case (-3, 2?): inside.field("y (-3)", entry.value)
      default: inside.field(String(label), entry.value)
      }
    }
    do {
      _ = try COSEKey(node.item)
      line("the point is on its curve")
    } catch {
      line("not usable here: \(Printed.onOneLine(error.description))")
    }
  }

  /// Returns whether a label holds a private part of a key (RFC 9053, 7; RFC 8230, 4).
  private static func isPrivate(label: Int, type: Int?) -> Bool {
    switch type {
    case 3: label < -2
    case 4: label == -1 || label == -4
    default: label == -4
    }
  }

  private static let keyTypes = [1: "OKP", 2: "EC2", 3: "RSA", 4: "symmetric"]
  private static let curves = [
    1: "P-256", 2: "P-384", 3: "P-521", 4: "X25519", 5: "X448", 6: "Ed25519", 7: "Ed448",
    256: "brainpoolP256r1", 257: "brainpoolP320r1", 258: "brainpoolP384r1", 259: "brainpoolP512r1",
  ]
}

extension Node {
  /// The four parts of a recognized message, without its optional tag.
  var messageElements: [Node] { item.tag == nil ? elements : tagged?.content.elements ?? [] }

  /// The item inside, if this one is in tag 24 and can be opened; otherwise this one.
  var openedIfTagged: Node { item.tag == 24 ? (try? opened()) ?? self : self }
}

extension COSEAlgorithm {
  /// The name in the IANA registry.
  fileprivate var name: String {
    switch self {
    case .es256: "ES256"
    case .es384: "ES384"
    case .es512: "ES512"
    case .edDSA: "EdDSA"
    case .hmac256: "HMAC 256/256"
    }
  }
}
