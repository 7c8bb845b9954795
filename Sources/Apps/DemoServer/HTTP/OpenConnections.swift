import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import JSON
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

/// The open connections of a listener, of which there is a maximum number. A connection is busy while it has sent a whole
/// request that is not answered, and idle otherwise: a client can open idle ones without an effort, and loses nothing if
/// they close.
struct OpenConnections<Identifier: Hashable> {
  /// The maximum number.
  let limit: Int
  /// The number of the event with which each idle connection became idle; nil for busy ones.
  private var idleSince: [Identifier: Int?] = [:]
  private var eventCount = 0

  init(limit: Int) { self.limit = max(1, limit) }

  /// The number of open connections.
  var count: Int { idleSince.count }

  /// Adds a connection, which is idle.
  /// - Returns: The connection that must close for it, or nil. It is the one that has been idle for the longest time:
  ///   the new one itself if all others are busy.
  mutating func open(_ identifier: Identifier) -> Identifier? {
    eventCount += 1
    idleSince[identifier] = .some(eventCount)
    guard idleSince.count > limit else { return nil }
    let idle = idleSince.compactMap { identifier, since in since.map { (identifier: identifier, since: $0) } }
    guard let oldest = idle.min(by: { $0.since < $1.since }) else { return nil }
    idleSince[oldest.identifier] = nil
    return oldest.identifier
  }

  /// Stores whether a connection is busy. A connection that was closed stays so.
  mutating func set(_ identifier: Identifier, isBusy: Bool) {
    guard idleSince.keys.contains(identifier) else { return }
    eventCount += 1
    idleSince[identifier] = .some(isBusy ? nil : eventCount)
  }

  /// Removes a connection.
  mutating func close(_ identifier: Identifier) { idleSince[identifier] = nil }
}

/// The client at the other end of a connection.
final class Client: Sendable {
  private let left = Atomic(false)

  /// True if the client has closed its end of the connection, and so does not wait for an answer.
  var hasLeft: Bool { left.load(ordering: .relaxed) }

  fileprivate func leave() { left.store(true, ordering: .relaxed) }
}

/// Closes connections of a listener beyond a maximum number, those first that have been idle for the longest time.
///
/// If every one has a request in progress, a new connection gets a response of its own, 503, and closes. No request in
/// progress ends for it: people wait for some, and the others end soon. No connections are kept for short requests:
/// pages that watch have at most half of all (``ReaderCount``), and what waits for a thread is limited (``Workers``).
final class ConnectionLimit: Sendable {
  /// The maximum number for requests: a browser opens six connections to a host and one for each page that watches, so
  /// these are a hundred browsers.
  private static let maximum = 1024
  /// The part of the process's descriptors for connections. The others are for databases, the processes of sandboxes,
  /// and connections that are being closed.
  private static let shareOfDescriptors = 2

