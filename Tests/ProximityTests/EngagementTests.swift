import CBOR
import Crypto
import Primitives
import QRCode
import TestSupport
import TestTraits
import Testing

@testable import Proximity

@Suite("Device engagement")
struct EngagementTests {
  @Test(arguments: [nil, DeviceEngagement.Capabilities(readerAuthAll: true, extendedRequest: false)])
  func readsWhatItWrites(capabilities: DeviceEngagement.Capabilities?) throws {
    for key in try Fixed.keys() {
      let engagement = try DeviceEngagement(
        deviceKey: key, methods: [.bluetooth(try Fixed.bluetooth()), .nfc(try Fixed.nfc())], capabilities: capabilities)
      let read = try DeviceEngagement(uri: engagement.uri)
      #expect(read.bytes == engagement.bytes)
      #expect(read.methods == engagement.methods && read.hasUsableMethod)
      #expect(read.capabilities == capabilities)
      #expect(read.version == (capabilities == nil ? .first : .second))
      #expect(read.originInfos == (capabilities == nil ? nil : []))
      #expect(read.deviceKey.bytes == key.taggedPublicKey && read.deviceKey.value.curve == key.curve)
      #expect(read.deviations.isEmpty)
    }
  }

  @Test func fitsAQRCode() throws {
    let uri = try Fixed.engagement().uri
    #expect(uri.hasPrefix("mdoc:") && uri.utf8.count < 200)
    _ = try QRSymbol(uri)
  }

  /// An entry in place of the honest one, or its absence, and the refusal; nil where it is accepted.
  struct Change: Sendable, CustomTestStringConvertible {
    let key: Int
    let value: CBORValue?
    let code: ProximityError.Code?

    init(_ key: Int, _ value: CBORValue?, _ code: ProximityError.Code?) {
      self.key = key
      self.value = value
      self.code = code
    }

    var testDescription: String { "key \(key): \(code?.rawValue ?? "accepted")" }
  }

  private static func method(_ items: CBORValue...) -> CBORValue { .array([.array(items)]) }
  private static func bluetooth(_ entries: [(Int, CBORValue)]) -> CBORValue {
    method(.unsigned(2), .unsigned(1), .map(entries.map { .init(.integer($0.0), $0.1) }))
  }
  private static let uuid = CBORValue.bytes([UInt8](repeating: 0x8a, count: 16))
  private static func nfc(_ command: Int, _ response: Int) -> CBORValue {
    method(
      .unsigned(1), .unsigned(1),
      .map([.init(.integer(0), .integer(command)), .init(.integer(1), .integer(response))]))
  }

  @Test(arguments: [
    Change(0, nil, .engagementMissingKey), Change(0, .unsigned(1), .engagementWrongType),
    Change(0, .text("2.0"), .engagementVersion), Change(0, .text("1"), .engagementVersion),
    Change(0, .text("1."), .engagementVersion), Change(0, .text("1.x"), .engagementVersion),
    Change(0, .text("1.0.0"), .engagementVersion), Change(0, .text("1.-1"), .engagementVersion),
    Change(0, .text("1.9999"), .engagementVersion), Change(0, .text("01.0"), .engagementVersion),
    Change(0, .text("1.9"), nil),
    Change(1, nil, .engagementMissingKey), Change(1, .array([.unsigned(1)]), .engagementWrongType),
    Change(1, .array([.unsigned(1), .bytes([1])]), .engagementWrongType),
    Change(1, .array([.unsigned(1), .tagged(24, .bytes([0xa0]))]), .engagementKey),
    Change(2, nil, .engagementNoMethod), Change(2, .array([]), .engagementNoMethod),
    Change(2, .text(""), .engagementWrongType), Change(2, method(.unsigned(2)), .engagementOptions),
    Change(2, method(.unsigned(2), .unsigned(1)), .engagementOptions),
    Change(2, method(.unsigned(2), .unsigned(1), .text("")), .engagementOptions),
    Change(2, method(.unsigned(3), .unsigned(1), .map([]), .null), .engagementOptions),
    Change(2, method(.unsigned(9), .unsigned(1), .map([])), nil),
    Change(2, method(.unsigned(2), .unsigned(2)), nil),
    Change(2, method(.unsigned(3), .unsigned(1), .map([])), nil),
    Change(2, .array([CBORValue](repeating: .array([.unsigned(9), .unsigned(1)]), count: 2)), .engagementMethods),
    Change(2, .array((0..<17).map { .array([.unsigned(10 + $0), .unsigned(1)]) }), .engagementMethods),
    Change(2, bluetooth([(0, .boolean(false)), (1, .boolean(false))]), .engagementOptions),
    Change(2, bluetooth([(0, .boolean(true)), (1, .boolean(false))]), .engagementOptions),
    Change(2, bluetooth([(0, .boolean(true)), (1, .boolean(false)), (11, uuid)]), .engagementOptions),
    Change(2, bluetooth([(0, .boolean(true)), (1, .boolean(false)), (10, uuid), (11, uuid)]), .engagementOptions),
    Change(2, bluetooth([(0, .boolean(true)), (1, .boolean(false)), (10, .bytes([1]))]), .engagementOptions),
    Change(2, bluetooth([(0, .boolean(true)), (10, uuid)]), .engagementOptions),
    Change(2, bluetooth([(0, .boolean(true)), (1, .boolean(true)), (10, uuid), (11, uuid)]), nil),
    Change(
      2, bluetooth([(0, .boolean(true)), (1, .boolean(false)), (10, uuid), (20, .bytes([1]))]), .engagementOptions),
    Change(
      2, bluetooth([(0, .boolean(true)), (1, .boolean(false)), (10, uuid), (21, .unsigned(256))]), .engagementOptions),
    Change(
      2, bluetooth([(0, .boolean(true)), (1, .boolean(false)), (10, uuid), (21, .unsigned(0))]), .engagementOptions),
    Change(2, nfc(255, 256), nil), Change(2, nfc(65_535, 65_536), nil), Change(2, nfc(254, 256), .engagementOptions),
    Change(2, nfc(255, 255), .engagementOptions), Change(2, nfc(65_536, 256), .engagementOptions),
    Change(2, nfc(255, 65_537), .engagementOptions), Change(3, .text("server retrieval"), nil),
    // Below version 1.1 keys 5 and 6 have no meaning.
    Change(5, .text("x"), nil), Change(6, .text("x"), nil), Change(24, .unsigned(1), nil), Change(-7, .null, nil),
  ])
  func refusesAMalformedEntry(change: Change) throws {
    let bytes = try Fixed.changed(Fixed.engagement().bytes, [change.key: change.value])
    #expect(refusal { _ = try DeviceEngagement(bytes, by: .qrCode) } == change.code)
  }

