import Primitives

@testable import Proximity

extension UntrustedParser {
  /// The text of an mdoc's QR code.
  static let proximityQRCode = UntrustedParser(
    "proximity-qr-code",
    seeds: { ProximitySeeds.engagements.map { Array($0.uri.utf8) } + Seeds.proximityQRCodes }
  ) { bytes in
    let engagement = try DeviceEngagement(uri: text(bytes))
    try BrokenPromise.unless(
      (try? DeviceEngagement(uri: engagement.uri))?.bytes == engagement.bytes, "written and read again it is another")
    return engagement.bytes.count + engagement.methods.count
  }

  /// A session message of either end.
  static let proximityMessage = UntrustedParser(
    "proximity-message",
    seeds: {
      [
        SessionEstablishment.encoded(readerKeyBytes: ProximitySeeds.key(2).taggedPublicKey, data: [1, 2, 3]),
        SessionData(data: [1, 2, 3], status: nil).encoded, SessionData(data: nil, status: .termination).encoded,
      ] + Seeds.annexD("session-establishment", "session-data", "session-termination")
    }
  ) { bytes in
    if let establishment = try? SessionEstablishment(bytes) {
      let written = SessionEstablishment.encoded(
        readerKeyBytes: establishment.readerKey.bytes, data: establishment.data)
      try BrokenPromise.unless(
        (try? SessionEstablishment(written))?.data == establishment.data, "written and read again it is another")
      return written.count
    }
    let message = try SessionData(bytes)
    try BrokenPromise.unless((try? SessionData(message.encoded)) == message, "written and read again it is another")
    return message.encoded.count
  }

  /// The first message of a reader, as an mdoc takes it: only a message that decrypts is delivered.
  static let proximitySession = UntrustedParser(
    "proximity-session", seeds: { [ProximitySeeds.establishment] }
  ) { bytes in
    var device = DeviceSession(ProximitySeeds.opening, key: ProximitySeeds.key(1))
    let effects = device.receive(.received(bytes))
    let delivered = effects.compactMap { if case .deliver(let request) = $0 { request } else { nil } }
    try BrokenPromise.unless(
      delivered.isEmpty || delivered == [ProximitySeeds.request], "something else was opened than was sealed")
    try BrokenPromise.unless(
      delivered.isEmpty == (device.state == .finished), "a session without a request goes on")
    guard let request = delivered.first else { throw NoValue() }
    return request.count
  }

  /// The parts of a message over Bluetooth: each has a byte with its length before it.
  static let proximityParts = UntrustedParser(
    "proximity-parts",
    seeds: {
      [
        inPieces(MessageParts.split([UInt8](repeating: 7, count: 60), unit: 23)),
        [1, 0, 2, 1, 9, 2, 0, 8],
      ]
    }
  ) { bytes in
    var parts = MessageParts()
    var frames = ChannelFrames()
    var size = 0
    for part in pieces(of: bytes) {
      size += try parts.append(part)?.count ?? 0
      _ = try? frames.append(part)
    }
    return size
  }

  /// An NDEF message, as each of those that a reader or a tag reads.
  static let proximityNDEF = UntrustedParser(
    "proximity-ndef",
    seeds: {
      [
        ProximitySeeds.select.bytes, ProximitySeeds.handoverRequest.bytes,
        NDEFMessage([ProximitySeeds.parameters.record]).bytes,
        NDEFMessage([TagService.select(TagService.handover)]).bytes, NDEFMessage([TagService.status(0)]).bytes,
      ] + Seeds.handovers
    }
  ) { bytes in
    let message = try NDEFMessage(bytes)
    try BrokenPromise.unless(
      (try? NDEFMessage(NDEFMessage(message.records).bytes))?.records == message.records,
      "written and read again it is another")
    let select = try? HandoverMessage(bytes, .select)
    let request = try? HandoverMessage(bytes, .request)
    try BrokenPromise.unless(select == nil || request == nil, "a message is of both kinds")
    if let engagement = select?.engagement { _ = try? DeviceEngagement(engagement, by: .nfc) }
    if let select { _ = try? AgreedCarrier(select, request: ProximitySeeds.handoverRequest) }
    for record in message.records {
      _ = try? TagService.Parameters(record)
      _ = try? TagService.selected(by: record)
      _ = try? TagService.status(in: record)
    }
    return message.records.reduce(0) { $0 + $1.type.count + $1.identifier.count + $1.payload.count }
  }

