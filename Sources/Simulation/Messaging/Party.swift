/// A trust domain of a world: it sends and receives bytes, and keeps all other state private.
public struct Party: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The roles of parties.
  public enum Role: String, Sendable, CaseIterable {
    case person
    case page
    case server
    case browser
    case operatingSystem = "os"
    case sandbox
    case app
    case issuer
    case readerAuthority = "reader-authority"
  }

  /// The role.
  public let role: Role
  /// The name: a website, a device, an authority, or a device and its app.
  public let name: String

  /// Creates a party.
  public init(_ role: Role, _ name: String) {
    self.role = role
    self.name = name
  }

  /// Reads a party in the form of the journal; nil without a known role.
  public init?(_ description: String) {
    guard let colon = description.firstIndex(of: ":"), let role = Role(rawValue: String(description[..<colon])) else {
      return nil
    }
    self.init(role, String(description[description.index(after: colon)...]))
  }

  /// Role and name in the form of the journal: `app:kellys-iphone/Wallet`.
  public var description: String { "\(role.rawValue):\(name)" }

  /// Orders parties by their descriptions.
  public static func < (left: Party, right: Party) -> Bool { left.description < right.description }
}

extension Party {
  /// The name in prose: `person`, `server of spaceship-rentals`, `Wallet`.
  public var title: String {
    switch role {
    case .person: "person"
    case .browser: "browser"
    case .operatingSystem: "operating system"
    case .sandbox: "sandbox"
    case .app: name.split(separator: "/").last.map(String.init) ?? name
    case .page: "page of \(name.prefix { $0 != "@" })"
    case .server: "server of \(name)"
    case .issuer, .readerAuthority: name
    }
  }

  /// The name in narrow columns, without the website.
  public var shortTitle: String {
    switch role {
    case .page: "page"
    case .server: "server"
    case .operatingSystem: "system"
    default: title
    }
  }

  /// The title with an article, unless it is a proper name.
  public var titleWithArticle: String {
    switch role {
    case .app, .issuer, .readerAuthority: title
    default: "the \(title)"
    }
  }
}
