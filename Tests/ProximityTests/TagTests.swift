import Checks
import Primitives
import TestSupport
import TestTraits
import Testing

@testable import Proximity

/// A reader and a tag in its field.
private struct Tap {
  var tag: EngagementTag
  var reader: TagReader
  /// The select message that the mdoc answers with, after some polls.
  var answer: HandoverMessage?
  var delay = 0
  private(set) var tagEffects: [EngagementTag.Effect] = []
  private(set) var readerEffects: [TagReader.Effect] = []
  private(set) var commands: [[UInt8]] = []
  private(set) var responses: [[UInt8]] = []

  init(_ tag: EngagementTag, _ reader: TagReader, answer: HandoverMessage? = nil) {
    self.tag = tag
    self.reader = reader
    self.answer = answer
  }

  mutating func run(atMost most: Int = 3000) {
    var pending: [TagReader.Event] = [.discovered]
    var steps = 0
    var polls = 0
    while !pending.isEmpty, steps < most {
      steps += 1
      let effects = reader.receive(pending.removeFirst())
      readerEffects += effects
      for effect in effects {
        switch effect {
        case .send(let command):
          commands.append(command)
          let response = tell(.command(command))
          responses.append(response)
          pending.append(.response(response))
        case .wait:
          polls += 1
          if polls > delay, let answer { _ = tell(.select(answer)) }
          pending.append(.waited)
        default: break
        }
      }
    }
    #expect(steps < most)
  }

  private mutating func tell(_ event: EngagementTag.Event) -> [UInt8] {
    let effects = tag.receive(event)
    tagEffects += effects
    for case .respond(let response) in effects { return response }
    return []
  }

  var handovers: [Handover] {
    tagEffects.compactMap { if case .handedOver(let handover) = $0 { handover } else { nil } }
  }
  var failures: [String] {
    readerEffects.flatMap { effect -> [CheckResult] in if case .record(let results) = effect { results } else { [] } }
      .filter { $0.status == .failed }.map(\.name)
  }
}

@Suite("A tap on a tag")
struct TagTests {
  private static func carrier(_ role: BluetoothCarrier.Role, _ uuid: BluetoothUUID?) -> HandoverMessage.Carrier {
    .bluetooth(BluetoothCarrier(role, uuid: uuid))
  }

  private static func request() throws -> HandoverMessage {
    .request([carrier(.bothPreferringCentral, try Fixed.uuid(9)), .nfc(NFCCarrier(try Fixed.nfc()))])
  }

  private static let parameters = TagService.Parameters(waitingTime: 0x14, maximumMessage: 0x7f00)

  @Test func handsOverStatically() throws {
    let select = try HandoverTests.select(Self.carrier(.central, try Fixed.uuid(1)))
    for request in [nil, try Self.request()] {
      var tap = Tap(EngagementTag(.fixed(select)), TagReader(request: request))
      tap.run()
      let engagement = try #require(tap.reader.engagement)
      #expect(engagement.carrier == .bluetooth(.centralClient, try Fixed.uuid(1)))
      #expect(engagement.opening.handover == .nfc(select: select.bytes, request: nil))
      #expect(tap.handovers == [engagement.opening.handover])
      #expect(engagement.opening.engagement.bytes == select.engagement)
      #expect(tap.failures.isEmpty && tap.readerEffects.last == .engaged)
    }
  }

  @Test func negotiates() throws {
    for (fileSize, delay) in [(0x7fff, 0), (400, 7), (0x7fff, 40)] {
      let select = try HandoverTests.select(Self.carrier(.peripheral, try Fixed.uuid(1)))
      let request = try Self.request()
      var tap = Tap(
        EngagementTag(.negotiated(Self.parameters), fileSize: fileSize), TagReader(request: request), answer: select)
      tap.delay = delay
      tap.run()
      let engagement = try #require(tap.reader.engagement)
      #expect(engagement.carrier == .bluetooth(.peripheralServer, try Fixed.uuid(1)))
      #expect(engagement.opening.handover == .nfc(select: select.bytes, request: request.bytes))
      #expect(tap.handovers == [engagement.opening.handover])
      #expect(tap.tagEffects.contains(.requested(request)))
      #expect(tap.readerEffects.contains(.wait(microseconds: 16_000)))
    }
  }

