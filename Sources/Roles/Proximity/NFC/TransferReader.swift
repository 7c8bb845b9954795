import Checks

/// The reader's end of data transfer by NFC, as a pure machine (ISO/IEC 18013-5, 8.3.3.1.2).
///
/// The mdoc's counts of remaining bytes are not trusted: the reader asks until the mdoc says that all was sent, within
/// its bounds, and compares with the length of the data object.
public struct TransferReader: Sendable {
  private enum Phase: Sendable {
    case idle
    case selecting
    case open
    /// The answer to a command of a chain is due.
    case sending
    /// The answer to the last command of a chain, or the rest of it, is due.
    case receiving
    case finished
  }

  private let command: Int
  private let expected: Int
  private var phase = Phase.idle
  private var rounds = 0
  /// The data object that is sent or received.
  private var object: [UInt8] = []
  /// The number of its bytes that were sent.
  private var sent = 0

  /// Creates an end.
  /// - Parameters:
  ///   - limits: The limits of the mdoc's engagement.
  ///   - own: The limits of the reader.
  public init(_ limits: RetrievalMethod.NFCOptions, own: RetrievalMethod.NFCOptions) {
    command = min(limits.maximumCommand, own.maximumCommand)
    expected = min(limits.maximumResponse, own.maximumResponse)
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The mdoc is in the field.
    case discovered
    /// The mdoc answered the last command.
    case response([UInt8])
    /// The own party sends a message.
    case send([UInt8])
    /// The own party ends the transfer.
    case end
    /// The mdoc left the field.
    case lost
  }

  /// Returns the effects of an event. An event that does not fit the state has no effect.
  public mutating func receive(_ event: Event) -> [TransferEffect] {
    switch (phase, event) {
    case (.finished, _): return []
    case (_, .lost), (_, .end):
      phase = .finished
      return [.closed]
    case (.idle, .discovered):
      phase = .selecting
      return [.send(CommandAPDU(CommandAPDU.Instruction.select, 0x040c, data: NFCApplication.transfer).bytes)]
    case (.open, .send(let message)):
      object = DataObject.encode(message)
      sent = 0
      return envelope()
    case (.selecting, .response(let bytes)), (.sending, .response(let bytes)), (.receiving, .response(let bytes)):
      do throws(ProximityError) {
        return try take(try ResponseAPDU(bytes))
      } catch {
        phase = .finished
        return [.record([error.failure.result]), .closed]
      }
    default: return []
    }
  }

  /// Sends the next command of a chain.
  private mutating func envelope() -> [TransferEffect] {
    let end = min(object.count, sent + command)
    let isLast = end == object.count
    let envelope = CommandAPDU(
      class: isLast ? 0 : CommandAPDU.chained, CommandAPDU.Instruction.envelope, 0, data: Array(object[sent..<end]),
      expected: isLast ? expected : nil)
    sent = end
    phase = isLast ? .receiving : .sending
    if isLast {
      object = []
      rounds = 0
    }
    return [.send(envelope.bytes)]
  }

  private mutating func take(_ response: ResponseAPDU) throws(ProximityError) -> [TransferEffect] {
    let isMore = response.status & 0xff00 == ResponseAPDU.Status.moreData
    guard response.status == ResponseAPDU.Status.success || isMore else {
      throw ProximityError(.transferStatus, "the mdoc refused a command", evidence: response.statusText)
    }
    switch phase {
    case .selecting:
      phase = .open
      return [.opened]
    case .sending:
      guard !isMore, response.data.isEmpty else {
        throw ProximityError(.transferStatus, "the mdoc answered before the message ended")
      }
      return envelope()
    case .receiving: return try take(response, isMore: isMore)
    case .idle, .open, .finished: return []
    }
  }

  private mutating func take(_ response: ResponseAPDU, isMore: Bool) throws(ProximityError) -> [TransferEffect] {
    rounds += 1
    guard rounds <= ProximityLimits.commands else {
      throw ProximityError(.transferBounds, "the mdoc's message needs too many answers", evidence: "\(rounds)")
    }
    object += response.data
    // The length bounds what is kept of an answer.
    if let length = try DataObject.length(of: object), object.count > length {
      throw ProximityError(.dataObject, "bytes follow the data object", evidence: "\(object.count - length) bytes")
    }
    guard isMore else {
      phase = .open
      defer { object = [] }
      // An mdoc that ends the session has no message.
      return object.isEmpty ? [] : [.received(try DataObject.decode(object))]
    }
    guard !response.data.isEmpty else {
      throw ProximityError(.transferStatus, "the mdoc announces more bytes and sends none")
    }
    let count = response.status & 0xff
    return [
      .send(CommandAPDU(CommandAPDU.Instruction.getResponse, 0, expected: count == 0 ? expected : count).bytes)
    ]
  }
}

/// An output of either end of data transfer by NFC.
public enum TransferEffect: Sendable, Equatable {
  /// Send a command, which the reader does, or answer one, which the mdoc does.
  case send([UInt8])
  /// The application is selected: the reader may send.
  case opened
  /// Give a whole message to the own party.
  case received([UInt8])
  /// Record the results of checks.
  case record([CheckResult])
  /// Report the end of the transfer, once.
  case closed
}
