import JSON
import Messaging

/// A language of a device's screens. The raw value is its tag (BCP 47).
public enum Language: String, Sendable, CaseIterable, JSONWritable, JSONReadable {
  case english = "en"
  case spanish = "es"
  case simplifiedChinese = "zh-Hans"

  /// The name of the language in itself.
  public var name: String {
    switch self {
    case .english: "English"
    case .spanish: "Español"
    case .simplifiedChinese: "简体中文"
    }
  }

  /// The mark between the items of a list.
  public var listSeparator: String { self == .simplifiedChinese ? "、" : ", " }
}

/// A text in every language. English comes first: it is also the name of the text in steps, stories and traces.
public struct Translations: Sendable, Equatable {
  /// The text in English.
  public let english: String
  /// The text in Spanish.
  public let spanish: String
  /// The text in simplified Chinese.
  public let simplifiedChinese: String

  init(_ english: String, es spanish: String, zh simplifiedChinese: String) {
    (self.english, self.spanish, self.simplifiedChinese) = (english, spanish, simplifiedChinese)
  }

  /// Returns the text in a language.
  public subscript(language: Language) -> String {
    switch language {
    case .english: english
    case .spanish: spanish
    case .simplifiedChinese: simplifiedChinese
    }
  }
}

extension WorldDescription {
  /// The language of each device.
  package var languages: [String: Language] {
    Dictionary(devices.map { ($0.identifier, $0.language) }) { first, _ in first }
  }
}

extension Party {
  /// The device whose screens show what the party says to the person; nil for a party outside of the devices.
  package var deviceWithScreens: String? {
    switch role {
    case .browser, .operatingSystem, .clientPlatform, .authenticator, .nearby, .mdoc: name
    case .app: String(name.prefix { $0 != "/" })
    default: nil
    }
  }
}