  /// The payload of a carrier configuration record of either end, or a capability container.
  static let proximityCarrier = UntrustedParser(
    "proximity-carrier",
    seeds: {
      [
        BluetoothCarrier(.central, uuid: ProximitySeeds.uuid, address: [1, 2, 3, 4, 5, 6, 1]).payload,
        NFCCarrier(ProximitySeeds.limits).payload, NFCCarrier(nil).payload,
        CapabilityContainer(isWritable: true).bytes,
      ]
    }
  ) { bytes in
    if let container = try? CapabilityContainer(bytes) {
      try BrokenPromise.unless(
        (try? CapabilityContainer(container.bytes)) == container, "written and read again it is another")
      return container.bytes.count
    }
    if let carrier = try? NFCCarrier(bytes, from: .mdoc) {
      try BrokenPromise.unless(
        (try? NFCCarrier(carrier.payload, from: .mdoc)) == carrier, "written and read again it is another")
      return carrier.payload.count
    }
    if let carrier = try? NFCCarrier(bytes, from: .reader) { return carrier.payload.count }
    let carrier = try BluetoothCarrier(bytes)
    try BrokenPromise.unless(
      (try? BluetoothCarrier(carrier.payload)) == carrier, "written and read again it is another")
    return carrier.payload.count
  }

  /// The commands that a tag and the end of a transfer get: each has a byte with its length before it.
  static let proximityCommands = UntrustedParser(
    "proximity-commands",
    seeds: {
      let service = NDEFMessage([TagService.select(TagService.handover)]).bytes
      let ofTag: [CommandAPDU] = [
        CommandAPDU(0xa4, 0x0400, data: NFCApplication.ndef), CommandAPDU(0xa4, 0x000c, data: [0xe1, 0x04]),
        CommandAPDU(0xb0, 0, expected: 256), CommandAPDU(0xd6, 0, data: [0, UInt8(service.count)] + service),
      ]
      let ofTransfer: [CommandAPDU] = [
        CommandAPDU(0xa4, 0x040c, data: NFCApplication.transfer),
        CommandAPDU(class: 0x10, 0xc3, 0, data: [0x53, 2]), CommandAPDU(0xc3, 0, data: [1, 2], expected: 256),
      ]
      return [ofTag, ofTransfer].map { commands in inPieces(commands.map(\.bytes)) }
    }
  ) { bytes in
    var tag = EngagementTag(.negotiated(ProximitySeeds.parameters))
    var transfer = TransferTag(ProximitySeeds.limits)
    var last: ProximityError?
    var size = 0
    for piece in pieces(of: bytes) {
      do {
        let command = try CommandAPDU(piece)
        try BrokenPromise.unless(
          (try? CommandAPDU(command.bytes)) == command, "a command that was read is another when it is written")
        size += command.data.count
      } catch let error as ProximityError {
        last = error
      }
      for case .respond(let response) in tag.receive(.command(piece)) { _ = try ResponseAPDU(response) }
      for effect in transfer.receive(.command(piece)) {
        guard case .received(let message) = effect else { continue }
        size += message.count
        _ = transfer.receive(.send(message))
      }
    }
    if let last { throw last }
    return size
  }

