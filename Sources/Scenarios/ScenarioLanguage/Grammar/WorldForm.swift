import Certificates
import ExchangeFiles
import Foundation
import LocatedYAML
import MobileDocument
import Primitives
import ReaderOnboarding
import Vocabulary

extension Form where Value == WorldDescription {
  /// The type of a world as a file writes it: one that extends another has some keys only.
  static var worldType: FormType { .either([.partial("extends"), world.type]) }

  /// A world. Names that refer to other parts are checked against the names in the file, so that a misspelled one is
  /// reported at its position.
  static let world = Form.mapping(
    "world", { WorldDescription() },
    [
      Key(
        "extends", .text, usual: "none", "the name of a world file, to which the other keys are [changes](#changes)"),
      Key(
        "authorities", authorities, "issuing and reader authorities, and operators of lists of issuing authorities",
        usual: "none",
        read: { world, authorities in
          world.issuers = authorities.issuers
          world.readerAuthorities = authorities.readerAuthorities
          world.listOperators = authorities.listOperators
        }, write: { $0 }),
      Key("websites", \.websites, .websites, "websites with their servers"),
      Key("devices", \.devices, .devices, "devices with browser, system and apps"),
      Key("terminals", \.terminals, .terminals, "readers at counters, for presentation [in person](in-person.md)"),
      Key("bluetooth", \.bluetooth, .bluetooth, usual: "all devices are in range", "Bluetooth between the devices"),
      Key(
        "tunnel-services", \.tunnelServices, .tunnelServices, usual: "the usual limits",
        "the limits of tunnel services, by their names"),
      Key("requesting-apps", \.requestingApps, .requestingApps, "apps that request documents in Wallet"),
      Key(
        "storage", \.storage, .storage, usual: "in memory",
        "`temporary`, or a folder next to the file, for what devices, apps and servers keep in files"),
    ]
  ).checked { world, node, _ in
    for (position, website) in world.websites.enumerated()
    where world.websites[..<position].contains(where: { $0.origin == website.origin }) {
      throw SourceProblem(
        .duplicateKey, "two websites have the origin \(website.origin.serialized)",
        at: node["websites"]?[website.identifier]?.position ?? node.position)
    }
    let outside = Set(world.readerAuthorities.filter { $0.outsideRoot != nil }.map(\.identifier))
    let readers =
      world.websites.map { ("websites", $0.identifier, $0.signsFor) }
      + world.terminals.map { ("terminals", $0.identifier, $0.signsFor) }
    for (kind, reader, authorities) in readers {
      guard let authority = authorities.first(where: outside.contains) else { continue }
      throw SourceProblem(
        .unreadableValue, "\(authority) certifies readers outside the world, and not \(reader)",
        at: node[kind]?[reader]?["signs-for"]?.position ?? node.position)
    }
    let places = world.bluetooth.places.map(\.name)
    for device in world.devices where device.place != WorldDescription.Bluetooth.here && !places.contains(device.place)
    {
      throw SourceProblem(
        .unknownName,
        "unknown place \(SourceText.quote(device.place)); the world has "
          + ([WorldDescription.Bluetooth.here] + places.filter { $0 != WorldDescription.Bluetooth.here })
          .joined(separator: ", "),
        at: node["devices"]?[device.identifier]?["place"]?.position ?? node.position,
        suggestion: NearestName.of(device.place, in: places))
    }
    for terminal in world.terminals {
      let position = node["terminals"]?[terminal.identifier]?.position ?? node.position
      if world.devices.contains(where: { $0.identifier == terminal.identifier }) {
        throw SourceProblem(.duplicateKey, "a terminal and a device have the same name", at: position)
      }
      guard terminal.place != WorldDescription.Bluetooth.here, !places.contains(terminal.place) else { continue }
      throw SourceProblem(
        .unknownName, "unknown place \(SourceText.quote(terminal.place))",
        at: node["terminals"]?[terminal.identifier]?["place"]?.position ?? position,
        suggestion: NearestName.of(terminal.place, in: places))
    }
    for service in world.tunnelServices where !world.tunnelHosts.contains(service.host) {
      throw SourceProblem(
        .unknownName,
        "no phone uses the tunnel service \(SourceText.quote(service.host)); they use "
          + world.tunnelHosts.joined(separator: ", "),
        at: node["tunnel-services"]?[service.host]?.position ?? node.position,
        suggestion: NearestName.of(service.host, in: world.tunnelHosts))
    }
  }

