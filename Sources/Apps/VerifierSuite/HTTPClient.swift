import CommandSupport
import Foundation
import OwnServers
import Primitives
import Synchronization

/// The client of a person's browser: it keeps cookies, and follows redirects within the target.
///
/// Calls are made by the program `curl`, which brings HTTP and TLS. Bodies and headers go to it by files that only their
/// owner can read, never as arguments, which other users of the machine could see.
final class HTTPClient: HTTPCaller {
  private let folder: URL
  private let limits: VerifierTarget.Limits
  /// The servers that calls may go to.
  private let servers: Set<String>
  private let count = Mutex(0)

  /// Creates a client without cookies.
  /// - Parameter folder: A folder for files of the client, which only the owner may read.
  init(of target: VerifierTarget, folder: URL) {
    self.folder = folder
    limits = target.limits
    servers = Set(target.addresses.compactMap { WebAddress($0)?.server })
  }

  /// Creates a client without cookies, which has a new folder for its files in a folder that exists.
  convenience init(visiting target: VerifierTarget, from folder: URL) {
    let place = folder.appendingPathComponent(UUID().uuidString)
    try? FileManager.default.createDirectory(
      at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    self.init(of: target, folder: place)
  }

  /// The largest number of redirects that are followed, as browsers do (Fetch, 4.4: 20).
  private static let mostRedirects = 20

  func send(_ call: HTTPCall) throws(HTTPFailure) -> HTTPAnswer {
    var call = call
    for _ in 0...Self.mostRedirects {
      let answer = try sendOnce(call)
      guard [301, 302, 303, 307, 308].contains(answer.status), let location = answer.header("location") else {
        return answer
      }
      guard let next = WebAddress(call.address)?.following(location) else {
        throw HTTPFailure(.redirect, "the server redirects to an address that cannot be read", evidence: location)
      }
      guard servers.contains(next.server) else {
        throw HTTPFailure(
          .redirect, "the server redirects to another server than those of the target", evidence: next.server)
      }
      call.address = next.text
      if answer.status <= 303, call.method != "GET", call.method != "HEAD" {
        (call.method, call.body) = ("GET", nil)
        call.headers.removeAll { $0.name.lowercased() == "content-type" }
      }
    }
    throw HTTPFailure(.redirect, "the server redirects more than \(Self.mostRedirects) times", evidence: call.address)
  }

  private func sendOnce(_ call: HTTPCall) throws(HTTPFailure) -> HTTPAnswer {
    guard let address = WebAddress(call.address), servers.contains(address.server) else {
      throw HTTPFailure(.redirect, "the address is not one of the target's servers", evidence: call.address)
    }
    let number = count.withLock { count in
      count += 1
      return count
    }
    let settings = folder.appendingPathComponent("call-\(number)")
    let body = folder.appendingPathComponent("body-\(number)")
    defer { for file in [settings, body] { try? FileManager.default.removeItem(at: file) } }
    var lines = [
      "url = \(Self.quoted(address.text))", "request = \(Self.quoted(call.method))",
      "cookie = \(Self.quoted(cookies.path))", "cookie-jar = \(Self.quoted(cookies.path))",
      "max-time = \(limits.timeout / .seconds(1))", "header = \"Expect:\"",
    ]
    lines += call.headers.map { "header = \(Self.quoted("\($0.name): \($0.value)"))" }
    if let bytes = call.body {
      try Self.write(bytes, to: body)
      lines.append("data-binary = \(Self.quoted("@" + body.path))")
    }
    try Self.write(Array(lines.joined(separator: "\n").utf8), to: settings)
    return try run(settings)
  }

  private var cookies: URL { folder.appendingPathComponent("cookies") }

  /// A value in a file of settings of curl.
  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
      .replacing("\r", with: "\\r")
    return "\"\(escaped)\""
  }

