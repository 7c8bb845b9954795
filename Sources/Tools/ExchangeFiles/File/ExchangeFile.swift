import CBOR
import Certificates
import Checks
import Crypto
import DigitalCredentials
import JSON
import MobileDocument
import Primitives
import WebPresentment

/// One exchange between a website's server and a wallet as a JSON file, the same for both ends: what was asked, what was
/// answered, and what one end keeps of it. Members that are not known are ignored, and kept when the file is written
/// again. Each member is read when it is needed, so that either end brings only what it has.
public struct ExchangeFile: Sendable {
  /// The whole file.
  let json: JSONValue

  /// Reads a file.
  /// - Throws: ``ExchangeFileError``, when it is too large or not one JSON object.
  public init(_ bytes: [UInt8]) throws(ExchangeFileError) {
    json = try Member(file: bytes).value
  }

  init(json: JSONValue) { self.json = json }

  /// A member of the file as a file of its own.
  /// - Throws: ``ExchangeFileError`` when it is not there.
  public func member(_ name: String) throws(ExchangeFileError) -> ExchangeFile {
    ExchangeFile(json: try root.required(name).value)
  }

  /// The file, indented.
  public var bytes: [UInt8] { json.indented }

  var root: Member { Member(json, nil) }

  /// The website's origin as it enters the session transcript.
  /// - Throws: ``ExchangeFileError``.
  public func origin() throws(ExchangeFileError) -> String {
    let text = try root.required("origin").shortText()
    _ = try OriginText.spelling(of: text, at: "origin")
    return text
  }

  /// The request as the page sent it.
  /// - Throws: ``ExchangeFileError``.
  public func request() throws(ExchangeFileError) -> RequestTexts {
    try RequestTexts(data: try root.required("request"))
  }

  /// The key that the response is sealed to.
  /// - Throws: ``ExchangeFileError``.
  public func recipientPrivateKey() throws(ExchangeFileError) -> P256.KeyAgreement.PrivateKey {
    try PrivateKeyFile.agreementKey(jwk: try root.required("recipientPrivateKey"))
  }

  /// The certificates of the issuing authorities that are trusted.
  /// - Parameter read: reads files that the member names.
  /// - Throws: ``ExchangeFileError``.
  public func trustedIssuers(reading read: FileReading) throws(ExchangeFileError) -> TrustedCertificates {
    try CertificateFile.trusted(try root.required("trustedIssuers"), for: .documentSigner, reading: read)
  }

  /// Status and identifier list tokens by their addresses, for when no network is asked.
  /// - Throws: ``ExchangeFileError``.
  public func statusLists() throws(ExchangeFileError) -> [String: [UInt8]] {
    guard let member = root["statusLists"] else { return [:] }
    let entries = try member.members()
    guard entries.count <= ExchangeLimits.statusLists else {
      throw ExchangeFileError(.tooLarge, member.path, "more than \(ExchangeLimits.statusLists) status lists")
    }
    var lists: [String: [UInt8]] = [:]
    for (address, token) in entries { lists[address] = try token.base64URL() }
    return lists
  }

  /// The policy to verify with; nil when the file names none.
  /// - Throws: ``ExchangeFileError``.
  public func policy() throws(ExchangeFileError) -> VerificationPolicy? {
    guard let member = root["policy"] else { return nil }
    let name = try member.shortText()
    guard let policy = VerificationPolicy(rawValue: name) else {
      let known = VerificationPolicy.allCases.map(\.rawValue).joined(separator: " or ")
      throw ExchangeFileError(.content, member.path, "there is no policy \(Printable.text(name)); it is \(known)")
    }
    return policy
  }

  /// What a wallet answered.
  public enum Answer: Sendable {
    /// What the browser gave the page: the protocol and the JSON of `data`.
    case sealed(protocol: String, data: [UInt8])
    /// An encoded `DeviceResponse` that is not encrypted, and the transcript that it is for; nil for that of the request.
    case open(deviceResponse: [UInt8], transcript: SessionTranscript?)
  }

  /// What a wallet answered: `response`, or `deviceResponse` and `sessionTranscript`.
  ///
  /// `response` is the base64url of `EncryptedResponse`, or the credential as the page got it,
  /// `{"protocol", "data": {"response"}}`, whose contents are then for the verification to judge.
  /// - Throws: ``ExchangeFileError``.
  public func answer() throws(ExchangeFileError) -> Answer {
    guard let response = root["response"] else {
      guard let open = root["deviceResponse"] else {
        throw ExchangeFileError(.memberMissing, "response", "it is missing, and there is no deviceResponse either")
      }
      let bytes = try open.base64URL()
      return .open(
        deviceResponse: bytes,
        transcript: try root["sessionTranscript"].map { (member) throws(ExchangeFileError) in
          try Self.transcript(member)
        })
    }
    if root["deviceResponse"] != nil {
      throw ExchangeFileError(.memberKind, "deviceResponse", "a file holds either response or deviceResponse")
    }
    if response.value.text != nil {
      let member = JSONValue.Member(name: "response", value: .string(Base64URL.encode(try response.base64URL())))
      return .sealed(protocol: VerifierSession.protocolIdentifier, data: JSONValue.object([member]).bytes)
    }
    guard case .object = response.value else { throw response.wrongKind("a text or an object") }
    let identifier = try response.required("protocol").shortText()
    let data = try response.required("data").value
    // Some hosts hand the object over as the text of its JSON.
    return .sealed(protocol: identifier, data: data.text.map { Array($0.utf8) } ?? data.bytes)
  }

  /// A transcript as its parties make it: one array of three, not in tag 24 (ISO/IEC 18013-5, 9.1.5.1).
  private static func transcript(_ member: Member) throws(ExchangeFileError) -> SessionTranscript {
    let bytes = try member.base64URL()
    do {
      _ = try CBORReader.read(bytes).array(count: 3)
    } catch {
      throw ExchangeFileError(.content, member.path, "it is no session transcript, [null, null, Handover]: \(error)")
    }
    return SessionTranscript(encoded: bytes)
  }

  /// The file with a member set, in its place or behind the others.
  func setting(_ name: String, to value: JSONValue) -> ExchangeFile {
    guard case .object(var members) = json else { return self }
    if let place = members.firstIndex(where: { $0.name == name }) {
      members[place].value = value
    } else {
      members.append(.init(name: name, value: value))
    }
    return ExchangeFile(json: .object(members))
  }

  /// The file without a member.
  func without(_ name: String) -> ExchangeFile {
    guard case .object(let members) = json else { return self }
    return ExchangeFile(json: .object(members.filter { $0.name != name }))
  }
}
