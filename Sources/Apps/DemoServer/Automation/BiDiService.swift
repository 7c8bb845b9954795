import Foundation
import InteractiveWorlds
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import ServiceLifecycle
import Synchronization

/// The WebDriver BiDi endpoint: a WebSocket at `/session` on a port of its own (WebDriver BiDi, "Transport").
struct BiDiService: Service {
  /// The maximum size of a message in bytes: a response with a portrait has about 100 KiB.
  static let messageLimit = 1 << 20
  /// The maximum number of connections. Some have sessions, and others ask for the status or wait for their turn. One that
  /// has no session makes room for a new one.
  static let connectionLimit = BrowsingContexts.maximumOfDrivers + 15
  /// The maximum number of fragments of a message.
  private static let fragmentLimit = 1024
  /// The path of the WebSocket.
  static let path = "/session"
  /// The time that a client has for its handshake.
  private static let handshakeTime = TimeAmount.seconds(10)

  private enum Opened {
    case webSocket(NIOAsyncChannel<WebSocketFrame, WebSocketFrame>)
    case other(NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>)
  }

  let contexts: BrowsingContexts
  let address: String
  let port: Int
  /// The origins besides those of this machine whose pages may connect.
  let allowedOrigins: [String]
  /// Names of this machine besides `localhost` and its addresses.
  let names: [String]
  let connections = ConnectionLimit(Self.connectionLimit)
  /// Called with the port when the endpoint listens.
  let ready: @Sendable (Int) -> Void

  func run() async throws {
    let server: NIOAsyncChannel<EventLoopFuture<Opened>, Never>
    do {
      server = try await listen()
    } catch {
      let action = "listen for WebDriver BiDi"
      throw ListeningAddress(address).refusal(of: error, port: port, option: "--bidi", action: action)
        ?? ProgramError(.address, "cannot \(action) at \(address), port \(port): \(error); choose a port with --bidi")
    }
    ready(server.channel.localAddress?.port ?? port)
    do {
      // A client may stay connected for hours, so a shutdown does not wait for it, nor for a handshake that is not done.
      try await cancelWhenGracefulShutdown {
        try await withTaskCancellationHandler {
          try await serve(server)
        } onCancel: {
          connections.closeAll()
        }
      }
    } catch is CancellationError {}
  }

  private func listen() async throws -> NIOAsyncChannel<EventLoopFuture<Opened>, Never> {
    try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .bind(host: address, port: port) { channel in
        channel.eventLoop.makeCompletedFuture { try open(channel) }
      }
  }

  private func serve(_ server: NIOAsyncChannel<EventLoopFuture<Opened>, Never>) async throws {
    try await withThrowingDiscardingTaskGroup { group in
      try await server.executeThenClose { connections in
        for try await connection in connections {
          group.addTask {
            // A client that breaks the protocol ends its own connection only.
            do { try await handle(connection) } catch {}
          }
        }
      }
    }
  }

