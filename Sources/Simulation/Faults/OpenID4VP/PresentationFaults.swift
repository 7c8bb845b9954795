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
import SDJWT
import SimulationKernel
import WebPresentment

/// The effect of a fault of a wallet in its answer in OpenID4VP: with a real key and a real document.
enum PresentationChange: Sendable {
  /// The transcript that the device signs.
  case transcript(@Sendable (ValidatedOpenID4VPRequest) throws -> SessionTranscript)
  /// The elements that a document gives, from those that are asked for.
  case elements(@Sendable (HeldDocument, [DCQLCredential.Element]) throws -> [DCQLCredential.Element])
  /// The parts that the holder of an SD-JWT credential sends and signs.
  case sdJWT(@Sendable (inout SDJWTParts) throws -> Void)
  /// The text of the presentation of a mobile document.
  case presentation(@Sendable (String) -> String)
  /// The value of `vp_token`.
  case token(@Sendable ([JSONValue.Member]) -> [JSONValue.Member])
  /// The key of an encrypted response as the wallet names and uses it.
  case key(@Sendable (JWK, _ other: P256.KeyAgreement.PublicKey) -> JWK)
  /// The data in place of an encrypted response.
  case data(@Sendable (_ plain: [UInt8]) -> [UInt8])
}

/// The parts that the holder of an SD-JWT credential sends and signs.
struct SDJWTParts {
  /// The credential with every disclosure.
  let held: HeldSDJWT
  /// The issuer's part and the disclosures that are sent, with a tilde after each.
  var sent: String
  /// The presentation that the holder signs; nil for the one that is sent.
  var signed: String?
  /// The values of the key binding; nil for a presentation without one.
  var binding: HeldSDJWT.KeyBinding?
  /// The holder's key.
  var key: any ES256Signer
  /// A key that the issuer has not bound.
  let otherKey: any ES256Signer

  /// Returns the presentation.
  /// - Throws: The key's error.
  func presentation() throws -> String {
    guard let binding else { return sent }
    return sent + (try held.keyBinding(over: signed ?? sent, binding, signedWith: key))
  }

  /// Changes the disclosures that are sent.
  mutating func changeDisclosures(_ change: (inout [String]) throws -> Void) rethrows {
    var parts = sent.split(separator: "~").map(String.init)
    let jwt = parts.removeFirst()
    try change(&parts)
    sent = ([jwt] + parts + [""]).joined(separator: "~")
  }
}

/// An answer in OpenID4VP with one fault.
struct FaultyPresentation {
  /// The fault; nil if authorities alone have one.
  let change: PresentationChange?
  let validated: ValidatedOpenID4VPRequest
  let seal: PresentationSeal
  /// The key of another recipient.
  let otherKey: P256.KeyAgreement.PublicKey
  /// A device key that no issuer has signed.
  let otherDeviceKey: any ES256Signer
  /// The documents that their authorities issued again with a fault, by their identifiers.
  let ordered: [String: FaultyResponseBuilder.Ordered]

