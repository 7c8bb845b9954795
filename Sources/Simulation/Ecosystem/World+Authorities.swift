import Authorities
import Certificates
import IdentityDocumentServices
import Messaging
import MobileDocument
import ReaderOnboarding
import Storage
import Vocabulary

/// A world's authorities and their registers.
extension World {
  /// Creates the authorities and their channels.
  static func addAuthorities(
    of description: WorldDescription, statuses: [String: StatusRegister], to network: Network,
    stations: Stations
  ) throws -> (issuers: [String: IssuingAuthority], readers: [String: ReaderAuthority]) {
    var issuers: [String: IssuingAuthority] = [:]
    for issuer in description.issuers {
      let party = Party(.issuer, issuer.identifier)
      let authority = try IssuingAuthority(
        issuer, register: register(of: issuer.identifier, in: description), statuses: statuses[issuer.identifier],
        station: stations(party),
        documentIssuer: stations.equipment.documentIssuer, statusListIssuer: stations.equipment.statusListIssuer)
      network.register(party) { await authority.receive($0) }
      issuers[issuer.identifier] = authority
    }
    var readers: [String: ReaderAuthority] = [:]
    for reader in description.readerAuthorities {
      let party = Party(.readerAuthority, reader.identifier)
      let websites = description.websites.filter { $0.signsFor.contains(reader.identifier) }
      let cases = websites.map { (Party(.server, $0.identifier), onboardingCase(of: $0, at: reader, in: description)) }
      let ofTerminals = description.terminals.filter { $0.signsFor.contains(reader.identifier) }.map { terminal in
        let isRefused = reader.refuses.contains(terminal.identifier)
        return (
          Party(.terminal, terminal.identifier),
          OnboardingCase(
            settled: terminal.readerDomain, organization: terminal.brand.name,
            brand: isRefused ? nil : terminal.brand)
        )
      }
      let authority = try ReaderAuthority(
        reader, cases: Dictionary(cases + ofTerminals) { first, _ in first }, hosts: servers(of: description),
        station: stations(party))
      network.register(party) { await authority.receive($0) }
      if reader.onboarding?.domainProof == .wellKnown {
        for website in description.websites { network.connect(party, Party(.server, website.identifier)) }
      }
      readers[reader.identifier] = authority
    }
    return (issuers, readers)
  }

  /// Creates the list operators, which have got the roots of the authorities that they list from these.
  static func addListOperators(
    of description: WorldDescription, roots: [String: [UInt8]], to network: Network, stations: Stations
  ) throws -> [String: ListOperator] {
    let listed = description.issuers.compactMap { issuer in
      roots[issuer.identifier].map { (issuer.identifier, (issuer: issuer, root: $0)) }
    }
    var operators: [String: ListOperator] = [:]
    for described in description.listOperators {
      let party = Party(.listOperator, described.identifier)
      let listOperator = try ListOperator(
        described, roots: Dictionary(listed) { first, _ in first }, station: stations(party),
        issuer: stations.equipment.issuerListIssuer)
      network.register(party) { await listOperator.receive($0) }
      operators[described.identifier] = listOperator
    }
    return operators
  }

  /// The root of the operator of the list that a website accepts, as the website's operator has it from that operator.
  static func listRoots(
    of website: WorldDescription.Website, _ operators: [String: ListOperator]
  ) -> TrustedCertificates {
    let root = website.acceptsList.flatMap { operators[$0]?.root }
    return (try? TrustedCertificates(reading: root.map { [$0] } ?? [], for: .listSigner))
      ?? TrustedCertificates([], for: .listSigner)
  }

  /// The case of a website at a reader authority: new, or settled before the world begins.
  private static func onboardingCase(
    of website: WorldDescription.Website, at reader: WorldDescription.ReaderAuthority,
    in description: WorldDescription
  ) -> OnboardingCase {
    let isRefused = reader.refuses.contains(website.identifier)
    guard let requirements = reader.onboarding else {
      return OnboardingCase(
        settled: website.readerDomain, organization: website.brand.name, brand: isRefused ? nil : website.brand)
    }
    let register = description.websites.compactMap { listed in
      reader.register[listed.identifier].map { ($0, listed.origin.host ?? "") }
    }
    return OnboardingCase(requirements, register: Dictionary(register) { first, _ in first }, refusesBrand: isRefused)
  }

