import COSE
import Certificates
import Checks
import Foundation
import MobileDocument
import Primitives
import TestSupport
import Testing
import X509

@testable import DevicePlatform
@testable import IdentityDocumentServices

@Suite("Selection")
struct SelectionTests {
  private static let licence = Request.document(DocumentType.licence)
  private static let photo = Request.document(DocumentType.photo)

  private static func request(signedBy chains: [[Certificate]] = [], issuers: [Data] = []) -> Request {
    .asking([([[Request.document(DocumentType.licence, issuers: issuers)]], true)], signedBy: chains)
  }

  private func decide(
    _ apps: [InstalledApp], for request: Request = request(), reading: Selection.AuthorityReading = .root,
    silentApps: Set<String> = []
  ) -> Selection {
    Selection.decide(apps, for: request, at: Readers.now, reading: reading, silentApps: silentApps)
  }

  struct Row: Sendable, CustomStringConvertible {
    let description: String
    let app: InstalledApp
    var request = SelectionTests.request()
    let reason: SelectorFinding?
    var remedy = ""
    /// Whether the app does not answer in the protocol of the request.
    var isSilent = false
  }

  static var rows: [Row] {
    get throws {
      let readers = try Readers.shared
      let first = readers.first.keyIdentifier
      let second = readers.second.keyIdentifier
      let issuer = Data([1, 2, 3])
      let signed = request(signedBy: [readers.ofFirst])
      let now = Readers.now
      return [
        Row(description: "a plain registration", app: app([registration()]), reason: nil),
        Row(
          description: "an app that is not authorized", app: app(isAuthorized: false, []),
          reason: SelectorFinding(.appAuthorization),
          remedy: "allow Wallet"),
        Row(
          description: "an app that does not answer in the protocol", app: app([registration()]),
          reason: SelectorFinding(.exchangeProtocol), remedy: "a protocol that Wallet answers", isSilent: true),
        Row(
          description: "such an app that is not authorized either", app: app(isAuthorized: false, []),
          reason: SelectorFinding(.appAuthorization), remedy: "allow Wallet", isSilent: true),
        Row(
          description: "an app without registrations", app: app([]), reason: SelectorFinding(.registration),
          remedy: "add a document"),
        Row(
          description: "a type beyond the entitlement", app: app(entitled: [], [registration("other", until: now)]),
          reason: SelectorFinding(.entitlement), remedy: "entitlement"),
        Row(
          description: "a type that the request does not ask for",
          app: app([registration(DocumentType.photo, until: now)]),
          reason: SelectorFinding(.documentType), remedy: "ask for \(DocumentType.photo)"),
        Row(
          description: "a registration at its invalidation date",
          app: app([registration(authorities: [first], until: now)]), reason: SelectorFinding(.registrationValidity),
          remedy: "later date"),
        Row(
          description: "a registration past its invalidation date",
          app: app([registration(until: now.adding(days: -1))]),
          reason: SelectorFinding(.registrationValidity), remedy: "later date"),
        Row(
          description: "a registration a second before its invalidation date",
          app: app([registration(until: now.adding(seconds: 1))]), reason: nil),
        Row(
          description: "an unsigned request where a signature is demanded",
          app: app([registration(authorities: [first])]),
          request: request(issuers: [issuer]), reason: SelectorFinding(.reader, .unsigned), remedy: "sign the request"),
        Row(
          description: "a signature of the demanded authority", app: app([registration(authorities: [first])]),
          request: signed, reason: nil),
        Row(
          description: "a signature of one of two demanded", app: app([registration(authorities: [second, first])]),
          request: signed, reason: nil),
        Row(
          description: "a signature of another authority", app: app([registration(authorities: [second])]),
          request: request(signedBy: [readers.ofFirst], issuers: [issuer]),
          reason: SelectorFinding(.reader, .untrusted),
          remedy: hexadecimal(second)),
        Row(
          description: "two signatures, the second of the demanded authority",
          app: app([registration(authorities: [second])]),
          request: request(signedBy: [readers.ofFirst, readers.ofSecond]), reason: nil),
        Row(
          description: "a signature of the demanded authority, whose certificate is known",
          app: app([try certified(registration(authorities: [first]), by: readers.first)]), request: signed,
          reason: nil),
        Row(
          description: "a chain to the demanded authority, whose root is known",
          app: app([try certified(registration(authorities: [first]), by: readers.first)]),
          request: request(signedBy: [readers.withIntermediate]), reason: nil),
        Row(
          description: "a signature that only names the demanded authority",
          app: app([try certified(registration(authorities: [first]), by: readers.first)]),
          request: request(signedBy: [[try readers.ofFirst[0].copied(signedBy: fixedKey(5))]]),
          reason: SelectorFinding(.reader, .forged), remedy: "valid certificate"),
        Row(
          description: "a signature that only names the demanded authority, whose certificate is not known",
          app: app([registration(authorities: [first])]),
          request: request(signedBy: [[try readers.ofFirst[0].copied(signedBy: fixedKey(5))]]), reason: nil),
        Row(
          description: "a genuine signature of another authority, and one that only names the demanded one",
          app: app([try certified(registration(authorities: [first]), by: readers.first, readers.second)]),
          request: request(signedBy: [readers.ofSecond, [try readers.ofFirst[0].copied(signedBy: fixedKey(5))]]),
          reason: SelectorFinding(.reader, .forged), remedy: "valid certificate"),
        Row(
          description: "an expired reader certificate", app: app([registration(authorities: [first])]),
          request: request(signedBy: [readers.expired]), reason: SelectorFinding(.reader, .expired),
          remedy: "valid certificate"),
        Row(
          description: "a reader certificate that is not valid yet", app: app([registration(authorities: [first])]),
          request: request(signedBy: [readers.future]), reason: SelectorFinding(.reader, .notYetValid),
          remedy: "valid certificate"),
        Row(
          description: "an expired reader certificate of another authority",
          app: app([registration(authorities: [second])]), request: request(signedBy: [readers.expired]),
          reason: SelectorFinding(.reader, .untrusted), remedy: "valid certificate"),
        Row(
          description: "an expired one and a valid one", app: app([registration(authorities: [first])]),
          request: request(signedBy: [readers.expired, readers.ofFirst]), reason: nil),
        Row(
          description: "any signature where none is demanded", app: app([registration()]),
          request: request(signedBy: [readers.expired]), reason: nil),
        Row(
          description: "the issuer that is accepted", app: app([registration(issuers: [Data([9]), issuer])]),
          request: request(issuers: [issuer]), reason: nil),
        Row(
          description: "another issuer than is accepted", app: app([registration(issuers: [Data([9])])]),
          request: request(issuers: [issuer]), reason: SelectorFinding(.issuer), remedy: "issuer"),
        Row(
          description: "no issuer where some are accepted", app: app([registration()]),
          request: request(issuers: [issuer]), reason: SelectorFinding(.issuer), remedy: "issuer"),
        Row(description: "issuers where any is accepted", app: app([registration(issuers: [issuer])]), reason: nil),
        Row(
          description: "one document of two that belong together", app: app([registration()]),
          request: .asking([([[licence, photo]], true)]), reason: SelectorFinding(.useCase), remedy: "missing document"),
      ]
    }
  }

