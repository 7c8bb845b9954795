import Authorities
import COSE
import Certificates
import Ecosystem
import Messaging
import MobileDocument
import SimulationKernel
import StatusLists
import Synchronization
import Vocabulary

/// The document issuer of a world with faults: issues documents with the fault that acts, or correct ones.
final class FaultyDocumentIssuer: DocumentIssuer {
  private let state = Mutex<DocumentFault?>(nil)
  let statusEntries: StatusEntryFaults

  /// An issuer of correct documents, until a fault acts.
  init(statusEntries: StatusEntryFaults) { self.statusEntries = statusEntries }

  /// The fault that acts.
  var fault: DocumentFault? { state.withLock { $0 } }
  /// A Boolean value that indicates whether a fault acts on any issuer.
  var isFaulty: Bool { fault != nil || statusEntries.areActing }

  func set(_ fault: DocumentFault?) { state.withLock { $0 = fault } }

  func issued(
    _ draft: DocumentDraft, with credentials: IssuingCredentials, randomness: inout IssuanceRandomness
  ) throws -> [UInt8] {
    let statusEntry = draft.status == nil ? nil : statusEntries[credentials.issuer.identifier]
    if let fault {
      return try Self.recording(fault.id, fault.declaration, on: credentials.station) {
        try Self.issuer(credentials).issued(draft, with: fault, statusEntry, randomness: &randomness)
      }
    }
    let issued = try StandardDocumentIssuer().issued(draft, with: credentials, randomness: &randomness)
    guard let statusEntry else { return issued }
    return try Self.recording(statusEntry.id, statusEntry.declaration, on: credentials.station) {
      var parts = try DocumentParts(issued)
      try statusEntry.change(&parts)
      return try parts.encoded(issuerAuth: .array(try parts.issuerAuth(signedBy: credentials.signer)))
    }
  }

  /// Issues a document, and records whether its fault was applicable.
  private static func recording(
    _ id: String, _ declaration: FaultDeclaration, on station: Station, issue: () throws -> [UInt8]
  ) throws -> [UInt8] {
    do {
      let issued = try issue()
      station.record(.fault(FaultEvent(id, declaration.title)))
      return issued
    } catch let error as SimulationError where error.code == .faultNotApplicable {
      station.record(.fault(FaultEvent(id, declaration.title, .notApplicable(error.message))))
      throw error
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

extension DocumentFault {
  /// The id in the catalogue.
  var id: String { "issuer.\(rawValue)" }
}

extension StatusEntryFault {
  /// The name in the catalogue, after the party.
  fileprivate var name: String { "status-entry.\(rawValue)" }
  /// The id in the catalogue.
  var id: String { "issuer.\(name)" }
}

extension Fault {
  /// Faults of issuing authorities.
  static let ofIssuers =
    DocumentFault.allCases.map { Fault(.issuer, $0.rawValue, $0.declaration, at: "document", .document($0)) }
    + StatusEntryFault.allCases.map {
      Fault(.issuer, $0.name, $0.declaration, at: "document", parameters: [publisher], .statusEntry($0))
    }
    + StatusListFault.allCases.map {
      Fault(
        .issuer, "status-list.\($0.rawValue)", $0.declaration, at: "status list", parameters: [publisher],
        .statusList($0))
    }

  private static let publisher = Parameter(
    name: "issuer", title: "the issuing authority; every one that publishes lists by default", values: nil,
    isRequired: false)
}

/// A fault in a document, made by its issuing authority. Everything else about the document is correct, so that a verifier
/// finds this fault and its consequences only. Each fault is declared in the file that makes it.
public struct DocumentFault: Sendable, Equatable, CustomStringConvertible {
  /// The name in the catalogue, after the party.
  public let rawValue: String
  /// The title and what the verifier finds.
  public let declaration: FaultDeclaration

  init(_ rawValue: String, _ title: String, _ findings: FaultFindings) {
    self.rawValue = rawValue
    declaration = FaultDeclaration(title, findings)
  }

  /// Every fault of documents.
  public static let allCases = ofSignature + ofSigner + ofContent

  /// The name.
  public var description: String { rawValue }

  /// Two faults are the same when their names are.
  public static func == (left: DocumentFault, right: DocumentFault) -> Bool { left.rawValue == right.rawValue }

  /// The type that a document with this fault is presented as.
  public func presentedType(of documentType: String) -> String {
    self == .typeNotRequested ? Self.anotherType(than: documentType) : documentType
  }

  /// The type of another document.
  static func anotherType(than type: String) -> String { type + ".other" }
}
