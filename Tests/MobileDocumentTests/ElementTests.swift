import CBOR
import DocumentFixtures
import TestSupport
import Testing

@testable import Certificates
@testable import Checks
@testable import MobileDocument
@testable import Primitives
@testable import StatusLists

@Suite("Data elements")
struct ElementTests {
  struct Row: Sendable, CustomStringConvertible {
    let description: String
    let type: DataElementType
    let right: [CBORValue]
    let wrong: [CBORValue]
  }

  private static func date(_ text: String) -> CBORValue { .tagged(1004, .text(text)) }
  private static func moment(_ text: String) -> CBORValue { .tagged(0, .text(text)) }
  private static func privilege(_ members: [(String, CBORValue)]) -> CBORValue { .array([.textMap(members)]) }

  static let rows = [
    Row(
      description: "Latin text", type: .latinText,
      right: [.text(""), .text("Müller-Lüdenscheidt"), .text(String(repeating: "ÿ", count: 150))],
      wrong: [.text(String(repeating: "a", count: 151)), .text("Ł"), .text("王"), .bytes([0x41]), .null]),
    Row(description: "text", type: .text, right: [.text(""), .text("王小明")], wrong: [.bytes([]), .unsigned(1), .null]),
    Row(
      description: "full date", type: .fullDate, right: [date("1990-01-31"), date("2000-02-29")],
      wrong: [
        .text("1990-01-31"), date("1990-02-30"), date("1990-1-31"), moment("1990-01-31T00:00:00Z"),
        .tagged(0, .text("1990-01-31")), .tagged(1004, .unsigned(1)), .tagged(1005, .text("1990-01-31")),
      ]),
    Row(
      description: "date", type: .date, right: [date("1990-01-31"), moment("1990-01-31T00:00:00Z")],
      wrong: [.text("1990-01-31"), .unsigned(0), moment("1990-01-31")]),
    Row(
      description: "date and time", type: .dateTime, right: [moment("2025-09-15T17:00:00Z")],
      wrong: [
        date("2025-09-15"), moment("2025-09-15T17:00:00.5Z"), moment("2025-09-15T17:00:00+01:00"),
        .text("2025-09-15T17:00:00Z"), .tagged(1, .unsigned(0)),
      ]),
    Row(
      description: "unsigned", type: .unsigned, right: [.unsigned(0), .unsigned(.max)],
      wrong: [.negative(0), .text("1"), .float(1), .boolean(true)]),
    Row(
      description: "boolean", type: .boolean, right: [.boolean(true), .boolean(false)],
      wrong: [.unsigned(1), .text("true"), .null, .undefined]),
    Row(
      description: "picture", type: .picture,
      right: [.bytes([0xff, 0xd8, 0xff]), .bytes(Hex.bytes("0000000c6a50202000")), .bytes(Hex.bytes("ff4fff5100"))],
      wrong: [.bytes([]), .bytes([0xff, 0xd8]), .bytes(Array("\u{89}PNG".utf8)), .text("ÿØÿ"), .null]),
    Row(description: "bytes", type: .bytes, right: [.bytes([]), .bytes([1])], wrong: [.text(""), .array([])]),
    Row(
      description: "country", type: .countryCode, right: [.text("US"), .text("XX")],
      wrong: [.text("us"), .text("USA"), .text("U"), .text("Ü"), .text("U1"), .unsigned(1)]),
    Row(
      description: "subdivision", type: .subdivisionCode, right: [.text("US-CA"), .text("AT-9"), .text("GB-ENG")],
      wrong: [.text("CA"), .text("US-"), .text("US-CALI"), .text("US-CA-1"), .text("us-CA"), .text("-CA"), .text("")]),
    Row(
      description: "one of some words", type: .oneOf(["T", "N"]), right: [.text("T"), .text("N")],
      wrong: [.text("t"), .text(""), .text("TN"), .boolean(true)]),
    Row(
      description: "driving privileges", type: .drivingPrivileges,
      right: [
        .array([]), privilege([("vehicle_category_code", .text("B"))]),
        privilege([
          ("vehicle_category_code", .text("B")), ("issue_date", date("2020-01-01")),
          ("expiry_date", date("2030-01-01")),
          ("codes", .array([])), ("org.example", .null),
        ]),
      ],
      wrong: [
        .null, .map([]), .array([.text("B")]), privilege([]), privilege([("issue_date", date("2020-01-01"))]),
        privilege([("vehicle_category_code", .unsigned(1))]),
        privilege([("vehicle_category_code", .text("B")), ("issue_date", .text("2020-01-01"))]),
        privilege([("vehicle_category_code", .text("B")), ("expiry_date", moment("2020-01-01T00:00:00Z"))]),
      ]),
    Row(
      description: "countries", type: .array(of: .countryCode),
      right: [.array([]), .array([.text("DE"), .text("AT")])],
      wrong: [.text("DE"), .array([.text("DE"), .text("deu")]), .array([.null])]),
    Row(
      description: "anything in an array", type: .array(of: .any), right: [.array([.null, .text("")])],
      wrong: [.text(""), .map([])]),
    Row(description: "a structure", type: .structure, right: [.null, .text(""), .map([]), .array([])], wrong: []),
  ]

