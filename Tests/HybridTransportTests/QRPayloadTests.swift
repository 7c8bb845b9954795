import CBOR
import HybridTransport
import Primitives
import TestSupport
import TestTraits
import Testing

@Suite("QR code payload")
struct QRPayloadTests {
  private static func payload() throws -> QRPayload {
    QRPayload(
      identityKey: try Session.key(1).publicKey, secret: [UInt8](repeating: 7, count: 16), createdAt: Session.time)
  }

  private static func map(_ changes: [UInt64: CBORValue?]) throws -> [UInt8] {
    let honest = try CBORReader.read(payload().cbor)
    guard case .map(var entries) = CBORValue(honest) else { return [] }
    for key in changes.keys.sorted() {
      entries.removeAll { $0.key == .unsigned(key) }
      if case .some(.some(let value)) = changes[key] { entries.append(.init(.unsigned(key), value)) }
    }
    return CBORValue.map(entries).deterministic.encoded
  }

  @Test func readsWhatItWrites() throws {
    let payload = try Self.payload()
    let read = try QRPayload(uri: payload.uri)
    #expect(read.cbor == payload.cbor)
    #expect(read.hint == .presentation)
    #expect(read.createdAt == Session.time)
    #expect(payload.uri.hasPrefix("FIDO:/"))
  }

  /// An entry in place of the honest one, or its absence, and the refusal.
  struct Change: Sendable, CustomTestStringConvertible {
    let key: UInt64
    let value: CBORValue?
    let code: HybridError.Code

    init(_ key: UInt64, _ value: CBORValue?, _ code: HybridError.Code) {
      self.key = key
      self.value = value
      self.code = code
    }

    var testDescription: String { "key \(key): \(code.rawValue)" }
  }

  @Test(arguments: [
    Change(0, .bytes([2]), .qrPoint), Change(0, nil, .qrMissingKey), Change(0, .unsigned(1), .qrWrongType),
    Change(1, .bytes([1]), .qrSecret), Change(1, nil, .qrMissingKey), Change(2, .text(""), .qrWrongType),
    Change(3, .unsigned(.max), .qrWrongType), Change(4, .text(""), .qrWrongType),
    Change(5, .unsigned(1), .qrWrongType), Change(6, .text(""), .qrWrongType),
    Change(6, .array([.text("")]), .qrWrongType),
  ])
  func refusesAMalformedEntry(change: Change) throws {
    let bytes = try Self.map([change.key: change.value])
    #expect(refusal { _ = try QRPayload(cbor: bytes) } == change.code)
  }

  @Test func ignoresUnknownKeysAndReadsAnUnknownHintAsSignIn() throws {
    let payload = try QRPayload(cbor: Self.map([5: .text("xx"), 65535: .unsigned(0)]))
    #expect(payload.hint == .getAssertion)
  }

  @Test func refusesKeysOutOfOrder() throws {
    var bytes = try Self.map([7: .unsigned(1), 8: .unsigned(1)])
    bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: [8, 1, 7, 1])
    #expect(refusal { _ = try QRPayload(cbor: bytes) } == .qrCBOR)
  }

  @Test func offersTheTunnelUnlessItsChannelsLackIt() throws {
    #expect(try QRPayload(cbor: Self.map([6: .array([.unsigned(0), .unsigned(1)])])).offersTunnel)
    #expect(try QRPayload(cbor: Self.map([6: .boolean(true)])).offersTunnel)
    #expect(try !QRPayload(cbor: Self.map([6: .array([.unsigned(1)])])).offersTunnel)
  }

  @Test func doesNotPrintItsSecret() throws {
    let payload = try Self.payload()
    #expect("\(payload)" == "QRPayload")
    var dumped = ""
    dump(payload, to: &dumped)
    #expect(!dumped.contains("7"))
  }

  @Test(.requiresHybridVectors) func readsTheCodesOfRealClients() throws {
    for entry in try Known.entries("real", of: "qr.json") {
      let cbor = try QRPayload.cbor(ofURI: entry.text("url"))
      #expect(cbor == (try entry.bytes("cbor")), "\(entry)")
      #expect(QRPayload.prefix + DecimalDigits.encode(cbor) == (try entry.text("url")), "\(entry)")
      let payload = try QRPayload(uri: entry.text("url"))
      let parsed = try entry.object("parsed")
      #expect([UInt8](payload.identityKey.x963Representation) == (try parsed.bytes("peerX963")), "\(entry)")
      #expect(payload.secret == (try parsed.bytes("secret")), "\(entry)")
      #expect(payload.knownServices == UInt64(try parsed.number("knownDomains")), "\(entry)")
      #expect(payload.createdAt?.secondsSince1970 == Int64(try parsed.number("timestamp")), "\(entry)")
      #expect(payload.supportsLinking == parsed["linking"]?.boolean, "\(entry)")
      #expect(payload.hint?.rawValue == (try parsed.text("hint")), "\(entry)")
      #expect(payload.offersTunnel, "\(entry)")
      // The model drops unknown keys; without one, it writes what it read.
      if entry["map"]?["65535"] == nil { #expect(payload.uri == (try entry.text("url")), "\(entry)") }
    }
  }

  @Test(.requiresHybridVectors) func refusesTheKnownBadTexts() throws {
    let codes: [String: HybridError.Code] = [
      "prefix": .qrPrefix, "emptyOrCbor": .qrCBOR, "nonDigit": .qrDigit, "length": .qrLength, "range": .qrRange,
      "cbor": .qrCBOR,
    ]
    for entry in try Known.entries("urlErrors", of: "qr.json") {
      let text = try entry.text("url")
      #expect(refusal { _ = try QRPayload(uri: text) } == codes[try entry.text("error")], "\(entry)")
    }
  }

  @Test(.requiresHybridVectors) func agreesWithChromiumAboutItsCases() throws {
    for entry in try Known.entries("chromiumKnownCases", of: "qr.json") {
      let text = try entry.text("url")
      guard entry["valid"]?.boolean == true else {
        #expect(refusal { _ = try QRPayload(uri: text) } != nil, "\(entry)")
        continue
      }
      let payload = try QRPayload(uri: text)
      if let hint = entry["expect"]?["hint"]?.text {
        #expect((payload.hint ?? .getAssertion).rawValue == hint, "\(entry)")
      }
      if let known = entry["expect"]?["knownDomains"]?.number {
        #expect(payload.knownServices ?? 0 == UInt64(known), "\(entry)")
      }
      if let linking = entry["expect"]?["linking"]?.boolean { #expect(payload.supportsLinking == linking, "\(entry)") }
    }
  }

  @Test(.requiresHybridVectors) func readsTheSamplesForDigitalCredentials() throws {
    for entry in try Known.entries("generated", of: "qr.json") {
      for member in ["url", "lowercaseUrl"] {
        let text = try entry.text(member)
        #expect(try QRPayload.cbor(ofURI: text) == entry.bytes("cbor"), "\(entry)")
        let isRead = refusal { _ = try QRPayload(uri: text) } == nil
        #expect(isRead == entry["valid"]?.boolean, "\(entry)")
      }
    }
  }
}
