import COSE
import JOSE
import JSON
import Primitives
import StatusLists

/// An SD-JWT verifiable credential to be issued (SD-JWT VC, 2.2).
public struct SDJWTDraft: Sendable {
  /// `vct`: the type of the credential.
  public var type: String
  /// `iss`; nil to omit it.
  public var issuer: String?
  /// `iat`; nil to omit it.
  public var issuedAt: DateTime?
  /// `nbf`; nil to omit it.
  public var validFrom: DateTime?
  /// `exp`; nil to omit it.
  public var validUntil: DateTime?
  /// The holder's public key for `cnf`; nil for a credential without holder binding.
  public var holderKey: COSEKey?
  /// The reference to a status list; nil to omit it.
  public var status: StatusReference?
  /// The other claims, an object.
  package var claims: JSONValue
  /// The claims that the holder may leave out. A path to an array with null at its end stands for each element.
  public var disclosable: [ClaimsPath]
  /// The number of decoy digests in each object with disclosable members (RFC 9901, 4.2.5).
  public var decoys = 0
  /// `typ` of the issuer-signed JWT.
  public var headerType = SDJWTType.credential

  /// Creates a draft.
  package init(type: String, holderKey: COSEKey?, claims: JSONValue, disclosable: [ClaimsPath]) {
    self.type = type
    self.holderKey = holderKey
    self.claims = claims
    self.disclosable = disclosable
  }

  /// Returns whether a claim at the top is about the credential itself, and not about its holder.
  package static func isAboutCredential(_ name: String) -> Bool {
    name.isExactly("iat") || RegisteredClaim.isAlwaysVisible(name)
  }

  /// The length of salts in bytes (RFC 9901, 4.2.1: 128 bits are recommended).
  public static let saltLength = 16

  /// Issues the credential: salts every disclosable claim, signs the digests with ES256, and appends the disclosures.
  ///
  /// - Parameters:
  ///   - signer: The key of the signer certificate.
  ///   - chain: The DER of the signer certificate and the intermediate certificates, leaf first.
  ///   - randomBytes: A source of salts and decoys: the system's randomness, or a world's labelled stream.
  /// - Returns: The compact serialization, which ends with a tilde.
  /// - Throws: ``SDJWTError`` for a claim that may not be disclosable or has a reserved name, or the signer's error.
  public func issued(by signer: some ES256Signer, chain: [[UInt8]], randomBytes: (Int) -> [UInt8]) throws -> String {
    guard case .object(let claims) = claims else { throw SDJWTError(.payload, "the claims are not an object") }
    var concealing = Concealing(paths: disclosable.map(\.components), decoys: decoys)
    let registered = registeredClaims
    if let twice = claims.first(where: { claim in RegisteredClaim.isAlwaysVisible(claim.name) }) {
      throw SDJWTError(.claimName, "the claim '\(twice.name)' is set by the issuer's own members")
    }
    guard case .object(let concealed) = try concealing.object(claims, at: [], randomBytes) else {
      throw SDJWTError(.payload, "the claims are not an object")
    }
    var payload = registered + concealed
    if !concealing.disclosures.isEmpty {
      payload.append(.init(name: DisclosedClaims.algorithmName, value: .string(SDJWTHash.sha256.rawValue)))
    }
    let jwt = try JWS.sign(
      JSONValue.object(payload).bytes, header: JOSEHeaderDraft(type: headerType, x5c: chain), with: signer)
    return ([jwt] + concealing.disclosures + [""]).joined(separator: "~")
  }

  private var registeredClaims: [JSONValue.Member] {
    func date(_ moment: DateTime?) -> JSONValue? { moment.map { .number(String($0.secondsSince1970)) } }
    let claims: [(name: String, value: JSONValue?)] = [
      ("iss", issuer.map { .string($0) }), ("iat", date(issuedAt)), ("nbf", date(validFrom)), ("exp", date(validUntil)),
      ("vct", .string(type)), ("cnf", holderKey.map { JSONValue(members: [("jwk", JWK($0).json)]) }),
      ("status", status.flatMap(\.json).map { JSONValue(members: [("status_list", $0)]) }),
    ]
    return claims.compactMap { name, value in value.map { .init(name: name, value: $0) } }
  }
}

