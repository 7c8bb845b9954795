import Checks
import Foundation
import JSON
import Messaging
import Primitives

/// The format of `trace.jsonl` as data: the members of each kind of line, for the schema and the documentation.
public enum TraceFormat {
  /// The members of every line.
  public static let line = [
    JSONType.Member("line", .number, "number of the line, from 1"),
    JSONType.Member("time", .number, "time of the world, in nanoseconds since 1970-01-01T00:00:00Z"),
    JSONType.Member("by", .text, "party at which the event happened, as role and name; for a message: the sender"),
  ]

  /// The member of each kind of event.
  public static let events = JournalEvent.Kind.allCases.map(member)

  private static func member(of kind: JournalEvent.Kind) -> JSONType.Member {
    let (type, meaning): (JSONType, String) =
      switch kind {
      case .message: (.object(message), "a message to another party")
      case .step:
        (.object([JSONType.Member("action", .text, "the action in words")]), "the beginning of a step of the scenario")
      case .check: (CheckResult.jsonType, "the result of a check")
      case .selection: (SelectionEvent.jsonType, "the selection of apps for a request")
      case .consent: (ConsentEvent.jsonType, "a decision of the person, and its consequences")
      case .exception: (ExceptionEvent.jsonType, "a call that the browser rejects")
      case .fault: (FaultEvent.jsonType, "an injected fault that acts")
      case .verdict: (VerdictEvent.jsonType, "the conclusion of a verifier server")
      case .note: (Note.jsonType, "a change of the party's state, or an operation that fails")
      }
    return JSONType.Member(kind.rawValue, type, meaning)
  }

  private static let message = [
    JSONType.Member("number", .number, "number of the message, from 1"),
    JSONType.Member("to", .text, "the recipient"),
    JSONType.Member("kind", .words(MessageKind.allCases.map(\.rawValue)), "kind of the message"),
    JSONType.Member("type", .text, "media type of the bytes"),
    JSONType.Member("bytes", .text, "delivered bytes in standard base64, with padding"),
    JSONType.Member("answers", .number, "number of the message that it answers", isOptional: true),
  ]
}

extension TraceFormat {
  /// The JSON Schema (draft 2020-12) of a line.
  public static var schema: String {
    var schema = object(line + events.map { JSONType.Member($0.name, $0.type, $0.meaning, isOptional: true) })
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "A line of a presentment trace"
    schema["oneOf"] = events.map { ["required": [$0.name]] }
    let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = try? JSONSerialization.data(withJSONObject: schema, options: options)
    return String(decoding: text ?? Data(), as: UTF8.self) + "\n"
  }

  private static func object(_ members: [JSONType.Member]) -> [String: Any] {
    var properties: [String: Any] = [:]
    for member in members {
      properties[member.name] = value(member.type).merging(["description": member.meaning]) { $1 }
    }
    return [
      "type": "object", "properties": properties, "required": members.filter { !$0.isOptional }.map(\.name),
      "additionalProperties": false,
    ]
  }

  private static func value(_ type: JSONType) -> [String: Any] {
    switch type {
    case .text: return ["type": "string"]
    case .words(let words): return ["enum": words]
    case .number: return ["type": "integer"]
    case .boolean: return ["type": "boolean"]
    case .list(let item): return ["type": "array", "items": value(item)]
    case .object(let members): return object(members)
    case .oneOf(let members):
      var schema = object(members.map { JSONType.Member($0.name, $0.type, $0.meaning, isOptional: true) })
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
        ("line", markdownTable(heads, line.map { ["`\($0.name)`", phrase($0.type), $0.meaning] })),
        ("events", markdownTable(["member", "meaning"], events.map { ["`\($0.name)`", $0.meaning] })),
      ] + events.map { ($0.name, markdownTable(heads, lines(of: $0.type, ""))) } + [
        ("kinds", markdownTable(["kind", "meaning"], kinds))
      ]
    return tables.map { ("trace \($0.0)", $0.1) }
  }

  private static func lines(of type: JSONType, _ path: String) -> [[String]] {
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

  private static func phrase(_ type: JSONType) -> String {
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
}
