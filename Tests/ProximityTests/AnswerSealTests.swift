import Crypto
import MobileDocument
import Proximity
import Testing

/// The answer that an app seals in place of the mdoc's session.
@Suite("An answer sealed elsewhere")
struct AnswerSealTests {
  /// Both ends after the request, which the mdoc has not answered.
  private static func asked() throws -> (device: DeviceSession, reader: ReaderSession) {
    let opening = try Fixed.opening()
    var reader = try ReaderSession(opening, key: try Fixed.readerKey())
    var device = DeviceSession(opening, key: try Fixed.deviceKey())
    #expect(device.answerSeal == nil)
    for case .send(let message) in reader.receive(.send([1, 2, 3], isLast: false)) {
      _ = device.receive(.received(message))
    }
    return (device, reader)
  }

  @Test(arguments: [false, true])
  func opensAtTheReader(isLast: Bool) throws {
    var (device, reader) = try Self.asked()
    let seal = try #require(device.answerSeal)
    var delivered: [[UInt8]] = []
    for case .send(let message) in device.receive(.sendSealed(try seal.sealed([4, 5, 6]), isLast: isLast)) {
      for case .deliver(let response) in reader.receive(.received(message)) { delivered.append(response) }
    }
    #expect(delivered == [[4, 5, 6]])
    #expect(device.answerSeal == nil)
  }

  @Test func countsAsAMessage() throws {
    var (device, reader) = try Self.asked()
    let first = try #require(device.answerSeal)
    for case .send(let message) in device.receive(.sendSealed(try first.sealed([4]), isLast: false)) {
      _ = reader.receive(.received(message))
    }
    for case .send(let message) in reader.receive(.send([7], isLast: false)) {
      _ = device.receive(.received(message))
    }
    let second = try #require(device.answerSeal)
    #expect(second.counter == first.counter + 1 && second.key == first.key)
    var delivered: [[UInt8]] = []
    for case .send(let message) in device.receive(.sendSealed(try second.sealed([8]), isLast: false)) {
      for case .deliver(let response) in reader.receive(.received(message)) { delivered.append(response) }
    }
    #expect(delivered == [[8]])
  }

  @Test func isNotTheReadersToSend() throws {
    var (_, reader) = try Self.asked()
    #expect(reader.receive(.sendSealed([1], isLast: false)).isEmpty)
  }

  @Test func travelsWithTheRequest() throws {
    let (device, _) = try Self.asked()
    let transcript = try #require(device.transcript)
    let request = InPersonRequest(deviceRequest: [1, 2, 3], transcript: transcript, seal: device.answerSeal)
    let read = try #require(InPersonRequest(json: request.json))
    #expect(read.deviceRequest == [1, 2, 3] && read.transcript.encoded == transcript.encoded)
    #expect(read.seal?.key == device.answerSeal?.key && read.seal?.counter == 1)
    let unsealed = try #require(
      InPersonRequest(json: InPersonRequest(deviceRequest: [1], transcript: transcript).json))
    #expect(unsealed.seal == nil)
    #expect(InPersonRequest(json: Array("{}".utf8)) == nil)
    #expect(AnswerSeal(key: [1], counter: 1) == nil)
  }

  @Test(arguments: BluetoothMode.allCases)
  func attributesAreReadInTheirMode(mode: BluetoothMode) throws {
    for characteristic in mode.characteristics {
      let attribute = BluetoothAttribute(characteristic, [1, 2])
      #expect(BluetoothAttribute(attribute.encoded(in: mode), in: mode) == attribute)
      let other: BluetoothMode = mode == .centralClient ? .peripheralServer : .centralClient
      #expect(BluetoothAttribute(attribute.encoded(in: mode), in: other) == nil)
    }
    #expect(BluetoothAttribute([1, 2, 3], in: mode) == nil)
  }

  @Test func advertsNameOneService() throws {
    let (service, other) = (try Fixed.uuid(1), try Fixed.uuid(2))
    let data = ServiceAdvert.data(service)
    #expect(ServiceAdvert.isOf(service, data) && !ServiceAdvert.isOf(other, data))
    #expect(!ServiceAdvert.isOf(service, data + [0]))
  }
}