/// The values of `typ`.
public enum SDJWTType {
  /// Of an issuer-signed JWT (SD-JWT VC, 2.2.1).
  public static let credential = "dc+sd-jwt"
  /// Of one by an old draft.
  public static let oldCredential = "vc+sd-jwt"
  /// Of a key binding JWT (RFC 9901, 4.3).
  public static let keyBinding = "kb+jwt"

  /// The type of a credential where one text names format and type, as in lists and registrations.
  package static func registeredType(_ vct: String) -> String { "\(credential) \(vct)" }
}

/// The claims whose meaning SD-JWT VC fixes.
enum RegisteredClaim {
  /// Returns whether a claim at the top must not be selectively disclosable (SD-JWT VC, 2.2.2.3).
  static func isAlwaysVisible(_ name: String) -> Bool { alwaysVisible.contains { $0.isExactly(name) } }

  private static let alwaysVisible = [
    "iss", "nbf", "exp", "cnf", "vct", "vct#integrity", "aka_vcts", "status",
  ]
}

extension StatusReference {
  /// The reference as the member `status_list`; nil for an identifier list, which JSON has no form for.
  fileprivate var json: JSONValue? {
    guard case .index(let index) = entry else { return nil }
    return JSONValue(members: [("idx", .number(String(index))), ("uri", .string(uri))])
  }
}

/// Replaces claims by digests, the innermost first.
private struct Concealing {
  let paths: [[ClaimsPath.Component]]
  let decoys: Int
  private(set) var disclosures: [String] = []

  private func isConcealed(_ place: [ClaimsPath.Component]) -> Bool {
    paths.contains { path in
      path.count == place.count
        && zip(path, place).allSatisfy { wanted, found in
          if case (.all, .index) = (wanted, found) { return true }
          return wanted == found
        }
    }
  }

  private mutating func value(
    _ value: JSONValue, at place: [ClaimsPath.Component], _ randomBytes: (Int) -> [UInt8]
  ) throws(SDJWTError) -> JSONValue {
    guard place.count <= SDJWTLimits.depth else { throw SDJWTError(.tooLarge, "the claims are nested too deeply") }
    switch value {
    case .object(let members): return try object(members, at: place, randomBytes)
    case .array(let elements):
      var written: [JSONValue] = []
      for (index, element) in elements.enumerated() {
        let place = place + [.index(index)]
        let inner = try self.value(element, at: place, randomBytes)
        guard isConcealed(place) else {
          written.append(inner)
          continue
        }
        let digest = disclose([inner], randomBytes)
        written.append(JSONValue(members: [(DisclosedClaims.elementName, .string(digest))]))
      }
      return .array(written)
    default: return value
    }
  }

  mutating func object(
    _ members: [JSONValue.Member], at place: [ClaimsPath.Component], _ randomBytes: (Int) -> [UInt8]
  ) throws(SDJWTError) -> JSONValue {
    var written: [JSONValue.Member] = []
    var digests: [String] = []
    for member in members {
      guard !DisclosedClaims.isReserved(member.name), !member.name.isExactly(DisclosedClaims.algorithmName) else {
        throw SDJWTError(.claimName, "the claim name '\(member.name)' is reserved")
      }
      let place = place + [.member(member.name)]
      let inner = try value(member.value, at: place, randomBytes)
      if isConcealed(place) {
        digests.append(disclose([.string(member.name), inner], randomBytes))
      } else {
        written.append(.init(name: member.name, value: inner))
      }
    }
    guard !digests.isEmpty else { return .object(written) }
    for _ in 0..<decoys {
      digests.append(SDJWTHash.sha256.digest(of: Base64URL.encode(randomBytes(SDJWTDraft.saltLength))))
    }
    // In the order of the digests, so that nothing tells the order of the claims (RFC 9901, 4.2.4.1).
    digests.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return .object([.init(name: DisclosedClaims.digestsName, value: .array(digests.map { .string($0) }))] + written)
  }

  /// Appends a disclosure and returns its digest.
  private mutating func disclose(_ parts: [JSONValue], _ randomBytes: (Int) -> [UInt8]) -> String {
    let salt = JSONValue.string(Base64URL.encode(randomBytes(SDJWTDraft.saltLength)))
    let text = Base64URL.encode(JSONValue.array([salt] + parts).bytes)
    disclosures.append(text)
    return SDJWTHash.sha256.digest(of: text)
  }
}
