import Foundation
import HTTPTypes
import Hummingbird
import InteractiveWorlds
import JSON
import Messaging
import ScenarioRunner
import StageViews
import Telling
import TraceViews
import Vocabulary

/// Whole runs of scenarios for the stage, which plays them back. Every address names the same moment at any time: a play
/// only depends on the files, the case, the seed and the faults.
struct PlayRoutes: Sendable {
  let catalogue: Catalogue
  let workers: Workers
  /// The threads for pages of runs, which take many times longer than all the rest.
  let pageWorkers: Workers
  let plays: Plays
  /// The place where the sandbox of every device parses requests; nil for each device's own.
  let sandbox: WorldDescription.SandboxPlace?

  /// The maximum number of faults in one play: more than a person can follow.
  static let maximumFaults = 8

  /// Returns a play.
  func whole(_ request: Request) async throws(HTTPProblem) -> Response {
    let play = try await play(request)
    return Self.cacheable(request, play.tag) { Reply.bytes(play.json, type: "application/json") }
  }

  /// Returns the registrations of a device in a play.
  func registrations(_ request: Request) async throws(HTTPProblem) -> Response {
    try await workers.registrations(request, of: try await play(request).playback.result.journal.entries)
  }

  /// Returns the content of a message of a play.
  func message(_ request: Request, _ text: String) async throws(HTTPProblem) -> Response {
    let play = try await play(request)
    let result = play.playback.result
    let data = try await workers.message(Int(text), text, in: result.journal, result.scenario.world.names)
    return Self.cacheable(request, "\(play.tag)-\(Int(text) ?? 0)") { Reply.bytes(data, type: "application/json") }
  }

  /// Returns the trace page of a play as a file. It is not made for a client that has left while its request waited.
  func page(_ request: Request, for client: Client) async throws(HTTPProblem) -> Response {
    let wanted = try wanted(request)
    let step = request.query("step").flatMap { Int($0) } ?? 0
    let (name, html) = try await pageWorkers.attempt(isWanted: { !client.hasLeft }) { () throws(HTTPProblem) in
      let play = try compute(wanted)
      return (play.name, try Self.html(of: play, after: step))
    }
    return Self.download(Data(html.utf8), type: "text/html; charset=utf-8", name: name, "html")
  }

  /// - Parameter step: The number of steps after which the page opens: at the last line of the last one.
  private static func html(of play: Play, after step: Int) throws(HTTPProblem) -> String {
    let result = play.playback.result
    let steps = play.playback.steps
    let isStep = step >= 1 && step <= steps.count
    let opening = isStep ? steps[..<step].last { !$0.lines.isEmpty }?.lines.last : nil
    do throws(TraceViewError) {
      return try TracePage.html(
        of: result.journal.entries, openings: result.journal.openings,
        result: TracePage.Result(result, isAltered: play.isAltered),
        opening: opening.map { result.journal.entries[$0].number })
    } catch {
      throw HTTPProblem(.notFound, .notFound, error.message)
    }
  }

