import COSE
import Certificates
import Ecosystem
import Messaging
import MobileDocument
import StatusLists
import Synchronization

/// The document issuer of a world with faults: issues documents with the fault that acts, or correct ones.
final class FaultyDocumentIssuer: DocumentIssuer {
  private let state = Mutex<DocumentFault?>(nil)

  /// The fault that acts.
  var fault: DocumentFault? { state.withLock { $0 } }

  func set(_ fault: DocumentFault?) { state.withLock { $0 = fault } }

  func issued(
    _ draft: DocumentDraft, with credentials: IssuingCredentials, randomness: inout IssuanceRandomness
  ) throws -> [UInt8] {
    guard let fault else {
      return try StandardDocumentIssuer().issued(draft, with: credentials, randomness: &randomness)
    }
    let station = credentials.station
    do {
      let issued = try Self.issuer(credentials).issued(draft, with: fault, randomness: &randomness)
      station.record(.fault(FaultEvent(fault.id, fault.declaration.title)))
      return issued
    } catch let error as FaultNotApplicable {
      station.record(.fault(FaultEvent(fault.id, fault.declaration.title, .notApplicable("\(error)"))))
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

extension Fault {
  /// Faults of issuing authorities.
  static let ofIssuers =
    DocumentFault.allCases.map { Fault(.issuer, $0.rawValue, $0.declaration, at: "document", .document($0)) }
    + StatusListFault.allCases.map {
      Fault(
        .issuer, "status-list.\($0.rawValue)", $0.declaration, at: "status list",
        parameters: [
          Parameter(
            name: "issuer", title: "the issuing authority; every one that publishes lists by default", values: nil,
            isRequired: false)
        ], .statusList($0))
    }
}