  private static let authorities = Form.mapping(
    "authorities", { WorldDescription() },
    [
      Key("issuers", \.issuers, .issuers, "issuing authorities"),
      Key(
        "readers", \.readerAuthorities, .readerAuthorities,
        "reader authorities, as a list of names or with their settings"),
      Key(
        "list-operators", \.listOperators, .listOperators,
        "operators that each sign a [list of issuing authorities](model.md#roots)"),
    ])

  /// Reads the tree of a world. Returns nil after it has reported a problem itself.
  package static func read(_ root: SourceNode, _ problems: ProblemCollector) -> WorldDescription? {
    let context = ReadingContext(namingPartsOf: root, problems: problems)
    return problems.attempt(root) { try world.read($0, context) }
  }
}

extension Form where Value == WorldDescription.Storage {
  private static let temporary = "temporary"

  /// `temporary`, or a folder next to the file that names it.
  static let storage = Form(
    type: .text,
    read: { node, _ in
      let text = try node.string()
      if text == temporary { return .temporary }
      guard !text.isEmpty else {
        throw SourceProblem(.unreadableValue, "expected the name of a folder", at: node.position)
      }
      let folder = URL(fileURLWithPath: node.position.file.path).deletingLastPathComponent()
      return .folder(URL(fileURLWithPath: text, relativeTo: folder).standardizedFileURL.path)
    },
    write: { storage in
      switch storage {
      case .memory: .null
      case .temporary: .text(temporary)
      case .folder(let path): .text(path)
      }
    })
}

extension Form where Value == [WorldDescription.Issuer] {
  static let issuers = Form.parts(
    "issuing authority", \.identifier, checkName: requireHostName, "issuers",
    { WorldDescription.Issuer(identifier: $0, name: $0, country: "US") },
    [
      Key("name", \.name, .text, usual: "its name in the world", "the name that people read"),
      Key("country", \.country, .element(.countryCode), "two upper-case letters"),
      Key("state", \.state, .text, usual: "none", "for example `US-CA`"),
      Key(
        "test", \.isOfTestProgramme, .boolean,
        "it is the authority of a [test programme](model.md#test-programmes): its certificates and documents name the country UT"
      ),
      Key(
        "publishes-status", \.publishesStatus, .oneOf(PublishedStatus.self, "kind of list"), usual: "none",
        "the lists about the status of its documents"),
      Key(
        "root", \.outsideRoot, .outsideRoot, usual: "a root of its own",
        "a file beside this one with its root certificate, in PEM or DER: the authority issues outside the world, and its "
          + "documents come [from files](#documents-from-files)"),
    ],
    check: { issuer, node, _ in
      guard issuer.outsideRoot != nil else { return }
      for key in ["country", "state", "test", "publishes-status"] {
        guard let setting = node[key] else { continue }
        throw SourceProblem(
          .unreadableValue, "an authority with a 'root' has no '\(key)'", at: setting.position,
          hint: "its certificates and documents say it")
      }
    })
}

extension Form where Value == WorldDescription.OutsideRoot {
  /// The root certificate of an authority outside the world.
  fileprivate static let outsideRoot = Form(
    type: .text,
    read: { node, _ in
      let named = try NamedBytes(node)
      do {
        let certificates = try CertificateFile.certificates(named.bytes, name: named.file.name)
        guard let root = certificates.first, certificates.count == 1 else {
          throw SourceProblem(
            .unreadableValue,
            "\(SourceText.quote(named.file.name)) has \(certificates.count) certificates, and an authority one root",
            at: node.position)
        }
        return WorldDescription.OutsideRoot(file: named.file, certificate: try root.derEncoded())
      } catch let error as ExchangeFileError {
        throw SourceProblem(.unreadableValue, error.description, at: node.position)
      }
    }, write: { .text($0.file.name) })
}

extension Form where Value == [WorldDescription.ListOperator] {
  fileprivate static let listOperators = Form.parts(
    "list operator", \.identifier, checkName: requireHostName, "list-operators",
    { WorldDescription.ListOperator(identifier: $0, name: $0) },
    [
      Key("name", \.name, .text, usual: "its name in the world", "the name that people read"),
      Key("country", \.country, .element(.countryCode), "two upper-case letters"),
      Key(
        "lists", Form<[Named<[String]>]>.named(.issuer, .list(.text)),
        "the issuing authorities on its list, each with the types of documents that it may issue", usual: "none",
        read: { listOperator, entries in
          listOperator.entries = entries.map { .init(issuer: $0.name, documentTypes: $0.value) }
        },
        write: { $0.entries.map { Named($0.issuer, $0.documentTypes) } }),
      Key(
        "days", \.days, .integer(in: 1...3650), "the days from an issue of its list until the next one is due"),
    ])
}

