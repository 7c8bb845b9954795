import CBOR
import COSE
import Certificates
import MobileDocument
import Primitives
import SimulationKernel
import StatusLists
import X509

/// What an issuing authority needs to say about the status of its documents: the entries that it gave them, and a signer
/// of its own for the lists.
///
/// ```
/// authority: entry for a new document --> register        an index and an identifier that no other document has
/// anyone --GET /status/1-->               status list     signed for whoever asks
/// anyone --GET /identifiers/1-->          identifier list
/// ```
struct StatusPublisher {
  private let description: WorldDescription.Issuer
  private let register: StatusRegister
  private let signer: Signer
  private let otherSigner: Signer
  private let expiredSigner: Signer
  private let readerSigner: Signer
  private let shortSerialSigner: Signer
  private let documentSigner: Signer
  private var draws: EntropyStream
  private var publishing = StatusPublishing.current
  /// Tokens that are published over and over.
  private var kept: [StatusListKind: [UInt8]] = [:]

  /// Who signs a list.
  struct Signer {
    let key: DeterministicSigningKey
    /// DER, leaf first.
    let chain: [[UInt8]]
  }

  /// How many documents have room in the lists: more than a world has, and a token stays small.
  static let capacity = 4096
  /// Length of identifiers in bytes: nobody guesses another document's.
  static let identifierLength = 16
  /// For how many days a list counts.
  static let listDays = 7
  /// For how many seconds a copy may be used: half a day.
  static let timeToLive: UInt64 = 43_200

  /// Prepares lists of an authority.
  /// - Throws: when a certificate cannot be made.
  init(
    _ description: WorldDescription.Issuer, register: StatusRegister, authority: CertificateAuthority,
    documentSigner: Signer, station: Station
  ) throws {
    self.description = description
    self.register = register
    self.documentSigner = documentSigner
    draws = station.stream("status entries")
    var keys = station.lastingStream("status keys")
    var serials = station.lastingStream("status serial numbers")
    let start = station.founded.adding(days: -1)
    let name = CertificateName(
      country: description.country, state: description.state, commonName: "\(description.name) Status Signer")
    func signer(
      of authority: CertificateAuthority, from: DateTime, days: Int, serialNumber: [UInt8]? = nil
    ) throws -> Signer {
      let key = try keys.signingKey()
      let certificate = try authority.statusListSigner(
        name: name, publicKey: Certificate.PublicKey(key.publicKey), contact: description.contact,
        terms: CertificateAuthority.Terms(
          from: from, until: from.adding(days: days), serialNumber: serialNumber ?? serials.bytes(16)))
      return Signer(key: key, chain: [try certificate.derEncoded()])
    }
    let days = CertificateProfile.statusListSigner.maximumDays
    self.signer = try signer(of: authority, from: start, days: days)
    expiredSigner = try signer(of: authority, from: start.adding(days: -days), days: days)
    let other = try CertificateAuthority(
      profile: .issuingAuthorityRoot,
      name: CertificateName(country: description.country, commonName: "Nobody's Root"), contact: description.contact,
      terms: CertificateAuthority.Terms(from: start, until: start.adding(days: days), serialNumber: serials.bytes(16)),
      signer: try keys.signingKey())
    otherSigner = try signer(of: other, from: start, days: days)
    let readerKey = try keys.signingKey()
    let reader = try authority.reader(
      name: CertificateName(
        country: description.country, state: description.state, commonName: "\(description.name) Reader"),
      domain: description.host, brand: nil, publicKey: Certificate.PublicKey(readerKey.publicKey),
      terms: CertificateAuthority.Terms(from: start, until: start.adding(days: days), serialNumber: serials.bytes(16)))
    readerSigner = Signer(key: readerKey, chain: [try reader.derEncoded()])
    shortSerialSigner = try signer(of: authority, from: start, days: days, serialNumber: [1])
  }

  /// There is no room for another document.
  struct Full: Error, CustomStringConvertible {
    var description: String { "the lists have no room for another document" }
  }

  /// An entry that no document has, for a new one; it is drawn, so that neighbours in the list are strangers.
  /// - Throws: ``Full``, ``StorageError``.
  mutating func newEntry(for record: String) throws -> StatusRegister.Entry {
    let taken = Set(try register.entries().map(\.index))
    guard taken.count < Self.capacity else { throw Full() }
    var index = draws.below(Self.capacity)
    while taken.contains(index) { index = draws.below(Self.capacity) }
    return StatusRegister.Entry(
      record: record, index: index, identifier: draws.bytes(Self.identifierLength), status: .valid)
  }

  /// Remembers whose an entry is.
  /// - Throws: ``StorageError``.
  func keep(_ entry: StatusRegister.Entry) throws { try register.insert(entry) }

