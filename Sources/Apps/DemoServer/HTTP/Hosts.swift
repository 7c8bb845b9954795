import DigitalCredentials
import HTTPTypes
import Hummingbird
import NIOCore

/// The owner of each host: the stage, or a website of a world. Names under `localhost` belong to this machine (RFC
/// 6761, 6.3), and each is a separate origin. Other machines reach the stage only, by an address or a name of this
/// machine.
struct Hosts: Sendable {
  /// The owner of a host.
  enum Owner: Equatable, Sendable {
    case stage
    /// The website with a label, see ``label(of:)``.
    case website(String)
  }

  /// The port that the server listens on.
  let port: Int
  /// Names by which other machines reach the stage, in lower case.
  var names: [String] = []

  /// The stage's origin.
  var stageOrigin: String { origin(ofHost: "demo.localhost") }

  /// The origins of the stage.
  var stageOrigins: [String] { (Self.stageNames + ["127.0.0.1"] + names).map(origin(ofHost:)) }

  private static let stageNames = ["demo.localhost", "localhost"]

  /// The origin of a website.
  func origin(of website: String) -> String { origin(ofHost: "\(Self.label(of: website)).localhost") }

  /// The origin of a host of this server, as browsers write it: without the scheme's own port.
  private func origin(ofHost host: String) -> String { "http://\(host)" + (port == 80 ? "" : ":\(port)") }

  /// The label of a website in its host name (RFC 1123, 2.1): its identifier, if that is a label and not the stage's. Any
  /// other identifier has one of its own, with the letters and digits that a label can have.
  static func label(of website: String) -> String {
    if isPlainLabel(website), website != "demo", !website.hasPrefix("xn--"), !website.hasPrefix(madeLabelPrefix) {
      return website
    }
    var readable = ""
    for character in website.lowercased().utf8.prefix(longestReadablePart) {
      readable += isLetterOrDigit(character) ? String(UnicodeScalar(character)) : "-"
    }
    // FNV-1a: two identifiers with the same readable part differ in it.
    let number = website.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return madeLabelPrefix + readable + "-" + String(number, radix: 36)
  }

  private static let madeLabelPrefix = "site--"
  /// A label has 63 bytes, and the number 13 digits.
  private static let longestReadablePart = 40

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isPlainLabel(_ text: some StringProtocol) -> Bool {
    (1...63).contains(text.utf8.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
      && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
  }

  /// Returns the owner of a request's host. A name outside this machine is refused, because it may be an attempt at DNS
  /// rebinding. An IP address is accepted.
  func owner(of authority: String?) throws(HTTPProblem) -> Owner {
    let host = (authority ?? "").lowercased()
    let name = host.hasSuffix(":\(port)") ? String(host.dropLast(String(port).count + 1)) : host
    if Self.stageNames.contains(name) || names.contains(name) || Self.isAddress(name) { return .stage }
    guard name.hasSuffix(".localhost"), Self.isPlainLabel(name.dropLast(".localhost".count)) else {
      throw HTTPProblem(
        .misdirectedRequest, .host,
        "this server is not responsible for the host \(host.quoted); start it with --host-name to give it a name")
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

  /// Returns true if an origin is that of a website of this server.
  func isWebsite(_ origin: String) -> Bool {
    guard origin.hasPrefix("http://"), case .website? = try? owner(of: String(origin.dropFirst(7))) else {
      return false
    }
    return true
  }

  /// Returns true if an origin is on this machine.
  static func isLocal(_ text: String) -> Bool {
    guard let host = (try? Origin(serialized: text))?.host else { return false }
    return host == "localhost" || host.hasSuffix(".localhost") || host == "127.0.0.1" || host == "[::1]"
  }
}

extension Request {
  /// Refuses a request without a host or with more than one (RFC 9112, 3.2). The first is the authority of the request,
  /// and not among its header fields.
  func requireOneHost() throws(HTTPProblem) {
    guard head.authority != nil, HTTPField.Name("Host").map({ headers[values: $0].isEmpty }) ?? true else {
      throw HTTPProblem(.badRequest, .host, "the request must have one Host header")
    }
  }
}
