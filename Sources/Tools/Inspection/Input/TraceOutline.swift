import JSON
import Messaging
import MobileDocument
import Primitives
import Telling

extension Outline {
  /// Writes the lines of a trace and the content of each message.
  /// - Throws: ``InspectionFailure`` if the first line is not a line of a trace.
  mutating func trace(_ bytes: [UInt8]) throws(InspectionFailure) {
    let lines = bytes.split { $0 == 0x0a || $0 == 0x0d }
    guard let first = lines.first, Self.traceLine(first) != nil else {
      throw InspectionFailure("the first line is not a JSON object with the members line and time")
    }
    under("read as a trace: \(lines.count.counted("line"))") { inside in
      for (position, text) in lines.enumerated() {
        if let found = Self.traceLine(text) {
          inside.traceLine(found)
        } else {
          inside.line("line \(position + 1) of the file is not a line of a trace")
        }
      }
    }
  }

  private static func traceLine(_ text: ArraySlice<UInt8>) -> JournalEntry? {
    guard text.first == UInt8(ascii: "{") else { return nil }
    return try? JSONCoding.decode(JournalEntry.self, from: Array(text), limits: .traceLine)
  }

  private mutating func traceLine(_ entry: JournalEntry) {
    under("line \(entry.number), \(Self.moment(entry.time.nanosecondsSince1970))") { inside in
      if let message = entry.event.message {
        inside.traceMessage(message)
      } else {
        inside.traceEvent(entry)
      }
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

  private mutating func traceMessage(_ message: Message) {
    let answers = message.answers.map { ", answers \($0)" } ?? ""
    let sender = Printed.onOneLine(message.sender.description)
    let recipient = Printed.onOneLine(message.recipient.description)
    line("message \(message.number), \(sender) to \(recipient), \"\(message.kind.rawValue)\"\(answers)")
    under("\(Printed.onOneLine(message.mediaType)), \(message.bytes.count.counted("byte"))") {
      $0.messageLines(message)
    }
  }

  /// Writes the content of a message, or the reason why it cannot be read.
  mutating func messageLines(_ message: Message) {
    do throws(InspectionFailure) {
      try messageContent(message.bytes, as: message.mediaType)
    } catch {
      line("cannot be read: \(error.message)")
      line(Printed.bytes(message.bytes, full: isFull))
    }
  }

  private mutating func messageContent(_ bytes: [UInt8], as type: String) throws(InspectionFailure) {
    if bytes.isEmpty { return line("empty") }
    switch type {
    case MediaType.cbor: try cbor(bytes, accepting: .anyItem)
    case MediaType.text, MediaType.http:
      guard let text = String(validating: bytes, as: UTF8.self) else { throw InspectionFailure("not UTF-8") }
      messageText(text)
    case MediaType.sealed: line("sealed: \(Printed.bytes(bytes, full: isFull))")
    case MediaType.hybridContent: opened(bytes)
    case MediaType.certificate: try certificate(der: bytes)
    case MediaType.certificateChain: try pem(String(decoding: bytes, as: UTF8.self))
    case MediaType.certificateRequest: try certificateRequest(der: bytes)
    case _ where type == MediaType.json || type.hasSuffix("+json"): json(try Self.readJSON(bytes), of: bytes)
    default: try content(bytes, accepting: .anyItem)
    }
  }

  /// Writes the text of a QR code, or the lines of another text.
  private mutating func messageText(_ text: String) {
    do throws(InspectionFailure) { return try qrCode(text) } catch {}
    for part in text.split(whereSeparator: \.isNewline) { line(Printed.quoted(String(part), full: isFull)) }
  }

  private mutating func traceEvent(_ entry: JournalEntry) {
    let parts = [entry.event.kind.rawValue, entry.event.outcome, entry.event.code].compactMap(\.self)
    line("\(Printed.onOneLine(entry.party.description)): \(Printed.onOneLine(parts.joined(separator: ", ")))")
    line(Printed.quoted(entry.event.phrase, full: true))
    for (name, value) in entry.event.evidence.flatMap(\.named) {
      line("\(Printed.onOneLine(name)): \(Printed.quoted(value, full: isFull))")
    }
  }
}
