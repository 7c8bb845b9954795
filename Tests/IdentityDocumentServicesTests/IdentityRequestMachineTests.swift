import Crypto
import MobileDocument
import Primitives
import TestSupport
import Testing
import X509

@testable import Certificates
@testable import Checks
@testable import DevicePlatform
@testable import PassKit

private typealias Event = IdentityRequestMachine.Event

@Suite("An app's request for a document")
struct IdentityRequestMachineTests {
  private static let merchant = "merchant.example.rides"
  private let now = DateTime(secondsSince1970: 1_757_955_600)
  private let app = RequestingApp(
    name: "Rides", teamIdentifier: "RIDES12345", merchantIdentifiers: [merchant],
    elements: [.givenName, .age(atLeast: 18), .age])

  private func request(
    _ elements: [PKIdentityElement] = [.givenName], nonce: Int = 32, merchant: String = merchant
  ) -> IdentityRequest {
    IdentityRequest(
      description: IdentityDescription(
        documentType: Primitives.DocumentType.drivingLicence,
        elements: elements.map { IdentityDescription.Element($0, .willNotStore) }),
      nonce: [UInt8](repeating: 7, count: nonce), merchantIdentifier: merchant)
  }

  private func authority(_ number: UInt8) throws -> CertificateAuthority {
    try CertificateAuthority(
      name: CertificateName(commonName: "Portal Root"), contact: "https://portal.example",
      terms: terms(number),
      signer: fixedKey(number))
  }

  private func terms(_ serial: UInt8) -> CertificateAuthority.Terms {
    CertificateAuthority.Terms(
      from: now, until: now.adding(days: 10), serialNumber: [UInt8](repeating: serial, count: 16))
  }

  private func certificate(
    of merchant: String = merchant, team: String = "RIDES12345", by authority: CertificateAuthority
  ) throws -> [UInt8] {
    let key = try fixedKey(9)
    return try authority.merchant(
      MerchantCertificateRequest(MerchantCertificateRequest.make(merchantIdentifier: merchant, signer: key)),
      organization: "Rides", teamIdentifier: team, terms: terms(3)
    ).derEncoded()
  }

  /// Plays events, and returns the failed checks and the errors that the app gets.
  private func play(_ events: [Event]) -> (machine: IdentityRequestMachine, failures: [String], errors: [String]) {
    var machine = IdentityRequestMachine()
    var failures: [String] = []
    var errors: [String] = []
    for effect in events.flatMap({ machine.receive($0) }) {
      switch effect {
      case .record(let checks): failures += checks.filter { $0.status == .failed }.map(\.name)
      case .fail(_, let error): errors.append("\(error)")
      default: break
      }
    }
    return (machine, failures, errors)
  }

  private func requested(_ request: IdentityRequest? = nil, isBusy: Bool = false) -> Event {
    .requested(request ?? self.request(), by: app, isBusy: isBusy)
  }

  private func certified() throws -> Event {
    let portal = try authority(1)
    return .certificate(.certificate(try certificate(by: portal), root: try portal.root), at: now)
  }

  private static let agreement: [Event] = [.shown(agreeing: ["face-id"]), .interacted(control: "face-id")]

  @Test("Withholds Wallet's answer unless the person agreed in the consent sheet on the screen")
  func withholds() throws {
    let start = [requested(), try certified()]
    let envelope = Event.answered(1, .envelope([9]), at: now)
    for events: [Event] in [
      [], [.shown(agreeing: ["face-id"])], [.shown(agreeing: ["face-id"]), .interacted(control: "Cancel")],
      Self.agreement + [.shown(agreeing: ["face-id"])], Self.agreement.reversed(),
    ] {
      var machine = IdentityRequestMachine()
      let effects = (start + events + [envelope]).flatMap { machine.receive($0) }
      #expect(effects.contains { if case .withhold = $0 { true } else { false } })
      #expect(!effects.contains { if case .reply = $0 { true } else { false } })
      #expect(play(start + events + [envelope]).errors == ["unknown"] && machine.isIdle)
    }
    #expect(play(start + Self.agreement + [envelope]).errors == [])
  }

  @Test("Asks Wallet with the key of the certificate, and returns its envelope")
  func answered() throws {
    var machine = IdentityRequestMachine()
    _ = machine.receive(requested())
    var asked: WalletRequest?
    for case .askWallet(1, let request) in machine.receive(try certified()) { asked = request }
    #expect(asked?.organization == "Rides" && asked?.teamIdentifier == "RIDES12345" && asked?.recipientKey.count == 65)
    for event in Self.agreement { _ = machine.receive(event) }
    var envelope: [UInt8]?
    for case .reply("Rides", let found) in machine.receive(.answered(1, .envelope([9]), at: now)) { envelope = found }
    #expect(envelope == [9] && machine.isIdle)
  }

