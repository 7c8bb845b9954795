import Certificates
import MobileDocument

/// What an inspection prints: lines, each on its level.
struct Outline {
  /// One line.
  private struct Line {
    let level: Int
    let text: String
    let offset: Int?
  }

  /// Deepest level that is printed and opened. CBOR nests up to 32 levels, of which an artifact in JSON in a trace
  /// opens a few one after the other; what is deeper only serves to exhaust a reader.
  static let maximumLevel = 64

  let options: InspectionOptions
  /// The profile whose rules certificates are held against; nil for the one that each seems to be of.
  let profile: CertificateProfile?
  private var lines: [Line] = []
  private var notesOffsets = true
  private(set) var level = 0

  init(options: InspectionOptions, profile: CertificateProfile? = nil) {
    self.options = options
    self.profile = profile
  }

  /// Whether long contents are printed whole.
  var isFull: Bool { options.contains(.full) }

  /// Whether what is inside may still be opened.
  var maySinkDeeper: Bool { level < Self.maximumLevel }

  /// Writes a line. The text must have been made safe by ``Printed``.
  mutating func line(_ text: String, at offset: Int? = nil) {
    lines.append(Line(level: level, text: text, offset: notesOffsets ? offset : nil))
  }

  /// Writes what `body` does without places, or with them again: bytes that stand in the artifact only as text have none
  /// in it.
  mutating func notingOffsets(_ notes: Bool, _ body: (inout Outline) -> Void) {
    let before = notesOffsets
    notesOffsets = notes
    body(&self)
    notesOffsets = before
  }

  /// Writes the lines of `body` one level deeper.
  mutating func nested(_ body: (inout Outline) -> Void) {
    level += 1
    body(&self)
    level -= 1
  }

  /// Writes a title and under it the lines of `body`, or nothing when that throws.
  mutating func attempt(
    under title: String, at offset: Int? = nil, _ body: (inout Outline) throws(Misfit) -> Void
  ) throws(Misfit) {
    let written = lines.count
    let before = level
    line(title, at: offset)
    do throws(Misfit) {
      level += 1
      try body(&self)
      level = before
    } catch {
      lines.removeSubrange(written...)
      level = before
      throw error
    }
  }

  /// The lines as text, with the offsets at the left when they are wanted.
  var rendered: String {
    let shows = options.contains(.offsets)
    let width = lines.compactMap(\.offset).max().map { String($0).utf8.count } ?? 0
    var text = ""
    for line in lines {
      if shows && width > 0 {
        let number = line.offset.map(String.init) ?? ""
        text += String(repeating: " ", count: width - number.utf8.count) + number + "  "
      }
      text += String(repeating: "  ", count: line.level) + line.text + "\n"
    }
    return text
  }
}
