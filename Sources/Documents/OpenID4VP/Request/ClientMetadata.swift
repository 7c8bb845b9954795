import JOSE
import JSON
import Primitives

/// `client_metadata`: what the verifier's client can read (OpenID4VP, 5.1). Its keys encrypt responses and never verify the
/// request.
public struct ClientMetadata: Sendable {
  /// The keys that a response can be encrypted to, in the order of the request.
  public let encryptionKeys: [JWK]
  /// The reason for which each other key cannot be used.
  public let unusableKeys: [String]
  /// The content encryptions as named (OpenID4VP, 8.3: without the member A128GCM).
  public let encryptionNames: [String]
  /// `vp_formats_supported`; nil without it.
  public let formats: SupportedFormats?

  /// Reads the metadata. Unknown members are ignored, `jwks_uri` with them.
  /// - Throws: ``PresentationRequestFailure``.
  init(json: JSONItem) throws(PresentationRequestFailure) {
    do {
      var keys: [JWK] = []
      var unusable: [String] = []
      var ids: Set<ExactText> = []
      let items = try json.reading("jwks") { (json) throws(JSONError) in
        try json.optionalItem("jwks").map { (jwks) throws(JSONError) in Array(try jwks.item("keys").elements()) } ?? []
      }
      guard items.count <= OpenID4VPLimits.keys else {
        throw JOSEError(.tooLarge, "\(items.count) keys are more than \(OpenID4VPLimits.keys)")
      }
      for (place, item) in items.enumerated() {
        do throws(JOSEError) {
          let key = try JWK(json: item)
          if let id = key.keyID, !ids.insert(ExactText(id)).inserted {
            throw JOSEError(.member, "the identifier of a key is there twice", at: "jwks.keys[\(place)]")
          }
          if let problem = Self.problem(with: key) {
            unusable.append("key \(place) \(problem)")
          } else {
            keys.append(key)
          }
        } catch {
          guard error.code == .key || error.code == .curveUnsupported else { throw error }
          unusable.append("key \(place) cannot be used: \(error.message)")
        }
      }
      encryptionKeys = keys
      unusableKeys = unusable
      let names = try json.reading("encrypted_response_enc_values_supported") { (json) throws(JSONError) in
        try json.optionalMember("encrypted_response_enc_values_supported") as [String]?
      }
      guard names?.isEmpty != true else {
        throw JOSEError(.member, "'encrypted_response_enc_values_supported' is empty")
      }
      encryptionNames = names ?? [JWEEncryption.a128GCM.rawValue]
      formats = try json.reading("vp_formats_supported") { (json) throws(JSONError) in
        try json.optionalItem("vp_formats_supported").map { (json) throws(JSONError) in try SupportedFormats(json: json)
        }
      }
    } catch let error as JOSEError {
      throw PresentationRequestFailure(.metadata, because: error.message, found: error.evidence)
    } catch {
      throw PresentationRequestFailure(.metadata, because: "\(error)")
    }
  }

  /// Returns why a response cannot be encrypted to a key; nil for one that it can be encrypted to.
  private static func problem(with key: JWK) -> String? {
    guard key.use?.isExactly("enc") ?? true else { return "is not for encryption, by its 'use'" }
    guard let algorithm = key.algorithm else { return "has no 'alg', which OpenID4VP, 8.3 requires" }
    guard algorithm.isExactly(JWE.algorithm) else { return "has another 'alg' than \(JWE.algorithm)" }
    guard key.publicKey.curve == .p256 else { return "is not on P-256" }
    return nil
  }

  /// Returns the key and the content encryption for a response: the first key, and the longest key of AES-GCM that the
  /// verifier lists (HAIP, 5.1); nil if the verifier lists nothing usable.
  /// - Parameter supported: The content encryptions of the wallet.
  public func encryption(
    supported: [JWEEncryption] = JWEEncryption.allCases
  ) -> (key: JWK, encryption: JWEEncryption)? {
    let usable = [JWEEncryption.a256GCM, .a128GCM].first { candidate in
      supported.contains(candidate) && encryptionNames.contains { $0.isExactly(candidate.rawValue) }
    }
    guard let key = encryptionKeys.first, let usable else { return nil }
    return (key, usable)
  }
}

/// The formats and algorithms that a verifier supports (OpenID4VP, 11.1, B.2.2 and B.3.4).
public struct SupportedFormats: Sendable {
  /// The formats as named.
  public let names: [String]
  /// The algorithms of an mdoc issuer's signature as COSE identifiers; nil accepts any.
  public let mdocIssuerAlgorithms: [Int]?
  /// The algorithms of an mdoc device's authentication as COSE identifiers; nil accepts any.
  public let mdocDeviceAlgorithms: [Int]?
  /// The algorithms of an SD-JWT issuer's signature; nil accepts any.
  public let sdJWTAlgorithms: [String]?
  /// The algorithms of a key binding JWT; nil accepts any.
  public let keyBindingAlgorithms: [String]?

  init(json: JSONItem) throws(JSONError) {
    names = Array(try json.members()).map(\.name)
    func list<Value: JSONReadable>(_ name: String, _ item: JSONItem?) throws(JSONError) -> [Value]? {
      guard let item, let list = try item.optionalMember(name) as [Value]? else { return nil }
      guard !list.isEmpty else { throw item.error("'\(name)' is empty") }
      return list
    }
    let mdoc = try json.optionalItem(CredentialFormat.mdoc.rawValue)
    let sdJWT = try json.optionalItem(CredentialFormat.sdJWT.rawValue)
    mdocIssuerAlgorithms = try list("issuerauth_alg_values", mdoc)
    mdocDeviceAlgorithms = try list("deviceauth_alg_values", mdoc)
    sdJWTAlgorithms = try list("sd-jwt_alg_values", sdJWT)
    keyBindingAlgorithms = try list("kb-jwt_alg_values", sdJWT)
  }

  /// Returns whether a credential of a format whose issuer and holder sign with ES256 on P-256 can be read. The general
  /// and the fully specified identifiers name the same there (OpenID4VP, B.2.2; RFC 9864).
  public func acceptsES256(_ format: CredentialFormat) -> Bool {
    guard names.contains(where: { $0.isExactly(format.rawValue) }) else { return false }
    func accepts(_ list: [Int]?) -> Bool { list.map { $0.contains(-7) || $0.contains(-9) } ?? true }
    func accepts(_ list: [String]?) -> Bool {
      list.map { $0.contains { $0.isExactly("ES256") || $0.isExactly("ESP256") } } ?? true
    }
    return switch format {
    case .mdoc: accepts(mdocIssuerAlgorithms) && accepts(mdocDeviceAlgorithms)
    case .sdJWT: accepts(sdJWTAlgorithms) && accepts(keyBindingAlgorithms)
    }
  }
}