  /// What a document says about its entry.
  func status(of entry: StatusRegister.Entry) -> DocumentStatus {
    let kinds = description.publishesStatus?.kinds ?? []
    switch description.statusEntryForm {
    case .proper, .withoutTLS:
      return DocumentStatus(
        kinds.map { kind in
          StatusReference(
            kind == .statusList ? .index(UInt64(entry.index)) : .identifier(entry.identifier),
            uri: uri(of: kind, scheme: description.statusEntryForm == .proper ? "https" : "http"))
        })
    case .malformed, .textIdentifiers:
      let hasURI = description.statusEntryForm == .textIdentifiers
      return DocumentStatus(
        mistaken: .textMap(
          kinds.map { kind in
            let named: (String, CBORValue) =
              kind == .statusList
              ? ("idx", .unsigned(UInt64(entry.index))) : ("id", .text(hexadecimal(entry.identifier)))
            return (kind.rawValue, .textMap([named] + (hasURI ? [("uri", .text(uri(of: kind)))] : [])))
          }))
    }
  }

  private func uri(of kind: StatusListKind, scheme: String = "https") -> String {
    "\(scheme)://\(description.host)\(Self.target(of: kind))"
  }

  private static func target(of kind: StatusListKind) -> String {
    kind == .statusList ? "/status/1" : "/identifiers/1"
  }

  /// Changes what the lists say about the documents of a record.
  /// - Returns: why it stays as it is; nil when it was changed.
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

  /// Publishes something else from now on.
  /// - Throws: when a list cannot be signed.
  mutating func publish(_ publishing: StatusPublishing, at now: DateTime) throws {
    kept = [:]
    if publishing == .outdated {
      self.publishing = .current
      for kind in description.publishesStatus?.kinds ?? [] { kept[kind] = try token(kind, at: now) }
    }
    self.publishing = publishing
  }

  /// What is published at a target; nil when there is nothing.
  /// - Throws: ``StorageError``, or when a list cannot be signed.
  func answer(to request: StatusListRequest, at now: DateTime) throws -> (bytes: [UInt8], mediaType: String)? {
    guard publishing != .nothing, request.host == description.host,
      let kind = description.publishesStatus?.kinds.first(where: { Self.target(of: $0) == request.target })
    else { return nil }
    if publishing == .unreadable { return (Array("<!doctype html><title>Welcome</title>".utf8), "text/html") }
    return (try kept[kind] ?? token(kind, at: now), kind.mediaType)
  }

  private func token(_ kind: StatusListKind, at now: DateTime) throws -> [UInt8] {
    let issued = publishing == .datedAhead ? now.adding(days: 1) : now
    var draft = StatusTokenDraft(
      StatusTokenClaims(
        subject: uri(of: kind) + (publishing == .anotherList ? "0" : ""), issuedAt: issued,
        expires: issued.adding(days: Self.listDays), timeToLive: Self.timeToLive,
        content: content(of: kind, try register.entries())))
    switch publishing {
    case .anotherType: draft.type = "application/cwt"
    case .typeInExample: draft.type = kind.typeInExample
    case .withoutEnd: draft.leavesOutExpiry = true
    case .untagged: draft.departures = [.untagged]
    case .unprotectedChain: draft.departures = [.unprotectedChain]
    case .fractionalSeconds: draft.departures = [.fractionalSeconds]
    default: break
    }
    let signer =
      switch publishing {
      case .documentSigner: documentSigner
      case .anotherRoot: otherSigner
      case .reader: readerSigner
      case .expiredCertificate: expiredSigner
      case .shortSerialNumber: shortSerialSigner
      default: self.signer
      }
    return try draft.signed(by: signer.key, chain: signer.chain)
  }

  private func content(of kind: StatusListKind, _ entries: [StatusRegister.Entry]) -> StatusTokenClaims.Content {
    guard kind == .statusList else {
      let revoked = entries.filter { $0.status == .revoked }.map(\.identifier)
      // Whoever writes identifiers as text means their bytes in UTF-8.
      let isText = description.statusEntryForm == .textIdentifiers
      return .identifierList(Set(isText ? revoked.map { Array(hexadecimal($0).utf8) } : revoked))
    }
    // One bit is all that a driving licence's list has, and two are needed to tell suspended from revoked.
    let isSuspending = entries.contains { $0.status == .suspended }
    let size: StatusList.EntrySize = publishing == .unknownValue ? .four : isSuspending ? .two : .one
    var list = StatusList(entrySize: size, count: publishing == .tooShort ? 0 : Self.capacity)
    for entry in entries {
      let value =
        switch entry.status {
        case _ where publishing == .unknownValue: Self.unknownValue
        case .valid: StatusValue.valid
        case .revoked: StatusValue.invalid
        case .suspended: StatusValue.suspended
        }
      list.set(UInt64(entry.index), to: value)
    }
    return .statusList(list)
  }

  /// A value that the Token Status List draft leaves to applications.
  private static let unknownValue: UInt8 = 12
}