  /// A request message that needs several commands.
  @Test func writesALongMessageInParts() throws {
    let carriers = try (0..<10).map { Self.carrier(.bothPreferringCentral, try Fixed.uuid($0)) }
    var tap = Tap(
      EngagementTag(.negotiated(Self.parameters)),
      TagReader(request: HandoverMessage.request([carriers[0], .nfc(NFCCarrier(try Fixed.nfc()))])),
      answer: try HandoverTests.select(.nfc(NFCCarrier(try Fixed.nfc()))))
    tap.run()
    #expect(tap.reader.engagement?.carrier == .nfc(try Fixed.nfc()))
    // The same through a tag that takes few bytes in a command.
    let long = NDEFMessage([NDEFRecord(.unknown, type: "", payload: [UInt8](repeating: 7, count: 700))])
    var tag = EngagementTag(.negotiated(Self.parameters))
    func send(_ command: CommandAPDU) throws -> Int {
      for case .respond(let response) in tag.receive(.command(command.bytes)) {
        return try ResponseAPDU(response).status
      }
      return 0
    }
    #expect(try send(.init(0xa4, 0x0400, data: NFCApplication.ndef)) == 0x9000)
    #expect(try send(.init(0xa4, 0x000c, data: [0xe1, 0x04])) == 0x9000)
    #expect(try send(.init(0xd6, 0, data: [0, 0])) == 0x9000)
    #expect(try send(.init(0xd6, 2, data: Array(long.bytes[..<200]))) == 0x9000)
    // An end with another length discards what was written, and so does a gap.
    #expect(try send(.init(0xd6, 0, data: [1, 2])) == 0x6985)
    #expect(try send(.init(0xd6, 0, data: [0, 200])) == 0x6985)
    #expect(try send(.init(0xd6, 0, data: [0, 0])) == 0x9000)
    #expect(try send(.init(0xd6, 300, data: [1])) == 0x6985)
    #expect(try send(.init(0xd6, 2, data: [1])) == 0x6985)
    #expect(try send(.init(0xd6, 0, data: [0])) == 0x6985)
    #expect(try send(.init(0xd6, 0, data: [0, 5, 1, 2])) == 0x6985)
    #expect(try send(.init(0xd6, 0x7ffe, data: [0, 1, 2])) == 0x6985)
  }

