import Checks
import Foundation
import TestSupport
import Testing

@testable import Messaging
@testable import TraceViews

/// Two journals side by side.
@Suite("Alignments of traces") struct TraceAlignmentTests {
  private static func pairs(_ left: [String], _ right: [String]) -> [String] {
    SequenceAlignment([(left, right), (left.map { String($0.prefix(1)) }, right.map { String($0.prefix(1)) })]).pairs
      .map { pair in "\(pair.left.map { left[$0] } ?? "-")/\(pair.right.map { right[$0] } ?? "-")" }
  }

  @Test func elementsWithTheSameKeyArePaired() {
    #expect(Self.pairs([], []).isEmpty)
    #expect(Self.pairs(["a"], []) == ["a/-"])
    #expect(Self.pairs(["a", "b", "c"], ["a", "c"]) == ["a/a", "b/-", "c/c"])
    #expect(Self.pairs(["a", "c"], ["x", "a", "b", "c", "y"]) == ["-/x", "a/a", "-/b", "c/c", "-/y"])
  }

  @Test func looserKeysPairWhatIsBetweenStricterPairs() {
    #expect(Self.pairs(["a", "b1", "c"], ["a", "b2", "c"]) == ["a/a", "b1/b2", "c/c"])
    #expect(Self.pairs(["b1", "c"], ["c", "b2"]) == ["b1/-", "c/c", "-/b2"])
  }

  @Test("Long parts that differ are not compared one by one") func bound() {
    let left = (0..<2100).map { "a\($0)" }
    let right = left.reversed().map { "\($0)" }
    #expect(SequenceAlignment([(left, right)]).pairs.count == left.count + right.count)
  }

  @Test func equalRunsHaveNoDifference() throws {
    let entries = try Runs.entries()
    let alignment = TraceAlignment(entries, entries, isMasked: false)
    #expect(alignment.rows.count == entries.count && alignment.rows.allSatisfy { $0.sameness == .same })
    #expect(alignment.firstDifference == nil && alignment.sentence == nil)
  }

  @Test("Runs with two seeds differ in values and in the order within a step only") func seeds() throws {
    let (left, right) = (try Runs.entries(), try Runs.entries(seed: 8))
    let alignment = TraceAlignment(left, right, isMasked: true)
    #expect(alignment.firstDifference == nil, "\(alignment.sentence ?? "")")
    #expect(alignment.rows.contains { $0.sameness == .moved })
    // Each line is in one row.
    #expect(alignment.rows.compactMap(\.left).sorted() == Array(left.indices))
    #expect(alignment.rows.compactMap(\.right).sorted() == Array(right.indices))
    // Their bytes differ.
    #expect(TraceAlignment(left, right, isMasked: false).firstDifference != nil)
  }

  @Test("A missing line is in one run only, and the lines after it are paired") func missing() throws {
    let entries = try Runs.entries()
    let place = try #require(entries.firstIndex { $0.event.message?.kind == .submitResponse })
    var shorter = entries
    shorter.remove(at: place)
    let alignment = TraceAlignment(entries, shorter, isMasked: false)
    let different = alignment.rows.indices.filter { alignment.rows[$0].sameness == .different }
    #expect(different == [place] && alignment.rows[place].left == place && alignment.rows[place].right == nil)
    #expect(alignment.sentence?.hasPrefix("Only on the left: message ") == true, "\(alignment.sentence ?? "")")
  }

  @Test("A changed bit anywhere in a value is named by the innermost field, once") func field() throws {
    let entries = try Runs.entries()
    let place = try #require(entries.firstIndex { $0.event.message?.kind == .submitResponse })
    var message = try #require(entries[place].event.message)
    let start = try #require(String(decoding: message.bytes, as: UTF8.self).range(of: "\"response\":\""))
    let offset = String(decoding: message.bytes, as: UTF8.self).utf8.distance(
      from: String(decoding: message.bytes, as: UTF8.self).startIndex, to: start.upperBound)
    // In the middle of a long value, of which a line shows the ends only.
    message.bytes[offset + 400] ^= 1
    var changed = entries
    changed[place] = entries[place].with(.message(message))
    let alignment = TraceAlignment(entries, changed, isMasked: false)
    #expect(alignment.firstDifference == place, "\(alignment.sentence ?? "")")
    let found = try #require(alignment.fields(of: alignment.rows[place]))
    #expect(found.fields.count == 1 && found.marks.left.count == 1 && found.marks.right.count == 1)
    #expect(found.fields.first?.name.hasSuffix("EncryptedResponse › cipherText") == true, "\(found.fields)")
  }

  @Test("A check with another result is one row, with both outcomes") func check() throws {
    var entries = try Runs.entries()
    let place = try #require(entries.lastIndex { $0.event.check?.status == .passed })
    let passed = try #require(entries[place].event.check)
    entries[place] = entries[place].with(.check(CheckResult(passed.check, .failed, message: "it fails")))
    let alignment = TraceAlignment(try Runs.entries(), entries, isMasked: false)
    #expect(alignment.firstDifference == place)
    let found = try #require(alignment.fields(of: alignment.rows[place]))
    #expect(found.fields.first == FieldDifferences.Field(name: "outcome", left: "passed", right: "failed"))
    #expect(found.marks.left.isEmpty)
    #expect(alignment.sentence?.contains("\(passed.check): passed. On the right instead") == true)
  }
}
