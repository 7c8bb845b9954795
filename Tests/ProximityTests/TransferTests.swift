import Checks
import Proximity
import TestSupport
import TestTraits
import Testing

@Suite("Data object 53")
struct DataObjectTests {
  @Test func isReadAsWritten() throws {
    for length in [0, 1, 127, 128, 255, 256, 65_535, 65_536] {
      let message = [UInt8](repeating: 9, count: length)
      let object = DataObject.encode(message)
      #expect(try DataObject.decode(object) == message)
      #expect(try DataObject.length(of: object) == object.count)
      #expect(refusal { _ = try DataObject.decode(object + [0]) } == .dataObject)
      #expect(refusal { _ = try DataObject.decode(Array(object.dropLast())) } == .dataObject)
    }
    #expect(try DataObject.length(of: []) == nil && DataObject.length(of: [0x53, 0x82, 1]) == nil)
    for hex in ["5400", "5380", "538400000001", "53ff"] {
      #expect(refusal { _ = try DataObject.length(of: Hex.bytes(hex)) } == .dataObject)
    }
    #expect(refusal { _ = try DataObject.length(of: Hex.bytes("5383ffffff")) } == .transferBounds)
  }

  @Test(.requiresProximityVectors) func hasTheKnownHeads() throws {
    let facts = try Known.entry("nfc-data-transfer-sizes", of: "nfc.json").object("facts")
    for length in [1024, 2048, 102_400, 204_800] {
      let head = try facts.bytes("do53_\(length)")
      #expect(DataObject.encode([UInt8](repeating: 0, count: length)).prefix(head.count) == head[...])
    }
    // Objects of the provisional successor have the same form.
    var count = 0
    for entry in try Known.entries(of: "nfc.json") where entry.identifier.hasPrefix("nfcv2") {
      for command in try entry.list("apdus") {
        var object: [UInt8] = []
        if command["c"] != nil { object = try CommandAPDU(command.bytes("c")).data }
        if command["r"] != nil { object = try ResponseAPDU(command.bytes("r")).data }
        guard object.first == 0x53 else { continue }
        #expect(try DataObject.encode(DataObject.decode(object)) == object)
        count += 1
      }
    }
    #expect(count == 16)
  }
}

@Suite("Transfer by NFC")
struct TransferTests {
  private static func limits(_ command: Int, _ response: Int) throws -> RetrievalMethod.NFCOptions {
    try #require(RetrievalMethod.NFCOptions(maximumCommand: command, maximumResponse: response))
  }

  /// Runs an exchange of one message each way, and returns the messages as they arrived.
  private static func exchange(
    _ request: [UInt8], _ response: [UInt8], mdoc: RetrievalMethod.NFCOptions, own: RetrievalMethod.NFCOptions
  ) throws -> (requests: [[UInt8]], responses: [[UInt8]], commands: [CommandAPDU]) {
    var tag = TransferTag(mdoc)
    var reader = TransferReader(mdoc, own: own)
    var requests: [[UInt8]] = []
    var responses: [[UInt8]] = []
    var commands: [CommandAPDU] = []
    var pending: [TransferReader.Event] = [.discovered]
    var isAsked = false
    while !pending.isEmpty {
      for effect in reader.receive(pending.removeFirst()) {
        switch effect {
        case .send(let command):
          commands.append(try CommandAPDU(command))
          var effects = tag.receive(.command(command))
          while !effects.isEmpty {
            switch effects.removeFirst() {
            case .send(let bytes): pending.append(.response(bytes))
            case .received(let message):
              requests.append(message)
              effects += tag.receive(.send(response))
            case .opened: break
            case .record, .closed: Issue.record("the transfer failed")
            }
          }
        case .opened:
          if !isAsked { pending.append(.send(request)) }
          isAsked = true
        case .received(let message): responses.append(message)
        case .record, .closed: Issue.record("the transfer failed")
        }
      }
    }
    return (requests, responses, commands)
  }

