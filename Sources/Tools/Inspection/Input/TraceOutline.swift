import Foundation
import MobileDocument
import Primitives
import SimulationKernel

extension Outline {
  /// Writes the lines of a trace and the content of each message.
  /// - Throws: ``FormMismatch`` if the first line is not a line of a trace.
  mutating func trace(_ bytes: [UInt8]) throws(FormMismatch) {
    let lines = bytes.split { $0 == 0x0a || $0 == 0x0d }
    guard let first = lines.first, Self.traceLine(first) != nil else {
      throw FormMismatch("the first line is not a JSON object with the members line and time")
    }
    line("read as a trace: \(Printed.count(lines.count, "line"))")
    nested { inside in
      for (position, text) in lines.enumerated() {
        if let found = Self.traceLine(text) {
          inside.traceLine(found)
        } else {
          inside.line("line \(position + 1) of the file is not a line of a trace")
        }
      }
    }
  }

  private static func traceLine(_ text: ArraySlice<UInt8>) -> TraceLine? {
    guard text.first == UInt8(ascii: "{") else { return nil }
    return try? JSONDecoder().decode(TraceLine.self, from: Data(text))
  }

  private mutating func traceLine(_ found: TraceLine) {
    line("line \(found.line), \(Self.moment(found.time))")
    nested { inside in
      if found.bytes != nil || found.message != nil { inside.traceMessage(found) }
      if found.decision != nil || found.code != nil { inside.traceDecision(found) }
    }
  }

  /// Returns a time to the nanosecond.
  private static func moment(_ nanoseconds: Int64) -> String {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let fraction = rest < 0 ? rest + 1_000_000_000 : rest
    let moment = DateTime(secondsSince1970: rest < 0 ? seconds - 1 : seconds).description
    let digits = String(fraction)
    return "\(moment.dropLast()).\(String(repeating: "0", count: 9 - digits.utf8.count))\(digits)Z"
  }

  private mutating func traceMessage(_ found: TraceLine) {
    let bytes = found.bytes.map { [UInt8]($0) } ?? []
    let number = found.message.map { "message \($0)" } ?? "a message"
    let answers = found.answers.map { ", answers \($0)" } ?? ""
    let sender = Printed.onOneLine(found.from ?? "unknown party")
    let recipient = Printed.onOneLine(found.to ?? "unknown party")
    let subject = Printed.quoted(found.subject ?? "", full: isFull)
    line("\(number), \(sender) to \(recipient), \(subject)\(answers)")
    let type = found.type ?? "no media type"
    line("\(Printed.onOneLine(type)), \(Printed.count(bytes.count, "byte"))")
    nested { inside in
      do throws(FormMismatch) {
        try inside.messageContent(bytes, as: type)
      } catch {
        inside.line("cannot be read: \(error.reason)")
        inside.line(Printed.bytes(bytes, full: inside.isFull))
      }
    }
  }

  private mutating func messageContent(_ bytes: [UInt8], as type: String) throws(FormMismatch) {
    if bytes.isEmpty { return line("empty") }
    switch type {
    case MediaType.cbor: try cbor(bytes, accepting: .anyItem)
    case MediaType.certificate: try certificate(der: bytes)
    case MediaType.certificateChain: try pem(String(decoding: bytes, as: UTF8.self))
    case MediaType.certificateRequest: try certificateRequest(der: bytes)
    case _ where type == MediaType.json || type.hasSuffix("+json"): json(try Self.readJSON(bytes))
    default: try content(bytes, accepting: .anyItem)
    }
  }

  private mutating func traceDecision(_ found: TraceLine) {
    let party = Printed.onOneLine(found.by ?? "unknown party")
    let parts = [found.decision, found.outcome, found.code].compactMap { $0.map(Printed.onOneLine) }
    line("\(party): \(parts.joined(separator: ", "))")
    if let message = found.sentence { line(Printed.quoted(message, full: true)) }
    for detail in found.details ?? [] {
      let name = Printed.onOneLine(detail.first ?? "")
      line("\(name): \(Printed.quoted(detail.dropFirst().joined(separator: " "), full: isFull))")
    }
  }
}
