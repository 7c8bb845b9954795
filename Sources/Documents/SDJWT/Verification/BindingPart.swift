import Checks
import JOSE
import JSON
import Primitives

/// The checks of the holder's part of a presentation.
struct BindingPart {
  private(set) var outcomes = CheckOutcomes<SDJWTCheck>()

  /// - Parameter issuer: The issuer's part, whose key alone counts. A key in the header of the key binding JWT does not.
  init(_ issuer: IssuerPart, expected: ExpectedKeyBinding, at moment: DateTime) {
    if let refused = issuer.refusedBindingAlgorithm {
      outcomes[.keyBinding] = .passed
      outcomes[.bindingAlgorithm] = .found(nil, refused)
    }
    guard let received = issuer.received else { return }
    guard let jwt = received.keyBindingJWT else {
      outcomes[.keyBinding] = .found()
      return
    }
    outcomes[.keyBinding] = .passed
    outcomes[.bindingType] = Self.type(jwt.header)
    guard let key = issuer.key,
      let verified = outcomes.verify(
        jwt, .bindingAlgorithm, .bindingSignature, with: { () throws(JOSEError) in try key.verificationKey() }),
      let claims = readClaims(verified)
    else { return }
    outcomes[.bindingAudience] = Self.text("aud", claims.audience, is: expected.audience)
    outcomes[.bindingNonce] = Self.text("nonce", claims.nonce, is: expected.nonce)
    checkTime(claims, earliest: expected.earliest, at: moment)
    if let hash = issuer.claims?.hash {
      outcomes[.bindingDigest] = Self.text("sd_hash", claims.digest, is: hash.digest(of: received.presentedText))
    }
    checkTransactionData(claims.json, expected)
  }

  private static func type(_ header: JOSEHeader) -> Outcome {
    let found = header.type ?? "none"
    return .require(
      found.isExactly(SDJWTType.keyBinding), nil, nil,
      .field("typ", expected: SDJWTType.keyBinding, found: TerminalSafe.text(String(found.prefix(64)))))
  }

  private struct Claims {
    let json: JSONItem
    let issuedAt: DateTime
    let expires: DateTime?
    let validFrom: DateTime?
    let audience: String
    let nonce: String
    let digest: String
  }

  private mutating func readClaims(_ verified: VerifiedJWS) -> Claims? {
    do throws(JOSEError) {
      let json = try verified.claims()
      guard let issuedAt = try json.dateMember("iat") else { throw JOSEError(.member, "'iat' is missing") }
      // A single string: an array of audiences could name others too (RFC 9901, 4.3).
      let (audience, nonce, digest) = try json.reading("the key binding JWT") { (json) throws(JSONError) in
        (try json.member("aud") as String, try json.member("nonce") as String, try json.member("sd_hash") as String)
      }
      let found = Claims(
        json: json, issuedAt: issuedAt, expires: try json.dateMember("exp"), validFrom: try json.dateMember("nbf"),
        audience: audience, nonce: nonce, digest: digest)
      outcomes[.bindingClaims] = .passed
      return found
    } catch {
      outcomes[.bindingClaims] = .found(nil, "the claims of the key binding JWT are malformed: \(error.message)")
      return nil
    }
  }

  private static func text(_ name: String, _ found: String, is expected: String) -> Outcome {
    .require(
      found.isExactly(expected), nil, nil,
      .field(name, expected: expected, found: TerminalSafe.text(String(found.prefix(256)))))
  }

  private mutating func checkTime(_ claims: Claims, earliest: DateTime?, at moment: DateTime) {
    let skew = JOSELimits.clockSkew
    var found: [Outcome.Finding] = []
    if claims.issuedAt > moment.adding(seconds: skew) {
      found.append(.init(.tooNew, nil, .field("iat", expected: "\(moment) or earlier", found: "\(claims.issuedAt)")))
    }
    if let earliest, claims.issuedAt < earliest.adding(seconds: -skew) {
      found.append(.init(.tooOld, nil, .field("iat", expected: "\(earliest) or later", found: "\(claims.issuedAt)")))
    }
    if let expires = claims.expires, moment >= expires {
      found.append(.init(.expired, nil, .field("exp", expected: "after \(moment)", found: "\(expires)")))
    }
    if let from = claims.validFrom, moment < from {
      found.append(.init(.notYetValid, nil, .field("nbf", expected: "\(moment) or earlier", found: "\(from)")))
    }
    outcomes[.bindingTime] =
      earliest == nil && found.isEmpty
      ? .notApplicable("the time of this session is not known; the times of the key binding JWT do not exclude now")
      : .findings(found)
  }

  /// The hashes count as a set: no text gives them an order.
  private mutating func checkTransactionData(_ json: JSONItem, _ expected: ExpectedKeyBinding) {
    do {
      let (hashes, name) = try json.reading("transaction_data_hashes") { (json) throws(JSONError) in
        (
          try json.optionalMember("transaction_data_hashes") as [String]?,
          try json.optionalMember("transaction_data_hashes_alg") as String?
        )
      }
      guard !expected.transactionData.isEmpty else {
        outcomes[.transactionData] = hashes == nil ? .notApplicable("no transaction was requested") : .found(.departs)
        return
      }
      let hash = name.map(SDJWTHash.init(rawValue:)) ?? .sha256
      guard let hash, expected.transactionDataHashes.contains(hash) else {
        outcomes[.transactionData] = .found(
          nil, "the hash algorithm of the transactions was not offered",
          .field(
            "transaction_data_hashes_alg",
            expected: expected.transactionDataHashes.map(\.rawValue).joined(separator: " or "),
            found: TerminalSafe.text(String((name ?? SDJWTHash.sha256.rawValue).prefix(64)))))
        return
      }
      guard name != nil || !expected.namesTransactionHash else {
        outcomes[.transactionData] = .found(
          .missing, nil,
          .field(
            "transaction_data_hashes_alg",
            expected: expected.transactionDataHashes.map(\.rawValue).joined(separator: " or ")))
        return
      }
      let wanted = expected.transactionData.map { ExactText(hash.digest(of: $0)) }
      let found = (hashes ?? []).map(ExactText.init)
      outcomes[.transactionData] = .require(
        found.count == wanted.count && Set(found) == Set(wanted), nil, nil,
        .field(
          "transaction_data_hashes", expected: "those of \(wanted.count.counted("transaction"))",
          found: found.count.counted("digest")))
    } catch {
      outcomes[.transactionData] = .found(nil, error.message)
    }
  }
}
