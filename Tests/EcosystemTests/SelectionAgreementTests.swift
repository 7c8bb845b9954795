import DevicePlatform
import Foundation
import IdentityDocumentServices
import MobileDocument
import TestSupport
import Testing

@testable import Storage

@Suite("The selection by index")
struct SelectionAgreementTests {
  private static let devices = 500
  private static let requestsOfDevice = 6

  private static func install(_ apps: [InstalledApp], in database: RegistrationDatabase, draw: inout SeededGenerator)
    throws
  {
    for app in apps {
      // In many devices the entitlement has changed since the documents were registered.
      let isUpdate = Bool.random(using: &draw)
      try database.install(
        app.name, entitlement: isUpdate ? ["photo"] : app.entitledDocumentTypes,
        status: app.isAuthorized
          ? .authorized : [.notAuthorized, .notDetermined, .notSupported].randomElement(using: &draw) ?? .notSupported)
      for registered in app.registrations {
        if Bool.random(using: &draw) {
          try database.add(
            registration("earlier", authorities: [Data([1])], identifier: registered.documentIdentifier), of: app.name)
        }
        try database.add(registered, of: app.name)
      }
      if isUpdate { try database.install(app.name, entitlement: app.entitledDocumentTypes, status: .authorized) }
    }
  }

  @Test("the selection by index agrees with a linear search and with the selection rule")
  func agreement() throws {
    var drawing = DeviceDrawing(readers: try DrawnReaders(), draw: SeededGenerator(seed: 3))
    var reasons: Set<SelectorFinding> = []
    var offers: Set<Int> = []
    for device in 0..<Self.devices {
      let apps = drawing.device()
      let database = try RegistrationDatabase(at: nil)
      try Self.install(apps, in: database, draw: &drawing.draw)
      for number in 0..<Self.requestsOfDevice {
        let request = drawing.request()
        let moment = drawing.moment()
        let reading = Selection.AuthorityReading.allCases.randomElement(using: &drawing.draw) ?? .root
        let silent = Set(apps.map(\.name).filter { _ in Int.random(in: 0..<8, using: &drawing.draw) == 0 })
        let selection = Selection.decide(apps, for: request, at: moment, reading: reading, silentApps: silent)
        #expect(
          try database.selection(for: request, at: moment, reading: reading, silentApps: silent) == selection,
          "device \(device), request \(number)")
        let oracle = SelectionOracle(request: request, moment: moment, reading: reading, silentApps: silent)
        // By bytes: two of the names are canonically equivalent.
        var answers: [Data: SelectionOracle.Answer] = [:]
        for offer in selection.offered {
          answers[Data(offer.app.utf8)] = .offered(offer.registrations.map(\.documentIdentifier))
          offers.insert(offer.registrations.count)
        }
        for hidden in selection.hidden {
          answers[Data(hidden.app.utf8)] = .hidden(hidden.finding, registration: hidden.registration)
          reasons.insert(hidden.finding)
        }
        for app in apps {
          #expect(
            answers[Data(app.name.utf8)] == oracle.answer(of: app),
            "device \(device), request \(number), \(app.name)")
        }
      }
    }
    // Every possible result occurred.
    #expect(reasons == Set(SelectorFinding.all))
    #expect(offers.isSuperset(of: 1...4))
  }

  @Test("the selection by index gives the same facts as a linear search")
  func facts() throws {
    var drawing = DeviceDrawing(readers: try DrawnReaders(), draw: SeededGenerator(seed: 4))
    for _ in 0..<150 {
      let apps = drawing.device()
      let database = try RegistrationDatabase(at: nil)
      try Self.install(apps, in: database, draw: &drawing.draw)
      let criteria = SelectionCriteria(drawing.request(), at: drawing.moment())
      let expected = apps.map { $0.facts(for: criteria) }
      for facts in try database.facts(for: criteria) {
        let same = try #require(expected.first { $0.name.utf8.elementsEqual(facts.name.utf8) })
        if facts.isAuthorized { #expect(facts == same) } else { #expect(!same.isAuthorized) }
      }
    }
  }

  @Test("only documents of a complete document set are offered")
  func usable() throws {
    typealias Request = ISO18013MobileDocumentRequest
    func asked(_ types: String...) -> Request.DocumentRequestSet {
      Request.DocumentRequestSet(requests: types.map { Request.DocumentRequest(documentType: $0, namespaces: [:]) })
    }
    let request = Request(
      presentmentRequests: [
        Request.PresentmentRequest(documentRequestSets: [asked("licence")], isMandatory: true),
        Request.PresentmentRequest(documentRequestSets: [asked("photo", "passport")], isMandatory: false),
      ], requestAuthentications: [])
    let licences = [registration("licence", identifier: "1"), registration("licence", identifier: "2")]
    let photo = registration("photo", identifier: "3")
    let database = try RegistrationDatabase(at: nil)
    try database.install("Wallet", entitlement: ["licence", "photo", "passport"], status: .authorized)
    try database.add(licences + [photo], of: "Wallet")
    var selection = try database.selection(for: request, at: DrawnReaders.now)
    #expect(selection.offered.map(\.registrations) == [licences.map(SelectedRegistration.init)])
    let passport = registration("passport", identifier: "4")
    try database.add(passport, of: "Wallet")
    selection = try database.selection(for: request, at: DrawnReaders.now)
    #expect(selection.offered.map(\.registrations) == [(licences + [photo, passport]).map(SelectedRegistration.init)])
  }
}
