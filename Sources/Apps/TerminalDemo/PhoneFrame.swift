import LocatedYAML
import Primitives

/// Draws the screen of a device: with a status bar in a frame, a sheet over the page; or without a frame.
struct PhoneFrame {
  typealias Row = DemoLayout.Row

  private let screen: DemoScreen
  private let state: DemoState
  private let width: Int
  private let height: Int
  private let isFramed: Bool
  /// The columns and rows that the QR code lacks in the layout, in words.
  private let missing: [String]

  init(_ layout: DemoLayout, _ state: DemoState) {
    screen = layout.screen
    self.state = state
    (width, height, isFramed) = (layout.width, layout.height, layout.isFramed)
    missing = layout.missingForCode
  }

  /// The rows of a frame without its content: the edges, the status bar, the address and the line below.
  private static let edges = 5
  /// Below this number of rows, no row stays blank.
  private static let scarce = 8

  /// True if a QR code fits into a frame.
  static func hasRoom(for code: DemoScreen.Code?, width: Int, height: Int) -> Bool {
    guard let drawing = code?.drawing, let columns = drawing.first?.count else { return true }
    // Beside the code: its text, a blank row and the choices.
    return columns + 3 <= width - 2 && drawing.count + 6 <= height - edges
  }

  /// True for a sheet over a page, in a frame.
  private var isSheet: Bool { isFramed && screen.device?.behind != nil }

  /// The cells of a line.
  private var textWidth: Int { isFramed ? width - (isSheet ? 6 : 4) : width - 2 }

  /// The rows above the text.
  private var heading: [Row] {
    // The bar of a window and of a phone name the page.
    if isFramed, !isSheet { return [] }
    let title: Row = [.init(text: screen.title, style: .bold)]
    return bodyHeight < Self.scarce ? [title] : [title, []]
  }

  /// The rows for the heading, the text and the choices.
  private var bodyHeight: Int { height - (isFramed ? Self.edges - (hasAddress ? 0 : 1) : 0) - (isSheet ? 2 : 0) }

  private var hasAddress: Bool { screen.device.map { !$0.isDesktop && $0.address != nil } ?? false }

  /// The number of lines above the screen when the text is scrolled to its end.
  var furthestScroll: Int {
    let count = text.count
    return max(0, count - room(lines: count).lines)
  }

  /// The number of rows for the text and the choices. If rows are scarce, three choices are shown, including the
  /// selected one, and the text gets the rest.
  private func room(lines: Int) -> (lines: Int, choices: Int) {
    let space = bodyHeight - heading.count
    let own = screen.ownChoices.count
    let choices = min(own, max(3, space - lines - 1))
    return (max(1, space - choices - (choices > 0 ? 1 : 0)), choices)
  }

  /// The text's rows without a QR code.
  private var plainText: [Row] {
    func drawn(_ lines: [DemoScreen.Line]) -> [Row] {
      lines.flatMap { line in line.text.pieces(textWidth).map { [.init(text: $0, style: line.tone.style)] } }
    }
    let text = drawn(screen.lines)
    // The picture gives way to the text if there are too few rows.
    guard text.count + screen.ownChoices.count + 1 > bodyHeight - heading.count else { return text }
    return drawn(screen.lines.filter { $0.tone != .picture })
  }

  /// The columns and rows that the QR code lacks, in words; none for one that is drawn.
  var missingForCode: [String] {
    guard let drawing = screen.code?.drawing, let columns = drawing.first?.count else { return [] }
    let count = drawing.count + plainText.count
    let room = room(lines: count).lines
    let missing = [
      columns <= textWidth ? nil : (columns - textWidth).counted("more column"),
      count <= room ? nil : (count - room).counted("more row"),
    ]
    return missing.compactMap(\.self)
  }

  /// The text's rows, below the QR code if there is one. A reader needs the whole code, so it is never scrolled.
  private var text: [Row] {
    let text = plainText
    guard let drawing = screen.code?.drawing, !drawing.isEmpty else { return text }
    if missing.isEmpty { return drawing.map { [.init(text: $0, style: .symbol)] } + text }
    let notice = "The QR code needs \(missing.joined(separator: " and "))."
    return notice.pieces(textWidth).map { [.init(text: $0, style: .bad)] } + text
  }

