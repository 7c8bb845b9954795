import Checks
import MobileDocument
import Primitives

/// The transcripts of other protocols, as far as their inputs are known here: a wallet that speaks several may take the
/// wrong one. Client identifiers and response addresses of those protocols are guessed from the origin.
extension TranscriptMistake {
  /// Where the OpenID4VP verifiers of a host often take responses.
  static let commonResponsePaths = ["/response", "/direct_post", ""]

  func otherProtocolTranscripts(from inputs: TranscriptInputs) -> [WrongTranscript] {
    guard let parsed = inputs.parsed, let parts = inputs.originParts else { return [] }
    let origin = inputs.origin
    let nonce = Base64URL.encode(parsed.nonce)
    let addresses = Self.commonResponsePaths.map { origin + $0 }
    let reversedHost = parts.host.split(separator: ".").reversed().joined(separator: ".")
    switch self {
    case .openID4VP:
      return [parsed.keyThumbprint, nil].map {
        handover("OpenID4VPDCAPIHandover", OtherHandovers.openID4VP(origin: origin, nonce: nonce, thumbprint: $0))
      }
    case .openID4VPDraft:
      return ["web-origin:\(origin)", "x509_san_dns:\(parts.host)"].map {
        handover("OpenID4VPDCAPIHandover", OtherHandovers.openID4VPDraft(origin: origin, client: $0, nonce: nonce))
      }
    case .openID4VPRedirect:
      return addresses.map {
        handover(
          "OpenID4VPHandover",
          OtherHandovers.openID4VPRedirect(
            client: "x509_san_dns:\(parts.host)", nonce: nonce, thumbprint: parsed.keyThumbprint, responseAddress: $0))
      }
    case .annexB:
      // The wallet's own nonce travels in an encrypted header that does not exist here.
      return addresses.map {
        handover(
          nil,
          OtherHandovers.annexB(client: parts.host, responseAddress: $0, nonce: nonce, walletNonce: ""))
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
          "AppleIdentityPresentment_1.0",
          OtherHandovers.apple(nonce: parsed.nonce, merchant: $0, team: "", keyDigest: parsed.keyDigest))
      }
    default: return []
    }
  }

  private func handover(_ name: String?, _ encoded: [UInt8]) -> WrongTranscript {
    WrongTranscript(
      self, encoded: encoded,
      [
        CheckResult.Evidence(
          "handover", expected: "[\"dcapi\", …]",
          found: name.map { "[\"\($0)\", …]" } ?? "[client digest, response address digest, nonce]")
      ])
  }
}