  @Test("Refuses each request that PassKit does not take")
  func refusals() {
    let rows: [(IdentityRequest, String, String)] = [
      (request(nonce: 0), "identity-request.nonce/missing", "invalidNonce"),
      (request(nonce: 65), "identity-request.nonce/too-long", "invalidNonce"),
      (request([]), "identity-request.elements", "noElementsRequested"),
      (
        IdentityRequest(description: nil, nonce: [1], merchantIdentifier: Self.merchant), "identity-request.elements",
        "noElementsRequested"
      ),
      (request([.age(atLeast: 0)]), "identity-request.age/out-of-range", "invalidElement"),
      (request([.age(atLeast: 21), .age]), "identity-request.age/both-kinds", "invalidElement"),
      (request([.portrait]), "identity-request.entitlement/element", "invalidElement"),
      (request(merchant: "merchant.other"), "identity-request.entitlement/merchant", "unknown"),
    ]
    for (request, check, error) in rows {
      let (machine, failures, errors) = play([requested(request)])
      #expect(failures == [check] && errors == [error] && machine.isIdle)
    }
    #expect(play([requested(request(nonce: 64))]).failures == [])
    #expect(play([requested(request([.age(atLeast: 125)]))]).failures == [])
  }

  @Test("Refuses each encryption certificate that is not the merchant's")
  func certificates() throws {
    let (portal, other) = (try authority(1), try authority(2))
    let right = try certificate(by: portal)
    let rows: [(Event, String)] = [
      (.certificate(.none, at: now), "missing"),
      (.certificate(.certificate([1, 2], root: try portal.root), at: now), "malformed"),
      (.certificate(.certificate(right, root: try other.root), at: now), "untrusted"),
      (.certificate(.certificate(right, root: try portal.root), at: now.adding(days: 11)), "outdated"),
      (
        .certificate(.certificate(try certificate(of: "merchant.other", by: portal), root: try portal.root), at: now),
        "other"
      ),
      (
        .certificate(.certificate(try certificate(team: "OTHER67890", by: portal), root: try portal.root), at: now),
        "other"
      ),
    ]
    for (event, reason) in rows {
      let (machine, failures, errors) = play([requested(), event])
      #expect(failures == ["identity-request.certificate/\(reason)"] && errors == ["unknown"] && machine.isIdle)
    }
    #expect(play([requested(), .certificate(.unreachable, at: now)]).errors == ["networkUnavailable"])
  }

  @Test("Takes one request at a time, and none while a website asks")
  func oneAtATime() throws {
    let second = play([requested(), try certified(), requested()])
    #expect(second.errors == ["requestAlreadyInProgress"] && second.machine.isAsking)
    #expect(play([requested(isBusy: true)]).errors == ["requestAlreadyInProgress"])
  }

  @Test("Ends with an error when the person declines, the app cancels, or Wallet does not answer")
  func ends() throws {
    let start = [requested(), try certified()]
    #expect(play(start + [.answered(1, .declined, at: now)]).errors == ["cancelled"])
    #expect(play(start + [.cancelled(by: "Rides")]).errors == ["cancelled"])
    #expect(play([requested(), .cancelled(by: "Rides"), try certified()]).errors == ["cancelled"])
    #expect(play(start + [.cancelled(by: "Other")]).errors == [])
    #expect(play(start + [.answered(1, .unavailable(), at: now)]).errors == ["notSupported"])
    #expect(play(start + [.answered(1, .failed, at: now)]).errors == ["unknown"])
    #expect(play(start + [.walletRemoved]).errors == ["notSupported"])
  }

  @Test("Does not pass an answer on after the certificate that it was sealed for has ended")
  func certificateEnds() throws {
    let start = [requested(), try certified()] + Self.agreement
    func envelope(after days: Int) -> Event { .answered(1, .envelope([9]), at: now.adding(days: days)) }
    let late = play(start + [envelope(after: 11)])
    #expect(late.failures == ["identity-request.certificate/outdated"] && late.errors == ["unknown"])
    #expect(late.machine.isIdle)
    #expect(play(start + [envelope(after: 9)]).errors == [])
  }

  @Test("Tells the person why Wallet could not present the document")
  func unavailable() throws {
    var machine = IdentityRequestMachine()
    for event in [requested(), try certified()] { _ = machine.receive(event) }
    var notices: [PresentmentNotice?] = []
    for case .endWallet(let notice) in machine.receive(.answered(1, .unavailable(reason: "it has expired"), at: now)) {
      notices.append(notice)
    }
    #expect(notices.map(\.?.message) == ["Wallet did not answer: it has expired."])
    #expect(notices.map(\.?.kind) == [.didNotAnswer(app: "Wallet")])
  }

  @Test("Ignores Wallet's answer to an earlier request")
  func lateAnswer() throws {
    let start = [requested(), try certified(), .cancelled(by: "Rides"), requested(), try certified()]
    let (machine, _, errors) = play(start + [.answered(1, .declined, at: now)])
    #expect(machine.isAsking && errors == ["cancelled"])
  }
}
