import CBOR
import COSE
import MobileDocument

/// What a flaw changes in a document that is otherwise issued as usual.
extension FlawedIssuer {
  /// Flaws of what the issuer signs about the document as a whole.
  func changeSecurityObject(_ parts: inout DocumentParts, _ flaw: DocumentFlaw) {
    func untilText(_ change: (String) -> CBORValue) {
      parts.change("validityInfo", "validUntil") { value in
        guard case .tagged(_, .text(let text)) = value else { return value }
        return change(text)
      }
    }
    switch flaw {
    case .securityObjectMalformed: parts.securityObject = parts.securityObject.removing(.text("validityInfo"))
    case .securityObjectVersion: parts.change("version") { _ in .text("2.0") }
    case .otherDocumentType:
      parts.change("docType") { value in
        guard case .text(let type) = value else { return value }
        return .text(DocumentFlaw.anotherType(than: type))
      }
    case .impossibleDate: untilText { .tagged(0, .text("\($0.prefix(4))-09-31T00:00:00Z")) }
    case .dateOffset: untilText { .tagged(0, .text("\($0.dropLast())+02:00")) }
    case .dateUntagged: untilText { .text($0) }
    case .dateFraction: untilText { .tagged(0, .text("\($0.dropLast()).25Z")) }
    case .digestAlgorithm: parts.change("digestAlgorithm") { _ in .text("SHA-1") }
    case .deviceKeyCurve:
      let coordinate = [UInt8](repeating: 9, count: 32)
      parts.change("deviceKeyInfo", "deviceKey") { _ in
        .map([
          CBORValue.Entry(.integer(1), .integer(1)), CBORValue.Entry(.integer(-1), .integer(4)),
          CBORValue.Entry(.integer(-2), .bytes(coordinate)),
        ])
      }
    case .keyAuthorizationsEmpty:
      parts.change("deviceKeyInfo") { $0.adding("keyAuthorizations", .map([])) }
    default: break
    }
  }

  /// Flaws of elements and of their digests.
  func changeElements(_ parts: inout DocumentParts, _ flaw: DocumentFlaw) {
    func change(item position: Int, _ member: String, to change: (CBORValue) -> CBORValue) {
      parts.nameSpaces[0].items[position] = parts.nameSpaces[0].items[position]
        .changing([.member(.text(member))], change)
    }
    guard let first = parts.nameSpaces.first, !first.items.isEmpty else { return }
    switch flaw {
    case .shortSalt:
      change(item: 0, "random") { value in
        guard case .bytes(let random) = value else { return value }
        return .bytes(Array(random.prefix(IssuerSignedItem.minimumRandomLength - 1)))
      }
      parts.digestAnew()
    case .sameSalt:
      var shared = CBORValue.null
      for position in first.items.indices {
        change(item: position, "random") { value in
          if position == 0 { shared = value }
          return shared
        }
      }
      parts.digestAnew()
    case .elementType:
      // Every one of them, so that whichever is asked for shows it.
      for position in first.items.indices { change(item: position, "elementValue") { _ in .map([]) } }
      parts.digestAnew()
    case .nameSpaceNotCovered:
      parts.change("valueDigests") { value in
        guard case .map(let entries) = value else { return value }
        return .map(
          entries.map { CBORValue.Entry($0.key == .text(first.name) ? .text("org.example") : $0.key, $0.value) })
      }
    case .elementNotCovered:
      parts.digestAnew()
      parts.change("valueDigests", first.name) { value in
        guard case .map(let entries) = value else { return value }
        // Those of all but one, so that whichever are asked for show it.
        return .map(Array(entries.suffix(1)))
      }
    case .digestLength:
      parts.change("valueDigests", first.name) { value in
        guard case .map(let entries) = value else { return value }
        return .map(entries + [CBORValue.Entry(.integer(entries.count), .bytes([UInt8](repeating: 1, count: 31)))])
      }
    default: break
    }
  }

  /// Flaws of the headers of the signature.
  func changeHeaders(_ parts: inout DocumentParts, _ flaw: DocumentFlaw, chain: [[UInt8]]) {
    let algorithm = CBORValue.integer(COSEHeaderLabel.algorithm)
    let x5chain = CBORValue.integer(COSEHeaderLabel.x5chain)
    func name(_ identifier: Int) -> CBORValue { .map([CBORValue.Entry(algorithm, .integer(identifier))]) }
    switch flaw {
    case .notSigned: parts.unprotected = .map([CBORValue.Entry(x5chain, .array([]))])
    case .algorithmUnprotected:
      parts.protected = .map([])
      parts.unprotected = .map([
        CBORValue.Entry(algorithm, .integer(-7)), CBORValue.Entry(x5chain, .bytes(chain[0])),
      ])
    case .algorithmUnknown: parts.protected = name(-47)
    case .algorithmOfAnotherCurve: parts.protected = name(-35)
    case .algorithmFullySpecified: parts.protected = name(-9)
    case .chainProtected:
      parts.protected = .map([
        CBORValue.Entry(algorithm, .integer(-7)), CBORValue.Entry(x5chain, .bytes(chain[0])),
      ])
      parts.unprotected = .map([])
    case .chainOfOneAsArray:
      parts.unprotected = .map([CBORValue.Entry(x5chain, .array([.bytes(chain[0])]))])
    default: break
    }
  }

  /// The signature, with its own flaws.
  func issuerAuth(of parts: DocumentParts, _ flaw: DocumentFlaw) throws -> CBORValue {
    var encoding: [UInt8]?
    if flaw == .securityObjectEncoding {
      // The head of the map in two bytes where one would do.
      var bytes = parts.securityObject.encoded
      bytes.replaceSubrange(0..<1, with: [0xb8, bytes[0] & 0x1f])
      encoding = bytes
    }
    let signed = try parts.issuerAuth(signedBy: signer, encodedSecurityObject: encoding)
    guard case .array(var items) = signed, case .bytes(var signature) = items[3] else { return signed }
    switch flaw {
    case .notSigned: items[3] = .bytes([UInt8](repeating: 0, count: signature.count))
    case .signatureAltered:
      signature[signature.count - 1] ^= 1
      items[3] = .bytes(signature)
    case .signatureMalformed: items.removeLast()
    case .signatureTagged: return .tagged(COSESign1.tag, .array(items))
    default: break
    }
    return .array(items)
  }
}