  /// Returns the file of a scenario.
  func scenario(_ request: Request) throws(HTTPProblem) -> Response {
    let (name, path, _) = try named(request)
    guard let text = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      throw HTTPProblem(.notFound, .notFound, "the file of '\(name.quoted)' cannot be read")
    }
    return Self.download(text, type: "application/yaml", name: name, "yaml")
  }

  /// Returns the file and the case that a request names.
  private func named(
    _ request: Request, _ side: Side = .only
  ) throws(HTTPProblem) -> (name: String, path: String, caseName: String?) {
    guard let name = request.query(side.rawValue + "scenario") ?? request.query("scenario") else {
      throw HTTPProblem(.badRequest, .member, "scenario: missing")
    }
    guard let found = catalogue.scenario(name) else {
      throw HTTPProblem(.notFound, .notFound, "unknown scenario '\(name.quoted)'")
    }
    let file = name.split(separator: "#", maxSplits: 1).first.map(String.init) ?? name
    return (file, found.path, found.caseName)
  }

  /// A run of a request that names two, as the beginning of the names of its parameters.
  enum Side: String {
    /// The left one, or the only one.
    case only = ""
    /// The right one. It has the scenario and the seed of the left one, unless the request names others.
    case other = "with-"
  }

  /// A play that a request names.
  struct Wanted: Sendable {
    var setting: DemoConfiguration
    var name: String
    var key: Plays.Key
  }

  /// Returns the play that a request names, and computes it if it is not kept.
  func play(_ request: Request, _ side: Side = .only) async throws(HTTPProblem) -> Play {
    let wanted = try wanted(request, side)
    if let kept = plays.find(wanted.key) { return kept }
    return try await workers.attempt { () throws(HTTPProblem) in try compute(wanted) }
  }

  /// Computes a play and keeps it, unless it is kept already.
  private func compute(_ wanted: Wanted) throws(HTTPProblem) -> Play {
    if let kept = plays.find(wanted.key) { return kept }
    do throws(InteractiveWorldError) {
      let play = Play(
        try wanted.setting.play(), name: wanted.name, faults: wanted.key.faults, language: wanted.key.language)
      plays.keep(play, as: wanted.key)
      return play
    } catch {
      throw HTTPProblem(error)
    }
  }

  /// Reads the play that a request names.
  func wanted(_ request: Request, _ side: Side = .only) throws(HTTPProblem) -> Wanted {
    let (name, path, caseName) = try named(request, side)
    var setting = DemoConfiguration(path: path, caseName: caseName)
    setting.sandbox = sandbox ?? ScenarioRun.placeWithoutProcesses
    if let text = request.query(side.rawValue + "seed") ?? request.query("seed") {
      guard let seed = UInt64(text) else {
        throw HTTPProblem(.badRequest, .member, "seed: not a number from 0 to \(UInt64.max)")
      }
      setting.seed = seed
    }
    setting.language = try Self.language(request.query(side.rawValue + "language") ?? request.query("language"))
    let names = request.uri.queryParameters.getAll("\(side.rawValue)fault").filter { !$0.isEmpty }
    guard names.count <= Self.maximumFaults else {
      throw HTTPProblem(.badRequest, .member, "fault: more than \(Self.maximumFaults) faults")
    }
    setting.faults = try DemoFault.named(names)
    let key = Plays.Key(
      scenario: [name, caseName].compactMap(\.self).joined(separator: "#"), seed: setting.seed,
      faults: setting.faults.map(\.name), language: setting.language, files: catalogue.modificationDates(with: path))
    return Wanted(setting: setting, name: name, key: key)
  }

  /// Reads the language of the devices; nil for each device's own.
  static func language(_ tag: String?) throws(HTTPProblem) -> Language? {
    guard let tag, !tag.isEmpty else { return nil }
    guard let language = Language(rawValue: tag) else {
      let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
      throw HTTPProblem(.badRequest, .member, "unknown language '\(tag.quoted)'; known: \(known)")
    }
    return language
  }

  /// A response that a cache keeps and asks about again: the files may change meanwhile.
  static func cacheable(_ request: Request, _ tag: String, _ body: () -> Response) -> Response {
    var response = request.knows(tag) ? Reply.empty(.notModified) : body()
    response.headers[.cacheControl] = "no-cache"
    response.headers[.eTag] = "\"\(tag)\""
    return response
  }

  private static func download(_ data: Data, type: String, name: String, _ ending: String) -> Response {
    var response = Reply.bytes(data, type: type)
    // Names of files in a folder may have any character; a header may not.
    let safe = name.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-")
        ? Character(scalar) : "_"
    }
    response.headers[.contentDisposition] = "attachment; filename=\"\(String(safe)).\(ending)\""
    return response
  }
}

extension Request {
  /// Returns whether the client has the content with a tag.
  func knows(_ tag: String) -> Bool {
    let known = headers[.ifNoneMatch]?.split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces).trimmingPrefix("W/")
    }
    return known?.contains { $0 == "\"\(tag)\"" || $0 == "*" } ?? false
  }
}

extension Workers {
  /// Returns the content of a message with its bytes, which a client outside the world may have sent, as JSON.
  ///
  /// - Parameters:
  ///   - number: The number of the message.
  ///   - text: The number as the request has it.
  func message(
    _ number: Int?, _ text: String, in journal: Journal, _ names: WorldNames
  ) async throws(HTTPProblem) -> Data {
    let (entries, openings) = (journal.entries, journal.openings)
    guard let number, let position = entries.firstIndex(where: { $0.event.message?.number == number }),
      let message = entries[position].event.message
    else { throw HTTPProblem(.notFound, .notFound, "unknown message \(text.quoted)") }
    return try await run {
      let readers = Openers.readers(of: entries, names: names)[position]
      let views = readers.map { PartyViews(entries, openings: openings).views(of: message, $0) } ?? []
      return Data(JSONCoding.encode(MessageContent(message, readers: readers, views: views)))
    }
  }

  /// Returns the registrations of a device after some lines of a journal.
  func registrations(_ request: Request, of entries: [JournalEntry]) async throws(HTTPProblem) -> Response {
    guard let device = request.query("device") else { throw HTTPProblem(.badRequest, .member, "device: missing") }
    var lines = entries.count
    if let text = request.query("line") {
      guard let line = Int(text), line >= 0 else { throw HTTPProblem(.badRequest, .member, "line: not a whole number") }
      lines = min(line, lines)
    }
    let shown = entries.prefix(lines)
    return Reply.json(try await run { RegistrationTable(of: shown, on: Party(.operatingSystem, device)) })
  }
}

extension PlayRoutes {
  /// Returns the comparison of two plays for the page that shows them side by side. It depends on the two plays
  /// only, so a page that has it keeps it.
  func beside(_ request: Request) async throws(HTTPProblem) -> Response {
    let left = try await play(request)
    let right = try await play(request, .other)
    let tag = "\(left.tag)-\(right.tag)"
    // A page that asks again has the comparison already, and another one takes as long as ten plays.
    if request.knows(tag) { return Self.cacheable(request, tag) { Reply.empty() } }
    let body = try await workers.run { JSONCoding.encode(BesideJSON(left.playback, right.playback)) }
    return Self.cacheable(request, tag) { Reply.bytes(.init(body), type: "application/json") }
  }
}
