import Certificates
import DevicePlatform
import Messaging
import MobileDocument
import Vocabulary

/// The names of a world's parts in text: titles for people, or the identifiers of the world file.
public struct WorldNames: Sendable {
  /// The name of the person: the given name in the first document that has one.
  public let person: String
  /// The person as the subject of a sentence: the name, or `the person`.
  public var actor: String { self.person == Self.identifiers.person ? "the person" : person }
  /// False for identifiers.
  let areTitles: Bool
  private let websites: [String: String]
  private let devices: [String: String]
  private let issuers: [String: String]
  private let readerAuthorities: [String: String]
  private let terminals: [String: String]
  private let listOperators: [String: String]
  private let documents: [String: String]
  /// The names of brands by the files of their icons.
  private let brands: [String: String]

  /// The identifiers, as in the journal.
  static let identifiers = WorldNames()

  private init() {
    (person, areTitles) = ("The person", false)
    (websites, devices, issuers, readerAuthorities, terminals) = ([:], [:], [:], [:], [:])
    (listOperators, documents, brands) = ([:], [:], [:])
  }

  /// The titles of a world's parts.
  public init(of world: WorldDescription) {
    let people = Self.people(of: world)
    person = people.first ?? Self.identifiers.person
    areTitles = true
    let sameBrands = Dictionary(grouping: world.websites, by: \.brand.name)
    // Websites with the same brand, as one that copies another, differ by their hosts.
    websites = Self.titles(world.websites, \.identifier) { website in
      let isOnlyOne = sameBrands[website.brand.name]?.count == 1
      return isOnlyOne ? website.brand.name : "\(website.brand.name) (\(website.origin.serialized.withoutScheme))"
    }
    devices = Self.titles(world.devices, \.identifier) { Self.device($0.identifier, of: people) }
    issuers = Self.titles(world.issuers, \.identifier, \.name)
    readerAuthorities = Self.titles(world.readerAuthorities, \.identifier, \.name)
    terminals = Self.titles(world.terminals, \.identifier, \.brand.name)
    listOperators = Self.titles(world.listOperators, \.identifier, \.name)
    documents = Self.documents(of: world)
    brands = Self.titles(world.websites.map(\.brand) + world.terminals.map(\.brand), \.icon, \.name)
  }

  /// The titles of documents: their types, with the issuing authority where two documents have the same type.
  private static func documents(of world: WorldDescription) -> [String: String] {
    let all = world.devices.flatMap(\.apps).flatMap(\.documents)
    let distinct = Dictionary(all.map { ($0.identifier, $0) }) { first, _ in first }
    func type(_ document: WorldDescription.Document) -> String {
      DataElementCatalogue.label(documentType: document.documentType)
    }
    func issuer(_ document: WorldDescription.Document) -> String {
      world.issuers.first { $0.identifier == document.issuer }?.name ?? document.issuer
    }
    return distinct.mapValues { document in
      let plain = document.identifier.replacing("-", with: " ")
      guard type(document) != document.documentType else { return plain }
      let others = distinct.values.filter { $0.identifier != document.identifier && type($0) == type(document) }
      if others.isEmpty { return type(document) }
      return others.contains { issuer($0) == issuer(document) } ? plain : "\(type(document)) of \(issuer(document))"
    }
  }

  private static func titles<Part>(
    _ parts: [Part], _ identifier: (Part) -> String, _ title: (Part) -> String
  ) -> [String: String] {
    Dictionary(parts.map { (identifier($0), title($0)) }) { first, _ in first }
  }

  /// The title of a website: the name of its brand.
  public func website(_ identifier: String) -> String { websites[identifier] ?? identifier }

  /// The title of a device: `kellys-iphone` is Kelly’s iPhone.
  public func device(_ identifier: String) -> String { devices[identifier] ?? identifier }

  /// The name of an issuing authority.
  public func issuer(_ identifier: String) -> String { issuers[identifier] ?? identifier }

  /// The name of a reader authority.
  public func readerAuthority(_ identifier: String) -> String { readerAuthorities[identifier] ?? identifier }

  /// The title of a terminal: the name of its brand.
  public func terminal(_ identifier: String) -> String {
    terminals[identifier].map { "the terminal of \($0)" } ?? identifier
  }

  /// The title of a document with its article: its type, or its name in the app.
  package func document(_ identifier: String) -> String { documents[identifier].map { "the \($0)" } ?? identifier }

  /// The display name of a document type.
  func documentType(_ type: String) -> String { areTitles ? DataElementCatalogue.label(documentType: type) : type }

  /// The way to a place where devices are: "to the lounge", or an adverb such as "here".
  func destination(_ place: String) -> String {
    guard areTitles else { return "to \(place)" }
    let words = place.replacing("-", with: " ")
    if Self.adverbs.contains(words) { return words }
    return words.first?.isLowercase == true ? "to the \(words)" : "to \(words)"
  }

  /// Names of places that are adverbs.
  private static let adverbs = [
    WorldDescription.Bluetooth.here, "there", "home", "away", "far away", "outside", "inside", "upstairs", "downstairs",
  ]

  /// The name of the brand with an icon; nil if no brand of the world has it.
  package func brand(icon: String) -> String? { brands[icon] }

