import JSON
import MobileDocument
import Primitives

/// An element that an app requests, by Apple's name. Each covers one or several elements of a driver's license.
public struct PKIdentityElement: Sendable, Hashable, CustomStringConvertible {
  private let name: String
  /// The age of an ``age(atLeast:)`` element; nil for every other element.
  public let threshold: Int?

  private init(_ name: String, threshold: Int? = nil) {
    self.name = name
    self.threshold = threshold
  }

  /// The given names.
  public static let givenName = PKIdentityElement("givenName")
  /// The family name.
  public static let familyName = PKIdentityElement("familyName")
  /// The picture.
  public static let portrait = PKIdentityElement("portrait")
  /// The place of residence.
  public static let address = PKIdentityElement("address")
  /// The issuing authority, with its country and state.
  public static let issuingAuthority = PKIdentityElement("issuingAuthority")
  /// The date of issue.
  public static let documentIssueDate = PKIdentityElement("documentIssueDate")
  /// The date of expiry.
  public static let documentExpirationDate = PKIdentityElement("documentExpirationDate")
  /// The document number.
  public static let documentNumber = PKIdentityElement("documentNumber")
  /// The vehicle categories that the holder may drive.
  public static let drivingPrivileges = PKIdentityElement("drivingPrivileges")
  /// The age in years.
  public static let age = PKIdentityElement("age")
  /// The date of birth.
  public static let dateOfBirth = PKIdentityElement("dateOfBirth")
  /// The sex.
  public static let sex = PKIdentityElement("sex")

  /// The statement that the holder has reached an age.
  public static func age(atLeast age: Int) -> PKIdentityElement { PKIdentityElement("age", threshold: age) }

  /// The elements with a fixed name.
  public static let named: [PKIdentityElement] = [
    givenName, familyName, portrait, address, issuingAuthority, documentIssueDate, documentExpirationDate,
    documentNumber, drivingPrivileges, age, dateOfBirth, sex,
  ]

  /// The ages that ``age(atLeast:)`` takes.
  public static let thresholds = 1...125

  /// The element with a name in Swift's spelling, such as `givenName` or `age(atLeast: 21)`; nil for any other text.
  public init?(named description: String) {
    if let element = Self.named.first(where: { $0.description == description }) {
      self = element
      return
    }
    let (prefix, suffix) = (Self.thresholdPrefix, ")")
    guard description.hasPrefix(prefix), description.hasSuffix(suffix),
      let age = Int(description.dropFirst(prefix.count).dropLast(suffix.count))
    else { return nil }
    self = .age(atLeast: age)
  }

  private static let thresholdPrefix = "age(atLeast: "

  /// The name in Swift's spelling.
  public var description: String { threshold.map { "\(Self.thresholdPrefix)\($0))" } ?? name }
}

extension PKIdentityElement: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init, Member("name", \.name), Member(optional: "threshold", \.threshold))
}

extension PKIdentityElement {
  static let licenseNameSpace = "org.iso.18013.5.1"
  static let aamvaNameSpace = "org.iso.18013.5.1.aamva"

  /// The elements of a driver's license that the element covers (PassKit, `PKIdentityDriversLicenseDescriptor`).
  var license: [AlternativeElements.Name] {
    let (iso, aamva) = names
    return iso.map { AlternativeElements.Name(Self.licenseNameSpace, $0) }
      + aamva.map { AlternativeElements.Name(Self.aamvaNameSpace, $0) }
  }

  /// The identifiers in the name space of ISO/IEC 18013-5 and in that of AAMVA.
  private var names: (iso: [String], aamva: [String]) {
    if let threshold { return ([AgeOver.identifier(for: threshold)], []) }
    return switch self {
    case .givenName: (["given_name"], ["given_name_truncation", "aka_given_name", "name_suffix", "aka_suffix"])
    case .familyName: (["family_name"], ["family_name_truncation", "aka_family_name"])
    case .portrait: (["portrait"], [])
    case .address: (["resident_address", "resident_city", "resident_country", "resident_postal_code"], [])
    case .issuingAuthority:
      (["issuing_authority", "issuing_jurisdiction", "issuing_country", "un_distinguishing_sign"], [])
    case .documentIssueDate: (["issue_date"], [])
    case .documentExpirationDate: (["expiry_date"], [])
    case .documentNumber: (["document_number"], [])
    case .drivingPrivileges: (["driving_privileges"], ["domestic_driving_privileges"])
    case .age: (["age_in_years"], [])
    case .dateOfBirth: (["birth_date"], [])
    case .sex: (["sex"], [])
    default: ([], [])
    }
  }
}