  @Test("Offers an app, or hides it for the first condition that does not hold", arguments: try rows)
  func decided(_ row: Row) throws {
    let selection = decide([row.app], for: row.request, silentApps: row.isSilent ? [row.app.name] : [])
    if let reason = row.reason {
      let hidden = try #require(selection.hidden.first)
      #expect(selection.offered.isEmpty && selection.hidden.count == 1)
      #expect(hidden.finding == reason && hidden.app == row.app.name)
      #expect(hidden.message.hasPrefix(reason.message))
      #expect(!row.remedy.isEmpty && hidden.remedy.contains(row.remedy), "\(hidden.remedy)")
    } else {
      #expect(selection.hidden.isEmpty)
      #expect(
        selection.offered == [
          Selection.Offer(app: row.app.name, registrations: row.app.registrations.map(SelectedRegistration.init))
        ])
    }
  }

  /// A registration with the certificates of authorities.
  private static func certified(
    _ registration: MobileDocumentRegistration, by authorities: CertificateAuthority...
  ) throws -> MobileDocumentRegistration {
    var registration = registration
    registration.supportedAuthorityCertificates = try authorities.map { Data(try $0.root.derEncoded()) }
    return registration
  }

  @Test("A system that compares names offers an app for a signature that only names its authority")
  func names() throws {
    let readers = try Readers.shared
    let demanding = try Self.certified(registration(authorities: [readers.first.keyIdentifier]), by: readers.first)
    let request = Self.request(signedBy: [[try readers.ofFirst[0].copied(signedBy: fixedKey(5))]])
    for signatures in Selection.AuthoritySignatures.allCases {
      let selection = Selection.decide([app([demanding])], for: request, at: Readers.now, signatures: signatures)
      #expect(selection.offered.isEmpty == (signatures == .verified))
    }
  }

  @Test("The table has a row for every reason")
  func complete() throws {
    #expect(Set(try Self.rows.compactMap(\.reason)) == Set(SelectorFinding.all))
  }

  @Test("Describes the certificate that is not valid at the moment")
  func outdated() throws {
    let readers = try Readers.shared
    let demanding = app([registration(authorities: [readers.first.keyIdentifier])])
    for (chain, word) in [(readers.expired, "expired on 2025-"), (readers.future, "is not valid before 2025-")] {
      let message = decide([demanding], for: Self.request(signedBy: [chain])).hidden.first?.message
      #expect(message?.contains(word) == true)
    }
  }

  @Test("With an intermediate, root matches the topmost issuer and any-in-chain every issuer")
  func authorityReadings() throws {
    let readers = try Readers.shared
    let request = Self.request(signedBy: [readers.withIntermediate])
    let root = readers.first.keyIdentifier
    let middle = try #require(readers.withIntermediate.last?.subjectKeyIdentifier)
    let stranger = readers.second.keyIdentifier
    for (authority, byRoot, byAny) in [(root, true, true), (middle, false, true), (stranger, false, false)] {
      let demanding = app([registration(authorities: [authority])])
      #expect(decide([demanding], for: request, reading: .root).hidden.isEmpty == byRoot)
      #expect(decide([demanding], for: request, reading: .anyInChain).hidden.isEmpty == byAny)
    }
  }

  @Test("Without an intermediate both readings agree", arguments: Selection.AuthorityReading.allCases)
  func readingsAgree(reading: Selection.AuthorityReading) throws {
    let readers = try Readers.shared
    let request = Self.request(signedBy: [readers.ofFirst])
    let apps = [readers.first, readers.second].enumerated().map { position, authority in
      app(named: "\(position)", [registration(authorities: [authority.keyIdentifier])])
    }
    let selection = decide(apps, for: request, reading: reading)
    #expect(selection.offered.map(\.app) == ["0"] && selection.hidden.map(\.app) == ["1"])
  }

  @Test("A root in the chain is the topmost issuer itself")
  func rootSentAlong() throws {
    let readers = try Readers.shared
    let demanding = app([registration(authorities: [readers.first.keyIdentifier])])
    let chains = [readers.ofFirst + [try readers.first.root], readers.withIntermediate + [try readers.first.root]]
    for chain in chains { #expect(decide([demanding], for: Self.request(signedBy: [chain])).hidden.isEmpty) }
  }

  @Test("Offers the matching registrations, or gives the reason of the nearest")
  func severalRegistrations() throws {
    let readers = try Readers.shared
    let good = registration(identifier: "2")
    let others = [
      registration("other", identifier: "1"), registration(DocumentType.photo, identifier: "3"),
      registration(authorities: [readers.first.keyIdentifier], identifier: "4"),
      registration(identifier: "5", until: Readers.now),
    ]
    let wallet = app([others[0], good, others[1]])
    #expect(decide([wallet]).offered == [Selection.Offer(app: "Wallet", registrations: [SelectedRegistration(good)])])
    var reasons: [SelectorFinding?] = []
    for count in 1...others.count {
      reasons.append(decide([app(Array(others.prefix(count)))]).hidden.first?.finding)
    }
    #expect(
      reasons == [
        SelectorFinding(.entitlement), SelectorFinding(.documentType), SelectorFinding(.reader, .unsigned),
        SelectorFinding(.reader, .unsigned),
      ])
    let reversed = decide([app(others.reversed())]).hidden.first?.finding
    #expect(reversed == SelectorFinding(.reader, .unsigned))
  }

  @Test("Sorts offered and hidden apps by name")
  func order() {
    let names = ["Wallet", "Atlas", "Zebra", "Local"]
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<10 {
      let apps = names.shuffled(using: &generator).map { name in
        app(named: name, isAuthorized: name < "M", [registration()])
      }
      let selection = decide(apps)
      #expect(selection.offered.map(\.app) == ["Atlas", "Local"])
      #expect(selection.hidden.map(\.app) == ["Wallet", "Zebra"])
    }
  }
}