  @Test(arguments: [
    Change(5, .text("x"), .engagementWrongType), Change(5, .array([.text("x")]), .engagementWrongType),
    Change(5, .array([.map([])]), nil), Change(6, .text("x"), .engagementWrongType),
    Change(6, .map([.init(.integer(2), .boolean(false))]), .engagementCapability),
    Change(6, .map([.init(.integer(3), .boolean(false))]), .engagementCapability),
    Change(6, .map([.init(.integer(3), .unsigned(1))]), .engagementWrongType),
    Change(6, .map([.init(.integer(4), .boolean(false)), .init(.integer(9), .text(""))]), nil),
  ])
  func refusesAMalformedEntryOfTheSecondEdition(change: Change) throws {
    let whole = try Fixed.engagement(capabilities: .init(readerAuthAll: true)).bytes
    let bytes = try Fixed.changed(whole, [change.key: change.value])
    #expect(refusal { _ = try DeviceEngagement(bytes, by: .qrCode) } == change.code)
  }

  @Test func refusesAnotherCipherSuite() throws {
    let key = CBORValue.tagged(24, .bytes(try Fixed.deviceKey().publicKeyBytes))
    let bytes = try Fixed.changed(Fixed.engagement().bytes, [1: .array([.unsigned(2), key])])
    #expect(refusal { _ = try DeviceEngagement(bytes, by: .qrCode) } == .engagementCipherSuite)
  }

  @Test func acceptsDeviationsAndNamesThem() throws {
    let second = try Fixed.engagement(capabilities: .init(readerAuthAll: true)).bytes
    let withoutOrigins = try DeviceEngagement(Fixed.changed(second, [5: nil]), by: .qrCode)
    #expect(withoutOrigins.deviations == [.originsMissing])
    let byNFC = try DeviceEngagement(Fixed.engagement().bytes, by: .nfc)
    #expect(byNFC.deviations == [.methodsByNFC] && byNFC.methods.isEmpty)
    let uuid = CBORValue.bytes([UInt8](repeating: 0, count: 16))
    let variant = try Fixed.changed(
      second, [2: Self.bluetooth([(0, .boolean(true)), (1, .boolean(false)), (10, uuid)])])
    #expect(try DeviceEngagement(variant, by: .qrCode).deviations == [.uuidVariant])
  }

