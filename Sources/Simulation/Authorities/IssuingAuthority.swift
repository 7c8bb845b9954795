import COSE
import Certificates
import JSON
import Messaging
import MobileDocument
import OpenID4VP
import Primitives
import SDJWT
import SimulationKernel
import StatusLists
import Storage
import Vocabulary
import WebPresentment
import X509

/// An issuing authority: a motor vehicle agency with its root, its document signer and its register of people.
///
/// ```
/// anyone --root--> issuing authority                      its published root certificate
/// anyone --GET root certificate-->                        the same, at its address
/// app    --provision (type, record, device key)-->        looks the record up, salts and signs
/// app    <--IssuerSigned--                                the document, bound to the device key
/// anyone --GET list-->                                    the status of its documents, if it publishes lists
/// ```
///
/// An authority outside the world has a root here and no keys: what it issued comes from files.
package actor IssuingAuthority: StationedActor {
  package nonisolated let station: Station
  private let description: WorldDescription.Issuer
  /// The root certificate in DER.
  package nonisolated let root: [UInt8]
  /// The keys and certificates in the world; nil for an authority outside it, whose documents come from files.
  private let credentials: IssuingCredentials?
  private let documentIssuer: any DocumentIssuer
  private var randomness: EntropyStream
  /// The authority's data about people, by record.
  private let register: [String: Record]
  /// The status lists, or nil if the authority publishes none.
  private var publisher: StatusPublisher?

  package struct Record: Sendable {
    let documentType: String
    let nameSpaces: [DocumentDraft.NameSpace]
    let validDays: Int
    /// The document, if it was issued outside the world.
    let issued: [UInt8]?

    package init(documentType: String, nameSpaces: [DocumentDraft.NameSpace], validDays: Int, issued: [UInt8]? = nil) {
      self.documentType = documentType
      self.nameSpaces = nameSpaces
      self.validDays = validDays
      self.issued = issued
    }
  }

  /// Lifetime of the document signer's certificate in days: the maximum of annex B, so that a document that is valid
  /// for a year does not outlive it.
  static let signerDays = CertificateProfile.documentSigner.maximumDays

  package init(
    _ description: WorldDescription.Issuer, register: [String: Record], statuses: StatusRegister?, station: Station,
    documentIssuer: any DocumentIssuer, statusListIssuer: any StatusListIssuer
  ) throws {
    self.station = station
    self.register = register
    randomness = station.stream("documents")
    var keys = station.lastingStream("keys")
    var serials = station.lastingStream("serial numbers")
    let start = station.founded.adding(days: -1)
    self.description = description
    let contact = description.contact
    self.documentIssuer = documentIssuer
    if let outside = description.outsideRoot {
      root = outside.certificate
      credentials = nil
      publisher = nil
      return
    }
    let authority = try CertificateAuthority.root(
      of: description, from: start, serialNumber: serials.bytes(16), signer: try keys.signingKey())
    root = authority.encodedRoot
    let signerKey = try keys.signingKey()
    let certificate = try authority.encodedDocumentSigner(
      name: IssuingCredentials.signerName(of: description),
      publicKey: Certificate.PublicKey(signerKey.publicKey), contact: contact,
      revocationList: "\(contact)/crl",
      terms: CertificateAuthority.Terms(from: start, days: Self.signerDays, serialNumber: serials.bytes(16)))
    let credentials = IssuingCredentials(
      issuer: description, authority: authority, signer: signerKey, certificate: certificate,
      station: station)
    self.credentials = credentials
    publisher = try statuses.map { try StatusPublisher(credentials, register: $0, issuer: statusListIssuer) }
  }

  package func receive(_ message: Message) {
    switch message.kind {
    case .root: station.answer(message, .root, bytes: root, as: MediaType.certificate)
    case .getRoot: station.publish(root, at: description.host, answering: message)
    case .provision: provision(message)
    case .getList: publish(message)
    default: station.ignore(message)
    }
  }

  private func provision(_ message: Message) {
    guard let order = message.body(ProvisioningOrder.self),
      let record = register[order.record], record.documentType == order.documentType,
      let keyBytes = Base64URL.decode(order.deviceKey), let deviceKey = try? COSEKey(reading: keyBytes)
    else {
      return refuse(message, "no record matches this order, or its device key is unreadable")
    }
    if let issued = record.issued {
      return send(issued, answering: message)
    }
    guard let credentials else { return refuse(message, "the authority issues outside the world") }
    do {
      let entry = try publisher?.newEntry(for: order.record)
      let issued = try issued(
        DocumentDraft(
          documentType: record.documentType, nameSpaces: record.nameSpaces, deviceKey: deviceKey,
          validity: MobileSecurityObject.Validity(
            signed: station.now, validFrom: station.now, validUntil: station.now.adding(days: record.validDays)),
          status: entry.flatMap { publisher?.status(of: $0) }), with: credentials)
      if let entry { try publisher?.keep(entry) }
      send(issued, answering: message)
    } catch {
      refuse(message, "the document cannot be issued: \(error)")
    }
  }

  private func send(_ issued: [UInt8], answering order: Message) {
    station.answer(
      order, .document, bytes: issued, as: HeldCredential.isSDJWT(issued) ? MediaType.sdJWT : MediaType.cbor)
  }

  /// Issues a document in the format of its type.
  private func issued(_ draft: DocumentDraft, with credentials: IssuingCredentials) throws -> [UInt8] {
    var draft = draft
    draft.nameSpaces = draft.nameSpaces.marked(ifTest: description.isOfTestProgramme)
    switch try IssuableCredential(draft) {
    case .mobileDocument(let draft): return try documentIssuer.issued(draft, with: credentials, randomness: &randomness)
    case .sdJWT(let draft): return try documentIssuer.issued(draft, with: credentials, randomness: &randomness)
    }
  }

  /// Issues a document for use elsewhere, which is in no register. It names no status list.
  /// - Throws: An error if the authority issues outside the world, or the document cannot be issued.
  package func issue(_ draft: DocumentDraft) throws -> [UInt8] {
    guard let credentials else { throw DocumentError(.notIssued, "the authority issues outside the world") }
    return try issued(draft, with: credentials)
  }

  private func publish(_ message: Message) {
    do {
      guard let request = HTTPGetRequest(message.bytes),
        let answer = try publisher?.answer(to: request, at: station.now)
      else {
        return station.answer(
          message, .noList, RefusalBody(code: NoteCode.issuerRefused.rawValue, message: "there is nothing here"))
      }
      station.answer(message, .list, bytes: answer.bytes, as: answer.mediaType)
    } catch {
      refuse(message, "the list cannot be published: \(journalMessage(of: error))")
    }
  }

  /// Changes the status of the documents that were issued for a record.
  package func change(_ change: StatusChange, of record: String) {
    do {
      if let reason = try publisher?.change(change, of: record) ?? (publisher == nil ? "it publishes no list" : nil) {
        return station.note(.issuerStatusKept, reason)
      }
    } catch {
      return station.note(.issuerStatusKept, "the status cannot be changed: \(journalMessage(of: error))")
    }
    switch change {
    case .revokes: station.note(.issuerRevoked, "\(record) is revoked")
    case .suspends: station.note(.issuerSuspended, "\(record) is suspended")
    case .reinstates: station.note(.issuerReinstated, "\(record) is reinstated")
    }
  }

  /// The lists in their current state.
  /// - Throws: An error if a list cannot be signed.
  package func currentLists() throws -> [StatusListIssuance] { try publisher?.lists() ?? [] }

  /// The lists as they are published now, by their addresses.
  /// - Throws: An error if a list cannot be signed.
  package func publishedLists() throws -> [String: PublishedList] { try publisher?.published() ?? [:] }

  private func refuse(_ request: Message, _ message: String) {
    station.refuse(request, noting: .issuerRefused, message)
  }
}
