import LocatedYAML
import Vocabulary

/// The world whose phone answers the server under test: one person with a phone, a driver's license and a photo ID. Its
/// wallet answers every site, certified or not.
struct SuiteWorld: Sendable {
  /// The number of the answer: each answer comes from a phone of its own, with keys and values that no other has.
  var number: Int
  /// Changes to the world.
  var changes: [Change] = []
  /// The authorities that publish the status of documents. The last one issues the license.
  var publishers: [StatusPlan.Publisher] = []

  /// A change to the world.
  enum Change: Sendable {
    /// An element of the license; nil leaves it out.
    case element(String, YAMLValue?)
    /// A key of the license.
    case document(String, YAMLValue)
    /// A license of another person, which the phone holds, too.
    case anotherPerson
    /// The license is issued outside the phone's world.
    case issued(OutsideIssuance)
    /// A key of the phone.
    case device(String, YAMLValue)
  }

  /// The texts of the license that no other answer of the run has: the values by which an answer is recognized.
  var markers: [String] { [familyName, documentNumber] }

  /// The texts, numbers and truth values of the license, by the identifiers of their elements, as text. The portrait is an
  /// image, which its text only names.
  var values: [String: String] {
    elements.reduce(into: [:]) { values, element in
      switch element.value {
      case .text(let text) where element.key != "portrait": values[element.key] = text
      case .plain(let text): values[element.key] = text
      default: break
      }
    }
  }

  /// A surname of letters that every server takes.
  private var familyName: String {
    let (consonants, vowels) = (Array("bdfgklmnprstvz"), Array("aeiou"))
    var (rest, name) = (number, "")
    repeat {
      let pair = rest % (consonants.count * vowels.count)
      name += String(consonants[pair / vowels.count]) + String(vowels[pair % vowels.count])
      rest /= consonants.count * vowels.count
    } while rest > 0
    return "Rover-" + name.prefix(1).uppercased() + name.dropFirst() + "qu"
  }

  private var documentNumber: String { "S0451-\(7_000_000 + number)" }

  /// The name of the phone.
  var device: String { "phone-\(number)" }

  /// The identifier of the license in the wallet.
  static let license = "license"
  /// The identifier of another person's license in the wallet.
  static let licenseOfAnother = "another-license"

  /// The authorities, whose keys are the same in every world of the seed.
  private var authorities: YAMLValue {
    var issuers: [YAMLValue.Entry] = [
      .init("suite-motor-vehicles", Self.issuer("Suite Motor Vehicles", state: "US-CA")),
      .init("suite-passports", Self.issuer("Suite Passports", state: nil)),
    ]
    for publisher in publishers {
      issuers.append(
        .init(publisher.identifier, Self.issuer(publisher.name, state: "US-CA", publishes: publisher.publishes)))
    }
    if let issuance {
      let root = YAMLValue.one("root", .text(OutsideLicense.rootFile(of: device)))
      issuers.append(.init(issuance.authority.rawValue, root))
    }
    return .one("issuers", .mapping(issuers))
  }

  private static func issuer(_ name: String, state: String?, publishes: PublishedStatus? = nil) -> YAMLValue {
    .mapping(
      [.init("name", .text(name)), .init("country", .text("US"))]
        + (state.map { [.init("state", .text($0))] } ?? [])
        + (publishes.map { [.init("publishes-status", .text($0.rawValue))] } ?? []))
  }

  private var issuerOfLicense: String { publishers.last?.identifier ?? "suite-motor-vehicles" }

  /// The issuance of a license outside the phone's world; nil for one of an issuer in it.
  var issuance: OutsideIssuance? {
    for case .issued(let issuance) in changes { return issuance }
    return nil
  }

  /// The kinds of documents of a person, by their types.
  enum Kind: String, Sendable {
    case license = "org.iso.18013.5.1.mDL"
    case photoID = "org.iso.23220.photoid.1"
    /// A type that no standard has.
    case membership = "org.example.membership.1"

    /// The kind in words.
    var words: String {
      switch self {
      case .license: "a driver's license"
      case .photoID: "a photo ID"
      case .membership: "a membership card"
      }
    }
  }

