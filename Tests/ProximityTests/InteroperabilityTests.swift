import Certificates
import Checks
import Crypto
import DocumentFixtures
import Foundation
import MobileDocument
import Primitives
import Proximity
import TestSupport
import TestTraits
import Testing

/// Sessions with an independent implementation in Python, which has the other end, through files.
@Suite("An independent implementation in person", .requiresPython, .serialized)
struct InteroperabilityTests {
  /// How the engagement reaches the reader.
  enum Way: String, CaseIterable {
    case qrCode = "qr"
    case staticHandover = "static"
    case negotiatedHandover = "negotiated"
  }

  private final class Folder {
    let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appendingPathComponent("presentment-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: folder.url.appendingPathComponent(name))
  }

  private func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.url.appendingPathComponent(name)))
  }

  private func script(_ arguments: String...) async throws -> Programs.Run {
    let script = Programs.package.appendingPathComponent("Tests/External/Interoperability/in_person.py").path
    return try await Programs.run(Programs.python, ["-B", script] + arguments, in: folder.url)
  }

  private func succeeds(_ run: Programs.Run) { #expect(run.code == 0, "\(run)") }

  private static func sent(_ effects: [SessionEffect]) throws -> [UInt8] {
    try #require(effects.lazy.compactMap { if case .send(let message) = $0 { message } else { nil } }.first)
  }

  private static func delivered(_ effects: [SessionEffect]) throws -> [UInt8] {
    try #require(
      effects.lazy.compactMap { if case .deliver(let message) = $0 { message } else { nil } }.first, "\(effects)")
  }

  private static func flipped(_ message: [UInt8]) -> [UInt8] { message.dropLast() + [(message.last ?? 0) ^ 1] }

  /// The engagement that the independent mdoc wrote, as a reader takes it.
  private func opening(_ way: Way, offer: HandoverMessage) throws -> SessionOpening {
    let bytes = try read("engagement")
    if way == .qrCode {
      return SessionOpening(try DeviceEngagement(uri: String(decoding: bytes, as: UTF8.self)), .qrCode)
    }
    let select = try HandoverMessage(bytes, .select)
    let isNegotiated = way == .negotiatedHandover
    // Both messages agree on a service, which the end that advertises names.
    #expect(try AgreedCarrier(select, request: isNegotiated ? offer : nil) == .bluetooth(.centralClient, Self.service))
    return SessionOpening(
      try DeviceEngagement(try #require(select.engagement), by: .nfc),
      .nfc(select: select.bytes, request: isNegotiated ? offer.bytes : nil))
  }

  private static var service: BluetoothUUID {
    get throws { try #require(BluetoothUUID(Array(0..<8) + [0x88] + Array(9..<16))) }
  }

  @Test("Our reader verifies two answers of its mdoc", arguments: Way.allCases, DeviceAuthenticationMethod.allCases)
  func theirMDoc(way: Way, method: DeviceAuthenticationMethod) async throws {
    let key = P256.KeyAgreement.PrivateKey()
    try await verifyTheirs(way, method, key: .p256(key), ofAuthentication: key, curve: "P-256")
  }

  @Test("Our reader verifies an answer of its mdoc in a session on X25519", arguments: Way.allCases)
  func theirMDocOnX25519(way: Way) async throws {
    let key = Curve25519.KeyAgreement.PrivateKey()
    try await verifyTheirs(way, .signature, key: .x25519(key), ofAuthentication: nil, curve: "X25519")
  }

  /// Verifies two answers of the independent mdoc, with an ephemeral key.
  private func verifyTheirs(
    _ way: Way, _ method: DeviceAuthenticationMethod, key: EphemeralPrivateKey,
    ofAuthentication readerKey: P256.KeyAgreement.PrivateKey?, curve: String
  ) async throws {
    let offer = HandoverMessage.request([.bluetooth(BluetoothCarrier(.peripheral, uuid: try Self.service))])
    try write(offer.bytes, to: "offer")
    let engaged = try await script(
      "engage", "mdoc.state", way.rawValue, "--out", "engagement", "--offer", "offer", "--curve", curve)
    succeeds(engaged)
    var reader = try ReaderSession(try opening(way, offer: offer), key: key)
    let roots = try CertificateChain.read(CertificateChain.blocks(ofFile: Array(engaged.output.utf8)))
    let verifier = DeviceResponseVerifier(trustedIssuers: roots, ephemeralReaderKey: readerKey)
    let items = Spaceport.request(["family_name", "portrait"])
    let request = try DeviceRequestDraft(version: .first, documents: [items])
      .encoded(signedFor: [], over: reader.transcript)
    for turn in 1...2 {
      try write(Self.sent(reader.receive(.send(request, isLast: false))), to: "request")
      let answered =
        turn == 2
        ? try await script("answer", "mdoc.state", "request", "--by", method.rawValue, "--out", "answer", "--last")
        : try await script("answer", "mdoc.state", "request", "--by", method.rawValue, "--out", "answer")
      succeeds(answered)
      let answer = try read("answer")
      var copy = reader
      if turn == 1 {
        let found = failures(copy.receive(.received(Self.flipped(answer))))
        #expect(found == ["proximity.encryption/authentication"])
      }
      let effects = reader.receive(.received(answer))
      #expect(effects.contains(.finish(.completed)) == (turn == 2))
      let report = await verifier.verify(
        try Self.delivered(effects), over: reader.transcript, requests: [items], at: DateTime(Date()))
      #expect(report.failed == [])
      let element = report.verified?.documents.first?.elements.first { $0.identifier == "family_name" }
      #expect(element.map { "\($0.value)" }?.contains("Müstermann") == true, "\(String(describing: report.verified))")
    }
  }

  @Test("Its reader verifies two answers of our mdoc", arguments: Way.allCases, DeviceAuthenticationMethod.allCases)
  func ourMDoc(way: Way, method: DeviceAuthenticationMethod) async throws {
    try await answerTheirs(way, method, key: .p256(P256.KeyAgreement.PrivateKey()))
  }

  @Test("Its reader verifies an answer of our mdoc in a session on X25519", arguments: Way.allCases)
  func ourMDocOnX25519(way: Way) async throws {
    try await answerTheirs(way, .signature, key: .x25519(Curve25519.KeyAgreement.PrivateKey()))
  }

  /// Lets the independent reader verify two answers, with an ephemeral key.
  private func answerTheirs(
    _ way: Way, _ method: DeviceAuthenticationMethod, key: EphemeralPrivateKey
  ) async throws {
    let port = try Spaceport.shared
    let options = try #require(RetrievalMethod.BluetoothOptions(centralClient: try Self.service))
    let engagement = try DeviceEngagement(deviceKey: key, methods: way == .qrCode ? [.bluetooth(options)] : [])
    let isNegotiated = way == .negotiatedHandover
    succeeds(try await script("offer", "offer"))
    let offer = try HandoverMessage(read("offer"), .request)
    let carrier = BluetoothCarrier(.central, uuid: isNegotiated ? nil : try Self.service)
    let select = HandoverMessage.select([.bluetooth(carrier)], engagement: engagement.bytes)
    if way != .qrCode {
      #expect(
        try AgreedCarrier(select, request: isNegotiated ? offer : nil) == .bluetooth(.centralClient, Self.service))
    }
    try write(way == .qrCode ? Array(engagement.uri.utf8) : select.bytes, to: "engagement")
    var device = DeviceSession(
      SessionOpening(
        engagement,
        way == .qrCode ? .qrCode : .nfc(select: select.bytes, request: isNegotiated ? offer.bytes : nil)), key: key)
    try write(CertificateChain.pem([try port.issuer.root.derEncoded()]), to: "root.pem")
    succeeds(
      isNegotiated
        ? try await script("ask", "reader.state", "engagement", "--out", "request", "--offer", "offer")
        : try await script("ask", "reader.state", "engagement", "--out", "request"))
    for turn in 1...2 {
      if turn == 2 { succeeds(try await script("further", "reader.state", "--out", "request")) }
      var copy = device
      let message = try read("request")
      #expect(failures(copy.receive(.received(Self.flipped(message)))) == ["proximity.encryption/authentication"])
      let request = try UnverifiedDeviceRequest(try Self.delivered(device.receive(.received(message))))
      #expect(request.version == "1.0" && !request.isSigned)
      let response = try device.answer(of: port, by: method)
      let answer = try Self.sent(device.receive(.send(response, isLast: turn == 2)))
      let altered = try SessionData(answer).data.map { SessionData(data: Self.flipped($0), status: nil).encoded }
      try write(#require(altered), to: "altered")
      let at = "\(port.now)"
      #expect(try await script("take", "reader.state", "altered", "--root", "root.pem", "--at", at).code == 1)
      try write(answer, to: "answer")
      let taken = try await script("take", "reader.state", "answer", "--root", "root.pem", "--at", at)
      succeeds(taken)
      #expect(taken.output.contains(turn == 2 ? "\"status\": 20" : "\"status\": null"), "\(taken)")
      #expect(taken.output.contains("family_name"), "\(taken)")
    }
  }
}
