import Crypto
import Foundation
import HybridTransport
import Messaging
import Primitives
import SimulationKernel
import Vocabulary

/// A tunnel service: relays sealed messages between a phone and a client platform.
///
/// ```
/// phone --GET /cable/new/TUNNEL--> service --101, routing identifier--> phone
/// client platform --GET /cable/connect/ROUTING/TUNNEL--> service --101--> client platform
/// client platform <--binary messages--> service <--binary messages--> phone
/// ```
///
/// An end has one WebSocket at a service at a time. Each message of the network is one WebSocket message.
package actor TunnelService: StationedActor {
  package nonisolated let station: Station
  private var machine: TunnelServiceMachine<Party>
  private var routing: EntropyStream
  /// The request of each end that waits for its answer.
  private var requests: [Party: (message: Message, upgrade: TunnelUpgrade)] = [:]

  private let conduct: any CrossDeviceConduct

  package init(_ limits: WorldDescription.TunnelServiceLimits, conduct: any CrossDeviceConduct, station: Station) {
    self.station = station
    self.conduct = conduct
    routing = station.stream("routing")
    machine = TunnelServiceMachine(
      limits: .init(seconds: limits.seconds, messages: limits.messages, messageBytes: limits.messageBytes))
  }

  /// The party of the service with a host name.
  package static func party(_ host: String) -> Party { Party(.tunnelService, host) }

  package func receive(_ message: Message) {
    switch message.kind {
    case .openTunnel:
      guard let upgrade = TunnelUpgrade(message.bytes, at: station.party.name) else {
        return station.answer(message, .tunnelRefused, bytes: TunnelUpgrade.refused(.badRequest), as: MediaType.http)
      }
      requests[message.sender] = (message, upgrade)
      perform(
        machine.receive(
          .requested(message.sender, upgrade.request, routingID: routing.bytes(TunnelAddress.routingIDLength))))
    case .tunnelMessage: perform(machine.receive(.received(message.sender, message.bytes)), for: message.sender)
    case .closeTunnel: perform(machine.receive(.closed(message.sender)))
    default: station.ignore(message)
    }
  }

  /// Closes the WebSocket of an end whose device is switched off.
  package func disconnect(_ end: Party) {
    requests[end] = nil
    perform(machine.receive(.closed(end)))
  }

  private func perform(_ effects: [TunnelServiceMachine<Party>.Effect], for sender: Party? = nil) {
    for effect in effects {
      switch effect {
      case .open(let end, let routingID): answer(end, .tunnelOpen) { $0.accepted(routingID: routingID) }
      case .refuse(let end, let refusal):
        station.note(
          .tunnelRefused, value: String(refusal.status.rawValue), "the service refuses a tunnel: \(refusal.message)")
        answer(end, .tunnelRefused) { _ in TunnelUpgrade.refused(refusal.status) }
      case .relay(let bytes, let end):
        guard let sender else { continue }
        let message = TunnelMessage(
          sender: sender.role == .authenticator ? .authenticator : .clientPlatform, bytes: bytes)
        for delivered in conduct.delivered(message, at: station) {
          station.send(
            .tunnelMessage, bytes: delivered.bytes, as: MediaType.sealed, to: delivered.isReflected ? sender : end)
        }
      case .close(let end, let reason):
        station.note(.tunnelClosed, value: reason.name, reason.message)
        station.send(.closeTunnel, [String](), to: end)
      case .setTimer(let tunnel, let seconds):
        after(.seconds(seconds)) { $0.perform($0.machine.receive(.timedOut(tunnel: tunnel))) }
      }
    }
  }

  private func answer(_ end: Party, _ kind: MessageKind, _ bytes: (TunnelUpgrade) -> [UInt8]) {
    guard let request = requests.removeValue(forKey: end) else { return }
    station.answer(request.message, kind, bytes: bytes(request.upgrade), as: MediaType.http)
  }
}

extension Station {
  /// Asks a tunnel service for a tunnel. Returns nil without an answer.
  /// - Parameter nonce: 16 bytes.
  func openTunnel(_ address: TunnelAddress, nonce: [UInt8]) async -> TunnelUpgrade.Answer? {
    let request = TunnelUpgrade.request(address, nonce: nonce)
    let service = TunnelService.party(address.host)
    let answer = try? await endpoint.request(.openTunnel, request, as: MediaType.http, to: service)
    return answer.map { TunnelUpgrade.answer($0.bytes, nonce: nonce) }
  }
}

extension TunnelHTTP.Refusal {
  /// The refusal in words.
  fileprivate var message: String { reason?.message ?? "HTTP \(status.rawValue) \(status.phrase)" }
}

extension TunnelHTTP.Status {
  /// The reason phrase of the status line (RFC 9110, 15).
  fileprivate var phrase: String {
    switch self {
    case .switchingProtocols: "Switching Protocols"
    case .badRequest: "Bad Request"
    case .forbidden: "Forbidden"
    case .notFound: "Not Found"
    case .methodNotAllowed: "Method Not Allowed"
    case .conflict: "Conflict"
    case .gone: "Gone"
    case .expired: "Expired"
    }
  }
}