  @Test("each type takes its own values and no others", arguments: rows)
  func types(_ row: Row) {
    for value in row.right { #expect(row.type.problem(with: value) == nil) }
    for value in row.wrong { #expect(row.type.problem(with: value)?.isEmpty == false) }
  }

  @Test(
    "dates that do not exist, have an offset or another form are distinguished",
    arguments: [
      (.fullDate, date("1990-02-30"), .impossible), (.fullDate, .text("1990-02-30"), .impossible),
      (.fullDate, .text("1990-02-28"), nil), (.fullDate, .text("N/A"), nil), (.fullDate, date("N/A"), .impossible),
      (.date, moment("2020-02-03T00:00:00+05:00"), .offset), (.date, .text("2020-02-03T00:00:00+05:00"), .offset),
      (.date, moment("2020-02-03T00:00:00.5Z"), nil), (.date, moment("2020-02-03T25:00:00Z"), .impossible),
      (.dateTime, .text("2020-02-03T24:00"), .impossible), (.dateTime, .text("2020-02-03T23:00"), nil),
      (.text, .text("1990-02-30"), nil), (.structure, .textMap([("birth_date", date("1990-02-30"))]), .impossible),
      (.drivingPrivileges, privilege([("issue_date", .text("2020-13-01"))]), .impossible),
      (.drivingPrivileges, privilege([("expiry_date", moment("2020-02-03T00:00:00-01:00"))]), .offset),
      (.drivingPrivileges, privilege([("issue_date", .text("2020-12-01"))]), nil),
    ] as [(DataElementType, CBORValue, DataElementType.DateFault?)])
  func dates(_ type: DataElementType, _ value: CBORValue, _ fault: DataElementType.DateFault?) {
    #expect(type.dateFault(in: value) == fault)
    if let fault { #expect(type.problem(with: value) == fault.message) }
  }

  /// Every element of the driving licence's name space with its type and whether it is mandatory (ISO/IEC 18013-5
  /// second edition draft, table 20), families left out.
  static let table: [(String, DataElementType, Bool)] = [
    ("family_name", .latinText, true), ("given_name", .latinText, true), ("birth_date", .fullDate, true),
    ("issue_date", .date, true), ("expiry_date", .date, true), ("issuing_country", .countryCode, true),
    ("issuing_authority", .latinText, true), ("document_number", .latinText, true), ("portrait", .picture, true),
    ("driving_privileges", .drivingPrivileges, true), ("un_distinguishing_sign", .text, true),
    ("administrative_number", .latinText, false), ("sex", .unsigned, false), ("height", .unsigned, false),
    ("weight", .unsigned, false),
    (
      "eye_colour",
      .oneOf(["black", "blue", "brown", "dichromatic", "grey", "green", "hazel", "maroon", "pink", "unknown"]), false
    ),
    (
      "hair_colour", .oneOf(["bald", "black", "blond", "brown", "grey", "red", "auburn", "sandy", "white", "unknown"]),
      false
    ),
    ("birth_place", .latinText, false), ("resident_address", .latinText, false),
    ("portrait_capture_date", .dateTime, false), ("age_in_years", .unsigned, false),
    ("age_birth_year", .unsigned, false),
    ("issuing_jurisdiction", .subdivisionCode, false), ("nationality", .countryCode, false),
    ("resident_street", .latinText, false), ("resident_city", .latinText, false), ("resident_state", .latinText, false),
    ("resident_postal_code", .latinText, false), ("resident_country", .countryCode, false),
    ("family_name_national_character", .text, false), ("given_name_national_character", .text, false),
    ("signature_usual_mark", .picture, false),
  ]

  @Test("the driving licence's table is complete")
  func drivingLicence() throws {
    let nameSpace = "org.iso.18013.5.1"
    #expect(DataElementCatalogue.identifiers(in: nameSpace).sorted() == Self.table.map(\.0).sorted())
    for (identifier, type, isMandatory) in Self.table {
      let definition = try #require(DataElementCatalogue.definition(nameSpace: nameSpace, identifier: identifier))
      #expect(definition.type == type && definition.isMandatory == isMandatory, "\(identifier)")
    }
  }

  @Test("families of elements are recognized by their names")
  func families() throws {
    let nameSpace = "org.iso.18013.5.1"
    for age in [0, 18, 21, 99] {
      let definition = DataElementCatalogue.definition(nameSpace: nameSpace, identifier: AgeOver.identifier(for: age))
      #expect(definition?.type == .boolean && definition?.label == "Age over \(age)")
    }
    #expect(
      DataElementCatalogue.definition(nameSpace: "eu.europa.ec.av.1", identifier: "age_over_18")?.type == .boolean)
    #expect(
      DataElementCatalogue.definition(nameSpace: nameSpace, identifier: "biometric_template_face")?.type == .bytes)
    for identifier in ["age_over_100", "age_over_1", "biometric", "Family_name", "", "family_name "] {
      #expect(DataElementCatalogue.definition(nameSpace: nameSpace, identifier: identifier) == nil)
    }
    #expect(DataElementCatalogue.definition(nameSpace: "org.example", identifier: "age_over_18") == nil)
  }

  @Test("no name space lists an element twice, and each has a label")
  func unique() {
    for (name, elements) in DataElementCatalogue.nameSpaces {
      #expect(Set(elements.map(\.identifier)).count == elements.count, "\(name)")
      #expect(elements.allSatisfy { !$0.label.isEmpty })
      #expect(DataElementCatalogue.knows(nameSpace: name))
    }
    #expect(!DataElementCatalogue.knows(nameSpace: "org.example"))
  }

  @Test("an unknown element is displayed by its identifier")
  func labels() {
    #expect(DataElementCatalogue.label(nameSpace: "org.iso.18013.5.1", identifier: "family_name") == "Last Name")
    #expect(DataElementCatalogue.label(nameSpace: "org.example", identifier: "family_name") == "family_name")
    #expect(DataElementCatalogue.label(documentType: "org.iso.18013.5.1.mDL") == "Driver's License")
    #expect(DataElementCatalogue.label(documentType: "org.example") == "org.example")
  }
}
