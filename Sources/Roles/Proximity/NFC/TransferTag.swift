import Checks

/// The mdoc's end of data transfer by NFC, as a pure machine (ISO/IEC 18013-5, 8.3.3.1.2).
///
/// A message comes in a chain of ENVELOPE commands. The answer to the last one waits until the own party has a message,
/// and what does not fit it follows in answers to GET RESPONSE.
public struct TransferTag: Sendable {
  private enum Phase: Sendable {
    case unselected
    /// A chain may go on or begin.
    case receiving
    /// The answer to the last ENVELOPE is due, with at most so many bytes.
    case answering(expected: Int)
    /// Bytes of a message remain.
    case sending
    case finished
  }

  private let limits: RetrievalMethod.NFCOptions
  private var phase = Phase.unselected
  private var commands = 0
  /// The data object that is received or sent.
  private var object: [UInt8] = []
  /// The number of its bytes that were sent.
  private var sent = 0
  /// Indicates whether the transfer ends after the message that is sent.
  private var isEnding = false

  /// Creates an end.
  /// - Parameter limits: The limits of the engagement.
  public init(_ limits: RetrievalMethod.NFCOptions) { self.limits = limits }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The reader sent a command.
    case command([UInt8])
    /// The own party sends a message.
    case send([UInt8])
    /// The own party ends the transfer, after the message that is sent. A command that waits gets an answer without data.
    case end
    /// The reader left.
    case lost
  }

  /// Returns the effects of an event. An event that does not fit the state has no effect.
  public mutating func receive(_ event: Event) -> [TransferEffect] {
    switch (phase, event) {
    case (.finished, .command): return [Self.respond(ResponseAPDU.Status.conditions)]
    case (.finished, _): return []
    case (_, .lost):
      phase = .finished
      return [.closed]
    case (.answering(let expected), .send(let message)):
      object = DataObject.encode(message)
      sent = 0
      return answer(expected)
    case (_, .send): return []
    case (.answering, .end):
      phase = .finished
      return [Self.respond(ResponseAPDU.Status.success), .closed]
    case (.sending, .end):
      isEnding = true
      return []
    case (_, .end):
      phase = .finished
      return [.closed]
    case (_, .command(let bytes)): return take(bytes)
    }
  }

  private static func respond(_ status: Int, _ data: [UInt8] = []) -> TransferEffect {
    .send(ResponseAPDU(status, data: data).bytes)
  }

  private mutating func take(_ bytes: [UInt8]) -> [TransferEffect] {
    do throws(ProximityError) {
      let command = try CommandAPDU(bytes)
      guard command.isOfBasicClass else { return [Self.respond(ResponseAPDU.Status.classNotSupported)] }
      switch (command.instruction, phase) {
      case (_, .answering): throw ProximityError(.transferStatus, "a command before the answer to the one before it")
      case (CommandAPDU.Instruction.select, .unselected):
        // Readers in use send both values of the second parameter.
        guard command.data == NFCApplication.transfer, [0x0400, 0x040c].contains(command.parameters) else {
          return [Self.respond(ResponseAPDU.Status.notFound)]
        }
        phase = .receiving
        return [Self.respond(ResponseAPDU.Status.success), .opened]
      case (CommandAPDU.Instruction.envelope, .receiving): return try envelope(command)
      case (CommandAPDU.Instruction.getResponse, .sending): return answer(command.expected ?? CommandAPDU.shortExpected)
      case (CommandAPDU.Instruction.select, _), (CommandAPDU.Instruction.envelope, _),
        (CommandAPDU.Instruction.getResponse, _):
        return [Self.respond(ResponseAPDU.Status.conditions)]
      default: return [Self.respond(ResponseAPDU.Status.instruction)]
      }
    } catch {
      phase = .finished
      return [Self.respond(ResponseAPDU.Status.other), .record([error.failure.result]), .closed]
    }
  }

  private mutating func envelope(_ command: CommandAPDU) throws(ProximityError) -> [TransferEffect] {
    commands = object.isEmpty ? 1 : commands + 1
    guard command.data.count <= limits.maximumCommand, commands <= ProximityLimits.commands else {
      throw ProximityError(
        .transferBounds, "a command is longer than the limit of the engagement, or a message has too many commands",
        evidence: "\(command.data.count) bytes, command \(commands)")
    }
    object += command.data
    // The length bounds what is kept of a chain.
    if let length = try DataObject.length(of: object), object.count > length {
      throw ProximityError(.dataObject, "bytes follow the data object", evidence: "\(object.count - length) bytes")
    }
    guard command.class & CommandAPDU.chained == 0 else { return [Self.respond(ResponseAPDU.Status.success)] }
    let message = try DataObject.decode(object)
    object = []
    guard let expected = command.expected else { return [Self.respond(ResponseAPDU.Status.wrongLength)] }
    phase = .answering(expected: expected)
    return [.received(message)]
  }

  /// Answers with as many bytes as are expected, and tells how many remain.
  private mutating func answer(_ expected: Int) -> [TransferEffect] {
    let end = min(object.count, sent + min(expected, limits.maximumResponse))
    let data = Array(object[sent..<end])
    let rest = object.count - end
    guard rest > 0 else {
      phase = isEnding ? .finished : .receiving
      object = []
      return [Self.respond(ResponseAPDU.Status.success, data)] + (isEnding ? [.closed] : [])
    }
    sent = end
    phase = .sending
    return [Self.respond(ResponseAPDU.Status.moreData | (rest <= 255 ? rest : 0), data)]
  }
}
