import Authorities
import Foundation
import Synchronization
import Testing

@testable import VerifierSuite

@Suite("The server of the suite's status lists")
struct StatusListServerTests {
  /// Seconds until a call without an answer fails.
  private static let patience = 60

  /// A socket that is connected to a port of this machine.
  private static func connect(_ client: Int32, to port: Int) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func socketWithPatience() -> Int32 {
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    return client
  }

  /// The answer to a request; empty without one.
  private static func answer(to request: String, from client: Int32) -> String {
    let bytes = Array(request.utf8)
    guard send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return "" }
    var (answer, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += buffer[..<count]
    }
  }

  /// A port that is free now, and below those that the system gives connections.
  private static func freePort() -> Int {
    let found = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(found) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    while true {
      let port = in_port_t.random(in: 10_000..<20_000)
      address.sin_port = port.bigEndian
      let length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isFree = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(found, $0, length) == 0 }
      }
      if isFree { return Int(port) }
    }
  }

  @Test("it pauses when descriptors run out, and serves again when there are some")
  func descriptorsRunOut() async {
    await #expect(processExitsWith: .success) {
      let shelf = StatusListShelf()
      shelf.put(["https://list.example/1": PublishedList(bytes: Array("a list".utf8), mediaType: "text/x-list")])
      let held = Mutex<[Int32]>([])
      let pauses = Mutex(0)
      let port = StatusListServerTests.freePort()
      let clients = [StatusListServerTests.socketWithPatience(), StatusListServerTests.socketWithPatience()]
      let server = try StatusListServer(port: port, shelf) {
        pauses.withLock { $0 += 1 }
        held.withLock { held in
          for descriptor in held { close(descriptor) }
          held = []
        }
      }
      held.withLock { held in
        while true {
          let copy = dup(clients[0])
          guard copy >= 0 else { break }
          held.append(copy)
        }
      }
      // The call that waits for a connection has reserved a descriptor. The one after it gets none.
      for client in clients { #expect(StatusListServerTests.connect(client, to: port)) }
      let found = StatusListServerTests.answer(to: "GET /list.example/1 HTTP/1.1\r\n\r\n", from: clients[1])
      #expect(found.hasPrefix("HTTP/1.1 200 OK\r\n") && found.hasSuffix("\r\n\r\na list"))
      #expect(pauses.withLock { $0 } > 0)
      server.stop()
    }
  }
}
