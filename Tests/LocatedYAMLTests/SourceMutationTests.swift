import Testing

@testable import LocatedYAML

/// Reading any damaged file gives a tree, or problems that can be shown.
@Suite struct SourceMutationTests: SourceSuite {
  private enum Key: String, CaseIterable { case clock, steps, person }

  /// Every kind of token in few bytes: the test tries each byte with each value.
  private static let sample = """
    é: &w { on: 'it''s', n: 5 }
    s:
      - p: *w # c
      - "\\x41": [1, ~]
      - t: |-
          a
      - ? k
        : >
         x

    """

  /// Reads the bytes, and returns the tree and the problems after checking that they can be shown.
  private func outcome(_ bytes: [UInt8]) -> (root: SourceNode?, problems: ProblemCollector)? {
    let problems = ProblemCollector()
    var root: SourceNode?
    do {
      root = SourceNode.parse(try SourceFile(path: "m.yaml", bytes: bytes), problems)
    } catch {
      problems.report(error)
    }
    let isShown = problems.problems.allSatisfy { isInside($0.position) && isSafe($0.rendered()) }
    return isShown && (root != nil || !problems.isEmpty) ? (root, problems) : nil
  }

  private func isSafe(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value != 0x7F) }
  }

  private func isInside(_ position: SourcePosition?) -> Bool {
    guard let position else { return true }
    let count = position.file.line(position.line).unicodeScalars.count
    return (1...position.file.lineCount).contains(position.line) && position.column >= 1
      && position.column - 1 <= count && position.column - 1 + position.length <= count + 1
  }

  /// Reads every value as every type.
  private func read(_ node: SourceNode, _ problems: ProblemCollector) {
    _ = try? node.entries(known: Key.allCases.map(\.rawValue), problems)?["clock"]?.value.date()
    _ = problems.attempt(node) { try $0.onlyEntry(hint: "one key") }
    _ = problems.attempt(node) { try $0.string() }
    _ = problems.attempt(node) { try $0.integer(in: 0...1) }
    _ = problems.attempt(node) { try $0.boolean() }
    _ = problems.attempt(node) { try $0.date() }
    _ = problems.attempt(node) { try $0.duration() }
    _ = problems.attempt(node) { try $0.oneOf(Key.self) }
    if case .sequence(let items) = node.content { for item in items { read(item, problems) } }
    if case .mapping(let entries) = node.content { for entry in entries { read(entry.value, problems) } }
  }

  private func survivesReading(_ bytes: [UInt8]) -> Bool {
    guard let (root, problems) = outcome(bytes) else { return false }
    if let root { read(root, problems) }
    return problems.problems.allSatisfy { isInside($0.position) && isSafe($0.rendered()) }
  }

  @Test func theSampleIsValid() throws {
    #expect(try tree(Self.sample)["s"]?.sequence().count == 4)
  }

  @Test func everyTruncationIsRead() {
    let bytes = Array(Self.sample.utf8)
    for end in bytes.indices where !survivesReading(Array(bytes[..<end])) { Issue.record("cut at \(end)") }
  }

  @Test func everyTruncationOfAScenarioIsRead() {
    let bytes = Array(SourceSample.design.utf8)
    for end in bytes.indices where outcome(Array(bytes[..<end])) == nil { Issue.record("cut at \(end)") }
  }

  @Test func everyRemovedOrRepeatedByteIsRead() {
    let bytes = Array(Self.sample.utf8)
    for index in bytes.indices {
      var less = bytes
      less.remove(at: index)
      var more = bytes
      more.insert(bytes[index], at: index)
      if !survivesReading(less) || !survivesReading(more) { Issue.record("byte \(index)") }
    }
  }

  @Test(arguments: 0..<8)
  func everyChangeOfOneByte(part: Int) {
    let bytes = Array(Self.sample.utf8)
    for index in stride(from: part, to: bytes.count, by: 8) {
      for byte in UInt8.min...UInt8.max where byte != bytes[index] {
        var changed = bytes
        changed[index] = byte
        if outcome(changed) == nil { Issue.record("byte \(index) as \(byte)") }
      }
    }
  }

  @Test(arguments: ["2025-09-15T17:00:00Z", "40 days", "+1.5e-3"])
  func everyChangeOfOneByteOfAScalar(text: String) throws {
    let position = try tree("v").position
    for index in text.utf8.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = Array(text.utf8)
        bytes[text.utf8.distance(from: text.startIndex, to: index)] = byte
        let scalar = SourceScalar(String(decoding: bytes, as: UTF8.self))
        let node = SourceNode(.scalar(scalar), at: position)
        let problems = ProblemCollector()
        _ = problems.attempt(node) { try $0.date() }
        _ = problems.attempt(node) { try $0.duration() }
        _ = problems.attempt(node) { try $0.integer(in: 0...1) }
        let isShown = problems.problems.allSatisfy { isSafe($0.description) }
        if !isShown || problems.isEmpty { Issue.record("\(bytes)") }
      }
    }
  }
}
