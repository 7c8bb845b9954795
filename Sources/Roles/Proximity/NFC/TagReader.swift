import Checks

/// The reader that gets a device engagement from a Type 4 Tag, as a pure machine (ISO/IEC 18013-5, 8.2.2.1).
///
/// It takes negotiated handover if the tag offers it and the reader has a request message, else static handover. Each
/// event that it awaits is one response. Commands, polls and bytes are bounded, whatever the tag answers.
public struct TagReader: Sendable {
  private enum Purpose: Sendable {
    case initial
    case status
    case select
  }

  private enum Step: Sendable {
    case idle
    case application
    case containerFile
    case container
    case ndefFile
    case length(Purpose)
    case content(Purpose, length: Int, [UInt8])
    case waiting(Purpose)
    case written(then: Purpose)
    case writing(rest: [[UInt8]], offset: Int, length: Int, then: Purpose)
    case finished
  }

  /// The result of a tap.
  public struct Engagement: Sendable {
    /// The engagement and its handover.
    public let opening: SessionOpening
    /// The carrier that both ends use.
    public let carrier: AgreedCarrier
  }

  private let request: HandoverMessage?
  private let mostPolls: Int
  private var step = Step.idle
  private var container: CapabilityContainer?
  private var parameters: TagService.Parameters?
  private var commands = 0
  private var polls = 0

  /// The result; nil before it.
  public private(set) var engagement: Engagement?

  /// Creates the reader of one tap.
  /// - Parameters:
  ///   - request: The request message of the reader; nil if it does static handover only.
  ///   - mostPolls: The most polls for an answer, at least those that the tag asks for.
  public init(request: HandoverMessage?, mostPolls: Int = 100) {
    self.request = request
    self.mostPolls = mostPolls
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// A tag is in the field.
    case discovered
    /// The tag answered the last command.
    case response([UInt8])
    /// The time before a poll is over.
    case waited
    /// The tag left the field.
    case lost
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Send a command.
    case send([UInt8])
    /// Wait before the next poll.
    case wait(microseconds: Int)
    /// Record the results of checks.
    case record([CheckResult])
    /// ``TagReader/engagement`` has the result.
    case engaged
    /// The tap failed. Without an application, the reader waits for the next tap.
    case failed
  }

