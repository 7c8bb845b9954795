import Foundation
import InteractiveWorlds
import JSON
import TraceViews

/// What a test does besides setting the virtual wallet: commands of an extension module of WebDriver BiDi, and functions of
/// `presentment` in pages.
enum TestCommand: String, CaseIterable, Sendable {
  /// Replaces the faults for the next calls.
  case setFaults
  /// Does a step of the scenario language.
  case perform
  /// Returns the calls so far.
  case getCalls
  /// Returns everything that happened, a page of HTML for each page of the test.
  case getTrace
  /// Returns the calls so far as an HTTP Archive.
  case getArchive

  /// The prefix of the commands (WebDriver BiDi, "Extensions").
  private static let module = "presentment:test."

  /// The name of the command.
  var method: String { Self.module + rawValue }

  /// Finds a command by its name.
  init?(method: String) {
    guard method.hasPrefix(Self.module) else { return nil }
    self.init(rawValue: String(method.dropFirst(Self.module.count)))
  }
}

/// Does the commands of tests.
struct TestCommands: Sendable {
  let sessions: Sessions
  /// Threads for the pages of traces.
  let workers: Workers

  /// Does a command for pages that joined.
  ///
  /// - Parameters:
  ///   - parameters: A JSON object.
  ///   - pages: The pages of the test, in the order in which they joined.
  /// - Returns: The result, an object.
  func result(
    of command: TestCommand, _ parameters: JSONValue, for pages: [ExternalPages.Page]
  ) async throws(HTTPProblem) -> JSONValue {
    switch command {
    case .setFaults:
      let faults = try Self.faults(parameters)
      for page in pages { try await set(faults, for: page) }
      return .object([])
    case .perform:
      let session = try only(pages)
      try await HTTPProblem.ifRefused(try await session.world.perform(text: try Self.step(parameters)))
      return .object([])
    case .getCalls:
      let calls = try await calls(of: pages).map { origin, call in
        var members: [(String, JSONValue)] = [("origin", .string(origin))]
        if case .object(let entries)? = try? JSONReader.read(JSONCoding.encode(call)) {
          members += entries.map { ($0.name, $0.value) }
        }
        return JSONValue(members: members)
      }
      return JSONValue(members: [("calls", .array(calls))])
    case .getTrace:
      var traces: [JSONValue] = []
      for page in pages {
        guard let html = try await trace(of: page) else { continue }
        traces.append(JSONValue(members: [("origin", .string(page.origin)), ("page", .string(html))]))
      }
      return JSONValue(members: [("traces", .array(traces))])
    case .getArchive: return JSONValue(members: [("archive", PageCall.archive(try await calls(of: pages)))])
    }
  }

  /// Sets the faults for a page's next calls.
  func set(_ faults: [DemoFault], for page: ExternalPages.Page) async throws(HTTPProblem) {
    let session = page.world.flatMap(sessions.known)
    try await HTTPProblem.ifRefused(try await sessions.externalPages.set(faults, for: page.identifier, in: session))
  }

  /// The faults that parameters name.
  static func faults(_ parameters: JSONValue) throws(HTTPProblem) -> [DemoFault] {
    guard case .array(let list)? = parameters.member("faults") else {
      throw HTTPProblem(.badRequest, .member, "faults: must be an array of names")
    }
    let names = list.compactMap(\.text)
    guard names.count == list.count else { throw HTTPProblem(.badRequest, .member, "faults: not a string") }
    return try DemoFault.forPage(names)
  }

  /// The step that parameters have, as text or as JSON.
  private static func step(_ parameters: JSONValue) throws(InteractiveWorldError) -> String {
    switch parameters.member("step") {
    case .string(let text)?: return text
    case .object(let members)?: return String(decoding: JSONValue.object(members).bytes, as: UTF8.self)
    default: throw InteractiveWorldError(.unreadable, "step: must be a step, as text or as an object")
    }
  }

  /// The world of a command that is about one.
  private func only(_ pages: [ExternalPages.Page]) throws(HTTPProblem) -> Session {
    guard let page = pages.first else {
      throw HTTPProblem(.badRequest, .world, "no page of the test has joined a world")
    }
    guard pages.count == 1 else {
      let origins = pages.map(\.origin).joined(separator: ", ")
      throw HTTPProblem(.badRequest, .member, "context: required, because pages of \(origins) have joined worlds")
    }
    guard let session = page.world.flatMap(sessions.known) else { throw .noWorld }
    return session
  }

  private func calls(of pages: [ExternalPages.Page]) async throws(HTTPProblem) -> [(origin: String, call: PageCall)] {
    var calls: [(origin: String, call: PageCall)] = []
    for page in pages { calls += try await self.calls(of: page).map { (page.origin, $0) } }
    return calls
  }

  private func calls(of page: ExternalPages.Page) async throws(HTTPProblem) -> [PageCall] {
    guard let session = page.world.flatMap(sessions.known), let website = session.website(of: page.origin) else {
      return []
    }
    let entries = session.world.journal.entries
    return try await workers.run { PageCall.all(in: entries, of: website) }
  }

  /// The trace of a page's world; nil after the world has ended.
  private func trace(of page: ExternalPages.Page) async throws(HTTPProblem) -> String? {
    guard let session = page.world.flatMap(sessions.known) else { return nil }
    let line = try await calls(of: page).last?.line
    let (origin, journal) = (page.origin, session.world.journal)
    return try await workers.attempt { () throws(HTTPProblem) in
      do throws(TraceViewError) {
        return try TracePage.html(
          of: journal.entries, openings: journal.openings, result: TracePage.Result(title: "Calls of \(origin)"),
          opening: line)
      } catch {
        throw HTTPProblem(.internalServerError, .body, error.message)
      }
    }
  }
}
