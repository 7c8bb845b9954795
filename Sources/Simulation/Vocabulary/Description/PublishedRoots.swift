/// The place where a server or an app gets the root certificate of an authority. It compares the certificate with the
/// fingerprint that its operator configured in both cases.
public enum RootSource: String, Sendable, CaseIterable {
  /// The authority itself, which is asked for it.
  case authority
  /// An address of the authority, where anyone can fetch it.
  case address
}

/// The addresses at which authorities and list operators publish.
package enum PublishedAddress {
  /// The target of a root certificate in DER.
  package static let root = "/root.cer"
  /// The target of a list of issuing authorities.
  package static let issuerList = "/vical.cbor"

  /// The host of an authority or a list operator, by its name in the world.
  package static func host(of name: String) -> String { "\(name).example" }
}

extension WorldDescription {
  /// The names of the issuing authorities on the list of an operator.
  package func issuers(listedBy listOperator: String) -> [String] {
    listOperators.first { $0.identifier == listOperator }?.entries.map(\.issuer) ?? []
  }

  /// The names of the issuing authorities from which a website accepts documents of a type: those of its own choice, and
  /// those of the list that it accepts.
  package func issuers(acceptedBy website: String, for documentType: String) -> [String] {
    guard let website = websites.first(where: { $0.identifier == website }) else { return [] }
    let listed = listOperators.first { $0.identifier == website.acceptsList }?.entries ?? []
    return website.acceptsIssuers + listed.filter { $0.documentTypes.contains(documentType) }.map(\.issuer)
  }

  /// An operator that signs a list of issuing authorities: a VICAL provider.
  public struct ListOperator: Sendable {
    /// An authority on the list.
    public struct Entry: Sendable, Equatable {
      /// The issuing authority's name in the world.
      public var issuer: String
      /// The types of documents that it may issue.
      public var documentTypes: [String]

      /// Creates an entry.
      public init(issuer: String, documentTypes: [String]) {
        (self.issuer, self.documentTypes) = (issuer, documentTypes)
      }
    }

    /// The name in the world.
    public var identifier: String
    /// The displayed name.
    public var name: String
    /// Country, two upper-case letters.
    public var country = "US"
    /// The listed authorities.
    public var entries: [Entry] = []
    /// The days from an issue of the list until the next one is due.
    public var days = 7

    /// The host.
    package var host: String { PublishedAddress.host(of: identifier) }
    /// The website.
    package var contact: String { "https://\(host)" }

    /// Creates an operator.
    public init(identifier: String, name: String) {
      self.identifier = identifier
      self.name = name
    }
  }
}
