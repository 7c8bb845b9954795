import COSE
import Checks
import Crypto
import Foundation
import IdentityDocumentServices
import JOSE
import JSON
import MobileDocument
import OpenID4VP
import Primitives
import SimulationKernel
import WebPresentment

/// The effect of a fault of a wallet in its answer in OpenID4VP: with a real key and a real document.
enum PresentationChange: Sendable {
  /// The transcript that the device signs.
  case transcript(@Sendable (ValidatedOpenID4VPRequest) throws -> SessionTranscript)
  /// The elements that a document gives, from those that are asked for.
  case elements(@Sendable (HeldDocument, [DCQLCredential.Element]) throws -> [DCQLCredential.Element])
  /// The text of a presentation.
  case presentation(@Sendable (String) -> String)
  /// The value of `vp_token`.
  case token(@Sendable ([JSONValue.Member]) -> [JSONValue.Member])
  /// The key of an encrypted response as the wallet names and uses it.
  case key(@Sendable (JWK, _ other: P256.KeyAgreement.PublicKey) -> JWK)
  /// The data in place of an encrypted response.
  case data(@Sendable (_ plain: [UInt8]) -> [UInt8])
}

/// An answer in OpenID4VP with one fault.
struct FaultyPresentation {
  let change: PresentationChange
  let validated: ValidatedOpenID4VPRequest
  let seal: PresentationSeal
  /// The key of another recipient.
  let otherKey: P256.KeyAgreement.PublicKey

  /// Returns the data of the response.
  /// - Throws: `SimulationError` if the fault has nothing to change.
  func data(of chosen: [(CredentialQuery, PresentableDocument)]) throws -> Data {
    var members = try chosen.map { query, document in
      JSONValue.Member(name: query.id, value: .array([.string(try presentation(of: document, answering: query))]))
    }
    if case .token(let change) = change { members = change(members) }
    let plain = JSONValue(members: [("vp_token", .object(members))]).bytes
    guard let (key, encryption) = validated.encryption else {
      switch change {
      case .key, .data: throw SimulationError.notApplicable("the request asks for an answer that is not encrypted")
      case .transcript, .elements, .presentation, .token: return Data(plain)
      }
    }
    if case .data(let change) = change { return Data(change(plain)) }
    var usedKey = key
    if case .key(let change) = change { usedKey = change(key, otherKey) }
    let text = try JWE.encrypt(
      plain, to: usedKey, encryption: encryption, ephemeralKey: seal.ephemeralKey,
      initializationVector: seal.initializationVector)
    return Data(JSONValue(members: [("response", .string(text))]).bytes)
  }

  private func presentation(of document: PresentableDocument, answering query: CredentialQuery) throws -> String {
    let held = document.held
    var elements = try query.match(document.credential).elements
    if case .elements(let change) = change { elements = try change(held, elements) }
    var transcript = validated.transcript
    if case .transcript(let change) = change { transcript = try change(validated) }
    let kept = held.keeping { space, identifier in
      elements.contains { $0.nameSpace == space && $0.identifier == identifier }
    }
    let presented = try kept.presented(
      kept.nameSpaces.filter { !$0.items.isEmpty }, over: transcript, signedWith: document.deviceKey)
    let text = Base64URL.encode(DeviceResponseWriter.encoded(documents: [presented]))
    guard case .presentation(let change) = change else { return text }
    return change(text)
  }
}

