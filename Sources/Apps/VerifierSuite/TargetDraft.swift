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
  ///   - begin: The address of the call that begins a session.
  ///   - submit: The address of the call that takes the credential; nil if it is not known.
  ///   - origin: The origin of the page; nil for that of the address.
  ///   - seed: The seed of keys and certificates.
  ///   - folder: A folder for temporary files, which only the owner may read.
  /// - Throws: ``SuiteStop`` if the server begins no session.
  public init(begin: String, submit: String?, origin: Origin?, seed: UInt64, folder: URL) throws(SuiteStop) {
    guard let address = WebAddress(begin), let origin = origin ?? (try? Origin(serialized: address.origin)) else {
      throw SuiteStop(.unreachable, "not an address of a server: \(begin)")
    }
    var failures: [String] = []
    var found: (method: String, session: TargetSession)?
    for method in Self.methods where found == nil {
      // A target of which only the calls are known.
      let target = VerifierTarget(
        name: origin.serialized, origin: origin, begin: .init(method: method, address: begin),
        submit: .init(method: "POST", address: submit ?? begin))
      var session = TargetSession(target, HTTPClient(visiting: target, from: folder))
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

  /// Another person, of whom a genuine answer has other values.
  private static let anotherPerson = [
    ("given_name", "Robin"), ("birth_date", "1985-02-03"), ("issue_date", "2023-05-06"), ("expiry_date", "2033-05-06"),
    ("eye_colour", "blue"), ("resident_address", "2 Hangar Street"), ("resident_city", "Tehachapi"),
    ("resident_postal_code", "93561"),
  ].map { SuiteWorld.Change.element($0.0, .text($0.1)) }

  /// The faults of answers that every server refuses, with the words of the file about each. A server that trusts no issuer
  /// answers those of unknown ones as it answers genuine answers.
  private static let dishonest = [
    ("network.response-altered", "To one of which a bit is flipped"),
    ("issuer.signer-of-unknown-root", "To one of an unknown issuer"),
    ("issuer.signer-of-lookalike-root", "To one of an issuer with the name of a known one"),
  ]

  /// Finds out how acceptance looks: the answers to two genuine ones have it, and those to dishonest ones do not.
  private static func accepted(
    _ target: VerifierTarget, seed: UInt64, folder: URL
  ) -> (pattern: YAMLValue?, told: [String]) {
    let maker = AnswerMaker(origin: target.origin.serialized, seed: seed, sandbox: .inProcess, folder: folder)
    func tried(_ plan: AnswerPlan, _ number: Int) -> Result<HTTPAnswer, SuiteStop> {
      var session = TargetSession(target, HTTPClient(visiting: target, from: folder))
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
    let genuine: HTTPAnswer
    let again: HTTPAnswer
    var refused: [HTTPAnswer] = []
    var told: [String] = []
    do {
      genuine = try tried(.genuine, 1).get()
      told.append("To a genuine answer it says: \(genuine.excerpt)")
      if [404, 405].contains(genuine.status) { return (nil, told + target.questions(about: genuine)) }
      again = try tried(AnswerPlan(changes: anotherPerson), 2).get()
      for (number, (name, words)) in dishonest.enumerated() {
        guard let fault = FaultCatalogue.fault(name) else { continue }
        let answer = try tried(AnswerPlan(faults: [PlannedFault(fault)]), number + 3).get()
        refused.append(answer)
        told.append("\(words): \(answer.excerpt)")
      }
    } catch {
      return (nil, told + [error.message])
    }
    let isOwnStatus = genuine.status == again.status && !refused.contains { $0.status == genuine.status }
    if isOwnStatus, (200...299).contains(genuine.status) { return (.one("status", .number(genuine.status)), told) }
    guard let one = genuine.json, let other = again.json,
      let (place, value) = mark(of: one, and: other, butNotOf: refused.map { $0.json ?? .null }, at: "")
    else {
      return (nil, told + ["Nothing in it tells genuine answers from the others."] + target.questions(about: genuine))
    }
    return (.mapping([.init("json", .text(place)), .init("is", value)]), told)
  }

  /// The identifiers of elements: their values are about a person, and not about the verdict.
  private static let elements = Set(SuiteWorld(number: 1).values.keys)

  /// The first text, number or truth value that two JSON texts have at the same place, and none of some others.
  private static func mark(
    of one: JSONValue, and other: JSONValue, butNotOf refused: [JSONValue], at place: String
  ) -> (place: String, value: YAMLValue)? {
    if case .object(let members) = one {
      return members.lazy.filter { !elements.contains($0.name) }.compactMap { member in
        let name = member.name.replacing("~", with: "~0").replacing("/", with: "~1")
        return mark(
          of: member.value, and: other.member(member.name) ?? .null,
          butNotOf: refused.map { $0.member(member.name) ?? .null }, at: "\(place)/\(name)")
      }.first
    }
    guard one == other, !refused.contains(one) else { return nil }
    switch one {
    case .string(let text): return (place, .text(text))
    case .boolean(let value): return (place, .boolean(value))
    case .number(let spelling): return (place, .plain(spelling))
    default: return nil
    }
  }
}
