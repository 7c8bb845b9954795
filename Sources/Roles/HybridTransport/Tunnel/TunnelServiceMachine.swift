/// A tunnel service: it relays messages between a phone that waits and the client platform that connects to the phone, as a
/// pure machine. It is not trusted: it never has a key, and keeps the identifiers of tunnels only.
///
/// ```
/// phone --/cable/new/TUNNEL--> waiting --/cable/connect/ROUTING/TUNNEL--> connected
///                                 |                                          |
///                          time is over                     an end closes, or a limit is passed
/// ```
///
/// A tunnel connects once: a second client platform finds nothing.
public struct TunnelServiceMachine<Connection: Hashable & Sendable>: Sendable {
  /// The limits, which are the operator's own.
  public struct Limits: Sendable, Equatable {
    /// The seconds for which a tunnel is kept.
    public var seconds: Int
    /// The messages that are relayed for each end.
    public var messages: Int
    /// The bytes of a message.
    public var messageBytes: Int

    /// Creates limits.
    public init(seconds: Int, messages: Int, messageBytes: Int) {
      self.seconds = seconds
      self.messages = messages
      self.messageBytes = messageBytes
    }
  }

  /// The reason for which a tunnel ends.
  public enum Closing: Sendable, Equatable {
    /// An end closed its WebSocket.
    case byOtherEnd
    /// An end asked for another tunnel.
    case replaced
    /// The time of the tunnel is over.
    case timeOver
    /// A message has more bytes than the service relays.
    case tooLong(bytes: Int, limit: Int)
    /// An end sent more messages than the service relays.
    case tooMany(limit: Int)
    /// The phone sent a message before a client platform connected.
    case early

    /// The name.
    public var name: String { words.name }

    /// The reason in words.
    public var message: String { words.message }

    private var words: (name: String, message: String) {
      switch self {
      case .byOtherEnd: ("other-end", "the other end closed the tunnel")
      case .replaced: ("replaced", "the end asks for another tunnel")
      case .timeOver: ("time-over", "the time of the tunnel is over")
      case .tooLong(let bytes, let limit):
        ("message-too-long", "a message has \(bytes) bytes, and the service relays \(limit) at most")
      case .tooMany(let limit): ("too-many-messages", "an end sent more than \(limit) messages")
      case .early: ("early-message", "the phone sent a message before a client platform connected")
      }
    }
  }

  /// An input of the machine.
  public enum Event: Sendable {
    /// An end asks for a WebSocket. The routing identifier is for a phone.
    case requested(Connection, TunnelHTTP.Request, routingID: [UInt8])
    /// An end sent a message.
    case received(Connection, [UInt8])
    /// An end closed its WebSocket.
    case closed(Connection)
    /// The time of a tunnel is over.
    case timedOut(tunnel: Int)
  }

  /// An output of the machine.
  public enum Effect: Sendable, Equatable {
    /// Open the WebSocket of an end, and give a phone its routing identifier.
    case open(Connection, routingID: [UInt8]?)
    /// Refuse an end.
    case refuse(Connection, TunnelHTTP.Refusal)
    /// Give a message to the other end.
    case relay([UInt8], to: Connection)
    /// Close the WebSocket of an end, with the reason for the operator's records.
    case close(Connection, Closing)
    /// Report the end of a tunnel's time after some seconds.
    case setTimer(tunnel: Int, seconds: Int)
  }

  private struct Tunnel: Sendable {
    let number: Int
    let identifier: [UInt8]
    let routingID: [UInt8]
    let phone: Connection
    var platform: Connection?
    var messages: [Connection: Int] = [:]

    func other(than end: Connection) -> Connection? { end == phone ? platform : phone }
  }

  private let limits: Limits
  private var tunnels: [Tunnel] = []
  private var count = 0

  /// Creates a service without tunnels.
  public init(limits: Limits) { self.limits = limits }

  /// Returns the effects of an event. An event of a connection without a tunnel is late and has no effect.
  public mutating func receive(_ event: Event) -> [Effect] {
    switch event {
    case .requested(let connection, let request, let routingID):
      switch request.end() {
      case .failure(let refusal): return [.refuse(connection, refusal)]
      case .success(let end):
        let left = close(connection, .replaced)
        return switch end {
        case .new(let identifier): left + open(connection, identifier, routingID)
        case .connect(let routingID, let identifier): left + connect(connection, identifier, routingID)
        }
      }
    case .received(let connection, let bytes): return relay(bytes, from: connection)
    case .closed(let connection): return close(connection, .byOtherEnd)
    case .timedOut(let number):
      guard let tunnel = tunnels.first(where: { $0.number == number }) else { return [] }
      return end(tunnel, .timeOver)
    }
  }

  private mutating func open(_ phone: Connection, _ identifier: [UInt8], _ routingID: [UInt8]) -> [Effect] {
    guard !tunnels.contains(where: { $0.identifier == identifier && $0.platform == nil }) else {
      return [.refuse(phone, TunnelHTTP.Refusal(.conflict))]
    }
    count += 1
    tunnels.append(Tunnel(number: count, identifier: identifier, routingID: routingID, phone: phone))
    return [.open(phone, routingID: routingID), .setTimer(tunnel: count, seconds: limits.seconds)]
  }

  private mutating func connect(_ platform: Connection, _ identifier: [UInt8], _ routingID: [UInt8]) -> [Effect] {
    let waiting = tunnels.firstIndex { $0.identifier == identifier && $0.routingID == routingID && $0.platform == nil }
    guard let waiting else { return [.refuse(platform, TunnelHTTP.Refusal(.notFound))] }
    tunnels[waiting].platform = platform
    return [.open(platform, routingID: nil)]
  }

  private mutating func relay(_ bytes: [UInt8], from connection: Connection) -> [Effect] {
    guard let index = tunnels.firstIndex(where: { $0.phone == connection || $0.platform == connection }) else {
      return []
    }
    let tunnel = tunnels[index]
    guard bytes.count <= limits.messageBytes else {
      return end(tunnel, .tooLong(bytes: bytes.count, limit: limits.messageBytes))
    }
    let messages = tunnel.messages[connection, default: 0] + 1
    guard messages <= limits.messages else { return end(tunnel, .tooMany(limit: limits.messages)) }
    tunnels[index].messages[connection] = messages
    guard let other = tunnel.other(than: connection) else { return end(tunnel, .early) }
    return [.relay(bytes, to: other)]
  }

  private mutating func close(_ connection: Connection, _ reason: Closing) -> [Effect] {
    guard let tunnel = tunnels.first(where: { $0.phone == connection || $0.platform == connection }) else { return [] }
    tunnels.removeAll { $0.number == tunnel.number }
    return tunnel.other(than: connection).map { [.close($0, reason)] } ?? []
  }

  private mutating func end(_ tunnel: Tunnel, _ reason: Closing) -> [Effect] {
    tunnels.removeAll { $0.number == tunnel.number }
    return [tunnel.phone, tunnel.platform].compactMap(\.self).map { .close($0, reason) }
  }
}
