import Checks

/// One end of a connection over Bluetooth Low Energy, in both modes, as a pure machine.
///
/// ```
/// client: waiting --connected--> preparing --Ident, subscriptions--> state 1 --> open --end: state 2--> finished
/// server: waiting --connected--> preparing ---------- state 1 arrives ---------> open --end: state 2--> finished
/// ```
///
/// A connection that is lost before state 1 may be made again; a later one is never resumed. Values go out one at a time,
/// each after the stack took the one before: the end of the transfer cannot overtake a message.
public struct BluetoothLink: Sendable {
  private struct Value: Sendable {
    let characteristic: BluetoothCharacteristic
    let bytes: [UInt8]
  }

  /// A state of the connection.
  public enum State: String, Sendable, CaseIterable {
    case waiting, preparing, open, ending, finished
  }

  /// The mode.
  public let mode: BluetoothMode
  /// The own end.
  public let party: ProximityParty
  /// The value of the Ident characteristic of the engagement.
  public let ident: [UInt8]
  private let checksIdent: Bool
  /// The state of the connection.
  public private(set) var state = State.waiting
  private var unit = MessageParts.leastUnit
  private var parts = MessageParts()
  private var queue: [Value] = []
  private var queued = 0
  private var isInFlight = false

  /// Creates an end.
  /// - Parameters:
  ///   - deviceKeyBytes: `EDeviceKeyBytes` as received or sent, for the Ident characteristic.
  ///   - checksIdent: Whether an mdoc that is the client reads the characteristic. The standard leaves it to the mdoc.
  public init(_ mode: BluetoothMode, of party: ProximityParty, deviceKeyBytes: [UInt8], checksIdent: Bool = true) {
    self.mode = mode
    self.party = party
    ident = DerivedIdentifier.bluetoothIdent.value(deviceKeyBytes: deviceKeyBytes)
    self.checksIdent = checksIdent
  }

  /// Indicates whether the end is the client of the attribute protocol.
  public var isClient: Bool { mode.isClient(party) }

  /// An input of the machine.
  public enum Event: Sendable {
    /// The ends are connected.
    case connected(unit: Int)
    /// The Ident characteristic of the server was read.
    case identRead([UInt8])
    /// The client gets notifications of State and of the server's messages.
    case subscribed
    /// The peer wrote to the own server, or the peer's server notified.
    case received(BluetoothCharacteristic, [UInt8])
    /// The own party sends a message.
    case send([UInt8])
    /// The stack took a value and can take another.
    case transmitted
    /// The own party ends the transfer, after the messages before.
    case end
    /// The connection ended.
    case disconnected
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Record the results of checks.
    case record([CheckResult])
    /// Read the Ident characteristic.
    case readIdent
    /// Subscribe to State and to the server's messages.
    case subscribe
    /// Write or notify a value.
    case transmit(BluetoothCharacteristic, [UInt8])
    /// The transfer began: the own party may send.
    case opened
    /// Give a whole message to the own party.
    case received([UInt8])
    /// Disconnect.
    case disconnect
    /// The connection was lost before the transfer began, and may be made again.
    case interrupted
    /// Report the end of the transfer, once.
    case closed
  }

  /// Returns the effects of an event. An event that does not fit the state is late and has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch (state, event) {
    case (.finished, _): return []
    case (.waiting, .connected(let unit)): return connect(unit)
    case (.preparing, .identRead(let value)) where isClient && readsIdent: return compare(value)
    case (.preparing, .subscribed) where isClient:
      state = .open
      return [.record([ProximityCheck.link.passed]), .opened] + enqueue(.state, [BluetoothState.start.rawValue])
    case (.preparing, .received(let characteristic, let value)),
      (.open, .received(let characteristic, let value)), (.ending, .received(let characteristic, let value)):
      return take(value, of: characteristic)
    case (.open, .send(let message)): return send(message)
    case (.open, .transmitted), (.ending, .transmitted):
      isInFlight = false
      return transmit()
    case (.open, .end):
      state = .ending
      return enqueue(.state, [BluetoothState.end.rawValue])
    case (.preparing, .end), (.waiting, .end):
      let isConnected = state == .preparing
      state = .finished
      return (isConnected ? [.disconnect] : []) + [.closed]
    case (.preparing, .disconnected):
      state = .waiting
      return [.interrupted]
    case (.open, .disconnected):
      state = .finished
      return [.record([ProximityCheck.link.failure(.closed)]), .closed]
    case (.ending, .disconnected):
      state = .finished
      return [.closed]
    default: return []
    }
  }
}