  /// The tag takes no more in a command, and in all, than its container says.
  @Test(arguments: [(100, 98, 1), (0xfffe, 0x7fff, 0x8000)])
  func boundsWhatIsWritten(fileSize: Int, first: Int, second: Int) throws {
    var tag = EngagementTag(.negotiated(Self.parameters), fileSize: fileSize)
    func send(_ command: CommandAPDU) throws -> Int {
      for case .respond(let response) in tag.receive(.command(command.bytes)) {
        return try ResponseAPDU(response).status
      }
      return 0
    }
    #expect(try send(.init(0xa4, 0x0400, data: NFCApplication.ndef)) == 0x9000)
    #expect(try send(.init(0xa4, 0x000c, data: [0xe1, 0x04])) == 0x9000)
    #expect(try send(.init(0xd6, 0, data: [0, 0])) == 0x9000)
    #expect(try send(.init(0xd6, 2, data: [UInt8](repeating: 1, count: first))) == 0x9000)
    if fileSize > 0x8000 { #expect(try send(.init(0xd6, 0, data: [0, 0])) == 0x9000) }
    let offset = fileSize > 0x8000 ? 2 : 2 + first
    #expect(try send(.init(0xd6, offset, data: [UInt8](repeating: 1, count: second))) == 0x6985)
  }

  /// A reader that has read the length of the tag's message.
  private static func readerOfALongMessage() throws -> TagReader {
    var reader = TagReader(request: nil)
    _ = reader.receive(.discovered)
    for response in [[], [], CapabilityContainer(isWritable: false).bytes, [], [0x7f, 0]] as [[UInt8]] {
      #expect(reader.receive(.response(response + [0x90, 0])).count == 1)
    }
    return reader
  }

  @Test func isReadInABoundedNumberOfCommands() throws {
    var reader = try Self.readerOfALongMessage()
    var effects: [TagReader.Effect] = []
    var count = 6
    repeat {
      effects = reader.receive(.response([1, 0x90, 0]))
      count += 1
    } while effects.count == 1 && count < 5000
    #expect(failures(effects) == ["proximity.tag/bounds"] && effects.last == .failed)
    #expect(count == ProximityLimits.tagCommands + 1)
    reader = try Self.readerOfALongMessage()
    #expect(failures(reader.receive(.response([0x90, 0]))) == ["proximity.tag/malformed"])
    reader = try Self.readerOfALongMessage()
    let more = [UInt8](repeating: 1, count: 0x7f01) + [0x90, 0]
    #expect(failures(reader.receive(.response(more))) == ["proximity.tag/malformed"])
  }

  /// Answers of a tag after its container, and the failed check.
  @Test func endsWithATagThatBreaksTheRules() throws {
    let offer = NDEFMessage([Self.parameters.record]).bytes
    let small = NDEFMessage([TagService.Parameters(maximumMessage: 50).record]).bytes
    let other = NDEFMessage([TagService.Parameters(service: "urn:nfc:sn:x", maximumMessage: 0x7f00).record]).bytes
    let refused = NDEFMessage([TagService.status(1)]).bytes
    let writable = CapabilityContainer(isWritable: true)
    func message(_ bytes: [UInt8]) -> [[UInt8]] { [[0, UInt8(bytes.count)], bytes] }
    for (container, answers, expected) in [
      (CapabilityContainer(fileSize: 100, isWritable: false), [[0, 99]], "proximity.tag/malformed"),
      (writable, [[5]], "proximity.tag/malformed"),
      (CapabilityContainer(isWritable: false), message(offer), "proximity.handover/service"),
      (writable, message(small), "proximity.handover/service"),
      (writable, message(other), "proximity.handover/service"),
      (writable, message(offer) + [[]] + message(refused), "proximity.handover/service"),
      (
        CapabilityContainer(fileSize: 60, isWritable: true),
        message(offer) + [[]]
          + message(NDEFMessage([TagService.status(0)]).bytes), "proximity.tag/bounds"
      ),
    ] as [(CapabilityContainer, [[UInt8]], String)] {
      var reader = TagReader(request: try Self.request())
      var effects = reader.receive(.discovered)
      for answer in [[], [], container.bytes, []] + answers {
        effects = reader.receive(.response(answer + [0x90, 0]))
        if case .wait? = effects.first { effects = reader.receive(.waited) }
      }
      #expect(failures(effects) == [expected] && effects.last == .failed)
    }
  }

  @Test func isLockedOrAbsent() throws {
    let select = try HandoverTests.select(Self.carrier(.central, try Fixed.uuid(1)))
    var tap = Tap(EngagementTag(.fixed(select), isLocked: true), TagReader(request: nil))
    tap.run()
    #expect(tap.failures == ["proximity.tag/application"] && tap.reader.engagement == nil)
    #expect(tap.responses == [[0x6a, 0x82]])
  }

  @Test func waitsWithinBounds() throws {
    var tap = Tap(EngagementTag(.negotiated(Self.parameters)), TagReader(request: try Self.request()))
    tap.run()
    #expect(tap.failures == ["proximity.tag/bounds"] && tap.commands.count < 130)
    let patient = TagService.Parameters(extensions: 200, maximumMessage: 0x7f00)
    tap = Tap(EngagementTag(.negotiated(patient)), TagReader(request: try Self.request()))
    tap.run()
    #expect(tap.commands.count > 200 && tap.commands.count < 230)
  }

  @Test func keepsOneEngagementIfTheReaderStartsAgain() throws {
    let select = try HandoverTests.select(Self.carrier(.peripheral, try Fixed.uuid(1)))
    let request = try Self.request()
    var tag = EngagementTag(.negotiated(Self.parameters))
    var first = Tap(tag, TagReader(request: request))
    first.run()
    tag = first.tag
    var second = Tap(tag, TagReader(request: request), answer: select)
    second.run()
    #expect(second.reader.engagement?.opening.handover == .nfc(select: select.bytes, request: request.bytes))
  }

  @Test func refusesAServiceThatItDoesNotOffer() throws {
    var tag = EngagementTag(.negotiated(Self.parameters))
    func send(_ command: CommandAPDU) -> [EngagementTag.Effect] { tag.receive(.command(command.bytes)) }
    #expect(send(.init(0xb0, 0, expected: 2)) == [.respond([0x69, 0x85])])
    #expect(send(.init(0xa4, 0x000c, data: [0xe1, 0x04])) == [.respond([0x6a, 0x82])])
    _ = send(.init(0xa4, 0x0400, data: NFCApplication.ndef))
    _ = send(.init(0xa4, 0x000c, data: [0xe1, 0x04]))
    func write(_ record: NDEFRecord) -> [UInt8]? {
      let message = NDEFMessage([record]).bytes
      for case .respond(let response) in send(.init(0xd6, 0, data: [0, UInt8(message.count)] + message)) {
        return response
      }
      return nil
    }
    // A request message before the service is selected.
    let request = try Self.request().bytes
    let early = send(.init(0xd6, 0, data: [0, UInt8(request.count)] + request))
    #expect(early.first == .respond([0x6f, 0x00]))
    #expect(!early.contains { if case .requested = $0 { true } else { false } })
    #expect(write(TagService.select("urn:nfc:sn:other")) == [0x6f, 0x00])
    #expect(write(TagService.status(0)) == [0x6f, 0x00])
    #expect(write(TagService.select(TagService.handover)) == [0x90, 0x00])
    #expect(write(TagService.select(TagService.handover)) == [0x6f, 0x00])
    #expect(send(.init(0xb0, 0x100, expected: 2)) == [.respond([0x6f, 0x00])])
    #expect(send(.init(0x99, 0)) == [.respond([0x6d, 0x00])])
    // Another logical channel, secure messaging, and a chain.
    for other: UInt8 in [0x01, 0x0c, 0x10, 0x80] {
      #expect(send(.init(class: other, 0xb0, 0, expected: 2)) == [.respond([0x6e, 0x00])])
    }
    // A tag for static handover takes nothing.
    var fixed = EngagementTag(.fixed(try HandoverTests.select(Self.carrier(.central, try Fixed.uuid(1)))))
    for command in [
      CommandAPDU(0xa4, 0x0400, data: NFCApplication.ndef), .init(0xa4, 0x000c, data: [0xe1, 0x04]),
    ] { _ = fixed.receive(.command(command.bytes)) }
    #expect(
      fixed.receive(.command(CommandAPDU(0xd6, 0, data: [0, 1, 2]).bytes)) == [.respond([0x69, 0x85])])
  }

