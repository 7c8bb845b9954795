import MobileDocument
import Primitives
import TestSupport
import TestTraits
import Testing

@testable import Proximity

@Suite("NDEF messages")
struct NDEFTests {
  @Test func areReadAsWritten() throws {
    let records = [
      NDEFRecord(.wellKnown, type: "Hs", payload: [0x15]),
      NDEFRecord(.external, type: "a:b", identifier: "x", payload: [UInt8](repeating: 1, count: 300)),
      NDEFRecord(.empty, type: "", payload: []),
    ]
    let message = NDEFMessage(records)
    #expect(try NDEFMessage(message.bytes) == message)
    for prefix in Damage.truncations(of: message.bytes) { #expect(refusal { _ = try NDEFMessage(prefix) } == .ndef) }
    #expect(refusal { _ = try NDEFMessage(message.bytes + [0]) } == .ndef)
  }

  @Test func areBounded() throws {
    let record = NDEFRecord(.empty, type: "", payload: [])
    let most = NDEFMessage([NDEFRecord](repeating: record, count: ProximityLimits.ndefRecords))
    #expect(try NDEFMessage(most.bytes).records.count == ProximityLimits.ndefRecords)
    let more = NDEFMessage([NDEFRecord](repeating: record, count: ProximityLimits.ndefRecords + 1))
    #expect(refusal { _ = try NDEFMessage(more.bytes) } == .ndef)
    let large = NDEFMessage([NDEFRecord(.unknown, type: "", payload: [UInt8](repeating: 0, count: 0x10000))])
    #expect(refusal { _ = try NDEFMessage(large.bytes) } == .ndef)
  }

  /// Chunks that do not follow the rules, a type of unknown format, and an empty record with content.
  @Test(arguments: [
    "b50000 75 00 00 560000", "b50000 550000", "b50000 560100 09", "b50000 5e000001 07", "d5010009", "d0000101",
    "d0010009",
    "900000 d00000",
  ])
  func refuseOtherChunks(hex: String) {
    #expect(refusal { _ = try NDEFMessage(Hex.bytes(hex)) } == .ndef)
  }

  @Test(.requiresProximityVectors) func areThoseOfOtherImplementations() throws {
    let file = try Known.file("ndef-apdu.json")
    let valid = try file.list("valid")
    for entry in valid {
      let message = try NDEFMessage(entry.bytes("hex"))
      let records = try entry.list("records")
      #expect(message.records.count == records.count, "\(entry)")
      for (record, stated) in zip(message.records, records) {
        #expect(try Int(record.format.rawValue) == stated.number("tnf"), "\(entry)")
        #expect(try record.type == stated.bytes("type") && record.identifier == stated.bytes("id"), "\(entry)")
        #expect(try record.payload == stated.bytes("payload"), "\(entry)")
      }
    }
    let invalid = try file.list("invalid")
    for entry in invalid {
      let bytes = try entry.bytes("hex")
      #expect(refusal { _ = try NDEFMessage(bytes) } == .ndef, "\(entry.json["reason"]?.text ?? "")")
    }
    #expect(valid.count == 20 && invalid.count == 17)
  }
}

@Suite("Commands and responses of a card")
struct APDUTests {
  @Test func areReadAsWritten() throws {
    for data in [[], [1], [UInt8](repeating: 1, count: 255), [UInt8](repeating: 1, count: 256)] as [[UInt8]] {
      for expected in [nil, 1, 255, 256, 257, 65_535, 65_536] {
        let command = CommandAPDU(class: 0x10, 0xc3, 0x1234, data: data, expected: expected)
        #expect(try CommandAPDU(command.bytes) == command)
        // Either form is whole: never a short length beside an extended one.
        let isExtended = data.count > 255 || (expected ?? 0) > 256
        let lengths = (data.isEmpty ? 0 : 1) + (expected == nil ? 0 : 1)
        #expect(command.bytes.count == 4 + data.count + (isExtended ? 1 + 2 * lengths : lengths))
      }
    }
    let response = ResponseAPDU(0x6a82, data: [1, 2])
    #expect(try ResponseAPDU(response.bytes) == response)
  }

