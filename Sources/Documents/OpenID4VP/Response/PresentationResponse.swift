import Checks
import Crypto
import JOSE
import JSON
import Primitives

/// The data of a request that a verifier keeps until the answer arrives.
public struct ExpectedPresentations: Sendable {
  /// `dcql_query`.
  public var query: DCQLQuery
  /// The key of an encrypted response; nil for a plain one.
  public var encryption: Encryption?
  /// The policy: a lenient one accepts answers in the form of drafts, each with a finding.
  public var policy = VerificationPolicy.standard

  /// The key of an encrypted response.
  public struct Encryption: Sendable, KeepsSecrets {
    /// The private key, for this request only.
    public let privateKey: P256.KeyAgreement.PrivateKey
    /// The public key as sent.
    public let key: JWK
    /// The content encryptions as listed.
    public let encryptions: [JWEEncryption]

    /// Creates the key of a request.
    public init(privateKey: P256.KeyAgreement.PrivateKey, key: JWK, encryptions: [JWEEncryption]) {
      self.privateKey = privateKey
      self.key = key
      self.encryptions = encryptions
    }
  }

  /// Creates an expectation.
  public init(query: DCQLQuery, encryption: Encryption? = nil) {
    self.query = query
    self.encryption = encryption
  }

  /// The thumbprint in the handover: of the key of an encrypted response; nil for a plain one.
  public var thumbprint: [UInt8]? { encryption?.key.thumbprint }
}

/// The presentations of a response by the identifiers of the credential queries (OpenID4VP, 8.1). None is verified.
public struct PresentationToken: Sendable {
  /// The answers in the order received.
  public let answers: [Answer]
  /// The JSON that the token was read from, decrypted; nil for one that was not received.
  package fileprivate(set) var received: [UInt8]?
  /// Accepted departures, each with the identifier of the credential query.
  public private(set) var findings: [(id: String, finding: CheckFinding<PresentationResponseCheck>)] = []

  /// The presentations that answer one credential query.
  public struct Answer: Sendable {
    /// The identifier of the credential query.
    public let id: String
    /// The presentations, at least one: base64url of a device response, or a compact SD-JWT.
    public let presentations: [String]

    /// Creates an answer.
    public init(id: String, presentations: [String]) {
      self.id = id
      self.presentations = presentations
    }
  }

  /// Creates a token.
  public init(_ answers: [Answer]) { self.answers = answers }

  /// Reads a token and compares its form with the query.
  /// - Parameter policy: The findings that refuse.
  /// - Throws: ``PresentationResponseFailure``.
  package init(
    json: JSONItem, answering query: DCQLQuery, policy: VerificationPolicy = .standard
  ) throws(PresentationResponseFailure) {
    guard let members = (try? json.members()).map(Array.init) else {
      throw PresentationResponseFailure(.token, .malformed, evidence: .field("found", found: json.kind.text))
    }
    guard !members.isEmpty else { throw PresentationResponseFailure(.token, .empty) }
    var answers: [Answer] = []
    for (id, item) in members {
      guard let credential = query.credential(id), query.requestedIDs.contains(where: { $0.isExactly(id) }) else {
        throw PresentationResponseFailure(
          .identifiers, .unknown, evidence: .field("id", found: TerminalSafe.text(String(id.prefix(64)))))
      }
      if policy == .lenient, let text = try? item.text() {
        findings.append((id, CheckFinding(.count, .bare)))
        answers.append(Answer(id: id, presentations: [text]))
        continue
      }
      answers.append(Answer(id: id, presentations: try Self.presentations(item, answering: credential)))
    }
    guard query.isAnswered(by: answers.map(\.id)) else { throw PresentationResponseFailure(.identifiers, .missing) }
    if let surplus = query.surplus(in: answers.map(\.id)).first {
      findings.append((surplus, CheckFinding(.identifiers, .surplus)))
    }
    self.answers = answers
  }

  private static func presentations(
    _ item: JSONItem, answering credential: CredentialQuery
  ) throws(PresentationResponseFailure) -> [String] {
    let place = [CheckResult.Evidence("id", found: credential.id)]
    guard let elements = (try? item.elements()).map(Array.init) else {
      throw PresentationResponseFailure(.count, item.kind == .string ? .bare : .malformed, evidence: place)
    }
    guard !elements.isEmpty else { throw PresentationResponseFailure(.count, .empty, evidence: place) }
    guard elements.count == 1 || credential.allowsMultiple else {
      throw PresentationResponseFailure(.count, evidence: place)
    }
    guard elements.count <= OpenID4VPLimits.presentations else {
      throw PresentationResponseFailure(.count, .tooMany, evidence: place)
    }
    return try elements.map { (element) throws(PresentationResponseFailure) in
      guard let text = try? element.text() else { throw PresentationResponseFailure(.form, evidence: place) }
      return text
    }
  }

  package var json: JSONValue {
    JSONValue(members: answers.map { ($0.id, .array($0.presentations.map { .string($0) })) })
  }
}

/// A response as the verifier reads it.
public enum PresentationResponse: Sendable {
  /// Presentations, none of which is verified.
  case token(PresentationToken)
  /// An error: the code as received (OpenID4VP, A.4), also of an encrypted answer, for which the text describes no form. An
  /// answer with both an error and presentations is an error.
  case error(String)

