import CBOR
import Certificates
import DigitalCredentials
import ExchangeFiles
import Foundation
import JSON
import MobileDocument
import OwnServers
import Primitives
import WebPresentment

extension RequestData {
  /// A server's request, before anything is known of it.
  fileprivate init(_ session: TargetSession) throws {
    let options = session.options.member("digital") ?? session.options
    guard case .array(let requests)? = options.member("requests"),
      let data = requests.first(where: { $0.member("protocol")?.text == RequestData.protocolIdentifier })?.member(
        "data"),
      let deviceRequest = data.member("deviceRequest")?.text, let encryptionInfo = data.member("encryptionInfo")?.text
    else {
      // Its error says what is missing.
      let texts = try RequestTexts(anywhereIn: try ExchangeFile(session.options.bytes))
      self.init(deviceRequest: texts.deviceRequest, encryptionInfo: texts.encryptionInfo)
      return
    }
    self.init(deviceRequest: deviceRequest, encryptionInfo: encryptionInfo)
  }

  fileprivate var information: EncryptionInfo { get throws { try EncryptionInfo(text: encryptionInfo) } }
}

extension RequestRule {
  /// The conclusion about a server's requests.
  enum Conclusion {
    case kept
    case broken(String)
    /// The requests have nothing that the rule is about.
    case untested(String)
  }

  /// Label of the private key in a COSE key (RFC 9053, 7.1.1).
  private static let privateKeyLabel = -4

  /// Looks at the requests of two sessions.
  /// - Throws: An error if a request cannot be read.
  func conclusion(about first: TargetSession, and second: TargetSession, at moment: DateTime) throws -> Conclusion {
    let request = try RequestData(first)
    switch self {
    case .freshNonce:
      let nonces = try (request.information.nonce, RequestData(second).information.nonce)
      return nonces.0 == nonces.1 ? .broken("two sessions have the same nonce") : .kept
    case .freshKey:
      let keys = try (request.information.recipientPublicKey, RequestData(second).information.recipientPublicKey)
      return keys.0.rawRepresentation == keys.1.rawRepresentation
        ? .broken("two sessions have the same recipient key") : .kept
    case .noSecret:
      guard let bytes = Base64URL.decode(request.encryptionInfo) else { return .kept }
      let key = try CBORReader.read(bytes).array(count: 2).at(1).map().required("recipientPublicKey")
      guard try key.map()[Self.privateKeyLabel] == nil else { return .broken("the recipient key has its private part") }
      return first.beginning?.text.contains("recipientPrivateKey") == true
        ? .broken("the answer that begins a session has a member recipientPrivateKey") : .kept
    case .encoding: return Self.encoding(of: request)
    case .version: return try Self.version(of: request)
    case .signature, .certificate, .domain:
      let found = try UnverifiedDeviceRequest(request.deviceRequestBytes())
      guard found.isSigned else { return .untested("the request is not signed") }
      if case .signature = self {
        let origin = first.target.origin.serialized
        return Self.signature(of: found, over: try request.information.sessionTranscript(origin: origin))
      }
      return try reader(of: found, host: first.target.origin.host ?? "", at: moment)
    }
  }

  /// Base64url without padding, and CBOR with definite lengths and each key once.
  private static func encoding(of request: RequestData) -> Conclusion {
    for (name, text) in [("deviceRequest", request.deviceRequest), ("encryptionInfo", request.encryptionInfo)] {
      guard let bytes = Base64URL.decode(text) else {
        return .broken("\(name) \(Base64URL.violation(in: text) ?? "is not base64url")")
      }
      do { _ = try CBORReader.read(bytes) } catch { return .broken("\(name): \(error.message)") }
    }
    return .kept
  }

  /// The members that version 1.0 does not have.
  private static let membersOfSecondEdition = ["readerAuthAll", "deviceRequestInfo"]

  private static func version(of request: RequestData) throws -> Conclusion {
    let map = try CBORReader.read(request.deviceRequestBytes(), readingEmbedded: false).map()
    let version = try map.required("version").text()
    guard version == DeviceRequestDraft.Version.first.rawValue,
      let member = membersOfSecondEdition.first(where: { name in map[name].map { !$0.isNull } ?? false })
    else { return .kept }
    return .broken("the version is \(version), which does not have \(member)")
  }

  private static func signature(of request: UnverifiedDeviceRequest, over transcript: SessionTranscript) -> Conclusion {
    do {
      let found = try request.authenticate(over: transcript)
      return found.readerAuthentications.isEmpty
        ? .untested(found.findings.first?.message ?? "no signature has a known algorithm") : .kept
    } catch {
      return .broken(error.message)
    }
  }

  /// The certificates of the readers that signed the whole request.
  private func reader(of request: UnverifiedDeviceRequest, host: String, at moment: DateTime) throws -> Conclusion {
    let chains = try request.unverifiedContents().chains
    guard !chains.isEmpty else { return .untested("no signature of the whole request has a known key") }
    for chain in chains {
      if case .domain = self {
        let domains = chain[0].domains
        if !domains.isEmpty, !domains.contains(where: { $0.identifies(host) }) {
          return .broken(
            "the certificate is for \(domains.map(\.description).joined(separator: ", ")), not for \(host)")
        }
        continue
      }
      guard chain[0].isValid(at: moment) else {
        let validity = chain[0].validity
        return .broken("the certificate is valid from \(validity.from) to \(validity.until)")
      }
      let results = CertificateProfile.reader.check(chain[0], issuer: chain.count > 1 ? chain[1] : nil)
      if let failed = results.first(where: { $0.status == .failed }) { return .broken(failed.message) }
    }
    return .kept
  }
}