  /// Truncated, with data without a length, and with bytes after the end.
  @Test(arguments: [
    "", "00", "00a404", "00a4040000ff", "00a404000201", "00a404000001", "00c30000000000ff01",
    "00c300000201", "00c30000010203ff",
  ])
  func refuseOtherLengths(hex: String) {
    #expect(refusal { _ = try CommandAPDU(Hex.bytes(hex)) } == .apdu)
  }

  @Test func ofTheTagAreBounded() {
    #expect(refusal { _ = try ResponseAPDU([0x90]) } == .apdu)
    #expect(refusal { _ = try ResponseAPDU([UInt8](repeating: 0, count: 0x10003)) } == .apdu)
  }

  @Test(.requiresProximityVectors) func areThoseOfAnotherImplementation() throws {
    let cases = try Known.file("ndef-apdu.json").object("apdu").list("cases")
    for entry in cases {
      let command = try CommandAPDU(entry.bytes("hex"))
      #expect(try Int(command.class) == entry.number("cla") && Int(command.instruction) == entry.number("ins"))
      #expect(try command.parameters == entry.number("p1") << 8 | entry.number("p2"))
      #expect(try command.data == entry.bytes("data") && (command.expected ?? 0) == entry.number("le"))
      #expect(try command.bytes == entry.bytes("hex"))
    }
    #expect(cases.count == 7)
  }
}

@Suite("Records of the tag")
struct TagRecordTests {
  @Test func containersAreReadAsWritten() throws {
    for isWritable in [false, true] {
      let container = CapabilityContainer(
        maximumRead: 0x400, maximumWrite: 0x80, fileSize: 0x802, isWritable: isWritable)
      #expect(try CapabilityContainer(container.bytes) == container)
      for prefix in Damage.truncations(of: container.bytes) {
        #expect(refusal { _ = try CapabilityContainer(prefix) } == .capabilityContainer)
      }
    }
  }

  @Test(arguments: [
    "000e2000ff00ff0406e104040000ff", "000f1000ff00ff0406e104040000ff", "000f2000ff00ff0506e104040000ff",
    "000f20000e00ff0406e104040000ff", "000f2000ff00000406e104040000ff", "000f2000ff00ff0406e104000400ff",
    "000f2000ff00ff0406e10404008000",
  ])
  func otherContainersAreRefused(hex: String) {
    #expect(refusal { _ = try CapabilityContainer(Hex.bytes(hex)) } == .capabilityContainer)
  }

  @Test func ofTheServiceProtocolAreReadAsWritten() throws {
    let parameters = TagService.Parameters(waitingTime: 0x14, maximumMessage: 2048)
    #expect(try TagService.Parameters(parameters.record) == parameters)
    #expect(parameters.microseconds == 16_000)
    #expect(TagService.Parameters(waitingTime: 0, maximumMessage: 1).microseconds == 500)
    #expect(TagService.Parameters(waitingTime: 255, maximumMessage: 1).microseconds == 1_000_000)
    #expect(try TagService.selected(by: TagService.select("a")) == "a")
    #expect(try TagService.status(in: TagService.status(3)) == 3)
    for record in [
      TagService.status(0), NDEFRecord(.wellKnown, type: "Tp", payload: [0x20]),
      NDEFRecord(.wellKnown, type: "Tp", payload: [0x10, 9, 1]),
    ] {
      #expect(refusal { _ = try TagService.Parameters(record) } == .serviceRecord)
      #expect(refusal { _ = try TagService.selected(by: record) } == .serviceRecord)
    }
    #expect(refusal { _ = try TagService.status(in: TagService.select("")) } == .serviceRecord)
    #expect(
      refusal { _ = try TagService.selected(by: NDEFRecord(.wellKnown, type: "Ts", payload: [0, 1])) }
        == .serviceRecord)
  }
}

@Suite("Carrier configuration")
struct CarrierTests {
  @Test func isReadAsWritten() throws {
    for role in BluetoothCarrier.Role.allCases {
      for uuid in [nil, try Fixed.uuid(7)] {
        for address in [nil, [UInt8](repeating: 1, count: 6), [UInt8](repeating: 1, count: 7)] {
          let carrier = BluetoothCarrier(role, uuid: uuid, address: address)
          #expect(try BluetoothCarrier(carrier.payload) == carrier)
        }
      }
    }
    let nfc = NFCCarrier(try Fixed.nfc())
    #expect(try NFCCarrier(nfc.payload, from: .mdoc) == nfc)
    #expect(hexadecimal(nfc.payload) == "010301ffff0402010000")
  }

