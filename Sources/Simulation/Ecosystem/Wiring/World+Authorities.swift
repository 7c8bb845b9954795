import Certificates
import IdentityDocumentServices
import Messaging
import MobileDocument

/// A world's authorities and their registers.
extension World {
  /// Creates the authorities and their channels.
  static func addAuthorities(
    of description: WorldDescription, statuses: [String: StatusRegister], to network: Network,
    stations: Stations
  ) throws -> [String: IssuingAuthority] {
    var issuers: [String: IssuingAuthority] = [:]
    for issuer in description.issuers {
      let party = Party(.issuer, issuer.identifier)
      let authority = try IssuingAuthority(
        issuer, register: register(of: issuer.identifier, in: description), statuses: statuses[issuer.identifier],
        station: stations(party), equipment: stations.equipment)
      network.register(party) { await authority.receive($0) }
      issuers[issuer.identifier] = authority
    }
    for reader in description.readerAuthorities {
      let party = Party(.readerAuthority, reader.identifier)
      let customers = description.websites.filter { $0.signsFor.contains(reader.identifier) }.map { website in
        ReaderAuthority.Customer(
          server: Party(.server, website.identifier), domain: website.origin.host ?? "",
          organization: website.brand.name,
          approvedBrand: reader.refuses.contains(website.identifier) ? nil : website.brand)
      }
      let authority = try ReaderAuthority(reader, customers: customers, station: stations(party))
      network.register(party) { await authority.receive($0) }
    }
    return issuers
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
            documentType: document.documentType, nameSpaces: document.nameSpaces, validDays: document.validDays)
        }
      }
    }
    return register
  }
}
