import CBOR
import COSE
import MobileDocument
import SDJWT

/// A document that an app accepts without checking its signature or its digests. It shows that the verifier notices.
public struct UncheckedDocument: Sendable {
  /// `DocType` that it is presented as; the mobile security object may say something else.
  public let documentType: String
  let nameSpaces: [IssuerNameSpace]
  private let issuerAuthBytes: [UInt8]

  /// Takes in what an issuer sent.
  /// - Parameter documentType: What to present it as.
  /// - Throws: ``CBORError`` when there is nothing that could be presented.
  public init(issued bytes: [UInt8], documentType: String) throws(CBORError) {
    let issuerSigned = try UnverifiedIssuerSigned(CBORReader.read(bytes, leniency: .received))
    self.documentType = documentType
    nameSpaces = issuerSigned.nameSpaces
    issuerAuthBytes = issuerSigned.issuerAuthBytes
  }

  /// A document that is in order.
  public init(_ document: HeldDocument) {
    documentType = document.documentType
    nameSpaces = document.nameSpaces
    issuerAuthBytes = document.issuerAuthBytes
  }

  /// `Document` with these elements, and with the device's signature over a transcript.
  /// - Throws: What the key throws.
  func presented(
    _ nameSpaces: [IssuerNameSpace], over transcript: SessionTranscript, signedWith key: any ES256Signer
  ) throws -> CBORValue {
    let elements = CBORValue.tagged(24, .bytes(CBORValue.map([]).encoded))
    let signed = transcript.deviceAuthenticationBytes(
      documentType: documentType, deviceNameSpacesBytes: elements.encoded)
    let signature = try COSESign1.sign(payload: signed, detached: true, with: key)
    let returned = try nameSpaces.map { ($0.name, CBORValue.array(try $0.items.map { try Self.value($0.bytes) })) }
    let issuerAuth = ("issuerAuth", try Self.value(issuerAuthBytes))
    return .textMap([
      ("docType", .text(documentType)),
      ("issuerSigned", .textMap((returned.isEmpty ? [] : [("nameSpaces", .textMap(returned))]) + [issuerAuth])),
      (
        "deviceSigned",
        .textMap([
          ("nameSpaces", elements), ("deviceAuth", .textMap([("deviceSignature", try Self.value(signature))])),
        ])
      ),
    ])
  }

  /// The encoded value, with tag 24 around the received bytes.
  private static func value(_ encoded: [UInt8]) throws -> CBORValue {
    CBORValue(try CBORReader.read(encoded, leniency: .received, readingEmbedded: false))
  }
}

/// An SD-JWT credential that an app accepts without checking it. It shows that the verifier notices.
package struct UncheckedCredential: Sendable {
  private let jwt: String
  private let disclosures: [String]

  /// Takes in what an issuer sent.
  package init(issued bytes: [UInt8]) {
    var parts = String(decoding: bytes, as: UTF8.self).split(separator: "~").map(String.init)
    jwt = parts.isEmpty ? "" : parts.removeFirst()
    disclosures = parts
  }

  /// A presentation without key binding. Disclosures that the issuer added after those of the held credential are sent, too.
  /// - Parameter numbers: The numbers of the disclosures of the held credential to send.
  package func presented(disclosing numbers: Set<Int>, of held: HeldSDJWT) -> String {
    let sent = disclosures.indices.filter { numbers.contains($0) || $0 >= held.disclosureCount }
    return ([jwt] + sent.map { disclosures[$0] } + [""]).joined(separator: "~")
  }
}