  private static func write(_ bytes: [UInt8], to file: URL) throws(HTTPFailure) {
    guard
      FileManager.default.createFile(atPath: file.path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
    else { throw HTTPFailure(.client, "the folder for temporary files cannot be written", evidence: file.path) }
  }

  /// The largest size of an answer's headers, in bytes: four times what servers commonly accept in a request.
  private static let headerBytes = 1 << 16

  private func run(_ settings: URL) throws(HTTPFailure) -> HTTPAnswer {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "curl", "-q", "--silent", "--show-error", "--include", "--globoff", "--noproxy", "*", "--proto", "=http,https",
      "--write-out", "%{stderr}%{time_total}", "--config", settings.path,
    ]
    let program: ChildProgram
    let output: Pipe
    let errors: Pipe
    do throws(ChildProgram.Failure) {
      (program, (output, errors)) = try ChildProgram.start(process) { process in
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        return (output, errors)
      }
    } catch {
      throw HTTPFailure(.client, "the program curl cannot be run", evidence: error.description)
    }
    let most = limits.answer + Self.headerBytes
    var bytes: [UInt8] = []
    while bytes.count <= most, let chunk = try? output.fileHandleForReading.read(upToCount: 1 << 16), !chunk.isEmpty {
      bytes += chunk
    }
    // It may have been started with every other signal blocked, and waits for the reader of its output.
    if bytes.count > most { kill(process.processIdentifier, SIGKILL) }
    // The errors of curl are short, so that it never waits for their reader.
    let told = (try? errors.fileHandleForReading.read(upToCount: 1 << 14)).flatMap(\.self) ?? Data()
    let code = program.wait()
    guard bytes.count <= most else { throw HTTPFailure(.tooLong, "the answer is longer than \(limits.answer) bytes") }
    let message = String(decoding: told, as: UTF8.self)
    guard code == 0 else { throw Self.failure(code, message) }
    return try Self.answer(bytes, time: message.split(separator: "\n").last.flatMap { Double($0) } ?? 0)
  }

  /// The meaning of an exit code of curl.
  private static func failure(_ code: Int32, _ message: String) -> HTTPFailure {
    let told = message.split(separator: "\n").first { $0.hasPrefix("curl: ") }.map { String($0.dropFirst(6)) }
    let evidence = told.map { TerminalSafe.text($0) }
    switch code {
    case 127: return HTTPFailure(.client, "the program curl is not installed")
    case 28: return HTTPFailure(.timeout, "the server did not answer in time", evidence: evidence)
    case 1, 8: return HTTPFailure(.malformed, "the answer is not HTTP", evidence: evidence)
    case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91:
      return HTTPFailure(.tls, "no TLS connection to the server", evidence: evidence)
    default: return HTTPFailure(.unreachable, "the server gave no answer", evidence: evidence)
    }
  }

  /// Reads the answer: the headers of the last answer, after those that only announce it, and the body.
  private static func answer(_ bytes: [UInt8], time: Double) throws(HTTPFailure) -> HTTPAnswer {
    var rest = bytes[...]
    while true {
      guard let end = end(ofHeadersIn: rest) else { throw HTTPFailure(.malformed, "the answer has no headers") }
      let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(whereSeparator: \.isNewline)
      rest = rest[end.upperBound...]
      let words = lines.first?.split(separator: " ") ?? []
      guard words.count >= 2, let status = Int(words[1]), (100...599).contains(status) else {
        throw HTTPFailure(.malformed, "the answer has no status")
      }
      if status < 200 { continue }
      let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
        guard let colon = line.firstIndex(of: ":") else { return nil }
        return (String(line[..<colon]), String(line[line.index(after: colon)...]).trimmingCharacters(in: .whitespaces))
      }
      return HTTPAnswer(status: status, headers: headers, body: Array(rest), time: .seconds(time))
    }
  }

  private static func end(ofHeadersIn bytes: ArraySlice<UInt8>) -> Range<Int>? {
    for index in bytes.indices where bytes[index] == 10 {
      let rest = bytes[bytes.index(after: index)...]
      if rest.starts(with: [13, 10]) { return index..<(index + 3) }
      if rest.first == 10 { return index..<(index + 2) }
    }
    return nil
  }
}
