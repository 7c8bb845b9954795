import Hummingbird
import NIOCore

/// The circumstances of a request: Hummingbird's, and the request's connection.
struct DemoContext: RequestContext {
  /// The connection of a request.
  struct Connection: Sendable {
    let channel: any Channel

    /// Closes the connection, and so ends a write that waits for the client.
    @Sendable func close() { channel.close(promise: nil) }
  }

  var coreContext: CoreRequestContextStorage
  let connection: Connection

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    connection = Connection(channel: source.channel)
  }
}
