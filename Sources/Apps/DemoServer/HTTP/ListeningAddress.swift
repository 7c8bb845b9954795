import Foundation
import InteractiveWorlds
import NIOCore

/// The address that the server listens on, and the names by which other machines reach it.
struct ListeningAddress: Sendable {
  private let text: String
  private let givenNames: [String]

  /// - Parameter names: Names of this machine besides those that it knows itself.
  init(_ text: String, names: [String] = []) {
    self.text = text
    givenNames = names.map { $0.lowercased() }
  }

  /// True if other machines reach the address.
  var isReachable: Bool {
    !(text == "localhost" || text.hasSuffix(".localhost") || text.hasPrefix("127.") || text == "::1")
  }

  private var isEveryAddress: Bool { ["0.0.0.0", "::"].contains(text) }

  /// The names by which other machines reach the server. They are known from the operator and this machine, never from a
  /// request: a name in a request may be an attempt at DNS rebinding.
  var names: [String] {
    guard isReachable else { return givenNames }
    let own = ProcessInfo.processInfo.hostName.lowercased()
    let short = own.prefix { $0 != "." }
    var names: [String] = []
    for name in givenNames + [text.lowercased(), own, String(short), "\(short).local"]
    where name.contains(where: \.isLetter) && !name.contains(":") && !name.hasPrefix("localhost") {
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The address of the WebDriver BiDi endpoint, for a client of this machine.
  func bidi(port: Int) -> String {
    let host = isEveryAddress ? "127.0.0.1" : text
    return "ws://\(host.contains(":") ? "[\(host)]" : host):\(port)\(BiDiService.path)"
  }

  /// The address of the stage, for a browser of this machine.
  func stage(port: Int) -> String {
    let isOnLoopback = isEveryAddress || ["127.0.0.1", "::1", "localhost"].contains(text)
    return Self.url(isOnLoopback ? "demo.localhost" : text, port)
  }

  private static func url(_ host: String, _ port: Int) -> String {
    "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
  }

  /// The warning for the operator of a server that other machines reach, line by line.
  func warning(port: Int) -> [String] {
    guard isReachable else { return [] }
    let hosts = (isEveryAddress ? Self.ownAddresses : [text]) + names.filter { $0 != text }
    return [
      "warning: other machines reach \(text), and everyone there can use this server without a password",
      "  other machines open the stage at: \(hosts.map { Self.url($0, port) }.joined(separator: " "))",
      "  --host-name adds a name. The pages of websites open on this machine only: their hosts end in .localhost",
    ]
  }

  /// The addresses of this machine that other machines may reach.
  private static var ownAddresses: [String] {
    let devices = (try? System.enumerateDevices()) ?? []
    return devices.compactMap { device in
      guard let address = device.address, let host = address.ipAddress, address.protocol == .inet,
        !host.hasPrefix("127."), !host.hasPrefix("169.254.")
      else { return nil }
      return host
    }
  }

  /// The error of an address that the server cannot listen on, with the remedy; nil for other errors.
  /// - Parameters:
  ///   - option: The option for the port.
  ///   - action: What the server cannot do.
  func refusal(of error: any Error, port: Int, option: String = "--port", action: String = "serve") -> ProgramError? {
    let reason: String
    switch error {
    case let error as IOError where error.errnoCode == EADDRINUSE:
      reason = "the port is in use; choose another with \(option), or any free one with \(option) 0"
    case let error as IOError where error.errnoCode == EACCES:
      reason = "this port needs more rights; choose one above 1023 with \(option)"
    case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
      reason = "this machine does not have the address; see --address"
    case is SocketAddressError: reason = "the address is unknown; see --address"
    default: return nil
    }
    return ProgramError(.address, "cannot \(action) at \(text), port \(port): \(reason)")
  }
}