  @Test func carriesMessagesOfEachSizeBothWays() throws {
    for (command, response) in [(255, 256), (256, 257), (1000, 4089), (65_535, 65_536)] {
      for length in [1, 250, 255, 256, 511, 512, 600, 3000, 70_000] {
        let message = [UInt8](repeating: UInt8(length & 0xff), count: length)
        let result = try Self.exchange(
          message, message, mdoc: Self.limits(command, response), own: Self.limits(65_535, 65_536))
        #expect(result.requests == [message] && result.responses == [message])
        let envelopes = result.commands.filter { $0.instruction == CommandAPDU.Instruction.envelope }
        #expect(envelopes.allSatisfy { $0.data.count <= command })
        #expect(envelopes.dropLast().allSatisfy { $0.class == 0x10 && $0.expected == nil })
        #expect(envelopes.last?.class == 0 && envelopes.last?.expected == response)
      }
    }
    // The reader's own limits count as well.
    let result = try Self.exchange(
      [UInt8](repeating: 1, count: 600), [2], mdoc: Self.limits(65_535, 65_536), own: Self.limits(255, 256))
    #expect(result.commands.allSatisfy { $0.data.count <= 255 && ($0.expected ?? 0) <= 256 })
  }

  @Test(.requiresProximityVectors) func answersInTheKnownPieces() throws {
    for entry in try Known.entry("do53-chaining", of: "nfc.json").list("cases") {
      let length = try entry.number("encodedLength")
      let message = [UInt8](repeating: 5, count: length - (length < 0x82 ? 2 : length < 0x103 ? 3 : 4))
      #expect(DataObject.encode(message).count == length)
      var tag = TransferTag(try Self.limits(65_535, 65_536))
      _ = tag.receive(.command(CommandAPDU(0xa4, 0x0400, data: NFCApplication.transfer).bytes))
      let request = CommandAPDU(0xc3, 0, data: DataObject.encode([1]), expected: try entry.number("le"))
      #expect(tag.receive(.command(request.bytes)) == [.received([1])])
      var effects = tag.receive(.send(message))
      for (number, stated) in try entry.list("responses").enumerated() {
        if number > 0 {
          effects = tag.receive(.command(CommandAPDU(0xc0, 0, expected: try stated.number("le")).bytes))
        }
        guard case .send(let bytes)? = effects.first else {
          Issue.record("no answer")
          return
        }
        let response = try ResponseAPDU(bytes)
        #expect(try response.data.count == stated.number("bytes"))
        #expect(try [UInt8(response.status >> 8), UInt8(response.status & 0xff)] == stated.bytes("sw"))
      }
    }
  }

  @Test func selectsWithBothValuesOfTheSecondParameter() throws {
    for (parameters, data, status) in [
      (0x0400, NFCApplication.transfer, [0x90, 0]), (0x040c, NFCApplication.transfer, [0x90, 0]),
      (0x0400, NFCApplication.ndef, [0x6a, 0x82]), (0x0000, NFCApplication.transfer, [0x6a, 0x82]),
    ] as [(Int, [UInt8], [UInt8])] {
      var tag = TransferTag(try Self.limits(255, 256))
      #expect(tag.receive(.command(CommandAPDU(0xa4, parameters, data: data).bytes)).first == .send(status))
    }
    var tag = TransferTag(try Self.limits(255, 256))
    #expect(tag.receive(.command(CommandAPDU(0xc3, 0, data: [1]).bytes)) == [.send([0x69, 0x85])])
    #expect(tag.receive(.command(CommandAPDU(0xb0, 0).bytes)) == [.send([0x6d, 0])])
    let select = CommandAPDU(class: 1, 0xa4, 0x0400, data: NFCApplication.transfer).bytes
    #expect(tag.receive(.command(select)) == [.send([0x6e, 0])])
  }

  private static func opened(_ limits: RetrievalMethod.NFCOptions) -> TransferTag {
    var tag = TransferTag(limits)
    _ = tag.receive(.command(CommandAPDU(0xa4, 0x0400, data: NFCApplication.transfer).bytes))
    return tag
  }

