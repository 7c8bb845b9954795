import CBOR
import COSE
import Certificates
import Messaging
import MobileDocument
import Primitives
import SimulationKernel
import StatusLists
import Storage
import Vocabulary
import X509

/// The status lists of an issuing authority: the entries of its documents, and a signer for the lists.
///
/// ```
/// authority: entry for a new document --> register        an unused index and an identifier
/// anyone --GET /status/1-->               status list     signed for each request, as CWT or as JWT
/// anyone --GET /identifiers/1-->          identifier list
/// ```
struct StatusPublisher {
  private let description: WorldDescription.Issuer
  private let register: StatusRegister
  private let credentials: IssuingCredentials
  private let issuer: any StatusListIssuer
  private let signer: StatusListIssuance.Signer
  private var draws: EntropyStream

  /// The number of entries in a list: more than a world has documents, and small enough for a short token.
  static let capacity = 4096
  /// The length of identifiers in bytes: another document's cannot be guessed.
  static let identifierLength = 16
  /// The validity of a list in days.
  static let listDays = 7
  /// The time for which a copy may be used, in seconds: half a day.
  static let timeToLive: UInt64 = 43_200

  /// Prepares the lists of an authority.
  /// - Throws: An error if a certificate cannot be made.
  init(_ credentials: IssuingCredentials, register: StatusRegister, issuer: any StatusListIssuer) throws {
    description = credentials.issuer
    self.register = register
    self.credentials = credentials
    self.issuer = issuer
    let station = credentials.station
    draws = station.stream("status entries")
    var keys = station.lastingStream("status keys")
    var serials = station.lastingStream("status serial numbers")
    let start = station.founded.adding(days: -1)
    let key = try keys.signingKey()
    let certificate = try credentials.authority.statusListSigner(
      name: StatusListIssuance.signerName(of: credentials.issuer), publicKey: Certificate.PublicKey(key.publicKey),
      contact: credentials.issuer.contact,
      terms: CertificateAuthority.Terms(
        from: start, days: CertificateProfile.statusListSigner.maximumDays, serialNumber: serials.bytes(16)))
    signer = StatusListIssuance.Signer(key: key, chain: [try certificate.derEncoded()])
  }

  /// Returns an unused entry for a new document. It is random, so that neighboring entries are unrelated.
  /// - Throws: ``SimulationError`` if the lists are full, ``StorageError``.
  mutating func newEntry(for record: String) throws -> StatusRegister.Entry {
    let taken = Set(try register.entries().map(\.index))
    guard taken.count < Self.capacity else {
      throw SimulationError(.statusListsFull, "the lists have no room for another document")
    }
    var index = draws.below(Self.capacity)
    while taken.contains(index) { index = draws.below(Self.capacity) }
    return StatusRegister.Entry(
      record: record, index: index, identifier: draws.bytes(Self.identifierLength), status: .valid)
  }

  /// Stores an entry.
  /// - Throws: ``StorageError``.
  func keep(_ entry: StatusRegister.Entry) throws { try register.insert(entry) }

  /// Returns the status member of a document with an entry.
  func status(of entry: StatusRegister.Entry) -> DocumentStatus {
    DocumentStatus(
      (description.publishesStatus?.kinds ?? []).map { kind in
        StatusReference(
          kind == .statusList ? .index(UInt64(entry.index)) : .identifier(entry.identifier), uri: uri(of: kind))
      })
  }

  private func uri(of kind: StatusListKind) -> String { "https://\(description.host)\(Self.target(of: kind))" }

  private static func target(of kind: StatusListKind) -> String { kind == .statusList ? "/status/1" : "/identifiers/1" }

  /// Changes the status of the documents of a record.
  /// - Returns: The reason for leaving it unchanged, or nil if it was changed.
  /// - Throws: ``StorageError``.
  func change(_ change: StatusChange, of record: String) throws -> String? {
    let entries = try register.entries().filter { $0.record == record }
    guard !entries.isEmpty else { return "no document was issued for \(record)" }
    guard entries.contains(where: { $0.status != .revoked }) else { return "what was revoked stays revoked" }
    switch change {
    case .revokes: try register.set(.revoked, for: record)
    case .suspends: try register.set(.suspended, for: record)
    case .reinstates:
      guard entries.contains(where: { $0.status == .suspended }) else { return "the document is not suspended" }
      try register.set(.valid, for: record)
    }
    return nil
  }

  /// Returns the response to a request for a list, or nil if its target is not a list.
  /// - Throws: ``StorageError``, or an error if a list cannot be signed.
  func answer(to request: HTTPGetRequest, at now: DateTime) throws -> PublishedList? {
    guard request.host == description.host,
      let kind = description.publishesStatus?.kinds.first(where: { Self.target(of: $0) == request.target })
    else { return nil }
    let form = request.accepted.first == StatusListKind.jwtMediaType ? StatusTokenForm.jwt : .cwt
    guard form == .cwt || kind == .statusList else { return nil }
    return try issuer.publish(list(of: kind, in: form, at: now))
  }

  /// Every list in its current state.
  /// - Throws: ``StorageError``.
  func lists() throws -> [StatusListIssuance] {
    try (description.publishesStatus?.kinds ?? []).map { try list(of: $0, at: credentials.station.now) }
  }

  /// Every list as it is published now, by its address.
  /// - Throws: ``StorageError``, or an error if a list cannot be signed.
  func published() throws -> [String: PublishedList] {
    var published: [String: PublishedList] = [:]
    for list in try lists() { published[uri(of: list.kind)] = try issuer.publish(list) }
    return published
  }

  private func list(
    of kind: StatusListKind, in form: StatusTokenForm = .cwt, at now: DateTime
  ) throws -> StatusListIssuance {
    let token = StatusTokenDraft(
      StatusTokenClaims(
        subject: uri(of: kind), issuedAt: now, expires: now.adding(days: Self.listDays), timeToLive: Self.timeToLive,
        content: content(of: kind, try register.entries())))
    return StatusListIssuance(
      kind: kind, form: form, issuer: description, token: token, signer: signer,
      documentSigner: StatusListIssuance.Signer(key: credentials.signer, chain: [credentials.certificate]),
      authority: credentials.authority, station: credentials.station)
  }

  private func content(of kind: StatusListKind, _ entries: [StatusRegister.Entry]) -> StatusTokenClaims.Content {
    guard kind == .statusList else {
      return .identifierList(Set(entries.filter { $0.status == .revoked }.map(\.identifier)))
    }
    // A list of driving licences has one bit for each document; distinguishing suspended from revoked takes two.
    let isSuspending = entries.contains { $0.status == .suspended }
    var list = StatusList(entrySize: isSuspending ? .two : .one, count: Self.capacity)
    for entry in entries {
      let value =
        switch entry.status {
        case .valid: StatusValue.valid
        case .revoked: StatusValue.invalid
        case .suspended: StatusValue.suspended
        }
      list.set(UInt64(entry.index), to: value)
    }
    return .statusList(list)
  }
}
