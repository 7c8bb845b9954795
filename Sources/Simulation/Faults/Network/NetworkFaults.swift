import COSE
import Certificates
import Crypto
import DevicePlatform
import DigitalCredentials
import Foundation
import IdentityDocumentServices
import JSON
import Messaging
import NearbyDevices
import Primitives
import RelyingParty
import SimulationKernel
import StatusLists
import TrustLists
import Vocabulary
import WebPresentment
import X509

/// Faults that change messages under way. Each entry names the kind of message, its body and the change.
extension Fault {
  /// A fault that changes the JSON body of messages.
  static func message<Body: JSONWritable & JSONReadable & SendableMetatype>(
    _ party: Party, _ name: String, _ title: String, _ findings: FaultFindings, in kind: MessageKind, _ body: Body.Type,
    to recipient: Messaging.Party.Role? = nil, parameters: [Parameter] = [],
    _ change: @escaping @Sendable (inout Body, [String: String]) throws -> Void
  ) -> Fault {
    Fault(
      party, name, title, findings, at: kind.rawValue, parameters: parameters,
      .message(MessageChange(kind, to: recipient, body, change)))
  }

  /// A fault that changes the bytes of messages.
  static func bytes(
    _ party: Party, _ name: String, _ title: String, _ findings: FaultFindings, in kind: MessageKind,
    to recipient: Messaging.Party.Role? = nil, _ change: @escaping @Sendable ([UInt8]) throws -> [UInt8]?
  ) -> Fault {
    Fault(
      party, name, title, findings, at: kind.rawValue,
      .message(MessageChange(kind, to: recipient) { bytes, _ in try change(bytes) }))
  }

  /// Faults of the network: bits that are flipped between two parties.
  static let ofNetworks: [Fault] = [
    message(
      .network, "response-altered", "A bit of the encrypted response is flipped",
      .fails(ExchangeCheck.decryption, .unexplained),
      in: .credential, CredentialAnswer.self
    ) { answer, _ in
      guard let bytes = answer.data.response.flatMap(Base64URL.decode) else {
        throw SimulationError.notApplicable("the credential lacks a response")
      }
      answer.data.response = Base64URL.encode(bytes.flippingLastBit)
    },
    message(
      .network, "reader-signature-altered", "A bit of a reader signature is flipped", .refusesSignature,
      in: .presentmentBegun, BegunPresentment.self
    ) { begun, _ in
      try begun.changeMobileDocuments { try RequestChange.flipReaderSignature(&$0.deviceRequest) }
    },
    bytes(
      .network, "nearby-frame-altered", "A bit of a frame between a device and a nearby iPhone is flipped",
      .fails(NearbyCheck.frame, by: "nearby"), in: .nearbyFrame
    ) { $0.flippingLastBit },
    bytes(
      .network, "touch-overtaken",
      "A touch of the person arrives after the app has shown another view than the one that the person touched",
      FaultFindings(party: "os", failed: [NoteCode.osViewReplaced.rawValue], deviating: []), in: .tap,
      to: .operatingSystem
    ) { bytes in
      guard var seen = try? JSONCoding.decode(SeenTouch.self, from: bytes), seen.view > 1 else { return nil }
      seen.view -= 1
      return JSONCoding.encode(seen)
    },
    bytes(
      .network, "issuer-root-replaced", "A server gets an attacker's root in place of an issuing authority's",
      .fails(RootCheck.fingerprint), in: .root, to: .server
    ) { try replacedRoot($0) },
    bytes(
      .network, "reader-root-replaced", "An app gets an attacker's root in place of a reader authority's",
      .fails(RootCheck.fingerprint, by: "app"), in: .root, to: .app
    ) { try replacedRoot($0) },
    bytes(
      .network, "published-root-replaced",
      "A server gets an attacker's root from the address of an issuing authority", .fails(RootCheck.fingerprint),
      in: .publishedRoot, to: .server
    ) { try replacedRoot($0) },
    bytes(
      .network, "published-root-unreadable", "A web page is at the address of an authority's root",
      .fails(RootCheck.fingerprint), in: .publishedRoot
    ) { _ in Array("<!doctype html><title>Welcome</title>".utf8) },
    bytes(
      .network, "published-root-enormous", "The address of an authority's root answers with 64 kB",
      .fails(RootCheck.address, .tooLong), in: .publishedRoot
    ) { $0 + [UInt8](repeating: 0, count: 64 << 10) },
    bytes(
      .network, "issuer-list-altered", "A bit of the signature of a list of issuing authorities is flipped",
      .fails(VICALCheck.signature), in: .issuerList
    ) { $0.flippingLastBit },
    bytes(
      .network, "status-list-altered", "A bit of a status list's signature is flipped",
      .fails(StatusCheck.listSignature), in: .list
    ) { $0.flippingLastBit },
  ]