@Suite("Remembered comparisons of chains with authorities")
struct CertifiedChainsTests {
  /// Compares, and counts the signatures that are verified for it.
  private func compare(
    _ chain: [Certificate], with authority: CertificateAuthority, in chains: CertifiedChains
  ) throws -> (isCertified: Bool, signatures: Int) {
    let ledger = CrossCheckLedger { _ in ComparisonCheck.signature.passed }
    let der = Data(try authority.root.derEncoded())
    let isCertified = VerificationWitness.$current.withValue(ledger.witness) {
      chains.contains(chain, certifiedBy: der)
    }
    return (isCertified, ledger.tally.signatures)
  }

  @Test("A chain is compared once with each authority, whether it is certified or not")
  func comparedOnce() throws {
    let readers = try Readers.shared
    let forged = [try readers.ofFirst[0].copied(signedBy: fixedKey(5))]
    let chains = CertifiedChains()
    for signatures in [1, 0, 0] {
      #expect(try compare(readers.ofFirst, with: readers.first, in: chains) == (true, signatures))
      #expect(try compare(forged, with: readers.first, in: chains) == (false, signatures))
      #expect(try compare(readers.withIntermediate, with: readers.first, in: chains) == (true, 2 * signatures))
    }
    // Another authority, another chain with the same leaf, and another device.
    #expect(try compare(readers.ofFirst, with: readers.second, in: chains).isCertified == false)
    #expect(try compare([readers.withIntermediate[0]], with: readers.first, in: chains) == (false, 0))
    #expect(try compare(readers.ofFirst, with: readers.first, in: CertifiedChains()) == (true, 1))
    #expect(!chains.contains(readers.ofFirst, certifiedBy: Data([0x30, 0])))
    #expect(try !chains.contains([], certifiedBy: Data(readers.first.root.derEncoded())))
  }