  /// The maximum number of connections for requests: less where the process may open few descriptors.
  static let ofProcess: Int = {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return maximum }
    return max(1, Int(clamping: min(limit.rlim_cur, rlim_t(maximum * shareOfDescriptors))) / shareOfDescriptors)
  }()

  /// The maximum number of refused connections that are open until they have their response. They are not counted, and
  /// take descriptors of the other half. Further ones close without a response.
  static let maximumRefused = 32

  private struct State {
    var open: OpenConnections<ObjectIdentifier>
    var channels: [ObjectIdentifier: (channel: any Channel, client: Client)] = [:]
    var refused: Set<ObjectIdentifier> = []
  }

  private let state: Mutex<State>
  /// The time that a refused connection has for its request and its response.
  private let timeOfRefusal: TimeAmount

  init(_ limit: Int, timeOfRefusal: TimeAmount = .seconds(2)) {
    state = Mutex(State(open: OpenConnections(limit: limit)))
    self.timeOfRefusal = timeOfRefusal
  }

  /// The limit of the process.
  static func ofServer() -> ConnectionLimit { ConnectionLimit(ofProcess) }

  /// The number of open connections, without those that are being closed.
  var count: Int { state.withLock { $0.open.count } }

  /// The clients of all connections until they are closed.
  var clients: [Client] { state.withLock { $0.channels.values.map(\.client) } }

  /// The client of a connection. A connection that was not counted, as without a socket, has one that stays.
  func client(of connection: DemoContext.Connection) -> Client {
    state.withLock { $0.channels[ObjectIdentifier(connection.channel)]?.client } ?? Client()
  }

  /// Closes every connection.
  func closeAll() {
    for channel in state.withLock({ $0.channels.values.map(\.channel) }) { channel.close(promise: nil) }
  }

  /// Stores whether a connection is busy.
  func set(_ channel: any Channel, isBusy: Bool) {
    state.withLock { $0.open.set(ObjectIdentifier(channel), isBusy: isBusy) }
  }

  /// Counts a connection, and closes one if there are too many.
  /// - Returns: False if the connection is refused, because all others are busy.
  fileprivate func open(_ channel: any Channel, of client: Client) -> Bool {
    let identifier = ObjectIdentifier(channel)
    let (closing, isRefused) = state.withLock { state -> ((any Channel)?, Bool) in
      state.channels[identifier] = (channel, client)
      guard let closing = state.open.open(identifier) else { return (nil, false) }
      guard closing == identifier else { return (state.channels[closing]?.channel, false) }
      guard state.refused.count < Self.maximumRefused else { return (channel, true) }
      state.refused.insert(identifier)
      return (nil, true)
    }
    closing?.close(promise: nil)
    if isRefused, closing == nil { channel.eventLoop.scheduleTask(in: timeOfRefusal) { channel.close(promise: nil) } }
    return !isRefused
  }

  /// The response to the request of a refused connection, whatever the request is.
  private static let refusal: ByteBuffer = {
    var problem = HTTPProblem(
      .serviceUnavailable, .full, "every connection has a request in progress; try again later")
    problem.retryAfter = 5
    let body = JSONCoding.encode(problem.json)
    var fields = Reply.problem(problem).headers
    fields[.connection] = "close"
    fields[.contentLength] = String(body.count)
    let lines = ["HTTP/1.1 \(problem.status)"] + fields.map { "\($0.name): \($0.value)" }
    return ByteBuffer(bytes: Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
  }()

  fileprivate func close(_ channel: any Channel) {
    state.withLock { state in
      state.open.close(ObjectIdentifier(channel))
      state.refused.remove(ObjectIdentifier(channel))
      state.channels[ObjectIdentifier(channel)] = nil
    }
  }

  /// A handler that counts its connection until it closes.
  func counter() -> some ChannelHandler { Counter(self) }

  private final class Counter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The state of a connection: its bytes go to the server, or it is refused.
    private enum Admission { case admitted, refused, answered }

    private let connections: ConnectionLimit
    private let client = Client()
    private var admission = Admission.admitted

    init(_ connections: ConnectionLimit) { self.connections = connections }

    func channelActive(context: ChannelHandlerContext) {
      if !connections.open(context.channel, of: client) { admission = .refused }
      context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch admission {
      case .admitted: context.fireChannelRead(data)
      case .refused:
        // A client may not expect a response before its request. The rest of the request is read, as closing a
        // connection with unread bytes takes the response away from the client (RFC 9112, 9.6).
        admission = .answered
        context.writeAndFlush(wrapOutboundOut(ConnectionLimit.refusal), promise: nil)
        context.close(mode: .output, promise: nil)
      case .answered: break
      }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .inputClosed? = event as? ChannelEvent {
        client.leave()
        if admission != .admitted { context.close(promise: nil) }
      }
      context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      client.leave()
      connections.close(context.channel)
    }
  }
}

/// HTTP/1.1 over a limited number of connections.
struct LimitedHTTP: ServerChildChannel {
  let http: HTTP1Channel
  let connections: ConnectionLimit

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    let counted = channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(connections.counter())
    }
    return counted.flatMap { http.setup(channel: channel, logger: logger) }.flatMapThrowing { value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(RequestWatch(connections), position: .after(decoder))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async { await http.handle(value: value, logger: logger) }
}

/// Says that a connection is busy from the end of a request to the end of its response.
private final class RequestWatch: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let connections: ConnectionLimit
  /// The number of whole requests without a response; below zero if a response did not wait for the request's end.
  private var unanswered = 0

  init(_ connections: ConnectionLimit) { self.connections = connections }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .end = unwrapInboundIn(data) { count(1, context) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { count(-1, context) }
    context.write(data, promise: promise)
  }

  private func count(_ change: Int, _ context: ChannelHandlerContext) {
    unanswered += change
    connections.set(context.channel, isBusy: unanswered > 0)
  }
}