  @Test(arguments: [
    "", "021c04", "031c0001", "021c00021c00", "021c000207", "021c00020755", "021c00031b0102", "ff1c", "021c",
  ])
  func ofBluetoothIsRefused(hex: String) {
    #expect(refusal { _ = try BluetoothCarrier(Hex.bytes(hex)) } == .carrier)
  }

  @Test func skipsOtherStructures() throws {
    #expect(try BluetoothCarrier(Hex.bytes("0209aa 021c01 0316 f1ff 00 ff")).role == .central)
  }

  @Test func ofAReaderByNFCMayHaveAnyForm() throws {
    for hex in ["01", "01010102", "0101ff02ffff"] {
      #expect(try NFCCarrier(Hex.bytes(hex), from: .reader).options == nil)
      #expect(refusal { _ = try NFCCarrier(Hex.bytes(hex), from: .mdoc) } == .carrier)
    }
    #expect(refusal { _ = try NFCCarrier(Hex.bytes("02"), from: .reader) } == .carrier)
    #expect(refusal { _ = try NFCCarrier([], from: .reader) } == .carrier)
    // A field without a number, and one with too many bytes.
    for hex in ["010001 0402010000", "010301ffff 0002", "010601ffffffffff 0402010000"] {
      #expect(refusal { _ = try NFCCarrier(Hex.bytes(hex), from: .mdoc) } == .carrier)
    }
    // A limit outside its range.
    #expect(refusal { _ = try NFCCarrier(Hex.bytes("0103010001 0402010000"), from: .mdoc) } == .carrier)
  }

  @Test func namesTheSendersRole() {
    typealias Role = BluetoothCarrier.Role
    #expect(Role.central.modes(of: .mdoc) == [.centralClient] && Role.central.modes(of: .reader) == [.peripheralServer])
    #expect(Role.peripheral.modes(of: .mdoc) == [.peripheralServer])
    #expect(Role.peripheral.modes(of: .reader) == [.centralClient])
    #expect(Role.bothPreferringCentral.modes(of: .mdoc) == [.centralClient, .peripheralServer])
  }
}

@Suite("Handover messages")
struct HandoverTests {
  static func engagement() throws -> [UInt8] {
    try DeviceEngagement(deviceKey: Fixed.deviceKey(), methods: []).bytes
  }

  static func select(_ carriers: HandoverMessage.Carrier...) throws -> HandoverMessage {
    .select(carriers, engagement: try engagement())
  }

  @Test func areReadAsWritten() throws {
    let carriers: [HandoverMessage.Carrier] = [
      .bluetooth(BluetoothCarrier(.central, uuid: try Fixed.uuid(1))), .nfc(NFCCarrier(try Fixed.nfc())),
    ]
    let select = HandoverMessage.select(carriers, engagement: try Self.engagement())
    #expect(try HandoverMessage(select.bytes, .select) == select)
    let request = HandoverMessage.request(carriers)
    #expect(try HandoverMessage(request.bytes, .request) == request)
    #expect(refusal { _ = try HandoverMessage(select.bytes, .request) } == .handover)
    #expect(refusal { _ = try HandoverMessage(request.bytes, .select) } == .handover)
    for prefix in Damage.truncations(of: select.bytes) {
      #expect(refusal { _ = try HandoverMessage(prefix, .select) } == .ndef)
    }
  }

  private static func message(
    version: UInt8 = 0x15, references: [NDEFRecord]? = nil, records: [NDEFRecord]? = nil
  ) throws -> [UInt8] {
    let usual = [NDEFRecord(.wellKnown, type: "ac", payload: [1, 1, 0x30, 1, 4] + "mdoc".utf8)]
    let engagement = NDEFRecord(
      .external, type: "iso.org:18013:deviceengagement", identifier: "mdoc", payload: try Self.engagement())
    let carrier = NDEFRecord(
      .media, type: BluetoothCarrier.type, identifier: "0", payload: BluetoothCarrier(.central).payload)
    let first = NDEFRecord(.wellKnown, type: "Hs", payload: [version] + NDEFMessage(references ?? usual).bytes)
    return NDEFMessage([first] + (records ?? [carrier, engagement])).bytes
  }

