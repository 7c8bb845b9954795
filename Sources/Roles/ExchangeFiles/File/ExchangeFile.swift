import CBOR
import Certificates
import Checks
import Crypto
import DigitalCredentials
import Foundation
import JSON
import MobileDocument
import Primitives
import WebPresentment

/// An exchange between a website's server and a wallet as a JSON file: the request, the response, and the data that one
/// side keeps. Both sides use the same format. Unknown members are ignored, and kept when the file is written again. Each
/// member is read on use, so that a side only provides the members it has.
public struct ExchangeFile: Sendable {
  /// The whole file.
  let json: JSONValue

  /// Reads a file.
  /// - Throws: ``ExchangeFileError`` if the file is too large or not one JSON object.
  public init(_ bytes: [UInt8]) throws(ExchangeFileError) { json = try JSONField(file: bytes).value }

  init(json: JSONValue) { self.json = json }

  /// Creates the file of a new request, with the key that opens its answer and PEM texts with trusted roots.
  package init(
    _ head: [(String, JSONValue)], request: JSONValue, recipientKey: P256.KeyAgreement.PrivateKey?,
    trustedIssuers: [String]
  ) {
    let key = recipientKey.map { [("recipientPrivateKey", PrivateKeyFile.jwk($0))] } ?? []
    let issuers = JSONValue.array(trustedIssuers.map { .string($0) })
    self.init(json: JSONValue(members: head + [("request", request)] + key + [("trustedIssuers", issuers)]))
  }

  /// Returns a member as a separate file.
  /// - Throws: ``ExchangeFileError`` if the member is missing.
  public func member(_ name: String) throws(ExchangeFileError) -> ExchangeFile {
    ExchangeFile(json: try root.required(name).value)
  }

  /// The file, indented.
  public var bytes: [UInt8] { json.indented }

  var root: JSONField { JSONField(json, nil) }

  /// Returns the website's origin for the session transcript.
  /// - Throws: ``ExchangeFileError``.
  public func origin() throws(ExchangeFileError) -> String {
    let text = try root.required("origin").shortText()
    _ = try OriginSpelling.spelling(of: text, at: "origin")
    return text
  }

  /// Returns the request as the page sent it.
  /// - Throws: ``ExchangeFileError``.
  public func request() throws(ExchangeFileError) -> RequestTexts {
    try RequestTexts(data: try root.required("request"))
  }

  /// Returns the key that the response is encrypted to.
  /// - Throws: ``ExchangeFileError``.
  public func recipientPrivateKey() throws(ExchangeFileError) -> P256.KeyAgreement.PrivateKey {
    try PrivateKeyFile.agreementKey(try root.required("recipientPrivateKey"))
  }

  /// Returns the trusted issuing authorities.
  /// - Parameter read: Reads the files that the member names.
  /// - Throws: ``ExchangeFileError``.
  public func trustedIssuers(reading read: FileReading) throws(ExchangeFileError) -> TrustedIssuers {
    try TrustedIssuers(try root.required("trustedIssuers"), reading: read)
  }

  /// Returns tokens of status and identifier lists by their URIs, for verification without a network.
  /// - Throws: ``ExchangeFileError``.
  public func statusLists() throws(ExchangeFileError) -> [String: [UInt8]] {
    guard let member = root["statusLists"] else { return [:] }
    let entries = try member.members()
    guard entries.count <= ExchangeLimits.statusLists else {
      throw ExchangeFileError(.tooLarge, member.path, "more than \(ExchangeLimits.statusLists) status lists")
    }
    var lists: [String: [UInt8]] = [:]
    for (address, token) in entries { lists[address] = try token.pastedBytes() }
    return lists
  }

  /// Returns the verification policy; nil if the file names none.
  /// - Throws: ``ExchangeFileError``.
  public func policy() throws(ExchangeFileError) -> VerificationPolicy? {
    guard let member = root["policy"] else { return nil }
    let name = try member.shortText()
    guard let policy = VerificationPolicy(rawValue: name) else {
      let known = VerificationPolicy.allCases.map(\.rawValue).joined(separator: ", ")
      throw ExchangeFileError(
        .content, member.path, "unknown policy '\(TerminalSafe.text(name))'; expected one of \(known)")
    }
    return policy
  }

  /// A wallet's answer.
  public enum Answer: Sendable {
    /// The browser's result for the page: the protocol and the JSON of `data`.
    case sealed(protocol: String, data: [UInt8])
    /// An unencrypted `DeviceResponse` and its transcript; nil for the transcript of the request, or for none.
    case open(deviceResponse: [UInt8], transcript: SessionTranscript?)
    /// An SD-JWT as its issuer signed it, without a presentation.
    case issued(String)
  }