  /// The published requirements of the reader authorities that have some.
  static func requirements(of description: WorldDescription) -> [String: OnboardingRequirements] {
    Dictionary(
      description.readerAuthorities.compactMap { reader in reader.onboarding.map { (reader.identifier, $0) } }
    ) { first, _ in first }
  }

  /// The party of each website's host.
  private static func servers(of description: WorldDescription) -> [String: Party] {
    Dictionary(description.websites.map { ($0.origin.host ?? "", Party(.server, $0.identifier)) }) { first, _ in first }
  }

  /// Creates the developer portal, if an app needs it. The account of a merchant identifier is that of the first app with
  /// it.
  static func addPortal(of description: WorldDescription, to network: Network, stations: Stations) throws {
    guard !description.requestingApps.isEmpty else { return }
    let accounts = description.requestingApps.map { app in
      DeveloperPortal.Account(
        merchantIdentifier: app.merchantIdentifier, teamIdentifier: app.teamIdentifier, organization: app.name,
        server: Party(.server, app.server))
    }
    let portal = try DeveloperPortal(accounts: accounts, station: stations(Party.developerPortal))
    network.register(Party.developerPortal) { await portal.receive($0) }
  }

  /// The party of each host that publishes status lists.
  static func hosts(of description: WorldDescription) -> [String: Party] {
    Dictionary(description.issuers.map { ($0.host, Party(.issuer, $0.identifier)) }) { first, _ in first }
  }

  /// The name of a record in an authority's register of people.
  static func record(of document: String, in app: String, on device: String) -> String {
    "\(device)/\(app)/\(document)"
  }

  private static func register(of issuer: String, in description: WorldDescription) -> [String: IssuingAuthority.Record]
  {
    var register: [String: IssuingAuthority.Record] = [:]
    for device in description.devices {
      for app in device.apps {
        for document in app.documents where document.issuer == issuer {
          register[record(of: document.identifier, in: app.name, on: device.identifier)] = IssuingAuthority.Record(
            documentType: document.documentType, nameSpaces: document.nameSpaces, validDays: document.validDays,
            issued: document.outside?.issued)
        }
      }
    }
    return register
  }
}

/// A document of an app in a world, with everything needed to present it outside the world.
public struct ProvisionedDocument: Sendable {
  /// The document's name in the world.
  public let identifier: String
  /// The issuing authority's name in the world, or nil if the app's description no longer has the document.
  public let issuer: String?
  /// `IssuerSigned` or an SD-JWT as the issuing authority sent it.
  public let issued: [UInt8]
  /// The document as the app presents it.
  public let presentable: PresentableDocument
  /// The private key that the app presents it with, 32 bytes. It follows from the world's seed, so it is not secret.
  public let deviceKey: [UInt8]
}

extension World {
  /// The documents of an app on a device, in the order of arrival; empty if the app is not installed, and without those whose
  /// keys a program outside the world has.
  /// - Throws: An error if the app's storage cannot be read.
  public func provisionedDocuments(of app: String, on device: String) throws -> [ProvisionedDocument] {
    guard isInstalled(app, on: device), let database = parts(of: device)?.memory.documents(of: app) else { return [] }
    let described = description.devices.first { $0.identifier == device }?.apps.first { $0.name == app }?.documents
    return try database.documents().compactMap { stored in
      guard let key = stored.deviceKey else { return nil }
      return ProvisionedDocument(
        identifier: stored.identifier, issuer: described?.first { $0.identifier == stored.identifier }?.issuer,
        issued: stored.issued, presentable: PresentableDocument(stored.credential, deviceKey: key),
        deviceKey: key.rawRepresentation)
    }
  }
}
