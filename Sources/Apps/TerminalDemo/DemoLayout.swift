import LocatedYAML

/// The division of a terminal: the device at the left, the messages beside it, the steps of the scenario at the right if
/// there is room, and the choices of every screen, the narration and the keys below.
struct DemoLayout {
  typealias Row = [DemoCanvas.Piece]

  /// The minimum number of columns and rows.
  static let smallest = (columns: 60, rows: 12)
  /// The size from which a device has a frame. A smaller terminal has no room for it beside the messages.
  private static let framed = (columns: 100, rows: 28)
  /// The columns beside a QR code, without a frame.
  private static let besideCode = 3
  /// The least columns of the messages beside a QR code.
  private static let leastWire = 16
  /// The longest lines of prose that are read with ease.
  static let readableWidth = 92
  /// The columns from which the steps of the scenario are listed.
  private static let columnsForSteps = 150
  private static let stepsWidth = 44

  let columns: Int
  let rows: Int
  let screen: DemoScreen
  /// The rows of the narration, and of the last refusal.
  let footer: [Row]
  /// True for a view without the messages beside it.
  let isAlone: Bool
  /// True if the device has a frame.
  private(set) var isFramed: Bool
  /// The columns of the device's side.
  private(set) var width: Int
  /// The rows between the header and the choices of every screen.
  let height: Int
  /// The columns of the messages; 0 without them.
  private(set) var wireWidth: Int
  /// The columns of the steps; 0 without them.
  let stepsWidth: Int
  /// The columns and rows that the QR code lacks, in words; none for one that is drawn.
  private(set) var missingForCode: [String] = []

  /// Divides a terminal; nil if it is too small.
  init?(_ state: DemoState, columns: Int, rows: Int) {
    guard columns >= Self.smallest.columns, rows >= Self.smallest.rows else { return nil }
    let screen = DemoScreen(state)
    (self.columns, self.rows, self.screen) = (columns, rows, screen)
    footer = Self.footer(state, columns: columns, rows: rows, isShort: screen.code != nil)
    // The header, the choices of every screen, and the keys.
    height = rows - 3 - footer.count
    isAlone = screen.device == nil
    guard !isAlone else {
      (isFramed, wireWidth, stepsWidth) = (false, 0, 0)
      if case .message = state.look { width = columns - 1 } else { width = min(columns, Self.readableWidth) - 1 }
      return
    }
    stepsWidth = state.story != nil && columns >= Self.columnsForSteps ? Self.stepsWidth : 0
    let phone: Int
    switch columns {
    case ..<Self.framed.columns: phone = max(38, columns * 11 / 20)
    case ..<120: phone = 47
    case ..<Self.columnsForSteps: phone = 52
    case ..<180: phone = 56
    default: phone = 62
    }
    (width, wireWidth, isFramed) = (phone, 0, false)
    // A code takes what it needs of the messages, if it is drawn.
    let code = (screen.code?.drawing.first?.count ?? 0) + Self.besideCode
    divide(code <= columns - Self.leastWire - 3 ? max(phone, code) : phone)
    missingForCode = PhoneFrame(self, state).missingForCode
    if !missingForCode.isEmpty { divide(phone) }
  }

  /// Gives columns to the device, and the rest to the messages.
  private mutating func divide(_ width: Int) {
    self.width = width
    wireWidth = min(columns - width - 3 - (stepsWidth > 0 ? stepsWidth + 3 : 0), Self.readableWidth)
    let hasRoom = columns >= Self.framed.columns && rows >= Self.framed.rows
    isFramed = hasRoom && PhoneFrame.hasRoom(for: screen.code, width: width, height: height)
  }

  /// The narration has a fixed number of rows, so that the device stays in its place. Only a verdict takes more, up to a
  /// third of the terminal, and longer lines rather than losing words.
  private static func footer(_ state: DemoState, columns: Int, rows: Int, isShort: Bool) -> [Row] {
    guard state.look == .plain else { return [notice(state) ?? []] }
    let narration = DemoNarration(state)
    var width = min(columns, readableWidth) - 2
    // A QR code needs every row.
    var room = isShort ? 1 : rows < 16 ? 2 : rows < 28 ? 3 : max(4, rows / 8)
    let hasHeading =
      narration.heading != nil
      && (rows >= framed.rows || state.story?.live != nil || narration.verdict.isEmpty)
    // What happens beside the verdict keeps a row.
    let least = narration.details.isEmpty || room < 3 ? 0 : 1
    if room > 2, !narration.verdict.isEmpty {
      func wanted() -> Int {
        narration.verdict.map { $0.text.pieces(width).count }.reduce(0, +) + (hasHeading ? 1 : 0) + least
      }
      if wanted() > rows / 3 { width = columns - 2 }
      room = max(room, min(rows / 3, wanted()))
    }
    var footer: [Row] = []
    func cut(_ line: DemoScreen.Line, to count: Int, _ width: Int) -> [Row] {
      guard count > 0 else { return [] }
      let text = line.text.pieces(width)
      // The rows that do not fit are joined to the last one, which is cut.
      let last = text.dropFirst(count - 1).map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: " ")
      let isCut = text.count > count
      let shown = isCut ? text.prefix(count - 1) + [((count > 1 ? "  " : "") + last).shortened(width)] : text
      return shown.map { [.init(text: " \($0)", style: line.tone.style)] }
    }
    if hasHeading, let heading = narration.heading {
      let track = columns < framed.columns ? [] : track(state)
      footer.append(track + cut(heading, to: 1, width - track.width).joined())
    }
    // The verdict goes first if both do not fit: it is what the run is about.
    let wanted = narration.verdict.map { cut($0, to: room, width).count }.reduce(0, +)
    var left = max(least, room - footer.count - wanted)
    for line in narration.details where left > 0 {
      let rows = cut(line, to: left, width)
      footer += rows
      left -= rows.count
    }
    for (number, line) in narration.verdict.enumerated() {
      let others = narration.verdict.count - number - 1
      footer += cut(line, to: max(0, room - footer.count - others), width)
    }
    if let notice = notice(state) { footer = Array(footer.prefix(max(0, room - 1))) + [notice] }
    let isTold = narration.heading != nil
    return footer + Array(repeating: [], count: max(0, (isTold ? room : 1) - footer.count))
  }

  private static func notice(_ state: DemoState) -> Row? { state.notice.map { [.init(text: " \($0)", style: .bad)] } }

  /// The most steps that are drawn as a track.
  private static let longestTrack = 24

  /// The steps as marks: those that are done, and those that follow.
  private static func track(_ state: DemoState) -> Row {
    guard let story = state.story, (1...longestTrack).contains(story.steps.count) else { return [] }
    return [.init(text: " " + story.steps.indices.map { story.mark(of: $0) }.joined())]
  }
}

extension DemoStory {
  /// The mark of a step in the track.
  func mark(of index: Int) -> String {
    let step = steps[index]
    if case .judged(let failure)? = live?.results[index] { return failure == nil ? "✓" : "✗" }
    if live?.results[index] == .instead { return "~" }
    guard index < done, step.isReached else { return "·" }
    if step.failure != nil { return "✗" }
    return step.kind == .expectation ? "✓" : step.kind == .fault ? "!" : "■"
  }
}

extension DemoScreen.Line.Tone {
  var style: DemoCanvas.Style {
    switch self {
    case .plain, .picture: .plain
    case .heading: .bold
    case .quiet: .dim
    case .good: .good
    case .warning: .warning
    case .bad: .bad
    }
  }
}
