import CBOR
import Primitives

/// The CBOR that is accepted as content.
enum AcceptedCBOR {
  /// Any item.
  case anyItem
  /// Non-empty arrays, maps and tags: base64url words hardly ever decode to these by accident.
  case structures
  /// Known artifacts.
  case artifacts
}

extension Outline {
  /// Writes recognized bytes: CBOR, a certificate, a certificate request, a key, advertising data or JSON.
  /// - Throws: ``InspectionFailure`` with a reason for each of them. Nothing is written then.
  mutating func content(_ bytes: [UInt8], accepting accepted: AcceptedCBOR) throws(InspectionFailure) {
    guard canNest else { throw InspectionFailure("nested deeper than \(Self.maximumLevel) levels") }
    if let seal = takeSeal() { return try seal.open(bytes, into: &self) }
    var reasons: [String] = []
    do throws(InspectionFailure) { return try cbor(bytes, accepting: accepted) } catch {
      reasons.append("not CBOR (\(error.message))")
    }
    do throws(InspectionFailure) {
      return try certificate(der: bytes)
    } catch {
      // The reason matters only for bytes that look like a certificate.
      reasons.append(bytes.first == 0x30 ? "not a certificate (\(error.message))" : "not a certificate")
    }
    do throws(InspectionFailure) { return try certificateRequest(der: bytes) } catch {
      reasons.append("not a certificate request")
    }
    do throws(InspectionFailure) { return try revocationList(der: bytes) } catch {
      reasons.append("not a certificate revocation list")
    }
    do throws(InspectionFailure) { return try publicKey(der: bytes) } catch { reasons.append("not a public key") }
    do throws(InspectionFailure) { return try privateKey(der: bytes) } catch { reasons.append("not a private key") }
    do throws(InspectionFailure) { return try point(bytes) } catch { reasons.append("not a point of a curve") }
    do throws(InspectionFailure) { return try nearFieldMessage(bytes) } catch { reasons.append("not an NDEF message") }
    do throws(InspectionFailure) { return try advertisingData(bytes) } catch {
      reasons.append("not advertising data of a phone")
    }
    if bytes.first == UInt8(ascii: "{"), let value = try? Self.readJSON(bytes) { return json(value, of: bytes) }
    reasons.append("not a JSON object")
    throw InspectionFailure("\(bytes.count.counted("byte")): " + reasons.joined(separator: ", "))
  }

  /// Writes CBOR.
  /// - Throws: ``InspectionFailure`` if the bytes are not accepted CBOR. Nothing is written then.
  mutating func cbor(_ bytes: [UInt8], accepting accepted: AcceptedCBOR) throws(InspectionFailure) {
    let node: Node
    var surplus = 0
    do {
      node = try Node.read(bytes)
    } catch {
      // An artifact with trailing bytes is printed too, with a note about these bytes.
      guard error.code == .trailingBytes, bytes.indices.contains(error.offset),
        let first = try? Node.read(Array(bytes[..<error.offset])), Artifact.recognize(first) != nil
      else { throw InspectionFailure(error.description) }
      node = first
      surplus = bytes.count - error.offset
    }
    let embedded = node.item.tag == 24 ? try? node.opened() : nil
    let artifact = Artifact.recognize(node) ?? embedded.flatMap(Artifact.recognize)
    switch accepted {
    case .anyItem: break
    case .structures:
      guard artifact != nil || node.isStructure else {
        throw InspectionFailure("a lone item other than an array, map or tag")
      }
    case .artifacts: guard artifact != nil else { throw InspectionFailure("not a known artifact") }
    }
    if let artifact {
      let place = embedded == nil ? "" : " in tag 24"
      under("\(artifact.rawValue)\(place)", at: node.offset) { $0.describe(artifact, embedded ?? node) }
    } else {
      under("CBOR in diagnostic notation", at: node.offset) { $0.notation(node) }
    }
    deviations(of: node)
    if surplus > 0 {
      line(
        "would be refused: \(surplus.counted("byte")) after the end (\(CBORError.Code.trailingBytes.rawValue))",
        at: bytes.count - surplus)
    }
  }

  /// Writes an item by `body`, or its bytes if it cannot be read.
  mutating func item(_ bytes: [UInt8], base: Int = 0, _ body: KnownMember.Body = { $0.notation($1) }) {
    do throws(CBORError) { body(&self, try Node.read(bytes, base: base)) } catch {
      line(Printed.bytes(bytes, full: isFull))
    }
  }

  /// Writes the broken rules of the required encoding (ISO/IEC 18013-5, 8.3).
  private mutating func deviations(of node: Node) {
    for (code, message) in [
      (CBORError.Code.nonMinimalHead, "heads or floats longer than needed"),
      (CBORError.Code.indefiniteLength, "indefinite lengths"),
    ] {
      let places = node.item.deviations.filter { $0.code == code }.map { String(node.base + $0.offset) }
      if places.isEmpty { continue }
      let shown = isFull ? places : Array(places.prefix(8))
      let more = shown.count < places.count ? " and \(places.count - shown.count) more" : ""
      line("encoding deviates: \(message) at byte \(shown.joined(separator: ", "))\(more) (\(code.rawValue))")
    }
  }
}

extension Node {
  /// True for a non-empty array or map, and for a tag.
  var isStructure: Bool {
    switch kind {
    case .array: !elements.isEmpty
    case .map: !entries.isEmpty
    case .tagged: true
    default: false
    }
  }
}