  /// Returns the wallet's answer: `response`, or `deviceResponse` with `sessionTranscript` or `handover`, or
  /// `issuerSigned`, or `sdJWT`.
  ///
  /// `response` is the base64url of `EncryptedResponse`, or the page's credential `{"protocol", "data": {"response"}}`,
  /// whose content is left to the verification.
  /// - Throws: ``ExchangeFileError``.
  public func answer() throws(ExchangeFileError) -> Answer {
    guard let response = root["response"] else {
      if let issued = root["issuerSigned"], root["deviceResponse"] == nil {
        return .open(
          deviceResponse: try IssuedDocument.deviceResponse(around: issued.pastedBytes(), name: "issuerSigned"),
          transcript: nil)
      }
      if let issued = root["sdJWT"], root["deviceResponse"] == nil { return .issued(try issued.text()) }
      guard let open = root["deviceResponse"] else {
        throw ExchangeFileError(.memberMissing, "response", "missing, and deviceResponse is missing too")
      }
      let bytes = try open.pastedBytes()
      guard root["handover"] == nil || root["sessionTranscript"] == nil else {
        throw ExchangeFileError(.memberKind, "handover", "a file may have handover or sessionTranscript, not both")
      }
      if let handover = root["handover"] {
        return .open(deviceResponse: bytes, transcript: try HandoverInputs.transcript(handover))
      }
      return .open(
        deviceResponse: bytes,
        transcript: try root["sessionTranscript"].map { (member) throws(ExchangeFileError) in
          try Self.transcript(member)
        })
    }
    if root["deviceResponse"] != nil {
      throw ExchangeFileError(.memberKind, "deviceResponse", "a file may have response or deviceResponse, not both")
    }
    if response.value.text != nil {
      let data = JSONValue(members: [("response", .string(Base64URL.encode(try response.pastedBytes())))])
      return .sealed(protocol: RequestData.protocolIdentifier, data: data.bytes)
    }
    guard case .object = response.value else { throw response.wrongKind("a text or an object") }
    let identifier = try response.required("protocol").shortText()
    let data = try response.required("data").value
    // Some hosts pass the object as JSON text.
    return .sealed(protocol: identifier, data: data.text.map { Array($0.utf8) } ?? data.bytes)
  }

  /// Reads a transcript: an array of three, not in tag 24 (ISO/IEC 18013-5, 9.1.5.1).
  private static func transcript(_ member: JSONField) throws(ExchangeFileError) -> SessionTranscript {
    let bytes = try member.pastedBytes()
    do {
      _ = try CBORReader.read(bytes).array(count: 3)
    } catch {
      throw ExchangeFileError(.content, member.path, "not a session transcript, [null, null, Handover]: \(error)")
    }
    return SessionTranscript(encoded: bytes)
  }

  /// Returns the file with a member set, in its place or at the end.
  package func setting(_ name: String, to value: JSONValue) -> ExchangeFile {
    guard case .object(var members) = json else { return self }
    if let place = members.firstIndex(where: { $0.name == name }) {
      members[place].value = value
    } else {
      members.append(.init(name: name, value: value))
    }
    return ExchangeFile(json: .object(members))
  }

  /// Returns the file without a member.
  func without(_ name: String) -> ExchangeFile {
    guard case .object(let members) = json else { return self }
    return ExchangeFile(json: .object(members.filter { $0.name != name }))
  }
}

extension ExchangeFile {
  /// Returns the file for another folder: relative names in `trustedIssuers` are changed to lead to the same files.
  ///
  /// The content of these files is never copied into the file: it may name any file of the machine, and is passed on.
  /// - Parameters:
  ///   - old: The folder that the file was read from.
  ///   - new: The folder that the file will be written to.
  public func moved(from old: URL, to new: URL) -> ExchangeFile {
    let (old, new) = (
      old.resolvingSymlinksInPath().standardizedFileURL, new.resolvingSymlinksInPath().standardizedFileURL
    )
    guard old.path != new.path, case .array(let elements)? = root["trustedIssuers"]?.value else { return self }
    return setting(
      "trustedIssuers",
      to: .array(
        elements.map { element in
          guard case .object(let members) = element else { return Self.moved(element, from: old, to: new) }
          return .object(members.map { .init(name: $0.name, value: Self.moved($0.value, from: old, to: new)) })
        }))
  }

  private static func moved(_ element: JSONValue, from old: URL, to new: URL) -> JSONValue {
    guard let name = element.text, isRelativeName(name) else { return element }
    return .string(path(of: old.appendingPathComponent(name).standardizedFileURL, from: new))
  }

  /// A list in base64 is longer than any file name.
  private static func isRelativeName(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("-----BEGIN") && !text.hasPrefix("/") && text.utf8.count <= ExchangeLimits.textBytes
      && PastedBase64.decode(text)?.first != 0x30
  }

  private static func path(of file: URL, from folder: URL) -> String {
    let (file, folder) = (file.pathComponents, folder.pathComponents)
    let shared = zip(file, folder).prefix { $0 == $1 }.count
    let up = [String](repeating: "..", count: folder.count - shared)
    return (up + file.dropFirst(shared)).joined(separator: "/")
  }
}
