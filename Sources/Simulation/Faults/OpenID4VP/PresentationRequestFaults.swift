import COSE
import Checks
import Crypto
import DevicePlatform
import Foundation
import IdentityDocumentServices
import JSON
import MobileDocument
import OpenID4VP
import Primitives
import SimulationKernel

/// The effect of a fault of a website in its request in OpenID4VP.
enum PresentationRequestChange: Sendable {
  /// The parameters, before they are signed.
  case draft(@Sendable (inout PresentationRequestDraft) -> Void)
  /// The parties that sign.
  case signers(@Sendable (inout PresentationRequestDraft.Signer) -> Void)
  /// The data of the request, after it was signed.
  case data(@Sendable (JSONValue) throws -> JSONValue)
}

extension Fault {
  /// Faults of websites in requests in OpenID4VP.
  static let ofPresentationRequests: [Fault] =
    [
      request(
        "other-origins", "The request is for another website's origin", .origin, .notExpected,
        .draft { $0.expectedOrigins = ["https://attacker.example"] }),
      request(
        "origin-with-slash", "The request is for the origin with a slash at the end", .origin, .notExpected,
        .draft { draft in draft.expectedOrigins = draft.expectedOrigins.map { $0 + "/" } }),
      request("no-origins", "The request names no origin", .origin, .missing, .draft { $0.expectedOrigins = [] }),
      request(
        "opaque-origin", "The request is for an opaque origin", .origin, .opaque,
        .draft { $0.expectedOrigins = ["null"] }),
      request(
        "nonce-with-space", "The nonce has a space", .nonce, .malformed, .draft { $0.nonce = "a b" }),
      request(
        "no-key", "The request asks for an encrypted answer and has no key", .encryption, nil,
        .draft { $0.encryptionKey = nil }),
      request(
        "unknown-transaction", "The request has a transaction of a type that no wallet knows", .transactionData,
        .unknown,
        .draft { draft in
          let entry = #"{"type":"org.example.unknown","credential_ids":["document-1"]}"#
          draft.transactionData = [Base64URL.encode(Array(entry.utf8))]
        }),
      request(
        "client-of-another-certificate", "The client identifier is the digest of another certificate", .clientID,
        .mismatch,
        .signers { $0.clientID = ClientIdentifier(.hash, Base64URL.encode([UInt8](repeating: 0, count: 32))) }),
      request(
        "client-without-prefix", "The client identifier has no prefix", .clientID, .unknown,
        .signers { $0.clientID = ClientIdentifier("spaceship-rentals") }),
      request(
        "no-certificate", "The request has no reader certificate", .key, .certificate, .signers { $0.chain = [] }),
      request(
        "signature-altered", "A bit of a reader signature is flipped", .signature, nil,
        .data { data in
          guard let text = data.member("request")?.text, let end = text.lastIndex(of: "."),
            let signature = Base64URL.decode(String(text[text.index(after: end)...]))
          else { throw SimulationError.notApplicable("the request does not have one signature") }
          let altered = text[...end] + Base64URL.encode(signature.flippingLastBit)
          return JSONValue(members: [("request", .string(String(altered)))])
        }),
      request(
        "unsigned-data", "The request has the parameters in place of the signed object", .structure, nil,
        .data { _ in JSONValue(members: [("response_type", .string("vp_token"))]) }),
      // The sandbox has no clock, so the app notices it.
      Fault(
        .website, "openid4vp-expired", "The signed request has expired",
        .fails(ProviderCheck.rawRequest, .expired, by: "app"), at: "request in OpenID4VP",
        .presentationRequest(.draft { $0.expires = DateTime(secondsSince1970: 1_600_000_000) })),
    ]

  private static func request(
    _ name: String, _ title: String, _ check: PresentationRequestCheck, _ reason: PresentationRequestCheck.Reason?,
    _ change: PresentationRequestChange
  ) -> Fault {
    Fault(
      .website, "openid4vp-\(name)", title,
      .fails(SandboxCheck.presentationRequest, .presentationRequest(CheckFinding(check, reason)), by: "sandbox"),
      at: "request in OpenID4VP", .presentationRequest(change))
  }
}

extension PresentationRequestChange {
  /// Returns the data of a request with the change, UTF-8 JSON.
  /// - Throws: `SimulationError` if there is nothing to change; a signer's error.
  func data(
    of draft: PresentationRequestDraft, in session: OpenID4VPProtocol,
    signedBy signers: [PresentationRequestDraft.Signer]
  ) throws -> [UInt8] {
    var (draft, signers) = (draft, signers)
    switch self {
    case .draft(let change): change(&draft)
    case .signers(let change):
      guard session != .unsigned else { throw SimulationError.notApplicable("the request is not signed") }
      for index in signers.indices { change(&signers[index]) }
    case .data: break
    }
    let data = try draft.data(of: session, signedBy: signers)
    guard case .data(let change) = self else { return data }
    return try change(JSONReader.read(data)).bytes
  }
}
