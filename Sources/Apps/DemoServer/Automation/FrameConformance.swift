import NIOCore
import NIOWebSocket

/// Fails a connection with a frame that a client without extensions may not send: one without a mask, with a reserved bit
/// or with a reserved opcode (RFC 6455, 5.1 and 5.2). swift-nio decodes all of them.
final class FrameConformance: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  /// The error of a connection with such a frame.
  struct Violation: Error {}

  private static let opcodes: [WebSocketOpcode] = [.continuation, .text, .binary, .connectionClose, .ping, .pong]

  private var hasFailed = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // No frame counts after the one that fails the connection (RFC 6455, 7.1.7).
    guard !hasFailed else { return }
    let frame = unwrapInboundIn(data)
    guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3, Self.opcodes.contains(frame.opcode) else {
      hasFailed = true
      return context.fireErrorCaught(Violation())
    }
    context.fireChannelRead(data)
  }
}