  /// A root of an attacker's own, with the name and the validity of another one.
  private static func replacedRoot(_ encoded: [UInt8]) throws -> [UInt8] {
    let root = try Certificate(derEncoded: encoded)
    let validity = try Certificate.validity(ofEncoded: encoded)
    let digest = Array(SHA256.hash(data: encoded))
    return try CertificateAuthority(
      name: CertificateName(country: root.country, commonName: root.commonName ?? ""),
      contact: "https://attacker.example",
      terms: CertificateAuthority.Terms(
        from: validity.from, until: validity.until, serialNumber: Array(digest.prefix(16))),
      signer: DeterministicSigningKey(seededBy: { digest })
    ).encodedRoot
  }

  /// Faults of pages' scripts.
  static let ofPages: [Fault] = [
    bytes(
      .website, "origin-in-options", "The page's options name an origin of their own", .unnoticed, in: .getCredential
    ) { bytes in
      let member = #""digital":{"#
      let options = String(decoding: bytes, as: UTF8.self)
      guard let place = options.range(of: member) else {
        throw SimulationError.notApplicable("the options have no member 'digital'")
      }
      return Array(options.replacingCharacters(in: place, with: member + #""origin":"https://bank.example","#).utf8)
    }
  ]

  /// Faults of browsers: what they hand to the operating system, the sandbox, apps and pages.
  static let ofBrowsers: [Fault] = [
    message(
      .browser, "origin-replaced", "The browser names another origin than the page's", .refusesSignature,
      in: .announce, AnnounceBody.self,
      parameters: [.required("origin", "the origin that the browser names")]
    ) { body, arguments in body.origin = arguments["origin"] ?? "https://attacker.example" },
    message(
      .browser, "request-data-without-members", "The request data lacks its members",
      .fails(SandboxCheck.requestData, by: "sandbox"), in: .requestData, RequestDataBody.self
    ) { body, _ in body.requestData = "{}" },
    requestData(
      "encryption-info-malformed", "The encryption information is not CBOR",
      .fails(SandboxCheck.encryptionInfo, by: "sandbox")
    ) { $0.encryptionInfo = "_w" },
    requestData(
      "request-version", "The device request is of version 2.0", .fails(SandboxCheck.version, by: "sandbox")
    ) {
      try RequestChange.change(&$0.deviceRequest) { try $0.changing([.member(.text("version"))]) { _ in .text("2.0") } }
    },
    requestData(
      "reader-certificate-malformed", "The reader certificate is not a certificate",
      .fails(SandboxCheck.readerCertificate, by: "sandbox")
    ) {
      try RequestChange.change(&$0.deviceRequest) {
        try RequestChange.changingFirstChain(of: $0) { _ in [.bytes([0x30, 0x00])] }
      }
    },
    message(
      .browser, "raw-request-unreadable", "The app gets an unreadable raw request",
      .fails(ProviderCheck.rawRequest, .unreadable, by: "app"), in: .rawRequest, RawRequestBody.self
    ) { body, _ in body.requestData = Array("[".utf8) },
    message(
      .browser, "reader-signature-altered", "A bit of a reader signature is flipped before the app gets it",
      .fails(ProviderCheck.readerSignature, by: "app"), in: .rawRequest, RawRequestBody.self
    ) { body, _ in
      try RequestChange.change(raw: &body.requestData) { try RequestChange.flipReaderSignature(&$0.deviceRequest) }
    },
    message(
      .browser, "raw-request-replaced", "The app gets another raw request than the sandbox has parsed",
      .fails(ProviderCheck.rawRequest, .differs, by: "app"), in: .rawRequest, RawRequestBody.self
    ) { body, _ in
      try RequestChange.change(raw: &body.requestData) { try RequestChange.flipRetention(&$0.deviceRequest) }
    },
    requestData(
      "request-for-iphone-replaced",
      "A Mac's browser hands over another raw request for an iPhone than the Mac's sandbox has parsed",
      .refusesSignature, to: .nearby
    ) { try RequestChange.flipRetention(&$0.deviceRequest) },
    requestData(
      "request-for-iphone-unsigned",
      "A Mac's browser hands over the raw request for an iPhone without its reader signatures",
      .fails(SelectorCheck.reader, .unsigned, by: "os"), to: .nearby
    ) { try RequestChange.dropReaders(&$0.deviceRequest) },
    message(
      .browser, "protocol-replaced", "The credential names another protocol", .fails(ExchangeCheck.protocol, .other),
      in: .credential, CredentialAnswer.self
    ) { answer, _ in answer.protocol = "openid4vp-v1-unsigned" },
    message(
      .browser, "protocol-older", "The credential names its protocol as an older draft of the standard does",
      .deviates(ExchangeCheck.protocol, .olderDraft), in: .credential, CredentialAnswer.self
    ) { answer, _ in answer.protocol = RequestData.olderProtocolIdentifier },
    message(
      .browser, "response-member-older", "The credential has the member Response of an older draft of the standard",
      .deviates(ExchangeCheck.data, .olderDraft), in: .credential, CredentialAnswer.self
    ) { answer, _ in
      answer.data.older = answer.data.response
      answer.data.response = nil
    },
    message(
      .browser, "response-padded", "The base64url of the response has padding", .fails(ExchangeCheck.data, .malformed),
      in: .credential, CredentialAnswer.self
    ) { answer, _ in answer.data.response = answer.data.response.map { $0 + "=" } },
  ]

  /// Hands over other request data than the page's.
  private static func requestData(
    _ name: String, _ title: String, _ findings: FaultFindings, to recipient: Messaging.Party.Role? = nil,
    _ change: @escaping @Sendable (inout RequestData) throws -> Void
  ) -> Fault {
    message(.browser, name, title, findings, in: .requestData, RequestDataBody.self, to: recipient) { body, _ in
      try RequestChange.change(json: &body.requestData, change)
    }
  }

  /// Faults of operating systems: what they give provider apps, and what they tell browsers.
  static let ofOperatingSystems: [Fault] =
    [
      message(
        .operatingSystem, "origin-withheld", "The app gets no origin", .fails(ProviderCheck.origin, by: "app"),
        in: .authorize, AuthorizeBody.self
      ) { body, _ in body.origin = "" },
      message(
        .operatingSystem, "origin-for-iphone-replaced",
        "A Mac names another origin to an iPhone than its browser and its sandbox", .refusesSignature,
        in: .announce, AnnounceBody.self, to: .nearby,
        parameters: [.required("origin", "the origin that the Mac names")]
      ) { body, arguments in body.origin = arguments["origin"] ?? "https://attacker.example" },
    ]
    + [
      failure(.cancelled, "cancelled-reported", "The browser hears that the request was cancelled"),
      failure(.notEntitled, "not-entitled-reported", "The browser hears that it may not request documents"),
      failure(.noAnswer, "no-answer-reported", "The browser hears that the request ended without an answer"),
      response(.notObject, "response-not-an-object", "The browser gets a response that is a text") {
        $0.data = #""text""#
      },
      response(.notJSON, "response-not-json", "The browser gets a response that is not JSON") { $0.data = "{" },
      response(.empty, "response-empty", "The browser gets an empty response") { $0.data = "" },
      response(.unknownProtocol, "response-protocol-unknown", "The browser gets a response in an unknown protocol") {
        $0.protocol = "org.example.unknown"
      },
    ]

  /// Hands another response to the browser than the app's.
  private static func response(
    _ reason: BrowserCheck.Reason, _ name: String, _ title: String,
    _ change: @escaping @Sendable (inout PresentmentResponseBody) -> Void
  ) -> Fault {
    message(
      .operatingSystem, name, title, .fails(BrowserCheck.response, reason, by: "browser"), in: .response,
      PresentmentResponseBody.self
    ) { body, _ in change(&body) }
  }

  /// Reports another failure to the browser than the one that occurred.
  private static func failure(_ failure: PlatformFailure, _ name: String, _ title: String) -> Fault {
    message(
      .operatingSystem, name, title, .fails(failure.finding.check, failure.finding.reason, by: "browser"),
      in: .presentmentFailed,
      PresentmentFailedBody.self
    ) { body, _ in (body.error, body.detail) = (failure.rawValue, nil) }
  }

  /// Requests that exceed a limit of the sandbox when they arrive at the page.
  static let oversizedRequests: [Fault] = RequestChange.oversized.map { limit, title, enlarge in
    message(
      .website, "request-\(limit.rawValue)", title, .fails(SandboxCheck.limits, .limit(limit), by: "sandbox"),
      in: .presentmentBegun, BegunPresentment.self
    ) { begun, _ in try begun.changeMobileDocuments { try enlarge(&$0, limit.maximum) } }
  }

  /// Faults of storage.
  static let ofStorage: [Fault] = [
    Fault(
      .storage, "disk-full", "The disk of the device is full",
      FaultFindings(party: "app", failed: ["store.unknown"], deviating: []), at: "database", .diskFull)
  ]
}

/// A change to the messages of one kind.
struct MessageChange: Sendable {
  /// The kind of message.
  let kind: MessageKind
  /// The role of the messages' recipients; nil for every role.
  var recipient: Messaging.Party.Role?
  /// Returns the changed bytes; throws `SimulationError` when the message has nothing to change.
  let change: @Sendable ([UInt8], _ arguments: [String: String]) throws -> [UInt8]?

  /// A change to the bytes of messages.
  init(
    _ kind: MessageKind, to recipient: Messaging.Party.Role? = nil,
    change: @escaping @Sendable ([UInt8], [String: String]) throws -> [UInt8]?
  ) {
    self.kind = kind
    self.recipient = recipient
    self.change = change
  }

  /// A change to the JSON body of messages. A message with another body passes unchanged.
  init<Body: JSONWritable & JSONReadable & SendableMetatype>(
    _ kind: MessageKind, to recipient: Messaging.Party.Role? = nil, _ body: Body.Type,
    _ change: @escaping @Sendable (inout Body, [String: String]) throws -> Void
  ) {
    self.init(kind, to: recipient) { bytes, arguments in
      guard var body = try? JSONCoding.decode(Body.self, from: bytes) else { return nil }
      try change(&body, arguments)
      return JSONCoding.encode(body)
    }
  }

  /// The change as a fault of the network.
  func networkFault(of planned: PlannedFault) -> Network.Fault {
    Network.Fault(code: planned.fault.id, message: planned.title) { message in
      guard message.kind == kind, recipient.map({ $0 == message.recipient.role }) ?? true else { return nil }
      return try change(message.bytes, planned.arguments)
    }
  }
}

extension [UInt8] {
  /// The bytes with their last bit flipped.
  var flippingLastBit: [UInt8] { last.map { dropLast() + [$0 ^ 1] } ?? self }
}