/// The opening handshake of a WebSocket for a tunnel (RFC 6455, 4), as HTTP messages.
struct TunnelUpgrade: Sendable {
  /// The method, the path and the subprotocols.
  let request: TunnelHTTP.Request
  /// The client's `Sec-WebSocket-Key`.
  private let key: String

  /// The length of the client's nonce in bytes (RFC 6455, 4.1).
  static let nonceLength = 16
  /// The length of the longest head that a service reads, in bytes.
  private static let maximumLength = 4_096
  /// The text that the key is hashed with (RFC 6455, 1.3).
  private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  /// Returns the request for an address.
  /// - Parameter nonce: 16 bytes.
  static func request(_ address: TunnelAddress, nonce: [UInt8]) -> [UInt8] {
    head([
      "GET \(address.path) HTTP/1.1", "Host: \(address.host)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(Data(nonce).base64EncodedString())",
      "Sec-WebSocket-Protocol: \(TunnelHTTP.subprotocol)",
    ])
  }

  /// Reads a request to a host, or returns nil if it does not ask it for a WebSocket as RFC 6455, 4.2.1 says.
  init?(_ bytes: [UInt8], at host: String) {
    guard bytes.count <= Self.maximumLength, let (first, fields) = Self.read(bytes) else { return nil }
    let parts = first.split(separator: " ")
    guard parts.count == 3, parts[2] == "HTTP/1.1", fields["host"]?.lowercased() == host.lowercased(),
      fields["upgrade"]?.lowercased() == "websocket", fields["connection"]?.lowercased() == "upgrade",
      fields["sec-websocket-version"] == "13", let key = fields["sec-websocket-key"],
      Base64.decode(key)?.count == Self.nonceLength
    else { return nil }
    var request = TunnelHTTP.Request(path: String(parts[1]))
    request.method = String(parts[0])
    request.subprotocols = (fields["sec-websocket-protocol"] ?? "").split(separator: ",").map {
      String($0.drop { $0 == " " })
    }
    self.request = request
    self.key = key
  }

  /// Returns the answer that opens the WebSocket.
  func accepted(routingID: [UInt8]?) -> [UInt8] {
    let routing = routingID.map { ["\(TunnelHTTP.routingIDHeader): \(TunnelHTTP.routingIDHeader($0))"] } ?? []
    return Self.head(
      [
        "HTTP/1.1 101 \(TunnelHTTP.Status.switchingProtocols.phrase)", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Accept: \(Self.accept(key))", "Sec-WebSocket-Protocol: \(TunnelHTTP.subprotocol)",
      ] + routing)
  }

  /// The value of `Sec-WebSocket-Accept` for a key (RFC 6455, 4.2.2).
  private static func accept(_ key: String) -> String {
    Data(Insecure.SHA1.hash(data: Data((key + identifier).utf8))).base64EncodedString()
  }

  /// Returns the answer that refuses it.
  static func refused(_ status: TunnelHTTP.Status) -> [UInt8] {
    head(["HTTP/1.1 \(status.rawValue) \(status.phrase)", "Content-Length: 0"])
  }

  /// The answer of a service.
  enum Answer: Sendable {
    /// The WebSocket is open. A phone has a routing identifier.
    case open(routingID: [UInt8]?)
    /// The status of a refusal; 0 for an answer that cannot be read.
    case refused(status: Int)
  }

  /// Reads the answer of a service.
  /// - Parameter nonce: The nonce of the request, which the service has to hash.
  static func answer(_ bytes: [UInt8], nonce: [UInt8]) -> Answer {
    guard bytes.count <= maximumLength, let (first, fields) = read(bytes), first.hasPrefix("HTTP/1.1 "),
      let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return .refused(status: 0) }
    guard status == TunnelHTTP.Status.switchingProtocols.rawValue,
      fields["upgrade"]?.lowercased() == "websocket", fields["connection"]?.lowercased() == "upgrade",
      fields["sec-websocket-accept"] == accept(Data(nonce).base64EncodedString()),
      fields["sec-websocket-protocol"] == TunnelHTTP.subprotocol
    else { return .refused(status: status) }
    let header = fields[TunnelHTTP.routingIDHeader.lowercased()]
    return .open(routingID: header.flatMap { try? TunnelHTTP.routingID(ofHeader: $0) })
  }

  private static func head(_ lines: [String]) -> [UInt8] { Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) }

  /// The first line and the fields of a head, their names in lower case.
  private static func read(_ bytes: [UInt8]) -> (first: String, fields: [String: String])? {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.split(separator: "\r\n")
    guard let first = lines.first else { return nil }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      guard fields.updateValue(String(value), forKey: line[..<colon].lowercased()) == nil else { return nil }
    }
    return (String(first), fields)
  }
}