  @Test("The dates of a remembered chain count at each selection")
  func dates() throws {
    let readers = try Readers.shared
    var demanding = registration(authorities: [readers.first.keyIdentifier])
    demanding.supportedAuthorityCertificates = [Data(try readers.first.root.derEncoded())]
    let wallet = app([demanding])
    let request = Request.asking([([[Request.document(DocumentType.licence)]], true)], signedBy: [readers.ofFirst])
    let chains = CertifiedChains()
    for (days, reason) in [(0, nil), (11, .expired), (-11, .notYetValid), (0, nil)] as [(Int, SelectorCheck.Reason?)] {
      let criteria = SelectionCriteria(request, at: Readers.now.adding(days: days), certified: chains)
      let selection = Selection.decide([wallet.facts(for: criteria)], by: criteria)
      #expect(selection.hidden.map(\.finding) == (reason.map { [SelectorFinding(.reader, $0)] } ?? []))
    }
    #expect(chains.count == 1)
  }

  @Test("Keeps at most a fixed number of outcomes")
  func limit() throws {
    let readers = try Readers.shared
    let chains = CertifiedChains()
    for number in 0..<CertifiedChains.maximumCount {
      #expect(!chains.contains(readers.ofFirst, certifiedBy: Data([UInt8(number)])))
    }
    #expect(chains.count == CertifiedChains.maximumCount)
    #expect(try compare(readers.ofFirst, with: readers.first, in: chains) == (true, 1))
    #expect(chains.count == 1)
  }
}

