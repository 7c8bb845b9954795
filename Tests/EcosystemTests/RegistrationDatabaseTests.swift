import Foundation
import IdentityDocumentServices
import Primitives
import SimulationKernel
import Testing

@testable import Storage

@Suite("The system's registrations")
struct RegistrationDatabaseTests {
  private static let dates: [Date?] = [
    nil, Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), Date(timeIntervalSince1970: 1_757_955_600.123_456_7),
    .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: -0.0),
  ]

  @Test("registrations are read back in the order of their identifiers, in memory and in a file")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let keys = (0..<6).map { Data(repeating: UInt8($0), count: $0 * 10) }
    let registrations = Self.dates.enumerated().map { number, date in
      registration(
        "type \(number % 2) é", issuers: Array(keys.shuffled().prefix(number)),
        authorities: [keys[5], keys[2], keys[5]],
        identifier: "\(9 - number) \u{1F697}", until: date)
    }
    let paths = [nil, folder.file("device")]
    for path in paths {
      let database = try RegistrationDatabase(at: path)
      try database.install("Wallet", entitlement: ["b", "a", "b"], status: .notDetermined)
      for registration in registrations { try database.add(registration, of: "Wallet") }
      #expect(try database.registrations(of: "Wallet") == registrations.reversed())
      #expect(try database.entitlement(of: "Wallet") == ["a", "b"])
      #expect(try database.status(of: "Wallet") == .notDetermined)
      try database.checkIntegrity()
      try database.close()
    }
    let again = try RegistrationDatabase(at: folder.file("device"))
    #expect(try again.registrations(of: "Wallet") == registrations.reversed())
    #expect(try again.appNames() == ["Wallet"])
    try again.checkIntegrity()
  }

  @Test("a registration replaces the same app's registration with its identifier")
  func replaced() throws {
    let database = try RegistrationDatabase(at: nil)
    let first = registration("a", issuers: [Data([1])], authorities: [Data([2]), Data([3])], until: .distantFuture)
    let second = registration("b", issuers: [Data([4]), Data([5])], authorities: [])
    for app in ["Wallet", "Agency"] {
      try database.install(app, entitlement: ["a"], status: .authorized)
      #expect(try !database.add(first, of: app))
    }
    #expect(try database.add(second, of: "Agency"))
    #expect(try database.registrations(of: "Wallet") == [first])
    #expect(try database.registrations(of: "Agency") == [second])
    try database.checkIntegrity()
    try database.remove("1", of: "Agency")
    try database.remove("1", of: "Agency")
    try database.remove("1", of: "Nobody")
    #expect(try database.registrations(of: "Agency").isEmpty)
    #expect(try database.registrations(of: "Wallet") == [first])
    try database.checkIntegrity()
  }

  @Test("the next change of a selection is the earliest invalidation of a requested type that is not past")
  func nextChange() throws {
    let now = DateTime(secondsSince1970: 1_757_955_600)
    let database = try RegistrationDatabase(at: nil)
    func next() throws -> Int64? {
      typealias Request = ISO18013MobileDocumentRequest
      let asked = Request.DocumentRequest(documentType: "a", namespaces: [:], issuerKeyIdentifiers: [])
      let request = Request(
        presentmentRequests: [
          Request.PresentmentRequest(
            documentRequestSets: [Request.DocumentRequestSet(requests: [asked])], isMandatory: true)
        ], requestAuthentications: [])
      return try database.nextChange(for: request, after: now).map { $0.secondsSince1970 - now.secondsSince1970 }
    }
    for app in ["Wallet", "Agency"] { try database.install(app, entitlement: ["a", "b"], status: .authorized) }
    #expect(try next() == nil)
    let dated: [(app: String, type: String, seconds: Double?)] = [
      ("Wallet", "a", nil), ("Wallet", "a", -5), ("Wallet", "a", 0.5), ("Wallet", "b", 7), ("Wallet", "a", 90),
      ("Agency", "a", 60.5), ("Agency", "a", 1e30),
    ]
    for (number, entry) in dated.enumerated() {
      let until = entry.seconds.map { now.date.addingTimeInterval($0) }
      try database.add(registration(entry.type, identifier: "\(number)", until: until), of: entry.app)
    }
    #expect(try next() == 60)
    try database.remove("5", of: "Agency")
    #expect(try next() == 90)
  }

  @Test("registrations survive an update of their app and are removed with it")
  func installed() throws {
    let database = try RegistrationDatabase(at: nil)
    let held = [registration("a", authorities: [Data([1])]), registration("b", identifier: "2")]
    try database.install("Wallet", entitlement: ["a", "b"], status: .notDetermined)
    try database.setStatus(.authorized, of: "Wallet")
    try database.setStatus(.authorized, of: "Nobody")
    try database.add(held, of: "Wallet")
    try database.install("Wallet", entitlement: ["b", "c"], status: .notAuthorized)
    #expect(try database.status(of: "Wallet") == .authorized)
    #expect(try database.entitlement(of: "Wallet") == ["b", "c"])
    #expect(try database.registrations(of: "Wallet") == held)
    try database.checkIntegrity()
    try database.install("Agency", entitlement: [], status: .notSupported)
    #expect(try database.appNames() == ["Agency", "Wallet"])
    try database.uninstall("Wallet")
    try database.uninstall("Wallet")
    #expect(try database.appNames() == ["Agency"] && database.status(of: "Wallet") == nil)
    #expect(try database.registrations(of: "Wallet").isEmpty && database.entitlement(of: "Wallet").isEmpty)
    #expect(throws: SimulationError(.appNotInstalled, "Wallet is not installed")) {
      try database.add(held[0], of: "Wallet")
    }
    try database.checkIntegrity()
  }

  @Test("registrations that are added together are stored all or not at all")
  func together() throws {
    let database = try RegistrationDatabase(at: nil)
    try database.install("Wallet", entitlement: [], status: .authorized)
    // SQLite stores NaN as NULL, and the column is NOT NULL.
    let unusable = registration(identifier: "2", until: Date(timeIntervalSinceReferenceDate: .nan))
    #expect(throws: StorageError.self) { try database.add([registration(), unusable], of: "Wallet") }
    #expect(try database.registrations(of: "Wallet").isEmpty)
  }

  @Test("a full disk keeps the stored registrations, and more are added once there is space", arguments: [false, true])
  func full(isInFile: Bool) throws {
    let folder = try TemporaryFolder()
    let database = try RegistrationDatabase(at: isInFile ? folder.file("device") : nil)
    try database.install("Wallet", entitlement: [], status: .authorized)
    try database.add(registration(), of: "Wallet")
    let large = registration(
      issuers: (0..<1_000).map { Data(repeating: UInt8($0 & 255), count: 60) + Data([UInt8($0 >> 8)]) }, identifier: "2"
    )
    try database.setFull(true)
    let error = #expect(throws: StorageError.self) { try database.add(large, of: "Wallet") }
    #expect(error?.code == .space)
    #expect(try database.registrations(of: "Wallet") == [registration()])
    try database.checkIntegrity()
    try database.setFull(false)
    try database.add(large, of: "Wallet")
    #expect(try database.registrations(of: "Wallet") == [registration(), large])
    try database.checkIntegrity()
  }
}
