import Checks
import Foundation
import TestSupport
import Testing

@testable import Messaging
@testable import TraceViews

/// Two traces, and their first difference.
@Suite("Differences of traces") struct TraceDifferenceTests {
  @Test func equalTracesHaveNoDifference() throws {
    #expect(TraceDifference(try Runs.entries(), try Runs.entries()) == nil)
  }

  @Test("Other times alone are a difference of time, at the first line that has one") func times() throws {
    var entries = try Runs.entries()
    for index in entries.indices.dropFirst(9) { entries[index] = entries[index].delayed(by: 5) }
    let difference = try #require(TraceDifference(try Runs.entries(), entries))
    #expect(difference.cause == .time && difference.gravest == nil)
    #expect(difference.first.lines.left == 10 && difference.first.field == "time")
    #expect(Int64(difference.first.values.right)! - Int64(difference.first.values.left)! == 5)
  }

  @Test("A certificate request for another key is a difference of draws") func draws() throws {
    let left = try #require(try Runs.entries().first { $0.event.message?.kind == .certify })
    let other = try Runs.entries(seed: 8).compactMap(\.event.message).first { $0.kind == .certify }
    var message = try #require(left.event.message)
    message.bytes = try #require(other).bytes
    let difference = try #require(TraceDifference([left], [left.with(.message(message))]))
    #expect(difference.cause == .draw, "\(difference.description(("a", "b")))")
    #expect(difference.first.field.hasPrefix("message.bytes"))
  }

  @Test("A whole run with another seed has the same events in another order") func seeds() throws {
    let difference = try #require(TraceDifference(try Runs.entries(), try Runs.entries(seed: 8)))
    #expect(difference.cause == .order, "\(difference.description(("a", "b")))")
  }

  @Test("Two exchanged lines are a difference of order") func order() throws {
    var entries = try Runs.entries()
    let places = entries.indices.filter { entries[$0].event.check?.status == .passed }
    let (first, second) = (places[3], places[4])
    let exchanged = (entries[second].event, entries[first].event)
    #expect(exchanged.0 != exchanged.1)
    entries[first] = entries[first].with(exchanged.0)
    entries[second] = entries[second].with(exchanged.1)
    let difference = try #require(TraceDifference(try Runs.entries(), entries))
    #expect(difference.cause == .order && difference.first.cause == .order)
    #expect(difference.first.lines.left == entries[first].number)
  }

  @Test("A check with another result is a difference of content, with both values") func check() throws {
    var entries = try Runs.entries()
    let place = try #require(entries.firstIndex { $0.event.check != nil })
    let passed = try #require(entries[place].event.check)
    entries[place] = entries[place].with(
      .check(CheckResult(passed.check, .failed, message: passed.message)))
    let difference = try #require(TraceDifference(try Runs.entries(), entries))
    #expect(difference.cause == .content && difference.first.field == "check.status")
    #expect(difference.first.values == ("passed", "failed"))
  }

  @Test("A byte inside base64url text is named in the message, in the text, and by its field") func byte() throws {
    var entries = try Runs.entries()
    let place = try #require(entries.firstIndex { $0.event.message?.kind == .submitResponse })
    let sent = try #require(entries[place].event.message)
    var message = sent
    let start = try #require(String(decoding: sent.bytes, as: UTF8.self).range(of: "\"response\":\""))
    let offset = String(decoding: sent.bytes, as: UTF8.self).utf8.distance(
      from: sent.bytes.isEmpty ? start.upperBound : String(decoding: sent.bytes, as: UTF8.self).startIndex,
      to: start.upperBound)
    // The 401st character is in byte 300 of the text's content.
    message.bytes[offset + 400] ^= 1
    entries[place] = entries[place].with(.message(message))
    let difference = try #require(TraceDifference(try Runs.entries(), entries))
    #expect(difference.first.byte?.contains("byte \(offset + 400) of \(sent.bytes.count)") == true)
    #expect(difference.first.byte?.contains("byte 300 of") == true, "\(difference.first.byte ?? "")")
    #expect(difference.first.field.hasSuffix("EncryptedResponse > cipherText"), "\(difference.first.field)")
  }

  @Test("A trace that ends earlier differs at the line after its end") func end() throws {
    let entries = try Runs.entries()
    let difference = try #require(TraceDifference(entries, Array(entries.dropLast(2))))
    #expect(difference.cause == .content)
    #expect(difference.first.lines.left == entries.count - 1 && difference.first.lines.right == nil)
    #expect(difference.first.values.right == "the trace has ended")
  }

  @Test(
    "Drawn values and times are masked, names and small numbers are not",
    arguments: [
      ("nonce: h'00112233445566778899aabbccddeeff'", "nonce: h'*'"),
      ("session: \"OFEDvwOGNaE4kmU7\"", "session: \"*\""),
      ("signed: 2025-09-15T17:00:00Z", "signed: @"), ("docType: \"org.iso.18013.5.1.mDL\"", nil),
      ("by local-driving-authority: MobileSecurityObject", nil), ("h'aGVsbG8gd29ybGQhISEh'", "h'*'"),
      ("documents: 1", nil), ("cipherText (5591 bytes)", "cipherText # bytes)"),
      ("digestID 7, salt of 32 bytes", "digestID # salt of # bytes"),
      ("spaceship-rentals.example", nil), ("family_name (Last Name, text): \"Rover\"", nil),
    ] as [(String, String?)])
  func masks(text: String, masked: String?) {
    #expect(MaskedText(text, without: [.times, .draws]).text == masked ?? text)
  }
}
