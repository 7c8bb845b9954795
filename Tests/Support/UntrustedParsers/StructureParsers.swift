import CBOR
import COSE
import Certificates
import Crypto
import TestSupport
import WebPresentment

@testable import MobileDocument
@testable import StatusLists

extension UntrustedParser {
  /// One item, strictly and leniently: every strict item is also lenient, and is not longer when it is written.
  static let cbor = UntrustedParser(
    "cbor", growth: 24,
    seeds: {
      Seeds.bytes("hex", of: "cbor_rfc8949") + Seeds.bytes("hex", of: "session_transcripts")
        + Seeds.bytes("hex", of: "status_lists")
    }
  ) { bytes in
    let strict = try? CBORReader.read(bytes)
    let lenient: CBORItem
    do {
      lenient = try CBORReader.read(bytes, leniency: .received)
    } catch let error as CBORError {
      try BrokenPromise.unless(strict == nil, "strict reading accepts what lenient reading refuses")
      try BrokenPromise.unless((0...bytes.count).contains(error.offset), "an error outside the input")
      throw error
    }
    try BrokenPromise.unless((strict != nil) == lenient.deviations.isEmpty, "strict and lenient reading disagree")
    let value = CBORValue(lenient)
    let written = value.encoded
    // Only a definite length of many items takes more space than an indefinite one with its break.
    try BrokenPromise.unless(strict == nil || written.count <= bytes.count, "written longer than read")
    try BrokenPromise.unless(CBORValue(CBORReader.read(written)) == value, "written and read again it is another")
    return lenient.diagnostic.utf8.count
  }

  /// Signed and authenticated messages and keys.
  static let cose = UntrustedParser(
    "cose",
    seeds: {
      Seeds.bytes("hex", of: "cose") + Seeds.annexD("issuer-auth", "reader-auth")
        + Seeds.annexD("device-auth-mac").map { Array($0.dropFirst(11)) } + Seeds.issuerSignatures
        + [Self.someKey.publicKey].map { COSEKey($0).encoded }
    }
  ) { bytes in
    let item = try CBORReader.read(bytes, leniency: .received)
    if let key = try? COSEKey(item) {
      try BrokenPromise.unless(
        COSEKey(reading: key.encoded) == key, "a key that was read is another when it is written and read")
      return key.encoded.count
    }
    if let code = try? COSEMac0(item) {
      _ = try? code.verify(with: SymmetricKey(data: [1]), detachedPayload: [])
      return code.code.count
    }
    let signature = try COSESign1(item)
    _ = try? signature.verify(with: .p256(Self.someKey.publicKey), detachedPayload: [])
    return signature.encoded.count + (signature.headers.x5chain ?? []).reduce(0) { $0 + $1.count }
  }

  /// Requests, whose every signature is checked before anything in them is read.
  static let deviceRequest = UntrustedParser("device-request", seeds: { Seeds.deviceRequests }) { bytes in
    let request = try UnverifiedDeviceRequest(bytes)
    let contents = Result { try request.unverifiedContents() }
    let authenticated = try request.authenticate(over: Self.transcript)
    // The authenticated content equals the content readable before.
    let shown = try contents.get()
    try BrokenPromise.unless(
      shown.documentRequests == authenticated.documentRequests.map(\.value),
      "the authenticated content differs from the content shown before")
    return shown.documentRequests.reduce(0) { size, request in
      size + request.documentType.utf8.count
        + request.nameSpaces.reduce(0) { $0 + $1.name.utf8.count + $1.elements.count }
    }
  }

  /// Responses, with everything that a verification reads.
  static let deviceResponse = UntrustedParser("device-response", seeds: { Seeds.deviceResponses }) { bytes in
    let response = try UnverifiedDeviceResponse(bytes)
    return try response.documents.reduce(0) { try $0 + Self.readSignature(of: $1.issuerSigned) }
  }

  /// Documents in the form that issuers send.
  static let issuerSigned = UntrustedParser("issuer-signed", seeds: { Seeds.issuedDocuments }) { bytes in
    _ = try HeldDocument(issued: bytes, deviceKey: COSEKey(Self.someKey.publicKey))
    throw BrokenPromise(description: "a document for another device key was taken in")
  }

  /// Mobile security objects.
  static let securityObject = UntrustedParser("mso", seeds: { Seeds.securityObjects }) { bytes in
    let object = try MobileSecurityObject(payload: bytes)
    return object.valueDigests.reduce(object.documentType.utf8.count) { size, space in
      size + space.nameSpace.utf8.count + space.digests.entries.count
    }
  }

  /// Tokens with status lists, and their claims, for any signature: inflated data stays within its limit.
  static let statusList = UntrustedParser(
    "status-list",
    seeds: {
      Seeds.bytes("hex", of: "status_lists", kind: "Status List Token (CWT)")
        + Seeds.bytes("hex", of: "synthetic_annex_c", kind: "Status List Token CWT")
        + Seeds.bytes("hex", of: "synthetic_annex_c", kind: "Identifier List CWT")
    }
  ) { bytes in
    _ = try? UnverifiedStatusToken(bytes).verified()
    let message = try COSESign1(CBORReader.read(bytes, leniency: .received))
    guard let payload = message.unverifiedPayload else { throw NoValue() }
    var content: StatusTokenClaims.Content?
    for kind in StatusListKind.allCases {
      if let claims = try? StatusTokenClaims(payload, kind: kind) { content = claims.content }
    }
    switch content {
    case .statusList(let list)?:
      try BrokenPromise.unless(list.bytes.count <= StatusLimits.listLength, "inflated beyond its bound")
      return payload.count
    case .identifierList(let identifiers)?: return identifiers.reduce(0) { $0 + $1.count }
    case nil: throw NoValue()
    }
  }

  /// The issuer's signature in a document, its certificates and its content.
  private static func readSignature(of document: UnverifiedIssuerSigned) throws -> Int {
    let signature = try COSESign1(CBORReader.read(document.issuerAuthBytes, leniency: .received))
    for certificate in try CertificateChain.read(signature.headers.x5chain ?? []) {
      _ = certificate.subject.description
    }
    if let payload = signature.unverifiedPayload { _ = try MobileSecurityObject(payload: payload) }
    return document.nameSpaces.reduce(0) { $0 + $1.items.reduce(0) { $0 + $1.bytes.count } }
  }

  /// An arbitrary key, the same in every process, so that a failure can be repeated.
  static let someKey = FixedKeys.signing(1)
  /// An unsigned transcript.
  static let transcript = EncryptionInfo.sessionTranscript(encryptionInfoText: "", origin: "https://example.com")
}