  @Test func findRecordsByIdentifierAndRefuseMissingOnes() throws {
    func code(_ message: [UInt8]) -> ProximityError.Code? { refusal { _ = try HandoverMessage(message, .select) } }
    #expect(try code(Self.message()) == nil)
    #expect(try code(Self.message(version: 0x25)) == .handover)
    #expect(try code(Self.message(version: 0x12)) == nil)
    func reference(_ payload: [UInt8]) -> [NDEFRecord] { [NDEFRecord(.wellKnown, type: "ac", payload: payload)] }
    #expect(try code(Self.message(references: reference([1, 1, 0x31, 0]))) == .handover)
    #expect(try code(Self.message(references: reference([1, 1, 0x30, 0]))) == .handover)
    #expect(try code(Self.message(references: reference([1, 9, 0x30]))) == .handover)
    #expect(try code(Self.message(references: reference([1, 1, 0x30, 1, 4] + "mdoc".utf8 + [7]))) == .handover)
    let engagement = NDEFRecord(
      .external, type: "iso.org:18013:deviceengagement", identifier: "mdoc", payload: try Self.engagement())
    let carrier = NDEFRecord(.media, type: BluetoothCarrier.type, identifier: "0", payload: [2, 0x1c, 1])
    #expect(try code(Self.message(records: [carrier])) == .handover)
    #expect(try code(Self.message(records: [carrier, carrier, engagement])) == .handover)
    #expect(try code(Self.message(records: [engagement, carrier])) == nil)
    var other = engagement
    other.payload = []
    let twice = NDEFRecord(.external, type: "iso.org:18013:deviceengagement", identifier: "b", payload: [])
    #expect(try code(Self.message(records: [carrier, engagement, twice])) == .handover)
    let many = [NDEFRecord](repeating: reference([1, 1, 0x30, 1, 4] + "mdoc".utf8)[0], count: 17)
    #expect(try code(Self.message(references: many)) == .handover)
    #expect(try code(Self.message(references: Array(many.prefix(16)))) == nil)
    let unknown = NDEFRecord(.media, type: "application/x", identifier: "0", payload: [])
    #expect(try HandoverMessage(Self.message(records: [unknown, engagement]), .select).carriers == [.unknown])
  }

  @Test func agreeOnACarrier() throws {
    let one = try Fixed.uuid(1)
    let two = try Fixed.uuid(2)
    func bluetooth(_ role: BluetoothCarrier.Role, _ uuid: BluetoothUUID?) -> HandoverMessage.Carrier {
      .bluetooth(BluetoothCarrier(role, uuid: uuid))
    }
    func agreed(_ select: [HandoverMessage.Carrier], _ request: [HandoverMessage.Carrier]?) throws -> AgreedCarrier? {
      let select = HandoverMessage.select(select, engagement: try Self.engagement())
      return try? AgreedCarrier(select, request: request.map { HandoverMessage.request($0) })
    }
    // Static: one UUID, in the select message.
    #expect(try agreed([bluetooth(.central, one)], nil) == .bluetooth(.centralClient, one))
    #expect(try agreed([bluetooth(.peripheral, one)], nil) == .bluetooth(.peripheralServer, one))
    #expect(try agreed([bluetooth(.bothPreferringPeripheral, one)], nil) == .bluetooth(.centralClient, one))
    #expect(try agreed([bluetooth(.central, nil)], nil) == nil)
    #expect(try agreed([], nil) == nil)
    let nfc = HandoverMessage.Carrier.nfc(NFCCarrier(try Fixed.nfc()))
    #expect(try agreed([nfc, bluetooth(.central, one)], nil) == .nfc(Fixed.nfc()))
    // Negotiated: the UUID of the end that advertises.
    let both = [bluetooth(.bothPreferringCentral, two)]
    #expect(try agreed([bluetooth(.central, nil)], both) == .bluetooth(.centralClient, two))
    #expect(try agreed([bluetooth(.peripheral, one)], both) == .bluetooth(.peripheralServer, one))
    #expect(try agreed([bluetooth(.peripheral, nil)], both) == nil)
    #expect(try agreed([bluetooth(.central, nil)], [bluetooth(.peripheral, nil)]) == nil)
    // A mode that the reader did not offer.
    #expect(try agreed([bluetooth(.central, one)], [bluetooth(.central, two)]) == nil)
    #expect(try agreed([bluetooth(.peripheral, one)], [bluetooth(.peripheral, two)]) == nil)
    #expect(try agreed([nfc], both) == nil)
    #expect(try agreed([nfc], both + [.nfc(NFCCarrier(nil))]) == .nfc(Fixed.nfc()))
    // The mdoc chooses one.
    #expect(try agreed([bluetooth(.central, nil), nfc], both + [nfc]) == nil)
  }

