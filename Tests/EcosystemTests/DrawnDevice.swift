import Certificates
import Crypto
import DevicePlatform
import Foundation
import IdentityDocumentServices
import MobileDocument
import Primitives
import TestSupport
import X509

/// Reader authorities, and certificate chains that they issued or that only name them.
struct DrawnReaders {
  static let now = DateTime(secondsSince1970: 1_757_955_600)

  let authorityKeys: [Data]
  let roots: [Data]
  let chains: [[Certificate]]

  init() throws {
    func terms(from: Int, until: Int) -> CertificateAuthority.Terms {
      CertificateAuthority.Terms(
        from: Self.now.adding(days: from), until: Self.now.adding(days: until),
        serialNumber: [UInt8](repeating: 5, count: 16))
    }
    let authorities = try (1...3).map { number in
      try CertificateAuthority(
        name: CertificateName(commonName: "authority \(number)"), contact: "https://a.example",
        terms: terms(from: -900, until: 900), signer: fixedKey(UInt8(number)))
    }
    func leaf(_ authority: Int, from: Int = -10, until: Int = 10) throws -> Certificate {
      try authorities[authority].reader(
        name: CertificateName(commonName: "rentals.example"), domain: "rentals.example", brand: nil,
        publicKey: Certificate.PublicKey(fixedKey(9).publicKey), terms: terms(from: from, until: until))
    }
    authorityKeys = authorities.map { Data($0.keyIdentifier) } + [Data(repeating: 7, count: 20)]
    roots = try authorities.map { Data(try $0.root.derEncoded()) }
    chains = [
      [try leaf(0)], [try leaf(1)], [try leaf(0), try leaf(1)], [try leaf(1), try authorities[0].root],
      [try leaf(0, until: -1)], [try leaf(1, from: 1)], [try leaf(2), try leaf(0, until: -1)],
      [try leaf(0).copied(signedBy: fixedKey(9))],
      [try leaf(0).copied(signedBy: fixedKey(9)), try authorities[0].root],
    ]
  }
}

/// Random devices, changes to them, and requests.
struct DeviceDrawing {
  private static let types = ["licence", "photo", "Photo"]
  // Some of these sort differently as UTF-8 and as characters.
  private static let identifiers = ["1", "10", "2", "a", "B", "\u{1F697}", "\u{ff5e}", "zz", "e\u{302}"]
  private static let issuers = (1...3).map { Data([$0]) }
  private static let offsets: [Double?] = [nil, nil, -86_400, -1, -0.25, 0, 0.5, 0.999_999, 1, 1.5, 86_400, 86_400]

  let readers: DrawnReaders
  var draw: SeededGenerator

  mutating func some<Element>(_ elements: [Element], _ counts: ClosedRange<Int>) -> [Element] {
    (0..<Int.random(in: counts, using: &draw)).compactMap { _ in elements.randomElement(using: &draw) }
  }

  private mutating func type() -> String { Self.types.randomElement(using: &draw) ?? "" }

  private mutating func registration(_ identifier: String) -> MobileDocumentRegistration {
    let offset = Self.offsets.randomElement(using: &draw) ?? nil
    let date = offset.map { DrawnReaders.now.date.addingTimeInterval($0) }
    var registration = MobileDocumentRegistration(
      mobileDocumentType: type(), supportedIssuerKeyIdentifiers: some(Self.issuers, 0...2),
      supportedAuthorityKeyIdentifiers: some(readers.authorityKeys, 0...3), documentIdentifier: identifier,
      invalidationDate: date)
    registration.supportedAuthorityCertificates = some(readers.roots, 0...2)
    return registration
  }

  /// An app; most are authorized.
  mutating func app(_ name: String) -> InstalledApp {
    InstalledApp(
      name: name, isAuthorized: Int.random(in: 0..<6, using: &draw) > 0,
      entitledDocumentTypes: Self.types.filter { _ in Int.random(in: 0..<4, using: &draw) > 0 },
      registrations: Self.identifiers.shuffled(using: &draw).prefix(Int.random(in: 0...6, using: &draw))
        .map { registration($0) })
  }

  mutating func device() -> [InstalledApp] {
    ["Wallet", "wallet", "\u{c9}tat", "E\u{301}tat", "Atlas"].shuffled(using: &draw)
      .prefix(Int.random(in: 0...5, using: &draw)).map { app($0) }
  }

  mutating func request() -> ISO18013MobileDocumentRequest {
    typealias Request = ISO18013MobileDocumentRequest
    var useCases: [Request.PresentmentRequest] = []
    for _ in 0..<Int.random(in: 1...3, using: &draw) {
      var sets: [Request.DocumentRequestSet] = []
      for _ in 0..<Int.random(in: 1...2, using: &draw) {
        sets.append(
          Request.DocumentRequestSet(
            requests: (0..<Int.random(in: 1...2, using: &draw)).map { _ in
              Request.DocumentRequest(
                documentType: type(), namespaces: [:], issuerKeyIdentifiers: some(Self.issuers, 0...1))
            }))
      }
      useCases.append(
        Request.PresentmentRequest(documentRequestSets: sets, isMandatory: Bool.random(using: &draw)))
    }
    return Request(
      presentmentRequests: useCases,
      requestAuthentications: some(readers.chains, 0...2).map {
        Request.RequestAuthentication(authenticationCertificateChain: $0)
      })
  }

  /// A time near the invalidation dates.
  mutating func moment() -> DateTime {
    DrawnReaders.now.adding(seconds: [-86_401, -1, 0, 0, 0, 1, 2].randomElement(using: &draw) ?? 0)
  }
}
