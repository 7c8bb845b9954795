import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A client of the WebDriver BiDi endpoint over a real connection.
final class BiDiClient: Sendable {
  /// The handshake was refused.
  struct Refused: Error {}

  /// The end of a connection: its messages until then, and the code of a closing frame.
  struct Closed: Error { let code: WebSocketErrorCode? }

  /// The ways in which a client ends its connection.
  enum Ending: Sendable {
    /// It closes the socket.
    case socket
    /// It waits for the server's answer to a closing frame (RFC 6455, 7.1.2).
    case closingFrame
  }

  private enum Opened {
    case webSocket(NIOAsyncChannel<WebSocketFrame, WebSocketFrame>)
    case refused
  }

  /// Connects, calls a function with the connection, and disconnects.
  static func connect<Result: Sendable>(
    port: Int, path: String = "/session", headers: HTTPHeaders = [:], ending: Ending = .socket,
    _ body: (Connection) async throws -> Result
  ) async throws -> Result {
    let opening: EventLoopFuture<Opened> = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .withConnectedSocket(try socket(to: port)) { channel in
        channel.eventLoop.makeCompletedFuture {
          let upgrader = NIOTypedWebSocketClientUpgrader<Opened>(
            maxFrameSize: 1 << 22,
            upgradePipelineHandler: { channel, _ in
              channel.eventLoop.makeCompletedFuture {
                Opened.webSocket(try NIOAsyncChannel(wrappingChannelSynchronously: channel))
              }
            })
          var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
          head.headers = headers
          if !headers.contains(name: "Host") { head.headers.add(name: "Host", value: "127.0.0.1:\(port)") }
          let configuration = NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: head, upgraders: [upgrader],
            notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(Opened.refused) })
          return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: .init(upgradeConfiguration: configuration))
        }
      }
    guard case .webSocket(let channel) = try await opening.get() else { throw Refused() }
    return try await channel.executeThenClose { inbound, outbound in
      let connection = Connection(inbound: inbound.makeAsyncIterator(), outbound: outbound)
      let result = try await body(connection)
      switch ending {
      case .socket: try await shutDown(channel.channel)
      case .closingFrame: try await connection.close()
      }
      return result
    }
  }

  /// Shuts a socket down. A program that another test starts has a copy of every socket until it executes: closing alone
  /// does not end the connection before that.
  private static func shutDown(_ channel: any Channel) async throws {
    try await channel.eventLoop.submit {
      // The socket of a connection that the server has ended is closed already.
      guard channel.isActive else { return }
      _ = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
        Glibc.shutdown($0, Int32(SHUT_RDWR))
      }
    }.get()
  }

  /// Connects a socket that no program inherits. One of swift-nio is inherited by a program that another test starts at
  /// that moment, and stays open until that program ends.
  private static func socket(to port: Int) throws -> NIOBSDSocket.Handle {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let connected = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(socket, $0, length) }
    }
    guard connected == 0 else {
      let error = IOError(errnoCode: errno, reason: "connect")
      if socket >= 0 { Glibc.close(socket) }
      throw error
    }
    return socket
  }

  /// An open connection.
  final class Connection {
    private var inbound: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    private var number = 0

    init(
      inbound: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator,
      outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>
    ) {
      self.inbound = inbound
      self.outbound = outbound
    }

    /// Sends a text message.
    func send(_ text: String) async throws {
      try await outbound.write(
        WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(string: text)))
    }

    /// Sends a frame as it is.
    func send(_ frame: WebSocketFrame) async throws { try await outbound.write(frame) }

    /// The next message.
    /// - Throws: ``Closed`` when the connection ends.
    func receive() async throws -> [String: Any] {
      while let frame = try await inbound.next(isolation: #isolation) {
        var data = frame.unmaskedData
        switch frame.opcode {
        case .text:
          return try JSONSerialization.jsonObject(with: Data(data.readableBytesView)) as? [String: Any] ?? [:]
        case .connectionClose: throw Closed(code: data.readWebSocketErrorCode())
        default: continue
        }
      }
      throw Closed(code: nil)
    }

    /// Sends a closing frame and waits for the server's.
    func close() async throws {
      try await outbound.write(
        WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: ByteBuffer()))
      while let frame = try await inbound.next(isolation: #isolation), frame.opcode != .connectionClose {}
    }

    /// Sends a command and returns its answer.
    func command(_ method: String, _ parameters: String = "{}") async throws -> [String: Any] {
      number += 1
      try await send(#"{"id":\#(number),"method":"\#(method)","params":\#(parameters)}"#)
      return try await receive()
    }

    /// Sends a command, and returns the code of its error, or nil if it succeeds.
    func error(_ method: String, _ parameters: String = "{}") async throws -> String? {
      try await command(method, parameters)["error"] as? String
    }
  }
}
