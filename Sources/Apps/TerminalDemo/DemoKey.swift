import InteractiveWorlds

/// A key of a terminal.
public enum DemoKey: Sendable, Equatable {
  case character(Character)
  case up, down, left, right, home, end, pageUp, pageDown, enter, escape, backspace
  /// Control and C.
  case interrupt

  fileprivate var isCharacter: Bool { if case .character = self { true } else { false } }
}

extension DemoState {
  /// Handles a key.
  /// - Returns: The action in the world, or nil if only the view changes.
  public mutating func take(_ key: DemoKey) -> DemoAction? {
    notice = nil
    if case .entry(let entry) = look { return take(key, in: entry) }
    let choices = DemoScreen(self).choices
    switch key {
    // The same in every view.
    case .interrupt: return .quit
    // As in a pager: it ends what is being looked at.
    case .character("q"):
      guard look != .plain else { return .quit }
      show(.plain)
    case .character("m") where look == .plain: if let last = messages.last { show(.message(last)) }
    case .character("b"), .escape:
      guard look == .plain else {
        show(back)
        break
      }
      if isPlay { return .back }
      if let back = choices.first(where: { "cd".contains($0.key) }) { return take(back) }
      if story != nil { return .leave }
    case .character(" ") where look == .plain && story != nil: return .next
    case .character("p") where look == .plain && isPlay: return .play
    case .character(let character):
      guard let choice = choices.first(where: { $0.key == character }) else { break }
      return take(choice)
    case .enter: if choices.indices.contains(selected) { return take(choices[selected]) }
    case .up, .down:
      let step = key == .up ? -1 : 1
      if isReading {
        scroll = max(0, scroll + step)
      } else {
        selected = min(max(0, selected + step), choices.count - 1)
      }
    case .pageUp: scroll = max(0, scroll - Self.page)
    case .pageDown: scroll += Self.page
    case .home, .end:
      // A text ends where its view ends.
      if isReading {
        scroll = key == .home ? 0 : Int.max / 2
      } else if isPlay, look != .faults {
        return key == .home ? .start : .end
      } else {
        selected = key == .home ? 0 : max(0, choices.count - 1)
      }
    case .left, .right:
      if look == .plain, story != nil { return key == .right ? .next : isPlay ? .back : .leave }
      guard case .message(let number) = look, let place = messages.firstIndex(of: number) else { break }
      let next = place + (key == .left ? -1 : 1)
      if messages.indices.contains(next) { show(.message(messages[next])) }
    case .backspace: break
    }
    return nil
  }

  /// Handles a key while the person enters a text.
  private mutating func take(_ key: DemoKey, in entry: TextEntry) -> DemoAction? {
    var entry = entry
    switch key {
    case .interrupt: return .quit
    case .escape:
      show(back)
      return nil
    case .enter:
      guard !entry.text.isEmpty else { return nil }
      return .deed(entry.deed.action(with: entry.text))
    case .character(let character):
      guard entry.text.count < ByHand.Deed.longestText else { return nil }
      entry.text.append(character)
    case .backspace: entry.text = String(entry.text.dropLast())
    case .up, .down, .left, .right, .home, .end, .pageUp, .pageDown: return nil
    }
    look = .entry(entry)
    // The end of the text stays in view.
    scroll = Int.max / 2
    return nil
  }

  /// True while a scenario is played, and the person has not taken over.
  private var isPlay: Bool { story.map { $0.live == nil } ?? false }

  /// The number of lines that a page of text advances: a terminal of 24 lines shows a few more.
  private static let page = 16