  /// A document as a file for an issuer.
  func issuable(_ kind: Kind) -> String {
    let elements =
      switch kind {
      case .license: elements
      case .photoID: photoIDElements
      case .membership: membershipElements
      }
    return YAMLValue.mapping([.init("type", .text(kind.rawValue)), .init("elements", .mapping(elements))]).block()
  }

  /// The world as a file of the scenario language.
  var yaml: String {
    var license: [YAMLValue.Entry] = [
      .init("id", .text(Self.license)), .init("type", .text(Kind.license.rawValue)),
      .init("issuer", .text(issuerOfLicense)), .init("elements", .mapping(elements)),
    ]
    if let issuance {
      license = [
        .init("id", .text(Self.license)), .init("file", .text(OutsideLicense.file(of: device))),
        .init("device-key", .text(OutsideLicense.keyFile(of: device))),
        .init("issuer", .text(issuance.authority.rawValue)),
      ]
    }
    var phone: [YAMLValue.Entry] = []
    var others = [photoID]
    for change in changes {
      switch change {
      case .element, .issued: break
      case .anotherPerson: others.append(licenseOfAnother)
      case .document(let key, let value): license.append(.init(key, value))
      case .device(let key, let value): phone.append(.init(key, value))
      }
    }
    let wallet = YAMLValue.one("documents", .list([.mapping(license)] + others))
    phone.append(.init("apps", .one("Wallet", wallet)))
    return YAMLValue.mapping([
      .init("authorities", authorities), .init("devices", .one(device, .mapping(phone))),
    ]).block()
  }

  private var elements: [YAMLValue.Entry] {
    var elements: [YAMLValue.Entry] = [
      .init("family_name", .text(familyName)), .init("given_name", .text("Kelly")),
      .init("birth_date", .text("1990-07-14")), .init("issue_date", .text("2024-03-01")),
      .init("expiry_date", .text("2034-03-01")), .init("issuing_country", .text("US")),
      .init("issuing_authority", .text("Suite Motor Vehicles")), .init("issuing_jurisdiction", .text("US-CA")),
      .init("document_number", .text(documentNumber)), .init("portrait", .text("sample")),
      .init(
        "driving_privileges",
        .list([
          .mapping([
            .init("vehicle_category_code", .text("B")), .init("issue_date", .text("2008-07-20")),
            .init("expiry_date", .text("2034-03-01")),
          ])
        ])),
      .init("un_distinguishing_sign", .text("USA")), .init("sex", .number(2)), .init("height", .number(172)),
      .init("eye_colour", .text("green")), .init("resident_address", .text("1 Runway Road")),
      .init("resident_city", .text("Mojave")), .init("resident_state", .text("California")),
      .init("resident_postal_code", .text("93501")), .init("resident_country", .text("US")),
      .init("nationality", .text("US")), .init("age_over_18", .boolean(true)),
      .init("age_over_21", .boolean(true)), .init("age_over_65", .boolean(false)),
    ]
    for case .element(let name, let value) in changes {
      elements.removeAll { $0.key == name }
      if let value { elements.append(.init(name, value)) }
    }
    return elements
  }

  private var licenseOfAnother: YAMLValue {
    var other = elements
    other.removeAll { ["given_name", "document_number"].contains($0.key) }
    other += [.init("given_name", .text("Robin")), .init("document_number", .text("S9999-\(number)"))]
    return .mapping([
      .init("id", .text(Self.licenseOfAnother)), .init("type", .text(Kind.license.rawValue)),
      .init("issuer", .text(issuerOfLicense)), .init("elements", .mapping(other)),
    ])
  }

  private var photoID: YAMLValue {
    .mapping([
      .init("type", .text(Kind.photoID.rawValue)), .init("issuer", .text("suite-passports")),
      .init("elements", .mapping(photoIDElements)),
    ])
  }

  private var photoIDElements: [YAMLValue.Entry] {
    [
      .init("family_name", .text(familyName)), .init("given_name", .text("Kelly")),
      .init("birth_date", .one("birth_date", .text("1990-07-14"))), .init("portrait", .text("sample")),
      .init("issuing_country", .text("US")), .init("nationality", .text("US")), .init("age_over_18", .boolean(true)),
    ]
  }

  private var membershipElements: [YAMLValue.Entry] {
    [.init("family_name", .text(familyName)), .init("member_number", .text(documentNumber))]
  }
}
