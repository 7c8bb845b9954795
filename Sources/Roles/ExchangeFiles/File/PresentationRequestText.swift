import Checks
import JOSE
import JSON
import OpenID4VP
import Primitives
import RelyingParty
import WebPresentment

/// A request with OpenID4VP as the page sent it: its protocol and its `data`.
public struct PresentationRequestText: Sendable {
  /// The protocol.
  public let kind: OpenID4VPProtocol
  /// The `data` of the request, UTF-8 JSON.
  public let data: [UInt8]
  /// The path of the data, for errors.
  private let path: String?

  init(_ kind: OpenID4VPProtocol, data: [UInt8], path: String? = "request") {
    self.kind = kind
    self.data = data
    self.path = path
  }

  /// Finds a request in an exchange file whose member `protocol` names it, in the options of `navigator.credentials.get`, or
  /// in one entry of these; nil if there is none.
  ///
  /// Options with a request for mobile documents, too, are answered with annex C unless a protocol is wanted.
  /// - Parameter wanted: The protocol to answer; nil for the first one.
  /// - Throws: ``ExchangeFileError``.
  public init?(anywhereIn file: ExchangeFile, wanting wanted: String? = nil) throws(ExchangeFileError) {
    let root = file.root
    let entries = try (root["digital"] ?? root)["requests"].map { (list) throws(ExchangeFileError) in
      try list.elements()
    }
    let names = entries?.map { $0["protocol"]?.value.text ?? "" } ?? []
    let isMobile = { (name: String) in
      [RequestData.protocolIdentifier, RequestData.olderProtocolIdentifier].contains { $0.isExactly(name) }
    }
    if let entries {
      guard wanted != nil || !names.contains(where: isMobile) else { return nil }
      let chosen = zip(names, entries).first { name, _ in
        wanted.map { $0.isExactly(name) } ?? (OpenID4VPProtocol(identifier: name) != nil)
      }
      guard let (name, entry) = chosen, let kind = OpenID4VPProtocol(identifier: name) else { return nil }
      let data = try entry.required("data")
      self.init(kind, data: data.value.bytes, path: data.path)
      return
    }
    guard let kind = try file.openID4VPProtocol() else { return nil }
    guard let data = root["request"] ?? root["data"] else {
      throw ExchangeFileError(.memberMissing, "request", "missing")
    }
    self.init(kind, data: data.value.bytes, path: data.path)
  }

  /// Returns the options of `navigator.credentials.get`, UTF-8 JSON: those of a page that asks in OpenID4VP as they are, with
  /// every request, and otherwise those of the one request in the file.
  /// - Throws: ``ExchangeFileError``.
  public static func pageOptions(in file: ExchangeFile) throws(ExchangeFileError) -> [UInt8] {
    let digital = file.root["digital"] ?? file.root
    if let requests = digital["requests"] {
      let names = try requests.elements().map { $0["protocol"]?.value.text ?? "" }
      guard names.contains(where: { OpenID4VPProtocol(identifier: $0) != nil }) else {
        return try RequestTexts(anywhereIn: file).options
      }
      return JSONValue(members: [
        ("mediation", .string("required")), ("digital", JSONValue(members: [("requests", requests.value)])),
      ]).bytes
    }
    guard let request = try PresentationRequestText(anywhereIn: file) else {
      return try RequestTexts(anywhereIn: file).options
    }
    return try request.options()
  }

  /// Returns the parameters without checking the signatures: the file's owner made them.
  /// - Parameter origin: The origin that the request must not exclude; nil for any.
  /// - Throws: ``ExchangeFileError``.
  func parameters(for origin: String? = nil) throws(ExchangeFileError) -> SignedPresentationRequest {
    do {
      return try RequestAuthenticator.readUnverified(
        protocol: kind.rawValue, data: data, origin: origin, acceptingEveryTransaction: true)
    } catch {
      if error.check == .origin {
        guard error.reason == .notExpected else { return try parameters() }
        throw ExchangeFileError(.origin, "origin", error.description)
      }
      throw ExchangeFileError(.content, path, "not a readable request of OpenID4VP: \(error.message) [\(error.name)]")
    }
  }

  /// The options of `navigator.credentials.get`, UTF-8 JSON.
  /// - Throws: ``ExchangeFileError`` for data that is not JSON.
  public func options() throws(ExchangeFileError) -> [UInt8] {
    do { return try PageRequest.options([PageRequest(kind, data)]) } catch {
      throw ExchangeFileError(.content, path, "\(error)")
    }
  }
}

extension ExchangeFile {
  /// Returns the protocol of OpenID4VP that the file names; nil for an exchange with annex C, which needs no name.
  /// - Throws: ``ExchangeFileError`` for an unknown protocol.
  public func openID4VPProtocol() throws(ExchangeFileError) -> OpenID4VPProtocol? {
    guard let member = root["protocol"] else { return nil }
    let name = try member.shortText()
    guard !name.isExactly(RequestData.protocolIdentifier) else { return nil }
    guard let kind = OpenID4VPProtocol(identifier: name) else {
      let known = [RequestData.protocolIdentifier] + OpenID4VPProtocol.allCases.map(\.rawValue)
      throw ExchangeFileError(
        .content, member.path,
        "unknown protocol '\(TerminalSafe.text(name))'; expected one of \(known.joined(separator: ", "))")
    }
    return kind
  }

  /// Returns the session of a request with OpenID4VP, with the private key of the file if the answer is to be encrypted.
  /// - Throws: ``ExchangeFileError``.
  func openID4VPSession(
    _ request: PresentationRequestText, for origin: String
  ) throws(ExchangeFileError) -> OpenID4VPSession {
    let read = try request.parameters(for: origin)
    let parameters = read.parameters
    var encryption: ExpectedPresentations.Encryption?
    if parameters.responseMode == .encrypted {
      let key = try recipientPrivateKey()
      let publicKey = key.publicKey.x963Representation
      let known = parameters.metadata?.encryptionKeys.first {
        (try? $0.p256KeyAgreementKey().x963Representation) == publicKey
      }
      guard let known else {
        throw ExchangeFileError(.key, "recipientPrivateKey", "does not match a key in the request's client_metadata")
      }
      encryption = ExpectedPresentations.Encryption(
        privateKey: key, key: known,
        encryptions: parameters.metadata?.encryptionNames.compactMap(JWEEncryption.init(rawValue:)) ?? [])
    }
    return OpenID4VPSession(
      request.kind, query: parameters.query, nonce: parameters.nonce, encryption: encryption,
      clientIDs: read.signers.map(\.clientID), transactionData: parameters.transactionData)
  }

  /// Returns a wallet's answer with OpenID4VP: the page's credential `{"protocol", "data"}`, its `data`, or the text of an
  /// encrypted response.
  /// - Throws: ``ExchangeFileError``.
  func openID4VPAnswer(to kind: OpenID4VPProtocol) throws(ExchangeFileError) -> SubmittedAnswer {
    let response = try root.required("response")
    if let text = response.value.text {
      return SubmittedAnswer(protocol: kind.rawValue, data: JSONValue(members: [("response", .string(text))]).bytes)
    }
    guard case .object = response.value else { throw response.wrongKind("a text or an object") }
    guard response["protocol"] != nil else {
      return SubmittedAnswer(protocol: kind.rawValue, data: response.value.bytes)
    }
    let data = try response.required("data").value
    return SubmittedAnswer(
      protocol: try response.required("protocol").shortText(), data: data.text.map { Array($0.utf8) } ?? data.bytes)
  }
}
