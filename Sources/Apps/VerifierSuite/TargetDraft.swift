import CaseSuites
import DigitalCredentials
import Faults
import Foundation
import JSON
import LocatedYAML
import OwnServers
import Primitives
import ScenarioLanguage

/// The file of a target, made by trying a server: what was found, what was guessed, and what is left to fill in.
public struct TargetDraft: Sendable {
  /// The text of the file, with comments.
  public let text: String
  /// True if nothing is left to fill in.
  public let isComplete: Bool

  /// The methods that are tried for the call that begins a session.
  private static let methods = ["POST", "GET"]

  /// Tries a server.
  ///
  /// - Parameters:
  ///   - begin: the address of the call that begins a session.
  ///   - submit: the address of the call that takes the credential; nil if it is not known.
  ///   - origin: the origin of the page; nil for that of the address.
  ///   - seed: the seed of keys and certificates.
  ///   - folder: a folder for temporary files, which only the owner may read.
  /// - Throws: ``SuiteStop`` if the server begins no session.
  public init(
    begin: String, submit: String?, origin: Origin?, seed: UInt64, folder: URL
  ) throws(SuiteStop) {
    guard let address = WebAddress(begin), let origin = origin ?? (try? Origin(serialized: address.origin)) else {
      throw SuiteStop(.unreachable, "not an address of a server: \(begin)")
    }
    var failures: [String] = []
    var found: (method: String, session: TargetSession)?
    for method in Self.methods where found == nil {
      let target = VerifierTarget.tried(
        origin: origin, begin: .init(method: method, address: begin),
        submit: .init(method: "POST", address: submit ?? begin))
      var session = TargetSession(target, Self.client(of: target, in: folder))
      do throws(HTTPFailure) {
        try session.begin()
        found = (method, session)
      } catch {
        failures.append("\(method): \(error.sentence)")
      }
    }
    guard let (method, session) = found else {
      throw SuiteStop(.unreachable, "the server begins no session", details: failures)
    }
    let names = session.values.members.map { "$\($0.name)" }
    let content =
      session.beganWithData ? "the data of an org-iso-mdoc request" : "the options of navigator.credentials.get"
    var lines = [
      "# A verifier server under test. Made by calling it; presentment test-verifier reads it.",
      "target: \(YAMLValue.text(address.host).flow)", "origin: \(origin.serialized)", "",
      "# The call that begins a session. Its answer has \(content).",
      "begin: \(method) \(begin)",
      names.isEmpty
        ? "# Its answer has no other value at its top level; cookies are kept."
        : "# Later calls can use \(names.joined(separator: ", ")), and send cookies back.",
      "",
    ]
    let parts = session.beganWithData ? "response" : "protocol, data"
    guard let submit else {
      lines += [
        "# The call that takes the credential, with \(parts) and the values above: fill it in.",
        "# submit: POST \(address.server)/…", "",
      ]
      (text, isComplete) = (lines.joined(separator: "\n"), false)
      return
    }
    lines += [
      "# The call that takes the credential as JSON: \(parts) and the values above.", "submit: POST \(submit)",
      "",
    ]
    let (pattern, told) = Self.accepted(session.target, seed: seed, folder: folder)
    lines += told.map { "# \($0)" }
    lines.append(pattern.map { "accepted: \($0.flow)" } ?? "# accepted: { json: /…, is: … }")
    (text, isComplete) = (lines.joined(separator: "\n") + "\n", pattern != nil)
  }

  private static func client(of target: VerifierTarget, in folder: URL) -> HTTPClient {
    let place = folder.appendingPathComponent(UUID().uuidString)
    try? FileManager.default.createDirectory(
      at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return HTTPClient(folder: place, addresses: target.addresses, limits: target.limits)
  }

  /// Finds out how acceptance looks: by a genuine answer, and by one of which a bit is flipped.
  private static func accepted(
    _ target: VerifierTarget, seed: UInt64, folder: URL
  ) -> (pattern: YAMLValue?, told: [String]) {
    let maker = AnswerMaker(origin: target.origin.serialized, seed: seed, sandbox: .inProcess, folder: folder)
    func tried(_ plan: AnswerPlan, _ number: Int) -> Result<HTTPAnswer, SuiteStop> {
      var session = TargetSession(target, Self.client(of: target, in: folder))
      do {
        try session.begin()
        let answer = try maker.answer(to: session.options, plan, number: number)
        return .success(try session.submit(answer.credential))
      } catch let error as AnswerMaker.Failure {
        return .failure(SuiteStop(.request, "the phone does not answer: \(error.message)"))
      } catch {
        return .failure(SuiteStop(.unreachable, "\(error)"))
      }
    }
    let altered = FaultCatalogue.fault("network.response-altered").map { [PlannedFault($0)] } ?? []
    let genuine: HTTPAnswer
    let refused: HTTPAnswer
    do {
      genuine = try tried(.genuine, 1).get()
      refused = try tried(AnswerPlan(faults: altered), 2).get()
    } catch {
      return (nil, [error.message])
    }
    let told = [
      "To a genuine answer it says: \(genuine.excerpt)", "To one of which a bit is flipped: \(refused.excerpt)",
    ]
    if [404, 405].contains(genuine.status) { return (nil, told + target.questions(about: genuine)) }
    if genuine.status != refused.status, (200...299).contains(genuine.status) {
      return (.one("status", .number(genuine.status)), told)
    }
    guard let one = genuine.json, let other = refused.json,
      let (place, value) = difference(of: one, from: other, at: "")
    else { return (nil, told + ["Both look the same."] + target.questions(about: genuine)) }
    return (.mapping([.init("json", .text(place)), .init("is", value)]), told)
  }

  /// The first text, number or truth value of a JSON text that another one does not have at the same place.
  private static func difference(
    of one: JSONValue, from other: JSONValue, at place: String
  ) -> (place: String, value: YAMLValue)? {
    switch one {
    case .object(let members):
      return members.lazy.compactMap { member in
        let name = member.name.replacing("~", with: "~0").replacing("/", with: "~1")
        return difference(of: member.value, from: other.member(member.name) ?? .null, at: "\(place)/\(name)")
      }.first
    case .string(let text): return one == other ? nil : (place, .text(text))
    case .boolean(let value): return one == other ? nil : (place, .boolean(value))
    case .number(let spelling): return one == other ? nil : (place, .plain(spelling))
    default: return nil
    }
  }
}

extension VerifierTarget {
  /// A target of which only the calls are known.
  fileprivate static func tried(origin: Origin, begin: Call, submit: Call) -> VerifierTarget {
    VerifierTarget(name: origin.serialized, origin: origin, begin: begin, submit: submit)
  }
}