@Suite("Use cases in the selection")
struct UseCaseTests {
  private static let licence = Request.document(DocumentType.licence)
  private static let photo = Request.document(DocumentType.photo)
  private static let other = Request.document("other")

  struct Row: Sendable, CustomStringConvertible {
    let description: String
    let useCases: [(sets: [[Request.DocumentRequest]], isMandatory: Bool)]
    /// Indicates whether an app with a licence, with a photo ID, and with both is offered.
    let isOffered: [Bool]
  }

  static let rows = [
    Row(description: "either", useCases: [([[licence], [photo]], true)], isOffered: [true, true, true]),
    Row(description: "both", useCases: [([[licence, photo]], true)], isOffered: [false, false, true]),
    Row(
      description: "both, or the licence", useCases: [([[licence, photo], [licence]], true)],
      isOffered: [true, false, true]),
    Row(
      description: "two mandatory ones", useCases: [([[licence]], true), ([[photo]], true)],
      isOffered: [false, false, true]),
    Row(
      description: "a mandatory and an optional one", useCases: [([[licence]], true), ([[photo]], false)],
      isOffered: [true, false, true]),
    Row(
      description: "two optional ones", useCases: [([[licence]], false), ([[photo]], false)],
      isOffered: [true, true, true]),
    Row(
      description: "optional ones that no app can meet",
      useCases: [([[licence, other]], false), ([[photo, other]], false)],
      isOffered: [false, false, false]),
    Row(
      description: "a mandatory one that no app can meet",
      useCases: [([[licence]], false), ([[photo]], false), ([[other]], true)],
      isOffered: [false, false, false]),
  ]

  @Test("Requires every mandatory use case, and at least one use case", arguments: rows)
  func met(_ row: Row) {
    let held = [[DocumentType.licence], [DocumentType.photo], [DocumentType.licence, DocumentType.photo]]
    for (types, isOffered) in zip(held, row.isOffered) {
      let registrations = types.enumerated().map { registration($0.element, identifier: "\($0.offset)") }
      let selection = Selection.decide([app(registrations)], for: .asking(row.useCases), at: Readers.now)
      #expect(selection.offered.isEmpty != isOffered, "\(types)")
      if !isOffered {
        #expect([SelectorFinding(.useCase), SelectorFinding(.documentType)].contains(selection.hidden.first?.finding))
      }
    }
  }

  @Test("A document of an issuer that its request does not accept does not satisfy a set")
  func issuers() {
    let request = Request.asking([
      ([[Request.document(DocumentType.licence, issuers: [Data([1])]), Self.photo]], true),
      ([[Self.licence]], false),
    ])
    let photo = registration(DocumentType.photo, identifier: "2")
    let accepted = app([registration(issuers: [Data([1])]), photo])
    #expect(Selection.decide([accepted], for: request, at: Readers.now).offered.count == 1)
    let refused = app([registration(issuers: [Data([2])]), photo])
    #expect(
      Selection.decide([refused], for: request, at: Readers.now).hidden.first?.finding == SelectorFinding(.useCase))
  }

  @Test("The description includes the failure of another registration")
  func detail() {
    let request = Request.asking([([[Self.licence, Self.photo]], true)])
    let wallet = app([registration(), registration(DocumentType.photo, identifier: "2", until: Readers.now)])
    let hidden = Selection.decide([wallet], for: request, at: Readers.now).hidden.first
    #expect(hidden?.finding == SelectorFinding(.useCase))
    #expect(hidden?.message.contains("\(DocumentType.licence) and \(DocumentType.photo)") == true)
    #expect(hidden?.message.contains(SelectorFinding(.registrationValidity).message) == true)
  }
}
