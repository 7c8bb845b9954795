import DevicePlatform
import JSON
import Messaging
import Proximity

/// A text on a screen: a row of the table, with the values for its places.
public struct ScreenText: Sendable, Equatable {
  /// The content of a place, such as `{app}`.
  public indirect enum Value: Sendable, Equatable {
    /// A name, the same in every language.
    case name(String)
    /// Another text.
    case text(ScreenText)
  }

  /// The row.
  public let word: ScreenWord
  /// The contents of its places.
  public let values: [String: Value]

  /// Creates a text.
  public init(_ word: ScreenWord, _ values: [String: Value] = [:]) { (self.word, self.values) = (word, values) }

  /// Returns the text in a language. A place without a content stays as it is.
  public func text(in language: Language) -> String {
    ScreenWord.filling(word.translations[language]) { place in
      switch values[place] {
      case .name(let name): name
      case .text(let text): text.text(in: language)
      case nil: nil
      }
    }
  }

  /// The text in English, which names it in a message.
  package var english: String { text(in: .english) }
}

extension ScreenWord {
  /// The text in English.
  public var english: String { translations.english }

  /// Returns the text in a language, without contents for its places.
  public func text(in language: Language) -> String { translations[language] }

  /// The places of a text, such as `app` in `{app} did not answer.`
  package static func places(of text: String) -> [String] {
    var places: [String] = []
    _ = filling(text) { place in
      places.append(place)
      return nil
    }
    return places
  }

  /// Returns a text with contents for its places. The contents are not read for places again. A space that sets off a name in
  /// Latin letters is left out between two Chinese characters.
  fileprivate static func filling(_ text: String, _ content: (String) -> String?) -> String {
    var rest = text[...]
    var filled = ""
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      let place = String(rest[rest.index(after: start)..<end])
      filled = joining(filled, String(rest[..<start]))
      filled = joining(filled, content(place) ?? "{\(place)}")
      rest = rest[rest.index(after: end)...]
    }
    return joining(filled, String(rest))
  }

  private static func joining(_ text: String, _ next: String) -> String {
    if text.last == " ", text.dropLast().endsInHan, next.beginsWithHan { return text.dropLast() + next }
    if text.endsInHan, next.first == " ", next.dropFirst().beginsWithHan { return text + next.dropFirst() }
    return text + next
  }
}

extension StringProtocol {
  fileprivate var beginsWithHan: Bool { unicodeScalars.first?.properties.isIdeographic ?? false }
  fileprivate var endsInHan: Bool { unicodeScalars.last?.properties.isIdeographic ?? false }
}

/// The texts of a screen in the language of its device, each by its English text. A screen in English has none.
public struct LocalTexts: Sendable, Equatable {
  /// The language.
  public let language: Language
  /// The texts by their English ones.
  public private(set) var texts: [String: String]

  /// Creates a collection, which is empty at first.
  package init(_ language: Language, texts: [String: String] = [:]) { (self.language, self.texts) = (language, texts) }

  /// Creates the texts of a screen in a language; nil for English.
  /// - Parameter notice: The message on the screen.
  package init?(
    _ language: Language, _ texts: @autoclosure () -> [ScreenText?] = [], about notice: PresentmentNotice? = nil
  ) {
    guard language != .english else { return nil }
    self.init(language)
    for text in texts() { if let text { add(text) } }
    if let notice { add(notice.text, for: notice.message) }
  }

  /// The name of a reader nearby, if a request comes from one.
  static func nearby(_ origin: String) -> ScreenText? {
    origin == InPersonRequest.origin ? ScreenText(.readerNearby) : nil
  }

  /// Adds a text.
  /// - Parameter name: The English text in the message; nil for the one of the table.
  package mutating func add(_ text: ScreenText, for name: String? = nil) {
    texts[name ?? text.english] = text.text(in: language)
  }

  /// Adds a name of a document or an element, if the table has it.
  /// - Parameter name: The name in the message; nil for the English one.
  package mutating func add(_ translations: Translations?, for name: String? = nil) {
    guard let translations else { return }
    texts[name ?? translations.english] = translations[language]
  }
}

extension LocalTexts: JSONObject {
  package static let json = JSONForm<Self>(
    Self.init(_:texts:), Member("language", \.language), Member("texts", \.texts))
}

/// A screen of a device. Its own members are English, which names texts and controls in steps, stories and traces; `local` has
/// what the person reads on a device with another language.
public protocol LocalScreen: Sendable {
  /// The texts in the language of the device; nil for English.
  var local: LocalTexts? { get }
}

extension LocalScreen {
  /// The language of the device.
  public var language: Language { local?.language ?? .english }

  /// Returns a text of the screen as the person reads it. A text that has no translation, such as a name, stays as it is.
  public func says(_ text: String) -> String { local?.texts[text] ?? text }

  /// Returns a text that belongs to every screen of the kind, with contents for its places.
  public func says(_ word: ScreenWord, _ names: [String: String] = [:]) -> String {
    ScreenText(word, names.mapValues { .name($0) }).text(in: language)
  }
}

/// What a message with a screen says about its language.
private struct ScreenLanguage: JSONObject {
  var local: LocalTexts?

  static let json = JSONForm<Self>(Self.init, Member(optional: "local", \.local))
}

extension Message {
  /// The language of the screen that the message shows to the person; nil for English, and for any other message.
  package var screenLanguage: Language? {
    guard mediaType == MediaType.screen, recipient.role == .person else { return nil }
    return body(ScreenLanguage.self)?.local?.language
  }
}