  /// True if the screen shows text to read rather than choices.
  private var isReading: Bool {
    switch look {
    case .checks, .message: true
    case .plain, .hiddenApps, .authentication, .faults, .byHand, .entry: false
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

/// Decodes the keys in a terminal's input, which may arrive in parts.
///
/// An escape byte is the Escape key only if no byte follows it. Otherwise it starts another key (ECMA-48, 5.3.1), part
/// of which may arrive later. Of pasted text, which xterm and others put into brackets, only the characters are keys, and
/// a line end is not Enter.
public struct DemoKeyReader: Sendable {
  /// The length of the longest key, in bytes. Longer sequences do not come from a keyboard.
  private static let longestKey = 32

  private static let pasteBegins = Array("\u{1b}[200~".utf8)
  private static let pasteEnds = Array("\u{1b}[201~".utf8)

  private var rest: [UInt8] = []
  private var isPasting = false
  /// True after a carriage return: a line feed belongs to it.
  private var hasReturned = false

  /// Creates a reader without pending input.
  public init() {}

  /// True if the beginning of a key waits for the rest.
  public var isWaiting: Bool { !rest.isEmpty }

  /// Returns the keys that some bytes complete, without unknown keys.
  public mutating func keys(in bytes: [UInt8]) -> [DemoKey] {
    rest += bytes
    var keys: [DemoKey] = []
    var position = 0
    while position < rest.count {
      guard let (key, length) = Self.first(of: rest[position...]) else { break }
      let bytes = rest[position..<position + length]
      let isLineEnd = hasReturned && bytes.elementsEqual([0x0a])
      if let key, !isLineEnd, !isPasting || key.isCharacter { keys.append(key) }
      hasReturned = bytes.elementsEqual([0x0d])
      isPasting = isPasting ? !bytes.elementsEqual(Self.pasteEnds) : bytes.elementsEqual(Self.pasteBegins)
      position += length
    }
    rest.removeFirst(position)
    if rest.count > Self.longestKey { rest = [] }
    return keys
  }

  /// Returns the pending keys when no more bytes follow: an escape byte is the Escape key.
  public mutating func keysWhenNothingFollows() -> [DemoKey] {
    defer { rest = [] }
    return rest == [0x1b] ? [.escape] : []
  }

  /// Returns the key at the beginning (nil if it is unknown) and its length in bytes, or nil if the key is incomplete.
  private static func first(of bytes: ArraySlice<UInt8>) -> (key: DemoKey?, length: Int)? {
    guard let first = bytes.first else { return nil }
    switch first {
    case 0x1b: return escaped(bytes)
    case 0x03: return (.interrupt, 1)
    case 0x08, 0x7f: return (.backspace, 1)
    case 0x0a, 0x0d: return (.enter, 1)
    case 0x20..<0x7f: return (.character(Character(UnicodeScalar(first))), 1)
    case 0xc2...0xf4: return unicode(bytes, first)
    default: return (nil, 1)
    }
  }

  /// A character of several bytes in UTF-8 (RFC 3629, 3).
  private static func unicode(_ bytes: ArraySlice<UInt8>, _ first: UInt8) -> (key: DemoKey?, length: Int)? {
    let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    let found = bytes.prefix(length)
    let continuations = found.dropFirst().prefix { (0x80...0xbf).contains($0) }
    guard continuations.count == found.count - 1 else { return (nil, 1 + continuations.count) }
    guard found.count == length else { return nil }
    let text = String(validating: found, as: UTF8.self)
    return (text.flatMap(\.first).map(DemoKey.character), length)
  }

  private static func escaped(_ bytes: ArraySlice<UInt8>) -> (key: DemoKey?, length: Int)? {
    guard let second = bytes.dropFirst().first else { return nil }
    if second == 0x1b { return (.escape, 1) }
    // Another key with Alt, which has no function here.
    guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return (nil, 2) }
    // Parameters, then one byte that identifies the key (ECMA-48, 5.4).
    let parameters = bytes.dropFirst(2).prefix { (0x20...0x3f).contains($0) }
    guard let last = bytes.dropFirst(2 + parameters.count).first else { return nil }
    let key: DemoKey? =
      switch last {
      case UInt8(ascii: "A"): .up
      case UInt8(ascii: "B"): .down
      case UInt8(ascii: "C"): .right
      case UInt8(ascii: "D"): .left
      case UInt8(ascii: "H"): .home
      case UInt8(ascii: "F"): .end
      case UInt8(ascii: "~"): numbered(parameters)
      default: nil
      }
    return (key, 3 + parameters.count)
  }

  /// The keys of an editing keypad, as xterm and the Linux console send them.
  private static func numbered(_ parameters: ArraySlice<UInt8>) -> DemoKey? {
    switch String(decoding: parameters, as: UTF8.self) {
    case "1", "7": .home
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }
}
