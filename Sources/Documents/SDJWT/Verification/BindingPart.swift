import Checks
import JOSE
import JSON
import Primitives

/// The checks of the holder's part of a presentation.
struct BindingPart {
  private var present = Outcome.notReached
  private var type = Outcome.notReached
  private var algorithm = Outcome.notReached
  private var signature = Outcome.notReached
  private var claims = Outcome.notReached
  private var time = Outcome.notReached
  private var audience = Outcome.notReached
  private var nonce = Outcome.notReached
  private var digest = Outcome.notReached
  private var transactionData = Outcome.notReached

  /// - Parameter issuer: The issuer's part, whose key alone counts. A key in the header of the key binding JWT does not.
  init(_ issuer: IssuerPart, expected: ExpectedKeyBinding, at moment: DateTime) {
    if let refused = issuer.refusedBindingAlgorithm {
      present = .passed
      algorithm = .found(nil, refused)
    }
    guard let received = issuer.received else { return }
    guard let jwt = received.keyBindingJWT else {
      present = .found()
      return
    }
    present = .passed
    type = Self.type(jwt.header)
    guard let key = issuer.key, let verified = verify(jwt, with: key), let claims = readClaims(verified) else { return }
    audience = Self.text("aud", claims.audience, is: expected.audience)
    nonce = Self.text("nonce", claims.nonce, is: expected.nonce)
    checkTime(claims, earliest: expected.earliest, at: moment)
    if let hash = issuer.claims?.hash {
      digest = Self.text("sd_hash", claims.digest, is: hash.digest(of: received.presentedText))
    }
    checkTransactionData(claims.json, expected)
  }

  /// The outcome of one check.
  func outcome(of check: SDJWTCheck) -> Outcome {
    switch check {
    case .keyBinding: present
    case .bindingType: type
    case .bindingAlgorithm: algorithm
    case .bindingSignature: signature
    case .bindingClaims: claims
    case .bindingTime: time
    case .bindingAudience: audience
    case .bindingNonce: nonce
    case .bindingDigest: digest
    case .transactionData: transactionData
    default: .notReached
    }
  }

  private static func type(_ header: JOSEHeader) -> Outcome {
    let found = header.type ?? "none"
    return .require(
      found.isExactly(SDJWTType.keyBinding), nil, nil,
      [CheckResult.Evidence("typ", expected: SDJWTType.keyBinding, found: TerminalSafe.text(String(found.prefix(64))))])
  }

  private mutating func verify(_ jwt: JWS, with key: JWK) -> VerifiedJWS? {
    do {
      let verified = try jwt.verify(with: key.verificationKey())
      algorithm = .passed
      signature = .passed
      return verified
    } catch {
      switch error.code {
      case .algorithmKeyMismatch, .curveUnsupported:
        algorithm = .found(nil, nil, [CheckResult.Evidence("alg", found: jwt.algorithm.rawValue)])
      case .signatureForm:
        algorithm = .passed
        signature = .found(.malformed, error.message)
      default:
        algorithm = .passed
        signature = .found(.invalid)
      }
      return nil
    }
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
      claims = .passed
      return found
    } catch {
      claims = .found(nil, "the claims of the key binding JWT are malformed: \(error.message)")
      return nil
    }
  }

  private static func text(_ name: String, _ found: String, is expected: String) -> Outcome {
    .require(
      found.isExactly(expected), nil, nil,
      [CheckResult.Evidence(name, expected: expected, found: TerminalSafe.text(String(found.prefix(256))))])
  }

  private mutating func checkTime(_ claims: Claims, earliest: DateTime?, at moment: DateTime) {
    let skew = JOSELimits.clockSkew
    let field = { (name: String, expected: String, found: DateTime) in
      [CheckResult.Evidence(name, expected: expected, found: found.description)]
    }
    var found: [Outcome.Finding] = []
    if claims.issuedAt > moment.adding(seconds: skew) {
      found.append(.init(.tooNew, nil, field("iat", "\(moment) or earlier", claims.issuedAt)))
    }
    if let earliest, claims.issuedAt < earliest.adding(seconds: -skew) {
      found.append(.init(.tooOld, nil, field("iat", "\(earliest) or later", claims.issuedAt)))
    }
    if let expires = claims.expires, moment >= expires {
      found.append(.init(.expired, nil, field("exp", "after \(moment)", expires)))
    }
    if let from = claims.validFrom, moment < from {
      found.append(.init(.notYetValid, nil, field("nbf", "\(moment) or earlier", from)))
    }
    time =
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
        transactionData = hashes == nil ? .notApplicable("no transaction was requested") : .found(.departs)
        return
      }
      let hash = name.map(SDJWTHash.init(rawValue:)) ?? .sha256
      guard let hash, expected.transactionDataHashes.contains(hash) else {
        transactionData = .found(
          nil, "the hash algorithm of the transactions was not offered",
          [
            CheckResult.Evidence(
              "transaction_data_hashes_alg",
              expected: expected.transactionDataHashes.map(\.rawValue).joined(separator: " or "),
              found: TerminalSafe.text(String((name ?? SDJWTHash.sha256.rawValue).prefix(64))))
          ])
        return
      }
      guard name != nil || !expected.namesTransactionHash else {
        transactionData = .found(
          .missing, nil,
          [
            CheckResult.Evidence(
              "transaction_data_hashes_alg",
              expected: expected.transactionDataHashes.map(\.rawValue).joined(separator: " or "))
          ])
        return
      }
      let wanted = expected.transactionData.map { ExactText(hash.digest(of: $0)) }
      let found = (hashes ?? []).map(ExactText.init)
      transactionData = .require(
        found.count == wanted.count && Set(found) == Set(wanted), nil, nil,
        [
          CheckResult.Evidence(
            "transaction_data_hashes", expected: "those of \(wanted.count.counted("transaction"))",
            found: found.count.counted("digest"))
        ])
    } catch {
      transactionData = .found(nil, error.message)
    }
  }
}
