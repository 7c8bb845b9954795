import Foundation

/// The format of `trace.jsonl` as data: the members of each kind of line, for the schema and the documentation.
public enum TraceFormat {
  /// A member of an object.
  public struct Member: Sendable {
    /// The name.
    public let name: String
    /// The type of the value.
    public let type: Value
    /// True if lines may leave it out.
    public let isOptional: Bool
    /// The meaning, in words.
    public let meaning: String

    init(_ name: String, _ type: Value, _ meaning: String, isOptional: Bool = false) {
      self.name = name
      self.type = type
      self.meaning = meaning
      self.isOptional = isOptional
    }
  }

  /// The types of values.
  public indirect enum Value: Sendable {
    case text
    /// One of some words.
    case words([String])
    case number
    case boolean
    case list(Value)
    case object([Member])
    /// An object with exactly one of the members.
    case oneOf([Member])
  }

  /// The members of every line.
  public static let line = [
    Member("line", .number, "number of the line, from 1"),
    Member("time", .number, "time of the world, in nanoseconds since 1970-01-01T00:00:00Z"),
    Member("by", .text, "party at which the event happened, as role and name; for a message: the sender"),
  ]

  /// The member of each kind of event.
  public static let events = JournalEvent.Kind.allCases.map { kind in
    Member(kind.rawValue, value(of: kind), meaning(of: kind))
  }

  private static func meaning(of kind: JournalEvent.Kind) -> String {
    switch kind {
    case .message: "a message to another party"
    case .step: "the beginning of a step of the scenario"
    case .check: "the result of a check"
    case .selection: "the selection of apps for a request"
    case .consent: "a decision of the person, and its consequences"
    case .exception: "a call that the browser rejects"
    case .fault: "an injected fault that acts"
    case .verdict: "the conclusion of a verifier server"
    case .note: "a change of the party's state, or an operation that fails"
    }
  }

  private static func value(of kind: JournalEvent.Kind) -> Value {
    switch kind {
    case .message: .object(message)
    case .step: .object([Member("action", .text, "the action in words")])
    case .check: .object(check)
    case .selection: .oneOf(selection)
    case .consent: .oneOf(consent)
    case .exception:
      .object([
        Member("name", .text, "name of the exception"), Member("code", .text, "code of the rule that rejects the call"),
        Member("message", .text, "message of the exception"), Member("page", .text, "name of the page"),
      ])
    case .fault:
      .object([
        Member("fault", .text, "identifier in the catalogue of faults, or `sweep.` and an alteration"),
        Member("title", .text, "title of the fault"),
        Member("reasonNotApplied", .text, "reason why the fault changed nothing", isOptional: true),
        Member("messageNumber", .number, "number of the altered message", isOptional: true),
      ])
    case .verdict:
      .object([
        Member("verdict", .words(["verified", "refused"]), "the conclusion"),
        Member("check", .text, "identifier of the check that failed", isOptional: true),
        Member("reason", .text, "reason of the failure", isOptional: true),
        Member("message", .text, "human-readable description"),
      ])
    case .note:
      .object([
        Member("code", .text, "code of the note"),
        Member("severity", .words(["information", "warning", "ignored", "refused", "failed"]), "weight of the note"),
        Member("value", .text, "value that the operation returned", isOptional: true),
        Member("message", .text, "human-readable description"),
        Member(
          "facts", .list(.object([Member("name", .text, "name"), Member("value", .text, "value")])),
          "named facts, in order"),
      ])
    }
  }

  private static let message = [
    Member("number", .number, "number of the message, from 1"),
    Member("to", .text, "the recipient"),
    Member("kind", .words(MessageKind.allCases.map(\.rawValue)), "kind of the message"),
    Member("type", .text, "media type of the bytes"),
    Member("bytes", .text, "delivered bytes in standard base64, with padding"),
    Member("answers", .number, "number of the message that it answers", isOptional: true),
  ]

  private static let check = [
    Member("check", .text, "identifier of the check"),
    Member("reason", .text, "reason of a finding", isOptional: true),
    Member("subject", .text, "part that the check is about", isOptional: true),
    Member("status", .words(["passed", "deviates", "failed", "not-reached"]), "result of the check"),
    Member("message", .text, "human-readable description"),
    Member(
      "evidence",
      .list(
        .object([
          Member("field", .text, "field"), Member("expected", .text, "expected value", isOptional: true),
          Member("found", .text, "found value", isOptional: true),
        ])),
      "fields with expected and found values"),
  ]

