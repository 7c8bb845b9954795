import DigitalCredentials
import Primitives

/// A verifier under test: the addresses that a page calls, and what its answers look like.
public struct VerifierTarget: Sendable {
  /// The name in reports.
  public var name: String
  /// The origin of the page, as its browser states it.
  public var origin: Origin
  /// The call that begins a session. Its answer has the options of `navigator.credentials.get`.
  public var begin: Call
  /// The place of the options in the answer; nil to look for them.
  public var options: JSONPointer?
  /// The values of the answer that later calls can name; nil for every text and number of its top level.
  public var captures: [Named<JSONPointer>]?
  /// The call that hands in the credential.
  public var submit: Call
  /// The pattern of an accepting answer.
  public var accepted: AnswerPattern
  /// The pattern of a refusing answer; nil for every other one with a status from 200 to 499.
  public var refused: AnswerPattern?
  /// The place of the server's reason in a refusing answer. It is printed, and decides nothing.
  public var reason: JSONPointer?
  /// The person's view in the end; nil if only the answer to the credential counts.
  public var shown: Shown?
  /// The place of the verified elements in the answer of the person's view, or in the accepting one. Without one a world
  /// looks for them, and a suite does not.
  public var elements: JSONPointer?
  /// The place where a suite serves status lists to the server; nil for a server that fetches none.
  public var statusLists: StatusListPlace?
  /// The bounds of each call.
  public var limits = Limits()
  /// The place of each pointer in the target's file, as file, line and column.
  package var pointers: [PointerUse: String] = [:]
  /// The names in the texts of calls for which only the answer that begins a session has values.
  package var names: [NameInText] = []

  /// Creates a target with a call that begins a session and one that hands in the credential.
  public init(name: String, origin: Origin, begin: Call, submit: Call) {
    self.name = name
    self.origin = origin
    self.begin = begin
    self.submit = submit
    accepted = .success
  }

  /// A call of the server.
  public struct Call: Sendable {
    /// The method, for example `POST`.
    public var method: String
    /// The address, with names of values such as `$session`.
    public var address: String
    /// Headers of the call.
    public var headers: [Named<String>] = []
    /// The body; nil for none, and for the credential with every captured value in ``submit``.
    public var body: JSONTemplate?

    /// Creates a call without headers and body.
    public init(method: String, address: String) {
      self.method = method
      self.address = address
    }
  }

  /// The person's view in the end.
  public struct Shown: Sendable {
    /// The call that asks for it.
    public var call: Call
    /// The pattern of its answer after acceptance.
    public var verified: AnswerPattern
    /// The longest time until it looks so.
    public var within: Duration

    /// Creates a view.
    public init(call: Call, verified: AnswerPattern, within: Duration) {
      self.call = call
      self.verified = verified
      self.within = within
    }
  }

  /// The bounds of each call.
  public struct Limits: Sendable {
    /// Calls at the same time.
    public var parallel = 4
    /// The numbers of calls at the same time: each takes a thread and a process.
    package static let parallelCalls = 1...64
    /// The longest time of a call.
    public var timeout = Duration.seconds(10)
    /// The longest answer, in bytes.
    public var answer = 1 << 20

    /// Creates the usual bounds.
    public init() {}
  }
}

/// The place where a suite serves status lists, and the policy of the server that fetches them.
public struct StatusListPlace: Sendable {
  /// The port of this machine.
  public var port: Int
  /// The decision about a document whose list cannot be fetched; nil for a server that does not say.
  public var unreachable: Decision?
  /// The decision about a document whose list is out of date; nil for a server that does not say.
  public var stale: Decision?

  /// Creates a place of a server that does not state its policy.
  public init(port: Int) { self.port = port }

  /// A decision of a server about an answer.
  public enum Decision: String, Sendable, CaseIterable {
    case accept, refuse
  }
}

/// The keys of a target whose pointers are about the answers to a credential.
package enum PointerUse: String, Sendable {
  case accepted, shown, reason, elements
}

/// The name of a value in a text of a target, such as `$session`.
package struct NameInText: Sendable {
  /// The name.
  package let name: String
  /// The file, line and column of the text.
  package let place: String
  /// The call with the text.
  package let use: Use

  /// Creates a name.
  package init(_ name: String, at place: String, in use: Use) { (self.name, self.place, self.use) = (name, place, use) }

  /// The calls whose texts have names.
  package enum Use: Sendable {
    case begin, submit, shown

    /// The names that have a value in the texts of the call.
    /// - Parameter captured: Those of the answer that begins a session.
    package func known(besides captured: [String]) -> [String] {
      switch self {
      case .begin: []
      case .submit: captured + ["protocol", "data", "response", "credential"]
      case .shown: captured
      }
    }
  }
}

extension VerifierTarget {
  /// The addresses that calls may go to.
  package var addresses: [String] { [begin.address, submit.address] + (shown.map { [$0.call.address] } ?? []) }

  /// Returns whether an address is of this machine; nil for any other text than an address of HTTP.
  public static func isLoopback(_ address: String) -> Bool? { WebAddress(address)?.isLoopback }

  /// The addresses that are not of this machine.
  public var remoteAddresses: [String] {
    addresses.compactMap { WebAddress($0) }.filter { !$0.isLoopback }.map(\.server)
  }

  /// The variables of the environment that the texts of the target name.
  package var variables: Set<String> {
    var found: Set<String> = []
    func collect(_ text: String) {
      _ = TemplateText.replacing(text) { name in
        if Self.isVariable(name) { found.insert(name) }
        return nil
      }
    }
    func collect(_ template: JSONTemplate) {
      switch template {
      case .text(let text): collect(text)
      case .plain: break
      case .array(let items): items.forEach(collect)
      case .object(let members): members.map(\.value).forEach(collect)
      }
    }
    for call in [begin, submit] + (shown.map { [$0.call] } ?? []) {
      collect(call.address)
      call.headers.map(\.value).forEach(collect)
      call.body.map(collect)
    }
    return found
  }

  /// Returns whether a name in a text is that of a variable of the environment, and not of a value of the session.
  package static func isVariable(_ name: String) -> Bool {
    name.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }
  }
}
