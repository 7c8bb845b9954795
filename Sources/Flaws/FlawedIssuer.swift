import CBOR
import COSE
import MobileDocument
import X509

/// An issuing authority that issues documents with a flaw. Its keys and its root are the real ones.
public struct FlawedIssuer: Sendable {
  /// The authority, which certifies signers.
  public let authority: CertificateAuthority
  /// Another authority of the same name, which nobody trusts.
  public let stranger: CertificateAuthority
  /// Key of the document signer.
  public let signer: any ES256Signer
  /// DER of the document signer's certificate.
  public let certificate: [UInt8]
  /// Name in the document signer's certificate.
  public let name: CertificateName
  /// URI at which the authority can be reached.
  public let contact: String
  /// When the document is issued.
  public let moment: DateTime
  /// Serial number of a certificate that a flaw needs.
  public let serialNumber: [UInt8]

  /// An issuer from its parts.
  public init(
    authority: CertificateAuthority, stranger: CertificateAuthority, signer: some ES256Signer, certificate: [UInt8],
    name: CertificateName, contact: String, moment: DateTime, serialNumber: [UInt8]
  ) {
    self.authority = authority
    self.stranger = stranger
    self.signer = signer
    self.certificate = certificate
    self.name = name
    self.contact = contact
    self.moment = moment
    self.serialNumber = serialNumber
  }

  /// Issues a document with one flaw.
  /// - Returns: the encoded `IssuerSigned`.
  /// - Throws: what the signer throws, or what is wrong with the draft.
  public func issued(
    _ draft: DocumentDraft, with flaw: DocumentFlaw, randomness: inout some DocumentDraft.Randomness
  ) throws -> [UInt8] {
    var draft = draft
    draft.validity = validity(of: draft, with: flaw)
    draft.documentType = flaw.presentedType(of: draft.documentType)
    let chain = try chain(with: flaw)
    var parts = try DocumentParts(try draft.issued(by: signer, chain: chain, randomness: &randomness))
    changeSecurityObject(&parts, flaw)
    changeElements(&parts, flaw)
    changeHeaders(&parts, flaw, chain: chain)
    return parts.encoded(issuerAuth: try issuerAuth(of: parts, flaw))
  }

  private func validity(of draft: DocumentDraft, with flaw: DocumentFlaw) -> MobileSecurityObject.Validity {
    let usual = draft.validity
    switch flaw {
    case .signedBeforeSigner, .signerExpired, .expired:
      return MobileSecurityObject.Validity(
        signed: moment.adding(days: -2), validFrom: moment.adding(days: -2),
        validUntil: flaw == .expired ? moment.adding(seconds: -1) : usual.validUntil)
    case .notYetValid:
      return MobileSecurityObject.Validity(
        signed: usual.signed, validFrom: moment.adding(days: 1), validUntil: usual.validUntil.adding(days: 1))
    case .beyondSigner:
      return MobileSecurityObject.Validity(
        signed: usual.signed, validFrom: usual.validFrom,
        validUntil: moment.adding(days: 2 * CertificateProfile.documentSigner.maximumDays))
    case .datesOutOfOrder:
      return MobileSecurityObject.Validity(
        signed: usual.signed, validFrom: usual.signed.adding(days: -1), validUntil: usual.validUntil)
    default: return usual
    }
  }

  private func chain(with flaw: DocumentFlaw) throws -> [[UInt8]] {
    let days = CertificateProfile.documentSigner.maximumDays
    func signer(
      of authority: CertificateAuthority, name: CertificateName, from: DateTime, until: DateTime
    ) throws -> [[UInt8]] {
      let made = try authority.documentSigner(
        name: name, publicKey: Certificate.PublicKey(self.signer.publicKey), contact: contact,
        revocationList: "\(contact)/crl",
        terms: CertificateAuthority.Terms(from: from, until: until, serialNumber: serialNumber))
      return [try made.derEncoded()]
    }
    let usualStart = moment.adding(days: -20)
    let usualEnd = usualStart.adding(days: days)
    switch flaw {
    case .signerOfAnotherRoot: return try signer(of: stranger, name: name, from: usualStart, until: usualEnd)
    case .signerExpired:
      return try signer(of: authority, name: name, from: usualStart, until: moment.adding(seconds: -1))
    case .signerNotYetValid:
      let start = moment.adding(days: 1)
      return try signer(of: authority, name: name, from: start, until: start.adding(days: days))
    case .signedBeforeSigner:
      return try signer(of: authority, name: name, from: moment.adding(days: -1), until: usualEnd)
    case .expired: return try signer(of: authority, name: name, from: usualStart, until: usualEnd)
    case .signerForTooLong:
      return try signer(of: authority, name: name, from: usualStart, until: usualStart.adding(days: days + 1))
    case .signerOfAnotherState:
      var elsewhere = name
      elsewhere.state = "\(name.country ?? "")-ZZ"
      return try signer(of: authority, name: elsewhere, from: usualStart, until: usualEnd)
    case .signerIsReader:
      let reader = try authority.reader(
        name: name, domain: "reader.example", brand: nil, publicKey: Certificate.PublicKey(self.signer.publicKey),
        terms: CertificateAuthority.Terms(from: usualStart, until: usualEnd, serialNumber: serialNumber))
      return [try reader.derEncoded()]
    case .signerKeyKind: return [Self.onAnotherCurve(certificate)]
    case .rootInChain: return [certificate, try authority.root.derEncoded()]
    default: return [certificate]
    }
  }

  /// The certificate with its key said to be on prime239v1, whose identifier is as long as that of P-256.
  private static func onAnotherCurve(_ certificate: [UInt8]) -> [UInt8] {
    let curve: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
    guard let start = certificate.indices.first(where: { certificate[$0...].starts(with: curve) }) else {
      return certificate
    }
    var changed = certificate
    changed[start + curve.count - 1] = 0x04
    return changed
  }

  private func changeSecurityObject(_ parts: inout DocumentParts, _ flaw: DocumentFlaw) {
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

  private func changeElements(_ parts: inout DocumentParts, _ flaw: DocumentFlaw) {
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

  private func changeHeaders(_ parts: inout DocumentParts, _ flaw: DocumentFlaw, chain: [[UInt8]]) {
    let algorithm = CBORValue.integer(1)
    let x5chain = CBORValue.integer(33)
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

  private func issuerAuth(of parts: DocumentParts, _ flaw: DocumentFlaw) throws -> CBORValue {
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
