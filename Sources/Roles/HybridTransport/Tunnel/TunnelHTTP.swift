import Primitives

/// The part of HTTP by which an end reaches a tunnel service: headers and status codes as values.
public enum TunnelHTTP {
  /// The subprotocol of the WebSocket. The service must select it.
  public static let subprotocol = "fido.cable"
  /// The header of the phone's reply with its routing identifier.
  public static let routingIDHeader = "X-caBLE-Routing-ID"
  /// The header by which a client platform asks for a signal when the phone joins. It is not used here.
  public static let signalHeader = "X-caBLE-Signal-Connection"
  /// The header of a state-assisted transaction. It is not used here.
  public static let clientPayloadHeader = "X-caBLE-Client-Payload"

  /// A status of a tunnel service.
  public enum Status: Int, Sendable, CaseIterable {
    /// The WebSocket is open.
    case switchingProtocols = 101
    /// The subprotocol is missing.
    case badRequest = 400
    /// The service refuses the page's origin.
    case forbidden = 403
    /// The path or the tunnel is unknown, or the tunnel was used.
    case notFound = 404
    /// The method is not GET.
    case methodNotAllowed = 405
    /// The tunnel is already waiting.
    case conflict = 409
    /// The phone does not want to be reached again (linked transactions).
    case gone = 410
    /// The tunnel's time is over, as Google's service reports it.
    case expired = 418
  }

  /// A request to open a WebSocket.
  public struct Request: Sendable, Equatable {
    /// The method.
    public var method = "GET"
    /// The path.
    public var path: String
    /// The subprotocols that the end offers.
    public var subprotocols = [TunnelHTTP.subprotocol]

    /// The request of an end.
    public init(_ address: TunnelAddress) { path = address.path }
    /// A request with any path.
    public init(path: String) { self.path = path }

    /// Returns the end that the request is for, or the status of a refusal.
    public func end() -> Result<TunnelAddress.End, Refusal> {
      guard method == "GET" else { return .failure(Refusal(.methodNotAllowed)) }
      guard subprotocols.contains(TunnelHTTP.subprotocol) else { return .failure(Refusal(.badRequest)) }
      do { return .success(try TunnelAddress.end(ofPath: path)) } catch { return .failure(Refusal(.notFound, error)) }
    }
  }

  /// A refusal of a request.
  public struct Refusal: Error, Sendable, Equatable {
    /// The status of the reply.
    public let status: Status
    /// The reason, if the path cannot be read.
    public let reason: HybridError?

    /// Creates a refusal.
    public init(_ status: Status, _ reason: HybridError? = nil) {
      self.status = status
      self.reason = reason
    }
  }

  /// Returns the value of a routing identifier's header.
  public static func routingIDHeader(_ routingID: [UInt8]) -> String { hexadecimal(routingID).uppercased() }

  /// Reads the value of a routing identifier's header.
  /// - Throws: ``HybridError`` with `tunnelHeader`.
  public static func routingID(ofHeader value: String) throws(HybridError) -> [UInt8] {
    guard let bytes = Hexadecimal.decode(value), bytes.count == TunnelAddress.routingIDLength else {
      throw HybridError(
        .tunnelHeader, "\(routingIDHeader) does not have 6 hexadecimal digits", evidence: TerminalSafe.text(value))
    }
    return bytes
  }
}