  /// Commands in place of an honest one, and whether the transfer ends.
  @Test func endsWithCommandsThatBreakTheRules() throws {
    let limits = try Self.limits(300, 300)
    for (data, expected) in [
      ([UInt8](repeating: 0x53, count: 301), "proximity.transfer/bounds"), ([0x54, 0], "proximity.transfer/malformed"),
      ([0x53, 2, 1], "proximity.transfer/malformed"), ([0x53, 1, 1, 1], "proximity.transfer/malformed"),
      ([0x53, 0x83, 0xff, 0xff, 0xff], "proximity.transfer/bounds"),
    ] as [([UInt8], String)] {
      var tag = Self.opened(limits)
      let effects = tag.receive(.command(CommandAPDU(0xc3, 0, data: data, expected: 256).bytes))
      #expect(effects.first == .send([0x6f, 0]) && effects.last == .closed)
      guard case .record(let results)? = effects.dropFirst().first else {
        Issue.record("no check")
        continue
      }
      #expect(results.map(\.name) == [expected])
      #expect(tag.receive(.command([0, 0xc3, 0, 0])) == [.send([0x69, 0x85])])
    }
    // Bytes after the data object are refused before its chain ends.
    var chain = Self.opened(limits)
    let surplus = CommandAPDU(class: 0x10, 0xc3, 0, data: [0x53, 1, 1, 1]).bytes
    #expect(chain.receive(.command(surplus)).first == .send([0x6f, 0]))
    // A command while the person decides.
    var tag = Self.opened(limits)
    let request = CommandAPDU(0xc3, 0, data: DataObject.encode([1]), expected: 256).bytes
    #expect(tag.receive(.command(request)) == [.received([1])])
    #expect(tag.receive(.command(request)).last == .closed)
    // Without a length there is no answer that can carry the response.
    tag = Self.opened(limits)
    #expect(
      tag.receive(.command(CommandAPDU(0xc3, 0, data: DataObject.encode([1])).bytes)) == [.send([0x67, 0])])
    // An answer without a request before it.
    #expect(tag.receive(.send([1])).isEmpty)
  }

  @Test func boundsAChain() throws {
    var tag = Self.opened(try Self.limits(255, 256))
    let head = CommandAPDU(class: 0x10, 0xc3, 0, data: Hex.bytes("5383400000")).bytes
    #expect(tag.receive(.command(head)) == [.send([0x90, 0])])
    let part = CommandAPDU(class: 0x10, 0xc3, 0, data: [1]).bytes
    var count = 1
    while tag.receive(.command(part)) == [.send([0x90, 0])] { count += 1 }
    #expect(count == ProximityLimits.commands)
  }

  @Test func endsAfterTheMessageThatIsSent() throws {
    var tag = Self.opened(try Self.limits(255, 256))
    _ = tag.receive(.command(CommandAPDU(0xc3, 0, data: DataObject.encode([1]), expected: 256).bytes))
    _ = tag.receive(.send([UInt8](repeating: 7, count: 300)))
    #expect(tag.receive(.end).isEmpty)
    let last = tag.receive(.command(CommandAPDU(0xc0, 0, expected: 256).bytes))
    #expect(last.count == 2 && last.last == .closed)
    let next = CommandAPDU(0xc3, 0, data: DataObject.encode([1]), expected: 256).bytes
    #expect(tag.receive(.command(next)) == [.send([0x69, 0x85])])
  }

  @Test func endsTheLastAnswerWithoutData() throws {
    let limits = try Self.limits(255, 256)
    var tag = Self.opened(limits)
    _ = tag.receive(.command(CommandAPDU(0xc3, 0, data: DataObject.encode([1]), expected: 256).bytes))
    #expect(tag.receive(.end) == [.send([0x90, 0]), .closed])
    var reader = TransferReader(limits, own: limits)
    _ = reader.receive(.discovered)
    #expect(reader.receive(.response([0x90, 0])) == [.opened])
    #expect(reader.receive(.send([1])).count == 1)
    #expect(reader.receive(.response([0x90, 0])).isEmpty)
    #expect(reader.receive(.end) == [.closed])
    #expect(reader.receive(.lost).isEmpty)
  }

  /// Answers of an mdoc that break the rules.
  @Test func doesNotTrustTheMdocsCounts() throws {
    let limits = try Self.limits(255, 256)
    func reader() -> TransferReader {
      var reader = TransferReader(limits, own: limits)
      _ = reader.receive(.discovered)
      _ = reader.receive(.response([0x90, 0]))
      _ = reader.receive(.send([1]))
      return reader
    }
    let object = DataObject.encode([UInt8](repeating: 7, count: 100))
    // A count that is too small, and pieces of any size.
    var honest = reader()
    #expect(honest.receive(.response(Array(object[..<10]) + [0x61, 0x01])) == [.send([0, 0xc0, 0, 0, 1])])
    #expect(honest.receive(.response(Array(object[10..<90]) + [0x61, 0x00])) == [.send([0, 0xc0, 0, 0, 0])])
    #expect(
      honest.receive(.response(Array(object[90...]) + [0x90, 0])) == [.received([UInt8](repeating: 7, count: 100))])
    for (bytes, expected) in [
      ([0x61, 0x10], "proximity.transfer/status"), ([0x6f, 0], "proximity.transfer/status"),
      ([0x54, 0, 0x90, 0], "proximity.transfer/malformed"), ([0x53, 1, 0x90, 0], "proximity.transfer/malformed"),
      ([0x53, 1, 1, 1, 0x61, 1], "proximity.transfer/malformed"), ([0x90], "proximity.tag/malformed"),
    ] as [([UInt8], String)] {
      var reader = reader()
      let effects = reader.receive(.response(bytes))
      #expect(failures(effects) == [expected] && effects.last == .closed)
    }
    // Bytes before the own message is whole.
    for bytes in [[1, 0x90, 0], [0x61, 1], [0x6a, 0x82]] as [[UInt8]] {
      var early = TransferReader(limits, own: limits)
      _ = early.receive(.discovered)
      _ = early.receive(.response([0x90, 0]))
      _ = early.receive(.send([UInt8](repeating: 1, count: 600)))
      #expect(failures(early.receive(.response(bytes))) == ["proximity.transfer/status"])
    }
    // One byte at a time, without an end.
    var slow = reader()
    _ = slow.receive(.response(Hex.bytes("5383400000") + [0x61, 0]))
    var count = 1
    while case .send? = slow.receive(.response([1, 0x61, 0])).first { count += 1 }
    #expect(count == ProximityLimits.commands)
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func deliversWholeMessagesOnly(seed: UInt64) throws {
    var draw = SeededGenerator(seed: seed)
    let limits = try Self.limits(255, 256)
    var tag = Self.opened(limits)
    var reader = TransferReader(limits, own: limits)
    _ = reader.receive(.discovered)
    _ = reader.receive(.response([0x90, 0]))
    var sent: [[UInt8]] = []
    var answered: [[UInt8]] = []
    var received: [[UInt8]] = []
    var delivered: [[UInt8]] = []
    var pending: [[UInt8]] = []
    var responses: [[UInt8]] = []
    func perform(_ effects: [TransferEffect], sent: inout [[UInt8]], received: inout [[UInt8]]) {
      for effect in effects {
        if case .send(let bytes) = effect { sent.append(bytes) }
        if case .received(let message) = effect { received.append(message) }
      }
    }
    func readerDoes(_ event: TransferReader.Event) -> Bool {
      let effects = reader.receive(event)
      perform(effects, sent: &pending, received: &delivered)
      return !effects.isEmpty
    }
    func tagDoes(_ event: TransferTag.Event) -> Bool {
      let effects = tag.receive(event)
      perform(effects, sent: &responses, received: &received)
      return !effects.isEmpty
    }
    let isEvil = seed % 2 == 1
    for _ in 0..<60 {
      let message = draw.bytes(1 + draw.below(900))
      switch draw.below(isEvil ? 8 : 6) {
      case 0: if readerDoes(.send(message)) { sent.append(message) }
      case 1: if tagDoes(.send(message)) { answered.append(message) }
      case 2, 3: if !pending.isEmpty { _ = tagDoes(.command(pending.removeFirst())) }
      case 4, 5: if !responses.isEmpty { _ = readerDoes(.response(responses.removeFirst())) }
      case 6: _ = tagDoes(.command(draw.bytes(draw.below(12))))
      default: _ = readerDoes(.response(draw.bytes(draw.below(6)) + [0x90, 0]))
      }
      if !isEvil {
        #expect(received == Array(sent.prefix(received.count)))
        #expect(delivered == Array(answered.prefix(delivered.count)))
      }
    }
  }
}