  @Test func readsACompressedDeviceKey() throws {
    let key = try fixedAgreementKey(3).publicKey
    let compressed = Array(key.compressedRepresentation)
    let value = CBORValue.map([
      .init(.integer(1), .integer(2)), .init(.integer(-1), .integer(1)),
      .init(.integer(-2), .bytes(Array(compressed.dropFirst()))),
      .init(.integer(-3), .boolean(compressed[0] == 3)),
    ])
    let security = CBORValue.array([.unsigned(1), .tagged(24, .bytes(value.encoded))])
    let bytes = try Fixed.changed(Fixed.engagement().bytes, [1: security])
    let engagement = try DeviceEngagement(bytes, by: .qrCode)
    #expect(engagement.deviceKey.value == EphemeralKey(key))
    // The identifier is that of the bytes as received, not of another encoding of the key.
    let ident = DerivedIdentifier.bluetoothIdent
    #expect(
      ident.value(deviceKeyBytes: engagement.deviceKey.bytes)
        != ident.value(deviceKeyBytes: engagement.deviceKey.value.taggedBytes))
  }

  @Test(
    arguments: [
      ("MDOC:", nil), ("mdoc://", .uriScheme), ("mdoc", .uriScheme), ("", .uriScheme), ("mdl:", .uriScheme),
      ("mdoc: ", .uriEncoding), ("mdoc:=", .uriEncoding),
    ] as [(String, ProximityError.Code?)])
  func comparesTheSchemeAndRefusesOthers(start: String, code: ProximityError.Code?) throws {
    let content = try Fixed.engagement().uri.dropFirst(DeviceEngagement.scheme.count)
    #expect(refusal { _ = try DeviceEngagement(uri: start + content) } == code)
  }

  @Test func boundsTheText() throws {
    let long = DeviceEngagement.scheme + String(repeating: "A", count: ProximityLimits.uriCharacters)
    #expect(refusal { _ = try DeviceEngagement(uri: long) } == .uriSize)
    let padded = try Fixed.engagement().uri + "="
    #expect(refusal { _ = try DeviceEngagement(uri: padded) } == .uriEncoding)
    #expect(refusal { _ = try DeviceEngagement(uri: DeviceEngagement.scheme) } == .engagementCBOR)
  }

  @Test func boundsItsSize() throws {
    let items = CBORValue.array((0..<260).map { .unsigned($0) })
    let bytes = try Fixed.changed(Fixed.engagement().bytes, [99: items])
    #expect(refusal { _ = try DeviceEngagement(bytes, by: .nfc) } == .engagementCBOR)
    let large = try Fixed.changed(Fixed.engagement().bytes, [99: .bytes([UInt8](repeating: 0, count: 3000))])
    #expect(refusal { _ = try DeviceEngagement(large, by: .nfc) } == .engagementCBOR)
  }

  @Test func refusesEveryTruncation() throws {
    for prefix in Damage.truncations(of: try Fixed.engagement().bytes) {
      #expect(refusal { _ = try DeviceEngagement(prefix, by: .qrCode) } == .engagementCBOR)
    }
  }

  @Test(.requiresProximityVectors) func ofOtherImplementationsIsReadOrRefused() throws {
    var counts: [String: Int] = [:]
    for entry in try Known.entries(of: "engagement.json") {
      let expected = try entry.text("expect")
      counts[expected, default: 0] += 1
      let read = Result { try DeviceEngagement(uri: try entry.text("uri")) }
      guard expected != "reject" else {
        #expect(throws: ProximityError.self, "\(entry)") { try read.get() }
        continue
      }
      let engagement = try read.get()
      #expect(engagement.bytes == (try entry.bytes("hex")), "\(entry)")
      #expect(engagement.uri == (try entry.text("uri")), "\(entry)")
      #expect(engagement.hasUsableMethod == (expected == "valid"), "\(entry)")
      let decoded = try entry.object("decoded")
      #expect(engagement.version.description == (try decoded.text("version")), "\(entry)")
      let methods = try decoded.list("methods")
      #expect(engagement.methods.count == methods.count)
      for (method, stated) in zip(engagement.methods, methods) { try Self.compare(method, stated) }
      let ident = DerivedIdentifier.bluetoothIdent.value(deviceKeyBytes: engagement.deviceKey.bytes)
      #expect(hexadecimal(ident) == (try entry.text("bleIdent")), "\(entry)")
    }
    #expect(counts == ["valid": 10, "no usable method": 1, "reject": 6])
  }

  private static func compare(_ method: RetrievalMethod, _ stated: Vector) throws {
    let type = try stated.number("type")
    let version = try stated.number("version")
    guard type == 2, version == 1 else {
      #expect(method == .unknown(type: UInt64(type), version: UInt64(version)))
      return
    }
    guard case .bluetooth(let options) = method else {
      Issue.record("\(stated) is another method: \(method)")
      return
    }
    let members = try stated.object("options")
    #expect(options.peripheralServer.map { hexadecimal($0.bytes) } == members["10"]?.text)
    #expect(options.centralClient.map { hexadecimal($0.bytes) } == members["11"]?.text)
  }
}

extension DeviceEngagement {
  /// Indicates whether a reader of this project can use one of the methods.
  fileprivate var hasUsableMethod: Bool {
    methods.contains { method in
      switch method {
      case .nfc, .bluetooth: true
      case .wifiAware, .unknown: false
      }
    }
  }
}
