import Foundation
import Testing

@Suite("Guide to writing a provider app")
struct GuideTests {
  private static let documentation = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs")

  private static func lines(of text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test("every code block is part of the sample")
  func excerpts() throws {
    let guide = try String(
      contentsOf: Self.documentation.appendingPathComponent("provider-app.md"), encoding: .utf8)
    let folder = Self.documentation.appendingPathComponent("SampleProvider")
    let sample = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .map { Self.lines(of: try String(contentsOf: $0, encoding: .utf8)).joined(separator: "\n") }
    let excerpts = guide.components(separatedBy: "```swift\n").dropFirst()
      .map { Self.lines(of: String($0.components(separatedBy: "```")[0])).joined(separator: "\n") }
    #expect(excerpts.count >= 7)
    for excerpt in excerpts { #expect(sample.contains { $0.contains(excerpt) }, "\(excerpt)") }
  }
}