  /// Returns the effects of an event. An event that does not fit the state has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    do throws(ProximityError) {
      switch (step, event) {
      case (.idle, .discovered):
        step = .application
        return try send(.init(CommandAPDU.Instruction.select, 0x0400, data: NFCApplication.ndef))
      case (.idle, _), (.finished, _): return []
      case (.waiting(let purpose), .waited): return try readLength(purpose)
      case (_, .lost):
        step = .finished
        return [.failed]
      case (.waiting, _), (_, .waited), (_, .discovered): return []
      case (_, .response(let bytes)): return try take(try ResponseAPDU(bytes))
      }
    } catch {
      step = .finished
      return [.record([error.failure.result]), .failed]
    }
  }

  private mutating func send(_ command: CommandAPDU) throws(ProximityError) -> [Effect] {
    commands += 1
    guard commands <= ProximityLimits.tagCommands else {
      throw ProximityError(.tagBounds, "the tag needs too many commands", evidence: "\(commands)")
    }
    return [.send(command.bytes)]
  }

  private mutating func take(_ response: ResponseAPDU) throws(ProximityError) -> [Effect] {
    guard response.status == ResponseAPDU.Status.success else {
      if case .application = step, response.status == ResponseAPDU.Status.notFound {
        throw ProximityError(.tagApplication, "the tag has no NDEF application: there is no mdoc, or it is locked")
      }
      throw ProximityError(.tagStatus, "the tag refused a command", evidence: response.statusText)
    }
    switch step {
    case .application:
      step = .containerFile
      return try selectFile(CapabilityContainer.containerFile)
    case .containerFile:
      step = .container
      return try send(.init(CommandAPDU.Instruction.read, 0, expected: CapabilityContainer.length))
    case .container:
      let container = try CapabilityContainer(response.data)
      self.container = container
      step = .ndefFile
      return try selectFile(container.file)
    case .ndefFile: return try readLength(.initial)
    case .length(let purpose): return try takeLength(response.data, purpose)
    case .content(let purpose, let length, let bytes): return try takePart(response.data, purpose, length, bytes)
    case .written(let purpose):
      polls = 0
      return wait(purpose)
    case .writing(let rest, let offset, let length, let purpose):
      return try write(rest, at: offset, length: length, then: purpose)
    case .idle, .waiting, .finished: return []
    }
  }

  private mutating func selectFile(_ file: Int) throws(ProximityError) -> [Effect] {
    try send(.init(CommandAPDU.Instruction.select, 0x000c, data: NDEFMessage.bigEndian(file, bytes: 2)))
  }

  // Reading

  private mutating func readLength(_ purpose: Purpose) throws(ProximityError) -> [Effect] {
    step = .length(purpose)
    return try send(.init(CommandAPDU.Instruction.read, 0, expected: 2))
  }

  private mutating func takeLength(_ data: [UInt8], _ purpose: Purpose) throws(ProximityError) -> [Effect] {
    guard data.count == 2 else {
      throw ProximityError(.ndef, "the length of the NDEF message does not have 2 bytes", evidence: "\(data.count)")
    }
    let length = data.reduce(0) { $0 << 8 | Int($1) }
    guard length > 0 else {
      // An empty file is an mdoc that is not ready yet.
      polls += 1
      guard polls <= max(mostPolls, Int(parameters?.extensions ?? 0)) else {
        throw ProximityError(.tagBounds, "the tag did not answer in time", evidence: "\(polls) polls")
      }
      return wait(purpose)
    }
    guard let container, length + 2 <= container.fileSize else {
      throw ProximityError(.ndef, "the NDEF message is larger than its file", evidence: "\(length) bytes")
    }
    return try readPart(purpose, length, [])
  }

  private mutating func wait(_ purpose: Purpose) -> [Effect] {
    step = .waiting(purpose)
    return [.wait(microseconds: parameters?.microseconds ?? 1000)]
  }

  private mutating func readPart(_ purpose: Purpose, _ length: Int, _ bytes: [UInt8]) throws(ProximityError) -> [Effect]
  {
    step = .content(purpose, length: length, bytes)
    let most = min(container?.maximumRead ?? CapabilityContainer.length, CommandAPDU.shortData)
    return try send(
      .init(CommandAPDU.Instruction.read, 2 + bytes.count, expected: min(most, length - bytes.count)))
  }

  private mutating func takePart(
    _ data: [UInt8], _ purpose: Purpose, _ length: Int, _ bytes: [UInt8]
  ) throws(ProximityError) -> [Effect] {
    guard !data.isEmpty, bytes.count + data.count <= length else {
      throw ProximityError(.ndef, "the tag answered with no byte or too many", evidence: "\(data.count) bytes")
    }
    let bytes = bytes + data
    guard bytes.count == length else { return try readPart(purpose, length, bytes) }
    switch purpose {
    case .initial: return try takeInitial(bytes)
    case .status: return try takeStatus(bytes)
    case .select: return try finish(HandoverMessage(bytes, .select), request: request)
    }
  }

  // Handover

  private mutating func takeInitial(_ bytes: [UInt8]) throws(ProximityError) -> [Effect] {
    let message = try NDEFMessage(bytes)
    let services = message.records.filter { $0.isA(.wellKnown, "Tp") }
    guard !services.isEmpty, let request else { return try finish(HandoverMessage(bytes, .select), request: nil) }
    var offered: TagService.Parameters?
    for record in services {
      let parameters = try TagService.Parameters(record)
      if parameters.service == TagService.handover { offered = parameters }
    }
    guard let offered, request.bytes.count <= offered.maximumMessage, container?.isWritable == true else {
      throw ProximityError(.serviceRecord, "the tag does not offer the service of handover, or cannot be written")
    }
    parameters = offered
    return try write(NDEFMessage([TagService.select(offered.service)]).bytes, then: .status)
  }

  private mutating func takeStatus(_ bytes: [UInt8]) throws(ProximityError) -> [Effect] {
    guard let record = try NDEFMessage(bytes).records.first, let request else { return [] }
    let status = try TagService.status(in: record)
    guard status == 0 else {
      throw ProximityError(.serviceRecord, "the service of handover did not start", evidence: "status \(status)")
    }
    return try write(request.bytes, then: .select)
  }

  /// Writes a message: in one command if it fits, else its length last.
  private mutating func write(_ message: [UInt8], then purpose: Purpose) throws(ProximityError) -> [Effect] {
    guard let container, message.count + 2 <= container.fileSize else {
      throw ProximityError(.tagBounds, "the message is larger than the tag's file", evidence: "\(message.count) bytes")
    }
    let most = min(container.maximumWrite, CommandAPDU.shortData)
    let length = NDEFMessage.bigEndian(message.count, bytes: 2)
    guard message.count + 2 > most else {
      step = .written(then: purpose)
      return try send(.init(CommandAPDU.Instruction.update, 0, data: length + message))
    }
    // The length alone needs two bytes.
    guard most >= 2 else { throw ProximityError(.tagBounds, "the tag takes too few bytes in a command") }
    let parts = stride(from: 0, to: message.count, by: most).map { Array(message[$0..<min($0 + most, message.count)]) }
    step = .writing(rest: parts, offset: 2, length: message.count, then: purpose)
    return try send(.init(CommandAPDU.Instruction.update, 0, data: [0, 0]))
  }

  private mutating func write(
    _ parts: [[UInt8]], at offset: Int, length: Int, then purpose: Purpose
  ) throws(ProximityError) -> [Effect] {
    guard let part = parts.first else {
      step = .written(then: purpose)
      return try send(.init(CommandAPDU.Instruction.update, 0, data: NDEFMessage.bigEndian(length, bytes: 2)))
    }
    step = .writing(rest: Array(parts.dropFirst()), offset: offset + part.count, length: length, then: purpose)
    return try send(.init(CommandAPDU.Instruction.update, offset, data: part))
  }

  private mutating func finish(
    _ select: HandoverMessage, request: HandoverMessage?
  ) throws(ProximityError) -> [Effect] {
    let engagement = try DeviceEngagement(select.engagement ?? [], by: .nfc)
    let carrier = try AgreedCarrier(select, request: request)
    self.engagement = Engagement(
      opening: SessionOpening(engagement, .nfc(select: select.bytes, request: request?.bytes)), carrier: carrier)
    step = .finished
    return [
      .record([
        ProximityCheck.engagement.passed, ProximityCheck.tag.passed, ProximityCheck.handover.passed,
        ProximityCheck.carrier.passed,
      ]), .engaged,
    ]
  }
}
