import JSON

/// The screens of a demonstration at a fixed size and pace, as an asciicast
/// (docs.asciinema.org/manual/asciicast/v2). The same screens give the same file.
public struct ScreenRecording: Sendable {
  /// The size of a slide, and of most windows.
  public static let standardSize = (columns: 100, rows: 30)
  /// The time of each screen in tenths of a second: long enough to find what changed.
  private static let tenths = 25

  private let columns: Int
  private let rows: Int
  private let title: String
  /// The output of each screen, without repetitions.
  private var outputs: [String] = []

  /// Creates an empty recording.
  public init(
    title: String, columns: Int = ScreenRecording.standardSize.columns, rows: Int = ScreenRecording.standardSize.rows
  ) {
    self.title = title
    self.columns = columns
    self.rows = rows
  }

  /// Adds a screen, unless it is the same as the one before.
  mutating func add(_ state: DemoState) {
    var state = state
    state.scroll = min(state.scroll, DemoDrawing.furthestScroll(state, columns: columns, rows: rows))
    let output = DemoDrawing.output(state, columns: columns, rows: rows)
    if outputs.last != output { outputs.append(output) }
  }

  /// The file: a header, and a line for each screen. A last line without output gives the last screen its time.
  public var asciicast: String {
    var lines = [JSONCoding.text(Header(columns: columns, rows: rows, title: title))]
    for (number, output) in outputs.enumerated() {
      // Without a cursor, as in the demonstration.
      lines.append(event(number, (number == 0 ? "\u{1b}[2J\u{1b}[?25l" : "") + output))
    }
    lines.append(event(outputs.count, "\u{1b}[?25h"))
    return lines.joined(separator: "\n") + "\n"
  }

  private func event(_ number: Int, _ output: String) -> String {
    let tenths = number * Self.tenths
    return "[\(tenths / 10).\(tenths % 10),\"o\",\(JSONCoding.text(output))]"
  }
}

/// The first line of an asciicast, without the time of the recording.
private struct Header: JSONObjectWritable {
  let columns: Int
  let rows: Int
  let title: String

  func writeMembers(to json: inout JSONWriter) {
    json.member("height", rows)
    json.member("title", title)
    json.member("version", 2)
    json.member("width", columns)
  }
}
