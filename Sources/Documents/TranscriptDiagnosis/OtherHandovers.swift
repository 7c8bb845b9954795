import CBOR
import Checks
import MobileDocument
import Primitives
import WebPresentment

/// The transcripts of other protocols, as far as their inputs are known here: a wallet that speaks several may take the
/// wrong one. Client identifiers and response addresses of those protocols are guessed from the origin.
extension TranscriptVariant {
  /// Paths at which OpenID4VP verifiers often receive responses.
  static let commonResponsePaths = ["/response", "/direct_post", ""]

  func otherProtocolTranscripts(from inputs: ReadTranscriptInputs) -> [VariantTranscript] {
    guard let parsed = inputs.parsed, let parts = inputs.originParts else { return [] }
    let origin = inputs.given.origin
    let nonce = Base64URL.encode(parsed.nonce)
    lazy var addresses = Self.commonResponsePaths.map { origin + $0 }
    lazy var reversedHost = parts.host.split(separator: ".").reversed().joined(separator: ".")
    switch self {
    case .openID4VP:
      return inputs.given.openID4VP.map { handover("OpenID4VPDCAPIHandover", $0.sessionTranscript.encoded) }
        + [parsed.keyThumbprint, nil].map {
          handover("OpenID4VPDCAPIHandover", OtherHandovers.openID4VP(origin: origin, nonce: nonce, thumbprint: $0))
        }
    case .openID4VPDraft:
      return ["web-origin:\(origin)", "x509_san_dns:\(parts.host)"].map {
        handover("OpenID4VPDCAPIHandover", OtherHandovers.openID4VPDraft(origin: origin, client: $0, nonce: nonce))
      }
    case .openID4VPRedirect:
      let thumbprint = parsed.keyThumbprint
      return addresses.map {
        handover(
          "OpenID4VPHandover",
          OtherHandovers.openID4VPRedirect(
            client: "x509_san_dns:\(parts.host)", nonce: nonce, thumbprint: thumbprint, responseAddress: $0))
      }
    case .annexB:
      // The wallet's own nonce travels in an encrypted header that does not exist here.
      return addresses.map {
        handover(nil, OtherHandovers.annexB(client: parts.host, responseAddress: $0, nonce: nonce, walletNonce: ""))
      }
    case .browserHandover:
      return [
        handover(
          "BrowserHandoverv1",
          OtherHandovers.browser(nonce: parsed.nonce, origin: origin, keyDigest: parsed.keyDigest))
      ]
    case .androidHandover:
      return [reversedHost, origin].map {
        handover(
          "AndroidHandoverv1",
          OtherHandovers.android(nonce: parsed.nonce, package: $0, keyDigest: parsed.keyDigest))
      }
    case .appleInApp:
      return ["merchant.\(reversedHost)", parts.host].map {
        handover(
          AppleHandover.version,
          AppleHandover(
            nonce: parsed.nonce, merchantIdentifier: $0, teamIdentifier: "", recipientKeyHash: parsed.keyDigest
          ).sessionTranscript.encoded)
      }
    default: return []
    }
  }

  private func handover(_ name: String?, _ encoded: [UInt8]) -> VariantTranscript {
    VariantTranscript(
      self, encoded: encoded,
      .field(
        "handover", expected: "[\"dcapi\", …]",
        found: name.map { "[\"\($0)\", …]" } ?? "[client digest, response address digest, nonce]"))
  }
}

/// The handovers of other online protocols, each as the encoded session transcript around it.
package enum OtherHandovers {
  /// OpenID4VP 1.0 over the Digital Credentials API (B.2.6.2).
  /// - Parameter thumbprint: Of the key that the response is encrypted to; nil when it is not encrypted.
  package static func openID4VP(origin: String, nonce: String, thumbprint: [UInt8]?) -> [UInt8] {
    hashed("OpenID4VPDCAPIHandover", [.text(origin), .text(nonce), thumbprint.map(CBORValue.bytes) ?? .null])
  }

  /// Drafts of OpenID4VP up to 24 over the Digital Credentials API.
  static func openID4VPDraft(origin: String, client: String, nonce: String) -> [UInt8] {
    hashed("OpenID4VPDCAPIHandover", [.text(origin), .text(client), .text(nonce)])
  }

  /// OpenID4VP 1.0 with redirects (B.2.6.1).
  package static func openID4VPRedirect(
    client: String, nonce: String, thumbprint: [UInt8]?, responseAddress: String
  ) -> [UInt8] {
    hashed(
      "OpenID4VPHandover",
      [.text(client), .text(nonce), thumbprint.map(CBORValue.bytes) ?? .null, .text(responseAddress)])
  }

  /// ISO/IEC 18013-7, B.4.4, and drafts of OpenID4VP up to 18.
  package static func annexB(client: String, responseAddress: String, nonce: String, walletNonce: String) -> [UInt8] {
    let digests = [client, responseAddress].map { text in
      CBORValue.bytes(TranscriptParts.digest(CBORValue.array([.text(text), .text(walletNonce)]).encoded))
    }
    return plain(digests + [.text(nonce)])
  }

  /// The preview of browsers before annex C.
  /// - Parameter keyDigest: SHA-256 of the recipient's key.
  static func browser(nonce: [UInt8], origin: String, keyDigest: [UInt8]) -> [UInt8] {
    let information = CBORValue.textMap([
      ("cat", .unsigned(1)), ("type", .unsigned(1)), ("details", .textMap([("baseUrl", .text(origin))])),
    ])
    return plain([.text("BrowserHandoverv1"), .bytes(nonce), .bytes(information.encoded), .bytes(keyDigest)])
  }

  /// The preview of Android between apps.
  static func android(nonce: [UInt8], package: String, keyDigest: [UInt8]) -> [UInt8] {
    plain([.text("AndroidHandoverv1"), .bytes(nonce), .bytes(Array(package.utf8)), .bytes(keyDigest)])
  }

  /// `[name, SHA-256 of the information]`.
  private static func hashed(_ name: String, _ information: [CBORValue]) -> [UInt8] {
    plain([.text(name), .bytes(TranscriptParts.digest(CBORValue.array(information).encoded))])
  }

  /// The handover of OpenID4VP over the Digital Credentials API with another digest.
  static func dcAPI(digest: [UInt8]) -> [UInt8] { plain([.text("OpenID4VPDCAPIHandover"), .bytes(digest)]) }

  /// The same with an encoded item in place of the digest.
  static func dcAPI(item: [UInt8]) -> [UInt8] {
    TranscriptParts.transcript(handover: TranscriptParts.handover(marker: "OpenID4VPDCAPIHandover", item))
  }

  private static func plain(_ handover: [CBORValue]) -> [UInt8] {
    TranscriptParts.transcript(handover: CBORValue.array(handover).encoded)
  }
}
