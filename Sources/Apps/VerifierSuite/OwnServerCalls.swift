import CaseSuites
import Foundation
import JSON
import OwnServers
import Primitives
import Recordings
import Synchronization

/// Calls the servers outside the worlds of a run, and keeps what they answer.
public final class OwnServerCalls: Sendable {
  private let folder: URL
  private let environment: [String: String]
  private let allowsRemote: Bool
  private let recorded = Mutex<[Recording.Call]>([])

  /// Creates calls.
  /// - Parameters:
  ///   - folder: The path of a folder for files of the clients, which is made with the first one and which only the owner
  ///     may read.
  ///   - environment: The variables that a target names with `$` and capital letters.
  ///   - allowsRemote: True if servers of other machines may be called.
  public init(folder: URL, environment: [String: String], allowsRemote: Bool) {
    self.folder = folder
    self.environment = environment
    self.allowsRemote = allowsRemote
  }

  /// The calls so far with their answers.
  public var recording: Recording { Recording(calls: recorded.withLock { $0 }) }

  /// Removes the files of the clients.
  public func close() { try? FileManager.default.removeItem(at: folder) }

  fileprivate func keep(_ call: Recording.Call) { recorded.withLock { $0.append(call) } }

  /// A client with cookies of its own.
  fileprivate func client(of target: VerifierTarget) throws(HTTPFailure) -> HTTPClient {
    if !allowsRemote, let remote = target.remoteAddresses.first {
      throw HTTPFailure(
        .client, "the server is on another machine: give --remote if it is yours to call", evidence: remote)
    }
    let place = folder.appendingPathComponent(UUID().uuidString)
    do {
      try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw HTTPFailure(.client, "the folder for temporary files cannot be written", evidence: place.path)
    }
    return HTTPClient(of: target, folder: place)
  }

  /// A call with the values of the variables that its target names, in its address, its headers and its body. What a server
  /// has sent may look like a variable, and must not get one that the target does not name.
  func filled(_ call: HTTPCall, of target: VerifierTarget) throws(HTTPFailure) -> HTTPCall {
    let names = target.variables
    if let missing = names.sorted().first(where: { environment[$0] == nil }) {
      throw HTTPFailure(.client, "the environment has no variable \(missing)")
    }
    func replaced(_ text: String, _ written: (String) -> String = { $0 }) -> String {
      TemplateText.replacing(text) { name in names.contains(name) ? environment[name].map(written) : nil }
    }
    var filled = call
    filled.address = replaced(call.address)
    filled.headers = call.headers.map { ($0.name, replaced($0.value)) }
    filled.body = call.body.map { body in
      Array(
        replaced(String(decoding: body, as: UTF8.self)) {
          String(decoding: JSONValue.string($0).bytes.dropFirst().dropLast(), as: UTF8.self)
        }.utf8)
    }
    return filled
  }
}

extension OwnServerCalls {
  /// The link of a case.
  public func link(of scenario: String, seed: UInt64, at time: MachineTime) -> any OwnServerLink {
    LiveServers(self, scenario: scenario, seed: seed, time: time)
  }
}

/// The calls of one world.
private final class LiveServers: OwnServerLink {
  private let time: MachineTime
  private let calls: OwnServerCalls
  private let scenario: String
  private let seed: UInt64
  private let clients = Mutex<[String: HTTPClient]>([:])

  init(_ calls: OwnServerCalls, scenario: String, seed: UInt64, time: MachineTime) {
    self.calls = calls
    self.scenario = scenario
    self.seed = seed
    self.time = time
  }

  func send(
    _ call: HTTPCall, of visitor: String, to target: VerifierTarget, at instant: Int64
  ) throws(HTTPFailure) -> (answer: HTTPAnswer, wait: Int64) {
    if let problem = time.wait(until: instant) {
      throw HTTPFailure(
        .timeout, problem, evidence: "a person who waits makes a server outside the world wait as long")
    }
    let key = "\(target.name) \(visitor)"
    let answer = try client(key, target).send(try calls.filled(call, of: target))
    let wait = time.since(instant)
    calls.keep(
      Recording.Call(
        scenario: scenario, seed: seed, worldStart: time.start, server: target.name, visitor: visitor, call: call,
        answer: answer, instant: instant, wait: wait))
    return (answer, wait)
  }

  private func client(_ key: String, _ target: VerifierTarget) throws(HTTPFailure) -> HTTPClient {
    if let client = clients.withLock({ $0[key] }) { return client }
    let client = try calls.client(of: target)
    clients.withLock { $0[key] = client }
    return client
  }
}
