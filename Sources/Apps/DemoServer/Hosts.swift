import Hummingbird
import NIOCore

/// The owner of each host: the stage, or a website of a world. Names under `localhost` belong to this machine (RFC
/// 6761, 6.3), and each is a separate origin.
struct Hosts: Sendable {
  /// The owner of a host.
  enum Owner: Equatable, Sendable {
    case stage
    case website(String)
  }

  /// The port that the server listens on.
  let port: Int

  /// The stage's origin.
  var stageOrigin: String { "http://demo.localhost:\(port)" }

  /// The origin of a website.
  func origin(of website: String) -> String { "http://\(website).localhost:\(port)" }

  /// Returns the owner of a request's host. A name outside this machine is refused, because it may be an attempt at DNS
  /// rebinding. An IP address is accepted.
  func owner(of authority: String?) throws(HTTPProblem) -> Owner {
    let host = (authority ?? "").lowercased()
    let name = host.hasSuffix(":\(port)") ? String(host.dropLast(String(port).count + 1)) : host
    if ["demo.localhost", "localhost"].contains(name) || Self.isAddress(name) { return .stage }
    let isLabel = name.dropLast(".localhost".count).utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || byte == UInt8(ascii: "-")
    }
    guard name.hasSuffix(".localhost"), isLabel else {
      throw HTTPProblem(.misdirectedRequest, .host, "this server is not responsible for the host \(host.quoted)")
    }
    return .website(String(name.dropLast(".localhost".count)))
  }

  /// Returns true if a host is an IPv4 address or, in brackets, an IPv6 address (RFC 3986, 3.2.2).
  private static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return (try? SocketAddress(ipAddress: String(host.dropFirst().dropLast()), port: 0)) != nil
    }
    return host.contains(".") && (try? SocketAddress(ipAddress: host, port: 0)) != nil
  }

  /// Returns true if an origin is on this machine.
  static func isLocal(_ origin: String) -> Bool {
    let rest =
      origin.hasPrefix("http://") ? origin.dropFirst(7) : origin.hasPrefix("https://") ? origin.dropFirst(8) : ""
    let host = rest.prefix { $0 != ":" && $0 != "/" }
    return host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1" || rest.hasPrefix("[::1]")
  }
}