extension BluetoothLink {
  private var readsIdent: Bool { checksIdent && party == .mdoc && isClient }

  private mutating func connect(_ unit: Int) -> [Effect] {
    guard unit >= MessageParts.leastUnit else {
      return fail(ProximityError(.linkUnit, "the maximum transmission unit is below 23", evidence: "\(unit)"))
    }
    self.unit = unit
    state = .preparing
    return isClient ? [readsIdent ? .readIdent : .subscribe] : []
  }

  private mutating func compare(_ value: [UInt8]) -> [Effect] {
    guard value == ident else {
      return fail(
        ProximityError(
          .linkIdent, "the reader's Ident characteristic is that of another engagement",
          evidence: "\(value.count) bytes"))
    }
    return [.record([ProximityCheck.ident.passed]), .subscribe]
  }

  /// Takes a value of the peer. Each end receives one of the message characteristics.
  private mutating func take(_ value: [UInt8], of characteristic: BluetoothCharacteristic) -> [Effect] {
    do throws(ProximityError) {
      switch characteristic {
      case .state: return try takeState(value)
      case .clientToServer where !isClient, .serverToClient where isClient:
        guard state != .preparing else { throw ProximityError(.linkState, "a message before the transfer began") }
        return try parts.append(value).map { [.received($0)] } ?? []
      default:
        throw ProximityError(
          .linkCharacteristic, "the peer may not send this characteristic", evidence: characteristic.rawValue)
      }
    } catch {
      return fail(error)
    }
  }

  private mutating func takeState(_ value: [UInt8]) throws(ProximityError) -> [Effect] {
    guard value.count == 1, let received = BluetoothState(rawValue: value[0]) else {
      throw ProximityError(.linkState, "the state does not exist", evidence: "\(value.count) bytes")
    }
    switch (received, state) {
    case (.start, .preparing) where !isClient:
      state = .open
      return [.record([ProximityCheck.link.passed]), .opened]
    case (.end, .open), (.end, .ending):
      // Parts that wait for the last one are lost with the message.
      let isWhole = !parts.isIncomplete
      state = .finished
      let failed = ProximityError(.linkPart, "the transfer ended inside a message").failure.result
      return (isWhole ? [] : [.record([failed])]) + (isClient ? [.disconnect] : []) + [.closed]
    default: throw ProximityError(.linkState, "the state does not belong here", evidence: "\(received.rawValue)")
    }
  }

  private mutating func send(_ message: [UInt8]) -> [Effect] {
    guard queued + message.count <= ProximityLimits.queuedBytes else {
      return fail(ProximityError(.linkSize, "too many bytes wait to be sent", evidence: "\(queued) bytes"))
    }
    let outgoing: BluetoothCharacteristic = isClient ? .clientToServer : .serverToClient
    return MessageParts.split(message, unit: unit).flatMap { enqueue(outgoing, $0) }
  }

  private mutating func enqueue(_ characteristic: BluetoothCharacteristic, _ bytes: [UInt8]) -> [Effect] {
    queue.append(Value(characteristic: characteristic, bytes: bytes))
    queued += bytes.count
    return transmit()
  }

  /// Gives the next value to the stack, unless it has not taken the one before.
  private mutating func transmit() -> [Effect] {
    guard !isInFlight else { return [] }
    guard !queue.isEmpty else {
      guard state == .ending else { return [] }
      state = .finished
      return (isClient ? [.disconnect] : []) + [.closed]
    }
    let value = queue.removeFirst()
    queued -= value.bytes.count
    isInFlight = true
    return [.transmit(value.characteristic, value.bytes)]
  }

  private mutating func fail(_ error: ProximityError) -> [Effect] {
    state = .finished
    queue = []
    return [.record([error.failure.result]), .disconnect, .closed]
  }
}