  /// Returns the data of the response.
  /// - Throws: `SimulationError` if the fault has nothing to change.
  func data(of chosen: [(CredentialQuery, PresentableDocument)]) throws -> Data {
    try checkFormats(of: chosen.map(\.1))
    let answered = chosen.map(\.0.id)
    var members = try chosen.map { query, document in
      let text = try presentation(of: document, answering: query, among: answered)
      return JSONValue.Member(name: query.id, value: .array([.string(text)]))
    }
    if case .token(let change) = change { members = change(members) }
    let plain = JSONValue(members: [("vp_token", .object(members))]).bytes
    guard let (key, encryption) = validated.encryption else {
      switch change {
      case .key, .data: throw SimulationError.notApplicable("the request asks for an answer that is not encrypted")
      case .transcript, .elements, .sdJWT, .presentation, .token, nil: return Data(plain)
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

  /// Checks that the answer has a document of the format that the fault is about. The others are presented as they are.
  private func checkFormats(of documents: [PresentableDocument]) throws {
    let areMobile = documents.map { $0.held != nil }
    switch change {
    case .transcript, .elements, .presentation:
      guard areMobile.contains(true) else { throw SimulationError.notApplicable("no document of the answer is mobile") }
    case .sdJWT:
      guard areMobile.contains(false) else {
        throw SimulationError.notApplicable("no document of the answer is an SD-JWT credential")
      }
    case .token, .key, .data, nil: break
    }
  }

  private func presentation(
    of document: PresentableDocument, answering query: CredentialQuery, among answered: [String]
  ) throws -> String {
    let held: HeldDocument
    switch document.credential {
    case .mobileDocument(let document): held = document
    case .sdJWT(let credential):
      let match = try query.match(document.credential.queried)
      let disclosed = credential.disclosures(for: match.selected)
      let ordered = ordered[document.documentIdentifier]
      var parts = SDJWTParts(
        held: credential,
        sent: ordered.map {
          UncheckedCredential(issued: $0.issued).presented(disclosing: disclosed, of: credential)
        } ?? credential.presented(disclosing: disclosed),
        binding: try validated.keyBinding(for: query, among: answered), key: ordered?.key ?? document.deviceKey,
        otherKey: otherDeviceKey)
      if case .sdJWT(let change) = change { try change(&parts) }
      return try parts.presentation()
    }
    var elements = try query.match(document.credential.queried).elements
    if case .elements(let change) = change { elements = try change(held, elements) }
    var transcript = validated.transcript
    if case .transcript(let change) = change { transcript = try change(validated) }
    let ordered = ordered[document.documentIdentifier]
    let unchecked = try ordered?.document() ?? UncheckedDocument(held)
    let kept = unchecked.nameSpaces.map { space in
      IssuerNameSpace(
        name: space.name,
        items: space.items.filter { item in
          elements.contains { $0.nameSpace == space.name && $0.identifier == item.value.elementIdentifier }
        })
    }
    let presented = try unchecked.presented(
      kept.filter { !$0.items.isEmpty }, over: transcript, signedWith: ordered?.key ?? document.deviceKey)
    let text = Base64URL.encode(DeviceResponseWriter.encoded(documents: [presented.encoded]))
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
        .transcript { validated in
          guard let key = validated.encryption?.key.publicKey, let nonce = Base64URL.decode(validated.parameters.nonce),
            let recipient = try? key.p256KeyAgreementKey()
          else { throw SimulationError.notApplicable("the request has no key") }
          return EncryptionInfo(nonce: nonce, recipientPublicKey: recipient).sessionTranscript(origin: validated.origin)
        }),
      presentation(
        "origin-with-slash", "The device signs for the origin with a slash at the end",
        .fails(ResponseCheck.deviceSignature, .transcript),
        .transcript {
          OpenID4VPHandover.sessionTranscript(
            origin: $0.origin + "/", nonce: $0.parameters.nonce, thumbprint: $0.encryption?.key.thumbprint)
        }),
      presentation(
        "without-thumbprint", "The device signs without the thumbprint of the key that the answer is encrypted to",
        .fails(ResponseCheck.deviceSignature, .transcript),
        .transcript {
          OpenID4VPHandover.sessionTranscript(origin: $0.origin, nonce: $0.parameters.nonce, thumbprint: nil)
        }),
      presentation(
        "another-nonce", "The device signs for another nonce",
        .fails(ResponseCheck.deviceSignature, .invalid),
        .transcript {
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
        .deviates(PresentationResponseCheck.surplus, .claim),
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
        "error", "The wallet answers with an error", .fails(PresentationResponseCheck.error, .accessDenied),
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
      sdJWT(
        "for-another-origin", "The holder of an SD-JWT credential signs for another origin",
        .fails(SDJWTCheck.bindingAudience)
      ) { $0.binding?.audience += ".example" },
      sdJWT(
        "with-another-nonce", "The holder of an SD-JWT credential signs another nonce",
        .fails(SDJWTCheck.bindingNonce)
      ) { $0.binding?.nonce += "0" },
      sdJWT(
        "of-yesterday", "The holder of an SD-JWT credential dates the signature a day before the request",
        .fails(SDJWTCheck.bindingTime, .tooOld)
      ) { parts in
        if let issuedAt = parts.binding?.issuedAt { parts.binding?.issuedAt = issuedAt.adding(days: -1) }
      },
      sdJWT(
        "by-another-key", "A key that the issuer has not bound signs the presentation of an SD-JWT credential",
        .fails(SDJWTCheck.bindingSignature, .invalid)
      ) { $0.key = $0.otherKey },
      sdJWT(
        "without-binding", "An SD-JWT credential is presented without the holder's signature",
        .fails(SDJWTCheck.keyBinding)
      ) { $0.binding = nil },
      sdJWT(
        "over-fewer-claims", "The holder of an SD-JWT credential signs fewer disclosures than the wallet sends",
        .fails(SDJWTCheck.bindingDigest)
      ) { parts in parts.signed = parts.held.presented(disclosing: []) },
      sdJWT(
        "claim-altered", "The wallet alters a disclosed claim of an SD-JWT credential, and the holder signs it",
        .fails(SDJWTCheck.disclosures, .unreferenced)
      ) { parts in
        try parts.changeDisclosures { disclosures in
          guard let last = disclosures.popLast(), let bytes = Base64URL.decode(last),
            case .array(var content)? = try? JSONReader.read(bytes)
          else { throw SimulationError.notApplicable("the presentation discloses nothing") }
          content[content.count - 1] = .string("Altered")
          disclosures.append(Base64URL.encode(JSONValue.array(content).bytes))
        }
      },
      sdJWT(
        "claim-withheld", "The wallet leaves out a claim of an SD-JWT credential that is asked for",
        .fails(PresentationResponseCheck.query, .claim)
      ) { parts in
        try parts.changeDisclosures { disclosures in
          guard !disclosures.isEmpty else {
            throw SimulationError.notApplicable("the presentation discloses nothing")
          }
          // Innermost disclosures come first: without it, no other is left without its digest.
          disclosures.removeFirst()
        }
      },
      sdJWT(
        "everything-disclosed", "The wallet sends every disclosure of an SD-JWT credential",
        .deviates(PresentationResponseCheck.surplus, .claim)
      ) { $0.sent = $0.held.issued },
    ]

  private static func sdJWT(
    _ name: String, _ title: String, _ findings: FaultFindings,
    _ change: @escaping @Sendable (inout SDJWTParts) throws -> Void
  ) -> Fault { presentation("sd-jwt-\(name)", title, findings, .sdJWT(change)) }

  private static func presentation(
    _ name: String, _ title: String, _ findings: FaultFindings, _ change: PresentationChange
  ) -> Fault {
    Fault(.wallet, "openid4vp-\(name)", title, findings, at: "answer in OpenID4VP", .presentation(change))
  }
}
