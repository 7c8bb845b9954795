import COSE
import MobileDocument
import Primitives
import SDJWT

extension HeldDocument {
  /// Returns the presentation of the elements that answer a query: base64url of a device response with this document
  /// alone (OpenID4VP, B.2; HAIP, 5.3).
  ///
  /// - Parameters:
  ///   - match: The elements.
  ///   - transcript: The session transcript of the request: ``OpenID4VPHandover``.
  ///   - key: The device key.
  /// - Throws: The key's error.
  package func presentation(
    of match: DCQLMatch, over transcript: SessionTranscript, signedWith key: some ES256Signer
  ) throws -> String {
    let kept = keeping { space, identifier in
      match.elements.contains { $0.nameSpace.isExactly(space) && $0.identifier.isExactly(identifier) }
    }
    let document = try kept.presented(kept.nameSpaces.filter { !$0.items.isEmpty }, over: transcript, signedWith: key)
    return Base64URL.encode(DeviceResponseWriter.encoded(documents: [document]))
  }
}

extension HeldSDJWT {
  /// Returns the presentation of the claims that answer a query, with key binding (OpenID4VP, B.3).
  ///
  /// - Parameters:
  ///   - match: The claims.
  ///   - binding: The values of the key binding JWT.
  ///   - key: The holder's key.
  /// - Throws: The key's error.
  package func presentation(
    of match: DCQLMatch, binding: KeyBinding, signedWith key: some ES256Signer
  ) throws -> String {
    try presented(disclosing: disclosures(for: match.selected), binding: binding, signedWith: key)
  }
}
