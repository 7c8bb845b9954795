import Certificates
import Crypto
import DevicePlatform
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import SimulationKernel
import Storage
import X509

/// Measurements of the selection among the registrations of one device, in a file.
///
/// The device has the size of the system's stated limits: 100 apps, 50 document types and 1,000 reader authorities.
/// Each registration names two of these authorities and one issuer, and every second one has an end date.
struct SelectorMeasures {
  private static let appCount = 100
  private static let typeCount = 50
  private static let authorityCount = 1_000
  private static let issuerCount = 200
  private static let moment = DateTime(secondsSince1970: 1_757_955_600)

  /// The numbers of registrations: the largest is the system's stated limit.
  static let sizes = [1_000, 10_000, 100_000, 1_000_000]

  let registrationCount: Int
  private let authorityKeys: [Data]
  private let criteria: ISO18013MobileDocumentRequest

  init(registrationCount: Int) throws {
    self.registrationCount = registrationCount
    var bytes = Entropy(seed: 1).stream("bench/selector")
    let terms = CertificateAuthority.Terms(
      from: Self.moment.adding(days: -1), until: Self.moment.adding(days: 300), serialNumber: bytes.bytes(16))
    let readerKey = try DeterministicSigningKey(seededBy: { bytes.bytes(32) })
    var keys: [Data] = []
    var chains: [[Certificate]] = []
    for number in 1...2 {
      let authority = try CertificateAuthority(
        name: CertificateName(commonName: "Authority \(number)"),
        contact: "https://authority.example", terms: terms,
        signer: try DeterministicSigningKey(seededBy: { bytes.bytes(32) }))
      keys.append(Data(authority.keyIdentifier))
      chains.append([
        try authority.reader(
          name: CertificateName(commonName: "rentals.example"), domain: "rentals.example", brand: nil,
          publicKey: Certificate.PublicKey(readerKey.publicKey), terms: terms)
      ])
    }
    authorityKeys = keys + (keys.count..<Self.authorityCount).map { _ in Data(bytes.bytes(20)) }
    criteria = ISO18013MobileDocumentRequest(
      presentmentRequests: [
        ISO18013MobileDocumentRequest.PresentmentRequest(
          documentRequestSets: [
            ISO18013MobileDocumentRequest.DocumentRequestSet(requests: [
              ISO18013MobileDocumentRequest.DocumentRequest(documentType: Self.type(7), namespaces: [:])
            ])
          ], isMandatory: true)
      ],
      requestAuthentications: chains.map {
        ISO18013MobileDocumentRequest.RequestAuthentication(authenticationCertificateChain: $0)
      })
  }

  private static func type(_ number: Int) -> String { "org.example.document.\(number)" }

  /// Fills a device's file, one app at a time.
  func fill(_ path: String) throws {
    let database = try RegistrationDatabase(at: path)
    var draw = Drawing()
    let issuerKeys = (0..<Self.issuerCount).map { Data(repeating: UInt8($0), count: 20) }
    for app in 0..<Self.appCount {
      let name = "App \(app)"
      try database.install(name, entitlement: (0..<Self.typeCount).map(Self.type), status: .authorized)
      let count = registrationCount / Self.appCount + (app < registrationCount % Self.appCount ? 1 : 0)
      var registrations: [MobileDocumentRegistration] = []
      for _ in 0..<count {
        let date =
          draw.below(2) == 0 ? nil : Self.moment.adding(seconds: Int64(draw.below(100_000_000)) - 1_000_000).date
        registrations.append(
          MobileDocumentRegistration(
            mobileDocumentType: Self.type(draw.below(Self.typeCount)),
            supportedIssuerKeyIdentifiers: [issuerKeys[draw.below(issuerKeys.count)]],
            supportedAuthorityKeyIdentifiers: (0..<2).map { _ in authorityKeys[draw.below(authorityKeys.count)] },
            documentIdentifier: draw.identifier(), invalidationDate: date))
      }
      try database.add(registrations, of: name)
    }
    try database.close()
  }

  /// An open file after its first selection.
  struct Opened {
    let database: RegistrationDatabase
    /// The selection in words.
    let outcome: String
  }

  /// Opens a filled file and selects once.
  func open(_ path: String) throws -> Opened {
    let database = try RegistrationDatabase(at: path)
    let selection = try select(in: database)
    let offers = selection.offered.map(\.registrations.count).reduce(0, +)
    return Opened(
      database: database,
      outcome: "\(selection.offered.count) apps offered with \(offers), \(selection.hidden.count) hidden")
  }

  /// Selects once.
  func select(in database: RegistrationDatabase) throws -> Selection {
    try database.selection(for: criteria, at: Self.moment)
  }

  /// SplitMix64: drawing must take little time compared with the measured work.
  private struct Drawing {
    private var state: UInt64 = 7

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var word = state
      word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
      return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Text of the length of a UUID.
    mutating func identifier() -> String {
      let digits = [next(), next()].map { String($0, radix: 16, uppercase: true) }.joined()
      return "document" + String(repeating: "0", count: max(0, 28 - digits.count)) + digits.suffix(28)
    }
  }
}
