import Certificates
import Crypto
import IdentityDocumentServices
import Messaging
import MobileDocument
import OpenID4VP
import RelyingParty
import SimulationKernel
import Synchronization
import TranscriptDiagnosis
import Vocabulary
import WebPresentment
import Websites
import X509

/// The request signer of a world with faults: signs requests with the faults that act, or correctly.
final class FaultyRequestSigner: RequestSigner {
  /// The faults that act.
  struct Plan: Sendable {
    /// The transcript that readers sign.
    var transcript: Acting<TranscriptVariant>?
    /// The structure that readers sign around the transcript.
    var authentication: Acting<ReaderAuthenticationVariant>?
    /// The change of requests in OpenID4VP.
    var presentation: Acting<PresentationRequestChange>?
    /// The fault that readers have certificates that they signed themselves.
    var selfMadeCertificate: Fault?
    /// The fault that sessions keep their origin with a slash at its end.
    var originWithSlash: Fault?
  }

  private let state = Mutex(Plan())

  /// Begins or ends faults.
  func change(_ change: (inout Plan) -> Void) { state.withLock { change(&$0) } }

  func signed(
    _ draft: DeviceRequestDraft, for readers: [DeviceRequestDraft.Reader], over inputs: TranscriptInputs,
    at station: Station
  ) throws -> SignedRequest {
    let plan = state.withLock { $0 }
    let readers = plan.selfMadeCertificate == nil ? readers : try readers.map { try $0.selfCertified() }
    if let fault = plan.selfMadeCertificate { station.record(.fault(fault.event)) }
    let faults = readers.isEmpty ? [] : [plan.transcript?.fault, plan.authentication?.fault].compactMap(\.self)
    var signed = try StandardRequestSigner().signed(draft, for: readers, over: inputs, at: station)
    if !faults.isEmpty {
      signed = try station.recording(faults) {
        SignedRequest(
          encoded: try draft.encoded(signedFor: readers) { parts, reader in
            try plan.content(of: parts, inputs).signed(with: reader.signer, x5chain: reader.chain)
          }, sessionOrigin: inputs.origin)
      }
    }
    guard let fault = plan.originWithSlash else { return signed }
    station.record(.fault(fault.event))
    return SignedRequest(encoded: signed.encoded, sessionOrigin: signed.sessionOrigin + "/")
  }
}

extension FaultyRequestSigner {
  func data(
    of draft: PresentationRequestDraft, in kind: OpenID4VPProtocol, for readers: [DeviceRequestDraft.Reader],
    at station: Station
  ) throws -> [UInt8] {
    let plan = state.withLock { $0 }
    let readers = plan.selfMadeCertificate == nil ? readers : try readers.map { try $0.selfCertified() }
    if let fault = plan.selfMadeCertificate { station.record(.fault(fault.event)) }
    let signers = readers.compactMap { PresentationRequestDraft.Signer($0) }
    guard let presentation = plan.presentation else { return try draft.data(of: kind, signedBy: signers) }
    return try station.recording([presentation.fault]) {
      try presentation.change.data(of: draft, in: kind, signedBy: signers)
    }
  }
}

extension DeviceRequestDraft.Reader {
  /// The reader with a copy of its certificate that it has signed with its own key instead of the authority's.
  func selfCertified() throws -> DeviceRequestDraft.Reader {
    guard let leaf = chain.first else { return self }
    let copy = try Certificate(derEncoded: leaf).copied(signedBy: signer)
    return DeviceRequestDraft.Reader(signer: signer, chain: [try copy.derEncoded()] + chain.dropFirst())
  }
}

extension FaultyRequestSigner.Plan {
  fileprivate func content(of parts: ReaderAuthenticationParts, _ inputs: TranscriptInputs) throws -> SignedContent {
    var used = inputs.sessionTranscript
    if let transcript = transcript?.change {
      used = try transcript.transcripts(from: inputs).required(transcript).transcript
    }
    guard let authentication = authentication?.change else { return parts.content(over: used) }
    return try authentication.contents(of: parts, over: used).required(authentication).content
  }
}

extension Fault {
  /// Faults of websites.
  static let ofWebsites: [Fault] =
    TranscriptVariant.allCases.filter { $0 != .originSlashMissing && $0 != .anotherSession }.map { variant in
      Fault(
        .website, variant.rawValue, variant.title, .refusesSignature, at: "session transcript",
        .websiteTranscript(variant))
    }
    + ReaderAuthenticationVariant.allCases.map { variant in
      Fault(
        .website, variant.rawValue, variant.title, .refusesSignature, at: "reader signature",
        .readerAuthentication(variant))
    }
    + [
      Fault(
        .website, "reader-certificate-self-made",
        "The website issues its reader certificate itself, in the name and with the key identifier of the authority",
        .fails(ProviderCheck.reader, .untrusted, by: "app"), at: "reader certificate", .selfMadeReaderCertificate),
      Fault(
        .website, "session-origin-with-slash", "The session keeps its origin with a slash at the end",
        .fails(ExchangeCheck.decryption, .transcript), at: "session", .sessionOrigin),
    ] + oversizedRequests
}

/// The source of encryption information in a world with faults. The alphabets of base64 differ in two characters. About one
/// text in twenty lacks both, so a fault of the alphabet would change nothing. While such a fault acts, the source draws
/// nonces until the text has one of the two.
final class AlphabetRevealingSource: EncryptionInfoSource {
  /// The ids of the faults that act.
  private let faults = Mutex<Set<String>>([])

  /// Begins or ends a fault of a session transcript.
  func set(_ begins: Bool, _ fault: Fault, of variant: TranscriptVariant) {
    guard variant == .encryptionInfoStandardBase64 else { return }
    faults.withLock { faults in
      if begins { faults.insert(fault.id) } else { faults.remove(fault.id) }
    }
  }

  func encryptionInfo(for key: P256.KeyAgreement.PublicKey, drawing nonces: inout EntropyStream) -> EncryptionInfo {
    let standard = StandardEncryptionInfoSource()
    var info = standard.encryptionInfo(for: key, drawing: &nonces)
    guard faults.withLock({ !$0.isEmpty }) else { return info }
    while !info.text.contains(where: { $0 == "-" || $0 == "_" }) {
      info = standard.encryptionInfo(for: key, drawing: &nonces)
    }
    return info
  }
}
