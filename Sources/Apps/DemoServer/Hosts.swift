import Hummingbird
import NIOCore

/// Who a request is for, by its host: the stage, or a website of a world. Names under `localhost` are this machine's own
/// (RFC 6761, 6.3), and each is an origin of its own.
struct Hosts: Sendable {
  /// Who a host is.
  enum Owner: Equatable, Sendable {
    case stage
    case website(String)
  }

  /// The port that is listened on.
  let port: Int

  /// The stage's origin.
  var stageOrigin: String { "http://demo.localhost:\(port)" }

  /// The origin of a website.
  func origin(of website: String) -> String { "http://\(website).localhost:\(port)" }

  /// Who a request is for. A host that is not of this machine is another's name for it, as with DNS rebinding. An address is
  /// nobody's name: who can reach the server by one may do so.
  func owner(of authority: String?) throws(HTTPProblem) -> Owner {
    let host = (authority ?? "").lowercased()
    let name = host.hasSuffix(":\(port)") ? String(host.dropLast(String(port).count + 1)) : host
    if ["demo.localhost", "localhost"].contains(name) || Self.isAddress(name) { return .stage }
    let isLabel = name.dropLast(".localhost".count).utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-")
    }
    guard name.hasSuffix(".localhost"), isLabel else {
      throw HTTPProblem(.misdirectedRequest, .host, "this server is not of the host \(host.quoted)")
    }
    return .website(String(name.dropLast(".localhost".count)))
  }

  /// Whether a host is an address of version 4 or, in brackets, of version 6 of the Internet Protocol (RFC 3986, 3.2.2).
  private static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return (try? SocketAddress(ipAddress: String(host.dropFirst().dropLast()), port: 0)) != nil
    }
    return host.contains(".") && (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// Whether an origin is a page of this machine.
  static func isLocal(_ origin: String) -> Bool {
    let rest =
      origin.hasPrefix("http://") ? origin.dropFirst(7) : origin.hasPrefix("https://") ? origin.dropFirst(8) : ""
    let host = rest.prefix { $0 != ":" && $0 != "/" }
    return host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1" || rest.hasPrefix("[::1]")
  }
}
