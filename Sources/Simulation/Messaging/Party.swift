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
    /// The operator that signs lists of issuing authorities.
    case listOperator = "list-operator"
    case requestingApp = "requesting-app"
    case portal
    /// The end of CTAP's hybrid transport on the device with the browser.
    case clientPlatform = "client-platform"
    /// The end of CTAP's hybrid transport on the phone.
    case authenticator
    /// A relay between the two.
    case tunnelService = "tunnel-service"
    /// Bluetooth Low Energy between the devices of a world.
    case bluetooth
    /// A device's end in presentment's model of a nearby iPhone. Apple's protocol is not public.
    case nearby
    /// The part of a device that presents documents to readers near it.
    case mdoc
    /// A reader at a counter: the standard's mdoc reader.
    case terminal
    /// Near-field communication between a device and the terminal that it is held to.
    case nfc
    /// A verifier server outside the world.
    case ownServer = "own-server"
    /// The program of a provider app, outside the world.
    case ownWallet = "own-wallet"
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

  /// Hashes the name. Few parties have the same name, and the role would be hashed as text.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Role and name in the form of the journal: `app:kellys-iphone/Wallet`.
  public var description: String { "\(role.rawValue):\(name)" }

  /// Orders parties by their descriptions.
  public static func < (left: Party, right: Party) -> Bool { left.description < right.description }
}

extension Party.Role {
  /// True for a party that a device reaches over the internet; not for one near it, or on it.
  var isOnInternet: Bool {
    switch self {
    case .server, .issuer, .readerAuthority, .listOperator, .portal, .tunnelService: true
    case .person, .page, .browser, .operatingSystem, .sandbox, .app, .requestingApp, .clientPlatform, .authenticator,
      .bluetooth, .nearby, .mdoc, .terminal, .nfc, .ownServer, .ownWallet:
      false
    }
  }

  /// The form of the names of parties in text.
  enum Naming {
    /// By the role, which a device or a world has once.
    case role(String, short: String? = nil)
    /// By the role and the website, or the device.
    case ofPlace(String)
    /// By the role and the app.
    case ofApp(String)
    /// By a name of its own.
    case properName
  }

  /// The form of the names of parties with the role. With ``MessageKind``, this is all that messages and texts know about
  /// an actor.
  var naming: Naming {
    switch self {
    case .person: .role("person")
    case .page: .ofPlace("page")
    case .server: .ofPlace("server")
    case .browser: .role("browser")
    case .operatingSystem: .role("operating system", short: "system")
    case .sandbox: .role("sandbox")
    case .portal: .role("developer portal", short: "portal")
    case .clientPlatform: .ofPlace("client platform")
    case .authenticator: .ofPlace("authenticator")
    case .bluetooth: .role("Bluetooth")
    case .nearby: .ofPlace("nearby model")
    case .mdoc: .ofPlace("mdoc")
    case .terminal: .ofPlace("terminal")
    case .nfc: .role("NFC")
    case .ownServer: .ofPlace("own server")
    case .ownWallet: .ofApp("program")
    case .app, .requestingApp, .issuer, .readerAuthority, .listOperator, .tunnelService: .properName
    }
  }
}

extension Party {
  /// The person of a world.
  package static let person = Party(.person, "person")

  /// The developer portal.
  package static let developerPortal = Party(.portal, "portal")

  /// A requesting app on a device.
  package static func requestingApp(_ app: String, on device: String) -> Party {
    Party(.requestingApp, "\(device)/\(app)")
  }

  /// The script of a website's page on a device.
  package static func page(of website: String, on device: String) -> Party { Party(.page, "\(website)@\(device)") }

  /// The script of a website's page in a frame of another website's page, or of its own.
  package static func page(of shown: String, inFrame frame: String, of website: String, on device: String) -> Party {
    Party(.page, "\(shown)@\(device)#\(website)/\(frame)")
  }

  /// The website whose script a page runs; nil for another party.
  public var website: String? { role == .page ? String(name.prefix { $0 != "@" }) : nil }

  /// The device whose browser shows a page; nil for another party. The place of a frame's page follows it:
  /// `page:orbital-market@kellys-iphone#spaceship-rentals/checkout`.
  public var deviceOfPage: String? {
    guard role == .page, let place = name.split(separator: "@").last else { return nil }
    return String(place.prefix { $0 != "#" })
  }

  /// The device that the party is on; nil for a party elsewhere.
  package var device: String? {
    switch role {
    case .page: deviceOfPage
    case .browser, .operatingSystem, .sandbox, .clientPlatform, .authenticator, .nearby, .mdoc: name
    case .app, .requestingApp, .ownWallet: String(name.prefix { $0 != "/" })
    case .person, .server, .issuer, .readerAuthority, .listOperator, .portal, .tunnelService, .bluetooth, .terminal,
      .nfc, .ownServer:
      nil
    }
  }

  /// The frame with a page, after the website of the page around it; nil for a page that fills its tab.
  public var frame: (website: String, name: String)? {
    guard role == .page, let place = name.firstIndex(of: "#") else { return nil }
    let parts = name[name.index(after: place)...].split(separator: "/", maxSplits: 1)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// The name in prose: `person`, `server of spaceship-rentals`, `Wallet`.
  public var title: String {
    switch role.naming {
    case .role(let role, _): role
    case .ofPlace(let role):
      "\(role) of \(name.prefix { $0 != "@" })" + (frame.map { " in the frame \($0.name)" } ?? "")
    case .ofApp(let role): "\(role) of \(name.split(separator: "/").last.map(String.init) ?? name)"
    case .properName: name.split(separator: "/").last.map(String.init) ?? name
    }
  }

  /// The name in narrow columns, without the website.
  public var shortTitle: String {
    switch role.naming {
    case .role(let role, let short): short ?? role
    case .ofPlace(let role): frame.map { "frame \($0.name)" } ?? role
    case .ofApp(let role): role
    case .properName: title
    }
  }

  /// The title with an article, unless it is a proper name.
  public var titleWithArticle: String {
    if case .properName = role.naming { title } else { "the \(title)" }
  }

  /// The title with its article at the beginning of a sentence. A proper name keeps its spelling.
  public var subject: String {
    if case .properName = role.naming { return title }
    return "The \(title)"
  }

  /// The title at the beginning of a heading. The name of a tunnel service is a host, which says nothing about its role.
  public var heading: String {
    role == .tunnelService ? "Tunnel service \(name)" : title.prefix(1).uppercased() + title.dropFirst()
  }
}
