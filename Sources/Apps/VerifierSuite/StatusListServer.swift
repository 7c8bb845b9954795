import Authorities
import CaseSuites
import Foundation
import Synchronization

/// The status lists of the suite's issuing authorities, by their addresses.
final class StatusListShelf: Sendable {
  private struct State {
    var lists: [String: PublishedList] = [:]
    var isAsked = false
  }

  private let state = Mutex(State())

  /// Adds the lists of an answer.
  func put(_ lists: [String: PublishedList]) { state.withLock { $0.lists.merge(lists) { $1 } } }

  /// The list at an address, for the server under test.
  func list(at address: String) -> PublishedList? {
    state.withLock { state in
      state.isAsked = true
      return state.lists[address]
    }
  }

  /// Every list.
  var all: [String: PublishedList] { state.withLock(\.lists) }

  /// True if the server under test has asked for a list.
  var isAsked: Bool { state.withLock(\.isAsked) }
}

/// Serves the status lists on this machine: `GET /HOST/PATH` gets the list at `https://HOST/PATH`.
///
/// The suite has no certificate for the hosts of its authorities that a server would trust, so it serves without TLS.
/// The HTTP server of `serve` is in a program of its own, so that no other command needs what it brings; bytes at an address
/// need no more than this.
final class StatusListServer: Sendable {
  private let listener: Int32

  /// Starts serving.
  ///
  /// - Parameter pausing: Waits before a connection is accepted again after an error.
  /// - Throws: ``SuiteStop`` if the port is taken.
  init(
    port: Int, _ lists: StatusListShelf, pausing: @escaping @Sendable () -> Void = { usleep(pause) }
  ) throws(SuiteStop) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.listener = listener
    guard listener >= 0 else { throw Self.stop(port) }
    var on: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: Self.loopback.bigEndian)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound, listen(listener, Self.waiting) == 0 else {
      defer { close(listener) }
      throw Self.stop(port)
    }
    Thread {
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          // The socket was shut down: the suite is done. Of other errors, such as too few descriptors, some pass.
          if errno == EBADF || errno == EINVAL { break }
          pausing()
          continue
        }
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        DispatchQueue.global().async {
          Self.serve(connection, lists)
          close(connection)
        }
      }
      // Here and not in `stop`: until the last call of `accept`, the number must not become another file's.
      close(listener)
    }.start()
  }

  /// Stops serving.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// The error of the last system call.
  private static func stop(_ port: Int) -> SuiteStop {
    SuiteStop(.lists, "the suite cannot serve status lists on port \(port): \(String(cString: strerror(errno)))")
  }

  /// 127.0.0.1
  private static let loopback: UInt32 = 0x7f00_0001
  private static let waiting: Int32 = 64
  /// The time until a connection is accepted again after an error, in microseconds.
  static let pause: useconds_t = 10_000
  /// The longest head of a request, as servers commonly allow.
  private static let longestHead = 16 << 10
  /// The time for which a connection may be silent, in seconds.
  private static let patience = 5

  private static func serve(_ connection: Int32, _ lists: StatusListShelf) {
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(connection, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    let end = Array("\r\n\r\n".utf8)
    while !head.contains(end) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0, head.count + count <= longestHead else { return }
      head += buffer[..<count]
    }
    let words = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
    let list = words.count == 3 && words[0] == "GET" ? lists.list(at: "https:/\(words[1])") : nil
    let fields = [
      "HTTP/1.1 \(list == nil ? "404 Not Found" : "200 OK")", "Content-Type: \(list?.mediaType ?? "text/plain")",
      "Content-Length: \(list?.bytes.count ?? 0)", "Connection: close",
    ]
    var rest = (Array(fields.joined(separator: "\r\n").utf8) + end + (list?.bytes ?? []))[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard sent > 0 else { return }
      rest = rest.dropFirst(sent)
    }
  }
}
