import COSE
import Certificates
import JOSE
import JSON
import Primitives
import X509

/// An issued SD-JWT verifiable credential as a wallet stores it, with every disclosure.
public struct HeldSDJWT: Sendable {
  /// `vct`.
  public let type: String
  /// `exp`; nil without it.
  public let validUntil: DateTime?
  /// `nbf`; nil without it.
  public let validFrom: DateTime?
  /// True if the credential is bound to the holder's key.
  public let isHolderBound: Bool
  /// The key identifiers of the authorities in the issuer's certificate chain, by which a request names accepted issuers.
  public let issuerKeyIdentifiers: [[UInt8]]
  /// The name of the authority in the signer's certificate.
  public let issuerName: String
  /// The claims with what every disclosure discloses.
  package private(set) var claims: ClaimNode
  /// The credential as issued: it ends with a tilde.
  public let issued: String

  private let jwt: String
  private let disclosures: [String]
  private let hash: SDJWTHash

  /// Reads an issued credential. The signature must verify with the signer certificate, every disclosure must belong to a
  /// digest, and the holder's key must be the given one.
  /// - Parameter holderKey: The holder's public key; nil for a credential without holder binding.
  /// - Throws: ``SDJWTError``.
  public init(issued text: String, holderKey: COSEKey?) throws(SDJWTError) {
    let received = try UnverifiedSDJWT(compact: text)
    guard received.keyBindingJWT == nil else {
      throw SDJWTError(.credential, "an issued credential has no key binding JWT (RFC 9901, 7.2)")
    }
    do {
      let chain = try CertificateChain.read(received.issuerJWT.header.x5c ?? [])
      guard let leaf = chain.first else { throw SDJWTError(.credential, "the credential has no signer certificate") }
      let payload = try received.issuerJWT.verify(with: leaf.verificationKey(), type: SDJWTType.credential).claims()
      let disclosed = try DisclosedClaims(payload, disclosures: received.disclosures)
      type = try payload.reading("vct") { (json) throws(JSONError) in try json.member("vct") }
      validUntil = try payload.dateMember("exp")
      validFrom = try payload.dateMember("nbf")
      let key = try HolderKey.read(payload)
      guard key?.publicKey == holderKey else {
        if key == nil { throw SDJWTError(.credential, "the credential is not for a holder's key") }
        throw SDJWTError(.holderKey, "the credential is for another holder's key")
      }
      isHolderBound = key != nil
      issuerKeyIdentifiers = chain.compactMap(\.authorityKeyIdentifier)
      issuerName = leaf.issuerCommonName ?? leaf.issuer.description
      claims = disclosed.root
      hash = disclosed.hash
    } catch let error as SDJWTError {
      throw error
    } catch {
      throw SDJWTError(.credential, "the credential cannot be read: \(error)")
    }
    issued = text
    jwt = received.issuerJWT.compact
    disclosures = received.disclosures.map(\.text)
  }

  /// Returns the credential without some claims, which the holder does not disclose. Those that the issuer made always visible
  /// stay.
  /// - Parameter isKept: A function that returns whether to keep the claim at a place.
  package func keeping(_ isKept: ([ClaimsPath.Component]) -> Bool) -> HeldSDJWT {
    var kept = self
    kept.claims = claims.keeping(isKept)
    return kept
  }

  /// The number of disclosures.
  package var disclosureCount: Int { disclosures.count }

  /// Returns the numbers of the disclosures that claims need: those on the way to each, and all below.
  package func disclosures(for claims: [SelectedClaim]) -> Set<Int> {
    Set(claims.flatMap { $0.disclosures + $0.node.disclosuresBelow })
  }

  /// The values that a key binding JWT has (RFC 9901, 4.3; OpenID4VP, B.3.3 and B.3.6).
  public struct KeyBinding: Sendable {
    /// `aud`: over the Digital Credentials API `origin:` and the origin.
    public var audience: String
    /// `nonce` of the request.
    public var nonce: String
    /// `iat`.
    public var issuedAt: DateTime
    /// The entries of `transaction_data` that this credential answers, exactly as received.
    public var transactionData: [String]
    /// The hash of the entries, named if an entry names algorithms; nil for the default without a name.
    public var transactionDataHash: SDJWTHash?

    /// Creates the values.
    public init(
      audience: String, nonce: String, issuedAt: DateTime, transactionData: [String] = [],
      transactionDataHash: SDJWTHash? = nil
    ) {
      self.audience = audience
      self.nonce = nonce
      self.issuedAt = issuedAt
      self.transactionData = transactionData
      self.transactionDataHash = transactionDataHash
    }
  }

  /// Returns a presentation without key binding.
  /// - Parameter numbers: The numbers of the disclosures to send, in any order.
  public func presented(disclosing numbers: Set<Int>) -> String {
    let sent = disclosures.indices.filter(numbers.contains).map { disclosures[$0] }
    return ([jwt] + sent + [""]).joined(separator: "~")
  }

  /// Returns a presentation with key binding.
  /// - Throws: The key's error.
  public func presented(
    disclosing numbers: Set<Int>, binding: KeyBinding, signedWith key: some ES256Signer
  ) throws -> String {
    let text = presented(disclosing: numbers)
    return text + (try keyBinding(over: text, binding, signedWith: key))
  }

  /// Returns the key binding JWT over a presentation.
  /// - Parameter text: The presentation as far as its last tilde.
  /// - Throws: The key's error.
  package func keyBinding(over text: String, _ binding: KeyBinding, signedWith key: some ES256Signer) throws -> String {
    let digests = binding.transactionData.map {
      JSONValue.string((binding.transactionDataHash ?? .sha256).digest(of: $0))
    }
    let claims = JSONValue(present: [
      ("iat", .number(String(binding.issuedAt.secondsSince1970))), ("aud", .string(binding.audience)),
      ("nonce", .string(binding.nonce)), ("sd_hash", .string(hash.digest(of: text))),
      ("transaction_data_hashes", digests.isEmpty ? nil : .array(digests)),
      ("transaction_data_hashes_alg", digests.isEmpty ? nil : binding.transactionDataHash.map { .string($0.rawValue) }),
    ])
    return try JWS.sign(claims.bytes, header: JOSEHeaderDraft(type: SDJWTType.keyBinding), with: key)
  }
}

/// The holder's key in `cnf` (RFC 7800, 3.2), which is read from the issuer's payload alone.
enum HolderKey {
  /// Reads the key; nil without `cnf`.
  /// - Throws: ``JOSEError`` for `cnf` without a usable `jwk`.
  static func read(_ payload: JSONItem) throws(JOSEError) -> JWK? {
    guard let item = try payload.reading("cnf", { (json) throws(JSONError) in try json.optionalItem("cnf") }) else {
      return nil
    }
    return try JWK(json: item.reading("cnf") { (json) throws(JSONError) in try json.item("jwk") })
  }
}