  private static let selection: [Member] = {
    let document: [Member] = [
      Member("documentType", .text, "`DocType`"),
      Member("issuers", .list(.text), "key identifiers of accepted issuers; empty for any issuer"),
    ]
    let useCase: [Member] = [
      Member("isMandatory", .boolean, "true if the response must satisfy it"),
      Member("documentSets", .list(.list(.text)), "document types of each alternative"),
    ]
    let authority: [Member] = [
      Member("name", .text, "common name"),
      Member("keyIdentifier", .text, "authority key identifier in hexadecimal", isOptional: true),
    ]
    let signer: [Member] = [
      Member("name", .text, "common name of the reader certificate"),
      Member("authorities", .list(.object(authority)), "authorities of the chain, leaf first"),
    ]
    let request: [Member] = [
      Member("origin", .text, "origin of the website"),
      Member("documents", .list(.object(document)), "requested documents"),
      Member("useCases", .list(.object(useCase)), "use cases"),
      Member("signers", .list(.object(signer)), "signers of the request"),
      Member("reading", .words(["root", "any-in-chain"]), "comparison of authorities with chains"),
    ]
    let registration: [Member] = [
      Member("identifier", .text, "document identifier"), Member("documentType", .text, "`DocType`"),
    ]
    return [
      Member(
        "asked", .object([Member("request", .object(request), "conditions of the request")]), "the selection begins"),
      Member(
        "offered",
        .object([
          Member("app", .text, "name of the app"),
          Member("registrations", .list(.object(registration)), "matching registrations"),
        ]), "an app is offered"),
      Member(
        "hidden",
        .object([
          Member("app", .text, "name of the app"),
          Member("finding", .object(check), "the condition that does not hold"),
          Member("remedy", .text, "the change that makes the app appear"),
        ]), "an app is not offered"),
    ]
  }()

  private static let consent: [Member] = {
    let app = Value.object([Member("app", .text, "name of the app")])
    let element: [Member] = [
      Member("nameSpace", .text, "name space"), Member("identifier", .text, "element identifier"),
      Member("isRetained", .boolean, "`intentToRetain`"),
    ]
    return [
      Member("promptShown", app, "the system asks if the app may provide documents"),
      Member(
        "asked",
        .object([
          Member("requester", .text, "name of the requester"),
          Member("elements", .list(.object(element)), "requested elements"),
        ]), "an app asks for consent"),
      Member("requestReleased", app, "the app gets the raw request"),
      Member("requestWithheld", app, "the app does not get the raw request"),
      Member("answered", app, "the app answers the request"),
    ]
  }()
}

extension TraceFormat {
  /// The JSON Schema (draft 2020-12) of a line.
  public static var schema: String {
    var schema = object(line + events.map { Member($0.name, $0.type, $0.meaning, isOptional: true) })
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "A line of a presentment trace"
    schema["oneOf"] = events.map { ["required": [$0.name]] }
    let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = try? JSONSerialization.data(withJSONObject: schema, options: options)
    return String(decoding: text ?? Data(), as: UTF8.self) + "\n"
  }

  private static func object(_ members: [Member]) -> [String: Any] {
    var properties: [String: Any] = [:]
    for member in members {
      properties[member.name] = value(member.type).merging(["description": member.meaning]) { $1 }
    }
    return [
      "type": "object", "properties": properties, "required": members.filter { !$0.isOptional }.map(\.name),
      "additionalProperties": false,
    ]
  }

  private static func value(_ type: Value) -> [String: Any] {
    switch type {
    case .text: return ["type": "string"]
    case .words(let words): return ["enum": words]
    case .number: return ["type": "integer"]
    case .boolean: return ["type": "boolean"]
    case .list(let item): return ["type": "array", "items": value(item)]
    case .object(let members): return object(members)
    case .oneOf(let members):
      var schema = object(members.map { Member($0.name, $0.type, $0.meaning, isOptional: true) })
      schema["oneOf"] = members.map { ["required": [$0.name]] }
      return schema
    }
  }

  /// The tables of the documentation, in Markdown: one of the members of every line, one of the events, one for each
  /// event, one of the kinds of messages.
  public static var tables: [(name: String, table: String)] {
    let heads = ["member", "type", "meaning"]
    let kinds = MessageKind.allCases.map { kind in
      let answer = kind.phrase(isAnswer: true) == kind.phrase() ? "" : "; as an answer: \(kind.phrase(isAnswer: true))"
      return ["`\(kind.rawValue)`", kind.phrase() + answer]
    }
    let tables =
      [
        ("line", rows(heads, line.map { ["`\($0.name)`", phrase($0.type), $0.meaning] })),
        ("events", rows(["member", "meaning"], events.map { ["`\($0.name)`", $0.meaning] })),
      ] + events.map { ($0.name, rows(heads, lines(of: $0.type, ""))) } + [("kinds", rows(["kind", "meaning"], kinds))]
    return tables.map { ("trace \($0.0)", $0.1) }
  }

  private static func lines(of type: Value, _ path: String) -> [[String]] {
    switch type {
    case .object(let members), .oneOf(let members):
      members.flatMap { member in
        [["`\(path)\(member.name)`", phrase(member.type), member.meaning + (member.isOptional ? "; optional" : "")]]
          + lines(of: member.type, "\(path)\(member.name).")
      }
    case .list(let item): lines(of: item, path)
    case .text, .words, .number, .boolean: []
    }
  }

  /// The longest list of words that a table shows.
  private static let maximumWords = 8

  private static func phrase(_ type: Value) -> String {
    switch type {
    case .text: "text"
    case .words(let words) where words.count <= maximumWords: words.map { "`\($0)`" }.joined(separator: ", ")
    case .words: "text"
    case .number: "number"
    case .boolean: "true or false"
    case .list(.object), .list(.oneOf): "list of objects"
    case .list(.list): "list of lists"
    case .list: "list of texts"
    case .object: "object"
    case .oneOf: "object with one of the members"
    }
  }

  private static func rows(_ heads: [String], _ rows: [[String]]) -> String {
    let lines = [heads, heads.map { _ in "---" }] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined() + "\n"
  }
}