  /// Reads a response.
  /// - Parameters:
  ///   - data: `data` of the digital credential, UTF-8 JSON.
  ///   - expected: What the verifier kept of its request.
  /// - Throws: ``PresentationResponseFailure``.
  public init(data: [UInt8], expecting expected: ExpectedPresentations) throws(PresentationResponseFailure) {
    let json = try Self.object(data, .structure)
    if let code = try Self.errorCode(in: json) {
      self = .error(code)
      return
    }
    let token = json.present("vp_token")
    let encrypted = json.present("response")
    switch (token, encrypted) {
    case (nil, nil): throw PresentationResponseFailure(.structure)
    case (let token?, nil):
      guard expected.encryption == nil else { throw PresentationResponseFailure(.encryptionUse, .plain) }
      self = .token(try Self.token(token, in: data, expected))
    case (_, let encrypted?):
      guard token == nil else { throw PresentationResponseFailure(.structure) }
      guard let encryption = expected.encryption else { throw PresentationResponseFailure(.encryptionUse, .encrypted) }
      guard let text = try? encrypted.text() else {
        throw PresentationResponseFailure(.encryptedForm, adding: "expected a string, found \(encrypted.kind.text)")
      }
      let decrypted = try Self.decrypt(text, encryption)
      let content = try Self.object(decrypted, .content)
      if let code = try Self.errorCode(in: content) {
        self = .error(code)
        return
      }
      guard let token = content.present("vp_token") else { throw PresentationResponseFailure(.token, .malformed) }
      self = .token(try Self.token(token, in: decrypted, expected))
    }
  }

  /// Returns the error code of an answer; nil without one.
  private static func errorCode(in json: JSONItem) throws(PresentationResponseFailure) -> String? {
    guard let error = json.present("error") else { return nil }
    guard let code = try? error.text() else {
      throw PresentationResponseFailure(.structure, adding: "the error is not a string")
    }
    return code
  }

  private static func token(
    _ json: JSONItem, in content: [UInt8], _ expected: ExpectedPresentations
  ) throws(PresentationResponseFailure) -> PresentationToken {
    var token = try PresentationToken(json: json, answering: expected.query, policy: expected.policy)
    token.received = content
    return token
  }

  /// Decrypts a response with the key of the session alone.
  /// - Throws: ``PresentationResponseFailure``. Its details are for the verifier's own reports: the other side should learn
  ///   only that the response was refused (RFC 7516, 11.5).
  package static func decrypt(
    _ text: String, _ encryption: ExpectedPresentations.Encryption
  ) throws(PresentationResponseFailure) -> [UInt8] {
    let jwe: JWE
    do { jwe = try JWE(compact: text) } catch {
      let check: PresentationResponseCheck = error.code == .encryptionUnsupported ? .contentEncryption : .encryptedForm
      throw PresentationResponseFailure(CheckFinding(check), error)
    }
    if let wanted = encryption.key.keyID {
      guard let found = jwe.header.keyID else { throw PresentationResponseFailure(.keyIdentifier, .missing) }
      guard found.isExactly(wanted) else {
        throw PresentationResponseFailure(
          .keyIdentifier, .unknown,
          evidence: .field("kid", expected: wanted, found: TerminalSafe.text(String(found.prefix(64)))))
      }
    }
    guard encryption.encryptions.contains(jwe.encryption) else {
      throw PresentationResponseFailure(
        .contentEncryption,
        evidence: .field(
          "enc", expected: encryption.encryptions.map(\.rawValue).joined(separator: " or "),
          found: jwe.encryption.rawValue))
    }
    do { return try jwe.decrypt(with: encryption.privateKey) } catch {
      throw PresentationResponseFailure(CheckFinding(.decryption), error)
    }
  }

  private static func object(
    _ bytes: [UInt8], _ check: PresentationResponseCheck
  ) throws(PresentationResponseFailure) -> JSONItem {
    do { return try JOSEText.object(bytes, name: "the response") } catch {
      throw PresentationResponseFailure(CheckFinding(check), error)
    }
  }
}

extension PresentationResponse {
  /// Returns a plain response.
  public static func plain(_ token: PresentationToken) -> [UInt8] {
    JSONValue(members: [("vp_token", token.json)]).bytes
  }

  /// Returns an encrypted response.
  ///
  /// The ephemeral key and the initialization vector are parameters, so that the bytes follow from a seed. Each response
  /// needs its own.
  /// - Throws: `JOSEError`.
  public static func encrypted(
    _ token: PresentationToken, to key: JWK, encryption: JWEEncryption, partyUInfo: [UInt8]? = nil,
    partyVInfo: [UInt8]? = nil, ephemeralKey: P256.KeyAgreement.PrivateKey, initializationVector: [UInt8]
  ) throws(JOSEError) -> [UInt8] {
    let text = try JWE.encrypt(
      plain(token), to: key, encryption: encryption, partyUInfo: partyUInfo, partyVInfo: partyVInfo,
      ephemeralKey: ephemeralKey, initializationVector: initializationVector)
    return JSONValue(members: [("response", .string(text))]).bytes
  }

  /// Returns an error, with the one member that the text describes (OpenID4VP, A.4).
  public static func error(_ code: PresentationErrorCode) -> [UInt8] {
    JSONValue(members: [("error", .string(code.rawValue))]).bytes
  }
}