extension Fault {
  /// Faults of wallets in answers in OpenID4VP.
  static let ofPresentations: [Fault] =
    [
      presentation(
        "annex-c-transcript",
        "The device signs the session transcript of annex C, made of the nonce and the key of the request",
        .fails(ResponseCheck.deviceSignature, .invalid),
        transcript { validated in
          guard let key = validated.encryption?.key.publicKey, let nonce = Base64URL.decode(validated.parameters.nonce),
            let recipient = try? key.p256KeyAgreementKey()
          else { throw SimulationError.notApplicable("the request has no key") }
          return EncryptionInfo(nonce: nonce, recipientPublicKey: recipient).sessionTranscript(origin: validated.origin)
        }),
      presentation(
        "origin-with-slash", "The device signs for the origin with a slash at the end",
        .fails(ResponseCheck.deviceSignature, .transcript),
        transcript {
          OpenID4VPHandover.sessionTranscript(
            origin: $0.origin + "/", nonce: $0.parameters.nonce, thumbprint: $0.encryption?.key.thumbprint)
        }),
      presentation(
        "without-thumbprint", "The device signs without the thumbprint of the key that the answer is encrypted to",
        .fails(ResponseCheck.deviceSignature, .transcript),
        transcript {
          OpenID4VPHandover.sessionTranscript(origin: $0.origin, nonce: $0.parameters.nonce, thumbprint: nil)
        }),
      presentation(
        "another-nonce", "The device signs for another nonce",
        .fails(ResponseCheck.deviceSignature, .invalid),
        transcript {
          OpenID4VPHandover.sessionTranscript(
            origin: $0.origin, nonce: $0.parameters.nonce + "0", thumbprint: $0.encryption?.key.thumbprint)
        }),
      presentation(
        "claim-left-out", "The wallet leaves out a claim that is asked for",
        .fails(PresentationResponseCheck.query, .claim),
        .elements { _, asked in
          guard asked.count > 1 else { throw SimulationError.notApplicable("the request asks for one claim") }
          return asked.dropLast()
        }),
      presentation(
        "everything-given", "The wallet gives every element of the document",
        FaultFindings(
          party: "server", failed: [], deviating: [PresentationResponseCheck.surplus.name(.claim)]),
        .elements { held, _ in
          held.nameSpaces.flatMap { space in
            space.items.map {
              DCQLCredential.Element(
                nameSpace: space.name, identifier: $0.value.elementIdentifier, value: $0.value.elementValue)
            }
          }
        }),
      presentation(
        "padded", "A presentation of a mobile document is padded base64url",
        .fails(PresentationResponseCheck.documents, .malformed), .presentation { $0 + "=" }),
      presentation(
        "bare", "A presentation is a bare string and not in an array",
        .fails(PresentationResponseCheck.count, .bare),
        .token { members in
          members.map { member in
            guard case .array(let elements) = member.value, let first = elements.first else { return member }
            return JSONValue.Member(name: member.name, value: first)
          }
        }),
      presentation(
        "twice", "A credential is presented twice, and the query allows one presentation",
        .fails(PresentationResponseCheck.count),
        .token { members in
          members.map { member in
            guard case .array(let elements) = member.value else { return member }
            return JSONValue.Member(name: member.name, value: .array(elements + elements))
          }
        }),
      presentation(
        "unknown-query", "The answer is to a credential query that the request does not have",
        .fails(PresentationResponseCheck.identifiers, .unknown),
        .token { members in members.map { JSONValue.Member(name: $0.name + "-other", value: $0.value) } }),
      presentation(
        "nothing", "The answer has no presentation", .fails(PresentationResponseCheck.token, .empty), .token { _ in [] }
      ),
      presentation(
        "in-the-clear", "The answer is not encrypted, although the request asks for it",
        .fails(PresentationResponseCheck.encryptionUse, .plain), .data { $0 }),
      presentation(
        "error", "The wallet answers with an error", .fails(PresentationResponseCheck.error),
        .data { _ in PresentationResponse.error(.accessDenied) }),
      presentation(
        "to-another-key", "The answer is encrypted to another key under the name of the session's",
        .fails(PresentationResponseCheck.decryption),
        .key { key, other in
          JWK(COSEKey(other), keyID: key.keyID, use: key.use, algorithm: key.algorithm)
        }),
      presentation(
        "key-not-named", "The answer does not name the key that it is encrypted to",
        .fails(PresentationResponseCheck.keyIdentifier, .missing),
        .key { key, _ in JWK(key.publicKey, use: key.use, algorithm: key.algorithm) }),
      presentation(
        "key-of-another-name", "The answer names another key than the session's",
        .fails(PresentationResponseCheck.keyIdentifier, .unknown),
        .key { key, _ in JWK(key.publicKey, keyID: "another", use: key.use, algorithm: key.algorithm) }),
    ]

  private static func transcript(
    _ make: @escaping @Sendable (ValidatedOpenID4VPRequest) throws -> SessionTranscript
  ) -> PresentationChange { .transcript(make) }

  private static func presentation(
    _ name: String, _ title: String, _ findings: FaultFindings, _ change: PresentationChange
  ) -> Fault {
    Fault(
      .wallet, "openid4vp-\(name)", title, findings, at: "answer in OpenID4VP", .presentation(change))
  }
}
