import MobileDocument
import Primitives
import TranscriptDiagnosis
import WebPresentment

/// The inputs of a session transcript in an exchange file, from which `handover` computes it:
///
/// ```
/// {"kind": "openid4vp-dcapi", "origin", "nonce", "jwkThumbprint"}
/// {"kind": "openid4vp", "clientId", "nonce", "responseUri", "jwkThumbprint"}
/// {"kind": "annex-b", "clientId", "nonce", "responseUri", "mdocGeneratedNonce"}
/// {"kind": "apple", "nonce", "merchantIdentifier", "teamIdentifier", "recipientPublicKey"}
/// ```
///
/// `jwkThumbprint` is base64 of SHA-256 (RFC 7638), and missing if the response was not encrypted.
enum HandoverInputs {
  private enum Kind: String, CaseIterable {
    case openID4VPBrowser = "openid4vp-dcapi"
    case openID4VP = "openid4vp"
    case annexB = "annex-b"
    case apple
  }

  /// Computes the session transcript.
  /// - Throws: ``ExchangeFileError`` for a missing or unusable input.
  static func transcript(_ member: JSONField) throws(ExchangeFileError) -> SessionTranscript {
    let name = try member.required("kind").shortText()
    func text(_ name: String) throws(ExchangeFileError) -> String { try member.required(name).shortText() }
    func thumbprint() throws(ExchangeFileError) -> [UInt8]? {
      guard let field = member["jwkThumbprint"] else { return nil }
      return try field.pastedBytes()
    }
    switch Kind(rawValue: name) {
    case .openID4VPBrowser?:
      return SessionTranscript(
        encoded: OtherHandovers.openID4VP(
          origin: try text("origin"), nonce: try text("nonce"), thumbprint: try thumbprint()))
    case .openID4VP?:
      return SessionTranscript(
        encoded: OtherHandovers.openID4VPRedirect(
          client: try text("clientId"), nonce: try text("nonce"), thumbprint: try thumbprint(),
          responseAddress: try text("responseUri")))
    case .annexB?:
      return SessionTranscript(
        encoded: OtherHandovers.annexB(
          client: try text("clientId"), responseAddress: try text("responseUri"), nonce: try text("nonce"),
          walletNonce: try text("mdocGeneratedNonce")))
    case .apple?:
      return AppleHandover(
        nonce: try member.required("nonce").pastedBytes(), merchantIdentifier: try text("merchantIdentifier"),
        teamIdentifier: try text("teamIdentifier"),
        recipient: try PrivateKeyFile.publicAgreementKey(jwk: try member.required("recipientPublicKey"))
      ).sessionTranscript
    case nil:
      let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ExchangeFileError(
        .content, member.path, "unknown kind of handover '\(TerminalSafe.text(name))'; expected one of \(known)")
    }
  }
}