  @Test(.requiresProximityVectors) func ofOtherImplementationsAreRead() throws {
    var count = 0
    for entry in try Known.entries(of: "nfc.json") {
      for (member, kind, list) in [
        ("handoverSelect", .select, "handoverSelectRecords"), ("handoverRequest", .request, "handoverRequestRecords"),
      ] as [(String, HandoverMessage.Kind, String)] where entry[member] != nil {
        let bytes = try entry.bytes(member)
        let message = try HandoverMessage(bytes, kind)
        #expect(message.bytes == bytes)
        try Self.compare(message, with: entry[list] == nil ? entry.list("records") : entry.list(list), "\(entry)")
        count += 1
      }
    }
    #expect(count == 7)
    for (name, kind) in [("handover-select", .select), ("handover-request", .request)]
      as [(String, HandoverMessage.Kind)]
    {
      let entry = try Known.entry(name, of: "annex-d.json")
      let message = try HandoverMessage(entry.bytes("hex"), kind)
      try Self.compare(message, with: entry.list("records"), name)
    }
    let annexD = try AgreedCarrier(
      HandoverMessage(Known.entry("handover-select", of: "annex-d.json").bytes("hex"), .select),
      request: HandoverMessage(Known.entry("handover-request", of: "annex-d.json").bytes("hex"), .request))
    guard case .bluetooth(.centralClient, let uuid) = annexD else {
      Issue.record("another carrier: \(annexD)")
      return
    }
    #expect(hexadecimal(uuid.reversed) == "c832fff6d26fa0beb34dfcd555d4823a")
  }

  private static func compare(_ message: HandoverMessage, with stated: [Vector], _ name: String) throws {
    let records = try NDEFMessage(message.bytes).records
    #expect(records.count == stated.count, "\(name)")
    var engagements: [[UInt8]] = []
    var carriers: [HandoverMessage.Carrier] = []
    for (record, stated) in zip(records, stated) {
      #expect(try Int(record.format.rawValue) == stated.number("tnf"), "\(name)")
      #expect(try String(decoding: record.type, as: UTF8.self) == stated.text("type"), "\(name)")
      #expect(String(decoding: record.identifier, as: UTF8.self) == stated["id"]?.text ?? "", "\(name)")
      #expect(try record.payload == stated.bytes("payload"), "\(name)")
      switch try stated.text("type") {
      case "iso.org:18013:deviceengagement": engagements.append(record.payload)
      case BluetoothCarrier.type: carriers.append(.bluetooth(try BluetoothCarrier(record.payload)))
      case NFCCarrier.type:
        carriers.append(.nfc(try NFCCarrier(record.payload, from: message.kind == .select ? .mdoc : .reader)))
      case "application/vnd.wfa.nan": carriers.append(.unknown)
      default: break
      }
    }
    #expect(message.engagement == engagements.first && message.carriers == carriers, "\(name)")
    if let engagement = message.engagement { _ = try DeviceEngagement(engagement, by: .nfc) }
  }

  @Test(.requiresProximityVectors) func areWrittenIntoTheTranscript() throws {
    for name in ["static-handover-apdus", "negotiated-handover-apdus"] {
      let entry = try Known.entry(name, of: "nfc.json")
      let select = try entry.bytes("handoverSelect")
      let request = entry["handoverRequest"] == nil ? nil : try entry.bytes("handoverRequest")
      let transcript = SessionTranscript(
        deviceEngagement: [1], readerKeyBytes: [2], handover: .nfc(select: select, request: request))
      #expect(
        try transcript.encoded.suffix(entry.bytes("SessionTranscript.Handover").count)
          == entry.bytes("SessionTranscript.Handover")[...])
    }
  }
}
