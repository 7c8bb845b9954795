import Certificates
import Crypto
import Ecosystem
import Messaging
import MobileDocument
import SimulationKernel
import Synchronization
import Vocabulary
import WebPresentment
import Websites
import X509

/// The request signer of a world with faults: signs requests with the faults that act, or correctly.
final class FaultyRequestSigner: RequestSigner {
  /// The faults that act.
  struct Plan: Sendable {
    /// The transcript that readers sign.
    var transcript: TranscriptVariant?
    /// The structure that readers sign around the transcript.
    var authentication: ReaderAuthenticationVariant?
    /// Readers have certificates that they signed themselves.
    var selfMakesCertificate = false
    /// Sessions keep their origin with a slash at its end.
    var keepsSlash = false
  }

  private let state = Mutex(Plan())

  /// Begins or ends faults.
  func change(_ change: (inout Plan) -> Void) { state.withLock { change(&$0) } }

  func signed(
    _ draft: DeviceRequestDraft, for readers: [DeviceRequestDraft.Reader], over inputs: TranscriptInputs,
    at station: Station
  ) throws -> SignedRequest {
    let plan = state.withLock { $0 }
    let readers = plan.selfMakesCertificate ? try readers.map { try $0.selfCertified() } : readers
    if plan.selfMakesCertificate { station.record(.fault(FaultCatalogue.event(Self.selfMadeCertificateID))) }
    let ids = readers.isEmpty ? [] : [plan.transcript?.rawValue, plan.authentication?.rawValue].compactMap(\.self)
    var signed = try StandardRequestSigner().signed(draft, for: readers, over: inputs, at: station)
    do {
      if !ids.isEmpty {
        signed = SignedRequest(
          encoded: try draft.encoded(signedFor: readers) { parts, reader in
            try plan.content(of: parts, inputs).signed(with: reader.signer, x5chain: reader.chain)
          }, sessionOrigin: inputs.origin)
      }
    } catch let error as SimulationError where error.code == .faultNotApplicable {
      for id in ids { station.record(.fault(FaultCatalogue.event("website.\(id)", .notApplicable(error.message)))) }
      throw error
    }
    for id in ids { station.record(.fault(FaultCatalogue.event("website.\(id)"))) }
    guard plan.keepsSlash else { return signed }
    station.record(.fault(FaultCatalogue.event(Self.sessionOriginID)))
    return SignedRequest(encoded: signed.encoded, sessionOrigin: signed.sessionOrigin + "/")
  }

  fileprivate static let selfMadeCertificateID = "website.reader-certificate-self-made"
  fileprivate static let sessionOriginID = "website.session-origin-with-slash"
}

extension DeviceRequestDraft.Reader {
  /// The reader with a copy of its certificate that it has signed with its own key instead of the authority's.
  fileprivate func selfCertified() throws -> DeviceRequestDraft.Reader {
    guard let leaf = chain.first else { return self }
    let copy = try Certificate(derEncoded: leaf).copied(signedBy: signer)
    return DeviceRequestDraft.Reader(signer: signer, chain: [try copy.derEncoded()] + chain.dropFirst())
  }
}

extension FaultyRequestSigner.Plan {
  fileprivate func content(of parts: ReaderAuthenticationParts, _ inputs: TranscriptInputs) throws -> SignedContent {
    var used = inputs.sessionTranscript
    if let transcript { used = try transcript.transcripts(from: inputs).required(transcript).transcript }
    guard let authentication else { return parts.content(over: used) }
    return try authentication.contents(of: parts, over: used).required(authentication).content
  }
}

extension Fault {
  private static let refusesSignature = FaultFindings.fails("sandbox.reader-signature", by: "sandbox")

  /// Faults of websites.
  static let ofWebsites =
    TranscriptVariant.allCases.filter { $0 != .originSlashMissing && $0 != .anotherSession }.map { variant in
      Fault(
        .website, variant.rawValue, FaultDeclaration(variant.title, refusesSignature), at: "session transcript",
        .websiteTranscript(variant))
    }
    + ReaderAuthenticationVariant.allCases.map { variant in
      Fault(
        .website, variant.rawValue, FaultDeclaration(variant.title, refusesSignature), at: "reader signature",
        .readerAuthentication(variant))
    }
    + [
      Fault(
        .website, "reader-certificate-self-made",
        FaultDeclaration(
          "The website issues its reader certificate itself, in the name and with the key identifier of the authority",
          .fails("provider.reader/untrusted", by: "app")),
        at: "reader certificate", .selfMadeReaderCertificate),
      Fault(
        .website, "session-origin-with-slash",
        FaultDeclaration(
          "The session keeps its origin with a slash at the end", .fails("response.decryption/transcript")),
        at: "session", .sessionOrigin),
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

  func encryptionInfo(
    for key: P256.KeyAgreement.PublicKey, drawing nonces: inout EntropyStream
  ) -> EncryptionInfo {
    let standard = StandardEncryptionInfoSource()
    var info = standard.encryptionInfo(for: key, drawing: &nonces)
    guard faults.withLock({ !$0.isEmpty }) else { return info }
    while !info.text.contains(where: { $0 == "-" || $0 == "_" }) {
      info = standard.encryptionInfo(for: key, drawing: &nonces)
    }
    return info
  }
}
