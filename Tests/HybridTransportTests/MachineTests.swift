import Checks
import HybridTransport
import Testing

@Suite("Machines of both ends")
struct MachineTests {
  private static func desktop() throws -> ClientPlatformMachine {
    ClientPlatformMachine(secrets: try Session.desktopSecrets())
  }

  @Test(
    arguments: [
      (.unsupported, .noBluetoothSupport, "hybrid.bluetooth/unsupported"),
      (.permissionDenied, .permissionDenied, "hybrid.bluetooth/permission"),
    ] as [(ClientPlatformMachine.BluetoothState, HybridFailure, String)])
  func showNoQRCodeWithoutBluetooth(
    bluetooth: ClientPlatformMachine.BluetoothState, failure: HybridFailure, check: String
  ) throws {
    var desktop = try Self.desktop()
    let effects = desktop.receive(.started(at: Session.time, bluetooth: bluetooth))
    #expect(effects.last == .finish(.failure(failure)))
    guard case .record(let results)? = effects.first else { return #expect(Bool(false)) }
    #expect(results.map(\.name) == [check])
    #expect(effects.count == 2)
  }

  @Test func showTheQRCodeOnceBluetoothIsOn() throws {
    var desktop = try Self.desktop()
    #expect(
      desktop.receive(.started(at: Session.time, bluetooth: .off))
        == [.progress(.bluetoothIsOff), .setTimer(.qrCode)])
    let effects = desktop.receive(.bluetooth(.on))
    #expect(desktop.state == .showingQR)
    // The time of the dialog runs from its start.
    #expect(!effects.contains(.setTimer(.qrCode)))
    #expect(desktop.receive(.bluetooth(.off)).contains(.finish(.failure(.lostPower))))
  }

  @Test func reportThatBluetoothStayedOff() throws {
    var desktop = try Self.desktop()
    _ = desktop.receive(.started(at: Session.time, bluetooth: .off))
    #expect(desktop.receive(.timedOut(.qrCode)).last == .finish(.failure(.lostPower)))
  }

  @Test func takeTheQRCodeAwayWhenItIsCancelled() throws {
    var desktop = try Self.desktop()
    _ = desktop.receive(.started(at: Session.time, bluetooth: .on))
    #expect(desktop.receive(.cancelled) == [.stopScanning, .hideQRCode, .finish(.failure(.cancelled))])
    #expect(desktop.receive(.cancelled).isEmpty)
  }

  @Test func withdrawTheRequestWhenThePageAborts() throws {
    var session = try Session()
    session.answer = nil
    session.run()
    #expect(session.phone.state == .consent)
    session.tell(.cancelled)
    session.settle()
    #expect(session.outcomes == [.failure(.cancelled)])
    #expect(session.phoneEffects.contains(.withdraw))
    #expect(session.phoneOutcomes == [.withdrawn])
    session.tell(.answered(Session.answer))
    session.settle()
    #expect(session.outcomes.count == 1 && session.phone.state == .finished)
  }

  @Test func dropALateAnswer() throws {
    var session = try Session()
    session.answer = nil
    session.run()
    var desktop = session.desktop
    _ = desktop.receive(.cancelled)
    let answer = session.phone.receive(.answered(Session.answer))
    guard case .send(let message)? = answer.first else { return #expect(Bool(false)) }
    #expect(desktop.state == .locallyShutdown)
    #expect(desktop.receive(.received(message)).isEmpty)
    #expect(desktop.receive(.timedOut(.shutdown)) == [.closeTunnel])
    #expect(desktop.state == .finished)
  }

  @Test func withdrawTheRequestAfterItsTime() throws {
    var session = try Session()
    session.answer = nil
    session.run()
    session.tell(AuthenticatorMachine.Event.timedOut(.request))
    session.settle()
    #expect(session.phoneEffects.suffix(3) == [.withdraw, .closeTunnel, .finish(.timedOut)])
    #expect(session.outcomes == [.failure(.transportError)])
  }

  @Test func reportTheStatusOfARefusal() throws {
    var desktop = try Self.desktop()
    var phone = AuthenticatorMachine(secrets: try Session.phoneSecrets())
    let shown = desktop.receive(.started(at: Session.time, bluetooth: .on))
    let uri = shown.compactMap { if case .showQRCode(let uri) = $0 { uri } else { nil } }[0]
    _ = phone.receive(.scanned(uri))
    let refused = phone.receive(.tunnelRefused(status: 409))
    #expect(refused.last == .finish(.failed))
    guard case .record(let results)? = refused.first else { return #expect(Bool(false)) }
    #expect(results[0].name == "hybrid.tunnel/refused")
    #expect(results[0].evidence == [CheckResult.Evidence("status", expected: "101", found: "409")])
  }

  @Test func connectOnceAndIgnoreLaterAdverts() throws {
    var first = try Session()
    first.tell(.started(at: Session.time, bluetooth: .on))
    first.settle()
    let data = first.phoneEffects.compactMap { if case .advertise(let data) = $0 { data } else { nil } }[0]
    #expect(first.desktop.receive(.heard(advertisingData: data)).isEmpty)
    // The same QR code again: its second advert is not that of the first phone, and nothing is reused.
    var desktop = try Self.desktop()
    _ = desktop.receive(.started(at: Session.time, bluetooth: .on))
    #expect(desktop.receive(.heard(advertisingData: [1, 2, 3])).isEmpty)
    #expect(desktop.receive(.heard(advertisingData: [1, 2, 3])).isEmpty)
    let effects = desktop.receive(.heard(advertisingData: data))
    #expect(desktop.state == .connecting)
    guard case .record(let results)? = effects.first else { return #expect(Bool(false)) }
    #expect(results[0].evidence == [CheckResult.Evidence("ignored adverts, hybrid.advert-structure", found: "1")])
  }

  @Test func refuseAMalformedQRCode() throws {
    var phone = AuthenticatorMachine(secrets: try Session.phoneSecrets())
    let effects = phone.receive(.scanned("FIDO:/00x"))
    guard case .record(let results)? = effects.first else { return #expect(Bool(false)) }
    #expect(results[0].name == "hybrid.qr-code/malformed")
    #expect(results[0].message == "the QR code is malformed: not a decimal digit")
    #expect(
      results[0].evidence.flatMap(\.named).map { "\($0.name)=\($0.value)" }
        == ["error=hybrid.qr-digit", "place=digit 3"])
  }

  @Test func acceptAPhoneThatOffersPasskeysToo() throws {
    var session = try Session(
      offer: PostHandshake(features: [.ctap, .digitalCredentials], description: [0xa0]))
    session.run()
    #expect(session.phoneOutcomes == [.answered])
  }
}