  private func open(_ channel: any Channel) throws -> EventLoopFuture<Opened> {
    try channel.pipeline.syncOperations.addHandler(connections.counter())
    let late = channel.eventLoop.scheduleTask(in: Self.handshakeTime) { channel.close(promise: nil) }
    let upgrader = NIOTypedWebSocketServerUpgrader<Opened>(
      maxFrameSize: Self.messageLimit,
      shouldUpgrade: { channel, head in
        refusal(of: head).map { Self.refuse(channel, $0) } ?? channel.eventLoop.makeSucceededFuture(HTTPHeaders())
      },
      upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
          late.cancel()
          try channel.pipeline.syncOperations.addHandler(FrameConformance())
          try channel.pipeline.syncOperations.addHandler(Self.aggregator())
          return Opened.webSocket(try NIOAsyncChannel(wrappingChannelSynchronously: channel))
        }
      })
    let configuration = NIOTypedHTTPServerUpgradeConfiguration(
      upgraders: [upgrader],
      notUpgradingCompletionHandler: { channel in
        channel.eventLoop.makeCompletedFuture {
          Opened.other(try NIOAsyncChannel(wrappingChannelSynchronously: channel))
        }
      })
    return try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
      configuration: .init(upgradeConfiguration: configuration))
  }

  /// Joins the fragments of a message.
  static func aggregator() -> NIOWebSocketFrameAggregator {
    NIOWebSocketFrameAggregator(
      minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: fragmentLimit, maxAccumulatedFrameSize: messageLimit)
  }

  /// A handshake was refused.
  private struct Refused: Error {}

  /// Refuses a handshake, and closes its connection: swift-nio 2.101 gives no answer if an upgrade is declined.
  private static func refuse(_ channel: any Channel, _ status: HTTPResponseStatus) -> EventLoopFuture<HTTPHeaders?> {
    let head = HTTPResponseHead(
      version: .http1_1, status: status, headers: ["Content-Length": "0", "Connection": "close"])
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    return channel.writeAndFlush(HTTPServerResponsePart.end(nil)).flatMap { channel.close() }
      .flatMapThrowing { throw Refused() }
  }

  /// Returns the status that refuses a handshake, or nil if it is for this endpoint and does not come from a page of
  /// elsewhere. A name outside this machine may be an attempt at DNS rebinding.
  private func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
    let named = head.headers["Host"]
    guard named.count == 1, let host = named.first else { return .badRequest }
    let hosts = Hosts(port: hostPort(of: host), names: names)
    guard head.uri == Self.path, (try? hosts.owner(of: host)) == .stage else { return .forbidden }
    guard let origin = head.headers.first(name: "Origin") else { return nil }
    return Hosts.isLocal(origin) || allowedOrigins.contains(origin) ? nil : .forbidden
  }

  private func hostPort(of host: String) -> Int { host.split(separator: ":").last.flatMap { Int($0) } ?? 80 }

  private func handle(_ connection: EventLoopFuture<Opened>) async throws {
    switch try await connection.get() {
    case .webSocket(let channel): try await converse(channel)
    case .other(let channel): try await refuse(channel)
    }
  }

  private func converse(_ channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>) async throws {
    let session = BiDiSession(contexts: contexts) { await Self.isConnected(channel.channel) }
    do {
      try await channel.executeThenClose { inbound, outbound in
        do {
          for try await frame in inbound {
            switch frame.opcode {
            case .text:
              let text = Array(buffer: frame.unmaskedData)
              guard String(validating: text, as: UTF8.self) != nil else {
                await session.close()
                return try await outbound.write(.closing(.dataInconsistentWithMessage))
              }
              connections.set(channel.channel, isBusy: true)
              let answer = await session.answer(text)
              try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: answer)))
              connections.set(channel.channel, isBusy: await session.hasBegun)
            case .ping: try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
            case .connectionClose:
              // A client that has this answer may begin a session over another connection.
              await session.close()
              return try await outbound.write(.closing(.normalClosure))
            case .binary:
              await session.close()
              return try await outbound.write(.closing(.dataInconsistentWithMessage))
            default: break
            }
          }
        } catch is FrameConformance.Violation {
          await session.close()
          return try await outbound.write(.closing(.protocolError))
        }
      }
    } catch {
      await session.close()
      throw error
    }
    await session.close()
  }

  /// The event of a peer that sends no more (poll(2)); the header has it for C with an extension only.
  private static let peerHungUp: Int16 = 0x2000

  /// Returns whether a client still has its end of a connection open. The system knows its end before the channel has
  /// read what the client sent until then.
  private static func isConnected(_ channel: any Channel) async -> Bool {
    let hangsUp = channel.eventLoop.submit {
      try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
        var state = pollfd(fd: socket, events: peerHungUp, revents: 0)
        return poll(&state, 1, 0) > 0
      }
    }
    // A closed channel has no socket.
    return channel.isActive ? (try? await hangsUp.get()) == false : false
  }

  private func refuse(_ channel: NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>) async throws {
    try await channel.executeThenClose { inbound, outbound in
      for try await part in inbound {
        guard case .head(let head) = part else { continue }
        let text = ByteBuffer(string: "this is the WebDriver BiDi endpoint: a WebSocket at \(Self.path)\n")
        let headers: HTTPHeaders = [
          "Content-Type": "text/plain; charset=utf-8", "Content-Length": String(text.readableBytes),
          "Connection": "close",
        ]
        let status: HTTPResponseStatus =
          head.headers["Host"].count != 1 ? .badRequest : head.uri == Self.path ? .forbidden : .notFound
        try await outbound.write(contentsOf: [
          .head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)), .body(.byteBuffer(text)),
          .end(nil),
        ])
        return
      }
    }
  }
}

extension WebSocketFrame {
  /// The frame that closes a connection (RFC 6455, 5.5.1).
  fileprivate static func closing(_ code: WebSocketErrorCode) -> WebSocketFrame {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
  }
}