  /// A party within a sentence: with its article, unless it has a name of its own.
  public func noun(_ party: Party) -> String {
    guard areTitles else { return party.titleWithArticle }
    return switch party.role {
    case .person: actor
    case .page:
      "the page of \(website(party.website ?? party.name))" + (party.frame.map { " in the frame \($0.name)" } ?? "")
    case .server: "the server of \(website(party.name))"
    case .ownServer: "the own server of \(website(party.name))"
    case .clientPlatform, .authenticator, .nearby, .mdoc: "the \(party.shortTitle) of \(device(party.name))"
    case .terminal: terminal(party.name)
    case .issuer: issuer(party.name)
    case .readerAuthority: readerAuthority(party.name)
    case .listOperator: listOperators[party.name] ?? party.name
    case .tunnelService: "the tunnel service \(party.name)"
    case .browser, .operatingSystem, .sandbox, .app, .requestingApp, .portal, .bluetooth, .nfc, .ownWallet:
      party.titleWithArticle
    }
  }

  /// A party at the beginning of a sentence. A name of its own keeps its spelling.
  func subject(_ party: Party) -> String {
    let noun = noun(party)
    return noun.hasPrefix("the ") ? "T" + noun.dropFirst() : noun
  }

  /// A way to authenticate, within a sentence.
  package func method(_ method: OwnerAuthentication.Method) -> String {
    switch method {
    case .faceID where areTitles: method.label
    case .passcode where areTitles: "the passcode"
    case .faceID, .passcode: method.rawValue
    }
  }

  /// A text of the journal about a step, or a note, with titles in place of the identifiers of websites, devices, terminals,
  /// authorities, parties and ways to authenticate.
  package func titled(_ text: String) -> String {
    let start = Self.identifiers.actor + " "
    let text = text.hasPrefix(start) ? actor + " " + text.dropFirst(start.count) : text
    return text.split(separator: " ", omittingEmptySubsequences: false).map { part in
      let whole = part.prefix { !",;)".contains($0) }
      if let party = Party(String(whole)) { return noun(party) + part[whole.endIndex...] }
      let word = part.prefix { !",;:)".contains($0) }
      let name = String(word)
      let terminal = terminals[name].map { _ in self.terminal(name) }
      let title =
        websites[name] ?? devices[name] ?? terminal ?? issuers[name] ?? readerAuthorities[name]
        ?? listOperators[name] ?? OwnerAuthentication.Method(rawValue: name).map(method)
      return title.map { $0 + part[word.endIndex...] } ?? String(part)
    }.joined(separator: " ")
  }

  /// The given names in documents, that of the person first.
  private static func people(of world: WorldDescription) -> [String] {
    let elements = world.devices.flatMap(\.apps).flatMap(\.documents).flatMap(\.nameSpaces).flatMap(\.elements)
    return elements.compactMap { element in
      if element.identifier == "given_name", case .text(let name) = element.value { name } else { nil }
    }
  }

  private static let spellings = ["iphone": "iPhone", "ipad": "iPad", "mac": "Mac"]

  private static func device(_ identifier: String, of people: [String]) -> String {
    let parts = identifier.split(separator: "-").map(String.init)
    let words = parts.enumerated().map { position, word -> String in
      if let owner = people.first(where: { word == $0.lowercased() + "s" }) { return "\(owner)\u{2019}s" }
      // A person without a document.
      if position == 0, parts.count > 1, word.hasSuffix("s"), !word.hasSuffix("ss") {
        return "\(word.dropLast())\u{2019}s"
      }
      return spellings[word] ?? word
    }
    let text = words.joined(separator: " ")
    return spellings.values.contains(words.first ?? "") ? text : text.prefix(1).uppercased() + text.dropFirst()
  }
}

extension WorldNames {
  /// The title of a party's device; nil for a party without one.
  public func place(of party: Party) -> String? {
    devices[party.deviceOfPage ?? String(party.name.prefix { $0 != "/" })]
  }

  /// The title of a party of a world, if it is better known than by its name in the journal.
  public func title(of party: Party, in world: WorldDescription) -> String? {
    func brand(_ website: Substring) -> String? { world.websites.first { $0.identifier == website }?.brand.name }
    return switch party.role {
    case .person: person
    case .page:
      brand((party.website ?? "")[...]).map { "Page of \($0)" + (party.frame.map { " in the frame \($0.name)" } ?? "") }
    case .server: brand(party.name[...]).map { "Server of \($0)" }
    case .ownServer: brand(party.name[...]).map { "Own server of \($0)" }
    // The term has no capital letter.
    case .mdoc: devices[party.name].map { "\(party.shortTitle) of \($0)" }
    case .clientPlatform, .authenticator, .nearby:
      devices[party.name].map { title in
        "\(party.shortTitle.prefix(1).uppercased())\(party.shortTitle.dropFirst()) of \(title)"
      }
    case .terminal: terminals[party.name].map { "Terminal of \($0)" }
    case .readerAuthority: readerAuthorities[party.name]
    case .issuer: issuers[party.name]
    case .listOperator: world.listOperators.first { $0.identifier == party.name }?.name
    default: nil
    }
  }
}

extension WorldDescription {
  /// A fact about a party of this world that its role does not show, as a sentence; nil without one.
  public func note(on party: Party) -> String? {
    guard party.role == .sandbox, devices.contains(where: { $0.identifier == party.name && $0.sandbox == .inProcess })
    else { return nil }
    return "In this run it is not confined: it parses in the process of the simulation."
  }

  /// The titles of the world's parts, for people.
  public var names: WorldNames { WorldNames(of: self) }

  /// The brand of a requesting app: that whose server it uses.
  public func brand(ofRequestingApp name: String) -> BrandIdentity? {
    requestingApps.first { $0.name == name }.flatMap { app in websites.first { $0.identifier == app.server }?.brand }
  }
}
