/// A key of a terminal.
public enum DemoKey: Sendable, Equatable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown, enter, escape
  /// Control and C.
  case interrupt
}

extension DemoState {
  /// Handles a key.
  /// - Returns: the action in the world, or nil if only the view changes.
  public mutating func take(_ key: DemoKey) -> DemoAction? {
    notice = nil
    let choices = DemoScreen(self).choices
    switch key {
    case .interrupt: return .quit
    case .character("m") where look == .plain:
      if let last = messages.last { show(.message(last)) }
    case .character(let character):
      guard let choice = choices.first(where: { $0.key == character }) else { break }
      return take(choice)
    case .enter:
      if choices.indices.contains(selected) { return take(choices[selected]) }
    case .escape:
      guard look == .plain else {
        show(.plain)
        break
      }
      if let back = choices.first(where: { "cd".contains($0.key) }) { return take(back) }
    case .up, .down:
      let step = key == .up ? -1 : 1
      if isReading {
        scroll = max(0, scroll + step)
      } else {
        selected = min(max(0, selected + step), choices.count - 1)
      }
    case .pageUp: scroll = max(0, scroll - Self.page)
    case .pageDown: scroll += Self.page
    case .left, .right:
      guard case .message(let number) = look, let place = messages.firstIndex(of: number) else { break }
      let next = place + (key == .left ? -1 : 1)
      if messages.indices.contains(next) { show(.message(messages[next])) }
    }
    return nil
  }

  /// The number of lines that a page of text advances: a terminal of 24 lines shows a few more.
  private static let page = 16

  /// True if the screen shows text to read rather than choices.
  private var isReading: Bool {
    switch look {
    case .checks, .message: true
    case .plain, .hiddenApps, .face, .faults: false
    }
  }

  /// The numbers of the messages since the person's first step.
  private var messages: [Int] {
    told.compactMap { if case .message(let message) = $0.event { message.number } else { nil } }
  }

  private mutating func take(_ choice: DemoScreen.Choice) -> DemoAction? {
    guard case .look(let look) = choice.action else { return choice.action }
    show(look)
    return nil
  }

  /// Changes the view.
  public mutating func show(_ look: Look) {
    self.look = look
    selected = 0
    scroll = 0
  }
}