  @Test func answersABoundedNumberOfCommands() throws {
    var tag = EngagementTag(.negotiated(Self.parameters))
    let select = CommandAPDU(0xa4, 0x0400, data: NFCApplication.ndef).bytes
    for _ in 0..<ProximityLimits.tagCommands { #expect(tag.receive(.command(select)) == [.respond([0x90, 0])]) }
    #expect(tag.receive(.command(select)) == [.respond([0x69, 0x85])])
  }

  /// A tag whose answers are drawn: the reader ends within its bounds and takes nothing that is not whole.
  @Test(arguments: 0..<200 as Range<UInt64>) func endsWithAnyTag(seed: UInt64) throws {
    var draw = SeededGenerator(seed: seed)
    let select = try HandoverTests.select(Self.carrier(.bothPreferringCentral, try Fixed.uuid(1)))
    let isNegotiated = draw.chance(50)
    var tag = EngagementTag(isNegotiated ? .negotiated(Self.parameters) : .fixed(select))
    var reader = TagReader(request: isNegotiated || draw.chance(50) ? try Self.request() : nil)
    var pending: [TagReader.Event] = [.discovered]
    var count = 0
    while !pending.isEmpty {
      count += 1
      try #require(count < 3000)
      for effect in reader.receive(pending.removeFirst()) {
        switch effect {
        case .send(let command):
          var response: [UInt8] = []
          for case .respond(let honest) in tag.receive(.command(command)) { response = honest }
          switch draw.below(40) {
          case 0: response = draw.bytes(draw.below(20)) + [0x90, 0]
          case 1: if response.count > 2 { response[draw.below(response.count - 2)] ^= UInt8(1 + draw.below(255)) }
          case 2: response = Array(response.dropFirst())
          case 3: response = [0, 0, 0x90, 0]
          default: break
          }
          pending.append(.response(response))
        case .wait:
          if draw.chance(30) { _ = tag.receive(.select(select)) }
          pending.append(draw.chance(99) ? .waited : .lost)
        default: break
        }
      }
    }
    if let engagement = reader.engagement {
      #expect(engagement.opening.engagement.deviceKey.value.curve == .p256)
    }
  }

  @Test(.requiresProximityVectors) func answersAsTheTagsOfAnotherImplementation() throws {
    for name in ["static-handover-apdus", "negotiated-handover-apdus"] {
      let entry = try Known.entry(name, of: "nfc.json")
      let select = try HandoverMessage(entry.bytes("handoverSelect"), .select)
      let isStatic = entry["tp"] == nil
      var tag = EngagementTag(
        isStatic ? .fixed(select) : .negotiated(TagService.Parameters(maximumMessage: 0xffff)))
      let exchange = try entry.list("apdus")
      var handedOver: [Handover] = []
      for (command, response) in zip(exchange, exchange.dropFirst()) where command["c"] != nil {
        for effect in tag.receive(.command(try command.bytes("c"))) {
          switch effect {
          case .respond(let bytes): #expect(try bytes == response.bytes("r"), "\(command)")
          case .requested(let request):
            #expect(try request.bytes == entry.bytes("handoverRequest"))
            #expect(tag.receive(.select(select)).isEmpty)
          case .handedOver(let handover): handedOver.append(handover)
          case .record: Issue.record("a failed check")
          }
        }
      }
      let request = isStatic ? nil : try entry.bytes("handoverRequest")
      #expect(handedOver == [.nfc(select: select.bytes, request: request)])
    }
  }

  @Test(.requiresProximityVectors) func sendsTheCommandsOfTheReaderOfAnotherImplementation() throws {
    let entry = try Known.entry("negotiated-handover-apdus", of: "nfc.json")
    var reader = TagReader(request: try HandoverMessage(entry.bytes("handoverRequest"), .request))
    let exchange = try entry.list("apdus")
    var commands: [[UInt8]] = []
    func perform(_ effects: [TagReader.Effect]) {
      for effect in effects {
        if case .send(let command) = effect { commands.append(command) }
        if case .wait = effect { perform(reader.receive(.waited)) }
      }
    }
    perform(reader.receive(.discovered))
    for response in exchange where response["r"] != nil { perform(reader.receive(.response(try response.bytes("r")))) }
    #expect(try commands == exchange.filter { $0["c"] != nil }.map { try $0.bytes("c") })
    let uuid = BluetoothUUID(Hex.bytes("b3d52ac4a1b64b51a22e78ee55ef6eb6"))
    #expect(reader.engagement?.carrier == .bluetooth(.centralClient, try #require(uuid)))
  }

  @Test(.requiresProximityVectors) func readsTheContainersAndServicesOfOthers() throws {
    for name in ["static-handover-apdus", "apple-wallet-hs"] {
      let entry = try Known.entry(name, of: "nfc.json")
      let stated = try entry.object("cc")
      let container = CapabilityContainer(
        maximumRead: try stated.number("MLe"), maximumWrite: try stated.number("MLc"),
        fileSize: try stated.number("maxFileSize"), isWritable: try stated.text("write") == "00")
      #expect(try hexadecimal([UInt8(container.file >> 8), UInt8(container.file & 0xff)]) == stated.text("fileId"))
      let bytes = stated["hex"] == nil ? Hex.bytes("000f207fff7fff0406e1047fff00ff") : try stated.bytes("hex")
      #expect(container.bytes == bytes)
      #expect(try CapabilityContainer(bytes) == container)
    }
    for name in ["negotiated-handover-apdus", "apple-wallet-hs"] {
      let stated = try Known.entry(name, of: "nfc.json").object("tp")
      let parameters = TagService.Parameters(
        service: try stated.text("service"), waitingTime: UInt8(try stated.number("wtInt")),
        extensions: UInt8(try stated.number("nWait")), maximumMessage: try stated.number("maxNdefSize"))
      guard stated["hex"] != nil else { continue }
      let record = try #require(try NDEFMessage(stated.bytes("hex")).records.first)
      #expect(try TagService.Parameters(record) == parameters && parameters.record == record)
    }
    let status = try #require(
      try NDEFMessage(Known.entry("tnep-te-ok", of: "nfc.json").bytes("hex")).records.first)
    #expect(try TagService.status(in: status) == 0)
    let service = try Known.entry("tnep-ts-handover", of: "nfc.json").bytes("hex")
    #expect(NDEFMessage([TagService.select(TagService.handover)]).bytes == service)
  }
}