  /// The heading, the text and the choices directly below it.
  private var content: [Row] {
    let lines = text
    let (room, choiceRoom) = room(lines: lines.count)
    let start = min(state.scroll, max(0, lines.count - room))
    var shown = Array(lines[start..<min(lines.count, start + room)])
    if start + room < lines.count, let last = shown.indices.last {
      shown[last] = [.init(text: "… \(lines.count - start - room + 1) more lines", style: .dim)]
    }
    let own = screen.ownChoices
    let first = max(0, min(max(0, state.selected - choiceRoom + 1), own.count - choiceRoom))
    let choices = own.enumerated().dropFirst(first).prefix(choiceRoom).map { number, choice -> Row in
      Self.row(of: choice, isSelected: number == state.selected, width: textWidth)
    }
    return heading + shown + (choices.isEmpty ? [] : [[]]) + choices
  }

  /// A choice with its key.
  static func row(of choice: DemoScreen.Choice, isSelected: Bool, width: Int) -> Row {
    if isSelected { return [.init(text: "▸ \(choice.key)  \(choice.label)".filling(width), style: .inverse)] }
    return [.init(text: "  "), .init(text: "\(choice.key)", style: .bold), .init(text: "  \(choice.label)")]
  }

  /// The rows, each as wide as the device's side.
  var rows: [Row] {
    guard isFramed, let device = screen.device else { return content.map { ([.init(text: " ")] + $0).filling(width) } }
    return frame(of: device)
  }
}

/// The frame.
extension PhoneFrame {
  private func frame(of device: DemoScreen.Device) -> [Row] {
    let inner = width - 2
    let corners = device.isDesktop ? ["┌", "┐", "└", "┘"] : ["╭", "╮", "╰", "╯"]
    let line = String(repeating: "─", count: inner)
    func inside(_ row: Row) -> Row { [.init(text: "│")] + row.filling(inner) + [.init(text: "│")] }
    var rows: [Row] = [[.init(text: corners[0] + line + corners[1])], inside(bar(of: device, width: inner))]
    if let address = device.address, hasAddress {
      rows.append(inside([.init(text: " " + address.centered(inner - 2), style: .dim)]))
    }
    rows.append([.init(text: "├" + line + "┤")])
    let space = height - rows.count - 1
    let body = isSheet ? sheet(over: device.behind ?? [], inner: inner, height: space) : content.map(padded)
    rows += (body + Array(repeating: [], count: max(0, space - body.count))).prefix(space).map(inside)
    // A phone without a button has a bar to go home.
    let bar = "━━━━━━━━"
    let home = device.isDesktop ? line : "\(String(line.prefix((inner - bar.count) / 2)))\(bar)"
    rows.append([.init(text: corners[2] + home + String(line.dropFirst(home.count)) + corners[3])])
    return rows
  }

  private func padded(_ row: Row) -> Row { [.init(text: " ")] + row }

  /// The status bar of a phone, or the title bar of a window.
  private func bar(of device: DemoScreen.Device, width: Int) -> Row {
    let signs = device.isInFlightMode ? " ✈ ▮▮▮ " : " ▂▄▆ ▮▮▮ "
    let (left, right) = device.isDesktop ? (" ○ ○ ○ ", " \(device.title) ") : (" \(device.time) ", signs)
    let middle = device.isDesktop ? device.address ?? "" : device.title
    let room = max(0, width - left.count - right.count)
    // In the middle of the device, not of the room, unless it is too long.
    let shown = middle.shortened(room)
    let free = room - SourceText.width(shown)
    let blank = max(0, min(free, (width - SourceText.width(shown)) / 2 - left.count))
    let text = String(repeating: " ", count: blank) + shown
    return [
      .init(text: left, style: .bold), .init(text: text.filling(room), style: device.isDesktop ? .bold : .plain),
      .init(text: right),
    ]
  }

  /// A sheet at the bottom of the screen, over the page.
  private func sheet(over page: [DemoScreen.Line], inner: Int, height: Int) -> [Row] {
    let line = String(repeating: "─", count: inner - 2)
    let body = content.map { [.init(text: "│ ")] + $0.filling(inner - 4) + [.init(text: " │")] }
    let sheet: [Row] = [[.init(text: "╭\(line)╮")]] + body + [[.init(text: "╰\(line)╯")]]
    let free = max(0, height - sheet.count)
    let behind = page.flatMap { line in line.text.pieces(inner - 2).map { Row([.init(text: " " + $0, style: .dim)]) } }
    let blank = Array(repeating: Row(), count: max(0, free - behind.count))
    return behind.prefix(free) + blank + sheet
  }
}

extension String {
  /// The text in the middle of a number of cells.
  fileprivate func centered(_ cells: Int) -> String {
    let text = shortened(cells)
    let blank = max(0, cells - SourceText.width(text)) / 2
    return String(repeating: " ", count: blank) + text
  }
}