  /// The responses of a tag and of the end of a transfer: each has a byte with its length before it.
  static let proximityResponses = UntrustedParser(
    "proximity-responses",
    seeds: {
      let select = ProximitySeeds.select.bytes
      let container = CapabilityContainer(isWritable: false).bytes
      let length = [UInt8(select.count >> 8), UInt8(select.count & 0xff)]
      // The tag may answer with fewer bytes than the reader expects, so that each piece has a length of one byte.
      let ofTag: [[UInt8]] = [[], [], container, [], length, Array(select[..<100]), Array(select[100...])]
      let ofTransfer: [[UInt8]] = [[], DataObject.encode([1, 2, 3])]
      return [ofTag, ofTransfer].map { responses in inPieces(responses.map { $0 + [0x90, 0] }) }
    }
  ) { bytes in
    var reader = TagReader(request: ProximitySeeds.handoverRequest)
    var transfer = TransferReader(ProximitySeeds.limits, own: ProximitySeeds.limits)
    _ = reader.receive(.discovered)
    _ = transfer.receive(.discovered)
    var size = 0
    for piece in pieces(of: bytes) {
      let effects = reader.receive(.response(piece))
      if effects.contains(where: { if case .wait = $0 { true } else { false } }) { _ = reader.receive(.waited) }
      for effect in transfer.receive(.response(piece)) {
        if case .opened = effect { _ = transfer.receive(.send([1])) }
        if case .received(let message) = effect { size += message.count }
      }
    }
    return size + (reader.engagement?.opening.engagement.bytes.count ?? 0)
  }

  /// Pieces as bytes, with a byte for the length before each.
  private static func inPieces(_ pieces: [[UInt8]]) -> [UInt8] {
    pieces.reduce(into: []) { bytes, piece in
      bytes.append(UInt8(piece.count))
      bytes += piece
    }
  }

  /// Bytes as pieces with a byte for the length before each; the last may be cut.
  private static func pieces(of bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var place = 0
    while place < bytes.count {
      let end = min(bytes.count, place + 1 + Int(bytes[place]))
      pieces.append(Array(bytes[place + 1..<end]))
      place = end
    }
    return pieces
  }
}

/// The values that the seeds are made with.
private enum ProximitySeeds {
  static func key(_ number: UInt8) -> EphemeralPrivateKey { .p256(FixedKeys.agreement(number)) }

  static let uuid = BluetoothUUID([UInt8](repeating: 0x8a, count: 16))
  static let limits = makeLimits()
  static let parameters = TagService.Parameters(maximumMessage: 0x7f00)
  static let request: [UInt8] = [0xa0]
  static let engagements: [DeviceEngagement] = [nil, DeviceEngagement.Capabilities(readerAuthAll: true)].compactMap {
    capabilities in
    guard let options = RetrievalMethod.BluetoothOptions(peripheralServer: uuid, centralClient: uuid) else {
      return nil
    }
    return try? DeviceEngagement(
      deviceKey: key(1), methods: [.bluetooth(options), .nfc(limits)], capabilities: capabilities)
  }
  static let opening = SessionOpening(engagements[0], .qrCode)
  static let carriers: [HandoverMessage.Carrier] = [
    .bluetooth(BluetoothCarrier(.bothPreferringCentral, uuid: uuid)), .nfc(NFCCarrier(limits)),
  ]
  static let select = HandoverMessage.select(
    carriers, engagement: (try? DeviceEngagement(deviceKey: key(1), methods: []))?.bytes ?? [])
  static let handoverRequest = HandoverMessage.request(carriers)
  static let establishment: [UInt8] = {
    guard var reader = try? ReaderSession(opening, key: key(2)) else { return [] }
    for case .send(let message) in reader.receive(.send(request, isLast: false)) { return message }
    return []
  }()

  private static func makeLimits() -> RetrievalMethod.NFCOptions {
    guard let limits = RetrievalMethod.NFCOptions(maximumCommand: 65_535, maximumResponse: 65_536) else {
      preconditionFailure("the limits are in their ranges")
    }
    return limits
  }
}
