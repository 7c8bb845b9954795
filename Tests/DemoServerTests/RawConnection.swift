import NIOCore
import NIOPosix

/// A connection to a server under test, as bytes.
final class RawConnection: Sendable {
  private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let received: AsyncStream<ByteBuffer>.Continuation

    init(_ received: AsyncStream<ByteBuffer>.Continuation) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { received.yield(unwrapInboundIn(data)) }
    func channelInactive(context: ChannelHandlerContext) { received.finish() }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }

  private let channel: any Channel
  private let received: AsyncStream<ByteBuffer>

  private init(_ channel: any Channel, _ received: AsyncStream<ByteBuffer>) {
    self.channel = channel
    self.received = received
  }

  deinit { channel.close(promise: nil) }

  static func open(port: Int) async throws -> RawConnection {
    let (received, receiving) = AsyncStream.makeStream(of: ByteBuffer.self)
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.allowRemoteHalfClosure, value: false)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Collector(receiving))
        }
      }.connect(host: "127.0.0.1", port: port).get()
    return RawConnection(channel, received)
  }

  func send(_ text: String) async throws {
    try await channel.writeAndFlush(ByteBuffer(string: text)).get()
  }

  /// Sends a request without a body.
  func get(_ path: String) async throws {
    try await send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
  }

  /// Says that it sends no more, as a client does that closes the connection.
  func leave() async throws { try await channel.close(mode: .output) }

  /// Receives until a text has come or the server closes the connection, and returns everything since the last call.
  @discardableResult
  func receive(until text: String) async -> String {
    var all = ByteBuffer()
    for await part in received {
      all.writeImmutableBuffer(part)
      if String(buffer: all).contains(text) { break }
    }
    return String(buffer: all)
  }

  /// Receives until the server closes the connection.
  @discardableResult
  func rest() async -> String {
    var all = ByteBuffer()
    for await part in received { all.writeImmutableBuffer(part) }
    return String(buffer: all)
  }
}
