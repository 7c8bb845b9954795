import CBOR

/// What CBOR is accepted as the content of something.
enum AcceptedCBOR {
  /// Any item.
  case anyItem
  /// Arrays, maps and tags that hold something: what words in base64url hardly ever decode to by accident.
  case structures
  /// Artifacts that have a name.
  case artifacts
}

extension Outline {
  /// Writes what some bytes are: CBOR, a certificate, a request for one, a key or JSON.
  /// - Throws: ``Misfit`` with a reason for each of them; nothing has been written then.
  mutating func content(_ bytes: [UInt8], accepting accepted: AcceptedCBOR) throws(Misfit) {
    guard maySinkDeeper else { throw Misfit("it is nested deeper than \(Self.maximumLevel) levels") }
    var reasons: [String] = []
    do throws(Misfit) { return try cbor(bytes, accepting: accepted) } catch {
      reasons.append("no CBOR (\(error.reason))")
    }
    do throws(Misfit) {
      return try certificate(der: bytes)
    } catch {
      // Only what looks like one deserves more than a word.
      reasons.append(bytes.first == 0x30 ? "no certificate (\(error.reason))" : "no certificate")
    }
    do throws(Misfit) { return try certificateRequest(der: bytes) } catch { reasons.append("no certificate request") }
    do throws(Misfit) { return try revocationList(der: bytes) } catch { reasons.append("no list of revocations") }
    do throws(Misfit) { return try publicKey(der: bytes) } catch { reasons.append("no public key") }
    do throws(Misfit) { return try privateKey(der: bytes) } catch { reasons.append("no private key") }
    do throws(Misfit) { return try point(bytes) } catch { reasons.append("no point of a curve") }
    do throws(Misfit) { return try nearFieldMessage(bytes) } catch { reasons.append("no NDEF message") }
    if bytes.first == UInt8(ascii: "{"), let value = try? Self.readJSON(bytes) { return json(value) }
    reasons.append("no JSON object")
    throw Misfit("\(Printed.count(bytes.count, "byte")), which are " + reasons.joined(separator: ", "))
  }

  /// Writes CBOR.
  /// - Throws: ``Misfit`` when the bytes are none that is accepted; nothing has been written then.
  mutating func cbor(_ bytes: [UInt8], accepting accepted: AcceptedCBOR) throws(Misfit) {
    let node: Node
    var surplus = 0
    do {
      node = try Node.read(bytes)
    } catch {
      // An artifact with something behind it is named all the same, and what is behind it is told.
      guard error.code == .trailingBytes, bytes.indices.contains(error.offset),
        let first = try? Node.read(Array(bytes[..<error.offset])), Artifact.recognize(first) != nil
      else { throw Misfit(error.description) }
      node = first
      surplus = bytes.count - error.offset
    }
    let embedded = node.item.tag == 24 ? try? node.opened() : nil
    let artifact = Artifact.recognize(node) ?? embedded.flatMap(Artifact.recognize)
    switch accepted {
    case .anyItem: break
    case .structures:
      guard artifact != nil || node.isStructure else { throw Misfit("a lone item that is no array, map or tag") }
    case .artifacts:
      guard artifact != nil else { throw Misfit("no artifact that has a name") }
    }
    if let artifact {
      line("\(artifact.rawValue)\(embedded == nil ? "" : " in tag 24")", at: node.offset)
      nested { $0.describe(artifact, embedded ?? node) }
    } else {
      line("CBOR in diagnostic notation", at: node.offset)
      nested { $0.notation(node) }
    }
    deviations(of: node)
    if surplus > 0 {
      line(
        "would be refused: \(Printed.count(surplus, "byte")) after the end (\(CBORError.Code.trailingBytes.rawValue))",
        at: bytes.count - surplus)
    }
  }

  /// Writes which required rules of encoding the bytes break (ISO/IEC 18013-5, 8.3).
  private mutating func deviations(of node: Node) {
    for (code, sentence) in [
      (CBORError.Code.nonMinimalHead, "heads or floats longer than needed"),
      (CBORError.Code.indefiniteLength, "indefinite lengths"),
    ] {
      let places = node.item.deviations.filter { $0.code == code }.map { String(node.base + $0.offset) }
      if places.isEmpty { continue }
      let shown = isFull ? places : Array(places.prefix(8))
      let more = shown.count < places.count ? " and \(places.count - shown.count) more" : ""
      line("encoding deviates: \(sentence) at byte \(shown.joined(separator: ", "))\(more) (\(code.rawValue))")
    }
  }
}

extension Node {
  /// Whether this is an array, a map or a tag that holds something.
  var isStructure: Bool {
    switch kind {
    case .array: !elements.isEmpty
    case .map: !entries.isEmpty
    case .tagged: true
    default: false
    }
  }
}
