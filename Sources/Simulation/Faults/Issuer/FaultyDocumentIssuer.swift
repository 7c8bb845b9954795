import Authorities
import COSE
import Certificates
import Messaging
import MobileDocument
import SDJWT
import SimulationKernel
import StatusLists
import Synchronization
import Vocabulary

/// The document issuer of a world with faults: issues documents with the fault that acts, or correct ones.
final class FaultyDocumentIssuer: DocumentIssuer {
  private let state = Mutex<Acting<DocumentChange>?>(nil)
  private let credentialState = Mutex<Acting<CredentialChange>?>(nil)
  let statusEntries: StatusEntryFaults

  /// An issuer of correct documents, until a fault acts.
  init(statusEntries: StatusEntryFaults) { self.statusEntries = statusEntries }

  /// The fault of mobile documents that acts.
  var acting: Acting<DocumentChange>? { state.withLock { $0 } }
  /// The fault of SD-JWT credentials that acts.
  var actingOnCredentials: Acting<CredentialChange>? { credentialState.withLock { $0 } }
  /// A Boolean value that indicates whether a fault acts on any issuer's mobile documents.
  var isFaulty: Bool { acting != nil || statusEntries.areActing }

  func set(_ acting: Acting<DocumentChange>?) { state.withLock { $0 = acting } }
  func set(_ acting: Acting<CredentialChange>?) { credentialState.withLock { $0 = acting } }

  func issued(
    _ draft: DocumentDraft, with credentials: IssuingCredentials, randomness: inout EntropyStream
  ) throws -> [UInt8] {
    let acting = acting
    let statusEntry = draft.status == nil ? nil : statusEntries[credentials.issuer.identifier]
    guard let fault = acting?.fault ?? statusEntry?.fault else {
      return try StandardDocumentIssuer().issued(draft, with: credentials, randomness: &randomness)
    }
    return try credentials.station.recording([fault]) {
      try Self.issuer(credentials).issued(draft, with: acting?.change, statusEntry?.change, randomness: &randomness)
    }
  }

  /// Issues an SD-JWT credential. The faults of references to status lists are of mobile documents.
  func issued(
    _ draft: SDJWTDraft, with credentials: IssuingCredentials, randomness: inout EntropyStream
  ) throws -> [UInt8] {
    let statusEntry = draft.status == nil ? nil : statusEntries[credentials.issuer.identifier]
    if let fault = statusEntry?.fault {
      return try credentials.station.recording([fault]) {
        throw SimulationError.notApplicable("the document is an SD-JWT credential")
      }
    }
    guard let acting = actingOnCredentials else {
      return try StandardDocumentIssuer().issued(draft, with: credentials, randomness: &randomness)
    }
    return try credentials.station.recording([acting.fault]) {
      try Self.issuer(credentials).issued(draft, with: acting.change) { randomness.bytes($0) }
    }
  }

  private static func issuer(_ credentials: IssuingCredentials) throws -> FaultyIssuer {
    let station = credentials.station
    var keys = station.stream("keys of another authority")
    let other = try CertificateAuthority.root(
      of: credentials.issuer, from: station.founded.adding(days: -1), serialNumber: keys.bytes(16),
      signer: try keys.signingKey())
    return FaultyIssuer(
      authority: credentials.authority, otherAuthority: other, signer: credentials.signer,
      certificate: credentials.certificate, name: credentials.signerName, contact: credentials.issuer.contact,
      moment: station.now, serialNumber: keys.bytes(16))
  }
}

extension Fault {
  /// Faults of issuing authorities.
  static let ofIssuers: [Fault] = ofDocuments + ofCredentials + ofStatusEntries + ofStatusLists

  static let publisher = Parameter(
    name: "issuer", title: "the issuing authority; every one that publishes lists by default", values: nil,
    isRequired: false)
}