extension Form where Value == OnboardingRequirements {
  fileprivate static let requirements = Form.mapping(
    "onboarding", { OnboardingRequirements() },
    [
      Key(
        "domain-proof", \.domainProof, .oneOf(OnboardingRequirements.DomainProof.self, "proof"),
        "the proof of the domain: `well-known`, a token of the authority at a well-known path of the website's host; "
          + "`register`, a number in the regulator's register"),
      Key(
        "brand-review", \.brandReview, .oneOf(OnboardingRequirements.BrandReview.self, "review"),
        "`automatic`: the brand is approved at once, or refused for the websites in `refuses`; `staff`: "
          + "[steps](#reader-authority) decide; `none`: the certificates have no brand"),
    ])
}

extension Form where Value == [WorldDescription.ReaderAuthority] {
  private static let detailed = Form.parts(
    "reader authority", \.identifier, checkName: requireHostName, "readers",
    { WorldDescription.ReaderAuthority(identifier: $0, name: $0) },
    [
      Key("name", \.name, .text, usual: "its name in the world", "the name that people read"),
      Key(
        "certificate-days", \.certificateDays, .integer(in: 1...1187), "the validity of its certificates in days"),
      Key("refuses", \.refuses, .list(.name(.website)), "websites whose brand it does not approve"),
      Key(
        "onboarding", \.onboarding, .requirements, usual: "every application was settled before the world begins",
        "its requirements for websites, which apply for certificates in the world"),
      Key(
        "register", Form<[Named<String>]>.named(.website, .text),
        "the numbers of websites in the regulator's register", usual: "none",
        read: { authority, numbers in
          authority.register = Dictionary(numbers.map { ($0.name, $0.value) }) { first, _ in first }
        },
        write: { authority in
          authority.register.sorted { $0.key < $1.key }.map { Named($0.key, $0.value) }
        }),
      Key(
        "revocation-list", \.publishesRevocations, .boolean,
        "it publishes a list of revoked certificates, which its certificates name"),
      Key(
        "test", \.isOfTestProgramme, .boolean,
        "it is the authority of a [test programme](model.md#test-programmes): its certificates name the country UT"),
      Key(
        "intermediate", \.hasIntermediate, .boolean,
        "its root certifies an intermediate, which issues the reader certificates"),
      Key(
        "root", \.outsideRoot, .outsideRoot, usual: "a root of its own",
        "a file beside this one with its root certificate, in PEM or DER: the authority certifies readers outside the world, "
          + "for example that of a [server of your own](test-your-server.md#in-a-world)"),
    ],
    check: { authority, node, _ in
      guard authority.outsideRoot != nil else { return }
      for key in node.keys where !["name", "root"].contains(key) {
        throw SourceProblem(
          .unreadableValue, "an authority with a 'root' has no '\(key)'", at: node[key]?.position ?? node.position,
          hint: "it decides outside the world")
      }
    })

  /// A list of names, or a mapping from names to settings.
  static let readerAuthorities = Form(
    type: .either([.list(.text), detailed.type]),
    read: { node, context in
      guard case .sequence = node.content else { return try detailed.read(node, context) }
      return node.each(context.problems) { item in
        let name = try item.string()
        try requireHostName(Located(name, at: item.position), context)
        return WorldDescription.ReaderAuthority(identifier: name, name: name)
      }
    }, write: detailed.write)
}

/// The name of an authority becomes a host name in its certificates.
func requireHostName(_ name: Located<String>, _: ReadingContext) throws {
  let isHostName = name.value.utf8.allSatisfy { byte in
    byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
  }
  guard isHostName, (1...63).contains(name.value.utf8.count) else {
    throw SourceProblem(
      .unreadableValue, "an authority's name has lower-case letters, digits and hyphens", at: name.position,
      hint: "use 'name' for the displayed name")
  }
}

extension Form where Value == String {
  /// Text that follows the rules of an element's type.
  fileprivate static func element(_ type: DataElementType) -> Form {
    Form.text.checked { text, node, _ in
      if let problem = type.problem(with: .text(text)) {
        throw SourceProblem(.unreadableValue, "\(SourceText.quote(text)) \(problem)", at: node.position)
      }
    }
  }
}
